"""Cameras whose grey levels do not follow the light in proportion: told from shadows, and straightened."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import default_board_path, load_board
from tests.vision.film_score import decided
from tests.vision.grain import noisy
from vision.events import event_to_line
from vision.palette import painted
from vision.pipeline import Tracker
from vision.records import Record, toned_records
from vision.tone import (
    BENDS_MOST,
    TONE_EVERY_S,
    Levels,
    Straightener,
    ToneMeter,
    light_changed,
    reduced,
    straightened,
    toned,
)
from vision.virtual_table.director import Director
from vision.virtual_table.looks import look_for
from vision.virtual_table.table import VirtualTable

BOARD = load_board(default_board_path())
SHARE = np.arange(256) / 255.0


def levels(curve: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Levels:
    """What a camera makes of levels that light is a factor of. curve: shares 0 to 1."""
    return np.clip(255 * curve(SHARE) + 0.5, 0, 255).astype(np.uint8)


CRISP = levels(lambda v: 0.5 + 0.5 * np.tanh(2.2 * (v - 0.47)) / math.tanh(1.1))
HAZY = levels(lambda v: 0.18 + 0.7 * v)
PROPORTIONAL = levels(lambda v: 0.8 * v)


def looks(camera: Levels, *, brightest: float = 230.0, thing: bool = False, count: int = 12) -> ToneMeter:
    """A board of many paints under shadows that pass over it, as a camera with some noise gives it."""
    rng = np.random.default_rng(3)
    paints = cv2.resize(rng.uniform(15, brightest, (40, 40, 3)).astype(np.float32), (640, 640),
                        interpolation=cv2.INTER_NEAREST)  # fmt: skip
    y, x = np.mgrid[0:640, 0:640] / 640

    def seen(light: NDArray[np.float64] | float) -> NDArray[np.uint8]:
        lit = np.clip(paints * np.broadcast_to(np.asarray(light), (640, 640))[..., None], 0, 255)
        return noisy(toned(lit.astype(np.uint8), camera), 2.0, rng)

    meter, before = ToneMeter(), reduced(seen(1.0), (0, 0, 640, 640))
    for k in range(count):
        light = 1.0 - 0.35 * np.exp(-((x - k / count) ** 2 + (y - 0.4) ** 2) / 0.12)
        picture = seen(1.0 if thing else light)
        if thing:
            picture[100:500, 50 * k : 50 * k + 200] = (120, 150, 190)
        meter.look(reduced(picture, (0, 0, 640, 640)), before)
    return meter


@pytest.mark.parametrize("camera", [CRISP, HAZY])
def test_what_shadows_do_to_a_bent_camera_tells_its_levels(camera: Levels) -> None:
    curve = looks(camera).curve()
    assert curve is not None
    assert (np.diff(curve.astype(int)) >= 0).all()
    dark, light = np.arange(80, 200), np.arange(80, 200) * 0.75  # below that its levels follow its noise

    def ratios(levels: NDArray[np.float64]) -> NDArray[np.float64]:
        whole, dimmed = (np.interp(v, np.arange(256), levels) for v in (dark, light))
        return np.asarray(np.log(dimmed / whole))

    bent, straight = ratios(camera.astype(np.float64)), ratios(curve[camera].astype(np.float64))
    assert np.std(straight) < 0.35 * np.std(bent), "one light is nearly one factor, whatever it falls on"


@pytest.mark.parametrize(("camera", "sees"), [
    pytest.param(PROPORTIONAL, {}, id="its levels follow the light"),
    pytest.param(CRISP, {"count": 1}, id="too little was seen"),
    pytest.param(CRISP, {"thing": True}, id="a thing passes, and no shadow"),
    pytest.param(CRISP, {"brightest": 60.0}, id="in the dark alone"),
])  # fmt: skip
def test_a_camera_is_left_as_it_is_where_nothing_tells_otherwise(camera: Levels, sees: dict[str, Any]) -> None:
    assert looks(camera, **sees).curve() is None


def test_a_camera_that_is_known_to_be_straight_need_not_be_watched() -> None:
    assert looks(PROPORTIONAL, count=30).settled
    assert not looks(PROPORTIONAL, count=1).settled


def test_levels_that_follow_the_light_stay_as_they_are() -> None:
    assert np.abs(straightened(np.ones(24)).astype(int) - np.arange(256)).max() <= 1


def test_a_hand_alone_does_not_change_the_light() -> None:
    field = np.ones((20, 20, 3), np.float32)
    field[5:8, 5:10] = 0.6
    assert not light_changed(field)
    field[:, :8] = 0.9
    assert light_changed(field)


def test_what_is_kept_of_a_board_is_shown_in_the_new_levels() -> None:
    base = np.full((8, 8, 3), 100, np.uint8)
    part, light = np.full((4, 4, 3), 200, np.uint8), np.ones((1, 1, 3), np.float32)
    kept = [Record(0.1, (1, 1), (4, 4), light, base, part)]
    kept.append(Record(0.2, (0, 0), (8, 8), light, base, None, ((0, 0, part),)))
    first, second = toned_records(kept, CRISP)
    assert (first.patch == CRISP[200]).all()
    assert first.base is second.base
    assert (first.base == CRISP[100]).all()
    assert (second.tiles[0][2] == CRISP[200]).all()
    paints = painted(BOARD)
    shown = paints.toned(CRISP)
    for team in paints.names:
        expected = np.interp(paints.bgr(team), np.arange(256), CRISP.astype(np.float64))
        assert shown.bgr(team) == pytest.approx(expected, abs=0.01)


def test_shots_under_passing_shadows_are_told_by_a_bent_camera() -> None:
    """People lean over the board; of these four shots one was told wrongly before the levels were straightened."""
    look = replace(look_for("standard", 2), people=0.4, light_change=0.1)
    table = VirtualTable(BOARD, seed=2, look=look, layout="scattered", seconds=60.0, keep_positions=True, tidy=False)
    director, frames = Director(table, 4, 2), table.frames()
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, lens=table.lens)
    events = []
    while not director.done():
        director.step()
        frame = next(frames)
        events += tracker.update(replace(frame, image=toned(frame.image, CRISP)))
    events += tracker.finish()
    assert decided(table.truth(), [json.loads(event_to_line(e)) for e in events]) == ["right"] * 4


class TestStraightener:
    """From the looks of a film, one every while, in which shadows pass over a board."""

    @staticmethod
    def told(camera: Levels, every_s: float, count: int = 40) -> tuple[Straightener, list[Levels]]:
        rng = np.random.default_rng(3)
        paints = cv2.resize(rng.uniform(15, 230, (40, 40, 3)).astype(np.float32), (640, 640),
                            interpolation=cv2.INTER_NEAREST)  # fmt: skip
        y, x = np.mgrid[0:640, 0:640] / 640
        straightener, curves = Straightener(), list[Levels]()

        def seen(light: NDArray[np.float64] | float) -> NDArray[np.uint8]:
            lit = np.clip(paints * np.broadcast_to(np.asarray(light), (640, 640))[..., None], 0, 255).astype(np.uint8)
            return straightener.straight(noisy(toned(lit, camera), 2.0, rng))

        for k in range(count):
            light = 1.0 - 0.35 * np.exp(-((x - k / count) ** 2 + (y - 0.4) ** 2) / 0.12)
            field = np.repeat(cv2.resize(light, (20, 20))[..., None], 3, axis=2).astype(np.float32)
            curve = straightener.look(k * every_s, (seen(light), seen(1.0)), (0, 0, 640, 640), field)
            curves += [curve] if curve is not None else []
        return straightener, curves

    def test_a_bent_camera_is_straightened_once_and_little_is_left_to_do_after(self) -> None:
        straightener, curves = self.told(CRISP, TONE_EVERY_S)
        assert 1 <= len(curves) <= BENDS_MOST
        assert straightener.curve is not None
        whole = np.arange(256, dtype=np.uint8)
        for curve in curves:
            whole = curve[whole]
        assert (straightener.curve == whole).all(), "one curve does what all of them do, one after the other"

    def test_one_whose_levels_follow_the_light_is_left_alone(self) -> None:
        straightener, curves = self.told(PROPORTIONAL, TONE_EVERY_S)
        assert (straightener.curve, curves) == (None, [])
        picture = np.full((2, 2, 3), 77, np.uint8)
        assert straightener.straight(picture) is picture

    def test_looks_that_follow_each_other_too_fast_do_not_count(self) -> None:
        assert self.told(CRISP, TONE_EVERY_S / 100)[1] == []

    def test_in_the_same_light_there_is_nothing_to_learn(self) -> None:
        straightener = Straightener()
        picture, same = np.full((64, 64, 3), 77, np.uint8), np.ones((8, 8, 3), np.float32)
        assert straightener.look(1.0, (picture, picture), (0, 0, 64, 64), same) is None
