"""Momentum that nothing took up: hits of known physics, with and without the puck that was struck."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from tests.vision.seen_shots import FRAME_S, Camera, play
from tests.vision.test_contact_seeds import FLICKED, cluster, shot_at
from tests.vision.virtual_table.tables import plain_board, puck
from vision.momentum import LOST_MM_S, HandNear, lost_mm_s
from vision.motion import Motion, nudge_motion
from vision.virtual_table.physics import Puck, Shot

BOARD = plain_board()
FAR_MM = 100.0  # from walls, hands and other pucks
RUNS = 120


def no_hand(time_s: float, place: tuple[float, float]) -> bool:
    return False


def seen(shot: Shot, phase: float, seed: int = 1) -> dict[str, Motion]:
    """All that is told to have moved, by the puck's key."""
    graph, motions = Camera(BOARD, shot, phase, seed).contacts(), Camera(BOARD, shot, phase, seed).motions()
    struck = {t.struck: t.time_s for t in reversed(graph.touches)}
    nudges = [n for n in Camera(BOARD, shot, phase, seed).nudges() if n.puck in struck]
    shifts = {n.puck: nudge_motion(n, struck[n.puck]) for n in nudges}
    return shifts | motions | {m.puck: m for m in graph.moved}


def lost(motions: dict[str, Motion], pucks: list[Puck], hand_near: HandNear = no_hand) -> float:
    lying = [(p.x_mm, p.y_mm) for p in pucks if p.key not in motions]
    return lost_mm_s(list(motions.values()), motions[FLICKED].onset_s, lying, [], BOARD, FRAME_S, hand_near)


def full_hit() -> tuple[list[Puck], dict[str, Motion]]:
    """A puck is struck full in the middle of the board, at 1.4 m/s."""
    pucks = [puck(FLICKED, 120, 200), puck("green-1", 290, 200)]
    return pucks, seen(play(BOARD, pucks, FLICKED, 0.0, 1700), 0.3)


def test_what_one_puck_lost_the_other_one_has() -> None:
    pucks, motions = full_hit()
    assert lost(motions, pucks) < LOST_MM_S / 2


def test_a_puck_that_stops_at_nothing_struck_something() -> None:
    pucks, motions = full_hit()
    del motions["green-1"]
    assert lost(motions, pucks[:1]) > LOST_MM_S


def test_a_wall_may_have_taken_it_up_directly_or_through_a_puck_beside() -> None:
    _, motions = full_hit()
    del motions["green-1"]
    x, y = motions[FLICKED].at(motions[FLICKED].rest_s)
    wall = np.array([(x + FAR_MM, y - 30), (x + FAR_MM + 10, y - 30), (x + FAR_MM + 10, y + 30), (x + FAR_MM, y + 30)])
    between = (x + BOARD.puck.diameter_mm + 3, y)
    told = [
        lost_mm_s(list(motions.values()), motions[FLICKED].onset_s, lying, [wall + (by, 0)], BOARD, FRAME_S, no_hand)
        for by, lying in ((0, []), (-FAR_MM + 18, []), (-FAR_MM + 55, [between]), (-FAR_MM + 55, []))
    ]
    assert [loss > LOST_MM_S for loss in told] == [True, False, False, True]


def test_a_hand_may_have_stopped_it() -> None:
    pucks, motions = full_hit()
    del motions["green-1"]
    stops = motions[FLICKED].at(motions[FLICKED].rest_s)
    assert lost(motions, pucks[:1], lambda _, place: math.dist(place, stops) < 20.0) == 0.0
    assert lost(motions, pucks[:1], lambda _, place: place[0] < 150.0) > LOST_MM_S


@pytest.mark.parametrize("first", range(0, RUNS, RUNS // 4))
def test_shots_whose_pucks_were_all_seen_lost_nothing(first: int) -> None:
    judged = 0
    for seed in range(first, first + RUNS // 4):
        rng = random.Random(f"momentum {seed}")
        pucks = cluster(rng)
        shot = shot_at(pucks, rng)
        motions = seen(shot, rng.random(), seed)
        if FLICKED in motions:
            judged += 1
            assert lost(motions, pucks) < LOST_MM_S, seed
    assert judged > RUNS // 8  # of half of them, at the least, enough is seen


@pytest.mark.parametrize("fps", [30, 60, 120])
@pytest.mark.parametrize(("short_mm", "asked"), [(12.0, False), (25.0, True)])
def test_a_bounce_off_the_rim_is_seen_short_of_it_however_short_the_frames_are(
    fps: int, short_mm: float, asked: bool
) -> None:
    """At 1 m/s and back at half of that: no puck took it up."""
    turn_mm, step_mm = BOARD.puck.radius_mm + short_mm, 1000.0 / fps
    xs = [*(turn_mm + step_mm * k for k in range(8, -1, -1)), *(turn_mm + step_mm / 2 * k for k in range(1, 9))]
    times = np.arange(len(xs)) / fps
    ways = np.array([(x, 200.0) for x in xs])
    ran = Motion(FLICKED, "red", (xs[0], 200.0), (xs[-1], 200.0), times, ways, 0.0, float(times[-1]), (-1, 0), 1000.0)
    assert (lost_mm_s([ran], 0.0, [], [], BOARD, 1 / fps, no_hand) > LOST_MM_S) is asked
