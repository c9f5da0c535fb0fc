"""`paleo board new` and `paleo board check`: a board file to begin with, and what is wrong with one."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.board import BoardFileError, load_board
from calibration.board_problems import ERROR, WARNING, Problem, as_written, board_problems
from calibration.board_text import board_text
from calibration.drawing import tables_from_drawing
from calibration.drawn_board import REMARKS
from calibration.figures import COLON
from calibration.store import write_bytes

Json = dict[str, Any]

BOX_PUCK_MM = 28.0
MARKER_OF_RIM = 0.76  # side of a marker as a part of the rim's width: room for its white margin
LEAST_MARKER_MM = 18.0  # a smaller one is seen by few cameras
# west to east and north to south, mm, of a surface for pucks of 28 mm: less has no room for camps and doors
LEAST_SIDES = (296, 220)
ESTIMATES = {
    **REMARKS,
    "team": "estimate: colours are those of the box; pick yours from a picture on the page /boards of `paleo run`",
    "zone": "estimate: circles and lines scaled from the box's board; measure from the surface's NW corner, by ruler",
    "door": "estimate: measure both ends of each door's line from the surface's NW corner, by ruler",
    "gate": "estimate: measure the gate's middle from two edges, and its diameter",
    "marker": "as `paleo sheets` prints them: one in the middle of each corner of the rim",
}
SAID = {
    ERROR: {"en": "error", "fr": "erreur"},
    WARNING: {"en": "warning", "fr": "attention"},
    "sound": {"en": "all fits together", "fr": "tout va ensemble"},
}


@dataclass(frozen=True, slots=True)
class BoardReport:
    """What is wrong with a board file, and its text; sound where nothing is an error.

    called: a team as people read it, by the language and its name in the file.
    """

    path: Path
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]
    language: str = "en"
    called: Callable[[str, str], str] = as_written

    @property
    def sound(self) -> bool:
        return not any(p.severity == ERROR for p in self.problems)

    def __str__(self) -> str:
        lines = [self._line(SAID[p.severity], p.where, p.text(self.language, self.called)) for p in self.problems]
        lines += [self._line(SAID[WARNING], text) for text in self.warnings]
        return "\n".join(lines or [self._line(str(self.path), SAID["sound"])])

    def _line(self, *parts: str | dict[str, str]) -> str:
        return COLON[self.language].join(part if isinstance(part, str) else part[self.language] for part in parts)


def check_board(
    path: Path, language: str = "en", called: Callable[[str, str], str] = as_written, told: Callable[[str], str] = str
) -> BoardReport:
    """Reads and judges a board file. told: a warning of its reader in that language.

    Raises BoardFileError where it breaks the format.
    """
    board = load_board(path)
    return BoardReport(path, tuple(board_problems(board)), tuple(map(told, board.warnings)), language, called)


def new_board(
    out: Path, name: str, size: tuple[float, float], puck: tuple[float, float], rim: tuple[float, float],
    language: str = "en", called: Callable[[str, str], str] = as_written,
) -> str:  # fmt: skip
    """Writes a board file to begin with: the box's board, scaled; each estimate says how to measure it.

    puck: diameter and height; rim: width and height, mm; language: in which a problem with them is quoted, its teams as
    `called` there. Raises BoardFileError where the file is there already, or the measures make no board, and
    CalibrationError where it cannot be written.
    """
    if out.exists():
        raise BoardFileError(f"{out}: this file is there already; give another name, or move it away")
    k = puck[0] / BOX_PUCK_MM
    if any(side < least * k for side, least in zip(size, LEAST_SIDES, strict=True)):
        least = " x ".join(f"{math.ceil(least * k)}" for least in LEAST_SIDES)
        raise BoardFileError(
            f"{out}: a surface of {size[0]:g} x {size[1]:g} mm has no room for camps and doors, as pucks are "
            f"{puck[0]:g} mm wide; expected at least {least} mm, or smaller pucks"
        )
    tables, _ = tables_from_drawing(_first_drawing(name, size, puck, rim))
    write_bytes(out, board_text(tables, ESTIMATES).encode(), "board file")
    try:
        report = check_board(out, language, called)
    except BoardFileError:
        out.unlink()
        raise
    if not report.sound:
        out.unlink()
        raise BoardFileError(f"{out}: these measures make no board: {str(report).splitlines()[0]}")
    return (f"{out}: a board to begin with; draw yours over its picture on the page /boards of `paleo run`, or correct "
            f"the measures in the file, then: paleo board check {shlex.quote(str(out))}")  # fmt: skip


def _first_drawing(name: str, size: tuple[float, float], puck: tuple[float, float], rim: tuple[float, float]) -> Json:
    """The box's board, its measures scaled by the puck (28 mm there) and its places by the surface (650 mm there)."""
    (w, h), k = size, puck[0] / BOX_PUCK_MM
    far, near, wall = 104 * k, 66 * k, 5.0
    camp_x = 88 * k if 88 * k + 74 * k < w / 2 else w / 4
    shapes: list[Json] = [
        {"kind": "sanctuary", "team": 0, "points": [[0, 0], [far, 0], [far, near], [near, far], [0, far]]},
        {"kind": "no_reef", "points": [[0, 0], [146 * k, 0], [146 * k, 84 * k], [84 * k, 146 * k], [0, 146 * k]]},
        {"kind": "door", "team": 0, "points": [[far, near], [near, far]]},
        {"kind": "facade", "team": 0, "points": _rectangle(far - wall, 0, far, near)},
        {"kind": "facade", "team": 0, "points": _rectangle(0, far - wall, near, far)},
        {"kind": "base_camp", "team": 0, "circle": [camp_x, h / 2, 74 * k]},
        {"kind": "no_reef", "circle": [camp_x, h / 2, 100 * k]},
        {"kind": "island", "circle": [w / 2, h / 2, 84 * k]},
        {"kind": "gate", "circle": [w / 2, h / 2, 26 * k]},
    ]
    marker = max(round(rim[0] * MARKER_OF_RIM, 1), 0.0)
    colours = (("red", "#c8342a", "#e8e4da"), ("green", "#2f8f4e", "#23262a"))
    return {
        "name": name, "size": list(size), "mirror": "both", "puck": {"diameter": puck[0], "height": puck[1]},
        "rim": {"width": rim[0], "height": rim[1]} if rim[0] else None,
        "reef": {"length": round(42 * k, 1), "width": 12.0, "height": 14.0},
        "markers": marker if marker >= LEAST_MARKER_MM else 0.0,
        "teams": [{"name": n, "colour": c, "digit_colour": "#f5f1e6", "reef_colour": r, "mercenaries": [1, 2, 8],
                   "explorers": [3, 4, 5, 6, 7]} for n, c, r in colours],
        "shapes": [{"id": str(i), "team": None, "swap": "sides", **shape} for i, shape in enumerate(shapes)],
    }  # fmt: skip


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> list[list[float]]:
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
