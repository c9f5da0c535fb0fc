"""What a hand leaves behind: where it reached in when the board was looked at, the board differs once it is gone.

A hand and its ghost differ from the board alike. But the edge of whatever is there runs along the border of the
difference in the picture that shows it, and not in the other one (Cucchiara et al. 2003, on ghosts in background
models). Where a hand is as bright as what it lies on, the border follows the board's own edges instead; so what the
board mostly looked like tells first, wherever it does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.medians import median_colour
from vision.board_at_rest import BoardAtRest
from vision.differencing import in_light
from vision.frames import Image
from vision.hands import reaching
from vision.pieces import pieces
from vision.tone import toned

Mask = NDArray[np.uint8]

GHOST_RATIO = 1.5  # the border is this much sharper in the picture in which the thing was there …
GHOST_SHARE = 0.7  # … as are so many of the pixels that differ there
EDGE_LEVEL = 6  # grey levels by which a pixel's edge must differ to be counted there
LATEST_SHARE = 0.1  # of what the board mostly looks like, the newest view makes up so much at least
LOOKS_ENOUGH = 5  # views at rest after which it is known
CLEARLY = 2.0  # times: a place differs so much less from what it mostly looks like in the one picture than the other
BORDER_SHARE = 0.25  # puck areas: less at the border, or within the board, is no hand that reaches in
MORE_LEFT = 1.6  # times as much as that differs at most where no other hand is about
TIP_FIRST = 4.0  # of 255: by so much more of the time a place within the board has differed than the border
LIGHT_STEP = 8  # every eighth pixel each way tells the light of a whole view
BAND_PX = 5  # pixels across the border in which its edge is looked for


@dataclass(slots=True)
class UsualBoard:
    """What the board and all around it mostly looked like when it lay still, from above.

    image: (h, w, 3), or None where it has not been seen yet; looks: how often it was.
    """

    image: Image | None = None
    looks: int = 0

    def look(self, top: Image) -> None:
        """Takes a view of the board at rest in. top: (h, w, 3)"""
        if self.image is None or self.image.shape != top.shape:
            self.image, self.looks = top.copy(), 1
            return
        self.looks += 1
        share = max(1.0 / self.looks, LATEST_SHARE)
        self.image = np.asarray(cv2.addWeighted(top, share, _in_light_of(top, self.image), 1.0 - share, 0.0))

    def tone(self, curve: NDArray[np.uint8]) -> None:
        """Puts other levels in the picture's levels' place. curve: (256,)"""
        if self.image is not None:
            self.image = toned(self.image, curve)

    def from_elsewhere(self, size: tuple[int, int]) -> UsualBoard:
        """The same in views of another size (width, height), as after the camera was knocked."""
        if self.image is None:
            return UsualBoard()
        return UsualBoard(np.asarray(cv2.resize(self.image, size, interpolation=cv2.INTER_LINEAR)), self.looks)

    def tells(self, there: Mask, before: Image, now: Image) -> bool | None:
        """True where a place now looks more as it mostly did than it did before; None where that is not to be told.

        there: (h, w) of 0 and 1; before, now: (h, w, 3) in one light.
        """
        if self.image is None or self.looks < LOOKS_ENOUGH or self.image.shape != now.shape:
            return None
        usual = _in_light_of(now, self.image)
        was, is_now = (cv2.mean(cv2.absdiff(top, usual), there)[:3] for top in (before, now))
        off = sum(was), sum(is_now)
        return off[0] > off[1] if max(off) > CLEARLY * min(off) else None


def without_ghosts(
    hands: Mask, before: Image, now: Image, usual: UsualBoard | None = None, cut: Mask | None = None
) -> Mask:
    """A mask of hands without the pieces that only the picture from before shows.

    hands: (h, w) of 0 and 1; before, now: (h, w, 3) the board when it was last looked at, and now, in one light; cut:
    (h, w) other than 0 where a border may be that of other things, which counts for nothing.
    """
    out = hands.copy()
    kernel = np.ones((BAND_PX, BAND_PX), np.uint8)
    for piece in pieces(hands):
        whole = np.zeros_like(hands)
        whole[piece.window] = piece.inside
        gone = usual.tells(whole, before, now) if usual is not None else None
        if gone is not None:
            out[piece.window][piece.inside > 0] = not gone
            continue
        rows, columns = (slice(max(s.start - BAND_PX, 0), s.stop + BAND_PX) for s in piece.window)
        band = cv2.morphologyEx(whole[rows, columns], cv2.MORPH_GRADIENT, kernel) > 0
        if cut is not None:
            band &= cut[rows, columns] == 0
        was, there = (_edges(top[rows, columns])[band].astype(int) for top in (before, now))
        sharper, fainter = ((edges > EDGE_LEVEL).sum() for edges in (was - there, there - was))
        many = sharper > GHOST_SHARE * (sharper + fainter)  # or else a marker that is half hidden would outweigh a hand
        noise = min(np.median(was), np.median(there)) if was.size else 0.0  # no thing's edge fills half of the border
        if many and np.maximum(was - noise, 0).sum() > GHOST_RATIO * np.maximum(there - noise, 0).sum():
            out[piece.window][piece.inside > 0] = 0
    return out


def only_ghosts(still: Mask, rested: BoardAtRest, image: Image, threshold: float, usual: UsualBoard) -> Mask:
    """What never stirs and reaches in, but for hands: over a puck that they are about to flick they hold quite still.

    still: (rows, columns) of 0 and 1, of the small grey picture; image: (H, W, 3) the frame; threshold: grey levels
    beyond the camera's noise.
    """
    frame_map = rested.frame_map
    now = rested.rearranged(image, threshold)
    there = frame_map.view.rectify(frame_map.around(still, image) * np.uint8(255)) > 127
    hands = without_ghosts(there.astype(np.uint8), now.lit, now.top, usual)
    x, y = np.moveaxis(frame_map.view_px, -1, 0)
    return np.asarray(still - reaching(still, hands[y, x], 0), dtype=np.uint8)


def drawn_back(
    stale: Mask, change: Mask, differed: NDArray[np.float32], outside: Mask, radius_px: float
) -> Mask:  # fmt: skip
    """Where a hand was that drew back, its tip first: one that comes in, or stays, is at the border for the longest.

    stale: (h, w) not 0 where a picture has differed for a while; change: the same, where it does now; differed: (h, w)
    for how much of the time, 0 to 255; outside: (h, w) of 0 and 1, beside the board; radius_px: of a puck.
    -> (h, w) of 0 and 1
    """
    out = np.zeros_like(stale)
    least = math.pi * radius_px**2
    for piece in pieces(_whole(stale, radius_px), least):
        seen = cv2.copyTo(stale[piece.window], piece.inside)
        if _tip_first(np.asarray(seen, dtype=np.uint8), differed[piece.window], outside[piece.window], least):
            out[piece.window] |= piece.inside
    if out.any():  # what was left of it last, at the border, has not differed for so long
        with_rest = reaching(_whole(change, radius_px), out, 0)
        if cv2.countNonZero(with_rest) < MORE_LEFT * cv2.countNonZero(out):
            out |= with_rest
    return out


def _whole(mask: Mask, radius_px: float) -> Mask:
    """A mask with a hand in one piece, whatever of it looks like the board."""
    size = round(2 * radius_px) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), dtype=np.uint8)


def _tip_first(seen: Mask, differed: NDArray[np.float32], outside: Mask, least: float) -> bool:
    """True where a piece has differed for longer within the board than beside it. least: pixels of a puck"""
    border = cv2.copyTo(seen, outside)
    within = cv2.subtract(seen, border)
    if min(cv2.countNonZero(border), cv2.countNonZero(within)) < BORDER_SHARE * least:
        return False
    return cv2.mean(differed, within)[0] > cv2.mean(differed, border)[0] + TIP_FIRST


def _in_light_of(top: Image, other: Image) -> Image:
    """Another view of the same board as bright as a view is. (h, w, 3) each"""
    ratio = (top[::LIGHT_STEP, ::LIGHT_STEP] + np.float32(2.0)) / (other[::LIGHT_STEP, ::LIGHT_STEP] + np.float32(2.0))
    return in_light(other, median_colour(ratio.reshape(-1, 3)))


def _edges(top: Image) -> NDArray[np.uint8]:
    """How much the colour varies around each pixel, in that of its three that varies most. (h, w, 3) -> (h, w)"""
    smooth = cv2.GaussianBlur(top, (3, 3), 0)
    return np.asarray(cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2))
