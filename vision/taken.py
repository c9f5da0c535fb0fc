"""Pucks that a hand took away, or had brought, while the board did not come to rest."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from vision.crossings import lies_off, lies_on_edge
from vision.leaving import END_MM, whole_at
from vision.motion import FRICTION_MM_S2
from vision.paths import Path, PathPoint
from vision.resting import SeenDisc
from vision.scene import Scene
from vision.unseen_ways import came_time
from vision.vanishing import lay_last
from vision.watch import FLICKER_MM, Watch

RESTED_FRAMES = 6  # a puck that was followed to where it is seen in so many frames …
RESTED_MM = 1.5  # … no further from the middle of them, lies there, although its outline may be too faint to be found
TAKEN_S = 0.25  # a hand that takes a puck that lay still is over it so soon after it was seen last
STIRS_MM, MOVED_FRAMES = 5.0, 3  # one that is further off has moved on, by a hand that is near in one of so many frames
SHIFT_MM = 2.5  # of a puck that seems to lie in its place still: so near to where it lies it has come there already
THERE_FRAMES, THERE_MM = 3, 4.0  # what is seen so near to a place in so many frames lies there


def taken_from(path: Path, scene: Scene, watch: Watch) -> tuple[SeenDisc, float] | None:
    """Where a puck that is gone had come to rest, clear of any hand, before one took it away, and when that was.

    The board need not have rested meanwhile: another hand may have stirred all along.
    """
    if path.end is not None:
        return None
    if (stays := _stay(path, watch)) is None:
        return None
    x, y = (float(v) for v in np.median([p.place for p in stays], axis=0))
    last = max(p.frame for p in path.points if math.dist(p.place, (x, y)) < END_MM)
    after = range(last + 1, len(watch.times))
    over = [k for k in after if watch.covered(k, x, y)]
    if not over or watch.times[over[0]] - watch.times[last] > TAKEN_S or not watch.bare(after[-1], x, y):
        return None
    return painted(path.team, x, y, scene), (watch.times[over[0]] + watch.times[over[-1]]) / 2


def moved_on_by_hand(path: Path, watch: Watch) -> bool:
    """True where a puck had come to rest, clear of any hand, and one was beside it when it moved on."""
    if (stays := _stay(path, watch)) is None:
        return False
    x, y = np.median([p.place for p in stays], axis=0)
    later = (p for p in path.points if p.frame > stays[-1].frame and math.dist(p.place, (x, y)) > STIRS_MM)
    return any(watch.hand_distance_mm(p.frame, *p.place) < FLICKER_MM for p in itertools.islice(later, MOVED_FRAMES))


def stayed_on_edge(path: Path, watch: Watch) -> bool:
    """True where a puck came to rest, clear of any hand, half over the board's edge."""
    stay = _first_stay(path, watch)
    return stay is not None and lies_on_edge(watch.scene.board, *stay[-1].place)


def _stay(path: Path, watch: Watch) -> list[PathPoint] | None:
    """The points at which a puck was first seen to lie still, clear of any hand; None where it was not, or lay beside
    the board."""
    stay = _first_stay(path, watch)
    return None if stay is None or lies_off(watch.scene.board, *stay[-1].place) else stay


def _first_stay(path: Path, watch: Watch) -> list[PathPoint] | None:
    """The same, wherever that was."""
    starts = range(len(path.points) - RESTED_FRAMES + 1)
    return next((stay for k in starts if _stays(stay := path.points[k : k + RESTED_FRAMES], watch)), None)


def _stays(seen: Sequence[PathPoint], watch: Watch) -> bool:
    """True where a puck was seen in one place in frame after frame, and no hand was near when it came there."""
    x, y = np.median([p.place for p in seen], axis=0)
    at_once = seen[-1].frame - seen[0].frame < len(seen)
    still = all(math.dist(p.place, (x, y)) < RESTED_MM for p in seen)
    return at_once and still and watch.hand_distance_mm(seen[0].frame, *seen[0].place) > FLICKER_MM


def there_before(path: Path, disc: SeenDisc, watch: Watch) -> bool:
    """True where a disc was seen in its place while a puck still lay in its own: it is another one."""
    if path.last_seen_at_rest >= len(watch.times) - 1:  # it is hardly other than the ground, and was not seen to leave
        return False
    frames = range(max(path.last_seen_at_rest - THERE_FRAMES + 1, 0), path.last_seen_at_rest + 1)
    return len(frames) == THERE_FRAMES and all(
        any(s.team == disc.team and math.dist(s.place, disc.place) < THERE_MM for s in watch.streaks[k]) for k in frames
    )


def left_by(path: Path, disc: SeenDisc, watch: Watch) -> None:
    """Sets right until when a puck lay in its place that seems to lie there to the last frame, as the ground is of its
    colour: it had left so long before it was seen where it lies as it glides there."""
    if path.last_seen_at_rest < len(watch.times) - 1:
        return
    came_s = came_time(watch, disc)
    left_s = came_s - math.sqrt(2 * math.dist(path.start, disc.place) / FRICTION_MM_S2)
    path.last_seen_at_rest = max(bisect_right(watch.times, left_s) - 1, 0)
    path.near = [p for p in path.near if p.frame <= path.last_seen_at_rest]


def shifted_by(path: Path, disc: SeenDisc, watch: Watch) -> None:
    """Sets right until when a puck lay in its place that was struck and came to lie beside it, where its two places
    overlap and what is seen of it in the end seems to be in both: in the frame in which it was first seen where it
    lies, it had left."""
    count = len(watch.times)
    if path.points or path.last_seen_at_rest < count - 1 or math.dist(path.start, disc.place) < 2 * SHIFT_MM:
        return
    lay = lay_last(path.start, watch)
    seen = (whole_at(path.team, disc.place, k, watch, SHIFT_MM) for k in range(lay + 1, count))
    if (there := next(filter(None, seen), None)) is not None:
        path.last_seen_at_rest = there.frame - 1
        path.near = [*(p for p in path.near if p.frame <= lay), there]


def painted(team: str, x_mm: float, y_mm: float, scene: Scene) -> SeenDisc:
    """A puck of a team at a place where it was followed to, not found by its outline."""
    blue, green, red = scene.palette.bgr(team)
    return SeenDisc(team, x_mm, y_mm, 0.0, (float(blue), float(green), float(red)))
