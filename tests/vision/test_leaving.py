"""Whether a puck left by itself: what is seen of its place and of the hand decides, frame by frame."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from vision.bounces import Lying
from vision.leaving import carried, carried_on, flies_off, leapt, once_there, ran_last, without_darts
from vision.motion import Nudge
from vision.moved_freely import moved_freely
from vision.paths import Path, PathPoint
from vision.resting import SeenDisc
from vision.streaks import Streak
from vision.unseen_ways import gone_in_a_moment, hand_stayed
from vision.vanishing import flown, lay_last, sprung, vanished
from vision.watch import HAND_FAR_MM, Watch

FRAME_S = 1 / 30
HOME = (300.0, 60.0)
LEFT = 10  # the frame in which the puck was seen in its place for the last time
RADIUS_MM = 14.0
BOARD = SimpleNamespace(
    size=(600.0, 400.0), puck=SimpleNamespace(radius_mm=RADIUS_MM, diameter_mm=2 * RADIUS_MM), obstacles=()
)


@dataclass
class Frames:
    """What the frames show: the hand's distance from the puck's edge by frame, at its place and at where it is seen."""

    fps: float = 30.0
    home_mm: dict[int, float] = field(default_factory=dict)
    gap_mm: dict[int, float] = field(default_factory=dict)
    whole_gap_mm: dict[int, float] = field(default_factory=dict)  # to what is larger than a shadow, where that differs
    joined: set[int] = field(default_factory=set)  # the hand hangs together with what is seen
    hidden: set[int] = field(default_factory=set)  # a hand is over the place
    partly: set[int] = field(default_factory=set)  # a hand is over a part of the place
    outside: set[int] = field(default_factory=set)  # the place lies outside of all that has changed
    blurred: set[int] = field(default_factory=set)  # the place shows the puck, but not just as it lay
    gone_at: int = LEFT + 1
    streaks: dict[int, list[Streak]] = field(default_factory=lambda: {k: [] for k in range(30)})

    side_mm: tuple[float, float] = (0.0, 0.0)  # where the hand reaches for the puck from
    struck: int = 0  # other pucks that moved
    lying: tuple[Lying, ...] = ()
    nudges: tuple[Nudge, ...] = ()

    @property
    def scene(self) -> SimpleNamespace:
        return SimpleNamespace(
            board=BOARD, vacated=[SimpleNamespace(place=HOME)] * (1 + self.struck), nudges=self.nudges,
            lying=self.lying, reefs=(),
        )  # fmt: skip

    @property
    def times(self) -> list[float]:
        return [k / self.fps for k in range(30)]

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        near = self.home_mm if (x_mm, y_mm) == HOME else self.gap_mm
        return near.get(frame, HAND_FAR_MM)

    def beside_mm(self, frame: int, x_mm: float, y_mm: float) -> tuple[float, float]:
        return self.side_mm

    def over_rim(self, x_mm: float, y_mm: float) -> bool:
        return not (0 <= x_mm <= BOARD.size[0] and 0 <= y_mm <= BOARD.size[1])

    def whole_hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        return self.whole_gap_mm.get(frame, self.hand_distance_mm(frame, x_mm, y_mm))

    def covered(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame in self.hidden | self.partly

    def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame in self.outside

    def lies(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame < self.gone_at and frame not in self.hidden | self.blurred

    def bare(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame >= self.gone_at and frame not in self.hidden

    def free(self, frame: int, streak: Streak) -> bool:
        return frame not in self.joined

    def watch(self) -> Watch:
        return cast(Watch, self)


def path(*seen: tuple[int, float, float], mass: float = 1.0) -> Path:
    """The path of a puck that lay at HOME until LEFT and was seen elsewhere in some frames (frame, x, y)."""
    out = Path("p1", "red", HOME, left=LEFT, last_seen_at_rest=LEFT)
    for frame in (LEFT - 1, LEFT):
        out.near.append(PathPoint(frame, *HOME, None))
    for frame, x, y in seen:
        streak = Streak(frame, "red", x, y, mass, RADIUS_MM / 2, RADIUS_MM / 2, 0.0, (0, 0, 1, 1))
        out.points.append(PathPoint(frame, x, y, streak))
    return out


def aiming(mm: float = 4.0, until: int = 29) -> dict[int, float]:
    """A hand next to the puck's place from long before until some frame."""
    return dict.fromkeys(range(until + 1), mm)


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


@pytest.mark.parametrize(("step_mm", "gaps_mm", "flicked"), [
    (33.0, (23.0, 48.0), True), (33.0, (23.0, 14.0), False), (33.0, (6.0, 48.0), False), (28.0, (23.0, 48.0), False),
])  # fmt: skip
def test_a_puck_that_goes_over_the_edge_clear_of_the_hand_was_flicked_though_a_hand_may_be_as_fast(
    step_mm: float, gaps_mm: tuple[float, float], flicked: bool
) -> None:
    """A black one with its shadow, at 1 m/s, seen twice; its shadow joins it to the finger in the first frame."""
    frames = Frames(home_mm=aiming(8.0), gap_mm={LEFT + 1: gaps_mm[0]}, joined={LEFT + 1})
    lost = path((LEFT + 1, 300, 60 - step_mm), (LEFT + 2, 300, 60 - 2 * step_mm))
    assert lost.points[1].place[1] < 0 or step_mm < 30
    frames.whole_gap_mm[LEFT + 2] = frames.gap_mm[LEFT + 2] = gaps_mm[1]
    assert moved_freely(lost, frames.watch()) is flicked


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


def test_the_shadow_beside_a_puck_that_falls_over_the_rim_is_no_hand() -> None:
    """It was hidden until the finger flicked it, and hangs together with that a frame later."""
    seen = path((LEFT + 1, 302, 42), (LEFT + 2, 308, -4))
    gaps, on = {LEFT + 1: 7.9, LEFT + 2: 3.4}, {"home_mm": aiming(0.0), "joined": {LEFT + 1}}
    frames = Frames(gap_mm=gaps, whole_gap_mm={LEFT + 2: 49.7}, **on)
    assert not carried(seen, frames.watch())
    assert moved_freely(seen, frames.watch())
    assert not moved_freely(seen, Frames(gap_mm=gaps, **on).watch())  # a hand that goes along
    drawn = path((LEFT + 1, 300, 30), (LEFT + 2, 300, 15), (LEFT + 3, 300, -8))  # by fingers that end at the border
    fingers = dict.fromkeys(range(LEFT + 1, LEFT + 4), 3.0)
    assert carried(drawn, Frames(gap_mm=fingers, whole_gap_mm={LEFT + 3: 60.0}, **on).watch())


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


def test_a_puck_that_sprang_off_a_wall_back_under_the_hand_was_flicked() -> None:
    seen = path((LEFT + 1, 300, 36), (LEFT + 2, 303, 58), (LEFT + 3, 305, 80), (LEFT + 8, 310, 110))
    seen.end = (310.0, 110.0)
    hand = {LEFT + 1: 17.0, LEFT + 2: 3.0, LEFT + 3: 0.0, LEFT + 8: 2.0}
    behind = {"joined": {LEFT + 2, LEFT + 3, LEFT + 8}, "home_mm": aiming()}
    assert moved_freely(seen, Frames(gap_mm=hand, **behind).watch())
    assert not moved_freely(seen, Frames(gap_mm={**hand, LEFT + 1: 3.0}, **behind).watch())  # beside the finger
    assert not moved_freely(seen, Frames(gap_mm=hand, hidden={LEFT}, **behind).watch())  # the hand was on it
    assert not moved_freely(seen, Frames(gap_mm=hand, gone_at=LEFT + 2, **behind).watch())  # and it lay there still


@pytest.mark.parametrize(
    ("seen", "left"),
    [
        ([(400, 60), (303, 62), (304, 63)], [(303, 62), (304, 63)]),  # the tip of a finger of its colour, for a frame
        ([(340, 60), (380, 60), (400, 60)], [(340, 60), (380, 60), (400, 60)]),
        ([(400, 60), (303, 62), (230, 60)], [(400, 60), (303, 62), (230, 60)]),  # off a wall, and on at the same speed
        ([(330, 60), (303, 62), (304, 63)], [(330, 60), (303, 62), (304, 63)]),
    ],
)
def test_no_puck_darts_away_and_is_back_at_once_where_it_lay(
    seen: list[tuple[int, int]], left: list[tuple[int, int]]
) -> None:
    way = path(*((LEFT + 1 + k, x, y) for k, (x, y) in enumerate(seen)))
    assert [p.place for p in without_darts(way)] == left


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


def test_a_finger_that_stays_on_a_part_of_the_place_has_flicked_it() -> None:
    """It follows the puck by some millimetres, and hides a third of the bare place, or half of it at first."""
    part = Frames(home_mm=aiming(0.0), blurred=set(range(LEFT + 1)), partly=set(range(LEFT + 1, LEFT + 6)))
    assert vanished(path(), part.watch()) == LEFT
    half = replace(part, hidden={LEFT + 1})
    assert vanished(path(), half.watch()) == LEFT
    assert vanished(path(), replace(part, hidden={LEFT + 1, LEFT + 2}).watch()) is None


def test_what_is_lost_again_and_was_hidden_for_long_did_not_run() -> None:
    """A finger drags a puck off the board; where it lies in the end, it was slid or played there."""
    frames = Frames(home_mm=aiming(50.0), gap_mm={LEFT + 8: 25.7, LEFT + 9: 26.0})
    lost = path((LEFT + 8, 290, 12), (LEFT + 9, 287, -9))
    assert not moved_freely(lost, frames.watch())
    seen = path((LEFT + 1, 298, 52), (LEFT + 2, 296, 44))
    assert moved_freely(seen, Frames(home_mm=aiming(50.0), gap_mm={LEFT + 1: 25.7, LEFT + 2: 26.0}).watch())


RAN = [(LEFT + 1 + k, HOME[0] + float(x), HOME[1]) for k, x in enumerate(np.cumsum([5.5 - 0.1 * n for n in range(17)]))]


@pytest.mark.parametrize(("seen", "gap_mm", "end", "free"), [
    pytest.param([(LEFT + 9, 297, 8), (LEFT + 10, 299, 50), (LEFT + 13, 320, 136)], {}, None, False, id="far and back"),
    pytest.param([(LEFT + 9, 297, 24), (LEFT + 10, 299, 50), (LEFT + 13, 320, 136)], {}, None, True, id="not so far"),
    pytest.param([(LEFT + 9, 297, 8), (LEFT + 10, 299, 40), (LEFT + 13, 320, 136)], {}, None, True, id="not so near"),
    pytest.param([(LEFT + 9, 297, 8), (LEFT + 10, 299, 50), (LEFT + 13, 320, 136)], {}, (320.0, 136.0), True,
                 id="it lies on the board in the end"),
    pytest.param([(LEFT + 2, 297, 8), (LEFT + 3, 299, 50), (LEFT + 6, 320, 136)], {LEFT + 2: 50.0, LEFT + 3: 25.0},
                 None, True, id="it was seen to leave"),
    pytest.param([*RAN[4:], (LEFT + 19, 301, 58)], {f: 45.0 + 5 * (f - LEFT) for f, _, _ in RAN}, None, True,
                 id="it was seen to glide meanwhile"),
])  # fmt: skip
def test_what_comes_back_to_its_place_from_under_a_hand_that_is_still_there_did_not_run(
    seen: list[tuple[int, float, float]], gap_mm: dict[int, float], end: tuple[float, float] | None, free: bool
) -> None:
    """In little light skin looks like white paint. One that no hand is beside any more may have bounced off a wall."""
    gaps = {LEFT + 9: 50.0, LEFT + 10: 25.0} | gap_mm
    lost = path(*seen)
    lost.end = end
    assert moved_freely(lost, Frames(home_mm=aiming(15.0), gap_mm=gaps).watch()) is free
    assert moved_freely(lost, Frames(home_mm=aiming(15.0, LEFT + 9), gap_mm=gaps).watch())


@pytest.mark.parametrize(("side_mm", "flicked"), [
    pytest.param((0.0, 60.0), True, id="away from the hand"),
    pytest.param((-60.0, 0.0), True, id="aside from it"),
    pytest.param((10.0, -60.0), False, id="to where the hand is"),
    pytest.param((0.0, -8.0), True, id="the hand is on it"),
])  # fmt: skip
def test_a_finger_flicks_a_puck_away_from_the_hand(side_mm: tuple[float, float], flicked: bool) -> None:
    """What seems to go over the edge the other way is the fingertip, of the puck's colour, that takes it along."""
    lost = path((LEFT + 1, 300, 20), (LEFT + 2, 300, -20))
    frames = Frames(home_mm=aiming(2.0), gap_mm={LEFT + 1: 40.0, LEFT + 2: 60.0}, side_mm=side_mm)
    assert moved_freely(lost, frames.watch()) is flicked
    lost.end = (500.0, 300.0)  # where one of its team was set down later
    assert moved_freely(lost, frames.watch()) is flicked
    lost.points += path((LEFT + 3, 498, 300)).points  # followed to where it lies, as off a wall
    assert moved_freely(lost, frames.watch())


@pytest.mark.parametrize(("fps", "free"), [(30.0, True), (20.0, False)])
def test_one_that_was_not_seen_for_longer_than_pucks_run_did_not_run_there(fps: float, free: bool) -> None:
    """A sleeve of its colour took it away unseen, and brought it back: it is only seen where it lies in the end."""
    there = path((LEFT + 15, 143, 160), (LEFT + 16, 143, 160))
    there.end = (143.0, 160.0)
    assert moved_freely(there, Frames(fps, home_mm=aiming(27.0)).watch()) is free


def test_a_short_flick_beside_the_finger_that_stays_is_no_slide() -> None:
    """It runs off under the finger's tip, slows down as what glides does, and leaves the finger behind."""
    way = path((LEFT + 1, 312, 60), (LEFT + 2, 317, 60), (LEFT + 3, 319, 60), (LEFT + 4, 319, 60), (LEFT + 5, 319, 60))
    way.end = (319.0, 60.0)
    gaps = {LEFT + 1: 4.0} | dict.fromkeys(range(LEFT + 2, 30), 14.0)
    assert moved_freely(way, Frames(home_mm=aiming(2.0), gap_mm=gaps).watch())
    along = dict.fromkeys(range(LEFT + 1, 30), 2.0)
    assert not moved_freely(way, Frames(home_mm=aiming(2.0), gap_mm=along).watch())


def test_a_puck_that_was_struck_by_less_than_a_frames_step_ran_from_where_it_lay() -> None:
    """At 60 frames a second it goes 4 mm in each; its first steps are missed where the striker touches it."""
    way = path(*((LEFT + 1 + k, 300, y) for k, y in enumerate((50.5, 46.6, 43, 40, 38, 37, 36, 36, 36))))
    way.near = [PathPoint(LEFT, 300.0, 53.4, None)]
    way.end = (300.0, 36.0)
    gaps = dict.fromkeys(range(30), 24.0)
    assert moved_freely(way, Frames(60.0, home_mm=gaps, gap_mm=gaps, struck=1).watch())
    assert not moved_freely(way, Frames(60.0, home_mm=gaps, gap_mm=gaps, struck=1, blurred={LEFT - 1}).watch())


@pytest.mark.parametrize(("then_mm", "free"), [
    ([0.1, -0.2, 0.3, 0.1, 0.0, -0.1], True),
    ([0.9, 2.1, -5.4, 3.4, 4.4, 4.2, 4.7, 4.7], False),
    ([3.4, 3.4, 0.2, 0.1, 0.1], True),  # the hand that leaves shifted it for two frames
])  # fmt: skip
def test_a_puck_that_creeps_on_from_where_it_seemed_to_stop_is_slid(then_mm: list[float], free: bool) -> None:
    """A finger of a puck's colour, and in one patch with it, seems to let go of it from one frame to the next."""
    along = [10.5, *(10.5 + mm for mm in then_mm)]
    slid = path(*((LEFT + 1 + k, 300 + mm, 60) for k, mm in enumerate(along)))
    slid.near = [PathPoint(k, 300 - 1.5 + 0.3 * (k - LEFT + 5), 60, None) for k in range(LEFT - 4, LEFT + 1)]
    slid.end = (310.0, 60.0)
    frames = Frames(home_mm=aiming(20.0), gap_mm=dict.fromkeys(range(30), 32.0))
    assert moved_freely(slid, frames.watch()) is free


@pytest.mark.parametrize(("crept", "free"), [(True, False), (False, True)])
def test_a_puck_that_creeps_after_it_was_shifted_aside_is_slid(crept: bool, free: bool) -> None:
    """As seen in a dark film: fingers that come to hold a puck move what is seen of it; then it goes on with them."""
    slid = path((LEFT + 1, 302, 45), (LEFT + 2, 308, 43), (LEFT + 6, 310, 40), (LEFT + 13, 306, 41), mass=1.0)
    seen = [(300.3, 60.0), (296.0, 60.0), (296.0, 59.0), (297.0, 57.5), (297.6, 54.8), (298.0, 53.5), (299.0, 51.5),
            (300.0, 49.0), (300.2, 47.0)]  # fmt: skip
    if not crept:
        seen = [seen[0], *(8 * [(300.2, 59.0)])]
    slid.near = [PathPoint(LEFT - 8 + k, *at, slid.points[0].streak) for k, at in enumerate(seen)]
    slid.end = (307.6, 41.0)
    gaps = dict.fromkeys(range(30), 28.0)
    assert moved_freely(slid, Frames(home_mm=gaps, gap_mm=gaps).watch()) is free


def test_what_is_seen_far_off_while_a_puck_is_hidden_and_only_slid_is_the_hand() -> None:
    """It lies 18 mm from where it lay; 0.4 s later something of its colour was seen 70 mm away, and then the puck."""
    frames = Frames(home_mm=aiming(0.0, LEFT + 13), hidden=set(range(LEFT, LEFT + 13)))
    way = path((LEFT + 12, 368, 80), (LEFT + 13, 318, 62))
    way.end = (318.0, 62.0)
    assert not moved_freely(way, frames.watch())
    soon = path((LEFT + 1, 368, 80), (LEFT + 2, 318, 62))  # off a wall and back
    soon.end = (318.0, 62.0)
    assert moved_freely(soon, frames.watch())


def test_a_puck_that_grows_faster_beside_the_hand_until_it_is_lost_was_carried_off() -> None:
    way = path((LEFT + 2, 287, 60), (LEFT + 3, 274, 60), (LEFT + 4, 256, 60), (LEFT + 5, 224, 60))
    carrying = {LEFT + 2: 27.0, LEFT + 3: 14.0, LEFT + 4: 0.0, LEFT + 5: 0.0}
    assert not moved_freely(way, Frames(home_mm=aiming(19.0), gap_mm=carrying).watch())
    by_a_dark_sleeve = path((LEFT + 1, 321, 60), (LEFT + 2, 344, 61), (LEFT + 3, 377, 66))
    away = {LEFT + 1: 0.0, LEFT + 2: 15.7, LEFT + 3: 29.2}
    assert not moved_freely(by_a_dark_sleeve, Frames(home_mm=aiming(0.0), gap_mm=away).watch())
    over_a_reef = path((LEFT + 1, 299, 40), (LEFT + 3, 294, 8), (LEFT + 4, 292, -22))  # 16 mm a frame, then 30
    out = {LEFT + 1: 31.6, LEFT + 3: 6.7}
    assert not moved_freely(over_a_reef, Frames(home_mm=aiming(0.0, LEFT), gap_mm=out).watch())
    twice = path((LEFT + 1, 262, 60), (LEFT + 2, 262, 60), (LEFT + 3, 244, 60), (LEFT + 4, 244, 60))  # each frame
    beside = {LEFT + 1: 20.0, LEFT + 2: 9.0, LEFT + 3: 9.0, LEFT + 4: 9.0}
    assert moved_freely(twice, Frames(home_mm=aiming(19.0), gap_mm=beside).watch())
    steady = path((LEFT + 2, 287, 60), (LEFT + 3, 269, 60), (LEFT + 4, 252, 60), (LEFT + 5, 236, 60))
    assert moved_freely(steady, Frames(home_mm=aiming(19.0), gap_mm=carrying).watch())


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


@pytest.mark.parametrize(("goes", "free"), [((0.0, -18.0), False), ((2.0, 7.0), True)])
def test_a_puck_and_a_finger_in_one_patch_that_goes_where_the_puck_then_lies_was_a_slide(
    goes: tuple[float, float], free: bool
) -> None:
    """A finger of the puck's colour that comes to flick it draws the patch the other way."""
    slid = path((LEFT + 1, 295.0, 50.0), *((LEFT + 2 + k, 291.0, 42.0) for k in range(5)))  # no sooner than friction
    slid.end, slid.near = (291.0, 42.0), []
    for k in range(LEFT + 1):
        x, y = HOME[0] + 8.0 + goes[0] * k / LEFT, HOME[1] + 3.0 + goes[1] * k / LEFT
        patch = Streak(k, "red", x, y, 1.8, RADIUS_MM * 0.7, RADIUS_MM * 0.6, 0.0, (0, 0, 1, 1))
        slid.near.append(PathPoint(k, x, y, patch))
    frames = Frames(home_mm=aiming(30.0), gap_mm=dict.fromkeys(range(30), 40.0), blurred=set(range(30)))
    assert moved_freely(slid, frames.watch()) is free


@pytest.mark.parametrize(("step_mm", "free"), [(2.0, False), (0.0, True)])
def test_a_puck_that_crept_until_it_and_a_sleeve_of_its_colour_were_one_patch_was_slid(
    step_mm: float, free: bool
) -> None:
    """From then on the sleeve is taken for it, which is far off at once."""
    first = (LEFT + 1, 300 - max(5.5 * step_mm, 8.0), 60)
    slid = path(first, (LEFT + 2, 240, 62), (LEFT + 3, 190, 80), (LEFT + 14, 277, 60))
    slid.end, slid.near = (277.0, 60.0), []
    for k in range(LEFT + 1):
        x = HOME[0] - step_mm * max(k - 5.5, 0.0)
        slid.near.append(PathPoint(k, x, 60.0, Streak(k, "red", x, 60.0, 1.0, 7.0, 7.0, 0.0, (0, 0, 1, 1))))
    frames = Frames(home_mm=aiming(3.0), gap_mm=dict.fromkeys(range(30), 5.0), blurred=set(range(30)))
    assert moved_freely(slid, frames.watch()) is free


def test_a_hand_that_comes_from_afar_and_covers_a_puck_has_not_sent_it_out() -> None:
    """What was seen beyond the rim in the frame between was a part of the hand on its way."""
    coming = dict.fromkeys(range(LEFT - 1), HAND_FAR_MM) | {LEFT - 1: 75.0, LEFT: 75.0, LEFT + 1: 0.0}
    out = path((LEFT + 1, 295, -45))
    covers = Frames(home_mm=coming, gap_mm={LEFT + 1: 33.0}, hidden=set(range(LEFT + 1, 30)))
    assert not moved_freely(out, covers.watch())
    assert moved_freely(out, Frames(home_mm=aiming(4.0), gap_mm={LEFT + 1: 33.0}).watch())


@pytest.mark.parametrize(("fps", "free"), [(60.0, False), (30.0, False), (15.0, True)])
def test_a_hand_is_on_its_way_by_time_and_not_by_frames(fps: float, free: bool) -> None:
    """Two frames before it was 75 mm away: at 15 a second a finger may have swung so far and flicked the puck."""
    near = {LEFT - 1: 40.0, LEFT: 20.0, LEFT + 1: 0.0} if fps < 30 else {LEFT - 1: 70.0, LEFT: 40.0, LEFT + 1: 0.0}
    coming = dict.fromkeys(range(LEFT - 1), 75.0) | near
    covers = Frames(fps=fps, home_mm=coming, gap_mm={LEFT + 1: 33.0}, hidden=set(range(LEFT + 1, 30)))
    assert moved_freely(path((LEFT + 1, 295, -45)), covers.watch()) is free


@pytest.mark.parametrize(("gap_mm", "on", "free"), [(75.0, (390.0, 62.0), True), (20.0, (390.0, 62.0), False),
                                                    (75.0, (300.0, 62.0), False)])  # fmt: skip
def test_a_puck_hidden_by_the_hand_that_flicked_it_and_then_seen_in_flight_was_flicked(
    gap_mm: float, on: tuple[float, float], free: bool
) -> None:
    """Hidden for a third of a second, and over the edge two frames after it was seen again."""
    flown = path((LEFT + 11, 345, 61), (LEFT + 12, *on))
    frames = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 11: gap_mm, LEFT + 12: 4.0},
                    hidden=set(range(LEFT, LEFT + 11)), gone_at=LEFT + 11)  # fmt: skip
    assert moved_freely(flown, frames.watch()) is free


def goes(steps_mm: list[float], aside_mm: float = 0.0) -> Path:
    """A puck that goes so far from frame to frame, to and fro across its way."""
    at = np.cumsum(steps_mm)
    return path(*((LEFT + 1 + k, HOME[0] + x, HOME[1] + aside_mm * (-1) ** k) for k, x in enumerate(at)))


SLOWS = [5.5 - 0.1 * k for k in range(18)]  # mm a frame: 165 mm/s and less, as no hand is known from
FASTER = [1.5 + 0.22 * k for k in range(18)]
LEFT_BEHIND = {LEFT + 1 + k: 45.0 + 5.0 * k for k in range(18)}


@pytest.mark.parametrize(("way", "gap_mm", "joined", "free"), [
    pytest.param(goes(SLOWS), LEFT_BEHIND, False, True, id="it left the hand far behind"),
    pytest.param(goes([s / 2 for s in SLOWS]), LEFT_BEHIND, False, False, id="not so far that it is sure"),
    pytest.param(goes(SLOWS), dict.fromkeys(range(30), 45.0), False, False, id="the hand goes along"),
    pytest.param(goes([3.0] * 18), dict.fromkeys(range(30), 65.0), False, False, id="it goes along further off"),
    pytest.param(goes(SLOWS), LEFT_BEHIND, True, False, id="it hangs together with the hand"),
    pytest.param(goes(FASTER), LEFT_BEHIND, False, False, id="it grows faster: something drives it"),
    pytest.param(goes([4.0] * 18, aside_mm=1.5), LEFT_BEHIND, False, False, id="it goes to and fro"),
    pytest.param(goes(SLOWS), {}, False, True, id="no hand is seen, and it is faster than hands slide"),
    pytest.param(goes([3.2] * 18), {}, False, False, id="no hand is seen, which may hide in the dark"),
    pytest.param(goes([3.2] * 18), LEFT_BEHIND, False, True, id="as slow, and the hand is seen far behind"),
])  # fmt: skip
def test_a_puck_that_glides_on_by_itself_ran_however_slowly(
    way: Path, gap_mm: dict[int, float], joined: bool, free: bool
) -> None:
    """As seen in a film of a smooth table: 160 mm/s for a second and a half, and the hand stayed where it was."""
    frames = Frames(home_mm=aiming(), gap_mm=gap_mm, joined=set(range(30)) if joined else set())
    assert moved_freely(way, frames.watch()) is free


def test_what_glided_ran_whatever_became_of_it_beside_a_hand_later() -> None:
    way = goes([*SLOWS[:14], 5.0, 14.0])
    near = {**dict.fromkeys(range(LEFT + 1, LEFT + 15), 80.0), **dict.fromkeys(range(LEFT + 15, 30), 4.0)}
    assert moved_freely(way, Frames(home_mm=aiming(), gap_mm=near).watch())
    soon = goes([5.0, 14.0])  # what was seen of it is no more than that
    assert not moved_freely(soon, Frames(home_mm=aiming(), gap_mm=dict.fromkeys(range(30), 4.0)).watch())


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


def test_a_puck_flicked_over_the_edge_from_under_a_hand_that_stays_was_flicked() -> None:
    """The hand is over its place all along, and the puck is seen clear of it, in the frame after next the edge."""
    under = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 30.0}, hidden=set(range(LEFT - 1, LEFT + 4)))
    assert moved_freely(path((LEFT + 1, 300, 20)), under.watch())
    drawn = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 0.0, LEFT + 2: 30.0}, joined={LEFT + 1}, hidden={LEFT})
    assert moved_freely(path((LEFT + 1, 300, 45), (LEFT + 2, 300, 5)), drawn.watch())


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


def in_its_new_place_at_once(way_mm: float) -> Path:
    """Seen at rest in its place, and in the next frame at rest elsewhere."""
    out = path(*((k, 300, 60 + way_mm) for k in range(LEFT + 1, LEFT + 8)))
    out.end = (300.0, 60.0 + way_mm)
    return out


@pytest.mark.parametrize(
    ("way_mm", "others", "fps", "free"),
    [
        (24.0, {}, 30.0, False),
        (24.0, {}, 8.0, True),  # in 125 ms it may have slid so far, and stopped
        (13.0, {}, 30.0, True),
        (24.0, {"struck": 1}, 30.0, True),
        (24.0, {"lying": (Lying("p2", 300.0, 60.0 + 24.0 + 2 * RADIUS_MM),)}, 30.0, True),
        (24.0, {"lying": (Lying("p2", 300.0, 200.0),)}, 30.0, False),
        (24.0, {"nudges": (Nudge("p2", (300.0, 84.0 + 2 * RADIUS_MM), (300.0, 85.5 + 2 * RADIUS_MM)),)}, 30.0, True),
        (24.0, {"nudges": (Nudge("p2", (300.0, 94.0 + 2 * RADIUS_MM), (300.0, 96.0)),)}, 30.0, True),  # it came back
        (24.0, {"nudges": (Nudge("p2", (300.0, 300.0), (300.0, 301.5)),)}, 30.0, False),  # as after a knock
    ],
)
def test_nothing_that_glides_lies_still_at_once_unless_something_stopped_it(
    way_mm: float, others: dict[str, Any], fps: float, free: bool
) -> None:
    """A finger was taken for the puck at rest until it was lifted off the new place."""
    off = dict.fromkeys(range(LEFT + 1, LEFT + 4), 50.0)
    frames = Frames(fps=fps, home_mm=aiming(until=LEFT), gap_mm=off, **others)
    assert moved_freely(in_its_new_place_at_once(way_mm), frames.watch()) is free


@pytest.mark.parametrize(("seen_mm", "fps", "free"), [
    (-6.0, 30.0, False),
    (0.0, 30.0, True),
    (5.0, 30.0, True),
    (-4.0, 15.0, True),  # 20 mm take 94 ms, of which the last 3 are as good as there, and a frame takes 67
])  # fmt: skip
def test_what_was_seen_beyond_its_place_until_a_frame_ago_came_further_than_the_puck(
    seen_mm: float, fps: float, free: bool
) -> None:
    """A ring printed around the old place makes one patch with a puck of its colour under the finger."""
    slid = in_its_new_place_at_once(16.0)
    slid.near[-1] = replace(slid.near[-1], y_mm=HOME[1] + seen_mm)
    off = dict.fromkeys(range(LEFT + 1, LEFT + 4), 50.0)
    assert moved_freely(slid, Frames(fps=fps, home_mm=aiming(until=LEFT), gap_mm=off).watch()) is free


@pytest.mark.parametrize(("until", "fps", "lost", "free"), [
    (LEFT - 2, 30.0, True, False),  # what is seen then may be the fingertip still
    (LEFT - 1, 30.0, True, False),
    (LEFT - 4, 30.0, True, True),
    (LEFT - 4, 60.0, True, False),
    (LEFT - 2, 15.0, True, True),
    (LEFT - 2, 30.0, False, True),  # it lies where it was seen to run
])  # fmt: skip
def test_a_fingertip_that_leaves_the_place_that_it_hid_is_no_puck_on_its_way_over_the_edge(
    until: int, fps: float, lost: bool, free: bool
) -> None:
    """Of a puck's colour in the dark: beside the place just after it hid it, and beyond the rim in the next frame."""
    seen = path((LEFT + 1, 300, -20))
    seen.near = [PathPoint(LEFT, HOME[0] + 8.0, HOME[1], seen.points[0].streak)]
    if not lost:
        seen.end = (300.0, -20.0)
    frames = Frames(fps=fps, home_mm=aiming(28.0), gap_mm={LEFT + 1: 4.0}, whole_gap_mm={LEFT + 1: HAND_FAR_MM},
                    hidden=set(range(3, until + 1)), blurred=set(range(1, 30)))  # fmt: skip
    assert moved_freely(seen, frames.watch()) is free


@pytest.mark.parametrize(("mass", "stays", "lost", "hand_mm", "free"), [
    (0.65, 5, True, 30.0, False),
    (0.95, 5, True, 30.0, True),  # a puck that a hand lifted where it had come to rest
    (0.65, 2, True, 30.0, True),
    (0.65, 5, False, 30.0, True),
    (0.65, 5, True, HAND_FAR_MM, True),  # one that a wall hid in part
])  # fmt: skip
def test_patches_of_a_hand_that_holds_still_are_no_puck_that_runs_on(
    mass: float, stays: int, lost: bool, hand_mm: float, free: bool
) -> None:
    """As seen in a dim room, where a hand is hardly other than the ground: it came, held still, and went."""
    still = [(LEFT + 2 + k, 345.0 + k % 2, 75.0) for k in range(stays)]
    gone = [(LEFT + 2 + stays, 290.0, 95.0), (LEFT + 3 + stays, 276.0, 140.0)]
    one = path(*still, *gone, mass=mass)
    home = Streak(LEFT, "red", *HOME, 0.9, RADIUS_MM / 2, RADIUS_MM / 2, 0.0, (0, 0, 1, 1))
    one.near = [PathPoint(frame, *HOME, home) for frame in (LEFT - 1, LEFT)]
    one.end = None if lost else (276.0, 140.0)
    frames = Frames(gap_mm=dict.fromkeys(range(LEFT + 1, 30), hand_mm), home_mm=aiming(30.0))
    assert moved_freely(one, frames.watch()) is free


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


@pytest.mark.parametrize("before", [True, False])
def test_a_patch_that_was_seen_before_the_puck_left_is_no_puck_that_has_come_there(before: bool) -> None:
    """A finger in the middle of a puck that it slides parts what is seen of it in one frame, and not in the next."""
    way = path((LEFT + 1, 326, 50), (LEFT + 2, 328, 50), (LEFT + 3, 329, 49), mass=0.7)
    way.near = [PathPoint(LEFT - 7 + k, 300.0 + 1.2 * k, 60.0 - 0.4 * k, None) for k in range(8)]
    way.end = (326.0, 50.0)
    frames = Frames(home_mm=aiming(15.0), gap_mm=dict.fromkeys(range(30), 38.0), blurred=set(range(LEFT + 1)))
    part = Streak(LEFT - 1, "red", 322.0, 52.0, 0.7, 7.0, 7.0, 0.0, (0, 0, 1, 1))
    frames.streaks[LEFT - 1] = [part] if before else []
    assert moved_freely(way, frames.watch()) is not before


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


@pytest.mark.parametrize(("back_mm", "flicked"), [(44.0, True), (38.0, False)])
def test_a_puck_that_a_wall_sent_back_under_the_hand_went_further_than_from_where_to_where_it_was_seen(
    back_mm: float, flicked: bool
) -> None:
    frames = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 13.5}, joined={LEFT + 1, LEFT + 2})
    frames.blurred.update(range(LEFT + 1))
    sent_back = path((LEFT + 1, 282, 60), (LEFT + 2, 282 + back_mm, 60))
    assert leapt(sent_back, frames.watch()) is flicked


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
