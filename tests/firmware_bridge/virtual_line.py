"""A virtual board and its cable in a time that only goes on when told."""

from __future__ import annotations

import random

from firmware_bridge.virtual_board import VirtualBoard
from firmware_bridge.virtual_port import Faults, VirtualPort


class Time:
    """A clock; waiting makes it go on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Virtual:
    """Board, cable and time together."""

    def __init__(self, faults: Faults | None = None, *, board: int = 0x0E12, version: int = 1, seed: int = 1) -> None:
        self.time = Time()
        self.board = VirtualBoard(clock=self.time, board=board, version=version)
        self.port = VirtualPort(self.board, faults=faults, rng=random.Random(seed), clock=self.time,
                                sleep=self.time.sleep)  # fmt: skip
