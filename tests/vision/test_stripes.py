"""Stripes of lamps that flicker are no motion; what moves under them is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.grain import noisy
from vision.differencing import CHANGE_MIN, changed
from vision.frames import Image
from vision.room_light import NONE_TOO_STILL
from vision.stripes import EVERY, SEEN, USUAL, Stripes

ROWS, COLUMNS = 360, 500
ALL = ROWS * COLUMNS
WARM_UP = 9  # frames, in which stripes are found out
PUCK = 9  # radius in pixels


def board(seed: int = 3) -> NDArray[np.float64]:
    """(ROWS, COLUMNS) something with edges and soft parts."""
    rng = np.random.default_rng(seed)
    coarse = cv2.resize(rng.uniform(60, 200, (18, 25)), (COLUMNS, ROWS), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.GaussianBlur(coarse, (0, 0), 1.5), dtype=np.float64)


def striped(picture: NDArray[np.float64], number: int, depth: float, period: float = 150.0) -> Image:
    """A frame under lamps of which each sees a third of a period further than the one before."""
    rows = np.arange(ROWS)[:, None] / period + number / 3
    return noisy(picture * (1 + depth * np.sin(2 * np.pi * rows)), 1.2, np.random.default_rng(number))


def warmed_up(depth: float, picture: NDArray[np.float64]) -> Stripes:
    lamps = Stripes()
    for number in range(WARM_UP):
        lamps.evened(striped(picture, number, depth), striped(picture, number + 1, depth))
    return lamps


@pytest.mark.parametrize("depth", [0.04, 0.06, 0.1])
@pytest.mark.parametrize("period", [75.0, 150.0, 300.0])
def test_stripes_are_taken_out_of_the_frame_before(depth: float, period: float) -> None:
    lamps, picture = Stripes(), board()
    for number in range(WARM_UP):
        before, now = (striped(picture, n, depth, period) for n in (number, number + 1))
        evened = lamps.evened(before, now)
    assert lamps.seen
    assert cv2.countNonZero(changed(now, before, CHANGE_MIN)) > 0.1 * ALL
    assert cv2.countNonZero(changed(now, evened, NONE_TOO_STILL * CHANGE_MIN)) < 1e-4 * ALL


def test_they_are_found_out_within_a_third_of_a_second_and_forgotten_when_they_are_gone() -> None:
    assert 1 - (1 - USUAL) ** (WARM_UP // EVERY) > SEEN
    picture = board()
    lamps = warmed_up(0.05, picture)
    for number in range(3 * WARM_UP):
        before, now = (striped(picture, n, 0.0) for n in (number, number + 1))
        evened = lamps.evened(before, now)
    assert not lamps.seen
    assert evened is before


@pytest.mark.parametrize("first", range(3))
def test_stripes_that_come_back_every_three_frames_and_stay_for_two_of_them_are_found_out(first: int) -> None:
    """As under mains of 50 Hz at 30 frames a second, where a camera or its coder leaves one of three changes out."""
    lamps, picture, phases = Stripes(), board(), (0, 0, 1)
    for number in range(first, first + 2 * WARM_UP):
        before, now = (noisy(striped(picture, phases[n % 3], 0.05).astype(np.float64), 0.5, np.random.default_rng(n))
                       for n in (number, number + 1))  # fmt: skip
        lamps.evened(before, now)
    assert lamps.seen


def test_stripes_of_less_than_a_grey_level_in_a_dim_picture_are_found_out() -> None:
    assert warmed_up(0.012, board() / 4).seen


@pytest.mark.parametrize("light", [0.7, 0.97, 1.2])
def test_light_that_changes_as_a_whole_makes_no_stripes(light: float) -> None:
    lamps, picture = Stripes(), board()
    for number in range(2 * WARM_UP):
        before, now = striped(picture, number, 0.0), striped(picture * light ** (number % 2), number + 1, 0.0)
        assert lamps.evened(before, now) is before


def test_a_puck_that_moves_under_stripes_is_still_seen_to_move() -> None:
    picture = board()
    lamps = warmed_up(0.06, picture)
    runs = [picture.copy(), picture.copy()]
    for run, x in zip(runs, (100, 160), strict=True):
        cv2.circle(run, (x, 200), PUCK, 20.0, -1)
    before, now = (striped(run, WARM_UP + n, 0.06) for n, run in enumerate(runs))
    motion = changed(now, lamps.evened(before, now), CHANGE_MIN)
    for x in (100, 160):
        assert cv2.countNonZero(motion[200 - PUCK : 200 + PUCK, x - PUCK : x + PUCK]) > 0.6 * np.pi * PUCK**2
    motion[200 - 2 * PUCK : 200 + 2 * PUCK, 100 - 2 * PUCK : 160 + 2 * PUCK] = 0
    assert cv2.countNonZero(motion) < 20


def test_stripes_are_evened_beside_a_hand_that_moves_over_a_third_of_the_board() -> None:
    picture = board()
    lamps = warmed_up(0.06, picture)
    arms = [picture.copy(), picture.copy()]
    for arm, x in zip(arms, (150, 170), strict=True):
        arm[120:, :x] = cv2.resize(board(8), (x, ROWS - 120))
    before, now = (striped(arm, WARM_UP + n, 0.06) for n, arm in enumerate(arms))
    motion = changed(now, lamps.evened(before, now), CHANGE_MIN)
    assert cv2.countNonZero(motion[:, 175:]) < 20
    assert cv2.countNonZero(motion[120:, :175]) > 1000


@pytest.mark.parametrize("share", [0.5, 0.64, 0.8])
def test_an_arm_that_moves_down_over_most_of_the_width_makes_no_stripes(share: float) -> None:
    lamps, picture = Stripes(), board()
    arm = cv2.resize(board(8), (round(share * COLUMNS), 90)) * 0.6
    for number in range(30):
        arms = [picture.copy(), picture.copy()]
        for seen, y in zip(arms, (8 * number, 8 * number + 8), strict=True):
            seen[y : y + 90, : arm.shape[1]] = arm
        before, now = (striped(seen, number + n, 0.0) for n, seen in enumerate(arms))
        lamps.evened(before, now)
        assert not lamps.seen


def test_a_hand_alone_makes_no_stripes() -> None:
    lamps, picture = Stripes(), board()
    for number in range(2 * WARM_UP):
        arms = [picture.copy(), picture.copy()]
        for arm, x in zip(arms, (20 * number, 20 * number + 20), strict=True):
            arm[100:220, :x] = 90.0
        before, now = (striped(arm, number + n, 0.0) for n, arm in enumerate(arms))
        lamps.evened(before, now)
        assert not lamps.seen
