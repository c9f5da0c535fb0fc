"""How far a puck was shifted between two pictures of it, to a small part of a pixel."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image

FloatArray = NDArray[np.float64]

RING = 1.15  # radii: the outline is the best part to hold on to
ITERATIONS = 12  # at the most …
DONE_PX = 0.003  # … until a step is less than this
REACH_PX = 4.0  # further than that the two pictures do not lead to each other
FIT_MIN = 0.6  # share of the first picture's contrast that must be explained
SMOOTH_PX = 0.7  # noise of single pixels is blurred by this much in both, so that slopes are those of what lies there
# what is added for each of place x, y, turn, gain and offset, so that none runs away where the picture does not tell
# it, as the turn of a round thing; next to nothing against thousands of squared grey levels
HELD = (1e-3, 1e-3, 1e-1, 1e-3, 1e-3)
LEAST_CONTRAST = 1e-3  # grey levels: a place without any has no gain


def shift_px(before: Image, after: Image, centre_px: tuple[float, float], radius_px: float) -> FloatArray | None:
    """How far what lay at a place of one top view lies in another. -> (2,) pixels, or None where it is not there.

    Least squares over place, turn, gain and offset of the light (Lucas and Kanade 1981, inverse compositional in the
    shift), over the disc and its outline. before, after: (h, w, 3) of one size.
    """
    half = int(np.ceil(radius_px * RING)) + 2
    x, y = round(centre_px[0]), round(centre_px[1])
    pad = half + int(REACH_PX) + 2
    h, w = before.shape[:2]
    if not (pad <= x < w - pad and pad <= y < h - pad):
        return None
    window = (slice(y - half, y + half + 1), slice(x - half, x + half + 1))
    first = cv2.GaussianBlur(before[window], (0, 0), SMOOTH_PX).astype(np.float64)
    wide = cv2.GaussianBlur(after[y - pad : y + pad + 1, x - pad : x + pad + 1], (0, 0), SMOOTH_PX).astype(np.float32)
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float64)
    rows, columns = rows - (centre_px[1] - y), columns - (centre_px[0] - x)
    mask = columns**2 + rows**2 <= (radius_px * RING) ** 2
    gy, gx = (np.asarray(np.gradient(first, axis=k)) for k in (0, 1))
    turn = -rows[..., None] * gx + columns[..., None] * gy
    flat = [a[mask].ravel() for a in (gx, gy, turn, first, np.ones_like(first))]
    basis = np.column_stack(flat)
    solver = np.linalg.pinv(basis.T @ basis + np.diag(HELD)) @ basis.T
    goal = first[mask].ravel()
    contrast, brightness = np.std(goal), float(np.mean(goal))
    columns, rows = columns[mask][None], rows[mask][None]
    shift, angle = np.zeros(2), 0.0
    residual = goal
    for _ in range(ITERATIONS):
        c, s = np.cos(angle), np.sin(angle)
        map_x = (c * columns - s * rows + (centre_px[0] - x) + shift[0] + pad).astype(np.float32)
        map_y = (s * columns + c * rows + (centre_px[1] - y) + shift[1] + pad).astype(np.float32)
        seen = cv2.remap(wide, map_x, map_y, cv2.INTER_CUBIC).astype(np.float64).ravel()
        gain = float(contrast / max(np.std(seen), LEAST_CONTRAST))
        level = seen * gain + brightness - gain * float(np.mean(seen))
        step = solver @ (level - goal)
        shift -= np.array([c * step[0] - s * step[1], s * step[0] + c * step[1]])
        angle -= float(step[2])
        residual = level - goal
        if np.abs(shift).max() > REACH_PX:
            return None
        if np.hypot(step[0], step[1]) < DONE_PX:
            break
    if residual.std() > (1 - FIT_MIN) * goal.std():
        return None
    return shift
