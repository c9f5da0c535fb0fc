"""Flicks of less than a puck's own size: a finger hides half of the puck all the while, and only a step is seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.paths import Path

LEAST_MM, MOST_MM = 4.0, 14.0  # a flick so short leaves the puck near its place
STIRRED_MM = 8.0  # one that went no further was flicked or stirred, as hands slide further, and its way is not seen
STEP_S = 0.11  # from where it lay to where it lies takes such a flick no longer …
STILL_FRAMES = 3  # … and in all frames before, and so many after …
STEADY_MM = 1.2  # … it is seen within so much, for where it crept before, the step is the finger's that lets go of it …
SPAN_S = 0.6  # … all of it in this time …
STEP_SHARE = 0.55  # … with so much of its way in between


def jumped(path: Path, times_s: Sequence[float]) -> bool:
    """True where a puck that stayed near its place lay still, moved in a moment, and lay still again.

    A hand that slides a puck takes half a second. Fingers beside it shift what is seen of it by some millimetres, so
    that only the step itself is held against the way that the puck went in the end. times_s: of the frames, seconds.
    """
    if path.end is None or path.points or not LEAST_MM < math.dist(path.start, path.end) < MOST_MM:
        return False
    way = np.subtract(path.end, path.start)
    far = float(np.hypot(*way))
    along = [(times_s[p.frame], float(np.subtract(p.place, path.start) @ way) / far) for p in path.near]
    return any(_steps_at(along, k, STEP_SHARE * far) for k in range(STILL_FRAMES, len(along)))


def stirred(path: Path) -> bool:
    """True where a puck went so little that nobody can tell a flick from the hand that stirred it."""
    return path.end is not None and math.dist(path.start, path.end) <= STIRRED_MM


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
