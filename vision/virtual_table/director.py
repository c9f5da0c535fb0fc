"""Who does what in a film: varied shots, and the hands that tidy up after them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

from calibration.board import Door
from vision.virtual_table.aiming import Point, at_puck, lane_is_clear, through_door, toward
from vision.virtual_table.commands import FASTEST_FLICK_MM_S
from vision.virtual_table.physics import Puck
from vision.virtual_table.setup import is_free
from vision.virtual_table.table import VirtualTable

WANTS = ("hit", "graze", "chain", "door", "near_door", "own_door", "gate", "exit", "random")
WEIGHTS = (20, 16, 12, 12, 12, 5, 10, 11, 10)  # how often each of these is wanted, out of 108
FIRST_SHOT_S = (1.2, 1.5)  # before the first hand comes
BETWEEN_S = (0.5, 1.1)  # from the end of a deed to the next
PASS_SHARE, SLIDE_SHARE = 0.3, 0.3  # of shots after which a hand just passes, and after which one slides a puck
SLIDES, DEED_SLIDES = (0.6, 0.9), (0.2, 1.4)  # diameters
DEEDS = (55, 15, 30)  # of a hundred: slides, passes, and pucks that are put elsewhere …
DEED_INSIDE_MM, DEED_APART_MM = 30.0, 4.0  # … so far inside of the board, and from others
TRIES = 60  # places and flicks that are tried, before a deed is left out
AFTER_LAST_S = 1.2  # so long the film goes on after all is done
AS_PLANNED = (1.0,)  # each flick as fast as its target asks

Plan = tuple[str, float, float]  # puck, angle_rad, speed_mm_s


class Director:
    """Gives a table its commands, one at a time, when it is idle. Deterministic for a seed.

    pace: flicks are so many times as fast as their targets ask, in turn, up to the fastest that there is. deeds: what
    hands do besides, after each shot.
    """

    def __init__(
        self, table: VirtualTable, shots: int, seed: int, pace: Sequence[float] = AS_PLANNED, deeds: int = 0
    ) -> None:
        self.table, self.left, self.pace, self.deeds = table, shots, pace, deeds
        self.rng = random.Random(f"director {seed}")
        self.chores: list[dict[str, Any]] = []
        self.next_s = self.rng.uniform(*FIRST_SHOT_S)
        self.seen_shots = 0
        self.team = self.rng.randrange(len(table.board.teams))
        self.finished_s: float | None = None

    def done(self) -> bool:
        """True a moment after the last shot and its chores."""
        return self.finished_s is not None and self.table.time_s > self.finished_s + AFTER_LAST_S

    def step(self) -> None:
        """To be called before each frame."""
        if self.table.busy:
            self.next_s = max(self.next_s, self.table.time_s + 0.05)
            return
        if len(self.table.keeper.shots) > self.seen_shots:
            self.seen_shots = len(self.table.keeper.shots)
            self._tidy(self.table.keeper.shots[-1])
            self.next_s = self.table.time_s + self.rng.uniform(*BETWEEN_S) * (0.6 if self.chores else 1.0)
        if self.table.time_s < self.next_s:
            return
        if self.chores:
            self.table.command(self.chores.pop(0))
        elif self.left > 0:
            self.left -= 1
            self._shoot()
        elif self.finished_s is None:
            self.finished_s = self.table.time_s

    # -- shots -------------------------------------------------------------------------------------
    def _shoot(self) -> None:
        want = self.rng.choices(WANTS, WEIGHTS)[0]
        plan = self._plan(want)
        if plan is None:
            want, plan = "random", self._random()
        key, angle, planned = plan
        speed = min(planned * self.pace[self.seen_shots % len(self.pace)], FASTEST_FLICK_MM_S)
        self.table.command(
            {"do": "flick", "puck": key, "angle_deg": math.degrees(angle), "speed_mm_s": speed, "want": want}
        )
        self.team = (self.team + 1) % len(self.table.board.teams)

    def _plan(self, want: str) -> Plan | None:
        makers: dict[str, Callable[[Puck], Plan | None]] = {
            "hit": self._hit, "graze": self._graze, "chain": self._chain, "door": self._door,
            "near_door": self._near_door, "own_door": self._own_door, "gate": self._gate, "exit": self._exit,
        }  # fmt: skip
        if want not in makers:
            return None
        for _ in range(TRIES):
            mine = self._mine()
            if not mine:
                return None
            plan = makers[want](self.rng.choice(mine))
            if plan is not None and plan[2] < 2900:
                return plan
        return None

    def _mine(self) -> list[Puck]:
        lying = self.table.lying()
        team = self.table.board.teams[self.team].name
        return [p for p in lying if p.team == team] or list(lying)

    def _clear(self, puck: Puck, end: Point, ignore: tuple[str, ...] = ()) -> bool:
        others = [(p.x_mm, p.y_mm) for p in self.table.lying() if p.key != puck.key and p.key not in ignore]
        return lane_is_clear(self.table.board, self.table.walls, others, (puck.x_mm, puck.y_mm), end)

    def _at(self, puck: Puck, offset: float, arrive: tuple[float, float]) -> Plan | None:
        enemies = [p for p in self.table.lying() if p.team != puck.team]
        if not enemies:
            return None
        target = self.rng.choice(enemies)
        aim, touch = at_puck(self.table.board, (puck.x_mm, puck.y_mm), (target.x_mm, target.y_mm), offset)
        if not self._clear(puck, touch, (target.key,)):
            return None
        return puck.key, aim.angle_rad, aim.speed_mm_s(self.table.material, self.rng.uniform(*arrive))

    def _hit(self, puck: Puck) -> Plan | None:
        return self._at(puck, self.rng.uniform(-0.5, 0.5), (450, 1000))

    def _graze(self, puck: Puck) -> Plan | None:
        return self._at(puck, self.rng.choice((-1, 1)) * self.rng.uniform(0.85, 0.99), (500, 1100))

    def _chain(self, puck: Puck) -> Plan | None:
        return self._at(puck, self.rng.uniform(-0.4, 0.4), (1200, 2000))

    def _to_door(self, puck: Puck, doors: list[Door], depth: float, share: float) -> Plan | None:
        if not doors:
            return None
        aim, end = through_door(self.rng.choice(doors), (puck.x_mm, puck.y_mm), depth, share)
        if not math.isfinite(aim.distance_mm) or not self._clear(puck, end):
            return None
        return puck.key, aim.angle_rad, aim.speed_mm_s(self.table.material, 0.0)

    def _door(self, puck: Puck) -> Plan | None:
        doors = [d for d in self.table.board.doors if d.team != puck.team]
        deep = self.table.board.puck.diameter_mm
        return self._to_door(puck, doors, self.rng.uniform(0.9, 1.4) * deep, self.rng.uniform(0.4, 0.6))

    def _near_door(self, puck: Puck) -> Plan | None:
        doors = [d for d in self.table.board.doors if d.team != puck.team]
        return self._to_door(puck, doors, self.table.board.puck.radius_mm + self.rng.uniform(-9, 9), 0.5)

    def _own_door(self, puck: Puck) -> Plan | None:
        doors = [d for d in self.table.board.doors if d.team == puck.team]
        return self._to_door(puck, doors, self.rng.uniform(0.9, 1.3) * self.table.board.puck.diameter_mm, 0.5)

    def _gate(self, puck: Puck) -> Plan | None:
        if not self.table.board.gates:
            return None
        x, y, r = self.table.board.gates[0].circle
        end = (x + self.rng.gauss(0, r / 4), y + self.rng.gauss(0, r / 4))
        if not self._clear(puck, end):
            return None
        aim = toward((puck.x_mm, puck.y_mm), end)
        return puck.key, aim.angle_rad, aim.speed_mm_s(self.table.material, 0.0)

    def _exit(self, puck: Puck) -> Plan | None:
        (w, h), (x, y) = self.table.board.size, (puck.x_mm, puck.y_mm)
        edge = min((x, (0.0, y)), (w - x, (w, y)), (y, (x, 0.0)), (h - y, (x, h)))[1]
        aim = toward((x, y), edge)
        r = self.table.board.puck.radius_mm
        inside = (x + (edge[0] - x) * max(0.0, 1 - 1.2 * r / max(aim.distance_mm, r)),
                  y + (edge[1] - y) * max(0.0, 1 - 1.2 * r / max(aim.distance_mm, r)))  # fmt: skip
        if aim.distance_mm > 260 or not self._clear(puck, inside):
            return None
        return puck.key, aim.angle_rad + self.rng.gauss(0, 0.12), self.rng.uniform(2150, 2750)

    def _random(self) -> Plan:
        puck = self.rng.choice(self._mine())
        w, h = self.table.board.size
        middle = toward((puck.x_mm, puck.y_mm), (self.rng.uniform(0, w), self.rng.uniform(0, h)))
        return puck.key, middle.angle_rad, self.rng.uniform(450, 2200)

    # -- chores ------------------------------------------------------------------------------------
    def _tidy(self, shot: dict[str, Any]) -> None:
        """What players do after a shot: captured pucks go, those in a sanctuary go home, exits are picked up."""
        table = self.table
        info = {p.key: p for p in (*table.lying(), *table.outside())}
        flicked = str(shot["puck"])
        team = flicked.rsplit("-", 1)[0]
        entered = [c["puck"] for c in shot["crossings"] if c["direction"] == "in"]
        if self.rng.random() < 0.8:
            for key in dict.fromkeys(c["b"] for c in shot["contacts"] if c["a"] == flicked and c["slide"] > 5):
                if key in info and info[key].team != team and len(self.chores) < 2:
                    self.chores.append({"do": "remove", "puck": key})
        for key in dict.fromkeys(entered):
            self._send_home(key, info)
        self.chores += [{"do": "remove", "puck": e["puck"]} for e in shot["exits"]]
        if self.rng.random() < SLIDE_SHARE:
            self._slide_one()
        if self.rng.random() < PASS_SHARE:
            self.chores.append({"do": "pass"})
        for _ in range(self.deeds):
            self._deed()

    def _send_home(self, key: str, info: dict[str, Puck]) -> None:
        if key not in info or any(c.get("puck") == key for c in self.chores):
            return
        others = [p for p in info.values() if p.key != key]
        circles = [c for c in self.table.board.team(info[key].team).start_circles
                   if is_free(self.table.board, self.table.walls, others, c[0], c[1], 0.5)]  # fmt: skip
        self.chores.append({"do": "remove", "puck": key})
        if circles:
            x, y = self.rng.choice(circles)
            self.chores.append({"do": "place", "puck": key, "x_mm": x, "y_mm": y})

    def _deed(self) -> None:
        """Whatever people do at a table: a puck is slid a little or further, or taken and put elsewhere."""
        kind = self.rng.choices(("slide", "pass", "elsewhere"), DEEDS)[0]
        if kind == "slide":
            self._slide_one(DEED_SLIDES)
        elif kind == "pass":
            self.chores.append({"do": "pass"})
        elif lying := self._idle():
            board, puck = self.table.board, self.rng.choice(lying)
            others = [p for p in lying if p.key != puck.key]
            for _ in range(TRIES):
                x, y = (self.rng.uniform(DEED_INSIDE_MM, size - DEED_INSIDE_MM) for size in board.size)
                if is_free(board, self.table.walls, others, x, y, DEED_APART_MM):
                    self.chores.append({"do": "remove", "puck": puck.key})
                    self.chores.append({"do": "place", "puck": puck.key, "x_mm": x, "y_mm": y})
                    return

    def _idle(self) -> list[Puck]:
        """Pucks that lie on the board and with which nothing is to be done."""
        return [p for p in self.table.lying() if not any(c.get("puck") == p.key for c in self.chores)]

    def _slide_one(self, ways: tuple[float, float] = SLIDES) -> None:
        """P12: a puck is slid free by its own thickness. ways: how far at the least and at the most, in diameters."""
        lying = self._idle()
        if not lying:
            return
        puck, a = self.rng.choice(lying), self.rng.uniform(0, 2 * math.pi)
        way = self.rng.uniform(*ways) * self.table.board.puck.diameter_mm
        x, y = puck.x_mm + way * math.cos(a), puck.y_mm + way * math.sin(a)
        others = [p for p in lying if p.key != puck.key]
        if is_free(self.table.board, self.table.walls, others, x, y, 1.0):
            self.chores.append({"do": "slide", "puck": puck.key, "x_mm": x, "y_mm": y})
