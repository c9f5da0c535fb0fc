"""What a board in step with the test has said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from firmware_bridge.protocol import FIRST_SEQUENCE, Damaged, Edge, Message, Overflow, Reader, command
from firmware_bridge.virtual_board import RESEND_SLOW_S
from tests.firmware_bridge.simulator.board import SimulatedBoard

T = TypeVar("T")
MS, S = 1000, 1_000_000
STEP_US = 5 * MS
LINES_US = 50 * MS  # a line of each kind, before the event's own
LAST_US = round(RESEND_SLOW_S * S) + LINES_US  # to a host that has said nothing, what is kept comes again by then


def messages(board: SimulatedBoard, us: int) -> list[Message | Damaged]:
    """All that comes while it runs for so long."""
    board.run(us)
    return Reader().read(board.read())


def of(type_: type[T], items: Iterable[object]) -> list[T]:
    """Those of one type."""
    return [item for item in items if isinstance(item, type_)]


def edges(board: SimulatedBoard, us: int) -> list[tuple[int, bool]]:
    """Distinct edges in the order of their numbers; nobody acknowledges, so they come again and again."""
    found = {e.sequence: e for e in of(Edge, messages(board, us))}
    ordered = sorted(found.values(), key=lambda e: (e.sequence - FIRST_SEQUENCE) % 65536)
    return [(e.input, e.active) for e in ordered]


def told(board: SimulatedBoard, *, until_us: int = 0, cut: int = 0) -> tuple[list[Edge], list[Overflow]]:
    """All that the board has to tell, acknowledged line by line; it ends when nothing new comes for LAST_US.

    cut: lines of which the beginning was read before.
    """
    reader, seen, lost, idle = Reader(), list[Edge](), list[Overflow](), 0
    expected = FIRST_SEQUENCE
    while idle < LAST_US or board.now_us < until_us:
        board.run(STEP_US)
        idle += STEP_US
        for m in reader.read(board.read()):
            cut -= isinstance(m, Damaged)
            assert cut >= 0
            if isinstance(m, Edge | Overflow) and m.sequence == expected:
                if isinstance(m, Edge):
                    seen.append(m)
                else:
                    lost.append(m)
                expected, idle = (expected + 1) % 65536, 0
                board.write(command("A", m.boot, m.sequence))
    return seen, lost
