"""What counts as a change: things do, light and noise do not."""

from __future__ import annotations

import itertools
import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import Scene, camera_over
from vision.clipping import changed_in_light, small_at_rest, unlike
from vision.differencing import (
    CHANGE_MAX,
    CHANGE_MIN,
    STEP,
    NoiseMeter,
    changed,
    coarse_change,
    coarse_picture,
    in_light,
    light_field,
    light_gain,
    mean_colour,
    small_gray,
    steady_light,
)
from vision.frames import Image

BOARD = load_board(default_board_path())
POSE = camera_over(BOARD)
ROI, LIGHT_STEP = (0, 0, 1280, 720), 4
NEWCOMER = (325.0, 480.0)
PUCKS = [("red", 3, (88.0, 325.0, 40.0)), ("green", 7, (562.0, 325.0, 200.0))]
MM = float(np.linalg.norm(np.diff(POSE.image_from_board(np.array([[320.0, 325, 0], [330.0, 325, 0]])), axis=0))) / 10
PUCK_AREA = math.pi * (BOARD.puck.radius_mm * MM / STEP) ** 2  # pixels of the small grey pictures


def board_picture(extra: bool = False) -> Image:
    pucks = [*PUCKS, ("red", 5, (*NEWCOMER, 10.0))] if extra else PUCKS
    return Scene(BOARD, POSE, pucks=list(pucks), noise=1.5).picture()


def coarse(picture: Image) -> NDArray[np.float32]:
    return coarse_picture(picture, ROI, LIGHT_STEP)


@pytest.fixture(scope="module")
def at_rest() -> Image:
    return board_picture()


@pytest.fixture(scope="module")
def with_newcomer() -> Image:
    return board_picture(extra=True)


def shadow(share: float, soft_px: float) -> NDArray[np.float32]:
    """Light over a frame whose left half lies in a shadow with a soft rim."""
    x = np.arange(1280, dtype=np.float32)
    row = 1 - share / (1 + np.exp((x - 640) / (soft_px / 4)))
    return np.asarray(np.repeat(row[None, :, None], 720, axis=0), dtype=np.float32)


def lit(image: Image, light: NDArray[np.float32] | float) -> Image:
    return np.asarray(np.clip(image * light, 0, 255), dtype=np.uint8)


def change_of(now: Image, before: Image) -> NDArray[np.uint8]:
    field = coarse_change(coarse(now), coarse(before)).light()
    return changed_in_light(small_gray(now, ROI), small_at_rest(before, ROI), field, CHANGE_MIN)


def puck_shares(mask: NDArray[np.uint8]) -> float:
    """How many pucks' area a mask covers."""
    return cv2.countNonZero(mask) / PUCK_AREA


@pytest.mark.parametrize("roi", [(100, 30, 1100, 701), (101, 31, 1102, 700)])
@pytest.mark.parametrize("step", [1, 2, 3, 4])
def test_a_small_grey_picture_is_of_every_so_many_th_pixel(
    at_rest: Image, roi: tuple[int, int, int, int], step: int
) -> None:
    x0, y0, x1, y1 = roi = (*roi[:2], roi[2] - (roi[2] - roi[0]) % step, roi[3] - (roi[3] - roi[1]) % step)
    gray = np.ascontiguousarray(cv2.cvtColor(at_rest, cv2.COLOR_BGR2GRAY)[y0:y1:step, x0:x1:step])
    assert np.array_equal(small_gray(at_rest, roi, step), cv2.GaussianBlur(gray, (3, 3), 0))


@pytest.mark.parametrize("seed", range(5))
def test_the_mean_of_three_colours_is_numpys_to_the_last_bit(seed: int) -> None:
    colours = (np.random.default_rng(seed).random((31, 43, 3)) * 10.0 ** (seed - 2)).astype(np.float32)
    assert mean_colour(colours).tolist() == colours.mean(axis=2).tolist()


@pytest.mark.parametrize("share", [0.15, 0.3, 0.45])
def test_a_soft_shadow_over_half_the_board_is_no_change(at_rest: Image, share: float) -> None:
    assert puck_shares(change_of(lit(at_rest, shadow(share, 160.0)), at_rest)) < 0.1


@pytest.mark.parametrize(("was", "light"), [(1.0, 0.5), (1.0, 0.8), (0.7, 1.0)], ids=["half", "dimmer", "brighter"])
def test_light_that_changes_all_over_is_no_change(at_rest: Image, was: float, light: float) -> None:
    now, before = lit(at_rest, light), lit(at_rest, was)
    assert light_gain(small_gray(now, ROI), small_gray(before, ROI)) == pytest.approx(light / was, rel=0.03)
    assert puck_shares(change_of(now, before)) < 0.1


@pytest.mark.parametrize("share", [0.0, 0.3, 0.45])
def test_a_puck_that_came_is_a_change_in_shadow_too(at_rest: Image, with_newcomer: Image, share: float) -> None:
    mask = change_of(lit(with_newcomer, shadow(share, 160.0)), at_rest)
    assert 0.5 < puck_shares(mask) < 1.6  # its side and its number are a part of it, or not
    ys, xs = np.nonzero(mask)
    place = POSE.image_from_board(np.array([[*NEWCOMER, 0.0]]))[0] / STEP
    assert math.dist((xs.mean(), ys.mean()), place) < BOARD.puck.radius_mm * MM / STEP / 2


def as_bright_as_the_board(at_rest: Image, share: float, noise: float) -> Image:
    """A dim board over which something as bright as the board passes, so quickly that it hides only a share of it."""
    now = at_rest.astype(np.float64)
    strip = now[320:350, 600:690]
    thing = strip + np.array([-45.0, 0.0, 45.0 * 0.114 / 0.299])  # bluer or redder, of the same grey
    now[320:350, 600:690] = (1 - share) * strip + share * thing
    return np.asarray(np.clip(0.4 * now + np.random.default_rng(4).normal(0, noise, now.shape), 0, 255), np.uint8)


def test_a_streak_as_bright_as_the_board_shows_by_its_colour(at_rest: Image) -> None:
    before, now = as_bright_as_the_board(at_rest, 0.0, 2.0), as_bright_as_the_board(at_rest, 0.7, 2.0)
    assert puck_shares(change_of(now, before)[150:185, 290:355]) < 0.05  # its grey tells nothing
    rows, columns = np.nonzero(coarse_change(coarse(now), coarse(before)).recoloured())
    found = set(zip(rows.tolist(), columns.tolist(), strict=True))
    assert {(10, 19), (10, 20)} <= found <= {(row, column) for row in (9, 10, 11) for column in range(18, 23)}


@pytest.mark.parametrize("share", [0.15, 0.3, 0.45])
def test_a_shadow_and_other_light_recolour_nothing(at_rest: Image, share: float) -> None:
    warm = shadow(share, 160.0) * np.array([0.9, 1.0, 1.1], np.float32)
    change = coarse_change(coarse(lit(at_rest, warm)), coarse(at_rest))
    assert not change.recoloured().any()


def test_two_pictures_of_a_still_board_do_not_differ(at_rest: Image) -> None:
    again = np.clip(at_rest + np.random.default_rng(2).normal(0, 1.5, at_rest.shape), 0, 255).astype(np.uint8)
    assert puck_shares(changed(small_gray(again, ROI), small_gray(at_rest, ROI), CHANGE_MIN)) < 0.1


def test_a_hand_does_not_count_for_the_light(at_rest: Image) -> None:
    hand = at_rest.copy()
    cv2.rectangle(hand, (500, 300), (780, 719), (120, 150, 205), -1)
    change = coarse_change(coarse(hand), coarse(at_rest))
    field = change.light()
    assert change.overall == pytest.approx([1.0, 1.0, 1.0], abs=0.02)
    columns = field.shape[1]
    assert np.abs(field[:, : columns // 4] - 1).max() < 0.05


@pytest.mark.parametrize("noise", [1.0, 3.0, 6.0])
def test_the_threshold_rises_with_the_cameras_noise(noise: float) -> None:
    rng, meter = np.random.default_rng(1), NoiseMeter()
    pictures = [np.clip(120 + rng.normal(0, noise, (360, 640)), 0, 255).astype(np.uint8) for _ in range(60)]
    for before, now in itertools.pairwise(pictures):
        meter.update(now, before)
    assert CHANGE_MIN <= meter.threshold <= CHANGE_MAX
    deviation = noise * math.sqrt(2)  # of the difference of two pictures
    assert meter.threshold > min(3 * deviation, CHANGE_MAX * 0.99)


def test_something_that_moves_does_not_pass_for_noise() -> None:
    rng, meter = np.random.default_rng(1), NoiseMeter()
    for k in range(60):
        now, before = (np.clip(120 + rng.normal(0, 1, (360, 640)), 0, 255).astype(np.uint8) for _ in range(2))
        now[100:160, 10 * k : 10 * k + 60] = 250
        meter.update(now, before)
    assert meter.threshold < 1.5 * CHANGE_MIN


def test_the_light_between_two_views_is_smooth_and_a_thing_is_outvoted(at_rest: Image) -> None:
    now = lit(at_rest, shadow(0.3, 300.0))
    cv2.circle(now, (900, 300), 25, (200, 200, 200), -1)
    field = light_field(now, at_rest)
    assert field.shape == (720, 1280, 3)
    assert float(field[360, 100].mean()) == pytest.approx(0.7, abs=0.03)
    assert float(field[300, 900].mean()) == pytest.approx(1.0, abs=0.05)


def discs(at: list[tuple[int, int]]) -> Image:
    """Black pucks on a light ground."""
    picture = np.full((720, 1280, 3), 170, np.uint8)
    for x, y in at:
        cv2.circle(picture, (x, y), 11, (32, 30, 28), -1, cv2.LINE_AA)
    return picture


def test_black_pucks_that_leave_are_no_light_that_is_switched_on() -> None:
    """They change no hue, and cover less than half of a block."""
    before, after = discs([(400, 300), (404, 328)]), discs([(700, 500)])
    by_means = coarse(after) / coarse(before)
    assert np.abs(by_means - 1).max() > 0.3
    assert np.abs(steady_light(after, before, ROI, LIGHT_STEP) - 1).max() < 0.02


@pytest.mark.parametrize("share", [0.15, 0.35])
def test_a_shadow_is_light_still(share: float) -> None:
    picture = board_picture()
    shaded = np.clip(picture * shadow(share, 60.0), 0, 255).astype(np.uint8)
    ratio = steady_light(shaded, picture, ROI, LIGHT_STEP)
    assert float(np.median(ratio[:, :10])) == pytest.approx(1 - share, abs=0.04)
    assert float(np.median(ratio[:, -10:])) == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("gain", [(1.0, 1.0, 1.0), (0.4, 0.7, 1.3), (2.6, 1.01, 0.999)])
def test_one_gain_for_all_of_a_picture_is_the_same_as_a_gain_for_each_pixel(gain: tuple[float, ...]) -> None:
    picture = np.random.default_rng(7).integers(0, 256, (60, 80, 3), dtype=np.uint8)
    each = np.broadcast_to(np.array(gain), picture.shape)
    assert (in_light(picture, np.array(gain)) == in_light(picture, each)).all()


GREY, WHITE = 120, 255


@pytest.mark.parametrize(("was", "now", "differs"), [
    pytest.param(WHITE, WHITE, False, id="a lamp's reflection stays white in a shadow"),
    pytest.param(WHITE, 235, False, id="or shows a little less than white"),
    pytest.param(WHITE, 150, True, id="something darker lies there"),
    pytest.param(GREY, GREY, True, id="what was told by its level should be darker now"),
    pytest.param(GREY, 96, False, id="and is"),
])  # fmt: skip
def test_what_was_as_bright_as_a_camera_tells_differs_where_it_is_darker_only(
    was: int, now: int, differs: bool
) -> None:  # fmt: skip
    before, after = (np.full((20, 30, 3), level, np.uint8) for level in (was, now))
    lit = np.full((20, 30, 3), round(0.8 * was), np.uint8)
    off = unlike(after, lit, before)
    assert off.shape == before.shape
    assert bool((off > CHANGE_MIN).all()) == differs
    assert bool((off > CHANGE_MIN).any()) == differs


def test_each_colour_is_clipped_by_itself() -> None:
    levels = ((255, 100, 100), (200, 80, 80), (255, 100, 80))
    before, lit, after = (np.full((4, 4, 3), three, np.uint8) for three in levels)
    assert unlike(after, lit, before)[0, 0].tolist() == [0, 20, 0]


def test_a_lamps_reflection_tells_no_light(at_rest: Image) -> None:
    spot = np.zeros(at_rest.shape[:2], np.float32)
    cv2.circle(spot, (520, 400), 60, 400.0, -1)
    glare = cv2.GaussianBlur(spot, (0, 0), 6)[..., None]
    rested, shaded = (np.clip(light * at_rest + glare, 0, 255).astype(np.uint8) for light in (1.0, 0.8))
    blocks = [coarse(picture) for picture in (shaded, rested)]
    change = coarse_change(*blocks)
    white = np.minimum(*blocks).min(axis=2) > 245
    assert white.sum() > 5
    assert not change.is_light[white].any()
    assert change.light()[white].max() < 0.92  # its skirt tells some
    mask = changed_in_light(small_gray(shaded, ROI), small_at_rest(rested, ROI), change.light(), CHANGE_MIN)
    assert not mask[small_gray(shaded, ROI) > 250].any()


FINE_ROI = (0, 0, 128, 72)


def fine_white(light: float, finger: bool = False) -> Image:
    """White lines, four pixels apart, far brighter than a camera tells, that a small picture mixes with the ground."""
    paper = np.full((72, 128, 3), 90, np.float32)
    paper[20:50:4, 30:100] = 420.0
    picture = np.clip(paper * light, 0, 255).astype(np.uint8)
    if finger:
        picture[25:45, 40:60] = (90, 120, 170)
    return picture


def changed_white(was: float, now: float, finger: bool = False) -> Image:
    rest = small_at_rest(fine_white(was), FINE_ROI, 1)
    field = np.full((3, 5, 3), now / was, np.float32)
    return changed_in_light(small_gray(fine_white(now, finger), FINE_ROI, 1), rest, field, CHANGE_MIN)


@pytest.mark.parametrize(("was", "now"), [(1.0, 0.8), (1.0, 1.3), (0.55, 0.8), (0.8, 0.5)])
def test_fine_white_that_is_brighter_than_a_camera_tells_is_no_change_in_another_light_but_a_finger_on_it_is(
    was: float, now: float
) -> None:
    assert not changed_white(was, now).any()
    off = changed_white(was, now, finger=True)
    assert off[26:44, 41:59].mean() > 0.5 * 255
    assert not off[:, 70:].any()


def test_white_that_a_camera_does_not_clip_differs_where_it_does_not_follow_the_light() -> None:
    rest = small_at_rest(fine_white(0.5), FINE_ROI, 1)
    assert rest.clipped is None
    off = changed_in_light(rest.gray, rest, np.full((3, 5, 3), 0.8, np.float32), CHANGE_MIN)
    assert off[20:50, 32:98].any()
    assert not changed_in_light(rest.gray, rest, np.ones((3, 5, 3), np.float32), CHANGE_MIN).any()


@pytest.mark.parametrize("level", [242, 248, 255])
def test_a_board_as_bright_as_a_camera_tells_is_in_the_light_in_which_it_was(level: int) -> None:
    pale = np.full((720, 1280, 3), (200, 225, level), np.uint8)
    blocks = coarse(pale)
    assert coarse_change(blocks, blocks).light() == pytest.approx(1.0, abs=1e-3)
