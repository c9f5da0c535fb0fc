"""What a picture's file says of itself before it is opened: a small file can hold a picture that fills the memory."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import CalibrationError
from calibration.pictures import JPEG, decoded

MOST_PIXELS = 40_000_000  # a picture of 40 megapixels is a large camera's; more would only fill the memory
# a JPEG can be read with every second or fourth pixel, which takes as much less memory
REDUCED = ((2, cv2.IMREAD_REDUCED_COLOR_2), (4, cv2.IMREAD_REDUCED_COLOR_4))
PNG, WEBP = b"\x89PNG\r\n\x1a\n", b"WEBP"
NO_PICTURE = "this is no picture that can be read; expected a JPEG or PNG file"
PDF = "this is a PDF file; expected a JPEG or PNG file: photograph the board, or save the page as a picture"
HEIC = (
    "this is a HEIC picture, as phones save them; expected a JPEG or PNG file: save it as JPEG, or choose the most "
    "compatible format in the settings of the phone's camera"
)
OTHER_KINDS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"%PDF", PDF),
    *((4, b"ftyp" + kind, HEIC) for kind in (b"heic", b"heix", b"heif", b"mif1", b"msf1", b"hevc", b"avif")),
)  # fmt: skip
_MARKERS_OF_SIZE = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def read_picture(data: bytes) -> NDArray[np.uint8]:
    """A picture (H, W, 3) from a file's bytes, turned as the camera was held; a JPEG that is too large is read smaller.

    Raises CalibrationError where it is none, is cut off, or has more pixels than are taken.
    """
    for place, mark, said in OTHER_KINDS:
        if data[place : place + len(mark)] == mark:
            raise CalibrationError(said)
    size = size_told(data)
    if size is None:
        raise CalibrationError(NO_PICTURE)
    how = cv2.IMREAD_COLOR
    pixels = size[0] * size[1]
    if pixels > MOST_PIXELS:
        wanted = [flag for times, flag in REDUCED if pixels <= MOST_PIXELS * times**2]
        if not data.startswith(JPEG) or not wanted:
            raise CalibrationError(
                f"the picture has {size[0]}x{size[1]} pixels, expected {MOST_PIXELS // 1_000_000} million at most; "
                "make it smaller, or save it as JPEG"
            )
        how = wanted[0]
    image = decoded(data, how)
    if image is None:
        raise CalibrationError(NO_PICTURE)
    return image


def size_told(data: bytes) -> tuple[int, int] | None:
    """Width and height that the head of a JPEG, PNG or WebP file tells; None where it is none of these."""
    kinds: tuple[tuple[bool, Callable[[bytes], tuple[int, int] | None]], ...] = (
        (data.startswith(PNG), _of_png), (data.startswith(JPEG), _of_jpeg), (data[8:12] == WEBP, _of_webp),
    )  # fmt: skip
    return next((read(data) for fits, read in kinds if fits), None)


def _of_png(data: bytes) -> tuple[int, int] | None:
    return (_big(data[16:20]), _big(data[20:24])) if len(data) >= 24 else None


def _of_jpeg(data: bytes) -> tuple[int, int] | None:
    """From the first frame's head: segments before it tell their length."""
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker in _MARKERS_OF_SIZE:
            return _big(data[at + 7 : at + 9]), _big(data[at + 5 : at + 7])
        alone = marker in (0x01, 0xFF) or 0xD0 <= marker <= 0xD8
        at += (1 if marker == 0xFF else 2) if alone else 2 + max(_big(data[at + 2 : at + 4]), 2)
    return None


def _of_webp(data: bytes) -> tuple[int, int] | None:
    if len(data) < 30:
        return None
    kind = data[12:16]
    if kind == b"VP8X":
        return _little(data[24:27]) + 1, _little(data[27:30]) + 1
    if kind == b"VP8L":
        bits = _little(data[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return _little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")
