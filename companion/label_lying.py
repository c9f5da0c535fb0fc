"""Where every puck of a film lay at every moment, as the tracker has it."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from companion.label_answers import Answers, happened
from companion.label_facts import Facts, facts_from_json
from companion.label_seen import Seen, SeenShot

Json = dict[str, Any]
Place = tuple[float, float]
SAME_MM = 15.0  # one that lies further off is another puck, or was moved unseen
UNSEEN_S = 1.0  # how long a shot is taken to last of which nothing was seen


class Lying:
    """Places by name. names: of the tracker's ids.

    What hands are told to have done moves pucks unless players say that it did not happen. Of a puck that a missed shot
    names, only what was seen of it before that shot tells where it lay before, and only what was seen after it, after.
    """

    def __init__(self, seen: Seen, names: Mapping[str, str], answers: Answers) -> None:
        self._seen, self._names = seen, names
        self._since: dict[str, list[tuple[float, Place | None]]] = {}
        self._first_seen: dict[str, float] = {}  # of those taken to have lain where they were first seen: when that was
        deeds = seen.hands(0.0, seen.seconds + 1)
        struck = [e for e in deeds if happened(seen, answers, e) is False]
        self._hands = [e for e in deeds if e not in struck]
        told = [e for s in seen.shots for e in (s.start, s.end)] + self._hands
        self._told = sorted(told, key=_when)
        for event in sorted([*told, *struck], key=_when):
            if event in struck:
                self._take_struck(event)
            else:
                self._take(event)
        missed = [(float(a["t"]), facts_from_json(a["facts"])) for a in answers.missed()]
        for n, (t, facts) in enumerate(missed):
            later = _first_named(missed[n + 1 :])
            for name in facts.named():
                self._take_missed(name, t, facts, later.get(name, self._seen.seconds))

    def _take(self, event: Json) -> None:
        t = float(event["t"])
        if "pucks" not in event:
            place = None if event["type"] == "puck_removed" else (event["x_mm"], event["y_mm"])
            if event["type"] == "puck_removed":
                self._note_first(event["puck"], t, (event["x_mm"], event["y_mm"]))
            self._note(event["puck"], t, place)
            return
        listed = {p["puck"]: (p["x_mm"], p["y_mm"]) for p in event["pucks"]}
        for puck, place in listed.items():
            if event["type"] == "shot_started":
                self._note_first(puck, t, place)
            self._note(puck, t, place)
        if event["type"] == "shot_ended":
            for puck in self._since.keys() - {self._names[p] for p in listed}:
                if self._since[puck][-1][1] is not None:
                    self._since[puck].append((t, None))

    def _take_struck(self, event: Json) -> None:
        """A deed that players say was none moves nothing; but what was lost from sight lay there, and what came into
        sight was not seen before."""
        if self._names[event["puck"]] not in self._since and event["type"] != "puck_moved":
            place = (event["x_mm"], event["y_mm"]) if event["type"] == "puck_removed" else None
            self._note(event["puck"], 0.0, place)

    def _note_first(self, puck: str, t: float, place: Place) -> None:
        """One that was not seen before has lain where it is seen first."""
        if self._names[puck] not in self._since:
            self._note(puck, 0.0, place)
            self._first_seen[self._names[puck]] = t

    def _note(self, puck: str, t: float, place: Place | None) -> None:
        known = self._since.setdefault(self._names[puck], [])
        if not known or known[-1][1] != place:
            known.append((t, place))

    def _take_missed(self, name: str, t: float, facts: Facts, next_s: float) -> None:
        """next_s: when the next missed shot begins that names the puck."""
        known = self._since.setdefault(name, [])
        if known and t < self._first_seen.get(name, 0.0):
            known[:1] = [(0.0, None), (self._first_seen.pop(name), known[0][1])]
        seen_s, place, lies = self._seen_next(name, t)
        after = place if seen_s <= next_s and name not in facts.exits else None
        notes = [(seen_s, place)] if lies else []
        for note in (*notes, (min(self.rest_s(t), seen_s), after)):
            known.insert(bisect.bisect_left([since for since, _ in known], note[0]), note)

    def _seen_next(self, name: str, t: float) -> tuple[float, Place | None, bool]:
        """When a puck was next looked at after t, where it lay until then if that is known, and whether it stays."""
        for event in (e for e in self._told if e["t"] > t):
            if "pucks" in event:
                place = self.listed(event).get(name)
                return float(event["t"]), place, place is not None
            if self._names[event["puck"]] == name:
                taken = event["type"] == "puck_removed"
                return float(event["t"]), (event["x_mm"], event["y_mm"]) if taken else None, False
        return self._seen.seconds, None, False

    def rest_s(self, t: float) -> float:
        """When a shot has come to rest that began at t, and of which nothing was seen."""
        return min(t + UNSEEN_S, *(s.t for s in self._seen.shots if s.t > t), self._seen.seconds)

    def listed(self, event: Json) -> dict[str, Place]:
        """The places of the pucks that an event lists."""
        return {self._names[p["puck"]]: (p["x_mm"], p["y_mm"]) for p in event["pucks"]}

    def after(self, shot: SeenShot) -> dict[str, Place]:
        """Where pucks lie after a shot, as they were looked at last: a puck that was nudged may be told where it lay,
        and only the next shot, with no hand on it between, tells where it lies."""
        places = self.listed(shot.end)
        later = next((s for s in self._seen.shots if s.t > shot.t), None)
        if later is None:
            return places
        handled = {self._names[e["puck"]] for e in self._hands if shot.t <= e["t"] < later.t}
        for name, place in self.listed(later.start).items():
            if name in places and name not in handled and math.dist(place, places[name]) < SAME_MM:
                places[name] = place
        return places

    def at(self, t: float) -> dict[str, Place]:
        """Where pucks lay at rest at a moment."""
        places = {}
        for name, known in self._since.items():
            n = bisect.bisect_right([since for since, _ in known], t) - 1
            place = known[n][1] if n >= 0 else None
            if place is not None:
                places[name] = place
        return places

    def positions(self, first: int, last: int) -> Json:
        """Every puck in the middle of every frame first..last, in tenths of a millimetre; None where not known."""
        keys = sorted(self._since)
        times = (np.arange(first, last + 1) + 0.5) / self._seen.fps
        rows: list[list[list[int] | None]] = []
        ways = [(s, {self._names[p]: np.array(w).T for p, w in s.paths.items()}) for s in self._seen.shots]
        for t in times:
            places = self.at(float(t))
            for shot, moving in ways:
                if shot.t <= t <= shot.t_rest:
                    for name, (when, x, y) in moving.items():
                        if when[0] <= t <= when[-1]:
                            places[name] = (float(np.interp(t, when, x)), float(np.interp(t, when, y)))
            rows.append([[round(p[0] * 10), round(p[1] * 10)] if (p := places.get(k)) else None for k in keys])
        return {"keys": keys, "mm10": rows}


def _when(event: Json) -> float:
    return float(event["t"])


def _first_named(missed: Sequence[tuple[float, Facts]]) -> dict[str, float]:
    """When each puck is first named by missed shots in order of time."""
    return {name: t for t, facts in reversed(missed) for name in facts.named()}
