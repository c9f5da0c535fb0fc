"""Games kept by taps at the table: set-ups, actions and corrections on their way to the journal."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from companion import amend
from companion.clock_jumps import jumped_by
from companion.clocks import Clock, flagged, pause, read_clock, resume, seconds_at, stand_still, start_clock, turn_to
from companion.games import GAMES
from companion.games.base import Action, IllegalMove, Json, MalformedAction, Offered, Text
from companion.history import players_of
from companion.journal import Entry, Journal, utc_now
from companion.scoreboard import Amendments, Score, Scorekeeper, step

BY_CAMERA = "paleo"  # the one game whose facts come from the camera
SETUP = ("seed", "begins", "characters", "gold", "mines", "board", "map", "tables", "factors", "continents", "forces",
         "months", "pile")  # fmt: skip
TURNS_BACK = ("undo", "correction", "match_started", "match_resumed")  # entries that change what a seat had before it
RESERVED = ("seat", "game", "by")  # the server's own fields of an action


def is_tapped(game: str | None) -> bool:
    """Whether a match of this game is kept by taps."""
    return game is not None and game != BY_CAMERA


def setup_of(data: Mapping[str, Any], seed: int) -> Json:
    """What a new match may tell beside players and options; chance is drawn by the server where no seed is told.

    Raises MalformedAction on what no game knows."""
    told = data.get("setup")
    told = {} if told is None else told
    if not isinstance(told, Mapping) or not set(told) <= set(SETUP):
        raise MalformedAction("setup: expected some of {expected}", expected=", ".join(SETUP))
    found: Json = {"seed": seed, **told}
    if data.get("clock") is not None:
        read_clock(data["clock"])
        found["clock"] = dict(data["clock"])
    return found


def tapped(score: Score, type: str, seat: str, data: Mapping[str, Any], by: str) -> tuple[str, Json]:
    """A seat's action as the journal keeps it. Raises IllegalMove; nothing changes then."""
    if score.game is None or not is_tapped(score.game):
        raise IllegalMove("no game that is kept by taps is on; begin one first")
    for name in RESERVED:
        if name in data:
            raise MalformedAction(
                "{type}: {name} is not told with the action; the seat's own address says it", type=type, name=name
            )
    error = GAMES[score.game].legal(score.state, Action(type, {**data, "seat": seat}))
    if error is not None:
        raise error
    return type, {**data, "seat": seat, "game": score.game, "by": by}


def not_overtaken(newer: Iterable[Entry], seat: str) -> None:
    """Raises IllegalMove where a seat itself, or what takes back, corrects or begins a match, came in between; what
    other seats do at the same time hinders nobody."""
    if any(e.type in TURNS_BACK or (e.type != "note" and e.data.get("seat") == seat) for e in newer):
        raise IllegalMove(
            "{seat} has acted meanwhile, or something was undone; look what is next, and do it again if you mean it",
            seat=seat,
        )


def match_clock(entries: Iterable[Entry], now: str) -> Json | None:
    """The clocks of the match that is on, from the journal's own times; None where it is kept without one.

    now: ISO 8601. seconds: left, or used where the clock counts up; running, flagged: seats. While another match is on
    a match's clocks stand still.
    """
    entries = list(entries)
    amendments = Amendments()
    for entry in entries:
        amendments.add(entry)
    score, rest = amend.since_match(entries, amendments)
    kept = Clocks()
    for entry in rest:
        amended = amendments.amended(entry)
        if amended is not None:
            before, score = score, step(score, amended)
            kept.take(amended, before, score)
    clock = kept.of.get(score.match_id)
    if clock is None:
        return None
    now_s = datetime.fromisoformat(now).timestamp()
    return {
        "kind": clock.settings.kind,
        "seconds": seconds_at(clock, now_s),
        "running": [] if clock.paused else sorted(clock.running),
        "paused": clock.paused,
        "flagged": list(flagged(clock, now_s)),
    }


class Clocks:
    """The clocks of all matches, by the entry that began each."""

    def __init__(self) -> None:
        self.of: dict[int, Clock] = {}

    def take(self, entry: Entry, before: Score, after: Score) -> None:
        """Takes in one entry that counts, with the score before and after it."""
        at_s = datetime.fromisoformat(entry.time).timestamp()
        if after.match_id != before.match_id:
            if before.match_id in self.of:
                self.of[before.match_id] = turn_to(self.of[before.match_id], (), at_s)
            if entry.type == "match_started" and entry.data.get("clock"):
                seats = seats_of(after)
                self.of[after.match_id] = start_clock(read_clock(entry.data["clock"]), seats, at_s)
        clock = self.of.get(after.match_id)
        if clock is not None:
            from_s = _stood_still_from(entry, clock, at_s)
            clock = clock if from_s is None else stand_still(clock, at_s, from_s)
            self.of[after.match_id] = _turned(clock, after, entry.type, at_s)


def _stood_still_from(entry: Entry, clock: Clock, at_s: float) -> float | None:
    """Since when nobody's time has run, as no companion did, the machine slept, or its clock was set; else None."""
    if entry.type == "camera" and entry.data.get("what") == "session_started":
        return clock.since
    jumped_s = jumped_by(entry)
    return None if jumped_s is None else at_s - jumped_s


def seats_of(score: Score) -> tuple[str, ...]:
    """Who plays: the seats, or the sides of Paleo."""
    return tuple(score.state.seats) if is_tapped(score.game) else tuple(score.state.sheet.names)


def _turned(clock: Clock, score: Score, type: str, at_s: float) -> Clock:
    if type in ("pause", "resume"):
        return (pause if type == "pause" else resume)(clock, at_s)
    game = GAMES[str(score.game)]
    waiting = game.waiting(score.state) if game.waiting is not None else ()
    playing = is_tapped(score.game) or score.state.phase == "playing"
    return turn_to(clock, waiting if playing else (), at_s)


def clock_pause(score: Score, entries: Iterable[Entry], type: str, by: str) -> tuple[str, Json]:
    """A pause of the clocks, or its end, as the journal keeps it. Raises IllegalMove."""
    clock = match_clock(entries, "1970-01-01T00:00:00+00:00")
    if clock is None:
        raise IllegalMove(
            "the match of {game} has no clocks to pause; it waits by itself, be it for another day", game=score.game
        )
    if clock["paused"] == (type == "pause"):
        raise IllegalMove("the clocks are paused already" if clock["paused"] else "the clocks are not paused")
    return type, {"game": score.game, "by": by}


def freed(name: str) -> Text:
    """What the log says of a seat that was freed."""
    return Text(
        f"A seat was freed: {name}. Whoever takes it next sees what is hidden there.",
        f"Un siège a été libéré : {name}. Qui le prend ensuite voit ce qui y est caché.",
    )


def seat_view(score: Score, seat: str) -> Json:
    """What one seat's own screen shows, with its legal actions. Raises IllegalMove where there is no such seat."""
    if score.game is None or not is_tapped(score.game) or seat not in score.state.seats:
        raise IllegalMove("{seat} is no seat of the match that is on", seat=seat)
    game = GAMES[score.game]
    legal = game.moves(score.state, seat)
    moves = [{"type": a.type, "data": {k: v for k, v in a.data.items() if k != "seat"}} for a in legal]
    waiting = game.waiting(score.state) if game.waiting is not None else ()
    first = seat_offers(score, seat, {}).fields
    return {
        **game.seen_by(score.state, seat), "moves": moves, "waiting": list(waiting), "last_id": score.last_id,
        "match_id": score.match_id,
        **({"offers": first} if first else {}),
    }  # fmt: skip


def seat_offers(score: Score, seat: str, plan: Mapping[str, Any]) -> Offered:
    """What a seat can choose next for an action that it composes. Raises IllegalMove where there is no such seat."""
    if score.game is None or not is_tapped(score.game) or seat not in score.state.seats:
        raise IllegalMove("{seat} is no seat of the match that is on", seat=seat)
    return GAMES[score.game].offers(score.state, seat, plan)


def registry() -> list[Json]:
    """Every game for the set-up page: names, seats, options with their reasons."""
    return [
        {
            "name": game.name,
            "title": game.title.to_json(),
            "players": list(game.players),
            "seats": list(game.seat_names),
            "tapped": is_tapped(game.name),
            "setup": game.editable(),
            "options": [option.to_json() for option in game.options],
        }
        for game in GAMES.values()
    ]


class Taps(ABC):
    """The part of a companion that keeps games by taps: what its pages ask, seat by seat."""

    _changed: threading.Condition
    _journal: Journal
    _keeper: Scorekeeper

    @abstractmethod
    def _append(self, items: list[tuple[str, Json]]) -> list[Entry]:
        """Commits entries to the journal, and tells everybody who waits for them."""

    @abstractmethod
    def look_at_clock(self) -> None:
        """Tells of a jump of the time of day, before anything is journalled by the new one."""

    def _since(self, seen: int | None) -> list[Entry]:
        """What was journalled since what the asking screen had shown; nothing where it did not tell."""
        return self._journal.entries_after(seen, None) if seen is not None else []

    def match_number(self) -> int:
        """The entry that began the match that is on: claims to seats are for one match."""
        with self._changed:
            return self._keeper.score.match_id

    def seats(self) -> tuple[str, ...]:
        """The seats of the match that is on, where it is kept by taps."""
        with self._changed:
            score = self._keeper.score
            return tuple(score.state.seats) if is_tapped(score.game) else ()

    def clocks(self) -> Json | None:
        """The players' clocks as they stand now; None where the match is kept without."""
        with self._changed:
            number = self._keeper.score.match_id
        begun = self._journal.entries_after(number - 1, 1) if number else []
        if not begun or not begun[0].data.get("clock"):
            return None  # most matches: nothing needs to be added up
        return match_clock(self._journal.entries_after(0, None), utc_now())

    def tap(self, seat: str, type: str, data: Mapping[str, Any], seen: int | None = None) -> list[Entry]:
        """Does what a seat asks; seen: the newest entry that its screen had shown, where it told.

        Raises IllegalMove; nothing changes then."""
        with self._changed:
            self.look_at_clock()
            not_overtaken(self._since(seen), seat)
            return self._append([tapped(self._keeper.score, type, seat, data, seat)])

    def free_seat(self, seat: str, match: int, by: str) -> None:
        """Tells everybody in the log that a seat was freed. Raises IllegalMove where `match` is on no more."""
        with self._changed:
            score = self._keeper.score
            if score.match_id != match or seat not in self.seats():
                raise IllegalMove("another match is on by now; look who holds which of its seats")
            players = GAMES[str(score.game)].view(score.state)["players"]
            name = next((player["name"] for player in players if player["team"] == seat), seat)
            self._append([("note", {**freed(name).to_json(), "seat": seat, "by": by})])

    def seat_view(self, seat: str) -> Json:
        """What one seat's screen shows. Raises IllegalMove where there is no such seat."""
        with self._changed:
            return seat_view(self._keeper.score, seat)

    def offers(self, seat: str, plan: Mapping[str, Any]) -> Offered:
        """What a seat can choose next for an action that it composes. Raises IllegalMove."""
        with self._changed:
            score = self._keeper.score
        return seat_offers(score, seat, plan)

    def ledger(self, seat: str | None) -> list[Json]:
        """The entries of the match that is on that may be undone or told otherwise, newest first."""
        return amend.ledger(self._journal.entries_after(0, None), seat)

    def choices(self, of: int, seat: str | None) -> list[Json]:
        """What could have been done instead of an earlier entry. Raises IllegalMove."""
        return amend.choices(self._journal.entries_after(0, None), of, seat)

    def amend(self, told: Mapping[str, Any], seat: str | None, by: str, *, accept: bool) -> Json:
        """Shows what undoing or retelling an earlier entry would change, or does it. Raises IllegalMove.

        seen in what is told: the newest entry that the asking screen had shown; with the difference comes the newest
        one that it is told by.
        """
        seen = told.get("seen")
        with self._changed:
            entries = self._journal.entries_after(0, None)
            if seen is not None:
                amend.not_amended_since((e for e in entries if e.id > seen), told.get("of"))
            item = amend.proposal(entries, told, seat, by)
            change = amend.difference(entries, item, seat)
            if accept and seen is not None:
                amend.nothing_falls_since(change["dropped"], seen)
            if accept:
                self._append([item])
            return {**change, "accepted": accept, "last_id": entries[-1].id}

    def shelf(self) -> list[Json]:
        """The unfinished matches that can be taken up again, newest first."""
        with self._changed:
            score = self._keeper.score
        begun = {e.id: e for e in self._journal.entries_after(0, None) if e.type == "match_started"}
        return [
            {"id": n, "game": game, "begun": begun[n].time, "players": list(players_of(begun[n].data).values())}
            for n, (game, _) in sorted(score.shelf.items(), reverse=True)
        ]

    def whole_journal(self) -> list[Entry]:
        """Every entry, for export, history and ratings."""
        return self._journal.entries_after(0, None)
