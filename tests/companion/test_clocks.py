"""Players' clocks: counting up, Fischer, Bronstein, sand, pauses; the time of day is always told."""

from __future__ import annotations

import pytest

from companion.clocks import (
    Clock,
    ClockError,
    ClockSettings,
    flagged,
    pause,
    resume,
    seconds_at,
    start_clock,
    turn_to,
)


def running(kind: str, base: float = 60.0, bonus: float = 0.0, seats: str = "ann ben") -> Clock:
    """A clock on which Ann's time runs from 100 s on."""
    return turn_to(start_clock(ClockSettings(kind, base, bonus), seats.split(), 100.0), ["ann"], 100.0)


def test_without_a_clock_nobodys_time_runs() -> None:
    assert seconds_at(running("none"), 500.0) == {"ann": 0.0, "ben": 0.0}
    assert flagged(running("none"), 5000.0) == ()


def test_counting_up_adds_what_each_player_used() -> None:
    clock = turn_to(running("count_up"), ["ben"], 130.0)
    assert seconds_at(clock, 145.0) == {"ann": 30.0, "ben": 15.0}
    assert flagged(clock, 99999.0) == ()


def test_fischer_adds_the_bonus_after_each_turn_whatever_it_took() -> None:
    clock = turn_to(running("fischer", bonus=5.0), ["ben"], 102.0)
    assert seconds_at(clock, 112.0) == {"ann": 63.0, "ben": 50.0}


def test_bronstein_gives_back_what_the_turn_took_up_to_the_bonus() -> None:
    quick = turn_to(running("bronstein", bonus=5.0), ["ben"], 102.0)
    slow = turn_to(running("bronstein", bonus=5.0), ["ben"], 120.0)
    assert seconds_at(quick, 102.0)["ann"] == 60.0
    assert seconds_at(slow, 120.0)["ann"] == 45.0


def test_sand_runs_from_one_glass_into_the_others() -> None:
    assert seconds_at(running("sand"), 110.0) == {"ann": 50.0, "ben": 70.0}
    three = seconds_at(running("sand", seats="ann ben cid"), 110.0)
    assert three == {"ann": 50.0, "ben": 65.0, "cid": 65.0}


def test_several_players_time_runs_in_a_simultaneous_phase() -> None:
    clock = turn_to(running("fischer", seats="ann ben cid"), ["ann", "ben"], 100.0)
    assert seconds_at(turn_to(clock, ["ben"], 110.0), 120.0) == {"ann": 50.0, "ben": 40.0, "cid": 60.0}


def test_who_goes_on_gets_no_bonus_between_two_actions_of_one_turn() -> None:
    clock = turn_to(running("fischer", bonus=5.0), ["ann"], 110.0)
    assert seconds_at(clock, 110.0)["ann"] == 50.0
    assert seconds_at(turn_to(clock, ["ben"], 120.0), 120.0)["ann"] == 45.0


@pytest.mark.parametrize("days", [0, 3])
def test_a_pause_stops_all_time_be_it_until_another_day(days: int) -> None:
    clock = pause(running("fischer"), 110.0)
    later = 110.0 + 3600 + days * 86400
    assert seconds_at(clock, later)["ann"] == 50.0
    assert seconds_at(resume(clock, later), later + 5)["ann"] == 45.0


def test_a_flag_falls_at_zero_and_the_clock_shows_no_less() -> None:
    clock = running("fischer")
    assert flagged(clock, 159.9) == ()
    assert flagged(clock, 160.0) == ("ann",)
    assert seconds_at(clock, 300.0)["ann"] == 0.0


def test_time_that_goes_backwards_costs_nobody_anything() -> None:
    assert seconds_at(running("fischer"), 50.0)["ann"] == 60.0


@pytest.mark.parametrize("settings", [("egg", 60.0, 0.0), ("sand", -1.0, 0.0), ("fischer", 60.0, 1e9)])
def test_a_clock_that_cannot_be_is_refused(settings: tuple[str, float, float]) -> None:
    with pytest.raises(ClockError, match="expected"):
        ClockSettings(*settings)
