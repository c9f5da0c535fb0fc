"""`paleo sensors`, as a person types it: a live table, a test of each sensor, and one line for each mistake."""

from __future__ import annotations

import io
import json
import os
import re
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from companion.sensors import Shown, Watch, picture
from firmware_bridge.bridge import BridgeState
from firmware_bridge.inputs import WIRED
from firmware_bridge.transport import SerialTransport
from tests.cli.running import Running
from tests.cli.test_cli import paleo, refused
from tests.firmware_bridge.simulator.board import RealtimeBoard
from tests.firmware_bridge.simulator.build import needs_firmware


@pytest.fixture
def realtime() -> Iterator[RealtimeBoard]:
    """The real firmware by the wall clock."""
    needs_firmware()
    board = RealtimeBoard()
    yield board
    board.close()


def test_the_live_table_names_every_sensor_its_pin_and_the_lines_counters(realtime: RealtimeBoard) -> None:
    for seconds in ("1.5", "6", "20"):  # a simulated board that gets no time of the machine is silent meanwhile
        done = paleo("sensors", "--sensors", realtime.port, "--seconds", seconds)
        assert done.returncode == 0, done.stderr
        for wired in WIRED:
            assert re.search(rf"\b{wired.pin}\b", done.stdout)
        assert "red-north-west outer beam" in done.stdout
        for word in ("sent again", "failed their CRC", "gaps"):
            assert word in " ".join(done.stdout.split())
        if ", connected;" in " ".join(done.stdout.split()):
            return
    pytest.fail(f"the board was never shown as connected: {done.stdout}")


@pytest.mark.parametrize(("language", "unknown", "calm"), [("en", "not known", "free"), ("fr", "inconnu", "libre")])
def test_while_the_board_is_away_or_silent_no_sensor_is_shown_as_free(language: str, unknown: str, calm: str) -> None:
    """With its cable out all beams were free, in green, whatever was in them."""
    for state in (BridgeState("searching"), BridgeState("silent", levels=0), BridgeState("garbled", levels=0)):
        console = Console(file=io.StringIO(), width=200, record=True)
        console.print(picture(state, Watch(), Shown(console, language, ()), 0.0))
        told = console.export_text()
        assert told.count(unknown) == len(WIRED)
        assert calm not in told
    console.print(picture(BridgeState("connected", levels=0), Watch(), Shown(console, language, ()), 0.0))
    assert calm in console.export_text()


def test_every_sensor_of_a_virtual_board_is_tested_in_turn() -> None:
    done = paleo("sensors", "--sensors", "virtual", "--test")
    assert done.returncode == 0, done.stdout + done.stderr
    text = " ".join(done.stdout.split())
    assert "Break the outer beam at red-north-west and free it again (pin D2" in text
    assert text.count("works") == len(WIRED)
    assert text.endswith("All sensors work.")


def test_a_board_is_given_another_id(realtime: RealtimeBoard) -> None:
    done = paleo("sensors", "--sensors", realtime.port, "--new-id")
    found = re.search(r"This board's id is now ([0-9A-F]{8})\.", done.stdout)
    assert found, done.stdout + done.stderr
    assert f"board {found[1]}" in paleo("sensors", "--sensors", realtime.port, "--seconds", "0.5").stdout


def test_a_board_is_told_which_sensors_it_has(realtime: RealtimeBoard) -> None:
    done = paleo("sensors", "--sensors", realtime.port, "--fitted", "red-north-west, gate")
    told = "The board now has: red-north-west outer beam, red-north-west inner beam, gate."
    assert " ".join(done.stdout.split()) == told, done.stderr
    shown = paleo("sensors", "--sensors", realtime.port, "--seconds", "0.5").stdout
    assert shown.count("not fitted") >= len(WIRED) - 3


def test_a_sensor_that_there_is_not_is_one_line_with_those_that_there_are() -> None:
    line = refused("sensors", "--sensors", "virtual", "--fitted", "red-north-west, bell")
    assert "'bell' is no sensor" in line
    assert "green-south-east inner beam" in line


def test_a_port_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    assert "there is no such port; plug the sensor board in" in refused("sensors", "--sensors", tmp_path / "tty")


@pytest.mark.parametrize("name", ["", " "])
def test_a_port_without_a_name_is_told_as_none(tmp_path: Path, name: str) -> None:
    for order in (("sensors",), ("run", "--data", tmp_path, "--port", "0")):
        assert "no port is named; give one such as /dev/ttyUSB0" in refused(*order, "--sensors", name)


def test_a_port_that_another_companion_has_is_one_line(realtime: RealtimeBoard, tmp_path: Path) -> None:
    first = SerialTransport(realtime.port)
    for order in (("sensors",), ("run", "--data", tmp_path, "--port", "0")):
        assert "another program has it open" in refused(*order, "--sensors", realtime.port)
    first.close()


def test_a_port_that_is_no_sensor_board_is_one_line() -> None:
    ours, theirs = os.openpty()
    assert "no sensor board answers there (heard nothing in 2.5 s)" in refused(
        "sensors", "--sensors", os.ttyname(theirs)
    )
    os.close(ours)
    os.close(theirs)


def test_a_companion_that_is_told_a_port_that_is_not_there_says_so_and_ends(tmp_path: Path) -> None:
    line = refused("run", "--sensors", tmp_path / "tty", "--data", tmp_path / "data", "--port", "0")
    assert "there is no such port" in line


def test_a_companion_with_the_virtual_tables_sensors_is_connected_to_them(tmp_path: Path) -> None:
    running = Running("--sensors", "virtual", "--data", tmp_path, "--size", "640x480", "--seed", "1")
    running.wait("/healthz", lambda health: health["sensors"]["state"] == "connected")
    code, errors = running.end()
    assert code in (0, 130), errors


def test_a_companion_takes_an_edge_of_the_real_firmware_into_its_journal(
    tmp_path: Path, realtime: RealtimeBoard
) -> None:
    running = Running("--sensors", realtime.port, "--data", tmp_path, "--size", "640x480", "--no-autoplay")
    running.wait("/healthz", lambda health: health["sensors"]["state"] == "connected")
    with urllib.request.urlopen(
        urllib.request.Request(running.address + "/api/stream", headers={"Last-Event-ID": "0"}), timeout=30
    ) as stream:
        realtime.pulse(8)
        deadline = time.monotonic() + 30
        for line in stream:
            assert time.monotonic() < deadline
            if line.startswith(b"data: ") and b'"sensor"' in line and b"gate" in line:
                assert json.loads(line[6:])
                break
        else:
            raise AssertionError("the stream ended without it")
    running.end()
