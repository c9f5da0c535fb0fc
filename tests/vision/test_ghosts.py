"""Hands and what they leave behind: which picture shows the thing whose outline a difference has."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frames import Image
from vision.ghosts import LOOKS_ENOUGH, Mask, UsualBoard, drawn_back, without_ghosts

SHAPE = (200, 300)
HAND, OTHER, ARM = (0, 60, 90, 30), (180, 40, 60, 80), (0, 30, 90, 140)  # x, y, w, h
RIM = 20


def ground(texture: float) -> Image:
    rng = np.random.default_rng(3)
    grain = cv2.GaussianBlur(rng.normal(0, texture * 6, SHAPE).astype(np.float32), (0, 0), 2.0)
    return np.clip(np.array([70, 110, 90]) + grain[..., None], 0, 255).astype(np.uint8)


def with_thing(board: Image, box: tuple[int, int, int, int]) -> Image:
    out = board.copy()
    x, y, w, h = box
    out[y : y + h, x : x + w] = (120, 150, 200)
    return np.asarray(cv2.GaussianBlur(out, (5, 5), 1.0))


def mask_of(*boxes: tuple[int, int, int, int]) -> Mask:
    mask = np.zeros(SHAPE, np.uint8)
    for x, y, w, h in boxes:
        mask[y : y + h, x : x + w] = 1
    return mask


@pytest.mark.parametrize("texture", [0.0, 1.0, 3.0])
def test_a_hand_that_is_there_stays_and_one_that_has_gone_does_not(texture: float) -> None:
    board = ground(texture)
    there = with_thing(board, HAND)
    assert (without_ghosts(mask_of(HAND), board, there) == mask_of(HAND)).all()
    assert not without_ghosts(mask_of(HAND), there, board).any()


def test_a_faint_hand_that_hides_half_of_a_marker_is_there() -> None:
    """The marker's own edges are far sharper than the hand's against the wood."""
    board = ground(1.0)
    checks = np.indices((40, 40)).sum(axis=0) // 8 % 2 * 250
    board[70:110, 70:110] = checks[..., None]
    faint = np.asarray(cv2.GaussianBlur(board, (5, 5), 1.0))
    x, y, w, h = HAND
    there = faint.copy()
    there[y : y + h, x : x + w] = np.median(board, axis=(0, 1)) + 16
    assert (without_ghosts(mask_of(HAND), faint, there) == mask_of(HAND)).all()


def test_each_piece_is_judged_by_itself() -> None:
    board = ground(1.0)
    left = without_ghosts(mask_of(HAND, OTHER), with_thing(board, HAND), with_thing(board, OTHER))
    assert (left == mask_of(OTHER)).all()


def test_where_nothing_reaches_in_there_is_nothing_to_judge() -> None:
    board = ground(1.0)
    assert not without_ghosts(mask_of(), board, board).any()


def a_rim(dark: int) -> Image:
    """A board whose border is darker than the rest, with a sharp edge between."""
    board = ground(0.5)
    board[:, :RIM] = np.clip(board[:, :RIM].astype(int) - dark, 0, 255).astype(np.uint8)
    return board


def with_hand_like_the_board(board: Image) -> Image:
    """A hand of the inner part's colour: it differs over the border only, and the difference ends at its edge."""
    out = board.copy()
    x, y, w, h = ARM
    out[y : y + h, x : x + w] = np.median(board[:, 60:], axis=(0, 1)) + 4
    return np.asarray(cv2.GaussianBlur(out, (5, 5), 1.0))


def test_what_the_board_mostly_looked_like_tells_a_hand_of_its_own_colour() -> None:
    board = np.asarray(cv2.GaussianBlur(a_rim(50), (5, 5), 1.0))
    hand = with_hand_like_the_board(board)
    differs = mask_of((0, ARM[1], RIM, ARM[3]))
    usual = UsualBoard()
    for _ in range(LOOKS_ENOUGH):
        usual.look(board)
    assert not without_ghosts(differs, board, hand).any(), "the edges alone take it for a ghost"
    assert (without_ghosts(differs, board, hand, usual) == differs).all()
    assert not without_ghosts(differs, hand, board, usual).any()


def test_the_usual_board_is_known_in_another_light_and_after_a_hand_in_one_view() -> None:
    board = np.asarray(cv2.GaussianBlur(a_rim(50), (5, 5), 1.0))
    hand = with_hand_like_the_board(board)
    differs = mask_of((0, ARM[1], RIM, ARM[3]))
    usual = UsualBoard()
    for top in (*[board] * LOOKS_ENOUGH, hand):
        usual.look(top)
    dark_board, dark_hand = (np.asarray(top * 0.6, dtype=np.uint8) for top in (board, hand))
    assert (without_ghosts(differs, dark_board, dark_hand, usual) == differs).all()
    assert not without_ghosts(differs, dark_hand, dark_board, usual).any()


def test_a_board_that_was_hardly_seen_tells_nothing() -> None:
    board = ground(1.0)
    usual = UsualBoard()
    usual.look(with_thing(board, HAND))
    assert usual.tells(mask_of(HAND), board, with_thing(board, HAND)) is None
    assert (without_ghosts(mask_of(HAND), board, with_thing(board, HAND), usual) == mask_of(HAND)).all()


def test_what_the_board_mostly_looked_like_is_still_known_when_the_camera_was_knocked() -> None:
    board = np.asarray(cv2.GaussianBlur(a_rim(50), (5, 5), 1.0))
    hand, differs = with_hand_like_the_board(board), mask_of((0, ARM[1], RIM, ARM[3]))
    usual = UsualBoard()
    for _ in range(LOOKS_ENOUGH):
        usual.look(board)
    size = (board.shape[1] + 6, board.shape[0] + 4)
    there, now, was = (np.asarray(cv2.resize(top, size)) for top in (differs, hand, board))
    assert usual.tells(there, was, now) is None, "views of another size are not compared"
    assert (without_ghosts(there, was, now, usual.from_elsewhere(size)) == there).all()
    assert not without_ghosts(there, now, was, usual.from_elsewhere(size)).any()
    assert UsualBoard().from_elsewhere(size).tells(there, was, now) is None


BESIDE = mask_of((0, 0, 300, RIM), (0, 180, 300, RIM), (0, 0, RIM, 200), (280, 0, RIM, 200))
RADIUS_PX = 10.0


def seen_for(tip_s: float, border_s: float, gap: bool = False) -> tuple[Mask, NDArray[np.float32]]:
    """An arm's place from the border at the left on, that has differed for so long at its tip and at the border.

    -> (h, w) where it differs, and how much of the time
    """
    x, y, w, h = ARM
    since = np.zeros(SHAPE, np.float32)
    since[y : y + h, x : x + w] = np.linspace(border_s, tip_s, w)
    if gap:  # what looks like the board
        since[y : y + h, 45:53] = 0
    return (since > 0).astype(np.uint8), np.asarray(255 * (1 - np.exp(-since / 2.5)), dtype=np.float32)


@pytest.mark.parametrize(("tip_s", "border_s", "left"), [(0.6, 0.4, True), (0.4, 0.6, False), (0.5, 0.5, False)])
@pytest.mark.parametrize("gap", [False, True])
def test_a_hand_that_drew_back_bared_the_board_from_its_tip_on(
    tip_s: float, border_s: float, left: bool, gap: bool
) -> None:
    """One that came has been at the border for the longest, and one that was there all along nowhere for longer."""
    change, differed = seen_for(tip_s, border_s, gap)
    ghost = drawn_back(change, change, differed, BESIDE, RADIUS_PX)
    x, y, w, h = ARM
    assert ghost[y + 5 : y + h - 5, x : x + w].all() if left else not ghost.any()
    assert not ghost[:, x + w + 20 :].any()


def test_what_does_not_reach_in_from_beside_the_board_is_no_hands() -> None:
    change, differed = seen_for(0.6, 0.4)
    inside = change * (1 - BESIDE)
    assert not drawn_back(inside, inside, differed, BESIDE, RADIUS_PX).any()
    beside = change * BESIDE
    assert not drawn_back(beside, beside, differed, BESIDE, RADIUS_PX).any()


def test_what_was_left_at_the_border_last_goes_with_the_rest_unless_another_hand_is_there() -> None:
    change, differed = seen_for(0.6, 0.4)
    stale = change.copy()
    stale[:, :12] = 0
    ghost = drawn_back(stale, change, differed, BESIDE, RADIUS_PX)
    assert ghost[80:120, :60].all()
    crossed = mask_of(ARM, (70, 60, 220, 90))
    assert not drawn_back(stale, crossed, differed, BESIDE, RADIUS_PX)[:, 120:].any()


@pytest.mark.parametrize("noise", [0.0, 4.0])
def test_a_hand_as_bright_as_the_board_is_told_by_its_colour(noise: float) -> None:
    """Both have a grey level of 99."""
    board, rng = ground(0.5), np.random.default_rng(5)
    x, y, w, h = HAND
    with_hand = board.copy()
    with_hand[y : y + h, x : x + w] = (50, 96, 125)
    there, gone = (np.clip(p + rng.normal(0, noise, p.shape), 0, 255).astype(np.uint8) for p in (with_hand, board))
    assert (without_ghosts(mask_of(HAND), gone, there) == mask_of(HAND)).all()
    assert not without_ghosts(mask_of(HAND), there, gone).any()


def test_an_edge_of_the_boards_own_along_which_a_hand_is_cut_off_tells_nothing() -> None:
    """A rim that a hand of its colour hid comes to light, and is sharper than what was seen of the hand."""
    board = a_rim(60)
    hidden = with_hand_like_the_board(board)
    _, y, _, h = ARM
    differs = mask_of((0, y, RIM, h))
    assert (without_ghosts(differs, hidden, board) == differs).all()
    assert not without_ghosts(differs, hidden, board, cut=mask_of((RIM - 5, 0, 10, SHAPE[0]))).any()
    assert (without_ghosts(differs, board, hidden, cut=mask_of((RIM - 5, 0, 10, SHAPE[0]))) == differs).all()
