"""What players said of shots during a match, taken as answers: corrections, and what they answered to the referee."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.label_answers import Answers, Item
from companion.label_facts import Facts, facts_seen, without
from companion.label_passages import nameless
from companion.label_seen import Seen, SeenShot
from companion.recorded import SAID, clip_times, whole_lines

Json = dict[str, Any]
AS_SEEN, NO_SHOT = "as_seen", "ignore"
STAYED_MM = 1.0  # a puck that lies less far off than that has not moved: scorers take it so too
REVIEW = "review:shot"  # the question whether the camera saw a shot rightly


def take_verdicts(folder: Path, seen: Seen, names: Mapping[str, str], answers: Answers) -> int:
    """Takes what was said in the match of shots of which nothing is said yet; gives how many.

    A verdict that names a puck that the film does not show at that shot, or whose number nobody read in it, is asked
    for anew instead.
    """
    times, taken = clip_times(folder), 0
    for t, said, facts in verdicts(read_said(folder / SAID)):
        clip_s = in_film(t, times, seen.fps)
        shot = min(seen.shots, key=lambda s: abs(s.t - clip_s), default=None) if clip_s is not None else None
        if shot is None or clip_s is None or abs(shot.t - clip_s) > 0.5:
            continue
        item = Item("shot", shot.t)
        if facts is not None and said == "otherwise":
            facts = with_unasked(facts, facts_seen(shot, names))
        if answers.about(item) is None and (facts is None or facts.named() <= known_at(shot, seen, names, answers)):
            answers.add("shot", shot.t, said, by="match", **({} if facts is None else {"facts": facts.to_json()}))
            taken += 1
    return taken


def known_at(shot: SeenShot, seen: Seen, names: Mapping[str, str], answers: Answers) -> set[str]:
    """The pucks that the film shows at a shot, and whose numbers are known."""
    here = {names[p["puck"]] for e in (shot.start, shot.end) for p in e["pucks"]}
    return {name for name in here if not nameless(seen, name, answers)}


def with_unasked(told: Facts, seen: Facts) -> Facts:
    """What a match does not ask about a shot stays as the film has it, as it does where it is told over the film."""
    passed = tuple(p for p in seen.passed if p not in told.on_gate)
    return replace(told, others=without(seen, told.flicked).others, passed=passed, pushed=told.pushed or seen.pushed)


def verdicts(entries: Sequence[Json]) -> Iterator[tuple[float, str, Facts | None]]:
    """When a shot began (source's seconds), what was said of it, and its facts; of several words the last counts."""
    shots = {e["id"]: e["data"] for e in entries if e["type"] == "shot"}
    undone = {e["data"].get("undoes") for e in entries if e["type"] == "undo"} - shots.keys()
    last: dict[int, tuple[str, Facts | None]] = {}
    for entry in (e for e in entries if e["id"] not in undone and e["type"] in ("correction", "answer")):
        data = entry["data"]
        of, word = _about(data)
        if of not in shots or data.get("of") in undone:
            continue
        last.pop(of, None)
        if word == AS_SEEN:
            facts = _facts_of_account(shots[of])
            if facts is not None:
                last[of] = ("right", facts)
        elif word == NO_SHOT:
            last[of] = ("no shot", None)
        elif isinstance(word, Mapping) and word.get("flicked"):
            last[of] = ("otherwise", facts_told(word))
    yield from ((float(shots[of]["t_start"]), said, facts) for of, (said, facts) in sorted(last.items()))


def _about(data: Mapping[str, Any]) -> tuple[int, Any]:
    """Which shot's entry a correction or an answer is about, and its word; an answer may be told otherwise, too."""
    facts = data.get("facts")
    if isinstance(facts, Mapping) and facts.get("type") == "answer":
        data = facts["data"]
    elif "of" in data:
        return int(data["of"]), facts
    entry, _, slot = str(data.get("question", "")).partition(":")
    return (int(entry), data.get("choice")) if slot == REVIEW and entry.isdecimal() else (-1, None)


def facts_told(told: Mapping[str, Any]) -> Facts:
    """A shot in the words of a match."""
    doors = [(d["puck"], d["door"]) if isinstance(d, Mapping) else tuple(d) for d in told.get("doors", ())]
    return Facts(
        told["flicked"], tuple(told.get("touched", ())), (), tuple((p, d) for p, d in doors),
        tuple(told.get("exits", ())), tuple(told.get("on_gate", ())), (), "pushed" in told.get("fouls", ()),
    )  # fmt: skip


def _facts_of_account(account: Json) -> Facts | None:
    """The camera's account that players agreed to; None where a number that it takes was not read.

    Of what lies on the gate only what came to rest there in this shot is told, as over the film.
    """
    look = {p["puck"]: p for p in (*account["before"], *account["after"])}
    name = {i: f"{p['team']}-{p['number']}" for i, p in look.items() if p["number"] is not None}
    lay = {p["puck"]: (p["x_mm"], p["y_mm"]) for p in account["before"]}
    lies = {p["puck"]: (p["x_mm"], p["y_mm"]) for p in account["after"]}
    came = [p for p in account["on_gate"] if p not in lay or p not in lies or math.dist(lay[p], lies[p]) > STAYED_MM]
    flicked = account["flicked"]
    try:
        pairs = [(c["puck"], c["other"]) for c in account["touches"]]
        touched = [b if a == flicked else a for a, b in pairs if flicked in (a, b)]
        others = tuple((name[a], name[b]) for a, b in pairs if flicked not in (a, b))
        return Facts(
            name[flicked], tuple(name[p] for p in touched), others,
            tuple((name[d["puck"]], d["door"]) for d in account["doors_in"]),
            tuple(name[e["puck"]] for e in account["exits"]), tuple(name[p] for p in came),
            tuple(name[e["puck"]] for e in account["passed"]), bool(account["pushed"]),
        )  # fmt: skip
    except KeyError:
        return None


def in_film(t: float, times: Sequence[float], fps: float) -> float | None:
    """A moment of the source in the film's seconds; None where the film was not running."""
    if not times or not times[0] <= t <= times[-1]:
        return None
    return float(np.interp(t, times, (np.arange(len(times)) + 0.5) / fps))


def read_said(path: Path) -> list[Json]:
    """The entries that a match has left; the last line may be cut short."""
    return [entry for entry in whole_lines(path) if {"id", "type", "data"} <= entry.keys()]
