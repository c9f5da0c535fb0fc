"""What is wrong or doubtful on a board whose file can be read: things that do not fit each other or the pucks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.board import Board, Door, Marker, PointMm, Team
from calibration.colours import lab_of
from calibration.figures import figures_in
from calibration.markers import ENOUGH_MARKERS

OFF_MM = 25.0  # a door further from its sanctuary than this is not that sanctuary's
CLEAR_MM = 2.0  # a puck passes where there is this much more room than it is wide
OUTSIDE_MM = 1.0  # rounding may put an edge this far beyond the surface
ERROR, WARNING = "error", "warning"

Said = dict[str, str]
PROBLEMS: dict[str, Said] = {
    "door.alone": {
        "en": "this door has no sanctuary of its own: draw the sanctuary, too",
        "fr": "cette porte n’a pas de sanctuaire à elle : tracer aussi le sanctuaire",
    },
    "door.off": {
        "en": "the door lies {mm} mm from its sanctuary: draw it on the sanctuary's edge",
        "fr": "la porte est à {mm} mm de son sanctuaire : la tracer sur son bord",
    },
    "door.narrow": {
        "en": "the door is {mm} mm wide, a puck {puck} mm: it cannot pass",
        "fr": "la porte fait {mm} mm, un palet {puck} mm : il ne passe pas",
    },
    "door.inside": {
        "en": "the point inside does not lie in the sanctuary",
        "fr": "le point intérieur n’est pas dans le sanctuaire",
    },
    "door.team": {
        "en": "the door belongs to {team}, its sanctuary to {other}",
        "fr": "la porte appartient à {team}, son sanctuaire à {other}",
    },
    "sanctuary.closed": {"en": "this sanctuary has no door", "fr": "ce sanctuaire n’a pas de porte"},
    "sanctuary.small": {
        "en": "a puck of {puck} mm does not fit into this sanctuary",
        "fr": "un palet de {puck} mm ne tient pas dans ce sanctuaire",
    },
    "gate.small": {
        "en": "the gate is {mm} mm wide, a puck {puck} mm: it cannot lie wholly on it",
        "fr": "la porte ronde fait {mm} mm, un palet {puck} mm : il ne peut y tenir entier",
    },
    "outside": {
        "en": "it reaches {mm} mm beyond the board ({w} x {h} mm)",
        "fr": "cela dépasse du plateau de {mm} mm ({w} x {h} mm)",
    },
    "crossed": {"en": "its outline crosses itself", "fr": "son contour se croise"},
    "marker.on_surface": {
        "en": "the marker covers the playing surface: a rim of {mm} mm leaves no room for it",
        "fr": "le repère couvre la surface de jeu : une bordure de {mm} mm n’y suffit pas",
    },
    "marker.overlap": {
        "en": "the markers {id} and {other} lie on each other: correct the place of one",
        "fr": "les repères {id} et {other} se recouvrent : corriger la place de l’un d’eux",
    },
    "marker.same_id": {
        "en": "two dictionaries have the id {id} here: only the first is looked for; give each marker its own id",
        "fr": "deux dictionnaires ont ici le numéro {id} : seul le premier est cherché ; donner à chacun le sien",
    },
    "marker.alone": {
        "en": "{found} marker does not say where the camera stands: two are needed, four are best; or take it out of "
        "the file, and the board is found by its outline",
        "fr": "{found} repère ne dit pas où est la caméra : il en faut deux, mieux quatre ; ou l’ôter du fichier, et "
        "le plateau est trouvé à son contour",
    },
    "marker.off_rim": {
        "en": "the marker reaches {mm} mm beyond the rim: is its place right?",
        "fr": "le repère dépasse de la bordure de {mm} mm : sa place est-elle juste ?",
    },
    "marker.high": {
        "en": "the marker would lie {mm} mm above the surface, on a rim of {rim} mm: is that right?",
        "fr": "le repère serait à {mm} mm au-dessus de la surface, sur une bordure de {rim} mm : est-ce juste ?",
    },
    "flat": {
        "en": "its outline has no area: give its corners in order around it",
        "fr": "son contour n’a pas de surface : donner ses coins dans l’ordre",
    },
    "size.small": {
        "en": "the board would be {w} x {h} mm: is that another unit? Measures are millimetres",
        "fr": "le plateau ferait {w} x {h} mm : est-ce une autre unité ? Les mesures sont en millimètres",
    },
    "puck.small": {
        "en": "a puck would be {puck} mm wide: is that another unit? Measures are millimetres",
        "fr": "un palet ferait {puck} mm de large : est-ce une autre unité ? Les mesures sont en millimètres",
    },
    "starts.wall": {
        "en": "a puck on the start circle at {x}, {y} would stand in a wall",
        "fr": "un palet sur le cercle de départ {x}, {y} serait dans un mur",
    },
    "starts.shared": {
        "en": "a start circle is {mm} mm from one of {other}, a puck is {puck} mm wide",
        "fr": "un cercle de départ est à {mm} mm d’un cercle de {other}, un palet fait {puck} mm",
    },
    "numbers.beyond": {
        "en": "{team} has a number above {most}: none of its numbers would be read",
        "fr": "{team} a un numéro au-dessus de {most} : aucun de ses numéros ne serait lu",
    },
    "digits.alike": {
        "en": "the numbers of {team} are of the puck's own colour: they cannot be read",
        "fr": "les numéros de {team} ont la couleur du palet : ils ne peuvent être lus",
    },
    "starts.few": {
        "en": "{found} start circles for {needed} pawns",
        "fr": "{found} cercles de départ pour {needed} pions",
    },
    "starts.close": {
        "en": "two start circles are {mm} mm apart, a puck is {puck} mm wide",
        "fr": "deux cercles de départ sont à {mm} mm, un palet fait {puck} mm",
    },
    "colours.alike": {
        "en": "the colours of {team} and {other} are too alike to be told apart",
        "fr": "les couleurs de {team} et {other} se ressemblent trop",
    },
    "puck.tall": {
        "en": "a puck of {puck} mm would be {mm} mm high: are its diameter and height exchanged?",
        "fr": "un palet de {puck} mm ferait {mm} mm de haut : diamètre et hauteur sont-ils inversés ?",
    },
    "rim.tall": {
        "en": "the rim would be {mm} mm high: are its width and height exchanged, or is that another unit?",
        "fr": "la bordure ferait {mm} mm de haut : largeur et hauteur inversées, ou autre unité ?",
    },
    "reef.wide": {
        "en": "a reef is wider ({mm} mm) than it is long: exchange the two",
        "fr": "un récif est plus large ({mm} mm) que long : inverser les deux",
    },
    "none.gate": {
        "en": "the board has no gate: Paleo needs one",
        "fr": "il n’y a pas de porte ronde : Paleo en a besoin",
    },
    "none.door": {"en": "the board has no door: Paleo needs them", "fr": "il n’y a pas de porte : Paleo en a besoin"},
    "none.base_camp": {
        "en": "{team} has no base camp: Paleo needs one",
        "fr": "{team} n’a pas de camp de base : Paleo en a besoin",
    },
}
LEAST_BOARD_MM = 120.0  # a board whose longer side is shorter than this was measured in another unit
LEAST_PUCK_MM = 6.0  # nor is a puck narrower: no finger flicks it
MARKER_LIFT_MM = 30.0  # a marker lies this near the height of the rim that it is glued to, or the figure is a slip
LEAST_AREA_MM2 = 1.0  # outlines with less area are none
# points a millimetre by which outlines are looked at, and how many one is wide at most: what reaches to the horizon, by
# a slip, would fill the memory
FINEST, MOST_FINE = 8.0, 1000
MOST_NUMBER = 99  # the largest number that is read
DIGITS_ALIKE = 12.0  # distance in CIE Lab below which no camera reads a number on its puck
TALL_MM = 40.0  # no rim is higher: a hand could not flick over it
ALIKE = 28.0  # distance in CIE Lab below which a camera confuses two paints in poor light


def as_written(_language: str, team: str) -> str:
    """A team by its name in the board file."""
    return team


TEAMS = ("team", "other")  # figures that may name a team


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not fit. where: "table name" or "table number"; severity: error, or warning."""

    where: str
    key: str
    severity: str
    figures: dict[str, str] = field(default_factory=dict)

    def text(self, language: str = "en", called: Callable[[str, str], str] = as_written) -> str:
        """What does not fit. called: a team as people read it, by the language and its name in the file."""
        teams = {name: called(language, value) for name, value in self.figures.items() if name in TEAMS}
        return figures_in(language, PROBLEMS[self.key][language].format(**self.figures | teams))


def board_problems(board: Board) -> list[Problem]:
    """Everything that is wrong or doubtful, errors first."""
    found = [*_doors(board), *_sanctuaries(board), *_gates(board), *_outside(board), *_markers(board),
             *_measures(board), *_teams(board), *_missing(board)]  # fmt: skip
    return sorted(found, key=lambda p: p.severity != ERROR)


def _doors(board: Board) -> Iterator[Problem]:
    puck = board.puck.diameter_mm
    for door in board.doors:
        where, zone = f"door {door.name}", board.zone(door.zone_name)
        width = math.dist(*door.line)
        if width < puck + CLEAR_MM:
            yield Problem(where, "door.narrow", ERROR, {"mm": f"{width:.1f}", "puck": f"{puck:g}"})
        if zone is None or zone.polygon is None:
            continue
        off = _off_mm(_middle(door), zone.polygon)
        if off > OFF_MM:
            yield Problem(where, "door.off", ERROR, {"mm": f"{off:.0f}"})
        elif not zone.contains(*door.inside):
            yield Problem(where, "door.inside", ERROR)
        if zone.team is not None and zone.team != door.team:
            yield Problem(where, "door.team", ERROR, {"team": door.team, "other": zone.team})


def _sanctuaries(board: Board) -> Iterator[Problem]:
    doors = {d.zone_name for d in board.doors}
    for zone in board.zones_of_kind("sanctuary"):
        if zone.name not in doors:
            yield Problem(f"zone {zone.name}", "sanctuary.closed", WARNING)
        if zone.polygon is not None and _inner_radius_mm(zone.polygon) < board.puck.radius_mm:
            yield Problem(f"zone {zone.name}", "sanctuary.small", ERROR, {"puck": f"{board.puck.diameter_mm:g}"})


def _gates(board: Board) -> Iterator[Problem]:
    for gate in board.gates:
        wide = 2 * gate.circle[2]
        if wide < board.puck.diameter_mm + CLEAR_MM:
            figures = {"mm": f"{wide:.1f}", "puck": f"{board.puck.diameter_mm:g}"}
            yield Problem(f"gate {gate.name}", "gate.small", ERROR, figures)


def _outside(board: Board) -> Iterator[Problem]:
    w, h = board.size
    things: list[tuple[str, tuple[float, float, float] | None, tuple[PointMm, ...] | None]] = [
        *((f"zone {z.name}", z.circle if z.kind != "no_reef" else None, z.polygon) for z in board.zones),
        *((f"gate {g.name}", g.circle, None) for g in board.gates),
        *((f"door {d.name}", None, d.line) for d in board.doors),
        *((f"obstacle {i}", None, o.polygon) for i, o in enumerate(board.obstacles, 1)),
        *((f"team {t.name}", None, t.start_circles) for t in board.teams),
    ]
    for where, circle, points in things:
        xs, ys = _reach(circle, points or ())
        over = max([-x for x in xs] + [x - w for x in xs] + [-y for y in ys] + [y - h for y in ys], default=0.0)
        if over > OUTSIDE_MM:
            yield Problem(where, "outside", ERROR, {"mm": f"{over:.0f}", "w": f"{w:g}", "h": f"{h:g}"})
        if points is None or len(points) < 3 or where.startswith("team"):
            continue
        if len(points) > 3 and _crosses(points):
            yield Problem(where, "crossed", ERROR)
        elif abs(cv2.contourArea(np.array(points, dtype=np.float32))) < LEAST_AREA_MM2:
            yield Problem(where, "flat", ERROR)


def _reach(circle: tuple[float, float, float] | None, points: tuple[PointMm, ...]) -> tuple[list[float], list[float]]:
    if circle is not None:
        x, y, r = circle
        return [x - r, x + r], [y - r, y + r]
    return [p[0] for p in points], [p[1] for p in points]


def _markers(board: Board) -> Iterator[Problem]:
    if 0 < len(board.markers) < ENOUGH_MARKERS:
        yield Problem("marker", "marker.alone", WARNING, {"found": str(len(board.markers))})
    for number, marker in enumerate(board.markers, 1):
        where = f"marker {number}"
        for other in board.markers[: number - 1]:
            if _apart_mm(marker, other) < 0:
                yield Problem(where, "marker.overlap", ERROR, {"id": str(other.id), "other": str(marker.id)})
            if marker.id == other.id:
                yield Problem(where, "marker.same_id", WARNING, {"id": str(marker.id)})
        yield from _place_of_marker(board, marker, where)


def _place_of_marker(board: Board, marker: Marker, where: str) -> Iterator[Problem]:
    """Where a marker cannot lie, or hardly."""
    (w, h), (x, y), half = board.size, marker.centre, marker.size_mm / 2
    wide, high = (board.rim.width_mm, board.rim.height_mm) if board.rim else (0.0, 0.0)
    if x + half > 0 and x - half < w and y + half > 0 and y - half < h:
        yield Problem(where, "marker.on_surface", ERROR, {"mm": f"{wide:g}"})
    over = max(half - x, x + half - w, half - y, y + half - h) - wide
    if board.rim is not None and over > OUTSIDE_MM:
        yield Problem(where, "marker.off_rim", WARNING, {"mm": f"{over:.0f}"})
    if abs(marker.z_mm - high) > MARKER_LIFT_MM:
        yield Problem(where, "marker.high", WARNING, {"mm": f"{marker.z_mm:g}", "rim": f"{high:g}"})


def _apart_mm(a: Marker, b: Marker) -> float:
    """From one marker's edge to the other's, mm; below 0 where they lie on each other."""
    return max(abs(a.centre[i] - b.centre[i]) for i in (0, 1)) - (a.size_mm + b.size_mm) / 2


def _measures(board: Board) -> Iterator[Problem]:
    """Measures that look as if two had been exchanged, or as if they were of another unit."""
    puck, rim, reef, (w, h) = board.puck, board.rim, board.reef, board.size
    if max(w, h) < LEAST_BOARD_MM:
        yield Problem("size", "size.small", WARNING, {"w": f"{w:g}", "h": f"{h:g}"})
    elif puck.diameter_mm < LEAST_PUCK_MM:
        yield Problem("puck", "puck.small", WARNING, {"puck": f"{puck.diameter_mm:g}"})
    if puck.height_mm > puck.diameter_mm:
        figures = {"mm": f"{puck.height_mm:g}", "puck": f"{puck.diameter_mm:g}"}
        yield Problem("puck", "puck.tall", WARNING, figures)
    if rim is not None and rim.height_mm > max(rim.width_mm, TALL_MM):
        yield Problem("rim", "rim.tall", WARNING, {"mm": f"{rim.height_mm:g}"})
    if reef is not None and reef.width_mm > reef.length_mm:
        yield Problem("reef", "reef.wide", WARNING, {"mm": f"{reef.width_mm:g}"})


def _teams(board: Board) -> Iterator[Problem]:
    puck = board.puck.diameter_mm
    for index, team in enumerate(board.teams):
        starts, needed = team.start_circles, len(team.numbers)
        if starts and len(starts) < needed:
            yield Problem(f"team {team.name}", "starts.few", ERROR, {"found": str(len(starts)), "needed": str(needed)})
        near = min((math.dist(a, b) for i, a in enumerate(starts) for b in starts[:i]), default=math.inf)
        if near < puck:
            yield Problem(f"team {team.name}", "starts.close", ERROR, {"mm": f"{near:.0f}", "puck": f"{puck:g}"})
        yield from _starts_in_walls(board, team)
        if team.numbers and _apart(team.colour, team.digit_colour) < DIGITS_ALIKE:
            yield Problem(f"team {team.name}", "digits.alike", WARNING, {"team": team.name})
        if max(team.numbers, default=0) > MOST_NUMBER:
            yield Problem(f"team {team.name}", "numbers.beyond", WARNING, {"team": team.name, "most": f"{MOST_NUMBER}"})
        for other in board.teams[:index]:
            near = min((math.dist(a, b) for a in starts for b in other.start_circles), default=math.inf)
            if near < puck:
                figures = {"mm": f"{near:.0f}", "other": other.name, "puck": f"{puck:g}"}
                yield Problem(f"team {team.name}", "starts.shared", WARNING, figures)
            if _apart(team.colour, other.colour) < ALIKE:
                figures = {"team": other.name, "other": team.name}
                yield Problem(f"team {team.name}", "colours.alike", WARNING, figures)


def _starts_in_walls(board: Board, team: Team) -> Iterator[Problem]:
    """The first start circle on which no puck can stand."""
    reach = board.puck.radius_mm - OUTSIDE_MM
    for x, y in team.start_circles:
        for wall in board.obstacles:
            if cv2.pointPolygonTest(np.array(wall.polygon, dtype=np.float32), (x, y), True) > -reach:
                yield Problem(f"team {team.name}", "starts.wall", WARNING, {"x": f"{x:g}", "y": f"{y:g}"})
                return


def _missing(board: Board) -> Iterator[Problem]:
    if not board.gates:
        yield Problem("gate", "none.gate", WARNING)
    if not board.doors:
        yield Problem("door", "none.door", WARNING)
    camps = {z.team for z in board.zones_of_kind("base_camp")}
    for team in board.teams:
        if team.name not in camps:
            yield Problem(f"team {team.name}", "none.base_camp", WARNING, {"team": team.name})


def _middle(door: Door) -> PointMm:
    (ax, ay), (bx, by) = door.line
    return (ax + bx) / 2, (ay + by) / 2


def _off_mm(point: PointMm, polygon: tuple[PointMm, ...]) -> float:
    """From a point to the nearest edge of a polygon, mm; inside or outside."""
    return abs(float(cv2.pointPolygonTest(np.array(polygon, dtype=np.float32), point, True)))


def _inner_radius_mm(polygon: tuple[PointMm, ...]) -> float:
    """Radius of the largest circle that fits into a polygon, to a part of a millimetre; less exactly in a large one."""
    places = np.array(polygon)
    fine = min(FINEST, MOST_FINE / max(float(np.ptp(places, axis=0).max()), 1.0))
    places = places * fine
    low, high = np.floor(places.min(0)) - 1, np.ceil(places.max(0)) + 2
    mask = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), dtype=np.uint8)
    cv2.fillPoly(mask, [np.round(places - low).astype(np.int32)], (255,))
    to_beyond = float(cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE).max())
    return (to_beyond - 1) / fine  # the outline itself is drawn, too


def _crosses(points: tuple[PointMm, ...]) -> bool:
    """True where two sides that are no neighbours meet."""
    sides = list(zip(points, [*points[1:], points[0]], strict=True))
    return any(
        _meet(*sides[i], *sides[j])
        for i in range(len(sides))
        for j in range(i + 2, len(sides))
        if (j + 1) % len(sides) != i
    )


def _meet(a: PointMm, b: PointMm, c: PointMm, d: PointMm) -> bool:
    def side(p: PointMm, q: PointMm, r: PointMm) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def _apart(colour: str, other: str) -> float:
    """How far apart two paints are, CIE Lab."""
    return math.dist(lab_of(colour), lab_of(other))
