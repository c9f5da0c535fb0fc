"""What is seen of pucks and hands in the frames of an episode: looked at one by one, and only once if possible."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crossings import beyond_rim_mm
from vision.faint import FaintPaints
from vision.frames import Image
from vision.glimpses import find_glimpses, glimpsed, parted
from vision.palette import Palette
from vision.records import Masks, Record
from vision.resting import Rest, SeenDisc
from vision.streaks import Findings, Ground, Streak, faint_level, faint_paints, find_streaks, make_ground
from vision.view import TopView

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

FLOWN_MM = 62.0  # streaks further outside of the playing surface are no pucks
SAME_PAINT = 14.0  # grey levels by which a puck must differ from its team's paint to be looked for on its own
INSIDE = 0.6  # radii to each side of a puck's middle in which its colours are looked at
INK_PERCENTILE = 93.0  # of a puck's pixels: those that differ the most from its paint are its number's …
INK_LEVEL = 60.0  # … if they differ by so much, in grey levels
SAME_MM = 1.0  # a puck that lies so near to where it lay in an earlier look has not moved since
SPAN_MARGIN = 3  # records looked at before the first that shows a change where pucks lay
DIFFERS_LEVEL = 7.0  # mean grey levels by which a place must differ to call it changed


@dataclass(frozen=True, slots=True)
class Changed:
    """What of a board has changed, and may go on doing so: what frames are looked at for.

    before, after: (h, w, 3) top views; vacated: pucks that left their places; appeared: discs where none lay.
    """

    view: TopView
    palette: Palette
    before: Image
    after: Image
    vacated: Sequence[Rest]
    appeared: Sequence[SeenDisc]


@dataclass(frozen=True, slots=True)
class Shown:
    """What one frame shows: its streaks; masks (h, w) of 0 and 1 of hands, and of all that is not bare ground."""

    streaks: list[Streak]
    hands: Mask
    busy: Mask


NOTHING = Shown([], np.zeros((0, 0), np.uint8), np.zeros((0, 0), np.uint8))


class Sighted:
    """Frames as they were seen, in one ground and for some paints.

    ground: the board without the pucks that moved; homes: teams and places, in mm, where pucks lay and lie; times: of
    the frames, in seconds; streaks, hands, busy: what each shows. earlier: frames of the same episode as they were seen
    before. Frames are added by one thread, `look` may be asked by several.
    """

    def __init__(self, changed: Changed, earlier: Sighted | None = None) -> None:
        self.view, self._before = changed.view, changed.before
        self._palette = changed.palette
        self._vacated, self._appeared = list(changed.vacated), list(changed.appeared)
        self.ground, self._paints, self._inks = _ground_and_paints(changed)
        self.homes = [(r.team, r.place) for r in self._vacated] + [(d.team, d.place) for d in self._appeared]
        self._earlier = None
        if earlier is not None and self._goes_on(earlier):
            self._earlier = earlier
            self.ground, self._paints, self._inks = earlier.ground, earlier._paints, earlier._inks
        self._faint = faint_paints(self.ground.image, self._paints)
        self._faintly = self._faint_paints(changed) if self._faint else None
        self._faint_level = faint_level(changed.before, changed.after, self.view.radius_px) if self._faint else 0.0
        self.times: list[float] = []
        self.streaks: list[list[Streak]] = []
        self.hands, self.busy = Masks(), Masks()

    def first(self, records: Sequence[Record]) -> int:
        """The first record in which something happens to the places that pucks left, with a margin."""
        places = [(r.place, Ground(self._before)) for r in self._vacated]
        first = next((k for k, r in enumerate(records) if any(self._differs(r, p, g) for p, g in places)), 0)
        return max(first - SPAN_MARGIN, 0)

    def known(self, records: Sequence[Record]) -> dict[int, int]:
        """Those of some records that an earlier look has seen as this one would: their numbers, and those there."""
        earlier = self._earlier
        if earlier is None:
            return {}
        now, was = self._appeared, earlier._appeared
        elsewhere = [d.place for mine, its in ((now, was), (was, now)) for d in mine
                     if not any(d.team == o.team and math.dist(d.place, o.place) < SAME_MM for o in its)]  # fmt: skip
        numbers = {time_s: k for k, time_s in enumerate(earlier.times)}
        known = {k: numbers[r.time_s] for k, r in enumerate(records) if r.time_s in numbers}
        if not elsewhere:
            return known
        windows = self.view.px_from_mm(np.array(elsewhere))
        if self._faintly is not None:  # what lies there need not be busy
            return {k: there for k, there in known.items() if not any(_holds(records[k], px) for px in windows)}
        return {k: there for k, there in known.items()
                if not any(glimpsed(earlier.busy[there], px - records[k].corner, self.view.radius_px)
                           for px in windows)}  # fmt: skip

    def take_over(self, was: int) -> None:
        """Adds a frame as the earlier look has seen it. was: its number there"""
        assert self._earlier is not None
        self.times.append(self._earlier.times[was])
        self.streaks.append([replace(s, frame=len(self.streaks)) for s in self._earlier.streaks[was]])
        self.hands.take(self._earlier.hands, was)
        self.busy.take(self._earlier.busy, was)

    def add(self, time_s: float, seen: Shown) -> None:
        """Adds a frame, as `look` has seen it."""
        self.times.append(time_s)
        self.streaks.append(seen.streaks)
        self.hands.append(seen.hands)
        self.busy.append(seen.busy)

    def look(self, frame: int, record: Record) -> Shown:
        """What one frame shows. frame: its number, which its streaks bear"""
        if 0 in record.size:
            return NOTHING
        patch = record.patch
        findings = find_streaks(frame, patch, record.corner, record.light, self.ground, self.view, self._paints,
                             self._inks, self._faint, self._faint_level)  # fmt: skip
        if self._faintly is not None:
            seen = self._faintly.streaks(frame, patch, record.corner, record.light, findings)
            findings = replace(findings, streaks=seen)
        found = self._with_glimpses(frame, patch, record.corner, findings)
        near = [s for s in found if beyond_rim_mm(self.view.board, *s.place) < FLOWN_MM]
        return Shown(near, findings.hands, findings.busy)

    def _faint_paints(self, changed: Changed) -> FaintPaints:
        paints = {team: self._paints[team][0] for team in self._faint}
        lay, lie = ([(one.team, one.place) for one in of] for of in (changed.vacated, changed.appeared))
        return FaintPaints(self.ground.image, self.view, paints, (changed.before, lay), (changed.after, lie))

    def put_by(self) -> None:
        """Keeps only what a later look can take over, in little memory."""
        self._earlier = None
        self.hands.pack()
        self.busy.pack()

    def _goes_on(self, earlier: Sighted) -> bool:
        """True where an earlier look was at the same board, but for frames that have come since, and pucks that ran."""
        if earlier._before is not self._before or earlier.view is not self.view:
            return False
        if earlier._palette is not self._palette or earlier._vacated != self._vacated:
            return False
        if not _alike(self._paints, earlier._paints):
            return False
        return self.ground.like(earlier.ground, self.view.px_from_mm(_places(self._vacated)), self.view.radius_px)

    def _with_glimpses(
        self, frame: int, patch: Image, corner: tuple[int, int], findings: Findings
    ) -> list[Streak]:  # fmt: skip
        """Streaks, and pucks whose outline shows near where they left or came to rest, and that are no clean streak."""
        glimpses = find_glimpses(frame, patch, corner, findings.lit, findings.busy, self.view, self.homes,
                                 findings.looks, findings.streaks)  # fmt: skip
        return parted(findings, glimpses, patch, corner, self.view)

    def _differs(self, record: Record, place: tuple[float, float], ground: Ground) -> bool:
        """True where a frame shows a place other than a picture of the board does."""
        px, py = self.view.px_from_mm(np.array([place]))[0]
        r = int(self.view.radius_px) + 2
        x0, y0 = int(px) - r - record.corner[0], int(py) - r - record.corner[1]
        part = record.cut(x0, y0, x0 + 2 * r, y0 + 2 * r)
        if part.size == 0:
            return False
        corner = (max(x0, 0) + record.corner[0], max(y0, 0) + record.corner[1])
        lit = ground.lit(corner, part.shape, record.light)
        return bool(cv2.absdiff(part, lit).mean() > DIFFERS_LEVEL)


def _holds(record: Record, px: FloatArray) -> bool:
    """True where a record's part of the view holds a pixel (x, y) of that."""
    return bool((px >= record.corner).all() and (px < np.add(record.corner, record.size)).all())


def _inside(top: Image, x: float, y: float, radius_px: float) -> Image:
    """(N, 3) pixels of a square well inside of a puck in a top view."""
    r = max(1, int(radius_px * INSIDE))
    x0, y0 = max(0, round(x) - r), max(0, round(y) - r)
    return top[y0 : y0 + 2 * r + 1, x0 : x0 + 2 * r + 1].reshape(-1, 3)


def _colour_at(top: Image, x: float, y: float, radius_px: float) -> FloatArray:
    """(3,) median colour of a puck's top in a top view."""
    part = _inside(top, x, y, radius_px)
    return np.asarray(np.median(part, axis=0), dtype=np.float64) if len(part) else np.zeros(3)


def _ink_at(top: Image, x: float, y: float, radius_px: float) -> FloatArray | None:
    """(3,) colour of the number on a puck in a top view; None where none stands out from the paint."""
    part = _inside(top, x, y, radius_px).astype(np.float64)
    if len(part) == 0:
        return None
    away = np.linalg.norm(part - np.median(part, axis=0), axis=1)
    ink = np.asarray(part[away >= np.percentile(away, INK_PERCENTILE)].mean(axis=0))
    return ink if float(np.linalg.norm(ink - np.median(part, axis=0))) > INK_LEVEL else None


def _places(of: Sequence[Rest] | Sequence[SeenDisc]) -> FloatArray:
    """(N, 2) mm"""
    return np.array([one.place for one in of]).reshape(-1, 2)


def _ground_and_paints(changed: Changed) -> tuple[Ground, dict[str, list[FloatArray]], dict[str, FloatArray]]:
    """The board without the pucks that moved; these pucks' paints, (3,) BGR, by team; and their numbers' colour."""
    radius = changed.view.radius_px
    vacated, taken = (changed.view.px_from_mm(_places(of)) for of in (changed.vacated, changed.appeared))
    teams = {r.team for r in changed.vacated} | {d.team for d in changed.appeared}
    paints = {t: [changed.palette.bgr(t)] for t in sorted(teams)}
    inks: dict[str, FloatArray] = {}
    for team, top, (px, py) in [
        *((r.team, changed.before, p) for r, p in zip(changed.vacated, vacated, strict=True)),
        *((d.team, changed.after, p) for d, p in zip(changed.appeared, taken, strict=True)),
    ]:
        colour = _colour_at(top, float(px), float(py), radius)
        ink = _ink_at(top, float(px), float(py), radius)
        if ink is not None:
            inks.setdefault(team, ink)
        if all(np.abs(colour - p).max() > SAME_PAINT for p in paints[team]):
            paints[team].append(colour)
    return make_ground(changed.before, changed.after, vacated, taken, radius), paints, inks


def _alike(paints: Mapping[str, Sequence[FloatArray]], others: Mapping[str, Sequence[FloatArray]]) -> bool:
    """True where pucks of the same teams are looked for by the same colours, (3,) BGR."""
    return paints.keys() == others.keys() and all(
        len(mine) == len(others[team])
        and all(np.abs(a - b).max() < SAME_PAINT for a, b in zip(mine, others[team], strict=True))
        for team, mine in paints.items()
    )
