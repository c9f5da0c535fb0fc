"""A circle of known radius is laid through edges on its rays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import camera_over
from vision import detection
from vision.detection import FloatArray, circle_shift
from vision.differencing import percentile
from vision.frames import Image
from vision.view import TopView, make_view

BOARD = load_board(default_board_path())

ANGLES = np.arange(72) * (2 * np.pi / 72)
NORMALS = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
HUBER_MM = 0.6
SHIFTS = st.tuples(st.floats(-2, 2), st.floats(-2, 2))


@given(st.lists(SHIFTS, min_size=1, max_size=5))
@settings(max_examples=40, deadline=None)
def test_edges_of_a_shifted_circle_give_its_shift(shifts: list[tuple[float, float]]) -> None:
    offset = np.array(shifts) @ NORMALS.T
    found = circle_shift(offset, np.ones_like(offset), NORMALS, HUBER_MM, 40)
    np.testing.assert_allclose(found, shifts, atol=1e-3)


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_somebody_elses_edges_weigh_as_hubers_loss_has_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    offset = NORMALS @ rng.uniform(-1, 1, 2) + rng.normal(0, 0.1, len(NORMALS))
    offset[rng.random(len(NORMALS)) < 0.3] += 3.0
    base = rng.uniform(0.2, 1.0, len(NORMALS))
    found = circle_shift(offset[None], base[None], NORMALS, HUBER_MM, 100)[0]

    def loss(step: np.ndarray) -> float:
        away = np.abs(offset - NORMALS @ step)
        return float((base * np.where(away < HUBER_MM, away**2 / 2, HUBER_MM * (away - HUBER_MM / 2))).sum())

    best = least_squares(
        lambda step: np.sqrt(2 * base) * np.sqrt(np.where(
            np.abs(offset - NORMALS @ step) < HUBER_MM, (offset - NORMALS @ step) ** 2 / 2,
            HUBER_MM * (np.abs(offset - NORMALS @ step) - HUBER_MM / 2))), np.zeros(2))  # fmt: skip
    assert loss(found) <= loss(best.x) + 1e-4


def test_without_edges_a_circle_stays_where_it_is() -> None:
    offset = np.full((1, len(NORMALS)), 1.5)
    assert (circle_shift(offset, np.zeros_like(offset), NORMALS, HUBER_MM, 8) == 0).all()


def test_a_circle_drawn_away_from_its_own_outline_goes_back_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three pucks beside stronger edges the first finds a worse outline there, the second as good a one, the third
    none less."""
    pose = camera_over(BOARD)
    starts = np.array([(100.0, 100.0), (200.0, 100.0), (300.0, 100.0)])
    own = np.array([0.5, 0.9, 1.0])  # of the outline, seen anywhere else than at the start

    def edges(
        image: Image, view: TopView, places: FloatArray, foot: FloatArray, normals: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        share = np.where(np.hypot(*(places - starts).T) < 0.1, 1.0, own)
        seen = np.arange(len(normals)) < share[:, None] * len(normals)
        return np.where(seen, 0.2, 3.0), np.full((len(places), len(normals)), 40.0)

    monkeypatch.setattr(detection, "_edge_offsets", edges)
    monkeypatch.setattr(detection, "_solve", lambda offset, *_: np.full((len(offset), 2), 0.4))
    blank = np.full((720, 1280, 3), 90, np.uint8)
    first, second, third = detection.locate(blank, make_view(BOARD, pose, (1280, 720)), starts)
    assert (first.x_mm, first.y_mm, first.support) == (100.0, 100.0, 1.0)
    assert (second.x_mm, second.y_mm) == pytest.approx((202.0, 102.0))
    assert (third.x_mm, third.y_mm) == pytest.approx((302.0, 102.0))


@pytest.mark.parametrize("share", [0.0, 50.0, 70.0, 95.0, 99.7, 100.0])
@pytest.mark.parametrize("shape", [(1, 1, 3), (7, 5, 3), (68, 120, 3)])
def test_a_percentile_of_levels_is_numpys_to_the_last_bit(shape: tuple[int, ...], share: float) -> None:
    for seed, most in enumerate((1, 40, 256)):
        levels = np.random.default_rng(seed).integers(0, most, shape).astype(np.uint8)
        assert percentile(levels[::-1, ::-1], share) == float(np.percentile(levels, share))
