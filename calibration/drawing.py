"""A board as it is drawn on a picture: a few shapes and their mirror images become the tables of a board file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import cv2
import numpy as np

from calibration.drawing_shapes import Json, Point, Shape, copies, shape_from, standard_markers
from calibration.redrawn import FIELDS, Opened, inside_of, kept

OUTER = 0.25  # part of the board that is called by its compass point
# start circles stand so far inside a base camp's edge, where none are drawn; one stands in its middle
RING_FROM_EDGE_MM = 24.0
MM_DIGITS = 1  # digits after the point of what is drawn by hand: nobody measures finer with a rule
ZONES = ("base_camp", "advanced_camp", "island", "sanctuary", "no_reef")


def tables_from_drawing(drawing: Mapping[str, Any]) -> tuple[Json, dict[str, str]]:
    """The board file's tables, and for each named thing (or "table number") the id of the shape that it comes from.

    drawing: as the page sends it (companion.dashboard.board_models.Drawing). Where it was opened from a file
    (`source`), what was not drawn anew stays as it stands there. Nothing is judged here, but a source that is no
    board file raises BoardFileError.
    """
    opened = Opened(drawing.get("source"))
    teams = [dict(team) for team in drawing["teams"]]
    size = (float(drawing["size"][0]), float(drawing["size"][1]))
    shapes = [s for shape in drawing["shapes"] for s in copies(shape_from(shape), drawing["mirror"], size, len(teams))]
    tables: Json = {"format": 1, "name": drawing["name"], "size": list(size)}
    for name in ("rim", "puck", "reef"):
        if (table := opened.single(name, drawing.get(name))) is not None:
            tables[name] = table
    tables["team"] = [_team(team, index, shapes, opened) for index, team in enumerate(teams)]
    names = [str(team["name"]) for team in teams]
    origin: dict[str, str] = {}
    _add_zones(tables, shapes, names, size, opened, origin)
    _add_doors(tables, shapes, names, opened, origin)
    _add_rest(tables, shapes, names, opened, origin)
    if drawing.get("keep_markers"):
        tables["marker"] = [kept(m, m, (), i) for i, m in enumerate(opened.like("marker"))]
    elif drawing.get("markers"):
        usual = standard_markers(size, tables.get("rim"), drawing["markers"])
        tables["marker"] = [opened.changed("marker", f"marker {i}", m) for i, m in enumerate(usual)]
    return tables, origin


def _team(team: Json, index: int, shapes: list[Shape], opened: Opened) -> Json:
    drawn = [s for s in shapes if s.kind == "start" and s.team == index]
    starts = [_point(s, s.middle) for s in drawn]
    pawns = len(team.get("mercenaries") or ()) + len(team.get("explorers") or ())
    camp = next((s for s in shapes if s.kind == "base_camp" and s.team == index and s.circle), None)
    before = opened.before("team", f"team {index}")
    wanted = before is None or bool(before[1].get("start_circles"))
    if not drawn and camp is not None and pawns and wanted:
        starts = [_rounded(p) for p in _ring(camp, pawns)]
    body = {key: value for key, value in team.items() if value not in (None, "")} | {"start_circles": starts}
    if before is None:
        return body
    old = before[1]
    if "digit_colour" not in old and body.get("digit_colour", "").lower() == old["colour"].lower():
        del body["digit_colour"]
    return kept(old, body, FIELDS["team"], index)


def _ring(camp: Shape, pawns: int) -> Iterator[Point]:
    assert camp.circle is not None
    x, y, r = camp.circle
    yield x, y
    for number in range(pawns - 1):
        turn = 2 * math.pi * number / (pawns - 1)
        yield x + (r - RING_FROM_EDGE_MM) * math.cos(turn), y + (r - RING_FROM_EDGE_MM) * math.sin(turn)


def _add_zones(tables: Json, shapes: list[Shape], teams: list[str], size: tuple[float, float], opened: Opened,
               origin: dict[str, str]) -> None:  # fmt: skip
    tables["zone"], taken = [], opened.names("zone", shapes)
    for shape in shapes:
        if shape.kind not in ZONES:
            continue
        team = teams[shape.team] if shape.team is not None else None
        before = opened.before("zone", shape.origin)
        name = _free(_zone_name(shape, team, size), taken) if before is None else before[1]["name"]
        zone: Json = {"name": name, "kind": shape.kind}
        if team is not None and (shape.kind != "no_reef" or before is not None):
            zone["team"] = team
        tables["zone"].append(opened.changed("zone", shape.origin, zone | _outline(shape)))
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


def _add_doors(tables: Json, shapes: list[Shape], teams: list[str], opened: Opened, origin: dict[str, str]) -> None:
    """Each door keeps its sanctuary; a new one belongs to the nearest that has none yet, and takes its name."""
    zones = {z["name"]: z for z in tables["zone"] if z["kind"] == "sanctuary"}
    doors = [shape for shape in shapes if shape.kind == "door"]
    owned = {f"{name} sanctuary" for name in opened.names("door", doors)}
    free = {name: zone["polygon"] for name, zone in zones.items() if zone.get("polygon") and name not in owned}
    tables["door"] = []
    for shape in doors:
        before = opened.before("door", shape.origin)
        near = f"{before[1]['name']} sanctuary" if before is not None else None
        if near not in zones:
            near = min(free, key=lambda n: _distance(shape.middle, free[n]), default=None)
            free.pop(near or "", None)
        team = teams[shape.team] if shape.team is not None else teams[0]
        name = near.removesuffix(" sanctuary") if near is not None else f"{team} door {len(tables['door']) + 1}"
        zone = zones[near] if near is not None else {"polygon": [tables["size"], [0.0, 0.0]]}
        door: Json = {"name": name, "team": team, "line": [_point(shape, p) for p in shape.points]}
        old = before[1] if before is not None else None
        door["inside"] = inside_of(door, old, zone, zone not in opened.like("zone"))
        tables["door"].append(opened.changed("door", shape.origin, door))
        origin[f"door {name}"] = shape.id


def _add_rest(tables: Json, shapes: list[Shape], teams: list[str], opened: Opened, origin: dict[str, str]) -> None:
    tables["gate"], tables["obstacle"], taken = [], [], opened.names("gate", shapes)
    for shape in shapes:
        if shape.kind == "gate" and shape.circle is not None:
            before = opened.before("gate", shape.origin)
            name = _free("paleo", taken) if before is None else before[1]["name"]
            tables["gate"].append(opened.changed("gate", shape.origin, {"name": name} | _outline(shape)))
            origin[f"gate {name}"] = shape.id
        elif shape.kind in ("facade", "reef"):
            body: Json = {"kind": shape.kind, "height": shape.height_mm}
            if shape.team is not None:
                body["team"] = teams[shape.team]
            body |= {"fixed": True} | _outline(shape)
            tables["obstacle"].append(opened.changed("obstacle", shape.origin, body))
            origin[f"obstacle {len(tables['obstacle'])}"] = shape.id


def bearing(place: Point, size: tuple[float, float]) -> str:
    """Where on the board a place lies: "north-west", "north", …, "" in its middle."""
    x, y = place
    down = "north" if y < size[1] * OUTER else "south" if y > size[1] * (1 - OUTER) else ""
    across = "west" if x < size[0] * OUTER else "east" if x > size[0] * (1 - OUTER) else ""
    return "-".join(part for part in (down, across) if part)


def _outline(shape: Shape) -> Json:
    if shape.circle is not None:
        circle = list(shape.circle)
        return {"circle": [round(v, MM_DIGITS) for v in circle] if shape.origin is None else circle}
    return {"polygon": [_point(shape, p) for p in shape.points]}


def _point(shape: Shape, point: Point) -> list[float]:
    """A point of a shape: what comes from a file is as fine as it stands there."""
    return _rounded(point) if shape.origin is None else [float(point[0]), float(point[1])]


def _rounded(point: Any) -> list[float]:
    return [round(float(point[0]), MM_DIGITS), round(float(point[1]), MM_DIGITS)]


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
