"""A machine that sleeps in the middle of a match, or whose clock is set."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app import Companion
from companion.clock_jumps import JUMP_S, STOPPED_S, ClockJumps, jump_told
from tests.companion.fed_companion import Fed, config_for


class Times:
    """The time of day, and a clock that stands still while the machine sleeps."""

    def __init__(self) -> None:
        self.day_s, self.awake_s = 1_800_000_000.0, 100.0

    def pass_by(self, seconds: float) -> None:
        self.day_s += seconds
        self.awake_s += seconds


def test_time_that_passes_is_no_jump_while_a_disk_holds_everybody_up_or_however_it_is_slewed() -> None:
    times = Times()
    jumps = ClockJumps(lambda: times.awake_s, lambda: times.day_s)
    times.pass_by(STOPPED_S)
    assert jumps.look() is None
    for _ in range(100):
        times.pass_by(0.1)
        times.day_s += 0.1
        assert jumps.look() is None


@pytest.mark.parametrize("jumped_s", [JUMP_S + 1, 30_000.0, -3600.0])
def test_a_jump_is_told_once(jumped_s: float) -> None:
    times = Times()
    jumps = ClockJumps(lambda: times.awake_s, lambda: times.day_s)
    times.day_s += jumped_s
    assert jumps.look() == pytest.approx(jumped_s)
    assert jumps.look() is None


def test_a_time_in_which_nobody_looked_is_one_although_the_clock_went_on() -> None:
    """The program was stopped; or the machine slept, and its clock counts that, as on Windows."""
    times = Times()
    jumps = ClockJumps(lambda: times.awake_s, lambda: times.day_s)
    times.pass_by(60.0)
    assert jumps.look() == pytest.approx(60.0)
    assert jumps.look() is None


def test_whoever_acts_first_after_a_sleep_is_not_charged_with_it(tmp_path: Path) -> None:
    """A tap may come before the companion has had time to look at its clock."""
    times = Times()
    companion = Companion(config_for(tmp_path), Fed(), clock=lambda: times.awake_s, wall=lambda: times.day_s)
    companion.command("new_match", {"game": "armadora", "players": {"ann": "Ann", "ben": "Ben"},
                                    "clock": {"kind": "count_up"}})  # fmt: skip
    for act in (lambda: companion.command("pause", {}), lambda: companion.command("resume", {})):
        times.day_s += 7380.0
        act()
    seat = next(seat for seat in companion.seats() if companion.seat_view(seat)["moves"])
    move = companion.seat_view(seat)["moves"][0]
    times.day_s += 7380.0
    companion.tap(seat, move["type"], move["data"])
    notes = [e.id for e in companion.entries_after(0) if e.type == "note"]
    assert notes == [2, 4, 6], "each before what was done"
    companion.stop()


def test_players_with_clocks_read_of_it_in_both_languages(tmp_path: Path) -> None:
    times = Times()
    companion = Companion(config_for(tmp_path), Fed(), clock=lambda: times.awake_s, wall=lambda: times.day_s)
    times.day_s += 7380.0
    companion.look_at_clock()
    assert companion.last_id() == 0, "no match is on"
    companion.command("new_match", {"game": "armadora", "players": {"ann": "Ann", "ben": "Ben"},
                                    "clock": {"kind": "count_up"}})  # fmt: skip
    times.day_s += 7380.0
    companion.look_at_clock()
    told = companion.scoreboard()["log"][-1]
    assert told["en"] == ("This machine slept, or its clock was set forward: 2 h 03 min that no player's clock counts.")
    assert "2 h 03 min qu’aucune pendule" in told["fr"]
    assert jump_told(-65.0, clocks=False)["en"] == "This machine slept, or its clock was set back: 1 min 05 s."
    companion.stop()
