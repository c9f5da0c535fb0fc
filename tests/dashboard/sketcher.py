"""A person who draws a board in the browser: clicks with an unsteady hand, counted; keys for the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Obstacle, Zone
from tests.dashboard.conftest import until_page

CLOSE_PX_A_MM = 4.0  # a person goes so close before they click
ANSWER_MS = 30_000
TO_SCREEN = "(() => { const m = document.getElementById('stage').getScreenCTM(); return [m.a, m.e, m.f]; })()"
Point = tuple[float, float]


class Sketcher:
    """Draws on the page /boards. error_px: standard deviation of a click, each coordinate, in pixels of the screen."""

    def __init__(self, page: Any, error_px: float, seed: int = 0) -> None:
        self.page, self.error_px = page, error_px
        self.clicks = 0
        self._rng = np.random.default_rng(seed)
        self._camera: NDArray[np.float64] | None = None

    def press(self, selector: str) -> None:
        """Clicks a button."""
        self.clicks += 1
        self.page.click(selector)

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def measures(self, **fields: float | str) -> None:
        """Types measures, going from field to field by keyboard."""
        for name, value in fields.items():
            self.page.fill(f"#{name}", f"{value:g}" if isinstance(value, float | int) else value)
            self.page.keyboard.press("Tab")

    def picture_from_above(self) -> None:
        """Takes the camera's picture; the markers do the rest."""
        with self.page.expect_response("**/api/boards/above", timeout=ANSWER_MS) as answer:
            self.press("#from-camera")
        self._camera = np.array(answer.value.json()["camera_mm"])
        until_page(
            self.page, "document.querySelector('#stage image')?.getAttribute('href').startsWith('/boards/above')"
        )

    def corners(self, places_px: Sequence[Point]) -> None:
        """Clicks the four corners in the camera's picture."""
        self.press("#by-corners")
        with self.page.expect_response("**/api/boards/above", timeout=ANSWER_MS) as answer:
            for at in places_px:
                self.at(at)
        self._camera = np.array(answer.value.json()["camera_mm"])

    def at(self, place: Point, height_mm: float = 0.0) -> None:
        """Clicks what lies at a place (mm; in the camera's picture pixels), its top seen at a height."""
        x, y = self._seen(place, height_mm)
        self._close_to(x, y)
        scale, left, top = self.page.evaluate(TO_SCREEN)
        dx, dy = self._rng.normal(0, self.error_px, 2)
        self.clicks += 1
        self.page.mouse.click(left + x * scale + dx, top + y * scale + dy)

    def tool(self, key: str, *places: Point, height_mm: float = 0.0, enter: bool = False) -> None:
        self.page.focus("#stage")
        self.keys(key)
        for place in places:
            self.at(place, height_mm)
        if enter:
            self.keys("Enter")

    def circle(self, key: str, circle: Sequence[float]) -> None:
        """By its middle, and a point of its edge halfway between the axes."""
        x, y, r = circle
        self.tool(key, (x, y), (x + r * math.sqrt(0.5), y + r * math.sqrt(0.5)))

    def pick(self, button: str, place: Point, height_mm: float) -> str:
        self.press(button)
        with self.page.expect_response("**/api/boards/colour", timeout=ANSWER_MS) as answer:
            self.at(place, height_mm)
        return str(answer.value.json()["colour"])

    def _seen(self, place: Point, height_mm: float) -> Point:
        if self._camera is None or not height_mm:
            return place
        grow = self._camera[2] / (self._camera[2] - height_mm)
        x, y = self._camera[:2] + (np.array(place) - self._camera[:2]) * grow
        return float(x), float(y)

    def _close_to(self, x: float, y: float) -> None:
        """Turns the wheel over a place until it is large enough."""
        box = self.page.query_selector("#stage").bounding_box()
        for _ in range(40):
            scale, left, top = self.page.evaluate(TO_SCREEN)
            at = (left + x * scale, top + y * scale)
            inside = 20 < at[0] - box["x"] < box["width"] - 20 and 20 < at[1] - box["y"] < box["height"] - 20
            if inside and scale > CLOSE_PX_A_MM * 0.8:
                return
            if not inside:
                self.page.evaluate("document.getElementById('zoom-all').click()")
                continue
            self.page.mouse.move(*at)
            self.page.mouse.wheel(0, -100)
            until_page(self.page, f"{TO_SCREEN}[0] !== {scale}")
        raise AssertionError(f"({x}, {y}) cannot be brought near")


def in_corner(board: Board, points: Sequence[Point]) -> bool:
    """True where something lies in the north-west quarter: it is drawn, the rest is mirrored."""
    x, y = np.mean(points, axis=0)
    return bool(x < board.size[0] / 2 and y < board.size[1] / 2)


def sanctuary_of(board: Board) -> Zone:
    return next(z for z in board.zones_of_kind("sanctuary") if z.polygon and in_corner(board, z.polygon))


def obstacles_of(board: Board, kind: str) -> list[Obstacle]:
    return [o for o in board.obstacles if o.kind == kind and in_corner(board, o.polygon)]


def opposite(polygon: Sequence[Point]) -> tuple[Point, Point]:
    """Two opposite corners of an upright rectangle."""
    places = np.array(polygon)
    (x0, y0), (x1, y1) = places.min(0).tolist(), places.max(0).tolist()
    return (x0, y0), (x1, y1)


def draw(hand: Sketcher, board: Board) -> None:
    """Draws a board that is the same on both sides and both ends, from its north-west corner; two teams."""
    assert board.rim is not None
    w, h = board.size
    reef = board.reef
    hand.measures(
        name=board.name, width=w, height=h, rim_width=board.rim.width_mm, rim_height=board.rim.height_mm,
        puck_diameter=board.puck.diameter_mm, puck_height=board.puck.height_mm,
        reef_length=reef.length_mm if reef else 0, reef_width=reef.width_mm if reef else 0,
        reef_height=reef.height_mm if reef else 0, markers=board.markers[0].size_mm,
    )  # fmt: skip
    for index, team in enumerate(board.teams):
        hand.measures(**{
            f"team-{index}-name": team.name,
            f"team-{index}-mercenaries": " ".join(map(str, team.mercenaries)),
            f"team-{index}-explorers": " ".join(map(str, team.explorers)),
        })  # fmt: skip
    hand.picture_from_above()
    outline = sanctuary_of(board).polygon
    assert outline is not None
    hand.tool("s", *(opposite(outline) if len(outline) == 4 else outline), enter=True)
    for facade in obstacles_of(board, "facade"):
        hand.tool("f", *opposite(facade.polygon), height_mm=facade.height_mm)
    door = next(d for d in board.doors if in_corner(board, d.line))
    hand.tool("d", *door.line)
    for gate in board.gates:
        hand.circle("g", gate.circle)
    for fixed in obstacles_of(board, "reef"):
        hand.tool("r", *opposite(fixed.polygon), height_mm=fixed.height_mm)
    for zone in board.zones:
        if zone.polygon is not None and zone.kind == "no_reef" and in_corner(board, zone.polygon):
            hand.tool("n", *(opposite(zone.polygon) if len(zone.polygon) == 4 else zone.polygon), enter=True)
    hand.circle("b", next(z.circle for z in board.zones_of_kind("base_camp") if z.circle and z.team == _west(board)))
    for island in board.zones_of_kind("island"):
        if island.circle is not None:
            hand.circle("i", island.circle)


def _west(board: Board) -> str | None:
    return min((z for z in board.zones_of_kind("base_camp") if z.circle), key=lambda z: z.circle[0]).team  # type: ignore[index]


def door_error_mm(drawn: Board, true: Board) -> float:
    """The farthest that an end of a door lies from where it is."""
    worst = 0.0
    for door in true.doors:
        found = next(d for d in drawn.doors if d.name == door.name)
        ends = min((found.line, found.line[::-1]), key=lambda e: math.dist(e[0], door.line[0]))
        worst = max(worst, *(math.dist(a, b) for a, b in zip(ends, door.line, strict=True)))
    return worst


def gate_error_mm(drawn: Board, true: Board) -> float:
    """The farthest that a point of the gate's edge lies from where it is."""
    (x, y, r), (tx, ty, tr) = drawn.gates[0].circle, true.gates[0].circle
    return math.hypot(x - tx, y - ty) + abs(r - tr)
