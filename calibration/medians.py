"""The median of colours, shifts and the like: numpy's own, without most of what it costs for a few hundred values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MANY = 1000  # values: of more it is quicker not to sort them all …
COUNTED = 8000  # … and of more than this to count them, as many are alike in pictures, which slows all that compares
SIGMA_OF_MEDIAN = 1.4826  # noise's standard deviation is so many times the median of its distances from its median
LOW_BITS = 10  # of a number, which are counted after those above them


def median_colour(values: NDArray[Any]) -> NDArray[Any]:
    """(N, K) values, N of 1 or more and none of them nan -> (K,) the median of each column, as numpy.median's.

    Whole numbers come out as float64, others in the kind in which they went in.
    """
    columns = np.array(values.T, order="C")
    if len(values) > COUNTED and columns.dtype == np.float32 and columns.min() >= 0.0:
        return np.array([_counted(column) for column in columns], dtype=np.float32)
    half, odd = divmod(columns.shape[1], 2)
    if len(values) > MANY:
        columns.partition(half, axis=1)
    else:
        columns.sort(axis=1)
    kind = values.dtype if values.dtype.kind == "f" else np.float64
    upper = columns[:, half].astype(kind)
    return upper if odd else (columns[:, :half].max(axis=1).astype(kind) + upper) / 2


def sigma_by_medians(values: NDArray[Any]) -> NDArray[np.float64]:
    """(N, …) values -> (…) their standard deviation over the first axis, whatever a part of them far off is."""
    return np.asarray(SIGMA_OF_MEDIAN * np.median(np.abs(values - np.median(values, axis=0)), axis=0))


def _counted(column: NDArray[np.float32]) -> np.float32:
    """The median of (N,) values of no sign: as whole numbers, their bits are in the same order as they."""
    bits = (column + np.float32(0.0)).view(np.int32)  # without the sign that a zero may have
    least = int(bits.min())
    bits -= np.int32(least)
    high = bits >> LOW_BITS
    upto = np.cumsum(np.bincount(high))
    half, odd = divmod(len(column), 2)
    found = []
    for rank in (half,) if odd else (half - 1, half):
        block = int(np.searchsorted(upto, rank, side="right"))
        low = bits[high == block] & ((1 << LOW_BITS) - 1)
        before = int(upto[block - 1]) if block else 0
        last = int(np.searchsorted(np.cumsum(np.bincount(low)), rank - before, side="right"))
        found.append(np.int32(least + (block << LOW_BITS) + last).view(np.float32))
    return found[0] if odd else np.float32((found[0] + found[1]) / np.float32(2))
