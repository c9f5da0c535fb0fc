"""The bridge in hostile hands: plugs pulled at the worst moments, companions killed, journals that fail, bad lines."""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from firmware_bridge.bridge import Bridge
from firmware_bridge.inputs import INPUTS
from firmware_bridge.session import Gap, Item, SensorEvent, marks_of
from firmware_bridge.virtual_board import GAP_MOST, RING
from firmware_bridge.virtual_port import VIRTUAL_PORT, Faults
from tests.firmware_bridge.account import faults
from tests.firmware_bridge.virtual_line import Virtual

NOISE = Faults(lost=0.003, flipped=0.004, doubled=0.003, late_s=0.02)
Truth = tuple[int, int, int, bool]  # boot, microsecond, input, active
CALM_S, MANY = 4.0, 40
HANG_UPS, HURRY = 150, 100.0  # the bridge looks for its port every quarter of a second of its own clock


class Table:
    """A virtual board that is played with, the companion that listens, and what truly happened."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.virtual = Virtual(NOISE, seed=seed)
        self.truth: list[Truth] = []
        self.journal: list[Item] = []
        self.broken = False
        self._levels = [False] * INPUTS
        self._bridge = self._companion()

    def _companion(self) -> Bridge:
        now = self.virtual.time
        return Bridge(self._keep, find=lambda: VIRTUAL_PORT, open_port=self.virtual.port.open,
                      marks=dict(marks_of(self.journal)), clock=now, pause=now.sleep)  # fmt: skip

    def _keep(self, items: list[Item]) -> bool:
        if not self.broken:
            self.journal += items
        return not self.broken

    def edge(self) -> None:
        """Some input changes."""
        n = self.rng.randrange(INPUTS)
        self._levels[n] = not self._levels[n]
        board = self.virtual.board
        self.truth.append((board.boot, board._micros(), n, self._levels[n]))
        board.set(n, self._levels[n])

    def kill(self) -> None:
        """The companion dies, and another one starts from its journal."""
        self._bridge.stop()
        self._bridge = self._companion()

    def pass_by(self, seconds: float, edges_a_second: float = 20.0) -> None:
        """Time, with edges in it."""
        end, next_s = self.virtual.time.now + seconds, self.virtual.time.now
        while self.virtual.time.now < end:
            if edges_a_second and self.virtual.time.now >= next_s and self.virtual.port.plugged:
                self.edge()
                next_s = self.virtual.time.now + self.rng.expovariate(edges_a_second)
            if not self._bridge.step():
                self.virtual.time.sleep(0.02)

    def mischief(self) -> None:
        """One of the things that go wrong, at this very moment."""
        port, what = self.virtual.port, self.rng.randrange(8)
        if what == 0:
            port.unplug()
            self.pass_by(self.rng.uniform(0, 1))
            port.plug_in()
        elif what == 1:  # a board with power of its own
            port.plugged = False
            self.pass_by(self.rng.uniform(0, 1))
            port.plugged = True
        elif what == 2:
            for _ in range(self.rng.randrange(1, 8)):
                self.virtual.board.reboot()
                self.pass_by(self.rng.uniform(0, 0.05))
        elif what == 3:
            port.silent = True
            self.pass_by(self.rng.uniform(0, 4))
            port.silent = False
        elif what == 4:
            self.broken = not self.broken
        elif what == 5:
            for _ in range(200):
                self.edge()
        else:
            self.kill()

    def calm(self) -> None:
        """All is well again, and what waits is told."""
        self.broken = False
        self.pass_by(CALM_S, edges_a_second=0)

    def faults(self) -> list[str]:
        """What the journal says wrongly."""
        return faults(self.truth, self.journal, lambda t, e: t == (e.boot, e.micros, e.input, e.active))


def storm(seed: int, rounds: int) -> None:
    table = Table(seed)
    table.pass_by(1)
    for _ in range(rounds):
        table.mischief()
        table.pass_by(table.rng.uniform(0, 1.5))
    table.calm()
    assert table.faults() == []
    assert sum(isinstance(i, SensorEvent) for i in table.journal) > MANY


@pytest.mark.parametrize("seed", range(6))
def test_whatever_goes_wrong_nothing_is_doubled_and_what_is_lost_lies_in_a_gap(seed: int) -> None:
    storm(seed, 12)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 160))
def test_whatever_goes_wrong_for_a_long_time(seed: int) -> None:
    storm(seed, 40)


def test_a_plug_that_rattles_while_the_journal_fails_does_not_fill_the_memory() -> None:
    table = Table(1)
    table.pass_by(1)
    table.broken = True
    for _ in range(400):
        table.virtual.port.unplug()
        table.pass_by(0.3)
        table.virtual.port.plug_in()
        table.pass_by(0.3)
    assert table._bridge.state().waiting < 300
    table.calm()
    assert table.faults() == []


def test_a_journal_that_fails_is_not_asked_two_hundred_times_a_second() -> None:
    table, asked = Table(2), list[float]()

    def refuse(items: list[Item]) -> bool:
        asked.append(table.virtual.time.now)
        return False

    table._bridge._deliver = refuse
    table.pass_by(5)
    assert 10 <= len(asked) <= 25


def test_a_hundred_thousand_lost_edges_are_counted_by_the_virtual_board_too() -> None:
    virtual, items = Virtual(), list[Item]()
    count = RING + 3 * GAP_MOST + 1
    for i in range(count):
        virtual.board.set(i % 2, i // 2 % 2 == 0)

    def keep(new: list[Item]) -> bool:
        items.extend(new)
        return True

    bridge = Bridge(keep, find=lambda: VIRTUAL_PORT, open_port=virtual.port.open, clock=virtual.time)
    end = virtual.time.now + 5
    while virtual.time.now < end:
        bridge.step()
    told = sum(i.count or 0 if isinstance(i, Gap) else 1 for i in items)
    assert told == count
    assert sum(isinstance(i, Gap) for i in items) == 4


def test_a_real_port_that_hangs_up_at_any_moment_never_stops_the_bridge(tmp_path: Path) -> None:
    """Pseudo-terminals that go while they are opened, read or written."""
    rng, name, over, opened = random.Random(1), tmp_path / "ttyBOARD", threading.Event(), list[str]()

    def find() -> str:
        opened.append(str(name))
        return opened[-1]

    def hurrying() -> float:
        return time.monotonic() * HURRY

    bridge = Bridge(lambda items: True, find=find, clock=hurrying, pause=over.wait)

    def listen() -> int:
        steps = 0
        while not over.is_set():
            steps += bridge.step()
        return steps

    with ThreadPoolExecutor(1) as pool:
        listening = pool.submit(listen)
        for _ in range(HANG_UPS):
            ours, theirs = os.openpty()
            os.set_blocking(ours, False)
            name.symlink_to(os.ttyname(theirs))
            os.close(theirs)
            end = time.monotonic() + rng.uniform(0, 0.02)
            while time.monotonic() < end:
                with contextlib.suppress(OSError):  # full, or nobody has it open
                    os.write(ours, rng.randbytes(20))
            name.unlink()  # first: a terminal that is gone leaves its number to another test's
            os.close(ours)
        over.set()
        assert listening.result() > HANG_UPS / 4, "what went wrong in the bridge is raised here"
    assert len(opened) > HANG_UPS / 4
    bridge.stop()
