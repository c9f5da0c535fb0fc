"""Long straight lines of a picture, lens taken out, and the four-sided shapes they make: where a board may be."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

SMOOTH_PX = 1.2  # before edges are taken: grain of table and sensor goes, the edge of a board stays
EDGE_SHARE = 0.08  # part of the picture that is taken for edge: the steepest
LEAST_STEEP = 12.0  # grey levels by Sobel's weights: what is less steep is no edge of any picture …
FOLLOWED = 0.6  # … and an edge is followed from where it is steep to where it has this part of that
STRAIGHTENED = 1.2  # times half the picture's diagonal: a lens that is straightened takes corners so far out
ANGLES = 720  # directions that are told apart, over half a turn
VOTE_TURNS = 4  # an edge votes for this many directions to either side of its own: noise turns it
APART_PX = 1.5  # width of the strips in which a direction's edges are counted
LEAST_PART = 0.1  # a line's edges make up at least this part of the picture's height
WEAK = 0.3  # part of that from which a line is followed: noise and lens spread its votes
NEW_PART = 0.4  # part of a line's edges that no better line has taken
PEAKS = 350  # directions and distances that are tried: many are given up, as a better line has taken their edges
MOST_LINES = 44  # directions and distances that are tried, and lines that are kept: a table of planks has many
REACH_PX = 1.8  # edges this near to a line, and in its direction, belong to it
FITS = 5  # each fit takes in more of the line than the one before
ALONG_DEG = 6.0  # an edge whose direction differs by more from a line near to it belongs to another
CONVERGING_DEG = 32.0  # opposite sides of a board differ by at most this in direction, however the camera leans
CROSSING_DEG = 50.0  # sides that meet differ by at least this
LEAST_SIDE = 0.25  # the sides of a board are at least so long, in the picture's height
# how far from the picture's middle a corner may lie, in its width or height: a little outside, where it is cut off
OUTSIDE = 0.62
BIN_PX = 4.0  # lines are covered by edges, or not, in steps of this length
COVERED = 0.4  # part of each side that must be edge: hands, pucks and reflections hide some
WORST_WEIGHT = 0.15  # so much more than its part of the mean the least covered side counts
MOST_SHAPES = 400  # the best covered shapes, of which no more are kept
ALIKE_PX = 5.0  # shapes whose corners lie nearer than this are one


@dataclass(frozen=True, slots=True)
class Shapes:
    """Four-sided shapes, the best covered first.

    corners: (N, 4, 2) straightened pixels, clockwise; share: (N,) 0 to 1, the part of the sides that is edge.
    """

    corners: FloatArray
    share: FloatArray


def find_shapes(image: Image, lens: Lens) -> Shapes:
    """Four-sided shapes made of long lines in a picture (H, W) or (H, W, 3).

    The corners are pixels of a camera without distortion that has the lens's matrix: straight lines are straight.
    """
    points, normals = _edge_points(image, lens)
    h, w = image.shape[:2]
    lines, cover = _lines(points, normals, (w, h))
    return _shapes(lines, cover, (w, h))


def _edge_points(image: Image, lens: Lens) -> tuple[FloatArray, FloatArray]:
    """(N, 2) straightened pixels of the picture's edges, and (N, 2) the direction across each."""
    smooth = cv2.GaussianBlur(image, (0, 0), SMOOTH_PX).reshape(*image.shape[:2], -1)
    dx, dy = (cv2.Sobel(smooth, cv2.CV_16S, *d, ksize=3).reshape(smooth.shape) for d in ((1, 0), (0, 1)))
    strongest = (np.abs(dx) + np.abs(dy)).argmax(2)[..., None]
    dx, dy = (np.ascontiguousarray(np.take_along_axis(d, strongest, 2)[..., 0]) for d in (dx, dy))
    steep = np.hypot(dx.astype(np.float32), dy.astype(np.float32))
    high = max(float(np.percentile(steep, 100 * (1 - EDGE_SHARE))), LEAST_STEEP)
    edges = cv2.Canny(dx, dy, high * FOLLOWED, high, L2gradient=True)
    ys, xs = np.nonzero(edges)
    across = np.column_stack([dx[ys, xs], dy[ys, xs]]).astype(np.float64)
    across /= np.linalg.norm(across, axis=1, keepdims=True) + 1e-9
    here = np.column_stack([xs, ys]).astype(np.float64)
    along = np.column_stack([-across[:, 1], across[:, 0]])
    straight, ahead = (_straightened(p, lens) for p in (here, here + along))
    step = ahead - straight
    normals = np.column_stack([step[:, 1], -step[:, 0]])
    return straight, normals / (np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9)


def _straightened(points: FloatArray, lens: Lens) -> FloatArray:
    if not len(points) or not lens.bends:
        return points
    straight = cv2.undistortPoints(points.reshape(-1, 1, 2), lens.camera_matrix, lens.distortion, P=lens.camera_matrix)
    return np.asarray(straight, dtype=np.float64).reshape(-1, 2)


def _lines(points: FloatArray, normals: FloatArray, size: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    """(N, 3) lines (nx, ny, d) with nx x + ny y = d, and (N, bins) the number of covered bins along each up to there.

    Source: Duda and Hart 1972 (the Hough transform), each edge voting only for its own direction.
    """
    height, middle, reach = size[1], np.array(size) / 2, _reach(size)
    centred = points - middle
    votes = _votes(centred, normals, reach)
    found: list[FloatArray] = []
    covers: list[FloatArray] = []
    ends = int(2 * reach / BIN_PX) + 1
    left = np.ones(len(points), dtype=bool)
    for _ in range(PEAKS):
        column, row = divmod(int(votes.argmax()), votes.shape[1])
        if votes[column, row] < WEAK * LEAST_PART * height or len(found) == MOST_LINES:
            break
        theta = column * np.pi / ANGLES
        line = np.array([np.cos(theta), np.sin(theta), (row + 0.5) * APART_PX - reach])
        _forget(votes, column, row)
        line, own = _followed(centred, normals, line, WEAK * LEAST_PART * height)
        if own.sum() < LEAST_PART * height or (own & left).sum() < NEW_PART * own.sum():
            continue
        left &= ~own
        at = ((centred[own] @ [-line[1], line[0]] + reach) / BIN_PX).astype(int)
        covers.append(np.cumsum(np.bincount(np.clip(at, 0, ends - 1), minlength=ends) > 0).astype(np.float64))
        found.append(line + [0, 0, line[:2] @ middle])
    return np.array(found).reshape(-1, 3), np.array(covers).reshape(len(found), ends)


def _reach(size: tuple[int, int]) -> float:
    """How far from the picture's middle lines are looked for, with some room for what the lens straightens outwards."""
    return float(np.hypot(*size)) / 2 * STRAIGHTENED


def _votes(centred: FloatArray, normals: FloatArray, reach: float) -> NDArray[np.float32]:
    """(ANGLES, rows) how many edges lie on each line, by direction and distance from the picture's middle."""
    angle = np.arctan2(normals[:, 1], normals[:, 0]) % np.pi
    rows = int(2 * reach / APART_PX) + 1
    votes = np.zeros((ANGLES, rows))
    for turn in range(-VOTE_TURNS, VOTE_TURNS + 1):
        columns = np.round(angle / np.pi * ANGLES + turn).astype(int)
        theta = columns * np.pi / ANGLES
        far = centred[:, 0] * np.cos(theta) + centred[:, 1] * np.sin(theta)
        far = np.where((columns // ANGLES) % 2 == 0, far, -far)
        row = np.clip(((far + reach) / APART_PX).astype(int), 0, rows - 1)
        weight = 1 - abs(turn) / (VOTE_TURNS + 1)
        cells = np.bincount((columns % ANGLES) * rows + row, minlength=votes.size)
        votes += weight * cells.reshape(votes.shape)
    return np.asarray(cv2.GaussianBlur(votes.astype(np.float32), (0, 0), 1.0), dtype=np.float32)


def _followed(
    centred: FloatArray, normals: FloatArray, line: FloatArray, least: float
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """A line fitted to the edges near it again and again, and which edges (N,) are its own in the end."""
    own = np.zeros(len(centred), dtype=bool)
    for _ in range(FITS):
        off = centred @ line[:2] - line[2]
        own = (np.abs(off) < REACH_PX) & (np.abs(normals @ line[:2]) > np.cos(np.radians(ALONG_DEG)))
        if own.sum() < least:
            break
        line = _through(centred[own], line)
    return line, own


def _forget(votes: NDArray[np.float32], column: int, row: int) -> None:
    """Takes a line's votes out, so that the next best is another line."""
    for turn in range(-4, 5):
        c = column + turn
        r = row if 0 <= c < ANGLES else votes.shape[1] - 1 - row
        votes[c % ANGLES, max(r - 2, 0) : r + 3] = 0


def _through(points: FloatArray, line: FloatArray) -> FloatArray:
    """The line through points by least squares, its normal on the same side."""
    middle = points.mean(0)
    normal = np.linalg.svd(points - middle, full_matrices=False)[2][1]
    if normal @ line[:2] < 0:
        normal = -normal
    return np.array([*normal, normal @ middle])


def _shapes(lines: FloatArray, cover: FloatArray, size: tuple[int, int]) -> Shapes:
    """Two pairs of lines that run side by side, and cross: shapes whose sides are covered by edges."""
    w, h = size
    none = Shapes(np.empty((0, 4, 2)), np.empty(0))
    theta = np.arctan2(lines[:, 1], lines[:, 0]) % np.pi
    pairs = [(i, j) for i, j in combinations(range(len(lines)), 2)
             if _turned(theta[i], theta[j]) < np.radians(CONVERGING_DEG)
             and _between(lines[i], lines[j], size) > LEAST_SIDE * h]  # fmt: skip
    sides = np.array([(*p, *q) for p, q in combinations(pairs, 2)
                      if _turned(theta[p[0]], theta[q[0]]) > np.radians(CROSSING_DEG)
                      and _turned(theta[p[1]], theta[q[1]]) > np.radians(CROSSING_DEG)])  # fmt: skip
    if not len(sides):
        return none
    a, b, c, d = (lines[sides[:, i]] for i in range(4))
    corners = np.stack([_meeting(a, c), _meeting(c, b), _meeting(b, d), _meeting(d, a)], axis=1)
    order = np.stack([sides[:, 2], sides[:, 1], sides[:, 3], sides[:, 0]], axis=1)  # the line from each to the next
    clockwise = _area(corners) > 0
    corners = np.where(clockwise[:, None, None], corners, corners[:, ::-1])
    order = np.where(clockwise[:, None], order, np.roll(order[:, ::-1], -1, axis=1))
    away = np.abs(corners - (w / 2, h / 2)) / (w, h)
    keep = (
        np.isfinite(corners).all((1, 2))
        & (away < OUTSIDE).all((1, 2))
        & (np.abs(_area(corners)) > (LEAST_SIDE * h) ** 2)
    )
    corners, order = corners[keep], order[keep]
    shares = _covered(corners, order, lines, cover, size)
    keep = shares.min(1) > COVERED
    corners, shares = corners[keep], shares[keep]
    best = np.argsort(-shares.mean(1) - WORST_WEIGHT * shares.min(1))
    chosen: list[int] = []
    for n in best:
        if all(np.abs(corners[n] - corners[m]).max() > ALIKE_PX for m in chosen):
            chosen.append(int(n))
        if len(chosen) == MOST_SHAPES:
            break
    return Shapes(corners[chosen], shares[chosen].mean(1)) if chosen else none


def _turned(one: float, other: float) -> float:
    apart = abs(one - other)
    return min(apart, np.pi - apart)


def _between(one: FloatArray, other: FloatArray, size: tuple[int, int]) -> float:
    """How far two lines lie apart at the picture's middle."""
    middle = np.array([size[0] / 2, size[1] / 2])
    sign = 1.0 if one[:2] @ other[:2] > 0 else -1.0
    return float(abs((one[2] - one[:2] @ middle) - sign * (other[2] - other[:2] @ middle)))


def _meeting(one: FloatArray, other: FloatArray) -> FloatArray:
    """(N, 2) where lines (N, 3) meet."""
    det = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    det = np.where(np.abs(det) < 1e-6, np.nan, det)
    x = (one[:, 2] * other[:, 1] - one[:, 1] * other[:, 2]) / det
    y = (one[:, 0] * other[:, 2] - one[:, 2] * other[:, 0]) / det
    return np.column_stack([x, y])


def _area(corners: FloatArray) -> FloatArray:
    """(N,) signed areas of (N, 4, 2), positive clockwise in the picture."""
    one, two = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return np.asarray((one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2)


def _covered(
    corners: FloatArray, order: NDArray[np.int64], lines: FloatArray, cover: FloatArray, size: tuple[int, int]
) -> FloatArray:
    """(N, 4) the part of each side, as far as it lies in the picture, that is edge."""
    middle, reach = np.array(size) / 2, _reach(size)
    shares = np.zeros(order.shape)
    for side in range(4):
        line = lines[order[:, side]]
        ends = []
        for corner in (corners[:, side], corners[:, (side + 1) % 4]):
            inside = np.clip(corner, 0, np.array(size) - 1.0) - middle
            ends.append((inside[:, 1] * line[:, 0] - inside[:, 0] * line[:, 1] + reach) / BIN_PX)
        low, high = np.minimum(*ends), np.maximum(*ends)
        bins = np.clip(np.stack([low, high]), 0, cover.shape[1] - 1).astype(int)
        count = cover[order[:, side], bins[1]] - cover[order[:, side], bins[0]]
        shares[:, side] = np.minimum(count / np.maximum(high - low, 1), 1)
    return shares
