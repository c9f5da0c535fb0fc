"""A board's picture seen straight from above, to draw on: one scale everywhere, north up."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Marker, PuckShape, Rim, Team
from calibration.drawing_shapes import standard_markers
from calibration.lens import CalibrationError, Lens
from calibration.marker_pose import find_pose
from calibration.markers import find_markers
from calibration.outline import refine_pose_on_outline
from calibration.pose import Pose
from calibration.pose_fit import fit_pose_from_corners, surface_corners_mm

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

MARGIN_MM = 50.0  # table and rim shown around the playing surface
LONGEST_PX = 2000  # the longer side of the picture from above, with the margin
COARSE_PX = 8  # where the camera sees the board is reckoned exactly in steps of so many pixels, and linearly between
WHITE = 215.0  # what the paper of the markers is taken to be, of 255: white, but lenses darken a picture's corners
PICK_MM = 4.0  # radius of the spot from which a colour is taken


@dataclass(frozen=True, slots=True)
class BareBoard:
    """What is known of a board before it is drawn: size, rim, and the side of its four usual markers, or its own."""

    size: tuple[float, float]
    rim: Rim | None
    marker_mm: float
    own_markers: tuple[Marker, ...] | None = None

    def board(self) -> Board:
        rim = {"width": self.rim.width_mm, "height": self.rim.height_mm} if self.rim else None
        tables = standard_markers(self.size, rim, self.marker_mm) if self.marker_mm else []
        usual = tuple(Marker(m["dictionary"], m["id"], m["size"], tuple(m["centre"]), m["z"]) for m in tables)
        markers = usual if self.own_markers is None else self.own_markers
        team = Team("one", "#000000", "#000000", None, (), (), ())
        return Board("new", self.size, PuckShape(1.0, 0.0), (team,), self.rim, None, (), (), (), (), markers)


@dataclass(frozen=True, slots=True)
class Rectified:
    """A picture from above. image: (H, W, 3); pixel (x, y) shows ((x, y) + 0.5) / px_per_mm - MARGIN_MM, height 0.

    source: "markers", or "corners" that were clicked; misfits: ids of markers that do not fit the others.
    """

    image: Image
    px_per_mm: float
    pose: Pose
    source: str
    white_bgr: tuple[float, float, float]
    misfits: tuple[int, ...] = ()


def rectify(image: Image, bare: BareBoard, lens: Lens | None, corners_px: FloatArray | None = None) -> Rectified:
    """Shows a board from above, by its markers or by its corners (4, 2), NW, NE, SE, SW in the picture.

    Raises CalibrationError with the word why where neither does.
    """
    board = bare.board()
    size = (image.shape[1], image.shape[0])
    known = lens.for_size(size) if lens is not None else None
    misfits: tuple[int, ...] = ()
    if corners_px is not None:
        pose = fit_pose_from_corners(corners_px, board, size, known)
        if known is not None:
            pose = refine_pose_on_outline(image, board, pose) or pose
        source = "corners"
    else:
        if not board.markers:
            raise CalibrationError("the board has no markers; click its four corners in the picture")
        found = find_pose(image, board, known)
        pose, misfits, source = found.pose, found.left_out, "markers"
    scale = LONGEST_PX / (max(bare.size) + 2 * MARGIN_MM)
    return Rectified(
        _from_above(image, pose, bare.size, scale), scale, pose, source, _white(image, board, source), misfits
    )


def corners_in_picture(pose: Pose, bare: BareBoard) -> FloatArray:
    """(4, 2) pixels of the surface's corners."""
    return pose.image_from_board(surface_corners_mm(bare.board()))


def colour_at(rectified: Rectified, place_mm: tuple[float, float], height_mm: float = 0.0) -> str:
    """The colour of a spot, as paint: sRGB hex, the markers' paper taken for white. height_mm: of what is painted.

    Raises CalibrationError where the spot is outside the picture.
    """
    x, y = place_mm
    camera = rectified.pose.camera_mm()
    grow = float(camera[2] / (camera[2] - height_mm))
    at = (camera[:2] + (np.array([x, y]) - camera[:2]) * grow + MARGIN_MM) * rectified.px_per_mm - 0.5
    reach = max(round(PICK_MM * rectified.px_per_mm), 1)
    column, row = (round(float(v)) for v in at)
    spot = rectified.image[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1]
    if spot.size == 0:
        raise CalibrationError(f"({x:.0f}, {y:.0f}) mm lies outside the picture; click on the board")
    linear = (np.median(spot.reshape(-1, 3), axis=0) / 255) ** 2.2
    white = (np.array(rectified.white_bgr) / WHITE) ** 2.2
    b, g, r = (round(255 * min(float(v), 1.0) ** (1 / 2.2)) for v in linear / np.maximum(white, 1e-3))
    return f"#{r:02x}{g:02x}{b:02x}"


def _from_above(image: Image, pose: Pose, size: tuple[float, float], scale: float) -> Image:
    """Exact every COARSE_PX pixels, linear between."""
    width, height = (round((s + 2 * MARGIN_MM) * scale) for s in size)
    across, down = -(-width // COARSE_PX), -(-height // COARSE_PX)
    columns, rows = np.meshgrid((np.arange(across) + 0.5) * COARSE_PX, (np.arange(down) + 0.5) * COARSE_PX)
    places = np.column_stack([columns.ravel(), rows.ravel()]) / scale - MARGIN_MM
    pixels = pose.image_from_board(np.column_stack([places, np.zeros(len(places))])).astype(np.float32)
    padded = np.pad(pixels.reshape(down, across, 2), ((1, 1), (1, 1), (0, 0)), mode="reflect", reflect_type="odd")
    fine = cv2.resize(padded, None, fx=COARSE_PX, fy=COARSE_PX, interpolation=cv2.INTER_LINEAR)
    at = fine[COARSE_PX : COARSE_PX + height, COARSE_PX : COARSE_PX + width]
    return np.asarray(cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_CUBIC), dtype=np.uint8)


def _white(image: Image, board: Board, source: str) -> tuple[float, float, float]:
    """The paper of the markers as the camera sees it; without markers nothing is corrected."""
    patches = []
    for corners in (find_markers(image, board) if source == "markers" else {}).values():
        mask = np.zeros(image.shape[:2], dtype=np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), (255,))
        inside = image[mask > 0].astype(np.float64)
        bright = inside[inside.sum(1) >= np.percentile(inside.sum(1), 85)]
        patches.append(np.median(bright, axis=0))
    if not patches:
        return WHITE, WHITE, WHITE
    b, g, r = np.mean(patches, axis=0)
    return float(b), float(g), float(r)
