"""Streaks of pucks hardly other than the ground, as a blue puck on a blue sea in a dim room.

What noise leaves of such a puck in one pixel tells nothing, nor does its brightness, as its shadow takes away what its
paint adds. What is left is how far colours go, smoothed over much of a puck, from the ground's to the paint's across
the way that light and shadow go: noise and shadows come to nothing there, and a puck to its own area.
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
from vision.differencing import SIGMA_OF_MEDIAN
from vision.frames import Image
from vision.pieces import pieces
from vision.streaks import Findings, Streak, gather, worth_looking
from vision.view import TopView

FloatArray = NDArray[np.float64]
Values = NDArray[np.float32]
Mask = NDArray[np.uint8]
Place = tuple[float, float]

HALF = 2  # pictures of half the size are enough for what is smoothed …
SMOOTH = 0.7  # … over so many radii
LEAST_ACROSS = 5.0  # grey levels of the ground's and the paint's colours across that way: what is less tells nothing
NOISE = 3.0  # times what noise leaves is more than noise …
PEAK = 5.0  # … with somewhere in a piece so many times that …
LEAST = 1.2  # … and no less than so many grey levels
BLOCK_NOISE = 4.0  # times it is more in the few pixels of the blocks that every frame is looked at in
FEW = 4  # every so many-th pixel tells how much that is
MASS = 0.3  # puck areas: what is smaller is none
WITHIN = 0.85  # radii of the disc that tells whether a puck lies in a place …
WHOLE = (0.35, 1.0)  # … where one is so much of a puck, of paint and number, the least and the most
LIES, BESIDE, SLACK = 0.65, 0.35, 0.05  # it does with such a share of that, and hardly more so many radii beside
STEPS = ((0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))  # there, and beside to each side
SURELY = 0.15  # of two places that overlap, a puck lies in that which shows so much more of it beside the other, …
APART = 0.25  # … if they are so many radii apart
RESIDUE = 0.45  # of what changed, all but so much is explained by paint and shadow …
SHADE, SHADE_LEAST = 0.6, 0.05  # … that takes away no more of the light than this share of how much paint there is
OWN = 1.25  # radii around it that are its own


@dataclass(frozen=True, slots=True)
class _Across:
    """One team's: way: (h, w, 3) by which a change of colour is multiplied, and summed, to make a share of puck, 0
    where that tells nothing; levels: (h, w) grey levels for a whole puck."""

    way: Values
    levels: Values

    def share(self, change: NDArray[Any]) -> Values:
        """(h, w) of a smoothed change of colours, (h, w, 3)."""
        return np.asarray(cv2.transform(cv2.multiply(change, self.way), np.ones((1, 3), np.float32)), dtype=np.float32)

    def part(self, corner: tuple[int, int], shape: tuple[int, ...]) -> _Across:
        (x, y), (h, w) = corner, shape[:2]
        return _Across(self.way[y : y + h, x : x + w], self.levels[y : y + h, x : x + w])


class FaintBlocks:
    """Where a frame may show pucks of such paints against the board at rest: quick, for every frame.

    image: (H, W, 3) the board at rest; grid: (columns, rows) of the blocks of a frame's light; paints: team -> (3,) BGR
    of its pucks
    """

    def __init__(self, image: Image, view: TopView, grid: tuple[int, int], paints: Mapping[str, FloatArray]) -> None:
        self._view, self._grid = view, grid
        radius = view.board.puck.radius_mm * view.frame_scale / view.light_step
        self._size = max(3, round(radius * SMOOTH)) | 1
        self._was = self._smooth(image)
        self._across = [_across(self._was, paint) for paint in paints.values()]

    def seen(self, image: Image, field: Values) -> Mask:
        """(rows, columns) of 0 and 1, in which blocks. field: (rows, columns, 3) their light"""
        h, w = self._was.shape[:2]
        lit = cv2.multiply(self._was, cv2.resize(field, (w, h), interpolation=cv2.INTER_LINEAR))
        change = cv2.subtract(self._smooth(image), lit)
        out = np.zeros((h, w), np.uint8)
        for across in self._across:
            seen = across.share(change) * across.levels
            few = np.abs(seen[::FEW, ::FEW][across.levels[::FEW, ::FEW] > 0])
            if few.size:
                out |= seen > BLOCK_NOISE * max(LEAST / NOISE, SIGMA_OF_MEDIAN * float(np.median(few)))
        broad = np.asarray(cv2.morphologyEx(out, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))  # not just a pixel
        blocks = cv2.resize(broad * np.uint8(255), self._grid, interpolation=cv2.INTER_AREA)
        return np.asarray(blocks > 0, dtype=np.uint8)

    def _smooth(self, image: Image) -> Values:
        """The board's part of a frame, smoothed, of the size of every so many-th pixel."""
        x0, y0, x1, y1 = self._view.roi
        size = (math.ceil((x1 - x0) / self._view.light_step), math.ceil((y1 - y0) / self._view.light_step))
        few = cv2.resize(image[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.blur(few.astype(np.float32), (self._size, self._size)), dtype=np.float32)


class FaintPaints:
    """Teams whose pucks are looked for like this.

    ground: (h, w, 3) the board from above without the pucks that moved; before, after: the same with them, where they
    lay and where they lie, by their teams and places in mm; paints: team -> (3,) BGR of its pucks.
    """

    def __init__(
        self, ground: Image, view: TopView, paints: Mapping[str, FloatArray],
        before: tuple[Image, Sequence[tuple[str, Place]]], after: tuple[Image, Sequence[tuple[str, Place]]],
    ) -> None:  # fmt: skip
        self._view, self._radius = view, view.radius_px / HALF
        self._within = WITHIN * self._radius
        self._size = max(3, round(self._radius * SMOOTH)) | 1
        was = self._was = self._smooth(ground)
        self._paints = {team: paint.astype(np.float32) for team, paint in paints.items()}
        self._across = {team: _across(was, paint) for team, paint in paints.items()}
        self._homes: dict[str, list[tuple[Place, float]]] = {team: [] for team in paints}
        for picture, lie in (before, after):
            if here := [(team, place) for team, place in lie if team in paints]:
                now = self._smooth(picture)
                gain = median_colour(((now + 1) / (was + 1))[::FEW, ::FEW].reshape(-1, 3))
                for team, place in here:
                    share = self._across[team].share(now / gain - was)
                    whole = _mean(share, self._px(place), self._within)
                    self._homes[team].append((place, min(max(whole, WHOLE[0]), WHOLE[1])))

    def streaks(
        self, frame: int, patch: Image, corner: tuple[int, int], field: Values, findings: Findings
    ) -> list[Streak]:
        """All streaks of a frame: those that it shows by themselves, and those that are only seen like this.

        patch: (h, w, 3) the changed part of the top view, whose pixel (0, 0) is the view's `corner` (x, y); field:
        (rows, columns, 3) the frame's light against the ground's; findings: what it shows by itself
        """
        gain = float(median_colour(field.reshape(-1, 3)).mean())
        change = (self._smooth(patch) - self._smooth(findings.lit)) / np.float32(gain)
        at = (corner[0] // HALF, corner[1] // HALF)
        hands = self._near(findings.hands, change.shape)
        out = list(findings.streaks)
        for team, across in self._across.items():
            part = across.part(at, change.shape)
            share = part.share(change[: len(part.way), : part.way.shape[1]])
            share[hands[: len(share), : share.shape[1]] > 0] = 0.0
            found = [*self._lying(frame, team, share, at)]
            for streak in found:
                x, y = self._px(streak.place)
                cv2.circle(share, (round(x - at[0]), round(y - at[1])), round(OWN * self._radius), 0.0, -1)
            found += [s for s in self._running(frame, team, share, part.levels * gain, (patch.shape, corner))
                      if self._is_paint(team, change, s, corner) and not self._cut_off(s, hands, corner)]  # fmt: skip
            out = [*_but_parts(out, found, self._view), *_but_known(found, out, self._view)]
        return out

    def _running(
        self, frame: int, team: str, share: Values, levels: Values, part: tuple[tuple[int, ...], tuple[int, int]]
    ) -> Iterator[Streak]:
        """share, levels: (h, w) in half the size; part: the shape and the corner of the patch."""
        (shape, corner), seen = part, share * levels
        few = np.abs(seen[::FEW, ::FEW][levels[::FEW, ::FEW] > 0])
        if not few.size:
            return
        noise = max(LEAST / NOISE, SIGMA_OF_MEDIAN * float(np.median(few)))
        core = (seen > NOISE * noise).astype(np.uint8)
        for piece in pieces(core):
            if seen[piece.window].max(where=piece.inside > 0, initial=0.0) < PEAK * noise:
                core[piece.window][piece.inside > 0] = 0
        around = cv2.dilate(core, np.ones((self._size, self._size), np.uint8))
        share = np.where(around > 0, np.clip(share, 0.0, 1.0), 0.0).astype(np.float32)
        whole = np.asarray(cv2.resize(share, shape[1::-1], interpolation=cv2.INTER_LINEAR), dtype=np.float32)
        for window, at in worth_looking(np.asarray(whole > 0).astype(np.uint8), corner, self._view):
            found = gather(frame, team, np.ascontiguousarray(whole[window]), at, self._view)[0]
            yield from (s for s in found if s.mass >= MASS)

    def _lying(self, frame: int, team: str, share: Values, corner: tuple[int, int]) -> Iterator[Streak]:
        """Pucks that lie where one lay before, or does in the end. share: (h, w) in half the size"""
        view = self._view
        found: list[tuple[Place, float, Place]] = []
        for place, whole in self._homes[team]:
            x, y = self._px(place)
            x, y, step = x - corner[0], y - corner[1], BESIDE * self._radius
            there, *beside = (_mean(share, (x + dx * step, y + dy * step), self._within) for dx, dy in STEPS)
            if there > LIES * whole and there >= max(beside) - SLACK:
                found.append((place, min(there / whole, 1.0), (x, y)))
        for place, mass, at in found:
            others = [o for _, _, o in found if o != at and math.dist(o, at) < self._radius]
            if not all(self._rather_at(share, at, other) for other in others):
                continue  # it lies there, and a part of it is here; or either may be
            px, py = view.px_from_mm(np.array([place]))[0] - view.radius_px
            size, spread = math.ceil(2 * view.radius_px), view.board.puck.radius_mm / 2
            yield Streak(frame, team, *place, mass, spread, spread, 0.0, (int(px), int(py), size, size))

    def _rather_at(self, share: Values, at: Place, other: Place) -> bool:
        """True where a puck surely lies in one of two places that overlap, and not in the other."""
        here, there = _mean(share, at, self._within, other), _mean(share, other, self._within, at)
        return here >= there + SURELY and math.dist(at, other) > APART * self._radius

    def _cut_off(self, streak: Streak, hands: Mask, corner: tuple[int, int]) -> bool:
        """True where what is less than a puck reaches to a hand: it may be the edge of that. hands: (h, w)"""
        x, y, w, h = streak.box
        x0, y0 = max((x - corner[0]) // HALF - 1, 0), max((y - corner[1]) // HALF - 1, 0)
        around = hands[y0 : y0 + h // HALF + 3, x0 : x0 + w // HALF + 3]
        return not streak.clean(self._view.board.puck.radius_mm) and bool(around.any())

    def _is_paint(self, team: str, change: Values, streak: Streak, corner: tuple[int, int]) -> bool:
        """True where what changed is explained by paint, and by a shadow or some light. change: (h, w, 3)"""
        x, y, w, h = streak.box
        rows, columns = (
            slice((start - c) // HALF, (start - c + size) // HALF + 1)
            for start, size, c in ((y, h, corner[1]), (x, w, corner[0]))
        )
        there = change[rows, columns].reshape(-1, 3)
        (tall, wide), (left, top) = (part.stop - part.start for part in (rows, columns)), (x // HALF, y // HALF)
        was = self._was[top : top + tall, left : left + wide].reshape(-1, 3)
        if len(there) != len(was):
            return True
        mean, ground = there.mean(axis=0), was.mean(axis=0)
        ways = np.column_stack([self._paints[team] - ground, ground])
        parts = np.linalg.lstsq(ways, mean, rcond=None)[0]
        unlike = float(np.linalg.norm(mean - ways @ parts))
        shaded = max(-float(parts[1]), 0.0)
        explained = unlike < RESIDUE * float(np.linalg.norm(mean))
        return bool(parts[0] > 0 and explained and shaded < SHADE * parts[0] + SHADE_LEAST)

    def _px(self, place: Place) -> Place:
        """A place in mm, in pixels of the view in half its size."""
        x, y = self._view.px_from_mm(np.array([place]))[0] / HALF
        return float(x), float(y)

    def _near(self, hands: Mask, shape: tuple[int, ...]) -> Mask:
        reach = 2 * HALF * self._size + 1
        wide = cv2.dilate(hands, np.ones((reach, reach), np.uint8))
        return np.asarray(cv2.resize(wide, shape[1::-1], interpolation=cv2.INTER_NEAREST), dtype=np.uint8)

    def _smooth(self, picture: Image) -> Values:
        """A picture in half its size, smoothed."""
        h, w = picture.shape[:2]
        half = cv2.resize(picture, (math.ceil(w / HALF), math.ceil(h / HALF)), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.blur(half.astype(np.float32), (self._size, self._size)), dtype=np.float32)


def _across(was: Values, paint: FloatArray) -> _Across:
    """was: (h, w, 3) the ground; paint: (3,)"""
    toward = paint.astype(np.float32) - was
    along = (toward * was).sum(axis=2) / np.maximum((was * was).sum(axis=2), 1.0)
    across = toward - along[..., None] * was
    square = (across * across).sum(axis=2)
    tells = square > LEAST_ACROSS**2
    way = np.where(tells[..., None], across / np.maximum(square, 1.0)[..., None], 0.0)
    return _Across(way.astype(np.float32), np.where(tells, np.sqrt(square), 0.0).astype(np.float32))


def _mean(values: Values, at: Place, radius: float, but: Place | None = None) -> float:
    """Of a disc, without that around another place; 0 where a part of it is outside."""
    (x, y), reach = at, radius + 1
    x0, y0, x1, y1 = (math.floor(v) for v in (x - radius, y - radius, x + reach, y + reach))
    if x0 < 0 or y0 < 0 or x1 >= values.shape[1] or y1 >= values.shape[0]:
        return 0.0
    ys, xs = np.mgrid[y0 : y1 + 1, x0 : x1 + 1]
    inside = (xs - x) ** 2 + (ys - y) ** 2 <= radius**2
    if but is not None:
        inside &= (xs - but[0]) ** 2 + (ys - but[1]) ** 2 > radius**2
    return float(values[y0 : y1 + 1, x0 : x1 + 1][inside].mean()) if inside.any() else 0.0


def _but_parts(known: Sequence[Streak], found: Collection[Streak], view: TopView) -> list[Streak]:
    """Known streaks but those that are a part of one that was found, of the same team."""
    radius = view.board.puck.radius_mm
    return [k for k in known if k.clean(radius) or k.outlined or not any(
        s.team == k.team and s.mass > k.mass and math.dist(s.place, k.place) < radius for s in found)]  # fmt: skip


def _but_known(found: Collection[Streak], known: Sequence[Streak], view: TopView) -> list[Streak]:
    """Streaks that were found but those where a known one is: a part of another team's puck, or one seen better."""
    radius = view.board.puck.radius_mm
    left = _but_parts(known, found, view)
    return [s for s in found if all(math.dist(s.place, k.place) > 2 * radius for k in left)]
