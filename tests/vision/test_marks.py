"""Pucks are told by their numbers where their outlines hardly show, and by nothing that only looks a little so."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

import vision.second_look
from calibration.board import default_board_path, load_board
from calibration.colours import bgr_of
from tests.vision.painted_board import Scene, camera_over, circle_mm, number_outlines_mm
from tests.vision.test_resting import SCATTERED
from vision.frames import Image
from vision.marks import OFF_MM, with_marked
from vision.palette import Palette
from vision.resting import SeenDisc, first_look, look_again
from vision.second_look import faint_pucks
from vision.view import make_view

BOARD = load_board(default_board_path())
POSE = camera_over(BOARD)
VIEW = make_view(BOARD, POSE, POSE.lens.image_size)
GREEN = bgr_of(BOARD.team("green").colour)
LIKE_GREEN = (GREEN[0] + 8, GREEN[1] - 14, GREEN[2] + 8)  # a sea that green pucks hardly differ from
LIGHT = (0.35, 0.35, 0.35)


def dim(pucks: list[tuple[str, int, tuple[float, float, float]]], paint: str | None = None) -> Image:
    """The board in a dim room, with a sea hardly other than green pucks; numbers of a paint of their own if told."""
    board = BOARD if paint is None else replace(
        BOARD, teams=tuple(replace(t, digit_colour=paint) for t in BOARD.teams))  # fmt: skip
    return Scene(board, POSE, [], pucks, sea=LIKE_GREEN, light=LIGHT, noise=0.5).picture()


@pytest.fixture(scope="module")
def palette() -> Palette:
    """Learned where all pucks show."""
    return first_look(Scene(BOARD, POSE, [], list(SCATTERED), light=LIGHT, noise=0.5).picture(), VIEW)[1]


def test_every_puck_is_told_by_its_number(palette: Palette) -> None:
    seen = with_marked([], dim(list(SCATTERED)), VIEW, palette)
    assert len(seen) == len(SCATTERED)
    for team, _, (x, y, _) in SCATTERED:
        (found,) = [d for d in seen if math.dist(d.place, (x, y)) < 1.5]
        assert found.team == team


def test_no_number_no_puck(palette: Palette) -> None:
    """Neither prints nor pucks of another game are taken for one."""
    assert with_marked([], dim([]), VIEW, palette) == []
    plain = [("green", n, place) for _, n, place in SCATTERED]
    assert with_marked([], dim(plain, BOARD.team("green").colour), VIEW, palette) == []
    bare = replace(VIEW, board=replace(
        BOARD, teams=tuple(replace(t, mercenaries=(), explorers=()) for t in BOARD.teams)))  # fmt: skip
    assert with_marked([], dim(list(SCATTERED)), bare, palette) == []


def test_a_number_that_is_printed_on_a_field_of_a_teams_paint_is_no_puck(palette: Palette) -> None:
    image, place = dim([]), (300.0, 120.0)
    height = BOARD.puck.height_mm

    def drawn(outline: np.ndarray, colour: str) -> None:
        pixels = POSE.image_from_board(np.column_stack([outline, np.full(len(outline), height)]))
        paint = [c * LIGHT[0] for c in bgr_of(colour)]
        cv2.fillPoly(image, [np.round(pixels * 16).astype(np.int32)], paint, cv2.LINE_AA, 4)

    drawn(circle_mm(*place, 3 * BOARD.puck.radius_mm), BOARD.team("green").colour)
    for outline, hole in number_outlines_mm("3", 0.95 * BOARD.puck.radius_mm, (*place, 0.0)):
        drawn(outline, BOARD.team("green").colour if hole else BOARD.team("green").digit_colour)
    assert with_marked([], image, VIEW, palette) == []


def test_a_number_of_two_fifths_of_its_contrast_is_a_print(palette: Palette) -> None:
    ink, paint = (np.array(bgr_of(c)) for c in (BOARD.team("green").digit_colour, BOARD.team("green").colour))
    b, g, r = (ink * 0.4 + paint * 0.6).astype(int)
    assert with_marked([], dim([("green", 3, (300.0, 120.0, 0.0))], f"#{r:02x}{g:02x}{b:02x}"), VIEW, palette) == []


def test_what_was_seen_in_a_pucks_shadow_gives_way_and_what_was_seen_well_stays(palette: Palette) -> None:
    image = dim(list(SCATTERED))
    places = {(t, n): (x, y) for t, n, (x, y, _) in SCATTERED}
    x, y = places.pop(("green", 7))
    well = [SeenDisc(team, its_x + 0.4, its_y, 0.8, (0.0, 0.0, 0.0)) for (team, _), (its_x, its_y) in places.items()]
    shadow = SeenDisc("green", x, y + 9.0, 0.9, (0.0, 0.0, 0.0))
    beside = SeenDisc("red", x, y + 40.0, 0.9, (0.0, 0.0, 0.0))
    seen = with_marked([*well, shadow, beside], image, VIEW, palette)
    assert seen[:-1] == [*well, beside]
    assert seen[-1].team == "green"
    assert math.dist(seen[-1].place, (x, y)) < 1.5 < OFF_MM


def test_a_place_that_the_first_look_took_from_a_shadow_is_shown_to_be_none(
    palette: Palette, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a dim room, 9 mm beside a puck whose outline hardly shows."""
    places = {(t, n): (x, y) for t, n, (x, y, _) in SCATTERED}
    x, y = places.pop(("green", 7))

    def blind_there(*args: Any, **how: Any) -> list[SeenDisc]:
        return [d for d in look_again(*args, **how) if math.dist(d.place, (x, y)) > 20.0]

    monkeypatch.setattr(vision.second_look, "look_again", blind_there)
    new, shown = faint_pucks(dim(list(SCATTERED)), VIEW, palette, [*places.values(), (x, y + 9.0)])
    assert shown == [*(True for _ in places), False]
    (found,) = new
    assert found.team == "green"
    assert math.dist(found.place, (x, y)) < 1.5
    assert faint_pucks(dim(list(SCATTERED)), VIEW, palette, [*places.values(), (x + 1.0, y)]) == ([], [True] * 16)
