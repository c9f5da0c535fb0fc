"""What of a board's plane a tilted camera does not see: what lies behind its facades, blocks and rim."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from vision.reef_view import seen_on_plane

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

FINE_BITS = 4  # outlines are drawn to a sixteenth of a pixel


def out_of_sight(board: Board, camera_mm: FloatArray, height_mm: float, origin_mm: tuple[float, float], scale: float,
                 size: tuple[int, int]) -> Mask:  # fmt: skip
    """Where something that belongs to the board stands between the camera and a plane: (h, w) of 0 and 1.

    camera_mm: (3,) the camera's place; height_mm: the plane's, above the surface; origin_mm: the board place of the
    centre of the mask's pixel (0, 0); scale: pixels a millimetre; size: (width, height) in pixels. What stands no
    higher than the plane hides nothing. Of reef_view's obstacle_outline, which is where an obstacle shows at all, this
    leaves out what shows it lower than the plane: what is as high as that stands before it there.
    """
    mask = np.zeros(size[::-1], np.uint8)
    for base, top_mm in _standing(board):
        if height_mm < top_mm < camera_mm[2]:
            top = seen_on_plane(camera_mm, np.column_stack([base, np.full(len(base), top_mm)]), height_mm)
            for outline in (base, top, *_sides(base, top)):
                pixels = (outline - origin_mm) * (scale * 2**FINE_BITS)
                cv2.fillPoly(mask, [np.rint(pixels).astype(np.int32)], (1,), cv2.LINE_8, FINE_BITS)
    return mask


def _standing(board: Board) -> list[tuple[FloatArray, float]]:
    """What stands on the board for good, and its rim: (N, 2) corners of each on the surface, and its height, in mm."""
    out = [(np.array(o.polygon, np.float64), o.height_mm) for o in board.obstacles]
    if board.rim is not None:
        (w, h), far = board.size, board.rim.width_mm
        inner = np.array([(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)])
        outer = inner + far * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        sides = (np.array([inner[k], inner[k - 3], outer[k - 3], outer[k]]) for k in range(4))
        out += [(side, board.rim.height_mm) for side in sides]
    return out


def _sides(base: FloatArray, top: FloatArray) -> list[FloatArray]:
    """What the sides of something with (N, 2) corners hide, whose tops are seen at others. -> (4, 2) each"""
    return [np.array([base[k - 1], base[k], top[k], top[k - 1]]) for k in range(len(base))]
