"""Armadöra's end (A8-A10, A16): what each territory gives to whom, the piles, and who has won."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.armadora_board import territories
from companion.games.armadora_state import ArmadoraState, Warrior
from companion.games.base import Outcome, Text


@dataclass(frozen=True, slots=True)
class Territory:
    """One territory's account. points: by side with a Warrior in it; shares: gold by side; left: gold for nobody."""

    squares: int
    gold: int
    points: dict[int, int]
    shares: dict[int, int]
    left: int
    how: str  # "empty", "most", "tie", "reinforced", "last_passed"


def a20_worth(state: ArmadoraState, warrior: Warrior) -> int:
    """A15, A16, A20: a Warrior's value at the end, less its arrows, plus its reinforcement, not under 0 by default."""
    worth = warrior.value - warrior.arrows + warrior.reinforced
    return max(worth, 0) if state.options["least_value"] == "zero" else worth


def a8_territory(state: ArmadoraState, squares: int) -> Territory:
    """A8, A10, A16: the side with most points takes a territory's gold; equals share it, the rest is for nobody."""
    gold = sum(pile for mine, pile in state.gold.items() if squares >> mine & 1)
    points: dict[int, int] = {}
    reinforced: set[int] = set()
    for square, warrior in state.warriors.items():
        if squares >> square & 1:
            side = state.side(warrior.seat)
            points[side] = points.get(side, 0) + a20_worth(state, warrior)
            if warrior.reinforced:
                reinforced.add(side)
    if not points:
        return _a19_empty(state, squares, gold)
    most = max(points.values())
    tied = [side for side in sorted(points) if points[side] == most]
    how = "most" if len(tied) == 1 else "tie"
    if how == "tie" and len(reinforced & set(tied)) == 1:  # A16: the tied player who reinforced takes all
        tied, how = sorted(reinforced & set(tied)), "reinforced"
    share = gold // len(tied)
    return Territory(squares, gold, points, dict.fromkeys(tied, share), gold - share * len(tied), how)


def _a19_empty(state: ArmadoraState, squares: int, gold: int) -> Territory:
    """A19: a territory without Warriors: its gold is for nobody, or for the last to have passed where agreed."""
    if state.options["gold_without_warriors"] == "left_player" and state.last_passed >= 0:
        return Territory(squares, gold, {}, {state.side(state.last_passed): gold}, 0, "last_passed")
    return Territory(squares, gold, {}, {}, gold, "empty")


def a8_account(state: ArmadoraState) -> list[Territory]:
    """A8: every territory's account, in the order of the board."""
    return [a8_territory(state, squares) for squares in territories(state.east, state.south)]


def a8_piles(state: ArmadoraState) -> dict[int, list[int]]:
    """A8, A10: each side's winnings as separate piles, the highest first."""
    piles: dict[int, list[int]] = {state.side(seat): [] for seat in range(len(state.seats))}
    for territory in a8_account(state):
        for side, share in territory.shares.items():
            if share:
                piles[side].append(share)
    return {side: sorted(won, reverse=True) for side, won in piles.items()}


def a9_winners(piles: dict[int, list[int]]) -> list[int]:
    """A8, A9: most gold; then the higher pile, level by level, whoever is lower being out. Equal to the last: all."""
    most = max(sum(won) for won in piles.values())
    left = [side for side in sorted(piles) if sum(piles[side]) == most]
    longest = max(len(piles[side]) for side in left)
    for level in range(longest):
        heights = {side: (piles[side][level] if level < len(piles[side]) else 0) for side in left}
        highest = max(heights.values())
        left = [side for side in left if heights[side] == highest]
    return left


def a8_outcome(state: ArmadoraState) -> Outcome | None:
    """A8, A9, A10, A18: who has won, once all Warriors are known; None before."""
    if state.phase != "over":
        return None
    piles = a8_piles(state)
    gold = {seat: sum(piles[state.side(n)]) for n, seat in enumerate(state.seats)}
    sides = a9_winners(piles)
    if len(sides) > 1 and state.options["full_tie"] == "nobody":
        equal = Text("Equal to the last pile: nobody wins.", "Égalité parfaite : personne ne gagne.")
        return Outcome(None, equal, gold)
    winners = tuple(seat for n, seat in enumerate(state.seats) if state.side(n) in sides)
    names = " & ".join(state.names[state.seats.index(seat)] for seat in winners)
    best = max(gold.values())
    shared = len(sides) > 1
    has, a = ("has", "a") if len(winners) == 1 else ("have", "ont")  # partners are two
    reason = Text(
        f"{names}: equal to the last pile with {best} gold." if shared else f"{names} {has} the most: {best} gold.",
        f"{names} : égalité parfaite avec {best} or." if shared else f"{names} {a} le plus d’or : {best}.",
    )
    if not shared and sum(1 for s in piles if sum(piles[s]) == best) > 1:
        reason = Text(
            f"{names} {has} the higher piles at {best} gold each (rule A9).",
            f"{names} {a} les tas les plus hauts, à {best} or chacun (règle A9).",
        )
    return Outcome(None if shared else "+".join(winners), reason, gold, winners)
