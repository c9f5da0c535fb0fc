"""Teams told apart by their paint, whatever the light makes of it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import Board, default_board_path, load_board, parse_board
from vision.palette import GAMMA, TOLERANCE, Palette, learn_palette, linear_from_bgr, linear_from_hex, painted

FloatArray = NDArray[np.float64]

BOX = load_board(default_board_path())
CASTS = {"neutral": (1.0, 1.0, 1.0), "warm": (1.25, 1.0, 0.75), "cold": (0.8, 1.0, 1.25), "tube": (0.85, 1.0, 0.9)}
EXPOSURES = [0.25, 0.6, 1.0]
PAIRS = [("#2c58b8", "#e0b020"), ("#ece8dc", "#26282c"), ("#7a3f9d", "#1f8f8f"), ("#dd7420", "#2f8f4e")]


def board_of(first: str, second: str) -> Board:
    teams = "".join(f'[[team]]\nname = "{n}"\ncolour = "{c}"\nmercenaries = []\nexplorers = []\n'
                    for n, c in (("one", first), ("two", second)))  # fmt: skip
    return parse_board(f'format = 1\nname = "b"\nsize = [600, 600]\n[puck]\ndiameter = 28\nheight = 9\n{teams}')


def seen(colours: list[str], light: tuple[float, ...], seed: int = 1) -> FloatArray:
    """(N, 3) BGR of paints in a light, each puck a little lighter or darker than the next."""
    rng = np.random.default_rng(seed)
    linear = np.array([linear_from_hex(c) for c in colours]) * light * rng.normal(1, 0.06, (len(colours), 1))
    values = np.clip(linear, 0, 1) ** (1 / GAMMA) * 255 + rng.normal(0, 2, (len(colours), 3))
    return np.asarray(np.clip(values, 0, 255)[:, ::-1])


def told(palette: Palette, colours: FloatArray) -> list[str]:
    return [palette.names[k] for k in palette.distances(colours).argmin(axis=1)]


@pytest.mark.parametrize("exposure", EXPOSURES)
@pytest.mark.parametrize("cast", CASTS)
def test_teams_are_told_apart_under_a_colour_cast(cast: str, exposure: float) -> None:
    truth = ["red"] * 8 + ["green"] * 8
    light = tuple(exposure * c for c in CASTS[cast])
    pucks = seen([BOX.team(t).colour for t in truth], light)
    clutter = np.random.default_rng(2).uniform(20, 235, (8, 3))
    palette = learn_palette(BOX, np.concatenate([pucks, clutter]), np.array([1.0] * 16 + [0.65] * 8))
    assert told(palette, pucks) == truth


def through(veil: float, colours: FloatArray) -> FloatArray:
    """The same with so much added to all light. (N, 3) BGR"""
    return np.asarray(np.clip(linear_from_bgr(colours) + veil, 0, 1)[:, ::-1] ** (1 / GAMMA) * 255)


@pytest.mark.parametrize("veil", [0.0, 0.03, 0.06])
@pytest.mark.parametrize("exposure", [0.2, 0.35, 0.7])
def test_paints_are_known_through_haze(exposure: float, veil: float) -> None:
    """It makes all paints paler, dark ones the most: none looks as it is written any more."""
    truth = ["red"] * 8 + ["green"] * 8
    pucks = through(veil, seen([BOX.team(t).colour for t in truth], (exposure,) * 3))
    palette = learn_palette(BOX, pucks, np.ones(16))
    assert told(palette, pucks) == truth
    assert palette.distances(pucks).min(axis=1).max() < TOLERANCE


@pytest.mark.parametrize(("score", "hazy"), [(1.29, False), (1.31, True)])
def test_haze_is_thought_of_only_where_it_explains_more_by_far(
    score: float, hazy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear, veiled = np.full((2, 3), 0.2), np.full((2, 3), 0.3)

    def best_light(*given: Any) -> tuple[float, FloatArray]:
        return (score, veiled) if len(given) > 3 else (1.0, clear)

    monkeypatch.setattr("vision.palette._best_light", best_light)
    nothing_like_them = np.array([[255.0, 0.0, 255.0]])
    palette = learn_palette(BOX, nothing_like_them, np.ones(1))
    assert (palette.linear == (veiled if hazy else clear)).all()


@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize("cast", ["neutral", "warm", "cold"])
def test_teams_of_other_paints_are_told_apart(first: str, second: str, cast: str) -> None:
    pucks = seen([first] * 6 + [second] * 6, tuple(0.7 * c for c in CASTS[cast]))
    palette = learn_palette(board_of(first, second), pucks, np.ones(12))
    assert told(palette, pucks) == ["one"] * 6 + ["two"] * 6


def test_one_team_alone_on_the_board_keeps_its_name() -> None:
    pucks = seen([BOX.team("green").colour] * 8, (0.7, 0.75, 0.7))
    assert told(learn_palette(BOX, pucks, np.ones(8)), pucks) == ["green"] * 8


def test_without_a_puck_in_view_the_paint_of_the_board_file_holds() -> None:
    palette = learn_palette(BOX, np.empty((0, 3)), np.empty(0))
    assert palette.names == ("red", "green")
    assert np.allclose(palette.linear, painted(BOX).linear)


def test_paint_in_neutral_light_is_seen_as_it_is_written() -> None:
    assert painted(BOX).bgr("red") == pytest.approx([0x2A, 0x34, 0xC8], abs=0.5)


def test_a_palette_goes_along_with_the_light() -> None:
    palette = painted(BOX)
    for step in range(1, 9):
        dimmed = seen(["#c8342a"] * 4 + ["#2f8f4e"] * 4, (1 - 0.08 * step,) * 3, seed=step)
        assert told(palette, dimmed) == ["red"] * 4 + ["green"] * 4
        palette = palette.updated(dimmed, ["red"] * 4 + ["green"] * 4, rate=0.5)
    assert palette.linear[0][0] < 0.6 * painted(BOX).linear[0][0]


def test_a_team_that_is_not_seen_keeps_its_colour() -> None:
    palette = painted(BOX)
    fresh = palette.updated(np.array([[60.0, 60.0, 90.0]]), ["red"])
    assert np.array_equal(fresh.linear[1], palette.linear[1])
    assert not np.allclose(fresh.linear[0], palette.linear[0])


def test_linear_light_of_hex_and_of_pixels_agree() -> None:
    for r, g, b in itertools.product((0, 100, 255), repeat=3):
        pixels = linear_from_bgr(np.array([[b, g, r]], dtype=float))[0]
        assert pixels == pytest.approx(linear_from_hex(f"#{r:02x}{g:02x}{b:02x}"))


def test_paints_in_another_light_are_told_as_before() -> None:
    colours = ["#ece8dc", "#26282c"] * 4
    palette = learn_palette(board_of("#ece8dc", "#26282c"), seen(colours, (1.0, 1.0, 1.0)), np.ones(8))
    dark = (0.4**GAMMA, 0.3**GAMMA, 0.25**GAMMA)  # levels of red, green and blue
    there, relit = seen(colours, dark), palette.in_light(np.array([0.25, 0.3, 0.4]))
    assert told(relit, there) == ["one", "two"] * 4
    pale = there[::2]
    assert relit.distances(pale)[:, 0].max() < 0.3 * palette.distances(pale)[:, 0].max()
