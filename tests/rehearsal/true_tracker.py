"""A tracker that cannot err: it reads the virtual table's truth instead of its pictures."""

from __future__ import annotations

import math

from calibration.board import Board
from vision.events import (
    Contact,
    DoorCrossed,
    Event,
    GatePassed,
    LeftBoard,
    PuckMoved,
    PuckPlaced,
    PuckRemoved,
    PuckSeen,
    ReefSeen,
    ReefsSeen,
    ShotEnded,
    ShotStarted,
)
from vision.frames import Frame, Image
from vision.pipeline import LiveView
from vision.virtual_table.table import VirtualTable

FIRST_LOOK = 20  # the frame after which the board has lain still for a while


class TrueTracker:
    """Events from the truth, ids equal to the true keys. review: every n-th shot asks for a review."""

    def __init__(self, _board: Board, table: VirtualTable, review: int = 0) -> None:
        self.table, self.review = table, review
        self.shots = self.hands = 0
        self.places: dict[str, tuple[float, float]] = {}
        self.time_s = 0.0

    def readied(self, frame: Frame) -> Frame:
        return frame

    def update(self, frame: Frame) -> list[Event]:
        self.time_s = frame.time_s
        keeper = self.table.keeper
        events: list[Event] = [self._reefs(frame.time_s)] if frame.index == FIRST_LOOK else []
        for shot in list(keeper.shots)[self.shots :]:
            events += self._shot(shot)
        for deed in list(keeper.hand)[self.hands :]:
            events += self._hand(deed)
        self.shots, self.hands = len(keeper.shots), len(keeper.hand)
        self.places = {k: (x, y) for k, (_, _, x, y) in self.table.pucks().items()}
        return events

    def _seen(self, places: dict[str, list[float]]) -> tuple[PuckSeen, ...]:
        return tuple(PuckSeen(k, *self._who(k), x, y) for k, (x, y) in places.items())

    def _who(self, key: str) -> tuple[str, int | None]:
        team, _, label = key.partition("-")
        return team, int(label) if label.isdecimal() else None

    def _shot(self, shot: dict) -> list[Event]:  # type: ignore[type-arg]
        n = shot["shot"]
        out: list[Event] = [ShotStarted(shot["t_start"], n, shot["puck"], self._seen(shot["start"]), False)]
        out += [Contact(c["t"], n, c["a"], c["b"], *c["at"], 1.0) for c in shot["contacts"]]
        out += [DoorCrossed(c["t"], n, c["puck"], c["door"], c["direction"], 1.0) for c in shot["crossings"]]
        out += [GatePassed(g["t"], n, g["puck"]) for g in shot["gate_passed"]]
        out += [LeftBoard(e["t"], n, e["puck"]) for e in shot["exits"]]
        doubt = bool(self.review) and n % self.review == 0
        why = ("asked for by the test",) if doubt else ()
        out.append(ShotEnded(shot["t_rest"], n, self._seen(shot["end"]), tuple(shot["on_gate"]), doubt, why))
        return sorted(out, key=lambda e: e.t)

    def _hand(self, deed: dict) -> list[Event]:  # type: ignore[type-arg]
        for what, kind in (("removed", PuckRemoved), ("placed", PuckPlaced), ("slid", PuckMoved)):
            if what in deed:
                key = deed[what]
                x, y = deed.get("at") or self.places.get(key, (0.0, 0.0))
                return [kind(deed["t"], key, x, y, *self._who(key))]
        return []

    def _reefs(self, time_s: float) -> Event:
        seen = []
        for reef in self.table.reefs:
            x, y = (sum(p[i] for p in reef.polygon) / 4 for i in (0, 1))
            (ax, ay), (bx, by) = reef.polygon[1:3]
            seen.append(ReefSeen(reef.team, x, y, math.degrees(math.atan2(by - ay, bx - ax)) % 180))
        return ReefsSeen(time_s, tuple(seen))

    def finish(self) -> list[Event]:
        return []

    def live(self) -> LiveView:
        seen = tuple(PuckSeen(k, t, n, x, y) for k, (t, n, x, y) in self.table.pucks().items())
        return LiveView(self.time_s, "unsettled" if self.table.busy else "still", True, seen)

    def draw_overlay(self, image: Image) -> Image:
        return image.copy()
