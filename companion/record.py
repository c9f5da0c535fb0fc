"""`paleo record`: the camera's film with all that is needed to read it, kept as it comes."""

from __future__ import annotations

import shlex
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from calibration.board import load_board
from calibration.lens import load_lens
from calibration.store import load_calibration, save_lens
from companion.config import CompanionConfig
from companion.recorded import LENS, about_camera, begin, finish, put_about, taken_away
from companion.serving import with_kept_calibration
from vision.camera_settings import load_settings
from vision.film_file import RecordError, need_pyav
from vision.frames import Frame, FrameSource, Through
from vision.recorder import LONGEST_GAP_S, Kept, Recorded, Recorder
from vision.sources import DeviceSource, SourceError, open_source
from vision.virtual_table.director import Director
from vision.virtual_table.table import VirtualTable

VIRTUAL_S = 30.0  # how long the virtual table is filmed where nothing else is told
MANY_SHOTS = 100_000  # more than any disk holds: players at the virtual table go on until they are stopped
SHOW_EVERY_S = 0.5  # the line that tells how far it is
MEGA = 1e6  # bytes
ENDING = (signal.SIGINT, signal.SIGTERM)  # what ends a recording politely


class Directed(Through):
    """The virtual table with simulated hands that play, as a source."""

    def __init__(self, table: VirtualTable, seed: int) -> None:
        super().__init__(table)
        self.table = table
        self._director = Director(table, MANY_SHOTS, seed)

    def frames(self) -> Iterator[Frame]:
        """The table's frames."""
        frames = self.table.frames()
        while True:
            self._director.step()
            frame = next(frames, None)
            if frame is None:
                return
            yield frame


@dataclass(frozen=True, slots=True)
class Result:
    """What a recording came to: the pictures of its film at an even rate, and what the recorder says.

    cut_short: it ended before it was to, and why was told.
    """

    folder: Path
    frames: int
    fps: float
    film_bytes: int
    kept: Kept
    cut_short: bool = False

    def __str__(self) -> str:
        again = f", {self.kept.again} shown again where the camera gave none" if self.kept.again else ""
        return (f"{self.folder}: {self.frames / self.fps:.1f} s, {self.frames} pictures at {self.fps:g} a second, "
                f"{self.film_bytes / MEGA:.1f} MB; {self.kept.lost} lost{again}. No sound is kept. Next: paleo label "
                f"{shlex.quote(str(self.folder))}")  # fmt: skip


def record(
    config: CompanionConfig, out: Path, seconds: float | None, most_bytes: int, away_s: float = LONGEST_GAP_S,
    tell: Callable[[str], str] = str,
) -> Result:  # fmt: skip
    """Keeps a source's film until it ends, `seconds` are over, or the keyboard interrupts; then puts it together.

    away_s: a stream that has given no picture for so long has ended; until then it is connected again. tell: a line as
    it is said, in the language of whoever reads it.
    Raises SourceError, BoardFileError, CalibrationError or RecordError; nothing is made then, but where a film that was
    kept cannot be put together.
    """
    need_pyav()
    board = load_board(config.board_path)
    config = with_kept_calibration(config)
    lens = load_lens(config.lens_path) if config.lens_path is not None else None
    pose = load_calibration(config.calibration_path) if config.calibration_path is not None else None
    virtual = config.camera == "virtual"
    if virtual:
        seconds = seconds or VIRTUAL_S
        table = VirtualTable(board, size=config.resolution, fps=config.fps, seed=config.seed, layout="scattered",
                             seconds=seconds, tidy=False)  # fmt: skip
        source: FrameSource = Directed(table, config.seed)
    else:
        source = _open(config, away_s)
    try:
        for measured in (lens, pose):
            if measured is not None:
                measured.for_size(source.size)
        patient = virtual or getattr(source, "frame_count", None) is not None
        settings = [str(setting) for setting in source.settings] if isinstance(source, DeviceSource) else []
        about = {**about_camera(config.camera, source.size), "settings": settings}
        begin(out, about, config.board_path, config.lens_path, config.calibration_path)
        with taken_away(out):
            if virtual and config.lens_path is None:
                save_lens(out / LENS, table.lens)
            recorder = Recorder(out, source, patient=patient, most_bytes=most_bytes)
        return _keep(source, out, recorder, seconds, tell)
    finally:
        source.close()


def _open(config: CompanionConfig, away_s: float) -> FrameSource:
    settings = load_settings(config.settings_path) if config.settings_path else None
    return open_source(config.camera, clock=time.monotonic, size=config.resolution, fps=config.fps, live=True,
                       away_s=away_s, settings=settings)  # fmt: skip


def _keep(
    source: FrameSource, out: Path, recorder: Recorder, seconds: float | None, tell: Callable[[str], str]
) -> Result:
    show = _progress(tell)
    first_s: float | None = None
    broke_off: str | None = None
    with _interrupted_once():
        try:
            for frame in Recorded(source, recorder).frames():
                first_s = frame.time_s if first_s is None else first_s
                kept = recorder.kept
                show(frame.time_s - first_s, kept)
                if kept.ended or (seconds is not None and frame.time_s - first_s + 1 / source.fps >= seconds):
                    break
        except KeyboardInterrupt:  # Ctrl-C, or a polite kill
            pass
        except SourceError as error:
            broke_off = str(error)
        finally:
            kept = recorder.close()
    for line in (kept.ended, broke_off):
        if line:
            sys.stderr.write(f"paleo: {tell(line)}\n")
    if not kept.frames:
        shutil.rmtree(out)  # only what begin() has made, and a film without a picture
        raise RecordError(f"{out}: no film was kept, and the folder is taken away again; record it anew")
    said = finish(out)
    put_about(out, {**said, "lost": kept.lost})
    cut_short = broke_off is not None or (kept.ended is not None and not kept.full)
    return Result(out, said["frames"], said["fps"], (out / "clip.mp4").stat().st_size, kept, cut_short)


@contextmanager
def _interrupted_once() -> Iterator[None]:
    """Of Ctrl-C and polite kills only the first interrupts: whoever presses twice would cut off the film's end."""
    if threading.current_thread() is not threading.main_thread():  # which alone hears of them
        yield
        return

    def interrupt(_signal: int, _frame: object) -> None:
        for one in before:
            signal.signal(one, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {one: handler for one in ENDING if callable(handler := signal.getsignal(one))}  # not where it is ignored
    for one in before:
        signal.signal(one, interrupt)
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _progress(tell: Callable[[str], str]) -> Callable[[float, Kept], None]:
    """One line on a terminal that is written over; silent elsewhere."""
    if not sys.stderr.isatty():
        return lambda time_s, kept: None
    due = [0.0]

    def show(time_s: float, kept: Kept) -> None:
        if time.monotonic() >= due[0]:
            due[0] = time.monotonic() + SHOW_EVERY_S
            told = tell(f"{time_s:.0f} s  {kept.film_bytes / MEGA:.0f} MB  {kept.lost} lost  (Ctrl-C ends it)")
            sys.stderr.write(f"\r{told}\033[K")
            sys.stderr.flush()

    return show
