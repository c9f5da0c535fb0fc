"""Full-size film in files: H.264 in Matroska while it grows, readable after the plug was pulled; copied into an MP4.

The only module that writes such film, with PyAV, which is installed with the extra `film`.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from vision.frames import Image

CONSTANT_RATE_FACTOR = "18"  # what a tracker measures in the picture is the same as in the camera's own
PRESET = "superfast"  # 7 ms of one core a picture at 720p; ultrafast smooths no blocks, and a shot was lost by it
CLUSTER_MS = "1"  # film that a Matroska file may hold back: each picture is its own cluster, and outlives a kill
MOST_RATE_DENOMINATOR = 1001  # 30000/1001 is the oddest rate that cameras have


class RecordError(OSError):
    """A recording cannot be made or read; one line: what, where, what to do."""


def need_pyav() -> ModuleType:
    """PyAV. Raises RecordError where it is not installed."""
    try:
        import av
    except ImportError:
        raise RecordError(
            "recording needs PyAV, which is not installed; install it with: pip install 'paleo-companion[film]'"
        ) from None
    return av


class GrowingFilm:
    """A film at an even rate that is on the disk as it grows. size: (width, height) of the pictures, in pixels.

    Raises RecordError where PyAV is missing, OSError where the file cannot be written.
    """

    def __init__(self, path: Path, size: tuple[int, int], fps: Fraction) -> None:
        self._av = need_pyav()
        self._path = path
        self._container = self._av.open(
            str(path), "w", format="matroska", options={"cluster_time_limit": CLUSTER_MS, "flush_packets": "1"}
        )
        even = size[0] % 2 == size[1] % 2 == 0
        self._stream = self._container.add_stream("libx264", rate=fps)
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = "yuv420p" if even else "yuv444p"
        self._stream.options = {"crf": CONSTANT_RATE_FACTOR, "preset": PRESET, "tune": "zerolatency",
                                "sc_threshold": "0", "g": str(max(1, round(fps)))}  # fmt: skip
        self._tick = 1 / fps
        self._container.start_encoding()  # makes the file
        self._sync = os.open(path, os.O_RDONLY)
        self.frames = 0

    def write(self, image: Image, times: int = 1) -> None:
        """Adds one (H, W, 3) BGR picture, or shows it so many times."""
        frame = self._av.VideoFrame.from_ndarray(image, format="bgr24")
        for _ in range(times):
            frame.pts, frame.time_base = self.frames, self._tick
            self._container.mux(self._stream.encode(frame))
            self.frames += 1

    def sync(self) -> None:
        """Has what was written so far put on the disk itself."""
        os.fsync(self._sync)

    @property
    def size_bytes(self) -> int:
        """How large the file is by now."""
        return os.fstat(self._sync).st_size

    def close(self) -> None:
        """Finishes the file."""
        try:
            self._container.mux(self._stream.encode(None))
            self._container.close()
            self.sync()
        finally:
            os.close(self._sync)


def rate(fps: float) -> Fraction:
    """A frame rate as a film's container has it."""
    return Fraction(fps).limit_denominator(MOST_RATE_DENOMINATOR)


def copy_film(
    parts: Sequence[tuple[Path, int | None]], out: Path, fps: Fraction, first: int = 0, last: int | None = None
) -> list[int]:
    """Copies pictures of films, one film after the other, into an MP4 as they are; gives how many of each.

    parts: films of one size and coding, and how many pictures of each are wanted (None: all). Of what they show
    together, pictures first..last (from 0) are copied, from the key picture at or after `first` on. A film that breaks
    off is copied as far as it goes. Raises RecordError where there is no picture in any.
    """
    av = need_pyav()
    stream, copied, counts = None, 0, [0] * len(parts)
    with av.open(str(out), "w", format="mp4", options={"movflags": "faststart"}) as container:
        for part, packet in _packets(av, parts, first, last):
            if stream is None:
                stream = container.add_stream_from_template(packet.stream)
                stream.time_base = 1 / fps
            packet.stream, packet.time_base = stream, 1 / fps
            packet.pts = packet.dts = copied
            packet.duration = 1
            container.mux(packet)
            copied += 1
            counts[part] += 1
    if not copied:
        raise RecordError(f"{out.parent}: no picture of the film there can be read; record it anew")
    return counts


def _packets(
    av: ModuleType, parts: Sequence[tuple[Path, int | None]], first: int, last: int | None
) -> Iterator[tuple[int, Any]]:
    number, begun = -1, False
    for n, (part, wanted) in enumerate(parts):
        for packet in _whole(av, part, wanted):
            number += 1
            begun = begun or (number >= first and packet.is_keyframe)
            if last is not None and number > last:
                return
            if begun:
                yield n, packet


def _whole(av: ModuleType, film: Path, wanted: int | None) -> Iterator[Any]:
    """The coded pictures of a film, as far as it goes."""
    try:
        with av.open(str(film)) as container:
            packets = (p for p in container.demux(video=0) if p.size and not p.is_corrupt)
            yield from itertools.islice(packets, wanted)
    except av.FFmpegError:  # cut off, perhaps before its first picture was whole
        return


def key_frames(film: Path) -> list[int]:
    """The numbers of the key pictures, at which a copy may begin."""
    return [n for n, packet in enumerate(_whole(need_pyav(), film, None)) if packet.is_keyframe]
