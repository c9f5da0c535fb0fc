"""Discs under friction: the laws they obey, and the moments that can be worked out by hand."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from tests.vision.virtual_table.tables import plain_board, puck
from vision.virtual_table.physics import Flick, Material, Puck, Shot, simulate
from vision.virtual_table.setup import scattered_pucks

A = 3000.0
MATERIAL = Material(A, 0.8, 0.45, 1800.0, (0.5, 0.5))
EAST, SOUTH, WEST = 0.0, math.pi / 2, math.pi


def play(pucks: list[Puck], angle: float, speed: float, extra: str = "") -> Shot:
    return simulate(plain_board(extra), [], pucks, Flick(pucks[0].key, angle, speed), MATERIAL, random.Random(1))


def wild_shots() -> list[Shot]:
    board = load_board(default_board_path())
    shots = []
    for seed in range(6):
        rng = random.Random(seed)
        pucks = scattered_pucks(board, rng, [o.polygon for o in board.obstacles])
        flick = Flick(rng.choice(pucks).key, rng.uniform(0, 6.28), rng.uniform(1500, 3000))
        shots.append(simulate(board, [], pucks, flick, Material(), rng))
    return shots


def test_a_free_slide_ends_where_friction_says() -> None:
    shot = play([puck("red-1", 100, 120)], EAST, 900.0)
    assert shot.rest_s == pytest.approx(900 / A, abs=5e-4)
    assert shot.end[0].x_mm == pytest.approx(100 + 900**2 / (2 * A), abs=0.05)
    assert shot.end[0].y_mm == pytest.approx(120, abs=1e-6)


def test_a_head_on_touch_comes_at_the_exact_moment() -> None:
    shot = play([puck("red-1", 100, 120), puck("green-1", 220, 120)], EAST, 1200.0)
    way = 220 - 100 - 28
    expected = (1200 - math.sqrt(1200**2 - 2 * A * way)) / A
    assert [(t.a, t.b) for t in shot.touches] == [("red-1", "green-1")]
    assert shot.touches[0].time_s == pytest.approx(expected, abs=2e-5)
    assert (shot.touches[0].x_mm, shot.touches[0].y_mm) == pytest.approx((206, 120), abs=0.02)


def test_a_graze_comes_at_the_exact_moment_and_pushes_along_the_line_of_centres() -> None:
    aside = 26.0
    shot = play([puck("red-1", 100, 120), puck("green-1", 220, 120 + aside)], EAST, 1200.0)
    way = 120 - math.sqrt(28**2 - aside**2)
    expected = (1200 - math.sqrt(1200**2 - 2 * A * way)) / A
    touch = shot.touches[0]
    assert touch.time_s == pytest.approx(expected, abs=5e-5)
    green = next(p for p in shot.end if p.key == "green-1")
    angle = math.atan2(green.y_mm - 146, green.x_mm - 220)
    assert angle == pytest.approx(math.atan2(aside, math.sqrt(28**2 - aside**2)), abs=0.2)  # rims rub a little
    assert touch.slide_mm == pytest.approx(math.hypot(green.x_mm - 220, green.y_mm - 146), abs=0.05)


def test_restitution_decides_what_a_struck_puck_gets() -> None:
    shot = play([puck("red-1", 100, 120), puck("green-1", 132, 120)], EAST, 1200.0)
    before = math.sqrt(1200**2 - 2 * A * 4)
    assert shot.touches[0].dv_mm_s == pytest.approx(before * (1 + 0.8) / 2, rel=0.01)


def test_energy_never_grows() -> None:
    for shot in wild_shots():
        times = np.arange(0, shot.rest_s, 1e-3)
        energy = np.zeros(len(times) - 1)
        for path in shot.paths.values():
            x, y = (np.interp(times, path[:, 0], path[:, i]) for i in (1, 2))
            energy += (np.diff(x) ** 2 + np.diff(y) ** 2) / 1e-6 / 2
        # A rebound turns round between two samples and looks slow there: the greatest of nine samples tells.
        envelope = np.array([energy[max(0, i - 4) : i + 5].max() for i in range(len(energy))])
        assert (np.diff(envelope) <= 1e-3 * shot.flick.speed_mm_s**2 / 2).all()


def test_discs_never_overlap() -> None:
    for shot in wild_shots():
        at_rest = {p.key: (p.x_mm, p.y_mm) for p in shot.start}
        outside = {p.key for p in shot.outside}
        for time_s in np.arange(0, shot.rest_s + 0.01, 2e-3):
            moved = {k: place[:2] for k in shot.paths if (place := shot.place(k, float(time_s))) is not None}
            places = [p for k, p in {**at_rest, **moved}.items() if k not in outside]
            closest = min(math.dist(p, q) for p, q in itertools.combinations(places, 2))
            assert closest > 28 - 0.4


def test_nothing_goes_through_a_thin_wall_at_full_speed() -> None:
    wall = """
[[obstacle]]
kind = "facade"
team = "green"
height = 24.0
polygon = [[400, 20], [403, 20], [403, 380], [400, 380]]
"""
    shot = play([puck("red-1", 100, 40)], EAST, 3500.0, wall)
    assert shot.paths["red-1"][:, 1].max() <= 400 - 14 + 0.3


def test_a_slow_puck_is_kept_by_the_rim_and_a_fast_one_goes_over() -> None:
    kept = play([puck("red-1", 100, 200)], WEST, 1700.0)
    assert kept.facts.exits == ()
    assert kept.paths["red-1"][:, 1].min() >= 14 - 0.3
    gone = play([puck("red-1", 100, 200)], WEST, 2300.0)
    assert [key for _, key in gone.facts.exits] == ["red-1"]
    assert gone.end == ()
    when = gone.facts.exits[0][0]
    place = gone.place("red-1", when)
    assert place is not None
    assert place[0] == pytest.approx(-14, abs=0.5)


def test_a_door_is_crossed_when_the_whole_puck_lies_beyond_its_line() -> None:
    shot = play([puck("red-1", 400, 200)], EAST, 950.0)
    crossing = shot.facts.crossings[0]
    assert (crossing.door, crossing.direction) == ("green-east", "in")
    way = 500 + 14 - 400
    assert crossing.time_s == pytest.approx((950 - math.sqrt(950**2 - 2 * A * way)) / A, abs=3e-4)


def test_in_and_out_again_by_a_bounce_gives_both() -> None:
    shot = play([puck("red-1", 440, 200)], EAST, 1790.0)
    assert [c.direction for c in shot.facts.crossings] == ["in", "out"]
    short = play([puck("red-1", 400, 200)], EAST, 780.0)
    assert short.facts.crossings == ()


def test_a_puck_that_stops_half_a_millimetre_short_of_the_door_is_doubtful() -> None:
    speed = MATERIAL.speed_mm_s(514 - 400 - 0.5)
    shot = play([puck("red-1", 400, 200)], EAST, speed)
    assert shot.facts.crossings == ()
    assert [d.door for d in shot.facts.doubts] == ["green-east"]
    assert shot.facts.doubts[0].depth_mm == pytest.approx(13.5, abs=0.05)


def test_the_gate_tells_resting_from_passing() -> None:
    rests = play([puck("red-1", 200, 200)], EAST, MATERIAL.speed_mm_s(103))
    assert rests.facts.on_gate == ("red-1",)
    assert rests.facts.gate_passed == ()
    passes = play([puck("red-1", 200, 200)], EAST, MATERIAL.speed_mm_s(160))
    assert passes.facts.on_gate == ()
    assert [key for _, key in passes.facts.gate_passed] == ["red-1"]
    leaves = play([puck("red-1", 303, 200)], EAST, MATERIAL.speed_mm_s(160))
    assert (leaves.facts.on_gate, leaves.facts.gate_passed) == ((), ())


def test_the_same_flick_gives_the_same_shot() -> None:
    first, second = wild_shots()[0], wild_shots()[0]
    assert first.end == second.end
    assert first.touches == second.touches
