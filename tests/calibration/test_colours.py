"""Pictures without colours, and teams that are one in them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.board import Board, default_board_path, load_board
from calibration.colours import alike_in_grey, bgr_of, colourless, lab_of
from vision.frames import Image
from vision.virtual_table.looks import TIERS, look_for
from vision.virtual_table.table import VirtualTable


def test_a_colour_of_a_board_file_is_told_blue_first() -> None:
    assert bgr_of("#010a03") == (3, 10, 1)


def seen(tier: str) -> Image:
    """A picture of the box's board."""
    table = VirtualTable(load_board(default_board_path()), look=look_for(tier, 3), seed=3)
    return next(table.frames()).image


def cast(image: Image, blue: float, red: float) -> Image:
    """The picture without its colours, all of it in one cast, with some noise in each channel."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None] * np.array([blue, 1.0, red])
    return np.asarray(np.clip(grey + np.random.default_rng(1).normal(0, 3.0, grey.shape), 0, 255), dtype=np.uint8)


@pytest.mark.parametrize("tier", sorted(TIERS))
def test_pictures_of_boards_have_colours(tier: str) -> None:
    assert not colourless(seen(tier))


@pytest.mark.parametrize(("blue", "red"), [(1.0, 1.0), (0.9, 1.1), (1.2, 1.15)])
@pytest.mark.parametrize("tier", ["standard", "dim"])
def test_what_is_grey_has_none_whatever_its_cast(tier: str, blue: float, red: float) -> None:
    assert colourless(cast(seen(tier), blue, red))


def test_of_a_picture_in_the_dark_nothing_is_told() -> None:
    assert not colourless(np.full((480, 640, 3), 12, np.uint8))


def test_a_picture_of_one_channel_has_none() -> None:
    assert colourless(np.full((480, 640), 90, np.uint8))


def painted(*colours: str) -> Board:
    board = load_board(default_board_path())
    return replace(
        board, teams=tuple(replace(board.teams[k % 2], name=f"{k}", colour=c) for k, c in enumerate(colours))
    )


@pytest.mark.parametrize(
    ("colours", "alike"),
    [
        (("#c8342a", "#3a7d3a"), ("0", "1")),  # red and green of one lightness
        (("#f0ece0", "#202022"), None),
        (("#8fb8e8", "#1d3f7a"), None),  # pale and dark blue
        (("#f0ece0", "#c8342a", "#3a7d3a"), ("1", "2")),
        (("#c8342a",), None),
    ],
)
def test_teams_of_one_lightness_are_alike_in_grey(colours: tuple[str, ...], alike: tuple[str, str] | None) -> None:
    assert alike_in_grey(painted(*colours)) == alike


@pytest.mark.parametrize(
    ("colour", "lab"),
    [
        ("#ff0000", (53.24, 80.09, 67.20)),
        ("#0000ff", (32.30, 79.19, -107.86)),
        ("#ffff00", (97.14, -21.55, 94.48)),
        ("#ffffff", (100.0, 0.0, 0.0)),
        ("#000000", (0.0, 0.0, 0.0)),
        ("#010203", (0.51, -0.12, -0.47)),
    ],
)
def test_a_paints_lightness_and_hue_are_the_known_ones(colour: str, lab: tuple[float, float, float]) -> None:
    """As published for sRGB under D65; the darkest one by hand, on the straight part of both curves."""
    assert lab_of(colour) == pytest.approx(lab, abs=0.05)
