"""The pose from the board's markers: pictures in, pose out; a marker stuck on crooked is left out by rule.

A board that has no markers is found by its outline (board_search.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.board_search import find_by_outline
from calibration.lens import USUAL_WIDTH_PX, CalibrationError, Lens, guessed_lens
from calibration.marker_slips import slip_of
from calibration.markers import ENOUGH_MARKERS, find_markers, marker_of, why_not_found
from calibration.misplaced import misplaced
from calibration.pose import Pose
from calibration.pose_fit import POINT_SIGMA_PX, FloatArray, fit_pose, fit_pose_and_focal, with_corner_errors

CROOKED_FACTOR = 3.0  # a marker is crooked when leaving it out makes the residual this many times smaller …
CROOKED_PX = 0.8  # … and the residual with it is above this, at 1280 pixels' width
# the same where the lens is unknown, and the other markers are too few to tell how it bends
CROOKED_WITHOUT_LENS_PX = 1.6
# to so many times this the others fit where one marker alone is crooked, or all do where a slip is undone
OTHERS_FIT = 2.0
# a picture is stretched where all markers fit so to this part of what is left without the one that seems crooked: of a
# picture that is not, and has a crooked marker, nearly twice as much is left
AS_WELL = 1.25
# part of the width: lenses sit beside the picture's middle by a third of it; where it is stretched they seem to by more
FARTHEST_BESIDE = 0.03
LEAST_STRETCH = 0.05  # part: an old camera's 720x576 has 7 %, and less is within what lenses do
BENDS = 0.5  # a lens that nobody measured bends what it shows where its k1 leaves at most this part of the residual …
BENDS_PX = 0.25  # … and that is more than this, at 1280 pixels' width …
BENDS_MARKERS = 3  # … over so many markers at least: two tell no k1 from a lean


@dataclass(frozen=True, slots=True)
class MarkerPose:
    """A pose, the markers it rests on (id -> (4, 2) pixels), and ids that were seen but left out as crooked.

    A board without markers rests on none; sure: False where its outline does not tell which way it is turned. unbent:
    True where the lens, which nobody measured, bends what it shows, and that was left out. stretch: how much higher
    than wide the picture shows what is square, where the camera stretches it and nobody measured the lens; else 1.
    crooked: those that were left out, id -> (4, 2) pixels.
    """

    pose: Pose
    markers: dict[int, FloatArray]
    left_out: tuple[int, ...]
    sure: bool = True
    unbent: bool = False
    stretch: float = 1.0
    crooked: dict[int, FloatArray] = field(default_factory=dict)


def fit_pose_from_markers(
    images: NDArray[np.uint8] | Sequence[NDArray[np.uint8]], board: Board, lens: Lens | None = None
) -> Pose:
    """Finds the pose from the board's markers in one picture, or in several of a camera that stands still.

    images: (H, W) or (H, W, 3) BGR; several are averaged. Without a lens the focal length is estimated, and how it
    bends where the markers show that.
    Raises CalibrationError with the reason where fewer than two markers are seen or they do not fit the board.
    """
    return find_pose(images, board, lens).pose


class TooFewMarkers(CalibrationError):
    """Fewer markers are seen than are needed; why was not looked for, which takes longer than the search."""


def find_pose(
    images: NDArray[np.uint8] | Sequence[NDArray[np.uint8]], board: Board, lens: Lens | None = None, *,
    explain: bool = True, straight: bool = False,
) -> MarkerPose:  # fmt: skip
    """As fit_pose_from_markers, with the markers that were used and those left out; by its outline without markers.

    explain: the reason is looked for where too few markers are seen; else it is TooFewMarkers. straight: without a
    lens there is no distortion.
    Raises CalibrationError where there is no picture, fewer than two markers are seen or they do not fit the board.
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
    found = pose_from_markers(middle, board, size, lens)
    if not (straight and found.pose.lens.bends and lens is None):
        return found
    pose = _fit(found.markers, sorted(found.markers), board, size, None, straight=True, stretched=found.stretch != 1.0)
    if isinstance(pose, CalibrationError):
        raise pose
    return replace(found, pose=pose, unbent=True)


def pose_from_markers(
    markers: dict[int, FloatArray], board: Board, image_size: tuple[int, int], lens: Lens | None = None
) -> MarkerPose:
    """Finds the pose from found markers, id -> (4, 2) corners; one crooked marker among three or more is left out.

    Raises CalibrationError where too few were found, or they do not lie as the board file says.
    """
    numbers = sorted(markers)
    if len(numbers) < ENOUGH_MARKERS:
        raise CalibrationError(f"found {len(numbers)} of the board's markers, expected at least {ENOUGH_MARKERS}")
    whole = _fit(markers, numbers, board, image_size, lens)
    known = lens is not None or len(numbers) > BENDS_MARKERS
    allowed = (CROOKED_PX if known else CROOKED_WITHOUT_LENS_PX) * image_size[0] / USUAL_WIDTH_PX
    if len(numbers) > ENOUGH_MARKERS and not (isinstance(whole, Pose) and whole.rms_px <= allowed):
        crooked = _without_crooked(markers, board, image_size, lens, whole)
        if lens is None and known:
            other = _by_another_camera(markers, board, image_size, allowed, whole, crooked)
            if other is not None:
                return other
        _refuse_slips(markers, board, image_size, lens, OTHERS_FIT * allowed, crooked)
        if crooked is not None:
            return crooked
    if isinstance(whole, CalibrationError):
        raise whole
    return MarkerPose(whole, dict(markers), ())


def _by_another_camera(
    markers: dict[int, FloatArray], board: Board, image_size: tuple[int, int], allowed_px: float,
    whole: Pose | CalibrationError, crooked: MarkerPose | None,
) -> MarkerPose | None:  # fmt: skip
    """The pose by all markers where none is crooked: the lens, which nobody measured, sits beside the picture's middle,
    or the picture is stretched. None where neither is, or a marker lies elsewhere than the board file says."""
    near = whole if isinstance(whole, Pose) else crooked.pose if crooked is not None else None
    wrong = misplaced(markers, board, near, lens_known=False) if near is not None else None
    as_well_px = allowed_px if crooked is None else min(allowed_px, AS_WELL * crooked.pose.rms_px)
    beside = _fit(markers, sorted(markers), board, image_size, None, beside=True)
    whole_px = max(as_well_px, BENDS_PX * image_size[0] / USUAL_WIDTH_PX)
    if wrong is None and isinstance(beside, Pose) and beside.rms_px <= whole_px and _sits_beside(beside.lens):
        return MarkerPose(beside, dict(markers), ())
    stretched = _fit(markers, sorted(markers), board, image_size, None, stretched=True)
    if not isinstance(stretched, Pose) or (wrong is not None and wrong.rms_px < stretched.rms_px / AS_WELL):
        return None
    if stretched.rms_px > as_well_px or abs(stretched.lens.stretch - 1) <= LEAST_STRETCH:
        return None
    return MarkerPose(stretched, dict(markers), (), stretch=stretched.lens.stretch)


def _sits_beside(lens: Lens) -> bool:
    """Whether a lens sits as near the picture's middle as lenses do."""
    off = lens.camera_matrix[:2, 2] - guessed_lens(lens.image_size).camera_matrix[:2, 2]
    return bool(np.abs(off).max() <= FARTHEST_BESIDE * lens.image_size[0])


def _refuse_slips(
    markers: dict[int, FloatArray], board: Board, image_size: tuple[int, int], lens: Lens | None, most_rms_px: float,
    crooked: MarkerPose | None,
) -> None:  # fmt: skip
    """Raises CalibrationError where all would fit but for how they were glued on, or their places written down.

    crooked: the pose without one marker, which stands where all others fit, and are more than two: two lie in a mirror
    as elsewhere on the board.
    """
    stands = crooked is not None and crooked.pose.rms_px <= most_rms_px
    if crooked is not None and stands and len(crooked.markers) > ENOUGH_MARKERS:
        return
    slip = slip_of(markers, board)
    if slip is not None and not (crooked is not None and stands and slip.wrong == crooked.left_out):
        pose = _fit(slip.markers, sorted(markers), slip.board, image_size, lens)
        if isinstance(pose, Pose) and pose.rms_px <= most_rms_px:
            raise CalibrationError(slip.said)


def _without_crooked(
    markers: dict[int, FloatArray], board: Board, image_size: tuple[int, int], lens: Lens | None,
    whole: Pose | CalibrationError,
) -> MarkerPose | None:  # fmt: skip
    """The pose without the one marker without which the others fit much better than all do, or None."""
    rms = whole.rms_px if isinstance(whole, Pose) else np.inf
    best, found = rms / CROOKED_FACTOR, None
    for number in markers:
        others = [n for n in sorted(markers) if n != number]
        pose = _fit(markers, others, board, image_size, lens)
        if isinstance(pose, Pose) and pose.rms_px < best:
            used, crooked = {n: markers[n] for n in others}, {number: markers[number]}
            best, found = pose.rms_px, MarkerPose(pose, used, (number,), crooked=crooked)
    return found


def _fit(
    markers: dict[int, FloatArray], numbers: list[int], board: Board, image_size: tuple[int, int], lens: Lens | None,
    straight: bool = False, stretched: bool = False, beside: bool = False,
) -> Pose | CalibrationError:  # fmt: skip
    """The pose from some of the markers, or why there is none. Of an unknown lens: straight, it has no distortion;
    stretched, what it shows is higher or wider than it is; beside, it may not sit over the picture's middle."""
    pixels = np.concatenate([markers[n] for n in numbers])
    points = np.concatenate([marker_of(board, n).corners_mm() for n in numbers])
    sigma = POINT_SIGMA_PX * image_size[0] / USUAL_WIDTH_PX
    try:
        if lens is not None:
            pose = fit_pose(pixels, points, lens.for_size(image_size))
        elif stretched or beside:
            pose = fit_pose_and_focal(
                pixels, points, image_size, sigma, bends=not straight, stretched=stretched, beside=beside
            )
        else:
            pose = fit_pose_and_focal(pixels, points, image_size, sigma)
            least = BENDS_PX * image_size[0] / USUAL_WIDTH_PX
            if not straight and len(numbers) >= BENDS_MARKERS and pose.rms_px > least:
                bent = fit_pose_and_focal(pixels, points, image_size, sigma, bends=True)
                pose = bent if bent.rms_px <= BENDS * pose.rms_px else pose
    except CalibrationError as error:
        return error
    return with_corner_errors(pose, board, points, lens_known=lens is not None)
