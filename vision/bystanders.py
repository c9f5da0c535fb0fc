"""People who lean in, sleeves, a cloth: what is beside the playing surface for long, and does not reach over it.

It says nothing about what goes on upon the board, and goes on for as long as people sit around it. A hand that comes
in, or a puck that flies off, is beside the board for a moment only: until something has lasted there, it counts.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame_map import FrameMap
from vision.frames import Image
from vision.hands import beyond_board, reaching
from vision.pieces import pieces

Mask = NDArray[np.uint8]

LASTS_S = 2.5  # what has been beside the board for so long is nothing that comes in, or flies off
GONE_S = 1.0  # what was not seen for longer has not been there all along …
KNOWN_S = 4.0  # … but for so long it is remembered where a bystander was: it may hang together with a hand meanwhile
LEAST = 0.1  # puck areas of what reaches over the board, and of what is beside it, at the least: less is noise
GAP = 0.5  # radii that may lie between two parts of a hand
ROUND = 1.0  # radii around what is beside the board: nearer parts are one, and it may be there in the next frame


class Bystanders:
    """Follows what changes beside the playing surface. Masks are of the small grey picture, 0 or 255.

    now: where bystanders are in the last frame, and some pixels around; None for nowhere.
    """

    def __init__(self) -> None:
        self.now: Mask | None = None
        self._time_s = 0.0
        self._since_s: NDArray[np.float32] = np.zeros((0, 0), np.float32)  # when something was first seen, where …
        self._seen_s = self._since_s  # … and last

    def without(self, motion: Mask, change: Mask, frame_map: FrameMap, dt: float) -> tuple[Mask, Mask]:
        """What differs from the frame before, and from the board at rest, but for bystanders. dt: seconds since then"""
        self._time_s += dt
        self.now = None
        outside, radius, least = frame_map.outside, frame_map.radius, LEAST * frame_map.puck_area
        both = np.asarray(cv2.bitwise_or(motion, change), dtype=np.uint8)
        if cv2.countNonZero(cv2.copyTo(both, outside)) <= least:
            return motion, change
        beside = np.asarray(cv2.subtract(both, reaching_over(both, outside, radius)), dtype=np.uint8)
        if cv2.countNonZero(beside) <= least:
            return motion, change
        if self._seen_s.shape != beside.shape:
            self._since_s, self._seen_s = (np.full(beside.shape, never, np.float32) for never in (0.0, -math.inf))
        known = self._known(beside, radius, least)
        if not cv2.hasNonZero(known):
            return motion, change
        self.now = known
        bystanders = cv2.bitwise_and(beside, known)
        motion, change = (np.asarray(cv2.subtract(mask, bystanders), dtype=np.uint8) for mask in (motion, change))
        return motion, change

    def not_in(self, busy: Mask, frame_map: FrameMap, image: Image) -> Mask:
        """What of a change is none of them. busy: (h, w) of 0 and 1 over the top view of the last frame, image"""
        if self.now is None:
            return busy
        view = frame_map.view
        apart = cv2.subtract(busy, reaching_over(busy, beyond_board(view), view.radius_px))
        there = view.rectify(frame_map.over_frame(self.now, image))
        return np.asarray(cv2.subtract(busy, cv2.copyTo(apart, there)), dtype=np.uint8)

    def _known(self, beside: Mask, radius: float, least: float) -> Mask:
        """Of what is beside the board now, with some pixels around it, what has been there for long. -> of 0 and 255"""
        known, time_s = np.zeros_like(beside), self._time_s
        since_s = np.full(beside.shape, math.inf, np.float32)
        for piece in pieces(_wider(beside, ROUND * radius)):
            there = piece.inside > 0
            first, last = self._since_s[piece.window][there], self._seen_s[piece.window][there]
            same = (last > time_s - GONE_S) | ((last > time_s - KNOWN_S) & (last - first >= LASTS_S))
            first_s = float(first[same].min(initial=time_s))
            lasts = time_s - first_s >= LASTS_S
            if lasts or cv2.countNonZero(cv2.copyTo(beside[piece.window], piece.inside)) > least:
                since_s[piece.window][there] = first_s
            if lasts:
                known[piece.window] |= piece.inside * np.uint8(255)
        size = 2 * round(ROUND * radius) + 1
        since_s = np.asarray(cv2.erode(since_s, np.ones((size, size), np.uint8)), dtype=np.float32)  # the least around
        here = since_s < math.inf
        self._since_s[here], self._seen_s[here] = since_s[here], time_s
        return known


def reaching_over(mask: Mask, outside: Mask, radius: float) -> Mask:
    """A mask (0 or not) but for those of its pieces that are beside the board only.

    outside: (h, w) of 0 and 1, beside the playing surface; radius: of a puck, in pixels
    """
    if not cv2.hasNonZero(cv2.copyTo(mask, outside)):
        return mask
    upon = np.asarray(cv2.copyTo(mask, 1 - outside), dtype=np.uint8)
    whole = reaching(_wider(mask, GAP / 2 * radius), upon, LEAST * math.pi * radius**2)
    return np.asarray(cv2.bitwise_or(upon, cv2.copyTo(mask, whole)))


def _wider(mask: Mask, by_px: float) -> Mask:
    """A mask wider by so many pixels on all sides."""
    size = 2 * round(by_px) + 1
    return np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_RECT, (size, size))), dtype=np.uint8)
