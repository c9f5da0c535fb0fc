"""A whole match on the virtual table in one process, as fast as can be: table, camera, tracker, referee, players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.board import Board, load_board
from calibration.lens import Lens
from companion.app import Companion
from companion.config import CompanionConfig
from companion.rehearsal import Players, act_on, shot_asked_about
from vision.frames import Frame
from vision.virtual_table.table import VirtualTable
from vision.worker import WorkerConfig
from vision.worker_messages import (
    EventMessage,
    LiveMessage,
    StatusMessage,
    TableMessage,
    TrackerLike,
    WorkerMessage,
)

MOST_SHOTS = 250  # a match of two players who aim takes 30 to 150
MOST_IDLE_S = 60.0  # players who do nothing for so long are stuck
PLAYERS_EVERY = 3  # frames between two looks of the players
STATUS_EVERY = 15  # frames: twice a second at 30

TrackerFactory = Callable[[Board, VirtualTable], TrackerLike]
Watch = Callable[["Rehearsal"], None]


@dataclass(frozen=True, slots=True)
class MatchReport:
    """How a rehearsed match went. ended: "won", "too many shots" or "stuck"; truth: what the table knows."""

    seed: int
    ended: str
    winner: str | None
    points: dict[str, int]
    flicks: int
    seconds: float
    scoreboard: dict[str, Any]
    truth: dict[str, Any]


def camera_tracker(board: Board, table: VirtualTable) -> TrackerLike:
    """The real pipeline, with the lens known and the pose to be found."""
    from vision.pipeline import Tracker

    lens: Lens = table.lens
    return Tracker(board, frame_size=table.size, fps=table.fps, lens=lens)


class TableMessages:
    """Stands where the worker process stands: makes a frame when asked for one, and tells what was seen."""

    def __init__(self, table: VirtualTable, tracker: TrackerLike) -> None:
        self.table, self.tracker = table, tracker
        self._frames = table.frames()

    def start(self, config: WorkerConfig) -> None:
        """Everything is there already."""

    def stop(self) -> None:
        self.table.close()

    def send(self, command: dict[str, Any]) -> None:
        self.table.command(command)

    def ask_for_pictures(self) -> None:
        """Nobody looks at pictures here."""

    def ask_for_film(self, film: int) -> None:
        """Nor at films."""

    def poll(self, timeout_s: float = 0.0) -> list[WorkerMessage]:
        """The messages of the next frame."""
        frame: Frame = next(self._frames)
        out: list[WorkerMessage] = [EventMessage(event) for event in self.tracker.update(frame)]
        out.append(LiveMessage(self.tracker.live()))
        out.append(TableMessage(dict(self.table.pucks()), self.table.busy))
        if frame.index % STATUS_EVERY == 0:
            out.append(StatusMessage("running", self.table.fps, 0.0, 0, "", frame.time_s))
        return out


class Rehearsal:
    """One match in the making. watch is called after every change of the scoreboard."""

    def __init__(self, data_dir: Path, board_path: Path, *, seed: int, size: tuple[int, int] = (1280, 720),
                 fps: float = 30.0, tracker: TrackerFactory = camera_tracker,
                 watch: Watch | None = None) -> None:  # fmt: skip
        self.seed, self.watch = seed, watch
        board = load_board(board_path)
        self.table = VirtualTable(board, size=size, fps=fps, seed=seed)
        self.messages = TableMessages(self.table, tracker(board, self.table))
        config = CompanionConfig(
            data_dir, board_path, autoplay=False, seed=seed, realtime=False, resolution=size, fps=fps
        )
        self.companion = Companion(config, self.messages)
        self.players = Players(board, seed, truth=self.true_shot, again_s=None)

    def true_shot(self) -> dict[str, Any] | None:
        """The shot that the screen asks about, as it truly was; None where nobody played."""
        return shot_asked_about(self.companion.score.state, self.table.truth())

    def play(self, most_shots: int = MOST_SHOTS) -> MatchReport:
        """Plays the match to its end, or until it is clear that it will not come to one."""
        acted_s, last_id, frame = 0.0, -1, 0
        ended = ""
        while not ended:
            for message in self.messages.poll():
                self.companion.take(message)
            now = self.table.time_s
            frame += 1
            if frame % PLAYERS_EVERY == 0:
                c = self.companion
                acts = self.players.step(c.scoreboard(), c.live(), c.table(), now)
                act_on(c, acts)
                acted_s = now if acts or self.table.busy else acted_s
            if self.companion.last_id() != last_id:
                last_id = self.companion.last_id()
                if self.watch is not None:
                    self.watch(self)
            ended = self._ended(now - acted_s, most_shots)
        return self._report(ended)

    def _ended(self, idle_s: float, most_shots: int) -> str:
        if self.companion.scoreboard().get("winner"):
            return "won"
        if self.players.flicks >= most_shots and not self.table.busy:
            return "too many shots"
        return "stuck" if idle_s > MOST_IDLE_S else ""

    def _report(self, ended: str) -> MatchReport:
        shown = self.companion.scoreboard()
        points = {p["team"]: int(p["points"]) for p in shown["players"]}
        flicks, seconds, truth = self.players.flicks, self.table.time_s, self.table.truth()
        report = MatchReport(self.seed, ended, shown.get("winner"), points, flicks, seconds, shown, truth)
        self.companion.stop()
        return report
