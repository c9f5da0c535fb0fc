"""What is known of a hand that was over the board when it was looked at first."""

from __future__ import annotations

import numpy as np

from vision.first_hand import DOUBT_S, PROVEN_S, FirstHand


def test_a_board_that_lies_still_for_long_shows_that_there_was_none_for_good() -> None:
    first = FirstHand(doubted=True)
    first.lies_still(PROVEN_S / 2)
    assert first.doubted
    first.lies_still(PROVEN_S)
    assert not first.doubted
    first.lies_still(0.0)
    assert not first.doubted


def test_one_that_stays_is_an_arm_that_rests_there() -> None:
    first = FirstHand(doubted=True)
    for _ in range(10):
        first.passes(DOUBT_S / 11)
    assert first.doubted
    first.passes(DOUBT_S / 5)
    assert not first.doubted
    settled = FirstHand()
    settled.passes(DOUBT_S)
    assert not settled.doubted


def test_what_it_hid_in_several_places_is_lifted_together_and_once() -> None:
    first = FirstHand()
    left, right, nothing = np.zeros((2, 4), bool), np.zeros((2, 4), bool), np.zeros((2, 4), bool)
    left[:, 0], right[:, 3] = True, True
    for ghost in (nothing, left, right):
        first.left(ghost)
    veil = first.lifted()
    assert veil is not None
    assert (veil == (left | right)).all()
    assert first.lifted() is None


def test_no_trace_of_it_is_no_veil() -> None:
    first = FirstHand()
    first.left(np.zeros((2, 4), bool))
    assert first.lifted() is None


def test_the_board_as_it_looked_first_is_kept_and_follows_the_levels() -> None:
    first, curve = FirstHand(), np.arange(255, -1, -1, dtype=np.uint8)
    first.tone(curve)
    first.looked_like(np.full((2, 2, 3), 10, np.uint8))
    first.looked_like(np.full((2, 2, 3), 99, np.uint8))
    first.tone(curve)
    assert first.top is not None
    assert (first.top == 245).all()
