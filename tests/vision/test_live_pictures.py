"""What a live camera does not tell: pictures lost on their way, and its last one given again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.vision.playing import filmed
from vision.events import ShotEnded
from vision.frames import Frame, Image
from vision.live_pictures import REMEMBERED_S, LivePictures
from vision.pipeline import Tracker
from vision.virtual_table.table import VirtualTable

FPS = 30.0


@dataclass
class Given:
    """A camera that gives these frames."""

    given: Sequence[Frame]
    size: tuple[int, int] = (64, 48)
    fps: float = FPS

    def frames(self) -> Iterator[Frame]:
        yield from self.given

    def close(self) -> None:
        pass


def noise(seed: int) -> Image:
    """A picture like no other."""
    return np.random.default_rng(seed).integers(0, 255, (48, 64, 3), np.uint8)


def pictures(which: Sequence[int], fps: float = FPS) -> list[Frame]:
    """Frames at an even rate; the same number shows the same picture. -1: that frame is lost."""
    return [Frame(n, (n + 0.5) / fps, noise(w)) for n, w in enumerate(which) if w >= 0]


def came(frames: Sequence[Frame]) -> list[tuple[int, int]]:
    """Which frames came through, and how many were missed before each."""
    return [(f.index, f.missed) for f in LivePictures(Given(frames)).frames()]


def test_pictures_that_come_evenly_pass_as_they_are() -> None:
    assert came(pictures(range(40))) == [(n, 0) for n in range(40)]


@pytest.mark.parametrize("fps", [5.0, 30.0, 60.0])
def test_pictures_that_do_not_come_are_missed_at_whatever_rate(fps: float) -> None:
    gap = round(fps)
    frames = pictures([*range(20), *[-1] * gap, *range(20, 30)], fps)
    assert [missed for _, missed in came(frames)] == [0] * 20 + [gap] + [0] * 9


def test_a_picture_that_is_a_little_late_has_none_missing_before_it() -> None:
    assert [missed for _, missed in came(pictures([*range(20), -1, -1, -1, *range(20, 30)]))] == [0] * 30


def test_the_last_picture_given_again_and_again_is_left_out_and_counted() -> None:
    frames = pictures([*range(20), *[19] * 6, *range(20, 25)])
    assert came(frames) == [(n, 0) for n in range(20)] + [(26, 6)] + [(n, 0) for n in range(27, 31)]


def test_a_coder_that_repeats_pictures_where_nothing_moves_is_no_standstill_once_it_is_known() -> None:
    again = [n // 5 for n in range(60)]
    through = [index for index, _ in came(pictures(again))]
    assert through[:5] == [0, 5, 10, 15, 16], "three times it is not known"
    assert through[-40:] == list(range(20, 60))
    assert came(pictures([*again, *[100] * 9, *range(101, 104)]))[-4:-3] == [(64, 0)]
    assert came(pictures([*again, *[100] * 9, *range(101, 104)]))[-3] == (69, 4), "longer than ever"


def test_a_way_of_a_camera_is_forgotten_after_a_while() -> None:
    again = pictures([n // 2 for n in range(20)])
    later = [Frame(100 + n, REMEMBERED_S + 2.0 + n / FPS, noise(w)) for n, w in enumerate((900, 901, 901, 902))]
    assert [index for index, _ in came([*again, *later])][-3:] == [100, 101, 103]


@pytest.fixture(scope="module")
def flicked() -> tuple[VirtualTable, list[Frame]]:
    """A table on which a puck is flicked at 1 s, and its frames until long after that rests."""
    return filmed({"do": "flick", "puck": "red-1", "angle_deg": 225.0, "speed_mm_s": 1150})


@pytest.fixture(scope="module")
def thrown_back() -> tuple[VirtualTable, list[Frame]]:
    """The same where the rim throws it back, to two centimetres from where it lay."""
    return filmed({"do": "flick", "puck": "red-1", "angle_deg": 180.0, "speed_mm_s": 1800}, x_mm=60)


def ends_of_shots(table: VirtualTable, frames: Sequence[Frame]) -> list[ShotEnded]:
    tracker = Tracker(table.board, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    source = LivePictures(Given(frames, table.size, table.fps))
    events = [event for frame in source.frames() for event in tracker.update(frame)]
    return [e for e in events if isinstance(e, ShotEnded)]


@pytest.mark.parametrize("stays", [True, False], ids=["last picture stays", "no picture comes"])
def test_a_shot_during_which_the_pictures_stop_goes_to_review(
    flicked: tuple[VirtualTable, list[Frame]], stays: bool
) -> None:
    table, frames = flicked
    shot = table.latest_shots(1)[0]
    stop = round((shot["t_start"] + shot["t_end"]) / 2 * table.fps)
    away = range(stop, stop + 45)
    if stays:
        frames = [replace(f, image=frames[stop].image) if f.index in away else f for f in frames]
    else:
        frames = [f for f in frames if f.index not in away]
    (end,) = ends_of_shots(table, frames)
    assert end.needs_review
    assert any("frames are missing" in reason for reason in end.reasons)


@pytest.mark.parametrize("until_ms", [0, 40], ids=["as it begins", "as it runs"])
def test_a_puck_that_lies_elsewhere_when_pictures_come_again_was_not_surely_moved_by_a_hand(
    thrown_back: tuple[VirtualTable, list[Frame]], until_ms: int
) -> None:
    table, frames = thrown_back
    stop_s = table.latest_shots(1)[0]["t_start"] + until_ms / 1000
    (end,) = ends_of_shots(table, [f for f in frames if not stop_s < f.time_s < stop_s + 0.5])
    assert end.needs_review
    assert any("frames are missing" in reason for reason in end.reasons)


def test_a_shot_of_which_every_picture_comes_is_told(flicked: tuple[VirtualTable, list[Frame]]) -> None:
    (end,) = ends_of_shots(*flicked)
    assert not end.needs_review


@pytest.mark.parametrize(("every", "asked"), [(2, False), (5, True)])
def test_a_shot_of_which_a_slow_camera_gives_too_few_pictures_goes_to_review(
    flicked: tuple[VirtualTable, list[Frame]], every: int, asked: bool
) -> None:
    table, frames = flicked
    (end,) = ends_of_shots(table, [f for f in frames if f.index % every == 0])
    assert ("only 6 pictures a second came" in end.reasons) == asked
    assert end.needs_review == asked
