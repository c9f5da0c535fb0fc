"""A puck as it lies at rest in a film: where exactly, its top, its side and its shadow, to draw it anew elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.flick_ways import Spot, puck_px
from calibration.pose import Pose

FloatArray = NDArray[np.float64]

LEAST_STEP = 1 / 18  # the puck is drawn in steps of a pixel, or of this share of its radius where pixels are smaller
REST_SPOTS = 2  # the latest frames of the puck at rest: coding a film leaves traces of motion in the first
# the middle of what differs from the ground and the puck's own lie no further apart: a shadow is no larger
MOST_OFF_MM = 9.0
SHADE = (-0.05, 0.6)  # a shadow takes this share of the light at most; noise looks like a little more light
SHADOW_REACH = 1.8  # radii within which a puck's shadow lies
PUCK_SHADE = (0.35, 1.25)  # how much darker its side, or brighter its gloss, is than the puck's paint
LOOKED = 1.9  # radii around a puck's place in which its middle is looked for
MOST_LEVELS = 60.0  # a pixel that fits worse than this is something else, however much worse
PAINT = (0.6, 0.9)  # radii between which the top shows plain paint: its number is inside
PRINT = 0.7  # radii within which the print lies …
PRINT_LEVELS = 12.0  # standard deviation of a top with a print, by which its turning can be seen
# where a puck's middle is looked for: first over a grid, then in steps downhill
COARSE_MM = (-6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0)
FINE_MM = (1.0, 0.5, 0.25, 0.12)
KNOWN = 0.05  # weight of what is known around a pixel, from which it is told by that
# a shadow goes on beneath the puck as it is beside it: blurred by the first, or further inside by the second
SPREAD_PX = (1.5, 4.0)


class Window:
    """A grid of places at a puck's top, x along a direction; sample(): what is seen there."""

    def __init__(self, middle: FloatArray, along: FloatArray, reach: tuple[float, float], step: float) -> None:
        xs, ys = (np.arange(-r, r + step / 2, step) for r in reach)
        self.x, self.y = np.meshgrid(xs, ys)
        self.middle, self.along, self.step = middle, along, step

    def pixels(self, pose: Pose, height_mm: float) -> FloatArray:
        """(H, W, 2) where the camera sees them."""
        across = np.array([-self.along[1], self.along[0]])
        places = self.middle + self.x[..., None] * self.along + self.y[..., None] * across
        points = np.column_stack([places.reshape(-1, 2), np.full(places.size // 2, height_mm)])
        return pose.image_from_board(points).reshape(places.shape)


def sampled(spots: Sequence[Spot], pixels: FloatArray) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """What was seen at pixels (H, W, 2), the ground there, both (H, W, 3) means over spots, and where that is known."""
    shown, ground = np.zeros((*pixels.shape[:2], 3)), np.zeros((*pixels.shape[:2], 3))
    known = np.ones(pixels.shape[:2], dtype=bool)
    for spot in spots:
        x, y = ((pixels[..., axis] - spot.corner[axis]).astype(np.float32) for axis in (0, 1))
        for source, total in ((spot.image, shown), (spot.ground, ground)):
            total += _pick(source.astype(np.float32), x, y, cv2.INTER_CUBIC, cv2.BORDER_REPLICATE) / len(spots)
        h, w = spot.image.shape[:2]
        known &= (x > 0.5) & (y > 0.5) & (x < w - 1.5) & (y < h - 1.5)
    return shown, ground, known


def _pick(
    image: NDArray[np.float32], x: NDArray[np.float32], y: NDArray[np.float32], how: int = cv2.INTER_LINEAR,
    border: int = cv2.BORDER_CONSTANT,
) -> NDArray[np.float32]:  # fmt: skip
    return np.asarray(cv2.remap(image, x, y, how, borderMode=border), dtype=np.float32)


class PuckAtRest:
    """A puck as it lies: where exactly, its top and its shadow. whole: it looks like a puck, where it was seen."""

    def __init__(self, rest: Sequence[Spot], board: Board, pose: Pose) -> None:
        self.board, self.pose, self.camera = board, pose, pose.camera_mm()
        radius = self.radius = board.puck.radius_mm
        seen_at = np.mean([s.place_mm for s in rest[:REST_SPOTS]], axis=0)
        diameter_px = puck_px(pose, board, (float(seen_at[0]), float(seen_at[1])))
        self.step = max(2 * radius / diameter_px, LEAST_STEP * radius)
        self.place = self._find_middle(rest[:REST_SPOTS], seen_at)
        self.off_mm = self.place - seen_at
        self.whole = float(np.hypot(*self.off_mm)) < MOST_OFF_MM
        window = self._window = Window(self.place, np.array([1.0, 0.0]), (2 * radius, 2 * radius), self.step)
        shown, ground, known = sampled(rest[:REST_SPOTS], window.pixels(pose, board.puck.height_mm))
        self.top = self._spread_top(shown)
        away = np.hypot(window.x, window.y)
        self.paint = np.median(shown[(away > PAINT[0] * radius) & (away < PAINT[1] * radius)], axis=0)
        self.printed = float(np.std(shown[away < PRINT * radius], axis=0).mean()) > PRINT_LEVELS
        self.shadow = self._shadow(shown, ground, known, away)

    def covers(self, window: Window, place: FloatArray, at: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """(H, W) share of each pixel that the top covers, and that top and side do; at: (2,) where, in the window.

        The side is seen where the camera does not look straight down: its foot is shifted towards the camera's foot
        and smaller. place: on the board, mm.
        """
        nearer = 1 - self.board.puck.height_mm / float(self.camera[2])
        lean = (self.camera[:2] - place) * (1 - nearer)
        across = np.array([-window.along[1], window.along[0]])
        fx, fy = float(lean @ window.along), float(lean @ across)
        x, y = (window.x, window.y) if at is None else (window.x - at[0], window.y - at[1])
        share = np.clip((x * fx + y * fy) / max(fx * fx + fy * fy, 1e-9), 0, 1)
        beyond = np.hypot(x - share * fx, y - share * fy) - self.radius * (1 + (nearer - 1) * share)
        top = np.clip(0.5 - (np.hypot(x, y) - self.radius) / window.step, 0, 1)
        return top, np.maximum(np.clip(0.5 - beyond / window.step, 0, 1), top)

    def _find_middle(self, rest: Sequence[Spot], near: FloatArray) -> FloatArray:
        """Where the puck best parts what shows its paint from what shows the ground, each however shaded."""
        window = Window(near, np.array([1.0, 0.0]), (LOOKED * self.radius, LOOKED * self.radius), self.step)
        shown, ground, _ = sampled(rest, window.pixels(self.pose, self.board.puck.height_mm))
        shade = np.clip(1 - _ratio(shown, ground), *SHADE)[..., None]
        as_ground = np.minimum(np.abs(shown - ground * (1 - shade)).max(-1), MOST_LEVELS)

        def misfit(at: FloatArray) -> float:
            cover = self.covers(window, near + at, at)[1]
            away = np.hypot(window.x - at[0], window.y - at[1])
            band = (away > PAINT[0] * self.radius) & (away < PAINT[1] * self.radius)
            paint = np.median(shown[band], axis=0)
            shaded = np.clip(_ratio(shown, paint), *PUCK_SHADE)[..., None] * paint
            as_puck = np.where(away < PAINT[0] * self.radius, 0.0, np.abs(shown - shaded).max(-1))
            return float(((1 - cover) * as_ground + cover * np.minimum(as_puck, MOST_LEVELS)).mean())

        return near + _lowest(misfit)

    def _spread_top(self, shown: FloatArray) -> NDArray[np.float32]:
        """The top without its edge: what is two steps inside goes on outwards."""
        window = self._window
        inside = self.radius - 2 * window.step
        less = np.minimum(inside / np.maximum(np.hypot(window.x, window.y), 1e-6), 1.0)
        return _pick(shown.astype(np.float32), *self._cells(window.x * less, window.y * less))

    def _shadow(
        self, shown: FloatArray, ground: FloatArray, known: NDArray[np.bool_], away: FloatArray
    ) -> NDArray[np.float32]:
        """(H, W) share of light that the puck takes from the ground; beneath the puck it is guessed from around it."""
        cover = self.covers(self._window, self.place)[1]
        free = known & (cv2.dilate((cover > 0).astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
        shade = np.clip(1 - _ratio(shown, ground), *SHADE)
        shade[away > SHADOW_REACH * self.radius] = 0.0
        near, wide = (_spread(shade, free, sigma) for sigma in SPREAD_PX)
        return np.where(free, shade, np.where(np.isnan(near), np.nan_to_num(wide), near)).astype(np.float32)

    def _cells(self, x: FloatArray, y: FloatArray) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Places from the puck's middle, mm, as cells of top and shadow."""
        left, upper, step = self._window.x[0, 0], self._window.y[0, 0], self._window.step
        return ((x - left) / step).astype(np.float32), ((y - upper) / step).astype(np.float32)

    def seen_along(self, window: Window, turn_rad: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Top, turned, and shadow as they lie in a window along another direction."""
        (ux, uy), (c, s) = window.along, (np.cos(turn_rad), np.sin(turn_rad))
        x, y = window.x * ux - window.y * uy, window.x * uy + window.y * ux
        return _pick(self.top, *self._cells(c * x + s * y, c * y - s * x)), _pick(self.shadow, *self._cells(x, y))


def _lowest(misfit: Callable[[FloatArray], float]) -> FloatArray:
    """(2,) where a misfit is least, by steps downhill from the best place of a grid."""
    best = min((np.array([x, y]) for x in COARSE_MM for y in COARSE_MM), key=misfit)
    least = misfit(best)
    for step in FINE_MM:
        while True:
            beside = min((best + step * np.array(way) for way in ((1, 0), (-1, 0), (0, 1), (0, -1))), key=misfit)
            if misfit(beside) >= least:
                break
            best, least = beside, misfit(beside)
    return best


def _ratio(shown: FloatArray, against: FloatArray) -> FloatArray:
    """(H, W) how bright a picture is in the direction of another's colours."""
    return np.asarray((shown * against).sum(-1) / np.maximum((against * against).sum(-1), 1.0), dtype=np.float64)


def _spread(values: FloatArray, known: NDArray[np.bool_], sigma: float) -> FloatArray:
    """Values blurred from where they are known; nan where none is near."""
    weight = cv2.GaussianBlur(known.astype(np.float64), (0, 0), sigma)
    total = cv2.GaussianBlur(np.where(known, values, 0.0), (0, 0), sigma)
    return np.asarray(np.where(weight > KNOWN, total / np.maximum(weight, 1e-6), np.nan), dtype=np.float64)
