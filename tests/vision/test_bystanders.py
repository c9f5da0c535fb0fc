"""People beside the board count for nothing; hands that come in, and pucks that fly off, do."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import vision.sight
from calibration.board import default_board_path, load_board
from tests.vision.playing import PLAYED, played
from vision.bystanders import KNOWN_S, LASTS_S, Bystanders, reaching_over
from vision.frame_map import FrameMap, make_frame_map
from vision.frames import Image
from vision.view import make_view
from vision.virtual_table.table import VirtualTable

Mask = NDArray[np.uint8]

RADIUS = 8.0
DT = 1 / 30
BORDER = 40  # pixels of the small picture, left of which lies beside the playing surface
NOTHING = np.zeros((150, 200), np.uint8)
GREY = (150, 150, 150)


def frame_map() -> FrameMap:
    """A picture of 200 x 150 pixels whose left fifth lies beside the playing surface."""
    outside = np.zeros_like(NOTHING)
    outside[:, :BORDER] = 1
    return cast(FrameMap, SimpleNamespace(radius=RADIUS, puck_area=math.pi * RADIUS**2, outside=outside))


def box(x0: int, y0: int, x1: int, y1: int) -> Mask:
    out = NOTHING.copy()
    out[y0:y1, x0:x1] = 255
    return out


SLEEVE, ARM, PUCK, FLOWN = box(0, 40, 30, 80), box(0, 100, 90, 120), box(120, 60, 136, 76), box(10, 120, 26, 136)


def seen(*masks: Mask, for_s: float, bystanders: Bystanders | None = None) -> tuple[Mask, Bystanders]:
    """What is left of changes that last for so long, in the last frame."""
    bystanders = bystanders or Bystanders()
    change = np.asarray(np.bitwise_or.reduce(masks))
    left = change
    for _ in range(round(for_s / DT)):
        _, left = bystanders.without(NOTHING, change, frame_map(), DT)
    return left, bystanders


@pytest.mark.parametrize(("mask", "kept"), [
    pytest.param(SLEEVE, NOTHING, id="beside the board"),
    pytest.param(PUCK, PUCK, id="upon it"),
    pytest.param(ARM, ARM, id="an arm reaches in"),
    pytest.param(ARM & ~box(36, 0, 39, 150), ARM & ~box(36, 0, 39, 150), id="an arm in two parts"),
    pytest.param(ARM & ~box(20, 0, 39, 150), box(39, 100, 90, 120), id="what it hangs together with is too far away"),
    pytest.param(SLEEVE | box(30, 60, 42, 62), box(40, 60, 42, 62), id="no more than some pixels lie upon the board"),
])  # fmt: skip
def test_what_reaches_over_the_board_is_kept_whole(mask: Mask, kept: Mask) -> None:
    over = reaching_over(mask, frame_map().outside, RADIUS)
    assert np.array_equal(over, kept)


@pytest.mark.parametrize(("for_s", "counts"), [(LASTS_S - 0.2, True), (LASTS_S + 0.2, False)])
def test_what_lasts_beside_the_board_counts_no_more(for_s: float, counts: bool) -> None:
    left, _ = seen(SLEEVE, PUCK, for_s=for_s)
    assert np.array_equal(left, SLEEVE | PUCK if counts else PUCK)


def test_what_stirs_there_counts_no_more_either() -> None:
    _, bystanders = seen(SLEEVE, for_s=2 * LASTS_S)
    stirs = box(20, 40, 30, 80)
    motion, change = bystanders.without(stirs | PUCK, SLEEVE, frame_map(), DT)
    assert np.array_equal(motion, PUCK)
    assert not change.any()


def test_a_body_that_sways_is_the_same_one() -> None:
    bystanders, left = Bystanders(), SLEEVE
    for k in range(round(2 * LASTS_S / DT)):
        top = round(40 + 30 * math.sin(2.0 * k * DT))
        _, left = bystanders.without(NOTHING, box(0, top, 30, top + 40), frame_map(), DT)
    assert not left.any()


def test_an_arm_beside_one_is_kept_and_so_is_a_puck_that_flies_off() -> None:
    _, bystanders = seen(SLEEVE, for_s=2 * LASTS_S)
    left, _ = seen(SLEEVE, ARM, for_s=DT, bystanders=bystanders)
    assert np.array_equal(left, ARM)
    left, _ = seen(SLEEVE, FLOWN, for_s=3 * DT, bystanders=bystanders)
    assert np.array_equal(left, FLOWN)


@pytest.mark.parametrize(("away_s", "counts"), [(KNOWN_S / 2, False), (KNOWN_S + 0.5, True)])
def test_one_that_comes_back_soon_is_known(away_s: float, counts: bool) -> None:
    _, bystanders = seen(SLEEVE, for_s=2 * LASTS_S)
    _, bystanders = seen(PUCK, for_s=away_s, bystanders=bystanders)
    assert bystanders.now is None
    left, _ = seen(SLEEVE, for_s=DT, bystanders=bystanders)
    assert left.any() == counts


def test_what_was_there_for_a_moment_is_not_known_when_something_comes_again() -> None:
    _, bystanders = seen(SLEEVE, for_s=3 * DT)
    _, bystanders = seen(PUCK, for_s=LASTS_S, bystanders=bystanders)
    left, _ = seen(SLEEVE, for_s=2 * DT, bystanders=bystanders)
    assert np.array_equal(left, SLEEVE)


def test_noise_beside_the_board_makes_nothing_known() -> None:
    rng, bystanders = np.random.default_rng(3), Bystanders()
    for _ in range(round(2 * LASTS_S / DT)):
        noise = np.where(rng.random(NOTHING.shape) < 5e-4, 255, 0).astype(np.uint8)
        motion, _ = bystanders.without(noise, NOTHING, frame_map(), DT)
        assert np.array_equal(motion, noise)
    left, _ = seen(SLEEVE, for_s=DT, bystanders=bystanders)
    assert np.array_equal(left, SLEEVE)


def test_what_stirs_of_an_arm_that_reaches_over_counts_although_it_is_beside_the_board() -> None:
    bystanders, outer = Bystanders(), box(5, 100, 30, 120)
    for _ in range(round(2 * LASTS_S / DT)):
        motion, change = bystanders.without(outer, ARM, frame_map(), DT)
        assert np.array_equal(motion, outer)
        assert np.array_equal(change, ARM)


def test_a_puck_that_comes_down_beside_one_is_none() -> None:
    _, bystanders = seen(SLEEVE, for_s=2 * LASTS_S)
    beside = box(8, 108, 24, 124)  # three and a half radii from it
    left, _ = seen(SLEEVE, beside, for_s=DT, bystanders=bystanders)
    assert np.array_equal(left, beside)


def test_over_the_top_view_what_is_none_of_them_is_left() -> None:
    table = VirtualTable(load_board(default_board_path()), seed=4, pucks=(), reefs=())
    view = make_view(table.board, table.pose, table.size)
    flat, bystanders = make_frame_map(view, table.size), Bystanders()
    picture = np.zeros((*table.size[::-1], 3), np.uint8)
    (x, y), radius = view.px_from_mm(np.array([[300.0, -40.0]]))[0], view.radius_px
    busy = np.zeros(view.size[::-1], np.uint8)
    cv2.circle(busy, (round(x), round(y)), round(2 * radius), 1, -1)
    beside, upon = busy.copy(), np.roll(busy, round(8 * radius), axis=0)
    far = np.roll(busy, round(6 * radius), axis=1)
    assert np.array_equal(bystanders.not_in(beside, flat, picture), beside)
    small = np.zeros(flat.outside.shape, np.uint8)
    at = np.rint(flat.small_px([(300.0, -40.0)])[0]).astype(int)
    cv2.circle(small, (int(at[0]), int(at[1])), round(2 * flat.radius), 255, -1)
    for _ in range(round(2 * LASTS_S / DT)):
        bystanders.without(np.zeros_like(small), small, flat, DT)
    left = bystanders.not_in(np.asarray(beside | upon | far), flat, picture)
    assert np.array_equal(left[upon > 0], upon[upon > 0])
    assert left[far > 0].mean() > 0.95
    assert left[(beside > 0) & (far == 0)].mean() < 0.05


def among_people(image: Image, time_s: float) -> Image:
    """A frame with two people at the table, who lean in over its edge and sway; nobody reaches over the board."""
    out = image.copy()
    for k, (x, y) in enumerate([(640.0, -50.0), (190.0, 400.0)]):
        sway = 14 * math.sin(3.0 * time_s + k)
        cv2.ellipse(out, (round(x + sway), round(y - sway / 2)), (230, 88), 90.0 * k, 0, 360, GREY, -1)
    return out


def played_among_people() -> list[str]:
    return played(among_people, 2.5, 4.5, 7.0)


def test_a_shot_is_told_although_people_stir_all_around(monkeypatch: pytest.MonkeyPatch) -> None:
    assert played_among_people() == PLAYED
    monkeypatch.setattr(vision.sight.Bystanders, "without", lambda self, motion, change, *_: (motion, change))
    assert played_among_people() != PLAYED
