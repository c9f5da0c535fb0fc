"""Pucks at rest: all that lie there are found where they lie, and nothing else is taken for one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

import vision.resting
from calibration.board import Board, default_board_path, load_board, parse_board
from calibration.colours import bgr_of
from calibration.pose import Pose
from tests.vision import bare_table
from tests.vision.painted_board import Place, Scene, camera_over, circle_mm
from vision.detection import Disc, interior_colours
from vision.frames import Image
from vision.palette import Palette
from vision.resting import (
    SeenDisc,
    even,
    evenness,
    find_discs,
    first_look,
    in_picture,
    look_again,
    looked_around,
    off_middle,
    stands_out,
    step_share,
    step_wanted,
    surely_whole,
    told_by_number,
)
from vision.view import TopView, make_view
from vision.virtual_table.boards import random_board_text
from vision.virtual_table.looks import look_for
from vision.virtual_table.table import VirtualTable

BOARD = load_board(default_board_path())
RINGED_MM = 1.0  # where a ring is printed around a puck; told by paint alone, half of them were further off
NEAR_MM = 1.0  # less than a pixel of a 720p film of the board
Pucks = list[tuple[str, int, Place]]
Spot = tuple[float, float]  # mm

SCATTERED: Pucks = [
    ("red", 1, (88.0, 325.0, 40.0)), ("red", 2, (138.0, 325.0, 0.0)), ("red", 3, (300.0, 420.0, 10.0)),
    ("red", 4, (200.0, 120.0, 80.0)), ("red", 5, (430.0, 570.0, 123.0)), ("red", 6, (325.0, 200.0, 200.0)),
    ("red", 7, (40.0, 590.0, 270.0)), ("red", 8, (328.1, 420.5, 300.0)),
    ("green", 1, (562.0, 325.0, 200.0)), ("green", 2, (400.0, 330.0, 300.0)), ("green", 3, (520.0, 560.0, 77.0)),
    ("green", 4, (480.0, 220.0, 15.0)), ("green", 5, (612.0, 60.0, 190.0)), ("green", 6, (250.0, 500.0, 99.0)),
    ("green", 7, (140.0, 450.0, 33.0)), ("green", 8, (508.1, 221.5, 60.0)),
]  # fmt: skip


def look(image: Image, pose: Pose, board: Board = BOARD) -> list[SeenDisc]:
    return first_look(image, make_view(board, pose, pose.lens.image_size))[0]


def right(seen: Sequence[SeenDisc], pucks: Pucks) -> int:
    """How many pucks are found where they lie, with their team."""
    return sum(any(s.team == t and math.dist(s.place, (x, y)) < NEAR_MM for s in seen) for t, _, (x, y, _) in pucks)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_all_sixteen_pucks_are_found_and_none_invented(size: tuple[int, int]) -> None:
    pose = camera_over(BOARD, size)
    seen = look(Scene(BOARD, pose, pucks=list(SCATTERED)).picture(), pose)
    assert (right(seen, SCATTERED), len(seen)) == (16, 16)


@pytest.mark.parametrize("light", [(0.4, 0.38, 0.36), (0.75, 0.9, 1.1), (1.15, 0.95, 0.75)],
                         ids=["dim", "warm", "cold"])  # fmt: skip
def test_all_pucks_and_their_teams_are_found_in_other_light(light: tuple[float, float, float]) -> None:
    pose = camera_over(BOARD)
    seen = look(Scene(BOARD, pose, pucks=list(SCATTERED), light=light).picture(), pose)
    assert (right(seen, SCATTERED), len(seen)) == (16, 16)


def test_green_pucks_on_a_dark_green_sea_are_found_in_a_dim_room() -> None:
    """Paint and ground are 43 grey levels apart in full light, and 15 in this one."""
    pose = camera_over(BOARD)
    scene = Scene(BOARD, pose, pucks=list(SCATTERED), sea=(97, 105, 44), light=(0.36, 0.36, 0.36), noise=1.0)
    seen = look(scene.picture(), pose)
    assert (right(seen, SCATTERED), len(seen)) == (16, 16)


@pytest.mark.parametrize(("shown", "support", "step", "off", "found"), [
    ("number", 0.6, 0.25, 0.02, True),
    ("number", 0.9, 0.17, 0.01, True),  # what is better in all other ways is not found out by less
    ("number", 0.5, 0.25, 0.02, False),
    ("number", 0.6, 0.1, 0.02, False),
    ("number", 0.6, 0.25, 0.08, False),
    ("blank", 0.6, 0.25, 0.02, False),
    ("patch", 0.6, 0.25, 0.02, False),
    ("unnumbered", 0.6, 0.25, 0.02, False),
])  # fmt: skip
def test_a_number_tells_a_puck_across_whose_outline_the_colour_hardly_changes(
    shown: str, support: float, step: float, off: float, found: bool
) -> None:
    """As seen in a dim room: a puck 20 % brighter than the sea, and of its hue."""
    board = replace(BOARD, teams=(BOARD.teams[0], replace(BOARD.teams[1], colour="#264a7c", digit_colour="#f4f4f4")))
    pose = camera_over(board)
    light, place = (0.4, 0.4, 0.4), (300.0, 420.0)
    blank = replace(board, teams=(board.teams[0], replace(board.teams[1], digit_colour=board.teams[1].colour)))
    scene = Scene(blank if shown == "blank" else board, pose, pucks=[("green", 2, (*place, 30.0))], light=light)
    image = scene.picture()
    if shown == "patch":  # half of it is of another colour: no puck of one paint
        x, y = pose.image_from_board(np.array([[*place, board.puck.height_mm]]))[0].round().astype(int)
        image[y - 20 : y + 20, x + 3 : x + 20] = (200, 200, 200)
    if shown == "unnumbered":
        board = replace(board, teams=tuple(replace(t, mercenaries=(), explorers=()) for t in board.teams))
    view = make_view(board, pose, pose.lens.image_size)
    colour = interior_colours(image, view, np.array([place]))[0]
    disc = Disc(*place, support, tuple(colour))
    (rim,) = off_middle(image, [disc], view)
    wanted = step_wanted(image, disc, rim, off=off, step=step, apart=0.045, team="green", view=view)
    assert (wanted <= step) is found


@pytest.mark.parametrize(("lies", "clear", "support", "off", "found"), [
    (True, True, 0.72, 0.003, True),
    (True, False, 0.72, 0.003, False),  # one frame's noise may look so
    (False, True, 0.72, 0.003, False),  # bare sea
    (True, True, 0.58, 0.003, False),  # a part of an outline
    (True, True, 0.72, 0.04, True),  # nearer to it than half as far as the sea is
    (True, True, 0.72, 0.06, False),  # not just the paint
])  # fmt: skip
def test_without_noise_a_faint_outline_tells_a_puck_of_just_the_paint(
    lies: bool, clear: bool, support: float, off: float, found: bool
) -> None:
    """As teal pucks on a teal sea in a dim room, in the mean of many frames."""
    board = replace(BOARD, teams=(BOARD.teams[0], replace(BOARD.teams[1], colour="#264a7c", digit_colour="#264a7c")))
    pose, place = camera_over(board), (300.0, 420.0)
    pucks = [("green", 2, (*place, 30.0))] if lies else []
    image = Scene(board, pose, pucks=pucks, light=(0.4, 0.4, 0.4), noise=0.0).picture()
    view = make_view(board, pose, pose.lens.image_size)
    disc = Disc(*place, support, tuple(interior_colours(image, view, np.array([place]))[0]))
    (rim,) = off_middle(image, [disc], view)
    wanted = step_wanted(image, disc, rim, off=off, step=0.05, apart=0.094, team="green", view=view, clear=clear)
    assert (wanted <= 0.05) is found


@pytest.mark.parametrize("clear", [True, False])
def test_without_noise_fainter_edges_are_looked_for_of_what_is_just_of_the_paint(clear: bool) -> None:
    """As blue pucks on a blue sea in a dim room, a few grey levels brighter than it."""
    board = replace(BOARD, teams=(BOARD.teams[0], replace(BOARD.teams[1], colour="#26497a", digit_colour="#26497a")))
    pose = camera_over(board)
    image = Scene(board, pose, pucks=list(SCATTERED), light=(0.3, 0.3, 0.3), noise=0.0).picture()
    view = make_view(board, pose, pose.lens.image_size)
    first, palette = first_look(image, view)
    seen = look_again(image, view, palette, clear=clear)
    assert len(first) < 16
    assert (right(seen, SCATTERED) == 16) is clear
    assert len(seen) == right(seen, SCATTERED)


@pytest.mark.parametrize(("off_mm", "support", "paint", "moved"), [
    ((4.2, -0.9), 0.53, "red", True),
    ((-3.0, 4.0), 0.56, "red", True),
    ((4.2, -0.9), 0.75, "red", True),  # the ring that is printed there has an outline, too, but is not filled
    ((1.5, 11.0), 0.46, "red", True),  # drawn off by the side of a puck that is seen from aslant
    ((0.3, 0.2), 0.7, "red", False),  # it is the puck's own already
    ((4.2, -0.9), 0.53, "green", False),  # no team's paint
])  # fmt: skip
def test_a_circle_that_other_edges_drew_off_a_puck_is_looked_for_from_around(
    off_mm: tuple[float, float], support: float, paint: str, moved: bool
) -> None:
    pose, place = camera_over(BOARD), (300.0, 420.0)
    image = Scene(BOARD, pose, pucks=[("red", 3, (*place, 10.0))]).picture()
    view = make_view(BOARD, pose, pose.lens.image_size)
    _, palette = first_look(image, view)
    colour = tuple(palette.bgr("red")) if paint == "red" else (200.0, 40.0, 160.0)
    drawn = Disc(place[0] + off_mm[0], place[1] + off_mm[1], support, colour)
    discs, steps, distance, _ = looked_around(
        image, [drawn], np.array([[0.5, 0.1]]), palette.distances(np.array([colour])), palette, view, None
    )
    assert math.dist((discs[0].x_mm, discs[0].y_mm), place) < NEAR_MM if moved else discs == [drawn]
    assert bool(steps[0, 0] > 0.9 and distance[0].argmin() == 0) is moved


@pytest.mark.parametrize(("off_paint", "moved"), [(0.07, True), (0.12, False)])
def test_a_circle_whose_colour_is_a_little_off_its_paint_is_looked_for_from_around_too(
    off_paint: float, moved: bool
) -> None:
    """As seen where half of the lamps had been put out: 0.064 from the paint, and 2.8 mm beside the puck."""
    image, view, palette, colour, place = a_red_puck()
    drawn = Disc(place[0] + 4.2, place[1] - 0.9, 0.6, colour)
    distance = np.full((1, len(palette.names)), 0.8)
    distance[0, palette.names.index("red")] = off_paint
    (found,), *_ = looked_around(image, [drawn], np.array([[0.5, 0.1]]), distance, palette, view, None)
    assert math.dist((found.x_mm, found.y_mm), place) < NEAR_MM if moved else found == drawn


def a_red_puck() -> tuple[Image, TopView, Palette, tuple[float, ...], tuple[float, float]]:
    """A board with one puck: its picture, the view, the teams' paints, its own, and its place."""
    pose, place = camera_over(BOARD), (300.0, 420.0)
    image = Scene(BOARD, pose, pucks=[("red", 3, (*place, 10.0))]).picture()
    view = make_view(BOARD, pose, pose.lens.image_size)
    _, palette = first_look(image, view)
    return image, view, palette, tuple(palette.bgr("red")), place


@pytest.mark.parametrize(("support", "moved"), [(0.62, True), (0.55, False)])
def test_a_circle_that_is_not_of_one_paint_gives_way_to_one_that_is_with_a_little_less_of_an_outline(
    monkeypatch: pytest.MonkeyPatch, support: float, moved: bool
) -> None:
    """As where a puck's side and the wall that it touches drew it off."""
    image, view, palette, colour, place = a_red_puck()
    off, on = (Disc(place[0] + x_mm, place[1], s, colour) for x_mm, s in ((3.0, 0.75), (1.0, support)))
    rims = off_middle(image, [off, on], view)
    assert 0.75 + evenness(rims[0]) + 0.12 > support + evenness(rims[1])  # by the sum of both it would have stayed
    monkeypatch.setattr(vision.resting, "locate", lambda *args: [on])
    monkeypatch.setattr(vision.resting, "as_placed", lambda *args: [])
    (found,), *_ = looked_around(
        image, [off], np.array([[0.9, 0.3]]), palette.distances(np.array([colour])), palette, view, None
    )
    assert found == (on if moved else off)


def test_a_circle_that_is_too_patchy_for_its_ground_is_placed_anew_by_its_outline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """3 mm off, nearly all of it is of the team's paint, but so is the ground, nearly: else it is overlooked."""
    image, view, palette, colour, place = a_red_puck()
    off = Disc(place[0] + 3.0, place[1], 0.85, colour)
    monkeypatch.setattr(vision.resting, "locate", lambda *given: [])
    monkeypatch.setattr(vision.resting, "EVEN_MIN", 0.5)  # it is even by that
    alike, unlike = (looked_around(image, [off], np.array([[0.8, apart]]), palette.distances(np.array([colour])),
                                   palette, view, None)[0][0] for apart in (0.1, 0.6))  # fmt: skip
    assert math.dist((alike.x_mm, alike.y_mm), place) < NEAR_MM
    assert unlike == off


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_circle_of_one_paint_gives_way_to_a_better_one_only_whatever_is_tried_first(
    monkeypatch: pytest.MonkeyPatch, order: tuple[int, int]
) -> None:
    image, view, palette, colour, place = a_red_puck()
    off, there, beside = (Disc(place[0] + x, place[1], s, colour) for x, s in ((3, 0.75), (0, 0.9), (1, 0.62)))
    monkeypatch.setattr(vision.resting, "locate", lambda *args: [(there, beside)[k] for k in order])
    monkeypatch.setattr(vision.resting, "as_placed", lambda *args: [])
    (found,), *_ = looked_around(
        image, [off], np.array([[0.9, 0.3]]), palette.distances(np.array([colour])), palette, view, None
    )
    assert found == there


@pytest.mark.parametrize(("seed", "tier"), [(20189, "sharp"), (20033, "standard")])
def test_made_up_boards_show_their_pucks_and_no_others(seed: int, tier: str) -> None:
    """On one an island's edge drew a puck's outline off by 2.6 mm, so that its rim seemed to be of two paints; on
    the other the end of a white block seemed to be a whole circle of white."""
    table = VirtualTable(parse_board(random_board_text(seed)), seed=seed, look=look_for(tier, seed), tidy=False,
                         layout="scattered")  # fmt: skip
    seen, _ = first_look(next(table.frames()).image, make_view(table.board, table.pose, table.size))
    lie = [(team, (x, y)) for team, _, x, y in table.pucks().values()]
    assert all(any(d.team == team and math.dist(d.place, at) < NEAR_MM for d in seen) for team, at in lie)
    assert len(seen) == len(lie)


@pytest.mark.parametrize("whole", [True, False])
def test_where_the_whole_board_is_looked_at_a_circle_is_tried_though_a_better_one_is_near(
    whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a puck under the rim's shadow: its own shadow and its far side make the rounder circle."""
    image, view, *_ = a_red_puck()
    votes = np.zeros(view.size[::-1], np.float32)
    votes[200, 300], votes[205, 301] = 1.2, 1.3
    tried: list[int] = []
    monkeypatch.setattr(vision.resting, "_votes", lambda *given: votes)
    monkeypatch.setattr(vision.resting, "locate", lambda image, view, places, level: tried.append(len(places)) or [])
    find_discs(image, view, None if whole else np.ones_like(votes, dtype=np.uint8))
    assert tried == [2 if whole else 1]


def test_a_camera_that_looks_aslant_sees_pucks_at_their_feet() -> None:
    pose = camera_over(BOARD, tilt_deg=22.0)
    seen = look(Scene(BOARD, pose, pucks=list(SCATTERED)).picture(), pose)
    assert (right(seen, SCATTERED), len(seen)) == (16, 16)


def test_an_empty_board_has_no_pucks() -> None:
    pose = camera_over(BOARD)
    assert look(Scene(BOARD, pose).picture(), pose) == []


def with_rings(image: Image, pose: Pose, places: list[tuple[float, float]], colour: tuple[int, int, int]) -> Image:
    """The picture with circles of the pucks' size printed on the ground, two millimetres broad."""
    out, scale = image.copy(), float(pose.lens.focal_px / pose.camera_mm()[2])
    for x, y in places:
        ring = circle_mm(x, y, BOARD.puck.radius_mm)
        pixels = pose.image_from_board(np.column_stack([ring, np.zeros(len(ring))]))
        line = np.round(pixels * 16).astype(np.int32)
        cv2.polylines(out, [line], True, colour, max(1, round(2 * scale)), cv2.LINE_AA, 4)
    return out


@pytest.mark.parametrize("colour", [(240, 240, 240), (20, 20, 20), bgr_of("#c8342a"), bgr_of("#2f8f4e")],
                         ids=["white", "black", "red", "green"])  # fmt: skip
def test_printed_rings_of_the_pucks_size_are_no_pucks(colour: tuple[int, int, int]) -> None:
    pose = camera_over(BOARD)
    image = Scene(BOARD, pose, pucks=SCATTERED[:6] + SCATTERED[8:14]).picture()
    rings = [(200.0, 200.0), (160.0, 560.0), (450.0, 420.0), (560.0, 460.0), (430.0, 120.0)]
    seen = look(with_rings(image, pose, rings, colour), pose)
    assert (right(seen, SCATTERED[:6] + SCATTERED[8:14]), len(seen)) == (12, 12)


def test_pucks_of_other_paints_and_sizes_are_found() -> None:
    teams = (replace(BOARD.teams[0], colour="#2c58b8"), replace(BOARD.teams[1], colour="#e0b020"))
    board = replace(BOARD, teams=teams, puck=replace(BOARD.puck, diameter_mm=24.0, height_mm=6.0))
    pose = camera_over(board)
    seen = look(Scene(board, pose, pucks=list(SCATTERED), sea=(70, 90, 60)).picture(), pose, board)
    assert (right(seen, SCATTERED), len(seen)) == (16, 16)


def test_a_second_look_at_a_part_finds_what_lies_there_and_no_more() -> None:
    pose = camera_over(BOARD)
    view = make_view(BOARD, pose, pose.lens.image_size)
    image = Scene(BOARD, pose, pucks=list(SCATTERED)).picture()
    _, palette = first_look(image, view)
    where = np.zeros(view.size[::-1], np.uint8)
    x, y = view.px_from_mm(np.array([SCATTERED[4][2][:2]]))[0].round().astype(int)
    cv2.circle(where, (int(x), int(y)), round(view.radius_px * 1.5), (1,), -1)
    (seen,) = look_again(image, view, palette, where)
    assert seen.team == "red"
    assert math.dist(seen.place, SCATTERED[4][2][:2]) < NEAR_MM
    assert look_again(image, view, palette, np.zeros_like(where)) == []


def test_a_ring_of_its_own_paint_around_a_puck_does_not_shift_it() -> None:
    """Seen from aside a puck's top lies over one side of the ring that it stands in, and leaves the other one free."""
    pose = camera_over(BOARD, tilt_deg=15.0)
    pucks = [p for p in SCATTERED if p[1] in (3, 4, 5, 6)]
    dark = {"red": (28, 34, 120), "green": (46, 86, 30)}
    rings = [(dark[team], x, y, BOARD.puck.radius_mm + 2.5) for team, _, (x, y, _) in pucks]
    seen = look(Scene(BOARD, pose, pucks=pucks, rings=rings).picture(), pose)
    off = [min(math.dist(s.place, (x, y)) for s in seen) for _, _, (x, y, _) in pucks]
    assert len(seen) == len(pucks)
    assert max(off) < RINGED_MM


def test_a_puck_on_which_a_lamp_shines_is_a_puck_though_its_top_is_uneven() -> None:
    """In hard contrast two fifths of the rim had the colour of its middle; its outline is as clear as any."""
    pose = camera_over(BOARD)
    image = Scene(BOARD, pose, pucks=list(SCATTERED)).picture()
    h, w = image.shape[:2]
    for _, _, (x, y, _) in SCATTERED[9:12]:
        (px, py), (qx, _) = pose.image_from_board(np.array([[x, y, 9.0], [x + BOARD.puck.radius_mm, y, 9.0]]))
        top = np.hypot(*np.mgrid[-py : h - py, -px : w - px][:, :h, :w]) < qx - px
        shine = np.clip((np.arange(w) - px) / (qx - px), -1, 1)[None, :, None] * 75.0
        image[top] = np.clip(image.astype(np.float64) + shine, 0, 255).astype(np.uint8)[top]
    seen = look(image, pose)
    assert (right(seen, SCATTERED), len(seen)) == (16, 16)


def test_a_reef_in_its_teams_own_paint_is_no_puck() -> None:
    white = replace(BOARD.teams[0], colour="#ece4d6", reef_colour="#ece4d6")
    board = replace(BOARD, teams=(white, BOARD.teams[1]))
    pose = camera_over(board, tilt_deg=22.0)
    reefs = [("red", (150.0 + 90.0 * k, 200.0 + 60.0 * (k % 3), 20.0 + 29.0 * k)) for k in range(6)]
    pucks = [p for p in SCATTERED if p[1] in (1, 5, 7)]
    seen = look(Scene(board, pose, reefs=reefs, pucks=pucks).picture(), pose, board)
    assert (right(seen, pucks), len(seen)) == (6, 6)


def test_half_a_circle_that_is_as_dark_as_the_sea_is_not_of_one_colour() -> None:
    """In weak light the sea beside a black reef is as near to black as paints in a shadow are: both are held apart."""
    pose = camera_over(BOARD)
    view = make_view(BOARD, pose, pose.lens.image_size)
    black = replace(BOARD.teams[1], colour="#26241f", reef_colour="#26241f", digit_colour="#26241f")
    board = replace(BOARD, teams=(BOARD.teams[0], black))
    reef, puck = (300.0, 200.0, 0.0), (300.0, 420.0, 0.0)
    image = Scene(board, pose, reefs=[("green", reef)], pucks=[("green", 7, puck)], sea=(80, 60, 40),
                  light=(0.5, 0.5, 0.5)).picture()  # fmt: skip
    evens = []
    for x, y in ((reef[0] - 6.0, reef[1]), puck[:2]):
        colour = tuple(float(c) for c in interior_colours(image, view, np.array([(x, y)]))[0])
        disc = Disc(x, y, 0.7, (colour[0], colour[1], colour[2]))
        ((_, apart),) = step_share(image, view, np.array([(x, y)]), np.array([colour]))
        (rim,) = off_middle(image, [disc], view)
        evens.append((evenness(rim) > 0.9, even(rim, float(apart))))
    assert evens == [(True, False), (True, True)]


@pytest.mark.parametrize(("what", "score", "support", "step", "whole"), [
    ("half a black reef and its shadow, in good light", 0.83, 0.75, 0.83, False),
    ("half a reef with a worse outline", 0.77, 0.71, 0.75, False),
    ("a puck, and the ring printed beside it found as its outline", 0.83, 0.68, 1.0, True),
    ("a puck in another light than most, and a large number on it", 0.75, 0.97, 1.0, True),
    ("a clean puck", 0.95, 0.99, 0.9, True),
])  # fmt: skip
def test_a_circle_is_whole_where_the_colour_changes_all_around_it(
    what: str, score: float, support: float, step: float, whole: bool
) -> None:
    """As films showed them. Others must be of one colour within as well."""
    assert surely_whole(score, support, step) is whole, what


@pytest.mark.parametrize(("what", "support", "off", "apart", "puck"), [
    ("a corner of sand between a post and the rim, for a white team", 0.5, 0.078, 0.09, False),
    ("a whole circle of such a colour", 0.8, 0.078, 0.09, True),
    ("part of a puck beside another, on sand", 0.56, 0.018, 0.32, True),
    ("part of a teal puck on the sea", 0.53, 0.006, 0.13, True),
    ("a circle of the ground's own colour", 0.9, 0.08, 0.05, False),
    ("part of a circle of another colour", 0.5, 0.15, 0.4, False),
])  # fmt: skip
def test_a_puck_stands_out_from_the_ground(what: str, support: float, off: float, apart: float, puck: bool) -> None:
    assert stands_out(support, off, apart) is puck, what


PLACES = [(40.0 + 90.0 * i, 45.0 + 80.0 * k) for i in range(6) for k in range(5)]  # on the bare table


def bare_picture(discs: Sequence[tuple[Spot, Sequence[float]]], ground: Sequence[float], light: float) -> Image:
    """Discs of a puck's size, (place, BGR), on bare ground in such a light."""
    size, scale = bare_table.camera().lens.image_size, bare_table.PX_PER_MM
    image = np.full((*size[::-1], 3), ground, dtype=np.float64)
    for (x, y), colour in discs:
        radius = round(bare_table.BOARD.puck.radius_mm * scale)
        cv2.circle(image, (round(x * scale), round(y * scale)), radius, tuple(map(float, colour)), -1)
    noisy = cv2.GaussianBlur(light * image, (0, 0), 0.8) + np.random.default_rng(7).normal(0, 1.5, image.shape)
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def test_two_pucks_are_not_outweighed_by_the_many_faint_patches_of_a_worn_board() -> None:
    """As in a film of carrom pucks on old varnish, seen at 240 lines: with one team a patch is as good as another."""
    board, pose = replace(bare_table.BOARD, teams=bare_table.BOARD.teams[:1]), bare_table.camera()
    view, whites = make_view(board, pose, pose.lens.image_size), (PLACES[17], PLACES[4])
    shades = np.random.default_rng(7).uniform(0.9, 1.1, len(PLACES))
    patches = [(p, np.array((70.0, 52.0, 62.0)) * k) for p, k in zip(PLACES, shades, strict=True) if p not in whites]
    pucks = zip(whites, [(218, 190, 164), (250, 240, 216)], strict=True)
    seen, palette = first_look(bare_picture([*patches, *pucks], (52, 38, 56), 1.0), view)
    assert len(seen) == 2
    assert all(any(math.dist(d.place, white) < 2.0 for d in seen) for white in whites)
    assert palette.bgr("white").min() > 150


@pytest.mark.parametrize(("paints", "ground", "light"), [
    (("#8a6a4a", "#3a3230"), (180, 205, 220), 0.2),
    (("#e9e4d8", "#3a3230"), (110, 110, 110), 0.3),
])  # fmt: skip
def test_teams_are_told_in_a_dim_room_though_none_stands_out_much(
    paints: tuple[str, str], ground: tuple[int, int, int], light: float
) -> None:
    teams = [replace(t, colour=paint) for t, paint in zip(bare_table.BOARD.teams, paints, strict=True)]
    board, pose = replace(bare_table.BOARD, teams=tuple(teams)), bare_table.camera()
    for one_of in teams:  # six of the other
        lie = [(team, place) for team, places in zip(teams, (PLACES[::5], PLACES[2::5]), strict=True)
               for place in (places[:1] if team is one_of else places)]  # fmt: skip
        picture = bare_picture([(place, bgr_of(team.colour)) for team, place in lie], ground, light)
        seen = first_look(picture, make_view(board, pose, pose.lens.image_size))[0]
        told = {(team.name, place) for team, place in lie
                if any(d.team == team.name and math.dist(d.place, place) < 3.0 for d in seen)}  # fmt: skip
        assert told == {(team.name, place) for team, place in lie}
        assert len(seen) == len(lie)


def test_no_puck_stands_in_a_wall() -> None:
    """A corner of a facade and the shadow beside it look like half of a black puck."""
    board = replace(BOARD, teams=(BOARD.teams[0], replace(BOARD.teams[1], colour="#3a3a3a")))
    pose = camera_over(board)
    wall = next(o for o in board.obstacles if o.kind == "facade")
    x, y = np.array(wall.polygon).mean(axis=0)
    free = ("green", 7, (140.0, 450.0, 33.0))
    drawn = ("green", 3, (float(x), float(y), 0.0))
    seen = look(Scene(board, pose, pucks=[free, drawn]).picture(), pose, board)
    assert [s.team for s in seen if math.dist(s.place, (140.0, 450.0)) < NEAR_MM] == ["green"]
    assert all(math.dist(s.place, (x, y)) > board.puck.radius_mm for s in seen)


@pytest.mark.parametrize(("shown_mm", "share"), [(14.0, 1.0), (0.0, 0.5), (-28.0, 0.0)])
def test_a_puck_that_is_partly_out_of_the_picture_may_be_on_its_way(shown_mm: float, share: float) -> None:
    """The same picture without what lies west of a line that leaves so much to the west of a puck's middle."""
    pose, at = camera_over(BOARD), (40.0, 590.0)
    left = int(pose.image_from_board(np.array([[at[0] - shown_mm, at[1], BOARD.puck.height_mm]]))[0, 0])
    matrix = pose.lens.camera_matrix - np.array([[0.0, 0.0, left], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    cut = Pose(replace(pose.lens, image_size=(1280 - left, 720), camera_matrix=matrix), pose.rvec, pose.tvec)
    image = np.ascontiguousarray(Scene(BOARD, pose, pucks=list(SCATTERED)).picture()[:, left:])
    view = make_view(BOARD, cut, cut.lens.image_size)
    assert in_picture(image, view, np.array([at, (300.0, 420.0)])) == pytest.approx([share, 1.0], abs=0.1)
    seen, palette = first_look(image, view)
    everywhere = np.ones(view.size[::-1], np.uint8)
    again = look_again(image, view, palette, everywhere)
    lies = [any(math.dist(d.place, at) < 2 * NEAR_MM for d in found) for found in (seen, again)]
    assert lies == {1.0: [True, True], 0.5: [True, False], 0.0: [False, False]}[share]


@pytest.mark.parametrize(("share", "seen", "doubted"), [
    (0.1, True, False),
    (0.2, False, True),
    (0.35, False, False),  # as much as a block of the team's colour leaves out
])  # fmt: skip
def test_a_puck_whose_paint_is_a_little_too_uneven_is_doubted(share: float, seen: bool, doubted: bool) -> None:
    """A part of a puck, as a share of all around, is hardly other than the sea, as noise makes it in little light."""
    pose, place = camera_over(BOARD), (300.0, 420.0)
    others = [p for p in SCATTERED if math.dist(p[2][:2], place) > 40.0]
    image, bare = (Scene(BOARD, pose, pucks=pucks).picture()
                   for pucks in ([*others, ("green", 3, (*place, 10.0))], others))  # fmt: skip
    view = make_view(BOARD, pose, pose.lens.image_size)
    _, palette = first_look(image, view)
    edge = (place[0] + BOARD.puck.radius_mm, place[1], BOARD.puck.height_mm)
    middle, rim = pose.image_from_board(np.array([(*place, BOARD.puck.height_mm), edge]))
    sector = np.zeros(image.shape[:2], np.uint8)
    radius = round(float(np.linalg.norm(rim - middle)))
    cv2.ellipse(sector, (round(middle[0]), round(middle[1])), (radius, radius), 0, 0, 360 * share, 1, -1)
    cv2.copyTo(np.asarray(cv2.addWeighted(image, 0.2, bare, 0.8, 0.0)), sector, image)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), dtype=np.uint8)
    unsure = list[SeenDisc]()
    found = look_again(image, view, palette, np.ones(view.size[::-1], np.uint8), doubted=unsure)
    there = [[d for d in of if d.team == "green" and math.dist(d.place, place) < RINGED_MM] for of in (found, unsure)]
    assert [len(of) for of in there] == [seen, doubted]


@pytest.mark.parametrize(("number", "off", "lies", "told"), [
    (3, 0.102, True, True),
    (3, 0.16, True, False),  # no team's paint
    (None, 0.102, True, False),  # as a coin or a cap
    (3, 0.102, False, False),  # the bare island
])  # fmt: skip
def test_on_an_island_of_its_own_colour_a_number_tells_a_puck(
    number: int | None, off: float, lies: bool, told: bool
) -> None:
    """In little light such a puck is no nearer to its team's paint than to the island's."""
    board = BOARD if number else replace(BOARD, teams=tuple(replace(t, digit_colour=t.colour) for t in BOARD.teams))
    pose, place = camera_over(board), (60.0, 570.0)
    pucks: Pucks = [("red", 3, (*place, 30.0))] if lies else []
    image = Scene(board, pose, pucks=pucks, light=(0.4, 0.4, 0.4), noise=0.0).picture()
    view = make_view(board, pose, pose.lens.image_size)
    disc = Disc(*place, 0.54, tuple(interior_colours(image, view, np.array([place]))[0]))
    (rim,) = off_middle(image, [disc], view)
    assert told_by_number(image, disc, rim, off=off, apart=0.098, team="red", view=view) is told
