"""Armadöra's match as a value (A1-A4, A11): seats, stocks, board, whose turn it is, and how a match begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.games.armadora_board import MINES, SQUARE_NUMBERS
from companion.games.armadora_options import OPTIONS
from companion.games.base import MalformedAction
from companion.games.setup import Line, read_begins, read_options, read_seats, read_seed

CHARACTERS = ("orc", "goblin", "elf", "mage")
PILES = (3, 4, 4, 5, 5, 6, 6, 7)  # A3: the gold, 40 in all
PALISADES = 35  # A1
POWERS = {"elf": 2, "mage": 2, "orc": 1, "goblin": 1}  # A11
WARRIORS = {2: (11, 2, 1, 1, 1), 3: (7, 2, 1, 1, 0), 4: (5, 1, 1, 1, 0)}  # A2: how many of value 1 to 5 each


@dataclass(frozen=True)  # without slots, so that replace() is quick
class Warrior:
    """A placed Warrior. seat: its owner's index; value 0 while nobody has told it; arrows lower, a reinforcement
    raises it."""

    seat: int
    value: int
    face_up: bool = False
    arrows: int = 0
    reinforced: bool = False


@dataclass(frozen=True)  # without slots, so that replace() is quick
class ArmadoraState:
    """A match after any number of actions.

    Seats are indices into `seats`, in clockwise order. gold: by mine's square; east, south: palisades as bits;
    stock: per seat the unplaced Warriors of value 1 to 5; laid: palisades laid by this turn's action;
    passed: bits by seat; looked: per seat the squares that its Mage has looked at, as bits.
    """

    seats: tuple[str, ...]
    names: tuple[str, ...]
    characters: tuple[str, ...]
    options: Mapping[str, str]
    gold: Mapping[int, int]
    stock: tuple[tuple[int, ...], ...]
    turn: int
    phase: str = "playing"
    east: int = 0
    south: int = 0
    palisades: int = PALISADES
    warriors: Mapping[int, Warrior] = field(default_factory=dict)
    laid: int = 0
    power_used: bool = False
    passed: int = 0
    last_passed: int = -1
    powers: tuple[int, ...] = ()
    reinforcements: tuple[int, ...] = ()
    looked: tuple[int, ...] = ()
    match: int = 1
    turns: int = 0
    log: tuple[Line, ...] = ()

    @property
    def advanced(self) -> bool:
        return self.options["rules"] == "advanced"

    def side(self, seat: int) -> int:
        """A10: at four, opposite players are partners and share a side; otherwise everybody is alone."""
        return seat % 2 if len(self.seats) == 4 else seat

    def unplaced(self, seat: int) -> int:
        """How many Warriors a seat still has behind its screen."""
        hidden = sum(1 for w in self.warriors.values() if w.seat == seat and not w.value)
        return sum(self.stock[seat]) - hidden


def a2_start(setup: Mapping[str, Any]) -> ArmadoraState:
    """A1-A3, A11, A24, A26: a new match. setup: players {seat: name} clockwise, and where wanted options, seed, begins,
    match, gold {mine: pile} or characters {seat: character}; what is not told is drawn from the seed.

    Raises MalformedAction.
    """
    seats = read_seats(setup, 2, 4, "A1")
    options = read_options(OPTIONS, setup.get("options") or {})
    rng, count = Random(read_seed(setup)), len(seats)
    names = tuple(seats)
    match = int(setup.get("match", 1))
    stock = WARRIORS[count]
    if count == 3 and options["surplus_warrior"] == "one_less_each":
        stock = (stock[0] - 1, *stock[1:])
    advanced = options["rules"] == "advanced"
    characters = a11_characters(setup, names, rng)
    first = (match - 1) % count if options["later_starter"] == "next" else 0
    return ArmadoraState(
        seats=names,
        names=tuple(seats.values()),
        characters=characters,
        options=options,
        gold=a3_gold(setup, options, rng),
        stock=(stock,) * count,
        turn=read_begins(setup, names, first, "A3"),
        powers=tuple(POWERS[c] if advanced else 0 for c in characters),
        reinforcements=(1 if advanced else 0,) * count,
        looked=(0,) * count,
        match=match,
    )


def a11_characters(setup: Mapping[str, Any], seats: tuple[str, ...], rng: Random) -> tuple[str, ...]:
    """A2, A11: each seat's character, told or drawn at random.

    Raises MalformedAction where two seats have one, or one is none of the game's.
    """
    drawn = rng.sample(CHARACTERS, len(seats))
    told = setup.get("characters")
    if told is None:
        return tuple(drawn)
    if not isinstance(told, Mapping) or set(told) != set(seats) or len(set(map(str, told.values()))) != len(seats):
        raise MalformedAction("characters: found {told!r}, expected a different one for each seat", "A2", told=told)
    if not all(one in CHARACTERS for one in told.values()):
        raise MalformedAction(
            "characters: found {told!r}, expected some of {expected}", "A2", told=told, expected=", ".join(CHARACTERS)
        )
    return tuple(str(told[s]) for s in seats)


def a3_gold(setup: Mapping[str, Any], options: Mapping[str, str], rng: Random) -> dict[int, int]:
    """A3, A25: the eight piles on the eight mines, told or drawn at random; together always 40.

    Raises MalformedAction where a mine has no pile, or they are not those of the box.
    """
    mines = _mines(setup) if options["mines"] == "own" else MINES
    piles = rng.sample(PILES, len(PILES))
    told = setup.get("gold")
    if told is None:
        return dict(zip(mines, piles, strict=True))
    if not isinstance(told, Mapping) or {SQUARE_NUMBERS.get(str(k)) for k in told} != set(mines):
        raise MalformedAction("gold: found {told!r}, expected a pile for each of the 8 mines", "A3", told=told)
    if tuple(sorted(v for v in told.values() if type(v) is int)) != PILES:
        raise MalformedAction(
            "gold: found piles {told}, expected {piles} in any order", "A3", told=list(told.values()), piles=list(PILES)
        )
    return {SQUARE_NUMBERS[str(k)]: v for k, v in told.items()}


def _mines(setup: Mapping[str, Any]) -> tuple[int, ...]:
    told = setup.get("mines")
    if not isinstance(told, list | tuple) or len(set(map(str, told))) != len(MINES):
        raise MalformedAction("mines: found {told!r}, expected 8 different squares", "A25", told=told)
    wrong = [t for t in told if not isinstance(t, str) or t not in SQUARE_NUMBERS]
    if wrong:
        raise MalformedAction("mines: found {found!r}, expected squares from a1 to h5", "A25", found=wrong[0])
    return tuple(SQUARE_NUMBERS[t] for t in told)
