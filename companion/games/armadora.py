"""Armadöra for two to four (A1-A26): the game as a value; palisades and Warriors are entered by taps."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from companion.games.armadora_board import (
    ALL,
    EDGE_NAMES,
    EDGES,
    SQUARE_NAMES,
    a6_edge_fits,
    edge_name,
    free_edges,
    squares_in,
)
from companion.games.armadora_options import OPTIONS
from companion.games.armadora_powers import POWER_OF, a12_power, targets
from companion.games.armadora_score import a8_outcome
from companion.games.armadora_state import ArmadoraState, a2_start
from companion.games.armadora_turns import (
    a5_warrior,
    a6_done,
    a6_palisade,
    a7_pass,
    a16_reinforce,
    a22_skip,
    occupied,
    reinforceable,
    reveal,
)
from companion.games.armadora_view import reveals, told, view, view_for
from companion.games.base import Action, Game, IllegalMove, Json, Text, legal_by
from companion.games.setup import citing, numbered, over, seat_of, unknown_action
from companion.games.wire import dump, load

TURNS: dict[str, Callable[[ArmadoraState, Action, int], ArmadoraState]] = {
    "warrior": a5_warrior,
    "palisade": a6_palisade,
    "done": a6_done,
    "pass": a7_pass,
    "skip": a22_skip,
    "reinforce": a16_reinforce,
    **dict.fromkeys(POWER_OF, a12_power),
}
ACTIONS = (*TURNS, "reveal")
TRIES = 6  # random lines that are tried before all legal ones are listed

CITED = {  # the rule that a malformed action of each kind is about
    "warrior": "A5",
    "palisade": "A6",
    "done": "A6",
    "pass": "A7",
    "skip": "A22",
    "reinforce": "A16",
    "look": "A13",
    "extra_warrior": "A14",
    "extra_palisade": "A14",
    "arrow": "A15",
    "reveal": "A8",
}


def apply(state: ArmadoraState, action: Action) -> ArmadoraState:
    """A4: the state after an action of the seat whose turn it is. Raises IllegalMove; nothing changes then."""
    try:
        return numbered(_apply(state, action), action.id)
    except IllegalMove as error:
        raise citing(CITED, "A4", action, error) from None


def _apply(state: ArmadoraState, action: Action) -> ArmadoraState:
    if action.type not in ACTIONS:
        raise unknown_action(action, ACTIONS)
    seat = seat_of(state.seats, action, "A4")
    if state.phase == "over":
        raise over("A7")
    if state.phase == "revealing" or action.type == "reveal":
        if state.phase != "revealing" or action.type != "reveal":
            raise IllegalMove("{type} is not for phase {phase}", "A8", type=action.type, phase=state.phase)
        return reveal(state, action, seat)
    if seat != state.turn:
        raise IllegalMove(
            "it is the turn of {turn}, not of {seat}", "A4", turn=state.seats[state.turn], seat=state.seats[seat]
        )
    return TURNS[action.type](state, action, seat)


legal = legal_by(apply)


def waiting(state: ArmadoraState) -> tuple[str, ...]:
    """A4, A8: who is to act now: the seat in turn, or all who have Warriors to turn over."""
    if state.phase == "playing":
        return (state.seats[state.turn],)
    hidden = {w.seat for w in state.warriors.values() if not w.value}
    return tuple(state.seats[n] for n in sorted(hidden)) if state.phase == "revealing" else ()


def moves(state: ArmadoraState, seat: str) -> list[Action]:
    """Every legal action of a seat."""
    if seat not in waiting(state):
        return []
    n = state.seats.index(seat)
    if state.phase == "revealing":
        return _reveals(state, n)
    found = _palisades(state, n, "palisade")
    if state.laid:
        return [*found, Action("done", {"seat": seat})]
    found += [*_warriors(state, n, "warrior"), *_squares(state, n, "reinforce", reinforceable(state, n))]
    if not state.power_used:
        found.append(Action("pass", {"seat": seat}))
        if state.options["empty_turn"] == "allowed":
            found.append(Action("skip", {"seat": seat}))
        if state.powers[n]:
            found += _powers(state, n)
    return found


def _palisades(state: ArmadoraState, n: int, type: str) -> list[Action]:
    if not state.palisades:
        return []
    seat = state.seats[n]
    return [Action(type, {"seat": seat, "edge": edge_name(e)}) for e in free_edges(state.east, state.south)]


def _warriors(state: ArmadoraState, n: int, type: str) -> list[Action]:
    if not state.unplaced(n):
        return []
    seat, free = state.seats[n], squares_in(ALL & ~occupied(state))
    if state.options["values"] == "at_end" and type == "warrior":
        return [Action(type, {"seat": seat, "square": SQUARE_NAMES[s]}) for s in free]
    values = [v + 1 for v, left in enumerate(state.stock[n]) if left]
    return [Action(type, {"seat": seat, "square": SQUARE_NAMES[s], "value": v}) for s in free for v in values]


def _squares(state: ArmadoraState, n: int, type: str, squares: list[int]) -> list[Action]:
    return [Action(type, {"seat": state.seats[n], "square": SQUARE_NAMES[s]}) for s in squares]


def _powers(state: ArmadoraState, n: int) -> list[Action]:
    character = state.characters[n]
    if character == "goblin":
        found = _warriors(state, n, "extra_warrior")
    elif character == "orc":
        lines = EDGE_NAMES if state.options["orc_palisade"] == "any_line" else ()
        found = [Action("extra_palisade", {"seat": state.seats[n], "edge": e}) for e in lines]
        found = found or _palisades(state, n, "extra_palisade")
    else:
        type = "look" if character == "mage" else "arrow"
        found = _squares(state, n, type, targets(state, n, type))
    safe = state.palisades > 1 and state.unplaced(n) > 1 and (ALL & ~occupied(state)).bit_count() > 1
    return found if safe and character != "orc" else [a for a in found if legal(state, a) is None]


def _reveals(state: ArmadoraState, n: int) -> list[Action]:
    seat = state.seats[n]
    hidden = [s for s, w in state.warriors.items() if w.seat == n and not w.value]
    values = [v + 1 for v, left in enumerate(state.stock[n]) if left]
    return [Action("reveal", {"seat": seat, "square": SQUARE_NAMES[s], "value": v}) for s in hidden for v in values]


def pick(state: ArmadoraState, rng: Random) -> Action | None:
    """A random legal action of whoever is to act: mostly drawn without listing all; None after the end."""
    who = waiting(state)
    if not who:
        return None
    seat, n, chance = who[0], state.seats.index(who[0]), rng.random()
    if state.phase == "revealing" or chance < RARE:
        return rng.choice(moves(state, seat))
    if chance < 0.5 and not state.laid and state.unplaced(n):
        found = _random_warrior(state, n, rng)
        if found is not None:
            return found
    if state.palisades:
        laid = (state.east, state.south)
        for _ in range(TRIES):
            edge = EDGES[int(rng.random() * len(EDGES))]
            if not laid[edge[0]] >> edge[1] & 1 and a6_edge_fits(edge, *laid):
                return Action("palisade", {"seat": seat, "edge": edge_name(edge)})
    return rng.choice(moves(state, seat))


RARE = 0.02  # how often a random action is drawn from the whole list, so that rare kinds come up as well


def _random_warrior(state: ArmadoraState, n: int, rng: Random) -> Action | None:
    free = ALL & ~occupied(state)
    square = int(rng.random() * len(SQUARE_NAMES))
    values = [v + 1 for v, left in enumerate(state.stock[n]) if left]
    if not free >> square & 1 or not values:
        return None
    body: Json = {"seat": state.seats[n], "square": SQUARE_NAMES[square]}
    if state.options["values"] == "phones":
        body["value"] = rng.choice(values)
    return Action("warrior", body)


GAME: Game[ArmadoraState] = Game(
    name="armadora",
    title=Text("Armadöra", "Armadöra"),
    start=a2_start,
    legal=legal,
    apply=apply,
    outcome=a8_outcome,
    view=view,
    players=(2, 4),
    options=OPTIONS,
    view_for=view_for,
    told=told,
    moves=moves,
    pick=pick,
    waiting=waiting,
    to_json=dump,
    from_json=lambda data: load(ArmadoraState, data),
    reveals=reveals,
    deeds=ACTIONS,
)
