"""Views of a pattern taken live: only still, sharp, new ones, until every side has been shown."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.capture import ENOUGH_VIEWS, LensCapture, Look, tilt_of
from calibration.lens_fit import fit_lens
from calibration.lens_views import gather_views
from calibration.patterns import parse_pattern
from calibration.pictures import Picture
from tests.calibration import scene
from tests.calibration.test_lens import BOARD, SIZE, TRUE

AGAIN_S = 0.5
TILT = 0.45
POSES: dict[str, tuple[float, float, float, float, float]] = {  # turns about x and y, middle x, y, z in mm
    "nw": (0.0, 0.0, -95, -75, 420), "ne": (0.05, 0.0, 95, -75, 420), "sw": (0.0, 0.05, -95, 75, 420),
    "se": (0.0, 0.0, 95, 75, 420), "left": (0.0, -TILT, 0, 0, 380), "right": (0.0, TILT, 0, 0, 380),
    "up": (TILT, 0.0, 0, 0, 380), "down": (-TILT, 0.0, 0, 0, 380), "near": (0.25, 0.2, 10, 5, 300),
    "far": (-0.2, 0.3, -20, 10, 480), "one": (0.3, -0.3, 30, -20, 400), "two": (-0.35, -0.25, -40, 25, 360),
    "three": (0.2, 0.4, -50, -30, 410),
}  # fmt: skip


@cache
def shown(name: str) -> scene.Image:
    """A chessboard held before the camera."""
    x, y, *middle = POSES[name]
    rvec = np.array([x, y, 0.05])
    tvec = np.array(middle, dtype=np.float64) - cv2.Rodrigues(rvec)[0] @ np.array([100.0, 62.5, 0.0])
    return scene.chessboard(9, 6, TRUE, rvec, tvec, 25.0, fine=2)


def held(capture: LensCapture, name: str, at_s: float) -> Look:
    """Shows a view twice, as one that is held still."""
    capture.look(shown(name), at_s)
    return capture.look(shown(name), at_s + AGAIN_S)


def test_a_pattern_that_is_held_still_is_taken_and_the_rest_asked_for() -> None:
    capture = LensCapture(BOARD)
    first = capture.look(shown("nw"), 0.0)
    assert (first.word, first.taken, first.missing[0]) == ("moving", 0, "nw")
    assert len(first.outline) >= 4
    second = capture.look(shown("nw"), AGAIN_S)
    assert (second.word, second.taken) == ("taken", 1)
    assert second.missing[:3] == ("ne", "sw", "se")
    assert second.coverage[0] == 1
    assert second.coverage[-1] == 0


def test_what_moves_or_was_taken_already_is_refused_with_the_word() -> None:
    capture = LensCapture(BOARD)
    assert capture.look(shown("left"), 0.0).word == "moving"
    assert capture.look(shown("right"), AGAIN_S).word == "moving"
    assert capture.look(shown("right"), AGAIN_S + 0.01).word == "moving"
    assert capture.look(shown("right"), 2 * AGAIN_S).word == "taken"
    assert capture.look(shown("right"), 3 * AGAIN_S).word == "repeated"


def test_blurred_unseen_and_resized_pictures_are_refused_with_the_word() -> None:
    capture = LensCapture(BOARD)
    held(capture, "near", 0.0)
    soft = np.asarray(cv2.GaussianBlur(shown("far"), (0, 0), 2.8), dtype=np.uint8)
    assert capture.look(soft, 2.0).word == "blurred"
    assert capture.look(np.full(SIZE[::-1], 90, dtype=np.uint8), 3.0).word == "unseen"
    assert capture.look(np.ascontiguousarray(np.roll(shown("near"), 400, axis=1)), 4.0).word == "unseen"
    assert capture.look(cv2.resize(shown("far"), (800, 600)), 5.0).word == "resized"
    assert capture.look(np.full(SIZE[::-1], 90, dtype=np.uint8), 6.0).taken == 1


def test_a_charuco_sheet_of_which_little_is_seen_is_partial() -> None:
    pattern = parse_pattern("charuco:7x9:25:17.5:DICT_5X5_100")
    board = cv2.aruco.CharucoBoard((7, 9), 25, 17.5, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
    sheet = np.asarray(cv2.GaussianBlur(board.generateImage((560, 720), marginSize=20), (0, 0), 0.8), dtype=np.uint8)
    capture = LensCapture(pattern)
    assert capture.look(np.ascontiguousarray(sheet[:270]), 0.0).word == "partial"
    assert capture.look(sheet, 1.0).word == "moving"


@pytest.mark.parametrize("side", ["left", "right", "up", "down"])
def test_the_side_that_comes_nearer_is_told(side: str) -> None:
    view = gather_views([Picture(side, shown(side))], BOARD).kept[0]
    wide = {"left": view.pixels[:, 0].min(), "right": view.pixels[:, 0].max()}
    assert tilt_of(view) == side
    straight = gather_views([Picture("nw", shown("nw"))], BOARD).kept[0]
    assert tilt_of(straight) == ""
    assert wide["left"] < wide["right"]


def test_once_every_side_was_shown_it_is_enough_and_the_lens_comes_out_right() -> None:
    capture = LensCapture(BOARD)
    asked = []
    for number, name in enumerate(POSES):
        look = held(capture, name, 10.0 * number)
        assert look.word == "taken", name
        asked.append(look.missing[0] if look.missing else "")
    assert asked[:7] == ["ne", "sw", "se", "left", "right", "up", "down"]
    assert asked[7] == "more"
    assert look.enough
    assert look.taken >= ENOUGH_VIEWS
    assert fit_lens(capture.views).lens.focal_px == pytest.approx(TRUE.focal_px, rel=0.005)
