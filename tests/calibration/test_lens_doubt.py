"""Lens files that do not belong to the pictures, and pictures without one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.commands import find_pose_in
from calibration.lens import Lens
from calibration.lens_doubt import turned_lens
from calibration.pose import Pose
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


@pytest.mark.parametrize("k1", [0.0, -0.05, -0.12, 0.05])
@pytest.mark.parametrize("tilt", [(0.07, -0.06, 0.03), (0.0, 0.01, 0.0), (-0.3, 0.1, 0.0)])
def test_without_a_lens_file_there_is_no_distortion_and_the_error_told_is_honest(
    k1: float, tilt: tuple[float, float, float]
) -> None:
    true = scene.pose(scene.lens(k1=k1), tilt=tilt)
    report = find_pose_in([scene.picture(true)], BOARD, None, None)
    corners = surface_corners_mm(BOARD)
    off_mm = np.hypot(*(report.pose.board_from_image(true.image_from_board(corners)) - corners[:, :2]).T)
    assert not report.pose.lens.distortion.any()
    assert report.pose.corner_error_mm is not None
    assert (off_mm <= 2 * np.array(report.pose.corner_error_mm)).all()
    assert "distortion is not; measure the lens" in " ".join(report.warnings)


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


def test_two_markers_alone_are_warned_of() -> None:
    report = find_pose_in([scene.picture(camera(), only=(0, 2))], BOARD, off_centre(), None)
    assert "only two markers" in " ".join(report.warnings)
