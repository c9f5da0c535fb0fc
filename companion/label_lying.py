"""Where every puck of a film lay at every moment, as the tracker has it."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from companion.label_seen import Seen, SeenShot

Json = dict[str, Any]
Place = tuple[float, float]
SAME_MM = 15.0  # one that lies further off is another puck, or was moved unseen


class Lying:
    """Places by name. names: of the tracker's ids."""

    def __init__(self, seen: Seen, names: Mapping[str, str]) -> None:
        self._seen, self._names = seen, names
        self._since: dict[str, list[tuple[float, Place | None]]] = {}
        told = [e for s in seen.shots for e in (s.start, s.end)] + seen.hands(0.0, seen.seconds + 1)
        for event in sorted(told, key=lambda e: float(e["t"])):
            self._take(event)

    def _take(self, event: Json) -> None:
        t = float(event["t"])
        if "pucks" not in event:
            place = None if event["type"] == "puck_removed" else (event["x_mm"], event["y_mm"])
            if event["type"] == "puck_removed":
                self._note(event["puck"], 0.0, (event["x_mm"], event["y_mm"]), only_first=True)
            self._note(event["puck"], t, place)
            return
        listed = {p["puck"]: (p["x_mm"], p["y_mm"]) for p in event["pucks"]}
        for puck, place in listed.items():
            self._note(puck, 0.0 if event["type"] == "shot_started" else t, place, only_first=True)
            self._note(puck, t, place)
        if event["type"] == "shot_ended":
            for puck in self._since.keys() - {self._names[p] for p in listed}:
                if self._since[puck][-1][1] is not None:
                    self._since[puck].append((t, None))

    def _note(self, puck: str, t: float, place: Place | None, only_first: bool = False) -> None:
        known = self._since.setdefault(self._names[puck], [])
        if not (only_first and known) and (not known or known[-1][1] != place):
            known.append((t, place))

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
        handled = {self._names[e["puck"]] for e in self._seen.hands(shot.t, later.t)}
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

    def next_change(self, t: float) -> float:
        """The next moment after t at which another shot began, or the film's end: until then all lay as it came to."""
        return min((s.t for s in self._seen.shots if s.t > t), default=self._seen.seconds)

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
