"""Frames that a camera, or what carries its picture, gives twice: fifteen or twenty-five a second as if it were thirty.

What runs would seem to stop, and to go twice as fast in the next frame. A frame in which nothing at all is other than
in the one before, while something moved before it and moves after it, is the one before once more.
"""

from __future__ import annotations

from collections import deque
from enum import Enum

import cv2
import numpy as np

from vision.frames import Image

SAME_LEVEL, SAME_PX = 5.0, 3  # grey levels by which no more pixels of a repeat differ, however it was coded …
MOVES_LEVEL, MOVES_PX = 9.0, 12  # … and by which so many pixels of the next one do, where something moves
OF_LATE = 60  # frames, of those that moved or were repeats, by which it is told how many are …
SURE = 3  # … and that some are: a hand that pauses for one frame looks like one, but does so now and then only
OFTEN = 0.3  # a share of them from which on frames really come less often …
SAME_SHARE = 0.08  # … and so is one in which no more than this share differs of what did in the frame before, of which
# a coder mends what it had left …
MENDED_PX = 9  # … no further than half of this from where it did


class _Pair(Enum):
    SAME, MOVES, OTHER = range(3)


class Repeats:
    """Finds out whether a camera repeats frames, and which."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._pairs: deque[_Pair] = deque(maxlen=3)
        self._before: Image | None = None  # how the last two frames differed
        self._skipped = False
        self._of_late: deque[bool] = deque(maxlen=OF_LATE)

    @property
    def stretch(self) -> float:
        """How many times as long as it seems it really takes from one frame to the next."""
        return 1 / (1 - self._share) if self._often else 1.0

    @property
    def _share(self) -> float:
        return sum(self._of_late) / max(len(self._of_late), 1)

    @property
    def _often(self) -> bool:
        return self._known and self._share > OFTEN

    @property
    def _known(self) -> bool:
        """Whether the camera repeats frames."""
        return sum(self._of_late) >= SURE

    def repeated(self, gray: Image) -> bool:
        """Takes the next frame's small picture, (rows, columns). True where it is the one before, and tells nothing."""
        last, self._last = self._last, gray
        if last is None or last.shape != gray.shape:
            self._pairs.clear()
            self._before = None
            return False
        difference = np.asarray(cv2.absdiff(gray, last), dtype=np.uint8)
        pair, self._before = _pair(difference, self._before if self._often else None), difference
        self._pairs.append(pair)
        if tuple(self._pairs) == (_Pair.MOVES, _Pair.SAME, _Pair.MOVES):
            self._of_late.append(True)
        if pair is _Pair.MOVES:
            self._of_late.append(False)
        self._skipped = self._known and pair is _Pair.SAME and not self._skipped and (self._often or self._moved)
        return self._skipped

    @property
    def _moved(self) -> bool:
        """Whether something moved until the last frame: a hand that stays gives one frame like another, too."""
        return len(self._pairs) > 1 and self._pairs[-2] is _Pair.MOVES


def _pair(difference: Image, before: Image | None) -> _Pair:
    """What two frames are to each other. difference: (rows, columns) grey levels; before: that of the two before, where
    it tells how much a coder may have left to mend"""
    differ = _more(difference, SAME_LEVEL)
    if differ <= SAME_PX or (before is not None and _mended(difference, before, differ)):
        return _Pair.SAME
    return _Pair.MOVES if _more(difference, MOVES_LEVEL) >= MOVES_PX else _Pair.OTHER


def _mended(difference: Image, before: Image, differ: int) -> bool:
    """True where little differs against what did before, and it lies where that did: what moves goes on elsewhere."""
    moved = cv2.threshold(before, SAME_LEVEL, 1, cv2.THRESH_BINARY)[1]
    if differ > SAME_SHARE * cv2.countNonZero(moved):
        return False
    beside = cv2.copyTo(difference, 1 - cv2.dilate(moved, np.ones((MENDED_PX, MENDED_PX), np.uint8)))
    return _more(np.asarray(beside), SAME_LEVEL) <= SAME_PX


def _more(difference: Image, level: float) -> int:
    return cv2.countNonZero(cv2.threshold(difference, level, 255, cv2.THRESH_BINARY)[1])
