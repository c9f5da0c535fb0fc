"""'We saw it otherwise': a shot is told anew, all that came after follows, and the journal keeps both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.app import Companion
from companion.games.base import IllegalMove
from companion.scoreboard import Scorekeeper, fold, scoreboard
from tests.companion.fed_companion import TableInView, companion_for

NORTH = "green-north-east"


@pytest.fixture
def view() -> TableInView:
    return TableInView()


@pytest.fixture
def companion(tmp_path: Path, view: TableInView) -> Companion:
    made, _ = companion_for(tmp_path)
    made.take(view.live())
    made.command("new_match", {})
    made.command("start_round", {"begins": "red"})
    return made


def play(companion: Companion, view: TableInView, flicked: str, **what: Any) -> int:
    """Plays a shot and returns its journal entry."""
    for message in view.shot(flicked, **what):
        companion.take(message)
    return [e.id for e in companion.entries_after(0, 10_000) if e.type == "shot"][-1]


def holds(companion: Companion, side: int) -> set[str]:
    return {p["puck"] for p in companion.scoreboard()["players"][side]["captured"]}


def test_the_last_shot_is_told_otherwise_and_the_score_follows(companion: Companion, view: TableInView) -> None:
    shot = play(companion, view, "red-8", touched=["green-4"])
    assert holds(companion, 0) == {"green-4"}
    companion.command("correct", {"of": shot, "facts": {"flicked": "red-8", "touched": ["green-5"]}})
    assert holds(companion, 0) == {"green-5"}
    assert companion.scoreboard()["turn"] == "green"
    assert "corrected by the players" in companion.scoreboard()["last"]["en"]


def test_an_earlier_shot_is_told_otherwise_and_what_came_after_is_ruled_anew(
    companion: Companion, view: TableInView
) -> None:
    first = play(companion, view, "red-8", touched=["green-4"])
    play(companion, view, "green-3", doors=[("green-3", "red-north-west")])
    assert companion.scoreboard()["question"]["kind"] == "exchange", "green lost a pawn, so it may exchange"
    companion.command("correct", {"of": first, "facts": {"flicked": "red-8"}})
    assert companion.scoreboard()["question"] is None, "nothing was lost, so there is nothing to exchange"
    assert holds(companion, 0) == set()
    assert companion.scoreboard()["players"][1]["keys"] == ["red-north-west"]
    assert companion.scoreboard()["turn"] == "red"


def test_the_journal_keeps_both_and_a_restart_folds_the_same(companion: Companion, view: TableInView) -> None:
    shot = play(companion, view, "red-8", touched=["green-4"])
    companion.command("correct", {"of": shot, "facts": {"flicked": "red-8", "touched": []}})
    entries = companion.entries_after(0, 10_000)
    assert next(e for e in entries if e.id == shot).data["touches"], "the camera's account stays as it was"
    assert [e.type for e in entries if e.type == "correction"] == ["correction"]
    again = scoreboard(Scorekeeper(lambda last: [e for e in entries if e.id > last]).score)
    assert again == scoreboard(fold(entries))
    assert again["players"] == companion.scoreboard()["players"]


def test_a_correction_can_be_undone(companion: Companion, view: TableInView) -> None:
    shot = play(companion, view, "red-8", touched=["green-4"])
    companion.command("correct", {"of": shot, "facts": {"flicked": "red-8", "touched": []}})
    companion.command("undo", {})
    assert holds(companion, 0) == {"green-4"}
    assert "Undone: the correction of a shot" in companion.scoreboard()["last"]["en"]


def test_the_last_word_counts(companion: Companion, view: TableInView) -> None:
    shot = play(companion, view, "red-8", touched=["green-4"])
    for touched in (["green-5"], ["green-6"]):
        companion.command("correct", {"of": shot, "facts": {"flicked": "red-8", "touched": touched}})
    assert holds(companion, 0) == {"green-6"}
    companion.command("undo", {})
    assert holds(companion, 0) == {"green-5"}


def test_a_shot_entered_by_hand_can_be_corrected_too(companion: Companion) -> None:
    entry = companion.command("shot_by_hand", {"flicked": "red-8", "touched": ["green-4"]})[0]
    companion.command("correct", {"of": entry.id, "facts": {"flicked": "red-8", "touched": ["green-7"]}})
    assert holds(companion, 0) == {"green-7"}


def test_the_scoreboard_says_what_can_be_corrected_and_what_was_taken_to_have_happened(
    companion: Companion, view: TableInView
) -> None:
    shot = play(companion, view, "red-8", touched=["green-4"], doors=[("red-8", NORTH)])
    told = companion.scoreboard()["ruled"]
    assert [t["id"] for t in told] == [shot]
    assert told[0]["facts"]["touched"] == ["green-4"]
    assert told[0]["facts"]["doors"] == [{"puck": "red-8", "door": NORTH}]


def test_a_shot_that_decided_the_round_wrongly_is_corrected(companion: Companion, view: TableInView) -> None:
    for n in (3, 4, 5, 6, 7, 1, 2):
        play(companion, view, "red-8", touched=[f"green-{n}"])
        play(companion, view, "green-8")
    last = play(companion, view, "red-8", touched=["green-8"])
    assert companion.scoreboard()["phase"] == "round_over"
    companion.command("correct", {"of": last, "facts": {"flicked": "red-8"}})
    assert companion.scoreboard()["phase"] == "playing"
    assert [p["points"] for p in companion.scoreboard()["players"]] == [0, 0]


@pytest.mark.parametrize(
    "data",
    [
        {"of": 1, "facts": {"flicked": "red-8"}},
        {"of": 10_000, "facts": {"flicked": "red-8"}},
        {"of": None, "facts": {"flicked": "red-8"}},
        {"facts": {"flicked": "red-8"}},
    ],
)
def test_what_is_no_shot_of_this_match_cannot_be_corrected(
    companion: Companion, view: TableInView, data: dict[str, Any]
) -> None:
    play(companion, view, "red-8", touched=["green-4"])
    before = companion.last_id()
    with pytest.raises(IllegalMove, match=r"entry \d+ is none of the match|expected the number of an entry"):
        companion.command("correct", data)
    assert companion.last_id() == before


def test_a_correction_that_makes_no_sense_is_refused(companion: Companion, view: TableInView) -> None:
    shot = play(companion, view, "red-8", touched=["green-4"])
    with pytest.raises(IllegalMove, match="flicked"):
        companion.command("correct", {"of": shot, "facts": {"flicked": "blue-1"}})
    assert holds(companion, 0) == {"green-4"}
