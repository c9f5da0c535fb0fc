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


def made_up(clock: StreamClock, fps: float, seconds: float, *, from_s: float = 0.0) -> list[tuple[float, float]]:
    """When pictures came that a reader numbers as if there were 25 a second, and when the clock says they did."""
    arrivals = [from_s + n / fps for n in range(round(seconds * fps))]
    return [(arrival, clock.stamp((n + 1) / 25, arrival)) for n, arrival in enumerate(arrivals)]


@pytest.mark.parametrize("fps", [5.0, 15.0, 30.0])
def test_stamps_that_only_number_the_pictures_are_not_taken_for_time(fps: float) -> None:
    told = [(a, t) for a, t in made_up(StreamClock(), fps, 20.0) if a > 6.0]
    assert [t for _, t in told] == pytest.approx([a for a, _ in told], abs=0.05)


def test_how_a_streams_stamps_go_is_still_known_when_it_was_connected_again() -> None:
    clock = StreamClock()
    made_up(clock, 10.0, 10.0)
    clock.begin_anew()
    told = made_up(clock, 10.0, 2.0, from_s=15.0)
    assert [t for _, t in told] == pytest.approx([a for a, _ in told])


def test_pictures_that_all_come_at_once_after_a_stall_are_still_told_apart_by_their_stamps() -> None:
    clock = StreamClock()
    stamps = [1 + n / 30 for n in range(600)]
    arrivals = [100 + (13.0 if 10.0 < s < 13.0 else s) for s in stamps]
    times = [clock.stamp(s, a) for s, a in zip(stamps, arrivals, strict=True)]
    assert times == pytest.approx([100 + s for s in stamps], abs=0.3)
