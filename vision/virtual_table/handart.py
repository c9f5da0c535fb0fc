"""A hand with its sleeve: painted once, then laid over the picture wherever it reaches."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import Pose
from vision.frames import Image
from vision.virtual_table.looks import Look

FloatImage = NDArray[np.float32]

TEXELS_PER_MM = 1.25  # of the painting; hands are blurred anyway
LENGTH_MM, HALF_WIDTH_MM, AHEAD_MM = 1300.0, 80.0, 24.0  # of the arm, its half, and beyond the fingertip
ORIGIN_MM = np.array([LENGTH_MM, HALF_WIDTH_MM])  # of the fingertip in the painting
SKINS = ((150.0, 178.0, 222.0), (118.0, 152.0, 204.0), (84.0, 118.0, 170.0), (52.0, 76.0, 116.0))  # BGR
SLEEVES = (
    (62.0, 46.0, 38.0),
    (46.0, 40.0, 160.0),
    (150.0, 150.0, 152.0),
    (70.0, 96.0, 50.0),
    (30.0, 30.0, 32.0),
    (140.0, 80.0, 40.0),
)
BLURS_MM = (0, 6, 12, 20, 32, 48)  # smears along the arm that are told apart
SHADOW_SOFT_MM = 9.0  # how far a hand's shadow fades out


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand during an exposure: fingertip in board millimetres, angle of the pointing finger (0 = east, clockwise).

    height_mm: of the fingers above the surface; blur_mm: way of the hand along its arm during the exposure.
    """

    x_mm: float
    y_mm: float
    angle_rad: float
    height_mm: float
    blur_mm: float = 0.0
    who: int = 0


class HandPainter:
    """Two players' hands."""

    def __init__(self, look: Look, light_mm: tuple[float, float], seed: int) -> None:
        self.look, self.light = look, light_mm
        rng = np.random.default_rng((seed, 11))
        skins, sleeves = rng.permutation(len(SKINS)), rng.permutation(len(SLEEVES))
        gain = np.array(look.gain_bgr, np.float32)
        painted = [_paint(SKINS[skins[who]], SLEEVES[sleeves[who]], rng) for who in range(2)]
        self._painted = [(colour * gain, cover) for colour, cover in painted]
        self._layers: dict[tuple[int, float], tuple[Image, Image]] = {}  # smeared when first they are seen
        soft = SHADOW_SOFT_MM * TEXELS_PER_MM
        shade = cv2.GaussianBlur(self._layer(0, BLURS_MM[0])[1], (0, 0), soft)
        self.shade: Image = np.asarray(shade * look.shadow * 1.1, np.uint8)

    def draw(self, picture: Image, hand: HandSeen, pose: Pose, light: FloatImage) -> None:
        """Lays shadow and hand over the picture."""
        h, w = picture.shape[:2]
        lift = hand.height_mm
        offset = (self.light[0] * lift, self.light[1] * lift)
        _laid(picture, self.shade, None, _warp(hand, pose, 0.0, offset), 1.0)
        colour, cover = self._layer(hand.who % 2, min(BLURS_MM, key=lambda blur: abs(blur - hand.blur_mm)))
        warp = _warp(hand, pose, lift, (0.0, 0.0))
        tip = warp @ np.array([(LENGTH_MM - 40.0) * TEXELS_PER_MM, HALF_WIDTH_MM * TEXELS_PER_MM, 1.0])
        x, y = (int(np.clip(tip[i] / tip[2], 0, (w, h)[i] - 1)) for i in (0, 1))
        _laid(picture, cover, colour, warp, float(light[y, x]))

    def _layer(self, who: int, blur_mm: float) -> tuple[Image, Image]:
        """Premultiplied colour and cover of a player's hand, smeared by so much along its arm."""
        if (who, blur_mm) not in self._layers:
            self._layers[who, blur_mm] = _smeared(*self._painted[who], blur_mm)
        return self._layers[who, blur_mm]


def _paint(skin: tuple[float, float, float], sleeve: tuple[float, float, float],
           rng: np.random.Generator) -> tuple[FloatImage, Image]:  # fmt: skip
    """Colour (H, W, 3) and cover (H, W) of a hand that points to the right; the fingertip at LENGTH_MM."""
    shape = (round(2 * HALF_WIDTH_MM * TEXELS_PER_MM), round((LENGTH_MM + AHEAD_MM) * TEXELS_PER_MM))
    hand, arm, under = (np.zeros(shape, np.uint8) for _ in range(3))
    for x0, y0, x1, y1, r in ((-9, 0, -62, 4, 8.5), (-104, 4, -88, 12, 34), (-168, 4, -110, 6, 25)):
        _capsule(hand, x0, y0, x1, y1, r)
    for x0, y0, x1, y1, r in (
        (-58, 17, -84, 18, 9),
        (-63, 33, -88, 28, 9),
        (-72, 46, -95, 36, 8),
        (-58, -18, -104, -18, 10),
    ):
        _capsule(under, x0, y0, x1, y1, r)
    corners = np.array([[-158, -33], [-158, 43], [-1350, 66], [-1350, -58]]) + ORIGIN_MM
    cv2.fillPoly(arm, [np.round(corners * TEXELS_PER_MM * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    image: FloatImage = np.zeros((*shape, 3), np.float32)
    cover: FloatImage = np.zeros(shape, np.float32)
    for mask, colour, tone in ((under, skin, 0.82), (hand, skin, 1.0), (arm, sleeve, 1.0)):
        a = mask.astype(np.float32) / 255
        round_ = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) / (26 * TEXELS_PER_MM)
        shaded = (0.62 + 0.38 * np.sqrt(np.clip(round_, 0, 1))) * tone
        grain = 1 + 0.03 * rng.standard_normal(shape, dtype=np.float32)
        paint = np.array(colour, np.float32) * (shaded * grain)[..., None]
        image = image * (1 - a[..., None]) + paint * a[..., None]
        cover = np.asarray(cover * (1 - a) + a, np.float32)
    return image.astype(np.float32), np.asarray(cover * 255, np.uint8)


def _capsule(mask: Image, x0: float, y0: float, x1: float, y1: float, r: float) -> None:
    a, b = ((np.array(p) + ORIGIN_MM) * TEXELS_PER_MM for p in ((x0, y0), (x1, y1)))
    ends = [(round(p[0] * 16), round(p[1] * 16)) for p in (a, b)]
    cv2.line(mask, ends[0], ends[1], 255, round(2 * r * TEXELS_PER_MM), cv2.LINE_AA, 4)
    for end in ends:
        cv2.circle(mask, end, round(r * TEXELS_PER_MM * 16), 255, -1, cv2.LINE_AA, 4)


def _smeared(colour: FloatImage, cover: Image, blur_mm: float) -> tuple[Image, Image]:
    """Premultiplied colour and cover, smeared along the arm."""
    layers = np.dstack([colour, cover.astype(np.float32)])
    n = 2 * round(blur_mm * TEXELS_PER_MM / 2) + 1
    if n > 1:
        layers = cv2.blur(layers, (n, 1), borderType=cv2.BORDER_REPLICATE)
    u8 = np.clip(layers + 0.5, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(u8[..., :3]), np.ascontiguousarray(u8[..., 3])


def _warp(hand: HandSeen, pose: Pose, height_mm: float, offset_mm: tuple[float, float]) -> NDArray[np.float64]:
    """(3, 3) texels to pixels: pinhole for the long arm, the lens's bend as at the fingertip."""
    local = np.array([[0.0, -40.0], [0.0, 40.0], [-160.0, 40.0], [-160.0, -40.0]])
    c, s = math.cos(hand.angle_rad), math.sin(hand.angle_rad)
    board = local @ np.array([[c, s], [-s, c]]) + (hand.x_mm + offset_mm[0], hand.y_mm + offset_mm[1])
    points = np.column_stack([board, np.full(4, -height_mm)])
    matrix = pose.lens.camera_matrix
    straight = cv2.projectPoints(points, pose.rvec, pose.tvec, matrix, np.zeros(5))[0].reshape(-1, 2)
    w, h = pose.lens.image_size
    tip = np.clip((straight[0] + straight[1]) / 2, 0, (w, h))
    ray = np.linalg.inv(matrix) @ np.array([tip[0], tip[1], 1.0])
    bent = cv2.projectPoints(ray[None], np.zeros(3), np.zeros(3), matrix, pose.lens.distortion)[0].ravel()
    texels = (local + ORIGIN_MM) * TEXELS_PER_MM - 0.5
    target = straight + (bent - tip)
    return np.asarray(cv2.getPerspectiveTransform(texels.astype(np.float32), target.astype(np.float32)), np.float64)


def _laid(picture: Image, cover: Image, colour: Image | None, warp: NDArray[np.float64], level: float) -> None:
    """Blends a warped layer into the picture, in the part where it shows."""
    th, tw = cover.shape
    corners = np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float64)
    homogeneous = np.column_stack([corners, np.ones(4)]) @ warp.T
    if (homogeneous[:, 2] <= 1e-6).any():
        return
    pixels = homogeneous[:, :2] / homogeneous[:, 2:]
    h, w = picture.shape[:2]
    x0, y0 = (int(max(0, math.floor(v))) for v in pixels.min(axis=0))
    x1, y1 = int(min(w, math.ceil(pixels[:, 0].max()))), int(min(h, math.ceil(pixels[:, 1].max())))
    if x1 <= x0 or y1 <= y0:
        return
    shift = np.array([[1.0, 0, -x0], [0, 1.0, -y0], [0, 0, 1.0]])
    size = (x1 - x0, y1 - y0)
    a = cv2.warpPerspective(cover, shift @ warp, size, flags=cv2.INTER_LINEAR)
    keep = cv2.merge([cv2.bitwise_not(a)] * 3)
    part = picture[y0:y1, x0:x1]
    out = cv2.multiply(part, keep, scale=1 / 255)
    if colour is not None:
        seen = cv2.warpPerspective(colour, shift @ warp, size, flags=cv2.INTER_LINEAR)
        out = cv2.addWeighted(out, 1.0, seen, level, 0.0)
    part[:] = out
