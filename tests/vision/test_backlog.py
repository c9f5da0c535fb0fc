"""Pictures that had to wait, and come at once: in their camera's rhythm where that adds up, else left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

import numpy as np
import pytest

from tests.vision.playing import filmed
from tests.vision.test_live_pictures import Given
from vision.backlog import MEASURED_LEAST, Backlog, in_rhythm
from vision.events import Contact, Event, ShotEnded, ShotStarted
from vision.frames import Frame
from vision.live_pictures import LivePictures
from vision.pipeline import Tracker
from vision.virtual_table.table import VirtualTable

EMPTY = np.zeros((1, 1, 3), np.uint8)
MOST = 60
DECODED_S = 0.008  # from one picture to the next while they are handed out at once


def arrivals(taken: Iterable[float], away: tuple[float, float]) -> list[float]:
    """When pictures come that were taken at these times, where nothing comes for a while and then all at once."""
    waited = 0
    came = []
    for time_s in taken:
        if away[0] <= time_s < away[1] + waited * DECODED_S:
            came.append(away[1] + waited * DECODED_S)
            waited += 1
        else:
            came.append(time_s)
    return came


def given(came: Sequence[float], most: int = MOST) -> list[Frame]:
    return list(in_rhythm((Frame(n, time_s, EMPTY) for n, time_s in enumerate(came)), most))


def evenly(fps: float, seconds: float, from_s: float = 0.0) -> list[float]:
    return [from_s + n / fps for n in range(round(seconds * fps))]


@pytest.mark.parametrize("fps", [5.0, 15.0, 30.0, 60.0])
def test_pictures_that_come_evenly_pass_at_once_as_they_are(fps: float) -> None:
    backlog = Backlog(MOST)
    for n, time_s in enumerate(evenly(fps, 4.0)):
        frame = Frame(n, time_s, EMPTY)
        assert list(backlog.take(frame)) == [frame]


@pytest.mark.parametrize("fps", [15.0, 30.0])
@pytest.mark.parametrize("away_s", [0.2, 0.5, 0.8])
def test_a_burst_that_fills_the_gap_is_given_as_it_was_taken(fps: float, away_s: float) -> None:
    taken = evenly(fps, 6.0)
    frames = given(arrivals(taken, (3.0, 3.0 + away_s)))
    assert [f.index for f in frames] == list(range(len(taken)))
    assert [f.time_s for f in frames] == pytest.approx(taken, abs=0.6 / fps)
    assert np.diff([f.time_s for f in frames]).min() > 0.8 / fps
    assert not any(f.missed for f in frames)


@pytest.mark.parametrize("from_end", [False, True], ids=["those of its beginning", "those of its end"])
def test_a_burst_of_which_pictures_are_lacking_is_left_out_and_counted(from_end: bool) -> None:
    """A driver keeps the first four, a telephone the last ones: nobody can tell from here."""
    taken = evenly(30.0, 8.0)
    kept = [t for t in taken if 3.0 <= t < 5.0][-4:] if from_end else [t for t in taken if 3.0 <= t < 5.0][:4]
    came = arrivals([t for t in taken if not 3.0 <= t < 5.0 or t in kept], (3.0, 5.0))
    frames = given(came)
    after = next(f for f in frames if f.time_s > 4.0)
    assert after.missed >= 4
    assert after.time_s == came[after.index] >= 5.0
    assert np.diff([f.time_s for f in frames]).min() > 0.4 / 30
    assert len(frames) + sum(f.missed for f in frames) == len(came)


def test_one_picture_that_is_lacking_is_enough() -> None:
    taken = [t for n, t in enumerate(evenly(30.0, 6.0)) if n != 95]
    frames = given(arrivals(taken, (3.0, 3.5)))
    assert sum(f.missed for f in frames) >= 14


def test_after_a_gap_from_which_nothing_waited_all_is_given_as_it_came() -> None:
    came = [*evenly(30.0, 3.0), *evenly(30.0, 3.0, from_s=5.0)]
    assert [(f.time_s, f.missed) for f in given(came)] == [(time_s, 0) for time_s in came]


def test_a_longer_burst_than_can_be_kept_is_left_out_and_the_next_pictures_are_not() -> None:
    taken = evenly(30.0, 12.0)
    frames = given(arrivals(taken, (3.0, 6.0)))
    assert len(frames) + sum(f.missed for f in frames) == len(taken)
    assert [f.index for f in frames][-100:] == list(range(260, 360))
    assert np.diff([f.time_s for f in frames]).min() > 0.4 / 30


def test_what_is_kept_is_bounded() -> None:
    backlog = Backlog(MOST)
    given_s = [*evenly(30.0, 3.0), *evenly(1000.0, 0.4, from_s=20.0)]
    kept = []
    for n, time_s in enumerate(given_s):
        backlog.take(Frame(n, time_s, EMPTY))
        kept.append(len(backlog._held))
    assert max(kept) == MOST


@pytest.mark.parametrize(("before", "after"), [(10.0, 30.0), (60.0, 15.0), (30.0, 8.0)])
def test_a_camera_that_becomes_faster_or_slower_after_a_gap_is_believed(before: float, after: float) -> None:
    came = [*evenly(before, 4.0), *evenly(after, 4.0, from_s=5.0)]
    assert [f.time_s for f in given(came)] == came


def test_pictures_that_always_come_in_small_bursts_are_told_apart_and_go_on_after_a_loss() -> None:
    """A telephone whose wireless network wakes ten times a second hands out three at a time."""
    small = [t for n in range(100) for t in (n * 0.1, n * 0.1 + 0.004, n * 0.1 + 0.008)]
    came = [t for t in small if not 5.0 <= t < 7.0]
    frames = given(came)
    steps = np.diff([f.time_s for f in frames if f.index > 2 * MEASURED_LEAST])
    assert len(frames) > 0.9 * len(came)
    assert np.median(steps) == pytest.approx(1 / 30, rel=0.15)
    assert frames[-1].time_s == pytest.approx(came[-1])


@pytest.mark.parametrize("seed", range(40))
def test_whatever_comes_times_go_forwards_and_no_picture_is_lost_unsaid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps = rng.choice([0.001, 0.01, 0.03, 0.033, 0.036, 0.1, 2.0], 400, p=[0.1, 0.1, 0.2, 0.3, 0.2, 0.08, 0.02])
    came = list(accumulate(map(float, steps)))
    frames = given([*evenly(30.0, 2.0), *(3.0 + t for t in came)])
    assert (np.diff([f.time_s for f in frames]) > 0).all()
    assert (np.diff([f.index for f in frames]) > 0).all()
    skipped = [b.index - a.index - 1 for a, b in pairwise(frames)]
    assert skipped == [f.missed for f in frames[1:]]


@pytest.fixture(scope="module")
def flicked() -> tuple[VirtualTable, list[Frame]]:
    return filmed({"do": "flick", "puck": "red-1", "angle_deg": 225.0, "speed_mm_s": 1150})


def seen(table: VirtualTable, frames: Iterable[Frame], came: dict[int, float], most: int = MOST) -> list[Event]:
    """What is told of frames that come at other times than they were taken; of those that come."""
    tracker = Tracker(table.board, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    late = (Frame(f.index, came[f.index], f.image) for f in frames if f.index in came)
    source = LivePictures(Given(list(in_rhythm(late, most)), table.size, table.fps))
    return [event for frame in source.frames() for event in tracker.update(frame)]


def test_a_shot_whose_pictures_come_at_once_is_as_fast_as_it_was(flicked: tuple[VirtualTable, list[Frame]]) -> None:
    table, frames = flicked
    (shot,) = table.latest_shots(1)
    away = shot["t_start"] - 0.1, shot["t_start"] + 0.8
    came = dict(enumerate(arrivals([f.time_s for f in frames], away)))
    told = seen(table, frames, came)
    as_taken = seen(table, frames, {f.index: f.time_s for f in frames})
    kinds = (ShotStarted, Contact, ShotEnded)
    assert [type(e) for e in told if isinstance(e, kinds)] == [type(e) for e in as_taken if isinstance(e, kinds)]
    lasted = [e.t - s.t for events in (told, as_taken) for s in events for e in events
              if isinstance(s, ShotStarted) and isinstance(e, ShotEnded)]  # fmt: skip
    assert lasted[0] == pytest.approx(lasted[1], abs=0.03)
    assert not any(e.needs_review for e in told if isinstance(e, ShotEnded))


def test_a_shot_with_more_pictures_than_can_be_kept_goes_to_review(flicked: tuple[VirtualTable, list[Frame]]) -> None:
    table, frames = flicked
    (shot,) = table.latest_shots(1)
    came = dict(enumerate(arrivals([f.time_s for f in frames], (shot["t_start"] - 0.1, shot["t_start"] + 0.8))))
    (end,) = (e for e in seen(table, frames, came, most=20) if isinstance(e, ShotEnded))
    assert end.needs_review
    assert any("frames are missing" in reason for reason in end.reasons)


def test_a_shot_of_which_only_some_pictures_waited_goes_to_review(flicked: tuple[VirtualTable, list[Frame]]) -> None:
    table, frames = flicked
    (shot,) = table.latest_shots(1)
    away = shot["t_start"] - 0.1, shot["t_start"] + 1.2
    waited = [f for f in frames if away[0] <= f.time_s < away[1]]
    there = [f for f in frames if f not in waited[18:]]
    came = dict(zip([f.index for f in there], arrivals([f.time_s for f in there], away), strict=True))
    (end,) = (e for e in seen(table, frames, came) if isinstance(e, ShotEnded))
    assert end.needs_review
    assert any("frames are missing" in reason for reason in end.reasons)
