"""A path made continuous in time: straight runs under friction, with corners where a puck was hit or bounced."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.paths import Path, PathPoint

FloatArray = NDArray[np.float64]
_Place = tuple[float, float]  # mm

FRICTION_MM_S2 = 3000.0  # deceleration of a sliding puck; 2500 to 3500 on boards measured
CORNER_GAPS = 1.5  # to the corner and back may take this many times as long as it did
LEAVING_MM = 2.0  # nearer than this to its place a puck still lies there …
STAYS_MM = 1.0  # … and so does one that is seen further off, but within this of where it was seen a frame before: in a
# dim room noise alone moves it by 0.3 mm an axis from its place, and one that leaves goes LEAVING_MM and more
FASTEST_MM_S = 3000.0  # a puck that was struck runs off no faster
FASTER, FASTER_MM_S = 1.3, 100.0  # nothing that slides on gets faster, and errors of places make up no more than this
BESIDE_SHARE = 0.4  # what is seen so far on its way to where it lies beside its place has come to lie there
SLOWED_S = 0.003  # by so much longer than its way can take at the speed seen after, or half a millimetre: it was slowed
LAST_WAY_MM = 5.0  # of a run, which tell its last direction
NUDGE_KNOTS, NUDGE_LEAST_S = 8, 0.002  # of a shift: moments at which its place is reckoned, and how long it takes
STOP_MM = 0.8  # a puck that moved less than this in a frame has stopped
OUT_COS, OUT_SHARE = 0.93, 0.75  # a place on the way out lies in the direction of the next, and no further on than this
DIRECTION_MM = 1.5  # what is nearer to where it lay tells not in which direction a puck left
SEEN_NEXT_FRAMES = 2.5  # a second place that is seen no later tells how fast a puck was at the first …
RUNS_MM_S, STRAIGHT_SHARE = 30.0, 0.9  # … if it runs so fast, and has come so much of its way straight from its place
RUN_LEAST_MM, TURNED_SIN = 2.0, 0.12  # runs of less, or that turn by less than 7 degrees, cross nowhere that is known
CORNER_TIMES, CORNER_MM = 1.3, 3.0  # so many times as far as a puck comes in that time, and this, a corner lies on
CORNER_INSIDE = (0.02, 0.98)  # and between two frames, in shares of the time between them


@dataclass(frozen=True, slots=True)
class Motion:
    """A puck's motion in time.

    times_s: (K,) knots, rising; places_mm: (K, 2); onset_s, rest_s: when it began to move and came to rest (or was
    last seen, where it is gone); direction: (2,) unit vector in which it left its place; slack_s: by how much it may
    have begun to move later than onset_s, where it was turned aside or slowed before it was seen twice; speed_mm_s:
    with which it left, 0 where nothing of its way is known.
    """

    puck: str
    team: str
    start: tuple[float, float]
    end: tuple[float, float] | None
    times_s: FloatArray
    places_mm: FloatArray
    onset_s: float
    rest_s: float
    direction: tuple[float, float]
    speed_mm_s: float
    slack_s: float = 0.0
    _knots: tuple[list[float], list[list[float]]] = field(init=False, repr=False, compare=False)  # asked for at a time

    def __post_init__(self) -> None:
        object.__setattr__(self, "_knots", (self.times_s.tolist(), self.places_mm.tolist()))

    def at(self, time_s: float) -> tuple[float, float]:
        """Where the puck was, between knots on a straight line."""
        times, places = self._knots
        k = bisect_right(times, time_s)
        if k in (0, len(times)):
            x, y = places[min(k, len(times) - 1)]
            return x, y
        (ax, ay), (bx, by), since = places[k - 1], places[k], float(time_s) - times[k - 1]
        dt = times[k] - times[k - 1]
        return (bx - ax) / dt * since + ax, (by - ay) / dt * since + ay

    def velocity_before(self, time_s: float) -> tuple[float, float]:
        """mm/s on the run that ends at or holds this time."""
        return self._slope(self._run(time_s))

    def run_s(self, time_s: float) -> float:
        """How long that run takes from knot to knot, seconds."""
        k = self._run(time_s)
        return float(self.times_s[k] - self.times_s[k - 1])

    def _run(self, time_s: float) -> int:
        """The number of the knot at which the run ends that ends at or holds a time."""
        return int(np.clip(np.searchsorted(self.times_s, time_s, side="left"), 1, len(self.times_s) - 1))

    def last_direction(self) -> tuple[float, float] | None:
        """(2,) unit vector of the last millimetres that it ran; None where it did not go so far."""
        ways = self.places_mm[-1] - self.places_mm
        lengths = np.hypot(ways[:, 0], ways[:, 1])
        far = np.flatnonzero(lengths >= LAST_WAY_MM)
        if len(far) == 0:
            return None
        x, y = ways[far[-1]] / lengths[far[-1]]
        return float(x), float(y)

    def _slope(self, k: int) -> tuple[float, float]:
        dt = max(float(self.times_s[k] - self.times_s[k - 1]), 1e-4)
        dx, dy = self.places_mm[k] - self.places_mm[k - 1]
        return float(dx / dt), float(dy / dt)


@dataclass(frozen=True, slots=True)
class Nudge:
    """A puck that lies a few millimetres from where it lay, whose motion was too short to be followed."""

    puck: str
    start: tuple[float, float]
    end: tuple[float, float]
    team: str = ""


def nudge_motion(nudge: Nudge, struck_s: float) -> Motion:
    """The motion of a puck that was struck and only shifted a little: friction alone stops it. struck_s: when it was"""
    (ax, ay), (bx, by) = nudge.start, nudge.end
    way = math.dist(nudge.start, nudge.end)
    speed = math.sqrt(2 * FRICTION_MM_S2 * way)
    rest_s = struck_s + max(speed / FRICTION_MM_S2, NUDGE_LEAST_S)
    times = np.linspace(struck_s, rest_s, NUDGE_KNOTS)
    gone = 1.0 - (1.0 - np.linspace(0.0, 1.0, NUDGE_KNOTS)) ** 2
    places = np.column_stack([ax + (bx - ax) * gone, ay + (by - ay) * gone])
    unit = ((bx - ax) / max(way, 1e-9), (by - ay) / max(way, 1e-9))
    return Motion(nudge.puck, nudge.team, nudge.start, nudge.end, times, places, struck_s, rest_s, unit, speed)


def make_motion(path: Path, times: Sequence[float], frame_s: float) -> Motion | None:
    """Fits the onset, the corners and the rest of a linked path. None for a puck that was never seen to move."""
    left = path.left if path.left is not None else -1
    points = [p for p in path.points if p.frame > left]
    if not points and path.end is None:
        return None
    t_left, seen_t, seen, beside = _seen_since(path, left, points, times)
    while len(seen) > 1 and path.end is not None and math.dist(seen[-1], seen[-2]) < STOP_MM:
        seen_t.pop()
        seen.pop()
    if not seen:
        assert path.end is not None
        t_left = max(t_left, times[max(path.last_seen_at_rest, 0)])
        seen_t, seen = [t_left + frame_s], [path.end]
    onset, speed, slack = _onset(path.start, t_left, seen_t, seen, frame_s, beside)
    rest = _rest(path.end, seen_t, seen)
    knots_t, knots = _knots(path, onset, rest, seen_t, seen)
    if len(knots) < 2:
        knots_t.append(onset + frame_s)
        knots.append(path.end or seen[-1])
    direction = _direction(path.start, seen, path.end)
    return Motion(path.puck, path.team, path.start, path.end, np.array(knots_t), np.array(knots, dtype=np.float64),
                  onset, max(rest, onset), direction, speed, slack)  # fmt: skip


def _seen_since(path: Path, left: int, points: Sequence[PathPoint],
                times: Sequence[float]) -> tuple[float, list[float], list[_Place], bool]:  # fmt: skip
    """When a puck still lay in its place, in seconds; when and where it was seen after that; and whether it was seen
    first where it lies, beside its place. points: after the frame `left`"""
    seen_t, seen = [times[p.frame] for p in points], [p.place for p in points]
    if seen:
        for k in range(len(path.near) - 1, -1, -1):  # a slow puck is still near its place in its first frames
            point = path.near[k]
            if point.frame != left or not _leaving(path.start, point.place, seen[0]) or _stays(path.near[: k + 1]):
                break
            seen_t, seen = [times[point.frame], *seen_t], [point.place, *seen]
            left -= 1
    elif path.end is not None:
        far = math.dist(path.start, path.end)
        first = next((p for p in path.near if math.dist(p.place, path.start) > BESIDE_SHARE * far
                      and math.dist(p.place, path.end) < far), None)  # fmt: skip
        if first is not None:
            return times[max(first.frame - 1, 0)], [times[first.frame]], [first.place], True
    return times[max(left, 0)], seen_t, seen, False


def _knots(path: Path, onset_s: float, rest_s: float, seen_t: Sequence[float],
           seen: Sequence[_Place]) -> tuple[list[float], list[_Place]]:  # fmt: skip
    """Where a puck was and when, between which it ran straight on: its place, where it was seen, corners between."""
    knots_t, knots = [onset_s], [path.start]
    for k, (t, p) in enumerate(zip(seen_t, seen, strict=True)):
        if t <= onset_s + 1e-4:
            continue
        corner = _corner(knots_t, knots, list(seen_t[k:]), list(seen[k:]))
        if corner is not None:
            knots_t.append(corner[0])
            knots.append(corner[1])
        knots_t.append(t)
        knots.append(p)
    if path.end is not None and rest_s > knots_t[-1] + 1e-3:
        knots_t.append(rest_s)
        knots.append(path.end)
    return knots_t, knots


def unseen_motion(path: Path, left_s: float, frame_s: float) -> Motion:
    """The motion of a puck of which nothing is known but that it left its place. left_s: when it still lay there."""
    places = np.array([path.start, path.start], dtype=np.float64)
    times = np.array([left_s, left_s + frame_s])
    return Motion(path.puck, path.team, path.start, None, times, places, left_s, left_s + frame_s, (0.0, 0.0), 0.0, 0.0)


def _leaving(start: tuple[float, float], place: tuple[float, float], following: tuple[float, float]) -> bool:
    """True where a place close to a puck's own lies on its way out, and is not shifted by a finger over it."""
    way, whole = math.dist(start, place), math.dist(start, following)
    if way < LEAVING_MM or whole < 1e-6:
        return False
    (ax, ay), (bx, by) = (place[0] - start[0], place[1] - start[1]), (following[0] - start[0], following[1] - start[1])
    along = (ax * bx + ay * by) / whole
    return along > OUT_COS * way and way <= max(OUT_SHARE * whole, whole - LEAVING_MM)


def _stays(near: Sequence[PathPoint]) -> bool:
    """True where the last of these places is where the puck was seen in the frame before: in dim light its side and its
    shadow draw the middle of what is seen off its place."""
    if len(near) < 2 or near[-2].frame != near[-1].frame - 1:
        return False
    return math.dist(near[-2].place, near[-1].place) < STAYS_MM


def _direction(start: tuple[float, float], seen: list[tuple[float, float]],
               end: tuple[float, float] | None) -> tuple[float, float]:  # fmt: skip
    """(2,) unit vector in which a puck left its place; (0, 0) where that is not known."""
    for p in [*seen, *([end] if end else [])]:
        d = math.dist(start, p)
        if d > DIRECTION_MM:
            return ((p[0] - start[0]) / d, (p[1] - start[1]) / d)
    if end is not None and (d := math.dist(start, end)) > 1e-6:
        return ((end[0] - start[0]) / d, (end[1] - start[1]) / d)
    return (0.0, 0.0)


def _onset(start: tuple[float, float], t_left: float, seen_t: list[float], seen: list[tuple[float, float]],
           frame_s: float, beside: bool = False) -> tuple[float, float, float]:  # fmt: skip
    """When a puck left its place, how fast, and how much later it may have been. -> seconds, mm/s, seconds

    beside: the first place is where it lies, to where something may have thrown it back in no time.
    """
    d1 = math.dist(start, seen[0])
    if len(seen) > 1 and seen_t[1] - seen_t[0] < SEEN_NEXT_FRAMES * frame_s:
        dt = seen_t[1] - seen_t[0]
        step = math.dist(seen[0], seen[1])
        friction = min(FRICTION_MM_S2, step / dt / (seen_t[-1] - seen_t[0]))  # it ran on for so long
        speed = step / dt + friction * dt / 2  # at the first place
        straight = math.dist(start, seen[1]) > STRAIGHT_SHARE * (d1 + step) and not _faster_then(seen_t, seen)
        if speed > RUNS_MM_S and straight:
            # d1 = speed * tau + friction / 2 * tau^2, backwards in time
            tau = (-speed + math.sqrt(speed**2 + 2 * friction * d1)) / friction
            earliest = t_left - frame_s / 2
            onset = float(np.clip(seen_t[0] - tau, earliest, seen_t[0]))
            too_slow_s = tau - (seen_t[0] - earliest)  # else it was faster, until it struck something itself
            slowed = float(np.clip(too_slow_s / SLOWED_S, 0.0, 1.0))
            slack = slowed * max(seen_t[0] - d1 / FASTEST_MM_S - onset, 0.0)
            return onset, speed + friction * (seen_t[0] - onset), slack
    speed = math.sqrt(2 * FRICTION_MM_S2 * max(d1, 1e-3))
    tau = min(d1 / max(speed, 1.0), max(seen_t[0] - t_left, 0.0) + frame_s / 2)
    latest = d1 / FASTEST_MM_S if len(seen) > 1 or beside else tau
    return seen_t[0] - tau, d1 / max(tau, 1e-3), max(tau - latest, 0.0)


def _faster_then(seen_t: list[float], seen: list[tuple[float, float]]) -> bool:
    """True where a puck is faster after the first two places than between them: it was turned back on the way."""
    if len(seen) < 3:
        return False
    first, then = (math.dist(seen[k], seen[k + 1]) / (seen_t[k + 1] - seen_t[k]) for k in (0, 1))
    return then > FASTER * first and then > first + FASTER_MM_S


def _rest(end: tuple[float, float] | None, seen_t: list[float], seen: list[tuple[float, float]]) -> float:
    """When a puck came to rest: friction stops it over the way that was left at the last moving place."""
    if end is None:
        return seen_t[-1]
    last = seen[-1]
    for t, p in zip(reversed(seen_t), reversed(seen), strict=True):
        d = math.dist(p, last)
        if d > STOP_MM:
            return t + math.sqrt(2 * d / FRICTION_MM_S2)
    return seen_t[0]


def _corner(knots_t: list[float], knots: list[tuple[float, float]], next_t: list[float],
            nexts: list[tuple[float, float]]) -> tuple[float, tuple[float, float]] | None:  # fmt: skip
    """Where the run so far and the run that follows cross, if the puck turned between two frames."""
    if len(knots) < 2 or len(nexts) < 2:
        return None
    (ax, ay), (bx, by) = knots[-2], knots[-1]
    (cx, cy), (dx, dy) = nexts[0], nexts[1]
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    nu, nv = math.hypot(ux, uy), math.hypot(vx, vy)
    if min(nu, nv) < RUN_LEAST_MM:
        return None
    cross = (ux * vy - uy * vx) / (nu * nv)
    if abs(cross) < TURNED_SIN:
        return None
    wx, wy = cx - bx, cy - by
    s = (wx * vy - wy * vx) / (ux * vy - uy * vx)
    r = (wx * uy - wy * ux) / (ux * vy - uy * vx)
    dt_u = knots_t[-1] - knots_t[-2]
    gap = next_t[0] - knots_t[-1]
    if s < 0 or r > 0 or s * nu > nu / max(dt_u, 1e-4) * gap * CORNER_TIMES + CORNER_MM:
        return None
    way = s * nu - r * nv
    dt_v = next_t[1] - next_t[0]
    back_s = -r * nv / (nv / max(dt_v, 1e-4) + FRICTION_MM_S2 * dt_v)  # it was quicker when it came off the corner
    if way < 1e-6 or s * dt_u + back_s > CORNER_GAPS * gap:
        return None
    corner_t = knots_t[-1] + gap * float(np.clip(s * dt_u / max(gap, 1e-6), *CORNER_INSIDE))
    return corner_t, (bx + s * ux, by + s * uy)
