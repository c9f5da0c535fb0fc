"""Pucks that left their places just as another one that ran came to touch them: a blow, whatever is beside them."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from vision.eased import snapped
from vision.moved_freely import RUNS_MM_S
from vision.paths import Path
from vision.short_flicks import RUN_MM_S
from vision.vanishing import AHEAD_MM, SLIDE_MAX_MM
from vision.watch import Watch

FloatArray = NDArray[np.float64]

SEEN_FRAMES, SEEN_MM = 3, 12.0  # a puck is seen so often after it was struck, and as far off by then
SOON_FRAMES = 2  # each time no later than this after it lay still or was seen before, as no puck's way is known that is
# not seen for longer; where that is seldom, it must be faster than hands slide one
HAND_MM_S = 1000.0  # a hand comes no faster to push one on
REACH_MM = 6.0  # what struck it came so near to touching it
STEPS = 24  # places on each frame's way of the one that ran
OFF_COS = 0.5  # and drove it off within 60 degrees
BESIDE_MM, STIRRED_MM = 15.0, 1.5  # one that lay so near and was shifted by more may have struck it …
DRIVEN = 0.35  # … if so much of the ground turned over in a moment in which a finger turns over a fifth, seldom a third


def driven_off(path: Path, watch: Watch) -> bool:
    """True where a puck went away from another one beside it that has hardly moved, sooner than a finger slides one: a
    flick that struck it at once, and a wall or the blow itself stopped it."""
    if path.end is None or math.dist(path.start, path.end) >= SLIDE_MAX_MM:
        return False
    diameter_mm = watch.scene.board.puck.diameter_mm
    way = np.subtract(path.end, path.start)
    for nudge in watch.scene.nudges:
        apart = np.subtract(path.start, nudge.start)
        far = float(np.hypot(*apart))
        off = float(apart @ way) > OFF_COS * far * float(np.hypot(*way))
        if off and far < diameter_mm + BESIDE_MM and math.dist(nudge.start, nudge.end) > STIRRED_MM:
            return snapped(path, watch, DRIVEN)
    return False


def struck_by(path: Path, runner: Path, watch: Watch) -> bool:
    """True where a puck was seen whole on its way from the moment on in which one that ran came to touch it, and away
    from that one, while no hand can have pushed it."""
    left, seen = path.last_seen_at_rest, path.points[:SEEN_FRAMES]
    if left < 0 or len(seen) < SEEN_FRAMES or any(p.frame > left + SOON_FRAMES * n for n, p in enumerate(seen, 1)):
        return False
    seldom = seen[-1].frame > left + SOON_FRAMES + SEEN_FRAMES - 1
    if seldom and math.dist(path.start, seen[-1].place) < RUN_MM_S * (watch.times[seen[-1].frame] - watch.times[left]):
        return False
    radius = watch.scene.board.puck.radius_mm
    whole = all(p.streak is not None and p.streak.clean(radius) for p in seen)
    if not whole or any(watch.covered(k, *path.start) for k in (left, seen[0].frame)):
        return False
    came_mm = HAND_MM_S * (watch.times[seen[0].frame] - watch.times[left])
    pushes = watch.hand_distance_mm(seen[0].frame, *seen[0].place) <= AHEAD_MM  # or it is no hand, but a shadow
    if pushes and watch.hand_distance_mm(left, *path.start) <= AHEAD_MM + came_mm:
        return False
    way = np.subtract(seen[-1].place, path.start)
    at = _touching(path, runner, watch)
    if at is None or float(np.hypot(*way)) < SEEN_MM:
        return False
    blow = np.subtract(path.start, at)
    return float(way @ blow) > OFF_COS * float(np.hypot(*way) * np.hypot(*blow))


def _touching(path: Path, runner: Path, watch: Watch) -> tuple[float, float] | None:
    """Where a puck that ran came to touch another one's place about when that left it, or would have, had it run on
    for a frame. None: it did not."""
    if runner.left is None:
        return None
    left, first, diameter = path.last_seen_at_rest, path.points[0].frame, watch.scene.board.puck.diameter_mm
    places = [(max(runner.left, 0), runner.start), *((p.frame, p.place) for p in runner.points)]
    way = list[FloatArray]()
    for (fa, a), (fb, b) in itertools.pairwise(places):
        took_s = watch.times[fb] - watch.times[fa]
        if fb - fa > SOON_FRAMES or fb < left - 1 or fa > first or math.dist(a, b) < RUNS_MM_S * took_s:
            continue
        on = 1.0 + 1.0 / max(fb - fa, 1)
        way.append(np.add(a, np.outer(np.linspace(0.0, on, STEPS), np.subtract(b, a))))
    if not way:
        return None
    steps = np.concatenate(way)
    apart = np.hypot(*(steps - path.start).T)
    if float(apart.min()) > diameter + REACH_MM:
        return None
    near = int(np.argmax(apart <= max(diameter, float(apart.min()))))
    return float(steps[near, 0]), float(steps[near, 1])
