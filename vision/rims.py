"""Sharp shadows: where somebody comes between a small lamp and the board, light changes within a finger's breadth.

The light of a frame is followed in blocks (CoarseChange.light), between which it is taken to change evenly. Beside a
sharp shadow's rim it does not: what is left there looks like a thing that reaches in from outside. So while there is
such a rim, shadows are divided out of the frames, finer than in blocks where a rim is: what is of the ground's own hue,
no brighter and no darker than the light on both sides of it, and less steep than things are.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box
from vision.differencing import CoarseChange, every, mean_colour
from vision.frames import Image

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

LEAST = 0.01  # light against that of the board at rest: of less nothing is told
STEP, CELL = 2, 2  # of every so many-th pixel of a frame so many by so many make a cell of light
DIM = 0.1  # a block whose light has changed by more than this (a natural logarithm, as all below) may be in a shadow
BLOCKS_LEAST = 6  # blocks that are
WINDOW = 5  # blocks, in whose middle the light of most of them counts: things are smaller
LEVELS_APART = 0.2  # light on both sides of a rim, which is less than three blocks broad
BETWEEN = 0.05  # the light of a rim may be beyond that of its sides by so much
LEFT_OVER = 0.08  # light that is not followed by blocks
HUE = 0.1  # how far its colours may have changed against each other
STEEP = 0.6  # of the light between both sides, from one cell to the next but one: things begin so
PIECE, FIRST_PIECE = 0.0007, 0.0027  # of all cells: a piece of a rim has so many, and the first one seen this many
NEAR = 7  # cells around a rim whose light is told as finely
SMOOTH, WIDE, FILLED = 1.0, 4.0, 0.05  # cells over which light is even, and where things lie, and what that counts
FRAMES = 30  # from one rim on, to which shadows are divided out if there is no other
EVERY = 3  # the first rim is looked for in every so many-th frame, as a look takes some milliseconds


class Shadows:
    """Whether there is a sharp shadow on the board, or where one was, against how the board looks at rest.

    divides: whether one was divided out of the last frame.
    """

    def __init__(self) -> None:
        self.divides = False
        self._left = 0  # frames for which shadows are divided out, if no rim is seen again
        self._until_look = 0  # frames
        self._brighter: tuple[Image, Image] | None = None  # the last frame as divided out and as it came, if it is

    def divided_out(self, image: Image, rested: Image, change: CoarseChange, roi: Box) -> Image:
        """A frame in which shadows are as bright as all else, while there is a sharp one; the frame itself otherwise.

        image, rested: (H, W, 3) frames of now and of the board at rest; change: between both; roi: the part of them
        that is looked at.
        """
        self.divides, self._brighter = False, None
        may_be_light = change.is_light
        changed = np.log(np.maximum(mean_colour(change.relative), LEAST))
        if np.count_nonzero(may_be_light & (np.abs(changed) > DIM)) < BLOCKS_LEAST:
            self._left = 0
            return image
        blocks = _without_things(changed, may_be_light)
        low, high = (
            np.asarray(side(blocks, np.ones((3, 3), np.uint8)), dtype=np.float32) for side in (cv2.erode, cv2.dilate)
        )
        sharp = float((high - low).max()) > LEVELS_APART
        self._left = max(self._left - 1, 0)
        self._until_look = max(self._until_look - 1, 0)
        if not self._left and (not sharp or self._until_look):
            return image
        self._until_look = EVERY
        x0, y0, x1, y1 = roi
        size = (math.ceil((x1 - x0) / (STEP * CELL)), math.ceil((y1 - y0) / (STEP * CELL)))
        shadow = np.asarray(cv2.resize(blocks, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
        if sharp:
            level, light, rim = _rims(image, rested, change, roi, low, high)
            near = _near_pieces(rim, PIECE if self._left else FIRST_PIECE)
            if near is not None:
                self._left = FRAMES
                shadow = shadow + np.where(near, _smoothed(level - shadow, light & near), 0.0).astype(np.float32)
        if not self._left:
            return image
        self.divides = True
        overall = math.log(max(float(change.overall.mean()), LEAST))
        out = _divided(image, shadow + max(overall, 0.0), roi)  # no part of it brighter than the board at rest
        self._brighter = (out, image) if overall + float(shadow.mean()) > 0 else None
        return out

    def left(self, image: Image) -> Image | None:
        """The last frame as it came, of which `image` was made, where on the whole it is brighter than the board at
        rest: that was in a shadow which has left."""
        return self._brighter[1] if self._brighter is not None and image is self._brighter[0] else None


def _without_things(level: Floats, light: Mask) -> Floats:
    """The light of blocks, (rows, columns), where things that are smaller than some of them are left out."""
    weight = light.astype(np.float32)
    near = cv2.blur(np.dstack([level * weight, weight]), (WINDOW + 2, WINDOW + 2), borderType=cv2.BORDER_REPLICATE)
    filled = np.where(light, level, near[..., 0] / np.maximum(near[..., 1], 1e-3)).astype(np.float32)
    return np.asarray(cv2.medianBlur(filled, WINDOW), dtype=np.float32)


def _rims(
    image: Image, rested: Image, change: CoarseChange, roi: Box, low: Floats, high: Floats
) -> tuple[Floats, Mask, Mask]:
    """Each cell's light, whether it may be light at all, and whether it is that of a rim which blocks do not follow.

    low, high: (rows, columns) the least and the most light around each block.
    """
    now, was = (_cells(frame, roi) for frame in (image, rested))
    ratio = now / was / change.overall
    size = ratio.shape[1::-1]
    level = np.log(mean_colour(ratio))
    followed = np.log(np.maximum(mean_colour(change.light() / change.overall), LEAST))
    unlike = np.abs(level - cv2.resize(followed, size, interpolation=cv2.INTER_LINEAR)) > LEFT_OVER
    least, most = (cv2.resize(side, size, interpolation=cv2.INTER_NEAREST) for side in (low, high))
    apart = most - least
    hue = np.log(ratio.max(axis=2) / ratio.min(axis=2))
    smooth, around = cv2.blur(level, (2, 2)), np.ones((3, 3), np.uint8)
    steep = cv2.dilate(smooth, around) - cv2.erode(smooth, around)
    light = (hue < HUE) & (level > least - BETWEEN) & (level < most + BETWEEN) & (steep < STEEP * apart)
    return level, light, light & (apart > LEVELS_APART) & unlike


def _near_pieces(rim: Mask, least: float) -> Mask | None:
    """What lies near the pieces of rims; None where none of them has as many cells as such a share of all."""
    labels, stats = cv2.connectedComponentsWithStats(rim.astype(np.uint8), connectivity=8)[1:3]
    area = stats[1:, cv2.CC_STAT_AREA]  # the first is the ground
    if area.max(initial=0) < least * rim.size:
        return None
    pieces = np.concatenate([[False], area >= PIECE * rim.size])[labels].astype(np.uint8)
    return np.asarray(cv2.dilate(pieces, np.ones((NEAR, NEAR), np.uint8)) > 0)


def _smoothed(values: Floats, known: Mask) -> Floats:
    """Cells' values where they are known; elsewhere as around, for where a thing lies it is as bright."""
    weighted = np.dstack([values * known, known]).astype(np.float32)
    both = cv2.GaussianBlur(weighted, (0, 0), SMOOTH) + FILLED * cv2.GaussianBlur(weighted, (0, 0), WIDE)
    return np.asarray(both[..., 0] / np.maximum(both[..., 1], 1e-3), dtype=np.float32)


def _divided(image: Image, light: Floats, roi: Box) -> Image:
    """A copy of a frame divided by the light of cells, (rows, columns), a logarithm."""
    x0, y0, x1, y1 = roi
    out = image.copy()
    factor = cv2.resize(np.exp(-light), (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
    out[y0:y1, x0:x1] = cv2.multiply(out[y0:y1, x0:x1], cv2.merge([factor] * 3), dtype=cv2.CV_8U)
    return out


def _cells(image: Image, roi: Box) -> Floats:
    """Mean colours of a frame's cells. -> (rows, columns, 3)"""
    part = every(image, roi, STEP)
    size = (math.ceil(part.shape[1] / CELL), math.ceil(part.shape[0] / CELL))
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), dtype=np.float32) + 2.0
