"""The pictures of a camera that gets hardly any light are made brighter before anything is looked for in them.

Much of what tells a thing from noise and from a coder's blocks is told in grey levels, as they are in rooms that are
dim at the darkest. In a room that is darker still, seen by a camera whose exposure is locked, pucks hardly differ from
the board by so much, though they show well enough.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.boxes import Box
from vision.differencing import CHANGE_MAX, NOISE_FACTOR, noise_between, percentile
from vision.frames import Image

DARK = 38.0  # mean grey levels of the board: one that has fewer …
FAIR = 42.0  # … is made so bright …
MOST = 8.0  # times brighter: a board that is darker still is taken as it comes, as a camera tells too few levels of it
WHITEST, WHITEST_SHARE = 230.0, 99.9  # … as long as of all its levels so many in a hundred get no higher than this
TOO_DARK = 20.0  # mean grey levels: of a board that has fewer shots were missed
DARK_BOARD = (
    "the board is dark: {mean} grey levels of 255 in the mean, expected {least} or more: add a lamp, or raise "
    "the camera's gain; else shots may be missed"
)
EVERY = 4  # of every so many-th pixel
NOISE_MOST = CHANGE_MAX / NOISE_FACTOR  # grey levels, standard deviation: with more no change is told from noise
NOISE_LEAST = 0.1  # grey levels: no camera has less
OTHER = 1.05  # times another gain than that which is taken is taken instead, before the board was looked at
GROWN = 1.25  # the light has grown, where half of the board is so many times brighter …
GROWN_FRAMES = 3  # … in so many frames: then pictures are made so much less bright


class Brightening:
    """How many times brighter than they come a camera's pictures are taken. gain: 1.0 where they are taken as they come

    It fits the board until that is looked at for the first time; from then on it gets no greater, and less as the light
    grows.
    """

    def __init__(self) -> None:
        self.gain, self._mean, self._white = 1.0, 255.0, 255.0
        self._levels = np.arange(256, dtype=np.uint8)
        self._before: Image | None = None
        self._half = 0.0  # of the board's levels are below this, as they come
        self._grown = 0

    def fit(self, image: Image, roi: Box) -> None:
        """Before the first look at the board. image: (H, W, 3) as it came; roi: the board's part of it"""
        some, before = _some(image, roi).copy(), self._before  # else all of a picture would be kept
        self._before = some
        if before is None or before.shape != some.shape:  # noise shows in two
            return
        self._mean, self._white = mean, white = float(some.mean()), percentile(some, WHITEST_SHARE)
        noise = noise_between(some, before)
        gain = 1.0
        if FAIR / MOST <= mean < (DARK if self.gain == 1.0 else OTHER * DARK):
            gain = max(min(FAIR / mean, WHITEST / max(white, 1.0), NOISE_MOST / max(noise, NOISE_LEAST)), 1.0)
        if max(gain, self.gain) > OTHER * min(gain, self.gain):
            self._take(gain, percentile(some, 50))

    def doubts(self, level: float) -> tuple[str, ...]:
        """What is to be said of a board that is hardly lit. level: of it now, as it is taken; 0: not known yet"""
        painted_dark = self._white > WHITEST * TOO_DARK / FAIR  # its markers are white
        dark = self._mean < TOO_DARK and not painted_dark and level < GROWN * TOO_DARK * self.gain
        return (DARK_BOARD.format(mean=int(self._mean), least=int(TOO_DARK)),) if dark else ()

    def bright(self, image: Image, roi: Box | None) -> Image:
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


def _some(image: Image, roi: Box) -> Image:
    x0, y0, x1, y1 = roi
    return image[y0:y1:EVERY, x0:x1:EVERY]
