"""Where frames come from: films, cameras and streams, through cv2.VideoCapture. The only module that opens one."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from calibration.pictures import no_text
from vision.backlog import in_rhythm
from vision.camera_settings import CameraSettings, apply_settings
from vision.coded_pictures import CodedPictures
from vision.decoder_words import words
from vision.film_tracks import counts_from_zero, picture_tracks
from vision.frames import Frame, FrameSource, Image
from vision.pacing import capacity_for
from vision.stamps import FROZEN_S, FrozenPictures, StreamClock
from vision.tears import Tears, told_damage

Clock = Callable[[], float]  # seconds, from any start, never backwards

OPEN_TIMEOUT_MS = 5000  # a stream that answers no sooner is treated as not there
READ_TIMEOUT_MS = 5000  # a stream silent for longer has gone away
PLAUSIBLE_FPS = (1.0, 1000.0)  # outside this a container's frame rate is a lie
MOST_DIGITS = 9  # of a camera's number: OpenCV cannot count to 2 ** 31
LIVE_FPS = 30.0  # assumed of a camera that does not tell
BREAK_OFF_FRAMES = 2  # containers may count a frame or two that no decoder gives
EVEN_FRAMES = 0.5  # further than this off its place in an even film a picture is none of such a film
DAMAGE_READS = 250  # reads tried past a damaged stretch of a film before it is given up (a key frame comes sooner)
RECONNECT_S = (0.5, 1.0, 2.0, 4.0)  # waits between attempts at a lost stream; the last one repeats
ONE_DECODER = (cv2.CAP_PROP_N_THREADS, 1)  # a film is decoded ahead anyway: more hold 25 MiB of frames at 1080p
FIRST_FRAME = getattr(cv2, "CAP_PROP_PTS", -1)  # before OpenCV 4.11 it is not told
STREAM_SCHEMES = ("http://", "https://", "rtsp://", "rtsps://", "rtmp://", "udp://", "tcp://", "srt://")


class SourceError(Exception):
    """A source cannot be opened, or stopped giving pictures; one line: what, where, what to do."""


class ResizedError(SourceError):
    """A live source's pictures have another size than at first: nothing is broken, it is to be opened anew."""

    def __init__(self, name: str, first: tuple[int, int], now: tuple[int, int]) -> None:
        sizes = [f"{width}x{height}" for width, height in (first, now)]
        super().__init__(f"{name}: the pictures' size changed from {sizes[0]} to {sizes[1]}; open it anew")


class OpenSource(FrameSource, Protocol):
    """A source that was opened, and how many frames it promises (None: not known, or no end)."""

    @property
    def frame_count(self) -> int | None:
        """Frames that the container promises."""

    @property
    def warning(self) -> str | None:
        """One line about what went wrong without stopping the work; known once frames() ended."""


def open_source(
    text: str,
    *,
    clock: Clock = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    size: tuple[int, int] | None = None,
    fps: float | None = None,
    live: bool = False,
    away_s: float = math.inf,
    settings: CameraSettings | None = None,
) -> OpenSource:
    """Opens what `text` names: a device number, a stream's address, or a film's path.

    size, fps, settings: asked of a device, which may answer otherwise. live: a stream that breaks off is connected
    again, until it has given no picture for away_s.
    Raises SourceError with one line for a person.
    """
    if text.isdecimal():
        return DeviceSource(_device_number(text), clock=clock, size=size, fps=fps, settings=settings)
    if text.lower().startswith(STREAM_SCHEMES):
        _refuse_what_is_no_text(text)
        capture = _open_stream(text)
        if _frame_count(capture) is not None:
            return FileSource(text, capture)
        return StreamSource(text, capture, clock=clock, sleep=sleep, reconnect=live, away_s=away_s)
    return open_film(Path(text))


def _device_number(text: str) -> int:
    """The number of a camera. Raises SourceError where OpenCV cannot count so far."""
    if len(text.lstrip("0")) > MOST_DIGITS:
        raise SourceError(f"camera {text[:MOST_DIGITS]}…: no such camera; expected a small number, such as 0")
    return int(text)


def open_film(path: Path) -> FileSource:
    """Opens a film. Raises SourceError where it is missing, empty, a folder, a picture, or no film."""
    _refuse_what_is_no_file(path)
    name = str(path.resolve())
    _refuse_what_is_no_text(name)
    if cv2.haveImageReader(name):
        raise SourceError(f"{path}: this is a picture, but a film is needed; give a video file such as clip.mp4")
    capture = cv2.VideoCapture(name, cv2.CAP_FFMPEG, ONE_DECODER)
    if not capture.isOpened():
        raise SourceError(
            f"{path}: no film can be read from this file; it is damaged, cut off, or no video: "
            "copy it again or convert it to MP4"
        )
    _refuse_the_wrong_track(path)
    again = cv2.VideoCapture(name, cv2.CAP_FFMPEG, ONE_DECODER)
    again.set(cv2.CAP_PROP_ORIENTATION_AUTO, 0)  # of a film that is marked as turned, OpenCV turns the code itself, too
    return FileSource(str(path), capture, again, from_zero=counts_from_zero(path))


def _refuse_the_wrong_track(path: Path) -> None:
    """Of a film with several tracks of pictures the first is read. Raises SourceError where that is a lesser one."""
    tracks = picture_tracks(path)
    best = max(tracks, key=lambda track: track.pixels, default=None)
    if best is None or best.pixels == tracks[0].pixels:
        return
    seen = ", ".join(f"{t.size[0]}x{t.size[1]} with {t.pictures} pictures" for t in tracks)
    raise SourceError(
        f"{path}: the film has {len(tracks)} tracks of pictures ({seen}), and only the first one can be read; expected "
        f"the {best.size[0]}x{best.size[1]} one alone: ffmpeg -i {shlex.quote(str(path))} "
        f"-map 0:v:{tracks.index(best)} -c copy one.mp4"
    )


def _refuse_what_is_no_file(path: Path) -> None:
    try:
        if path.is_dir():
            raise SourceError(f"{path}: this is a folder, but a film is needed; name the video file in it")
        if not path.exists():
            raise SourceError(f"{path}: there is no such file; check the film's path")
        with path.open("rb") as file:
            first = file.read(1)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}); check the path and its permissions") from None
    if path.is_file() and not first:
        raise SourceError(f"{path}: this file is empty; copy the film again")


def _refuse_what_is_no_text(name: str) -> None:
    if why := no_text(name):
        raise SourceError(why)


class FileSource:
    """A film: frame n shows the moment (n + 0.5) / frame rate.

    Where the pictures of a film do not come evenly, as of a phone that films slower in the dark, the frame rate is the
    average, and a picture's own time stamp counts. Frames that cannot be decoded are left out and counted in the next
    one's `missed`; a film that breaks off before its container says is read as far as it goes, and `warning` then says
    so. Pictures of which the decoder made up a part, as the film is damaged, are given as torn, and told, too.
    """

    def __init__(
        self, name: str, capture: cv2.VideoCapture, again: cv2.VideoCapture | None = None, *, from_zero: bool = False
    ) -> None:
        """again: the film opened once more, where it is a file, whose code is looked at; from_zero: frames are counted
        from time 0 on, even where the first picture comes later. Raises SourceError where the film tells no likely
        frame rate, or no picture of it can be decoded."""
        self._name = name
        self._capture = capture
        self._fps = float(capture.get(cv2.CAP_PROP_FPS))
        self._count = _frame_count(capture)
        if not PLAUSIBLE_FPS[0] <= self._fps <= PLAUSIBLE_FPS[1]:
            raise SourceError(f"{name}: the film tells no frame rate ({self._fps:g}); convert it to MP4")
        self._coded = CodedPictures(again, 1000 / self._fps) if again is not None else None
        words.listen()
        self._tears = Tears()
        self._first: Image | None = self._decode()
        if self._first is None:
            raise SourceError(f"{name}: the film holds no picture that can be decoded; copy it again or convert it")
        if from_zero and self._count is not None:
            self._count -= min(max(round(capture.get(FIRST_FRAME)), 0), self._count - 1)
        self._size = _size(self._first)
        self._uneven = False  # until a picture shows it
        self.warning: str | None = None

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    @property
    def fps(self) -> float:
        return self._fps

    @property
    def frame_count(self) -> int | None:
        return self._count

    def frames(self) -> Iterator[Frame]:
        """Frames in order; see the class. Raises SourceError where pictures are interlaced."""
        image, self._first = self._first, None
        index, number, last = 0, -1, -1.0  # place: frame numbers, between them where the pictures come unevenly
        while image is not None:
            if _size(image) == self._size:
                place = self._place(number, last)
                shown = max(number, round(place))
                time_s = (place + 0.5) / self._fps
                torn = self._tears.look(time_s, self._kind(), self._is_damaged())
                yield Frame(index, time_s, image, missed=max(0, shown - number - 1), torn=torn)
                index, number, last = index + 1, shown, place
            image = self._read_past_damage(number)
        self._note_break_off(number + 1)
        if self._tears.spans:
            damage = f"{self._name}: {told_damage(self._tears.spans)}"
            self.warning = damage if self.warning is None else f"{self.warning}; {told_damage(self._tears.spans)}"

    def close(self) -> None:
        self._capture.release()
        if self._coded is not None:
            self._coded.close()

    def _is_damaged(self) -> bool:
        """True where the last picture's code is damaged, or that of one since the picture before."""
        return self._coded is not None and self._coded.damaged_by(self._capture.get(cv2.CAP_PROP_POS_MSEC))

    def _place(self, number: int, last: float) -> float:
        """The frame's number by its time stamp, which runs ahead of the count where frames were lost.

        number, last: the frame before's, whole and as it was. Stamps that lie near an even film's are taken for such;
        one that does not go on from the frame before tells nothing.
        """
        counted = math.floor(last) + 1
        stamp_ms = self._capture.get(cv2.CAP_PROP_POS_MSEC)
        if not math.isfinite(stamp_ms) or stamp_ms < 0:
            return counted
        stamped = min(stamp_ms / 1000 * self._fps, (self._count or 1 << 62) - 1)
        even = max(number + 1, round(stamped))
        if stamped <= last:
            return max(counted, even)
        self._uneven = self._uneven or abs(stamped - even) > EVEN_FRAMES
        return stamped if self._uneven else even

    def _decode(self) -> Image | None:
        left_out = words.left_out()
        with self._tears.heard():
            image = _read(self._capture)
        if words.left_out() > left_out:
            raise SourceError(
                f"{self._name}: pictures are woven of two fields (interlaced), which cannot be read here; expected "
                "whole ones, with their fields joined: "
                f"ffmpeg -i {shlex.quote(self._name)} -vf bwdif=send_field whole.mp4"
            )
        return image

    def _kind(self) -> str:
        """How the last picture was coded: I, P or B; empty where it is not told."""
        told = self._capture.get(cv2.CAP_PROP_FRAME_TYPE)
        return chr(int(told)) if told > 0 else ""

    def _read_past_damage(self, number: int) -> Image | None:
        """The next picture; within the promised length a few failures are read past, as after a damaged stretch."""
        image = self._decode()
        if image is not None or self._count is None:
            return image
        left = self._count - BREAK_OFF_FRAMES - (number + 1)
        for _ in range(min(left, DAMAGE_READS)):
            image = self._decode()
            if image is not None:
                return image
        return None

    def _note_break_off(self, seen: int) -> None:
        if self._count is not None and seen < self._count - BREAK_OFF_FRAMES:
            self.warning = (
                f"{self._name}: the film breaks off after {seen} of {self._count} frames "
                f"({seen / self._fps:.1f} s of {self._count / self._fps:.1f} s); only that much was used"
            )


class DeviceSource:
    """A camera at this machine. Frames are stamped when they arrive, by the clock passed in.

    Raises SourceError where it is not there or gives no picture; frames() does when the camera stops giving pictures,
    or repeats the same one for FROZEN_S, as drivers do after the plug was pulled. `settings` says what became of the
    settings that were asked for.
    """

    frame_count: int | None = None
    warning: str | None = None

    def __init__(
        self, number: int, *, clock: Clock, size: tuple[int, int] | None = None, fps: float | None = None,
        settings: CameraSettings | None = None,
    ) -> None:  # fmt: skip
        self._name = f"camera {number}"
        self._clock = clock
        self._capture = cv2.VideoCapture(number)
        if not self._capture.isOpened():
            raise SourceError(f"{self._name}: no such camera, or it is in use; plug it in, or see `paleo doctor`")
        _ask_of_device(self._capture, size, fps)
        first = _read(self._capture)
        if first is None:
            self._capture.release()
            raise SourceError(f"{self._name}: opened but gives no picture; close other programs that use it")
        self._size = _size(first)
        self._fps = _live_fps(self._capture)
        self.settings = apply_settings(self._capture, settings) if settings is not None else ()

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    @property
    def fps(self) -> float:
        return self._fps

    def frames(self) -> Iterator[Frame]:
        """Frames as they come, each stamped with its arrival; those that waited, see Backlog."""
        return in_rhythm(self._frames(), capacity_for(self._size))

    def _frames(self) -> Iterator[Frame]:
        frozen = FrozenPictures()
        index = 0
        while True:
            image = _read(self._capture)
            now = self._clock()
            if image is None:
                raise SourceError(f"{self._name}: it stopped giving pictures; check its cable")
            if _size(image) != self._size:
                raise ResizedError(self._name, self._size, _size(image))
            if frozen.update(image, now):
                raise SourceError(f"{self._name}: the same picture for {FROZEN_S:.0f} s; check its cable")
            yield Frame(index, now, image)
            index += 1

    def close(self) -> None:
        self._capture.release()


class StreamSource:
    """A network camera's stream (HTTP, RTSP, …), stamped by our own clock and connected again when it breaks off.

    Raises SourceError where it gives no picture; frames() does when it has given none for away_s.
    """

    frame_count: int | None = None
    warning: str | None = None

    def __init__(
        self, address: str, capture: cv2.VideoCapture, *, clock: Clock, sleep: Callable[[float], None], reconnect: bool,
        away_s: float = math.inf,
    ) -> None:  # fmt: skip
        self._address = address
        self._capture = capture
        self._clock = clock
        self._sleep = sleep
        self._reconnect = reconnect
        self._away_s = away_s
        first = _read(capture)
        if first is None:
            raise SourceError(f"{address}: the stream gives no picture; open it in a browser or player to check it")
        self._size = _size(first)
        self._fps = _live_fps(capture)
        self._bare = _bears_no_stamps(address, capture)
        self._closed = False
        self._first_s = self._last_s = clock()  # when the first and the last picture came

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    @property
    def fps(self) -> float:
        return self._fps

    def frames(self) -> Iterator[Frame]:
        """Frames as they come, those that waited as Backlog has it; without `reconnect` the first failed read is the
        end."""
        return in_rhythm(self._frames(), capacity_for(self._size))

    def _frames(self) -> Iterator[Frame]:
        stamps = StreamClock()
        index = 0
        while not self._closed:
            image = _read(self._capture)
            if image is None:
                if not self._reconnect:
                    return
                self._connect_again()
                stamps.begin_anew()
                continue
            if _size(image) != self._size:
                raise ResizedError(self._address, self._size, _size(image))
            self._last_s = self._clock()
            stamp_s = math.nan if self._bare else self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            time_s = stamps.stamp(stamp_s, self._last_s)
            yield Frame(index, time_s, image)
            index += 1

    def close(self) -> None:
        self._closed = True
        self._capture.release()

    def _connect_again(self) -> None:
        self._capture.release()
        attempt = 0
        while not self._closed:
            if self._clock() - self._last_s >= self._away_s:
                raise SourceError(
                    f"{self._address}: the stream broke off after {self._last_s - self._first_s:.0f} s and did not "
                    f"come back within {self._away_s:.0f} s; check that the camera is on and in the network"
                )
            self._sleep(RECONNECT_S[min(attempt, len(RECONNECT_S) - 1)])
            attempt += 1
            try:
                self._capture = _open_stream(self._address)
                return
            except SourceError:
                continue


def _open_stream(address: str) -> cv2.VideoCapture:
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT_MS]
    capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, [*limits, *ONE_DECODER])
    if not capture.isOpened():
        raise SourceError(
            f"{address}: no stream answers there; check that the camera is on, the address, and name "
            "and password where it asks for them (http://NAME:PASSWORD@...)"
        )
    return capture


def _bears_no_stamps(address: str, capture: cv2.VideoCapture) -> bool:
    """True of pictures that come one by one over HTTP, which the reader numbers as if there were 25 a second."""
    one_by_one = int(capture.get(cv2.CAP_PROP_FOURCC)) == cv2.VideoWriter.fourcc(*"MJPG")
    return one_by_one and address.lower().startswith("http")


def _ask_of_device(capture: cv2.VideoCapture, size: tuple[int, int] | None, fps: float | None) -> None:
    """Asks for MJPEG (raw pictures above VGA rarely fit through USB 2), size and rate; the device may differ."""
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    if size is not None:
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    if fps is not None:
        capture.set(cv2.CAP_PROP_FPS, fps)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def _read(capture: cv2.VideoCapture) -> Image | None:
    ok, image = capture.read()
    if not ok or image is None:
        return None
    return np.asarray(image, dtype=np.uint8)


def _size(image: Image) -> tuple[int, int]:
    height, width = image.shape[:2]
    return width, height


def _frame_count(capture: cv2.VideoCapture) -> int | None:
    count = capture.get(cv2.CAP_PROP_FRAME_COUNT)
    return int(count) if math.isfinite(count) and count > 0 else None


def _live_fps(capture: cv2.VideoCapture) -> float:
    fps = float(capture.get(cv2.CAP_PROP_FPS))
    return fps if PLAUSIBLE_FPS[0] <= fps <= PLAUSIBLE_FPS[1] else LIVE_FPS
