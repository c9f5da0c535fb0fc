"""`paleo record` and `paleo label` as a person runs them: killed, taken up again, and scored in the end."""

from __future__ import annotations

import errno
import json
import math
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from calibration.board import default_board_path
from companion.config import CompanionConfig
from companion.record import Result
from companion.record import record as keep
from companion.recorded import begin, finish
from tests.cli.test_cli import PATIENCE_S, paleo, refused
from tests.films import film, jpegs
from tests.vision.film_score import decided, rest_errors
from tests.vision.test_recorder import even
from vision.film_file import RecordError
from vision.recorder import MOST_BYTES, Kept, Recorder
from vision.sources import open_film
from vision.virtual_table.film import make_film

Json = dict[str, Any]
NEAR_MM = 1.5  # what scorers call too close to call at a door; the places of a labelled truth are the tracker's
NEAR_S = 0.010  # its moments of touch
CAMERA_FPS = 30.0


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of two shots with a touch each on the virtual table, and its truth beside."""
    out = tmp_path_factory.mktemp("played") / "clip.mp4"
    make_film(out, seed=27, shots=2)
    return out.parent


@pytest.fixture(scope="module")
def recording(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That film, recorded; tests add their answers, each in its turn."""
    out = tmp_path_factory.mktemp("recorded") / "evening"
    done = paleo(*record(played, out))
    assert done.returncode == 0, done
    assert done.stdout.startswith(f"{out}: ")
    assert " 0 lost" in done.stdout
    assert done.stderr == ""
    return out


def record(played: Path, out: Path, *more: str) -> list[str | Path]:
    files = ["--board", played / "board.toml", "--lens", played / "lens.json"]
    return ["record", out, "--source", played / "clip.mp4", *files, *more]


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "companion.cli", *map(str, arguments)]


def frames_of(folder: Path) -> int:
    source = open_film(folder / "clip.mp4")
    number = sum(1 for _ in source.frames())
    assert source.warning is None
    return number


def test_a_recording_holds_all_pictures_and_what_is_needed_to_read_them(played: Path, recording: Path) -> None:
    assert sorted(p.name for p in recording.iterdir()) == [
        "board.toml", "clip.mp4", "lens.json", "recording.json", "times.csv",
    ]  # fmt: skip
    assert (recording / "board.toml").read_bytes() == (played / "board.toml").read_bytes()
    about = json.loads((recording / "recording.json").read_text())
    assert about["frames"] == frames_of(recording) == frames_of(played)
    assert (about["fps"], about["lost"], about["again"]) == (30.0, 0, 0)
    assert len((recording / "times.csv").read_text().splitlines()) == about["frames"] + 1


def test_a_killed_recording_is_put_together_afterwards(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "evening"
    with subprocess.Popen(command(*record(played, out)), stdout=subprocess.DEVNULL) as process:
        growing = out / "film-1.mkv"
        while not (growing.exists() and growing.stat().st_size > 1_000_000):
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    assert not (out / "clip.mp4").exists()
    finish(out)  # as paleo label does first
    assert not (out / "truth.json").exists(), "nobody has said anything yet"
    times = (out / "times.csv").read_text().splitlines()[1:]
    assert len(times) == frames_of(out) > 30
    assert not list(out.glob("film-*"))


def test_a_film_that_is_still_being_recorded_is_left_to_its_recorder(tmp_path: Path) -> None:
    out, source = tmp_path / "evening", even(70)
    begin(out, {}, default_board_path(), None, None)
    recorder = Recorder(out, source, patient=True)
    try:
        for frame in source.frames():
            recorder.take(frame)
        while not recorder.kept.frames:
            assert recorder.kept.ended is None
        assert "still being recorded; end paleo run or paleo record first" in refused("label", out)
        assert (out / "film-1.mkv").exists()
    finally:
        recorder.close()
    assert finish(out)["frames"] == frames_of(out) == 70


def ends_properly(arguments: Sequence[str], out: Path) -> None:
    """A recording that is interrupted once its film grows ends with a word, and with a film that can be read."""
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not (out / "film-1.mkv").exists():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert "paleo label" in told
    assert frames_of(out) > 0


def test_an_interrupt_ends_a_recording_properly(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "evening"
    ends_properly(command(*record(played, out)), out)


@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("where", ["companion.recorded.put_about", "companion.record.save_lens"])
def test_an_interrupt_before_the_first_picture_leaves_no_folder(tmp_path: Path, where: str, how: str) -> None:
    """It was no recording, and in the way of the next one of that name."""
    module, name = where.rsplit(".", 1)
    code = (
        f"import signal, {module} as m; m.{name} = lambda *_: signal.raise_signal(signal.{how}); "
        "from companion.cli import main; main()"
    )
    arguments = ["record", str(tmp_path / "out"), "--source", "virtual", "--data", str(tmp_path)]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == ({"SIGINT": 130, "SIGTERM": 143}[how], "", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("again", ["SIGINT", "SIGTERM"])
def test_whoever_presses_ctrl_c_twice_has_a_whole_film(played: Path, tmp_path: Path, again: str) -> None:
    """The second comes while a slow disk takes the film's end; the film was said to be recorded still."""
    code = f"""if True:
        import os, signal, threading, vision.recorder as r
        close = r.GrowingFilm.close
        def slowly(film):
            os.kill(os.getpid(), signal.{again})
            threading.Event().wait(0.5)
            close(film)
        r.GrowingFilm.close = slowly
        from companion.cli import main
        main()"""
    out = tmp_path / "evening"
    ends_properly([sys.executable, "-c", code, *map(str, record(played, out))], out)
    assert not list(out.glob("film-*"))


def test_an_interrupt_while_the_film_is_put_together_is_told_with_what_completes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one, as a long film takes a while: nothing was said, and only its parts were there."""

    def interrupted(parts: object, growing: Path, *rest: object) -> list[int]:
        growing.write_bytes(b"half a film")
        raise KeyboardInterrupt

    out = tmp_path / "out"
    config = CompanionConfig(tmp_path / "data", default_board_path(), "virtual")
    with monkeypatch.context() as patch:
        patch.setattr("companion.recorded.copy_film", interrupted)
        with pytest.raises(RecordError) as told:
            keep(config, out, 1.0, most_bytes=10**9)
    assert str(told.value) == (
        f"{out}: interrupted before the film was put together; what was kept is whole, in film-1.mkv: "
        f"paleo label {out} completes it"
    )
    assert not list(out.glob("*clip*"))
    assert finish(out)["frames"] == frames_of(out) > 0


def test_a_labelled_recording_is_scored_and_its_truth_is_that_of_the_table(played: Path, recording: Path) -> None:
    with subprocess.Popen(
        command("label", recording), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        process.stdin.write("y\ny\n")  # the reefs, and the first shot
        process.stdin.flush()
        answers = recording / "answers.jsonl"
        while not answers.exists() or len(answers.read_text().splitlines()) < 2:
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    assert not (recording / "truth.json").exists(), "half the film is no truth"
    done = subprocess.run(command("label", recording), input="y\n" * 20, capture_output=True, text=True, check=True)
    assert "2 shots, as players told them, in" in done.stdout
    assert "told so by the camera itself: 2" in done.stdout
    assert "Shot 1" not in done.stdout, "it was answered before the kill"
    labelled = json.loads((recording / "truth.json").read_text())
    true = json.loads((played / "truth.json").read_text())
    told = [json.loads(line) for line in (recording / "seen" / "events.jsonl").read_text().splitlines()]
    assert decided(labelled, told) == decided(true, told) == ["right", "right"]
    without = [e for e in told if e["type"] != "contact"]
    assert decided(labelled, without) == decided(true, without) == ["wrong", "wrong"]
    assert rest_errors(labelled, told) == pytest.approx([0.0] * len(rest_errors(labelled, told)), abs=0.01)
    assert_alike(labelled, true)


def assert_alike(labelled: Json, true: Json) -> None:
    """The labelled truth tells what the table's own does, with places and times as near as the tracker measures."""
    assert {k: labelled[k] for k in ("format", "fps", "size", "board", "frames")} == {
        k: true[k] for k in ("format", "fps", "size", "board", "frames")
    }
    for mine, its in zip(labelled["shots"], true["shots"], strict=True):
        assert its.keys() <= mine.keys()
        assert mine["puck"] == its["puck"]
        assert [{c["a"], c["b"]} for c in mine["contacts"]] == [{c["a"], c["b"]} for c in its["contacts"]]
        for c, d in zip(mine["contacts"], its["contacts"], strict=True):
            assert c["t"] == pytest.approx(d["t"], abs=NEAR_S)
        for places in ("start", "end"):
            assert len(mine[places]) == len(its[places])
            read = mine[places].keys() & its[places].keys()  # the others' numbers were not read
            assert len(read) > len(its[places]) / 2
            assert max(math.dist(mine[places][k], its[places][k]) for k in read) < NEAR_MM
    for camera, its in zip(labelled["cameras"], true["cameras"], strict=True):
        assert camera["tvec"] == pytest.approx(its["tvec"], abs=0.5)
    assert len(labelled["reefs"]) == len(true["reefs"])
    assert len(labelled["positions"]["mm10"]) == len(true["positions"]["mm10"])


@pytest.mark.parametrize(("name", "told"), [("evening", "out/evening"), ("Spiel höhe é", "'out/Spiel höhe é'")])
def test_the_command_that_comes_next_can_be_pasted(name: str, told: str) -> None:
    assert str(Result(Path("out") / name, 30, 30.0, 1_000_000, Kept())).endswith(f"Next: paleo label {told}")


def test_what_is_there_is_not_written_over(played: Path, recording: Path) -> None:
    assert "something is there already" in refused(*record(played, recording))


def test_a_folder_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    assert "no recording is there" in refused("label", tmp_path)


def test_a_recording_of_a_film_without_the_board_is_refused_when_it_is_labelled(tmp_path: Path) -> None:
    config = CompanionConfig(tmp_path / "data", default_board_path(), str(film(tmp_path / "clip.mp4")))
    keep(config, tmp_path / "out", None, MOST_BYTES)
    assert (
        "marker"
        in subprocess.run(command("label", tmp_path / "out"), capture_output=True, text=True, check=False).stderr
    )
    assert not (tmp_path / "out" / "seen").exists()


def test_nothing_is_made_where_a_camera_or_a_lens_is_not_there(tmp_path: Path) -> None:
    assert "no such camera" in refused("record", tmp_path / "out", "--source", "97")
    assert "lens" in refused("record", tmp_path / "out", "--source", "virtual", "--lens", tmp_path / "none.json")
    assert list(tmp_path.iterdir()) == []


def test_a_lens_of_other_pictures_is_refused_at_once_as_by_track(played: Path, tmp_path: Path) -> None:
    clip, lens, board = film(tmp_path / "clip.mp4"), played / "lens.json", ("--board", default_board_path())
    line = refused("record", tmp_path / "out", "--source", clip, *board, "--lens", lens)
    assert "the lens was measured on pictures of " in line
    by_track = refused("track", clip, *board, "--lens", lens, "--events", tmp_path / "out.jsonl")
    assert by_track == line.replace("paleo: ", f"paleo: {clip}: ", 1)
    assert [p.name for p in tmp_path.iterdir()] == ["clip.mp4"]


def test_without_pyav_one_line_says_how_to_get_it(tmp_path: Path) -> None:
    code = "import sys; sys.modules['av'] = None; from companion.cli import main; main()"
    arguments = [sys.executable, "-c", code, "record", str(tmp_path / "out"), "--source", "virtual"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("paleo: recording needs PyAV")
    assert list(tmp_path.iterdir()) == []


class NetworkCamera(ThreadingHTTPServer):
    """An MJPEG camera at CAMERA_FPS that gives so many pictures a visit, the last number over and over, then hangs up.

    hangs: it keeps the line, and says nothing more.
    """

    daemon_threads = True

    def __init__(self, *pictures: int, hangs: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), _Visit)
        self.pictures, self.hangs, self.visits = pictures, hangs, 0
        self.over = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class _Visit(BaseHTTPRequestHandler):
    server: NetworkCamera

    def do_GET(self) -> None:
        pictures = self.server.pictures[min(self.server.visits, len(self.server.pictures) - 1)]
        self.server.visits += 1
        if not pictures:
            self.send_error(503)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
        self.end_headers()
        try:
            for jpeg in jpegs(n % 256 for n in range(pictures)):
                head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")
                self.server.over.wait(1 / CAMERA_FPS)
            if self.server.hangs:
                self.server.over.wait()
        except OSError:  # whoever looked has gone
            return

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def served(camera: NetworkCamera) -> Iterator[NetworkCamera]:
    with camera:
        threading.Thread(target=camera.serve_forever, args=(0.05,), daemon=True).start()
        yield camera
        camera.over.set()
        camera.shutdown()


@pytest.mark.parametrize("hangs", [False, True], ids=["hangs up", "hangs"])
def test_a_network_camera_that_breaks_off_is_connected_again(tmp_path: Path, hangs: bool) -> None:
    seconds = 9.0 if hangs else 4.0
    with served(NetworkCamera(45, 1_000_000, hangs=hangs)) as camera:
        config = CompanionConfig(tmp_path / "data", default_board_path(), camera.address)
        told = keep(config, tmp_path / "out", seconds, MOST_BYTES)
        assert camera.visits == 2
    assert not told.cut_short
    assert told.frames == frames_of(tmp_path / "out")
    assert told.frames / told.fps > seconds - 1.5
    assert told.kept.again > 0.4 * told.fps, "for half a second at least it was away"


def recorded_with_little_patience(out: Path, camera: NetworkCamera) -> subprocess.CompletedProcess[str]:
    """What the command says and gives, where a second without a picture is too long."""
    code = "import vision.recorder as r; r.LONGEST_GAP_S = 1.0; from companion.cli import main; main()"
    arguments = [sys.executable, "-c", code, "record", str(out), "--source", camera.address]
    return subprocess.run(arguments, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_a_network_camera_that_stays_away_is_told_and_what_was_kept_is_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with served(NetworkCamera(60, 0)) as camera:
        done = recorded_with_little_patience(out, camera)
    assert done.returncode == 1
    assert "the stream broke off after " in done.stderr
    assert "did not come back within 1 s; check that the camera is on" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout.startswith(f"{out}: ")
    assert frames_of(out) > 20


def test_a_camera_that_breaks_off_before_a_film_begins_is_told_and_leaves_no_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with served(NetworkCamera(15, 0)) as camera:
        done = recorded_with_little_patience(out, camera)
    assert (done.returncode, done.stdout) == (1, "")
    why, what = done.stderr.splitlines()
    assert "the stream broke off after " in why
    assert what == f"paleo: {out}: no film was kept, and the folder is taken away again; record it anew"
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_is_told_without_a_traceback_and_the_film_is_completed_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(parts: object, growing: Path, *rest: object) -> list[int]:
        growing.write_bytes(b"half a film")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(growing))

    out = tmp_path / "out"
    with served(NetworkCamera(1_000_000)) as camera, monkeypatch.context() as patch:
        patch.setattr("companion.recorded.copy_film", full)
        config = CompanionConfig(tmp_path / "data", default_board_path(), camera.address)
        with pytest.raises(RecordError) as refused_to:
            keep(config, out, None, most_bytes=1000)
    assert "which was the limit" in capsys.readouterr().err, "why it ended is told first"
    assert f"({os.strerror(errno.ENOSPC)}); what was kept is whole, in film-1.mkv: " in str(refused_to.value)
    assert f"free some room, then paleo label {out} completes it" in str(refused_to.value)
    assert sorted(p.name for p in out.iterdir()) == [
        "board.toml", "film-1.csv", "film-1.mkv", "rate.txt", "recording.json",
    ]  # fmt: skip

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    try:
        with pytest.raises(RecordError, match=f"put together .{os.strerror(errno.EFBIG)}"):
            finish(out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not (out / "clip.mp4").exists()
    assert finish(out)["frames"] == frames_of(out) > 0
