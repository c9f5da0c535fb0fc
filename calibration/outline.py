"""Refines a pose on what the board itself shows: the lines printed on it, or the edge of its surface."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.board import Board, Rim, Zone
from calibration.lens import USUAL_WIDTH_PX, Lens
from calibration.markers import gray_image
from calibration.pose import Pose
from calibration.pose_fit import CLICK_SIGMA_PX, FOCAL_SPREAD, pixel_slopes, surface_corners_mm, with_corner_errors

FloatArray = NDArray[np.float64]

# zones whose border is printed on the surface, the best first: walls stand on a sanctuary's, none on a line
PRINTED = ("no_reef", "sanctuary")
EDGE_MM = 3.0  # lines nearer to the surface's edge are the rim's, whose height and shadow move its edge in the picture
SAMPLE_MM = 4.0  # distance between the points along an outline that are compared with the picture
# smoothing of the edges' strength (at 1280 px width), wide first: how far off the start may be, then how precise
BLURS_PX = (3.5, 2.5, 1.8)
# slope (part of the board's contrast per pixel) at which an edge counts half: stronger is not much better
STRONG_EDGE = 0.08
# smaller pictures (part of 1280 px) are smoothed as those of this width: lines are a pixel wide at least
MIN_WIDTH = 0.75
EDGE_WEIGHT = 8.0  # weight of one outline point's lack of edge against a clicked corner's distance in sigmas
MAX_STEPS = 30  # times that a fit may look at the picture
MIN_STRENGTH = 0.1  # mean strength below which the picture does not show the outline
# the outline weighs as much as so many points with this error: neighbours see the same edge, paint is not exact
INDEPENDENT_POINTS = 40
OUTLINE_SIGMA_PX = 0.8
MAX_MOVE_SIGMAS = 4.0  # a refinement that moves a corner further than this many click errors has caught another edge


# how far beside the outline its edge is looked for, and how strong it must be, to tell how well the two agree
LOOKED_PX = 4.0
CLEAR_EDGE = 0.3


@dataclass(frozen=True, slots=True)
class Outline:
    """Points on lines that the board should show: (N, 3) mm, and (N, 3) the next point along the line."""

    points_mm: FloatArray
    ahead_mm: FloatArray
    board: Board


def refine_pose_on_outline(image: NDArray[np.uint8], board: Board, pose: Pose) -> Pose | None:
    """Moves a pose, known to a few pixels, until the board's printed lines and edges lie on edges of the picture.

    image: (H, W) or (H, W, 3) BGR. Returns the better pose, or None where the picture does not show the outline well.
    """
    gray = gray_image(image).astype(np.float32)
    outline = board_outline(board)
    corners = surface_corners_mm(board)
    width = max(image.shape[1] / USUAL_WIDTH_PX, MIN_WIDTH)
    sigma = CLICK_SIGMA_PX * image.shape[1] / USUAL_WIDTH_PX
    clicked = pose.image_from_board(corners)
    current = pose
    for blur_px in BLURS_PX:
        current = climbed(edge_tensor(gray, blur_px * width), outline, current, clicked, sigma)
    moved_px = np.linalg.norm(current.image_from_board(corners) - clicked, axis=1)
    edges = edge_tensor(gray, BLURS_PX[1] * width)
    before, after = (float(edge_strength(edges, outline, p).mean()) for p in (pose, current))
    if moved_px.max() > MAX_MOVE_SIGMAS * sigma or after < before or after < MIN_STRENGTH:
        return None
    few = outline.points_mm[:: max(len(outline.points_mm) // INDEPENDENT_POINTS, 1)]
    return with_corner_errors(current, board, few, OUTLINE_SIGMA_PX * width)


def climbed(
    edges: FloatArray, outline: Outline, start: Pose, clicked: FloatArray, sigma_px: float, free_focal: bool = False
) -> Pose:
    """The pose with most edge under its outline, held near the clicked corners (x, y: (4, 2)).

    edges: edge_tensor(); free_focal: the focal length gives way, too, held near the start's.
    """
    corners = surface_corners_mm(outline.board)
    free = 7 if free_focal else 6

    def at(p: FloatArray) -> Pose:
        return replace(start, lens=_zoomed(start.lens, p[6:]), rvec=p[:3], tvec=p[3:6])

    def residuals(p: FloatArray) -> FloatArray:
        near = (at(p).image_from_board(corners) - clicked).ravel() / sigma_px
        off = (1 - edge_strength(edges, outline, at(p))) * EDGE_WEIGHT
        return np.concatenate([off, near, p[6:] / FOCAL_SPREAD])

    def slopes(p: FloatArray) -> FloatArray:
        by_pixel = [(edge_strength(edges, outline, at(p), step) - edge_strength(edges, outline, at(p), -step))
                    for step in (np.array([0.5, 0.0]), np.array([0.0, 0.5]))]  # fmt: skip
        by_pose = pixel_slopes(at(p), outline.points_mm)[:, :free].reshape(-1, 2, free)
        rising = by_pixel[0][:, None] * by_pose[:, 0] + by_pixel[1][:, None] * by_pose[:, 1]
        held = np.eye(free)[6:] / FOCAL_SPREAD
        return np.vstack([-EDGE_WEIGHT * rising, pixel_slopes(at(p), corners)[:, :free] / sigma_px, held])

    first = np.concatenate([start.rvec, start.tvec, np.zeros(free - 6)])
    return at(least_squares(residuals, first, jac=slopes, x_scale="jac", max_nfev=MAX_STEPS).x)


def _zoomed(lens: Lens, log_zoom: FloatArray) -> Lens:
    """A lens with its focal length times exp(log_zoom[0]); the same where log_zoom is empty."""
    if not len(log_zoom):
        return lens
    camera = lens.camera_matrix.copy()
    camera[[0, 1], [0, 1]] *= float(np.exp(log_zoom[0]))
    return replace(lens, camera_matrix=camera)


def board_outline(board: Board) -> Outline:
    """The lines by which a board is known best: no-reef lines, else the rim's, else sanctuaries, else the surface's."""
    w, h = board.size
    no_reef, sanctuaries = (board.zones_of_kind(kind) for kind in PRINTED)
    if no_reef:
        return sampled_lines(board, [zone_line(z) for z in no_reef])
    if board.rim is not None and board.rim.width_mm > 0:
        return rim_outline(board, board.rim)
    if sanctuaries:
        return sampled_lines(board, [zone_line(z) for z in sanctuaries])
    return sampled_lines(board, [rectangle_mm(0, 0, w, h)], whole=True)


def rim_outline(board: Board, rim: Rim) -> Outline:
    """The rim's inner and outer edge at its height; where it meets the surface there is shadow and no clear edge."""
    (w, h), m = board.size, rim.width_mm
    edges = [rectangle_mm(0, 0, w, h), rectangle_mm(-m, -m, w + m, h + m)]
    return sampled_lines(board, edges, rim.height_mm, whole=True)


def zone_line(zone: Zone) -> FloatArray:
    """(N, 2) the closed line around a zone, millimetres."""
    if zone.polygon is not None:
        return np.array([*zone.polygon, zone.polygon[0]], dtype=np.float64)
    assert zone.circle is not None
    return circle_mm(*zone.circle)


def circle_mm(x: float, y: float, r: float) -> FloatArray:
    """(N, 2) a circle as a closed line."""
    turn = np.linspace(0, 2 * np.pi, max(int(2 * np.pi * r / SAMPLE_MM), 16))
    return np.column_stack([x + r * np.cos(turn), y + r * np.sin(turn)])


def rectangle_mm(left: float, top: float, right: float, bottom: float) -> FloatArray:
    """(5, 2) a rectangle as a closed line."""
    corners = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]]
    return np.array(corners, dtype=np.float64)


def sampled_lines(board: Board, lines: list[FloatArray], height_mm: float = 0.0, whole: bool = False) -> Outline:
    """Points along lines; those EDGE_MM within the surface, or the whole lines."""
    low, right, bottom = (-np.inf, np.inf, np.inf) if whole else (EDGE_MM, *(s - EDGE_MM for s in board.size))
    points, ahead = [], []
    for line in lines:
        for a, b in pairwise(line):
            length = float(np.hypot(*(b - a)))
            count = max(round(length / SAMPLE_MM), 1)
            along = a + (b - a) * ((np.arange(count) + 0.5) / count)[:, None]
            along = along[(along > low).all(1) & (along < (right, bottom)).all(1)]
            points.append(along)
            ahead.append(along + (b - a) / max(length, 1e-9))
    flat = np.full((sum(len(p) for p in points), 1), height_mm)
    return Outline(np.hstack([np.concatenate(points), flat]), np.hstack([np.concatenate(ahead), flat]), board)


def edge_tensor(gray: NDArray[np.float32], blur_px: float) -> FloatArray:
    """Edges of (H, W): (H, W, 3) smoothed squares of slopes (xx, xy, yy), the structure tensor, 1 for a strong one."""
    smooth = cv2.GaussianBlur(gray, (0, 0), 0.8)
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3) / 8
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3) / 8
    contrast = max(float(np.ptp(np.percentile(smooth[::4, ::4], (5, 95)))), 1.0) * STRONG_EDGE
    tensor = np.dstack([dx * dx, dx * dy, dy * dy]) / np.float32(contrast**2)
    return np.asarray(cv2.GaussianBlur(tensor, (0, 0), blur_px))


def edge_strength(edges: FloatArray, outline: Outline, pose: Pose, shift_px: FloatArray | None = None) -> FloatArray:
    """(N,) 0 to 1: how much of an edge, in the outline's direction, the picture has under each point."""
    points, ahead = pose.image_from_board(outline.points_mm), pose.image_from_board(outline.ahead_mm)
    along = ahead - points
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    map_xy = (points if shift_px is None else points + shift_px).astype(np.float32)
    found = cv2.remap(edges, map_xy[:, 0], map_xy[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    xx, xy, yy = np.asarray(found, dtype=np.float64).reshape(-1, 3).T
    nx, ny = normal.T
    across = np.sqrt(np.maximum(xx * nx * nx + 2 * xy * nx * ny + yy * ny * ny, 0))
    return np.asarray(across / (across + 1.0), dtype=np.float64)


def edge_offsets_px(edges: FloatArray, outline: Outline, pose: Pose) -> FloatArray:
    """(M,) how far beside the outline the picture's edge lies, pixels, where there is a clear one within LOOKED_PX."""
    along = pose.image_from_board(outline.ahead_mm) - pose.image_from_board(outline.points_mm)
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    steps = np.arange(-LOOKED_PX, LOOKED_PX + 0.5, 0.5)
    strengths = np.array([edge_strength(edges, outline, pose, normal * step) for step in steps])
    best = strengths.argmax(0)
    clear = (strengths.max(0) > CLEAR_EDGE) & (best > 0) & (best < len(steps) - 1)
    return np.asarray(steps[best[clear]], dtype=np.float64)
