"""The serial port itself: the only module that opens one. Everything above works on bytes."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from typing import Protocol

import serial

from firmware_bridge.protocol import BAUD

try:
    from termios import error as TerminalError  # pyserial lets it through where a port goes while it is opened
except ImportError:  # Windows has none
    TerminalError = OSError  # type: ignore[assignment,misc]

READ_S = 0.005  # the longest that a read waits for the first byte: heartbeats are asked for in between
USUAL_GROUP = "dialout"
NO_LINE = os.strerror(errno.ENOTTY)  # a device such as /dev/null, which has no speed to be set
WRITE_S = 1.0  # a port that takes nothing for longer is broken


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong, for those who tell it in another language. line: in English, whole; kind: which of the troubles
    below; port; word: what else is in the line, such as the group that may open a port."""

    kind: str
    line: str
    port: str = ""
    word: str = ""


class PortError(OSError):
    """A port cannot be used; one line: which, why, and what to do. troubles: the same, one for each port."""

    def __init__(self, *troubles: Trouble) -> None:
        super().__init__("; ".join(trouble.line for trouble in troubles))
        self.troubles = troubles


class PortLostError(PortError):
    """The port has gone: unplugged, or its driver has ended."""


class Transport(Protocol):
    """Bytes both ways. read waits a short while for the first byte. Both raise PortLostError."""

    def read(self) -> bytes: ...
    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...


class SerialTransport:
    """A serial port, ours alone. Raises PortError where it cannot be opened."""

    def __init__(self, path: str, *, read_s: float = READ_S) -> None:
        self.path = path
        try:
            self._port = serial.Serial(path, BAUD, timeout=read_s, write_timeout=WRITE_S, exclusive=True)
        except (OSError, ValueError, TerminalError) as error:
            raise PortError(why_not_open(path, error)) from None

    def read(self) -> bytes:
        try:
            return bytes(self._port.read(max(1, self._port.in_waiting)))
        except (OSError, TypeError, TerminalError) as error:  # TypeError: pyserial's, when it is closed meanwhile
            raise lost(self.path, error) from None

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except (OSError, TypeError, TerminalError) as error:
            raise lost(self.path, error) from None

    def close(self) -> None:
        try:
            self._port.close()
        except (OSError, TerminalError):
            return  # it has gone already


def lost(path: str, error: Exception) -> PortLostError:
    """The port went while it was used."""
    line = f"{path}: the port has gone ({error}); plug the sensor board in again"
    return PortLostError(Trouble("gone", line, path))


def why_not_open(path: str, error: Exception) -> Trouble:
    """What is wrong with a port, and what to do."""
    number = getattr(error, "errno", None)
    text = str(error)
    if not path.strip():
        return Trouble("no_name", "no port is named; give one such as /dev/ttyUSB0 or COM3, or the word auto", path)
    if number == errno.ENOENT or not os.path.exists(path):
        line = f"{path}: there is no such port; plug the sensor board in, or see `paleo doctor` for the ports there are"
        return Trouble("no_port", line, path)
    if number in (errno.EACCES, errno.EPERM) or "Permission denied" in text:
        group = group_of(path)
        line = (
            f"{path}: no permission to open it; it belongs to the group {group}: "
            f"run `sudo usermod -aG {group} $USER` and log in again"
        )
        return Trouble("no_permission", line, path, group)
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in text or "busy" in text:
        line = f"{path}: another program has it open; close the Arduino IDE's monitor or the other companion"
        return Trouble("taken", line, path)
    if not is_terminal(path) or NO_LINE in text:
        line = f"{path}: this is no serial port; give one such as /dev/ttyUSB0 or COM3"
        return Trouble("no_serial_port", line, path)
    return Trouble("no_opening", f"{path}: cannot be opened ({text}); pull the cable out and plug it in again", path)


def is_terminal(path: str) -> bool:
    """True where the path names a character device; on Windows anything may."""
    try:
        return os.name != "posix" or stat.S_ISCHR(os.stat(path).st_mode)
    except OSError:
        return True  # it has gone meanwhile: a file does not


def group_of(path: str) -> str:
    """The name of the group that may open a device."""
    if os.name != "posix":
        return "Users"
    import grp

    try:
        number = os.stat(path).st_gid
    except OSError:
        return USUAL_GROUP  # it has gone meanwhile
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
