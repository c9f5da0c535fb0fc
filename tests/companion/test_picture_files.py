"""Pictures from files: what they are, and how large, is seen before they fill the memory."""

from __future__ import annotations

import os
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from calibration.lens import CalibrationError
from calibration.pictures import CUT_OFF
from companion.picture_files import MOST_PIXELS, read_picture, size_told
from companion.troubles import in_french

SEEN = np.full((30, 50, 3), 200, np.uint8)


def written(ending: str) -> bytes:
    return cv2.imencode(ending, SEEN)[1].tobytes()


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """As a phone writes it: the picture lies as the sensor saw it, and a word says how it is to be turned."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    exif = b"Exif\0\0MM\0*" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def huge_png(width: int, height: int) -> bytes:
    """A head that promises so many pixels, and hardly anything behind it."""
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(b"")))
    told = b"".join(struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + told


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
def test_the_head_tells_the_size_that_is_read(ending: str) -> None:
    assert size_told(written(ending)) == (50, 30)
    assert read_picture(written(ending)).shape == SEEN.shape


def test_a_picture_is_turned_as_the_phone_was_held() -> None:
    assert read_picture(with_orientation(written(".jpg"), 6)).shape == (50, 30, 3)


def test_a_small_file_with_a_picture_that_fills_the_memory_is_refused_before_it_is_opened() -> None:
    with pytest.raises(CalibrationError, match="has 24000x18000 pixels, expected 40 million at most; make it smaller"):
        read_picture(huge_png(24_000, 18_000))


def test_a_photograph_of_more_pixels_is_read_with_fewer() -> None:
    gray = np.full((7000, 6000), 120, np.uint8)
    gray[:3500, :3000] = 250
    image = read_picture(cv2.imencode(".jpg", gray)[1].tobytes())
    assert image.shape == (3500, 3000, 3)
    assert gray.size > MOST_PIXELS
    assert image[100, 100, 0] > 240
    assert abs(int(image[3000, 2500, 0]) - 120) < 5


@pytest.mark.parametrize("kept", [2, 10, 20])
@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
def test_a_picture_that_is_cut_off_in_its_head_is_none(ending: str, kept: int) -> None:
    with pytest.raises(CalibrationError, match="no picture that can be read"):
        read_picture(written(ending)[:kept])


@pytest.mark.parametrize(
    "data", [b"", b"RIFF\0\0\0\0WEBP", b"\xff\xd8\xff" + 40 * b"\xff", b"\xff\xd8\xff\xe1\0\0" * 9]
)
def test_what_only_begins_like_a_picture_is_none(data: bytes) -> None:
    with pytest.raises(CalibrationError, match="no picture that can be read"):
        read_picture(data)


def photographed() -> bytes:
    """A JPEG with things in it, and the small picture of itself, whole, that cameras put before it."""
    things = np.random.default_rng(3).integers(0, 255, (60, 80, 3)).astype(np.uint8)
    jpeg = cv2.imencode(".jpg", cv2.resize(things, (800, 600), interpolation=cv2.INTER_CUBIC))[1].tobytes()
    thumbnail = cv2.imencode(".jpg", things)[1].tobytes()
    return jpeg[:2] + b"\xff\xe2" + struct.pack(">H", len(thumbnail) + 2) + thumbnail + jpeg[2:]


@pytest.mark.parametrize("part", [0.5, 0.75, 0.95])
@pytest.mark.parametrize("rest", [b"", bytes(9000), b"\xff\xd9"], ids=["nothing", "zeros", "an end"])
def test_a_jpeg_that_is_cut_off_is_told_as_that_in_both_languages(
    capfd: pytest.CaptureFixture[str], part: float, rest: bytes
) -> None:
    """Programs that repair one give it an end, and what is missing is grey."""
    whole = photographed()
    assert read_picture(whole).shape == (600, 800, 3)
    with pytest.raises(CalibrationError) as refused:
        read_picture(whole[: int(part * len(whole))] + rest)
    assert str(refused.value) == CUT_OFF
    assert in_french(str(refused.value)).startswith("l’image est coupée, il en manque une partie")
    assert capfd.readouterr() == ("", "")


def test_many_threads_that_read_pictures_leave_standard_error_as_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    whole = photographed()
    torn = whole[: len(whole) // 2] + b"\xff\xd9"

    def refused(_: int) -> bool:
        with pytest.raises(CalibrationError, match="cut off"):
            read_picture(torn)
        os.write(2, b"said\n")
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(refused, range(40)))
    os.write(2, b"the last word\n")
    said = capfd.readouterr().err.splitlines()
    assert (said.count("said"), said[-1]) == (40, "the last word")
