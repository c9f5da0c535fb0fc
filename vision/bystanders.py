"""People who lean in, sleeves, a cloth: what stirs beside the playing surface, and does not reach over it.

It says nothing about what goes on upon the board, and goes on for as long as people sit around it. A puck that flies off
is beside the board for a moment too: for so long what stirs where nothing did before counts.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame_map import FrameMap
from vision.hands import reaching
from vision.pieces import pieces

Mask = NDArray[np.uint8]

FLIGHT_S = 0.5  # so long after the last stir upon the board what is beside it may have come from there
KNOWN_S = 4.0  # for so long it is remembered where something was beside the board
KNOWN_SHARE = 0.5  # of what is beside it, where something was
ON_BOARD = 0.1  # puck areas of what reaches over the board, at the least
GAP = 0.5  # radii that may lie between two parts of a hand
ROUND = 1.0  # radii around what was beside the board where that may be now


class Bystanders:
    """Follows what changes beside the playing surface. Masks are of the small grey picture, 0 or 255."""

    def __init__(self) -> None:
        self._quiet_s = 0.0  # how long nothing has stirred upon the board
        self._time_s = 0.0
        self._seen_s = np.zeros((0, 0), np.float32)  # when something was last seen beside it, where

    def without(self, motion: Mask, change: Mask, frame_map: FrameMap, dt: float) -> tuple[Mask, Mask]:
        """What differs from the frame before, and from the board at rest, but for bystanders. dt: seconds since then"""
        self._time_s += dt
        radius = frame_map.radius
        if self._seen_s.shape != change.shape:
            self._seen_s = np.full(change.shape, -math.inf, np.float32)
        stirs, differs = (reaching_over(mask, frame_map.outside, radius) for mask in (motion, change))
        self._quiet_s = 0.0 if cv2.countNonZero(stirs) else self._quiet_s + dt
        apart = np.asarray(cv2.subtract(change, differs), dtype=np.uint8)
        if self._quiet_s <= FLIGHT_S:
            new = self._new(np.asarray(cv2.bitwise_or(apart, cv2.subtract(motion, stirs))))
            stirs, differs = (
                np.asarray(cv2.bitwise_or(kept, cv2.bitwise_and(mask, new)), dtype=np.uint8)
                for kept, mask in ((stirs, motion), (differs, change))
            )
        elif cv2.countNonZero(apart):
            self._seen_s[_wider(apart, ROUND * radius) > 0] = self._time_s
        return stirs, differs

    def _new(self, apart: Mask) -> Mask:
        """Of what is beside the board, what is where nothing was before. -> of 0 and 255"""
        known = (self._seen_s > self._time_s - KNOWN_S).view(np.uint8)
        new = np.zeros_like(apart)
        for piece in pieces(apart):
            if cv2.countNonZero(piece.inside & known[piece.window]) < KNOWN_SHARE * piece.pixels:
                new[piece.window] |= piece.inside * np.uint8(255)
        return new


def reaching_over(mask: Mask, outside: Mask, radius: float) -> Mask:
    """A mask (0 or 255) but for those of its pieces that are beside the board only.

    outside: (h, w) of 0 and 1, beside the playing surface; radius: of a puck, in pixels
    """
    if not cv2.countNonZero(cv2.bitwise_and(mask, mask, mask=outside)):
        return mask
    upon = np.asarray(cv2.bitwise_and(mask, mask, mask=1 - outside))
    whole = reaching(_wider(mask, GAP / 2 * radius), upon, ON_BOARD * math.pi * radius**2)
    return np.asarray(cv2.bitwise_or(upon, cv2.bitwise_and(mask, mask, mask=whole)))


def _wider(mask: Mask, by_px: float) -> Mask:
    """A mask wider by so many pixels on all sides."""
    size = 2 * round(by_px) + 1
    return np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_RECT, (size, size))), dtype=np.uint8)
