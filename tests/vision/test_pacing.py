"""Frames played as if live, decoded ahead, or drained from a source that never waits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from vision.frames import Frame
from vision.pacing import Drain, DropRate, Paced, capacity_for

FPS = 10.0


@dataclass
class Tape:
    """A source of tiny frames; `gate` holds back the frames after the first `free`."""

    count: int = 20
    free: int = 1 << 30
    gate: threading.Event = field(default_factory=threading.Event)
    given: int = 0
    error: Exception | None = None

    size = (4, 3)
    fps = FPS

    def frames(self) -> Iterator[Frame]:
        for index in range(self.count):
            if index >= self.free:
                self.gate.wait()
            self.given += 1
            yield Frame(index, (index + 0.5) / FPS, np.zeros((3, 4, 3), np.uint8))
        if self.error is not None:
            raise self.error

    def close(self) -> None:
        pass


@dataclass
class Time:
    """A clock that only sleeping, or `lose`, moves on."""

    now_s: float = 100.0

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def test_each_frame_is_readied_by_the_thread_that_decodes() -> None:
    mine, where = threading.get_ident(), set()

    def readied(frame: Frame) -> Frame:
        where.add(threading.get_ident())
        return replace(frame, missed=frame.index)

    drain = Drain(Tape(5), drop=False, capacity=3, readied=readied)
    assert [f.missed for f in drain.frames()] == [0, 1, 2, 3, 4]
    assert where
    assert mine not in where


def test_a_film_played_as_live_gives_each_frame_at_its_time() -> None:
    time = Time()
    shown = [(f.time_s, time.now_s) for f in Paced(Tape(), clock=time.clock, sleep=time.sleep).frames()]
    assert [now - 100.0 for _, now in shown] == pytest.approx([t for t, _ in shown])


def test_a_film_does_not_wait_for_a_slow_watcher_and_tells_what_was_missed() -> None:
    time = Time()
    frames = []
    for frame in Paced(Tape(50), clock=time.clock, sleep=time.sleep, late_s=0.5).frames():
        frames.append(frame)
        if frame.index == 10:
            time.sleep(2.0)
    after = frames[11]
    assert after.missed == after.index - 11
    assert after.missed > 10
    assert len(frames) + sum(f.missed for f in frames) == 50


def test_decoding_ahead_loses_nothing() -> None:
    drain = Drain(Tape(200), drop=False, capacity=3)
    assert [f.index for f in drain.frames()] == list(range(200))
    assert drain.dropped == 0


def test_decoding_ahead_waits_when_the_store_is_full() -> None:
    tape = Tape(200)
    drain = Drain(tape, drop=False, capacity=3)
    first = drain.take()
    assert first is not None
    assert tape.given <= 6
    assert drain.stop()


def test_a_live_source_drops_the_oldest_frames_and_tells_how_many() -> None:
    tape = Tape(30, free=29)
    drain = Drain(tape, drop=True, capacity=4)
    while tape.given < 29 or drain.dropped < 25:
        threading.Event().wait(0.001)
    tape.gate.set()
    frames = list(drain.frames())
    assert len(frames) + sum(f.missed for f in frames) == 30
    assert frames[0].missed >= 25
    assert [f.index for f in frames[-4:]] == [26, 27, 28, 29]


def test_a_source_that_hangs_does_not_hang_its_watcher() -> None:
    tape = Tape(10, free=2)
    drain = Drain(tape, drop=True, capacity=4)
    assert drain.take(1.0) is not None
    assert drain.take(1.0) is not None
    assert drain.take(0.01) is None
    assert not drain.ended
    tape.gate.set()


def test_an_error_in_the_source_reaches_the_watcher_after_the_frames_before_it() -> None:
    drain = Drain(Tape(5, error=OSError("the plug was pulled")), drop=False, capacity=2)
    seen = []
    with pytest.raises(OSError, match="plug"):
        seen.extend(f.index for f in drain.frames())
    assert drain.ended


def test_large_frames_wait_in_smaller_numbers() -> None:
    assert capacity_for((1280, 720)) == 24
    assert capacity_for((1920, 1080)) == 10
    assert capacity_for((7680, 4320)) == 4


def test_dropped_frames_are_told_a_second_and_forgotten_when_no_more_are() -> None:
    rate = DropRate()
    told = [rate.update(second, 3 * min(second, 40)) for second in range(100)]
    assert told[0] == 0.0
    assert told[1] == pytest.approx(3 / 20), "the few of a start are not many"
    assert told[40] == pytest.approx(3.0)
    assert told[70] == 0.0
