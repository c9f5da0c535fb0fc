"""What can be chosen next for an action of Zargo's Lords that is being composed, and the action that it makes.

A plan is what somebody has chosen so far, each field optional: chosen (own counters), doing (move, shoot, combat,
charge_on), path (hexes), leave (its escort), target (a counter or a city), charges {knight: front or side}, bonus, and
result or die. Nothing is offered that cannot be completed to a legal action, as far as the people can know, and nothing
legal is left out: who stands in an enemy's city plays no part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.games.base import Action, IllegalMove, Json, MalformedAction, Offered, Text
from companion.games.zargo_fights import (
    CHARGE,
    MOST_BONUS,
    z6_fighters,
    z11_charged,
    z12_in_range,
    z12_weapon,
)
from companion.games.zargo_map import coastal, names_of, neighbours
from companion.games.zargo_moves import z13_radius, z13_vanish, z14_partner
from companion.games.zargo_setup import STAGES, free_land
from companion.games.zargo_state import GARRISON, SHOOTERS, ZargoState
from companion.games.zargo_tables import FACES, RESULTS
from companion.games.zargo_view import z4_garrison_size
from companion.games.zargo_ways import Ways, is_prey, z12_onward, z12_prey, z12_spent

REVEAL = "reveal"  # of a siege: who stands in the city is shown, and nothing more
HIT = ("hit", "missed")
TOGETHER = ("combat", "shoot")


@dataclass(frozen=True, slots=True)
class Plan:
    """What has been chosen so far."""

    chosen: tuple[str, ...] = ()
    doing: str | None = None
    path: tuple[str, ...] = ()
    leave: bool | None = None
    target: str | None = None
    charges: Mapping[str, str] | None = None
    bonus: int = 0
    result: str | None = None
    die: int | None = None


def _texts(told: Any) -> bool:
    return isinstance(told, list | tuple) and all(isinstance(one, str) for one in told)


TEXT = Text("a text", "un texte")
TEXTS = Text("a list of texts", "une liste de textes")
SIDES = Text("front or side by counter", "front ou side par pion")
WHOLE = Text("a whole number", "un nombre entier")
KINDS: dict[str, tuple[Callable[[Any], bool], Text]] = {
    "chosen": (_texts, TEXTS),
    "path": (_texts, TEXTS),
    "doing": (lambda v: isinstance(v, str), TEXT),
    "target": (lambda v: isinstance(v, str), TEXT),
    "result": (lambda v: isinstance(v, str), TEXT),
    "leave": (lambda v: isinstance(v, bool), Text("true or false", "true ou false")),
    "bonus": (lambda v: type(v) is int, WHOLE),
    "die": (lambda v: type(v) is int, WHOLE),
    "charges": (
        lambda v: isinstance(v, Mapping) and _texts([*v, *v.values()]),
        Text("front or side by counter", "front ou side par pion"),
    ),
}


def read_plan(told: Mapping[str, Any]) -> Plan:
    """A plan as a page tells it; null for what is not chosen. Raises MalformedAction."""
    found: Json = {}
    for name, value in told.items():
        if name not in KINDS:
            known = ", ".join(KINDS)
            raise MalformedAction("plan: unknown field {name!r}, expected {expected}", name=name, expected=known)
        good, expected = KINDS[name]
        if value is not None and not good(value):
            raise MalformedAction("plan: {name}: found {value!r}, expected {expected}", name=name, value=value,
                                  expected=expected)  # fmt: skip
        if value is not None:
            found[name] = tuple(value) if isinstance(value, list) else value
    return Plan(**found)


def offers(
    state: ZargoState, seat: str, told: Mapping[str, Any], legal: Callable[[ZargoState, Action], IllegalMove | None]
) -> Offered:
    """What can be chosen next, what of the plan still stands, and the action that it makes; nothing where the seat has
    nothing to compose now. legal: as the game judges an action. Raises MalformedAction."""
    plan = read_plan(told)
    if seat not in state.seats or state.phase == "over" or state.retreats:
        return Offered({})
    if state.phase in STAGES:
        return Offered({} if seat in state.ready else _set_up(state, seat))
    if seat != state.people or state.phase not in ("moves", "engagements"):
        return Offered({})
    fields, order = (_moving if state.phase == "moves" else _engaging)(_Table(state, seat), plan)
    refused = legal(state, Action(order.type, {**order.data, "seat": seat})) if order is not None else None
    good = order if refused is None else None
    return Offered({**fields, "order": None if good is None else {"type": good.type, "data": dict(good.data)}}, refused)


def _set_up(state: ZargoState, seat: str) -> Json:
    """Z4: where cities or counters may be placed; how many fit into a city."""
    if state.phase == "garrisons":
        return {"most": GARRISON}
    free = free_land(state, seat)
    shore = coastal(state.world) if state.phase == "cities" else frozenset[int]()
    return {"hexes": [state.world.name(place) for place in free if place not in shore]}


class _Table:
    """A position as one people sees it, and what has been found out about it."""

    def __init__(self, state: ZargoState, seat: str) -> None:
        self.state, self.seat = state, seat
        self.mine = [n for n, c in state.counters.items() if c.people == seat and c.place >= 0]

    @cached_property
    def fighters(self) -> list[str]:
        """Z6: those who may shoot or fight now."""
        return [n for n in self.mine if _may(z6_fighters, self.state, self.seat, (n,))]

    @cached_property
    def shooters(self) -> dict[str, str]:
        """Z6, Z12: those who may shoot now, with their weapons."""
        armed = [n for n in self.fighters if self.state.counters[n].kind in SHOOTERS]
        return {n: z12_weapon(self.state, (n,)) for n in armed if _may(z12_weapon, self.state, (n,))}

    @cached_property
    def prey(self) -> dict[str, int]:
        """Z10: the enemies who may be attacked by themselves, with their hexes."""
        near = self.state.occupied()
        return {n: place for place, n in near.items() if is_prey(self.state, self.seat, n)}

    @cached_property
    def besiegable(self) -> dict[str, int]:
        """Z15: the cities that are no friend's."""
        cities = self.state.cities.items()
        hostile = {n: c for n, c in cities if not (c.owner and self.state.friends(self.seat, c.owner))}
        return {n: c.place for n, c in hostile.items() if c.place >= 0}

    @cached_property
    def near(self) -> dict[str, frozenset[str]]:
        """Z10, Z15, Z18: whom each fighter can attack, alone or with others; nobody while the table is empty."""
        beside: dict[str, list[str]] = {n: [] for n in self.fighters}
        if self.state.options["combat_results"] == "table" and not self.state.tables.combats:
            return {n: frozenset() for n in beside}
        targets: dict[int, list[str]] = {}
        for name, place in (*self.prey.items(), *self.besiegable.items()):
            targets.setdefault(place, []).append(name)
        for n in beside:
            for place in neighbours(self.state.world)[self.state.counters[n].place]:
                beside[n] += targets.get(place, ())
        against: dict[str, list[str]] = {}
        for n, names in beside.items():
            for name in names:
                against.setdefault(name, []).append(n)
        enough = {name for name, who in against.items() if self._enough(name, who)}
        return {n: frozenset(names) & enough for n, names in beside.items()}

    def _enough(self, target: str, who: list[str]) -> bool:
        """Z15: whether all who could attack together are as many, or as strong, as is asked for."""
        if target in self.state.cities:
            return len(who) >= (z4_garrison_size(self.state, target, self.seat) or 0)
        if self.state.options["combat_results"] == "told":
            return True
        most = sum(self.state.combat(n) + (max(CHARGE.values()) if z11_charged(self.state, n) else 0) for n in who)
        return most + MOST_BONUS - self.state.combat(target) >= min(self.state.tables.combats)

    def targets(self, names: tuple[str, ...], doing: str) -> list[str]:
        """Whom these can attack, or shoot at, together."""
        if doing == "combat":
            return sorted(frozenset.intersection(*(self.near.get(n, frozenset()) for n in names)))
        if any(n not in self.shooters for n in names) or (len(names) > 1 and not self._flames(names)):
            return []
        return [t for t, place in self.prey.items() if all(z12_in_range(self.state, n, place) for n in names)]

    def _flames(self, names: tuple[str, ...]) -> bool:
        return all(self.shooters[n] == "flames" for n in names)

    def joins(self, names: tuple[str, ...], doing: str, target: str | None, own: list[str]) -> list[str]:
        """Who can act together with these."""
        rest = [n for n in own if n not in names]
        found = []
        for n in rest:
            targets = self.targets((*names, n), doing)
            if (target in targets) if target is not None else targets:
                found.append(n)
        return found

    def beside(self, names: tuple[str, ...], own: list[str]) -> list[str]:
        """Others on the hex of one of these, who could be chosen instead."""
        places = {self.state.counters[n].place for n in names}
        return [n for n in own if n not in names and self.state.counters[n].place in places]


def _may(ask: Callable[..., object], *told: Any) -> bool:
    """Whether a rule allows something: those that do not, raise."""
    try:
        ask(*told)
    except IllegalMove:
        return False
    return True


def _moving(table: _Table, plan: Plan) -> tuple[Json, Action | None]:
    """The movements (Z8-Z10, Z12-Z14)."""
    state = table.state
    can = {n: found for n in table.mine if (found := _deeds(table, n))}
    own = list(can)
    chosen = tuple(n for n in plan.chosen if n in can)
    if not chosen:
        return {"own": own}, None
    deeds = can[chosen[0]]
    doing = plan.doing if plan.doing in deeds else deeds[0]
    chosen = _together(table, chosen, "shoot") if doing == "shoot" else chosen[:1]
    fields: Json = {"own": own, "chosen": list(chosen), "doing": doing,
                    "deeds": [d for d in deeds if d not in ("reappear", "vanish")],
                    "joins": [], "beside": table.beside(chosen, own)}  # fmt: skip
    if doing == "shoot":
        return _shooting(table, plan, chosen, fields)
    if doing == "move":
        return _on_the_way(state, plan, chosen[0], fields)
    return fields, None


def _deeds(table: _Table, name: str) -> list[str]:
    """What a counter can do in the movements."""
    state, counter = table.state, table.state.counters[name]
    if counter.vanished == 2 and z13_radius(state, name):
        return ["reappear"]
    found = ["move"] if any(Ways(state, name, leave).possible() for leave in _leaves(state, name)) else []
    if name in table.shooters and table.targets((name,), "shoot"):
        found.append("shoot")
    if not found and counter.kind == "monk":
        told = Action("vanish", {"counter": name})
        found += ["vanish"] if _may(z13_vanish, state, told, table.seat) else []
    return found


def _leaves(state: ZargoState, name: str) -> tuple[bool, ...]:
    return (False, True) if z14_partner(state, name) is not None else (False,)


def _on_the_way(state: ZargoState, plan: Plan, name: str, fields: Json) -> tuple[Json, Action | None]:
    leaves = [leave for leave in _leaves(state, name) if Ways(state, name, leave).possible()]
    leave = plan.leave if plan.leave in leaves else leaves[0]
    ways, hexes, path = Ways(state, name, leave), names_of(state.world), list[int]()
    for told in plan.path:  # as far as it still leads somewhere
        if hexes.get(told) not in ways.onward(path):
            break
        path.append(hexes[told])
    names = [state.world.name(place) for place in path]
    reached, ending = ways.reached(path), ways.ending(path) if path else None
    targets = list(ending.targets) if ending is not None else []
    target = plan.target if plan.target in targets else None
    fields |= {"path": names, "steps": [state.world.name(place) for place in ways.onward(path)],
               "cost": reached.cost if reached is not None else 0, "movement": state.movement(name), "leave": leave,
               "leaves": len(leaves) > 1, "escort": ending is not None and ending.escort,
               "targets": targets, "target": target}  # fmt: skip
    if not path:
        return fields, None
    more: Json = {**({"target": target} if target is not None else {}), **({"leave": True} if leave else {}),
                  **({"escort": True} if ending is not None and ending.escort else {})}  # fmt: skip
    return fields, Action("move", {"counter": name, "path": names, **more})


def _together(table: _Table, chosen: tuple[str, ...], doing: str) -> tuple[str, ...]:
    """Those of the chosen who can still do it together, from the first on."""
    found: tuple[str, ...] = ()
    for n in chosen:
        if n not in found and table.targets((*found, n), doing):
            found = (*found, n)
    return found


def _engaging(table: _Table, plan: Plan) -> tuple[Json, Action | None]:
    """The engagements (Z6, Z10-Z12, Z15)."""
    state, seat = table.state, table.seat
    lines = {n for n in table.mine if n in state.acted and z12_onward(state, seat, n, [])}
    own = [n for n in table.mine if n in lines or table.near.get(n) or (n in table.shooters and
           table.targets((n,), "shoot"))]  # fmt: skip
    chosen = tuple(n for n in plan.chosen if n in own)
    if not chosen:
        return {"own": own}, None
    if chosen[-1] in lines:
        return _charging_on(table, plan, chosen[-1], own)
    chosen = tuple(n for n in chosen if n not in lines)
    groups = {doing: _together(table, chosen, doing) for doing in TOGETHER}
    longest = max(map(len, groups.values()))
    deeds = [doing for doing, names in groups.items() if len(names) == longest]
    doing = plan.doing if plan.doing is not None and groups.get(plan.doing) else deeds[0]
    chosen = groups[doing]
    deeds = [d for d in TOGETHER if d == doing or _together(table, chosen, d) == chosen]
    fields: Json = {"own": own, "chosen": list(chosen), "doing": doing, "deeds": deeds,
                    "beside": table.beside(chosen, own)}  # fmt: skip
    return (_shooting if doing == "shoot" else _fighting)(table, plan, chosen, fields)


def _charging_on(table: _Table, plan: Plan, name: str, own: list[str]) -> tuple[Json, Action | None]:
    state, seat, hexes, path = table.state, table.seat, names_of(table.state.world), list[int]()
    for told in plan.path:
        if hexes.get(told) not in z12_onward(state, seat, name, path):
            break
        path.append(hexes[told])
    names = [state.world.name(place) for place in path]
    targets = z12_prey(state, seat, path[-1]) if path else []
    target = plan.target if plan.target in targets else None
    steps = [state.world.name(place) for place in z12_onward(state, seat, name, path)]
    cost = z12_spent(state, name, path)
    fields: Json = {"own": own, "chosen": [name], "doing": "charge_on", "deeds": ["charge_on"], "joins": [],
                    "beside": table.beside((name,), own), "path": names, "steps": steps, "targets": targets,
                    "target": target, "cost": cost, "movement": state.movement(name)}  # fmt: skip
    if target is None:
        return fields, None
    return fields, Action("charge_on", {"counter": name, "path": names, "target": target})


def _shooting(table: _Table, plan: Plan, chosen: tuple[str, ...], fields: Json) -> tuple[Json, Action | None]:
    targets = table.targets(chosen, "shoot")
    target = plan.target if plan.target in targets else None
    fields |= {"targets": targets, "target": target, "joins": table.joins(chosen, "shoot", target, fields["own"])}
    if target is None:
        return fields, None
    read = _read(table.state, plan, HIT, fields)
    if not read:
        return fields, None
    told = {"hit": read["result"] == "hit"} if "result" in read else read
    return fields, Action("shoot", {"shooters": list(chosen), "target": target, **told})


def _fighting(table: _Table, plan: Plan, chosen: tuple[str, ...], fields: Json) -> tuple[Json, Action | None]:
    state, targets = table.state, table.targets(chosen, "combat")
    target = plan.target if plan.target in targets else None
    fields |= {"targets": targets, "target": target, "joins": table.joins(chosen, "combat", target, fields["own"])}
    if target is None:
        return fields, None
    if target in state.cities:
        return _besieging(table, plan, chosen, target, fields)
    charged = [n for n in chosen if z11_charged(state, n)]
    charges = {n: side for n, side in (plan.charges or {}).items() if n in charged and side in CHARGE}
    bonus = max(-MOST_BONUS, min(plan.bonus, MOST_BONUS))
    attack = sum(state.combat(n) for n in chosen) + sum(CHARGE[side] for side in charges.values()) + bonus
    fields |= {"chargers": charged, "charges": charges, "sides": list(CHARGE), "bonus": bonus, "most_bonus": MOST_BONUS,
               "force": [attack, state.combat(target)]}  # fmt: skip
    read = _read(state, plan, RESULTS, fields)
    if not read:
        return fields, None
    more = {**({"charges": charges} if charges else {}), **({"bonus": bonus} if bonus else {})}
    return fields, Action("combat", {"attackers": list(chosen), "target": target, **more, **read})


def _besieging(
    table: _Table, plan: Plan, chosen: tuple[str, ...], city: str, fields: Json
) -> tuple[Json, Action | None]:
    """Z15: a garrison does not fall back; one that is not known may only be shown."""
    state = table.state
    inside = state.garrison(state.cities[city].place)
    size = z4_garrison_size(state, city, table.seat)
    veiled = size is None or any(state.counters[n].hidden for n in inside)
    results = (*((REVEAL,) if veiled else ()), *(one for one in RESULTS if one != "defender_back"))
    read = _read(state, plan, results, fields)
    if not read:
        return fields, None
    told = {} if read.get("result") == REVEAL else read
    return fields, Action("siege", {"attackers": list(chosen), "city": city, **told})


def _read(state: ZargoState, plan: Plan, results: tuple[str, ...], fields: Json) -> Json:
    """A result as told, or the die for the tables; empty while neither is chosen."""
    if state.options["combat_results"] == "told":
        fields |= {"results": list(results), "result": plan.result if plan.result in results else None}
        return {"result": plan.result} if plan.result in results else {}
    die = plan.die if plan.die is not None and 1 <= plan.die <= FACES else None
    fields |= {"dice": list(range(1, FACES + 1)), "die": die}
    return {"die": die} if die is not None else {}
