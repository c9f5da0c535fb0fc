"""Pucks that slide and come to rest in a film: where each was in the frames before, and what was seen there."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.pose import Pose

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

# the board as it was: the median of so many frames, so far apart; what moved through is gone
BACKGROUND_FRAMES = 7
BACKGROUND_EVERY_S = 0.25
KEPT_S = 1.6  # a flicked puck slides for a second at most
# motion is looked for in pictures so small that a puck has this diameter; its blur is measured in the large ones
PUCK_SEEN_PX = 15.0
LEVELS = 10.0  # gray levels (strongest channel) by which something differs from the board as it was
# the room's light is compared over so many cells across: a puck is smaller than the five that are smoothed
LIGHT_CELLS = 24
# factors between which the room's light may change since then: what is beyond is something that came or went
LIGHT_CHANGE = (0.5, 2.0)
AREA_PUCKS = (0.3, 9.0)  # area of a moving puck with its streak and shadow, in pucks
HAND_PUCKS = 12.0  # what is larger is a hand; a puck in its bounding box is not measured
MARGIN_PUCKS = 0.9  # around what moves this much more is kept, in diameters
REST_S = 0.12  # so long a puck lies still until it counts as come to rest
STILL = 0.12  # what moves by less than this, in diameters, lies still
FIRST_STEP = 0.9  # largest step, in diameters, from the frame before rest
# no friction slows a puck down faster: from one frame to the next its step shrinks by no more than this times t²
DECELERATION_MM_S2 = 12600.0
STEP_SLACK = 0.1  # share by which a step may be longer than friction allows: places are seen through blur
# going back in time a step is at least this share of the one after it, less what the place is uncertain by
STEP_SHARE, STEP_LOSS_MM = 0.75, 2.0
STRAIGHT_COS = 0.95  # cosine of the angle between two steps of a straight way: 18 degrees
STRAIGHT_MM_S = 180.0  # above this speed the way is straight
FAST_MM_S = 250.0  # what never goes faster has no blur to be measured


@dataclass(frozen=True, slots=True)
class Spot:
    """Something that differs from the board as it was, cut out with some margin.

    place_mm: (2,) its middle, at a puck's top; corner: (x, y) pixel of the cut's first; image, ground: (h, w, 3) what
    is there, and the board as it was in the same light; crowded: a hand is beside it.
    """

    place_mm: FloatArray
    corner: tuple[int, int]
    image: Image
    ground: Image
    crowded: bool


@dataclass(frozen=True, slots=True)
class Way:
    """A puck that came to rest: as it lies there, and in the frames before, the latest first, without a gap."""

    rest: tuple[Spot, ...]
    spots: tuple[Spot, ...]

    def speeds_mm_s(self, fps: float) -> FloatArray:
        """(N - 2,) speeds in the middles of the frames, of the spots from the second to the last but one."""
        places = np.array([s.place_mm for s in self.spots])
        return np.asarray(np.linalg.norm(places[:-2] - places[2:], axis=1) * fps / 2, dtype=np.float64)


class FlickWatch:
    """Watches a film frame by frame for pucks that come to rest after a fast slide; ways: what was found."""

    def __init__(self, board: Board, pose: Pose, fps: float) -> None:
        self._board, self._pose, self._fps = board, pose, fps
        w, h = board.size
        outline = pose.image_from_board(np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], dtype=np.float64))
        width, height = pose.lens.image_size
        x, y, across, down = cv2.boundingRect(outline.astype(np.float32))
        self._x0, self._y0 = max(x, 0), max(y, 0)
        self._x1, self._y1 = min(x + across, width), min(y + down, height)
        self._puck_px = puck_px(pose, board, (w / 2, h / 2))
        self._less = max(round(self._puck_px / PUCK_SEEN_PX), 1)
        self._mask = self._small_mask(outline)
        self._past: deque[tuple[Image, Image]] = deque(maxlen=BACKGROUND_FRAMES)
        self._background: Image | None = None
        self._frames: deque[list[Spot]] = deque(maxlen=round(KEPT_S * fps) + 2)
        self._count = 0
        self._rest_frames = max(round(REST_S * fps), 2)
        self.ways: list[Way] = []
        self.moving = False

    def see(self, image: Image) -> None:
        """Takes the next frame; image: (H, W, 3) BGR."""
        area = np.ascontiguousarray(image[self._y0 : self._y1, self._x0 : self._x1])
        if not area.size:
            return
        small = self._small(area)
        if self._count % max(round(BACKGROUND_EVERY_S * self._fps), 1) == 0:
            self._past.append((area, small))
            self._background = None
        self._count += 1
        if len(self._past) < BACKGROUND_FRAMES:
            return
        if self._background is None:
            self._background = _median([one for _, one in self._past])
        self._frames.append(self._spots(area, small))
        self.moving = bool(self._frames[-1])
        if len(self._frames) > self._rest_frames + 2:
            self._find_rest()

    def _small_mask(self, outline: FloatArray) -> Image:
        size = (max(self._x1 - self._x0, 0) // self._less, max(self._y1 - self._y0, 0) // self._less)
        mask = np.zeros(size[::-1], dtype=np.uint8)
        cv2.fillConvexPoly(mask, np.round((outline - (self._x0, self._y0)) / self._less).astype(np.int32), (1,))
        return mask

    def _small(self, area: Image) -> Image:
        if self._less == 1:
            return area
        size = (area.shape[1] // self._less, area.shape[0] // self._less)
        cut = area[: size[1] * self._less, : size[0] * self._less]
        return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def _light(self, small: Image) -> NDArray[np.float32]:
        """(rows, columns, 3) how much brighter the frame is than the board as it was, pucks and hands smoothed out."""
        assert self._background is not None
        cells = (max(small.shape[1] // LIGHT_CELLS, 1), max(small.shape[0] // LIGHT_CELLS, 1))
        now, was = (cv2.resize(i, cells, interpolation=cv2.INTER_AREA).astype(np.float32) + 1
                    for i in (small, self._background))  # fmt: skip
        return np.asarray(cv2.medianBlur(np.clip(now / was, *LIGHT_CHANGE), 5), dtype=np.float32)

    def _spots(self, area: Image, small: Image) -> list[Spot]:
        """What differs from the board as it was and may be a puck with its streak."""
        assert self._background is not None
        size = (small.shape[1], small.shape[0])
        light = np.asarray(cv2.resize(self._light(small), size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
        b, g, r = cv2.split(cv2.absdiff(small, cv2.multiply(self._background, light, dtype=cv2.CV_8U)))
        apart = cv2.GaussianBlur(cv2.max(cv2.max(b, g), r), (0, 0), 1.0)
        on = ((apart > LEVELS) & (self._mask > 0)).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(on, connectivity=8)
        puck = np.pi / 4 * (self._puck_px / self._less) ** 2
        hands = [stats[n] for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] > HAND_PUCKS * puck]
        found = []
        for number in range(1, count):
            if AREA_PUCKS[0] * puck < stats[number, cv2.CC_STAT_AREA] < AREA_PUCKS[1] * puck:
                x, y, w, h = (int(v) for v in stats[number, :4])
                weight = np.where(labels[y : y + h, x : x + w] == number, apart[y : y + h, x : x + w], 0)
                middle = _middle(weight.astype(np.float64)) + (x, y)
                crowded = any(_meet((x, y, w, h), hand[:4]) for hand in hands)
                found.append(self._spot(area, middle, (x, y, w, h), light, crowded))
        return found

    def _spot(
        self, area: Image, middle: FloatArray, box: tuple[int, int, int, int], light: NDArray[np.float32],
        crowded: bool,
    ) -> Spot:  # fmt: skip
        """Cuts a spot out of the large picture. middle, box, light: in the small one."""
        less, margin = self._less, round(MARGIN_PUCKS * self._puck_px)
        x0, y0 = max(box[0] * less - margin, 0), max(box[1] * less - margin, 0)
        x1 = min((box[0] + box[2]) * less + margin, area.shape[1])
        y1 = min((box[1] + box[3]) * less + margin, area.shape[0])
        was = _median([one[y0:y1, x0:x1] for one, _ in self._past])
        gain = light[box[1] + box[3] // 2, box[0] + box[2] // 2].astype(np.float64)
        ground = np.clip(was * gain + 0.5, 0, 255).astype(np.uint8)
        pixel = (middle + 0.5) * less - 0.5 + (self._x0, self._y0)
        place = self._pose.board_from_image(pixel[None], self._board.puck.height_mm)[0]
        return Spot(place, (x0 + self._x0, y0 + self._y0), area[y0:y1, x0:x1].copy(), ground, crowded)

    def _find_rest(self) -> None:
        """A spot that lies where it lay for REST_S, and did not before, has come to rest: its way is traced back."""
        frames, near = list(self._frames)[::-1], STILL * self._board.puck.diameter_mm
        for spot in frames[0]:
            rest = [spot]
            for earlier in frames[1 : self._rest_frames]:
                same = [s for s in earlier if _apart(s, spot) < near]
                rest += same[:1]
            if len(rest) < self._rest_frames or any(_apart(s, spot) < near for s in frames[self._rest_frames]):
                continue
            way = Way(tuple(rest), tuple(self._trace(spot, frames[self._rest_frames :])))
            if len(way.spots) > 2 and way.speeds_mm_s(self._fps).max() > FAST_MM_S:
                self.ways.append(way)

    def _trace(self, rest: Spot, frames: list[list[Spot]]) -> list[Spot]:
        """Where a puck was before it came to rest; frames: the latest first. Going back it only gets faster."""
        way: list[Spot] = []
        last, step = rest.place_mm, np.zeros(2)
        for spots in frames:
            steps = [s.place_mm - last for s in spots]
            fitting = [n for n, one in enumerate(steps) if self._follows(one, step, first=not way)]
            if not fitting:
                break
            best = fitting[int(np.argmin([np.hypot(*(steps[n] - step)) for n in fitting]))]
            way.append(spots[best])
            last, step = spots[best].place_mm, steps[best]
        return way

    def _follows(self, one: FloatArray, after: FloatArray, first: bool) -> bool:
        """True where a step may come before another in time: about as long or longer, and in line with it."""
        length, known = float(np.hypot(*one)), float(np.hypot(*after))
        if first:
            return length < FIRST_STEP * self._board.puck.diameter_mm
        slower = max(DECELERATION_MM_S2 / self._fps**2, STEP_LOSS_MM + 1)
        if not STEP_SHARE * known - STEP_LOSS_MM <= length <= (1 + STEP_SLACK) * known + slower:
            return False
        return known * self._fps < STRAIGHT_MM_S or float(one @ after) > STRAIGHT_COS * length * known


def puck_px(pose: Pose, board: Board, place_mm: tuple[float, float]) -> float:
    """The diameter of a puck in the picture, pixels, at a place (x, y) on the board."""
    x, y = place_mm
    top, r = board.puck.height_mm, board.puck.radius_mm
    ends = np.array([[x - r, y, top], [x + r, y, top], [x, y - r, top], [x, y + r, top]])
    west, east, north, south = pose.image_from_board(ends)
    return float(np.sqrt(np.linalg.norm(east - west) * np.linalg.norm(south - north)))


def _median(images: list[Image]) -> Image:
    """The middle one of an odd number of pictures, pixel by pixel: the least of those left, taken out by and by."""
    left: list[Image] = images
    least = images[0]
    for _ in range(len(images) // 2 + 1):
        least, more = left[0], []
        for other in left[1:]:
            more.append(np.asarray(cv2.max(least, other), dtype=np.uint8))
            least = np.asarray(cv2.min(least, other), dtype=np.uint8)
        left = more
    return least


def _middle(weight: FloatArray) -> FloatArray:
    rows, columns = np.indices(weight.shape)
    return np.array([float((columns * weight).sum()), float((rows * weight).sum())]) / float(weight.sum())


def _apart(one: Spot, other: Spot) -> float:
    return float(np.hypot(*(one.place_mm - other.place_mm)))


def _meet(box: tuple[int, int, int, int], other: NDArray[np.int32]) -> bool:
    """True where boxes (x, y, w, h) meet."""
    (x, y, w, h), (ox, oy, ow, oh) = box, (int(v) for v in other)
    return x < ox + ow and ox < x + w and y < oy + oh and oy < y + h
