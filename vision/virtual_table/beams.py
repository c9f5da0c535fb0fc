"""What a sensor board at the virtual table would feel: beams in the doors, the gate's eye, knocks under the board.

The beams of a door run across its doorway: the outer one on the door's line, the inner one a little behind it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Door

FloatArray = NDArray[np.float64]

INNER_MM = 10.0  # the inner beam behind the outer one: less than a puck, so that both are broken at once
SPOT_MM = 3.0  # the gate's eye sees a puck once it covers the middle by so much
KNOCK_S = 0.02  # how long the knock sensor's capacitor holds
STEP_S = 5e-4  # how finely it is looked when a puck cuts a beam


@dataclass(frozen=True, slots=True)
class Felt:
    """A sensor changed at time_s. what: "beam", "gate" or "knock"; door: its place in the board file; inner: which."""

    time_s: float
    what: str
    active: bool
    door: int = 0
    inner: bool = False


Sensor = tuple[str, int, bool]


class Sensors:
    """Remembers how each sensor is, and tells of changes."""

    def __init__(self, board: Board) -> None:
        self._radius = board.puck.radius_mm
        self._beams = {("beam", i, inner): beam_line(door, INNER_MM * inner)
                       for i, door in enumerate(board.doors) for inner in (False, True)}  # fmt: skip
        self._gate = board.gates[0].circle[:2] if board.gates else None
        self._active: dict[Sensor, bool] = {}
        self._knock_until_s = -math.inf

    def feel(self, times_s: FloatArray, moving: Mapping[str, FloatArray], resting: Sequence[tuple[float, float]],
             knocks_s: Iterable[float] = ()) -> list[Felt]:  # fmt: skip
        """Changes at moments in order. times_s: (N,); moving: (N, 2) places of each puck; resting: of the others."""
        out: list[Felt] = []
        for sensor, (a, b) in self._beams.items():
            out += self._changes(sensor, times_s, moving, resting, a, b, self._radius)
        if self._gate is not None:
            eye = np.asarray(self._gate, np.float64)
            out += self._changes(("gate", 0, False), times_s, moving, resting, eye, eye, self._radius - SPOT_MM)
        out += self._knocks(float(times_s[-1]), sorted(knocks_s))
        return sorted(out, key=lambda felt: felt.time_s)

    def _changes(self, sensor: Sensor, times_s: FloatArray, moving: Mapping[str, FloatArray],
                 resting: Sequence[tuple[float, float]], a: FloatArray, b: FloatArray,
                 reach: float) -> list[Felt]:  # fmt: skip
        broken = np.zeros(len(times_s), bool)
        if resting and (distances(np.asarray(resting, np.float64), a, b) < reach).any():
            broken[:] = True
        for places in moving.values():
            broken |= distances(places, a, b) < reach
        was, out = self._active.get(sensor, False), []
        for k in np.flatnonzero(np.diff(np.concatenate([[was], broken]))):
            out.append(Felt(float(times_s[k]), sensor[0], bool(broken[k]), sensor[1], sensor[2]))
        self._active[sensor] = bool(broken[-1])
        return out

    def _knocks(self, now_s: float, knocks_s: Sequence[float]) -> list[Felt]:
        out = []
        for at_s in knocks_s:
            if self._active.get(("knock", 0, False)) and at_s > self._knock_until_s:
                out.append(Felt(self._knock_until_s, "knock", False))
                self._active["knock", 0, False] = False
            if not self._active.get(("knock", 0, False)):
                out.append(Felt(at_s, "knock", True))
                self._active["knock", 0, False] = True
            self._knock_until_s = at_s + KNOCK_S
        if self._active.get(("knock", 0, False)) and now_s > self._knock_until_s:
            out.append(Felt(self._knock_until_s, "knock", False))
            self._active["knock", 0, False] = False
        return out


def beam_line(door: Door, depth_mm: float) -> tuple[FloatArray, FloatArray]:
    """The ends of a beam that runs along a door's line, so far behind it."""
    (ax, ay), (bx, by) = door.line
    along = np.array([bx - ax, by - ay]) / math.dist(*door.line)
    across = np.array([-along[1], along[0]])
    if float(across @ (np.array(door.inside) - (ax, ay))) < 0:
        across = -across
    return np.array([ax, ay]) + depth_mm * across, np.array([bx, by]) + depth_mm * across


def distances(places: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """(N,) of places from the stretch between two points, which may be one."""
    way = b - a
    length = float(way @ way)
    share = np.clip(((places - a) @ way) / length, 0.0, 1.0) if length else np.zeros(len(places))
    return np.asarray(np.hypot(*(places - a - share[:, None] * way).T), np.float64)
