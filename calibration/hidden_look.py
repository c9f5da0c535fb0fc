"""Which part of a board is hidden by something that lies on it or reaches over it: a lamp's arm, a box, a sleeve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.medians import sigma_by_medians
from calibration.pose import Pose

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

MM_A_PX = 3.0  # scale of the picture from above in which is looked: a puck is nine pixels wide
KEPT = 8  # frames of a film that are kept at most
FITTED = 2500  # places from which the surface's colour is taken
DARK_LEVELS = 6.0  # added to gray levels before their ratios are taken: in the dark noise has no colour
LEAST_PLACES = 100  # of a part of the board: fewer tell nothing of its colour
KEPT_SIGMAS = 4.0  # by which a place may be off the middle colour to be fitted at first …
LEAST_SIGMA = 0.01  # … and later by FIT_SIGMAS times this at least: noise is never less
FIT_ROUNDS = 6  # fits of the surface's colour, each without what the one before left out
# the surface's colour is what most places agree in, as the light falls over the board; others are left out
FIT_SIGMAS = 2.5
# what differs by less than so many standard deviations of the surface's own colour is no other, however even it is
COLOUR_SIGMAS = 4.0
# ratio of channels (natural logarithm) by which a place is of another colour: shadows and lamps change it less
LEAST_COLOUR = 0.22
# the same of brightness: 2.5 times darker or brighter is no shadow on a board that is lit for a camera
LEAST_LIGHT = 0.9
MOST_SIGMA = 0.16  # where the surface or the rim itself varies more than this, nothing can be told by colour
BARE_SHARE = 0.62  # part of the bare surface that must be of one colour; else it is of many, and nothing can be told
CLEAR_MM = 6.0  # zones and walls are left out with this much around them: they are painted, and stand higher
# what is hidden is wider than this radius, in puck diameters: pucks and reefs, alone or together, are not
OPEN_PUCKS = 0.62
OPEN_REEFS = 0.75  # the same in widths of a reef
LEAST_PUCKS = 5.0  # smallest thing on the surface that is told, in areas of a puck
RIM_RUN_MM = 14.0  # smallest width of what reaches in over the rim
RIM_DEPTH = 0.7  # it covers so much of the rim's width where it does
INNER_MM = 14.0  # …and goes on over the surface by as much: what lies on the rim alone hides no play
# a thing is of one colour, to these differences of logarithms, where it goes on over painted zones
OWN_LIGHT, OWN_COLOUR = 0.35, 0.15
EDGE_MM = 5.0  # at its edges the rim has shadow and a bevel …
RIM_EDGES = 4.0  # … and one that is no wider than so many of these shows nothing else
BRIDGE_EDGES = 2.5  # times EDGE_MM: so far over the edge what reaches in is found again
THICK = 0.6  # times RIM_RUN_MM: what is thinner is a line, not a part of what reaches in
MARKER_SIDES = 0.75  # from a marker's middle: so far its paper hides the rim
SCALE_MM = 100.0  # in the board's middle, by which is told how many pixels a millimetre has


@dataclass(frozen=True, slots=True)
class Hidden:
    """What of the surface is hidden: places_mm (N, 2), a place for every MM_A_PX² of it; known: False where unknown."""

    places_mm: FloatArray
    share: float
    known: bool = True


class Kept:
    """A few frames of a film, spread over all of it: what they agree in did not move, as a hand does."""

    def __init__(self, still: list[Image]) -> None:
        self._frames: list[Image] = list(still[:1])
        self._every = 1

    def through(self, film: Iterable[Image]) -> Iterator[Image]:
        """The film's frames as they come; some are kept."""
        for number, image in enumerate(film):
            if number % self._every == 0:
                self._frames.append(image)
                if len(self._frames) > KEPT:
                    self._frames, self._every = self._frames[::2], self._every * 2
            yield image

    def still_image(self) -> Image:
        """(H, W, 3) the median of those that were kept."""
        shown = [cv2.cvtColor(f, cv2.COLOR_GRAY2BGR) if f.ndim == 2 else f for f in self._frames]
        same = [f for f in shown if f.shape == shown[0].shape]
        return np.asarray(np.median(np.stack(same), axis=0), dtype=np.uint8)


def look_for_hidden(image: Image, board: Board, pose: Pose) -> Hidden:
    """Looks for large things in the picture that are not the board's.

    image: (H, W, 3) BGR, in which nothing moves: of a film the median. What is painted as the surface is, or lies
    within a zone, is not seen; on a surface of many colours nothing is.
    """
    edge = board.rim.width_mm if board.rim is not None else 0.0
    flat, places = _from_above(image, pose, board, edge)
    surface, rim, bare = _masks(board, places, edge)
    seen = flat[..., 0] > -np.inf
    other, known = _other(flat, places, bare & seen)
    if not known:
        return Hidden(np.empty((0, 2)), 0.0, False)
    pieces = _lying(other & bare, board)
    if board.rim is not None and edge > RIM_EDGES * EDGE_MM:
        other_rim, rim_known = _other(flat, places, rim & seen)
        if rim_known:
            pieces |= _reaching(flat, other_rim & rim, other & bare, places, board, edge)
    hidden = pieces & surface
    return Hidden(places[hidden], float(hidden.sum() / surface.sum()))


def _from_above(image: Image, pose: Pose, board: Board, edge_mm: float) -> tuple[FloatArray, FloatArray]:
    """(H, W, 3) of the surface and rim: logarithms of light, and of red and blue against green; and (H, W, 2) places.

    What lies outside the picture is -inf. The rim is seen at its own height.
    """
    (w, h), step = board.size, MM_A_PX
    xs, ys = np.arange(-edge_mm + step / 2, w + edge_mm, step), np.arange(-edge_mm + step / 2, h + edge_mm, step)
    places = np.stack(np.meshgrid(xs, ys), axis=-1)
    x, y = places[..., 0], places[..., 1]
    on_rim = (x < 0) | (y < 0) | (x > w) | (y > h)
    height = np.where(on_rim, board.rim.height_mm if board.rim is not None else 0.0, 0.0)
    points = np.column_stack([x.ravel(), y.ravel(), height.ravel()])
    at = pose.image_from_board(points).reshape(*x.shape, 2).astype(np.float32)
    smooth = cv2.GaussianBlur(image, (0, 0), max(_px_a_mm(pose, board) * step / 2, 0.5))
    shown = cv2.remap(smooth, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    blue, green, red = np.log(np.moveaxis(shown.astype(np.float64), -1, 0) + DARK_LEVELS)
    flat = np.dstack([(blue + green + red) / 3, red - green, blue - green])
    outside = (at < 0).any(-1) | (at > np.array(pose.lens.image_size) - 1).any(-1)
    flat[outside] = -np.inf
    return flat, places


def _px_a_mm(pose: Pose, board: Board) -> float:
    w, h = board.size
    ends = pose.image_from_board(np.array([[w / 2 - SCALE_MM / 2, h / 2, 0.0], [w / 2 + SCALE_MM / 2, h / 2, 0.0]]))
    return float(np.linalg.norm(ends[1] - ends[0]) / SCALE_MM)


def _masks(board: Board, places: FloatArray, edge_mm: float) -> tuple[Mask, Mask, Mask]:
    """Where the surface is, where the rim is bare of markers, and where the surface is bare of what is painted."""
    (w, h), (x, y) = board.size, np.moveaxis(places, -1, 0)
    surface = (x > 0) & (y > 0) & (x < w) & (y < h)
    inside = (x > EDGE_MM) & (y > EDGE_MM) & (x < w - EDGE_MM) & (y < h - EDGE_MM)
    painted = np.zeros(x.shape, dtype=np.uint8)
    for zone in board.zones:
        if zone.kind != "no_reef":
            _fill(painted, zone.circle, zone.polygon, edge_mm)
    for gate in board.gates:
        _fill(painted, gate.circle, None, edge_mm)
    for thing in board.obstacles:
        _fill(painted, None, thing.polygon, edge_mm)
    reach = max([CLEAR_MM, *(o.height_mm / 2 for o in board.obstacles)])
    size = 2 * round(reach / MM_A_PX) + 1
    painted = np.asarray(
        cv2.dilate(painted, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))), dtype=np.uint8
    )
    rim = ~surface & (x > EDGE_MM - edge_mm) & (y > EDGE_MM - edge_mm)
    for marker in board.markers:
        half = MARKER_SIDES * marker.size_mm
        rim &= (abs(x - marker.centre[0]) > half) | (abs(y - marker.centre[1]) > half)
    return surface, rim, inside & (painted == 0)


def _fill(mask: Image, circle: tuple[float, ...] | None, polygon: object, edge_mm: float) -> None:
    if circle is not None:
        turn = np.linspace(0, 2 * np.pi, 60)
        points = np.column_stack([circle[0] + circle[2] * np.cos(turn), circle[1] + circle[2] * np.sin(turn)])
    else:
        points = np.array(polygon, dtype=np.float64)
    cv2.fillPoly(mask, [np.round((points + edge_mm) / MM_A_PX - 0.5).astype(np.int32)], (1,))


def _other(flat: FloatArray, places: FloatArray, of: Mask) -> tuple[Mask, bool]:
    """Where the colour is another than most of a part's, whose light and colour change smoothly over the board."""
    if of.sum() < LEAST_PLACES:
        return np.zeros(of.shape, dtype=bool), False
    span = np.ptp(places.reshape(-1, 2), axis=0)
    u, v = np.moveaxis((places - places.reshape(-1, 2).mean(0)) / span, -1, 0)
    terms = np.stack([np.ones_like(u), u, v, u * u, u * v, v * v], axis=-1)
    far = np.zeros(of.shape, dtype=bool)
    share = 1.0
    for channel, least in ((0, LEAST_LIGHT), (1, LEAST_COLOUR), (2, LEAST_COLOUR)):
        value = np.where(of, flat[..., channel], 0.0)
        x, y = terms[of][:: max(of.sum() // FITTED, 1)], value[of][:: max(of.sum() // FITTED, 1)]
        keep = np.abs(y - np.median(y)) < KEPT_SIGMAS * sigma_by_medians(y)
        for _ in range(FIT_ROUNDS):
            slope = np.linalg.lstsq(x[keep], y[keep], rcond=None)[0]
            off = y - x @ slope
            sigma = float(sigma_by_medians(off))
            keep = np.abs(off) < FIT_SIGMAS * max(sigma, LEAST_SIGMA)
        if channel and sigma > MOST_SIGMA:
            return far, False
        share = min(share, float((np.abs(off) < max(COLOUR_SIGMAS * sigma, least)).mean()))
        whole = np.abs(flat[..., channel] - terms @ slope)
        far |= whole > max(COLOUR_SIGMAS * sigma, least)
    return far & of, share > BARE_SHARE


def _lying(other: Mask, board: Board) -> Mask:
    """Things that are larger than pucks and reefs are."""
    return _large(_opened(other, board), LEAST_PUCKS * board.puck.radius_mm**2 * np.pi)


def _opened(other: Mask, board: Board) -> Mask:
    reach = max(
        board.puck.diameter_mm * OPEN_PUCKS, board.reef.width_mm * OPEN_REEFS if board.reef is not None else 0.0
    )
    size = 2 * round(reach / MM_A_PX) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    closed = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel) > 0)


def _large(mask: Mask, least_mm2: float) -> Mask:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    large = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] * MM_A_PX**2 >= least_mm2]
    return np.isin(labels, large)


def _reaching(
    flat: FloatArray, on_rim: Mask, on_surface: Mask, places: FloatArray, board: Board, edge_mm: float
) -> Mask:
    """Things that cross the rim and go on over the surface: in another colour than it, or in their own over zones."""
    (w, h), (x, y) = board.size, np.moveaxis(places, -1, 0)
    out = np.maximum.reduce([-x, -y, x - w, y - h])
    depth = edge_mm - 2 * EDGE_MM
    found = np.zeros(on_rim.shape, dtype=bool)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(on_rim.astype(np.uint8), connectivity=8)
    for n in np.flatnonzero(stats[:, cv2.CC_STAT_AREA] * MM_A_PX**2 >= RIM_RUN_MM * RIM_DEPTH * depth)[1:]:
        piece = labels == n
        across = float(np.ptp(out[piece])) + MM_A_PX
        if across < RIM_DEPTH * depth or float(piece.sum()) * MM_A_PX**2 / across < RIM_RUN_MM:
            continue
        own = np.abs(flat - np.median(flat[piece], axis=0))
        alike = (own[..., 0] < OWN_LIGHT) & (own[..., 1:] < OWN_COLOUR).all(-1) & (out < 0)
        for over in (on_surface, alike):
            found |= _joined(over, piece, -out)
    return found


def _joined(over: Mask, piece: Mask, inward_mm: FloatArray) -> Mask:
    """What of a mask is as thick as a thing that reaches in, joins a piece of the rim, and goes on inwards."""
    bridge = 2 * round(BRIDGE_EDGES * EDGE_MM / MM_A_PX) + 1
    near = cv2.dilate(piece.astype(np.uint8), np.ones((bridge, bridge), np.uint8)) > 0
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(RIM_RUN_MM * THICK / MM_A_PX),) * 2)
    thick = cv2.morphologyEx(over.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    _, labels, _, _ = cv2.connectedComponentsWithStats(thick, connectivity=8)
    joined = [labels == n for n in set(labels[near & (thick > 0)].tolist())]
    deep = [one for one in joined if float(inward_mm[one].max()) >= INNER_MM]
    return np.asarray(np.logical_or.reduce(deep)) if deep else np.zeros(over.shape, dtype=bool)
