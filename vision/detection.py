"""Pucks at rest: circles of known radius found by their edges, placed to a fraction of a pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.medians import median_colour
from vision.differencing import percentile
from vision.frames import Image
from vision.view import TopView, all_around

FloatArray = NDArray[np.float64]

EDGE_MIN = 9.0  # grey levels a pixel: weaker gradients are texture and noise
RAYS = 72  # rays around a puck on which its edge is looked for
REACH_MM = 3.5  # the edge is looked for this far inside and outside of where it should be
STEP_PX = 0.5  # distance of samples along a ray, pixels of the frame
VOTES_PX = 1.5  # standard deviation over which votes are gathered: centres are told to about a pixel
CLEAR_EDGE = 4.0  # times the least edge that counts: what is as strong counts wholly
NEARER = 0.6  # of REACH_MM, a standard deviation: of two edges the one nearer to where it should be is taken
FLAT = 1e-6  # an edge whose strength bends less than this has no peak between its samples
HUBER_MM = 0.6  # an edge point further off than this is somebody else's edge
ITERATIONS = 5  # steps of each centre, the edges looked for anew after each …
STEP_MOST_MM = 2.0  # … no further than this along x or y: so far are places off at first
ROUNDS = 6  # of weighing a circle's edges anew
DRIFTED = 0.15  # a circle that shows so much less of an outline than it did where it was has gone to another's edges
LEAST_WEIGHT = 1e-6  # keeps a circle without any edge where it is
LIT = 100.0  # grey levels of a picture's brightest parts: one that is darker shows edges less, in proportion …
BRIGHTEST = 95.0  # percentile
DIM = 0.5  # … but no edge fainter than this share of the levels above is told from noise
NEAR_MM = 1.5  # an edge that lies no further from where the outline should be is the outline's


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle of a puck's size: place of its footprint, mm; share of its outline that shows; (3,) BGR inside."""

    x_mm: float
    y_mm: float
    support: float
    colour: tuple[float, float, float]


def edge_votes(top: Image, radius_px: float, least: float = EDGE_MIN / 2) -> NDArray[np.float32]:
    """Votes of edge pixels for circle centres at a known radius, as a share of the circumference.

    top: (h, w, 3) rectified picture; least: grey levels a pixel that make an edge -> (h, w). Source: fast radial
    symmetry (Loy and Zelinsky 2003), one radius.
    """
    squared, gx, gy = _steepest(np.asarray(cv2.GaussianBlur(top, (0, 0), 1.0)))
    h, w = top.shape[:2]
    edges = np.flatnonzero(squared > least**2)
    rows, columns = np.divmod(edges.astype(np.int32), np.int32(w))
    far = np.float32(radius_px) / np.sqrt(squared.reshape(-1)[edges])
    dx, dy = (np.rint(along.reshape(-1)[edges] * far).astype(np.int32) for along in (gx, gy))
    votes = np.zeros(h * w, np.intp)
    for x, y in ((columns - dx, rows - dy), (columns + dx, rows + dy)):
        inside = (x.view(np.uint32) < w) & (y.view(np.uint32) < h)  # what lies below 0 is far above, unsigned
        votes += np.bincount((y * np.int32(w) + x)[inside], minlength=h * w)
    density = cv2.GaussianBlur(votes.reshape(h, w).astype(np.float32), (0, 0), VOTES_PX)
    # a full circle, two pixels wide, whose votes fall into one blurred peak
    full = 2 * np.pi * radius_px * 2.0 / (2 * np.pi * VOTES_PX**2 + 2 * np.pi)
    return np.asarray(density / full, dtype=np.float32)


def _steepest(smooth: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """The gradient of the colour that changes most at each pixel: its square, and it along x and y. -> (h, w) each"""
    planes = cv2.split(smooth)
    steepest = _gradient(np.asarray(planes[0]))
    for plane in planes[1:]:
        gradient = _gradient(np.asarray(plane))
        steeper = cv2.compare(gradient[0], steepest[0], cv2.CMP_GT)
        for mine, its in zip(steepest, gradient, strict=True):
            cv2.copyTo(its, steeper, mine)
    return steepest


def _gradient(plane: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    gx, gy = cv2.Sobel(plane, cv2.CV_32F, 1, 0, scale=0.25), cv2.Sobel(plane, cv2.CV_32F, 0, 1, scale=0.25)
    return np.asarray(gx * gx + gy * gy), np.asarray(gx), np.asarray(gy)


def peaks(votes: NDArray[np.float32], least: float, apart_px: float) -> FloatArray:
    """Places of local maxima, strongest first, at least apart_px from each other. -> (N, 2) x, y."""
    size = int(apart_px) | 1
    highest = cv2.dilate(votes, np.ones((size, size), np.uint8))
    rows, columns = np.nonzero((votes >= highest) & (votes > least))
    order = np.argsort(-votes[rows, columns])
    kept: list[tuple[int, int]] = []
    for i in order:
        x, y = int(columns[i]), int(rows[i])
        if all((x - a) ** 2 + (y - b) ** 2 >= apart_px**2 for a, b in kept):
            kept.append((x, y))
    return np.array(kept, dtype=np.float64).reshape(-1, 2)


def locate(image: Image, view: TopView, places_mm: FloatArray, edge_level: float = EDGE_MIN) -> list[Disc]:
    """Places each puck from its outline. image: the frame; places_mm: (N, 2) within about 2 mm of the truth;
    edge_level: grey levels a pixel, in good light, that make an edge.

    The outline is the top's edge on the far side of the camera, and the foot's edge on the near side; rays across it
    are sampled in the frame itself, and a circle of known radius is fitted with Huber weights.
    """
    places = np.array(places_mm, dtype=np.float64).reshape(-1, 2)
    if len(places) == 0:
        return []
    normals = all_around(RAYS)
    support = np.zeros(len(places))
    most, there = support.copy(), places.copy()
    least = edge_level * faintness(image)
    for _ in range(ITERATIONS):
        foot = view.foot_shift_mm(places)
        offset, strength = _edge_offsets(image, view, places, foot, normals)
        weight = np.where(strength > least, np.minimum(strength / (CLEAR_EDGE * least), 1.0), 0.0)
        weight[_hidden(view, places, foot, normals)] = 0.0
        step = _solve(offset, weight, normals)
        support = _support(offset, strength, least)
        better = support > most
        most[better], there[better] = support[better], places[better]
        places += step
    drifted = most > support + DRIFTED
    places[drifted], support[drifted] = there[drifted], most[drifted]
    return _with_colours(image, view, places, support)


def as_placed(image: Image, view: TopView, places_mm: FloatArray) -> list[Disc]:
    """Pucks where they are said to lie, and what of their outlines shows there. places_mm: (N, 2)"""
    places = np.array(places_mm, dtype=np.float64).reshape(-1, 2)
    if len(places) == 0:
        return []
    offset, strength = _edge_offsets(image, view, places, view.foot_shift_mm(places), all_around(RAYS))
    support = _support(offset, strength, EDGE_MIN * faintness(image))
    return _with_colours(image, view, places, support)


def _with_colours(image: Image, view: TopView, places: FloatArray, support: FloatArray) -> list[Disc]:
    """Circles at (N, 2) places in mm, with what shows of their outlines, (N,)."""
    colours = interior_colours(image, view, places)
    return [
        Disc(float(p[0]), float(p[1]), float(s), (float(c[0]), float(c[1]), float(c[2])))
        for p, s, c in zip(places, support, colours, strict=True)
    ]


def _support(offset: FloatArray, strength: FloatArray, least: float) -> FloatArray:
    """The share of each outline, (N, RAYS), where an edge shows that is strong enough and near enough. -> (N,)"""
    return np.asarray(((strength > least) & (np.abs(offset) < NEAR_MM)).mean(axis=1))


def faintness(image: Image) -> float:
    """By how much edges are fainter in a picture than in good light: 1 where its brightest parts are bright."""
    return min(max(percentile(image[::8, ::8], BRIGHTEST) / LIT, DIM), 1.0)


def _edge_offsets(
    image: Image, view: TopView, places: FloatArray, foot: FloatArray, normals: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Where along each ray the strongest edge lies, relative to the outline expected. -> (N, RAYS) mm, strength.

    foot: (N, 2) as of foot_shift_mm
    """
    radius, height = view.board.puck.radius_mm, view.board.puck.height_mm
    on_foot = _shows_foot(foot, normals)
    count = int(np.ceil(2 * REACH_MM * view.frame_scale / STEP_PX)) | 1
    along = np.linspace(-REACH_MM, REACH_MM, max(count, 9))
    points = places[:, None, None, :] + normals[None, :, None, :] * (radius + along)[None, None, :, None]
    heights = np.where(on_foot, 0.0, height)[:, :, None] * np.ones(len(along))
    flat = np.column_stack([points.reshape(-1, 2), heights.ravel()])
    pixels = view.pose.image_from_board(flat).astype(np.float32)
    shape = (len(places) * RAYS, len(along))
    map_x, map_y = pixels[:, 0].reshape(shape), pixels[:, 1].reshape(shape)
    samples = cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    slope = np.zeros_like(samples)
    slope[:, 1:-1] = samples[:, 2:] - samples[:, :-2]
    slope *= slope
    b, g, r = (slope[..., c] for c in range(3))  # numpy is a good deal slower along an axis of three
    energy = np.sqrt(b + g + r).reshape(len(places), RAYS, len(along))
    energy = energy * np.exp(-0.5 * (along / (REACH_MM * NEARER)) ** 2)
    best = energy[:, :, 1:-1].argmax(axis=2) + 1
    n, k = np.ogrid[: len(places), :RAYS]
    before, peak, after = energy[n, k, best - 1], energy[n, k, best], energy[n, k, best + 1]
    bend = before - 2 * peak + after
    fine = np.where(np.abs(bend) > FLAT, 0.5 * (before - after) / np.where(np.abs(bend) > FLAT, bend, 1), 0.0)
    spacing = along[1] - along[0]
    return along[best] + np.clip(fine, -1, 1) * spacing, peak


def _shows_foot(foot: FloatArray, normals: FloatArray) -> NDArray[np.bool_]:
    """The rays on the side towards the camera, where the foot's edge shows and not the top's. -> (N, RAYS)"""
    return np.asarray(foot @ normals.T > 0)


def _hidden(view: TopView, places: FloatArray, foot: FloatArray, normals: FloatArray) -> NDArray[np.bool_]:
    """The rays at whose end, of top or foot, the board itself stands before a puck's edge. -> (N, RAYS)"""
    seen_foot = _shows_foot(foot, normals)[..., None] * foot[:, None]
    return view.hidden(places[:, None] + normals * view.board.puck.radius_mm + seen_foot)


def _solve(offset: FloatArray, weight: FloatArray, normals: FloatArray) -> FloatArray:
    """One robust least-squares step of each centre. -> (N, 2) mm"""
    return np.clip(circle_shift(offset, weight, normals, HUBER_MM, ROUNDS), -STEP_MOST_MM, STEP_MOST_MM)


def circle_shift(
    offset: FloatArray, base: FloatArray, normals: FloatArray, huber_mm: float, rounds: int
) -> FloatArray:
    """Shifts of circles of known radius to edges that lie so far off along their rays, by Huber weights.

    offset: (N, R) mm; base: (N, R) weights; normals: (R, 2) directions of the rays. -> (N, 2) mm
    Source: iteratively reweighted least squares with Huber's weights (Huber 1964).
    """
    nx, ny = normals.T
    products = np.column_stack([nx * nx, nx * ny, ny * ny])
    step = np.zeros((len(offset), 2))
    for _ in range(rounds):
        residual = offset - step @ normals.T
        weight = base * np.minimum(1.0, huber_mm / np.maximum(np.abs(residual), 1e-9))
        xx, xy, yy = (weight @ products + (LEAST_WEIGHT, 0.0, LEAST_WEIGHT)).T
        x, y = ((weight * offset) @ normals).T
        step = np.array((yy * x - xy * y, xx * y - xy * x)).T / (xx * yy - xy * xy)[:, None]
    return step


def interior_colours(image: Image, view: TopView, places_mm: FloatArray, share: float = 0.8) -> FloatArray:
    """Median colour of each puck's top, as the frame shows it, but of what the board itself hides. -> (N, 3) BGR."""
    places = np.asarray(places_mm, dtype=np.float64).reshape(-1, 2)
    grid = np.stack(np.meshgrid(np.linspace(-1, 1, 15), np.linspace(-1, 1, 15)), axis=-1).reshape(-1, 2)
    grid = grid[(grid**2).sum(axis=1) <= 1] * view.board.puck.radius_mm * share
    points = (places[:, None, :] + grid[None]).reshape(-1, 2)
    pixels = view.pose.image_from_board(np.column_stack([points, np.full(len(points), view.board.puck.height_mm)]))
    maps = pixels.astype(np.float32).reshape(len(places), len(grid), 2)
    samples = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = samples.reshape(len(places), len(grid), 3)
    colours = median_colour(values.transpose(1, 0, 2).reshape(len(grid), -1)).reshape(-1, 3)
    hidden = view.hidden(points.reshape(len(places), len(grid), 2))
    for k in np.flatnonzero(hidden.any(axis=1)):
        colours[k] = median_colour(values[k, ~hidden[k]])
    return np.asarray(colours, dtype=np.float64)
