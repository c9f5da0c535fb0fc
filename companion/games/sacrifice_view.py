"""What screens show of Sacrifice: nothing is hidden; the board, points, graveyards, and what is waited for."""

from __future__ import annotations

from companion.games.base import Json
from companion.games.sacrifice_board import zone_of
from companion.games.sacrifice_end import elevated_races, s21_can_win, s21_outcome
from companion.games.sacrifice_state import DEAD, SacrificeState
from companion.games.sacrifice_walls import line_name

ASKS = {
    "immortal": ("The immortal is attacked: lose it, or cancel the fight?",
                 "L’immortel est attaqué : le perdre ou annuler le combat ?"),
    "kill_own": ("Which other character dies instead?", "Quel autre personnage meurt à sa place ?"),
    "sacrifice": ("Which character is sacrificed?", "Quel personnage est sacrifié ?"),
    "imposed": ("No identical character: which one must the opponent give up?",
                "Pas de personnage identique : lequel l’adversaire doit-il donner ?"),
}  # fmt: skip


def view(state: SacrificeState) -> Json:
    """S1-S9: the whole table."""
    outcome = s21_outcome(state)
    name = state.board.name
    return {
        "game": "sacrifice",
        "match": state.match,
        "phase": "match_over" if state.result else "playing",
        "round": state.turns // 2 + 1,
        "paused": False,
        "turn": None if state.result else state.seats[state.turn],
        "movement_points": state.points,
        "moved": state.moved,
        "players": [_player(state, side) for side in (0, 1)],
        "board": {
            "columns": state.board.columns,
            "rows": state.board.rows,
            "zones": {name(n): zone for n, zone in enumerate(zone_of(state.board))},
        },
        "pieces": [
            {"piece": n, "kind": p.kind, "race": p.race, "team": state.seats[p.side], "elevated": p.elevated,
             "square": name(p.square) if p.square != DEAD else None}
            for n, p in state.pieces.items()
        ],
        "minerals": [
            {"piece": n, "team": state.seats[m.side], "square": name(m.square), "elevated": m.elevated}
            for n, m in state.minerals.items()
        ],
        "walls": sorted(line_name(state, line) for line in state.walls),
        "question": _question(state),
        "options": dict(state.options),
        "pucks": [], "doors": [], "todo": [], "rounds": [],
        "winner": outcome.winner if outcome else None,
        "winners": list(outcome.winners) if outcome else [],
        "reason": outcome.reason.to_json() if outcome else None,
        "last": state.log[-1].text.to_json() if state.log else None,
        "log": [line.to_json() for line in state.log],
    }  # fmt: skip


def _player(state: SacrificeState, side: int) -> Json:
    races = sorted(elevated_races(state, side))
    return {
        "team": state.seats[side],
        "name": state.names[side],
        "points": len(races),
        "races": races,
        "walls_left": state.walls_left[side],
        "on_board": len(state.alive(side)),
        "graveyard": [n for n, p in state.pieces.items() if p.side == side and p.square == DEAD],
        "can_win": s21_can_win(state, side),
        "offers_draw": side in state.offers,
    }


def _question(state: SacrificeState) -> Json | None:
    pending = state.pending
    if pending is None:
        return None
    en, fr = ASKS[pending.kind]
    return {
        "id": f"{pending.kind}:{pending.attacker or state.turns}",
        "kind": pending.kind,
        "team": state.seats[pending.side],
        "text": {"en": en, "fr": fr},
        "choices": [{"value": c, "text": {"en": c, "fr": c}} for c in pending.choices],
        "seen": {"attacker": pending.attacker, "victim": pending.victim},
        "reasons": [],
    }
