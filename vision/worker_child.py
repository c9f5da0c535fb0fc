"""The worker process itself: source -> tracker -> messages, until its source ends or the companion is gone."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from calibration.board import BoardFileError
from calibration.lens import CalibrationError
from vision.awake import AwakeClock
from vision.events import Event, ShotEnded, ShotStarted
from vision.explain import over_film
from vision.frames import Frame, FrameSource
from vision.jpeg import encode_jpeg
from vision.memory import give_back, one_heap
from vision.pacing import Drain, DropRate, ahead_for, capacity_for
from vision.relays import Commanded
from vision.shot_film import ShotFilm
from vision.sources import ResizedError, SourceError
from vision.virtual_table.beams import Felt
from vision.worker_film import WorkerFilm
from vision.worker_messages import (
    EventMessage,
    FeltMessage,
    LiveMessage,
    Orders,
    Parts,
    PictureMessage,
    ReplayMessage,
    StatusMessage,
    TableMessage,
    WorkerMessage,
)

TAKE_S = 0.1  # how long to wait for a frame before looking at orders and the clock again
STATUS_EVERY_S = 0.5  # twice a second: the companion takes a worker that is silent for longer to have stopped
LIVE_EVERY_S = 0.03  # live positions with every frame of 30 a second, and every other one of 60: smooth on a screen
PICTURE_EVERY_S = 0.1  # at most ten pictures a second
PICTURES_FOR_S = 3.0  # how long pictures are sent after they were last asked for
MOVING_PICTURES = 2  # one alone may be the last of a camera that stands still
STALLED_S = 2.0  # without a frame for longer the source is called stalled
TIDY_EVERY_S = 3.0  # how often freed memory is given back, while nothing happens
FPS_WINDOW = 60  # frames over which the rate is measured
JPEG_QUALITY = 80  # of the pictures that pages show live


def run_child(orders: Orders, connection: Connection) -> None:
    """The process's main function. Interrupts from the keyboard are the companion's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    one_heap()
    Child(orders, connection).run()


class Child:
    """One life of the worker. clock: monotonic seconds."""

    def __init__(self, orders: Orders, connection: Connection, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._awake = clock, AwakeClock(clock)
        self._orders = orders
        self._connection = connection
        self._commands: deque[dict[str, Any]] = deque()
        self._pictures_until_s = 0.0
        self._due: dict[str, float] = {}
        self._taken: deque[float] = deque(maxlen=FPS_WINDOW)
        self._time_s = orders.resume_s
        self._dropped = 0
        self._drops = DropRate()
        self._arrived_s: float | None = None
        self._refused = ""
        self._felt: list[Felt] = []
        self._film = ShotFilm()
        self._every_frame = WorkerFilm()
        self._shot_began_s = 0.0

    def run(self) -> None:
        """Runs until the source ends or fails, or the companion is gone."""
        threading.Thread(target=self._listen, name="orders", daemon=True).start()
        self._send(StatusMessage("starting", time_s=self._time_s))
        try:
            parts = self._orders.make_parts(self._orders)
            self._watch(parts)
        except (SourceError, BoardFileError, CalibrationError) as error:
            status = self._status("lost", str(error))
            self._send(replace(status, why="resized") if isinstance(error, ResizedError) else status)

    def _watch(self, parts: Parts) -> None:
        source: FrameSource = parts.source
        if parts.table is not None:
            source = Commanded(source, parts.table, self._commands, self._refuse)
        waits = parts.patient or parts.table is not None  # a virtual table and a film wait for us, a camera does not
        drop = self._orders.config.realtime and not waits
        capacity = capacity_for(source.size) if drop else ahead_for(source.size)
        drain = Drain(source, drop=drop, capacity=capacity, readied=parts.tracker.readied, clock=self._clock)
        while True:
            frame = drain.take(TAKE_S)
            self._dropped, self._arrived_s = drain.dropped, drain.arrived_s
            if frame is not None:
                self._see(parts, frame)
            elif drain.ended:
                self._finish(parts)
                return
            for message in self._every_frame.ready():
                self._send(message)
            self._report(parts)

    def _see(self, parts: Parts, frame: Frame) -> None:
        now = self._clock()
        self._taken.append(now)
        self._time_s = frame.time_s
        self._every_frame.see(frame)
        self._pass_on_felt(parts, frame.time_s)
        events = parts.tracker.update(frame)
        still = parts.tracker.live().state not in ("hand", "shot")
        self._film.see(frame, still)
        if still and self._is_due("tidying", TIDY_EVERY_S, now):
            give_back()
        self._events(parts, events)
        if self._is_due("live", LIVE_EVERY_S, now):
            self._send(LiveMessage(parts.tracker.live()))
        if now < self._pictures_until_s and self._is_due("picture", PICTURE_EVERY_S, now):
            overlay = parts.tracker.draw_overlay(frame.image)
            self._send(PictureMessage(*(encode_jpeg(seen, JPEG_QUALITY) for seen in (frame.image, overlay))))

    def _pass_on_felt(self, parts: Parts, until_s: float) -> None:
        """What the table's sensors felt by this frame: the table itself may be some frames ahead."""
        self._felt += parts.felt()
        ready = tuple(f for f in self._felt if f.time_s <= until_s)
        if ready:
            self._felt = [f for f in self._felt if f.time_s > until_s]
            self._send(FeltMessage(ready, until_s))

    def _finish(self, parts: Parts) -> None:
        detail = getattr(parts.source, "warning", None) or "the film is over"
        try:
            self._events(parts, parts.tracker.finish())
        except CalibrationError as error:  # the board was never seen; trying the film again would not help
            detail = str(error)
        self._send(LiveMessage(parts.tracker.live()))
        self._send(self._status("ended", detail))

    def _report(self, parts: Parts) -> None:
        if not self._is_due("status", STATUS_EVERY_S, self._clock()):
            return
        status = self._status("running")
        if status.last_frame_age_s is not None and status.last_frame_age_s > STALLED_S:
            status = replace(status, state="stalled")
        elif len(self._taken) < MOVING_PICTURES:
            status = replace(status, state="starting")
        self._send(replace(status, doubts=parts.tracker.doubts, unfilmed=parts.unfilmed()))
        if parts.table is not None:
            refused = self._refused
            pucks, busy = dict(parts.table.pucks()), parts.table.busy
            self._send(TableMessage(pucks, busy, parts.keep(), refused, parts.shots()))

    def _status(self, state: str, detail: str = "") -> StatusMessage:
        self._awake.now()  # so that it knows when the process last woke
        now = self._clock()
        age_s = None if self._arrived_s is None else now - max(self._arrived_s, self._awake.woke_s)
        span_s = now - self._taken[0] if self._taken else 0.0
        fps = (len(self._taken) - 1) / span_s if len(self._taken) > 1 else 0.0
        return StatusMessage(
            state, fps, age_s, self._dropped, detail, self._time_s, self._drops.update(now, self._dropped)
        )

    def _events(self, parts: Parts, events: list[Event]) -> None:
        for event in events:
            shot = getattr(event, "shot", None)
            if shot is not None and self._orders.shots:
                event = replace(event, shot=shot + self._orders.shots)  # type: ignore[call-arg]
            if isinstance(event, ShotStarted):
                self._shot_began_s = event.t
            elif isinstance(event, ShotEnded):
                film, told = self._film.cut(self._shot_began_s, event.t), parts.tracker.explained
                drawn = over_film(told) if told is not None and told.number == shot else None
                self._send(ReplayMessage(event.shot, replace(film, drawn=drawn)))
            self._send(EventMessage(event))

    def _refuse(self, reason: str) -> None:
        self._refused = reason

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
                self._pictures_until_s = self._clock() + PICTURES_FOR_S
            elif order.get("do") == "film":
                self._every_frame.ask(order["film"])
            else:
                self._commands.append(order)
