"""A given calibration: taken at another size, refused at another shape, found out where the camera was moved."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from calibration.lens import CalibrationError
from calibration.pose import Pose
from vision.events import CameraMoved, Event
from vision.frames import Frame, Image
from vision.pipeline import Tracker
from vision.virtual_table.physics import Material, Puck
from vision.virtual_table.table import VirtualTable

BOARD = load_board(default_board_path())
PLACE = (230.0, 410.0)
LONG_ENOUGH_S = 0.6
EXACT_MM = 0.6
MOVED_MM = 8.0
HARDLY_MOVED_MM = 0.4


@cache
def filmed() -> tuple[tuple[Frame, ...], Pose]:
    """A board at rest with one puck on it, and where the camera truly stands."""
    table = VirtualTable(BOARD, seed=4, pucks=[Puck("red-5", "red", 5, *PLACE)], reefs=(), material=Material())
    frames = tuple(itertools.islice(table.frames(), round(LONG_ENOUGH_S * table.fps)))
    return frames, table.pose


def moved(pose: Pose, by_mm: float) -> Pose:
    """The camera, moved along the board."""
    return replace(pose, tvec=pose.tvec + cv2.Rodrigues(pose.rvec)[0] @ np.array([by_mm, 0.0, 0.0]))


def hidden(image: Image, pose: Pose, markers: int) -> Image:
    """The picture with a sheet of paper over some of the markers."""
    out = image.copy()
    for marker in BOARD.markers[:markers]:
        x, y = pose.image_from_board(np.array([[*marker.centre, 0.0]]))[0]
        cv2.circle(out, (round(x), round(y)), 40, (230, 230, 230), -1)
    return out


def told(given: Pose, size: tuple[int, int] | None = None, covered: int = 0) -> tuple[list[Event], float]:
    """What a tracker with a calibration tells, and how far, in mm, it has the puck from where it lies."""
    frames, pose = filmed()
    whole = pose.lens.image_size
    tracker = Tracker(BOARD, frame_size=size or whole, fps=30, pose=given)
    events: list[Event] = []
    for frame in frames:
        image = hidden(frame.image, pose, covered)
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA)) if size else image
        events += tracker.update(replace(frame, image=image))
    pucks = tracker.live().pucks
    return events, min((math.dist((p.x_mm, p.y_mm), PLACE) for p in pucks), default=math.inf)


def test_a_calibration_that_holds_is_used_as_it_is() -> None:
    for by_mm in (0.0, HARDLY_MOVED_MM):
        events, off_mm = told(moved(filmed()[1], by_mm))
        assert not any(isinstance(e, CameraMoved) for e in events)
        assert off_mm < EXACT_MM + by_mm


@pytest.mark.parametrize("covered", [0, 1])
def test_a_camera_that_was_moved_since_is_found_out_by_the_markers(covered: int) -> None:
    events, off_mm = told(moved(filmed()[1], MOVED_MM), covered=covered)
    [knock] = [e for e in events if isinstance(e, CameraMoved)]
    assert knock.recovered
    assert knock.shift_px > MOVED_MM / 2
    assert off_mm < EXACT_MM


def test_two_markers_of_four_are_too_few_to_overrule_a_calibration() -> None:
    events, off_mm = told(moved(filmed()[1], MOVED_MM), covered=2)
    assert not any(isinstance(e, CameraMoved) for e in events)
    assert off_mm == pytest.approx(MOVED_MM, abs=2.0)


def test_a_calibration_from_pictures_of_another_size_is_scaled() -> None:
    events, off_mm = told(filmed()[1], size=(960, 540))
    assert not any(isinstance(e, CameraMoved) for e in events)
    assert off_mm < EXACT_MM


def test_a_calibration_from_pictures_of_another_shape_is_refused_at_once() -> None:
    with pytest.raises(CalibrationError, match=r"made on pictures of 1280x720, these are 640x480; expected the same"):
        Tracker(BOARD, frame_size=(640, 480), fps=30, pose=filmed()[1])


def test_a_lens_from_pictures_of_another_shape_is_refused_at_once() -> None:
    with pytest.raises(CalibrationError, match=r"measured on pictures of 1280x720, these are 640x480; expected the sa"):
        Tracker(BOARD, frame_size=(640, 480), fps=30, lens=filmed()[1].lens)


@pytest.mark.parametrize("tvec", [(0.0, 0.0, 0.0), (3000.0, 0.0, 900.0), (-300.0, -300.0, -900.0)])
def test_a_calibration_whose_camera_does_not_look_at_the_board_is_refused(tvec: tuple[float, float, float]) -> None:
    """As of a file that was written by hand, or of another board's corner."""
    _, pose = filmed()
    with pytest.raises(CalibrationError, match="expected it above the board"):
        told(replace(pose, tvec=np.array(tvec)))
