"""One board on one line, without input or output: bytes and the host's time in, sensor events and bytes out.

Events come out once each and in order, whatever the line does; what is lost comes out as a Gap. The board is told to
forget an event only after `committed` was called for it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from firmware_bridge.clock import Clock
from firmware_bridge.protocol import (
    BAUD,
    PROTOCOL_VERSION,
    RESTART_WORD,
    SEQUENCES,
    SETTING_KEYS,
    Answer,
    Counts,
    Damaged,
    Edge,
    Event,
    Heartbeat,
    Hello,
    Message,
    OtherVersion,
    Reader,
    after,
    command,
)

BYTE_S = 10 / BAUD  # a start bit, eight bits, a stop bit
WRITE_S = 0.00065  # from a stamp to its line's first byte: the checksum takes the chip so long
BEAT_BYTES, HELLO_BYTES = 52, 78  # with "$" and newline; how late a stamp is when the last byte has come
SILENT_S = 1.4  # without a whole line for longer, the board is silent: five heartbeats, and noticed within 1.5 s
ASK_AGAIN_S = 0.25  # how often a board is asked for its hello, and a command repeated, until there is an answer
FIRST_PINGS = 40  # heartbeats asked for at once, so that the clock is good within the first second,
FIRST_PING_S = 0.02
PING_S = 0.05  # and from then on: of many late heartbeats, some are hardly late,
GOLDEN = 0.618033988749895  # above all when asked for in no step with the USB chip, which hands over every 16 ms
AHEAD = 128  # events after a missing one that are kept: as many as the board holds


@dataclass(frozen=True, slots=True)
class Mark:
    """The last event of a board that is committed."""

    boot: int
    sequence: int


@dataclass(frozen=True, slots=True)
class SensorEvent:
    """An input changed at host_s, seconds of the host's clock. active: a beam broken, the gate covered, a knock, …"""

    board: int
    boot: int
    sequence: int
    micros: int
    host_s: float
    input: int
    active: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """Events were lost around host_s; count is None where nobody knows how many, and sequence where it has none.

    reason: "overflow" (the board's memory was full), "reboot", "elsewhere" (another program took them), "unplugged",
    "silent", "garbled" (bytes came, but no whole line).
    """

    board: int | None
    boot: int | None
    sequence: int | None
    host_s: float
    reason: str
    count: int | None


Item = SensorEvent | Gap


def marks_of(items: Iterable[Item]) -> dict[int, Mark]:
    """The last numbered item of each board; items in order."""
    return {
        item.board: Mark(item.boot, item.sequence)
        for item in items
        if item.board is not None and item.boot is not None and item.sequence is not None
    }


@dataclass(frozen=True, slots=True)
class Timed:
    """The time of one boot of a board."""

    board: int
    boot: int
    clock: Clock


@dataclass(slots=True)
class Counters:
    """What the line has been through since the session began."""

    events: int = 0
    duplicates: int = 0
    damaged: int = 0
    gaps: int = 0
    resent: int = 0  # by the board, since its boot
    damaged_there: int = 0  # lines of ours that did not reach the board whole, since its boot
    overruns: int = 0


@dataclass(slots=True)
class _Order:
    """What is expected next, and what came early."""

    board: int
    boot: int
    expected: int
    ahead: dict[int, Event] = field(default_factory=dict)


class Session:
    """marks: what was committed before, by board id; waiting: what was taken since and is not yet committed.

    new_id: given to a board that has no id yet; 0 gives none. timed: the time of the board that the session before
    heard; where it is still that boot, its time goes on, and so does what is known of its drift.
    """

    def __init__(
        self, marks: Mapping[int, Mark] | None = None, waiting: Iterable[Item] = (), *, new_id: int = 0,
        timed: Timed | None = None,
    ) -> None:  # fmt: skip
        self._marks = dict(marks or {})
        self._taken = {**self._marks, **marks_of(waiting)}
        self._new_id = new_id
        self._given: set[int] = set()  # ids that the board was told to take
        self._reader = Reader()
        self._order: _Order | None = None
        self._out: list[bytes] = []
        self._commands: deque[tuple[int, bytes]] = deque()
        self._number = 0
        self._asked_s = self._ping_s = -math.inf
        self._pings, self._pinged = FIRST_PINGS, 0
        self._heard_s: float | None = None  # when the last byte came
        self._understood_s: float | None = None  # when the last whole line came
        self.heard = 0  # bytes, whole lines or not
        self.clock = Clock()
        self._timed = timed
        self.counters = Counters()
        self.hello: Hello | None = None
        self.levels: int | None = None
        self.settled: int | None = None  # levels of a heartbeat before which every event was taken
        self.other_version: int | None = None
        self.last_answer: Answer | None = None

    # -- in ------------------------------------------------------------------------------------------
    def receive(self, data: bytes, now_s: float) -> list[Item]:
        """What the bytes bring: new events and gaps, in the board's order."""
        if data:
            self._heard_s = now_s
            self.heard += len(data)
        items: list[Item] = []
        for message in self._reader.read(data):
            items += self._take(message, now_s)
        self.counters.gaps += sum(isinstance(item, Gap) for item in items)
        self.counters.events += sum(isinstance(item, SensorEvent) for item in items)
        return items

    def _take(self, message: Message | Damaged, now_s: float) -> list[Item]:
        if isinstance(message, Damaged):
            self.counters.damaged += 1
            if self._order is not None and command("N") not in self._out:
                self._out.append(command("N"))
            return []
        self._understood_s = now_s
        if isinstance(message, OtherVersion):
            self.other_version = message.version
            return []
        if isinstance(message, Answer):
            self._answered(message)
            return []
        if isinstance(message, Counts):
            c = self.counters
            c.resent, c.damaged_there, c.overruns = message.resent, message.damaged, message.overruns
            return []
        if isinstance(message, Hello | Heartbeat):
            return self._beat(message, now_s)
        return self._event(message, now_s)

    def _beat(self, beat: Hello | Heartbeat, now_s: float) -> list[Item]:
        gaps = self._follow(beat, now_s)
        bytes_ = HELLO_BYTES if isinstance(beat, Hello) else BEAT_BYTES
        self.clock.add(beat.micros, now_s - WRITE_S - bytes_ * BYTE_S)
        if beat.board == 0 and self._new_id and not self._commands:
            self.set("id", self._new_id)
        if isinstance(beat, Hello):
            self.hello, self.other_version = beat, None
        else:
            self.levels = beat.levels
            order = self._order
            self.settled = beat.levels if order is not None and beat.next == order.expected else None
        return gaps

    def _follow(self, beat: Hello | Heartbeat, now_s: float) -> list[Item]:
        """Which board and boot this is; what is expected next, and what was lost in between."""
        order = self._order
        if order is not None and self._renamed(order, beat.board, beat.boot):
            order.board = beat.board
        same = order is not None and (order.board, order.boot) == (beat.board, beat.boot)
        if order is not None and same and after(beat.next, order.expected) >= 0:  # as ever
            lost = after(beat.first, order.expected)
            if lost <= 0:
                return []
            self._expect(order, beat.first)
            return [Gap(beat.board, beat.boot, None, now_s, "elsewhere", lost)]
        if order is None:
            return self._begin(beat, self._taken.get(beat.board), now_s)
        if order.board == beat.board:  # another boot, or the same one but behind
            return self._begin(beat, Mark(-1, 0), now_s)
        gone = Gap(order.board, order.boot, None, now_s, "reboot", None)  # another board, or one that forgot its id
        return [gone, *self._begin(beat, self._taken.get(beat.board), now_s)]

    def _renamed(self, order: _Order, board: int, boot: int) -> bool:
        """True where the board on the line has just taken the id that it was given."""
        return order.board != board and order.boot == boot and board in self._given

    def _begin(self, beat: Hello | Heartbeat, mark: Mark | None, now_s: float) -> list[Item]:
        self.clock = self._clock_for(beat)
        self._pings = FIRST_PINGS
        self._order = _Order(beat.board, beat.boot, beat.first)
        if self.hello is not None and (self.hello.board, self.hello.boot) != (beat.board, beat.boot):
            self.hello = None
        if mark is None:
            return []
        if mark.boot != beat.boot:
            return [Gap(beat.board, beat.boot, None, now_s, "reboot", None)]
        expected = (mark.sequence + 1) % SEQUENCES
        if after(beat.next, expected) < 0:
            return [Gap(beat.board, beat.boot, None, now_s, "reboot", None)]
        lost = after(beat.first, expected)
        if lost > 0:
            return [Gap(beat.board, beat.boot, None, now_s, "elsewhere", lost)]
        self._order.expected = expected
        return []

    def _clock_for(self, beat: Hello | Heartbeat) -> Clock:
        timed, self._timed = self._timed, None
        same = timed is not None and (timed.board, timed.boot) == (beat.board, beat.boot)
        return timed.clock if timed is not None and same and timed.clock.goes_on(beat.micros) else Clock()

    def _event(self, event: Event, now_s: float) -> list[Item]:
        order = self._order
        if order is None or (event.board, event.boot) != (order.board, order.boot):
            if order is not None and self._renamed(order, event.board, event.boot):
                order.board = event.board
            else:
                self._asked_s = -math.inf  # ask who that is; the board sends the event again
                self.hello = None
                return []
        if event.board == 0 and self._new_id:
            return []  # it comes again under the id that the board is being given: journals know it by that
        distance = after(event.sequence, order.expected)
        if distance < 0:
            self.counters.duplicates += 1
            self._acknowledge(order)
            return []
        if distance < AHEAD:
            order.ahead[event.sequence] = event
        items: list[Item] = []
        while (found := order.ahead.pop(order.expected, None)) is not None:
            items.append(self._item(found, now_s))
            order.expected = (order.expected + 1) % SEQUENCES
        return items

    def _item(self, event: Event, now_s: float) -> Item:
        host_s = min(self.clock.host_s(event.micros), now_s) if self.clock.ready else now_s
        if isinstance(event, Edge):
            e = event
            return SensorEvent(e.board, e.boot, e.sequence, e.micros, host_s, e.input, e.active)
        return Gap(event.board, event.boot, event.sequence, host_s, "overflow", event.count)

    def _expect(self, order: _Order, sequence: int) -> None:
        order.expected = sequence
        order.ahead = {s: e for s, e in order.ahead.items() if after(s, sequence) >= 0}

    # -- out -----------------------------------------------------------------------------------------
    def committed(self, item: Item) -> None:
        """The journal has this item and all before it: the board may forget them."""
        self._marks.update(marks_of([item]))
        order = self._order
        if order is not None and (item.board, item.boot) == (order.board, order.boot):
            self._acknowledge(order)

    def _acknowledge(self, order: _Order) -> None:
        mark = self._marks.get(order.board)
        if mark is not None and mark.boot == order.boot:
            line = command("A", mark.boot, mark.sequence)
            if not self._out or self._out[-1] != line:
                self._out.append(line)

    def outgoing(self, now_s: float) -> bytes:
        """What is to be written now."""
        if (self.hello is None or self._commands) and now_s - self._asked_s >= ASK_AGAIN_S:
            self._asked_s = now_s
            if self.hello is None:
                self._out.append(command("Q", PROTOCOL_VERSION))
            if self._commands:
                self._out.append(self._commands[0][1])
        if now_s >= self._ping_s:
            self._pings -= bool(self._pings and self._order)
            self._pinged += 1
            uneven = 0.5 + self._pinged * GOLDEN % 1.0
            self._ping_s = now_s + uneven * (FIRST_PING_S if self._pings else PING_S)
            self._out.append(command("P"))
        data = b"".join(self._out)
        self._out.clear()
        return data

    # -- commands, one at a time, each repeated until it is answered -------------------------------------
    def set(self, key: str, value: int) -> None:
        """Changes one of the board's settings, SETTING_KEYS; it keeps it through power cuts."""
        if key == "id":
            self._given.add(value)
        self._command("S", ord(SETTING_KEYS[key]), value)

    def light(self, side: int, mode: int) -> None:
        """A side's LED: mode is an index of LIGHTS."""
        self._command("L", side, mode)

    def restart(self) -> None:
        """Has the board's watchdog restart it."""
        self._command("R", RESTART_WORD)

    def _command(self, kind: str, *fields: int) -> None:
        self._number = self._number % 0xFFFF + 1
        self._commands.append((self._number, command(kind, self._number, *fields)))
        self._asked_s = -math.inf

    def _answered(self, answer: Answer) -> None:
        self.last_answer = answer
        if self._commands and self._commands[0][0] == answer.number:
            self._commands.popleft()
            self._asked_s = -math.inf
            if not self._commands:
                self.hello = None  # ask again: it may have other settings now

    # -- how it is ---------------------------------------------------------------------------------------
    def silent(self, now_s: float) -> bool:
        """True where no whole line came for SILENT_S: what nobody can read is not heard."""
        return self._understood_s is None or now_s - self._understood_s > SILENT_S

    def garbled(self, now_s: float) -> bool:
        """True where bytes come, but for SILENT_S none that make a whole line."""
        return self.silent(now_s) and self._heard_s is not None and now_s - self._heard_s <= SILENT_S

    @property
    def board(self) -> int | None:
        """The id of the board on the line; None before it has said."""
        return self._order.board if self._order else None

    @property
    def timed(self) -> Timed | None:
        """The time of the board on the line, for the session after this one; None before there is any."""
        order = self._order
        return Timed(order.board, order.boot, self.clock) if order is not None and self.clock.ready else None
