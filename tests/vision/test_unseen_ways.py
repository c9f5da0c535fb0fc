"""Pucks that lie elsewhere although their way was not seen: what no hand can have done."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

import vision.runners
from vision.motion import Motion
from vision.paths import Path, PathPoint
from vision.resting import SeenDisc
from vision.runners import FASTER, who_ran
from vision.scene import Scene
from vision.streaks import Streak
from vision.unseen_ways import (
    came_time,
    dragged,
    hand_about,
    held_before,
    hopped,
    put_down_too_soon,
    raced_off,
    ran_in_few_frames,
    set_down_later,
    slid_in_sight,
    slid_too_fast,
    too_quick,
    unhandled,
    unreached,
)
from vision.vanishing import SLIDE_MAX_MM
from vision.watch import Watch

HOME = (100.0, 200.0)
LEFT = 10  # the last frame in which the puck was seen in its place


@dataclass
class Frames:
    """What is seen in 40 frames, fps a second. streaks: by frame; hands: places that a hand came to; lay: frames that
    show the puck just as it lay."""

    streaks: list[list[Streak]] = field(default_factory=lambda: [[] for _ in range(40)])
    hidden: set[int] = field(default_factory=set)
    hands: set[tuple[float, float]] = field(default_factory=set)
    lay: range = range(0)
    still: range = range(0)  # frames in which nothing has changed there
    hand_mm: float = 200.0  # how far the hand is from wherever it is asked for, in such frames
    hand_frames: range = range(40)
    hand_over: range = range(0)  # frames in which a hand lies on the puck's place
    fps: float = 30.0
    missing: int = 99  # a frame that is not given
    scene: SimpleNamespace = field(
        default_factory=lambda: SimpleNamespace(board=SimpleNamespace(puck=SimpleNamespace(radius_mm=14.0)))
    )

    def __post_init__(self) -> None:
        self.scene.frame_s = 1 / self.fps

    @property
    def times(self) -> list[float]:
        return [(k + (k >= self.missing)) / self.fps for k in range(len(self.streaks))]

    def see(self, frames: range, x: float, y: float, team: str = "red") -> Frames:
        for k in frames:
            self.streaks[k].append(Streak(k, team, x, y, 1.0, 7.0, 7.0, 0.0, (0, 0, 1, 1)))
        return self

    def lies(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame in self.lay

    def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame in self.still

    def covered(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame in self.hand_over

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        return self.hand_mm if frame in self.hand_frames else 200.0

    def empty(self, frame: int, team: str) -> bool:
        return frame not in self.hidden and not any(s.team == team for s in self.streaks[frame])

    def reached(self, place: tuple[float, float]) -> bool:
        return place in self.hands

    def watch(self) -> Watch:
        return cast(Watch, self)


def scene(*appeared: SeenDisc) -> Scene:
    return cast(Scene, SimpleNamespace(appeared=appeared))


def disc(x: float, y: float, team: str = "red") -> SeenDisc:
    return SeenDisc(team, x, y, 1.0, (0.0, 0.0, 0.0))


def left_home(end: SeenDisc | None = None) -> Path:
    return Path("p1", "red", HOME, left=LEFT, last_seen_at_rest=LEFT, end=end.place if end else None)


@pytest.mark.parametrize(
    ("far_mm", "after", "quick"),
    [
        (62.0, 6, True),  # as seen in a film: flicked against a block and back, under the finger
        (62.0, 9, False),  # a hand may slide it so
        (35.0, 3, False),  # and so far at any speed
        (120.0, 7, True),
        (120.0, 12, False),
    ],
)
def test_no_hand_takes_a_puck_so_far_in_so_short_a_time(far_mm: float, after: int, quick: bool) -> None:
    there = disc(HOME[0] + far_mm, HOME[1])
    frames = Frames().see(range(LEFT + 1), *HOME).see(range(LEFT + after, 40), *there.place)
    told = too_quick([left_home(there)], {"p1": there}, scene(there), frames.watch())
    assert [(p.puck, d) for p, d in told] == ([("p1", there)] if quick else [])


@pytest.mark.parametrize(("fps", "after", "quick"), [(15.0, 5, True), (15.0, 6, False), (30.0, 10, False)])
def test_where_frames_are_few_a_puck_may_have_been_on_its_way_for_a_frame_less(
    fps: float, after: int, quick: bool
) -> None:
    """76 mm by a flick of 2.5 m/s under the hand: the last frame showed it lie, the fifth after it lie elsewhere."""
    there = disc(HOME[0] + 76.0, HOME[1])
    frames = Frames(fps=fps).see(range(LEFT + 1), *HOME).see(range(LEFT + after, 40), *there.place)
    assert bool(too_quick([left_home(there)], {"p1": there}, scene(there), frames.watch())) is quick


@pytest.mark.parametrize(("missing", "quick"), [(LEFT + 9, True), (LEFT + 5, False)])
def test_so_it_may_where_just_the_frame_is_missing_before_it_is_seen_there(missing: int, quick: bool) -> None:
    """As of 25 frames a second that are given as 30."""
    there = disc(HOME[0] + 76.0, HOME[1])
    frames = Frames(missing=missing).see(range(LEFT + 1), *HOME).see(range(LEFT + 9, 39), *there.place)
    assert bool(too_quick([left_home(there)], {"p1": there}, scene(there), frames.watch())) is quick


def test_a_puck_that_is_found_nowhere_and_that_no_hand_came_near_was_not_lifted() -> None:
    """As a teal one on a teal sea in a dim room, that was grazed."""
    lost = left_home()
    assert unreached([lost], {}, Frames().watch()) == [lost]
    assert unreached([lost], {}, Frames(hands={HOME}).watch()) == []
    there = disc(HOME[0] + 9.0, HOME[1])
    assert unreached([left_home(there)], {"p1": there}, Frames().watch()) == []


def test_a_sleeve_that_passes_where_a_puck_is_slid_to_does_not_make_that_quick() -> None:
    there = disc(HOME[0] + 60, HOME[1])
    frames = Frames().see(range(LEFT + 1), *HOME).see(range(LEFT + 3, LEFT + 4), *there.place)
    frames.see(range(LEFT + 24, 40), *there.place)
    assert too_quick([left_home(there)], {"p1": there}, scene(there), frames.watch()) == []


def test_what_was_not_seen_to_lie_there_yet_is_not_quick() -> None:
    there = disc(HOME[0] + 60, HOME[1])
    frames = Frames(streaks=[[] for _ in range(LEFT + 5)]).see(range(LEFT + 1), *HOME)
    assert too_quick([left_home(there)], {"p1": there}, scene(there), frames.watch()) == []


def test_in_a_shot_only_what_went_too_far_for_a_slide_is_too_quick() -> None:
    """A puck that was struck glides 60 mm as quickly, whether it was seen to or not."""
    there = disc(HOME[0] + 60, HOME[1])
    frames = Frames().see(range(LEFT + 1), *HOME).see(range(LEFT + 5, 40), *there.place)
    assert too_quick([left_home(there)], {"p1": there}, scene(there), frames.watch()) != []
    assert too_quick([left_home(there)], {"p1": there}, scene(there), frames.watch(), SLIDE_MAX_MM) == []


@pytest.mark.parametrize(("far_mm", "after", "team", "same"), [
    (16.0, 10, "red", True),  # as seen in a film: struck, under the hand that had flicked
    (16.0, 20, "red", False),  # lifted, and another one set down
    (16.0, 10, "green", False),
    (120.0, 10, "red", False),  # a question for others
])  # fmt: skip
def test_no_hand_takes_one_and_sets_another_down_beside_its_place_in_a_moment(
    far_mm: float, after: int, team: str, same: bool
) -> None:
    there = disc(HOME[0] + far_mm, HOME[1], team)
    frames = Frames().see(range(LEFT + 1), *HOME).see(range(LEFT + after, 40), *there.place, team)
    told = put_down_too_soon([left_home()], {}, scene(there), frames.watch())
    assert [(p.puck, d) for p, d in told] == ([("p1", there)] if same else [])
    assert put_down_too_soon([left_home()], {"p2": there}, scene(there), frames.watch()) == []


@pytest.mark.parametrize("hand_over", [range(0), range(30)])
def test_what_a_hand_lay_on_from_the_first_frame_may_have_left_before(hand_over: range) -> None:
    """As after a knock, when the board is found again while a hand slides a puck on it."""
    far, near = disc(HOME[0] + 62.0, HOME[1]), disc(HOME[0] + 16.0, HOME[1])
    gone = Path("p1", "red", HOME, left=-1, last_seen_at_rest=-1)
    frames = Frames(hand_over=hand_over).see(range(6, 40), *far.place).see(range(6, 40), *near.place)
    was_there = not hand_over
    assert bool(too_quick([gone], {"p1": far}, scene(far), frames.watch())) is was_there
    assert bool(put_down_too_soon([gone], {}, scene(near), frames.watch())) is was_there


@pytest.mark.parametrize(("mm_a_frame", "lost", "stops_short_mm", "in_sight"), [
    (4.0, range(0), 0.0, True),
    (10.0, range(0), 0.0, True),
    (25.0, range(0), 0.0, False),  # 750 mm/s: carried
    (4.0, range(LEFT + 10, LEFT + 12), 0.0, True),
    (4.0, range(LEFT + 10, LEFT + 16), 0.0, False),  # it may have been lifted
    (4.0, range(0), 9.0, False),  # what lies there was not seen to come
])  # fmt: skip
def test_a_puck_seen_all_the_way_was_slid_however_far(
    mm_a_frame: float, lost: range, stops_short_mm: float, in_sight: bool
) -> None:
    way = [PathPoint(LEFT + k, HOME[0] + mm_a_frame * k, HOME[1], None) for k in range(1, 26) if LEFT + k not in lost]
    slid = Path("p1", "red", HOME, left=LEFT, last_seen_at_rest=LEFT, near=[PathPoint(LEFT, *HOME, None)], points=way)
    there = disc(way[-1].x_mm + stops_short_mm, HOME[1])
    assert slid_in_sight(slid, there, Frames().watch()) is in_sight


def test_a_puck_that_was_seen_nowhere_on_its_way_was_not_slid_in_sight() -> None:
    """Its way was led back to its place, and then it was found to be the one that lies far off."""
    lost = Path("p1", "red", HOME, left=LEFT, last_seen_at_rest=LEFT, near=[PathPoint(LEFT, *HOME, None)], end=HOME)
    assert not slid_in_sight(lost, disc(HOME[0] + 120.0, HOME[1]), Frames().watch())


def test_each_lost_puck_is_found_in_a_place_of_its_own() -> None:
    there = disc(HOME[0] + 16.0, HOME[1])
    frames = Frames().see(range(LEFT + 1), *HOME).see(range(LEFT + 5, 40), *there.place)
    lost = [left_home(), Path("p2", "red", (110.0, 205.0), left=LEFT, last_seen_at_rest=LEFT)]
    assert [p.puck for p, _ in put_down_too_soon(lost, {}, scene(there), frames.watch())] == ["p2"]  # the nearer one


def test_of_two_lost_pucks_each_is_the_one_nearby() -> None:
    near, far = disc(HOME[0] + 5.0, HOME[1]), disc(HOME[0] + 40.0, HOME[1])
    frames = Frames().see(range(LEFT + 5, 40), *near.place).see(range(LEFT + 5, 40), *far.place)
    lost = [left_home(), Path("p2", "red", (HOME[0] + 50.0, HOME[1]), left=LEFT, last_seen_at_rest=LEFT)]
    told = put_down_too_soon(lost, {}, scene(far, near), frames.watch())
    assert {p.puck: d for p, d in told} == {"p1": near, "p2": far}
    assert put_down_too_soon(lost, {}, scene(disc(HOME[0], HOME[1] + 9.0)), frames.watch()) == []  # never seen there


@pytest.mark.parametrize("hidden", [True, False])
def test_one_that_something_hid_all_the_while_was_not_lifted_in_less_than_half_a_second(hidden: bool) -> None:
    there = disc(HOME[0] + 200, HOME[1])
    frames = Frames(hidden=set(range(LEFT + 1, LEFT + 12)) if hidden else set())
    frames.see(range(LEFT + 1), *HOME).see(range(LEFT + 12, 40), *there.place)
    assert bool(too_quick([left_home()], {}, scene(there), frames.watch())) is hidden


def test_a_puck_that_no_hand_came_near_was_not_carried() -> None:
    there = disc(300.0, 300.0)
    path = left_home(there)
    joined = {"p1": there}
    assert unhandled([path], joined, scene(there), Frames().watch()) == [path]
    assert unhandled([path], joined, scene(there), Frames(hands={HOME}).watch()) == [path]
    assert unhandled([path], joined, scene(there), Frames(hands={HOME, there.place}).watch()) == []


def test_a_disc_that_no_hand_brought_is_one_of_those_that_left() -> None:
    path, strange = left_home(), disc(400.0, 300.0)
    assert unhandled([path], {}, scene(strange), Frames(hands={HOME}).watch()) == [path]


def test_a_run_between_two_places_is_none_of_a_hands() -> None:
    there = disc(HOME[0] + 26, HOME[1])
    ran = Frames().see(range(LEFT + 1), *HOME)
    for k, mm in enumerate((8.0, 16.0, 23.0, 26.0)):
        ran.see(range(LEFT + 1 + k, LEFT + 2 + k), HOME[0] + mm, HOME[1])
    assert slid_too_fast(left_home(there), ran.watch())
    assert not slid_too_fast(left_home(), ran.watch())
    slid = Frames()
    for k in range(13):
        slid.see(range(LEFT + k, LEFT + 1 + k), HOME[0] + 2.0 * k, HOME[1])
    assert not slid_too_fast(left_home(there), slid.watch())


@pytest.mark.parametrize(("lay_until", "fast"), [(20, True), (9, True), (7, False)])
def test_what_seems_to_run_when_a_hand_had_the_time_to_slide_it_is_the_finger(lay_until: int, fast: bool) -> None:
    """All three of a few hundred films that ran so had been slid."""
    there = disc(HOME[0] + 26, HOME[1])
    frames = Frames(lay=range(lay_until + 1)).see(range(21), *HOME)
    for k, mm in enumerate((8.0, 16.0, 23.0)):
        frames.see(range(21 + k, 22 + k), HOME[0] + mm, HOME[1])
    frames.see(range(24, 38), there.x_mm + 2.0, there.y_mm).see(range(39, 40), *there.place)  # a hand passes over it
    assert slid_too_fast(left_home(there), frames.watch()) is fast
    frames.lay, frames.still = range(2), range(lay_until + 1)
    assert slid_too_fast(left_home(there), frames.watch()) is fast, "nothing has changed there until then"


def test_a_placed_puck_was_there_when_it_was_first_seen() -> None:
    frames = Frames().see(range(20, 40), 301.0, 300.0).see(range(5, 9), 300.0, 300.0, team="green")
    assert came_time(frames.watch(), disc(300.0, 300.0)) == pytest.approx(20 / 30)
    assert came_time(frames.watch(), disc(50.0, 50.0)) == pytest.approx(39 / 30)


@pytest.mark.parametrize(("far_mm", "took", "flicked"), [
    (14.0, 3, True), (14.0, 4, True), (14.0, 8, False), (60.0, 4, True), (7.0, 2, False), (90.0, 4, False),
])  # fmt: skip
def test_a_puck_that_lay_and_lies_again_within_a_moment_was_not_slid(far_mm: float, took: int, flicked: bool) -> None:
    """127 slides in films took a third of a second and more, flicks of 9 to 15 mm a tenth."""
    lies = disc(HOME[0] + far_mm, HOME[1])
    frames = Frames(lay=range(LEFT + 1)).see(range(LEFT + took, 30), HOME[0] + far_mm + 0.6, HOME[1])
    assert hopped(left_home(lies), frames.watch()) is flicked


@pytest.mark.parametrize(("took", "flicked"), [(5, True), (8, True), (9, False)])
def test_one_that_lies_elsewhere_a_moment_later_and_ever_since_was_not_slid(took: int, flicked: bool) -> None:
    """Three flicks under the finger, of 16 to 29 mm and off a wall, took a fifth of a second and a little more."""
    lies = disc(HOME[0] + 28.0, HOME[1])
    frames = Frames(lay=range(LEFT + 1)).see(range(LEFT + took, 40), HOME[0] + 28.6, HOME[1])
    assert hopped(left_home(lies), frames.watch()) is flicked


@pytest.mark.parametrize(("fps", "took", "far_mm", "beside_mm", "flicked"), [
    (15.0, 3, 20.0, 0.6, True),  # as seen in a film of 15 frames a second
    (15.0, 4, 20.0, 0.6, False),  # a finger slides it in a quarter of a second at the least
    (15.0, 3, 11.0, 0.6, False),
    (15.0, 3, 20.0, 3.0, False),  # it was not there any more
    (30.0, 6, 20.0, 0.6, False),  # more of its way would be seen
])  # fmt: skip
def test_where_frames_are_few_a_puck_with_a_finger_beside_it_lay_where_it_is_seen_whole(
    fps: float, took: int, far_mm: float, beside_mm: float, flicked: bool
) -> None:
    """The finger's shadow lies on its place, so that this does not look just as it did for some frames before."""
    lies = disc(HOME[0] + far_mm, HOME[1])
    frames = Frames(lay=range(LEFT - 6), fps=fps).see(range(LEFT + 1), HOME[0] - beside_mm, HOME[1])
    frames.see(range(LEFT + took, 40), *lies.place)
    assert hopped(left_home(lies), frames.watch()) is flicked


def test_what_is_seen_there_so_soon_and_then_no_more_is_a_finger_of_the_pucks_colour() -> None:
    lies = disc(HOME[0] + 18.0, HOME[1])
    frames = Frames(lay=range(LEFT + 1)).see(range(LEFT + 6, LEFT + 12), *lies.place).see(range(35, 40), *lies.place)
    assert not hopped(left_home(lies), frames.watch())


@pytest.mark.parametrize(("covered", "flicked"), [(False, False), (True, True)])
def test_a_finger_that_looks_like_the_puck_is_seen_where_it_slides_it_to_and_beside_that(
    covered: bool, flicked: bool
) -> None:
    """A hand's way over 23 mm in a third of a second, told surely as a flick, as the finger on the puck had by chance
    looked for five frames like the puck where it came to lie. A puck does so ever since, where no hand covers it."""
    lies = disc(HOME[0] - 6.0, HOME[1] + 22.0)
    frames = Frames(lay=range(LEFT + 1), hand_over=range(LEFT + 7, 34) if covered else range(0))
    frames.see(range(LEFT + 2, LEFT + 7), *lies.place).see(range(LEFT + 9, 34), lies.x_mm, lies.y_mm + 16.5)
    frames.see(range(34, 39), *lies.place)
    assert hopped(left_home(lies), frames.watch()) is flicked


@pytest.mark.parametrize(("fps", "mm", "skips", "ran"), [
    (15.0, (23.0, -1.0, -27.0, -34.0), 0, True),  # as seen in a film of which each frame was given twice
    (30.0, (23.0, -1.0, -27.0, -34.0), 0, False),  # raced_off knows more of those
    (15.0, (10.0, 18.0, 26.0, 34.0), 0, False),  # at 150 mm/s, as a hand slides it
    (15.0, (23.0, -1.0, -27.0, -34.0), 1, False),  # what was there when it was hidden may be a finger
    (15.0, (23.0, -33.0, -34.0, -34.0), 0, False),  # two frames are too few
])  # fmt: skip
def test_where_frames_are_few_a_puck_that_is_turned_back_beside_a_hand_was_not_slid(
    fps: float, mm: tuple[float, ...], skips: int, ran: bool
) -> None:
    """Against a door's wall, 23 mm off, and back under the finger, to 34 mm on the other side."""
    went = left_home(disc(HOME[0], HOME[1] + mm[-1]))
    went.points = [PathPoint(LEFT + 1 + skips + k, HOME[0], HOME[1] + y, None) for k, y in enumerate(mm)]
    assert ran_in_few_frames(went, Frames(fps=fps).watch()) is ran


@pytest.mark.parametrize(("lay_until", "far_mm", "held"), [(LEFT, 14.0, False), (0, 14.0, True), (0, 45.0, False)])
def test_what_did_not_look_as_it_lay_for_a_while_before_it_went_a_little_way_may_have_had_a_finger_on_it(
    lay_until: int, far_mm: float, held: bool
) -> None:
    """Three slides by fingers of the pucks' colour, of 14 to 20 mm in films, were told as flicks."""
    end = (HOME[0] + far_mm, HOME[1])
    ran = Motion("p1", "red", HOME, end, np.array([0.33, 0.4]), np.array([HOME, end]), LEFT / 30, 0.4, (1, 0), 300.0)
    assert held_before(ran, Frames(lay=range(lay_until + 1)).watch()) is held
    assert not held_before(replace(ran, end=None), Frames(lay=range(1)).watch())


@pytest.mark.parametrize(("far_mm", "lay_until", "off_mm", "was_slid"), [
    pytest.param(14.0, 0, (0, 2, 3, 3, 4, 4, 5, 6, 6, 6), True, id="slid by a finger of its colour"),
    pytest.param(14.0, 0, (0, 1, 1, 2, 2, 2, 2, 2, 2, 2), False, id="waits under a finger until it is flicked"),
    pytest.param(14.0, 0, (1, 3, 4, 4, 4, 4, 4, 4, 4, 4), False, id="shifted by a finger that waits beside it"),
    pytest.param(14.0, 4, (0, 0, 0, 0, 4, 5, 6, 7, 8, 9), False, id="lay bare just before"),
    pytest.param(40.0, 0, (0, 2, 3, 3, 4, 4, 5, 6, 6, 6), False, id="goes too far"),
])  # fmt: skip
def test_what_strays_under_a_finger_of_its_colour_was_slid(
    far_mm: float, lay_until: int, off_mm: tuple[float, ...], was_slid: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five slides of 14 to 25 mm in films were told as flicks, and asked about."""
    lies = disc(HOME[0] + far_mm, HOME[1])
    went = left_home(lies)
    went.near = [PathPoint(k, HOME[0], HOME[1] + mm, None) for k, mm in enumerate(off_mm, 1)]
    went.points = [PathPoint(LEFT + 1, *lies.place, None)]
    watch = Frames(lay=range(lay_until + 1)).watch()
    assert dragged(went, watch) is was_slid
    assert not dragged(replace(went, near=went.near[-4:]), watch), "it is hardly seen"
    assert not dragged(replace(went, end=None), watch)
    monkeypatch.setattr(vision.runners, "_free", lambda runners: ([went], []))
    monkeypatch.setattr(vision.runners, "unreached", lambda *_: [])
    for name in ("_add_gone_in_a_moment", "_add_found_elsewhere", "_add_taken"):
        monkeypatch.setattr(vision.runners, name, lambda _: None)
    case = cast(Scene, SimpleNamespace(cut_short=False, appeared=[lies]))
    assert who_ran([went], {"p1": lies}, set(), case, watch).free == ([] if was_slid else [went])
    struck = replace(went, puck="p2", end=None)
    among = who_ran([went, struck], {"p1": lies}, set(), case, watch)
    assert among.free == [went], "where others moved, a touch tells more"


@pytest.mark.parametrize(("hand_mm", "hand", "tip", "frames", "about"), [
    pytest.param(80.0, range(LEFT, LEFT + 1), None, range(0), True, id="a hand not far off"),
    pytest.param(80.0, range(LEFT + 12, 40), None, range(0), False, id="a hand that comes later"),
    pytest.param(150.0, range(40), None, range(0), False, id="a hand far off"),
    pytest.param(150.0, range(40), (125.0, 215.0), range(LEFT - 1, LEFT + 1), True, id="a tip like a team's paint"),
    pytest.param(150.0, range(40), (125.0, 215.0), range(LEFT, LEFT + 1), False, id="something seen once"),
    pytest.param(150.0, range(40), (125.0, 215.0), range(LEFT + 2, 40), False, id="something that comes later"),
    pytest.param(150.0, range(40), (160.0, 215.0), range(40), False, id="something far off"),
    pytest.param(150.0, range(40), (82.0, 225.0), range(40), False, id="another puck of the shot"),
    pytest.param(150.0, range(40), (100.0, 230.0), range(40), False, id="a puck that was nudged"),
    pytest.param(150.0, range(40), (130.0, 190.0), range(40), False, id="a puck that lies still"),
])  # fmt: skip
def test_a_hand_of_which_little_is_told_from_the_ground_may_have_flicked_a_puck(
    hand_mm: float, hand: range, tip: tuple[float, float] | None, frames: range, about: bool
) -> None:
    """As a finger before a wooden rim in a dim room, of which only the tip is seen."""
    end = (HOME[0] - 200.0, HOME[1])
    ran = Motion("p1", "red", HOME, end, np.array([0.35, 0.5]), np.array([HOME, end]), 0.35, 0.5, (-1, 0), 900.0)
    watch = Frames(hand_mm=hand_mm, hand_frames=hand)
    watch.scene.vacated = [SimpleNamespace(place=HOME), SimpleNamespace(place=(82.0, 225.0))]
    watch.scene.appeared, watch.scene.nudges = [disc(*end)], [SimpleNamespace(start=(100.0, 230.0))]
    watch.scene.lying = [SimpleNamespace(place=(130.0, 190.0))]
    if tip is not None:
        watch.see(frames, *tip, team="green")
    assert hand_about(ran, watch.watch()) is about


def test_what_comes_by_a_puck_before_it_leaves_is_no_fingertip() -> None:
    end = (HOME[0] - 200.0, HOME[1])
    ran = Motion("p1", "red", HOME, end, np.array([0.35, 0.5]), np.array([HOME, end]), 0.35, 0.5, (-1, 0), 900.0)
    watch = Frames()
    watch.scene.vacated, watch.scene.appeared = [SimpleNamespace(place=HOME)], [disc(*end)]
    watch.scene.nudges, watch.scene.lying = [], []
    for k in range(LEFT + 1):
        watch.see(range(k, k + 1), 125.0, 185.0 + 4 * k, team="green")
    assert not hand_about(ran, watch.watch())


@pytest.mark.parametrize(("far_mm", "is_seen", "frame_s", "doubts"), [
    (13.0, True, 1 / 30, []), (11.0, True, 1 / 30, [FASTER]), (13.0, False, 1 / 30, [FASTER]),
    (13.0, True, 0.1, [FASTER]),
])  # fmt: skip
def test_what_was_seen_to_go_further_in_a_moment_than_a_nudge_takes_it_was_flicked(
    far_mm: float, is_seen: bool, frame_s: float, doubts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All ten pucks of films that hopped had been flicked; a hand that slides one lies on it before."""
    lies = disc(HOME[0] + far_mm, HOME[1])
    watch = Frames(lay=range(LEFT + 1), hands={HOME, lies.place}).see(range(LEFT + 3, 40), *lies.place)
    went = left_home(lies)
    went.points = [PathPoint(LEFT + 3, *lies.place, None)] if is_seen else []
    for name in ("_free", "_add_gone_in_a_moment", "_add_found_elsewhere", "_add_taken"):
        monkeypatch.setattr(vision.runners, name, lambda _: ([], []))
    monkeypatch.setattr(vision.runners, "unreached", lambda *_: [])
    monkeypatch.setattr(vision.runners, "eased", lambda *_: False)  # there are no pictures of it
    case = cast(Scene, SimpleNamespace(cut_short=False, appeared=[lies], frame_s=frame_s))
    told = who_ran([went], {"p1": lies}, set(), case, watch.watch())
    assert (told.free, told.doubts) == ([went], doubts)


@pytest.mark.parametrize(("slowly", "at_once", "free", "doubts"), [
    (False, False, True, []), (True, False, False, []), (True, True, True, [FASTER]),
])  # fmt: skip
def test_ground_that_turned_over_slowly_or_all_at_once_tells_more_than_a_hop(
    slowly: bool, at_once: bool, free: bool, doubts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lies = disc(HOME[0] + 13.0, HOME[1])
    watch = Frames(lay=range(LEFT + 1), hands={HOME, lies.place}).see(range(LEFT + 3, 40), *lies.place)
    went = left_home(lies)
    went.points = [PathPoint(LEFT + 3, *lies.place, None)]
    for name, told in (("eased", slowly), ("snapped", at_once), ("stepped", False)):
        monkeypatch.setattr(vision.runners, name, lambda *_, told=told: told)
    others = ("_free", "_untouched", "_driven", "_stray")
    for name in (*others, "_add_gone_in_a_moment", "_add_found_elsewhere", "_add_taken"):
        monkeypatch.setattr(vision.runners, name, lambda _: ([], []))
    monkeypatch.setattr(vision.runners, "unreached", lambda *_: [])
    case = cast(Scene, SimpleNamespace(cut_short=False, appeared=[lies], frame_s=1 / 30, missed=0))
    found = who_ran([went], {"p1": lies}, set(), case, watch.watch())
    assert (found.free, found.doubts) == ([went] if free else [], doubts)


def test_one_that_is_hardly_other_than_the_ground_is_not_known_to_have_lain_there_until_then() -> None:
    lies = disc(HOME[0] + 14.0, HOME[1])
    frames = Frames(lay=range(40)).see(range(LEFT + 15, 40), *lies.place)
    assert not hopped(left_home(lies), frames.watch())


def test_one_that_a_finger_hid_until_it_lay_elsewhere_may_have_been_slid() -> None:
    lies = disc(HOME[0] + 14.0, HOME[1])
    frames = Frames(lay=range(LEFT - 9)).see(range(LEFT + 3, 30), *lies.place)
    assert not hopped(left_home(lies), frames.watch())


@pytest.mark.parametrize(("after", "later"), [(12, False), (24, True)])
def test_a_puck_that_was_gone_in_a_moment_has_not_run_to_where_one_was_set_down_later(after: int, later: bool) -> None:
    """No puck runs unseen for 0.7 s."""
    lies = disc(600.0, 200.0)
    frames = Frames().see(range(LEFT + after, 40), *lies.place)
    assert set_down_later(left_home(lies), lies, frames.watch()) is later


@pytest.mark.parametrize(("way", "raced"), [
    pytest.param([(100, 244), (100, 227), (100, 212), (100, 200), (100, 180), (100, 171)], True, id="off a wall"),
    pytest.param([(100, 214), (100, 204), (100, 196), (100, 188), (100, 179), (100, 171)], False, id="slid"),
    pytest.param([(100, 228), (100, 226), (100, 200), (100, 190), (100, 180), (100, 171)], False, id="shifted at once"),
    pytest.param([(135, 200), (104, 193), (104, 191), (103, 188), (101, 178), (100, 171)], False, id="off for a frame"),
    pytest.param([(100, 230), (100, 218), (100, 216), (100, 190), (100, 171)], False, id="faster again"),
    pytest.param([(100, 244), (100, 300), (100, 356)], False, id="not where it lies"),
    pytest.param([(100, 217), (100, 205), (100, 196), (100, 188), (100, 181), (100, 173)], True, id="weakly"),
    pytest.param([(100, 217), (104, 231), (104, 221), (103, 202), (101, 180), (100, 171)], False, id="weakly on"),
    pytest.param([(100, 182), (100, 171), (106, 171), (104, 171), (102, 171), (100, 171)], False, id="straight on"),
    pytest.param([(108, 210), (108, 198), (106, 190), (104, 180), (100, 171)], False, id="slid around"),
])  # fmt: skip
def test_a_puck_that_comes_back_off_a_wall_went_as_no_hand_slides_one(way: list[tuple[int, int]], raced: bool) -> None:
    went = left_home(disc(100.0, 171.0))
    went.end = (100.0, 171.0)
    went.points = [PathPoint(LEFT + 1 + k, x, y, Streak(LEFT + 1 + k, "red", x, y, 1.0, 7.0, 7.0, 0.0, (0, 0, 1, 1)))
                   for k, (x, y) in enumerate(way)]  # fmt: skip
    assert raced_off(went, Frames().watch()) is raced
    late = [replace(p, frame=p.frame + (k > 3)) for k, p in enumerate(went.points)]
    assert raced_off(replace(went, points=late), Frames().watch()) is raced, "it may be hidden later on"
    went.points = [replace(p, frame=p.frame + (k > 0)) for k, p in enumerate(went.points)]
    assert not raced_off(went, Frames().watch()), "it was hidden in a frame"
    went.points = []
    assert not raced_off(went, Frames().watch()), "it was seen nowhere"
