"""A puck that runs into one at rest: what is seen of the two hangs together, and each is found for itself."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import camera_over
from tests.vision.test_streaks import PLACE_MM, ground_of, paint, picture, swept, way
from vision.glimpses import find_glimpses, parted
from vision.streaks import Ground, Streak, find_streaks
from vision.view import TopView, make_view

RESTING = (301.3, 248.7)
Place = tuple[float, float]  # mm
TOO_MUCH_MM = 2.5  # its blurred edge, which covers the other one's for a part of the exposure, is not all its own


def streaks_of(
    view: TopView, speed_mm_s: float, angle_deg: float, apart: float, others: Sequence[Place] = ()
) -> tuple[list[Streak], Place]:
    """Of a puck that comes from one side on a resting one of its team. apart: diameters between their middles; others:
    where more of them lie, mm. -> streaks, the middle of the one that runs"""
    radius, turn = view.board.puck.radius_mm, math.radians(angle_deg)
    middle = (RESTING[0] + apart * 2 * radius * math.cos(turn), RESTING[1] + apart * 2 * radius * math.sin(turn))
    colour, ground = paint(view.board, "red"), ground_of(view)
    covers = [swept(view, way(middle, speed_mm_s, angle_deg)),
              *(swept(view, np.array([place])) for place in (RESTING, *others))]  # fmt: skip
    image = picture(ground, [(cover, colour) for cover in covers])
    field = np.ones((view.size[1] // 16 + 1, view.size[0] // 16 + 1, 3), np.float32)
    clean = Ground(np.asarray(np.clip(ground, 0, 255), dtype=np.uint8))
    sight = find_streaks(0, image, (0, 0), field, clean, view, {"red": [colour]})
    glimpses = find_glimpses(0, image, (0, 0), sight.lit, sight.busy, view, [("red", RESTING)], sight.looks,
                             sight.streaks)  # fmt: skip
    return parted(sight, glimpses, image, (0, 0), view), middle


@pytest.fixture(scope="module")
def view() -> TopView:
    board = load_board(default_board_path())
    return make_view(board, camera_over(board), (1280, 720))


@pytest.mark.parametrize("angle", [0.0, 70.0, 200.0])
@pytest.mark.parametrize(("speed", "apart"), [(600.0, 1.2), (1200.0, 1.35), (1800.0, 1.5)])
def test_a_puck_that_runs_into_one_at_rest_is_seen_at_its_own_place(
    view: TopView, speed: float, apart: float, angle: float
) -> None:
    found, middle = streaks_of(view, speed, angle, apart)
    assert len(found) == 2
    by_rest, by_run = (min(found, key=lambda s: math.dist(s.place, place)) for place in (RESTING, middle))
    assert math.dist(by_rest.place, RESTING) < PLACE_MM
    assert math.dist(by_run.place, middle) < TOO_MUCH_MM


@pytest.mark.parametrize("third", [(3.5, -0.3), (3.7, -0.2), (-0.3, 3.5)])
@pytest.mark.parametrize("speed", [1800.0, 2100.0, 2400.0])
def test_a_third_one_that_lies_beside_their_way_is_seen_once(view: TopView, speed: float, third: Place) -> None:
    """third: how far off, in radii"""
    radius = view.board.puck.radius_mm
    there = (RESTING[0] + third[0] * radius, RESTING[1] + third[1] * radius)
    found, middle = streaks_of(view, speed, 45.0, 1.02 + speed / 60 / (4 * radius), [there])
    for place in (RESTING, middle, there):
        assert sum(math.dist(s.place, place) < radius for s in found) <= 1
    assert all(min(math.dist(s.place, p) for p in (RESTING, middle, there)) < 0.5 * radius for s in found)
