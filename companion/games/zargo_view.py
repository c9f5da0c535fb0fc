"""What screens show of Zargo: map, calendar and cities; who stands in a garrison only to its own people."""

from __future__ import annotations

from companion.games.base import Action, Json, but_secrets
from companion.games.zargo_map import ZargoMap
from companion.games.zargo_state import FORCES, OFF, ZargoState
from companion.games.zargo_turns import z16_cities, z16_outcome

SECRET = {"garrison": ("counters",)}  # fields that only the acting people may read


def view(state: ZargoState) -> Json:
    """Z4: the table as everybody may see it."""
    return _view(state, None)


def view_for(state: ZargoState, seat: str) -> Json:
    """Z4: the same with this people's own garrisons."""
    return {**_view(state, seat), "seat": seat}


def z4_garrison_size(state: ZargoState, name: str, seat: str | None) -> int | None:
    """Z4, Z18: how many counters stand in a city; None where the viewer may not know it."""
    city = state.cities[name]
    if city.place == OFF:
        return 0
    inside = state.garrison(city.place)
    open_ = bool(inside) and not any(state.counters[n].hidden for n in inside)
    return len(inside) if open_ or seat == city.owner or state.options["garrison_size"] == "shown" else None


def reveals(action: Action) -> frozenset[str]:
    """Z15: a siege reveals who stands in a city."""
    return frozenset({str(action.data.get("city"))}) if action.type == "siege" else frozenset()


def told(action: Action, seat: str | None) -> Json:
    """Z4: an action's data for the stream; a garrison's counters go to its owner only.

    A counter that enters a city of its own is turned over there, and was in the open before.
    """
    return but_secrets(action, seat, SECRET)


def _view(state: ZargoState, seat: str | None) -> Json:
    outcome = z16_outcome(state)
    setting_up = state.phase in ("cities", "garrisons", "rest")
    return {
        "game": "zargo",
        "match": 1,
        "phase": "match_over" if state.phase == "over" else state.phase,
        "round": state.month,
        "months": state.months,
        "paused": False,
        "turn": None if setting_up or state.phase == "over" else state.people,
        "players": [_player(state, p, seat) for p in state.seats],
        "map": _map(state.world),
        "counters": [_counter(state, n) for n, c in state.counters.items()
                     if c.place != OFF and (not c.hidden or c.people == seat)],
        "cities": [_city(state, n, seat) for n in state.cities],
        "alliances": sorted(list(pair) for pair in state.alliances),
        "proposals": sorted(list(pair) for pair in state.proposals),
        "retreats": [{"counter": n, "hexes": far} for n, far in state.retreats.items()],
        "targets": {a: t for a, t in state.targets.items() if not state.counters[a].hidden},
        "tables_filled": bool(state.tables.combats),
        "options": dict(state.options),
        "pucks": [], "doors": [], "todo": [], "question": None, "rounds": [],
        "winner": outcome.winner if outcome else None,
        "winners": list(outcome.winners) if outcome else [],
        "reason": outcome.reason.to_json() if outcome else None,
        "last": state.log[-1].text.to_json() if state.log else None,
        "log": [line.to_json() for line in state.log],
    }  # fmt: skip


def _map(world: ZargoMap) -> Json:
    return {
        "columns": world.columns,
        "rows": len(world.terrain),
        "terrain": list(world.terrain),
        "continents": list(world.continents),
        "bridges": [[world.name(a), world.name(b)] for a, b in world.bridges],
        "wraps": [[world.name(a), world.name(b)] for a, b in world.wraps],
    }


def _counter(state: ZargoState, name: str) -> Json:
    counter = state.counters[name]
    return {
        "counter": name,
        "team": counter.people,
        "kind": counter.kind,
        "hex": state.world.name(counter.place),
        "stuck": counter.stuck,
        "vanished": bool(counter.vanished),
        "escorts": counter.escorts or None,
        "hidden": counter.hidden,
        "movement": state.movement(name),
        "combat": state.combat(name),
        "moved": name in state.moved,
        "acted": name in state.acted,
    }


def _city(state: ZargoState, name: str, seat: str | None) -> Json:
    """A city as a seat sees it: how strong its garrison is only where that may be known."""
    city = state.cities[name]
    return {
        "city": name,
        "people": city.people,
        "owner": city.owner or None,
        "hex": state.world.name(city.place) if city.place != OFF else None,
        "garrison": z4_garrison_size(state, name, seat),
    }


def _player(state: ZargoState, people: str, seat: str | None) -> Json:
    mine = [c for c in state.counters.values() if c.people == people]
    known = people == seat or not any(c.hidden for c in mine)
    body: Json = {
        "team": people,
        "name": state.names[state.seats.index(people)],
        "points": z16_cities(state)[people],
        "continents": list(state.continents[people]),
        "ready": people in state.ready,
        "counters_left": sum(1 for c in mine if not c.out),
        "lost": {kind: sum(1 for c in mine if c.kind == kind and c.out) for kind in FORCES[people]},
    }
    if known:
        body["to_place"] = state.unplaced(people)
    return body
