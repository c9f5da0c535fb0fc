"""Markers that were glued on or written down wrongly are refused with what was done wrong."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.lens import CalibrationError, Lens
from calibration.marker_fit import FloatArray
from calibration.marker_pose import pose_from_markers
from calibration.marker_slips import ALL_TURNED, EXCHANGED, MIRRORED, MIXED, TURNED, slip_of
from calibration.markers import find_markers
from tests.calibration import scene

BOARD = scene.paleo()
CAMERA = scene.pose(tilt=(0.2, -0.1, 0.2), height_mm=1250.0)
MOST_APART_PX = 8.0  # by two markers and without a lens places beyond them are told no better
LENSES = pytest.mark.parametrize("lens", [CAMERA.lens, None], ids=["with a lens", "without"])


@cache
def seen() -> dict[int, FloatArray]:
    found = find_markers(scene.picture(CAMERA), BOARD)
    assert sorted(found) == [0, 1, 2, 3]
    return found


def glued(quarters: tuple[int, ...]) -> dict[int, FloatArray]:
    """The markers, each turned by some quarters where it lies."""
    return {n: np.roll(corners, quarters[n], axis=0) for n, corners in seen().items()}


def refused(markers: dict[int, FloatArray], lens: Lens | None) -> str:
    with pytest.raises(CalibrationError) as error:
        pose_from_markers(markers, BOARD, scene.SIZE, lens)
    return str(error.value)


@LENSES
@pytest.mark.parametrize(
    ("quarters", "said"),
    [
        ((0, 0, 1, 2), TURNED.format(ids="2, 3")),
        ((2, 0, 2, 0), TURNED.format(ids="0, 2")),
        ((0, 1, 2, 3), TURNED.format(ids="1, 2, 3")),
        ((1, 1, 1, 1), ALL_TURNED.format(degrees=90)),
        ((2, 2, 2, 2), ALL_TURNED.format(degrees=180)),
    ],
)
def test_markers_glued_on_turned_are_named(quarters: tuple[int, ...], said: str, lens: Lens | None) -> None:
    assert refused(glued(quarters), lens) == said


@LENSES
@pytest.mark.parametrize(("one", "other"), [(0, 1), (0, 2), (2, 3)])
@pytest.mark.parametrize("hidden", [(), (3,)])
def test_two_markers_in_each_others_place_are_named(
    one: int, other: int, hidden: tuple[int, ...], lens: Lens | None
) -> None:
    if other in hidden:
        hidden = (0,)
    found = {**seen(), one: seen()[other], other: seen()[one]}
    assert refused({n: c for n, c in found.items() if n not in hidden}, lens) == EXCHANGED.format(one=one, other=other)


@LENSES
@pytest.mark.parametrize(
    ("others", "quarters", "wrong"),
    [
        ({0: 1, 1: 0}, {0: 1}, "0, 1"),
        ({0: 1, 1: 0}, {0: 2, 1: 2}, "0, 1"),
        ({0: 1, 1: 0}, {3: 1}, "0, 1, 3"),
        ({0: 1, 1: 2, 2: 0}, {}, "0, 1, 2"),
    ],
)
def test_markers_in_each_others_place_and_turned_there_are_named(
    others: dict[int, int], quarters: dict[int, int], wrong: str, lens: Lens | None
) -> None:
    """It had been said that the clicked corners are in the wrong order, where none was clicked."""
    found = {n: np.roll(seen()[others.get(n, n)], quarters.get(n, 0), axis=0) for n in seen()}
    assert refused(found, lens) == MIXED.format(ids=wrong)


def test_where_two_pairs_may_be_the_wrong_one_none_is_named() -> None:
    """Of a square board, two opposite markers exchanged and turned by half a turn lie as the other two so."""
    found = {**seen(), 0: np.roll(seen()[2], 2, axis=0), 2: np.roll(seen()[0], 2, axis=0)}
    assert slip_of(found, BOARD) is None


@LENSES
@pytest.mark.parametrize(("across", "down"), [(True, False), (False, True)])
@pytest.mark.parametrize("hidden", [None, 0, 3])
def test_a_board_file_whose_places_are_measured_from_the_wrong_edge_is_told(
    across: bool, down: bool, hidden: int | None, lens: Lens | None
) -> None:
    """With three markers, too, of which two that lie beside each other fit elsewhere on the board."""
    w, h = BOARD.size
    places = [(w - m.centre[0] if across else m.centre[0], h - m.centre[1] if down else m.centre[1])
              for m in BOARD.markers]  # fmt: skip
    mirrored = replace(BOARD, markers=tuple(replace(m, centre=c) for m, c in zip(BOARD.markers, places, strict=True)))
    with pytest.raises(CalibrationError) as error:
        pose_from_markers({n: c for n, c in seen().items() if n != hidden}, mirrored, scene.SIZE, lens)
    assert str(error.value) == MIRRORED


@LENSES
@pytest.mark.parametrize("hidden", [None, 3])
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_one_marker_that_is_turned_is_left_out_and_the_others_tell_the_pose(
    quarters: int, hidden: int | None, lens: Lens | None
) -> None:
    markers = {n: c for n, c in glued((0, quarters, 0, 0)).items() if n != hidden}
    found = pose_from_markers(markers, BOARD, scene.SIZE, lens)
    assert found.left_out == (1,)
    apart_px = found.pose.image_from_board(scene.grid_mm(BOARD)) - CAMERA.image_from_board(scene.grid_mm(BOARD))
    assert np.abs(apart_px).max() < MOST_APART_PX


def test_a_board_whose_measures_are_not_quite_right_is_seen_all_the_same() -> None:
    """Where a board is drawn it is shown, and what does not fit is told there."""
    (w, h), more = BOARD.size, 60.0
    longer = replace(BOARD, size=(w, h + more), markers=tuple(
        replace(m, centre=(m.centre[0], m.centre[1] + more * (m.centre[1] > h / 2))) for m in BOARD.markers
    ))  # fmt: skip
    assert len(pose_from_markers(seen(), longer, scene.SIZE, CAMERA.lens).left_out) == 1


def test_what_no_slip_explains_is_refused_as_before() -> None:
    apart = {n: corners + 60.0 * n**2 for n, corners in seen().items()}
    assert slip_of(apart, BOARD) is None
    assert "do not fit the board" in refused(apart, CAMERA.lens)


def test_markers_that_lie_as_they_should_have_no_slip() -> None:
    assert slip_of(seen(), BOARD) is None
