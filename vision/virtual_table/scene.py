"""The part of the picture that stands still: table, board, rim, markers, walls, reefs and their shadows.

Rendered once for a pose and a light, oversampled, exact to the lens; blocks keep a mask so that they can hide pucks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Marker, PolygonMm
from calibration.pose import Pose
from vision.virtual_table.art import Colour, Texture, bgr, mixed, paint_rim, paint_surface, paint_table
from vision.virtual_table.looks import Look

FloatImage = NDArray[np.float32]
Mask = NDArray[np.uint8]

OVERSAMPLE = 2
GRID_PX = 8  # pixels are unprojected on a grid this wide; between, the map is straight to a thousandth of a pixel
FIXED_BITS = 6
TABLE_DROP_MM = -8.0  # the table lies this far below the playing surface
QUIET_ZONE = 1.24  # a marker's white paper, in sides
MARKER_TEXELS = 16  # per cell
SIDE_SUBDIVISIONS = 6  # long edges bend under the lens
WHITE_REEF = "#e6e2d8"
WHERE_IT_WAS = np.eye(2, 3)  # a board that has not been pushed: its millimetres are the table's


@dataclass(frozen=True, slots=True)
class Block:
    """A prism that stands on the surface: corners in board millimetres, in order; its colour BGR."""

    polygon: PolygonMm
    height_mm: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Occluder:
    """Where a block covers the picture: mask (H, W) 0..255 from pixel (x0, y0) on."""

    block: Block
    x0: int
    y0: int
    mask: Mask


@dataclass(frozen=True, slots=True)
class StaticScene:
    """picture: (H, W, 3) BGR 0..255 as lit, without noise; light: (H, W) share of light by place in the picture."""

    picture: FloatImage
    light: FloatImage
    occluders: tuple[Occluder, ...]


@dataclass(frozen=True, slots=True)
class Reef:
    """A reef that players placed."""

    team: str | None
    polygon: PolygonMm


class ScenePainter:
    """Paints the textures once, and renders them for any pose."""

    def __init__(
        self, board: Board, reefs: Sequence[Reef], look: Look, light_mm: tuple[float, float], seed: int
    ) -> None:
        self.board, self.look, self.light_mm = board, look, light_mm
        self.surface, self.table, self.rim = _painted(board, seed)
        self.wood: Colour = cv2.mean(self.rim.image)[:3] if self.rim else (0.0, 0.0, 0.0)
        self.blocks = tuple(_blocks(board, reefs))

    def render(self, pose: Pose, laid: NDArray[np.float64] = WHERE_IT_WAS) -> StaticScene:
        """What stands still. laid: (2, 3) from board millimetres to those of the table, over which it may be pushed"""
        canvas = _Canvas(pose)
        w, h = self.board.size
        m = self.board.rim.width_mm if self.board.rim else 0.0
        outline = _rectangle(-m, -m, w + m, h + m)
        canvas.texture(self.table, TABLE_DROP_MM, None, laid=laid)
        canvas.shadow([_shifted(outline, self.light_mm, 18.0)], TABLE_DROP_MM, 9.0, self.look.shadow)
        canvas.polygon(outline, TABLE_DROP_MM, (50.0, 70.0, 90.0))
        canvas.texture(self.surface, 0.0, _rectangle(0, 0, w, h))
        shadows = [_hull_shadow(np.array(b.polygon), b.height_mm, self.light_mm) for b in self.blocks]
        canvas.shadow(shadows, 0.0, 3.0, self.look.shadow)
        if self.board.rim and self.rim:
            self._rim(canvas, m, self.board.rim.height_mm)
        for marker in self.board.markers:
            canvas.marker(marker)
        occluders = []
        for block in self._far_first(pose):
            occluders.append(canvas.block(block, self.light_mm))
        light = _light(self.look, pose.lens.image_size)
        picture = canvas.finish(self.look.sharpness_px) * light[..., None] * np.array(self.look.gain_bgr, np.float32)
        return StaticScene(np.asarray(picture, np.float32), light, tuple(occluders))

    def _far_first(self, pose: Pose) -> list[Block]:
        x, y, _ = pose.camera_mm()
        return sorted(self.blocks, key=lambda b: -math.dist(np.mean(np.array(b.polygon), axis=0), (x, y)))

    def _rim(self, canvas: _Canvas, m: float, height: float) -> None:
        assert self.rim is not None
        w, h = self.board.size
        inner, outer = _rectangle(0, 0, w, h), _rectangle(-m, -m, w + m, h + m)
        canvas.shadow_band(inner, height, self.light_mm, self.look.shadow)
        for ring in (outer, inner):
            for i in range(4):
                edge = np.array([ring[i], ring[(i + 1) % 4]])
                canvas.wall(edge, 0.0 if ring is inner else TABLE_DROP_MM, height, mixed(self.wood, (0, 0, 0), 0.55))
        canvas.texture(self.rim, height, outer, hole=inner)


@lru_cache(maxsize=1)  # a table that is set up again, as for each film of one board, takes half a second less
def _painted(board: Board, seed: int) -> tuple[Texture, Texture, Texture | None]:
    """The playing surface, the table, and the rim where the board has one; not to be written to."""
    painted = paint_surface(board, seed), paint_table(seed), paint_rim(board, seed) if board.rim else None
    for texture in painted:
        if texture is not None:
            texture.image.setflags(write=False)
    return painted


def _blocks(board: Board, reefs: Sequence[Reef]) -> list[Block]:
    colours = {t.name: bgr(t.reef_colour or WHITE_REEF) for t in board.teams}
    blocks = [Block(o.polygon, o.height_mm, colours.get(o.team or "", bgr(WHITE_REEF))) for o in board.obstacles]
    height = board.reef.height_mm if board.reef else 14.0
    return blocks + [Block(r.polygon, height, colours.get(r.team or "", bgr(WHITE_REEF))) for r in reefs]


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> NDArray[np.float64]:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)


def _shifted(points: NDArray[np.float64], light: tuple[float, float], reach: float) -> NDArray[np.float64]:
    return points + np.array(light) * reach


def _hull_shadow(polygon: NDArray[np.float64], height: float, light: tuple[float, float]) -> NDArray[np.float64]:
    both = np.vstack([polygon, _shifted(polygon, light, height * 0.85)]).astype(np.float32)
    return np.asarray(cv2.convexHull(both).reshape(-1, 2), np.float64)


def _light(look: Look, size: tuple[int, int]) -> FloatImage:
    """(H, W) vignetting and the lamp's fall-off."""
    w, h = size
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    r2 = ((x - w / 2) ** 2 + (y - h / 2) ** 2) / ((w / 2) ** 2 + (h / 2) ** 2)
    slope = (x / w - 0.5) * math.cos(look.seed) + (y / h - 0.5) * math.sin(look.seed)
    return np.asarray(1 - look.vignette * r2 + 0.4 * look.vignette * slope, np.float32)


def _split(points: NDArray[np.float64], closed: bool = True) -> NDArray[np.float64]:
    """More points along each edge, so that the lens bends it."""
    ends = np.roll(points, -1, axis=0) if closed else points[1:]
    starts = points if closed else points[:-1]
    steps = np.linspace(0, 1, SIDE_SUBDIVISIONS, endpoint=False)[:, None]
    parts = [a + (b - a) * steps for a, b in zip(starts, ends, strict=True)]
    return np.vstack(parts if closed else [*parts, points[-1:]])


class _Canvas:
    """An oversampled picture that things are painted on, from far to near."""

    def __init__(self, pose: Pose) -> None:
        self.pose = pose
        w, h = pose.lens.image_size
        self.image = np.zeros((h * OVERSAMPLE, w * OVERSAMPLE, 3), np.float32)

    # -- places ------------------------------------------------------------------------------------
    def pixels(self, points: NDArray[np.float64], height: float) -> NDArray[np.float64]:
        """(N, 2) oversampled pixels of (N, 2) millimetres at a height."""
        image = self.pose.image_from_board(np.column_stack([points, np.full(len(points), height)]))
        return (image + 0.5) * OVERSAMPLE - 0.5

    def fixed(self, points: NDArray[np.float64], height: float) -> NDArray[np.int32]:
        return np.round(self.pixels(_split(points), height) * (1 << FIXED_BITS)).astype(np.int32)

    def map_mm(self, height: float, to: NDArray[np.float64]) -> tuple[FloatImage, FloatImage]:
        """For every oversampled pixel the place x, y that it sees at a height. to: (2, 3) affine, from millimetres"""
        h, w = self.image.shape[:2]
        nx, ny = (np.arange(-1, n // GRID_PX + 2) * GRID_PX + (GRID_PX - 1) / 2 for n in (w, h))
        gx, gy = np.meshgrid((nx + 0.5) / OVERSAMPLE - 0.5, (ny + 0.5) / OVERSAMPLE - 0.5)
        mm = self.pose.board_from_image(np.column_stack([gx.ravel(), gy.ravel()]), height)
        nodes = (to[:, :2] @ mm.T + to[:, 2:]).reshape(2, len(ny), len(nx)).astype(np.float32)
        fine = [cv2.resize(part, None, fx=GRID_PX, fy=GRID_PX, interpolation=cv2.INTER_LINEAR) for part in nodes]
        x, y = (np.asarray(part[GRID_PX : GRID_PX + h, GRID_PX : GRID_PX + w], np.float32) for part in fine)
        return x, y

    # -- painting ----------------------------------------------------------------------------------
    def texture(self, texture: Texture, height: float, polygon: NDArray[np.float64] | None,
                hole: NDArray[np.float64] | None = None, laid: NDArray[np.float64] = WHERE_IT_WAS) -> None:  # fmt: skip
        k, (x0, y0) = texture.texels_per_mm, texture.origin_mm
        texels = np.array([[k, 0, -k * x0 - 0.5], [0, k, -k * y0 - 0.5]]) @ np.vstack([laid, [0, 0, 1]])
        border = cv2.BORDER_WRAP if polygon is None else cv2.BORDER_REPLICATE
        seen = cv2.remap(texture.image, *self.map_mm(height, texels), cv2.INTER_LINEAR, borderMode=border)
        if polygon is None:
            self.image[:] = seen
            return
        mask = np.zeros(self.image.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self.fixed(polygon, height)], 255, cv2.LINE_8, FIXED_BITS)
        if hole is not None:
            cv2.fillPoly(mask, [self.fixed(hole, height)], 0, cv2.LINE_8, FIXED_BITS)
        cv2.copyTo(seen.astype(np.float32), mask, self.image)

    def polygon(self, points: NDArray[np.float64], height: float, colour: Colour) -> None:
        cv2.fillPoly(self.image, [self.fixed(points, height)], colour, cv2.LINE_8, FIXED_BITS)

    def wall(self, edge: NDArray[np.float64], low: float, high: float, colour: Colour) -> None:
        """One upright side above an edge (2, 2)."""
        line = _split(edge, closed=False)
        points = np.vstack([self.pixels(line, low), self.pixels(line[::-1], high)])
        fixed = np.round(points * (1 << FIXED_BITS)).astype(np.int32)
        cv2.fillPoly(self.image, [fixed], colour, cv2.LINE_8, FIXED_BITS)

    def shadow(self, polygons: Sequence[NDArray[np.float64]], height: float, soft_mm: float, strength: float) -> None:
        mask = np.zeros(self.image.shape[:2], np.uint8)
        for polygon in polygons:
            cv2.fillPoly(mask, [self.fixed(polygon, height)], 255, cv2.LINE_8, FIXED_BITS)
        self._darken(mask, soft_mm, strength)

    def shadow_band(
        self, inner: NDArray[np.float64], height: float, light: tuple[float, float], strength: float
    ) -> None:
        """The rim's shadow on the surface: what lies inside the edge, but not inside the edge moved by the light."""
        mask = np.zeros(self.image.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self.fixed(inner, 0.0)], 255, cv2.LINE_8, FIXED_BITS)
        cv2.fillPoly(mask, [self.fixed(_shifted(inner, light, height * 0.85), 0.0)], 0, cv2.LINE_8, FIXED_BITS)
        self._darken(mask, 2.0, strength)

    def _darken(self, mask: Mask, soft_mm: float, strength: float) -> None:
        sigma = soft_mm * OVERSAMPLE * self.pose.lens.focal_px / max(float(np.linalg.norm(self.pose.tvec)), 1.0)
        blurred = cv2.GaussianBlur(mask, (0, 0), max(sigma, 0.5))
        kept = (1 - np.arange(256) * (strength / 255)).astype(np.float32)
        x, y, w, h = cv2.boundingRect(blurred)
        if not w:
            return  # nothing throws a shadow, or none falls into the picture
        light = cv2.LUT(blurred[y : y + h, x : x + w], kept)
        self.image[y : y + h, x : x + w] *= light[..., None]

    def marker(self, marker: Marker) -> None:
        """White paper with the marker's cells, exact at its corners."""
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, marker.dictionary))
        cells = dictionary.markerSize + 2
        side = cells * MARKER_TEXELS
        code = cv2.aruco.generateImageMarker(dictionary, marker.id, side).astype(np.float32)
        code = np.clip(code, 22, 232)[..., None] * np.ones(3, np.float32)
        corners = marker.corners_mm()
        centre = np.array(marker.centre)
        self.polygon(centre + (corners[:, :2] - centre) * QUIET_ZONE, marker.z_mm, (232.0, 234.0, 236.0))
        target = self.pixels(corners[:, :2], marker.z_mm).astype(np.float32)
        source = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - np.float32(0.5)
        h, w = self.image.shape[:2]
        x0, y0 = np.clip(np.floor(target.min(axis=0)) - 1, 0, (w, h)).astype(int)
        x1, y1 = np.clip(np.ceil(target.max(axis=0)) + 2, 0, (w, h)).astype(int)
        if x1 <= x0 or y1 <= y0:
            return  # out of the picture
        target -= np.array([x0, y0], np.float32)
        warp = cv2.getPerspectiveTransform(source, target)
        size = (int(x1 - x0), int(y1 - y0))
        seen = cv2.warpPerspective(code, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        whole = np.full(code.shape[:2], 255, np.uint8)
        cover = cv2.warpPerspective(whole, warp, size, flags=cv2.INTER_NEAREST)  # a filled polygon has its outline, too
        np.copyto(self.image[y0:y1, x0:x1], seen, where=cover[..., None] > 0)

    def block(self, block: Block, light: tuple[float, float]) -> Occluder:
        """Sides that face the camera, then the top; gives where all of it is seen."""
        points = np.array(block.polygon, np.float64)
        if cv2.contourArea(points.astype(np.float32), oriented=True) < 0:
            points = points[::-1]
        camera = self.pose.camera_mm()
        mask = np.zeros(self.image.shape[:2], np.uint8)
        for i in range(len(points)):
            a, b = points[i], points[(i + 1) % len(points)]
            normal = np.array([b[1] - a[1], a[0] - b[0]]) / max(math.dist(a, b), 1e-9)
            if normal @ (camera[:2] - a) > 0:
                facing = float(-normal @ np.array(light))
                self.wall(
                    np.array([a, b]), 0.0, block.height_mm, mixed((0.0, 0.0, 0.0), block.colour, 0.58 + 0.14 * facing)
                )
        self.polygon(points, block.height_mm, block.colour)
        low, high = self.pixels(points, 0.0), self.pixels(points, block.height_mm)
        hull = cv2.convexHull(np.vstack([low, high]).astype(np.float32)).reshape(-1, 2)
        cv2.fillConvexPoly(mask, np.round(hull * (1 << FIXED_BITS)).astype(np.int32), 255, cv2.LINE_8, FIXED_BITS)
        h, w = mask.shape
        x0, y0 = (np.clip(np.floor(hull.min(axis=0) / OVERSAMPLE) - 1, 0, (w // OVERSAMPLE, h // OVERSAMPLE))).astype(
            int
        )
        x1, y1 = (np.clip(np.ceil(hull.max(axis=0) / OVERSAMPLE) + 2, 0, (w // OVERSAMPLE, h // OVERSAMPLE))).astype(
            int
        )
        part = mask[y0 * OVERSAMPLE : y1 * OVERSAMPLE, x0 * OVERSAMPLE : x1 * OVERSAMPLE]
        if part.size == 0:
            return Occluder(block, 0, 0, np.zeros((1, 1), np.uint8))
        small = cv2.resize(part, (int(x1 - x0), int(y1 - y0)), interpolation=cv2.INTER_AREA)
        return Occluder(block, int(x0), int(y0), np.asarray(small, np.uint8))

    def finish(self, sharpness_px: float) -> FloatImage:
        h, w = self.image.shape[:2]
        small = cv2.resize(self.image, (w // OVERSAMPLE, h // OVERSAMPLE), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.35 * sharpness_px), np.float32)
