"""Sacrifice's kills (S6-S8, S11, S13, S14, S16, S25): who dies for whom, and the choices that this forces."""

from __future__ import annotations

from companion.games.base import IllegalMove, Json
from companion.games.fast import replace
from companion.games.sacrifice_state import DEAD, Pending, SacrificeState, moved_to
from companion.games.setup import logged


def s13_asked(before: SacrificeState, attacker: str, victim: str, attack: Json) -> SacrificeState | None:
    """S13, S14: the immortal's owner is asked before it dies, except against a fanatic, and only where somebody else
    could die for it. before: as it stood before the attacker moved; attack: that move. None where nobody is asked."""
    killer, killed = before.pieces[attacker], before.pieces[victim]
    if killed.kind != "immortal" or killer.kind == "fanatic":
        return None
    if not [n for n in before.within_reach(killed.side) if n != victim]:
        return None
    side = killed.side
    return replace(before, pending=Pending("immortal", side, side, ("accept", "cancel"), attacker, victim, attack))


def s7_killed(state: SacrificeState, attacker: str, victim: str) -> SacrificeState:
    """S7, S11, S14: the victim goes to its graveyard and its killer's side gives up one character at once."""
    killer, killed = state.pieces[attacker], state.pieces[victim]
    state = moved_to(state, victim, DEAD)
    state = replace(state, log=logged(state.log, 0, f"{attacker} kills {victim}.", f"{attacker} tue {victim}.", "S6"))
    if killer.kind == "fanatic":
        return _given_up(state, attacker, "S14")
    if killer.kind == "taker":
        return _asked(state, "sacrifice", killer.side, killer.side, tuple(state.within_reach(killer.side)), "S11")
    return s7_sacrifice(state, killer.side, killed.kind)


def s7_sacrifice(state: SacrificeState, side: int, kind: str) -> SacrificeState:
    """S7, S8, S16: an identical character or a martyr is given up; where there is none, the opponent chooses."""
    reach = state.within_reach(side)
    choices = tuple(n for n in reach if state.pieces[n].kind in (kind, "martyr"))
    if choices:
        return _asked(state, "sacrifice", side, side, choices, "S7")
    return _asked(state, "imposed", 1 - side, side, tuple(reach), "S8")


def _asked(state: SacrificeState, kind: str, side: int, of: int, choices: tuple[str, ...], rule: str) -> SacrificeState:
    if len(choices) == 1:
        return _given_up(state, choices[0], rule)
    return replace(state, pending=Pending(kind, side, of, choices))


def _given_up(state: SacrificeState, name: str, rule: str) -> SacrificeState:
    log = logged(state.log, 0, f"{name} is sacrificed.", f"{name} est sacrifié.", rule)
    return replace(moved_to(state, name, DEAD), log=log, pending=None)


def s13_cancelled(state: SacrificeState) -> SacrificeState:
    """S13: the fight is cancelled: the attacker is back with its points, and the owner lets another of its own die,
    for which the attacker's side makes the same sacrifice."""
    pending = state.pending
    assert pending is not None
    others = tuple(n for n in state.within_reach(pending.side) if n != pending.victim)
    log = logged(state.log, 0, f"{pending.victim} cancels the fight.", f"{pending.victim} annule le combat.", "S13")
    return replace(state, log=log, pending=Pending("kill_own", pending.side, pending.side, others))


def s8_choose(state: SacrificeState, side: int, name: str) -> SacrificeState:
    """S7, S8, S11, S13: the character that somebody had to choose dies.

    Raises IllegalMove where none is to be chosen, another side chooses, or the character is none of those asked for.
    """
    pending = state.pending
    if pending is None or pending.kind == "immortal":
        raise IllegalMove("no character is to be chosen", "S7")
    if side != pending.side:
        raise IllegalMove("{seat} chooses, not {other}", "S8", seat=state.seats[pending.side], other=state.seats[side])
    if name not in pending.choices:
        raise IllegalMove(
            "{name} cannot be chosen; expected one of {expected}", "S7", name=name, expected=", ".join(pending.choices)
        )
    if pending.kind == "kill_own":
        kind = state.pieces[name].kind
        log = logged(state.log, 0, f"{name} dies instead.", f"{name} meurt à sa place.", "S13")
        state = replace(moved_to(state, name, DEAD), log=log, pending=None)
        return s7_sacrifice(state, 1 - side, kind)
    return _given_up(state, name, "S7")


def s12_revivable(state: SacrificeState, side: int) -> list[str]:
    """S12: whom a side's emissary could bring back: its dead, while the emissary stands on the board."""
    emissary = emissary_of(state, side)
    if emissary is None:
        return []
    return [n for n, p in state.pieces.items() if p.side == side and p.square == DEAD]


def emissary_of(state: SacrificeState, side: int) -> str | None:
    """The side's emissary, while it is on the board."""
    for name in state.alive(side):
        if state.pieces[name].kind == "emissary":
            return name
    return None


def s12_revive(state: SacrificeState, side: int, name: str) -> SacrificeState:
    """S12: the emissary goes to the graveyard, and a dead character of its side takes its square.

    Raises IllegalMove where the side has no emissary on the board, or no such dead character.
    """
    emissary = emissary_of(state, side)
    if emissary is None:
        raise IllegalMove("{seat} has no emissary on the board", "S12", seat=state.seats[side])
    if name not in s12_revivable(state, side):
        raise IllegalMove("{name} is no dead character of {seat}", "S12", name=name, seat=state.seats[side])
    square = state.pieces[emissary].square
    state = moved_to(moved_to(state, emissary, DEAD), name, square)
    who = state.names[side]
    return replace(state, log=logged(state.log, 0, f"{who}: {name} is back.", f"{who} : {name} est de retour.", "S12"))
