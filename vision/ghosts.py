"""What a hand leaves behind: where it reached in when the board was looked at, the board differs once it is gone.

A hand and its ghost differ from the board alike. But the edge of whatever is there runs along the border of the
difference in the picture that shows it, and not in the other one (Cucchiara et al. 2003, on ghosts in background
models).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.pieces import pieces

Mask = NDArray[np.uint8]

GHOST_RATIO = 1.5  # the border is this much sharper in the picture in which the thing was there …
GHOST_SHARE = 0.7  # … as are so many of the pixels that differ there
EDGE_LEVEL = 6  # grey levels by which a pixel's edge must differ to be counted there
BAND_PX = 5  # pixels across the border in which its edge is looked for


def without_ghosts(hands: Mask, before: Image, now: Image) -> Mask:
    """A mask of hands without the pieces that only the picture from before shows.

    hands: (h, w) of 0 and 1; before, now: (h, w, 3) the board when it was last looked at, and now, in one light.
    """
    out = hands.copy()
    kernel = np.ones((BAND_PX, BAND_PX), np.uint8)
    for piece in pieces(hands):
        whole = np.zeros_like(hands)
        whole[piece.window] = piece.inside
        rows, columns = (slice(max(s.start - BAND_PX, 0), s.stop + BAND_PX) for s in piece.window)
        band = cv2.morphologyEx(whole[rows, columns], cv2.MORPH_GRADIENT, kernel) > 0
        was, there = (_edges(top[rows, columns])[band].astype(int) for top in (before, now))
        sharper, fainter = ((edges > EDGE_LEVEL).sum() for edges in (was - there, there - was))
        many = sharper > GHOST_SHARE * (sharper + fainter)  # or else a marker that is half hidden would outweigh a hand
        if many and was.sum() > GHOST_RATIO * there.sum():
            out[piece.window][piece.inside > 0] = 0
    return out


def _edges(top: Image) -> NDArray[np.uint8]:
    """How much the grey level varies around each pixel. (h, w, 3) -> (h, w)"""
    gray = cv2.GaussianBlur(cv2.cvtColor(top, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    return np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
