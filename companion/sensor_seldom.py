"""How often players are told of what goes on and on: a gate that wobbles, a loose plug, music that knocks."""

from __future__ import annotations

import math

MOST_S = 3600.0  # what goes on all evening is told within this at least


class Seldom:
    """Tells `most` times within `first_s`; where that was not enough, as often within twice as long, up to MOST_S.

    What is told less often again is told as at first. All times are the camera's, in seconds.
    """

    def __init__(self, most: int, first_s: float) -> None:
        self._most, self._first_s = most, first_s
        self.begin()

    def begin(self) -> None:
        """Nothing was told yet."""
        self._left, self._since_s = self._most, -math.inf
        self.calm()

    def calm(self) -> None:
        """As rarely as at first, from what was told last."""
        self._within_s = self._first_s

    def may(self, t: float) -> bool:
        """True where it is to be told at t, which then counts as told."""
        if t - self._since_s >= self._within_s:
            goes_on = not self._left
            self._within_s = min(2 * self._within_s, MOST_S) if goes_on else self._first_s
            self._left, self._since_s = self._most, t
        if not self._left:
            return False
        self._left -= 1
        return True
