"""A frame, and what gives frames: film, device, stream and virtual table look alike from here on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Small:
    """What a picture comes to in a few pixels, made by the thread that decoded it.

    of: the picture; part: what of it, and of which of its pixels; gray, coarse: as of small_gray and coarse_picture
    """

    of: Image
    part: tuple[int, ...]
    gray: Image
    coarse: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture. index counts from 0; time_s: middle of its exposure; image: (H, W, 3) BGR.

    missed: frames that were lost or dropped just before this one; torn: a part of the picture may be made up by the
    decoder, as the film is damaged there; small: its small pictures, where they were made already.
    """

    index: int
    time_s: float
    image: Image
    missed: int = 0
    torn: bool = False
    small: Small | None = None

    @property
    def lost(self) -> int:
        """Frames that show nothing to rely on: those missed, and this one where it is torn."""
        return self.missed + self.torn

    def made_small(self, part: tuple[int, ...]) -> Small | None:
        """The small pictures of a part, where they were made of the picture as it is now."""
        small = self.small
        return small if small is not None and small.of is self.image and small.part == part else None


class FrameSource(Protocol):
    """Anything that gives frames in order."""

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""

    @property
    def fps(self) -> float:
        """Nominal frames a second."""

    def frames(self) -> Iterator[Frame]:
        """Frames in order of time until the source ends."""

    def close(self) -> None:
        """Lets go of the device or file; safe to call twice."""


class Through:
    """A source that passes on what another one gives: its size, rate and warning are that one's."""

    def __init__(self, source: FrameSource) -> None:
        self._source = source

    @property
    def size(self) -> tuple[int, int]:
        return self._source.size

    @property
    def fps(self) -> float:
        return self._source.fps

    @property
    def warning(self) -> str | None:
        return getattr(self._source, "warning", None)

    def frames(self) -> Iterator[Frame]:
        """The other one's frames."""
        return self._source.frames()

    def close(self) -> None:
        self._source.close()
