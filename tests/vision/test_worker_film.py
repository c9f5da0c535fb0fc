"""A film of every frame: in order, without gaps that are not told, and with an end."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Frame
from vision.pacing import capacity_for
from vision.worker_film import WorkerFilm
from vision.worker_messages import FilmMessage

FPS = 30.0
LARGE = (3840, 2160)  # of which only a few may wait


def frame(index: int, size: tuple[int, int] = (64, 48), missed: int = 0) -> Frame:
    image = np.full((size[1], size[0], 3), 10 * (index % 20), np.uint8)
    return Frame(index, (index + 0.5) / FPS, image, missed)


def all_of(film: WorkerFilm) -> list[FilmMessage]:
    """What comes until the film's last frame."""
    taken: list[FilmMessage] = []
    while not (taken and taken[-1].last):
        taken += film.ready()
    return taken


def test_every_frame_comes_in_order_until_the_time_is_over() -> None:
    film = WorkerFilm(seconds=0.5)
    film.see(frame(0))
    film.ask(1)
    for index in range(1, 40):
        film.see(frame(index, missed=2 if index in (1, 4) else 0))
    taken = all_of(film)
    assert [round(one.time_s * FPS - 0.5) for one in taken] == list(range(1, 17))
    assert [one.missed for one in taken] == [0, 0, 0, 2, *[0] * 12]
    assert {one.film for one in taken} == {1}
    shown = [cv2.imdecode(np.frombuffer(one.jpeg, np.uint8), cv2.IMREAD_COLOR) for one in taken]
    assert [round(float(image.mean()) / 10) for image in shown] == list(range(1, 17))
    assert list(film.ready()) == []


def test_a_film_that_is_asked_for_anew_begins_anew() -> None:
    film = WorkerFilm(seconds=0.2)
    film.ask(1)
    film.see(frame(0))
    film.ask(2)
    for index in range(3, 20):
        film.see(frame(index))
    taken = all_of(film)
    assert {one.film for one in taken} == {2}
    assert taken[0].time_s == frame(3).time_s


def test_where_encoding_lags_frames_are_left_out_and_counted() -> None:
    film = WorkerFilm(seconds=1.0)
    film.ask(1)
    may_wait = capacity_for(LARGE)
    for index in range(20):  # nothing is fetched meanwhile: no more may wait
        film.see(frame(index, LARGE))
    taken: list[FilmMessage] = []
    while len(taken) < may_wait:
        taken += film.ready()
    film.see(frame(30, LARGE))
    taken += all_of(film)
    assert [one.missed for one in taken] == [0] * may_wait + [20 - may_wait]
