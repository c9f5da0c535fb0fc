"""How frames travel: played as if live, decoded ahead in a thread, or drained from a source that never waits."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace

from vision.frames import Frame, FrameSource, Through

AHEAD_FRAMES = 8  # decoded ahead of the tracker: enough to keep a second core busy …
AHEAD_BYTES = 24 * 2**20  # … but no more than this, which is 8 at 720p and 4 at 1080p …
DRAIN_BYTES = 64 * 2**20  # frames that wait for the tracker: 24 at 720p, nearly a second while it solves a shot
STOP_S = 2.0  # a source that gives no frame within this time hangs
DROPS_OVER_S = 20.0  # long enough that the few of a start, or of one long shot, are soon outweighed
DRAIN_LEAST = 4  # … and of either no fewer than this, however large the frames are


class Paced(Through):
    """A film played at its own speed: a frame is given no sooner than its time has come.

    clock and sleep in seconds; start_s: the clock's moment of the film's time 0, by default when frames() begins.
    Frames whose time passed more than `late_s` ago are not given: a live camera would not wait for us either.
    """

    def __init__(
        self,
        source: FrameSource,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        start_s: float | None = None,
        late_s: float = 1.0,
    ) -> None:
        super().__init__(source)
        self._clock = clock
        self._sleep = sleep
        self._start_s = start_s
        self._late_s = late_s

    def frames(self) -> Iterator[Frame]:
        """Frames at their time; those left out are counted in the next one's `missed`."""
        start_s = self._clock() if self._start_s is None else self._start_s
        missed = 0
        for frame in self._source.frames():
            wait_s = start_s + frame.time_s - self._clock()
            if wait_s < -self._late_s:
                missed += 1 + frame.missed
                continue
            if wait_s > 0:
                self._sleep(wait_s)
            yield replace(frame, missed=frame.missed + missed) if missed else frame
            missed = 0


class Drain:
    """A thread that takes frames from a source and keeps a few until they are asked for.

    drop=False waits when the store is full (a film is decoded ahead, nothing is lost); drop=True never lets the
    source wait: the oldest frame is dropped and counted in the next one's `missed`.
    readied: what is done to each frame by the thread, while the one who takes them is busy with those before.
    An exception in the source is raised again by take().
    """

    def __init__(
        self, source: FrameSource, *, drop: bool, capacity: int, readied: Callable[[Frame], Frame] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._source, self._clock = source, clock
        self._readied = readied
        self._drop = drop
        self._capacity = capacity
        self._store: deque[Frame] = deque()
        self._changed = threading.Condition()
        self._owed = 0  # frames dropped that the next one given must tell of
        self._ended = False
        self._stopping = False
        self._error: BaseException | None = None
        self.dropped = 0
        self.arrived_s: float | None = None  # by the clock, when the last frame came
        self._thread = threading.Thread(target=self._run, name="frames", daemon=True)
        self._thread.start()

    def take(self, timeout_s: float | None = None) -> Frame | None:
        """The next frame in order; None at the source's end, or where none came in time (see `ended`).

        Raises what the source raised, once the frames before that are taken.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._store or self._ended or self._stopping, timeout_s)
            if self._store:
                frame = self._store.popleft()
                missed, self._owed = self._owed, 0
                self._changed.notify_all()
                return replace(frame, missed=frame.missed + missed) if missed else frame
            if self._error is not None:
                raise self._error
            return None

    @property
    def ended(self) -> bool:
        """True when the source gave its last frame and all were taken."""
        with self._changed:
            return self._ended and not self._store

    def frames(self) -> Iterator[Frame]:
        """All frames until the source's end."""
        while (frame := self.take()) is not None:
            yield frame

    def stop(self) -> bool:
        """Stops the thread at its next frame. False where the source hangs: then it must not be closed either."""
        with self._changed:
            self._stopping = True
            self._store.clear()
            self._changed.notify_all()
        self._thread.join(STOP_S)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            for frame in self._source.frames():
                if not self._put(frame if self._readied is None else self._readied(frame)):
                    break
        except BaseException as error:
            self._error = error
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _put(self, frame: Frame) -> bool:
        with self._changed:
            self.arrived_s = self._clock()
            if self._drop:
                while len(self._store) >= self._capacity:
                    self._drop_oldest()
            else:
                self._changed.wait_for(lambda: self._stopping or len(self._store) < self._capacity)
            if self._stopping:
                return False
            self._store.append(frame)
            self._changed.notify_all()
            return True

    def _drop_oldest(self) -> None:
        gone = self._store.popleft()
        self._owed += 1 + gone.missed
        self.dropped += 1


class DropRate:
    """How many frames a second were dropped over the last DROPS_OVER_S."""

    def __init__(self) -> None:
        self._told: deque[tuple[float, int]] = deque()

    def update(self, now_s: float, dropped: int) -> float:
        """now_s: seconds; dropped: how many were dropped by then since the start."""
        self._told.append((now_s, dropped))
        while len(self._told) > 1 and now_s - self._told[1][0] >= DROPS_OVER_S:
            self._told.popleft()
        since_s, before = self._told[0]
        return (dropped - before) / max(now_s - since_s, DROPS_OVER_S)


def capacity_for(size: tuple[int, int]) -> int:
    """How many frames of this size may wait for the tracker."""
    return max(DRAIN_LEAST, DRAIN_BYTES // (size[0] * size[1] * 3))


def ahead_for(size: tuple[int, int]) -> int:
    """How many frames of this size are decoded ahead."""
    return min(max(DRAIN_LEAST, AHEAD_BYTES // (size[0] * size[1] * 3)), AHEAD_FRAMES)
