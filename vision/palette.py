"""Teams told apart by colour: what paint looks like under this room's light, learned from the pucks themselves."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.colours import bgr_of

FloatArray = NDArray[np.float64]

GAMMA = 2.2  # of sRGB, near enough for telling paints apart
EXPOSURES = tuple(2.0 ** (k / 2) for k in range(-5, 3))  # how bright the camera may have made the paint
TINTS = (0.7, 0.82, 1.0, 1.2, 1.42)  # red and blue against green: the colour cast that may be left
VEILS = (0.02, 0.04, 0.07)  # what haze, or a camera that lifts the dark, may add to all light …
VEILED = 1.3  # … if so many more pucks are explained by it
TOLERANCE = 0.13  # distance of two paints, cube-root units as below, that still counts as the same
COLOURED = 0.2  # distance from grey beyond which a paint is a colour that cameras may exaggerate
VIVID = 0.3  # what a colour is more vivid than the paint counts so much: cameras add to it as they like
TINT_COST = 0.35  # an odd cast must explain this many more pucks for each unit of log tint


def linear_from_bgr(colours: FloatArray) -> FloatArray:
    """(N, 3) 8-bit BGR -> (N, 3) linear light 0..1, RGB order."""
    return np.asarray((np.asarray(colours, dtype=np.float64)[..., ::-1] / 255.0) ** GAMMA)


def perceived(linear: FloatArray) -> FloatArray:
    """Opponent coordinates (lightness, red-green, yellow-blue) of linear RGB; lightness counts less than colour."""
    r, g, b = np.moveaxis(np.cbrt(np.clip(linear, 0.0, None)), -1, 0)
    return np.stack([0.55 * (0.3 * r + 0.6 * g + 0.1 * b), 1.3 * (r - g), 0.8 * (0.5 * (r + g) - b)], axis=-1)


def paint_distances(seen: FloatArray, paints: FloatArray) -> FloatArray:
    """How far colours are from paints, both as `perceived`, more vivid ones being nearer. (N, 3), (T, 3) -> (N, T)"""
    apart = np.asarray(seen)[:, None] - paints[None]
    vivid = np.linalg.norm(paints[:, 1:], axis=1)
    hue = paints[:, 1:] / np.maximum(vivid, 1e-9)[:, None]
    beyond = np.where(vivid > COLOURED, np.maximum((apart[..., 1:] * hue).sum(axis=2), 0.0), 0.0)
    return np.asarray(np.sqrt(np.maximum((apart**2).sum(axis=2) - (1 - VIVID**2) * beyond**2, 0.0)))


def linear_from_hex(colour: str) -> FloatArray:
    """'#rrggbb' -> (3,) linear light RGB."""
    return (np.array(bgr_of(colour)[::-1]) / 255.0) ** GAMMA


@dataclass(frozen=True, slots=True)
class Palette:
    """What each team's puck looks like now.

    linear: (T, 3) linear RGB as observed, in the order of names; rounded_mm: how far tops are rounded off at the edge.
    """

    names: tuple[str, ...]
    linear: FloatArray
    rounded_mm: float = 0.0

    def distances(self, colours: FloatArray) -> FloatArray:
        """How far each colour is from each team. colours: (N, 3) BGR -> (N, T)."""
        return paint_distances(perceived(linear_from_bgr(colours)), perceived(self.linear))

    def bgr(self, name: str) -> FloatArray:
        """(3,) the 8-bit BGR that a team's puck shows."""
        value = self.linear[self.names.index(name)] ** (1 / GAMMA) * 255.0
        return np.asarray(value[::-1], dtype=np.float64)

    def toned(self, curve: NDArray[np.uint8]) -> Palette:
        """The palette for pictures with other levels in their levels' place. curve: (256,)"""
        levels = self.linear ** (1 / GAMMA) * 255.0
        linear = (np.interp(levels, np.arange(256), curve.astype(np.float64)) / 255.0) ** GAMMA
        return Palette(self.names, np.asarray(linear), self.rounded_mm)

    def in_light(self, gain: FloatArray) -> Palette:
        """The palette in another light. gain: (3,) BGR, by how much levels have grown"""
        linear = self.linear * np.asarray(gain, dtype=np.float64)[::-1] ** GAMMA
        return Palette(self.names, np.minimum(linear, 1.0), self.rounded_mm)

    def updated(self, colours: FloatArray, teams: list[str], rate: float = 1.0) -> Palette:
        """The palette after pucks of known teams were seen again; rate 1 forgets what was before."""
        seen = linear_from_bgr(colours)
        linear = self.linear.copy()
        for k, name in enumerate(self.names):
            mine = seen[[i for i, t in enumerate(teams) if t == name]]
            if len(mine):
                linear[k] = (1 - rate) * linear[k] + rate * np.median(mine, axis=0)
        return Palette(self.names, linear, self.rounded_mm)


def painted(board: Board) -> Palette:
    """The palette as the board file paints it, in neutral light."""
    return Palette(tuple(t.name for t in board.teams), np.stack([linear_from_hex(t.colour) for t in board.teams]))


def learn_palette(board: Board, colours: FloatArray, weights: FloatArray) -> Palette:
    """Finds the light under which most candidates look like pucks of some team.

    colours: (N, 3) BGR inside candidate circles; weights: (N,) how much like a puck's outline each is.
    """
    paint = painted(board)
    if len(colours) == 0:
        return paint
    seen = perceived(linear_from_bgr(colours))
    best_score, best = _best_light(seen, weights, paint.linear)
    veiled_score, veiled = max((_best_light(seen, weights, paint.linear, veil) for veil in VEILS), key=lambda b: b[0])
    palette = Palette(paint.names, veiled if veiled_score > VEILED * max(best_score, 0.0) else best)
    for _ in range(3):
        distance = palette.distances(colours)
        nearest = distance.argmin(axis=1)
        good = distance[np.arange(len(colours)), nearest] < TOLERANCE
        teams = [palette.names[k] if g else "" for k, g in zip(nearest, good, strict=True)]
        palette = palette.updated(colours, teams)
    return palette


def _best_light(
    seen: FloatArray, weights: FloatArray, paints: FloatArray, veil: float = 0.0
) -> tuple[float, FloatArray]:  # fmt: skip
    """The light in which most candidates look like a team. veil: what is added to all light -> score, (T, 3) paints"""
    best, best_score = paints, -np.inf
    for exposure, red, blue in itertools.product(EXPOSURES, TINTS, TINTS):
        lit = paints * (exposure * np.array([red, 1.0, blue])) + veil
        score = _agreement(seen, weights, lit)
        score -= TINT_COST * (abs(np.log(red)) + abs(np.log(blue)) + 0.3 * abs(np.log(exposure)))
        if score > best_score:
            best, best_score = lit, score
    return best_score, best


def _agreement(seen: FloatArray, weights: FloatArray, linear: FloatArray) -> float:
    """Weighted count of candidates that look like a team, one team's crowd counting less than two teams' crowds."""
    distance = paint_distances(seen, perceived(linear))
    nearest = distance.argmin(axis=1)
    close = np.clip(1.0 - distance[np.arange(len(seen)), nearest] / (1.5 * TOLERANCE), 0.0, 1.0) * weights
    per_team = np.bincount(nearest, weights=close, minlength=len(linear))
    return float(np.sqrt(per_team).sum() ** 2 / len(linear))
