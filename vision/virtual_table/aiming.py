"""Where to flick: directions and speeds that reach a target, for players and for films."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.board import Board, Door, PolygonMm
from vision.virtual_table.physics import Material
from vision.virtual_table.setup import distance_to_polygon

Point = tuple[float, float]

CLEAR_MM = 1.0  # a way passes others, and walls, at no less
PROBE_MM = 4.0  # lanes are looked at in steps of this


@dataclass(frozen=True, slots=True)
class Aim:
    """A flick at a target: angle 0 = east, clockwise; distance of free slide until it is reached."""

    angle_rad: float
    distance_mm: float

    def speed_mm_s(self, material: Material, arrive_mm_s: float) -> float:
        return material.speed_mm_s(self.distance_mm, arrive_mm_s)


def toward(start: Point, end: Point) -> Aim:
    return Aim(math.atan2(end[1] - start[1], end[0] - start[0]), math.dist(start, end))


def lane_is_clear(board: Board, walls: Sequence[PolygonMm], others: Sequence[Point], start: Point, end: Point) -> bool:
    """True where a puck can slide from start to end (its centre) without touching a wall or another puck."""
    r, length = board.puck.radius_mm, math.dist(start, end)
    if any(_distance_to_lane(p, start, end) < 2 * r + CLEAR_MM for p in others):
        return False
    steps = max(2, math.ceil(length / PROBE_MM))
    for i in range(1, steps + 1):
        x, y = start[0] + (end[0] - start[0]) * i / steps, start[1] + (end[1] - start[1]) * i / steps
        if any(distance_to_polygon(x, y, wall) < r + CLEAR_MM for wall in walls if _near(wall, x, y, r + CLEAR_MM)):
            return False
    return True


def at_puck(board: Board, start: Point, target: Point, offset: float = 0.0) -> tuple[Aim, Point]:
    """A flick that touches a puck; offset -1 to 1: where across its width (0: middle). Also the place of touch."""
    reach = board.puck.diameter_mm
    base = toward(start, target)
    side = max(min(offset, 0.999), -0.999) * reach
    along = math.sqrt(reach**2 - side**2)
    c, s = math.cos(base.angle_rad), math.sin(base.angle_rad)
    touch = (target[0] - along * c - side * s, target[1] - along * s + side * c)
    return toward(start, touch), touch


def through_door(door: Door, start: Point, depth_mm: float, share: float = 0.5) -> tuple[Aim, Point]:
    """A flick to a point beyond a door's line: depth_mm of the centre, at a share of the door's width."""
    (ax, ay), (bx, by) = door.line
    mx, my = ax + (bx - ax) * share, ay + (by - ay) * share
    width = math.dist((ax, ay), (bx, by))
    nx, ny = (by - ay) / width, (ax - bx) / width
    if (door.inside[0] - mx) * nx + (door.inside[1] - my) * ny < 0:
        nx, ny = -nx, -ny
    dx, dy = mx - start[0], my - start[1]
    way = math.hypot(dx, dy)
    slant = (dx * nx + dy * ny) / max(way, 1e-9)
    if slant <= 0.2:  # from beside or behind the door there is no way in
        return Aim(math.atan2(dy, dx), math.inf), (mx, my)
    beyond = depth_mm / slant
    end = (mx + dx / way * beyond, my + dy / way * beyond)
    return toward(start, end), end


def _near(wall: PolygonMm, x: float, y: float, reach: float) -> bool:
    xs, ys = [p[0] for p in wall], [p[1] for p in wall]
    return min(xs) - reach <= x <= max(xs) + reach and min(ys) - reach <= y <= max(ys) + reach


def _distance_to_lane(p: Point, start: Point, end: Point) -> float:
    dx, dy = end[0] - start[0], end[1] - start[1]
    t = min(max(((p[0] - start[0]) * dx + (p[1] - start[1]) * dy) / max(dx * dx + dy * dy, 1e-9), 0.0), 1.0)
    return math.hypot(p[0] - start[0] - t * dx, p[1] - start[1] - t * dy)
