"""`paleo track`: a film to its event stream, whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from calibration.board import load_board
from calibration.lens import CalibrationError, load_lens
from calibration.store import load_calibration
from companion.atomic import atomic_text
from vision.events import Event, event_to_line
from vision.frames import Frame
from vision.memory import one_heap
from vision.pacing import Drain, ahead_for
from vision.pipeline import Tracker
from vision.sources import OpenSource, open_source

if TYPE_CHECKING:
    from companion.drawn import Drawn

NO_PUCK = (
    "{clip}: the board was found, but no puck was ever seen on it; expected pucks of the colours and the size that "
    "{board} tells: check that it is this board's file, and this camera's lens"
)
PROGRESS_EVERY = 30  # frames between two showings of progress
Progress = Callable[[int, int | None], None]  # frames done, frames in all where known


def track_film(
    clip: str, board_path: Path, lens_path: Path | None, calibration_path: Path | None, out: Path, progress: Progress,
    drawing: Callable[[Tracker, OpenSource], Drawn] | None = None,
) -> list[str]:  # fmt: skip
    """Tracks a film to its end and writes the event stream; returns the warnings about film and board.

    drawing: opens what draws a picture of each shot, and a film with what was seen drawn on it.
    Raises SourceError, BoardFileError, CalibrationError, BoardNotSeen or OutputError; then `out` is as it was.
    """
    board = load_board(board_path)
    lens = load_lens(lens_path) if lens_path else None
    pose = load_calibration(calibration_path) if calibration_path else None
    source = open_source(clip)
    told: list[str] = []
    with naming(clip):
        tracker = Tracker(board, frame_size=source.size, fps=source.fps, pose=pose, lens=lens, tell=told.append,
                          straight=True)  # fmt: skip
    drawn = drawing(tracker, source) if drawing is not None else None
    pucks = False
    with atomic_text(out) as file, decoded_ahead(source, tracker) as frames, drawn or nullcontext():
        for frame in frames:
            events = tracker.update(frame)
            pucks = pucks or tracker.has_pucks
            _write(file, events)
            if drawn is not None:
                drawn.see(frame, events)
            progress(frame.index + 1, source.frame_count)
        with naming(clip):
            events = tracker.finish()
        _write(file, events)
        if drawn is not None:
            drawn.tell(events)
    film = source.warning
    if not film and not pucks:
        film = f"{clip}: {tracker.unrested}" if tracker.unrested else NO_PUCK.format(clip=clip, board=board_path)
    return [*(f"{clip}: {doubt}" for doubt in told), *([film] if film else [])]


@contextmanager
def naming(clip: str) -> Iterator[None]:
    """What does not fit a film, or is not seen in it, is told with the film's name. Raises CalibrationError."""
    try:
        yield
    except CalibrationError as error:
        raise CalibrationError(f"{clip}: {error}") from None


@contextmanager
def decoded_ahead(source: OpenSource, tracker: Tracker) -> Iterator[Iterator[Frame]]:
    """The source's frames, decoded and readied for a tracker by a thread a few frames ahead; lets go of the source at
    the end.

    From then on all threads of the process share one heap.
    """
    one_heap()
    ahead = Drain(source, drop=False, capacity=ahead_for(source.size), readied=tracker.readied)
    try:
        yield ahead.frames()
    finally:
        if ahead.stop():
            source.close()


def terminal_progress(stream: TextIO = sys.stderr, tell: Callable[[str], str] = str) -> Progress:
    """Progress in one line that is written over; silent where the stream is no terminal.

    tell: puts a line into the language of whoever reads it.
    """
    if not stream.isatty():
        return lambda done, total: None

    def show(done: int, total: int | None) -> None:
        if done % PROGRESS_EVERY:
            return
        told = f"{100 * done / total:.0f} % of the film, {done} frames" if total else f"frames so far: {done}"
        stream.write(f"\r{tell(told)}\033[K")
        stream.flush()

    return show


def _write(file: TextIO, events: list[Event]) -> None:
    for event in events:
        file.write(event_to_line(event) + "\n")
