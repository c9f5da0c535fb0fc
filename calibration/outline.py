"""Refines a pose on what the board itself shows: its edges, its rim, and the lines printed on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.board import Board
from calibration.markers import gray_image
from calibration.pose import Pose
from calibration.pose_fit import CLICK_SIGMA_PX, surface_corners_mm, with_corner_errors

FloatArray = NDArray[np.float64]

SAMPLE_MM = 6.0
"""Distance between the points along an outline that are compared with the picture."""
BLURS_PX = (3.0, 2.0, 1.2)
"""Smoothing of the edges' strength, wide first: how far off the start may be, then how precise the end is."""
STRONG_EDGE = 12.0
"""Gray levels per pixel at which an edge counts half: beyond it, stronger is not much better."""
EDGE_WEIGHT = 0.35
"""Weight of one outline point against the clicked corners (neighbours see the same edge)."""
MAX_MOVE_SIGMAS = 4.0
"""A refinement that moves a corner further than this many click errors has caught another edge."""
MIN_GAIN = 1.05
"""The edges under the outline must be this much stronger after the refinement than before."""


@dataclass(frozen=True, slots=True)
class Outline:
    """Points on lines that the board should show: (N, 3) mm, and (N, 3) the next point along the line."""

    points_mm: FloatArray
    ahead_mm: FloatArray


def refine_pose_on_outline(image: NDArray[np.uint8], board: Board, pose: Pose) -> Pose | None:
    """Moves a pose, known to a few pixels, until the board's edges and printed lines lie on edges of the picture.

    image: (H, W) or (H, W, 3) BGR. Returns the better pose, or None where the picture does not show the outline well.
    """
    gray = gray_image(image).astype(np.float32)
    outline = board_outline(board)
    corners = surface_corners_mm(board)
    sigma = CLICK_SIGMA_PX * image.shape[1] / 1280
    clicked = pose.image_from_board(corners)
    current = pose
    before = _strength(_edges(gray, BLURS_PX[-1]), outline, pose).mean()
    for blur_px in BLURS_PX:
        edges = _edges(gray, blur_px)

        def residuals(p: FloatArray, edges: FloatArray = edges) -> FloatArray:
            moved = replace(pose, rvec=p[:3], tvec=p[3:])
            near = (moved.image_from_board(corners) - clicked).ravel() / sigma
            return np.append((1 - _strength(edges, outline, moved)) * EDGE_WEIGHT, near)

        start = np.concatenate([current.rvec, current.tvec])
        scale = np.array([0.01, 0.01, 0.01, 5.0, 5.0, 5.0])
        solved = least_squares(residuals, start, x_scale=scale, diff_step=1e-4).x
        current = replace(pose, rvec=solved[:3], tvec=solved[3:])
    moved_px = np.linalg.norm(current.image_from_board(corners) - clicked, axis=1)
    after = _strength(_edges(gray, BLURS_PX[-1]), outline, current).mean()
    if moved_px.max() > MAX_MOVE_SIGMAS * sigma or after < before * MIN_GAIN:
        return None
    return with_corner_errors(replace(current, rms_px=0.0), board, outline.points_mm[::10], 1.0)


def board_outline(board: Board) -> Outline:
    """The lines by which a board is known: the surface's edge, the rim, sanctuaries and no-reef lines."""
    w, h = board.size
    square = np.array([[0, 0], [w, 0], [w, h], [0, h], [0, 0]], dtype=np.float64)
    lines: list[tuple[FloatArray, float]] = [(square, 0.0)]
    if board.rim is not None and board.rim.width_mm > 0:
        edge = board.rim.width_mm
        outside = np.array([[-edge, -edge], [w + edge, -edge], [w + edge, h + edge], [-edge, h + edge], [-edge, -edge]])
        lines += [(outside, board.rim.height_mm)]
        if board.rim.height_mm > 0:
            lines += [(square, board.rim.height_mm)]
    for zone in board.zones:
        if zone.kind not in ("sanctuary", "no_reef"):
            continue
        if zone.polygon is not None:
            lines.append((np.array([*zone.polygon, zone.polygon[0]], dtype=np.float64), 0.0))
        elif zone.circle is not None:
            x, y, r = zone.circle
            turn = np.linspace(0, 2 * np.pi, max(int(2 * np.pi * r / SAMPLE_MM), 16))
            lines.append((np.column_stack([x + r * np.cos(turn), y + r * np.sin(turn)]), 0.0))
    return _sampled(lines, board)


def _sampled(lines: list[tuple[FloatArray, float]], board: Board) -> Outline:
    points, ahead = [], []
    w, h = board.size
    for line, height in lines:
        for a, b in pairwise(line):
            count = max(int(np.hypot(*(b - a)) / SAMPLE_MM), 1)
            along = a + (b - a) * ((np.arange(count) + 0.5) / count)[:, None]
            if height == 0.0 and not np.array_equal(line[0], (0.0, 0.0)):
                inside = (along > 1.0).all(1) & (along < (w - 1.0, h - 1.0)).all(1)
                along = along[inside]
            step = (b - a) / max(float(np.hypot(*(b - a))), 1e-9)
            points.append(np.column_stack([along, np.full(len(along), height)]))
            ahead.append(np.column_stack([along + step, np.full(len(along), height)]))
    return Outline(np.concatenate(points), np.concatenate(ahead))


def _edges(gray: NDArray[np.float32], blur_px: float) -> FloatArray:
    """(H, W, 3) float32: smoothed squares of the slopes (xx, xy, yy), the structure tensor."""
    smooth = cv2.GaussianBlur(gray, (0, 0), 0.8)
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3) / 8
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3) / 8
    return np.asarray(cv2.GaussianBlur(np.dstack([dx * dx, dx * dy, dy * dy]), (0, 0), blur_px))


def _strength(edges: FloatArray, outline: Outline, pose: Pose) -> FloatArray:
    """(N,) 0 to 1: how much of an edge, in the outline's direction, the picture has under each point."""
    points, ahead = pose.image_from_board(outline.points_mm), pose.image_from_board(outline.ahead_mm)
    along = ahead - points
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    map_xy = points.astype(np.float32)
    found = cv2.remap(edges, map_xy[:, 0], map_xy[:, 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT)
    xx, xy, yy = np.asarray(found, dtype=np.float64).reshape(-1, 3).T
    nx, ny = normal.T
    across = np.sqrt(np.maximum(xx * nx * nx + 2 * xy * nx * ny + yy * ny * ny, 0))
    return np.asarray(across / (across + STRONG_EDGE), dtype=np.float64)
