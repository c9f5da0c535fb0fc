"""The board as JSON for the drawing: millimetres, as in the board file."""

from __future__ import annotations

from calibration.board import Board, Obstacle, Team, Zone
from companion.dashboard.protocol import Json


def board_json(board: Board) -> Json:
    """Everything of the board that is drawn; markers are left to the camera."""
    return {
        "name": board.name,
        "size": list(board.size),
        "rim_mm": board.rim.width_mm if board.rim else 0.0,
        "puck": {"diameter_mm": board.puck.diameter_mm, "height_mm": board.puck.height_mm},
        "reef": {"length_mm": board.reef.length_mm, "width_mm": board.reef.width_mm} if board.reef else None,
        "teams": [_team(team) for team in board.teams],
        "zones": [_zone(zone) for zone in board.zones],
        "doors": [
            {"name": d.name, "team": d.team, "line": [list(p) for p in d.line], "inside": list(d.inside)}
            for d in board.doors
        ],
        "gates": [{"name": g.name, "circle": list(g.circle)} for g in board.gates],
        "obstacles": [_obstacle(o) for o in board.obstacles],
    }


def _team(team: Team) -> Json:
    return {
        "name": team.name,
        "colour": team.colour,
        "digit_colour": team.digit_colour,
        "reef_colour": team.reef_colour,
        "mercenaries": list(team.mercenaries),
        "explorers": list(team.explorers),
        "start_circles": [list(p) for p in team.start_circles],
    }


def _zone(zone: Zone) -> Json:
    body: Json = {"name": zone.name, "kind": zone.kind, "team": zone.team}
    if zone.circle is not None:
        body["circle"] = list(zone.circle)
    if zone.polygon is not None:
        body["polygon"] = [list(p) for p in zone.polygon]
    return body


def _obstacle(obstacle: Obstacle) -> Json:
    return {"kind": obstacle.kind, "team": obstacle.team, "polygon": [list(p) for p in obstacle.polygon]}
