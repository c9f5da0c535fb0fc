"""The pieces of a mask, by their outlines: much quicker than labelling every pixel, where most of a mask is empty."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]

NEXT, WITHIN, AROUND = 0, 2, 3  # where OpenCV's hierarchy of outlines has these; negative: none
SURELY = 1.3  # times as many pixels as asked for, by what outlines enclose: no need to count them


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


def pieces(mask: Mask, least: float = 0.0, most: float = math.inf) -> Iterator[Piece]:
    """The pieces of a mask (0 or not) that have more than `least` pixels and fewer than `most`."""
    outlines, hierarchy = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for index, outline in enumerate(outlines):
        if hierarchy[0, index, AROUND] >= 0 or (around := _enclosed(outline)) <= least:
            continue
        if around > most and around - _holes(index, outlines, hierarchy) > SURELY * most:
            continue
        piece = _piece(mask, index, outlines, hierarchy)
        if least < piece.pixels < most:
            yield piece


def large_pieces(mask: Mask, least: float) -> Mask:
    """A mask of 0 and 1 without the pieces that have no more than so many pixels: quicker than to draw the others."""
    outlines, hierarchy = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    out = mask.copy()
    for index, outline in enumerate(outlines):
        if hierarchy[0, index, AROUND] >= 0:
            continue
        around = _enclosed(outline)
        if around <= least:  # with all that its holes hold
            cv2.drawContours(out, outlines, index, 0, cv2.FILLED)
        elif around - _holes(index, outlines, hierarchy) <= SURELY * least:
            piece = _piece(mask, index, outlines, hierarchy)
            if piece.pixels <= least:
                out[piece.window][piece.inside > 0] = 0
    return out


def _piece(mask: Mask, index: int, outlines: Sequence[Any], hierarchy: Any) -> Piece:
    x, y, w, h = cv2.boundingRect(outlines[index])
    window = (slice(y, y + h), slice(x, x + w))
    inside = np.zeros((h, w), np.uint8)
    cv2.drawContours(inside, outlines, index, 1, cv2.FILLED, hierarchy=hierarchy, maxLevel=1, offset=(-x, -y))
    inside[mask[window] == 0] = 0
    return Piece(window, (w, h), inside)


def _holes(index: int, outlines: Sequence[Any], hierarchy: Any) -> float:
    """About how many pixels the holes of a piece have."""
    hole, out = hierarchy[0, index, WITHIN], 0.0
    while hole >= 0:
        out += _enclosed(outlines[hole])
        hole = hierarchy[0, hole, NEXT]
    return out


def largest(mask: Mask) -> float:
    """How many pixels the outline of a mask's largest piece encloses, holes included; 0 where there is none."""
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    return max((_enclosed(o) for o in outlines), default=0.0)


def _enclosed(outline: Any) -> float:
    """Pixels that a closed outline of pixels encloses, itself included (Pick's theorem)."""
    return float(cv2.contourArea(outline)) + len(outline) / 2 + 1
