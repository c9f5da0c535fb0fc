"""What has been played, from the journal: one record a match, profiles of players, and their statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from companion.clock_jumps import jumped_by
from companion.games import GAMES
from companion.games.base import Action, IllegalMove, Outcome
from companion.games.setup import plain_name
from companion.journal import Entry
from companion.scoreboard import Amendments
from companion.words import team_in


@dataclass(frozen=True, slots=True)
class Seat:
    """One player of a match; partners share a seat. place: 1 for the winners, and for everybody in a draw; points None
    where there are none."""

    seat: str
    name: str
    points: int | None
    place: int
    won: bool

    def name_in(self, language: str) -> str:
        """Who played, in this language: a side of its own name is told as the pages have it."""
        side = team_in(language, self.seat)
        return side if self.name.lower() == self.seat != side else self.name


@dataclass(frozen=True, slots=True)
class Play:
    """One finished match. number: as reports and statistics have it, from 1 on; entry: the id with which it began;
    begun, ended: ISO 8601 as in the journal; jumped_s: what the time of day jumped by in between."""

    number: int
    entry: int
    game: str
    begun: str
    ended: str
    seats: tuple[Seat, ...]
    reason: str
    options: dict[str, str] = field(default_factory=dict)
    jumped_s: float = 0.0
    reason_fr: str = ""

    def why(self, language: str) -> str:
        """How it ended, in this language."""
        return self.reason_fr if language == "fr" and self.reason_fr else self.reason

    @property
    def minutes(self) -> int:
        """How long it took, in whole minutes, pauses with it; sleeps and other jumps of the clock are left out."""
        seconds = (datetime.fromisoformat(self.ended) - datetime.fromisoformat(self.begun)).total_seconds()
        return max(round((seconds - self.jumped_s) / 60), 0)


@dataclass(slots=True)
class _Open:
    number: int
    entry: Entry
    state: Any
    jumped_s: float  # what the time of day had jumped by when it began
    over: bool = False


def plays(entries: Iterable[Entry]) -> list[Play]:
    """The finished matches among journal entries, in order; as it was corrected, without what was undone."""
    entries = list(entries)
    amendments = Amendments()
    for entry in entries:
        amendments.add(entry)
    found: list[Play] = []
    opened: dict[int, _Open] = {}
    now: _Open | None = None
    matches, jumped_s = 0, 0.0
    for amended in filter(None, map(amendments.amended, entries)):
        jumped_s += jumped_by(amended) or 0.0
        if amended.type == "match_started":
            matches += 1
            now = _began(amended, matches, now, jumped_s)
            opened |= {now.entry.id: now} if now is not None else {}
        elif amended.type == "match_resumed":
            now = opened.get(amended.data.get("of", 0), now)
        elif now is not None and not now.over:
            play = _went_on(now, amended)
            found += [replace(play, jumped_s=jumped_s - now.jumped_s)] if play is not None else []
    return found


def stretch(entries: Iterable[Entry], number: int) -> tuple[Entry, list[Entry], int] | None:
    """The entry that began a match, all entries while it was on, and how many entries there were when it ended or was
    left; on another day it may have been taken up again. number: from 1 on, without matches that were undone. None
    where there is none of that number."""
    entries = list(entries)
    amendments = Amendments()
    for entry in entries:
        amendments.add(entry)
    begun: list[Entry] = []
    on, first, during, end = 0, None, list[Entry](), 0
    for n, entry in enumerate(entries, 1):
        amended = amendments.amended(entry)
        if amended is not None and amended.type == "match_started":
            begun.append(amended)
            on = entry.id
            first = amended if len(begun) == number else first
        elif amended is not None and amended.type == "match_resumed":
            on = int(amended.data.get("of", on))
        if first is not None and on == first.id:
            during.append(entry)
            end = n
    return (first, during, end) if first is not None else None


def players_of(data: Mapping[str, Any]) -> dict[str, str]:
    """The players of a match's beginning by seat; partners at one camp as one name."""
    told = data.get("players") or {}
    return {str(k): " & ".join(map(str, v)) if isinstance(v, list | tuple) else str(v) for k, v in told.items()}


def _began(entry: Entry, number: int, before: _Open | None, jumped_s: float) -> _Open | None:
    game = GAMES.get(str(entry.data.get("game")))
    return _Open(number, entry, game.start({"match": number, **entry.data}), jumped_s) if game is not None else before


def _went_on(now: _Open, entry: Entry) -> Play | None:
    game = GAMES[now.entry.data["game"]]
    try:
        now.state = game.apply(now.state, Action(entry.type, entry.data, entry.id))
    except IllegalMove:
        return None
    outcome = game.outcome(now.state)
    if outcome is None:
        return None
    now.over = True
    return _play(now, entry, outcome)


def _play(played: _Open, last: Entry, outcome: Outcome) -> Play:
    first = played.entry
    told = first.data.get("players") or {}
    winners = set(outcome.winners or ([outcome.winner] if outcome.winner else []))
    ranked = sorted(outcome.points, key=lambda s: (s not in winners, -outcome.points[s]))
    places = {seat: 1 if seat in winners or outcome.drawn else n for n, seat in enumerate(ranked, 1)}
    for seat in ranked:  # equal points of losers share a place
        same = [s for s in ranked if s not in winners and outcome.points[s] == outcome.points[seat]]
        if seat in same:
            places[seat] = min(places[s] for s in same)
    seats = tuple(
        Seat(seat, str(name), points, places[seat], seat in winners)
        for seat, points in outcome.points.items()
        for name in (told.get(seat, seat) if isinstance(told.get(seat), list | tuple) else (told.get(seat, seat),))
    )
    options = {str(k): str(v) for k, v in (first.data.get("options") or {}).items()}
    game = str(first.data["game"])
    return Play(played.number, first.id, game, first.time, last.time, seats, outcome.reason.en, options,
                reason_fr=outcome.reason.fr)  # fmt: skip


def by_one_name(history: Iterable[Play]) -> list[Play]:
    """The matches with everybody by one name, as written last, where "ann" and "Ann " are two ways to write it."""
    history = list(history)
    written = {plain_name(seat.name): seat.name for play in history for seat in play.seats}
    return [
        replace(play, seats=tuple(replace(seat, name=written[plain_name(seat.name)]) for seat in play.seats))
        for play in history
    ]


@dataclass(frozen=True, slots=True)
class Profile:
    """One player over all matches: how many, how many won, and best points by game."""

    name: str
    plays: int
    wins: int
    best: dict[str, int]


def profiles(history: Iterable[Play]) -> dict[str, Profile]:
    """Every player's statistics, by name as written last at the table."""
    found: dict[str, Profile] = {}
    for play in by_one_name(history):
        for seat in play.seats:
            old = found.get(seat.name, Profile(seat.name, 0, 0, {}))
            best = dict(old.best)
            if seat.points is not None:
                best[play.game] = max(seat.points, best.get(play.game, seat.points))
            found[seat.name] = Profile(seat.name, old.plays + 1, old.wins + seat.won, best)
    return found
