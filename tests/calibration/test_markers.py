"""Markers in a picture: corners to a tenth of a pixel, and the right word where they are not seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.lens import CalibrationError
from calibration.marker_fit import fit_marker
from calibration.markers import find_markers, find_markers_near, marker_bits, marker_of, why_not_found
from tests.calibration import scene

CORNER_PX = 0.1


def worst_corner_px(found: dict[int, scene.FloatArray], camera: scene.Pose) -> float:
    board = scene.paleo()
    apart = [c - camera.image_from_board(marker_of(board, n).corners_mm()) for n, c in found.items()]
    return float(np.linalg.norm(np.concatenate(apart), axis=1).max())


@pytest.mark.parametrize(
    ("look", "limit_px"),
    [({}, CORNER_PX), ({"light": 0.2, "noise": 4.0}, 0.4), ({"blur_px": 1.3}, 0.25), ({"noise": 8.0}, 0.25)],
    ids=["a fair picture", "a dim one", "a blurred one", "a noisy one"],
)
def test_all_four_markers_are_found_to_a_fraction_of_a_pixel(look: dict[str, float], limit_px: float) -> None:
    camera = scene.pose()
    found = find_markers(scene.picture(camera, **look), scene.paleo())  # type: ignore[arg-type]
    assert sorted(found) == [0, 1, 2, 3]
    assert worst_corner_px(found, camera) < limit_px


def test_small_markers_in_a_vga_picture_are_found() -> None:
    camera = scene.pose(scene.lens((640, 480), 0.8))
    found = find_markers(scene.picture(camera), scene.paleo())
    assert sorted(found) == [0, 1, 2, 3]
    assert worst_corner_px(found, camera) < 0.2


def test_colour_and_grey_pictures_give_the_same_corners() -> None:
    grey = scene.picture(scene.pose())
    coloured = find_markers(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), scene.paleo())
    for number, corners in find_markers(grey, scene.paleo()).items():
        np.testing.assert_allclose(coloured[number], corners, atol=0.02)


def test_markers_are_found_again_near_their_places_after_a_knock() -> None:
    camera, knocked = scene.pose(), scene.pose(tilt=(0.078, -0.066, 0.031))
    board = scene.paleo()
    expected = {m.id: camera.image_from_board(m.corners_mm()) for m in board.markers}
    found = find_markers_near(scene.picture(knocked), board, expected)
    assert sorted(found) == [0, 1, 2, 3]
    assert worst_corner_px(found, knocked) < CORNER_PX


def test_a_marker_that_fills_the_picture_is_fitted_too() -> None:
    bits = marker_bits("DICT_4X4_50", 3)
    page = np.pad(np.kron(bits, np.full((60, 60), 220, dtype=np.uint8)), 60, constant_values=220)
    corners = np.array([[60, 60], [420, 60], [420, 420], [60, 420]]) - 0.5
    fit = fit_marker(cv2.GaussianBlur(page, (0, 0), 1.0), corners + (1.5, -1.0), bits)
    assert fit is not None
    np.testing.assert_allclose(fit.corners_px, corners, atol=0.5)


def test_a_covered_marker_is_not_seen_near_its_place() -> None:
    camera, board = scene.pose(), scene.paleo()
    picture = scene.picture(camera)
    expected = {m.id: camera.image_from_board(m.corners_mm()) for m in board.markers}
    x, y = expected[2].mean(0).astype(int)
    cv2.circle(picture, (int(x), int(y)), 22, (140,), -1)
    assert sorted(find_markers_near(picture, board, expected)) == [0, 1, 3]


def test_a_marker_half_outside_the_picture_is_not_fitted() -> None:
    picture = scene.picture(scene.pose())
    corners = np.array([[-8.0, 5.0], [15.0, 5.0], [15.0, 28.0], [-8.0, 28.0]])
    assert fit_marker(picture, corners, marker_bits("DICT_4X4_50", 0)) is None


def test_a_flat_picture_is_no_marker() -> None:
    corners = np.array([[20.0, 20.0], [50.0, 20.0], [50.0, 50.0], [20.0, 50.0]])
    assert fit_marker(np.full((100, 100), 90, dtype=np.uint8), corners, marker_bits("DICT_4X4_50", 0)) is None


def test_a_mirrored_picture_is_called_mirrored() -> None:
    mirrored = np.ascontiguousarray(scene.picture(scene.pose())[:, ::-1])
    said = why_not_found(mirrored, scene.paleo())
    assert "mirrored" in said
    assert "switch mirroring off" in said


def test_markers_of_another_dictionary_are_named() -> None:
    printed = scene.paleo()
    markers = tuple(replace(m, dictionary="DICT_5X5_100") for m in printed.markers)
    picture = scene.picture(scene.pose(), replace(printed, markers=markers))
    said = why_not_found(picture, printed)
    assert "DICT_5X5" in said
    assert "expected markers 0, 1, 2, 3 of DICT_4X4_50" in said


def test_a_marker_of_another_dictionary_does_not_stand_in_for_a_hidden_one_of_its_id() -> None:
    drawn = scene.paleo()
    first, second, third, fourth = drawn.markers
    drawn = replace(drawn, markers=(first, replace(second, dictionary="DICT_5X5_50", id=4), third, fourth))
    asked = replace(drawn, markers=(replace(first, id=4), replace(drawn.markers[1]), third, fourth))
    assert sorted(find_markers(scene.picture(scene.pose(), drawn), asked)) == [2, 3]


def test_one_marker_alone_is_too_few_and_named() -> None:
    said = why_not_found(scene.picture(scene.pose(), only=(2,)), scene.paleo())
    assert "only marker 2 is seen" in said


def test_a_board_file_with_one_marker_is_told_what_it_lacks_whatever_is_seen() -> None:
    board = replace(scene.paleo(), markers=scene.paleo().markers[:1])
    assert why_not_found(scene.picture(scene.pose()), board).startswith("the board file has one marker alone")


def test_a_picture_without_markers_says_what_to_do() -> None:
    said = why_not_found(np.full((480, 640), 90, dtype=np.uint8), scene.paleo())
    assert said.startswith("no markers are seen")
    assert "more light" in said


@pytest.mark.parametrize("dictionary", ["DICT_9X9_50", "DICT_", "DICT_4X4"])
def test_a_dictionary_that_opencv_does_not_know_is_refused(dictionary: str) -> None:
    board = scene.paleo()
    unknown = replace(board, markers=(replace(board.markers[0], dictionary=dictionary),))
    with pytest.raises(CalibrationError, match=dictionary):
        find_markers(np.zeros((480, 640), dtype=np.uint8), unknown)


def test_an_id_beyond_its_dictionary_is_refused() -> None:
    board = scene.paleo()
    beyond = replace(board, markers=(replace(board.markers[0], id=50),))
    with pytest.raises(CalibrationError, match="ids 0 to 49"):
        find_markers(np.zeros((480, 640), dtype=np.uint8), beyond)
