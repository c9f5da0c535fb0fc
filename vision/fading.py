"""Light that goes on or off, and takes some frames for it: the board does not rest meanwhile. And exposures that follow
it."""

from __future__ import annotations

import math
from collections import deque

# logarithm of the light's change from one frame to the next, in one direction: a lamp that flickers turns back
STEP = 0.06
FRAMES = 3  # so many such steps in turn are no flicker
FOLLOWS_S, FOLLOWS = 0.3, 0.05  # logarithm of the light's change in that time while an exposure follows it …
FRAMES_MOST, FOLLOWED_S = 64, 2.0  # … which takes no longer: what goes on is a television's light, say


class Fading:
    """Follows the light from frame to frame. follows: whether an exposure seems to follow it"""

    def __init__(self) -> None:
        self._steps = 0  # in turn, with the sign of their direction
        self._of_late: deque[tuple[float, float]] = deque(maxlen=FRAMES_MOST)  # seconds and steps of the last frames
        self._for_s = 0.0
        self.follows = False

    def look(self, gain: float, dt: float) -> bool:
        """The next frame, dt seconds after the one before and so many times as bright. -> whether the light is going on
        or off"""
        step = math.log(gain)
        self._of_late.append((dt, step))
        while len(self._of_late) > 1 and sum(seconds for seconds, _ in self._of_late) > FOLLOWS_S + dt / 2:
            self._of_late.popleft()
        changes = abs(sum(step for _, step in self._of_late)) > FOLLOWS
        lasts = self._for_s + min(dt, FOLLOWS_S) * (1 if changes else -1)  # a television's light pauses as it turns
        self._for_s = min(max(lasts, 0.0), 2 * FOLLOWED_S)
        self.follows = changes and self._for_s < FOLLOWED_S
        way = 0 if abs(step) < STEP else 1 if step > 0 else -1
        self._steps = self._steps + way if way * self._steps > 0 else way
        return abs(self._steps) >= FRAMES


__all__ = ["FRAMES", "STEP", "Fading"]
