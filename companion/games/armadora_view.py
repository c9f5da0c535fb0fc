"""What screens show of Armadöra: territories, palisades, and only those values that the viewer may know."""

from __future__ import annotations

from typing import Any

from companion.games.armadora_board import COLUMNS, ROWS, SQUARE_NAMES, edges_laid, names_in, territories
from companion.games.armadora_score import a8_outcome, a8_piles, a8_territory
from companion.games.armadora_state import ArmadoraState, Warrior
from companion.games.base import Action, Json, but_secrets
from companion.games.fast import replace

SECRET = {"warrior": ("value",)}  # fields that only the acting seat may read


def view(state: ArmadoraState) -> Json:
    """A4, A8: the table as everybody may see it."""
    return _view(state, None)


def view_for(state: ArmadoraState, seat: str) -> Json:
    """A5, A13: the same with what this seat alone may know: its stock, its own values, what its Mage has seen."""
    body = _view(state, state.seats.index(seat) if seat in state.seats else None)
    return {**body, "seat": seat}


def told(action: Action, seat: str | None) -> Json:
    """A5: an action's data for the stream; a face-down Warrior's value goes to its owner only."""
    return but_secrets(action, seat, SECRET)


def reveals(action: Action) -> frozenset[str]:
    """A8, A13: a Mage's look shows a value that was hidden; the last pass of a match turns all over."""
    if action.type == "pass":
        return frozenset({"pass"})
    return frozenset({str(action.data.get("square"))}) if action.type == "look" else frozenset()


def known_to(state: ArmadoraState, square: int, warrior: Warrior, seat: int | None) -> bool:
    """A5, A8, A13, A14: whether a viewer may know a Warrior's value."""
    if state.phase in ("revealing", "over") or warrior.face_up:  # what is not turned over yet has no value then
        return True
    if seat is None:
        return False
    own = warrior.seat == seat and state.options["own_values"] == "visible"
    return own or bool(state.looked[seat] >> square & 1)


def _view(state: ArmadoraState, seat: int | None) -> Json:
    outcome = a8_outcome(state)
    return {
        "game": "armadora",
        "match": state.match,
        "phase": {"playing": "playing", "revealing": "revealing", "over": "match_over"}[state.phase],
        "round": state.turns,
        "paused": False,
        "turn": state.seats[state.turn] if state.phase == "playing" else None,
        "palisade_laid": bool(state.laid),
        "power_used": state.power_used,
        "players": [_player(state, n, seat) for n in range(len(state.seats))],
        "board": {"columns": COLUMNS, "rows": ROWS},
        "mines": {SQUARE_NAMES[square]: pile for square, pile in state.gold.items()},
        "palisades": edges_laid(state.east, state.south),
        "palisades_left": state.palisades,
        "warriors": {
            SQUARE_NAMES[s]: _warrior(state, s, w, seat) for s, w in sorted(state.warriors.items())
        },
        "territories": [_territory(state, t, seat) for t in territories(state.east, state.south)],
        "options": dict(state.options),
        "pucks": [], "doors": [], "todo": [], "question": None, "rounds": [],
        "winner": outcome.winner if outcome else None,
        "winners": list(outcome.winners) if outcome else [],
        "reason": outcome.reason.to_json() if outcome else None,
        "last": state.log[-1].text.to_json() if state.log else None,
        "log": [line.to_json() for line in state.log],
    }  # fmt: skip


def _player(state: ArmadoraState, n: int, seat: int | None) -> Json:
    piles = a8_piles(state)[state.side(n)] if state.phase == "over" else []
    body: dict[str, Any] = {
        "team": state.seats[n],
        "name": state.names[n],
        "character": state.characters[n],
        "points": sum(piles),
        "piles": piles,
        "partner": state.seats[(n + 2) % 4] if len(state.seats) == 4 else None,
        "warriors_left": state.unplaced(n),
        "powers": state.powers[n],
        "passed": bool(state.passed >> n & 1),
    }
    if n == seat or state.phase == "over":
        body["stock"] = list(state.stock[n])
    if n == seat or not state.advanced or state.phase == "over":
        body["reinforcement"] = bool(state.reinforcements[n])
    return body


def _warrior(state: ArmadoraState, square: int, warrior: Warrior, seat: int | None) -> Json:
    known = known_to(state, square, warrior, seat)
    return {
        "team": state.seats[warrior.seat],
        "value": warrior.value if known and warrior.value else None,
        "face_up": warrior.face_up,
        "arrows": warrior.arrows,
        "reinforced": warrior.reinforced,
    }


def _territory(state: ArmadoraState, squares: int, seat: int | None) -> Json:
    inside = {s: w for s, w in state.warriors.items() if squares >> s & 1}
    known = all(w.value and known_to(state, s, w, seat) for s, w in inside.items())
    free = squares.bit_count() - len(inside) - sum(1 for mine in state.gold if squares >> mine & 1)
    account = a8_territory(replace(state, warriors=inside) if not known else state, squares) if known else None
    return {
        "squares": names_in(squares),
        "gold": sum(pile for mine, pile in state.gold.items() if squares >> mine & 1),
        "free": free,
        "points": {_side(state, k): v for k, v in account.points.items()} if account else None,
        "shares": {_side(state, k): v for k, v in account.shares.items()} if account else None,
        "left": account.left if account else None,
        "how": account.how if account else "hidden",
    }


def _side(state: ArmadoraState, side: int) -> str:
    return "+".join(seat for n, seat in enumerate(state.seats) if state.side(n) == side)
