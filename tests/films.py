"""Small films for tests, whose frames tell their number."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from vision.frames import Image

SIZE = (160, 120)
BITS = 8


def numbered_picture(number: int, size: tuple[int, int] = SIZE) -> Image:
    """A picture whose right half tells its number in black and white stripes; its left half is light."""
    width, height = size
    image = np.full((height, width, 3), 200, np.uint8)
    stripe = height // BITS
    for bit in range(BITS):
        image[bit * stripe : (bit + 1) * stripe, width // 2 :] = 160 if number >> bit & 1 else 20
    return image


def number_of(image: Image) -> int:
    """The number that numbered_picture drew."""
    height, width = image.shape[:2]
    stripe = height // BITS
    stripes = image[: stripe * BITS, width * 5 // 8 : width * 7 // 8].reshape(BITS, -1).mean(axis=1)
    return int(sum(1 << bit for bit, light in enumerate(stripes) if light > 90))


def film(path: Path, frames: int = 30, fps: int = 30, size: tuple[int, int] = SIZE) -> Path:
    """An MPEG-4 film by OpenCV alone."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
    for number in range(frames):
        writer.write(numbered_picture(number, size))
    writer.release()
    return path


def film_with_index_first(path: Path, frames: int = 50, fps: int = 25) -> Path:
    """An H.264 film whose index comes first, so that what is cut off at its end leaves the rest readable."""
    options = {"movflags": "faststart"} if path.suffix == ".mp4" else {}
    with av.open(str(path), "w", options=options) as container:
        stream = container.add_stream("libx264", rate=fps, options={"crf": "10", "g": "10", "bf": "0"})
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        for number in range(frames):
            noise = np.random.default_rng(number).integers(0, 3, (SIZE[1], SIZE[0], 3), np.uint8)
            picture = numbered_picture(number) + noise
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode(None))
    return path


def film_at(path: Path, stamps_s: Sequence[float]) -> Path:
    """An H.264 film whose picture n is shown at stamps_s[n], whole milliseconds."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"crf": "10", "bf": "0"})
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        for number, stamp_s in enumerate(stamps_s):
            picture = av.VideoFrame.from_ndarray(numbered_picture(number), format="bgr24")
            picture.pts, picture.time_base = round(stamp_s * 1000), Fraction(1, 1000)
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return path


def film_from(path: Path, start_s: float, frames: int = 50, fps: int = 25) -> Path:
    """An H.264 film whose first picture is shown at start_s, as where a longer one was cut."""
    return film_at(path, [start_s + n / fps for n in range(frames)])


def interlaced_film(path: Path, frames: int = 10) -> Path:
    """An H.264 film of which each picture is woven of two fields."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"x264-params": "tff=1"})
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        for number in range(frames):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(numbered_picture(number), format="bgr24")))
        container.mux(stream.encode(None))
    return path


def film_of_tracks(path: Path, tracks: Sequence[tuple[tuple[int, int], int]]) -> Path:
    """An H.264 film with several tracks of pictures: of which size, and how many."""
    with av.open(str(path), "w") as container:
        streams = [container.add_stream("libx264", rate=25, options={"crf": "10", "bf": "0"}) for _ in tracks]
        for stream, (size, _) in zip(streams, tracks, strict=True):
            stream.width, stream.height = size
            stream.pix_fmt = "yuv420p"
        for stream, (size, frames) in zip(streams, tracks, strict=True):
            for number in range(frames):
                picture = numbered_picture(number, size)
                container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
            container.mux(stream.encode(None))
    return path


def cut_off(path: Path, share: float) -> Path:
    """Leaves only the first part of a file's bytes."""
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    return path


def zeroed(path: Path, shares: Sequence[float], length: int) -> Path:
    """Puts zeros in place of so many bytes at each share of a film's bytes, as where a copy failed."""
    data = bytearray(path.read_bytes())
    for start in (int(len(data) * share) for share in shares):
        data[start : start + length] = bytes(length)
    path.write_bytes(data)
    return path


def flipped(path: Path, share: float, length: int) -> Path:
    """Turns the bits of so many bytes about at a share of a film's bytes."""
    data = bytearray(path.read_bytes())
    start = int(len(data) * share)
    data[start : start + length] = bytes(255 - byte for byte in data[start : start + length])
    path.write_bytes(data)
    return path


def turn_by_metadata(path: Path, height: int, degrees: int = 90) -> Path:
    """Marks an MP4 film as filmed with the camera turned by 90, 180 or 270 degrees, as phones do."""
    data = bytearray(path.read_bytes())
    matrix = data.index(b"tkhd") + 44  # ISO/IEC 14496-12, 8.3.2: the matrix in a version 0 track header
    c, s = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[degrees]
    values = (c << 16, s << 16, 0, -s << 16, c << 16, 0, height << 16, 0, 1 << 30)
    data[matrix : matrix + 36] = struct.pack(">9i", *values)
    path.write_bytes(data)
    return path


def jpegs(numbers: Iterator[int] | range, size: tuple[int, int] = SIZE) -> Iterator[bytes]:
    """Numbered pictures as JPEG."""
    for number in numbers:
        yield cv2.imencode(".jpg", numbered_picture(number, size))[1].tobytes()
