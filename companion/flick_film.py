"""The film of a test flick: every frame of the camera for some seconds, as the vision process hands them over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import CalibrationError
from vision.worker_messages import FILM_S, FilmMessage

Image = NDArray[np.uint8]

PATIENCE_S = 10.0  # a camera that gives no frame for so long gives none
MOST_REPEATS = 15  # a frame stands for those missed after it, half a second at most


def nobody(film: int) -> None:
    """Asked for a film where there is no camera."""


class FlickFilm:
    """Keeps one film as JPEGs until it has been looked at: thread-safe. ask: begins a film of a number."""

    def __init__(self, ask: Callable[[int], None] = nobody, clock: Callable[[], float] = time.monotonic) -> None:
        self._ask, self._clock = ask, clock
        self._lock = threading.Lock()
        self._number = 0
        self._frames: list[FilmMessage] = []
        self._heard_s: float | None = None

    def begin(self) -> None:
        """Begins anew."""
        with self._lock:
            self._number += 1
            self._frames, self._heard_s = [], self._clock()
            number = self._number
        self._ask(number)

    def take(self, message: FilmMessage) -> None:
        """Takes a frame in; those of a film that was given up are passed over."""
        with self._lock:
            if message.film == self._number and self._heard_s is not None:
                self._frames.append(message)
                self._heard_s = self._clock()

    def state(self) -> tuple[float, bool]:
        """Seconds of the film so far, and whether it is whole. Raises CalibrationError where none comes."""
        with self._lock:
            if self._heard_s is None:
                raise CalibrationError("no test flick was begun; begin one first")
            whole = bool(self._frames) and self._frames[-1].last
            if not whole and self._clock() - self._heard_s > PATIENCE_S:
                raise CalibrationError(f"the camera gave no picture for {PATIENCE_S:.0f} s; look at its cable and the "
                                       "page Camera, then flick again")  # fmt: skip
            return (self._frames[-1].time_s - self._frames[0].time_s if self._frames else 0.0), whole

    def finish(self) -> tuple[FilmMessage, ...]:
        """The whole film, which is forgotten here. Raises CalibrationError where it is not whole."""
        taken_s, whole = self.state()
        if not whole:
            raise CalibrationError(f"{taken_s:.0f} s of the test flick were filmed, expected {FILM_S:.0f}; wait")
        with self._lock:
            frames, self._frames, self._heard_s = tuple(self._frames), [], None
            return frames


def rate_of(film: tuple[FilmMessage, ...]) -> float:
    """Frames a second that the camera gave, those that were missed on the way too."""
    count = len(film) - 1 + sum(one.missed for one in film[1:])
    return count / max(film[-1].time_s - film[0].time_s, 1e-6)


def images_of(film: tuple[FilmMessage, ...]) -> Iterator[Image]:
    """(H, W, 3) the frames one by one; where some were missed the one before comes again: so speeds stay right.

    Raises CalibrationError where one cannot be read.
    """
    before: Image | None = None
    for one in film:
        if before is not None:
            for _ in range(min(one.missed, MOST_REPEATS)):
                yield before
        image = cv2.imdecode(np.frombuffer(one.jpeg, dtype=np.uint8), cv2.IMREAD_COLOR) if one.jpeg else None
        if image is None:
            raise CalibrationError("a picture of the test flick cannot be read; flick again")
        before = np.asarray(image, dtype=np.uint8)
        yield before
