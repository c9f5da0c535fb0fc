"""Reefs that players tell, where no camera sees them (P8, P25-P27): the whole board's, as they lie now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.base import Action, IllegalMove, MalformedAction
from companion.games.paleo_reefs import REEFS_A_SIDE, see_reefs
from companion.games.paleo_state import PaleoState

BETWEEN_ROUNDS = ("placing", "round_over")
PARTS = ("team", "x_mm", "y_mm", "angle_deg")
HALF_TURN_DEG = 180.0  # a reef's direction is told modulo this


def check_reefs_by_hand(state: PaleoState, action: Action) -> None:
    """P7, P8: reefs are told before a round, by players whom no camera helps; how they lie is told, never refused.

    Raises IllegalMove where a camera sees them, the board has none or a round goes on, MalformedAction where they are
    no list of so many reefs.
    """
    if not state.by_taps:
        raise IllegalMove("the camera sees the reefs; they are told by hand where the match is kept by taps", "P8")
    if state.sheet.reefs is None:
        raise IllegalMove("board {board} has no reefs to place", "P6", board=state.sheet.name)
    if state.phase not in BETWEEN_ROUNDS:
        raise IllegalMove("reefs stay where they are while the match is in phase {phase}", "P8", phase=state.phase)
    told = action.data.get("reefs")
    most = REEFS_A_SIDE * len(state.sheet.teams)
    if not isinstance(told, list | tuple) or len(told) > most:
        raise MalformedAction(
            "reefs: found {found!r}, expected a list of at most {most}", "P6", found=str(told)[:60], most=most
        )
    for reef in told:
        _check_reef(state, reef)


def _check_reef(state: PaleoState, reef: object) -> None:
    if not isinstance(reef, Mapping) or set(reef) != set(PARTS):
        raise MalformedAction(
            "reefs: found {found!r}, expected {expected} of each", "P6", found=str(reef)[:60], expected=", ".join(PARTS)
        )
    if reef["team"] not in state.sheet.names:
        raise MalformedAction(
            "reefs: found team {found!r}, expected one of {expected}",
            "P6",
            found=reef["team"],
            expected=", ".join(state.sheet.names),
        )
    width, height = state.sheet.size
    for name, least, most in (("x_mm", 0, width), ("y_mm", 0, height), ("angle_deg", 0, HALF_TURN_DEG)):
        value: Any = reef[name]
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise MalformedAction(
                "reefs: {name}: found {value!r}, expected {least} to {most:g}",
                "P26",
                name=name,
                value=value,
                least=least,
                most=most,
            )


def reefs_by_hand(state: PaleoState, action: Action) -> PaleoState:
    """P8, P25-P27: the reefs as players say they lie, held against the rules as those that a camera sees."""
    return see_reefs(state, [dict(reef) for reef in action.data["reefs"]], action.id)
