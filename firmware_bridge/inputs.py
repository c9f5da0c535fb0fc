"""What is wired to the sensor board: input numbers, and what they mean. The pins are in firmware/board.h."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

DOORS = 4
BEAMS_A_DOOR = 2
GATE, KNOCK, BUTTON = 8, 9, 10
INPUTS = 11
ALL_INPUTS = (1 << INPUTS) - 1
ACTIVE_LOW = ALL_INPUTS & ~(1 << KNOCK)

OUTER, INNER = "outer", "inner"  # the beam on the door's line, and the one behind it, inside the sanctuary
PINS = ("D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "A0", "A1", "A2")


@dataclass(frozen=True, slots=True)
class Input:
    """kind: "beam", "gate", "knock" or "button"; door: 0 to 3 in the board file's order, side: OUTER or INNER."""

    number: int
    kind: str
    door: int | None = None
    side: str | None = None

    @property
    def pin(self) -> str:
        """The Arduino's name of the pin."""
        return PINS[self.number]


WIRED = (
    *(Input(n, "beam", n // BEAMS_A_DOOR, (OUTER, INNER)[n % BEAMS_A_DOOR]) for n in range(DOORS * BEAMS_A_DOOR)),
    Input(GATE, "gate"),
    Input(KNOCK, "knock"),
    Input(BUTTON, "button"),
)


def beam(door: int, side: str) -> int:
    """The input of a door's beam."""
    return door * BEAMS_A_DOOR + (side == INNER)


def fitted_of(text: str, doors: tuple[str, ...], words: Mapping[str, str] = MappingProxyType({})) -> int:
    """The bits of inputs named with commas between: all, none, doors (all their beams), a door's name (both its beams),
    or an input's label.

    words: what these names are in the reader's language, where that is another one; either may be named. Raises
    ValueError with one line that lists what may be named.
    """
    names = {label(w.number, doors): 1 << w.number for w in WIRED} | {"all": ALL_INPUTS, "none": 0}
    names["doors"] = sum(1 << w.number for w in WIRED if w.door is not None)
    for door in range(DOORS):
        names[door_name(door, doors)] = 1 << beam(door, OUTER) | 1 << beam(door, INNER)
    read = {words.get(name, name): bits for name, bits in names.items()}
    bits = 0
    for name in (part.strip() for part in text.split(",")):
        if name not in read and name not in names:
            raise ValueError(f"{name!r} is no sensor; give some of these, with commas between: {', '.join(read)}")
        bits |= read[name] if name in read else names[name]
    return bits


def door_name(door: int, doors: tuple[str, ...]) -> str:
    """A door as the board file names it; by its number where that has none so far down."""
    return doors[door] if door < len(doors) else f"door {door + 1}"


def label(number: int, doors: tuple[str, ...] = ()) -> str:
    """An input's name for people, with the doors as the board file names them: "red-north-west outer beam"."""
    if number >= INPUTS:
        return f"input {number:X}"  # of a board that was built with more of them than we know
    wired = WIRED[number]
    if wired.door is None:
        return {"gate": "gate", "knock": "knock", "button": "turn button"}[wired.kind]
    return f"{door_name(wired.door, doors)} {wired.side} beam"
