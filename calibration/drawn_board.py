"""A drawn board, judged and written: the text of its file, and each problem at the shape that it comes from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from calibration.board import BoardFileError, parse_board
from calibration.board_merge import merged_text
from calibration.board_problems import ERROR, PROBLEMS, as_written, board_problems
from calibration.board_text import board_text
from calibration.drawing import tables_from_drawing
from calibration.lens import CalibrationError

REMARKS = {
    "rim": "width: from the surface's edge to the rim's outer edge; height: above the surface (depth of a calliper)",
    "puck": "mean of five pucks, by calliper",
    "reef": "one reef, by calliper",
    "obstacle": "height above the surface, by ruler",
}
_WHERE = re.compile(r"\[+(?P<table>\w+)\] (?P<name>.*?)\]? [\w ]+(?:\[\d+\])?: found")


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong with a drawing: the shape's id ("" where it is none), whether it is an error, and both texts."""

    shape: str
    error: bool
    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """The board file's text, and what is wrong with it; it can be used where no mistake is an error."""

    text: str
    mistakes: tuple[Mistake, ...]

    @property
    def usable(self) -> bool:
        return not any(m.error for m in self.mistakes)


class DrawingError(CalibrationError):
    """A drawing that no board can be made from: the first mistake in it, in both languages."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        super().__init__(texts["en"])
        self.texts = texts


def judge_drawing(drawing: Mapping[str, Any], called: Callable[[str, str], str] = as_written) -> DrawnBoard:
    """Writes a drawing as a board file and judges it as `paleo board check` would.

    called: a team as people read it, by the language and its name in the drawing.
    Raises BoardFileError where what it was opened from is no board file.
    """
    tables, origin = tables_from_drawing(drawing)
    source = drawing.get("source")
    text = (merged_text(source, tables) if source else None) or board_text(tables, REMARKS)
    alone = _doors_alone(tables, origin)
    if alone:
        return DrawnBoard(text, alone)
    try:
        board = parse_board(text, str(drawing["name"]) or "board")
    except BoardFileError as error:
        found = _WHERE.search(str(error))
        shape = origin.get(f"{found['table']} {found['name']}", "") if found else ""
        return DrawnBoard(text, (Mistake(shape, True, {"en": str(error), "fr": str(error)}),))
    mistakes = []
    for problem in board_problems(board):
        texts = {language: problem.text(language, called) for language in ("en", "fr")}
        mistake = Mistake(origin.get(problem.where, ""), problem.severity == ERROR, texts)
        if mistake not in mistakes:  # mirror images have the same fault
            mistakes.append(mistake)
    return DrawnBoard(text, tuple(mistakes))


def _doors_alone(tables: Mapping[str, Any], origin: Mapping[str, str]) -> tuple[Mistake, ...]:
    """Doors for which no sanctuary is left; the file's format has no place for them."""
    sanctuaries = {zone["name"] for zone in tables["zone"]}
    shapes = {origin[f"door {d['name']}"]: None for d in tables["door"] if f"{d['name']} sanctuary" not in sanctuaries}
    return tuple(Mistake(shape, True, PROBLEMS["door.alone"]) for shape in shapes)
