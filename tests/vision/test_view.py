"""The view from above, and back into the frame."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import Scene, camera_over
from vision.view import ENOUGH_RADIUS_PX, MIN_RADIUS_PX, make_view

BOARD = load_board(default_board_path())
PUCKS = [("red", 1, (200.0, 120.0, 80.0)), ("green", 4, (480.0, 220.0, 15.0))]


def test_a_part_of_the_board_is_painted_over_by_how_it_looked_from_elsewhere() -> None:
    """What a hand hides now is shown as another camera saw it; the rest of the frame stays as it is."""
    pose, other = camera_over(BOARD, tilt_deg=6.0), camera_over(BOARD, tilt_deg=9.0)
    view = make_view(BOARD, pose, pose.lens.image_size)
    truth = Scene(BOARD, pose, pucks=PUCKS, noise=0.0).picture()
    seen = make_view(BOARD, other, other.lens.image_size).rectify(Scene(BOARD, other, pucks=PUCKS, noise=0.0).picture())
    top = np.asarray(cv2.resize(seen, view.size), dtype=np.uint8)
    mask = np.zeros(view.size[::-1], np.uint8)
    x, y = view.px_from_mm(np.array([(200.0, 120.0)]))[0].astype(int)
    cv2.circle(mask, (int(x), int(y)), round(2 * view.radius_px), (1,), -1)
    hidden = truth.copy()
    there = pose.image_from_board(np.array([[200.0, 120.0, BOARD.puck.height_mm]]))[0].round().astype(int)
    cv2.circle(hidden, (int(there[0]), int(there[1])), 20, (110, 140, 190), -1)
    mended = view.overlay(hidden, top, mask).astype(int)
    around = (slice(there[1] - 18, there[1] + 19), slice(there[0] - 18, there[0] + 19))
    assert np.abs(hidden[around].astype(int) - truth[around]).mean() > 40
    assert np.abs(mended[around] - truth[around]).mean() < 8
    assert (mended[:, 700:] == truth[:, 700:]).all()


def test_nothing_is_painted_over_where_nothing_is_hidden() -> None:
    pose = camera_over(BOARD)
    view = make_view(BOARD, pose, pose.lens.image_size)
    image = Scene(BOARD, pose, pucks=PUCKS).picture()
    out = view.overlay(image, view.rectify(image), np.zeros(view.size[::-1], np.uint8))
    assert out is not image
    assert (out == image).all()


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (1920, 1080), (3840, 2160)])
def test_pucks_are_of_a_size_to_be_told_apart_whatever_the_camera(size: tuple[int, int]) -> None:
    view = make_view(BOARD, camera_over(BOARD, size), size)
    assert MIN_RADIUS_PX <= view.radius_px < ENOUGH_RADIUS_PX * math.sqrt(2)


@pytest.mark.parametrize(("lines", "pixels"), [(720, 1.0), (1080, 2.0), (2160, 8.0)])
def test_a_finer_picture_is_thinned_as_often_as_leaves_enough(lines: int, pixels: float) -> None:
    size = (lines * 16 // 9, lines)
    pose = camera_over(BOARD, size)
    near = pose.image_from_board(np.array([[320.0, 325.0, 0.0], [330.0, 325.0, 0.0]]))
    of_the_frame = math.dist(*near) / 10
    assert (of_the_frame / make_view(BOARD, pose, size).scale) ** 2 == pytest.approx(pixels, rel=0.02)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_a_part_is_cut_from_the_whole_view_and_lies_where_the_pose_says(size: tuple[int, int]) -> None:
    scene = Scene(BOARD, camera_over(BOARD, size), pucks=PUCKS, noise=0.0)
    view, image = make_view(BOARD, scene.pose, size), scene.picture()
    whole = view.rectify(image)
    np.testing.assert_array_equal(view.rectify_part(image, 40, 90, 300, 310), whole[90:310, 40:300])
    exact = cv2.remap(image, view.map_x, view.map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    assert np.abs(whole.astype(int) - exact).mean() < 0.1
