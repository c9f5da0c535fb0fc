"""What a film of the board says of camera and light: rate, flicker, noise, brightness, glare, the blur of a flick."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.flick_look import Flick, FlickLook
from calibration.lens import CalibrationError
from calibration.markers import gray_image
from calibration.medians import sigma_by_medians
from calibration.pose import Pose

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

BANDS = 12  # lamps flicker in bands, as a camera reads its rows one after the other: each band is watched by itself
SMOOTH_S = 0.5  # slower changes than this are the room's, not the lamp's
SMALL = 4  # brightness is taken from every fourth pixel
GLARE_LEVEL = 250  # gray levels from which a place is washed out
WITHIN_SIGMA = 68.3  # percentile: so many in a hundred lie within a standard deviation
NOISE_PAIRS = 40  # pairs of frames from which the noise is told, the first in which nothing moves


@dataclass(frozen=True, slots=True)
class FilmLook:
    """What was seen in a film.

    fps: as the container says; delivered_fps: less where frames come twice; frames: how many were looked at.
    flicker: standard deviation of the brightest band's brightness, part of it; noise: of a still pixel, gray levels.
    bright: gray level of the board's bright parts (95 of 100 are darker); glare: (N, 2) mm places that are washed out.
    """

    fps: float
    delivered_fps: float
    frames: int
    flicker: float
    noise: float
    bright: float
    glare_share: float
    glare_mm: tuple[tuple[float, float], ...]
    flick: Flick | None


def look_at_film(images: Iterable[Image], board: Board, pose: Pose, fps: float) -> FilmLook:
    """Watches frames (H, W, 3) of a camera that stands still over a board; the more the better, a flick among them.

    Raises CalibrationError where the surface is not in the picture.
    """
    flick, mask = FlickLook(board, pose, fps), _surface_mask(board, pose)
    if not mask[::SMALL, ::SMALL].any(1).sum() >= BANDS:
        raise CalibrationError("the board is hardly in the picture; expected all of it: turn the camera to it")
    bands: list[FloatArray] = []
    noise: list[float] = []
    repeated = moving = count = 0
    last: Image | None = None
    first: Image | None = None
    for image in images:
        count += 1
        flick.see(image)
        gray = gray_image(image)
        small = np.ascontiguousarray(gray[::SMALL, ::SMALL])
        if last is not None:
            same = bool(np.array_equal(last, small))
            moving += flick.moving
            repeated += flick.moving and same
            if not flick.moving and not same and len(noise) < NOISE_PAIRS:
                noise.append(_noise(last, small, mask[::SMALL, ::SMALL]))
        if not flick.moving:
            bands.append(_bands(small, mask[::SMALL, ::SMALL]))
        first = gray if first is None else first
        last = small
    assert first is not None, "a film has a frame"
    glare = (first >= GLARE_LEVEL) & (mask > 0)
    delivered = fps * (1 - repeated / moving) if moving else fps
    return FilmLook(fps, delivered, count, _flicker(bands, fps), float(np.median(noise)) if noise else 0.0,
                    float(np.percentile(first[mask > 0], 95)), float(glare.sum() / max(int((mask > 0).sum()), 1)),
                    _places(glare, pose), flick.result())  # fmt: skip


def _surface_mask(board: Board, pose: Pose) -> Image:
    w, h = board.size
    corners = pose.image_from_board(np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], dtype=np.float64))
    mask = np.zeros(pose.lens.image_size[::-1], dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), (255,))
    return mask


def _bands(small: Image, mask: Image) -> FloatArray:
    """(BANDS,) mean brightness of the board's rows, from top to bottom."""
    rows = np.flatnonzero(mask.any(1))
    return np.array([float(small[part][mask[part] > 0].mean()) for part in np.array_split(rows, BANDS)])


def _flicker(bands: list[FloatArray], fps: float) -> float:
    """The largest relative deviation of a band from its own slow course."""
    wide = max(round(SMOOTH_S * fps), 3)
    if len(bands) < 2 * wide:
        return 0.0
    course = np.array(bands)
    window = np.ones(wide) / wide
    slow = np.apply_along_axis(lambda one: np.convolve(one, window, mode="valid"), 0, course)
    fast = course[wide // 2 : wide // 2 + len(slow)] - slow
    return float((sigma_by_medians(fast) / slow.mean(0)).max())


def _noise(before: Image, after: Image, mask: Image) -> float:
    """Standard deviation of a pixel from frame to frame, by the middle of the differences: motion does not count."""
    apart = after.astype(np.float64)[mask > 0] - before.astype(np.float64)[mask > 0]
    return float(np.percentile(np.abs(apart - np.median(apart)), WITHIN_SIGMA) / np.sqrt(2))


def _places(glare: NDArray[np.bool_], pose: Pose, most: int = 3) -> tuple[tuple[float, float], ...]:
    """The middles of the largest washed-out spots, mm, the largest first."""
    count, _, stats, centres = cv2.connectedComponentsWithStats(glare.astype(np.uint8))
    order = 1 + np.argsort(-stats[1:, cv2.CC_STAT_AREA])[:most] if count > 1 else np.empty(0, dtype=int)
    return tuple((float(x), float(y)) for x, y in pose.board_from_image(np.asarray(centres, dtype=np.float64)[order]))
