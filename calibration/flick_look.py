"""How sharp a flicked puck is in a film: its speed, its blur, and from both how long the shutter is open."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.pose import Pose

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

BACKGROUND_FRAMES = 7
BACKGROUND_EVERY_S = 0.25
"""The board as it was: the median of so many frames, so far apart; what moved through is gone."""
MIN_CONTRAST = 26.0
"""Gray levels (strongest channel) by which a puck stands out from what it covers."""
EDGE_SHARE = 0.12
"""Of a blob's contrast: what is fainter is noise and does not count for its shape."""
AREA_PUCKS = (0.3, 9.0)
"""Area of a moving puck with its streak, in pucks; a hand is larger."""
HAND_PUCKS = 12.0
MIN_STEP = 0.5
"""Motion between frames, in puck diameters, from which blur can be told."""
LIES = 0.25
"""What moves by less than this between frames, in puck diameters, lies; a flick is measured from MIN_STEP on."""
STRAIGHT_DEG = 12.0
"""Three places in a row lie on a line to this; otherwise it hit something, or two things were taken for one."""
WIDE = (0.6, 1.6)
"""Variance of a streak across its way, in that of a disc (a sixteenth of its diameter's square)."""
WHOLE = (0.7, 1.45)
"""Its contrast summed up, in pucks: less is partly hidden, more is two things in one."""
MAX_SPEED_UP = 1.1
MIN_SLOW_DOWN = 0.6
"""A step is so many times as long as the one before: friction only slows down."""
MAX_SPEED_MM_S = 5000.0
"""No finger flicks faster."""
ALIKE = 1.6
"""The same puck in three frames has an area within this factor."""
MIN_SIGHTINGS = 2
SURE_SIGHTINGS = 5
SURE_SPREAD = 1.2
"""The shutter is told where so many sightings agree: the middle six tenths of them lie within this factor."""
SURE_SHARE = 0.15
"""A shutter that is open for a smaller part of the frame leaves too little blur to be told from a puck's own shape."""


@dataclass(frozen=True, slots=True)
class Flick:
    """A flick as the camera saw it.

    speed_mm_s: its fastest; exposure_s: how long the shutter was open; frames: how many it was measured in;
    sure: False where they do not agree, or the blur is too small to be told.
    """

    speed_mm_s: float
    exposure_s: float
    frames: int
    sure: bool = True

    def blur_mm(self, speed_mm_s: float) -> float:
        """How long the streak of a puck of some speed is, beyond the puck itself."""
        return speed_mm_s * self.exposure_s


@dataclass(frozen=True, slots=True)
class _Blob:
    """Something that differs from the background: centre, covariance of its shape (px²), area px."""

    centre: FloatArray
    spread: FloatArray
    area: float


class FlickLook:
    """Watches a film frame by frame for pucks that move fast."""

    def __init__(self, board: Board, pose: Pose, fps: float) -> None:
        self._board, self._pose, self._fps = board, pose, fps
        w, h = board.size
        outline = pose.image_from_board(np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], dtype=np.float64))
        self._mask = np.zeros(pose.lens.image_size[::-1], dtype=np.uint8)
        cv2.fillConvexPoly(self._mask, np.round(outline).astype(np.int32), (255,))
        self._left, self._top, self._width, self._height = cv2.boundingRect(outline.astype(np.float32))
        self._puck_px = puck_px(pose, board, (w / 2, h / 2))
        self._past: deque[Image] = deque(maxlen=BACKGROUND_FRAMES)
        self._background: Image | None = None
        self._before: list[_Blob] = []
        self._last: list[_Blob] = []
        self._count = 0
        self._seen: list[tuple[float, float]] = []
        self.moving = False

    def see(self, image: Image) -> None:
        """Takes the next frame; image: (H, W, 3) BGR."""
        area = np.ascontiguousarray(image[max(self._top, 0) :, max(self._left, 0) :][: self._height, : self._width])
        if self._count % max(round(BACKGROUND_EVERY_S * self._fps), 1) == 0:
            self._past.append(area)
            self._background = None
        self._count += 1
        if len(self._past) < BACKGROUND_FRAMES:
            return
        if self._background is None:
            self._background = np.asarray(np.median(np.stack(self._past), axis=0), dtype=np.uint8)
        blobs = self._blobs(area)
        self.moving = bool(blobs)
        self._measure(blobs)
        self._before, self._last = self._last, blobs

    def result(self) -> Flick | None:
        """The flicks as one: the middle of the exposures, the fast ones counting more; None without a fast one."""
        if len(self._seen) < MIN_SIGHTINGS:
            return None
        steps, shares = np.array(self._seen).T
        speed = float(steps.max()) / self._puck_px * self._board.puck.diameter_mm * self._fps
        order = np.argsort(shares)
        weights = np.cumsum(steps[order] ** 2)
        low, middle, high = (float(shares[order][np.searchsorted(weights, weights[-1] * q)]) for q in (0.2, 0.5, 0.8))
        sure = len(self._seen) >= SURE_SIGHTINGS and low >= SURE_SHARE and high <= SURE_SPREAD * low
        return Flick(speed, middle / self._fps, len(self._seen), sure)

    def _blobs(self, area: Image) -> list[_Blob]:
        """What differs from the background and may be a puck with its streak."""
        assert self._background is not None
        apart = cv2.absdiff(area, self._background).max(2)
        mask = self._mask[max(self._top, 0) :, max(self._left, 0) :][: self._height, : self._width]
        smooth = cv2.GaussianBlur(apart, (0, 0), 1.0)
        on = ((smooth > MIN_CONTRAST * 0.4) & (mask > 0)).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(on, connectivity=8)
        puck = np.pi / 4 * self._puck_px**2
        if count > 1 and stats[1:, cv2.CC_STAT_AREA].max() > HAND_PUCKS * puck:
            return []
        found = []
        for number in range(1, count):
            if not AREA_PUCKS[0] * puck < stats[number, cv2.CC_STAT_AREA] < AREA_PUCKS[1] * puck:
                continue
            x, y, w, h = (int(v) for v in stats[number, :4])
            cut = np.where(labels[y : y + h, x : x + w] == number, smooth[y : y + h, x : x + w], 0).astype(np.float64)
            blob = _blob(cut)
            if blob is not None:
                found.append(_Blob(blob.centre + (x, y), blob.spread, blob.area))
        return found

    def _measure(self, now: list[_Blob]) -> None:
        """Looks for a blob that came and went on straight: how long it is along its way tells the shutter.

        What lies where it lay in the frame before or after was put there by a hand: three such things may lie in line.
        """
        for blob in self._last:
            if self._lies(blob, self._before) or self._lies(blob, now):
                continue
            for before in self._before:
                for after in now:
                    if not (self._lies(before, self._last) or self._lies(after, self._last)):
                        self._measure_one(before, blob, after)

    def _lies(self, blob: _Blob, others: list[_Blob]) -> bool:
        """True where one of the others lies at the same place."""
        return any(np.hypot(*(blob.centre - other.centre)) < LIES * self._puck_px for other in others)

    def _measure_one(self, before: _Blob, blob: _Blob, after: _Blob) -> None:
        came, went = blob.centre - before.centre, after.centre - blob.centre
        first, second = float(np.hypot(*came)), float(np.hypot(*went))
        most = MAX_SPEED_MM_S / self._fps / self._board.puck.diameter_mm * self._puck_px
        if not MIN_STEP * self._puck_px < second <= first * MAX_SPEED_UP or first > most:
            return
        if second < first * MIN_SLOW_DOWN or float(came @ went) < np.cos(np.radians(STRAIGHT_DEG)) * first * second:
            return
        if not all(1 / ALIKE < b.area / blob.area < ALIKE for b in (before, after)):
            return
        along = (came + went) / np.hypot(*(came + went))
        across = np.array([-along[1], along[0]])
        wide = float(across @ blob.spread @ across)
        if not WIDE[0] < 16 * wide / self._puck_px**2 < WIDE[1]:
            return
        blur = float(np.sqrt(max(float(along @ blob.spread @ along) - wide, 0.0) * 12))
        faint = max(blur / self._puck_px, 1.0)  # a long streak is nowhere covered all the time
        if not WHOLE[0] < blob.area / (np.pi / 4 * self._puck_px**2) / faint < WHOLE[1]:
            return
        step = (first + second) / 2
        self._seen.append((step, min(blur / step, 1.0)))


def puck_px(pose: Pose, board: Board, place_mm: tuple[float, float]) -> float:
    """The diameter of a puck in the picture, pixels, at a place (x, y) on the board."""
    x, y = place_mm
    top, r = board.puck.height_mm, board.puck.radius_mm
    ends = np.array([[x - r, y, top], [x + r, y, top], [x, y - r, top], [x, y + r, top]])
    west, east, north, south = pose.image_from_board(ends)
    return float(np.sqrt(np.linalg.norm(east - west) * np.linalg.norm(south - north)))


def _blob(contrast: FloatArray) -> _Blob | None:
    """The shape of a patch of contrast: each pixel weighs as much as the puck was over it."""
    peak = float(np.percentile(contrast[contrast > 0], 90)) if (contrast > 0).any() else 0.0
    if peak < MIN_CONTRAST:
        return None
    weight = np.clip(contrast - EDGE_SHARE * peak, 0, None)
    rows, columns = np.indices(weight.shape)
    places = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
    flat = weight.ravel()
    centre = places.T @ flat / flat.sum()
    apart = places - centre
    return _Blob(centre, (apart * flat[:, None]).T @ apart / flat.sum(), float(flat.sum()) / (peak * (1 - EDGE_SHARE)))
