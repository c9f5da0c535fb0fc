"""Outlines of reefs on the board, and the gaps between them: plain geometry in board millimetres."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.board import point_in_polygon
from companion.games.paleo_moments import Place
from companion.games.paleo_state import ReefSheet

Outline = tuple[Place, ...]
STEP_MM = 1.0  # between the points of a reef's sides that are looked at: finer than a camera sees a reef


@dataclass(frozen=True, slots=True)
class Gap:
    """The narrowest way between two things: how wide, and its two ends."""

    mm: float
    start: Place
    end: Place


def corners(reef: Mapping[str, Any], sheet: ReefSheet) -> Outline:
    """The corners of a reef that was seen, in order."""
    angle = math.radians(reef["angle_deg"])
    c, s = math.cos(angle) / 2, math.sin(angle) / 2
    ends = ((-1, -1), (-1, 1), (1, 1), (1, -1))
    return tuple(
        (
            reef["x_mm"] + a * sheet.length_mm * c - b * sheet.width_mm * s,
            reef["y_mm"] + a * sheet.length_mm * s + b * sheet.width_mm * c,
        )
        for a, b in ends
    )


def between(one: Outline, other: Outline) -> Gap:
    """The gap of two outlines; 0 where they overlap, be it crosswise, with no corner of one in the other."""
    crossing = next(filter(None, (_crossing(*a, *b) for a in _sides(one) for b in _sides(other))), None)
    if crossing is not None:
        return Gap(0.0, crossing, crossing)
    ways = [_way(p, other) for p in one]
    back = [_way(p, one) for p in other]
    return min([*ways, *(Gap(g.mm, g.end, g.start) for g in back)], key=lambda g: g.mm)


def to_edge(outline: Outline, size: Place) -> Gap:
    """The gap between an outline and the playing surface's edge; negative where it reaches beyond."""
    w, h = size
    found = []
    for x, y in outline:
        found += [
            Gap(x, (x, y), (0.0, y)),
            Gap(w - x, (x, y), (w, y)),
            Gap(y, (x, y), (x, 0.0)),
            Gap(h - y, (x, y), (x, h)),
        ]
    return min(found, key=lambda g: g.mm)


def depth_in(outline: Outline, circle: tuple[float, float, float] | None, polygon: Sequence[Place] | None) -> float:
    """How far an outline reaches into a zone, mm; 0 where it does not. A corner of the zone may reach between two
    of the outline's, so that all of its sides are looked at."""
    if circle is not None:
        x, y, r = circle
        return max(r - _way((x, y), outline).mm, 0.0)
    assert polygon is not None
    if _apart(outline, polygon):  # most are
        return 0.0
    inside = [p for a, b in _sides(outline) for p in _along(a, b) if point_in_polygon(*p, polygon)]
    return max((_way(p, polygon, hollow=True).mm for p in inside), default=0.0)


def _apart(one: Sequence[Place], other: Sequence[Place]) -> bool:
    """Whether two outlines lie clearly beside each other, by their extents."""
    pairs = ((one, other), (other, one))
    return any(max(p[axis] for p in a) < min(p[axis] for p in b) for a, b in pairs for axis in (0, 1))


def _sides(outline: Sequence[Place]) -> list[tuple[Place, Place]]:
    return list(zip(outline, [*outline[1:], outline[0]], strict=True))


def _along(a: Place, b: Place) -> list[Place]:
    """Points of a side, its ends with it."""
    count = math.ceil(math.dist(a, b) / STEP_MM) or 1
    return [(a[0] + (b[0] - a[0]) * n / count, a[1] + (b[1] - a[1]) * n / count) for n in range(count + 1)]


def _crossing(a: Place, b: Place, c: Place, d: Place) -> Place | None:
    """Where two sides cross, their ends left out; None where they do not, or lie along each other."""
    (abx, aby), (cdx, cdy) = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    turn = abx * cdy - aby * cdx
    if turn == 0:
        return None
    acx, acy = c[0] - a[0], c[1] - a[1]
    along, across = (acx * cdy - acy * cdx) / turn, (acx * aby - acy * abx) / turn
    return (a[0] + along * abx, a[1] + along * aby) if 0 < along < 1 and 0 < across < 1 else None


def _way(p: Place, outline: Sequence[Place], *, hollow: bool = False) -> Gap:
    """From a point to an outline; no way at all where it lies inside, or where hollow the way to its edge."""
    if not hollow and point_in_polygon(*p, outline):
        return Gap(0.0, p, p)
    return min((_to_segment(p, a, b) for a, b in _sides(outline)), key=lambda g: g.mm)


def _to_segment(p: Place, a: Place, b: Place) -> Gap:
    (ax, ay), (dx, dy) = a, (b[0] - a[0], b[1] - a[1])
    length2 = dx * dx + dy * dy
    along = 0.0 if length2 == 0 else min(max(((p[0] - ax) * dx + (p[1] - ay) * dy) / length2, 0.0), 1.0)
    end = (ax + along * dx, ay + along * dy)
    return Gap(math.hypot(p[0] - end[0], p[1] - end[1]), p, end)
