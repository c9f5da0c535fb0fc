"""Short flicks beside or under a finger, of which only a step or a part of the way is seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.paths import Path
from vision.streaks import Streak
from vision.watch import Watch

LEAST_MM, MOST_MM = 4.0, 20.0  # a flick so short leaves the puck near its place
FELT_MM = 3.0  # one that went less, and that no hand came near, crept to where it stops, or its place is told anew …
RENEWED_DIAMETERS = 0.25  # … as it is by this part of its size, where a coder shows it off its place for a while
ROLLED_ON_MM, ROLLED_ON_COS = 5.0, 0.7  # nor one that had just run, and went so little on in the same direction …
ROLLED_ON_DIAMETERS = 0.18  # … or this part of its size, as balls of a large table roll on
SHIFTED_MM, SHIFTED_COS = 1.0, 0.5  # but one towards which, within 60 degrees, another one went by more than this …
BESIDE_MM = 4.0  # … that lay no further from touching it was struck
STIRRED_MM = 8.0  # one that went no further was flicked or stirred, as hands slide further, and its way is not seen
STEP_S = 0.11  # from where it lay to where it lies takes such a flick no longer …
STILL_FRAMES = 3  # … and in all frames before, and so many after …
STEADY_MM = 1.2  # … it is seen within so much, for where it crept before, the step is the finger's that lets go of it …
SPAN_S = 0.6  # … all of it in this time …
STEP_SHARE = 0.55  # … with so much of its way in between
RUN_MM_S, STEP_MM_S = 200.0, 150.0  # hands slide a puck at less than this, and in each frame at less than that …
RUN_MM, RUN_STEPS = 12.0, 2  # … and do not take it so far at more, in so many frames or more one after the other …
RUN_OFF_MM = 4.0  # … straight on …
RUN_BESIDE_MM = 12.0  # … beside the straight line from where it lay to where it lies …
RUN_PAST_MM = 6.0  # … and not beyond these
RUN_BACK_MM, RUN_BACK_FRAMES = 5.0, 3  # … nor is it back by so much just before or soon after …
ROUND = 0.75  # radii: what is spread by more than this along itself, standard deviation, is no puck that lies still
RUN_MASS = (0.35, 1.9)  # puck areas that are seen of it, in part hidden or with a shadow


class _Seen(NamedTuple):
    """A patch of a puck's paint: where along a way, how far beside it, whether the puck's outline was found, and
    whether it is one puck's and no more."""

    along_mm: float
    aside_mm: float
    outlined: bool
    whole: bool


class _Run(NamedTuple):
    """Steps one after the other since a frame, from where along a way to where, how far beside it, and whether the
    puck's outline was found in each."""

    since: int
    from_mm: float
    along_mm: float
    aside_mm: float
    outlined: bool


def jumped(path: Path, times_s: Sequence[float], lay: Callable[[int], bool] = lambda frame: False) -> bool:
    """True where a puck that stayed near its place lay still, moved in a moment, and lay still again.

    A hand that slides a puck takes half a second. Fingers beside it shift what is seen of it by some millimetres, so
    that only the step itself is held against the way that the puck went in the end. times_s: of the frames, seconds;
    lay: whether its place showed it in a frame just as it lay, told from what is beside it or not.
    """
    if path.end is None or not LEAST_MM < math.dist(path.start, path.end) < MOST_MM:
        return False
    if any(math.dist(p.place, path.start) > MOST_MM + STEADY_MM for p in path.points):
        return False
    way = np.subtract(path.end, path.start)
    far = float(np.hypot(*way))
    seen = {p.frame: float(np.subtract(p.place, path.start) @ way) / far for p in (*path.near, *path.points)}
    if not seen:
        return False
    along, known = list[tuple[float, float]](), seen[min(seen)]
    for frame in (k for k in range(max(seen) + 1) if k in seen or lay(k)):
        known = seen.get(frame, known)  # where it was not told from a finger, it was where it was a frame before
        along.append((times_s[frame], known))
    return any(_steps_at(along, k, STEP_SHARE * far) for k in range(STILL_FRAMES, len(along)))


def stirred(path: Path) -> bool:
    """True where a puck went so little that nobody can tell a flick from the hand that stirred it."""
    return path.end is not None and math.dist(path.start, path.end) <= STIRRED_MM


def crept(path: Path, watch: Watch) -> bool:
    """True where a puck lies hardly elsewhere than before, and no hand came near it meanwhile, or it had just run there
    and seemed to rest: on a smooth table the last millimetres take a second. A picture that its coder puts right bit by
    bit shows a puck further off until then. One towards which a puck beside it was shifted under a hand was struck."""
    ran = watch.scene.ran.get(path.puck)
    if ran is not None and path.end is not None:
        on, far = np.subtract(path.end, path.start), math.dist(path.start, path.end)
        most = max(ROLLED_ON_MM, ROLLED_ON_DIAMETERS * watch.scene.board.puck.diameter_mm)
        if far < most and float(on @ np.array(ran)) > ROLLED_ON_COS * far:
            return True
    least = max(FELT_MM, RENEWED_DIAMETERS * watch.scene.board.puck.diameter_mm) if watch.scene.renewed else FELT_MM
    near = path.end is not None and math.dist(path.start, path.end) < least and not watch.reached(path.start)
    return near and not _struck_from_beside(path, watch)


def _struck_from_beside(path: Path, watch: Watch) -> bool:
    """True where a puck that a hand came near was shifted towards another one right beside it."""
    for nudge in watch.scene.nudges:
        way, apart = np.subtract(nudge.end, nudge.start), np.subtract(path.start, nudge.start)
        went, far = float(np.hypot(*way)), float(np.hypot(*apart))
        beside = far < watch.scene.board.puck.diameter_mm + BESIDE_MM
        towards = went > SHIFTED_MM and float(way @ apart) > SHIFTED_COS * went * far
        if beside and towards and watch.reached(nudge.start):
            return True
    return False


def ran(path: Path, streaks: Sequence[Sequence[Streak]], times_s: Sequence[float], radius_mm: float) -> bool:
    """True where something of a puck's paint ran part of its way, frame after frame faster than a hand slides it.

    streaks: of each frame.
    """
    if path.end is None:
        return False
    way = np.subtract(path.end, path.start)
    far = float(np.hypot(*way))
    if far < RUN_MM:
        return False
    seen = [[at for s in patches if s.team == path.team and (at := _beside(s, path.start, way, radius_mm)) is not None]
            for patches in streaks]  # fmt: skip
    runs: set[_Run] = set()  # wherever runs meet, only what began elsewhere is another run
    for frame in range(1, len(times_s)):
        least_mm, before = STEP_MM_S * (times_s[frame] - times_s[frame - 1]), runs
        runs = set()
        for along, off, outlined, _ in seen[frame]:
            runs.add(_Run(frame, along, along, off, outlined))
            runs |= {
                run._replace(along_mm=along, aside_mm=off, outlined=outlined and run.outlined) for run in before
                if along - run.along_mm > least_mm and abs(off - run.aside_mm) < RUN_OFF_MM
            }  # fmt: skip
        if any(_fast(run, frame, times_s) and not _leapt_back(run, frame, seen) for run in runs):
            return True
    return False


def _beside(
    streak: Streak, start: tuple[float, float], way: NDArray[np.float64], radius_mm: float
) -> _Seen | None:
    """Where along the way of a puck a streak lies. None: it is not of the puck."""
    far = float(np.hypot(*way))
    dx, dy = np.subtract(streak.place, start)
    along, off = float(dx * way[0] + dy * way[1]) / far, float(dx * way[1] - dy * way[0]) / far
    there = -RUN_PAST_MM < along < far + RUN_PAST_MM and abs(off) < RUN_BESIDE_MM
    if not there or not RUN_MASS[0] <= streak.mass <= RUN_MASS[1]:
        return None
    whole = streak.outlined or (streak.clean(radius_mm) and streak.along_mm < ROUND * radius_mm)
    return _Seen(along, off, streak.outlined, whole)


def _leapt_back(run: _Run, frame: int, seen: Sequence[Sequence[_Seen]]) -> bool:
    """True where all that is seen is further on just before a run that came until a frame, or further back after it.

    An outlined puck is held against whole pucks only: one that touches a finger of its colour makes one patch with it.
    """
    before, after = (
        [[at.along_mm for at in there if at.whole or not run.outlined] for there in part]
        for part in (seen[run.since - 1 : run.since], seen[frame + 1 : frame + 1 + RUN_BACK_FRAMES])
    )
    return any(min(there) > run.from_mm + RUN_BACK_MM for there in before if there) or any(
        max(there) < run.along_mm - RUN_BACK_MM for there in after if there
    )


def _fast(run: _Run, frame: int, times_s: Sequence[float]) -> bool:
    """True where a run has come further until a frame than a hand slides a puck."""
    least_mm = max(RUN_MM, RUN_MM_S * (times_s[frame] - times_s[run.since]))
    return frame - run.since >= RUN_STEPS and run.along_mm - run.from_mm >= least_mm


def _steps_at(along: Sequence[tuple[float, float]], k: int, least_mm: float) -> bool:
    """True where the k-th place is the first of a step. along: (time, mm along the way) of each place."""
    before = along[k - STILL_FRAMES : k]
    landed = max((i for i in range(k, len(along)) if along[i][0] - before[-1][0] <= STEP_S), default=len(along))
    after = along[landed : landed + STILL_FRAMES]
    if len(after) < STILL_FRAMES or after[-1][0] - before[0][0] > SPAN_S:
        return False
    here, there = [mm for _, mm in along[:k]], [mm for _, mm in after]
    steady = all(max(part) - min(part) < STEADY_MM for part in (here, there))
    return steady and min(there) - max(here) > least_mm
