"""The pieces of a mask, by their outlines: quicker than labelling every pixel, where most of a mask is empty."""

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
MANY = 200  # outlines: where there are more of them it is noise, and a label for each pixel is quicker
MANY_RUNS = 5.0  # runs of pixels in a row of the mask, on average: then so many outlines are likely
LABELS = 2**16 - 1  # as many as 16 bits can tell apart, the ground's among them
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
    outlined = _outlined(mask)
    return _labelled(mask, least, most) if outlined is None else _drawn(mask, *outlined, least, most)


def large_pieces(mask: Mask, least: float) -> Mask:
    """A mask of 0 and 1 without the pieces that have no more than so many pixels: quicker than to draw the others."""
    if (outlined := _outlined(mask)) is None:
        labels, stats = _labels(mask)
        keep = stats[:, cv2.CC_STAT_AREA] > least
        keep[0] = False  # the ground
        return np.asarray(keep.astype(np.uint8)[labels])
    outlines, hierarchy = outlined
    out = mask.copy()
    for index, outline in enumerate(outlines):
        if hierarchy[0, index, AROUND] >= 0:
            continue
        if _at_most(outline) <= least or (around := _enclosed(outline)) <= least:  # with all that its holes hold
            cv2.drawContours(out, [outline], 0, 0, cv2.FILLED)
            continue
        holes = _holes(index, outlines, hierarchy)
        if around - sum(map(_enclosed, holes)) <= SURELY * least:
            piece = _piece(mask, outline, holes)
            if piece.pixels <= least:
                out[piece.window][piece.inside > 0] = 0
    return out


def pixels_of(mask: Mask) -> NDArray[np.intp]:
    """The numbers of the pixels that are 1, row by row, of a mask of 0 and 1 only: read as bits, ten times as quick."""
    return np.flatnonzero(mask.view(np.bool_))


def light_pieces(mask: Mask, values: NDArray[np.float32], size: tuple[float, float], most: float) -> Mask:
    """A mask of 0 and 1 of the pieces of another such in which values, (h, w), come to less than so much.

    size: pixels, more than the first and fewer than the second.
    """
    if (outlined := _outlined(mask)) is None:
        labels, stats = _labels(mask)
        there = pixels_of(mask)
        which, area = labels.reshape(-1)[there], stats[:, cv2.CC_STAT_AREA]
        sums = np.bincount(which, values.reshape(-1)[there], len(stats))
        keep = (area > size[0]) & (area < size[1]) & (sums < most)
        out = np.zeros(mask.size, np.uint8)
        out[there] = keep[which]
        return out.reshape(mask.shape)
    out = np.zeros_like(mask)
    for piece in _drawn(mask, *outlined, *size):
        if float(values[piece.window][piece.inside > 0].sum()) < most:
            out[piece.window] |= piece.inside
    return out


def _outlined(mask: Mask) -> tuple[Sequence[Any], Any] | None:
    """The outlines of a mask's pieces and holes, and which lies in which; None where they are too many."""
    starts = cv2.compare(mask[:, 1:], mask[:, :-1], cv2.CMP_GT) if mask.shape[1] > 1 else None
    if starts is not None and cv2.countNonZero(starts) > MANY_RUNS * len(mask):
        return None
    outlines, hierarchy = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    return None if len(outlines) > MANY else (outlines, hierarchy)


def _labels(mask: Mask) -> tuple[NDArray[Any], NDArray[Any]]:
    """(h, w) which piece each pixel is a part of, and (N, 5) the box and the size of each; the ground is 0."""
    most = math.prod((n + 1) // 2 for n in mask.shape)  # one in each corner of squares of four pixels
    depth = cv2.CV_16U if most < LABELS else cv2.CV_32S
    labels, stats = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=depth)[1:3]
    return labels, stats


def _labelled(mask: Mask, least: float, most: float) -> Iterator[Piece]:
    """The same pieces, by a label for each pixel: quicker where noise makes thousands of them."""
    labels, stats = _labels(mask)
    area = stats[1:, cv2.CC_STAT_AREA]
    for label in (np.flatnonzero((area > least) & (area < most)) + 1)[::-1].tolist():
        x, y, w, h, _ = stats[label].tolist()
        inside = np.asarray(labels[y : y + h, x : x + w] == label).view(np.uint8)
        yield Piece((slice(y, y + h), slice(x, x + w)), (w, h), inside)


def _drawn(mask: Mask, outlines: Sequence[Any], hierarchy: Any, least: float, most: float) -> Iterator[Piece]:
    """The same pieces, by their outlines."""
    for index, outline in enumerate(outlines):
        if hierarchy[0, index, AROUND] >= 0 or _at_most(outline) <= least or (around := _enclosed(outline)) <= least:
            continue
        holes = _holes(index, outlines, hierarchy)
        if around > most and around - sum(map(_enclosed, holes)) > SURELY * most:
            continue
        piece = _piece(mask, outline, holes)
        if least < piece.pixels < most:
            yield piece


def _piece(mask: Mask, outline: Any, holes: Sequence[Any]) -> Piece:
    x, y, w, h = cv2.boundingRect(outline)
    window = (slice(y, y + h), slice(x, x + w))
    inside = np.zeros((h, w), np.uint8)
    cv2.drawContours(inside, [outline, *holes], -1, 1, cv2.FILLED, offset=(-x, -y))
    return Piece(window, (w, h), np.asarray(cv2.copyTo(inside, mask[window]), dtype=np.uint8))


def _holes(index: int, outlines: Sequence[Any], hierarchy: Any) -> list[Any]:
    """The outlines of a piece's holes."""
    hole, out = hierarchy[0, index, WITHIN], []
    while hole >= 0:
        out.append(outlines[hole])
        hole = hierarchy[0, hole, NEXT]
    return out


def largest(mask: Mask) -> float:
    """How many pixels the outline of a mask's largest piece encloses, holes included; 0 where there is none."""
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    return max((_enclosed(o) for o in outlines), default=0.0)


def _at_most(outline: Any) -> float:
    """Pixels that an outline of so many pixels can enclose at the most: in a circle, with all its steps diagonal."""
    count = len(outline)
    return count * count / (2 * math.pi) + count / 2 + 1


def _enclosed(outline: Any) -> float:
    """Pixels that a closed outline of pixels encloses, itself included (Pick's theorem)."""
    return float(cv2.contourArea(outline)) + len(outline) / 2 + 1
