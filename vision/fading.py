"""Light that goes on or off, and takes some frames for it: the board does not rest meanwhile."""

from __future__ import annotations

import math

STEP = 0.06
"""Logarithm of the light's change from one frame to the next, in one direction: a lamp that flickers turns back."""
FRAMES = 3
"""So many such steps in turn are no flicker."""


class Fading:
    """Follows the light from frame to frame."""

    def __init__(self) -> None:
        self._steps = 0  # in turn, with the sign of their direction

    def look(self, gain: float) -> bool:
        """The next frame, so many times as bright as the one before. -> whether the light is going on or off"""
        step = math.log(gain)
        way = 0 if abs(step) < STEP else 1 if step > 0 else -1
        self._steps = self._steps + way if way * self._steps > 0 else way
        return abs(self._steps) >= FRAMES


__all__ = ["FRAMES", "STEP", "Fading"]
