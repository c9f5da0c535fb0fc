"""How far a puck was shifted: told to a small part of a pixel, and not told where the puck is gone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frames import Image
from vision.registration import shift_px

RADIUS = 18.0
CENTRE = (60.0, 55.0)
NOISE = 2.0
CLOSE_PX = 0.06


def top(centre: tuple[float, float] | None, light: float = 1.0, turn_deg: float = 0.0, seed: int = 1) -> Image:
    """A top view with one puck that bears a number, drawn sixteen times finer than it is seen."""
    fine = 16
    rng = np.random.default_rng(7)
    ground = cv2.GaussianBlur(rng.uniform(60, 130, (120, 120, 3)).astype(np.float32), (0, 0), 6)
    canvas = cv2.resize(np.asarray(ground), None, fx=fine, fy=fine, interpolation=cv2.INTER_LINEAR)
    if centre is not None:
        x, y = round((centre[0] + 0.5) * fine), round((centre[1] + 0.5) * fine)
        cv2.circle(canvas, (x, y), round(RADIUS * fine), (40, 50, 190), -1)
        angle = np.deg2rad(turn_deg)
        for along in (-0.35, 0.0, 0.35):
            a = np.array([along, -0.45]), np.array([along, 0.25 + along])
            rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            ends = [tuple((np.array([x, y]) + rotation @ p * RADIUS * fine).astype(int).tolist()) for p in a]
            cv2.line(canvas, ends[0], ends[1], (235, 235, 235), 3 * fine)
    seen = cv2.resize(canvas, (120, 120), interpolation=cv2.INTER_AREA) * light
    noisy = seen + np.random.default_rng(seed).normal(0, NOISE, seen.shape)
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.25, -0.1), (-0.8, 0.6), (2.0, 1.5)])
@pytest.mark.parametrize("light", [1.0, 0.6])
def test_a_shift_is_told_whatever_the_light(shift: tuple[float, float], light: float) -> None:
    now = top((CENTRE[0] + shift[0], CENTRE[1] + shift[1]), light, seed=2)
    told = shift_px(top(CENTRE), now, CENTRE, RADIUS)
    assert told is not None
    assert told == pytest.approx(shift, abs=CLOSE_PX)


def test_a_puck_that_turned_a_little_on_its_way_is_told_too() -> None:
    told = shift_px(top(CENTRE), top((CENTRE[0] + 0.7, CENTRE[1]), turn_deg=4.0, seed=2), CENTRE, RADIUS)
    assert told is not None
    assert told == pytest.approx((0.7, 0.0), abs=2 * CLOSE_PX)


def test_nothing_is_told_where_the_puck_is_gone() -> None:
    assert shift_px(top(CENTRE), top(None, seed=2), CENTRE, RADIUS) is None


def test_nothing_is_told_of_a_puck_that_went_far() -> None:
    assert shift_px(top(CENTRE), top((CENTRE[0] + 12, CENTRE[1]), seed=2), CENTRE, RADIUS) is None


def test_nothing_is_told_at_the_edge_of_the_view() -> None:
    assert shift_px(top(CENTRE), top(CENTRE, seed=2), (8.0, 55.0), RADIUS) is None
