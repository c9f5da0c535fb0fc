"""Finds the pose from points whose board places are known: marker corners or clicked corners."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.board import Board
from calibration.lens import CalibrationError, Lens, guessed_lens
from calibration.markers import find_markers, marker_of
from calibration.pose import Pose

FloatArray = NDArray[np.float64]

MAX_RMS_PX = 3.0
"""A pose whose residual at 1280 pixels' width exceeds this does not describe the picture."""
MARKER_SIGMA_PX = 0.15
"""Error of a fitted marker corner, one coordinate."""
FOCAL_SPREAD = 0.35
"""Spread (of the logarithm) of cameras' focal lengths around a webcam's, where the points do not decide."""
CENTRE_SPREAD = 0.05
"""Spread of principal points around the middle, part of the picture's width."""
ASPECT_SPREAD = 0.02
"""Spread of the ratio of the two focal lengths, for pictures that were resized."""
FOCAL_STARTS = (0.5, 0.8, 1.2, 2.0)
"""First guesses of the focal length, in picture widths."""
CROOKED_FACTOR = 5.0
"""A marker is crooked when leaving it out makes the residual this many times smaller."""
CROOKED_PX = 0.8
"""… and the residual with it is above this, at 1280 pixels' width."""


def fit_pose(points_px: FloatArray, points_mm: FloatArray, lens: Lens) -> Pose:
    """Finds the camera's pose from points on the board.

    points_px: (N, 2) pixels, N >= 4; points_mm: (N, 3) board millimetres (x, y, height), same order.
    Raises CalibrationError when the points lie on one line or the residual exceeds MAX_RMS_PX.
    Source: Collins and Bartoli 2014 (IPPE) where the points lie in a plane, through cv2.solvePnP; Levenberg-Marquardt.
    """
    pixels, points = _checked(points_px, points_mm)
    best = min(_starts(pixels, points, lens), key=lambda p: _rms(p, pixels, points), default=None)
    if best is None:
        raise CalibrationError("no camera pose explains the points; expected the board seen from above")
    rvec, tvec = cv2.solvePnPRefineLM(
        _opencv_points(points), pixels, lens.camera_matrix, lens.distortion, best.rvec.copy(), best.tvec.copy(),
        (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 100, 1e-12),
    )  # fmt: skip
    pose = Pose(lens, rvec.ravel(), tvec.ravel())
    rms = _rms(pose, pixels, points)
    limit = MAX_RMS_PX * max(lens.image_size[0] / 1280, 0.5)
    if not rms <= limit:
        raise CalibrationError(
            f"the points do not fit the board: residual {rms:.1f} px, expected below {limit:.1f}; "
            "check the order of the corners, the board file and the lens file"
        )
    return replace(pose, rms_px=rms)


def fit_pose_and_focal(
    points_px: FloatArray, points_mm: FloatArray, image_size: tuple[int, int], sigma_px: float = MARKER_SIGMA_PX,
    free_centre: bool = False,
) -> Pose:  # fmt: skip
    """Finds pose and focal length together, for a lens taken to be free of distortion.

    Arguments as fit_pose; sigma_px: error of a point. Where the points do not decide the focal length (a board seen
    from straight above), it stays near a webcam's, and pose and focal length still meet the points. With free_centre
    the principal point and the pixels' aspect may give way too, so that four points are met.
    """
    pixels, points = _checked(points_px, points_mm)
    w = image_size[0]
    usual = guessed_lens(image_size).focal_px

    def lens_of(p: FloatArray) -> Lens:
        lens = guessed_lens(image_size, usual * float(np.exp(p[6])))
        if free_centre:
            lens.camera_matrix[:2, 2] += p[7:9] * w
            lens.camera_matrix[1, 1] *= float(np.exp(p[9]))
        return lens

    def residuals(p: FloatArray) -> FloatArray:
        pose = Pose(lens_of(p), p[:3], p[3:6])
        prior = [p[6] / FOCAL_SPREAD, *(p[7:9] / CENTRE_SPREAD), *(p[9:] / ASPECT_SPREAD)]
        return np.append((pose.image_from_board(points) - pixels).ravel() / sigma_px, prior)

    results = []
    for start in FOCAL_STARTS:
        lens = guessed_lens(image_size, start * w)
        for pose in _starts(pixels, points, lens):
            extra = [0.0] * (3 if free_centre else 0)
            first = np.array([*pose.rvec, *pose.tvec, np.log(start * w / usual), *extra])
            results.append(least_squares(residuals, first, x_scale=_scales(first)))
    if not results:
        raise CalibrationError("no camera pose explains the points; expected the board seen from above")
    best = min(results, key=lambda r: float(r.cost)).x
    return fit_pose(pixels, points, lens_of(best))


def fit_pose_from_markers(
    images: NDArray[np.uint8] | list[NDArray[np.uint8]], board: Board, lens: Lens | None = None
) -> Pose:
    """Finds the pose from the board's markers in one picture or several of a camera that stands still.

    Without a lens the focal length is estimated. Raises CalibrationError where fewer than two markers are seen.
    """
    pictures = images if isinstance(images, list) else [images]
    if not pictures:
        raise CalibrationError("no picture to find the markers in; expected one or more")
    seen: dict[int, list[FloatArray]] = {}
    for picture in pictures:
        for number, corners in find_markers(picture, board).items():
            seen.setdefault(number, []).append(corners)
    size = (pictures[0].shape[1], pictures[0].shape[0])
    return pose_from_corners({n: np.median(c, axis=0) for n, c in seen.items()}, board, size, lens)


def pose_from_corners(
    markers: dict[int, FloatArray], board: Board, image_size: tuple[int, int], lens: Lens | None = None
) -> Pose:
    """Finds the pose from found markers: id -> (4, 2) corners. One crooked marker among four is left out."""
    if len(markers) < 2:
        expected = ", ".join(str(m.id) for m in board.markers)
        raise CalibrationError(
            f"found {len(markers)} of the board's markers (ids {expected or 'none'}), expected at least 2; "
            "show the whole board to the camera, with more light, or click its corners"
        )

    def fit(numbers: list[int]) -> Pose:
        pixels = np.concatenate([markers[n] for n in numbers])
        points = np.concatenate([marker_of(board, n).corners_mm() for n in numbers])
        return fit_pose(pixels, points, lens) if lens is not None else fit_pose_and_focal(pixels, points, image_size)

    numbers = sorted(markers)
    try:
        pose, failure = fit(numbers), None
    except CalibrationError as error:
        pose, failure = None, error
    crooked = CROOKED_PX * image_size[0] / 1280
    if len(numbers) < 4 or (pose is not None and pose.rms_px < crooked):
        if pose is None:
            raise failure or CalibrationError("the markers do not fit the board")
        return pose
    without = [_try(fit, [n for n in numbers if n != left_out]) for left_out in numbers]
    best = min((p for p in without if p is not None), key=lambda p: p.rms_px, default=None)
    if best is not None and (pose is None or best.rms_px * CROOKED_FACTOR < pose.rms_px):
        return best
    if pose is None:
        raise failure or CalibrationError("the markers do not fit the board")
    return pose


def _try(fit: object, numbers: list[int]) -> Pose | None:
    try:
        return fit(numbers)  # type: ignore[operator]
    except CalibrationError:
        return None


def _checked(points_px: FloatArray, points_mm: FloatArray) -> tuple[FloatArray, FloatArray]:
    pixels = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
    points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3)
    if len(pixels) != len(points) or len(pixels) < 4:
        raise CalibrationError(f"found {len(pixels)} pixels and {len(points)} board points, expected 4 or more of each")
    spread = np.linalg.svd(points[:, :2] - points[:, :2].mean(0), compute_uv=False)
    if spread[1] < 0.02 * spread[0]:
        raise CalibrationError("the points lie on one line; expected points from different sides of the board")
    return pixels, points


def _opencv_points(points_mm: FloatArray) -> FloatArray:
    return points_mm * (1.0, 1.0, -1.0)


def _starts(pixels: FloatArray, points: FloatArray, lens: Lens) -> list[Pose]:
    """Poses to refine: both of IPPE for the points taken as flat, the camera above the board."""
    flat = _opencv_points(points)
    flat[:, 2] = flat[:, 2].mean()
    lift = np.array([0.0, 0.0, flat[0, 2]])
    count, rvecs, tvecs, _ = cv2.solvePnPGeneric(
        flat - lift, pixels, lens.camera_matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    poses = []
    for rvec, tvec in list(zip(rvecs, tvecs, strict=True))[:count]:
        shifted = tvec.ravel() - cv2.Rodrigues(rvec)[0] @ lift
        pose = Pose(lens, rvec.ravel(), shifted)
        if np.isfinite(shifted).all() and pose.camera_mm()[2] > 0:
            poses.append(pose)
    return poses


def _rms(pose: Pose, pixels: FloatArray, points: FloatArray) -> float:
    """Root mean square distance between the points and where the pose puts them."""
    return float(np.sqrt(((pose.image_from_board(points) - pixels) ** 2).sum(1).mean()))


def _scales(first: FloatArray) -> FloatArray:
    scales = np.full(len(first), 0.1)
    scales[3:6] = max(float(np.linalg.norm(first[3:6])) * 0.1, 1.0)
    return scales
