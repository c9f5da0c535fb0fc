"""A board file opened as a drawing, and what the drawing leaves as it is: names, places inside, unknown fields."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

import numpy as np

from calibration.board import Board, parse_board, point_in_polygon
from calibration.drawing_shapes import MARKER_KEYS, Json, Shape, standard_markers

FIELDS = {  # what of each table a drawing may change; whatever else stands there stays
    "team": ("name", "colour", "digit_colour", "reef_colour", "mercenaries", "explorers", "start_circles"),
    "zone": ("name", "kind", "team", "circle", "polygon"),
    "door": ("name", "team", "line", "inside"),
    "gate": ("name", "circle"),
    "obstacle": ("kind", "team", "height", "polygon"),
    "marker": MARKER_KEYS,
    "rim": ("width", "height"),
    "puck": ("diameter", "height"),
    "reef": ("length", "width", "height"),
}
ON_LINE_MM2 = 1e-3  # twice the area of door and point inside below which the point lies on the door's line


class Kept(dict[str, Any]):
    """A table that stood in the opened file already, at this place among its like."""

    index: int = 0


class Opened:
    """The board file that a drawing was opened from; empty for a new drawing. Raises BoardFileError."""

    def __init__(self, source: str | None) -> None:
        if source:
            parse_board(source, "the opened board")
        self.tables: Json = tomllib.loads(source) if source else {}
        self.is_new = not source

    def like(self, kind: str) -> list[Json]:
        """All tables of a kind, as they stand in the file."""
        return list(self.tables.get(kind) or ())

    def before(self, kind: str, origin: str | None) -> tuple[int, Json] | None:
        """Where a thing of a kind comes from ("zone 3", from 0), and its table there; None where it is new."""
        named, _, number = (origin or "").partition(" ")
        tables = self.like(kind) if named == kind else []
        index = int(number) if number.isdecimal() and len(number) < 5 else len(tables)
        return (index, tables[index]) if index < len(tables) else None

    def names(self, kind: str, shapes: list[Shape]) -> set[str]:
        """Names that the shapes keep."""
        found = [self.before(kind, s.origin) for s in shapes]
        return {str(place[1]["name"]) for place in found if place is not None and "name" in place[1]}

    def changed(self, kind: str, origin: str | None, new: Json) -> Json:
        """A table of the file with what was drawn anew; a new table where it does not come from the file."""
        place = self.before(kind, origin)
        return new if place is None else kept(place[1], new, FIELDS[kind], place[0])

    def single(self, kind: str, new: Mapping[str, Any] | None) -> Json | None:
        """The rim, puck or reef; None where there is none, neither in the file nor in the drawing."""
        old = self.tables.get(kind)
        if new is None or (old is None and not self.is_new and not any(new.values())):
            return None
        return dict(new) if old is None else kept(old, dict(new), FIELDS[kind], 0)


def kept(old: Mapping[str, Any], new: Mapping[str, Any], fields: tuple[str, ...], index: int) -> Kept:
    """The old table; only those of its fields that were changed are new."""
    made = Kept(old)
    made.index = index
    for key in fields:
        if key not in new:
            made.pop(key, None)
        elif key not in old:
            if new[key] not in (None, "", [], ()):
                made[key] = new[key]
        elif not _alike(old[key], new[key]):
            made[key] = new[key]
    return made


def inside_of(door: Json, old: Json | None, zone: Json | None, zone_changed: bool) -> list[float]:
    """The old point inside, where it still is one; else the middle of the sanctuary."""
    polygon = (zone or {}).get("polygon")
    circle = (zone or {}).get("circle")
    middle = [float(v) for v in np.mean(polygon, axis=0)] if polygon else list(circle[:2]) if circle else [0.0, 0.0]
    if old is None:
        return [round(v, 1) for v in middle]
    inside: list[float] = old["inside"]
    if len(door["line"]) != 2 or (not zone_changed and _alike(old["line"], door["line"])):
        return inside
    (ax, ay), (bx, by) = door["line"]
    on_line = abs((inside[0] - ax) * (by - ay) - (inside[1] - ay) * (bx - ax)) < ON_LINE_MM2
    within = polygon is None or point_in_polygon(inside[0], inside[1], [(p[0], p[1]) for p in polygon])
    return inside if within and not on_line else [round(v, 1) for v in middle]


def drawing_from_text(text: str, source: str) -> Json:
    """A board file as a drawing (companion.dashboard.board_models.Drawing) with its measures; nothing is rounded.

    Raises BoardFileError where the file breaks the format.
    """
    board = parse_board(text, source)
    tables = tomllib.loads(text)
    teams = [t.name for t in board.teams]
    own = has_own_markers(board, tables)
    shapes: list[Json] = []
    for index, team in enumerate(board.teams):
        for place in team.start_circles:
            shapes.append({"kind": "start", "team": index, "points": [list(place)], "origin": f"team {index}"})
    for number, zone in enumerate(board.zones):
        shapes.append({"kind": zone.kind, "team": _index(teams, zone.team), "origin": f"zone {number}",
                       **_outline(zone.circle, zone.polygon)})  # fmt: skip
    for number, door in enumerate(board.doors):
        shapes.append({"kind": "door", "team": _index(teams, door.team), "origin": f"door {number}",
                       **_outline(None, door.line)})  # fmt: skip
    for number, gate in enumerate(board.gates):
        shapes.append({"kind": "gate", "team": None, "origin": f"gate {number}", **_outline(gate.circle, None)})
    for number, thing in enumerate(board.obstacles):
        shapes.append({"kind": thing.kind, "team": _index(teams, thing.team), "height": thing.height_mm,
                       "origin": f"obstacle {number}", **_outline(None, thing.polygon)})  # fmt: skip
    plain: Json = {"points": [], "circle": None, "swap": "same"}
    return {
        "source": text, "keep_markers": own, "own_markers": own, "mirror": "none", "measures": _measures(board, own),
        "teams": [_team(board, i) for i in range(len(teams))],
        "shapes": [{**plain, **shape, "id": str(i)} for i, shape in enumerate(shapes, 1)],
    }  # fmt: skip


def has_own_markers(board: Board, tables: Mapping[str, Any]) -> bool:
    """True where the markers are not the four that `paleo sheets` prints for the corners of a rim."""
    if not board.markers:
        return False
    usual = standard_markers(board.size, tables.get("rim"), board.markers[0].size_mm)
    found = [{key: marker.get(key, 0.0) for key in MARKER_KEYS} for marker in tables["marker"]]
    return found != usual


def unknown_fields(text: str) -> list[str]:
    """Fields of the file that no board file has; they are kept as they are."""
    return [warning.split(": ", 1)[1].split(":")[0] for warning in parse_board(text, "file").warnings]


def _measures(board: Board, own: bool) -> Json:
    rim, reef = board.rim, board.reef
    facades = [o.height_mm for o in board.obstacles if o.kind == "facade"]
    return {
        "name": board.name, "width": board.size[0], "height": board.size[1],
        "rim_width": rim.width_mm if rim else 0.0, "rim_height": rim.height_mm if rim else 0.0,
        "puck_diameter": board.puck.diameter_mm, "puck_height": board.puck.height_mm,
        "reef_length": reef.length_mm if reef else 0.0, "reef_width": reef.width_mm if reef else 0.0,
        "reef_height": reef.height_mm if reef else 0.0,
        "markers": board.markers[0].size_mm if board.markers and not own else 0.0,
        **({"facade_height": facades[0]} if facades else {}),
    }  # fmt: skip


def _team(board: Board, index: int) -> Json:
    team = board.teams[index]
    return {"name": team.name, "colour": team.colour, "digit_colour": team.digit_colour,
            "reef_colour": team.reef_colour, "mercenaries": list(team.mercenaries),
            "explorers": list(team.explorers)}  # fmt: skip


def _outline(circle: tuple[float, ...] | None, points: tuple[tuple[float, float], ...] | None) -> Json:
    return {"circle": list(circle) if circle else None, "points": [list(p) for p in points or ()]}


def _index(teams: list[str], name: str | None) -> int | None:
    return teams.index(name) if name is not None else None


def _alike(old: Any, new: Any) -> bool:
    """The same value; colours in capitals or not, numbers whole or not."""
    if isinstance(old, str) and isinstance(new, str) and old.startswith("#"):
        return old.lower() == new.lower()
    return bool(old == new)
