"""Zargo's four tables (Z1, Z12, Z15, Z18): none is in the text, so they begin empty and the table types in its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.base import MalformedAction, Text

SHOTS = ("arrows", "flames", "visions")
RESULTS = ("none", "defender_out", "defender_back", "attackers_out", "attackers_back", "both_out")
FACES = 6  # Z1: one die
FLAME_RANGE = 5  # Z12


@dataclass(frozen=True, slots=True)
class Tables:
    """shots: by weapon and distance, for each face of the die how much of a hit it is: 1 eliminates, parts of flames
    add up; combats: by difference of factors, for each face one of RESULTS. Both are empty by default."""

    shots: Mapping[str, Mapping[int, tuple[float, ...]]] = field(default_factory=dict)
    combats: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


def read_tables(told: Any) -> Tables:
    """Z18: tables as the editor imports them: {arrows: {"1": [six numbers]}, ..., combats: {"-2": [six results]}}.

    Raises MalformedAction.
    """
    if told is None:
        return Tables()
    if not isinstance(told, Mapping) or not set(told) <= {*SHOTS, "combats"}:
        raise MalformedAction("tables: expected some of {expected}", "Z18", expected=", ".join((*SHOTS, "combats")))
    shots: dict[str, Mapping[int, tuple[float, ...]]] = {}
    for name in SHOTS:
        if name in told:
            shots[name] = {k: tuple(float(v) for v in row) for k, row in _rows(told[name], name, _is_part).items()}
    combats = {k: tuple(map(str, row)) for k, row in _rows(told.get("combats", {}), "combats", _is_result).items()}
    return Tables(shots, combats)


def _is_part(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _is_result(value: Any) -> bool:
    return value in RESULTS


def _rows(told: Any, name: str, good: Any) -> dict[int, list[Any]]:
    found = {}
    for key, row in told.items() if isinstance(told, Mapping) else [(None, None)]:
        text = str(key)
        if not text.removeprefix("-").isdecimal() or len(text) > 3:
            raise MalformedAction("tables.{name}: found {key!r}, expected a whole number", "Z18", name=name, key=key)
        if not isinstance(row, list | tuple) or len(row) != FACES or not all(map(good, row)):
            expected = (
                Text("results", "résultats") if name == "combats" else Text("numbers from 0 to 1", "nombres de 0 à 1")
            )
            raise MalformedAction(
                "tables.{name}.{text}: found {row!r}, expected six {expected}",
                "Z18",
                name=name,
                text=text,
                row=row,
                expected=expected,
            )
        found[int(text)] = list(row)
    return found


def combat_row(tables: Tables, difference: int) -> tuple[str, ...] | None:
    """Z15: the row for a difference; greater ones than the table's use its last row, smaller ones have none."""
    if not tables.combats or difference < min(tables.combats):
        return None
    return tables.combats[max(d for d in tables.combats if d <= difference)]
