"""Finds the pose from points whose board places are known, and says how far off it may be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.board import Board
from calibration.lens import USUAL_WIDTH_PX, CalibrationError, Lens, guessed_lens
from calibration.pose import Pose

FloatArray = NDArray[np.float64]

MAX_RMS_PX = 3.0  # a pose whose residual at 1280 pixels' width exceeds this does not describe the picture
MAX_RMS_WITHOUT_LENS_PX = 8.0  # the same where the lens is unknown: its distortion alone leaves a few pixels
POINT_SIGMA_PX = 0.15  # error of a fitted marker corner, one coordinate: the least that is believed
CLICK_SIGMA_PX = 1.5  # error of a clicked corner, one coordinate
# spread (of the logarithm) of cameras' focal lengths around a webcam's, where the points do not decide
FOCAL_SPREAD = 0.35
DISTORTION_SPREAD = 0.08  # spread of k1 of cameras that nobody measured
CENTRE_SPREAD = 0.05  # spread of principal points around the middle, part of the picture's width
BESIDE_SPREAD = 0.01  # the same of pictures that are not cropped: by so much a lens sits beside its sensor's middle
ASPECT_SPREAD = 0.02  # spread of the ratio of the two focal lengths, for pictures that were resized
STRETCH_SPREAD = 0.3  # the same of cameras whose mode squeezes what they see into another shape
# from so many times the spreads above, lens and clicks together, clicked corners are doubted, or refused. Clicks that
# are right leave one; pictures that were cropped to one side four; a board a tenth longer than its file says, five; one
# that was clicked from its north-east corner on, eight and more
DOUBTFUL, IMPOSSIBLE = 3.5, 8.0
FOCAL_STARTS = (0.6, 1.2)  # first guesses of the focal length, in picture widths
STRETCHES = (3 / 4, 1.0, 4 / 3)  # … and of the other to it: 16:9 shown as 4:3, and the other way round
FAR_OFF = 0.25  # part of the points' spread in the picture above which a first guess is none
HALF_TURN = np.array([-1.0, -1.0, 1.0])  # what turns board points by half a turn around the board's corner
LEAST_SCALE = 0.5  # of the usual width: in smaller pictures residuals shrink no further, as pixels do not
STEP_PART = 0.1  # radians, or part of a distance, by which a first guess may well be off …
LEAST_STEP_MM = 1.0  # … and no less than this
BY_K1 = 7  # which of the derivatives of pixels is by k1
ON_ONE_LINE = 0.02  # points whose narrow spread is this part of the wide one lie on a line


@dataclass(frozen=True, slots=True)
class _Points:
    """(N, 2) pixels and (N, 3) board points that belong together."""

    pixels: FloatArray
    board: FloatArray

    def rms(self, pose: Pose) -> float:
        return float(np.sqrt(((pose.image_from_board(self.board) - self.pixels) ** 2).sum(1).mean()))


def fit_pose(points_px: FloatArray, points_mm: FloatArray, lens: Lens, max_rms_px: float = MAX_RMS_PX) -> Pose:
    """Finds the camera's pose from points on the board.

    points_px: (N, 2) pixels, N >= 4; points_mm: (N, 3) board millimetres (x, y, height), same order.
    Raises CalibrationError when the points lie on one line or the residual exceeds max_rms_px (at 1280 px width).
    Source: Collins and Bartoli 2014 (IPPE) for the first guess, through cv2.solvePnP; then Levenberg-Marquardt.
    """
    points = _checked(points_px, points_mm)
    return _fitted(points, _starts(points, lens), max_rms_px)


def _fitted(points: _Points, starts: list[Pose], max_rms_px: float) -> Pose:
    """The pose that comes of the best of some first guesses. Raises CalibrationError as fit_pose does."""
    start = min(starts, key=points.rms, default=None)
    if start is None:
        raise no_pose()
    lens, pose = start.lens, _refined(points, start)
    rms = points.rms(pose)
    limit = max_rms_px * max(lens.image_size[0] / USUAL_WIDTH_PX, LEAST_SCALE)
    if not rms <= limit or pose.camera_mm()[2] <= 0:
        raise CalibrationError(
            f"the points do not fit the board: residual {rms:.1f} px, expected below {limit:.1f}; "
            "check the order of the corners, the board file and the lens file"
        )
    return replace(pose, rms_px=rms)


def fit_pose_and_focal(
    points_px: FloatArray, points_mm: FloatArray, image_size: tuple[int, int], sigma_px: float = POINT_SIGMA_PX,
    free_centre: bool = False, bends: bool = False, stretched: bool = False, beside: bool = False,
) -> Pose:  # fmt: skip
    """Finds pose and focal length together, for a lens that nobody measured.

    Arguments as fit_pose; sigma_px: error of a point. Where the points do not decide the focal length (a board seen
    from straight above), it stays near a webcam's, and pose and focal length still meet the points. With free_centre
    the principal point and the pixels' aspect may give way too, so that four points are met; with `bends` the first
    coefficient of distortion (k1), else there is no distortion; with `beside` the principal point, as far as that of a
    picture that is not cropped (N >= 8); with `stretched` the pixels' aspect may be any that pictures are squeezed to
    (N >= 8). Raises CalibrationError.
    """
    points = _checked(points_px, points_mm)
    width, usual = image_size[0], guessed_lens(image_size).focal_px
    centre = CENTRE_SPREAD if free_centre else BESIDE_SPREAD if beside else 0.0
    bent = DISTORTION_SPREAD if bends else 0.0
    aspect = STRETCH_SPREAD if stretched else ASPECT_SPREAD if free_centre else 0.0
    spreads = np.array([FOCAL_SPREAD, aspect, bent, centre, centre])
    free = np.flatnonzero(spreads)

    def lens_of(p: FloatArray) -> Lens:
        """p: logarithms of the focal length and the aspect, k1, and the middle, of those that may give way."""
        focal, higher, k1, right, down = np.bincount(free, p, len(spreads))
        lens = guessed_lens(image_size, usual * float(np.exp(focal)))
        lens.camera_matrix[:2, 2] += np.array([right, down]) * width
        lens.camera_matrix[1, 1] *= float(np.exp(higher))
        return replace(lens, distortion=np.array([k1, 0.0, 0.0, 0.0, 0.0]))

    def pose_of(p: FloatArray, start: Pose) -> Pose:
        return Pose(lens_of(p[6:]), _turned(start.rvec, p[:3]), p[3:6])

    def residuals(p: FloatArray, start: Pose) -> FloatArray:
        pose = pose_of(p, start)
        off = (pose.image_from_board(points.board) - points.pixels).ravel() / sigma_px
        return np.append(off, p[6:] / spreads[free])

    def slopes(p: FloatArray, start: Pose) -> FloatArray:
        """(2N + L, 6 + L) how the residuals change with p, where L of the lens's may give way."""
        lens, turned = lens_of(p[6:]), _opencv_points(points.board) @ np.asarray(cv2.Rodrigues(start.rvec)[0]).T
        moved, lens_slopes = _slopes(turned, p[:3], p[3:6], lens)
        by_pixels = np.hstack([moved, lens_slopes[:, free]]) / sigma_px
        return np.vstack([by_pixels, held])

    held = np.pad(np.diag(1 / spreads[free]), ((0, 0), (6, 0)))
    results = []
    for higher, focal in product(STRETCHES if stretched else (1.0,), FOCAL_STARTS):
        extra = np.array([np.log(focal * width / usual), np.log(higher), 0.0, 0.0, 0.0])[free]
        pose = min(_starts(points, lens_of(extra)), key=points.rms, default=None)
        if pose is not None:
            first = np.array([0.0, 0.0, 0.0, *pose.tvec, *extra])
            scales = step_scales(first)
            result = least_squares(residuals, first, slopes, method="lm", x_scale=scales, args=(pose,))
            results.append((float(result.cost), pose_of(result.x, pose)))
    if not results:
        raise no_pose()
    _, best = min(results, key=lambda one: one[0])
    starts = [best] if best.camera_mm()[2] > 0 else []
    return _fitted(points, [*starts, *_starts(points, best.lens)], MAX_RMS_WITHOUT_LENS_PX)


def fit_pose_from_corners(
    corners_px: FloatArray, board: Board, image_size: tuple[int, int], lens: Lens | None = None
) -> Pose:
    """Finds the pose from the playing surface's four corners.

    corners_px: (4, 2) pixels: north-west, north-east, south-east, south-west. Without a lens the corners are met
    to a click's error by a plausible camera, whatever its focal length: where they were met exactly, a pixel or two in
    a click moved the camera by metres, and pucks with it. Raises CalibrationError where no camera sees them so.
    """
    points = surface_corners_mm(board)
    if crosses_over(corners_px):
        raise CalibrationError(
            "the four corners do not make a convex shape; expected them in turn: north-west, north-east, south-east, "
            "south-west"
        )
    if lens is not None:
        pose = fit_pose(corners_px, points, lens, MAX_RMS_WITHOUT_LENS_PX)
    else:
        pose = fit_pose_and_focal(corners_px, points, image_size, CLICK_SIGMA_PX, free_centre=True)
        if strangeness(pose) > IMPOSSIBLE:
            w, h = board.size
            raise CalibrationError(
                f"no usual camera sees a board of {w:g} x {h:g} mm with its corners there; click them in turn, from "
                "the north-west one clockwise, and check the board's measures"
            )
    return with_corner_errors(pose, board, points, CLICK_SIGMA_PX, lens_known=lens is not None)


def strangeness(pose: Pose) -> float:
    """How unusual the camera is that was found by clicked corners, without a lens, in spreads of cameras and clicks."""
    (width, _), camera, usual = pose.lens.image_size, pose.lens.camera_matrix, guessed_lens(pose.lens.image_size)
    off = (camera[:2, 2] - usual.camera_matrix[:2, 2]) / width / CENTRE_SPREAD
    focal = float(np.log(camera[0, 0] / usual.focal_px)) / FOCAL_SPREAD
    aspect = float(np.log(camera[1, 1] / camera[0, 0])) / ASPECT_SPREAD
    clicks = 2 * pose.rms_px / (CLICK_SIGMA_PX * max(width / USUAL_WIDTH_PX, LEAST_SCALE))
    return float(np.sqrt(off @ off + focal**2 + aspect**2 + clicks**2))


def crosses_over(corners_px: FloatArray) -> bool:
    """True where four corners, one after the other, turn now to the right and now to the left. corners_px: (4, 2)"""
    ways = np.roll(corners_px, -1, axis=0) - corners_px
    turns = ways[:, 0] * np.roll(ways[:, 1], -1) - ways[:, 1] * np.roll(ways[:, 0], -1)
    return bool((turns > 0).any() and (turns < 0).any())


def pose_from_shape(corners_px: FloatArray, corners_mm: FloatArray, lens: Lens, max_rms_px: float) -> Pose | None:
    """A first guess of the pose from four corners (4, 2) at (4, 3) mm, or None where they are not seen so."""
    points = _Points(corners_px, corners_mm)
    start = min(_starts(points, lens), key=points.rms, default=None)
    return start if start is not None and points.rms(start) <= max_rms_px else None


def surface_corners_mm(board: Board) -> FloatArray:
    """(4, 3) the playing surface's corners at height 0: north-west, north-east, south-east, south-west."""
    w, h = board.size
    return np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], dtype=np.float64)


def with_corner_errors(
    pose: Pose, board: Board, points_mm: FloatArray, sigma_px: float = POINT_SIGMA_PX, lens_known: bool = True
) -> Pose:
    """The pose with the estimated error (mm, one sigma, both coordinates together) at the surface's corners.

    points_mm: (N, 3) the points that it was fitted to; sigma_px: the least error of one coordinate of a point. The
    covariance is that of the least squares (J^T J); an unknown lens adds focal length, k1 where that was fitted, and
    what k1 else and the lens's middle may be, as far as the residual leaves room for it, does to the rest.
    """
    errors = point_errors_mm(pose, points_mm, surface_corners_mm(board), sigma_px, lens_known)
    return replace(pose, corner_error_mm=tuple(float(e) for e in errors))


def point_errors_mm(
    pose: Pose, points_mm: FloatArray, at_mm: FloatArray, sigma_px: float = POINT_SIGMA_PX, lens_known: bool = True
) -> FloatArray:
    """(M,) how far off board points (M, 3) may be read: one sigma, both coordinates together, mm.

    points_mm, sigma_px: as with_corner_errors.
    """
    free = 6 if lens_known else 8 if pose.lens.bends else 7
    slopes = pixel_slopes(pose, np.asarray(points_mm, dtype=np.float64).reshape(-1, 3))
    design, left_out = slopes[:, :free], slopes[:, free:]
    spare = max(len(design) - free, 1)
    sigma = max(sigma_px, pose.rms_px * float(np.sqrt(len(design) / 2 / spare)))
    information = design.T @ design / sigma**2
    if not lens_known:
        spreads = np.array([FOCAL_SPREAD, DISTORTION_SPREAD][: free - 6])
        information[6:, 6:] += np.diag(spreads**-2)
    covariance = np.linalg.pinv(information)
    taken_up = covariance @ design.T @ left_out / sigma**2  # what k1 and centre that are left out do to the parameters
    left = np.sqrt(2 * np.mean((left_out - design @ taken_up) ** 2, axis=0))  # … and to the residual
    room = max(pose.rms_px, sigma_px) / np.maximum(left, 1e-9)
    usual = np.array([FOCAL_SPREAD, DISTORTION_SPREAD, BESIDE_SPREAD, BESIDE_SPREAD][free - 6 :])
    unknown = np.zeros(10 - free) if lens_known else np.minimum(usual, room)
    errors = []
    for point in np.asarray(at_mm, dtype=np.float64).reshape(-1, 3):
        here = pixel_slopes(pose, point[None])
        px_from_mm = (pose.image_from_board(point + np.array([[1.0, 0, 0], [0, 1.0, 0]]))
                      - pose.image_from_board(point[None])).T  # fmt: skip
        mm = np.linalg.solve(px_from_mm, here[:, :free])
        biases = np.linalg.solve(px_from_mm, here[:, free:] - here[:, :free] @ taken_up) * unknown
        errors.append(float(np.sqrt(np.trace(mm @ covariance @ mm.T) + (biases**2).sum())))
    return np.array(errors)


def pixel_slopes(pose: Pose, points: FloatArray) -> FloatArray:
    """(2N, 10) derivatives of the points' pixels by rvec, tvec, the focal length's logarithm, k1 (BY_K1), and the
    principal point in parts of the picture's width."""
    moved, lens_slopes = _slopes(_opencv_points(points), pose.rvec, pose.tvec, pose.lens)
    return np.hstack([moved, lens_slopes[:, [0, 2, 3, 4]]])


def _slopes(points: FloatArray, rvec: FloatArray, tvec: FloatArray, lens: Lens) -> tuple[FloatArray, FloatArray]:
    """Derivatives of the pixels of points (N, 3) as OpenCV has them: (2N, 6) by rvec and tvec, and (2N, 5) by the
    logarithms of the focal length and of the aspect, k1, and the principal point in parts of the picture's width."""
    camera = lens.camera_matrix
    _, jacobian = cv2.projectPoints(points, rvec, tvec, camera, lens.distortion)
    across, down = (jacobian[:, 6 + axis] * camera[axis, axis] for axis in (0, 1))
    centre = jacobian[:, 8:10] * lens.image_size[0]
    by_lens = np.column_stack([across + down, down, jacobian[:, 10], centre])
    return np.asarray(jacobian[:, :6], dtype=np.float64), np.asarray(by_lens, dtype=np.float64)


def _checked(points_px: FloatArray, points_mm: FloatArray) -> _Points:
    pixels = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
    points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3)
    if len(pixels) != len(points) or len(pixels) < 4:
        raise CalibrationError(f"found {len(pixels)} pixels and {len(points)} board points, expected 4 or more of each")
    if not (np.isfinite(pixels).all() and np.isfinite(points).all()):
        raise CalibrationError("a point is not a number; expected pixels and millimetres")
    for places in (points[:, :2], pixels):
        spread = np.linalg.svd(places - places.mean(0), compute_uv=False)
        if spread[1] <= ON_ONE_LINE * spread[0]:
            raise CalibrationError("the points lie on one line; expected points from different sides of the board")
    return _Points(pixels, points)


def _opencv_points(points_mm: FloatArray) -> FloatArray:
    return np.asarray(points_mm * (1.0, 1.0, -1.0), dtype=np.float64)


def _starts(points: _Points, lens: Lens) -> list[Pose]:
    """Poses to refine: both of IPPE for the points taken as flat, with the camera above the board.

    OpenCV tells a picture that stands exactly on its head as one that stands upright: where nothing fits, the points
    are given to it turned by half a turn.
    """
    poses = _upright_starts(points, lens)
    far = FAR_OFF * float(np.ptp(points.pixels, axis=0).max())
    if any(points.rms(pose) < far for pose in poses):
        return poses
    turned = _Points(points.pixels, points.board * HALF_TURN)
    half = np.diag(HALF_TURN)
    for pose in _upright_starts(turned, lens):
        turn = np.asarray(cv2.Rodrigues(np.asarray(cv2.Rodrigues(pose.rvec)[0]) @ half)[0], dtype=np.float64)
        poses.append(Pose(lens, turn.ravel(), pose.tvec))
    return poses


def _upright_starts(points: _Points, lens: Lens) -> list[Pose]:
    flat = _opencv_points(points.board)
    lift = np.array([0.0, 0.0, float(flat[:, 2].mean())])
    flat[:, 2] = 0.0
    seen_by = (points.pixels, lens.camera_matrix, lens.distortion)
    try:
        _, rvecs, tvecs, _ = cv2.solvePnPGeneric(flat, *seen_by, flags=cv2.SOLVEPNP_IPPE)
        if not np.isfinite(tvecs).all():  # IPPE has no word for some views that are exactly regular
            _, rvecs, tvecs, _ = cv2.solvePnPGeneric(flat, *seen_by, flags=cv2.SOLVEPNP_SQPNP)
    except cv2.error:  # points from which no homography can be made
        return []
    poses = []
    for rvec, tvec in zip(rvecs, tvecs, strict=True):
        turn = np.asarray(rvec, dtype=np.float64).ravel()
        shifted = np.asarray(tvec, dtype=np.float64).ravel() - np.asarray(cv2.Rodrigues(turn)[0]) @ lift
        pose = Pose(lens, turn, shifted)
        if np.isfinite(shifted).all() and pose.camera_mm()[2] > 0:
            poses.append(pose)
    return poses


def _refined(points: _Points, start: Pose) -> Pose:
    """Least squares of the points' distances in the picture (Levenberg-Marquardt)."""

    def residuals(p: FloatArray) -> FloatArray:
        moved = replace(start, rvec=p[:3], tvec=p[3:])
        return (moved.image_from_board(points.board) - points.pixels).ravel()

    def slopes(p: FloatArray) -> FloatArray:
        return pixel_slopes(replace(start, rvec=p[:3], tvec=p[3:]), points.board)[:, :6]

    first = np.concatenate([start.rvec, start.tvec])
    best = least_squares(residuals, first, jac=slopes, method="lm", x_scale="jac").x
    return replace(start, rvec=best[:3], tvec=best[3:])


def _turned(rvec: FloatArray, by: FloatArray) -> FloatArray:
    """The rotation vector of a turn and another small one after it.

    Around half a turn a vector's parts no longer say alike how far they turn, and a search for them ends beside.
    """
    turn = np.asarray(cv2.Rodrigues(by)[0]) @ np.asarray(cv2.Rodrigues(rvec)[0])
    return np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64).ravel()


def no_pose() -> CalibrationError:
    """No camera sees points as they are said to lie."""
    return CalibrationError(
        "no camera above the board sees the points so; expected corners in the order north-west, north-east, "
        "south-east, south-west and a picture that is not mirrored"
    )


def step_scales(first: FloatArray) -> FloatArray:
    """How far each parameter of a pose may well be off, as a fit's steps are scaled. (N,) of first guesses -> (N,)

    Of first guesses 0 to 2 are a turn, 3 to 5 a place in mm, the rest logarithms or parts of a whole.
    """
    scales = np.full(len(first), STEP_PART)
    scales[3:6] = max(float(np.linalg.norm(first[3:6])) * STEP_PART, LEAST_STEP_MM)
    return scales
