"""A board without markers is found by its outline, the right way round, or refused."""

from __future__ import annotations

import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.board import Board, parse_board
from calibration.board_search import find_by_outline
from calibration.board_sides import least_turned, turned
from calibration.commands import find_pose_in
from calibration.lens import CalibrationError
from calibration.pose import Pose
from calibration.pose_doubts import NOT_SURE
from calibration.pose_fit import surface_corners_mm
from tests.calibration import scene
from vision.virtual_table.boards import random_board_text
from vision.virtual_table.camera import make_lens, make_pose
from vision.virtual_table.looks import look_for
from vision.virtual_table.table import VirtualTable

BARE = scene.without_markers()
RIGHT_MM = 0.8  # root mean square over the board: what clicked corners come to when they are refined


def seen(seed: int, turned_deg: float) -> tuple[scene.Image, Board, Pose]:
    """The first picture of a home-made board without markers, seen by a camera that is turned."""
    board = replace(parse_board(random_board_text(seed)), markers=())
    look, rng = look_for("standard", seed), random.Random(seed)
    lens = make_lens(look.size, rng)
    turn = np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, np.radians(turned_deg)]))[0])
    upright = make_pose(board, lens, rng, tilt_deg=look.tilt_deg, roll_deg=2.0)
    rotation = turn @ np.asarray(cv2.Rodrigues(upright.rvec)[0])
    pose = Pose(lens, np.ravel(cv2.Rodrigues(rotation)[0]), turn @ upright.tvec)
    table = VirtualTable(board, seed=seed, look=look, pose=pose)
    return next(table.frames()).image, board, pose


def with_arm(image: scene.Image, pose: Pose, board: Board) -> scene.Image:
    """A forearm from the east over the rim, and the hand on the surface."""
    (w, h), shown = board.size, image.copy()
    ends = pose.image_from_board(np.array([[w * 1.4, h * 0.6, 40.0], [w * 0.8, h * 0.5, 40.0]]))
    (far, hand) = (tuple(np.round(p).astype(int).tolist()) for p in ends)
    cv2.line(shown, far, hand, (120, 150, 205), 70)
    cv2.circle(shown, hand, 55, (120, 150, 205), -1)
    return shown


def test_a_home_made_board_is_found_the_right_way_round_by_its_colours() -> None:
    image, board, pose = seen(0, 180.0)
    found = find_by_outline(image, board, pose.lens)
    assert found.sure
    assert scene.error_mm(found.pose, pose, board) < RIGHT_MM


def test_an_arm_across_the_rim_hides_too_little_to_matter() -> None:
    image, board, pose = seen(1, 0.0)
    found = find_by_outline(with_arm(image, pose, board), board, pose.lens)
    assert scene.error_mm(found.pose, pose, board) < RIGHT_MM


def test_printed_lines_alone_do_not_tell_north_from_south_and_that_is_said() -> None:
    camera = scene.pose()
    report = find_pose_in([scene.picture(camera, BARE)], BARE, camera.lens, None)
    assert report.source == "the board's outline"
    assert NOT_SURE in report.warnings
    assert scene.error_mm(report.pose, camera, BARE) < RIGHT_MM
    errors = report.pose.corner_error_mm
    assert errors is not None
    assert max(errors) < 3.0
    assert 0 < report.pose.rms_px < 2.0


def test_without_a_lens_file_the_outline_gives_the_pose_and_says_what_is_missing() -> None:
    camera = scene.pose(scene.lens(k1=0.0))
    report = find_pose_in([scene.picture(camera, BARE)], BARE, None, None)
    assert any("measure the lens" in text for text in report.warnings)
    assert scene.error_mm(report.pose, camera, BARE) < 3 * max(report.pose.corner_error_mm or (0.0,))


@pytest.mark.parametrize("what", ["nothing", "half"])
def test_where_the_outline_is_not_seen_the_corners_are_asked_for(what: str) -> None:
    picture = scene.picture(scene.pose(), BARE)
    spoilt = np.full_like(picture, 90) if what == "nothing" else np.ascontiguousarray(picture[:, : scene.SIZE[0] // 2])
    with pytest.raises(CalibrationError, match=r"outline of .* is not seen.*--corners"):
        find_by_outline(spoilt, BARE)


def test_another_board_is_not_taken_for_this_one() -> None:
    picture = scene.picture(scene.pose(), BARE)
    other = replace(BARE, size=(900.0, 400.0))
    with pytest.raises(CalibrationError, match="check the sizes"):
        find_by_outline(picture, other, scene.lens())


def test_no_picture_is_no_board() -> None:
    with pytest.raises(CalibrationError, match="no picture"):
        find_by_outline([], BARE)


def test_a_board_turned_by_quarters_covers_itself_and_four_make_a_whole() -> None:
    camera, corners = scene.pose(), surface_corners_mm(BARE)
    pixels = camera.image_from_board(corners)
    once = turned(camera, BARE, 1)
    np.testing.assert_allclose(np.sort(once.image_from_board(corners), 0), np.sort(pixels, 0), atol=1e-6)
    again = turned(turned(once, BARE, 2), BARE, 1)
    np.testing.assert_allclose(again.image_from_board(corners), pixels, atol=1e-6)
    assert least_turned(camera) < least_turned(once)
