"""Zargo's movement (Z8-Z10, Z13, Z14): terrain, zones of influence, escorts, cities, and the vanishing monks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.base import Action, IllegalMove, MalformedAction, counted
from companion.games.fast import replace
from companion.games.setup import known_fields, word, words
from companion.games.zargo_map import CHASM, MOUNTAIN, SEA, WOOD, bridges_from, direction, geometry, neighbours
from companion.games.zargo_setup import hex_in, own_counter
from companion.games.zargo_state import (
    CHASM_TURNS,
    FLYERS,
    GARRISON,
    Counter,
    Step,
    ZargoState,
    places_of,
    with_counter,
)

WOOD_COST = 2  # Z9


def z8_move(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z8-Z10, Z14: one counter's movement this turn. Fields: counter, path; target (whom it will attack, where its way
    ends beside enemies); escort (true to join the own counter there); leave (true to part from its stack). Raises
    IllegalMove where the way is closed to the counter, or too long, MalformedAction where none is told."""
    known_fields(action, "counter", "path", "target", "escort", "leave")
    name = word(action, "counter")
    own_counter(state, people, name)
    leave = _flag(action, "leave")
    partner = z14_partner(state, name)
    may_move(state, name, partner, leave)
    path = [hex_in(state, told, "path") for told in words(action, "path")]
    if not path or len(path) > state.world.hexes:
        raise MalformedAction("move: path: expected the hexes of the way", "Z8")
    occupied = state.occupied()
    z18_leaving(state, name, occupied)
    cost = z9_cost(state, name, path, occupied, flies=state.counters[name].kind in FLYERS)
    if cost > state.movement(name):
        raise IllegalMove(
            "this costs {cost}; {name} moves {movement}", "Z8", cost=cost, name=name, movement=state.movement(name)
        )
    target = z10_target(state, name, path, action, occupied)
    there = state.garrison(path[-1]) if path[-1] in occupied else []
    state = _arrived(state, name, path, cost, partner if not leave else None)
    state = stacked(state, name, partner, path[-1], there, _flag(action, "escort"), leave)
    if target is not None:
        state = replace(state, targets={**state.targets, name: target})
    return state


def _flag(action: Action, name: str) -> bool:
    told = action.data.get(name, False)
    if not isinstance(told, bool):
        raise MalformedAction("move: {name}: found {told!r}, expected true or false", name=name, told=told)
    return told


def z14_partner(state: ZargoState, name: str) -> str | None:
    """Z14: the counter that shares an escort's hex with it: the escorted one, or the escort."""
    return places_of(state.counters).partner.get(name)


def may_move(state: ZargoState, name: str, partner: str | None, leave: bool) -> None:
    """Z8, Z9, Z12-Z14: that a counter may move this turn, out of its escort or with it. Raises IllegalMove.

    Whom an escort takes along moves as well: one that has moved already, or is paralysed, keeps it where it is.
    """
    counter = state.counters[name]
    if counter.place < 0:
        raise IllegalMove("{name} is not on the map", "Z8", name=name)
    for mover in (name,) if leave or not counter.escorts else (name, counter.escorts):
        kind, stuck = state.counters[mover].kind, state.counters[mover].stuck
        if mover in state.moved or (mover in state.acted and kind != "dragon"):  # Z12: a Dragon may flame, then move
            raise IllegalMove("{name} has moved or acted this turn", "Z8", name=mover)
        if stuck:
            turns = counted(stuck, ("turn", "turns"), ("tour", "tours"))
            raise IllegalMove("{name} is paralysed in a chasm for {turns} more", "Z9", name=mover, turns=turns)
    if counter.vanished:
        raise IllegalMove("{name} has vanished; it must come back first", "Z13", name=name)
    if leave and partner is None:
        raise IllegalMove("{name} is in no escort", "Z14", name=name)
    if leave and {name, partner} & state.escort_changes:
        raise IllegalMove("an escort is joined or left in a turn, not both", "Z14")
    if partner is not None and not leave and not counter.escorts:
        raise IllegalMove("{name} is escorted: its escort moves, or it leaves the stack", "Z14", name=name)


def z9_cost(state: ZargoState, name: str, path: list[int], occupied: Mapping[int, str], *, flies: bool) -> int:
    """Z8-Z10: what a path costs step by step. Raises IllegalMove where terrain, enemies or zones forbid it."""
    here, cost, bridged = state.counters[name].place, 0, False
    for n, place in enumerate(path):
        last = n + 1 == len(path)
        cost += z9_step(state, name, here, place, occupied, bridged=bridged, first=n == 0, last=last, flies=flies)
        here, bridged = place, place in geometry(state.world).bridges.get(here, ())
    return cost


def z9_step(
    state: ZargoState, name: str, here: int, place: int, occupied: Mapping[int, str],
    *, bridged: bool, first: bool, last: bool, flies: bool,
) -> int:  # fmt: skip
    """Z8-Z10: what one step of a way costs. bridged: the step before it went over a bridge. Raises IllegalMove."""
    land = geometry(state.world)
    beside, over = place in land.near[here], place in land.bridges.get(here, ())
    if not over and not beside:
        raise IllegalMove(
            "{place} is not beside {here}", "Z8", place=state.world.name(place), here=state.world.name(here)
        )
    if over and bridged and not beside:
        raise IllegalMove("a bridge leads from coast to coast, not to another bridge", "Z9")
    cost = z9_terrain(state, place, first=first, last=last, flies=flies)
    z8_enemy(state, name, place, occupied, last=last, flies=flies)
    return cost


def z9_terrain(state: ZargoState, place: int, *, first: bool, last: bool, flies: bool) -> int:
    """Z9: the sea only by bridges; a chasm stops; a mountain takes a turn of its own; wood costs two. Flyers mind
    chasms and seas only. Raises IllegalMove where a way does otherwise."""
    terrain = state.world.at(place)
    if terrain == SEA:
        raise IllegalMove("{place} is sea", "Z9", place=state.world.name(place))
    if terrain == CHASM and not last:
        raise IllegalMove("the chasm at {place} ends the movement", "Z9", place=state.world.name(place))
    if flies:
        return 1
    if terrain == MOUNTAIN and not (first and last):
        raise IllegalMove(
            "the mountain {place} is climbed from its foot, in a turn of its own", "Z9", place=state.world.name(place)
        )
    return WOOD_COST if terrain == WOOD else 1


def z8_enemy(state: ZargoState, name: str, place: int, occupied: Mapping[int, str], *, last: bool, flies: bool) -> None:
    """Z8, Z10: not through enemies, nor through their zones except to attack; flyers pass over both.

    Raises IllegalMove where one bars the way.
    """
    people = state.counters[name].people
    there = occupied.get(place)
    z15_city(state, people, place, there, last=last, flies=flies)  # first: who stands in a city is not told
    if there is not None and not state.friends(people, state.counters[there].people) and (last or not flies):
        raise IllegalMove("{there} bars the way", "Z8", there=there)
    if not last and not flies and z10_zones(state, people, place, occupied):
        raise IllegalMove("{place} lies in an enemy's zone of influence", "Z10", place=state.world.name(place))


def z15_city(state: ZargoState, people: str, place: int, there: str | None, *, last: bool, flies: bool) -> None:
    """Z8, Z15, Z19: an enemy's city is no way; an emptied one is entered at the end, where conquest needs that.

    Raises IllegalMove where a way leads into one otherwise.
    """
    name = state.city_at(place)
    if name is None:
        return
    owner = state.cities[name].owner
    if owner and state.friends(people, owner):
        if last and owner != people:
            raise IllegalMove("{name} belongs to an ally; only the own people garrisons a city", "Z15", name=name)
        return
    emptied = not owner and there is None  # by a siege; of another nobody is told who stands in it
    enterable = state.options["emptied_city"] == "must_be_entered" and emptied and last
    if not enterable and (last or not flies):
        raise IllegalMove("{name} is an enemy's city; it is besieged from beside it", "Z15", name=name)


def z18_leaving(state: ZargoState, name: str, occupied: Mapping[int, str]) -> None:
    """Z18: where the table says so, a counter that begins in an enemy's zone stays there and fights; not a flyer.

    Raises IllegalMove where it would leave.
    """
    counter = state.counters[name]
    if state.options["zones_while_leaving"] == "free" or counter.kind in FLYERS:
        return
    if state.city_at(counter.place) is None and z10_zones(state, counter.people, counter.place, occupied):
        raise IllegalMove("{name} is held in an enemy's zone of influence", "Z18", name=name)


def z10_zones(state: ZargoState, people: str, place: int, occupied: Mapping[int, str]) -> list[str]:
    """Z10: the enemies whose zone a hex lies in; those attacked this turn, paralysed ones and garrisons have none."""
    found = []
    for near in neighbours(state.world)[place]:
        name = occupied.get(near)
        if name is None or name in state.targets.values():
            continue
        counter = state.counters[name]
        if state.friends(people, counter.people) or counter.stuck or state.city_at(near) is not None:
            continue
        found.append(name)
    return found


def z10_target(
    state: ZargoState, name: str, path: list[int], action: Action, occupied: Mapping[int, str]
) -> str | None:
    """Z10: whom the counter will attack; in an enemy's zone it must be one of those whose zone it is.

    Raises IllegalMove where none is told, or one that it cannot attack from its way's end.
    """
    people, told = state.counters[name].people, action.data.get("target")
    zones = z10_zones(state, people, path[-1], occupied)
    if told is None:
        if zones:
            raise IllegalMove(
                "the zone of {counter} is entered only to attack; name the target", "Z10", counter=zones[0]
            )
        return None
    near = neighbours(state.world)[path[-1]]
    if told in state.cities:
        city = state.cities[str(told)]
        if city.place not in near or (city.owner and state.friends(people, city.owner)):
            raise IllegalMove(
                "{told} is no enemy's city beside {place}", "Z15", told=told, place=state.world.name(path[-1])
            )
    elif told not in state.counters or not _in_the_open(state, str(told), occupied):
        raise IllegalMove("{told} is no counter that can be attacked", "Z10", told=told)
    elif state.counters[str(told)].place not in near or state.friends(people, state.counters[str(told)].people):
        raise IllegalMove("{told} is no enemy beside {place}", "Z10", told=told, place=state.world.name(path[-1]))
    elif state.counters[str(told)].stuck:
        raise IllegalMove("{name} is paralysed in a chasm and cannot be attacked", "Z9", name=told)
    if zones and told not in zones and told not in state.targets.values():
        raise IllegalMove("the zone of {counter} is entered only to attack it", "Z10", counter=zones[0])
    return str(told)


def _in_the_open(state: ZargoState, name: str, occupied: Mapping[int, str]) -> bool:
    """Z4, Z14: whether a counter can be named as a target: not one of a garrison, and not one that is escorted."""
    place = state.counters[name].place
    return occupied.get(place) == name and state.city_at(place) is None


def _arrived(state: ZargoState, name: str, path: list[int], cost: int, with_it: str | None) -> ZargoState:
    start, last = state.counters[name].place, path[-1]
    ways = {direction(state.world, a, b) for a, b in zip([start, *path], path, strict=False)}
    way = ways.pop() if len(ways) == 1 else -1
    stuck = CHASM_TURNS if state.world.at(last) == CHASM else 0
    city = state.city_at(last)
    changes: dict[str, Any] = {"place": last, "stuck": stuck, "hidden": city is not None}
    movers = (name, with_it) if with_it is not None else (name,)
    counters = {**state.counters, **{m: replace(state.counters[m], **changes) for m in movers}}
    moved = {**state.moved, **dict.fromkeys(movers, Step(len(path), cost, way))}
    state = replace(state, counters=counters, moved=moved)
    if city is not None and state.cities[city].owner != state.counters[name].people:
        taken = replace(state.cities[city], owner=state.counters[name].people)
        state = replace(state, cities={**state.cities, city: taken})
    return state


def stacked(
    state: ZargoState, name: str, partner: str | None, place: int, standing: list[str], escort: bool, leave: bool
) -> ZargoState:
    """Z8, Z14, Z15: who stands where the counter has come: nobody, a garrison with room, or one to be escorted.

    Raises IllegalMove where they would be too many, or neither is an infantry.
    """
    moving = {name} | ({partner} if partner is not None and not leave else set())
    there = [n for n in standing if n not in moving]
    if leave and partner is not None:
        infantry = name if state.counters[name].escorts else partner
        state = with_counter(state, infantry, escorts="")
        state = replace(state, escort_changes=state.escort_changes | {name, partner})
    if state.city_at(place) is not None:
        return _garrisoned(state, moving, len(there) + len(moving))
    if not there and not escort:
        return state
    if not escort:
        raise IllegalMove(
            "{there} stands on {place}; counters are not stacked", "Z8", there=there[0], place=state.world.name(place)
        )
    if len(there) != 1 or len(moving) != 1:
        raise IllegalMove("an escort is one infantry with one other counter", "Z14")
    return z14_join(state, name, there[0])


def _garrisoned(state: ZargoState, moving: set[str], count: int) -> ZargoState:
    if count > GARRISON:
        raise IllegalMove("a city holds at most {most} counters", "Z4", most=GARRISON)
    for name in moving:
        state = with_counter(state, name, escorts="")
    return state


def z14_join(state: ZargoState, name: str, other: str) -> ZargoState:
    """Z14: one infantry and one other counter of the same people become escort and escorted.

    Raises IllegalMove where they are not, or the counter parts from another in the same turn.
    """
    infantry = [n for n in (name, other) if state.counters[n].kind == "infantry"]
    if len(infantry) != 1 or state.counters[name].people != state.counters[other].people:
        raise IllegalMove("an escort is one infantry with one own counter that is none", "Z14")
    if {name, other} & state.escort_changes:
        raise IllegalMove("an escort is joined or left in a turn, not both", "Z14")
    escorted = other if infantry[0] == name else name
    state = with_counter(state, infantry[0], escorts=escorted)
    return replace(state, escort_changes=state.escort_changes | {name, other})


def z13_vanish(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z13: a monk vanishes for its whole turn and leaves its marker. Raises IllegalMove where it is none."""
    known_fields(action, "counter")
    name = word(action, "counter")
    own_counter(state, people, name)
    if state.counters[name].kind != "monk":
        raise IllegalMove("{name} is no monk and cannot vanish", "Z13", name=name)
    may_move(state, name, z14_partner(state, name), False)
    state = with_counter(state, name, vanished=1, hidden=False)
    return replace(state, moved={**state.moved, name: Step()})


def z13_reappear(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z13: in the next turn it comes back within its movement, beyond obstacles, not across sea or chasm; then it may
    move and attack. Raises IllegalMove where it has not vanished before, or cannot come there."""
    known_fields(action, "counter", "hex")
    name = word(action, "counter")
    own_counter(state, people, name)
    if state.counters[name].vanished != 2:
        raise IllegalMove("{name} has not vanished in an earlier turn", "Z13", name=name)
    place = hex_in(state, action.data.get("hex"), "reappear: hex")
    if place not in z13_radius(state, name):
        raise IllegalMove(
            "{place} is beyond {name}'s movement, or taken", "Z13", place=state.world.name(place), name=name
        )
    return z13_back(state, name, place)


def z13_back(state: ZargoState, name: str, place: int) -> ZargoState:
    """Z4, Z13: a vanished monk stands on a hex again, in a city hidden."""
    return with_counter(state, name, place=place, vanished=0, hidden=state.city_at(place) is not None)


def z13_radius(state: ZargoState, name: str) -> set[int]:
    """Z4, Z13: the free hexes, and own cities with room, within a monk's movement, over land and bridges, around
    chasms."""
    counter, world = state.counters[name], state.world
    seen, edge = {counter.place}, [counter.place]
    for _ in range(state.movement(name)):
        following = []
        for here in edge:
            for place in (*neighbours(world)[here], *bridges_from(world).get(here, ())):
                if place not in seen and world.at(place) not in (SEA, CHASM):
                    seen.add(place)
                    following.append(place)
        edge = following
    taken = set(state.occupied()) | {c.place for c in state.cities.values()}
    own = (c.place for c in state.cities.values() if c.owner == counter.people)
    return seen - taken | {p for p in own if p in seen and len(state.garrison(p)) < GARRISON}


def can_act(counter: Counter) -> bool:
    """Whether a counter stands on the map and is neither paralysed nor vanished."""
    return counter.place >= 0 and not counter.stuck and not counter.vanished
