"""How a picture differs from the board at rest in another light, where both may be as bright as a camera tells.

What a camera clips was brighter than it shows: in a shadow it need not grow dark, in a light it grows no brighter.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box
from vision.differencing import STEP, apart, every, mean_colour, softened
from vision.frames import Image

Mask = NDArray[np.uint8]

CLIPPED = 250  # grey levels: as bright as a camera tells, but for noise and compression
MOST = 255  # grey levels


@dataclass(frozen=True, slots=True)
class SmallAtRest:
    """The board at rest as a small grey picture.

    gray: as of small_gray; clipped: what of that comes from colours that the camera clips, or None where none is;
    follows: the rest of it, which follows the light; sharp: (rows, columns) the same before it was blurred; brightest:
    the most of that.
    """

    gray: Image
    clipped: Image | None
    follows: Image
    sharp: Image
    brightest: int


def small_at_rest(image: Image, roi: Box, step: int = STEP) -> SmallAtRest:
    """A frame (H, W, 3) as what the board looks like at rest."""
    small = every(image, roi, step)
    sharp = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    gray, clipped = softened(sharp), clipped_in(small)
    if clipped is None:
        return SmallAtRest(gray, None, gray, sharp, int(sharp.max()))
    part = np.asarray(cv2.cvtColor(cv2.bitwise_and(small, clipped), cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    sharp = np.asarray(cv2.subtract(sharp, part), dtype=np.uint8)
    blurred = softened(part)
    return SmallAtRest(gray, blurred, np.asarray(cv2.subtract(gray, blurred)), sharp, int(sharp.max()))


def changed_in_light(now: Image, rest: SmallAtRest, field: NDArray[np.float32], threshold: float) -> Mask:
    """Where a grey picture, as of small_gray, differs from the board at rest. -> mask of 0 and 255.

    field: (rows, columns, 3) the light of now against that in which the board was at rest
    """
    size = (now.shape[1], now.shape[0])
    light = np.asarray(cv2.resize(mean_colour(field), size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
    lit = _lit(rest, light)
    if rest.clipped is None:
        return apart(now, lit, threshold)
    darker = cv2.threshold(light, 1.0, 0, cv2.THRESH_TRUNC)[1]
    shaded = cv2.multiply(rest.clipped, darker, dtype=cv2.CV_8U)
    off = unlike_any(now, np.asarray(cv2.add(lit, shaded)), np.asarray(cv2.add(lit, rest.clipped)))
    return np.asarray(cv2.threshold(off, threshold, 255, cv2.THRESH_BINARY)[1])


def _lit(rest: SmallAtRest, light: NDArray[np.float32]) -> Image:
    """What of the board at rest follows the light, in the light of now, which may be such that the camera clips it.
    light: (rows, columns)"""
    if rest.brightest * float(light.max()) <= MOST:
        return np.asarray(cv2.multiply(rest.follows, light, dtype=cv2.CV_8U))
    bright = np.asarray(cv2.multiply(rest.sharp, light, dtype=cv2.CV_16U), dtype=np.uint16)
    beyond = cv2.subtract(bright, np.full_like(bright, MOST))  # 0 of what is no brighter
    lost = cv2.GaussianBlur(beyond, (3, 3), 0)
    return np.asarray(cv2.subtract(cv2.multiply(rest.follows, light, dtype=cv2.CV_16U), lost, dtype=cv2.CV_8U))


def clipped_in(image: Image) -> Image | None:
    """Where a picture is as bright as a camera tells, per colour. -> the same shape, 255 there and else 0; or None"""
    clipped = np.asarray(cv2.threshold(image, CLIPPED - 1, MOST, cv2.THRESH_BINARY)[1], dtype=np.uint8)
    return clipped if cv2.hasNonZero(clipped.reshape(len(clipped), -1)) else None


def unlike_any(now: Image, low: Image, high: Image) -> Image:
    """By how much a picture differs from all between two others, all of one shape."""
    return np.asarray(cv2.max(cv2.subtract(low, now), cv2.subtract(now, high)), dtype=np.uint8)


def unlike(now: Image, lit: Image, was: Image) -> Image:
    """By how much a picture differs from what it was in another light.

    lit: as it would look now; was: as it was, the levels of which may be clipped, in lamps' reflections: these were
    brighter than they show, and differ only where they are darker now. All (h, w) or (h, w, 3).
    """
    off = np.asarray(cv2.absdiff(now, lit), dtype=np.uint8)
    clipped = clipped_in(was)
    if clipped is None:
        return off
    return np.asarray(cv2.copyTo(np.zeros_like(off), cv2.bitwise_and(clipped, cv2.compare(now, lit, cv2.CMP_GT)), off))
