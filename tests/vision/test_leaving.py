"""Whether a puck left by itself: what is seen of its place and of the hand decides, frame by frame."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.seen_frames import HOME, LEFT, RADIUS_MM, Frames, aiming, path
from vision.leaving import carried, carried_on, flies_off, leapt, once_there, ran_last, without_darts, without_merged
from vision.paths import Path, PathPoint
from vision.streaks import Streak


def test_a_puck_far_ahead_of_the_finger_a_frame_later_was_flicked() -> None:
    frames = Frames(home_mm=aiming(), gap_mm={LEFT + 1: 30.0})
    assert leapt(path((LEFT + 1, 300, 10)), frames.watch())
    assert not carried(path((LEFT + 1, 300, 10)), frames.watch())


def test_a_hand_that_has_just_come_flicks_nothing() -> None:
    """What was seen far off was a part of the hand itself, on its way to take the puck."""
    coming = {LEFT - 1: 42.0, LEFT: 8.0, LEFT + 1: 9.0, LEFT + 2: 0.0}
    frames = Frames(home_mm=coming, gap_mm={LEFT + 1: 7.5}, hidden={LEFT + 2}, gone_at=LEFT + 3)
    assert not leapt(path((LEFT + 1, 400, 90)), frames.watch())


def test_the_shadow_that_a_hand_leaves_is_no_puck_that_lay_there() -> None:
    hidden = set(range(LEFT - 4, LEFT))
    frames = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 30.0}, hidden=hidden, blurred={LEFT})
    assert not leapt(path((LEFT + 1, 300, 10)), frames.watch())
    assert leapt(path((LEFT + 1, 300, 10)), Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 30.0}).watch())


def test_while_a_hand_stays_on_a_puck_nothing_seen_elsewhere_is_that_puck() -> None:
    frames = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 9.8}, hidden=set(range(30)), gone_at=30)
    assert not leapt(path((LEFT + 1, 300, 10)), frames.watch())
    gone = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 9.8}, hidden=set(range(LEFT + 1)))
    assert leapt(path((LEFT + 1, 300, 10)), gone.watch())


def test_a_puck_dragged_out_under_a_finger_was_not_flicked() -> None:
    """Its place is bare, the finger on it hangs together with it, and the hand goes away."""
    going = aiming(0.0, LEFT - 1) | {LEFT: 45.0, LEFT + 1: 53.0, LEFT + 2: 46.0, LEFT + 3: 103.0}
    under = Frames(home_mm=going, gap_mm={LEFT + 1: 15.6}, joined={LEFT + 1}, blurred=set(range(LEFT + 1)))
    assert not leapt(path((LEFT + 1, 261, 60)), under.watch())
    stays = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 15.6}, joined={LEFT + 1}, blurred=set(range(LEFT + 1)))
    assert leapt(path((LEFT + 1, 261, 60)), stays.watch())


@pytest.mark.parametrize(("home_mm", "gap_mm", "flicked"), [(42.0, 10.0, False), (0.0, 10.0, True), (42.0, 60.0, True)])
def test_a_puck_first_seen_next_to_a_hand_that_has_left_its_place_too_was_taken_along(
    home_mm: float, gap_mm: float, flicked: bool
) -> None:
    """From one frame to the next, off the board where the arm is: not the flick of a finger that stays."""
    frames = Frames(home_mm=aiming(0.0, LEFT) | dict.fromkeys(range(LEFT + 1, 30), home_mm), gap_mm={LEFT + 1: gap_mm})
    lost = path((LEFT + 1, 300, 20))
    assert leapt(lost, frames.watch()) is flicked
    assert carried(lost, frames.watch()) is not flicked


def test_what_is_seen_late_while_the_hand_leaves_is_the_hand() -> None:
    leaving = aiming(0.0, LEFT) | {LEFT + 1: 9.0, LEFT + 2: 38.0}
    assert not leapt(path((LEFT + 2, 300, -10)), Frames(home_mm=leaving, gap_mm={LEFT + 2: 31.0}).watch())
    far = {"home_mm": leaving, "gap_mm": {LEFT + 2: 111.0}}
    assert not leapt(path((LEFT + 2, 300, -30)), Frames(side_mm=(10.0, -60.0), **far).watch())
    assert leapt(path((LEFT + 2, 300, -30)), Frames(side_mm=(10.0, 60.0), **far).watch())


@pytest.mark.parametrize(("fps", "step_mm"), [(60.0, 42.0), (30.0, 80.0)])
def test_a_puck_that_races_off_is_told_although_its_shadow_looks_like_a_hand(fps: float, step_mm: float) -> None:
    frames = Frames(fps, home_mm=aiming(8.0), gap_mm={LEFT + 1: 2.0, LEFT + 2: 3.0}, joined={LEFT + 1})
    way = path((LEFT + 1, 300 - step_mm / 4, 60), (LEFT + 2, 300 - 5 * step_mm / 4, 60))
    assert leapt(way, frames.watch())
    slow = path((LEFT + 1, 295, 60), (LEFT + 2, 285, 60))
    assert not leapt(slow, frames.watch())


def test_over_the_edge_by_the_next_frame() -> None:
    frames = Frames(home_mm=aiming(), gap_mm={LEFT + 1: 16.0})
    assert flies_off(path((LEFT + 1, 300, 20)), frames.watch())
    assert not flies_off(path((LEFT + 1, 340, 60)), frames.watch())


@pytest.mark.parametrize(
    ("seen", "left"),
    [
        ([(400, 60), (303, 62), (304, 63)], [(303, 62), (304, 63)]),  # the tip of a finger of its colour, for a frame
        ([(340, 60), (380, 60), (400, 60)], [(340, 60), (380, 60), (400, 60)]),
        ([(400, 60), (303, 62), (230, 60)], [(400, 60), (303, 62), (230, 60)]),  # off a wall, and on at the same speed
        ([(330, 60), (303, 62), (304, 63)], [(330, 60), (303, 62), (304, 63)]),
        ([(325, 70), (270, 48), (400, 100)], [(325, 70), (400, 100)]),  # a finger behind it is of its colour
        ([(325, 70), (270, 48), (230, 30)], [(325, 70), (270, 48), (230, 30)]),  # off a block
        ([(325, 70), (270, 48), (400, 20)], [(325, 70), (270, 48), (400, 20)]),  # off two
    ],
)
def test_no_puck_darts_away_and_is_back_at_once_where_it_lay(
    seen: list[tuple[int, int]], left: list[tuple[int, int]]
) -> None:
    way = path(*((LEFT + 1 + k, x, y) for k, (x, y) in enumerate(seen)))
    assert [p.place for p in without_darts(way)] == left


@pytest.mark.parametrize(("team", "seen_at", "stays"), [
    ("red", 39, False),  # as seen in a film: the middle of both, 17 mm from where the other was by then
    ("red", 37, True),  # by then the other had been seen elsewhere
    ("green", 39, True),  # of another team it cannot have been a part
])
def test_where_two_of_a_team_are_one_streak_its_middle_is_neithers(team: str, seen_at: int, stays: bool) -> None:
    flicked = path((33, 125, 352), (34, 92, 402), (35, 63, 444), (36, 37, 481), (37, 22, 443), (39, 22, 452))
    struck = Path("p8", team, (24.8, 433.2), left=36, last_seen_at_rest=36)
    struck.points = [PathPoint(seen_at, 24.8, 410.3, None), PathPoint(40, 24.5, 404.4, None)]
    left = [p.frame for p in without_merged(flicked, [flicked, struck], 31.0)]
    assert left == [33, 34, 35, 36, *([37] if stays else []), 39]


def test_the_first_and_the_last_that_is_seen_of_a_way_stay_in_it() -> None:
    flicked = path((37, 22, 443), (39, 22, 452))
    struck = Path("p8", "red", (24.8, 433.2), left=39, last_seen_at_rest=40)
    struck.points = [PathPoint(40, 24.8, 410.3, None)]
    assert [p.frame for p in without_merged(flicked, [flicked, struck], 31.0)] == [37, 39]


@pytest.mark.parametrize(("lies_from", "missed", "left"), [(24, None, 1), (22, None, 0), (22, 24, 1)])
def test_a_puck_that_lies_already_where_it_lies_in_the_end_is_nowhere_else(
    lies_from: int, missed: int | None, left: int
) -> None:
    """What was taken for it meanwhile was a hand of its colour; what was seen of it before it came may be it."""
    there = (HOME[0], HOME[1] + 21.0)
    lying = Streak(0, "red", *there, 1.0, RADIUS_MM / 2, RADIUS_MM / 2, 0.0, (0, 0, 1, 1))
    streaks = {k: [replace(lying, frame=k)] if k >= lies_from and k != missed else [] for k in range(30)}
    way = path((23, HOME[0] + 52.0, 60), (25, HOME[0] + 48.0, 60), (29, *there))
    way.end = there
    seen = once_there(way, Frames(streaks=streaks).watch())
    since = lies_from if missed is None else missed + 1
    assert [p.frame for p in seen] == [23, 25][:left] + list(range(since, 30))
    assert all(p.place == there for p in seen[left:])


@pytest.mark.parametrize(("y_mm", "carried_off"), [
    ((62.0, 62.0, 54.0, 35.0, 7.0), True),  # as seen in a film: 8, 19 and 28 mm in three frames
    ((62.0, 62.0, 54.0, 30.0, 6.0), False),  # flicked within a frame: 8, and from then on 24 mm
    ((60.0, 60.0, 65.0, 35.0, -15.0), False),  # before which the finger shifted what was seen of it, the other way
])  # fmt: skip
def test_a_finger_that_draws_a_puck_over_the_edge_makes_it_faster_for_longer_than_a_frame(
    y_mm: tuple[float, ...], carried_off: bool
) -> None:
    one = path((LEFT + 1, 300, y_mm[3]), (LEFT + 2, 300, y_mm[4]), mass=0.47)
    for k, y in enumerate(y_mm[:3]):
        streak = Streak(LEFT - 2 + k, "red", HOME[0], y, 0.8, RADIUS_MM / 2, RADIUS_MM / 2, 0.0, (0, 0, 1, 1))
        one.near[k:] = [PathPoint(LEFT - 2 + k, HOME[0], y, streak)]
    frames = Frames(home_mm=aiming(3.0), gap_mm=dict.fromkeys(range(30), 4.0), joined={LEFT + 1, LEFT + 2})
    assert flies_off(one, frames.watch()) is not carried_off


def test_a_puck_that_lies_elsewhere_long_after_its_run_was_brought_there_if_that_place_was_bare_meanwhile() -> None:
    ran = path((LEFT + 1, 350, 100), (LEFT + 2, 380, 130), (LEFT + 12, 100, 300), (LEFT + 13, 100, 300))
    frames = Frames(fps=10.0, home_mm=aiming())
    assert carried_on(ran, frames.watch()) == 2
    hidden = Frames(fps=10.0, home_mm=aiming(), hidden=set(range(LEFT + 3, 30)))  # it may have run under that hand
    assert carried_on(ran, hidden.watch()) is None
    soon = path((LEFT + 1, 350, 100), (LEFT + 2, 380, 130), (LEFT + 6, 100, 300))
    assert carried_on(soon, frames.watch()) is None
    near = path((LEFT + 1, 350, 100), (LEFT + 2, 380, 130), (LEFT + 12, 390, 150))
    assert carried_on(near, frames.watch()) is None


@pytest.mark.parametrize(("frame", "way_mm", "gap_mm", "mass", "end_mm", "ran"), [
    (29, 12.0, 10.0, 1.0, 30.0, True),
    (29, 12.0, 10.0, 1.0, None, True),  # it went over the rim, or a hand has it since
    (28, 12.0, 10.0, 1.0, 30.0, False),  # what became of it in the frame after is not known
    (29, 12.0, 2.0, 1.0, 30.0, False),  # a hand slides it
    (29, 12.0, 10.0, 0.5, 30.0, False),  # a finger of its colour
    (29, 5.0, 10.0, 1.0, 30.0, False),
    (29, 28.0, 10.0, 1.0, 30.0, False),  # it lies there: a hand slid it, and has left
])  # fmt: skip
def test_a_puck_on_its_way_clear_of_a_hand_when_the_film_breaks_off_was_running(
    frame: int, way_mm: float, gap_mm: float, mass: float, end_mm: float | None, ran: bool
) -> None:
    running = path((frame, HOME[0], HOME[1] + way_mm), mass=mass)
    running.end = (HOME[0], HOME[1] + end_mm) if end_mm is not None else None
    assert ran_last(running, Frames(gap_mm={frame: gap_mm}).watch()) is ran


@pytest.mark.parametrize(("back_mm", "flicked"), [(44.0, True), (38.0, False)])
def test_a_puck_that_a_wall_sent_back_under_the_hand_went_further_than_from_where_to_where_it_was_seen(
    back_mm: float, flicked: bool
) -> None:
    frames = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 13.5}, joined={LEFT + 1, LEFT + 2})
    frames.blurred.update(range(LEFT + 1))
    sent_back = path((LEFT + 1, 282, 60), (LEFT + 2, 282 + back_mm, 60))
    assert leapt(sent_back, frames.watch()) is flicked
