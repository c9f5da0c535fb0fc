"""The command line: every mistake is one line and exit code 1, and nothing half-written is left."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from calibration.board import default_board_path
from tests.films import cut_off, film, numbered_picture

BOARD = str(default_board_path())
PATIENCE_S = 60


def paleo(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the command as a person would."""
    command = [sys.executable, "-m", "companion.cli", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE_S, check=False, env={**os.environ, **variables}
    )


def refused(*arguments: str | Path) -> str:
    """The one line that a refused command writes."""
    done = paleo(*arguments)
    assert done.returncode == 1, done
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("paleo: ")
    return done.stderr


def wrong_board(folder: Path) -> Path:
    path = folder / "board.toml"
    path.write_text(default_board_path().read_text().replace("\ndiameter", "\ndiametre", 1))
    return path


@pytest.mark.parametrize(
    "command",
    [(), ("run",), ("track",), ("film",), ("doctor",), ("calibrate",), ("calibrate", "lens"), ("calibrate", "pose")],
    ids=" ".join,
)
def test_every_command_explains_itself(command: tuple[str, ...]) -> None:
    done = paleo(*command, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_help_answers_without_loading_what_the_work_needs() -> None:
    code = "import sys, companion.cli; print({'cv2', 'numpy', 'flask', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_version_is_told() -> None:
    assert paleo("version").stdout.startswith("paleo-companion 0.")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.write_bytes(b""), "this file is empty"),
        (lambda path: path.write_text("no film\n" * 500), "no film can be read"),
        (lambda path: cv2.imwrite(str(path.with_suffix(".png")), numbered_picture(1)), "there is no such file"),
        (lambda path: cut_off(film(path), 0.5), "no film can be read"),
    ],
    ids=["missing", "empty", "text", "only a picture beside", "index lost"],
)
def test_track_refuses_what_is_no_film(tmp_path: Path, make: Callable[[Path], object], words: str) -> None:
    clip = tmp_path / "clip.mp4"
    make(clip)
    assert words in refused("track", clip, "--board", BOARD, "--events", tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_track_refuses_a_board_whose_markers_are_not_seen_and_leaves_an_older_file_alone(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("older\n")
    line = refused("track", film(tmp_path / "clip.mp4"), "--board", BOARD, "--events", out)
    assert line.startswith(f"paleo: {tmp_path / 'clip.mp4'}: no markers are seen")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["clip.mp4", "out.jsonl"]
    assert out.read_text() == "older\n"


def test_track_names_the_wrong_field_of_a_board_file(tmp_path: Path) -> None:
    line = refused(
        "track", film(tmp_path / "c.mp4"), "--board", wrong_board(tmp_path), "--events", tmp_path / "o.jsonl"
    )
    assert "board.toml" in line
    assert "diametre" in line or "diameter" in line


def test_track_names_the_film_that_a_lens_does_not_fit(tmp_path: Path) -> None:
    clip, lens = film(tmp_path / "c.mp4", size=(160, 120)), tmp_path / "lens.json"
    lens.write_text(json.dumps({
        "image_size": [1280, 720], "camera_matrix": [[960, 0, 640], [0, 960, 360], [0, 0, 1]], "distortion": [0.0] * 5,
    }))  # fmt: skip
    line = refused("track", clip, "--board", BOARD, "--lens", lens, "--events", tmp_path / "o.jsonl")
    assert line.startswith(f"paleo: {clip}: the lens was measured on pictures of 1280x720, these are 160x120")


def test_track_refuses_a_folder_that_is_not_there(tmp_path: Path) -> None:
    line = refused("track", film(tmp_path / "c.mp4"), "--board", BOARD, "--events", tmp_path / "no" / "out.jsonl",
                   "--explain", tmp_path / "drawn")  # fmt: skip
    assert "cannot be written" in line
    assert [p.name for p in tmp_path.iterdir()] == ["c.mp4"]


def test_track_refuses_a_folder_as_its_output(tmp_path: Path) -> None:
    line = refused("track", film(tmp_path / "c.mp4"), "--board", BOARD, "--events", tmp_path)
    assert "this is a folder" in line


@pytest.mark.parametrize(
    ("command", "over"),
    [
        ("track clip.mp4 --board board.toml --events clip.mp4", "clip.mp4"),
        ("track clip.mp4 --board board.toml --events ./link.toml", "board.toml"),
        ("track clip.mp4 --board board.toml --lens lens.json --events lens.json", "lens.json"),
        ("track clip.mp4 --board board.toml --calibration cal.json --events cal.json", "cal.json"),
        ("track data/seen.mp4 --board board.toml --events new.jsonl --explain data", "data/seen.mp4"),
        ("calibrate lens clip.mp4 --pattern chessboard:9x6:25 --out clip.mp4", "clip.mp4"),
        ("calibrate lens clip.mp4 --pattern chessboard:9x6:25 --out new.json --picture clip.mp4", "clip.mp4"),
        ("calibrate lens data --pattern chessboard:9x6:25 --out data/one.png", "data/one.png"),
        ("calibrate lens ./data --pattern chessboard:9x6:25 --out new.json --picture data/one.png", "data/one.png"),
        ("calibrate lens data/o*.png --pattern chessboard:9x6:25 --out data/one.png", "data/one.png"),
        ("film board.toml --board board.toml", "board.toml"),
        ("calibrate pose clip.mp4 --board board.toml --out clip.mp4", "clip.mp4"),
        ("calibrate pose clip.mp4 --board board.toml --out board.toml", "board.toml"),
        ("calibrate pose clip.mp4 --board board.toml --lens lens.json --out lens.json", "lens.json"),
        ("sheets board.toml --board board.toml", "board.toml"),
        ("export data/journal.sqlite3 --data data", "data/journal.sqlite3"),
        ("backup data/journal.sqlite3 --data data", "data/journal.sqlite3"),
        ("backup data/access.json --data data", "data/access.json"),
    ],
)
def test_what_is_read_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, over: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    Path("clip.mp4").write_text("kept")
    for name in ("board.toml", "lens.json", "cal.json", "data/journal.sqlite3", "data/access.json", "data/seen.mp4",
                 "data/one.png"):  # fmt: skip
        Path(name).write_text("kept")
    Path("link.toml").symlink_to("board.toml")
    assert "this file is read here, and would be written over" in refused(*command.split())
    assert Path(over).read_text() == "kept"


def test_run_refuses_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refused("run", "--port", str(port), "--data", tmp_path / "data")
    assert f"127.0.0.1:{port}: the port is in use" in line


def test_run_refuses_a_data_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert "data folder cannot be written" in refused("run", "--data", tmp_path / "file" / "data")
    assert "this is a file, but the data folder is needed" in refused("run", "--data", tmp_path / "file")


def test_run_refuses_a_broken_journal_and_leaves_it_as_it_is(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    journal.write_bytes(b"no database at all" * 100)
    assert "move the file away" in refused("run", "--data", tmp_path)
    assert journal.read_bytes() == b"no database at all" * 100


@pytest.mark.parametrize(
    ("camera", "words"),
    [
        ("97", "camera 97: no such camera"),
        ("http://127.0.0.1:9/stream", "no stream answers there"),
        ("rtsp://127.0.0.1:9/stream", "no stream answers there"),
    ],
)
def test_run_refuses_a_camera_that_is_not_there_and_makes_no_folder(tmp_path: Path, camera: str, words: str) -> None:
    assert words in refused("run", "--port", "0", "--camera", camera, "--data", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_run_refuses_a_missing_film_a_picture_and_a_wrong_board(tmp_path: Path) -> None:
    data = ("--data", tmp_path / "data")
    cv2.imwrite(str(tmp_path / "board.png"), numbered_picture(1))
    assert "there is no such file" in refused("run", "--camera", tmp_path / "none.mp4", *data)
    assert "this is a picture" in refused("run", "--camera", tmp_path / "board.png", *data)
    assert "board.toml" in refused("run", "--board", wrong_board(tmp_path), *data)
    (tmp_path / "text.mp4").write_text("no film at all")
    assert "no film can be read" in refused("run", "--camera", tmp_path / "text.mp4", *data)
    assert not (tmp_path / "data").exists(), "nothing is made before everything was looked at"


def test_run_refuses_a_lens_file_that_is_no_lens(tmp_path: Path) -> None:
    lens = tmp_path / "lens.json"
    lens.write_text("{}")
    assert "lens.json" in refused("run", "--lens", lens, "--data", tmp_path / "data")


@pytest.mark.parametrize("size", ["huge", "1280", "100x100", "9" * 5000 + "x720"], ids=lambda size: size[:9])
def test_run_refuses_a_size_that_is_none(tmp_path: Path, size: str) -> None:
    assert "expected WIDTHxHEIGHT" in refused("run", "--size", size, "--data", tmp_path / "data")


@pytest.mark.parametrize("words", ["record OUT --gigabytes inf", "calibrate camera 9999999999"])
def test_a_number_beyond_any_measure_is_told_with_its_option(words: str) -> None:
    done = paleo(*words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert "Invalid value" in done.stderr
    assert "Traceback" not in done.stderr


def test_doctor_looks_at_everything_and_says_whether_the_main_job_works(tmp_path: Path) -> None:
    done = paleo("doctor", "--data", tmp_path / "data")
    assert done.returncode == 0, done.stdout
    for what in ("Python", "OpenCV", "Data folder", "Port", "Cameras", "Serial ports", "Chromium"):
        assert what in done.stdout
    assert "Ready" in done.stdout


def test_doctor_fails_where_the_main_job_cannot_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    done = paleo("doctor", "--data", tmp_path / "file" / "data")
    assert done.returncode == 1
    assert "Not ready" in done.stdout


def test_a_film_of_the_virtual_table_is_made_and_tracked(tmp_path: Path) -> None:
    out = tmp_path / "clip.mp4"
    assert paleo("film", out, "--seed", "3", "--shots", "1", "--seconds", "4").returncode == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["board.toml", "clip.mp4", "lens.json", "truth.json"]
    events = tmp_path / "events" / "out.jsonl"
    events.parent.mkdir()
    drawn = tmp_path / "drawn"
    done = paleo("track", out, "--board", tmp_path / "board.toml", "--lens", tmp_path / "lens.json", "--events", events,
                 "--explain", drawn)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    told = [json.loads(line)["shot"] for line in events.read_text().splitlines() if "shot_ended" in line]
    assert sorted(p.name for p in drawn.iterdir()) == ["seen.mp4", *(f"shot-{n}.png" for n in told)]
    assert [p.name for p in events.parent.iterdir()] == ["out.jsonl"]
    for line in events.read_text().splitlines():
        assert json.loads(line)["type"]
    french = paleo("track", out, "--board", tmp_path / "board.toml", "--lens", tmp_path / "lens.json", "--events",
                   events, "--explain", tmp_path / "dessins", LC_ALL="fr_FR.UTF-8")  # fmt: skip
    assert french.returncode == 0, french.stderr
    assert (tmp_path / "dessins/shot-1.png").read_bytes() != (drawn / "shot-1.png").read_bytes()


def test_an_unknown_tier_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    assert "expected one of" in refused("film", tmp_path / "clip.mp4", "--tier", "sunny")


def test_track_says_so_where_a_board_shows_no_puck_at_all(tmp_path: Path) -> None:
    """As with another board's file, whose pucks are far larger: the same markers lie on it."""
    out, board = tmp_path / "clip.mp4", tmp_path / "board.toml"
    assert paleo("film", out, "--shots", "0", "--seconds", "1").returncode == 0
    track = ("track", out, "--board", board, "--lens", tmp_path / "lens.json", "--events", tmp_path / "out.jsonl")
    assert paleo(*track).stderr == ""
    told = board.read_text()
    assert told.count("diameter = 28.0") == 1
    board.write_text(told.replace("diameter = 28.0", "diameter = 80.0"))
    done = paleo(*track)
    assert done.returncode == 0
    assert done.stderr.startswith(f"paleo: warning: {out}: the board was found, but no puck was ever seen on it")
    assert str(board) in done.stderr
    assert done.stderr.count("\n") == 1


def test_track_says_so_where_the_markers_are_of_another_size_than_the_board_file_says(tmp_path: Path) -> None:
    out, board = tmp_path / "clip.mp4", tmp_path / "board.toml"
    assert paleo("film", out, "--shots", "0", "--seconds", "1").returncode == 0
    told = board.read_text()
    assert told.count("size = 34.0") == 4
    board.write_text(told.replace("size = 34.0", "size = 30.6"))
    done = paleo("track", out, "--board", board, "--lens", tmp_path / "lens.json", "--events", tmp_path / "out.jsonl")
    assert done.returncode == 0
    assert done.stderr.startswith(f"paleo: warning: {out}: the markers' sides do not fit their places: ")
    assert done.stderr.count("\n") == 1


def test_track_without_a_lens_says_where_that_bends_and_what_a_calibration_makes_of_it(tmp_path: Path) -> None:
    out, board, calibration = tmp_path / "clip.mp4", tmp_path / "board.toml", tmp_path / "cal.json"
    assert paleo("film", out, "--shots", "0", "--seconds", "1").returncode == 0
    track = ("track", out, "--board", board, "--events", tmp_path / "out.jsonl")
    done = paleo(*track)
    assert done.returncode == 0
    assert done.stderr.startswith(f"paleo: warning: {out}: nobody measured the lens, and it bends what it shows")
    assert done.stderr.count("\n") == 1
    made = paleo("calibrate", "pose", out, "--board", board, "--out", calibration)
    assert made.returncode == 0
    assert "how much the lens bends" in made.stdout + made.stderr
    done = paleo(*track, "--calibration", calibration)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=str)
def test_an_interrupted_track_leaves_nothing(tmp_path: Path, how: signal.Signals) -> None:
    out = tmp_path / "events" / "out.jsonl"
    out.parent.mkdir()
    clip = film(tmp_path / "clip.mp4", frames=4000)
    command = [sys.executable, "-m", "companion.cli", "track", str(clip), "--board", BOARD, "--events", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while not list(out.parent.iterdir()):
            assert process.poll() is None
        process.send_signal(how)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode not in (0, None)
    assert "Traceback" not in errors
    assert list(out.parent.iterdir()) == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=str)
def test_an_interrupted_film_leaves_what_was_there(tmp_path: Path, how: signal.Signals) -> None:
    out = tmp_path / "clip.mp4"
    out.write_text("an older film")
    command = [sys.executable, "-m", "companion.cli", "film", str(out), "--shots", "20"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while not any(p.stat().st_size for p in tmp_path.rglob("*.mp4") if p != out):
            assert process.poll() is None
        process.send_signal(how)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode > 128, errors) == (True, "")
    assert [p.name for p in tmp_path.iterdir()] == ["clip.mp4"]
    assert out.read_text() == "an older film"


@pytest.mark.parametrize(
    "words",
    ["run --data", "doctor --data", "export OUT --data", "import OUT --data", "backup OUT --data", "restore OUT --data",
     "record OUT --data", "calibrate camera 0 --data", "code owner --data=", "code owner --data= "],
)  # fmt: skip
def test_a_data_folder_without_a_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """It meant the folder that one happens to be in, which then held a journal."""
    monkeypatch.chdir(tmp_path)
    command = [*words.split(" "), ""] if words.endswith("--data") else words.split(" ", 2)
    expected = 'paleo: --data "": found an empty name, expected a folder; name one, or leave out --data\n'
    assert refused(*command) == expected
    assert list(tmp_path.iterdir()) == []
