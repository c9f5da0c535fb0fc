"""Pucks told by the numbers they bear: where a puck is hardly other than the ground, its number is all the more so."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Team
from vision.detection import EDGE_MIN, Disc, as_placed, faintness, locate
from vision.frames import Image
from vision.numbers import ink_contrast, puck_patch, towards_ink
from vision.outline import refine
from vision.palette import GAMMA, Palette, linear_from_hex, painted
from vision.pieces import pieces
from vision.resting import (
    CLEAR_LEVEL,
    FAINT_EVEN,
    INKED_LEVEL,
    OVERLAP,
    SUPPORT_MIN,
    SeenDisc,
    evenness,
    lies_on_board,
    off_middle,
)
from vision.view import TopView

FloatArray = NDArray[np.float64]

AREA = (0.03, 0.5)  # puck areas that a number covers, its strokes closed up …
LENGTH = (0.45, 1.4)  # … and radii that it is long
CLOSED = 0.25  # radii: gaps between strokes, as in an 8, are no wider
CONTRAST = 0.45  # of what its paint and its puck's differ by in this light: prints on the board have less
PAINT_OFF = 0.035  # distance of paints: nearer than this is the puck around its number to its team's paint
OFF_MM = 3.0  # how far the middle of a number may lie from that of its puck
OUTLINE_LEAST, OUTLINE_MM = 0.45, 5.0  # so much of an outline, so near, has a puck, and no print on a plain field
STEPS_MM = ((0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.0, 2.0), (0.0, -2.0))  # from where an outline is looked for


def with_marked(seen: Sequence[SeenDisc], image: Image, view: TopView, palette: Palette) -> list[SeenDisc]:
    """Pucks found by their outlines, and those whose numbers stand out from paint that is just their team's. Of the
    first those that overlap one of the second saw its shadow, or a print: they are left out.

    image: (H, W, 3) without noise. What is added is placed by as much of an outline as any puck's, and where less than
    that shows by the number.
    """
    top = view.rectify(image)
    apart = OVERLAP * view.board.puck.diameter_mm
    marked = [disc for team in view.board.teams if team.numbers
              for disc in _marked(image, top, view, palette, team, seen)]  # fmt: skip
    new: list[SeenDisc] = []
    for disc in sorted(marked, key=lambda d: -d.score):
        if all(math.dist(disc.place, n.place) >= apart for n in new):
            new.append(disc)
    return [*(d for d in seen if all(math.dist(n.place, d.place) >= apart for n in new)), *new]


def ink_share(image: Image, view: TopView, palette: Palette, team: Team, place: tuple[float, float]) -> float:
    """How much what stands out on a puck, whose middle is at a place in mm, differs from its paint, as a share of what
    its team's numbers should: about 1 where there is one, 0 where there is none."""
    patch = puck_patch(image, view.pose, view.board, *place)
    return ink_contrast(patch, team) / max(_ink_expected(palette, team, view.board), 1.0)


def _marked(
    image: Image, top: Image, view: TopView, palette: Palette, team: Team, seen: Sequence[SeenDisc]
) -> Iterator[SeenDisc]:
    """The pucks of a team that bear a number where none was seen."""
    least = INKED_LEVEL * faintness(image)
    contrast = max(least, CONTRAST * _ink_expected(palette, team, view.board))
    places = [p for p in _numbers(top, view, palette, team, least)
              if all(math.dist(p, d.place) > OFF_MM for d in seen)]  # fmt: skip
    circles = as_placed(image, view, np.array(places).reshape(-1, 2))
    for place, circle in zip(places, circles, strict=True):
        off = palette.distances(np.array([circle.colour]))[0, palette.names.index(team.name)]
        if off > PAINT_OFF or not lies_on_board(circle, view.board):
            continue
        if ink_contrast(puck_patch(image, view.pose, view.board, *place), team) < contrast:
            continue
        if evenness(off_middle(image, [circle], view)[0]) < FAINT_EVEN:
            continue
        best = _outlined(image, view, palette, circle)
        if best is not None:
            yield SeenDisc(team.name, best.x_mm, best.y_mm, 0.5 * best.support + 0.5, circle.colour)


def _numbers(
    top: Image, view: TopView, palette: Palette, team: Team, least: float
) -> Iterator[tuple[float, float]]:
    """Where something as large as a number differs from a team's paint towards its numbers' by so many grey levels: the
    middles, mm. top: (h, w, 3)"""
    along = cv2.transform(top.astype(np.float32), towards_ink(team)[None].astype(np.float32))
    differs = along - float(palette.bgr(team.name) @ towards_ink(team)) > least
    radius = view.radius_px
    size = max(3, round(CLOSED * radius)) | 1
    closed = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
    smallest, largest = (share * math.pi * radius**2 for share in AREA)
    for piece in pieces(np.asarray(closed), smallest, largest):
        (w, h), (rows, columns) = piece.size, piece.window
        if LENGTH[0] * radius < max(w, h) < LENGTH[1] * radius:
            x, y = view.mm_from_px(np.array([columns.start + (w - 1) / 2, rows.start + (h - 1) / 2]))[0]
            yield float(x), float(y)


def _outlined(image: Image, view: TopView, palette: Palette, marked: Disc) -> Disc | None:
    """A circle around a number, exactly placed where enough of an outline shows; None where hardly any does, as of a
    print."""
    around = np.array([(marked.x_mm, marked.y_mm)])

    def off_mm(circle: Disc) -> float:
        return math.dist((circle.x_mm, circle.y_mm), around[0])

    found = [c for level in (EDGE_MIN, CLEAR_LEVEL * EDGE_MIN) for c in locate(image, view, around + STEPS_MM, level)]
    if all(c.support < OUTLINE_LEAST or off_mm(c) > OUTLINE_MM for c in found):
        return None
    best = max((c for c in found if off_mm(c) < OFF_MM), key=lambda c: c.support, default=marked)
    if best.support < SUPPORT_MIN:
        return marked
    exact = as_placed(image, view, refine(image, view, np.array([[best.x_mm, best.y_mm]]), palette.rounded_mm))[0]
    return exact if off_mm(exact) < OFF_MM else best


def _ink_expected(palette: Palette, team: Team, board: Board) -> float:
    """Grey levels by which the paint of a team's numbers differs from its pucks' in the light of the palette."""
    light = float(palette.linear.sum() / max(painted(board).linear.sum(), 1e-3))
    lit = (np.clip(linear_from_hex(team.digit_colour) * light, 0.0, 1.0) ** (1 / GAMMA) * 255.0)[::-1]
    return float((lit - palette.bgr(team.name)) @ towards_ink(team))
