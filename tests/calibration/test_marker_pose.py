"""The pose from the markers of a picture, also where one is hidden, crooked, or the picture is turned."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.lens import CalibrationError
from calibration.marker_pose import find_pose, fit_pose_from_markers
from tests.calibration import scene

BOARD = scene.paleo()


@pytest.mark.parametrize("height_mm", [0.0, 9.0])
def test_millimetres_are_right_to_four_tenths_over_the_board(height_mm: float) -> None:
    camera = scene.pose()
    found = fit_pose_from_markers(scene.picture(camera), BOARD, camera.lens)
    assert scene.error_mm(found, camera, BOARD, height_mm) < 0.4
    assert scene.error_px(found, camera, BOARD, height_mm) < 0.35
    assert found.corner_error_mm is not None
    assert max(found.corner_error_mm) < 0.5


def test_several_frames_are_averaged() -> None:
    camera = scene.pose()
    frames = [scene.picture(camera, noise=12.0, seed=seed) for seed in range(4)]
    found = fit_pose_from_markers(frames, BOARD, camera.lens)
    assert scene.error_mm(found, camera, BOARD) < 0.2


def test_three_of_four_markers_are_enough() -> None:
    camera = scene.pose()
    found = find_pose(scene.picture(camera, only=(0, 1, 3)), BOARD, camera.lens)
    assert sorted(found.markers) == [0, 1, 3]
    assert scene.error_mm(found.pose, camera, BOARD) < 0.4


@pytest.mark.parametrize("crooked", [0, 2])
def test_a_marker_stuck_on_crooked_is_left_out(crooked: int) -> None:
    camera = scene.pose()
    found = find_pose(scene.picture(camera, crooked=crooked), BOARD, camera.lens)
    assert found.left_out == (crooked,)
    assert scene.error_mm(found.pose, camera, BOARD) < 0.4


def with_copy(image: scene.Image, camera: scene.Pose, numbers: tuple[int, ...], to_px: tuple[int, int]) -> scene.Image:
    """The picture with some of its markers once more, side by side: a spare sheet that lies on the table."""
    out = image.copy()
    for place, number in enumerate(numbers):
        x, y = camera.image_from_board(BOARD.markers[number].corners_mm()).mean(0).round().astype(int)
        left, top = to_px[0] + 36 * (place % 2), to_px[1] + 36 * (place // 2)
        out[top : top + 32, left : left + 32] = image[y - 16 : y + 16, x - 16 : x + 16]
    return out


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("numbers", [(0,), (2,), (0, 1, 2, 3)])
@pytest.mark.parametrize("to_px", [(60, 30), (100, 400), (860, 100)])
def test_a_spare_sheet_of_markers_beside_the_board_is_no_part_of_it(
    known: bool, numbers: tuple[int, ...], to_px: tuple[int, int]
) -> None:
    camera = scene.pose()
    shown = with_copy(scene.picture(camera), camera, numbers, to_px)
    found = find_pose(shown, BOARD, camera.lens if known else None)
    assert (sorted(found.markers), found.left_out) == ([0, 1, 2, 3], ())
    assert scene.error_mm(found.pose, camera, BOARD) < (0.4 if known else 3.0)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("shift", [-1, 1])
def test_of_two_boards_alike_the_one_in_the_middle_is_found(known: bool, shift: int) -> None:
    lens = scene.lens((1280, 480), 0.5)
    left, right = (scene.pose(lens, height_mm=1250, aside_mm=(x + 50 * shift, 0)) for x in (470, -470))
    shown = np.hstack([scene.picture(left)[:, :640], scene.picture(right)[:, 640:]])
    found = find_pose(shown, BOARD, lens if known else None)
    nearer = right if shift > 0 else left
    assert sorted(found.markers) == [0, 1, 2, 3]
    assert scene.error_mm(found.pose, nearer, BOARD) < (0.4 if known else 6.0)


def test_an_upside_down_camera_reads_the_same_millimetres() -> None:
    camera = scene.pose(tilt=(0.05, 0.02, 3.1))
    found = fit_pose_from_markers(scene.picture(camera), BOARD, camera.lens)
    assert scene.error_mm(found, camera, BOARD) < 0.4


def test_a_portrait_film_is_handled_without_a_lens_and_with_its_own() -> None:
    upright = scene.lens((540, 960), 0.9)
    camera = scene.pose(upright, height_mm=1050)
    found = fit_pose_from_markers(scene.picture(camera), BOARD, upright)
    assert scene.error_mm(found, camera, BOARD) < 0.4
    assert fit_pose_from_markers(scene.picture(camera), BOARD).rms_px < 2


def test_a_lens_for_pictures_of_another_shape_is_refused() -> None:
    camera = scene.pose()
    letter_boxed = np.pad(scene.picture(camera), ((90, 90), (0, 0)))
    with pytest.raises(CalibrationError, match=r"960x540.*960x720"):
        fit_pose_from_markers(letter_boxed, BOARD, camera.lens)
    turned = np.ascontiguousarray(np.rot90(scene.picture(camera)))
    with pytest.raises(CalibrationError, match="turned"):
        fit_pose_from_markers(turned, BOARD, camera.lens)


def test_a_letter_boxed_picture_without_a_lens_is_handled() -> None:
    """Bars above and below keep the middle where it is."""
    camera = scene.pose(scene.lens(k1=0.0), tilt=(0.3, 0.1, 0.0))
    boxed = np.pad(scene.picture(camera), ((90, 90), (0, 0)))
    found = fit_pose_from_markers(boxed, BOARD)
    read = found.board_from_image(camera.image_from_board(scene.grid_mm(BOARD)) + (0, 90))
    assert np.linalg.norm(read - scene.grid_mm(BOARD)[:, :2], axis=1).max() < 4


def test_a_lens_measured_at_another_size_of_the_same_shape_is_scaled() -> None:
    camera = scene.pose()
    measured = camera.lens.for_size((1920, 1080))
    assert measured.focal_px == pytest.approx(2 * camera.lens.focal_px)
    found = fit_pose_from_markers(scene.picture(camera), BOARD, measured)
    assert scene.error_mm(found, camera, BOARD) < 0.4


@pytest.mark.parametrize(
    ("picture", "word"),
    [(lambda p: p[:, ::-1], "mirrored"), (lambda p: p[200:300, 200:400], "no markers")],
    ids=["mirrored", "cropped"],
)
def test_what_cannot_be_used_is_refused_with_the_word(picture: object, word: str) -> None:
    spoilt = np.ascontiguousarray(picture(scene.picture(scene.pose())))  # type: ignore[operator]
    with pytest.raises(CalibrationError, match=word):
        fit_pose_from_markers(spoilt, BOARD)


def test_no_picture_is_refused() -> None:
    with pytest.raises(CalibrationError, match="no picture"):
        fit_pose_from_markers([], BOARD)
