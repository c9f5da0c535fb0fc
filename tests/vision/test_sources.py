"""Films, cameras and streams: every frame once, at its own time; every mistake one line."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import count, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.films import (
    SIZE,
    cut_off,
    film,
    film_at,
    film_from,
    film_of_tracks,
    film_with_index_first,
    flipped,
    interlaced_film,
    jpegs,
    number_of,
    numbered_picture,
    turn_by_metadata,
    zeroed,
)
from vision.sources import ResizedError, SourceError, open_film, open_source


def test_a_films_frames_come_in_order_at_the_middle_of_their_exposure(tmp_path: Path) -> None:
    source = open_source(str(film(tmp_path / "clip.mp4", frames=30, fps=30)))
    frames = list(source.frames())
    assert source.size == (160, 120)
    assert source.fps == 30.0
    assert [f.index for f in frames] == list(range(30))
    assert [f.time_s for f in frames] == pytest.approx([(n + 0.5) / 30 for n in range(30)])
    assert [number_of(f.image) for f in frames] == list(range(30))
    assert source.warning is None


def test_every_frame_has_memory_of_its_own(tmp_path: Path) -> None:
    frames = list(open_source(str(film(tmp_path / "clip.mp4", frames=3))).frames())
    assert not np.shares_memory(frames[0].image, frames[1].image)


def test_a_film_that_breaks_off_is_read_as_far_as_it_goes_and_warns(tmp_path: Path) -> None:
    source = open_source(str(cut_off(film_with_index_first(tmp_path / "clip.mp4", frames=50), 0.6)))
    frames = list(source.frames())
    assert 10 < len(frames) < 45
    assert [f.missed for f in frames] == [0] * len(frames)
    assert source.warning is not None
    assert "breaks off" in source.warning
    assert "of 50 frames" in source.warning


def test_a_damaged_stretch_is_left_out_and_the_time_after_it_is_right(tmp_path: Path) -> None:
    path = film_with_index_first(tmp_path / "clip.mp4", frames=50)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + len(data) // 20] = bytes(len(data) // 20)
    path.write_bytes(data)
    frames = list(open_source(str(path)).frames())
    assert sum(f.missed for f in frames) > 0
    assert len(frames) + sum(f.missed for f in frames) == 50
    last = frames[-1]
    assert number_of(last.image) == 49
    assert last.time_s == pytest.approx(49.5 / 25)


@pytest.mark.parametrize("container", ["mp4", "mkv", "ts"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda path: zeroed(path, [0.5], 20),
        lambda path: zeroed(path, [0.5], 200),
        lambda path: zeroed(path, [0.5], 3000),
        lambda path: flipped(path, 0.5, 64),
    ],
    ids=["some zeros", "a block of zeros", "pictures of zeros", "bits turned about"],
)
def test_pictures_that_the_decoder_made_up_are_torn_until_one_stands_for_itself_again(
    tmp_path: Path, damage: Callable[[Path], Path], container: str
) -> None:
    source = open_source(str(damage(film_with_index_first(tmp_path / f"clip.{container}", frames=60))))
    frames = list(source.frames())
    torn = [f.time_s for f in frames if f.torn]
    assert 1.0 < min(torn) < 1.3, "half of the film's bytes come before it"
    assert max(torn) < 1.9, "every tenth picture stands for itself"
    assert all(number_of(f.image) == int(f.time_s * 25) for f in frames if not f.torn)
    assert source.warning is not None
    assert f"the film is damaged at {min(torn):.1f}" in source.warning


class _Folder(SimpleHTTPRequestHandler):
    """The files of a folder, whole, as they are asked for."""

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing on the tests' output."""


def test_the_pictures_of_a_damaged_film_are_torn_from_an_address_too(tmp_path: Path) -> None:
    path = flipped(film_with_index_first(tmp_path / "clip.mp4", frames=60), 0.5, 64)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Folder, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        source = open_source(f"http://127.0.0.1:{server.server_port}/clip.mp4")
        torn = [f.index for f in source.frames() if f.torn]
        source.close()
    finally:
        server.shutdown()
        server.server_close()
    assert torn == [f.index for f in open_source(str(path)).frames() if f.torn] != []


@pytest.mark.parametrize("container", ["mp4", "mkv", "ts"])
def test_no_picture_of_a_whole_film_is_torn(tmp_path: Path, container: str) -> None:
    source = open_source(str(film_with_index_first(tmp_path / f"clip.{container}", frames=60)))
    assert not any(f.torn for f in source.frames())
    assert source.warning is None


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_no_picture_of_a_film_is_torn_as_the_phone_was_held_another_way(tmp_path: Path, degrees: int) -> None:
    """Its code was turned with the pictures, and read backwards: every picture was torn, every shot asked about."""
    path = turn_by_metadata(film_with_index_first(tmp_path / "clip.mp4", frames=60), 120, degrees)
    source = open_source(str(path))
    assert source.size == ((160, 120) if degrees == 180 else (120, 160))
    assert [f.torn for f in source.frames()] == 60 * [False]
    assert source.warning is None


def test_zeros_in_a_turned_film_are_damage_as_in_any_other(tmp_path: Path) -> None:
    upright = zeroed(film_with_index_first(tmp_path / "clip.mp4", frames=50), [0.3], 100)
    torn = [f.index for f in open_source(str(upright)).frames() if f.torn]
    turned = turn_by_metadata(upright, 120, 180)
    assert [f.index for f in open_source(str(turned)).frames() if f.torn] == torn != []


def test_a_film_that_is_damaged_and_breaks_off_is_told_both(tmp_path: Path) -> None:
    path = cut_off(zeroed(film_with_index_first(tmp_path / "clip.mp4", frames=50), [0.3], 100), 0.6)
    source = open_source(str(path))
    list(source.frames())
    assert source.warning is not None
    assert "breaks off" in source.warning
    assert "is damaged at" in source.warning
    assert "\n" not in source.warning


@pytest.mark.parametrize("container", ["mp4", "mkv", "ts"])
def test_a_film_whose_first_picture_comes_late_does_not_break_off(tmp_path: Path, container: str) -> None:
    source = open_source(str(film_from(tmp_path / f"clip.{container}", start_s=5.0, frames=50)))
    assert source.frame_count == 50
    frames = list(source.frames())
    assert len(frames) == 50
    assert frames[-1].time_s == pytest.approx(49.5 / 25, abs=0.001)
    assert source.warning is None


def test_a_film_whose_first_picture_comes_late_and_that_breaks_off_is_told_so(tmp_path: Path) -> None:
    source = open_source(str(cut_off(film_from(tmp_path / "clip.mkv", start_s=5.0, frames=50), 0.6)))
    list(source.frames())
    assert source.warning is not None
    assert "of 50 frames" in source.warning


def test_a_film_whose_fields_are_woven_is_refused_with_what_joins_them(tmp_path: Path) -> None:
    path = interlaced_film(tmp_path / "a clip.mp4")
    with pytest.raises(SourceError) as refused:
        open_film(path)
    assert str(refused.value).startswith(f"{path}: pictures are woven of two fields (interlaced)")
    assert f"ffmpeg -i '{path}' -vf bwdif" in str(refused.value)


def test_a_film_whose_better_track_is_not_the_first_is_refused_with_what_takes_it_out(tmp_path: Path) -> None:
    path = film_of_tracks(tmp_path / "clip.mp4", [((80, 60), 30), ((320, 240), 30), ((160, 120), 30)])
    with pytest.raises(SourceError) as refused:
        open_film(path)
    assert "3 tracks of pictures (80x60 with 30 pictures, 320x240 with 30 pictures, " in str(refused.value)
    assert "-map 0:v:1 " in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("other", [((80, 60), 30), ((640, 480), 1)], ids=["a small one", "a cover"])
def test_a_film_whose_first_track_is_the_best_is_read(tmp_path: Path, other: tuple[tuple[int, int], int]) -> None:
    source = open_source(str(film_of_tracks(tmp_path / "clip.mp4", [((160, 120), 30), other])))
    assert source.size == (160, 120)
    assert [number_of(f.image) for f in source.frames()] == list(range(30))
    assert source.warning is None


def test_pictures_of_an_uneven_film_are_shown_at_their_own_time(tmp_path: Path) -> None:
    """As a phone films: 40 pictures at 25 a second in the light, then 40 at 12.5 in the dark."""
    stamps = [n / 25 for n in range(40)] + [1.6 + n / 12.5 for n in range(40)]
    source = open_source(str(film_at(tmp_path / "clip.mp4", stamps)))
    frames = list(source.frames())
    assert [number_of(f.image) for f in frames] == list(range(80))
    half_s = 0.5 / source.fps
    assert [f.time_s for f in frames] == pytest.approx([stamp + half_s for stamp in stamps], abs=half_s)
    steps = [later.time_s - earlier.time_s for earlier, later in pairwise(frames)]
    assert min(steps) > 0
    assert steps[10:38] == pytest.approx([1 / 25] * 28, abs=0.002)
    assert steps[41:-1] == pytest.approx([1 / 12.5] * 37, abs=0.002)


def test_pictures_of_an_even_film_that_tremble_in_their_stamps_stay_even(tmp_path: Path) -> None:
    stamps = [n / 25 + (0.008 if n % 3 == 1 else 0.0) for n in range(51)]
    frames = list(open_source(str(film_at(tmp_path / "clip.mp4", stamps))).frames())
    assert [f.time_s for f in frames] == pytest.approx([(n + 0.5) / 25 for n in range(51)], abs=0.001)
    assert [f.missed for f in frames] == [0] * 51


def test_a_film_taken_with_the_camera_turned_is_shown_upright(tmp_path: Path) -> None:
    path = turn_by_metadata(film(tmp_path / "clip.mp4", size=(160, 120)), height=120)
    source = open_source(str(path))
    frame = next(iter(source.frames()))
    assert source.size == (120, 160)
    assert frame.image.shape == (160, 120, 3)
    assert frame.image[:80].mean() > frame.image[80:].mean() + 20


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.write_bytes(b""), "this file is empty"),
        (lambda path: path.mkdir(), "this is a folder"),
        (lambda path: path.write_text("no film\n" * 500), "no film can be read"),
        (lambda path: path.write_bytes(next(jpegs(range(1)))), "this is a picture"),
        (lambda path: cut_off(film(path), 0.5), "no film can be read"),
    ],
    ids=["missing", "empty", "folder", "text", "picture", "index lost"],
)
def test_what_is_no_film_is_refused_in_one_line(tmp_path: Path, make: Callable[[Path], object], words: str) -> None:
    path = tmp_path / "clip.mp4"
    make(path)
    with pytest.raises(SourceError) as refused:
        open_film(path)
    assert words in str(refused.value)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_png_is_refused_as_a_picture_too(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    cv2.imwrite(str(path), numbered_picture(1))
    with pytest.raises(SourceError, match="this is a picture"):
        open_film(path)


@pytest.mark.parametrize("name", ["\udcff.mp4", "http://127.0.0.1:9/\udcff"], ids=["film", "stream"])
def test_a_name_that_is_no_text_is_refused_and_ends_no_program(tmp_path: Path, name: str) -> None:
    if name.endswith(".mp4"):
        name = str(film(tmp_path / "clip.mp4").rename(tmp_path / name))
    with pytest.raises(SourceError, match="this path has signs that are no text"):
        open_source(name)


def test_a_camera_that_is_not_there_is_told_by_its_number() -> None:
    with pytest.raises(SourceError, match="camera 97: no such camera"):
        open_source("97")


@pytest.mark.parametrize("digits", [10, 5000])
def test_a_camera_of_a_number_that_nobody_counts_to_is_not_there(digits: int) -> None:
    with pytest.raises(SourceError, match="camera 999999999…: no such camera; expected a small number"):
        open_source("9" * digits)


def test_an_address_where_nobody_answers_is_refused() -> None:
    with pytest.raises(SourceError, match="no stream answers there"):
        open_source("http://127.0.0.1:9/stream")


class CameraServer(ThreadingHTTPServer):
    """An MJPEG camera that hangs up after every so many pictures; visits counts how often it was called.

    gone_after: visits after which it shows nothing any more; smaller_after: visits after which pictures are smaller.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Camera)
        self.visits, self.pictures = 0, 10
        self.gone_after: int | None = None
        self.smaller_after: int | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/stream.mjpg"


class _Camera(BaseHTTPRequestHandler):
    server: CameraServer

    def do_GET(self) -> None:
        self.server.visits += 1
        if self.server.gone_after is not None and self.server.visits > self.server.gone_after:
            self.send_error(503)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        smaller = self.server.smaller_after is not None and self.server.visits > self.server.smaller_after
        for jpeg in jpegs(range(self.server.pictures), (80, 60) if smaller else SIZE):
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
            self.wfile.write(head.encode() + jpeg + b"\r\n")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def camera() -> Iterator[CameraServer]:
    with CameraServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server
        server.shutdown()


def test_a_stream_that_is_read_once_ends_where_it_breaks_off(camera: CameraServer) -> None:
    frames = list(open_source(camera.address).frames())
    assert 5 <= len(frames) <= 10


def test_a_live_stream_that_breaks_off_is_connected_again_and_time_goes_on(camera: CameraServer) -> None:
    waits: list[float] = []
    even = count()  # ticks with each picture: by another clock what comes after a pause of this machine is left out
    source = open_source(camera.address, live=True, clock=lambda: next(even) / 30, sleep=waits.append)
    frames = []
    for frame in source.frames():
        frames.append(frame)
        if len(frames) == 25:
            break
    source.close()
    assert camera.visits >= 3
    assert waits
    assert waits[0] == 0.5
    times = [f.time_s for f in frames]
    assert all(later > earlier for earlier, later in pairwise(times))
    assert [f.index for f in frames] == list(range(25))


def test_pictures_that_come_one_by_one_are_stamped_by_our_clock_and_not_by_the_readers_numbers(
    camera: CameraServer,
) -> None:
    """The reader numbers them as if there were 25 a second: what moves would seem to be twice as slow, or as fast."""
    now = [100.0]

    def clock() -> float:
        now[0] += 0.1
        return now[0]

    times = [frame.time_s for frame in open_source(camera.address, clock=clock).frames()]
    assert np.diff(times) == pytest.approx(np.full(len(times) - 1, 0.1))


def test_pictures_of_a_stream_that_come_at_once_after_a_gap_are_as_far_apart_as_they_were_taken(
    camera: CameraServer,
) -> None:
    camera.pictures = 60
    came = [n / 10 for n in range(40)] + [4.8 + n * 0.01 for n in range(9)] + [4.9 + n / 10 for n in range(20)]
    clock = iter([0.0, *came]).__next__
    times = [frame.time_s for frame in open_source(camera.address, clock=clock).frames()]
    assert len(times) > 50
    assert np.diff(times) == pytest.approx(np.full(len(times) - 1, 0.1), abs=0.02)


def test_a_live_stream_of_pictures_of_another_size_is_told_as_that_and_not_as_broken(camera: CameraServer) -> None:
    camera.smaller_after = 1
    source = open_source(camera.address, live=True, sleep=lambda seconds: None)
    came: list[int] = []
    with pytest.raises(ResizedError, match=r"the pictures' size changed from 160x120 to 80x60; open it anew"):
        came.extend(frame.index for frame in source.frames())
    source.close()
    assert came


def test_a_live_stream_that_stays_away_is_given_up_with_its_length_and_what_to_look_at(camera: CameraServer) -> None:
    camera.gone_after = 2
    now = [100.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    source = open_source(camera.address, live=True, clock=lambda: now[0], sleep=sleep, away_s=60.0)
    came: list[int] = []
    with pytest.raises(SourceError, match=r"broke off after 0 s and did not come back within 60 s; check that"):
        came.extend(frame.index for frame in source.frames())
    source.close()
    assert len(came) >= 10, "of both visits"
    assert 160.0 <= now[0] < 170.0
