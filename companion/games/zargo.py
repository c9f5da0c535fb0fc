"""Zargo's Lords for two to four (Z1-Z19): set-up, 25 months of three phases a people, and the count of cities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from companion.games import zargo_offers
from companion.games.base import Action, Game, IllegalMove, Json, Offered, Text, legal_by, one_of
from companion.games.setup import citing, numbered, over, seat_of, unknown_action
from companion.games.wire import dump, load
from companion.games.zargo_fights import (
    retreat_hexes,
    z6_shoot,
    z10_combat,
    z12_charge_on,
    z14_retreat,
    z15_siege,
)
from companion.games.zargo_map import (
    CHASM,
    MOUNTAIN,
    bridges_from,
    coastal,
    default_map,
    distance,
    geometry,
    neighbours,
    write_map,
)
from companion.games.zargo_moves import can_act, z8_move, z10_zones, z13_radius, z13_reappear, z13_vanish, z14_partner
from companion.games.zargo_options import OPTIONS
from companion.games.zargo_setup import STAGES, free_land, z4_city, z4_garrison, z4_place, z4_place_rest, z4_ready
from companion.games.zargo_state import FACTORS, FORCES, GARRISON, PEOPLES, SHOOTERS, Counter, ZargoState, z3_start
from companion.games.zargo_tables import FACES, FLAME_RANGE, RESULTS, SHOTS
from companion.games.zargo_turns import PHASES, z6_alliance, z6_next, z16_outcome
from companion.games.zargo_view import reveals, told, view, view_for

Play = Callable[[ZargoState, Action, str], ZargoState]
SET_UP: dict[str, Play] = {
    "city": z4_city, "garrison": z4_garrison, "place": z4_place, "place_rest": z4_place_rest, "ready": z4_ready,
}  # fmt: skip
TURNS: dict[str, tuple[tuple[str, ...], Play]] = {
    "propose": (("alliances",), z6_alliance),
    "break": (("alliances",), z6_alliance),
    "move": (("moves",), z8_move),
    "vanish": (("moves",), z13_vanish),
    "reappear": (("moves",), z13_reappear),
    "shoot": (("moves", "engagements"), z6_shoot),
    "combat": (("engagements",), z10_combat),
    "siege": (("engagements",), z15_siege),
    "charge_on": (("engagements",), z12_charge_on),
    "next": (PHASES, z6_next),
}
ACTIONS = (*SET_UP, *TURNS, "accept", "retreat")

CITED = {  # the rule that a malformed action of each kind is about
    "city": "Z4",
    "garrison": "Z4",
    "place": "Z4",
    "place_rest": "Z4",
    "ready": "Z4",
    "move": "Z8",
    "vanish": "Z13",
    "reappear": "Z13",
    "shoot": "Z6",
    "combat": "Z10",
    "siege": "Z15",
    "charge_on": "Z12",
    "retreat": "Z14",
}


def apply(state: ZargoState, action: Action) -> ZargoState:
    """Z5, Z6, Z17: the state after an action. Raises IllegalMove; nothing changes then."""
    try:
        return numbered(_apply(state, action), action.id)
    except IllegalMove as error:
        raise citing(CITED, "Z17", action, error) from None


def _apply(state: ZargoState, action: Action) -> ZargoState:
    if action.type not in ACTIONS:
        raise unknown_action(action, ACTIONS)
    people = state.seats[seat_of(state.seats, action, "Z3")]
    if state.phase == "over":
        raise over("Z16")
    if action.type in SET_UP:
        return SET_UP[action.type](state, action, people)
    if state.phase in STAGES:
        raise IllegalMove(
            "{type} comes after the set-up, which is at {phase}", "Z4", type=action.type, phase=state.phase
        )
    if action.type == "retreat":
        return z14_retreat(state, action, people)
    if state.retreats:
        raise IllegalMove("{counter} must fall back first", "Z14", counter=next(iter(state.retreats)))
    if action.type == "accept":
        return z6_alliance(state, action, people)
    if people != state.people:
        raise IllegalMove("it is the turn of {people}; nobody else's counters move", "Z5", people=state.people)
    phases, play = TURNS[action.type]
    if state.phase not in phases:
        raise IllegalMove(
            "{type} belongs to {phases}; it is {phase}",
            "Z6",
            type=action.type,
            phases=one_of(phases),
            phase=state.phase,
        )
    return play(state, action, people)


legal = legal_by(apply)


def offers(state: ZargoState, seat: str, plan: Mapping[str, Any]) -> Offered:
    """What can be chosen next for an action that is composed, as zargo_offers tells it. Raises MalformedAction."""
    return zargo_offers.offers(state, seat, plan, legal)


def waiting(state: ZargoState) -> tuple[str, ...]:
    """Z4-Z6, Z14: who is to act now."""
    if state.phase == "over":
        return ()
    if state.phase in STAGES:
        return tuple(p for p in state.seats if p not in state.ready)
    if state.retreats:
        return tuple(p for p in state.seats if any(state.counters[n].people == p for n in state.retreats))
    asked = {other for _, other in state.proposals}
    return tuple(p for p in state.seats if p == state.people or p in asked)


def moves(state: ZargoState, seat: str) -> list[Action]:
    """Legal actions of a seat: of single counters, without targets that are a choice; fights one against one."""
    if seat not in waiting(state):
        return []
    if state.phase in STAGES:
        found = _set_up(state, seat)
    elif state.retreats:
        found = [("retreat", {"counter": n, "hex": state.world.name(h)}) for n, far in state.retreats.items()
                 if state.counters[n].people == seat for h in sorted(retreat_hexes(state, n, far))]  # fmt: skip
    elif state.phase == "alliances":
        found = _alliances(state, seat)
    elif seat != state.people:
        return []
    else:
        found = [("next", {}), *(_steps(state, seat) if state.phase == "moves" else _fights(state, seat))]
    actions = (Action(type, {"seat": seat, **data}) for type, data in found)
    return [a for a in actions if a.type == "retreat" or legal(state, a) is None]


Told = tuple[str, Json]


def _set_up(state: ZargoState, seat: str) -> list[Told]:
    name = state.world.name
    found: list[Told] = [("ready", {})]
    if state.phase == "cities":
        inland = [n for n in free_land(state, seat) if n not in coastal(state.world)]
        return [("city", {"city": c, "hex": name(h)}) for c, city in state.cities.items() if city.people == seat and
                city.place < 0 for h in inland] + found  # fmt: skip
    if state.phase == "garrisons":
        return [("garrison", {"city": c, "counters": state.unplaced(seat)[:k]}) for c, city in state.cities.items()
                if city.people == seat for k in range(GARRISON + 1)] + found  # fmt: skip
    return [("place_rest", {}), *found]


def _alliances(state: ZargoState, seat: str) -> list[Told]:
    others = [p for p in state.seats if p != seat]
    kinds = ("propose", "break", "accept") if seat == state.people else ("accept",)
    return [
        *(("next", {}) for _ in others[:1] if seat == state.people),
        *((k, {"with": p}) for k in kinds for p in others),
    ]


def _steps(state: ZargoState, seat: str) -> list[Told]:
    found: list[Told] = []
    for n, c in state.counters.items():
        if c.people != seat or c.place < 0:
            continue
        if c.vanished == 2:
            found += [("reappear", {"counter": n, "hex": state.world.name(h)}) for h in sorted(z13_radius(state, n))]
        elif can_act(c) and n not in state.moved:
            near = (*neighbours(state.world)[c.place], *bridges_from(state.world).get(c.place, ()))
            found += [("move", {"counter": n, "path": [state.world.name(h)]}) for h in near]
            found += [("vanish", {"counter": n})] if c.kind == "monk" else []
    return found


def _fights(state: ZargoState, seat: str) -> list[Told]:
    found: list[Told] = []
    results = {"result": "none"} if state.options["combat_results"] == "told" else {"die": 1}
    hit = {"hit": True} if state.options["combat_results"] == "told" else {"die": 1}
    occupied = state.occupied()
    for n, c in state.counters.items():
        if c.people != seat or not can_act(c) or n in state.acted:
            continue
        for place in neighbours(state.world)[c.place]:
            if place in occupied:
                found.append(("combat", {"attackers": [n], "target": occupied[place], **results}))
            city = state.city_at(place)
            if city is not None:
                found.append(("siege", {"attackers": [n], "city": city, **results}))
        if c.kind in SHOOTERS:
            near = [t for p, t in occupied.items() if distance(state.world, c.place, p) <= FLAME_RANGE]
            found += [("shoot", {"shooters": [n], "target": t, **hit}) for t in near]
    return found


# -- random play --------------------------------------------------------------------------------------------

TRIES = 8  # random actions that are tried before the phase is left


def pick(state: ZargoState, rng: Random) -> Action | None:
    """A random legal action of somebody who is to act; None after the end."""
    who = waiting(state)
    if not who:
        return None
    seat = rng.choice(who)
    if state.phase in STAGES:
        return _pick_set_up(state, seat, rng)
    if state.retreats:
        name = next(n for n in state.retreats if state.counters[n].people == seat)
        places = sorted(retreat_hexes(state, name, state.retreats[name]))
        return _action(seat, "retreat", counter=name, hex=state.world.name(rng.choice(places)))
    if state.phase == "alliances" or seat != state.people:
        return _pick_alliance(state, seat, rng)
    for _ in range(TRIES):
        action = _random_step(state, seat, rng) if state.phase == "moves" else _random_fight(state, seat, rng)
        if action is not None and legal(state, action) is None:
            return action
    leave = _action(seat, "next")
    return leave if legal(state, leave) is None else rng.choice(moves(state, seat))


def _action(seat: str, type: str, **data: object) -> Action:
    return Action(type, {"seat": seat, **data})


def _pick_set_up(state: ZargoState, seat: str, rng: Random) -> Action:
    if state.phase == "cities":
        missing = [n for n, c in state.cities.items() if c.people == seat and c.place < 0]
        inland = [n for n in free_land(state, seat) if n not in coastal(state.world)]
        if missing:
            return _action(seat, "city", city=missing[0], hex=state.world.name(rng.choice(inland)))
    elif state.phase == "garrisons":
        empty = [n for n, c in state.cities.items() if c.people == seat and not state.garrison(c.place)]
        if empty and rng.random() < 0.8:
            some = rng.sample(state.unplaced(seat), min(rng.randint(0, GARRISON), len(state.unplaced(seat))))
            return _action(seat, "garrison", city=empty[0], counters=some)
    elif state.unplaced(seat) and free_land(state, seat):
        return _action(seat, "place_rest")
    return _action(seat, "ready")


def _pick_alliance(state: ZargoState, seat: str, rng: Random) -> Action:
    asked = [one for one, other in state.proposals if other == seat]
    if asked:
        return _action(seat, "accept", **{"with": asked[0]})
    others = [p for p in state.seats if p != seat]
    if rng.random() < 0.1:
        other = rng.choice(others)
        allied = state.friends(seat, other)
        action = _action(seat, "break" if allied else "propose", **{"with": other})
        if legal(state, action) is None:
            return action
    return _action(seat, "next")


def _random_counter(state: ZargoState, seat: str, rng: Random) -> str | None:
    names = list(state.counters)
    for _ in range(TRIES):
        name = names[int(rng.random() * len(names))]
        if state.counters[name].people == seat and state.counters[name].place >= 0:
            return name
    return None


def _random_step(state: ZargoState, seat: str, rng: Random) -> Action | None:
    name = _random_counter(state, seat, rng)
    if name is None or name in state.moved or state.counters[name].stuck:
        return None
    counter = state.counters[name]
    if counter.vanished == 2:
        places = sorted(z13_radius(state, name))
        return _action(seat, "reappear", counter=name, hex=state.world.name(rng.choice(places))) if places else None
    if counter.kind == "monk" and rng.random() < 0.1:
        return _action(seat, "vanish", counter=name)
    return _random_way(state, seat, name, rng)


def _random_way(state: ZargoState, seat: str, name: str, rng: Random) -> Action | None:
    """A movement that is legal more often than not; None where the first steps lead nowhere."""
    path = _random_path(state, seat, name, rng)
    if not path:
        return None
    here, occupied = path[-1], state.occupied()
    body: Json = {"counter": name, "path": [state.world.name(h) for h in path]}
    beside = [occupied[h] for h in neighbours(state.world)[here] if h in occupied and state.city_at(h) is None]
    hostile = [n for n in beside if not state.friends(seat, state.counters[n].people)]
    if hostile:
        body["target"] = rng.choice(hostile)
    if z14_partner(state, name) is not None:
        body["leave"] = not state.counters[name].escorts or rng.random() < 0.5
    elif here in occupied and state.city_at(here) is None:
        body["escort"] = True
    return _action(seat, "move", **body)


def _random_path(state: ZargoState, seat: str, name: str, rng: Random) -> list[int]:
    """Z8-Z10: some steps from hex to hex, up to what ends a movement; back from where nobody may stop."""
    counter, occupied, land = state.counters[name], state.occupied(), geometry(state.world)
    here, path = counter.place, list[int]()
    for _ in range(1 + int(rng.random() * max(state.movement(name), 1))):
        near = land.steps[here]
        here = near[int(rng.random() * len(near))]
        there = occupied.get(here)
        barred = there is not None and not state.friends(seat, state.counters[there].people)
        if barred or (path and land.flat[here] == MOUNTAIN):  # which is climbed in a turn of its own
            break
        path.append(here)
        if land.flat[here] in (CHASM, MOUNTAIN) or z10_zones(state, seat, here, occupied):
            break
    while path and path[-1] in occupied and not _may_stop(state, counter, occupied[path[-1]]):
        path.pop()
    return path


def _may_stop(state: ZargoState, counter: Counter, there: str) -> bool:
    """Z14, Z15: whether a counter may join this one, as escort or escorted, or in an own city."""
    other = state.counters[there]
    pair = (counter.kind == "infantry") != (other.kind == "infantry")
    return counter.people == other.people and (pair or state.city_at(other.place) is not None)


def _random_fight(state: ZargoState, seat: str, rng: Random) -> Action | None:
    name = _random_counter(state, seat, rng)
    if name is None or not can_act(state.counters[name]) or name in state.acted:
        return None
    counter = state.counters[name]
    found = []
    occupied = state.occupied()
    for place in neighbours(state.world)[counter.place]:
        city = state.city_at(place)
        if city is not None and not (state.cities[city].owner and state.friends(seat, state.cities[city].owner)):
            around = [n for h in neighbours(state.world)[place] for n in state.garrison(h)]
            ready = [n for n in around if state.counters[n].people == seat and n not in state.acted]
            result = rng.choice([r for r in RESULTS if r != "defender_back"])
            found.append(_action(seat, "siege", attackers=ready, city=city, **_read(state, rng, result=result)))
        for target in state.garrison(place) if place in occupied else ():
            if not state.friends(seat, state.counters[target].people):
                told_ = _read(state, rng, result=rng.choice(RESULTS))
                found.append(_action(seat, "combat", attackers=[name], target=target, **told_))
    if counter.kind in SHOOTERS and rng.random() < 0.2:
        target = rng.choice(list(state.counters))
        found.append(
            _action(seat, "shoot", shooters=[name], target=target, **_read(state, rng, hit=rng.random() < 0.5))
        )
    return rng.choice(found) if found else None


def _read(state: ZargoState, rng: Random, **result: object) -> Json:
    """A result as told, or a die for the tables."""
    return dict(result) if state.options["combat_results"] == "told" else {"die": rng.randint(1, FACES)}


def z18_editable() -> Json:
    """Z18: what the text does not tell, for the editor: the tables, empty; the factors; the house map."""
    factors = {f"{people}-{kind}": list(FACTORS) for people in PEOPLES for kind in FORCES[people]}
    return {
        "tables": {**{weapon: {} for weapon in SHOTS}, "combats": {}},
        "factors": factors,
        "map": write_map(default_map()),
    }


GAME: Game[ZargoState] = Game(
    name="zargo",
    title=Text("Zargo's Lords", "Zargo's Lords"),
    start=z3_start,
    legal=legal,
    apply=apply,
    outcome=z16_outcome,
    view=view,
    players=(2, 4),
    options=OPTIONS,
    view_for=view_for,
    told=told,
    moves=moves,
    pick=pick,
    waiting=waiting,
    to_json=dump,
    from_json=lambda data: load(ZargoState, data),
    reveals=reveals,
    seat_names=PEOPLES,
    editable=z18_editable,
    deeds=ACTIONS,
    offers=offers,
)
