"""A puck that was flicked, thrown back by a wall, and lies where it had lain: only its way tells of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.palette import Palette
from vision.records import Record
from vision.roster import TrackedPuck
from vision.shots import Episode
from vision.view import TopView
from vision.watch import FREE_GAP_MM, Watch

FloatArray = NDArray[np.float64]

CAME_BACK = "{} seems to have been flicked, and to have come back to where it lay"
LOOK_RADII = 5.0  # what went further seldom comes back to its place …
STEP_RADII = 0.25  # … and of what lies so near so fine a part is looked at
PAINT, OTHER_PAINT = 0.1, 0.15  # distances from a team's paint of what is of it, and of what surely is not
PLACE_SHARE = 0.85  # no more of a puck's place shows its paint while the puck is away …
BESIDE_SHARE = 0.3  # … and so much of a puck's area, where none lay, does instead, …
AWAY_FRAMES = 2  # … in so many frames at least, in which it is seen whole …
OUT_RADII = 0.5  # … so far from its place or further, …
SEEN_MM = 3.0  # … so near to its way, clear of any hand
RUN_MM_S = 200.0  # hands slide a puck at less than this


def uncovered(pucks: Sequence[TrackedPuck], view: TopView, records: Iterable[Record]) -> dict[str, list[Record]]:
    """Of the pucks' names those whose place looked otherwise than before in some frames, and these."""
    if not pucks:
        return {}
    inside, _ = _around(view)
    middles = view.px_from_mm(np.array([p.place for p in pucks]))
    px = np.rint(middles[:, None] + inside).astype(np.int64).reshape(-1, 2)
    out: dict[str, list[Record]] = {p.puck: [] for p in pucks}
    for record in records:
        changed = record.changed_at(px).reshape(len(pucks), -1).mean(axis=1)
        for index in np.flatnonzero(changed > 1 - PLACE_SHARE).tolist():
            out[pucks[index].puck].append(record)
    return {puck: seen for puck, seen in out.items() if len(seen) >= AWAY_FRAMES}


def beside_its_place(puck: TrackedPuck, view: TopView, palette: Palette, records: Iterable[Record]) -> bool:
    """True where in some frames a puck's paint showed beside its place, and not all over it: it may have been away, or
    a hand looks like it. records: of the frames between two moments of rest in which its place looked otherwise
    """
    team, middle = palette.names.index(puck.team), view.px_from_mm(np.array([puck.place]))
    place, beside = (np.rint(middle + part).astype(np.int64) for part in _around(view))
    frames = 0
    for record in records:
        _, there = _seen(record, place)
        covered = len(place) - len(there)  # what lies outside of what changed shows the puck still
        if covered + int((_off(palette, there, team) < PAINT).sum()) >= PLACE_SHARE * len(place):
            continue
        px, now = _seen(record, beside)
        come = px[_off(palette, now, team) < PAINT]
        if len(come) < BESIDE_SHARE * len(place):
            continue
        before = _off(palette, record.base[come[:, 1], come[:, 0]], team)
        frames += int((before > OTHER_PAINT).sum()) >= BESIDE_SHARE * len(place)
        if frames >= AWAY_FRAMES:
            return True
    return False


def ran_and_came_back(episode: Episode, puck: str) -> bool:
    """True where an episode is a shot of a puck and of nothing else, which was seen whole and clear of any hand away
    from its place, and faster there than hands slide one."""
    shot, watch = episode.shot, episode.watch
    if shot is None or watch is None or [m.puck for m in shot.motions] != [puck] or shot.motions[0].end is None:
        return False
    motion, radius = shot.motions[0], watch.scene.board.puck.radius_mm
    away = list[tuple[float, tuple[float, float]]]()
    for frame, time_s in enumerate(watch.times):
        at = motion.at(time_s)
        if motion.onset_s < time_s < motion.rest_s and _seen_whole(watch, frame, motion.team, at):
            away.append((time_s, at))
    far = [at for _, at in away if math.dist(at, motion.start) > OUT_RADII * radius]
    runs = any(math.dist(a, b) > RUN_MM_S * (t - s) for (s, a), (t, b) in pairwise(away))
    return len(far) >= AWAY_FRAMES and runs


def _seen_whole(watch: Watch, frame: int, team: str, place: tuple[float, float]) -> bool:
    """True where a whole puck of a team is seen at a place, mm, in a frame, and no hand touches it."""
    radius = watch.scene.board.puck.radius_mm
    whole = any(s.team == team and s.clean(radius) and math.dist(s.place, place) < SEEN_MM
                for s in watch.streaks[frame])  # fmt: skip
    return whole and watch.hand_distance_mm(frame, *place) > FREE_GAP_MM


def _around(view: TopView) -> tuple[FloatArray, FloatArray]:
    """(N, 2) points of a puck's place around its middle, and (M, 2) of what lies beside it, in pixels."""
    radius = view.radius_px
    half, step = LOOK_RADII * radius, max(STEP_RADII * radius, 1.0)
    line = np.arange(-half, half + step / 2, step)
    around = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    inside = np.hypot(around[:, 0], around[:, 1]) <= radius
    return around[inside], around[~inside]


def _seen(record: Record, px: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Which of some pixels (N, 2) of the top view a record shows -> these (M, 2), and their colours (M, 3)."""
    at = px - record.corner
    kept = ((at >= 0) & (at < record.size)).all(axis=1)
    if not kept.any():
        return px[kept], np.zeros((0, 3), np.uint8)
    (x0, y0), (x1, y1) = at[kept].min(axis=0).tolist(), (at[kept].max(axis=0) + 1).tolist()
    part = record.cut(x0, y0, x1, y1)
    return px[kept], part[at[kept][:, 1] - y0, at[kept][:, 0] - x0]


def _off(palette: Palette, colours: NDArray[np.uint8], team: int) -> FloatArray:
    """(N,) how far colours (N, 3) are from a team's paint."""
    return palette.distances(np.asarray(colours, dtype=np.float64))[:, team]
