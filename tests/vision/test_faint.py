"""Pucks hardly other than the ground: what is seen of them through noise, and what is none."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import camera_over
from tests.vision.test_streaks import swept
from vision.board_at_rest import board_at_rest
from vision.camera_watch import CameraWatch
from vision.faint import FaintPaints
from vision.frame_map import make_frame_map
from vision.frames import Image
from vision.known import Known
from vision.palette import linear_from_bgr
from vision.palette import painted as painted_palette
from vision.streaks import Ground, Streak, find_streaks
from vision.view import TopView, make_view

FloatImage = NDArray[np.float32]
Place = tuple[float, float]

EXPOSURE_S, NOISE = 1 / 34, 10.0  # as in a dim room
SEA, PAINT = np.array([37.0, 34.0, 22.0]), np.array([50.0, 29.0, 16.0])  # BGR: 15 grey levels apart, as blue on blue
SKIN, INK = np.array([30.0, 38.0, 62.0]), np.array([90.0, 88.0, 86.0])
MIDDLE = (301.3, 248.7)
PLACE_MM, FAST_MM = 2.0, 5.0


@pytest.fixture(scope="module")
def view() -> TopView:
    board = load_board(default_board_path())
    return make_view(board, camera_over(board), (1280, 720))


@pytest.fixture(scope="module")
def sea(view: TopView) -> FloatImage:
    patches = cv2.resize(
        np.random.default_rng(3).normal(0, 0.08, (12, 12)).astype(np.float32), view.size, interpolation=cv2.INTER_CUBIC
    )
    return np.asarray(SEA * (1 + patches[..., None]), dtype=np.float32)


def run(middle: Place, speed_mm_s: float, angle_deg: float = 33.0) -> NDArray[np.float64]:
    """Places of a puck that slides evenly through a middle while the shutter is open."""
    along = np.linspace(-0.5, 0.5, 61)[:, None] * speed_mm_s * EXPOSURE_S
    turn = math.radians(angle_deg)
    return np.asarray(np.array(middle) + along * np.array([math.cos(turn), math.sin(turn)]))


def painted(ground: FloatImage, *covers: tuple[FloatImage, NDArray[np.float64]]) -> FloatImage:
    image = ground
    for cover, colour in covers:
        image = np.asarray(image * (1 - cover[..., None]) + cover[..., None] * colour, dtype=np.float32)
    return image


def noisy(image: FloatImage, seed: int = 5) -> Image:
    """As a camera's coder leaves it: its noise is less from pixel to pixel than over a few."""
    grain = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, NOISE, image.shape).astype(np.float32), (3, 3), 0)
    return np.asarray(np.clip(image + grain, 0, 255), dtype=np.uint8)


def number(view: TopView, place: Place) -> FloatImage:
    """A stroke of ink on a puck."""
    out = np.zeros(view.size[::-1], np.float32)
    x, y = np.rint(view.px_from_mm(np.array([place]))[0]).astype(int)
    cv2.line(out, (int(x), int(y) - 5), (int(x), int(y) + 5), 1.0, 3)
    return out


def looked(
    view: TopView, sea: FloatImage, now: FloatImage, lay: tuple[Place, ...] = (), lie: tuple[Place, ...] = (),
    hands: NDArray[np.uint8] | None = None,
) -> tuple[list[Streak], list[Streak]]:  # fmt: skip
    """What a frame shows by itself, and all that is seen in it. lay, lie: places before and in the end"""
    paints, field = {"blue": [PAINT]}, np.ones((view.size[1] // 16 + 1, view.size[0] // 16 + 1, 3), np.float32)

    def with_pucks(places: tuple[Place, ...]) -> FloatImage:
        covers = [(swept(view, np.array([p])), PAINT) for p in places] + [(number(view, p), INK) for p in places]
        return painted(sea, *covers)

    ground = noisy(sea, 1)
    before, after = (noisy(with_pucks(places), seed) for places, seed in ((lay, 2), (lie, 3)))
    homes = tuple([("blue", place) for place in places] for places in (lay, lie))
    faint = FaintPaints(ground, view, {"blue": PAINT}, (before, homes[0]), (after, homes[1]))
    image = noisy(now)
    sight = find_streaks(0, image, (0, 0), field, Ground(ground), view, paints)
    if hands is not None:
        sight.hands[hands > 0] = 1
    return sight.streaks, faint.streaks(0, image, (0, 0), field, sight)


@pytest.mark.parametrize("shade", [1.0, 0.93])
@pytest.mark.parametrize("speed", [800.0, 1500.0, 2400.0])
def test_a_fast_puck_hardly_other_than_the_ground_is_one_puck_at_its_place(
    view: TopView, sea: FloatImage, speed: float, shade: float
) -> None:
    """With a shadow as wide as it is itself, or without. At 2.4 m/s it differs by 6 grey levels, amid a noise of 4."""
    shadow = swept(view, run((MIDDLE[0] + 4.0, MIDDLE[1] + 4.0), speed))
    ground = np.asarray(sea * (1 - (1 - shade) * shadow[..., None]), dtype=np.float32)
    by_itself, seen = looked(view, sea, painted(ground, (swept(view, run(MIDDLE, speed)), PAINT)))
    radius = view.board.puck.radius_mm
    assert not any(s.clean(radius) for s in by_itself)
    (streak,) = [s for s in seen if s.clean(radius)]
    assert math.dist(streak.place, MIDDLE) < (FAST_MM if speed > 1000 else PLACE_MM)
    assert len(seen) == 1


def test_neither_noise_nor_shadow_nor_skin_is_such_a_puck(view: TopView, sea: FloatImage) -> None:
    shape = swept(view, run(MIDDLE, 600.0))
    assert looked(view, sea, sea)[1] == []
    assert looked(view, sea, np.asarray(sea * (1 - 0.25 * shape[..., None]), dtype=np.float32))[1] == []
    assert looked(view, sea, np.asarray(sea * (1 + 0.15 * shape[..., None]), dtype=np.float32))[1] == []
    assert looked(view, sea, painted(sea, (0.3 * shape, SKIN)))[1] == []


@pytest.mark.parametrize("lies", [True, False])
def test_a_puck_that_lies_where_one_lay_is_seen_there_and_just_there(
    view: TopView, sea: FloatImage, lies: bool
) -> None:
    """Its number is no paint, and takes away from what is seen of it."""
    covers = [(swept(view, np.array([MIDDLE])), PAINT), (number(view, MIDDLE), INK)]
    _, seen = looked(view, sea, painted(sea, *(covers if lies else [])), lay=(MIDDLE,))
    assert [s.place for s in seen] == ([MIDDLE] if lies else [])
    if lies:
        assert seen[0].mass > 0.8


@pytest.mark.parametrize(("apart_mm", "told"), [(9.0, True), (1.5, False)])
def test_of_two_places_that_overlap_a_puck_lies_in_that_which_shows_more_of_it(
    view: TopView, sea: FloatImage, apart_mm: float, told: bool
) -> None:
    before, after = MIDDLE, (MIDDLE[0] + apart_mm, MIDDLE[1])
    for place in (before, after):
        now = painted(sea, (swept(view, np.array([place])), PAINT), (number(view, place), INK))
        _, seen = looked(view, sea, now, (before,), (after,))
        exact = [s.place for s in seen if s.place in (before, after)]
        assert exact == ([place] if told else [])


def test_a_part_of_a_puck_at_the_edge_of_a_hand_is_the_hand(view: TopView, sea: FloatImage) -> None:
    hands = np.zeros(view.size[::-1], np.uint8)
    now = painted(sea, (swept(view, run(MIDDLE, 1500.0)), PAINT))
    by_itself, seen = looked(view, sea, now)
    assert len(seen) > len(by_itself) == 0
    hands[:, round(view.px_from_mm(np.array([MIDDLE]))[0, 0]) :] = 1
    assert looked(view, sea, now, hands=hands)[1] == []


def test_the_part_of_a_frame_that_is_kept_holds_such_a_puck(view: TopView) -> None:
    """Although it differs too little from the board to be seen in any one pixel; noise alone is not kept."""
    size, pose = (1280, 720), view.pose
    rest = np.full((size[1], size[0], 3), SEA, np.float32)
    board = board_at_rest(noisy(rest, 7), make_frame_map(view, size), [])
    looked_for = board.looked_for({"blue": PAINT})
    assert looked_for.faint is not None
    assert board.looked_for({"yellow": np.array([20.0, 90.0, 120.0])}).faint is None
    places = run(MIDDLE, 2100.0)
    covers = np.zeros((size[1], size[0]), np.float32)
    for place in places:
        px = pose.image_from_board(np.array([[*place, board.frame_map.view.board.puck.height_mm]]))[0]
        disc = np.zeros_like(covers)
        cv2.circle(disc, (round(px[0] * 16), round(px[1] * 16)), round(board.frame_map.native_radius * 16), 1.0, -1,
                   cv2.LINE_AA, 4)  # fmt: skip
        covers += disc / len(places)
    now = noisy(painted(rest, (covers, PAINT)), 8)
    gray = board_at_rest(now, board.frame_map, []).gray
    assert board.change(now, gray, 26.0).box == (0, 0, 0, 0)
    x0, y0, x1, y1 = looked_for.change(now, gray, 26.0).box
    x, y = board.frame_map.small_px([MIDDLE])[0]
    assert x0 < x < x1
    assert y0 < y < y1
    still = noisy(rest, 9)
    assert looked_for.change(still, board_at_rest(still, board.frame_map, []).gray, 26.0).box == (0, 0, 0, 0)


def test_faint_pucks_are_looked_for_in_a_pictures_other_levels_too(view: TopView) -> None:
    """As when a camera's curve is found out in the middle of a film."""
    size = (1280, 720)
    board = view.board
    known = Known(board, CameraWatch(board, size, view.pose.lens, view.pose))
    paints = linear_from_bgr(np.array([PAINT for _ in board.teams]))
    known.paints.seen(replace(painted_palette(board), linear=paints))
    known.pucks.add(board.teams[0].name, MIDDLE)
    known.refer(noisy(np.full((size[1], size[0], 3), SEA, np.float32), 7))
    assert known.at_rest.faint is not None
    known.straighten(np.clip(np.arange(256) * 1.1, 0, 255).astype(np.uint8))
    assert known.at_rest.faint is not None
