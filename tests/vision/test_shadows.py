"""What is a shadow and what is a thing, by how it changes what lies under it."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frames import Image
from vision.shadows import shadows, without_shadows

ROWS, COLUMNS = 300, 420
RADIUS = 7.5
AREA = math.pi * RADIUS**2
Picture = NDArray[np.float64]


def ground() -> Picture:
    """(ROWS, COLUMNS, 3) a blue sea with clouds in it, an island and printed lines."""
    rng = np.random.default_rng(4)
    clouds = cv2.resize(rng.uniform(0.85, 1.15, (15, 21)), (COLUMNS, ROWS), interpolation=cv2.INTER_CUBIC)
    picture = np.array([150.0, 110.0, 60.0]) * clouds[..., None]
    cv2.circle(picture, (300, 90), 50, (110.0, 160.0, 190.0), -1, cv2.LINE_AA)
    for x in (60, 200, 350):
        cv2.line(picture, (x, 0), (x, ROWS), (40.0, 40.0, 40.0), 1, cv2.LINE_AA)
    return picture


def frame(picture: Picture, seed: int) -> Image:
    return np.clip(picture + np.random.default_rng(seed).normal(0, 1.2, picture.shape), 0, 255).astype(np.uint8)


def shaded(picture: Picture, depth: float, rim_px: float) -> Picture:
    shade = np.zeros((ROWS, COLUMNS), np.float32)
    cv2.ellipse(shade, ((240, 150), (170.0, 110.0), 20.0), depth, -1, cv2.LINE_AA)
    return np.asarray(picture * (1 - cv2.GaussianBlur(shade, (0, 0), rim_px))[..., None])


def thing(picture: Picture, mask: NDArray[np.uint8], colour: tuple[float, float, float]) -> Picture:
    """A picture with something of one colour on it, as sharp as a camera shows it."""
    cover = cv2.GaussianBlur(mask.astype(np.float64), (0, 0), 0.7)[..., None]
    return np.asarray(picture * (1 - cover) + np.array(colour) * cover)


def puck_at(*places: tuple[int, int]) -> NDArray[np.uint8]:
    mask = np.zeros((ROWS, COLUMNS), np.uint8)
    for place in places:
        cv2.circle(mask, place, round(RADIUS), 1, -1)
    return mask


def change(now: Image, before: Image) -> NDArray[np.uint8]:
    """Where two frames differ by more than noise, and more than a fifth of what a soft light field would not follow."""
    gray = [cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), (3, 3), 0) for p in (now, before)]
    return np.asarray(cv2.threshold(cv2.absdiff(*gray), 9, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)


@pytest.mark.parametrize(
    ("depth", "rim_px"), [(0.25, 3.0), (0.35, 3.0), (0.25, 6.0), (0.35, 6.0), (0.55, 6.0), (0.35, 12.0), (0.55, 12.0)]
)
@pytest.mark.parametrize("gone", [False, True])
def test_a_shadow_is_one_when_it_comes_and_when_it_goes(depth: float, rim_px: float, gone: bool) -> None:
    light, dark = frame(ground(), 1), frame(shaded(ground(), depth, rim_px), 2)
    now, before = (light, dark) if gone else (dark, light)
    mask = change(now, before)
    assert cv2.countNonZero(mask) > 5 * AREA
    assert cv2.countNonZero(without_shadows(mask, now, before, RADIUS)) < 0.02 * cv2.countNonZero(mask)


@pytest.mark.parametrize(
    "colour", [(50.0, 50.0, 200.0), (60.0, 140.0, 60.0), (90.0, 90.0, 90.0), (25.0, 25.0, 25.0), (230.0, 235.0, 235.0)],
    ids=["red", "green", "grey", "black", "white"],
)  # fmt: skip
@pytest.mark.parametrize("places", [[(120, 200)], [(120, 200), (135, 200)]], ids=["one", "two that touch"])
def test_pucks_are_none(colour: tuple[float, float, float], places: list[tuple[int, int]]) -> None:
    before, now = frame(ground(), 1), frame(thing(ground(), puck_at(*places), colour), 2)
    assert shadows(change(now, before), now, before, RADIUS) is None


@pytest.mark.parametrize("darker", [0.12, 0.2, 0.3])
@pytest.mark.parametrize("places", [[(120, 200)], [(120, 200), (135, 200)]], ids=["one", "two that touch"])
def test_a_puck_of_the_grounds_own_hue_is_none(darker: float, places: list[tuple[int, int]]) -> None:
    colour = tuple((1 - darker) * np.array([150.0, 110.0, 60.0]))
    before, now = frame(ground(), 1), frame(thing(ground(), puck_at(*places), colour), 2)
    mask = change(now, before)
    assert cv2.countNonZero(mask) > 0.4 * AREA
    assert shadows(mask, now, before, RADIUS) is None


@pytest.mark.parametrize("length", [30, 80])
def test_the_streak_of_a_puck_of_the_grounds_own_hue_is_none(length: int) -> None:
    cover = np.mean([puck_at((120 + k, 200)) for k in range(length)], axis=0)[..., None]
    before, now = frame(ground(), 1), frame(ground() * (1 - 0.5 * cover), 2)
    mask = change(now, before)
    assert cv2.countNonZero(mask) > AREA
    assert shadows(mask, now, before, RADIUS) is None


def test_a_hand_is_none() -> None:
    arm = np.zeros((ROWS, COLUMNS), np.uint8)
    arm[:160, 100:140] = 1
    before, now = frame(ground(), 1), frame(thing(ground(), arm, (120.0, 140.0, 190.0)), 2)
    assert shadows(change(now, before), now, before, RADIUS) is None


def test_pucks_that_have_come_under_a_shadow_and_beside_it_are_left() -> None:
    before, places = frame(ground(), 1), [(60, 250), (240, 150), (200, 120)]
    now = frame(shaded(thing(ground(), puck_at(*places), (40.0, 40.0, 150.0)), 0.35, 6.0), 2)
    mask = change(now, before)
    left = without_shadows(mask, now, before, RADIUS)
    for place in places:
        assert left[puck_at(place) > 0].mean() > 0.6 * 255
    assert cv2.countNonZero(left) < 2 * len(places) * AREA < 0.2 * cv2.countNonZero(mask)


def test_a_mask_without_a_shadow_is_the_same_mask() -> None:
    before, now = frame(ground(), 1), frame(thing(ground(), puck_at((120, 200)), (50.0, 50.0, 200.0)), 2)
    mask = change(now, before)
    assert without_shadows(mask, now, before, RADIUS) is mask
