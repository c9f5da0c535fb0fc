"""Games in a terminal: what is typed, what is shown, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.base import MalformedAction
from companion.play import Session, play, read_players, read_value, write_value
from tests.companion.random_setups import BY_TAPS, random_setup

TWO = {"players": {"ann": "Ann", "ben": "Ben"}, "seed": 1}


def session(name: str = "armadora", language: str = "en", **setup: Any) -> tuple[Session, list[str]]:
    lines: list[str] = []
    return Session(name, {**TWO, **setup}, lines.append, language), lines


def test_a_typed_action_is_played_for_the_seat_in_turn() -> None:
    one, lines = session()
    assert one.take("warrior square=a1 value=3")
    assert one.state.warriors[0].value == 3
    assert lines[-2:] == ["  Ann: a Warrior on a1.", "  → ben"]


def test_what_is_refused_is_said_with_its_rule_and_changes_nothing() -> None:
    one, lines = session()
    before = one.state
    for told in ("warrior square=a1 value=9", "warrior square=z9 value=1", "warrior a1", "fly", "9", "warrior 'a1"):
        assert one.take(told)
        assert lines[-1].startswith("! ")
    one.take("pass seat=ben")
    assert lines[-1].endswith("(rule A4)")
    assert one.state is before


def test_moves_are_listed_and_played_by_their_number() -> None:
    one, lines = session()
    one.take("moves")
    assert lines[0].startswith("  1  palisade")
    one.take("1")
    assert one.state.palisades == 34


def test_undo_goes_back_exactly() -> None:
    one, lines = session()
    before = one.state
    one.take("warrior square=a1 value=3")
    one.take("undo")
    assert one.state is before
    one.take("undo")
    assert lines[-1] == "! there is nothing to undo"


def test_what_only_one_seat_may_see_is_shown_on_demand_only() -> None:
    one, lines = session("paper_tales")
    one.show()
    card = one.state.kingdoms[0].packet[0]
    assert card not in "\n".join(lines)
    one.take("me ann")
    assert card in "\n".join(lines)
    one.take("me eve")
    assert lines[-1].startswith("! me: expected")


def test_french_is_spoken_as_well() -> None:
    one, lines = session(language="fr")
    one.take("warrior square=a1 value=3")
    assert "  Ann : un Guerrier en a1." in lines
    one.take("help")
    assert lines[-1].startswith("Tapez")
    one.take("options")
    assert any("Le texte laisse la table décider" in line for line in lines)


def test_quit_and_the_end_of_input_end_it() -> None:
    one, _ = session()
    typed = iter(["log", "", "quit", "pass"])
    play(one, lambda: next(typed))
    assert next(typed) == "pass"
    play(one, lambda: None)


@pytest.mark.parametrize("name", BY_TAPS)
def test_any_game_is_played_to_its_end_by_numbers(name: str) -> None:
    """With what is shown in between never failing."""
    lines: list[str] = []
    setup = random_setup(name, 4)
    one, rng = Session(name, setup, lines.append), Random(4)
    for _ in range(60):
        one.take("moves")
        if not one._listed:
            break
        one.take(str(rng.randint(1, len(one._listed))))
        one.take("board")
        for seat in one.state.seats:
            one.take(f"me {seat}")
    assert not [line for line in lines if line.startswith("! ")]


def test_paleo_is_played_by_hand_as_well() -> None:
    typed = "start_round begins=red\nshot_by_hand flicked=red-8 touched=green-4\nlog\n"
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", "play", "paleo", "--players", "red=Ann,green=Ben"],
        input=typed, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "P13" in done.stdout


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(MalformedAction, match="expected one of"):
        Session("chess", TWO, print)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("value", "3", 3), ("square", "a1", "a1"), ("path", "a4,a3", ["a4", "a3"]), ("path", "a4", ["a4"]),
     ("keep", "-", None), ("back", "-", []), ("run", "true", True), ("hex", "0404", "0404"),
     ("path", "0404", ["0404"]), ("counters", '{"k": "0404"}', {"k": "0404"}), ("bonus", "-2", -2)],
)  # fmt: skip
def test_values_are_read_as_they_are_meant(name: str, text: str, value: Any) -> None:
    assert read_value(name, text) == value
    assert read_value(name, write_value(value)) == value


def test_players_are_named_with_or_without_seats() -> None:
    assert read_players("Ann,Ben", GAMES["armadora"]) == {"p1": "Ann", "p2": "Ben"}
    assert read_players("Ann,Ben", GAMES["zargo"]) == {"knights": "Ann", "dragons": "Ben"}
    assert read_players("monks=Ann,winged=Ben", GAMES["zargo"]) == {"monks": "Ann", "winged": "Ben"}
    assert read_players("", GAMES["zargo"]) is None
    with pytest.raises(MalformedAction, match="twice"):
        read_players("a=Ann,a=Ben", GAMES["armadora"])


def test_the_command_plays_from_standard_input() -> None:
    typed = "warrior square=a1 value=1\nlog\n"
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", "play", "armadora", "--players", "Ann,Ben"],
        input=typed, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "  Ann: a Warrior on a1.  (A5)" in done.stdout


def test_the_command_refuses_a_wrong_set_up_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", "play", "zargo", "--option", "tie=never"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Z19" in done.stderr
