"""Lines between host and sensor board: bytes in, frozen messages out, no input or output anywhere.

hardware.md's table of the protocol is the authority; firmware/protocol.c is the other twin. A line is "$", a kind's
letter, fields in capital hex with one blank before each, "*", the CRC-32 of everything up to and with the "*", newline.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast
from zlib import crc32

PROTOCOL_VERSION = 1
BAUD = 115200  # bits a second, as in firmware/board.h
FIRST_SEQUENCE = 0xFF80  # of each boot: the number wraps early, so every evening proves that it may
SEQUENCES = 1 << 16
MICROS = 1 << 40  # the board's clock wraps after 12.7 days
LINE_MAX = 200  # nothing valid is longer; what is, is dropped as it comes in
RESTART_WORD = 0xB007
SETTING_KEYS = {"id": "I", "fitted": "F", "active_low": "L", "hold_us": "H", "beat_ms": "B"}
LIGHTS = ("off", "on", "slow", "fast")
RESET_CAUSES = ((1, "power"), (2, "reset pin"), (4, "brown-out"), (8, "watchdog"))
WHY_REFUSED = {0: "done", 1: "unknown command", 2: "wrong fields", 3: "value out of range"}

_CHECK = 9  # bytes: "*" and eight digits
_BODY = re.compile(rb"\$([A-Z])((?: [0-9A-F]+)*)\*")
_HEX8 = re.compile(rb"[0-9A-F]{8}")


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the board is; micros: its time now; first, next: sequences of the oldest event kept and of the one to come.

    fitted, active_low: a bit for each input; cause: why it was reset, bits of RESET_CAUSES.
    """

    version: int
    board: int
    boot: int
    micros: int
    first: int
    next: int
    firmware: int
    fitted: int
    active_low: int
    hold_us: int
    beat_ms: int
    cause: int


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """A hello of a board that speaks another version of the protocol; nothing else in it is understood."""

    version: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Sent every beat_ms, and when asked. levels: a bit for each active input."""

    board: int
    boot: int
    micros: int
    first: int
    next: int
    levels: int


@dataclass(frozen=True, slots=True)
class Counts:
    """What the line has been through since boot, 16 bits that wrap: events sent again, lines and bytes lost."""

    board: int
    boot: int
    resent: int
    damaged: int
    overruns: int


@dataclass(frozen=True, slots=True)
class Edge:
    """An input became active (a beam broken, the gate covered, a knock, the button down) or came to rest."""

    board: int
    boot: int
    sequence: int
    micros: int
    input: int
    active: bool


@dataclass(frozen=True, slots=True)
class Overflow:
    """The board had no room for `count` edges, the first of them at `micros`."""

    board: int
    boot: int
    sequence: int
    micros: int
    count: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The newest numbered command was dealt with; counts since boot; why: of the newest refusal, WHY_REFUSED."""

    board: int
    boot: int
    number: int
    done: int
    refused: int
    why: int


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes that are no valid line."""

    length: int


Message = Hello | OtherVersion | Heartbeat | Counts | Edge | Overflow | Answer
Event = Edge | Overflow

# A kind's letter, its message, and the digits of each of its fields, in order.
LAYOUT: dict[str, tuple[type[Message], tuple[int, ...]]] = {
    "H": (Hello, (2, 8, 4, 10, 4, 4, 4, 4, 4, 4, 4, 2)),
    "B": (Heartbeat, (8, 4, 10, 4, 4, 4)),
    "C": (Counts, (8, 4, 4, 4, 4)),
    "E": (Edge, (8, 4, 4, 10, 1, 1)),
    "G": (Overflow, (8, 4, 4, 10, 4)),
    "K": (Answer, (8, 4, 4, 4, 4, 2)),
}
# The host's commands: a kind's letter and the digits of each of its fields.
COMMANDS: dict[str, tuple[int, ...]] = {
    "Q": (2,),
    "P": (),
    "N": (),
    "A": (4, 4),
    "L": (4, 1, 1),
    "S": (4, 2, 8),
    "R": (4, 4),
}


def frame(kind: str, fields: tuple[int, ...], digits: tuple[int, ...]) -> bytes:
    """A whole line. Raises ValueError where a field does not fit its digits."""
    parts = ["$" + kind]
    for value, width in zip(fields, digits, strict=True):
        if not 0 <= value < 16**width:
            raise ValueError(f"field {value} of a line {kind}: expected 0 to {16**width - 1}")
        parts.append(f"{value:0{width}X}")
    body = (" ".join(parts) + "*").encode("ascii")
    return body + b"%08X\n" % crc32(body)


def command(kind: str, *fields: int) -> bytes:
    """A command to the board as bytes."""
    return frame(kind, fields, COMMANDS[kind])


def message_bytes(message: Message) -> bytes:
    """A board's message as bytes: what a virtual board sends. Raises TypeError where only a host sends it."""
    for kind, (type_, digits) in LAYOUT.items():
        if type(message) is type_:
            fields = tuple(int(getattr(message, name)) for name in type_.__dataclass_fields__)
            return frame(kind, fields, digits)
    raise TypeError(f"{type(message).__name__} has no line of its own")


class Splitter:
    """Cuts a stream of bytes into lines whose checksum is right, and counts the rest.

    A "$" begins a line and ends what was before it, as a newline does: a lost newline costs no line.
    """

    def __init__(self) -> None:
        self._held = bytearray()
        self._dropping = False

    def feed(self, data: bytes) -> list[tuple[str, tuple[bytes, ...]] | Damaged]:
        """Lines as (kind, fields), and damaged stretches, in the order in which they came."""
        out: list[tuple[str, tuple[bytes, ...]] | Damaged] = []
        self._held += data
        pieces = self._held.replace(b"$", b"\n$").split(b"\n")
        for piece in pieces[:-1]:
            if self._dropping:
                self._dropping = False
            elif piece:
                out.append(checked(bytes(piece)))
        self._held = pieces[-1]
        if len(self._held) > LINE_MAX:
            if not self._dropping:
                out.append(Damaged(len(self._held)))
            self._held.clear()
            self._dropping = True
        return out


def checked(line: bytes) -> tuple[str, tuple[bytes, ...]] | Damaged:
    """A line without its newline, taken apart, or Damaged."""
    body, check = line[: 1 - _CHECK], line[1 - _CHECK :]
    match = _BODY.fullmatch(body)
    if match is None or not _HEX8.fullmatch(check) or crc32(body) != int(check, 16):
        return Damaged(len(line))
    return match[1].decode("ascii"), tuple(match[2].split())


class Reader(Splitter):
    """The host's ear: bytes from the board in, messages out."""

    def read(self, data: bytes) -> list[Message | Damaged]:
        """Messages and damaged stretches in order; never raises, whatever the bytes."""
        return [item if isinstance(item, Damaged) else _message(*item) for item in self.feed(data)]


def _message(kind: str, fields: tuple[bytes, ...]) -> Message | Damaged:
    if kind == "H" and fields and len(fields[0]) == 2 and int(fields[0], 16) != PROTOCOL_VERSION:
        return OtherVersion(int(fields[0], 16))
    if kind not in LAYOUT:
        return Damaged(len(kind))
    type_, digits = LAYOUT[kind]
    if tuple(map(len, fields)) != digits:
        return Damaged(len(kind))
    values = [int(field, 16) for field in fields]
    if type_ is Edge:
        board, boot, sequence, micros, number, active = values
        return Edge(board, boot, sequence, micros, number, bool(active))
    return cast("Callable[..., Message]", type_)(*values)


def after(sequence: int, other: int) -> int:
    """How far `sequence` lies after `other`, -32768 to 32767: the number wraps."""
    return (sequence - other + SEQUENCES // 2) % SEQUENCES - SEQUENCES // 2
