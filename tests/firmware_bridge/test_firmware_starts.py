"""The real firmware as it starts: what no host may believe, and what none may miss."""

from __future__ import annotations

import random

from firmware_bridge.inputs import INPUTS
from firmware_bridge.protocol import Edge, Heartbeat, Hello
from tests.firmware_bridge.hearing import MS, messages, of
from tests.firmware_bridge.simulator.board import SimulatedBoard

BEFORE_LOOK_US = 400  # after a reset the settings are read first, for some 640 us; then come the pins


def boots_heard(board: SimulatedBoard, us: int) -> set[int]:
    """The numbers of boots under which it speaks within so long."""
    return {m.boot for m in messages(board, us) if isinstance(m, Hello | Heartbeat)}


def test_a_boot_that_speaks_has_a_number_of_its_own(board: SimulatedBoard) -> None:
    rng, spoke = random.Random(1), list[int]()
    for _ in range(60):
        board.reset()
        spoke += boots_heard(board, rng.randrange(1 * MS, 45 * MS))
    assert len(spoke) > 20
    assert len(set(spoke)) == len(spoke)


def test_an_edge_at_any_moment_of_the_boards_start_is_told(board: SimulatedBoard) -> None:
    """One that fell between the first look at the pins and listening to them would be missed until another came."""
    missed, stamps = list[str](), list[int]()
    for k in range(70):
        number, active, at_us = k // 2 % INPUTS, k % 2 == 0, BEFORE_LOOK_US + k * 10
        board.reset()
        board.pins([(board.now_us + at_us, number, active)])
        told = [e for e in of(Edge, messages(board, 40 * MS)) if e.input == number]
        stamps += [e.micros for e in told if active]
        if active != (bool(told) and told[-1].active):
            missed.append(f"{at_us} us after the reset, input {number}")
    assert missed == []
    assert stamps.count(stamps[0]) > 3, "some were there before the first look"
    assert len(set(stamps)) > 10, "and some came after it"
