"""Streaks of all frames linked into one path a puck, from where it lay to where it came to rest."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.streaks import Streak

BESIDE_MM = 2.5  # what is seen further than this from a puck that lies just as it lay is in part another one
NEAR_MM = 8.0  # a streak this near to a puck's place is that puck, at rest or just leaving: fingers shift what is seen
USUAL_FPS = 30.0  # frames a second: what is said in mm a frame is said of these
SLOWEST = 3.0  # times as long a frame, ten a second: with fewer nothing is told surely anyway
SPEED_MAX_MM_S = 4500.0  # nobody flicks faster
SLACK_MM = 10.0  # error of a place in a frame, a turn within it included
SMEAR_MM = 35.0  # a shadow beside it makes a streak seem this much longer than its puck's way
FIRST_MM = 15.0  # walls and shadows beside a puck shift its streak by less than this …
MASS_AT_REST = 2.2  # puck areas: a patch that holds more is no puck that lies there, but a hand or its shadow
STILL_MM = 3.0  # … but it stands still from frame to frame …
STILL_S = 0.03  # … however many a second there are: a slow puck creeps by less than that in a sixtieth
BACK_POINTS = 2  # one that was seen elsewhere no more often than this, and lies where it lay, was never there
BACKWARD_COST = 0.4  # of the way back, for a puck that turns round before it was seen twice
SUDDEN_COST = 0.15  # of the way that a puck seems to be faster than when it left, if it goes straight on
STRAIGHT_MM, STRAIGHT_SHARE = 3.0, 0.1  # as far aside, and such a share of its way, a puck goes that goes straight on
FIRST_OFF_MM = (3.0, 1.5)  # by which its first place may be off, of an unclean streak and of a clean one
AHEAD_COST, BESIDE_COST = 0.05, 0.15  # of the way on from the one place that is known: straight on, and elsewhere …
STEPS_MOST = 1.6  # … so many times as far as it came there: what is further costs all that it is further
LEAVING_COST = 0.12  # of the way from where a puck lay to where it is seen first
TURN_COST = 0.55  # a bounce costs this share of the way it bends …
TURN_FREE_MM = 3.0  # … beyond this: so far are places off
FASTER_COST = 0.6  # of the way by which a puck seems to have grown faster
MASS_COST_MM = 12.0  # a streak with half a puck too much or too little costs so much …
MASS_LOG = 1.5  # … of the logarithm of its mass so many times as much
TWO_MASS = 1.55  # puck areas of two pucks that touch, the least
IN_HAND_MM = 1.0  # from a hand: what is nearer, and lies elsewhere than a puck lay, is a part of that
UNCLEAN_COST_MM = 10.0  # a streak of odd size or breadth costs so much
RUNNING_MM = 3.0  # a puck that goes this far from frame to frame, twice, is not at rest
RESTS_S = 0.04  # one that does not for so long, and in two frames at the least, seems to be
CREEPS_S, CREEPS_MM = 0.07, 2.0  # and goes no further in this time, where it is seen: else it creeps
STOPPED_MM, STOPPED_TIMES = 0.7, 3.0  # but for one that goes no further now, and so many times as far just before
RETRACED_POINTS = 3  # a way that was followed backwards is believed when it was seen so often
RETRACE_GAP_FRAMES = 2  # and from where it was not seen for longer before on, if no more of it
RETRACE_MISS = 0.15  # share of the rest of the way by which it may miss the place that a puck left
RETRACE_MM = 60.0  # so near to where it lay, a puck may have been turned aside since it left …
RETRACE_FRAMES = 3  # … so many frames ago
RETRACE_S = 0.12  # nothing is hidden by a hand for longer when it was flicked
HIDDEN_S, ALONE_MM = 0.35, 60.0  # … but the only one that can have run where it was seen, so far from any hand
CARRIED_ON_S, CARRIED_ON_SHARE = 0.25, 0.5  # one that ran is lost no longer, and goes so much of the way ahead of it
STILL_SEEN_FRAMES = 2  # what seemed to lie there still so long after may be a finger
LEAVING_DIAMETERS = 1.2  # a whole puck this near to where one lay is that one, although its place is not bare yet
STALE_FRAMES = 3  # before a puck left, in which a part of a hand that seems to be painted like it is seen already …
STALE_COST_MM = 30.0  # … and to take that for the puck costs so much: more than that it is hidden
DRIFT_MM = 20.0  # a part of a sleeve goes no further in these frames than this
STOOD_MM = 3.0  # what stands still is seen no further away than this, from frame to frame
STOPPED_COST_MM = 20.0  # to take a puck that was stopped by one that lay still for that one
IMPOSSIBLE_MM = 1e6  # a cost that nothing else comes near: that streak is not this puck
GONE_COST_MM = 60.0  # a puck without a streak in a frame costs so much
HIDDEN_COST_MM = 25.0  # and this where a hand covers the place where it should be


@dataclass(frozen=True, slots=True)
class PathPoint:
    """Where a puck was in one frame: middle of the exposure."""

    frame: int
    x_mm: float
    y_mm: float
    streak: Streak | None

    @property
    def place(self) -> tuple[float, float]:
        return (self.x_mm, self.y_mm)


@dataclass(slots=True)
class Path:
    """One puck's way through a shot.

    start: where it lay; left: last frame in which it still lay there or near; near: where it was seen until then;
    points: where it was seen after that; end: where it lies now, None where it is gone; returns: it may have come back
    to where it lay.
    """

    puck: str
    team: str
    start: tuple[float, float]
    left: int | None = None
    last_seen_at_rest: int = -1
    near: list[PathPoint] = field(default_factory=list)
    points: list[PathPoint] = field(default_factory=list)
    end: tuple[float, float] | None = None
    returns: bool = False

    @property
    def moving(self) -> bool:
        return self.left is not None

    def last(self) -> tuple[float, float]:
        return self.points[-1].place if self.points else self.start

    def last_frame(self) -> int:
        return self.points[-1].frame if self.points else self.last_seen_at_rest

    def velocity(self, times: Sequence[float]) -> tuple[float, float] | None:
        """mm/s over the last two places; None where only one place is known since it lay still."""
        if not self.points:
            return None
        a = self.points[-2] if len(self.points) > 1 else None
        b = self.points[-1]
        if a is None:
            return None
        dt = times[b.frame] - times[a.frame]
        return ((b.x_mm - a.x_mm) / dt, (b.y_mm - a.y_mm) / dt)


class Witness(Protocol):
    """Who can be asked what a frame shows besides its streaks."""

    def covered(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where a hand hides that place."""

    def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where the frame shows that place as it was before."""

    def lies(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where the frame shows the puck that lay there, just as it lay."""

    def bare(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where the frame shows the ground there."""

    def fresh(self, frame: int, streak: Streak) -> bool:
        """True where a streak does not stand still, or lies where a puck came to rest."""

    def stood(self, first: int, last: int, streak: Streak, within_mm: float = STOOD_MM) -> bool:
        """True where a streak like one stood in its place, or so near, in most frames from first to last."""

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        """From a puck's edge at that place to the nearest hand."""

    def over_rim(self, x_mm: float, y_mm: float) -> bool:
        """True where that place is off the board."""


def link(
    streaks: Sequence[Sequence[Streak]], times: Sequence[float], paths: Sequence[Path], witness: Witness,
    radius_mm: float,
) -> None:  # fmt: skip
    """Follows each puck through the frames; fills in `left`, `near` and `points` of the paths.

    streaks: one sequence a frame; times: seconds, one a frame.
    """
    for frame, seen in enumerate(streaks):
        for path in paths:
            if not path.moving and witness.unchanged(frame, *path.start):
                path.last_seen_at_rest = frame
        for team in {p.team for p in paths}:
            mine = [p for p in paths if p.team == team]
            _follow(frame, _split([s for s in seen if s.team == team], mine), times, mine, witness, radius_mm)


@dataclass(frozen=True, slots=True)
class _Reversed:
    """A witness whose frames run backwards. count: how many there are."""

    witness: Witness
    count: int

    def covered(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return self.witness.covered(self.count - 1 - frame, x_mm, y_mm)

    def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return self.witness.unchanged(self.count - 1 - frame, x_mm, y_mm)

    def lies(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return False  # what lay there at the other end of time is the bare ground

    def bare(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return self.witness.bare(self.count - 1 - frame, x_mm, y_mm)

    def fresh(self, frame: int, streak: Streak) -> bool:
        return self.witness.fresh(self.count - 1 - frame, streak)

    def stood(self, first: int, last: int, streak: Streak, within_mm: float = STOOD_MM) -> bool:
        return self.witness.stood(self.count - 1 - last, self.count - 1 - first, streak, within_mm)

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        return self.witness.hand_distance_mm(self.count - 1 - frame, x_mm, y_mm)

    def over_rim(self, x_mm: float, y_mm: float) -> bool:
        return self.witness.over_rim(x_mm, y_mm)


def still_runs(path: Path, frames: int) -> bool:
    """True where a puck was seen to run in the last three of so many frames, and lies where it was seen last."""
    last = path.points[-3:]
    if path.end is None or [p.frame for p in last] != [frames - 3, frames - 2, frames - 1]:
        return False
    a, b, c = (p.place for p in last)
    steps = (math.dist(a, b), math.dist(b, c), math.dist(a, c))
    return min(steps) > RUNNING_MM and math.dist(c, path.end) < steps[1]


def rests(path: Path, times: Sequence[float]) -> bool:
    """True where a puck lies where it was seen in each of the last frames, two at the least: in one place, that is."""
    first = next(k for k, t in enumerate(times) if t >= times[-1] - RESTS_S)
    since = max(min(first, len(times) - 2), 0)
    last = [p for p in path.points if p.frame >= since]
    if path.end is None or [p.frame for p in last] != list(range(since, len(times))):
        return False
    lately = [p for p in path.points if times[p.frame] >= times[-1] - CREEPS_S]
    stays = all(math.dist(p.place, last[-1].place) < CREEPS_MM for p in (*last, *lately))
    step = max(math.dist(p.place, last[-1].place) for p in last)
    stopped = step < STOPPED_MM and math.dist(lately[0].place, last[0].place) > STOPPED_TIMES * step
    return (stays or stopped) and math.dist(last[-1].place, path.end) < 2 * RUNNING_MM


def retrace(
    streaks: Sequence[Sequence[Streak]], times: Sequence[float], paths: Sequence[Path],
    ends: Sequence[tuple[str, tuple[float, float]]], witness: Witness, radius_mm: float,
) -> None:  # fmt: skip
    """Follows pucks backwards from where they lie in the end, and mends the paths that lost them on the way.

    A hand is about where a puck is flicked, and nothing is where it comes to rest. ends: (team, place in mm).
    """
    count = len(streaks)
    back = [Path(str(k), team, place) for k, (team, place) in enumerate(ends)]
    link(list(reversed(streaks)), [-t for t in reversed(times)], back, _Reversed(witness, count), radius_mm)
    for way in back:
        points = [replace(p, frame=count - 1 - p.frame) for p in reversed(way.points)]
        mine = [p for p in paths if p.team == way.team]
        if len(points) < RETRACED_POINTS or any(math.dist(p.last(), way.start) < FIRST_MM for p in mine):
            continue
        lost = [p for p in mine if all(math.dist(p.last(), e.start) > FIRST_MM for e in back if e.team == p.team)]
        stays = [replace(p, frame=count - 1 - p.frame) for p in reversed(way.near)]  # it slowed down there, and stayed
        stays = [p for p in stays if p.frame > points[-1].frame]
        led = {p.puck: part for p in lost for part in reversed(_parts(points)) if _leads_to(p, part, times)}
        if not led:
            if on := [p for p in lost if _carries_on(p, points, times)]:
                on[0].points = [*on[0].points, *points, *stays]
            elif len(lost) == 1 and (ran := _ran_alone(lost[0], points, times, witness, radius_mm)):
                lost[0].left = lost[0].last_seen_at_rest
                lost[0].points = [*ran, *stays]
            continue
        path = min((p for p in lost if p.puck in led), key=lambda p: math.dist(p.start, led[p.puck][0].place))
        part = led[path.puck]
        away = _once_left(path, _after(path, part))
        whole_at = next((k for k, p in enumerate(away) if p.streak is not None and p.streak.clean(radius_mm)), 0)
        path.points = [*away[whole_at:], *(p for p in stays if p.frame > away[-1].frame)]
        path.left = min(path.last_seen_at_rest, path.points[0].frame - 1)
        path.last_seen_at_rest = path.left
        path.near = [p for p in path.near if p.frame <= path.left]


def _parts(points: Sequence[PathPoint]) -> list[Sequence[PathPoint]]:
    """All of a way, or else what follows after its puck was not seen for a while: before that, as it is hidden where it
    is flicked, a hand of its colour may have been followed."""
    gaps = [k for k in range(1, len(points)) if points[k].frame - points[k - 1].frame > RETRACE_GAP_FRAMES]
    return [points, *(points[k:] for k in gaps if len(points) - k >= RETRACED_POINTS)]


def _leads_to(path: Path, points: Sequence[PathPoint], times: Sequence[float]) -> bool:
    """True where a way that was followed backwards comes from a puck's place. points: in order of time."""
    away = _after(path, points)
    if not away:
        return False
    came_by, other = len(away) < len(points), _surely_at_rest(path) >= away[0].frame + STILL_SEEN_FRAMES
    away = _once_left(path, away)
    if len(away) < (RETRACED_POINTS if other else 2):
        return False
    near = _near(path, away[0])
    if not other and (came_by or near):
        return True
    if other and (came_by or not near):  # else what was followed at the last was the finger
        return False
    (ax, ay), (bx, by) = away[0].place, away[1].place
    dt = max(times[away[1].frame] - times[away[0].frame], 1e-3)
    ux, uy = (ax - bx) / dt, (ay - by) / dt
    speed = math.hypot(ux, uy)
    dx, dy = path.start[0] - ax, path.start[1] - ay
    ahead = max(dx * ux + dy * uy, 0.0) / max(speed**2, 1.0)
    miss = math.hypot(dx - ux * ahead, dy - uy * ahead)
    return miss < SLACK_MM + RETRACE_MISS * math.hypot(dx, dy) and ahead < RETRACE_S


def _carries_on(path: Path, points: Sequence[PathPoint], times: Sequence[float]) -> bool:
    """True where a way that was followed backwards begins ahead of a puck that ran and was lost from sight: where it
    would have come to, or where it was turned aside on the way there. points: in order of time."""
    velocity = path.velocity(times)
    if velocity is None or points[0].frame <= path.last_frame():
        return False
    dt, speed = times[points[0].frame] - times[path.last_frame()], math.hypot(*velocity)
    if dt > CARRIED_ON_S or speed < RUNNING_MM / dt:
        return False
    (x, y), (ux, uy) = np.subtract(points[0].place, path.last()), np.divide(velocity, speed)
    along, aside = x * ux + y * uy, abs(x * uy - y * ux)
    ahead = CARRIED_ON_SHARE * speed * dt <= along <= speed * dt + SLACK_MM
    return bool(ahead and aside < SLACK_MM + RETRACE_MISS * along)


def _ran_alone(
    path: Path, points: Sequence[PathPoint], times: Sequence[float], witness: Witness, radius_mm: float
) -> list[PathPoint]:
    """The part of a way that was followed backwards on which the only puck that can have gone it ran whole, and far
    from any hand, a moment after it had left its place, wherever it was turned aside meanwhile. points: in order of
    time."""
    since = _surely_at_rest(path)
    way = list(itertools.dropwhile(lambda p: p.streak is None or not p.streak.clean(radius_mm), points))
    if len(way) < RETRACED_POINTS or way[0].frame <= since:
        return []
    dt = times[way[0].frame] - times[max(since, 0)]
    if dt > HIDDEN_S or math.dist(path.start, way[0].place) > SPEED_MAX_MM_S * dt:
        return []
    runs = all(math.dist(a.place, b.place) > RUNNING_MM for a, b in itertools.pairwise(way[:RETRACED_POINTS]))
    whole = all(p.streak is not None and p.streak.clean(radius_mm) for p in way)
    alone = all(witness.hand_distance_mm(p.frame, *p.place) > ALONE_MM for p in way)
    return way if runs and whole and alone else []


def _surely_at_rest(path: Path) -> int:
    """The last frame in which a puck was seen in its place, and not only something beside it."""
    if not path.near or path.near[-1].frame != path.last_seen_at_rest:
        return path.last_seen_at_rest
    there = [p.frame for p in path.near if math.dist(p.place, path.start) <= NEAR_MM]
    return max(there, default=path.near[0].frame - 1)


def _after(path: Path, points: Sequence[PathPoint]) -> Sequence[PathPoint]:
    """The part of a way after it was at a puck's place."""
    at_home = [k for k, p in enumerate(points) if math.dist(p.place, path.start) < FIRST_MM]
    return points[at_home[-1] + 1 :] if at_home else points


def _once_left(path: Path, points: Sequence[PathPoint]) -> Sequence[PathPoint]:
    """The part of a way in which its puck was not seen in its place any more: before, it followed something else."""
    since = _surely_at_rest(path)
    return [p for p in points if p.frame > since]


def _near(path: Path, point: PathPoint) -> bool:
    """True where a puck may have come from its place to a point although it was turned aside on the way."""
    gap = point.frame - path.last_seen_at_rest
    return math.dist(path.start, point.place) < RETRACE_MM and gap <= RETRACE_FRAMES


def _follow(frame: int, seen: list[Streak], times: Sequence[float], paths: list[Path], witness: Witness,
            radius_mm: float) -> None:  # fmt: skip
    """One frame, one team: resting pucks take the streaks that lie on them, moving ones the best of the others."""
    free = list(seen)
    leaving: list[Path] = []
    for path in paths:
        if any(_back(path, s, times) and not _runs_on(path, s, free, radius_mm) for s in free):
            path.left, path.points = None, []
        if not path.moving and not _takes_its_own(path, frame, free, times, paths, witness, radius_mm):
            leaving.append(path)
    candidates = [p for p in paths if p.moving] + leaving
    gone = {p.puck for p in leaving if witness.bare(frame, *p.start)}
    if candidates and free:
        _share_out(frame, free, times, candidates, gone, witness, radius_mm)
    for path in leaving:
        if not path.moving and path.puck in gone and path.last_seen_at_rest >= 0:
            path.left = path.last_seen_at_rest


def _takes_its_own(path: Path, frame: int, free: list[Streak], times: Sequence[float], paths: list[Path],
                   witness: Witness, radius_mm: float) -> bool:  # fmt: skip
    """Takes the streak of a puck that lies in its place still from those that are free. False: it may have left."""
    near = min(free, key=lambda s: math.dist(s.place, path.start), default=None)
    if path.last_seen_at_rest == frame:
        if near is not None and math.dist(near.place, path.start) <= NEAR_MM:
            free.remove(near)
        return True
    left = near is not None and _whole_beside(path, near, free, paths, witness, radius_mm)
    if near is not None and _at_rest(path, near, times) and not left:
        free.remove(near)
        path.last_seen_at_rest = frame
        beside = math.dist(near.place, path.start) > BESIDE_MM and witness.lies(frame, *path.start)
        path.near.append(PathPoint(frame, *(path.start if beside else near.place), near))
        return True
    if witness.lies(frame, *path.start):
        path.last_seen_at_rest = frame
        return True
    return False


def _share_out(frame: int, free: Sequence[Streak], times: Sequence[float], candidates: Sequence[Path], gone: set[str],
               witness: Witness, radius_mm: float) -> None:  # fmt: skip
    """Gives each puck that moves, or may have left its place, the streak that goes best with all of them together."""
    lain = {p.puck: _may_have_lain(p, witness) for p in candidates}
    cost = np.array([
        [_cost(p, s, frame, times, radius_mm, lain[p.puck])
         + _leave_cost(p, s, frame, p.puck in gone, witness, radius_mm)
         + (0.0 if p.points else _stopped_cost(s, candidates, radius_mm)) for s in free] for p in candidates
    ])  # fmt: skip
    stay = np.array([HIDDEN_COST_MM if _hidden(p, frame, times, witness) else GONE_COST_MM for p in candidates])
    table = np.hstack([cost, np.where(np.eye(len(candidates)) > 0, stay[:, None], IMPOSSIBLE_MM)])
    for row, column in zip(*linear_sum_assignment(table), strict=True):
        if column < len(free) and cost[row, column] < IMPOSSIBLE_MM:
            path, streak = candidates[row], free[column]
            if not path.moving:
                path.left = max(path.last_seen_at_rest, -1)
            path.points.append(PathPoint(frame, streak.x_mm, streak.y_mm, streak))


def _may_have_lain(path: Path, witness: Witness) -> bool:
    """True where a puck that was seen off its place once may have lain there until just before: nothing has shown that
    place bare since."""
    since = range(path.last_seen_at_rest + 1, path.last_frame())
    return len(path.points) == 1 and all(witness.covered(k, *path.start) for k in since)


def _hidden(path: Path, frame: int, times: Sequence[float], witness: Witness) -> bool:
    """True where a hand covers the place where a puck should be now, and the one where it was."""
    if not witness.covered(frame, *path.last()):
        return False
    velocity = path.velocity(times)
    if velocity is None:
        return True
    dt = times[frame] - times[path.last_frame()]
    return witness.covered(frame, path.last()[0] + velocity[0] * dt, path.last()[1] + velocity[1] * dt)


def _leave_cost(path: Path, streak: Streak, frame: int, gone: bool, witness: Witness, radius_mm: float) -> float:
    """What it costs to take a streak for a puck that lay still until now; IMPOSSIBLE_MM where it surely is not."""
    if path.points:
        odd = 0.0 if streak.clean(radius_mm) else UNCLEAN_COST_MM
        return odd + (STALE_COST_MM if _stale(path, streak, witness) else 0.0)
    if not witness.fresh(frame, streak):
        return IMPOSSIBLE_MM
    if streak.outlined and math.dist(streak.place, path.start) < LEAVING_DIAMETERS * 2 * radius_mm:
        return 0.0
    there = witness.stood(frame - STALE_FRAMES, frame - 1, streak, DRIFT_MM)  # when the puck still lay in its place
    stale = STALE_COST_MM if there and math.dist(streak.place, path.start) > DRIFT_MM + FIRST_MM else 0.0
    if gone:
        return stale + (0.0 if streak.clean(radius_mm) else 2 * UNCLEAN_COST_MM)
    hand_mm = witness.hand_distance_mm(frame, *streak.place)
    if hand_mm < IN_HAND_MM:
        return IMPOSSIBLE_MM
    if not streak.clean(radius_mm):  # a dark puck's shadow; that of what has fallen over the rim lies beside it
        if not streak.shadowed(radius_mm):
            return IMPOSSIBLE_MM
        if hand_mm > 2 * radius_mm:
            return stale + UNCLEAN_COST_MM
        return stale + 2 * UNCLEAN_COST_MM if witness.over_rim(*streak.place) else IMPOSSIBLE_MM
    return stale


def _stopped_cost(streak: Streak, paths: Sequence[Path], radius_mm: float) -> float:
    """What it costs to take a streak for a puck that lay still, where another was a frame ago: that one has stopped."""
    there = (p.points[-1] for p in paths if p.points)
    stopped = any(p.frame == streak.frame - 1 and math.dist(p.place, streak.place) < radius_mm for p in there)
    return STOPPED_COST_MM if stopped else 0.0


def _stale(path: Path, streak: Streak, witness: Witness) -> bool:
    """True where a streak elsewhere was there already before a puck left its place."""
    if path.left is None or streak.outlined or math.dist(streak.place, path.start) <= FIRST_MM:
        return False
    return witness.stood(path.left - STALE_FRAMES + 1, path.left, streak)


def _stood_at(path: Path, streak: Streak, times: Sequence[float]) -> tuple[float, float]:
    """Where a puck that has not left was seen a moment before a streak."""
    before = times[streak.frame] - STILL_S
    return next((p for p in reversed(path.near) if times[p.frame] <= before), path.near[0]).place


def _back(path: Path, streak: Streak, times: Sequence[float]) -> bool:
    """True where a puck that seemed to leave is just where it was seen before: a finger had shifted its outline."""
    if path.returns or not path.moving or not path.near:
        return False
    if math.dist(streak.place, _stood_at(path, streak, times)) > STILL_MM:
        return False
    return len(path.points) <= BACK_POINTS or all(math.dist(p.place, path.start) < FIRST_MM for p in path.points)


def _runs_on(path: Path, streak: Streak, seen: Sequence[Streak], radius_mm: float) -> bool:
    """True where a whole puck is seen straight ahead of one that left its place: what is seen in that place, and is
    less of a puck, is a part of a finger that seems to be painted like it."""
    (x, y), (hx, hy) = path.last(), path.start
    gone = math.dist(path.last(), path.start)
    if gone <= NEAR_MM or any(p.streak is None or not p.streak.clean(radius_mm) for p in path.points):
        return False
    ux, uy = (x - hx) / gone, (y - hy) / gone
    whole = [s for s in seen if s.clean(radius_mm) and abs(s.mass - 1) < abs(streak.mass - 1)]
    ways = [((s.x_mm - x) * ux + (s.y_mm - y) * uy, abs((s.x_mm - x) * uy - (s.y_mm - y) * ux)) for s in whole]
    return any(along > RUNNING_MM and aside < STRAIGHT_MM + STRAIGHT_SHARE * along for along, aside in ways)


def _at_rest(path: Path, streak: Streak, times: Sequence[float]) -> bool:
    """True where a streak is the puck in its place, or as far off it as it was when it surely lay there."""
    away = math.dist(streak.place, path.start)
    if streak.mass > MASS_AT_REST:
        return False
    if away <= NEAR_MM:
        return True
    if away > FIRST_MM:
        return False
    return not path.near or math.dist(streak.place, _stood_at(path, streak, times)) < STILL_MM


def _whole_beside(
    path: Path, near: Streak, seen: Sequence[Streak], paths: Sequence[Path], witness: Witness, radius_mm: float
) -> bool:
    """True where a whole puck has come to lie next to the place of one, and what is in that place is no whole one."""
    if near.outlined:
        return False
    others = [p.last() for p in paths if p is not path]
    return any(
        s.outlined and NEAR_MM < math.dist(s.place, path.start) < LEAVING_DIAMETERS * 2 * radius_mm
        and all(math.dist(s.place, o) > FIRST_MM for o in others) and witness.fresh(s.frame, s) for s in seen
    )  # fmt: skip


def _cost(
    path: Path, streak: Streak, frame: int, times: Sequence[float], radius_mm: float, may_have_lain: bool
) -> float:
    """How badly a streak continues a path, in millimetres; IMPOSSIBLE_MM where it cannot.

    may_have_lain: for the most part of its first step the puck may have been at rest
    """
    last, before = path.last(), path.last_frame()
    dt = times[frame] - times[max(before, 0)] if frame != before else 1e-3
    way = math.dist(last, streak.place)
    if way > SPEED_MAX_MM_S * dt + SLACK_MM:
        return IMPOSSIBLE_MM
    if streak.length_mm(radius_mm) > 2 * way + SMEAR_MM:
        return IMPOSSIBLE_MM  # a streak that long would have come from further away: an edge of a hand, or its shadow
    odd = MASS_COST_MM * abs(math.log(max(streak.mass, 0.1))) * MASS_LOG
    velocity = path.velocity(times)
    if velocity is None:
        if path.points:  # one place since it lay still: it goes on the same way, or has been stopped
            first = times[before] - times[max(before - 1, 0)]  # hidden or not, it may have left only just before
            step = math.dist(path.start, last) / max(first, 1e-3) * dt
            excess = max(0.0, way - STEPS_MOST * step - SLACK_MM)
            gone = max(math.dist(path.start, last), 1e-6)
            ux, uy = (last[0] - path.start[0]) / gone, (last[1] - path.start[1]) / gone
            dx, dy = streak.x_mm - last[0], streak.y_mm - last[1]
            back, aside = max(0.0, -dx * ux - dy * uy), abs(dx * uy - dy * ux)
            if may_have_lain:
                clean = path.points[-1].streak is not None and path.points[-1].streak.clean(radius_mm)
                askew = FIRST_OFF_MM[int(clean)] * way / gone  # as far as the first place's error tells the direction
                excess = min(excess, SUDDEN_COST * excess + max(0.0, aside - askew) + back)
            straight = back == 0.0 and (excess == 0.0 or may_have_lain) and aside < STRAIGHT_MM + STRAIGHT_SHARE * way
            return odd + (AHEAD_COST if straight else BESIDE_COST) * way + excess + BACKWARD_COST * back
        return odd + LEAVING_COST * way / slowness(times, frame)
    speed = math.hypot(*velocity)
    predicted = (last[0] + velocity[0] * dt, last[1] + velocity[1] * dt)
    miss = math.dist(predicted, streak.place)
    faster = max(0.0, way - speed * dt - SLACK_MM)
    return odd + TURN_COST * max(0.0, miss - TURN_FREE_MM) + FASTER_COST * faster


def slowness(times: Sequence[float], frame: int) -> float:
    """How many times as far as in a film of 30 frames a second a puck goes until a frame; 1 where there are more, and
    not as far as in a gap between frames."""
    return min(max(1.0, (times[frame] - times[frame - 1]) * USUAL_FPS), SLOWEST) if frame > 0 else 1.0


def _split(seen: list[Streak], paths: list[Path]) -> list[Streak]:
    """Takes streaks apart that hold two pucks of a team that touch."""
    if len(paths) < 2:
        return seen
    out: list[Streak] = []
    for s in seen:
        spread = s.along_mm**2 - s.across_mm**2
        if s.mass < TWO_MASS or spread <= 0:
            out.append(s)
            continue
        d = math.sqrt(spread)
        ux, uy = math.cos(s.angle_rad) * d, math.sin(s.angle_rad) * d
        out += [Streak(s.frame, s.team, s.x_mm + k * ux, s.y_mm + k * uy, s.mass / 2, s.across_mm, s.across_mm,
                       s.angle_rad, s.box) for k in (-1, 1)]  # fmt: skip
    return out
