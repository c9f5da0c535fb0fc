"""The pose from the board's markers: pictures in, pose out; a marker stuck on crooked is left out by rule.

A board that has no markers is found by its outline (board_search.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.board_search import find_by_outline
from calibration.lens import CalibrationError, Lens
from calibration.markers import ENOUGH_MARKERS, find_markers, marker_of, why_not_found
from calibration.pose import Pose
from calibration.pose_fit import POINT_SIGMA_PX, FloatArray, fit_pose, fit_pose_and_focal, with_corner_errors

CROOKED_FACTOR = 3.0
"""A marker is crooked when leaving it out makes the residual this many times smaller …"""
CROOKED_PX = 0.8
"""… and the residual with it is above this, at 1280 pixels' width."""
CROOKED_WITHOUT_LENS_PX = 1.6
"""The same where the lens is unknown: its distortion is left."""


@dataclass(frozen=True, slots=True)
class MarkerPose:
    """A pose, the markers it rests on (id -> (4, 2) pixels), and ids that were seen but left out as crooked.

    A board without markers rests on none; sure: False where its outline does not tell which way it is turned.
    """

    pose: Pose
    markers: dict[int, FloatArray]
    left_out: tuple[int, ...]
    sure: bool = True


def fit_pose_from_markers(
    images: NDArray[np.uint8] | Sequence[NDArray[np.uint8]], board: Board, lens: Lens | None = None
) -> Pose:
    """Finds the pose from the board's markers in one picture, or in several of a camera that stands still.

    images: (H, W) or (H, W, 3) BGR; several are averaged. Without a lens the focal length is estimated.
    Raises CalibrationError with the reason where fewer than two markers are seen or they do not fit the board.
    """
    return find_pose(images, board, lens).pose


class TooFewMarkers(CalibrationError):
    """Fewer markers are seen than are needed; why was not looked for, which takes longer than the search."""


def find_pose(
    images: NDArray[np.uint8] | Sequence[NDArray[np.uint8]], board: Board, lens: Lens | None = None, *,
    explain: bool = True,
) -> MarkerPose:  # fmt: skip
    """As fit_pose_from_markers, with the markers that were used and those left out; by its outline without markers.

    explain: the reason is looked for where too few markers are seen; else it is TooFewMarkers.
    """
    pictures = [images] if isinstance(images, np.ndarray) else list(images)
    if not pictures:
        raise CalibrationError("no picture to find the markers in; expected one or more")
    if not board.markers:
        sighting = find_by_outline(pictures, board, lens)
        return MarkerPose(sighting.pose, {}, (), sighting.sure)
    size = (pictures[0].shape[1], pictures[0].shape[0])
    seen: dict[int, list[FloatArray]] = {}
    for picture in pictures:
        for number, corners in find_markers(picture, board).items():
            seen.setdefault(number, []).append(corners)
    if len(seen) < ENOUGH_MARKERS:
        raise CalibrationError(why_not_found(pictures[0], board)) if explain else TooFewMarkers
    middle = {n: np.asarray(np.median(c, axis=0), dtype=np.float64) for n, c in seen.items()}
    return pose_from_markers(middle, board, size, lens)


def pose_from_markers(
    markers: dict[int, FloatArray], board: Board, image_size: tuple[int, int], lens: Lens | None = None
) -> MarkerPose:
    """Finds the pose from found markers, id -> (4, 2) corners; one crooked marker among three or more is left out."""
    numbers = sorted(markers)
    if len(numbers) < ENOUGH_MARKERS:
        raise CalibrationError(f"found {len(numbers)} of the board's markers, expected at least {ENOUGH_MARKERS}")
    whole = _fit(markers, numbers, board, image_size, lens)
    allowed = (CROOKED_PX if lens is not None else CROOKED_WITHOUT_LENS_PX) * image_size[0] / 1280
    if len(numbers) > ENOUGH_MARKERS and not (isinstance(whole, Pose) and whole.rms_px <= allowed):
        left = _crooked(markers, board, image_size, lens, whole)
        if left is not None:
            others = [n for n in numbers if n != left]
            pose = _fit(markers, others, board, image_size, lens)
            if isinstance(pose, Pose):
                return MarkerPose(pose, {n: markers[n] for n in others}, (left,))
    if isinstance(whole, CalibrationError):
        raise whole
    return MarkerPose(whole, dict(markers), ())


def _crooked(
    markers: dict[int, FloatArray], board: Board, image_size: tuple[int, int], lens: Lens | None,
    whole: Pose | CalibrationError,
) -> int | None:  # fmt: skip
    """The marker without which the others fit much better than all do, or None."""
    rms = whole.rms_px if isinstance(whole, Pose) else np.inf
    best, left_out = rms / CROOKED_FACTOR, None
    for number in markers:
        pose = _fit(markers, [n for n in sorted(markers) if n != number], board, image_size, lens)
        if isinstance(pose, Pose) and pose.rms_px < best:
            best, left_out = pose.rms_px, number
    return left_out


def _fit(
    markers: dict[int, FloatArray], numbers: list[int], board: Board, image_size: tuple[int, int], lens: Lens | None
) -> Pose | CalibrationError:
    """The pose from some of the markers, or why there is none."""
    pixels = np.concatenate([markers[n] for n in numbers])
    points = np.concatenate([marker_of(board, n).corners_mm() for n in numbers])
    try:
        if lens is not None:
            pose = fit_pose(pixels, points, lens.for_size(image_size))
        else:
            sigma = POINT_SIGMA_PX * image_size[0] / 1280
            pose = fit_pose_and_focal(pixels, points, image_size, sigma)
    except CalibrationError as error:
        return error
    return with_corner_errors(pose, board, points, lens_known=lens is not None)
