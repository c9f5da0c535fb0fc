"""Sacrifice's board (S1, S24): a grid of squares in zones and hyper-squares; its size and set-up are an option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from companion.games.base import MalformedAction

RACES = {
    "taker": "god",
    "emissary": "god",
    "immortal": "god",
    "fanatic": "human",
    "builder": "human",
    "martyr": "human",
    "monkey": "animal",
    "cheetah": "animal",
    "falcon": "animal",
}  # S2
KINDS = (*RACES, "mineral")
HYPER = 2  # S1: a hyper-square is 2 by 2 squares
STRAIGHT = ((0, 1), (0, -1), (1, 0), (-1, 0))  # rows and columns of a step
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LETTERS = "abcdefghijklmnop"
MOST = len(LETTERS)

DEFAULT_BOARD: dict[str, Any] = {
    "columns": 8,
    "rows": 12,
    "elevation": 2,
    "deployment": 2,
    "setup": {
        "a9": ["martyr"], "b9": ["monkey", "mineral"], "c9": ["cheetah"], "d9": ["fanatic"],
        "e9": ["fanatic"], "f9": ["cheetah"], "g9": ["monkey", "mineral"], "h9": ["martyr"],
        "a10": ["builder"], "b10": ["falcon"], "c10": ["taker"], "d10": ["immortal"],
        "e10": ["emissary"], "g10": ["falcon"], "h10": ["builder"],
    },
}  # fmt: skip
# S24: a house board: 17 pieces a side as the box has 34, whole hyper-squares, one hyper-square deep zones

Edge = tuple[int, int]  # two neighbouring squares, the smaller number first


@dataclass(frozen=True)  # without slots, so that what follows from its size is worked out once
class Field:
    """The board without pieces. Square = row * columns + column, row 0 at the top; side 0 plays from the bottom.

    elevation, deployment: how many rows deep these zones are on each side; the rest is free.
    """

    columns: int
    rows: int
    elevation: int
    deployment: int

    @property
    def squares(self) -> int:
        return self.columns * self.rows

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{LETTERS[n % self.columns]}{n // self.columns + 1}" for n in range(self.squares))

    @cached_property
    def by_name(self) -> dict[str, int]:
        return {name: n for n, name in enumerate(self.names)}

    @cached_property
    def elevations(self) -> tuple[frozenset[int], frozenset[int]]:
        deep, size = self.elevation * self.columns, self.squares
        return frozenset(range(size - deep, size)), frozenset(range(deep))

    @cached_property
    def steps(self) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        return _steps(self, STRAIGHT), _steps(self, STRAIGHT + DIAGONAL)

    def name(self, square: int) -> str:
        return self.names[square]


def names_of(field: Field) -> dict[str, int]:
    """Every square by its name, such as a1 at the top left."""
    return field.by_name


def elevation_of(field: Field, side: int) -> frozenset[int]:
    """S1: the squares of a side's own elevation zone."""
    return field.elevations[side]


@cache
def zone_of(field: Field) -> tuple[str, ...]:
    """S1: each square's zone: e1 and e0 are elevation zones of the sides, d1 and d0 deployment, f is free."""
    deep, far = field.elevation, field.elevation + field.deployment
    rows = []
    for row in range(field.rows):
        back = field.rows - 1 - row
        rows.append("e1" if row < deep else "e0" if back < deep else "d1" if row < far else "d0" if back < far else "f")
    return tuple(zone for zone in rows for _ in range(field.columns))


def steps_from(field: Field, diagonal: bool) -> tuple[tuple[int, ...], ...]:
    """S24: the squares that one step leads to, from each square."""
    return field.steps[diagonal]


def _steps(field: Field, ways: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
    found = []
    for n in range(field.squares):
        row, column = divmod(n, field.columns)
        near = [(row + r, column + c) for r, c in ways]
        inside = [(r, c) for r, c in near if 0 <= r < field.rows and 0 <= c < field.columns]
        found.append(tuple(r * field.columns + c for r, c in inside))
    return tuple(found)


def edge(one: int, other: int) -> Edge:
    """The line between two neighbouring squares."""
    return (one, other) if one < other else (other, one)


def wall_between(field: Field, walls: frozenset[Edge], one: int, other: int) -> bool:
    """S15: whether a wall stops a step; a diagonal one needs one of its two ways round the corner free."""
    if not walls:
        return False
    if abs(one - other) in (1, field.columns):
        return edge(one, other) in walls
    row, column = other // field.columns, one % field.columns
    first, second = row * field.columns + column, one // field.columns * field.columns + other % field.columns
    return all(edge(one, corner) in walls or edge(corner, other) in walls for corner in (first, second))


@cache
def hyper_of(field: Field) -> tuple[int, ...]:
    """S1: the number of each square's hyper-square."""
    across = field.columns // HYPER
    return tuple(n // field.columns // HYPER * across + n % field.columns // HYPER for n in range(field.squares))


@cache
def hyper_squares_near(
    field: Field, hyper: int, corners: bool
) -> tuple[tuple[frozenset[int], frozenset[int], bool], ...]:
    """S10, S24: the adjacent hyper-squares, each as its squares with the own ones, its squares, whether by a corner."""
    across, down = field.columns // HYPER, field.rows // HYPER
    row, column = divmod(hyper, across)
    ways = STRAIGHT + DIAGONAL if corners else STRAIGHT
    numbers, found = hyper_of(field), []
    own = frozenset(n for n in range(field.squares) if numbers[n] == hyper)
    for r, c in ways:
        if 0 <= row + r < down and 0 <= column + c < across:
            other = frozenset(n for n in range(field.squares) if numbers[n] == (row + r) * across + column + c)
            found.append((own | other, other, bool(r and c)))
    return tuple(found)


@lru_cache(maxsize=65536)
def wall_ends(field: Field, line: Edge) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two grid points, as (row, column), that a wall on a line joins."""
    row, column = divmod(line[0], field.columns)
    if line[1] == line[0] + 1:
        return (row, column + 1), (row + 1, column + 1)
    return (row + 1, column), (row + 1, column + 1)


def corners_of(field: Field, square: int) -> frozenset[tuple[int, int]]:
    """The four grid points of a square."""
    row, column = divmod(square, field.columns)
    return frozenset((row + r, column + c) for r in (0, 1) for c in (0, 1))


@cache
def the_same(field: Field) -> Field:
    """The first field that equals this one: what is remembered about it is found by identity then, which is quick."""
    return field


def read_board(told: Any) -> tuple[Field, dict[int, tuple[str, ...]]]:
    """S24: the board as the editor gives it: the field, and the first side's kinds by square.

    Raises MalformedAction."""
    told = DEFAULT_BOARD if told is None else told
    if not isinstance(told, Mapping) or set(told) != set(DEFAULT_BOARD):
        raise MalformedAction("board: expected the fields {expected}", "S24", expected=", ".join(DEFAULT_BOARD))
    sizes = {name: told[name] for name in ("columns", "rows", "elevation", "deployment")}
    for name, value in sizes.items():
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
            raise MalformedAction(
                "board.{name}: found {value!r}, expected 1 to {most}", "S24", name=name, value=value, most=MOST
            )
    field = the_same(Field(**sizes))
    if field.columns % HYPER or field.rows % HYPER:
        raise MalformedAction(
            "board: found {columns} x {rows} squares, expected even numbers",
            "S1",
            columns=field.columns,
            rows=field.rows,
        )
    if 2 * (field.elevation + field.deployment) > field.rows:
        raise MalformedAction("board: the zones are deeper than the board", "S1")
    return field, _read_setup(field, told["setup"])


def _read_setup(field: Field, told: Any) -> dict[int, tuple[str, ...]]:
    if not isinstance(told, Mapping) or not told:
        raise MalformedAction("board.setup: expected kinds by square, such as a9: [monkey, mineral]", "S24")
    found: dict[int, tuple[str, ...]] = {}
    for name, kinds in told.items():
        square = names_of(field).get(str(name), -1)
        if square < 0 or zone_of(field)[square] != "d0":
            raise MalformedAction("board.setup: {name!r} is no square of the lower deployment zone", "S24", name=name)
        if not isinstance(kinds, list | tuple) or not set(map(str, kinds)) <= set(KINDS):
            raise MalformedAction(
                "board.setup.{name}: found {kinds!r}, expected some of {expected}",
                "S2",
                name=name,
                kinds=kinds,
                expected=", ".join(KINDS),
            )
        minerals = list(kinds).count("mineral")
        if len(kinds) - minerals > 1 or minerals > 2:
            raise MalformedAction("board.setup.{name}: at most one character and two minerals", "S19", name=name)
        found[square] = tuple(kinds)
    return found
