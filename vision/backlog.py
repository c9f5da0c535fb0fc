"""Pictures that had to wait, and come at once: put back into their camera's rhythm where that adds up, else left out.

A camera's pictures bear the time of their arrival. Those that waited, in a network, a driver or a stopped program, come
within a few milliseconds of each other, and what moves in them would seem many times as fast as it was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from vision.frames import Frame

SPAN = 12  # steps together, by whose usual length it is known how often pictures come: they may come in small bursts
MEASURED = 48  # pictures of which spans are measured …
MEASURED_LEAST = 2 * SPAN  # … and before so many have come nothing is known
GAP_STEPS = 2.5  # nothing for so many steps: what comes next may have waited
BURST_STEPS = 0.5  # pictures closer than so many steps were not taken so
ADDS_UP_STEPS = 0.6  # where more than this is lacking a picture was lost, and nobody knows where
FASTER_STEPS = 1.5  # more pictures than there was time for did not wait: the camera is a faster one now
IN_TIME = 3  # so many steps one after the other, none of them too short: pictures come as they are taken …
PACE = 0.75  # … or, where they come in small bursts, a span of at least this share of its usual length


class Backlog:
    """Takes pictures as they come, and gives them with the time at which they were taken. most: pictures that are kept.

    What comes after a gap is kept until it is known whether it had waited. Pictures that came in a burst, and fill the
    gap at the camera's own rhythm, are all there, and were taken in that rhythm. Where some are lacking the burst is
    left out, and counted in the next picture's `missed`: it may be of the gap's beginning or of its end.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._given: deque[float] = deque(maxlen=MEASURED)  # times
        self._held: list[Frame] = []
        self._stale = 0  # pictures of this burst that are kept no more
        self._step_s = 0.0  # from one picture to the next, as it was before the gap

    def take(self, frame: Frame) -> Sequence[Frame]:
        """The pictures that can be given now that this one has come."""
        if self._held:
            return self._more(frame)
        self._step_s = self._usual_s()
        if self._step_s and frame.time_s - self._given[-1] >= GAP_STEPS * self._step_s:
            self._held = [frame]
            return ()
        return self._give([frame])

    def rest(self) -> Sequence[Frame]:
        """What is kept when there are no more pictures."""
        held, self._held = self._held, []
        if held and self._add_up(held):
            return self._spread(held)
        return () if self._stale or self._any_close(held) else held

    def _more(self, frame: Frame) -> Sequence[Frame]:
        before, self._held = self._held, [*self._held, frame]
        if not self._is_close(before[-1], frame) and self._add_up(before):
            self._held = []
            return [*self._spread(before), *self.take(frame)]
        if self._lacking_steps(self._held) < -FASTER_STEPS:
            return self._leave_out(0)
        if not self._any_close(self._held[-IN_TIME - 1 :]) and len(self._held) > IN_TIME:
            return self._leave_out(len(self._held) - IN_TIME if self._any_close(self._held) else 0)
        if len(self._held) > SPAN and frame.time_s - self._held[-SPAN - 1].time_s >= PACE * SPAN * self._step_s:
            return self._leave_out(len(self._held) - 1)
        if len(self._held) > self._most:
            self._stale += 1 + self._held.pop(0).missed
        return ()

    def _leave_out(self, count: int) -> Sequence[Frame]:
        """The pictures that are kept as they came, but for the first ones."""
        held, self._held = self._held, []
        stale, self._stale = self._stale + sum(1 + frame.missed for frame in held[:count]), 0
        first, *others = held[count:]
        return self._give([replace(first, missed=first.missed + stale) if stale else first, *others])

    def _add_up(self, frames: Sequence[Frame]) -> bool:
        return not self._stale and self._lacking_steps(frames) <= ADDS_UP_STEPS

    def _spread(self, frames: Sequence[Frame]) -> Sequence[Frame]:
        from_s = self._given[-1]
        step_s = min(self._step_s, (frames[-1].time_s - from_s) / len(frames))  # the last one may be a little late
        return self._give([replace(frame, time_s=from_s + n * step_s) for n, frame in enumerate(frames, 1)])

    def _lacking_steps(self, frames: Sequence[Frame]) -> float:
        """How many pictures more would fill the time since the last one that was given."""
        count = self._stale + sum(1 + frame.missed for frame in frames)
        return (frames[-1].time_s - self._given[-1]) / self._step_s - count

    def _is_close(self, before: Frame, after: Frame) -> bool:
        return after.time_s - before.time_s < BURST_STEPS * self._step_s

    def _any_close(self, frames: Sequence[Frame]) -> bool:
        return any(self._is_close(before, after) for before, after in pairwise(frames))

    def _usual_s(self) -> float:
        """The time from one picture to the next; 0 while it is not known."""
        if len(self._given) < MEASURED_LEAST:
            return 0.0
        times = list(self._given)
        return median(late - early for early, late in zip(times, times[SPAN:], strict=False)) / SPAN

    def _give(self, frames: Sequence[Frame]) -> Sequence[Frame]:
        self._given.extend(frame.time_s for frame in frames)
        return frames


def in_rhythm(frames: Iterator[Frame], most: int) -> Iterator[Frame]:
    """Pictures in the rhythm of their camera; see Backlog. most: pictures that may wait."""
    backlog = Backlog(most)
    for frame in frames:
        yield from backlog.take(frame)
    yield from backlog.rest()
