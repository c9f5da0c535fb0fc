"""Zargo's Lords as a value (Z1-Z7): peoples, counters, cities, phases and months, and how a match begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.base import MalformedAction
from companion.games.fast import replace
from companion.games.setup import Line, logged, read_options, read_seats, read_seed
from companion.games.zargo_map import CONTINENTS, ZargoMap, read_map
from companion.games.zargo_options import OPTIONS
from companion.games.zargo_tables import Tables, read_tables

PEOPLES = ("knights", "dragons", "winged", "monks")  # Z5: always in this order
FORCES: dict[str, dict[str, int]] = {
    "knights": {"knight": 10, "infantry": 30, "sorcerer": 3, "archer": 7},
    "dragons": {"dragon": 6, "infantry": 40, "flamethrower": 10, "serpent": 6},
    "winged": {"winged": 8, "falcon": 12, "infantry": 25, "archer": 10},
    "monks": {"monk": 7, "infantry": 30, "rider": 15, "illusionist": 5},
}  # Z1: counters of the box, cities and markers not counted
CITIES = 4  # Z1: per people
MONTHS = 25  # Z7
GARRISON = 4  # Z4: counters in a city
CHASM_TURNS = 3  # Z9
FACTORS = (5, 2)  # Z2, Z18: movement and combat of the text's one example, the only figures that it gives
OFF = -1  # not on the map: not placed yet, or eliminated
SHOOTERS = {
    "archer": "arrows",
    "dragon": "flames",
    "flamethrower": "flames",
    "sorcerer": "visions",
    "illusionist": "visions",
}  # Z11-Z13
FLYERS = ("winged", "falcon")  # Z9, Z11


@dataclass(frozen=True)  # without slots, so that replace() is quick
class Counter:
    """One counter. place: its hex, OFF while not placed or when eliminated; out: eliminated; hidden: face down in a
    garrison; stuck: own turns still to be spent in a chasm; vanished: 1 in the turn of vanishing, 2 when it may come
    back; escorts: the counter that this infantry covers."""

    people: str
    kind: str
    place: int = OFF
    out: bool = False
    hidden: bool = False
    stuck: int = 0
    vanished: int = 0
    escorts: str = ""


@dataclass(frozen=True)  # without slots, so that replace() is quick
class City:
    """A city: whose it was, whose it is (empty while nobody's), its hex."""

    people: str
    owner: str
    place: int = OFF


@dataclass(frozen=True)  # without slots, so that replace() is quick
class Step:
    """What a counter has done this turn. steps: hexes moved; way: the one direction, -1 where not straight."""

    steps: int = 0
    spent: int = 0
    way: int = -1
    won: bool = False


@dataclass(frozen=True)  # without slots, so that replace() is quick
class ZargoState:
    """A match after any number of actions. Seats are peoples. ready: peoples done with a stage of the set-up;
    targets: who attacks whom this turn; acted: counters that have shot or fought; fought: combats have begun;
    retreats: counters that must fall back, and how far."""

    seats: tuple[str, ...]
    names: tuple[str, ...]
    options: Mapping[str, str]
    world: ZargoMap
    tables: Tables
    factors: Mapping[str, tuple[int, int]]
    continents: Mapping[str, tuple[int, ...]]
    counters: Mapping[str, Counter]
    cities: Mapping[str, City]
    months: int = MONTHS
    phase: str = "cities"
    month: int = 0
    turn: int = 0
    ready: frozenset[str] = frozenset()
    alliances: frozenset[tuple[str, str]] = frozenset()
    proposals: frozenset[tuple[str, str]] = frozenset()
    moved: Mapping[str, Step] = field(default_factory=dict)
    targets: Mapping[str, str] = field(default_factory=dict)
    acted: frozenset[str] = frozenset()
    escort_changes: frozenset[str] = frozenset()
    fought: bool = False
    retreats: Mapping[str, int] = field(default_factory=dict)
    log: tuple[Line, ...] = ()

    @property
    def people(self) -> str:
        return self.seats[self.turn]

    def movement(self, name: str) -> int:
        counter = self.counters[name]
        return self.factors[f"{counter.people}-{counter.kind}"][0]

    def combat(self, name: str) -> int:
        counter = self.counters[name]
        return self.factors[f"{counter.people}-{counter.kind}"][1]

    def friends(self, one: str, other: str) -> bool:
        """Z8: the same people, or allied ones."""
        return one == other or (min(one, other), max(one, other)) in self.alliances

    def city_at(self, place: int) -> str | None:
        """The city on a hex."""
        global _last_cities
        cities, places = _last_cities
        if cities is not self.cities:
            places = {city.place: name for name, city in self.cities.items() if city.place != OFF}
            _last_cities = (self.cities, places)
        return places.get(place)

    def garrison(self, place: int) -> list[str]:
        """The counters that stand on a hex, those in a city with them; the vanished are nowhere."""
        if place not in self.occupied():
            return []
        return [n for n, c in self.counters.items() if c.place == place and not c.vanished]

    def occupied(self) -> Mapping[int, str]:
        """One counter of each hex, the escort where there is one."""
        return places_of(self.counters).standing

    def unplaced(self, people: str) -> list[str]:
        return [n for n, c in self.counters.items() if c.people == people and c.place == OFF and not c.out]


@dataclass(frozen=True, slots=True)
class Places:
    """Who stands where. standing: one counter by hex, the escort where there is one; partner: escort and escorted of
    each other."""

    counters: Mapping[str, Counter]
    standing: Mapping[int, str]
    partner: Mapping[str, str]


_last_cities: tuple[Mapping[str, City] | None, Mapping[int, str]] = (None, {})
_last: Places | None = None  # of the counters looked at last: one state is asked many questions


def places_of(counters: Mapping[str, Counter]) -> Places:
    """The index of a mapping of counters, remembered while the same mapping is asked about."""
    global _last
    known = _last
    if known is None or known.counters is not counters:
        _last = known = _indexed(counters)
    return known


def _indexed(counters: Mapping[str, Counter]) -> Places:
    standing = {c.place: name for name, c in counters.items() if not c.vanished}
    standing.pop(OFF, None)
    partner: dict[str, str] = {}
    for name in [name for name, c in counters.items() if c.escorts]:
        counter = counters[name]
        partner[name], partner[counter.escorts] = counter.escorts, name
        if counter.place != OFF and not counter.vanished:
            standing[counter.place] = name
    return Places(counters, standing, partner)


def with_counter(state: ZargoState, name: str, **changes: Any) -> ZargoState:
    """The state with one counter changed."""
    return replace(state, counters={**state.counters, name: replace(state.counters[name], **changes)})


def z3_start(setup: Mapping[str, Any]) -> ZargoState:
    """Z1-Z4: a new match. setup: players {people: name} in any order, and where wanted options, seed, map, tables,
    factors {people-kind: [movement, combat]}, continents {people: [numbers]}, forces {people: {kind: count}} and months
    for a shorter match. Raises MalformedAction."""
    told = read_seats(setup, 2, 4, "Z3", PEOPLES)
    seats = tuple(p for p in PEOPLES if p in told)
    options = read_options(OPTIONS, setup.get("options") or {})
    state = ZargoState(
        seats=seats,
        names=tuple(told[p] for p in seats),
        options=options,
        world=read_map(setup.get("map")),
        tables=read_tables(setup.get("tables")),
        factors=_factors(setup, seats),
        continents=z3_continents(setup, seats),
        counters=z1_counters(setup, seats),
        cities=_cities(seats, options),
        months=_months(setup),
    )
    read_seed(setup)
    log = logged((), 0, "Place the cities, inland on your own continent.",
                 "Placez les villes, à l’intérieur de votre continent.", "Z4")  # fmt: skip
    return replace(state, log=log)


def z1_counters(setup: Mapping[str, Any], seats: tuple[str, ...]) -> dict[str, Counter]:
    """Z1: the box's counters of each people, or fewer where the table wants a short match.

    Raises MalformedAction where it wants more than the box has, or no number.
    """
    forces = setup.get("forces") or {}
    counters: dict[str, Counter] = {}
    for people in seats:
        told = forces.get(people, FORCES[people]) if isinstance(forces, Mapping) else None
        if not isinstance(told, Mapping) or not set(told) <= set(FORCES[people]):
            raise MalformedAction(
                "forces: expected counts of {expected} for {people}",
                "Z1",
                expected=", ".join(FORCES[people]),
                people=people,
            )
        for kind, count in told.items():
            if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= FORCES[people][kind]:
                most = FORCES[people][kind]
                raise MalformedAction(
                    "forces: found {count!r} {people}-{kind}; the box has {most}",
                    "Z1",
                    count=count,
                    people=people,
                    kind=kind,
                    most=most,
                )
            counters |= {f"{people}-{kind}-{n}": Counter(people, str(kind)) for n in range(1, count + 1)}
    return counters


def z3_continents(setup: Mapping[str, Any], seats: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """Z3: two continents each at two players, else one each, told or drawn in order.

    Raises MalformedAction where each has not so many of its own.
    """
    each = 2 if len(seats) == 2 else 1
    told = setup.get("continents")
    if told is None:
        return {p: tuple(range(n * each + 1, n * each + 1 + each)) for n, p in enumerate(seats)}
    if not isinstance(told, Mapping) or set(told) != set(seats):
        raise MalformedAction("continents: found {told!r}, expected {each} for each people", "Z3", told=told, each=each)
    numbers = [n for p in seats for n in (told[p] if isinstance(told[p], list | tuple) else [])]
    good = all(isinstance(n, int) and 1 <= n <= CONTINENTS for n in numbers)
    if not good or len(numbers) != each * len(seats) or len(set(numbers)) != len(numbers):
        raise MalformedAction(
            "continents: found {told!r}, expected {each} different ones for each people", "Z3", told=told, each=each
        )
    return {p: tuple(told[p]) for p in seats}


def _cities(seats: tuple[str, ...], options: Mapping[str, str]) -> dict[str, City]:
    count = 2 * CITIES if len(seats) == 2 and options["cities_at_two"] == "eight" else CITIES
    return {f"{p}-city-{n}": City(p, p) for p in seats for n in range(1, count + 1)}


def _factors(setup: Mapping[str, Any], seats: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    told = setup.get("factors") or {}
    known = {f"{p}-{kind}" for p in PEOPLES for kind in FORCES[p]}
    if not isinstance(told, Mapping) or not set(told) <= known:
        raise MalformedAction("factors: expected [movement, combat] by counter, such as knights-knight", "Z2")
    for name, pair in told.items():
        good = isinstance(pair, list | tuple) and len(pair) == 2 and all(type(v) is int and 0 <= v <= 30 for v in pair)
        if not good:
            raise MalformedAction(
                "factors.{name}: found {pair!r}, expected two whole numbers from 0 to 30", "Z2", name=name, pair=pair
            )
    return {n: tuple(told[n]) if n in told else FACTORS for n in sorted(known) if n.split("-")[0] in seats}


def _months(setup: Mapping[str, Any]) -> int:
    months = setup.get("months", MONTHS)
    if not isinstance(months, int) or isinstance(months, bool) or not 1 <= months <= MONTHS:
        raise MalformedAction("months: found {months!r}, expected 1 to {most}", "Z7", months=months, most=MONTHS)
    return months
