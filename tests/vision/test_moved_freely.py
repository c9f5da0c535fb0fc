"""Whether a puck that changed its place was flicked or struck, or slid by a hand: as frames show it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.vision.seen_frames import HOME, LEFT, RADIUS_MM, Frames, aiming, path
from vision.bounces import Lying
from vision.leaving import carried
from vision.motion import Nudge
from vision.moved_freely import _strays_in_hand, moved_freely
from vision.paths import Path, PathPoint
from vision.streaks import Streak
from vision.watch import HAND_FAR_MM


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


def test_a_puck_that_sprang_off_a_wall_back_under_the_hand_was_flicked() -> None:
    seen = path((LEFT + 1, 300, 36), (LEFT + 2, 303, 58), (LEFT + 3, 305, 80), (LEFT + 8, 310, 110))
    seen.end = (310.0, 110.0)
    hand = {LEFT + 1: 17.0, LEFT + 2: 3.0, LEFT + 3: 0.0, LEFT + 8: 2.0}
    behind = {"joined": {LEFT + 2, LEFT + 3, LEFT + 8}, "home_mm": aiming()}
    assert moved_freely(seen, Frames(gap_mm=hand, **behind).watch())
    assert not moved_freely(seen, Frames(gap_mm={**hand, LEFT + 1: 3.0}, **behind).watch())  # beside the finger
    assert not moved_freely(seen, Frames(gap_mm=hand, hidden={LEFT}, **behind).watch())  # the hand was on it
    assert not moved_freely(seen, Frames(gap_mm=hand, gone_at=LEFT + 2, **behind).watch())  # and it lay there still


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


def test_a_puck_flicked_over_the_edge_from_under_a_hand_that_stays_was_flicked() -> None:
    """The hand is over its place all along, and the puck is seen clear of it, in the frame after next the edge."""
    under = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 30.0}, hidden=set(range(LEFT - 1, LEFT + 4)))
    assert moved_freely(path((LEFT + 1, 300, 20)), under.watch())
    drawn = Frames(home_mm=aiming(0.0), gap_mm={LEFT + 1: 0.0, LEFT + 2: 30.0}, joined={LEFT + 1}, hidden={LEFT})
    assert moved_freely(path((LEFT + 1, 300, 45), (LEFT + 2, 300, 5)), drawn.watch())


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


IN_HAND = {1: 1.0, 5: 0.0, 10: 3.0, 12: 7.0, 14: 4.0, 16: 11.0}  # mm from the hand, by frames after it left


@pytest.mark.parametrize(("others", "end_mm", "hand_mm", "free"), [
    pytest.param({}, (11.0, 21.0), IN_HAND, False, id="slid, as in a film"),
    pytest.param({}, (11.0, 21.0), IN_HAND | {10: 40.0}, True, id="it left the hand"),
    pytest.param({}, (-32.0, 20.0), IN_HAND, True, id="friction may have stopped it"),
    pytest.param({}, (60.0, 60.0), IN_HAND, True, id="too far for a slide"),
    pytest.param({"struck": 1}, (11.0, 21.0), IN_HAND, True, id="it struck another one"),
    pytest.param({"lying": (Lying("p2", 311.0, 81.0 + 2 * RADIUS_MM),)}, (11.0, 21.0), IN_HAND, True, id="a puck"),
])  # fmt: skip
def test_what_goes_to_and_fro_beside_a_hand_and_then_lies_still_at_once_was_the_hand(
    others: dict[str, Any], end_mm: tuple[float, float], hand_mm: dict[int, float], free: bool
) -> None:
    """24 mm by a hand of the puck's colour, a patch of which seemed to run 200 mm meanwhile."""
    strayed = {1: (-40, -32), 5: (-22, -18), 10: (-47, 28), 12: (-30, 17), 14: (-29, -13), 16: (-30, 28)}
    seen = [(LEFT + k, HOME[0] + x, HOME[1] + y) for k, (x, y) in strayed.items()]
    end = (HOME[0] + end_mm[0], HOME[1] + end_mm[1])
    slid = path(*seen, (LEFT + 17, *end), (LEFT + 18, *end))
    slid.end = end
    gaps = {LEFT + k: mm for k, mm in hand_mm.items()} | {LEFT + 17: 42.0, LEFT + 18: 60.0}
    assert moved_freely(slid, Frames(home_mm=aiming(0.0), gap_mm=gaps, **others).watch()) is free


@pytest.mark.parametrize("fps", [30.0, 50.0, 60.0, 90.0])
def test_a_flick_off_a_wall_and_back_beside_the_hand_glides_to_its_end_at_any_rate_of_frames(fps: float) -> None:
    """46 mm to the wall and 41 back in the hand's shade, until friction has stopped it."""
    back = [(46 - 41 * (1 - (1 - min(k / fps / 0.165, 1.0)) ** 2)) for k in range(15)]
    seen = path(*((LEFT + 2 + k, HOME[0], HOME[1] - mm) for k, mm in enumerate(back)))
    seen.end = (HOME[0], HOME[1] - 5)
    watch = Frames(fps=fps, home_mm=aiming(2.0), gap_mm=dict.fromkeys(range(30), 12.0)).watch()
    assert not _strays_in_hand(seen, watch)
