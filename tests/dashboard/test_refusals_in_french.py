"""Whatever is refused is told in the language of the page."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask

import companion
from companion.dashboard.texts import refusal, speak
from companion.games import GAMES
from companion.games.base import Action, GameError, IllegalMove, Overtaken, all_of
from companion.words import NO_BREAK, refusal_texts
from tests.companion.random_setups import ALL_GAMES, random_setup
from tests.companion.table_games import play_random
from tests.companion.test_games_at_random import KINDS

HERE = Path(companion.__file__).parent


def kinds() -> set[str]:
    """The names of all errors that may be refusals."""
    found, left = set(), [GameError]
    while left:
        kind = left.pop()
        found.add(kind.__name__)
        left += kind.__subclasses__()
    return found


def raised() -> Iterator[tuple[str, ast.expr]]:
    """Where a refusal is made, and its sentence."""
    names = kinds()
    for path in sorted(HERE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names and node.args:
                yield f"{path.relative_to(HERE)}:{node.lineno}", node.args[0]
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__" and node.args:
                yield f"{path.relative_to(HERE)}:{node.lineno}", node.args[0]


def sentences() -> dict[str, str]:
    """Each sentence that can be raised, and where."""
    found = {}
    for where, told in raised():
        for one in (told.body, told.orelse) if isinstance(told, ast.IfExp) else (told,):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                found[one.value] = where
    return found


def gaps(text: str) -> list[tuple[str, str | None, str | None]]:
    return sorted((name, conversion, spec) for _, name, spec, conversion in string.Formatter().parse(text) if name)


def test_every_refusal_has_its_french_and_no_french_is_left_over() -> None:
    assert len(sentences()) > 300
    assert sentences().keys() - refusal_texts().keys() == set()
    assert refusal_texts().keys() - sentences().keys() == set()


def test_a_refusal_is_a_sentence_with_places_for_its_values() -> None:
    """A sentence put together where it is raised would have no French."""
    assert [where for where, told in raised() if isinstance(told, ast.JoinedStr | ast.BinOp | ast.Call)] == []


@pytest.mark.parametrize("english", sorted(refusal_texts()))
def test_the_french_of_a_refusal_has_the_same_values(english: str) -> None:
    french = refusal_texts()[english]
    assert gaps(french) == gaps(english)
    assert french.strip()
    assert french != english


def in_language(lang: str, error: GameError) -> str:
    app = Flask("companion.dashboard")
    speak(app)
    with app.test_request_context(f"/?lang={lang}"):
        return refusal(error)


def test_a_refusal_names_rule_side_and_action_in_the_language_of_the_page() -> None:
    error = IllegalMove("{type} is not for phase {phase}", "A8", type="warrior", phase="revealing")
    assert in_language("en", error) == "warrior is not for phase revealing (rule A8)"
    french = "« Guerrier » n’est pas possible dans la phase « on retourne » (règle A8)"
    assert in_language("fr", error) == french.replace("« ", f"«{NO_BREAK}").replace(" »", f"{NO_BREAK}»")
    whose = IllegalMove("{seat} is not to act now; {all} is", "P11", seat="white", all=all_of(["red", "p2"]))
    assert in_language("en", whose) == "white is not to act now; red and p2 is (rule P11)"
    assert in_language("fr", whose) == "ce n’est pas à Blanc d’agir, mais à Rouge et p2 (règle P11)"
    nobody = IllegalMove("seat: found {seat!r}, expected one of {expected}", "A4", seat=None, expected="p1, p2")
    assert in_language("fr", nobody).replace(NO_BREAK, " ") == "seat : trouvé rien, attendu : p1, p2 (règle A4)"
    assert in_language("fr", Overtaken()).startswith("autre chose a été fait")


@pytest.mark.parametrize("name", ALL_GAMES)
def test_refusals_of_a_match_are_told_in_french(name: str) -> None:
    """Actions of every kind with nonsense in their fields: none is answered in English, and none breaks."""
    game, rng, seen = GAMES[name], Random(3), set()
    nonsense: list[Any] = [None, 7, "", "z99", "{x}", [], {"a": 1}]
    app = Flask("companion.dashboard")
    speak(app)
    with app.test_request_context("/?lang=fr"):
        _, _, states = play_random(game, random_setup(name, 1), 1, 40, lambda state: None)
        for state in states[::5]:
            for kind in [*KINDS[name], "fly"]:
                for seat in [*(player["team"] for player in game.view(state)["players"]), "mallory"]:
                    data = {field: rng.choice(nonsense) for field in rng.sample(["square", "piece", "path", "card"], 2)}
                    error = game.legal(state, Action(kind, {**data, "seat": seat}))
                    if error is None:
                        continue
                    assert "règle" in refusal(error)
                    seen.add(error.sentence)
    assert len(seen) > 1, "of several kinds"
