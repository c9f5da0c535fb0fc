"""Ways that lead through pucks which lie there, by shots of known physics and by what was once told of one."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.vision.seen_shots import Camera
from tests.vision.test_contact_seeds import BOARD, DIAMETER, cluster, shot_at
from vision.motion import Motion
from vision.run_through import THROUGH, ran_through
from vision.virtual_table.physics import Puck

RUNS = 120
STRUCK_S = 26.515  # a puck that was flicked went off, came back and struck the one under the hand …
LAY, UNDER_HAND = (77.0, 276.0), (88.0, 325.0)


def motion(puck: str, *knots: tuple[float, float, float]) -> Motion:
    times, places = np.array([k[0] for k in knots]), np.array([k[1:] for k in knots])
    start, end = knots[0][1:], knots[-1][1:]
    return Motion(puck, "red", start, end, times, places, knots[0][0], knots[-1][0], (0.0, -1.0), 900.0)


def as_told(struck_s: float) -> list[Motion]:
    """… which was taken for the flicked one: its way begins under the hand, and leads through the other one's place."""
    ran = motion("p11", (26.381, *UNDER_HAND), (26.417, 68.0, 219.0), (26.483, 77.0, 262.0), (26.65, 89.0, 331.0))
    return [ran, motion("p10", (struck_s, *LAY), (26.55, 81.0, 289.0), (26.583, 82.0, 298.0))]


def test_a_puck_that_would_have_run_through_one_that_lay_there_is_asked_about() -> None:
    assert ran_through(as_told(STRUCK_S), [], DIAMETER) == [THROUGH.format("p11", "p10")]


def test_where_that_one_had_been_struck_by_then_the_way_was_free() -> None:
    assert ran_through(as_told(26.39), [], DIAMETER) == []


@pytest.mark.parametrize(("x_mm", "doubts"), [(78.0, 1), (78.0 + 28.0, 0)])
def test_one_that_never_moved_is_not_run_through_either(x_mm: float, doubts: int) -> None:
    assert len(ran_through(as_told(26.39)[:1], [("p3", (x_mm, 273.0))], DIAMETER)) == doubts


def of_known_physics(name: str, seed: int) -> tuple[list[Puck], dict[str, Motion]]:
    """A shot into a cluster of pucks, where these lay, and the ways of those that moved as a camera saw them."""
    rng = random.Random(f"{name} {seed}")
    pucks = cluster(rng)
    shot, phase = shot_at(pucks, rng), rng.random()
    graph, seen = Camera(BOARD, shot, phase, seed).contacts(), Camera(BOARD, shot, phase, seed).motions()
    return pucks, seen | {m.puck: m for m in graph.moved}


def test_no_shot_of_known_physics_leads_through_a_puck() -> None:
    touched = 0
    for seed in range(RUNS):
        pucks, moved = of_known_physics("run through", seed)
        lying = [(p.key, (p.x_mm, p.y_mm)) for p in pucks if p.key not in moved]
        assert ran_through(list(moved.values()), lying, DIAMETER) == [], seed
        touched += len(moved) > 1
    assert touched > RUNS // 2
