"""A flick of less than a puck's own size is a step; a hand's slide is none."""

from __future__ import annotations

import numpy as np
import pytest

from vision.paths import Path, PathPoint
from vision.short_flicks import jumped, stirred
from vision.streaks import Streak

FRAME_S = 1 / 30
TIMES = [k * FRAME_S for k in range(40)]
START = (100.0, 200.0)
TURN = np.array([0.6, 0.8])


def seen(along_mm: list[float], far_mm: float, *, first: int = 5) -> Path:
    """A puck's path, seen in each frame so far along its way, that lies `far_mm` away in the end."""
    path = Path("p1", "red", START)
    path.end = tuple(np.add(START, TURN * far_mm))
    for k, mm in enumerate(along_mm):
        x, y = np.add(START, TURN * mm)
        streak = Streak(first + k, "red", x, y, 1.0, 7.5, 7.5, 0.0, (0, 0, 1, 1))
        path.near.append(PathPoint(first + k, x, y, streak))
    return path


@pytest.mark.parametrize("far_mm", [5.0, 8.0, 13.0])
def test_a_step_within_three_frames_is_a_flick(far_mm: float) -> None:
    assert jumped(seen([0, 0.1, 0, 0.6 * far_mm, far_mm, far_mm, far_mm, far_mm], far_mm), TIMES)


def test_it_is_told_although_a_finger_shifts_what_is_seen() -> None:
    """As seen in a film: half hidden before and after, 2.4 mm off before and 4 mm after."""
    assert jumped(seen([-2.4, -2.5, -1.9, 2.8, 4.3, 4.3, 4.4, 4.9], 8.7), TIMES)


@pytest.mark.parametrize("slide_s", [0.3, 0.5, 0.8])
def test_a_hand_that_slides_it_takes_longer(slide_s: float) -> None:
    t = np.clip(np.arange(30) * FRAME_S - 0.15, 0, slide_s) / slide_s
    eased = 10.0 * t * t * (3 - 2 * t)
    assert not jumped(seen(eased.tolist(), 10.0), TIMES)


def test_a_slide_that_ends_as_the_finger_lets_go_is_none() -> None:
    """As seen in a film at 60 frames a second: it crept for half a second, and showed whole a moment later."""
    crept = np.linspace(-5.3, 1.9, 30).tolist()
    assert not jumped(seen([*crept, 1.9, 1.9, 3.5, 7.9, 9.8, 9.8, 9.8, 9.8, 9.8], 10.9), [k / 60 for k in range(60)])


def test_a_finger_that_comes_and_goes_moves_nothing() -> None:
    assert not jumped(seen([0, 0, 0, 2.4, 2.5, 2.4, 2.5, 0, 0, 0], 0.3), TIMES)


def test_what_was_not_seen_in_between_is_not_told() -> None:
    path = seen([0, 0, 0, 6, 6, 6, 6, 6], 6.0)
    later = Path("p1", "red", START)
    later.end, later.near = path.end, path.near[:3]
    later.near += [PathPoint(p.frame + 7, p.x_mm, p.y_mm, p.streak) for p in path.near[3:]]
    assert jumped(path, TIMES)
    assert not jumped(later, TIMES)


@pytest.mark.parametrize(("far_mm", "is_unsure"), [(3.5, True), (6.6, True), (9.4, False), (20.0, False)])
def test_what_went_hardly_at_all_may_have_been_a_flick(far_mm: float, is_unsure: bool) -> None:
    path = Path("p1", "red", (100.0, 100.0), end=(100.0 + far_mm, 100.0))
    assert stirred(path) is is_unsure
    path.end = None
    assert not stirred(path)
