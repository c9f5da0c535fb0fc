"""What is doubtful about a pose that was found: markers that do not fit the board file, a board that may be turned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.board import Board
from calibration.board_problems import LEAST_BOARD_MM, LEAST_PUCK_MM
from calibration.marker_pose import MarkerPose
from calibration.markers import ENOUGH_MARKERS, marker_of
from calibration.misplaced import Misplaced, misplaced
from calibration.pose import Pose
from calibration.pose_fit import step_scales

FloatArray = NDArray[np.float64]

LEAST_MARKERS = 3  # fewer do not tell the distance between them from the camera's height and lean
# part by which all sides must be off, with a measured lens and without: a ruler is read to half a millimetre, and by a
# lens that nobody measured sides in the corners of a picture seem up to a thirtieth smaller
SIZES_OFF = {True: 0.03, False: 0.05}
MUCH_BETTER = 0.7  # other sides explain the markers when they leave at most this part of the residual
NOT_SURE = (
    "the picture does not tell which way the board is turned: it was taken the least turned way, north up; if that is "
    "wrong, turn the camera or the board, or give the corners: paleo calibrate pose --corners"
)
FEW_MARKERS = "only two markers are seen: show the others, too, so that one may be wrong, or the lens"
CROOKED = "marker {id} does not fit the others (crooked or misplaced) and was left out"
SIZES = (
    "the markers' sides do not fit their places: the board file says {file:.1f} mm, by the places it has they would be "
    "{seen:.1f} mm; if they were printed at another size, correct it in the file, else it is another board's file, and "
    "every place is wrong"
)
UNBENT = (
    "nobody measured the lens, and it bends what it shows, which is left out: places may be some millimetres off, and "
    "shots told wrongly; give --lens, or as --calibration what `paleo calibrate pose` makes of this film"
)
SQUEEZED = (
    "the picture is stretched: what is square is shown {percent} % as high as it is wide; the lens was fitted to it by "
    "the markers: let the camera give pictures of another shape, such as 1280x720, or measure the lens"
)
# pucks that look narrower are not always told from rings that are printed: of films in which they were 10 to 11 pixels
# wide, where they looked smallest, one was all right and in the other four of five shots were asked about
SMALL_PX = 12.0
SMALL = (
    "a puck is only {px:.0f} pixels wide where the camera sees it smallest, expected {least:.0f} or more: bring the "
    "camera nearer, or let it give finer pictures; else much may be asked about"
)
UNITS = (
    "by its file the board is {w:g} x {h:g} mm and a puck {puck:g} mm wide: measures are millimetres; correct the "
    "file, or shots are missed and told wrongly"
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sides of the markers: by the board file and by their places, mm; and the residual that is left by the latter."""

    file_mm: float
    seen_mm: float
    rms_px: float


def doubts_of(found: MarkerPose, board: Board, lens_known: bool) -> tuple[str, ...]:
    """What is to be said of a pose, a sentence each; nothing where all is well."""
    return (*marker_doubts(found, board, lens_known), *small_pucks(found.pose, board))


def small_pucks(pose: Pose, board: Board) -> tuple[str, ...]:
    """What is to be said where pucks are hardly seen, as the camera is so far away, or where the file has another unit:
    a sentence, or nothing."""
    if other := other_unit(board):
        return other
    (w, h), puck = board.size, board.puck
    middles = np.array([(0.0, 0.0), (w, 0.0), (w, h), (0.0, h), (w / 2, h / 2)])
    angles = np.arange(8) * (np.pi / 8)
    reach = puck.radius_mm * np.column_stack([np.cos(angles), np.sin(angles)])
    ends = np.stack([middles[:, None] - reach, middles[:, None] + reach])
    px = pose.image_from_board(np.column_stack([ends.reshape(-1, 2), np.full(2 * len(middles) * 8, puck.height_mm)]))
    before, after = px.reshape(2, -1, 2)
    narrowest = float(np.linalg.norm(after - before, axis=1).min())
    return (SMALL.format(px=narrowest, least=SMALL_PX),) if narrowest < SMALL_PX else ()


def other_unit(board: Board) -> tuple[str, ...]:
    """What is to be said of a board file whose measures are no millimetres: a sentence, or nothing."""
    (w, h), puck = board.size, board.puck
    if max(w, h) < LEAST_BOARD_MM or puck.diameter_mm < LEAST_PUCK_MM:
        return (UNITS.format(w=w, h=h, puck=puck.diameter_mm),)
    return ()


def marker_doubts(found: MarkerPose, board: Board, lens_known: bool) -> list[str]:
    """What is to be said of the markers, or the outline, by which a pose was found, wherever the camera stands."""
    if not board.markers:
        return [] if found.sure else [NOT_SURE]
    if (wrong := wrong_measure(found, board, lens_known)) is not None:
        return [wrong.said(board), *([UNBENT] if found.unbent else [])]
    said = [CROOKED.format(id=number) for number in found.left_out]
    if found.stretch != 1.0:
        said.append(SQUEEZED.format(percent=f"{100 * found.stretch:.0f}"))
    if found.unbent:
        said.append(UNBENT)
    if len(found.markers) == ENOUGH_MARKERS < len(board.markers):
        said.append(FEW_MARKERS)
    if (sizes := other_sizes(found, board, lens_known)) is not None:
        said.append(SIZES.format(file=sizes.file_mm, seen=sizes.seen_mm))
    return said


def wrong_measure(found: MarkerPose, board: Board, lens_known: bool) -> Misplaced | None:
    """What the board file has at another place than its markers say, or None; it explains what else may seem odd."""
    stretched = found.stretch != 1.0
    return None if stretched else misplaced(found.markers | found.crooked, board, found.pose, lens_known)


def other_sizes(found: MarkerPose, board: Board, lens_known: bool) -> Sizes | None:
    """Sides that are all too large or too small by the same part, for their distances; None where they are right.

    So they are where they were printed at another size, or stuck on a board of another size than the file's.
    """
    numbers = sorted(found.markers)
    if len(numbers) < LEAST_MARKERS:
        return None
    pixels = np.concatenate([found.markers[n] for n in numbers])
    corners = np.array([marker_of(board, n).corners_mm() for n in numbers])
    middles, pose = corners.mean(axis=1, keepdims=True), found.pose

    def residuals(p: FloatArray) -> FloatArray:
        sized = (middles + (corners - middles) * np.exp(p[6])).reshape(-1, 3)
        apart = Pose(pose.lens, p[:3], p[3:6]).image_from_board(sized) - pixels
        return np.asarray(apart.ravel(), dtype=np.float64)

    first = np.array([*pose.rvec, *pose.tvec, 0.0])
    best = least_squares(residuals, first, method="lm", x_scale=step_scales(first))
    rms = float(np.sqrt(2 * np.mean(best.fun**2)))
    if abs(best.x[6]) < SIZES_OFF[lens_known] or rms > MUCH_BETTER * pose.rms_px:
        return None
    side = float(np.mean([marker_of(board, n).size_mm for n in numbers]))
    return Sizes(side, side * float(np.exp(best.x[6])), rms)
