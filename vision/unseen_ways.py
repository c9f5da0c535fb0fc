"""Pucks that lie elsewhere although neither their way nor a hand on it was seen."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from vision.leaving import RUNS_ON_S
from vision.motion import Motion
from vision.moved_freely import FASTER_AGAIN, FASTER_AGAIN_MM
from vision.paths import USUAL_FPS, Path
from vision.resting import SeenDisc
from vision.scene import Scene
from vision.short_flicks import ran
from vision.vanishing import SLIDE_MAX_MM, after_a_moment, flown, lay_last, vanished
from vision.watch import Watch

Place = tuple[float, float]

LIFTED_S = 0.5  # a hand takes longer than this to lift a puck here and set it down there …
NO_LIFT_S = 0.25  # … and surely longer than this
LONG_SLIDE_MM = 40.0  # a hand that slides a puck by more than this …
LONG_SLIDE_MM_S = 250.0  # … takes longer than at this speed
HOP_S = 0.15  # nor has it slid a puck anywhere in so short a time …
HOP_MM, ARRIVES_MM = 8.0, 1.5  # … further than this, from just as it lay to so near to where it lies …
HOPPED_SURELY_MM = 12.0  # … (in which a nudge takes it no further than this) …
HOP_GONE = 0.25  # … and is not seen elsewhere nearby instead in more than this share of the frames since …
HOP_STAYS_S = 0.28  # … or in so short a time where it is seen to have lain there ever since
SELDOM_S = 0.05  # where frames are further apart than at 20 a second, …
SELDOM_HOP_S, SELDOM_LAY_MM = 0.21, 1.2  # … in so short a time, from where it was seen so near to where it had lain, …
SELDOM_HOP_MM = 12.0  # … this is further than a finger slides a puck …
SELDOM_RUNS, SELDOM_RUNS_MM_S = 3, 225.0  # … nor does it do so faster than this in so many of them one after the other
SLID_S = 0.5  # a hand slides a puck in so much time, of whatever is seen meanwhile
HELD_S, HELD_MM = 0.3, 30.0  # what does not look as it lay for so long before it goes no further has a finger on it
STRAYED_MM, STRAYED_S = 3.0, 0.12  # … which slides it where the two are seen so far off for so long in all …
CAME_S, CREPT_MM, CREPT_OF = 0.1, 1.5, 3  # … and, once it is there, creep so far from the first few places to the last
IN_SIGHT_S = 0.12  # a puck that is never hidden for longer …
SLIDES_MM_S, IN_SIGHT_MM = 350.0, 4.0  # … and never further on than this was slid, not carried
WAITS_S, WAITS_MM, STIRS_MM = 0.12, 90.0, 4.0  # a hand that comes no nearer for so long, so near, is about to flick
THERE_MM = 4.0  # what is seen so near to where a puck lies in the end is that puck
UNSEEN_MM = 250.0  # a puck that goes so far is seen on its way: at 3 m/s it takes more than two frames
JUST_AHEAD_MM = 40.0  # and one that is so near to the edge is hardly seen on its way there
ASIDE_RAD = math.radians(30.0)  # a finger flicks a puck straight away from the hand, or so far to the side
ABOUT_S, ABOUT_MM = 0.2, 100.0  # when and how near a hand is seen that flicks a puck, whatever is seen of its finger
BESIDE_MM = 40.0  # a fingertip that waits to flick a puck is no further from its middle …
TIP_SINCE_S, TIP_STAYS_S, TIP_STAYS_MM = 0.5, 0.03, 3.0  # … just before, and stays for longer than this, as near
ON_IT_MM = 3.0  # a hand this near to a puck's place may hide the puck, where it looks like the ground
RACED_MM, RACED_MM_S = 20.0, 600.0  # no hand slides a puck so far in its first frame, nor so fast …
TURNED_RAD = math.radians(60.0)  # … but for one that comes back, as off a wall, …
TURNED_MM, TURNED_MM_S = 15.0, 450.0  # … where this is enough …
RACES_ON_MM_S = 300.0  # … and so fast still in the next, to let it go slower and slower from there to where it lies


def unhandled(paths: Sequence[Path], joined: dict[str, SeenDisc], scene: Scene, watch: Watch) -> list[Path]:
    """Pucks that no hand can have taken away or brought: none ever came near where they were or are."""
    taken = {id(d) for d in joined.values()}
    strange = any(not watch.reached(d.place) for d in scene.appeared if id(d) not in taken)
    out = [p for p in paths if not watch.reached(p.start) or (p.end is not None and not watch.reached(p.end))]
    return out or (list(paths) if strange else [])


def unreached(paths: Sequence[Path], joined: Mapping[str, SeenDisc], watch: Watch) -> list[Path]:
    """Pucks that are found nowhere, and that no hand came near: they lie somewhere, hardly other than the ground."""
    return [p for p in paths if p.puck not in joined and not watch.reached(p.start)]


def too_quick(
    paths: Sequence[Path], joined: Mapping[str, SeenDisc], scene: Scene, watch: Watch, least_mm: float = LONG_SLIDE_MM
) -> list[tuple[Path, SeenDisc]]:
    """Pucks that lay somewhere else so soon that no hand can have slid them there, or lifted them and set them down.

    -> each with where it lies. least_mm: how far off at least.
    """
    ends = [d.place for d in joined.values()]
    loose = [d for d in scene.appeared if d.place not in ends]
    out: list[tuple[Path, SeenDisc]] = []
    for path in paths:
        if _gone_before(path, watch):
            continue
        left = max(path.last_seen_at_rest, 0)
        mine = [joined[path.puck]] if path.puck in joined else [d for d in loose if d.team == path.team]
        far = [d for d in mine if math.dist(d.place, path.start) > least_mm and all(d is not o for _, o in out)]
        quick = (d for d in far if _no_hand_so_quick(watch, path, left, d))
        if (disc := next(quick, None)) is not None:
            out.append((path, disc))
    return out


def aimed_at(paths: Sequence[Path], watch: Watch) -> list[Path]:
    """Pucks that still lay where they had lain when the frames end, if a hand waited near one of them that is gone
    since, or lies further off than a hand slides one: a hand that lifts a puck does not wait beside it."""
    last = len(watch.times) - 1
    lay = [p for p in paths if watch.lies(last, *p.start) or watch.unchanged(last, *p.start)]
    away = [p for p in lay if p.end is None or math.dist(p.start, p.end) > SLIDE_MAX_MM]
    return lay if any(_hand_waits(p, watch) for p in away) else []


def _hand_waits(path: Path, watch: Watch) -> bool:
    """True where a hand near a puck has come no nearer to it for a while, and gone no further, when the frames end."""
    since_s = watch.times[-1] - WAITS_S
    if watch.times[0] > since_s:
        return False
    away = [watch.hand_distance_mm(k, *path.start) for k, time_s in enumerate(watch.times) if time_s >= since_s]
    return max(away) < WAITS_MM and max(away) - min(away) < STIRS_MM


def put_down_too_soon(
    paths: Sequence[Path], joined: Mapping[str, SeenDisc], scene: Scene, watch: Watch
) -> list[tuple[Path, SeenDisc]]:
    """Pucks that seem to lie nowhere, of whose team one lies nearby sooner than a hand lifts one and sets another down.

    -> each with where it lies.
    """
    ends = [d.place for d in joined.values()]
    pairs = [
        (path, disc) for path in paths for disc in scene.appeared
        if path.puck not in joined and disc.place not in ends and disc.team == path.team and slidable(path, disc)
        and not _gone_before(path, watch)
    ]  # fmt: skip
    out: list[tuple[Path, SeenDisc]] = []
    for path, disc in sorted(pairs, key=lambda pair: math.dist(pair[0].start, pair[1].place)):
        left, came = max(path.last_seen_at_rest, 0), _came(watch, disc)
        free = all(path is not p and disc is not d for p, d in out)
        if free and came is not None and 0 <= watch.times[came] - watch.times[left] < LIFTED_S:
            out.append((path, disc))
    return out


def _gone_before(path: Path, watch: Watch) -> bool:
    """True where a hand lay on a puck's place when the frames begin: it may have left its place by then."""
    return path.last_seen_at_rest < 0 and watch.covered(0, *path.start)


def slidable(path: Path, disc: SeenDisc) -> bool:
    """True where a puck lies no further from where it lay than a hand slides one."""
    return math.dist(disc.place, path.start) < SLIDE_MAX_MM


def slid_in_sight(path: Path, disc: SeenDisc, watch: Watch) -> bool:
    """True for a puck that was seen all the way to where it lies, no faster than hands slide one, however far."""
    there = next((k for k, p in enumerate(path.points) if math.dist(p.place, disc.place) < THERE_MM), None)
    if there is None or not path.near:
        return False
    for a, b in itertools.pairwise([path.near[-1], *path.points[: there + 1]]):
        took_s = watch.times[b.frame] - watch.times[a.frame]
        if took_s > IN_SIGHT_S or math.dist(a.place, b.place) > IN_SIGHT_MM + SLIDES_MM_S * took_s:
            return False
    return True


def gone_in_a_moment(paths: Sequence[Path], joined: Mapping[str, SeenDisc], watch: Watch) -> list[Path]:
    """Pucks that lie further off than a hand slides one, or nowhere, and were gone as no hand takes one away.

    Of their points only those are kept that were no hand's. One that lies nowhere and was seen nowhere went over the
    edge unseen: where that is far off, as a finger flicks, a hand of the ground's colour took it.
    """
    out: list[Path] = []
    for path in paths:
        if path.puck in joined and slidable(path, joined[path.puck]):
            continue
        if (lay := vanished(path, watch)) is None:
            continue
        points = flown(path, watch)
        if points or path.puck in joined or _edge_ahead_mm(path.start, lay, watch) < UNSEEN_MM:
            path.points, path.last_seen_at_rest = points, lay
            out.append(path)
    return out


def _edge_ahead_mm(place: tuple[float, float], lay: int, watch: Watch) -> float:
    """How far the surface's edge is from a puck, the way that a finger sends it: away from the hand, more or less.

    lay: the last frame in which it lay there. 0 where no hand is seen beside it.
    """
    sides = (watch.beside_mm(frame, *place) for frame in (lay, lay + 1) if frame < len(watch.times))
    x, y = next((side for side in sides if side != (0.0, 0.0)), (0.0, 0.0))
    if x == y == 0.0:
        return 0.0
    away = math.atan2(-y, -x)
    return min(_to_edge_mm(place, away + aside, watch.scene.board.size) for aside in (-ASIDE_RAD, 0.0, ASIDE_RAD))


def _to_edge_mm(place: tuple[float, float], heading_rad: float, size: tuple[float, float]) -> float:
    """From a place on a surface (width, height) to its edge, in a direction."""
    ways = zip(place, (math.cos(heading_rad), math.sin(heading_rad)), size, strict=True)
    return min((((most if step > 0 else 0.0) - at) / step for at, step, most in ways if abs(step) > 1e-9), default=0.0)


def hand_stayed(path: Path, watch: Watch) -> bool:
    """True where a hand lay on a puck's place, or right beside it, for longer than in passing after that was gone, and
    the edge is not just ahead of it."""
    frames = after_a_moment(path.last_seen_at_rest, watch)
    stayed = len(frames) > 0 and all(watch.hand_distance_mm(k, *path.start) <= ON_IT_MM for k in frames)
    return stayed and _edge_ahead_mm(path.start, path.last_seen_at_rest, watch) > JUST_AHEAD_MM


def set_down_later(path: Path, disc: SeenDisc, watch: Watch) -> bool:
    """True where a disc lay in its place only long after a puck was gone: a hand set it down, that puck or another."""
    return came_time(watch, disc) - watch.times[path.last_seen_at_rest] > RUNS_ON_S


def slid_too_fast(path: Path, watch: Watch) -> bool:
    """True where a puck that went no further than hands slide one was quicker than that, and hands had no time to slide
    it from when it last looked just as it lay: what seems to run then is the finger on it."""
    if path.end is None or math.dist(path.start, path.end) >= SLIDE_MAX_MM:
        return False
    there = _there(path, path.end, watch, THERE_MM)
    came = _first_of_two(there)
    if came is not None:
        lay = lay_last(path.start, watch, watch.times[came])
        if lay >= 0 and watch.times[came] - watch.times[lay] > SLID_S:
            return False
    return ran(path, watch.streaks, watch.times, watch.scene.board.puck.radius_mm)


def hopped(path: Path, watch: Watch, least_mm: float = HOP_MM) -> bool:
    """True where a puck lay just as it had lain, and a moment later where it lies in the end, further off than so much
    and no further than a hand slides one."""
    end = path.end
    if end is None or not least_mm < math.dist(path.start, end) < SLIDE_MAX_MM:
        return False
    there = _there(path, end, watch, ARRIVES_MM)
    came, stays = _first_of_two(there), len(there) - len(list(itertools.takewhile(bool, reversed(there))))
    at_once = _came_so_soon(path, watch, came, HOP_S) and not _gone_again(path, end, came or 0, watch)
    return at_once or _came_so_soon(path, watch, stays, HOP_STAYS_S) or _hopped_in_few_frames(path, watch, stays)


def _hopped_in_few_frames(path: Path, watch: Watch, stays: int) -> bool:
    """True where frames are few, and hardly one of them lies between the last that shows a puck whole where it had
    lain, a finger beside it or not, and those that show where it lies in the end. stays: the first of these"""
    seldom = watch.scene.frame_s > SELDOM_S and 0 < stays < len(watch.times)
    if not seldom or path.end is None or math.dist(path.start, path.end) < SELDOM_HOP_MM:
        return False
    radius = watch.scene.board.puck.radius_mm
    soon = [k for k in range(stays) if watch.times[stays] - watch.times[k] < SELDOM_HOP_S]
    return any(s.team == path.team and s.clean(radius) and math.dist(s.place, path.start) < SELDOM_LAY_MM
               for k in soon for s in watch.streaks[k])  # fmt: skip


def _gone_again(path: Path, end: Place, came: int, watch: Watch) -> bool:
    """True where what seems to be a puck that has come to a place in a frame is seen beside it instead in many frames
    since, although no hand covers the place: it is a finger that looks like one."""
    there, since = _there(path, end, watch, THERE_MM), range(came, len(watch.times))
    beside = _there(path, end, watch, HELD_MM)
    return sum(beside[k] and not there[k] and not watch.covered(k, *end) for k in since) > HOP_GONE * len(since)


def _there(path: Path, end: Place, watch: Watch, within_mm: float) -> list[bool]:
    """Of each frame whether something of a puck's paint is seen where the puck lies in the end."""
    return [any(s.team == path.team and math.dist(s.place, end) < within_mm for s in seen) for seen in watch.streaks]


def raced_off(path: Path, watch: Watch) -> bool:
    """True where a puck that went no further than hands slide one, as off a wall beside it, was seen whole in the first
    two frames of a way that no hand goes: faster than that, and never faster again until it lay still."""
    points, radius, end = path.points, watch.scene.board.puck.radius_mm, path.end
    there = next((k for k, p in enumerate(points) if end is not None and math.dist(p.place, end) < THERE_MM), 0)
    if end is None or there < 3 or math.dist(path.start, end) >= SLIDE_MAX_MM:
        return False
    if not all(p.streak is not None and p.streak.clean(radius) for p in points[:2]):
        return False
    seen = [(path.last_seen_at_rest, path.start), *((p.frame, p.place) for p in points[: there + 1])]
    steps = [(b - a, math.dist(at, to)) for (a, at), (b, to) in itertools.pairwise(seen)]
    if [frames for frames, _ in steps[:3]] != [1, 1, 1]:
        return False
    (_, first), (_, second), (_, third), *_ = steps
    took_s, then_s, last_s = (
        watch.times[b] - watch.times[max(a, 0)] for (a, _), (b, _) in itertools.pairwise(seen[:4])
    )
    least_mm, least_mm_s = (TURNED_MM, TURNED_MM_S) if _turned(*(at for _, at in seen[:3])) else (RACED_MM, RACED_MM_S)
    fast = first > max(least_mm, least_mm_s * took_s) and second > RACES_ON_MM_S * then_s
    fast = fast and third > RACES_ON_MM_S / 2 * last_s  # or it was seen elsewhere for a frame
    each = [mm / frames for frames, mm in steps]
    return fast and all(b <= FASTER_AGAIN * a + FASTER_AGAIN_MM for a, b in itertools.pairwise(each))


def ran_in_few_frames(path: Path, watch: Watch) -> bool:
    """True where frames are few, and a puck that went no further than hands slide one was seen in each of the first of
    its way, faster than that, whichever way it was turned meanwhile."""
    points, end = path.points, path.end
    there = next((k for k, p in enumerate(points) if end is not None and math.dist(p.place, end) < THERE_MM), 0)
    seldom = watch.scene.frame_s > SELDOM_S and path.last_seen_at_rest >= 0
    if not seldom or end is None or there < SELDOM_RUNS - 1 or math.dist(path.start, end) >= SLIDE_MAX_MM:
        return False
    seen = [(path.last_seen_at_rest, path.start), *((p.frame, p.place) for p in points[:SELDOM_RUNS])]
    return all(b == a + 1 and math.dist(at, to) > SELDOM_RUNS_MM_S * (watch.times[b] - watch.times[a])
               for (a, at), (b, to) in itertools.pairwise(seen))  # fmt: skip


def _turned(start: Place, then: Place, last: Place) -> bool:
    """True where a way bends so much that it hit something."""
    (ax, ay), (bx, by) = np.subtract(then, start), np.subtract(last, then)
    return bool(ax * bx + ay * by < math.cos(TURNED_RAD) * math.hypot(ax, ay) * math.hypot(bx, by))


def held_before(motion: Motion, watch: Watch) -> bool:
    """True where a puck that went no further than hands slide one had not looked as it lay for a while before it left:
    a finger of its colour that lies on it, and then leaves it, looks like a puck that was flicked."""
    if motion.end is None or math.dist(motion.start, motion.end) > HELD_MM:
        return False
    lay = lay_last(motion.start, watch, motion.onset_s)
    return lay >= 0 and motion.onset_s - watch.times[lay] > HELD_S


def dragged(path: Path, watch: Watch) -> bool:
    """True where a puck that went no further than hands slide one had not looked as it lay for a while, and what was
    seen of it and of what lay on it strayed from its place, and crept on: a finger of its colour has slid it, and was
    gone in a moment. What waits for a flick stays where it lies, or a finger beside it shifts it once."""
    if path.end is None or math.dist(path.start, path.end) > HELD_MM or path.last_seen_at_rest < 0:
        return False
    left_s = watch.times[path.last_seen_at_rest]
    lay = lay_last(path.start, watch, left_s)
    if lay < 0 or left_s - watch.times[lay] <= HELD_S:
        return False
    held = [p for p in path.near if lay < p.frame <= path.last_seen_at_rest]
    frames = path.last_seen_at_rest - lay
    strayed = sum(math.dist(p.place, path.start) > STRAYED_MM for p in held)
    then = [p.place for p in held if watch.times[p.frame] - watch.times[lay] > CAME_S]
    if len(held) * 2 < frames or len(then) < 2 or strayed * (left_s - watch.times[lay]) / frames <= STRAYED_S:
        return False
    few = max(1, min(len(then) // 2, CREPT_OF))
    return float(np.hypot(*np.subtract(np.mean(then[-few:], axis=0), np.mean(then[:few], axis=0)))) > CREPT_MM


def hand_about(motion: Motion, watch: Watch) -> bool:
    """True where a hand may have flicked a puck of which less was told from the ground behind it: it was near then, or
    something of a team's paint lay still beside the puck before it left, where no puck lay or came to lie."""
    near = [k for k, time_s in enumerate(watch.times) if abs(time_s - motion.onset_s) < ABOUT_S]
    return any(watch.hand_distance_mm(k, *motion.start) < ABOUT_MM for k in near) or _fingertip_beside(motion, watch)


def _fingertip_beside(motion: Motion, watch: Watch) -> bool:
    scene = watch.scene
    pucks = [*(p.place for p in scene.vacated), *(p.place for p in scene.lying), *(n.start for n in scene.nudges)]
    pucks += [d.place for d in scene.appeared]
    before = [k for k, time_s in enumerate(watch.times) if 0 < motion.onset_s - time_s < TIP_SINCE_S]
    tips = [(watch.times[k], s.place) for k in before for s in watch.streaks[k]
            if math.dist(s.place, motion.start) < BESIDE_MM
            and all(math.dist(s.place, p) > scene.board.puck.radius_mm for p in pucks)]  # fmt: skip
    return any(now_s - was_s > TIP_STAYS_S and math.dist(was, now) < TIP_STAYS_MM
               for (was_s, was), (now_s, now) in itertools.combinations(tips, 2))  # fmt: skip


def _came_so_soon(path: Path, watch: Watch, came: int | None, within_s: float) -> bool:
    """True where a puck that is seen elsewhere from a frame on had lain just as before so short a time ago."""
    if came is None or came == len(watch.times) or watch.lies(came, *path.start):  # of the ground's colour, for ever
        return False
    lay = next((k for k in range(came - 1, -1, -1) if watch.lies(k, *path.start)), None)
    return lay is not None and watch.times[came] - watch.times[lay] < within_s


def _no_hand_so_quick(watch: Watch, path: Path, left: int, disc: SeenDisc) -> bool:
    """True where a puck lay somewhere else sooner than a hand can have slid it there, or lifted and put it there."""
    came, far = _came(watch, disc), math.dist(disc.place, path.start)
    if came is None:
        return False
    if far > SLIDE_MAX_MM:
        return _slid_hidden(watch, path.team, left, came)
    return 0 < watch.times[came] - watch.times[left] < far / LONG_SLIDE_MM_S + _unseen_s(watch, left, came)


def _unseen_s(watch: Watch, left: int, came: int) -> float:
    """By how much later a puck may have left its place, and sooner have lain elsewhere, than frames show it that are
    fewer than usual, or of which some are missing."""
    times, last = watch.times, len(watch.times) - 1
    gaps = times[min(left + 1, last)] - times[left], times[came] - times[max(came - 1, 0)]
    return max(sum(gaps) - 2 / USUAL_FPS, 0.0)


def _slid_hidden(watch: Watch, team: str, left: int, came: int) -> bool:
    """True where a puck was on its way too shortly to have been lifted, and something hid it all the while, or where
    it was so even in the dark."""
    took_s = watch.times[came] - watch.times[left]
    if 0 <= took_s < NO_LIFT_S:
        return True
    return 0 <= took_s < LIFTED_S and not any(watch.empty(frame, team) for frame in range(left + 1, came))


def came_time(watch: Watch, disc: SeenDisc) -> float:
    """When a placed puck was there: the first time that it is seen and stays, or the last of the frames."""
    came = _came(watch, disc)
    return watch.times[-1 if came is None else came]


def _came(watch: Watch, disc: SeenDisc) -> int | None:
    """The first frame that shows a puck where it lies in the end, and does so again in one of the next two."""
    seen = [
        any(s.team == disc.team and math.dist(s.place, disc.place) < THERE_MM for s in streaks)
        for streaks in watch.streaks
    ]
    return _first_of_two(seen)


def _first_of_two(seen: Sequence[bool]) -> int | None:
    """The first of the frames in which something is seen, and again in one of the next two, or that is the last."""
    last = len(seen) - 1
    return next((k for k, there in enumerate(seen) if there and (k == last or any(seen[k + 1 : k + 3]))), None)
