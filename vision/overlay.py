"""What the tracker sees, drawn over a frame."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.events import PuckSeen
from vision.frames import Image
from vision.view import TopView

WHITE = (255, 255, 255)
RING_POINTS = 40  # corners of what is drawn as a circle


def draw_overlay(image: Image, view: TopView | None, pucks: Sequence[PuckSeen]) -> Image:
    """The board's outline and the pucks with their numbers, on a copy of a frame. view: None draws nothing"""
    out = image.copy()
    if view is None:
        return out
    pose, board = view.pose, view.board
    w, h = board.size
    corners = pose.image_from_board(np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], dtype=np.float64))
    cv2.polylines(out, [np.rint(corners).astype(np.int32)], True, WHITE, 1, cv2.LINE_AA)
    angles = np.linspace(0, 2 * np.pi, RING_POINTS)
    for puck in pucks:
        ring = np.column_stack([
            puck.x_mm + board.puck.radius_mm * np.cos(angles),
            puck.y_mm + board.puck.radius_mm * np.sin(angles),
            np.full(RING_POINTS, board.puck.height_mm),
        ])  # fmt: skip
        points = np.rint(pose.image_from_board(ring)).astype(np.int32)
        cv2.polylines(out, [points], True, WHITE, 2, cv2.LINE_AA)
        label = f"{puck.number if puck.number is not None else '?'}"
        at = (int(points[0][0]) + 3, int(points[0][1]))
        cv2.putText(out, label, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, WHITE, 1, cv2.LINE_AA)
    return out
