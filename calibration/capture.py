"""Measuring a lens live: which views are still missing, and which of those that are shown are worth taking."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens_views import BLUR_FACTOR, BLUR_PX, View, Views, apart_px, edge_width_px
from calibration.markers import gray_image
from calibration.patterns import Pattern

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

CELLS = (4, 3)  # columns and rows of the picture in which the pattern must have been
# a pattern moves by less than this part of the picture's width between two looks when it is held still
STILL_PART = 0.0025
STILL_S = 0.2  # two looks must lie so far apart to tell
# a view is new when its corners lie this part of the width from those of every other tilted the same way
NEW_PART = 0.02
WHOLE_PART = 0.45  # of a ChArUco sheet this part of the corners must be seen; a chessboard must be seen whole
TILT = 0.12  # change of scale across the pattern from which it counts as tilted (about 15 degrees at arm's length)
SIDES = ("left", "right", "up", "down")
CORNERS = {"nw": 0, "ne": CELLS[0] - 1, "sw": CELLS[0] * (CELLS[1] - 1), "se": CELLS[0] * CELLS[1] - 1}
ENOUGH_VIEWS = 12  # views that are asked for at least, of the 10 to 20 by which a lens is to be relied on


@dataclass(frozen=True, slots=True)
class Look:
    """What one picture showed.

    word: unseen, partial, resized, blurred, moving, repeated or taken; outline: (N, 2) pixels around the pattern, empty
    where it was not seen; missing: what is still asked for, the first first (corners of the picture nw, ne, sw, se;
    the side of the pattern that comes nearer: left, right, up, down; more); coverage: views in each cell, row by row.
    """

    word: str
    outline: FloatArray
    missing: tuple[str, ...]
    coverage: tuple[int, ...]
    taken: int

    @property
    def enough(self) -> bool:
        return not self.missing


class LensCapture:
    """Takes views of a pattern from live pictures, one after the other."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self._taken: list[View] = []
        self._last: tuple[View, float] | None = None

    @property
    def views(self) -> Views:
        """The views so far, for fit_lens."""
        return Views(tuple(self._taken), (), ())

    @property
    def taken(self) -> int:
        """How many views were taken so far."""
        return len(self._taken)

    def look(self, image: Image, time_s: float) -> Look:
        """Looks at a picture (H, W) or (H, W, 3), taken at a time, and takes it where it is worth it."""
        gray = gray_image(image)
        sighting = self.pattern.find(gray, fast=True)
        if sighting is None:
            self._last = None
            return self._say("unseen", np.empty((0, 2)))
        size = (gray.shape[1], gray.shape[0])
        edge = edge_width_px(gray, sighting)
        view = View(f"view {len(self._taken) + 1}", size, sighting.pixels, sighting.places_mm, edge, False)
        word = self._judge(view, time_s)
        if word == "taken":
            self._taken.append(view)
        outline = cv2.convexHull(view.pixels.astype(np.float32)).reshape(-1, 2)
        return self._say(word, np.asarray(outline, dtype=np.float64))

    def _judge(self, view: View, time_s: float) -> str:
        last, self._last = self._last, (view, time_s)
        if self._taken and view.size != self._taken[0].size:
            return "resized"
        if len(view.pixels) < WHOLE_PART * self.pattern.corners:
            self._last = None
            return "partial"
        usual = [v.edge_px for v in self._taken]
        if view.edge_px > max(BLUR_PX, BLUR_FACTOR * float(np.median(usual)) if usual else 0.0):
            return "blurred"
        if last is not None and time_s - last[1] < STILL_S:
            self._last = last
            return "moving"
        if last is None or apart_px(last[0], view) > STILL_PART * view.size[0]:
            return "moving"
        tilt, near = tilt_of(view), NEW_PART * view.size[0]
        if any(apart_px(v, view) < near and tilt_of(v) == tilt for v in self._taken):
            return "repeated"
        return "taken"

    def _say(self, word: str, outline: FloatArray) -> Look:
        coverage = self._coverage()
        missing = [name for name, cell in CORNERS.items() if not coverage[cell]]
        tilted = {tilt_of(v) for v in self._taken}
        missing += [side for side in SIDES if side not in tilted]
        if not missing and len(self._taken) < ENOUGH_VIEWS:
            missing.append("more")
        return Look(word, outline, tuple(missing), tuple(coverage), len(self._taken))

    def _coverage(self) -> list[int]:
        counts = [0] * (CELLS[0] * CELLS[1])
        for view in self._taken:
            cells = np.floor((view.pixels + 0.5) / view.size * CELLS).astype(int)
            for column, row in {(int(c), int(r)) for c, r in np.clip(cells, 0, np.array(CELLS) - 1)}:
                counts[row * CELLS[0] + column] += 1
        return counts


def tilt_of(view: View) -> str:
    """The side of the picture to which the pattern comes nearer: left, right, up, down, or "" where it is straight."""
    from_pattern, _ = cv2.findHomography(view.places_mm[:, :2], view.pixels)
    if from_pattern is None:
        return ""
    places = np.column_stack([view.places_mm[:, :2], np.ones(len(view.places_mm))])
    nearness = 1 / (places @ (from_pattern[2] / from_pattern[2, 2]))
    nearness /= nearness.mean()
    centred = view.pixels - view.pixels.mean(0)
    slope, *_ = np.linalg.lstsq(centred, nearness - 1, rcond=None)
    across, down = (float(s * np.ptp(centred[:, i])) for i, s in enumerate(slope))
    if max(abs(across), abs(down)) < TILT:
        return ""
    if abs(across) > abs(down):
        return "right" if across > 0 else "left"
    return "down" if down > 0 else "up"
