"""Colours of a board file, and whether a picture has any: those of cameras that film by infrared light have none."""

from __future__ import annotations

import itertools
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board

Image = NDArray[np.uint8]

CELL_PX = 8  # cells of so many pixels are looked at: their mean has little noise
LEVELS = (24.0, 250.0)  # of cells looked at: in darker ones noise makes colours, brighter ones are washed out
FEWEST = 50  # cells: of fewer nothing is told
# a picture has colours where one cell in two hundred differs from the others in hue by more than this (logarithm of one
# channel against another). Pictures of boards, in dim rooms too, have 0.5 and more, those without less than 0.02
FAINT = 0.1
COLOURED = 99.5  # the percentile that goes with it
XYZ_OF_RGB = np.array([(0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)])  # of linear light
ALIKE = 20.0  # CIE L*: paints that differ by less than so much in lightness look alike in grey


def colourless(image: Image) -> bool:
    """True where a picture has no colours, but for a cast that all of it has. image: (H, W, 3) BGR, or (H, W) grey

    False too where it is too dark, or too bright, to tell.
    """
    if image.ndim == 2:
        return True
    h, w = image.shape[:2]
    size = (max(w // CELL_PX, 1), max(h // CELL_PX, 1))
    cells = cv2.resize(image, size, interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(np.float64)
    brightest = cells.max(axis=1)
    cells = cells[(brightest > LEVELS[0]) & (brightest < LEVELS[1])]
    if len(cells) < FEWEST:
        return False
    blue, green, red = np.log(np.maximum(cells, 1.0)).T
    hue = np.stack([blue - green, red - green])
    apart = np.abs(hue - np.median(hue, axis=1, keepdims=True)).max(axis=0)
    return bool(np.percentile(apart, COLOURED) < FAINT)


def alike_in_grey(board: Board) -> tuple[str, str] | None:
    """The names of two teams whose pucks cannot be told apart where there are no colours: the likest; None where all
    differ in lightness."""
    lit = [(lab_of(team.colour)[0], team.name) for team in board.teams]
    pairs = [(abs(a - b), one, other) for (a, one), (b, other) in itertools.combinations(lit, 2)]
    apart, one, other = min(pairs, default=(ALIKE, "", ""))
    return (one, other) if apart < ALIKE else None


def bgr_of(colour: str) -> tuple[int, int, int]:
    """A colour of a board file, #rrggbb, as BGR levels, 0 to 255."""
    return int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)


@cache
def lab_of(colour: str) -> tuple[float, float, float]:
    """A paint in CIE L*a*b*. colour: #rrggbb

    Source: IEC 61966-2-1 (sRGB), CIE 15 (white D65). OpenCV's first conversion of a process takes a tenth of a second,
    for its tables, and that would be in the middle of the first shot.
    """
    rgb = np.array(bgr_of(colour)[::-1]) / 255
    light = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = XYZ_OF_RGB @ light / XYZ_OF_RGB.sum(axis=1)
    x, y, z = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * (29 / 6) ** 2 / 3 + 4 / 29).tolist()
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
