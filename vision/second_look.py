"""A second look at a board that lies still.

Pucks of hardly another colour than the ground are lost in one frame's noise, and show in the mean of many; what in one
frame looks a little like a puck, as a dark block in the dark, does not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from concurrent.futures import Future

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.aside import aside
from vision.events import PuckSeen
from vision.frames import Image
from vision.marks import OFF_MM, ink_share, with_marked
from vision.palette import Palette
from vision.reef_fit import box_corners
from vision.reefs import find_reefs
from vision.resting import OVERLAP, SeenDisc, look_again
from vision.view import TopView

BLOCK_MM = 3.0  # a circle whose middle is no further than this from a block was seen in its edges
BARE = 0.3  # of what a number differs by from its puck: on what differs less is none; on all of 3,700 pucks it was 0.55
SURE_LEAST, SURE_SHARE = 2, 0.75  # so many pucks of a team tell, and such a share of them must, that it bears numbers
SOME = 8  # frames of which a mean tells more than one …
FRAMES = 24  # … and so many are enough: their noise is a fifth of one's; the sum of up to 257 fits into 16 bits


class SecondLook:
    """Adds up frames of a board at rest until there are enough; their mean is kept until something stirs."""

    def __init__(self) -> None:
        self._sum: NDArray[np.uint16] | None = None
        self._count = 0
        self._added: Future[None] | None = None  # is done when all are added up

    def restart(self) -> None:
        """Something stirs: what was seen until now may lie elsewhere."""
        self._sum, self._count = None, 0

    def add(self, image: Image) -> Image | None:
        """Takes the next frame in, if any more are wanted. image: (H, W, 3). -> their mean, as soon as there are FRAMES
        of them"""
        if self._count >= FRAMES:
            return None
        if self._sum is None:
            self._sum = np.zeros(image.shape, np.uint16)
        self._added = aside(_add, self._sum, image)
        self._count += 1
        return self._mean() if self._count >= FRAMES else None

    def so_far(self, least: int = SOME) -> Image | None:
        """(H, W, 3) the mean of the frames that there are until now; None of too few."""
        return self._mean() if self._count >= least else None

    def _mean(self) -> Image:
        assert self._sum is not None and self._added is not None
        self._added.result()
        return np.asarray(cv2.convertScaleAbs(self._sum, alpha=1.0 / self._count), dtype=np.uint8)


def _add(total: NDArray[np.uint16], image: Image) -> None:
    cv2.add(total, image, total, dtype=cv2.CV_16U)


def faint_pucks(
    mean: Image, view: TopView, palette: Palette, known: Sequence[tuple[float, float]],
    reefs: Sequence[NDArray[np.float64]] = (),
) -> tuple[list[SeenDisc], list[bool]]:  # fmt: skip
    """Pucks in the mean of many frames that lie where none is known to lie; and which of those known it shows. What is
    told by its number, and overlaps a place that is not just there, shows that no puck lies in that place.

    known: places in mm; reefs: (4, 2) corners in mm of those that were seen, where no puck can be
    """
    apart = OVERLAP * view.board.puck.diameter_mm
    outlined = look_again(mean, view, palette, known=known, clear=True)
    seen = with_marked(outlined, mean, view, palette)
    numbered = {id(d) for d in seen} - {id(d) for d in outlined}
    shown = [any(math.dist(d.place, k) < (OFF_MM if id(d) in numbered else apart) for d in seen) for k in known]
    there = [k for k, is_shown in zip(known, shown, strict=True) if is_shown]
    new = [d for d in seen if all(math.dist(d.place, k) >= apart for k in (there if id(d) in numbered else known))]
    return [d for d in new if not _on_block(d.place, reefs)], shown


def reefs_among(mean: Image, view: TopView, pucks: Sequence[PuckSeen], vague: Set[str]) -> set[str]:
    """Which pucks are none, but reefs that players placed: those are found there when nothing speaks against them.

    vague: ids of the pucks that may be struck out; the others stay.
    """
    board = view.board
    doubtful = [p for p in pucks if p.puck in vague]
    if board.reef is None or not doubtful:
        return set()
    reefs = find_reefs(mean, view.pose, board, [p for p in pucks if p.puck not in vague])
    places = np.array([(r.x_mm, r.y_mm, r.angle_deg) for r in reefs]).reshape(-1, 3)
    blocks = list(box_corners(board.reef, places))
    return {p.puck for p in doubtful if _on_block((p.x_mm, p.y_mm), blocks)}


def numberless(
    mean: Image, view: TopView, palette: Palette, pucks: Sequence[PuckSeen], vague: Set[str]
) -> set[str]:  # fmt: skip
    """Which pucks are none, but prints or blocks: they bear no number, and most others of their team that are surely
    seen bear one. vague: ids of the pucks that may be struck out; the others stay."""
    out = set[str]()
    for team in (t for t in view.board.teams if t.numbers):
        bears = {p.puck: ink_share(mean, view, palette, team, (p.x_mm, p.y_mm)) >= BARE
                 for p in pucks if p.team == team.name}  # fmt: skip
        sure = [bears[puck] for puck in bears.keys() - vague]
        if len(sure) >= SURE_LEAST and np.mean(sure) >= SURE_SHARE:
            out |= {puck for puck in bears.keys() & vague if not bears[puck]}
    return out


def _on_block(place: tuple[float, float], blocks: Sequence[NDArray[np.float64]]) -> bool:
    """True where the middle of a circle was seen on a block. blocks: (4, 2) corners in mm of each"""
    return any(cv2.pointPolygonTest(b.astype(np.float32), place, True) > -BLOCK_MM for b in blocks)
