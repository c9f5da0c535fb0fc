"""One account of each shot, from the camera and from the sensors at the doors and under the gate.

They agree: the account says how sure it is. They disagree: the shot goes to review, with the reason. The camera was
blind: the sensors' word fills in what it could not see. Without sensors nothing changes.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from calibration.board import Board
from companion import sensor_words as words
from companion.fusion import TIME_DIGITS, Fact, ShotAccount
from companion.games.base import Text
from companion.sensor_account import BEAM_CONFIDENCE, NEAR_MM, Account
from companion.sensor_passages import DoorWatch, Passage
from firmware_bridge.inputs import ALL_INPUTS, BEAMS_A_DOOR, DOORS, GATE, INNER, INPUTS, KNOCK, OUTER, WIRED, beam
from firmware_bridge.session import Gap, Item, SensorEvent
from vision.events import DoorCrossed, Event, PuckSeen
from vision.virtual_table.beams import INNER_MM, beam_line, distances

AROUND_S = 0.4  # clocks, and the last pictures of a shot, may be this far apart
VANISHED_S = 1.5  # between a passage and the moment from which vision missed the puck
KEPT_S = 60.0  # of what was felt: a shot is told within seconds
LEVELS_S = 1.0  # a heartbeat and the edges may differ so long: it is told 20 times a second
STUCK_S = 15.0  # a sensor that is active this long on a quiet board has a puck before it, or is stuck
FLICKER_EDGES, FLICKER_S = 40, 2.0  # no shot makes so many


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
        self._differs: dict[int, float] = {}  # since when the board's word on an input is another than its edges'
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
        if item.input >= INPUTS:
            return []  # of a board with more inputs than we know
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

    def settle(self, levels: int | None, t: float) -> list[Fact]:
        """How the inputs are by the board's heartbeat, a bit each; None while events are still on their way.

        What was so before this companion began, or changed while edges were lost, no edge tells.
        """
        facts: list[Fact] = []
        for wired in WIRED:
            number, active = wired.number, bool((levels or 0) >> wired.number & 1)
            felt = number in self._since or self.aside.get(number) == "stuck"
            if levels is None or active == felt or number == KNOCK:
                self._differs.pop(number, None)
            elif t - self._differs.setdefault(number, t) >= LEVELS_S:
                facts += self._correct(number, active, t)
        return facts

    def _correct(self, number: int, active: bool, t: float) -> list[Fact]:
        wired = WIRED[number]
        if active:
            self._since[number] = t
        else:
            self._since.pop(number, None)
        if wired.door is not None and wired.door < len(self._watches):
            self._watches[wired.door].correct(wired.side or OUTER, active)
        if active or self.aside.get(number) != "stuck":
            return []
        del self.aside[number]
        return [note(words.works_again(number, self.doors))]

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


def note(text: Text) -> Fact:
    """A line in the players' log."""
    return Fact("note", text.to_json())
