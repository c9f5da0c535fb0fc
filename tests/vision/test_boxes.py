"""Boxes of pictures."""

from __future__ import annotations

import pytest

from vision.boxes import Box, crossing, merged


def test_two_boxes_share_what_is_in_both() -> None:
    assert crossing((0, 0, 10, 8), (6, 5, 20, 20)) == (6, 5, 10, 8)


@pytest.mark.parametrize("other", [(10, 0, 20, 8), (0, 8, 10, 9), (30, 30, 40, 40)])
def test_boxes_side_by_side_share_nothing(other: Box) -> None:
    assert crossing((0, 0, 10, 8), other) is None
    assert merged([(0, 0, 10, 8), other]) == [(0, 0, 10, 8), other]


def test_a_box_that_joins_two_makes_one_of_all_three() -> None:
    assert merged([(0, 0, 4, 4), (6, 0, 9, 4), (3, 1, 7, 2)]) == [(0, 0, 9, 4)]


def test_boxes_that_come_to_overlap_when_others_are_joined_are_joined_too() -> None:
    assert merged([(4, 4, 6, 6), (0, 0, 3, 3), (2, 2, 5, 5)]) == [(0, 0, 6, 6)]
    assert merged([(0, 6, 2, 9), (0, 0, 3, 3), (2, 2, 5, 8), (1, 7, 2, 8)]) == [(0, 0, 5, 9)]
