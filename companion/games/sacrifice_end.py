"""Sacrifice's end (S21-S23): three races in the enemy's elevation zone, or a draw that is proved or agreed."""

from __future__ import annotations

from itertools import combinations

from companion.games.base import Outcome, Text
from companion.games.fast import replace
from companion.games.sacrifice_state import CARRIERS, DEAD, Piece, SacrificeState
from companion.games.setup import logged

RACES_TO_WIN = frozenset({"mineral", "animal", "human"})


def elevated_races(state: SacrificeState, side: int) -> set[str]:
    """S21: the races that a side has brought up."""
    races = {p.race for p in state.pieces.values() if p.side == side and p.elevated}
    return races | {"mineral" for m in state.minerals.values() if m.side == side and m.elevated}


def s21_can_win(state: SacrificeState, side: int) -> bool:
    """S21, S22: whether a side could still bring three races up, as far as its pieces go.

    Each emissary on the board can bring back one dead character.
    """
    up = elevated_races(state, side)
    living = [state.pieces[n] for n in state.alive(side) if not state.pieces[n].elevated]
    dead = [p for p in state.pieces.values() if p.side == side and p.square == DEAD]
    needs = []
    if "human" not in up:
        needs.append({p.kind for p in state.pieces.values() if p.race == "human"})
    if "animal" not in up:
        needs.append({p.kind for p in state.pieces.values() if p.race == "animal"})
    if "mineral" not in up:
        if not any(m.side == side for m in state.minerals.values()):
            return False
        needs.append(set(CARRIERS))
    missing = [kinds for kinds in needs if not any(p.kind in kinds for p in living)]
    if not missing:
        return True
    emissaries = sum(p.kind == "emissary" for p in living)
    back = min(emissaries, len(dead), len(missing))
    return any(all(kinds & set(some) for kinds in missing) for some in combinations([p.kind for p in dead], back))


def s22_same_forces(before: SacrificeState, after: SacrificeState) -> bool:
    """S22: whether nobody has died, come back or gone up, so that neither side's chances have changed."""
    if before.minerals is not after.minerals or before.pending is not after.pending:
        return False
    pairs = zip(before.pieces.values(), after.pieces.values(), strict=True)
    return all(one is other or _alike(one, other) for one, other in pairs)


def _alike(one: Piece, other: Piece) -> bool:
    return one.elevated == other.elevated and (one.square == DEAD) == (other.square == DEAD)


def s21_after(state: SacrificeState, side: int) -> SacrificeState:
    """S21: the state with the end recognised: a win at once, or a draw as soon as neither side could ever win."""
    if state.result or state.pending is not None:
        return state
    if elevated_races(state, side) >= RACES_TO_WIN:
        who = state.names[side]
        log = logged(state.log, 0, f"{who} has three races elevated.", f"{who} a élevé trois races.", "S21")
        return replace(state, result="win", winner=side, log=log)
    if not s21_can_win(state, 0) and not s21_can_win(state, 1):
        log = logged(
            state.log, 0, "Neither side can bring three races up any more: a draw.",
            "Plus aucun camp ne peut élever trois races : égalité.", "S21",
        )  # fmt: skip
        return replace(state, result="draw_proved", log=log)
    return state


def s21_outcome(state: SacrificeState) -> Outcome | None:
    """S21: the winner with three races, or a draw even at two to none; None while the match goes on."""
    if not state.result:
        return None
    points = {seat: len(elevated_races(state, side)) for side, seat in enumerate(state.seats)}
    if state.result == "win":
        seat, name = state.seats[state.winner], state.names[state.winner]
        reason = Text(f"{name} has three races elevated.", f"{name} a élevé trois races.")
        return Outcome(seat, reason, points, (seat,))
    proved = Text("Neither side can win any more: a draw.", "Plus personne ne peut gagner : égalité.")
    agreed = Text("A draw, agreed by both.", "Égalité, acceptée par les deux.")
    return Outcome(None, proved if state.result == "draw_proved" else agreed, points, drawn=True)
