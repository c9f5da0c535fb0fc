"""When a live picture was taken, and whether it is a new one at all."""

from __future__ import annotations

import math
from collections import deque
from itertools import pairwise

import numpy as np

from vision.frames import Image

FROZEN_S = 5.0  # identical pictures for longer: real sensors have noise, so the driver repeats the last one
FROZEN_STEP = 8  # every eighth pixel each way is compared
CLOCK_DRIFT = 0.002  # share of a late arrival by which the stream's clock is followed per frame
PACE_S = 4.0  # pictures of so many seconds tell how fast the stream's stamps go …
PACE_LEAST = 4  # … if there are so many in either half of them …
PACE_GAP_S = 1.0  # … and none of them stayed away for longer, after which what waited comes at once …
PACE_OFF = 0.05  # … and stamps that lose more than this share of the time were made up: no clock goes so wrong


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
    slowly where the two drift. Where the stream has no stamps of use, the arrival counts: so it is with pictures that
    come one by one over HTTP, which bear none, and which the reader numbers as if there were 25 a second.
    """

    def __init__(self, not_before_s: float = -math.inf) -> None:
        self.last_s = not_before_s
        self._stamp_s = -math.inf
        self._offset_s: float | None = None
        self._delays: deque[tuple[float, float]] = deque()  # when pictures came of late, and after their stamps by what
        self._lag = False  # whether the stamps go slower than time does

    def begin_anew(self) -> None:
        """The stream was connected again: its stamps may begin anywhere, at the pace that they had."""
        self._stamp_s, self._offset_s = -math.inf, None
        self._delays.clear()

    def stamp(self, stamp_s: float, arrival_s: float) -> float:
        """The frame's time in our clock's seconds; always later than the one before."""
        useful = math.isfinite(stamp_s) and stamp_s > self._stamp_s and stamp_s > 0
        if not useful:
            self._delays.clear()
        elif (lag := self._lags(arrival_s, arrival_s - stamp_s)) is not None:
            self._lag = lag
        if not useful or self._lag:
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

    def _lags(self, arrival_s: float, delay_s: float) -> bool | None:
        """True where even the least delay has been growing as fast as no clock drifts; None while it is not known.

        Pictures that had to wait for once are late, but the least late of the next ones are not.
        """
        self._delays.append((arrival_s, delay_s))
        if arrival_s - self._delays[0][0] < PACE_S:
            return None
        middle_s = arrival_s - PACE_S / 2
        early = [delay for came, delay in self._delays if came < middle_s]
        late = [delay for came, delay in self._delays if came >= middle_s]
        while self._delays and self._delays[0][0] <= arrival_s - PACE_S:
            self._delays.popleft()
        came = [came for came, _ in self._delays]
        waited_s = max((after - before for before, after in pairwise(came)), default=0.0)
        if min(len(early), len(late)) < PACE_LEAST or waited_s > PACE_GAP_S:
            return None
        return min(late) - min(early) > PACE_OFF * PACE_S / 2
