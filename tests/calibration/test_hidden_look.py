"""What hides a part of the board is told with its place; what belongs on a board is never taken for it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration import check_words
from calibration.board import Board, parse_board
from calibration.check import Grade, check_set_up
from calibration.check_view import residuals_picture
from calibration.hidden_look import Kept, look_for_hidden
from calibration.pose import Pose
from tests.calibration import scene
from vision.virtual_table.boards import random_board_text
from vision.virtual_table.table import VirtualTable

SEED = 4
BLACK, WHITE, STEEL, WOOD = (25, 25, 28), (235, 238, 240), (150, 150, 152), (40, 70, 110)
ARM = [[250, -120], [275, -120], [285, 150], [260, 150]]
BOX = [[-45, 260], [60, 240], [70, 330], [-45, 340]]
MIDDLE = [[240, 390], [330, 400], [320, 480], [235, 470]]


@cache
def table() -> tuple[scene.Image, Board, Pose]:
    """A board of many things, its picture, and the true pose."""
    board = parse_board(random_board_text(SEED))
    shown = VirtualTable(board, seed=SEED, realtime=False)
    picture = next(shown.frames()).image
    return picture, board, shown.pose


def covered(outline: list[list[int]], colour: tuple[int, int, int], height_mm: float = 20.0) -> scene.Image:
    """The picture with something of one colour on the board or over it."""
    picture, _, pose = table()
    points = np.column_stack([np.array(outline, dtype=np.float64), np.full(len(outline), height_mm)])
    over = picture.copy()
    cv2.fillPoly(over, [np.round(pose.image_from_board(points) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return over


def test_a_board_with_its_reefs_and_pucks_is_not_hidden() -> None:
    picture, board, pose = table()
    found = look_for_hidden(picture, board, pose)
    assert (found.known, found.share) == (True, 0.0)


@pytest.mark.parametrize(
    ("outline", "height_mm", "colour"),
    [*((ARM, 90.0, c) for c in (BLACK, WHITE, STEEL)), *((BOX, 30.0, c) for c in (BLACK, WHITE, STEEL)),
     *((MIDDLE, 20.0, c) for c in (BLACK, WHITE, STEEL, WOOD))],
)  # fmt: skip
def test_what_reaches_over_the_rim_or_lies_on_the_surface_is_told_with_its_place(
    outline: list[list[int]], height_mm: float, colour: tuple[int, int, int]
) -> None:
    _, board, pose = table()
    found = look_for_hidden(covered(outline, colour, height_mm), board, pose)
    assert found.share > 0.003
    points = np.column_stack([np.array(outline, dtype=np.float64), np.full(4, height_mm)])
    seen = pose.image_from_board(points).astype(np.float32)
    at = pose.image_from_board(np.column_stack([found.places_mm, np.zeros(len(found.places_mm))]))
    inside = [cv2.pointPolygonTest(seen, (float(x), float(y)), True) > -8 for x, y in at]
    assert np.mean(inside) > 0.9


@pytest.mark.parametrize("light", [0.35, 0.7, 1.2])
def test_other_light_and_a_shadow_hide_nothing(light: float) -> None:
    picture, board, pose = table()
    shade = np.ones(picture.shape[:2])
    shade[:, : picture.shape[1] // 3] = 0.65
    shaded = picture * cv2.GaussianBlur(shade, (0, 0), 12)[..., None] * light
    assert look_for_hidden(np.clip(shaded, 0, 255).astype(np.uint8), board, pose).share == 0.0


def test_a_surface_of_many_colours_tells_nothing() -> None:
    _, board, pose = table()
    patches = np.random.default_rng(1).integers(0, 255, (18, 32, 3), dtype=np.uint8)
    size = pose.lens.image_size
    many = np.asarray(cv2.resize(patches, size, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
    found = look_for_hidden(many, board, pose)
    assert (found.known, found.share) == (False, 0.0)


def test_a_hand_that_passes_hides_nothing_and_what_stays_is_kept() -> None:
    picture, board, pose = table()
    arm = covered(ARM, BLACK, 60.0)
    passing, staying = Kept([picture]), Kept([picture])
    assert len(list(passing.through([arm if 5 < n < 15 else picture for n in range(40)]))) == 40
    assert look_for_hidden(passing.still_image(), board, pose).share == 0.0
    assert len(list(staying.through([arm] * 40))) == 40
    assert look_for_hidden(staying.still_image(), board, pose).share > 0.003


def test_the_check_names_the_part_draws_it_and_says_what_to_do() -> None:
    picture, board, pose = table()
    hidden = covered(BOX, BLACK, 30.0)
    check = check_set_up([hidden], [hidden] * 4, board, pose.lens, 30.0)
    found = next(f for f in check.findings if f.key.startswith("hidden"))
    assert found.grade is not Grade.GREEN
    assert "ouest" in check_words.told(found.key, found.figures, "fr")
    assert "west" in check_words.told(found.key, found.figures)
    assert "take away" in check_words.advised(found.advice, found.figures)
    x, y = pose.image_from_board(np.array([[30.0, 290.0, 0.0]]))[0].astype(int)
    b, _, r = residuals_picture(check)[y, x]
    assert int(r) > int(b) + 60
    clear = check_set_up([picture], [picture] * 4, board, pose.lens, 30.0)
    assert next(f for f in clear.findings if f.key.startswith("hidden")).key == "hidden"
