"""Sources and trackers that misbehave, for the worker's tests; made in the child process by name."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import connection
from pathlib import Path
from typing import Any

import numpy as np

from vision.events import Event, PuckSeen, ShotEnded, ShotStarted
from vision.explain import Explained
from vision.frames import Frame, Image
from vision.pipeline import LiveView
from vision.sources import ResizedError, SourceError
from vision.worker_messages import Orders, Parts

SIZE = (64, 48)
FPS = 50.0


def counted_lives(orders: Orders) -> int:
    """How many workers were started with this configuration, this one too: kept in the file named as its source."""
    path = Path(orders.config.source)
    lives = 1 + (int(path.read_text()) if path.exists() else 0)
    path.write_text(str(lives))
    return lives


@dataclass
class Pictures:
    """A camera of grey pictures. at_frame: where it does as `then` says ("hang", "crash", "fail", "resize", "end")."""

    then: str = "end"
    at_frame: int = 1 << 30
    start_s: float = 0.0

    size = SIZE
    fps = FPS

    def frames(self) -> Iterator[Frame]:
        for index in range(self.at_frame):
            time.sleep(1 / FPS)
            image = np.full((SIZE[1], SIZE[0], 3), index % 255, np.uint8)
            yield Frame(index, self.start_s + (index + 0.5) / FPS, image)
        if self.then == "hang":
            threading.Event().wait()
        if self.then == "crash":
            os.abort()
        if self.then == "resize":
            raise ResizedError("rtsp://camera", (1280, 720), (640, 480))
        if self.then == "fail":
            raise SourceError("camera 7: it stopped giving pictures; check its cable")

    def close(self) -> None:
        pass


@dataclass
class ShotEveryTenth:
    """A tracker that sees a shot at every tenth frame."""

    shots: int = 0
    seen: int = 0
    explained: Explained | None = None
    doubts: tuple[str, ...] = ("the board is dark",)

    def readied(self, frame: Frame) -> Frame:
        return frame

    def update(self, frame: Frame) -> list[Event]:
        self.seen += 1
        if self.seen % 10:
            return []
        self.shots += 1
        return [ShotStarted(frame.time_s, self.shots, "red-1", ()), ShotEnded(frame.time_s, self.shots, ())]

    def finish(self) -> list[Event]:
        return []

    def live(self) -> LiveView:
        return LiveView(float(self.seen), "still", True, ())

    def draw_overlay(self, image: Image) -> Image:
        return np.asarray(255 - image, dtype=np.uint8)


@dataclass
class NamesOnePuck(ShotEveryTenth):
    """A tracker that knows one puck. named: how many ids were given before."""

    named: int = 0

    def live(self) -> LiveView:
        puck = PuckSeen(f"p{self.named + 1}", "red", 1, 10.0, 20.0)
        return LiveView(float(self.seen), "still", True, (puck,), self.named + 1)


def names_and_crashes_once(orders: Orders) -> Parts:
    pictures = Pictures("crash", at_frame=25) if counted_lives(orders) == 1 else Pictures(start_s=orders.resume_s)
    return Parts(pictures, NamesOnePuck(named=orders.named))


@dataclass
class ListeningTable(Pictures):
    """A virtual table that moves its one puck to wherever it is told."""

    x_mm: float = 10.0
    busy: bool = False

    def command(self, order: dict[str, Any]) -> None:
        if order["do"] == "crash":
            os.abort()
        if "x_mm" not in order:
            raise ValueError("x_mm: expected a number")
        self.x_mm = float(order["x_mm"])

    def pucks(self) -> dict[str, tuple[str, int | None, float, float]]:
        return {"red-1": ("red", 1, self.x_mm, 20.0)}


def steady(orders: Orders) -> Parts:
    return Parts(Pictures(), ShotEveryTenth())


def ends(orders: Orders) -> Parts:
    return Parts(Pictures(at_frame=25), ShotEveryTenth())


def hangs_once(orders: Orders) -> Parts:
    then = Pictures("hang", 20) if counted_lives(orders) == 1 else Pictures(start_s=orders.resume_s)
    return Parts(then, ShotEveryTenth())


def stops_in_a_message_once(orders: Orders) -> Parts:
    if counted_lives(orders) == 1:
        connection.Connection._send = half_of_it  # type: ignore[attr-defined]
    return Parts(Pictures(start_s=orders.resume_s), ShotEveryTenth())


def half_of_it(line: connection.Connection, data: bytes) -> None:
    """In place of sending a message: half of it, and then nothing for ever."""
    os.write(line.fileno(), data[: len(data) // 2])
    threading.Event().wait()


def crashes_once(orders: Orders) -> Parts:
    then = Pictures("crash", 20) if counted_lives(orders) == 1 else Pictures(start_s=orders.resume_s)
    return Parts(then, ShotEveryTenth())


def unplugged_once(orders: Orders) -> Parts:
    then = Pictures("fail", 20) if counted_lives(orders) == 1 else Pictures(start_s=orders.resume_s)
    return Parts(then, ShotEveryTenth())


def resized_once(orders: Orders) -> Parts:
    then = Pictures("resize", 20) if counted_lives(orders) == 1 else Pictures(start_s=orders.resume_s)
    return Parts(then, ShotEveryTenth())


def stands_still(orders: Orders) -> Parts:
    return Parts(Pictures("hang", 1), ShotEveryTenth())


def never_opens(orders: Orders) -> Parts:
    raise SourceError("camera 7: no such camera")


def table(orders: Orders) -> Parts:
    source = ListeningTable(start_s=orders.resume_s, **orders.kept)
    return Parts(source, ShotEveryTenth(), source, keep=lambda: {"x_mm": source.x_mm})
