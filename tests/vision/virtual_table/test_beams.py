"""What sensors at the virtual table feel, against what truly happened."""

from __future__ import annotations

import math

import numpy as np

from calibration.board import default_board_path, load_board
from vision.virtual_table.beams import INNER_MM, Felt, Sensors, beam_line
from vision.virtual_table.physics import Puck
from vision.virtual_table.table import VirtualTable

BOARD = load_board(default_board_path())
DOOR = BOARD.doors[0]
MIDDLE = np.mean(DOOR.line, axis=0)
INWARDS = (np.array(DOOR.inside) - MIDDLE) / math.dist(DOOR.inside, MIDDLE)


def slide(from_mm: float, to_mm: float) -> list[Felt]:
    """A puck goes straight through the first door's middle, from and to so far behind its line."""
    sensors = Sensors(BOARD)
    times = np.arange(0.0, 0.2, 5e-4)
    places = MIDDLE + np.linspace(from_mm, to_mm, len(times))[:, None] * INWARDS
    return sensors.feel(times, {"p": places}, [])


def test_a_puck_that_goes_in_breaks_the_outer_beam_first_and_leaves_it_first() -> None:
    assert [(f.inner, f.active) for f in slide(-40, 60)] == [(False, True), (True, True), (False, False), (True, False)]


def test_the_outer_beam_is_free_again_when_the_whole_puck_is_behind_the_line() -> None:
    free = next(f for f in slide(-40, 60) if not f.inner and not f.active)
    depth = -40 + 100 * free.time_s / 0.2
    assert abs(depth - BOARD.puck.radius_mm) < 0.5


def test_a_puck_that_turns_in_the_doorway_leaves_the_inner_beam_first() -> None:
    sensors = Sensors(BOARD)
    times = np.arange(0.0, 0.2, 5e-4)
    depth = 8 - 60 * np.abs(times - 0.1) / 0.1
    felt = sensors.feel(times, {"p": MIDDLE + depth[:, None] * INWARDS}, [])
    assert [(f.inner, f.active) for f in felt] == [(False, True), (True, True), (True, False), (False, False)]


def test_the_inner_beam_lies_behind_the_outer_one() -> None:
    a, b = beam_line(DOOR, INNER_MM)
    assert abs(DOOR.depth_mm(*((a + b) / 2)) - INNER_MM) < 1e-9


def test_a_flick_into_a_sanctuary_is_felt_on_the_virtual_table() -> None:
    start = MIDDLE - 120 * INWARDS
    puck = Puck("red-3", "red", 3, float(start[0]), float(start[1]))
    table = VirtualTable(BOARD, size=(320, 240), seed=1, pucks=[puck], reefs=[], sensors=True, seconds=3)
    angle = math.degrees(math.atan2(INWARDS[1], INWARDS[0]))
    table.command({"do": "flick", "puck": "red-3", "angle_deg": angle, "speed_mm_s": 1000})
    felt = []
    for _ in table.frames():
        felt += table.felt()
    assert [(f.what, f.door, f.inner, f.active) for f in felt if f.what == "beam"][:2] == [
        ("beam", 0, False, True), ("beam", 0, True, True),
    ]  # fmt: skip
    crossed = [c for s in table.truth()["shots"] for c in s["crossings"]]
    assert crossed
    assert [f.time_s for f in felt] == sorted(f.time_s for f in felt)
