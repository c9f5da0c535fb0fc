"""The pictures' tracks that an MP4 film's index names: OpenCV reads the first one, whatever it is."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MATROSKA = b"\x1a\x45\xdf\xa3"  # how such a file begins (RFC 8794, 11.2.1)
MOST_INDEX_BYTES = 2**28  # a longer index is none
HEAD = struct.Struct(">I4s")  # of a box: its length and its kind (ISO/IEC 14496-12, 4.2)
LONG = struct.Struct(">Q")  # its length, where that takes more


@dataclass(frozen=True, slots=True)
class Track:
    """A track of pictures. size: (width, height) in pixels; pictures: how many it holds"""

    size: tuple[int, int]
    pictures: int

    @property
    def pixels(self) -> int:
        """Of all its pictures together: a cover has one picture, a preview small ones."""
        return self.size[0] * self.size[1] * self.pictures


def picture_tracks(path: Path) -> list[Track]:
    """The tracks of pictures in an MP4 or QuickTime film, in order; none where it is another kind of film."""
    with path.open("rb") as file:
        while len(head := file.read(HEAD.size)) == HEAD.size:
            length, kind = HEAD.unpack(head)
            skipped = HEAD.size
            if length == 1:
                long = file.read(LONG.size)
                length, skipped = (LONG.unpack(long)[0] if len(long) == LONG.size else 0), HEAD.size + LONG.size
            if length < skipped or not kind.isalnum():
                return []
            if kind == b"moov":
                index = file.read(min(length - skipped, MOST_INDEX_BYTES))
                return [t for track in _boxes(index, b"trak") if (t := _track(track)) is not None]
            file.seek(length - skipped, 1)
    return []


def counts_from_zero(path: Path) -> bool:
    """True where a film's length is told from time 0 on, even where its first picture comes later."""
    with path.open("rb") as file:
        return file.read(len(MATROSKA)) == MATROSKA


def _boxes(data: bytes, *kinds: bytes) -> Iterator[bytes]:
    """What the boxes of the first kind hold; with more kinds, those of the next one in them, and so on."""
    place = 0
    while place + HEAD.size <= len(data):
        length, kind = HEAD.unpack_from(data, place)
        if length < HEAD.size:
            return
        if kind == kinds[0]:
            held = data[place + HEAD.size : place + length]
            if len(kinds) == 1:
                yield held
            else:
                yield from _boxes(held, *kinds[1:])
        place += length


def _track(box: bytes) -> Track | None:
    """What a track's box tells of its pictures; None where it holds none (8.4.3, 8.5.2 and 8.7.3 of the standard)."""
    handler = next(_boxes(box, b"mdia", b"hdlr"), b"")
    described = next(_boxes(box, b"mdia", b"minf", b"stbl", b"stsd"), b"")
    sizes = next(_boxes(box, b"mdia", b"minf", b"stbl", b"stsz"), b"")
    if handler[8:12] != b"vide" or len(described) < 44 or len(sizes) < 12:
        return None
    width, height = struct.unpack_from(">HH", described, 40)
    return Track((width, height), struct.unpack_from(">I", sizes, 8)[0])
