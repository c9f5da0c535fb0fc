"""A made-up camera over the table: its lens, and a pose that has the whole board in view."""

from __future__ import annotations

import math
import random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.lens import Lens
from calibration.pose import Pose

VIEW_MARGIN_MM = 22.0  # table seen around the rim


def make_lens(size: tuple[int, int], rng: random.Random, *, half_view_deg: tuple[float, float] = (34.0, 38.5),
              k1: tuple[float, float] = (-0.13, -0.03)) -> Lens:  # fmt: skip
    """A webcam's lens: horizontal half angle of view (of a 16:9 picture) and barrel distortion drawn by rng."""
    w, h = size
    focal = (max(w, h * 16 / 9) / 2) / math.tan(math.radians(rng.uniform(*half_view_deg)))
    centre = (w / 2 + rng.uniform(-0.01, 0.01) * w, h / 2 + rng.uniform(-0.012, 0.012) * w)
    matrix = np.array([[focal, 0.0, centre[0]], [0.0, focal, centre[1]], [0.0, 0.0, 1.0]])
    distortion = np.array([rng.uniform(*k1), rng.uniform(0.002, 0.012), rng.gauss(0, 1e-4), rng.gauss(0, 2e-4), 0.0])
    return Lens(size, matrix, distortion)


def outline_mm(board: Board) -> NDArray[np.float64]:
    """(4, 3) corners of all that belongs to the board: rim and markers."""
    (w, h), rim = board.size, board.rim
    m = max([rim.width_mm if rim else 0.0, *(_marker_reach(board))])
    z = rim.height_mm if rim else 0.0
    return np.array([[-m, -m, z], [w + m, -m, z], [w + m, h + m, z], [-m, h + m, z]])


def _marker_reach(board: Board) -> list[float]:
    (w, h) = board.size
    reach = []
    for marker in board.markers:
        x, y, _ = marker.corners_mm().T
        reach.append(float(max(-x.min(), x.max() - w, -y.min(), y.max() - h)))
    return reach


def look_at(lens: Lens, target_mm: tuple[float, float], distance_mm: float, tilt_deg: float, from_deg: float,
            roll_deg: float) -> Pose:  # fmt: skip
    """A camera distance_mm from a point of the surface, tilted towards from_deg (0 = east, clockwise), then rolled."""
    tilt, azimuth, roll = (math.radians(a) for a in (tilt_deg, from_deg, roll_deg))
    axis = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    lean = cv2.Rodrigues(axis * tilt)[0]
    turn = cv2.Rodrigues(np.array([0.0, 0.0, roll]))[0]
    rotation = turn @ lean
    target = np.array([target_mm[0], target_mm[1], 0.0])
    tvec = np.array([0.0, 0.0, distance_mm]) - rotation @ target
    return Pose(lens, _vector(rotation), tvec)


def make_pose(board: Board, lens: Lens, rng: random.Random, *, tilt_deg: float = 6.0, roll_deg: float = 3.0) -> Pose:
    """A pose with the whole board in view, as near as the picture allows, drawn by rng up to the given angles."""
    w, h = board.size
    target = (w / 2 + rng.uniform(-25, 25), h / 2 + rng.uniform(-18, 18))
    tilt = tilt_deg if tilt_deg > 15 else rng.uniform(0.3, 1.0) * tilt_deg
    azimuth, roll = rng.uniform(0, 360), rng.uniform(-roll_deg, roll_deg)
    corners = outline_mm(board)
    distance = 300.0
    pose = look_at(lens, target, distance, tilt, azimuth, roll)
    while not _in_view(pose, corners):
        distance *= 1.02
        pose = look_at(lens, target, distance, tilt, azimuth, roll)
    return look_at(lens, target, distance * rng.uniform(1.0, 1.06), tilt, azimuth, roll)


def _in_view(pose: Pose, corners: NDArray[np.float64]) -> bool:
    w, h = pose.lens.image_size
    pixels = pose.image_from_board(corners)
    margin = VIEW_MARGIN_MM * pose.lens.focal_px / max(float(np.linalg.norm(pose.tvec)), 1.0) * 0.3
    inside = (pixels > margin).all() and (pixels[:, 0] < w - margin).all() and (pixels[:, 1] < h - margin).all()
    # Distortion folds far corners back into the picture: the undistorted ray has to agree.
    back = pose.board_from_image(pixels, float(corners[0, 2]))
    return bool(inside and np.abs(back - corners[:, :2]).max() < 1.0)


def _vector(rotation: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(cv2.Rodrigues(rotation)[0], np.float64).ravel()


def pushed(pose: Pose, laid: NDArray[np.float64]) -> Pose:
    """The pose of a board that was pushed over its table. laid: (2, 3) from board millimetres to those of the board as
    it lay when pose held"""
    turn, shift = np.eye(3), np.array([*laid[:, 2], 0.0])
    turn[:2, :2] = laid[:, :2]
    rotation = cv2.Rodrigues(pose.rvec)[0]
    return Pose(pose.lens, _vector(rotation @ turn), rotation @ shift + np.asarray(pose.tvec).ravel())


def knocked(pose: Pose, rng: random.Random, strength: float) -> Pose:
    """The pose after a knock: strength 1 shifts the view by some 10 to 25 mm."""
    angle = np.array([rng.uniform(-0.03, -0.01) * rng.choice((-1, 1)), rng.uniform(0.01, 0.03) * rng.choice((-1, 1)),
                      rng.uniform(-0.008, 0.008)]) * strength  # fmt: skip
    extra = cv2.Rodrigues(angle)[0]
    rotation = extra @ cv2.Rodrigues(pose.rvec)[0]
    return Pose(pose.lens, _vector(rotation), extra @ np.asarray(pose.tvec).ravel())
