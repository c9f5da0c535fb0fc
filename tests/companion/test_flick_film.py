"""The film of a test flick as the companion keeps it: whole, at the camera's own rate, or refused in one line."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.board import default_board_path
from calibration.lens import CalibrationError
from companion.app import Companion
from companion.config import CompanionConfig
from companion.flick_film import PATIENCE_S, FlickFilm, images_of, rate_of
from tests.companion.fed_companion import Fed
from vision.worker_messages import FilmMessage

FPS = 24.0


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def frame(index: int, film: int = 1, missed: int = 0, last: bool = False) -> FilmMessage:
    image = np.full((48, 64, 3), 10 * index, np.uint8)
    return FilmMessage(film, index / FPS, cv2.imencode(".jpg", image)[1].tobytes(), missed, last)


def test_missed_frames_cost_neither_the_rate_nor_the_time() -> None:
    film = (frame(0), frame(1), frame(4, missed=2), frame(5, last=True))
    assert rate_of(film) == pytest.approx(FPS)
    assert [round(float(image.mean()) / 10) for image in images_of(film)] == [0, 1, 1, 1, 4, 5]


def test_a_film_is_given_once_when_it_is_whole() -> None:
    asked: list[int] = []
    film = FlickFilm(asked.append)
    film.begin()
    film.take(frame(0))
    film.take(frame(12))
    assert film.state() == (pytest.approx(0.5), False)
    with pytest.raises(CalibrationError, match="filmed, expected 8; wait"):
        film.finish()
    film.take(frame(18, last=True))
    assert film.state() == (pytest.approx(0.75), True)
    assert [one.time_s for one in film.finish()] == [0.0, 0.5, 0.75]
    with pytest.raises(CalibrationError, match="no test flick was begun"):
        film.finish()
    assert asked == [1]


def test_frames_of_a_film_that_was_given_up_are_passed_over() -> None:
    film = FlickFilm()
    film.begin()
    film.begin()
    film.take(frame(0, film=1, last=True))
    film.take(frame(6, film=2, last=True))
    assert [one.film for one in film.finish()] == [2]


def test_a_camera_that_gives_nothing_is_told() -> None:
    clock = Clock()
    film = FlickFilm(clock=clock)
    film.begin()
    clock.now += PATIENCE_S + 0.1
    with pytest.raises(CalibrationError, match="the camera gave no picture for 10 s"):
        film.state()


def test_the_companion_asks_its_camera_and_takes_the_frames_in(tmp_path: Path) -> None:
    fed = Fed()
    companion = Companion(CompanionConfig(tmp_path, default_board_path(), autoplay=False), fed)
    companion.flick_film.begin()
    assert fed.films == [1]
    companion.take(frame(0, last=True))
    assert companion.flick_film.state() == (0.0, True)
    companion.stop()
