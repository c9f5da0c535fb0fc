"""Armadöra's powers (A11-A15, A23): always first, one a turn, and followed by an ordinary action."""

from __future__ import annotations

from companion.games.armadora_board import SQUARE_NAMES, SQUARE_NUMBERS, territory_of
from companion.games.armadora_state import ArmadoraState
from companion.games.armadora_turns import complete, laid_extra, may_act, placed_face_up, square_in
from companion.games.base import Action, IllegalMove
from companion.games.fast import replace
from companion.games.setup import known_fields, logged

POWER_OF = {"look": "mage", "extra_warrior": "goblin", "extra_palisade": "orc", "arrow": "elf"}
RULE_OF = {"look": "A13", "extra_warrior": "A14", "extra_palisade": "A14", "arrow": "A15"}


def a12_power(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A12: a power is played first, once a turn, and an ordinary action must be left to follow it.

    Raises IllegalMove where the power is not this seat's, was played, comes late, or nothing ordinary could follow.
    """
    rule = RULE_OF[action.type]
    if not state.advanced:
        raise IllegalMove("powers belong to the advanced rules", "A11")
    if state.characters[seat] != POWER_OF[action.type]:
        raise IllegalMove(
            "{type} is the {character}'s power, not {seat}'s",
            rule,
            type=action.type,
            character=POWER_OF[action.type],
            seat=state.seats[seat],
        )
    if state.power_used or state.laid:
        raise IllegalMove("a power comes first in a turn, and only one of them", "A12")
    if not state.powers[seat]:
        raise IllegalMove("{seat} has no power left", rule, seat=state.seats[seat])
    played = _POWERS[action.type](state, action, seat)
    left = tuple(n - (s == seat) for s, n in enumerate(played.powers))
    who = state.names[seat]
    log = logged(played.log, action.id, f"{who} plays a power.", f"{who} joue un pouvoir.", "A12", rule)
    played = replace(played, powers=left, power_used=True, log=log)
    if not may_act(played, seat):
        raise IllegalMove("a power is followed by an ordinary action, and none would be left", "A12")
    return played


def a13_look(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A13: the Mage secretly looks at a placed enemy Warrior, never at a partner's.

    Raises IllegalMove where no such Warrior stands there.
    """
    known_fields(action, "square")
    square = _enemy(state, square_in(action), seat, "A13", partner_allowed=False)
    looked = tuple(bits | 1 << square if s == seat else bits for s, bits in enumerate(state.looked))
    return replace(state, looked=looked)


def a15_arrow(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A15, A23: an Elf's arrow takes 1 from an enemy Warrior of its own, incomplete territory.

    While no territory has been made the whole board is one, so that any Warrior can be hit from anywhere (A15). Raises
    IllegalMove where no enemy Warrior stands there, its territory is complete, or no Elf is in it.
    """
    known_fields(action, "square")
    square = _enemy(
        state, square_in(action), seat, "A15", partner_allowed=state.options["arrow_on_partner"] != "forbidden"
    )
    territory = territory_of(square, state.east, state.south)
    if complete(state, territory):
        raise IllegalMove("the territory of {square} is complete", "A15", square=SQUARE_NAMES[square])
    either = state.options["partners_warrior_counts_as_elf"] == "yes"
    present = any(
        w.seat == seat or (either and state.side(w.seat) == state.side(seat))
        for s, w in state.warriors.items()
        if territory >> s & 1
    )
    if not present:
        raise IllegalMove("no Elf stands in the territory of {square}", "A15", square=SQUARE_NAMES[square])
    warrior = state.warriors[square]
    return replace(state, warriors={**state.warriors, square: replace(warrior, arrows=warrior.arrows + 1)})


def _enemy(state: ArmadoraState, square: int, seat: int, rule: str, *, partner_allowed: bool) -> int:
    warrior = state.warriors.get(square)
    if warrior is None or warrior.seat == seat:
        raise IllegalMove("{square} holds no enemy Warrior", rule, square=SQUARE_NAMES[square])
    if state.side(warrior.seat) == state.side(seat) and not partner_allowed:
        raise IllegalMove(
            "the Warrior on {square} is a partner's", "A23" if rule == "A15" else rule, square=SQUARE_NAMES[square]
        )
    return square


def targets(state: ArmadoraState, seat: int, type: str) -> list[int]:
    """The squares of the Warriors that a look or an arrow may choose."""
    found = []
    for name, square in SQUARE_NUMBERS.items():
        if square in state.warriors:
            try:
                _POWERS[type](state, Action(type, {"seat": state.seats[seat], "square": name}), seat)
            except IllegalMove:
                continue
            found.append(square)
    return found


_POWERS = {"look": a13_look, "extra_warrior": placed_face_up, "extra_palisade": laid_extra, "arrow": a15_arrow}
