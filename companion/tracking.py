"""`paleo track`: a film to its event stream, whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from vision.pipeline import Tracker

from calibration.board import load_board
from calibration.lens import load_lens, read_json
from calibration.pose import pose_from_json
from vision.events import Event, event_to_line
from vision.frames import Frame
from vision.pacing import AHEAD_FRAMES, Drain
from vision.sources import OpenSource, open_source

PROGRESS_EVERY = 30  # frames between two showings of progress
Progress = Callable[[int, int | None], None]  # frames done, frames in all where known


class OutputError(OSError):
    """What was to be written could not be; one line: what, where, what to do."""


def track_film(
    clip: str, board_path: Path, lens_path: Path | None, calibration_path: Path | None, out: Path, progress: Progress
) -> str | None:
    """Tracks a film to its end and writes the event stream; returns a warning about the film, if there is one.

    Raises SourceError, BoardFileError, CalibrationError, BoardNotSeen or OutputError; then `out` is as it was.
    """
    board = load_board(board_path)
    lens = load_lens(lens_path) if lens_path else None
    pose = (
        pose_from_json(read_json(calibration_path, "calibration"), str(calibration_path)) if calibration_path else None
    )
    source = open_source(clip)
    tracker = Tracker(board, frame_size=source.size, fps=source.fps, pose=pose, lens=lens)
    with atomic_text(out) as file, decoded_ahead(source) as frames:
        for frame in frames:
            _write(file, tracker.update(frame))
            progress(frame.index + 1, source.frame_count)
        _write(file, tracker.finish())
    return source.warning


@contextmanager
def decoded_ahead(source: OpenSource) -> Iterator[Iterator[Frame]]:
    """The source's frames, decoded by a thread a few frames ahead; lets go of the source at the end."""
    ahead = Drain(source, drop=False, capacity=AHEAD_FRAMES)
    try:
        yield ahead.frames()
    finally:
        if ahead.stop():
            source.close()


@contextmanager
def atomic_text(out: Path) -> Iterator[TextIO]:
    """A file that appears under its name only when all of it is written and on the disk.

    It grows beside its place and is renamed at the end; on any error or interrupt it is removed.
    Raises OutputError where it cannot be written.
    """
    if out.is_dir():
        raise OutputError(f"{out}: this is a folder, but a file is to be written; name the file")
    if out.exists() and not out.is_file():
        with out.open("w", encoding="utf-8") as device:  # a pipe or /dev/stdout has nothing to rename
            yield device
        return
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=out.parent, prefix=f".{out.name}.", suffix=".part", delete=False
        ) as file:
            temporary = Path(file.name)
            yield file  # type: ignore[misc]
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(out)
    except OSError as error:
        if isinstance(error, OutputError) or error.errno is None:
            raise
        raise OutputError(
            f"{out}: cannot be written ({error.strerror}); check the folder, its permissions and the free space"
        ) from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def terminal_progress(stream: TextIO = sys.stderr) -> Progress:
    """Progress in one line that is written over; silent where the stream is no terminal."""
    if not stream.isatty():
        return lambda done, total: None

    def show(done: int, total: int | None) -> None:
        if done % PROGRESS_EVERY:
            return
        share = f"{done / total:4.0%} " if total else ""
        stream.write(f"\r{share}{done} frames\033[K")
        stream.flush()

    return show


def _write(file: TextIO, events: list[Event]) -> None:
    for event in events:
        file.write(event_to_line(event) + "\n")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
