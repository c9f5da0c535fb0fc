"""A camera that trembles is held still by its own pictures, and one that stands is left alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.drift import DriftWatch
from calibration.steady import CALM_S, STEADY_PX, UNSTEADY_PX, Steadier
from tests.calibration import scene

STOOD = scene.pose()
W, H = scene.SIZE
STEP_S = 1 / 30
NEAR = 0.5  # grey levels


@pytest.fixture(scope="module")
def still() -> scene.Image:
    """(H, W, 3) what the camera sees from where it stands."""
    return as_frame(scene.picture(STOOD, noise=0.0))


@pytest.fixture(scope="module")
def watch(still: scene.Image) -> DriftWatch:
    return DriftWatch(scene.paleo(), STOOD, still)


def as_frame(gray: scene.Image) -> scene.Image:
    return np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def moved(image: scene.Image, x: float, y: float, turn: NDArray[np.float64] | None = None) -> scene.Image:
    """A frame whose picture lies x, y pixels further, turned and sheared about its middle."""
    middle = np.array([(W - 1) / 2, (H - 1) / 2])
    turn = np.eye(2) if turn is None else turn
    matrix = np.column_stack([turn, middle - turn @ middle + (x, y)])
    return np.asarray(cv2.warpAffine(image, matrix, (W, H), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))


def off(image: scene.Image, other: scene.Image) -> float:
    """Root mean square of grey levels by which two frames differ, but for the outermost pixels."""
    inside = (slice(8, -8), slice(8, -8))
    return float(np.sqrt(((image[inside].astype(float) - other[inside]) ** 2).mean()))


def least_off(image: scene.Image, turn: NDArray[np.float64]) -> float:
    """What is left where a frame is moved and moved back: no picture between pixels is exact."""
    return off(moved(moved(image, 0.5, 0.5, turn), -0.5, -0.5, np.linalg.inv(turn)), image)


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.4, 0.0), (-0.7, 0.6), (1.3, -0.4)])
@pytest.mark.parametrize(
    "turn",
    [np.eye(2), np.array([[1.0, -0.0012], [0.0012, 1.0]]), np.array([[1.0, 0.0016], [0.0, 1.0006]])],
    ids=["straight", "turned", "sheared"],
)
def test_a_swing_is_taken_out(
    still: scene.Image, watch: DriftWatch, shift: tuple[float, float], turn: NDArray[np.float64]
) -> None:
    if shift == (0.0, 0.0) and (turn == np.eye(2)).all():
        return
    frame = moved(still, *shift, turn)
    held = Steadier().steadied(frame, 0.0, watch)
    assert off(held, still) < least_off(still, turn) + NEAR < 0.9 * off(frame, still)
    assert DriftWatch(scene.paleo(), STOOD, still).check(held).shift_px < 1.5 * STEADY_PX


@pytest.mark.parametrize("seed", range(5))
def test_the_frames_of_a_camera_that_stands_are_its_own(still: scene.Image, watch: DriftWatch, seed: int) -> None:
    noisy = np.clip(still + np.random.default_rng(seed).normal(0, 4.0, still.shape), 0, 255).astype(np.uint8)
    assert Steadier().steadied(noisy, 0.0, watch) is noisy
    little = moved(still, 0.6 * UNSTEADY_PX, 0.0)
    assert Steadier().steadied(little, 0.0, watch) is little


def test_a_little_is_taken_out_too_while_it_swings_and_not_when_that_is_over(
    still: scene.Image, watch: DriftWatch
) -> None:
    steadier, little = Steadier(), moved(still, 0.6 * UNSTEADY_PX, 0.0)
    steadier.steadied(moved(still, 1.0, 0.0), 0.0, watch)
    assert off(steadier.steadied(little, STEP_S, watch), still) < 0.6 * off(little, still)
    assert steadier.steadied(little, CALM_S + STEP_S, watch) is little


def test_a_camera_that_has_settled_elsewhere_stands_still_and_swings_about_there(
    still: scene.Image, watch: DriftWatch
) -> None:
    steadier, settled = Steadier(), moved(still, 0.3, 0.1)
    frames = int(1.2 * CALM_S / STEP_S)
    for n in range(frames):
        held = steadier.steadied(settled, n * STEP_S, watch)
    assert held is settled
    assert not steadier.swings
    swung = steadier.steadied(moved(still, 1.1, 0.1), frames * STEP_S, watch)
    assert steadier.swings
    assert off(swung, settled) < 1.5 < 0.5 * off(swung, moved(still, 1.1, 0.1))


def test_a_swing_is_over_in_time_though_hardly_a_marker_is_seen(still: scene.Image, watch: DriftWatch) -> None:
    steadier, covered = Steadier(), np.full_like(still, 120)
    steadier.steadied(moved(still, 1.0, 0.0), 0.0, watch)
    assert steadier.swings
    for n in range(1, int(1.5 * CALM_S / STEP_S)):
        steadier.steadied(covered, n * STEP_S, watch)
    assert not steadier.swings
    steadier.steadied(moved(still, 1.0, 0.0), 0.0, watch)  # a film that begins anew
    assert steadier.swings
    assert steadier.steadied(still, -10.0, watch) is still


@pytest.mark.parametrize("tone", [90, 150, 210], ids=["dark", "skin", "pale"])
def test_a_sleeve_over_the_edges_of_two_markers_is_no_swing(
    still: scene.Image, watch: DriftWatch, tone: int
) -> None:
    left = min(s.middle[0] for s in watch.shifts(still))
    for reach in np.arange(left - 18, left + 18):
        frame = still.copy()
        frame[:, : int(reach)] = tone
        steadier = Steadier()
        assert steadier.steadied(frame, 0.0, watch) is frame, reach
        assert not steadier.swings


def test_a_hand_over_two_markers_leaves_two_to_tell_by(still: scene.Image, watch: DriftWatch) -> None:
    frame = moved(still, 0.8, -0.5)
    frame[:, : W // 2] = 120
    held = Steadier().steadied(frame, 0.0, watch)
    right = (slice(8, -8), slice(W // 2 + 8, -8))
    assert off(held[right], still[right]) < 0.4 * off(frame[right], still[right])


def test_one_marker_alone_is_not_believed(still: scene.Image, watch: DriftWatch) -> None:
    frame = moved(still, 0.8, -0.5)
    frame[:, : W // 2] = 120
    frame[: H // 2] = 120
    assert Steadier().steadied(frame, 0.0, watch) is frame


def test_markers_that_tell_of_different_things_are_not_believed(still: scene.Image, watch: DriftWatch) -> None:
    frame = still.copy()
    for rows, columns, x in ((0, 0, 1.2), (0, 1, -1.2), (1, 0, -1.2), (1, 1, 1.2)):
        part = (slice(rows * H // 2, (rows + 1) * H // 2), slice(columns * W // 2, (columns + 1) * W // 2))
        frame[part] = moved(still, x, 0.0)[part]
    assert Steadier().steadied(frame, 0.0, watch) is frame


def test_a_board_without_markers_is_held_by_its_picture(still: scene.Image) -> None:
    watch = DriftWatch(scene.without_markers(), STOOD, still)
    frame = moved(still, 0.8, -0.5)
    assert off(Steadier().steadied(frame, 0.0, watch), still) < 0.4 * off(frame, still)
