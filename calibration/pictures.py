"""Pictures for a calibration: files, folders, patterns of names, or a film. The only place here that reads them."""

from __future__ import annotations

import glob
import math
import os
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import CalibrationError

Image = NDArray[np.uint8]

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"})
FILM_LOOKS = 400  # frames of a film that are looked at, spread evenly over it
STANDARD_ERROR = 2  # its number, by which libraries know it
CUT_OFF = "the picture is cut off, a part of it is missing; copy the file anew, or take the picture again"
TORN = (b"remature end", b"buffer is incomplete")  # what libjpeg and libpng say of a picture that is cut off
OF_LIBRARIES = (b"jpeg", b"png", b"opencv", b"tiff")  # what the lines that libraries for pictures write have in them
JPEG, JPEG_SCAN, JPEG_END = b"\xff\xd8\xff", b"\xff\xda", b"\xff\xd9"  # how it begins, its pixels do, and it ends
TAIL = 0.98  # frames are counted by the container; the last few may be missing

# OpenCV and FFmpeg write their complaints straight to standard error; ours say the same in one line
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

_LISTENING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and the name by which messages call it; image: (H, W, 3) BGR; seconds: where in a film, or None."""

    name: str
    image: Image
    seconds: float | None = None

    @property
    def size(self) -> tuple[int, int]:
        return self.image.shape[1], self.image.shape[0]


def read_pictures(inputs: str | Path | Iterable[str | Path]) -> Iterator[Picture]:
    """Reads pictures one by one, in order of their names; of a film, frames spread over it.

    inputs: files, folders, patterns such as "views/*.jpg", or a film. Raises CalibrationError where there is nothing
    to read or a file is neither picture nor film.
    """
    paths = read_from(inputs)
    names = Counter(path.name for path in paths)
    for path in paths:
        yield from _read(path, path.name if names[path.name] == 1 else str(path))


def read_from(inputs: str | Path | Iterable[str | Path]) -> list[Path]:
    """The files that are read for such inputs, in order. Raises CalibrationError where there are none."""
    paths = [p for one in ([inputs] if isinstance(inputs, str | Path) else inputs) for p in _paths(one)]
    if not paths:
        raise CalibrationError("no pictures given; expected picture files, a folder of them, or a film")
    return paths


def read_still_frames(path: str | Path, count: int) -> list[Picture]:
    """A picture, or the first `count` frames of a film a third of a second apart (all are read if it is shorter)."""
    one = Path(path)
    if one.suffix.lower() in PICTURE_ENDINGS:
        return list(_read(_existing(one), one.name))[:1]
    with_film = _Film(_existing(one))
    step = max(round(with_film.fps / 3), 1)
    return list(with_film.frames(step, count))


def read_film(path: str | Path, most: int) -> tuple[float, Iterator[Image]]:
    """A film's rate and its first frames, one by one. Raises CalibrationError where it is no film."""
    one = _existing(Path(path))
    if one.suffix.lower() in PICTURE_ENDINGS:
        raise CalibrationError(f"{path}: this is a picture; expected a film of the board of some seconds")
    film = _Film(one)
    return film.fps, (picture.image for picture in film.frames(1, most))


def _paths(one: str | Path) -> list[Path]:
    path = Path(one)
    if path.is_dir():
        inside = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURE_ENDINGS)
        if not inside:
            raise CalibrationError(f"{path}: no pictures in this folder; expected files that end in .jpg or .png")
        return inside
    if path.exists():
        return [path]
    matches = sorted(glob.glob(str(one)))
    if matches:
        return [Path(m) for m in matches]
    raise CalibrationError(f"{path}: not found; expected pictures, a folder of pictures, or a film")


def _existing(path: Path) -> Path:
    if path.is_dir():
        raise CalibrationError(f"{path}: this is a folder; expected a picture or a film")
    if not path.exists():
        raise CalibrationError(f"{path}: not found; expected a picture or a film")
    return path


def _read(path: Path, name: str) -> Iterator[Picture]:
    if path.suffix.lower() in PICTURE_ENDINGS:
        try:
            data = np.fromfile(path, dtype=np.uint8)
        except OSError as error:
            raise CalibrationError(f"{path}: cannot be read ({error.strerror})") from None
        try:
            image = decoded(data)
        except CalibrationError as error:
            raise CalibrationError(f"{path}: {error}") from None
        if image is None:
            raise CalibrationError(f"{path}: not a picture, or damaged; expected a JPEG or PNG file")
        yield Picture(name, image)
    else:
        film = _Film(path, name)
        yield from film.frames(math.ceil(film.count / FILM_LOOKS), FILM_LOOKS)


def decoded(data: NDArray[np.uint8] | bytes, how: int = cv2.IMREAD_COLOR) -> Image | None:
    """The picture (H, W, 3) BGR that a file's bytes hold, None where it is none or damaged. how: OpenCV's flags.

    Raises CalibrationError where it is cut off: libraries make the rest of a JPEG grey.
    """
    packed, said = np.frombuffer(data, dtype=np.uint8), list[bytes]()
    try:
        with _overheard(said):
            image = cv2.imdecode(packed, how) if len(packed) else None
    except cv2.error:  # wider or higher than OpenCV reads any
        image = None
    if any(sign in one for one in said for sign in TORN) or (image is None and _lacks_its_end(packed.tobytes())):
        raise CalibrationError(CUT_OFF)
    return None if image is None else np.asarray(image, dtype=np.uint8)


def _lacks_its_end(data: bytes) -> bool:
    """Whether no end comes after the last beginning of a JPEG's pixels; that of a thumbnail before them is none."""
    begins = data.rfind(JPEG_SCAN)
    return data.startswith(JPEG) and begins >= 0 and JPEG_END not in data[begins:]


@contextmanager
def _overheard(said: list[bytes]) -> Iterator[None]:
    """Takes what libraries for pictures write straight to standard error, where it tells a person nothing, into a list.

    They tell there alone that a JPEG is cut off. One thread listens at a time; what others write is passed on.
    """
    with ExitStack() as stack:
        stack.enter_context(_LISTENING)
        try:
            shown = os.dup(STANDARD_ERROR)
            stack.callback(os.close, shown)
            kept = stack.enter_context(tempfile.TemporaryFile())
        except OSError:  # there is none, or no room
            yield
            return
        os.dup2(kept.fileno(), STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(shown, STANDARD_ERROR)
        kept.seek(0)
        lines = kept.read().splitlines(keepends=True)
        said += [line for line in lines if any(word in line.lower() for word in OF_LIBRARIES)]
        for line in lines:
            if line not in said:
                os.write(STANDARD_ERROR, line)


def no_text(path: str) -> str:
    """What is to be said of a path whose bytes are no text, with which OpenCV takes the whole program down; else
    nothing."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return f"{path}: this path has signs that are no text; rename what has them, in plain letters"
    return ""


class _Film:
    """A video file, read from its beginning; name: by which its pictures are called."""

    def __init__(self, path: Path, name: str = "") -> None:
        if path.stat().st_size == 0:
            raise CalibrationError(f"{path}: the file is empty; expected a picture or a film")
        if why := no_text(str(path)):
            raise CalibrationError(why)
        self._path, self._name, self._capture = path, name or path.name, cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CalibrationError(f"{path}: neither a picture nor a film that can be read")
        self.fps = float(self._capture.get(cv2.CAP_PROP_FPS)) or 30.0

    @property
    def count(self) -> int:
        """How many frames it holds, 1 and more: as its container says, or counted where that does not tell, as what a
        browser or a program that was killed has recorded."""
        told = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT) * TAIL)
        if told > 0:
            return told
        counting, seen = cv2.VideoCapture(str(self._path)), 0
        while counting.grab():
            seen += 1
        counting.release()
        return max(seen, 1)

    def frames(self, step: int, most: int) -> Iterator[Picture]:
        """Every step-th frame, at most so many. Raises CalibrationError where the film has no frame at all."""
        number = given = 0
        try:
            while given < most and self._capture.grab():
                if number % step == 0:
                    ok, image = self._capture.retrieve()
                    if ok:
                        given += 1
                        seconds = (number + 0.5) / self.fps
                        name = f"{self._name} at {seconds:.2f} s"
                        yield Picture(name, np.asarray(image, dtype=np.uint8), seconds)
                number += 1
        finally:
            self._capture.release()
        if given == 0:
            raise CalibrationError(f"{self._path}: no frame can be read; expected a film")
