"""What may be asked of the virtual table's hands, and what is wrong with what may not."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from typing import Any

Command = Mapping[str, Any]

FASTEST_FLICK_MM_S = 3500.0  # a strong finger; more is taken for a slip
NUMBERS: dict[str, tuple[str, ...]] = {
    "flick": ("angle_deg", "speed_mm_s"),
    "place": ("x_mm", "y_mm"),
    "slide": ("x_mm", "y_mm"),
    "remove": (),
    "pass": (),
    "clear": (),
    "setup": (),
}
WITHOUT_PUCK = ("pass", "clear", "setup")


class TableCommandError(ValueError):
    """A command that the table cannot carry out: unknown, or about a puck that is not there."""


def checked_command(data: Command, keys: Container[str]) -> dict[str, Any]:
    """The command with its numbers as floats. keys: the board's pucks. Raises TableCommandError naming the field."""
    do = data.get("do")
    if not isinstance(do, str) or do not in NUMBERS:
        raise TableCommandError(f"do: found {do!r}, expected one of {', '.join(NUMBERS)}")
    out = dict(data)
    if "at" in data:
        at = data["at"]
        if not (isinstance(at, list | tuple) and len(at) == 2 and all(_is_number(v) for v in at)):
            raise TableCommandError(f"at: found {at!r}, expected a place [x, y] in mm")
        out["at"] = (float(at[0]), float(at[1]))
    elif do not in WITHOUT_PUCK and data.get("puck") not in keys:
        raise TableCommandError(f"puck: found {data.get('puck')!r}, expected a puck of this board such as 'red-7'")
    for name in NUMBERS[do]:
        if not _is_number(data.get(name)):
            raise TableCommandError(f"{name}: found {data.get(name)!r}, expected a number")
        out[name] = float(data[name])
    if do == "flick" and not 0 < out["speed_mm_s"] <= FASTEST_FLICK_MM_S:
        limit = f"expected above 0 and at most {FASTEST_FLICK_MM_S:g}"
        raise TableCommandError(f"speed_mm_s: found {out['speed_mm_s']:g}, {limit}")
    return out


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
