"""Which frames of a fast camera are looked at."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frames import Frame
from vision.turns import MEASURED_LEAST, Turns

IMAGE = np.zeros((4, 6, 3), np.uint8)


def taken(turns: Turns, count: int, fps: float, lost: frozenset[int] = frozenset()) -> list[Frame]:
    """What is taken of so many frames; those that are lost are counted in the next one's missed."""
    out, owed = [], 0
    for index in range(count):
        if index in lost:
            owed += 1
            continue
        if (frame := turns.take(Frame(index, (index + 0.5) / fps, IMAGE, owed))) is not None:
            out.append(frame)
        owed = 0
    return out


@pytest.mark.parametrize(("fps", "lost", "looked_at", "missed"), [
    (30.0, {4}, [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11], 1),
    (60.0, {4}, [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11], 1),
    (120.0, set[int](), [0, 2, 4, 6, 8, 10], 0),
    (120.0, {4}, [0, 2, 5, 7, 9, 11], 0),  # the other one of its turn was there
    (120.0, {3, 4, 5}, [0, 2, 6, 8, 10], 1),
    (240.0, {1, 2, 3}, [0, 4, 8], 0),
])  # fmt: skip
def test_of_frames_faster_than_any_puck_needs_one_in_so_many_is_taken(
    fps: float, lost: set[int], looked_at: list[int], missed: int
) -> None:
    frames = taken(Turns(fps), 12, fps, frozenset(lost))
    assert [f.index for f in frames] == looked_at
    assert sum(f.missed for f in frames) == missed


def test_a_torn_frame_that_is_not_taken_is_told_with_the_next_one_that_is() -> None:
    turns = Turns(120.0)
    frames = [turns.take(Frame(n, (n + 0.5) / 120.0, IMAGE, torn=n == 3)) for n in range(8)]
    assert [(f.index, f.torn) for f in frames if f is not None] == [(0, False), (2, False), (4, True), (6, False)]


def test_a_stream_that_claims_to_be_faster_than_it_is_loses_nothing() -> None:
    frames = taken(Turns(180.0), 60, 25.0)
    assert [f.index for f in frames][-52:] == list(range(MEASURED_LEAST, 60))
    assert sum(f.missed for f in frames) == 0


def test_frames_that_come_in_pairs_are_all_taken() -> None:
    """A network that holds up every other frame: sixty a second come, a millisecond apart each two."""
    turns = Turns(60.0)
    frames = [Frame(k, k // 2 / 30 + k % 2 * 0.001, IMAGE) for k in range(20)]
    assert [f for f in frames if turns.take(f) is not None] == frames
