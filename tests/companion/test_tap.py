"""Games kept by taps on their way to the journal: set-ups, clocks from the journal's times, corrections."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import IllegalMove, MalformedAction
from companion.journal import Entry
from companion.scoreboard import Score, fold
from companion.tap import clock_pause, correction, difference, kept_ids, match_clock, setup_of, tapped

START = {"game": "armadora", "players": {"ann": "Ann", "ben": "Ben"}, "begins": "ann", "seed": 1}


def journal(*items: tuple[str, dict[str, Any]], step_s: int = 10, **setup: Any) -> list[Entry]:
    """A match and what follows, an entry every ten seconds from noon on; types with a seat get the game's name."""
    found = []
    for n, (type, data) in enumerate([("match_started", {**START, **setup}), *items]):
        seconds = n * step_s
        time = f"2026-01-01T12:{seconds // 60:02d}:{seconds % 60:02d}.000+00:00"
        found.append(Entry(n + 1, type, time, {"game": "armadora", **data}))
    return found


def warrior(seat: str, square: str) -> tuple[str, dict[str, Any]]:
    return "warrior", {"seat": seat, "square": square, "value": 1, "by": seat}


def at(seconds: int) -> str:
    return f"2026-01-01T12:{seconds // 60:02d}:{seconds % 60:02d}.000+00:00"


FISCHER = {"kind": "fischer", "base_s": 60, "bonus_s": 5}


def test_without_a_clock_there_is_none() -> None:
    assert match_clock(journal(warrior("ann", "a1")), at(30)) is None


def test_clocks_follow_from_the_journals_times() -> None:
    clock = match_clock(journal(warrior("ann", "a1"), warrior("ben", "b1"), clock=FISCHER), at(25))
    assert clock is not None
    assert clock["seconds"] == {"ann": 60 - 10 + 5 - 5, "ben": 60 - 10 + 5}
    assert (clock["running"], clock["flagged"], clock["paused"]) == (["ann"], [], False)


def test_an_undone_action_gives_the_turn_and_its_time_back() -> None:
    undo = ("undo", {"undoes": 2, "what": "warrior"})
    clock = match_clock(journal(warrior("ann", "a1"), undo, clock={"kind": "count_up"}), at(25))
    assert clock is not None
    assert clock["running"] == ["ann"]
    assert clock["seconds"] == {"ann": 25.0, "ben": 0.0}


def test_a_pause_is_journalled_and_stops_all_clocks() -> None:
    entries = journal(warrior("ann", "a1"), ("pause", {"by": "table"}), clock=FISCHER)
    clock = match_clock(entries, at(59))
    assert clock is not None
    assert (clock["seconds"]["ben"], clock["running"], clock["paused"]) == (50.0, [], True)
    with pytest.raises(IllegalMove, match="paused already"):
        clock_pause(fold(entries), entries, "pause", "table")
    assert clock_pause(fold(entries), entries, "resume", "table") == ("resume", {"game": "armadora", "by": "table"})


def test_a_flag_is_shown_and_ends_nothing_by_itself() -> None:
    clock = match_clock(journal(clock=FISCHER), at(61))
    assert clock is not None
    assert clock["flagged"] == ["ann"]


@pytest.mark.parametrize("told", [{"clock": {"kind": "egg"}}, {"clock": {}}, {"clock": {"kind": "sand", "base_s": "1"}},
                                  {"setup": {"cheat": 1}}, {"setup": []}])  # fmt: skip
def test_a_wrong_set_up_is_refused(told: dict[str, Any]) -> None:
    with pytest.raises(MalformedAction, match="expected"):
        setup_of(told, 1)


def test_chance_is_the_servers_unless_it_is_told() -> None:
    assert setup_of({}, 77) == {"seed": 77}
    assert setup_of({"setup": {"seed": 3}}, 77) == {"seed": 3}


@pytest.mark.parametrize("data", [{"seat": "ben"}, {"game": "zargo"}, {"by": "ben"}])
def test_an_action_cannot_name_its_own_seat_or_game(data: dict[str, Any]) -> None:
    score = fold(journal())
    with pytest.raises(MalformedAction):
        tapped(score, "warrior", "ann", {"square": "a1", "value": 1, **data}, "ann")


def test_no_action_before_a_match() -> None:
    with pytest.raises(IllegalMove, match="begin one first"):
        tapped(Score(), "warrior", "ann", {"square": "a1", "value": 1}, "ann")


def test_a_correction_recomputes_everything_after_it_and_says_what_falls_away() -> None:
    entries = journal(warrior("ann", "a1"), warrior("ben", "b1"), warrior("ann", "c1"))
    told = correction(entries, 2, "ann", "warrior", {"square": "b1", "value": 1})
    change = difference(entries, told, "ann")
    assert change["dropped"] == [3, 4], "Ben's Warrior had no square, and then it was not Ann's turn"
    assert set(change["after"]["warriors"]) == {"b1"}
    assert kept_ids(entries) == {1, 2, 3, 4}


def test_a_correction_can_be_corrected_and_undone() -> None:
    entries = journal(
        warrior("ann", "a1"),
        ("correction", {"of": 2, "facts": {"type": "warrior", "data": {"square": "c2", "value": 2}}, "seat": "ann"}),
        ("correction", {"of": 2, "facts": {"type": "warrior", "data": {"square": "c3", "value": 2}}, "seat": "ann"}),
    )
    assert set(fold(entries).state.warriors) == {18}
    undone = [*entries, Entry(5, "undo", at(50), {"undoes": 4, "what": "correction"})]
    assert set(fold(undone).state.warriors) == {10}


@pytest.mark.parametrize(("of", "seat"), [(2, "ben"), (1, "ann"), (9, "ann")])
def test_only_an_own_action_is_corrected(of: int, seat: str) -> None:
    with pytest.raises(IllegalMove, match="no action of"):
        correction(journal(warrior("ann", "a1")), of, seat, "pass", {})
