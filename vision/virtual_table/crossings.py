"""What a referee needs from true paths: doors gone through, the gate, the rim, and what is too close to call."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibration.board import Board, Door

Sample = tuple[float, float, float, float]  # time s, x mm, y mm, turn rad

DOUBT_MM = 1.5  # a puck within this of a door's line or of the gate's edge is too close to call


@dataclass(frozen=True, slots=True)
class Crossing:
    """direction "in": from now the whole puck lies beyond the door's line, in its sanctuary; "out": no longer."""

    time_s: float
    puck: str
    door: str
    direction: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A puck that came close to deciding: depth_mm of its centre beyond the door's line, or inside the gate's edge."""

    puck: str
    door: str | None
    gate: str | None
    depth_mm: float


@dataclass(frozen=True, slots=True)
class ShotFacts:
    """Doors; exits and gate passages (time, puck); pucks wholly on the gate at the end; doubts."""

    crossings: tuple[Crossing, ...]
    exits: tuple[tuple[float, str], ...]
    gate_passed: tuple[tuple[float, str], ...]
    on_gate: tuple[str, ...]
    doubts: tuple[Doubt, ...]


def shot_facts(board: Board, paths: Mapping[str, Sequence[Sample]], exits: Mapping[str, float],
               rest: Mapping[str, tuple[float, float]]) -> ShotFacts:  # fmt: skip
    """paths: of the pucks that moved; exits: when they left; rest: where every puck lies at the end."""
    crossings: list[Crossing] = []
    doubts: list[Doubt] = []
    for key, path in paths.items():
        inside = [s for s in path if s[0] <= exits.get(key, math.inf)]
        for door in board.doors:
            found, doubt = _door(board, door, key, inside)
            crossings += found
            doubts += doubt
    on_gate = tuple(k for k, place in sorted(rest.items()) if k not in exits and gate_depth_mm(board, *place) >= 0)
    passed = []
    for key, path in paths.items():
        when = next((s[0] for s in path if gate_depth_mm(board, s[1], s[2]) >= 0), None)
        if when is not None and when > path[0][0] and key not in on_gate:  # one that lay on it has not passed it
            passed.append((when, key))
        last = gate_depth_mm(board, path[-1][1], path[-1][2])
        if abs(last) <= DOUBT_MM:
            doubts.append(Doubt(key, None, board.gates[0].name, last))
    return ShotFacts(tuple(sorted(crossings, key=lambda c: c.time_s)),
                     tuple(sorted((t, k) for k, t in exits.items())), tuple(sorted(passed)),
                     on_gate, tuple(doubts))  # fmt: skip


def gate_depth_mm(board: Board, x_mm: float, y_mm: float) -> float:
    """How far inside the gate's edge the whole puck lies (negative: it sticks out; no gate: minus infinity)."""
    depths = (g.circle[2] - board.puck.radius_mm - math.hypot(x_mm - g.circle[0], y_mm - g.circle[1])
              for g in board.gates)  # fmt: skip
    return max(depths, default=-math.inf)


def door_depth_mm(board: Board, door: Door, x_mm: float, y_mm: float) -> float:
    """How far beyond the door's line the puck's nearest point lies; minus infinity outside the sanctuary."""
    zone = board.zone(door.zone_name)
    if zone is not None and not zone.contains(x_mm, y_mm):
        return -math.inf
    return door.depth_mm(x_mm, y_mm) - board.puck.radius_mm


def _door(board: Board, door: Door, key: str, path: Sequence[Sample]) -> tuple[list[Crossing], list[Doubt]]:
    depths = [door_depth_mm(board, door, x, y) for _, x, y, _ in path]
    found = []
    for (t0, *_), (t1, *_), d0, d1 in zip(path, path[1:], depths, depths[1:], strict=False):
        if (d0 >= 0) != (d1 >= 0):
            share = d0 / (d0 - d1) if math.isfinite(d0) and math.isfinite(d1) else 1.0
            found.append(Crossing(t0 + (t1 - t0) * share, key, door.name, "in" if d1 >= 0 else "out"))
    deepest = max(depths)
    return found, [Doubt(key, door.name, None, deepest + board.puck.radius_mm)] if abs(deepest) <= DOUBT_MM else []
