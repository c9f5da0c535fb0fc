"""The scoreboard: a fold over the journal. What it says follows from the entries alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games import GAMES
from companion.games.base import Action, Game, IllegalMove, Json, Text
from companion.games.fast import replace
from companion.games.setup import LOG_LINES
from companion.journal import Entry

ACTS = ("match_started", "round_started", "as_it_lies", "reefs_by_hand", "shot", "shot_by_hand", "answer", "pause",
        "resume")  # fmt: skip
CORRECTED = Text("A shot was corrected by the players.", "Un coup a été corrigé par les joueurs.")
RETOLD = Text("An earlier entry was corrected.", "Une entrée passée a été corrigée.")
DERIVED = ("ruling", "question", "round_ended", "match_ended")  # written for listeners; the fold makes them itself
UNRULED = ("sensor", "access")  # kept for the record; no rule asks for them
REMEMBERED_ACTS = 200  # how far back undo can go
CHECKPOINTS = 64  # undo of these needs no second fold of everything
SHELVED = 20  # unfinished matches that can still be resumed

LOBBY: Json = {
    "game": None, "phase": "lobby", "match": 0, "round": 0, "turn": None, "paused": False, "players": [], "pucks": [],
    "doors": [], "todo": [], "question": None, "winner": None, "last": None, "log": [],
}  # fmt: skip
UNDONE = {
    "match_started": Text("the new match", "la nouvelle partie"),
    "match_resumed": Text("the match taken up again", "la reprise d’une partie"),
    "round_started": Text("the start of the round", "le début de la manche"),
    "as_it_lies": Text("the board taken as it lies", "la reprise du plateau"),
    "reefs_by_hand": Text("the reefs as they were told last", "les récifs tels qu’ils ont été saisis en dernier"),
    "shot": Text("the last shot; put the pucks back as they lay", "le dernier coup ; remettez les pions en place"),
    "shot_by_hand": Text("the shot entered by hand", "le coup saisi à la main"),
    "answer": Text("the last answer", "la dernière réponse"),
    "correction": Text("the correction of a shot", "la correction d’un coup"),
    "pause": Text("the pause", "la pause"),
    "resume": Text("the end of the pause", "la fin de la pause"),
}


@dataclass(frozen=True)  # without slots, so that replace() is quick
class Score:
    """Everything that follows from the journal up to `last_id`; never changed, only replaced.

    acts: (entry id, type) of what changed something and can be undone, oldest first; notes: the log's lines that
    belong to no game, since the match that is on was begun or taken up; reefs, camera: as last seen; match_id: the
    entry that began the match that is on; shelf: matches that were left unfinished, by that entry, with their games and
    states, to be resumed on another day; begun: how many matches there were of each game.
    """

    game: str | None = None
    state: Any = None
    last_id: int = 0
    matches: int = 0
    acts: tuple[tuple[int, str], ...] = ()
    notes: tuple[Json, ...] = ()
    reefs: tuple[Json, ...] = ()
    camera: Json | None = None
    match_id: int = 0
    shelf: Mapping[int, tuple[str, Any]] = field(default_factory=dict)
    begun: Mapping[str, int] = field(default_factory=dict)


def step(score: Score, entry: Entry) -> Score:
    """The score after one more entry that was not undone. What is no longer legal, since something before it was
    undone, changes nothing."""
    if entry.type == "reefs":
        score = replace(score, reefs=tuple(entry.data["reefs"]))
    if entry.type == "camera":
        score = replace(score, camera=entry.data)
    if entry.type in ("undo", "note"):
        return replace(score, last_id=entry.id, notes=(*score.notes[1 - LOG_LINES :], _note(entry)))
    if entry.type == "correction":
        notes, acts = (*score.notes[1 - LOG_LINES :], _note(entry)), (*score.acts, (entry.id, entry.type))
        return replace(score, last_id=entry.id, notes=notes, acts=acts)
    if entry.type == "match_started":
        return _begin(score, entry)
    if entry.type == "match_resumed":
        return _resume(score, entry)
    if score.game is None or entry.type in DERIVED or entry.type in UNRULED:
        return replace(score, last_id=entry.id)
    try:
        state = GAMES[score.game].apply(score.state, Action(entry.type, entry.data, entry.id))
    except IllegalMove:
        return replace(score, last_id=entry.id)
    return _changed(score, entry, state)


def _begin(score: Score, entry: Entry) -> Score:
    game: Game[Any] = GAMES[entry.data["game"]]
    state = game.start({"match": score.matches + 1, **entry.data, "reefs": score.reefs})
    shelf = shelved(score)
    begun = {**score.begun, game.name: score.begun.get(game.name, 0) + 1}
    score = replace(score, game=game.name, matches=score.matches + 1, match_id=entry.id, shelf=shelf, begun=begun)
    return _changed(replace(score, notes=()), entry, state)


def shelved(score: Score) -> dict[int, tuple[str, Any]]:
    """The matches that wait to be resumed, with the one that is on where it is not over; the oldest fall off."""
    shelf = dict(score.shelf)
    if score.game is not None and GAMES[score.game].outcome(score.state) is None:
        shelf[score.match_id] = (score.game, score.state)
    return dict(list(shelf.items())[-SHELVED:])


def _resume(score: Score, entry: Entry) -> Score:
    """An unfinished match is taken up where it was left; the one that was on waits in its place."""
    of = int(entry.data["of"])
    if of not in score.shelf:
        return replace(score, last_id=entry.id)
    game, state = score.shelf[of]
    shelf = {n: kept for n, kept in shelved(score).items() if n != of}
    return _changed(replace(score, game=game, match_id=of, shelf=shelf, notes=()), entry, state)


def _changed(score: Score, entry: Entry, state: Any) -> Score:
    acts = score.acts
    if state is not score.state and (entry.type in ACTS or score.game != "paleo" or entry.type == "match_resumed"):
        acts = (*acts[1 - REMEMBERED_ACTS :], (entry.id, entry.type))
    return replace(score, last_id=entry.id, state=state, acts=acts)


def _note(entry: Entry) -> Json:
    if entry.type == "undo":
        what = UNDONE.get(entry.data.get("what", ""), Text("the last entry", "la dernière entrée"))
        return {"id": entry.id, "en": f"Undone: {what.en}.", "fr": f"Annulé : {what.fr}.", "rules": []}
    if entry.type == "correction":
        text = CORRECTED if "flicked" in entry.data["facts"] else RETOLD
        return {"id": entry.id, **text.to_json(), "rules": []}
    return {"id": entry.id, "en": entry.data.get("en", ""), "fr": entry.data.get("fr", ""), "rules": []}


class Amendments:
    """What later entries say of earlier ones: undone, or a shot that happened otherwise."""

    def __init__(self) -> None:
        self._undone: set[int] = set()
        self._corrections: dict[int, tuple[int, Json]] = {}
        self._told: dict[int, list[int]] = {}  # an entry -> its corrections, oldest first

    def add(self, entry: Entry) -> int | None:
        """Takes an entry in; returns the earliest entry whose meaning it changes, None where it changes none."""
        if entry.type == "correction":
            self._corrections[entry.id] = (int(entry.data["of"]), entry.data["facts"])
            self._told.setdefault(int(entry.data["of"]), []).append(entry.id)
            return int(entry.data["of"])
        if entry.type != "undo":
            return None
        undone = int(entry.data["undoes"])
        self._undone.add(undone)
        return self._corrections[undone][0] if undone in self._corrections else undone

    def amended(self, entry: Entry) -> Entry | None:
        """The entry as it counts now; None where it was undone, or corrects one that was."""
        corrected = self._corrections[entry.id][0] if entry.id in self._corrections else None
        if entry.id in self._undone or corrected in self._undone:
            return None
        if entry.id not in self._told:
            return entry
        told = [self._corrections[n][1] for n in self._told[entry.id] if n not in self._undone]
        if not told:
            return entry
        if entry.type not in ("shot", "shot_by_hand"):  # a seat's action, an answer, or how a round of Paleo began
            whose: Json = {name: entry.data[name] for name in ("seat", "game", "by", "pucks") if name in entry.data}
            return Entry(entry.id, told[-1]["type"], entry.time, {**told[-1]["data"], **whose})
        data = {**entry.data, "told": told[-1]} if entry.type == "shot" else {**told[-1], "by": "table"}
        return Entry(entry.id, entry.type, entry.time, data)


def fold(entries: Iterable[Entry], score: Score | None = None) -> Score:
    """The score after all entries, those undone left out, corrected shots as corrected."""
    entries = list(entries)
    amendments = Amendments()
    for entry in entries:
        amendments.add(entry)
    score = score or Score()
    for entry in entries:
        counts = amendments.amended(entry)
        score = replace(score, last_id=entry.id) if counts is None else step(score, counts)
    return score


class Scorekeeper:
    """Keeps the fold at the journal's end; remembers recent scores so that undo is quick.

    read: gives all entries after an id. The result is the same as fold() over the whole journal.
    """

    def __init__(self, read: Callable[[int], Sequence[Entry]]) -> None:
        self._read = read
        self._before: deque[tuple[int, Score]] = deque(maxlen=CHECKPOINTS)
        self._amendments = Amendments()
        self.score = Score()
        self.take(read(0))

    def take(self, entries: Sequence[Entry]) -> Score:
        """Takes entries in that follow the last one, and returns the score."""
        touched = [n for entry in entries if (n := self._amendments.add(entry)) is not None]
        if touched and min(touched) <= self.score.last_id:
            return self._take_again(min(touched))
        for entry in entries:
            self._take(entry)
        return self.score

    def _take(self, entry: Entry) -> None:
        counts = self._amendments.amended(entry)
        if counts is None:
            self.score = replace(self.score, last_id=entry.id)
            return
        before = self.score
        self.score = step(before, counts)
        if self.score.acts is not before.acts:
            self._before.append((entry.id, before))

    def _take_again(self, touched: int) -> Score:
        """Goes back to the score before an entry that counts otherwise now, and takes everything after it anew."""
        self.score = Score()
        while self._before:
            number, score = self._before.pop()
            if number <= touched:
                self.score = score
                break
        for entry in self._read(self.score.last_id):
            self._take(entry)
        return self.score


def scoreboard(score: Score) -> Json:
    """What a screen shows, as JSON."""
    body = LOBBY if score.game is None else GAMES[score.game].view(score.state)
    log = sorted([*body["log"], *score.notes], key=_said_at)[-LOG_LINES:]
    last = _said(log)
    return {
        **body,
        "log": log,
        "last": last,
        "reefs": body["reefs"] if body.get("kept_by") == "taps" else list(score.reefs),
        "camera": score.camera,
        "last_id": score.last_id,
        "match_id": score.match_id,
        "can_undo": bool(score.acts),
        "undoes": score.acts[-1][1] if score.acts else None,
    }


def _said_at(line: Json) -> int:
    """The entry that brought a line about: what was ruled last comes last, however long its shot had waited."""
    return int(line["said"] if "said" in line else line["id"])


def _said(log: Sequence[Json]) -> Json | None:
    """What just happened in one sentence: a decision of round or match (P23, P24), else the newest entry's first."""
    if not log:
        return None
    newest = [line for line in log if line["id"] == log[-1]["id"]]
    line = newest[-1] if {"P23", "P24"} & set(newest[-1]["rules"]) else newest[0]
    return {"en": line["en"], "fr": line["fr"]}


def news(before: Score, after: Score, entry: Entry) -> list[tuple[str, Json]]:
    """What an entry brought about, as derived entries for the stream's listeners."""
    if after.game is None or entry.type in ("match_started", "match_resumed", "undo"):
        return []
    old = GAMES[before.game].view(before.state) if before.game else {}
    new = GAMES[after.game].view(after.state)
    found: list[tuple[str, Json]] = []
    known = {(line["id"], line["en"]) for line in old.get("log", [])}
    lines = [line for line in new["log"] if (line["id"], line["en"]) not in known]
    if lines:
        found.append(("ruling", {"of": entry.id, "lines": lines}))
    if new["question"] is not None and new["question"] != old.get("question"):
        found.append(("question", {"of": entry.id, **new["question"]}))
    if len(new.get("rounds", [])) > len(old.get("rounds", [])):
        found.append(("round_ended", {"of": entry.id, **new["rounds"][-1]}))
    if new["phase"] == "match_over" != old.get("phase"):  # also where a victory is shared, or nobody's
        found.append(("match_ended", {"of": entry.id, "winner": new["winner"]}))
    return found
