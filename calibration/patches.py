"""Small squares of a reference picture that tell at once how far the view has shifted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import gray_image

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

BLUR_PX = 1.5  # patches are smoothed by this: noise falls, and the linear estimate holds for larger moves
# moves that the linear estimate can tell; what seems to move further is covered, or the camera was knocked
MAX_LINEAR_PX = 2.0
MIN_EXPLAINED = 0.9  # part of a patch's variance that shift, gain and offset explain; below, it is covered or knocked
MIN_CONTRAST = 4.0  # standard deviation (gray levels) of a patch that can be followed
STEP = 2  # every second pixel of a smoothed patch is enough


@dataclass(frozen=True, slots=True)
class Patch:
    """A square of the reference picture, linearised around it (Lucas and Kanade 1981, with gain and offset).

    design: (N, 4) pixels by gain * shift x, gain * shift y, gain, offset; solver: (4, N) its pseudo-inverse.
    """

    left: int
    top: int
    side: int
    design: FloatArray
    solver: FloatArray

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
        pixels: FloatArray = _pixels(image, self.left, self.top, self.side)[::STEP, ::STEP].ravel()
        solved = np.asarray(self.solver @ pixels, dtype=np.float64)
        gain = float(solved[2])
        if gain <= 0:
            return None
        moved = solved[:2] / gain
        if abs(moved[0]) > MAX_LINEAR_PX or abs(moved[1]) > MAX_LINEAR_PX:
            return None
        rest = pixels - self.design @ solved
        pixels -= pixels.mean()
        left, of = float(rest @ rest), float(pixels @ pixels)
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
    reference = _pixels(image, left, top, side)
    if float(reference.std()) < MIN_CONTRAST:
        return None
    rows, columns = np.gradient(reference)
    parts = [np.asarray(a)[::STEP, ::STEP].ravel() for a in (-columns, -rows, reference, np.ones_like(reference))]
    design = np.stack(parts, axis=1)
    if np.linalg.matrix_rank(design) < 4:
        return None
    return Patch(left, top, side, design, np.linalg.pinv(design))


def _pixels(image: Image, left: int, top: int, side: int) -> FloatArray:
    """(side, side) the smoothed patch; its border is mirrored, the same way in every frame."""
    cut = gray_image(np.ascontiguousarray(image[top : top + side, left : left + side]))
    return np.asarray(cv2.GaussianBlur(cut.astype(np.float64), (0, 0), BLUR_PX), dtype=np.float64)
