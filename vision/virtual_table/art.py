"""What is painted: the surface with its islands, camps and ornaments, the wood of the rim, the table, puck tops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Team, Zone
from calibration.colours import bgr_of
from vision.frames import Image

FloatImage = NDArray[np.float32]
Colour = tuple[float, float, float]

TEXELS_PER_MM = 3.0  # of the surface and its rim: finer than any camera here sees them
TABLE_TEXELS_PER_MM = 1.0  # its wood has nothing fine
TABLE_SIDE_MM = 1024  # the piece that is painted, and repeated
ORNAMENTS = 46  # what a tracker must not take for pucks
CIRCLE_GAP_MM = 2.0  # a start circle is printed a little wider than a puck
DIGIT_TEXELS = 256  # a puck's top is painted so large, then made small
FIXED_BITS = 4  # cv2's sub-pixel drawing: coordinates times 16


@dataclass(frozen=True, slots=True)
class Texture:
    """A painted plane: image (H, W, 3) BGR, place of its first texel's corner, texels a millimetre."""

    image: Image
    origin_mm: tuple[float, float]
    texels_per_mm: float


def bgr(colour: str) -> Colour:
    """A colour of the board file, "#rrggbb", as BGR 0..255."""
    b, g, r = bgr_of(colour)
    return float(b), float(g), float(r)


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """Colour a with the given share of b."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share)


def clouds(
    shape: tuple[int, int], rng: np.random.Generator, cells: tuple[int, ...], stretch: float = 1.0
) -> FloatImage:
    """(H, W) smooth noise of about unit spread; cells: grains across the width, coarse to fine."""
    out = np.zeros(shape, np.float32)
    for i, n in enumerate(cells):
        rows = max(2, int(n * shape[0] / shape[1] * stretch))
        grain = rng.standard_normal((rows, max(2, n))).astype(np.float32)
        out += cv2.resize(grain, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC) * (0.7**i)
    out /= max(float(cv2.meanStdDev(out)[1][0, 0]), 1e-6)
    return out


def _mottled(colour: FloatImage, spread: tuple[float, float, float], grain: FloatImage) -> FloatImage:
    """(H, W, 3) a colour, more or less so by a (H, W) grain: spread of each channel."""
    return np.asarray(cv2.merge([grain * np.float32(k) + np.float32(c) for k, c in zip(spread, colour, strict=True)]))


@lru_cache(maxsize=2)
def paint_surface(board: Board, seed: int) -> Texture:
    """The playing surface, without anything that stands on it."""
    rng = np.random.default_rng((seed, 1))
    w, h = board.size
    shape = (round(h * TEXELS_PER_MM), round(w * TEXELS_PER_MM))
    water = np.array(_water_colour(rng), np.float32)
    image = _mottled(water, (12.0, 12.0, 9.0), clouds(shape, rng, (7, 23, 90)))
    image += cv2.merge([clouds(shape, rng, (420,)) * np.float32(4.0)] * 3)
    brush = _Brush(image)
    for zone in board.zones:
        _paint_zone(brush, board, zone, rng)
    _paint_ornaments(brush, board, rng)
    for gate in board.gates:
        _paint_gate(brush, gate.circle)
    for team in board.teams:
        for x, y in team.start_circles:
            brush.ring(x, y, board.puck.radius_mm + CIRCLE_GAP_MM, 1.0, mixed(bgr(team.colour), (20, 30, 40), 0.35))
    image = brush.image
    image += cv2.merge([clouds(shape, rng, (700,)) * np.float32(1.5)] * 3)
    return Texture(_whole(image), (0.0, 0.0), TEXELS_PER_MM)


def _whole(image: FloatImage) -> Image:
    """The colours of a picture, which is lost, in whole steps."""
    image += np.float32(0.5)
    return np.asarray(np.clip(image, 0, 255, out=image), np.uint8)


def _water_colour(rng: np.random.Generator) -> Colour:
    base = np.array([135.0, 100.0, 38.0]) + rng.normal(0, 8, 3)
    return float(base[0]), float(base[1]), float(base[2])


class _Brush:
    """Draws in millimetres on a texture, with smooth edges."""

    def __init__(self, image: FloatImage) -> None:
        self.image = image

    def _fixed(self, points: NDArray[np.float64]) -> NDArray[np.int32]:
        return np.round((points * TEXELS_PER_MM - 0.5) * (1 << FIXED_BITS)).astype(np.int32)

    def _apply(
        self, mask: NDArray[np.uint8], colour: Colour, opacity: float = 1.0, grain: FloatImage | None = None
    ) -> None:
        a = mask.astype(np.float32)[..., None] * (opacity / 255)
        paint = np.array(colour, np.float32) if grain is None else np.array(colour, np.float32) + grain
        self.image *= 1 - a
        self.image += paint * a

    def _box(self, points: NDArray[np.float64], pad_mm: float) -> tuple[slice, slice, NDArray[np.float64]] | None:
        low = np.floor((points.min(axis=0) - pad_mm) * TEXELS_PER_MM).astype(int)
        high = np.ceil((points.max(axis=0) + pad_mm) * TEXELS_PER_MM).astype(int)
        h, w = self.image.shape[:2]
        x0, y0, x1, y1 = max(low[0], 0), max(low[1], 0), min(high[0], w), min(high[1], h)
        if x1 <= x0 or y1 <= y0:
            return None
        return slice(y0, y1), slice(x0, x1), points - np.array([x0, y0]) / TEXELS_PER_MM

    def polygon(self, points: NDArray[np.float64], colour: Colour, opacity: float = 1.0, grain: float = 0.0,
                rng: np.random.Generator | None = None) -> None:  # fmt: skip
        box = self._box(points, 2.0)
        if box is None:
            return
        part = _Brush(self.image[box[0], box[1]])
        mask = np.zeros(part.image.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self._fixed(box[2])], 255, cv2.LINE_AA, FIXED_BITS)
        grains = None
        if rng is not None:
            shape = (part.image.shape[0], part.image.shape[1])
            grains = np.asarray(clouds(shape, rng, (6, 20, 60))[..., None] * grain, np.float32)
        part._apply(mask, colour, opacity, grains)

    def line(
        self, points: NDArray[np.float64], width_mm: float, colour: Colour, closed: bool, opacity: float = 1.0
    ) -> None:
        box = self._box(points, width_mm + 2)
        if box is None:
            return
        part = _Brush(self.image[box[0], box[1]])
        mask = np.zeros(part.image.shape[:2], np.uint8)
        thickness = max(1, round(width_mm * TEXELS_PER_MM))
        cv2.polylines(mask, [self._fixed(box[2])], closed, 255, thickness, cv2.LINE_AA, FIXED_BITS)
        part._apply(mask, colour, opacity)

    def ring(self, x: float, y: float, r: float, width_mm: float, colour: Colour, opacity: float = 1.0) -> None:
        self.line(circle_points(x, y, r), width_mm, colour, True, opacity)


def circle_points(x: float, y: float, r: float, n: int = 72) -> NDArray[np.float64]:
    """(N, 2) points of a circle."""
    a = np.linspace(0, 2 * math.pi, n, endpoint=False)
    return np.column_stack([x + r * np.cos(a), y + r * np.sin(a)])


def _blob(x: float, y: float, r: float, rng: np.random.Generator, wobble: float) -> NDArray[np.float64]:
    a = np.linspace(0, 2 * math.pi, 96, endpoint=False)
    radius = np.full_like(a, r)
    for k in (2, 3, 5):
        radius += r * wobble / k * rng.uniform(0.4, 1.0) * np.cos(k * a + rng.uniform(0, 2 * math.pi))
    return np.column_stack([x + radius * np.cos(a), y + radius * np.sin(a)])


def _paint_zone(brush: _Brush, board: Board, zone: Zone, rng: np.random.Generator) -> None:
    sand, ink = (112.0, 178.0, 212.0), (58.0, 44.0, 22.0)
    points = circle_points(*zone.circle) if zone.circle else np.array(zone.polygon, np.float64)
    if zone.kind in ("base_camp", "island") and zone.circle:
        brush.polygon(_blob(*zone.circle, rng, 0.10), sand, 1.0, 7.0, rng)
    elif zone.kind == "advanced_camp":
        brush.line(points, 0.8, mixed(ink, (200, 190, 150), 0.35), True, 0.6)
    elif zone.kind == "sanctuary":
        colour = bgr(board.team(zone.team).colour) if zone.team else sand
        brush.polygon(points, mixed(colour, (110.0, 150.0, 160.0), 0.42), 1.0, 6.0, rng)
    elif zone.kind == "no_reef":
        brush.line(points, 1.7, ink, True, 0.85)


def _paint_gate(brush: _Brush, circle: tuple[float, float, float]) -> None:
    x, y, r = circle
    brush.polygon(circle_points(x, y, r), (48.0, 78.0, 96.0))
    for i in range(10):
        a = 2 * math.pi * i / 10
        spoke = np.array([[x + 4 * math.cos(a), y + 4 * math.sin(a)], [x + r * math.cos(a), y + r * math.sin(a)]])
        brush.line(spoke, 0.8, (25.0, 38.0, 48.0), False)
    brush.ring(x, y, r - 0.6, 1.4, (25.0, 38.0, 48.0))


def _paint_ornaments(brush: _Brush, board: Board, rng: np.random.Generator) -> None:
    """Shells, weeds and rings, some in the colours and sizes of pucks: what a tracker must not take for one."""
    w, h = board.size
    for _ in range(ORNAMENTS):
        x, y = rng.uniform(10, w - 10), rng.uniform(10, h - 10)
        colour = _ornament_colour(board, rng)
        if rng.random() < 0.55:
            brush.ring(
                x,
                y,
                rng.uniform(2.5, board.puck.radius_mm * 0.85),
                rng.uniform(0.7, 1.6),
                colour,
                rng.uniform(0.5, 0.95),
            )
        else:
            a, b, turn = rng.uniform(4, 10), rng.uniform(1.2, 3), rng.uniform(0, math.pi)
            unit = circle_points(0, 0, 1.0, 40) * (a, b)
            spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
            brush.polygon(unit @ spin.T + (x, y), colour, rng.uniform(0.6, 0.95))


def _ornament_colour(board: Board, rng: np.random.Generator) -> Colour:
    if rng.random() < 0.25:
        return bgr(board.teams[int(rng.integers(len(board.teams)))].colour)
    hue = np.array([[[rng.integers(180), rng.integers(90, 220), rng.integers(90, 235)]]], np.uint8)
    b, g, r = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)


@lru_cache(maxsize=2)
def paint_table(seed: int) -> Texture:
    """The table around the board: cloth or planks, far enough out for any camera (it repeats)."""
    rng = np.random.default_rng((seed, 2))
    side = round(TABLE_SIDE_MM * TABLE_TEXELS_PER_MM)
    base = np.array([[62.0, 84.0, 100.0], [78.0, 92.0, 108.0], [88.0, 80.0, 74.0]][int(rng.integers(3))], np.float32)
    base = base + rng.normal(0, 6, 3).astype(np.float32)
    planks = rng.random() < 0.5
    grain = clouds((side, side), rng, (5, 12), 14.0) if planks else clouds((side, side), rng, (14, 45, 130))
    image = _mottled(base, (9.0, 10.0, 11.0), grain)
    return Texture(_whole(image), (-180.0, -180.0), TABLE_TEXELS_PER_MM)


@lru_cache(maxsize=2)
def paint_rim(board: Board, seed: int) -> Texture:
    """The rim's top as one plane around the surface (its middle is unused)."""
    assert board.rim is not None
    rng = np.random.default_rng((seed, 3))
    (w, h), m = board.size, board.rim.width_mm
    shape = (round((h + 2 * m) * TEXELS_PER_MM), round((w + 2 * m) * TEXELS_PER_MM))
    wood = np.array([62.0, 118.0, 168.0], np.float32) + rng.normal(0, 7, 3).astype(np.float32)
    image = _mottled(wood, (5.0, 7.0, 8.0), clouds(shape, rng, (30, 90), 1.0))
    return Texture(_whole(image), (-m, -m), TEXELS_PER_MM)


@lru_cache(maxsize=64)
def paint_top(team: Team, number: int | None, texels: int) -> FloatImage:
    """(N, N, 3) a puck's top as seen upright: lacquer, a bevel, the printed number; not to be written to."""
    n = DIGIT_TEXELS
    y, x = np.mgrid[0:n, 0:n].astype(np.float32)
    r = np.hypot(x - (n - 1) / 2, y - (n - 1) / 2) / (n / 2)
    colour = np.array(bgr(team.colour), np.float32)
    image = np.empty((n, n, 3), np.float32)
    image[:] = colour
    image *= (1.02 - 0.05 * np.clip(r, 0, 1) ** 2)[..., None]
    groove, bevel = np.exp(-(((r - 0.77) / 0.025) ** 2)), np.exp(-(((r - 0.88) / 0.04) ** 2))
    image *= (1 - 0.08 * groove + 0.06 * bevel)[..., None]
    image *= np.where(r > 0.975, 0.82, 1.0)[..., None]
    if number is not None:
        mask = np.zeros((n, n), np.uint8)
        text, font = str(number), cv2.FONT_HERSHEY_DUPLEX
        (tw, th), _ = cv2.getTextSize(text, font, 4.2, 24)
        cv2.putText(mask, text, ((n - tw) // 2, (n + th) // 2), font, 4.2, 255, 24, cv2.LINE_AA)
        a = _centred(mask).astype(np.float32)[..., None] / 255
        image += (np.array(bgr(team.digit_colour), np.float32) - image) * a
    return np.asarray(cv2.resize(image, (texels, texels), interpolation=cv2.INTER_AREA), np.float32)


def _centred(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The print moved so that its middle is the puck's."""
    ys, xs = np.nonzero(mask)
    n = mask.shape[0]
    dx, dy = round((n - 1) / 2 - (xs.min() + xs.max()) / 2), round((n - 1) / 2 - (ys.min() + ys.max()) / 2)
    return np.roll(mask, (dy, dx), (0, 1))
