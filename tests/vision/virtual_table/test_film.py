"""Films: a clip with board, lens and truth beside it, whole or not at all."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import cv2
import pytest

from calibration.board import BoardFileError, default_board_path, load_board
from calibration.lens import load_lens
from vision.virtual_table.film import FilmError, make_film, side_files

SHOT_FIELDS = {"shot", "want", "puck", "t_start", "t_end", "speed", "start", "end", "on_gate", "contacts", "crossings",
               "exits", "gate_passed", "doubtful", "t_rest"}  # fmt: skip
FIELDS = {"format", "tier", "fps", "size", "board", "shots", "hand", "reefs", "frames", "pucks", "positions",
          "camera_bump", "cameras"}  # fmt: skip


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("films") / "one" / "clip.mp4"
    make_film(out, seed=6, shots=2, tier="vga")
    return out


def test_board_lens_and_truth_lie_beside_the_clip(film: Path) -> None:
    assert sorted(p.name for p in film.parent.iterdir()) == ["board.toml", "clip.mp4", "lens.json", "truth.json"]
    assert load_board(film.parent / "board.toml").name == "Paleo"
    assert load_lens(film.parent / "lens.json").image_size == (640, 480)


def test_the_clip_holds_the_frames_that_the_truth_counts(film: Path) -> None:
    truth = json.loads((film.parent / "truth.json").read_text())
    capture = cv2.VideoCapture(str(film))
    count = 0
    while capture.grab():
        count += 1
    assert count == truth["frames"] == len(truth["positions"]["mm10"])
    assert capture.get(cv2.CAP_PROP_FPS) == pytest.approx(truth["fps"])


def test_the_truth_has_the_recordings_form(film: Path) -> None:
    truth = json.loads((film.parent / "truth.json").read_text())
    assert set(truth) == FIELDS
    assert len(truth["shots"]) == 2
    for shot in truth["shots"]:
        assert set(shot) >= SHOT_FIELDS
        assert shot["t_start"] < shot["t_rest"] < shot["t_end"]
        assert set(shot["end"]) | {e["puck"] for e in shot["exits"]} == set(shot["start"])
    assert len(truth["positions"]["keys"]) == 16
    assert truth["cameras"][0]["since"] == 0.0


def test_the_same_seed_gives_the_same_play(film: Path, tmp_path: Path) -> None:
    again = make_film(tmp_path / "again.mp4", seed=6, shots=2, tier="vga")
    assert json.loads(json.dumps(again)) == json.loads((film.parent / "truth.json").read_text())
    other = make_film(tmp_path / "other.mp4", seed=7, shots=1, tier="vga", seconds=1.0)
    assert other["positions"]["mm10"][0] != again["positions"]["mm10"][0]
    assert (tmp_path / "again.truth.json").exists()
    assert side_files(tmp_path / "other.mp4")["board.toml"] == tmp_path / "other.board.toml"


def test_hands_do_more_where_they_are_asked_to(film: Path, tmp_path: Path) -> None:
    plain = json.loads((film.parent / "truth.json").read_text())
    busy = make_film(tmp_path / "busy.mp4", seed=6, shots=1, tier="vga", deeds=5)
    assert busy["shots"][0]["puck"] == plain["shots"][0]["puck"]
    slides = [deed for deed in busy["hand"] if "slid" in deed]
    lifted, placed = (sum(what in deed for deed in busy["hand"]) for what in ("removed", "placed"))
    assert len(slides) + placed >= 4  # one that would have ended on another puck is left out
    assert slides
    assert 0 < placed <= lifted


def test_a_film_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    def stop(_done: float, _total: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_film(tmp_path / "clip.mp4", seed=1, shots=1, tier="vga", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(FilmError, match="file"):
        make_film(tmp_path / "file" / "clip.mp4", seed=1, shots=1, tier="vga")


def test_a_cameras_recording_is_not_replaced_by_a_film(tmp_path: Path) -> None:
    """Nor is the board of one whose own film lies elsewhere; beside it, under another name, there is room for one."""
    (tmp_path / "recording.json").write_text("{}")
    for name in ("clip.mp4", "board.toml"):
        (tmp_path / name).write_bytes(b"played and filmed")
        with pytest.raises(FilmError, match=rf"{name}: this is a part of a camera's recording.*another folder"):
            make_film(tmp_path / "clip.mp4", seed=6, shots=1, tier="vga")
        assert (tmp_path / name).read_bytes() == b"played and filmed"
        (tmp_path / name).unlink()
    make_film(tmp_path / "other.mp4", seed=6, shots=0, seconds=1.0, tier="vga")
    assert (tmp_path / "other.mp4").exists()


def test_an_unknown_tier_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected one of easy"):
        make_film(tmp_path / "clip.mp4", tier="splendid")


def test_a_board_file_that_is_none_is_told_by_its_own_name(tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match=r"none\.toml: the board file does not exist"):
        make_film(tmp_path / "clip.mp4", board_path=tmp_path / "none.toml")
    (tmp_path / "wrong.toml").write_text("format = 2")
    with pytest.raises(BoardFileError, match=r"/wrong\.toml: format: found 2"):
        make_film(tmp_path / "clip.mp4", board_path=tmp_path / "wrong.toml")
    assert [path.name for path in tmp_path.iterdir()] == ["wrong.toml"]


def test_a_folder_in_the_place_of_a_film_is_named_before_anything_is_filmed(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").mkdir()
    with pytest.raises(FilmError, match=r"clip\.mp4: this is a folder"):
        make_film(tmp_path / "clip.mp4", seed=1, shots=1, tier="vga")


@pytest.mark.parametrize("most_bytes", [10_000, 0], ids=["in the middle", "from the first byte"])
def test_a_full_disk_under_a_film_is_told_and_leaves_nothing(tmp_path: Path, most_bytes: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    board = default_board_path()
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, hard))
    try:
        with pytest.raises(FilmError, match=r"clip\.mp4: cannot be written \(File too large\)"):
            make_film(tmp_path / "clip.mp4", board_path=board, seed=1, shots=1, seconds=1, tier="vga")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []
