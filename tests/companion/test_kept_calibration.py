"""What was measured for a camera is used at its next start, unless something else is told."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from calibration.board import default_board_path
from calibration.commands import LEAST_CHECK_FRAMES
from calibration.store import save_calibration, save_lens
from companion.calibration_desk import (
    LENS_FILE,
    POSE_FILE,
    SETTINGS_FILE,
    TOLD_FILE,
    CalibrationDesk,
    camera_folder,
)
from companion.config import CompanionConfig
from companion.doctor import look_at_settings
from companion.serving import with_kept_calibration
from tests.calibration import scene
from vision.camera_settings import CameraSettings, Setting, save_settings, save_told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    kept = camera_folder(tmp_path, "2")
    kept.mkdir(parents=True)
    save_lens(kept / LENS_FILE, scene.lens())
    save_calibration(kept / POSE_FILE, scene.pose())
    save_settings(kept / SETTINGS_FILE, CameraSettings(exposure_s=1 / 250))
    return kept


def bare_board(tmp_path: Path) -> Path:
    """The box's board without its markers."""
    text = default_board_path().read_text(encoding="utf-8")
    path = tmp_path / "bare.toml"
    path.write_text(text[: text.index("[[marker]]")], encoding="utf-8")
    return path


def test_a_cameras_lens_and_settings_are_used_again(tmp_path: Path, folder: Path) -> None:
    config = with_kept_calibration(CompanionConfig(tmp_path, default_board_path(), "2"))
    assert (config.lens_path, config.settings_path) == (folder / LENS_FILE, folder / SETTINGS_FILE)


def test_a_kept_pose_is_used_where_no_markers_tell_it_better(tmp_path: Path, folder: Path) -> None:
    assert with_kept_calibration(CompanionConfig(tmp_path, default_board_path(), "2")).calibration_path is None
    bare = with_kept_calibration(CompanionConfig(tmp_path, bare_board(tmp_path), "2"))
    assert bare.calibration_path == folder / POSE_FILE


def test_what_is_told_counts_more_than_what_was_kept(tmp_path: Path, folder: Path) -> None:
    told = CompanionConfig(tmp_path, default_board_path(), "2", lens_path=tmp_path / "other.json")
    assert with_kept_calibration(told).lens_path == tmp_path / "other.json"
    assert folder.exists()


@pytest.mark.parametrize("camera", ["virtual", "clip.mp4", "3"])
def test_other_cameras_take_nothing_from_it(tmp_path: Path, folder: Path, camera: str) -> None:
    config = CompanionConfig(tmp_path, default_board_path(), camera)
    assert with_kept_calibration(config) == config
    assert folder.exists()


STUBBORN = (Setting("exposure", 1 / 250, 1 / 30, False), Setting("gain", None, 20.0, True))


def test_the_doctor_tells_which_settings_of_which_camera_did_not_take(tmp_path: Path, folder: Path) -> None:
    assert look_at_settings(tmp_path) == []
    save_told(folder / TOLD_FILE, STUBBORN)
    (finding,) = look_at_settings(tmp_path)
    assert (finding.what, finding.works) == ("Settings of camera 2", None)
    assert "exposure: did not take: asked for 1/250 s, the camera has 1/30 s" in finding.seen
    assert "gain" not in finding.seen


def test_the_check_tells_which_settings_did_not_take(folder: Path) -> None:
    save_told(folder / TOLD_FILE, STUBBORN)
    pictures = iter(scene.picture(scene.pose(), seed=n) for n in range(LEAST_CHECK_FRAMES))
    desk = CalibrationDesk(folder, lambda: cv2.imencode(".jpg", next(pictures))[1].tobytes(), scene.paleo())
    desk.begin_check()
    for _ in range(LEAST_CHECK_FRAMES):
        desk.add_frame()
    finding = desk.check().findings[-1]
    assert (finding.key, finding.grade, finding.figures) == ("settings.missed", "amber", {"missed": "exposure"})
    for kind in ("residuals", "uncertainty"):  # of one check, to two people who look at it
        english, french = desk.picture(kind, "en"), desk.picture(kind, "fr")
        assert english != french
        assert french is not None


@pytest.mark.parametrize("scheme", ["http", "rtsp", "RTSP"])
def test_a_cameras_folder_does_not_name_its_password_nor_change_with_it(tmp_path: Path, scheme: str) -> None:
    """Pages and messages tell where a calibration lies."""
    one, other = (camera_folder(tmp_path, f"{scheme}://{who}10.0.0.7/video@2") for who in ("ann:key@1@", "bob:no@"))
    assert one == other == camera_folder(tmp_path, f"{scheme}://10.0.0.7/video@2")
    assert "key" not in one.name
    assert camera_folder(tmp_path, f"{scheme}://ann@10.0.0.8/video@2") != one


def test_what_was_kept_under_a_name_with_a_password_is_found_again(tmp_path: Path) -> None:
    before = tmp_path / "cameras" / "http-ann-key-10-0-0-7-video"
    before.mkdir(parents=True)
    assert camera_folder(tmp_path, "http://ann:key@10.0.0.7/video") == before
