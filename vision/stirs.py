"""What has stirred of late, before the board is known: a hand alone, or pucks too."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame_map import FrameMap
from vision.hands import reaching

Mask = NDArray[np.uint8]

HAND_ALONE_S = 0.25  # where at first only a hand stirs for so long, and no puck, the rest of the board lies still
LEAST_FRAMES = 3
MOTION_SHARE = 0.10  # puck areas that must change between two frames to call it motion


class Stirs:
    """The last moments' motion. Masks are of the small grey picture, 0 or 255."""

    def __init__(self) -> None:
        self._of_late: deque[tuple[float, Mask]] = deque()

    def clear(self) -> None:
        """Forgets all."""
        self._of_late.clear()

    def only_a_hands(self, time_s: float, motion: Mask, frame_map: FrameMap) -> bool:
        """Takes a frame's motion in. True where for a while nothing as broad as a puck has stirred but what reaches in
        from outside."""
        self._of_late.append((time_s, motion))
        while time_s - self._of_late[0][0] > HAND_ALONE_S:
            self._of_late.popleft()
        if time_s - self._of_late[0][0] < HAND_ALONE_S / 2 or len(self._of_late) < LEAST_FRAMES:
            return False
        size = round(frame_map.radius) | 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        stirred = self._all()
        hands = reaching(np.asarray(cv2.morphologyEx(stirred, cv2.MORPH_CLOSE, kernel)), frame_map.outside, 0)
        return not cv2.morphologyEx(np.asarray(stirred & (1 - hands)), cv2.MORPH_OPEN, kernel).any()

    def at(self, places_mm: Sequence[tuple[float, float]], frame_map: FrameMap) -> bool:
        """True where something has stirred on a puck at one of some places."""
        stirred = self._all()
        mask = np.zeros_like(stirred)
        for x, y in frame_map.small_px(places_mm):
            cv2.circle(mask, (round(x), round(y)), round(frame_map.radius), 1, -1)
        return cv2.countNonZero(cv2.bitwise_and(stirred, mask)) > MOTION_SHARE * frame_map.puck_area

    def _all(self) -> Mask:
        return np.asarray(np.bitwise_or.reduce([mask for _, mask in self._of_late]))
