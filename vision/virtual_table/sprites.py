"""A puck as the camera sees it, at an exact place between pixels: top, visible side, shadow, motion blur.

Coverage of a pixel comes from its distance to the outline, not from samples: edges are smooth and unbiased.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.pose import Pose
from vision.boxes import Box
from vision.virtual_table.art import bgr, paint_top
from vision.virtual_table.looks import Look
from vision.virtual_table.physics import Puck

FloatImage = NDArray[np.float32]

OUTLINE = np.linspace(0, 2 * math.pi, 16, endpoint=False)
COS, SIN = np.cos(OUTLINE), np.sin(OUTLINE)
PAD_PX = 3
SHADOW_REACH = 0.85  # a shadow falls this many heights to the side
SHADOW_SOFT = 0.45  # width of its edge, in radii
SIDE_SHADE = 0.52


@dataclass(frozen=True, slots=True)
class Sprite:
    """What a puck puts into a picture from pixel (x0, y0) on.

    cover: (H, W) 0..1; colour: (H, W, 3) BGR times cover; shade: (H, W) share of light that the shadow takes.
    """

    x0: int
    y0: int
    cover: FloatImage
    colour: FloatImage
    shade: FloatImage

    @property
    def box(self) -> Box:
        h, w = self.cover.shape
        return self.x0, self.y0, self.x0 + w, self.y0 + h


class PuckPainter:
    """Makes sprites for one board seen by one camera under one light."""

    def __init__(self, board: Board, pose: Pose, look: Look, light_mm: tuple[float, float]) -> None:
        self.board, self.pose, self.look, self.light = board, pose, look, light_mm
        self.radius, self.height = board.puck.radius_mm, board.puck.height_mm
        w, h = board.size
        scale = float(
            np.linalg.norm(np.diff(pose.image_from_board(np.array([[w / 2, h / 2, 0], [w / 2 + 1, h / 2, 0]])), axis=0))
        )
        texels = max(12, round(2 * self.radius * scale * 1.5))
        self.tops = {(t.name, n): paint_top(t, n, texels) for t in board.teams for n in (*t.numbers, None)}
        self.colours = {t.name: np.array(bgr(t.colour), np.float32) for t in board.teams}

    def sprite(self, puck: Puck, lift_mm: float = 0.0) -> Sprite:
        """The puck standing lift_mm above the surface."""
        x, y, r, z = puck.x_mm, puck.y_mm, self.radius, lift_mm
        ring = np.column_stack([x + r * COS, y + r * SIN, np.full(16, z + self.height)])
        base = ring - (0, 0, self.height)
        reach = SHADOW_REACH * (self.height + z)
        shadow = ring * (1, 1, 0) + (self.light[0] * (reach + z), self.light[1] * (reach + z), 0)
        pixels = self.pose.image_from_board(np.vstack([ring, base, ring * (1, 1, 0), shadow])).reshape(4, 16, 2)
        low = np.floor(pixels.reshape(-1, 2).min(axis=0)).astype(int) - PAD_PX
        high = np.ceil(pixels.reshape(-1, 2).max(axis=0)).astype(int) + PAD_PX
        gy, gx = np.mgrid[low[1] : high[1] + 1, low[0] : high[0] + 1].astype(np.float32)
        cover, top, qx, qy = self._cover(pixels[0], pixels[1], gx, gy)
        colour = self._colour(puck, cover, top, qx, qy)
        shade = self._shade(pixels[2], pixels[3], gx, gy, lift_mm)
        return Sprite(int(low[0]), int(low[1]), cover, colour, shade)

    def _cover(self, ring: NDArray[np.float64], base: NDArray[np.float64], gx: FloatImage,
               gy: FloatImage) -> tuple[FloatImage, FloatImage, FloatImage, FloatImage]:  # fmt: skip
        """Cover of the whole puck and of its top, and pixels in units of the top's radius along the board's axes."""
        centre, axes = _ellipse(ring)
        inverse = np.linalg.inv(axes)
        radius_px = math.sqrt(abs(float(np.linalg.det(axes))))
        dx, dy = gx - np.float32(centre[0]), gy - np.float32(centre[1])
        qx = np.asarray(inverse[0, 0] * dx + inverse[0, 1] * dy, np.float32)
        qy = np.asarray(inverse[1, 0] * dx + inverse[1, 1] * dy, np.float32)
        edge = self.look.sharpness_px
        top = _smooth(np.asarray((np.sqrt(qx * qx + qy * qy) - 1) * (radius_px / edge), np.float32))
        base_centre, base_axes = _ellipse(base)
        bx, by = inverse @ (base_centre - centre)
        grow = math.sqrt(abs(float(np.linalg.det(base_axes)))) / radius_px - 1
        along = np.clip((qx * bx + qy * by) / max(bx * bx + by * by, 1e-9), 0, 1)
        far = np.sqrt((qx - along * bx) ** 2 + (qy - along * by) ** 2) - (1 + grow * along)
        cover = np.maximum(_smooth(np.asarray(far * (radius_px / edge), np.float32)), top)
        return np.asarray(cover, np.float32), top, qx, qy

    def _colour(self, puck: Puck, cover: FloatImage, top: FloatImage, qx: FloatImage, qy: FloatImage) -> FloatImage:
        texture = self.tops.get((puck.team, puck.number), self.tops[(puck.team, None)])
        n = texture.shape[0]
        c, s = math.cos(puck.turn_rad), math.sin(puck.turn_rad)
        mx = ((c * qx + s * qy) * 0.5 + 0.5) * n - 0.5
        my = ((c * qy - s * qx) * 0.5 + 0.5) * n - 0.5
        print_ = cv2.remap(
            texture, mx.astype(np.float32), my.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        facing = -(qx * self.light[0] + qy * self.light[1])
        side = SIDE_SHADE * (1 + 0.35 * np.clip(facing, -1, 1))
        out = print_ * top[..., None] + self.colours[puck.team] * (side * (cover - top))[..., None]
        return np.asarray(out, np.float32)

    def _shade(self, ground: NDArray[np.float64], shadow: NDArray[np.float64], gx: FloatImage, gy: FloatImage,
               lift_mm: float) -> FloatImage:  # fmt: skip
        centre, axes = _ellipse(ground)
        inverse = np.linalg.inv(axes)
        dx, dy = gx - np.float32(centre[0]), gy - np.float32(centre[1])
        qx, qy = inverse[0, 0] * dx + inverse[0, 1] * dy, inverse[1, 0] * dx + inverse[1, 1] * dy
        bx, by = inverse @ (_ellipse(shadow)[0] - centre)
        start = 0.0 if lift_mm <= 0 else 0.6
        along = np.clip((qx * bx + qy * by) / max(bx * bx + by * by, 1e-9), start, 1)
        far = np.sqrt((qx - along * bx) ** 2 + (qy - along * by) ** 2) - 0.96
        soft = SHADOW_SOFT * (1 + lift_mm / 15)
        return np.asarray(_smooth(far / soft) * (self.look.shadow / (1 + lift_mm / 40)), np.float32)

    def blurred(self, puck: Puck, places: NDArray[np.float64], lift_mm: float = 0.0) -> Sprite:
        """The puck smeared over an exposure. places: (N, 2) millimetres at equal steps of time."""
        middle = self.sprite(puck.at(*(float(v) for v in places.mean(axis=0))), lift_mm)
        heights = np.full(len(places) + 1, self.height + lift_mm)
        tracks = np.column_stack([np.vstack([places.mean(axis=0), places]), heights])
        pixels = self.pose.image_from_board(tracks)
        offsets = pixels[1:] - pixels[0]
        return smeared(middle, offsets)


def smeared(sprite: Sprite, offsets_px: NDArray[np.float64]) -> Sprite:
    """The mean of a sprite moved by every one of the offsets. offsets_px: (N, 2)."""
    half = np.ceil(np.abs(offsets_px).max(axis=0)).astype(int) + 1
    kernel = np.zeros((2 * half[1] + 1, 2 * half[0] + 1), np.float32)
    whole = np.floor(offsets_px).astype(int)
    part = offsets_px - whole
    for ox in (0, 1):
        for oy in (0, 1):
            weight = np.abs(1 - ox - part[:, 0]) * np.abs(1 - oy - part[:, 1])
            np.add.at(kernel, (half[1] + whole[:, 1] + oy, half[0] + whole[:, 0] + ox), weight.astype(np.float32))
    kernel /= kernel.sum()
    stack = cv2.copyMakeBorder(
        np.dstack([sprite.cover, sprite.colour]), half[1], half[1], half[0], half[0], cv2.BORDER_CONSTANT
    )
    shade = cv2.copyMakeBorder(sprite.shade, half[1], half[1], half[0], half[0], cv2.BORDER_CONSTANT)
    flipped = np.ascontiguousarray(kernel[::-1, ::-1])
    seen = cv2.filter2D(stack, -1, flipped, borderType=cv2.BORDER_CONSTANT)
    shaded = cv2.filter2D(shade, -1, flipped, borderType=cv2.BORDER_CONSTANT)
    cover = np.asarray(np.clip(seen[..., 0], 0, 1), np.float32)
    colour = np.asarray(seen[..., 1:4], np.float32)
    return Sprite(sprite.x0 - int(half[0]), sprite.y0 - int(half[1]), cover, colour, np.asarray(shaded, np.float32))


def _smooth(distance: FloatImage) -> FloatImage:
    """Cover of a pixel from its distance to the outline in widths of the edge (negative: inside)."""
    return np.asarray(np.clip(0.5 - distance, 0, 1), np.float32)


def _ellipse(ring: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Centre and (2, 2) axes of an ellipse through a projected circle's 16 points: pixel = centre + axes (cos, sin)."""
    centre = ring.mean(axis=0)
    return centre, np.column_stack([COS @ (ring - centre), SIN @ (ring - centre)]) / 8
