"""A board file with a wrong measure is told with what is wrong, which way and by how much; a right one never is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration import check_words
from calibration.board import Board
from calibration.check import Grade, check_set_up
from calibration.commands import find_pose_in
from calibration.lens import Lens
from calibration.marker_fit import FloatArray
from calibration.marker_pose import pose_from_markers
from calibration.markers import find_markers, marker_of
from calibration.misplaced import ELSEWHERE, HEIGHT, WIDTH, WINDS, misplaced
from calibration.pose import Pose
from calibration.pose_doubts import marker_doubts
from companion.troubles import in_french
from tests.calibration import scene

BOARD = scene.paleo()
SIZE = (1280, 720)
LEAN = scene.pose(scene.lens(SIZE, k1=-0.08), tilt=(0.2, -0.15, 0.1), height_mm=1250.0)
CAMERAS = {"leaning": LEAN, "straight": scene.pose(scene.lens(SIZE, k1=0.03), tilt=(0.03, 0.04, 0.0), height_mm=1000.0)}
EVERY = pytest.mark.parametrize("camera", CAMERAS)
LENSES = pytest.mark.parametrize("measured", [True, False], ids=["with a lens", "without"])
NOISES_PX = (0.05, 0.15, 0.3)  # error of a corner, one coordinate: a good picture, a fair one, and one in dim light
RIGHT_POSES = 120


@cache
def seen(camera: str) -> dict[int, FloatArray]:
    return find_markers(scene.picture(CAMERAS[camera], noise=3.0, blur_px=1.0), BOARD)


def said(board: Board, camera: str, measured: bool) -> list[str]:
    lens = CAMERAS[camera].lens if measured else None
    return marker_doubts(pose_from_markers(seen(camera), board, SIZE, lens), board, measured)


def with_marker_off(number: int, east_mm: float, south_mm: float) -> Board:
    """The file says that a marker lies elsewhere than it does."""
    moved = {m.id: (m.centre[0] + east_mm, m.centre[1] + south_mm) for m in BOARD.markers if m.id == number}
    return replace(BOARD, markers=tuple(replace(m, centre=moved.get(m.id, m.centre)) for m in BOARD.markers))


def with_size_off(wider_mm: float, higher_mm: float) -> Board:
    """The file says another size, and has all places on the east and south side so much further."""
    (w, h), more = BOARD.size, (wider_mm, higher_mm)
    places = (tuple(v + by * (v > side / 2) for v, by, side in zip(m.centre, more, (w, h), strict=True))
              for m in BOARD.markers)  # fmt: skip
    markers = tuple(replace(m, centre=(x, y)) for m, (x, y) in zip(BOARD.markers, places, strict=True))
    return replace(BOARD, size=(w + wider_mm, h + higher_mm), markers=markers)


@EVERY
@LENSES
@pytest.mark.parametrize(("number", "east_mm", "south_mm", "lies"), [
    (0, -30.0, 0.0, "east"), (1, 0.0, 30.0, "north"), (2, 21.2, 21.2, "north-west"), (3, 0.0, -30.0, "south"),
])  # fmt: skip
def test_a_marker_whose_centre_is_written_30_mm_off_is_told_with_where_it_lies(
    camera: str, measured: bool, number: int, east_mm: float, south_mm: float, lies: str
) -> None:
    expected = [ELSEWHERE.format(id=number, mm=mm, which=lies) for mm in range(27, 34)]
    doubts = said(with_marker_off(number, east_mm, south_mm), camera, measured)
    assert len(doubts) == 1
    assert doubts[0] in expected


@EVERY
@LENSES
@pytest.mark.parametrize("more_mm", [-20.0, 20.0])
def test_a_board_that_is_20_mm_wider_or_higher_than_its_file_says_is_told_and_no_marker_is_blamed(
    camera: str, measured: bool, more_mm: float
) -> None:
    file_mm = BOARD.size[0] + more_mm
    about = [BOARD.size[0] + off for off in range(-3, 4)]
    wide = said(with_size_off(more_mm, 0.0), camera, measured)
    high = said(with_size_off(0.0, more_mm), camera, measured)
    assert len(wide) == len(high) == 1
    assert wide[0] in [WIDTH.format(seen=mm, file=file_mm) for mm in about]
    assert high[0] in [HEIGHT.format(seen=mm, file=file_mm) for mm in about]


def test_right_boards_are_never_accused_whatever_the_lens_the_noise_and_the_lean() -> None:
    """With the lens, with one that was measured a little wrongly, and without; corners off as in good and dim light."""
    rng = np.random.default_rng(11)
    numbers = [m.id for m in BOARD.markers]
    points = np.concatenate([marker_of(BOARD, n).corners_mm() for n in numbers])
    accused = []
    for turn in range(RIGHT_POSES):
        lens = scene.lens(SIZE, focal=rng.uniform(0.55, 1.0), k1=rng.uniform(-0.25, 0.05))
        lens.camera_matrix[:2, 2] += rng.normal(0, 6.0, 2)
        camera = scene.pose(lens, tilt=tuple(rng.normal(0, 0.2, 3)), height_mm=1500.0 * lens.focal_px / SIZE[0] + 100)
        pixels = camera.image_from_board(points) + rng.normal(0, NOISES_PX[turn % 3], (len(points), 2))
        markers = dict(zip(numbers, pixels.reshape(-1, 4, 2), strict=True))
        about = Lens(SIZE, lens.camera_matrix * (1.004, 1.004, 1.0), lens.distortion + (0.006, 0, 0, 0, 0))
        for near, known in ((camera, True), (replace(camera, lens=about), True), (camera, False)):
            wrong = misplaced(markers, BOARD, Pose(near.lens, camera.rvec, camera.tvec), known)
            accused += [(turn, known, wrong)] if wrong is not None else []
    assert accused == []


@pytest.mark.parametrize(("board", "words"), [
    (with_marker_off(3, 0.0, -30.0), ("marker 3", "30 mm", "south", "sud")),
    (with_size_off(20.0, 0.0), ("650 mm", "670 mm", "wide", "large")),
])  # fmt: skip
def test_the_check_of_a_set_up_tells_it_too_and_does_not_suspect_the_lens(
    board: Board, words: tuple[str, str, str, str]
) -> None:
    picture = scene.picture(LEAN)
    check = check_set_up([picture], [picture] * 3, board, LEAN.lens, fps=30.0)
    pose, lens = (next(f for f in check.findings if f.key.startswith(key)) for key in ("pose", "lens"))
    assert (pose.grade, lens.key) == (Grade.RED, "lens")
    english, french = (check_words.advised(pose.advice, pose.figures, language) for language in ("en", "fr"))
    assert all(word in english.replace("31 mm", "30 mm").replace("29 mm", "30 mm") for word in words[:3])
    assert words[3] in french
    assert words[2] not in french


@LENSES
def test_the_calibration_of_a_pose_says_it_alone_of_the_board(measured: bool) -> None:
    board = with_size_off(20.0, 0.0)
    report = find_pose_in([scene.picture(LEAN)], board, LEAN.lens if measured else None, None)
    others = [w for w in report.warnings if not w.startswith("no lens file")]
    assert [w.partition(" about ")[0] for w in others] == ["by its markers the board is"]


@pytest.mark.parametrize("told", [
    *(ELSEWHERE.format(id=2, mm=30, which=way) for way in WINDS), WIDTH.format(seen=630, file=650),
    HEIGHT.format(seen=670, file=650),
])  # fmt: skip
def test_what_is_said_of_a_wrong_measure_has_its_french(told: str) -> None:
    french = in_french(told)
    assert french != told
    assert not {"the", "lies", "further", "north", "east", "south", "west", "wide", "high"} & set(french.split())
