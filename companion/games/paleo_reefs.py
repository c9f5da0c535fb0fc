"""Reefs as the camera sees them, held against the rules of placing (P8, P25-P28): gentle notices, never a block."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from calibration.board import point_in_polygon
from companion.games.base import Text
from companion.games.paleo_state import PaleoState, Place, ReefSheet, changed, distance
from companion.games.paleo_words import both, team_text

REEFS_A_SIDE = 5  # P6
GAP_PAWNS = 1.5  # P26
OWN_HALF = 2  # P27
SEEN_MM = 3.0  # a camera sees a reef to about a millimetre and two degrees: what is closer to the limit is let be
ORDER = ((1, 0), (1, 1), (1, 2), (2, 2), (3, 2), (3, 3), (3, 4), (4, 4), (5, 4), (5, 5))  # P8: 1-2-2-2-2-1, one by one

Reef = Mapping[str, Any]
Polygon = tuple[Place, ...]
Notice = tuple[Text, tuple[str, ...]]


def see_reefs(state: PaleoState, reefs: Sequence[Reef]) -> PaleoState:
    """The state with the reefs that were seen, and what is amiss with them."""
    state = changed(state, reefs=tuple(reefs))
    return changed(state, reef_notices=tuple(_notices(state)))


def _notices(state: PaleoState) -> Iterator[Notice]:
    """What is amiss with the reefs that lie on the board, each with its rules; nothing on a board without reefs."""
    sheet = state.sheet.reefs
    if sheet is None or not state.reefs:
        return
    yield from p8_order(state)
    yield from p25_zones(state, sheet)
    yield from p26_gaps(state, sheet)
    yield from p27_own_half(state)


def p8_order(state: PaleoState) -> Iterator[Notice]:
    """P6, P8: reefs are placed 1-2-2-2-2-1, five a side; whoever begins."""
    counts = tuple(_count(state, team) for team in state.sheet.names)
    if counts in ORDER or counts[::-1] in ORDER:
        return
    first, second = (team_text(t) for t in state.sheet.names)
    yield (
        both(
            f"{{first}} has placed {counts[0]} reefs, {{second}} {counts[1]}: the order is 1-2-2-2-2-1, five a side.",
            f"{{first}} a posé {counts[0]} récifs, {{second}} {counts[1]} : l'ordre est 1-2-2-2-2-1, cinq par camp.",
            first=first,
            second=second,
        ),
        ("P6", "P8"),
    )


def p25_zones(state: PaleoState, sheet: ReefSheet) -> Iterator[Notice]:
    """P25: no reef inside the dark blue lines; P39: in an advanced camp as the option has it."""
    closed = list(sheet.closed)
    if state.options.reefs_in_advanced_camps == "forbidden":
        closed += sheet.advanced
    for reef in state.reefs:
        outline = corners(reef, sheet)
        if any(_reaches_into(outline, circle, polygon) for circle, polygon in closed):
            yield (
                both(
                    "A reef of {team} lies inside a line within which no reef may be placed.",
                    "Un récif de {team} est à l'intérieur d'un trait où l'on ne peut pas en poser.",
                    team=team_text(str(reef["team"])),
                ),
                ("P25",),
            )


def p26_gaps(state: PaleoState, sheet: ReefSheet) -> Iterator[Notice]:
    """P26, P38: at least a pawn and a half between two reefs, and between a reef and the board's edge."""
    pawn = state.sheet.puck_mm if state.options.reef_gap == "diameter" else state.sheet.puck_height_mm
    least = GAP_PAWNS * pawn - SEEN_MM
    outlines = [(str(r["team"]), corners(r, sheet)) for r in state.reefs]
    for (team, one), (other_team, other) in combinations(outlines, 2):
        if _between(one, other) < least:
            yield (
                both(
                    "A reef of {team} and one of {other} are closer than a pawn and a half.",
                    "Un récif de {team} et un de {other} sont à moins d'un pion et demi.",
                    team=team_text(team),
                    other=team_text(other_team),
                ),
                ("P26",),
            )
    w, h = state.sheet.size
    for team, outline in outlines:
        if min(min(x, y, w - x, h - y) for x, y in outline) < least:
            yield (
                both(
                    "A reef of {team} is closer to the board's edge than a pawn and a half.",
                    "Un récif de {team} est à moins d'un pion et demi du bord du plateau.",
                    team=team_text(team),
                ),
                ("P26",),
            )


def p27_own_half(state: PaleoState) -> Iterator[Notice]:
    """P27: at least two own reefs in the own half; told once all of a side's reefs lie."""
    camps = [_camp(state, team) for team in state.sheet.names]
    if any(c is None for c in camps):
        return
    for team, mine, theirs in zip(state.sheet.names, camps, camps[::-1], strict=True):
        assert mine is not None
        assert theirs is not None
        places = [(r["x_mm"], r["y_mm"]) for r in state.reefs if r["team"] == team]
        own = sum(distance(p, mine) <= distance(p, theirs) + SEEN_MM for p in places)
        if len(places) >= REEFS_A_SIDE and own < OWN_HALF:
            yield (
                both(
                    f"{{team}} has {own} of its reefs in its own half; at least {OWN_HALF} belong there.",
                    f"{{team}} a {own} récif(s) dans sa moitié ; il en faut au moins {OWN_HALF}.",
                    team=team_text(team),
                ),
                ("P27",),
            )


def corners(reef: Reef, sheet: ReefSheet) -> Polygon:
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


def _count(state: PaleoState, team: str) -> int:
    return sum(r["team"] == team for r in state.reefs)


def _camp(state: PaleoState, team: str) -> Place | None:
    """The middle of a side's base camp."""
    sheet = state.sheet.team(team)
    if sheet.camp_circle is not None:
        return sheet.camp_circle[:2]
    points = sheet.camp_polygon or sheet.circles
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)) if points else None


def _reaches_into(outline: Polygon, circle: tuple[float, float, float] | None, polygon: Polygon | None) -> bool:
    """Whether a reef lies in a zone by more than the camera's error."""
    if circle is not None:
        x, y, r = circle
        return _from_outline((x, y), outline) < r - SEEN_MM
    assert polygon is not None
    inside = [p for p in outline if point_in_polygon(*p, polygon)]
    return any(_from_outline(p, polygon, hollow=True) > SEEN_MM for p in inside)


def _between(one: Polygon, other: Polygon) -> float:
    """The distance of two outlines; 0 where they overlap at a corner."""
    return min(*(_from_outline(p, other) for p in one), *(_from_outline(p, one) for p in other))


def _from_outline(p: Place, outline: Sequence[Place], hollow: bool = False) -> float:
    """How far a point is from an outline; inside it 0, or where hollow the distance to its edge."""
    if not hollow and point_in_polygon(*p, outline):
        return 0.0
    sides = zip(outline, [*outline[1:], outline[0]], strict=True)
    return min(_from_segment(p, a, b) for a, b in sides)


def _from_segment(p: Place, a: Place, b: Place) -> float:
    (ax, ay), (dx, dy) = a, (b[0] - a[0], b[1] - a[1])
    length2 = dx * dx + dy * dy
    along = 0.0 if length2 == 0 else min(max(((p[0] - ax) * dx + (p[1] - ay) * dy) / length2, 0.0), 1.0)
    return math.hypot(p[0] - ax - along * dx, p[1] - ay - along * dy)
