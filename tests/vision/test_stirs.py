"""A board seen beside a hand that still moves: pucks that rest are told apart from those that run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame_map import FrameMap
from vision.stirs import LOOKS_APART_S, LOOKS_AT_ONCE, BesideHand, Stirs, disc_share

Mask = NDArray[np.uint8]

RADIUS = 8.0
DT = 1 / 30
HOME, GOAL = (150.0, 60.0), (150.0, 110.0)  # pixels of the small picture, where a puck lay and came to rest


def frame_map() -> FrameMap:
    """A picture of 200 x 150 pixels whose left fifth lies beside the playing surface; millimetres are its pixels."""
    outside = np.zeros((150, 200), np.uint8)
    outside[:, :40] = 1
    return cast(FrameMap, SimpleNamespace(
        radius=RADIUS, puck_area=np.pi * RADIUS**2, outside=outside, small_px=lambda p: np.array(p).reshape(-1, 2),
    ))  # fmt: skip


def hand(reach: int) -> Mask:
    out = np.zeros((150, 200), np.uint8)
    out[20:50, :reach] = 1
    return out


def pucks(*places: tuple[float, float]) -> Mask:
    out = np.zeros((150, 200), np.uint8)
    for x, y in places:
        cv2.circle(out, (round(x), round(y)), round(RADIUS), 255, -1)
    return out


def seen(frames: list[tuple[int, tuple[float, float]]]) -> BesideHand:
    """After frames, each with how far the hand reaches in, and where the puck that left HOME is."""
    beside, before = BesideHand(), None
    for reach, place in frames:
        arm, moved = hand(reach), pucks(HOME, place)
        picture = cv2.bitwise_or(arm * np.uint8(255), moved)
        motion = cv2.absdiff(picture, picture if before is None else before)
        beside.look(np.asarray(picture), np.asarray(motion), arm, frame_map(), DT)
        before = picture
    return beside


def test_only_the_hand_moves() -> None:
    beside = seen([(100, GOAL), (90, GOAL), (75, GOAL), (60, GOAL)])
    assert beside.calm_s == pytest.approx(3 * DT)  # in the first frame the puck has just come there
    assert beside.due([HOME], frame_map())


def test_a_puck_runs_beside_the_hand() -> None:
    beside = seen([(100, GOAL), (90, (150, 90)), (75, (150, 100)), (60, GOAL)])
    assert beside.calm_s == 0.0
    assert seen([(100, GOAL), (90, (150, 90)), (75, (150, 100)), (60, GOAL), (50, GOAL)]).calm_s == pytest.approx(DT)


def test_what_the_hand_leaves_behind_stirs_as_soon_as_the_hand_has_left_it() -> None:
    """What has changed apart from the hand grows by a puck that it lets go of, although that is where it moves."""
    beside, left = seen([(100, GOAL)] * 3), (110.0, 60.0)
    assert beside.calm_s == pytest.approx(2 * DT)
    for reach, calm in ((100, True), (75, True), (60, False)):
        arm = hand(reach)
        picture = cv2.bitwise_or(arm * np.uint8(255), pucks(HOME, GOAL, left))
        beside.look(np.asarray(picture), np.zeros_like(arm), arm, frame_map(), DT)
        assert (beside.calm_s > 0.0) is calm


def test_an_arm_that_is_seen_in_pieces_is_one_arm() -> None:
    """A sleeve of which one part looks like the board and another does not stir: neither is a puck that goes."""
    beside = BesideHand()
    for reach in (130, 115, 100):
        arm, sleeve, motion = hand(60), np.zeros((150, 200), np.uint8), np.zeros((150, 200), np.uint8)
        sleeve[24:40, 64 : reach - 20] = 255
        motion[20:50, reach - 20 : reach] = 255  # the hand itself …
        motion[46:50, 60:reach] = 255  # … and the sleeve's rim
        picture = arm * np.uint8(255) | sleeve | motion | pucks(HOME, GOAL)
        beside.look(np.asarray(picture), motion, arm, frame_map(), DT)
    assert beside.calm_s == pytest.approx(2 * DT)


def test_a_puck_at_the_fingers_tip_is_near_the_hand() -> None:
    """It may have begun to run, where nothing but the hand seems to stir."""
    for tip, is_near in ((97, True), (60, False)):
        near = seen([(tip, (110, 40))] * 3).near
        assert near is not None
        assert bool(cv2.bitwise_and(near, pucks((110, 40))).any()) is is_near
        assert not cv2.bitwise_and(near, pucks(HOME)).any()


def test_a_hand_alone_is_not_waited_for() -> None:
    """As long as nothing but the hand has changed there is nothing to be told, and no time to be lost with it."""
    beside, arm = BesideHand(), hand(100)
    for _ in range(4):
        beside.look(arm * np.uint8(255), np.zeros_like(arm), arm, frame_map(), DT)
    assert beside.calm_s == 0.0
    assert not beside.due([HOME], frame_map())


def test_what_was_no_shot_is_not_looked_at_again_before_a_puck_runs() -> None:
    beside, arm = seen([(60, GOAL)] * 4), hand(60)
    beside.looked(in_vain=True)
    for place, runs in (((150, 108), False), ((150, 80), True)):  # a shadow's rim, a puck
        now = cv2.bitwise_or(arm * np.uint8(255), pucks(HOME, place))
        before = cv2.bitwise_or(arm * np.uint8(255), pucks(HOME, GOAL))
        beside.look(np.asarray(now), np.asarray(cv2.absdiff(now, before)), arm, frame_map(), DT)
        beside.look(np.asarray(now), np.zeros_like(arm), arm, frame_map(), DT)
        assert beside.due([HOME], frame_map()) is runs


def test_what_was_no_shot_is_not_looked_at_again_before_another_hand_comes() -> None:
    beside, picture = seen([(60, GOAL)] * 4), pucks(HOME, GOAL)
    assert beside.due([HOME], frame_map())
    beside.looked(in_vain=True)
    for arm in (hand(60), hand(50), None, None):
        shown = picture if arm is None else cv2.bitwise_or(arm * np.uint8(255), picture)
        beside.look(np.asarray(shown), np.zeros_like(picture), arm, frame_map(), DT)
        beside.calm_s = 0.5
        assert not beside.due([HOME], frame_map())
    shown = np.asarray(cv2.bitwise_or(hand(60) * np.uint8(255), picture))
    beside.look(shown, np.zeros_like(picture), hand(60), frame_map(), DT)
    assert beside.due([HOME], frame_map())


def test_a_puck_beside_the_hand_is_waited_for_until_something_stirs() -> None:
    beside, arm = seen([(60, GOAL)] * 4), hand(60)
    beside.looked(until_it_stirs=True)
    picture = cv2.bitwise_or(arm * np.uint8(255), pucks(HOME, GOAL))
    for _ in range(12):
        beside.look(np.asarray(picture), np.zeros_like(arm), arm, frame_map(), DT)
        assert not beside.due([HOME], frame_map())
    shows = np.asarray(cv2.bitwise_or(picture, pucks((100.0, 90.0))))  # the hand has drawn back from it
    for due in (False, True):
        beside.look(shows, np.zeros_like(arm), arm, frame_map(), DT)
        assert (beside.calm_s > 0.0 and beside.due([HOME], frame_map())) is due


def test_one_that_came_free_without_a_stir_is_looked_for_after_a_while() -> None:
    """It was only shifted by a little: the crescent that shows when the hand draws back from it is too narrow."""
    beside, arm = seen([(60, GOAL)] * 4), hand(60)
    beside.looked(until_it_stirs=True)
    picture = np.asarray(cv2.bitwise_or(arm * np.uint8(255), pucks(HOME, GOAL)))
    for _ in range(20):
        beside.look(picture, np.zeros_like(arm), arm, frame_map(), DT)
    assert beside.due([HOME], frame_map())


def test_the_board_is_looked_at_when_a_puck_has_left_and_none_is_under_the_hand() -> None:
    beside = seen([(60, GOAL)] * 4)
    assert beside.due([HOME, (180.0, 20.0)], frame_map())
    assert not beside.due([(180.0, 20.0)], frame_map())  # no puck lay where something has changed
    assert not beside.due([HOME, (50.0, 40.0)], frame_map())  # and this one the hand hides


def test_it_is_looked_at_less_and_less_often_and_anew_after_something_stirred() -> None:
    beside, looks = seen([(60, GOAL)] * 3), []
    picture = cv2.bitwise_or(hand(60) * np.uint8(255), pucks(HOME, GOAL))
    for frame in range(24):
        if beside.due([HOME], frame_map()):
            looks.append(frame)
            beside.looked()
        beside.look(np.asarray(picture), np.zeros_like(picture), hand(60), frame_map(), DT)
    assert looks == [0, 2, 6, 14]  # calm for 2, 4, 8 and 16 frames
    beside.look(np.asarray(picture), pucks(GOAL), hand(60), frame_map(), DT)
    beside.look(np.asarray(picture), np.zeros_like(picture), hand(60), frame_map(), DT)
    assert beside.due([HOME], frame_map())


@pytest.mark.parametrize(("x", "share"), [(20.0, 1.0), (40.0, 0.5), (60.0, 0.0), (-30.0, 0.0)])
def test_share_of_a_disc(x: float, share: float) -> None:
    mask = np.zeros((50, 80), np.uint8)
    mask[:, :40] = 255
    assert disc_share(mask, x, 25.0, 10.0) == pytest.approx(share, abs=0.05)


def test_a_board_whose_pucks_stir_all_the_time_is_not_looked_at_six_times_a_second() -> None:
    """Before the first look: each takes longer than frames come, so that a camera's frames were lost by it."""
    stirs, looks = Stirs(), list[float]()
    waving = hand(100) * np.uint8(255)
    for k in range(180):
        if stirs.only_a_hands(k * DT, np.asarray(waving, dtype=np.uint8), frame_map()):
            looks.append(k * DT)
            stirs.looked_in_vain(k * DT)
    apart = np.diff(looks)
    assert len(looks) > LOOKS_AT_ONCE
    assert apart[: LOOKS_AT_ONCE - 1].max() < 0.25, "a hand that goes is not waited for longer than needed"
    assert apart[LOOKS_AT_ONCE - 1 :].min() + 1e-9 >= LOOKS_APART_S
    assert apart.max() < LOOKS_APART_S + 2 * DT, "and not forgotten"
    stirs.clear()
    again = [stirs.only_a_hands(7.0 + k * DT, np.asarray(waving, dtype=np.uint8), frame_map()) for k in range(6)]
    assert any(again), "what is to be looked at anew is, at once"
