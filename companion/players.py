"""Simulated players: which pawn to flick at what, with a person's aim."""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibration.board import Board, PolygonMm
from vision.virtual_table.aiming import Aim, Point, at_puck, lane_is_clear, through_door, toward
from vision.virtual_table.physics import Material
from vision.virtual_table.setup import reef_polygon

AIM_ERROR_RAD = 0.013  # three quarters of a degree: practised, not perfect
SPEED_ERROR = 0.05  # share of the speed that was meant, standard deviation
HIT_ARRIVE_MM_S = (450.0, 900.0)  # how fast a pawn is meant to be still where it strikes another
SLOWEST_MM_S, FASTEST_MM_S = 500.0, 2600.0  # the slowest still slides more than a puck's width
REMEMBERED, TIRED = 5, 0.75  # a pawn is this much less liked for each of the last flicks that were its own
FREE_SLIDE = (0.75, 1.35)  # ways in this share of the expected one were most likely free
FAR_MM = 450.0  # a target this far away is worth half
LEAST_WAY = 2.0  # puck widths: nobody moves a pawn by less than that to have it nearer
APPROACHES = 24  # places that a player looks at before going nearer
VALUES = {"gate": 9.0, "key": 4.0, "capture": 3.0, "exchange": 1.5}  # how much what may come of it is liked


@dataclass(frozen=True, slots=True)
class Pawn:
    """A pawn as a player sees it on the table."""

    key: str
    team: str
    role: str
    x_mm: float
    y_mm: float

    @property
    def place(self) -> Point:
        return self.x_mm, self.y_mm


@dataclass(frozen=True, slots=True)
class Plan:
    """A flick that a player considers, and what it would be worth."""

    pawn: Pawn
    aim: Aim
    arrive_mm_s: float
    worth: float


class Player:
    """Chooses flicks for one side. rng: taste and error; material: the player's feeling for the table."""

    def __init__(self, board: Board, team: str, rng: random.Random, material: Material | None = None) -> None:
        self.board, self.team, self.rng = board, team, rng
        self.material = material or Material()
        self.recent: deque[str] = deque(maxlen=REMEMBERED)
        self.last: tuple[str, Point, float] | None = None

    def flick(self, pawns: Sequence[Pawn], scoreboard: Mapping[str, Any]) -> dict[str, Any]:
        """A table command: the best flick that this player sees, as well as a hand does it."""
        walls = [o.polygon for o in self.board.obstacles] + reef_walls(self.board, scoreboard.get("reefs") or ())
        mine = [p for p in pawns if p.team == self.team]
        plans = [plan for pawn in mine for plan in self._plans(pawn, pawns, walls, scoreboard)]
        self._learn(pawns)
        best = max(plans or self._approaches(mine, pawns, walls, scoreboard), key=self._liking)
        speed = best.aim.speed_mm_s(self.material, best.arrive_mm_s) * (1 + self.rng.gauss(0, SPEED_ERROR))
        angle = best.aim.angle_rad + self.rng.gauss(0, AIM_ERROR_RAD)
        speed = min(max(speed, SLOWEST_MM_S), FASTEST_MM_S)
        self.recent.append(best.pawn.key)
        self.last = (best.pawn.key, best.pawn.place, speed)
        return {"do": "flick", "puck": best.pawn.key, "angle_deg": math.degrees(angle),
                "speed_mm_s": speed}  # fmt: skip

    def _plans(self, pawn: Pawn, pawns: Sequence[Pawn], walls: Sequence[PolygonMm],
               scoreboard: Mapping[str, Any]) -> list[Plan]:  # fmt: skip
        others = [p.place for p in pawns if p.key != pawn.key]
        plans: list[Plan] = []
        if pawn.role in ("explorer", "both"):
            plans += self._at_gate(pawn, scoreboard)
        plans += self._at_doors(pawn, scoreboard)
        clear = [p for p in plans if lane_is_clear(self.board, walls, others, pawn.place, _end(p))]
        if pawn.role in ("mercenary", "both"):
            clear += self._at_enemies(pawn, pawns, walls, scoreboard)
        return [p for p in clear if p.aim.speed_mm_s(self.material, p.arrive_mm_s) <= FASTEST_MM_S]

    def _at_gate(self, pawn: Pawn, scoreboard: Mapping[str, Any]) -> list[Plan]:
        """P22: with all opposing keys an Explorer opens the round door."""
        needed = {d["name"] for d in scoreboard["doors"] if d["team"] != self.team}
        held = {d["name"] for d in scoreboard["doors"] if d.get("held_by") == self.team}
        if not needed or not needed <= held:
            return []
        return [self._plan(pawn, toward(pawn.place, (g.circle[0], g.circle[1])), 0.0, "gate") for g in self.board.gates]

    def _at_doors(self, pawn: Pawn, scoreboard: Mapping[str, Any]) -> list[Plan]:
        """P18: an Explorer takes the key of an opposing Sanctuary; anybody may be exchanged for a captured pawn."""
        keys = {d["name"] for d in scoreboard["doors"] if d.get("key")}
        lost = any(p["captured"] for p in scoreboard["players"] if p["team"] != self.team)
        plans = []
        for door in self.board.doors:
            takes = pawn.role in ("explorer", "both") and door.name in keys
            if door.team == self.team or not (takes or lost):
                continue
            aim, _ = through_door(door, pawn.place, self.board.puck.diameter_mm * 1.1)
            if math.isfinite(aim.distance_mm):
                plans.append(self._plan(pawn, aim, 0.0, "key" if takes else "exchange"))
        return plans

    def _at_enemies(self, pawn: Pawn, pawns: Sequence[Pawn], walls: Sequence[PolygonMm],
                    scoreboard: Mapping[str, Any]) -> list[Plan]:  # fmt: skip
        """P13: a Mercenary captures what it touches; P21: not who was just put back."""
        immune = set(scoreboard.get("immune") or ())
        plans = []
        for enemy in pawns:
            if enemy.team == self.team or enemy.key in immune:
                continue
            aim, touch = at_puck(self.board, pawn.place, enemy.place, self.rng.uniform(-0.4, 0.4))
            others = [p.place for p in pawns if p.key not in (pawn.key, enemy.key)]
            if lane_is_clear(self.board, walls, others, pawn.place, touch):
                plans.append(self._plan(pawn, aim, self.rng.uniform(*HIT_ARRIVE_MM_S), "capture"))
        return plans

    def _plan(self, pawn: Pawn, aim: Aim, arrive_mm_s: float, what: str) -> Plan:
        return Plan(pawn, aim, arrive_mm_s, VALUES[what] / (1 + aim.distance_mm / FAR_MM))

    def _liking(self, plan: Plan) -> float:
        """What a plan is worth to this player now; a pawn that was just played in vain is liked less."""
        return plan.worth * self.rng.uniform(0.6, 1.4) * TIRED ** self.recent.count(plan.pawn.key)

    def _learn(self, pawns: Sequence[Pawn]) -> None:
        """From how far the last flick went, how well pucks slide here; what was stopped on its way tells nothing."""
        if self.last is None:
            return
        key, start, speed = self.last
        way = next((math.dist(start, p.place) for p in pawns if p.key == key), 0.0)
        expected = self.material.reach_mm(speed)
        if FREE_SLIDE[0] < way / expected < FREE_SLIDE[1]:
            felt = speed**2 / (2 * way)
            mean = (self.material.deceleration_mm_s2 + felt) / 2
            self.material = replace(self.material, deceleration_mm_s2=mean)

    def _approaches(self, mine: Sequence[Pawn], pawns: Sequence[Pawn], walls: Sequence[PolygonMm],
                    scoreboard: Mapping[str, Any]) -> list[Plan]:  # fmt: skip
        """Nothing is in reach: a pawn goes to where, next time, something would be."""
        (w, h), r = self.board.size, self.board.puck.radius_mm
        moves = []
        for _ in range(APPROACHES):
            pawn = self.rng.choice(mine)
            goal = (self.rng.uniform(2 * r, w - 2 * r), self.rng.uniform(2 * r, h - 2 * r))
            others = [p.place for p in pawns if p.key != pawn.key]
            near = math.dist(pawn.place, goal) < LEAST_WAY * self.board.puck.diameter_mm
            if near or not lane_is_clear(self.board, walls, others, pawn.place, goal):
                continue
            there = Pawn(pawn.key, pawn.team, pawn.role, *goal)
            then = [there if p.key == pawn.key else p for p in pawns]
            worth = max((p.worth for p in self._plans(there, then, walls, scoreboard)), default=0.01)
            moves.append(Plan(pawn, toward(pawn.place, goal), 0.0, worth))
        middle = toward(mine[0].place, (w / 2, h / 2))
        return moves or [Plan(self.rng.choice(mine), Aim(middle.angle_rad, 150.0), 0.0, 0.0)]


def _end(plan: Plan) -> Point:
    way = plan.aim.distance_mm
    return (plan.pawn.x_mm + way * math.cos(plan.aim.angle_rad), plan.pawn.y_mm + way * math.sin(plan.aim.angle_rad))


def reef_walls(board: Board, reefs: Sequence[Mapping[str, Any]]) -> list[PolygonMm]:
    """The placed reefs of a scoreboard as polygons."""
    shape = board.reef
    if shape is None:
        return []
    return [reef_polygon(r["x_mm"], r["y_mm"], math.radians(r["angle_deg"]), shape.length_mm, shape.width_mm)
            for r in reefs]  # fmt: skip
