"""The shapes of a drawn board and their mirror images, and the markers that every printed board has."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Point = tuple[float, float]
Json = dict[str, Any]

CIRCLES = ("base_camp", "advanced_camp", "island", "gate")
POLYGONS = ("sanctuary", "no_reef", "facade", "reef")
KINDS = (*CIRCLES, *POLYGONS, "door", "start")
# copies of each shape: (left and right exchanged, top and bottom exchanged)
MIRRORS: dict[str, tuple[tuple[bool, bool], ...]] = {
    "none": ((False, False),),
    "sides": ((False, False), (True, False)),
    "ends": ((False, False), (False, True)),
    "both": ((False, False), (True, False), (False, True), (True, True)),
    "turn": ((False, False), (True, True)),
}
# which copies belong to the other team: those on the other side, those that are flipped once, or none
SWAPS = ("sides", "diagonal", "same")
SAME_MM = 4.0  # a copy that lies this near to its original is the same thing, on an axis of the board
DEFAULT_HEIGHTS_MM = {"facade": 24.0, "reef": 14.0}
MARKER_KEYS = ("dictionary", "id", "size", "centre", "z")


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape: its drawing's id, kind, team (index), and either points or a circle (x, y, r), mm.

    origin: the table of the opened file that it comes from ("zone 3", from 0).
    """

    id: str
    kind: str
    team: int | None
    points: tuple[Point, ...] = ()
    circle: tuple[float, float, float] | None = None
    height_mm: float = 0.0
    swap: str = "sides"
    origin: str | None = None

    @property
    def middle(self) -> Point:
        """The circle's centre, or the mean of the points."""
        if self.circle is not None:
            return self.circle[0], self.circle[1]
        return float(np.mean([p[0] for p in self.points])), float(np.mean([p[1] for p in self.points]))


def standard_markers(size: tuple[float, float], rim: Mapping[str, float] | None, side_mm: float) -> list[Json]:
    """One marker in the middle of each corner of the rim: NW, NE, SE, SW with ids 0 to 3."""
    edge, height = (float(rim["width"]), float(rim["height"])) if rim else (side_mm * 1.3, 0.0)
    (w, h), off = size, edge / 2
    places = ((-off, -off), (w + off, -off), (w + off, h + off), (-off, h + off))
    return [{"dictionary": "DICT_4X4_50", "id": i, "size": float(side_mm), "centre": list(p), "z": height}
            for i, p in enumerate(places)]  # fmt: skip


def copies(shape: Shape, mirror: str, size: tuple[float, float], teams: int) -> Iterator[Shape]:
    """A shape and its mirror images; those that would lie on another of them are left out.

    What comes from a file stands for itself: its mirror image is in the file, too.
    """
    if shape.origin is not None:
        yield shape
        return
    made: list[Shape] = []
    for across, down in MIRRORS[mirror]:
        copy = _flipped(shape, across, down, size)
        other = (across, across != down, False)[SWAPS.index(shape.swap)]
        if other and shape.team is not None and teams == 2:
            copy = replace(copy, team=1 - shape.team)
        if not any(_same(copy, m) for m in made):
            made.append(copy)
    yield from made


def _flipped(shape: Shape, across: bool, down: bool, size: tuple[float, float]) -> Shape:
    def flip(x: float, y: float) -> Point:
        return size[0] - x if across else x, size[1] - y if down else y

    circle = None if shape.circle is None else (*flip(*shape.circle[:2]), shape.circle[2])
    return replace(shape, points=tuple(flip(*p) for p in shape.points), circle=circle)


def _same(one: Shape, other: Shape) -> bool:
    if math.dist(one.middle, other.middle) > SAME_MM:
        return False
    return all(min(math.dist(p, q) for q in other.points) <= SAME_MM for p in one.points)


def shape_from(data: Mapping[str, Any]) -> Shape:
    kind = str(data["kind"])
    points = tuple((float(x), float(y)) for x, y in data.get("points") or ())
    circle = data.get("circle")
    height = data.get("height")
    return Shape(
        str(data["id"]), kind, data.get("team"), points, (*map(float, circle),) if circle else None,  # type: ignore[arg-type]
        float(height) if height is not None else DEFAULT_HEIGHTS_MM.get(kind, 0.0), data.get("swap") or "sides",
        data.get("origin"),
    )  # fmt: skip
