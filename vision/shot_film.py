"""The film of the last moments of action, small and short, from which a shot is cut when it is over."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.frames import Frame, Image
from vision.jpeg import encode_jpeg

WIDTH_PX = 640  # enough to see a touch on a screen, a quarter of a 720p frame's pixels
JPEG_QUALITY = 72  # 25 kB a picture
MOST_FRAMES = 480  # 16 s at 30 frames a second, about 12 MB: no shot takes longer
BEFORE_FRAMES = 12  # kept while all is still, so that the film begins before the flick is noticed
LEAD_S, TRAIL_S = 0.5, 0.4  # shown before the flick and after the last puck came to rest


@dataclass(frozen=True, slots=True)
class Replay:
    """A shot's film: the source's time of each picture, and the pictures as JPEG.

    drawn: what was seen, in the pictures' pixels (vision.explain.over_film); None where it was not told.
    """

    times_s: tuple[float, ...]
    pictures: tuple[bytes, ...]
    drawn: Mapping[str, Any] | None = None


class ShotFilm:
    """Keeps frames of action as small JPEGs, and a few of stillness before it as they are."""

    def __init__(self) -> None:
        self._still: deque[tuple[float, Image]] = deque(maxlen=BEFORE_FRAMES)
        self._action: deque[tuple[float, bytes]] = deque(maxlen=MOST_FRAMES)

    def see(self, frame: Frame, still: bool) -> None:
        """Takes a frame in. still: nothing moves and no hand is there."""
        picture = _small(frame.image)
        if still:
            self._still.append((frame.time_s, picture))
            return
        self._action += [(time_s, _jpeg(image)) for time_s, image in self._still]
        self._still.clear()
        self._action.append((frame.time_s, _jpeg(picture)))

    def cut(self, start_s: float, end_s: float) -> Replay:
        """The film of a shot, in order; empty where nothing of it was kept."""
        frames = [*self._action, *((t, _jpeg(image)) for t, image in self._still if t <= end_s + TRAIL_S)]
        kept = [(t, picture) for t, picture in frames if start_s - LEAD_S <= t <= end_s + TRAIL_S]
        return Replay(tuple(t for t, _ in kept), tuple(picture for _, picture in kept))


def film_size(width: int, height: int) -> tuple[int, int]:
    """A film's width and height in pixels, of frames of this size."""
    return (width, height) if width <= WIDTH_PX else (WIDTH_PX, round(height * WIDTH_PX / width))


def _small(image: Image) -> Image:
    height, width = image.shape[:2]
    size = film_size(width, height)
    if size == (width, height):
        return image
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _jpeg(image: Image) -> bytes:
    return encode_jpeg(image, JPEG_QUALITY)
