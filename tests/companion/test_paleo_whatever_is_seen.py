"""Whatever a camera says, and whatever players answer, the match goes on: no error, no question without an answer."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from companion.games import paleo
from companion.games.base import Action, IllegalMove
from companion.games.paleo_state import PaleoState
from tests.companion.paleo_table import BOARD, SHEET

IDS = [f"p{n}" for n in range(1, 21)]  # more than there are pucks: vision takes shadows for pucks, too
DOORS = [d.name for d in BOARD.doors]
KEYS = [f"{t.name}-{n}" for t in BOARD.teams for n in t.numbers]
STEPS = 120


class Confusion:
    """A match watched by a camera that is wrong about everything, among players who say anything."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.numbers_read = self.rng.choice((0.0, 0.3, 1.0))
        self.state: PaleoState = paleo.start({"sheet": SHEET})
        self.entry = 0

    def apply(self, type: str, data: dict[str, Any]) -> None:
        """One action, by way of JSON as the journal has it; what is refused changes nothing."""
        self.entry += 1
        before = self.state
        try:
            self.state = paleo.apply(self.state, Action(type, json.loads(json.dumps(data)), self.entry))
        except IllegalMove:
            assert self.state is before

    def puck(self, name: str) -> dict[str, Any]:
        team = self.rng.choice(BOARD.teams)
        number = self.rng.randint(1, 9) if self.rng.random() < self.numbers_read else None
        x, y = self.rng.uniform(0, BOARD.size[0]), self.rng.uniform(0, BOARD.size[1])
        return {"puck": name, "team": team.name, "number": number, "x_mm": x, "y_mm": y}

    def pucks(self) -> list[dict[str, Any]]:
        return [self.puck(i) for i in self.rng.sample(IDS, self.rng.randint(0, len(IDS)))]

    def shot(self) -> dict[str, Any]:
        def some(most: int) -> list[float]:
            return [float(n) for n in range(self.rng.randint(0, most))]

        one = self.rng.choice
        return {
            "shot": self.entry, "t_start": 0.0, "t_end": 9.0, "flicked": one(IDS),
            "touches": [{"t": t, "puck": one(IDS), "other": one(IDS), "x_mm": 1.0, "y_mm": 1.0} for t in some(4)],
            "doors_in": [{"t": t, "puck": one(IDS), "door": one([*DOORS, "nowhere"])} for t in some(2)],
            "exits": [{"t": t, "puck": one(IDS)} for t in some(2)],
            "passed": [{"t": t, "puck": one(IDS)} for t in some(1)],
            "before": self.pucks(), "after": self.pucks(), "on_gate": self.rng.sample(IDS, self.rng.randint(0, 2)),
            "pushed": one([True, False, None]), "needs_review": one([True, False]), "reasons": ["unclear"],
        }  # fmt: skip

    def told(self) -> dict[str, Any]:
        def some(most: int) -> list[str]:
            return [self.rng.choice(KEYS) for _ in range(self.rng.randint(0, most))]

        doors = [{"puck": k, "door": self.rng.choice(DOORS)} for k in some(2)]
        return {"flicked": self.rng.choice(KEYS), "touched": some(3), "doors": doors, "exits": some(1), "on_gate": []}

    def step(self) -> None:
        """Something happens: mostly a shot or an answer."""
        question = self.state.question
        if question is not None and self.rng.random() < 0.7:
            choice: Any = self.rng.choice(question.choices).value
            if question.kind == "review" and self.rng.random() < 0.5:
                choice = self.told()
            self.apply("answer", {"question": question.id_for(self.state.waiting[0].entry), "choice": choice})
        elif self.state.phase in ("placing", "round_over"):
            self.apply("round_started", {"begins": self.rng.choice(["red", "green"]), "pucks": self.pucks()})
        elif self.rng.random() < 0.4:
            did = self.rng.choice(["puck_removed", "puck_placed", "puck_moved"])
            self.apply("hand", {"did": did, "t": 0.0, **self.puck(self.rng.choice(IDS))})
        elif self.rng.random() < 0.1:
            self.apply("shot_by_hand", self.told())
        else:
            self.apply("shot", self.shot())

    def settle(self) -> None:
        """Players answer whatever is open, each question once, with its first answer."""
        for _ in range(500):
            question = self.state.question
            if question is None:
                return
            before = self.state
            number = question.id_for(self.state.waiting[0].entry)
            self.apply("answer", {"question": number, "choice": question.choices[0].value})
            assert self.state is not before, f"{question.kind}: the answer was not taken"
        raise AssertionError("questions without end")


@pytest.mark.parametrize("seed", range(40))
def test_a_match_goes_on_whatever_is_seen_and_answered(seed: int) -> None:
    confusion = Confusion(seed)
    for _ in range(STEPS):
        confusion.step()
        assert json.loads(json.dumps(paleo.GAME.view(confusion.state))) == paleo.GAME.view(confusion.state)
    confusion.settle()
    assert confusion.state.question is None


@pytest.mark.parametrize("seed", range(10))
def test_sixteen_pawns_remain_sixteen(seed: int) -> None:
    confusion = Confusion(1000 + seed)
    for _ in range(STEPS):
        confusion.step()
        for team in BOARD.teams:
            assert len(confusion.state.on_board(team.name)) + len(confusion.state.captured(team.name)) == 8
