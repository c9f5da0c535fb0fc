"""Every frame of some seconds, handed over by the worker: a test flick is measured in a film without gaps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from vision.frames import Frame
from vision.jpeg import encode_jpeg
from vision.pacing import capacity_for
from vision.worker_messages import FILM_S, FilmMessage

FILM_QUALITY = 90  # JPEG: the shutter comes out as at 95, with two thirds of the bytes
MOST_BYTES = 128 * 2**20  # of a film: 8 s at 720p30 take a quarter of it, at 1080p60 nearly all; then it ends sooner


@dataclass(frozen=True, slots=True)
class _Waiting:
    time_s: float
    missed: int
    last: bool
    jpeg: Future[bytes]


class WorkerFilm:
    """Encodes frames in a thread of its own, so that the tracker need not wait; where that lags, frames are left out
    and counted in the next one's `missed`."""

    def __init__(self, seconds: float = FILM_S) -> None:
        self._seconds = seconds
        self._encoder = ThreadPoolExecutor(1, "film")
        self._asked = self._film = 0
        self._until_s: float | None = None
        self._waiting: deque[_Waiting] = deque()
        self._missed = self._bytes = 0

    def ask(self, film: int) -> None:
        """A film of this number begins with the next frame, in place of any other; called from any thread."""
        self._asked = film

    def see(self, frame: Frame) -> None:
        """Takes the next frame, where a film is being made."""
        if self._asked != self._film:
            self._film, self._until_s = self._asked, frame.time_s + self._seconds
            self._waiting.clear()
            self._missed = self._bytes = 0
        elif self._until_s is not None:
            self._missed += frame.missed
        if self._until_s is None:
            return
        height, width = frame.image.shape[:2]
        if len(self._waiting) >= capacity_for((width, height)):
            self._missed += 1
            return
        last = frame.time_s >= self._until_s or self._bytes >= MOST_BYTES
        jpeg = self._encoder.submit(encode_jpeg, frame.image, FILM_QUALITY)
        self._waiting.append(_Waiting(frame.time_s, self._missed, last, jpeg))
        self._missed = 0
        if last:
            self._until_s = None

    def ready(self) -> Iterator[FilmMessage]:
        """What is encoded, in order."""
        while self._waiting and self._waiting[0].jpeg.done():
            one = self._waiting.popleft()
            jpeg = one.jpeg.result()
            self._bytes += len(jpeg)
            yield FilmMessage(self._film, one.time_s, jpeg, one.missed, one.last)
