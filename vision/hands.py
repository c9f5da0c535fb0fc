"""Hands on a board that lies still: what reaches in from outside, or is far more than pucks come and gone."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame_map import BORDER_MM
from vision.frames import Image
from vision.pieces import pieces
from vision.streaks import HOLE, strongest
from vision.view import TopView

Mask = NDArray[np.uint8]
Places = Sequence[tuple[float, float]]  # mm

HAND_AT_EDGE = 0.25  # puck areas: a change of which more lies outside of the playing surface is a hand
HAND_SHARE = 3.0  # the same for what lies where neither pucks lay nor lie
PUCK_EDGES = 1.9  # radii around a puck to which its edge and its shadow's reach, as blurred as edges are looked for
RIM_EDGE_MM = 5.0  # to both sides of a rim's edges, the same; the outer one is seen lower, and elsewhere by so much
MARKER_EDGE_MM = 5.0  # around a marker's print, the same: its white margin, and blur
THIN = 0.6  # radii: what is thinner is no hand, but a shadow's rim or an edge
KNOCKED_THIN, KNOCKED_BLUR = 0.4, 0.2  # the same, of pictures blurred by so much, from a little elsewhere
KNOCKED_LEVEL = 30.0  # grey levels by which a hand differs from the board as it was seen from a little elsewhere
KNOCKED_FAINT = 10.0  # and by which what hangs together with it is still the hand
LEAST_FAINT = 5.0  # but no less: noise and what a coder leaves hang together with all
LEAST_LEFT = 0.2  # in so little of the light these levels are lost in noise


def reaching(change: Mask, outside: Mask, least: float) -> Mask:
    """The pieces of a mask of which more than `least` pixels lie outside. -> mask of 0 and 1"""
    if cv2.countNonZero(cv2.copyTo(change, outside)) <= least:
        return np.zeros_like(change)
    out = np.zeros_like(change)
    for piece in pieces(change, least):
        if cv2.countNonZero(cv2.bitwise_and(piece.inside, outside[piece.window])) > least:
            out[piece.window] |= piece.inside
    return out


def beyond_board(view: TopView) -> Mask:
    """Where the top view shows what lies beside the board. -> (h, w) of 0 and 1"""
    corners = np.array([(-BORDER_MM, -BORDER_MM), np.add(view.board.size, BORDER_MM)])
    (x0, y0), (x1, y1) = np.rint(view.px_from_mm(corners)).astype(int)
    outside = np.ones(view.size[::-1], np.uint8)
    outside[y0:y1, x0:x1] = 0
    return outside


def hand_in(busy: Mask, view: TopView, lie: Places, lay: Places) -> Mask:
    """What of a change is a hand. busy: (h, w) of 0 and 1 over the view. lie, lay: pucks' places now and before.

    -> (h, w) of 0 and 1
    """
    radius, area = view.radius_px, math.pi * view.radius_px**2
    odd = cv2.bitwise_and(busy, 1 - discs(view, lie))
    size = round(radius * THIN) | 1
    odd = cv2.morphologyEx(odd, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    strange = 1 - discs(view, lay)
    hand = reaching(np.asarray(odd), np.asarray(beyond_board(view) & strange), HAND_AT_EDGE * area)
    hand |= reaching(np.asarray(odd), strange, HAND_SHARE * area)
    hand = _but_for_markers(np.asarray(hand, dtype=np.uint8), view)
    if not hand.any():
        return hand
    size = round(radius) | 1  # a hand is in one piece, whatever of it looks like the board
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.morphologyEx(hand, cv2.MORPH_CLOSE, kernel))


def _but_for_markers(hand: Mask, view: TopView) -> Mask:
    """Without the pieces that lie within a marker: what reaches in comes from beside it. To its black a coder gives
    other colours when those of the picture change. hand: (h, w) of 0 and 1"""
    if not hand.any():
        return hand
    out, markers = hand.copy(), _markers(view)
    for piece in pieces(hand):
        beside = cv2.subtract(piece.inside, markers[piece.window])
        # where the frame ends within one, its last row is seen as a bar
        if not cv2.countNonZero(cv2.bitwise_and(beside, _in_frame(view, piece.window))):
            out[piece.window] -= piece.inside
    return out


def _in_frame(view: TopView, window: tuple[slice, slice]) -> Mask:
    """Where a part of the top view is that of the frame, and not of its edge drawn on. -> (h, w) of 0 and 1"""
    (w, h), x, y = view.pose.lens.image_size, view.map_x[window], view.map_y[window]
    return np.asarray((x >= 0) & (x <= w - 1) & (y >= 0) & (y <= h - 1), dtype=np.uint8)


def _markers(view: TopView) -> Mask:
    """Where the top view shows the board's markers, which lie lower than pucks' tops. -> (h, w) of 0 and 1"""
    out = np.zeros(view.size[::-1], np.uint8)
    for marker in view.board.markers:
        middle = np.append(marker.centre, marker.z_mm)
        out_by = np.array([1.0, 1.0, 0.0]) * (1 + 2 * MARKER_EDGE_MM / marker.size_mm)
        corners = middle + (marker.corners_mm() - middle) * out_by
        at_top = view.pose.board_from_image(view.pose.image_from_board(corners), view.board.puck.height_mm)
        cv2.fillConvexPoly(out, np.rint(view.px_from_mm(at_top)).astype(np.int32), (1,))
    return out


def hand_since(
    now: Image, lit: Image, view: TopView, frame_size: tuple[int, int], lie: Places, lay: Places, left: float = 1.0
) -> Mask:  # fmt: skip
    """Where a hand reaches in, that was not there before the camera was knocked. -> (h, w) of 0 and 1

    now, lit: (h, w, 3) the board from above, and as it was before in the light of now; lie, lay: pucks' places now
    and before; left: what is left of the light of before.
    """
    left = min(max(left, LEAST_LEFT), 1.0)
    size = round(view.radius_px * KNOCKED_THIN) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    blurred = (cv2.GaussianBlur(top, (0, 0), view.radius_px * KNOCKED_BLUR) for top in (now, lit))
    difference = np.asarray(cv2.absdiff(*blurred), dtype=np.uint8)
    w, h = frame_size
    difference[(view.map_x < 0) | (view.map_x > w - 1) | (view.map_y < 0) | (view.map_y > h - 1)] = 0
    clear, faint = (
        np.asarray(cv2.morphologyEx(strongest(difference, level), cv2.MORPH_OPEN, kernel), dtype=np.uint8)
        for level in (left * KNOCKED_LEVEL, max(left * KNOCKED_FAINT, LEAST_FAINT))
    )
    hand = hand_in(clear, view, lie, lay)
    if hand.any():  # all of it, where it is hardly other than what it hides, too
        hand |= reaching(np.asarray(cv2.bitwise_or(faint, hand)), hand, 0)
    size = round(view.radius_px) | 1  # with its blurred rim, and the shadow beside it
    return np.asarray(cv2.dilate(hand, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))))


def own_edges(view: TopView, lie: Places) -> Mask:
    """Where a border that follows an edge is not a hand's, but a rim's or a puck's. lie: pucks' places in mm

    -> (h, w) of 0 and 1
    """
    edges = discs(view, lie, PUCK_EDGES)
    for out_mm in (0.0, view.board.rim.width_mm) if view.board.rim else ():
        corners = np.array([(-out_mm, -out_mm), np.add(view.board.size, out_mm)])
        (x0, y0), (x1, y1) = np.rint(view.px_from_mm(corners)).astype(int)
        cv2.rectangle(edges, (int(x0), int(y0)), (int(x1), int(y1)), 1, round(2 * RIM_EDGE_MM * view.scale) | 1)
    return edges


def discs(view: TopView, places: Places, radii: float = HOLE) -> Mask:
    """Mask of pucks' places, so many radii wide: by itself with their sides and shadows. -> (h, w) of 0 and 1"""
    mask = np.zeros(view.size[::-1], np.uint8)
    for x, y in view.px_from_mm(np.array(places).reshape(-1, 2)):
        cv2.circle(mask, (round(x), round(y)), round(radii * view.radius_px), 1, -1)
    return mask
