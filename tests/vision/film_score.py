"""A small scorer: which shots of a film were decided rightly, from the contract's words alone.

A shot is right when it names the flicked puck, the pucks that it touched itself and in which order, the doors that
pucks went in by, the pucks that left the board and those that moved and rest on the gate; and of each of these its
team, its number where one is read, and where it lies at the end. What a camera can hardly see counts either way.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]
Facts = dict[str, set[Any]]

SAME_SHOT_S = 0.5
SAME_PUCK_MM = 15.0
NAMING = ("contact", "door_crossed", "left_board")
SLIGHT_MM = 1.5  # a touch that slides the other puck less is hardly seen


def decided(truth: Json, events: Sequence[Json]) -> list[str]:
    """One word for each true shot (right, review, wrong, unseen), then `invented` for each shot that nobody played."""
    started = [e for e in events if e["type"] == "shot_started"]
    verdicts = []
    for shot in truth["shots"]:
        mine = next((s for s in started if abs(s["t"] - shot["t_start"]) < SAME_SHOT_S), None)
        if mine is None:
            verdicts.append("unseen")
            continue
        started.remove(mine)
        verdicts.append(_verdict(truth, shot, [e for e in events if e.get("shot") == mine["shot"]]))
    return verdicts + ["invented"] * len(started)


def _verdict(truth: Json, shot: Json, events: Sequence[Json]) -> str:
    started, ended = (next(e for e in events if e["type"] == type) for type in ("shot_started", "shot_ended"))
    if ended["needs_review"]:
        return "review"
    names = {p["puck"]: _nearest(p, shot["start"]) for p in started["pucks"]}
    must, may = _true_facts(shot)
    told = _told_facts(names, events, started, ended)
    right = all(must[k] <= told[k] <= must[k] | may[k] for k in must)
    right = right and _in_order(truth, shot, names, events, started) and _known(truth, shot, names, events, ended)
    return "right" if right else "wrong"


def _in_order(truth: Json, shot: Json, names: Mapping[str, str], events: Sequence[Json], started: Json) -> bool:
    """Whether the flicked puck's touches are told in their order, where they are more than a frame apart."""
    told: dict[str, float] = {}
    for c in sorted((e for e in events if e["type"] == "contact"), key=lambda e: float(e["t"])):
        if started["puck"] in (c["puck"], c["other"]):
            other = c["other"] if c["puck"] == started["puck"] else c["puck"]
            told.setdefault(names.get(other, other), c["t"])
    true: dict[str, float] = {}
    for c in shot["contacts"]:
        if shot["puck"] in (c["a"], c["b"]) and c["slide"] >= SLIGHT_MM:
            true.setdefault(c["b"] if c["a"] == shot["puck"] else c["a"], c["t"])
    times = sorted((t, told[key]) for key, t in true.items() if key in told)
    return all(a < b for (s, a), (t, b) in itertools.pairwise(times) if t - s > 1 / truth["fps"])


def _known(truth: Json, shot: Json, names: Mapping[str, str], events: Sequence[Json], ended: Json) -> bool:
    """Whether each puck that the verdict names bears its team and no wrong number, and lies where it came to rest."""
    started = next(e for e in events if e["type"] == "shot_started")
    last = {p["puck"]: p for p in ended["pucks"]}
    looks = {p["puck"]: p for p in [*started["pucks"], *ended["pucks"]]}
    named = {started["puck"], *ended["on_gate"]}
    named |= {e[end] for e in events if e["type"] in NAMING for end in ("puck", "other") if end in e}
    for puck in named & names.keys() & looks.keys():
        true, seen = truth["pucks"].get(names[puck]), looks[puck]
        if true is None or seen.get("team") != true["team"] or seen.get("number") not in (None, true["number"]):
            return False
        lies = shot["end"].get(names[puck])
        there = last.get(puck)
        if lies is not None and (there is None or math.dist(lies, (there["x_mm"], there["y_mm"])) > SAME_PUCK_MM):
            return False
    return True


def _true_facts(shot: Json) -> tuple[Facts, Facts]:
    """What has to be told of a shot, and what may be told besides."""
    flicked = shot["puck"]
    slides: dict[str, float] = {}
    for c in shot["contacts"]:
        if flicked in (c["a"], c["b"]):
            other = c["b"] if c["a"] == flicked else c["a"]
            slides[other] = max(slides.get(other, 0.0), c["slide"])
    moved = {k for k, place in shot["end"].items() if math.dist(place, shot["start"][k]) > 1.0}
    near_doors = {(d["puck"], d["door"]) for d in shot["doubtful"] if "door" in d}
    near_gate = {d["puck"] for d in shot["doubtful"] if "gate" in d}
    doors = {(c["puck"], c["door"]) for c in shot["crossings"] if c["direction"] == "in"}
    must = {"flicked": {flicked}, "touched": {k for k, slide in slides.items() if slide >= SLIGHT_MM},
            "doors": doors - near_doors, "exits": {e["puck"] for e in shot["exits"]},
            "gate": (set(shot["on_gate"]) & moved) - near_gate}  # fmt: skip
    lay_there = set(shot["on_gate"]) - moved
    may: Facts = {"flicked": set(), "touched": set(slides), "doors": near_doors, "exits": set(),
                  "gate": near_gate | lay_there}  # fmt: skip
    return must, may


def _told_facts(names: Mapping[str, str], events: Sequence[Json], started: Json, ended: Json) -> Facts:
    """What the events tell, with the truth's names for the pucks."""
    flicked = started["puck"]
    pairs = [(c["puck"], c["other"]) for c in events if c["type"] == "contact"]
    return {
        "flicked": {names[flicked]},
        "touched": {names[b if a == flicked else a] for a, b in pairs if flicked in (a, b)},
        "doors": {
            (names[e["puck"]], e["door"]) for e in events if e["type"] == "door_crossed" and e["direction"] == "in"
        },
        "exits": {names[e["puck"]] for e in events if e["type"] == "left_board"},
        "gate": {names.get(i, i) for i in ended["on_gate"]},
    }


def _nearest(seen: Json, places: Mapping[str, Sequence[float]]) -> str:
    at = (seen["x_mm"], seen["y_mm"])
    away, key = min((math.dist(at, place), key) for key, place in places.items())
    return key if away < SAME_PUCK_MM else f"nobody's {seen['puck']}"


def rest_errors(truth: Json, events: Sequence[Json]) -> list[float]:
    """How far each puck told at the end of a shot lies from where it truly came to rest. Unit: mm."""
    errors = []
    for shot, ended in _ended_with(truth, events):
        names = {p["puck"]: _nearest(p, shot["end"]) for p in ended["pucks"]}
        places = {p["puck"]: (p["x_mm"], p["y_mm"]) for p in ended["pucks"]}
        errors += [math.dist(places[i], shot["end"][key]) for i, key in names.items() if key in shot["end"]]
    return errors


def touch_errors(truth: Json, events: Sequence[Json]) -> list[float]:
    """How far off the time is of each first touch of two pucks that truly touched and were told to. Unit: s."""
    errors = []
    for shot, told in _events_with(truth, events):
        names = {p["puck"]: _nearest(p, shot["start"]) for p in told[0]["pucks"]}
        seen: dict[frozenset[str], float] = {}
        for c in sorted((e for e in told if e["type"] == "contact"), key=lambda e: float(e["t"])):
            seen.setdefault(frozenset(names.get(c[end], c[end]) for end in ("puck", "other")), c["t"])
        true: dict[frozenset[str], float] = {}
        for c in shot["contacts"]:
            true.setdefault(frozenset((c["a"], c["b"])), c["t"])
        errors += [abs(seen[pair] - t) for pair, t in true.items() if pair in seen]
    return errors


def numbers_read(truth: Json, events: Sequence[Json]) -> list[str]:
    """right, wrong or unread for each puck told at the end of a shot that bears a number, or is said to."""
    words = []
    for shot, ended in _ended_with(truth, events):
        for puck in ended["pucks"]:
            key = _nearest(puck, shot["end"])
            if key in shot["end"]:
                number = puck.get("number")
                true = truth["pucks"][key]["number"]
                if true is not None or number is not None:
                    words.append("unread" if number is None else "right" if number == true else "wrong")
    return words


def _ended_with(truth: Json, events: Sequence[Json]) -> list[tuple[Json, Json]]:
    """Each true shot with the end of the shot that was told of it."""
    return [(shot, e) for shot, told in _events_with(truth, events) for e in told if e["type"] == "shot_ended"]


def _events_with(truth: Json, events: Sequence[Json]) -> list[tuple[Json, list[Json]]]:
    """Each true shot with all that was told of it, its start first; left out where nothing was."""
    pairs = []
    for shot in truth["shots"]:
        told = [e for e in events if e["type"] == "shot_started" and abs(e["t"] - shot["t_start"]) < SAME_SHOT_S]
        if told:
            mine = [e for e in events if e.get("shot") == told[0]["shot"] and e["type"] != "shot_started"]
            pairs.append((shot, [told[0], *mine]))
    return pairs
