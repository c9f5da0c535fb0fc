"""Two pucks of a team that met: who came, who lay there, and what if each was taken for the other."""

from __future__ import annotations

import math
from dataclasses import replace

from vision.paths import Path, PathPoint
from vision.swaps import MEETINGS_MAX, meetings, swapped

DIAMETER = 28.0


def point(frame: int, x: float, y: float) -> PathPoint:
    return PathPoint(frame, x, y, None)


def comer(puck: str = "p1", team: str = "red") -> Path:
    """Comes along x, is at 78 mm in frame 4, and goes on aside."""
    path = Path(puck, team, (0.0, 0.0), left=0, last_seen_at_rest=0)
    path.points = [point(1, 20, 0), point(2, 40, 0), point(3, 60, 0), point(4, 78, 0), point(5, 85, 10)]
    path.end = (90.0, 20.0)
    return path


def lying(puck: str = "p2", team: str = "red", x: float = 104.0, y: float = 0.0) -> Path:
    path = Path(puck, team, (x, y), left=4, last_seen_at_rest=4)
    path.points = [point(5, x + 18, y), point(6, x + 36, y)]
    path.end = (x + 60, y)
    return path


def test_one_that_came_near_one_that_then_left_has_met_it() -> None:
    (met,) = meetings([comer(), lying()], DIAMETER)
    assert (met[0].puck, met[1].puck, met[2]) == ("p1", "p2", 5)


def test_pucks_of_two_teams_cannot_be_taken_for_each_other() -> None:
    assert meetings([comer(), lying(team="green")], DIAMETER) == []


def test_one_that_lay_far_from_the_other_ones_way_was_not_met() -> None:
    assert meetings([comer(), lying(y=90.0)], DIAMETER) == []


def test_of_many_meetings_the_nearest_are_asked_about() -> None:
    turns = [2 * math.pi * k / 12 for k in range(12)]
    ring = [lying(f"p{k + 3}", x=78.0 + 66.0 * math.cos(a), y=66.0 * math.sin(a)) for k, a in enumerate(turns)]
    nearest = lying("p2", x=78.0, y=29.0)
    found = meetings([comer(), *ring, nearest], DIAMETER)
    assert len(found) == MEETINGS_MAX
    assert ("p1", "p2") in [(a.puck, b.puck) for a, b, _ in found]


def test_swapped_each_goes_on_the_others_way() -> None:
    a, b = comer(), lying()
    first, second = swapped(a, b, 5)
    assert [p.frame for p in first.points] == [1, 2, 3, 4, 5, 6]
    assert first.points[-1].place == b.points[-1].place
    assert first.end == b.end
    assert [p.place for p in second.points] == [(85, 10)]
    assert second.end == a.end
    assert (first.puck, second.puck, second.start) == ("p1", "p2", b.start)


def test_one_that_was_flicked_into_another_within_a_frame_has_met_it() -> None:
    """It lay 90 mm away, and was seen to run only when both did."""
    late = replace(comer(), points=[point(5, 90, 20), point(6, 95, 30)], end=(100.0, 40.0))
    target = lying(x=90.0)
    assert meetings([late, target], DIAMETER, 1 / 60) == []
    ((a, b, frame),) = meetings([late, target], DIAMETER, 1 / 30)
    assert (a.puck, b.puck, frame) == ("p1", "p2", 5)
