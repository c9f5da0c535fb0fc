"""How a puck left its place: shot away, lifted, or in a hand; and what of its way is not its own."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from vision.crossings import beyond_rim_mm
from vision.paths import Path, PathPoint
from vision.vanishing import AHEAD_MM, FREE_LEAP_MM, LEAP_FRAMES, LEAP_S, SHOT_STEP_MM, SLACK_S, lay, reached_for
from vision.watch import ARRIVED_MM, FLICKER_MM, HAND_FAR_MM, Watch

_T = TypeVar("_T")
_Place = tuple[float, float]  # mm

FREE_STEP_MM = 4.0  # a flick moves a puck at least so far within a frame
SHOT_AWAY_MM = 8.0  # a puck that ran so far by itself was not slid
LET_GO_MM = 5.0  # a hand that slides a puck is never further from it than this
LATE_S = 0.05  # where a puck that leapt was first seen so long after, the hand has not gone away meanwhile
STRAIGHT_COS = 0.97  # a puck that shoots off goes on in the same direction in the next frame …
SHOT_SPEED_MM_S = 1500.0  # … at a speed at which nobody carries a puck away
TURNED_SPEED_MM_S = 1200.0  # … and where it turned in between it went further than that tells
INTO_COS = 0.65  # what goes towards a hand, or away from it, does so within 49 degrees
GAINED_MM = 7.0  # a puck that is lost goes by no more than this further in a frame than in the one before
DART_MM = 40.0  # a puck that is seen further off than this …
DART_SHARE = 0.25  # … from where it is before and after, which are so near to each other, was not there …
TURN_MM, TURNED, STRAIGHT_ON = 15.0, 0.8, 0.98  # … nor if it turns back for it, and goes on: steps, and both cosines
MERGED_SHARE, MERGED_FRAMES = 0.65, 4  # of a diameter: middles of two pucks are never so near, nor one streak for long
FLIES_MM_S = 900.0  # a puck in a hand is not this fast, and one that lay still lies there …
GRIPPED_MM = 2.5  # … until a finger flicked it at least so far, with nothing that joins it to the hand
RUNS_ON_S = 0.7  # no puck that is not seen runs on for longer
END_MM = 14.0  # a path's last place and a puck at rest further apart are not joined without a doubt
TAKEN_MM = 20.0  # a hand that is further than this from where a puck lay, and next to that puck, took it along
ALONE_FRAMES = 4  # one that is seen whole in so many frames with no hand anywhere near is in none
CARRY_MM = 25.0  # a flicked puck has left the hand by more than this a frame or two later; a carried one has not


def carried(path: Path, watch: Watch) -> bool:
    """True for a puck that was lost from sight, or lies elsewhere, after a hand had been next to it all along."""
    if path.end is not None and math.dist(path.end, path.last()) < END_MM:
        return False
    away = [
        gap_mm(p, watch) if _flies_to(path, k, watch) else watch.hand_distance_mm(p.frame, *p.place)
        for k, p in enumerate(path.points)
    ]
    radius = watch.scene.board.puck.radius_mm
    alone = [p for p, d in zip(path.points, away, strict=True) if d >= HAND_FAR_MM and p.streak is not None
             and p.streak.clean(radius) and watch.free(p.frame, p.streak)]  # fmt: skip
    if len(alone) >= ALONE_FRAMES:
        return False
    seen = [d for d in away if d < HAND_FAR_MM]
    if seen:
        return max(seen) < CARRY_MM and not leapt(path, watch)
    return watch.hand_distance_mm(max(path.last_seen_at_rest, 0), *path.start) < CARRY_MM


def _flies_to(path: Path, k: int, watch: Watch) -> bool:
    """True where a puck came to its k-th point faster than hands carry one, and was seen whole there."""
    point = path.points[k]
    at, before = (path.points[k - 1].place, path.points[k - 1].frame) if k else (path.start, path.last_seen_at_rest)
    took_s = watch.times[point.frame] - watch.times[max(before, 0)]
    whole = point.streak is not None and point.streak.clean(watch.scene.board.puck.radius_mm)
    return whole and math.dist(at, point.place) > FLIES_MM_S * took_s


def brought_later(path: Path, place: tuple[float, float], watch: Watch, since: int = -1) -> bool:
    """True where a place was still bare when a puck had long been lost at one of its points: it did not run there."""
    if not path.points:
        return False
    lost_s = watch.times[path.points[since].frame] + RUNS_ON_S
    later = (k for k, time_s in enumerate(watch.times) if time_s > lost_s)
    return any(watch.bare(k, *place) and not watch.covered(k, *place) for k in later)


def carried_on(path: Path, watch: Watch) -> int | None:
    """Which of a puck's points is the first after a hand had brought it from where its run had ended. None: none is."""
    for k, (a, b) in enumerate(itertools.pairwise(path.points)):
        lost = watch.times[b.frame] - watch.times[a.frame] > RUNS_ON_S
        far = min(math.dist(a.place, path.start), math.dist(a.place, b.place)) > 3 * END_MM
        if lost and far and brought_later(path, b.place, watch, k):
            return k + 1
    return None


def ran_last(path: Path, watch: Watch) -> bool:
    """True for a puck that was on its way in the newest frame, clear of any hand: whole, and neither where it lay nor
    where it lies in the end."""
    if not path.points or path.points[-1].frame != len(watch.times) - 1:
        return False
    point = path.points[-1]
    whole = point.streak is not None and point.streak.clean(watch.scene.board.puck.radius_mm)
    off = min(math.dist(point.place, at) for at in (path.start, path.end or (math.inf, math.inf)))
    return whole and off > SHOT_AWAY_MM and watch.hand_distance_mm(point.frame, *point.place) > LET_GO_MM


def without_darts(path: Path) -> list[PathPoint]:
    """The points of a path but for those from which a puck would have come back at once, to where it then stays, or to
    go on its way."""
    places = [path.start, *(p.place for p in path.points)]
    places += [path.end or places[-1]] * 2
    earlier: list[_Place | None] = [None, *places]
    out = []
    for point, came, (before, at, after, then) in zip(path.points, earlier, _fours(places), strict=False):
        off = min(math.dist(at, before), math.dist(at, after))
        back = max(math.dist(before, after), math.dist(after, then)) <= DART_SHARE * off
        if off < DART_MM or not (back or (came is not None and _turned_twice(came, before, at, after))):
            out.append(point)
    return out


def _turned_twice(came: _Place, before: _Place, at: _Place, after: _Place) -> bool:
    """True where a puck would have gone back the way that it came, and in the next frame on again as it went before."""
    way, to, on = (np.subtract(b, a) for a, b in ((came, before), (before, at), (before, after)))
    sizes = [float(np.linalg.norm(v)) for v in (way, to, on)]
    if min(sizes) < TURN_MM:
        return False
    return bool(way @ to < -TURNED * sizes[0] * sizes[1] and way @ on > STRAIGHT_ON * sizes[0] * sizes[2])


def without_merged(path: Path, others: Sequence[Path], diameter_mm: float) -> list[PathPoint]:
    """The points of a path but for those at which it would have lain over a puck of its team that had not been seen to
    leave its place: there both are one streak, the middle of which is neither's.

    others: the ways of pucks that left their places
    """
    mine = [o for o in others if o is not path and o.team == path.team]
    between = [p for p in path.points[1:-1] if not any(_lies_over(p, o, diameter_mm) for o in mine)]
    return [*path.points[:1], *between, *path.points[1:][-1:]]


def _lies_over(point: PathPoint, other: Path, diameter_mm: float) -> bool:
    """True where a puck would lie over another one of its team, which had not been seen away from its place by then."""
    if not other.points or point.frame >= other.points[0].frame:
        return False
    first, left = other.points[0], other.last_seen_at_rest
    if first.frame - left > MERGED_FRAMES:  # it may have been anywhere meanwhile
        return False
    share = max(point.frame - left, 0) / max(first.frame - left, 1)
    there = [a + share * (b - a) for a, b in zip(other.start, first.place, strict=True)]
    return math.dist(point.place, there) < MERGED_SHARE * diameter_mm


def once_there(path: Path, watch: Watch) -> list[PathPoint]:
    """The points of a path but for those at which a puck was taken for something else, as it lay already where it lies
    in the end: it is there from then on."""
    end = path.end
    if end is None or any(math.dist(r.place, end) < END_MM for r in watch.scene.vacated):
        return path.points
    stays = [whole_at(path.team, end, k, watch) for k in range(len(watch.times))]
    since = next((k + 1 for k in range(len(stays) - 1, -1, -1) if stays[k] is None), 0)
    if all(math.dist(p.place, end) < END_MM for p in path.points if p.frame >= since):
        return path.points
    return [p for p in path.points if p.frame < since] + [p for p in stays[since:] if p is not None]


def whole_at(
    team: str, place: _Place, frame: int, watch: Watch, within_mm: float = ARRIVED_MM
) -> PathPoint | None:  # fmt: skip
    """A whole puck of a team as a frame shows it at a place."""
    radius = watch.scene.board.puck.radius_mm
    seen = (s for s in watch.streaks[frame] if s.team == team and s.clean(radius))
    near = next((s for s in seen if math.dist(s.place, place) < within_mm), None)
    return PathPoint(frame, near.x_mm, near.y_mm, near) if near is not None else None


def _fours(seen: Sequence[_T]) -> Iterator[tuple[_T, _T, _T, _T]]:
    return zip(seen, seen[1:], seen[2:], seen[3:], strict=False)


def leapt(path: Path, watch: Watch) -> bool:
    """True where a puck was seen far from its place within a moment, by itself and whole."""
    left = max(path.last_seen_at_rest, 0)
    if reached_for(path, left, watch) or _under_hand(path, left, watch) or _taken_along(path, watch):
        return False
    loose = any(lay(path, k, watch) for k in (max(left - 1, 0), left)) or _stays(path, left, watch)
    for k, point in enumerate(path.points):
        if point.frame - left > LEAP_FRAMES and watch.times[point.frame] - watch.times[left] > LEAP_S:
            return False
        late = watch.times[point.frame] - watch.times[left] > LATE_S
        if late and _left_along(path, point.frame, watch) and not _opposite_hand(path, point, watch):
            return False
        if _ahead(point, loose, watch) and (_went_far(path, watch) if k == 0 else _raced(path, k, watch)):
            return True
    return False


def _under_hand(path: Path, left: int, watch: Watch) -> bool:
    """True where a hand hid a puck until it seemed to be seen last, and that may have been the hand's shadow.

    Or where it hides it then and later: what was seen elsewhere was not the puck.
    """
    before, after = max(left - 1, 0), range(left + 1, min(left + 1 + LEAP_FRAMES, len(watch.times)))
    if not lay(path, left, watch) and all(
        watch.covered(k, *path.start) and not watch.bare(k, *path.start) for k in (before, left, *after)
    ):
        return True
    return bared(path, left, watch)


def bared(path: Path, left: int, watch: Watch) -> bool:
    """True where a hand hid a puck just before it seemed to be seen last, and that was not as it lay: the frame before,
    or a moment before where the puck is nowhere any more, as a fingertip of its colour may still be there."""
    if watch.covered(left, *path.start) or lay(path, left, watch):
        return False
    for k in range(left - 1, -1, -1):
        if k < left - 1 and (path.end is not None or watch.times[left] - watch.times[k] > LEAP_S + SLACK_S):
            return False
        if lay(path, k, watch):
            return False
        if watch.covered(k, *path.start):
            return True
    return False


def _taken_along(path: Path, watch: Watch) -> bool:
    """True where a puck that is lost was first seen off its place next to a hand, and that has left the place, too."""
    if path.end is not None or not path.points:
        return False
    first = path.points[0]
    gap, gone = gap_mm(first, watch), watch.hand_distance_mm(first.frame, *path.start)
    return gap < CARRY_MM and gone > max(gap, TAKEN_MM)


def _stays(path: Path, left: int, watch: Watch) -> bool:
    """True where the hand is where a puck lay when that has gone: it did not take it along."""
    after = range(left + 1, min(left + 1 + LEAP_FRAMES, len(watch.times)))
    return any(watch.hand_distance_mm(k, *path.start) < AHEAD_MM for k in after)


def _left_along(path: Path, frame: int, watch: Watch) -> bool:
    """True where the hand has gone away from a puck's place since that was seen there last, as one that takes it."""
    then, now = (watch.hand_distance_mm(k, *path.start) for k in (max(path.last_seen_at_rest, 0), frame))
    return now - then > CARRY_MM


def _opposite_hand(path: Path, point: PathPoint, watch: Watch) -> bool:
    """True where a whole puck is far from the hand, on the other side of its place than that reached in from."""
    streak = point.streak
    if streak is None or not streak.clean(watch.scene.board.puck.radius_mm) or not watch.free(point.frame, streak):
        return False
    if watch.hand_distance_mm(point.frame, *point.place) < FLICKER_MM:
        return False
    hand = np.array(watch.beside_mm(path.last_seen_at_rest, *path.start))
    way = np.subtract(point.place, path.start)
    return float(hand @ way) < -INTO_COS * float(np.hypot(*hand) * np.hypot(*way)) < 0


def gap_mm(point: PathPoint, watch: Watch) -> float:
    """From a puck's edge to the hand. The shadow of what falls over the rim lies beside it, and is no hand."""
    if watch.over_rim(*point.place):
        return watch.whole_hand_distance_mm(point.frame, *point.place)
    return watch.hand_distance_mm(point.frame, *point.place)


def _ahead(point: PathPoint, loose: bool, watch: Watch) -> bool:
    """True where a puck was seen whole, and in front of the hand. loose: it lay clear of it, or the hand has stayed."""
    radius, gap = watch.scene.board.puck.radius_mm, gap_mm(point, watch)
    over = watch.over_rim(*point.place)  # and the rim may hide a part of it
    if point.streak is None or not (
        point.streak.clean(radius) or (gap > CARRY_MM and (point.streak.shadowed(radius) or over))
    ):
        return False
    if gap > (AHEAD_MM if loose else CARRY_MM):
        return True
    return gap > GRIPPED_MM and watch.free(point.frame, point.streak)


def _went_far(path: Path, watch: Watch) -> bool:
    """True where a puck was far from its place when it was first seen elsewhere, or went on as none does in a hand."""
    far = math.dist(path.points[0].place, path.start) > FREE_LEAP_MM
    return far or _shoots_on(path, watch) or flies_off(path, watch)


def _raced(path: Path, k: int, watch: Watch) -> bool:
    """True where a puck has come far from its place by its k-th point, in each frame faster than any hand."""
    way = path.points[: k + 1]
    steps = [
        (watch.times[b.frame] - watch.times[a.frame], math.dist(a.place, b.place)) for a, b in itertools.pairwise(way)
    ]
    fast = all(mm > SHOT_SPEED_MM_S * s for s, mm in steps) and all(
        b.frame - a.frame == 1 for a, b in itertools.pairwise(way)
    )
    return fast and math.dist(way[-1].place, path.start) > FREE_LEAP_MM


def flies_off(path: Path, watch: Watch) -> bool:
    """True where a puck was seen off its place once, a frame later, so fast that it is over the edge by the next.

    What seems to be it later is a part of the hand.
    """
    if path.end is not None or not path.points or path.last_seen_at_rest != path.points[0].frame - 1:
        return False
    if speeds_up_in_hand(path, watch):
        return False
    radius, first = watch.scene.board.puck.radius_mm, path.points[0]
    if any(p.streak is None or (p.streak.clean(radius) and watch.free(p.frame, p.streak)) for p in path.points[1:]):
        return False
    (ax, ay), (bx, by) = path.start, first.place
    out = beyond_rim_mm(watch.scene.board, 2 * bx - ax, 2 * by - ay) > -radius
    return out and math.dist(path.start, first.place) > SHOT_STEP_MM


def _shoots_on(path: Path, watch: Watch) -> bool:
    """True where a puck that left its place goes on in the next frame faster than any hand: straight, or off a wall.

    Clear of the hand and away from it, it need not be faster than any.
    """
    if len(path.points) < 2 or path.points[1].frame != path.points[0].frame + 1:
        return False
    a, b = path.points[:2]
    radius = watch.scene.board.puck.radius_mm
    if a.streak is None or b.streak is None or not b.streak.clean(radius):
        return False
    first, second = np.subtract(a.place, path.start), np.subtract(b.place, a.place)
    ways = float(np.hypot(*first)), float(np.hypot(*second))
    speed = ways[1] / max(watch.times[b.frame] - watch.times[a.frame], 1e-3)
    straight = float(first @ second) > STRAIGHT_COS * ways[0] * ways[1] and watch.free(b.frame, b.streak)
    turned = ways[1] > FREE_LEAP_MM and watch.hand_distance_mm(a.frame, *a.place) > AHEAD_MM
    clear = straight and gap_mm(a, watch) > AHEAD_MM and gap_mm(b, watch) > CARRY_MM
    fast = speed > (FLIES_MM_S if clear else SHOT_SPEED_MM_S if straight else TURNED_SPEED_MM_S)
    return (straight or turned) and ways[0] > SHOT_STEP_MM and fast


def speeds_up_in_hand(path: Path, watch: Watch) -> bool:
    """True where a puck that was lost grew faster from frame to frame near the hand: it was carried."""
    if path.end is not None:
        return False
    for a, b, c in zip(path.points, path.points[1:], path.points[2:], strict=False):
        if _gains(a, b, c) and min(watch.hand_distance_mm(p.frame, *p.place) for p in (a, b)) < CARRY_MM:
            return True
    seen = (*path.near, *path.points)  # a flick within the first of these steps gives one that is longer, and no third
    return any(
        _gains(a, b, c) and _gains(b, c, d) and _on(a, b, c)
        and all(watch.hand_distance_mm(p.frame, *p.place) < CARRY_MM for p in (a, c))
        for a, b, c, d in _fours(seen)
    )  # fmt: skip


def _on(a: PathPoint, b: PathPoint, c: PathPoint) -> bool:
    """True where a puck goes on the way that it came: not where a finger only shifted what was seen of it before."""
    return float(np.subtract(b.place, a.place) @ np.subtract(c.place, b.place)) > 0


def _gains(a: PathPoint, b: PathPoint, c: PathPoint) -> bool:
    """True where a puck that moved went further in a frame than in the one before, or in each of two."""
    frames = b.frame - a.frame
    before, after = math.dist(a.place, b.place) / frames, math.dist(b.place, c.place)
    at_once = frames <= 2 and c.frame - b.frame == 1  # or a frame was given twice
    return at_once and before >= FREE_STEP_MM and after > before + GAINED_MM
