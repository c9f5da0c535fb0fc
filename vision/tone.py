"""How a camera turns light into grey levels, told from shadows that pass over the board.

Everything else takes a change of light for a factor on what the board shows. So it is where a camera's levels follow
the light by a power, as sRGB's do. But cameras bend that line, to make pictures look crisp, and haze lifts the dark:
then a shadow changes the dark paints of a place by another factor than the bright ones beside them, and what is left
unexplained looks like things. How much more or less each level follows the light than it should is seen whenever the
light changes; from that the levels are found for which the light is a factor again. (Response curves from pictures of
one scene in several lights: Debevec and Malik 1997, here with unknown lights, each even over a small block.)
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box
from vision.frames import Image

FloatArray = NDArray[np.float64]
Floats = NDArray[np.float32]
Levels = NDArray[np.uint8]

REDUCED = 4  # pixels of the frame a side that are taken together: noise and edges count less
BLOCK = 8  # of those a side over which light is taken to be even
BINS = 24  # of 256 levels: how a camera bends them is smooth
CHANGED_SHARE = 0.1  # of the blocks in which it has is a good part of the board
CHANGED = (0.03, 0.5)  # by such shares must the light of a block have changed to tell something
ONE_LIGHT = (0.03, 0.45)  # the three colours of a block do by the same share, to so much and such a part of it: else …
PIXEL_OFF = (4.0, 0.35)  # … it is a thing; and so is a pixel that differs by more grey levels, and such a part, from it
CLIPPED = (30.0, 249.0)  # what is darker follows its noise, and what is brighter may be cut off
FIRST_LOOKS, ROUNDS = 6, 3  # so many looks are kept, and gone over again with what they told
ENOUGH = 2500.0  # sum of the squares of the changes: a shadow over half of the board for a second or two …
SURELY = 40000.0  # … and after so much it is known for good
BENT = 0.05  # how far the bend is from straight, root mean square, to be straightened: straight ones seem to 0.046
BIN_SHARE = 2e-3  # of all that was seen: a bin that holds less tells nothing
FROM_DARK, TO_BRIGHT = 70.0, 150.0  # levels that must have been seen: in the dark alone noise and compression bend most
ORDER = 3  # of the polynomial in the level that the bend is taken to be
TIED = 2.5e-4  # how strongly its higher terms are held back where little was seen
BEND_LIMITS = (0.4, 2.0)  # times as much as in proportion: what seems to be bent more is taken to be bent so much
TONE_EVERY_S = 0.4  # between looks at how the camera's levels follow the light
BENDS_MOST = 3  # times that they are straightened
CENTRES = (np.arange(BINS) + 0.5) * (256 / BINS)


def reduced(image: Image, roi: Box) -> Floats:
    """A small picture of the part of a frame that shows the board. -> (rows, columns, 3), both multiples of BLOCK"""
    x0, y0, x1, y1 = roi
    size = tuple(max((b - a) // (REDUCED * BLOCK), 1) * BLOCK for a, b in ((x0, x1), (y0, y1)))
    return np.asarray(cv2.resize(image[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def light_changed(field: NDArray[np.float32]) -> bool:
    """True where in a good part of the board the light is another one. field: (rows, columns, 3) its ratio"""
    even = np.asarray(cv2.transform(field, np.full((1, 3), 1 / 3, np.float32)))  # far quicker than numpy's mean
    return bool(np.count_nonzero(np.abs(even - 1.0) > CHANGED[0]) > CHANGED_SHARE * even.size)


class ToneMeter:
    """Gathers how much each grey level follows the light. Pictures must be of one camera, and as `reduced`."""

    def __init__(self) -> None:
        self._looks: list[tuple[NDArray[np.float16], NDArray[np.float16]]] = []  # to an eighth of a level
        self._follows = np.zeros(BINS)
        self._seen = np.zeros(BINS)
        self._bend = np.ones(BINS)

    def look(self, now: Floats, before: Floats) -> None:
        """Takes in how the board looks now, in another light than before. now, before: (rows, columns, 3)"""
        if len(self._looks) < FIRST_LOOKS:
            self._looks.append((now.astype(np.float16), before.astype(np.float16)))
        follows, seen = _followed(now, before, self._bend)
        self._follows += follows
        self._seen += seen

    @property
    def settled(self) -> bool:
        """True where so much was seen that no more would tell otherwise."""
        return float(self._seen.sum()) > SURELY

    def curve(self) -> Levels | None:
        """(256,) the level to put in each one's place for light to be a factor; None while too little was seen, or
        where the camera's are straight as they are."""
        if self._seen.sum() < ENOUGH:
            return None
        known = CENTRES[self._seen > BIN_SHARE * self._seen.sum()]
        if known.min() > FROM_DARK or known.max() < TO_BRIGHT:
            return None
        for _ in range(ROUNDS):
            self._bend = _bend(self._follows, self._seen)
            if len(self._looks) < FIRST_LOOKS:  # the changes of light themselves depend on the bend: few looks, again
                pairs = ((a.astype(np.float32), b.astype(np.float32)) for a, b in self._looks)
                totals = [_followed(now, before, self._bend) for now, before in pairs]
                self._follows, self._seen = (np.sum([t[i] for t in totals], axis=0) for i in (0, 1))
                if self._seen.sum() < ENOUGH:  # by the bend that they seemed to tell hardly any of them is light
                    return None
        off = math.sqrt(float((self._seen * (self._bend - 1.0) ** 2).sum() / self._seen.sum()))
        return straightened(self._bend) if off > BENT else None


class Straightener:
    """Straightens a camera's levels where they turn out to be bent. curve: what is put in their place, or None"""

    def __init__(self) -> None:
        self.curve: Levels | None = None
        self._meter: ToneMeter | None = ToneMeter()  # None where the camera's levels are known
        self._rested: tuple[Image, Box, Floats] | None = None  # the board at rest when it was last looked at, reduced
        self._time_s = 0.0
        self._bends = 0

    def straight(self, image: Image) -> Image:
        """A frame in levels for which light is a factor, as far as is known."""
        return image if self.curve is None else toned(image, self.curve)

    def look(self, time_s: float, images: tuple[Image, Image], roi: Box, light: NDArray[np.float32]) -> Levels | None:
        """Learns from a frame in another light. images: the frame and the board at rest, both straight; light: ratio

        -> (256,) the levels to put in the place of all pictures' that are kept, or None
        """
        if self._meter is None or time_s - self._time_s < TONE_EVERY_S or not light_changed(light):
            return None
        self._time_s = time_s
        now, rested = images
        if self._rested is None or self._rested[0] is not rested or self._rested[1] != roi:
            self._rested = rested, roi, reduced(rested, roi)
        self._meter.look(reduced(now, roi), self._rested[2])
        curve = self._meter.curve()
        if curve is None:
            self._meter = None if self._meter.settled else self._meter
            return None
        self.curve = curve if self.curve is None else curve[self.curve]
        self._bends += 1
        self._meter = ToneMeter() if self._bends < BENDS_MOST else None  # what is left of the bend is seen more exactly
        return curve


def _followed(now: Floats, before: Floats, bend: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each bin of levels how far they went along with the light, times its change, and the squares of that.

    bend: (BINS,) how much more than in proportion each is thought to follow it.
    """
    rows, columns = now.shape[0] // BLOCK, now.shape[1] // BLOCK
    level = 0.5 * (now + before)
    due = level
    if (bend != 1.0).any():
        due = level * np.interp(level.ravel(), CENTRES, bend).reshape(level.shape).astype(np.float32)
    change = now - before
    parts = (rows, BLOCK, columns, BLOCK, 3)
    power = np.square(due).reshape(parts).sum(axis=(1, 3))
    light = (due * change).reshape(parts).sum(axis=(1, 3)) / np.maximum(power, 1e-3)  # (rows, columns, 3)
    even = light.mean(axis=2)
    one = np.ptp(light, axis=2) < ONE_LIGHT[0] + ONE_LIGHT[1] * np.abs(even)
    told = one & (np.abs(even) > CHANGED[0]) & (np.abs(even) < CHANGED[1])
    over, counts = (np.repeat(np.repeat(a, BLOCK, 0), BLOCK, 1)[..., None] for a in (even.astype(np.float32), told))
    fits = np.abs(change - over * due) < PIXEL_OFF[0] + PIXEL_OFF[1] * np.abs(over * due)
    clear = (np.minimum(now, before) > CLIPPED[0]) & (np.maximum(now, before) < CLIPPED[1])
    use = counts & fits & clear
    bins = (level[use] * (BINS / 256)).astype(np.intp)
    over = np.broadcast_to(over, level.shape)[use]
    ratio = change[use] / level[use]
    sums = (np.bincount(bins, weights=w * over, minlength=BINS)[:BINS] for w in (ratio, over))
    follows, seen = (np.asarray(s, dtype=np.float64) for s in sums)
    return follows, seen


def _bend(follows: FloatArray, seen: FloatArray) -> FloatArray:
    """(BINS,) how much more than in proportion each level follows the light, 1 on the whole; a smooth line."""
    known = seen > BIN_SHARE * seen.sum()
    x = CENTRES / 128.0 - 1.0
    terms = np.vander(x, ORDER + 1, increasing=True)
    weight = np.where(known, seen / seen.sum(), 0.0)
    value = np.where(known, follows / np.maximum(seen, 1e-9), 1.0)
    tied = TIED * np.diag(np.arange(ORDER + 1, dtype=np.float64))
    factors = np.linalg.solve(terms.T @ (terms * weight[:, None]) + tied, terms.T @ (weight * value))
    low, high = CENTRES[known].min(), CENTRES[known].max()
    line = np.interp(np.clip(CENTRES, low, high), CENTRES, terms @ factors)  # beyond what was seen it is as at its end
    line = line / float((line * weight).sum() / weight.sum())
    return np.asarray(np.clip(line, *BEND_LIMITS))


def straightened(bend: FloatArray) -> Levels:
    """(256,) the levels for which light is a factor, white as it is. bend: (BINS,) as the levels follow it now"""
    levels = np.arange(1, 256)
    steps = 1.0 / (levels * np.interp(levels, CENTRES, bend))
    light = np.concatenate([[0.0], np.cumsum(0.5 * (steps[1:] + steps[:-1]))])  # logarithm of the light
    out = np.concatenate([[0.0], 255.0 * np.exp(light - light[-1])])
    return np.clip(out + 0.5, 0, 255).astype(np.uint8)


def toned(image: Image, curve: Levels) -> Image:
    """A picture with other levels in its levels' place."""
    return np.asarray(cv2.LUT(image, curve), dtype=np.uint8)


__all__ = ["Levels", "Straightener", "ToneMeter", "light_changed", "reduced", "straightened", "toned"]
