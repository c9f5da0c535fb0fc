"""The camera's pose from points: exact where the points are, honest about how far off it may be."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.board import Board
from calibration.lens import CalibrationError, guessed_lens
from calibration.outline import refine_pose_on_outline
from calibration.pose import Pose
from calibration.pose_fit import (
    CLICK_SIGMA_PX,
    fit_pose,
    fit_pose_and_focal,
    fit_pose_from_corners,
    surface_corners_mm,
    with_corner_errors,
)
from tests.calibration import scene

FloatArray = scene.FloatArray
CORNERS = surface_corners_mm(scene.paleo())
TURNS = st.floats(-0.35, 0.35)


def rim_points() -> scene.FloatArray:
    return np.concatenate([m.corners_mm() for m in scene.paleo().markers])


@given(TURNS, TURNS, st.floats(-3.1, 3.1), st.floats(500, 2000), st.floats(0, 30))
@settings(max_examples=40, deadline=None)
def test_millimetres_to_pixels_and_back_is_nothing_at_any_height(
    tilt_x: float, tilt_y: float, turn: float, up: float, height: float
) -> None:
    camera = scene.pose(scene.lens(focal=1.2), tilt=(tilt_x, tilt_y, turn), height_mm=up + 500)
    points = scene.grid_mm(scene.paleo(), height)
    pixels = camera.image_from_board(points)
    shown = ((pixels > 0) & (pixels < scene.SIZE)).all(1)
    np.testing.assert_allclose(camera.board_from_image(pixels[shown], height), points[shown, :2], atol=0.01)


@given(TURNS, TURNS, st.floats(-3.1, 3.1), st.lists(st.floats(-0.3, 0.3), min_size=5, max_size=5))
@settings(max_examples=40, deadline=None)
def test_points_are_projected_as_opencv_does_it(
    tilt_x: float, tilt_y: float, turn: float, distortion: list[float]
) -> None:
    lens = replace(scene.lens(), distortion=np.array(distortion) * (1, 1, 0.1, 0.1, 1))
    camera = scene.pose(lens, tilt=(tilt_x, tilt_y, turn), height_mm=1000)
    points = scene.grid_mm(scene.paleo(), 9.0)
    wanted = cv2.projectPoints(points * (1, 1, -1), camera.rvec, camera.tvec, lens.camera_matrix, lens.distortion)[0]
    np.testing.assert_allclose(camera.image_from_board(points), wanted.reshape(-1, 2), atol=1e-8)


def test_no_points_give_no_points() -> None:
    assert scene.pose().image_from_board(np.empty((0, 3))).shape == (0, 2)
    assert scene.pose().board_from_image(np.empty((0, 2))).shape == (0, 2)


def test_a_higher_point_is_seen_further_from_the_middle() -> None:
    camera = scene.pose(scene.lens(k1=0.0), tilt=(0.0, 0.0, 0.0))
    low, high = camera.image_from_board(np.array([[640.0, 325.0, 0.0], [640.0, 325.0, 9.0]]))
    assert high[0] > low[0] + 1


def test_the_camera_is_where_it_is() -> None:
    camera = scene.pose(tilt=(0.0, 0.0, 0.4), height_mm=900)
    np.testing.assert_allclose(camera.camera_mm(), [325, 325, 900], atol=1e-6)


@pytest.mark.parametrize("turn", [0.0, 1.57, 3.13, -2.0], ids=["upright", "portrait", "upside-down", "askew"])
def test_the_pose_is_found_whichever_way_the_camera_is_turned(turn: float) -> None:
    tilted, turned = (np.asarray(cv2.Rodrigues(np.array(v))[0]) for v in ([0.2, -0.1, 0.0], [0.0, 0.0, turn]))
    camera = scene.pose(tilt=tuple(np.ravel(cv2.Rodrigues(tilted @ turned)[0])))
    found = fit_pose(camera.image_from_board(rim_points()), rim_points(), camera.lens)
    assert scene.error_mm(found, camera, scene.paleo()) < 1e-3
    assert found.rms_px < 1e-3


def test_points_of_different_heights_are_respected() -> None:
    camera = scene.pose()
    points = np.concatenate([rim_points(), CORNERS])
    found = fit_pose(camera.image_from_board(points), points, camera.lens)
    np.testing.assert_allclose(found.tvec, camera.tvec, atol=1e-3)


def test_corners_in_the_wrong_order_are_refused() -> None:
    pixels = scene.pose().image_from_board(CORNERS)
    with pytest.raises(CalibrationError, match="order"):
        fit_pose(pixels[[0, 2, 1, 3]], CORNERS, scene.lens())
    with pytest.raises(CalibrationError, match="mirrored"):
        fit_pose(pixels[[1, 0, 3, 2]], CORNERS, scene.lens())


def test_points_on_one_line_are_refused() -> None:
    points = np.array([[0, 0, 0], [100, 0, 0], [200, 0, 0], [300, 0, 0]], dtype=float)
    with pytest.raises(CalibrationError, match="one line"):
        fit_pose(scene.pose().image_from_board(points), points, scene.lens())


def test_three_points_are_too_few() -> None:
    with pytest.raises(CalibrationError, match="4 or more"):
        fit_pose(np.zeros((3, 2)), np.zeros((3, 3)), scene.lens())


@pytest.mark.parametrize("focal", [0.55, 0.8, 1.3])
def test_the_focal_length_is_found_with_the_pose_of_a_tilted_camera(focal: float) -> None:
    lens = scene.lens(focal=focal, k1=0.0)
    lens.distortion[:] = 0
    lens.camera_matrix[:2, 2] = (np.array(scene.SIZE) - 1) / 2
    camera = scene.pose(lens, tilt=(0.35, 0.2, 0.0), height_mm=900 * focal / 0.6)
    found = fit_pose_and_focal(camera.image_from_board(rim_points()), rim_points(), scene.SIZE)
    assert found.lens.focal_px == pytest.approx(lens.focal_px, rel=0.01)
    assert scene.error_mm(found, camera, scene.paleo()) < 0.2


@pytest.mark.parametrize("order", [(0, 1, 3, 2), (0, 2, 1, 3), (1, 0, 2, 3)])
@pytest.mark.parametrize("known", [True, False], ids=["with a lens", "without"])
def test_clicked_corners_that_cross_over_are_refused_and_their_order_is_told(
    order: tuple[int, ...], known: bool
) -> None:
    lens = scene.lens((1280, 720))
    clicked = scene.pose(lens).image_from_board(CORNERS)[list(order)]
    with pytest.raises(CalibrationError, match="do not make a convex shape; expected them in turn: north-west"):
        fit_pose_from_corners(clicked, scene.paleo(), (1280, 720), lens if known else None)


def test_four_corners_without_a_lens_are_met_to_a_clicks_error_even_from_straight_above() -> None:
    clicked = np.array([[60.0, 79.6], [620.5, 82.7], [619.1, 633.5], [66.5, 646.9]])
    found = fit_pose_from_corners(clicked, scene.paleo(), (1280, 720))
    np.testing.assert_allclose(found.image_from_board(CORNERS), clicked, atol=CLICK_SIGMA_PX)
    np.testing.assert_allclose(found.board_from_image(clicked), CORNERS[:, :2], atol=2 * CLICK_SIGMA_PX)


def test_four_corners_that_a_usual_camera_sees_are_met_exactly_without_a_lens() -> None:
    """A real camera's, straight above a pool table."""
    board = replace(scene.paleo(), size=(1881.0, 943.0))
    clicked = np.array([[60.0, 79.6], [1180.5, 82.7], [1179.1, 633.5], [66.5, 646.9]])
    corners = surface_corners_mm(board)
    found = fit_pose_from_corners(clicked, board, (1280, 720))
    np.testing.assert_allclose(found.image_from_board(corners), clicked, atol=0.05)
    np.testing.assert_allclose(found.board_from_image(clicked), corners[:, :2], atol=0.05)


def seen_from(height_mm: float, tilt_deg: float, turn: int, board: Board) -> FloatArray:
    """(4, 2) where a webcam above the middle sees the surface's corners; turn: quarter turns of the picture's order."""
    lens = guessed_lens((1280, 720))
    turned = np.asarray(cv2.Rodrigues(np.radians([tilt_deg, 0.0, 0.0]))[0])
    middle = np.array([*board.size, 0.0]) / 2
    pose = Pose(lens, np.radians([tilt_deg, 0.0, 0.0]), np.array([0.0, 0.0, height_mm]) - turned @ middle)
    return np.roll(pose.image_from_board(surface_corners_mm(board)), turn, axis=0)


@pytest.mark.parametrize("known", [True, False], ids=["with a lens", "without"])
@pytest.mark.parametrize("tilt_deg", [0.0, 20.0])
@pytest.mark.parametrize("size", [(700.0, 700.0), (600.0, 700.0), (150.0, 2000.0)])
def test_corners_of_a_picture_that_stands_exactly_on_its_head_are_met(
    size: tuple[float, float], tilt_deg: float, known: bool
) -> None:
    board = replace(scene.paleo(), size=size)
    height = size[1] * 1.7
    clicked = seen_from(height, tilt_deg, 2, board)
    found = fit_pose_from_corners(clicked, board, (1280, 720), guessed_lens((1280, 720)) if known else None)
    np.testing.assert_allclose(found.image_from_board(surface_corners_mm(board)), clicked, atol=0.2)
    assert found.camera_mm()[2] == pytest.approx(height * np.cos(np.radians(tilt_deg)), rel=0.5)


@pytest.mark.parametrize("down_px", [0.0, 64.0, 100.0])
def test_corners_that_are_seen_exactly_from_straight_above_are_met_wherever_they_lie(down_px: float) -> None:
    board = replace(scene.paleo(), size=(700.0, 700.0))
    clicked = seen_from(1400.0, 0.0, 0, board) + (0.0, down_px)
    found = fit_pose_from_corners(clicked, board, (1280, 720))
    np.testing.assert_allclose(found.image_from_board(surface_corners_mm(board)), clicked, atol=0.2)


def test_a_pixel_or_two_in_clicks_from_straight_above_do_not_move_the_camera_away() -> None:
    """Where the clicks were met exactly the middle of the picture was taken to lie half its width aside."""
    board = replace(scene.paleo(), size=(650.0, 650.0))
    true, noise = seen_from(1200.0, 0.0, 0, board), np.random.default_rng(3)
    for _ in range(5):
        found = fit_pose_from_corners(true + noise.normal(0, CLICK_SIGMA_PX, (4, 2)), board, (1280, 720))
        assert float(np.abs(found.lens.camera_matrix[:2, 2] - (639.5, 359.5)).max()) < 0.1 * 1280


@pytest.mark.parametrize(("size", "tilt_deg"), [((600.0, 700.0), 0.0), ((500.0, 700.0), 0.0), ((500.0, 700.0), 20.0)])
def test_corners_clicked_from_another_corner_on_are_refused_where_the_board_is_longer_than_wide(
    size: tuple[float, float], tilt_deg: float
) -> None:
    board = replace(scene.paleo(), size=size)
    with pytest.raises(CalibrationError, match=r"sees a board of \d+ x 700 mm .* from the north-west one"):
        fit_pose_from_corners(seen_from(1200.0, tilt_deg, 1, board), board, (1280, 720))


def test_measures_that_are_a_fifth_too_long_are_refused_without_a_lens() -> None:
    clicked = seen_from(1200.0, 0.0, 0, replace(scene.paleo(), size=(700.0, 700.0)))
    with pytest.raises(CalibrationError, match=r"840 x 700 mm .* check the board's measures"):
        fit_pose_from_corners(clicked, replace(scene.paleo(), size=(840.0, 700.0)), (1280, 720))


def test_the_estimated_error_is_the_error_that_comes_out() -> None:
    """Many fits to points with known noise: their spread at the corners is what each of them claims."""
    camera, board, rng = scene.pose(), scene.paleo(), np.random.default_rng(4)
    squares, claimed = [], []
    true_px = camera.image_from_board(rim_points())
    for _ in range(60):
        found = fit_pose(true_px + rng.normal(0, 0.5, true_px.shape), rim_points(), camera.lens)
        found = with_corner_errors(found, board, rim_points(), 0.01)
        read = found.board_from_image(camera.image_from_board(CORNERS))
        squares.append(((read - CORNERS[:, :2]) ** 2).sum(1))
        claimed.append(found.corner_error_mm)
    ratio = np.sqrt(np.mean(squares, axis=0)) / np.sqrt(np.mean(np.square(claimed), axis=0))
    assert np.all((ratio > 0.6) & (ratio < 1.6)), ratio


def test_clicked_corners_are_refined_on_the_printed_lines() -> None:
    camera, board, rng = scene.pose(), scene.paleo(), np.random.default_rng(8)
    picture = scene.picture(camera, scene.without_markers())
    before, after = [], []
    for _ in range(4):
        clicked = camera.image_from_board(CORNERS) + rng.normal(0, 1.06, (4, 2))
        rough = fit_pose_from_corners(clicked, board, scene.SIZE, camera.lens)
        refined = refine_pose_on_outline(picture, board, rough)
        assert refined is not None
        before.append(scene.error_mm(rough, camera, board))
        after.append(scene.error_mm(refined, camera, board))
    assert np.sqrt(np.mean(np.square(before))) > 1.5
    assert np.sqrt(np.mean(np.square(after))) < 0.8


def test_a_picture_without_the_board_refines_nothing() -> None:
    rough = fit_pose_from_corners(scene.pose().image_from_board(CORNERS), scene.paleo(), scene.SIZE, scene.lens())
    flat = np.full(scene.SIZE[::-1], 100, dtype=np.uint8)
    assert refine_pose_on_outline(flat, scene.paleo(), rough) is None
