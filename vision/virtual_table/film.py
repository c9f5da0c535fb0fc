"""Films of the virtual table, with the truth beside them."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Protocol

import cv2

from calibration.board import default_board_path, load_board
from vision.frames import Image
from vision.virtual_table.boards import random_board_text
from vision.virtual_table.director import AS_PLANNED, Director
from vision.virtual_table.looks import Look, look_for
from vision.virtual_table.table import VirtualTable

CODING = {"crf": "20", "preset": "veryfast"}  # x264's
LONGEST_S = 600.0  # a director that never comes to an end would fill the disk
KNOCK_AFTER_S = (4.0, 12.0)  # when a camera is knocked, where it is to be
RECORDING = "recording.json"  # lies beside what a camera has recorded

Progress = Callable[[float, float], None]


class FilmError(OSError):
    """A film cannot be written; the message says where, why, and what to do."""


class FilmWriter(Protocol):
    def write(self, image: Image) -> None:
        """Adds one (H, W, 3) BGR frame."""

    def close(self) -> None:
        """Finishes the file."""


class _AvWriter:
    """H.264 through PyAV."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float, coding: Mapping[str, str]) -> None:
        import av

        self._frame = av.VideoFrame
        self.container = av.open(str(path), "w", format="mp4")
        self.stream = self.container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
        self.stream.width, self.stream.height = size
        self.stream.pix_fmt = "yuv420p"
        self.stream.options = dict(coding)
        self._sound = True

    def write(self, image: Image) -> None:
        self._take(self._frame.from_ndarray(image, format="bgr24"))

    def close(self) -> None:
        if self._sound:
            self._take(None)
        self.container.close()

    def _take(self, frame: Any) -> None:
        """Codes a frame, or the last ones. A file whose beginning could not be written takes the program down with
        whatever is written after it: it is given no more."""
        self._sound = False
        self.container.mux(self.stream.encode(frame))
        self._sound = True


class _CvWriter:
    """MPEG-4 through OpenCV, where PyAV is not installed."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float) -> None:
        self.writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
        if not self.writer.isOpened():
            raise FilmError(f"{path}: OpenCV cannot write MPEG-4 here; install the film extra (PyAV)")

    def write(self, image: Image) -> None:
        self.writer.write(image)

    def close(self) -> None:
        self.writer.release()


def open_writer(
    path: Path, size: tuple[int, int], fps: float, coding: Mapping[str, str] = MappingProxyType(CODING)
) -> FilmWriter:
    """H.264, coded as x264's options say, where PyAV is installed, else MPEG-4."""
    try:
        return _AvWriter(path, size, fps, coding)
    except ImportError:
        return _CvWriter(path, size, fps)


def side_files(out: Path) -> dict[str, Path]:
    """Where board, lens and truth go: beside clip.mp4 under their plain names, else under the film's own name."""
    prefix = "" if out.name == "clip.mp4" else out.stem + "."
    return {name: out.parent / f"{prefix}{name}" for name in ("board.toml", "lens.json", "truth.json")}


def make_film(out: Path, *, board_path: Path | None = None, seed: int = 0, shots: int = 8, tier: str = "standard",
              seconds: float | None = None, progress: Progress | None = None,
              random_board: bool = False, look: Look | None = None,
              pace: Sequence[float] = AS_PLANNED, deeds: int = 0) -> dict[str, Any]:  # fmt: skip
    """Films play on the virtual table, and writes the truth beside it; gives the truth.

    seconds: the film's length (else it ends after the last shot); progress(done, total) is called now and then.
    random_board: on a made-up board, drawn by seed. look: the camera and its room, else the tier's: a seed plays the
    same shots whatever the camera. pace, deeds: as the director's.
    Raises BoardFileError, ValueError for an unknown tier, FilmError.
    """
    out = Path(out)
    _leave_recordings_alone(out)
    if random_board:
        text = random_board_text(seed)
    else:
        load_board(board_path := board_path or default_board_path())  # which tells what is wrong with it by its name
        text = board_path.read_text(encoding="utf-8-sig")
    with _Unfinished(out) as files:
        files["board.toml"].write_text(text, encoding="utf-8")
        board = load_board(files["board.toml"])
        table = VirtualTable(board, seed=seed, look=look or look_for(tier, seed), layout="scattered",
                             seconds=seconds or LONGEST_S, keep_positions=True, tidy=False)  # fmt: skip
        if table.look.knock:
            table.knock(KNOCK_AFTER_S[0] + (KNOCK_AFTER_S[1] - KNOCK_AFTER_S[0]) * table.rng.random())
        writer = open_writer(files["clip"], table.size, table.fps)
        try:
            for image in _directed(table, Director(table, shots, seed, pace, deeds), seconds, shots, progress):
                writer.write(image)
        finally:
            writer.close()
        truth = table.truth()
        files["lens.json"].write_text(json.dumps(table.lens.to_json()), encoding="utf-8")
        files["truth.json"].write_text(json.dumps(truth), encoding="utf-8")
    return truth


def _directed(table: VirtualTable, director: Director, seconds: float | None, shots: int,
              progress: Progress | None) -> Iterator[Image]:  # fmt: skip
    frames = table.frames()
    while seconds is not None or not director.done():
        director.step()
        frame = next(frames, None)
        if frame is None:
            return
        if progress is not None and frame.index % 30 == 0:
            progress(
                *((frame.time_s, seconds) if seconds is not None else (float(shots - director.left), float(shots)))
            )
        yield frame.image


def _leave_recordings_alone(out: Path) -> None:
    """Raises FilmError where a film would take the place of what a camera has recorded."""
    if not (out.parent / RECORDING).exists():
        return
    if there := next((path for path in (out, *side_files(out).values()) if path.exists()), None):
        raise FilmError(
            f"{there}: this is a part of a camera's recording ({RECORDING} lies beside it), which a film of the "
            "virtual table would replace; give another folder or another name"
        )


class _Unfinished:
    """Files written under other names beside their places, and moved there together once all is well."""

    def __init__(self, out: Path) -> None:
        self.targets = {"clip": out, **side_files(out)}

    def __enter__(self) -> dict[str, Path]:
        folder = self.targets["clip"].parent
        for target in self.targets.values():
            if target.is_dir():
                raise FilmError(f"{target}: this is a folder, but a file is to be written; give the film another name")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.folder = tempfile.TemporaryDirectory(prefix=".film-", dir=folder)
        except OSError as error:
            raise FilmError(f"{folder}: cannot write there ({error.strerror}); choose another place") from None
        return {
            name: Path(self.folder.name) / (path.name if name != "clip" else "clip.mp4")
            for name, path in self.targets.items()
        }

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        out = self.targets["clip"]
        try:
            if isinstance(error, OSError) and not isinstance(error, FilmError):
                raise error
            if kind is None:
                for name, target in self.targets.items():
                    os.replace(Path(self.folder.name) / (target.name if name != "clip" else "clip.mp4"), target)
        except OSError as why:
            reason = why.strerror or why
            raise FilmError(f"{out}: cannot be written ({reason}); check the folder and the free space") from None
        finally:
            self.folder.cleanup()


def progress_on(tell: Callable[[str], str] = str, stream: Any = sys.stderr) -> Progress:
    """Progress as one line that rewrites itself. tell: puts it into the language of whoever reads it."""

    def show(done: float, total: float) -> None:
        told = f"film: {done:.0f} of {total:.0f}"
        stream.write(f"\r{tell(told)}\033[K")
        stream.flush()

    return show
