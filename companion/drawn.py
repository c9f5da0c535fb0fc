"""`paleo track --explain`: a picture of each shot, and the film with what was seen drawn on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import cv2

from companion.atomic import OutputError, writing
from vision.events import Event, ShotEnded
from vision.explain import Explained, draw_shot
from vision.frames import Frame, Image
from vision.pipeline import Tracker
from vision.virtual_table.film import FilmWriter, open_writer

FILM = "seen.mp4"
PICTURE = re.compile(r"shot-\d+\.png")


class Drawn:
    """Writes shot-1.png, shot-2.png, … and seen.mp4 into a folder, as a tracker tells what it sees.

    draw: makes the picture of a shot. Pictures of another film that were drawn there before are taken away with the
    first frame.
    """

    _film: FilmWriter

    def __init__(
        self, folder: Path, tracker: Tracker, size: tuple[int, int], fps: float,
        draw: Callable[[Explained], Image] = draw_shot,
    ) -> None:  # fmt: skip
        self._folder = folder
        self._tracker, self._draw = tracker, draw
        self._size, self._fps = (size[0] // 2 * 2, size[1] // 2 * 2), fps
        self._begun = False

    def __enter__(self) -> Drawn:
        """Raises OutputError where the folder cannot be made."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{self._folder}: cannot be made ({error.strerror}); choose another place") from None
        self._film = open_writer(self._folder / FILM, self._size, self._fps)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            with writing(self._folder / FILM):
                self._film.close()
            return
        with suppress(OSError):  # what went wrong first is told
            self._film.close()

    def see(self, frame: Frame, events: Sequence[Event]) -> None:
        """Takes a frame that the tracker has taken, and what it told of it. Raises OutputError."""
        if not self._begun:
            self._begun = True
            self._forget_another_film()
        image = self._tracker.draw_overlay(frame.image)
        with writing(self._folder / FILM):
            self._film.write(image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2])
        self.tell(events)

    def tell(self, events: Sequence[Event]) -> None:
        """Draws the shots that have just been told. Raises OutputError where a picture cannot be written."""
        told = self._tracker.explained
        if told is not None and any(isinstance(e, ShotEnded) and e.shot == told.number for e in events):
            path = self._folder / f"shot-{told.number}.png"
            with writing(path):
                path.write_bytes(cv2.imencode(".png", self._draw(told))[1].tobytes())

    def _forget_another_film(self) -> None:
        for old in self._folder.iterdir():
            if PICTURE.fullmatch(old.name):
                with writing(old):
                    old.unlink()
