"""Time that a process was awake for: one that is stopped, or sleeps with its machine, must blame nobody for that."""

from __future__ import annotations

import time
from collections.abc import Callable

STEP_S = 1.0  # whoever looks many times a second, and has not for longer, stood still himself


class AwakeClock:
    """Seconds that count at most STEP_S between two looks. To be looked at often, by one thread.

    clock: seconds that may go on while the process stands still.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last_s = clock()
        self._slept_s = 0.0
        self.woke_s = self._last_s  # by the clock behind it: when the process last began to run, or ran on

    def now(self) -> float:
        """Seconds by the clock, without those that it stood still for."""
        now_s = self._clock()
        step_s, self._last_s = now_s - self._last_s, now_s
        if step_s > STEP_S:
            self._slept_s += step_s - STEP_S
            self.woke_s = now_s
        return now_s - self._slept_s
