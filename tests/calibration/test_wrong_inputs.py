"""What people hand in by mistake is answered in one sentence that says what was seen and what to do."""

from __future__ import annotations

import json
import re
import tracemalloc
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.board import BoardFileError, default_board_path, load_board, parse_board
from calibration.board_problems import board_problems
from calibration.commands import calibrate_check, calibrate_lens, calibrate_pose, parse_corners
from calibration.film_look import look_at_film
from calibration.lens import CalibrationError, load_lens
from calibration.patterns import parse_pattern
from calibration.store import load_calibration, save_lens
from companion.calibration_desk import CalibrationDesk
from tests.calibration import scene

TEXT = default_board_path().read_text(encoding="utf-8")
CAMERA = scene.pose()


def written(path: Path, image: scene.Image) -> Path:
    assert cv2.imwrite(str(path), image)
    return path


@pytest.mark.parametrize("size", [(1, 1), (9, 16), (1, 900), (900, 2)])
def test_a_picture_of_a_few_pixels_shows_no_pattern(tmp_path: Path, size: tuple[int, int]) -> None:
    view = written(tmp_path / "thumb.png", np.zeros((*size, 3), np.uint8))
    with pytest.raises(CalibrationError, match=r"thumb\.png: partial"):
        calibrate_lens(view, "chessboard:9x6:25", tmp_path / "lens.json")


def test_sixteen_bits_and_transparency_are_pictures_as_any_other(tmp_path: Path) -> None:
    shown = scene.picture(CAMERA)
    save_lens(tmp_path / "lens.json", CAMERA.lens)
    deep = written(tmp_path / "deep.png", shown.astype(np.uint16) * 257)  # type: ignore[arg-type]
    clear = written(tmp_path / "clear.png", np.asarray(cv2.cvtColor(shown, cv2.COLOR_GRAY2BGRA), dtype=np.uint8))
    for view in (deep, clear):
        calibrate_pose(view, default_board_path(), tmp_path / "cal.json", tmp_path / "lens.json")
        assert scene.error_mm(load_calibration(tmp_path / "cal.json"), CAMERA, scene.paleo()) < 0.4


def packed(ending: str, *how: int) -> bytes:
    return cv2.imencode(ending, scene.coloured(scene.picture(CAMERA)), how)[1].tobytes()


@pytest.mark.parametrize("kind", [".jpg", "progressive", ".png"])
@pytest.mark.parametrize("end", ["nothing", "zeros", "an end"])
def test_a_picture_that_is_cut_off_is_told_as_that_and_nothing_else_is_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], kind: str, end: str
) -> None:
    """Programs that repair a JPEG give it an end, and what is missing is grey."""
    whole = packed(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1) if kind == "progressive" else packed(kind)
    length = int(0.7 * len(whole))
    rest = {"nothing": b"", "zeros": bytes(len(whole) - length), "an end": b"\xff\xd9"}[end]
    view = tmp_path / ("view.png" if kind == ".png" else "view.jpg")
    view.write_bytes(whole[:length] + rest)
    grey = end == "an end" and kind != ".png"
    said = "cut off, a part of it is missing; copy the file anew" if grey else "cut off|not a picture, or damaged"
    with pytest.raises(CalibrationError, match=said):
        calibrate_pose(view, default_board_path(), tmp_path / "cal.json")
    with pytest.raises(CalibrationError, match=said):
        calibrate_lens(view, "chessboard:9x6:25", tmp_path / "lens.json")
    assert capfd.readouterr() == ("", "")


def test_bytes_after_a_whole_jpeg_as_phones_write_them_do_no_harm(tmp_path: Path) -> None:
    view = tmp_path / "view.jpg"
    view.write_bytes(packed(".jpg") + b"SEFT" + bytes(40))
    calibrate_pose(view, default_board_path(), tmp_path / "cal.json")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"variants": 5}, "variants: found 5, expected a list"),
        ({"camera_matrix": [[600, 0, 4], [0, 600, 3], [0, 0, 0]]}, "with fx and fy alike"),
        ({"camera_matrix": [[600, 0, 4], [0, 60, 3], [0, 0, 1]]}, "with fx and fy alike"),
        ({"image_size": [True, True]}, "expected .width, height"),
        ({"image_size": [10**400, 10**400]}, r"image_size: found \[10{58}, expected"),
        (
            {"camera_matrix": [[1e-300, 0, 4], [0, 1e-300, 3], [0, 0, 1]]},
            "focal length of 1e-300 px, expected one of at",
        ),
        ({"camera_matrix": [[600, 0, 1e300], [0, 600, 3], [0, 0, 1]]}, "camera_matrix: found .*of at most 1000000"),
        ({"camera_matrix": [["600", 0, 4], [0, "600", 3], [0, 0, 1]]}, "camera_matrix: found .*expected 3 x 3 numbers"),
        ({"distortion": [True, 0, 0, 0, 0]}, "distortion: found .*expected 5 numbers"),
        ({"distortion": [1e300, 0, 0, 0, 0]}, "distortion: found .*of at most 1000000"),
        ({"rms_px": 10**400}, "rms_px: found '10+', expected a number"),
        ({"rms_px": float("nan")}, "rms_px: found 'nan', expected a number"),
    ],
)
def test_a_lens_file_that_is_none_says_which_field(tmp_path: Path, wrong: dict[str, object], said: str) -> None:
    (tmp_path / "lens.json").write_text(json.dumps({**CAMERA.lens.to_json(), **wrong}))
    with pytest.raises(CalibrationError, match=said):
        load_lens(tmp_path / "lens.json")


def test_a_lens_file_of_brackets_alone_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "lens.json").write_text("[" * 100_000)
    with pytest.raises(CalibrationError, match="not valid JSON"):
        load_lens(tmp_path / "lens.json")


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("charuco:400x400:45:30:DICT_4X4_50", "at most 60 squares"),
        ("charuco:20x20:45:30:DICT_4X4_50", "20x20 squares need 200 markers, DICT_4X4_50 has 50"),
        ("chessboard:900x600:25", "at most 60 inner corners"),
        (f"chessboard:{'9' * 5000}x6:25", "expected COLSxROWS inner corners"),
    ],
)
def test_a_pattern_that_no_sheet_holds_is_refused_at_once(pattern: str, said: str) -> None:
    with pytest.raises(CalibrationError, match=said):
        parse_pattern(pattern)


@pytest.mark.filterwarnings("error")
def test_a_corner_further_off_than_can_be_counted_is_none() -> None:
    with pytest.raises(CalibrationError, match=r"point 2 is '9{59}, expected four corners") as refused:
        parse_corners(f"0,0 {'9' * 400},0 9,9 0,9")
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize(("old", "new"), [("size = [650.0, ", "size = [6.5e300, "), ("z = 12.0", "z = 1e9")])
def test_a_board_of_more_than_a_hundred_metres_is_a_slip(old: str, new: str) -> None:
    with pytest.raises(BoardFileError, match="expected"):
        parse_board(TEXT.replace(old, new))


@pytest.mark.parametrize("reach", [9_000, 99_999])
def test_an_outline_that_reaches_to_the_horizon_is_a_slip_and_fills_no_memory(reach: int) -> None:
    """It was drawn millimetre by millimetre: 40 gigabytes."""
    begin = TEXT.index('name = "red-north-west sanctuary"')
    wide = f"polygon = [[{-reach}, {-reach}], [{reach}, {-reach}], [{reach}, {reach}], [{-reach}, {reach}]]"
    board = parse_board(TEXT[:begin] + re.sub(r"polygon = .*", wide, TEXT[begin:], count=1))
    tracemalloc.start()
    keys = {problem.key for problem in board_problems(board)}
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "outside" in keys
    assert "sanctuary.small" not in keys
    assert most < 50e6


def test_a_sanctuary_of_metres_that_is_too_narrow_is_told() -> None:
    begin = TEXT.index('name = "red-north-west sanctuary"')
    narrow = "polygon = [[0, 0], [5000, 0], [5000, 12], [0, 12]]"
    board = parse_board(TEXT[:begin] + re.sub(r"polygon = .*", narrow, TEXT[begin:], count=1))
    assert "sanctuary.small" in {problem.key for problem in board_problems(board)}


@pytest.mark.parametrize("place", ["size = [", "start_circles = [[", "circle = [", "line = [[", "centre = ["])
def test_a_number_that_no_computer_counts_with_is_a_slip(place: str) -> None:
    field = place.partition(" ")[0]
    with pytest.raises(BoardFileError, match=rf"{field}.*: found \[+1{{20,60}}…, expected"):
        parse_board(re.sub(re.escape(place) + r"-?[\d.]+", place + "1" * 400, TEXT, count=1))


def test_exchanged_measures_are_told() -> None:
    swapped = TEXT.replace("diameter = 28.0\nheight = 9.0", "diameter = 9.0\nheight = 28.0")
    swapped = swapped.replace("width = 44.0\nheight = 12.0", "width = 12.0\nheight = 44.0")
    swapped = swapped.replace("length = 42.0\nwidth = 12.0", "length = 12.0\nwidth = 42.0")
    found = {problem.key: problem.text("fr") for problem in board_problems(parse_board(swapped))}
    assert {"puck.tall", "rim.tall", "reef.wide"} <= set(found)
    assert "9 mm ferait 28 mm" in found["puck.tall"]
    assert not {p.key for p in board_problems(scene.paleo())} & {"puck.tall", "rim.tall", "reef.wide"}


def test_a_film_of_one_picture_checks_nothing(tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    writer = cv2.VideoWriter(str(clip), cv2.VideoWriter.fourcc(*"mp4v"), 30.0, scene.SIZE)
    writer.write(cv2.cvtColor(scene.picture(CAMERA), cv2.COLOR_GRAY2BGR))
    writer.release()
    with pytest.raises(CalibrationError, match="found 1 frames; expected a film of some seconds"):
        calibrate_check(clip, default_board_path())


def test_a_film_whose_name_is_no_text_is_refused_and_ends_no_program(tmp_path: Path) -> None:
    (tmp_path / "\udcff.mp4").write_bytes(b"film")
    with pytest.raises(CalibrationError, match="this path has signs that are no text"):
        calibrate_check(tmp_path / "\udcff.mp4", default_board_path())


def test_a_camera_that_gives_nothing_is_said(tmp_path: Path) -> None:
    desk = CalibrationDesk(tmp_path, lambda: b"", load_board(default_board_path()))
    with pytest.raises(CalibrationError, match="cannot be read"):
        desk.pose(None)


def test_a_board_beside_the_picture_is_refused_by_the_check() -> None:
    aside = scene.pose(aside_mm=(3000.0, 0.0), tilt=(0.0, 0.0, 0.0))
    blank = np.full((540, 960, 3), 90, np.uint8)
    with pytest.raises(CalibrationError, match="hardly in the picture"):
        look_at_film([blank] * 3, scene.paleo(), aside, 30.0)


def test_a_board_in_another_coding_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_bytes(TEXT.replace('"Paleo"', '"Paléo"').encode("latin-1", "replace"))
    with pytest.raises(BoardFileError, match="is not UTF-8 text: save it as that"):
        load_board(tmp_path / "board.toml")


def test_a_name_of_any_length_and_signs_is_told_in_a_short_line() -> None:
    with pytest.raises(BoardFileError) as refused:
        parse_board(TEXT.replace('name = "red"', f'name = "\\u001b[31m{"x" * 100_000}\\n"', 1))
    assert len(str(refused.value)) < 300
    assert str(refused.value).isprintable()
