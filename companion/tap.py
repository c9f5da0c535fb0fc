"""Games kept by taps at the table: set-ups, actions and corrections on their way to the journal."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from companion.clocks import Clock, ClockError, flagged, pause, read_clock, resume, seconds_at, start_clock, turn_to
from companion.games import GAMES
from companion.games.base import Action, IllegalMove, Json, MalformedAction
from companion.journal import Entry, Journal, utc_now
from companion.scoreboard import Amendments, Score, Scorekeeper, fold, step

BY_CAMERA = "paleo"  # the one game whose facts come from the camera
SETUP = ("seed", "begins", "characters", "gold", "mines", "board", "map", "tables", "factors", "continents", "forces",
         "months", "pile")  # fmt: skip
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
        raise MalformedAction(f"setup: expected some of {', '.join(SETUP)}")
    found: Json = {"seed": seed, **told}
    if data.get("clock") is not None:
        try:
            read_clock(data["clock"])
        except ClockError as error:
            raise MalformedAction(str(error)) from None
        found["clock"] = dict(data["clock"])
    return found


def tapped(score: Score, type: str, seat: str, data: Mapping[str, Any], by: str) -> tuple[str, Json]:
    """A seat's action as the journal keeps it. Raises IllegalMove; nothing changes then."""
    if score.game is None or not is_tapped(score.game):
        raise IllegalMove("no game that is kept by taps is on; begin one first")
    for name in RESERVED:
        if name in data:
            raise MalformedAction(f"{type}: {name} is not told with the action; the seat's own address says it")
    error = GAMES[score.game].legal(score.state, Action(type, {**data, "seat": seat}))
    if error is not None:
        raise error
    return type, {**data, "seat": seat, "game": score.game, "by": by}


def match_clock(entries: Iterable[Entry], now: str) -> Json | None:
    """The clocks of the match that is on, from the journal's own times; None where it is kept without one.

    now: ISO 8601. seconds: left, or used where the clock counts up; running, flagged: seats.
    """
    entries = list(entries)
    amendments = Amendments()
    for entry in entries:
        amendments.add(entry)
    score, clock = Score(), None
    for entry in entries:
        amended = amendments.amended(entry)
        score = step(score, amended) if amended is not None else score
        at_s = datetime.fromisoformat(entry.time).timestamp()
        if entry.type == "match_started" and amended is not None:
            told = entry.data.get("clock")
            clock = start_clock(read_clock(told), score.state.seats, at_s) if told and is_tapped(score.game) else None
        if clock is not None and amended is not None:
            clock = _turned(clock, score, entry.type, at_s)
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


def _turned(clock: Clock, score: Score, type: str, at_s: float) -> Clock:
    if type in ("pause", "resume"):
        return (pause if type == "pause" else resume)(clock, at_s)
    game = GAMES[str(score.game)]
    return turn_to(clock, game.waiting(score.state) if game.waiting is not None else (), at_s)


def clock_pause(score: Score, entries: Iterable[Entry], type: str, by: str) -> tuple[str, Json]:
    """A pause of the clocks, or its end, as the journal keeps it. Raises IllegalMove."""
    clock = match_clock(entries, "1970-01-01T00:00:00+00:00")
    if clock is None:
        raise IllegalMove(f"the match of {score.game} is kept without clocks; there is nothing to pause")
    if clock["paused"] == (type == "pause"):
        raise IllegalMove("the clocks are paused already" if clock["paused"] else "the clocks are not paused")
    return type, {"game": score.game, "by": by}


def seat_view(score: Score, seat: str) -> Json:
    """What one seat's own screen shows, with its legal actions. Raises IllegalMove where there is no such seat."""
    if score.game is None or not is_tapped(score.game) or seat not in score.state.seats:
        raise IllegalMove(f"{seat} is no seat of the match that is on")
    game = GAMES[score.game]
    legal = game.moves(score.state, seat)
    moves = [{"type": a.type, "data": {k: v for k, v in a.data.items() if k != "seat"}} for a in legal]
    waiting = game.waiting(score.state) if game.waiting is not None else ()
    return {**game.seen_by(score.state, seat), "moves": moves, "waiting": list(waiting), "last_id": score.last_id}


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


def correction(entries: Iterable[Entry], of: int, seat: str, type: str, data: Mapping[str, Any]) -> Json:
    """A seat's own action told otherwise, as the journal keeps it. Raises IllegalMove where it is no such action."""
    found = next((e for e in entries if e.id == of), None)
    if found is None or not is_tapped(found.data.get("game")) or found.data.get("seat") != seat:
        raise IllegalMove(f"entry {of} is no action of {seat}")
    if any(name in data for name in RESERVED):
        raise MalformedAction(f"{type}: {', '.join(RESERVED)} are not told with a correction")
    return {"of": of, "facts": {"type": type, "data": dict(data)}, "seat": seat, "game": found.data["game"]}


def difference(entries: Iterable[Entry], told: Json, seat: str) -> Json:
    """What a correction would change, before anybody accepts it: the seat's views before and after, and the ids of the
    actions that would not be legal any more and fall away. Raises IllegalMove where the corrected one is not legal."""
    entries = list(entries)
    last = entries[-1].id
    changed = [*entries, Entry(last + 1, "correction", "", told)]
    before, after = fold(entries), fold(changed)
    kept, keeps = kept_ids(entries), kept_ids(changed)
    if told["of"] in kept and told["of"] not in keeps:
        raise IllegalMove(f"{told['facts']['type']} would not have been legal there")
    if before.game is None or not is_tapped(before.game):
        raise IllegalMove("no game that is kept by taps is on")
    views = [GAMES[str(s.game)].seen_by(s.state, seat) for s in (before, after)]
    return {"before": views[0], "after": views[1], "dropped": sorted(kept - keeps)}


def kept_ids(entries: Iterable[Entry]) -> set[int]:
    """Ids of the entries that count: neither undone nor illegal where they stand."""
    entries = list(entries)
    amendments = Amendments()
    for entry in entries:
        amendments.add(entry)
    score, kept = Score(), set()
    for entry in entries:
        amended = amendments.amended(entry)
        if amended is not None:
            after = step(score, amended)
            kept |= {entry.id} if after.state is not score.state else set()
            score = after
    return kept


class Taps:
    """The part of a companion that keeps games by taps: what its pages ask, seat by seat."""

    _changed: threading.Condition
    _journal: Journal
    _keeper: Scorekeeper

    def _append(self, items: list[tuple[str, Json]]) -> list[Entry]:
        raise NotImplementedError

    def match_number(self) -> int:
        """How many matches have begun: claims to seats are for one match."""
        with self._changed:
            return self._keeper.score.matches

    def seats(self) -> tuple[str, ...]:
        """The seats of the match that is on, where it is kept by taps."""
        with self._changed:
            score = self._keeper.score
            return tuple(score.state.seats) if is_tapped(score.game) else ()

    def clocks(self) -> Json | None:
        """The players' clocks as they stand now; None where the match is kept without."""
        return match_clock(self._journal.entries_after(0, None), utc_now())

    def tap(self, seat: str, type: str, data: Mapping[str, Any]) -> list[Entry]:
        """Does what a seat asks. Raises IllegalMove; nothing changes then."""
        with self._changed:
            return self._append([tapped(self._keeper.score, type, seat, data, seat)])

    def seat_view(self, seat: str) -> Json:
        """What one seat's screen shows. Raises IllegalMove where there is no such seat."""
        with self._changed:
            return seat_view(self._keeper.score, seat)

    def retell(self, seat: str, of: int, type: str, data: Mapping[str, Any], accept: bool) -> Json:
        """Shows what a correction of one's own earlier action would change, or makes it. Raises IllegalMove."""
        with self._changed:
            entries = self._journal.entries_after(0, None)
            told = correction(entries, of, seat, type, data)
            change = difference(entries, told, seat)
            if accept:
                self._append([("correction", {**told, "by": seat})])
            return {**change, "accepted": accept}

    def whole_journal(self) -> list[Entry]:
        """Every entry, for export, history and ratings."""
        return self._journal.entries_after(0, None)
