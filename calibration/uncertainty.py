"""How far off a place on the board may be read, in millimetres, from what pose and lens are known to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.lens import CalibrationError, Lens
from calibration.pose import Pose
from calibration.pose_fit import POINT_SIGMA_PX, fit_pose, point_errors_mm

FloatArray = NDArray[np.float64]

GRID = (13, 13)  # points over the board (along x, along y) where the error is worked out
NOMINAL_MM = 650.0  # side of the board that a lens alone is judged by: it fills the height of the picture


def board_grid_mm(board: Board, height_mm: float = 0.0) -> FloatArray:
    """(GRID[1] * GRID[0], 3) points over the surface at a height, row by row from the north-west."""
    return _grid(board.size, height_mm)


def board_errors_mm(
    pose: Pose, fitted_px: FloatArray, fitted_mm: FloatArray, board: Board, *, lens_known: bool = True,
    sigma_px: float = POINT_SIGMA_PX,
) -> FloatArray:  # fmt: skip
    """(GRID[1] * GRID[0],) one sigma, mm, at puck height: by the pose's points, and by the lens' variants where told.

    fitted_px, fitted_mm: (N, 2) and (N, 3) the points that the pose was fitted to.
    """
    at = board_grid_mm(board, board.puck.height_mm)
    by_points = point_errors_mm(pose, fitted_mm, at, sigma_px, lens_known)
    by_lens = _lens_errors_mm(pose, fitted_px, fitted_mm, at)
    return np.hypot(by_points, by_lens)


def lens_errors_mm(lens: Lens) -> FloatArray | None:
    """(GRID[1] * GRID[0],) what the lens alone adds, mm, over a board of NOMINAL_MM that fills the picture's height.

    None where the lens file does not tell how sure it is.
    """
    if not lens.variants:
        return None
    height = NOMINAL_MM * lens.focal_px / lens.image_size[1]
    pose = Pose(lens, np.zeros(3), np.array([-NOMINAL_MM / 2, -NOMINAL_MM / 2, height]))
    at = _grid((NOMINAL_MM, NOMINAL_MM), 0.0)
    corners = np.array([[0, 0, 0], [NOMINAL_MM, 0, 0], [NOMINAL_MM, NOMINAL_MM, 0], [0, NOMINAL_MM, 0]])
    return _lens_errors_mm(pose, pose.image_from_board(corners), corners, at)


def _lens_errors_mm(pose: Pose, fitted_px: FloatArray, fitted_mm: FloatArray, at_mm: FloatArray) -> FloatArray:
    """(M,) jackknife over the lens' variants: each with a pose of its own, fitted to the same points."""
    variants = pose.lens.variants
    pixels, squares = pose.image_from_board(at_mm), np.zeros(len(at_mm))
    for variant in variants:
        try:
            other = fit_pose(fitted_px, fitted_mm, variant, np.inf)
        except CalibrationError:  # this variant is no camera: nothing is sure
            return np.full(len(at_mm), np.inf)
        moved = other.board_from_image(pixels, float(at_mm[0, 2])) - at_mm[:, :2]
        squares += (moved**2).sum(1)
    share = (len(variants) - 1) / len(variants) if variants else 0.0  # Efron and Stein 1981
    return np.asarray(np.sqrt(share * squares))


def _grid(size: tuple[float, float], height_mm: float) -> FloatArray:
    xs, ys = np.meshgrid(np.linspace(0, size[0], GRID[0]), np.linspace(0, size[1], GRID[1]))
    return np.column_stack([xs.ravel(), ys.ravel(), np.full(xs.size, height_mm)])
