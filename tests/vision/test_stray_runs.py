"""A puck that was seen to run although it was not followed is asked about."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from vision.paths import Path, PathPoint
from vision.stray_runs import stray_run
from vision.streaks import Streak
from vision.watch import Watch

RADIUS_MM, FRAME_S = 14.0, 1 / 30
HOME = (100.0, 100.0)
FIRST = 12  # the first frame in which it is seen to run
STEPS_MM = (60.0, 56.0, 52.0)


def streak(frame: int, x: float, y: float = 100.0, *, mass: float = 1.0, team: str = "red") -> Streak:
    return Streak(frame, team, x, y, mass, RADIUS_MM / 2, RADIUS_MM / 2, 0.0, (0, 0, 1, 1))


def run(steps: tuple[float, ...] = STEPS_MM, from_mm: float = 160.0, y_mm: float = 100.0, **odd: Any) -> list[Streak]:
    """Whole pucks that go so far from frame to frame."""
    places = [from_mm + sum(steps[:k]) for k in range(len(steps) + 1)]
    return [streak(FIRST + k, x, y_mm, **odd) for k, x in enumerate(places)]


def frames(*seen: Streak, hand_mm: float = 200.0, lies_until: int = 99) -> Watch:
    board = SimpleNamespace(puck=SimpleNamespace(radius_mm=RADIUS_MM))
    streaks = [[s for s in seen if s.frame == k] for k in range(24)]
    watch = SimpleNamespace(
        scene=SimpleNamespace(board=board), streaks=streaks, times=[k * FRAME_S for k in range(24)],
        hand_distance_mm=lambda *_: hand_mm, unchanged=lambda *_: False, lies=lambda frame, *_: frame <= lies_until,
    )  # fmt: skip
    return cast(Watch, watch)


def left(frame: int = FIRST - 1, start: tuple[float, float] = HOME, team: str = "red") -> Path:
    return Path("p1", team, start, left=frame, last_seen_at_rest=frame)


def test_a_puck_that_is_seen_to_run_although_it_was_not_followed_has_run() -> None:
    path = left()
    assert stray_run([left(start=(100.0, 220.0)), path], [], frames(*run())) is path


@pytest.mark.parametrize("seen", [
    run((60.0,)), run((60.0, 80.0, 100.0)), run((60.0, 20.0, 6.0)), run((8.0, 8.0, 8.0)), run(mass=0.4),
    [streak(FIRST, 160), streak(FIRST + 1, 220), streak(FIRST + 2, 262, 140)], run(team="green"), run(y_mm=220.0),
], ids=["too short", "faster and faster", "stops at once", "as slow as a hand", "no whole puck", "not straight",
        "another team's", "not from there"])  # fmt: skip
def test_what_does_not_slide_freely_from_its_place_is_not_that_puck(seen: list[Streak]) -> None:
    assert stray_run([left()], [], frames(*seen)) is None


def test_what_runs_beside_a_hand_is_the_hands() -> None:
    assert stray_run([left()], [], frames(*run(), hand_mm=20.0)) is None


@pytest.mark.parametrize("frame", [FIRST + 1, FIRST - 12])
def test_a_puck_that_lay_there_then_or_had_left_long_before_did_not_run(frame: int) -> None:
    assert stray_run([left(frame)], [], frames(*run())) is None


@pytest.mark.parametrize(("mass", "ran"), [(0.34, True), (1.0, False)])
def test_what_a_puck_left_behind_in_its_place_is_not_the_puck_at_rest(mass: float, ran: bool) -> None:
    path = left(FIRST + 3)
    path.near = [PathPoint(k, *HOME, streak(k, *HOME)) for k in (FIRST - 2, FIRST - 1)]
    path.near += [PathPoint(k, 98.0, 101.0, streak(k, 98.0, 101.0, mass=mass)) for k in (FIRST + 2, FIRST + 3)]
    assert (stray_run([path], [], frames(*run(), lies_until=FIRST - 1)) is path) is ran


def test_a_puck_that_nothing_touched_until_a_finger_came_lay_there_until_then() -> None:
    """The finger, of its colour, was with it for two frames, and had not been near it for long before."""
    path = left()
    path.near = [PathPoint(k, *HOME, streak(k, *HOME, mass=1.9)) for k in (FIRST - 2, FIRST - 1)]
    assert stray_run([path], [], frames(*run(), lies_until=FIRST - 3)) is path


@pytest.mark.parametrize(("hand_mm", "ran"), [(70.0, True), (40.0, False)])
def test_what_is_seen_with_a_shadow_not_far_from_a_hand_may_be_the_hands_shadow(hand_mm: float, ran: bool) -> None:
    path = left()
    seen = [replace(s, across_mm=0.7 * RADIUS_MM) for s in run()]
    assert (stray_run([path], [], frames(*seen, hand_mm=hand_mm)) is path) is ran


def test_a_part_of_a_finger_that_seems_to_be_the_beginning_of_a_run_hides_nothing() -> None:
    path = left()
    assert stray_run([path], [], frames(streak(FIRST - 1, 90.0, 108.0), *run())) is path


def test_the_end_of_a_run_that_is_known_to_begin_is_no_others() -> None:
    ran = left()
    seen = run((60.0, 56.0, 52.0, 48.0, 44.0))
    ran.points = [PathPoint(s.frame, s.x_mm, s.y_mm, s) for s in seen[:2]]
    assert stray_run([left(start=(60.0, 100.0))], [ran], frames(*seen)) is None


def test_the_run_of_a_puck_that_is_known_to_run_is_no_others() -> None:
    ran = left()
    ran.points = [PathPoint(s.frame, s.x_mm + 2.0, s.y_mm, s) for s in run()[1:]]
    assert stray_run([left(start=(90.0, 100.0))], [ran], frames(*run())) is None
