"""Frame differencing: what changed since the last frame, and since the board last lay still."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.medians import median_colour
from vision.boxes import Box
from vision.frames import Image

Mask = NDArray[np.uint8]
FloatArray = NDArray[np.float64]

STEP = 2  # masks have half the resolution of the pictures, and less of fine ones (TopView.step)
BLOCK = 24  # pixels of a block over which light is taken to be even
SPARSE = 3  # of these pixels, every so many-th is enough for the light of a block
COARSE = 8  # for the light of every frame, a block is so many of the view's light_step-th pixels
LEVELS_AN_OCTAVE = 85.0  # steps of 0.8 %, over one and a half octaves up and down …
SAME_LEVEL = 128.0  # … from that of light which has not changed
MEDIAN_PX = 9  # of those of which blocks are made: a block and a bit
LIGHT_SPAN = (0.45, 1.9)  # people's shadows change the light by so much against the rest of the board
LIGHT_HUE = 1.09  # colours that change by more than this against each other are things, not light
AROUND, FURTHER = 3, 9  # blocks, odd: the light of one is smoothed over those around it, and where few of these tell …
FURTHER_WEIGHT, NOWHERE_WEIGHT = 0.1, 1e-3  # … over those further off, and where none do, of all: so much these weigh
RECOLOURED = 0.15  # a block whose colours change by more than this against each other shows a thing …
RECOLOURED_NOISE = 6.0  # … or by more than so many times what half of the blocks do
NOISE_FACTOR = 4.5  # a change counts above this many standard deviations of the camera's noise
STILL, STILL_SIGMAS = 70, 1.47  # of two pictures' pixels so many in a hundred differ by no more than so much noise
NOISE_EVERY = 4  # every so many-th pixel tells the camera's noise …
NOISE_ADDED = 0.3  # … and in whole grey levels shows so much too little of it
NOISE_FOLLOWS = 0.1  # share of what two pictures tell that is believed
SIGMA_OF_MEDIAN = 1.48  # noise's standard deviation is so many times the median of its size
CHANGE_MIN = 9.0  # grey levels: below that it is compression and texture, however quiet the camera
CHANGE_MAX = 26.0  # above that it is a change, however noisy the camera
CLIPPED_BLOCK = 248.0  # the mean of a block in one colour, 2 more as coarse_picture has it, that tells no light
WHITE_COLOURS = 2  # a block that is clipped in so many of three colours shows hardly anything
LEAST_GAIN = 0.004  # light that changes by less has not changed
GAIN_LIMITS = (0.25, 4.0)  # light may change by so much between two frames


def small_gray(image: Image, roi: Box, step: int = STEP) -> Image:
    """Small grey picture, of every so many-th pixel, of the part of a frame that shows the board."""
    x0, y0, x1, y1 = roi
    if (x1 - x0) % step == (y1 - y0) % step == 0:  # in half the time: whole rows, the first of so many pixels of each
        rows = np.asarray(cv2.cvtColor(image[y0:y1:step, x0:x1], cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        return softened(np.asarray(cv2.extractChannel(rows.reshape(len(rows), -1, step), 0), dtype=np.uint8))
    return softened(np.asarray(cv2.cvtColor(every(image, roi, step), cv2.COLOR_BGR2GRAY), dtype=np.uint8))


def softened(small: Image) -> Image:
    """A small grey picture with less noise."""
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), dtype=np.uint8)


def every(image: Image, roi: Box, step: int) -> Image:
    """Every so many-th pixel of a part of a picture; quicker than a slice with a step, which others have to copy."""
    x0, y0, x1, y1 = roi
    size = (math.ceil((x1 - x0) / step), math.ceil((y1 - y0) / step))
    return np.asarray(cv2.resize(image[y0:y1, x0:x1], size, interpolation=cv2.INTER_NEAREST))


def light_gain(now: Image, before: Image) -> float:
    """How much brighter `now` is than `before` as a whole, by the median of blocks, so that a hand does not count."""
    size = (max(now.shape[1] // BLOCK, 1), max(now.shape[0] // BLOCK, 1))
    a, b = (
        cv2.resize(np.ascontiguousarray(g[::SPARSE, ::SPARSE]), size, interpolation=cv2.INTER_AREA) + np.float32(1.0)
        for g in (now, before)
    )
    gain = float(median_colour((a / b).reshape(-1, 1))[0])
    return min(max(gain, GAIN_LIMITS[0]), GAIN_LIMITS[1])


def changed(now: Image, before: Image, threshold: float) -> Mask:
    """Where a grey picture differs from an earlier one, light divided out. -> mask of 0 and 255."""
    return apart(now, in_gain(before, light_gain(now, before)), threshold)


def in_gain(before: Image, gain: float) -> Image:
    """A grey picture in a light that is another one as a whole."""
    return before if abs(gain - 1.0) <= LEAST_GAIN else np.asarray(cv2.convertScaleAbs(before, alpha=gain))


def apart(now: Image, before: Image, threshold: float) -> Mask:
    """Where two grey pictures differ. -> mask of 0 and 255."""
    return beyond(np.asarray(cv2.absdiff(now, before)), threshold)


def beyond(difference: Image, threshold: float) -> Mask:
    """Where a difference of two grey pictures is more than a threshold. -> mask of 0 and 255."""
    return np.asarray(cv2.threshold(difference, threshold, 255, cv2.THRESH_BINARY)[1])


def coarse_picture(image: Image, roi: Box, step: int) -> NDArray[np.float32]:
    """Mean colours of blocks of the board's part of a frame, by every so many-th pixel. -> (rows, columns, 3)"""
    part = every(image, roi, step)
    size = (max(part.shape[1] // COARSE, 1), max(part.shape[0] // COARSE, 1))
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), dtype=np.float32) + 2.0


def whitened(coarse: NDArray[np.float32], colours: int = WHITE_COLOURS) -> Mask:
    """Which blocks of a coarse picture are as bright as a camera tells in so many colours; in all but one, they show
    nothing. -> (rows, columns) of 0 and 1"""
    b, g, r = colour_planes(np.asarray(coarse > CLIPPED_BLOCK).view(np.uint8))
    return np.asarray(b + g + r >= colours, dtype=np.uint8)


def colour_planes(colours: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The three colours of (h, w, 3), (h, w) each: numpy is a good deal slower along an axis of three."""
    return colours[..., 0], colours[..., 1], colours[..., 2]


def mean_colour(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of the three colours of (h, w, 3), as numpy's mean(axis=2), in a sixth of the time. -> (h, w)"""
    b, g, r = colour_planes(colours)
    return np.asarray((b + g + r) / np.float32(3.0))


@dataclass(frozen=True, slots=True)
class CoarseChange:
    """How coarse colours have changed.

    overall: (3,) ratio of the whole; relative: (rows, columns, 3) each block's against it; low, high: (rows, columns)
    the least and the most of a block's three; clipped: (rows, columns) where one of its colours is as bright as a
    camera tells, before and now; now: (rows, columns, 3) the coarse picture.
    """

    overall: NDArray[np.float32]
    relative: NDArray[np.float32]
    low: NDArray[np.float32]
    high: NDArray[np.float32]
    clipped: NDArray[np.bool_]
    now: NDArray[np.float32]

    @property
    def white(self) -> Mask:
        """(rows, columns) of 0 and 1, as of whitened, now."""
        return whitened(self.now)

    @property
    def brightness(self) -> float:
        """Of the whole, against before."""
        return float(self.overall.mean())

    @property
    def is_light(self) -> NDArray[np.bool_]:
        """(rows, columns) where a change may be one of light, and tells it."""
        light = (self.low > LIGHT_SPAN[0]) & (self.high < LIGHT_SPAN[1]) & (self.high < LIGHT_HUE * self.low)
        return light & ~self.clipped

    def light(self, hidden: NDArray[Any] | None = None) -> NDArray[np.float32]:
        """How the light has changed over the board. -> (rows, columns, 3) ratio

        What changes colour, or brightness by more than a shadow does, is taken for a thing and not for light; where
        nothing around tells of it, light is taken to be that of the whole. hidden: (rows, columns) other than 0 where
        a block shows a thing in any case
        """
        light = self.is_light if hidden is None else self.is_light & (hidden == 0)
        weight = light.astype(np.float32)[..., None]
        weighted = np.concatenate([self.relative * weight, weight], axis=2)
        known = cv2.blur(weighted, (AROUND, AROUND), borderType=cv2.BORDER_REPLICATE)
        wide = cv2.blur(weighted, (FURTHER, FURTHER), borderType=cv2.BORDER_REPLICATE)
        both = known + FURTHER_WEIGHT * (wide + NOWHERE_WEIGHT)
        smooth = both[..., :3] / both[..., 3:]
        relative = np.where(light[..., None], 0.5 * self.relative + 0.5 * smooth, smooth)
        return np.asarray(relative * self.overall, dtype=np.float32)

    def recoloured(self) -> Mask:
        """Blocks whose colours have changed against each other as no light does: things, even where as bright as the
        board. -> (rows, columns) of 0 and 1"""
        off = self.high / self.low - 1.0
        usual = float(median_colour(off.reshape(-1, 1))[0])
        return np.asarray(off > max(RECOLOURED, RECOLOURED_NOISE * usual), dtype=np.uint8)


def coarse_change(now: NDArray[np.float32], before: NDArray[np.float32]) -> CoarseChange:
    """now, before: (rows, columns, 3) coarse pictures."""
    ratio = now / before
    overall = median_colour(ratio.reshape(-1, 3))
    relative = ratio / overall
    b, g, r = colour_planes(relative)
    low, high = np.minimum(np.minimum(b, g), r), np.maximum(np.maximum(b, g), r)
    blue, green, red = colour_planes(np.minimum(now, before) > CLIPPED_BLOCK)
    clipped = np.asarray(blue | green | red)
    return CoarseChange(overall, relative, low, high, clipped, now)


def steady_light(image: Image, before: Image, roi: Box, step: int) -> NDArray[np.float32]:
    """How the light of each block has changed, by the most of its pixels: a black puck that left is no light.

    Slower than the ratio of the blocks' means. image, before: (H, W, 3) frames; step: of a view. -> (rows, columns, 3)
    ratio
    """
    now, was = (every(frame, roi, step).astype(np.float32) + 2.0 for frame in (image, before))
    ratio = now / was
    overall = median_colour(ratio.reshape(-1, 3))
    octaves = np.log2(ratio / overall)
    levels = np.clip(octaves * LEVELS_AN_OCTAVE + SAME_LEVEL, 0, 255).astype(np.uint8)
    size = (max(now.shape[1] // COARSE, 1), max(now.shape[0] // COARSE, 1))
    most = cv2.resize(cv2.medianBlur(levels, MEDIAN_PX).astype(np.float32), size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.exp2((most - SAME_LEVEL) / LEVELS_AN_OCTAVE) * overall, dtype=np.float32)


def noise_between(now: Image, before: Image) -> float:
    """The noise, a standard deviation in grey levels, of two pictures in one light, whatever moves in a small part."""
    return percentile(np.asarray(cv2.absdiff(now, before)), STILL) / STILL_SIGMAS


@dataclass(slots=True)
class NoiseMeter:
    """Follows the camera's noise, so that the threshold fits a dim room and a bright one."""

    sigma: float = 2.0

    def update(self, now: Image, before: Image) -> None:
        """Learns from two successive pictures in one light, whatever moves in a small part of them."""
        some = (slice(None, None, NOISE_EVERY),) * 2
        sigma = noise_between(now[some], before[some]) + NOISE_ADDED
        self.sigma += NOISE_FOLLOWS * (sigma - self.sigma)

    @property
    def threshold(self) -> float:
        return min(max(NOISE_FACTOR * self.sigma, CHANGE_MIN), CHANGE_MAX)


def percentile(levels: Image, share: float) -> float:
    """numpy's percentile of whole levels from 0 to 255, to the last bit, by counting them."""
    flat = np.ascontiguousarray(levels).reshape(-1, 1)
    counted = np.cumsum(cv2.calcHist([flat], [0], None, [256], [0, 256]))
    at = (len(flat) - 1) * (share / 100)
    whole = math.floor(at)
    below, above = (int(level) for level in np.searchsorted(counted, [whole, whole + 1], side="right"))
    above, part = min(above, 255), at - whole
    return below + (above - below) * part if part < 0.5 else above - (above - below) * (1 - part)


def in_light(top: Image, gain: NDArray[np.floating[Any]]) -> Image:
    """A picture in another light. gain: (h, w, 3), or (3,) for all of it, which is far quicker"""
    if gain.ndim == 1:
        levels = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)
        return np.asarray(cv2.LUT(top, levels[:, None]), dtype=np.uint8)
    return np.asarray(np.clip(top * gain, 0, 255), dtype=np.uint8)


def light_field(now: Image, before: Image) -> NDArray[np.float32]:
    """Smooth ratio of light between two top views, per colour. -> (h, w, 3) float32, to multiply `before` with."""
    field = coarse_light_field(now, before)
    return np.asarray(cv2.resize(field, (now.shape[1], now.shape[0]), interpolation=cv2.INTER_LINEAR))


def coarse_light_field(now: Image, before: Image) -> NDArray[np.float32]:
    """The same, one ratio a block. -> (rows, columns, 3) float32

    Blocks that differ from their neighbourhood (a hand, a puck) are outvoted by the median of a 5 x 5 window.
    """
    h, w = now.shape[:2]
    size = (max(w // BLOCK, 1), max(h // BLOCK, 1))
    a = cv2.resize(now, size, interpolation=cv2.INTER_AREA).astype(np.float32) + 2.0
    b = cv2.resize(before, size, interpolation=cv2.INTER_AREA).astype(np.float32) + 2.0
    ratio = a / b
    overall = median_colour(ratio.reshape(-1, 3))
    relative = np.clip(ratio / overall, 0.5, 2.0).astype(np.float32)
    channels = [cv2.medianBlur(np.ascontiguousarray(relative[..., c]), 5) for c in range(3)]
    smooth = cv2.GaussianBlur(np.dstack(channels), (0, 0), 1.5)
    return np.asarray(smooth * overall, dtype=np.float32)
