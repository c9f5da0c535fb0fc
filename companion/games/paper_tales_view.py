"""What screens show of Paper Tales: open kingdoms to all, hands, packets and plans only to their owner."""

from __future__ import annotations

from companion.games.base import Action, Json, but_secrets
from companion.games.paper_tales_age import savable, t11_outcome
from companion.games.paper_tales_build import t9_price
from companion.games.paper_tales_cards import BUILDINGS, TYPE_OF, UNITS, UnitType
from companion.games.paper_tales_deploy import t6_spots
from companion.games.paper_tales_realm import income, income_parts, resources, strength, t7_force
from companion.games.paper_tales_recruit import t5_direction
from companion.games.paper_tales_state import Kingdom, PaperTalesState, Unit

SECRET = {"keep": ("card", "discard"), "deploy": ("front", "back", "keep")}  # fields that only the acting seat may read


def view(state: PaperTalesState) -> Json:
    """T4: the table as everybody may see it."""
    return _view(state, None)


def view_for(state: PaperTalesState, seat: str) -> Json:
    """T5, T6: the same with this seat's own cards."""
    return {**_view(state, seat), "seat": seat}


def told(action: Action, seat: str | None) -> Json:
    """T5, T6: an action's data for the stream; what is drafted or laid face down goes to its owner only."""
    return but_secrets(action, seat, SECRET)


def reveals(action: Action) -> frozenset[str]:
    """T5, T6, T16: a Shapeshifter that is laid turns over the pile's next cards; of a draft told otherwise what falls
    away would tell which of the cards passed on were taken."""
    if action.type == "keep":
        return frozenset(f"{name} {action.data.get(name)}" for name in ("card", "discard"))
    rows = [action.data.get(name) for name in ("front", "back")]
    cards = [card for row in rows if isinstance(row, list | tuple) for card in row]
    return frozenset(str(c) for c in cards if str(c).startswith("shapeshifter"))


def card_json(card: str) -> Json:
    """A card as screens draw it."""
    return {"card": card, **_type_json(TYPE_OF[card])}


def _type_json(unit: UnitType) -> Json:
    return {
        "type": unit.key, "name": unit.name.to_json(), "cost": unit.cost, "strength": unit.strength,
        "text": unit.text.to_json(),
    }  # fmt: skip


def _view(state: PaperTalesState, seat: str | None) -> Json:
    outcome = t11_outcome(state)
    return {
        "game": "paper_tales",
        "match": 1,
        "phase": "match_over" if state.phase == "over" else state.phase,
        "round": state.round,
        "paused": False,
        "turn": None,
        "direction": "left" if t5_direction(state.round) == 1 else "right",
        "players": [_player(state, n, seat) for n in range(len(state.seats))],
        "cards_in_pile": len(state.pile),
        "strengths": dict(zip(state.seats, state.strengths, strict=False)),
        "buildings": [
            {"building": key, "name": b.name.to_json(), "text": b.text.to_json()} for key, b in BUILDINGS.items()
        ],
        "options": dict(state.options),
        "pucks": [], "doors": [], "todo": [], "question": None, "rounds": [],
        "winner": outcome.winner if outcome else None,
        "winners": list(outcome.winners) if outcome else [],
        "reason": outcome.reason.to_json() if outcome else None,
        "last": state.log[-1].text.to_json() if state.log else None,
        "log": [line.to_json() for line in state.log],
    }  # fmt: skip


def _player(state: PaperTalesState, n: int, seat: str | None) -> Json:
    kingdom = state.kingdoms[n]
    body: Json = {
        "team": state.seats[n],
        "name": state.names[n],
        "points": kingdom.score,
        "gold": kingdom.gold,
        "ready": kingdom.done or bool(kingdom.choice),
        "cards": len(kingdom.chosen) + len(kingdom.hand) + len(kingdom.packet) + bool(kingdom.kept),
        "units": [_unit(kingdom, u) for u in kingdom.units],
        "buildings": dict(kingdom.buildings),
        "spots": dict(zip(("front", "back", "all"), t6_spots(state, kingdom), strict=True)),
        "resources": resources(kingdom),
        "force": t7_force(kingdom),
        "income": income(kingdom),
        "income_parts": [{"why": why, "gold": gold} for why, gold in income_parts(kingdom)],
        "pending": list(kingdom.pending),
        "gains": [{"round": g.round, "phase": g.phase, "why": g.why, "points": g.points} for g in kingdom.gains],
    }
    if state.seats[n] == seat:
        body["own"] = _own(state, kingdom)
    return body


def _unit(kingdom: Kingdom, unit: Unit) -> Json:
    return {**card_json(unit.card), "age": unit.age, "front": unit.front, "strength_now": strength(kingdom, unit)}


def _pack() -> list[Json]:
    """T16: every type of card of the table's own pack, of which players name what they hold, and how many there are."""
    return [{**_type_json(unit), "copies": unit.copies} for unit in UNITS.values()]


def _own(state: PaperTalesState, kingdom: Kingdom) -> Json:
    plan = kingdom.plan
    return {
        "packet": [card_json(c) for c in kingdom.packet],
        "chosen": [card_json(c) for c in (*kingdom.chosen, *kingdom.choice[:1])],
        "choice": dict(zip(("card", "discard"), kingdom.choice, strict=False)) or None,
        "hand": [card_json(c) for c in kingdom.hand],
        "kept": card_json(kingdom.kept) if kingdom.kept else None,
        "pack": [] if state.dealt or state.phase != "deploy" else _pack(),
        "plan": {"front": list(plan.front), "back": list(plan.back), "keep": plan.keep} if plan else None,
        "savable": savable(kingdom) if state.phase == "age" else [],
        "prices": {f"{b}-{level}": t9_price(state, kingdom, b, level) for b in BUILDINGS for level in (1, 2)
                   if level > kingdom.buildings.get(b, 0)},
    }  # fmt: skip
