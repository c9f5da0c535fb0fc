"""A camera that trembles, or swings for a moment because somebody struck the table, held still by its own pictures."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drift import DriftWatch
from calibration.medians import median_colour

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

# a view shifted by so much, in pixels of the frame, from where it stood moves: one that stands still seems to shift by
# up to 0.06 …
UNSTEADY_PX = 0.15
TURNED_PX = 0.3  # … and so does one that is shifted by so much here and there, to whatever side
STEADY_PX = 0.05  # while it moves, shifts of less are left as they are
CALM_S, CALM_PX = 2.0, 0.12  # a camera that for so long has not strayed by so much stands still, wherever that is
# part of a square's variance that its shift must explain, less so much a pixel: beside a sleeve or a shadow's rim it
# seems to move by some tenths of one
CLEAR, CLEAR_LESS = 0.97, 0.05
# a square whose shift lies further, by so much and such a part of itself, from what all tell of the camera tells of
# something else: large shifts are told less exactly …
FITS_PX, FITS_SHARE = 0.12, 0.15
LEAST = 2  # … and so many must agree, and more than half of those that are seen
# squares that must agree to tell a turn from a shift, and a shear, as pictures show it that are exposed row after row;
# two tell a shift
TURNS_BY, SHEARS_BY = 3, 4
# turn, growth and shear at the most: a swing of a pixel shears by a third of that, a focus that hunts grows by it
SHEAR_MOST = 0.004
ROUNDS = 3  # looks at a frame: each at what those before it have held still


class Steadier:
    """Holds the frames of one camera still, as it stood in the picture that a watch's pose belongs to, or stands since.

    swings: whether it has of late not stood still.
    """

    def __init__(self) -> None:
        self.swings = False
        self._stands = np.zeros((2, 3))  # how it stands against the watch's picture
        self._of_late: deque[tuple[float, FloatArray]] = deque()  # when it was shifted by how much

    def steadied(self, image: Image, time_s: float, watch: DriftWatch) -> Image:
        """A frame as the camera would have seen it from where it stood, or itself where it stands still or it cannot be
        told. image: (H, W, 3)"""
        if self._of_late and not 0 <= time_s - self._of_late[-1][0] <= CALM_S:
            self._of_late.clear()
            self.swings = False
        seen, total, known = image, np.zeros((2, 3)), True
        for turn in range(ROUNDS):
            places, shifts = _shifts(seen, watch)
            if len(places) < LEAST:
                return image
            shifts = shifts - _at(self._stands, places)
            if turn == 0 and not self._heed(time_s, places, shifts):
                return image
            offset = _offset(places, shifts)
            if offset is None and (not known or turn == ROUNDS - 1):
                return image
            known = offset is not None
            if offset is None:  # once most of it is taken out, it can be told what the rest is
                offset = np.column_stack([np.zeros((2, 2)), median_colour(shifts)])
            elif float(np.abs(_at(offset, places)).max()) <= STEADY_PX:
                break
            total += offset
            seen = _held_at(watch.squares, image, total)
        return _held(image, total) if known and total.any() else image

    def _heed(self, time_s: float, places: FloatArray, shifts: FloatArray) -> bool:
        """Whether the camera swings, by how squares at some places, (N, 2), lie against where it stood, (N, 2)."""
        usual = median_colour(shifts)
        if self.swings or _moves(shifts, usual):
            self.swings = True
            self._of_late.append((time_s, usual))
        if not self.swings:
            return False
        while time_s - self._of_late[0][0] > CALM_S:
            self._of_late.popleft()
        strayed = np.ptp([shift for _, shift in self._of_late], axis=0).max()
        if time_s - self._of_late[0][0] > 0.9 * CALM_S and strayed < CALM_PX:
            offset = _offset(places, shifts)
            self._stands = self._stands + (offset if offset is not None else 0.0)
            self._of_late.clear()
            self.swings = False
        return self.swings


def _shifts(image: Image, watch: DriftWatch) -> tuple[FloatArray, FloatArray]:
    """Where the squares that are seen lie about a frame's middle, and by how much each has shifted. -> (N, 2) twice"""
    h, w = image.shape[:2]
    found = [s for s in watch.shifts(image) if s.explained >= CLEAR - CLEAR_LESS * float(np.linalg.norm(s.shift))]
    places = np.array([s.middle for s in found], dtype=np.float64).reshape(-1, 2)
    return places - ((w - 1) / 2, (h - 1) / 2), np.array([s.shift for s in found], dtype=np.float64).reshape(-1, 2)


def _moves(shifts: FloatArray, usual: FloatArray) -> bool:
    """True where most squares that have shifted, (N, 2), show that the camera does not stand still. usual: (2,) the
    middle of their shifts"""
    least = (len(shifts) - 1) // 2  # of an even number the lower middle one: more than half have shifted by as much
    as_one = np.linalg.norm(usual)  # noise shifts each to another side, and so does a turn
    far = np.sort(np.linalg.norm(shifts, axis=1))[least]
    return bool((as_one > UNSTEADY_PX and far > UNSTEADY_PX) or far > TURNED_PX)


def _at(offset: FloatArray, places: FloatArray) -> FloatArray:
    """(N, 2) by how much an offset (2, 3) shifts places (N, 2) about the middle."""
    return np.asarray(places @ offset[:, :2].T + offset[:, 2])


def _offset(places: FloatArray, shifts: FloatArray) -> FloatArray | None:
    """How a frame lies against that of the patches: (2, 3), from pixels about its middle to their shift. None where
    squares at some places, (N, 2), that have shifted, (N, 2), tell of different things."""
    least = max(LEAST, len(places) // 2 + 1)
    while True:
        offset = _fitted(places, shifts)
        rest = np.linalg.norm(shifts - _at(offset, places), axis=1) - FITS_SHARE * np.linalg.norm(shifts, axis=1)
        if float(rest.max()) <= FITS_PX:
            return offset if float(np.abs(offset[:, :2]).max()) <= SHEAR_MOST else None
        if len(places) <= least:
            return None
        keep = np.arange(len(places)) != rest.argmax()
        places, shifts = places[keep], shifts[keep]


def _fitted(places: FloatArray, shifts: FloatArray) -> FloatArray:
    """The offset (2, 3) by which squares at some places, (N, 2) about the middle, have shifted, (N, 2)."""
    if len(places) < TURNS_BY:
        return np.column_stack([np.zeros((2, 2)), shifts.mean(axis=0)])
    (x, y), one = places.T, np.ones(len(places))
    if len(places) >= SHEARS_BY:
        return np.asarray(np.linalg.lstsq(np.stack([x, y, one], axis=1), shifts, rcond=None)[0].T)
    none = np.zeros(len(places))  # shift, growth and turn: x + t + g x - r y, y + u + r x + g y
    rows = np.concatenate([np.stack([x, -y, one, none], axis=1), np.stack([y, x, none, one], axis=1)])
    grows, turns, right, down = np.linalg.lstsq(rows, np.concatenate([shifts[:, 0], shifts[:, 1]]), rcond=None)[0]
    return np.array([[grows, -turns, right], [turns, grows, down]])


def _held_at(squares: Sequence[tuple[int, int, int]], image: Image, offset: FloatArray) -> Image:
    """A frame without an offset at some squares, left, top and side, and of no meaning elsewhere: a whole one takes
    twenty times as long."""
    seen: Image = np.empty_like(image)
    for left, top, side in squares:
        seen[top : top + side, left : left + side] = _held(image, offset, (left, top), (side, side))
    return seen


def _held(
    image: Image, offset: FloatArray, first: tuple[int, int] = (0, 0), size: tuple[int, int] | None = None
) -> Image:
    """A frame without an offset, (2, 3) as of _offset, or a part of it, from its first pixel on, of a size (w, h)."""
    h, w = image.shape[:2]
    middle = np.array([(w - 1) / 2, (h - 1) / 2])
    turn = np.eye(2) + offset[:, :2]
    matrix = np.column_stack([turn, middle + turn @ (np.array(first) - middle) + offset[:, 2]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(image, matrix, size or (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE))
