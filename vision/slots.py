"""Frames that come when they come, in the even slots of a film: which slot is a frame's, and how many were missed."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence

FOLLOW = 0.05  # share of a frame's deviation by which the even clock follows: cameras jitter, and no clock is exact
LATE_SLOTS = 0.75  # a frame that comes later than this has missed its slot
RATE_FRAMES = 20  # from which a camera's true rate is measured: what it claims is often not what it gives
COMMON_RATES = (10.0, 12.5, 15.0, 20.0, 24.0, 25.0, 30.0, 50.0, 60.0, 90.0, 120.0)
GAP_NEAR = (0.5, 1.5)  # times the middle gap: in other gaps frames were lost, or came late
NEAR_RATE = 0.03  # a measured rate this near to the one that is claimed, or to a common one, is that one


class SlotClock:
    """Gives each frame the number of slots that passed since the one before: 1, or more where frames are missing."""

    def __init__(self, fps: float) -> None:
        self._period_s = 1.0 / fps
        self._due_s: float | None = None

    def slots(self, time_s: float) -> int:
        """Slots from the last frame to this one: at least 1."""
        if self._due_s is None:
            self._due_s = time_s
        late = (time_s - self._due_s) / self._period_s
        missed = max(0, round(late)) if late > LATE_SLOTS else 0
        error_s = time_s - self._due_s - missed * self._period_s
        self._due_s += (missed + 1) * self._period_s + FOLLOW * error_s
        return missed + 1


def measured_fps(times_s: Sequence[float], claimed: float) -> float:
    """The rate of frames that came at these times; the claimed one or a common one where they fit it.

    The median of the gaps: a few lost frames change nothing.
    """
    gaps = [b - a for a, b in itertools.pairwise(times_s) if b > a]
    if not gaps:
        return claimed
    middle = statistics.median(gaps)
    near = [g for g in gaps if GAP_NEAR[0] * middle < g < GAP_NEAR[1] * middle]
    found = len(near) / sum(near)
    return next((rate for rate in (claimed, *COMMON_RATES) if abs(found / rate - 1) <= NEAR_RATE), round(found, 2))
