"""Fits a marker's whole printed pattern to the picture: corners without the bias of corner detectors.

Corner finders pull a corner towards the bright margin and lose to blur. Here the known pattern, blurred as the
picture is, is laid over the picture and moved until they agree (Lucas and Kanade 1981, with gain and offset).
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

TEXELS_PER_MODULE = 12
MARGIN_MODULES = 1.5
"""White drawn around the pattern, so that blur sees it."""
USED_MARGIN_MODULES = 0.4
"""White around the pattern that is compared with the picture; markers are printed with more."""
BLURS_PX = (0.45, 0.6, 0.8, 1.05, 1.4, 1.9)
"""Standard deviations of the picture's blur that are tried."""
MAX_STEPS = 12
STEP_DONE_PX = 0.003
MAX_CORRECTION = 0.12
"""A fit that moves a corner by more than this part of the marker's side has lost its marker."""
MIN_CORRELATION = 0.8
"""Between the fitted pattern and the picture; hidden and false markers fall below."""


def fit_marker(gray: NDArray[np.uint8], corners_px: FloatArray, bits: NDArray[np.uint8]) -> FloatArray | None:
    """Moves a marker's corners until its printed pattern agrees with the picture.

    corners_px: (4, 2) start, off by a pixel or two; bits: (N, N) modules, 1 white. Returns (4, 2) pixels, or None
    where the picture does not show the marker well enough.
    """
    start = np.asarray(corners_px, dtype=np.float64).reshape(4, 2)
    window = _window(gray, start, bits.shape[0])
    if window is None:
        return None
    patch, origin = window
    best: tuple[float, FloatArray] | None = None
    corners = start - origin
    for blur_px in BLURS_PX:
        result = _fit_with_blur(patch, corners, bits, blur_px)
        if result is None:
            continue
        correlation, fitted = result
        if best is not None and correlation < best[0]:
            break
        best = correlation, fitted
        corners = fitted
    side = np.sqrt(cv2.contourArea(start.astype(np.float32)))
    if best is None or best[0] < MIN_CORRELATION:
        return None
    if np.abs(best[1] + origin - start).max() > max(2.0, MAX_CORRECTION * side):
        return None
    return best[1] + origin


def _window(gray: NDArray[np.uint8], corners: FloatArray, modules: int) -> tuple[FloatArray, FloatArray] | None:
    """The picture around a marker as float, and its first pixel; None where the marker leaves the picture."""
    centre = corners.mean(0)
    reach = np.abs(corners - centre).max(0) * (1 + 2 * USED_MARGIN_MODULES / modules) + 3
    low = np.floor(centre - reach).astype(int)
    high = np.ceil(centre + reach).astype(int) + 1
    low, high = np.maximum(low, 0), np.minimum(high, (gray.shape[1], gray.shape[0]))
    if (high - low < 8).any() or (corners < 0).any() or (corners > (gray.shape[1] - 1, gray.shape[0] - 1)).any():
        return None
    return gray[low[1] : high[1], low[0] : high[0]].astype(np.float64), low.astype(np.float64)


@cache
def _texture(bits: bytes, modules: int, blur_texels: float) -> NDArray[np.float32]:
    """The pattern with a white margin, blurred; TEXELS_PER_MODULE texels a module."""
    pattern = np.frombuffer(bits, dtype=np.uint8).reshape(modules, modules).astype(np.float32)
    big = np.kron(pattern, np.ones((TEXELS_PER_MODULE, TEXELS_PER_MODULE), dtype=np.float32))
    pad = round(MARGIN_MODULES * TEXELS_PER_MODULE)
    big = np.pad(big, pad, constant_values=1.0)
    return np.asarray(cv2.GaussianBlur(big, (0, 0), blur_texels, borderType=cv2.BORDER_REPLICATE), dtype=np.float32)


def _fit_with_blur(
    patch: FloatArray, start: FloatArray, bits: NDArray[np.uint8], blur_px: float
) -> tuple[float, FloatArray] | None:
    """Gauss-Newton over the corners for one blur: (correlation, (4, 2) corners)."""
    modules = bits.shape[0]
    module_px = np.sqrt(cv2.contourArea(start.astype(np.float32))) / modules
    blur_texels = round(blur_px / module_px * TEXELS_PER_MODULE * 4) / 4
    texture = _texture(bits.tobytes(), modules, max(blur_texels, 0.5))
    slope_x = cv2.Sobel(texture, cv2.CV_32F, 1, 0, ksize=1) / 2
    slope_y = cv2.Sobel(texture, cv2.CV_32F, 0, 1, ksize=1) / 2
    corners, correlation = start.copy(), 0.0
    rows, columns = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    pixels = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
    square = np.array([[0, 0], [modules, 0], [modules, modules], [0, modules]], dtype=np.float64)
    for _ in range(MAX_STEPS):
        uv, jacobian = _pattern_from_image(pixels, corners, square)
        low, high = -USED_MARGIN_MODULES, modules + USED_MARGIN_MODULES
        inside = ((uv > low) & (uv < high)).all(1)
        uv, jacobian = uv[inside], jacobian[inside]
        if len(uv) < 40:
            return None
        map_xy = ((uv + MARGIN_MODULES) * TEXELS_PER_MODULE - 0.5).astype(np.float32).reshape(-1, 1, 2)
        value, dx, dy = (cv2.remap(t, map_xy, None, cv2.INTER_LINEAR).ravel() for t in (texture, slope_x, slope_y))
        seen = patch.ravel()[inside]
        slopes = (dx[:, None] * jacobian[:, 0] + dy[:, None] * jacobian[:, 1]) * TEXELS_PER_MODULE
        gain, offset = np.polyfit(value, seen, 1)
        if gain <= 0:
            return None
        correlation = float(np.corrcoef(value, seen)[0, 1])
        design = np.column_stack([gain * slopes, value, np.ones_like(value)])
        step = np.linalg.lstsq(design, seen - gain * value - offset, rcond=None)[0][:8].reshape(4, 2)
        corners = corners + step
        if np.abs(step).max() < STEP_DONE_PX:
            break
        if not np.isfinite(corners).all() or np.abs(corners - start).max() > 6 * module_px:
            return None
    return correlation, corners


def _pattern_from_image(pixels: FloatArray, corners: FloatArray, square: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Pattern coordinates (modules) of pixels, and their derivatives by the corners: (N, 2), (N, 2, 8)."""
    to_image = cv2.getPerspectiveTransform(square.astype(np.float32), corners.astype(np.float32))
    to_image = _exact_homography(square, corners)
    to_pattern = np.linalg.inv(to_image)
    h = np.column_stack([pixels, np.ones(len(pixels))]) @ to_pattern.T
    uv = h[:, :2] / h[:, 2:]
    steps = np.empty((len(pixels), 2, 8))
    for k in range(8):
        moved = corners.copy()
        moved[k // 2, k % 2] += 1e-4
        g = np.column_stack([pixels, np.ones(len(pixels))]) @ np.linalg.inv(_exact_homography(square, moved)).T
        steps[:, :, k] = (g[:, :2] / g[:, 2:] - uv) / 1e-4
    return uv, steps


def _exact_homography(source: FloatArray, target: FloatArray) -> FloatArray:
    """(3, 3) homography through four point pairs, in float64."""
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solved = np.linalg.solve(np.array(rows), target.ravel())
    return np.append(solved, 1.0).reshape(3, 3)
