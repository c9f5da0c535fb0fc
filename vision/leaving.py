"""Whether a puck left its place by itself, flicked or struck, or in a hand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from vision.bounces import at_wall
from vision.crossings import beyond_rim_mm
from vision.paths import Path, PathPoint
from vision.vanishing import (
    AHEAD_MM,
    FREE_LEAP_MM,
    LEAP_FRAMES,
    LEAP_S,
    SHOT_STEP_MM,
    SLACK_S,
    SLIDE_MAX_MM,
    STAY_MM,
    STAYS_FRAMES,
    gone_from,
    lay,
    reached_for,
    springs,
)
from vision.watch import ARRIVED_MM, FLICKER_MM, HAND_FAR_MM, Watch

_T = TypeVar("_T")
_Place = tuple[float, float]  # mm
_Seen = tuple[float, _Place]  # seconds, place

FREE_SPEED_MM_S = 170.0  # hands slide a puck at 60 to 100, a flick gives at least 250
FREE_STEP_MM = 4.0  # and moves it at least so far within a frame
SHOT_AWAY_MM = 8.0  # a puck that ran so far …
RUNS_MM_S = 35.0  # … faster than this, which is more than a place is off from frame to frame …
GLIDE_MM_S2 = 2500.0  # … and stopped as soon as friction stops what glides …
GLIDE_SLACK_S = 0.06  # … give or take two frames …
GLIDE_SHARE = 0.75  # … for so much of its whole way …
STOPS_MM = 4.0  # … and up to this near to where it lies in the end, was not slid …
GOES_ON_MM, GOES_ON_S = 3.0, 0.35  # … unless it was seen further off than this for most of so long after
LET_GO_MM = 5.0  # a hand that slides a puck is never further from it than this …
LET_GO_FRAMES = 2  # … and does not leave it sooner once it lies there
FREE_LEAP_FRAMES = 3  # it is not believed after the puck was hidden for longer, unless it is found at rest in the end
LATE_S = 0.05  # and where it was first seen so long after, the hand has not gone away meanwhile
STRAIGHT_COS = 0.97  # a puck that shoots off goes on in the same direction in the next frame …
SHOT_SPEED_MM_S = 1500.0  # … at a speed at which nobody carries a puck away
TURNED_SPEED_MM_S = 1200.0  # … and where it turned in between it went further than that tells
STAY_S = 0.08  # what is seen within STAY_MM for longer lies still …
PART_MASS = 0.82  # … and it is no puck if it shows less than this share of what the puck showed …
HELD_STILL_MM = 45.0  # … next to a hand, of which in the dark only a part is told from the ground
AWAY_COS = 0.9  # what flies goes straight away from its place
INTO_COS = 0.65  # within 49 degrees
FROM_SIDE_MM = 15.0  # a hand whose middle is nearer to a puck may be anywhere
UNTOUCHED_MM = 150.0  # a hand that never came nearer to a puck's edge did not move it …
UNTOUCHED_WAY_MM = 12.0  # … and a puck that moved by so much, however slowly, was struck
FASTER_AGAIN = 1.4  # a puck that was let go is not this much faster in a frame than in the one before …
FASTER_AGAIN_MM = 6.0  # … and so much more: what seems so is a hand of the puck's colour
FLICK_S = 0.09  # what a puck does sooner before it was last seen near its place is no flick's …
CREPT_S, CREPT_FRAMES = 0.6, 5  # … and where in this time, seen in so many frames, …
CREPT_MM, CREPT_SHARE = 4.5, 0.4  # … it went so far, and so much of its way, towards where it lies it was slid …
CREEP_MM_S, CREPT_OFF_MM = 110.0, 0.6  # … or if it went so without being faster than this, as its place may be off …
ON_COS = 0.7  # … and unless it was a small step that led more aside than on
AT_ONCE_MM = 18.0  # a puck that went further than this …
BOUNCED_MM = 15.0  # off one that it nudged it may have come back so far
STOPS_MM_S2 = 4500.0  # … was stopped by no more than this: 2500 to 3500 was measured on boards
GAINED_MM = 7.0  # and one that is lost goes by no more than this further in a frame than in the one before
DART_MM = 40.0  # a puck that is seen further off than this …
DART_SHARE = 0.25  # … from where it is before and after, which are so near to each other, was not there
FLIES_MM_S = 900.0  # a puck in a hand is not this fast …
CARRIED_MM = 8.0  # … nor further than this from what is seen of the hand; and one that lay still …
GRIPPED_MM = 2.5  # … until a finger flicked it at least so far, with nothing that joins it to the hand
RUNS_ON_S = 0.7  # no puck that is not seen runs on for longer …
GRIP_S = 0.3  # … and one that was seen last as a part of a hand does not for longer than this
END_MM = 14.0  # a path's last place and a puck at rest further apart are not joined without a doubt
TAKEN_MM = 20.0  # a hand that is further than this from where a puck lay, and next to that puck, took it along
ALONE_FRAMES = 4  # one that is seen whole in so many frames with no hand anywhere near is in none
GLIDES_FRAMES, GLIDES_MM = 6, 40.0  # one that is seen whole in so many frames running and goes so far meanwhile …
GLIDES_COS, GLIDES_FASTER = 0.94, 1.25  # … straight on, and no faster later than before, glides, however slowly
LEFT_BEHIND = 0.6  # share of its way by which a puck that is slower than hands slide one gets away from the hand
CARRY_MM = 25.0  # a flicked puck has left the hand by more than this a frame or two later; a carried one has not


def carried(path: Path, watch: Watch) -> bool:
    """True for a puck that was lost from sight, or lies elsewhere, after a hand had been next to it all along."""
    if path.end is not None and math.dist(path.end, path.last()) < END_MM:
        return False
    away = [
        _gap_mm(p, watch) if _flies_to(path, k, watch) else watch.hand_distance_mm(p.frame, *p.place)
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
    """The points of a path but for those from which a puck would have come back at once, to where it then stays."""
    places = [path.start, *(p.place for p in path.points)]
    places += [path.end or places[-1]] * 2
    out = []
    for point, (before, at, after, then) in zip(path.points, _fours(places), strict=True):
        off = min(math.dist(at, before), math.dist(at, after))
        if off < DART_MM or max(math.dist(before, after), math.dist(after, then)) > DART_SHARE * off:
            out.append(point)
    return out


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
    return _bared(path, left, watch)


def _bared(path: Path, left: int, watch: Watch) -> bool:
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
    gap, gone = _gap_mm(first, watch), watch.hand_distance_mm(first.frame, *path.start)
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


def _gap_mm(point: PathPoint, watch: Watch) -> float:
    """From a puck's edge to the hand. The shadow of what falls over the rim lies beside it, and is no hand."""
    if watch.over_rim(*point.place):
        return watch.whole_hand_distance_mm(point.frame, *point.place)
    return watch.hand_distance_mm(point.frame, *point.place)


def _ahead(point: PathPoint, loose: bool, watch: Watch) -> bool:
    """True where a puck was seen whole, and in front of the hand. loose: it lay clear of it, or the hand has stayed."""
    radius, gap = watch.scene.board.puck.radius_mm, _gap_mm(point, watch)
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
    if _speeds_up_in_hand(path, watch):
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
    clear = straight and _gap_mm(a, watch) > AHEAD_MM and _gap_mm(b, watch) > CARRY_MM
    fast = speed > (FLIES_MM_S if clear else SHOT_SPEED_MM_S if straight else TURNED_SPEED_MM_S)
    return (straight or turned) and ways[0] > SHOT_STEP_MM and fast


def moved_freely(path: Path, watch: Watch) -> bool:
    """True where a puck moved faster than a hand slides it, and away from the hand at least once.

    Where it was seen whole in every frame until it came to rest the hand may have followed close behind.
    """
    if carried(path, watch) or _into_hand(path, watch) or _strays(path):
        return False
    glides = _glides(path, watch)
    if not glides and (_speeds_up_in_hand(path, watch) or _comes_back(path, watch)):
        return False
    if _creeps(path, watch) or _lay_there_at_once(path, watch) or _rests_in_part(path, watch):
        return False
    if glides or _untouched(path, watch) or (path.points and leapt(path, watch)) or _in_flight(path, watch):
        return True
    if _sprang(path, watch):
        return True
    radius = watch.scene.board.puck.radius_mm
    seen = [p for p in path.points if p.streak is None or p.streak.clean(radius)]
    loose = {p.frame for p in seen if p.streak is not None and watch.free(p.frame, p.streak)}
    places = [(path.last_seen_at_rest, path.start)] if path.last_seen_at_rest >= 0 else []
    if path.near and path.near[-1].frame == path.last_seen_at_rest:  # it may have left already, and still be near
        places = [(p.frame, p.place) for p in path.near[-2:] if p.streak is not None and p.streak.outlined] or places
    places += [(p.frame, p.place) for p in seen]
    followed = _followed(path, watch)
    if (followed and _shot_away(path, watch)) or _seen_off(path, watch):
        return True
    frames = [path.last_seen_at_rest, *(p.frame for p in path.points)]
    seen_before = {b: a for a, b in itertools.pairwise(frames)} | {path.last_seen_at_rest: path.last_seen_at_rest}
    fast: list[tuple[float, float]] = []
    points = {p.frame: p for p in path.points}
    for (fa, a), (fb, b) in itertools.pairwise(places):
        dx, dy = b[0] - a[0], b[1] - a[1]
        way, took_s = math.hypot(dx, dy), watch.times[fb] - watch.times[fa]
        speed = way / max(took_s, 1e-3)
        hidden_s = GRIP_S if fa in points and fa not in loose else RUNS_ON_S
        known = took_s <= hidden_s and (path.end is not None or fb - seen_before[fb] <= FREE_LEAP_FRAMES)
        free = way > FREE_STEP_MM and speed > FREE_SPEED_MM_S and known and (fb in loose or followed)
        leap = way > FREE_LEAP_MM and (
            path.end is not None or (fb - fa <= FREE_LEAP_FRAMES and fb in points
            and _gap_mm(points[fb], watch) > CARRIED_MM and not reached_for(path, fa, watch)
            and not (fa == path.last_seen_at_rest and _bared(path, fa, watch)))
        )  # fmt: skip
        if free and (leap or any(u * dx + v * dy > 0 for u, v in fast[-1:])):
            return True
        fast = [*fast, (dx, dy)] if free else []
    return False


def _sprang(path: Path, watch: Watch) -> bool:
    """True where a puck was seen to spring off its place, whatever it did then: off a wall it may be under the hand."""
    left = path.last_seen_at_rest
    if left < 1 or not path.points or path.points[0].frame != left + 1:
        return False
    first = path.points[0].streak
    return first is not None and gone_from(path, left, watch) and springs(path, first, watch)


def _in_flight(path: Path, watch: Watch) -> bool:
    """True where a puck was seen twice running far from any hand, straight away from its place: nobody carries so."""
    radius = watch.scene.board.puck.radius_mm
    for a, b in itertools.pairwise(path.points):
        if b.frame - a.frame != 1 or watch.hand_distance_mm(a.frame, *a.place) < FLICKER_MM:
            continue
        out, on = np.subtract(a.place, path.start), np.subtract(b.place, a.place)
        far, way = float(np.hypot(*out)), float(np.hypot(*on))
        whole = all(p.streak is not None and p.streak.clean(radius) and watch.free(p.frame, p.streak) for p in (a, b))
        if whole and min(far, way) > FREE_LEAP_MM and float(out @ on) > AWAY_COS * far * way:
            return True
    return False


def _glides(path: Path, watch: Watch) -> bool:
    """True where a puck left the hand far behind, whole and straight on, and grew no faster: nothing drove it."""
    points, radius = path.points, watch.scene.board.puck.radius_mm

    def alone(p: PathPoint) -> bool:
        far = watch.hand_distance_mm(p.frame, *p.place) > FLICKER_MM
        return far and p.streak is not None and p.streak.clean(radius) and watch.free(p.frame, p.streak)

    seen = [(watch.times[p.frame], p.place) for p in points]
    for k in range(len(points) - GLIDES_FRAMES + 1):
        if not _runs((seen[k], seen[k + 1])):
            continue  # most of a path lies still
        far = (j for j in range(k + GLIDES_FRAMES, len(points) + 1)
               if math.dist(points[k].place, points[j - 1].place) > GLIDES_MM)  # fmt: skip
        end = next(far, None)
        if end is not None and _straight_on(points[k:end], watch) and all(map(alone, points[k:end])):
            return True
    return False


def _straight_on(points: Sequence[PathPoint], watch: Watch) -> bool:
    """True where a puck went on in one direction, from frame to frame, and grew no faster."""
    steps = [(np.subtract(b.place, a.place), watch.times[b.frame] - watch.times[a.frame], b.frame - a.frame)
             for a, b in itertools.pairwise(points)]  # fmt: skip
    way = np.subtract(points[-1].place, points[0].place)
    far = float(np.hypot(*way))
    if any(frames > 2 for _, _, frames in steps):
        return False
    speeds = [float(step @ way) / far / max(took_s, 1e-3) for step, took_s, _ in steps]
    half = len(speeds) // 2
    before, after = (watch.hand_distance_mm(p.frame, *p.place) for p in (points[0], points[-1]))
    left_behind = after < HAND_FAR_MM and after - before > LEFT_BEHIND * far  # else it may hide in the dark
    least = RUNS_MM_S if left_behind else CREEP_MM_S
    on = all(float(step @ way) > GLIDES_COS * float(np.hypot(*step)) * far for step, _, _ in steps)
    slower = float(np.mean(speeds[half:])) <= GLIDES_FASTER * float(np.mean(speeds[:half]))
    return on and slower and min(speeds) > RUNS_MM_S and float(np.mean(speeds)) > least


def _into_hand(path: Path, watch: Watch) -> bool:
    """True where a puck that was lost would have run straight to where the hand is that was on it: that took it along.

    A finger flicks a puck away from the hand.
    """
    lost = path.end is None or math.dist(path.last(), path.end) > 3 * END_MM
    if not lost or not path.points or path.last_seen_at_rest < 0:
        return False
    hand = np.array(watch.beside_mm(path.last_seen_at_rest, *path.start))
    far = next((p.place for p in path.points if math.dist(p.place, path.start) > TAKEN_MM), path.points[0].place)
    way = np.subtract(far, path.start)
    lengths = float(np.hypot(*hand) * np.hypot(*way))
    return float(np.hypot(*hand)) > FROM_SIDE_MM and float(hand @ way) > INTO_COS * lengths


def _strays(path: Path) -> bool:
    """True where a puck that lies near its place was hidden for long and then seen far from both: that was the hand."""
    if path.end is None or not path.points or path.points[0].frame - path.last_seen_at_rest <= FREE_LEAP_FRAMES:
        return False
    moved = math.dist(path.start, path.end)
    away = max(min(math.dist(p.place, path.end), math.dist(p.place, path.start)) for p in path.points)
    return moved < SLIDE_MAX_MM and away > moved + FREE_LEAP_MM


def _comes_back(path: Path, watch: Watch) -> bool:
    """True where a puck that was lost, and was not seen to leave its place, seemed to run far off and then through that
    place, the hand still beside it: that was the hand."""
    if path.end is not None or not path.points or path.points[0].frame - path.last_seen_at_rest <= FREE_LEAP_FRAMES:
        return False
    off = [math.dist(p.place, path.start) for p in path.points]
    return any(
        far > DART_MM and near < END_MM and watch.hand_distance_mm(path.points[k + 1].frame, *path.start) < CARRY_MM
        for k, (far, near) in enumerate(itertools.pairwise(off))
    )


def _speeds_up_in_hand(path: Path, watch: Watch) -> bool:
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


def _creeps(path: Path, watch: Watch) -> bool:
    """True where a puck, or the patch that it makes with a finger of its colour, went slowly to where it lies: a slide.

    A finger that comes to flick a puck hides less of it than that, or draws the patch the other way.
    """
    if path.end is None or not path.near or path.near[-1].frame != path.last_seen_at_rest:
        return False
    rest_s, far = watch.times[path.last_seen_at_rest], math.dist(path.start, path.end)
    if not 0 < far < SLIDE_MAX_MM:
        return False
    of_late = [p for p in path.near if p.streak is not None and watch.times[p.frame] > rest_s - FLICK_S - CREPT_S]
    until = rest_s - FLICK_S
    slow = _slow_runs([*of_late, *path.points], path.start, path.end, watch)
    return any(
        _crept(path.start, path.end, seen)
        for seen in ([p.place for p in of_late if watch.times[p.frame] < until], *slow)
    )


def _crept(start: _Place, end: _Place, seen: Sequence[_Place]) -> bool:
    """True where a puck was seen to go some of its way in some frames."""
    if len(seen) < CREPT_FRAMES:
        return False
    far = math.dist(start, end)
    along = np.subtract(seen, start) @ np.subtract(end, start) / far
    return bool(along[-1] - np.sort(along)[1] > max(CREPT_MM, CREPT_SHARE * far))  # one place may be anywhere


def _slow_runs(seen: Sequence[PathPoint], start: _Place, end: _Place, watch: Watch) -> list[list[_Place]]:
    """Where a puck was seen, frame after frame, no faster than a hand slides it, until it went on faster than that.

    A hand that comes or shifts its grip moves what is seen of the puck aside or back; that begins another run.
    """
    way = np.subtract(end, start) / math.dist(start, end)
    runs = [[p.place for p in seen[:1]]]
    for a, b in itertools.pairwise(seen):
        most = CREEP_MM_S * (watch.times[b.frame] - watch.times[a.frame])
        step, on = math.dist(a.place, b.place), float(np.subtract(b.place, a.place) @ way)
        if on > most + CREPT_OFF_MM and (on > FREE_STEP_MM or on > ON_COS * step):
            break
        if b.frame != a.frame + 1 or step > most:
            runs.append([])
        runs[-1].append(b.place)
    return runs


def _lay_there_at_once(path: Path, watch: Watch) -> bool:
    """True where the only puck that moved lay in its new place sooner than friction stops what glides, and nothing
    else can have stopped it: it was slid under a hand, of which a part was taken for it until then."""
    scene, end = watch.scene, path.end
    if end is None or not path.points or len(scene.vacated) > 1:
        return False
    seen_last = [p.place for p in path.near if p.frame == path.last_seen_at_rest]
    far = max(math.dist(at, end) for at in (path.start, *seen_last))
    if not AT_ONCE_MM < far < SLIDE_MAX_MM or any(math.dist(p.place, end) > ARRIVED_MM / 2 for p in path.points):
        return False
    took_s = watch.times[path.points[0].frame] - watch.times[max(path.last_seen_at_rest, 0)]
    if took_s > math.sqrt(2 * far / STOPS_MM_S2) - math.sqrt(ARRIVED_MM / STOPS_MM_S2):  # its last mm are there
        return False
    beside = scene.board.puck.diameter_mm + STOPS_MM
    walls = [*(np.array(o.polygon) for o in scene.board.obstacles), *scene.reefs]
    if any(math.dist(n.start, end) < beside + BOUNCED_MM for n in scene.nudges):
        return False
    return all(math.dist(p.place, end) > beside for p in scene.lying) and not at_wall(scene.board, walls, np.array(end))


def _rests_in_part(path: Path, watch: Watch) -> bool:
    """True where what was taken for a puck that is lost lay still on its way, and was less of a puck than that showed
    where it lay: patches of a hand that holds still."""
    home = [p.streak.mass for p in path.near if p.streak is not None and not p.streak.outlined]
    if path.end is not None or not home:
        return False
    least, board, k = PART_MASS * float(np.median(home)), watch.scene.board, 0
    while k < len(path.points):
        stay = _stay(path.points[k:])
        k += len(stay)
        off = math.dist(stay[0].place, path.start) > CARRY_MM and beyond_rim_mm(board, *stay[0].place) < 0
        long = watch.times[stay[-1].frame] - watch.times[stay[0].frame] > STAY_S and len(stay) >= STAYS_FRAMES
        if off and long and all(p.streak is not None and p.streak.mass < least for p in stay) and all(
            watch.hand_distance_mm(p.frame, *p.place) < HELD_STILL_MM for p in stay
        ):
            return True
    return False


def _stay(points: Sequence[PathPoint]) -> list[PathPoint]:
    """Those of a puck's points from the first on that lie near the first."""
    return list(itertools.takewhile(lambda p: math.dist(p.place, points[0].place) < STAY_MM, points))


def _followed(path: Path, watch: Watch) -> bool:
    """True where a puck left the hand behind, seen whole in every frame until it rested, and never ran faster again."""
    end = path.end
    if end is None or not path.points or math.dist(end, path.last()) >= ARRIVED_MM:
        return False
    there = next(k for k, p in enumerate(path.points) if math.dist(p.place, end) < ARRIVED_MM)
    way = path.points[: there + 1]
    radius = watch.scene.board.puck.radius_mm
    if not all(p.streak is None or p.streak.clean(radius) for p in way):
        return False
    left = path.points[: there + 1 + LET_GO_FRAMES]
    if all(watch.hand_distance_mm(p.frame, *p.place) < LET_GO_MM for p in left):
        return False
    places = [(path.last_seen_at_rest, path.start), *((p.frame, p.place) for p in way)]
    steps = [(fb - fa, math.dist(a, b)) for (fa, a), (fb, b) in itertools.pairwise(places)]
    slower = all(b <= FASTER_AGAIN * a + FASTER_AGAIN_MM for (_, a), (_, b) in itertools.pairwise(steps[1:]))
    return slower and all(gap == 1 for gap, _ in steps)


def _shot_away(path: Path, watch: Watch) -> bool:
    """True where a puck that was followed all along ran faster than hands slide, and no hand went along."""
    end = path.end
    assert end is not None
    arrived = next(k for k, p in enumerate(path.points) if math.dist(p.place, end) < ARRIVED_MM)
    after = path.points[min(arrived, 1) : arrived + 1 + LET_GO_FRAMES]  # at first the finger that flicked it is near
    if min(watch.hand_distance_mm(p.frame, *p.place) for p in after) < LET_GO_MM:
        return False
    way = [(watch.times[p.frame], p.place) for p in (*path.near, *path.points)]
    began = (path.near or path.points)[0].frame
    if began > 0 and lay(path, began - 1, watch):
        way.insert(0, (watch.times[began - 1], path.start))
    least = max(SHOT_AWAY_MM, GLIDE_SHARE * math.dist(path.start, end))
    for runs, group in itertools.groupby(itertools.pairwise(way), _runs):
        run = list(group)
        (begin, left), (stop, came) = run[0][0], run[-1][1]
        far, there = math.dist(left, came), math.dist(came, end) < STOPS_MM
        if runs and there and far > least and stop - begin < math.sqrt(2 * far / GLIDE_MM_S2) + GLIDE_SLACK_S:
            return not _goes_on(way, stop, (came, end))
    return False


def _goes_on(way: Sequence[_Seen], stop_s: float, places: Sequence[_Place]) -> bool:
    """True where a puck did not lie still once it seemed to have stopped, neither there nor where it lies in the end:
    a finger that slides it parted, for a moment, what is seen of it."""
    after = [(time_s, min(math.dist(at, p) for p in places)) for time_s, at in way if 0 < time_s - stop_s < GOES_ON_S]
    if len(after) <= LET_GO_FRAMES or after[-1][0] - stop_s < GOES_ON_S / 2:
        return False
    return float(np.median([off for _, off in after])) > GOES_ON_MM


def _runs(step: tuple[_Seen, _Seen]) -> bool:
    """True where a puck moved by more than its place is off from frame to frame."""
    (before, a), (after, b) = step
    return math.dist(a, b) > RUNS_MM_S * (after - before)


def _seen_off(path: Path, watch: Watch) -> bool:
    """True where a puck was seen off its place a frame later, and again in the next, whole and clear of the hand."""
    if len(path.points) < 2 or path.last_seen_at_rest < 0:
        return False
    radius = watch.scene.board.puck.radius_mm
    frames = [path.last_seen_at_rest, *(p.frame for p in path.points[:2])]
    clear = all(
        p.streak is not None and p.streak.clean(radius) and watch.free(p.frame, p.streak)
        and watch.hand_distance_mm(p.frame, *p.place) > AHEAD_MM
        for p in path.points[:2]
    )  # fmt: skip
    at_once = all(b - a == 1 for a, b in itertools.pairwise(frames)) and not _seen_before(path, watch)
    places = (path.start, *(p.place for p in path.near[-1:]))  # a finger may have slid it slowly until then
    return at_once and clear and min(math.dist(p.place, at) for p in path.points[:2] for at in places) > SHOT_STEP_MM


def _seen_before(path: Path, watch: Watch) -> bool:
    """True where what a puck seems to have been, off its place, was there already in the frame before it left.

    A finger in the middle of a puck parts what is seen of it, now and then.
    """
    seen, came = watch.streaks[max(path.last_seen_at_rest - 1, 0)], path.points[0].place
    return any(s.team == path.team and math.dist(s.place, came) < STAY_MM for s in seen)


def _untouched(path: Path, watch: Watch) -> bool:
    """True where a puck was seen to move while no hand was anywhere near it: somebody's puck struck it."""
    seen = [p for p in path.points if p.streak is not None]
    if len(seen) < 3 or math.dist(seen[-1].place, path.start) < UNTOUCHED_WAY_MM or path.last_seen_at_rest < 0:
        return False
    places = [(path.last_seen_at_rest, path.start), *((p.frame, p.place) for p in seen)]
    near = min(watch.hand_distance_mm(frame, *place) for frame, place in places)
    followed = all(b - a <= 2 for (a, _), (b, _) in itertools.pairwise(places))
    return followed and near > UNTOUCHED_MM and all(watch.free(p.frame, p.streak) for p in seen if p.streak is not None)


