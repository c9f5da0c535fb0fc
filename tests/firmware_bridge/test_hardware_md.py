"""The manual's numbers are the code's."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from calibration.board import default_board_path, load_board
from companion.sensor_trust import STUCK_S
from docs.draw_wiring import OUT, drawing, rows
from firmware_bridge.inputs import ACTIVE_LOW, BEAMS_A_DOOR, DOORS, WIRED, fitted_of
from firmware_bridge.protocol import FIRST_SEQUENCE, MICROS, PROTOCOL_VERSION, RESET_CAUSES, RESTART_WORD, WHY_REFUSED
from firmware_bridge.session import SILENT_S
from firmware_bridge.transport import BAUD
from firmware_bridge.virtual_board import (
    COUNTERS_BEATS,
    FIRMWARE,
    GAP_MOST,
    HOST_GONE_S,
    RESEND_S,
    RESEND_SLOW_S,
    RESEND_SOON_S,
    RING,
)
from vision.virtual_table.beams import INNER_MM, KNOCK_S

ROOT = Path(__file__).resolve().parents[2]
MANUAL = (ROOT / "hardware.md").read_text(encoding="utf-8")
FLAT = " ".join(MANUAL.split())
SOURCES = {p.name: p.read_text(encoding="utf-8") for p in (ROOT / "firmware_bridge" / "firmware").glob("*.[ch]")}
BOARD = load_board(default_board_path())
ORDINALS = {3: "third", 4: "fourth", 5: "fifth"}


def defined(name: str) -> int:
    """A number that the firmware defines."""
    found = [m for text in SOURCES.values() for m in re.findall(rf"#define {name} (0x[0-9A-F]+|\d+)", text)]
    assert len(found) == 1, f"{name}: {found}"
    return int(found[0], 0)


BLINK_MS = 1 << defined("BLINK_FAST_BIT")


def behaves(what: str) -> str:
    """The right-hand side of a row of the table of how it behaves."""
    found = re.search(rf"^\| {re.escape(what)} \| ([^|]*) \|$", MANUAL, re.M)
    assert found, what
    return found[1].strip()


def test_every_input_is_on_the_pin_that_the_manual_names() -> None:
    told = re.findall(r"^\| ([0-9A]) \| [^|]* \| ([DA]\d+) \| (low|high) \|$", MANUAL, re.M)
    assert told == [(f"{w.number:X}", w.pin, "low" if ACTIVE_LOW & 1 << w.number else "high") for w in WIRED]


def test_the_firmware_reads_those_pins() -> None:
    header = SOURCES["board.h"]
    for first, pins in ((0, "D2, D3"), (2, "D4, D5"), (4, "D6, D7"), (6, "D8, D9")):
        assert f"{first}, {first + 1} " in header
        assert pins in header
        assert [w.pin for w in WIRED[first : first + 2]] == pins.split(", ")
    for number, pin in ((8, "A0"), (9, "A1"), (10, "A2")):
        assert WIRED[number].pin == pin
        assert pin in header


@pytest.mark.parametrize(("what", "value"), [
    ("a level counts once it has held for", f"{defined('HOLD_US')} us"),
    ("events kept while nobody takes them", f"{defined('RING_SIZE')}"),
    ("changes of an input that are listened to in a millisecond", f"{defined('CHANGES_MOST')}"),
    ("heartbeat", f"every {defined('BEAT_MS')} ms"),
    ("called silent after", f"{SILENT_S:g} s"),
    ("sent again, unacknowledged", f"after {defined('RESEND_MS')} ms"),
    ("sent again while no host talks", f"after {defined('RESEND_SLOW_MS')} ms"),
    ("shortest pulse that is surely seen", "1 ms"),
    ("glitch that is surely not seen", "200 us"),
    ("status light while nobody listens", f"{BLINK_MS} ms every {8 * BLINK_MS} ms"),
    ("watchdog", "500 ms"),
    ("line", f"{BAUD} baud, 8 bits, no parity, 1 stop bit"),
    ("a sensor is set aside when broken with nothing there for", f"{STUCK_S:g} s"),
])  # fmt: skip
def test_it_behaves_as_the_manual_says(what: str, value: str) -> None:
    assert behaves(what) == value


def test_what_counts_as_held_lies_between_a_glitch_and_a_pulse() -> None:
    """What the firmware does with both, test_firmware.py and test_firmware_storms.py measure."""
    glitch, pulse = (int(re.findall(r"\d+", behaves(w))[0]) for w in (
        "glitch that is surely not seen", "shortest pulse that is surely seen"))  # fmt: skip
    assert glitch < defined("HOLD_LEAST_US") <= defined("HOLD_US") < pulse * 1000


def test_there_are_as_many_parts_as_inputs() -> None:
    pairs = re.search(r"^\| infrared break-beam pair[^|]*\| (\d+) \|", MANUAL, re.M)
    assert pairs
    assert int(pairs[1]) == DOORS * BEAMS_A_DOOR
    lights = re.search(r"^\| LED in a side's colour[^|]*\| (\d+) each \|", MANUAL, re.M)
    assert lights
    assert int(lights[1]) == defined("SIDES") == len(BOARD.teams)


def test_a_knock_lasts_as_long_as_its_capacitor() -> None:
    farad, ohm = 22e-9, 1e6
    assert "22 nF" in FLAT
    assert "1 MΩ" in FLAT
    assert f"within some {KNOCK_S * 1000:g} ms" in FLAT
    assert math.isclose(farad * ohm, KNOCK_S, rel_tol=0.15)
    assert all(part in drawing() for part in ("22 nF", "1 MΩ", "1N5819", "5.1 V"))


def test_the_manuals_names_of_sensors_are_those_that_the_command_takes() -> None:
    doors = tuple(door.name for door in BOARD.doors)
    told = re.findall(r'--fitted "([^"]+)"', FLAT)
    assert told
    for names in (*told, "red-north-west outer beam", "gate", "knock", "turn button", "all"):
        assert fitted_of(names, doors)
        assert names.split(",")[0] in FLAT


def test_both_twins_have_the_same_numbers() -> None:
    assert defined("RING_SIZE") == RING
    assert defined("RESEND_MS") == RESEND_S * 1000
    assert defined("RESEND_SLOW_MS") == RESEND_SLOW_S * 1000
    assert defined("RESEND_SOON_MS") == RESEND_SOON_S * 1000
    assert defined("HOST_GONE_MS") == HOST_GONE_S * 1000
    assert defined("COUNTERS_BEATS") == COUNTERS_BEATS
    assert defined("GAP_MOST") == GAP_MOST
    assert defined("FIRMWARE_VERSION") == FIRMWARE
    assert defined("PROTOCOL_VERSION") == PROTOCOL_VERSION
    assert defined("FIRST_SEQUENCE") == FIRST_SEQUENCE
    assert defined("RESTART_WORD") == RESTART_WORD
    assert "WDTO_500MS" in SOURCES["main.c"]
    assert f"BAUD {BAUD}UL" in SOURCES["board.h"]


def test_the_protocols_text_names_the_codes_numbers() -> None:
    assert f"Version {PROTOCOL_VERSION}." in FLAT
    assert f"`sequence` starts at {FIRST_SEQUENCE:X}" in FLAT
    assert f"word is {RESTART_WORD:X}" in FLAT
    assert f"One `G` counts {GAP_MOST:X} edges" in FLAT
    assert f"counters, every {ORDINALS[COUNTERS_BEATS]} heartbeat" in FLAT
    assert f"wraps after {MICROS / 1e6 / 86400:.1f} days" in FLAT
    assert "`cause`: " + ", ".join(f"{bit} {name}" for bit, name in RESET_CAUSES) in FLAT
    assert ", ".join(f"{n} {why}" for n, why in WHY_REFUSED.items() if n) in FLAT
    for key, least, most in (("H", "HOLD_LEAST_US", "HOLD_MOST_US"), ("B", "BEAT_LEAST_MS", "BEAT_MOST_MS")):
        assert re.search(rf"`{key}` [a-z]+ in [a-z]+ \({defined(least)} to {defined(most)}\)|"
                         rf"`{key}` hold in us \({defined(least)} to {defined(most)}\)", FLAT), key  # fmt: skip


def test_beams_are_set_as_the_virtual_tables_are() -> None:
    assert f"the **inner beam** {INNER_MM:g} mm behind it" in FLAT
    assert BOARD.puck.diameter_mm > INNER_MM, "a puck on its way breaks both"
    assert f"{BOARD.puck.height_mm / 2:g} mm above the surface" in FLAT
    widest = max(math.dist(*door.line) for door in BOARD.doors)
    assert "40 to 54 mm" in FLAT
    assert 40 <= widest <= 54
    assert f"at {widest:.0f} mm every pair" in FLAT.replace("At", "at")


def test_doors_come_in_the_board_files_order() -> None:
    assert ", ".join(door.name for door in BOARD.doors) in FLAT


def test_the_cameras_heights_are_those_of_the_formula() -> None:
    table = re.findall(r"^\| (\d+)° \| [^|]*\| (\d+) mm \|$", MANUAL, re.M)
    assert len(table) == 4
    for degrees, told in table:
        height = 800 / 2 / (0.49 * math.tan(math.radians(int(degrees) / 2)))
        assert abs(height - int(told)) < 10, degrees


def test_a_puck_is_as_wide_in_the_picture_as_the_manual_says() -> None:
    lines, seen_mm = 720, 740.0  # the board with its rim just fills the picture
    assert int(lines * BOARD.puck.diameter_mm / seen_mm) == 27
    assert "it is about 27" in FLAT
    assert f"A puck of {BOARD.puck.diameter_mm:g} mm" in FLAT
    assert f"Paleo's board is {BOARD.size[0]:g} mm square" in FLAT


def test_the_wiring_is_drawn_from_the_code() -> None:
    assert OUT.read_text(encoding="utf-8") == drawing()
    assert [pin for pin, *_ in rows()][: len(WIRED)] == [w.pin for w in WIRED]
    for pin in ("D10", "D11"):
        assert pin in MANUAL
