"""Armadöra's turns (A4-A7, A12-A17): each action as a function that gives the next state or says why not."""

from __future__ import annotations

from companion.games.armadora_board import (
    ALL,
    EDGES_BY_NAME,
    SQUARE_NAMES,
    SQUARE_NUMBERS,
    a6_edge_fits,
    any_edge_free,
    edge_bits,
    territory_of,
)
from companion.games.armadora_state import ArmadoraState, Warrior
from companion.games.base import Action, IllegalMove, MalformedAction, Text
from companion.games.fast import replace
from companion.games.setup import known_fields, logged, whole, word

BEST = 5  # the highest value of a Warrior


def square_in(action: Action) -> int:
    """The square that an action names. Raises MalformedAction."""
    name = word(action, "square")
    if name not in SQUARE_NUMBERS:
        raise MalformedAction("{type}: square: found {name!r}, expected a1 to h5", "A25", type=action.type, name=name)
    return SQUARE_NUMBERS[name]


def edge_in(action: Action) -> tuple[int, int]:
    """The line that an action names by its two squares. Raises MalformedAction."""
    name = word(action, "edge")
    if name not in EDGES_BY_NAME:
        raise MalformedAction(
            "{type}: edge: found {name!r}, expected two neighbours such as a1-b1", "A6", type=action.type, name=name
        )
    return EDGES_BY_NAME[name]


def occupied(state: ArmadoraState) -> int:
    """A5: the squares with a Warrior or a mine, as bits."""
    bits = 0
    for square in state.gold:
        bits |= 1 << square
    for square in state.warriors:
        bits |= 1 << square
    return bits


def complete(state: ArmadoraState, territory: int) -> bool:
    """A15, A16: whether all squares of a territory hold a Warrior or gold."""
    return not territory & ~occupied(state)


def may_act(state: ArmadoraState, seat: int) -> bool:
    """A7, A12: whether a seat could still play a Warrior, a palisade or its reinforcement."""
    if state.unplaced(seat) and occupied(state) != ALL:
        return True
    if state.palisades and any_edge_free(state.east, state.south):
        return True
    return bool(reinforceable(state, seat))


def reinforceable(state: ArmadoraState, seat: int) -> list[int]:
    """A16: the squares on which a seat may lay its reinforcement now."""
    if not state.reinforcements[seat]:
        return []
    found = []
    for square, warrior in state.warriors.items():
        if warrior.seat == seat:
            territory = territory_of(square, state.east, state.south)
            taken = any(w.reinforced for s, w in state.warriors.items() if territory >> s & 1)
            if not taken and complete(state, territory):
                found.append(square)
    return found


def end_turn(state: ArmadoraState) -> ArmadoraState:
    """A4, A7: the turn goes clockwise to the next who has not passed; when all have, the end begins."""
    count = len(state.seats)
    for step in range(1, count + 1):
        seat = (state.turn + step) % count
        if not state.passed >> seat & 1:
            return replace(state, turn=seat, laid=0, power_used=False, turns=state.turns + 1)
    hidden = any(not w.value for w in state.warriors.values())
    phase = "revealing" if hidden else "over"
    log = logged(state.log, 0, "All have passed: the game is over.", "Tous ont passé : la partie est finie.", "A7")
    return replace(state, phase=phase, laid=0, power_used=False, turns=state.turns + 1, log=log)


def _begin_main(state: ArmadoraState, action: Action) -> None:
    """A4: a second action in one turn is none; only the second palisade follows the first."""
    if state.laid:
        raise IllegalMove("{type}: a palisade is laid; lay the second one or end the turn", "A4", type=action.type)


def a5_warrior(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A4, A5: one Warrior, face down, on a square without Warrior and gold.

    Raises IllegalMove where the square is taken, or the seat has no such Warrior left.
    """
    known_fields(action, "square", "value")
    _begin_main(state, action)
    placed = _placed(state, action, seat, face_up=False)
    return end_turn(placed)


def _placed(state: ArmadoraState, action: Action, seat: int, *, face_up: bool) -> ArmadoraState:
    square = square_in(action)
    told = state.options["values"] == "phones" or face_up
    if not told and "value" in action.data:
        raise MalformedAction("warrior: the value is told when all are turned over, not now", "A5")
    value = whole(action, "value", 1, BEST) if told else 0
    if square in state.gold or square in state.warriors:
        what = Text("gold", "de l’or") if square in state.gold else Text("a Warrior", "un Guerrier")
        raise IllegalMove(
            "{square} holds {what}; a Warrior goes on a free square", "A5", square=SQUARE_NAMES[square], what=what
        )
    if value and not state.stock[seat][value - 1]:
        raise IllegalMove("{seat} has no Warrior of value {value} left", "A2", seat=state.seats[seat], value=value)
    if not state.unplaced(seat):
        raise IllegalMove("{seat} has no Warrior left", "A2", seat=state.seats[seat])
    stock = state.stock
    if value:
        mine = tuple(n - (v == value - 1) for v, n in enumerate(stock[seat]))
        stock = (*stock[:seat], mine, *stock[seat + 1 :])
    warriors = {**state.warriors, square: Warrior(seat, value, face_up)}
    where, who = SQUARE_NAMES[square], state.names[seat]
    log = logged(state.log, action.id, f"{who}: a Warrior on {where}.", f"{who} : un Guerrier en {where}.", "A5")
    return replace(state, stock=stock, warriors=warriors, log=log)


def a6_palisade(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A4, A6, A17: a palisade on a free inner line; the second of a turn ends it, and so does the last possible.

    Raises IllegalMove where none is left, the line is taken, or a territory would be too small.
    """
    known_fields(action, "edge")
    laid = replace(_laid(state, action, seat, any_line=False), laid=state.laid + 1)
    if laid.laid == 2 or not laid.palisades or not any_edge_free(laid.east, laid.south):
        return end_turn(laid)
    return laid


def _laid(state: ArmadoraState, action: Action, seat: int, *, any_line: bool) -> ArmadoraState:
    edge = edge_in(action)
    name = str(action.data["edge"])
    east, south = edge_bits(edge)
    if not state.palisades:
        raise IllegalMove("no palisade is left", "A1")
    if state.east & east or state.south & south:
        raise IllegalMove("there is a palisade on {name}; lay it on a free line", "A6", name=name)
    if not any_line and not a6_edge_fits(edge, state.east, state.south):
        raise IllegalMove("a palisade on {name} would make a territory of fewer than 4 squares", "A6", name=name)
    who = state.names[seat]
    log = logged(state.log, action.id, f"{who}: a palisade on {name}.", f"{who} : une palissade en {name}.", "A6")
    return replace(state, east=state.east | east, south=state.south | south, palisades=state.palisades - 1, log=log)


def a6_done(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A6: a turn may lay one palisade only. Raises IllegalMove where none was laid."""
    known_fields(action)
    if not state.laid:
        raise IllegalMove("a turn ends by itself; 'done' only leaves out the second palisade", "A6")
    return end_turn(state)


def a7_pass(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A7: who cannot or will not play passes, and is out for good. Raises IllegalMove where the turn has begun."""
    known_fields(action)
    if state.laid or state.power_used:
        raise IllegalMove("this turn has begun already; it cannot be passed any more", "A7")
    who = state.names[seat]
    log = logged(state.log, action.id, f"{who} passes for good.", f"{who} passe définitivement.", "A7")
    return end_turn(replace(state, passed=state.passed | 1 << seat, last_passed=seat, log=log))


def a22_skip(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A22: a turn without any item, where the table allows it.

    Raises IllegalMove where it does not, or the turn has begun.
    """
    known_fields(action)
    if state.options["empty_turn"] != "allowed":
        raise IllegalMove("a turn plays something, or passes for good", "A22")
    if state.laid or state.power_used:
        raise IllegalMove("this turn has begun already", "A22")
    return end_turn(state)


def a16_reinforce(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A12, A16: the reinforcement on an own Warrior of a complete territory without another one.

    Raises IllegalMove where the seat has none left, or no such Warrior stands there.
    """
    known_fields(action, "square")
    _begin_main(state, action)
    square = square_in(action)
    warrior = state.warriors.get(square)
    where = SQUARE_NAMES[square]
    if not state.reinforcements[seat]:
        raise IllegalMove("{seat} has no reinforcement", "A16", seat=state.seats[seat])
    if warrior is None or warrior.seat != seat:
        raise IllegalMove("{where} holds no Warrior of {seat}", "A16", where=where, seat=state.seats[seat])
    if square not in reinforceable(state, seat):
        territory = territory_of(square, state.east, state.south)
        if complete(state, territory):
            raise IllegalMove("the territory of {where} has a reinforcement already", "A16", where=where)
        raise IllegalMove("the territory of {where} is not complete", "A16", where=where)
    left = tuple(n - (s == seat) for s, n in enumerate(state.reinforcements))
    who = state.names[seat]
    log = logged(state.log, action.id, f"{who} reinforces {where}.", f"{who} renforce {where}.", "A16")
    warriors = {**state.warriors, square: replace(warrior, reinforced=True)}
    return end_turn(replace(state, warriors=warriors, reinforcements=left, log=log))


def reveal(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A8: a Warrior is turned over at the end and its value told, where values were not tapped before.

    Raises IllegalMove where none of the seat's lies face down there, or it has none of that value left.
    """
    known_fields(action, "square", "value")
    square, value = square_in(action), whole(action, "value", 1, BEST)
    warrior = state.warriors.get(square)
    if warrior is None or warrior.seat != seat or warrior.value:
        raise IllegalMove(
            "{square} holds no face-down Warrior of {seat}", "A8", square=SQUARE_NAMES[square], seat=state.seats[seat]
        )
    if not state.stock[seat][value - 1]:
        raise IllegalMove("{seat} has no Warrior of value {value} left", "A2", seat=state.seats[seat], value=value)
    mine = tuple(n - (v == value - 1) for v, n in enumerate(state.stock[seat]))
    warriors = {**state.warriors, square: replace(warrior, value=value)}
    phase = "revealing" if any(not w.value for w in warriors.values()) else "over"
    stock = (*state.stock[:seat], mine, *state.stock[seat + 1 :])
    return replace(state, stock=stock, warriors=warriors, phase=phase)


def placed_face_up(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A14: the Goblin's extra Warrior, face up. Raises IllegalMove as a5_warrior does."""
    known_fields(action, "square", "value")
    return _placed(state, action, seat, face_up=True)


def laid_extra(state: ArmadoraState, action: Action, seat: int) -> ArmadoraState:
    """A14, A21: the Orc's extra palisade.

    Raises IllegalMove as a6_palisade does, but for a small territory where the table allows any line.
    """
    known_fields(action, "edge")
    return _laid(state, action, seat, any_line=state.options["orc_palisade"] == "any_line")
