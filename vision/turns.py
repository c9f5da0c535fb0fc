"""Which frames of a camera are looked at: all, or of one that is faster than anything on a board, one in so many."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from vision.frames import Frame

FINEST_FPS = 60.0  # a puck that creeps is not seen to move between frames that follow each other much faster
MEASURED = 30  # frames by whose times it is known how fast they really come: streams claim what they like …
MEASURED_LEAST = 8  # … and until so many have come it is believed


class Turns:
    """Takes frames in turn. fps: what the camera or the film claims."""

    def __init__(self, fps: float) -> None:
        self.stride = _stride(fps)  # one frame of so many is looked at, if they come as fast as is claimed
        self._came: deque[tuple[float, int]] = deque(maxlen=MEASURED)  # when, and how many with those missed before
        self._waited = self.stride - 1  # frames that came or were missed since the last one taken: the first is taken
        self._torn = False  # whether one of these was torn

    def take(self, frame: Frame) -> Frame | None:
        """The frame where it is to be looked at, with as many missed as turns were lost; None where it is not."""
        if self.stride == 1:
            return frame
        self._came.append((frame.time_s, frame.missed + 1))
        self._waited += frame.missed + 1
        self._torn = self._torn or frame.torn
        stride = min(self.stride, _stride(self._fps())) if len(self._came) >= MEASURED_LEAST else self.stride
        if self._waited < stride:
            return None
        missed = frame.missed if stride == 1 else self._waited // stride - 1
        torn, self._waited, self._torn = self._torn, 0, False
        return replace(frame, missed=missed, torn=torn) if (missed, torn) != (frame.missed, frame.torn) else frame

    def _fps(self) -> float:
        """How many frames a second have come of late."""
        took_s = self._came[-1][0] - self._came[0][0]
        return (sum(count for _, count in self._came) - self._came[0][1]) / took_s if took_s > 0 else 0.0


def _stride(fps: float) -> int:
    return max(1, round(fps / FINEST_FPS))
