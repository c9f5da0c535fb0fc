"""Whether a puck that changed its place was flicked or struck, or slid by a hand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from vision.bounces import at_wall, walls_of
from vision.crossings import beyond_rim_mm
from vision.leaving import (
    CARRY_MM,
    DART_MM,
    END_MM,
    FREE_STEP_MM,
    INTO_COS,
    LET_GO_MM,
    RUNS_ON_S,
    SHOT_AWAY_MM,
    TAKEN_MM,
    bared,
    carried,
    gap_mm,
    leapt,
    speeds_up_in_hand,
)
from vision.paths import Path, PathPoint
from vision.vanishing import (
    AHEAD_MM,
    FREE_LEAP_MM,
    SHOT_STEP_MM,
    SLIDE_MAX_MM,
    STAY_MM,
    STAYS_FRAMES,
    gone_from,
    lay,
    reached_for,
    springs,
)
from vision.watch import ARRIVED_MM, FLICKER_MM, HAND_FAR_MM, Watch

_Place = tuple[float, float]  # mm
_Seen = tuple[float, _Place]  # seconds, place
FREE_SPEED_MM_S = 170.0  # hands slide a puck at 60 to 100, a flick gives at least 250
RUNS_MM_S = 35.0  # a puck that ran SHOT_AWAY_MM faster than this, which is more than places are off by …
GLIDE_MM_S2 = 2500.0  # … and stopped as soon as friction stops what glides …
GLIDE_SLACK_S = 0.06  # … give or take two frames …
GLIDE_SHARE = 0.75  # … for so much of its whole way …
STOPS_MM = 4.0  # … and up to this near to where it lies in the end, was not slid …
GOES_ON_MM, GOES_ON_S = 3.0, 0.35  # … unless it was seen further off than this for most of so long after
LET_GO_FRAMES = 2  # a hand that slides a puck does not leave it sooner once it lies there
FREE_LEAP_FRAMES = 3  # a leap is believed after the puck was hidden for longer only where it is found at rest
STAY_S = 0.08  # what is seen within STAY_MM for longer lies still …
PART_MASS = 0.82  # … and it is no puck if it shows less than this share of what the puck showed …
HELD_STILL_MM = 45.0  # … next to a hand, of which in the dark only a part is told from the ground
AWAY_COS = 0.9  # what flies goes straight away from its place
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
STOPS_MM_S2 = 4500.0  # … was stopped by no more than this: 2500 to 3500 was measured on boards
BOUNCED_MM = 15.0  # off one that it nudged it may have come back so far
CARRIED_MM = 8.0  # a puck in a hand is no further than this from what is seen of the hand
GRIP_S = 0.3  # a puck that was seen last as a part of a hand runs on unseen for no longer than this
GLIDES_FRAMES, GLIDES_MM = 6, 40.0  # one that is seen whole in so many frames running and goes so far meanwhile …
GLIDES_COS, GLIDES_FASTER = 0.94, 1.25  # … straight on, and no faster later than before, glides, however slowly
LEFT_BEHIND = 0.6  # share of its way by which a puck that is slower than hands slide one gets away from the hand


def moved_freely(path: Path, watch: Watch) -> bool:
    """True where a puck moved faster than a hand slides it, and away from the hand at least once.

    Where it was seen whole in every frame until it came to rest the hand may have followed close behind.
    """
    if carried(path, watch) or _into_hand(path, watch) or _strays(path):
        return False
    glides = _glides(path, watch)
    if not glides and (speeds_up_in_hand(path, watch) or _comes_back(path, watch)):
        return False
    if _creeps(path, watch) or _lay_there_at_once(path, watch) or _rests_in_part(path, watch):
        return False
    if glides or _untouched(path, watch) or (path.points and leapt(path, watch)) or _in_flight(path, watch):
        return True
    if _sprang(path, watch):
        return True
    followed = _followed(path, watch)
    if (followed and _shot_away(path, watch)) or _seen_off(path, watch):
        return True
    return not _strays_in_hand(path, watch) and _breaks_free(path, watch, followed)


def _breaks_free(path: Path, watch: Watch, followed: bool) -> bool:
    """True where some step of a puck's way was faster than a hand's, with no hand on the puck: a leap, or the second of
    two steps in one direction. followed: seen whole until it came to rest, so that a hand near it may only be behind"""
    radius = watch.scene.board.puck.radius_mm
    seen = [p for p in path.points if p.streak is None or p.streak.clean(radius)]
    loose = {p.frame for p in seen if p.streak is not None and watch.free(p.frame, p.streak)}
    frames = [path.last_seen_at_rest, *(p.frame for p in path.points)]
    seen_before = {b: a for a, b in itertools.pairwise(frames)} | {path.last_seen_at_rest: path.last_seen_at_rest}
    fast: list[tuple[float, float]] = []
    points = {p.frame: p for p in path.points}
    for (fa, a), (fb, b) in itertools.pairwise([*_left_from(path), *((p.frame, p.place) for p in seen)]):
        dx, dy = b[0] - a[0], b[1] - a[1]
        way, took_s = math.hypot(dx, dy), watch.times[fb] - watch.times[fa]
        speed = way / max(took_s, 1e-3)
        hidden_s = GRIP_S if fa in points and fa not in loose else RUNS_ON_S
        known = took_s <= hidden_s and (path.end is not None or fb - seen_before[fb] <= FREE_LEAP_FRAMES)
        free = way > FREE_STEP_MM and speed > FREE_SPEED_MM_S and known and (fb in loose or followed)
        leap = way > FREE_LEAP_MM and (
            path.end is not None or (fb - fa <= FREE_LEAP_FRAMES and fb in points
            and gap_mm(points[fb], watch) > CARRIED_MM and not reached_for(path, fa, watch)
            and not (fa == path.last_seen_at_rest and bared(path, fa, watch)))
        )  # fmt: skip
        if free and (leap or any(u * dx + v * dy > 0 for u, v in fast[-1:])):
            return True
        fast = [*fast, (dx, dy)] if free else []
    return False


def _left_from(path: Path) -> list[tuple[int, tuple[float, float]]]:
    """Frames in which a puck was last seen before it ran, and its places, mm: at rest, or near where it rested."""
    near = path.near[-2:] if path.near and path.near[-1].frame == path.last_seen_at_rest else []
    outlined = [(p.frame, p.place) for p in near if p.streak is not None and p.streak.outlined]
    if outlined:  # it may have left already, and still be near
        return outlined
    return [(path.last_seen_at_rest, path.start)] if path.last_seen_at_rest >= 0 else []


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
    end = path.end
    if end is None or not path.points or len(watch.scene.vacated) > 1:
        return False
    seen_last = [p.place for p in path.near if p.frame == path.last_seen_at_rest]
    far = max(math.dist(at, end) for at in (path.start, *seen_last))
    if not AT_ONCE_MM < far < SLIDE_MAX_MM or any(math.dist(p.place, end) > ARRIVED_MM / 2 for p in path.points):
        return False
    took_s = watch.times[path.points[0].frame] - watch.times[max(path.last_seen_at_rest, 0)]
    return _too_soon(far, took_s, ARRIVED_MM / 2) and _nothing_stops_at(end, watch)


def _strays_in_hand(path: Path, watch: Watch) -> bool:
    """True where the only puck that moved lies near its place, was seen far from both, next to a hand whenever it was
    seen, and then lay there sooner than friction stops what glides: the hand slid it, and was itself what strayed."""
    end = path.end
    if end is None or len(watch.scene.vacated) > 1 or math.dist(path.start, end) > SLIDE_MAX_MM:
        return False
    before = list(itertools.takewhile(lambda p: math.dist(p.place, end) > ARRIVED_MM, path.points))
    arrived = path.points[len(before) : len(before) + 1]
    if not before or not arrived:
        return False
    away = max(min(math.dist(p.place, path.start), math.dist(p.place, end)) for p in before)
    in_hand = all(watch.hand_distance_mm(p.frame, *p.place) < CARRY_MM for p in before)
    took_s = watch.times[arrived[0].frame] - watch.times[before[-1].frame]
    at_once = _too_soon(math.dist(before[-1].place, end), took_s, ARRIVED_MM)
    return in_hand and away > FREE_LEAP_MM and at_once and _nothing_stops_at(end, watch)


def _too_soon(far_mm: float, took_s: float, near_mm: float) -> bool:
    """True where what went so far, until it was this near to where it lies, was stopped by more than friction."""
    return took_s <= math.sqrt(2 * far_mm / STOPS_MM_S2) - math.sqrt(2 * near_mm / STOPS_MM_S2)


def _nothing_stops_at(end: _Place, watch: Watch) -> bool:
    """True where neither a wall nor another puck is near a place."""
    scene = watch.scene
    beside = scene.board.puck.diameter_mm + STOPS_MM
    walls = walls_of(scene.board, scene.reefs)
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
