"""What the camera over the table sees, frame by frame.

The still part is rendered once; a frame copies it, draws what moves, and adds what a camera adds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.pose import Pose
from vision.boxes import Box, crossing
from vision.frames import Image
from vision.virtual_table.handart import HandPainter, HandSeen
from vision.virtual_table.looks import Look
from vision.virtual_table.physics import Puck
from vision.virtual_table.scene import WHERE_IT_WAS, Occluder, Reef, ScenePainter, StaticScene
from vision.virtual_table.sprites import PuckPainter, Sprite

FloatImage = NDArray[np.float32]
NoisePool = tuple[tuple[Image, Image], ...]

NOISE_FRAMES = 6  # drawn once, and then shown at changing places: noise is dear
NOISE_MARGIN_PX = 48  # by which these places differ at the most
EXPOSURE_SAMPLES = 24  # moments of an exposure at which a moving puck is drawn
MAINS_HZ = 50.0  # lamps flicker at twice that
SWAY_HZ, SWAY_S = 7.0, 0.25  # of a camera on an arm: how fast it swings, and the time in which that dies down to 1/e
SWAY_DOWN = 0.4  # how far it swings along the columns, for what it swings along the rows
SWAY_LEAST_PX = 0.01  # less is not drawn
STILL_PX = 0.02  # a puck that moves less within an exposure is drawn as lying


@dataclass(frozen=True, slots=True)
class Moving:
    """A puck in motion during an exposure: places (N, 2) mm at equal steps of time; lift_mm above the surface."""

    puck: Puck
    places: NDArray[np.float64]
    lift_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class View:
    """What there is to see in one exposure."""

    time_s: float
    resting: tuple[Puck, ...]
    moving: tuple[Moving, ...] = ()
    hands: tuple[HandSeen, ...] = ()


class Films(Protocol):
    """What films a table. struck_s: at which of the table's times it was struck, by which a camera on an arm swings"""

    struck_s: list[float]

    def see_from(self, pose: Pose, laid: NDArray[np.float64] = WHERE_IT_WAS) -> None:
        """Puts the camera elsewhere, or the board. laid: (2, 3) from board millimetres to those of the table"""

    def render(self, view: View) -> Image:
        """(H, W, 3) BGR: the view as the camera gives it."""


class Renderer:
    """Renders views of one table. Deterministic for the same sequence of views, look and seed."""

    def __init__(self, board: Board, reefs: Sequence[Reef], pose: Pose, look: Look, seed: int = 0) -> None:
        self.board, self.look, self.seed = board, look, seed
        angle, self.noise, self.drift = _drawn(seed, look.noise, look.size)
        self.light_mm = (math.cos(angle) * 0.8, math.sin(angle) * 0.8)
        self.scene_painter = ScenePainter(board, reefs, look, self.light_mm, seed)
        self.hand_painter = HandPainter(look, self.light_mm, seed)
        self.count = 0
        self.struck_s: list[float] = []  # when the table was
        self._still: tuple[tuple[Puck, ...], Image, tuple[tuple[Puck, Sprite], ...]] | None = None
        self.see_from(pose)

    def see_from(self, pose: Pose, laid: NDArray[np.float64] = WHERE_IT_WAS) -> None:
        """Puts the camera elsewhere, or the board. laid: (2, 3) from board millimetres to those of the table"""
        self.pose = pose
        self.camera = pose.camera_mm()
        self.static: StaticScene = self.scene_painter.render(pose, laid)
        self.static_u8: Image = np.clip(self.static.picture + 0.5, 0, 255).astype(np.uint8)
        self.puck_painter = PuckPainter(self.board, pose, self.look, self.light_mm)
        self._still = None

    def render(self, view: View) -> Image:
        """(H, W, 3) BGR: the view as the camera gives it."""
        still, sprites = self._still_layer(view.resting)
        picture = still.copy()
        for puck, sprite in self._moving_sprites(view.moving):
            self._draw(picture, puck, sprite)
            for other, neighbour in sprites:
                if crossing(sprite.box, neighbour.box) and self._far(other) < self._far(puck):
                    self._draw(picture, other, neighbour, shadow=False)
        for hand in view.hands:
            self.hand_painter.draw(picture, hand, self.pose, self.static.light)
        return self._camera(picture, view.time_s)

    # -- pucks -------------------------------------------------------------------------------------
    def _far(self, puck: Puck) -> float:
        return math.dist((puck.x_mm, puck.y_mm), (self.camera[0], self.camera[1]))

    def _lift(self, puck: Puck) -> float:
        """A puck that left the surface lies on the rim, or beyond it."""
        w, h = self.board.size
        rim = self.board.rim
        beyond = max(-puck.x_mm, puck.x_mm - w, -puck.y_mm, puck.y_mm - h)
        if rim is None or beyond <= 0:
            return 0.0
        return rim.height_mm if beyond < rim.width_mm + self.board.puck.radius_mm else -8.0

    def _still_layer(self, resting: tuple[Puck, ...]) -> tuple[Image, tuple[tuple[Puck, Sprite], ...]]:
        if self._still is None or self._still[0] != resting:
            picture = self.static_u8.copy()
            known = dict(self._still[2]) if self._still else {}
            order = sorted(resting, key=self._far, reverse=True)
            sprites = tuple((p, known.get(p) or self.puck_painter.sprite(p, self._lift(p))) for p in order)
            for puck, sprite in sprites:
                self._draw(picture, puck, sprite)
            self._still = (resting, picture, sprites)
        return self._still[1], self._still[2]

    def _moving_sprites(self, moving: tuple[Moving, ...]) -> list[tuple[Puck, Sprite]]:
        out = []
        for item in sorted(moving, key=lambda m: -self._far(m.puck)):
            lift = item.lift_mm or self._lift(item.puck)
            spread = (
                float(np.ptp(item.places, axis=0).max())
                * self.pose.lens.focal_px
                / float(np.linalg.norm(self.pose.tvec))
            )
            if spread < STILL_PX:
                out.append((item.puck, self.puck_painter.sprite(item.puck, lift)))
            else:
                out.append((item.puck, self.puck_painter.blurred(item.puck, item.places, lift)))
        return out

    def _draw(self, picture: Image, puck: Puck, sprite: Sprite, shadow: bool = True) -> None:
        h, w = picture.shape[:2]
        x0, y0, x1, y1 = sprite.box
        cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x1, w), min(y1, h)
        if cx1 <= cx0 or cy1 <= cy0:
            return
        inner = (slice(cy0 - y0, cy1 - y0), slice(cx0 - x0, cx1 - x0))
        cover, colour = sprite.cover[inner], sprite.colour[inner]
        place = (slice(cy0, cy1), slice(cx0, cx1))
        light = self.static.light[place][..., None] * np.array(self.look.gain_bgr, np.float32)
        keep = (1 - cover) * (1 - sprite.shade[inner]) if shadow else 1 - cover
        seen = np.clip(picture[place] * keep[..., None] + colour * light + 0.5, 0, 255).astype(np.uint8)
        for occluder in self.static.occluders:
            self._hide(seen, cover, occluder, (cx0, cy0, cx1, cy1), puck)
        picture[place] = seen

    def _hide(self, seen: Image, cover: FloatImage, occluder: Occluder, box: Box, puck: Puck) -> None:
        """Lets a block cover the puck behind it; one that does not is at least free of the puck's shadow."""
        oh, ow = occluder.mask.shape
        cross = crossing(box, (occluder.x0, occluder.y0, occluder.x0 + ow, occluder.y0 + oh))
        if cross is None:
            return
        x0, y0, x1, y1 = cross
        mask = occluder.mask[y0 - occluder.y0 : y1 - occluder.y0, x0 - occluder.x0 : x1 - occluder.x0]
        a = mask[..., None].astype(np.float32) / 255
        part = (slice(y0 - box[1], y1 - box[1]), slice(x0 - box[0], x1 - box[0]))
        if not self._behind(puck, occluder):
            a = a * (cover[part] == 0)[..., None]
        seen[part] = (seen[part] * (1 - a) + self.static_u8[y0:y1, x0:x1] * a + 0.5).astype(np.uint8)

    def _behind(self, puck: Puck, occluder: Occluder) -> bool:
        """True where a side of the block separates it from the puck, with the camera's foot on the block's side."""
        points = np.array(occluder.block.polygon)
        ends = np.roll(points, -1, axis=0)
        edges = ends - points
        normals = np.column_stack([edges[:, 1], -edges[:, 0]])
        middle = points.mean(axis=0)
        normals *= np.sign(((points - middle) * normals).sum(axis=1))[:, None]
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        puck_out = ((np.array([puck.x_mm, puck.y_mm]) - points) * normals).sum(axis=1)
        camera_out = ((self.camera[:2] - points) * normals).sum(axis=1)
        side = int(np.argmax(puck_out))
        return bool(puck_out[side] > 0 and camera_out[side] < puck_out[side] and camera_out[side] < 0)

    # -- camera ------------------------------------------------------------------------------------
    def gain(self, time_s: float) -> tuple[float, float, float]:
        """Blue, green, red: what flicker and the room's light make of the picture at a time."""
        look, d = self.look, self.drift
        flicker = 1.0
        if not look.readout_s:
            flicker += look.flicker * math.sin(2 * math.pi * 2 * MAINS_HZ * time_s + d[0] + 0.37 * self.count)
        level, cast = 1.0, 0.0
        if look.light_change:
            level -= look.light_change * (0.5 - 0.5 * math.cos(0.31 * time_s + d[1]))
            level -= look.light_change * 0.6 * (math.sin(0.17 * time_s + d[2]) > 0.55)
            cast = 0.25 * look.light_change * math.sin(0.23 * time_s + d[3])
        return flicker * level * (1 + cast), flicker * level, flicker * level * (1 - cast)

    def _camera(self, picture: Image, time_s: float) -> Image:
        if self.look.sway_px:
            picture = self._swayed(picture, time_s)
        gains = self.gain(time_s)
        if any(abs(g - 1) > 1e-6 for g in gains):
            one = gains[:1] if gains[0] == gains[1] == gains[2] else gains  # twice as fast
            table = np.clip(np.outer(np.arange(256), one) + 0.5, 0, 255).astype(np.uint8)[:, None, :]
            picture = np.asarray(cv2.LUT(picture, table), np.uint8)
        if self.look.readout_s and self.look.flicker:
            self._stripes(picture, time_s)
        if self.look.people:
            self._people(picture, time_s)
        if self.noise:
            self._add_noise(picture)
        self.count += 1
        return picture

    def _row_times(self, time_s: float) -> NDArray[np.float64]:
        """(H,) when each row of a frame is exposed, in the middle of its exposure."""
        rows = (np.arange(self.look.size[1]) + 0.5) / self.look.size[1]
        return np.asarray(time_s + self.look.readout_s * (rows - 0.5))

    def _swayed(self, picture: Image, time_s: float) -> Image:
        """The picture as a camera sees it that swings since the table was struck, each row at its own time."""
        times = self._row_times(time_s)
        since = times[:, None] - np.array([s for s in self.struck_s if time_s - 8 * SWAY_S < s < times[-1]])
        swings = np.exp(-np.maximum(since, 0) / SWAY_S) * np.sin(2 * np.pi * SWAY_HZ * np.maximum(since, 0))
        w, h = self.look.size
        across = (self.look.sway_px * w / 1280 * swings.sum(axis=1)).astype(np.float32)
        if float(np.abs(across).max()) < SWAY_LEAST_PX:
            return picture
        down = np.arange(h, dtype=np.float32) + np.float32(SWAY_DOWN) * across
        maps = (np.arange(w, dtype=np.float32) + across[:, None], np.repeat(down[:, None], w, axis=1))
        return np.asarray(cv2.remap(picture, *maps, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def _stripes(self, picture: Image, time_s: float) -> None:
        """What the lamps' flicker makes of rows that are exposed one after the other."""
        phases = 2 * math.pi * 2 * MAINS_HZ * self._row_times(time_s) + self.drift[0]
        gains = np.rint(128 * (1 + self.look.flicker * np.sin(phases))).astype(np.uint8)
        full = np.repeat(gains[:, None], self.look.size[0], axis=1)
        cv2.multiply(picture, cv2.merge([full, full, full]), dst=picture, scale=1 / 128)

    def _people(self, picture: Image, time_s: float) -> None:
        """The shadow of somebody who leans over and walks by."""
        h, w = picture.shape[:2]
        x = (0.5 + 0.75 * math.sin(0.21 * time_s + self.drift[4])) * w
        y = (0.5 + 0.8 * math.sin(0.13 * time_s + self.drift[5])) * h
        gy, gx = np.mgrid[0:36, 0:64].astype(np.float32)
        d2 = ((gx * w / 64 - x) ** 2 + 1.5 * (gy * h / 36 - y) ** 2) / (0.26 * w) ** 2
        shade = np.asarray(255 * (1 - self.look.people * np.exp(-d2)), np.uint8)
        full = cv2.resize(shade, (w, h), interpolation=cv2.INTER_CUBIC)
        cv2.multiply(picture, cv2.merge([full, full, full]), dst=picture, scale=1 / 255)

    def _add_noise(self, picture: Image) -> None:
        h, w = picture.shape[:2]
        # A cheap walk through the pool that repeats only after many frames.
        dx, dy = (self.count * 29) % NOISE_MARGIN_PX, (self.count * 17) % NOISE_MARGIN_PX
        more, less = self.noise[self.count % len(self.noise)]
        cv2.add(picture, more[dy : dy + h, dx : dx + w], dst=picture)
        cv2.subtract(picture, less[dy : dy + h, dx : dx + w], dst=picture)


@lru_cache(maxsize=2)
def _drawn(seed: int, noise: float, size: tuple[int, int]) -> tuple[float, NoisePool, NDArray[np.float64]]:
    """What chance decides: where the lamp is (rad), the camera's noise, and phases of what changes by and by (6,)."""
    rng = np.random.default_rng((seed, 7))
    return rng.uniform(0, 2 * math.pi), _noise_pool(noise, size, rng), rng.uniform(0, 2 * math.pi, 6)


def _noise_pool(noise: float, size: tuple[int, int], rng: np.random.Generator) -> NoisePool:
    """Pairs of pictures to add and to take away: a sensor's noise, a little smeared as raw conversion does."""
    if noise <= 0:
        return ()
    w, h = size
    pool = []
    for _ in range(NOISE_FRAMES):
        grain = rng.standard_normal((h + NOISE_MARGIN_PX, w + NOISE_MARGIN_PX, 3), dtype=np.float32)
        grain = cv2.GaussianBlur(grain, (3, 3), 0.55) * np.float32(noise * 1.5)
        more, less = (np.clip(part, 0, 255, out=part).astype(np.uint8) for part in (grain + 0.5, 0.5 - grain))
        pool.append((more, less))
    return tuple(pool)


