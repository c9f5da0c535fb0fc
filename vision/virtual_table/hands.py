"""What hands do at a table, and when: reach in, flick, push, lift, place, slide one free, or just pass."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from vision.virtual_table.handart import HandSeen
from vision.virtual_table.physics import Puck

REACH_S = (0.38, 0.52)  # from outside the board to a puck
LINGER_S = (0.28, 0.75)  # a player takes aim
STAY_S = (0.06, 0.22)  # after the flick the finger stays for a moment
GRASP_S = 0.13  # fingers close on a puck, or let go of it
CARRY_S = 0.42  # from place to place, through the air
SLIDE_S = 0.5  # along the board, at the least
SLIDE_MOST_MM_S = 150.0  # on the way from place to place, which takes SLIDE_S at the least
PUSH_S = 0.14  # a push goes along with the puck longer than the 60 ms that a flick may
LIFT_MM, TOUCH_MM, HIGH_MM = 28.0, 14.0, 55.0  # heights over the board: when it passes over it, at a puck, and outside
AWAY_MM = 430.0  # a hand starts this far outside the board
FINGER_GAP_MM = 2.0  # between fingertip and rim before a flick
PALM_MM, PINCH_MM = 78.0, 5.0  # where a held puck is, behind the fingertip
FLICK_WAY_MM = 9.0  # how far a finger goes in a flick …
FLICK_S = 0.035  # … and how long that takes


@dataclass(frozen=True, slots=True)
class Deed:
    """Something a hand does at a moment: kind is flick, grasp, release, slide, slid or passed."""

    time_s: float
    kind: str
    puck: str | None = None
    x_mm: float = 0.0
    y_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Gesture:
    """A hand's way: times (N,), ways (N, 3) x, y, height of the fingertip; deeds in order of time."""

    times: NDArray[np.float64]
    ways: NDArray[np.float64]
    angle_rad: float
    deeds: tuple[Deed, ...]
    who: int = 0

    @property
    def end_s(self) -> float:
        return float(self.times[-1])

    def tip(self, time_s: float) -> tuple[float, float, float]:
        """Fingertip x, y, height: eased between the key moments."""
        i = int(np.clip(np.searchsorted(self.times, time_s) - 1, 0, len(self.times) - 2))
        t0, t1 = float(self.times[i]), float(self.times[i + 1])
        share = min(max((time_s - t0) / max(t1 - t0, 1e-9), 0.0), 1.0)
        share = share * share * (3 - 2 * share)
        x, y, z = (float(v) for v in self.ways[i] + (self.ways[i + 1] - self.ways[i]) * share)
        return x, y, z

    def seen(self, time_s: float, exposure_s: float) -> HandSeen:
        x, y, z = self.tip(time_s)
        x0, y0, _ = self.tip(time_s - exposure_s / 2)
        x1, y1, _ = self.tip(time_s + exposure_s / 2)
        along = (x1 - x0) * math.cos(self.angle_rad) + (y1 - y0) * math.sin(self.angle_rad)
        return HandSeen(x, y, self.angle_rad, z, abs(along), self.who)


def slide_s(way_mm: float) -> float:
    """How long a hand takes to slide a puck so far."""
    return max(SLIDE_S, way_mm / SLIDE_MOST_MM_S)


class Hands:
    """Plans gestures over one board. rng: pace and angles; pinch: pucks are held by the fingertips, in view,
    not under the palm; who: 0 for the first team, 1 for the second."""

    def __init__(self, board: Board, rng: random.Random, pinch: bool = False) -> None:
        self.board, self.rng = board, rng
        self.grip = PINCH_MM if pinch else PALM_MM
        self.radius = board.puck.radius_mm

    def flick(self, start_s: float, puck: Puck, angle_rad: float, *, push: bool = False) -> Gesture:
        """Comes from behind the puck and shoots it off along angle_rad; a push goes along with it."""
        arm = angle_rad + self.rng.uniform(-0.5, 0.5)
        c, s = math.cos(angle_rad), math.sin(angle_rad)
        back = self.radius + FINGER_GAP_MM
        at = (puck.x_mm - c * (back + 5), puck.y_mm - s * (back + 5))
        way = FLICK_WAY_MM * (5 if push else 1)
        on = (at[0] + c * way, at[1] + s * way)
        reach, linger, stay = (self.rng.uniform(*span) for span in (REACH_S, LINGER_S, STAY_S))
        t = np.cumsum([start_s, reach, linger, PUSH_S if push else FLICK_S, stay, reach + 0.05])
        far = self._away(at, arm)
        ways = [(*far, HIGH_MM), (*at, TOUCH_MM), (*at, TOUCH_MM), (*on, TOUCH_MM), (*on, TOUCH_MM), (*far, HIGH_MM)]
        deed = Deed(float(t[2]) + FLICK_S * 0.6, "flick", puck.key)
        return Gesture(t, np.array(ways), arm, (deed,), self._who(puck))

    def lift(self, start_s: float, puck: Puck) -> Gesture:
        """Takes a puck away."""
        place = (puck.x_mm, puck.y_mm)
        arm = self._arm(place)
        reach = self.rng.uniform(*REACH_S)
        t = np.cumsum([start_s, reach, GRASP_S, reach + 0.08])
        far, at = self._away(place, arm), self._over(place, arm)
        ways = [(*far, HIGH_MM), (*at, TOUCH_MM), (*at, TOUCH_MM), (*far, HIGH_MM)]
        return Gesture(t, np.array(ways), arm, (Deed(float(t[2]), "grasp", puck.key),), self._who(puck))

    def place(self, start_s: float, puck: Puck, x_mm: float, y_mm: float) -> Gesture:
        """Brings a puck that is off the board, and sets it down."""
        arm = self._arm((x_mm, y_mm))
        reach = self.rng.uniform(*REACH_S)
        t = np.cumsum([start_s, reach, GRASP_S, reach + 0.05])
        far, at = self._away((x_mm, y_mm), arm), self._over((x_mm, y_mm), arm)
        ways = [(*far, HIGH_MM), (*at, TOUCH_MM), (*at, TOUCH_MM), (*far, HIGH_MM)]
        deeds = (Deed(start_s, "grasp", puck.key), Deed(float(t[1]) + GRASP_S / 2, "release", puck.key, x_mm, y_mm))
        return Gesture(t, np.array(ways), arm, deeds, self._who(puck))

    def carry(self, start_s: float, puck: Puck, x_mm: float, y_mm: float) -> Gesture:
        """Lifts a puck that lies on the board and sets it down elsewhere, in one go."""
        arm = self._arm((x_mm, y_mm))
        origin = (puck.x_mm, puck.y_mm)
        reach = self.rng.uniform(*REACH_S)
        t = np.cumsum([start_s, reach, GRASP_S, CARRY_S, GRASP_S, reach])
        a, b = self._over(origin, arm), self._over((x_mm, y_mm), arm)
        ways = [(*self._away(origin, arm), HIGH_MM), (*a, TOUCH_MM), (*a, TOUCH_MM), (*b, TOUCH_MM), (*b, TOUCH_MM),
                (*self._away((x_mm, y_mm), arm), HIGH_MM)]  # fmt: skip
        deeds = (Deed(float(t[2]), "grasp", puck.key), Deed(float(t[3]) + GRASP_S / 2, "release", puck.key, x_mm, y_mm))
        return Gesture(t, np.array(ways), arm, deeds, self._who(puck))

    def slide(self, start_s: float, puck: Puck, x_mm: float, y_mm: float) -> Gesture:
        """Slides a puck free of a wall, a finger on it."""
        origin = (puck.x_mm, puck.y_mm)
        arm = self._arm(origin)
        reach = self.rng.uniform(*REACH_S)
        t = np.cumsum([start_s, reach, GRASP_S, slide_s(math.dist(origin, (x_mm, y_mm))), GRASP_S, reach])
        far = self._away(origin, arm)
        a, b = self._over(origin, arm, PINCH_MM), self._over((x_mm, y_mm), arm, PINCH_MM)
        ways = [(*far, HIGH_MM), (*a, TOUCH_MM), (*a, TOUCH_MM), (*b, TOUCH_MM), (*b, TOUCH_MM), (*far, HIGH_MM)]
        deeds = (Deed(float(t[2]), "slide", puck.key, x_mm, y_mm), Deed(float(t[3]), "slid", puck.key, x_mm, y_mm))
        return Gesture(t, np.array(ways), arm, deeds, self._who(puck))

    def passing(self, start_s: float) -> Gesture:
        """Points at something, and goes again."""
        w, h = self.board.size
        point = (self.rng.uniform(0.1, 0.9) * w, self.rng.uniform(0.1, 0.9) * h)
        arm = self._arm(point)
        reach, linger = self.rng.uniform(*REACH_S), self.rng.uniform(0.05, 0.35)
        t = np.cumsum([start_s, reach, linger, reach])
        far = self._away(point, arm)
        ways = [(*far, HIGH_MM), (*point, LIFT_MM), (*point, LIFT_MM), (*far, HIGH_MM)]
        return Gesture(t, np.array(ways), arm, (Deed(float(t[1]) + linger / 2, "passed"),), self.rng.randrange(2))

    # -- geometry ----------------------------------------------------------------------------------
    def _who(self, puck: Puck) -> int:
        return [t.name for t in self.board.teams].index(puck.team) % 2

    def _arm(self, point: tuple[float, float]) -> float:
        """The angle of an arm that comes in over the nearest edge."""
        (w, h), (x, y) = self.board.size, point
        gaps = ((x, 0.0), (w - x, math.pi), (y, math.pi / 2), (h - y, -math.pi / 2))
        return min(gaps)[1] + self.rng.uniform(-0.45, 0.45)

    def _over(self, point: tuple[float, float], arm: float, grip: float | None = None) -> tuple[float, float]:
        """Where the fingertip is when the hand holds a puck at a point."""
        way = self.grip if grip is None else grip
        return point[0] + way * math.cos(arm), point[1] + way * math.sin(arm)

    def _away(self, point: tuple[float, float], arm: float) -> tuple[float, float]:
        """Back along the arm until the hand is outside the board, and out of the picture."""
        w, h = self.board.size
        c, s = -math.cos(arm), -math.sin(arm)
        ways = [((w if c > 0 else 0.0) - point[0]) / c if abs(c) > 1e-6 else math.inf,
                ((h if s > 0 else 0.0) - point[1]) / s if abs(s) > 1e-6 else math.inf]  # fmt: skip
        go = max(min(v for v in ways if v >= -1e9), 0.0) + AWAY_MM
        return point[0] + c * go, point[1] + s * go


def held_place(gesture: Gesture, time_s: float) -> tuple[float, float, float]:
    """Where a puck between the fingertips is: x, y, lift."""
    x, y, z = gesture.tip(time_s)
    lift = max(z - TOUCH_MM, 0.0)
    return x - PINCH_MM * math.cos(gesture.angle_rad), y - PINCH_MM * math.sin(gesture.angle_rad), lift


def due(deeds: Sequence[Deed], after_s: float, until_s: float) -> list[Deed]:
    """The deeds of a span of time (after, until]."""
    return [d for d in deeds if after_s < d.time_s <= until_s]
