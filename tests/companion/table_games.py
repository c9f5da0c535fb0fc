"""What the tests of games kept by taps share: golden games, random play, and what a refused action must leave alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.base import Action, Game, IllegalMove

GOLDEN = Path(__file__).parent / "golden"


def act(game: Game[Any], state: Any, seat: str, type: str, **data: Any) -> Any:
    """The state after one action."""
    return game.apply(state, Action(type, {"seat": seat, **data}))


def refused(game: Game[Any], state: Any, seat: str, type: str, **data: Any) -> IllegalMove:
    """The error of an action that must be refused, by legal() and apply() alike, and must change nothing."""
    action = Action(type, {"seat": seat, **data})
    before = full(game, state)
    error = game.legal(state, action)
    assert error is not None, f"{type} {data} was accepted"
    with pytest.raises(IllegalMove) as raised:
        game.apply(state, action)
    assert str(raised.value) == str(error)
    assert full(game, state) == before
    assert "\n" not in str(error)
    return error


def full(game: Game[Any], state: Any) -> Any:
    """The whole state as JSON, through text and back."""
    assert game.to_json is not None
    return json.loads(json.dumps(game.to_json(state)))


def rules_of(game: Game[Any], state: Any) -> Any:
    """The whole state without its log, which is words."""
    return {k: v for k, v in full(game, state).items() if k != "log"}


def changed(body: Any, delta: Mapping[str, Any]) -> Any:
    """A JSON body with values at dotted paths replaced; None at the end of a path of a mapping removes it."""
    body = json.loads(json.dumps(body))
    for path, value in delta.items():
        *parents, last = path.split(".")
        place = body
        for name in parents:
            place = place[int(name)] if isinstance(place, list) else place[name]
        if isinstance(place, list):
            place[int(last)] = value
        elif value == "(gone)":
            del place[last]
        else:
            place[last] = value
    return body


def play_golden(game: Game[Any], name: str) -> Any:
    """Plays a golden file; after every action the full state must be the one worked out by hand. Gives the end."""
    told = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    state = game.start(told["setup"])
    expected = told["start"]
    assert rules_of(game, state) == expected, "at the start"
    for number, step in enumerate(told["steps"], 1):
        seat, type, data = step["do"]
        state = act(game, state, seat, type, **data)
        expected = changed(expected, step["then"])
        assert rules_of(game, state) == expected, f"after step {number}: {step['do']}"
    outcome = game.outcome(state)
    assert outcome is not None
    assert {"winner": outcome.winner, "points": dict(outcome.points)} == told["outcome"]
    return state


def play_random(
    game: Game[Any], setup: Mapping[str, Any], seed: int, cap: int, check: Callable[[Any], None], every: int = 1
) -> tuple[Any, list[Action], list[Any]]:
    """One match of random legal actions; `check` sees every n-th state and the last. Gives end, actions and states."""
    rng = Random(seed)
    state = game.start(setup)
    actions: list[Action] = []
    states = [state]
    while len(actions) < cap:
        action = game.pick(state, rng)
        if action is None:
            break
        state = game.apply(state, action)
        actions.append(action)
        states.append(state)
        if len(actions) % every == 0:
            check(state)
    check(state)
    return state, actions, states


def replay_is_exact(game: Game[Any], setup: Mapping[str, Any], actions: list[Action], states: list[Any]) -> None:
    """Undo is a replay of all but the last actions: every prefix gives the very state that was there before."""
    state = game.start(setup)
    for action, before in zip(actions, states, strict=False):
        assert state == before
        state = game.apply(state, Action(action.type, json.loads(json.dumps(dict(action.data)))))
    assert state == states[-1]


def round_trip_is_exact(game: Game[Any], state: Any) -> None:
    """A state written as JSON text and read again is the same state."""
    assert game.from_json is not None
    assert game.from_json(full(game, state)) == state


def moves_are_legal(game: Game[Any], state: Any) -> None:
    """What moves() lists is accepted, and only those seats that are waited for have any."""
    assert game.waiting is not None
    for seat in game.waiting(state):
        for action in game.moves(state, seat):
            error = game.legal(state, action)
            assert error is None, f"{action} is listed but refused: {error}"


def forged_actions_are_refused(game: Game[Any], state: Any, rng: Random, kinds: list[str]) -> None:
    """Nonsense of every kind is refused with one line, and the state stays as it was."""
    values: list[Any] = [None, True, -1, 10**12, 3.5, "", "nobody", "a1", [], {}, ["x"], {"a": 1}]
    names = ["seat", "square", "edge", "value", "piece", "path", "card", "counter", "target", "choice", "keep", "build"]
    for _ in range(12):
        body = {name: rng.choice(values) for name in rng.sample(names, 3)}
        body.setdefault("seat", rng.choice(values))
        kind = rng.choice([*kinds, "", "drop table", "apply"])
        if body["seat"] in ("nobody", None, True) or not isinstance(body["seat"], str):
            before = full(game, state)
            error = game.legal(state, Action(kind, body))
            assert isinstance(error, IllegalMove)
            assert full(game, state) == before
