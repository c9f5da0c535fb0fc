"""The pieces of a mask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]


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
    """The pieces of a mask (0 or not) that have more than so many pixels, the lowest first."""
    x0, y0, w0, h0 = cv2.boundingRect(mask)
    part = mask[y0 : y0 + h0, x0 : x0 + w0]
    if w0 == 0 or cv2.countNonZero(part) <= least:
        return
    labels, stats = cv2.connectedComponentsWithStats(part, connectivity=8)[1:3]
    for label in (np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > least) + 1)[::-1].tolist():
        x, y, w, h, _ = stats[label].tolist()
        inside = np.asarray(labels[y : y + h, x : x + w] == label).view(np.uint8)
        yield Piece((slice(y0 + y, y0 + y + h), slice(x0 + x, x0 + x + w)), (w, h), inside)


def largest(mask: Mask) -> float:
    """How many pixels the outline of a mask's largest piece encloses, holes included; 0 where there is none."""
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    return max((_enclosed(o) for o in outlines), default=0.0)


def _enclosed(outline: Any) -> float:
    """Pixels that a closed outline of pixels encloses, itself included (Pick's theorem)."""
    return float(cv2.contourArea(outline)) + len(outline) / 2 + 1
