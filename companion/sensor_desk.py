"""The companion's side of the sensors: bridge, journal, time of the pictures, fusion and the sides' lights."""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from calibration.board import Board
from companion import sensor_words as words
from companion.fusion import TIME_DIGITS, Fact
from companion.fusion_sensors import SensorFusion
from firmware_bridge.bridge import Bridge
from firmware_bridge.inputs import GATE, INNER, KNOCK, OUTER, beam, label
from firmware_bridge.named_port import NamedPort
from firmware_bridge.ports import AUTO, Finder
from firmware_bridge.session import Gap, Item, Mark, SensorEvent
from firmware_bridge.transport import SerialTransport
from firmware_bridge.virtual_board import VirtualBoard
from firmware_bridge.virtual_port import VIRTUAL_PORT, VirtualPort
from vision.events import ShotEnded
from vision.virtual_table.beams import Felt
from vision.worker_messages import EventMessage, FeltMessage, LiveMessage, WorkerMessage

NONE = "none"
ENTRY = "sensor"  # the journal's type of what the board said
LIGHT_OFF, LIGHT_ON = 0, 1
FLICKER_KEPT_S = 5.0  # a sensor that is set aside as it flickers is journalled as a count, so often at most
KNOCKS_KEPT, KNOCKS_KEPT_S = 40, 60.0  # edges of the knock sensor within so long; beyond, a drum that beats on, a count
OFFSETS = 400  # of the last pictures' times, 20 s of live views: the least late of them counts

Json = dict[str, Any]
Keep = Callable[[list[tuple[str, Json]]], bool]


def marks_in(entries: Iterable[Any]) -> dict[int, Mark]:
    """The last event of each board that the journal has. entries: the journal's, in order."""
    marks = {}
    for entry in entries:
        if entry.type == ENTRY and entry.data.get("sequence") is not None:
            marks[int(entry.data["board"], 16)] = Mark(entry.data["boot"], entry.data["sequence"])
    return marks


class SensorDesk:
    """choice: a port, "auto", "virtual" or "none". keep: journals entries, and returns whether they are kept.

    Its bridge runs in a thread of its own; facts for players wait here until take() or told() is called.
    """

    def __init__(self, board: Board, choice: str, keep: Keep, marks: Mapping[int, Mark] | None = None) -> None:
        self.choice = choice
        self._keep = keep
        self._fusion = SensorFusion(board)
        self._facts: deque[Fact] = deque()
        self._counted: Json | None = None  # the last edge of a sensor that flickers, with how many were not yet kept
        self._counted_s = -math.inf
        self._knocks: deque[float] = deque([-math.inf] * (KNOCKS_KEPT + 1), KNOCKS_KEPT + 1)  # when it changed last
        self._offsets: deque[float] = deque(maxlen=OFFSETS)
        self._lock = threading.RLock()
        self._lit: int | None = None
        self._virtual = VirtualBoard() if choice == VIRTUAL_PORT else None
        self._bridge = self._make_bridge(marks or {}) if choice != NONE else None

    def _make_bridge(self, marks: Mapping[int, Mark]) -> Bridge:
        new_id = secrets.randbits(32) or 1
        if self._virtual is not None:
            # a virtual board starts with each companion: what an earlier one said is another board's word
            port = VirtualPort(self._virtual)
            return Bridge(self._deliver, find=lambda: VIRTUAL_PORT, open_port=port.open)
        if self.choice == AUTO:
            return Bridge(self._deliver, find=Finder(), open_port=SerialTransport, marks=marks, new_id=new_id)
        named = NamedPort(self.choice, lambda: bridge.heard)
        bridge = Bridge(self._deliver, find=named.find, open_port=named.open, marks=marks, new_id=new_id)
        return bridge

    @property
    def wanted(self) -> bool:
        """True where there are to be sensors."""
        return self._bridge is not None

    @property
    def virtual(self) -> bool:
        """True where the virtual table's own sensors are used."""
        return self._virtual is not None

    def start(self) -> None:
        """Looks for the board from now on."""
        if self._bridge is not None:
            self._bridge.start()

    def stop(self) -> None:
        """Lets go of the port; safe to call twice."""
        if self._bridge is not None:
            self._bridge.stop()
        if self._counted is not None and self._keep([(ENTRY, self._counted)]):
            self._counted = None

    # -- from the board, in the bridge's thread ----------------------------------------------------------
    def _deliver(self, items: list[Item]) -> bool:
        entries, counted = self._entries(items)
        if entries and not self._keep([(ENTRY, body) for body in entries]):
            return False
        self._counted = counted
        with self._lock:
            self._fusion.hearing = True
            for item in items:
                self._facts += self._fusion.feel(item, self._t(item.host_s))
        return True

    def _entries(self, items: list[Item]) -> tuple[list[Json], Json | None]:
        """What is to be journalled now, and what is still only counted: a table with music would fill the disk.

        A companion that is killed meanwhile finds the counted ones gone from the board, and tells a gap.
        """
        entries: list[Json] = []
        counted, now = self._counted, time.monotonic()
        for item in items:
            body = self._entry(item)
            flickers = isinstance(item, SensorEvent) and self._beats_on(item)
            other = counted is not None and any(counted[name] != body[name] for name in ("board", "boot"))
            if counted is not None and (other or not flickers):
                entries.append(counted)
                counted = None
            if flickers:
                counted = {**body, "edges": counted["edges"] + 1 if counted is not None else 1}
            else:
                entries.append(body)
        if counted is not None and now - self._counted_s >= FLICKER_KEPT_S:
            entries.append(counted)
            counted, self._counted_s = None, now
        return entries, counted

    def _beats_on(self, event: SensorEvent) -> bool:
        """True for one of so many changes of a sensor that only their number is worth keeping. May be asked again."""
        if event.input == KNOCK and event.host_s > self._knocks[-1]:
            self._knocks.append(event.host_s)
        knocks_on = event.input == KNOCK and event.host_s - self._knocks[0] < KNOCKS_KEPT_S
        return knocks_on or self._fusion.trust.aside.get(event.input) == "flickers"

    def _entry(self, item: Item) -> Json:
        body: Json = {
            "board": None if item.board is None else f"{item.board:08X}",
            "boot": item.boot,
            "sequence": item.sequence,
            "t": round(self._t(item.host_s), TIME_DIGITS),
        }
        if isinstance(item, Gap):
            return {**body, "gap": item.reason, "count": item.count}
        assert isinstance(item, SensorEvent)
        return {**body, "micros": item.micros, "input": item.input, "active": item.active,
                "sensor": label(item.input, self._fusion.doors)}  # fmt: skip

    def _t(self, host_s: float) -> float:
        """The pictures' time of a moment of the host's clock; before the first picture, the host's own."""
        return host_s - min(self._offsets, default=0.0)

    # -- from vision, in the companion's thread ----------------------------------------------------------
    def take(self, message: WorkerMessage, turn: Callable[[], int | None]) -> list[Fact]:
        """Takes one of vision's messages in; what players are to be told meanwhile. turn: whose turn it is."""
        if self._bridge is None:
            return []
        with self._lock:
            if isinstance(message, FeltMessage):
                self._feel(message)
            elif isinstance(message, EventMessage):
                self._fusion.see(message.event)
                if isinstance(message.event, ShotEnded):
                    self._lit = None  # light again: the board may have restarted
            elif isinstance(message, LiveMessage):
                self._note_time(message.live.time_s)
                self._facts += self._fusion.settle(self._hear(), message.live.time_s)
                self._facts += self._fusion.watch(message.live.state, message.live.time_s, message.live.pucks)
                self._light(turn())
            return self.told()

    def told(self) -> list[Fact]:
        """What players are to be told by now. To be asked also while vision says nothing: its film may be over."""
        with self._lock:
            facts = list(self._facts)
            self._facts.clear()
        return facts

    def _note_time(self, picture_s: float) -> None:
        """A picture has just come. A virtual table's time may go slower than ours: there only the newest counts."""
        if not self._offsets:
            self._fusion.begin()
        if self._virtual is not None:
            self._offsets.clear()
        self._offsets.append(time.monotonic() - picture_s)

    def combine(self, facts: Iterable[Fact]) -> list[Fact]:
        """Vision's facts with what the sensors know of them."""
        if self._bridge is None:
            return list(facts)
        with self._lock:
            self._hear()
            return [self._fusion.combine(fact) for fact in facts]

    def _hear(self) -> int | None:
        """How the sensor board is; its inputs' levels, where they are known."""
        assert self._bridge is not None
        state = self._bridge.state()
        self._fusion.hearing = state.state == "connected"
        self._fusion.sensor_board = state.board
        if state.fitted is not None:
            self._fusion.trust.fitted = state.fitted
        return state.settled

    def _feel(self, message: FeltMessage) -> None:
        """The virtual table's physics moves the virtual board's inputs."""
        if self._virtual is None:
            return
        now = time.monotonic()
        self._note_time(message.time_s)
        for felt in message.felt:
            self._virtual.set(input_of(felt), felt.active, now - (message.time_s - felt.time_s))

    def _light(self, turn: int | None) -> None:
        """The LED of the side whose turn it is."""
        if turn == self._lit or self._bridge is None:
            return

        def light(session: Any) -> None:
            for side in (0, 1):
                session.light(side, LIGHT_ON if side == turn else LIGHT_OFF)

        if self._bridge.command(light):
            self._lit = turn

    # -- for others ------------------------------------------------------------------------------------
    def health(self) -> Json:
        """What /healthz says of the sensors."""
        if self._bridge is None:
            return {"state": NONE}
        state = self._bridge.state()
        body: Json = {"state": state.state}
        if state.detail:
            body["detail"] = state.detail
            body["told"] = words.troubles(state.troubles).to_json()
        with self._lock:
            doors, aside = self._fusion.doors, sorted(self._fusion.trust.aside)
        if aside:
            body["set_aside"] = [label(n, doors) for n in aside]
            body["set_aside_told"] = [words.sensor_name(n, doors).to_json() for n in aside]
        return body


def input_of(felt: Felt) -> int:
    """The input that a sensor of the virtual table is wired to."""
    if felt.what == "beam":
        return beam(felt.door, INNER if felt.inner else OUTER)
    return {"gate": GATE, "knock": KNOCK}[felt.what]
