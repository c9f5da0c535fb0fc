"""A port that was named, pulled and plugged in again: its own board is found, and nothing else is opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware_bridge.bridge import Bridge
from firmware_bridge.named_port import NamedPort
from firmware_bridge.ports import AGAIN_S
from firmware_bridge.session import Item, SensorEvent
from firmware_bridge.transport import PortError, Trouble
from firmware_bridge.virtual_port import VirtualPort
from tests.firmware_bridge.simulator.board import RealtimeBoard
from tests.firmware_bridge.simulator.build import build
from tests.firmware_bridge.test_ports import BACK_S, Kept, until
from tests.firmware_bridge.virtual_line import Virtual

FIRST, SECOND = "/dev/ttyACM0", "/dev/ttyACM1"
BOARD, OTHER = 0x0E12, 0x0BAD


@dataclass
class Port:
    """As pyserial lists it."""

    device: str
    vid: int | None = 0x2341
    pid: int | None = 0x0043
    serial_number: str | None = "5573"


@dataclass
class Machine:
    """Ports with what hangs at them, a bridge that was told the first one, and which of them it opened."""

    ports: dict[str, tuple[Port, Virtual]] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.time = Virtual().time
        named = NamedPort(FIRST, lambda: self.bridge.heard, listed=lambda: [p for p, _ in self.ports.values()],
                          open_port=self.open, clock=self.time)  # fmt: skip
        self.bridge = Bridge(self.keep, find=named.find, open_port=named.open, new_id=BOARD, clock=self.time,
                             pause=self.time.sleep)  # fmt: skip

    def keep(self, items: list[Item]) -> bool:
        return True

    def open(self, path: str) -> VirtualPort:
        self.opened.append(path)
        if path not in self.ports:
            raise PortError(Trouble("no_port", f"{path}: there is no such port", path))
        return self.ports[path][1].port.open(path)

    def plug(self, port: Port, board: int = BOARD, *, silent: bool = False) -> Virtual:
        """Something is plugged in: a sensor board, or what says nothing that we understand."""
        virtual = Virtual(board=board)
        virtual.board._clock = self.time
        virtual.port = VirtualPort(virtual.board, clock=self.time, sleep=self.time.sleep)
        virtual.port.silent = silent
        self.ports[port.device] = port, virtual
        return virtual

    def pull(self, path: str) -> None:
        self.ports.pop(path)[1].port.unplug()

    def run(self, seconds: float) -> None:
        end_s = self.time.now + seconds
        while self.time.now < end_s:
            if not self.bridge.step():
                self.time.sleep(0.25)

    @property
    def at(self) -> tuple[str, str]:
        state = self.bridge.state()
        return state.state, state.port


@pytest.fixture
def machine() -> Iterator[Machine]:
    """The board is connected where it was said to be."""
    machine = Machine()
    machine.plug(Port(FIRST))
    machine.run(1.0)
    assert machine.at == ("connected", FIRST)
    yield machine
    machine.bridge.stop()


def moved(machine: Machine, **usb: str | None) -> None:
    """The board is pulled and plugged in again; Linux calls its port by the next name."""
    machine.pull(FIRST)
    machine.run(1.0)
    machine.opened.clear()
    machine.plug(Port(SECOND, **usb))
    machine.run(2.0)


def test_a_board_that_comes_back_by_another_name_is_found_and_opened_once(machine: Machine) -> None:
    moved(machine)
    assert machine.at == ("connected", SECOND)
    assert machine.opened == [SECOND]


def test_it_goes_back_to_its_name_too(machine: Machine) -> None:
    moved(machine)
    machine.pull(SECOND)
    machine.run(1.0)
    machine.plug(Port(FIRST))
    machine.run(2.0)
    assert machine.at == ("connected", FIRST)


def test_a_device_of_another_kind_is_not_opened(machine: Machine) -> None:
    machine.pull(FIRST)
    machine.run(1.0)
    machine.opened.clear()
    machine.plug(Port(SECOND, vid=0x0403, pid=0x6001), silent=True)
    machine.run(60.0)
    assert machine.opened == []
    assert machine.bridge.state().detail == (
        "/dev/ttyACM0: the sensor board (id 00000E12) is not plugged in any more; it is waited for: plug it in again, "
        "at any USB socket"
    )


def test_another_device_that_has_got_the_name_is_left_alone_and_the_board_found(machine: Machine) -> None:
    machine.pull(FIRST)
    machine.run(1.0)
    machine.opened.clear()
    machine.plug(Port(FIRST, vid=0x0403, pid=0x6001), silent=True)
    machine.run(10.0)
    assert (
        "(id 00000E12) is not here any more, but another device, which is left alone" in machine.bridge.state().detail
    )
    machine.plug(Port(SECOND))
    machine.run(2.0)
    assert machine.at == ("connected", SECOND)
    assert machine.opened == [SECOND]


def test_boards_of_one_kind_without_serial_numbers_are_told_apart_by_their_ids() -> None:
    """Two tables, each with a Nano; a third thing with the same chip was there all the time, and is never opened."""
    machine = Machine()
    machine.plug(Port(FIRST, serial_number=None))
    machine.plug(Port("/dev/ttyACM7", serial_number=None), silent=True)
    machine.run(1.0)
    machine.pull(FIRST)
    machine.run(1.0)
    machine.opened.clear()
    machine.plug(Port(FIRST, serial_number=None), OTHER)
    machine.run(AGAIN_S - 1.0)
    assert machine.opened == [FIRST], "once who it is, then not again for a while"
    assert machine.bridge.state().detail == (
        "/dev/ttyACM0: the sensor board (id 00000E12) is not heard here any more; it is waited for: plug it in again, "
        "at any USB socket; /dev/ttyACM0: another sensor board is there (id 00000BAD); expected the one of this match "
        "(id 00000E12): plug that one in, or start Paleo Companion anew to use this one"
    )
    machine.plug(Port(SECOND, serial_number=None))
    machine.run(2.0)
    machine.bridge.stop()
    assert machine.opened == [FIRST, SECOND]
    assert machine.bridge.heard == BOARD


def test_without_a_usb_identity_only_what_has_come_since_is_asked_who_it_is() -> None:
    none = {"vid": None, "pid": None, "serial_number": None}
    machine = Machine()
    machine.plug(Port(FIRST, **none))  # type: ignore[arg-type]
    machine.plug(Port("/dev/ttyS0", **none), silent=True)  # type: ignore[arg-type]
    machine.run(1.0)
    moved(machine, **none)
    machine.bridge.stop()
    assert machine.opened == [SECOND]
    assert machine.bridge.state().port == SECOND


def test_a_board_that_has_forgotten_its_id_is_the_same_one_at_its_name(machine: Machine) -> None:
    machine.pull(FIRST)
    machine.run(1.0)
    machine.plug(Port(FIRST), 0)
    machine.run(3.0)
    assert machine.at == ("connected", FIRST)
    assert machine.bridge.state().board == BOARD


def test_a_board_pulled_before_it_had_kept_its_id_is_known_by_its_serial_number(machine: Machine) -> None:
    machine.pull(FIRST)
    machine.run(1.0)
    machine.plug(Port(SECOND), 0)
    machine.run(3.0)
    assert machine.at == ("connected", SECOND)
    assert machine.bridge.state().board == BOARD


def test_a_port_that_cannot_be_opened_yet_is_tried_again_at_once(machine: Machine) -> None:
    """Linux gives a new port to its group a moment after it has come."""
    machine.pull(FIRST)
    machine.run(1.0)
    machine.plug(Port(SECOND)).port.unplug()
    machine.run(1.0)
    machine.ports[SECOND][1].port.plug_in()
    machine.run(2.0)
    assert machine.at == ("connected", SECOND)


def test_the_real_firmware_is_back_within_two_seconds_by_another_name(
    tools: None, eeprom: Path, tmp_path: Path
) -> None:
    build()
    first, second, kept = tmp_path / "ttyACM0", tmp_path / "ttyACM1", Kept()
    board = RealtimeBoard(eeprom=eeprom)
    first.symlink_to(board.port)
    named = NamedPort(
        str(first), lambda: bridge.heard, listed=lambda: [Port(str(p)) for p in (first, second) if p.exists()]
    )
    bridge = Bridge(kept, find=named.find, open_port=named.open, new_id=0xBEEF)
    until(bridge, lambda: bridge.state().board == 0xBEEF, 5)
    first.unlink()
    board.close()
    until(bridge, lambda: kept.items, 3)
    board = RealtimeBoard(eeprom=eeprom)
    second.symlink_to(board.port)
    back = until(bridge, lambda: bridge.state().state == "connected", 4)
    known = bridge.state().board
    so_far = len(kept.items)
    board.pulse(0)
    until(bridge, lambda: any(isinstance(i, SensorEvent) for i in kept.items[so_far:]), 2)
    port = bridge.state().port
    bridge.stop()
    board.close()
    assert known == 0xBEEF, "the board has kept its id"
    print(f"\nback by another name after {back:.2f} s")
    assert port == str(second)
    assert back < BACK_S
