"""The board's sheet as JSON: it travels in the journal with the match that is played on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.base import Json, MalformedAction
from companion.games.paleo_moments import Place
from companion.games.paleo_state import FEWEST_SIDES, MOST_SIDES, ReefSheet, Shape, Sheet, SheetDoor, SheetTeam


def sheet_to_json(sheet: Sheet) -> Json:
    """The sheet as JSON."""
    return {
        "name": sheet.name,
        "size": list(sheet.size),
        "puck_mm": sheet.puck_mm,
        "puck_height_mm": sheet.puck_height_mm,
        "teams": [_team_to_json(t) for t in sheet.teams],
        "doors": [{"name": d.name, "team": d.team} for d in sheet.doors],
        "gate": list(sheet.gate) if sheet.gate else None,
        "reefs": _reefs_to_json(sheet.reefs) if sheet.reefs else None,
    }


def _team_to_json(team: SheetTeam) -> Json:
    return {
        "name": team.name,
        "labels": list(team.labels),
        "mercenaries": list(team.mercenaries),
        "numbered": team.numbered,
        "circles": [list(c) for c in team.circles],
        "camp_circle": list(team.camp_circle) if team.camp_circle else None,
        "camp_polygon": [list(p) for p in team.camp_polygon] if team.camp_polygon else None,
    }


def sheet_from_json(data: Mapping[str, Any]) -> Sheet:
    """The reverse of sheet_to_json. Raises MalformedAction where a field is missing."""
    try:
        teams = tuple(_team_from_json(t) for t in data["teams"])
        if not FEWEST_SIDES <= len(teams) <= MOST_SIDES or len({t.name for t in teams}) != len(teams):
            raise ValueError(f"{len(teams)} teams instead of {FEWEST_SIDES} to {MOST_SIDES} different ones")
        doors = tuple(SheetDoor(d["name"], d["team"]) for d in data["doors"])
        gate = _circle(data["gate"])
        reefs = _reefs_from_json(data["reefs"]) if data.get("reefs") else None  # older journals have none
        size = _place(data["size"])
        return Sheet(data["name"], size, data["puck_mm"], data["puck_height_mm"], teams, doors, gate, reefs)
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedAction(
            "the board's sheet: {error!r}; expected one made from a board file", error=error
        ) from None


def _team_from_json(data: Mapping[str, Any]) -> SheetTeam:
    polygon = data["camp_polygon"]
    return SheetTeam(
        data["name"],
        tuple(data["labels"]),
        tuple(data["mercenaries"]),
        data["numbered"],
        tuple(_place(c) for c in data["circles"]),
        _circle(data["camp_circle"]),
        tuple(_place(p) for p in polygon) if polygon else None,
    )


def _reefs_to_json(reefs: ReefSheet) -> Json:
    def shapes(of: tuple[Shape, ...]) -> list[Json]:
        return [{"circle": list(c)} if c else {"polygon": [list(p) for p in polygon or ()]} for c, polygon in of]

    size = {"length_mm": reefs.length_mm, "width_mm": reefs.width_mm}
    return {**size, **{name: shapes(getattr(reefs, name)) for name in ("closed", "advanced", "fixed")}}


def _reefs_from_json(data: Mapping[str, Any]) -> ReefSheet:
    def shape(one: Mapping[str, Any]) -> Shape:
        if "circle" in one:
            return _circle(one["circle"]), None
        return None, tuple(_place(p) for p in one["polygon"])

    closed, advanced, fixed = (tuple(shape(s) for s in data.get(name, ())) for name in ("closed", "advanced", "fixed"))
    return ReefSheet(data["length_mm"], data["width_mm"], closed, advanced, fixed)


def _place(value: Any) -> Place:
    x, y = value
    return float(x), float(y)


def _circle(value: Any) -> tuple[float, float, float] | None:
    if value is None:
        return None
    x, y, r = value
    return float(x), float(y), float(r)
