"""What happens in a shot, told in pawns: touches, doors, the rim, and where pawns lay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Place = tuple[float, float]


class PawnTouch(NamedTuple):
    """The played pawn touched this one directly; place: where it lay then, board mm, where that is known."""

    t: float
    key: str
    place: Place | None


class PawnEntry(NamedTuple):
    """This pawn went wholly through this door (P17)."""

    t: float
    key: str
    door: str


class PawnExit(NamedTuple):
    """This pawn went over the rim (P16)."""

    t: float
    key: str


class PawnShot(NamedTuple):
    """One shot in pawns. told: pawns that players named, whose numbers need no further question.

    stirred: when each pawn was first touched by anything; t_end: when all lay still; in_camp: those of the touched that
    players said were in their base camp, None where they did not say; fouls: "pushed" or "moved", as players said.
    """

    flicked: str
    t_start: float
    t_end: float
    direct: tuple[PawnTouch, ...]
    entries: tuple[PawnEntry, ...]
    exits: tuple[PawnExit, ...]
    passed: tuple[str, ...]
    on_gate: tuple[str, ...]
    before: Mapping[str, Place]
    after: Mapping[str, Place]
    stirred: Mapping[str, float]
    ids: Mapping[str, str]
    told: frozenset[str] = frozenset()
    in_camp: frozenset[str] | None = None
    fouls: frozenset[str] = frozenset()
