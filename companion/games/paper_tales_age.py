"""Paper Tales' sixth phase and end (T10, T11, T16, T17): who dies, who ages, and who has won."""

from __future__ import annotations

from companion.games.base import Action, IllegalMove, Outcome, Text, counted
from companion.games.fast import replace
from companion.games.paper_tales_cards import POINTS
from companion.games.paper_tales_deploy import aged
from companion.games.paper_tales_realm import kind
from companion.games.paper_tales_state import (
    ROUNDS,
    Kingdom,
    PaperTalesState,
    Unit,
    fresh_phase,
    gained,
    t5_deal,
    with_kingdom,
)
from companion.games.setup import known_fields, word


def t10_dies(unit: Unit) -> bool:
    """T10, T16: whether a unit dies of its age; the Salamander only at two, the Relic never."""
    return unit.age >= {"salamander": 2, "relic_of_wisdom": 1000}.get(kind(unit), 1)


def savable(kingdom: Kingdom) -> list[str]:
    """T16: units that a Mystical Healer can save: dying, with a single age token, not saved yet."""
    return [u.card for u in kingdom.units if u.age == 1 and t10_dies(u) and u.card not in kingdom.saved]


def t10_begin(state: PaperTalesState) -> PaperTalesState:
    """T10: the phase begins; Healers whose kingdom has somebody to save are waited for."""
    state = fresh_phase(state, "age")
    kingdoms = []
    for kingdom in state.kingdoms:
        healers = tuple(u.card for u in kingdom.units if kind(u) == "mystical_healer")
        kingdoms.append(replace(kingdom, pending=healers if savable(kingdom) else (), saved=()))
    return replace(state, kingdoms=tuple(kingdoms))


def t10_save(state: PaperTalesState, action: Action, n: int) -> PaperTalesState:
    """T10, T16: a Mystical Healer saves one unit with a single age token, or nobody (target null).

    Raises IllegalMove where no such Healer is waited for, or the unit is none that it can save.
    """
    known_fields(action, "card", "target")
    kingdom = state.kingdoms[n]
    card = word(action, "card")
    if card not in kingdom.pending:
        raise IllegalMove("{card} is no Healer of {seat} that is waited for", "T16", card=card, seat=state.seats[n])
    target = action.data.get("target")
    if target is not None and target not in savable(kingdom):
        raise IllegalMove("{target} is no dying unit with a single age token", "T16", target=target)
    saved = (*kingdom.saved, *((str(target),) if target is not None else ()))
    kingdom = replace(kingdom, pending=tuple(c for c in kingdom.pending if c != card), saved=saved)
    if not savable(kingdom):
        kingdom = replace(kingdom, pending=())
    return with_kingdom(state, n, kingdom)


def t10_ageing(state: PaperTalesState) -> PaperTalesState:
    """T10: the dying are discarded with their effects, then everybody left gets an age token; the round is over."""
    for n, kingdom in enumerate(state.kingdoms):
        dying = [u for u in kingdom.units if t10_dies(u) and u.card not in kingdom.saved]
        kingdom = _deaths(kingdom, state.round, dying)
        gone = {u.card for u in dying}
        kingdom = replace(kingdom, units=tuple(u for u in kingdom.units if u.card not in gone), saved=())
        kingdom = aged(kingdom, {u.card for u in kingdom.units})
        state = with_kingdom(state, n, kingdom)
        state = replace(state, discard=(*state.discard, *(u.card for u in dying)))
    if state.round == ROUNDS:
        return t11_end(state)
    return t5_deal(fresh_phase(replace(state, round=state.round + 1), "recruit"))


def _deaths(kingdom: Kingdom, round: int, dying: list[Unit]) -> Kingdom:
    """T16: what dying units give or take, and what Palm Readers and the Kraken see in it."""
    ages = sum(u.age for u in dying)
    for unit in kingdom.units:
        if kind(unit) in ("palm_reader", "kraken"):
            kingdom = gained(kingdom, round, "age", unit.card, ages)
    for unit in dying:
        name = kind(unit)
        if name == "monkey":
            kingdom = replace(kingdom, gold=kingdom.gold + unit.age)
        elif name == "sculptor":
            kingdom = gained(kingdom, round, "age", unit.card, 3)
        elif name == "demon" and unit.age == 1:
            kingdom = gained(kingdom, round, "age", unit.card, -3)
    return kingdom


def t11_end(state: PaperTalesState) -> PaperTalesState:
    """T11, T16: the points of buildings, and of the Relic of Wisdom, are added; the match is over."""
    for n, kingdom in enumerate(state.kingdoms):
        for unit in kingdom.units:
            if kind(unit) == "relic_of_wisdom":
                kingdom = gained(kingdom, state.round, "end", unit.card, 2 * unit.age)
        for building, level in kingdom.buildings.items():
            kingdom = gained(kingdom, state.round, "end", building, POINTS[level])
        state = with_kingdom(state, n, kingdom)
    return fresh_phase(state, "over")


def t11_outcome(state: PaperTalesState) -> Outcome | None:
    """T11, T17: most points, then most gold, then a shared victory; None while the match goes on."""
    if state.phase != "over":
        return None
    points = {seat: k.score for seat, k in zip(state.seats, state.kingdoms, strict=True)}
    best = max((k.score, k.gold) for k in state.kingdoms)
    first = [n for n, k in enumerate(state.kingdoms) if (k.score, k.gold) == best]
    names = " & ".join(state.names[n] for n in first)
    by_gold = sum(1 for k in state.kingdoms if k.score == best[0]) > len(first)
    more = Text(f" and the most gold ({best[1]})", f" et le plus d’or ({best[1]})") if by_gold else Text("", "")
    most = counted(best[0], ("point", "points"), ("point", "points"))
    reason = Text(f"{names}: {most.en}{more.en}.", f"{names} : {most.fr}{more.fr}.")
    if len(first) > 1 and state.options["tie_after_gold"] == "nobody":
        equal = Text("Equal in points and gold: nobody wins.", "Égalité de points et d’or : personne ne gagne.")
        return Outcome(None, equal, points)
    winners = tuple(state.seats[n] for n in first)
    return Outcome(winners[0] if len(winners) == 1 else None, reason, points, winners)
