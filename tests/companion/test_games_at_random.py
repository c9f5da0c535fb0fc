"""Random legal matches of every game: invariants, undo by replay, JSON, listed moves, hidden values."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.base import Action
from companion.games.fast import replace
from tests.companion.random_setups import ALL_GAMES, BY_TAPS, CAP, CHECKS, random_setup
from tests.companion.table_games import (
    forged_actions_are_refused,
    full,
    moves_are_legal,
    play_random,
    replay_is_exact,
    round_trip_is_exact,
)

MATCHES = 500  # of each game in every run
LONG_MATCHES = 4000  # of each of the five games: 20,000 in all
KINDS = {
    "paleo": ["start_round", "shot_by_hand", "answer", "as_it_lies", "reefs_by_hand", "pause", "resume", "correction"],
    "armadora": ["warrior", "palisade", "done", "pass", "reinforce", "look", "arrow", "reveal"],
    "paper_tales": ["keep", "deploy", "choose", "build", "save", "ready"],
    "sacrifice": ["move", "wall", "revive", "immortal", "choose", "end"],
    "zargo": ["city", "garrison", "place", "ready", "move", "vanish", "shoot", "combat", "siege", "retreat", "next"],
}


def play_many(name: str, seeds: range, deep: int) -> int:
    """Plays a match for every seed; every `deep`-th one is replayed, written, listed and attacked with nonsense."""
    game, finished = GAMES[name], 0
    for seed in seeds:
        setup = random_setup(name, seed)
        end, actions, states = play_random(game, setup, seed, CAP[name], CHECKS[name], every=7)
        round_trip_is_exact(game, end)
        finished += game.outcome(end) is not None
        if seed % deep == 0:
            replay_is_exact(game, setup, actions, states)
            rng = Random(seed)
            for state in rng.sample(states, 3):
                round_trip_is_exact(game, state)
                moves_are_legal(game, state)
                forged_actions_are_refused(game, state, rng, KINDS[name])
    return finished


@pytest.mark.parametrize("name", ALL_GAMES)
def test_500_random_matches_keep_every_invariant(name: str) -> None:
    finished = play_many(name, range(MATCHES), deep=20)
    assert finished > MATCHES / 4, "most matches end by the rules, not by the cut"


@pytest.mark.long
@pytest.mark.parametrize("name", ALL_GAMES)
def test_4000_random_matches_of_each_game_keep_every_invariant(name: str) -> None:
    play_many(name, range(10**6, 10**6 + LONG_MATCHES), deep=50)


@pytest.mark.parametrize("name", BY_TAPS)
def test_a_seat_only_acts_when_it_is_waited_for(name: str) -> None:
    """Whoever is not waited for finds every action of those who are refused in its own name."""
    game = GAMES[name]
    assert game.waiting is not None
    for seed in range(12):
        state = game.start(random_setup(name, seed))
        rng = Random(seed)
        for _ in range(25):
            action = game.pick(state, rng)
            if action is None:
                break
            idle = [s for s in state.seats if s not in game.waiting(state)]
            for seat in idle if action.type not in ("draw", "accept") else ():
                assert game.legal(state, Action(action.type, {**action.data, "seat": seat})) is not None
            state = game.apply(state, action)


def hidden_words(name: str, state: Any, seat: str) -> set[str]:
    """Names of what only this seat may know now: its cards, or the counters in its garrisons."""
    if name == "paper_tales":
        k = state.kingdoms[state.seats.index(seat)]
        plan = (*k.plan.front, *k.plan.back, k.plan.keep) if k.plan else ()
        on_table = {u.card for other in state.kingdoms for u in other.units}
        on_table |= {g.why for other in state.kingdoms for g in other.gains}  # known since it gave points
        return {c for c in (*k.packet, *k.chosen, *k.choice, *k.hand, k.kept, *plan) if c} - on_table
    if name == "zargo":
        return {n for n, c in state.counters.items() if c.people == seat and c.hidden}
    return set()


@pytest.mark.parametrize("name", ["paper_tales", "zargo"])
def test_no_view_names_what_another_seat_holds(name: str) -> None:
    game, found = GAMES[name], 0
    for seed in range(25):
        _, _, states = play_random(game, random_setup(name, seed), seed, 80, lambda state: None)
        for state in states[::9]:
            for seat in state.seats:
                secret = hidden_words(name, state, seat)
                found += len(secret)
                for other in (None, *(s for s in state.seats if s != seat)):
                    text = str(game.seen_by(state, other))
                    leaked = {word for word in secret if f"'{word}'" in text}
                    assert not leaked, f"{other} reads {leaked} of {seat}"
    assert found > 100


def test_armadoras_views_do_not_change_with_values_that_are_hidden() -> None:
    game, compared = GAMES["armadora"], 0
    for seed in range(25):
        _, _, states = play_random(game, random_setup("armadora", seed), seed, 60, lambda state: None)
        for state in states[::11]:
            for viewer, seat in enumerate((*state.seats, None)):
                changed = {}
                for square, w in state.warriors.items():
                    seen = w.face_up or (seat is not None and (w.seat == viewer or state.looked[viewer] >> square & 1))
                    changed[square] = w if seen or not w.value else replace(w, value=w.value % 5 + 1)
                if state.phase == "playing" and changed != state.warriors:
                    other = replace(state, warriors=changed)
                    assert game.seen_by(state, seat) == game.seen_by(other, seat)
                    compared += 1
    assert compared > 100


@pytest.mark.parametrize("name", ALL_GAMES)
def test_the_spectators_view_is_json(name: str) -> None:
    game = GAMES[name]
    end, _, _ = play_random(game, random_setup(name, 3), 3, CAP[name], lambda state: None)
    assert json.loads(json.dumps(game.view(end))) == game.view(end)  # a tuple of words would come out as a list
    assert full(game, end)
