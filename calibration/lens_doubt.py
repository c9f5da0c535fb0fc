"""Whether a lens file belongs to the pictures: turned, cropped or zoomed ones have the same shape and another lens."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.board import Board
from calibration.lens import USUAL_WIDTH_PX, CalibrationError, Lens
from calibration.marker_pose import MarkerPose
from calibration.markers import marker_of
from calibration.pose import Pose
from calibration.pose_fit import BY_K1, LEAST_SCALE, fit_pose, pixel_slopes, step_scales

FloatArray = NDArray[np.float64]

MIN_RMS_PX = 0.045  # at 1280 pixels' width: a residual below this is the markers' own
LEAST_POINTS = 12  # corners, of three markers: with fewer another lens explains them as well
# another lens explains the markers when it leaves at most this part of the residual
MUCH_BETTER = {"turned": 0.62, "cropped": 0.75}
# residual that another lens takes away, in the picture's own pixels: less is what strong JPEG compression (quality 20)
# moves markers by, all the corners of one together
LEAST_GAIN_PX = 0.05
# the same of what a turned lens leaves, or a part of the residual without it: less is the lens file's own error
MOST_LEFT_PX, MOST_LEFT = 0.08, 0.1
MIN_ZOOM = 0.012  # a part by which a picture must be zoomed, or …
MIN_SHIFT = 0.012  # … its middle moved (part of the width): less is within a lens file's own error
# how far crops usually go: keeps the fit from wandering where the markers say nothing
ZOOM_SPREAD, SHIFT_SPREAD = 0.3, 0.1


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a lens does not belong to the pictures: "turned" by 180 degrees, or "cropped"; lens: the one that does."""

    why: str
    lens: Lens
    zoom: float = 1.0


def doubt_lens(pixels: FloatArray, points_mm: FloatArray, pose: Pose) -> Doubt | None:
    """Looks for a turned or cropped picture. pixels, points_mm: what the pose was fitted to; None where all is well."""
    lens = pose.lens
    if pose.rms_px <= MIN_RMS_PX * max(lens.image_size[0] / USUAL_WIDTH_PX, LEAST_SCALE) or len(pixels) < LEAST_POINTS:
        return None
    turned = turned_lens(lens)
    try:
        turned_px = fit_pose(pixels, points_mm, turned, np.inf).rms_px
    except CalibrationError:
        return None
    zoom, shift, rms = _cropped(pixels, points_mm, pose)
    left_px = max(MOST_LEFT_PX, MOST_LEFT * pose.rms_px)
    if turned_px < MUCH_BETTER["turned"] * pose.rms_px and not _gains(rms, turned_px, left_px):
        return Doubt("turned", turned)
    if not _gains(rms, pose.rms_px):
        return None
    if abs(zoom - 1) < MIN_ZOOM and float(np.abs(shift).max()) < MIN_SHIFT * lens.image_size[0]:
        return None
    return Doubt("cropped", _zoomed(lens, zoom, shift), zoom)


def doubted(found: MarkerPose, board: Board) -> Doubt | None:
    """doubt_lens for a pose by markers."""
    numbers = sorted(found.markers)
    pixels = np.concatenate([found.markers[n] for n in numbers])
    return doubt_lens(pixels, np.concatenate([marker_of(board, n).corners_mm() for n in numbers]), found.pose)


def _gains(rms_px: float, other_px: float, least_px: float = LEAST_GAIN_PX) -> bool:
    """Whether a cropped lens, which has more to give way, explains markers so much better that it is no chance."""
    return rms_px < MUCH_BETTER["cropped"] * other_px and other_px**2 - rms_px**2 >= least_px**2


def turned_lens(lens: Lens) -> Lens:
    """The lens of pictures that were turned by 180 degrees after it was measured."""
    w, h = lens.image_size
    matrix = lens.camera_matrix.copy()
    matrix[0, 2], matrix[1, 2] = w - 1 - matrix[0, 2], h - 1 - matrix[1, 2]
    distortion = lens.distortion * (1, 1, -1, -1, 1)
    return replace(lens, camera_matrix=matrix, distortion=distortion, variants=())


def _zoomed(lens: Lens, zoom: float, shift_px: FloatArray) -> Lens:
    matrix = lens.camera_matrix.copy()
    matrix[:2, :2] *= zoom
    matrix[:2, 2] += shift_px
    return replace(lens, camera_matrix=matrix, variants=())


def _cropped(pixels: FloatArray, points_mm: FloatArray, pose: Pose) -> tuple[float, FloatArray, float]:
    """The zoom, the shift of the picture's middle (px) and the residual of the lens that explains the points best."""
    width = pose.lens.image_size[0]

    def at(p: FloatArray) -> Pose:
        return Pose(_zoomed(pose.lens, float(np.exp(p[6])), p[7:9] * width), p[:3], p[3:6])

    sigma, tight = max(pose.rms_px, 1e-6), 1 / np.array([ZOOM_SPREAD, SHIFT_SPREAD, SHIFT_SPREAD])

    def residuals(p: FloatArray) -> FloatArray:
        return np.append((at(p).image_from_board(points_mm) - pixels).ravel() / sigma, p[6:] * tight)

    def slopes(p: FloatArray) -> FloatArray:
        by_camera = np.delete(pixel_slopes(at(p), points_mm), BY_K1, axis=1) / sigma
        return np.vstack([by_camera, np.pad(np.diag(tight), ((0, 0), (6, 0)))])

    first = np.array([*pose.rvec, *pose.tvec, 0.0, 0.0, 0.0])
    best = least_squares(residuals, first, slopes, method="lm", x_scale=step_scales(first)).x
    apart = at(best).image_from_board(points_mm) - pixels
    return float(np.exp(best[6])), best[7:9] * width, float(np.sqrt((apart**2).sum(1).mean()))
