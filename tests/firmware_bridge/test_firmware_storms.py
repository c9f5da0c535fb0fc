"""The real firmware under hostile hands: resets at any moment, hosts that die, floods, wraps, edges by the thousand."""

from __future__ import annotations

import random
from collections import deque

import pytest

from firmware_bridge.inputs import INPUTS, KNOCK
from firmware_bridge.protocol import MICROS, Edge, Heartbeat, Hello, Overflow, Reader, command
from firmware_bridge.session import Item, Mark, SensorEvent, Session, marks_of
from tests.firmware_bridge.account import faults
from tests.firmware_bridge.hearing import MS, S, messages, of, told
from tests.firmware_bridge.noise import NoisyLine
from tests.firmware_bridge.simulator.board import SimulatedBoard
from tests.firmware_bridge.soak import Planned, plan, soak

NEAR_US = 900  # a stamp and its edge: less than the shortest time between two edges
AT_START_US = 3 * MS  # what is active when a board starts is told as an edge
OVERFLOW_US = 1 << 15  # each turn of the firmware's timer


class Storm:
    """A host with a journal and a board; both may begin anew at any moment."""

    def __init__(self, board: SimulatedBoard, rng: random.Random, rate: float = 0.0) -> None:
        self._board, self._rng = board, rng
        self._up, self._down = NoisyLine(rate, rng), NoisyLine(rate, rng)
        self._watch = Reader()  # hears the board without noise, to know when each of its boots began
        self._began_us = 0
        self.starts: dict[int, int] = {}
        self.journal: list[Item] = []
        self._writing: deque[Item] = deque()
        self._session = Session(new_id=0x5EED)

    def reset(self) -> None:
        """The board's power fails."""
        self._board.reset()
        self._began_us = self._board.now_us

    def kill_host(self, *, after_commit: bool) -> None:
        """The companion dies, before or just after its journal has what waits; another one starts."""
        if after_commit:
            self.journal += self._writing
        self._writing.clear()
        self._session = Session(dict(marks_of(self.journal)), new_id=0x5EED)

    def run(self, us: int, commit: float = 0.5) -> None:
        """In steps of 5 ms; commit: the chance that the journal has written by then."""
        end = self._board.now_us + us
        while self._board.now_us < end:
            self._board.run(min(5 * MS, end - self._board.now_us))
            now, data = self._board.now_us, self._board.read()
            for m in self._watch.read(data):
                if isinstance(m, Hello | Heartbeat):
                    self.starts.setdefault(m.boot, self._began_us)
            self._writing.extend(self._session.receive(self._up.pass_on(data), now * 1e-6))
            if self._rng.random() < commit:
                while self._writing:
                    self.journal.append(self._writing[0])
                    self._session.committed(self._writing.popleft())
            if out := self._session.outgoing(now * 1e-6):
                self._board.write(self._down.pass_on(out))

    def same(self, true: Planned, event: SensorEvent) -> bool:
        """Whether an event tells of that edge."""
        at_us = self.starts[event.boot] + event.micros
        return (true[1], true[2]) == (event.input, event.active) and abs(true[0] - at_us) < NEAR_US

    def faults(self, planned: list[Planned]) -> list[str]:
        """What the journal says wrongly."""
        return faults(planned, self.journal, self.same, extra=lambda e: e.active and e.micros < AT_START_US)


@pytest.mark.parametrize("seed", range(2))
def test_through_resets_and_hosts_that_die_nothing_is_doubled_and_what_is_lost_lies_in_a_gap(
    board: SimulatedBoard, seed: int
) -> None:
    rng = random.Random(seed)
    storm = Storm(board, rng, rate=0.005)
    planned = plan(200, 20, rng, start_us=300 * MS)
    board.pins(planned)
    turns = 0
    while board.now_us < planned[-1][0]:
        storm.run(rng.randrange(20 * MS, 800 * MS))
        what, turns = turns % 4, turns + 1
        if what == 0:
            for _ in range(rng.randrange(1, 6)):  # a plug that rattles
                storm.reset()
                storm.run(rng.randrange(1, 40 * MS))
        elif what == 1 or rng.random() < 0.3:
            storm.kill_host(after_commit=what == 1)
    storm.run(3 * S, commit=1.0)
    assert storm.faults(planned) == []
    assert sum(isinstance(i, SensorEvent) for i in storm.journal) > 80
    assert len(storm.starts) > 3


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 112))
def test_through_many_storms_nothing_is_doubled_and_what_is_lost_lies_in_a_gap(
    board: SimulatedBoard, seed: int
) -> None:
    test_through_resets_and_hosts_that_die_nothing_is_doubled_and_what_is_lost_lies_in_a_gap(board, seed)


@pytest.mark.parametrize("victim", [0, 7, 10])
def test_a_glitch_is_never_seen_while_all_the_other_inputs_change(board: SimulatedBoard, victim: int) -> None:
    """The firmware is then busy with ten edges at once: that must not make the glitch look longer."""
    others = [n for n in range(INPUTS) if n != victim]
    changes: list[Planned] = []
    for k in range(70):
        at = 100 * MS + k * 100 * MS + k * 37 % 1000
        changes += [(at, n, k % 2 == 0) for n in others]
        glitch = at + k * 10
        changes += [(glitch, victim, True), (glitch + 200, victim, False)]
    board.pins(sorted(changes))
    seen, lost = told(board, until_us=8 * S)
    assert not lost
    assert [e for e in seen if e.input == victim] == []
    assert len(seen) == 70 * len(others)


@pytest.mark.parametrize("seed", range(3))
def test_of_a_burst_of_edges_at_the_very_same_moments_each_is_told_or_counted(board: SimulatedBoard, seed: int) -> None:
    """All inputs at once, each level held for the least time that is promised."""
    rng, planned, at = random.Random(seed), list[Planned](), 100 * MS
    for k in range(18):
        at += rng.randrange(1000, 1700)
        planned += [(at, n, k % 2 == 0) for n in range(INPUTS)]
    board.pins(planned)
    board.run(200 * MS)
    seen, lost = told(board)
    assert len(seen) + sum(g.count for g in lost) == len(planned)


@pytest.mark.long
def test_edges_by_the_ten_thousand_that_nobody_takes_are_counted_one_by_one(board: SimulatedBoard) -> None:
    """More than one gap can count."""
    count = 40_000
    board.pins([(100 * MS + i * 1100, i % 2, i // 2 % 2 == 0) for i in range(count)])
    while board.now_us < 110 * MS + count * 1100:
        board.run(100 * MS)
        board.read()
    seen, lost = told(board, cut=1)
    assert len(seen) + sum(g.count for g in lost) == count
    assert len(lost) >= 2


@pytest.mark.parametrize("commit_us", [500_000, 8_000_000])
def test_a_slow_host_loses_nothing_silently(board: SimulatedBoard, commit_us: int) -> None:
    planned = plan(250, 20, random.Random(8))
    done = soak(board, planned, 0.01, random.Random(9), commit_us=commit_us)
    storm = Storm(board, random.Random(9))
    storm.journal, storm.starts = [i for _, i in done.journal], {1: 0}
    assert storm.faults(planned) == []
    lost = sum(g.count or 0 for g in done.gaps)
    assert len(done.events) + lost == len(planned)
    assert (lost == 0) == (commit_us == 500_000)


def test_a_host_that_never_stops_talking_keeps_no_edge_from_being_told(board: SimulatedBoard) -> None:
    """Whole, damaged and random lines, as fast as the line goes, for ten seconds."""
    rng = random.Random(10)
    planned = plan(200, 20, rng, start_us=200 * MS)
    board.pins(planned)
    lines = [command("L", 1, 0, 1), command("Q", 1), command("P"), command("N"), command("S", 2, ord("B"), 250)]
    reader, found = Reader(), dict[int, Edge]()
    while board.now_us < planned[-1][0] + S:
        data = bytearray()
        while len(data) < 500:
            line = bytearray(rng.choice(lines))
            line[rng.randrange(len(line))] = rng.randrange(256)
            data += rng.choice((rng.choice(lines), line, rng.randbytes(20)))
        board.write(bytes(data))
        board.run(45 * MS)
        for m in reader.read(board.read()):
            assert not isinstance(m, Overflow)
            if isinstance(m, Edge):
                found[(m.sequence + 0x80) % 65536] = m
                board.write(command("A", m.boot, m.sequence) if m.sequence % 8 == 0 else b"")
    assert [(found[k].input, found[k].active) for k in sorted(found)] == [(n, active) for _, n, active in planned]


@pytest.mark.parametrize("wrap", [1 << 32, MICROS], ids=["32 bits, 71 minutes", "40 bits, 12.7 days"])
def test_the_boards_microseconds_wrap_in_the_middle_of_a_game(board: SimulatedBoard, wrap: int) -> None:
    board.run(1 * MS)
    board.poke("overflows", (wrap - 5 * S) // OVERFLOW_US, 4)
    planned = plan(200, 20, random.Random(11), start_us=300 * MS)
    board.pins(planned)
    session, came = Session(new_id=1), list[SensorEvent]()
    while board.now_us < planned[-1][0] + 300 * MS:
        board.run(1 * MS)
        for item in session.receive(board.read(), 50.0 + board.now_us * 1e-6):
            assert isinstance(item, SensorEvent)
            came.append(item)
            session.committed(item)
        if out := session.outgoing(50.0 + board.now_us * 1e-6):
            board.write(out)
    assert [(e.input, e.active) for e in came] == [(n, active) for _, n, active in planned]
    wrong = [e.host_s - (50.0 + at * 1e-6) for e, (at, _, _) in zip(came, planned, strict=True)]
    assert max(map(abs, wrong)) < 0.002
    assert came[0].micros > came[-1].micros if wrap == MICROS else came[-1].micros > wrap > came[0].micros


@pytest.mark.long
def test_the_sequence_goes_round_more_than_once(board: SimulatedBoard) -> None:
    """70,000 events, each acknowledged: the numbers come back to where they began."""
    count = 70_000
    board.pins([(100 * MS + i * 8 * MS, i % INPUTS, i // INPUTS % 2 == 0) for i in range(count)])
    seen, lost = told(board, until_us=100 * MS + count * 8 * MS)
    assert not lost
    assert [(e.input, e.active) for e in seen] == [(i % INPUTS, i // INPUTS % 2 == 0) for i in range(count)]


def test_a_board_that_forgets_its_id_is_told_as_a_gap(board: SimulatedBoard) -> None:
    """Its settings were damaged: after a reset it is another board to the host."""
    storm = Storm(board, random.Random(1))
    storm.run(S)
    board.pins([(board.now_us + 10 * MS, 0, True), (board.now_us + 20 * MS, 0, False)])
    storm.run(S, commit=1.0)
    board.write(command("S", 99, ord("I"), 0xBAD))
    board.run(200 * MS)
    board.read()
    storm.reset()
    storm.run(S, commit=1.0)
    assert [getattr(i, "reason", "event") for i in storm.journal] == ["event", "event", "reboot"]


def test_a_mark_of_another_boot_is_never_taken_for_this_one(board: SimulatedBoard) -> None:
    hello = of(Hello, messages(board, 100 * MS))[0]
    session = Session({0: Mark(hello.boot + 1, hello.first)})
    board.write(command("Q", 1))
    board.run(100 * MS)
    assert [getattr(i, "reason", None) for i in session.receive(board.read(), 1.0)] == ["reboot"]


@pytest.mark.parametrize("number", [0, 7, 8, 10], ids=["port D", "port B", "port C", "the button"])
@pytest.mark.parametrize("every_us", [50, 33, 20, 7])
def test_an_input_that_swings_without_end_costs_nothing_but_itself(
    board: SimulatedBoard, number: int, every_us: int
) -> None:
    """A comparator at its threshold: nothing of it is told, all else goes on, and what a beam tells has its time."""
    other, long_us, at_us = 4, 400 * MS, board.now_us + 300 * MS
    messages(board, 290 * MS)
    swings = [(at_us + n * every_us, number, n % 2 == 0) for n in range(long_us // every_us & ~1)]
    puck = [(at_us + 200 * MS, other, True), (at_us + 203 * MS, other, False)]
    board.pins(sorted([*swings, *puck]))
    heard, reader = list[object](), Reader()
    for _ in range(22):
        board.write(command("P"))
        board.run(20 * MS)
        heard += reader.read(board.read())
    found = {e.sequence: e for e in of(Edge, heard)}
    assert [(e.input, e.active) for e in found.values()] == [(other, True), (other, False)]
    first, second = found.values()
    assert abs(first.micros - (at_us + 200 * MS)) < MS
    assert second.micros - first.micros == pytest.approx(3 * MS, abs=200)
    assert len(of(Heartbeat, heard)) >= 20
    last = of(Heartbeat, messages(board, 300 * MS))[-1]
    assert abs(last.micros - board.now_us) < 300 * MS, "no overflow of the timer was missed"
    assert last.levels == 0


def test_inputs_that_all_swing_at_once_stop_neither_board_nor_clock(board: SimulatedBoard) -> None:
    messages(board, 300 * MS)
    began, long_us = board.now_us, 400 * MS
    swings = [(began + n * (17 + 3 * i), i, n % 2 == 0) for i in range(INPUTS)
              for n in range(long_us // (17 + 3 * i) & ~1)]  # fmt: skip
    board.pins(sorted(swings))
    during = messages(board, long_us)
    beats = of(Heartbeat, [*during, *messages(board, S)])
    assert len(of(Heartbeat, during)) >= 1
    assert {beat.boot for beat in beats} == {1}
    assert abs(beats[-1].micros - board.now_us) < 300 * MS
    assert beats[-1].levels == 0


def test_a_pin_of_a_sensor_that_is_not_fitted_disturbs_nobody(board: SimulatedBoard) -> None:
    messages(board, 300 * MS)
    board.write(command("S", 1, ord("F"), 0x7FF & ~(1 << KNOCK)))
    messages(board, 300 * MS)
    at_us = board.now_us + MS
    swings = [(at_us + n * 9, KNOCK, n % 2 == 0) for n in range(20_000)]
    board.pins(sorted([*swings, (at_us + 100 * MS, 4, True), (at_us + 103 * MS, 4, False)]))
    found = {e.sequence: e for e in of(Edge, messages(board, 300 * MS))}
    assert [(e.input, e.active) for e in found.values()] == [(4, True), (4, False)]
    first, second = found.values()
    assert second.micros - first.micros == pytest.approx(3 * MS, abs=20)
