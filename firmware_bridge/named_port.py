"""The port that a person named: the same sensor board is found again, whatever its port is called after a replug."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from serial.tools import list_ports

from firmware_bridge.ports import AGAIN_S, OpenPort, ask_who
from firmware_bridge.transport import PortError, PortLostError, SerialTransport, Transport, Trouble

NO_ID = 0  # of a board that was never given one, or has forgotten it


class Listed(Protocol):
    """A port as pyserial lists it; of one that is no USB's the numbers are None."""

    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None


@dataclass(frozen=True, slots=True)
class Usb:
    """By what USB tells one device from another; boards with a CH340 have no serial number."""

    vid: int
    pid: int
    serial_number: str | None


class NamedPort:
    """find() and open() of a Bridge for a port that a person named.

    Until a board was heard there, that port is all there is. Afterwards that board is looked for: at its name, and
    where USB calls the same device by another one, as Linux does with a board that is plugged in again before its old
    port was let go of. Only what has its USB numbers is asked who it is, or what has none and was not there before;
    only the board with the same id is taken. Nothing else that hangs at this machine is opened.

    heard: the id of the board that was heard last; listed: the ports there are.
    """

    def __init__(
        self,
        name: str,
        heard: Callable[[], int | None],
        *,
        listed: Callable[[], Iterable[Listed]] = list_ports.comports,
        open_port: OpenPort = SerialTransport,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name, self._heard, self._listed, self._open, self._clock = name, heard, listed, open_port, clock
        self._usb: Usb | None = None  # of the device at which the board was heard
        self._others: set[str] = set()  # ports that were there beside it
        self._refused: dict[str, tuple[float, PortError]] = {}  # until when a port is not asked again, and why not
        self._asked: tuple[str, Transport] | None = None  # the port at which the board has just answered, still open

    def find(self) -> str:
        """The board's port. Raises PortError where it is not there now."""
        there = {port.device: usb_of(port) for port in self._listed()}
        board = self._heard()
        if board is None:
            self._remember(self._name, there)
            return self._name
        self._others &= set(there)
        self._refused = {path: why for path, why in self._refused.items() if path in there or Path(path).exists()}
        places = self._places(there)
        troubles: list[Trouble] = []
        for path in places:
            try:
                self._asked = path, self._ask(path, board)
            except PortError as error:
                troubles += error.troubles
                continue
            self._remember(path, there)
            return path
        raise PortError(self._awaited(board, there), *troubles)

    def open(self, path: str) -> Transport:
        """The port, open. It is not opened twice: that would start an Uno twice. Raises PortError."""
        asked, self._asked = self._asked, None
        if asked is not None and asked[0] == path:
            return asked[1]
        return self._open(path)

    def _places(self, there: dict[str, Usb | None]) -> list[str]:
        """Where the board may be: under its name first."""
        own = same_as(self._name, there)
        named = [self._name] if self._is_there(there) and (own is None or there[own] == self._usb) else []
        elsewhere = [path for path, usb in there.items() if usb == self._usb and path not in (own, *self._others)]
        return [*named, *elsewhere]

    def _is_there(self, there: dict[str, Usb | None]) -> bool:
        return same_as(self._name, there) is not None or Path(self._name).exists()

    def _ask(self, path: str, board: int) -> Transport:
        """Opens a port at which the board answers. Raises PortError, and leaves what refused in peace for a while."""
        until_s, why = self._refused.get(path, (0.0, None))
        if why is not None and self._clock() < until_s:
            raise why
        transport = self._open(path)
        try:
            self._check(path, board, ask_who(transport, path, self._clock))
        except PortError as error:
            transport.close()
            if not isinstance(error, PortLostError):
                self._refused[path] = self._clock() + AGAIN_S, error
            raise
        self._refused.pop(path, None)
        return transport

    def _check(self, path: str, board: int, answered: int) -> None:
        """Raises PortError where another board answers. One without an id is the same one, which has forgotten it, at
        its name, or where USB tells its serial number."""
        surely = path == self._name or (self._usb is not None and self._usb.serial_number is not None)
        if answered == board or (answered == NO_ID and surely):
            return
        line = (
            f"{path}: another sensor board is there (id {answered:08X}); expected the one of this match "
            f"(id {board:08X}): plug that one in, or start Paleo Companion anew to use this one"
        )
        raise PortError(Trouble("another_board", line, path, f"{board:08X}"))

    def _remember(self, path: str, there: dict[str, Usb | None]) -> None:
        own = same_as(path, there)
        self._usb = there[own] if own is not None else None
        self._others = set(there) - {own}

    def _awaited(self, board: int, there: dict[str, Usb | None]) -> Trouble:
        """What is waited for, and what has its port meanwhile."""
        own, word = same_as(self._name, there), f"{board:08X}"
        whose = f"{self._name}: the sensor board (id {word})"
        waits = "it is waited for: plug it in again, at any USB socket"
        if not self._is_there(there):
            return Trouble("away", f"{whose} is not plugged in any more; {waits}", self._name, word)
        if own is not None and there[own] != self._usb:
            line = f"{whose} is not here any more, but another device, which is left alone; {waits}"
            return Trouble("another_device", line, self._name, word)
        return Trouble("unheard", f"{whose} is not heard here any more; {waits}", self._name, word)


def usb_of(port: Listed) -> Usb | None:
    """What USB tells of a port; None for one that is no USB's."""
    return Usb(port.vid, port.pid, port.serial_number) if port.vid is not None and port.pid is not None else None


def same_as(name: str, there: Iterable[str]) -> str | None:
    """The listed port that a name means, which may be a link to it."""
    real = Path(name).resolve()
    return next((path for path in there if Path(path).resolve() == real), None)
