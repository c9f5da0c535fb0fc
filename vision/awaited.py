"""A shot of which a puck is not seen: the verdict waits for it, but not until the next hand has begun another shot."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.pieces import largest

Mask = NDArray[np.uint8]

COMES_IN_S = 2.0  # in less time after the board was seen without it last a hand that comes is large …
COMING_AREA = 6.0  # … in puck areas
NEW_AREA = 0.3  # puck areas: where less than this is new the board lies as it did
MARGIN = 0.5  # of a puck's radius, around what differed


@dataclass(slots=True)
class Awaited:
    """The board as it lay while a verdict was put off, with no hand about.

    time_s, image: the newest frame, (H, W, 3), that showed it so; differed: (rows, columns) of 0 and 255, what differed
    from the board before the shot by then, and a little around it.
    """

    time_s: float
    image: Image
    differed: Mask

    def look(self, time_s: float, image: Image, changed: Mask, quiet: bool, puck_area: float) -> bool:
        """The next frame. changed: (rows, columns) what differs; quiet: nothing stirs; puck_area: in its pixels

        -> True where a hand has come
        """
        new = largest(np.asarray(cv2.subtract(changed, self.differed), dtype=np.uint8))
        if quiet and new < NEW_AREA * puck_area:
            self.time_s, self.image = time_s, image
        return new >= COMING_AREA * puck_area

    def is_old(self, time_s: float) -> bool:
        """True where too much may have happened since."""
        return time_s - self.time_s > COMES_IN_S


def awaited(time_s: float, image: Image, changed: Mask, puck_radius: float) -> Awaited:
    """A verdict is put off. changed: (rows, columns), 0 or not, what differs; puck_radius: in its pixels"""
    size = 2 * round(MARGIN * puck_radius) + 1
    around = cv2.dilate(changed, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    return Awaited(time_s, image, np.asarray((around > 0) * np.uint8(255), dtype=np.uint8))
