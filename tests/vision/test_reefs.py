"""Reefs that players placed: found where they lie, whatever the light; and nothing else is taken for one."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from calibration.board import Board, default_board_path, load_board
from tests.vision.painted_board import Place, Scene, camera_over
from vision.events import PuckSeen, ReefSeen
from vision.reef_fit import BoxFit
from vision.reefs import apart, find_reefs, same_reefs

NEAR_MM = 2.0
NEAR_DEG = 3.0
WHITE_AND_BLACK: list[tuple[str, Place]] = [
    ("red", (200.0, 120.0, 20.0)),
    ("red", (450.0, 140.0, 75.0)),
    ("red", (230.0, 480.0, 140.0)),
    ("red", (430.0, 570.0, 0.0)),
    ("red", (180.0, 200.0, 100.0)),
    ("green", (480.0, 220.0, 45.0)),
    ("green", (470.0, 440.0, 160.0)),
    ("green", (290.0, 560.0, 90.0)),
    ("green", (220.0, 400.0, 30.0)),
    ("green", (330.0, 170.0, 120.0)),
]
PUCKS = [("red", 3, (88.0, 325.0, 40.0)), ("red", 5, (300.0, 420.0, 10.0)), ("green", 7, (562.0, 325.0, 200.0)),
         ("green", 2, (400.0, 330.0, 300.0)), ("green", 4, (520.0, 560.0, 77.0))]  # fmt: skip


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(default_board_path())


def seen(scene: Scene) -> tuple[ReefSeen, ...]:
    pucks = [PuckSeen(f"{t}-{n}", t, n, x, y) for t, n, (x, y, _) in scene.pucks]
    return find_reefs(scene.picture(), scene.pose, scene.board, pucks)


def right(found: tuple[ReefSeen, ...], true: list[tuple[str, Place]]) -> int:
    """How many of the true reefs are found where they lie, with their team."""

    def is_it(reef: ReefSeen, team: str, place: Place) -> bool:
        turn = abs((reef.angle_deg - place[2] + 90) % 180 - 90)
        return math.dist((reef.x_mm, reef.y_mm), place[:2]) <= NEAR_MM and turn <= NEAR_DEG and reef.team == team

    return sum(any(is_it(reef, team, place) for reef in found) for team, place in true)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (640, 480)])
def test_every_reef_is_found_where_it_lies(board: Board, size: tuple[int, int]) -> None:
    scene = Scene(board, camera_over(board, size), WHITE_AND_BLACK, list(PUCKS))
    found = seen(scene)
    assert (right(found, WHITE_AND_BLACK), len(found)) == (10, 10)


@pytest.mark.parametrize("light", [(0.24, 0.22, 0.2), (0.75, 0.9, 1.15), (1.2, 0.95, 0.7)], ids=["dim", "warm", "cold"])
def test_reefs_are_found_in_dim_and_coloured_light(board: Board, light: tuple[float, float, float]) -> None:
    found = seen(Scene(board, camera_over(board), WHITE_AND_BLACK, list(PUCKS), light=light))
    assert (right(found, WHITE_AND_BLACK), len(found)) == (10, 10)


def test_a_camera_that_looks_aslant_sees_reefs_at_their_feet(board: Board) -> None:
    found = seen(Scene(board, camera_over(board, tilt_deg=22.0), WHITE_AND_BLACK))
    assert (right(found, WHITE_AND_BLACK), len(found)) == (10, 10)


def test_black_reefs_on_a_dark_sea_and_white_ones_on_sand_are_found(board: Board) -> None:
    reefs: list[tuple[str, Place]] = [("red", (325.0, 262.0, 5.0)), ("red", (330.0, 392.0, 170.0)),
                                      ("green", (200.0, 150.0, 33.0)), ("green", (450.0, 520.0, 111.0))]  # fmt: skip
    found = seen(Scene(board, camera_over(board), reefs, sea=(85, 62, 30)))
    assert (right(found, reefs), len(found)) == (4, 4)


@pytest.mark.parametrize(("shade_mm", "noise", "seed"), [
    ((9.0, 4.0), 5.0, 1), ((9.0, 4.0), 5.0, 7), ((9.0, 4.0), 2.0, 8), ((-4.0, 8.0), 5.0, 1), ((-4.0, 8.0), 2.0, 7),
])  # fmt: skip
def test_a_black_reef_is_found_beside_its_own_shadow_which_is_none(
    board: Board, shade_mm: tuple[float, float], noise: float, seed: int
) -> None:
    scene = Scene(board, camera_over(board), WHITE_AND_BLACK, noise=noise, seed=seed, shade_mm=shade_mm)
    found = seen(scene)
    assert (right(found, WHITE_AND_BLACK), len(found)) == (10, 10)


def test_fixed_reefs_facades_prints_and_pucks_are_no_reefs(board: Board) -> None:
    for seed in range(4):
        assert seen(Scene(board, camera_over(board), [], list(PUCKS), seed=seed)) == ()


def test_a_row_of_touching_pucks_of_the_reefs_colour_is_no_reef(board: Board) -> None:
    white = dataclasses.replace(board.teams[0], colour=board.teams[0].reef_colour or "")
    painted = dataclasses.replace(board, teams=(white, *board.teams[1:]))
    d = board.puck.diameter_mm
    row = [("red", n, (220.0 + d * n, 520.0, 45.0 * n)) for n in range(1, 4)]
    scene = Scene(painted, camera_over(board), [], row)
    assert seen(scene) == ()
    assert find_reefs(scene.picture(), scene.pose, painted) == ()


def test_a_puck_that_leans_on_a_reef_does_not_hide_or_move_it(board: Board) -> None:
    reefs: list[tuple[str, Place]] = [("red", (430.0, 520.0, 0.0)), ("green", (200.0, 150.0, 90.0))]
    reach = 6.0 + board.puck.radius_mm + 0.5
    pucks = [("green", 3, (425.0, 520.0 - reach, 0.0)), ("red", 3, (200.0 + reach, 160.0, 0.0))]
    found = seen(Scene(board, camera_over(board), reefs, pucks))
    assert (right(found, reefs), len(found)) == (2, 2)


@pytest.mark.parametrize("beside", [(0.0, 12.0), (42.0, 0.0)])
def test_two_reefs_that_touch_are_both_found(board: Board, beside: tuple[float, float]) -> None:
    turn = math.radians(20.0)
    dx, dy = beside
    x, y = 230.0 + dx * math.cos(turn) - dy * math.sin(turn), 480.0 + dx * math.sin(turn) + dy * math.cos(turn)
    reefs: list[tuple[str, Place]] = [("red", (230.0, 480.0, 20.0)), ("green", (x, y, 20.0))]
    found = seen(Scene(board, camera_over(board), reefs, []))
    assert (right(found, reefs), len(found)) == (2, 2)


@pytest.mark.parametrize(("aside_mm", "turn_deg", "blocks"), [
    (12.0, 0.0, 2),  # side by side
    (11.0, 2.0, 2),  # the same, where both are placed a little off
    (9.4, 10.0, 1),  # the side of a block that is seen aslant
    (6.0, 0.0, 1),
])  # fmt: skip
def test_no_two_reefs_share_ground(board: Board, aside_mm: float, turn_deg: float, blocks: int) -> None:
    assert board.reef is not None
    best = BoxFit(300.0, 200.0, 0.0, np.full(4, 0.8), np.ones(3), np.zeros(3), spread=0.01, contrast=0.3, score=0.8)
    other = dataclasses.replace(best, y_mm=200.0 + aside_mm, angle_deg=turn_deg, score=0.7)
    kept = apart([(other, "red", 0.0), (best, "red", 0.0)], board.reef)
    assert kept[0][0] is best
    assert len(kept) == blocks


@pytest.mark.parametrize(
    ("share", "aside_mm", "turn_deg", "blocks"),
    [(0.64, 11.1, 4.0, 1), (0.64, -11.1, 4.0, 1), (0.97, 11.1, 4.0, 2), (0.64, 18.0, 4.0, 2), (0.64, 11.1, 80.0, 2)],
)
def test_a_blocks_side_in_the_shade_is_no_block_beside_it(
    board: Board, share: float, aside_mm: float, turn_deg: float, blocks: int
) -> None:
    """Two blocks that lie side by side have tops as bright as each other."""
    assert board.reef is not None
    turn = math.radians(30.0)
    top = BoxFit(300.0, 200.0, 30.0, np.full(4, 0.8), np.full(3, 0.15), np.full(3, 0.4), 0.01, 0.3, score=0.66)
    other = dataclasses.replace(
        top, x_mm=300.0 - aside_mm * math.sin(turn), y_mm=200.0 + aside_mm * math.cos(turn),
        angle_deg=30.0 + turn_deg, inside=share * top.inside, score=0.61)  # fmt: skip
    if abs(turn_deg) > 45.0:  # it lies across: further off, so as not to overlap
        other = dataclasses.replace(other, x_mm=300.0 - 28.0 * math.sin(turn), y_mm=200.0 + 28.0 * math.cos(turn))
    kept = apart([(other, "blue", 0.9), (top, "blue", 0.2)], board.reef)
    assert kept[0][0] is top
    assert len(kept) == blocks


def test_reefs_of_colours_like_the_pucks_are_told_apart(board: Board) -> None:
    colours = ("#a0473a", "#4a6b4a")
    teams = tuple(dataclasses.replace(t, reef_colour=c) for t, c in zip(board.teams, colours, strict=True))
    painted = dataclasses.replace(board, teams=teams)
    found = seen(Scene(painted, camera_over(board), WHITE_AND_BLACK, list(PUCKS)))
    assert (right(found, WHITE_AND_BLACK), len(found)) == (10, 10)


def test_without_fixed_reefs_the_paint_and_the_markers_tell_the_teams(board: Board) -> None:
    bare = dataclasses.replace(board, obstacles=())
    found = seen(Scene(bare, camera_over(board), WHITE_AND_BLACK, light=(0.7, 0.85, 1.1)))
    assert (right(found, WHITE_AND_BLACK), len(found)) == (10, 10)


def test_reefs_whose_colour_the_file_does_not_give_are_found_without_a_team(board: Board) -> None:
    plain = tuple(dataclasses.replace(t, reef_colour=None) for t in board.teams)
    scene = Scene(board, camera_over(board), WHITE_AND_BLACK[:6:5], list(PUCKS))
    pucks = [PuckSeen(f"{t}-{n}", t, n, x, y) for t, n, (x, y, _) in scene.pucks]
    found = find_reefs(scene.picture(), scene.pose, dataclasses.replace(board, teams=plain), pucks)
    assert len(found) == 2
    assert {r.team for r in found} == {None}


def test_a_board_without_loose_reefs_has_none(board: Board) -> None:
    scene = Scene(board, camera_over(board), WHITE_AND_BLACK)
    assert find_reefs(scene.picture(), scene.pose, dataclasses.replace(board, reef=None)) == ()


def test_an_empty_picture_shows_no_reefs(board: Board) -> None:
    pose = camera_over(board)
    for grey in (0, 128, 255):
        assert find_reefs(np.full((720, 1280, 3), grey, dtype=np.uint8), pose, board) == ()


def test_two_looks_at_the_same_reefs_are_the_same_in_any_order() -> None:
    a, b = ReefSeen("red", 100.0, 100.0, 179.0), ReefSeen("green", 300.0, 100.0, 20.0)
    again = (ReefSeen("green", 300.6, 99.5, 21.0), ReefSeen("red", 99.2, 100.4, 1.0))
    assert same_reefs((a, b), again)
    assert not same_reefs((a, b), again[:1])
    assert not same_reefs((a,), (ReefSeen("red", 100.0, 100.0, 170.0),))
    assert not same_reefs((a,), (ReefSeen("red", 104.0, 100.0, 179.0),))
    assert not same_reefs((a,), (ReefSeen("green", 100.0, 100.0, 179.0),))
