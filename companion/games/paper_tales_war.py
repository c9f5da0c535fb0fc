"""Paper Tales' third and fourth phases (T7, T8, T14, T16, T19): wars with the neighbours, then the income."""

from __future__ import annotations

from companion.games.fast import replace
from companion.games.paper_tales_realm import (
    gold_per_war_won,
    income,
    points_per_war_won,
    t7_force,
    war_points,
)
from companion.games.paper_tales_state import Kingdom, PaperTalesState, fresh_phase, gained
from companion.games.setup import logged

WON = 3  # T7: points for a war won or tied


def t7_wars(state: PaperTalesState) -> PaperTalesState:
    """T7: every kingdom against its neighbours, all at once, with forces as they are when the phase begins."""
    forces = tuple(t7_force(k) for k in state.kingdoms)
    kingdoms = tuple(_after_war(state, n, forces) for n in range(len(state.seats)))
    told = ", ".join(f"{name} {force}" for name, force in zip(state.names, forces, strict=True))
    log = logged(state.log, 0, f"War: {told}.", f"Guerre : {told}.", "T7")
    return fresh_phase(replace(state, kingdoms=kingdoms, strengths=forces, log=log), "war")


def t7_neighbours(count: int, n: int) -> tuple[int, ...]:
    """T7: the seats to the left and to the right; at two players the one opponent."""
    return ((n + 1) % count,) if count == 2 else ((n + 1) % count, (n - 1) % count)


def t14_double(state: PaperTalesState, own: int, other: int) -> bool:
    """T7, T14: whether a force at two players counts as two victories."""
    return own > 0 and (own >= 2 * other if state.options["double_strength"] == "at_least" else own == 2 * other)


def _after_war(state: PaperTalesState, n: int, forces: tuple[int, ...]) -> Kingdom:
    """T7, T19: one kingdom's points and gold of the war, each with its reason."""
    kingdom, count = state.kingdoms[n], len(state.seats)
    before, round = kingdom, state.round
    effects = 0
    for other in t7_neighbours(count, n):
        if forces[n] < forces[other]:
            continue
        double = count == 2 and t14_double(state, forces[n], forces[other])
        kingdom = gained(kingdom, round, "war", f"war:{state.seats[other]}", 2 * WON if double else WON)
        if forces[n] > forces[other] or state.options["tie_is_won"] == "yes":
            effects += 2 if double and state.options["double_victory_effects"] == "twice" else 1
    for card, points in points_per_war_won(before):
        kingdom = gained(kingdom, round, "war", card, points * effects)
    for building, points in war_points(before):
        kingdom = gained(kingdom, round, "war", building, points)
    return replace(kingdom, gold=kingdom.gold + effects * gold_per_war_won(before))


def t8_incomes(state: PaperTalesState) -> PaperTalesState:
    """T8: two gold for everybody, and what buildings and units bring."""
    gains = [income(k) for k in state.kingdoms]
    kingdoms = tuple(replace(k, gold=k.gold + gain) for k, gain in zip(state.kingdoms, gains, strict=True))
    told = ", ".join(f"{name} +{gain}" for name, gain in zip(state.names, gains, strict=True))
    log = logged(state.log, 0, f"Income: {told} gold.", f"Revenu : {told} or.", "T8")
    return fresh_phase(replace(state, kingdoms=kingdoms, log=log), "income")
