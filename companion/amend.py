"""Earlier entries undone or told otherwise, in every game: what would change is shown before anybody accepts it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games import GAMES
from companion.games.base import Action, IllegalMove, Json, MalformedAction, Text
from companion.games.seats import told_entry
from companion.journal import Entry
from companion.scoreboard import Amendments, Score, step

CAMERA_GAME = "paleo"
PALEO_ACTS = ("round_started", "as_it_lies", "shot", "shot_by_hand", "answer")  # what people may take back or correct
SHOTS = ("shot", "shot_by_hand")
OWN = ("seat", "game", "by", "pucks")  # fields of an entry that a correction does not tell
MOST_CHANGES = 40  # lines of a difference; whoever needs more looks at the board
MOST_CHOICES = 400  # what a screen can offer to choose from
NAMES = ("puck", "card", "counter", "piece", "city", "why", "square", "hex", "how", "name")  # of things in a view
SILENT = frozenset({"log", "last", "last_id", "board", "options", "pucks", "ruled", "seat", "buildings", "doors",
                    "shots", "prices", "savable", "plan", "acted"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the match that is on: as written, as it counts now, and the score before and after it."""

    written: Entry
    counts: Entry
    before: Score
    after: Score

    @property
    def kept(self) -> bool:
        """Whether it was legal where it stands."""
        return self.after.state is not self.before.state


def steps(entries: Iterable[Entry]) -> list[Step]:
    """The entries of the match that is on, in order, without those that were undone."""
    found = list(_walk(list(entries)))
    match = found[-1].after.match_id if found else 0
    return [s for s in found if s.after.match_id == match and s.before.match_id == match]


def _walk(entries: list[Entry]) -> Iterator[Step]:
    amendments = Amendments()
    for entry in entries:
        amendments.add(entry)
    score, rest = since_match(entries, amendments)
    for entry in rest:
        counts = amendments.amended(entry)
        if counts is not None:
            after = step(score, counts)
            yield Step(entry, counts, score, after)
            score = after


def rulings(entries: Iterable[Entry]) -> list[tuple[str, Json]]:
    """What was ruled in the match that is on, as it counts now: each line of its log with its time, ISO 8601."""
    found: list[tuple[str, Json]] = []
    for one in steps(entries):
        before = {(line["id"], line["en"]) for line in _log(one.before)}
        found += [(one.written.time, line) for line in _log(one.after) if (line["id"], line["en"]) not in before]
    return found


def _log(score: Score) -> list[Json]:
    return [line.to_json() for line in score.state.log]


def since_match(entries: list[Entry], amendments: Amendments) -> tuple[Score, list[Entry]]:
    """The part of a journal that the match that is on follows from, and the score before it: years of other evenings
    are not read again. Matches that were taken up again meanwhile are in it, each from its beginning."""
    turns = [e for e in entries if e.type in ("match_started", "match_resumed") and amendments.amended(e) is not None]
    if not turns:
        return Score(), entries
    start = _begun_by(turns[-1])
    while (first := min((_begun_by(e) for e in turns if e.id > start), default=start)) < start:
        start = first
    at = next((n for n, e in enumerate(entries) if e.id >= start), 0)
    reefs = next((e.data["reefs"] for e in reversed(entries[:at]) if e.type == "reefs"), ())
    before = sum(1 for e in turns if e.id < start and e.type == "match_started")
    return Score(matches=before, reefs=tuple(reefs)), entries[at:]


def _begun_by(entry: Entry) -> int:
    """The entry that began the match that this one turns to."""
    return entry.id if entry.type == "match_started" else int(entry.data["of"])


def closed_entries(entries: Iterable[Entry]) -> list[Entry]:
    """The journal without matches from seats that are not over: what is hidden in them nobody may read yet."""
    entries = list(entries)
    amendments = Amendments()
    for entry in entries:
        amendments.add(entry)
    score, match_of, over, counted = Score(), [], set[int](), set[int]()
    for entry in entries:
        counts = amendments.amended(entry)
        score = step(score, counts) if counts is not None else score
        match_of.append(score.match_id)  # of one that was begun by mistake, and undone: the one that was on
        counted |= {entry.id} if counts is not None else set()
        if score.game is not None and GAMES[score.game].outcome(score.state) is not None:
            over.add(score.match_id)
    begun = {e.id for e in entries if e.type == "match_started" and e.data.get("game") != CAMERA_GAME}
    hidden = (begun & counted) - over
    found = zip(entries, match_of, _done_in(entries), strict=True)
    return [entry for entry, *matches in found if hidden.isdisjoint(matches)]


def _done_in(entries: Iterable[Entry]) -> Iterator[int]:
    """The match that was on when each entry was written, also one that was taken up by mistake: what was done in it is
    undone, and as hidden as the rest of it. An undo is of the match of what it undoes."""
    on, before, done_in = 0, dict[int, int](), dict[int, int]()
    for entry in entries:
        if entry.type in ("match_started", "match_resumed"):
            before[entry.id], on = on, _begun_by(entry)
        done_in[entry.id] = on
        if entry.type == "undo":
            undone = int(entry.data["undoes"])
            done_in[entry.id] = done_in.get(undone, on)
            on = before.get(undone, on)
        yield done_in[entry.id]


def _amendable(one: Step) -> bool:
    if not one.kept or one.after.game is None:
        return False
    if one.after.game == CAMERA_GAME:
        return one.counts.type in PALEO_ACTS
    return "seat" in one.counts.data


def ledger(entries: Iterable[Entry], seat: str | None) -> list[Json]:
    """What may be amended, newest first: id, type, seat, the log's words, and the data as this seat may read it."""
    found = []
    for one in steps(entries):
        if _amendable(one):
            lines = [line.to_json() for line in one.after.state.log if line.to_json()["id"] == one.written.id]
            told = told_entry(one.after.game, one.counts.type, one.counts.data, seat)
            found.append({
                "id": one.written.id,
                "type": one.counts.type,
                "seat": one.counts.data.get("seat"),
                "lines": lines,
                "data": {k: v for k, v in told.items() if k not in (*OWN, "before", "after")},
            })  # fmt: skip
    return found[::-1]


def _named(entries: Iterable[Entry], of: int) -> Step:
    """The step that is to be amended. Raises IllegalMove where it is none."""
    found = next((s for s in steps(entries) if s.written.id == of and _amendable(s)), None)
    if found is None:
        raise IllegalMove("entry {of} is none of the match that is on, or was undone; choose one of the list", of=of)
    return found


def choices(entries: Iterable[Entry], of: int, seat: str | None) -> list[Json]:
    """What could have been done instead of an entry, by whoever did it. Raises IllegalMove."""
    one = _named(entries, of)
    _own(one, seat)
    game, whose = GAMES[str(one.after.game)], one.counts.data.get("seat")
    if one.counts.type in SHOTS:
        return []  # told in words: there are too many
    if one.counts.type == "answer":
        return [{"type": "answer", "data": {**_bare(one.counts.data), "choice": c.value}, "text": c.text.to_json()}
                for c in one.before.state.question.choices]  # fmt: skip
    if one.after.game == CAMERA_GAME:
        field = "begins" if one.counts.type == "round_started" else "turn"
        teams = one.before.state.sheet.names
        return [{"type": one.counts.type, "data": {field: team}} for team in teams]
    before = Action(one.counts.type, one.counts.data)
    listed = (a for a in game.moves(one.before.state, str(whose)) if game.reveals(a) <= game.reveals(before))
    return [{"type": a.type, "data": _bare(a.data)} for a, _ in zip(listed, range(MOST_CHOICES), strict=False)]


def _bare(data: Mapping[str, Any]) -> Json:
    return {k: v for k, v in data.items() if k not in OWN}


def _own(one: Step, seat: str | None) -> None:
    """In a game with seats everybody amends what was done from the own seat only. Raises IllegalMove."""
    whose = one.counts.data.get("seat")
    if one.after.game != CAMERA_GAME and whose != seat:
        raise IllegalMove(
            "entry {entry} is an action of {whose}; only that seat can take it back", entry=one.written.id, whose=whose
        )


def not_amended_since(newer: Iterable[Entry], of: object) -> None:
    """Raises IllegalMove where an entry was told otherwise among those that the asking screen had not shown yet, or
    where something was undone."""
    if any(entry.type == "undo" or (entry.type == "correction" and entry.data["of"] == of) for entry in newer):
        raise IllegalMove(
            "this was corrected meanwhile, or something was undone; close this, look what counts now, and do it again "
            "if you mean it"
        )


def nothing_falls_since(dropped: Iterable[int], seen: int) -> None:
    """Raises IllegalMove where what was done since would fall away: whoever accepts a difference has not seen that."""
    if any(number > seen for number in dropped):
        raise IllegalMove(
            "what was done meanwhile would fall away by this; close this, look what would change now, and do it again "
            "if you mean it"
        )


def proposal(entries: Iterable[Entry], told: Mapping[str, Any], seat: str | None, by: str) -> tuple[str, Json]:
    """An amendment as the journal keeps it: an undo, or a correction. Raises IllegalMove.

    told: of, and either undo, or facts of a shot, or type and data of what was really done.
    """
    of = told.get("of")
    if not isinstance(of, int) or isinstance(of, bool):
        raise MalformedAction("of: found {of!r}, expected the number of an entry", of=of)
    one = _named(entries, of)
    _own(one, seat)
    if told.get("undo"):
        return "undo", {"undoes": of, "what": one.counts.type, "by": by}
    body = {"of": of, "by": by, "game": one.after.game}
    if one.counts.type in SHOTS:
        error = GAMES[CAMERA_GAME].legal(one.before.state, Action("correction", {"of": of, "facts": told.get("facts")}))
        if error is not None:
            raise error
        return "correction", {**body, "facts": told["facts"]}
    return "correction", {**body, **({"seat": seat} if seat else {}), "facts": _retold(one, told)}


def _retold(one: Step, told: Mapping[str, Any]) -> Json:
    type, data = told.get("type"), told.get("data")
    if not isinstance(type, str) or not isinstance(data, Mapping):
        raise MalformedAction("a correction says what was done: type and data, as in the seat's moves")
    wrong = next((name for name in OWN if name in data), None)
    if wrong is not None:
        raise MalformedAction("{type}: {wrong} is not told with a correction", type=type, wrong=wrong)
    game, before = GAMES[str(one.after.game)], Action(one.counts.type, one.counts.data)
    if not game.reveals(Action(type, data)) <= game.reveals(before):
        raise IllegalMove(
            "{type} shows something hidden, and cannot be unseen; undo this entry and play it anew", type=type
        )
    return {"type": type, "data": dict(data)}


def difference(entries: Iterable[Entry], item: tuple[str, Json], seat: str | None) -> Json:
    """What an amendment would change, as this seat may see it: views, changed values, log lines, and what falls away.

    Raises IllegalMove where what it says would not have been legal there.
    """
    entries = list(entries)
    last = entries[-1].id
    type, told = item
    of = int(told["undoes"] if type == "undo" else told["of"])
    now, then = steps(entries), steps([*entries, Entry(last + 1, type, entries[-1].time, told)])
    kept = {s.written.id for s in now if s.kept}
    keeps = {s.written.id for s in then if s.kept}
    if type == "correction" and of not in keeps:
        raise IllegalMove(
            "{type} would not have been legal there", type=told["facts"].get("type", Text("that shot", "ce coup"))
        )
    game = GAMES[str(now[-1].after.game)]
    before, after = (game.seen_by(s[-1].after.state, seat) for s in (now, then))
    dropped = sorted(kept - keeps - {of})
    lines = {s.written.id: s for s in now}
    return {
        "before": before,
        "after": after,
        "dropped": dropped,
        "dropped_lines": [_words(lines[n]) for n in dropped if n in lines and _amendable(lines[n])],
        "changes": changes(before, after),
        "lines": new_lines(before["log"], after["log"]),
    }


def _words(one: Step) -> Json:
    """An entry in the log's words, or by its type where the log says nothing of it."""
    for line in one.after.state.log:
        told = line.to_json()
        if told["id"] == one.written.id:
            return {"id": one.written.id, "en": told["en"], "fr": told["fr"]}
    return {"id": one.written.id, "en": one.counts.type, "fr": one.counts.type}


def new_lines(before: list[Json], after: list[Json]) -> Json:
    """The log's lines that go, and those that come."""
    old, new = ({(line["id"], line["en"]): line for line in log} for log in (before, after))
    return {
        "gone": [line for key, line in old.items() if key not in new],
        "new": [line for key, line in new.items() if key not in old],
    }


def changes(before: Any, after: Any) -> list[Json]:
    """The values that differ, by where they stand in a view; a player's things are named by the player."""
    found: list[Json] = []
    _compare(before, after, (), found)
    return found[:MOST_CHANGES]


def _compare(before: Any, after: Any, where: tuple[str, ...], found: list[Json]) -> None:
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping) and not (_whole(before) or _whole(after)):
        for name in dict.fromkeys((*before, *after)):
            if name not in SILENT:
                _compare(before.get(name), after.get(name), (*where, str(name)), found)
    elif _keyed(before) and _keyed(after):
        old, new = ({str(item["team"]): item for item in side} for side in (before, after))
        for name in dict.fromkeys((*old, *new)):
            _compare(old.get(name), new.get(name), (*where, name), found)
    elif _things(before) == _things(after) != []:
        for name, old, new in zip(_things(before), before, after, strict=True):
            _compare(old, new, (*where, name), found)
    elif _short(before) != _short(after):  # else nobody could tell them apart
        found.append({"where": ".".join(where), "before": _short(before), "after": _short(after)})


def _keyed(value: Any) -> bool:
    """Whether a value is the list of players, which is told by their seats."""
    if not isinstance(value, list) or not value or not all(isinstance(v, Mapping) and "name" in v for v in value):
        return False
    teams = {v.get("team") for v in value}
    return None not in teams and len(teams) == len(value)


def _whole(value: Mapping[str, Any]) -> bool:
    """Whether a value is told as one: a card, or a text in two languages."""
    return isinstance(value.get("card"), str) or _told(value)


def _told(value: Mapping[str, Any]) -> bool:
    return value.keys() == {"en", "fr"}


def _things(value: Any) -> list[str]:
    """The names of things that lie in a row, where each has its own; else none."""
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        return []
    names = [str(_name(item)) for item in value]
    return names if len(set(names)) == len(names) else []


def _short(value: Any) -> Any:
    """A value that fits into a line: things by their names, and how many there are where they have none."""
    if isinstance(value, list | tuple):
        names = [_name(item) for item in value]
        return ", ".join(map(str, names)) if None not in names else len(value)
    if not isinstance(value, Mapping):
        return value
    return dict(value) if _told(value) else _name(value) or len(value)


def _name(item: Any) -> str | None:
    """What a view calls a thing: a pawn, card, counter, piece or city; itself where it is a word or number."""
    if isinstance(item, str | int | float):
        return str(item)
    if isinstance(item, Mapping):
        return next((str(item[k]) for k in NAMES if isinstance(item.get(k), str)), None)
    return None
