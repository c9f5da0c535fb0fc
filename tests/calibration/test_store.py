"""Calibration files: what is written is read back, and nothing half-written is ever seen."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from calibration.lens import CalibrationError, load_lens
from calibration.pose_fit import surface_corners_mm, with_corner_errors
from calibration.store import load_calibration, save_calibration, save_lens
from tests.calibration import scene


def test_a_pose_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    board = load_board(default_board_path())
    pose = with_corner_errors(scene.pose(), board, surface_corners_mm(board), 0.5)
    save_calibration(tmp_path / "cal.json", pose)
    read = load_calibration(tmp_path / "cal.json")
    np.testing.assert_array_equal(read.rvec, pose.rvec)
    np.testing.assert_array_equal(read.tvec, pose.tvec)
    np.testing.assert_array_equal(read.lens.camera_matrix, pose.lens.camera_matrix)
    assert read.corner_error_mm == pose.corner_error_mm


def test_the_calibration_file_says_rms_and_errors_at_the_corners(tmp_path: Path) -> None:
    save_calibration(tmp_path / "cal.json", scene.pose())
    data = json.loads((tmp_path / "cal.json").read_text())
    assert data["rms_px"] == 0.0
    assert data["corner_error_mm"] is None


def test_a_lens_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    save_lens(tmp_path / "lens.json", scene.lens())
    read = load_lens(tmp_path / "lens.json")
    assert read.image_size == scene.SIZE
    np.testing.assert_array_equal(read.distortion, scene.lens().distortion)


def test_a_folder_that_does_not_exist_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot be written"):
        save_lens(tmp_path / "nowhere" / "lens.json", scene.lens())
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_while_a_file_is_written_leaves_the_older_one_and_nothing_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_lens(tmp_path / "lens.json", scene.lens())
    before = (tmp_path / "lens.json").read_bytes()

    def interrupted(_handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_lens(tmp_path / "lens.json", scene.lens(k1=-0.2))
    assert (tmp_path / "lens.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["lens.json"]


def test_a_folder_is_no_place_for_a_file() -> None:
    with pytest.raises(CalibrationError, match="cannot be written"):
        save_lens("/", scene.lens())


def test_a_pipe_is_written_to_and_keeps_its_place(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    save_lens(pipe, scene.pose().lens)
    reader.join()
    assert pipe.is_fifo()
    assert json.loads(heard[0]) == scene.pose().lens.to_json()


def test_a_place_taken_by_a_folder_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "lens.json").mkdir()
    with pytest.raises(CalibrationError, match="cannot be written"):
        save_lens(tmp_path / "lens.json", scene.lens())
    assert [p.name for p in tmp_path.iterdir()] == ["lens.json"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not valid JSON"),
        ("[]", "expected an object"),
        ('{"lens": 3}', "lens: found int"),
        ('{"lens": {"image_size": [640, 480]}}', "camera_matrix"),
    ],
)
def test_a_damaged_calibration_file_says_what_is_wrong(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "cal.json"
    path.write_text(content)
    with pytest.raises(CalibrationError, match=said) as caught:
        load_calibration(path)
    assert "cal.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_pose_without_its_rotation_is_refused(tmp_path: Path) -> None:
    data = scene.pose().to_json()
    data["rvec"] = [1, 2]
    (tmp_path / "cal.json").write_text(json.dumps(data))
    with pytest.raises(CalibrationError, match=r"rvec: found '.1, 2.', expected 3 numbers"):
        load_calibration(tmp_path / "cal.json")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("rvec", [10**400, 0, 0], "rvec: found .*expected 3 numbers"),
        ("tvec", [float("nan"), 0, 900], "tvec: found .*expected 3 numbers"),
        ("tvec", [1e300, 0, 900], "tvec: found .*expected 3 numbers of at most 1000000"),
        ("tvec", ["0", "0", "900"], "tvec: found .*expected 3 numbers"),
        ("rvec", [True, 0, 0], "rvec: found .*expected 3 numbers"),
        ("rvec", "9" * 5000, "rvec: found '9{60}', expected 3 numbers"),
        ("rms_px", "small", "rms_px: found 'small', expected a number"),
        ("corner_error_mm", 3, "corner_error_mm: found '3', expected 4 numbers"),
        ("corner_error_mm", ["a", "b", "c", "d"], "corner_error_mm: found .*expected 4 numbers"),
    ],
)
def test_a_figure_that_is_none_is_named(tmp_path: Path, field: str, value: object, said: str) -> None:
    path = tmp_path / "cal.json"
    path.write_text(json.dumps({**scene.pose().to_json(), field: value}))
    with pytest.raises(CalibrationError, match=said) as caught:
        load_calibration(path)
    assert str(caught.value).startswith(str(path))


def test_a_lens_file_with_an_endless_number_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lens.json"
    path.write_text(json.dumps({**scene.lens().to_json(), "distortion": [10**400, 0, 0, 0, 0]}))
    with pytest.raises(CalibrationError, match=r"distortion: found .*expected 5 numbers"):
        load_lens(path)


def test_a_lens_file_that_a_windows_editor_marked_as_utf_8_is_read(tmp_path: Path) -> None:
    path = tmp_path / "lens.json"
    path.write_text(json.dumps(scene.lens().to_json()), encoding="utf-8-sig")
    assert load_lens(path).image_size == scene.SIZE


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="does not exist; check the path"):
        load_calibration(tmp_path / "none.json")
