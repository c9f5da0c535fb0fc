"""Two views of a board at rest: what left, what came, and what only looks as if it were still there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import camera_over
from vision.comparison import Comparison, hidden_share, looks_new
from vision.frames import Image
from vision.palette import Palette, linear_from_bgr
from vision.resting import SeenDisc
from vision.roster import TrackedPuck
from vision.view import make_view

BOARD = load_board(default_board_path())
POSE = camera_over(BOARD)
VIEW = make_view(BOARD, POSE, POSE.lens.image_size)
PLACE = (300.0, 300.0)
SAND, LINE, YELLOW = (30, 67, 97), (16, 46, 66), (10, 69, 106)  # as a camera saw them in a dim room
RING_MM = 18.0
PALETTE = Palette(("red", "green"), linear_from_bgr(np.array([YELLOW, (40, 110, 30)], dtype=np.float64)), 0.0)
PUCK = TrackedPuck("p1", "red", *PLACE)


def top(*discs: tuple[tuple[float, float], tuple[int, int, int]]) -> Image:
    """Sand with a ring printed on it, and discs of a puck's size."""
    out = np.full((*VIEW.size[::-1], 3), SAND, np.uint8)
    _circle(out, PLACE, RING_MM, LINE, 2)
    for place, paint in discs:
        _circle(out, place, BOARD.puck.radius_mm, paint, -1)
    noise = np.random.default_rng(len(discs)).normal(0, 1.5, out.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(out, (0, 0), 0.7) + noise, 0, 255), dtype=np.uint8)


def _circle(out: Image, place: tuple[float, float], radius_mm: float, paint: tuple[int, int, int], width: int) -> None:
    x, y = VIEW.px_from_mm(np.array([place]))[0]
    at = (round(x * 16), round(y * 16))
    cv2.circle(out, at, round(radius_mm * VIEW.scale * 16), paint, width, cv2.LINE_AA, 4)


def compared(
    before: Image, now: Image, *found: SeenDisc, hidden: Image | None = None, puck: TrackedPuck = PUCK
) -> Comparison:
    around = np.ones(VIEW.size[::-1], np.uint8)
    return Comparison(VIEW, PALETTE, [puck], around, found, np.zeros_like(around) if hidden is None else hidden,
                      (before, now), [])  # fmt: skip


def disc(place: tuple[float, float], team: str = "red") -> SeenDisc:
    return SeenDisc(team, *place, 0.9, (0.0, 0.0, 0.0))


def test_a_puck_of_nearly_the_grounds_colour_has_left_the_ring_that_is_printed_around_it() -> None:
    """The ring looks as it did, and the paint differs from the ground by 20 grey levels."""
    there = (335.0, 335.0)
    moves = compared(top((PLACE, YELLOW)), top((there, YELLOW)), disc(there)).moves()
    assert [r.puck for r in moves.vacated] == ["p1"]
    assert [d.place for d in moves.appeared] == [there]


@pytest.mark.parametrize("shade", [0.8, 0.85])
def test_shade_on_a_puck_whose_outline_is_not_found_is_no_other_paint(shade: float) -> None:
    red = (40, 40, 200)
    palette = Palette(("red", "green"), linear_from_bgr(np.array([red, (40, 110, 30)], dtype=np.float64)), 0.0)
    dark = (round(40 * shade), round(40 * shade), round(200 * shade))
    seen = replace(compared(top((PLACE, red)), top((PLACE, dark))), palette=palette)
    assert seen.moves().vacated == []


def test_a_puck_whose_outline_is_not_found_lies_where_it_lay_if_its_picture_does() -> None:
    moves = compared(top((PLACE, YELLOW)), top((PLACE, YELLOW))).moves()
    assert (moves.vacated, moves.appeared, moves.stayed) == ([], [], {})


@pytest.mark.parametrize(("paint", "numbered", "left"), [
    ((11, 46, 102), True, False), ((9, 38, 84), True, False), ((18, 52, 94), False, True),
])  # fmt: skip
def test_a_puck_whose_number_is_gone_has_left_although_what_lay_beside_it_looks_the_same(
    paint: tuple[int, int, int], numbered: bool, left: bool
) -> None:
    """On ground of nearly its colour in a dim room, beside a white post, which its picture is known by."""
    ground, orange = (18, 52, 94), (11, 46, 102)
    palette = Palette(("red", "green"), linear_from_bgr(np.array([orange, (40, 110, 30)], dtype=np.float64)), 0.0)

    def seen(paint: tuple[int, int, int], number: bool) -> Image:
        out = np.full((*VIEW.size[::-1], 3), ground, np.uint8)
        x, y = np.rint(VIEW.px_from_mm(np.array([PLACE]))[0]).astype(int)
        beside = x + round(1.02 * VIEW.radius_px)
        cv2.rectangle(out, (beside, y - 20), (beside + 30, y + 60), (90, 120, 140), -1)
        _circle(out, PLACE, BOARD.puck.radius_mm, paint, -1)
        if number:
            cv2.line(out, (x - 1, y - 4), (x + 1, y + 4), (70, 100, 125), 2, cv2.LINE_AA)
        noise = np.random.default_rng(int(number)).normal(0, 1.5, out.shape)
        return np.asarray(np.clip(cv2.GaussianBlur(out, (0, 0), 0.7) + noise, 0, 255), dtype=np.uint8)

    moves = replace(compared(seen(orange, True), seen(paint, numbered)), palette=palette).moves()
    assert [r.puck for r in moves.vacated] == (["p1"] if left else [])


@pytest.mark.parametrize(("away_mm", "left"), [(28.6, False), (24.0, True)])
def test_a_puck_that_another_touches_lies_where_its_picture_does_unless_the_other_lies_over_it(
    away_mm: float, left: bool
) -> None:
    """Its outline is not found beside the other one's, and it was pushed by 1.6 mm."""
    lay, lies = (150.0, 150.0), (151.6, 150.0)
    other = (lies[0] - away_mm, 150.0)
    before, now = top((lay, YELLOW)), top((other, YELLOW), (lies, YELLOW))
    moves = compared(before, now, disc(other), puck=TrackedPuck("p1", "red", *lay)).moves()
    assert [r.puck for r in moves.vacated] == (["p1"] if left else [])
    assert [d.place for d in moves.appeared] == [other]
    if not left:
        assert moves.stayed["p1"] == pytest.approx(lies, abs=0.6)  # the other one draws it a little
        assert [n.puck for n in moves.nudges] == ["p1"]


def test_a_puck_that_a_hand_hides_in_part_was_not_shifted_by_what_hides_it() -> None:
    sleeve = top((PLACE, YELLOW))
    hidden = np.zeros(VIEW.size[::-1], np.uint8)
    x = round(float(VIEW.px_from_mm(np.array([PLACE]))[0, 0]))
    hidden[:, x + round(8 * VIEW.scale) :] = 1
    sleeve[hidden > 0] = (25, 55, 80)
    moves = compared(top((PLACE, YELLOW)), sleeve, hidden=hidden).moves()
    assert (moves.vacated, moves.stayed, moves.nudges) == ([], {}, [])


def test_what_a_hand_hides_has_not_left() -> None:
    hidden = np.ones(VIEW.size[::-1], np.uint8)
    moves = compared(top((PLACE, YELLOW)), top(), hidden=hidden).moves()
    assert moves.vacated == []
    assert [r.puck for r in compared(top((PLACE, YELLOW)), top()).moves().vacated] == ["p1"]


@pytest.mark.parametrize(("way_mm", "left"), [(1.0, False), (2.0, True), (4.0, True)])
def test_a_puck_that_alone_was_moved_a_little_has_left_its_place(way_mm: float, left: bool) -> None:
    lay, there = (150.0, 150.0), (150.0 + way_mm, 150.0)
    before, now = top((lay, YELLOW)), top((there, YELLOW))
    moves = compared(before, now, disc(there), puck=TrackedPuck("p1", "red", *lay)).moves()
    assert bool(moves.vacated) is left
    assert [n.puck for n in moves.nudges] == ([] if left else ["p1"])
    lies = [d.place for d in moves.appeared] if left else list(moves.stayed.values())
    assert abs(lies[0][0] - there[0]) < 0.5


def test_a_disc_of_another_team_in_a_pucks_place_is_another_puck() -> None:
    moves = compared(top((PLACE, YELLOW)), top((PLACE, (40, 110, 30))), disc(PLACE, "green")).moves()
    assert [r.puck for r in moves.vacated] == ["p1"]
    assert [d.team for d in moves.appeared] == ["green"]


def test_a_place_looks_new_where_a_puck_has_come() -> None:
    assert looks_new(VIEW, PLACE, (top(), top((PLACE, YELLOW))))
    assert not looks_new(VIEW, PLACE, (top(), top()))


def test_half_a_puck_under_a_hand_is_hidden_by_half() -> None:
    hidden = np.zeros(VIEW.size[::-1], np.uint8)
    x, _ = VIEW.px_from_mm(np.array([PLACE]))[0]
    hidden[:, : round(x)] = 1
    assert hidden_share(VIEW, hidden, PLACE) == pytest.approx(0.5, abs=0.05)
    assert hidden_share(VIEW, hidden, (PLACE[0] - 40, PLACE[1])) == 1.0


HARDLY_OTHER = (22, 60, 105)  # than SAND: by 8 grey levels where most


@pytest.mark.parametrize("looked_around", [True, False])
@pytest.mark.parametrize(("where", "team", "gone"), [
    pytest.param((400.0, 200.0), "red", True, id="one of its team lies elsewhere"),
    pytest.param((400.0, 200.0), "green", False, id="one of the other team has come"),
    pytest.param(None, "red", False, id="none has come"),
])  # fmt: skip
def test_one_hardly_other_than_the_ground_has_left_where_one_of_its_team_has_come(
    where: tuple[float, float] | None, team: str, gone: bool, looked_around: bool
) -> None:
    """What has changed at its place is less than what is looked at again, or its picture seems to be there still."""
    paints = {"red": HARDLY_OTHER, "green": (40, 110, 30)}
    palette = Palette(("red", "green"), linear_from_bgr(np.array(list(paints.values()), dtype=np.float64)), 0.0)
    come = [] if where is None else [(where, paints[team])]
    moves = replace(
        compared(top((PLACE, HARDLY_OTHER)), top(*come), *(disc(place, team) for place, _ in come)),
        palette=palette, around=np.full(VIEW.size[::-1], looked_around, np.uint8),
    ).moves()  # fmt: skip
    assert [r.puck for r in moves.vacated] == (["p1"] if gone else [])


def test_one_that_lies_there_still_has_not_left_where_a_hand_has_brought_another() -> None:
    come = ((400.0, 200.0), YELLOW)
    moves = replace(compared(top((PLACE, YELLOW)), top((PLACE, YELLOW), come), disc(come[0])),
                    around=np.zeros(VIEW.size[::-1], np.uint8)).moves()  # fmt: skip
    assert moves.vacated == []
    assert [d.place for d in moves.appeared] == [come[0]]
