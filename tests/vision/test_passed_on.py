"""Blows passed on at once: of pucks right before each other the one behind was flicked, however little it moved."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.seen_shots import Camera, play
from tests.vision.virtual_table.tables import plain_board, puck
from vision.contacts import ContactGraph, find_contacts
from vision.motion import Motion, Nudge
from vision.passed_on import as_sent, in_reach, stands_behind
from vision.virtual_table.physics import Puck

BOARD = plain_board()
DIAMETER = BOARD.puck.diameter_mm
FRAME_S = 1 / 30
PHASES = [0.05, 0.3, 0.55, 0.8, 0.97]
RUN_MM_S = 800.0
BLOCK_S = 2.0


def pairs(graph: ContactGraph) -> set[frozenset[str]]:
    return {frozenset((t.striker, t.struck)) for t in graph.touches}


def row(gaps_mm: Sequence[float], turns_deg: Sequence[float]) -> list[Puck]:
    """A row of pucks from red-1 on, each so far before the last and so much aside of east."""
    out = [puck("red-1", 150, 300)]
    for k, (gap, turn) in enumerate(zip(gaps_mm, turns_deg, strict=True), 1):
        x, y, apart, angle = out[-1].x_mm, out[-1].y_mm, DIAMETER + gap, math.radians(turn)
        out.append(puck(f"green-{k}", x + apart * math.cos(angle), y + apart * math.sin(angle)))
    return out


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("gap_mm", "turn_deg"), [(0.1, 0.0), (0.1, 25.0), (1.0, -10.0), (2.5, 5.0)])
@pytest.mark.parametrize("speed_mm_s", [700.0, 1100.0])
def test_a_puck_flicked_against_one_right_before_it_was_flicked(
    gap_mm: float, turn_deg: float, speed_mm_s: float, phase: float
) -> None:
    camera = Camera(BOARD, play(BOARD, row([gap_mm], [turn_deg]), "red-1", 0.0, speed_mm_s), phase)
    graph = camera.contacts()
    assert (graph.flicked, graph.doubts) == ("red-1", ())
    assert [(t.striker, t.struck) for t in graph.touches] == [("red-1", "green-1")]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("turns_deg", [(0.0, 0.0), (15.0, -20.0), (-10.0, 35.0)])
def test_a_blow_goes_through_a_row_from_its_end(turns_deg: tuple[float, float], phase: float) -> None:
    camera = Camera(BOARD, play(BOARD, row([0.2, 0.2], turns_deg), "red-1", 0.0, 1000.0), phase)
    graph = camera.contacts()
    assert (graph.flicked, graph.doubts) == ("red-1", ())
    assert pairs(graph) == {frozenset(("red-1", "green-1")), frozenset(("green-1", "green-2"))}


def runs(name: str, start: tuple[float, float], turn_deg: float, speed_mm_s: float = RUN_MM_S) -> Motion:
    """A motion that begins at 1 s."""
    way = (math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg)))
    end = (start[0] + speed_mm_s / 10 * way[0], start[1] + speed_mm_s / 10 * way[1])
    return Motion(name, "red", start, end, np.array([1.0, 1.1]), np.array([start, end]), 1.0, 1.1, way, speed_mm_s)


def lies(name: str, place: tuple[float, float], dx_mm: float = 0.0, dy_mm: float = 0.0) -> Nudge:
    return Nudge(name, place, (place[0] + dx_mm, place[1] + dy_mm))


@pytest.mark.parametrize(("nudge", "blow"), [
    (lies("p1", (300.0 - DIAMETER - 0.5, 300.0), 3.0), True),
    (lies("p1", (300.0 - DIAMETER - 2.5, 300.0), 3.0), True),
    (lies("p1", (300.0 - DIAMETER - 4.5, 300.0), 3.0), False),  # it did not come so far
    (lies("p1", (300.0, 300.0 - DIAMETER), 0.0, 3.0), False),  # beside the way
    (lies("p1", (300.0 - DIAMETER, 300.0)), False),  # whoever sends another off at so much goes on a little
    (lies("p1", (300.0 + DIAMETER, 300.0), -3.0), False),
])  # fmt: skip
def test_only_what_stood_right_behind_and_went_as_far_can_have_passed_its_run_on(nudge: Nudge, blow: bool) -> None:
    moved, stopped = as_sent([runs("p2", (300.0, 300.0), 0.0, 1600.0)], [nudge], DIAMETER)
    assert [m.puck for m in stopped] == ["p1"] * blow
    for m in stopped:
        assert stands_behind(m, moved[0], DIAMETER)
        assert m.onset_s < moved[0].onset_s


def test_a_puck_was_sent_as_all_run_together_to_which_it_passed_a_part_on() -> None:
    """It glanced off another one right before it: that it had come straight from the one behind, only both can tell."""
    ahead = (300.0 + DIAMETER * math.cos(math.radians(40)), 300.0 + DIAMETER * math.sin(math.radians(40)))
    on, aside = RUN_MM_S * math.cos(math.radians(40)), RUN_MM_S * math.sin(math.radians(40))
    seen = [runs("p2", (300.0, 300.0), -50.0, aside), runs("p3", ahead, 40.0, on)]
    moved, stopped = as_sent(seen, [lies("p1", (300.0 - DIAMETER, 300.0), 2.0)], DIAMETER)
    assert moved[0].direction == pytest.approx((1.0, 0.0), abs=1e-6)
    assert moved[0].speed_mm_s == pytest.approx(RUN_MM_S)
    assert moved[1].direction == pytest.approx(seen[1].direction)
    assert [m.puck for m in stopped] == ["p1"]


def test_a_puck_that_lies_still_aside_of_the_finger_was_not_flicked() -> None:
    """As seen: it lay beside where the finger was, and did not move at all."""
    beside = lies("p10", (118.9, 284.9))
    told = find_contacts([runs("p14", (131.4, 310.9), 76.7, 1083.0)], [], {"p14": 33.6, "p10": 4.8}, DIAMETER, FRAME_S,
                         [beside])  # fmt: skip
    assert (told.flicked, told.touches, told.doubts) == ("p14", (), ())


@pytest.mark.parametrize(("dx_mm", "hand_mm", "asked"), [(1.0, 2.0, True), (-2.0, 2.0, False), (1.0, 30.0, False)])
def test_a_puck_that_came_towards_another_and_lay_nearer_to_the_hand_is_asked_about(
    dx_mm: float, hand_mm: float, asked: bool
) -> None:
    """As seen: the one before it came off a wall at once, so that nothing tells how it was sent."""
    nudge = lies("p6", (300.0 - DIAMETER - 0.2, 300.0), dx_mm, 1.5)
    told = find_contacts([runs("p5", (300.0, 300.0), 100.0)], [nudge], {"p5": 16.0, "p6": hand_mm}, DIAMETER, FRAME_S)
    assert told.flicked == "p5"
    assert any("p6 or p5" in doubt for doubt in told.doubts) is asked


def test_what_passed_a_blow_on_keeps_its_team_and_goes_no_further_than_where_it_lies() -> None:
    """A gap seems wider than it is where places are off: one that lies still goes through no door on its account."""
    start = (300.0 - DIAMETER - 0.9, 300.0)
    for nudge in (Nudge("p1", start, start, "red"), Nudge("p1", start, (start[0] + 0.6, 300.5), "red")):
        (stopped,) = as_sent([runs("p2", (300.0, 300.0), 0.0, 600.0)], [nudge], DIAMETER)[1]
        assert (stopped.team, stopped.start, stopped.end) == ("red", nudge.start, nudge.end)
        ahead = stopped.places_mm[:, 0] - start[0]
        assert ahead.min() >= 0.0
        assert ahead.max() <= nudge.end[0] - start[0] + 1e-9
        assert (np.diff(stopped.times_s) > 0).all()


@pytest.mark.parametrize(("late_s", "hidden"), [(0.1, True), (0.5, False)])
def test_a_finger_hides_for_a_moment_only_that_a_puck_has_left(late_s: float, hidden: bool) -> None:
    behind = runs("p1", (300.0 - DIAMETER - 1.0, 300.0), 90.0)
    behind = replace(behind, onset_s=1.0 + late_s, rest_s=1.1 + late_s, times_s=behind.times_s + late_s)
    moved, _ = as_sent([behind, runs("p2", (300.0, 300.0), 0.0)], [], DIAMETER)
    assert bool(moved[0].onset_s < 1.0) is hidden
    assert bool(moved[0].times_s[0] < 1.0) is hidden


def test_a_row_is_reached_to_its_end_and_not_beyond_a_gap() -> None:
    pucks = row([0.1] * 5, [0.0] * 5)
    resting = [lies(p.key, (p.x_mm, p.y_mm)) for p in pucks[:-1]]
    resting.append(lies("far", (150.0 - DIAMETER - 8.0, 300.0)))
    found = in_reach([runs("p9", (pucks[-1].x_mm, 300.0), 0.0)], resting, DIAMETER)
    assert {n.puck for n in found} == {p.key for p in pucks[:-1]}


def test_a_block_of_pucks_is_reckoned_in_a_moment() -> None:
    """Sixteen that touch, of which four ran off and the others were shifted: there are a million ways through them."""
    apart = DIAMETER + 0.15
    places = [(200.0 + apart * (k % 4), 200.0 + apart * (k // 4)) for k in range(16)]
    ran = [runs(f"p{k}", places[k], 10.0 * (k - 8)) for k in (3, 7, 11, 15)]
    rest = [lies(f"p{k}", place, 1.5, 0.3) for k, place in enumerate(places) if k not in (3, 7, 11, 15)]
    began = time.process_time()
    find_contacts(ran, rest, {}, DIAMETER, FRAME_S)
    assert time.process_time() - began < BLOCK_S
