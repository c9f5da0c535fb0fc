"""Which port is the sensor board's: told, or found by its name, its USB numbers, and at last by its hello."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports

from firmware_bridge.protocol import PROTOCOL_VERSION
from firmware_bridge.session import Session
from firmware_bridge.transport import PortError, SerialTransport, Transport, Trouble

BY_ID = Path("/dev/serial/by-id")  # Linux: names that stay with a device, whatever order they are plugged in
USB_VENDORS = {  # of boards, or of the chips on them that make USB out of serial
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x1A86: "CH340, on most Nanos",
    0x0403: "FTDI",
    0x10C4: "CP210x",
    0x067B: "PL2303",
}
AUTO = "auto"  # what a person says to have the port found
AGAIN_S = 30.0  # ports that were refused are asked again after so long, or when another one appears
TRUSTED_S = 10.0  # the board's last port is taken at its word, but not again when it was no use so short a time ago
HELLO_S = 2.5  # an Uno that is opened starts anew, and its boot loader takes a second

OpenPort = Callable[[str], Transport]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A port that may be a sensor board's; why it is thought so."""

    path: str
    why: str


def candidates(by_id: Path = BY_ID) -> list[Candidate]:
    """Ports that may be a sensor board's, the likeliest first; each once."""
    found: dict[Path, Candidate] = {}
    known = [p for p in list_ports.comports() if p.vid in USB_VENDORS]
    names = _names(by_id)
    for name in names:
        if any(Path(p.device) == name.resolve() for p in known):
            found.setdefault(name.resolve(), Candidate(str(name), name.name))
    for port in sorted(known, key=lambda p: str(p.device)):
        found.setdefault(Path(port.device).resolve(), Candidate(port.device, USB_VENDORS[port.vid]))
    for name in names:
        found.setdefault(name.resolve(), Candidate(str(name), name.name))
    return list(found.values())


def _names(by_id: Path) -> list[Path]:
    try:
        return sorted(by_id.iterdir())
    except OSError:
        return []  # the folder comes with the first device, and goes with the last


def ask_who(transport: Transport, path: str, clock: Callable[[], float] = time.monotonic) -> int:
    """The id of the board on an open port. Raises PortError where none answers, or one that speaks otherwise."""
    session = Session()
    end_s = clock() + HELLO_S
    heard = 0
    while clock() < end_s:
        if data := session.outgoing(clock()):
            transport.write(data)
        heard += len(data := transport.read())
        session.receive(data, clock())
        if session.other_version is not None:
            raise PortError(other_version(path, session.other_version))
        if session.hello is not None:
            return session.hello.board
    raise PortError(no_answer(path, heard, HELLO_S))


def no_answer(path: str, heard: int, seconds: float) -> Trouble:
    """A port where no sensor board answers. heard: so many bytes in so many seconds, none of which made sense."""
    seen = f"{heard} bytes that are not its language" if heard else "nothing"
    line = (
        f"{path}: no sensor board answers there (heard {seen} in {seconds:g} s); give another port, "
        "or flash the firmware as hardware.md says"
    )
    return Trouble("other_language" if heard else "no_answer", line, path)


def other_version(path: str, version: int) -> Trouble:
    """A board that speaks another version of the protocol."""
    newer = version > PROTOCOL_VERSION
    what = "update Paleo Companion" if newer else "flash the firmware that came with this companion (see hardware.md)"
    line = (
        f"{path}: the sensor board speaks protocol {version}, which is {'newer' if newer else 'older'} than this "
        f"companion's {PROTOCOL_VERSION}; {what}"
    )
    return Trouble("newer" if newer else "older", line, path)


def find_board(
    paths: Iterable[Candidate] | None = None,
    *,
    open_port: OpenPort = SerialTransport,
    clock: Callable[[], float] = time.monotonic,
) -> str:
    """The port of the one sensor board there is. Raises PortError where there is none, or more than one."""
    listed = list(candidates() if paths is None else paths)
    answered: dict[str, int] = {}
    refused: list[Trouble] = []
    for candidate in listed:
        try:
            transport = open_port(candidate.path)
            try:
                answered[candidate.path] = ask_who(transport, candidate.path, clock)
            finally:
                transport.close()
        except PortError as error:
            refused += error.troubles
    if len(answered) == 1:
        return next(iter(answered))
    if answered:
        raise PortError(_too_many(answered))
    if refused:
        raise PortError(*refused)
    line = "no sensor board is plugged in (no USB serial port was found); plug it in, or name its port"
    raise PortError(Trouble("none", line))


class Finder:
    """find_board for one who asks again and again: ports that were refused are left in peace for a while.

    Opening a port starts an Uno anew, and may disturb what else hangs there.
    """

    def __init__(
        self,
        listed: Callable[[], list[Candidate]] = candidates,
        *,
        open_port: OpenPort = SerialTransport,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._listed, self._open, self._clock = listed, open_port, clock
        self._refused: tuple[tuple[str, ...], float, tuple[Trouble, ...]] | None = None
        self._last, self._gave_s = "", -math.inf

    def __call__(self) -> str:
        """The board's port. Raises PortError, without opening any while the same ports were refused just now."""
        listed = self._listed()
        paths = tuple(candidate.path for candidate in listed)
        if self._last in paths and self._clock() - self._gave_s > TRUSTED_S:
            self._gave_s = self._clock()  # it is back: asking first who it is would start an Uno twice
            return self._last
        if self._refused is not None and self._refused[0] == paths and self._clock() < self._refused[1]:
            raise PortError(*self._refused[2])
        try:
            found = find_board(listed, open_port=self._open, clock=self._clock)
        except PortError as error:
            self._refused = (paths, self._clock() + AGAIN_S, error.troubles)
            raise
        self._refused = None
        self._last = found
        return found


def _too_many(answered: dict[str, int]) -> Trouble:
    ports = ", ".join(f"{path} (id {board:08X})" for path, board in answered.items())
    if len(set(answered.values())) < len(answered):
        line = f"two sensor boards with one id: {ports}; unplug one, then run `paleo sensors --new-id`"
        return Trouble("one_id", line, word=ports)
    line = f"more than one sensor board is plugged in: {ports}; name the one to use with --sensors"
    return Trouble("several", line, word=ports)
