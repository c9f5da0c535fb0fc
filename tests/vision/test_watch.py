"""What is seen and is none of the pucks: far outside of the surface, or a part of another one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.board import default_board_path, load_board
from vision.streaks import Streak
from vision.watch import flew_on, part_of

BOARD = load_board(default_board_path())
RADIUS = BOARD.puck.radius_mm


def seen_at(x: float, y: float) -> Streak:
    """A red puck that is seen whole."""
    return Streak(7, "red", x, y, 1.0, RADIUS * 0.8, RADIUS / 2, 0.0, (0, 0, 30, 30))


FLYING, OUTSIDE = seen_at(5.0, 297.0), seen_at(-48.0, 293.0)  # in successive frames, at 1.6 m/s


def test_a_puck_that_flies_over_the_edge_is_seen_beyond_it() -> None:
    assert flew_on([seen_at(300.0, 200.0), FLYING], OUTSIDE, BOARD)


@pytest.mark.parametrize("before", [
    [],
    [replace(FLYING, team="green")],
    [replace(FLYING, x_mm=29.0)],  # from further inside a hand may have carried it
    [replace(FLYING, x_mm=-30.0)],  # so slowly that a hand may have
    [replace(FLYING, y_mm=420.0)],  # faster than pucks are
    [replace(FLYING, mass=0.4)],  # a part of something
    [replace(FLYING, across_mm=RADIUS)],  # broader than a puck
])  # fmt: skip
def test_what_did_not_come_from_the_edge_is_no_puck(before: list[Streak]) -> None:
    assert not flew_on(before, OUTSIDE, BOARD)


def test_a_part_of_something_outside_is_no_puck() -> None:
    assert not flew_on([FLYING], replace(OUTSIDE, mass=1.9), BOARD)


def test_what_shows_little_of_its_paint_where_another_teams_puck_is_seen_is_a_part_of_that() -> None:
    orange = replace(seen_at(300.0, 200.0), team="orange", mass=1.07)
    part = replace(seen_at(301.0, 202.0), team="yellow", mass=0.64)
    assert part_of(part, orange, RADIUS)
    assert not part_of(orange, part, RADIUS)
    for other in (replace(part, team="orange"), replace(part, mass=0.9), replace(part, x_mm=310.0)):
        assert not part_of(other, orange, RADIUS)
