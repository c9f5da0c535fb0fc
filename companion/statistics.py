"""What the journal's shots add up to: rests and ways on the board, touches, speeds, doors, and points over time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

from companion.clock_jumps import jumped_by
from companion.games import GAMES
from companion.games.base import Json
from companion.journal import Entry
from companion.scoreboard import Amendments, Score, step

MOVED_MM = 3.0  # less is a nudge or the camera's noise
SHORTEST_S = 0.03  # a way that took less says nothing of a speed
MOST = 4000  # places and ways of one answer: enough for an evening, small enough for a phone
TALLIED = ("shots", "touches", "doors", "exits")


@dataclass(slots=True)
class Tally:
    """One match while its entries are read."""

    number: int
    entry: Entry
    jumped_s: float = 0.0  # what the time of day had jumped by when it began
    points: list[Json] = field(default_factory=list)
    rests: list[list[Any]] = field(default_factory=list)
    ways: list[Json] = field(default_factory=list)
    touches: list[list[float]] = field(default_factory=list)
    speeds: list[Json] = field(default_factory=list)
    pucks: dict[str, Counter[str]] = field(default_factory=dict)
    winner: str | None = None

    def to_json(self) -> Json:
        """The match as pages draw it."""
        return {
            "match": self.number,
            "entry": self.entry.id,
            "game": self.entry.data["game"],
            "begun": self.entry.time,
            "players": self.entry.data.get("players") or {},
            "winner": self.winner,
            "points": self.points,
            "rests": self.rests[-MOST:],
            "ways": self.ways[-MOST:],
            "touches": self.touches[-MOST:],
            "speeds": self.speeds[-MOST:],
            "pucks": {name: {kind: count[kind] for kind in TALLIED} for name, count in sorted(self.pucks.items())},
        }


def matches(entries: Iterable[Entry]) -> list[Json]:
    """Every match of the journal with its statistics, the oldest first; as corrected, without what was undone."""
    return Statistics().of(list(entries))


class Statistics:
    """The statistics of a journal that grows: only what has come is added, unless it says that something earlier counts
    otherwise."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._count = 0
        self._last: Entry | None = None  # of the entries that were taken in
        self._amendments, self._score, self._jumped_s = Amendments(), Score(), 0.0
        self._found: dict[int, Tally] = {}

    def of(self, entries: Sequence[Entry]) -> list[Json]:
        """As matches(). entries: the whole journal."""
        if self._last is not None and entries[self._count - 1 : self._count] != [self._last]:
            self._begin()  # it is another journal
        new = entries[self._count :]
        touched = [n for entry in new if (n := self._amendments.add(entry)) is not None]
        if self._last is not None and min(touched, default=math.inf) <= self._last.id:
            self._begin()
            return self.of(entries)
        for amended in filter(None, map(self._amendments.amended, new)):
            self._add(amended)
        if new:
            self._count, self._last = len(entries), new[-1]
        return [tally.to_json() for tally in self._found.values()]

    def _add(self, entry: Entry) -> None:
        self._jumped_s += jumped_by(entry) or 0.0
        before, score = self._score, step(self._score, entry)
        self._score = score
        if entry.type == "match_started":
            self._found[entry.id] = Tally(score.matches, entry, self._jumped_s)
        elif score.match_id in self._found and score.state is not before.state:
            tally = self._found[score.match_id]
            _take(tally, score, entry, self._jumped_s - tally.jumped_s)


def _take(tally: Tally, score: Score, entry: Entry, jumped_s: float) -> None:
    """Takes in an entry of the match. jumped_s: what the time of day has jumped by since it began."""
    view = GAMES[str(score.game)].view(score.state)
    points = {p["team"]: p["points"] for p in view["players"] if isinstance(p.get("points"), int)}
    if points and (not tally.points or tally.points[-1]["points"] != points):
        before = tally.points[-1]["minutes"] if tally.points else 0.0  # a clock set back meanwhile takes no time away
        minutes = max(_minutes(tally.entry, entry, jumped_s), before)
        tally.points.append({"minutes": minutes, "points": points})
    tally.winner = view["winner"]
    if entry.type == "shot":
        _take_shot(tally, entry.data)
        _count(tally.pucks, next((r["facts"] for r in view.get("ruled", ()) if r["id"] == entry.id), None))


def _minutes(first: Entry, last: Entry, jumped_s: float) -> float:
    seconds = (datetime.fromisoformat(last.time) - datetime.fromisoformat(first.time)).total_seconds()
    return round((seconds - jumped_s) / 60, 2)


def _take_shot(tally: Tally, shot: Mapping[str, Any]) -> None:
    """Where pucks came to rest, by which way, where they touched, and how fast the flicked one was."""
    before = {p["puck"]: p for p in shot["before"]}
    after = {p["puck"]: p for p in shot["after"]}
    tally.touches += [[t["x_mm"], t["y_mm"]] for t in shot["touches"]]
    for name, puck in before.items():
        way = way_of(name, puck, after.get(name), shot["touches"])
        if way_mm(way) < MOVED_MM:
            continue
        tally.ways.append({"team": puck["team"], "points": way})
        if name in after:
            tally.rests.append([after[name]["x_mm"], after[name]["y_mm"], puck["team"]])
    speed = speed_mm_s(shot)
    if speed is not None:
        tally.speeds.append({"team": before[shot["flicked"]]["team"], "mm_s": round(speed)})


def shot_map(entries: Iterable[Entry], of: int) -> Json:
    """One shot as it is drawn beside its film: ways, touches and doors by the camera, the rulings, and whether players
    told it otherwise. Without ways where no camera saw the entry."""
    entries = list(entries)
    amendments = Amendments()
    for entry in entries:
        amendments.add(entry)
    about = [e for e in entries if e.data.get("of") == of and amendments.amended(e) is not None]
    shot = next((e.data for e in entries if e.id == of and e.type == "shot"), None)
    return {
        "ways": _ways(shot) if shot is not None else [],
        "touches": [[t["x_mm"], t["y_mm"], round(t["t"] - shot["t_start"], 3)] for t in shot["touches"]]
        if shot
        else [],
        "doors": [d["door"] for d in shot["doors_in"]] if shot else [],
        "speed_mm_s": speed_mm_s(shot) if shot else None,
        "lines": next((e.data["lines"] for e in about if e.type == "ruling"), []),
        "corrected": any(e.type == "correction" for e in about),
    }


def _ways(shot: Mapping[str, Any]) -> list[Json]:
    after = {p["puck"]: p for p in shot["after"]}
    ways = [
        {"puck": p["puck"], "team": p["team"], "number": p["number"], "flicked": p["puck"] == shot["flicked"],
         "points": way_of(p["puck"], p, after.get(p["puck"]), shot["touches"]), "rests": p["puck"] in after}
        for p in shot["before"]
    ]  # fmt: skip
    return [way for way in ways if way_mm(way["points"]) >= MOVED_MM]


def way_of(
    name: str, puck: Mapping[str, Any], rest: Mapping[str, Any] | None, touches: Iterable[Mapping[str, Any]]
) -> list[list[float]]:
    """Start, touches in the order of time, rest: [x, y] in mm. Over the rim, the last touch is the end."""
    met = [[t["x_mm"], t["y_mm"]] for t in touches if name in (t["puck"], t["other"])]
    end = [[rest["x_mm"], rest["y_mm"]]] if rest is not None else []
    return [[puck["x_mm"], puck["y_mm"]], *met, *end]


def way_mm(way: Iterable[Iterable[float]]) -> float:
    """The length of a way."""
    places = [tuple(p) for p in way]
    return sum(math.dist(a, b) for a, b in pairwise(places))


def speed_mm_s(shot: Mapping[str, Any]) -> float | None:
    """The flicked puck's speed: the mean until its first touch; without one, twice the mean of its way, as a puck on
    wood loses speed evenly. None where the times say nothing."""
    start = next((p for p in shot["before"] if p["puck"] == shot["flicked"]), None)
    if start is None:
        return None
    here = (start["x_mm"], start["y_mm"])
    first = next((t for t in shot["touches"] if shot["flicked"] in (t["puck"], t["other"])), None)
    if first is not None:
        took_s = first["t"] - shot["t_start"]
        return float(math.dist(here, (first["x_mm"], first["y_mm"])) / took_s) if took_s > SHORTEST_S else None
    rest = next((p for p in shot["after"] if p["puck"] == shot["flicked"]), None)
    took_s = shot["t_end"] - shot["t_start"]
    if rest is None or took_s <= SHORTEST_S:
        return None
    return float(2 * math.dist(here, (rest["x_mm"], rest["y_mm"])) / took_s)


def _count(pucks: dict[str, Counter[str]], facts: Mapping[str, Any] | None) -> None:
    if facts is None:
        return
    count = pucks.setdefault(str(facts["flicked"]), Counter())
    count["shots"] += 1
    count["touches"] += len(facts["touched"])
    count["doors"] += sum(1 for d in facts["doors"] if d["puck"] == facts["flicked"])
    count["exits"] += sum(1 for e in facts["exits"] if e == facts["flicked"])
