"""A shot that players told by hand, as the camera had not told it, belongs to its place in the film of the match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.label import Conversation, Paused
from companion.label_answers import Answers, Item, decided
from companion.label_by_hand import ByHand, shots_by_hand, take_by_hand
from companion.label_facts import Facts, facts_from_json, names_of
from companion.label_passages import passages
from companion.label_words import LANGUAGES, Said
from tests.companion.fed_companion import TableInView
from tests.companion.test_match_film import film_folder, playing, said_in, shot_entry
from tests.companion.two_shots import seen_film

SEEN = seen_film()
NAMES = names_of(SEEN)
GREEN_5 = {"flicked": "green-5", "touched": ["red-7"]}


def by_hand(t: float, number: int = 8, **facts: object) -> dict[str, Any]:
    """A shot told by hand when the film was at t seconds."""
    return {"id": number, "type": "shot_by_hand", "t": 100 + t, "data": {**GREEN_5, **facts}}


def ask(folder: Path, told: Iterable[ByHand], lines: Iterable[str], language: str = "en") -> tuple[Answers, list[str]]:
    """What is kept after these lines, and what was asked; the player leaves when they are over."""
    asked: list[str] = []
    answer = iter(lines)

    def line(question: str) -> str | None:
        asked.append(question)
        return next(answer, None)

    with pytest.raises(Paused):
        Conversation(folder, SEEN, Answers(folder), Said(language), line, list(told)).run()
    return Answers(folder), asked


def test_a_match_takes_down_when_a_shot_was_told_by_hand(tmp_path: Path) -> None:
    view = TableInView()
    companion, _ = playing(tmp_path, view)
    view.time_s = 7.25
    companion.take(view.live())
    companion.command("shot_by_hand", {"flicked": "red-8", "touched": ["green-4"]}, "Ben")
    companion.stop()
    (told,) = (entry for entry in said_in(tmp_path) if entry["type"] == "shot_by_hand")
    assert told["t"] == 7.25
    assert "Ben" not in str(told)


def test_it_was_played_between_what_was_told_before_it_and_its_own_telling(tmp_path: Path) -> None:
    folder = film_folder(tmp_path, shot_entry(t_end=102.6), by_hand(7.0), by_hand(9.0, 9, flicked="red-7"))
    first, second = shots_by_hand(folder, SEEN)
    assert (first.t, first.since) == (pytest.approx(7.0), pytest.approx(2.6))
    assert (second.t, second.since) == (pytest.approx(9.0), pytest.approx(7.0))
    assert (first.facts, second.facts) == (Facts("green-5", ("red-7",)), Facts("red-7", ("red-7",)))


def test_it_counts_as_it_was_corrected_last_and_not_where_it_was_undone_or_not_filmed(tmp_path: Path) -> None:
    correction = {"id": 9, "type": "correction", "data": {"of": 8, "facts": {"flicked": "green-5", "touched": []}}}
    undo = {"id": 10, "type": "undo", "data": {"undoes": 9}}
    told = [by_hand(7.0), correction]
    assert [one.facts for one in shots_by_hand(film_folder(tmp_path, *told), SEEN)] == [Facts("green-5")]
    (one,) = shots_by_hand(film_folder(tmp_path, *told, undo), SEEN)
    assert one.facts == Facts("green-5", ("red-7",))
    for nothing in ([*told, {**undo, "data": {"undoes": 8}}], [by_hand(-50.0)], [by_hand(13.0)]):
        assert shots_by_hand(film_folder(tmp_path, *nothing), SEEN) == []


def test_of_the_only_shot_that_the_film_shows_meanwhile_it_is_the_players_word(tmp_path: Path) -> None:
    wrong = shot_entry(t_start=108.0, t_end=108.6)
    folder = film_folder(tmp_path, shot_entry(t_end=102.6), {**wrong, "id": 6},
                         {"id": 7, "type": "undo", "data": {"undoes": 6}}, by_hand(10.0))  # fmt: skip
    answers = Answers(folder)
    told = shots_by_hand(folder, SEEN)
    assert take_by_hand(told, SEEN, NAMES, answers) == 1
    kept = answers.about(Item("shot", 8.0))
    assert kept is not None
    assert (kept["said"], kept["by"]) == ("otherwise", "match")
    assert facts_from_json(kept["facts"]) == Facts("green-5", ("red-7",))
    assert take_by_hand(told, SEEN, NAMES, answers) == 0, "it is taken once"
    _, asked = ask(folder, told, ["y", "y", "y"])  # reefs, the first shot, the hand before the second
    assert not any("by hand" in question for question in asked)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ((by_hand(10.0),), "two shots are seen in its time"),
        ((shot_entry(t_end=102.6), by_hand(10.0, flicked="red-7", touched=[])), "another puck was seen to be flicked"),
        ((shot_entry(t_end=102.6), by_hand(10.0, touched=["green-3"])), "the film shows no such puck there"),
        ((shot_entry(t_end=102.6), by_hand(7.0)), "none is seen in its time"),
    ],
    ids=["two", "another", "lifted", "none"],
)
def test_otherwise_it_is_asked_about(tmp_path: Path, told: Any, why: str) -> None:
    folder = film_folder(tmp_path, *told)
    answers = Answers(folder)
    assert take_by_hand(shots_by_hand(folder, SEEN), SEEN, NAMES, answers) == 0, why


def test_one_that_was_missed_is_asked_for_its_moment_before_the_shots_after_it_and_is_in_the_truth(
    tmp_path: Path,
) -> None:
    one = ByHand(6.0, 2.6, Facts("green-5", ("red-7",)))
    keep = ["", "", "", "", "", "", "", ""]
    answers, asked = ask(tmp_path, [one], ["y", "y", "7", "4.5", *keep, "y"])
    assert "Shot 1 of 2" in asked[1]
    assert "told by hand, by 0:06.0: green 5 was flicked; it touched red 7." in asked[2]
    assert asked[3] == asked[2], "it was told before"
    assert "[green 5]" in asked[4]
    assert "Hands before shot 2" in asked[4 + len(keep)]
    shots = [(t, facts) for shot, t, facts in decided(SEEN, answers) if shot is None]
    assert shots == [(4.5, Facts("green-5", ("red-7",)))]


def test_a_moment_at_which_a_shot_was_seen_means_that_one(tmp_path: Path) -> None:
    one = ByHand(10.0, 2.6, Facts("red-7"))
    answers, asked = ask(tmp_path, [one], ["y", "y", "8.2", *[""] * 8, "y"])
    assert "Seen in that time: shot 2, at 0:08.0" in asked[2]
    assert [(shot.number, facts) for shot, _, facts in decided(SEEN, answers) if shot and shot.number == 2] == [
        (2, replace(Facts("red-7"), doors=()))
    ]
    assert not answers.missed()


@pytest.mark.parametrize(("word", "cut"), [("?", True), ("x", False)])
def test_where_nobody_can_tell_the_moment_that_time_is_cut_out(tmp_path: Path, word: str, cut: bool) -> None:
    one = ByHand(7.0, 3.4, Facts("green-5"))
    answers, _ = ask(tmp_path, [one], ["y", "y", word, "y", "y"])
    spans = passages(SEEN, answers, list(range(0, SEEN.frames, 15)))
    assert any(span.holds(5.0, SEEN.fps) for span in spans) is not cut
    assert any(span.holds(2.0, SEEN.fps) for span in spans)
    assert any(span.holds(8.0, SEEN.fps) for span in spans)


@pytest.mark.parametrize("language", LANGUAGES)
def test_back_leads_to_the_question_before(tmp_path: Path, language: str) -> None:
    one = ByHand(6.0, 2.6, Facts("green-5"))
    yes = "o" if language == "fr" else "y"
    _, asked = ask(tmp_path, [one], [yes, yes, "b", yes, "4.5", "b", "x"], language)
    assert asked[3] == asked[1]
    assert asked[4] == asked[6] == asked[2]


def test_a_recording_from_before_is_read_as_ever(tmp_path: Path) -> None:
    """It did not say when a shot was told by hand."""
    folder = film_folder(tmp_path, shot_entry(t_end=102.6), {k: v for k, v in by_hand(7.0).items() if k != "t"})
    assert shots_by_hand(folder, SEEN) == []
