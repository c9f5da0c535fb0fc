"""Which reefs players have placed: looked for when the board lies still, and again where it has changed since."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from vision.detection import faintness
from vision.differencing import light_field
from vision.events import PuckSeen, ReefSeen
from vision.frames import Image
from vision.reef_fit import box_corners
from vision.reefs import find_reefs, same_reefs
from vision.streaks import strongest
from vision.view import TopView

FloatArray = NDArray[np.float64]
Place = tuple[float, float]

COARSE, FINE = (8.0, 12.0), (4.0, 20.0)  # mm of a square whose mean must have changed, and by how many grey levels
STAYED_MM = 1.0  # a puck that lies where it lay changes nothing
SHADOW = 2.6  # radii around another: the puck, its side and its shadow


class ReefWatch:
    """The reefs that players placed on one board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._reefs: tuple[ReefSeen, ...] | None = None
        self._top: Image | None = None  # the board from above when it was last looked at
        self._pucks: list[Place] = []  # and where pucks lay then
        self.due = True  # whether a look is worth while

    def forget_view(self) -> None:
        """The camera stands elsewhere, or something else than the picture asks for another look."""
        self._top = None

    def look(self, image: Image, view: TopView, pucks: Sequence[PuckSeen]) -> tuple[ReefSeen, ...] | None:
        """The reefs on a board that lies still; None where they are those that were seen last.

        image: (H, W, 3) frame; pucks: those at rest.
        """
        self.due = False
        if self._board.reef is None:
            return None
        top, places = view.rectify(image), [(p.x_mm, p.y_mm) for p in pucks]
        moved = [*_not_among(self._pucks, places), *_not_among(places, self._pucks)]
        if self._top is not None and not _differs(self._top, top, view, moved):
            return None
        self._top, self._pucks = top, places
        reefs = find_reefs(image, view.pose, self._board, pucks)
        if self._reefs is not None and same_reefs(self._reefs, reefs):
            return None
        self._reefs = reefs
        return reefs

    @property
    def known(self) -> tuple[ReefSeen, ...]:
        """The reefs that players placed, as they were seen last."""
        return self._reefs or ()

    def corners(self) -> list[FloatArray]:
        """(4, 2) mm of each reef that players placed."""
        if self._board.reef is None or not self._reefs:
            return []
        places = np.array([(r.x_mm, r.y_mm, r.angle_deg) for r in self._reefs])
        return list(box_corners(self._board.reef, places))


def _not_among(places: Sequence[Place], others: Sequence[Place]) -> list[Place]:
    return [p for p in places if all(math.dist(p, o) > STAYED_MM for o in others)]


def _differs(before: Image, now: Image, view: TopView, pucks: Sequence[Place]) -> bool:
    """True where the board shows something else than before, the light and some places of pucks aside.

    before, now: (h, w, 3) from above. In a dim picture less of a change counts.
    """
    lit = cv2.multiply(before, light_field(now, before), dtype=cv2.CV_8U)
    others = np.zeros(now.shape[:2], np.uint8)
    (x0, y0), (x1, y1) = np.rint(view.px_from_mm(np.array([(0.0, 0.0), view.board.size]))).astype(int)
    others[max(y0, 0) : y1, max(x0, 0) : x1] = 1
    for x, y in view.px_from_mm(np.array(pucks).reshape(-1, 2)):
        cv2.circle(others, (round(x), round(y)), round(SHADOW * view.radius_px), 0, -1)
    for size_mm, level in (COARSE, FINE):
        size = (max(round(size_mm * view.scale), 3),) * 2
        difference = np.asarray(cv2.absdiff(cv2.blur(now, size), cv2.blur(lit, size)), dtype=np.uint8)
        if (strongest(difference, level * faintness(now)) & others).any():
            return True
    return False
