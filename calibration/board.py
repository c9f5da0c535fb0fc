"""The board file: one TOML file describes one board, checked field by field when it is read."""

from __future__ import annotations

import math
import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

FORMAT = 1
ZONE_KINDS = ("base_camp", "advanced_camp", "island", "sanctuary", "no_reef")
OBSTACLE_KINDS = ("facade", "reef")

MOST_MM = 100_000.0  # no board is larger than 100 m: such a number is a slip

BYTE_ORDER_MARK = "\ufeff"

PointMm = tuple[float, float]
PolygonMm = tuple[PointMm, ...]
Mm = TypeVar("Mm", float, NDArray[np.float64])  # one, or many


class BoardFileError(ValueError):
    """The board file is wrong; the message names file, table, field, what was found and what was expected."""


@dataclass(frozen=True, slots=True)
class Rim:
    """The raised border around the playing surface, millimetres."""

    width_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class PuckShape:
    """All pucks of a board are alike: diameter and height, millimetres."""

    diameter_mm: float
    height_mm: float

    @property
    def radius_mm(self) -> float:
        return self.diameter_mm / 2


@dataclass(frozen=True, slots=True)
class ReefShape:
    """A loose reef: a block of length x width x height, millimetres."""

    length_mm: float
    width_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Team:
    """A team: painted colours as sRGB hex, and which numbers play which role (both empty: unnumbered)."""

    name: str
    colour: str
    digit_colour: str
    reef_colour: str | None
    mercenaries: tuple[int, ...]
    explorers: tuple[int, ...]
    start_circles: tuple[PointMm, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(sorted(self.mercenaries + self.explorers))


@dataclass(frozen=True, slots=True)
class Zone:
    """A named area: a circle (x, y, r) or a polygon, millimetres."""

    name: str
    kind: str
    team: str | None
    circle: tuple[float, float, float] | None
    polygon: PolygonMm | None

    def contains(self, x_mm: float, y_mm: float) -> bool:
        """True where the point lies in the zone or on its edge."""
        if self.circle is not None:
            cx, cy, r = self.circle
            return math.hypot(x_mm - cx, y_mm - cy) <= r
        assert self.polygon is not None
        return point_in_polygon(x_mm, y_mm, self.polygon)


@dataclass(frozen=True, slots=True)
class Door:
    """A sanctuary's door: its line, and a point inside."""

    name: str
    team: str
    line: tuple[PointMm, PointMm]
    inside: PointMm

    def depth_mm(self, x_mm: Mm, y_mm: Mm) -> Mm:
        """How far a point lies beyond the door's line, towards the inside (negative: outside). Of (N,) points: (N,)"""
        (ax, ay), (bx, by) = self.line
        nx, ny = by - ay, ax - bx
        length = math.hypot(nx, ny)
        side = (self.inside[0] - ax) * nx + (self.inside[1] - ay) * ny
        sign = 1.0 if side > 0 else -1.0
        return sign * ((x_mm - ax) * nx + (y_mm - ay) * ny) / length

    @property
    def zone_name(self) -> str:
        return f"{self.name} sanctuary"


@dataclass(frozen=True, slots=True)
class Gate:
    """The round door of the city: circle (x, y, r), millimetres."""

    name: str
    circle: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What stands on the board for good: a facade or a fixed reef."""

    kind: str
    team: str | None
    height_mm: float
    polygon: PolygonMm
    fixed: bool


@dataclass(frozen=True, slots=True)
class Marker:
    """A printed ArUco marker: side and centre in millimetres, height of the print above the surface."""

    dictionary: str
    id: int
    size_mm: float
    centre: PointMm
    z_mm: float

    def corners_mm(self) -> NDArray[np.float64]:
        """(4, 3) corners as (x, y, height), in ArUco's order: north-west, north-east, south-east, south-west."""
        h, (x, y) = self.size_mm / 2, self.centre
        return np.array([[x - h, y - h, self.z_mm], [x + h, y - h, self.z_mm],
                         [x + h, y + h, self.z_mm], [x - h, y + h, self.z_mm]])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Board:
    """One board: everything the contract's board file says, in board millimetres."""

    name: str
    size: tuple[float, float]
    puck: PuckShape
    teams: tuple[Team, ...]
    rim: Rim | None
    reef: ReefShape | None
    zones: tuple[Zone, ...]
    doors: tuple[Door, ...]
    gates: tuple[Gate, ...]
    obstacles: tuple[Obstacle, ...]
    markers: tuple[Marker, ...]
    warnings: tuple[str, ...] = ()

    def team(self, name: str) -> Team:
        return next(t for t in self.teams if t.name == name)

    def zone(self, name: str) -> Zone | None:
        return next((z for z in self.zones if z.name == name), None)

    def zones_of_kind(self, kind: str) -> tuple[Zone, ...]:
        return tuple(z for z in self.zones if z.kind == kind)

    @property
    def numbered(self) -> bool:
        return any(t.numbers for t in self.teams)


def point_in_polygon(x: float, y: float, polygon: Sequence[PointMm]) -> bool:
    """True where the point lies inside the polygon (even-odd rule; the edge may fall on either side)."""
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


@cache
def last_marker_id(dictionary: str) -> int | None:
    """The largest id of an ArUco dictionary by its OpenCV name, or None where OpenCV has no such dictionary."""
    number = getattr(cv2.aruco, dictionary, None)
    if not dictionary.startswith("DICT_") or not isinstance(number, int):
        return None
    return len(cv2.aruco.getPredefinedDictionary(number).bytesList) - 1


def default_board_path() -> Path:
    """The board file of the box's Paleo board, which ships with the package."""
    return Path(str(resources.files("calibration.boards") / "paleo.toml"))


def load_board(path: str | Path) -> Board:
    """Reads and checks a board file.

    Raises BoardFileError when it cannot be read or breaks the format: one line that names the file, the
    table, the field, what was found and what was expected.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")  # editors on Windows put a mark before UTF-8
    except (OSError, UnicodeDecodeError) as error:
        reason = "is not UTF-8 text: save it as that" if isinstance(error, UnicodeDecodeError) else _os_reason(error)
        raise BoardFileError(f"{path}: the board file {reason}; expected a TOML file as paleo.toml is") from None
    return parse_board(text, str(path))


def parse_board(text: str, source: str = "board") -> Board:
    """Checks the text of a board file; `source` is what messages call it. Raises BoardFileError."""
    try:
        data = tomllib.loads(without_mark(text))
    except tomllib.TOMLDecodeError as error:
        raise BoardFileError(f"{source}: not valid TOML: {error}{_comma_hint(text)}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets thousands deep
        raise BoardFileError(f"{source}: not a board file: {error}; expected a TOML file as paleo.toml is") from None
    return _BoardReader(source).board(data)


def without_mark(text: str) -> str:
    """The text of a board file without the byte order mark that some editors put before it."""
    return text.removeprefix(BYTE_ORDER_MARK)


def _os_reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "does not exist"
    if isinstance(error, IsADirectoryError):
        return "is a folder"
    if isinstance(error, PermissionError):
        return "may not be read (permission denied)"
    return f"cannot be read ({error})"


def _comma_hint(text: str) -> str:
    """What to do where a number is written as in many languages, "diameter = 28,5"; else nothing."""
    found = _COMMA.search(text)
    return f"; {found[1]} is written {found[1].replace(',', '.')} here, with a point" if found else ""


_MISSING = object()
_COMMA = re.compile(r"^\s*\w+\s*=\s*(-?\d+,\d+)\s*(?:#.*)?$", re.MULTILINE)
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


class _BoardReader:
    """Reads tables and fields, and says precisely what is wrong with the first one that is."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.warnings: list[str] = []

    # -- failing ---------------------------------------------------------------------------------
    def fail(self, table: str, field: str, found: object, expected: str) -> BoardFileError:
        seen = "nothing" if found is _MISSING else _shown(found)
        where = f"[{table}] " if table else ""
        return BoardFileError(f"{self.source}: {where}{field}: found {seen}, expected {expected}")

    def known(self, data: dict[str, Any], table: str, *fields: str) -> None:
        for key in data:
            if key not in fields:
                where = f"[{table}] " if table else ""
                self.warnings.append(f"{self.source}: {where}{key}: unknown field, ignored")

    # -- values ----------------------------------------------------------------------------------
    def number(self, data: dict[str, Any], table: str, field: str, *, low: float = -math.inf,
               low_open: bool = False, default: float | None = None) -> float:  # fmt: skip
        value = data.get(field, _MISSING)
        if value is _MISSING and default is not None:
            return default
        return self._number(value, table, field, low, low_open)

    def _number(self, value: object, table: str, field: str, low: float = -math.inf,
                low_open: bool = False) -> float:  # fmt: skip
        if isinstance(value, int | float) and abs(value) > MOST_MM:
            raise self.fail(table, field, value, f"a number of at most {MOST_MM:g} (mm)")
        bound = "" if low == -math.inf else f" {'above' if low_open else 'of at least'} {low:g}"
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self.fail(table, field, value, f"a number{bound} (mm)")
        if value < low or (low_open and value == low):
            raise self.fail(table, field, value, f"a number{bound} (mm)")
        return float(value)

    def numbers(self, value: object, table: str, field: str, count: int, what: str) -> tuple[float, ...]:
        if not isinstance(value, list) or len(value) != count:
            raise self.fail(table, field, value, what)
        for v in value:
            if isinstance(v, bool) or not isinstance(v, int | float) or not abs(v) <= MOST_MM:  # nan is no less
                raise self.fail(table, field, value, what)
        return tuple(float(v) for v in value)

    def point(self, value: object, table: str, field: str) -> PointMm:
        x, y = self.numbers(value, table, field, 2, "a point [x, y] in mm")
        return x, y

    def points(self, value: object, table: str, field: str, least: int, most: int | None = None) -> PolygonMm:
        many = f"{least} points" if most == least else f"at least {least} points"
        if not isinstance(value, list) or len(value) < least or (most is not None and len(value) > most):
            raise self.fail(table, field, value, f"{many} [[x, y], …] in mm")
        return tuple(self.point(p, table, f"{field}[{i}]") for i, p in enumerate(value))

    def circle(self, value: object, table: str, field: str) -> tuple[float, float, float]:
        what = "a circle [x, y, r] in mm with r above 0"
        x, y, r = self.numbers(value, table, field, 3, what)
        if r <= 0:
            raise self.fail(table, field, value, what)
        return x, y, r

    def text(self, data: dict[str, Any], table: str, field: str) -> str:
        value = data.get(field, _MISSING)
        if not isinstance(value, str) or not value.strip():
            raise self.fail(table, field, value, "a text that is not empty")
        if any(unicodedata.category(letter) == "Cc" for letter in value):
            raise self.fail(table, field, value, "a text of one line")
        return value

    def colour(self, data: dict[str, Any], table: str, field: str, optional: bool = False) -> str | None:
        value = data.get(field, _MISSING)
        if optional and value is _MISSING:
            return None
        if not isinstance(value, str) or not _HEX.fullmatch(value):
            raise self.fail(table, field, value, 'a colour such as "#c8342a"')
        return value.lower()

    def choice(self, data: dict[str, Any], table: str, field: str, choices: tuple[str, ...]) -> str:
        value = data.get(field, _MISSING)
        if not isinstance(value, str) or value not in choices:
            raise self.fail(table, field, value, "one of " + ", ".join(choices))
        return value

    def whole_numbers(self, data: dict[str, Any], table: str, field: str) -> tuple[int, ...]:
        value = data.get(field, [])
        ok = isinstance(value, list) and all(type(v) is int and v >= 0 for v in value)
        if not ok or len(set(value)) != len(value):
            raise self.fail(table, field, value, "a list of different whole numbers, empty where pucks bear none")
        return tuple(value)

    def table(self, data: dict[str, Any], name: str, required: bool) -> dict[str, Any] | None:
        value = data.get(name, _MISSING)
        if value is _MISSING and not required:
            return None
        if not isinstance(value, dict):
            raise self.fail(name, "the table", value, f"a table [{name}]")
        return value

    def tables(self, data: dict[str, Any], name: str, least: int = 0) -> list[tuple[str, dict[str, Any]]]:
        value = data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
            raise self.fail(f"[{name}]", "the tables", value, f"tables written [[{name}]]")
        if len(value) < least:
            raise self.fail(f"[{name}]", "the tables", _MISSING, f"at least {least} table written [[{name}]]")
        return [(f"[{name}] {i + 1}" if not v.get("name") else f"[{name}] {_heading(v['name'])}", v)
                for i, v in enumerate(value)]  # fmt: skip

    # -- tables ----------------------------------------------------------------------------------
    def board(self, data: dict[str, Any]) -> Board:
        if data.get("format", _MISSING) != FORMAT or isinstance(data.get("format"), bool):
            raise self.fail("", "format", data.get("format", _MISSING), f"{FORMAT}")
        self.known(data, "", "format", "name", "size", "rim", "puck", "reef", "team", "zone", "door", "gate",
                   "obstacle", "marker")  # fmt: skip
        name = self.text(data, "", "name")
        w, h = self.numbers(data.get("size", _MISSING), "", "size", 2, "[width, height] in mm, both above 0")
        if w <= 0 or h <= 0:
            raise self.fail("", "size", data["size"], "[width, height] in mm, both above 0")
        puck_table = self.table(data, "puck", required=True)
        assert puck_table is not None
        self.known(puck_table, "puck", "diameter", "height")
        puck = PuckShape(self.number(puck_table, "puck", "diameter", low=0, low_open=True),
                         self.number(puck_table, "puck", "height", low=0))  # fmt: skip
        if puck.diameter_mm >= min(w, h) / 2:
            raise self.fail("puck", "diameter", puck.diameter_mm, f"less than half of the board ({min(w, h):g} mm)")
        teams = tuple(self.read_team(t, d) for t, d in self.tables(data, "team", least=1))
        self.unique("team", [t.name for t in teams])
        names = tuple(t.name for t in teams)
        zones = tuple(self.read_zone(t, d, names) for t, d in self.tables(data, "zone"))
        self.unique("zone", [z.name for z in zones])
        doors = tuple(self.read_door(t, d, names, zones) for t, d in self.tables(data, "door"))
        self.unique("door", [d.name for d in doors])
        gates = tuple(self.read_gate(t, d) for t, d in self.tables(data, "gate"))
        obstacles = tuple(self.read_obstacle(t, d, names) for t, d in self.tables(data, "obstacle"))
        markers = tuple(self.read_marker(t, d) for t, d in self.tables(data, "marker"))
        for i, m in enumerate(markers):
            if any((m.dictionary, m.id) == (n.dictionary, n.id) for n in markers[:i]):
                raise self.fail(f"[marker] {i + 1}", "id", m.id, "each id once in a dictionary; this one is used twice")
        return Board(name, (w, h), puck, teams, self.read_rim(data), self.read_reef(data), zones, doors, gates,
                     obstacles, markers, tuple(self.warnings))  # fmt: skip

    def unique(self, table: str, names: list[str]) -> None:
        for i, name in enumerate(names):
            if name in names[:i]:
                raise self.fail(f"[{table}] {name}", "name", name, "each name once; this one is used twice")

    def read_rim(self, data: dict[str, Any]) -> Rim | None:
        table = self.table(data, "rim", required=False)
        if table is None:
            return None
        self.known(table, "rim", "width", "height")
        return Rim(self.number(table, "rim", "width", low=0), self.number(table, "rim", "height", low=0))

    def read_reef(self, data: dict[str, Any]) -> ReefShape | None:
        table = self.table(data, "reef", required=False)
        if table is None:
            return None
        self.known(table, "reef", "length", "width", "height")
        return ReefShape(self.number(table, "reef", "length", low=0, low_open=True),
                         self.number(table, "reef", "width", low=0, low_open=True),
                         self.number(table, "reef", "height", low=0))  # fmt: skip

    def read_team(self, table: str, data: dict[str, Any]) -> Team:
        self.known(data, table, "name", "colour", "digit_colour", "reef_colour", "mercenaries", "explorers",
                   "start_circles")  # fmt: skip
        mercenaries = self.whole_numbers(data, table, "mercenaries")
        explorers = self.whole_numbers(data, table, "explorers")
        if both := set(mercenaries) & set(explorers):
            raise self.fail(table, "explorers", sorted(both), "numbers that are not mercenaries' too")
        colour = self.colour(data, table, "colour")
        digit = self.colour(data, table, "digit_colour", optional=not (mercenaries or explorers))
        circles = self.points(data.get("start_circles", []), table, "start_circles", 0)
        assert colour is not None
        reef_colour = self.colour(data, table, "reef_colour", optional=True)
        name = self.text(data, table, "name")
        return Team(name, colour, digit or colour, reef_colour, mercenaries, explorers, circles)

    def team_name(self, data: dict[str, Any], table: str, teams: tuple[str, ...], optional: bool) -> str | None:
        value = data.get("team", _MISSING)
        if value is _MISSING and optional:
            return None
        if value not in teams:
            raise self.fail(table, "team", value, "the name of a team: " + ", ".join(teams))
        return str(value)

    def read_zone(self, table: str, data: dict[str, Any], teams: tuple[str, ...]) -> Zone:
        self.known(data, table, "name", "kind", "team", "circle", "polygon")
        name, kind = self.text(data, table, "name"), self.choice(data, table, "kind", ZONE_KINDS)
        team = self.team_name(data, table, teams, optional=True)
        if ("circle" in data) == ("polygon" in data):
            found = "both" if "circle" in data else _MISSING
            raise self.fail(table, "circle or polygon", found, "one of the two")
        if "circle" in data:
            return Zone(name, kind, team, self.circle(data["circle"], table, "circle"), None)
        return Zone(name, kind, team, None, self.points(data["polygon"], table, "polygon", 3))

    def read_door(self, table: str, data: dict[str, Any], teams: tuple[str, ...], zones: tuple[Zone, ...]) -> Door:
        self.known(data, table, "name", "team", "line", "inside")
        name = self.text(data, table, "name")
        team = self.team_name(data, table, teams, optional=False)
        a, b = self.points(data.get("line", _MISSING), table, "line", 2, 2)
        inside = self.point(data.get("inside", _MISSING), table, "inside")
        if math.dist(a, b) < 1e-6:
            raise self.fail(table, "line", data["line"], "two different points")
        if abs((inside[0] - a[0]) * (b[1] - a[1]) - (inside[1] - a[1]) * (b[0] - a[0])) < 1e-6:
            raise self.fail(table, "inside", data["inside"], "a point that does not lie on the door's line")
        if not any(z.name == f"{name} sanctuary" and z.kind == "sanctuary" for z in zones):
            raise self.fail(table, "name", name, f'a door whose sanctuary is a zone named "{name} sanctuary"')
        assert team is not None
        return Door(name, team, (a, b), inside)

    def read_gate(self, table: str, data: dict[str, Any]) -> Gate:
        self.known(data, table, "name", "circle")
        return Gate(self.text(data, table, "name"), self.circle(data.get("circle", _MISSING), table, "circle"))

    def read_obstacle(self, table: str, data: dict[str, Any], teams: tuple[str, ...]) -> Obstacle:
        self.known(data, table, "kind", "team", "height", "polygon", "fixed")
        kind = self.choice(data, table, "kind", OBSTACLE_KINDS)
        fixed = data.get("fixed", True)
        if not isinstance(fixed, bool):
            raise self.fail(table, "fixed", fixed, "true or false")
        return Obstacle(kind, self.team_name(data, table, teams, optional=True),
                        self.number(data, table, "height", low=0),
                        self.points(data.get("polygon", _MISSING), table, "polygon", 3), fixed)  # fmt: skip

    def read_marker(self, table: str, data: dict[str, Any]) -> Marker:
        self.known(data, table, "dictionary", "id", "size", "centre", "z")
        dictionary = self.text(data, table, "dictionary")
        last_id = last_marker_id(dictionary)
        if last_id is None:
            raise self.fail(table, "dictionary", dictionary, 'an OpenCV name such as "DICT_4X4_50"')
        number = data.get("id", _MISSING)
        if type(number) is not int or not 0 <= number <= last_id:
            raise self.fail(table, "id", number, f"a whole number from 0 to {last_id}, as {dictionary} has")
        return Marker(dictionary, number, self.number(data, table, "size", low=0, low_open=True),
                      self.point(data.get("centre", _MISSING), table, "centre"),
                      self.number(data, table, "z", default=0.0))  # fmt: skip


def _heading(name: object, most: int = 60) -> str:
    """What a table is called in a message: a name of any length and signs in one line."""
    text = "".join("?" if unicodedata.category(sign) == "Cc" else sign for sign in str(name))
    return text if len(text) <= most else text[: most - 1] + "…"


def _shown(found: object, most: int = 60) -> str:
    text = repr(found)
    return text if len(text) <= most else text[: most - 1] + "…"
