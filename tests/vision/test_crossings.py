"""Doors, gate and rim: motions whose truth is plain arithmetic."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.seen_shots import FRAME_S, Camera, play
from tests.vision.virtual_table.tables import plain_board, puck
from vision.crossings import (
    beside_gates_edge,
    beyond_rim_mm,
    door_crossings,
    exit_time,
    gate_passages,
    lies_on_gate,
    on_doors_line,
)
from vision.motion import Motion, Nudge, nudge_motion
from vision.virtual_table.physics import Material

BOARD = plain_board()  # a door on x = 500 from y = 100 to 300, its sanctuary east of it; a gate at (300, 200), 26 mm
RADIUS = BOARD.puck.radius_mm
STEP_S = 0.0015  # paths are walked in milliseconds


def motion(*knots: tuple[float, float, float], gone: bool = False) -> Motion:
    """A motion through knots (time, x, y), straight between them."""
    times, places = np.array([k[0] for k in knots]), np.array([k[1:] for k in knots], dtype=float)
    start, end = (float(places[0][0]), float(places[0][1])), (float(places[-1][0]), float(places[-1][1]))
    way = math.dist(start, (float(places[1][0]), float(places[1][1])))
    direction = (float(places[1][0] - start[0]) / way, float(places[1][1] - start[1]) / way)
    speed = way / float(times[1] - times[0])
    return Motion("red-1", "red", start, None if gone else end, times, places, float(times[0]), float(times[-1]),
                  direction, speed)  # fmt: skip


def ways(*knots: tuple[float, float, float]) -> list[str]:
    return [c.direction for c in door_crossings(motion(*knots), BOARD)]


def test_a_puck_that_slides_through_a_door_is_in_once_all_of_it_is_behind_the_line() -> None:
    (crossing,) = door_crossings(motion((1.0, 400, 200), (1.2, 600 - RADIUS, 200)), BOARD)
    speed = (600 - RADIUS - 400) / 0.2
    assert (crossing.puck, crossing.door, crossing.direction) == ("red-1", "green-east", "in")
    assert crossing.time_s == pytest.approx(1.0 + (500 + RADIUS - 400) / speed, abs=STEP_S)
    assert crossing.confidence > 0.95


def test_in_and_out_again_within_two_frames_gives_both() -> None:
    back = 1.0 + FRAME_S  # 6 mm deeper than wholly in at the turn, between two frames
    found = door_crossings(motion((1.0, 490, 200), (back, 520, 200), (back + FRAME_S, 490, 205)), BOARD)
    assert [c.direction for c in found] == ["in", "out"]
    into, out = (c.time_s for c in found)
    assert into == pytest.approx(1.0 + FRAME_S * 24 / 30, abs=STEP_S)
    assert out == pytest.approx(back + FRAME_S * 6 / 30, abs=STEP_S)


def test_a_door_crossed_and_left_in_the_physics_is_found_through_the_camera() -> None:
    board = plain_board()
    high_rim = Material(rim_speed_mm_s=9000.0, wall_restitution=0.9)
    shot = play(board, [puck("red-1", 440, 200)], "red-1", 0.0, 1500, high_rim)
    true = [(c.direction, c.time_s) for c in shot.facts.crossings]
    assert [d for d, _ in true] == ["in", "out"]
    for phase in (0.1, 0.4, 0.7):
        camera = Camera(board, shot, phase)
        found = door_crossings(camera.motions()["red-1"], board)
        assert [c.direction for c in found] == ["in", "out"]
        assert [c.time_s - camera.flick_s for c in found] == pytest.approx([t for _, t in true], abs=FRAME_S / 2)


@pytest.mark.parametrize(("short_mm", "expected"), [(1.0, []), (-1.0, ["in"])], ids=["a mm short", "a mm beyond"])
def test_a_millimetre_decides_whether_a_puck_is_through(short_mm: float, expected: list[str]) -> None:
    assert ways((0.0, 400, 200), (0.3, 500 + RADIUS - short_mm, 200)) == expected


def test_a_puck_that_stops_with_its_rim_on_the_line_is_at_best_doubtful() -> None:
    found = door_crossings(motion((0.0, 400, 200), (0.3, 500 + RADIUS, 200)), BOARD)
    assert found
    assert all(c.confidence <= 0.6 for c in found)


@pytest.mark.parametrize(("beyond_mm", "on"), [(0.0, True), (0.2, True), (-0.2, True), (0.4, False), (-0.4, False)])
def test_whether_a_puck_with_its_rim_on_a_doors_line_is_through_cannot_be_told(beyond_mm: float, on: bool) -> None:
    assert on_doors_line(BOARD, 500 + RADIUS + beyond_mm, 200) == on
    assert not on_doors_line(BOARD, 500 + RADIUS + beyond_mm, 360)  # beside the door


def test_a_puck_that_lay_inside_and_leaves_goes_out() -> None:
    assert ways((0.0, 550, 200), (0.2, 420, 200)) == ["out"]


def test_a_puck_that_moves_inside_crosses_nothing() -> None:
    assert ways((0.0, 550, 150), (0.2, 560, 250)) == []


def test_a_puck_that_only_dips_into_a_door_crosses_nothing() -> None:
    assert ways((0.0, 450, 200), (0.1, 500, 200), (0.2, 450, 210)) == []


def test_a_puck_beside_the_sanctuary_did_not_come_through_its_door() -> None:
    assert ways((0.0, 400, 50), (0.2, 590 - RADIUS, 50)) == []


def test_sliding_over_the_gate_passes_it() -> None:
    (passage,) = gate_passages(motion((0.0, 200, 200), (0.4, 400, 200)), BOARD)
    assert (passage.puck, passage.where) == ("red-1", "middle")
    assert passage.time_s == pytest.approx((300 - (26 - RADIUS) - 200) / 500, abs=STEP_S)


def test_stopping_on_the_gate_is_no_passage_but_lies_there() -> None:
    assert gate_passages(motion((0.0, 200, 200), (0.4, 308, 204)), BOARD) == []
    assert lies_on_gate(BOARD, 308, 204)


def test_leaving_the_gate_is_no_passage() -> None:
    assert gate_passages(motion((0.0, 300, 200), (0.4, 400, 200)), BOARD) == []


@pytest.mark.parametrize(("aside_mm", "passed"), [(11.0, True), (13.0, False)], ids=["just on it", "over its edge"])
def test_only_a_puck_that_was_wholly_on_the_gate_passed_it(aside_mm: float, passed: bool) -> None:
    assert bool(gate_passages(motion((0.0, 200, 200 + aside_mm), (0.4, 400, 200 + aside_mm)), BOARD)) is passed


@pytest.mark.parametrize(("away_mm", "on", "asked"), [
    (0.0, True, False), (11.7, True, False), (11.9, False, True), (12.1, False, True), (12.3, False, False),
    (40.0, False, False),
])  # fmt: skip
def test_a_puck_lies_on_the_gate_when_all_of_it_does_or_is_asked_about(away_mm: float, on: bool, asked: bool) -> None:
    x, y = 300 + 0.6 * away_mm, 200 - 0.8 * away_mm
    assert lies_on_gate(BOARD, x, y) is on
    assert beside_gates_edge(BOARD, x, y) is asked


def test_a_board_without_a_gate_has_no_puck_on_it_nor_beside_its_edge() -> None:
    board = replace(BOARD, gates=())
    assert not lies_on_gate(board, 300, 200)
    assert not beside_gates_edge(board, 300, 200)


def test_distance_beyond_the_rim_is_negative_on_the_board() -> None:
    assert beyond_rim_mm(BOARD, 300, 200) == -200
    assert beyond_rim_mm(BOARD, 610, 200) == 10
    assert beyond_rim_mm(BOARD, 300, -7) == 7


def test_a_puck_goes_over_the_rim_when_its_centre_does() -> None:
    assert exit_time(motion((0.0, 500, 200), (0.2, 620, 200), gone=True), BOARD) == pytest.approx(100 / 600, abs=STEP_S)


def test_a_puck_last_seen_before_the_rim_is_carried_on() -> None:
    last_s = 0.05
    leaves = exit_time(motion((0.0, 530, 200), (last_s, 580, 200), gone=True), BOARD)
    assert leaves == pytest.approx(last_s + 20 / 1000, abs=STEP_S)


def test_an_exit_in_the_physics_is_found_through_the_camera() -> None:
    shot = play(BOARD, [puck("red-1", 200, 60)], "red-1", 265.0, 2400)
    ((true_s, key),) = shot.facts.exits
    assert key == "red-1"
    for phase in (0.1, 0.5, 0.9):
        camera = Camera(BOARD, shot, phase)
        assert exit_time(camera.motions()["red-1"], BOARD) == pytest.approx(camera.flick_s + true_s, abs=2 * FRAME_S)


@pytest.mark.parametrize(("start_mm", "end_mm", "expected"), [
    (-1.7, 3.2, ["in"]), (2.0, -2.5, ["out"]), (-4.0, -0.5, []),
])  # fmt: skip
def test_a_puck_that_is_only_shifted_over_a_doors_line_went_through_the_door(
    start_mm: float, end_mm: float, expected: list[str]
) -> None:
    """start_mm, end_mm: by how much all of the puck lies beyond the line. Friction alone stops it within 60 ms."""
    start, end = (500 + RADIUS + start_mm, 200.0), (500 + RADIUS + end_mm, 200.0)
    shifted = nudge_motion(Nudge("green-1", start, end), 2.0)
    found = door_crossings(shifted, BOARD)
    assert [c.direction for c in found] == expected
    assert all(2.0 < c.time_s < 2.06 for c in found)
    assert shifted.at(2.0) == pytest.approx(start)
    assert shifted.at(2.1) == pytest.approx(end)
