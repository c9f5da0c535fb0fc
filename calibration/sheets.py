"""Sheets to print, as PDF: the board's rim markers, a ChArUco pattern for the lens, and a ruler on every page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Marker
from calibration.figures import figures_in
from calibration.lens import CalibrationError
from calibration.markers import marker_bits
from calibration.sheet_words import LANGUAGES, WORDS

Bits = NDArray[np.uint8]

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
KINDS = ("markers", "charuco", "ruler")
# the pattern on the sheet: it fits both papers, and differs from markers of 4 x 4 bits on the rim
CHARUCO = "charuco:7x9:25:17.5:DICT_5X5_100"
CHARUCO_SQUARES = (7, 9)
CHARUCO_SQUARE_MM = 25.0
CHARUCO_MARKER_MM = 17.5
CELLS_A_SQUARE = 20  # squares are drawn in cells of 1.25 mm: a marker's 7 modules take 14 of them, exactly
RULER_MM = 100.0
MEASURED_MM = (90.0, 110.0)  # what a ruler of 100 mm may measure on paper; beyond, the paper or the unit is mistaken
EDGE_MM = 10.0  # printers leave some 5 mm of a page white
FOOT_MM = 24.0  # room for the ruler below what a page shows
HEAD_MM = 16.0  # room for the title and the line below it
GAP_MM = 16.0  # between markers: room for cut marks and lines of text
CUT_MM = 4.0  # how far from a marker's corner its cut marks end, …
CUT_AWAY_MM = 1.0  # … and begin: nothing of them is left on what is cut out
LINE_MM = 0.2  # width of a printed line
_MM = 72 / 25.4


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """What to print: a board, a paper, the scale that makes up for the printer's, and the language."""

    board: Board
    paper: str = "a4"
    kinds: tuple[str, ...] = KINDS
    measured_mm: float = RULER_MM
    language: str = "en"

    def __post_init__(self) -> None:
        """Raises CalibrationError where a choice does not exist."""
        _choice("paper", self.paper, tuple(PAPERS_MM))
        _choice("language", self.language, LANGUAGES)
        for kind in self.kinds:
            _choice("sheet", kind, KINDS)
        low, high = MEASURED_MM
        if not low <= self.measured_mm <= high:
            raise CalibrationError(f"the ruler of {RULER_MM:g} mm measures {self.measured_mm:g} mm: expected "
                                   f"{low:g} to {high:g} mm; measure it from end to end, in millimetres")  # fmt: skip

    @property
    def scale(self) -> float:
        """By which lengths are drawn longer, so that they come out right on this printer."""
        return RULER_MM / self.measured_mm


def make_sheets(plan: SheetPlan) -> bytes:
    """The PDF. Raises CalibrationError where reportlab is missing or a marker does not fit on the paper."""
    file = io.BytesIO()
    drawn = _Pages(plan, file)
    if "markers" in plan.kinds:
        for group in _pages_of_markers(plan):
            drawn.markers(group)
    if "charuco" in plan.kinds:
        drawn.charuco()
    if "ruler" in plan.kinds and not drawn.count:
        drawn.ruler_alone()
    drawn.save()
    return file.getvalue()


def cut_side_mm(board: Board, marker: Marker) -> float:
    """The side of the paper square with a marker: a module of white around it, but no more than the rim's width."""
    module = marker.size_mm / len(marker_bits(marker.dictionary, marker.id))
    wide = marker.size_mm + 2 * module
    rim = board.rim.width_mm if board.rim is not None else wide
    return min(wide, rim) if rim > marker.size_mm else wide


def charuco_cells() -> Bits:
    """(rows, columns) cells of the ChArUco sheet, CELLS_A_SQUARE a square: 0 black, 1 white."""
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard(CHARUCO_SQUARES, CHARUCO_SQUARE_MM, CHARUCO_MARKER_MM, book)
    columns, rows = (n * CELLS_A_SQUARE for n in CHARUCO_SQUARES)
    return np.asarray(board.generateImage((columns, rows)) > 127, dtype=np.uint8)


def _pages_of_markers(plan: SheetPlan) -> Iterator[list[tuple[Marker, float, float]]]:
    """Markers with the upper left corners (mm from the page's) of their paper squares, page by page."""
    width, height = PAPERS_MM[plan.paper]
    page: list[tuple[Marker, float, float]] = []
    x, y, row = EDGE_MM, HEAD_MM + GAP_MM / 2, 0.0
    for marker in plan.board.markers:
        side = cut_side_mm(plan.board, marker) * plan.scale
        if side > min(width - 2 * EDGE_MM, height - HEAD_MM - FOOT_MM - 2 * GAP_MM):
            raise CalibrationError(f"marker {marker.id} with its margin is {side:.0f} mm wide and does not fit on "
                                   f"{plan.paper}; print smaller markers and say so in the board file")  # fmt: skip
        if x + side > width - EDGE_MM:
            x, y, row = EDGE_MM, y + row + GAP_MM, 0.0
        if y + side > height - FOOT_MM - GAP_MM:
            yield page
            page, x, y, row = [], EDGE_MM, HEAD_MM + GAP_MM / 2, 0.0
        page.append((marker, x, y))
        x, row = x + side + GAP_MM, max(row, side)
    if page:
        yield page


class _Pages:
    """Draws pages: millimetres from the upper left corner, y downwards."""

    def __init__(self, plan: SheetPlan, file: io.BytesIO) -> None:
        self.plan, self.words = plan, WORDS[plan.language]
        self.width, self.height = PAPERS_MM[plan.paper]
        self.count = 0
        self._canvas = _reportlab().Canvas(file, pagesize=(self.width * _MM, self.height * _MM), invariant=1)
        self._canvas.setTitle(f"Paleo Companion: {plan.board.name}")

    def save(self) -> None:
        if not self.count:
            raise CalibrationError(f'the board file of "{self.plan.board.name}" has no markers, and no other sheet was '
                                   "asked for; print --what charuco,ruler, or add markers to the file")  # fmt: skip
        self._canvas.save()

    def markers(self, group: list[tuple[Marker, float, float]]) -> None:
        self._head(self.words["markers"].format(board=self.plan.board.name), self.words["markers_how"])
        for marker, x, y in group:
            self._marker(marker, x, y)
        self._foot()

    def charuco(self) -> None:
        self._head(self.words["charuco"], self.words["charuco_how"].format(pattern=CHARUCO))
        side = CHARUCO_SQUARE_MM * self.plan.scale
        left = (self.width - CHARUCO_SQUARES[0] * side) / 2
        self._cells(charuco_cells(), left, HEAD_MM + 4, side / CELLS_A_SQUARE)
        self._foot()

    def ruler_alone(self) -> None:
        self._head(self.words["ruler"], self.words["ruler_how"])
        self._foot()

    def _marker(self, marker: Marker, x: float, y: float) -> None:
        """One marker with margin, cut marks, an arrow to the north and a line that says where it belongs."""
        scale = self.plan.scale
        side, inner = cut_side_mm(self.plan.board, marker) * scale, marker.size_mm * scale
        bits = marker_bits(marker.dictionary, marker.id)
        margin = (side - inner) / 2
        self._cells(bits, x + margin, y + margin, inner / len(bits))
        for cx, dx in ((x, -1), (x + side, 1)):
            for cy, dy in ((y, -1), (y + side, 1)):
                self._line(cx + dx * CUT_AWAY_MM, cy, cx + dx * CUT_MM, cy)
                self._line(cx, cy + dy * CUT_AWAY_MM, cx, cy + dy * CUT_MM)
        place = self.words[_place(self.plan.board, marker)]
        cx, cy = marker.centre
        self._text(self.words["north"], x + side / 2, y - 3.2, 7, centred=True)
        self._arrow(x + side / 2, y - 0.6)
        self._text(f"{marker.id} · {place}", x + side / 2, y + side + 3.2, 7, centred=True)
        self._text(f"({cx:g}, {cy:g}) mm", x + side / 2, y + side + 6.2, 6, centred=True)

    def _head(self, title: str, how: str) -> None:
        if self.count:
            self._canvas.showPage()
        self.count += 1
        self._text(title, EDGE_MM, EDGE_MM + 2, 12, bold=True)
        self._text(how, EDGE_MM, EDGE_MM + 7, 7.5)

    def _foot(self) -> None:
        """The ruler, and what to do when it measures something else."""
        length = RULER_MM * self.plan.scale
        y = self.height - FOOT_MM + 8
        self._line(EDGE_MM, y, EDGE_MM + length, y)
        for mark in range(11):
            x = EDGE_MM + length * mark / 10
            self._line(x, y - (4 if mark % 5 == 0 else 2.5), x, y)
        self._text(self.words["measure"].format(mm=f"{RULER_MM:g}"), EDGE_MM, y + 4, 7.5)
        percent = f"{100 * self.plan.scale:.1f}"
        applied = self.words["applied"].format(measured=f"{self.plan.measured_mm:g}", percent=percent)
        applied = figures_in(self.plan.language, applied)
        self._text(applied if self.plan.scale != 1 else self.words["full_size"], EDGE_MM, y + 8, 7.5)

    def _cells(self, cells: Bits, x: float, y: float, side: float) -> None:
        """Black cells as one path, so that no seams show between them."""
        path = self._canvas.beginPath()
        for row, values in enumerate(cells):
            column = 0
            for value, run in groupby(values.tolist()):
                count = len(list(run))
                if not value:
                    top = self.height - (y + (row + 1) * side)
                    path.rect((x + column * side) * _MM, top * _MM, count * side * _MM, side * _MM)
                column += count
        self._canvas.setFillGray(0)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def _arrow(self, x: float, y: float) -> None:
        """A small triangle upwards, its foot at a point."""
        path = self._canvas.beginPath()
        path.moveTo((x - 1) * _MM, (self.height - y) * _MM)
        path.lineTo((x + 1) * _MM, (self.height - y) * _MM)
        path.lineTo(x * _MM, (self.height - y + 1.8) * _MM)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def _line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self._canvas.setLineWidth(LINE_MM * _MM)
        self._canvas.line(x0 * _MM, (self.height - y0) * _MM, x1 * _MM, (self.height - y1) * _MM)

    def _text(self, text: str, x: float, y: float, size: float, *, centred: bool = False, bold: bool = False) -> None:
        self._canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        draw = self._canvas.drawCentredString if centred else self._canvas.drawString
        draw(x * _MM, (self.height - y) * _MM, text)


def _place(board: Board, marker: Marker) -> str:
    """Which part of the rim a marker belongs to: "north-west", "north" …"""
    parts = []
    for value, size, names in ((marker.centre[1], board.size[1], ("north", "south")),
                               (marker.centre[0], board.size[0], ("west", "east"))):  # fmt: skip
        third = size / 3
        parts += [names[0]] if value < third else [names[1]] if value > 2 * third else []
    place = "-".join(parts) or "middle"
    return "north side" if place == "north" else place


def _choice(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise CalibrationError(f"{what} {value!r}: expected one of {', '.join(known)}")


@cache
def _reportlab() -> Any:
    try:
        from reportlab.pdfgen import canvas
    except ModuleNotFoundError:
        raise CalibrationError("sheets need reportlab, which is not installed; install it with: "
                               "pip install 'paleo-companion[sheets]'") from None  # fmt: skip
    return canvas
