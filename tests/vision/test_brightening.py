"""Pictures of a dark room are taken brighter than they come, and as they come when there is light again."""

from __future__ import annotations

import numpy as np
import pytest

from vision.brightening import DARK, FAIR, GROWN, GROWN_FRAMES, MOST, TOO_DARK, WHITEST, Brightening
from vision.frames import Image

ROI = (40, 20, 360, 260)


def board(level: float, white: float = 0.0, share: float = 0.01) -> Image:
    """A board of such levels, a part of it white; it fills its part of a picture that is bright around it."""
    image = np.full((300, 400, 3), 255, np.uint8)
    x0, y0, x1, y1 = ROI
    image[y0:y1, x0:x1] = round(level)
    image[y0 : y0 + round(share * (y1 - y0)), x0:x1] = round(max(level, white))
    return image


def fit(taken: Brightening, image: Image, roi: tuple[int, int, int, int], noise: float = 0.0) -> None:
    """As two frames of a board that lies still."""
    rng = np.random.default_rng(1)
    for _ in range(2):
        seen = np.clip(image + rng.normal(0.0, noise, image.shape), 0, 255) if noise else image
        taken.fit(np.asarray(seen, dtype=np.uint8), roi)


def level_of(image: Image) -> int:
    return int(image[ROI[3] - 1, ROI[2] - 1, 0])


def test_a_board_that_is_not_dark_is_taken_as_it_comes() -> None:
    taken, image = Brightening(), board(DARK + 1)
    fit(taken, image, ROI)
    assert taken.bright(image, ROI) is image


def test_a_dark_board_is_made_as_bright_as_a_dim_one() -> None:
    taken = Brightening()
    fit(taken, board(12), ROI)
    assert level_of(taken.bright(board(12), ROI)) == pytest.approx(FAIR, abs=1)
    assert level_of(taken.bright(board(6), ROI)) == pytest.approx(FAIR / 2, abs=1), "light stays a factor"


@pytest.mark.parametrize(("white", "brighter"), [(100.0, True), (220.0, False)])
def test_what_is_white_on_a_dark_board_is_not_cut_off(white: float, brighter: bool) -> None:
    """A board that is painted dark, in a bright room, is taken as it comes."""
    taken = Brightening()
    fit(taken, board(15, white), ROI)
    assert (taken.gain > 1.0) is brighter
    assert int(taken.bright(board(15, white), ROI)[ROI[1], ROI[0], 0]) <= WHITEST + 1


def test_as_the_light_grows_pictures_are_made_less_bright_and_in_full_light_not_at_all() -> None:
    taken = Brightening()
    fit(taken, board(14), ROI)
    assert taken.gain == pytest.approx(3.0)
    for _ in range(GROWN_FRAMES):
        shown = taken.bright(board(28), ROI)
    assert taken.gain == pytest.approx(1.5)
    assert level_of(shown) == pytest.approx(FAIR, abs=1)
    for _ in range(GROWN_FRAMES):
        taken.bright(board(140), ROI)
    assert taken.gain == 1.0


@pytest.mark.parametrize(("noise", "most"), [(1.0, 3.2), (2.6, 2.4), (7.0, 1.0)])
def test_pictures_of_which_too_much_is_noise_are_made_less_bright_or_taken_as_they_come(
    noise: float, most: float
) -> None:
    taken = Brightening()
    fit(taken, board(14), ROI, noise)
    assert taken.gain <= most
    assert (taken.gain > 1.0) is (most > 1.0)


def test_until_the_board_was_looked_at_the_gain_follows_a_camera_that_warms_up() -> None:
    taken = Brightening()
    for level, gain in ((7, 6.0), (8, 5.25), (14, 3.0), (37, 42 / 37), (41, 1.0), (90, 1.0), (20, 2.1)):
        fit(taken, board(level), ROI)
        assert taken.gain == pytest.approx(gain), level


@pytest.mark.parametrize("passes", ["a flash", "a pale sleeve over a third of the board", "a shadow", "a flicker"])
def test_what_passes_changes_nothing(passes: str) -> None:
    taken = Brightening()
    fit(taken, board(14), ROI)
    seen = {"a flash": [board(80)] * (GROWN_FRAMES - 1), "a shadow": [board(5)] * 50,
            "a pale sleeve over a third of the board": [board(14, 120, 1 / 3)] * 50,
            "a flicker": [board(14 * (0.9 * GROWN))] * 50}  # fmt: skip
    for image in seen[passes]:
        taken.bright(image, ROI)
    assert taken.gain == pytest.approx(3.0)


def test_a_board_of_which_a_camera_tells_next_to_no_levels_is_taken_as_it_comes() -> None:
    taken = Brightening()
    fit(taken, board(int(FAIR / MOST) - 1), ROI)
    assert taken.gain == 1.0


@pytest.mark.parametrize(
    ("level", "white", "told"),
    [(TOO_DARK - 2, 0.0, True), (TOO_DARK + 2, 0.0, False), (TOO_DARK - 2, 220.0, False)],
)
def test_of_a_board_that_is_hardly_lit_it_is_told_but_not_of_one_that_is_painted_dark(
    level: float, white: float, told: bool
) -> None:
    taken = Brightening()
    fit(taken, board(level, white), ROI)
    assert bool(taken.doubts(0.0)) is told
    assert all(f"{level:.0f} grey levels" in doubt for doubt in taken.doubts(level * taken.gain))
    assert not taken.doubts(2 * TOO_DARK * taken.gain), "there is light now"


def test_what_is_found_of_levels_is_never_told_as_what_is_expected() -> None:
    taken, image = Brightening(), board(TOO_DARK)
    image[ROI[1] : ROI[1] + 40] -= 1
    fit(taken, image, ROI)
    (told,) = taken.doubts(0.0)
    assert f"{TOO_DARK - 1:.0f} grey levels of 255 in the mean, expected {TOO_DARK:.0f} or more" in told
