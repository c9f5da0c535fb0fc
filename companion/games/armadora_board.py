"""Armadöra's board as bits: 8 columns and 5 rows, square 0 at the top left, its lines between squares, territories."""

from __future__ import annotations

from functools import cache, lru_cache

COLUMNS, ROWS = 8, 5  # A25: public (photo of the board and two engines agree); the text's picture is missing
SQUARES = COLUMNS * ROWS
ALL = (1 << SQUARES) - 1
LEAST = 4  # A6: squares of the smallest territory
CACHED_BOARDS = 20_000  # palisade layouts whose territories are remembered; a match has at most 36

EAST_SIDE = sum(1 << (row * COLUMNS + COLUMNS - 1) for row in range(ROWS))
HAS_EAST = ALL & ~EAST_SIDE  # squares with a neighbour to the east
HAS_SOUTH = (1 << (SQUARES - COLUMNS)) - 1
SQUARE_NAMES = tuple(f"{'abcdefgh'[n % COLUMNS]}{n // COLUMNS + 1}" for n in range(SQUARES))
SQUARE_NUMBERS = {name: n for n, name in enumerate(SQUARE_NAMES)}
MINES = tuple(SQUARE_NUMBERS[name] for name in ("d1", "b2", "f2", "h2", "a4", "e4", "c5", "g5"))

EAST, SOUTH = 0, 1
EDGES: tuple[tuple[int, int], ...] = tuple(
    [(EAST, n) for n in range(SQUARES) if HAS_EAST >> n & 1]
    + [(SOUTH, n) for n in range(SQUARES) if HAS_SOUTH >> n & 1]
)  # every line between two squares, by the square to its west or north (A6: none on the perimeter)


def edge_name(edge: tuple[int, int]) -> str:
    """A line by its two squares, such as a1-b1."""
    way, square = edge
    return f"{SQUARE_NAMES[square]}-{SQUARE_NAMES[square + (1 if way == EAST else COLUMNS)]}"


EDGE_NAMES = tuple(edge_name(e) for e in EDGES)
EDGES_BY_NAME = dict(zip(EDGE_NAMES, EDGES, strict=True)) | {
    "-".join(reversed(name.split("-"))): edge for name, edge in zip(EDGE_NAMES, EDGES, strict=True)
}


def spread(seed: int, open_east: int, open_south: int) -> int:
    """The squares that are joined with the seed's, as bits; open_*: squares without a palisade on that side."""
    while True:
        grown = seed | (seed & open_east) << 1 | (seed >> 1) & open_east
        grown |= (grown & open_south) << COLUMNS | (grown >> COLUMNS) & open_south
        if grown == seed:
            return seed
        seed = grown


def at_least_four(square: int, open_east: int, open_south: int) -> bool:
    """Whether a square's territory has at least LEAST squares; stops as soon as it knows."""
    seed = 1 << square
    while True:
        grown = seed | (seed & open_east) << 1 | (seed >> 1) & open_east
        grown |= (grown & open_south) << COLUMNS | (grown >> COLUMNS) & open_south
        if grown.bit_count() >= LEAST:
            return True
        if grown == seed:
            return False
        seed = grown


def a6_edge_fits(edge: tuple[int, int], east: int, south: int) -> bool:
    """A6, A17: whether a palisade on this free line leaves both of its sides a territory of at least 4 squares."""
    way, square = edge
    if way == EAST:
        east |= 1 << square
    else:
        south |= 1 << square
    open_east, open_south = HAS_EAST & ~east, HAS_SOUTH & ~south
    other = square + (1 if way == EAST else COLUMNS)
    return at_least_four(square, open_east, open_south) and at_least_four(other, open_east, open_south)


@lru_cache(maxsize=CACHED_BOARDS)
def free_edges(east: int, south: int) -> tuple[tuple[int, int], ...]:
    """A6: every line on which a palisade may be laid now."""
    laid = (east, south)
    return tuple(e for e in EDGES if not laid[e[0]] >> e[1] & 1 and a6_edge_fits(e, east, south))


def any_edge_free(east: int, south: int) -> bool:
    """A7: whether a palisade may be laid anywhere; stops at the first line found."""
    laid = (east, south)
    return any(not laid[way] >> n & 1 and a6_edge_fits((way, n), east, south) for way, n in EDGES)


@lru_cache(maxsize=CACHED_BOARDS)
def territories(east: int, south: int) -> tuple[int, ...]:
    """All territories as bits, in the order of their first square."""
    open_east, open_south = HAS_EAST & ~east, HAS_SOUTH & ~south
    left, found = ALL, []
    while left:
        territory = spread(left & -left, open_east, open_south)
        found.append(territory)
        left &= ~territory
    return tuple(found)


def territory_of(square: int, east: int, south: int) -> int:
    """The territory in which a square lies, as bits."""
    return spread(1 << square, HAS_EAST & ~east, HAS_SOUTH & ~south)


@cache
def edge_bits(edge: tuple[int, int]) -> tuple[int, int]:
    """What a palisade on a line adds to the east and the south bits."""
    way, square = edge
    return (1 << square, 0) if way == EAST else (0, 1 << square)


def squares_in(bits: int) -> list[int]:
    """The numbers of the squares that are set."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def names_in(bits: int) -> list[str]:
    """The names of the squares that are set."""
    return [SQUARE_NAMES[n] for n in squares_in(bits)]


def edges_laid(east: int, south: int) -> list[str]:
    """The names of the lines with a palisade."""
    laid = (east, south)
    return [edge_name(e) for e in EDGES if laid[e[0]] >> e[1] & 1]
