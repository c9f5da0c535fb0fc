"""When a live picture was taken, and whether it is a new one at all."""

from __future__ import annotations

import numpy as np
import pytest

from tests.films import numbered_picture
from vision.stamps import FROZEN_S, FrozenPictures, StreamClock


def test_a_picture_that_never_changes_is_called_frozen_only_after_a_while() -> None:
    frozen = FrozenPictures()
    still = numbered_picture(3)
    assert not frozen.update(still, 0.0)
    assert not frozen.update(still, FROZEN_S - 0.1)
    assert frozen.update(still, FROZEN_S)


def test_the_least_noise_shows_that_the_camera_is_alive() -> None:
    frozen = FrozenPictures()
    rng = np.random.default_rng(1)
    for second in range(20):
        noisy = numbered_picture(3) + rng.integers(0, 2, (120, 160, 3), np.uint8)
        assert not frozen.update(noisy, float(second))


def test_frames_that_arrive_in_a_burst_keep_the_streams_own_spacing() -> None:
    clock = StreamClock()
    regular = [clock.stamp(1 + n / 30, 100 + n / 30) for n in range(30)]
    burst = [clock.stamp(1 + n / 30, 100 + 35 / 30) for n in range(30, 35)]
    steps = np.diff(regular + burst)
    assert steps == pytest.approx(np.full(34, 1 / 30), abs=1e-3)


def test_a_stream_without_stamps_is_timed_by_its_arrival() -> None:
    clock = StreamClock()
    assert [clock.stamp(0.0, t) for t in (5.0, 5.1, 5.3)] == [5.0, 5.1, 5.3]


def test_a_stream_whose_stamps_start_anew_never_goes_back_in_time() -> None:
    clock = StreamClock()
    times = [clock.stamp(s, a) for s, a in [(10.0, 1.0), (10.1, 1.1), (0.1, 1.2), (0.2, 1.3)]]
    assert times == sorted(times)
    assert times[-1] == pytest.approx(1.3)
