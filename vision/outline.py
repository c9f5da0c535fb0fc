"""A puck's place to a fraction of a millimetre: the picture that its edge must make is fitted to the one it makes.

Along a ray from a puck's middle a frame shows the top, then, on the side towards the camera, the puck's own side, then
the ground, each running into the next as far as the lens blurs. How wide the side shows follows from the pose and the
puck's height. For each place that the edge may have, the brightness of the three that fits best is a linear problem;
what it leaves unexplained tells the place. The side is of the puck's own paint in shade, so that neither a shadow nor a
ring that is printed around a puck is taken for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection import interior_colours
from vision.frames import Image
from vision.view import TopView, all_around

FloatArray = NDArray[np.float64]
Floats = NDArray[np.float32]

RAYS = 48  # across an outline: one for every 2 mm of it, about
INSIDE_MM = 3.2  # what is looked at of a top, inside of where its edge should be
BEYOND_MM = 0.5  # and of the ground beyond the puck: a ring that is printed around it begins not much further out
STEP_MM = 0.35  # between places along a ray that are looked at: a third of a pixel of 720 lines, about
EDGE_MM = 2.6  # the edge may lie this far inside and outside of where it should be
EDGE_STEP_MM = 0.15  # … in steps of this; between two of them costs are taken to go evenly
BLUR_PX = 0.65  # pixels of the frame: how far a webcam's lens and its film's compression blur, standard deviation
BLUR_GRID_MM = 0.02  # blurs that differ by less share one set of templates
NOISE = 0.06  # of the paint's brightness: by so much do pictures differ from what is fitted
TOP_SPREAD = 0.07  # a top is evenly bright within this share along a ray …
SIDE_SHADE = 0.6  # … and the side, with the rounded edge above it, has this share of its brightness,
SIDE_SPREAD = 0.15  # more or less
GROUND_TIED = 1e-3  # the ground may have any colour
DARKEST = 40.0  # grey levels: a paint that is darker is taken to be so bright
SIDE_MOST_MM = 6.0  # a side that shows wider than this is taken to be so wide …
SIDE_STEP_MM = 0.2  # … and others by steps of this
FAIR_SHARE = 0.3  # of the rays fit better than the rest, whatever else lies across the outline
FAIR_MIN = 6e-4  # of the square of the paint's brightness: no ray is held to fit better than this
ODD = 4.0  # a ray that fits so many times worse than a fair one counts half
SEARCHES_MM = ((1.8, 0.4), (0.5, 0.1), (0.12, 0.03))  # how far around, and how finely, the place is looked for
ROUNDS = 2  # each from where the one before has led
ROUNDED_MM = np.arange(0.0, 1.5, 0.2)  # how far tops may be rounded off at their edge
ROUNDED_BIAS_MM = 0.2  # even a sharp edge fits best when it is taken for one that is rounded so far
SHARP_RATHER = 0.03  # for each mm that it is rounded an edge must fit so much better: many fit nearly alike
WORST = 10.0  # times as ill as most rays: one that fits worse than that is hidden, and counts no more than that
PUCKS_TO_TELL = 4  # so many must show their edges to tell how far they are rounded …
PUCKS_ENOUGH = 16  # … and more than so many tell it no better
STRAY_MM = 2.6  # what moves further than this and half of a puck's side has followed another edge …
SETTLES_MM = 0.4  # … and what moves by more than this in the last round is not there yet …
STRAY_TRIES = 2  # … unless it settles, followed so many times more, …
STRAY_PART = 0.7  # … not further than this part of a puck's radius from where it was, …
STRAY_BETTER = 0.5  # … where it fits so much better: one that a hand hides in part fits ill anywhere
BESIDE_MM, LED_MM = 2.0, 4.0  # from so far beside a place the search may lead no further away from it than this, …
BESIDE = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])  # to each side
HIDDEN_MOST = 0.2  # of an outline: where more is hidden what is wrong on one side is not made up for on the other
CLEARLY_BETTER = 0.7  # … to where a puck is if it leaves no more than this part unexplained there


@dataclass(frozen=True, slots=True)
class _Templates:
    """What rays can show, for each width of a puck's side and each place of its edge.

    along: (n,) mm from where the edge should be; edges: (E,) mm; paint: (widths, n + 3, E * 3) orthonormal directions
    of all that top, side and ground can show in the paint's own direction of colour, with three rows for what is known
    of their brightness beforehand; ground: (widths, n, E) the same of what only the ground shows; prior: (3,) the
    values of these three rows; seen: (widths, n) 1 where a ray is looked at.
    """

    along: Floats
    edges: Floats
    paint: Floats
    ground: Floats
    prior: Floats
    seen: Floats


def refine(image: Image, view: TopView, places_mm: FloatArray, rounded_mm: float = 0.0) -> FloatArray:
    """Places pucks more exactly, from (N, 2) mm within about 2 mm of the truth. -> (N, 2) mm

    rounded_mm: how far the pucks' tops are rounded off at their edge. One that fits nowhere near, or where it was as
    well as elsewhere, or of which the board itself hides much, stays where it was; one that was seen far off may move
    by STRAY_PART of its radius.
    """
    exact = np.array(places_mm, dtype=np.float64).reshape(-1, 2)
    outlines = exact[:, None] + all_around(RAYS) * view.board.puck.radius_mm
    shown = np.flatnonzero(view.hidden(outlines).mean(axis=1) <= HIDDEN_MOST)
    if len(shown):
        places, left = _fitted(image, view, exact[shown], rounded_mm)
        exact[shown] = _led_better(image, view, places, left, rounded_mm)
    return exact


def rounding(image: Image, view: TopView, places_mm: FloatArray) -> float:
    """How far pucks' tops are rounded off at their edge, so that they look smaller, in mm: what fits all of them best.

    places_mm: (N, 2) of pucks at rest, within about 2 mm of the truth.
    """
    if len(places_mm) < PUCKS_TO_TELL:
        return 0.0
    some = np.linspace(0, len(places_mm) - 1, min(len(places_mm), PUCKS_ENOUGH)).round().astype(int)
    places_mm = places_mm[some]
    each = np.array([_ill(_fitted(image, view, places_mm, float(r))[1]) for r in ROUNDED_MM])
    each /= np.maximum(each.min(axis=0), 1e-9)  # dark ones never fit well, and would tell it alone, …
    ill = np.minimum(each, ODD).mean(axis=1) * (1 + SHARP_RATHER * ROUNDED_MM)  # … as would one that is misplaced
    k = int(np.argmin(ill))
    best = ROUNDED_MM[k]
    if 0 < k < len(ill) - 1:
        before, at, after = ill[k - 1 : k + 2]
        best += (ROUNDED_MM[1] - ROUNDED_MM[0]) * 0.5 * (before - after) / max(before - 2 * at + after, 1e-9)
    return float(max(best - ROUNDED_BIAS_MM, 0.0))


def _fitted(image: Image, view: TopView, places_mm: FloatArray, rounded_mm: float) -> tuple[FloatArray, Floats]:
    """(N, 2) places, and (N, RAYS) what each ray leaves unexplained there."""
    start = np.array(places_mm, dtype=np.float64).reshape(-1, 2)
    if len(start) == 0:
        return start, np.zeros((0, RAYS), np.float32)
    places, left, last_mm = _followed(image, view, start, rounded_mm)
    strays = np.hypot(*(places - start).T) > STRAY_MM + np.hypot(*view.foot_shift_mm(start).T) / 2
    there = np.flatnonzero(strays | (last_mm > SETTLES_MM))
    if len(there) == 0:
        return places, left
    on = places[there]
    if strays.any():
        places[strays], left[strays] = start[strays], _unmoved(image, view, start[strays], rounded_mm)
    for _ in range(STRAY_TRIES):
        before = on
        on, fits, _ = _followed(image, view, before, rounded_mm)
    near = np.hypot(*(on - start[there]).T) < STRAY_PART * view.board.puck.radius_mm
    found = near & (np.hypot(*(on - before).T) < SETTLES_MM) & (_ill(fits) < STRAY_BETTER * _ill(left[there]))
    places[there[found]], left[there[found]] = on[found], fits[found]
    return places, left


def _led_better(image: Image, view: TopView, places: FloatArray, left: Floats, rounded_mm: float) -> FloatArray:
    """The places, or those to which the search leads from beside them, where a puck fits clearly better there.

    A ring that is printed around a puck may hold a search that came from one side. places: (N, 2) mm; left: (N, RAYS)
    what is unexplained there -> (N, 2) mm
    """
    starts = (places[:, None] + BESIDE_MM * BESIDE).reshape(-1, 2)
    led, unexplained, _ = _followed(image, view, starts, rounded_mm)
    led, ill = led.reshape(-1, len(BESIDE), 2), _ill(unexplained).reshape(-1, len(BESIDE))
    ill[np.hypot(*(led - places[:, None]).transpose(2, 0, 1)) > LED_MM] = math.inf
    least = CLEARLY_BETTER * _ill(left)
    there = np.flatnonzero(ill.min(axis=1) < least)
    if len(there) == 0:
        return places
    on, fits, last_mm = _followed(image, view, led[there, ill[there].argmin(axis=1)], rounded_mm)
    found = (last_mm < SETTLES_MM) & (_ill(fits) < least[there])
    places = places.copy()
    places[there[found]] = on[found]
    return places


def _ill(left: Floats) -> FloatArray:
    """How ill pucks fit by what (N, RAYS) leave unexplained. -> (N,)"""
    return np.asarray(np.minimum(left, WORST * np.median(left, axis=1, keepdims=True)).mean(axis=1), dtype=np.float64)


def _followed(
    image: Image, view: TopView, start: FloatArray, rounded_mm: float
) -> tuple[FloatArray, Floats, FloatArray]:
    """Where (N, 2) places come to as each round leads on, (N, RAYS) what each ray leaves unexplained there, and by how
    much the last round moved them, (N,) mm."""
    normals, templates, paint = all_around(RAYS), _templates_for(view), interior_colours(image, view, start)
    places = start.copy()
    for _ in range(ROUNDS):
        unexplained = _unexplained(image, view, places, paint, normals, templates, rounded_mm)
        shifts = _best_shifts(_odd(unexplained), normals)
        places += shifts
    return places, _at(unexplained, shifts @ normals.T), np.hypot(*shifts.T)


def _unmoved(image: Image, view: TopView, places: FloatArray, rounded_mm: float) -> Floats:
    """What each ray leaves unexplained where pucks are said to be. -> (N, RAYS)"""
    paint = interior_colours(image, view, places)
    unexplained = _unexplained(image, view, places, paint, all_around(RAYS), _templates_for(view), rounded_mm)
    return _at(unexplained, np.zeros(unexplained.shape[:2]))


def _at(unexplained: Floats, edges_mm: FloatArray) -> Floats:
    """(N, RAYS, E), what is left unexplained of each ray, where (N, RAYS) say that the edge is. -> (N, RAYS)"""
    edges = np.clip(np.rint((edges_mm + EDGE_MM) / EDGE_STEP_MM).astype(int), 0, unexplained.shape[2] - 1)
    return np.asarray(np.take_along_axis(unexplained, edges[..., None], axis=2)[..., 0])


def _templates_for(view: TopView) -> _Templates:
    return _templates(round(BLUR_PX / view.frame_scale / BLUR_GRID_MM))


@lru_cache(4)
def _templates(blur: int) -> _Templates:
    """blur: in BLUR_GRID_MM"""
    edges = np.arange(-EDGE_MM, EDGE_MM + EDGE_STEP_MM / 2, EDGE_STEP_MM)
    along = np.arange(-INSIDE_MM, BEYOND_MM + SIDE_MOST_MM + STEP_MM / 2, STEP_MM)
    tied = np.array([NOISE / TOP_SPREAD, NOISE / SIDE_SPREAD, GROUND_TIED])
    paint, ground, seen = [], [], []
    for width in np.arange(0.0, SIDE_MOST_MM + SIDE_STEP_MM / 2, SIDE_STEP_MM):
        there = along <= BEYOND_MM + width + 1e-9
        past_top, past_side = (_risen((along - edges[:, None] - w) / (blur * BLUR_GRID_MM)) for w in (0.0, width))
        shown = np.stack([1 - past_top, past_top - past_side, past_side], axis=-1) * there[:, None]
        rows = np.concatenate([shown, np.broadcast_to(np.diag(tied), (len(edges), 3, 3))], axis=1)
        paint.append(np.linalg.qr(rows)[0].transpose(1, 0, 2).reshape(len(along) + 3, -1))
        bare = shown[..., 2]
        ground.append((bare / np.sqrt((bare**2).sum(axis=1, keepdims=True) + GROUND_TIED**2)).T)
        seen.append(there)
    arrays = (along, edges, paint, ground, tied * (1.0, SIDE_SHADE, 0.0), seen)
    return _Templates(*(np.asarray(a, dtype=np.float32) for a in arrays))


def _risen(x: FloatArray) -> FloatArray:
    """How far a blurred step has risen so many standard deviations beyond its middle: the normal distribution."""
    return np.interp(x, *_normal())


@lru_cache(1)
def _normal() -> tuple[FloatArray, FloatArray]:
    """The normal distribution, from 6 standard deviations below its middle to 6 above it. -> (N,), (N,)"""
    grid = np.linspace(-6.0, 6.0, 1201)
    return grid, np.array([0.5 * (1.0 + math.erf(g / math.sqrt(2.0))) for g in grid])


def _unexplained(image: Image, view: TopView, places: FloatArray, paint: FloatArray, normals: FloatArray,
                 templates: _Templates, rounded_mm: float) -> Floats:  # fmt: skip
    """What each ray of each puck leaves unexplained, for each place of its edge. -> (N, RAYS, E)

    The mean square over the ray, against the square of the paint's brightness.
    """
    widths = np.rint((_side_widths(view, places, normals) + rounded_mm) / SIDE_STEP_MM).astype(int)
    widths = np.minimum(widths, len(templates.seen) - 1)
    most = int(templates.seen[widths.max()].sum())
    along = templates.along[:most]
    radius, height = view.board.puck.radius_mm - rounded_mm, view.board.puck.height_mm
    points = places[:, None, None] + normals[:, None] * (radius + along)[:, None]
    tones = (_sample(image, view, points, height) @ _paint_axes(paint)).astype(np.float32)
    tones *= templates.seen[widths][..., :most, None]
    left = np.square(tones).sum(axis=(2, 3)) + np.square(templates.prior).sum()
    costs = np.empty((*widths.shape, len(templates.edges)), np.float32)
    for width in np.unique(widths):
        rays = widths == width
        n, own = int(templates.seen[width].sum()), tones[rays]
        explained = own[:, :n, 0] @ templates.paint[width, :n] + templates.prior @ templates.paint[width, -3:]
        costs[rays] = left[rays, None] - np.square(explained).reshape(len(own), -1, 3).sum(axis=2)
        for axis in (1, 2):
            costs[rays] -= np.square(own[:, :n, axis] @ templates.ground[width, :n])
    return np.asarray(np.maximum(costs, 0.0) / (3 * templates.seen.sum(axis=1)[widths])[..., None], dtype=np.float32)


def _odd(costs: Floats) -> Floats:
    """The same against what is fair, however large, so that no ray decides: 0 where it fits best, up to 1."""
    fair = np.maximum(np.quantile(costs.min(axis=2), FAIR_SHARE, axis=1), FAIR_MIN)
    odd = costs / (costs + ODD * fair[:, None, None])
    return np.asarray(odd - odd.min(axis=2, keepdims=True), dtype=np.float32)


def _side_widths(view: TopView, places: FloatArray, normals: FloatArray) -> FloatArray:
    """How wide a puck's side shows along each ray, in mm at the height of its top. -> (N, RAYS)"""
    foot = view.foot_shift_mm(places)
    towards = foot @ normals.T
    reach = view.board.puck.radius_mm**2 - np.square(foot).sum(axis=1)[:, None] + towards**2
    return np.asarray(np.maximum(towards + np.sqrt(np.maximum(reach, 0.0)) - view.board.puck.radius_mm, 0.0))


def _paint_axes(paint: FloatArray) -> FloatArray:
    """Axes of colour, the first along each paint and as long as to make it 1. paint: (N, 3) -> (N, 1, 3, 3)"""
    bright = np.maximum(np.linalg.norm(paint, axis=1), DARKEST)
    axes: Any = np.linalg.svd(np.maximum(paint, 1.0)[:, None])[2]
    axes[axes[:, 0].sum(axis=1) < 0] *= -1.0
    return np.asarray(axes.transpose(0, 2, 1) / bright[:, None, None])[:, None]


@lru_cache(1)
def _searched() -> list[FloatArray]:
    """The shifts that are tried around a place, in each search. -> (N, 2) mm each"""
    ticks = (np.arange(-span, span + step / 2, step) for span, step in SEARCHES_MM)
    return [np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2) for along in ticks]


def _best_shifts(costs: Floats, normals: FloatArray) -> FloatArray:
    """The shift of each circle with which its rays fit best together. costs: (N, RAYS, E) -> (N, 2) mm"""
    best, flat = np.zeros((len(costs), 2)), costs.ravel()
    first = np.arange(len(costs) * len(normals)).reshape(len(costs), 1, len(normals)) * costs.shape[2]  # of each ray
    for around in _searched():
        shifts = best[:, None] + around
        at = ((shifts @ normals.T + EDGE_MM) / EDGE_STEP_MM).astype(np.float32)
        low = at.astype(int)
        np.clip(low, 0, costs.shape[2] - 2, out=low)
        at -= low.astype(np.float32)
        np.clip(at, 0.0, 1.0, out=at)
        low += first
        below = flat.take(low)  # quicker than to index with it
        low += 1
        ill = flat.take(low)
        ill -= below
        ill *= at
        ill += below
        ill = ill.sum(axis=2)
        best = shifts[np.arange(len(costs)), ill.argmin(axis=1)]
    return best


def _sample(image: Image, view: TopView, points_mm: FloatArray, height_mm: float) -> FloatArray:
    """Colours at places of the board, at a height above it. points_mm: (N, R, n, 2) -> (N, R, n, 3)"""
    flat = points_mm.reshape(-1, 2)
    pixels = view.pose.image_from_board(np.column_stack([flat, np.full(len(flat), height_mm)])).astype(np.float32)
    maps = pixels.reshape(len(points_mm), -1, 2)
    out = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, dtype=np.float64).reshape(*points_mm.shape[:-1], 3)
