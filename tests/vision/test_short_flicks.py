"""A flick of less than a puck's own size is a step; a hand's slide is none."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from vision.motion import Nudge
from vision.paths import Path, PathPoint
from vision.short_flicks import crept, jumped, ran, stirred
from vision.streaks import Streak
from vision.watch import Watch

FRAME_S = 1 / 30
TIMES = [k * FRAME_S for k in range(40)]
START = (100.0, 200.0)
TURN = np.array([0.6, 0.8])
RADIUS_MM = 14.0


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


def test_a_puck_lay_still_too_where_it_was_not_told_from_the_finger_beside_it() -> None:
    """As seen in a film: one frame before it went, two in which the finger and it made one patch; 14 mm then."""
    path = seen([-0.8, 3.1, 10.2, 12.7, 13.7, 13.8, 13.7], 16.7, first=3)
    path.near = [replace(p, frame=p.frame + 2 * (k > 0)) for k, p in enumerate(path.near)]
    assert not jumped(path, TIMES)
    assert jumped(path, TIMES, lay=lambda frame: frame < 6)


def test_it_is_told_where_it_went_so_far_that_it_is_followed() -> None:
    """As seen in a film: 11 mm within two frames, and whole beside the finger before and after."""
    path = seen([0.3, 0.3, 0.3, 6.6, 10.4, 11.0, 11.0, 11.0], 11.0)
    path.near, path.points = path.near[:4], path.near[4:]
    assert jumped(path, TIMES)
    path.points.append(PathPoint(13, 200.0, 300.0, path.points[-1].streak))  # it was seen far away, too: a hand's part
    assert not jumped(path, TIMES)


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


def patches(along_mm: list[float], *, first: int = 5, beside_mm: float = 4.0, mass: float = 0.5) -> list[list[Streak]]:
    """What shows of a puck beside a finger in each frame, so far along its way."""
    out: list[list[Streak]] = [[] for _ in TIMES]
    for k, mm in enumerate(along_mm):
        x, y = np.add(START, TURN * mm + beside_mm * np.array([-TURN[1], TURN[0]]))
        out[first + k] = [Streak(first + k, "red", x, y, mass, 7.5, 5.0, 0.0, (0, 0, 1, 1))]
    return out


def lies_at(far_mm: float) -> Path:
    path = Path("p1", "red", START)
    path.end = tuple(np.add(START, TURN * far_mm))
    return path


@pytest.mark.parametrize("way", [[0, 0, 9, 18, 25, 26, 26], [0, 7, 15, 21, 21]])
def test_what_shows_of_a_puck_ran_faster_than_hands_slide_it(way: list[float]) -> None:
    assert ran(lies_at(max(way)), patches(way), TIMES, RADIUS_MM)
    slower = [2 * t for t in TIMES]  # at 15 frames a second no more than slides
    assert not ran(lies_at(max(way)), patches(way), slower, RADIUS_MM)


def test_three_patches_side_by_side_are_looked_through_at_once() -> None:
    """At 60 frames a second, and at a speed of which one cannot tell: each could follow on each for a whole second."""
    times, way = [k / 60 for k in range(60)], [175 * k / 60 for k in range(38)]
    rows = zip(*(patches(way, first=0, beside_mm=mm) for mm in (-2.0, 0.0, 2.0)), strict=True)
    seen = [[*a, *b, *c] for a, b, c in rows]
    assert not ran(lies_at(way[-1]), seen, times[: len(seen)], RADIUS_MM)


@pytest.mark.parametrize(("mm_s", "flicked"), [(130.0, False), (160.0, False), (260.0, True)])
@pytest.mark.parametrize("fps", [30, 60])
def test_noise_makes_no_run_of_a_slide(mm_s: float, flicked: bool, fps: int) -> None:
    """With 0.7 mm of noise along and beside, in 200 slides each."""
    noise, asked = np.random.default_rng(3), 0
    times = [k / fps for k in range(60)]
    for _ in range(200):
        along = np.arange(int(60 / mm_s * fps)) * mm_s / fps + noise.normal(0, 0.7, int(60 / mm_s * fps))
        seen = patches(along.tolist())[: len(times)] + [[] for _ in range(20)]
        asked += ran(lies_at(60.0), seen, times, RADIUS_MM)
    assert asked > 190 if flicked else asked < 10


@pytest.mark.parametrize(
    "way",
    [
        [0, 2, 4, 7, 10, 13, 16, 19, 22],  # as hands slide
        [0, 0, 22, 22, 22],  # a finger is taken for it for one step
        [0, 9, 2, 11, 4, 13],  # of the finger, and of the puck
        [0, 20, 40, 60],  # what goes on past where it lies
        [2, 2, 7, 12, 20, 21, 12, 12, 12],  # of a puck that a finger hides in part, more or less of it
        [7, 0, 10, 20, 21, 22],
    ],
)
def test_what_creeps_or_leaps_or_goes_past_it_is_no_run(way: list[float]) -> None:
    assert not ran(lies_at(22.0), patches(way), TIMES, RADIUS_MM)


@pytest.mark.parametrize(("whole", "along_mm", "asked"), [
    (True, 17.0, True),
    (False, 17.0, False),
    (True, 7.5, False),  # what is seen further back is the whole puck
])  # fmt: skip
def test_a_whole_puck_that_ran_is_not_held_against_the_patch_that_it_makes_with_a_finger_later(
    whole: bool, along_mm: float, asked: bool
) -> None:
    seen = patches([0.0, 8.0, 14.4, 6.0, 6.0, 6.0, 17.0])
    for k in (5, 6, 7, 11):
        seen[k] = [replace(s, mass=1.0, outlined=whole) for s in seen[k]]
    for k in (8, 9, 10):
        seen[k] = [replace(s, mass=1.0, along_mm=along_mm, across_mm=7.5) for s in seen[k]]
    assert ran(lies_at(17.0), seen, TIMES, RADIUS_MM) is asked


def test_what_is_as_large_as_a_hand_or_beside_the_way_or_of_another_paint_does_not_tell_a_run() -> None:
    way = [0.0, 0.0, 9.0, 18.0, 25.0]
    assert not ran(lies_at(25.0), patches(way, beside_mm=20.0), TIMES, RADIUS_MM)
    crooked = patches(way)
    for k, s in enumerate(crooked):
        aside = (-1) ** k * 4.0
        crooked[k] = [replace(p, x_mm=p.x_mm - TURN[1] * aside, y_mm=p.y_mm + TURN[0] * aside) for p in s]
    assert not ran(lies_at(25.0), crooked, TIMES, RADIUS_MM)  # not straight on
    assert not ran(lies_at(25.0), patches(way, mass=2.8), TIMES, RADIUS_MM)
    assert not ran(Path("p1", "red", START), patches(way), TIMES, RADIUS_MM)
    green = Path("p1", "green", START)
    green.end = lies_at(25.0).end
    assert not ran(green, patches(way), TIMES, RADIUS_MM)


AHEAD, ASIDE = (0.6, 0.8), (-0.8, 0.6)  # unit vectors: the way that it goes, and across


@pytest.mark.parametrize(("far_mm", "reached", "ran_before", "crept_there", "diameter_mm", "renewed"), [
    pytest.param(2.0, False, None, True, 28.0, False, id="as a ball that rolls out after it was told to rest"),
    pytest.param(2.0, True, None, False, 28.0, False, id="a finger was there: that is asked about"),
    pytest.param(4.0, False, None, False, 28.0, False, id="no ball creeps so far"),
    pytest.param(4.0, True, AHEAD, True, 28.0, False, id="but one that ran that way until it was told to rest"),
    pytest.param(2.0, True, ASIDE, False, 28.0, False, id="it ran another way"),
    pytest.param(6.0, True, AHEAD, False, 28.0, False, id="that far it was flicked again"),
    pytest.param(6.0, True, AHEAD, True, 52.3, False, id="but a ball of a large table"),
    pytest.param(10.0, True, AHEAD, False, 52.3, False, id="which does not roll on so far"),
    pytest.param(6.0, False, None, True, 28.0, True, id="a coder had shown it off its place"),
    pytest.param(6.0, True, None, False, 28.0, True, id="or a finger was there"),
    pytest.param(8.0, False, None, False, 28.0, True, id="but not so far off"),
])  # fmt: skip
def test_a_puck_that_crept_on_is_no_shot(
    far_mm: float, reached: bool, ran_before: tuple[float, float] | None, crept_there: bool, diameter_mm: float,
    renewed: bool,
) -> None:  # fmt: skip
    board = SimpleNamespace(puck=SimpleNamespace(diameter_mm=diameter_mm))
    before = {} if ran_before is None else {"p1": ran_before}
    scene = SimpleNamespace(ran=before, board=board, renewed=renewed, nudges=[])
    watch = cast(Watch, SimpleNamespace(reached=lambda place: reached, scene=scene))
    assert crept(seen([0.0, far_mm], far_mm), watch) is crept_there


@pytest.mark.parametrize(("apart_mm", "shift_mm", "near_it", "crept_there"), [
    pytest.param(28.5, 1.5, True, False, id="a finger shifted it against that one"),
    pytest.param(28.5, 1.5, False, True, id="no hand came near it either"),
    pytest.param(28.5, 0.6, True, True, id="no more than a finger beside it seems to"),
    pytest.param(28.5, -1.5, True, True, id="the other way"),
    pytest.param(40.0, 1.5, True, True, id="it lay too far away to touch it"),
])  # fmt: skip
def test_a_puck_that_one_beside_it_was_shifted_against_has_not_crept(
    apart_mm: float, shift_mm: float, near_it: bool, crept_there: bool
) -> None:
    beside = tuple(np.add(START, TURN * -apart_mm).tolist())
    nudge = Nudge("p2", beside, tuple(np.add(beside, TURN * shift_mm).tolist()))
    board = SimpleNamespace(puck=SimpleNamespace(diameter_mm=28.0))
    scene = SimpleNamespace(ran={}, board=board, renewed=False, nudges=[nudge])
    watch = cast(Watch, SimpleNamespace(reached=lambda place: near_it and place == beside, scene=scene))
    assert crept(seen([0.0, 2.0], 2.0), watch) is crept_there
