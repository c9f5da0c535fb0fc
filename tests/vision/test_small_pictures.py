"""A frame's small pictures, made ahead: they are those of the frame as it is, and of the part that is asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import camera_over
from vision.differencing import coarse_picture, small_gray
from vision.frames import Frame
from vision.small_pictures import coarse_of, gray_of, readied
from vision.view import TopView, make_view

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def view() -> TopView:
    board = load_board(default_board_path())
    return make_view(board, camera_over(board), SIZE)


@pytest.fixture(scope="module")
def frame() -> Frame:
    return Frame(0, 0.0, np.random.default_rng(5).integers(0, 255, (*SIZE[::-1], 3), np.uint8))


def test_what_was_made_ahead_is_taken_and_is_what_would_be_made_now(view: TopView, frame: Frame) -> None:
    ahead = readied(frame, view)
    assert ahead.small is not None
    assert gray_of(ahead, view) is ahead.small.gray
    assert coarse_of(ahead, view) is ahead.small.coarse
    assert np.array_equal(gray_of(frame, view), ahead.small.gray)
    assert np.array_equal(coarse_of(frame, view), ahead.small.coarse)


def test_a_picture_that_was_changed_since_has_none_made_ahead(view: TopView, frame: Frame) -> None:
    darker = replace(readied(frame, view), image=np.asarray(frame.image // 2))
    assert np.array_equal(gray_of(darker, view), small_gray(darker.image, view.roi, view.step))
    assert np.array_equal(coarse_of(darker, view), coarse_picture(darker.image, view.roi, view.light_step))


def test_nor_has_another_part_of_it(view: TopView, frame: Frame) -> None:
    x0, y0, x1, y1 = view.roi
    for other in (replace(view, roi=(x0 + 8, y0, x1 + 8, y1)), replace(view, step=view.step + 1)):
        ahead = readied(frame, view)
        assert np.array_equal(gray_of(ahead, other), small_gray(frame.image, other.roi, other.step))
        assert np.array_equal(coarse_of(ahead, other), coarse_picture(frame.image, other.roi, other.light_step))
