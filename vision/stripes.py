"""Stripes that lamps leave in the picture: they flicker with the mains, and most cameras expose row after row.

Where the shutter is open for no multiple of the flicker's time, the rows of a frame see more or less of the light, and
in the next frame others do. To take that for motion would be to take all for motion.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.medians import median_colour
from vision.frames import Image

Floats = NDArray[np.float32]

BLOCK = (16, 8)  # pixels of the small grey picture, across and down, whose light is compared as one
STRIPES_LEAST = 0.006  # root mean square of what rows change against each other: less of it is no motion anyway
ROWS_TELL = 1.5  # and by so much more than blocks do against their rows, and one half of the rows against the other
ALL_OVER = 0.25  # half of the rows change by this part of that, or more: a thing changes some by much
GAINS = (0.75, 1.3)  # lamps' flicker is never more
EVERY = 2  # frames between looks for stripes while there are none: under mains of 50 Hz each third frame looks alike
USUAL = 0.17  # how much the last look counts in whether there are any
SEEN, GONE = 0.5, 0.2  # share of the looks in which they show, from which on and to which they are reckoned with


class Stripes:
    """Whether the rows of a camera's frames differ in light, and by how much from those of the frame before."""

    def __init__(self) -> None:
        self._share = 0.0
        self._turn = 0
        self.seen = False

    def evened(self, before: Image, now: Image) -> Image:
        """The frame before, its rows in the light of those of now; itself where there are no stripes.

        before, now: (rows, columns) small grey pictures
        """
        self._turn = (self._turn + 1) % EVERY
        if self._turn and not self.seen:
            return before
        rows, apart = _rows(now, before)
        change, usual = float(rows.std()), float(_median(np.abs(rows - 1.0)))
        striped = change > max(STRIPES_LEAST, ROWS_TELL * apart) and usual > ALL_OVER * change
        self._share += USUAL * (striped - self._share)
        self.seen = self._share > (GONE if self.seen else SEEN)
        if not self.seen:
            return before
        h, w = before.shape
        gain = cv2.resize(np.clip(rows, *GAINS).reshape(-1, 1), (1, h), interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(before, cv2.repeat(gain, 1, w), dtype=cv2.CV_8U), dtype=np.uint8)


def _rows(now: Image, before: Image) -> tuple[Floats, float]:
    """How much brighter each band of rows has become against the whole, by the most of its blocks, so that what moves
    does not count; and how far blocks are from that, in the middle, or halves from each other. -> (bands,), ratio"""
    h, w = now.shape
    size = (max(w // BLOCK[0], 1), max(h // BLOCK[1], 1))
    fine = (g.astype(np.float32) for g in (now, before))  # a dim board's stripes are less than a grey level
    a, b = (cv2.resize(g, size, interpolation=cv2.INTER_AREA) + np.float32(1.0) for g in fine)
    ratio = np.asarray(a / b, dtype=np.float32)
    rows = np.asarray(median_colour(ratio.T), dtype=np.float32)
    apart = float(_median(np.abs(ratio / rows[:, None] - 1.0)))
    half = size[0] // 2
    if half:  # what is not the same to the left and to the right is a thing
        left, right = (np.asarray(median_colour(side.T)) for side in (ratio[:, :half], ratio[:, half:]))
        apart = max(apart, float((left / right).std()))
    return np.asarray(rows / _median(rows), dtype=np.float32), apart


def _median(values: Floats) -> np.float32:
    """The median of them all."""
    return np.float32(median_colour(values.reshape(-1, 1))[0])
