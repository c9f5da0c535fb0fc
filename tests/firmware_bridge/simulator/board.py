"""A sensor board that is the real firmware on simavr, in step with the test: time is the board's own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from firmware_bridge.inputs import KNOCK
from tests.firmware_bridge.simulator.build import build, run

RX_ROOM = 4096  # what a pseudo-terminal surely holds
END_S = 5.0  # the harness, which is to end, may take so long on a busy machine


class SimulatedBoard:
    """The harness in step: nothing happens on the board but in run(). Also a Transport, by the pseudo-terminal."""

    def __init__(self, *, eeprom: Path | None = None) -> None:
        built = build()
        order = [str(built.harness), str(built.firmware)] + (["--eeprom", str(eeprom)] if eeprom else [])
        self._process = subprocess.Popen(order, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = self._answer("/dev/")
        self._line = os.open(self.port, os.O_RDWR | os.O_NOCTTY)
        self.now_us = 0
        self._arrived = b""

    # -- the board -----------------------------------------------------------------------------------
    def run(self, us: int, *, to_line: bool = False) -> None:
        """Lets the board run; what it sends meanwhile can be read afterwards."""
        self._order(f"run {us}" + (" line" if to_line else ""))
        _, now, _, sent = self._answer("t ").split()
        self.now_us = int(now)
        self._arrived += self._take(int(sent))

    def pins(self, changes: Iterable[tuple[int, int, bool]]) -> None:
        """(microsecond, input, active): rest is a high pin, but for the knock sensor."""
        for at_us, number, active in changes:
            self._order(f"pin {number} {int(active == (number == KNOCK))} {at_us}")

    def reset(self) -> None:
        """Its reset button is pressed."""
        self._order("reset")

    def poke(self, name: str, value: int, size: int) -> None:
        """Sets one of the firmware's variables."""
        symbols = run("avr-nm", str(build().firmware))
        at = next(int(line.split()[0], 16) for line in symbols.splitlines() if line.split()[-1] == name)
        for i, byte in enumerate(value.to_bytes(size, "little")):
            self._order(f"poke {(at & 0xFFFF) + i} {byte}")

    def untouched_ram(self) -> int:
        """Bytes of RAM that neither variables nor stack have ever used."""
        self._order("stack")
        return int(self._answer(""))

    def lights(self) -> tuple[int, int]:
        """Whether the sides' LEDs are lit."""
        self._order("outputs")
        first, second = self._answer("").split()
        return int(first), int(second)

    # -- the line ------------------------------------------------------------------------------------
    def read(self) -> bytes:
        """What the board has sent."""
        data, self._arrived = self._arrived, b""
        return data

    def write(self, data: bytes) -> None:
        """To the board; it gets the bytes at the line's speed."""
        for at in range(0, len(data), RX_ROOM):
            part = data[at : at + RX_ROOM]
            os.write(self._line, part)
            self._order(f"rx {len(part)}")

    def close(self) -> None:
        """The harness ends, and keeps the EEPROM where it was asked to."""
        if self._process.poll() is None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()
            os.close(self._line)
            assert self._process.stdout is not None
            self._process.stdout.close()

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += os.read(self._line, count - len(data))
        return data

    def _order(self, order: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(order + "\n")
        self._process.stdin.flush()

    def _answer(self, begin: str) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(begin) and not line.startswith("Loaded"):
                return line.strip()
        raise AssertionError(f"the harness has ended (exit code {self._process.wait()})")


class RealtimeBoard:
    """The same firmware by the wall clock: its port can be opened by any program.

    The port is a name of its own that goes first: a terminal that is gone leaves its number to the next one, and who
    waits for this board would take that one's bytes.
    """

    def __init__(self, *, eeprom: Path | None = None) -> None:
        built = build()
        order = [str(built.harness), str(built.firmware), "--realtime"]
        order += ["--eeprom", str(eeprom)] if eeprom else []
        self._process = subprocess.Popen(order, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self._names = tempfile.TemporaryDirectory(prefix="board-")
        self._name = Path(self._names.name) / "tty"
        self._name.symlink_to(self._process.stdout.readline().strip())
        self.port = str(self._name)

    def pulse(self, number: int, us: int = 5000) -> None:
        """An input becomes active now, for a while."""
        knock = number == KNOCK
        assert self._process.stdin is not None
        self._process.stdin.write(f"after 0 {number} {int(knock)}\nafter {us} {number} {int(not knock)}\n")
        self._process.stdin.flush()

    def freeze(self, frozen: bool) -> None:
        """The board hangs, with its cable in; or goes on."""
        self._process.send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)

    def lights(self) -> tuple[int, int]:
        """Whether the sides' LEDs are lit."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("outputs\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if not line.startswith("Loaded"):
                break
        first, second = line.split()
        return int(first), int(second)

    def close(self) -> None:
        """Unplugged: the port is gone; what is in its EEPROM is kept, where there is a file for it."""
        self._name.unlink(missing_ok=True)
        self._names.cleanup()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:  # it hangs
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
