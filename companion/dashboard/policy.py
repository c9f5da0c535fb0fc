"""Which role each address needs, in one table; what is not in it needs the owner to change anything."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from companion.access import Role
from companion.dashboard.protocol import Json

READS = ("GET", "HEAD", "OPTIONS")

# the first line whose beginning fits the route decides
READ_RULES: tuple[tuple[str, Role], ...] = (
    ("/picture/", Role.PLAYER),  # the camera looks into a room, and at the hands of people
    ("/replay/", Role.PLAYER),
    ("/recording/", Role.PLAYER),
    ("/camera", Role.PLAYER),
    ("/api/camera", Role.PLAYER),
    ("/export/journal.json", Role.REFEREE),
    ("/export/", Role.PLAYER),
    ("/api/amend", Role.PLAYER),
    ("/referee", Role.REFEREE),
    ("/api/access", Role.REFEREE),
    ("/backup", Role.OWNER),
    ("/calibration", Role.OWNER),
    ("/api/calibration", Role.OWNER),
    ("/boards", Role.OWNER),
    ("/api/boards", Role.OWNER),
    ("/", Role.SPECTATOR),
)
WRITE_RULES: tuple[tuple[str, Role], ...] = (
    ("/api/join", Role.SPECTATOR),
    ("/api/sign-in", Role.SPECTATOR),
    ("/api/sign-out", Role.SPECTATOR),
    ("/api/seat/<seat>/free", Role.REFEREE),  # whoever takes it next sees a hand that is not his
    ("/api/seat/", Role.PLAYER),
    ("/api/command/", Role.PLAYER),  # REFEREE_COMMANDS need more
    ("/api/table", Role.PLAYER),
    ("/api/players", Role.PLAYER),
    ("/api/amend", Role.PLAYER),
    ("/api/dispute/", Role.PLAYER),
    ("/api/passes", Role.REFEREE),
    ("/", Role.OWNER),
)
REFEREE_COMMANDS = ("shot_by_hand",)
BEGINNINGS = ("match_started", "match_resumed")  # what an undo takes back together with the match
ENDED = ("lobby", "match_over")  # phases in which nobody's match is lost by a new one


def role_needed(method: str, route: str) -> Role:
    """The least role for a route, as in the application's map of addresses."""
    rules = READ_RULES if method in READS else WRITE_RULES
    return next(role for beginning, role in rules if route.startswith(beginning))


def role_for_command(name: str, score: Mapping[str, Any]) -> Role:
    """The least role for a command of the match: a match that is on is not ended by one of its players."""
    if name == "shot_by_hand" and score.get("kept_by") == "taps":
        return Role.PLAYER  # no camera tells the shots: whoever plays does
    if name in ("new_match", "resume_match"):
        over = score.get("game") is None or score.get("winner") is not None or score.get("phase") in ENDED
        return Role.PLAYER if over else Role.REFEREE
    if name == "undo" and score.get("undoes") in BEGINNINGS:
        return Role.REFEREE  # it ends the match as a new one would
    return Role.REFEREE if name in REFEREE_COMMANDS else Role.PLAYER


def not_your_question(score: Mapping[str, Any], seat: str | None) -> str | None:
    """Why a seat may not answer the open question; None where it may."""
    asked = (score.get("question") or {}).get("team")
    return None if seat is None or asked in (None, seat) else str(asked)


def not_your_puck(score: Mapping[str, Any], live: Mapping[str, Any], told: Json, seat: str | None) -> str | None:
    """Whose turn or puck it is where a seat's hand on the virtual table is out of turn; None where it is not."""
    if seat is None or told["do"] in ("pass", "clear"):
        return None
    turn = score.get("turn")
    if score.get("phase") == "playing" and told["do"] == "flick" and turn not in (None, seat):
        return str(turn)
    team = _team_at(live.get("pucks", ()), told.get("at")) or _team_named(score, str(told.get("puck", "")))
    return team if told["do"] in ("flick", "slide") and team not in (None, seat) else None


def _team_at(pucks: Sequence[Mapping[str, Any]], at: Sequence[float] | None) -> str | None:
    """The team of the puck that lies nearest to a place: a name told with another place deceives nobody."""
    if at is None or not pucks:
        return None
    nearest = min(pucks, key=lambda p: math.hypot(p["x_mm"] - at[0], p["y_mm"] - at[1]))
    return str(nearest["team"]) if nearest["team"] is not None else None


def _team_named(score: Mapping[str, Any], puck: str) -> str | None:
    named = next((p["team"] for p in score.get("pucks", ()) if p["puck"] == puck), None)
    if named is not None:
        return str(named)
    teams = [str(p["team"]) for p in score.get("players", ())]
    return next((team for team in teams if puck.startswith(f"{team}-")), None)
