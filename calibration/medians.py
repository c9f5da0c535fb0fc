"""The median of colours, shifts and the like: numpy's own, without most of what it costs for a few hundred values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MANY = 1000  # values: of more it is quicker not to sort them all


def median_colour(values: NDArray[Any]) -> NDArray[Any]:
    """(N, K) values, N of 1 or more and none of them nan -> (K,) the median of each column, as numpy.median's.

    Whole numbers come out as float64, others in the kind in which they went in.
    """
    columns = np.array(values.T, order="C")
    half, odd = divmod(columns.shape[1], 2)
    if len(values) > MANY:
        columns.partition(half, axis=1)
    else:
        columns.sort(axis=1)
    kind = values.dtype if values.dtype.kind == "f" else np.float64
    upper = columns[:, half].astype(kind)
    return upper if odd else (columns[:, :half].max(axis=1).astype(kind) + upper) / 2
