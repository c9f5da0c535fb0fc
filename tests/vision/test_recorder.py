"""A source's film is kept frame by frame, bounded, and can be read whatever happened to the recorder."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, count, repeat
from pathlib import Path

import numpy as np
import pytest

from tests.films import SIZE, cut_off, number_of, numbered_picture
from vision.film_file import RecordError, copy_film, key_frames
from vision.frames import Frame
from vision.recorder import LOCK, RESERVE_BYTES, Recorded, Recorder, film_parts, read_times, told_rate
from vision.sources import open_film


@dataclass
class Pictures:
    """Numbered pictures at given times."""

    times_s: list[float]
    size: tuple[int, int] = SIZE
    fps: float = 30.0

    def frames(self) -> Iterator[Frame]:
        for n, t in enumerate(self.times_s):
            yield Frame(n, t, numbered_picture(n % 256))

    def close(self) -> None:
        """Nothing is open."""


def even(frames: int) -> Pictures:
    return Pictures([(n + 0.5) / 30 for n in range(frames)])


def keep(folder: Path, source: Pictures, patient: bool = True) -> Recorder:
    recorder = Recorder(folder, source, patient=patient)
    for _ in Recorded(source, recorder).frames():
        pass
    return recorder


def film_of(folder: Path, parts: list[tuple[Path, int | None]], **span: int) -> list[int]:
    """The numbers of the pictures that a copy shows."""
    rate = told_rate(folder)
    assert rate is not None
    copied = copy_film(parts, folder / "clip.mp4", rate, **span)
    source = open_film(folder / "clip.mp4")
    shown = [number_of(frame.image) for frame in source.frames()]
    assert (source.fps, source.warning, len(shown)) == (float(rate), None, sum(copied))
    return shown


def test_every_frame_is_kept_in_order_with_its_time(tmp_path: Path) -> None:
    kept = keep(tmp_path, even(70)).close()
    assert (kept.frames, kept.again, kept.lost, kept.ended) == (70, 0, 0, None)
    assert film_of(tmp_path, [(tmp_path / "film-1.mkv", None)]) == list(range(70))
    assert [t for t, _ in read_times(tmp_path / "film-1.csv")] == pytest.approx(even(70).times_s, abs=1e-4)


def test_where_no_frame_came_the_one_before_is_shown_again_and_told(tmp_path: Path) -> None:
    source = even(40)
    source.times_s = [t + (0.1 if n >= 20 else 0.0) for n, t in enumerate(source.times_s)]
    kept = keep(tmp_path, source).close()
    assert (kept.frames, kept.again) == (40, 3)
    assert film_of(tmp_path, [(tmp_path / "film-1.mkv", None)]) == [*range(20), 19, 19, 19, *range(20, 40)]
    assert [again for _, again in read_times(tmp_path / "film-1.csv")] == [False] * 20 + [True] * 3 + [False] * 20


def test_the_rate_of_a_camera_is_measured_before_its_film_begins(tmp_path: Path) -> None:
    source = Pictures([n / 15 for n in range(60)], fps=30.0)
    assert keep(tmp_path, source, patient=False).close().again == 0
    assert told_rate(tmp_path) == Fraction(15)


def test_frames_that_come_faster_than_they_can_be_kept_are_counted_as_lost(tmp_path: Path) -> None:
    (tmp_path / "rate.txt").write_text("30")
    source = Pictures([], size=(4000, 3000))
    recorder = Recorder(tmp_path, source, patient=False)
    image = np.zeros((3000, 4000, 3), np.uint8)
    for n in range(12):
        recorder.take(Frame(n, n / 30, image))
    kept = recorder.close()
    assert kept.lost > 0
    assert kept.frames + kept.lost == 12


def test_a_film_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    keep(tmp_path, even(90)).close()
    part = cut_off(tmp_path / "film-1.mkv", 0.6)
    shown = film_of(tmp_path, [(part, None)])
    assert 30 < len(shown) < 90
    assert shown == list(range(len(shown)))


def test_a_film_of_a_few_pictures_that_was_cut_off_is_read_too(tmp_path: Path) -> None:
    keep(tmp_path, even(8)).close()
    shown = film_of(tmp_path, [(cut_off(tmp_path / "film-1.mkv", 0.97), None)])
    assert shown == list(range(len(shown)))
    assert len(shown) >= 6


def test_a_second_life_goes_on_in_a_second_part(tmp_path: Path) -> None:
    for _ in range(2):
        keep(tmp_path, even(40)).close()
    parts = film_parts(tmp_path)
    assert [p.name for p in parts] == ["film-1.mkv", "film-2.mkv"]
    assert film_of(tmp_path, [(parts[0], 35), (parts[1], None)]) == [*range(35), *range(40)]


def test_a_copy_of_a_span_begins_at_a_key_picture(tmp_path: Path) -> None:
    keep(tmp_path, even(100)).close()
    part = tmp_path / "film-1.mkv"
    assert key_frames(part) == [0, 30, 60, 90]
    assert film_of(tmp_path, [(part, None)], first=25, last=70) == list(range(30, 71))


def test_what_holds_no_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "film-1.mkv").write_bytes(b"no film")
    with pytest.raises(RecordError, match="no picture"):
        copy_film([(tmp_path / "film-1.mkv", None)], tmp_path / "clip.mp4", Fraction(30))


def test_a_disk_without_room_is_refused_before_the_first_picture(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="free some room"):
        Recorder(tmp_path, even(1), patient=True, room=lambda folder: RESERVE_BYTES)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("later_bytes", "most_bytes", "words"),
    [(RESERVE_BYTES - 1, 10**9, "nearly full"), (10 * RESERVE_BYTES, 1000, "limit")],
)
def test_a_film_ends_where_there_is_no_more_room(tmp_path: Path, later_bytes: int, most_bytes: int, words: str) -> None:
    seconds, told, room = count(0, 10), list[str](), chain([10 * RESERVE_BYTES], repeat(later_bytes))
    recorder = Recorder(tmp_path, even(0), patient=True, most_bytes=most_bytes, room=lambda folder: next(room),
                        clock=lambda: next(seconds), tell=told.append)  # fmt: skip
    for frame in even(400).frames():
        recorder.take(frame)
    kept = recorder.close()
    assert kept.ended is not None
    assert words in kept.ended
    assert told == [kept.ended]
    assert kept.full == (words == "limit")
    assert len(film_of(tmp_path, [(tmp_path / "film-1.mkv", None)])) == kept.frames < 400


def test_the_film_of_an_evening_goes_on_in_another_part_after_a_sleep(tmp_path: Path) -> None:
    source = even(60)
    source.times_s = [t + (3600.0 if n >= 30 else 0.0) for n, t in enumerate(source.times_s)]
    recorder = Recorder(tmp_path, source, patient=True, goes_on=True)
    for _ in Recorded(source, recorder).frames():
        pass
    kept = recorder.close()
    assert (kept.frames, kept.again, kept.ended) == (60, 0, None)
    assert film_of(tmp_path, [(part, None) for part in film_parts(tmp_path)]) == list(range(60))
    assert [t for t, _ in read_times(tmp_path / "film-2.csv")] == pytest.approx(source.times_s[30:], abs=1e-4)
    assert not (tmp_path / LOCK).exists()


def test_a_camera_that_gave_nothing_for_a_minute_ends_its_film(tmp_path: Path) -> None:
    source = even(60)
    source.times_s = [t + (61.0 if n >= 30 else 0.0) for n, t in enumerate(source.times_s)]
    kept = keep(tmp_path, source).close()
    assert kept.frames == 30
    assert kept.ended is not None
    assert "no picture for 61 s" in kept.ended
    assert not kept.full


def test_frames_pass_on_unchanged(tmp_path: Path) -> None:
    source = even(5)
    recorder = Recorder(tmp_path, source, patient=True)
    passed = Recorded(replace(source), recorder)
    assert (passed.size, passed.fps) == (SIZE, 30.0)
    assert [frame.index for frame in passed.frames()] == list(range(5))


def test_an_end_that_was_interrupted_is_still_waited_for(tmp_path: Path) -> None:
    """As by Ctrl-C just when a film that was to last so many seconds ends: the disk is slow to take the last of it."""
    slow, syncing = threading.Event(), threading.Event()

    def room(folder: Path) -> int:
        if threading.current_thread() is not threading.main_thread():
            syncing.set()
            slow.wait(20)
        return 4 * RESERVE_BYTES

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    recorder = Recorder(tmp_path, even(1), patient=True, room=room, clock=count(0, 2).__next__)
    for frame in even(1).frames():
        recorder.take(frame)
    assert syncing.wait(5)
    was = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            recorder.close()
    finally:
        signal.signal(signal.SIGALRM, was)
    again = threading.Thread(target=recorder.close)
    again.start()
    again.join(0.3)
    assert again.is_alive()
    slow.set()
    again.join(5)
    assert not again.is_alive()
    assert (recorder.kept.frames, (tmp_path / LOCK).exists()) == (1, False)


def test_lines_that_tell_no_time_are_left_out(tmp_path: Path) -> None:
    """Edited by hand, or by a disk that failed."""
    times = tmp_path / "times.csv"
    times.write_text("time_s,again\n0.0167,0\nabc,0\n0.0500,1\n,\n0.0833,0,7\n0.1167,0\n0.15", encoding="ascii")
    assert read_times(times) == [(0.0167, False), (0.05, True), (0.1167, False)]
