"""A puck's own place, frame by frame: until when it lay there, and whether it was gone from one frame to the next."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right

from vision.paths import Path, PathPoint
from vision.streaks import Streak
from vision.watch import FLICKER_MM, HAND_FAR_MM, Watch

LEAP_FRAMES = 2  # a puck is seen elsewhere within so many frames …
LEAP_S = 0.07  # … or so much time, where a hand is next to it: what is seen later may be the hand's own
SLACK_S = 0.004  # by which frames' times are off
AIMED_S = 0.065  # nobody flicks sooner after the hand has come
COVERS_S = 0.13  # by when a hand that takes a puck covers it, although in the dark it looks like the ground at first
GRABBED_S = 0.2  # nor covers a place for so long in passing
STAYS_FRAMES, STAYS_S = 3, 0.06  # a hand that takes a puck away does not stay where that lay for so many, or so long
AHEAD_MM = 12.0  # a puck that lay still until a finger flicked it is further than this in front of it
SHOT_STEP_MM = 15.0  # and has gone so far in its first frame
FREE_LEAP_MM = 35.0  # nor does it often go further than this in one
MOST_MM_S = 2500.0  # nor faster than this, once it is on its way
SLIDE_MAX_MM = 80.0  # a hand slides a puck free by less than this
STAY_MM = 6.0  # what is seen within so much is in one place


def lay(path: Path, frame: int, watch: Watch) -> bool:
    """True where a frame shows a puck just as it lay, with nothing on it."""
    return _as_before(path.start, frame, watch)


def lay_last(place: tuple[float, float], watch: Watch, until_s: float = math.inf) -> int:
    """The last frame until a time that shows a puck's place, mm, just as the puck lay there; -1 where none does."""
    frames = (k for k in range(len(watch.times) - 1, -1, -1) if watch.times[k] <= until_s)
    return next((k for k in frames if _as_before(place, k, watch)), -1)


def _as_before(place: tuple[float, float], frame: int, watch: Watch) -> bool:
    return watch.unchanged(frame, *place) or watch.lies(frame, *place)


def reached_for(path: Path, seen: int, watch: Watch, within_s: float = AIMED_S) -> bool:
    """True where a hand was still on its way to a puck's place in a frame, and covers it a moment later."""
    coming = next((k for k in range(seen, -1, -1) if watch.times[seen] - watch.times[k] >= AIMED_S), 0)
    on_its_way = watch.hand_distance_mm(coming, *path.start) > FLICKER_MM
    return on_its_way and any(watch.covered(k, *path.start) for k in soon(seen, within_s, watch))


def soon(frame: int, within_s: float, watch: Watch) -> range:
    """The frames after one within some time, at least the next."""
    until = bisect_right(watch.times, watch.times[frame] + within_s + SLACK_S)
    return range(frame + 1, min(max(until, frame + 2), len(watch.times)))


def bare(path: Path, frame: int, watch: Watch) -> bool:
    """True where a frame shows the bare ground where a puck lay, or so much of it that the puck is gone."""
    there = watch.covered(frame, *path.start) or lay(path, frame, watch)  # what has not changed shows no ground
    return not there and watch.bare(frame, *path.start)


def gone_from(path: Path, left: int, watch: Watch) -> bool:
    """True where a puck lay uncovered until a frame, and in the next its place was bare."""
    return bare(path, left + 1, watch) and lay(path, left, watch) and lay(path, left - 1, watch)


def springs(path: Path, seen: Streak, watch: Watch) -> bool:
    """True where a streak is the whole puck, off its place and in front of the hand."""
    whole = seen.clean(watch.scene.board.puck.radius_mm) and watch.free(seen.frame, seen)
    ahead = AHEAD_MM < watch.hand_distance_mm(seen.frame, *seen.place) < HAND_FAR_MM
    return whole and ahead and math.dist(seen.place, path.start) > SHOT_STEP_MM


def sprung(path: Path, watch: Watch) -> list[PathPoint]:
    """Where the only puck that moved was seen between springing off its place and coming back by it, as off a wall near
    by; none where it did not.
    """
    if path.end is None or not path.points or len(watch.scene.vacated) > 1:
        return []
    for left in (k for k in range(1, path.points[0].frame - 1) if gone_from(path, k, watch)):
        there, now = ([s for s in watch.streaks[k] if s.team == path.team] for k in (left, left + 1))
        for seen in (s for s in now if springs(path, s, watch)):
            fresh = all(math.dist(seen.place, s.place) > STAY_MM for s in there)
            if fresh and math.dist(seen.place, path.start) < SLIDE_MAX_MM:
                return _on_from(seen, path, watch)
    return []


def _on_from(first: Streak, path: Path, watch: Watch) -> list[PathPoint]:
    """A puck's points from a streak on until those that are known, each the nearest whole puck to the one before."""
    radius = watch.scene.board.puck.radius_mm
    out = [PathPoint(first.frame, first.x_mm, first.y_mm, first)]
    for frame in range(first.frame + 1, path.points[0].frame):
        before = out[-1].place
        most = MOST_MM_S * (watch.times[frame] - watch.times[out[-1].frame])
        mine = [s for s in watch.streaks[frame] if s.team == path.team and math.dist(s.place, before) < most
                and s.clean(radius) and watch.free(frame, s)]  # fmt: skip
        near = min(mine, key=lambda s: math.dist(s.place, before), default=None)
        if near is not None:
            out.append(PathPoint(frame, near.x_mm, near.y_mm, near))
    return out


def after_a_moment(frame: int, watch: Watch) -> range:
    """The frames from a moment after one until no hand covers a place in passing any more."""
    return range(soon(frame, LEAP_S, watch).stop, soon(frame, GRABBED_S, watch).stop)


def flown(path: Path, watch: Watch) -> list[PathPoint]:
    """The points, from the first on, at which a puck that was gone in a moment was seen whole and far from any hand."""
    radius = watch.scene.board.puck.radius_mm
    far = itertools.takewhile(
        lambda p: p.streak is not None and p.streak.clean(radius) and watch.free(p.frame, p.streak)
        and watch.hand_distance_mm(p.frame, *p.place) > FLICKER_MM, path.points,
    )  # fmt: skip
    return list(far)


def vanished(path: Path, watch: Watch) -> int | None:
    """The last frame of a puck that lay in its place, where a moment later the bare ground was seen: no hand lifts so.

    Where a finger was on it, the finger has stayed. None where it was covered, or seen there to the end.
    """
    left, count = path.last_seen_at_rest, len(watch.times)
    clear = next((k for k in range(left, 0, -1) if lay(path, k, watch) and lay(path, k - 1, watch)), None)
    if clear is not None:
        later = after_a_moment(clear, watch)
        if reached_for(path, clear, watch, COVERS_S) and not any(bare(path, k, watch) for k in later):
            return None
        if any(bare(path, k, watch) for k in range(clear + 1, count)[:LEAP_FRAMES]):
            return clear
    was_near = {left - 1, left} <= {p.frame for p in path.near}
    stays = any(_stays_beside(path, k, watch) for k in range(left + 1, left + 1 + LEAP_FRAMES))
    return left if was_near and stays else None


def _stays_beside(path: Path, since: int, watch: Watch) -> bool:
    """True where a hand stays on a part of a puck's place for some frames, and most of that is bare ground."""
    if since >= len(watch.times):
        return False
    long = bisect_left(watch.times, watch.times[since] + STAYS_S - SLACK_S, since)
    frames = range(since, min(since + STAYS_FRAMES, long + 1))
    return frames.stop <= len(watch.times) and all(
        watch.bare(k, *path.start) and not lay(path, k, watch) and watch.hand_distance_mm(k, *path.start) < AHEAD_MM
        for k in frames
    )
