"""A sensor board that does not exist: the firmware's twin in Python, to be read beside it."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from firmware_bridge.inputs import ACTIVE_LOW, ALL_INPUTS
from firmware_bridge.protocol import (
    FIRST_SEQUENCE,
    MICROS,
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
    Overflow,
    Splitter,
    after,
    message_bytes,
)

RING = 128  # events that wait for a host, as in firmware/ring.h
GAP_MOST = 0x7FFF  # edges that one gap can tell
RESEND_S, RESEND_SLOW_S, RESEND_SOON_S = 0.03, 0.25, 0.008  # they are sent again: to a host, to none, after damage
HOST_GONE_S = 2.0  # a host that is silent for longer is none; all of these are as in firmware/main.c
COUNTERS_BEATS = 4  # the counters come with every fourth heartbeat
FIRMWARE = 0x0101  # version 1.1, as in firmware/protocol.h
POWER, WATCHDOG = 1, 8  # causes of a reset


class VirtualBoard:
    """Bytes in, bytes out, and inputs to set; the time is that of its `clock`, which goes on through reboots.

    board: its id; 0 for a new one. boot: the number of its first boot. Thread-safe.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, board: int = 0x0E12, boot: int = 1,
                 version: int = PROTOCOL_VERSION) -> None:  # fmt: skip
        self._clock, self._version = clock, version
        self._lock = threading.RLock()
        self._board, self._boot = board, boot - 1
        self._settings = {"F": ALL_INPUTS, "L": ACTIVE_LOW, "H": 500, "B": 250}
        self._levels = 0
        self.lights = [0, 0]
        self._start(POWER)

    def _start(self, cause: int) -> None:
        self._boot = (self._boot + 1) % SEQUENCES
        self._cause, self._began_s = cause, self._clock()
        self._ear = Splitter()
        self._events: deque[Event] = deque()
        self._next = self._send_next = FIRST_SEQUENCE
        self._sent_until = FIRST_SEQUENCE
        self._oldest_due = False
        self._lost, self._lost_micros = 0, 0
        self._resent = self._damaged = 0
        self._done = self._refused = self._why = self._number = 0
        self._newest: tuple[str, list[int]] | None = None
        self._heard_s = self._rewound_s = self._beat_s = -1.0
        self._beats = 0
        self._due: deque[str] = deque("HB")
        self._damage_seen = False

    # -- what happens to it --------------------------------------------------------------------------
    def set(self, number: int, active: bool, at_s: float | None = None) -> None:
        """An input changes, now or at a moment of the clock that has passed."""
        with self._lock:
            bit = 1 << number
            if bool(self._levels & bit) == active or not self._settings["F"] & bit:
                return
            self._levels ^= bit
            self._put(number, active, self._micros(at_s))

    def reboot(self, cause: int = POWER) -> None:
        """Loses all but its settings, as at a power cut."""
        with self._lock:
            self._start(cause)

    @property
    def boot(self) -> int:
        """The number of this boot."""
        return self._boot

    def _micros(self, at_s: float | None = None) -> int:
        return round(((self._clock() if at_s is None else at_s) - self._began_s) * 1e6) % MICROS

    @property
    def _first(self) -> int:
        return (self._next - len(self._events)) % SEQUENCES

    def _put(self, number: int, active: bool, micros: int) -> None:
        self._tell_lost(1)
        if not self._lost and len(self._events) < RING:
            self._append(Edge(self._board, self._boot, self._next, micros, number, active))
            return
        if not self._lost:
            self._lost_micros = micros
        self._lost += 1

    def _tell_lost(self, spare: int) -> None:
        """Keeps so many places free; more than one gap can tell are told by several."""
        while self._lost and RING - len(self._events) > spare:
            told = min(self._lost, GAP_MOST)
            self._append(Overflow(self._board, self._boot, self._next, self._lost_micros, told))
            self._lost -= told

    def _append(self, event: Event) -> None:
        self._events.append(event)
        self._next = (self._next + 1) % SEQUENCES

    # -- the line ------------------------------------------------------------------------------------
    def receive(self, data: bytes) -> None:
        """Bytes from the host."""
        with self._lock:
            for item in self._ear.feed(data):
                if isinstance(item, Damaged):
                    self._damaged = (self._damaged + 1) % SEQUENCES
                else:
                    self._heard_s = self._clock()
                    self._obey(item[0], [int(field, 16) for field in item[1]])

    def _obey(self, kind: str, fields: list[int]) -> None:
        if kind == "A" and len(fields) == 2:
            self._acknowledge(*fields)
        elif kind == "N":
            self._damage_seen = True
        elif kind in "QP":
            self._due.append({"Q": "H", "P": "B"}[kind])
        else:
            self._command(kind, fields)

    def _acknowledge(self, boot: int, sequence: int) -> None:
        if boot != self._boot or not 0 <= after(sequence, self._first) < len(self._events):
            return
        for _ in range(after(sequence, self._first) + 1):
            self._events.popleft()
        self._tell_lost(0)
        if after(self._send_next, self._first) < 0:
            self._send_next = self._first
        self._rewound_s = self._clock()

    def _command(self, kind: str, fields: list[int]) -> None:
        self._due.append("K")
        if self._newest == (kind, fields):
            return
        self._newest = (kind, fields)
        self._number = fields[0] if fields else 0
        why = self._carry_out(kind, fields)
        self._done, self._refused = self._done + (not why), self._refused + bool(why)
        self._why = why or self._why

    def _carry_out(self, kind: str, fields: list[int]) -> int:
        if kind == "L" and len(fields) == 3:
            if fields[1] > 1 or fields[2] > 3:
                return 3
            self.lights[fields[1]] = fields[2]
            return 0
        if kind == "S" and len(fields) == 3:
            key = chr(fields[1])
            if key == SETTING_KEYS["id"]:
                self._board = fields[2]
                self._events = deque(replace(e, board=self._board) for e in self._events)
            elif key in self._settings:
                self._settings[key] = fields[2]
            else:
                return 3
            return 0
        if kind == "R" and len(fields) == 2 and fields[1] == RESTART_WORD:
            self._start(WATCHDOG)
            return 0
        return 1 if kind not in "LSR" else 2

    def send(self) -> bytes:
        """The next line that the board has to say, as it begins to send it; nothing where there is none."""
        with self._lock:
            now = self._clock()
            if now - self._beat_s >= self._settings["B"] / 1000:
                self._beat_s, self._beats = now, self._beats + 1
                self._due.append("B")
                if self._beats % COUNTERS_BEATS == 0:
                    self._due.append("C")
            if self._due:
                kind = self._due[0]
                self._due = deque(k for k in self._due if k != kind)  # one answer for all who asked
                return message_bytes(self._say(kind))
            self._rewind(now)
            if self._send_next == self._next:
                return b""
            if self._oldest_due:
                self._oldest_due, self._resent = False, (self._resent + 1) % SEQUENCES
                return message_bytes(self._events[0])
            event = self._events[after(self._send_next, self._first)]
            again = after(self._sent_until, self._send_next) > 0
            self._resent = (self._resent + again) % SEQUENCES
            self._send_next = (self._send_next + 1) % SEQUENCES
            self._sent_until = self._sent_until if again else self._send_next
            return message_bytes(event)

    def _rewind(self, now: float) -> None:
        there = now - self._heard_s < HOST_GONE_S
        patience = RESEND_SOON_S if self._damage_seen else RESEND_S if there else RESEND_SLOW_S
        if self._send_next == self._first:
            self._rewound_s, self._damage_seen = now, False
        elif now - self._rewound_s >= patience:
            self._oldest_due = self._send_next != self._next
            self._send_next = self._send_next if self._oldest_due else self._first
            self._rewound_s, self._damage_seen = now, False

    def _say(self, kind: str) -> Message:
        who, queue = (self._board, self._boot), (self._first, self._next)
        s = self._settings
        if kind == "H":
            return Hello(self._version, *who, self._micros(), *queue, FIRMWARE, s["F"], s["L"], s["H"], s["B"],
                         self._cause)  # fmt: skip
        if kind == "B":
            return Heartbeat(*who, self._micros(), *queue, self._levels)
        if kind == "C":
            return Counts(*who, self._resent, self._damaged, 0)
        return Answer(*who, self._number, self._done % SEQUENCES, self._refused % SEQUENCES, self._why)
