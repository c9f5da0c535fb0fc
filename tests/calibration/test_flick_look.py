"""The shutter by flicked pucks: a printed puck with side and shadow on a real board, and streaks summed up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from calibration.flick_blur import Sighting
from calibration.flick_look import RANGE, Flick, FlickLook, shutter_of
from vision.virtual_table.looks import look_for
from vision.virtual_table.physics import Puck
from vision.virtual_table.table import VirtualTable

ASKED_S = 1.0  # the hand needs nearly a second until it flicks
SLIDING_S, RESTING_S = 2.3, 2.75
LEAST_MM = 1.5
SPEEDS = np.linspace(300.0, 1300.0, 8)


def filmed(shutter_s: float, until_s: float = RESTING_S) -> Flick | None:
    """What a small picture tells of a puck flicked over the bare board of the box."""
    board = load_board(default_board_path())
    look = replace(look_for("vga", 3), exposure_s=shutter_s)
    puck = Puck("red-5", "red", 5, 150.0, 500.0)
    table = VirtualTable(board, seed=3, look=look, pucks=[puck], reefs=[], seconds=until_s)
    watch = FlickLook(board, table.pose, table.fps)
    for frame in table.frames():
        if frame.index == round(ASKED_S * table.fps):
            table.command({"do": "flick", "puck": "red-5", "angle_deg": 6.0, "speed_mm_s": 1400.0})
        watch.see(frame.image)
    return watch.result()


@pytest.mark.parametrize("shutter_s", [1 / 180, 1 / 45])
def test_a_printed_puck_with_side_and_shadow_tells_the_shutter(shutter_s: float) -> None:
    flick = filmed(shutter_s)
    assert flick is not None
    assert flick.sure
    assert flick.shortest_s < shutter_s < flick.longest_s
    assert 1000.0 < flick.speed_mm_s < 1400.0


def test_a_puck_that_is_not_seen_to_stop_tells_nothing() -> None:
    assert filmed(1 / 90, SLIDING_S) is None


def sightings(shutter_s: float, coded_mm: float = 0.0, off: float = 0.0) -> list[Sighting]:
    """Streaks at many speeds, with a blur beside that is always there; every second one longer by a share."""
    streaks = np.hypot(SPEEDS * shutter_s, coded_mm) * (1 + off * (np.arange(len(SPEEDS)) % 2))
    return [Sighting(v, s, 0.97, 1.0, False) for v, s in zip(SPEEDS, streaks, strict=True)]


def test_streaks_that_grow_with_speed_are_the_shutter() -> None:
    flick = shutter_of(sightings(1 / 90), LEAST_MM)
    assert flick is not None
    assert (flick.sure, flick.short) == (True, False)
    assert flick.exposure_s == pytest.approx(1 / 90, rel=0.01)
    assert (flick.shortest_s, flick.longest_s) == (pytest.approx(1 / 90 / RANGE), pytest.approx(RANGE / 90))


def test_blur_that_is_always_there_does_not_lengthen_the_shutter_by_more_than_is_told() -> None:
    flick = shutter_of(sightings(1 / 120, coded_mm=3.0), LEAST_MM)
    assert flick is not None
    assert flick.sure
    assert flick.shortest_s < 1 / 120 < flick.exposure_s < flick.longest_s


def test_sightings_that_do_not_agree_tell_no_shutter() -> None:
    flick = shutter_of(sightings(1 / 60, off=1.0), LEAST_MM)
    assert flick is not None
    assert not flick.sure
    assert flick.speed_mm_s == SPEEDS.max()


def test_two_sightings_are_not_enough() -> None:
    flick = shutter_of(sightings(1 / 90)[-2:], LEAST_MM)
    assert flick is not None
    assert not flick.sure


def test_a_shutter_too_short_to_be_measured_is_told_to_be_short() -> None:
    flick = shutter_of([replace(s, streak_mm=0.01) for s in sightings(1 / 1000)], LEAST_MM)
    assert flick is not None
    assert (flick.sure, flick.short) == (True, True)
    assert 1 / 1000 < flick.longest_s < 1 / 150


def test_no_sighting_is_no_flick() -> None:
    assert shutter_of([], LEAST_MM) is None
