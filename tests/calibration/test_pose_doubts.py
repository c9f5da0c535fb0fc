"""Markers whose sides do not fit their places were printed at another size, or lie on another board: that is told."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from calibration.board import Board, PuckShape, default_board_path, parse_board
from calibration.commands import find_pose_in
from calibration.lens import Lens
from calibration.marker_pose import find_pose
from calibration.pose_doubts import SMALL_PX, doubts_of, other_sizes, small_pucks
from tests.calibration import scene

CAMERA = scene.pose()
SIDE_MM = scene.paleo().markers[0].size_mm


def printed(part: float) -> Board:
    """The board with markers that came out of the printer at another size."""
    return replace(scene.paleo(), markers=tuple(replace(m, size_mm=m.size_mm * part) for m in scene.paleo().markers))


def of_another_size(part: float) -> Board:
    """A board like it, smaller or larger by a part, with the same printed markers on a rim of the same width."""
    board = scene.paleo()
    (w, h), edge = board.size, -board.markers[0].centre[0]
    size = (w * part, h * part)
    places = ((-edge, -edge), (size[0] + edge, -edge), (size[0] + edge, size[1] + edge), (-edge, size[1] + edge))
    markers = tuple(replace(m, centre=place) for m, place in zip(board.markers, places, strict=True))
    return replace(board, size=size, markers=markers, zones=(), obstacles=())


@pytest.mark.parametrize("lens", [CAMERA.lens, None], ids=["with a lens", "without"])
@pytest.mark.parametrize("part", [0.9, 1.1])
def test_markers_printed_at_another_size_are_told_with_both_sizes(part: float, lens: Lens | None) -> None:
    picture = scene.picture(CAMERA, printed(part))
    report = find_pose_in([picture], scene.paleo(), lens, None)
    said = [w for w in report.warnings if "sides do not fit" in w]
    assert len(said) == 1
    assert not any("zoomed" in w for w in report.warnings)
    sizes = other_sizes(find_pose(picture, scene.paleo(), lens), scene.paleo(), lens is not None)
    assert sizes is not None
    assert sizes.seen_mm == pytest.approx(SIDE_MM * part, abs=1.2)
    assert scene.error_mm(report.pose, CAMERA, scene.paleo()) < (0.5 if lens is not None else 5.0)  # as with right ones


@pytest.mark.parametrize("part", [0.88, 1.12])
def test_the_file_of_a_board_of_another_size_is_told(part: float) -> None:
    camera = scene.pose(board=of_another_size(part))
    found = find_pose(scene.picture(camera, of_another_size(part)), scene.paleo(), camera.lens)
    assert [d.split(":")[0] for d in doubts_of(found, scene.paleo(), True)] == [
        "the markers' sides do not fit their places"
    ]


@pytest.mark.parametrize("tilt", [(0.07, -0.06, 0.03), (0.38, 0.0, 0.0), (0.0, 0.3, 1.6)])
@pytest.mark.parametrize("lens", [CAMERA.lens, None], ids=["with a lens", "without"])
def test_right_markers_are_not_doubted(tilt: tuple[float, float, float], lens: Lens | None) -> None:
    found = find_pose(scene.picture(scene.pose(tilt=tilt, height_mm=1100.0)), scene.paleo(), lens)
    assert doubts_of(found, scene.paleo(), lens is not None) == ()


@pytest.mark.parametrize(("height_mm", "told"), [(1000.0, False), (1350.0, False), (1650.0, True)])
def test_pucks_that_are_hardly_seen_are_told_with_their_width(height_mm: float, told: bool) -> None:
    """A puck of 28 mm and a focal length of 653 pixels: 18, 14 and 11 pixels wide at these distances, a little less on
    the far side."""
    pose, board = scene.pose(height_mm=height_mm), scene.paleo()
    said = small_pucks(pose, board)
    assert bool(said) is told
    across = pose.lens.focal_px * board.puck.diameter_mm / (height_mm - board.puck.height_mm)
    assert (across < SMALL_PX) is told
    if told:
        assert any(f"only {px} pixels wide" in said[0] for px in (round(across), round(0.93 * across)))


def in_another_unit(part: float) -> Board:
    """The board with its measures, markers and all, in another unit."""
    text = default_board_path().read_text(encoding="utf-8")
    measures = r"^(size|width|height|diameter|length|circle|line|inside|polygon|centre|z|start_circles) = .*$"

    def of_unit(line: re.Match[str]) -> str:
        return re.sub(r"-?\d+\.?\d*", lambda number: f"{float(number[0]) * part:.4f}", line[0])

    return parse_board(re.sub(measures, of_unit, text, flags=re.MULTILINE))


@pytest.mark.parametrize(("part", "says"), [(0.1, "65 x 65 mm and a puck 2.8 mm"), (1 / 25.4, "25.5906 x 25.5906 mm")])
def test_a_board_file_in_centimetres_or_inches_is_told_where_shots_would_be_missed(part: float, says: str) -> None:
    """Markers fit each other in any unit, and nothing was said: of a film all shots were missed."""
    board = in_another_unit(part)
    found = find_pose(scene.picture(CAMERA), board, CAMERA.lens)
    said = doubts_of(found, board, lens_known=True)
    assert len(said) == 1
    assert says in said[0]
    assert "measures are millimetres" in said[0]


def test_pucks_alone_in_centimetres_are_told() -> None:
    board = replace(scene.paleo(), puck=PuckShape(2.8, 0.9))
    assert "a puck 2.8 mm wide" in small_pucks(CAMERA, board)[0]


def test_two_markers_tell_nothing_of_their_size() -> None:
    found = find_pose(scene.picture(CAMERA, printed(0.9), only=(1, 3)), scene.paleo(), CAMERA.lens)
    assert other_sizes(found, scene.paleo(), lens_known=True) is None
