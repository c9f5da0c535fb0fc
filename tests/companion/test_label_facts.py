"""Pucks and doors are read as people say them, in English and French; what is not clear is asked again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.label_facts import (
    Facts,
    NotUnderstood,
    facts_from_json,
    facts_seen,
    names_of,
    read_doors,
    read_pairs,
    read_pucks,
)
from tests.companion.two_shots import BOARD, DOOR, first_shot, second_shot, seen_film

KNOWN = ("red-7", "red-1", "green-7", "green-5", "green-p12")


@pytest.mark.parametrize(
    ("text", "pucks"),
    [
        ("red 7", ("red-7",)),
        ("red-7, green 5", ("red-7", "green-5")),
        ("rouge 7 puis vert 5", ("red-7", "green-5")),
        ("Red 7 and then the green 5", ("red-7", "green-5")),
        ("5", ("green-5",)),
        ("p12", ("green-p12",)),
        ("le pion vert 7 et rouge 1", ("green-7", "red-1")),
        ("red 7, red 7", ("red-7",)),
        ("-", ()),
        ("personne", ()),
    ],
)
def test_pucks_are_read_as_they_are_called(text: str, pucks: tuple[str, ...]) -> None:
    assert read_pucks(text, KNOWN) == pucks


@pytest.mark.parametrize(
    ("text", "pucks"),
    [
        ("rouge 3", ("rouge-3",)),
        ("le pion rouge-3", ("rouge-3",)),
        ("pale blue 3", ("pale blue-3",)),
        ("Pale blue-3 and the rouge 3", ("pale blue-3", "rouge-3")),
        ("noir et blanc 3 et rouge 3", ("noir et blanc-3", "rouge-3")),
        ("équipe a 3", ("Équipe A-3",)),
        ("equipe A 3", ("Équipe A-3",)),
        ("violet 3", ("purple-3",)),
        ("bleu marine 3, grey 3", ("navy-3", "grey-3")),
        ("gris 3", ("grey-3",)),
        ("la 3", ("La-3",)),
    ],
)
def test_pucks_of_teams_with_any_name_are_read(text: str, pucks: tuple[str, ...]) -> None:
    teams = ("rouge", "pale blue", "noir et blanc", "Équipe A", "purple", "navy", "grey", "La")
    assert read_pucks(text, tuple(f"{team}-3" for team in teams)) == pucks


def test_a_number_is_not_taken_for_a_team_that_is_called_as_a_small_word_is() -> None:
    with pytest.raises(NotUnderstood, match="A-3, B-3"):
        read_pucks("3", ("A-3", "B-3"))


@pytest.mark.parametrize("text", ["7", "blue 7", "red", "", "red 7 green 5"])
def test_what_may_be_two_pucks_or_none_is_not_guessed(text: str) -> None:
    with pytest.raises(NotUnderstood):
        read_pucks(text or " x ", KNOWN)


def test_two_that_may_be_meant_are_named() -> None:
    with pytest.raises(NotUnderstood, match="green-7, red-7"):
        read_pucks("7", KNOWN)


@pytest.mark.parametrize("text", ["red 7 / green 5", "rouge 7 / 5", "7 / green 5, 7 / 5"])
def test_pairs_are_read(text: str) -> None:
    assert read_pairs(text, ("red-7", "green-5")) == (("red-7", "green-5"),)


def test_a_pair_of_one_is_not_understood() -> None:
    with pytest.raises(NotUnderstood):
        read_pairs("red 7", KNOWN)


@pytest.mark.parametrize(
    ("text", "doors"),
    [
        ("red 7 green north-east", (("red-7", "green-north-east"),)),
        ("rouge 7 par la porte vert nord-est", (("red-7", "green-north-east"),)),
        ("red 1 green-south-east, 5 rouge nord-ouest",
         (("red-1", "green-south-east"), ("green-5", "red-north-west"))),
        ("aucun", ()),
    ],
)  # fmt: skip
def test_doors_are_read_with_who_went_through(text: str, doors: tuple[tuple[str, str], ...]) -> None:
    assert {name for _, name in doors} <= {door.name for door in BOARD.doors}
    assert read_doors(text, KNOWN, BOARD) == doors


@pytest.mark.parametrize("text", ["rouge 3 porte du nord et est", "le rouge 3 par la Porte du nord et est"])
def test_a_door_may_have_any_name(text: str) -> None:
    name = "Porte du nord et est"
    board = replace(BOARD, doors=(replace(BOARD.doors[0], name=name),))
    assert read_doors(f"{text}, noir et blanc 3 {name}", ("rouge-3", "noir et blanc-3"), board) == (
        ("rouge-3", name), ("noir et blanc-3", name))  # fmt: skip


@pytest.mark.parametrize("text", ["red 7 by the window", "green north-east", "red 7"])
def test_a_door_or_who_went_through_it_that_is_not_known_is_asked_again(text: str) -> None:
    with pytest.raises(NotUnderstood):
        read_doors(text, KNOWN, BOARD)


def test_a_shot_is_told_as_the_tracker_saw_it() -> None:
    names = names_of(seen_film())
    assert facts_seen(first_shot(), names) == Facts("red-7", ("green-3",))
    assert facts_seen(second_shot(), names) == Facts("green-5", doors=(("green-5", DOOR.name),))


def test_a_puck_whose_number_was_never_read_is_called_by_its_id() -> None:
    assert names_of(seen_film())["p4"] == "red-p4"


def test_two_pucks_that_lie_there_together_never_bear_one_name() -> None:
    shot = first_shot()
    both = [{**p, "number": 7} if p["team"] == "red" else p for p in shot.start["pucks"]]
    film = replace(seen_film(), shots=(replace(shot, start={**shot.start, "pucks": both}),))
    names = names_of(film)
    assert {names["p1"], names["p4"]} == {"red-7", "red-p4"}


def test_a_puck_that_comes_back_under_another_id_keeps_its_name() -> None:
    film = seen_film()
    back = {"type": "puck_placed", "t": 6.0, "puck": "p9", "team": "green", "number": 3, "x_mm": 10.0, "y_mm": 10.0}
    assert names_of(replace(film, between=(*film.between, back)))["p9"] == "green-3"


def test_facts_are_kept_as_json_and_read_back() -> None:
    facts = Facts("red-7", ("green-5",), (("green-5", "green-7"),), (("red-7", "green-north-east"),), ("green-5",),
                  ("green-7",), ("red-1",), True)  # fmt: skip
    assert facts_from_json(facts.to_json()) == facts
    assert facts.named() == {"red-7", "green-5", "green-7", "red-1"}
