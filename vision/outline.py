"""A puck's place to a fraction of a millimetre: its outline in the colours that tell it best from what lies around."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection import circle_shift, interior_colours
from vision.frames import Image
from vision.view import TopView

FloatArray = NDArray[np.float64]

RAYS = 96
REACH_MM = 2.6  # the outline is looked for this far inside and outside of where it should be
STEP_MM = 0.2
INSIDE = (0.25, 0.5, 0.66, 0.8)  # radii of rings whose colours are the puck's …
OUTSIDE = (1.3, 1.6, 2.0)  # … and the ground's
SHADES = (1.0, 0.6, 0.35)  # shadow and a puck's dark side change brightness by these
HUBER_MM = 0.6
ROUNDS = 4
CIRCLE_ROUNDS = 8
PRIOR_MM = 2.5  # an edge this far from where it should be counts for less
TOP_SHARE = 0.65  # of what the top alone tells, the rest being told by paint and ground: their errors differ
TOP_REACH_MM = 3.4  # the top is looked for this far from where the puck seemed to be
TOP_WIDE_MM = 4.2  # and its edge this far inside and outside of that
TOP_STEP_MM = 0.15
TOP_BLUR_MM = 0.3
TOP_SLOPE_MM = 0.3  # the colour's change is taken over this much to either side
EDGE_ENOUGH = 12.0  # grey levels a millimetre: a steeper edge counts for no more than this one
NEAR_EDGE_MM = 0.5  # an edge further from the circle than this is another one
SEARCH_MM = ((TOP_REACH_MM, 0.5), (0.6, 0.15))  # how far around, and how finely, the circle is looked for
TOP_HUBER_MM = 0.3
TOP_ROUNDS = 3
TOP_INNER_MM = 3.0  # so far inside of its edge …
TOP_ALIKE = 45.0  # … a puck's top has the colour of its middle, within these grey levels; else something lies on it
TOP_STRAY_MM = 1.2  # what moves further than this from the best circle has followed another edge


def refine(image: Image, view: TopView, places_mm: FloatArray) -> FloatArray:
    """Places pucks more exactly, from (N, 2) mm within about 1.5 mm of the truth. -> (N, 2) mm

    Around each puck the colours are projected on the one direction that parts its paint from the ground whatever shadow
    lies on either (Fisher's discriminant); the outline is where that falls most steeply.
    """
    places = np.array(places_mm, dtype=np.float64).reshape(-1, 2)
    angles = np.arange(RAYS) * (2 * np.pi / RAYS)
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    foot = np.array([_refine_one(image, view, p, normals) for p in places]).reshape(-1, 2)
    colours = interior_colours(image, view, foot)
    top = [_by_top(image, view, p, c, normals) for p, c in zip(foot, colours, strict=True)]
    return np.asarray(foot + TOP_SHARE * (np.array(top).reshape(-1, 2) - foot))


def _refine_one(image: Image, view: TopView, start: FloatArray, normals: FloatArray) -> FloatArray:
    radius, height = view.board.puck.radius_mm, view.board.puck.height_mm
    place = np.array(start, dtype=np.float64)
    direction = _discriminant(image, view, start, normals)
    along = np.arange(-REACH_MM, REACH_MM + STEP_MM / 2, STEP_MM)
    on_foot = normals @ view.foot_shift_mm(place[None])[0] > 0
    heights = np.where(on_foot, 0.0, height)[:, None] * np.ones(len(along))
    for _ in range(ROUNDS):
        points = place + normals[:, None] * (radius + along)[None, :, None]
        tone = (_sample(image, view, points, heights) @ direction).astype(np.float32)
        tone = np.asarray(cv2.GaussianBlur(tone, (0, 0), sigmaX=2.0, sigmaY=0.01))
        fall = np.maximum(tone[:, :-2] - tone[:, 2:], 0.0)  # from paint to ground
        fall = fall * np.exp(-0.5 * (along[1:-1] / PRIOR_MM) ** 2)
        best = np.clip(fall.argmax(axis=1), 1, fall.shape[1] - 2)
        rows = np.arange(RAYS)
        a, b, c = fall[rows, best - 1], fall[rows, best], fall[rows, best + 1]
        bend = np.minimum(a - 2 * b + c, -1e-6)
        offset = along[best + 1] + np.clip(0.5 * (a - c) / bend, -1, 1) * STEP_MM
        place = place + _fit(offset, b, normals)
        if np.hypot(*(place - start)) > REACH_MM:
            return start
    return place


def _by_top(image: Image, view: TopView, start: FloatArray, colour: FloatArray, normals: FloatArray) -> FloatArray:
    """Where a puck's top lies: the circle across which the colour (3,) of its middle is left behind. -> (2,) mm

    A ring that is printed around it, or its shadow, may be of the same paint, but is darker; of the edges that a ray
    meets, those count that lie on one circle of a puck's size.
    """
    radius, height = view.board.puck.radius_mm, view.board.puck.height_mm
    along = np.arange(-TOP_WIDE_MM, TOP_WIDE_MM + TOP_STEP_MM / 2, TOP_STEP_MM)
    points = start + normals[:, None] * (radius + along)[None, :, None]
    tone = _sample(image, view, points, np.full((RAYS, 1), height)) - colour
    away = cv2.GaussianBlur(np.linalg.norm(tone, axis=2).astype(np.float32), (0, 0),
                            sigmaX=TOP_BLUR_MM / TOP_STEP_MM, sigmaY=0.6, borderType=cv2.BORDER_REPLICATE)  # fmt: skip
    k = round(TOP_SLOPE_MM / TOP_STEP_MM)
    rise = np.zeros(away.shape)
    rise[:, k:-k] = np.maximum(away[:, 2 * k :] - away[:, : -2 * k], 0.0) / (2 * k * TOP_STEP_MM)
    own = away[:, int(np.argmin(np.abs(along + TOP_INNER_MM)))] < TOP_ALIKE
    rise[~own] = 0.0
    circle = _best_circle(np.minimum(rise, EDGE_ENOUGH), along, normals)
    shift = circle
    for _ in range(TOP_ROUNDS):
        near = np.abs(along[None] - (normals @ shift)[:, None]) < NEAR_EDGE_MM
        best = np.clip(np.where(near, rise, 0.0).argmax(axis=1), 1, len(along) - 2)
        rows = np.arange(RAYS)
        a, b, c = rise[rows, best - 1], rise[rows, best], rise[rows, best + 1]
        bend = np.minimum(a - 2 * b + c, -1e-6)
        offset = along[best] + np.clip(0.5 * (a - c) / bend, -1, 1) * TOP_STEP_MM
        strength = np.where(near[rows, best], np.minimum(b / EDGE_ENOUGH, 1.0), 0.0)
        shift = _circle(offset, strength, normals, TOP_HUBER_MM)
        if np.hypot(*(shift - circle)) > TOP_STRAY_MM:
            return start + circle
    return start + shift


def _best_circle(rise: FloatArray, along: FloatArray, normals: FloatArray) -> FloatArray:
    """(2,) shift of the circle with the most edge on it. rise: (RAYS, len(along))"""
    best = np.zeros(2)
    rows = np.arange(len(normals))[None]
    for span, step in SEARCH_MM:
        ticks = np.arange(-span, span + step / 2, step)
        shifts = best + np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
        shifts = shifts[np.hypot(*shifts.T) <= TOP_REACH_MM]
        at = (shifts @ normals.T - along[0]) / TOP_STEP_MM
        low = np.clip(at.astype(int), 0, len(along) - 2)
        part = np.clip(at - low, 0.0, 1.0)
        best = shifts[(rise[rows, low] * (1 - part) + rise[rows, low + 1] * part).sum(axis=1).argmax()]
    return np.asarray(best)


def _sample(image: Image, view: TopView, points_mm: FloatArray, heights_mm: FloatArray) -> FloatArray:
    """Colours at places of the board. points_mm: (..., 2); heights_mm: (...) -> (..., 3)"""
    flat = np.column_stack([points_mm.reshape(-1, 2), np.broadcast_to(heights_mm, points_mm.shape[:-1]).ravel()])
    pixels = view.pose.image_from_board(flat).astype(np.float32).reshape(*points_mm.shape)
    out = cv2.remap(image, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, dtype=np.float64)


def _discriminant(image: Image, view: TopView, place: FloatArray, normals: FloatArray) -> FloatArray:
    """(3,) direction of colour from the ground to the puck, whatever the shade; 1 from mean to mean."""
    radius, height = view.board.puck.radius_mm, view.board.puck.height_mm
    some = normals[::2]
    rings = [
        _sample(image, view, place + some[None] * np.array(k)[:, None, None] * radius, np.array(h)).reshape(-1, 3)
        for k, h in ((INSIDE, height), (OUTSIDE, 0.0))
    ]
    inside, outside = rings
    middle = np.median(inside, axis=0)
    inside = inside[np.abs(inside - middle).max(axis=1) < 45]  # without the number's strokes
    if len(inside) < 8:
        inside = rings[0]
    classes = [np.concatenate([c * s for s in SHADES]) for c in (inside, outside)]
    within = sum(np.cov(c.T) for c in classes) / 2 + np.eye(3) * 12.0
    apart = classes[0].mean(axis=0) - classes[1].mean(axis=0)
    w = np.linalg.solve(within, apart)
    return np.asarray(w / max(float(w @ apart), 1e-9))


def _fit(offset: FloatArray, strength: FloatArray, normals: FloatArray) -> FloatArray:
    """(2,) step of the centre that makes the outline a circle of the known radius, by Huber weights."""
    base = np.minimum(strength / (np.median(strength) + 1e-9), 1.0)
    return np.asarray(np.clip(_circle(offset, base, normals, HUBER_MM), -1.0, 1.0))


def _circle(offset: FloatArray, base: FloatArray, normals: FloatArray, huber_mm: float) -> FloatArray:
    """(2,) shift of a circle of known radius to edges that lie so far off along the rays. base: (RAYS,) weights"""
    return np.asarray(circle_shift(offset[None], base[None], normals, huber_mm, CIRCLE_ROUNDS)[0][0])
