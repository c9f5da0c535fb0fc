"""Finding the board's port, and what a person is told where it is not one."""

from __future__ import annotations

import contextlib
import os
import re
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.sensor_words import TROUBLES_FR
from firmware_bridge import transport
from firmware_bridge.bridge import Bridge
from firmware_bridge.ports import AGAIN_S, Candidate, Finder, ask_who, candidates, find_board
from firmware_bridge.session import Gap, Item, SensorEvent
from firmware_bridge.transport import PortError, SerialTransport
from firmware_bridge.virtual_port import VirtualPort
from tests.firmware_bridge.simulator.board import RealtimeBoard
from tests.firmware_bridge.simulator.build import build
from tests.firmware_bridge.virtual_line import Virtual

NOTICED_S, BACK_S = 1.5, 2.0
NOBODY = 65534


@pytest.fixture
def mute() -> Iterator[str]:
    """A serial port at which nobody is: a pseudo-terminal."""
    ours, theirs = os.openpty()
    yield os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


def test_a_port_that_is_not_there_is_told() -> None:
    with pytest.raises(PortError, match="there is no such port; plug the sensor board in"):
        SerialTransport("/dev/ttyNOWHERE9")


def test_a_file_is_no_port(tmp_path: Path) -> None:
    file = tmp_path / "port"
    file.write_text("hello")
    with pytest.raises(PortError, match="this is no serial port; give one such as"):
        SerialTransport(str(file))


def test_a_device_that_is_no_line_says_so() -> None:
    with pytest.raises(PortError, match="/dev/null: this is no serial port; give one such as"):
        SerialTransport("/dev/null")


def test_a_port_without_permission_names_the_group_and_the_command(mute: str) -> None:
    group = transport.group_of(mute)
    line = transport.why_not_open(mute, PermissionError(13, "Permission denied")).line
    assert f"belongs to the group {group}: run `sudo usermod -aG {group} $USER`" in line


def test_a_person_who_may_not_open_a_port_is_told_which_group_may(mute: str) -> None:
    """A real refusal by the system: as another user, where we are the one to whom nothing is refused."""
    group, we = transport.group_of(mute), os.geteuid()
    os.chmod(mute, 0)
    if we == 0:
        os.seteuid(NOBODY)
    try:
        with pytest.raises(PortError, match=f"{mute}: no permission to open it; it belongs to the group {group}: run"):
            SerialTransport(mute)
    finally:
        os.seteuid(we)


def test_a_port_that_another_program_has_is_told(mute: str) -> None:
    first = SerialTransport(mute)
    with pytest.raises(PortError, match="another program has it open"):
        SerialTransport(mute)
    first.close()


def test_a_port_that_is_not_a_sensor_board_is_told(mute: str) -> None:
    virtual = Virtual()  # only for its time, which goes on by itself
    port = SerialTransport(mute, read_s=0.0)

    def hurrying() -> float:
        virtual.time.sleep(0.01)
        return virtual.time.now

    with pytest.raises(PortError, match=r"no sensor board answers there \(heard nothing in 2.5 s\)"):
        ask_who(port, mute, hurrying)
    port.close()


def test_a_port_where_something_else_speaks_goes_on_saying_so_between_tries() -> None:
    """A GPS mouse that was named as the sensor board's port: its lines begin with "$" too."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    os.set_blocking(ours, False)
    virtual, name = Virtual(), os.ttyname(theirs)  # virtual: only for its time
    bridge = Bridge(Kept(), find=lambda: name, open_port=lambda p: SerialTransport(p, read_s=0.0), clock=virtual.time)
    said: list[str] = []
    for _ in range(120):
        with contextlib.suppress(BlockingIOError):
            os.write(ours, b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n")
        bridge.step()
        virtual.time.sleep(0.1)
        said.append(bridge.state().detail)
    bridge.stop()
    os.close(ours)
    os.close(theirs)
    assert re.search(r"no sensor board answers there \(heard \d+ bytes that are not its language in 5 s\)", said[60])
    assert all("give another port" in line for line in said[60:])


def test_every_trouble_with_a_port_or_a_board_is_told_in_french_too() -> None:
    folder = Path(transport.__file__).parent
    made = [m for p in folder.glob("*.py") for m in re.findall(r'Trouble\(("[^,]+),', p.read_text(encoding="utf-8"))]
    kinds = {kind for one in made for kind in re.findall(r'"(\w+)"', one)}
    assert len(kinds) > 10
    assert kinds == set(TROUBLES_FR)


@pytest.mark.parametrize(("version", "advice"), [(2, "update Paleo Companion"), (0, "flash the firmware")])
def test_a_board_with_another_protocol_is_told(version: int, advice: str) -> None:
    virtual = Virtual(version=version)
    with pytest.raises(PortError, match=f"speaks protocol {version}.*{advice}"):
        ask_who(virtual.port, "COM3", virtual.time)


def test_two_boards_with_one_id_are_told() -> None:
    one, two = Virtual(board=0xAB), Virtual(board=0xAB)
    two.port = type(one.port)(two.board, clock=one.time, sleep=one.time.sleep)
    two.board._clock = one.time
    ports = {"COM3": one.port, "COM4": two.port}
    with pytest.raises(PortError, match=r"two sensor boards with one id: COM3 \(id 000000AB\), COM4 \(id 000000AB\)"):
        find_board([Candidate(p, "") for p in ports], open_port=lambda p: ports[p].open(p), clock=one.time)


def test_the_one_port_that_answers_is_taken(mute: str) -> None:
    virtual = Virtual()
    dead = Virtual()
    dead.port = type(dead.port)(dead.board, clock=virtual.time, sleep=virtual.time.sleep)
    dead.port.silent = True
    ports = {"COM3": dead.port, "COM4": virtual.port}
    found = find_board([Candidate(p, "") for p in ports], open_port=lambda p: ports[p].open(p), clock=virtual.time)
    assert found == "COM4"


def test_ports_that_were_refused_are_left_in_peace_for_a_while() -> None:
    virtual, opened = Virtual(), list[str]()
    virtual.port.silent = True

    def open_port(path: str) -> VirtualPort:
        opened.append(path)
        return virtual.port.open(path)

    there = [Candidate("COM3", "")]
    find = Finder(lambda: there, open_port=open_port, clock=virtual.time)
    for _ in range(5):
        with pytest.raises(PortError, match="no sensor board answers there"):
            find()
    assert opened == ["COM3"]
    virtual.port.silent = False
    virtual.time.sleep(AGAIN_S)
    assert find() == "COM3"


def test_a_board_that_is_back_at_its_port_is_not_asked_first_who_it_is() -> None:
    """Opening an Uno's port starts it anew: twice would take longer than a board may take to be back."""
    virtual, opened, there = Virtual(), list[str](), [Candidate("COM3", "")]

    def open_port(path: str) -> VirtualPort:
        opened.append(path)
        return virtual.port.open(path)

    find = Finder(lambda: there, open_port=open_port, clock=virtual.time)
    find()
    virtual.time.sleep(60)
    assert (find(), len(opened)) == ("COM3", 1)
    assert (find(), len(opened)) == ("COM3", 2), "it was no use just now: ask"


def test_names_by_id_are_candidates_once(tmp_path: Path, mute: str) -> None:
    (tmp_path / "usb-1a86_USB_Serial-if00-port0").symlink_to(mute)
    (tmp_path / "usb-again").symlink_to(mute)
    found = [c.path for c in candidates(tmp_path)]
    assert found.count(str(tmp_path / "usb-1a86_USB_Serial-if00-port0")) == 1
    assert str(tmp_path / "usb-again") not in found


class Kept:
    """Items as they came."""

    def __init__(self) -> None:
        self.items: list[Item] = []

    def __call__(self, items: list[Item]) -> bool:
        self.items += items
        return True


def until(bridge: Bridge, true: object, limit_s: float) -> float:
    """Steps the bridge until something is so; how long that took."""
    began = time.monotonic()
    while not true():  # type: ignore[operator]
        assert time.monotonic() - began < limit_s, bridge.state()
        bridge.step()
    return time.monotonic() - began


def test_the_real_firmware_by_the_wall_clock_is_connected_and_its_events_are_timed(realtime: RealtimeBoard) -> None:
    kept = Kept()
    bridge = Bridge(kept, find=lambda: realtime.port, new_id=0xBEEF)
    until(bridge, lambda: bridge.state().board == 0xBEEF and bridge.state().fitted, 5)
    at = time.monotonic()
    realtime.pulse(4)
    until(bridge, lambda: len(kept.items) >= 2, 3)
    bridge.stop()
    first, second = kept.items[:2]
    assert isinstance(first, SensorEvent)
    assert isinstance(second, SensorEvent)
    assert (first.input, first.active, second.active) == (4, True, False)
    assert second.micros - first.micros == pytest.approx(5000, abs=100)
    assert at - 0.5 < first.host_s <= time.monotonic()  # how near exactly, test_firmware_time.py measures


def test_a_silent_board_is_noticed_and_goes_on_when_it_speaks_again(realtime: RealtimeBoard) -> None:
    kept = Kept()
    bridge = Bridge(kept, find=lambda: realtime.port, new_id=0xBEEF)
    until(bridge, lambda: bridge.state().state == "connected" and bridge.state().board == 0xBEEF, 5)
    realtime.freeze(True)
    noticed = until(bridge, lambda: bridge.state().state == "silent", 4)
    assert [i.reason for i in kept.items if isinstance(i, Gap)] == ["silent"]
    realtime.freeze(False)
    again = until(bridge, lambda: bridge.state().state == "connected", 4)
    bridge.stop()
    print(f"\nsilence noticed after {noticed:.2f} s, connected again after {again:.2f} s")
    assert noticed < NOTICED_S
    assert again < BACK_S


def test_an_unplugged_board_is_back_within_two_seconds(tools: None, eeprom: Path, tmp_path: Path) -> None:
    """The same board at the same name; what happened meanwhile is told as a gap."""
    build()
    name, kept = tmp_path / "ttyBOARD", Kept()
    board = RealtimeBoard(eeprom=eeprom)
    name.symlink_to(board.port)
    bridge = Bridge(kept, find=lambda: str(name), new_id=1)
    until(bridge, lambda: bridge.state().board == 1, 5)
    name.unlink()
    board.close()
    lost = until(bridge, lambda: kept.items, 3)
    assert [type(i) for i in kept.items] == [Gap]
    board = RealtimeBoard(eeprom=eeprom)
    name.symlink_to(board.port)
    back = until(bridge, lambda: bridge.state().board is not None and bridge.state().state == "connected", 4)
    realtime_event = len(kept.items)
    board.pulse(0)
    until(bridge, lambda: any(isinstance(i, SensorEvent) for i in kept.items[realtime_event:]), 2)
    bridge.stop()
    board.close()
    print(f"\nloss noticed after {lost:.2f} s, back after {back:.2f} s")
    assert lost < NOTICED_S
    assert back < BACK_S
