"""The plane at the height of the reefs' tops, as a picture in millimetres: its light, and what hides it."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Obstacle
from calibration.pose import Pose

Image = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
FloatImage = NDArray[np.float32]

NODE_STEP_PX = 16  # of a plane's view; the lens bends so short a line by less than a hundredth of a pixel
CIRCLE_POINTS = 24  # corners of the outline that stands for a circle
BRIGHTEST_SHARE = 0.15  # of a marker's pixels: well inside its white cells
PAPER_WHITE = 0.92  # sRGB value of printed paper
LEAST_WHITE = 20.0  # grey levels: a picture darker than this has no colours to tell


def plane_view(image: Image, pose: Pose, size_mm: tuple[float, float], height_mm: float, px_per_mm: float) -> Image:
    """Rectifies the plane at a height over all the surface; pixel (c, r) shows (c, r) / px_per_mm millimetres."""
    map_x, map_y = _plane_pixels(pose, size_mm, height_mm, px_per_mm)
    view = cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, dtype=np.uint8)


def _plane_pixels(pose: Pose, size_mm: tuple[float, float], height_mm: float,
                  px_per_mm: float) -> tuple[FloatImage, FloatImage]:  # fmt: skip
    """Image coordinates of each pixel of a plane's view, as two (H, W) maps: exact at nodes, linear between."""
    shape = [round(side * px_per_mm) + 1 for side in reversed(size_mm)]
    nodes = [np.arange(-1, -(-side // NODE_STEP_PX) + 1) for side in shape]
    mm = [((n + 0.5) * NODE_STEP_PX - 0.5) / px_per_mm for n in nodes]
    grid = np.stack(np.meshgrid(mm[1], mm[0]), axis=-1).reshape(-1, 2)
    pixels = pose.image_from_board(np.column_stack([grid, np.full(len(grid), height_mm)])).astype(np.float32)
    coarse = pixels.reshape(len(nodes[0]), len(nodes[1]), 2)
    fine = cv2.resize(coarse, None, fx=NODE_STEP_PX, fy=NODE_STEP_PX, interpolation=cv2.INTER_LINEAR)
    cut = np.asarray(fine[NODE_STEP_PX:, NODE_STEP_PX:], dtype=np.float32)[: shape[0], : shape[1]]
    return np.ascontiguousarray(cut[..., 0]), np.ascontiguousarray(cut[..., 1])


def paint_gains(image: Image, pose: Pose, board: Board) -> FloatArray:
    """(3,) factors, BGR, that turn pixel values (0 to 255) into paint values (0 to 1), by the markers' white.

    Without markers in the picture the brightest hundredth of it stands for white.
    """
    found = (_marker_white(image, pose, marker.corners_mm()) for marker in board.markers)
    whites = [white for white in found if white is not None]
    white = np.median(whites, axis=0) if whites else np.percentile(image[::4, ::4].reshape(-1, 3), 99, axis=0)
    return np.asarray(PAPER_WHITE / np.maximum(white, LEAST_WHITE), dtype=np.float64)


def seen_on_plane(camera_mm: FloatArray, points_mm: FloatArray, height_mm: float) -> FloatArray:
    """Where points (…, 3) as (x, y, height) appear on the plane at a height, seen from the camera: (…, 2)."""
    depth = (camera_mm[2] - height_mm) / (camera_mm[2] - points_mm[..., 2:])
    return np.asarray(camera_mm[:2] + (points_mm[..., :2] - camera_mm[:2]) * depth)


def obstacle_outline(camera_mm: FloatArray, obstacle: Obstacle, height_mm: float) -> FloatArray:
    """(N, 2) mm outline of all that an obstacle hides of the plane at a height."""
    return _outline(camera_mm, np.array(obstacle.polygon), obstacle.height_mm, height_mm)


def puck_outline(camera_mm: FloatArray, place_mm: tuple[float, float], radius_mm: float, puck_height_mm: float,
                 height_mm: float) -> FloatArray:  # fmt: skip
    """(N, 2) mm outline of a puck's top on the plane at a height."""
    angles = np.linspace(0, 2 * np.pi, CIRCLE_POINTS, endpoint=False)
    circle = np.array(place_mm) + radius_mm * np.column_stack([np.cos(angles), np.sin(angles)])
    return seen_on_plane(camera_mm, np.column_stack([circle, np.full(len(circle), puck_height_mm)]), height_mm)


def filled(shape: tuple[int, int], outlines: Iterable[FloatArray], px_per_mm: float) -> Image:
    """(H, W) mask, 255 inside any of the outlines (mm)."""
    mask = np.zeros(shape, dtype=np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [np.round(outline * px_per_mm).astype(np.int32)], (255,))
    return mask


def _outline(camera_mm: FloatArray, base_mm: FloatArray, top_mm: float, height_mm: float) -> FloatArray:
    corners = np.concatenate([np.column_stack([base_mm, np.full(len(base_mm), h)]) for h in (0.0, top_mm)])
    seen = seen_on_plane(camera_mm, corners, height_mm).astype(np.float32)
    return np.asarray(cv2.convexHull(seen), dtype=np.float64).reshape(-1, 2)


def _marker_white(image: Image, pose: Pose, corners_mm: FloatArray) -> FloatArray | None:
    corners = pose.image_from_board(corners_mm)
    h, w = image.shape[:2]
    if (corners < 0).any() or (corners[:, 0] > w - 1).any() or (corners[:, 1] > h - 1).any():
        return None
    x0, y0 = np.floor(corners.min(axis=0)).astype(int)
    x1, y1 = np.ceil(corners.max(axis=0)).astype(int)
    pixels = image[y0 : y1 + 1, x0 : x1 + 1].reshape(-1, 3).astype(np.float64)
    sums = pixels.sum(axis=1)
    return np.asarray(np.median(pixels[sums >= np.quantile(sums, 1 - BRIGHTEST_SHARE)], axis=0))
