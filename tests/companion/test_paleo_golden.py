"""A complete match of Paleo worked out by hand from the rule text, with the full expected state after each action."""

from __future__ import annotations

import json
from typing import Any

from companion.games import GAMES
from companion.games.base import Action, Json
from companion.games.paleo_state import PaleoState
from tests.companion.paleo_table import SHEET
from tests.companion.table_games import GOLDEN, changed, full, round_trip_is_exact

APART = ("log", "sheet", "options", "ruled", "waiting")  # words, what never changes, and what corrections look at
GAME = GAMES["paleo"]


def rules_of(state: PaleoState) -> Json:
    """The whole state without its words; of a question what it asks and the answers."""
    body: Json = {k: v for k, v in full(GAME, state).items() if k not in APART}
    asked = body["question"]
    if asked is not None:
        choices = [choice["value"] for choice in asked["choices"]]
        body["question"] = {**{k: asked[k] for k in ("kind", "about", "team")}, "choices": choices}
    return body


def test_the_golden_match_goes_as_worked_out_by_hand() -> None:
    told: dict[str, Any] = json.loads((GOLDEN / "paleo.json").read_text(encoding="utf-8"))
    state = GAME.start({**told["setup"], "sheet": SHEET})
    expected = told["start"]
    assert rules_of(state) == expected, "at the start"
    for entry, step in enumerate(told["steps"], 1):
        type, data = step["do"]
        state = GAME.apply(state, Action(type, data, entry))
        expected = changed(expected, step["then"])
        assert rules_of(state) == expected, f"after step {entry}: {step['why']}"
        round_trip_is_exact(GAME, state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert {"winner": outcome.winner, "points": dict(outcome.points)} == told["outcome"]


def test_every_ruling_of_the_golden_match_cites_the_rules_it_was_worked_out_from() -> None:
    """The rules named in a step's reason that a log can cite are cited by the lines of that step."""
    told: dict[str, Any] = json.loads((GOLDEN / "paleo.json").read_text(encoding="utf-8"))
    state = GAME.start({**told["setup"], "sheet": SHEET})
    for entry, step in enumerate(told["steps"], 1):
        state = GAME.apply(state, Action(*step["do"], entry))
    cited = {rule for line in state.log for rule in line.rules}
    assert {"P7", "P11", "P13", "P14", "P15", "P16", "P17", "P18", "P19", "P20", "P21", "P22", "P23", "P24"} <= cited
