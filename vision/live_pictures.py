"""What a live camera does not tell: pictures that got lost on their way, and its last one given again and again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from statistics import median

import numpy as np

from vision.frames import Frame, FrameSource, Image, Through

MEASURED = 30  # steps from picture to picture by whose middle one it is known how often they really come …
MEASURED_LEAST = 8  # … and before so many have come nothing is said to be late
LATE_S = 0.25  # a picture that comes so long after the one before, and a few steps late, …
LATE_STEPS = 2.5  # … has none lost before it only if it waited itself: either way what moved meanwhile was not seen
SAMPLE = 8  # every eighth pixel each way is compared first: mostly that is enough
REMEMBERED_S = 60.0  # how long it is known of a camera that it gave pictures twice, or more often …
OFTEN = 3  # … and what it does so many times in that is its way, and no standstill


class LivePictures(Through):
    """A camera's or a stream's pictures: one that is the one before once more is left out, and what is missing between
    two is counted in the later one's `missed`.

    A shot that ends in such a gap would else seem to end where the pictures stopped.
    """

    def __init__(self, source: FrameSource) -> None:
        super().__init__(source)
        self._standstill = Standstill()
        self._steps: deque[float] = deque(maxlen=MEASURED)
        self._last_s: float | None = None

    def frames(self) -> Iterator[Frame]:
        """Pictures that are new; see the class."""
        left_out = 0
        for frame in self._source.frames():
            if self._standstill.again(frame.image, frame.time_s):
                left_out += 1 + frame.missed
                continue
            missed = max(frame.missed + left_out, self._late(frame.time_s))
            yield replace(frame, missed=missed) if missed != frame.missed else frame
            left_out = 0

    def _late(self, time_s: float) -> int:
        """How many pictures should have come between the one at time_s and the one before it."""
        last_s, self._last_s = self._last_s, time_s
        if last_s is None:
            return 0
        step_s = time_s - last_s
        usual_s = median(self._steps) if len(self._steps) >= MEASURED_LEAST else None
        self._steps.append(step_s)
        if usual_s is None or usual_s <= 0 or step_s < max(LATE_S, LATE_STEPS * usual_s):
            return 0
        return max(1, round(step_s / usual_s) - 1)


class Standstill:
    """Finds pictures that a camera gives once more, to the pixel: real ones have noise, and a driver, or a program
    between a telephone and us, fills a gap with the last one it has.

    Coders repeat pictures, too, where nothing moves. They do it again and again: what came several times of late is no
    standstill.
    """

    def __init__(self) -> None:
        self._last: Image | None = None
        self._run = 0  # how many times in a row it came again
        self._runs: deque[tuple[float, int]] = deque()  # earlier ones, and when they ended

    def again(self, image: Image, time_s: float) -> bool:
        """True where a picture is the one before once more, and that is not this camera's way."""
        last, self._last = self._last, image
        if last is None or not _same(image, last):
            if self._run:
                self._runs.append((time_s, self._run))
            self._run = 0
            return False
        self._run += 1
        while self._runs and self._runs[0][0] < time_s - REMEMBERED_S:
            self._runs.popleft()
        usual = sorted(run for _, run in self._runs)[-OFTEN] if len(self._runs) >= OFTEN else 0
        return self._run > usual


def _same(image: Image, other: Image) -> bool:
    if image.shape != other.shape or not np.array_equal(image[::SAMPLE, ::SAMPLE], other[::SAMPLE, ::SAMPLE]):
        return False
    return np.array_equal(image, other)
