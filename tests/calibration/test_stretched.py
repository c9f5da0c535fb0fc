"""Cameras whose mode squeezes what they see into another shape, where nobody measured the lens."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration import check_words
from calibration.check import Grade, check_set_up
from calibration.commands import find_pose_in
from calibration.marker_pose import find_pose
from calibration.pose import Pose
from calibration.pose_doubts import SQUEEZED, UNBENT, doubts_of
from tests.calibration import scene

BOARD = scene.paleo()
CAMERA = scene.pose(scene.lens((1280, 720), k1=-0.08), tilt=(0.2, -0.15, 0.1), height_mm=1250.0)
MODES = pytest.mark.parametrize(("size", "percent"), [((960, 720), 133), ((1280, 540), 75), ((1200, 720), 107)])
MOST_OFF_MM = 1.5  # over the board: no lens was measured
MOST_OFF_BESIDE_MM = 0.4  # as with a lens that was measured
MOST_OFF_STRAIGHT_MM = 5.0  # the same where it is taken to be free of distortion


@cache
def squeezed(size: tuple[int, int]) -> scene.Image:
    return np.asarray(cv2.resize(scene.picture(CAMERA), size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def off_mm(found: Pose, size: tuple[int, int]) -> float:
    """By how much a pose misreads where the board's grid is seen, at worst."""
    scale = np.array(size) / CAMERA.lens.image_size
    pixels = (CAMERA.image_from_board(scene.grid_mm(BOARD)) + 0.5) * scale - 0.5
    return float(np.linalg.norm(found.board_from_image(pixels) - scene.grid_mm(BOARD)[:, :2], axis=1).max())


def told(percent: int) -> list[str]:
    """What is said of a picture that is stretched so, to a hundredth."""
    return [SQUEEZED.format(percent=about) for about in (percent - 1, percent, percent + 1)]


@MODES
def test_a_stretched_picture_is_told_and_the_lens_fitted_to_it_and_no_marker_is_crooked(
    size: tuple[int, int], percent: int
) -> None:
    report = find_pose_in([squeezed(size)], BOARD, None, None)
    assert len(set(told(percent)) & set(report.warnings)) == 1
    assert "crooked" not in " ".join(report.warnings)
    assert off_mm(report.pose, size) < MOST_OFF_MM


@MODES
def test_the_same_where_the_lens_is_to_be_free_of_distortion(size: tuple[int, int], percent: int) -> None:
    found = find_pose(squeezed(size), BOARD, straight=True)
    assert not found.pose.lens.bends
    said, unbent = doubts_of(found, BOARD, lens_known=False)
    assert said in told(percent)
    assert unbent == UNBENT
    assert off_mm(found.pose, size) < MOST_OFF_STRAIGHT_MM


@MODES
@pytest.mark.parametrize(("language", "words"), [("en", "stretched"), ("fr", "étirée")])
def test_the_check_of_a_set_up_tells_it_and_what_to_do(
    size: tuple[int, int], percent: int, language: str, words: str
) -> None:
    check = check_set_up([squeezed(size)], [squeezed(size)] * 3, BOARD, None, fps=30.0)
    finding = next(f for f in check.findings if f.key.startswith("lens"))
    assert finding.grade is Grade.AMBER
    said = check_words.told(finding.key, finding.figures, language)
    assert words in said
    assert any(str(about) in said for about in (percent - 1, percent, percent + 1))
    assert "1280x720" in check_words.advised(finding.advice, finding.figures, language)


@pytest.mark.parametrize(("beside", "tilt"), [
    ((0.011, -0.006), (0.38, -0.1, 0.1)), ((0.013, -0.007), (0.3, -0.2, 0.1)), ((-0.01, 0.013), (0.36, -0.2, 0.1)),
])  # fmt: skip
def test_a_lens_that_sits_beside_the_pictures_middle_makes_no_marker_crooked_and_no_picture_stretched(
    beside: tuple[float, float], tilt: tuple[float, float, float]
) -> None:
    """By a hundredth of the width, as lenses do. beside: parts of the width"""
    lens = scene.lens((1280, 720), focal=0.72, k1=-0.05)
    lens.camera_matrix[:2, 2] = (639.5 + 1280 * beside[0], 359.5 + 1280 * beside[1])
    camera = scene.pose(lens, tilt=tilt, height_mm=1350.0)
    found = find_pose(scene.picture(camera), BOARD)
    assert (found.left_out, found.stretch) == ((), 1.0)
    assert scene.error_mm(found.pose, camera, BOARD) < MOST_OFF_BESIDE_MM


@pytest.mark.parametrize("crooked", [0, 1, 2, 3])
def test_a_crooked_marker_does_not_make_a_picture_stretched(crooked: int) -> None:
    found = find_pose(scene.picture(CAMERA, crooked=crooked), BOARD)
    assert (found.left_out, found.stretch) == ((crooked,), 1.0)
