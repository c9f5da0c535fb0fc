"""Zargo's turns (Z5-Z7, Z13, Z16, Z19): three phases a people, the fixed order, 25 months, and the end by cities."""

from __future__ import annotations

from companion.games.base import Action, IllegalMove, Outcome, Text, counted
from companion.games.fast import replace
from companion.games.setup import known_fields, logged, word
from companion.games.zargo_moves import z13_back, z13_radius
from companion.games.zargo_setup import z7_month
from companion.games.zargo_state import ZargoState, with_counter

PHASES = ("alliances", "moves", "engagements")  # Z6


def z6_next(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z6: the people goes on to its next phase; after the engagements the next people plays.

    Raises IllegalMove where a counter has to fall back first.
    """
    known_fields(action)
    if state.retreats:
        raise IllegalMove("{counter} must fall back first", "Z14", counter=next(iter(state.retreats)))
    if state.phase == "alliances":
        return _to_moves(state, people)
    if state.phase == "moves":
        return replace(_all_back(state, people), phase="engagements")
    return _turn_over(state, people)


def _to_moves(state: ZargoState, people: str) -> ZargoState:
    """Z6, Z13: movements begin; those who vanished in the turn before may come back."""
    for name, counter in state.counters.items():
        if counter.people == people and counter.vanished == 1:
            state = with_counter(state, name, vanished=2)
    return replace(state, phase="moves", proposals=frozenset())


def _all_back(state: ZargoState, people: str) -> ZargoState:
    """Z13: the vanished come back in the next turn; where they were, if nobody has said otherwise."""
    for name, counter in state.counters.items():
        if counter.people == people and counter.vanished == 2:
            places = z13_radius(state, name)
            if counter.place in places:
                state = z13_back(state, name, counter.place)
            elif places:
                raise IllegalMove("{name} comes back this turn; say where", "Z13", name=name)
    return state


def _turn_over(state: ZargoState, people: str) -> ZargoState:
    """Z5, Z7, Z9: chasms let go a turn later; the order is fixed; after the last people comes the next month."""
    for name, counter in state.counters.items():
        if counter.people == people and counter.stuck and name not in state.moved:
            state = with_counter(state, name, stuck=counter.stuck - 1)
    state = replace(state, moved={}, targets={}, acted=frozenset(), escort_changes=frozenset(), fought=False)
    for turn in range(state.turn + 1, len(state.seats)):
        if alive(state, state.seats[turn]):
            return replace(state, turn=turn, phase="alliances")
    if state.month >= state.months or not any(alive(state, p) for p in state.seats):
        return z16_over(state)
    state = z7_month(state)
    first = next(n for n, p in enumerate(state.seats) if alive(state, p))
    return replace(state, turn=first)


def alive(state: ZargoState, people: str) -> bool:
    """Z19: whether a people still has counters; one without plays no turn."""
    return any(c.people == people and not c.out for c in state.counters.values())


def z6_alliance(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z6: an alliance is proposed in the first phase, taken by the other at once, and left in one's own first phase.

    Raises IllegalMove where it is not, or there is none to be taken or left.
    """
    known_fields(action, "with")
    other = word(action, "with", state.seats)
    if state.phase != "alliances":
        raise IllegalMove("alliances belong to the first phase", "Z6")
    if other == people:
        raise IllegalMove("an alliance needs two peoples", "Z6")
    pair = (min(people, other), max(people, other))
    if action.type == "accept":
        if (other, people) not in state.proposals:
            raise IllegalMove("{other} has proposed no alliance to {people}", "Z6", other=other, people=people)
        log = logged(state.log, action.id, f"{people} and {other} are allied.", f"{people} et {other} s’allient.", "Z6")
        return replace(
            state, alliances=state.alliances | {pair}, proposals=state.proposals - {(other, people)}, log=log
        )
    if people != state.people:
        raise IllegalMove("it is the turn of {people}, not of {other}", "Z5", people=state.people, other=people)
    if action.type == "propose":
        if pair in state.alliances or (people, other) in state.proposals:
            raise IllegalMove("{people} and {other} are allied, or it is proposed", "Z6", people=people, other=other)
        return replace(state, proposals=state.proposals | {(people, other)})
    if pair not in state.alliances:
        raise IllegalMove("{people} and {other} are not allied", "Z6", people=people, other=other)
    return replace(state, alliances=state.alliances - {pair})


# -- the end ----------------------------------------------------------------------------------------------


def z16_over(state: ZargoState) -> ZargoState:
    """Z16: the year is over; nothing but cities counts."""
    log = logged(state.log, 0, "The year is over.", "L’année est finie.", "Z16")
    return replace(state, phase="over", log=log)


def z16_cities(state: ZargoState) -> dict[str, int]:
    """Z16, Z19: the cities that each people holds, its own and conquered ones."""
    count = dict.fromkeys(state.seats, 0)
    for city in state.cities.values():
        gone = state.options["eliminated_player"] == "loses_cities" and not alive(state, city.owner)
        if city.owner and not gone:
            count[city.owner] += 1
    return count


def z16_outcome(state: ZargoState) -> Outcome | None:
    """Z16, Z19: most cities win, counters do not matter; allies together only where the table says so."""
    if state.phase != "over":
        return None
    cities = z16_cities(state)
    sides = _sides(state)
    held = {side: sum(cities[p] for p in side) for side in sides}
    best = max(held.values())
    first = [side for side in sides if held[side] == best]
    winners = tuple(p for p in state.seats if any(p in side for side in first))
    names = " & ".join(state.names[state.seats.index(p)] for p in winners)
    most = counted(best, ("city", "cities"), ("ville", "villes"))
    reason = Text(f"{names}: {most.en}.", f"{names} : {most.fr}.")
    if len(first) > 1 and state.options["tie"] == "nobody":
        equal = Text(f"{names}: equal at {most.en}, nobody wins.", f"{names} : égalité à {most.fr}, personne ne gagne.")
        return Outcome(None, equal, cities)
    return Outcome("+".join(winners) if len(first) == 1 else None, reason, cities, winners)


def _sides(state: ZargoState) -> list[tuple[str, ...]]:
    """Z19: each people alone, or the groups that alliances join."""
    groups = [{p} for p in state.seats]
    if state.options["alliances_win_together"] == "yes":
        for one, other in state.alliances:
            joined = [g for g in groups if one in g or other in g]
            groups = [g for g in groups if g not in joined] + [set().union(*joined)]
    return [tuple(p for p in state.seats if p in group) for group in groups]
