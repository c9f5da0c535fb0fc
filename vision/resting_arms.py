"""Arms that rest on the board's edge: they reach in like hands, but lie where they lie, and play goes on beside them.

A hand that flicks is over a puck, or near one, and is gone in a moment. What reaches in for long, stirs now and then,
but no further than it lay before, and comes near no puck, is an arm: the board is seen as if it were not there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.medians import median_colour
from vision.board_at_rest import BoardAtRest
from vision.differencing import CoarseChange, colour_planes, every
from vision.frame_map import FrameMap
from vision.frames import Frame, Image
from vision.hands import reaching
from vision.motion import Motion
from vision.pieces import Piece, pieces
from vision.shots import Episode
from vision.stirs import LEFT_SHARE, disc_share

Mask = NDArray[np.uint8]
Place = tuple[float, float]  # mm
Places = Sequence[Place]

UNDER_ARM = "{} may lie under an arm that rests on the board"
LASTS_S = 2.0  # what has reached in for so long, and lies where it lay, is an arm …
APART_S = 0.8  # … and for so long, what has never come near a puck
GONE_S = 1.0  # what was not seen for longer has not been there all along
LOOK_S = 0.08  # how often it is looked where none is known
CAME_S = 0.5  # what lay where it lies for longer has nothing to do with a hand that comes to hang together with it
ALIVE_S, STILL_S = 1.5, 4.0  # it has stirred so lately when it is first known, and later on: what a hand left behind,
# or laid down, does not …
STIR_S, STIR_LEVEL, STIR_SHARE = 0.4, 6.0, 0.03  # … and so many grey levels are a stir, of a square's colour in so long
# a time, and such a share of them, whatever the light does meanwhile
SQUARE = 0.5  # radii: squares of this size tell where something is …
SAMPLES = 3  # … by so many pixels a side
LEVEL, LEVEL_NOISE = 6.0, 0.7  # grey levels, and times the threshold of noise: a square that differs more has changed …
LEVEL_SHARE = 0.07  # … if it does so by more than this of its level: light is known no better
ROUND = 1.0  # radii by which an arm may shift and still lies where it lay
HELD_S = 4.0  # hardly any hand lies on a puck that it has moved for longer
BARRED_S = 5.0  # an arm that may hide a puck counts as a hand for so long: it may show
LAID_S = 5.0  # what lies there for so long without a stir was laid down
NEAR = 1.6  # radii from the middle of a puck: what comes so near may have to do with it
BEYOND = 0.3  # puck areas: so much of it at the most may be where it did not lie before
LEAST = 0.1  # puck areas of what reaches over the board, and of what is beside it, at the least
STEP_MM, WAY_ON = 10.0, 40  # a puck that was last seen before an arm may have run on to it, in so many steps
AROUND = 0.5  # radii around it that are seen as if it were not there


class RestingArms:
    """Follows what reaches in over the playing surface. Masks are of the small grey picture, 0 or 255.

    now: where arms rest in the last frame, and half a puck around; None for nowhere; lately: the same, and where they
    did in the frame before.
    """

    def __init__(self) -> None:
        self.now: Mask | None = None
        self.lately: Mask = np.zeros((0, 0), np.uint8)
        self._time_s = self._looked_s = 0.0
        self._squares = _Squares()
        self._since_s: NDArray[np.float32] = np.zeros((0, 0), np.float32)  # of squares: since when it was there …
        self._seen_s = self._stirred_s = self._known_s = self._since_s  # … and last, stirred, and was known as an arm
        self._near_s = self._barred_s = self._since_s  # when it hung together with what was near a puck, or barred

    def look(
        self, frame: Frame, change: Mask, rested: BoardAtRest, coarse: CoarseChange, threshold: float, places_mm: Places
    ) -> Mask | None:
        """Takes the next frame in. -> now

        change: where its small grey picture differs from the board at rest; coarse: how its blocks do; threshold: grey
        levels beyond the camera's noise; places_mm: where pucks lay.
        """
        self._time_s = frame.time_s
        was, self.now = self.now, None
        frame_map = rested.frame_map
        if was is None:
            beside = cv2.countNonZero(cv2.copyTo(change, frame_map.outside))
            if beside <= LEAST * frame_map.puck_area or self._time_s - self._looked_s < LOOK_S:
                return None
        self._looked_s = self._time_s
        there, stirred = self._squares.differing(frame, rested, coarse, threshold)
        if self._seen_s.shape != there.shape:
            self._since_s, self._seen_s, self._stirred_s, self._known_s, self._near_s, self._barred_s = (
                np.full(there.shape, -math.inf, np.float32) for _ in range(6)
            )
        self._stirred_s[stirred] = self._time_s
        arms = self._arms(there, change, frame_map, places_mm)
        if not cv2.hasNonZero(arms):
            return None
        self._known_s[arms > 0] = self._time_s
        wide = cv2.resize(arms * np.uint8(255), change.shape[::-1], interpolation=cv2.INTER_NEAREST)
        self.now = np.asarray(cv2.dilate(wide, _disc(AROUND * frame_map.radius)), dtype=np.uint8)
        self.lately = self.now
        if was is not None and was.shape == self.now.shape:
            self.lately = np.asarray(cv2.bitwise_or(self.now, was), dtype=np.uint8)
        return self.now

    def not_in(self, ghosts: Mask) -> Mask:
        """The pieces of what never seems to stir, of 0 and 1, in which nothing did, and no arm has been lately."""
        if self._known_s.size == 0 or not cv2.hasNonZero(ghosts):
            return ghosts
        known, stirred = self._known_s > self._time_s - STILL_S, self._stirred_s > self._time_s - ALIVE_S
        lately = np.asarray(known | stirred, dtype=np.uint8)
        arms = cv2.resize(lately, ghosts.shape[::-1], interpolation=cv2.INTER_NEAREST)
        return np.asarray(ghosts - reaching(ghosts, np.asarray(arms, dtype=np.uint8), 0), dtype=np.uint8)

    def may_hide(self, episode: Episode, frame_map: FrameMap | None) -> list[str]:
        """The pucks that are gone and may lie under, or touch, an arm that rests on the board.

        Of a shot: those that were last seen beside one, or on their way to it, and all if an arm came, or came to seem
        larger by a puck, since the shot began. Of what a hand took: if an arm that had been there did.
        """
        if self.now is None or frame_map is None:
            return []
        scale = np.array(self._seen_s.shape[::-1]) / frame_map.outside.shape[::-1]
        few, hidden = BEYOND * frame_map.puck_area * float(scale.prod()), list[str]()
        for motion in episode.shot.motions if episode.shot is not None else ():
            if motion.puck in episode.gone:
                at = frame_map.small_px(_way_on(motion, frame_map.view.board.size))
                beside = any(disc_share(self.now, x, y, 2 * frame_map.radius) > 0 for x, y in at)
                if beside or self._grew(motion.onset_s, few, whole=True):
                    hidden.append(motion.puck)
        ran = {m.puck for m in episode.shot.motions} if episode.shot is not None else set()
        for deed in episode.handled:
            taken = deed.kind == "removed" and deed.puck is not None and deed.puck not in ran
            if taken and self._grew(deed.time_s - CAME_S, few, whole=False):
                hidden.append(str(deed.puck))
        return hidden

    def _grew(self, since_s: float, few: float, *, whole: bool) -> bool:
        """True where what rests now came, or became larger by more than so many squares, since then. whole: where all
        of it came, too"""
        known = np.asarray(self._known_s >= self._time_s, dtype=np.uint8)
        new = self._since_s > since_s
        for piece in pieces(known):
            came = np.count_nonzero(new[piece.window][piece.inside > 0])
            if came > few and (whole or piece.pixels - came > few):
                return True
        return False

    def bar(self) -> None:
        """What rests there now counts as a hand for some seconds: a puck may be under it, or beside it."""
        self._barred_s[self._known_s >= self._time_s] = self._time_s

    @property
    def barred(self) -> bool:
        """True where something was barred of late: a puck beside it was not seen while it rested."""
        return bool((self._barred_s > self._time_s - BARRED_S).any())

    def laid(self, still: Mask, frame_map: FrameMap, places_mm: Places) -> Mask:
        """The pieces of what never seems to stir, of 0 and 1, that have lain there for long, far from any puck: things
        that were laid down."""
        if self._seen_s.size == 0:
            return np.zeros_like(still)
        long_ago = self._time_s - LAID_S
        lies = (self._seen_s > self._time_s - GONE_S) & (self._since_s < long_ago) & (self._stirred_s < long_ago)
        not_so = np.asarray(~lies, dtype=np.uint8)
        off = np.asarray(cv2.resize(not_so, still.shape[::-1], interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
        for x, y in frame_map.small_px(places_mm):
            cv2.circle(off, (round(x), round(y)), round(NEAR * frame_map.radius), 1, -1)
        out = still.copy()
        for piece in pieces(still):
            if cv2.countNonZero(cv2.bitwise_and(piece.inside, off[piece.window])) > LEAST * frame_map.puck_area:
                out[piece.window][piece.inside > 0] = 0
        return out

    def _arms(self, there: Mask, change: Mask, frame_map: FrameMap, places_mm: Places) -> Mask:
        """The squares of arms. Takes in what reaches in. there: (rows, columns) of 0 and 1"""
        shape = there.shape[::-1]
        outside = cv2.resize(frame_map.outside, shape, interpolation=cv2.INTER_AREA)
        scale = np.array(shape) / change.shape[::-1]
        area, radius = frame_map.puck_area * scale.prod(), frame_map.radius * float(scale.mean())
        near = np.zeros_like(there)
        for x, y in (frame_map.small_px(places_mm) * scale - 0.5).tolist():
            cv2.circle(near, (round(x), round(y)), round(NEAR * radius), 1, -1)
        arms, around = np.zeros_like(there), np.zeros_like(there)
        two = np.ones((2, 2), np.uint8)  # with one anchor for both its steps an opening would shift what it leaves
        solid = cv2.dilate(cv2.erode(there, two), two, anchor=(0, 0))
        for piece in pieces(np.asarray(solid, dtype=np.uint8), LEAST * area):
            beside = cv2.countNonZero(cv2.bitwise_and(piece.inside, outside[piece.window]))
            if min(beside, piece.pixels - beside) <= LEAST * area:
                continue
            around[piece.window] |= piece.inside
            if self._lies(piece, near, BEYOND * area) and (
                self._apart(piece, BEYOND * area) or not _has_left(change, frame_map, places_mm)
            ):
                arms[piece.window] |= piece.inside
        around = np.asarray(cv2.dilate(around, _disc(ROUND * radius)), dtype=np.uint8)
        new = (around > 0) & (self._seen_s <= self._time_s - GONE_S)
        self._since_s[new] = self._time_s
        self._seen_s[around > 0] = self._time_s
        fingers = cv2.bitwise_and(there, cv2.dilate(arms, _disc(radius)))
        return reaching(np.asarray(cv2.bitwise_or(arms, fingers), dtype=np.uint8), arms, 0)

    def _lies(self, piece: Piece, near: Mask, few: float) -> bool:
        """True where a piece of what reaches in has been lying where it lies. near: of 0 and 1, around pucks"""
        time_s, window, inside = self._time_s, piece.window, piece.inside > 0
        lately, barred_s, near_s = time_s - GONE_S, self._barred_s[window], self._near_s[window]
        barred = bool((barred_s[inside] > time_s - BARRED_S).any())
        is_near = cv2.hasNonZero(cv2.bitwise_and(piece.inside, near[window]))
        for_s = np.where(self._seen_s[window][inside] > lately, time_s - self._since_s[window][inside], 0.0)
        known = self._known_s[window][inside] > lately
        marked = (near_s[inside] > lately) & ~known
        if is_near or np.count_nonzero(marked) > few:
            near_s[inside] = np.where(marked | ((for_s < CAME_S) & ~known), time_s, near_s[inside])
        lasts_s = LASTS_S if np.count_nonzero(marked) > few else APART_S
        if barred or is_near or np.count_nonzero(for_s < lasts_s) > few:
            return False
        return bool((self._stirred_s[window][inside] > time_s - (STILL_S if known.any() else ALIVE_S)).any())

    def _apart(self, piece: Piece, few: float) -> bool:
        """True where a piece did not hang together, when it came, with what was near a puck, or has been lying there
        for longer than a hand lies on one."""
        inside, lately = piece.inside > 0, self._time_s - GONE_S
        near_s, known_s, since_s = (
            seconds[piece.window][inside] for seconds in (self._near_s, self._known_s, self._since_s)
        )
        held = (near_s > lately) & (known_s <= lately) & (self._time_s - since_s < HELD_S)
        return int(np.count_nonzero(held)) <= few


class _Squares:
    """The mean colours of squares of frames, of the board at rest, and of a frame of a moment ago."""

    def __init__(self) -> None:
        self._rested: BoardAtRest | None = None
        self._at_rest: Image = np.zeros((0, 0, 3), np.uint8)
        self._ago_s, self._ago = -math.inf, self._at_rest

    def differing(
        self, frame: Frame, rested: BoardAtRest, coarse: CoarseChange, threshold: float
    ) -> tuple[Mask, NDArray[np.bool_]]:
        """Where a frame differs from the board at rest, of 0 and 1, and where something has stirred since a moment
        ago."""
        if rested is not self._rested:
            self._rested, self._at_rest = rested, _coloured(rested.image, rested.frame_map)
        now, time_s = _coloured(frame.image, rested.frame_map), frame.time_s
        light = cv2.resize(coarse.light(), now.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        lit = np.asarray(cv2.multiply(self._at_rest, light, dtype=cv2.CV_8U), dtype=np.uint8)
        least = np.maximum(lit * np.float32(LEVEL_SHARE), max(LEVEL, threshold * LEVEL_NOISE))
        there = np.asarray(_any(cv2.absdiff(now, lit) > least), dtype=np.uint8)
        stirred = np.zeros(there.shape, np.bool_)
        if time_s - self._ago_s >= STIR_S:
            if time_s - self._ago_s < GONE_S and self._ago.shape == now.shape:
                ratio = median_colour(((now + np.float32(2.0)) / (self._ago + np.float32(2.0))).reshape(-1, 3))
                change = np.abs(now - self._ago * ratio) - STIR_SHARE * now
                stirred = _any(change > STIR_LEVEL)
            self._ago_s, self._ago = time_s, now
        return there, stirred


def _any(differs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where any of three colours differs. (rows, columns, 3) -> (rows, columns)"""
    b, g, r = colour_planes(differs)
    return np.asarray(b | g | r)


def _coloured(image: Image, frame_map: FrameMap) -> Image:
    """The mean colours of squares of the board's part of a frame. -> (rows, columns, 3)"""
    side = max(round(SQUARE * frame_map.native_radius), 1)
    few = every(image, frame_map.view.roi, max(side // SAMPLES, 1))
    x0, y0, x1, y1 = frame_map.view.roi
    size = (max((x1 - x0) // side, 1), max((y1 - y0) // side, 1))
    return np.asarray(cv2.resize(few, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _way_on(motion: Motion, size: tuple[float, float]) -> list[Place]:
    """Where a puck was last seen, and where it would have run on to, as far as the board's edge."""
    (x, y), ahead = motion.places_mm[-1], motion.last_direction()
    way = [(float(x), float(y))]
    while ahead is not None and len(way) < WAY_ON and 0 < way[-1][0] < size[0] and 0 < way[-1][1] < size[1]:
        way.append((way[-1][0] + STEP_MM * ahead[0], way[-1][1] + STEP_MM * ahead[1]))
    return way


def _has_left(change: Mask, frame_map: FrameMap, places_mm: Places) -> bool:
    """True where a puck seems not to lie where it lay."""
    at = frame_map.small_px(places_mm)
    return any(disc_share(change, x, y, frame_map.radius) > LEFT_SHARE for x, y in at)


def _disc(radius: float) -> Mask:
    size = 2 * round(radius) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)


__all__ = ["UNDER_ARM", "RestingArms"]
