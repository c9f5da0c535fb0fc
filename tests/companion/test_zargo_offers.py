"""What Zargo's Lords offers while an action is composed, held against what it accepts, over random positions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.games.base import Action, Json, MalformedAction
from companion.games.zargo import GAME, legal
from companion.games.zargo_map import SEA, TERRAIN, direction, geometry, neighbours
from companion.games.zargo_moves import can_act, z14_partner
from companion.games.zargo_state import OFF, Step, ZargoState
from companion.games.zargo_tables import RESULTS
from tests.companion.random_setups import ARENA, random_setup

MATCHES, ACTIONS = 50, 110  # about three thousand positions in which somebody moves or fights
TRIES = 12  # actions that are made up in each of them
WRAPPED = {**ARENA, "wraps": [["0202", "1107"], ["0203", "0802"], ["0207", "1102"]],
           "bridges": [*ARENA["bridges"], ["0802", "0507"]]}  # fmt: skip


def rough_map(rng: Random) -> dict[str, Any]:
    """A map with every terrain at random on the land of the usual one."""
    rows = [
        "".join(c if c == SEA else rng.choice(TERRAIN[1:] + TERRAIN[1:2] * 4) for c in row) for row in ARENA["terrain"]
    ]
    return {**WRAPPED, "terrain": rows}


def drawn_setup(seed: int) -> Json:
    rng, setup = Random(seed), random_setup("zargo", seed)
    kinds = {"knights": ("knight", "infantry", "sorcerer", "archer"),
             "dragons": ("dragon", "infantry", "flamethrower", "serpent"),
             "winged": ("winged", "falcon", "infantry", "archer"),
             "monks": ("monk", "infantry", "rider", "illusionist")}  # fmt: skip
    factors = {f"{p}-{k}": [rng.randint(0, 6), rng.randint(0, 6)] for p, some in kinds.items() for k in some}
    world = rough_map(rng) if rng.random() < 0.7 else WRAPPED
    return {**setup, "map": world, "factors": factors, "months": 25}


def eager(state: ZargoState, rng: Random) -> Action | None:
    """A random legal action; of fights and charges more than usual, so that there are some."""
    if state.phase == "engagements" and not state.retreats:
        found = [made_up(state, rng) for _ in range(6)]
        good = [a for a in found if legal(state, a) is None]
        if good and rng.random() < 0.7:
            return rng.choice(good)
    return GAME.pick(state, rng)


def positions(seed: int) -> Any:
    """The positions of one random match in which the people whose turn it is composes something."""
    rng = Random(seed)
    state = GAME.start(drawn_setup(seed))
    for _ in range(ACTIONS):
        action = eager(state, rng)
        if action is None:
            return
        state = GAME.apply(state, action)
        if state.phase in ("moves", "engagements") and not state.retreats:
            yield (with_a_serpent_that_won(state, rng) if state.phase == "engagements" else state), rng


def with_a_serpent_that_won(state: ZargoState, rng: Random) -> ZargoState:
    """The same position where one of the people's serpents, if it has any, came straight and has won: that is rare."""
    able = [n for n, c in state.counters.items() if c.people == state.people and c.kind == "serpent" and can_act(c)
            and state.city_at(c.place) is None and z14_partner(state, n) is None]  # fmt: skip
    if not able or rng.random() < 0.3:
        return state
    name = rng.choice(able)
    step = Step(1, rng.randint(1, 2), rng.randrange(6), won=True)
    return replace(state, moved={**state.moved, name: step}, acted=state.acted | {name}, fought=True)


def offered(state: ZargoState, seat: str | None = None, **plan: Any) -> Json:
    return GAME.offers(state, seat or state.people, plan).fields


# -- nothing that is offered cannot be done ----------------------------------------------------------------------------


def compose(state: ZargoState, rng: Random) -> Json | None:
    """What somebody makes who taps at random what is offered; the action, None where nobody can act."""
    own = offered(state)["own"]
    if not own:
        return None
    onward = [n for n in own if n in state.acted and state.counters[n].kind == "serpent"]
    plan: Json = {"chosen": [rng.choice(onward or own)]}
    for _ in range(40):
        told = offered(state, **plan)
        assert told["chosen"] == plan["chosen"], "what was offered stands when it is chosen"
        for name in ("path", "target", "leave", "doing", "result", "die", "charges"):
            assert not plan.get(name) or told.get(name) == plan[name], name
        if not told["deeds"]:  # it comes back, or vanishes: that is listed
            assert any(m.data.get("counter") == plan["chosen"][0] for m in GAME.moves(state, state.people))
            return None
        if told["order"] and rng.random() < 0.5:
            return dict(told["order"])
        others = [d for d in told["deeds"] if d != told["doing"]]
        alone = plan["chosen"][:1] if state.phase == "moves" else plan["chosen"]  # who moves does so alone
        further = [*({"path": [*told.get("path", []), h], "target": None} for h in told.get("steps", ())),
                   *({"target": t, "result": None, "charges": None} for t in told["targets"] if t != told["target"]),
                   *({"chosen": [*plan["chosen"], n]} for n in told["joins"]),
                   *({"result": r} for r in told.get("results", ())), *({"die": d} for d in told.get("dice", ())),
                   *({"charges": {n: s}} for n in told.get("chargers", ()) for s in told["sides"]),
                   *({"bonus": rng.randint(-9, 9)} for _ in told.get("force", ())[:1]),
                   *({"leave": not told["leave"], "path": [], "target": None} for _ in range(1) if told.get("leaves")),
                   *({**dict.fromkeys(plan), "chosen": alone, "doing": d, "bonus": 0} for d in others)]  # fmt: skip
        if not further or (told["order"] and rng.random() < 0.3):
            assert told["order"], f"{plan} leads nowhere"
            return dict(told["order"])
        plan = {**plan, **rng.choice(further)}
    return dict(told["order"]) if told["order"] else None


def test_whatever_is_offered_can_be_completed_and_is_accepted() -> None:
    composed = dict.fromkeys(("move", "combat", "siege", "shoot", "charge_on"), 0)
    seen = 0
    for seed in range(MATCHES):
        for state, rng in positions(seed):
            seen += 1
            for _ in range(3):
                made = compose(state, rng)
                if made is not None:
                    composed[made["type"]] += 1
                    assert legal(state, Action(made["type"], {"seat": state.people, **made["data"]})) is None
    assert seen > 1000
    assert min(composed.values()) >= 5, composed


# -- nothing that can be done is not offered ---------------------------------------------------------------------------


def made_up(state: ZargoState, rng: Random) -> Action:
    """An action of the people whose turn it is, made up without a look at what is offered; most are not legal."""
    seat = state.people
    mine = [n for n, c in state.counters.items() if c.people == seat and c.place != OFF] or list(state.counters)
    name = rng.choice(mine)
    if state.phase == "moves" and not (state.counters[name].kind == "dragon" and rng.random() < 0.3):
        return made_up_way(state, rng, name)
    others = [n for n, c in state.counters.items() if c.people != seat and c.place != OFF] or mine
    place = state.counters[name].place
    beside = [n for n in others if state.counters[n].place in neighbours(state.world)[place]]
    target = rng.choice(beside or others)
    told = state.options["combat_results"] == "told"
    read: Json = {"result": rng.choice(RESULTS)} if told else {"die": rng.randint(1, 6)}
    at = state.counters[target].place
    around = [n for n in mine if state.counters[n].place in neighbours(state.world)[at]]
    names = rng.sample(around, rng.randint(1, min(3, len(around)))) if around and rng.random() < 0.8 else [name]
    city = state.city_at(at)
    serpents = [n for n, step in state.moved.items() if step.won and state.counters[n].kind == "serpent"
                and state.counters[n].place != OFF]  # fmt: skip
    if serpents and rng.random() < 0.6:
        return made_up_charge(state, rng, serpents[0])
    if state.phase == "moves" or rng.random() < 0.2:
        some = [n for n in mine if state.counters[n].kind in ("dragon", "flamethrower")] or mine
        shooters = rng.sample(some, rng.randint(1, min(2, len(some)))) if rng.random() < 0.5 else [name]
        hit = {"hit": rng.random() < 0.5} if told else read
        return Action("shoot", {"seat": seat, "shooters": shooters, "target": target, **hit})
    if city is not None:
        return Action("siege", {"seat": seat, "attackers": names, "city": city,
                                **(read if rng.random() < 0.8 else {})})  # fmt: skip
    charges = {n: rng.choice(("front", "side")) for n in names if n in state.moved and rng.random() < 0.5}
    return Action("combat", {"seat": seat, "attackers": names, "target": target, "charges": charges,
                             "bonus": rng.randint(-9, 9), **read})  # fmt: skip


def made_up_charge(state: ZargoState, rng: Random, name: str) -> Action:
    """Along the serpent's line more often than not, against somebody at its end."""
    land, here, path = geometry(state.world), state.counters[name].place, list[int]()
    for _ in range(rng.randint(1, 3)):
        near = land.near[here]
        line = [h for h in near if direction(state.world, here, h) == state.moved[name].way]
        here = rng.choice(line if line and rng.random() < 0.95 else near)
        path.append(here)
    standing = [(n, c) for n, c in state.counters.items() if c.place in land.near[here]]
    beside = [n for n, c in standing if c.people != state.people] or [name]
    told = {"counter": name, "path": [land.names[h] for h in path], "target": rng.choice(beside)}
    return Action("charge_on", {"seat": state.people, **told})


def made_up_way(state: ZargoState, rng: Random, name: str) -> Action:
    land = geometry(state.world)
    here, path = state.counters[name].place, list[int]()
    straight, way = rng.random() < 0.3, rng.randrange(6)
    for _ in range(rng.randint(1, 5)):
        near = (*land.near[here], *land.bridges.get(here, ()))
        here = near[way % len(near)] if straight else rng.choice(near)
        path.append(here)
    beside = [n for n, c in state.counters.items() if c.place in land.near[here]]
    beside += [n for n, c in state.cities.items() if c.place in land.near[here]]
    more: Json = {"target": rng.choice(beside)} if beside and rng.random() < 0.6 else {}
    more |= {flag: True for flag in ("leave", "escort") if rng.random() < 0.3}
    return Action("move", {"seat": state.people, "counter": name, "path": [land.names[h] for h in path], **more})


def taps(action: Action, state: ZargoState) -> Json | None:
    """The plan that an action comes from; None for what means nothing more than another that is offered."""
    data = {k: v for k, v in action.data.items() if k != "seat"}
    if action.type == "move":
        if data.pop("escort", False) and state.city_at(geometry(state.world).by_name[data["path"][-1]]) is not None:
            return None  # in a city nobody is escorted: the field says nothing
        return {"chosen": [data["counter"]], "doing": "move", "path": data["path"], "target": data.get("target"),
                "leave": data.get("leave", False)}  # fmt: skip
    if action.type == "charge_on":
        return {"chosen": [data["counter"]], "doing": "charge_on", "path": data["path"], "target": data["target"]}
    if action.type == "shoot":
        read = {"result": "hit" if data["hit"] else "missed"} if "hit" in data else {"die": data["die"]}
        return {"chosen": data["shooters"], "doing": "shoot", "target": data["target"], **read}
    plan = {"chosen": data["attackers"], "doing": "combat", "target": data.get("target") or data["city"]}
    if action.type == "siege":
        read = {k: data[k] for k in ("result", "die") if k in data}
        if data.get("result") == "defender_back":
            return None  # where nobody is left to fall back it says nothing
        if not read and (state.options["combat_results"] == "table" or garrison_of(state, data["city"]) is not None):
            return None  # what comes of it is known, whatever the die says
        return {**plan, **(read or {"result": "reveal"})}
    return {**plan, **{k: data[k] for k in ("charges", "bonus", "result", "die") if k in data}}


def garrison_of(state: ZargoState, city: str) -> int | None:
    """How many stand in a city, as the people whose turn it is knows."""
    shown = GAME.seen_by(state, state.people)["cities"]
    return next(one["garrison"] for one in shown if one["city"] == city)


def holds(state: ZargoState, action: Action, plan: Json) -> None:
    """Whether taps that compose a legal action are all offered, one after the other."""
    assert plan["chosen"][0] in offered(state)["own"], action
    first = {"chosen": plan["chosen"][:1], "doing": plan["doing"]}
    assert plan["doing"] in offered(state, **first)["deeds"], action
    for n in range(1, len(plan["chosen"])):
        assert plan["chosen"][n] in offered(state, **{**first, "chosen": plan["chosen"][:n]})["joins"], action
    so_far = {k: plan[k] for k in ("chosen", "doing", "leave") if k in plan}
    for n, name in enumerate(plan.get("path", ())):
        assert name in offered(state, **so_far, path=plan["path"][:n])["steps"], action
    told = offered(state, **plan)
    assert told["order"] is not None, (action, GAME.offers(state, state.people, plan).refused)
    assert told["order"]["type"] == action.type
    made = GAME.apply(state, Action(action.type, {"seat": state.people, **told["order"]["data"]}))
    assert made == GAME.apply(state, action)


def test_whatever_is_accepted_is_offered() -> None:
    found = dict.fromkeys(("move", "combat", "siege", "shoot", "charge_on"), 0)
    for seed in range(MATCHES, 2 * MATCHES):
        for state, rng in positions(seed):
            for _ in range(TRIES):
                action = made_up(state, rng)
                plan = taps(action, state) if legal(state, action) is None else None
                if plan is not None:
                    found[action.type] += 1
                    holds(state, action, plan)
    assert min(found.values()) >= 5, found


def test_z4_where_cities_and_counters_may_be_placed_is_offered_exactly() -> None:
    assert GAME.waiting is not None
    asked = Counter[str]()
    for seed in range(20):
        rng, state = Random(seed), GAME.start(drawn_setup(seed))
        names = geometry(state.world).names
        while state.phase in ("cities", "garrisons", "rest"):
            for seat in GAME.waiting(state):
                told = offered(state, seat)
                if state.phase == "garrisons":
                    assert told == {"most": 4}
                    continue
                if state.phase == "cities":
                    thing = f"{seat}-city-1"
                    place = state.cities[thing].place
                    tries = {
                        h: Action("city", {"seat": seat, "city": thing, "hex": h})
                        for n, h in enumerate(names)
                        if n != place
                    }
                elif state.unplaced(seat):
                    tries = {
                        h: Action("place", {"seat": seat, "counters": {state.unplaced(seat)[0]: h}}) for h in names
                    }
                else:
                    continue
                assert told["hexes"] == [h for h, action in tries.items() if legal(state, action) is None]
                asked[state.phase] += 1
            action = GAME.pick(state, rng)
            assert action is not None
            state = GAME.apply(state, action)
    assert min(asked["cities"], asked["rest"]) >= 20, asked


def test_z4_who_stands_in_an_enemys_city_changes_nothing_that_is_offered() -> None:
    compared = 0
    for seed in range(20):
        for state, _ in positions(seed):
            garrisons = [state.garrison(c.place) for c in state.cities.values() if c.place != OFF]
            veiled = [n for inside in garrisons if all(state.counters[m].hidden for m in inside) for n in inside]
            hidden = [n for n in veiled if not state.friends(state.counters[n].people, state.people)]
            if not hidden or state.options["garrison_size"] == "shown":
                continue
            gone = {n: replace(state.counters[n], place=OFF, hidden=False) for n in hidden}
            empty = replace(state, counters={**state.counters, **gone})
            for chosen in ([], *([n] for n in offered(state)["own"])):
                assert offered(state, chosen=chosen) == offered(empty, chosen=chosen)
                compared += 1
    assert compared > 1000


def test_a_plan_that_is_none_is_refused_and_what_is_over_is_left_out() -> None:
    state, _ = next(iter(positions(3)))
    for told in ({"chosen": "all"}, {"steps": []}, {"bonus": True}, {"charges": {"a": 1}}, {"path": [1]}):
        with pytest.raises(MalformedAction):
            offered(state, **told)
    assert offered(state, "nobody") == {}
    fields = offered(state, chosen=["gone", *offered(state)["own"][:1]], path=["9999"], target="gone")
    assert fields["chosen"] == offered(state)["own"][:1]
    assert fields.get("path", []) == []
    assert fields.get("target") is None
