"""A cable to a virtual board, as bad as is wanted: the place of a serial port."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.session import BYTE_S, WRITE_S
from firmware_bridge.transport import READ_S, PortError, PortLostError, Trouble
from firmware_bridge.virtual_board import VirtualBoard

VIRTUAL_PORT = "virtual"
PAUSE_S = 0.002  # how often a read that waits looks again


@dataclass(frozen=True, slots=True)
class Faults:
    """Chances for each byte to be lost, flipped or doubled, and the longest that bytes are late, seconds."""

    lost: float = 0.0
    flipped: float = 0.0
    doubled: float = 0.0
    late_s: float = 0.0


class VirtualPort:
    """A Transport to a virtual board: a cable that can be bad, dead or pulled out. open() as often as you like."""

    def __init__(self, board: VirtualBoard, *, faults: Faults | None = None, rng: random.Random | None = None,
                 clock: Callable[[], float] = time.monotonic,
                 sleep: Callable[[float], None] = time.sleep) -> None:  # fmt: skip
        self.board, self.faults = board, faults or Faults()
        self._rng, self._clock, self._sleep = rng or random.Random(0), clock, sleep
        self._on_its_way: deque[tuple[float, bytes]] = deque()
        self._free_s = 0.0  # until when the line is taken by what the board says
        self.plugged = True
        self.silent = False

    def open(self, path: str = VIRTUAL_PORT) -> VirtualPort:
        """The port, where it is plugged in. Raises PortError."""
        if not self.plugged:
            raise PortError(Trouble("no_port", f"{path}: there is no such port; plug the sensor board in", path))
        self._on_its_way.clear()
        return self

    def unplug(self) -> None:
        """Pulls the cable: the board, fed through it, is off."""
        self.plugged = False

    def plug_in(self) -> None:
        """The board starts anew."""
        self.board.reboot()
        self.plugged = True

    def read(self) -> bytes:
        """What has arrived; waits a short while for it. Raises PortLostError."""
        end_s = self._clock() + READ_S
        while True:
            self._check()
            now = self._clock()
            self._listen(now)
            arrived = b""
            while self._on_its_way and self._on_its_way[0][0] <= now:
                arrived += self._on_its_way.popleft()[1]
            if (arrived and not self.silent) or now >= end_s:
                return b"" if self.silent else arrived
            self._sleep(PAUSE_S)

    def _listen(self, now: float) -> None:
        """Takes the board's next line once the last one has gone out; it arrives when its last byte does, or later."""
        if self._free_s > now:
            return
        if line := self.board.send():
            self._free_s = now + WRITE_S + len(line) * BYTE_S
            late_s = self._rng.uniform(0.0, self.faults.late_s)
            self._on_its_way.append((self._free_s + late_s, self._spoilt(line)))

    def write(self, data: bytes) -> None:
        """To the board. Raises PortLostError."""
        self._check()
        if not self.silent:
            self.board.receive(self._spoilt(data))

    def close(self) -> None:
        """Nothing to let go of."""

    def _check(self) -> None:
        if not self.plugged:
            line = "virtual: the port has gone; plug the sensor board in again"
            raise PortLostError(Trouble("gone", line, VIRTUAL_PORT))

    def _spoilt(self, data: bytes) -> bytes:
        f = self.faults
        if not (f.lost or f.flipped or f.doubled):
            return data
        out = bytearray()
        for byte in data:
            chance = self._rng.random()
            if chance < f.lost:
                continue
            if chance < f.lost + f.flipped:
                byte ^= 1 << self._rng.randrange(8)
            out.append(byte)
            if f.lost + f.flipped <= chance < f.lost + f.flipped + f.doubled:
                out.append(byte)
        return bytes(out)
