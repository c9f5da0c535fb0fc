"""The real referee and the small second one judge the same random shots alike, whole matches long."""

from __future__ import annotations

import random
from typing import Any

import pytest

from calibration.board import default_board_path
from companion.games import paleo
from tests.companion.paleo_table import BOARD, CENTRE, PaleoTable
from tests.referee import Referee

DOORS = [d.name for d in BOARD.doors]
OPEN = [(x, y) for x in (230.0, 420.0) for y in (120.0, 230.0, 420.0, 530.0)]


def random_truth(rng: random.Random, table: PaleoTable, side: str) -> dict[str, Any]:
    """What may happen in a shot by `side`, in the form of a recording's truth; richer in events than real play."""
    mine = [k for k in table.state.on_board(side) if k in table.places]
    enemies = [k for k in table.state.on_board("green" if side == "red" else "red") if k in table.places]
    played, clock = rng.choice(mine), 0.0
    contacts, crossings, exits = [], [], []
    hit = rng.sample(enemies, min(len(enemies), rng.choice([0, 0, 1, 1, 2, 3])))
    for other in hit:
        clock += rng.choice([0.001, 0.05, 0.2])
        contacts.append({"t": clock, "a": played, "b": other, "slide": 20.0, "at": [0, 0]})
    if hit and rng.random() < 0.3:
        clock += 0.1
        chained = rng.choice([k for k in (*mine, *enemies) if k not in (played, hit[0])] or [hit[0]])
        if chained != hit[0]:
            contacts.append({"t": clock, "a": hit[0], "b": chained, "slide": 9.0, "at": [0, 0]})
    for pawn in (played, *hit):
        if rng.random() < 0.3:
            when = clock + rng.random()
            crossings.append({"t": when, "puck": pawn, "door": rng.choice(DOORS), "direction": "in"})
            if rng.random() < 0.5:
                crossings.append({"t": when + 0.05, "puck": pawn, "door": crossings[-1]["door"], "direction": "out"})
    for pawn in [played, *hit]:
        if rng.random() < 0.12:
            exits.append({"t": clock + 1.0 + rng.random(), "puck": pawn})
    start = {k: table.places[k] for k in table.places}
    gone = {e["puck"] for e in exits}
    end = {k: p for k, p in start.items() if k not in gone}
    for pawn in (played, *hit):
        if pawn in end:
            x, y = rng.choice(OPEN)
            end[pawn] = (x + rng.uniform(-30, 30), y + rng.uniform(-30, 30))
    on_gate = [k for k, p in end.items() if p == CENTRE]
    if played in end and not on_gate and rng.random() < 0.25:
        end[played] = CENTRE
        on_gate = [played]
    return {"puck": played, "t_start": 0.0, "t_end": clock + 3.0, "t_rest": clock + 2.9, "start": start, "end": end,
            "contacts": contacts, "crossings": crossings, "exits": exits, "on_gate": on_gate}  # fmt: skip


def account_of(table: PaleoTable, truth: dict[str, Any]) -> dict[str, Any]:
    """The truth as a camera that sees everything would tell it."""
    before = table.seen()
    table.places = dict(truth["end"])
    after = table.seen()

    def as_json(pucks: Any) -> list[dict[str, Any]]:
        return [{"puck": p.puck, "team": p.team, "number": p.number, "x_mm": p.x_mm, "y_mm": p.y_mm} for p in pucks]

    return {
        "shot": 1, "t_start": 0.0, "t_end": truth["t_rest"], "flicked": f"~{truth['puck']}",
        "touches": [{"t": c["t"], "puck": f"~{c['a']}", "other": f"~{c['b']}", "x_mm": 0, "y_mm": 0}
                    for c in truth["contacts"]],
        "doors_in": [{"t": c["t"], "puck": f"~{c['puck']}", "door": c["door"]}
                     for c in sorted(truth["crossings"], key=lambda c: float(c["t"])) if c["direction"] == "in"],
        "exits": [{"t": e["t"], "puck": f"~{e['puck']}"} for e in truth["exits"]], "passed": [],
        "before": as_json(before), "after": as_json(after), "on_gate": [f"~{k}" for k in truth["on_gate"]],
        "pushed": False, "needs_review": False, "reasons": [],
    }  # fmt: skip


def tidy(table: PaleoTable) -> None:
    """Hands do what is to do: captured pawns go, returned ones stand on free circles."""
    for job in paleo.GAME.view(table.state)["todo"]:
        key = job["puck"]
        if job["do"] == "remove":
            table.lift(key)
        else:
            if key in table.places:
                table.lift(key)
            free = [c for c in BOARD.team(job["team"]).start_circles if c not in table.places.values()]
            table.place(key, free[0])


@pytest.mark.parametrize("seed", range(30))
def test_both_referees_agree_on_captures_keys_turn_and_points(seed: int) -> None:
    rng = random.Random(seed)
    table, second = PaleoTable(), Referee(default_board_path())
    shots = 0
    while table.state.phase != "match_over" and shots < 400:
        table.set_up()
        begins = rng.choice(["red", "green"])
        table.start(begins)
        second.begin(begins)
        while table.state.phase == "playing" and shots < 400:
            assert table.state.turn is not None
            truth = random_truth(rng, table, table.state.turn)
            shots += 1
            table.apply("shot", **account_of(table, truth))
            chosen = {}
            while table.state.question is not None:
                question = table.state.question
                assert question.kind in ("exchange", "first_touched")
                chosen[question.about] = rng.choice(question.choices).value
                if question.kind == "first_touched":
                    chosen[question.about] = question.choices[0].value
                table.answer(chosen[question.about])
            second.shot(truth, chosen)
            assert table.state.points == second.points
            assert (table.state.phase != "playing") == second.over
            assert table.captured() == second.captured
            assert dict(table.state.keys) == second.keys
            if table.state.phase == "playing":
                assert table.state.turn == second.turn
                tidy(table)
    assert table.state.winner == second.winner
    assert shots < 400
