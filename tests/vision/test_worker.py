"""The worker process: a camera that hangs, crashes or is unplugged costs a restart and no shot."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from tests.vision import worker_parts
from tests.vision.worker_parts import ShotEveryTenth
from vision.events import ShotStarted, SourceBack, SourceLost
from vision.frames import Frame
from vision.worker import (
    EventMessage,
    LiveMessage,
    PictureMessage,
    StatusMessage,
    TableMessage,
    VisionWorker,
    WorkerConfig,
    WorkerMessage,
)
from vision.worker_child import Child
from vision.worker_messages import FilmMessage, Orders, Parts

PATIENCE_S = 30.0  # a spawned Python needs a second or two on a busy machine

Start = Callable[..., VisionWorker]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    workers: list[VisionWorker] = []

    def start_worker(
        make_parts: Callable[[Orders], Parts], clock: Callable[[], float] = time.monotonic
    ) -> VisionWorker:
        worker = VisionWorker(make_parts, stall_s=3.0, start_s=20.0, restart_s=(0.05,), clock=clock)
        workers.append(worker)
        worker.start(WorkerConfig(str(tmp_path / "lives"), tmp_path / "board.toml"))
        return worker

    yield start_worker
    for worker in workers:
        worker.stop()


def collect(worker: VisionWorker, enough: Callable[[list[WorkerMessage]], bool]) -> list[WorkerMessage]:
    """Messages until there are enough of them."""
    messages: list[WorkerMessage] = []
    deadline = time.monotonic() + PATIENCE_S
    while not enough(messages):
        assert time.monotonic() < deadline, f"waited {PATIENCE_S} s; had {messages[-5:]}"
        messages += worker.poll(0.5)
    return messages


def shots(messages: list[WorkerMessage]) -> list[int]:
    return [m.event.shot for m in messages if isinstance(m, EventMessage) and isinstance(m.event, ShotStarted)]


def has_event(kind: type) -> Callable[[list[WorkerMessage]], bool]:
    return lambda messages: any(isinstance(m, EventMessage) and isinstance(m.event, kind) for m in messages)


def states(messages: list[WorkerMessage]) -> list[str]:
    return [m.state for m in messages if isinstance(m, StatusMessage)]


def test_events_live_views_and_status_arrive(start: Start) -> None:
    messages = collect(start(worker_parts.steady), lambda ms: len(shots(ms)) >= 3 and runs_at_speed(ms))
    assert shots(messages)[:3] == [1, 2, 3]
    assert any(isinstance(m, LiveMessage) for m in messages)
    ages = [m.last_frame_age_s for m in messages if isinstance(m, StatusMessage) and m.state == "running"]
    assert all(age is not None and age < 2.0 for age in ages)
    told = {m.doubts for m in messages if isinstance(m, StatusMessage) and m.state == "running"}
    assert told == {("the board is dark",)}


def runs_at_speed(messages: list[WorkerMessage]) -> bool:
    return any(isinstance(m, StatusMessage) and m.state == "running" and m.fps > 5 for m in messages)


def test_a_film_that_ends_is_not_started_again(start: Start) -> None:
    worker = start(worker_parts.ends)
    messages = collect(worker, lambda ms: "ended" in states(ms))
    assert shots(messages) == [1, 2]
    assert worker.restarts == 0


def test_a_hang_in_read_costs_a_restart_and_no_shot_number_is_used_twice(start: Start) -> None:
    worker = start(worker_parts.hangs_once)
    before = collect(worker, has_event(SourceLost))
    after = collect(worker, lambda ms: has_event(SourceBack)(ms) and len(shots(ms)) >= 2)
    assert shots(before) == [1, 2]
    assert shots(after)[:2] == [3, 4]
    assert worker.restarts == 1


def test_a_puck_is_given_no_id_that_one_had_before_a_restart(start: Start) -> None:
    worker = start(worker_parts.names_and_crashes_once)
    before = collect(worker, has_event(SourceLost))
    after = collect(worker, lambda ms: any(isinstance(m, LiveMessage) for m in ms))
    assert [{p.puck for m in ms if isinstance(m, LiveMessage) for p in m.live.pucks} for ms in (before, after)] == [
        {"p1"},
        {"p2"},
    ]


def test_a_crash_in_native_code_costs_a_restart_and_time_goes_on(start: Start) -> None:
    worker = start(worker_parts.crashes_once)
    messages = collect(worker, lambda ms: has_event(SourceBack)(ms) and len(shots(ms)) >= 4)
    assert shots(messages)[:4] == [1, 2, 3, 4]
    times = [m.event.t for m in messages if isinstance(m, EventMessage) and isinstance(m.event, ShotStarted)]
    assert times == sorted(times)
    lost = next(m for m in messages if isinstance(m, StatusMessage) and m.state == "lost")
    assert "ended by itself" in lost.detail


def test_an_unplugged_camera_is_told_in_its_own_words_and_comes_back(start: Start) -> None:
    messages = collect(start(worker_parts.unplugged_once), has_event(SourceBack))
    lost = next(m.event for m in messages if isinstance(m, EventMessage) and isinstance(m.event, SourceLost))
    assert "check its cable" in lost.reason


def test_pictures_of_another_size_are_told_as_the_cause_until_they_come_again(start: Start) -> None:
    messages = collect(start(worker_parts.resized_once), has_event(SourceBack))
    causes = [(m.state, m.why) for m in messages if isinstance(m, StatusMessage)]
    assert ("lost", "resized") in causes
    assert {why for state, why in causes if state != "lost"} == {""}


def test_a_camera_that_gives_its_last_picture_only_is_not_back_with_every_new_worker(start: Start) -> None:
    worker = start(worker_parts.stands_still)
    messages = collect(worker, lambda m: [s.state for s in m if isinstance(s, StatusMessage)].count("lost") >= 2)
    told = [type(m.event) for m in messages if isinstance(m, EventMessage)]
    assert told == [SourceLost]
    assert "running" not in [m.state for m in messages if isinstance(m, StatusMessage)]


def test_a_camera_that_never_opens_is_lost_once_and_tried_again(start: Start) -> None:
    worker = start(worker_parts.never_opens)
    messages = collect(worker, lambda ms: states(ms).count("lost") >= 2)
    lost = [m for m in messages if isinstance(m, EventMessage) and isinstance(m.event, SourceLost)]
    assert len(lost) == 1
    assert worker.restarts >= 1


def test_a_killed_worker_is_started_again(start: Start) -> None:
    worker = start(worker_parts.steady)
    collect(worker, lambda ms: len(shots(ms)) >= 1)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    collect(worker, has_event(SourceBack))
    assert worker.alive


def test_a_worker_that_says_nothing_more_is_started_again(start: Start) -> None:
    worker = start(worker_parts.steady)
    collect(worker, lambda ms: len(shots(ms)) >= 1)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGSTOP)
    messages = collect(worker, has_event(SourceBack))
    lost = next(m.event for m in messages if isinstance(m, EventMessage) and isinstance(m.event, SourceLost))
    assert "gave no sign" in lost.reason


def test_a_worker_that_stops_in_the_middle_of_a_message_is_started_again(start: Start) -> None:
    messages = collect(start(worker_parts.stops_in_a_message_once), has_event(SourceBack))
    lost = next(m.event for m in messages if isinstance(m, EventMessage) and isinstance(m.event, SourceLost))
    assert lost.reason == "the vision process stopped in the middle of a message 3 s ago"


def test_a_worker_is_not_blamed_for_a_time_in_which_nobody_watched(start: Start) -> None:
    """The program was stopped, or slept with its machine: nothing had come meanwhile, and nothing is amiss."""
    times = Times()
    worker = start(worker_parts.steady, times.clock)
    collect(worker, runs_at_speed)
    times.slept_s = 60.0
    messages = collect(worker, lambda ms: len(shots(ms)) >= 5)
    assert not has_event(SourceLost)(messages)
    assert worker.restarts == 0


class Times:
    """A clock that can be told how long the machine slept."""

    def __init__(self) -> None:
        self.slept_s = 0.0

    def clock(self) -> float:
        return time.monotonic() + self.slept_s


class Line:
    """What the worker says, to a companion that orders nothing. heard: is told of each message"""

    def __init__(self, heard: Callable[[WorkerMessage], None]) -> None:
        self.send = heard

    def recv(self) -> dict[str, Any]:
        threading.Event().wait()
        raise EOFError


def test_a_camera_is_not_blamed_for_a_time_in_which_its_worker_stood_still(tmp_path: Path) -> None:
    """The first picture after a sleep comes later than the first look at how old the last one is."""
    times, told, sleeps, woken = Times(), list[StatusMessage](), threading.Event(), threading.Event()

    class Sleeper(worker_parts.Pictures):
        def frames(self) -> Iterator[Frame]:
            pictures = super().frames()
            yield from islice(pictures, 10)
            times.slept_s = 60.0
            sleeps.set()
            woken.wait(PATIENCE_S)
            yield from islice(pictures, 10)

    def heard(message: WorkerMessage) -> None:
        if isinstance(message, StatusMessage) and sleeps.is_set():
            told.append(message)
            woken.set()

    orders = Orders(WorkerConfig("camera", tmp_path / "board.toml"), lambda _: Parts(Sleeper(), ShotEveryTenth()), 0.0)
    Child(orders, cast(Connection, Line(heard)), times.clock).run()
    assert [message.state for message in told] == ["running", "ended"]


def test_pictures_come_only_while_somebody_asks(start: Start) -> None:
    worker = start(worker_parts.steady)
    quiet = collect(worker, lambda ms: len(shots(ms)) >= 2)
    assert not any(isinstance(m, PictureMessage) for m in quiet)
    worker.ask_for_pictures()
    asked = collect(worker, lambda ms: any(isinstance(m, PictureMessage) for m in ms))
    picture = next(m for m in asked if isinstance(m, PictureMessage))
    for jpeg in (picture.jpeg, picture.overlay):
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        assert image.shape == (worker_parts.SIZE[1], worker_parts.SIZE[0], 3)


def test_every_frame_comes_while_a_film_is_taken(start: Start) -> None:
    worker = start(worker_parts.steady)
    quiet = collect(worker, lambda ms: len(shots(ms)) >= 1)
    assert not any(isinstance(m, FilmMessage) for m in quiet)
    worker.ask_for_film(3)
    film = [m for m in collect(worker, lambda ms: len(ms) > 60) if isinstance(m, FilmMessage)]
    assert {m.film for m in film} == {3}
    assert np.diff([m.time_s for m in film]) == pytest.approx(1 / worker_parts.FPS)
    assert cv2.imdecode(np.frombuffer(film[0].jpeg, np.uint8), cv2.IMREAD_COLOR).shape[1::-1] == worker_parts.SIZE


def test_orders_reach_the_virtual_table_and_a_new_worker_finds_its_pucks_where_they_lay(start: Start) -> None:
    worker = start(worker_parts.table)
    collect(worker, lambda ms: len(shots(ms)) >= 1)
    worker.send({"do": "place", "puck": "red-1", "x_mm": 77.0})
    collect(worker, table_at(77.0))
    worker.send({"do": "crash"})
    collect(worker, lambda ms: has_event(SourceBack)(ms) and table_at(77.0)(ms))


def test_an_order_that_cannot_be_carried_out_is_told_and_costs_nothing(start: Start) -> None:
    worker = start(worker_parts.table)
    collect(worker, lambda ms: len(shots(ms)) >= 1)
    worker.send({"do": "place", "puck": "red-1"})
    messages = collect(worker, lambda ms: any(isinstance(m, TableMessage) and m.refused for m in ms))
    assert any("x_mm: expected a number" in m.refused for m in messages if isinstance(m, TableMessage))
    assert worker.restarts == 0


def table_at(x_mm: float) -> Callable[[list[WorkerMessage]], bool]:
    return lambda messages: any(isinstance(m, TableMessage) and m.pucks["red-1"][2] == x_mm for m in messages)


def test_stopping_ends_the_child_process(start: Start) -> None:
    worker = start(worker_parts.hangs_once)
    collect(worker, lambda ms: len(shots(ms)) >= 1)
    worker.stop()
    assert not worker.alive
