"""`paleo calibrate`: files in, a file and a short report out; every mistake one line."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from calibration.board import default_board_path
from tests.cli.test_cli import BOARD, paleo, refused
from tests.films import film, film_with_index_first, numbered_picture, zeroed


def test_the_pose_is_found_in_a_film_of_the_virtual_table(tmp_path: Path) -> None:
    made = paleo("film", tmp_path / "clip.mp4", "--shots", "0", "--seconds", "1", "--tier", "vga")
    assert made.returncode == 0, made.stderr
    out = tmp_path / "cal.json"
    done = paleo("calibrate", "pose", tmp_path / "clip.mp4", "--board", BOARD, "--out", out)
    assert done.returncode == 0, done.stderr
    assert "camera" in done.stdout
    assert json.loads(out.read_text())["rms_px"] < 2.0


def test_a_picture_without_the_board_is_refused(tmp_path: Path) -> None:
    picture = tmp_path / "grey.png"
    cv2.imwrite(str(picture), numbered_picture(1))
    out = tmp_path / "cal.json"
    assert "grey.png" in refused("calibrate", "pose", picture, "--board", default_board_path(), "--out", out)
    assert not out.exists()


def test_a_film_that_breaks_off_before_its_index_is_refused_in_one_line(tmp_path: Path) -> None:
    """FFmpeg wrote a line of its own before it."""
    clip = film(tmp_path / "clip.mp4")
    clip.write_bytes(clip.read_bytes()[:-200])
    out = tmp_path / "cal.json"
    line = refused("calibrate", "pose", clip, "--board", default_board_path(), "--out", out)
    assert "neither a picture nor a film" in line


def test_what_a_damaged_film_shows_is_told_and_not_what_ffmpeg_says_of_it(tmp_path: Path) -> None:
    clip = zeroed(film_with_index_first(tmp_path / "clip.mp4", frames=50), [0.3, 0.5], 400)
    views = ("--pattern", "chessboard:9x6:25", "--out", tmp_path / "lens.json")
    assert "no usable view" in refused("calibrate", "lens", clip, *views)


def test_a_pattern_that_is_none_is_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "view.png"), np.zeros((120, 160, 3), np.uint8))
    out = tmp_path / "lens.json"
    line = refused("calibrate", "lens", tmp_path / "view.png", "--pattern", "stripes:3", "--out", out)
    assert "stripes:3" in line
    assert not out.exists()


def test_pictures_without_the_pattern_are_refused(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), np.zeros((120, 160, 3), np.uint8))
    views = (tmp_path / "a.png", tmp_path / "b.png")
    refused("calibrate", "lens", *views, "--pattern", "chessboard:9x6:25", "--out", tmp_path / "lens.json")
    assert not (tmp_path / "lens.json").exists()
