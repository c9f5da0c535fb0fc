"""Illegal and malformed actions of every game are refused with the rule cited, and change nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.base import Action, IllegalMove, Json
from tests.companion.random_setups import ALL_GAMES, CAP, random_setup
from tests.companion.table_games import full, play_random
from tests.companion.test_games_at_random import KINDS
from tests.companion.test_rules_coverage import IDS

NONSENSE: list[Any] = [None, True, -1, 10**12, 3.5, "", "nobody", "z99", [], {}, ["x"], {"a": 1}]
FIELDS = [
    "square",
    "edge",
    "value",
    "piece",
    "path",
    "card",
    "counter",
    "target",
    "choice",
    "flicked",
    "touched",
    "city",
]


def refusal(name: str, state: Any, type: str, data: Json) -> IllegalMove | None:
    """The error of an action, the same by legal() and apply(), which changes nothing; None where it is legal."""
    game, action = GAMES[name], Action(type, data)
    before = full(game, state)
    error = game.legal(state, action)
    if error is None:
        return None
    with pytest.raises(IllegalMove) as raised:
        game.apply(state, action)
    assert (str(raised.value), raised.value.rule) == (str(error), error.rule)
    assert full(game, state) == before
    assert "\n" not in str(error)
    return error


@pytest.mark.parametrize("name", ALL_GAMES)
def test_every_refusal_cites_a_rule(name: str) -> None:
    """Actions of every kind with nonsense in their fields, by seats, strangers and nobody, over a random match."""
    game, rng, seen = GAMES[name], Random(1), set()
    for seed in range(6):
        _, _, states = play_random(game, random_setup(name, seed), seed, 60, lambda state: None)
        for state in states[::7]:
            for _ in range(10):
                seat = rng.choice([*(p["team"] for p in game.view(state)["players"]), "mallory", None, 7])
                data = {field: rng.choice(NONSENSE) for field in rng.sample(FIELDS, rng.randrange(3))}
                error = refusal(name, state, rng.choice([*KINDS[name], "fly"]), {**data, "seat": seat})
                if error is not None:
                    assert error.rule in IDS, f"{error} cites no rule"
                    seen.add(error.rule)
    assert len(seen) > 1, "of several kinds"


@pytest.mark.parametrize("name", ALL_GAMES)
def test_a_forged_player_and_an_unknown_action_are_refused_with_a_rule(name: str) -> None:
    game = GAMES[name]
    state, rng = game.start(random_setup(name, 2)), Random(2)
    for _ in range(12):
        action = game.pick(state, rng)
        assert action is not None
        forged = refusal(name, state, action.type, {**action.data, "seat": "mallory"})
        assert forged is not None
        assert forged.rule in IDS
        unknown = refusal(name, state, "fly", dict(action.data))
        assert unknown is not None
        assert unknown.rule in IDS
        state = game.apply(state, action)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_nothing_is_done_after_the_end(name: str) -> None:
    """Every action of a match's last phase, tried again once it is over."""
    game = GAMES[name]
    for seed in range(40):
        end, actions, _ = play_random(game, random_setup(name, seed), seed, CAP[name], lambda state: None)
        if game.outcome(end) is None:
            continue
        for action in actions[-3:]:
            error = refusal(name, end, action.type, dict(action.data))
            assert error is not None
            assert error.rule in IDS
        return
    raise AssertionError("no match came to its end")
