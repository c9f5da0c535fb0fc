"""Paleo's open points (P29-P39 and two more) as named options: what they may be, the default, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from companion.games.base import MalformedAction


def _choice(default: str, *others: str, rule: str, why: str) -> Any:
    return field(default=default, metadata={"choices": (default, *others), "rule": rule, "why": why})


@dataclass(frozen=True, slots=True)
class PaleoOptions:
    """How a table reads the points that the rules leave open; every field is a house choice and says why."""

    next_begins: str = _choice(
        "alternate",
        "loser",
        "winner",
        "same",
        rule="P29",
        why="The rules do not say who begins a later round; taking turns is the fairest and needs no talk.",
    )
    reefs_kept: str = _choice(
        "asked",
        "kept",
        "moved",
        rule="P30",
        why="P9 lets players choose between rounds, which P8 would forbid; so they are left to choose.",
    )
    new_round: str = _choice(
        "fresh",
        "keys_kept",
        rule="P31",
        why="A round is won by taking both keys, so each round begins with all keys and all pawns back.",
    )
    pushed_shot: str = _choice(
        "notice",
        "ask",
        rule="P32",
        why="Pushing is forbidden (P11) but has no penalty in the rules; the table is told and play goes on.",
    )
    camp_judged: str = _choice(
        "before",
        "touch",
        rule="P33",
        why="Where a pawn lay before the shot is what both players saw, and can be measured to a fraction of a mm.",
    )
    camp_edge: str = _choice(
        "centre",
        "whole",
        "part",
        rule="P33",
        why="The centre decides a pawn on the line without asking how much of it must be inside.",
    )
    exchange: str = _choice(
        "owner_chooses",
        "never",
        rule="P34",
        why="'May be exchanged' gives the choice, of whether and for which pawn, to the pawn's owner.",
    )
    door_opens: str = _choice(
        "at_rest",
        "passing",
        rule="P35",
        why="The rule speaks of bringing an Explorer onto the door; one that slides over is not brought there.",
    )
    door_pushed_by_enemy: str = _choice(
        "opens",
        "does_not_open",
        rule="P35",
        why="A pawn pushed into a Sanctuary has the same effects (P20); the door is read in the same way.",
    )
    last_pawn_and_door: str = _choice(
        "first",
        "door",
        rule="P36",
        why="What happens in one shot counts in the order of time: the round is over at the first win.",
    )
    entered_then_expelled: str = _choice(
        "saved",
        "captured",
        rule="P36",
        why="A pawn that bounces out again has entered (P17), and goes to its camp; where it flies later is moot.",
    )
    expelled_mercenary: str = _choice(
        "keeps_captures",
        "loses_captures",
        rule="P37",
        why="The touches came before it left the board, and nothing in the rules takes them back.",
    )
    reef_gap: str = _choice(
        "diameter",
        "thickness",
        rule="P38",
        why="'The size of a pawn and a half' is measured lying flat, as reefs are laid with pawns beside them.",
    )
    reefs_in_advanced_camps: str = _choice(
        "allowed",
        "forbidden",
        rule="P39",
        why="The text allows them at two players; the figure that would show more is missing.",
    )
    immunity: str = _choice(
        "opponents_next_shot",
        "own_next_turn",
        "same_shot",
        rule="P21",
        why="A pawn put back in camp could be captured at the earliest in the opponent's next shot; "
        "protection that ended before would protect nothing.",
    )
    immune_expelled: str = _choice(
        "returns",
        "captured",
        rule="P21",
        why="'It cannot be captured' is taken at its word, so an expelled immune pawn goes back to a circle.",
    )
    expelled_last_pawn: str = _choice(
        "wins",
        "goes_on",
        rule="P23",
        why="P16 calls an expelled pawn captured by its opponent, so the last one ends the round like any other.",
    )
    numberless_pawns: str = _choice(
        "both",
        "explorer",
        "mercenary",
        rule="P6",
        why="Where pawns bear no numbers nobody can tell roles apart; each may capture and take keys.",
    )
    touch_tie_ms: float = field(
        default=5.0,
        metadata={
            "rule": "P14",
            "why": "Two touches closer in time than a camera can tell count as 'cannot be determined'.",
        },
    )
    points_to_win: int = field(default=4, metadata={"rule": "P24", "why": "The rules play to 4; a short evening to 2."})

    def to_json(self) -> dict[str, Any]:
        """All options by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


def options_from_json(data: Mapping[str, Any]) -> PaleoOptions:
    """Options by name, the rest at their defaults. Raises MalformedAction on an unknown name or value."""
    known = {f.name: f for f in fields(PaleoOptions)}
    for name, value in data.items():
        if name not in known:
            raise MalformedAction(f"unknown option {name!r}; expected one of {', '.join(known)}")
        choices = known[name].metadata.get("choices")
        if choices is not None and value not in choices:
            raise MalformedAction(f"option {name}: found {value!r}, expected one of {', '.join(choices)}")
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if choices is None and (not number or value < 0 or (name == "points_to_win" and int(value) != value)):
            raise MalformedAction(f"option {name}: found {value!r}, expected a number of at least 0")
    return PaleoOptions(**data)
