"""A camera that was knocked: which puck lies where since, and what the shot came to that was running."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.board import Board
from calibration.drift import LOST_FRAMES
from vision.bounces import Lying
from vision.frames import Image
from vision.palette import Palette
from vision.records import Record
from vision.resting import OVERLAP, Rest, SeenDisc
from vision.roster import TrackedPuck
from vision.scene import Scene
from vision.shots import Episode, solve
from vision.vanishing import SLIDE_MAX_MM
from vision.view import TopView

FOUND_AGAIN_MM = 18.0  # after a knock, a puck is looked for this far from where it lay
MOVED_MM = 5.0  # one that lies further than this from where it lay was moved
APART = 0.8  # diameters: a disc that lies nearer to a known puck is that puck
SWAY_FRAMES = LOST_FRAMES - 1  # the last before the knock is noticed: they show the camera swaying already
KNOCKED = "the camera was knocked during the shot"
RELIT = "the light changed by too much during the shot"


@dataclass(frozen=True, slots=True)
class Since:
    """Where pucks (by id) were found again, which of these were moved, which are gone, and which discs are new."""

    found: dict[str, SeenDisc]
    moved: set[str]
    gone: set[str]
    new: list[SeenDisc]


@dataclass(frozen=True, slots=True)
class CutShort:
    """What was seen of an episode until the board had to be looked at anew, as the camera was knocked perhaps.

    before: (h, w, 3) the board as it lay at rest before; why: what is to be said of a shot that ran in it
    """

    view: TopView
    before: Image
    records: tuple[Record, ...]
    missed: int
    why: str = KNOCKED


def find_again(
    pucks: Sequence[TrackedPuck], seen: Sequence[SeenDisc], diameter_mm: float,
    left_place: Callable[[TrackedPuck], bool],
) -> Since:  # fmt: skip
    """Each puck is the nearest disc of its team, if one is near; or one that no other puck is, if a hand slides so far.

    left_place: True for a puck that was not found and does not lie there either, hidden. Nor does one where there is
    no room for it any more.
    """
    found = _nearest(pucks, seen, FOUND_AGAIN_MM)
    lost = [p for p in pucks if p.puck not in found]
    gone = [p for p in lost if left_place(p) or any(_lies_over(d, p, diameter_mm) for d in seen)]
    places = [p.place for p in lost if p not in gone] + [d.place for d in found.values()]
    new = [d for d in seen if d not in found.values() and all(math.dist(d.place, p) > APART * diameter_mm
           for p in places)]  # fmt: skip
    slid = _nearest(gone, new, SLIDE_MAX_MM)
    was = {p.puck: p.place for p in pucks}
    moved = {i for i, d in (found | slid).items() if math.dist(d.place, was[i]) > MOVED_MM}
    return Since(found | slid, moved, {p.puck for p in gone if p.puck not in slid},
                 [d for d in new if d not in slid.values()])  # fmt: skip


def _lies_over(disc: SeenDisc, puck: TrackedPuck, diameter_mm: float) -> bool:
    """True where a disc leaves no room for a puck, and is not the puck itself, taken for another team's."""
    return MOVED_MM < math.dist(disc.place, puck.place) < OVERLAP * diameter_mm


def _nearest(pucks: Sequence[TrackedPuck], discs: Sequence[SeenDisc], within_mm: float) -> dict[str, SeenDisc]:
    """Discs by the ids of the pucks of their team that they are taken for, the nearest pairs first."""
    pairs = sorted(
        ((math.dist(p.place, d.place), p.puck, k) for p in pucks for k, d in enumerate(discs) if p.team == d.team)
    )
    out: dict[str, SeenDisc] = {}
    used: set[int] = set()
    for apart, puck, k in pairs:
        if apart < within_mm and puck not in out and k not in used:
            out[puck] = discs[k]
            used.add(k)
    return out


def shot_cut_short(
    cut: CutShort, since: Since, pucks: Sequence[TrackedPuck], after: Image, board: Board, palette: Palette,
    frame_s: float,
) -> Episode | None:  # fmt: skip
    """The shot that was running when an episode was cut short, left for review; None where none was.

    after: (h, w, 3) the board at rest since, from above, of any size.
    """
    away = since.moved | since.gone
    vacated = [Rest(p.puck, p.team, *p.place) for p in pucks if p.puck in away]
    if not vacated or not cut.records:
        return None
    appeared = [*(since.found[i] for i in sorted(since.moved)), *since.new]
    lying = [Lying(p.puck, *p.place, p.team) for p in pucks if p.puck not in away]
    top = np.asarray(cv2.resize(after, cut.view.size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    episode = solve(Scene(board, cut.view, palette, cut.before, top, list(cut.records), vacated, appeared, (), frame_s,
                          cut.missed, lying=lying, cut_short=True))  # fmt: skip
    if episode.shot is None:
        return None
    episode.shot = replace(episode.shot, reasons=(cut.why, *episode.shot.reasons))
    return episode
