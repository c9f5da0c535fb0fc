"""The board seen straight from above: a picture in which pucks are circles of one size, at the height of their tops."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.pose import Pose
from vision.boxes import Box
from vision.frames import Image
from vision.out_of_sight import out_of_sight

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

MARGIN_MM = 20.0  # seen beyond the rim, so that a puck that goes over it is seen to go …
AROUND_MM = 58.0  # … and so much beyond the playing surface at the least: where no rim slows it, it is soon gone
MIN_RADIUS_PX = 9.0  # a puck is drawn at least this large, so that streaks of small pictures still have a middle
GRID_PX = 4  # a lens bends less than 0.01 pixels from a straight line over such a distance
ENOUGH_RADIUS_PX = 12.0  # what 720 lines over the board of the box give; finer tells no more of a puck in motion …
THINNED = math.sqrt(2)  # … so that of finer pictures every second pixel is left out, as often as this leaves enough
MASK_RADIUS_PX = 6.0  # the same for masks, which tell where to look
STEP_LEAST = 2  # masks are of every other pixel at the most, however small a puck is
SMALL_PUCK_PX = 10.0  # the radius of one that is small in the frame …
LIGHT_STEPS = 2, 4  # … and of these pixels every so many-th tells the light, of small ones, and of others
MOST_HIDDEN = 0.8  # of a puck: where the board itself hides more, too little is left to go by
MAX_SCALE_UP = 2.0  # but a picture is never blown up more than this


@dataclass(frozen=True, slots=True)
class TopView:
    """A rectified view at the height of a puck's top.

    scale: pixels a millimetre; origin_mm: board place of the centre of pixel (0, 0); size: (width, height) pixels;
    map_x, map_y: where each pixel lies in the frame; quick_maps: the same to 1/32 pixel, as OpenCV reads it fastest;
    roi: (x0, y0, x1, y1) the part of the frame that is used; step: of its pixels every so many-th is enough for masks;
    frame_scale: pixels of the frame a millimetre, about, where the camera looks straight at; unseen: (h, w) 1 where
    something that belongs to the board hides a puck's top.
    """

    pose: Pose
    board: Board
    scale: float
    origin_mm: tuple[float, float]
    size: tuple[int, int]
    map_x: NDArray[np.float32]
    map_y: NDArray[np.float32]
    quick_maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    roi: Box
    step: int
    frame_scale: float
    unseen: Mask

    @property
    def radius_px(self) -> float:
        return self.board.puck.radius_mm * self.scale

    @property
    def light_step(self) -> int:
        """Of the frame's pixels every so many-th is enough for the light, which is that of blocks about as wide as a
        puck: in wider ones the edge of a shadow is lost."""
        return LIGHT_STEPS[self.frame_scale * self.board.puck.radius_mm > SMALL_PUCK_PX]

    def rectify(self, image: Image) -> Image:
        """The frame as seen from above. image: (H, W, 3) -> (h, w, 3)."""
        return self.rectify_part(image, 0, 0, *self.size)

    def rectify_part(self, image: Image, x0: int, y0: int, x1: int, y1: int) -> Image:
        """A part of the frame as seen from above: columns x0 to x1 and rows y0 to y1 of the view."""
        whole, parts = (np.asarray(m[y0:y1, x0:x1]) for m in self.quick_maps)
        return np.asarray(cv2.remap(image, whole, parts, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))

    def mm_from_px(self, points_px: FloatArray) -> FloatArray:
        """(N, 2) pixels of the view -> (N, 2) board millimetres."""
        return np.asarray(points_px, dtype=np.float64).reshape(-1, 2) / self.scale + self.origin_mm

    def px_from_mm(self, points_mm: FloatArray) -> FloatArray:
        """(N, 2) board millimetres -> (N, 2) pixels of the view."""
        return (np.asarray(points_mm, dtype=np.float64).reshape(-1, 2) - self.origin_mm) * self.scale

    def view_from_image(self, points_px: FloatArray) -> FloatArray:
        """(N, 2) pixels of the frame -> (N, 2) pixels of the view."""
        return self.px_from_mm(self.pose.board_from_image(points_px, self.board.puck.height_mm))

    def hidden(self, points_mm: FloatArray) -> NDArray[np.bool_]:
        """Which points of pucks' tops the board itself hides; of a puck that it hides nearly wholly, none: there is
        nothing else to go by. (N, R, 2) mm, R points of each of N pucks -> (N, R)"""
        columns, rows = np.moveaxis(np.rint((points_mm - self.origin_mm) * self.scale).astype(int), -1, 0)
        w, h = self.size
        hidden = self.unseen[np.clip(rows, 0, h - 1), np.clip(columns, 0, w - 1)] > 0
        hidden[hidden.mean(axis=1) > MOST_HIDDEN] = False
        return np.asarray(hidden)

    def overlay(self, image: Image, top: Image, mask: Mask) -> Image:
        """A copy of the frame that shows a top view where a mask of the top view says so.

        image: (H, W, 3); top: (h, w, 3); mask: (h, w), shown where it is not 0.
        """
        out = image.copy()
        x, y, w, h = cv2.boundingRect(mask)
        if w == 0:
            return out
        seen = (slice(y, y + h), slice(x, x + w))
        x0, y0 = (max(int(m[seen].min()), 0) for m in (self.map_x, self.map_y))
        x1 = min(math.ceil(float(self.map_x[seen].max())) + 1, image.shape[1])
        y1 = min(math.ceil(float(self.map_y[seen].max())) + 1, image.shape[0])
        if x1 <= x0 or y1 <= y0:
            return out
        columns, rows = _grid((x1 - x0, y1 - y0))
        ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float64)
        frame_px = np.column_stack([(xs.ravel() - 1) * GRID_PX + x0, (ys.ravel() - 1) * GRID_PX + y0])
        maps = _between(self.view_from_image(frame_px).astype(np.float32).reshape(rows, columns, 2), (x1 - x0, y1 - y0))
        there = cv2.remap(mask, *maps, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
        cv2.copyTo(cv2.remap(top, *maps, cv2.INTER_LINEAR), there, out[y0:y1, x0:x1])
        return out

    def foot_shift_mm(self, points_mm: FloatArray) -> FloatArray:
        """How far a puck's foot seems to lie from its top, towards the point under the camera. (N, 2) -> (N, 2) mm."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        ground = np.column_stack([points, np.zeros(len(points))])
        pixels = self.pose.image_from_board(ground)
        return self.pose.board_from_image(pixels, self.board.puck.height_mm) - points


def make_view(board: Board, pose: Pose, frame_size: tuple[int, int]) -> TopView:
    """Lays out the top view of a board for a pose. frame_size: (width, height) of frames."""
    height = board.puck.height_mm
    margin = max((board.rim.width_mm if board.rim else 0.0) + MARGIN_MM, AROUND_MM)
    width_mm, height_mm = board.size
    scale = _native_scale(board, pose)
    radius = board.puck.radius_mm
    step = max(STEP_LEAST, math.floor(scale * radius / MASK_RADIUS_PX))
    scale = _thinned(min(max(scale, MIN_RADIUS_PX / radius), scale * MAX_SCALE_UP), radius)
    size = (math.ceil((width_mm + 2 * margin) * scale), math.ceil((height_mm + 2 * margin) * scale))
    origin = (-margin, -margin)
    map_x, map_y = _maps(pose, origin, scale, size, height)
    w, h = frame_size
    x0, y0 = max(0, math.floor(map_x.min())), max(0, math.floor(map_y.min()))
    x1, y1 = min(w, math.ceil(map_x.max()) + 1), min(h, math.ceil(map_y.max()) + 1)
    x1, y1 = x1 - (x1 - x0) % step, y1 - (y1 - y0) % step
    fixed, parts = cv2.convertMaps(map_x, map_y, cv2.CV_16SC2)
    quick = (np.asarray(fixed, dtype=np.int16), np.asarray(parts, dtype=np.uint16))
    frame_scale = pose.lens.focal_px / max(float(pose.camera_mm()[2]), 1.0)
    unseen = out_of_sight(board, pose.camera_mm(), height, origin, scale, size)
    return TopView(pose, board, scale, origin, size, map_x, map_y, quick, (x0, y0, x1, y1), step, frame_scale, unseen)


def _thinned(scale: float, radius_mm: float) -> float:
    """The scale of a view, pixels a millimetre, for the scale of a frame."""
    times = math.floor(math.log(scale * radius_mm / ENOUGH_RADIUS_PX, THINNED))
    return scale / THINNED ** max(times, 0)


def _maps(
    pose: Pose, origin: tuple[float, float], scale: float, size: tuple[int, int], height_mm: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where each pixel of the view lies in the frame: projected on a grid of GRID_PX pixels, interpolated between."""
    columns, rows = _grid(size)
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float64)
    x_mm, y_mm = (xs - 1) * GRID_PX / scale + origin[0], (ys - 1) * GRID_PX / scale + origin[1]
    grid = np.column_stack([x_mm.ravel(), y_mm.ravel(), np.full(xs.size, height_mm)])
    return _between(pose.image_from_board(grid).astype(np.float32).reshape(rows, columns, 2), size)


def _grid(size: tuple[int, int]) -> tuple[int, int]:
    """Columns and rows of a grid of GRID_PX pixels over a picture (width, height), with one more all around."""
    return math.ceil(size[0] / GRID_PX) + 3, math.ceil(size[1] / GRID_PX) + 3


def _between(
    pixels: NDArray[np.float32], size: tuple[int, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Two maps for a whole picture (width, height) from the values on its grid, (rows, columns, 2)."""
    move = np.array([[1 / GRID_PX, 0, 1.0], [0, 1 / GRID_PX, 1.0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    maps = [cv2.warpAffine(np.ascontiguousarray(pixels[..., i]), move, size, flags=flags) for i in (0, 1)]
    return np.asarray(maps[0]), np.asarray(maps[1])


def _native_scale(board: Board, pose: Pose) -> float:
    """Frame pixels a millimetre in the middle of the board."""
    x, y = board.size[0] / 2, board.size[1] / 2
    points = np.array([[x, y, 0.0], [x + 10, y, 0.0], [x, y + 10, 0.0]])
    a, b, c = pose.image_from_board(points)
    return float(math.sqrt(math.dist(a, b) * math.dist(a, c)) / 10)


def all_around(count: int) -> FloatArray:
    """(count, 2) unit vectors all around, the first to the east, evenly apart."""
    angles = np.arange(count) * (2 * np.pi / count)
    return np.column_stack([np.cos(angles), np.sin(angles)])
