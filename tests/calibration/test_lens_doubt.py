"""Lens files that do not belong to the pictures, and pictures without one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.commands import find_pose_in
from calibration.lens import Lens
from calibration.lens_doubt import turned_lens
from calibration.marker_pose import find_pose
from calibration.pose import Pose
from calibration.pose_doubts import UNBENT, doubts_of
from calibration.pose_fit import surface_corners_mm
from tests.calibration import scene

BOARD = scene.paleo()


def off_centre() -> Lens:
    """A lens whose axis meets the picture 15 px beside its middle, as cheap cameras have it."""
    lens = scene.lens(focal=0.66, k1=-0.12)
    matrix = lens.camera_matrix.copy()
    matrix[:2, 2] += (12.0, 10.0)
    return replace(lens, camera_matrix=matrix)


def camera() -> Pose:
    return scene.pose(off_centre(), tilt=(0.12, -0.09, 0.03))


def error_mm(found: Pose, pixels: scene.FloatArray) -> float:
    """Rms of what a pose reads where the board's grid is seen."""
    read = found.board_from_image(pixels)
    return float(np.sqrt(((read - scene.grid_mm(BOARD)[:, :2]) ** 2).sum(1).mean()))


def seen() -> scene.FloatArray:
    return camera().image_from_board(scene.grid_mm(BOARD))


TILTS = [(0.07, -0.06, 0.03), (0.0, 0.01, 0.0), (-0.3, 0.1, 0.0)]


def off_mm(found: Pose, true: Pose, points: scene.FloatArray) -> scene.FloatArray:
    """By how much a pose misreads where board points (N, 3) are seen."""
    return np.asarray(np.hypot(*(found.board_from_image(true.image_from_board(points)) - points[:, :2]).T))


@pytest.mark.parametrize("k1", [0.0, -0.05, -0.12, -0.25, 0.05])
@pytest.mark.parametrize("tilt", TILTS)
def test_without_a_lens_file_it_is_reckoned_how_the_lens_bends_and_the_error_told_is_honest(
    k1: float, tilt: tuple[float, float, float]
) -> None:
    true = scene.pose(scene.lens(k1=k1), tilt=tilt)
    picture, grid = scene.picture(true), scene.grid_mm(BOARD)
    report = find_pose_in([picture], BOARD, None, None)
    assert report.pose.corner_error_mm is not None
    assert (off_mm(report.pose, true, surface_corners_mm(BOARD)) <= 2 * np.array(report.pose.corner_error_mm)).all()
    straight = find_pose(picture, BOARD, straight=True).pose
    if abs(k1) > 0.1:  # of less the markers do not always tell
        assert off_mm(report.pose, true, grid).max() < 0.25 * off_mm(straight, true, grid).max()
    assert off_mm(report.pose, true, grid).max() <= off_mm(straight, true, grid).max()
    assert report.pose.lens.bends or k1 > -0.1
    assert k1 or not report.pose.lens.bends
    words = "the lens bends (k1 " if report.pose.lens.bends else "distortion is not; measure the lens"
    assert words in " ".join(report.warnings)


@pytest.mark.parametrize("tilt", TILTS)
def test_where_a_lens_is_to_be_free_of_distortion_it_is_said_that_this_one_is_not(
    tilt: tuple[float, float, float],
) -> None:
    for k1 in (0.0, -0.12):
        found = find_pose(scene.picture(scene.pose(scene.lens(k1=k1), tilt=tilt)), BOARD, straight=True)
        assert not found.pose.lens.bends
        assert found.unbent == (k1 != 0.0)
        assert doubts_of(found, BOARD, lens_known=False) == ((UNBENT,) if k1 else ())


def test_two_markers_do_not_tell_how_a_lens_bends() -> None:
    true = scene.pose(scene.lens(k1=-0.12), tilt=TILTS[0])
    assert not find_pose(scene.picture(true, only=(0, 2)), BOARD).pose.lens.bends


@pytest.mark.parametrize("k1", [0.0, -0.12])
def test_a_crooked_marker_is_left_out_whatever_the_lens_that_nobody_measured(k1: float) -> None:
    true = scene.pose(scene.lens(k1=k1), tilt=TILTS[1])
    found = find_pose(scene.picture(true, crooked=2), BOARD)
    assert found.left_out == (2,)
    assert off_mm(found.pose, true, scene.grid_mm(BOARD)).max() < 2.0


def test_a_lens_that_belongs_to_the_picture_is_not_doubted() -> None:
    for true in (scene.pose(), camera(), scene.pose(tilt=(0.05, 0.02, 3.1))):
        assert find_pose_in([scene.picture(true)], BOARD, true.lens, None).warnings == ()


def test_a_picture_turned_after_the_lens_was_measured_is_handled() -> None:
    w, h = scene.SIZE
    report = find_pose_in([np.ascontiguousarray(scene.picture(camera())[::-1, ::-1])], BOARD, off_centre(), None)
    assert "upside-down" in " ".join(report.warnings)
    assert error_mm(report.pose, np.array([w - 1, h - 1]) - seen()) < 0.4


def test_a_turned_lens_sees_what_the_lens_saw() -> None:
    w, h = scene.SIZE
    true = camera()
    half = np.array([0.0, 0.0, np.pi])
    upside = cv2.Rodrigues(half)[0] @ cv2.Rodrigues(true.rvec)[0]
    turned = Pose(turned_lens(true.lens), cv2.Rodrigues(upside)[0].ravel(), cv2.Rodrigues(half)[0] @ true.tvec)
    np.testing.assert_allclose(
        turned.image_from_board(scene.grid_mm(BOARD)), np.array([w - 1, h - 1]) - seen(), atol=1e-6
    )


def test_a_zoomed_picture_is_told_and_the_lens_fitted_to_it() -> None:
    w, h = scene.SIZE
    picture = scene.picture(camera())
    cut = picture[17 : h - 17, 30 : w - 30]
    zoomed = np.asarray(cv2.resize(cut, (w, h), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    report = find_pose_in([zoomed], BOARD, off_centre(), None)
    scale = np.array([w / (w - 60), h / (h - 34)])
    assert "cropped or zoomed" in " ".join(report.warnings)
    assert error_mm(report.pose, (seen() - (30, 17) + 0.5) * scale - 0.5) < 0.8


def some_camera(seed: int, size: tuple[int, int] = (1280, 720)) -> Pose:
    """One of many cameras: lens, lean and distance by chance."""
    chance = np.random.default_rng(seed)
    lens = scene.lens(size, focal=chance.uniform(0.62, 0.9), k1=chance.uniform(-0.15, 0.0))
    tilt = (*chance.uniform(-0.3, 0.3, 2), chance.uniform(-0.2, 0.2))
    return scene.pose(lens, tilt=tilt, height_mm=chance.uniform(1350.0, 1700.0) * lens.focal_px / size[0])


def as_jpeg(picture: scene.Image, quality: int) -> scene.Image:
    packed = cv2.imencode(".jpg", scene.coloured(picture), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)


def test_a_picture_that_was_compressed_much_is_not_cropped() -> None:
    true = some_camera(20)
    picture = as_jpeg(scene.picture(true), 30)
    assert find_pose_in([picture], BOARD, true.lens, None).warnings == ()


@pytest.mark.parametrize("seed", [0, 17, 23])
def test_a_zoomed_picture_is_not_told_as_turned_where_a_turned_lens_explains_it_half(seed: int) -> None:
    true = some_camera(seed)
    w, h = true.lens.image_size
    cut = scene.picture(true)[11 : h - 11, 19 : w - 19]
    zoomed = np.asarray(cv2.resize(cut, (w, h), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    said = " ".join(find_pose_in([zoomed], BOARD, true.lens, None).warnings)
    assert "cropped or zoomed" in said
    assert "upside-down" not in said


def test_two_markers_alone_are_warned_of() -> None:
    report = find_pose_in([scene.picture(camera(), only=(0, 2))], BOARD, off_centre(), None)
    assert "only two markers" in " ".join(report.warnings)
