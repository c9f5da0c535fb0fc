"""Sacrifice as a value (S1-S3): pieces, minerals, walls, points, what is waited for, and how a match begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.fast import replace
from companion.games.sacrifice_board import RACES, Edge, Field, read_board
from companion.games.sacrifice_options import OPTIONS
from companion.games.setup import Line, read_begins, read_options, read_seats

DEAD = -1  # the square of those in a graveyard
WALLS = 3  # S1: per player
POINTS = (2, 3)  # S3: in the match's first two turns
LATER_POINTS = 4  # S3
MOST_MINERALS = 2  # S19: on one square
CARRIERS = ("fanatic", "builder", "martyr", "monkey")  # S14, S17


@dataclass(frozen=True, slots=True)
class Piece:
    """A character. side: 0 plays from the bottom; square: DEAD in its graveyard; elevated: frozen in the enemy zone."""

    kind: str
    side: int
    square: int
    elevated: bool = False

    @property
    def race(self) -> str:
        return RACES[self.kind]


@dataclass(frozen=True, slots=True)
class Mineral:
    """A mineral; it moves only when it is carried."""

    side: int
    square: int
    elevated: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """A choice that stops everything else. kind: "immortal" (cancel or accept), "kill_own" (who dies instead),
    "sacrifice" (by the side that killed) or "imposed" (its opponent chooses for it). side: who chooses; of: whose
    pieces; attacker, victim, attack: the kill in question and the move that led to it, where there is one."""

    kind: str
    side: int
    of: int
    choices: tuple[str, ...]
    attacker: str = ""
    victim: str = ""
    attack: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)  # without slots, so that replace() is quick
class SacrificeState:
    """A match after any number of actions. turn: the side to move; turns: how many are over; gods_moved, paces: what
    gods and cheetahs have done this turn (a cheetah's pace is walk, row or column); offers: sides that agree to a draw.
    """

    seats: tuple[str, ...]
    names: tuple[str, ...]
    options: Mapping[str, str]
    board: Field
    pieces: Mapping[str, Piece]
    minerals: Mapping[str, Mineral]
    turn: int
    points: int
    walls: frozenset[Edge] = frozenset()
    walls_left: tuple[int, int] = (WALLS, WALLS)
    turns: int = 0
    moved: bool = False
    gods_moved: frozenset[str] = frozenset()
    paces: Mapping[str, str] = field(default_factory=dict)
    pending: Pending | None = None
    offers: frozenset[int] = frozenset()
    result: str = ""
    winner: int = -1
    match: int = 1
    log: tuple[Line, ...] = ()

    def at(self, square: int) -> str | None:
        """The character on a square."""
        return self.places().get(square)

    def places(self) -> dict[int, str]:
        """Every character on the board by its square; remembered for the state that is asked many questions."""
        global _last
        pieces, places = _last
        if pieces is not self.pieces:
            places = {p.square: name for name, p in self.pieces.items() if p.square != DEAD}
            _last = (self.pieces, places)
        return places

    def minerals_on(self, square: int) -> list[str]:
        return [name for name, m in self.minerals.items() if m.square == square]

    def alive(self, side: int) -> list[str]:
        """S7: the characters of a side on the board, elevated ones with them."""
        return [name for name, p in self.pieces.items() if p.side == side and p.square != DEAD]

    def within_reach(self, side: int) -> list[str]:
        """S25: the characters of a side that may be sacrificed: elevated ones only where the table says so."""
        safe = self.options["elevated_pieces"] == "safe"
        return [n for n in self.alive(side) if not (safe and self.pieces[n].elevated)]


_last: tuple[Mapping[str, Piece] | None, dict[int, str]] = (None, {})


def s3_points(turns: int) -> int:
    """S3: 2 points in the first turn, 3 in the second, then 4."""
    return POINTS[turns] if turns < len(POINTS) else LATER_POINTS


def moved_to(state: SacrificeState, name: str, square: int, *, elevated: bool = False) -> SacrificeState:
    """The state with a character elsewhere, or dead."""
    piece = Piece(state.pieces[name].kind, state.pieces[name].side, square, elevated)
    return replace(state, pieces={**state.pieces, name: piece})


def s1_start(setup: Mapping[str, Any]) -> SacrificeState:
    """S1, S2, S24, S27: a new match. setup: players {seat: name}, the first plays from the bottom; and where wanted
    options, board (see read_board), begins, match. The second side stands point-symmetrically. Raises MalformedAction.
    """
    seats = read_seats(setup, 2, 2, "S1")
    options = read_options(OPTIONS, setup.get("options") or {})
    board, told = read_board(setup.get("board"))
    names, match = tuple(seats), int(setup.get("match", 1))
    first = (match - 1) % 2 if options["later_starter"] == "other" else 0
    pieces: dict[str, Piece] = {}
    minerals: dict[str, Mineral] = {}
    for side, seat in enumerate(names):
        count: dict[str, int] = {}
        for square, kinds in sorted(told.items()):
            for kind in kinds:
                count[kind] = count.get(kind, 0) + 1
                where = square if side == 0 else board.squares - 1 - square
                if kind == "mineral":
                    minerals[f"{seat}-{kind}-{count[kind]}"] = Mineral(side, where)
                else:
                    pieces[f"{seat}-{kind}-{count[kind]}"] = Piece(kind, side, where)
    return SacrificeState(
        seats=names,
        names=tuple(seats.values()),
        options=options,
        board=board,
        pieces=pieces,
        minerals=minerals,
        turn=read_begins(setup, names, first, "S27"),
        points=s3_points(0),
        match=match,
    )
