"""The delay of verdicts is measured as a player feels it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from benchmarks.verdict import Call, WatchfulRenderer, delays, done_at, left_at
from calibration.board import default_board_path, load_board
from vision.events import Event, ShotEnded, ShotStarted
from vision.virtual_table.camera import make_lens, make_pose
from vision.virtual_table.handart import HandSeen
from vision.virtual_table.looks import CLEAN
from vision.virtual_table.physics import Puck
from vision.virtual_table.renderer import View

FRAME_S = 0.1


def test_a_frame_waits_until_the_tracker_is_done_with_those_before_it() -> None:
    calls = [Call(0.0, 0, 0), Call(0.1, 0, 0), Call(0.2, 0, 0), Call(0.5, 0, 0)]
    assert done_at(calls, [0.02, 0.25, 0.03, 0.01]) == pytest.approx([0.02, 0.35, 0.38, 0.51])


def test_a_hand_has_left_half_a_frame_after_the_last_that_shows_it_and_no_sooner_than_the_pucks_rest() -> None:
    assert left_at([0.8, 0.9, 1.0, 1.1], rest_s=0.95, frame_s=FRAME_S) == pytest.approx(1.15)
    assert left_at([0.5, 0.6], rest_s=0.95, frame_s=FRAME_S) == 0.95


def test_a_hand_that_comes_later_is_another_matter() -> None:
    assert left_at([1.0, 1.8, 1.9], rest_s=0.95, frame_s=FRAME_S) == pytest.approx(1.05)


def test_a_delay_is_the_films_time_and_what_the_tracker_took() -> None:
    events: tuple[Event, ...] = (ShotStarted(1.0, 1, "a", ()), ShotEnded(2.0, 1, ()))
    calls = [Call(2.0, 0.01, 0.01), Call(2.1, 0.01, 0.01), Call(2.2, 0.08, 0.12, events)]
    truth = {"fps": 10, "shots": [{"shot": 1, "t_start": 1.02, "t_rest": 2.0}, {"shot": 2, "t_start": 5, "t_rest": 6}]}
    (found,) = delays("film", calls, truth, hid=[2.0], seen=[2.0, 2.1])
    assert (found.waited_ms, found.wall_ms, found.cpu_ms) == pytest.approx((150, 230, 270))
    assert found.since_hand_ms == pytest.approx(50)


def test_it_is_known_when_a_hand_hides_a_puck() -> None:
    board = load_board(default_board_path())
    look = replace(CLEAN, size=(320, 180))
    pose = make_pose(board, make_lens(look.size, Random(1)), Random(1))
    watch = WatchfulRenderer(board, (), pose, look)
    watch.hid, watch.seen = [], []
    pucks = (Puck("red-1", "red", 1, 200.0, 325.0),)
    for moment, tip in ((1.0, (150.0, 325.0)), (2.0, (250.0, 325.0)), (3.0, (-600.0, 325.0))):
        watch.render(View(moment, pucks, (), (HandSeen(*tip, 0.0, 14.0),)))
    assert (watch.seen, watch.hid) == ([1.0, 2.0], [2.0])
