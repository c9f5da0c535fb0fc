"""The film of a shot: begins before the flick, ends after the rest, and stays small."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Frame
from vision.shot_film import BEFORE_FRAMES, MOST_FRAMES, WIDTH_PX, ShotFilm

FPS = 30.0


def frame(index: int, size: tuple[int, int] = (1280, 720)) -> Frame:
    image = np.full((size[1], size[0], 3), index % 250, np.uint8)
    return Frame(index, (index + 0.5) / FPS, image)


def filmed(still: range, action: range) -> ShotFilm:
    film = ShotFilm()
    for index in still:
        film.see(frame(index), still=True)
    for index in action:
        film.see(frame(index), still=False)
    return film


def test_the_film_begins_before_the_action_was_noticed() -> None:
    replay = filmed(range(60), range(60, 90)).cut(59.5 / FPS, 2.9)
    first = replay.times_s[0]
    assert first == (60 - BEFORE_FRAMES + 0.5) / FPS
    assert list(replay.times_s) == sorted(replay.times_s)
    assert len(replay.times_s) == len(replay.pictures)


def test_what_came_long_before_or_after_is_left_out() -> None:
    replay = filmed(range(0), range(300)).cut(4.0, 5.0)
    assert replay.times_s[0] >= 3.5
    assert replay.times_s[-1] <= 5.4


def test_pictures_are_small_and_keep_their_shape() -> None:
    replay = filmed(range(0), range(5)).cut(0.0, 0.1)
    picture = cv2.imdecode(np.frombuffer(replay.pictures[0], np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (360, WIDTH_PX, 3)


def test_small_frames_are_kept_as_they_are() -> None:
    film = ShotFilm()
    film.see(frame(0, (320, 200)), still=False)
    picture = cv2.imdecode(np.frombuffer(film.cut(0.0, 0.1).pictures[0], np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (200, 320, 3)


def test_frames_at_rest_after_the_shot_belong_to_it_for_a_moment() -> None:
    film = filmed(range(0), range(30))
    for index in range(30, 40):
        film.see(frame(index, (320, 200)), still=True)
    assert film.cut(0.2, 1.0).times_s[-1] > 1.2


def test_action_without_end_does_not_grow_without_end() -> None:
    film = ShotFilm()
    for index in range(MOST_FRAMES + 100):
        film.see(frame(index, (64, 36)), still=False)
    assert len(film.cut(0.0, 1e9).pictures) == MOST_FRAMES


def test_nothing_kept_is_an_empty_film() -> None:
    assert ShotFilm().cut(0.0, 1.0).pictures == ()
