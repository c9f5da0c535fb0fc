"""Touches that move nothing: a puck that bounces off another one that lies against a wall and stays there."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from vision.contacts import Touch
from vision.motion import FRICTION_MM_S2, Motion

FloatArray = NDArray[np.float64]

GAP_MM = 3.5  # a bounce this far from where two pucks touch may be theirs
WALL_MM = 4.0  # one this near to a wall, too, may be the wall's
RETURN_MM = 20.0  # a wall no further behind a puck than this may throw it back to where it lay
KICK_MM_S = 150.0  # change of speed beyond what friction does that is a bounce
KICK_COS = 0.85  # it points away from the puck that was hit
BLOW_SURE, BLOW_SURER = 0.5, 0.4  # how sure a blow is at least, and how much more where the two surely touched …
SURE_KICKS = 4.0  # … and the speed changed by so many times KICK_MM_S
SAME_PLACE_MM = 1e-6  # two pucks no further apart than this are in no direction from each other
JOIN_MM = 10.0  # and where it came to touch, and where it was seen next, are joined by its run within this
STEP_S = 0.001  # a run that is carried on is looked at so often: 3 mm at the fastest
SPAN_S = 0.02  # speeds are taken over no shorter time: half a millimetre is 25 mm/s then
SHORT_S = 0.01  # but over this where another touch follows at once, and the puck that was struck has moved
BEHIND_S = 0.03  # what was struck away through another one began to move no sooner than so long before
AT_START = 1.5  # diameters around its start in which a puck's bend is no bounce
LEAST_S = 1e-6  # two knots of a run are no closer in time when its speed between them is taken
TOLD_S = 0.07  # a touch of the two that is known and this near in time is the same


@dataclass(frozen=True, slots=True)
class Lying:
    """A puck that lay still all along."""

    puck: str
    x_mm: float
    y_mm: float
    team: str = ""

    @property
    def place(self) -> tuple[float, float]:
        return (self.x_mm, self.y_mm)


def bounces(
    motions: Sequence[Motion], lying: Sequence[Lying], board: Board, known: Sequence[Touch],
    reefs: Sequence[FloatArray] = (), driven: Collection[str] = (),
) -> list[Touch]:  # fmt: skip
    """Touches with pucks that lay still, told by the bounce alone.

    Such a puck has something behind it, be it one that the same blow struck away, or a wall that threw it back against
    the one that struck it: one that lies free is driven some millimetres by any blow that shows, as those in `driven`
    were. The blow acts along the line of the two centres, from the one that lay there; where a wall is as near, it may
    have been the wall, and nothing is told. reefs: (4, 2) corners in mm of those that players placed.
    """
    walls = walls_of(board, reefs)
    out: list[Touch] = []
    for motion in motions:
        for rest in _near(motion, lying, board):
            struck_s = [t.time_s for t in known if motion.puck in (t.striker, t.struck)]
            others = [other.place for other in lying if other is not rest]
            for touch in _Pair(motion, rest, board, walls, struck_s, rest.puck in driven).blows():
                toward = np.subtract(rest.place, (touch.x_mm, touch.y_mm))
                behind = [m.start for m in motions if m is not motion and m.onset_s > touch.time_s - BEHIND_S]
                toward /= np.hypot(*toward)
                held = _held(board, walls, [*others, *behind], rest.place + WALL_MM * toward)
                returned = _held(board, walls, (), rest.place + RETURN_MM * toward)
                if not held and not returned and rest.puck not in driven:
                    continue
                pair = {touch.striker, touch.struck}
                if any({t.striker, t.struck} == pair and abs(t.time_s - touch.time_s) < TOLD_S for t in (*known, *out)):
                    continue
                out.append(touch)
    return out


def _near(motion: Motion, lying: Sequence[Lying], board: Board) -> list[Lying]:
    """Those of the pucks that lay still which a run, carried on at its fastest from one knot to the next, may reach."""
    if len(motion.times_s) < 2 or not lying:
        return []
    took = np.maximum(np.diff(motion.times_s), LEAST_S)
    fastest = float((np.hypot(*np.diff(motion.places_mm, axis=0).T) / took).max())
    reach = board.puck.diameter_mm + GAP_MM + fastest * (float(took.max()) + STEP_S)
    places = np.array([rest.place for rest in lying])
    away = np.hypot(*(places[:, None] - motion.places_mm).transpose(2, 0, 1)).min(axis=1)
    return [rest for rest, gap in zip(lying, away, strict=True) if gap <= reach]


@dataclass(frozen=True, slots=True)
class _Pair:
    """A puck that ran, and one that lay still which it may have bounced off.

    struck_s: when the one that ran touched other pucks, which bends its run as well; driven: the one that lay there
    lies a little elsewhere since, so that the run up to the next such touch is enough.
    """

    motion: Motion
    rest: Lying
    board: Board
    walls: Sequence[FloatArray]
    struck_s: Sequence[float]
    driven: bool

    def blows(self) -> Iterator[Touch]:
        """The moments at which the run changes as a blow from the one that lay still would change it."""
        times, places = self.motion.times_s, self.motion.places_mm
        for k in range(1, len(times) - 1):
            if math.dist(places[k], self.motion.start) < AT_START * self.board.puck.diameter_mm:
                continue  # the finger bends what is seen
            if times[k] - times[0] < STEP_S:
                continue
            blow = self._blow(k, k) or self._blow(k, k + 1)  # at the knot, or between this one and the next
            if blow is not None:
                yield blow

    def _blow(self, k: int, after: int) -> Touch | None:
        """The blow after a knot of the run's and no later than at the knot `after`, if there was one."""
        times, places = self.motion.times_s, self.motion.places_mm
        since, until = _far_enough(times, k, -1), _far_enough(times, after, 1)
        others = [t for t in self.struck_s if times[since] < t < times[until]]
        short = self.driven and after > k and min(others, default=0.0) >= times[after] - STEP_S
        if others and not short:
            return None
        before = (places[k] - places[since]) / (times[k] - times[since])
        ahead_s, where = _nearest(places[k], before, float(times[after] - times[k]), self.rest, self.board)
        if not self._may_touch(where):
            return None
        left = np.zeros(2)  # behind the last knot it rests
        if after + 1 < len(times):
            left = (places[until] - places[after]) / max(times[until] - times[after], SPAN_S)
        seen = _onward(where, left, places[after], float(times[after] - times[k] - ahead_s), short)
        if seen is None:
            return None
        span_s = 0.5 * (times[after] + times[until] - times[since] - times[k])  # from the middle of one run to the next
        return self._kicked(seen - before, before, where, float(times[k]) + ahead_s, span_s)

    @property
    def _reach_mm(self) -> float:
        return self.board.puck.diameter_mm + GAP_MM

    def _may_touch(self, where: FloatArray) -> bool:
        """True where the puck that ran would have touched the other one from a place, (2,) mm, and nothing else."""
        gap = float(np.hypot(*(where - np.array(self.rest.place))))
        return SAME_PLACE_MM <= gap <= self._reach_mm and not at_wall(self.board, self.walls, where)

    def _kicked(
        self, kick: FloatArray, before: FloatArray, where: FloatArray, time_s: float, span_s: float
    ) -> Touch | None:  # fmt: skip
        """A change of speed as a touch, if it points away from the puck that was hit and is more than friction's.

        kick, before: (2,) mm/s, the change and the speed ahead of it; span_s: the time over which it was seen.
        """
        away = where - np.array(self.rest.place)
        gap = float(np.hypot(*away))
        along = float(kick @ away) / gap
        least = KICK_MM_S + FRICTION_MM_S2 * span_s
        if before @ away >= 0 or along <= KICK_COS * float(np.hypot(*kick)) or along <= least:
            return None
        x, y = (where + np.array(self.rest.place)) / 2
        close = 1 - abs(gap - self.board.puck.diameter_mm) / self._reach_mm
        sure = BLOW_SURE + BLOW_SURER * min(1.0, along / (SURE_KICKS * KICK_MM_S)) * close
        return Touch(time_s, self.motion.puck, self.rest.puck, float(x), float(y), sure)


def _onward(
    place: FloatArray, velocity: FloatArray, following: FloatArray, took_s: float, short: bool
) -> FloatArray | None:  # fmt: skip
    """The speed with which a puck left a place, if it ran on from there to where it was seen next; short: that is all
    that tells of it, if it took long enough"""
    if short:
        return np.asarray((following - place) / took_s) if took_s > SHORT_S else None
    return velocity if math.dist(place + velocity * took_s, following) <= JOIN_MM else None


def _far_enough(times: FloatArray, index: int, step: int) -> int:
    """The nearest place, back (-1) or on (1), that is far enough away in time for a speed between the two."""
    other = index
    while 0 <= other + step < len(times) and abs(times[other] - times[index]) < SPAN_S:
        other += step
    return other


def _nearest(
    place: FloatArray, velocity: FloatArray,
    within_s: float, rest: Lying, board: Board,
) -> tuple[float, FloatArray]:  # fmt: skip
    """When and where a run carried on comes nearest to touching. -> seconds from now, (2,) mm"""
    ahead = np.arange(0.0, within_s + STEP_S, STEP_S)
    there = place + velocity * ahead[:, None]
    away = np.hypot(*(there - rest.place).T)
    touching = away < board.puck.diameter_mm
    k = int(touching.argmax() if touching.any() else away.argmin())
    return float(ahead[k]), there[k]


def _held(board: Board, walls: Sequence[FloatArray], others: Sequence[tuple[float, float]], place: FloatArray) -> bool:
    """True where a puck could not be: over a wall, the rim or another that lies still."""
    x, y = float(place[0]), float(place[1])
    width, height = board.size
    if min(x, y, width - x, height - y) < board.puck.radius_mm:
        return True
    if any(math.dist((x, y), other) < board.puck.diameter_mm for other in others):
        return True
    return any(cv2.pointPolygonTest(w.astype(np.float32), (x, y), True) > -board.puck.radius_mm for w in walls)


def walls_of(board: Board, reefs: Sequence[FloatArray]) -> list[FloatArray]:
    """What stands on the board and throws pucks back. reefs: those that players placed. -> (N, 2) corners each, mm"""
    return [*(np.array(o.polygon) for o in board.obstacles), *reefs]


def at_wall(board: Board, walls: Sequence[FloatArray], place: FloatArray, gap_mm: float = WALL_MM) -> bool:
    """True where a puck would touch a wall or the rim, too, or be no further from it than this."""
    near = board.puck.radius_mm + gap_mm
    x, y = float(place[0]), float(place[1])
    width, height = board.size
    if min(x, y, width - x, height - y) < near:
        return True
    return any(cv2.pointPolygonTest(wall.astype(np.float32), (x, y), True) > -near for wall in walls)
