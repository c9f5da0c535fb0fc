"""Shadows with a rim: people between a small lamp and the board. The board shows through them as it is, but darker.

Where light changes softly it is followed, block by block. At the rim of such a shadow it changes too fast for that, and
what is left there looks like something that has come. But its colours are still the board's, in less light, and nowhere
do they begin as suddenly as at the edge of a thing.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.pieces import Piece, pieces

Mask = NDArray[np.uint8]
Floats = NDArray[np.float32]

LARGE = 0.4  # puck areas: what is smaller is only looked at …
SPECK = 0.05  # … where there is one anyway, and is a part of it if it is smaller than this
SPAN = (0.3, 3.3)  # a shadow leaves so much of the light at the least; where it has gone there is so much more
HUE, HUE_LEVELS = 0.1, 4.0  # share and grey levels by which colours change against each other where a thing has come …
HUE_SHARE = 0.1  # … and of a shadow only so many pixels do
DEEP = 0.2  # e-folds by which a shadow's light is less: what changes it by less is followed, and may be a puck's streak
SUDDEN, SUDDEN_SHARE = 0.6, 0.045  # how fast the light changes, in e-folds a puck's radius, at the edge of a thing …
SUDDEN_PART = 1.2  # … or, for so many times what it does in all, at that of one that is hardly other than the ground …
SUDDEN_REST = 2.0  # … or of what is left of a shadow's rim, where there is a shadow
DARK = 24.0  # grey levels: what is darker tells nothing of light
EVERY = 2  # pixels across and down: half of them are enough to tell a hand
UNDER = np.ones((3, 3), np.uint8)  # what is at least so large in a shadow, and is none, is under it


def shadows(mask: Mask, now: Image, before: Image, radius: float) -> Mask | None:
    """Those pieces of a change that are shadows which have come, gone or moved, but for things that have come there.

    mask: (h, w) of 0 and not 0; now, before: (h, w, 3); radius: a puck's, in pixels. -> of 0 and 255; None for none
    """
    area = math.pi * radius**2
    if cv2.countNonZero(mask) <= LARGE * area:
        return None
    large = [(p, _odd(p, now, before, radius, SUDDEN_PART)) for p in pieces(mask, LARGE * area)]
    if all(odd is None for _, odd in large):
        return None
    large = [(p, _odd(p, now, before, radius, SUDDEN_REST) if odd is None else odd) for p, odd in large]
    found = [(piece, odd) for piece, odd in large if odd is not None]
    for piece in pieces(mask, 0, math.floor(LARGE * area) + 1):
        speck = piece.pixels <= SPECK * area
        odd = np.zeros_like(piece.inside) if speck else _odd(piece, now, before, radius, SUDDEN_REST)
        if odd is not None:
            found.append((piece, odd))
    out = np.zeros_like(mask)
    for piece, odd in found:
        things = cv2.dilate(cv2.morphologyEx(odd, cv2.MORPH_OPEN, UNDER), UNDER)
        out[piece.window][(piece.inside > 0) & (things == 0)] = 255
    return out


def without_shadows(mask: Mask, now: Image, before: Image, radius: float) -> Mask:
    """The same change without them: the mask itself, or a copy of it."""
    found = shadows(mask, now, before, radius)
    return mask if found is None else np.asarray(cv2.bitwise_and(mask, cv2.bitwise_not(found)), dtype=np.uint8)


def _odd(piece: Piece, now: Image, before: Image, radius: float, part: float) -> Mask | None:
    """Where in a piece something else lies than the board in another light, (h, w) of 0 and 1, if the piece as a whole
    is a shadow; None where it is none. part: as SUDDEN_PART"""
    few = (slice(None, None, EVERY),) * 2
    if float(_recoloured(piece, now, before, few).mean()) > HUE_SHARE:
        return None
    steep, depth = _steepness(piece, now, before, radius)
    if steep.size == 0 or (part == SUDDEN_PART and depth < DEEP):
        return None
    if float((steep > min(SUDDEN, part * depth)).mean()) > SUDDEN_SHARE:
        return None
    odd = np.zeros_like(piece.inside)
    odd[piece.inside > 0] = _recoloured(piece, now, before, (slice(None),) * 2)
    return odd


def _recoloured(piece: Piece, now: Image, before: Image, of: tuple[slice, slice]) -> Mask:
    """Those of a piece's pixels, (N,) in some rows and columns, that have other colours than the board in less light or
    in more."""
    inside = piece.inside[of] > 0
    if not inside.any():
        return np.ones(1, np.uint8)
    a, b = (picture[piece.window][of][inside].astype(np.float32) + np.float32(1) for picture in (now, before))
    ratio = a / b
    light = ratio.mean(axis=1)
    off = np.abs(ratio / light[:, None] - 1).max(axis=1)
    odd = (off > HUE + HUE_LEVELS / np.minimum(a, b).min(axis=1)) | (light < SPAN[0]) | (light > SPAN[1])
    return np.asarray(odd, dtype=np.uint8)


def _steepness(piece: Piece, now: Image, before: Image, radius: float) -> tuple[Floats, float]:
    """How suddenly the light changes in those pixels of a piece and around it that are not dark, (N,) e-folds a puck's
    radius; and by how many e-folds it has changed at the most."""
    pad = 2
    rows, columns = (slice(max(s.start - pad, 0), s.stop + pad) for s in piece.window)
    a, b = (cv2.blur(cv2.cvtColor(p[rows, columns], cv2.COLOR_BGR2GRAY), (3, 3)) for p in (now, before))
    inside = np.zeros(a.shape, np.uint8)
    y, x = piece.window[0].start - rows.start, piece.window[1].start - columns.start
    inside[y : y + piece.size[1], x : x + piece.size[0]] = piece.inside
    clear = np.asarray((cv2.dilate(inside, UNDER) > 0) & (cv2.min(a, b) >= DARK))
    light: Floats = np.log((a + np.float32(1)) / (b + np.float32(1)))
    steep = cv2.magnitude(*(cv2.Sobel(light, cv2.CV_32F, *to, scale=radius / 8) for to in ((1, 0), (0, 1))))
    return np.asarray(steep[clear], dtype=np.float32), float(np.abs(light[clear]).max(initial=0.0))
