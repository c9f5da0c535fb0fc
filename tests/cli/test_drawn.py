"""A folder of drawn shots holds one film's, and what cannot be written there is told by its name."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EFBIG
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.atomic import OutputError, atomic_text
from companion.drawn import Drawn
from tests.vision.test_explain import explained
from vision.events import ShotEnded
from vision.explain import Explained
from vision.frames import Frame, Image
from vision.sources import open_film

SIZE = (320, 240)
TOO_LARGE = os.strerror(EFBIG)


class Tells:
    """Stands for a tracker that has just decided a shot, and draws nothing over frames."""

    explained: Explained | None = explained()

    def draw_overlay(self, image: Image) -> Image:
        return image


def noise(number: int) -> Frame:
    picture = np.random.default_rng(number).integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8)
    return Frame(number, number / 30, picture)


def ended(shot: int) -> ShotEnded:
    return ShotEnded(5.3, shot, ())


@contextmanager
def files_no_larger_than(most_bytes: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def see_all(out: Path, frames: int, shots: tuple[int, ...] = ()) -> None:
    """Draws into seen/ beside the events, as paleo track does."""
    with atomic_text(out), Drawn(out.parent / "seen", Tells(), SIZE, 30.0) as drawn:
        drawn.tell([ended(shot) for shot in shots])
        for number in range(frames):
            drawn.see(noise(number), [])


def draw_all(folder: Path, frames: int) -> None:
    with Drawn(folder, Tells(), SIZE, 30.0) as drawn:
        for number in range(frames):
            drawn.see(noise(number), [])


def test_pictures_of_another_film_are_taken_away_and_nothing_else(tmp_path: Path) -> None:
    others = ("shot-7.png.old", "shot-last.png", "my-shot-7.png", "notes.txt")
    for name in ("seen.mp4", "shot-7.png", "shot-12.png", *others):
        (tmp_path / name).write_text("older")
    with Drawn(tmp_path, Tells(), SIZE, 30.0) as drawn:
        assert (tmp_path / "shot-7.png").exists(), "nothing was drawn yet"
        drawn.see(noise(0), [ended(4)])
        drawn.see(noise(1), [])
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["seen.mp4", "shot-4.png", *others])
    assert all((tmp_path / name).read_text() == "older" for name in others)
    assert cv2.imread(str(tmp_path / "shot-4.png")) is not None
    assert len(list(open_film(tmp_path / "seen.mp4").frames())) == 2


def test_a_full_disk_under_the_drawn_film_is_told_with_its_name_and_not_the_events(tmp_path: Path) -> None:
    with files_no_larger_than(100_000), pytest.raises(OutputError) as refused:
        see_all(tmp_path / "out.jsonl", frames=100)
    assert str(refused.value).startswith(f"{tmp_path / 'seen' / 'seen.mp4'}: cannot be written ({TOO_LARGE}); check")
    assert [p.name for p in tmp_path.iterdir()] == ["seen"]


def test_a_disk_that_is_full_from_the_first_byte_ends_no_program(tmp_path: Path) -> None:
    with files_no_larger_than(0), pytest.raises(OutputError) as refused:
        draw_all(tmp_path / "seen", frames=60)
    assert str(refused.value).startswith(f"{tmp_path / 'seen' / 'seen.mp4'}: cannot be written ({TOO_LARGE}); check")


def test_a_drawn_shot_that_cannot_be_written_is_told_with_the_reason(tmp_path: Path) -> None:
    with files_no_larger_than(1000), pytest.raises(OutputError) as refused:
        see_all(tmp_path / "out.jsonl", frames=0, shots=(4,))
    assert str(refused.value).startswith(f"{tmp_path / 'seen' / 'shot-4.png'}: cannot be written ({TOO_LARGE}); check")
