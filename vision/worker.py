"""Camera and vision in a process of their own: one that hangs or crashes costs a restart and no score."""

from __future__ import annotations

import multiprocessing
import os
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from vision.awake import AwakeClock
from vision.events import Event, ShotStarted, SourceBack, SourceLost
from vision.worker_child import run_child
from vision.worker_messages import (
    EventMessage,
    FeltMessage,
    FilmMessage,
    LiveMessage,
    Orders,
    Parts,
    PictureMessage,
    ReplayMessage,
    StatusMessage,
    TableMessage,
    WorkerConfig,
    WorkerMessage,
)

__all__ = [
    "EventMessage",
    "FeltMessage",
    "LiveMessage",
    "PictureMessage",
    "StatusMessage",
    "TableMessage",
    "VisionWorker",
    "WorkerConfig",
    "WorkerMessage",
]

STALL_S = 10.0  # no message, or no frame, for longer: the worker is started again
START_S = 40.0  # a new worker may take this long to its first frame: some cameras take many seconds to open
RESTART_S = (0.5, 1.0, 2.0, 5.0, 10.0)  # waits before restarts, while none in between ran well
RAN_WELL_S = 30.0  # a worker that ran for longer starts the waits anew
SILENT_S = 2.0  # a worker well tells of itself twice a second
RECEIVE_S = 0.1  # how often the watchdog looks, while no message comes
STOP_S = 2.0  # how long a worker may take to stop by itself
INBOX_MESSAGES = 10_000  # kept for a companion that does not fetch them, hours of play; then the worker must wait


class VisionWorker:
    """Runs source and tracker in a child process, watches it, and starts it again when it hangs or dies.

    make_parts: a module-level function, called in the child, that opens the source and makes the tracker; by
    default vision.worker_parts.make_parts, whose libraries this process need not load. clock: seconds by which it is
    watched.
    """

    def __init__(
        self,
        make_parts: Callable[[Orders], Parts] | None = None,
        *,
        stall_s: float = STALL_S,
        start_s: float = START_S,
        restart_s: tuple[float, ...] = RESTART_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._make_parts = make_parts or make_default_parts
        self._stall_s = stall_s
        self._start_s = start_s
        self._restart_s = restart_s
        self._awake = AwakeClock(clock)
        self._inbox = Inbox()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._sending = threading.Lock()
        self._orders: Orders | None = None
        self._status = StatusMessage("starting")
        self._outage = False
        self.restarts = 0

    def start(self, config: WorkerConfig) -> None:
        """Starts the worker; returns at once, messages follow. Raises RuntimeError where it was started before."""
        if self._thread is not None:
            raise RuntimeError("the worker was started before; make a new one")
        self._orders = Orders(config, self._make_parts, epoch_s=time.monotonic())
        self._thread = threading.Thread(target=self._supervise, name="worker watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stops the worker and waits for it; safe to call twice."""
        self._stopping.set()
        self._inbox.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def poll(self, timeout_s: float = 0.0) -> list[WorkerMessage]:
        """All messages that came since the last call, oldest first; waits up to timeout_s for the first.

        Events are never left out; of live views and pictures only the newest is kept.
        """
        return self._inbox.take(timeout_s)

    def send(self, command: dict[str, Any]) -> None:
        """Passes an order to the virtual table; lost where the worker is down."""
        self._tell(command)

    def ask_for_pictures(self) -> None:
        """Pictures are sent for a few seconds after each call."""
        self._tell({"do": "pictures"})

    def ask_for_film(self, film: int) -> None:
        """Every frame of the next FILM_S seconds is sent, as a film of this number; lost where the worker is down."""
        self._tell({"do": "film", "film": film})

    @property
    def alive(self) -> bool:
        """True while the child process runs."""
        process = self._process
        return process is not None and process.is_alive()

    @property
    def pid(self) -> int | None:
        """The child's process id."""
        return self._process.pid if self._process is not None else None

    def _supervise(self) -> None:
        attempt = 0
        while not self._stopping.is_set():
            began_s = self._awake.now()
            self._spawn()
            reason = self._receive()
            self._end_process()
            if reason is None or self._stopping.is_set():
                return
            self._note_loss(reason)
            attempt = 0 if self._awake.now() - began_s > RAN_WELL_S else attempt
            self._stopping.wait(self._restart_s[min(attempt, len(self._restart_s) - 1)])
            attempt += 1
            self.restarts += 1

    def _spawn(self) -> None:
        assert self._orders is not None
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=run_child, args=(self._orders, theirs), name="paleo vision", daemon=True)
        process.start()
        theirs.close()
        bound_waits(ours, self._stall_s)
        with self._sending:
            self._process, self._connection = process, ours

    def _receive(self) -> str | None:
        """Takes messages until the worker ends; returns why it must be started again, or None where it is done."""
        assert self._connection is not None
        connection = self._connection
        heard_s = framed_s = self._awake.now()
        limit_s = self._start_s
        while not self._stopping.is_set():
            try:
                message = connection.recv() if connection.poll(RECEIVE_S) else None
            except BlockingIOError:
                return f"the vision process stopped in the middle of a message {self._stall_s:.0f} s ago"
            except (EOFError, OSError):
                return self._last_words()
            now = self._awake.now()
            if message is not None:
                heard_s = now
                self._take(message)
                if isinstance(message, StatusMessage) and message.last_frame_age_s is not None:
                    limit_s, framed_s = self._stall_s, now - message.last_frame_age_s
            if now - min(heard_s, framed_s) > limit_s:
                silent = now - heard_s > SILENT_S
                who = "the vision process gave no sign" if silent else "the camera gave no picture"
                return f"{who} for {now - (heard_s if silent else framed_s):.0f} s"
        return None

    def _last_words(self) -> str | None:
        """Why a worker whose pipe closed has ended; None where its film is over."""
        assert self._process is not None
        self._process.join(STOP_S)
        if self._status.state == "ended":
            return None
        if self._status.state == "lost":
            return self._status.detail
        return f"the vision process ended by itself (exit code {self._process.exitcode})"

    def _take(self, message: WorkerMessage) -> None:
        assert self._orders is not None
        if isinstance(message, TableMessage):
            self._orders = replace(self._orders, kept=message.keep)
        if isinstance(message, LiveMessage) and message.live.named > self._orders.named:
            self._orders = replace(self._orders, named=message.live.named)
        if isinstance(message, EventMessage) and isinstance(message.event, ShotStarted):
            self._orders = replace(self._orders, shots=max(self._orders.shots, message.event.shot))
        if isinstance(message, StatusMessage):
            self._orders = replace(self._orders, resume_s=max(self._orders.resume_s, message.time_s))
            self._note_state(message)
        else:
            self._inbox.put(message)

    def _note_state(self, status: StatusMessage) -> None:
        self._status = status
        if status.state == "stalled" and not self._outage:
            self._begin_outage(status.time_s, "no picture from the camera")
        if status.state in ("running", "ended") and self._outage:
            self._outage = False
            self._event(SourceBack(status.time_s, "pictures again"))
        if status.state != "lost":  # told by _note_loss, together with the outage
            self._inbox.put(status)

    def _note_loss(self, reason: str) -> None:
        assert self._orders is not None
        if not self._outage:
            self._begin_outage(self._orders.resume_s, reason)
        self._status = replace(self._status, state="lost", fps=0.0, detail=reason)
        self._inbox.put(self._status)

    def _begin_outage(self, time_s: float, reason: str) -> None:
        self._outage = True
        self._event(SourceLost(time_s, reason))

    def _event(self, event: Event) -> None:
        self._inbox.put(EventMessage(event))

    def _tell(self, order: dict[str, Any]) -> None:
        with self._sending:
            if self._connection is None:
                return
            try:
                self._connection.send(order)
            except OSError:
                return

    def _end_process(self) -> None:
        assert self._process is not None
        with self._sending:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()  # the child sees it and leaves
        if self._stopping.is_set():
            self._process.join(STOP_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def bound_waits(connection: Connection, most_s: float) -> None:
    """Reading and writing fail with BlockingIOError where the other side does not move for most_s: a process that stops
    in the middle of a message would be waited for without end."""
    if not hasattr(socket, "AF_UNIX"):  # elsewhere these are no sockets
        return
    seconds = struct.pack("ll", int(most_s), int(most_s % 1 * 1e6))
    with socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, seconds)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, seconds)


def make_default_parts(orders: Orders) -> Parts:
    """Source and tracker as configured; imported only in the child."""
    from vision.worker_parts import make_parts

    return make_parts(orders)


class Inbox:
    """Messages that wait for the companion: all events and films, but only the newest live view, picture and table."""

    def __init__(self) -> None:
        self._messages: deque[WorkerMessage] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, message: WorkerMessage) -> None:
        """Adds a message; a newer one replaces what it makes out of date. Waits while the box is full."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._messages) < INBOX_MESSAGES)
            if not isinstance(message, EventMessage | FeltMessage | FilmMessage | ReplayMessage):
                self._forget(message)
            self._messages.append(message)
            self._changed.notify_all()

    def take(self, timeout_s: float) -> list[WorkerMessage]:
        """All messages, oldest first."""
        with self._changed:
            self._changed.wait_for(lambda: self._messages, timeout_s)
            messages = list(self._messages)
            self._messages.clear()
            self._changed.notify_all()
            return messages

    def close(self) -> None:
        """Nobody will take any more: put() waits no longer."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _forget(self, newer: WorkerMessage) -> None:
        for message in self._messages:
            same = type(message) is type(newer)
            if same and (not isinstance(newer, StatusMessage) or newer.state == getattr(message, "state", None)):
                self._messages.remove(message)
                return
