"""Zargo's set-up (Z4): cities inland, face-down garrisons, then everything else on the own continents."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.base import Action, IllegalMove, MalformedAction, counted
from companion.games.fast import replace
from companion.games.setup import known_fields, logged, word, words
from companion.games.zargo_map import SEA, coastal, geometry, names_of
from companion.games.zargo_state import GARRISON, OFF, City, ZargoState

STAGES = ("cities", "garrisons", "rest")


def hex_in(state: ZargoState, told: object, what: str) -> int:
    """A hex by its name. Raises MalformedAction."""
    place = names_of(state.world).get(told, OFF) if isinstance(told, str) else OFF
    if place == OFF:
        raise MalformedAction("{what}: found {told!r}, expected a hex such as 0103", "Z2", what=what, told=told)
    return place


def own_counter(state: ZargoState, people: str, name: str) -> None:
    """Raises where a counter is none of this people's in the match."""
    counter = state.counters.get(name)
    if counter is None or counter.people != people:
        raise IllegalMove("{name} is no counter of {people}", "Z1", name=name, people=people)
    if counter.out:
        raise IllegalMove("{name} has been eliminated", "Z8", name=name)


def _staged(state: ZargoState, people: str, stage: str) -> None:
    if state.phase != stage:
        raise IllegalMove("that belongs to stage {stage}; it is {phase}", "Z4", stage=stage, phase=state.phase)
    if people in state.ready:
        raise IllegalMove("{people} is ready; the others are not yet", "Z4", people=people)


def z4_city(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z4: a city on any hex of an own continent, never on the coast.

    Raises IllegalMove where the hex is none of these, or taken, or the city another people's.
    """
    known_fields(action, "city", "hex")
    _staged(state, people, "cities")
    name = word(action, "city")
    if name not in state.cities or state.cities[name].people != people:
        raise IllegalMove("{name} is no city of {people}", "Z1", name=name, people=people)
    place = hex_in(state, action.data.get("hex"), "city: hex")
    _own_land(state, people, place)
    if place in coastal(state.world):
        raise IllegalMove("{place} lies on the coast", "Z4", place=state.world.name(place))
    if state.city_at(place) not in (None, name):
        raise IllegalMove("{place} holds a city already", "Z4", place=state.world.name(place))
    return replace(state, cities={**state.cities, name: City(people, people, place)})


def _own_land(state: ZargoState, people: str, place: int) -> None:
    if state.world.at(place) == SEA or state.world.continent(place) not in state.continents[people]:
        raise IllegalMove(
            "{place} is not on a continent of {people}", "Z4", place=state.world.name(place), people=people
        )


def z4_garrison(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z4: up to four counters of any kind, face down in an own city; naming a city again replaces its garrison.

    Raises IllegalMove where there are more, the city is not its own, or a counter stands in another one.
    """
    known_fields(action, "city", "counters")
    _staged(state, people, "garrisons")
    name, told = word(action, "city"), words(action, "counters")
    if name not in state.cities or state.cities[name].people != people:
        raise IllegalMove("{name} is no city of {people}", "Z1", name=name, people=people)
    if len(told) > GARRISON or len(set(told)) != len(told):
        raise IllegalMove("a garrison is at most {most} different counters", "Z4", most=GARRISON)
    place, counters = state.cities[name].place, dict(state.counters)
    for old in state.garrison(place):
        counters[old] = replace(counters[old], place=OFF, hidden=False)
    for counter in told:
        own_counter(state, people, counter)
        if counters[counter].place != OFF:
            raise IllegalMove("{counter} stands in another city", "Z4", counter=counter)
        counters[counter] = replace(counters[counter], place=place, hidden=True)
    return replace(state, counters=counters)


def z4_place(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z4, Z8: counters face up anywhere on the own continents, one on a hex.

    Raises IllegalMove where a hex is taken or not its own, or a counter is placed already.
    """
    known_fields(action, "counters")
    _staged(state, people, "rest")
    told = action.data.get("counters")
    if not isinstance(told, Mapping) or not told:
        raise MalformedAction("place: counters: expected hexes by counter", "Z4")
    counters, taken = dict(state.counters), set(state.occupied()) | {c.place for c in state.cities.values()}
    for name, where in told.items():
        own_counter(state, people, str(name))
        if counters[name].place != OFF:
            raise IllegalMove("{name} is placed already", "Z4", name=name)
        place = hex_in(state, where, "place")
        _own_land(state, people, place)
        if place in taken:
            raise IllegalMove("{place} is taken", "Z8", place=state.world.name(place))
        taken.add(place)
        counters[name] = replace(counters[name], place=place)
    return replace(state, counters=counters)


def z4_place_rest(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z4: all counters that are left, on the free hexes of the own continents in their order; for a quick start."""
    known_fields(action)
    _staged(state, people, "rest")
    free = free_land(state, people)
    counters = dict(state.counters)
    for name, place in zip(state.unplaced(people), free, strict=False):
        counters[name] = replace(counters[name], place=place)
    return replace(state, counters=counters)


def free_land(state: ZargoState, people: str) -> list[int]:
    """The hexes on which a people may still place counters."""
    taken = set(state.occupied()) | {c.place for c in state.cities.values()}
    own = state.continents[people]
    land = geometry(state.world)
    return [n for n, kind in enumerate(land.flat) if kind != SEA and n not in taken and land.continents[n] in own]


def z4_ready(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z4, Z7: a people is done with a stage; when all are, the next one begins, and after the last the first month.

    Raises IllegalMove where it has something left to place.
    """
    known_fields(action)
    _staged(state, people, state.phase if state.phase in STAGES else "rest")
    if state.phase == "cities" and any(c.place == OFF for c in state.cities.values() if c.people == people):
        raise IllegalMove("{people} has cities to place", "Z4", people=people)
    if state.phase == "rest" and state.unplaced(people) and free_land(state, people):
        left = counted(len(state.unplaced(people)), ("counter", "counters"), ("pion", "pions"))
        raise IllegalMove("{people} has {left} to place", "Z4", people=people, left=left)
    state = replace(state, ready=state.ready | {people})
    if len(state.ready) < len(state.seats):
        return state
    if state.phase == "rest":
        return z7_month(replace(state, ready=frozenset()))
    return replace(state, phase=STAGES[STAGES.index(state.phase) + 1], ready=frozenset())


def z7_month(state: ZargoState) -> ZargoState:
    """Z5, Z7: a month is struck and announced before the first people's turn."""
    month = state.month + 1
    who = state.names[0]
    if state.seats[0] != "knights" and state.options["month_without_knights"] == "all_together":
        log = logged(state.log, 0, f"Month {month} of {state.months}.", f"Mois {month} sur {state.months}.", "Z7")
    else:
        log = logged(
            state.log, 0, f"{who} strikes month {month} of {state.months}.",
            f"{who} biffe le mois {month} sur {state.months}.", "Z7",
        )  # fmt: skip
    return replace(state, month=month, turn=0, phase="alliances", log=log)
