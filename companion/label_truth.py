"""The truth of a recording, in the form that scorers read: what players said, with places and times as measured.

Who was flicked, who was touched and in what order, doors, exits and the gate are the players' word. Places, times and
slides are the tracker's own measures: good enough to tell which puck is meant, and no independent check of accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from typing import Any

import numpy as np

from calibration.board import Board
from companion.label_answers import Answers, Item, decided, happened
from companion.label_facts import Facts
from companion.label_lying import Lying
from companion.label_seen import HANDS, Seen, SeenShot
from vision.virtual_table.crossings import gate_depth_mm, shot_facts
from vision.virtual_table.truth import SETTLE_S, doubt_to_json, plain

Json = dict[str, Any]
Place = tuple[float, float]
FINE_S = 0.002  # steps in which ways are walked for doors
MADE = {
    "by": "paleo label",
    "facts": "confirmed or told by players who looked at the film",
    "measures": "places, times, slides, reefs, positions and cameras are the tracker's own, and no independent check",
}


@dataclass(frozen=True, slots=True)
class Told:
    """A shot that players told. seen: None where the tracker missed it."""

    seen: SeenShot | None
    t: float
    facts: Facts


def truth_of(seen: Seen, names: Mapping[str, str], answers: Answers, first: int = 0, last: int | None = None) -> Json:
    """The truth of the pictures first..last of a film (by default all), its times counted from the first."""
    last = seen.frames - 1 if last is None else last
    begin_s, end_s = first / seen.fps, (last + 1) / seen.fps
    shots = [s for s in shots_told(seen, names, answers) if begin_s <= s["t_start"] < end_s]
    hands = [e for e in seen.hands(begin_s, end_s) if happened(seen, answers, e)]
    facts = [f for _, t, f in decided(seen, answers) if f is not None and begin_s <= t < end_s]
    named = {p for one in facts for p in one.named()} | {names[e["puck"]] for e in hands}
    knocks = [e["t"] - begin_s for e in seen.knocks(begin_s, end_s) if happened(seen, answers, e)]
    body: Json = {
        "format": 1, "tier": "played", "fps": plain(seen.fps), "size": list(seen.size), "board": seen.board.name,
        "shots": [{**_shifted(s, begin_s), "shot": n} for n, s in enumerate(shots, 1)],
        "hand": [_deed(e, names, begin_s) for e in hands],
        "reefs": _reefs(seen, answers.about(Item("reefs", 0.0))),
        "positions": Lying(seen, names, answers).positions(first, last),
        "frames": last + 1 - first,
        "pucks": {name: {**puck, "confirmed": name in named}
                  for name, puck in _pucks(seen, names, answers.numbers()).items()},
        "camera_bump": round(min(knocks), 4) if knocks else None,
        "cameras": _cameras(seen, begin_s, end_s),
        "made": {**MADE, "version": version("paleo-companion")},
    }  # fmt: skip
    return body


def shots_told(seen: Seen, names: Mapping[str, str], answers: Answers) -> list[Json]:
    """Every shot that players told, its times counted from the film's first picture; some may not be sound."""
    lying = Lying(seen, names, answers)
    told = [Told(s, t, f) for s, t, f in decided(seen, answers) if f is not None]
    return [_shot(n, one, seen, names, lying) for n, one in enumerate(told, 1)]


def _places(told: Told, lying: Lying, rest_s: float) -> tuple[dict[str, Place], dict[str, Place]]:
    """Where pucks lay before and after a shot. One that was hidden as it began lay where it was seen before; one of
    which nothing is known from before is not told after it either."""
    lay = lying.at(told.t)
    if told.seen is None:
        start, end = lay, lying.at(rest_s)
    else:
        start, end = lying.listed(told.seen.start), lying.after(told.seen)
        hidden = (end.keys() | told.facts.named()) - start.keys()
        start |= {k: lay[k] for k in hidden if k in lay}
    return start, {k: p for k, p in end.items() if k in start and k not in told.facts.exits}


def _shot(n: int, told: Told, seen: Seen, names: Mapping[str, str], lying: Lying) -> Json:
    shot, facts = told.seen, told.facts
    rest_s = shot.t_rest if shot is not None else lying.rest_s(told.t)
    start, end = _places(told, lying, rest_s)
    ways = _ways(shot, names)
    moments = _Moments(shot, names, told.t, rest_s)
    exits = [{"t": moments.of("left_board", p), "puck": p} for p in facts.exits]
    stays = _lay_on_gate(shot, seen, names, start, end).difference(ways, facts.passed)
    doubts = shot_facts(seen.board, ways, {p: moments.of("left_board", p) for p in facts.exits}, end).doubts
    return {
        "shot": n, "want": "played", "puck": facts.flicked, "t_start": round(told.t, 4),
        "t_end": round(rest_s + SETTLE_S, 4), "t_rest": round(rest_s, 4),
        "speed": shot.speed_mm_s if shot is not None else None,
        "start": start, "end": end,
        "on_gate": list(dict.fromkeys([*sorted(stays), *facts.on_gate])),
        "contacts": _contacts(facts, moments, start, {**end, **_over_the_edge(facts, start, seen.board)}, ways),
        "crossings": [c for p, door in facts.doors for c in moments.crossings(p, door)],
        "exits": exits,
        "gate_passed": [{"t": moments.of("gate_passed", p), "puck": p} for p in facts.passed],
        "doubtful": [doubt_to_json(d) for d in doubts],
        "pushed": facts.pushed, "seen": shot is not None,
    }  # fmt: skip


def _lay_on_gate(
    shot: SeenShot | None, seen: Seen, names: Mapping[str, str], start: Mapping[str, Place], end: Mapping[str, Place]
) -> set[str]:
    """The pucks on the gate after a shot that lay on the board before it, as the tracker has them."""
    if shot is not None:
        return {names[i] for i in shot.end["on_gate"]} & end.keys()
    return {p for p in end if min(gate_depth_mm(seen.board, *place) for place in (start[p], end[p])) >= 0}


class _Moments:
    """When things happened in a shot: as the tracker has it, and for what it missed a moment that keeps the order."""

    def __init__(self, shot: SeenShot | None, names: Mapping[str, str], start_s: float, rest_s: float) -> None:
        self._shot, self._names, self.start_s, self.rest_s = shot, names, start_s, rest_s

    def _events(self, type: str) -> list[Json]:
        return self._shot.of(type) if self._shot is not None else []

    def of(self, type: str, puck: str) -> float:
        """When a puck did something."""
        return next((float(e["t"]) for e in self._events(type) if self._names[e["puck"]] == puck), self.rest_s)

    def touch(self, a: str, b: str) -> Json | None:
        """The first touch of two pucks that the tracker told."""
        told = self._events("contact")
        return next((e for e in told if {self._names[e["puck"]], self._names[e["other"]]} == {a, b}), None)

    def crossings(self, puck: str, door: str) -> list[Json]:
        """Every time that a puck went through a door; once, at rest, where the tracker told none."""
        mine = [e for e in self._events("door_crossed") if self._names[e["puck"]] == puck and e["door"] == door]
        seen = [{"t": e["t"], "puck": puck, "door": door, "direction": e["direction"]} for e in mine]
        return seen or [{"t": round(self.rest_s, 4), "puck": puck, "door": door, "direction": "in"}]


def _contacts(
    facts: Facts, moments: _Moments, start: Mapping[str, Place], end: Mapping[str, Place], ways: Mapping[str, Any]
) -> list[Json]:
    """The touches that players told, in the order of time; how far each moved the puck that was struck: see _slide."""
    direct = [(facts.flicked, other) for other in facts.touched]
    times = _in_order([t["t"] if (t := moments.touch(*pair)) else None for pair in direct], moments)
    touches = [
        _contact(t, a, b, moments, start, _slide(b, start, end, ways)) for t, (a, b) in zip(times, direct, strict=True)
    ]
    for a, b in facts.others:
        seen = moments.touch(a, b)
        touches.append(
            _contact(seen["t"] if seen else moments.rest_s, a, b, moments, start, _slide(b, start, end, ways))
        )
    return sorted(touches, key=lambda c: float(c["t"]))


def _in_order(seen: Sequence[float | None], moments: _Moments) -> list[float]:
    """Times for touches in the order in which they were told: the tracker's own, and for those it missed between."""
    known = iter(sorted(t for t in seen if t is not None))
    times = [None if t is None else next(known) for t in seen]
    out: list[float] = []
    for n, t in enumerate(times):
        if t is None:
            before = out[-1] if out else moments.start_s
            later = next((x for x in times[n + 1 :] if x is not None), moments.rest_s)
            t = (before + later) / 2
        out.append(t)
    return out


def _contact(t: float, a: str, b: str, moments: _Moments, start: Mapping[str, Place], slide_mm: float) -> Json:
    seen = moments.touch(a, b)
    at = (seen["x_mm"], seen["y_mm"]) if seen else start.get(b, (None, None))
    return {"t": round(t, 4), "a": a, "b": b, "slide": round(slide_mm, 2), "at": list(at), "seen": seen is not None}


def _over_the_edge(facts: Facts, start: Mapping[str, Place], board: Board) -> dict[str, Place]:
    """The nearest place on the border for each puck that left the board: it slid so far at least."""
    (w, h), over = board.size, {}
    for puck in (p for p in facts.exits if p in start):
        x, y = start[puck]
        over[puck] = min((0.0, y), (w, y), (x, 0.0), (x, h), key=lambda edge: math.dist(edge, (x, y)))
    return over


def _slide(puck: str, start: Mapping[str, Place], end: Mapping[str, Place], ways: Mapping[str, Any]) -> float:
    """How far a touched puck slid on its way, mm."""
    lay = [place for place in (start.get(puck), end.get(puck)) if place is not None]
    places = [(x, y) for _, x, y, _ in ways[puck]] if puck in ways else lay
    return math.fsum(math.dist(p, q) for p, q in pairwise(places))


def _ways(shot: SeenShot | None, names: Mapping[str, str]) -> dict[str, list[tuple[float, float, float, float]]]:
    """The ways of the pucks that moved, in small steps: time s, x mm, y mm, turn rad."""
    out = {}
    for puck, knots in shot.paths.items() if shot is not None else ():
        t, x, y = np.array(knots, dtype=np.float64).T
        fine = np.union1d(np.arange(t[0], t[-1], FINE_S), t)
        walked = zip(fine, np.interp(fine, t, x), np.interp(fine, t, y), strict=True)
        out[names[puck]] = [(float(when), float(east), float(south), 0.0) for when, east, south in walked]
    return out


def _shifted(shot: Json, by_s: float) -> Json:
    """A shot with its times counted from another moment."""
    moved = {k: round(shot[k] - by_s, 4) for k in ("t_start", "t_end", "t_rest")}
    lists = {k: [{**e, "t": round(e["t"] - by_s, 4)} for e in shot[k]]
             for k in ("contacts", "crossings", "exits", "gate_passed")}  # fmt: skip
    return {**shot, **moved, **lists}


def _deed(event: Json, names: Mapping[str, str], begin_s: float) -> Json:
    return {"t": round(event["t"] - begin_s, 4), HANDS[event["type"]]: names[event["puck"]],
            "at": [event["x_mm"], event["y_mm"]]}  # fmt: skip


def _pucks(seen: Seen, names: Mapping[str, str], told: Mapping[str, int | None]) -> dict[str, Json]:
    """Teams and numbers; told: numbers that players told of pucks whose own was never read."""
    out: dict[str, Json] = {}
    for puck in seen.pucks():
        name = names[puck["puck"]]
        label = name.rpartition("-")[2]
        out[name] = {"team": puck["team"], "number": int(label) if label.isdecimal() else told.get(name)}
    return out


def _reefs(seen: Seen, answer: Json | None) -> list[Json]:
    """The reefs that players confirmed, as polygons whose second side is the long one."""
    shape = seen.board.reef
    if answer is None or shape is None:
        return []
    return [{"team": r["team"], "polygon": _polygon(r, shape.length_mm / 2, shape.width_mm / 2)}
            for r in answer.get("reefs", ())]  # fmt: skip


def _polygon(reef: Json, half_length: float, half_width: float) -> list[list[float]]:
    turn = math.radians(reef["angle_deg"])
    (ax, ay), (bx, by) = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
    corners = [(-half_length, half_width), (-half_length, -half_width), (half_length, -half_width),
               (half_length, half_width)]  # fmt: skip
    return [[round(reef["x_mm"] + u * ax + v * bx, 2), round(reef["y_mm"] + u * ay + v * by, 2)] for u, v in corners]


def _cameras(seen: Seen, begin_s: float, end_s: float) -> list[Json]:
    """The poses from a moment on, the first of them since that moment."""
    before = [c for c in seen.cameras if c["since"] <= begin_s][-1:]
    return [{**c, "since": round(max(0.0, c["since"] - begin_s), 4)}
            for c in (*before, *(c for c in seen.cameras if begin_s < c["since"] < end_s))]  # fmt: skip
