"""Pictures that are stretched: a camera's mode that squeezes what it sees into another shape, as 16:9 into 4:3."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from scipy.optimize import least_squares

from calibration.lens import USUAL_WIDTH_PX, Lens, guessed_lens
from calibration.pose import Pose
from calibration.pose_fit import (
    DISTORTION_SPREAD,
    FOCAL_SPREAD,
    POINT_SIGMA_PX,
    FloatArray,
    no_pose,
    pose_from_shape,
    step_scales,
)

STARTS = (3 / 4, 1.0, 4 / 3)  # first guesses of a picture's stretch: 16:9 shown as 4:3, and the other way round
FOCAL_STARTS = (0.6, 1.2)  # of the focal length, in picture widths
STRETCH_SPREAD = 0.3  # spread (of the logarithm) of what pictures are stretched by
LEAST_STRETCH = 0.05  # part: an old camera's 720x576 has 7 %, and less is within what lenses do


def fit_stretched(
    points_px: FloatArray, points_mm: FloatArray, image_size: tuple[int, int], bends: bool = True
) -> Pose:
    """Finds pose, focal length and stretch together, for a lens that nobody measured.

    points_px: (N, 2) pixels, N >= 8; points_mm: (N, 3) board millimetres. bends: k1 is found, too, else it is none.
    Raises CalibrationError where no camera above the board sees them so.
    """
    width, usual = image_size[0], guessed_lens(image_size).focal_px

    def lens_of(p: FloatArray) -> Lens:
        lens = guessed_lens(image_size, usual * float(np.exp(p[6])))
        lens.camera_matrix[1, 1] *= float(np.exp(p[7]))
        return replace(lens, distortion=np.array([p[8] if bends else 0.0, 0.0, 0.0, 0.0, 0.0]))

    def pose_of(p: FloatArray, start: Pose) -> Pose:
        turn = np.asarray(cv2.Rodrigues(p[:3])[0]) @ np.asarray(cv2.Rodrigues(start.rvec)[0])
        return Pose(lens_of(p), np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64).ravel(), p[3:6])

    def residuals(p: FloatArray, start: Pose) -> FloatArray:
        prior = [p[6] / FOCAL_SPREAD, p[7] / STRETCH_SPREAD, p[8] / DISTORTION_SPREAD]
        return np.append((pose_of(p, start).image_from_board(points_mm) - points_px).ravel() / sigma_px, prior)

    sigma_px = POINT_SIGMA_PX * width / USUAL_WIDTH_PX
    best: Pose | None = None
    for stretch in STARTS:
        for focal in FOCAL_STARTS:
            extra = np.array([math.log(focal * width / usual), math.log(stretch), 0.0])
            lens = lens_of(np.array([*np.zeros(6), *extra]))
            start = pose_from_shape(points_px, points_mm, lens, np.inf)
            if start is None:
                continue
            first = np.array([0.0, 0.0, 0.0, *start.tvec, *extra])
            pose = pose_of(least_squares(residuals, first, x_scale=step_scales(first), args=(start,)).x, start)
            apart = pose.image_from_board(points_mm) - points_px
            rms_px = float(np.sqrt((apart**2).sum(1).mean()))
            if (best is None or rms_px < best.rms_px) and pose.camera_mm()[2] > 0:
                best = replace(pose, rms_px=rms_px)
    if best is None:
        raise no_pose()
    return best


def stretch_of(lens: Lens) -> float:
    """How much higher than wide a lens shows what is square; 1 is neither."""
    return float(lens.camera_matrix[1, 1] / lens.camera_matrix[0, 0])
