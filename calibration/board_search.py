"""The pose from the board's own outline: rim, surface and printed lines are looked for; no marker, no click."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.board_lines import find_shapes
from calibration.board_sides import least_turned, turned, turns_of, which_way
from calibration.lens import USUAL_WIDTH_PX, CalibrationError, Lens, guessed_lens
from calibration.markers import gray_image
from calibration.outline import (
    BLURS_PX,
    INDEPENDENT_POINTS,
    MIN_WIDTH,
    OUTLINE_SIGMA_PX,
    PRINTED,
    Outline,
    board_outline,
    circle_mm,
    climbed,
    edge_offsets_px,
    edge_strength,
    edge_tensor,
    rectangle_mm,
    sampled_lines,
    zone_line,
)
from calibration.pose import Pose
from calibration.pose_fit import pose_from_shape, surface_corners_mm, with_corner_errors

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

# wider pictures are looked through at this width: lines are still told apart, and it takes half a second
SEARCH_WIDTH_PX = 960
# how far corners of a shape may lie from a board's, at 1280 px width: a line may be the rim's foot or its top
SHAPE_RMS_PX = 7.0
UNKNOWN_RMS_PX = 14.0  # the same where the lens is guessed
SEARCH_POINTS = 260  # points along a board's lines that are compared with the picture, for each kind of line
# how far the refinement may move a corner (one sigma, at 1280 px width): shapes are right to a few pixels
LOOSE_PX = 4.0
TRIED = 4  # shapes that are refined; the others explain the picture worse already
MIN_SHOWN = 0.3  # part of a line that must lie in the picture to be judged
# edge along all that the board should show, 0 to 1: measured 0.55 to 0.74 on boards, at most 0.41 on others
MIN_STRENGTH = 0.47
ALIKE_WAYS = 0.04  # ways to turn the board whose edges differ by less than this are told apart by colours
# weight of printed lines against that of the rim or the surface's edge: table and shadow make no such lines
BEST_PRINTED = 2.0


@dataclass(frozen=True, slots=True)
class Outlined:
    """A board found by its outline.

    sure: False where the picture does not tell which way the board is turned; strength: edge under its lines, 0 to 1.
    """

    pose: Pose
    sure: bool
    strength: float


def find_by_outline(images: Image | Sequence[Image], board: Board, lens: Lens | None = None) -> Outlined:
    """Finds a board without markers in pictures of a camera that stands still.

    images: (H, W, 3) BGR; several are averaged. Without a lens the focal length is estimated. Raises CalibrationError
    where the board's outline is not seen.
    """
    image = steady_image([images] if isinstance(images, np.ndarray) else list(images))
    search = _Search(image, board, lens)
    best = search.best()
    if best is None or search.strength(best) < MIN_STRENGTH:
        raise CalibrationError(
            f'the outline of "{board.name}" is not seen and it has no markers; expected its whole rim and surface in '
            "the picture, lighter or darker than the table: clear the edges and check the sizes in the board file, or "
            'give the pixels of the surface\'s corners with --corners "x,y x,y x,y x,y" (north-west, north-east, '
            "south-east, south-west)"
        )
    pose, sure = which_way(image, board, search.ways(best))
    return Outlined(search.finished(pose), sure, search.strength(pose))


def steady_image(images: Sequence[Image]) -> Image:
    """The median of some frames: hands that pass are gone, noise is less. Raises CalibrationError for none."""
    if not len(images):
        raise CalibrationError("no picture to find the board in; expected one or more")
    return images[0] if len(images) == 1 else np.asarray(np.median(np.stack(images), axis=0), dtype=np.uint8)


class _Search:
    """One picture in which one board is looked for. Poses refer to the picture at its full size."""

    def __init__(self, image: Image, board: Board, lens: Lens | None) -> None:
        self.board, self.known = board, lens is not None
        size = (image.shape[1], image.shape[0])
        self.lens = lens.for_size(size) if lens is not None else guessed_lens(size)
        scale = min(SEARCH_WIDTH_PX / size[0], 1.0)
        small = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        self.small = np.asarray(small, dtype=np.uint8)
        self.small_size = (small.shape[1], small.shape[0])
        self.gray = gray_image(self.small).astype(np.float32)
        self.full_gray = gray_image(image).astype(np.float32)
        self.unit = size[0] / USUAL_WIDTH_PX
        self.lines = board_lines(board)
        self._wide = self._edges(BLURS_PX[0], small=True)
        self._fine = self._edges(BLURS_PX[1], small=True)

    def _edges(self, blur_px: float, small: bool) -> FloatArray:
        gray = self.gray if small else self.full_gray
        return edge_tensor(gray, blur_px * max(gray.shape[1] / USUAL_WIDTH_PX, MIN_WIDTH))

    def _at(self, pose: Pose, small: bool) -> Pose:
        """A pose for the small picture, or for the full one."""
        return replace(pose, lens=pose.lens.for_size(self.small_size if small else self.lens.image_size))

    def best(self) -> Pose | None:
        """The pose whose lines lie on most edges; None where no shape fits the board."""
        tried = sorted(self._candidates(), key=lambda t: -t[0])[:TRIED]
        refined = [self._climbed(pose, self._all()) for _, pose in tried]
        return max(refined, key=self.strength, default=None)

    def _candidates(self) -> list[tuple[float, Pose]]:
        """Poses by the shapes that straight lines make, in the picture as it is and with the lens taken out."""
        small = self.lens.for_size(self.small_size)
        found = []
        limit = (SHAPE_RMS_PX if self.known else UNKNOWN_RMS_PX) * self.small_size[0] / USUAL_WIDTH_PX
        for straight in dict.fromkeys((self.known, False)):
            flat = replace(small, distortion=np.zeros(5))
            shapes = find_shapes(self.small, small if straight else flat)
            for corners in shapes.corners:
                for model in _shape_models(self.board):
                    for first in range(4):
                        seen_by = flat if straight else small
                        pose = pose_from_shape(np.roll(corners, first, 0), model, seen_by, limit)
                        if pose is not None:
                            pose = replace(pose, lens=small)
                            found.append((self._judged(self._wide, pose), pose))
        return found

    def _judged(self, edges: FloatArray, pose: Pose) -> float:
        """Mean strength of the edges under the board's lines: the rim's, the surface's, the printed ones."""
        h, w = edges.shape[:2]
        found = {}
        for name, outline in self.lines.items():
            at = pose.image_from_board(outline.points_mm)
            shown = ((at > 0) & (at < (w - 1, h - 1))).all(1)
            strength = edge_strength(edges, outline, pose)
            found[name] = float(strength[shown].mean()) if shown.mean() > MIN_SHOWN else 0.0
        found["surface"] = max(found["surface"], found.pop("inner", 0.0))
        weights = [BEST_PRINTED if name == "printed" else 1.0 for name in found]
        return float(np.average(list(found.values()), weights=weights))

    def strength(self, pose: Pose) -> float:
        """How well a pose explains the picture, 0 to 1."""
        return self._judged(self._fine, self._at(pose, small=True))

    def _all(self) -> Outline:
        """All lines but the rim's foot, which lies in its shadow."""
        parts = [lines for name, lines in self.lines.items() if name != "surface" or "inner" not in self.lines]
        return Outline(
            np.concatenate([p.points_mm for p in parts]), np.concatenate([p.ahead_mm for p in parts]), self.board
        )

    def _climbed(self, pose: Pose, outline: Outline) -> Pose:
        near = pose.image_from_board(surface_corners_mm(self.board))
        for edges in (self._wide, self._fine):
            pose = climbed(edges, outline, pose, near, LOOSE_PX * self.small_size[0] / USUAL_WIDTH_PX, not self.known)
        return pose

    def ways(self, pose: Pose) -> list[Pose]:
        """The pose with the board turned by quarters, as far as the lines allow them, the least turned first."""
        ways = [self._climbed(turned(pose, self.board, t), self._all()) for t in turns_of(self.board)]
        strengths = [self.strength(w) for w in ways]
        good = [w for w, s in zip(ways, strengths, strict=True) if s > max(strengths) - ALIKE_WAYS]
        return sorted(good, key=least_turned)

    def finished(self, pose: Pose) -> Pose:
        """The pose refined in the full picture, on printed lines where there are some, with what it may be off by."""
        outline = board_outline(self.board)
        full = self._at(pose, small=False)
        corners = surface_corners_mm(self.board)
        near = full.image_from_board(corners)
        for blur in BLURS_PX:
            full = climbed(self._edges(blur, small=False), outline, full, near, LOOSE_PX * self.unit, not self.known)
        edges = self._edges(BLURS_PX[-1], small=False)
        off = edge_offsets_px(edges, outline, full)
        full = replace(full, rms_px=float(np.sqrt((off**2).mean())) if len(off) else 0.0)
        few = outline.points_mm[:: max(len(outline.points_mm) // INDEPENDENT_POINTS, 1)]
        return with_corner_errors(full, self.board, few, OUTLINE_SIGMA_PX * max(self.unit, MIN_WIDTH), self.known)


def board_lines(board: Board) -> dict[str, Outline]:
    """What a board shows: surface, the rim's inner and outer edge at its height, printed lines; some points of each."""
    w, h = board.size
    lines = {"surface": sampled_lines(board, [rectangle_mm(0, 0, w, h)], whole=True)}
    if board.rim is not None and board.rim.width_mm > 0:
        m, z = board.rim.width_mm, board.rim.height_mm
        lines["inner"] = sampled_lines(board, [rectangle_mm(0, 0, w, h)], z, whole=True)
        lines["outer"] = sampled_lines(board, [rectangle_mm(-m, -m, w + m, h + m)], z, whole=True)
    printed = [zone_line(z) for z in board.zones if z.kind in PRINTED] + [circle_mm(*g.circle) for g in board.gates]
    if printed:
        lines["printed"] = sampled_lines(board, printed)
    return {name: _few(outline) for name, outline in lines.items() if len(outline.points_mm)}


def _few(outline: Outline) -> Outline:
    step = max(len(outline.points_mm) // SEARCH_POINTS, 1)
    return Outline(outline.points_mm[::step], outline.ahead_mm[::step], outline.board)


def _shape_models(board: Board) -> list[FloatArray]:
    """(4, 3) corners that a shape may be: the surface's edge (foot and top of the rim lie close), the rim's."""
    w, h = board.size
    if board.rim is None or board.rim.width_mm <= 0:
        return [surface_corners_mm(board)]
    m, z = board.rim.width_mm, board.rim.height_mm
    outer = np.array([[-m, -m, z], [w + m, -m, z], [w + m, h + m, z], [-m, h + m, z]])
    return [surface_corners_mm(board) + (0, 0, z / 2), outer]
