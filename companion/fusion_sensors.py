"""One account of each shot, from the camera and from the sensors at the doors and under the gate.

They agree: the account says how sure it is. They disagree: the shot goes to review, with the reason. The camera was
blind: the sensors' word fills in what it could not see. Without sensors nothing changes.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from calibration.board import Board, Door
from companion import sensor_words as words
from companion.fusion import TIME_DIGITS, Fact, ShotAccount, puck_from_json
from companion.games.base import Text
from companion.sensor_account import BEAM_CONFIDENCE, NEAR_MM, Account, only_felt
from companion.sensor_passages import DoorWatch, Passage
from companion.sensor_seldom import Seldom
from companion.sensor_trust import STUCK_S, Trust
from firmware_bridge.inputs import ALL_INPUTS, DOORS, GATE, INNER, INPUTS, KNOCK, OUTER, WIRED, beam
from firmware_bridge.session import SILENT_S, Gap, Item, SensorEvent
from vision.events import DoorCrossed, Event, PuckSeen
from vision.virtual_table.beams import INNER_MM, beam_line, distances

AROUND_S = 0.4  # clocks, and the last pictures of a shot, may be this far apart
FOLLOWED_MM = 250.0  # from where vision lost a puck to the door where beams felt one: a hand hides so much
MOVED_MM = 3.0  # a puck that is seen further from its place than this has left it
VANISHED_S = 1.5  # between a passage and the moment from which vision missed the puck
KEPT_S = 60.0  # of what was felt: a shot is told within seconds
LEVELS_S = 1.0  # a heartbeat and the edges may differ so long: it is told 20 times a second
SURELY = 0.8  # how sure the camera is of those
KNOCKS_S = 30.0  # a second knock is told after so long, see Seldom, until the camera is back: music on the table is one
GATE_PLACE = ""  # among the names of doors
ALONE, ALONE_S = 6, 60.0  # what the gate, or a door, is told to have felt alone: three pawns that come and go
GAPS, GAPS_S = 2, 60.0  # gaps of one kind: a plug that was pulled out by mistake is no loose one


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
        self.trust = Trust(self.doors, fitted)
        self.hearing = False  # whether the sensor board is there
        self.sensor_board: int | None = None  # its id
        self._on_their_way = False  # events that the board still has to tell
        self._knocks = Seldom(1, KNOCKS_S)
        self._alone_at: dict[str, Seldom] = {}  # of the gate and of each door
        self._lost: dict[str, Seldom] = {}  # of each kind of gap
        self._notes: list[Fact] = []
        self._watches = [DoorWatch(name, board.puck.diameter_mm / INNER_MM) for name in self.doors]
        self._passages: deque[Passage] = deque()
        self._since: dict[int, float] = {}  # of inputs that are active
        self._differs: dict[int, float] = {}  # since when the board's word on an input is another than its edges'
        self._edges: deque[Felt] = deque()
        self._gaps: deque[tuple[float, float]] = deque()  # from when to when edges were lost
        self._deaf_s: float | None = None  # since when nothing is heard; whether edges were lost will show
        self._deaf_to: int | None = None  # the board that was heard before
        self._overflow_s: float | None = None  # since when edges are lost; what comes next tells until when
        self._sure: dict[tuple[str, str], float] = {}
        self._camera_away = False
        self._lying: tuple[PuckSeen, ...] = ()
        self._moving: dict[str, PuckSeen] = {}  # pucks of this shot that have left their places, where seen last
        self._still = True
        self._told_from = self._told_until = -math.inf  # passages in between belong to the shot that was told last
        self._told_in: Counter[str] = Counter()  # of its pucks that went in at a door, those whose passage did not come

    # -- what comes in -------------------------------------------------------------------------------
    def begin(self) -> None:
        """The first picture: what was felt before has no time among the pictures', and belongs to no shot of theirs."""
        for kept in (self._edges, self._passages, self._gaps):
            kept.clear()
        self._since.clear()
        self._differs.clear()
        self.trust.begin()
        self._deaf_s = self._overflow_s = None
        self._knocks.begin()
        self._alone_at.clear()
        self._lost.clear()
        for watch in self._watches:
            watch.forget()

    def feel(self, item: Item, t: float) -> list[Fact]:
        """A sensor's item in order; what players are to be told of it."""
        self._forget(t)
        if isinstance(item, Gap):
            self._lose(item, t)
            told = self._lost.setdefault(item.reason, Seldom(GAPS, GAPS_S)).may(t)
            return [note(words.gap(item.reason, item.count))] if told else []
        self._end_overflow(t)
        if item.input >= INPUTS:
            return []  # of a board with more inputs than we know
        self._edges.append(Felt(t, item.input, item.active))
        if item.active:
            self._since[item.input] = t
        else:
            self._since.pop(item.input, None)
        facts = self._believe(item, t)
        passage = self._pass(item, t)
        if passage is not None:
            self._passages.append(passage)
            facts += self._late(passage)
        if self._camera_away and item.input not in self.trust.aside:
            facts += self._alone(item, passage, t)
        return facts

    def _lose(self, gap: Gap, t: float) -> None:
        """Edges were lost, or may have been: a cable that is out loses none where the board has power of its own."""
        self._end_overflow(t)
        if gap.reason == "overflow":
            self._overflow_s = t
        elif gap.reason in ("reboot", "elsewhere"):
            self._gaps.append((t - SILENT_S if self._deaf_s is None else self._deaf_s, t))
            self._deaf_s = None
        elif self._deaf_s is None:
            self._deaf_s = t if gap.reason == "unplugged" else t - SILENT_S
            self._deaf_to = gap.board
        for watch in self._watches:
            watch.forget()
        if gap.reason != "overflow":  # how the inputs are now is told anew
            self._since.clear()

    def _end_overflow(self, t: float) -> None:
        if self._overflow_s is not None:
            self._gaps.append((self._overflow_s, t))
            self._overflow_s = None

    def _missed(self, start: float, end: float) -> bool:
        """True where edges between two moments may be missing."""
        open_ = [since for since in (self._deaf_s, self._overflow_s) if since is not None]
        return any(a <= end and b >= start for a, b in self._gaps) or any(since <= end for since in open_)

    def _late(self, passage: Passage) -> list[Fact]:
        """A word on what comes over a bad line after its shot was told without it."""
        if not self._told_from <= passage.time_s <= self._told_until:
            return []
        if passage.direction == "in" and self._told_in[passage.door] > 0:
            self._told_in[passage.door] -= 1  # the camera saw it
            return []
        return [note(words.late_door(passage.door, passage.direction))]

    def settle(self, levels: int | None, t: float) -> list[Fact]:
        """How the inputs are by the board's heartbeat, a bit each; None while events are still on their way.

        What was so before this companion began, or changed while edges were lost, no edge tells.
        """
        facts: list[Fact] = []
        self._on_their_way = levels is None
        if levels is not None:  # all that the board had to tell has come: what was lost was told as lost
            if self._deaf_s is not None and self.sensor_board not in (None, self._deaf_to):
                self._gaps.append((self._deaf_s, t))  # another board: nobody tells what happened meanwhile
            self._deaf_s = None
            self._end_overflow(t)
        for wired in WIRED:
            number, active = wired.number, bool((levels or 0) >> wired.number & 1)
            felt = number in self._since or self.trust.aside.get(number) == "stuck"
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
        if active or self.trust.aside.get(number) != "stuck":
            return []
        return notes(self.trust.believe(number))

    def see(self, event: Event) -> None:
        """An event of vision's: how sure it is of a crossing."""
        if isinstance(event, DoorCrossed) and event.direction == "in":
            self._sure[event.puck, event.door] = event.confidence

    def watch(self, state: str, t: float, pucks: Iterable[PuckSeen]) -> list[Fact]:
        """The live view: a sensor that has long been active on a quiet board with nothing before it is stuck."""
        facts, self._notes = self._notes, []
        if state != "still":
            self._follow(pucks)
            return facts
        self._still = True
        self._lying = tuple(pucks)
        for number, since in self._since.items():
            if number in self.trust.aside or number == KNOCK or t - since < STUCK_S:
                continue
            if WIRED[number].kind in ("beam", "gate") and not self._something_at(number, self._lying):
                facts += notes(self.trust.stuck(number, t))
        return facts

    def _follow(self, pucks: Iterable[PuckSeen]) -> None:
        """Where moving pucks are seen; one that is not seen any more is shown where it lay before."""
        if self._still:
            self._moving.clear()
        self._still = False
        lay = {p.puck: p for p in self._lying}
        for puck in pucks:
            before = lay.get(puck.puck)
            if before is None or math.hypot(puck.x_mm - before.x_mm, puck.y_mm - before.y_mm) > MOVED_MM:
                self._moving[puck.puck] = puck

    def _may_have(self, lay: PuckSeen | None, name: str) -> bool:
        """True where a puck that lay there before may be the one that was felt at a door, or on the gate: it was lost
        near it, and lay before the door."""
        if lay is None:
            return False
        last = self._moving.get(lay.puck, lay)
        gate = next((g.circle[:2] for g in self._board.gates if g.name == name), None)
        (ax, ay), (bx, by) = self._door(name).line if gate is None else (gate, gate)
        near = math.dist((last.x_mm, last.y_mm), ((ax + bx) / 2, (ay + by) / 2)) <= FOLLOWED_MM
        return near and (gate is not None or self._before(name, lay))

    def _before(self, name: str, puck: PuckSeen) -> bool:
        """True where a puck lies wholly before a door: one that lies behind it has broken no beam on its way in."""
        return self._door(name).depth_mm(puck.x_mm, puck.y_mm) < -self._board.puck.radius_mm

    def _door(self, name: str) -> Door:
        return next(d for d in self._board.doors if d.name == name)

    def _forget(self, t: float) -> None:
        while self._edges and self._edges[0].t < t - KEPT_S:
            self._edges.popleft()
        while self._passages and self._passages[0].time_s < t - KEPT_S:
            self._passages.popleft()
        while self._gaps and self._gaps[0][1] < t - KEPT_S:
            self._gaps.popleft()

    def _believe(self, event: SensorEvent, t: float) -> list[Fact]:
        """Whether this input is to be believed from now on."""
        was_stuck = self.trust.aside.get(event.input) == "stuck"
        told = self.trust.edge(event.input, event.active, t)
        door, freed = WIRED[event.input].door, was_stuck and event.input not in self.trust.aside
        if freed and door is not None and door < len(self._watches):
            self._watches[door].forget()
        return notes(told)

    def _pass(self, event: SensorEvent, t: float) -> Passage | None:
        wired = WIRED[event.input]
        if wired.door is None or wired.door >= len(self._watches):
            return None
        watch = self._watches[wired.door]
        found = watch.edge(wired.side or OUTER, event.active, t)
        if watch.confirmed is not None:
            same = (watch.confirmed.door, watch.confirmed.time_s)
            self._passages = deque(watch.confirmed if (p.door, p.time_s) == same else p for p in self._passages)
        return found if found is not None and self.trust.both_beams(wired.door) else None

    def _alone(self, event: SensorEvent, passage: Passage | None, t: float) -> list[Fact]:
        """What only the sensors could notice; what goes on and on would fill the players' log."""
        if event.input == KNOCK:
            return [note(words.alone_knock())] if event.active and self._knocks.may(t) else []
        if passage is None and event.input != GATE:
            return []
        where = passage.door if passage is not None else GATE_PLACE
        if not self._alone_at.setdefault(where, Seldom(ALONE, ALONE_S)).may(t):
            return []
        if passage is None:
            return [note(words.alone_gate(event.active))]
        return [note(words.alone_door(passage.door, passage.direction))]

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
    def combine(self, fact: Fact) -> Fact:
        """A fact of vision's with what the sensors know of it. Facts of other types pass through."""
        if fact.type == "camera":
            self._camera_away = {"source_lost": True, "source_back": False}.get(
                str(fact.data.get("what")), self._camera_away
            )
            if not self._camera_away:
                for one in (self._knocks, *self._alone_at.values()):
                    one.calm()
        if fact.type == "hand":
            return self._gone_by_itself(fact)
        if fact.type != "shot":
            return fact
        sure, self._sure = self._sure, {}
        start, end = fact.data["t_start"] - AROUND_S, fact.data["t_end"] + AROUND_S
        self._told_from, self._told_until = fact.data["t_start"], fact.data["t_end"]
        self._told_in = Counter(d["door"] for d in fact.data["doors_in"])
        if not self.hearing or self._missed(start, end):
            return fact
        self._told_in -= Counter(p.door for p in self._passages if p.direction == "in" and start <= p.time_s <= end)
        lay = {p["puck"]: puck_from_json(p) for p in fact.data["before"]}
        account = Account(fact.data, sure, lambda puck, door: self._may_have(lay.get(puck), door))
        for index, name in enumerate(self.doors):
            if self.trust.both_beams(index):
                account.door(name, [p for p in self._passages if p.door == name and start <= p.time_s <= end])
                if any(d["door"] == name and sure.get((d["puck"], name), 0.0) >= SURELY for d in fact.data["doors_in"]):
                    self._listen(index, start, end)
        if self.trust.counts(GATE) and self._board.gates:
            account.gate(self._board, self._since.get(GATE), start)
        return Fact("shot", account.result())

    def _listen(self, door: int, start: float, end: float) -> None:
        """A puck went in at a door: a beam there that says nothing, shot after shot, is dead."""
        if self._on_their_way:
            return
        for number in (beam(door, OUTER), beam(door, INNER)):
            told = self.trust.went_in(number, any(e.input == number and start <= e.t <= end for e in self._edges))
            self._notes += notes(told)

    def _gone_by_itself(self, fact: Fact) -> Fact:
        """A puck that vision takes for lifted, while just then one went in where vision could not see: a shot."""
        t, puck = fact.data["t"], fact.data["puck"]
        near = [p for p in self._passages if abs(p.time_s - t) <= VANISHED_S and p.time_s > self._told_until]
        before = [p for p in self._lying if p.puck == puck]
        ins = [p for p in near if p.direction == "in"]
        told = fact.data["did"] == "puck_removed" and before and self.hearing
        if not told or len(near) != 1 or len(ins) != 1 or not ins[0].sure:
            return fact
        if not self._before(ins[0].door, before[0]):
            return fact
        self._told_from = self._told_until = ins[0].time_s
        self._told_in = Counter()
        shot = ShotAccount(0, min(t, ins[0].time_s), ins[0].time_s, puck, (), (), (), (), self._lying,
                           tuple(p for p in self._lying if p.puck != puck), ())  # fmt: skip
        if not self._may_have(before[0], ins[0].door):  # or somebody took it while a hand was in the doorway
            doubt = shot._replace(needs_review=True, reasons=(only_felt(ins[0].door, 1, 0),))
            return Fact("shot", {**doubt.to_json(), "sensors": []})
        door = {"t": round(ins[0].time_s, TIME_DIGITS), "puck": puck, "door": ins[0].door}
        by = {"at": ins[0].door, "puck": puck, "by": "beams", "confidence": BEAM_CONFIDENCE}
        return Fact("shot", {**shot.to_json(), "doors_in": [door], "sensors": [by]})


def notes(text: Text | None) -> list[Fact]:
    """A line in the players' log, where there is something to tell."""
    return [note(text)] if text is not None else []


def note(text: Text) -> Fact:
    """A line in the players' log."""
    return Fact("note", text.to_json())
