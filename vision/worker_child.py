"""The worker process itself: source -> tracker -> messages, until its source ends or the companion is gone."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

import cv2

from calibration.board import BoardFileError, load_board
from calibration.lens import CalibrationError, load_lens
from calibration.store import load_calibration
from vision.events import Event
from vision.frames import Frame, FrameSource, Image
from vision.pacing import Drain, Paced, capacity_for
from vision.sources import OpenSource, SourceError, open_source
from vision.worker_messages import (
    EventMessage,
    LiveMessage,
    Orders,
    Parts,
    PictureMessage,
    StatusMessage,
    Table,
    TableMessage,
    WorkerMessage,
)

TAKE_S = 0.1  # how long to wait for a frame before looking at orders and the clock again
STATUS_EVERY_S = 0.5
LIVE_EVERY_S = 0.05  # 20 Hz of live positions: smooth on a screen, little work
PICTURE_EVERY_S = 0.1  # at most ten pictures a second
PICTURES_FOR_S = 3.0  # how long pictures are sent after they were last asked for
STALLED_S = 2.0  # without a frame for longer the source is called stalled
FPS_WINDOW = 60  # frames over which the rate is measured
JPEG_QUALITY = 80


def make_parts(orders: Orders) -> Parts:
    """Opens the source and makes the tracker that the configuration asks for.

    Raises SourceError, BoardFileError or CalibrationError.
    """
    from vision.pipeline import Tracker

    config = orders.config
    board = load_board(config.board_path)
    lens = load_lens(config.lens_path) if config.lens_path else None
    pose = load_calibration(config.calibration_path) if config.calibration_path else None
    source, table = _open(orders)
    tracker = Tracker(board, frame_size=source.size, fps=source.fps, pose=pose, lens=lens)
    return Parts(source, tracker, table)


def run_child(orders: Orders, connection: Connection) -> None:
    """The process's main function. Interrupts from the keyboard are the companion's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Child(orders, connection).run()


class Child:
    """One life of the worker."""

    def __init__(self, orders: Orders, connection: Connection) -> None:
        self._orders = orders
        self._connection = connection
        self._commands: deque[dict[str, Any]] = deque()
        self._pictures_until_s = 0.0
        self._due: dict[str, float] = {}
        self._taken: deque[float] = deque(maxlen=FPS_WINDOW)
        self._time_s = orders.resume_s
        self._dropped = 0

    def run(self) -> None:
        """Runs until the source ends or fails, or the companion is gone."""
        threading.Thread(target=self._listen, name="orders", daemon=True).start()
        self._send(StatusMessage("starting", time_s=self._time_s))
        try:
            parts = self._orders.make_parts(self._orders)
            self._watch(parts)
        except (SourceError, BoardFileError, CalibrationError) as error:
            self._send(self._status("lost", str(error)))

    def _watch(self, parts: Parts) -> None:
        source: FrameSource = parts.source
        if parts.table is not None:
            source = Commanded(source, parts.table, self._commands)
        drain = Drain(source, drop=self._orders.config.realtime, capacity=capacity_for(source.size))
        while True:
            frame = drain.take(TAKE_S)
            self._dropped = drain.dropped
            if frame is not None:
                self._see(parts, frame)
            elif drain.ended:
                self._events(parts.tracker.finish())
                self._send(LiveMessage(parts.tracker.live()))
                self._send(self._status("ended", getattr(parts.source, "warning", None) or "the film is over"))
                return
            self._report(parts)

    def _see(self, parts: Parts, frame: Frame) -> None:
        now = time.monotonic()
        self._taken.append(now)
        self._time_s = frame.time_s
        self._events(parts.tracker.update(frame))
        if self._is_due("live", LIVE_EVERY_S, now):
            self._send(LiveMessage(parts.tracker.live()))
        if now < self._pictures_until_s and self._is_due("picture", PICTURE_EVERY_S, now):
            overlay = parts.tracker.draw_overlay(frame.image)
            self._send(PictureMessage(encode_jpeg(frame.image), encode_jpeg(overlay)))

    def _report(self, parts: Parts) -> None:
        if not self._is_due("status", STATUS_EVERY_S, time.monotonic()):
            return
        if not self._taken:
            self._send(StatusMessage("starting", time_s=self._time_s))
            return
        age_s = time.monotonic() - self._taken[-1]
        self._send(self._status("stalled" if age_s > STALLED_S else "running"))
        if parts.table is not None:
            self._send(TableMessage(dict(parts.table.pucks()), parts.table.busy))

    def _status(self, state: str, detail: str = "") -> StatusMessage:
        now = time.monotonic()
        age_s = now - self._taken[-1] if self._taken else None
        span_s = now - self._taken[0] if self._taken else 0.0
        fps = len(self._taken) / span_s if span_s > 0 else 0.0
        return StatusMessage(state, fps, age_s, self._dropped, detail, self._time_s)

    def _events(self, events: list[Event]) -> None:
        for event in events:
            shot = getattr(event, "shot", None)
            if shot is not None and self._orders.shots:
                event = replace(event, shot=shot + self._orders.shots)  # type: ignore[call-arg]
            self._send(EventMessage(event))

    def _is_due(self, what: str, every_s: float, now: float) -> bool:
        if now < self._due.get(what, 0.0):
            return False
        self._due[what] = now + every_s
        return True

    def _send(self, message: WorkerMessage) -> None:
        try:
            self._connection.send(message)
        except OSError:  # the companion is gone
            os._exit(0)

    def _listen(self) -> None:
        """Takes orders; when the companion is gone this process has no reason to hold the camera any longer."""
        while True:
            try:
                order = self._connection.recv()
            except (EOFError, OSError):
                os._exit(0)
            if order.get("do") == "pictures":
                self._pictures_until_s = time.monotonic() + PICTURES_FOR_S
            else:
                self._commands.append(order)


class Commanded:
    """The virtual table's frames, with orders carried out between two of them, in the thread that makes the frames."""

    def __init__(self, source: FrameSource, table: Table, commands: deque[dict[str, Any]]) -> None:
        self._source = source
        self._table = table
        self._commands = commands

    @property
    def size(self) -> tuple[int, int]:
        return self._source.size

    @property
    def fps(self) -> float:
        return self._source.fps

    def frames(self) -> Iterator[Frame]:
        """The table's frames."""
        frames = iter(self._source.frames())
        while True:
            while self._commands:
                self._table.command(self._commands.popleft())
            frame = next(frames, None)
            if frame is None:
                return
            yield frame

    def close(self) -> None:
        self._source.close()


class Resumed:
    """A source that goes on where the worker before it was stopped.

    Frames up to `after_s` are left out; `shift_s` is added to the time of those given.
    """

    def __init__(self, source: FrameSource, *, after_s: float = 0.0, shift_s: float = 0.0) -> None:
        self._source = source
        self._after_s = after_s
        self._shift_s = shift_s

    @property
    def size(self) -> tuple[int, int]:
        return self._source.size

    @property
    def fps(self) -> float:
        return self._source.fps

    @property
    def warning(self) -> str | None:
        return getattr(self._source, "warning", None)

    def frames(self) -> Iterator[Frame]:
        """The frames after, in the time of the source before."""
        for frame in self._source.frames():
            time_s = frame.time_s + self._shift_s
            if time_s > self._after_s:
                yield replace(frame, time_s=time_s) if self._shift_s else frame

    def close(self) -> None:
        self._source.close()


def encode_jpeg(image: Image) -> bytes:
    """The picture as a JPEG. image: (H, W, 3) BGR."""
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes() if ok else b""


def _open(orders: Orders) -> tuple[FrameSource, Table | None]:
    """The source of frames, and the virtual table where it is one."""
    config = orders.config
    if config.source == "virtual":
        return _open_table(orders)
    clock = _clock_since(orders.epoch_s)
    source: OpenSource = open_source(
        config.source, clock=clock, size=config.resolution, fps=config.fps, live=config.realtime
    )
    if source.frame_count is None:
        return source, None
    if config.realtime:
        return Paced(source, clock=clock, start_s=0.0 if orders.resume_s else None), None
    return Resumed(source, after_s=orders.resume_s), None


def _open_table(orders: Orders) -> tuple[FrameSource, Table]:
    from vision.virtual_table import VirtualTable

    config = orders.config
    table = VirtualTable(
        load_board(config.board_path),
        size=config.resolution,
        fps=config.fps,
        seed=config.seed,
        realtime=config.realtime,
    )
    for key, (_, _, x_mm, y_mm) in orders.pucks.items():
        table.command({"do": "place", "puck": key, "x_mm": x_mm, "y_mm": y_mm})
    return (Resumed(table, shift_s=orders.resume_s) if orders.resume_s else table), table


def _clock_since(epoch_s: float) -> Callable[[], float]:
    return lambda: time.monotonic() - epoch_s
