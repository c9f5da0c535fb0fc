"""Pucks that a hand hid or made up when the board was looked at first, and those that overlap others."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import camera_over
from vision.doubtful import Doubtful
from vision.resting import SCORE_SURE, SeenDisc
from vision.roster import Roster
from vision.view import TopView, make_view

BOARD = load_board(default_board_path())
POSE = camera_over(BOARD)
VIEW: TopView = make_view(BOARD, POSE, POSE.lens.image_size)
D = BOARD.puck.diameter_mm
LEFT, RIGHT = (150.0, 300.0), (600.0, 300.0)


def disc(place: tuple[float, float], team: str = "red", score: float = 1.0) -> SeenDisc:
    return SeenDisc(team, *place, score, (0.0, 0.0, 0.0))


def veil_over(x_mm: float) -> NDArray[np.bool_]:
    """A hand that hid the board left of x."""
    veil = np.zeros(VIEW.size[::-1], bool)
    veil[:, : round(float(VIEW.px_from_mm(np.array([(x_mm, 0.0)]))[0, 0]))] = True
    return veil


def begun(*seen: SeenDisc) -> tuple[Roster, Doubtful]:
    pucks = Roster(BOARD)
    doubtful = Doubtful(pucks)
    doubtful.begin(seen)
    doubtful.due = False
    return pucks, doubtful


def places(pucks: Roster) -> list[tuple[float, float]]:
    return sorted(p.place for p in pucks)


def test_what_lies_where_a_hand_was_and_is_not_there_now_was_that_hand() -> None:
    pucks, doubtful = begun(disc(LEFT), disc(RIGHT))
    doubtful.unveil([], VIEW, veil_over(300.0), ran=())
    assert places(pucks) == [RIGHT], "what lies beside it is not asked about"
    assert doubtful.due


def test_a_puck_that_the_hand_hid_is_found_and_not_sure_until_it_is_seen_again() -> None:
    pucks, doubtful = begun(disc(RIGHT))
    doubtful.unveil([disc(LEFT), disc(RIGHT)], VIEW, veil_over(300.0), ran=())
    assert places(pucks) == [LEFT, RIGHT]
    found = next(p.puck for p in pucks if p.place == LEFT)
    assert found not in doubtful.sure
    doubtful.proved([found])
    assert found in doubtful.sure


def test_where_no_hand_was_nothing_is_found_anew() -> None:
    pucks, doubtful = begun(disc(LEFT))
    doubtful.unveil([disc(LEFT), disc(RIGHT)], VIEW, veil_over(300.0), ran=())
    assert places(pucks) == [LEFT]


def test_a_puck_of_the_last_shot_that_came_to_rest_under_it_is_known() -> None:
    pucks, doubtful = begun(disc(LEFT))
    ran = next(iter(pucks)).puck
    doubtful.unveil([], VIEW, veil_over(300.0), ran=[ran])
    assert places(pucks) == [LEFT]


@pytest.mark.parametrize("team", ["red", "green"])
def test_a_puck_is_confirmed_by_one_of_its_team_only(team: str) -> None:
    pucks, doubtful = begun(disc(LEFT))
    doubtful.unveil([disc((LEFT[0] + 1.0, LEFT[1]), team)], VIEW, veil_over(300.0), ran=())
    assert [p.team for p in pucks] == [team]


def test_the_first_look_is_sure_of_what_shows_well() -> None:
    pucks, doubtful = begun(disc(LEFT, score=SCORE_SURE), disc(RIGHT, score=SCORE_SURE - 0.01))
    assert [pucks[i].place for i in doubtful.sure] == [LEFT]


def test_what_overlaps_a_puck_is_no_other_one_unless_that_has_left() -> None:
    pucks = Roster(BOARD)
    (there,) = pucks.enrol([disc(LEFT)])
    near, beside = disc((LEFT[0] + D / 2, LEFT[1])), disc((LEFT[0] + D, LEFT[1]))
    assert pucks.apart([near, beside]) == [beside]
    assert pucks.apart([near, beside], but={there}) == [near, beside]
    assert pucks.apart([near, beside], but={there}, places=[near.place]) == []
