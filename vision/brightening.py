"""The pictures of a camera that gets hardly any light are made brighter before anything is looked for in them.

Much of what tells a thing from noise and from a coder's blocks is told in grey levels, as they are in rooms that are
dim at the darkest. In a room that is darker still, seen by a camera whose exposure is locked, pucks hardly differ from
the board by so much, though they show well enough.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.differencing import percentile
from vision.frames import Image

Roi = tuple[int, int, int, int]  # x0, y0, x1, y1 of a frame

DARK = 30.0  # mean grey levels of the board: one that has fewer …
FAIR = 42.0  # … is made so bright …
WHITEST, WHITEST_SHARE = 230.0, 99.9  # … as long as of all its levels so many in a hundred get no higher than this
EVERY = 4  # of every so many-th pixel
GROWN = 1.25  # the light has grown, where half of the board is so many times brighter …
GROWN_FRAMES = 3  # … in so many frames: then pictures are made so much less bright


class Brightening:
    """How many times brighter than they come a camera's pictures are taken. gain: 1.0 where they are taken as they come

    Of a board that is dark when it is looked at first; it gets no greater from then on, and less as the light grows.
    """

    def __init__(self) -> None:
        self.gain = 1.0
        self._levels = np.arange(256, dtype=np.uint8)
        self._half = 0.0  # of the board's levels are below this, as they come
        self._grown = 0

    def fit(self, image: Image, roi: Roi) -> bool:
        """True where pictures are taken brighter from now on. image: (H, W, 3) the board at rest, as it came"""
        some = _some(image, roi)
        mean = float(some.mean())
        gain = min(FAIR / max(mean, 1.0), WHITEST / max(percentile(some, WHITEST_SHARE), 1.0))
        if mean >= DARK or gain <= FAIR / DARK:
            return False
        self._take(gain, percentile(some, 50))
        return True

    def bright(self, image: Image, roi: Roi | None) -> Image:
        """A picture as it is taken. image: (H, W, 3) as it came; roi: the board's part of it, where that is known"""
        if self.gain == 1.0:
            return image
        half = percentile(_some(image, roi), 50) if roi is not None else 0.0
        self._grown = self._grown + 1 if half > GROWN * self._half else 0
        if self._grown >= GROWN_FRAMES:
            self._take(max(self.gain * self._half / half, 1.0), half)
        return np.asarray(cv2.LUT(image, self._levels), dtype=np.uint8)

    def _take(self, gain: float, half: float) -> None:
        self.gain, self._half, self._grown = gain, max(half, 1.0), 0
        self._levels = np.clip(np.arange(256) * gain + 0.5, 0, 255).astype(np.uint8)


def _some(image: Image, roi: Roi) -> Image:
    x0, y0, x1, y1 = roi
    return image[y0:y1:EVERY, x0:x1:EVERY]
