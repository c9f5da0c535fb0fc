"""What leaves the server for whom: a journal entry's data without what a seat may not know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games import GAMES
from companion.games.base import Action, Json

CHANCE = ("seed", "pile")  # of a set-up: who knew them would know every hidden card


def told_entry(game: str | None, type: str, data: Mapping[str, Any], seat: str | None) -> Json:
    """An entry's data as a seat may read it, None being everybody at the table: the only way of entries to a screen."""
    if type == "match_started":
        return {k: v for k, v in data.items() if k not in CHANCE}
    if game is None or game not in GAMES:
        return dict(data)
    facts = data.get("facts") if type == "correction" else None
    if isinstance(facts, Mapping) and "data" in facts:
        mine = {**facts["data"], "seat": data.get("seat")}
        shown = GAMES[game].told(Action(str(facts["type"]), mine), seat)
        return {**data, "facts": {"type": facts["type"], "data": shown}}
    return GAMES[game].told(Action(type, data), seat)
