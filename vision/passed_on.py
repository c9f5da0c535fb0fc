"""Blows that are passed on at once, through pucks that lie right before each other.

Of two of the same weight the one that is struck takes the whole run on, as balls in a row do, and the one that was
flicked stays about where it lay. A finger that flicks a puck is behind it, so where another puck lay right behind one
that ran off, that other one was between.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.motion import FRICTION_MM_S2, Motion, Nudge, nudge_motion

FloatArray = NDArray[np.float64]

BEHIND_COS = 0.966  # of the angle between a puck's way and the line from the one behind it, off which rims rub it
PLACES_MM = 1.0  # by which the gap between two may seem wider than it is
KEEPS = 0.065  # of the other's speed a puck keeps that struck it, at the least: more where the two are less elastic …
UNSEEN_MM = 0.5  # … and a puck that lies so far from where it lay seems to lie there still
REACH_MM = 5.0  # no finger fits into a gap like this
CAME_MM, CAME_COS = 0.8, 0.5  # so far a puck was shifted, and so straight, that came towards another
AHEAD_MM, AT_ONCE_S = 12.0, 0.034  # so near before a puck another one is struck before anybody sees how it was sent
SOONER_S = 0.001  # a blow is passed on so soon
HIDDEN_S = 0.25  # so long at the most a finger hides that the puck on which it lies has left
SLOWEST_MM_S = 100.0  # a blow crosses the gap at this at the least
LEAST_S = 0.002  # and whoever passed it on comes to rest no sooner


def as_sent(
    motions: Sequence[Motion], resting: Sequence[Nudge], diameter_mm: float
) -> tuple[list[Motion], list[Motion]]:  # fmt: skip
    """Some motions with the directions and speeds with which the pucks were sent, before they passed a part of their
    run on to others right before them; and those of the resting or hardly moved ones that stood right behind one that
    was sent so, or behind such a one in turn, as the motions that they would have made.

    What stood right behind another began to move before it did: a finger that lies on a puck hides for a while that it
    has left.
    """
    moved, stopped = _sent(motions, resting, diameter_mm), list[Motion]()
    while True:
        known = {m.puck for m in (*motions, *stopped)}
        more = [_motion(n, before, diameter_mm) for n in resting if n.puck not in known
                and (before := _first_before(n, moved, diameter_mm)) is not None]  # fmt: skip
        if not more:
            break
        stopped += more
        moved = _sent([*motions, *stopped], resting, diameter_mm)
    for _ in moved:  # as many times as the longest row has pucks, at the most
        moved = [_not_later(m, moved, diameter_mm) for m in moved]
    return moved[: len(motions)], moved[len(motions) :]


def in_reach(motions: Sequence[Motion], resting: Sequence[Nudge], diameter_mm: float) -> list[Nudge]:
    """Those of the resting pucks that lie in a row, without a gap that a finger fits into, with one that moved."""
    out, left, reached = list[Nudge](), list(resting), [m.start for m in motions]
    while reached:
        more = [n for n in left if any(math.dist(n.start, at) - diameter_mm <= REACH_MM + PLACES_MM for at in reached)]
        left = [n for n in left if n not in more]
        out, reached = [*out, *more], [n.start for n in more]
    return out


def stands_behind(puck: Motion, other: Motion, diameter_mm: float) -> bool:
    """True where a puck stood where a finger would have to have been that flicked another."""
    if puck.onset_s - other.onset_s > HIDDEN_S:
        return False
    return _behind(puck.start, math.dist(puck.start, puck.places_mm[-1]), other, diameter_mm)


def came_towards(nudge: Nudge, other: Motion, diameter_mm: float) -> bool:
    """True where a puck was shifted towards another one right before it, as nothing does that is struck by that one."""
    line, way = np.subtract(other.start, nudge.start), np.subtract(nudge.end, nudge.start)
    far = float(np.hypot(*way))
    gap = float(np.hypot(*line)) - diameter_mm
    return far >= CAME_MM and gap <= far + PLACES_MM and float(line @ way) > CAME_COS * far * float(np.hypot(*line))


def _sent(motions: Sequence[Motion], resting: Sequence[Nudge], diameter_mm: float) -> list[Motion]:
    """The same with what each had before it passed a part of it on: what all of them have of it comes to that.

    Nobody knows when what was only shifted was struck: it counts where without it nothing stood right behind.
    """
    moved = {m.puck for m in motions}
    shifted = [nudge_motion(n, math.nan) for n in resting if n.puck not in moved and n.start != n.end]
    starts = [*((m.puck, m.start, math.inf) for m in motions),
              *((n.puck, n.start, math.dist(n.start, n.end)) for n in resting if n.puck not in moved)]  # fmt: skip
    runs, more = _runs(motions, diameter_mm), _runs([*motions, *shifted], diameter_mm)
    out = []
    for motion in motions:
        alone, with_all = (_as_run(motion, its[motion.puck]) for its in (runs, more))
        found, then = (any(puck != motion.puck and _behind(start, way, m, diameter_mm) for puck, start, way in starts)
                       for m in (alone, with_all))  # fmt: skip
        out.append(with_all if then and not found else alone)
    return out


def _runs(motions: Sequence[Motion], diameter_mm: float) -> dict[str, FloatArray]:
    """(2,) mm/s what each puck, and those before it to which it passed a part on at once, ran off with."""
    own = {m.puck: np.array(m.direction) * m.speed_mm_s for m in motions}
    whole = np.sum(list(own.values()), axis=0)  # a blow goes on in about the direction in which it came
    passed: dict[str, set[str]] = {}
    for puck in sorted(motions, key=lambda m: -float(np.array(m.start) @ whole)):
        passed[puck.puck] = {puck.puck}
        for other in (m for m in motions if m.puck in passed and m is not puck):
            near = math.dist(puck.start, other.start) - diameter_mm < AHEAD_MM
            if not near or not _at_once(puck, other):
                continue
            run = np.sum([own[p] for p in passed[other.puck]], axis=0)
            if _along(np.subtract(other.start, puck.start), run):
                passed[puck.puck] |= passed[other.puck]
    return {puck: np.sum([own[p] for p in its], axis=0) for puck, its in passed.items()}


def _as_run(motion: Motion, run: FloatArray) -> Motion:
    speed = float(np.hypot(*run))
    unit = (float(run[0]) / speed, float(run[1]) / speed) if speed > 0 else motion.direction
    return replace(motion, direction=unit, speed_mm_s=speed)


def _at_once(puck: Motion, other: Motion) -> bool:
    """True where two pucks may have left one right after the other; of one that was only shifted nobody knows when."""
    if math.isnan(puck.onset_s) or math.isnan(other.onset_s):
        return True
    first, last = sorted((puck, other), key=lambda m: m.onset_s)
    return last.onset_s - first.onset_s - first.slack_s <= AT_ONCE_S


def _first_before(nudge: Nudge, motions: Sequence[Motion], diameter_mm: float) -> Motion | None:
    """Of the pucks right before one the first that ran off."""
    way = math.dist(nudge.start, nudge.end)
    before = [m for m in motions if _behind(nudge.start, way, m, diameter_mm)]
    return min(before, key=lambda m: m.onset_s, default=None)


def _not_later(puck: Motion, motions: Sequence[Motion], diameter_mm: float) -> Motion:
    """A puck's motion, begun early enough to have struck those right before it."""
    before = [m for m in motions if m.puck != puck.puck and stands_behind(puck, m, diameter_mm)]
    least_s = min((_struck_from(puck.start, m, diameter_mm) for m in before), default=puck.onset_s)
    if least_s >= puck.onset_s:
        return puck
    times = puck.times_s.copy()
    times[0] = least_s
    return replace(puck, times_s=times, onset_s=least_s, slack_s=0.0)


def _struck_from(start: tuple[float, float], struck: Motion, diameter_mm: float) -> float:
    """When a puck left its place, at the latest, that struck another right before it. -> seconds"""
    gap = max(math.dist(struck.start, start) - diameter_mm, 0.0)
    return struck.onset_s - SOONER_S - max(gap / max(struck.speed_mm_s, SLOWEST_MM_S), SOONER_S)


def _behind(start: tuple[float, float], way_mm: float, other: Motion, diameter_mm: float) -> bool:
    """True where a puck that went no further than so many mm from its start can have sent another one on its way."""
    if math.dist(start, other.start) - diameter_mm > min(way_mm, REACH_MM) + PLACES_MM:
        return False
    if (KEEPS * other.speed_mm_s) ** 2 / (2 * FRICTION_MM_S2) > way_mm + UNSEEN_MM:
        return False
    return _along(np.subtract(other.start, start), np.array(other.direction))


def _along(line: FloatArray, way: FloatArray) -> bool:
    """True where a way, (2,), leads about along a line, (2,)."""
    return float(line @ way) > BEHIND_COS * float(np.hypot(*line)) * float(np.hypot(*way))


def _motion(nudge: Nudge, before: Motion, diameter_mm: float) -> Motion:
    """How a puck that was flicked ran into the one before it, and on to where it lies."""
    line, apart = np.subtract(before.start, nudge.start), math.dist(before.start, nudge.start)
    gap, went = apart - diameter_mm, float(np.subtract(nudge.end, nudge.start) @ line) / apart
    touch_s, touched = before.onset_s - SOONER_S, nudge.start + line * (max(min(gap, went), 0.0) / apart)
    onset_s = _struck_from(nudge.start, before, diameter_mm)
    on = np.subtract(nudge.end, touched)
    far = float(np.hypot(*on))
    left = math.sqrt(2 * FRICTION_MM_S2 * far)  # mm/s: friction alone stops it
    unit = on / far if far > 0 else line / apart
    rest_s = touch_s + max(left / FRICTION_MM_S2, LEAST_S)
    places = np.array([nudge.start, touched, nudge.end], dtype=np.float64)
    times = np.array([onset_s, touch_s, rest_s])
    return Motion(nudge.puck, nudge.team, nudge.start, nudge.end, times, places, onset_s, rest_s,
                  (float(unit[0]), float(unit[1])), left)  # fmt: skip
