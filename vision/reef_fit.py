"""Fits the box of a reef to a view from above: the top face, the sides that the camera sees, and what lies around."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import ReefShape
from calibration.medians import median_colour
from vision.reef_view import seen_on_plane

FloatArray = NDArray[np.float64]
FloatImage = NDArray[np.float32]
Image = NDArray[np.uint8]
Place = tuple[float, float, float]  # x_mm, y_mm, angle_deg

ALONG = np.linspace(0.06, 0.94, 9, dtype=np.float32)  # places along an edge; the corners belong to two
ACROSS = np.linspace(0, 1, 12, dtype=np.float32)  # places across an edge, from inside the top to the surroundings
BEYOND_MM = np.float32(3.5)  # how far these reach inside and outside of the edge
RANGE = (-0.5, 1.5)  # of the parting; what is outside is glare or a foreign thing
SHADE_RANGE = (0.0, 0.6)  # of the ground beside it: a block's own shadow is nearer to a dark block
SIDE_RANGE = (0.1, 1.4)  # brightness of a side face, between surroundings (0) and top (1), or darker than a dark top
MOST_ERROR = 0.25  # of a place; a puck that leans there must not outweigh the rest
BLANK_ERROR = 0.5  # root mean square error where nothing of an edge is seen


@dataclass(frozen=True, slots=True)
class _Level:
    """One round of the search: smoothing, half the width of an edge's ramp, the steps tried, and when to give up.

    hopeless: a fit that is no better after this round is none; blocks have 0.6 and more in the end.
    """

    smoothing_mm: float
    ramp_mm: float
    step_mm: float
    step_deg: float
    hopeless: float


LEVELS = (
    _Level(1.2, 1.6, 1.6, 5.0, 0.40),
    _Level(0.8, 1.2, 0.8, 2.0, 0.45),
    _Level(0.4, 0.8, 0.4, 1.0, 0.45),
    _Level(0.4, 0.8, 0.15, 0.4, 0.45),
)
MOST_STEPS = 12  # of one level: from half a search step away to the place
PATCH_MARGIN_MM = 16.0  # around half of a block's length: the ring around it, wherever the search leads
RIDGE = 4e-4  # variance added to each colour channel: a thirtieth of full scale squared is noise
SLIDES_MM = np.array([0.0, -3.0, 3.0, -6.0, 6.0])  # along its long side, tried first
ALL_MOVES = np.array(sorted(np.ndindex(3, 3, 3), key=lambda m: m != (1, 1, 1))) - 1.0  # stay, or step
AXIS_MOVES = ALL_MOVES[np.abs(ALL_MOVES).sum(axis=1) <= 1]


@dataclass(frozen=True, slots=True)
class BoxFit:
    """A box laid over the view: its place, and how well its edges are seen.

    edges: (4,) how well each side looks like a box's edge (1 = fully);
    inside: (3,) mean colour of the top; around: (3,) mean colour of the surroundings; spread: the top's
    standard deviation; contrast: distance of the two colours. Colours are paint values.
    """

    x_mm: float
    y_mm: float
    angle_deg: float
    edges: FloatArray
    inside: FloatArray
    around: FloatArray
    spread: float
    contrast: float
    score: float


def fit_box(view: Image, gains: FloatArray, px_per_mm: float, camera_mm: FloatArray, shape: ReefShape,
            start: Place) -> BoxFit:  # fmt: skip
    """Moves a box from `start` (x_mm, y_mm, angle_deg) to where its edges fit best.

    view: (H, W, 3) BGR, the plane at the reef's height; gains: (3,) that turn it into paint values.
    """
    patch, origin = _patch(view, gains, px_per_mm, shape, start)
    for level in LEVELS:
        axis, offset = _parting(patch, origin, px_per_mm, shape, start)
        parted = np.clip(patch @ axis - offset, *RANGE).astype(np.float32)
        plane = cv2.GaussianBlur(parted, (0, 0), level.smoothing_mm * px_per_mm)
        scene = _Scene(np.asarray(plane, dtype=np.float32), origin, px_per_mm, camera_mm, shape)
        if level is LEVELS[0]:
            start = _slid(scene, start, level)
        start, score = _climb(scene, start, level)
        if score < level.hopeless:
            break
    edges = _edges(scene, np.array([start]), LEVELS[-1].ramp_mm)[0]
    inside, around = _samples(patch, origin, px_per_mm, shape, start)
    mean_in, mean_out = inside.mean(axis=0), around.mean(axis=0)
    return BoxFit(start[0], start[1], start[2] % 180.0, edges, mean_in, mean_out,
                  float(np.sqrt(inside.var(axis=0).sum())), float(np.linalg.norm(mean_in - mean_out)),
                  float(edges.mean()))  # fmt: skip


def box_corners(shape: ReefShape, places: FloatArray, grow_mm: float = 0.0) -> FloatArray:
    """(K, 4, 2) mm corners of footprints at places (K, 3) of x, y, degrees; clockwise as seen, long side first."""
    a, b = shape.length_mm / 2 + grow_mm, shape.width_mm / 2 + grow_mm
    local = np.array([[-a, -b], [a, -b], [a, b], [-a, b]])
    angle = np.radians(places[:, 2])[:, None]
    x = local[:, 0] * np.cos(angle) - local[:, 1] * np.sin(angle)
    y = local[:, 0] * np.sin(angle) + local[:, 1] * np.cos(angle)
    return np.stack([x, y], axis=-1) + places[:, None, :2]


def _patch(view: Image, gains: FloatArray, px_per_mm: float, shape: ReefShape,
           start: Place) -> tuple[FloatImage, FloatArray]:  # fmt: skip
    reach = shape.length_mm / 2 + PATCH_MARGIN_MM
    low = np.floor((np.array(start[:2]) - reach) * px_per_mm).astype(int)
    high = np.ceil((np.array(start[:2]) + reach) * px_per_mm).astype(int)
    h, w = view.shape[:2]
    x = np.clip(np.arange(low[0], high[0] + 1), 0, w - 1)
    y = np.clip(np.arange(low[1], high[1] + 1), 0, h - 1)
    return np.asarray(view[np.ix_(y, x)] * gains.astype(np.float32), dtype=np.float32), low / px_per_mm


def _lookup(plane: FloatImage, origin: FloatArray, px_per_mm: float, points_mm: FloatArray) -> FloatImage:
    """Values at points (…, 2) mm of a patch whose first pixel shows `origin`."""
    pixels = ((points_mm - origin.astype(np.float32)) * np.float32(px_per_mm)).astype(np.float32)
    flat = pixels.reshape(1 if pixels.ndim < 4 else pixels.shape[0], -1, 2)
    values = cv2.remap(plane, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values, dtype=np.float32).reshape(*points_mm.shape[:-1], *plane.shape[2:])


def _samples(patch: FloatImage, origin: FloatArray, px_per_mm: float, shape: ReefShape,
             place: Place) -> tuple[FloatImage, FloatImage]:  # fmt: skip
    """Colours (N, 3) of the top face, and of a ring around the whole box."""
    angle = np.radians(place[2])
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    inside, around = (
        _lookup(patch, origin, px_per_mm, points @ turn + np.array(place[:2])) for points in _sampled(shape)
    )
    return inside, around


@lru_cache(4)
def _sampled(shape: ReefShape) -> tuple[FloatArray, FloatArray]:
    """(N, 2) mm about a box's middle of samples of its top face, and of a ring around it."""
    a, b = shape.length_mm / 2, shape.width_mm / 2
    inner = np.stack(np.meshgrid(np.linspace(-0.88 * a, 0.88 * a, 20), np.linspace(-0.6 * b, 0.6 * b, 6)), -1)
    ring = []
    for grow in (7.0, 8.5, 10.0):
        x, y = np.linspace(-a - grow, a + grow, 24), np.linspace(-b - grow, b + grow, 12)
        ring += [np.column_stack([x, np.full(24, s * (b + grow))]) for s in (-1, 1)]
        ring += [np.column_stack([np.full(12, s * (a + grow)), y]) for s in (-1, 1)]
    return inner.reshape(-1, 2), np.concatenate(ring)


def _parting(patch: FloatImage, origin: FloatArray, px_per_mm: float, shape: ReefShape,
             place: Place) -> tuple[FloatArray, float]:  # fmt: skip
    """The colour axis (3,) that parts reef from surroundings best, and its offset: reef 1, surroundings 0.

    Source: Fisher's linear discriminant, with a ridge for noise.
    """
    inside, around = _samples(patch, origin, px_per_mm, shape, place)
    mean_in, mean_out = median_colour(inside), median_colour(around)
    spread = np.cov(inside.T) + 0.5 * np.cov(around.T) + RIDGE * np.eye(3)
    axis = np.linalg.solve(spread, mean_in - mean_out)
    length = float(axis @ (mean_in - mean_out))
    axis = axis / max(length, 1e-9)
    return axis, float(axis @ mean_out)


@dataclass(frozen=True, slots=True)
class _Scene:
    """A patch as one number a pixel: reef 1, surroundings 0."""

    plane: FloatImage
    origin: FloatArray
    px_per_mm: float
    camera_mm: FloatArray
    shape: ReefShape


def _slid(scene: _Scene, start: Place, level: _Level) -> Place:
    """The best place along the block's long side, where the search leaves it open."""
    angle = np.radians(start[2])
    places = np.array(start) + SLIDES_MM[:, None] * np.array([np.cos(angle), np.sin(angle), 0.0])
    best = places[int(_edges(scene, places, level.ramp_mm).mean(axis=1).argmax())]
    return float(best[0]), float(best[1]), start[2]


def _climb(scene: _Scene, start: Place, level: _Level) -> tuple[Place, float]:
    """Steps to the best neighbour until none is better; also tells how well that one fits."""
    moves = ALL_MOVES if level is LEVELS[0] else AXIS_MOVES  # later rounds start near enough
    for _ in range(MOST_STEPS):
        places = moves * (level.step_mm, level.step_mm, level.step_deg) + np.array(start)
        scores = _edges(scene, places, level.ramp_mm).mean(axis=1)
        best = int(scores.argmax())
        if best == 0:
            break
        start = (float(places[best, 0]), float(places[best, 1]), float(places[best, 2]))
    return start, float(scores[best])


def _edges(scene: _Scene, places: FloatArray, ramp_mm: float) -> FloatArray:
    """(K, 4) how well the profiles across each side of a box at places (K, 3) are those of a box: 1 = fully.

    The profile outwards is top, then the side face where the camera sees it, then surroundings.
    """
    top = box_corners(scene.shape, places)
    base = np.concatenate([top, np.zeros((*top.shape[:2], 1))], axis=-1)
    foot = seen_on_plane(scene.camera_mm, base, scene.shape.height_mm)
    along = np.roll(top, -1, axis=1) - top
    normal = np.stack([along[..., 1], -along[..., 0]], axis=-1) / np.linalg.norm(along, axis=-1, keepdims=True)
    gap = np.maximum(((foot - top) * normal).sum(axis=-1), 0)
    across = (-BEYOND_MM + (2 * BEYOND_MM + gap[..., None]) * ACROSS).astype(np.float32)
    return 1 - np.sqrt(_errors(_profiles(scene, top, along, normal, across), across, gap, ramp_mm)) / BLANK_ERROR


def _profiles(scene: _Scene, top: FloatArray, along: FloatArray, normal: FloatArray, across: FloatImage) -> FloatImage:
    """(K, 4, places along, places across) values around the four edges; across: (K, 4, places) mm outwards."""
    points = top[:, :, None] + along[:, :, None] * ALONG[:, None]
    points = points[:, :, :, None] + normal[:, :, None, None] * across[:, :, None, :, None]
    return _lookup(scene.plane, scene.origin, scene.px_per_mm, points.astype(np.float32))


def _errors(profiles: FloatImage, across: FloatImage, gap_mm: FloatArray, ramp_mm: float) -> FloatArray:
    """(K, 4) mean squared error of the best fitting profiles; the side face's brightness is free."""
    inside = np.clip(0.5 - across / (2 * ramp_mm), 0, 1)[:, :, None]
    outside = np.clip(0.5 + (across - gap_mm[..., None].astype(np.float32)) / (2 * ramp_mm), 0, 1)[:, :, None]
    side = 1 - inside - outside
    rest = profiles - inside
    for part, span in ((side, SIDE_RANGE), (outside, SHADE_RANGE)):
        level = np.clip(_level(rest, part), *span)[..., None, None].astype(np.float32)
        rest -= level * part
        if part is outside:
            rest /= 1 - level  # a step down to a shadow is as good as one to the lit ground
    return np.asarray(np.minimum(rest * rest, MOST_ERROR).mean(axis=(2, 3)), dtype=np.float64)


def _level(rest: FloatImage, part: FloatImage) -> FloatImage:
    """(K, 4) what of one part's profile (K, 4, 1, places) explains the most of what is left (K, 4, along, places)."""
    return np.asarray((rest * part).sum(axis=(2, 3)) / np.maximum((part * part).sum(axis=(2, 3)) * len(ALONG), 1e-6))
