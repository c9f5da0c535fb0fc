"""Frames that are given twice are told from a board that lies still."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.frames import Image
from vision.repeats import SURE, Repeats

ROWS, COLUMNS = 180, 240


def frame(number: int, noise: float = 1.5, moves: bool = True) -> Image:
    """A frame in which something goes 3 pixels further each time."""
    picture = np.full((ROWS, COLUMNS), 120.0)
    cv2.circle(picture, (20 + (3 * number if moves else 0), 90), 9, 40.0, -1, cv2.LINE_AA)
    return np.clip(picture + np.random.default_rng(number).normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def coded_again(image: Image, number: int) -> Image:
    """The same frame as a coder gives it once more: a pixel here and there a level or two off."""
    off = np.random.default_rng(1000 + number).integers(0, image.size, 40)
    again = image.copy()
    again.ravel()[off] += np.uint8(2)
    return again


def mended(image: Image, number: int) -> Image:
    """The same frame once more, in which a coder mends what it had left of the last motion: a few pixels there."""
    rng, again = np.random.default_rng(2000 + number), image.copy()
    rows, columns = rng.integers(82, 99, 9), 20 + 3 * number + rng.integers(-8, 9, 9)
    there = again[rows, columns]
    again[rows, columns] = np.where(there > 100, there - 8, there + 8)
    return again


def told(given: list[Image]) -> list[bool]:
    repeats = Repeats()
    return [repeats.repeated(image) for image in given]


@pytest.mark.parametrize("again", [coded_again, mended])
def test_each_second_frame_is_left_out_once_it_is_known_that_all_come_twice(
    again: Callable[[Image, int], Image],
) -> None:
    given = [image for n in range(20) for image in (frame(n), (coded_again if n < SURE + 1 else again)(frame(n), n))]
    left_out = told(given)
    known = 2 * SURE + 2
    assert not any(left_out[:known])
    assert left_out[known:] == [k % 2 == 1 for k in range(known, len(given))]


def test_it_takes_twice_as_long_from_frame_to_frame_then() -> None:
    repeats = Repeats()
    for n in range(20):
        for image in (frame(n), frame(n)):
            repeats.repeated(image)
    assert repeats.stretch == pytest.approx(2.0, rel=0.1)


def test_one_repeat_in_six_is_left_out_and_changes_nothing_else() -> None:
    repeats, before, left_out = Repeats(), frame(0), []
    for n in range(60):
        before = frame(n) if n % 6 != 5 else before
        left_out.append(repeats.repeated(before))
    assert left_out[24:] == [n % 6 == 5 for n in range(24, 60)]
    assert repeats.stretch == 1.0


@pytest.mark.parametrize("noise", [0.0, 0.5, 2.0])
def test_frames_that_all_differ_are_all_looked_at(noise: float) -> None:
    assert not any(told([frame(n, noise) for n in range(60)]))


@pytest.mark.parametrize("noise", [0.0, 2.0])
def test_a_board_that_lies_still_between_hands_is_looked_at(noise: float) -> None:
    given = [frame(n, noise, moves=n // 10 % 2 == 1) for n in range(100)]
    assert not any(told(given))


def test_a_hand_that_pauses_for_a_frame_now_and_then_is_no_camera_that_repeats() -> None:
    given, before = list[Image](), frame(0)
    for n in range(200):
        before = coded_again(before, n) if n % 40 == 39 else frame(n)
        given.append(before)
    assert not any(told(given))


def test_a_hand_that_stays_is_looked_at_even_where_some_frames_come_twice() -> None:
    """One that aims before a camera of few frames, too, whose short pauses were taken for repeats: all frames count."""
    given = [frame(n) for n in range(40)]
    for n in (9, 19, 29, 39):
        given[n] = coded_again(given[n - 1], n)
    left_out = told([*given, *(coded_again(given[-1], 100 + n) for n in range(20))])
    assert any(left_out[:40])
    assert not any(left_out[41:])


def test_a_hand_that_often_pauses_for_a_frame_is_no_camera_that_repeats() -> None:
    """At fifteen frames a second it does: hardly anything differs then, but for what noise and coding make."""
    given, before = list[Image](), frame(0)
    for n in range(66):
        before = mended(before, n - 1) if n % 3 == 2 else frame(n)
        given.append(before)
    assert not any(told(given))


def test_a_small_thing_that_moves_on_where_a_large_one_has_stopped_is_no_repeat() -> None:
    """A hand that has flicked a puck stays where it is, and the puck runs: real frames, after many that came twice."""
    given = [image for n in range(12) for image in (frame(n), frame(n))]
    hand = frame(12)
    hand[:, 200:] = 200
    runs = []
    for k in range(6):
        picture = hand.copy()
        cv2.circle(picture, (90 + 8 * k, 30), 3, 30, -1)
        runs.append(picture)
    assert not any(told([*given, *runs])[len(given) :])


def test_a_frame_after_the_light_has_jumped_is_no_repeat_for_long() -> None:
    """All pixels differ where the light is switched on: what moves then does so in few of them."""
    given = [image for n in range(8) for image in (frame(n), frame(n))]
    bright = [np.asarray(np.clip(frame(n).astype(int) + 60, 0, 255), dtype=np.uint8) for n in range(8, 14)]
    left_out = told([*given, *(image for b in bright for image in (b, b))])
    assert left_out[16:] == [k % 2 == 1 for k in range(16, len(left_out))]


def test_no_two_frames_one_after_another_are_left_out() -> None:
    given = [image for n in range(12) for image in (frame(n), frame(n))] + [frame(12)] * 20
    left_out = told(given)
    assert any(left_out)
    assert not any(a and b for a, b in itertools.pairwise(left_out))


def test_a_picture_of_another_size_begins_anew() -> None:
    repeats = Repeats()
    for n in range(10):
        for image in (frame(n), frame(n)):
            repeats.repeated(image)
    assert not repeats.repeated(frame(10)[:100])
