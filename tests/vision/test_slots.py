"""Frames find their slots in an even film, however a camera jitters, and however wrong it tells its rate."""

from __future__ import annotations

import random

import pytest

from vision.slots import SlotClock, measured_fps


def slots(times_s: list[float], fps: float = 30.0) -> list[int]:
    clock = SlotClock(fps)
    return [clock.slots(t) for t in times_s]


def test_frames_that_come_in_time_have_a_slot_each() -> None:
    assert slots([n / 30 for n in range(100)]) == [1] * 100


def test_frames_that_come_early_and_late_by_a_third_still_have_a_slot_each() -> None:
    chance = random.Random(1)
    assert slots([(n + chance.uniform(-0.33, 0.33)) / 30 for n in range(500)]) == [1] * 500


def test_lost_frames_leave_their_slots_open() -> None:
    came = [n / 30 for n in range(60) if n not in (20, 21, 40)]
    found = slots(came)
    assert sum(found) == 60
    assert [n for n, count in enumerate(found) if count > 1] == [20, 38]


def test_a_rate_that_is_one_percent_wrong_opens_no_slot() -> None:
    assert slots([n / 29.7 for n in range(3000)]) == [1] * 3000
    assert slots([n / 30.3 for n in range(3000)]) == [1] * 3000


def test_a_camera_that_slows_down_to_half_its_rate_leaves_every_second_slot_open() -> None:
    times = [n / 30 for n in range(30)] + [1 + n / 15 for n in range(30)]
    assert sum(slots(times)) == pytest.approx(30 + 60, abs=2)


@pytest.mark.parametrize(
    ("true", "claimed", "found"),
    [(29.97, 30.0, 30.0), (14.98, 30.0, 15.0), (30.4, 25.0, 30.0), (27.3, 30.0, 27.3), (60.1, 30.0, 60.0)],
)
def test_the_true_rate_is_measured_and_a_common_one_is_known_again(true: float, claimed: float, found: float) -> None:
    assert measured_fps([n / true for n in range(20)], claimed) == pytest.approx(found, abs=0.01)


def test_lost_frames_do_not_change_the_measured_rate() -> None:
    assert measured_fps([n / 15 for n in range(25) if n not in (4, 5, 11)], 30.0) == 15.0


def test_of_one_frame_no_rate_can_be_measured() -> None:
    assert measured_fps([1.0], 25.0) == 25.0
