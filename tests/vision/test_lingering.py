"""What has differed for long enough to be no hand, over the frames of an episode."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import camera_over
from vision.frame_map import FrameMap, make_frame_map
from vision.lingering import FIRST_GHOST_S, GHOST_S, Lingering, Mask
from vision.view import make_view

BOARD = load_board(default_board_path())
POSE = camera_over(BOARD)
MAP: FrameMap = make_frame_map(make_view(BOARD, POSE, POSE.lens.image_size), POSE.lens.image_size)
DT = 1 / 30


def reaching_in() -> Mask:
    """An arm from the picture's border over the middle of the board."""
    mask = np.zeros(MAP.outside.shape, np.uint8)
    middle = mask.shape[0] // 2
    mask[middle - 10 : middle + 10, : mask.shape[1] // 2] = 255
    return mask


NOTHING = np.zeros_like(reaching_in())


def after(seconds: float, share: float = 1.0) -> Lingering:
    """An arm that is seen in such a share of the frames, evenly."""
    lingering, owed = Lingering(), 0.0
    lingering.begin()
    for _ in range(round(seconds / DT)):
        owed += share
        lingering.add(reaching_in() if owed >= 1.0 else NOTHING, DT)
        owed -= owed >= 1.0
    return lingering


def test_what_reaches_in_and_never_stirs_is_no_hand_after_a_while() -> None:
    early, late = after(GHOST_S - 0.1), after(GHOST_S + 0.4)
    assert not early.enough(doubted=False)
    assert late.enough(doubted=False)
    assert not early.ghosts(MAP, doubted=False).any()
    assert ((late.ghosts(MAP, doubted=False) > 0) == (reaching_in() > 0)).all()


def test_a_hand_that_is_there_half_of_the_time_stays_one() -> None:
    assert not after(2 * GHOST_S, share=0.5).ghosts(MAP, doubted=False).any()


@pytest.mark.parametrize("seconds", [0.1, FIRST_GHOST_S + 0.1])
def test_what_a_hand_left_that_may_have_been_there_at_first_shows_sooner(seconds: float) -> None:
    assert after(seconds).enough(doubted=True) == (seconds > FIRST_GHOST_S)


def test_a_hand_that_draws_back_tip_first_has_left_what_it_bared() -> None:
    """Its tip bares the board first, so that differs for the longest; the border of the picture last."""
    lingering, arm = Lingering(), reaching_in()
    lingering.begin()
    columns = arm.shape[1] // 2
    for k in range(30):
        bared = arm.copy()
        bared[:, : max(columns - round(columns * k / 12), 0)] = 0
        lingering.add(bared, DT)
    found = lingering.ghosts(MAP, doubted=True)
    assert (found[arm > 0] > 0).mean() > 0.9
    assert not found[arm == 0].any()


def test_it_begins_anew() -> None:
    lingering = after(GHOST_S + 0.4)
    lingering.begin()
    assert not lingering.enough(doubted=True)
    lingering.add(NOTHING, DT)
    assert not lingering.ghosts(MAP, doubted=False).any()
