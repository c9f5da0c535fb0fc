"""How the board lay while a verdict waits for a puck: what is a hand that comes, and what is not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.awaited import COMES_IN_S, Awaited, awaited
from vision.settling import Settling

Mask = NDArray[np.uint8]

RADIUS = 6.0  # pixels
AREA = float(np.pi * RADIUS**2)
IMAGES = [np.full((4, 4, 3), k, np.uint8) for k in range(3)]


def differing(*boxes: tuple[int, int, int, int]) -> Mask:
    """(200, 200) of 0 and 255: boxes x, y, w, h"""
    mask = np.zeros((200, 200), np.uint8)
    for x, y, w, h in boxes:
        mask[y : y + h, x : x + w] = 255
    return mask


SHOT = (60, 60, 50, 40)  # what a shot moved, 18 pucks' areas
HAND = (0, 120, 40, 20)  # 7 of them
FINGER = (0, 120, 20, 8)  # 1.4


def waiting(changed: Mask | None = None) -> Awaited:
    return awaited(2.0, IMAGES[0], differing(SHOT) if changed is None else changed, RADIUS)


def test_what_differed_already_is_no_hand_that_comes_and_nor_is_what_stirs_beside_it() -> None:
    board = waiting()
    x, y, w, h = SHOT
    assert not board.look(2.1, IMAGES[1], differing(SHOT), quiet=False, puck_area=AREA)
    assert not board.look(2.1, IMAGES[1], differing((x - 3, y - 3, w + 6, h + 6)), quiet=False, puck_area=AREA)
    assert board.look(2.1, IMAGES[1], differing(SHOT, HAND), quiet=False, puck_area=AREA)


@pytest.mark.parametrize("quiet", [True, False])
def test_a_hand_has_come_once_it_is_large_whether_it_moves_or_not(quiet: bool) -> None:
    board = waiting()
    assert not board.look(2.1, IMAGES[1], differing(SHOT, FINGER), quiet, AREA)
    assert board.look(2.2, IMAGES[2], differing(SHOT, HAND), quiet, AREA)
    assert board.image is IMAGES[0]  # which shows none of it


def test_the_board_is_kept_as_it_is_seen_last_while_nothing_stirs_and_nothing_is_new() -> None:
    board = waiting()
    board.look(2.1, IMAGES[1], differing(SHOT), quiet=True, puck_area=AREA)
    assert (board.time_s, board.image) == (2.1, IMAGES[1])
    board.look(2.2, IMAGES[2], differing(SHOT), quiet=False, puck_area=AREA)
    assert board.image is IMAGES[1]
    board.look(2.3, IMAGES[2], differing(SHOT, FINGER), quiet=True, puck_area=AREA)
    assert (board.time_s, board.image) == (2.1, IMAGES[1])


def test_masks_of_ones_and_of_full_levels_are_the_same() -> None:
    board = waiting(np.asarray(differing(SHOT) // 255, dtype=np.uint8))
    assert not board.look(2.1, IMAGES[1], differing(SHOT), quiet=False, puck_area=AREA)
    assert cv2.countNonZero(board.differed) == cv2.countNonZero(waiting().differed)


def test_the_picture_that_is_kept_has_the_levels_of_all_others() -> None:
    settling = SimpleNamespace(awaited=waiting())
    levels = np.full(256, 77, np.uint8)
    Settling.straighten(cast(Settling, settling), levels)
    assert (settling.awaited.image == 77).all()
    Settling.straighten(cast(Settling, SimpleNamespace(awaited=None)), levels)


def test_after_a_while_too_much_may_have_happened() -> None:
    board = waiting()
    assert not board.is_old(2.0 + COMES_IN_S - 0.01)
    assert board.is_old(2.0 + COMES_IN_S + 0.01)
