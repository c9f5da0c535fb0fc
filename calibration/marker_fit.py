"""Fits a marker's whole printed pattern to the picture: corners without the bias of corner detectors.

Corner finders pull a corner towards the bright margin and lose to blur. Here the known pattern, blurred as the
picture is, is laid over the picture and moved until they agree (Lucas and Kanade 1981, with gain and offset).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

TEXELS_PER_MODULE = 12  # how finely the pattern is drawn: a blur of a part of a module is still some of them wide
MARGIN_MODULES = 1.5  # white drawn around the pattern, so that blur sees it
USED_MARGIN_MODULES = 0.4  # white around the pattern that is compared with the picture; markers are printed with more
BLURS_PX = (0.45, 0.6, 0.8, 1.05, 1.4, 1.9)  # standard deviations of the picture's blur that are tried
FIRST_BLUR = 2  # index of the blur tried first: a camera in focus
MAX_STEPS = 10  # steps of a fit at most
STEP_DONE_PX = 0.004  # a step that moves no corner further ends the fit
MAX_STEP_MODULES = 1.0  # a step that moves a corner further has left the pattern
MAX_CORRECTION = 0.12  # a fit that moves a corner by more than this part of the marker's side has lost its marker …
MIN_CORRECTION_PX = 2.0  # … unless it moves by less than this
MIN_CORRELATION = 0.8  # between the fitted pattern and the picture; hidden and false markers fall below
MIN_PIXELS = 40  # fewer pixels on a marker decide nothing
# of larger markers every second, third … pixel is enough (cv2.remap takes no longer lists than 32,766)
MAX_PIXELS = 20_000


@dataclass(frozen=True, slots=True)
class MarkerFit:
    """A fitted marker: (4, 2) corners in pixels, correlation with the picture, index into BLURS_PX."""

    corners_px: FloatArray
    correlation: float
    blur: int


@dataclass(frozen=True, slots=True)
class _Texture:
    """A blurred pattern and its slopes along columns and rows (per module), float32."""

    value: NDArray[np.float32]
    slope_x: NDArray[np.float32]
    slope_y: NDArray[np.float32]


def fit_marker(
    gray: NDArray[np.uint8], corners_px: FloatArray, bits: NDArray[np.uint8], blur: int | None = None
) -> MarkerFit | None:
    """Moves a marker's corners until its printed pattern agrees with the picture.

    corners_px: (4, 2) start, off by a pixel or two; bits: (N, N) modules, 1 white; blur: index into BLURS_PX where it
    is known. Returns None where the picture does not show the marker well enough.
    """
    start = np.asarray(corners_px, dtype=np.float64).reshape(4, 2)
    window = _window(gray, start, bits.shape[0])
    if window is None:
        return None
    patch, origin = window
    best = _best_blur(patch, start - origin, bits, blur)
    if best is None or best.correlation < MIN_CORRELATION:
        return None
    corners = best.corners_px + origin
    side = float(np.sqrt(cv2.contourArea(start.astype(np.float32))))
    if np.abs(corners - start).max() > max(MIN_CORRECTION_PX, MAX_CORRECTION * side):
        return None
    return MarkerFit(corners, best.correlation, best.blur)


def _best_blur(patch: FloatArray, start: FloatArray, bits: NDArray[np.uint8], blur: int | None) -> MarkerFit | None:
    """Fits with the blur that agrees best, climbing from the first one tried."""
    if blur is not None:
        return _fit_with_blur(patch, start, bits, blur)
    best = _fit_with_blur(patch, start, bits, FIRST_BLUR)
    for direction in (1, -1):
        level = FIRST_BLUR + direction
        while best is not None and 0 <= level < len(BLURS_PX):
            other = _fit_with_blur(patch, best.corners_px, bits, level)
            if other is None or other.correlation <= best.correlation:
                break
            best, level = other, level + direction
        if best is not None and best.blur > FIRST_BLUR:
            break
    return best


def _window(gray: NDArray[np.uint8], corners: FloatArray, modules: int) -> tuple[FloatArray, FloatArray] | None:
    """The picture around a marker as float, and its first pixel; None where the marker leaves the picture."""
    inside = (corners >= 0).all() and (corners <= (gray.shape[1] - 1, gray.shape[0] - 1)).all()
    if not (np.isfinite(corners).all() and inside):
        return None
    centre = corners.mean(0)
    reach = np.abs(corners - centre).max(0) * (1 + 2 * USED_MARGIN_MODULES / modules) + 2
    low = np.maximum(np.floor(centre - reach).astype(int), 0)
    high = np.minimum(np.ceil(centre + reach).astype(int) + 1, (gray.shape[1], gray.shape[0]))
    if (high - low < 8).any():
        return None
    return gray[low[1] : high[1], low[0] : high[0]].astype(np.float64), low.astype(np.float64)


@lru_cache(maxsize=128)
def _texture(pattern: bytes, modules: int, blur_texels: float) -> _Texture:
    """The pattern with a white margin, blurred; TEXELS_PER_MODULE texels a module."""
    bits = np.frombuffer(pattern, dtype=np.uint8).reshape(modules, modules).astype(np.float32)
    big = np.kron(bits, np.ones((TEXELS_PER_MODULE, TEXELS_PER_MODULE), dtype=np.float32))
    big = np.pad(big, round(MARGIN_MODULES * TEXELS_PER_MODULE), constant_values=1.0)
    value = np.asarray(cv2.GaussianBlur(big, (0, 0), blur_texels, borderType=cv2.BORDER_REPLICATE), dtype=np.float32)
    rows, columns = np.gradient(value * TEXELS_PER_MODULE)
    return _Texture(value, np.asarray(columns, dtype=np.float32), np.asarray(rows, dtype=np.float32))


def _fit_with_blur(patch: FloatArray, start: FloatArray, bits: NDArray[np.uint8], blur: int) -> MarkerFit | None:
    """Gauss-Newton over the homography from picture to pattern, with gain and offset, for one blur."""
    modules = bits.shape[0]
    module_px = float(np.sqrt(cv2.contourArea(start.astype(np.float32)))) / modules
    if module_px < 1:
        return None
    texels = max(round(BLURS_PX[blur] / module_px * TEXELS_PER_MODULE * 4) / 4, 0.5)
    texture = _texture(bits.tobytes(), modules, texels)
    square = np.array([[0, 0], [modules, 0], [modules, modules], [0, modules]], dtype=np.float64)
    centre, scale = start.mean(0), module_px * modules / 2
    every = int(np.ceil(np.sqrt(patch.size / MAX_PIXELS)))
    rows, columns = np.indices(patch.shape)[:, ::every, ::every]
    pixels = (np.column_stack([columns.ravel(), rows.ravel()]) - centre) / scale
    seen = patch[::every, ::every].ravel()
    matrix = homography(square, (start - centre) / scale)
    corners, correlation = start, -1.0
    for _ in range(MAX_STEPS):
        to_pattern = np.asarray(np.linalg.inv(matrix), dtype=np.float64)
        step = _step(pixels, seen, to_pattern / to_pattern[2, 2], modules, texture)
        if step is None:
            return None
        to_pattern, correlation = step
        matrix = np.asarray(np.linalg.inv(to_pattern), dtype=np.float64)
        moved = projected(matrix, square) * scale + centre
        change = float(np.abs(moved - corners).max())
        corners = moved
        if not change < MAX_STEP_MODULES * module_px:
            return None
        if change < STEP_DONE_PX:
            break
    return MarkerFit(corners, correlation, blur)


def _step(
    pixels: FloatArray, seen: FloatArray, to_pattern: FloatArray, modules: int, texture: _Texture
) -> tuple[FloatArray, float] | None:
    """One step: the better homography from (scaled) pixels to modules, and the correlation before it."""
    x, y = pixels.T
    w = to_pattern[2, 0] * x + to_pattern[2, 1] * y + 1
    u = (to_pattern[0, 0] * x + to_pattern[0, 1] * y + to_pattern[0, 2]) / w
    v = (to_pattern[1, 0] * x + to_pattern[1, 1] * y + to_pattern[1, 2]) / w
    low, high = -USED_MARGIN_MODULES, modules + USED_MARGIN_MODULES
    inside = (u > low) & (u < high) & (v > low) & (v < high)
    if int(inside.sum()) < MIN_PIXELS:
        return None
    x, y, u, v, w, seen = x[inside], y[inside], u[inside], v[inside], w[inside], seen[inside]
    map_x = ((u + MARGIN_MODULES) * TEXELS_PER_MODULE - 0.5).astype(np.float32)
    map_y = ((v + MARGIN_MODULES) * TEXELS_PER_MODULE - 0.5).astype(np.float32)
    value, dx, dy = (
        np.asarray(cv2.remap(t, map_x, map_y, cv2.INTER_LINEAR), dtype=np.float64).ravel()
        for t in (texture.value, texture.slope_x, texture.slope_y)
    )
    spread = float(value.std() * seen.std())
    if spread <= 0:
        return None
    correlation = float(((value - value.mean()) * (seen - seen.mean())).mean()) / spread
    gain = correlation * seen.std() / value.std()
    if gain <= 0:
        return None
    gx, gy = gain * dx / w, gain * dy / w
    bend = -(gx * u + gy * v)
    design = np.stack([gx * x, gx * y, gx, gy * x, gy * y, gy, bend * x, bend * y, value, np.ones_like(value)])
    try:
        solved = np.linalg.solve(design @ design.T, design @ (seen - gain * value))
    except np.linalg.LinAlgError:
        return None
    return to_pattern + np.append(solved[:8], 0.0).reshape(3, 3), correlation


def homography(source: FloatArray, target: FloatArray) -> FloatArray:
    """(3, 3) target from source homography through four point pairs, in float64."""
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    return np.append(np.linalg.solve(np.array(rows), target.ravel()), 1.0).reshape(3, 3)


def projected(matrix: FloatArray, points: FloatArray) -> FloatArray:
    """(N, 2) points through a homography."""
    h = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(h[:, :2] / h[:, 2:], dtype=np.float64)
