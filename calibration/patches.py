"""Small squares of a reference picture that tell at once how far the view has shifted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import gray_image

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

# patches are smoothed by this, so far around: noise falls, and the linear estimate holds for larger moves
BLUR_PX, KERNEL_PX = 1.5, 13
# moves that the linear estimate can tell; what seems to move further is covered, or the camera was knocked
MAX_LINEAR_PX = 2.0
MIN_EXPLAINED = 0.9  # part of a patch's variance that shift, gain and offset explain; below, it is covered or knocked
MIN_CONTRAST = 4.0  # standard deviation (gray levels) of a patch that can be followed
STEP = 2  # every second pixel of a smoothed patch is enough


@dataclass(frozen=True, slots=True)
class Patch:
    """A square of the reference picture, linearised around it (Lucas and Kanade 1981, with gain and offset).

    smoothing: (n, side) smooths the square's columns and keeps every STEP-th pixel of them, as of its rows;
    reckoned: (8, n * n), times these pixels: the gain times the shift in x and in y, gain and offset that explain them
    best, and the products of the pixels and what they are explained by.
    """

    left: int
    top: int
    side: int
    smoothing: NDArray[np.float32]
    reckoned: FloatArray

    @property
    def middle(self) -> tuple[float, float]:
        """Pixels, x and y."""
        return self.left + (self.side - 1) / 2, self.top + (self.side - 1) / 2

    def shift(self, image: Image) -> FloatArray | None:
        """(2,) how far the patch has moved, pixels; None where it is covered or has moved too far."""
        seen = self.seen(image)
        return seen[0] if seen is not None else None

    def seen(self, image: Image) -> tuple[FloatArray, float] | None:
        """The same, and the part of the patch's variance that shift, gain and offset explain."""
        cut = _cut(image, self.left, self.top, self.side).astype(np.float32)
        pixels = (self.smoothing @ cut @ self.smoothing.T).ravel().astype(np.float64)
        values = self.reckoned @ pixels
        explained, products = values[:4], values[4:]
        gain, square = float(explained[2]), float(pixels @ pixels)
        if gain <= 0:
            return None
        moved = explained[:2] / gain
        if np.abs(moved).max() > MAX_LINEAR_PX:
            return None
        left = max(square - float(explained @ products), 0.0)
        of = square - float(products[3]) ** 2 / len(pixels)
        if left > (1 - MIN_EXPLAINED) * of or of <= 0:
            return None
        return np.asarray(moved, dtype=np.float64), 1 - left / of


def make_patches(image: Image, centres_px: FloatArray, sides_px: Sequence[int]) -> list[Patch]:
    """Patches around points of a reference picture; those without contrast or outside the picture are left out."""
    made = []
    for (x, y), side in zip(centres_px, sides_px, strict=True):
        patch = _make(image, round(float(x) - side / 2), round(float(y) - side / 2), side)
        if patch is not None:
            made.append(patch)
    return made


def _make(image: Image, left: int, top: int, side: int) -> Patch | None:
    if left < 0 or top < 0 or left + side > image.shape[1] or top + side > image.shape[0]:
        return None
    smooth = _smoothing(side)
    reference = smooth @ _cut(image, left, top, side) @ smooth.T
    if float(reference.std()) < MIN_CONTRAST:
        return None
    rows, columns = np.gradient(reference)
    parts = [np.asarray(a)[::STEP, ::STEP].ravel() for a in (-columns, -rows, reference, np.ones_like(reference))]
    design = np.stack(parts, axis=1)
    if np.linalg.matrix_rank(design) < 4:
        return None
    reckoned = np.concatenate([np.linalg.pinv(design), design.T])
    return Patch(left, top, side, smooth[::STEP].astype(np.float32), reckoned)


def _cut(image: Image, left: int, top: int, side: int) -> Image:
    """(side, side) the patch in grey."""
    return gray_image(np.ascontiguousarray(image[top : top + side, left : left + side]))


@lru_cache(32)
def _smoothing(side: int) -> FloatArray:
    """(side, side) what smooths the columns of a patch, its border mirrored: the same way in every frame."""
    kernel = cv2.getGaussianKernel(KERNEL_PX, BLUR_PX)
    return np.asarray(cv2.sepFilter2D(np.eye(side), -1, np.ones((1, 1)), kernel), dtype=np.float64)
