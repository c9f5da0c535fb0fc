"""The conversation about a recording: every answer counts from the moment it is given, and nothing is taken unasked."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion import label
from companion.label import Conversation, Paused
from companion.label_answers import ANSWERS, Answers, Item, decided
from companion.label_facts import Facts, names_of
from companion.label_passages import Span, passages
from companion.label_truth import truth_of
from companion.label_words import LANGUAGES, WORDS, Said
from tests.companion.two_shots import DOOR, FPS, FRAMES, seen_film
from tests.vision.film_score import decided as judged

SEEN = seen_film()
NAMES = names_of(SEEN)
ALL_RIGHT = ["y", "y", "y", "y", "y"]  # reefs, shot 1, the hand, shot 2, all
Json = dict[str, Any]


def say(
    folder: Path, lines: Iterable[str], language: str = "en", again: int | None = None
) -> tuple[Answers, list[str]]:
    """What is kept after these lines, and what was asked; the player leaves when they are over."""
    asked: list[str] = []
    answer = iter(lines)

    def ask(question: str) -> str | None:
        asked.append(question)
        return next(answer, None)

    answers = Answers(folder)
    try:
        Conversation(folder, SEEN, answers, Said(language), ask).run(again)
    except Paused:
        asked.append("paused")
    assert next(answer, "no line is left over") == "no line is left over"
    return Answers(folder), asked


def told(answers: Answers) -> list[Facts | None]:
    return [facts for _, _, facts in decided(SEEN, answers)]


def test_all_that_was_seen_is_asked_in_order_with_the_picture_beside(tmp_path: Path) -> None:
    _, asked = say(tmp_path, ALL_RIGHT)
    assert len(asked) == 5
    assert "1 red" in asked[0]
    assert "Shot 1 of 2" in asked[1]
    assert str(tmp_path / "seen" / "shot-1.png") in asked[1]
    assert "red 7 was flicked; it touched green 3." in asked[1]
    assert "The camera is not certain: Two frames are missing" in asked[1]
    assert "took green 3" in asked[2]
    assert f"green 5 went in through {Said('en').door(DOOR.name)}." in asked[3]
    assert "all the shots" in asked[4]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "The camera is not certain: Red 7 was lost from sight on the board. Pictures are missing: 3."),
        ("fr", "La caméra n’est pas certaine : Rouge 7 a été perdu de vue sur le plateau. Il manque des images : 3."),
    ],
)
def test_why_the_camera_is_not_certain_is_told_in_the_players_words(language: str, told: str) -> None:
    reasons = ["p1 was lost from sight on the board", "3 frames are missing"]
    said = Said(language)
    assert said("unsure", reasons=said.reasons(reasons, {"p1": "red-7"})).strip() == told


def test_what_players_confirm_is_kept_as_facts_and_not_as_a_yes(tmp_path: Path) -> None:
    answers, _ = say(tmp_path, ALL_RIGHT)
    assert told(answers) == [Facts("red-7", ("green-3",)), Facts("green-5", doors=(("green-5", DOOR.name),))]


def test_nothing_counts_that_was_not_confirmed(tmp_path: Path) -> None:
    answers, asked = say(tmp_path, ["y", "y"])
    assert asked[-1] == "paused"
    assert told(answers) == [Facts("red-7", ("green-3",)), None]


def test_an_empty_line_is_no_yes(tmp_path: Path) -> None:
    _, asked = say(tmp_path, ["", "perhaps", "y"])
    assert [question.splitlines()[0] for question in asked[:3]] == [asked[0].splitlines()[0]] * 3


def test_answers_outlive_a_kill_in_the_middle_of_a_line(tmp_path: Path) -> None:
    say(tmp_path, ["y", "y"])
    path = tmp_path / ANSWERS
    path.write_text(path.read_text() + '{"about": "shot", "t": 8.0, "sa')
    answers, asked = say(tmp_path, ["y", "y", "y"])
    assert "took green 3" in asked[0]
    assert None not in told(answers)
    assert answers.about(Item("all", SEEN.seconds)) is not None


def test_a_shot_is_told_otherwise_part_by_part(tmp_path: Path) -> None:
    lines = ["y", "n", "", "green 5, green 3", "green 3 / green 5", "-", "red p4", "-", "-", "y", "3", "y", "y", "y"]
    answers, asked = say(tmp_path, lines)
    assert told(answers)[0] == Facts(
        "red-7", ("green-5", "green-3"), (("green-3", "green-5"),), (), ("red-p4",), pushed=True
    )
    assert "[green 3]" in asked[3]
    assert answers.numbers() == {"red-p4": 3}


def test_an_answer_that_is_not_understood_is_asked_again(tmp_path: Path) -> None:
    _, asked = say(tmp_path, ["y", "n", "blue 9", "red 7"])
    assert asked[2] == asked[3]


def test_a_shot_that_was_none_is_no_part_of_the_truth(tmp_path: Path) -> None:
    answers, _ = say(tmp_path, ["y", "x", "y", "y", "y"])
    assert [shot["puck"] for shot in truth_of(SEEN, NAMES, answers)["shots"]] == ["green-5"]


def test_a_missed_shot_is_told_with_its_moment(tmp_path: Path) -> None:
    lines = ["y", "y", "y", "m", "99", "0:06.5", "red 7", "green 5", *"------", "y", "y"]
    answers, _ = say(tmp_path, lines)
    truth = truth_of(SEEN, NAMES, answers)
    assert [(s["puck"], s["t_start"], s["seen"]) for s in truth["shots"]] == [
        ("red-7", 2.0, True), ("red-7", 6.5, False), ("green-5", 8.0, True),
    ]  # fmt: skip
    missed = truth["shots"][1]
    assert [(c["a"], c["b"]) for c in missed["contacts"]] == [("red-7", "green-5")]
    assert missed["start"]["red-7"] == (180.0, 300.0)
    assert "green-3" not in missed["start"], "a hand had taken it"


def test_a_puck_that_a_missed_shot_struck_over_the_border_slid_that_far_at_least(tmp_path: Path) -> None:
    lines = ["y", "y", "y", "m", "0:06.5", "red 7", "green 5", "-", "-", "green 5", *"---", "x", "y"]
    answers, _ = say(tmp_path, lines)
    missed = truth_of(SEEN, NAMES, answers)["shots"][1]
    assert [e["puck"] for e in missed["exits"]] == ["green-5"]
    assert missed["start"]["green-5"] == (500.0, 100.0), "100 mm from the border"
    assert [c["slide"] for c in missed["contacts"]] == [100.0]


def test_a_missed_shot_may_be_of_a_puck_that_was_seen_before_it_alone(tmp_path: Path) -> None:
    lines = ["y", "y", "y", "m", "4.5", "green 3", "red p4", *"--", "green 3", *"---", "2", "y", "y"]
    answers, asked = say(tmp_path, lines)
    assert told(answers)[1] == Facts("green-3", ("red-p4",), exits=("green-3",))
    assert "Which number does red p4 bear?" in asked[13]
    assert answers.numbers() == {"red-p4": 2}


@pytest.mark.parametrize(
    ("language", "before", "refused", "said"),
    [
        ("en", [], "red 7", "red 7 cannot touch itself; two different pucks were expected"),
        ("fr", [], "rouge 7", "rouge 7 ne peut pas se toucher lui-même ; deux palets différents étaient attendus"),
        ("en", [""], "green 5 / green 5", "green 5 cannot touch itself"),
        ("en", [""], "green 5 / red 7", "red 7 was flicked, and whom it touched was asked before; two others"),
        ("en", [*["", "-", "-"], "red 7"], "red 7", "red 7 left the board, as was said before"),
        ("fr", [*["", "-", "-"], "rouge 7"], "rouge 7", "rouge 7 a quitté le plateau, comme dit avant"),
        ("en", [*["", "-", "-", "-"], "red 7"], "red 7", "red 7 came to rest on the gate, as was said before"),
    ],
)
def test_what_cannot_be_is_refused_and_asked_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, before: list[str], refused: str, said: str
) -> None:
    _, asked = say(tmp_path, ["y", "n", "", *before, refused], language)
    assert asked[-2] == asked[-3], "the same is asked again"
    assert f"{Said(language)('not understood', found=said)}" in capsys.readouterr().out


def test_what_may_be_is_taken(tmp_path: Path) -> None:
    doors = f"green 5 {SEEN.board.doors[0].name}, green 5 {SEEN.board.doors[1].name}"
    lines = ["y", "n", "", "green 5", "green 5 / green 3, green 3 / green 5", doors, "green 5", "-", "green 5", ""]
    answers, _ = say(tmp_path, lines)
    both = tuple(("green-5", door.name) for door in SEEN.board.doors[:2])
    assert told(answers)[0] == Facts(
        "red-7", ("green-5",), (("green-5", "green-3"),), both, exits=("green-5",), passed=("green-5",)
    )


def test_what_was_seen_of_the_flicked_puck_is_not_kept_where_it_was_another(tmp_path: Path) -> None:
    answers, asked = say(tmp_path, ["y", "n", "green 3", *[""] * 7])
    assert "[-]" in asked[3]
    assert told(answers)[0] == Facts("green-3")


def test_a_number_that_another_puck_bears_which_lay_there_too_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers, asked = say(tmp_path, ["y", "n", "red p4", *"-------", "7", "3"])
    assert asked[-3] == asked[-4]
    assert "red 7 lay on the board with it; another number was expected: 1, 2, 3, 4, 5, 6, 8" in capsys.readouterr().out
    assert answers.numbers() == {"red-p4": 3}


@pytest.mark.parametrize(
    "lines", [["n", "", "b"], ["n", *[""] * 7, "b"], ["n", "red p4", *"-------", "b"], ["m", "b"], ["m", "1", "b"]]
)
def test_back_leads_from_the_parts_of_a_shot_to_its_question(tmp_path: Path, lines: list[str]) -> None:
    answers, asked = say(tmp_path, ["y", *lines, "y"])
    assert asked[len(lines) + 1] == asked[1]
    assert told(answers) == [Facts("red-7", ("green-3",)), None]


def test_back_leads_from_which_was_wrong_to_what_hands_did_and_from_when_to_whether_these_were_all(
    tmp_path: Path
) -> None:
    answers, asked = say(tmp_path, ["y", "y", "n", "b", "y", "y", "m", "b", "y"])
    assert asked[4] == asked[2]
    assert asked[8] == asked[6]
    assert len(answers.said_about("hands")) == len(answers.said_about("all")) == 1


def test_a_question_can_be_asked_again(tmp_path: Path) -> None:
    answers, asked = say(tmp_path, ["y", "y", "b", "x", "y", "y", "y"])
    assert "Shot 1 of 2" in asked[3]
    assert len(told(answers)) == 1
    answers, asked = say(tmp_path, ["y"], again=1)
    assert told(answers)[0] == Facts("red-7", ("green-3",))


def test_deeds_of_hands_that_did_not_happen_are_left_out(tmp_path: Path) -> None:
    answers, _ = say(tmp_path, ["y", "y", "n", "1", "y", "y"])
    assert truth_of(SEEN, NAMES, answers)["hand"] == []
    other = tmp_path / "other"
    other.mkdir()
    answers, _ = say(other, ALL_RIGHT)
    assert truth_of(SEEN, NAMES, answers)["hand"] == [{"t": 5.0, "removed": "green-3", "at": [260.0, 310.0]}]


def test_the_conversation_is_french_where_that_is_asked_for(tmp_path: Path) -> None:
    answers, asked = say(tmp_path, ["o", "n", "", "vert 5 puis vert 3", "-", "aucun", "", "", "", ""], "fr")
    assert "rouge 7 a été joué ; il a touché vert 3." in asked[1]
    assert told(answers)[0] == Facts("red-7", ("green-5", "green-3"))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "4 green, 1 red, 2 grey, 2 orange, 3 sky"),
        ("fr", "4 verts, 1 rouge, 2 gris, 2 orange, 3 bleu ciel"),
    ],
)
def test_reefs_are_counted_as_one_says_it(language: str, told: str) -> None:
    assert Said(language).reefs({"green": 4, "red": 1, "grey": 2, "orange": 2, "sky": 3}) == told


def test_every_sentence_is_there_in_both_languages_with_the_same_parts() -> None:
    for what, sentences in WORDS.items():
        names = [{p.partition("}")[0].partition(":")[0] for p in s.split("{")[1:]} for s in sentences]
        assert len(sentences) == len(LANGUAGES)
        assert names[0] == names[1], what


def test_every_sentence_is_said_somewhere() -> None:
    modules = Path(label.__file__).parent.glob("label*.py")
    source = "".join(path.read_text() for path in modules if path.name != "label_words.py") + inspect.getsource(Said)
    quoted = source.replace("'", '"')
    assert [what for what in WORDS if f'"{what}"' not in quoted] == []


def test_reefs_are_polygons_whose_second_side_is_the_long_one(tmp_path: Path) -> None:
    answers, _ = say(tmp_path, ALL_RIGHT)
    (reef,) = truth_of(SEEN, NAMES, answers)["reefs"]
    (ax, ay), (bx, by) = reef["polygon"][1:3]
    shape = SEEN.board.reef
    assert shape is not None
    assert ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 == pytest.approx(shape.length_mm, abs=0.02)
    assert sum(x for x, _ in reef["polygon"]) / 4 == pytest.approx(300.0, abs=0.01)


def test_the_truth_says_what_is_the_players_word_and_what_the_trackers_measure(tmp_path: Path) -> None:
    answers, _ = say(tmp_path, ALL_RIGHT)
    truth = truth_of(SEEN, NAMES, answers)
    assert "no independent check" in truth["made"]["measures"]
    assert {k for k, p in truth["pucks"].items() if not p["confirmed"]} == {"red-p4"}
    json.dumps(truth, allow_nan=False)


def test_a_touch_told_in_another_order_has_the_times_of_that_order(tmp_path: Path) -> None:
    lines = ["y", "n", "", "green 5, green 3", *"------", "y", "y", "y"]
    answers, _ = say(tmp_path, lines)
    first, second = truth_of(SEEN, NAMES, answers)["shots"][0]["contacts"]
    assert (first["b"], second["b"]) == ("green-5", "green-3")
    assert 2.0 < first["t"] < second["t"] == 2.1
    assert (first["seen"], second["seen"]) == (False, True)


def test_a_nudged_puck_lies_where_the_next_shot_finds_it(tmp_path: Path) -> None:
    found = [{**p, "x_mm": 54.0} if p["puck"] == "p4" else p for p in SEEN.shots[1].start["pucks"]]
    later = replace(SEEN.shots[1], start={**SEEN.shots[1].start, "pucks": found})
    answers, _ = say(tmp_path, ALL_RIGHT)
    first, _ = truth_of(replace(SEEN, shots=(SEEN.shots[0], later)), NAMES, answers)["shots"]
    assert first["start"]["red-p4"] == (50.0, 50.0)
    assert first["end"]["red-p4"] == (54.0, 50.0)


def events() -> list[Json]:
    return [e for s in SEEN.shots for e in (s.start, *s.middle, {**s.end, "needs_review": False})]


def test_the_confirmed_truth_calls_the_same_events_right_and_altered_ones_wrong(tmp_path: Path) -> None:
    answers, _ = say(tmp_path, ALL_RIGHT)
    truth = truth_of(SEEN, NAMES, answers)
    assert judged(truth, events()) == ["right", "right"]
    without_touch = [e for e in events() if e["type"] != "contact"]
    assert judged(truth, without_touch) == ["wrong", "right"]
    other_door = [{**e, "door": SEEN.board.doors[1].name} if "door" in e else e for e in events()]
    assert judged(truth, other_door) == ["right", "wrong"]
    other_puck = [{**e, "puck": "p3"} if e["type"] == "shot_started" and e["shot"] == 1 else e for e in events()]
    assert judged(truth, other_puck)[0] == "wrong"
    assert judged(truth, events()[:3]) == ["right", "unseen"]


def test_a_film_that_was_told_to_its_end_is_kept_whole(tmp_path: Path) -> None:
    answers, _ = say(tmp_path, ALL_RIGHT)
    assert passages(SEEN, answers, range(0, FRAMES, 30)) == [Span(0, FRAMES - 1)]


def test_a_shot_of_a_puck_whose_number_nobody_knows_is_cut_out(tmp_path: Path) -> None:
    told = ["y", "n", "red p4", *"-------"]
    answers, asked = say(tmp_path, [*told, "", "y", "y", "y"])
    assert "red p4" in asked[10]
    (span,) = passages(SEEN, answers, range(0, FRAMES, 30))
    assert [s["puck"] for s in truth_of(SEEN, NAMES, answers, span.first, span.last)["shots"]] == ["green-5"]
    answers, _ = say(tmp_path, [*told[1:], "2"], again=1)
    assert passages(SEEN, answers, range(0, FRAMES, 30)) == [Span(0, FRAMES - 1)]
    assert truth_of(SEEN, NAMES, answers)["pucks"]["red-p4"]["number"] == 2


@pytest.mark.parametrize(
    ("lines", "shots"),
    [
        (["y", "?", "y", "y", "y"], ["green-5"]),
        (["y", "y", "y", "?", "y"], ["red-7"]),
        (["y", "?", "y", "?", "y"], []),
        (["y", "y", "?", "y", "y"], []),
    ],
    ids=["the first shot", "the second shot", "both shots", "what hands did"],
)
def test_what_nobody_can_tell_is_cut_out(tmp_path: Path, lines: list[str], shots: list[str]) -> None:
    answers, _ = say(tmp_path, lines)
    spans = passages(SEEN, answers, range(0, FRAMES, 30))
    truths = [truth_of(SEEN, NAMES, answers, span.first, span.last) for span in spans]
    assert [s["puck"] for truth in truths for s in truth["shots"]] == shots
    for span, truth in zip(spans, truths, strict=True):
        assert truth["frames"] == span.last + 1 - span.first == len(truth["positions"]["mm10"])
        assert all(s["t_start"] >= 1.0 and s["t_rest"] <= truth["frames"] / FPS for s in truth["shots"])
