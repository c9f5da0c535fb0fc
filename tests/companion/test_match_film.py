"""What players say of shots during a match is taken down beside its film, and counts when the film is labelled."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app import Companion
from companion.label_answers import Answers, Item
from companion.label_facts import Facts, facts_from_json, names_of
from companion.label_seen import Seen
from companion.label_verdicts import take_verdicts, verdicts
from companion.recorded import SAID, about
from tests.companion.fed_companion import Fed, TableInView, config_for
from tests.companion.two_shots import FPS, seen_film
from vision.worker_messages import StatusMessage


@pytest.fixture
def view() -> TableInView:
    return TableInView()


def playing(folder: Path, view: TableInView) -> tuple[Companion, Fed]:
    """A match whose film is kept, in its first round."""
    fed = Fed()
    companion = Companion(replace(config_for(folder), record=folder / "films", autoplay=False), fed)
    companion.start()
    companion.take(view.live())
    companion.command("new_match", {"players": {"red": "Ann", "green": "Ben"}})
    companion.command("start_round", {"begins": "red"}, "Ann")
    return companion, fed


def said_in(folder: Path) -> list[dict[str, object]]:
    (film,) = (folder / "films").iterdir()
    return [json.loads(line) for line in (film / SAID).read_text().splitlines()]


def test_the_worker_is_told_where_to_keep_the_film_and_the_folder_says_what_it_is(
    tmp_path: Path, view: TableInView
) -> None:
    companion, fed = playing(tmp_path, view)
    assert companion.filming
    companion.stop()
    (film,) = (tmp_path / "films").iterdir()
    assert fed.config is not None
    assert fed.config.record == film
    assert (film / "board.toml").read_bytes() == companion.config.board_path.read_bytes()
    assert about(film)["source"] == "virtual"


def test_where_the_film_is_kept_no_more_pages_do_not_say_that_it_is_and_players_read_of_it_once(tmp_path: Path) -> None:
    ended = StatusMessage("running", unfilmed="films: the disk is nearly full; the film ends there")
    companion = Companion(replace(config_for(tmp_path), record=tmp_path / "films"), Fed())
    companion.start()
    companion.take(ended)
    assert [e.type for e in companion.entries_after(0)] == ["camera"], "nobody reads of it before a match"
    companion.command("new_match", {})
    for _ in range(2):
        companion.take(ended)
    assert not companion.filming
    told = [line["en"] for line in companion.scoreboard()["log"] if "film" in line["en"]]
    assert len(told) == 1
    companion.take(StatusMessage("running"))
    assert companion.filming, "a new worker found room"
    companion.stop()


def test_corrections_and_answers_are_verdicts_and_shots_that_nobody_spoke_of_are_none(
    tmp_path: Path, view: TableInView
) -> None:
    companion, _ = playing(tmp_path, view)
    for flicked, what in (("red-8", {"touched": ["green-4"]}), ("green-3", {}), ("red-8", {}), ("green-3", {})):
        for message in view.shot(flicked, **what):
            companion.take(message)
    shots = [e.id for e in companion.entries_after(0, 10_000) if e.type == "shot"]
    companion.command("correct", {"of": shots[0], "facts": {"flicked": "red-8", "touched": ["green-5"]}}, "Ben")
    companion.command("correct", {"of": shots[2], "facts": {"flicked": "red-8", "doors": [
        {"puck": "red-8", "door": "green-north-east"}]}}, "Ben")  # fmt: skip
    companion.stop()
    found = list(verdicts(said_in(tmp_path)))
    assert [(said, facts) for _, said, facts in found] == [
        ("otherwise", Facts("red-8", ("green-5",))),
        ("otherwise", Facts("red-8", doors=(("red-8", "green-north-east"),))),
    ]


def test_names_are_not_taken_down(tmp_path: Path, view: TableInView) -> None:
    companion, _ = playing(tmp_path, view)
    for message in view.shot("red-8", touched=["green-4"]):
        companion.take(message)
    shot = next(e.id for e in companion.entries_after(0) if e.type == "shot")
    companion.command("correct", {"of": shot, "facts": {"flicked": "red-8"}}, "Ben")
    companion.stop()
    (film,) = (tmp_path / "films").iterdir()
    written = "".join(path.read_text() for path in film.iterdir())
    assert "correction" in written
    assert "Ann" not in written
    assert "Ben" not in written


def shot_entry(**more: object) -> dict[str, object]:
    first = seen_film().shots[0]
    touches = [{"t": 102.1, "puck": "p1", "other": "p2"}]
    nothing = {name: [] for name in ("doors_in", "exits", "passed", "on_gate")}
    account = {"t_start": 102.0, "flicked": "p1", "touches": touches, "pushed": False, **nothing,
               "before": first.start["pucks"], "after": first.end["pucks"]}  # fmt: skip
    return {"id": 5, "type": "shot", "data": {**account, **more}}


def answer(choice: object) -> dict[str, object]:
    return {"id": 6, "type": "answer", "data": {"question": "5:review:shot", "choice": choice}}


@pytest.mark.parametrize(
    ("choice", "verdict"),
    [
        ("as_seen", ("right", Facts("red-7", ("green-3",)))),
        ("ignore", ("no shot", None)),
        ({"flicked": "red-7", "touched": []}, ("otherwise", Facts("red-7"))),
    ],
    ids=["as seen", "no shot", "told"],
)
def test_an_answer_to_the_referees_question_is_a_verdict(choice: object, verdict: tuple[str, Facts | None]) -> None:
    assert list(verdicts([shot_entry(), answer(choice)])) == [(102.0, *verdict)]


def test_a_verdict_that_was_undone_does_not_count() -> None:
    undo = {"id": 7, "type": "undo", "data": {"undoes": 6}}
    assert list(verdicts([shot_entry(), answer("as_seen"), undo])) == []


def retold(choice: object) -> dict[str, object]:
    """The answer told otherwise afterwards, as by the list of earlier entries."""
    told = {"type": "answer", "data": {"question": "5:review:shot", "choice": choice}}
    return {"id": 7, "type": "correction", "data": {"of": 6, "game": "paleo", "facts": told}}


@pytest.mark.parametrize(
    ("first", "then", "verdict"),
    [
        ("as_seen", "ignore", ("no shot", None)),
        ("ignore", "as_seen", ("right", Facts("red-7", ("green-3",)))),
        ("as_seen", {"flicked": "red-7", "touched": []}, ("otherwise", Facts("red-7"))),
    ],
    ids=["no shot", "as seen", "told"],
)
def test_an_answer_that_is_told_otherwise_afterwards_counts_as_it_was_told_last(
    first: object, then: object, verdict: tuple[str, Facts | None]
) -> None:
    entries = [shot_entry(), answer(first), retold(then)]
    assert list(verdicts(entries)) == [(102.0, *verdict)]
    assert list(verdicts([*entries, {"id": 8, "type": "undo", "data": {"undoes": 7}}])) == list(verdicts(entries[:2]))
    assert list(verdicts([*entries, {"id": 8, "type": "undo", "data": {"undoes": 6}}])) == []


def test_of_a_word_that_was_withdrawn_nothing_stays_where_the_next_cannot_be_told_by_number() -> None:
    account = shot_entry(touches=[{"t": 102.1, "puck": "p1", "other": "p4"}])
    assert list(verdicts([account, answer("ignore")])) == [(102.0, "no shot", None)]
    assert list(verdicts([account, answer("ignore"), retold("as_seen")])) == []


def test_an_account_with_a_number_that_nobody_read_is_asked_for_anew() -> None:
    touched = [{"t": 102.1, "puck": "p1", "other": "p4"}]
    assert list(verdicts([shot_entry(touches=touched), answer("as_seen")])) == []


def test_a_puck_that_lay_on_the_gate_is_no_part_of_a_verdict_and_makes_none_fall() -> None:
    (told,) = verdicts([shot_entry(on_gate=["p4"]), answer("as_seen")])
    assert told == (102.0, "right", Facts("red-7", ("green-3",)))
    (told,) = verdicts([shot_entry(on_gate=["p4", "p2"]), answer("as_seen")])
    assert told == (102.0, "right", Facts("red-7", ("green-3",), on_gate=("green-3",)))


def test_a_puck_that_came_to_rest_on_the_gate_and_whose_number_nobody_read_makes_a_verdict_fall() -> None:
    first = seen_film().shots[0]
    after = [{**p, "x_mm": 325.0, "y_mm": 325.0} if p["puck"] == "p4" else p for p in first.end["pucks"]]
    assert list(verdicts([shot_entry(on_gate=["p4"], after=after), answer("as_seen")])) == []


def film_folder(folder: Path, *entries: dict[str, object]) -> Path:
    """A recording whose source's clock is 100 s ahead of its film."""
    times = "".join(f"{100 + (n + 0.5) / FPS:.4f},0\n" for n in range(360))
    (folder / "times.csv").write_text(f"time_s,again\n{times}")
    (folder / SAID).write_text("".join(json.dumps(e) + "\n" for e in entries))
    return folder


def test_verdicts_belong_to_shots_of_the_film_by_their_time(tmp_path: Path) -> None:
    seen = seen_film()
    folder = film_folder(tmp_path, shot_entry(), answer({"flicked": "red-7", "touched": []}))
    answers = Answers(folder)
    assert take_verdicts(folder, seen, names_of(seen), answers) == 1
    taken = answers.about(Item("shot", 2.0))
    assert taken is not None
    assert (taken["said"], taken["by"], facts_from_json(taken["facts"])) == ("otherwise", "match", Facts("red-7"))
    assert answers.about(Item("shot", 8.0)) is None


def pushed_into_a_chain() -> Seen:
    """The film, where in its first shot green 3 slides over the gate and touches green 5."""
    first, second = seen_film().shots
    chain = {"type": "contact", "t": 2.3, "shot": 1, "puck": "p2", "other": "p3", "x_mm": 260.0, "y_mm": 310.0}
    over = {"type": "gate_passed", "t": 2.4, "shot": 1, "puck": "p2"}
    first = replace(first, start={**first.start, "pushed": True}, middle=(*first.middle, chain, over))
    return replace(seen_film(), shots=(first, second))


DOOR = {"puck": "green-5", "door": "green-north-east"}


@pytest.mark.parametrize(
    ("told", "facts"),
    [
        (
            {"flicked": "red-7", "touched": ["green-3"], "doors": [DOOR]},
            Facts("red-7", ("green-3",), (("green-3", "green-5"),), (("green-5", DOOR["door"]),), passed=("green-3",)),
        ),
        (
            {"flicked": "green-3", "touched": ["red-7"], "on_gate": ["green-3"]},
            Facts("green-3", ("red-7",), on_gate=("green-3",)),
        ),
    ],
    ids=["another door", "another puck, and its place"],
)
def test_what_a_match_does_not_ask_about_a_shot_is_not_denied_by_a_correction(
    tmp_path: Path, told: dict[str, object], facts: Facts
) -> None:
    seen = pushed_into_a_chain()
    answers = Answers(film_folder(tmp_path, shot_entry(), answer(told)))
    take_verdicts(tmp_path, seen, names_of(seen), answers)
    taken = answers.about(Item("shot", 2.0))
    assert taken is not None
    assert facts_from_json(taken["facts"]) == replace(facts, pushed=True)


@pytest.mark.parametrize("puck", ["green-3", "red-p4"], ids=["lifted before", "its number unread"])
def test_a_verdict_on_a_puck_that_the_film_does_not_show_by_that_name_at_the_shot_is_asked_for_anew(
    tmp_path: Path, puck: str
) -> None:
    seen = seen_film()
    told = answer({"flicked": "green-5", "touched": [puck]})
    folder = film_folder(tmp_path, shot_entry(t_start=108.0), told)
    assert puck in names_of(seen).values()
    assert take_verdicts(folder, seen, names_of(seen), Answers(folder)) == 0


def test_what_was_said_over_the_film_counts_more_than_what_was_said_in_the_match(tmp_path: Path) -> None:
    seen = seen_film()
    folder = film_folder(tmp_path, shot_entry(), answer("ignore"))
    answers = Answers(folder)
    answers.add("shot", 2.0, "right", facts=Facts("red-7", ("green-3",)).to_json())
    assert take_verdicts(folder, seen, names_of(seen), answers) == 0


def test_verdicts_on_shots_that_the_film_does_not_show_or_on_pucks_it_does_not_know_are_passed_over(
    tmp_path: Path,
) -> None:
    seen = seen_film()
    folder = film_folder(tmp_path, shot_entry(t_start=50.0), answer("ignore"))
    assert take_verdicts(folder, seen, names_of(seen), Answers(folder)) == 0
    folder = film_folder(tmp_path, shot_entry(), answer({"flicked": "red-5"}))
    assert take_verdicts(folder, seen, names_of(seen), Answers(folder)) == 0


def test_the_last_line_of_what_was_said_may_be_cut_short(tmp_path: Path) -> None:
    seen = seen_film()
    folder = film_folder(tmp_path, shot_entry(), answer("ignore"))
    (folder / SAID).write_text((folder / SAID).read_text() + '{"id": 9, "ty')
    assert take_verdicts(folder, replace(seen), names_of(seen), Answers(folder)) == 1
