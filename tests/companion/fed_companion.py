"""A companion whose vision is fed by hand, and the events of a shot in a few words."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from calibration.board import default_board_path, load_board
from companion.app import Companion
from companion.config import CompanionConfig
from vision.events import Contact, DoorCrossed, Event, LeftBoard, PuckSeen, ShotEnded, ShotStarted
from vision.pipeline import LiveView
from vision.worker_messages import EventMessage, LiveMessage, WorkerConfig, WorkerMessage

BOARD = load_board(default_board_path())


class Fed:
    """Messages handed over by a test; remembers what was sent to the table."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.config: WorkerConfig | None = None
        self.asked = 0
        self.films: list[int] = []
        self._waiting: list[WorkerMessage] = []
        self._changed = threading.Condition()

    def start(self, config: WorkerConfig) -> None:
        self.config = config

    def stop(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def poll(self, timeout_s: float = 0.0) -> list[WorkerMessage]:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, timeout_s)
            waiting, self._waiting = self._waiting, []
            return waiting

    def put(self, *messages: WorkerMessage) -> None:
        with self._changed:
            self._waiting += messages
            self._changed.notify_all()

    def send(self, command: dict[str, Any]) -> None:
        self.sent.append(command)

    def ask_for_pictures(self) -> None:
        self.asked += 1

    def ask_for_film(self, film: int) -> None:
        self.films.append(film)


class TableInView:
    """All pucks on their circles, as vision sees them: ids p1 to p16."""

    def __init__(self) -> None:
        placed = [(t.name, n, c) for t in BOARD.teams for n, c in zip(t.numbers, t.start_circles, strict=True)]
        self.pucks = [PuckSeen(f"p{i + 1}", team, n, *c) for i, (team, n, c) in enumerate(placed)]
        self.ids = {f"{p.team}-{p.number}": p.puck for p in self.pucks}
        self.shots = 0
        self.time_s = 1.0

    def live(self, state: str = "still") -> LiveMessage:
        return LiveMessage(LiveView(self.time_s, state, True, tuple(self.pucks)))

    def shot(self, flicked: str, touched: Iterable[str] = (), doors: Iterable[tuple[str, str]] = (),
             exits: Iterable[str] = (), **end: Any) -> list[WorkerMessage]:  # fmt: skip
        """The events of one shot, in order."""
        self.shots += 1
        shot, before = self.shots, tuple(self.pucks)
        events: list[Event] = [ShotStarted(self.time_s, shot, self.ids[flicked], before)]
        for key in touched:
            events.append(Contact(self._later(), shot, self.ids[flicked], self.ids[key], 0.0, 0.0, 1.0))
        for key, door in doors:
            events.append(DoorCrossed(self._later(), shot, self.ids[key], door, "in", 1.0))
        for key in exits:
            events.append(LeftBoard(self._later(), shot, self.ids[key]))
            self.pucks = [p for p in self.pucks if p.puck != self.ids[key]]
        events.append(ShotEnded(self._later(), shot, tuple(self.pucks), **end))
        return [EventMessage(e) for e in events]

    def _later(self) -> float:
        self.time_s += 0.1
        return self.time_s


def config_for(data_dir: Path, camera: str = "virtual") -> CompanionConfig:
    return CompanionConfig(data_dir, default_board_path(), camera=camera, autoplay=False)


def companion_for(data_dir: Path, camera: str = "virtual") -> tuple[Companion, Fed]:
    """A companion that is not started: tests hand messages over through take()."""
    fed = Fed()
    return Companion(config_for(data_dir, camera), fed), fed


def first_round(tmp_path: Path, view: TableInView) -> Companion:
    """A companion in the first round, red to play."""
    companion, _ = companion_for(tmp_path)
    companion.take(view.live())
    companion.command("new_match", {"players": {"red": "Ann", "green": "Ben"}, "options": {}})
    companion.command("start_round", {"begins": "red"})
    return companion
