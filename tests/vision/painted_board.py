"""A small painter of boards for tests: flat paints, boxes with sides, pucks with numbers, seen through a camera."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Team
from calibration.colours import bgr_of
from calibration.lens import Lens
from calibration.pose import Pose
from tests.vision.grain import noisy

Image = NDArray[np.uint8]
Place = tuple[float, float, float]  # x_mm, y_mm, angle_deg
RING_MM = 2.0  # breadth of a printed ring
FINER = 3  # drawn this much larger, then averaged: soft edges without steps
SEA, SAND, WOOD, TABLE = (120, 96, 40), (120, 178, 205), (60, 110, 165), (75, 80, 85)
SHADE = 0.55  # of the ground's brightness in a shadow
SIDE_SHADE = 0.62


def camera_over(board: Board, size: tuple[int, int] = (1280, 720), height_mm: float = 1000.0, tilt_deg: float = 6.0,
                distortion: tuple[float, ...] = (-0.05, 0.02, 0.0, 0.0, 0.0)) -> Pose:  # fmt: skip
    """A camera that looks at the board's middle and sees all of it."""
    w, h = size
    middle = np.array([board.size[0] / 2, board.size[1] / 2, 0.0])
    focal = 0.86 * h * height_mm / (max(board.size[1], board.size[0] * h / w) + 100.0)
    tilt = math.radians(tilt_deg)
    rvec = np.array([-tilt, 0.03, -0.05])
    rotation = cv2.Rodrigues(rvec)[0]
    tvec = np.array([0.0, 0.0, height_mm / math.cos(tilt)]) - rotation @ middle
    matrix = np.array([[focal, 0.0, (w - 1) / 2], [0.0, focal, (h - 1) / 2], [0.0, 0.0, 1.0]])
    return Pose(Lens(size, matrix, np.array(distortion)), rvec, tvec)


@dataclass
class Scene:
    """What lies on a board: reefs of teams, pucks (team, number, place); rings (colour, x, y, radius mm) on the sea.

    shade_mm: how far a reef's shadow falls, east and south.
    """

    board: Board
    pose: Pose
    reefs: list[tuple[str, Place]] = field(default_factory=list)
    pucks: list[tuple[str, int, Place]] = field(default_factory=list)
    sea: tuple[int, int, int] = SEA
    light: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise: float = 2.0
    seed: int = 1
    rings: list[tuple[tuple[int, int, int], float, float, float]] = field(default_factory=list)
    shade_mm: tuple[float, float] = (0.0, 0.0)

    def picture(self) -> Image:
        """What the camera sees: drawn from the ground up, then lit, blurred a little and made noisy."""
        w, h = self.pose.lens.image_size
        rng = np.random.default_rng(self.seed)
        canvas = np.zeros((h * FINER, w * FINER, 3), dtype=np.uint8)
        canvas[:] = TABLE
        self._ground(canvas, rng)
        for colour, x, y, r in self.rings:
            self._flat(canvas, circle_mm(x, y, r), colour)
            self._flat(canvas, circle_mm(x, y, r - RING_MM), self.sea)
        for o in self.board.obstacles:
            self._box(canvas, np.array(o.polygon), o.height_mm, self._obstacle_paint(o.team))
        for team, place in self.reefs:
            assert self.board.reef is not None
            paint = bgr_of(self._team(team).reef_colour or "#808080")
            cast = np.vstack([self._footprint(place), self._footprint(place) + self.shade_mm]).astype(np.float32)
            if any(self.shade_mm):
                self._flat(canvas, cv2.convexHull(cast).reshape(-1, 2), tuple(SHADE * c for c in self.sea))
            self._box(canvas, self._footprint(place), self.board.reef.height_mm, paint)
        for name, number, place in self.pucks:
            self._puck(canvas, self._team(name), number, place)
        small = cv2.resize(canvas, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
        lit = np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6)) * np.array(self.light)
        return noisy(lit.astype(np.float32), self.noise, rng)

    def _team(self, name: str) -> Team:
        return self.board.team(name)

    def _obstacle_paint(self, team: str | None) -> tuple[int, int, int]:
        return bgr_of(self._team(team).reef_colour or "#808080") if team else (128, 128, 128)

    def _fill(self, canvas: Image, points_mm: NDArray[np.float64], colour: tuple[float, ...]) -> None:
        pixels = (self.pose.image_from_board(points_mm) + 0.5) * FINER - 0.5
        cv2.fillPoly(canvas, [np.round(pixels * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    def _flat(self, canvas: Image, polygon: object, colour: tuple[float, ...], height_mm: float = 0.0) -> None:
        points = np.array(polygon, dtype=float)
        self._fill(canvas, np.column_stack([points, np.full(len(points), height_mm)]), colour)

    def _ground(self, canvas: Image, rng: np.random.Generator) -> None:
        w, h = self.board.size
        rim = self.board.rim.width_mm if self.board.rim else 0.0
        self._flat(canvas, [(-rim, -rim), (w + rim, -rim), (w + rim, h + rim), (-rim, h + rim)], WOOD)
        self._flat(canvas, [(0, 0), (w, 0), (w, h), (0, h)], self.sea)
        for zone in self.board.zones_of_kind("island") + self.board.zones_of_kind("base_camp"):
            if zone.circle:
                self._flat(canvas, circle_mm(*zone.circle), SAND)
        for _ in range(40):  # printed trifles
            x, y, r = rng.uniform(20, w - 20), rng.uniform(20, h - 20), rng.uniform(2, 8)
            self._flat(canvas, circle_mm(x, y, r), tuple(rng.uniform(20, 230, 3)))
        for marker in self.board.markers:
            self._flat(canvas, circle_mm(*marker.centre, marker.size_mm * 0.62), (235, 235, 235), marker.z_mm)

    def _footprint(self, place: Place) -> NDArray[np.float64]:
        assert self.board.reef is not None
        a, b = self.board.reef.length_mm / 2, self.board.reef.width_mm / 2
        turn = math.radians(place[2])
        along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return np.array([np.array(place[:2]) + sx * a * along + sy * b * across for sx, sy in signs])

    def _box(self, canvas: Image, base: NDArray[np.float64], height_mm: float,
             colour: tuple[int, int, int]) -> None:  # fmt: skip
        dark = tuple(SIDE_SHADE * c for c in colour)
        for a, b in zip(base, np.roll(base, -1, axis=0), strict=True):
            self._fill(canvas, np.array([[*a, 0.0], [*b, 0.0], [*b, height_mm], [*a, height_mm]]), dark)
        self._flat(canvas, base, colour, height_mm)

    def _puck(self, canvas: Image, team: Team, number: int, place: Place) -> None:
        r, height = self.board.puck.radius_mm, self.board.puck.height_mm
        for step in np.linspace(0, 1, 6):
            paint = bgr_of(team.colour) if step == 1 else tuple(SIDE_SHADE * c for c in bgr_of(team.colour))
            self._flat(canvas, circle_mm(place[0], place[1], r), paint, height * step)
        for outline, hole in number_outlines_mm(str(number), 0.95 * r, place):
            self._flat(canvas, outline, bgr_of(team.colour if hole else team.digit_colour), height)


def circle_mm(x: float, y: float, r: float) -> NDArray[np.float64]:
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return np.column_stack([x + r * np.cos(angles), y + r * np.sin(angles)])


def number_outlines_mm(text: str, tall_mm: float, place: Place) -> list[tuple[NDArray[np.float64], bool]]:
    """Outlines of a number in a plain hand (one of OpenCV's own), holes last and marked True, set on a place."""
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 4.0, 14)
    glyph = np.zeros((h + 40, w + 40), dtype=np.uint8)
    cv2.putText(glyph, text, (20, h + 20), cv2.FONT_HERSHEY_SIMPLEX, 4.0, (255,), 14, cv2.LINE_AA)
    found, tree = cv2.findContours((glyph > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    outlines = [(c.reshape(-1, 2).astype(float), link[3] >= 0) for c, link in zip(found, tree[0], strict=True)]
    points = np.concatenate([o for o, hole in outlines if not hole])
    low, high = points.min(axis=0), points.max(axis=0)
    turn, mm = math.radians(place[2]), tall_mm / (high[1] - low[1] + 1)
    matrix = mm * np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    placed = [((o - (low + high) / 2) @ matrix + np.array(place[:2]), bool(hole)) for o, hole in outlines]
    return sorted(placed, key=lambda pair: pair[1])
