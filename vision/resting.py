"""Pucks that lie still: found by outline and colour, named, and looked at again."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from vision.crossings import has_rim, sticks_out_mm
from vision.detection import EDGE_MIN, Disc, as_placed, edge_votes, faintness, locate, peaks
from vision.frames import Image
from vision.numbers import ink_contrast, puck_patch
from vision.outline import refine, rounding
from vision.palette import Palette, learn_palette, linear_from_bgr, perceived
from vision.streaks import windows
from vision.view import TopView, all_around

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

VOTES_MIN = 0.55  # of a full circle; whole pucks give 1.1 to 2
SUPPORT_MIN = 0.62  # share of the outline that shows an edge
SUPPORT_PART = 0.42  # the same where a wall hides a part of the puck
STEP_MIN = 0.55  # share of the outline across which the colour changes: a printed ring has the same on both sides
STEP_LEVEL = 16.0  # grey levels that count as a change
COLOUR_MAX = 0.24  # distance of paints beyond which a circle is no puck of the team
COLOUR_GOOD = 0.10  # and within which it may be one although its outline, or its score, is poor
COLOUR_SURE = 0.05  # a whole circle of just the team's paint, and not of the ground's, is a puck …
STEP_PART = 0.33  # … although across so little of its outline the colour changes much
FAINT_OFF = 0.3  # or one whose colour is so much nearer to the paint than the ground's is to its own …
FAINT_SUPPORT, FAINT_EVEN = 0.55, 0.95  # … with so much of an outline, and of one colour all around …
STEP_FAINT = 0.2  # … which with an outline as good as any other's needs hardly a change across it
STEP_INKED = 0.15  # nor does one of just the paint, even all around, in the middle of which …
INKED_LEVEL = 40.0  # … something stands out towards the number's colour by so many grey levels, as its number does
CLEAR_OFF = 0.6  # one whose colour is so much nearer to the paint needs less …
CLEAR_LEVEL = 0.5  # nor, without noise, does one whose colour changes across STEP_MIN of it by this part of STEP_LEVEL
STAND_OUT = 0.12  # a circle nearer than this to the ground's colour must be nearer still to the team's
PROMINENT = 0.3  # … and one so far from it counts wholly where the light is told by what looks like pucks
AROUND_MM, AROUND_TRIES = 4.5, 8  # where else a circle of a team's paint is looked for, of which much is missing …
AROUND_WHOLE = 0.8  # … one that is not just of the paint, if so much of an outline is found there …
BETTER = 0.12  # … and what more of an outline and of even paint it must then have …
MORE_EVEN, LITTLE_LESS = 0.95, 0.15  # … or so much even paint, where that had too little, and less of an outline
FAR_PART, FAR_AROUND = 0.6, 2.2  # of which less than this is found still: so many times further, for nearly a whole one
VAGUE = 0.5  # and a part of one that stands out less is by so much nearer to its own paint than the ground is
SHOWN_SHARE, SHOWN_SAMPLES = 0.8, 24  # of an outline within the picture: a puck that leaves it is not said to rest
SCORE_MIN = 0.6  # outline, step and colour together, 1 = perfect
SCORE_SURE = 0.78  # a circle that scores less must be of one colour all around …
SCORE_WHOLE, STEP_WHOLE = 0.86, 0.9  # … or less than this, where the colour does not change all around it …
WHOLE_SUPPORT, WHOLE_STEP = 0.9, 0.95  # … unless it shows a whole outline, and the colour changes across all of it …
EVEN_LEVEL = 0.15  # … within this distance of paints …
EVEN_MIN = 0.9  # … on this share of it: a bar of the team's colour within a circle has less …
EVEN_PART, EVEN_LEAST = 0.5, 0.08  # … and within this part of its distance from the ground, where these are alike …
EVEN_SHARE = 0.78  # … on this share of it, …
UNEVEN_SHARE = 0.6  # … or on this, where a puck of that team is missing
PALE_OFF = 0.15  # distance of paints from the team's within which a number tells a puck on ground of its colour
WHOLE_EVEN = 0.66  # nor is a circle whole that has its middle's colour on less than this share, if no hand is about
GLOSSY_EVEN, GLOSSY_OFF = 0.4, 0.18  # but for one with a whole outline, no further from its paint: a lamp shines on it
INTO_MM = 4.0  # a circle that reaches further into what stands on the board for good is a part of that
RING_SAMPLES = 48  # places all around an outline at which colours are looked at
INNER_RING, OUTER_RINGS = 0.84, (1.2, 1.34, 1.48)  # radii at which it is, inside an outline and outside of it
SUPPORT_WEIGHT, STEP_WEIGHT, COLOUR_WEIGHT = 0.5, 0.2, 0.3  # of outline, step and colour in a circle's score
EVEN_RINGS = (0.7, 0.84)  # radii at which that is looked at: outside of a puck's number
APART, CANDIDATES_MAX = 1.1, 90  # radii between places where a circle is looked for, and the most of these …
APART_ALL, CANDIDATES_ALL = 0.35, 180  # … of the whole board: a shadow beside a puck may have more of a circle than it
OVERLAP = 0.93  # pucks lie at least this share of a diameter apart
EDGE_SLACK_MM = 4.0  # a puck's centre may lie this much nearer to the rim than its radius says


@dataclass(frozen=True, slots=True)
class SeenDisc:
    """A puck found at rest: team, place in mm, how well outline and colour fit (0 to 1), and its top's (3,) BGR."""

    team: str
    x_mm: float
    y_mm: float
    score: float
    colour: tuple[float, float, float]

    @property
    def place(self) -> tuple[float, float]:
        return (self.x_mm, self.y_mm)


@dataclass(frozen=True, slots=True)
class Rest:
    """A puck at rest under its id."""

    puck: str
    team: str
    x_mm: float
    y_mm: float

    @property
    def place(self) -> tuple[float, float]:
        return (self.x_mm, self.y_mm)


def find_discs(
    image: Image, view: TopView, where: Mask | None = None, edge_level: float = EDGE_MIN
) -> tuple[list[Disc], FloatArray]:
    """All circles of a puck's size on the board. where: (h, w) mask of the top view outside which none is looked for;
    edge_level: grey levels a pixel, in good light, that make an edge.

    Returns the discs and (N, 2): the share of each one's outline across which the colour changes, and the distance of
    the colours inside and outside.
    """
    votes = _votes(image, view, where, edge_level)
    apart, most = (APART_ALL, CANDIDATES_ALL) if where is None else (APART, CANDIDATES_MAX)
    found = peaks(votes, VOTES_MIN, view.radius_px * apart)[:most]
    discs = [d for d in locate(image, view, view.mm_from_px(found), edge_level) if lies_on_board(d, view.board)]
    places = np.array([(d.x_mm, d.y_mm) for d in discs]).reshape(-1, 2)
    return discs, step_share(image, view, places, np.array([d.colour for d in discs]).reshape(-1, 3))


def _votes(image: Image, view: TopView, where: Mask | None, edge_level: float) -> NDArray[np.float32]:
    """(h, w) votes for circles of a puck's size, 0 where a mask of the top view says that none is looked for."""
    width, height = view.size
    if where is None:
        return edge_votes(view.rectify(image), view.radius_px, edge_level / 2)
    votes = np.zeros((height, width), np.float32)
    pad = round(view.radius_px * 2)
    for x, y, w, h in windows(where, view.radius_px):
        x0, y0 = max(0, x - pad), max(0, y - pad)
        part = view.rectify_part(image, x0, y0, min(width, x + w + pad), min(height, y + h + pad))
        its = edge_votes(part, view.radius_px, edge_level / 2)
        votes[y : y + h, x : x + w] = its[y - y0 : y - y0 + h, x - x0 : x - x0 + w]
    votes[where == 0] = 0
    return votes


def lies_on_board(disc: Disc, board: Board) -> bool:
    """True where a puck may lie on the board and not into what stands there."""
    w, h = board.size
    for obstacle in board.obstacles:
        outline = np.array(obstacle.polygon, dtype=np.float32).reshape(-1, 1, 2)
        if cv2.pointPolygonTest(outline, (disc.x_mm, disc.y_mm), True) > INTO_MM - board.puck.radius_mm:
            return False
    least = board.puck.radius_mm - EDGE_SLACK_MM if has_rim(board) else -sticks_out_mm(board)
    return least <= disc.x_mm <= w - least and least <= disc.y_mm <= h - least


def in_picture(image: Image, view: TopView, places_mm: FloatArray) -> FloatArray:
    """What share of pucks' outlines lies within the picture. places_mm: (N, 2) -> (N,)"""
    pixels = _ring_px(view, places_mm, all_around(SHOWN_SAMPLES), view.board.puck.radius_mm)
    inside = (pixels >= 0) & (pixels <= np.subtract(image.shape[1::-1], 1))
    return np.asarray(inside.all(axis=2).mean(axis=1), dtype=np.float64)


def step_share(
    image: Image, view: TopView, places_mm: FloatArray, inside: FloatArray, level: float = STEP_LEVEL
) -> FloatArray:
    """How far each circle stands out from the ground. -> (N, 2)

    First the share of its outline across which the colour changes for good, not only at a printed line, by so many grey
    levels in good light; then the distance of the colour `inside` (N, 3) BGR from the median outside, as paints are
    compared.
    """
    if len(places_mm) == 0:
        return np.empty((0, 2))
    radius = view.board.puck.radius_mm
    normals = all_around(RING_SAMPLES)
    inner = _ring(image, view, places_mm, normals, INNER_RING * radius)
    outer = [_ring(image, view, places_mm, normals, k * radius) for k in OUTER_RINGS]
    change = np.min([np.linalg.norm(o - inner, axis=2) for o in outer], axis=0)
    outside = np.median(np.concatenate(outer, axis=1), axis=1)
    apart = np.linalg.norm(perceived(linear_from_bgr(inside)) - perceived(linear_from_bgr(outside)), axis=1)
    return np.column_stack([(change > level * faintness(image)).mean(axis=1), apart])


def off_middle(image: Image, discs: Sequence[Disc], view: TopView) -> FloatArray:
    """How far the colours of each circle near its rim are from its middle's, as paints. -> (N, samples)

    NaN where the board itself hides it.
    """
    normals = all_around(RING_SAMPLES)
    places = np.array([(d.x_mm, d.y_mm) for d in discs]).reshape(-1, 2)
    middles = np.array([d.colour for d in discs]).reshape(-1, 1, 3)
    rings = [_ring(image, view, places, normals, k * view.board.puck.radius_mm) for k in EVEN_RINGS]
    seen = np.concatenate([*rings, middles], axis=1)
    colours = perceived(linear_from_bgr(seen.reshape(-1, 3))).reshape(seen.shape)
    off = np.linalg.norm(colours[:, :-1] - colours[:, -1:], axis=2)
    points = np.concatenate([normals * (k * view.board.puck.radius_mm) for k in EVEN_RINGS])
    off[view.hidden(places[:, None] + points)] = math.nan
    return np.asarray(off)


def evenness(off_middle: FloatArray, level: float = EVEN_LEVEL) -> float:
    """Share of a circle, near its rim, that has the colour of its middle, within a distance of paints."""
    return float((off_middle[~np.isnan(off_middle)] < level).mean())


def outlined(support: float, step: float) -> bool:
    """True where a whole outline is seen. step: share of it across which the colour changes."""
    return support > WHOLE_SUPPORT and step > WHOLE_STEP


def surely_whole(score: float, support: float, step: float) -> bool:
    """True where a circle can be no part of a block. step: share of it across which the colour changes."""
    if outlined(support, step):
        return True
    return score >= SCORE_WHOLE or (score >= SCORE_SURE and step >= STEP_WHOLE)


def stands_out(support: float, off: float, apart: float) -> bool:
    """True where a circle is so much nearer to a team's paint than to the ground's colour, as paints, as a puck's is.

    support: share of its outline that is seen; off, apart: how far it is from the paint and from the ground.
    """
    part = support < SUPPORT_MIN
    if part and off > COLOUR_GOOD:
        return False
    return apart >= STAND_OUT or off <= (VAGUE * apart if part else apart)


def even(off_middle: FloatArray, apart: float, share: float = EVEN_SHARE) -> bool:
    """True where a circle is of one colour all around. apart: how far its middle's is from the ground's, as paints;
    share: of it, which must be of that colour to half that distance."""
    level = min(max(EVEN_PART * apart, EVEN_LEAST), EVEN_LEVEL)
    return evenness(off_middle) >= EVEN_MIN and evenness(off_middle, level) >= share


def _ring_px(view: TopView, places_mm: FloatArray, normals: FloatArray, radius_mm: float) -> FloatArray:
    """Where circles around places, (N, 2), on the tops of pucks are seen in the frame. -> (N, normals, 2) pixels"""
    points = (places_mm[:, None] + normals[None] * radius_mm).reshape(-1, 2)
    heights = np.full(len(points), view.board.puck.height_mm)
    pixels = view.pose.image_from_board(np.column_stack([points, heights]))
    return np.asarray(pixels.reshape(len(places_mm), len(normals), 2), dtype=np.float64)


def _ring(image: Image, view: TopView, places_mm: FloatArray, normals: FloatArray, radius_mm: float) -> FloatArray:
    maps = _ring_px(view, places_mm, normals, radius_mm).astype(np.float32)
    samples = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(samples, dtype=np.float64)


def _prominence(steps: FloatArray) -> FloatArray:
    """How much circles count that stand out so far from the ground, 1 in the mean: what hardly stands out, against the
    others, is mostly grain and worn varnish, and there may be much of it. steps: (N, 2) as step_share tells -> (N,)"""
    share, apart = steps.T
    weight = share * np.minimum(apart / STAND_OUT, 1.0) * np.minimum(apart / PROMINENT, 1.0)
    return np.asarray(weight * len(weight) / max(float(weight.sum()), 1e-9))


def first_look(image: Image, view: TopView) -> tuple[list[SeenDisc], Palette]:
    """Finds all pucks with nothing known but the board file, and learns what the teams look like in this light."""
    discs, steps = find_discs(image, view)
    support = np.array([d.support for d in discs])
    good = (support > SUPPORT_MIN) & (steps[:, 0] > STEP_MIN)
    colours = np.array([d.colour for d in discs]).reshape(-1, 3)
    palette = learn_palette(view.board, colours[good], support[good] * _prominence(steps[good]))
    seen = refined(image, view, palette, _classify(image, discs, steps, palette, view, least_even=WHOLE_EVEN))
    if seen:
        palette = palette.updated(np.array([s.colour for s in seen]), [s.team for s in seen])
        palette = replace(palette, rounded_mm=rounding(image, view, np.array([s.place for s in seen])))
        seen = refined(image, view, palette, seen)
    return seen, palette


def look_again(
    image: Image, view: TopView, palette: Palette, where: Mask | None = None, light: NDArray[np.float32] | None = None,
    known: Sequence[tuple[float, float]] = (), clear: bool = False, doubted: list[SeenDisc] | None = None,
) -> list[SeenDisc]:  # fmt: skip
    """Finds the pucks in a part of the board.

    where: (h, w) mask of the top view; light: (rows, columns, 3) over the whole view, the light of the picture against
    that in which the palette was learned; known: places in mm at which it is enough to tell that a puck lies;
    clear: the picture is the mean of many, with hardly any noise; doubted: takes what would be a puck but for a paint
    that is a little too uneven, as where there is little light; then what bears a number may be as far from its team's
    paint as from the ground's.
    """
    discs, steps = find_discs(image, view, where)
    if clear:  # a fainter outline is enough of what is just of a paint
        more, its = find_discs(image, view, where, CLEAR_LEVEL * EDGE_MIN)
        if more:
            paint = palette.distances(_in_light(more, view, light)).min(axis=1) < COLOUR_SURE
            discs = [*discs, *itertools.compress(more, paint)]
            steps = np.concatenate([steps, its[paint]])
    if where is not None:  # what has come there may be on its way out of the picture
        shown = in_picture(image, view, np.array([(d.x_mm, d.y_mm) for d in discs]).reshape(-1, 2)) >= SHOWN_SHARE
        discs, steps = list(itertools.compress(discs, shown)), steps[shown]
    seen = _classify(image, discs, steps, palette, view, light, WHOLE_EVEN if where is None else 0.0, clear, doubted)
    new = [d for d in seen if all(math.dist(d.place, k) >= view.board.puck.radius_mm for k in known)]
    exact = dict(zip(map(id, new), refined(image, view, palette, new), strict=True))
    return [exact.get(id(d), d) for d in seen]


def _in_light(discs: list[Disc], view: TopView, light: NDArray[np.float32] | None) -> FloatArray:
    """The discs' colours as they would be in the palette's light. -> (N, 3) BGR"""
    colours = np.array([d.colour for d in discs])
    if light is None:
        return colours
    even = np.dstack([cv2.medianBlur(np.ascontiguousarray(light[..., c]), 5) for c in range(3)])
    share = view.px_from_mm(np.array([(d.x_mm, d.y_mm) for d in discs])) / view.size
    at = np.clip((share * even.shape[1::-1]).astype(int), 0, np.array(even.shape[1::-1]) - 1)
    return np.asarray(np.clip(colours / np.maximum(even[at[:, 1], at[:, 0]], 0.1), 0, 255), dtype=np.float64)


def _classify(
    image: Image, discs: list[Disc], steps: FloatArray, palette: Palette, view: TopView,
    light: NDArray[np.float32] | None = None, least_even: float = 0.0, clear: bool = False,
    doubted: list[SeenDisc] | None = None,
) -> list[SeenDisc]:  # fmt: skip
    """Keeps the circles that are pucks, best first, none overlapping a better one.

    least_even: the share of a whole circle that must be of one colour, where blocks have the teams' colours; clear,
    doubted: as of look_again.
    """
    if not discs:
        return []
    distance = palette.distances(_in_light(discs, view, light))
    discs, steps, distance, rims = looked_around(image, discs, steps, distance, palette, view, light)
    blocks = view.board.reef is not None or any(o.team is not None for o in view.board.obstacles)  # of teams' colours
    order = []
    for i, disc in enumerate(discs):
        team = int(distance[i].argmin())
        off = float(distance[i, team])
        step = step_wanted(image, disc, rims[i], off, float(steps[i, 0]), float(steps[i, 1]), palette.names[team], view,
                           clear)  # fmt: skip
        if off > COLOUR_MAX or steps[i, 0] < step or disc.support < SUPPORT_PART:
            continue
        apart_paint = float(steps[i, 1])
        pale = not stands_out(disc.support, off, apart_paint)
        if pale and (doubted is None or not told_by_number(
            image, disc, rims[i], off=off, apart=apart_paint, team=palette.names[team], view=view
        )):  # fmt: skip
            continue
        colour = max(0.0, 1 - off / COLOUR_MAX)
        score = SUPPORT_WEIGHT * disc.support + STEP_WEIGHT * float(steps[i, 0]) + COLOUR_WEIGHT * colour
        if score < SCORE_MIN and off > COLOUR_GOOD and not pale:
            continue
        least = GLOSSY_EVEN if outlined(disc.support, steps[i, 0]) and off <= GLOSSY_OFF else least_even
        whole = surely_whole(score, disc.support, steps[i, 0]) and evenness(rims[i]) >= min(least, least_even)
        seen = SeenDisc(palette.names[team], disc.x_mm, disc.y_mm, score, disc.colour)
        if blocks and not whole and not even(rims[i], steps[i, 1]):
            if doubted is not None and off <= COLOUR_GOOD and even(rims[i], steps[i, 1], UNEVEN_SHARE):
                doubted.append(seen)
            continue
        order.append((score, seen))
    kept, apart = list[SeenDisc](), OVERLAP * view.board.puck.diameter_mm
    for _, seen in sorted(order, key=lambda o: -o[0]):
        if all(math.dist(seen.place, k.place) >= apart for k in kept):
            kept.append(seen)
    if doubted is not None:
        doubted[:] = [d for d in doubted if all(math.dist(d.place, k.place) >= apart for k in kept)]
    return kept


def looked_around(
    image: Image, discs: list[Disc], steps: FloatArray, distance: FloatArray, palette: Palette, view: TopView,
    light: NDArray[np.float32] | None,
) -> tuple[list[Disc], FloatArray, FloatArray, FloatArray]:  # fmt: skip
    """The same circles, of which those of a team's paint, but with half an outline or not of that paint all around,
    are looked for from around, and by all that is known of their outlines: what else has edges there, as a ring that is
    printed there or the edge of an island, may have drawn them off. One whose colour is a little off must be found
    with most of an outline.

    steps: (N, 2) as of step_share; distance: (N, T) of each from each team's paint; light: as of look_again. The last
    of what is returned is off_middle of the circles.
    """
    out, better, rims = list(discs), list[int](), off_middle(image, discs, view)
    for i, disc in enumerate(discs):
        apart, off_paint = float(steps[i, 1]), float(distance[i].min())
        if off_paint >= COLOUR_GOOD or (disc.support >= SUPPORT_MIN and even(rims[i], apart)):
            continue
        out[i], rims[i] = _best_around(image, disc, rims[i], (apart, off_paint), palette, view, light)
        if out[i] is not disc:
            better.append(i)
    if better:
        found = [out[i] for i in better]
        steps, distance = steps.copy(), distance.copy()
        places, colours = np.array([(d.x_mm, d.y_mm) for d in found]), np.array([d.colour for d in found])
        steps[better] = step_share(image, view, places, colours)
        distance[better] = palette.distances(_in_light(found, view, light))
    return out, steps, distance, rims


def _best_around(
    image: Image, disc: Disc, rim: FloatArray, off: tuple[float, float], palette: Palette, view: TopView,
    light: NDArray[np.float32] | None,
) -> tuple[Disc, FloatArray]:  # fmt: skip
    """The best circle that is found from around one, or that one itself, and its off_middle.

    rim: off_middle of the one; off: how far its colour is from the ground's, and from the nearest team's paint.
    """
    apart, off_paint = off
    place, around = np.array([[disc.x_mm, disc.y_mm]]), AROUND_MM * all_around(AROUND_TRIES)
    best, fits = disc, disc.support + evenness(rim)
    others = locate(image, view, place + around)
    others += as_placed(image, view, refine(image, view, place, palette.rounded_mm))
    for other, its_rim in zip(others, off_middle(image, others, view), strict=True):
        its = other.support + evenness(its_rim)
        evened = not even(rim, apart) and even(its_rim, apart) and evenness(its_rim) > MORE_EVEN
        evened = evened and other.support > disc.support - LITTLE_LESS
        whole = other.support >= AROUND_WHOLE or off_paint < COLOUR_SURE
        if whole and (its > fits + BETTER or evened) and lies_on_board(other, view.board):
            best, fits, rim = other, its, its_rim
    if best.support < FAR_PART:
        for other in _whole_from(image, view, palette, light, place + FAR_AROUND * around):
            its_rim = off_middle(image, [other], view)[0]
            its = other.support + evenness(its_rim)
            if its > fits + BETTER and even(its_rim, apart):
                best, fits, rim = other, its, its_rim
    return best, rim


def _whole_from(
    image: Image, view: TopView, palette: Palette, light: NDArray[np.float32] | None, places_mm: FloatArray
) -> list[Disc]:
    """The circles of a team's paint that are found from some places, (N, 2), with nearly a whole outline."""
    whole = [d for d in locate(image, view, places_mm) if d.support >= WHOLE_SUPPORT and lies_on_board(d, view.board)]
    if not whole:
        return []
    of_paint = palette.distances(_in_light(whole, view, light)).min(axis=1) < COLOUR_GOOD
    return list(itertools.compress(whole, of_paint))


def step_wanted(
    image: Image, disc: Disc, off_middle: FloatArray, off: float, step: float, apart: float, team: str, view: TopView,
    clear: bool = False,
) -> float:  # fmt: skip
    """The share of a circle's outline across which the colour must change for it to be a puck of a team.

    off_middle: (samples,) as of that function; off: how far it is from the team's paint; step: the share across which
    it does change; apart: how far it is from the ground's colour, as paints; clear: as of look_again.
    """
    all_around = evenness(off_middle) > FAINT_EVEN
    faint = off < min(COLOUR_SURE, FAINT_OFF * apart) and disc.support > FAINT_SUPPORT and all_around
    whole = disc.support > SUPPORT_MIN
    plain = off < COLOUR_SURE and apart > STAND_OUT and whole
    wanted = STEP_FAINT if faint and whole else STEP_PART if faint or plain else STEP_MIN
    likely = off < min(COLOUR_SURE, CLEAR_OFF * apart) and all_around
    if clear and likely and whole and step < wanted:
        place, colour = np.array([[disc.x_mm, disc.y_mm]]), np.array([disc.colour])
        if step_share(image, view, place, colour, CLEAR_LEVEL * STEP_LEVEL)[0, 0] >= STEP_MIN:
            return 0.0
    unsure = step < wanted and off < COLOUR_SURE and disc.support > FAINT_SUPPORT and all_around
    if unsure and _inked(image, disc, team, view):
        return STEP_INKED
    return wanted


def told_by_number(
    image: Image, disc: Disc, off_middle: FloatArray, off: float, apart: float, team: str, view: TopView
) -> bool:
    """True where a circle that is no nearer to a team's paint than to the ground's is a puck of the team all the same,
    as on an island of its colour in little light: it is of one colour all around, and bears a number.

    off_middle: (samples,) as of that function; off, apart: how far it is from the team's paint and from the ground's.
    """
    return off <= PALE_OFF and even(off_middle, apart) and _inked(image, disc, team, view)


def _inked(image: Image, disc: Disc, team: str, view: TopView) -> bool:
    """True where a circle bears something in the colour of a team's numbers."""
    board = view.board
    if not board.numbered:
        return False
    patch = puck_patch(image, view.pose, board, disc.x_mm, disc.y_mm)
    return ink_contrast(patch, board.team(team)) > INKED_LEVEL * faintness(image)


def refined(image: Image, view: TopView, palette: Palette, discs: list[SeenDisc]) -> list[SeenDisc]:
    """The same pucks, placed more exactly."""
    exact = refine(image, view, np.array([d.place for d in discs]), palette.rounded_mm)
    return [replace(d, x_mm=float(x), y_mm=float(y)) for d, (x, y) in zip(discs, exact, strict=True)]
