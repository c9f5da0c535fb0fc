"""Games kept by taps on their way to the journal: set-ups, clocks from the journal's times, corrections."""

from __future__ import annotations

from typing import Any

import pytest

from companion.clock_jumps import jump_told
from companion.games.base import IllegalMove, MalformedAction
from companion.journal import Entry
from companion.scoreboard import Score, fold
from companion.tap import clock_pause, match_clock, setup_of, tapped
from tests.companion.paleo_table import SHEET

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


def test_clocks_stand_still_while_another_match_is_on() -> None:
    """Ann thinks 10 s; then a match of another evening is played for 30 s; back again she thinks 5 s more."""
    other = {**START, "game": "sacrifice", "players": {"cid": "Cid", "dan": "Dan"}, "begins": "cid"}
    entries = journal(clock={"kind": "count_up"})
    entries += [
        Entry(2, "match_started", at(10), other),
        Entry(3, "end", at(30), {"seat": "cid", "game": "sacrifice"}),
        Entry(4, "match_resumed", at(40), {"of": 1, "by": "table"}),
    ]
    clock = match_clock(entries, at(45))
    assert clock is not None
    assert clock["seconds"] == {"ann": 15.0, "ben": 0.0}
    assert match_clock(entries[:3], at(35)) is None


def test_paleo_has_clocks_as_well() -> None:
    """Red begins at 10 s and shoots at 20 s; green shoots at 25 s."""
    start = {"game": "paleo", "sheet": SHEET, "players": {}, "options": {"kept_by": "taps"}, "clock": FISCHER}
    entries = [
        Entry(1, "match_started", at(0), start),
        Entry(2, "round_started", at(10), {"begins": "red"}),
        Entry(3, "shot_by_hand", at(20), {"flicked": "red-3"}),
        Entry(4, "shot_by_hand", at(25), {"flicked": "green-3"}),
    ]
    clock = match_clock(entries, at(26))
    assert clock is not None
    assert clock["seconds"] == {"red": 60 - 10 + 5 - 1, "green": 60 - 5 + 5}
    assert clock["running"] == ["red"]


def test_a_night_in_which_no_companion_ran_is_nobodys_time() -> None:
    """A cut of the power in the middle of Ben's turn."""
    entries = journal(warrior("ann", "a1"), clock=FISCHER)
    begun = Entry(3, "camera", "2026-01-02T09:00:00.000+00:00", {"what": "session_started", "source": "none"})
    clock = match_clock([*entries, begun], "2026-01-02T09:00:07.000+00:00")
    assert clock is not None
    assert clock["seconds"] == {"ann": 55.0, "ben": 53.0}
    assert (clock["running"], clock["flagged"]) == (["ben"], [])


@pytest.mark.parametrize(("time", "jumped_s"), [("2026-01-01T14:00:20.000+00:00", 7200.0),
                                                ("2026-01-01T10:00:20.000+00:00", -7200.0)])  # fmt: skip
def test_what_the_machine_slept_or_its_clock_was_set_by_is_nobodys_time(time: str, jumped_s: float) -> None:
    entries = journal(warrior("ann", "a1"), clock=FISCHER)
    told = Entry(3, "note", time, {**jump_told(jumped_s, clocks=True), "by": "table"})
    clock = match_clock([*entries, told], time.replace(":20.000", ":27.000"))
    assert clock is not None
    assert clock["seconds"] == {"ann": 55.0, "ben": 43.0}, "ten seconds before the jump, and seven after it"
