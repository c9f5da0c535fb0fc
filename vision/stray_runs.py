"""Pucks that are seen to run by themselves although nobody's way says so: the last guard against a shot not seen.

Ways are followed from where pucks lay. Where one is lost under a finger, or what lies still there is taken for it, its
run is in the frames all the same: whole pucks, one a frame, straight on and hardly faster than before, far from any
hand. No hand moves a puck so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import dropwhile

from vision.paths import Path
from vision.streaks import Streak
from vision.watch import Watch

Place = tuple[float, float]  # mm

FRAMES = 3  # at the least in which it is seen
SPEED_MM_S = (350.0, 4000.0)  # slower, and what goes along with a hand seems to run; faster, and nothing does
FASTER, SLOWER = 1.15, 0.5  # than in the frame before: it slides freely
STRAIGHT_MM, STRAIGHT_SHARE = 3.0, 0.1  # aside, and such a share of the way on
SAME_MM = 12.0  # what is seen so near to one that is known to run is that one
CLEAR_RADII, SHADOW_MM = 1.5, 60.0  # from any hand, and one that is seen with a shadow, which may be the hand's
CAME_S = 0.35  # before it is first seen it may have been hidden for so long since it left its place …
BACK_SHARE = 0.35  # … which then lies straight behind it, but for such a share of the way


def stray_run(paths: Sequence[Path], ran: Sequence[Path], watch: Watch) -> Path | None:
    """The puck that seems to have run, of those that left their places and are not known to have; None for none.

    ran: those that are known to
    """
    known = {(p.frame, p.place) for path in ran for p in path.points}
    lay = [(p, _whole_last(p, watch)) for p in paths]
    for run in _runs(watch):
        if any(math.dist(s.place, place) < SAME_MM for s in run for frame, place in known if frame == s.frame):
            continue
        behind = list[tuple[float, Path]]()
        for seen in (run, run[1:]):  # a part of a finger may seem to be its beginning
            first = watch.times[seen[0].frame]
            left = [p for p, last in lay if p.team == run[0].team and 0 < first - watch.times[last] < CAME_S]
            behind += [(off, p) for p in left if len(seen) >= FRAMES and (off := _off_mm(p.start, seen)) is not None]
        if behind:
            return min(behind, key=lambda one: one[0])[1]
    return None


def _whole_last(path: Path, watch: Watch) -> int:
    """The last frame in which a whole puck was seen in its place: what is seen there later is what it left behind, or a
    finger."""
    near = {p.frame: p.streak for p in path.near}
    radius = watch.scene.board.puck.radius_mm
    for frame in range(path.last_seen_at_rest, -1, -1):
        if frame in near:
            streak = near[frame]
            if streak is None or streak.clean(radius):
                return frame
        elif watch.unchanged(frame, *path.start) or watch.lies(frame, *path.start):
            return frame
    return 0


def _off_mm(start: Place, run: Sequence[Streak]) -> float | None:
    """How far a place lies beside the line on which a run came; None where it did not come from there."""
    along, aside = _ahead_mm(run[0].place, run[-1].place, start, run[0].place)
    return aside if along > 0 and aside < STRAIGHT_MM + BACK_SHARE * along else None


def _ahead_mm(a: Place, b: Place, start: Place, end: Place) -> tuple[float, float]:
    """How far a step leads along the way from one place to another, and how far aside of it."""
    way = math.dist(a, b)
    ux, uy, dx, dy = (b[0] - a[0]) / way, (b[1] - a[1]) / way, end[0] - start[0], end[1] - start[1]
    return dx * ux + dy * uy, abs(dx * uy - dy * ux)


def _runs(watch: Watch) -> Iterator[list[Streak]]:
    """Whole pucks in successive frames that are one that slides freely, each once, from where it is clear of hands."""
    radius = watch.scene.board.puck.radius_mm
    whole = [[s for s in seen if s.clean(radius) or s.shadowed(radius)] for seen in watch.streaks]
    told = set[int]()

    def alone(streak: Streak) -> bool:
        least = CLEAR_RADII * radius if streak.clean(radius) else SHADOW_MM
        return watch.hand_distance_mm(streak.frame, *streak.place) > least

    for streak in (s for seen in whole for s in seen):
        if id(streak) in told:
            continue
        run = [streak]
        while following := _following(run, whole, watch.times):
            run.append(following)
        if len(run) < FRAMES:
            continue
        told |= {id(s) for s in run}
        clear = list(dropwhile(lambda s: not alone(s), run))
        if len(clear) >= FRAMES and all(map(alone, clear)):
            yield clear


def _following(run: Sequence[Streak], whole: Sequence[Sequence[Streak]], times: Sequence[float]) -> Streak | None:
    """The nearest of the next frame's pucks that goes on with a run."""
    last = run[-1]
    seen = whole[last.frame + 1] if last.frame + 1 < len(whole) else ()
    going = [s for s in seen if s.team == last.team and _goes_on(run, s, times)]
    return min(going, key=lambda s: math.dist(s.place, last.place), default=None)


def _goes_on(run: Sequence[Streak], streak: Streak, times: Sequence[float]) -> bool:
    last = run[-1]
    way, dt = math.dist(last.place, streak.place), times[streak.frame] - times[last.frame]
    if not SPEED_MM_S[0] * dt < way < SPEED_MM_S[1] * dt:
        return False
    if len(run) == 1:
        return True
    before = run[-2]
    along, aside = _ahead_mm(before.place, last.place, last.place, streak.place)
    times_as_fast = way / dt / (math.dist(before.place, last.place) / (times[last.frame] - times[before.frame]))
    return along > 0 and aside < STRAIGHT_MM + STRAIGHT_SHARE * along and SLOWER < times_as_fast < FASTER
