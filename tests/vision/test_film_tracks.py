"""The tracks that an MP4's index names, and files that have no such index."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.films import film, film_of_tracks
from vision.film_tracks import Track, picture_tracks


def test_tracks_are_told_in_order_with_their_size_and_length(tmp_path: Path) -> None:
    path = film_of_tracks(tmp_path / "clip.mp4", [((160, 120), 30), ((64, 48), 1)])
    assert picture_tracks(path) == [Track((160, 120), 30), Track((64, 48), 1)]


@pytest.mark.parametrize("name", ["clip.mkv", "clip.avi"])
def test_a_film_of_another_kind_tells_none(tmp_path: Path, name: str) -> None:
    assert picture_tracks(film(tmp_path / name)) == []


@pytest.mark.parametrize(
    "data",
    [b"", b"\0\0\0", b"\0\0\0\4moov", b"\0\0\0\1mdat\0\0", b"\0\0\0\x18moov\0\0\0\x10trak\0\0\0\0mdia", b"\0" * 64],
)
def test_a_file_that_is_cut_off_or_no_film_tells_none(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(data)
    assert picture_tracks(path) == []
