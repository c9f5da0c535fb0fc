"""Who touched whom: flicks of known physics, sampled at 30 frames a second with a camera's noise."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.seen_shots import FPS, FRAME_S, Camera, play
from tests.vision.virtual_table.tables import plain_board, puck
from vision.contacts import BACK_COST_MM, ContactGraph, Touch, find_contacts, unexplained
from vision.motion import Motion, Nudge
from vision.virtual_table.physics import Material, Shot

BOARD = plain_board()
DIAMETER = BOARD.puck.diameter_mm
HIT_S = 0.005  # at 500 mm/s a puck goes 2.5 mm in it: the noise of two places, and a frame's friction
WORST_S = FRAME_S / 3  # the same where the hit falls into an exposure
ONE_TWO, TWO_THREE = frozenset(("red-1", "green-1")), frozenset(("green-1", "green-2"))
PHASES = [0.05, 0.3, 0.55, 0.8, 0.97]


def pairs(graph: ContactGraph) -> set[frozenset[str]]:
    return {frozenset((t.striker, t.struck)) for t in graph.touches}


def direct(graph: ContactGraph) -> list[str]:
    """The pucks that the flicked one touched, in order."""
    touches = [t for t in graph.touches if graph.flicked in (t.striker, t.struck)]
    return list(dict.fromkeys(t.struck if t.striker == graph.flicked else t.striker for t in touches))


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("aside_mm", [0.0, 11.0, -20.0])
def test_a_hit_is_found_with_its_striker_and_its_moment(phase: float, aside_mm: float) -> None:
    shot = play(BOARD, [puck("red-1", 100, 200), puck("green-1", 190, 200 + aside_mm)], "red-1", 0.0, 1000)
    camera = Camera(BOARD, shot, phase)
    graph = camera.contacts()
    assert [(t.striker, t.struck) for t in graph.touches] == [("red-1", "green-1")]
    assert graph.touches[0].time_s == pytest.approx(camera.flick_s + shot.touches[0].time_s, abs=WORST_S)
    assert graph.doubts == ()


def test_hits_are_timed_to_five_milliseconds_whatever_their_moment_within_a_frame() -> None:
    shot = play(BOARD, [puck("red-1", 100, 200), puck("green-1", 190, 205)], "red-1", 0.0, 1000)
    errors = []
    for phase in np.linspace(0.02, 0.98, 15):
        camera = Camera(BOARD, shot, float(phase), seed=round(phase * 100))
        touch = next(t for t in camera.contacts().touches if t.struck == "green-1")
        errors.append(abs(touch.time_s - camera.flick_s - shot.touches[0].time_s))
    assert np.median(errors) < HIT_S


def test_the_point_of_touch_lies_between_the_two_pucks() -> None:
    shot = play(BOARD, [puck("red-1", 100, 200), puck("green-1", 190, 210)], "red-1", 0.0, 1000)
    touch = Camera(BOARD, shot).contacts().touches[0]
    true = shot.touches[0]
    assert math.dist((touch.x_mm, touch.y_mm), (true.x_mm, true.y_mm)) < 1000 * WORST_S


@pytest.mark.parametrize("phase", PHASES)
def test_a_graze_that_nudges_by_a_millimetre_and_a_half_is_a_touch(phase: float) -> None:
    speed, material = 800.0, Material()
    at_touch = math.sqrt(speed**2 - 2 * material.deceleration_mm_s2 * 90)
    cosine = material.speed_mm_s(1.5) / (at_touch * (1 + material.puck_restitution) / 2)
    aside = DIAMETER * math.sqrt(1 - cosine**2)
    shot = play(BOARD, [puck("red-1", 100, 200), puck("green-1", 190, 200 + aside)], "red-1", 0.0, speed, material)
    camera = Camera(BOARD, shot, phase)
    assert [n.puck for n in camera.nudges()] == ["green-1"]
    graph = camera.contacts()
    assert [(t.striker, t.struck) for t in graph.touches] == [("red-1", "green-1")]
    assert graph.touches[0].time_s == pytest.approx(camera.flick_s + shot.touches[0].time_s, abs=FRAME_S / 2)


def test_a_puck_that_lies_a_little_off_with_nobody_near_was_not_touched() -> None:
    shot = play(BOARD, [puck("red-1", 100, 200)], "red-1", 0.0, 800)
    camera = Camera(BOARD, shot)
    stray = Nudge("green-1", (200.0, 200.0 + DIAMETER + 12.0), (200.0, 201.2 + DIAMETER + 12.0))
    graph = find_contacts(list(camera.motions().values()), [stray], {"red-1": 4.0}, DIAMETER, FRAME_S)
    assert graph.touches == ()


@pytest.mark.parametrize("phase", PHASES)
def test_in_a_chain_of_three_the_last_is_touched_by_the_middle_one_alone(phase: float) -> None:
    pucks = [puck("red-1", 80, 200), puck("green-1", 180, 200), puck("green-2", 240, 201)]
    graph = Camera(BOARD, play(BOARD, pucks, "red-1", 0.0, 1300), phase).contacts()
    assert graph.flicked == "red-1"
    assert direct(graph) == ["green-1"]
    assert frozenset(("green-1", "green-2")) in pairs(graph)


def in_a_row(gap_mm: float, turn_deg: float, aside_mm: float, speed_mm_s: float) -> Shot:
    """A flick at a puck behind which another lies, so near that both are touched within a few milliseconds."""
    x, y, apart = 250.0, 300.0 + aside_mm, DIAMETER + gap_mm
    turn = math.radians(turn_deg)
    behind = puck("green-2", x + apart * math.cos(turn), y + apart * math.sin(turn))
    return play(BOARD, [puck("red-1", 120, 300), puck("green-1", x, y), behind], "red-1", 0.0, speed_mm_s)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("gap_mm", "turn_deg", "aside_mm"), [(1.7, -15.0, 3.0), (1.2, 37.0, -1.0), (0.7, 35.0, -2.0)])
def test_nothing_goes_through_a_puck_to_strike_the_one_behind(
    phase: float, gap_mm: float, turn_deg: float, aside_mm: float
) -> None:
    shot = in_a_row(gap_mm, turn_deg, aside_mm, 1300)
    camera = Camera(BOARD, shot, phase)
    assert len(camera.moved()) == 3
    assert {frozenset((t.a, t.b)) for t in shot.touches} == {ONE_TWO, TWO_THREE}
    graph = camera.contacts()
    assert (pairs(graph), graph.doubts) == ({ONE_TWO, TWO_THREE}, ())


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("gap_mm", "turn_deg", "aside_mm"), [(3.3, 15.0, 9.0), (2.2, -9.0, -3.0), (0.5, 0.0, -6.0)])
def test_a_blow_is_passed_on_by_a_puck_that_hardly_moves(
    phase: float, gap_mm: float, turn_deg: float, aside_mm: float
) -> None:
    shot = in_a_row(gap_mm, turn_deg, aside_mm, 1300)
    camera = Camera(BOARD, shot, phase)
    assert [p.key for p in camera.moved()] == ["red-1", "green-2"]
    graph = camera.contacts()
    assert (direct(graph), graph.doubts) == (["green-1"], ())
    assert TWO_THREE in pairs(graph)


def test_a_puck_struck_by_one_that_went_by_is_not_said_to_be_struck_through_its_neighbour() -> None:
    beside = puck("green-2", 250, 300 + DIAMETER + 1)
    shot = play(BOARD, [puck("red-1", 120, 300), puck("green-1", 250, 300), beside], "red-1", 0.0, 1300)
    graph = Camera(BOARD, shot).contacts()
    assert pairs(graph) == {ONE_TWO}


@pytest.mark.parametrize("phase", PHASES)
def test_two_pucks_touched_one_after_the_other_are_told_in_order(phase: float) -> None:
    pucks = [puck("red-1", 80, 200), puck("green-1", 180, 224), puck("green-2", 260, 180)]
    shot = play(BOARD, pucks, "red-1", 0.0, 1500)
    true = [t.b for t in shot.touches if t.a == "red-1"]
    assert true == ["green-1", "green-2"]
    assert shot.touches[1].time_s - shot.touches[0].time_s > 1 / FPS
    assert direct(Camera(BOARD, shot, phase).contacts()) == true


@pytest.mark.parametrize("phase", PHASES)
def test_a_flick_and_a_hit_within_one_frame_are_told_apart_by_the_hand(phase: float) -> None:
    pucks = [puck("red-1", 200, 200), puck("green-1", 200 + DIAMETER + 5, 204)]
    shot = play(BOARD, pucks, "red-1", 0.0, 1200)
    assert shot.touches[0].time_s < FRAME_S / 4
    graph = Camera(BOARD, shot, phase).contacts()
    assert graph.flicked == "red-1"
    assert direct(graph) == ["green-1"]


def test_nobody_is_touched_by_a_puck_that_slides_alone() -> None:
    shot = play(BOARD, [puck("red-1", 100, 200), puck("green-1", 200, 260)], "red-1", 0.0, 900)
    graph = Camera(BOARD, shot).contacts()
    assert (graph.flicked, graph.touches, graph.doubts) == ("red-1", (), ())


def test_a_puck_that_moved_and_that_nothing_came_near_is_doubtful() -> None:
    near = Camera(BOARD, play(BOARD, [puck("red-1", 100, 200)], "red-1", 0.0, 900)).motions()
    far = Camera(BOARD, play(BOARD, [puck("green-1", 300, 320)], "green-1", 0.0, 900), 0.9).motions()
    graph = find_contacts([*near.values(), *far.values()], [], {"red-1": 4.0, "green-1": 200.0}, DIAMETER, FRAME_S)
    assert graph.flicked == "red-1"
    assert any("green-1" in doubt for doubt in graph.doubts)


def slid_by(gap_mm: float, way_mm: float, place: tuple[float, float] = (200.0, 200.0)) -> tuple[Camera, Nudge]:
    """A puck that slides along below another one's place, and that one a little further off than it lay."""
    x, y = place
    camera = Camera(BOARD, play(BOARD, [puck("red-1", x - 100, y - DIAMETER - gap_mm)], "red-1", 0.0, 900))
    return camera, Nudge("green-1", place, (x, y + way_mm))


def test_a_puck_that_moved_away_from_one_that_slid_by_a_little_too_far_off_was_touched_by_it() -> None:
    camera, nudge = slid_by(3.3, 1.5)
    motions = list(camera.motions().values())
    assert find_contacts(motions, [nudge], {"red-1": 4.0}, DIAMETER, FRAME_S).touches == ()
    touches, doubts = unexplained([nudge], motions, [], [], DIAMETER)
    assert [(t.striker, t.struck, t.confidence < 0.5) for t in touches] == [("red-1", "green-1", True)]
    assert doubts == []


@pytest.mark.parametrize(("gap_mm", "way_mm"), [(9.0, 2.0), (3.3, -2.0)])  # too far away; and moved towards it
def test_a_puck_that_moved_and_that_nothing_can_have_touched_is_doubtful(gap_mm: float, way_mm: float) -> None:
    camera, nudge = slid_by(gap_mm, way_mm)
    touches, doubts = unexplained([nudge], list(camera.motions().values()), [], [], DIAMETER)
    assert (touches, len(doubts)) == ([], 1)
    assert "green-1 lies 2.0 mm from where it lay" in doubts[0]


def test_a_chain_that_is_struck_through_between_two_frames_is_told_in_turn() -> None:
    """As seen: green 4 struck red 1, that green 5, that green 3, within 21 ms. Red 1 was seen once before it was
    slowed, so that it may have left at any time since it was seen at rest, and cannot have struck before it did."""
    knots = {
        "green-4": [(11.99547, 567.509, 164.917), (12.01667, 572.131, 186.965), (12.04464, 578.230, 216.054),
                    (12.05, 581.358, 218.328), (12.08333, 584.932, 220.927), (12.10428, 585.842, 221.277)],
        "red-1": [(12.0, 582.036, 243.654), (12.05, 581.846, 261.614), (12.0536, 581.832, 262.907),
                  (12.08333, 577.806, 266.533), (12.11667, 575.078, 268.990)],
        "green-5": [(12.02764, 593.314, 285.867), (12.05, 594.070, 295.661), (12.06845, 594.694, 303.747),
                    (12.08333, 592.253, 307.385), (12.11667, 589.214, 311.913), (12.15, 588.022, 313.371)],
        "green-3": [(12.04938, 612.093, 325.005), (12.08333, 627.141, 355.527), (12.10152, 635.199, 371.872),
                    (12.11667, 631.527, 385.246), (12.15, 624.737, 409.974)],
    }  # fmt: skip
    ways = {"green-4": (0.205, 0.979), "red-1": (-0.011, 1.0), "green-5": (0.077, 0.997), "green-3": (0.442, 0.897)}
    motions = []
    for name, its in knots.items():
        times, places = np.array([k[0] for k in its]), np.array([k[1:] for k in its])
        start, slack = (float(places[0, 0]), float(places[0, 1])), 0.044 if name == "red-1" else 0.0
        motions.append(Motion(name, name, start, None, times, places, times[0], times[-1], ways[name], 450.0, slack))
    told = find_contacts(motions, [], {name: 0.0 if name == "green-4" else 80.0 for name in knots}, 28.0, FRAME_S)
    in_turn = [("green-4", "red-1"), ("red-1", "green-5"), ("green-5", "green-3")]
    assert [(t.striker, t.struck) for t in told.touches] == in_turn
    assert told.doubts == ()


def runs(name: str, start: tuple[float, float], way: tuple[float, float], onset_s: float) -> Motion:
    """A motion of 80 mm in a tenth of a second."""
    end = (start[0] + 80 * way[0], start[1] + 80 * way[1])
    times = np.array([onset_s, onset_s + 0.1])
    return Motion(name, "red", start, end, times, np.array([start, end]), onset_s, onset_s + 0.1, way, 800.0)


def test_a_corner_just_before_a_place_is_no_run_to_carry_on() -> None:
    """As seen in a film of a pool table: a ball rolls on slowly behind the one that it struck. Its path was given a
    corner a fifth of a millisecond before it was seen, 1.2 mm off: so carried on it would have struck once more."""
    ahead = [(0.26, 945.0, 133.8), (0.31, 947.5, 113.5), (0.3427, 947.2, 102.7), (0.377, 946.8, 92.9),
             (0.41, 946.8, 83.3)]  # fmt: skip
    behind = [(0.0, 949.6, 317.3), (0.177, 947.8, 222.6), (0.243, 947.2, 191.7), (0.26, 947.2, 185.8),
              (0.31, 946.5, 181.9), (0.3425, 946.0, 179.5), (0.3427, 946.0, 178.3), (0.377, 945.8, 174.8),
              (0.41, 945.5, 170.9)]  # fmt: skip
    motions = []
    for name, knots, way in (("red", ahead, (0.0, -1.0)), ("white", behind, (0.0, -1.0))):
        times, places = np.array([k[0] for k in knots]), np.array([k[1:] for k in knots])
        motions.append(Motion(name, name, tuple(places[0]), None, times, places, times[0], times[-1], way, 450.0))
    told = find_contacts(motions, [], {"white": 0.0, "red": 200.0}, 52.3, FRAME_S)
    assert [(t.striker, t.struck) for t in told.touches] == [("white", "red")]


def as_filmed(name: str, way: tuple[float, float], speed_mm_s: float, *knots: tuple[float, float, float]) -> Motion:
    """A motion along knots: seconds and place."""
    times, places = np.array([k[0] for k in knots]), np.array([k[1:] for k in knots])
    return Motion(name, name, tuple(places[0]), tuple(places[-1]), times, places, times[0], times[-1], way, speed_mm_s)


@pytest.mark.parametrize("turned", [False, True])
def test_a_puck_that_was_struck_may_be_struck_again_by_the_flicked_one(turned: bool) -> None:
    """As seen in a film of a cluster at 60 frames a second: white was hardly on its way, and got faster by the second
    blow. Its own runs from knot to knot are too short there to be carried on to it, those of the flicked one are not.
    """
    struck = as_filmed(
        "white", (0.39, -0.92), 201.0, (0.3, 461.9, 292.6), (0.325, 463.7, 288.5), (0.342, 465.0, 286.3),
        (0.346, 465.3, 285.8), (0.358, 464.5, 283.2), (0.375, 463.6, 280.3), (0.392, 464.3, 277.3),
        (0.437, 464.3, 273.1),
    )  # fmt: skip
    flicked = as_filmed(
        "black", (-0.3, -0.95), 2211.0, (0.264, 479.5, 406.2), (0.275, 472.2, 383.1), (0.291, 461.8, 350.0),
        (0.308, 469.4, 331.8), (0.325, 478.1, 320.5), (0.335, 483.2, 314.0), (0.342, 483.3, 311.6),
        (0.358, 483.3, 309.1), (0.375, 484.1, 308.0), (0.388, 485.7, 306.9),
    )  # fmt: skip
    first = as_filmed("red", (-0.7, -0.71), 1209.0, (0.294, 444.2, 318.2), (0.308, 432.6, 306.4), (0.325, 416.0, 297.1),
                      (0.358, 387.2, 292.8), (0.482, 377.5, 301.0))  # fmt: skip
    motions = [flicked, first, struck] if turned else [struck, first, flicked]
    hand_mm = {"black": 0.0, "white": 200.0, "red": 200.0}
    told = [(t.striker, t.struck) for t in find_contacts(motions, [], hand_mm, 30.0, 1 / 60).touches]
    assert told == [("black", "red"), ("red", "white"), ("black", "white")]


@pytest.mark.parametrize(("heading", "back"), [((1.0, 0.0), False), ((0.6, 0.8), False), ((-0.6, 0.8), True)])
def test_a_puck_that_moves_against_its_striker_costs_more_and_is_as_sure(
    heading: tuple[float, float], back: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two of a team that met, the one that came hardly sent the other one back the way that it came itself."""
    ran = [runs("p1", (100.0, 200.0), (1.0, 0.0), 0.0), runs("p2", (180.0 + DIAMETER, 200.0), heading, 0.1)]
    told = find_contacts(ran, [], {}, DIAMETER, FRAME_S)
    monkeypatch.setattr("vision.contacts.BACK_COST_MM", 0.0)
    without = find_contacts(ran, [], {}, DIAMETER, FRAME_S)
    assert told.touches == without.touches
    assert told.cost_mm - without.cost_mm == pytest.approx(BACK_COST_MM if back else 0.0)


def test_a_puck_that_was_stopped_did_not_run_on_to_strike_another() -> None:
    """As seen: orange struck pink 4 and stopped there, and pink 4 struck pink 5 on the way to where it was seen first.
    Orange would have come to that place in time, had it run on; it was seen 10 ms later, and 40 mm back."""
    knots = {
        "orange": [(7.9833, 368.7, 249.2), (8.0167, 418.8, 258.3), (8.05, 426.9, 260.8), (8.0833, 428.2, 261.3)],
        "pink-4": [(8.0139, 445.6, 260.4), (8.05, 477.9, 247.1), (8.1167, 531.4, 237.5)],
        "pink-5": [(8.0383, 486.3, 280.0), (8.05, 493.4, 286.4), (8.0833, 508.9, 305.8), (8.1167, 515.7, 308.2)],
    }
    ways, motions = {"orange": (0.985, 0.172), "pink-4": (0.924, -0.382), "pink-5": (0.741, 0.671)}, []
    for name, its in knots.items():
        times, places = np.array([k[0] for k in its]), np.array([k[1:] for k in its])
        start = (float(places[0, 0]), float(places[0, 1]))
        motions.append(Motion(name, name, start, None, times, places, times[0], times[-1], ways[name], 900.0))
    told = find_contacts(motions, [], {"orange": 0.0, "pink-4": 90.0, "pink-5": 130.0}, 24.0, FRAME_S)
    assert [(t.striker, t.struck) for t in told.touches] == [("orange", "pink-4"), ("pink-4", "pink-5")]


def test_a_puck_that_may_have_left_later_is_not_the_first_to_move() -> None:
    """As seen at fifteen frames a second: the one beside the hand left just before the one that it struck, which was
    turned aside before it was seen, so that nobody knows when it left."""
    knots = {"p1": [(6.2235, 595.2, 367.0), (6.2833, 548.2, 365.4), (6.297, 537.5, 365.0), (6.35, 505.9, 367.8)],
             "p2": [(6.1844, 587.7, 338.6), (6.2833, 569.3, 302.9), (6.35, 558.3, 299.8)]}  # fmt: skip
    ways, motions = {"p1": (-0.999, -0.034), "p2": (-0.458, -0.889)}, []
    for name, its in knots.items():
        times, places = np.array([k[0] for k in its]), np.array([k[1:] for k in its])
        start = (float(places[0, 0]), float(places[0, 1]))
        motions.append(Motion(name, name, start, None, times, places, times[0], times[-1], ways[name], 600.0))
    one, other = motions
    told = find_contacts([one, replace(other, slack_s=0.0855)], [], {"p1": 0.0, "p2": 0.0}, DIAMETER, 2 * FRAME_S)
    assert [(t.striker, t.struck) for t in told.touches] == [("p1", "p2")]


@pytest.mark.parametrize(("gap_mm", "doubts"), [
    (0.0, ()),
    (14.0, ("it is hardly sure that p1 touched p2",)),
    (60.0, ("nothing was seen to strike p2; p1 came nearest",)),  # and it is said once
])  # fmt: skip
def test_a_strike_that_explains_badly_what_was_seen_is_asked_about(gap_mm: float, doubts: tuple[str, ...]) -> None:
    """As where a puck came off the rim back under the finger, and was seen again long after the other."""
    struck = runs("p2", (160.0, 200.0 + DIAMETER + gap_mm), (0.0, 1.0), 0.075)  # beside the other one's way
    told = find_contacts([runs("p1", (100.0, 200.0), (1.0, 0.0), 0.0), struck], [], {}, DIAMETER, FRAME_S).doubts
    assert len(told) == len(doubts)
    assert all(doubt.startswith(start) for doubt, start in zip(told, doubts, strict=True))


def test_a_blow_through_a_puck_between_is_no_misfit_however_far_off_the_striker_was() -> None:
    """The one between is hardly moved itself; directly the striker would have had to run 28 mm on, in a frame."""
    ran = [runs("p1", (100.0, 200.0), (1.0, 0.0), 0.0), runs("p3", (180.0 + 2 * DIAMETER, 200.0), (1.0, 0.0), 0.1)]
    between = [Nudge("p2", (180.0 + DIAMETER, 200.0), (181.0 + DIAMETER, 200.0))]
    through, without = (find_contacts(ran, n, {}, DIAMETER, FRAME_S) for n in (between, []))
    assert [(t.striker, t.struck) for t in through.touches] == [("p1", "p2"), ("p2", "p3")]
    assert through.misfit_mm == 0.0
    assert without.misfit_mm > 5.0


def test_what_a_hand_may_have_stirred_or_is_told_already_is_not_doubtful() -> None:
    camera, nudge = slid_by(9.0, 1.0)
    motions = list(camera.motions().values())
    assert unexplained([nudge], motions, [], [], DIAMETER) == ([], [])
    far = replace(nudge, end=(200.0, 202.0))
    told = Touch(0.2, "red-1", "green-1", 200.0, 186.0, 0.9)
    assert unexplained([far], motions, [], [told], DIAMETER) == ([], [])


def test_pucks_in_a_row_pass_a_nudge_on_from_the_one_that_was_touched() -> None:
    camera, _ = slid_by(1.0, 2.0)
    places = [(200.0 + k * (DIAMETER + 1), 200.0) for k in range(3)]
    row = [Nudge(f"green-{k}", (x, y), (x + 1.5, y)) for k, (x, y) in enumerate(places)]
    told = Touch(0.2, "red-1", "green-0", 200.0, 186.0, 0.9)
    lying = [Nudge("blue-1", (200.0, 400.0), (200.0, 400.0))]
    touches, doubts = unexplained(row[::-1], list(camera.motions().values())[:0], lying, [told], DIAMETER)
    assert [(t.striker, t.struck) for t in touches] == [("green-0", "green-1"), ("green-1", "green-2")]
    assert doubts == []
    assert all(b.time_s > a.time_s for a, b in itertools.pairwise([told, *touches]))


def test_a_puck_that_gave_its_run_to_another_is_not_carried_on_to_where_that_one_struck() -> None:
    """Fifteen frames a second and long exposures: the first puck was seen too far back in the frame before the blow, so
    that its run, carried on from where it stopped, would have come just where the third one was struck."""
    first = as_filmed("green-7", (0.589, 0.808), 398.0, (0.034, 583.0, 347.3), (0.1, 598.5, 368.6),
                      (0.167, 598.3, 368.0), (0.233, 441.3, 193.5), (0.562, 441.2, 193.5))  # fmt: skip
    second = as_filmed("red-7", (-0.715, -0.699), 121.0, (0.147, 423.6, 175.7), (0.167, 421.9, 174.0),
                       (0.367, 310.2, 70.4), (0.393, 308.9, 69.8))  # fmt: skip
    third = as_filmed("red-3", (-0.672, -0.74), 411.0, (0.298, 311.7, 42.4), (0.367, 292.7, 21.6), (0.368, 292.5, 21.3),
                      (0.433, 285.0, 31.8), (0.482, 282.9, 34.4))  # fmt: skip
    motions = [replace(m, slack_s=s) for m, s in ((first, 0.058), (third, 0.059), (second, 0.019))]
    hand_mm = {"green-7": 45.0, "red-7": 200.0, "red-3": 200.0}
    graph = find_contacts(motions, [], hand_mm, 28.0, 1 / 15)
    assert [(t.striker, t.struck) for t in graph.touches] == [("green-7", "red-7"), ("red-7", "red-3")]
