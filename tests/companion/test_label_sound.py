"""Whatever players answer, every truth that is written can be read by whoever scores with it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.label import deeds, items_of
from companion.label_answers import Answers
from companion.label_facts import Facts, facts_seen, names_of
from companion.label_passages import Span, passages
from companion.label_seen import Seen
from companion.label_sound import faults, put_truth
from companion.label_truth import truth_of
from tests.companion.two_shots import BOARD, FRAMES, first_shot, pucks, second_shot, seen_film
from tests.vision.film_score import decided as judged
from vision.film_file import RecordError

Json = dict[str, Any]
MOVED = {"type": "puck_moved", "t": 6.7, "puck": "p1", "team": "red", "number": 7, "x_mm": 150.0, "y_mm": 380.0}
PLACED = {"type": "puck_placed", "t": 6.8, "puck": "p5", "team": "red", "number": 1, "x_mm": 420.0, "y_mm": 300.0}
REAPPEARED = pucks({"p6": ("green", 8, 600.0, 300.0)})
WHOLE = Span(0, FRAMES - 1)


def with_hands() -> Seen:
    """The film of two shots; before the second red 7 lies elsewhere and red 1 is there, as hands did it; green 8 is
    listed at its end alone."""
    film, last = seen_film(), second_shot()
    elsewhere = [{**p, "x_mm": 150.0, "y_mm": 380.0} if p["puck"] == "p1" else p for p in last.start["pucks"]]
    new = pucks({"p5": ("red", 1, 420.0, 300.0)})
    start = {**last.start, "pucks": [*elsewhere, *new]}
    end = {**last.end, "pucks": [*(p for p in last.end["pucks"] if p["puck"] != "p1"), elsewhere[0], *new, *REAPPEARED]}
    shots = (first_shot(), replace(last, start=start, end=end))
    return replace(film, shots=shots, between=(*film.between, MOVED, PLACED))


FILM = with_hands()
NAMES = names_of(FILM)


def answered(folder: Path, struck: tuple[Json, ...] = (), film: Seen = FILM) -> Answers:
    """Everything as it was seen, but for the deeds that did not happen."""
    answers, since = Answers(folder), 0.0
    for item in items_of(film):
        if item.about == "shot":
            shot = film.shots[item.number - 1]
            answers.add("shot", shot.t, "right", facts=facts_seen(shot, names_of(film)).to_json())
            since = shot.t
        elif item.about == "hands":
            done = deeds(film, since, item.t if item.number else film.seconds + 1)
            answers.add("hands", item.t, "otherwise", deeds=[e for e in done if e not in struck])
    return answers


def kept(answers: Answers, film: Seen = FILM) -> list[Span]:
    return passages(film, answers, range(0, FRAMES, 5))


def shots_kept(answers: Answers) -> list[Json]:
    truths = [truth_of(FILM, NAMES, answers, span.first, span.last) for span in kept(answers)]
    return [shot for truth in truths for shot in truth["shots"]]


def test_a_deed_that_was_struck_out_moves_no_puck(tmp_path: Path) -> None:
    answers = answered(tmp_path, struck=(MOVED, PLACED))
    answers.add("missed", 6.0, "otherwise", facts=Facts("green-5").to_json())
    missed = truth_of(FILM, NAMES, answers)["shots"][1]
    assert missed["start"]["red-7"] == missed["end"]["red-7"] == (180.0, 300.0)
    assert "red-1" not in missed["end"], "it came into sight later"
    assert truth_of(FILM, NAMES, answers)["hand"][1:] == []


def test_a_missed_shot_moves_the_pucks_that_it_names_to_where_they_are_seen_next(tmp_path: Path) -> None:
    answers = answered(tmp_path, struck=(MOVED,))
    answers.add("missed", 6.0, "otherwise", facts=Facts("red-7", ("green-5",)).to_json())
    missed = truth_of(FILM, NAMES, answers)["shots"][1]
    assert (missed["start"]["red-7"], missed["end"]["red-7"]) == ((180.0, 300.0), (150.0, 380.0))
    assert missed["contacts"][0]["b"] == "green-5"
    assert kept(answers) == [WHOLE]


def test_where_a_puck_lay_between_two_missed_shots_is_not_guessed(tmp_path: Path) -> None:
    answers = answered(tmp_path, struck=(MOVED,))
    for t in (4.0, 6.2):
        answers.add("missed", t, "otherwise", facts=Facts("red-7").to_json())
    first, second = truth_of(FILM, NAMES, answers)["shots"][1:3]
    assert "red-7" in first["start"]
    assert "red-7" not in {*first["end"], *second["start"]}
    assert [s["t_start"] for s in shots_kept(answers) if not s["seen"]] == [4.0]


def test_a_missed_shot_of_a_puck_that_was_not_seen_before_is_cut_out(tmp_path: Path) -> None:
    answers = answered(tmp_path, struck=(PLACED,))
    answers.add("missed", 5.5, "otherwise", facts=Facts("red-1").to_json())
    assert [s["puck"] for s in shots_kept(answers)] == ["red-7", "green-5"]


def test_a_puck_that_left_in_a_missed_shot_lies_nowhere_after_it(tmp_path: Path) -> None:
    start, end = ({**e, "pucks": [p for p in e["pucks"] if p["puck"] != "p1"]}
                  for e in (second_shot().start, second_shot().end))  # fmt: skip
    film = replace(seen_film(), shots=(first_shot(), replace(second_shot(), start=start, end=end)))
    answers = answered(tmp_path, film=film)
    answers.add("missed", 6.0, "otherwise", facts=Facts("red-7", exits=("red-7",)).to_json())
    answers.add("missed", 7.2, "otherwise", facts=Facts("green-5").to_json())
    first, second = truth_of(film, names_of(film), answers)["shots"][1:3]
    assert "red-7" in first["start"]
    assert "red-7" not in {*first["end"], *second["start"], *second["end"]}
    assert kept(answers, film) == [WHOLE]


def test_a_puck_that_only_the_end_of_a_shot_lists_is_not_told(tmp_path: Path) -> None:
    answers = answered(tmp_path)
    last = truth_of(FILM, NAMES, answers)["shots"][-1]
    assert "green-8" not in {**last["start"], **last["end"]}
    assert kept(answers) == [WHOLE]


def test_a_puck_that_was_hidden_as_a_shot_began_lay_where_it_was_seen_before(tmp_path: Path) -> None:
    film = seen_film()
    without = [p for p in film.shots[1].start["pucks"] if p["puck"] != "p1"]
    film = replace(film, shots=(film.shots[0], replace(film.shots[1], start={**film.shots[1].start, "pucks": without})))
    answers = answered(tmp_path, film=film)
    last = truth_of(film, names_of(film), answers)["shots"][-1]
    assert last["start"]["red-7"] == last["end"]["red-7"] == (180.0, 300.0)


def test_a_shot_that_names_a_puck_which_only_its_end_lists_is_cut_out(tmp_path: Path) -> None:
    answers = answered(tmp_path)
    answers.add("shot", 8.0, "otherwise", facts=Facts("green-5", ("green-8",)).to_json())
    assert [s["puck"] for s in shots_kept(answers)] == ["red-7"]


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        (Facts("red-7", others=(("green-3", "green-3"),)), "green-3 touched itself"),
        (Facts("red-7", exits=("red-7",), on_gate=("red-7",)), "red-7 left the board, and lies on it after"),
        (Facts("red-7", on_gate=("red-7",), passed=("red-7",)), "red-7 lies on the gate, and slid over it"),
        (Facts("blue-9"), "nobody knows where blue-9 lay before it"),
    ],
)
def test_what_cannot_be_is_cut_out_and_never_written(tmp_path: Path, facts: Facts, fault: str) -> None:
    answers = answered(tmp_path)
    answers.add("shot", 2.0, "otherwise", facts=facts.to_json())
    truth = truth_of(FILM, NAMES, answers)
    assert faults(truth["shots"][0]) == [fault]
    with pytest.raises(RecordError, match=f"shot 1 at 2.0 s: {fault}"):
        put_truth(tmp_path / "truth.json", truth)
    assert not (tmp_path / "truth.json").exists()
    assert all(span.first > 2.0 * FILM.fps for span in kept(answers))


def any_facts(chance: random.Random) -> Facts:
    names = sorted(set(NAMES.values()))

    def some(most: int) -> tuple[str, ...]:
        return tuple(chance.sample(names, chance.randint(0, most)))

    doors = tuple((puck, chance.choice(BOARD.doors).name) for puck in some(1))
    others = tuple(zip(some(2), some(2), strict=False))
    return Facts(chance.choice(names), some(2), others, doors, some(1), some(1), some(1))


def any_answers(folder: Path, chance: random.Random) -> Answers:
    answers = answered(folder, struck=tuple(e for e in FILM.between if chance.random() < 0.5))
    for shot in FILM.shots:
        word = chance.choice(["as seen", "otherwise", "unknown", "no shot"])
        if word == "otherwise":
            answers.add("shot", shot.t, word, facts=any_facts(chance).to_json())
        elif word != "as seen":
            answers.add("shot", shot.t, word)
    for _ in range(chance.randint(0, 3)):
        answers.add("missed", chance.uniform(0.0, FILM.seconds), "otherwise", facts=any_facts(chance).to_json())
    answers.number("red-p4", 3)
    return answers


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_every_truth_can_be_scored_whatever_is_answered(seed: int) -> None:
    with TemporaryDirectory() as folder:
        answers = any_answers(Path(folder), random.Random(seed))
        for span in kept(answers):
            path = Path(folder) / "truth.json"
            put_truth(path, truth_of(FILM, NAMES, answers, span.first, span.last))
            read = json.loads(path.read_text(encoding="utf-8"))
            assert "unseen" not in judged(read, as_told(read))


def as_told(truth: Json) -> list[Json]:
    """What a tracker would tell that saw the shots of a truth, and nothing move in them."""
    told: list[Json] = []
    for shot in truth["shots"]:
        lie = [{"puck": k, "x_mm": x, "y_mm": y} for k, (x, y) in shot["start"].items()]
        about = {"shot": shot["shot"], "pucks": lie}
        told.append({"type": "shot_started", "t": shot["t_start"], "puck": shot["puck"], **about})
        told.append({"type": "shot_ended", "t": shot["t_rest"], "on_gate": [], "needs_review": False, **about})
    return told
