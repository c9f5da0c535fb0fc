"""Zargo's engagements (Z10-Z12, Z14, Z15): shots first, then combats and sieges, read from tables or told."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.base import Action, IllegalMove, MalformedAction, Text, counted
from companion.games.fast import replace
from companion.games.setup import known_fields, logged, whole, word, words
from companion.games.zargo_map import CHASM, SEA, direction, distance, neighbours
from companion.games.zargo_moves import can_act, z9_terrain, z10_zones, z14_partner
from companion.games.zargo_setup import hex_in, own_counter
from companion.games.zargo_state import CHASM_TURNS, OFF, SHOOTERS, City, Step, ZargoState, with_counter
from companion.games.zargo_tables import FACES, FLAME_RANGE, RESULTS, combat_row

CHARGE = {"front": 3, "side": 1}  # Z11
MOST_BONUS = 9
ROUNDING = 1e-6  # parts of a flame as they are typed make a whole one: 0.7, 0.2 and 0.1, which add up to a little less
SAID = {
    "none": Text("nothing happens", "il ne se passe rien"),
    "defender_out": Text("the defender is eliminated", "le défenseur est éliminé"),
    "defender_back": Text("the defender falls back", "le défenseur recule"),
    "attackers_out": Text("the attackers are eliminated", "les attaquants sont éliminés"),
    "attackers_back": Text("the attackers fall back", "les attaquants reculent"),
    "both_out": Text("both sides are eliminated", "les deux camps sont éliminés"),
}


def z6_fighters(state: ZargoState, people: str, names: tuple[str, ...]) -> None:
    """Z6, Z9, Z14: that these counters may shoot or fight now. Raises IllegalMove."""
    if not names or len(set(names)) != len(names):
        raise MalformedAction("name the counters that act, each once", "Z6")
    for name in names:
        own_counter(state, people, name)
        if not can_act(state.counters[name]):
            raise IllegalMove("{name} is paralysed or has vanished", "Z9", name=name)
        if name in state.acted:
            raise IllegalMove("{name} has acted this turn", "Z6", name=name)
        partner = z14_partner(state, name)
        if partner is not None and not state.counters[name].escorts:
            raise IllegalMove("{name} is escorted and has no power", "Z14", name=name)


def _in_the_open(state: ZargoState, names: tuple[str, ...]) -> ZargoState:
    """Z4: counters of a garrison that act are turned over by it."""
    for name in names:
        if state.counters[name].hidden:
            state = with_counter(state, name, hidden=False)
    return state


def z10_prey(state: ZargoState, people: str, name: str) -> int:
    """Z9, Z10, Z14, Z15: the hex of an enemy that may be attacked. Raises IllegalMove where it may not.

    It is no ally's, not in a chasm or a city, and an escort comes before the escorted.
    """
    counter = state.counters.get(name)
    if counter is None or counter.place < 0 or counter.vanished or state.friends(people, counter.people):
        raise IllegalMove("{name} is no enemy on the map", "Z10", name=name)
    if counter.stuck:
        raise IllegalMove("{name} is paralysed in a chasm and cannot be attacked", "Z9", name=name)
    if state.city_at(counter.place) is not None:
        raise IllegalMove("{name} stands in a city, which is besieged as a whole", "Z15", name=name)
    partner = z14_partner(state, name)
    if partner is not None and not counter.escorts:
        raise IllegalMove(
            "{name} is escorted: its escort {partner} suffers the attack", "Z14", name=name, partner=partner
        )
    return counter.place


def z6_shoot(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z6, Z11-Z13: arrows, flames or visions at one enemy, before all combats. Fields: shooters, target, and die, or
    hit where the players read their own table. Flames add up; a Dragon may flame before it moves. Raises IllegalMove
    where somebody cannot shoot now, or not so far."""
    known_fields(action, "shooters", "target", "die", "hit")
    names, target = words(action, "shooters"), word(action, "target")
    z6_fighters(state, people, names)
    weapon = z12_weapon(state, names)
    place = z10_prey(state, people, target)
    far = [n for n in names if not z12_in_range(state, n, place)]
    if far:
        raise IllegalMove("{counter} is more than {most} hexes away", "Z12", counter=far[0], most=FLAME_RANGE)
    hit = _hit(state, action, weapon, names, place)
    state = replace(_in_the_open(state, names), acted=state.acted | set(names))
    shown = f"{', '.join(names)} → {target}"
    log = logged(state.log, action.id, f"{shown}: {'hit' if hit else 'missed'}.",
                 f"{shown} : {'touché' if hit else 'manqué'}.", "Z6")  # fmt: skip
    state = replace(state, log=log)
    return eliminated(state, target) if hit else state


def z12_weapon(state: ZargoState, names: tuple[str, ...]) -> str:
    """Z6, Z12: what those who shoot together shoot with. Raises IllegalMove where they cannot shoot now."""
    weapons = {SHOOTERS.get(state.counters[n].kind, "") for n in names}
    if len(weapons) != 1 or "" in weapons:
        raise IllegalMove("those who shoot together have the same weapon", "Z12")
    weapon = weapons.pop()
    if len(names) > 1 and weapon != "flames":
        raise IllegalMove("{weapon} do not add up; one shooter at a time", "Z12", weapon=weapon)
    if state.fought:
        raise IllegalMove("combats have begun; shots come first", "Z6")
    early = state.phase == "moves"
    if early and any(state.counters[n].kind != "dragon" or n in state.moved for n in names):
        raise IllegalMove("only a Dragon that has not moved yet flames during the movements", "Z12")
    if state.options["combat_results"] == "table" and weapon not in state.tables.shots:
        raise IllegalMove(
            "the table of {weapon} is empty; type it into the editor, or tell results", "Z18", weapon=weapon
        )
    return weapon


def z12_in_range(state: ZargoState, name: str, place: int) -> bool:
    """Z12: whether a shooter reaches a hex: flames fly five hexes far, of the others their tables tell."""
    flames = SHOOTERS[state.counters[name].kind] == "flames"
    return not flames or distance(state.world, state.counters[name].place, place) <= FLAME_RANGE


def _hit(state: ZargoState, action: Action, weapon: str, names: tuple[str, ...], place: int) -> bool:
    if state.options["combat_results"] == "told":
        hit = action.data.get("hit")
        if not isinstance(hit, bool):
            raise MalformedAction("shoot: hit: tell whether your table says so (true or false)", "Z18")
        return hit
    table = state.tables.shots[weapon]
    die = whole(action, "die", 1, FACES)
    rows = [table.get(distance(state.world, state.counters[n].place, place)) for n in names]
    return sum(row[die - 1] for row in rows if row is not None) >= 1 - ROUNDING


def eliminated(state: ZargoState, name: str) -> ZargoState:
    """Z14: a counter leaves the map; one whose escort it was must fall back by its full movement."""
    escorted = state.counters[name].escorts
    state = with_counter(state, name, place=OFF, out=True, escorts="", hidden=False)
    if escorted and state.counters[escorted].place >= 0:
        return z14_fall_back(state, escorted, state.movement(escorted))
    return state


def z14_fall_back(state: ZargoState, name: str, far: int) -> ZargoState:
    """Z14: a counter must retreat; where no free hex is far enough it is eliminated."""
    if not retreat_hexes(state, name, far):
        return eliminated(state, name)
    return replace(state, retreats={**state.retreats, name: far})


def retreat_hexes(state: ZargoState, name: str, far: int) -> set[int]:
    """Z9, Z14: the free hexes at that distance over free land, not through enemies, nor on through a chasm."""
    counter, occupied = state.counters[name], state.occupied()
    seen, edge = {counter.place}, {counter.place}
    for _ in range(far):
        onward = (h for h in edge if h == counter.place or state.world.at(h) != CHASM)
        following = {p for here in onward for p in neighbours(state.world)[here]} - seen
        edge = {p for p in following if _passable(state, counter.people, p, occupied)}
        seen |= following
    return {p for p in edge if p not in occupied and state.city_at(p) is None}


def _passable(state: ZargoState, people: str, place: int, occupied: Mapping[int, str]) -> bool:
    there, city = occupied.get(place), state.city_at(place)
    if state.world.at(place) == SEA or (there is not None and not state.friends(people, state.counters[there].people)):
        return False
    return city is None or bool(state.cities[city].owner and state.friends(people, state.cities[city].owner))


def z14_retreat(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z9, Z14: the owner says where its counter falls back to; an escorted one follows its escort. A chasm paralyses
    whoever falls back into it, from the next turn on. Raises IllegalMove where it need not fall back, or cannot go
    there."""
    known_fields(action, "counter", "hex")
    name = word(action, "counter")
    own_counter(state, people, name)
    if name not in state.retreats:
        raise IllegalMove("{name} need not fall back", "Z14", name=name)
    place = hex_in(state, action.data.get("hex"), "retreat: hex")
    if place not in retreat_hexes(state, name, state.retreats[name]):
        raise IllegalMove("{name} falls back by {steps} to a free hex", "Z14", name=name, steps=state.retreats[name])
    state = _no_retreat(state, name)
    for mover in filter(None, (name, state.counters[name].escorts)):
        state = with_counter(state, mover, place=place)
        if state.world.at(place) == CHASM:  # the turn that is on is none of the three
            state = replace(with_counter(state, mover, stuck=CHASM_TURNS), moved={mover: Step(), **state.moved})
    return _still_open(state)


def _still_open(state: ZargoState) -> ZargoState:
    """Z14: those who must fall back, and whose way has closed meanwhile, are eliminated."""
    for name, far in tuple(state.retreats.items()):
        if not retreat_hexes(state, name, far):
            state = eliminated(_no_retreat(state, name), name)
    return state


def _no_retreat(state: ZargoState, name: str) -> ZargoState:
    return replace(state, retreats={n: far for n, far in state.retreats.items() if n != name})


def z10_combat(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z10, Z11, Z18: counters beside an enemy attack it. Fields: attackers, target; charges {knight: front or side};
    bonus (what the paragraphs that the text lost add, as the table reads them); die, or the result as told. Raises
    IllegalMove where somebody cannot fight now, or not from there."""
    known_fields(action, "attackers", "target", "charges", "bonus", "die", "result")
    names, target = words(action, "attackers"), word(action, "target")
    z6_fighters(state, people, names)
    place = z10_prey(state, people, target)
    for name in names:
        if place not in neighbours(state.world)[state.counters[name].place]:
            raise IllegalMove("{name} is not beside {target}", "Z10", name=name, target=target)
    bonus = whole(action, "bonus", -MOST_BONUS, MOST_BONUS) if "bonus" in action.data else 0
    attack = sum(state.combat(n) for n in names) + z11_charges(state, action, names) + bonus
    difference = attack - state.combat(target)
    result = _result(state, action, difference)
    shown = f"{', '.join(names)} ({attack}) → {target} ({state.combat(target)})"
    said = SAID[result]
    log = logged(state.log, action.id, f"{shown}: {said.en}.", f"{shown} : {said.fr}.", "Z10")
    targets = {n: t for n, t in state.targets.items() if n not in names}  # Z10: its zone is back after the combat
    state = replace(_in_the_open(state, names), acted=state.acted | set(names), fought=True, targets=targets, log=log)
    return _outcome(state, names, (target,), result)


def z11_charges(state: ZargoState, action: Action, names: tuple[str, ...]) -> int:
    """Z11: a Knight that has moved wholly in a straight line adds 3 at the front, 1 at the side.

    Raises IllegalMove where it has not, MalformedAction where a side is neither.
    """
    told = action.data.get("charges") or {}
    if not isinstance(told, Mapping) or not set(map(str, told)) <= set(names):
        raise MalformedAction("charges: found {told!r}, expected front or side by attacker", "Z11", told=told)
    total = 0
    for name, side in told.items():
        if side not in CHARGE:
            raise MalformedAction("charges: found {side!r}, expected front or side", "Z11", side=side)
        if not z11_charged(state, str(name)):
            raise IllegalMove("{name} is no Knight that has moved in a straight line this turn", "Z11", name=name)
        total += CHARGE[str(side)]
    return total


def z11_charged(state: ZargoState, name: str) -> bool:
    """Z11: whether a counter is a Knight that has moved wholly in a straight line this turn."""
    step = state.moved.get(name)
    return state.counters[name].kind == "knight" and step is not None and step.way >= 0


def _result(state: ZargoState, action: Action, difference: int) -> str:
    if state.options["combat_results"] == "told":
        return word(action, "result", RESULTS)
    _combats_known(state)
    row = combat_row(state.tables, difference)
    if row is None:
        raise IllegalMove("a difference of {difference} is below the table's lowest", "Z15", difference=difference)
    return row[whole(action, "die", 1, FACES) - 1]


def _combats_known(state: ZargoState) -> None:
    if state.options["combat_results"] == "table" and not state.tables.combats:
        raise IllegalMove("the table of combats is empty; type it into the editor, or tell results", "Z18")


def _outcome(state: ZargoState, attackers: tuple[str, ...], defenders: tuple[str, ...], result: str) -> ZargoState:
    gone = {"defender_out": defenders, "attackers_out": attackers, "both_out": (*attackers, *defenders)}.get(result, ())
    back = {"defender_back": defenders, "attackers_back": attackers}.get(result, ())
    for name in gone:
        state = eliminated(state, name)
    for name in back:
        state = z14_fall_back(state, name, 1)
    if result in ("defender_out", "defender_back"):
        won = {n: replace(state.moved[n], won=True) for n in attackers if n in state.moved}
        state = replace(state, moved={**state.moved, **won})
    return _still_open(state)


def z12_charge_on(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z12: a serpent that came straight, and whose enemy is gone, goes on along the same line and may attack again.

    Raises IllegalMove where it is no such serpent, has not movement enough left, or the enemy is not beside its way's
    end.
    """
    known_fields(action, "counter", "path", "target")
    name, path = word(action, "counter"), [hex_in(state, h, "path") for h in words(action, "path")]
    own_counter(state, people, name)
    step = state.moved.get(name)
    if state.counters[name].kind != "serpent" or step is None or step.way < 0 or not step.won:
        raise IllegalMove("{name} is no serpent that came straight and won", "Z12", name=name)
    here, cost = state.counters[name].place, 0
    for n, place in enumerate(path):
        cost += z12_step(state, name, here, place, last=n + 1 == len(path))
        here = place
    if not path or step.spent + cost > state.movement(name):
        left = counted(state.movement(name) - step.spent, ("hex", "hexes"), ("hexagone", "hexagones"))
        raise IllegalMove("{name} has {left} left", "Z12", name=name, left=left)
    target = word(action, "target", state.counters)
    if z10_prey(state, people, target) not in neighbours(state.world)[here]:
        raise IllegalMove("{target} is not beside {here}", "Z10", target=target, here=state.world.name(here))
    moved = {**state.moved, name: replace(step, steps=step.steps + len(path), spent=step.spent + cost, won=False)}
    return replace(with_counter(state, name, place=here), moved=moved, acted=state.acted - {name})


def z12_step(state: ZargoState, name: str, here: int, place: int, *, last: bool) -> int:
    """Z9, Z10, Z12: what a step of a serpent that goes on costs: along its line, over free land on which it can go on
    to fight, and not through a zone of influence. Raises IllegalMove."""
    taken = place in state.occupied() or state.city_at(place) is not None
    if direction(state.world, here, place) != state.moved[name].way or taken:
        raise IllegalMove("{name} goes on along its line over free hexes only", "Z12", name=name)
    cost = z9_terrain(state, place, first=False, last=False, flies=False)
    if not last and z10_zones(state, state.counters[name].people, place, state.occupied()):
        raise IllegalMove("{place} lies in an enemy's zone of influence", "Z10", place=state.world.name(place))
    return cost


def z15_siege(state: ZargoState, action: Action, people: str) -> ZargoState:
    """Z15: a city is attacked as a whole: at least as many besiegers as counters in it; the garrison is revealed and
    its factors are summed; besiegers found too weak for the table are eliminated.

    Where nobody may know how many stand in it, those who are too few have revealed it, and do not fight.

    Fields: attackers, city, die or result; told without a result, the garrison is only revealed. Raises IllegalMove
    where the city cannot be attacked so, or is known to hold more.
    """
    known_fields(action, "attackers", "city", "die", "result")
    names, name = words(action, "attackers"), word(action, "city", state.cities)
    z6_fighters(state, people, names)
    _besieged_by(state, people, names, name)
    garrison = tuple(state.garrison(state.cities[name].place))
    _combats_known(state)  # before anything depends on who stands in it
    few = len(names) < len(garrison)
    if few and (state.options["garrison_size"] == "shown" or not any(state.counters[c].hidden for c in garrison)):
        raise IllegalMove(
            "{name} is held by {count} counters; at least as many must attack it", "Z15", name=name, count=len(garrison)
        )
    state = replace(_in_the_open(state, names), acted=state.acted | set(names), fought=True)
    if not garrison:
        return _conquered(state, action, name, people)
    hidden = any(state.counters[c].hidden for c in garrison)
    for counter in garrison:
        state = with_counter(state, counter, hidden=False)
    if few:
        log = logged(state.log, action.id, f"{name}: revealed, and held by more counters than attack it: no combat.",
                     f"{name} : révélée, tenue par plus de pions que d’attaquants : pas de combat.", "Z15")  # fmt: skip
        return replace(state, log=log)
    if hidden and state.options["combat_results"] == "told" and "result" not in action.data:
        log = logged(
            state.log, action.id, f"{name}: the garrison is revealed.", f"{name} : la garnison se révèle.", "Z15"
        )
        return replace(state, acted=state.acted - set(names), log=log)
    return _stormed(state, action, people, names, garrison)


def _stormed(
    state: ZargoState, action: Action, people: str, names: tuple[str, ...], garrison: tuple[str, ...]
) -> ZargoState:
    """Z15: besiegers against a garrison that is revealed, as the die, or the table, has it."""
    name = word(action, "city")
    difference = sum(state.combat(n) for n in names) - sum(state.combat(n) for n in garrison)
    if state.tables.combats and difference < min(state.tables.combats):
        log = logged(state.log, action.id, f"{name}: the besiegers are too weak, and eliminated.",
                     f"{name} : les assiégeants, trop faibles, sont éliminés.", "Z15")  # fmt: skip
        return _outcome(replace(state, log=log), names, garrison, "attackers_out")
    result = _result(state, action, difference)
    if result == "defender_back":
        if state.options["combat_results"] == "told":
            raise IllegalMove("a garrison does not fall back; it holds or is eliminated", "Z15")
        result = "none"  # what the die has said is done: no other may be thrown
    log = logged(state.log, action.id, f"{name}: {SAID[result].en}.", f"{name} : {SAID[result].fr}.", "Z15")
    state = _outcome(replace(state, log=log), names, garrison, result)
    return _conquered(state, action, name, people) if result == "defender_out" else state


def _besieged_by(state: ZargoState, people: str, names: tuple[str, ...], name: str) -> None:
    """Raises IllegalMove where a city is no enemy's, or not all of those that attack it stand beside it."""
    city = state.cities[name]
    if city.owner and state.friends(people, city.owner):
        raise IllegalMove("{name} is no enemy's city", "Z15", name=name)
    for attacker in names:
        if city.place not in neighbours(state.world)[state.counters[attacker].place]:
            raise IllegalMove("{attacker} is not beside {name}", "Z15", attacker=attacker, name=name)


def _conquered(state: ZargoState, action: Action, name: str, people: str) -> ZargoState:
    """Z15, Z19: an emptied city is the conqueror's at once, or waits to be entered."""
    city = state.cities[name]
    owner = "" if state.options["emptied_city"] == "must_be_entered" else people
    log = state.log
    if owner:
        log = logged(log, action.id, f"{people} conquers {name}.", f"{people} conquiert {name}.", "Z15")
    return replace(state, cities={**state.cities, name: City(city.people, owner, city.place)}, log=log)
