"""Doors, gate and rim: what a puck's path went wholly through, over or across."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from calibration.board import Board, Door
from vision.motion import Motion

STEP_S = 0.001  # paths are walked in steps of a millisecond
NEAR_DOOR_MM = 45.0  # a puck this far beside the middle of a door's line did not come through it
OVER_EDGE_MM = 2.0  # a puck that is so far over the edge of the board with all of it is no longer on it
ON_GATE_MM = 0.25  # inside its edge: at 720 lines twice the error of a place across a line, in the dark and at 480 once
ON_LINE_MM = ON_GATE_MM  # of a door: by no more than this a puck lies wholly beyond it, or does not
SURE_MM = 0.5  # a puck that came this much further than wholly through, or less far, is as likely as not to have …
SURE_WIDTH_MM = 0.6  # … and gets e times as likely, against not, with each of these more
SURE_LEAST, SURE_MOST = 0.5, 0.99  # a crossing that was seen is no less and no more sure than that
FAR_OUTSIDE_MM = -99.0  # depth of a puck that is not in a door's sanctuary at all
CARRIED_MM_S = 100.0  # a puck that went slower than this over the edge went when it was seen last


@dataclass(frozen=True, slots=True)
class Crossing:
    """A puck lay wholly behind a door's line (`in`), or no longer did (`out`). depth_mm: how far behind at the most."""

    time_s: float
    puck: str
    door: str
    direction: str
    confidence: float
    depth_mm: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A puck went wholly over the gate, or over the rim. where: the gate's name, or "rim"."""

    time_s: float
    puck: str
    where: str


def _walk(motion: Motion) -> tuple[np.typing.NDArray[np.float64], np.typing.NDArray[np.float64]]:
    """Times and places along a motion, in small steps, its knots included."""
    start, end = float(motion.times_s[0]), float(motion.times_s[-1])
    times = np.union1d(np.arange(start, end + STEP_S, STEP_S), motion.times_s)
    places = np.column_stack([np.interp(times, motion.times_s, motion.places_mm[:, i]) for i in (0, 1)])
    return times, places


def door_crossings(motion: Motion, board: Board) -> list[Crossing]:
    """Every time that the puck came to lie wholly beyond a door's line inside its sanctuary, or left again."""
    times, places = _walk(motion)
    out: list[Crossing] = []
    for door in board.doors:
        depth = np.asarray(door.depth_mm(places[:, 0], places[:, 1]))
        for k in np.flatnonzero(depth >= 0).tolist():
            depth[k] = _depth(door, board, *places[k].tolist())
        inside = depth >= board.puck.radius_mm
        if motion.end is not None:
            inside[-1] = _depth(door, board, *motion.end) >= board.puck.radius_mm
        for k in range(1, len(inside)):
            if inside[k] == inside[k - 1]:
                continue
            reached = float(depth.max())
            beyond = abs(reached - board.puck.radius_mm)
            sure = max(SURE_LEAST, min(SURE_MOST, 1.0 / (1.0 + math.exp(-(beyond - SURE_MM) / SURE_WIDTH_MM))))
            way = "in" if inside[k] else "out"
            out.append(Crossing(float(times[k]), motion.puck, door.name, way, sure, reached))
    return out


def on_doors_line(board: Board, x: float, y: float) -> bool:
    """True where a puck's rim lies on a door's line, so that its place cannot tell whether all of it lies beyond."""
    return any(abs(_depth(d, board, x, y) - board.puck.radius_mm) < ON_LINE_MM for d in board.doors)


def _depth(door: Door, board: Board, x: float, y: float) -> float:
    """Depth beyond the door's line, as far as the puck is in that sanctuary at all; else far outside."""
    depth = door.depth_mm(x, y)
    if depth < 0:
        return depth
    zone = board.zone(door.zone_name)
    if zone is not None and zone.contains(x, y):
        return depth
    (ax, ay), (bx, by) = door.line
    beside = math.dist((x, y), ((ax + bx) / 2, (ay + by) / 2))
    return depth if beside < min(NEAR_DOOR_MM, math.dist(door.line[0], door.line[1]) / 2) else FAR_OUTSIDE_MM


def gate_passages(motion: Motion, board: Board) -> list[Passage]:
    """The gate that a puck slid wholly over without stopping there; none where it lay on it before."""
    out: list[Passage] = []
    times, places = _walk(motion)
    for gate in board.gates:
        gx, gy, radius = gate.circle
        reach = radius - board.puck.radius_mm
        if reach < 0 or math.dist(motion.start, (gx, gy)) <= reach:
            continue
        if motion.end is not None and math.dist(motion.end, (gx, gy)) <= reach:
            continue
        on = np.hypot(places[:, 0] - gx, places[:, 1] - gy) <= reach
        if on.any():
            out.append(Passage(float(times[int(on.argmax())]), motion.puck, gate.name))
    return out


def lies_on_gate(board: Board, x: float, y: float) -> bool:
    """True where the whole puck lies on a gate, and not so near to its edge that its place cannot tell."""
    return _gate_depth(board, x, y) >= ON_GATE_MM


def beside_gates_edge(board: Board, x: float, y: float) -> bool:
    """True where a puck lies so near to the line between wholly on a gate and not that its place cannot tell."""
    return abs(_gate_depth(board, x, y)) < ON_GATE_MM


def _gate_depth(board: Board, x: float, y: float) -> float:
    """How far inside a gate's edge the whole puck lies, in mm (negative: it sticks out)."""
    depths = (g.circle[2] - board.puck.radius_mm - math.dist((x, y), g.circle[:2]) for g in board.gates)
    return max(depths, default=-math.inf)


def beyond_rim_mm(board: Board, x: float, y: float) -> float:
    """How far a centre lies outside the playing surface (negative: inside, distance to the nearest edge)."""
    w, h = board.size
    return max(-x, x - w, -y, y - h)


def has_rim(board: Board) -> bool:
    """True where something around the playing surface stops pucks, or bears those that go over it."""
    return board.rim is not None and board.rim.width_mm > 0


def sticks_out_mm(board: Board) -> float:
    """How far beyond the edge a puck's middle may lie on the board: where there is no rim, half of its radius, so that
    it does not tip over."""
    return 0.0 if has_rim(board) else board.puck.radius_mm / 2


def lies_off(board: Board, x: float, y: float) -> bool:
    """True where a puck with its middle there lies beside the board, or on its rim."""
    return beyond_rim_mm(board, x, y) > sticks_out_mm(board)


def lies_on_edge(board: Board, x: float, y: float) -> bool:
    """True where a puck's middle lies beyond the edge, but not surely all of it: it may yet be on the board."""
    return 0.0 < beyond_rim_mm(board, x, y) < board.puck.radius_mm + OVER_EDGE_MM


def exit_time(motion: Motion, board: Board) -> float:
    """When the puck's centre went over the surface's edge, carried on where it was not seen any more."""
    times, places = _walk(motion)
    for t, (x, y) in zip(times, places, strict=True):
        if beyond_rim_mm(board, float(x), float(y)) > 0:
            return float(t)
    vx, vy = motion.velocity_before(float(times[-1]))
    speed = math.hypot(vx, vy)
    away = -beyond_rim_mm(board, float(places[-1][0]), float(places[-1][1]))
    return float(times[-1]) + (away / speed if speed > CARRIED_MM_S else 0.0)
