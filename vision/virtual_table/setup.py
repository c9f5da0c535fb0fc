"""Where pucks and reefs lie to begin with."""

from __future__ import annotations

import math
import random
import string
from collections.abc import Iterable, Sequence

from calibration.board import Board, PolygonMm, point_in_polygon
from vision.virtual_table.physics import Puck
from vision.virtual_table.scene import Reef

REEFS_A_TEAM = 4
REEF_GAP_PUCKS = 1.5  # P26: between two reefs, and between a reef and the board's edge
UNNUMBERED_EACH = 8  # pucks of a team without numbers and without start circles
TRIES = 4000  # random places that are tried before the board is said to be full
REEF_TRIES = 300  # random places that are tried before a reef is left out: a crowded board may have room for fewer
CLEARANCE_MM = 3.0  # between what is laid at random
RING_MM, RINGS = 2.0, 60  # rings around a place that is not free: so far apart, so many: out to several pucks from it
RING_PLACES = 6  # places on the first ring, and so many more on each further one: about RING_MM apart on all
HAIR_MM = 0.3  # between a puck that is laid by hand and its neighbours: they do not touch


def puck_keys(board: Board) -> list[tuple[str, str, int | None]]:
    """(key, team, number) of every puck of a board: "red-7", or "red-a" where they bear no numbers."""
    out: list[tuple[str, str, int | None]] = []
    for team in board.teams:
        if team.numbers:
            out += [(f"{team.name}-{n}", team.name, n) for n in team.numbers]
        else:
            count = len(team.start_circles) or UNNUMBERED_EACH
            out += [(f"{team.name}-{letter}", team.name, None) for letter in string.ascii_lowercase[:count]]
    return out


def start_pucks(board: Board, rng: random.Random, walls: Sequence[PolygonMm]) -> list[Puck]:
    """All pucks on their teams' circles, numbers shuffled; where circles lack, anywhere free."""
    pucks: list[Puck] = []
    for team in board.teams:
        mine = [k for k in puck_keys(board) if k[1] == team.name]
        circles = list(team.start_circles)
        rng.shuffle(circles)
        for i, (key, name, number) in enumerate(mine):
            turn = rng.uniform(0, 2 * math.pi)
            x, y = circles[i] if i < len(circles) else free_place(board, walls, pucks, rng)
            pucks.append(Puck(key, name, number, x, y, turn))
    return pucks


def scattered_pucks(board: Board, rng: random.Random, walls: Sequence[PolygonMm]) -> list[Puck]:
    """The middle of a round: about half of the pucks have left their circles."""
    pucks = start_pucks(board, rng, walls)
    for i in rng.sample(range(len(pucks)), k=len(pucks) // 2):
        others = pucks[:i] + pucks[i + 1 :]
        pucks[i] = pucks[i].at(*free_place(board, walls, others, rng))
    return pucks


def free_place(
    board: Board, walls: Sequence[PolygonMm], pucks: Iterable[Puck], rng: random.Random
) -> tuple[float, float]:
    """A place outside the sanctuaries where a puck touches nothing. Raises ValueError when the board is full."""
    taken, (w, h), edge = list(pucks), board.size, board.puck.radius_mm + CLEARANCE_MM
    for _ in range(TRIES):
        x, y = rng.uniform(edge, w - edge), rng.uniform(edge, h - edge)
        if any(z.contains(x, y) for z in board.zones_of_kind("sanctuary")):
            continue
        if is_free(board, walls, taken, x, y, CLEARANCE_MM):
            return x, y
    raise ValueError(f"board {board.name!r}: no free place for a puck was found; expected room between walls and pucks")


def is_free(board: Board, walls: Sequence[PolygonMm], pucks: Iterable[Puck], x: float, y: float, gap_mm: float) -> bool:
    """True where a puck at x, y would lie on the surface, gap_mm or more from everything."""
    (w, h), r = board.size, board.puck.radius_mm
    if not (r <= x <= w - r and r <= y <= h - r):
        return False
    if any(math.dist((p.x_mm, p.y_mm), (x, y)) < 2 * r + gap_mm for p in pucks):
        return False
    return all(distance_to_polygon(x, y, polygon) >= r + gap_mm for polygon in walls)


def nearest_free(
    board: Board, walls: Sequence[PolygonMm], pucks: Sequence[Puck], x: float, y: float
) -> tuple[float, float]:
    """The place itself where it is free, else the nearest free one around it, mm. Raises ValueError where none is."""
    for ring in range(RINGS):
        places = max(1, RING_PLACES * ring)
        for i in range(places):
            a = 2 * math.pi * i / places
            px, py = x + RING_MM * ring * math.cos(a), y + RING_MM * ring * math.sin(a)
            if is_free(board, walls, pucks, px, py, HAIR_MM):
                return px, py
    raise ValueError(f"no free place within {RINGS * RING_MM:.0f} mm of x = {x:.0f}, y = {y:.0f}; choose another")


def distance_to_polygon(x: float, y: float, polygon: PolygonMm) -> float:
    """Distance to the polygon's edge; 0 inside."""
    if point_in_polygon(x, y, polygon):
        return 0.0
    return min(distance_to_segment((x, y), a, b) for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True))


def distance_to_segment(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    t = 0.0 if length2 == 0 else min(max(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length2, 0.0), 1.0)
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def place_reefs(board: Board, rng: random.Random, pucks: Sequence[Puck]) -> list[Reef]:
    """Reefs as two players would place them (P25, P26): none in a no-reef zone, gaps for a puck and a half."""
    if board.reef is None:
        return []
    reefs: list[Reef] = []
    for i in range(REEFS_A_TEAM * len(board.teams)):
        reef = _try_reef(board, rng, board.teams[i % len(board.teams)].name, reefs, pucks)
        if reef is not None:
            reefs.append(reef)
    return reefs


def _try_reef(board: Board, rng: random.Random, team: str, reefs: Sequence[Reef], pucks: Sequence[Puck]) -> Reef | None:
    assert board.reef is not None
    (w, h), gap = board.size, REEF_GAP_PUCKS * board.puck.diameter_mm
    for _ in range(REEF_TRIES):
        x, y, a = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(0, math.pi)
        polygon = reef_polygon(x, y, a, board.reef.length_mm, board.reef.width_mm)
        if any(not (gap <= px <= w - gap and gap <= py <= h - gap) for px, py in polygon):
            continue
        closed = [z for z in board.zones if z.kind in ("no_reef", "base_camp", "sanctuary", "island")]
        if any(z.contains(px, py) for z in closed for px, py in (*polygon, (x, y))):
            continue
        standing = [r.polygon for r in reefs] + [o.polygon for o in board.obstacles]
        if any(distance_to_polygon(px, py, other) < gap for other in standing for px, py in (*polygon, (x, y))):
            continue
        if any(distance_to_polygon(p.x_mm, p.y_mm, polygon) < board.puck.radius_mm + CLEARANCE_MM for p in pucks):
            continue
        return Reef(team, polygon)
    return None


def reef_polygon(x: float, y: float, angle_rad: float, length: float, width: float) -> PolygonMm:
    c, s = math.cos(angle_rad), math.sin(angle_rad)
    corners = ((-length, -width), (-length, width), (length, width), (length, -width))
    return tuple((x + (a * c - b * s) / 2, y + (a * s + b * c) / 2) for a, b in corners)
