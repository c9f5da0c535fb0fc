"""Where the board lies in a frame: in its small grey picture, in the blocks of its light, and in the top view."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box
from vision.differencing import coarse_picture
from vision.frames import Image
from vision.streaks import HOLE
from vision.view import TopView, all_around

Mask = NDArray[np.uint8]
FloatArray = NDArray[np.float64]

BORDER_MM = 5.0  # shadows and reflections of pucks at the border reach so far over it
LIGHT_STEP = 16  # pixels of the top view for which one value of light is kept
EDGE_PX = 3  # how far the frame's outermost pixels reach in, once blurred
RIM_POINTS = 48  # of a puck's outline
PAD_RADII, PAD_PX = 0.8, 4  # how far around a change the top view is kept


@dataclass(frozen=True, slots=True)
class FrameMap:
    """The small grey picture of a frame's part that shows the board, and how it lies in the top view.

    outside: (rows, columns) of 0 and 1, beside the playing surface; looked_at: of 0 and 255, where changes count;
    blocks_looked_at: of 0 and 1, the same of the blocks of the frame's light; view_px: (rows, columns, 2) the pixel x,
    y of the top view that each shows; light_maps: where in the blocks each LIGHT_STEP-th pixel of the top view lies;
    in_frame: (h, w) of 0 and 1, what of the top view the frame shows, and is not the colour of its edge only.
    """

    view: TopView
    outside: Mask
    looked_at: Mask
    blocks_looked_at: Mask
    view_px: NDArray[np.intp]
    light_maps: tuple[NDArray[np.float32], NDArray[np.float32]]
    in_frame: Mask

    @property
    def native_radius(self) -> float:
        """A puck's radius in pixels of the frame."""
        return self.view.board.puck.radius_mm * self.view.frame_scale

    @property
    def radius(self) -> float:
        """The same in pixels of the small grey picture."""
        return self.native_radius / self.view.step

    @property
    def puck_area(self) -> float:
        """A puck's area in pixels of the small grey picture."""
        return math.pi * self.radius**2

    def small_px(self, places_mm: Sequence[tuple[float, float]]) -> FloatArray:
        """Places of the board in the small grey picture. -> (N, 2) x, y"""
        if not places_mm:
            return np.empty((0, 2))
        points = np.column_stack([np.array(places_mm).reshape(-1, 2), np.zeros(len(places_mm))])
        return (self.view.pose.image_from_board(points) - self.view.roi[:2]) / self.view.step

    def mask_of(self, image: Image, places_mm: Sequence[tuple[float, float]], radii: float = HOLE) -> Mask:
        """Where pucks at some places show in a frame, as far as so many radii around. -> (H, W) of 0 and 1"""
        mask = np.zeros(image.shape[:2], np.uint8)
        for x, y in places_mm:
            px = self.view.pose.image_from_board(np.array([[x, y, 0.0]]))[0]
            cv2.circle(mask, (round(px[0]), round(px[1])), round(radii * self.native_radius), 1, -1)
        return mask

    def outlines(self, image: Image, places_mm: Sequence[tuple[float, float]]) -> Mask:
        """What of a frame pucks at some places fill, their tops and sides and no more. -> (H, W) of 0 and 1"""
        mask = np.zeros(image.shape[:2], np.uint8)
        puck = self.view.board.puck
        rim = puck.radius_mm * all_around(RIM_POINTS)
        for place in places_mm:
            rings = [np.column_stack([rim + place, np.full(RIM_POINTS, z)]) for z in (0.0, puck.height_mm)]
            px = self.view.pose.image_from_board(np.concatenate(rings))
            cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(px).astype(np.int32)), 1)
        return mask

    def around(self, small: Mask, image: Image) -> Mask:
        """What a mask of the small grey picture shows in a frame, half a puck wider on all sides. -> (H, W)"""
        size = round(self.radius) | 1
        return self.over_frame(cv2.dilate(small, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))), image)

    def beside(self, image: Image) -> Mask:
        """What of a frame's part that shows the board lies beside the playing surface. -> (H, W) of 0 and 1"""
        return self.over_frame(self.outside, image)

    def over_frame(self, small: NDArray[Any], image: Image) -> Mask:
        """What a mask of the small grey picture shows in a frame. -> (H, W)"""
        x0, y0, x1, y1 = self.view.roi
        mask = np.zeros(image.shape[:2], np.uint8)
        mask[y0:y1, x0:x1] = cv2.resize(small, (x1 - x0, y1 - y0), interpolation=cv2.INTER_NEAREST)
        return mask

    def beyond(self, places_mm: Sequence[tuple[float, float]], radii: float = HOLE) -> Mask:
        """What of the small grey picture lies outside, but for pucks at some places that reach over the border, and so
        many radii around them."""
        w, h = self.view.board.size
        reach = radii * self.view.board.puck.radius_mm
        mask = self.outside.copy()
        for x, y in self.small_px([(x, y) for x, y in places_mm if min(x, y, w - x, h - y) < reach]):
            cv2.circle(mask, (round(x), round(y)), round(radii * self.radius), 0, -1)
        return mask

    def share_of_blocks(self, blocks: Mask) -> float:
        """How much of the board some of the frame's blocks come to. blocks: (rows, columns) of 0 and 1"""
        there = cv2.countNonZero(cv2.bitwise_and(blocks, self.blocks_looked_at))
        return there / max(cv2.countNonZero(self.blocks_looked_at), 1)

    def over_view(self, field: NDArray[np.float32]) -> NDArray[np.float32]:
        """A field of light of the frame's blocks, over the top view."""
        light = cv2.remap(field, *self.light_maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(light, dtype=np.float32)

    def box(self, change: Mask, odd: Mask) -> Box:
        """The box (x0, y0, x1, y1) of a mask and of those blocks of the frame that are odd; all 0 where nothing is."""
        x, y, w, h = cv2.boundingRect(change)
        boxes = [(x, y, x + w, y + h)] if w else []
        columns, rows, wide, high = cv2.boundingRect(np.asarray(cv2.bitwise_and(odd, self.blocks_looked_at)))
        if wide:
            across, down = change.shape[1] / odd.shape[1], change.shape[0] / odd.shape[0]
            boxes.append((round(columns * across), round(rows * down),
                          round((columns + wide) * across), round((rows + high) * down)))  # fmt: skip
        if not boxes:
            return (0, 0, 0, 0)
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return (min(lefts), min(tops), max(rights), max(bottoms))

    def in_view(self, box: Box) -> Box | None:
        """The part (x0, y0, x1, y1) of the top view that a box of the small grey picture shows; None for none."""
        left, top, right, bottom = box
        if right == 0:
            return None
        view = self.view
        px = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], dtype=np.float64) * view.step
        corners = view.view_from_image(px + view.roi[:2])
        pad = view.radius_px * PAD_RADII + PAD_PX
        x0, y0 = np.maximum(np.floor(corners.min(axis=0) - pad), 0).astype(int)
        x1 = int(min(math.ceil(corners[:, 0].max() + pad), view.size[0]))
        y1 = int(min(math.ceil(corners[:, 1].max() + pad), view.size[1]))
        return None if x1 <= x0 or y1 <= y0 else (int(x0), int(y0), x1, y1)


def make_frame_map(view: TopView, frame_size: tuple[int, int]) -> FrameMap:
    """Lays out where a view's board lies in a frame. frame_size: (width, height)"""
    x0, y0, x1, y1 = view.roi
    grid = coarse_picture(np.zeros((*frame_size[::-1], 3), np.uint8), view.roi, view.light_step).shape[1::-1]
    blocks = ((x1 - x0) / grid[0], (y1 - y0) / grid[1])
    cells = (slice(LIGHT_STEP // 2, None, LIGHT_STEP),) * 2
    light_maps = (
        ((view.map_x[cells] - x0) / blocks[0] - 0.5).astype(np.float32),
        ((view.map_y[cells] - y0) / blocks[1] - 0.5).astype(np.float32),
    )
    rows, columns = math.ceil((y1 - y0) / view.step), math.ceil((x1 - x0) / view.step)
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float64)
    at = view.view_from_image(np.column_stack([xs.ravel() * view.step + x0, ys.ravel() * view.step + y0]))
    x_mm, y_mm = np.moveaxis(view.mm_from_px(at).reshape(rows, columns, 2), -1, 0)
    width, height = view.board.size
    off = np.maximum(np.abs(x_mm - width / 2) - width / 2, np.abs(y_mm - height / 2) - height / 2)
    looked_at = np.where(off <= -view.origin_mm[0], 255, 0).astype(np.uint8)
    most = cv2.resize(looked_at, grid, interpolation=cv2.INTER_AREA)
    view_px = np.clip(np.rint(at), 0, np.array(view.size) - 1).astype(int).reshape(rows, columns, 2)
    right, bottom = np.array(frame_size) - 1 - EDGE_PX
    seen = (view.map_x >= EDGE_PX) & (view.map_x <= right) & (view.map_y >= EDGE_PX) & (view.map_y <= bottom)
    return FrameMap(view, np.asarray(off > BORDER_MM, dtype=np.uint8), looked_at,
                    np.asarray(most > 127, dtype=np.uint8), view_px, light_maps, seen.astype(np.uint8))  # fmt: skip
