"""A camera's noise for tests: one sheet of it, laid elsewhere over every picture, as to draw it anew takes a frame's
time."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

SHEET = (1208, 2048, 3)  # holds pictures of 1920x1080 at 128 times 128 places


@cache
def _sheet() -> NDArray[np.float32]:
    return np.random.default_rng(12).standard_normal(SHEET, dtype=np.float32)


def noisy(picture: NDArray[np.generic], sigma: float, rng: np.random.Generator) -> Image:
    """A picture (H, W) or (H, W, 3) with normal noise of its own for every pixel, sigma grey levels. rng: draws the
    place on the sheet"""
    h, w = picture.shape[:2]
    y, x = rng.integers(0, SHEET[0] - h + 1), rng.integers(0, SHEET[1] - w + 1)
    grain = _sheet()[y : y + h, x : x + w] if picture.ndim == 3 else _sheet()[y : y + h, x : x + w, 0]
    seen = picture + np.float32(sigma) * grain
    return np.asarray(np.clip(seen, 0, 255, out=seen), dtype=np.uint8)
