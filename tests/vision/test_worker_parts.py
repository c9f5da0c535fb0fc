"""Which source a worker is given: films wait for it, cameras do not."""

from __future__ import annotations

from pathlib import Path

import av

from calibration.board import default_board_path
from tests.films import SIZE, film, numbered_picture
from tests.vision.test_sources import CameraServer, camera
from tests.vision.worker_parts import steady
from vision.live_pictures import LivePictures
from vision.pacing import Paced
from vision.sources import open_film
from vision.worker_messages import Orders, Parts, WorkerConfig
from vision.worker_parts import make_parts

__all__ = ["camera"]


def parts_for(source: str | Path) -> Parts:
    return make_parts(Orders(WorkerConfig(str(source), default_board_path()), steady, epoch_s=0.0))


def test_what_a_stream_does_not_tell_is_found_out(camera: CameraServer) -> None:
    parts = parts_for(camera.address)
    assert isinstance(parts.source, LivePictures)
    assert not parts.patient
    parts.source.close()


def test_a_film_is_played_at_its_own_speed(tmp_path: Path) -> None:
    parts = parts_for(film(tmp_path / "clip.mp4", frames=10))
    assert isinstance(parts.source, Paced)
    assert parts.patient


def test_why_a_film_is_not_kept_is_known_to_whoever_asked_for_it(tmp_path: Path) -> None:
    """A disk that was pulled costs the film, and no match; when it is back, a new worker goes on."""
    source, folder = film(tmp_path / "clip.mp4", frames=10), tmp_path / "no folder"
    config = WorkerConfig(str(source), default_board_path(), record=folder)
    parts = make_parts(Orders(config, steady, epoch_s=0.0))
    for _ in parts.source.frames():
        pass
    assert str(folder) in parts.unfilmed()
    folder.mkdir()
    parts = make_parts(Orders(config, steady, epoch_s=0.0))
    for _ in parts.source.frames():
        pass
    assert parts.unfilmed() == ""


def test_a_film_that_does_not_tell_its_length_is_a_film_all_the_same(tmp_path: Path) -> None:
    """As browsers write them while they film."""
    path = tmp_path / "clip.mkv"
    with av.open(str(path), "w", format="matroska", options={"live": "1"}) as container:
        stream = container.add_stream("mpeg4", rate=30)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in range(10):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(numbered_picture(number), format="bgr24")))
        container.mux(stream.encode())
    assert open_film(path).frame_count is None
    parts = parts_for(path)
    assert isinstance(parts.source, Paced)
    assert parts.patient
