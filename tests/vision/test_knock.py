"""Which puck lies where since the camera was knocked."""

from __future__ import annotations

import pytest

from vision.knock import find_again
from vision.resting import SeenDisc
from vision.roster import TrackedPuck

DIAMETER = 28.0


def puck(name: str, x_mm: float, y_mm: float = 100.0, team: str = "red") -> TrackedPuck:
    return TrackedPuck(name, team, x_mm, y_mm)


def disc(x_mm: float, y_mm: float = 100.0, team: str = "red") -> SeenDisc:
    return SeenDisc(team, x_mm, y_mm, 1.0, (0.0, 0.0, 0.0))


def anywhere(_: TrackedPuck) -> bool:
    return True


def test_a_puck_is_the_nearest_disc_of_its_team() -> None:
    seen = [disc(201), disc(101, team="blue"), disc(102)]
    since = find_again([puck("a", 100), puck("b", 200)], seen, DIAMETER, anywhere)
    assert {i: d.x_mm for i, d in since.found.items()} == {"a": 102, "b": 201}
    assert (since.moved, since.gone) == (set(), set())


def test_the_nearest_pair_comes_first_whichever_puck_was_named_first() -> None:
    since = find_again([puck("a", 100), puck("b", 115)], [disc(114)], DIAMETER, lambda p: p.puck == "a")
    assert list(since.found) == ["b"]
    assert since.gone == {"a"}


@pytest.mark.parametrize(("x_mm", "slid"), [(121.0, True), (170.0, True), (190.0, False)])
def test_one_that_a_hand_slid_before_the_knock_was_moved(x_mm: float, slid: bool) -> None:
    """A puck that is gone and one where none lay, of one team and so near that a hand slides it there, are one puck."""
    since = find_again([puck("a", 100)], [disc(x_mm)], DIAMETER, anywhere)
    assert (since.moved, since.gone, len(since.new)) == (({"a"}, set(), 0) if slid else (set(), {"a"}, 1))


def test_one_that_a_hand_hides_was_not_moved() -> None:
    since = find_again([puck("a", 100)], [disc(150)], DIAMETER, lambda _: False)
    assert (since.found, since.gone, [d.x_mm for d in since.new]) == ({}, set(), [150])


def test_a_disc_of_another_team_is_a_new_puck() -> None:
    since = find_again([puck("a", 100)], [disc(150, team="blue")], DIAMETER, anywhere)
    assert (since.gone, [d.team for d in since.new]) == ({"a"}, ["blue"])


@pytest.mark.parametrize(("x_mm", "room"), [(117.0, False), (125.0, False), (127.0, True), (102.0, True)])
def test_a_puck_does_not_lie_where_another_one_leaves_no_room_for_it(x_mm: float, room: bool) -> None:
    """However like the ground it is, so that its place does not tell that it left. What is seen just where it lay is
    the puck itself, in the wrong colour."""
    since = find_again([puck("a", 100)], [disc(x_mm, team="blue"), disc(400)], DIAMETER, lambda _: False)
    assert since.gone == (set() if room else {"a"})
