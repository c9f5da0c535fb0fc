"""A puck that runs into one at rest: what is seen of the two hangs together, and each is found for itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.vision.test_streaks import PLACE_MM, ground_of, paint, picture, swept, view, way  # noqa: F401
from vision.glimpses import find_glimpses, parted
from vision.streaks import Ground, Streak, find_streaks
from vision.view import TopView

RESTING = (301.3, 248.7)
TOO_MUCH_MM = 2.5  # its blurred edge, which covers the other one's for a part of the exposure, is not all its own


def streaks_of(view: TopView, speed_mm_s: float, angle_deg: float, apart: float) -> tuple[list[Streak], tuple[float, float]]:  # noqa: E501, F811
    """Of a puck that comes from one side on a resting one of its team. apart: diameters between their middles"""
    radius, turn = view.board.puck.radius_mm, math.radians(angle_deg)
    middle = (RESTING[0] + apart * 2 * radius * math.cos(turn), RESTING[1] + apart * 2 * radius * math.sin(turn))
    colour, ground = paint(view.board, "red"), ground_of(view)
    image = picture(ground, [(swept(view, way(middle, speed_mm_s, angle_deg)), colour),
                             (swept(view, np.array([RESTING])), colour)])  # fmt: skip
    field = np.ones((view.size[1] // 16 + 1, view.size[0] // 16 + 1, 3), np.float32)
    clean = Ground(np.asarray(np.clip(ground, 0, 255), dtype=np.uint8))
    sight = find_streaks(0, image, (0, 0), field, clean, view, {"red": [colour]})
    glimpses = find_glimpses(0, image, (0, 0), sight.lit, sight.busy, view, [("red", RESTING)], sight.looks,
                             sight.streaks)  # fmt: skip
    return parted(sight, glimpses, image, (0, 0), view), middle


@pytest.mark.parametrize("angle", [0.0, 70.0, 200.0])
@pytest.mark.parametrize(("speed", "apart"), [(600.0, 1.2), (1200.0, 1.35), (1800.0, 1.5)])
def test_a_puck_that_runs_into_one_at_rest_is_seen_at_its_own_place(
    view: TopView, speed: float, apart: float, angle: float  # noqa: F811
) -> None:  # fmt: skip
    found, middle = streaks_of(view, speed, angle, apart)
    assert len(found) == 2
    by_rest, by_run = (min(found, key=lambda s: math.dist(s.place, place)) for place in (RESTING, middle))
    assert math.dist(by_rest.place, RESTING) < PLACE_MM
    assert math.dist(by_run.place, middle) < TOO_MUCH_MM
