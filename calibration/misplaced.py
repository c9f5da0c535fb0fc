"""Whether the board file's measures are wrong: a marker that lies elsewhere, a board that is wider or higher."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import least_squares

from calibration.board import Board
from calibration.lens import USUAL_WIDTH_PX, Lens
from calibration.marker_fit import FloatArray
from calibration.markers import marker_of
from calibration.pose import Pose
from calibration.pose_fit import (
    ASPECT_SPREAD,
    BESIDE_SPREAD,
    DISTORTION_SPREAD,
    FOCAL_SPREAD,
    LEAST_SCALE,
    POINT_SIGMA_PX,
    pixel_slopes,
)

LEAST_MARKERS = 4  # of three, one that lies elsewhere is explained by the camera's place as well
LEAST_PX = 0.15  # at 1280 pixels' width: a residual below this may be the markers' own
MUCH_BETTER = 0.5  # another place explains the markers when it leaves at most this part of the residual …
NO_OTHER = 0.6  # … and this part of what any other leaves that may be wrong in its stead
LEAST_MM = 4.0  # what is less off is glued on or measured as well as people do
WINDS = ("east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east")  # clockwise
ELSEWHERE = (
    "marker {id} lies about {mm:.0f} mm further {which} than the board file says, by the other markers; measure its "
    "place and correct it in the file, or glue it on where the file says"
)
WIDTH = (
    "by its markers the board is about {seen:.0f} mm wide, its file says {file:.0f} mm; measure it from west to east "
    "and correct the file, with the places that were measured from its east edge"
)
HEIGHT = (
    "by its markers the board is about {seen:.0f} mm high, its file says {file:.0f} mm; measure it from north to south "
    "and correct the file, with the places that were measured from its south edge"
)
STEPS = 60  # of a fit, which begins near: most are there after ten
PLACE_SPREAD_MM = 100.0  # spread of slips in a board file: keeps a fit from wandering where the markers say nothing
# what a measured lens may be off by: of the focal length's logarithm, k1, the middle in parts of the width, the aspect
LENS_OFF = (0.05, 0.03, BESIDE_SPREAD, BESIDE_SPREAD, 0.005)
LENS_UNKNOWN = (FOCAL_SPREAD, DISTORTION_SPREAD, BESIDE_SPREAD, BESIDE_SPREAD, ASPECT_SPREAD)


@dataclass(frozen=True, slots=True)
class Misplaced:
    """What is measured wrongly: a marker (id), or the board's "width" or "height"; east and south by how many mm the
    places are further that way than the file says; rms_px: the residual that is left then."""

    what: int | str
    east_mm: float
    south_mm: float
    rms_px: float

    @property
    def far_mm(self) -> float:
        """How far off the file is."""
        return math.hypot(self.east_mm, self.south_mm)

    @property
    def way(self) -> str:
        """The way in which a marker lies further than the file says, of WINDS."""
        return WINDS[round(math.degrees(math.atan2(self.south_mm, self.east_mm)) / 45) % len(WINDS)]

    def sides_mm(self, board: Board) -> tuple[float, float]:
        """The board's width, or its height where that is wrong: by the file, and as it is seen."""
        file_mm = board.size[1] if self.what == "height" else board.size[0]
        return file_mm, file_mm + (self.south_mm if self.what == "height" else self.east_mm)

    def said(self, board: Board) -> str:
        """What was seen, and what to do, in a sentence."""
        if isinstance(self.what, int):
            return ELSEWHERE.format(id=self.what, mm=self.far_mm, which=self.way)
        file_mm, seen_mm = self.sides_mm(board)
        return (WIDTH if self.what == "width" else HEIGHT).format(seen=seen_mm, file=file_mm)


def misplaced(markers: dict[int, FloatArray], board: Board, pose: Pose, lens_known: bool) -> Misplaced | None:
    """What the board file has at another place than it lies at, None where nothing such is sure.

    markers: all that are seen, id -> (4, 2) pixels; pose: near the right one.
    """
    numbers = sorted(markers)
    if len(numbers) < LEAST_MARKERS:
        return None
    pixels = np.concatenate([markers[n] for n in numbers])
    points = np.concatenate([marker_of(board, n).corners_mm() for n in numbers])
    width = pose.lens.image_size[0]
    scale = max(width / USUAL_WIDTH_PX, LEAST_SCALE)
    # neither a lens that is a little off, nor one that sits beside the picture's middle, is the board's fault
    spreads = LENS_OFF if lens_known else LENS_UNKNOWN
    right_px, _ = explained(pixels, points, pose, np.zeros((0, len(points), 2)), spreads)
    if right_px < LEAST_PX * scale:
        return None
    found = sorted(
        (Misplaced(what, *_sum(what, amounts), rms_px)
         for what, moves in ways(markers, board)
         for rms_px, amounts in [explained(pixels, points, pose, moves, spreads)]),
        key=lambda one: one.rms_px,
    )  # fmt: skip
    best, second = found[:2]
    sure = best.rms_px <= min(MUCH_BETTER * right_px, NO_OTHER * second.rms_px)
    return best if sure and best.far_mm >= LEAST_MM else None


def _sum(what: int | str, amounts: FloatArray) -> tuple[float, float]:
    """By how much further east and south the places are."""
    if isinstance(what, int):
        return float(amounts[0]), float(amounts[1])
    return (float(amounts[0]), 0.0) if what == "width" else (0.0, float(amounts[0]))


def ways(markers: dict[int, FloatArray], board: Board) -> Iterator[tuple[int | str, FloatArray]]:
    """What may be measured wrongly, and (P, N, 2) by what the N corners then move for each mm of its P amounts."""
    numbers = sorted(markers)
    middles = np.array([marker_of(board, n).centre for n in numbers], dtype=np.float64)
    for index, number in enumerate(numbers):
        moves = np.zeros((2, len(numbers), 2))
        moves[0, index, 0] = moves[1, index, 1] = 1.0
        yield number, np.repeat(moves, 4, axis=1)
    reach = np.ptp(middles, axis=0)
    for axis, what in enumerate(("width", "height")):
        if reach[axis] > 0:
            moves = np.zeros((1, len(numbers), 2))
            moves[0, :, axis] = (middles[:, axis] - middles[:, axis].min()) / reach[axis]
            yield what, np.repeat(moves, 4, axis=1)


def explained(
    pixels: FloatArray, points: FloatArray, start: Pose, moves: FloatArray, spreads: tuple[float, ...]
) -> tuple[float, FloatArray]:
    """The residual (rms, px) where points (N, 3) may move as `moves` (P, N, 2) say, and the (P,) amounts in mm.

    spreads: of focal length, k1, middle and aspect around those of the start's lens; none where the lens is right.
    """
    width, lens_at = start.lens.image_size[0], 6 + len(spreads)
    sigma = POINT_SIGMA_PX * width / USUAL_WIDTH_PX
    prior = np.array([*(1 / s for s in spreads), *([1 / PLACE_SPREAD_MM] * len(moves))]) * sigma

    def at(p: FloatArray) -> tuple[Pose, FloatArray]:
        pose = replace(start, lens=_with(start.lens, p[6:lens_at]), rvec=p[:3], tvec=p[3:6])
        return pose, points + np.pad(np.tensordot(p[lens_at:], moves, 1), ((0, 0), (0, 1)))

    def residuals(p: FloatArray) -> FloatArray:
        pose, here = at(p)
        return np.append((pose.image_from_board(here) - pixels).ravel(), prior * p[6:])

    def slopes(p: FloatArray) -> FloatArray:
        pose, here = at(p)
        seen = pose.image_from_board(here)
        east, south = (pose.image_from_board(here + step) - seen for step in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
        by_places = [(east * move[:, :1] + south * move[:, 1:]).ravel() for move in moves]
        higher = ((seen - pose.lens.camera_matrix[:2, 2]) * (0.0, 1.0)).ravel()
        by_camera = np.column_stack([pixel_slopes(pose, here), higher])[:, :lens_at]
        return np.vstack([np.column_stack([by_camera, *by_places]), np.pad(np.diag(prior), ((0, 0), (6, 0)))])

    first = np.array([*start.rvec, *start.tvec, *np.zeros(len(prior))])
    best = least_squares(residuals, first, jac=slopes, method="lm", x_scale="jac", max_nfev=STEPS).x
    apart = residuals(best)[: pixels.size]
    return float(np.sqrt(2 * np.mean(apart**2))), best[lens_at:]


def _with(lens: Lens, off: FloatArray) -> Lens:
    """The lens with focal length (logarithm), k1, middle (parts of the width) and aspect (logarithm) off by so much."""
    if not len(off):
        return lens
    focal, k1, right, down, higher = off
    matrix = lens.camera_matrix.copy()
    matrix[:2, :2] *= np.exp(focal)
    matrix[1, 1] *= np.exp(higher)
    matrix[:2, 2] += np.array([right, down]) * lens.image_size[0]
    return replace(lens, camera_matrix=matrix, distortion=lens.distortion + np.array([k1, 0.0, 0.0, 0.0, 0.0]))
