"""The median that is quick for few values is numpy's own; a standard deviation by medians heeds no strays."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.medians import median_colour, sigma_by_medians


@pytest.mark.parametrize("kind", [np.uint8, np.float32, np.float64])
@pytest.mark.parametrize("count", [1, 2, 3, 8, 857, 858, 2000, 2001])
def test_it_is_numpys_median_to_the_last_bit(kind: type, count: int) -> None:
    values = np.random.default_rng(count).uniform(0, 255, (count, 3)).astype(kind)
    before = values.copy()
    told, expected = median_colour(values), np.median(values, axis=0)
    assert told.dtype == expected.dtype
    assert told.tolist() == expected.tolist()
    assert (values == before).all()


@pytest.mark.parametrize("count", [8001, 8002, 57_600])
@pytest.mark.parametrize("kind", ["ratios of levels", "zeros of either sign", "negative", "one endless", "all alike"])
def test_it_is_numpys_median_of_a_whole_picture(kind: str, count: int) -> None:
    chance = np.random.default_rng(count)
    levels = chance.integers(2, 258, (2, count, 3)).astype(np.float32)
    values = levels[0] / levels[1]
    if kind == "zeros of either sign":
        values[: count // 3], values[count // 3 : 2 * count // 3] = 0.0, -0.0
    elif kind == "negative":
        values -= 1.0
    elif kind == "one endless":
        values[7] = np.inf
    elif kind == "all alike":
        values[:] = 0.7
    told, expected = median_colour(values), np.median(values, axis=0)
    assert told.dtype == expected.dtype == np.float32
    assert told.tolist() == expected.tolist()


def test_columns_that_hold_the_same_are_told_apart_from_their_neighbours() -> None:
    assert median_colour(np.array([[5, 1], [5, 200], [5, 3]], np.uint8)).tolist() == [5.0, 3.0]


def test_a_spread_by_medians_is_that_of_most_values_in_each_column_whatever_some_are() -> None:
    values = np.random.default_rng(1).normal((3.0, -8.0), (2.0, 0.5), (4000, 2))
    values[::10] = 1e6
    assert sigma_by_medians(values) == pytest.approx((2.0, 0.5), rel=0.2)
    assert sigma_by_medians(values[:, 0]) == pytest.approx(2.0, rel=0.2)
