"""How long what differs from the board at rest has done so: what never stirs may be no hand that reaches in."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame_map import FrameMap
from vision.ghosts import drawn_back
from vision.hands import HAND_AT_EDGE, reaching

Mask = NDArray[np.uint8]

GHOST_S = 2.5  # what has differed for most of a time of this length while other things stirred is no hand
FIRST_GHOST_S = 0.3  # what has differed for so long may be one while it is not known whether a hand was about when the
# board was looked at first
GHOST_SHARE = 0.68  # of that time: what is gone after the first moment comes to 1 - 1/e of it, and more later


class Lingering:
    """Follows what differs through an episode. changed: (h, w) of 0 and 1 what does in its last frame"""

    def __init__(self) -> None:
        self.changed: Mask = np.zeros((0, 0), np.uint8)
        self._differed: NDArray[np.float32] = np.zeros((0, 0), np.float32)  # how much of the time, 0 to 255
        self._for_s = 0.0

    def begin(self) -> None:
        """An episode begins, or the board at rest is taken to look otherwise now."""
        self._for_s = 0.0

    def add(self, changed: Mask, dt: float) -> None:
        """What differs in the next frame, dt seconds later. changed: (h, w) of 0 and 1"""
        if self._for_s == 0:
            self._differed = np.zeros(changed.shape, np.float32)
        cv2.accumulateWeighted(changed, self._differed, dt / GHOST_S)
        self._for_s += dt
        self.changed = changed

    def enough(self, doubted: bool) -> bool:
        """True where it has lasted for so long that it may be a ghost. doubted: a hand may have been there at first"""
        return self._for_s > (FIRST_GHOST_S if doubted else GHOST_S)

    def ghosts(self, frame_map: FrameMap, doubted: bool) -> Mask:
        """What reaches in from outside and has differed in every frame, or what a hand left that was there at first.

        -> (h, w) of 0 and 1
        """
        ghosts = np.zeros_like(self.changed)
        if self.enough(doubted=False):
            ghosts |= reaching(self._stale(GHOST_SHARE), frame_map.outside, HAND_AT_EDGE * frame_map.puck_area)
        if doubted:
            stale = self._stale(1 - math.exp(-FIRST_GHOST_S / GHOST_S))
            ghosts |= drawn_back(stale, self.changed, self._differed, frame_map.outside, frame_map.radius)
        return ghosts

    def _stale(self, share: float) -> Mask:
        """What has differed for such a share of the time, lately."""
        return np.asarray(cv2.threshold(self._differed, 255 * share, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)
