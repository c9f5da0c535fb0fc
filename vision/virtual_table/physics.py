"""Discs that slide, touch and rebound: what one flick does to the pucks on a board.

Source of the model: Coulomb's sliding friction (a constant deceleration), Newton's restitution; pymunk solves touches.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pymunk
from numpy.typing import NDArray

from calibration.board import Board, PolygonMm
from vision.virtual_table.crossings import Sample, ShotFacts, shot_facts

FloatArray = NDArray[np.float64]

STEP_MM = 0.15  # a puck goes no further in one step: deeper overlap than this cannot arise, and nothing tunnels
SHORTEST_STEP_S = 4e-5  # at which a puck goes STEP_MM with 3.75 m/s
LONGEST_STEP_S = 4e-4  # where all are slow
SAMPLE_S = 5e-4  # paths are kept this finely: a tenth of the shortest exposure
SAME_TOUCH_S = 0.004  # impulses of one pair closer together belong to one touch
LEAST_TOUCH_MM_S = 2.0  # a resting pair's numerical impulses lie far below
LONGEST_SHOT_S = 8.0  # friction stops 3 m/s within 1.5 s; more means a fault in the model
PUCK_FRICTION = 0.15  # rim against rim, lacquered wood
WALL_THICKNESS_MM = 60.0  # outwards from the edge: nothing gets through
WALL_LAYER, PUCK_LAYER = 0b01, 0b10  # bits of what may touch what
WALL_KIND, PUCK_KIND = 2, 1  # pymunk's collision types


@dataclass(frozen=True, slots=True)
class Puck:
    """A puck: key such as "red-7" ("red-a" where unnumbered), place in board millimetres, turn of its print."""

    key: str
    team: str
    number: int | None
    x_mm: float
    y_mm: float
    turn_rad: float = 0.0

    def at(self, x_mm: float, y_mm: float) -> Puck:
        return replace(self, x_mm=x_mm, y_mm=y_mm)


@dataclass(frozen=True, slots=True)
class Material:
    """How things slide and rebound on one table.

    rim_speed_mm_s: a puck that meets the rim faster than this goes over it; rim_keep: share of speed it keeps.
    """

    deceleration_mm_s2: float = 2900.0
    puck_restitution: float = 0.8
    wall_restitution: float = 0.45
    rim_speed_mm_s: float = 1800.0
    rim_keep: tuple[float, float] = (0.45, 0.7)

    def reach_mm(self, speed_mm_s: float) -> float:
        """How far a puck slides freely."""
        return speed_mm_s**2 / (2 * self.deceleration_mm_s2)

    def speed_mm_s(self, distance_mm: float, arrive_mm_s: float = 0.0) -> float:
        """The flick that still has arrive_mm_s after distance_mm of free slide."""
        return math.sqrt(2 * self.deceleration_mm_s2 * max(distance_mm, 0.0) + arrive_mm_s**2)


@dataclass(frozen=True, slots=True)
class Flick:
    """Angle: 0 = east, clockwise as seen from above (towards south)."""

    puck: str
    angle_rad: float
    speed_mm_s: float


@dataclass(frozen=True, slots=True)
class Touch:
    """Two pucks touched: a is the faster before; dv_mm_s: what b's speed changed by; slide_mm: how far that moved b."""

    time_s: float
    a: str
    b: str
    dv_mm_s: float
    slide_mm: float
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Shot:
    """What one flick did; times count from the flick.

    paths: (N, 4) columns time, x, y, turn, of each puck that moved. end: pucks on the board, at rest.
    outside: pucks that went over the rim, where they came to rest.
    """

    flick: Flick
    start: tuple[Puck, ...]
    end: tuple[Puck, ...]
    outside: tuple[Puck, ...]
    rest_s: float
    paths: Mapping[str, FloatArray]
    touches: tuple[Touch, ...]
    facts: ShotFacts

    def place(self, key: str, time_s: float) -> tuple[float, float, float] | None:
        """x, y, turn of a puck that moved, or None where it never did."""
        path = self.paths.get(key)
        if path is None:
            return None
        columns = [float(np.interp(time_s, path[:, 0], path[:, i])) for i in (1, 2, 3)]
        return columns[0], columns[1], columns[2]


def simulate(board: Board, reefs: Iterable[PolygonMm], pucks: Sequence[Puck], flick: Flick,
             material: Material, rng: random.Random) -> Shot:  # fmt: skip
    """Plays one flick to rest. reefs: those that players placed; rng: what a puck loses at the rim."""
    run = Simulation(board, reefs, pucks, flick, material, rng)
    run.advance(math.inf)
    return run.result()


class Simulation:
    """One shot in the making: played on bit by bit, as far as somebody looks."""

    def __init__(self, board: Board, reefs: Iterable[PolygonMm], pucks: Sequence[Puck], flick: Flick,
                 material: Material, rng: random.Random) -> None:  # fmt: skip
        self.flick = flick
        self.board, self.pucks, self.material, self.rng = board, {p.key: p for p in pucks}, material, rng
        self.radius = board.puck.radius_mm
        self.time_s = 0.0
        self.dt, self.pressed = SHORTEST_STEP_S, False
        self.awake: dict[str, pymunk.Body] = {}
        self.runs: dict[str, tuple[float, float, float]] = {}  # speed and spin of these: to ask pymunk takes longer
        self.over_rim: dict[str, float | None] = {}
        self.before: dict[str, tuple[float, float]] = {}
        self.raw_touches: list[tuple[float, str, str, float, float, float]] = []
        self.last_touch: dict[tuple[str, str], float] = {}
        self.samples: dict[str, list[Sample]] = {}
        self.space = pymunk.Space()
        self.space.collision_slop = 0.01
        self.space.collision_bias = 1e-60  # an overlap of a step is gone within milliseconds
        self.space.iterations = 20
        _add_walls(self.space, board, reefs, material)
        self.bodies: dict[str, pymunk.Body] = {}
        self.shapes: dict[str, pymunk.Shape] = {}
        self.keys: dict[pymunk.Shape, str] = {}
        for puck in pucks:
            self._add_puck(puck)
        self.space.on_collision(PUCK_KIND, PUCK_KIND, post_solve=self._touched)
        self.space.on_collision(PUCK_KIND, WALL_KIND, post_solve=self._pressed)
        self._start()

    def _add_puck(self, puck: Puck) -> None:
        body = pymunk.Body(1.0, pymunk.moment_for_circle(1.0, 0, self.radius))
        body.position, body.angle = (puck.x_mm, puck.y_mm), puck.turn_rad
        shape = pymunk.Circle(body, self.radius)
        shape.elasticity = math.sqrt(self.material.puck_restitution)
        shape.friction = math.sqrt(PUCK_FRICTION)
        shape.collision_type = PUCK_KIND
        shape.filter = pymunk.ShapeFilter(categories=PUCK_LAYER)
        self.space.add(body, shape)
        self.bodies[puck.key], self.shapes[puck.key], self.keys[shape] = body, shape, puck.key

    @property
    def done(self) -> bool:
        """True once all pucks lie still."""
        return not self.awake

    def advance(self, until_s: float) -> None:
        """Plays on to a moment after the flick, or to rest. Raises ArithmeticError where rest does not come."""
        while self.awake and self.time_s < until_s:
            if self.time_s > LONGEST_SHOT_S:
                raise ArithmeticError(f"pucks still move {LONGEST_SHOT_S:g} s after the flick; expected them at rest")
            self._step()

    def track(self, key: str, times_s: FloatArray) -> FloatArray:
        """(N, 3) x, y, turn of a puck that has moved, at moments that were played already."""
        path = np.array(self.samples[key])
        return np.column_stack([np.interp(times_s, path[:, 0], path[:, i]) for i in (1, 2, 3)])

    def _start(self) -> None:
        angle, speed = self.flick.angle_rad, self.flick.speed_mm_s
        way = speed * math.cos(angle), speed * math.sin(angle)
        self.bodies[self.flick.puck].velocity = way
        self.runs[self.flick.puck] = (*way, 0.0)
        self._wake(self.flick.puck)

    def _wake(self, key: str) -> None:
        body = self.bodies[key]
        self.awake[key] = body
        path = self.samples.setdefault(key, [])
        if not path or path[-1][0] < self.time_s:
            path.append((self.time_s, body.position.x, body.position.y, body.angle))

    def _step(self) -> None:
        if (
            not self.pressed
        ):  # pymunk warms up a touch with its last impulse, scaled by the steps' ratio: it has to be 1
            fastest = max(_length(x, y) for x, y, _ in self.runs.values())
            self.dt = min(max(STEP_MM / max(fastest, 1e-9), SHORTEST_STEP_S), LONGEST_STEP_S)
        dt, self.pressed = self.dt, False
        self._slow_down(dt / 2)
        for key, body in self.awake.items():
            self._meet_rim(key, body, dt)
        self.before = {key: (x, y) for key, (x, y, _) in self.runs.items()}
        self.time_s += dt
        self.space.step(dt)
        self.runs = {key: (*body.velocity, body.angular_velocity) for key, body in self.awake.items()}
        self._slow_down(dt / 2)
        for key, body in list(self.awake.items()):
            self._note(key, body)

    def _slow_down(self, dt: float) -> None:
        """Half a step's friction; before and after the move together they are exact for a free slide."""
        loss = self.material.deceleration_mm_s2 * dt
        spin_loss = loss / self.radius
        for key, body in self.awake.items():
            x, y, spin = self.runs[key]
            speed = _length(x, y)
            left = (speed - loss) / speed if speed > loss else 0.0
            slower = x * left, y * left
            body.velocity = slower
            if spin:
                spin = math.copysign(max(abs(spin) - spin_loss, 0.0), spin)
                body.angular_velocity = spin
            self.runs[key] = (*slower, spin)

    def _note(self, key: str, body: pymunk.Body) -> None:
        path, position = self.samples[key], body.position
        x, y, _ = self.runs[key]
        at_rest = x == y == 0.0
        if at_rest or self.time_s - path[-1][0] >= SAMPLE_S:
            path.append((self.time_s, position.x, position.y, body.angle))
        if key in self.over_rim and self.over_rim[key] is None and self._beyond(position) >= self.radius:
            self.over_rim[key] = self.time_s
        if at_rest:
            body.angular_velocity = 0.0
            del self.awake[key], self.runs[key]

    def _beyond(self, position: pymunk.Vec2d) -> float:
        """How far a place lies beyond the surface's edge (negative: inside)."""
        w, h = self.board.size
        return max(-position.x, position.x - w, -position.y, position.y - h)

    def _meet_rim(self, key: str, body: pymunk.Body, dt: float) -> None:
        """A puck that meets the rim fast enough goes over it, slower; from there on nothing touches it."""
        if key in self.over_rim:
            return
        w, h = self.board.size
        (x, y), (vx, vy, spin) = body.position, self.runs[key]
        gaps = ((x, -vx), (w - x, vx), (y, -vy), (h - y, vy))
        needed = self.material.rim_speed_mm_s if self.board.rim else 0.0
        for gap, outward in gaps:
            if outward > needed and gap - outward * dt < self.radius:
                self.over_rim[key] = None
                kept = self.rng.uniform(*self.material.rim_keep) if self.board.rim else 1.0
                body.velocity = vx * kept, vy * kept
                self.runs[key] = (vx * kept, vy * kept, spin)
                self.shapes[key].filter = pymunk.ShapeFilter(categories=PUCK_LAYER, mask=0)
                return

    def _pressed(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: object) -> None:
        self.pressed = self.pressed or arbiter.total_impulse.length > 0

    def _touched(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: object) -> None:
        impulse = arbiter.total_impulse.length
        self.pressed = self.pressed or impulse > 0
        if impulse < LEAST_TOUCH_MM_S:
            return
        first, second = (self.keys[shape] for shape in arbiter.shapes)
        for key in (first, second):
            if key not in self.awake:
                self._wake(key)
        pair = (min(first, second), max(first, second))
        since = self.time_s - self.last_touch.get(pair, -math.inf)
        self.last_touch[pair] = self.time_s
        if since > SAME_TOUCH_S:
            self.raw_touches.append(self._touch(first, second, impulse))

    def _touch(self, first: str, second: str, impulse: float) -> tuple[float, str, str, float, float, float]:
        """The touch's exact moment and place, from the overlap and the closing speed of this step."""
        speeds = {k: self.before.get(k, (0.0, 0.0)) for k in (first, second)}
        a, b = (first, second) if math.hypot(*speeds[first]) >= math.hypot(*speeds[second]) else (second, first)
        (ax, ay), (bx, by) = self.bodies[a].position, self.bodies[b].position
        distance = math.dist((ax, ay), (bx, by))
        nx, ny = (bx - ax) / distance, (by - ay) / distance
        closing = (speeds[a][0] - speeds[b][0]) * nx + (speeds[a][1] - speeds[b][1]) * ny
        early = min(max((2 * self.radius - distance) / closing, 0.0), LONGEST_STEP_S) if closing > 0 else 0.0
        ax, ay = ax - speeds[a][0] * early, ay - speeds[a][1] * early
        bx, by = bx - speeds[b][0] * early, by - speeds[b][1] * early
        return self.time_s - early, a, b, impulse, (ax + bx) / 2, (ay + by) / 2

    def result(self) -> Shot:
        """What happened, once all is done."""
        paths = {key: np.array(path, dtype=np.float64) for key, path in self.samples.items()}
        rest = {key: replace(p, x_mm=b.position.x, y_mm=b.position.y, turn_rad=b.angle)
                for (key, p), b in zip(self.pucks.items(), self.bodies.values(), strict=True)}  # fmt: skip
        exits = {key: when for key, when in self.over_rim.items() if when is not None}
        facts = shot_facts(self.board, self.samples, exits, {k: (p.x_mm, p.y_mm) for k, p in rest.items()})
        return Shot(self.flick, tuple(self.pucks.values()), tuple(p for k, p in rest.items() if k not in exits),
                    tuple(p for k, p in rest.items() if k in exits), self.time_s, paths,
                    self._touches(paths), facts)  # fmt: skip

    def _touches(self, paths: Mapping[str, FloatArray]) -> tuple[Touch, ...]:
        found = sorted(self.raw_touches)
        touches = []
        for i, (time_s, a, b, dv, x, y) in enumerate(found):
            until = next((t for t, a2, b2, *_ in found[i + 1 :] if b in (a2, b2)), math.inf)
            path = paths[b]
            (x0, y0), (x1, y1) = ([float(np.interp(t, path[:, 0], path[:, c])) for c in (1, 2)]
                                  for t in (time_s, min(until, path[-1, 0])))  # fmt: skip
            touches.append(Touch(time_s, a, b, dv, math.hypot(x1 - x0, y1 - y0), x, y))
        return tuple(touches)


def _length(x: float, y: float) -> float:
    return math.sqrt(x**2 + y**2)


def _add_walls(space: pymunk.Space, board: Board, reefs: Iterable[PolygonMm], material: Material) -> None:
    shapes: list[pymunk.Shape] = [pymunk.Poly(space.static_body, list(polygon))
                                  for polygon in (*(o.polygon for o in board.obstacles), *reefs)]  # fmt: skip
    if board.rim is not None:
        w, h = board.size
        t = WALL_THICKNESS_MM
        boxes = ((-t, -t, 0, h + t), (w, -t, w + t, h + t), (-t, -t, w + t, 0), (-t, h, w + t, h + t))
        shapes += [pymunk.Poly(space.static_body, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]) for x0, y0, x1, y1 in boxes]
    for shape in shapes:
        shape.elasticity = material.wall_restitution / math.sqrt(material.puck_restitution)
        shape.friction = math.sqrt(PUCK_FRICTION)
        shape.filter = pymunk.ShapeFilter(categories=WALL_LAYER)
        shape.collision_type = WALL_KIND
        space.add(shape)
