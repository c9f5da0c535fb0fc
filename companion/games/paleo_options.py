"""Paleo's open points (P29-P39 and a few more) as named options: what they may be, the default, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from companion.games.base import MalformedAction

MOST = 10_000.0  # of a number that an option may be set to
MAX_DIGITS = 12


def _choice(default: str, *others: str, rule: str, why: str) -> Any:
    return field(default=default, metadata={"choices": (default, *others), "rule": rule, "why": why})


def _number(default: float, *others: float, rule: str, why: str, least: float) -> Any:
    """An option that is a number: any of at least `least` is taken, the ones listed are offered."""
    told = tuple(f"{n:g}" for n in (default, *others))
    return field(default=default, metadata={"offered": told, "least": least, "rule": rule, "why": why})


@dataclass(frozen=True, slots=True)
class PaleoOptions:
    """How a table reads the points that the rules leave open; every field is a house choice and says why."""

    kept_by: str = _choice(
        "camera",
        "taps",
        rule="P7",
        why="Where a camera watches it tells the shots; without one the players do, by taps, and nothing is measured.",
    )
    partners: str = _choice(
        "alternate",
        "either",
        rule="P39",
        why="The text has no rules for three and four; partners at one camp take turns in it, so that all play alike.",
    )
    keys_needed: str = _choice(
        "any_two",
        "pair_of_one_side",
        "all",
        rule="P22",
        why="With more than two camps any two opposing keys open the door: as many as the text asks for at two.",
    )
    exchange_from: str = _choice(
        "any_captor",
        "sanctuarys_side",
        rule="P18",
        why="With more than two camps every captured pawn may come back, whoever holds it; no captor is a safe place.",
    )
    own_pawn_expelled: str = _choice(
        "next_side",
        "previous_side",
        rule="P16",
        why="With more than two camps 'its opponent' is not one; whose turn is next takes what a side shoots out.",
    )
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
        "replay",
        rule="P32",
        why="Pushing is forbidden (P11) but has no penalty in the rules; the table is told and play goes on.",
    )
    wrong_pawn: str = _choice(
        "ask",
        "stands",
        "replay",
        rule="P32",
        why="A pawn of another side may have been played by mistake or by agreement; only the table knows which.",
    )
    moved_by_hand: str = _choice(
        "notice",
        "ask",
        "ignored",
        rule="P32",
        why="Only the pawn that is played may be freed by hand (P12); two moved pawns are told, and play goes on.",
    )
    unstick_by: str = _choice(
        "thickness",
        "diameter",
        rule="P12",
        why="The text says a pawn's thickness; a gap of one diameter is easier to see and to shoot from.",
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
    touch_tie_ms: float = _number(
        5.0,
        0.0,
        2.0,
        10.0,
        20.0,
        rule="P14",
        why="Two touches closer in time than a camera can tell count as 'cannot be determined'.",
        least=0.0,
    )
    points_to_win: int = _number(
        4, 1, 2, 3, 5, 6, rule="P24", why="The rules play to 4; a short evening to 2.", least=1
    )

    def to_json(self) -> dict[str, Any]:
        """All options by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


def options_from_json(data: Mapping[str, Any]) -> PaleoOptions:
    """Options by name, the rest at their defaults. Raises MalformedAction on an unknown name or value."""
    known = {f.name: f for f in fields(PaleoOptions)}
    told: dict[str, Any] = {}
    for name, value in data.items():
        if name not in known:
            raise MalformedAction(
                "unknown option {name!r}; expected one of {expected}", name=name, expected=", ".join(known)
            )
        choices, rule = known[name].metadata.get("choices"), known[name].metadata["rule"]
        if choices is None:
            told[name] = _read_number(name, value, known[name].metadata["least"], rule)
        elif value in choices:
            told[name] = value
        else:
            raise MalformedAction(
                "option {name}: found {value!r}, expected one of {expected}",
                rule,
                name=name,
                value=value,
                expected=", ".join(choices),
            )
    return PaleoOptions(**told)


def _read_number(name: str, value: object, least: float, rule: str) -> float:
    """A number as told: itself, or its digits as a page sends them."""
    if isinstance(value, str) and value.replace(".", "", 1).isdecimal() and len(value) < MAX_DIGITS:
        value = float(value) if "." in value else int(value)
    good = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= MOST
    if not good or (name == "points_to_win" and value != int(value)):  # type: ignore[call-overload]
        raise MalformedAction(
            "option {name}: found {value!r}, expected a number of at least {least:g}",
            rule,
            name=name,
            value=value,
            least=least,
        )
    return int(value) if name == "points_to_win" else float(value)  # type: ignore[call-overload,arg-type]
