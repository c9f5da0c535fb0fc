"""Pucks in motion: each frame's share of puck in every pixel, gathered into streaks.

A puck that moves while the shutter is open smears into a streak. The share of puck in each pixel sums up to the puck's
own area whatever its speed, and the streak's centroid is the puck's place in the middle of the exposure.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.medians import median_colour
from vision.boxes import merged
from vision.clipping import unlike
from vision.differencing import SIGMA_OF_MEDIAN, coarse_light_field
from vision.frames import Image
from vision.pieces import large_pieces, light_pieces, pieces, pixels_of
from vision.shares import PaintShares
from vision.view import TopView

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

ALONE_AREA = 4.0  # puck areas: a piece of change that is smaller is no hand
PAINT_LEAST = 0.6  # puck areas of plain paint: where there is more, there is no need to look through the shadow
CHANGE_LEVEL = 10  # grey levels by which a pixel must differ from the ground to be looked at
FAINT_CONTRAST = (5.0, 24.0)  # grey levels: a puck that differs no more from the ground …
FAINT_SHARE, FAINT_EVERY = 0.2, 8  # … in such a share of it, of every so many-th pixel, is looked for once more …
FAINT_SMOOTH = 0.6  # radii: … in a picture that is smoothed so far, …
FAINT_LEVEL, FAINT_NOISE = 4.0, 3.0  # … where it differs by so many grey levels, and so many times its noise
NOISE_EVERY, NOISE_ROUND = 4, 9  # of every so many-th pixel, against so many of these around
HOLE = 1.5  # radii around a vacated place that are filled anew: the puck, its side and its shadow
LIKE_LEVEL = 2.5  # mean grey levels by which two fillings of it may differ that are taken for one
GUESSED_FROM_PX = 3  # what ground is guessed is guessed from so far around
HAND_BREADTH = 0.6  # radii: what is thinner is no hand
HAND_AREA = 0.7  # puck areas: what is smaller is no hand
BAND_PX = 256  # rows that are lit at a time
BLOCK_RADII = 0.5  # pieces of change that are further apart than this are looked at one by one
AROUND_BLOCK, NOISY_SHARE = 3, 0.04  # where three of four such squares of blocks hold more of it there is noise …
DECILE, QUARTILE, SIGMAS_BETWEEN = 0.1, 0.25, 0.607  # … which is normally spread, as these of the squares tell, …
NOISE_SIGMAS = 4.2  # … and hardly anywhere is so many standard deviations above that quartile …
SURELY_SHARE = 0.4  # … where as much as this has changed there is more than noise, whatever it is elsewhere
PIXELS_MIN = 0.2  # share of a puck's area that must show some of its paint
MASS_MIN = 0.22  # share of a puck's area below which a streak is not looked at
BREADTH_MAX = 7.0  # radii: what is broader in its narrower direction is no streak
MASS_MAX = 3.2  # more than three pucks at once is no streak
WHOLE_MASS = (0.55, 1.6)  # puck areas of one whole puck, the least and the most …
WHOLE_ACROSS = (0.36, 0.64)  # … and its breadth, standard deviation across in radii: a disc's own is 0.5
SHADOWED_MASS = 1.8  # puck areas of a puck and its shadow …
SHADOWED_ACROSS = 0.8  # … and their breadth, standard deviation in radii
MINOR_MAX = 0.72  # breadth of a streak, standard deviation across in radii …
CROWD_MASS = 1.3  # … but for what holds more puck areas than this, as pucks side by side do
CLOSED = 0.5  # radii: gaps in a patch of paint, as a number's strokes leave them, are no wider
SLOW_SIZE, SLOW_SHARE = 4.0, 0.75  # a patch of no more radii, with so much paint somewhere in it, lies or hardly moves


@dataclass(frozen=True, slots=True)
class Streak:
    """One puck-coloured patch in one frame. Place in mm; mass in puck areas; spread in mm along and across.

    outlined: found by a puck's outline, so that it is one whole puck whatever lies beside it.
    """

    frame: int
    team: str
    x_mm: float
    y_mm: float
    mass: float
    along_mm: float
    across_mm: float
    angle_rad: float
    box: tuple[int, int, int, int]
    outlined: bool = False

    @property
    def place(self) -> tuple[float, float]:
        return (self.x_mm, self.y_mm)

    def clean(self, radius_mm: float) -> bool:
        """True where size and breadth are those of one whole puck."""
        (least, most), (narrow, broad) = WHOLE_MASS, WHOLE_ACROSS
        return least <= self.mass <= most and narrow * radius_mm <= self.across_mm <= broad * radius_mm

    def shadowed(self, radius_mm: float) -> bool:
        """True where it may be one whole puck and the shadow beside it, of which a dark team's paint is one."""
        return WHOLE_MASS[0] <= self.mass <= SHADOWED_MASS and self.across_mm < SHADOWED_ACROSS * radius_mm

    def length_mm(self, radius_mm: float) -> float:
        """How far the puck moved while the shutter was open, from the streak's second moment."""
        return math.sqrt(max(0.0, 12.0 * (self.along_mm**2 - radius_mm**2 / 4)))


@dataclass(frozen=True, slots=True)
class Ground:
    """What the board looks like without the pucks that moved. image: (h, w, 3) top view."""

    image: Image

    def lit(self, corner: tuple[int, int], shape: tuple[int, ...], field: NDArray[np.float32]) -> Image:
        """A part of the ground under a frame's light. corner: (x, y); field: (rows, columns, 3) over the whole view."""
        (x0, y0), (h, w) = corner, shape[:2]
        out = np.empty((h, w, 3), np.uint8)
        for top in range(0, h, BAND_PX):
            rows = min(BAND_PX, h - top)
            out[top : top + rows] = self._band((x0, y0 + top), (rows, w), field)
        return out

    def like(self, other: Ground, holes_px: FloatArray, radius_px: float) -> bool:
        """True where another ground of the same board was filled alike where pucks lay. holes_px: (N, 2) in the view"""
        reach = math.ceil(radius_px) + 1
        for hole in holes_px:
            x0, y0 = (max(math.floor(v) - reach, 0) for v in hole)
            mine, its = (g.image[y0 : y0 + 2 * reach + 2, x0 : x0 + 2 * reach + 2] for g in (self, other))
            disc = _discs(mine.shape, (hole - (x0, y0))[None], radius_px)
            off = np.subtract(cv2.mean(mine, mask=disc), cv2.mean(its, mask=disc))
            if np.abs(off).max() >= LIKE_LEVEL:
                return False
        return True

    def _band(self, corner: tuple[int, int], shape: tuple[int, int], field: NDArray[np.float32]) -> NDArray[Any]:
        (x0, y0), (h, w) = corner, shape
        light = light_over(corner, shape, field, self.image.shape)
        return cv2.multiply(self.image[y0 : y0 + h, x0 : x0 + w], light, dtype=cv2.CV_8U)


def light_over(
    corner: tuple[int, int], shape: tuple[int, int], field: NDArray[np.float32], whole: tuple[int, ...]
) -> NDArray[np.float32]:
    """(h, w, 3) a field of light, (rows, columns, 3) over all of a picture, over a part of it. whole: its (h, w)

    Of a large part it takes four times the memory of the part itself: take bands of BAND_PX rows.
    """
    (x0, y0), (h, w) = corner, shape
    (top, y), (left, x) = (
        _cells(start, size, all_of_it, cells)
        for start, size, all_of_it, cells in zip((y0, x0), (h, w), whole, field.shape, strict=False)
    )
    light = cv2.resize(field[top[0] : top[1], left[0] : left[1]], (left[2], top[2]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(light[y : y + h, x : x + w])


def _cells(start: int, size: int, whole: int, cells: int) -> tuple[tuple[int, int, int], int]:
    """Which of the cells that cover `whole` pixels cover some of them, with one more on each side.

    -> (first, end, pixels that they cover), and which of these pixels is the first that is wanted.
    """
    step = whole / cells
    first, end = max(int(start / step) - 1, 0), min(math.ceil((start + size) / step) + 1, cells)
    at = round(start - first * step)
    return (first, end, max(round((end - first) * step), at + size)), at


@dataclass(frozen=True, slots=True)
class Findings:
    """What one frame's changed part shows: streaks; masks (h, w) of 0 and 1 of hands and the like, and of all that is
    not bare ground; the ground in the frame's light, (h, w, 3); and the teams' paints in it, (3,) BGR each."""

    streaks: list[Streak]
    hands: Mask
    busy: Mask
    lit: Image
    looks: dict[str, list[FloatArray]]


def make_ground(before: Image, after: Image, vacated_px: FloatArray, taken_px: FloatArray, radius_px: float) -> Ground:
    """The board before the shot without the pucks that were to move.

    Where a puck lay, the board after the shot shows the ground; where the one or another lies there afterwards too,
    the ground is guessed from around. vacated_px, taken_px: (N, 2) places before and after, pixels of the view.
    """
    ground = before.copy()
    if len(vacated_px):
        shape = before.shape[:2]
        hole = _discs(shape, vacated_px, radius_px * HOLE)
        taken = cv2.bitwise_and(hole, _discs(shape, taken_px, radius_px * HOLE))
        box = _padded(cv2.boundingRect(hole), 2 * GUESSED_FROM_PX, shape)
        inside = hole[box] > 0
        field = coarse_light_field(after, before)
        light = light_over((box[1].start, box[0].start), inside.shape, field, shape)[inside]
        ground[box][inside] = np.clip(after[box][inside] / np.maximum(light, 1e-3), 0, 255).astype(np.uint8)
        if taken.any():
            ground[box] = cv2.inpaint(ground[box], taken[box], GUESSED_FROM_PX, cv2.INPAINT_TELEA)
    return Ground(ground)


def _discs(shape: tuple[int, ...], places_px: FloatArray, radius_px: float) -> Mask:
    mask = np.zeros(shape[:2], np.uint8)
    for x, y in places_px:
        cv2.circle(mask, (round(x * 16), round(y * 16)), round(radius_px * 16), 255, -1, cv2.LINE_8, 4)
    return mask


def find_streaks(
    frame: int, patch: Image, corner: tuple[int, int], field: NDArray[np.float32], ground: Ground, view: TopView,
    paints: dict[str, list[FloatArray]], inks: dict[str, FloatArray] | None = None, faint: Collection[str] = (),
    level: float = FAINT_LEVEL,
) -> Findings:  # fmt: skip
    """All streaks of the given teams in one frame, and what else hides the ground there.

    patch: (h, w, 3) the changed part of the top view, whose pixel (0, 0) is the view's `corner` (x, y).
    field: (rows, columns, 3) BGR, the frame's light against the ground's over the whole view.
    paints: team -> (3,) BGR colours of its pucks in the light of the ground (gloss makes them differ).
    inks: team -> (3,) BGR colour of the numbers on its pucks, where they are known; faint, level: the teams that
    faint_paints tells, which differ from the ground by more than so many grey levels (faint_level).
    """
    lit = ground.lit(corner, patch.shape, field)
    gain = median_colour(field.reshape(-1, 3)).astype(np.float64)
    was = ground.image[corner[1] : corner[1] + len(patch), corner[0] : corner[0] + patch.shape[1]]
    busy = strongest(unlike(patch, lit, was), CHANGE_LEVEL)
    hands = np.zeros_like(busy)
    out: list[Streak] = []
    looks = {team: [p * gain for p in paint] for team, paint in paints.items()}
    numbers = {team: ink * gain for team, ink in (inks or {}).items()}
    for window, at in worth_looking(busy, corner, view, beyond_noise=True):
        found, hands[window] = _in_window(frame, patch[window], lit[window], busy[window], at, view, looks, numbers)
        out += found
    if faint:
        out += _faint(frame, patch, lit, hands, corner, view, {team: looks[team] for team in faint}, out,
                      level)  # fmt: skip
    return Findings(out, hands, busy, lit, looks)


def _faint(frame: int, patch: Image, lit: Image, hands: Mask, corner: tuple[int, int], view: TopView,
           looks: dict[str, list[FloatArray]], known: Sequence[Streak], level: float) -> list[Streak]:  # fmt: skip
    """Streaks of pucks hardly other than the ground, as in a dim room: in a smoothed picture, which has less noise.

    hands: (h, w) of 0 and 1; known: the streaks that were found without.
    """
    size = _smoothed_over(view.radius_px)
    now, was = (np.asarray(cv2.blur(picture, (size, size)), dtype=np.uint8) for picture in (patch, lit))
    busy = strongest(np.asarray(cv2.absdiff(now, was)), level)
    busy[cv2.dilate(hands, np.ones((size, size), np.uint8)) > 0] = 0
    apart = view.board.puck.diameter_mm
    out: list[Streak] = []
    for window, at in worth_looking(busy, corner, view):
        there = pixels_of(busy[window])
        shares = PaintShares(_planes(now[window], there), _planes(was[window], there), looks, FAINT_CONTRAST)
        for team, share in shares.plain().items():
            found, _ = gather(frame, team, _image(share, there, busy[window]), at, view)
            out += [s for s in found if all(s.team != k.team or math.dist(s.place, k.place) > apart for k in known)]
    return out


def faint_paints(ground: Image, paints: Mapping[str, Sequence[FloatArray]]) -> list[str]:
    """The teams of whose paints, (3,) BGR, one is such that much of the ground, (h, w, 3), hardly differs from it."""
    some = ground[::FAINT_EVERY, ::FAINT_EVERY].reshape(-1, 3).astype(np.float64)

    def alike(paint: FloatArray) -> float:
        return float(np.mean(np.linalg.norm(some - paint, axis=1) < FAINT_CONTRAST[1]))

    return [team for team, its in paints.items() if max(map(alike, its), default=0.0) > FAINT_SHARE]


def faint_level(before: Image, after: Image, radius_px: float) -> float:
    """By how many grey levels smoothed pictures of a board differ where more than noise makes them differ.

    before, after: (h, w, 3) of the board at rest, most of which looks alike but for the light.
    """
    size = _smoothed_over(radius_px)
    was, now = (cv2.blur(picture, (size, size))[::NOISE_EVERY, ::NOISE_EVERY].astype(np.float32)
                for picture in (before, after))  # fmt: skip
    change = now - was
    change -= cv2.blur(change, (NOISE_ROUND, NOISE_ROUND))
    return max(FAINT_LEVEL, FAINT_NOISE * SIGMA_OF_MEDIAN * float(np.median(np.abs(change))))


def _smoothed_over(radius_px: float) -> int:
    """Pixels over which a picture is smoothed for faint pucks: an odd number."""
    return max(3, round(radius_px * FAINT_SMOOTH)) | 1


def worth_looking(
    busy: Mask, corner: tuple[int, int], view: TopView, *, beyond_noise: bool = False
) -> Iterator[tuple[tuple[slice, slice], tuple[int, int]]]:
    """The windows of a mask that hold as much as a puck or a hand would show, and their corners (x, y) in the view.

    beyond_noise: as of windows
    """
    least = PIXELS_MIN * math.pi * view.radius_px**2
    for x, y, w, h in windows(busy, view.radius_px, beyond_noise=beyond_noise):
        window = (slice(y, y + h), slice(x, x + w))
        if cv2.countNonZero(busy[window]) >= least:
            yield window, (corner[0] + x, corner[1] + y)


def windows(busy: Mask, radius_px: float, *, beyond_noise: bool = False) -> list[tuple[int, int, int, int]]:
    """Boxes (x, y, w, h) that hold all of a mask, so far apart that no patch in one could reach into another.

    beyond_noise: but for what noise alone may have brought, where there is much of it
    """
    h, w = busy.shape
    block = min(max(4.0, radius_px * BLOCK_RADII), 14.0)
    size = (math.ceil(w / block), math.ceil(h / block))
    share = np.asarray(cv2.resize(busy * np.uint8(255), size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    coarse = _more_than_noise(share) if beyond_noise else np.asarray(share > 0, dtype=np.uint8)
    wide = cv2.dilate(coarse, np.ones((3, 3), np.uint8))
    boxes = cv2.connectedComponentsWithStats(wide, connectivity=8)[2][1:, :4].tolist()
    out = []
    for x, y, columns, rows in merged((x, y, x + columns, y + rows) for x, y, columns, rows in boxes):
        x0, y0 = math.floor(x * w / size[0]), math.floor(y * h / size[1])
        out.append((x0, y0, math.ceil(columns * w / size[0]) - x0, math.ceil(rows * h / size[1]) - y0))
    return out


def _more_than_noise(share: Mask) -> Mask:
    """1 where blocks of a mask, or such beside them, hold more of it than noise brings, 0 elsewhere; where there is no
    noise, where they hold any at all.

    share: (rows, columns) of the mask in each block, 255 for all of it
    """
    around = cv2.blur(share, (AROUND_BLOCK, AROUND_BLOCK))
    rising = np.sort(around, axis=None)
    fewest, few = (float(rising[int(part * len(rising))]) / 255 for part in (DECILE, QUARTILE))
    if few < NOISY_SHARE:
        return np.asarray(share > 0, dtype=np.uint8)
    sigma = (few - fewest) / SIGMAS_BETWEEN
    more = np.asarray(around > 255 * min(few + NOISE_SIGMAS * sigma, SURELY_SHARE), dtype=np.uint8)
    return np.asarray(cv2.dilate(more, np.ones((3, 3), np.uint8)))


def _in_window(
    frame: int, patch: Image, lit: Image, busy: Mask, corner: tuple[int, int], view: TopView,
    looks: dict[str, list[FloatArray]], inks: dict[str, FloatArray],
) -> tuple[list[Streak], Mask]:  # fmt: skip
    """The streaks of a part of a frame, and a mask of hands in it. looks, inks: (3,) BGR in the frame's light."""
    there = pixels_of(busy)
    shares = PaintShares(_planes(patch, there), _planes(lit, there), looks)
    told = shares.plain()
    paint = np.maximum.reduce(list(told.values()))
    alone = _unexplained(busy, _image(paint, there, busy), view.radius_px).reshape(-1)[there] > 0
    if alone.any():
        told = shares.where_alone(alone, inks)
    pucks = np.zeros_like(busy)
    out: list[Streak] = []
    for team, share in told.items():
        found, mask = gather(frame, team, _image(share, there, busy), corner, view)
        out += found
        pucks |= mask
    return out, _others(busy, pucks, view.radius_px)


def streaks_in(
    frame: int, patch: Image, lit: Image, busy: Mask, corner: tuple[int, int], view: TopView,
    looks: dict[str, list[FloatArray]],
) -> list[Streak]:  # fmt: skip
    """The streaks among some pixels of a part of a frame. busy: (h, w) of 0 and 1, which; looks: (3,) BGR each in the
    frame's light; all else as find_streaks takes and tells it."""
    return _in_window(frame, patch, lit, busy, corner, view, looks, {})[0] if busy.any() else []


def _planes(picture: Image, there: NDArray[np.intp]) -> NDArray[np.float32]:
    """(3, N) the colours of some pixels of a picture, given by their numbers."""
    return np.ascontiguousarray(np.take(picture.reshape(-1, 3), there, axis=0).T, dtype=np.float32)


def _image(values: NDArray[np.float32], there: NDArray[np.intp], like: Mask) -> NDArray[np.float32]:
    """(h, w) a picture with values at some pixels, 0 elsewhere."""
    out = np.zeros(like.size, np.float32)
    out[there] = values
    return out.reshape(like.shape)


def _unexplained(busy: Mask, share: NDArray[np.float32], radius_px: float) -> Mask:
    """The pieces of a mask that are large enough for a puck, too small for a hand, and show hardly any paint."""
    area = math.pi * radius_px**2
    return light_pieces(busy, share, (PIXELS_MIN * area, ALONE_AREA * area), PAINT_LEAST * area)


def strongest(difference: Image, level: float) -> Mask:
    """1 where any colour of a difference picture is above a level, else 0. (h, w, 3) -> (h, w)"""
    b, g, r = cv2.split(difference)
    return np.asarray(cv2.threshold(cv2.max(cv2.max(b, g), r), level, 1, cv2.THRESH_BINARY)[1])


def _others(busy: Mask, pucks: Mask, radius_px: float) -> Mask:
    """What hides the ground and is no puck: broad and large, as hands are, not thin as shadows' rims."""
    least = HAND_AREA * math.pi * radius_px**2
    rest = cv2.bitwise_and(busy, 1 - cv2.dilate(pucks, np.ones((5, 5), np.uint8)))
    if cv2.countNonZero(rest) <= least:
        return np.zeros_like(busy)
    size = max(3, round(radius_px * HAND_BREADTH)) | 1
    broad = cv2.morphologyEx(rest, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    return large_pieces(np.asarray(broad), least)


def gather(
    frame: int, team: str, share: NDArray[np.float32], corner: tuple[int, int], view: TopView
) -> tuple[list[Streak], Mask]:
    """Connected patches of puck share as streaks, and the mask that they cover."""
    radius = view.radius_px
    area = math.pi * radius**2
    if cv2.countNonZero(share) < PIXELS_MIN * area:
        return [], np.zeros(share.shape, np.uint8)
    size = max(3, round(radius * CLOSED)) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    opened = cv2.morphologyEx((share > 0).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    box = _padded(cv2.boundingRect(opened), size + 2, share.shape)
    covered = np.zeros(share.shape, np.uint8)
    used, share, corner = covered[box], share[box], (corner[0] + box[1].start, corner[1] + box[0].start)
    closed = cv2.morphologyEx(opened[box], cv2.MORPH_CLOSE, kernel)
    smooth = cv2.GaussianBlur(share, (0, 0), 1.0)
    out: list[Streak] = []
    for piece in pieces(np.asarray(closed), PIXELS_MIN * area):
        (w, h), window = piece.size, piece.window
        if min(w, h) > BREADTH_MAX * radius:
            continue
        weight: Any = cv2.copyTo(smooth[window], piece.inside)
        if min(w, h) < SLOW_SIZE * radius and weight.max() > SLOW_SHARE:  # its number's strokes are puck, too
            weight = cv2.morphologyEx(weight, cv2.MORPH_CLOSE, kernel)
        mass = float(weight.sum()) / area
        if not MASS_MIN <= mass <= MASS_MAX:
            continue
        at = (window[1].start + corner[0], window[0].start + corner[1])
        streak = _streak(frame, team, weight, at, mass, (w, h), view)
        if streak.across_mm < MINOR_MAX * view.board.puck.radius_mm or mass > CROWD_MASS:
            out.append(streak)
            used[window] |= piece.inside
    return out, covered


def _padded(box: Sequence[int], pad: int, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """A box (x, y, w, h) and so many pixels more on each side, as rows and columns of a picture; never empty."""
    x, y, w, h = box
    return slice(max(y - pad, 0), min(y + h + pad, shape[0])), slice(max(x - pad, 0), min(x + w + pad, shape[1]))


def _streak(frame: int, team: str, weight: FloatArray, corner: tuple[int, int], mass: float,
            size: tuple[int, int], view: TopView) -> Streak:  # fmt: skip
    columns, rows = weight.sum(axis=0, dtype=np.float64), weight.sum(axis=1, dtype=np.float64)
    xs, ys, total = np.arange(len(columns)), np.arange(len(rows)), float(rows.sum())
    cx, cy = float(columns @ xs / total), float(rows @ ys / total)
    dx, dy = xs - cx, ys - cy
    xx, yy, xy = (float(v / total) for v in (columns @ (dx * dx), rows @ (dy * dy), dy @ weight @ dx))
    mean, half = (xx + yy) / 2, math.hypot((xx - yy) / 2, xy)
    place = view.mm_from_px(np.array([[cx + corner[0], cy + corner[1]]]))[0]
    return Streak(frame, team, float(place[0]), float(place[1]), mass,
                  math.sqrt(mean + half) / view.scale, math.sqrt(max(mean - half, 0.0)) / view.scale,
                  0.5 * math.atan2(2 * xy, xx - yy), (*corner, *size))  # fmt: skip
