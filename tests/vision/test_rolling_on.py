"""Which pucks of the last shot may be what runs now."""

from __future__ import annotations

import numpy as np
import pytest

from vision.contacts import ContactGraph
from vision.motion import Motion
from vision.rolling_on import RollingOn
from vision.shots import Shot

END = (300.0, 100.0)


def ran_east(puck: str, end: tuple[float, float] | None) -> Motion:
    places = np.array([(100.0, 100.0), END])
    return Motion(puck, "red", (100.0, 100.0), end, np.array([5.0, 5.6]), places, 5.0, 5.6, (1.0, 0.0), 900.0)


def told(*motions: Motion) -> RollingOn:
    rolling = RollingOn()
    rolling.tell(Shot("p1", 5.0, 5.6, ContactGraph("p1", (), ()), (), (), (), motions, False, ()), 6.0)
    return rolling


def test_a_puck_that_was_told_at_rest_may_roll_on_the_way_it_ran() -> None:
    way = told(ran_east("p1", END)).in_episode(6.2, 7.0)["p1"]
    assert way == pytest.approx((1.0, 0.0))


def test_one_that_left_the_board_rolls_nowhere() -> None:
    assert set(told(ran_east("p1", END), ran_east("p2", None)).in_episode(6.2, 7.0)) == {"p1"}


@pytest.mark.parametrize(("first_s", "now_s"), [(7.1, 7.5), (6.2, 8.6)])
def test_what_begins_or_is_looked_at_long_after_is_none_of_them(first_s: float, now_s: float) -> None:
    assert told(ran_east("p1", END)).in_episode(first_s, now_s) == {}


def test_the_last_shot_counts_and_before_any_there_is_none() -> None:
    rolling = told(ran_east("p1", END))
    rolling.tell(Shot("p2", 9.0, 9.6, ContactGraph("p2", (), ()), (), (), (), (ran_east("p2", END),), False, ()), 10.0)
    assert set(rolling.in_episode(10.1, 10.5)) == {"p2"}
    assert RollingOn().in_episode(0.2, 0.9) == {}
