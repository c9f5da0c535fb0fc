"""Finds the loose reefs that players placed: blocks of a known size, wherever they lie and however they are turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Obstacle, ReefShape
from calibration.colours import bgr_of
from calibration.pose import Pose
from vision.events import PuckSeen, ReefSeen
from vision.reef_fit import BoxFit, Place, box_corners, fit_box
from vision.reef_view import (
    filled,
    obstacle_outline,
    paint_gains,
    plane_view,
    puck_outline,
    seen_on_plane,
)

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
FloatImage = NDArray[np.float32]

FIT_PX_PER_MM = 2.0  # of the view in which blocks are fitted: a 720p frame has about one
SEARCH_PX_PER_MM = 0.4  # of the one in which they are looked for: a block of the box is 17 by 5 pixels there
SEARCH_STEP_DEG = 15.0  # half of it turns the ends of a 42 mm block by less than 3 mm
MOST_CANDIDATES = 26  # that are fitted, the likeliest first
MOST_COLOURLESS = 60  # the same where no colour guides the search
SEARCH_OFF_MM = 4.0  # how far off a candidate may be
COLOUR_SCALE = 1.5  # deviations: colour counts for much, but a block in the shadow comes in still
SEARCH_COLOUR = 4.0  # deviations from the nearest team's colour
APART_MM = 9.0  # candidates nearer than this are the same one
SEARCH_CONTRAST = 0.07  # paint values; the least that a candidate differs from three of its four sides
INNER_MM = (0.82, 0.62)  # share of length and width that is surely top face at half a search step's turn
STRIP_MM = 3.5  # thickness of the strips beside a candidate that are compared with it
STRIP_GAP_MM = 3.0  # from the top's edge to the strip's near side: most of what a side face takes
LEAST_SCORE = 0.48  # how well the four sides look like a box's: most blocks have 0.55 and more, other things less …
LEAST_SIDES = (0.32, 0.42)  # … or, of the worst side, less than 0.28: prints and side faces that end in the open
LEAST_CONTRAST = 0.06  # paint values
MOST_UNREST = 0.28  # deviation within the top, in units of its contrast to what is around
MOST_COLOUR = 3.5  # deviations from a team's colour
MOST_FIXED_COLOUR = 4.0  # deviations of a fixed reef from its paint; one that is further off lies under a hand
MOST_HIDDEN = 0.22  # share of the top that pucks or obstacles may cover
MOST_OVERLAP = 0.15  # share of its footprint that a second block may have in common with the first
SIDE_BESIDE, SIDE_DEG = 1.3, 10.0  # widths and degrees: a block so near beside another, turned by no more …
SIDE_ALONG = 0.3  # … lengths, and shifted along it by no more …
SIDE_DARKER = 0.8  # … is its side where it has less than this share of its brightness …
SHADE_OFF = 1.2  # … and the ground in its shade where it is further off a team's colour, by so many deviations
PUCK_SHRINK = 0.9  # pucks may touch a reef; the outline of their top is inside of this
SAME_MM = 2.5  # how far two looks at one reef may differ
SAME_DEG = 4.0
OUTSIDE_MM = 1.5  # how far a block may stand over the edge of the surface: error of pose and fit


@dataclass(frozen=True, slots=True)
class _Search:
    """What the search works on: the view at reef height, its paint gains, what is hidden, and colours to expect."""

    view: Image
    gains: FloatArray
    hidden: Mask
    camera_mm: FloatArray
    shape: ReefShape
    size_mm: tuple[float, float]
    colours: tuple[tuple[str | None, FloatArray | None], ...]


def find_reefs(image: Image, pose: Pose, board: Board, pucks: Sequence[PuckSeen] = ()) -> tuple[ReefSeen, ...]:
    """Finds the reefs that players placed on a board that lies still.

    image: (H, W, 3) BGR; pucks: those at rest, so that none is taken for a reef. A team that gives its reefs no
    colour in the board file makes blocks of foreign colours count, with team None. Sorted from north-west.
    """
    if board.reef is None:
        return ()
    search = _prepare(image, pose, board, board.reef, pucks)
    fits = [_fitted(search, place) for place in _candidates(search)]
    found = [(fit, *_team(fit.inside, search.colours)) for fit in fits]
    kept = apart([f for f in found if _is_reef(f[0], f[2], search)], board.reef)
    reefs = [ReefSeen(team, fit.x_mm, fit.y_mm, fit.angle_deg) for fit, team, _ in kept]
    return tuple(sorted(reefs, key=lambda r: (r.y_mm, r.x_mm)))


def same_reefs(a: Sequence[ReefSeen], b: Sequence[ReefSeen]) -> bool:
    """True where two looks show the same reefs: as many, of the same teams, no further apart than two looks differ."""
    left = list(b)
    for reef in a:
        match = next((r for r in left if _same(reef, r)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _same(a: ReefSeen, b: ReefSeen) -> bool:
    turn = abs((a.angle_deg - b.angle_deg + 90) % 180 - 90)
    return a.team == b.team and bool(np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) <= SAME_MM) and turn <= SAME_DEG


def _prepare(image: Image, pose: Pose, board: Board, shape: ReefShape, pucks: Sequence[PuckSeen]) -> _Search:
    camera = pose.camera_mm()
    view = plane_view(image, pose, board.size, shape.height_mm, FIT_PX_PER_MM)
    gains = paint_gains(image, pose, board)
    outlines = [obstacle_outline(camera, o, shape.height_mm) for o in board.obstacles]
    outlines += [puck_outline(camera, (p.x_mm, p.y_mm), PUCK_SHRINK * board.puck.radius_mm, board.puck.height_mm,
                              shape.height_mm) for p in pucks]  # fmt: skip
    hidden = filled(view.shape[:2], outlines, FIT_PX_PER_MM)
    colours = _team_colours(board, view, gains, camera, shape)
    return _Search(view, gains, hidden, camera, shape, board.size, colours)


def _fitted(search: _Search, start: Place) -> BoxFit:
    return fit_box(search.view, search.gains, FIT_PX_PER_MM, search.camera_mm, search.shape, start)


# -- colours ---------------------------------------------------------------------------------------------------
def _team_colours(board: Board, view: Image, gains: FloatArray, camera: FloatArray,
                  shape: ReefShape) -> tuple[tuple[str | None, FloatArray | None], ...]:  # fmt: skip
    """Colours to expect of each team's reefs: as its fixed reefs look here, else as the board file paints them."""
    colours: list[tuple[str | None, FloatArray | None]] = []
    for team in board.teams:
        if team.reef_colour is None:
            colours.append((None, None))
            continue
        painted = paint_value(team.reef_colour)
        fixed = [o for o in board.obstacles if o.kind == "reef" and o.team == team.name]
        seen = [c for o in fixed if (c := _top_colour(view, camera, o, shape)) is not None]
        seen = [c * gains for c in seen]
        alike = [c for c in seen if colour_distance(c, painted) <= MOST_FIXED_COLOUR]
        colours.append((team.name, np.mean(alike, axis=0) if alike else painted))
    return tuple(colours)


def paint_value(colour: str) -> FloatArray:
    """(3,) BGR 0 to 1 of a colour written as "#rrggbb"."""
    return np.array(bgr_of(colour)) / 255.0


def _top_colour(view: Image, camera: FloatArray, obstacle: Obstacle, shape: ReefShape) -> FloatArray | None:
    """Median colour of an obstacle's top, away from its edges; None where too little of it is seen."""
    corners = np.column_stack([np.array(obstacle.polygon), np.full(len(obstacle.polygon), obstacle.height_mm)])
    outline = seen_on_plane(camera, corners, shape.height_mm)
    mask = filled(view.shape[:2], [outline], FIT_PX_PER_MM)
    pixels = view[cv2.erode(mask, np.ones((5, 5), dtype=np.uint8)) > 0]
    return np.median(pixels, axis=0).astype(np.float64) if len(pixels) >= 16 else None


BRIGHTNESS = 0.16  # relative deviation of paint values: shadows, the lamp's fall-off, gloss
BRIGHTNESS_FLOOR = 0.05  # paint values: dark paint
HUE = 0.07  # deviation of colour differences, relative to brightness
HUE_FLOOR = 0.035


def colour_distance(seen: FloatArray, expected: FloatArray) -> FloatArray:
    """How many deviations colours are from what is expected, when the light may be weaker or stronger.

    seen: (..., 3), expected: (3,) BGR paint values; returns (...).
    """
    bright_seen, bright = seen.mean(axis=-1), float(expected.mean())
    scale = np.clip(bright_seen / bright, 0.5, 2.0) if bright > 2 * BRIGHTNESS_FLOOR else np.ones_like(bright_seen)
    brightness = (bright_seen - bright) / (BRIGHTNESS_FLOOR + BRIGHTNESS * bright)
    hue = (seen - bright_seen[..., None]) - (expected - bright) * scale[..., None]
    off = np.linalg.norm(hue, axis=-1) / (HUE_FLOOR + HUE * bright_seen)
    return np.asarray(np.hypot(brightness, off), dtype=np.float64)


def _team(seen: FloatArray, colours: tuple[tuple[str | None, FloatArray | None], ...]) -> tuple[str | None, float]:
    """The team whose reefs look most like this, and how far off it is; a team without a colour takes what is left."""
    known = [(float(colour_distance(seen, c)), name) for name, c in colours if c is not None]
    distance, team = min(known, default=(np.inf, None), key=lambda pair: pair[0])
    if distance > MOST_COLOUR and any(c is None for _, c in colours):
        return None, 0.0
    return team, distance


def _colour_off(seen: FloatArray, search: _Search) -> FloatArray:
    """(N,) how far colours (N, 3) are off the nearest team's; none where a team gives no colour."""
    if any(c is None for _, c in search.colours):
        return np.zeros(len(seen))
    distances = [colour_distance(seen, c) for _, c in search.colours if c is not None]
    return np.asarray(np.min(distances, axis=0), dtype=np.float64)


# -- search ----------------------------------------------------------------------------------------------------
def _candidates(search: _Search) -> list[Place]:
    """Places (x_mm, y_mm, angle_deg) where a rectangle of a reef's size differs from what is beside it, best first."""
    ratio = SEARCH_PX_PER_MM / FIT_PX_PER_MM
    small = cv2.resize(search.view, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    hidden = cv2.resize(search.hidden, small.shape[1::-1], interpolation=cv2.INTER_AREA)
    floats = np.asarray(small * search.gains.astype(np.float32), dtype=np.float32)
    mask = np.asarray(hidden, dtype=np.uint8)
    peaks = [p for a in np.arange(0.0, 180.0, SEARCH_STEP_DEG) for p in _peaks_at(floats, mask, search, float(a))]
    chosen: list[Place] = []
    for (x, y, angle), _ in sorted(peaks, key=lambda peak: peak[1], reverse=True):
        if min(x, y, search.size_mm[0] - x, search.size_mm[1] - y) < search.shape.width_mm / 2 - SEARCH_OFF_MM:
            continue
        if all(np.hypot(x - cx, y - cy) > APART_MM for cx, cy, _ in chosen):
            chosen.append((x, y, angle))
        if len(chosen) == (MOST_CANDIDATES if all(c is not None for _, c in search.colours) else MOST_COLOURLESS):
            break
    return chosen


def _peaks_at(small: FloatImage, hidden: Mask, search: _Search,
              angle: float) -> list[tuple[Place, float]]:  # fmt: skip
    """Place and rank of each peak at one angle, by how much it stands out and how near a team's colour it is."""
    turn, size = _turned((small.shape[1], small.shape[0]), angle)
    turned = cv2.warpAffine(small, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    outside = cv2.warpAffine(hidden, turn, size, flags=cv2.INTER_NEAREST, borderValue=(255,))
    score, mean = _rectangleness(np.asarray(turned, np.float32), np.asarray(outside, np.uint8), search.shape)
    near = round(APART_MM * SEARCH_PX_PER_MM)
    top = cv2.dilate(score, np.ones((near, near), dtype=np.uint8))
    rows, cols = np.nonzero((score >= top) & (score > SEARCH_CONTRAST))
    back = cv2.invertAffineTransform(turn)
    places = np.column_stack([cols, rows]) @ back[:, :2].T + back[:, 2]
    places = (places + 0.5) / SEARCH_PX_PER_MM - 0.5 / FIT_PX_PER_MM
    off = _colour_off(mean[rows, cols].astype(np.float64), search)
    ranks = score[rows, cols] * np.exp(-off / COLOUR_SCALE)
    return [((float(x), float(y), angle), float(rank))
            for (x, y), rank, d in zip(places, ranks, off, strict=True) if d <= SEARCH_COLOUR]  # fmt: skip


def _turned(size: tuple[int, int], angle: float) -> tuple[FloatArray, tuple[int, int]]:
    """The affine map that lays a direction of the picture along the rows, and the size that holds all of it."""
    w, h = size
    matrix = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), angle, 1.0)
    c, s = abs(matrix[0, 0]), abs(matrix[0, 1])
    wide, high = int(np.ceil(w * c + h * s)), int(np.ceil(w * s + h * c))
    matrix[:, 2] += np.array([(wide - w) / 2, (high - h) / 2])
    return np.asarray(matrix, dtype=np.float64), (wide, high)


def _rectangleness(turned: FloatImage, outside: Mask, shape: ReefShape) -> tuple[FloatImage, FloatImage]:
    """(H, W) how much a rectangle along the rows differs from what is beside it, less its own unrest; its colour."""
    inner = _odd(shape.length_mm * INNER_MM[0]), _odd(shape.width_mm * INNER_MM[1])
    mean = np.asarray(cv2.blur(turned, inner), dtype=np.float32)
    square = cv2.blur(_channel_sum(turned * turned), inner)
    unrest = np.sqrt(np.maximum(square - _channel_sum(mean * mean), 0))
    strip = round(STRIP_MM * SEARCH_PX_PER_MM) or 1
    beside = np.asarray(cv2.blur(turned, (inner[0], strip)), dtype=np.float32)
    before = np.asarray(cv2.blur(turned, (strip, inner[1])), dtype=np.float32)
    away = STRIP_GAP_MM + STRIP_MM / 2
    down = round((shape.width_mm / 2 + away) * SEARCH_PX_PER_MM)
    right = round((shape.length_mm / 2 + away) * SEARCH_PX_PER_MM)
    moves = ((beside, 0, down), (beside, 0, -down), (before, right, 0), (before, -right, 0))
    a, b, c, d = (_channel_sum((mean - _moved(m, x, y)) ** 2) for m, x, y in moves)
    low, high = np.minimum(a, b), np.minimum(c, d)
    second = np.minimum(np.maximum(low, high), np.minimum(np.maximum(a, b), np.maximum(c, d)))
    score = np.sqrt(second) - unrest
    covered = cv2.blur((outside > 127).astype(np.float32), inner)
    score[covered > MOST_HIDDEN] = 0
    return np.asarray(score, dtype=np.float32), mean


def _channel_sum(image: FloatImage) -> FloatImage:
    return np.asarray(cv2.transform(image, np.ones((1, 3), dtype=np.float32)), dtype=np.float32)


def _odd(length_mm: float) -> int:
    return 2 * int(length_mm * SEARCH_PX_PER_MM / 2) + 1


def _moved(image: FloatImage, right: int, down: int) -> FloatImage:
    """The image's values from `right`, `down` pixels away."""
    return np.roll(image, (-down, -right), axis=(0, 1))


# -- decision --------------------------------------------------------------------------------------------------
def _is_reef(fit: BoxFit, colour: float, search: _Search) -> bool:
    corners = box_corners(search.shape, np.array([[fit.x_mm, fit.y_mm, fit.angle_deg]]))[0]
    w, h = search.size_mm
    if (corners < -OUTSIDE_MM).any() or (corners > np.array([w, h]) + OUTSIDE_MM).any():
        return False
    return bool(
        fit.score >= LEAST_SCORE
        and (np.sort(fit.edges)[:2] >= LEAST_SIDES).all()
        and fit.contrast >= LEAST_CONTRAST
        and fit.spread <= MOST_UNREST * fit.contrast
        and colour <= MOST_COLOUR
        and _hidden_share(corners, search.hidden) <= MOST_HIDDEN
    )


def _hidden_share(corners: FloatArray, hidden: Mask) -> float:
    top = filled(hidden.shape[:2], [corners], FIT_PX_PER_MM) > 0
    return float((hidden[top] > 0).mean()) if top.any() else 1.0


def apart(found: list[tuple[BoxFit, str | None, float]], shape: ReefShape) -> list[tuple[BoxFit, str | None, float]]:
    """Of blocks that share ground only the best fitting one, and no block's dark side or shade: (fit, team, how far off
    its colour is) each."""
    kept: list[tuple[BoxFit, str | None, float]] = []
    for fit, team, off in sorted(found, key=lambda f: f[0].score, reverse=True):
        if all(_overlap(fit, o, shape) <= MOST_OVERLAP and not _side_of(fit, off, o, usual, shape)
               for o, _, usual in kept):  # fmt: skip
            kept.append((fit, team, off))
    return kept


def _side_of(fit: BoxFit, off: float, block: BoxFit, usual: float, shape: ReefShape) -> bool:
    """True where what seems to be a block is the side of another, right beside its top and in the shade, or the ground
    in its shade. off, usual: how far their colours are off a team's"""
    turn = abs((fit.angle_deg - block.angle_deg + 90) % 180 - 90)
    c, s = np.cos(np.radians(block.angle_deg)), np.sin(np.radians(block.angle_deg))
    dx, dy = fit.x_mm - block.x_mm, fit.y_mm - block.y_mm
    along, beside = abs(dx * c + dy * s), abs(dy * c - dx * s)
    if turn > SIDE_DEG or along > SIDE_ALONG * shape.length_mm or beside > SIDE_BESIDE * shape.width_mm:
        return False
    return float(fit.inside.sum()) < SIDE_DARKER * float(block.inside.sum()) or off > usual + SHADE_OFF


def _overlap(a: BoxFit, b: BoxFit, shape: ReefShape) -> float:
    corners = box_corners(shape, np.array([[f.x_mm, f.y_mm, f.angle_deg] for f in (a, b)])).astype(np.float32)
    area, _ = cv2.intersectConvexConvex(corners[0], corners[1])
    return float(area) / (shape.length_mm * shape.width_mm)
