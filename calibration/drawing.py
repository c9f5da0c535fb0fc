"""A board as it is drawn on a picture: a few shapes and their mirror images become the tables of a board file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

Point = tuple[float, float]
Json = dict[str, Any]

CIRCLES = ("base_camp", "advanced_camp", "island", "gate")
POLYGONS = ("sanctuary", "no_reef", "facade", "reef")
KINDS = (*CIRCLES, *POLYGONS, "door", "start")
MIRRORS: dict[str, tuple[tuple[bool, bool], ...]] = {
    "none": ((False, False),),
    "sides": ((False, False), (True, False)),
    "ends": ((False, False), (False, True)),
    "both": ((False, False), (True, False), (False, True), (True, True)),
    "turn": ((False, False), (True, True)),
}
"""Copies of each shape: (left and right exchanged, top and bottom exchanged)."""
SWAPS = ("sides", "diagonal", "same")
"""Which copies belong to the other team: those on the other side, those that are flipped once, or none."""
SAME_MM = 4.0
"""A copy that lies this near to its original is the same thing, on an axis of the board."""
OUTER = 0.25
"""Part of the board that is called by its compass point."""
RING_FROM_EDGE_MM = 24.0
"""Start circles stand so far inside a base camp's edge, where none are drawn; one stands in its middle."""
DEFAULT_HEIGHTS_MM = {"facade": 24.0, "reef": 14.0}
ROUND_MM = 1


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape: its drawing's id, kind, team (index), and either points or a circle (x, y, r), mm."""

    id: str
    kind: str
    team: int | None
    points: tuple[Point, ...] = ()
    circle: tuple[float, float, float] | None = None
    height_mm: float = 0.0
    swap: str = "sides"

    @property
    def middle(self) -> Point:
        """The circle's centre, or the mean of the points."""
        if self.circle is not None:
            return self.circle[0], self.circle[1]
        return float(np.mean([p[0] for p in self.points])), float(np.mean([p[1] for p in self.points]))


def tables_from_drawing(drawing: Mapping[str, Any]) -> tuple[Json, dict[str, str]]:
    """The board file's tables, and for each named thing (or "table number") the id of the shape that it comes from.

    drawing: as the page sends it (companion.dashboard.board_models.Drawing). Nothing is judged here.
    """
    teams = [dict(team) for team in drawing["teams"]]
    size = (float(drawing["size"][0]), float(drawing["size"][1]))
    shapes = [s for shape in drawing["shapes"] for s in copies(_shape(shape), drawing["mirror"], size, len(teams))]
    tables: Json = {"format": 1, "name": drawing["name"], "size": list(size)}
    for name in ("rim", "puck", "reef"):
        if drawing.get(name):
            tables[name] = dict(drawing[name])
    tables["team"] = [_team(team, index, shapes) for index, team in enumerate(teams)]
    names = [str(team["name"]) for team in teams]
    origin: dict[str, str] = {}
    _add_zones(tables, shapes, names, size, origin)
    _add_doors(tables, shapes, names, size, origin)
    _add_rest(tables, shapes, names, origin)
    if drawing.get("markers"):
        tables["marker"] = standard_markers(size, drawing.get("rim"), drawing["markers"])
    return tables, origin


def standard_markers(size: tuple[float, float], rim: Mapping[str, float] | None, side_mm: float) -> list[Json]:
    """One marker in the middle of each corner of the rim: NW, NE, SE, SW with ids 0 to 3."""
    edge, height = (float(rim["width"]), float(rim["height"])) if rim else (side_mm * 1.3, 0.0)
    (w, h), off = size, edge / 2
    places = ((-off, -off), (w + off, -off), (w + off, h + off), (-off, h + off))
    return [{"dictionary": "DICT_4X4_50", "id": i, "size": float(side_mm), "centre": list(p), "z": height}
            for i, p in enumerate(places)]  # fmt: skip


def copies(shape: Shape, mirror: str, size: tuple[float, float], teams: int) -> Iterator[Shape]:
    """A shape and its mirror images; those that would lie on another of them are left out."""
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


def _shape(data: Mapping[str, Any]) -> Shape:
    kind = str(data["kind"])
    points = tuple((float(x), float(y)) for x, y in data.get("points") or ())
    circle = data.get("circle")
    height = data.get("height")
    return Shape(
        str(data["id"]), kind, data.get("team"), points, (*map(float, circle),) if circle else None,  # type: ignore[arg-type]
        float(height) if height is not None else DEFAULT_HEIGHTS_MM.get(kind, 0.0), data.get("swap") or "sides",
    )  # fmt: skip


def _team(team: Json, index: int, shapes: list[Shape]) -> Json:
    body = {key: value for key, value in team.items() if value not in (None, "")}
    drawn = [s.middle for s in shapes if s.kind == "start" and s.team == index]
    pawns = len(team.get("mercenaries") or ()) + len(team.get("explorers") or ())
    camp = next((s for s in shapes if s.kind == "base_camp" and s.team == index and s.circle), None)
    if not drawn and camp is not None and pawns:
        drawn = list(_ring(camp, pawns))
    body["start_circles"] = [_rounded(p) for p in drawn]
    return body


def _ring(camp: Shape, pawns: int) -> Iterator[Point]:
    assert camp.circle is not None
    x, y, r = camp.circle
    yield x, y
    for number in range(pawns - 1):
        turn = 2 * math.pi * number / (pawns - 1)
        yield x + (r - RING_FROM_EDGE_MM) * math.cos(turn), y + (r - RING_FROM_EDGE_MM) * math.sin(turn)


def _add_zones(tables: Json, shapes: list[Shape], teams: list[str], size: tuple[float, float],
               origin: dict[str, str]) -> None:  # fmt: skip
    tables["zone"], taken = [], set[str]()
    for shape in shapes:
        if shape.kind not in ("base_camp", "advanced_camp", "island", "sanctuary", "no_reef"):
            continue
        team = teams[shape.team] if shape.team is not None else None
        name = _free(_zone_name(shape, team, size), taken)
        zone: Json = {"name": name, "kind": shape.kind}
        if team is not None and shape.kind != "no_reef":
            zone["team"] = team
        tables["zone"].append(zone | _outline(shape))
        origin[f"zone {name}"] = shape.id


def _zone_name(shape: Shape, team: str | None, size: tuple[float, float]) -> str:
    place = bearing(shape.middle, size) or "middle"
    names = {
        "sanctuary": f"{team}-{place} sanctuary" if team else f"{place} sanctuary",
        "base_camp": f"{team or place} base camp",
        "advanced_camp": f"{place} advanced camp",
        "island": "city island",
    }
    return names.get(shape.kind, f"{place} no-reef line")


def _add_doors(
    tables: Json, shapes: list[Shape], teams: list[str], size: tuple[float, float], origin: dict[str, str]
) -> None:
    """Each door belongs to the nearest sanctuary that has none yet, and takes its name."""
    free = {z["name"]: z["polygon"] for z in tables["zone"] if z["kind"] == "sanctuary" and "polygon" in z}
    tables["door"] = []
    for shape in shapes:
        if shape.kind != "door":
            continue
        near = min(free, key=lambda n: _distance(shape.middle, free[n]), default=None)
        team = teams[shape.team] if shape.team is not None else teams[0]
        polygon = free.pop(near) if near is not None else [list(size), [0.0, 0.0]]
        name = near.removesuffix(" sanctuary") if near is not None else f"{team} door {len(tables['door']) + 1}"
        line, inside = [_rounded(p) for p in shape.points], _rounded(np.mean(polygon, axis=0))
        tables["door"].append({"name": name, "team": team, "line": line, "inside": inside})
        origin[f"door {name}"] = shape.id


def _add_rest(tables: Json, shapes: list[Shape], teams: list[str], origin: dict[str, str]) -> None:
    tables["gate"], tables["obstacle"], taken = [], [], set[str]()
    for shape in shapes:
        if shape.kind == "gate" and shape.circle is not None:
            name = _free("paleo", taken)
            tables["gate"].append({"name": name, "circle": [round(v, ROUND_MM) for v in shape.circle]})
            origin[f"gate {name}"] = shape.id
        elif shape.kind in ("facade", "reef"):
            body: Json = {"kind": shape.kind, "height": shape.height_mm}
            if shape.team is not None:
                body["team"] = teams[shape.team]
            tables["obstacle"].append(body | {"fixed": True} | _outline(shape))
            origin[f"obstacle {len(tables['obstacle'])}"] = shape.id


def bearing(place: Point, size: tuple[float, float]) -> str:
    """Where on the board a place lies: "north-west", "north", …, "" in its middle."""
    x, y = place
    down = "north" if y < size[1] * OUTER else "south" if y > size[1] * (1 - OUTER) else ""
    across = "west" if x < size[0] * OUTER else "east" if x > size[0] * (1 - OUTER) else ""
    return "-".join(part for part in (down, across) if part)


def _outline(shape: Shape) -> Json:
    if shape.circle is not None:
        return {"circle": [round(v, ROUND_MM) for v in shape.circle]}
    return {"polygon": [_rounded(p) for p in shape.points]}


def _rounded(point: Any) -> list[float]:
    return [round(float(point[0]), ROUND_MM), round(float(point[1]), ROUND_MM)]


def _free(name: str, taken: set[str]) -> str:
    """A name that is not taken yet: with a number from 2 on."""
    number, found = 2, name
    while found in taken:
        found, number = f"{name} {number}", number + 1
    taken.add(found)
    return found


def _distance(point: Point, polygon: list[list[float]]) -> float:
    """From a point to a polygon, 0 inside, mm."""
    return max(-float(cv2.pointPolygonTest(np.array(polygon, dtype=np.float32), point, True)), 0.0)
