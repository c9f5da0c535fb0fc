"""A bounce off a puck that stays where it lies is a touch; a bounce off a wall is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.virtual_table.tables import plain_board
from vision.bounces import Lying, bounces
from vision.contacts import Touch
from vision.motion import FRICTION_MM_S2, Motion

BOARD = plain_board()
DIAMETER, RADIUS = BOARD.puck.diameter_mm, BOARD.puck.radius_mm
FRAME_S = 1 / 30
SPEED_MM_S = 1500.0
HIT_S = 0.1
WALLED = Lying("p2", RADIUS + 0.5, 200.0)  # against the rim


def run(start: tuple[float, float], heading_deg: float, hit: tuple[float, float] | None, back_deg: float = 0.0,
        back_mm_s: float = 500.0, phase: float = 0.4) -> Motion:  # fmt: skip
    """A puck seen thirty times a second that runs to a place and off it again. Reaches it at HIT_S."""
    times, places = [0.0], [start]
    for k in range(1, 8):
        t = (k - phase) * FRAME_S
        if hit is None or t < HIT_S:
            way = SPEED_MM_S * t
            place = (start[0] + way * math.cos(math.radians(heading_deg)),
                     start[1] + way * math.sin(math.radians(heading_deg)))  # fmt: skip
        else:
            dt = min(t - HIT_S, back_mm_s / FRICTION_MM_S2)
            way = back_mm_s * dt - FRICTION_MM_S2 / 2 * dt**2
            place = (hit[0] + way * math.cos(math.radians(back_deg)), hit[1] + way * math.sin(math.radians(back_deg)))
        times.append(t)
        places.append(place)
    return Motion("p1", "red", start, places[-1], np.array(times), np.array(places), 0.0, times[-1],
                  (math.cos(math.radians(heading_deg)), math.sin(math.radians(heading_deg))), SPEED_MM_S)  # fmt: skip


def told(motion: Motion, lying: Sequence[Lying], known: Sequence[Touch] = ()) -> list[tuple[str, str]]:
    return [(t.striker, t.struck) for t in bounces([motion], lying, BOARD, known)]


def head_on(phase: float) -> Motion:
    """Runs straight at the puck that lies against the rim, and back."""
    hit = (WALLED.x_mm + DIAMETER, 200.0)
    return run((hit[0] + SPEED_MM_S * HIT_S, 200.0), 180.0, hit, 0.0, phase=phase)


@pytest.mark.parametrize("phase", [0.1, 0.4, 0.7, 0.95])
def test_a_puck_that_comes_back_from_one_at_the_rim_has_touched_it(phase: float) -> None:
    (touch,) = bounces([head_on(phase)], [WALLED], BOARD, [])
    assert (touch.striker, touch.struck) == ("p1", "p2")
    assert touch.time_s == pytest.approx(HIT_S, abs=FRAME_S / 2)
    assert touch.x_mm == pytest.approx(WALLED.x_mm + RADIUS, abs=3.0)


def test_a_glancing_blow_acts_along_the_line_of_the_centres() -> None:
    """It comes at 30 degrees to that line; what is along it is turned round, what is across it stays."""
    away = math.radians(30.0)
    centre = (300.0, 300.0)
    hit = (centre[0] + DIAMETER * math.cos(away), centre[1] + DIAMETER * math.sin(away))
    across = SPEED_MM_S * math.sin(away)
    start = (hit[0] + SPEED_MM_S * HIT_S, hit[1])
    slow = run(start, 180.0, hit, math.degrees(away) + 90.0, across)
    behind = Lying("p3", *(np.array(centre) - DIAMETER * np.array([math.cos(away), math.sin(away)])))
    assert told(slow, [Lying("p2", *centre), behind]) == [("p1", "p2")]


def test_one_that_lies_free_was_not_struck_as_it_would_have_moved() -> None:
    motion = run((300.0 + SPEED_MM_S * HIT_S, 200.0), 180.0, (300.0, 200.0), 0.0)
    free, beside = Lying("p2", 300.0 - DIAMETER, 200.0), Lying("p3", 300.0 - DIAMETER, 200.0 + DIAMETER + 1.0)
    assert told(motion, [free, beside]) == []
    assert told(motion, [free, Lying("p3", 302.0 - 2 * DIAMETER - 5.0, 200.0)]) == [("p1", "p2")]
    assert [(t.striker, t.struck) for t in bounces([motion], [free], BOARD, [], driven={"p2"})] == [("p1", "p2")]


@pytest.mark.parametrize(("phase", "driven", "struck"), [
    (0.4, {"p2"}, [("p1", "p2")]),
    (0.4, set(), []),
    (0.8, {"p2"}, []),  # seven milliseconds tell no speed
])  # fmt: skip
def test_one_that_was_moved_was_struck_although_another_touch_follows_in_the_next_frame(
    phase: float, driven: set[str], struck: list[tuple[str, str]]
) -> None:
    """As seen in a film: thrown back by the rim, the one that was struck lay 1 mm from where it had lain."""
    seen = head_on(phase)
    next_to = int(np.searchsorted(seen.times_s, HIT_S))
    turned = seen.places_mm.copy()
    turned[next_to + 1 :] = turned[next_to] + np.array([(0.0, 300.0 * (t - seen.times_s[next_to]))
                                                        for t in seen.times_s[next_to + 1 :]])  # fmt: skip
    then = Touch(float(seen.times_s[next_to]), "p1", "p3", turned[next_to][0] + RADIUS, turned[next_to][1], 0.9)
    told_of = bounces([replace(seen, places_mm=turned, end=tuple(turned[-1]))], [WALLED], BOARD, [then], driven=driven)
    assert [(t.striker, t.struck) for t in told_of] == struck


@pytest.mark.parametrize(("rim_mm", "struck"), [(6.5, [("p1", "p2")]), (18.0, [("p1", "p2")]), (40.0, [])])
def test_one_that_the_rim_threw_back_to_where_it_lay_was_struck(rim_mm: float, struck: list[tuple[str, str]]) -> None:
    """Filmed on the virtual table: 6.5 mm from the rim, and 0.6 mm from where it had lain afterwards."""
    free = Lying("p2", RADIUS + rim_mm, 200.0)
    hit = (free.x_mm + DIAMETER, 200.0)
    assert told(run((hit[0] + SPEED_MM_S * HIT_S, 200.0), 180.0, hit, 0.0), [free]) == struck


def test_one_that_passed_the_blow_on_and_stayed_was_struck() -> None:
    """Behind it lay another one, which the blow struck away."""
    motion = run((300.0 + SPEED_MM_S * HIT_S, 200.0), 180.0, (300.0, 200.0), 0.0)
    between = Lying("p2", 300.0 - DIAMETER, 200.0)
    for onset_s, told_of in ((HIT_S, True), (HIT_S - 0.1, False)):
        away = run((300.0 - 2 * DIAMETER, 200.0), 180.0, None)
        away = replace(away, puck="p3", onset_s=onset_s)
        pairs = [(t.striker, t.struck) for t in bounces([motion, away], [between], BOARD, []) if t.striker == "p1"]
        assert pairs == ([("p1", "p2")] if told_of else [])


def test_one_that_lies_against_a_reef_is_held() -> None:
    motion = run((300.0 + SPEED_MM_S * HIT_S, 200.0), 180.0, (300.0, 200.0), 0.0)
    x = 300.0 - DIAMETER - RADIUS - 1.0
    reef = np.array([(x - 12, 180.0), (x, 180.0), (x, 222.0), (x - 12, 222.0)])
    lying = Lying("p2", 300.0 - DIAMETER, 200.0)
    assert [(t.striker, t.struck) for t in bounces([motion], [lying], BOARD, [], [reef])] == [("p1", "p2")]


def test_one_that_runs_by_has_touched_nothing() -> None:
    assert told(run((300.0, 200.0 + DIAMETER + 1.0), 180.0, None), [Lying("p2", 200.0, 200.0)]) == []


def test_one_that_friction_stops_in_front_of_another_has_not_touched_it() -> None:
    """From 450 mm/s it comes to rest within 34 mm, one millimetre before the other."""
    start, dt = (300.0, 200.0), 450.0 / FRICTION_MM_S2
    times = np.append(np.arange(0.0, dt, FRAME_S), dt)
    way = 450.0 * times - FRICTION_MM_S2 / 2 * times**2
    places = np.column_stack([start[0] - way, np.full(len(way), start[1])])
    motion = Motion("p1", "red", start, tuple(places[-1]), times, places, 0.0, dt, (-1.0, 0.0), 450.0)
    assert told(motion, [Lying("p2", float(places[-1][0]) - DIAMETER - 1.0, 200.0)]) == []


def test_a_bounce_off_the_rim_beside_a_puck_may_be_the_rims() -> None:
    hit = (RADIUS, 200.0)
    motion = run((hit[0] + SPEED_MM_S * HIT_S, 200.0), 180.0, hit, 0.0)
    assert told(motion, [Lying("p2", RADIUS, 200.0 + DIAMETER + 1.0)]) == []


def test_a_bend_right_where_it_was_flicked_is_the_fingers_and_no_bounce() -> None:
    """It seems to turn away from a neighbour 15 mm after its start, where the finger still hides a part of it."""
    places = [(200.0, 200.0), (194.0, 204.0), (183.0, 214.0), (150.0, 228.0), (118.0, 242.0)]
    times = np.array([0.0, 0.004, 0.012, FRAME_S, 2 * FRAME_S])
    motion = Motion("p1", "red", places[0], places[-1], times, np.array(places), 0.0, float(times[-1]),
                    (-1.0, 0.4), 1000.0)  # fmt: skip
    neighbour = Lying("p2", places[1][0] - 12.0, places[1][1] + math.sqrt(DIAMETER**2 - 12.0**2))
    assert told(motion, [neighbour]) == []


def test_a_touch_that_is_known_is_not_told_twice() -> None:
    known = Touch(HIT_S + 0.01, "p1", "p2", 0.0, 0.0, 0.9)
    assert told(head_on(0.4), [WALLED], [known]) == []


def test_a_bend_that_a_known_touch_with_another_explains_is_no_bounce() -> None:
    """It was turned back by a third puck in the very moment in which it would have reached the one at the rim."""
    motion = head_on(0.4)
    other = Touch(HIT_S, "p1", "p3", *motion.at(HIT_S), 0.9)
    assert told(motion, [WALLED]) == [("p1", "p2")]
    assert told(motion, [WALLED], [other]) == []


def test_one_that_lies_behind_what_it_bounced_off_was_not_touched() -> None:
    """A reef turned it round just after it was seen; run on to where the other lies, it could not be back in time."""
    behind = Lying("p2", 300.0 - DIAMETER - 30.0, 200.0)
    motion = run((300.0 + SPEED_MM_S * HIT_S, 200.0), 180.0, (300.0, 200.0), 0.0, phase=0.05)
    assert told(motion, [behind]) == []


def test_a_bounce_off_a_reef_beside_a_puck_may_be_the_reefs() -> None:
    """The puck behind it lies within reach of the same place; without the reef it would be told."""
    motion = run((300.0 + SPEED_MM_S * HIT_S, 200.0), 180.0, (300.0, 200.0), 0.0)
    lying = [Lying("p2", 300.0 - DIAMETER, 200.0), Lying("p3", 300.0 - 2 * DIAMETER, 200.0)]
    x = 300.0 - RADIUS - 2.0
    reef = np.array([(x - 10, 205.0), (x, 205.0), (x, 235.0), (x - 10, 235.0)])
    assert [(t.striker, t.struck) for t in bounces([motion], lying, BOARD, [])] == [("p1", "p2")]
    assert bounces([motion], lying, BOARD, [], [reef]) == []


@pytest.mark.parametrize("seen_off_mm", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("last_s", [0.004, 0.012, 0.025])
def test_a_puck_that_friction_stops_just_short_of_another_has_not_touched_it(last_s: float, seen_off_mm: float) -> None:
    """last_s: how long before it rests it is seen for the last time, some way off where it is."""
    speed, stops_s = 900.0, 900.0 / FRICTION_MM_S2
    times = np.array([0.0, *(stops_s - last_s - k * FRAME_S for k in range(7, -1, -1)), stops_s])
    ways = speed * times - FRICTION_MM_S2 / 2 * times**2
    ways[-2] += seen_off_mm
    places = np.column_stack([100.0 + ways, np.full(len(ways), 200.0)])
    end = (float(places[-1, 0]), 200.0)
    motion = Motion("p1", "red", (100.0, 200.0), end, times, places, 0.0, stops_s, (1.0, 0.0), speed)
    assert told(motion, [Lying("p2", end[0] + DIAMETER + 2.0, 200.0)]) == []
