"""One account of each shot, from the camera and from the sensors at the doors and under the gate.

They agree: the account says how sure it is. They disagree: the shot goes to review, with the reason. The camera was
blind: the sensors' word fills in what it could not see. Without sensors nothing changes.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.board import Board
from companion import sensor_words as words
from companion.fusion import TIME_DIGITS, Fact, ShotAccount
from companion.games.base import Text
from companion.sensor_passages import DoorWatch, Passage
from firmware_bridge.inputs import ALL_INPUTS, BEAMS_A_DOOR, DOORS, GATE, INNER, KNOCK, OUTER, WIRED, beam
from firmware_bridge.session import Gap, Item, SensorEvent
from vision.events import DoorCrossed, Event, PuckSeen
from vision.virtual_table.beams import INNER_MM, SPOT_MM, beam_line, distances

AROUND_S = 0.4  # clocks, and the last pictures of a shot, may be this far apart
VANISHED_S = 1.5  # between a passage and the moment from which vision missed the puck
KEPT_S = 60.0  # of what was felt: a shot is told within seconds
STUCK_S = 15.0  # a sensor that is active this long on a quiet board has a puck before it, or is stuck
NEAR_MM = 6.0  # how well vision's places and the beams' mounts are known together
FLICKER_EDGES, FLICKER_S = 40, 2.0  # no shot makes so many
BEAM_CONFIDENCE = 0.98  # of a passage that both beams tell in order
UNSURE_CONFIDENCE = 0.6
UNSEEN_CONFIDENCE = 0.5  # of a crossing that vision tells without saying how sure it is


@dataclass(frozen=True, slots=True)
class Felt:
    """A sensor's change at t of the camera's time."""

    t: float
    input: int
    active: bool


class SensorFusion:
    """Takes sensor items and what vision tells, and makes one account of both. All times are the camera's."""

    def __init__(self, board: Board, fitted: int = ALL_INPUTS) -> None:
        self._board = board
        self.doors = tuple(door.name for door in board.doors[:DOORS])
        self.fitted = fitted
        self.hearing = False  # whether the sensor board is there
        self.aside: dict[int, str] = {}  # inputs that do not count, and why: "stuck" or "flickers"
        self._watches = [DoorWatch(name) for name in self.doors]
        self._passages: deque[Passage] = deque()
        self._since: dict[int, float] = {}  # of inputs that are active
        self._edges: deque[Felt] = deque()
        self._gaps: deque[float] = deque()
        self._sure: dict[tuple[str, str], float] = {}
        self._camera_away = False
        self._lying: tuple[PuckSeen, ...] = ()
        self._told_until = -math.inf  # passages up to then belong to shots that were told

    # -- what comes in -------------------------------------------------------------------------------
    def feel(self, item: Item, t: float) -> list[Fact]:
        """A sensor's item in order; what players are to be told of it."""
        self._forget(t)
        if isinstance(item, Gap):
            self._gaps.append(t)
            for watch in self._watches:
                watch.forget()
            if item.reason != "overflow":  # how the inputs are now is told anew
                self._since.clear()
            return [note(words.gap(item.reason, item.count))]
        self._edges.append(Felt(t, item.input, item.active))
        if item.active:
            self._since[item.input] = t
        else:
            self._since.pop(item.input, None)
        facts = self._trust(item, t)
        passage = self._pass(item, t)
        if passage is not None:
            self._passages.append(passage)
            if t <= self._told_until:
                facts.append(note(words.late_door(passage.door, passage.direction)))
        if self._camera_away and item.input not in self.aside:
            facts += self._alone(item, passage)
        return facts

    def see(self, event: Event) -> None:
        """An event of vision's: how sure it is of a crossing."""
        if isinstance(event, DoorCrossed) and event.direction == "in":
            self._sure[event.puck, event.door] = event.confidence

    def watch(self, state: str, t: float, pucks: Iterable[PuckSeen]) -> list[Fact]:
        """The live view: a sensor that has long been active on a quiet board with nothing before it is stuck."""
        if state != "still":
            return []
        self._lying = tuple(pucks)
        facts = []
        for number, since in self._since.items():
            if number in self.aside or number == KNOCK or t - since < STUCK_S:
                continue
            if WIRED[number].kind in ("beam", "gate") and not self._something_at(number, self._lying):
                self.aside[number] = "stuck"
                facts.append(note(words.stuck(number, self.doors)))
        return facts

    def _forget(self, t: float) -> None:
        while self._edges and self._edges[0].t < t - KEPT_S:
            self._edges.popleft()
        while self._passages and self._passages[0].time_s < t - KEPT_S:
            self._passages.popleft()
        while self._gaps and self._gaps[0] < t - KEPT_S:
            self._gaps.popleft()

    def _trust(self, event: SensorEvent, t: float) -> list[Fact]:
        """Whether this input is to be believed from now on."""
        number = event.input
        if self.aside.get(number) == "stuck" and not event.active:
            del self.aside[number]
            door = WIRED[number].door
            if door is not None and door < len(self._watches):
                self._watches[door].forget()
            return [note(words.works_again(number, self.doors))]
        edges = sum(1 for e in self._edges if e.input == number and e.t > t - FLICKER_S)
        if number not in self.aside and edges > FLICKER_EDGES:
            self.aside[number] = "flickers"
            return [note(words.flickers(number, self.doors))]
        if self.aside.get(number) == "flickers" and edges <= BEAMS_A_DOOR:
            del self.aside[number]
            return [note(words.works_again(number, self.doors))]
        return []

    def _pass(self, event: SensorEvent, t: float) -> Passage | None:
        wired = WIRED[event.input]
        if wired.door is None or wired.door >= len(self._watches):
            return None
        found = self._watches[wired.door].edge(wired.side or OUTER, event.active, t)
        return found if found is not None and self.trusted(wired.door) else None

    def _alone(self, event: SensorEvent, passage: Passage | None) -> list[Fact]:
        """What only the sensors could notice."""
        if passage is not None:
            return [note(words.alone_door(passage.door, passage.direction))]
        if event.input == GATE:
            return [note(words.alone_gate(event.active))]
        if event.input == KNOCK and event.active:
            return [note(words.alone_knock())]
        return []

    def _something_at(self, number: int, pucks: Iterable[PuckSeen]) -> bool:
        reach = self._board.puck.radius_mm + NEAR_MM
        places = [(p.x_mm, p.y_mm) for p in pucks]
        wired = WIRED[number]
        if wired.door is None:
            return any(math.dist(p, g.circle[:2]) < reach for p in places for g in self._board.gates)
        if not places or wired.door >= len(self._board.doors):
            return False
        a, b = beam_line(self._board.doors[wired.door], INNER_MM * (wired.side == INNER))
        return bool((distances(np.asarray(places, np.float64), a, b) < reach).any())

    # -- the account ---------------------------------------------------------------------------------
    def trusted(self, door: int) -> bool:
        """True where both of a door's beams are fitted and to be believed."""
        both = (beam(door, OUTER), beam(door, INNER))
        return all(self.fitted & 1 << n and n not in self.aside for n in both)

    def combine(self, fact: Fact) -> Fact:
        """A fact of vision's with what the sensors know of it. Facts of other types pass through."""
        if fact.type == "camera":
            self._camera_away = {"source_lost": True, "source_back": False}.get(
                str(fact.data.get("what")), self._camera_away
            )
        if fact.type == "hand":
            return self._gone_by_itself(fact)
        if fact.type != "shot":
            return fact
        sure, self._sure = self._sure, {}
        start, end = fact.data["t_start"] - AROUND_S, fact.data["t_end"] + AROUND_S
        if not self.hearing or any(start <= t <= end for t in self._gaps):
            return fact
        self._told_until = max(self._told_until, fact.data["t_end"])
        account = Account(fact.data, sure)
        for index, name in enumerate(self.doors):
            if self.trusted(index):
                account.door(name, [p for p in self._passages if p.door == name and start <= p.time_s <= end])
        if self.fitted & 1 << GATE and GATE not in self.aside and self._board.gates:
            account.gate(self._board, GATE in self._since)
        return Fact("shot", account.result())

    def _gone_by_itself(self, fact: Fact) -> Fact:
        """A puck that vision takes for lifted, while just then one went in where vision could not see: a shot."""
        t, puck = fact.data["t"], fact.data["puck"]
        near = [p for p in self._passages if abs(p.time_s - t) <= VANISHED_S and p.time_s > self._told_until]
        before = [p for p in self._lying if p.puck == puck]
        ins = [p for p in near if p.direction == "in"]
        told = fact.data["did"] == "puck_removed" and before and self.hearing
        if not told or len(near) != 1 or len(ins) != 1 or not ins[0].sure or not self._before(ins[0].door, before[0]):
            return fact
        self._told_until = ins[0].time_s
        shot = ShotAccount(0, min(t, ins[0].time_s), ins[0].time_s, puck, (), (), (), (), self._lying,
                           tuple(p for p in self._lying if p.puck != puck), ())  # fmt: skip
        door = {"t": round(ins[0].time_s, TIME_DIGITS), "puck": puck, "door": ins[0].door}
        by = {"at": ins[0].door, "puck": puck, "by": "beams", "confidence": BEAM_CONFIDENCE}
        return Fact("shot", {**shot.to_json(), "doors_in": [door], "sensors": [by]})

    def _before(self, name: str, puck: PuckSeen) -> bool:
        """True where a puck lies wholly before a door: one that lies behind it has broken no beam on its way in."""
        door = next(d for d in self._board.doors if d.name == name)
        return door.depth_mm(puck.x_mm, puck.y_mm) < -self._board.puck.radius_mm


class Account:
    """One shot as vision told it, compared with the sensors door by door."""

    def __init__(self, seen: Mapping[str, Any], sure: Mapping[tuple[str, str], float]) -> None:
        self._seen, self._sure = seen, sure
        self._doors_in = [dict(d) for d in seen["doors_in"]]
        self._on_gate = list(seen["on_gate"])
        self._reasons = list(seen["reasons"])
        self._told: list[dict[str, Any]] = []
        gone = {p["puck"] for p in seen["before"]} - {p["puck"] for p in seen["after"]}
        self._missing = sorted(gone - {m["puck"] for m in seen["exits"]})

    def door(self, name: str, felt: list[Passage]) -> None:
        """Compares the pucks that vision saw go in at a door with the beams' passages there."""
        seen = [d for d in self._doors_in if d["door"] == name]
        ins = [p for p in felt if p.direction == "in"]
        back = len(felt) - len(ins)
        if not seen and not ins:
            return
        if len(seen) <= len(ins) <= len(seen) + back and seen:
            self._agree(name, seen, ins)
        elif len(seen) < len(ins):
            self._only_felt(name, len(seen), ins, back)
        else:
            for d in seen[len(ins) :]:
                self._doubt(f"the camera saw {d['puck']} go in at {name}, the beams there did not")
                self._say(name, d["puck"], "camera", self._sure.get((d["puck"], name), UNSEEN_CONFIDENCE) / 2)

    def _agree(self, name: str, seen: list[dict[str, Any]], ins: list[Passage]) -> None:
        for d, passage in zip(seen, ins, strict=False):
            mine = self._sure.get((d["puck"], name), UNSEEN_CONFIDENCE)
            theirs = BEAM_CONFIDENCE if passage.sure else UNSURE_CONFIDENCE
            d["t"] = round(passage.time_s, TIME_DIGITS)
            self._say(name, d["puck"], "both", 1 - (1 - mine) * (1 - theirs))

    def _only_felt(self, name: str, seen: int, ins: list[Passage], back: int) -> None:
        """More went in than vision saw: those that it lost from sight, where that is as many; else players decide."""
        more = ins[seen:]
        who = self._lost_at(len(more), back)
        if who is None or not all(p.sure for p in more):
            plural = "puck" if len(ins) == 1 else "pucks"
            self._doubt(f"the beams at {name} felt {len(ins)} {plural} go in, the camera saw {seen}")
            return
        for puck, passage in zip(who, more, strict=True):
            self._doors_in.append({"t": round(passage.time_s, TIME_DIGITS), "puck": puck, "door": name})
            self._reasons = [r for r in self._reasons if not r.startswith(f"{puck} was lost from sight")]
            self._say(name, puck, "beams", BEAM_CONFIDENCE)

    def _lost_at(self, count: int, back: int) -> list[str] | None:
        """The pucks that vision lost from sight, where they are just so many; those that came back are seen again."""
        if not back:
            lost = self._missing
        else:
            after = {p["puck"] for p in self._seen["after"]}
            lost = sorted(p for p in after if any(r.startswith(f"{p} was lost from sight") for r in self._reasons))
        if len(lost) != count:
            return None
        self._missing = [p for p in self._missing if p not in lost]
        return lost

    def gate(self, board: Board, covered: bool) -> None:
        """Compares what lies on the gate at the end with the sensor under its middle."""
        middle, radius = board.gates[0].circle[:2], board.puck.radius_mm
        apart = [math.dist((p["x_mm"], p["y_mm"]), middle) for p in self._seen["after"]]
        nearest = min(apart, default=math.inf)
        if covered and nearest > radius + NEAR_MM:
            if len(self._missing) == 1 and not self._on_gate:
                puck = self._missing.pop()
                self._on_gate.append(puck)
                self._reasons = [r for r in self._reasons if not r.startswith(f"{puck} was lost from sight")]
                self._say(board.gates[0].name, puck, "gate sensor", BEAM_CONFIDENCE)
            else:
                self._doubt("the gate's sensor feels a puck, the camera sees none there")
        elif not covered and nearest < radius - SPOT_MM - NEAR_MM:
            self._doubt("the camera sees a puck on the gate, the sensor there feels none")

    def _doubt(self, reason: str) -> None:
        if reason not in self._reasons:
            self._reasons.append(reason)

    def _say(self, where: str, puck: str, by: str, confidence: float) -> None:
        self._told.append({"at": where, "puck": puck, "by": by, "confidence": round(confidence, 3)})

    def result(self) -> dict[str, Any]:
        """The account, with what the sensors had to say."""
        doubted = bool(self._reasons) or (self._seen["needs_review"] and not self._seen["reasons"])
        return {
            **self._seen,
            "doors_in": sorted(self._doors_in, key=lambda d: d["t"]),
            "on_gate": self._on_gate,
            "needs_review": doubted,
            "reasons": self._reasons,
            "sensors": self._told,
        }


def note(text: Text) -> Fact:
    """A line in the players' log."""
    return Fact("note", text.to_json())
