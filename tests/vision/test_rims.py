"""Shadows with a rim are divided out of frames; pucks, hands and sleeves beside them are not."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import default_board_path, load_board
from tests.vision.grain import noisy
from tests.vision.test_pipeline import lying
from vision.clipping import changed_in_light, small_at_rest
from vision.differencing import CHANGE_MIN, coarse_change, coarse_picture, small_gray
from vision.events import Event, event_to_line
from vision.frames import Frame, Image
from vision.pipeline import Tracker
from vision.rims import FRAMES, Shadows
from vision.virtual_table.physics import Material
from vision.virtual_table.table import VirtualTable

Picture = NDArray[np.float64]

WIDTH, HEIGHT = 1280, 720
ROI, LIGHT_STEP = (140, 10, 1140, 710), 4
FELT, RED, BLACK, GREY = (150, 110, 60), (40, 40, 190), (25, 25, 25), (120, 125, 130)
RADIUS = 25.0  # of a puck, pixels
AREA = math.pi * RADIUS**2 / 4  # in pixels of the small grey picture
PLAYED = ["shot_started", "contact", "shot_ended"]
MIDDLE, AXES = (700.0, 330.0), (270.0, 180.0)  # of the shadow


@cache
def board() -> Picture:
    """(HEIGHT, WIDTH, 3) a cloth with darker and brighter parts, printed lines and a bright field."""
    rng = np.random.default_rng(5)
    cloth = cv2.resize(rng.uniform(0.85, 1.15, (36, 64)), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    picture = cloth[..., None] * np.array(FELT, dtype=np.float64)
    cv2.circle(picture, (820, 360), 90, (150, 190, 210), -1)
    cv2.circle(picture, (820, 360), 150, (40, 30, 20), 4)
    cv2.rectangle(picture, (200, 60), (1080, 660), (230, 230, 230), 5)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.9), dtype=np.float64)


def shadow(dark: float = 0.4, rim_px: float = 12.0, larger: float = 1.0) -> Picture:
    """(HEIGHT, WIDTH, 1) what is left of the light."""
    mask = np.zeros((HEIGHT, WIDTH))
    cv2.ellipse(mask, (MIDDLE, (2 * larger * AXES[0], 2 * larger * AXES[1]), 0.0), dark, -1)
    return np.asarray(1 - cv2.GaussianBlur(mask, (0, 0), rim_px / 2), dtype=np.float64)[..., None]


def puck(picture: Picture, at: tuple[int, int], colour: tuple[int, int, int]) -> Picture:
    """The picture with a puck on it."""
    disc = np.zeros((HEIGHT, WIDTH))
    cv2.circle(disc, at, round(RADIUS), 1.0, -1)
    return laid_over(picture, disc, colour)


def laid_over(picture: Picture, mask: Picture, colour: tuple[int, int, int]) -> Picture:
    """The picture with a colour where a mask is 1, as sharp as a camera sees it."""
    share = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.9), dtype=np.float64)[..., None]
    return np.asarray(picture * (1 - share) + share * np.array(colour))


def seen(picture: Picture, number: int = 0) -> Image:
    """The picture as a camera gives it."""
    return noisy(picture, 1.5, np.random.default_rng(number))


def coarse(picture: Image) -> NDArray[np.float32]:
    return coarse_picture(picture, ROI, LIGHT_STEP)


def differs(now: Image, rested: Image) -> Image:
    """(rows, columns) of 0 and 255: where a frame differs from the board at rest, light of blocks divided out."""
    change = coarse_change(coarse(now), coarse(rested))
    return changed_in_light(small_gray(now, ROI), small_at_rest(rested, ROI), change.light(), CHANGE_MIN)


def divided_out(now: Image, rested: Image, shadows: Shadows | None = None) -> Image:
    change = coarse_change(coarse(now), coarse(rested))
    return (shadows or Shadows()).divided_out(now, rested, change, ROI)


@pytest.mark.parametrize(
    ("dark", "rim_px"), [(0.3, 8.0), (0.4, 8.0), (0.5, 8.0), (0.3, 12.0), (0.4, 12.0), (0.5, 12.0), (0.5, 18.0)]
)
def test_a_rim_is_taken_out(dark: float, rim_px: float) -> None:
    rested, now = seen(board()), seen(board() * shadow(dark, rim_px), 1)
    before, after = (cv2.countNonZero(differs(one, rested)) for one in (now, divided_out(now, rested)))
    assert before > 3 * AREA
    assert after < 0.06 * before
    assert rim_px < 12 or after < 0.2 * AREA


@pytest.mark.parametrize("dark", [0.3, 0.4])
@pytest.mark.parametrize("larger", [1.0, 1.7, 2.0])  # from a fifth of the board to three quarters
def test_so_is_that_of_a_shadow_that_has_left_and_then_the_frame_as_it_came_is_the_brighter_one(
    dark: float, larger: float
) -> None:
    rested, now = seen(board() * shadow(dark, larger=larger), 1), seen(board(), 2)
    shadows = Shadows()
    even = divided_out(now, rested, shadows)
    before, after = (cv2.countNonZero(differs(one, rested)) for one in (now, even))
    assert after < (0.2 * AREA if larger == 1.0 else 0.1 * before)  # where it ends at the picture's edge some is left
    assert even.mean() < now.mean()  # and nothing is made brighter than it came, where it might be cut off
    assert shadows.left(even) is now
    assert shadows.left(now) is None
    darker = divided_out(rested, now, shadows)
    assert darker is not rested
    assert shadows.left(darker) is None


@pytest.mark.parametrize("colour", [RED, BLACK, GREY])
@pytest.mark.parametrize("across", [-1.0, 0.0, 1.0])
def test_a_puck_on_a_rim_is_seen_nearly_as_well_as_by_day(colour: tuple[int, int, int], across: float) -> None:
    at = (round(MIDDLE[0] - AXES[0] + across * RADIUS), round(MIDDLE[1]))
    rested = seen(board())
    bright, now = seen(puck(board(), at, colour), 1), seen(puck(board(), at, colour) * shadow(), 2)
    by_day = cv2.countNonZero(differs(bright, rested))
    assert by_day > 0.4 * AREA  # red paint is nearly as bright as the cloth
    assert cv2.countNonZero(differs(divided_out(now, rested), rested)) > 0.6 * by_day  # of the light so much is left


def sleeve(colour: tuple[int, int, int]) -> Picture:
    """The board under an arm that is as large as a shadow, but not as soft."""
    mask = np.zeros((HEIGHT, WIDTH))
    cv2.ellipse(mask, (MIDDLE, (2 * AXES[0], 2 * AXES[1]), 0.0), 1.0, -1)
    return laid_over(board(), mask, colour)


@pytest.mark.parametrize(
    "picture",
    [lambda: board() * shadow(0.3, 90.0), lambda: puck(board(), (500, 300), BLACK), lambda: sleeve((60, 60, 70)),
     lambda: sleeve((100, 80, 50))],
    ids=["soft", "puck", "grey sleeve", "sleeve of nearly the cloth's hue"],
)  # fmt: skip
def test_all_else_stays_as_it_came(picture: Callable[[], Picture]) -> None:
    now = seen(picture(), 1)
    assert divided_out(now, seen(board())) is now


def test_an_arm_of_a_shadows_own_colour_still_differs_at_its_edge() -> None:
    rested, now = seen(board()), seen(sleeve((90, 66, 36)), 1)
    before, after = (cv2.countNonZero(differs(one, rested)) for one in (now, divided_out(now, rested)))
    assert after > 0.5 * before > 10 * AREA


def test_some_frames_after_the_last_rim_frames_are_left_alone() -> None:
    rested, soft = seen(board()), seen(board() * shadow(0.3, 90.0), 1)
    shadows = Shadows()
    sharp = seen(board() * shadow(), 2)
    assert divided_out(sharp, rested, shadows) is not sharp
    untouched = [divided_out(soft, rested, shadows) is soft for _ in range(FRAMES + 1)]
    assert untouched == [False] * (FRAMES - 1) + [True] * 2


def under_a_head(image: Image, come: float, axes: tuple[float, float] = (0.5, 0.5)) -> Image:
    """A frame while a head has come so far, 0 to 1, between lamp and board. axes: of its shadow, of the picture's"""
    h, w = image.shape[:2]
    mask = np.full((h, w), 255, np.uint8)
    cv2.ellipse(mask, ((0.5 * w, (1.7 - come) * h), (axes[0] * w, axes[1] * h), 20.0), 153, -1)
    light = cv2.GaussianBlur(mask, (0, 0), 6 * w / 1280)
    return np.asarray(cv2.multiply(image, cv2.merge([light] * 3), scale=1 / 255, dtype=cv2.CV_8U), dtype=np.uint8)


def for_a_while(time_s: float) -> float:
    return min(max(time_s - 0.4, 0.0) / 0.4, 1.0, max(3.0 - time_s, 0.0) / 0.4)


def for_good(time_s: float) -> float:
    return min(max(time_s - 0.4, 0.0) / 0.4, 1.0)


def at_first(time_s: float) -> float:
    return min(max(1.6 - time_s, 0.0) / 0.4, 1.0)


def played_under_a_shadow(
    come: Callable[[float], float] = for_a_while, size: tuple[int, int] = (WIDTH, HEIGHT), **head: tuple[float, float]
) -> list[str]:
    """A hit while somebody's head is between lamp and board. come: how far, by the time. -> types of what is told"""
    pucks = [lying("red-1", 150, 450), lying("green-1", 230, 458), lying("green-2", 160, 160), lying("red-2", 400, 540)]
    board = load_board(default_board_path())
    table = VirtualTable(board, size=size, seed=4, pucks=pucks, reefs=(), material=Material())
    tracker = Tracker(table.board, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    events: list[Event] = []
    flicked = False
    for frame in table.frames():
        if frame.time_s > 1.0 and not flicked:
            table.command({"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 900})
            flicked = True
        shaded = under_a_head(frame.image, come(frame.time_s), **head)
        events += tracker.update(Frame(frame.index, frame.time_s, shaded))
        if frame.time_s > 3.8:
            break
    return [told for e in events if (told := json.loads(event_to_line(e))["type"]) != "reefs_seen"]


def test_a_shot_under_a_shadow_with_a_rim_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert played_under_a_shadow() == PLAYED
    assert played_under_a_shadow(for_good) == PLAYED
    monkeypatch.setattr(Shadows, "divided_out", lambda self, image, *_: image)
    assert played_under_a_shadow(for_good) != PLAYED


@pytest.mark.parametrize("come", [for_good, at_first])
def test_at_480_lines_one_that_stays_or_has_left_hides_no_shot(come: Callable[[float], float]) -> None:
    assert played_under_a_shadow(come, (640, 480), axes=(0.25, 0.4)) == PLAYED


def test_a_board_first_seen_in_a_shadow_is_looked_at_as_it_came_once_that_has_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    divides = []

    def watched(self: Shadows, image: Image, *of: Any) -> Image:
        out = plain(self, image, *of)
        divides.append(self.divides)
        return out

    plain = Shadows.divided_out
    monkeypatch.setattr(Shadows, "divided_out", watched)
    table = VirtualTable(load_board(default_board_path()), seed=4, pucks=[lying("red-1", 150, 450)], reefs=())
    tracker = Tracker(table.board, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    told = []
    for frame in table.frames():
        come = min(max(1.4 - frame.time_s, 0.0) / 0.4, 1.0)
        seen_as = Frame(frame.index, frame.time_s, under_a_head(frame.image, come))
        told += [json.loads(event_to_line(e))["type"] for e in tracker.update(seen_as)]
        if frame.time_s > 4.5:
            break
    assert set(told) <= {"reefs_seen"}
    assert tracker.live().state == "still"
    assert any(divides)
    assert not any(divides[-10:])
