"""When a live picture was taken, and whether it is a new one at all."""

from __future__ import annotations

import math

import numpy as np

from vision.frames import Image

FROZEN_S = 5.0  # identical pictures for longer: real sensors have noise, so the driver repeats the last one
FROZEN_STEP = 8  # every eighth pixel each way is compared
CLOCK_DRIFT = 0.002  # share of a late arrival by which the stream's clock is followed per frame


class FrozenPictures:
    """Notices a driver that repeats its last picture: identical pixels for FROZEN_S."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._since_s = 0.0

    def update(self, image: Image, now_s: float) -> bool:
        """True once the picture has been the same for FROZEN_S."""
        sample = image[::FROZEN_STEP, ::FROZEN_STEP]
        if self._last is None or not np.array_equal(sample, self._last):
            self._last, self._since_s = sample.copy(), now_s
        return now_s - self._since_s >= FROZEN_S


class StreamClock:
    """Capture times from a stream's own stamps and the moments of arrival.

    Packets come in bursts, but never early: the least delay seen ties the stream's clock to ours, and is followed
    slowly where the two drift. Where the stream has no stamps of use, the arrival counts.
    """

    def __init__(self, not_before_s: float = -math.inf) -> None:
        self.last_s = not_before_s
        self._stamp_s = -math.inf
        self._offset_s: float | None = None

    def stamp(self, stamp_s: float, arrival_s: float) -> float:
        """The frame's time in our clock's seconds; always later than the one before."""
        useful = math.isfinite(stamp_s) and stamp_s > self._stamp_s and stamp_s > 0
        if not useful:
            self._offset_s = None
            time_s = arrival_s
        else:
            delay_s = arrival_s - stamp_s
            if self._offset_s is None or delay_s < self._offset_s:
                self._offset_s = delay_s
            else:
                self._offset_s += CLOCK_DRIFT * (delay_s - self._offset_s)
            time_s = stamp_s + self._offset_s
        self._stamp_s = stamp_s if math.isfinite(stamp_s) else -math.inf
        self.last_s = max(time_s, math.nextafter(self.last_s, math.inf))
        return self.last_s
