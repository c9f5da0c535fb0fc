"""Games in a terminal: what is typed, what is shown, and what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.base import MalformedAction
from companion.games.paleo_sentence import is_sentence, read_sentence
from companion.play import Session, play, read_players, read_value, write_value
from tests.companion.paleo_table import SHEET
from tests.companion.random_setups import ALL_GAMES, random_setup

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


@pytest.mark.parametrize("key", ["9", "[", "{", "-"])
@pytest.mark.parametrize(
    "line", ["{}", "undo {}", "correct {} pass", "warrior square=a1 value={}", "warrior square={}"]
)
def test_a_key_that_was_held_down_ends_no_match(line: str, key: str) -> None:
    """A cat on the keyboard: more digits than Python reads, brackets deeper than it goes."""
    one, lines = session()
    before = one.state
    assert one.take(line.format(key * 5000))
    assert lines[-1].startswith("! ")
    assert one.state is before


def test_moves_are_listed_and_played_by_their_number() -> None:
    one, lines = session()
    one.take("moves")
    assert lines[0].startswith("  1  palisade")
    one.take("1")
    assert one.state.palisades == 34


@pytest.mark.parametrize(
    ("players", "marks"),
    [
        ({"p1": "Ann", "p2": "Ben"}, "AB"),
        ({"p1": "P1", "p2": "P2"}, "AB"),
        ({"p1": "J1", "p2": "J2"}, "AB"),
        ({"ann": "Max", "ben": "Mia"}, "AB"),
        ({"p1": "élise", "p2": "Zoé"}, "ÉZ"),
        ({"p1": "😀", "p2": "ß"}, "AB"),
    ],
)
def test_nobodys_warriors_look_like_anothers(players: dict[str, str], marks: str) -> None:
    one, lines = session(players=players)
    one.take("warrior square=a1 value=3")
    one.take("warrior square=b1 value=3")
    one.show()
    first, second = players
    assert any(line.startswith(f"  1  {marks[0]}?  {marks[1]}? ") for line in lines), lines
    assert f"   {marks[0]} = {first}, {marks[1]} = {second}" in lines


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


@pytest.mark.parametrize("name", ALL_GAMES)
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
        for player in one.game.view(one.state)["players"]:
            one.take(f"me {player['team']}")
    assert not [line for line in lines if line.startswith("! ")]


def paleo_session(language: str = "en", **options: Any) -> tuple[Session, list[str]]:
    lines: list[str] = []
    setup = {"sheet": SHEET, "players": {"red": "Ann", "green": "Ben"}, "options": {"kept_by": "taps", **options}}
    one = Session("paleo", setup, lines.append, language)
    one.take("start_round begins=red")
    return one, lines


def test_a_paleo_shot_is_told_in_one_sentence() -> None:
    """Explorer 3 touches two pawns, which captures nothing, and takes the key behind the door."""
    one, lines = paleo_session()
    one.take("flicked 3, touched 5 and 8, through north-east")
    assert one.state.keys == {"green-north-east": "red"}
    assert any("Explorers do not capture" in line for line in lines)
    assert one.state.turn == "green"


@pytest.mark.parametrize(
    ("told", "facts"),
    [
        ("flicked 8, touched 5 in camp", {"flicked": "red-8", "touched": ["green-5"], "in_camp": ["green-5"]}),
        ("flicked 8, touched 5, off 5", {"flicked": "red-8", "touched": ["green-5"], "exits": ["green-5"]}),
        ("flicked red 8 off 8", {"flicked": "red-8", "exits": ["green-8"]}),
        ("flicked 3 on the gate", {"flicked": "red-3", "on_gate": ["red-3"]}),
        ("flicked 8 touched 5 through south-east", {"flicked": "red-8", "touched": ["green-5"],
                                                    "doors": [{"puck": "green-5", "door": "green-south-east"}]}),
        ("pushed: flicked 8", None),
        ("joué 8, touché 5 et 4, par nord-est", {"flicked": "red-8", "touched": ["green-5", "green-4"],
                                                 "doors": [{"puck": "red-8", "door": "green-north-east"}]}),
        ("joué vert 3", {"flicked": "green-3"}),
        ("flicked 8 pushed", {"flicked": "red-8", "fouls": ["pushed"]}),
    ],
)  # fmt: skip
def test_sentences_mean_what_they_say(told: str, facts: dict[str, Any] | None) -> None:
    one, _ = paleo_session()
    assert is_sentence(told) is (facts is not None)
    if facts is not None:
        empty: dict[str, Any] = {"touched": [], "doors": [], "exits": [], "on_gate": [], "fouls": []}
        assert read_sentence(one.state, told) == {**empty, **facts}


@pytest.mark.parametrize("told", ["flicked", "flicked 9", "flicked 3 and 4", "flicked 3 through the window",
                                  "flicked 3 touched blue 5", "flicked 3 through north"])  # fmt: skip
def test_a_sentence_that_is_not_understood_is_refused_with_a_rule(told: str) -> None:
    one, lines = paleo_session()
    before = one.state
    one.take(told)
    assert lines[-1].startswith("! ")
    assert "(rule P" in lines[-1]
    assert one.state is before


def test_an_earlier_shot_is_corrected_after_its_difference_was_shown() -> None:
    one, lines = paleo_session()
    one.take("flicked 8, touched 5")
    one.take("flicked 3")
    assert one.state.captured("green") == ("green-5",)
    one.take("entries")
    assert any(line.startswith("  3  Green Explorer 5 captured") for line in lines)
    one.take("correct 3 flicked 8, touched 4")
    assert any(line.startswith("  + Green Explorer 4 captured") for line in lines)
    assert one.state.captured("green") == ("green-5",), "shown, not done"
    one.take("accept")
    assert one.state.captured("green") == ("green-4",)
    one.take("undo 3")
    one.take("accept")
    assert one.state.captured("green") == ()
    one.take("accept")
    assert lines[-1].startswith("! nothing is proposed")


def test_an_earlier_action_of_a_game_with_seats_is_undone_and_corrected() -> None:
    one, lines = session()
    one.take("warrior square=a1 value=3")
    one.take("warrior square=b1 value=2")
    one.take("correct 2 warrior square=a2 value=4")
    one.take("accept")
    assert one.state.warriors[8].value == 4
    one.take("undo 9")
    assert lines[-1].startswith("! entry 9")


def test_a_match_is_kept_in_a_file_and_gone_on_with_another_day(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    first, second = "warrior square=a1 value=1\nquit\n", "log\nwarrior square=b1 value=1\n"
    told = [terminal(typed, "armadora", "--players", "Ann,Ben", "--file", str(file)) for typed in (first, second)]
    assert [done.returncode for done in told] == [0, 0], told[1].stderr
    assert "Ann: a Warrior on a1." in told[1].stdout
    assert "Ben: a Warrior on b1." in told[1].stdout
    file.write_text(file.read_text(encoding="utf-8"), encoding="utf-8-sig")  # as an editor may save it
    third = terminal("warrior square=c1 value=1\n", "armadora", "--file", str(file))
    assert "Ann: a Warrior on c1." in third.stdout, third.stderr
    kept = file.read_bytes()
    other = terminal("moves\n1\n", "sacrifice", "--file", str(file))
    assert (other.returncode, other.stderr.count("\n")) == (1, 1)
    assert f"{file}: a match of armadora is kept here, expected one of sacrifice" in other.stderr
    assert file.read_bytes() == kept
    file.write_text("{", encoding="utf-8")
    broken = terminal("quit\n", "armadora", "--file", str(file))
    assert (broken.returncode, broken.stderr.count("\n")) == (1, 1)
    assert str(file) in broken.stderr


ENGLISH = {**os.environ, "LC_ALL": "C.UTF-8"}  # whatever the machine speaks that the tests run on


def terminal(typed: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion.cli", "play", *words],
        input=typed, capture_output=True, text=True, timeout=60, check=False, env=ENGLISH,
    )  # fmt: skip


def test_gold_and_cards_lie_otherwise_in_each_match_that_is_given_no_seed(tmp_path: Path) -> None:
    """The text has them shuffled (A3, T3); dealt the same every evening, everybody knew what comes."""

    def dealt(name: str, game: str, *words: str) -> tuple[object, object]:
        assert terminal("moves\n1\n", game, "--file", str(tmp_path / name), *words).returncode == 0
        kept = json.loads((tmp_path / name).read_text(encoding="utf-8"))["entries"][0]["data"]
        state = GAMES[game].start(kept)
        return (kept["seed"], state.pile if game == "paper_tales" else state.gold)

    for game in ("armadora", "paper_tales"):
        first, second = dealt(f"{game}-1", game), dealt(f"{game}-2", game)
        assert first[0] != second[0]
        assert dealt(f"{game}-3", game, "--seed", str(first[0])) == first


def test_paleo_is_played_in_a_terminal_as_well() -> None:
    done = terminal("start_round begins=red\nflicked 8, touched 4\nlog\n", "paleo", "--players", "red=Ann,green=Ben")
    assert "P13" in done.stdout


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(MalformedAction, match="expected one of"):
        Session("chess", TWO, print)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("value", "3", 3), ("square", "a1", "a1"), ("path", "a4,a3", ["a4", "a3"]), ("path", "a4", ["a4"]),
     ("keep", "-", None), ("back", "-", []), ("run", "true", True), ("hex", "0404", "0404"),
     ("path", "0404", ["0404"]), ("hex", "1004", "1004"), ("path", "1004", ["1004"]),
     ("counters", '{"k": "0404"}', {"k": "0404"}), ("bonus", "-2", -2)],
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
        input=typed, capture_output=True, text=True, timeout=60, check=False, env=ENGLISH,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "  Ann: a Warrior on a1.  (A5)" in done.stdout


def test_the_command_refuses_a_wrong_set_up_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", "play", "zargo", "--option", "tie=never"],
        capture_output=True, text=True, timeout=60, check=False, env=ENGLISH,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Z19" in done.stderr
