"""Shots in which all lay still before something ran on: two that were taken for one, and shots of known physics."""

from __future__ import annotations

import numpy as np

from tests.vision.seen_shots import FRAME_S
from tests.vision.test_run_through import motion, of_known_physics
from vision.lulls import LULL_FRAMES, LULL_S, lull
from vision.motion import Motion

RUNS = 120
FIRST, SECOND = (20.69, 20.93), (22.85, 23.18)  # s: two flicks in a film whose shadows kept the board from resting


def flicked_then_struck_puck_flicked(again_s: float, jitter_mm: float = 0.0) -> list[Motion]:
    """p13 strikes p6, which lies still until it is flicked itself, and strikes p8."""
    still = np.arange(FIRST[1], again_s, FRAME_S)
    places = [(float(t), 196.0 + jitter_mm * (-1) ** k, 266.0) for k, t in enumerate(still)]
    p13 = motion("p13", (FIRST[0], 232.0, 259.0), (20.76, 245.0, 259.0), (FIRST[1], 252.0, 258.0))
    p6 = motion("p6", (20.76, 230.0, 264.0), *places, (again_s + 0.1, 140.0, 318.0), (again_s + 0.33, 84.0, 374.0))
    p8 = motion("p8", (again_s + 0.02, 183.0, 305.0), (again_s + 0.3, 207.0, 367.0))
    return [p13, p6, p8]


def test_two_flicks_that_were_taken_for_one_shot_are_asked_about() -> None:
    (doubt,) = lull(flicked_then_struck_puck_flicked(SECOND[0]), FRAME_S)
    assert "1.9 s" in doubt


def test_noise_of_places_does_not_hide_that_all_lay_still() -> None:
    assert lull(flicked_then_struck_puck_flicked(SECOND[0], jitter_mm=0.7), FRAME_S)


def test_pucks_that_run_on_at_once_are_one_shot() -> None:
    assert lull(flicked_then_struck_puck_flicked(FIRST[1] + 0.1), FRAME_S) == []


def test_what_only_settles_after_all_lay_still_is_no_second_flick() -> None:
    settles = motion("p6", (20.76, 230.0, 264.0), (20.93, 196.0, 266.0), (22.85, 196.5, 266.0), (22.9, 204.0, 266.0))
    assert lull([settles], FRAME_S) == []


def test_where_pictures_are_few_it_takes_longer_to_tell() -> None:
    told = flicked_then_struck_puck_flicked(FIRST[1] + 0.5)
    assert LULL_S < 0.5 < LULL_FRAMES * 0.15
    assert lull(told, FRAME_S)
    assert lull(told, 0.15) == []


def test_no_shot_of_known_physics_lies_still_in_between() -> None:
    long = 0
    for seed in range(RUNS):
        _, moved = of_known_physics("lulls", seed)
        assert lull(list(moved.values()), FRAME_S) == [], seed
        long += max(m.rest_s for m in moved.values()) - min(m.onset_s for m in moved.values()) > LULL_S
    assert long > RUNS // 10  # else there was no time to lie still in
