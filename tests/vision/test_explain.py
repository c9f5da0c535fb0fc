"""Pictures of decided shots: the words say what was decided, and what is drawn lies where it happened."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import camera_over
from vision.contacts import ContactGraph, Touch
from vision.crossings import Crossing, Passage
from vision.events import ReefSeen
from vision.explain import SCALE, Explained, draw_shot, over_film, sentences
from vision.motion import Motion
from vision.shot_film import WIDTH_PX
from vision.shots import Shot
from vision.view import make_view

BOARD = load_board(default_board_path())
POSE = camera_over(BOARD)
VIEW = make_view(BOARD, POSE, POSE.lens.image_size)
GREY = 100
START, TOUCHED, END = (150.0, 300.0), (300.0, 300.0), (420.0, 380.0)


def motion(puck: str, team: str, places: list[tuple[float, float]]) -> Motion:
    times = 5.0 + 0.1 * np.arange(len(places))
    return Motion(puck, team, places[0], places[-1], times, np.array(places), float(times[0]), float(times[-1]),
                  (1.0, 0.0), 1500.0)  # fmt: skip


def explained(*reasons: str) -> Explained:
    """Red 7 runs to the right and touches green 3, which goes on through a door."""
    door = BOARD.doors[0].name
    graph = ContactGraph("p1", (Touch(5.1, "p1", "p2", 286.0, 300.0, 0.97),), ())
    shot = Shot("p1", 5.0, 5.3, graph, (Crossing(5.25, "p2", door, "in", 0.99, 21.46),), (),
                (Passage(5.28, "p1", "rim"),),
                (motion("p1", "red", [START, TOUCHED]), motion("p2", "green", [TOUCHED, (360.0, 340.0), END])),
                False, tuple(reasons))  # fmt: skip
    w, h = VIEW.size
    return Explained(4, shot, np.full((h, w, 3), GREY, np.uint8), VIEW, {"p1": "red 7", "p2": "green 3"})


def test_a_shot_is_told_in_words_with_times_after_the_flick() -> None:
    assert sentences(explained()) == [
        "shot 4 at 5.00 s: red 7 flicked, at rest after 300 ms",
        "1: red 7 touched green 3 after 100 ms, 97 % sure",
        f"green 3 went in through {BOARD.doors[0].name} after 250 ms, 21.5 mm behind its line",
        "red 7 went over the rim after 280 ms",
    ]


def test_what_is_doubtful_is_told_with_the_reason() -> None:
    assert sentences(explained("two frames are missing"))[-1] == "please look: two frames are missing"


def test_a_doubt_names_pucks_as_players_do() -> None:
    told = explained("nothing was seen to strike p2; p1 came nearest (3.4 mm off)", "p12 was lost from sight")
    assert sentences(told)[-2:] == [
        "please look: nothing was seen to strike green 3; red 7 came nearest (3.4 mm off)",
        "please look: p12 was lost from sight",
    ]


def test_paths_touches_and_doors_are_drawn_where_they_were() -> None:
    picture = draw_shot(explained())
    w, h = VIEW.size
    assert picture.shape[1] == w * SCALE
    assert picture.shape[0] > h * SCALE
    (ax, ay), (bx, by) = BOARD.doors[0].line
    beside_touch = (286.0 + 0.45 * BOARD.puck.radius_mm, 300.0)
    drawn = {(225.0, 300.0), (330.0, 320.0), beside_touch, ((ax + bx) / 2, (ay + by) / 2)}
    changed = cv2.absdiff(picture[: h * SCALE], np.full_like(picture[: h * SCALE], round(0.75 * GREY))).max(axis=2) > 40
    for place in drawn:
        x, y = np.rint(VIEW.px_from_mm(np.array([place]))[0] * SCALE).astype(int)
        assert changed[y - 3 : y + 4, x - 3 : x + 4].any(), place
    assert changed.mean() < 0.05


def side_of(reef: ReefSeen) -> tuple[int, int]:
    """The pixel of the drawn picture that shows the middle of a long side of a reef's top, turned by 0 degrees."""
    assert BOARD.reef is not None
    place = [[reef.x_mm, reef.y_mm - BOARD.reef.width_mm / 2, BOARD.reef.height_mm]]
    ((x, y),) = np.rint(VIEW.view_from_image(POSE.image_from_board(np.array(place))) * SCALE).astype(int)
    return x, y


def test_reefs_are_outlined_in_their_teams_colour_where_their_tops_are_seen() -> None:
    reefs = tuple(ReefSeen(team, x_mm, 480.0, 0.0) for team, x_mm in (("red", 120.0), ("green", 300.0), (None, 500.0)))
    picture = draw_shot(replace(explained(), reefs=reefs))
    colours = [picture[y, x].tolist() for x, y in map(side_of, reefs)]
    wanted = [BOARD.team(team).colour for team in ("red", "green")]
    assert colours == [[int(c[i : i + 2], 16) for i in (5, 3, 1)] for c in (*wanted, "#ffffff")]
    for x, y in map(side_of, reefs):
        assert picture[y - 5 : y + 6, x].max(axis=1).min() < 40, "with a dark border"
    without = draw_shot(explained())
    assert (picture != without).any(axis=2).mean() < 0.01


def test_letters_and_their_dark_edge_lie_on_each_other() -> None:
    told = explained()
    named, bare = (draw_shot(replace(told, labels={"p1": p1, "p2": ""})) for p1 in ("yellow 1, yellow 1, yellow 1", ""))
    board = slice(0, VIEW.size[1] * SCALE)
    drawn = (named[board] != bare[board]).any(axis=2)
    light = drawn & (named[board].min(axis=2) > 150)
    dark = drawn & (named[board].max(axis=2) < 30)
    away_px = cv2.distanceTransform((~light).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    assert light.sum() > 300
    assert dark.sum() > light.sum()
    assert away_px[dark].max() < 6.0


def test_over_the_film_paths_touches_and_doors_lie_where_the_camera_saw_them() -> None:
    """In the pixels of the film's smaller pictures, at the height of the pucks' tops; a door's line on the board."""
    drawn, (width, height) = over_film(explained()), POSE.lens.image_size
    scale = WIDTH_PX / width

    def film_px(x_mm: float, y_mm: float, height_mm: float) -> list[float]:
        ((x, y),) = POSE.image_from_board(np.array([[x_mm, y_mm, height_mm]]))
        return [(x + 0.5) * scale, (y + 0.5) * scale]

    top, door = BOARD.puck.height_mm, BOARD.doors[0]
    assert drawn["size"] == [WIDTH_PX, round(height * scale)]
    flicked, struck = drawn["paths"]
    assert [flicked["flicked"], struck["flicked"]] == [True, False]
    assert flicked["points"][0] == pytest.approx([5.0, *film_px(*START, top)], abs=0.06)
    assert struck["points"][2] == pytest.approx([5.2, *film_px(*END, top)], abs=0.06)
    (touch,) = drawn["touches"]
    assert [touch["t"], touch["x"], touch["y"]] == pytest.approx([5.1, *film_px(286.0, 300.0, top)], abs=0.06)
    (crossed,) = drawn["doors"]
    assert (crossed["t"], crossed["direction"], crossed["depth_mm"]) == (5.25, "in", 21.5)
    assert np.ravel(crossed["line"]) == pytest.approx(
        [*film_px(*door.line[0], 0.0), *film_px(*door.line[1], 0.0)], abs=0.06
    )
    json.dumps(drawn)
