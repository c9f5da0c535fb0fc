"""The bridge with a virtual board: nothing lost, nothing doubled, gaps told; through noise, reboots and unplugging."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.bridge import Bridge
from firmware_bridge.protocol import FIRST_SEQUENCE
from firmware_bridge.session import Gap, Item, Mark, SensorEvent
from firmware_bridge.virtual_board import VirtualBoard
from firmware_bridge.virtual_port import VIRTUAL_PORT, Faults
from tests.firmware_bridge.virtual_line import Virtual

NOTICED_S = 1.5
NOISE = Faults(lost=0.003, flipped=0.004, doubled=0.003, late_s=0.03)


class Journal:
    """Keeps what it is given, unless it is broken."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.broken = False

    def __call__(self, items: list[Item]) -> bool:
        if not self.broken:
            self.items += items
        return not self.broken

    @property
    def events(self) -> list[tuple[int, bool]]:
        return [(i.input, i.active) for i in self.items if isinstance(i, SensorEvent)]

    @property
    def gaps(self) -> list[str]:
        return [i.reason for i in self.items if isinstance(i, Gap)]


def bridge_to(virtual: Virtual, journal: Journal, marks: dict[int, Mark] | None = None) -> Bridge:
    return Bridge(journal, find=lambda: VIRTUAL_PORT, open_port=virtual.port.open, marks=marks, clock=virtual.time,
                  new_id=0xABCD)  # fmt: skip


def run(virtual: Virtual, bridge: Bridge, seconds: float) -> None:
    end = virtual.time.now + seconds
    while virtual.time.now < end:
        if not bridge.step():
            virtual.time.sleep(0.05)


def test_a_beam_that_is_broken_and_made_again_is_journalled_with_its_time() -> None:
    virtual, journal = Virtual(), Journal()
    bridge = bridge_to(virtual, journal)
    run(virtual, bridge, 2)
    at = virtual.time.now
    virtual.board.set(2, True)
    run(virtual, bridge, 0.5)
    virtual.board.set(2, False)
    run(virtual, bridge, 0.5)
    assert journal.events == [(2, True), (2, False)]
    first = journal.items[0]
    assert abs(first.host_s - at) < 0.005
    assert bridge.state().state == "connected"


def test_nothing_is_lost_or_doubled_over_a_bad_line_and_a_wrapping_number() -> None:
    """More than 128 events: their numbers wrap from FFFF to 0."""
    virtual, journal, rng = Virtual(NOISE), Journal(), random.Random(2)
    bridge = bridge_to(virtual, journal)
    want = []
    for i in range(600):
        number, active = i % 11, i // 11 % 2 == 0
        virtual.board.set(number, active)
        want.append((number, active))
        run(virtual, bridge, rng.uniform(0, 0.1))
    run(virtual, bridge, 3)
    assert journal.events == want
    assert not journal.gaps
    assert bridge.state().counters.damaged > 100


def test_the_board_keeps_its_events_until_the_journal_has_them() -> None:
    virtual, journal = Virtual(), Journal()
    bridge = bridge_to(virtual, journal)
    run(virtual, bridge, 1)
    journal.broken = True
    virtual.board.set(0, True)
    run(virtual, bridge, 1)
    assert len(virtual.board._events) == 1, "not acknowledged"
    journal.broken = False
    run(virtual, bridge, 1)
    assert journal.events == [(0, True)]
    assert not virtual.board._events


def test_a_companion_that_dies_before_its_journal_has_it_is_told_again() -> None:
    virtual, journal = Virtual(), Journal()
    bridge = bridge_to(virtual, journal)
    run(virtual, bridge, 1)
    journal.broken = True
    virtual.board.set(0, True)
    run(virtual, bridge, 1)
    bridge.stop()
    later = Journal()
    run(virtual, bridge_to(virtual, later), 1)
    assert later.events == [(0, True)]


def test_a_companion_that_is_started_again_takes_nothing_twice() -> None:
    """The journal has it, but the acknowledgement was lost."""
    virtual, journal = Virtual(), Journal()
    virtual.board.set(0, True)
    virtual.board.set(0, False)
    bridge = bridge_to(virtual, journal, {0x0E12: Mark(virtual.board.boot, FIRST_SEQUENCE)})
    run(virtual, bridge, 1)
    assert journal.events == [(0, False)]
    assert not journal.gaps


def test_a_reboot_is_told_as_a_gap_and_what_comes_after_is_kept() -> None:
    virtual, journal = Virtual(), Journal()
    bridge = bridge_to(virtual, journal)
    run(virtual, bridge, 1)
    virtual.board.set(0, True)
    run(virtual, bridge, 1)
    virtual.board.reboot()
    virtual.board.set(1, True)
    run(virtual, bridge, 1)
    assert [(type(i).__name__, getattr(i, "reason", None)) for i in journal.items] == [
        ("SensorEvent", None), ("Gap", "reboot"), ("SensorEvent", None),
    ]  # fmt: skip


def test_a_reboot_while_nobody_listened_is_told_too() -> None:
    virtual, journal = Virtual(), Journal()
    run(virtual, bridge_to(virtual, journal, {0x0E12: Mark(0, 0xFFFF)}), 1)
    assert journal.gaps == ["reboot"]


def test_events_that_another_program_has_taken_are_counted() -> None:
    virtual, first, second = Virtual(), Journal(), Journal()
    for active in (True, False, True):
        virtual.board.set(4, active)
    bridge = bridge_to(virtual, first)
    run(virtual, bridge, 1)
    bridge.stop()
    run(virtual, bridge_to(virtual, second, {0x0E12: Mark(virtual.board.boot, FIRST_SEQUENCE)}), 1)
    gap = second.items[0]
    assert isinstance(gap, Gap)
    assert (gap.reason, gap.count) == ("elsewhere", 2)


def test_an_overflow_is_told_with_its_exact_count() -> None:
    virtual, journal = Virtual(), Journal()
    for i in range(200):
        virtual.board.set(i % 11, i // 11 % 2 == 0)
    run(virtual, bridge_to(virtual, journal), 2)
    lost = [i.count for i in journal.items if isinstance(i, Gap)]
    assert len(journal.events) + sum(c or 0 for c in lost) == 200
    assert len(journal.events) == 128


def test_an_unplugged_board_is_told_at_once_and_used_again_when_it_is_back() -> None:
    virtual, journal = Virtual(), Journal()
    bridge = bridge_to(virtual, journal)
    virtual.board.set(0, True)
    run(virtual, bridge, 1)
    virtual.port.unplug()
    run(virtual, bridge, 1)
    assert journal.gaps == ["unplugged"]
    assert bridge.state().state == "searching"
    virtual.port.plug_in()
    back = virtual.time.now
    virtual.board.set(1, True)
    while len(journal.events) < 2:
        run(virtual, bridge, 0.02)
    assert virtual.time.now - back < 2
    assert journal.gaps == ["unplugged", "reboot"]


def test_a_cable_that_is_out_for_a_moment_loses_and_doubles_nothing_while_the_journal_is_slow() -> None:
    virtual, journal = Virtual(), Journal()
    bridge = bridge_to(virtual, journal)
    run(virtual, bridge, 1)
    journal.broken = True
    virtual.board.set(0, True)
    run(virtual, bridge, 0.5)
    virtual.port.plugged = False
    run(virtual, bridge, 0.5)
    virtual.port.plugged = True  # the board had power of its own
    virtual.board.set(0, False)
    run(virtual, bridge, 0.5)
    journal.broken = False
    run(virtual, bridge, 1)
    assert journal.events == [(0, True), (0, False)]


def test_what_happened_while_the_cable_was_out_for_ten_minutes_is_told_with_its_time() -> None:
    """The board has power of its own, and a crystal that goes wrong by 500 ppm."""
    virtual, journal = Virtual(), Journal()
    virtual.board = virtual.port.board = VirtualBoard(clock=lambda: virtual.time.now * 1.0005, board=0x0E12)
    bridge = bridge_to(virtual, journal)
    run(virtual, bridge, 60)
    virtual.port.unplug()
    happened = []
    for n in range(4):
        run(virtual, bridge, 150)
        happened.append(virtual.time.now)
        virtual.board.set(2, n % 2 == 0)
    virtual.port.plugged = True
    run(virtual, bridge, 5)
    told = [i.host_s for i in journal.items if isinstance(i, SensorEvent)]
    assert [round(abs(a - b), 2) for a, b in zip(told, happened, strict=True)] == [0.0] * 4
    assert abs(bridge.state().drift_ppm + 500) < 50
    assert journal.gaps == ["unplugged"]


def test_silence_is_noticed() -> None:
    virtual, journal = Virtual(), Journal()
    bridge = bridge_to(virtual, journal)
    run(virtual, bridge, 1)
    virtual.port.silent = True
    since = virtual.time.now
    while not journal.gaps:
        run(virtual, bridge, 0.02)
    assert journal.gaps == ["silent"]
    assert virtual.time.now - since < NOTICED_S
    virtual.port.silent = False
    run(virtual, bridge, 1)
    assert bridge.state().state == "connected"


def test_a_line_of_which_nothing_can_be_read_is_no_connection_and_loses_nothing() -> None:
    """A plug half out, a motor beside the cable, another program's speed: bytes come, and none make a line."""
    virtual, journal = Virtual(), Journal()
    bridge = bridge_to(virtual, journal)
    run(virtual, bridge, 1)
    virtual.port.faults = Faults(flipped=0.3)
    virtual.board.set(2, True)
    run(virtual, bridge, NOTICED_S)
    assert (bridge.state().state, journal.gaps) == ("garbled", ["garbled"])
    assert "comes damaged, all of it; look at its cable" in bridge.state().detail
    assert bridge.state().settled is None
    virtual.port.faults = Faults()
    run(virtual, bridge, 1)
    assert bridge.state().state == "connected"
    assert journal.events == [(2, True)]


def test_a_fault_that_ends_the_listening_does_not_go_on_as_connected() -> None:
    def broken(items: list[Item]) -> bool:
        raise ZeroDivisionError

    virtual = Virtual()
    bridge = Bridge(broken, find=lambda: VIRTUAL_PORT, open_port=virtual.port.open, clock=virtual.time)
    virtual.board.set(0, True)
    with pytest.raises(ZeroDivisionError):
        bridge._run()
    assert bridge.state().state == "stopped"


def test_a_port_where_nobody_answers_is_looked_for_anew() -> None:
    virtual, journal, opened = Virtual(), Journal(), list[str]()
    virtual.port.silent = True

    def find() -> str:
        opened.append(VIRTUAL_PORT)
        return VIRTUAL_PORT

    bridge = Bridge(journal, find=find, open_port=virtual.port.open, clock=virtual.time)
    run(virtual, bridge, 12)
    assert len(opened) == 3
    virtual.port.silent = False
    run(virtual, bridge, 1)
    assert bridge.state().state == "connected"


def test_a_new_board_is_given_an_id() -> None:
    virtual, journal = Virtual(board=0), Journal()
    bridge = bridge_to(virtual, journal)
    virtual.board.set(0, True)
    run(virtual, bridge, 2)
    virtual.board.set(0, False)
    run(virtual, bridge, 1)
    assert bridge.state().board == 0xABCD
    assert journal.events == [(0, True), (0, False)]
    assert not journal.gaps


@pytest.mark.parametrize(("version", "word"), [(2, "newer"), (0, "older")])
def test_a_board_with_another_protocol_is_refused_with_what_to_do(version: int, word: str) -> None:
    virtual, journal = Virtual(version=version), Journal()
    bridge = bridge_to(virtual, journal)
    run(virtual, bridge, 1)
    assert bridge.state().state == "refused"
    assert word in bridge.state().detail


def test_what_the_journal_cannot_take_does_not_grow_without_end() -> None:
    virtual, journal = Virtual(), Journal()
    journal.broken = True
    bridge = bridge_to(virtual, journal)
    for i in range(2000):
        virtual.board.set(i % 11, i // 11 % 2 == 0)
        run(virtual, bridge, 0.003)
    assert bridge.state().waiting <= 128
    journal.broken = False
    run(virtual, bridge, 5)
    lost = sum(i.count or 0 for i in journal.items if isinstance(i, Gap))
    assert len(journal.events) + lost == 2000


def test_a_light_is_lit_even_over_a_bad_line() -> None:
    virtual, journal = Virtual(NOISE), Journal()
    bridge = bridge_to(virtual, journal)
    run(virtual, bridge, 1)
    assert bridge.command(lambda session: session.light(1, 2))
    run(virtual, bridge, 3)
    assert virtual.board.lights == [0, 2]
