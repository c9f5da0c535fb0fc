"""When a puck was gone from its place, and where it may be: as frames show it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.vision.seen_frames import HOME, LEFT, Frames, aiming, path
from vision.paths import PathPoint
from vision.resting import SeenDisc
from vision.streaks import Streak
from vision.unseen_ways import gone_in_a_moment, hand_stayed
from vision.vanishing import flown, lay_last, sprung, vanished
from vision.watch import HAND_FAR_MM


@pytest.mark.parametrize("seen_mm", [math.inf, 40.0])
def test_gone_in_a_moment_with_no_hand_on_it(seen_mm: float) -> None:
    frames = Frames(home_mm=aiming(28.0))
    points = [] if math.isinf(seen_mm) else [(LEFT + 3, HOME[0] + seen_mm, HOME[1])]
    assert vanished(path(*points), frames.watch()) == LEFT


def test_what_a_hand_from_afar_sweeps_over_has_not_vanished() -> None:
    """For a frame the hand's blur and the puck under it make the colour of the ground."""
    coming = dict.fromkeys(range(LEFT + 1), HAND_FAR_MM) | {LEFT + 1: 0.0, LEFT + 2: 0.0}
    takes = Frames(home_mm=coming, hidden=set(range(LEFT + 2, LEFT + 9)))
    assert vanished(path(), takes.watch()) is None
    dark = Frames(home_mm=coming, hidden=set(range(LEFT + 3, LEFT + 9)))  # the hand is the ground's colour at first
    assert vanished(path(), dark.watch()) is None
    swung = Frames(home_mm=coming, hidden={LEFT + 2})  # a finger that flicked it in passing
    assert vanished(path(), swung.watch()) == LEFT
    assert vanished(path(), Frames(home_mm=coming).watch()) == LEFT  # it came near, and never lay on it


def test_a_puck_gone_in_a_moment_went_where_it_was_seen_whole_and_far_from_any_hand() -> None:
    seen = path((LEFT + 3, 310, -20), (LEFT + 4, 312, -40))
    assert flown(seen, Frames(home_mm=aiming()).watch()) == seen.points
    assert flown(seen, Frames(home_mm=aiming(), gap_mm={LEFT + 3: 20.0}).watch()) == []  # the first may be the hand
    assert flown(seen, Frames(home_mm=aiming(), joined={LEFT + 4}).watch()) == seen.points[:1]
    assert flown(path((LEFT + 3, 310, -20), mass=0.3), Frames(home_mm=aiming()).watch()) == []  # a part of something


def test_the_finger_that_is_where_it_was_is_not_the_puck() -> None:
    """Its tip, of the paint's colour in the shadow, is taken for the puck for some frames more."""
    tip = path()
    tip.last_seen_at_rest = LEFT + 3
    tip.near += [PathPoint(k, HOME[0] - 3, HOME[1] + 10, None) for k in range(LEFT + 1, LEFT + 4)]
    assert vanished(tip, Frames(home_mm=aiming(1.0)).watch()) == LEFT


def test_a_hand_that_lifts_a_puck_covers_it_first() -> None:
    frames = Frames(home_mm=aiming(0.0), hidden=set(range(LEFT + 1, LEFT + 8)))
    assert vanished(path(), frames.watch()) is None


def test_a_finger_that_lay_on_it_and_stays_has_flicked_it() -> None:
    on = set(range(LEFT + 1))
    assert vanished(path(), Frames(home_mm=aiming(3.0), blurred=on).watch()) == LEFT
    leaving = aiming(1.0, LEFT + 1) | {LEFT + 2: 22.0, LEFT + 3: 54.0}
    assert vanished(path(), Frames(home_mm=leaving, blurred=on).watch()) is None


@pytest.mark.parametrize(("fps", "frames", "stays"), [
    (60.0, 3, True), (30.0, 3, True), (30.0, 2, False), (20.0, 2, False), (15.0, 2, True), (15.0, 1, False),
])  # fmt: skip
def test_it_has_stayed_after_so_many_frames_or_after_so_long_where_frames_are_few(
    fps: float, frames: int, stays: bool
) -> None:
    leaving = aiming(1.0, LEFT + frames) | {LEFT + frames + 1: 22.0}
    seen = Frames(fps=fps, home_mm=leaving, blurred=set(range(LEFT + 1)))
    assert vanished(path(), seen.watch()) == (LEFT if stays else None)


def test_a_finger_that_stays_on_a_part_of_the_place_has_flicked_it() -> None:
    """It follows the puck by some millimetres, and hides a third of the bare place, or half of it at first."""
    part = Frames(home_mm=aiming(0.0), blurred=set(range(LEFT + 1)), partly=set(range(LEFT + 1, LEFT + 6)))
    assert vanished(path(), part.watch()) == LEFT
    half = replace(part, hidden={LEFT + 1})
    assert vanished(path(), half.watch()) == LEFT
    assert vanished(path(), replace(part, hidden={LEFT + 1, LEFT + 2}).watch()) is None


@pytest.mark.parametrize(("far_mm", "hidden", "told"), [
    (200.0, set(), True),
    (200.0, {LEFT + 1, LEFT + 2, LEFT + 3}, False),  # a hand took it
    (60.0, set(), False),  # and so near a hand may have slid it
])  # fmt: skip
def test_a_puck_that_lies_far_off_and_was_gone_in_a_moment_was_not_carried_there(
    far_mm: float, hidden: set[int], told: bool
) -> None:
    one = path((LEFT + 4, 250.0, 90.0))  # the finger's
    lies = SeenDisc("red", HOME[0] + far_mm, HOME[1], 1.0, (0.0, 0.0, 0.0))
    frames = Frames(home_mm=aiming(8.0), gap_mm={LEFT + 4: 0.0}, hidden=hidden)
    assert gone_in_a_moment([one], {"p1": lies}, frames.watch()) == ([one] if told else [])
    assert len(one.points) == (0 if told else 1)


@pytest.mark.parametrize(("gone_at", "struck", "seen_mm", "outside", "before", "told"), [
    (6, 0, 25.0, False, False, True),
    (6, 1, 25.0, False, False, False),  # it may be another one
    (6, 0, 10.0, False, False, False),  # the finger that comes shifts what is seen so far
    (6, 0, 85.0, False, False, False),  # no wall is so far off that it would be back already
    (7, 0, 25.0, False, False, False),  # the puck still lay there
    (6, 0, 25.0, True, False, False),  # nothing had changed there: what is seen is the hand that comes
    (6, 0, 25.0, False, True, False),  # it was there in the frame before
])  # fmt: skip
def test_a_puck_that_a_wall_sent_back_past_its_place_at_once_ran_there_and_back(
    gone_at: int, struck: int, seen_mm: float, outside: bool, before: bool, told: bool
) -> None:
    """As seen in a film: 25 mm to a wall, and back to 12 mm on the other side, where it was taken for slid."""
    way = path((LEFT + 1, 289, 60), (LEFT + 2, 288, 60))
    way.end = (288.0, 60.0)
    part = Streak(8, "red", 309.0, 60.0, 0.3, 7.0, 7.0, 0.0, (0, 0, 1, 1))  # of the hand, and nearer
    frames = Frames(home_mm=aiming(5.0), gap_mm=dict.fromkeys(range(30), 26.0), gone_at=gone_at, struck=struck)
    frames.outside = {6} if outside else set()
    for frame, mm in ((6, seen_mm), (7, 12.0), (8, 0.0), (9, -7.0)):
        frames.streaks[frame] = [Streak(frame, "red", 300.0 + mm, 60.0, 1.0, 7.0, 7.0, 0.0, (0, 0, 1, 1))]
    frames.streaks[8].append(part)
    if before:
        frames.streaks[5] = frames.streaks[6]
    assert [p.x_mm for p in sprung(way, frames.watch())] == ([325.0, 312.0, 300.0, 293.0] if told else [])


@pytest.mark.parametrize(("side_mm", "seen", "flicked"), [
    ((0.0, 30.0), False, True),  # the edge is 60 mm ahead of the hand
    ((25.0, 25.0), False, True),  # and 80 mm here
    ((0.0, -30.0), False, False),  # the board's other edge is 340 mm ahead: it would have been seen on its way
    ((40.0, -24.0), False, False),
    ((0.0, -30.0), True, True),  # as here
    ((0.0, 0.0), False, True),  # no hand seen: it is not known which way
])  # fmt: skip
def test_a_puck_goes_over_the_edge_unseen_only_where_that_is_near_ahead_of_the_hand(
    side_mm: tuple[float, float], seen: bool, flicked: bool
) -> None:
    """A hand of the ground's colour, in the dark, that lies on a puck's place looks like the place without the puck."""
    one = path((LEFT + 2, 300.0, 180.0)) if seen else path()
    frames = Frames(home_mm=aiming(), gap_mm={LEFT + 2: 100.0}, side_mm=side_mm)
    assert gone_in_a_moment([one], {}, frames.watch()) == ([one] if flicked else [])


@pytest.mark.parametrize(("near_mm", "leaves", "side_mm", "stayed"), [
    (0.0, 29, (0.0, 30.0), True),  # the edge is 60 mm ahead of it
    (12.0, 29, (0.0, 30.0), False),
    (0.0, LEFT + 4, (0.0, 30.0), False),
    (0.0, 29, (0.0, 0.0), False),  # no hand was seen to come: it is not known where ahead is
])  # fmt: skip
def test_a_hand_that_stays_where_a_puck_was_may_hide_it(
    near_mm: float, leaves: int, side_mm: tuple[float, float], stayed: bool
) -> None:
    frames = Frames(home_mm=aiming(near_mm, leaves), side_mm=side_mm)
    assert hand_stayed(path(), frames.watch()) is stayed
    at_edge = replace(path(), start=(300.0, 30.0))
    assert not hand_stayed(at_edge, replace(frames, gap_mm=frames.home_mm).watch())


def test_a_puck_lay_until_the_last_frame_that_shows_it_so() -> None:
    """As one that was flicked in the moment in which the camera was knocked."""
    assert lay_last(path().start, Frames(gone_at=LEFT + 3).watch()) == LEFT + 2
    assert lay_last(path().start, Frames(gone_at=LEFT + 3, outside={LEFT + 9}).watch()) == LEFT + 9  # no change there
    assert lay_last(path().start, Frames(gone_at=0).watch()) == -1
