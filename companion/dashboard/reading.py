"""The log of a game kept by taps as people say it: no id of a piece, counter or city, but what it is and whose."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from companion.dashboard.protocol import Json
from companion.words import LANGUAGES, game_terms, team_in

PALEO = "paleo"  # its log has no ids
THING = re.compile(r"(?<![\w-])([a-z][a-z0-9_]*)-([a-z][a-z_]*)-(\d+)(?![\w-])", re.ASCII)  # such as p1-falcon-2
KNOWN_LINES = 4000  # a log is read out anew after each entry


def read_out(score: Json) -> Json:
    """A scoreboard whose log and newest line name no ids."""
    if score.get("game") in (None, PALEO):
        return score
    players = {p["team"]: str(p.get("name") or p["team"]) for p in score.get("players", ())}
    last = score.get("last")
    read = {"log": [read_line(line, players) for line in score["log"]]}
    return {**score, **read, "last": last and read_line(last, players)}


def read_line(line: Json, players: Mapping[str, str]) -> Json:
    """A line in both languages, without ids. players: who plays each seat."""
    told = {lang: _spoken(line[lang], lang, tuple(players.items())) for lang in LANGUAGES}
    return {**line, **told}


@lru_cache(KNOWN_LINES)
def _spoken(text: str, lang: str, players: tuple[tuple[str, str], ...]) -> str:
    """As games_terms.js reads a line out: a side's name for its seat, the owner where the line does not name it."""
    owners = {seat: name if team_in(lang, seat) == seat else team_in(lang, seat) for seat, name in players}
    for seat, owner in owners.items():
        if team_in(lang, seat) != seat:
            text = re.sub(rf"(?<![\w-]){re.escape(seat)}(?![\w-])", owner, text, flags=re.ASCII)
    named = text

    def thing(found: re.Match[str]) -> str:
        seat, kind, number = found.groups()
        if seat not in owners or kind not in game_terms():
            return found[0]
        what = f"{game_terms()[kind][lang]} {number}"
        return what if owners[seat] in named else f"{what} ({owners[seat]})"

    return THING.sub(thing, text)
