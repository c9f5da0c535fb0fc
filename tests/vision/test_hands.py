"""Hands over a board that lies still: what reaches in, and not pucks that have come and gone."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import Scene, camera_over
from vision.differencing import in_light, light_field
from vision.frames import Image
from vision.hands import KNOCKED_LEVEL, beyond_board, hand_in, hand_since, reaching
from vision.view import make_view

Mask = NDArray[np.uint8]

BOARD = load_board(default_board_path())
POSE = camera_over(BOARD)
VIEW = make_view(BOARD, POSE, POSE.lens.image_size)
WIDTH = BOARD.size[0]


def change(*shapes: tuple[str, float, float, float]) -> Mask:
    """A mask over the view: discs ("disc", x, y, radius) and arms that come in from the east ("arm", x, y, width)."""
    out = np.zeros(VIEW.size[::-1], np.uint8)
    for kind, x, y, size in shapes:
        at = VIEW.px_from_mm(np.array([[x, y]]))[0]
        if kind == "disc":
            cv2.circle(out, (round(at[0]), round(at[1])), round(size * VIEW.scale), (1,), -1)
        else:
            half = size * VIEW.scale / 2
            out[round(at[1] - half) : round(at[1] + half), round(at[0]) :] = 1
    return out


def test_an_arm_that_reaches_in_is_a_hand_and_a_puck_that_came_is_none() -> None:
    puck = (200.0, 200.0)
    hand = hand_in(change(("arm", 450.0, 300.0, 60.0), ("disc", *puck, 14.0)), VIEW, [puck], [])
    x, y = VIEW.px_from_mm(np.array([[550.0, 300.0]]))[0].astype(int)
    u, v = VIEW.px_from_mm(np.array([puck]))[0].astype(int)
    assert (hand[y, x], hand[v, u]) == (1, 0)


@pytest.mark.parametrize(("size_mm", "seen"), [(16.0, False), (60.0, True)])
def test_what_lies_on_the_board_is_a_hand_only_where_it_is_far_larger_than_pucks(size_mm: float, seen: bool) -> None:
    assert hand_in(change(("disc", 300.0, 300.0, size_mm)), VIEW, [], []).any() == seen


def test_a_puck_that_left_the_border_is_no_hand() -> None:
    at_border = (WIDTH + 2.0, 300.0)
    assert not hand_in(change(("disc", *at_border, 14.0)), VIEW, [], [at_border]).any()
    assert hand_in(change(("disc", *at_border, 14.0)), VIEW, [], []).any()


def blotch(share: float, beside_mm: float = 0.0) -> Mask:
    """What a change looks like that fills so much of each marker's sides, so far to the east of it."""
    out = np.zeros(VIEW.size[::-1], np.uint8)
    for marker in BOARD.markers:
        middle = np.append(marker.centre, marker.z_mm)
        corners = middle + share * (marker.corners_mm() - middle) + (beside_mm, 0.0, 0.0)
        shown = POSE.board_from_image(POSE.image_from_board(corners), BOARD.puck.height_mm)
        cv2.fillConvexPoly(out, np.rint(VIEW.px_from_mm(shown)).astype(np.int32), (1,))
    return out


@pytest.mark.parametrize("share", [0.6, 1.0])
def test_markers_that_look_otherwise_than_before_are_no_hands(share: float) -> None:
    """A camera's white balance wanders, and its coder gives the black of a marker another colour than before."""
    assert blotch(share).any()
    assert not hand_in(blotch(share), VIEW, [], []).any()


def test_where_the_frame_ends_within_a_marker_its_last_row_is_no_hand_either() -> None:
    """The view goes on below the frame in the colours of its last row."""
    marker = max(BOARD.markers, key=lambda m: m.centre[1] - m.centre[0])  # the south-west one
    middle = np.append(marker.centre, marker.z_mm)
    (x, y), (right, _) = POSE.image_from_board(np.array([middle, middle + (0.4 * marker.size_mm, 0.0, 0.0)]))
    w = POSE.lens.image_size[0]
    view = make_view(BOARD, replace(POSE, lens=replace(POSE.lens, image_size=(w, round(y)))), (w, round(y)))
    bar = (np.abs(view.map_x - x) < right - x) & (view.map_y > y - 3)
    assert bar.sum() > view.radius_px**2
    assert not hand_in(bar.astype(np.uint8), view, [], []).any()
    wider = (np.abs(view.map_x - x) < 5 * (right - x)) & (view.map_y > y - 3)
    assert hand_in(wider.astype(np.uint8), view, [], [])[wider].mean() > 0.95


def test_what_reaches_out_of_a_marker_is_a_hand() -> None:
    marker = BOARD.markers[0]
    assert hand_in(blotch(0.8, beside_mm=marker.size_mm / 2), VIEW, [], []).any()
    arm = change(("arm", *marker.centre, 0.6 * marker.size_mm))
    assert hand_in(arm, VIEW, [], [])[arm > 0].mean() > 0.95


def test_only_pieces_that_lie_outside_reach_in() -> None:
    mask, outside = np.zeros((40, 60), np.uint8), np.zeros((40, 60), np.uint8)
    mask[5:15, 5:15] = mask[20:30, 35:60] = 1
    outside[:, 50:] = 1
    assert reaching(mask, outside, 99)[20:30, 35:60].all()
    assert not reaching(mask, outside, 99)[:18].any()
    assert not reaching(mask, outside, 100).any()


def test_beyond_the_board_is_what_lies_a_little_outside_of_it() -> None:
    beyond = beyond_board(VIEW)
    (left, top), (inner, _) = VIEW.px_from_mm(np.array([(-8.0, 300.0), (-2.0, 300.0)])).astype(int)
    assert (beyond[top, left], beyond[top, inner]) == (1, 0)


def test_a_hand_that_came_while_the_camera_was_knocked_is_seen_with_its_faint_parts() -> None:
    before = VIEW.rectify(Scene(BOARD, POSE).picture())
    now = before.copy()
    arm = change(("arm", 400.0, 300.0, 70.0)) > 0
    now[arm] = (120, 150, 200)
    hand = hand_since(now, before, VIEW, POSE.lens.image_size, [], [])
    assert hand[arm].mean() > 0.95
    assert not hand_since(before, before, VIEW, POSE.lens.image_size, [], []).any()


@pytest.mark.parametrize("left", [1.0, 0.5, 0.25])
def test_a_hand_that_came_while_the_light_went_is_seen_by_what_is_left_of_it(left: float) -> None:
    """Skin over sand: it differs by 40 levels in full light, and by ten where a quarter is left."""
    before = VIEW.rectify(Scene(BOARD, POSE).picture())
    arm = change(("arm", 400.0, 300.0, 70.0)) > 0
    now = before.copy()
    now[arm] = np.clip(before[arm].astype(int) + (-40, 10, 40), 0, 255)
    dark, lit = ((left * top).astype(np.uint8) for top in (now, before))
    assert hand_since(dark, lit, VIEW, POSE.lens.image_size, [], [], left)[arm].mean() > 0.95
    assert not hand_since(lit, lit, VIEW, POSE.lens.image_size, [], [], left).any()


@pytest.mark.parametrize("left", [1.0, 0.25])
def test_noise_makes_no_hand_and_none_larger(left: float) -> None:
    """A camera's, and what its coder makes of it, under skin over sand, in full light and in a quarter of it."""
    before = VIEW.rectify(Scene(BOARD, POSE).picture())
    arm = change(("arm", 400.0, 300.0, 70.0)) > 0
    rng = np.random.default_rng(1)

    def filmed(top: Image) -> Image:
        noisy = np.clip(left * top + rng.normal(0.0, 2.0, top.shape), 0, 255).astype(np.uint8)
        return np.asarray(cv2.imdecode(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 50])[1], 1))

    def found(now: Image) -> Mask:
        return hand_since(now, in_light(before, light_field(now, before)), VIEW, POSE.lens.image_size, [], [], left)

    skin = before.astype(int)
    skin[arm] += (-40, 10, 40)
    hand = found(filmed(np.clip(skin, 0, 255).astype(np.uint8)))
    assert not found(filmed(before)).any()
    assert hand[arm].mean() > 0.95
    assert hand.mean() < 2 * arm.mean()


@pytest.mark.parametrize("left", [1.0, 0.5])
def test_what_hangs_together_with_a_hand_differs_less_in_less_light(left: float) -> None:
    before = VIEW.rectify(Scene(BOARD, POSE).picture())
    clear, faint = (change(("arm", x, 300.0, 70.0)) > 0 for x in (500.0, 350.0))
    lit = (left * before).astype(np.uint8)
    now = lit.astype(int)
    now[faint] += round(left * 15)
    now[clear] += round(left * 60)
    hand = hand_since(np.clip(now, 0, 255).astype(np.uint8), lit, VIEW, POSE.lens.image_size, [], [], left)
    assert hand[faint].mean() > 0.95


@pytest.mark.parametrize(("left", "seen"), [(0.02, False), (0.25, True)])
def test_however_little_light_is_left_what_hardly_differs_is_no_hand(left: float, seen: bool) -> None:
    before = (0.25 * VIEW.rectify(Scene(BOARD, POSE).picture())).astype(np.uint8)
    now = before.copy()
    now[change(("arm", 400.0, 300.0, 70.0)) > 0] += 9 if seen else 5
    assert hand_since(now, before, VIEW, POSE.lens.image_size, [], [], left).any() == seen


def test_what_differs_by_less_than_a_hand_does_is_none() -> None:
    """In full light, in more than that, and in a quarter of it, by nine tenths of what a hand must differ by."""
    before = VIEW.rectify(Scene(BOARD, POSE).picture())
    arm = change(("arm", 400.0, 300.0, 70.0)) > 0
    for left in (2.0, 1.0, 0.5):
        lit = (min(left, 1.0) * before).astype(np.uint8)
        for share, seen in ((0.85, False), (1.25, True)):
            now = lit.copy()
            now[arm] = np.clip(lit[arm].astype(int) + round(share * KNOCKED_LEVEL * min(left, 1.0)), 0, 255)
            assert hand_since(now, lit, VIEW, POSE.lens.image_size, [], [], left).any() == seen, (left, share)
