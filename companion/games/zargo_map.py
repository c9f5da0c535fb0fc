"""Zargo's hex map (Z2, Z9, Z18): terrain, continents, bridges and wraps; a house map until the table draws its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from companion.games.base import MalformedAction

SEA, PLAIN, MOUNTAIN, WOOD, CHASM = "~", ".", "^", "w", "o"
TERRAIN = (SEA, PLAIN, MOUNTAIN, WOOD, CHASM)
CONTINENTS = 4
MOST = 99  # columns and rows, so that a hex is named by four digits
FIELDS = ("terrain", "continents", "bridges", "wraps")
DIRECTIONS = ((1, 0, -1), (1, -1, 0), (0, -1, 1), (-1, 0, 1), (-1, 1, 0), (0, 1, -1))  # cube coordinates


@dataclass(frozen=True, slots=True)
class ZargoMap:
    """Rows of letters; continents as digits, 0 for the sea; bridges and wraps join two hexes each.

    A hex is row * columns + column; its name is column and row with two digits each, from 01: 0103. Odd columns, the
    first among them, lie half a hex higher.
    """

    terrain: tuple[str, ...]
    continents: tuple[str, ...]
    bridges: tuple[tuple[int, int], ...] = ()
    wraps: tuple[tuple[int, int], ...] = ()

    def __hash__(self) -> int:
        """Of two rows only: maps are hashed all the time, and two different ones in one process are rare."""
        return hash((len(self.terrain), self.terrain[len(self.terrain) // 2], self.continents[-1]))

    @property
    def columns(self) -> int:
        return len(self.terrain[0])

    @property
    def hexes(self) -> int:
        return len(self.terrain) * self.columns

    def name(self, place: int) -> str:
        return geometry(self).names[place]

    def at(self, place: int) -> str:
        return geometry(self).flat[place]

    def continent(self, place: int) -> int:
        return geometry(self).continents[place]


@dataclass(frozen=True, slots=True)
class Geometry:
    """What follows from a map: its terrain in one row, each hex's name, cube coordinates, neighbours, continent, and
    where a step may lead from it over land and bridges, and bridges by end; every hex by its name."""

    flat: str
    names: tuple[str, ...]
    by_name: Mapping[str, int]
    cubes: tuple[tuple[int, int, int], ...]
    near: tuple[tuple[int, ...], ...]
    bridges: Mapping[int, tuple[int, ...]]
    steps: tuple[tuple[int, ...], ...]
    continents: tuple[int, ...]


_last: tuple[ZargoMap | None, Geometry | None] = (None, None)  # of the map asked about last: it is asked all the time


def geometry(world: ZargoMap) -> Geometry:
    """What follows from a map, made once."""
    global _last
    known, found = _last
    if known is not world or found is None:
        found = _geometry(world)
        _last = (world, found)
    return found


@cache
def _geometry(world: ZargoMap) -> Geometry:
    cubes = tuple(_cube(world, n) for n in range(world.hexes))
    places, near = {cube: n for n, cube in enumerate(cubes)}, []
    for n, (x, y, z) in enumerate(cubes):
        beside = [places[(x + a, y + b, z + c)] for a, b, c in DIRECTIONS if (x + a, y + b, z + c) in places]
        over = [b if a == n else a for a, b in world.wraps if n in (a, b)]
        near.append((*beside, *(o for o in over if o not in beside)))
    bridges: dict[int, tuple[int, ...]] = {}
    for a, b in world.bridges:
        bridges[a] = (*bridges.get(a, ()), b)
        bridges[b] = (*bridges.get(b, ()), a)
    flat = "".join(world.terrain)
    steps = tuple(
        (*([h for h in beside if flat[h] != SEA] or [n]), *bridges.get(n, ())) for n, beside in enumerate(near)
    )
    continents = tuple(int(mark) for row in world.continents for mark in row)
    names = tuple(f"{n % world.columns + 1:02d}{n // world.columns + 1:02d}" for n in range(world.hexes))
    by_name = {name: n for n, name in enumerate(names)}
    return Geometry(flat, names, by_name, cubes, tuple(near), bridges, steps, continents)


def _cube(world: ZargoMap, place: int) -> tuple[int, int, int]:
    column, row = place % world.columns, place // world.columns
    z = row - (column - (column & 1)) // 2
    return column, -column - z, z


def names_of(world: ZargoMap) -> Mapping[str, int]:
    """Every hex by its name."""
    return geometry(world).by_name


def neighbours(world: ZargoMap) -> tuple[tuple[int, ...], ...]:
    """Z2: the hexes beside each hex, those over the map's edge by its letters with them; bridges are not among them."""
    return geometry(world).near


def bridges_from(world: ZargoMap) -> Mapping[int, tuple[int, ...]]:
    """Z9: where the bridges lead from each coast hex."""
    return geometry(world).bridges


@cache
def coastal(world: ZargoMap) -> frozenset[int]:
    """Z4: the land hexes beside the sea."""
    near = neighbours(world)
    return frozenset(n for n in range(world.hexes) if world.at(n) != SEA and any(world.at(m) == SEA for m in near[n]))


def direction(world: ZargoMap, one: int, other: int) -> int:
    """The number of the direction from a hex to one beside it; -1 over a bridge or the map's edge."""
    cubes = geometry(world).cubes
    (a, b, c), (x, y, z) = cubes[one], cubes[other]
    step = (x - a, y - b, z - c)
    return DIRECTIONS.index(step) if step in DIRECTIONS else -1


def distance(world: ZargoMap, one: int, other: int) -> int:
    """Z2, Z12: how many hexes lie from one to the other, as a flame flies; over the map's edge where that is nearer."""
    ends = (*world.wraps, *((b, a) for a, b in world.wraps))
    over_the_edge = [_apart(world, one, a) + 1 + _apart(world, b, other) for a, b in ends]
    return min([_apart(world, one, other), *over_the_edge])


def _apart(world: ZargoMap, one: int, other: int) -> int:
    """How many hexes lie from one to the other on the map as it is printed."""
    cubes = geometry(world).cubes
    return max(abs(p - q) for p, q in zip(cubes[one], cubes[other], strict=True))


@cache
def the_same(world: ZargoMap) -> ZargoMap:
    """The first map that equals this one: what is remembered about it is found by identity then, which is quick."""
    return world


@cache
def default_map() -> ZargoMap:
    """Z18: the printed map is not in the text. A house map: four continents of 9 x 7 hexes with every terrain."""
    columns, rows = 23, 19
    terrain = [[SEA] * columns for _ in range(rows)]
    continents = [["0"] * columns for _ in range(rows)]
    special = {(2, 2): MOUNTAIN, (3, 2): MOUNTAIN, (6, 4): WOOD, (6, 5): WOOD, (2, 4): CHASM}
    for number, (left, top) in enumerate(((1, 1), (13, 1), (1, 11), (13, 11)), 1):
        for c in range(9):
            for r in range(7):
                terrain[top + r][left + c] = special.get((c, r), PLAIN)
                continents[top + r][left + c] = str(number)
    bridges = ((9, 4, 13, 4), (9, 14, 13, 14), (5, 7, 5, 11), (17, 7, 17, 11))
    joined = tuple((r * columns + c, s * columns + d) for c, r, d, s in bridges)
    return ZargoMap(tuple(map("".join, terrain)), tuple(map("".join, continents)), joined)


def write_map(world: ZargoMap) -> dict[str, Any]:
    """Z18: a map as read_map() reads it, for the editor and for export."""
    return {
        "terrain": list(world.terrain),
        "continents": list(world.continents),
        "bridges": [[world.name(a), world.name(b)] for a, b in world.bridges],
        "wraps": [[world.name(a), world.name(b)] for a, b in world.wraps],
    }


def read_map(told: Any) -> ZargoMap:
    """Z2, Z18: a map as the editor gives it, with bridges and wraps as pairs of hex names. Raises MalformedAction."""
    if told is None:
        return default_map()
    if not isinstance(told, Mapping) or not set(told) <= set(FIELDS) or "terrain" not in told:
        raise MalformedAction("map: expected the fields {expected}", "Z2", expected=", ".join(FIELDS))
    terrain = _rows(told.get("terrain"), "terrain", TERRAIN)
    digits = tuple("01234")
    continents = _rows(told.get("continents"), "continents", digits)
    if [len(r) for r in terrain] != [len(r) for r in continents]:
        raise MalformedAction("map: terrain and continents have different sizes", "Z2")
    plain = ZargoMap(terrain, continents)
    return the_same(ZargoMap(terrain, continents, _pairs(plain, told, "bridges"), _pairs(plain, told, "wraps")))


def _rows(told: Any, name: str, letters: tuple[str, ...]) -> tuple[str, ...]:
    rows = tuple(told) if isinstance(told, list | tuple) else ()
    if not rows or len(rows) > MOST or not all(isinstance(r, str) and set(r) <= set(letters) for r in rows):
        raise MalformedAction(
            "map.{name}: expected rows of the letters {expected}", "Z2", name=name, expected=" ".join(letters)
        )
    if len({len(r) for r in rows}) != 1 or not 1 <= len(rows[0]) <= MOST:
        raise MalformedAction("map.{name}: expected rows of one length from 1 to {most}", "Z2", name=name, most=MOST)
    return rows


def _pairs(world: ZargoMap, told: Mapping[str, Any], name: str) -> tuple[tuple[int, int], ...]:
    known, found = names_of(world), []
    pairs = told.get(name, [])
    for pair in pairs if isinstance(pairs, list | tuple) else [None]:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not set(map(str, pair)) <= set(known):
            raise MalformedAction(
                "map.{name}: found {pair!r}, expected two hexes such as 0103 and 0203", "Z2", name=name, pair=pair
            )
        one, other = known[str(pair[0])], known[str(pair[1])]
        if SEA in (world.at(one), world.at(other)):
            raise MalformedAction("map.{name}: {pair!r} has an end in the sea", "Z9", name=name, pair=pair)
        found.append((one, other))
    return tuple(found)
