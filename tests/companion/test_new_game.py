"""The example of docs/new-game.md is a whole game: it joins the registry, is played, refused, replayed and shown."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.base import Game
from companion.play import Session
from tests.companion.table_games import (
    act,
    moves_are_legal,
    play_golden,
    play_random,
    refused,
    replay_is_exact,
    round_trip_is_exact,
)

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "new-game.md"
SETUP = {"players": {"ann": "Ann", "ben": "Ben"}}


@pytest.fixture
def game() -> Iterator[Game[Any]]:
    """The guide's module, as if it had been saved and given its line."""
    found = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == 1, "the guide shows one module"
    module = ModuleType("last_match")
    sys.modules["last_match"] = module
    exec(compile(found[0], str(GUIDE), "exec"), module.__dict__)
    GAMES["last_match"] = module.__dict__["GAME"]
    yield GAMES["last_match"]
    del GAMES["last_match"], sys.modules["last_match"]


def test_the_golden_game_goes_as_worked_out_by_hand(game: Game[Any]) -> None:
    play_golden(game, "last_match")


def test_a_hundred_random_matches_end_and_are_replayed(game: Game[Any]) -> None:
    for seed in range(100):
        end, actions, states = play_random(game, SETUP, seed, 50, lambda state: moves_are_legal(game, state))
        outcome = game.outcome(end)
        assert outcome is not None
        assert sum(outcome.points.values()) == 1
        replay_is_exact(game, SETUP, actions, states)
        round_trip_is_exact(game, end)


@pytest.mark.parametrize("matches", [0, 4, None, "2", True])
def test_a_wrong_number_is_refused(game: Game[Any], matches: Any) -> None:
    refused(game, game.start(SETUP), "ann", "take", matches=matches)


def test_the_option_is_kept_and_the_turn_too(game: Game[Any]) -> None:
    state = game.start({**SETUP, "options": {"first_turn": "one_only"}})
    assert refused(game, state, "ann", "take", matches=2).rule == "M2"
    assert refused(game, act(game, state, "ann", "take", matches=1), "ann", "take", matches=1).rule == "M2"


def test_it_is_played_in_a_terminal_at_once(game: Game[Any]) -> None:
    lines: list[str] = []
    session = Session("last_match", SETUP, lines.append)
    session.show()
    session.take("take matches=3")
    assert "  Ann takes 3." in lines
