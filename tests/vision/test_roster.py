"""Pucks of one team are told apart by their numbers when they have changed places."""

from __future__ import annotations

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import Place, Scene, camera_over
from vision.numbers import NumberBelief, Reading
from vision.resting import SeenDisc
from vision.roster import Roster
from vision.view import TopView, make_view

BOARD = load_board(default_board_path())
POSE = camera_over(BOARD)
VIEW: TopView = make_view(BOARD, POSE, POSE.lens.image_size)
LEFT: list[tuple[str, int, Place]] = [("red", 2, (200.0, 300.0, 40.0)), ("red", 8, (300.0, 420.0, 130.0))]
NOW: list[tuple[str, int, Place]] = [("red", 8, (250.0, 200.0, 10.0)), ("red", 2, (430.0, 330.0, 250.0))]


def roster() -> tuple[Roster, list[str]]:
    """Red 2 and red 8 as they lay at first, with their numbers read."""
    pucks = Roster(BOARD)
    ids = [pucks.add(team, place[:2]).puck for team, _, place in LEFT]
    pucks.read_numbers(Scene(BOARD, POSE, pucks=list(LEFT)).picture(), VIEW)
    return pucks, ids


def disc(place: Place, team: str = "red") -> SeenDisc:
    return SeenDisc(team, place[0], place[1], 1.0, (0.0, 0.0, 0.0))


def test_each_disc_is_likest_to_the_puck_that_bears_its_number() -> None:
    pucks, (two, eight) = roster()
    image = Scene(BOARD, POSE, pucks=list(NOW)).picture()
    first, second = (disc(place) for _, _, place in NOW)
    told = pucks.likeness(image, VIEW, [two, eight], [first, second])
    assert told[eight, first.place] == told[two, second.place] == 0.0
    assert told[two, first.place] < -2.0
    assert told[eight, second.place] < -2.0


def test_nothing_is_asked_where_only_one_puck_of_a_team_left() -> None:
    pucks, (two, _) = roster()
    image = Scene(BOARD, POSE, pucks=list(NOW)).picture()
    assert pucks.likeness(image, VIEW, [two], [disc(NOW[0][2])]) == {}


def test_pucks_of_another_team_are_not_compared() -> None:
    pucks, ids = roster()
    image = Scene(BOARD, POSE, pucks=list(NOW)).picture()
    assert pucks.likeness(image, VIEW, ids, [disc(NOW[0][2], "green")]) == {}


def test_a_puck_that_lay_beside_the_two_is_not_the_two_when_that_has_left() -> None:
    """However much it looks like one; and it is not said to be what it looks like less."""
    pucks, (two, eight) = roster()
    assert (pucks[two].number, pucks[eight].number) == (2, 8)
    like_two = pucks.add("red", (500.0, 100.0))
    like_two.belief.combine(Reading({2: 0.0, 1: -6.0, 3: -6.0}, 2, 6.0))
    anew = Scene(BOARD, POSE, pucks=list(LEFT)).picture()
    pucks.read_numbers(anew, VIEW, [eight])
    assert (like_two.number, pucks[two].number) == (None, None)
    pucks.remove(two)
    pucks.read_numbers(anew, VIEW, [eight])
    assert (like_two.number, pucks[eight].number) == (None, 8)
    back = pucks.add("red", LEFT[0][2][:2])
    pucks.read_numbers(anew, VIEW, [back.puck])
    assert (like_two.number, back.number) == (None, 2)


def test_a_puck_that_another_looks_like_is_looked_at_again_although_its_own_number_is_clear() -> None:
    """The more is known of it, the less can it be the other one."""
    pucks, (two, eight) = roster()
    for _ in range(9):
        pucks.read_numbers(Scene(BOARD, POSE, pucks=list(LEFT)).picture(), VIEW)
    settled = pucks[two].belief.looks
    assert settled < 6
    like_two = pucks.add("red", (500.0, 100.0))
    like_two.belief.combine(Reading({2: 0.0} | dict.fromkeys((1, 3, 4, 5, 6, 7, 8), -6.0), 2, 6.0), (500.0, 100.0))
    pucks.read_numbers(Scene(BOARD, POSE, pucks=list(LEFT)).picture(), VIEW)
    assert pucks[two].number is None
    for _ in range(9):
        pucks.read_numbers(Scene(BOARD, POSE, pucks=list(LEFT)).picture(), VIEW)
    assert pucks[two].belief.looks == 6
    assert pucks[eight].belief.looks == settled


def test_what_was_read_of_pucks_that_may_be_each_other_counts_no_more() -> None:
    pucks = Roster(BOARD)
    red, other, green = (pucks.add(team, (100.0 * k, 100.0)) for k, team in enumerate(("red", "red", "green")))
    for number, puck in enumerate((red, other, green), start=1):
        puck.belief = NumberBelief({number: 20.0, 8: -20.0}, looks=3, barred={7})
        assert puck.belief.number() == number
    pucks.mixed_up([red.puck, green.puck, "p99"])  # each alone of its team
    assert [p.belief.number() for p in pucks] == [1, 2, 3]
    pucks.mixed_up([red.puck, other.puck, green.puck])
    assert [p.belief.number() for p in pucks] == [None, None, 3]
    assert red.belief.barred == other.belief.barred == {7}


def test_ids_that_were_given_before_are_not_given_again() -> None:
    pucks = Roster(BOARD, named=16)
    assert pucks.add("red", (10.0, 20.0)).puck == "p17"
    assert pucks.named == 17
