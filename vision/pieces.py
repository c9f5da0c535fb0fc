"""The pieces of a mask, by their outlines: much quicker than labelling every pixel, where most of a mask is empty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]

OUTER = 3  # where OpenCV's hierarchy of outlines has the one around; negative: none, it is no hole


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a mask: its pixels are connected, by their corners too.

    window: the rows and columns that hold it; size: (w, h); inside: (h, w) of 0 and 1, its pixels.
    """

    window: tuple[slice, slice]
    size: tuple[int, int]
    inside: Mask

    @property
    def pixels(self) -> int:
        return cv2.countNonZero(self.inside)


def pieces(mask: Mask, least: float = 0.0) -> Iterator[Piece]:
    """The pieces of a mask (0 or not) that have more than so many pixels."""
    outlines, hierarchy = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for index, outline in enumerate(outlines):
        if hierarchy[0, index, OUTER] >= 0 or _enclosed(outline) <= least:
            continue
        x, y, w, h = cv2.boundingRect(outline)
        window = (slice(y, y + h), slice(x, x + w))
        inside = np.zeros((h, w), np.uint8)
        cv2.drawContours(inside, outlines, index, 1, cv2.FILLED, hierarchy=hierarchy, maxLevel=1, offset=(-x, -y))
        inside[mask[window] == 0] = 0
        piece = Piece(window, (w, h), inside)
        if piece.pixels > least:
            yield piece


def largest(mask: Mask) -> float:
    """How many pixels the outline of a mask's largest piece encloses, holes included; 0 where there is none."""
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    return max((_enclosed(o) for o in outlines), default=0.0)


def _enclosed(outline: Any) -> float:
    """Pixels that a closed outline of pixels encloses, itself included (Pick's theorem)."""
    return float(cv2.contourArea(outline)) + len(outline) / 2 + 1
