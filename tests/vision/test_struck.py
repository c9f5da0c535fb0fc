"""Pucks that left their places just as another one came to touch them."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from vision.paths import Path, PathPoint
from vision.streaks import Streak
from vision.struck import struck_by
from vision.watch import Watch

FRAME_S, RADIUS = 1 / 30, 14.0
LEFT = 10  # the frame in which the struck puck lay still for the last time
PLACE = (300.0, 200.0)


def watch(
    hidden: frozenset[int] = frozenset(), beside_mm: float = 200.0, before: dict[int, float] | None = None
) -> Watch:
    """before: how far away the hand is in some frames, mm; beside_mm: in all others."""
    board = SimpleNamespace(puck=SimpleNamespace(radius_mm=RADIUS, diameter_mm=2 * RADIUS))
    return cast(Watch, SimpleNamespace(
        times=[k * FRAME_S for k in range(40)], scene=SimpleNamespace(board=board),
        covered=lambda frame, x, y: frame in hidden,
        hand_distance_mm=lambda frame, x, y: (before or {}).get(frame, beside_mm),
    ))  # fmt: skip


def ran(start: tuple[float, float], since: int, step: tuple[float, float], frames: int = 6, mass: float = 1.0) -> Path:
    """A puck that lay at `start` until frame `since`, and goes a step in each frame from then on."""
    out = Path("p1", "red", start, left=since, last_seen_at_rest=since)
    for k in range(1, frames + 1):
        x, y = np.add(start, np.multiply(step, k))
        streak = Streak(since + k, "red", x, y, mass, RADIUS / 2, RADIUS / 2, 0.0, (0, 0, 1, 1))
        out.points.append(PathPoint(since + k, x, y, streak))
    return out


def coming(aside_mm: float = 0.0, early: int = 0, step_mm: float = 20.0) -> Path:
    """One that comes from the left and would be in the other's place three frames after that left it."""
    frames = 8
    start = (PLACE[0] - step_mm * (frames + 1), PLACE[1] + aside_mm)
    return ran(start, LEFT + 2 - frames - early, (step_mm, 0.0), frames)


@pytest.mark.parametrize("degrees", [0, 40, -40])
def test_a_puck_that_leaves_as_another_one_arrives_was_struck_by_it(degrees: float) -> None:
    way = (6.0 * math.cos(math.radians(degrees)), 6.0 * math.sin(math.radians(degrees)))
    assert struck_by(ran(PLACE, LEFT, way), coming(), watch())


@pytest.mark.parametrize(("struck", "runner", "hidden"), [
    pytest.param(ran(PLACE, LEFT, (6.0, 0.0)), coming(aside_mm=40.0), frozenset[int](), id="that went by"),
    pytest.param(ran(PLACE, LEFT, (6.0, 0.0)), coming(early=-8), frozenset[int](), id="that is not there yet"),
    pytest.param(ran(PLACE, LEFT, (-6.0, 0.0)), coming(), frozenset[int](), id="it went the other way"),
    pytest.param(ran(PLACE, LEFT, (6.0, 0.0)), coming(), frozenset({LEFT}), id="a hand lay on it"),
    pytest.param(ran(PLACE, LEFT, (2.0, 0.0)), coming(), frozenset[int](), id="it hardly went anywhere"),
    pytest.param(ran(PLACE, LEFT, (6.0, 0.0), 2), coming(), frozenset[int](), id="it was seen too seldom"),
    pytest.param(ran(PLACE, LEFT, (6.0, 0.0), mass=0.4), coming(), frozenset[int](), id="it was not seen whole"),
    pytest.param(ran(PLACE, LEFT, (6.0, 0.0)), coming(step_mm=0.5), frozenset[int](), id="the other one lay still"),
])  # fmt: skip
def test_what_nothing_came_to_touch_or_a_hand_may_have_moved_was_not(
    struck: Path, runner: Path, hidden: frozenset[int]
) -> None:
    assert not struck_by(struck, runner, watch(hidden))


def test_one_whose_first_frame_after_is_missing_was_struck_all_the_same() -> None:
    struck = ran(PLACE, LEFT, (6.0, 0.0))
    del struck.points[0]
    assert struck_by(struck, coming(), watch())
    del struck.points[0]
    assert not struck_by(struck, coming(), watch())


def test_one_that_a_finger_pushes_on_its_way_was_not() -> None:
    assert not struck_by(ran(PLACE, LEFT, (6.0, 0.0)), coming(), watch(beside_mm=2.0))


@pytest.mark.parametrize(("away_mm", "struck"), [(2.0, False), (30.0, False), (120.0, True)])
def test_what_is_beside_it_once_it_has_left_is_a_hand_if_one_can_have_come(away_mm: float, struck: bool) -> None:
    """At up to a metre a second; or else it is a shadow that is taken for one."""
    assert struck_by(ran(PLACE, LEFT, (6.0, 0.0)), coming(), watch(beside_mm=2.0, before={LEFT: away_mm})) == struck


def test_one_from_which_the_hand_had_gone_as_it_left_was_struck() -> None:
    assert struck_by(ran(PLACE, LEFT, (6.0, 0.0)), coming(), watch(before={LEFT: 2.0}))


@pytest.mark.parametrize(("step_mm", "struck"), [(3.0, False), (8.0, True)])
def test_one_that_is_seen_so_seldom_that_a_hand_may_slide_it_was_struck_if_it_is_faster(
    step_mm: float, struck: bool
) -> None:
    seldom = ran(PLACE, LEFT, (step_mm, 0.0), 6)
    seldom.points = seldom.points[1::2]  # 18 or 48 mm, in a fifth of a second
    assert struck_by(seldom, coming(), watch()) == struck


def test_one_that_is_not_seen_for_three_frames_on_its_way_was_not() -> None:
    seldom = ran(PLACE, LEFT, (10.0, 0.0), 6)
    seldom.points = [seldom.points[k] for k in (0, 1, 5)]
    assert struck_by(ran(PLACE, LEFT, (10.0, 0.0), 6), coming(), watch())
    seldom.points[2] = ran(PLACE, LEFT, (10.0, 0.0), 7).points[6]
    assert not struck_by(seldom, coming(), watch())


def test_nobody_was_struck_by_one_that_was_lost_from_sight_on_the_way() -> None:
    runner = coming()
    runner.points = runner.points[-1:]
    assert not struck_by(ran(PLACE, LEFT, (6.0, 0.0)), runner, watch())
    unseen = coming()
    unseen.left = None
    assert not struck_by(ran(PLACE, LEFT, (6.0, 0.0)), unseen, watch())
