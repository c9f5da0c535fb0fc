"""Keeps a source's film as it comes: in a thread of its own, bounded in size, whole up to the last second at any time.

A recording's folder holds film-1.mkv and film-1.csv, after a restart film-2.mkv and so on: for each picture of the film
the source's time in seconds, and 1 where the picture before was shown again because none came.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout

from vision.film_file import GrowingFilm, RecordError, need_pyav, rate
from vision.frames import Frame, FrameSource, Through
from vision.pacing import capacity_for
from vision.slots import RATE_FRAMES, SlotClock, measured_fps

HEAD = "time_s,again\n"
RATE = "rate.txt"  # the film's even rate, as a fraction
LOCK = "film.lock"  # held while the film grows, and freed by the system where its writer was killed
RESERVE_BYTES = 500 * 2**20  # left free on the disk: the journal must go on, and so must the machine
MOST_BYTES = 8 * 2**30  # some four hours at 720p
SYNC_S = 1.0  # how often what was kept is put on the disk itself
LONGEST_GAP_S = 60.0  # without a picture for longer the film ends
WAIT_S = 0.2  # how often a recorder without pictures looks whether it is to end


@dataclass(frozen=True, slots=True)
class Kept:
    """What a recorder has kept. lost: frames that came and could not be kept; again: slots without a frame of their
    own; film_bytes: of the last part; ended: why it keeps no more, None while it does; full: that is the limit that it
    was given."""

    frames: int = 0
    again: int = 0
    lost: int = 0
    film_bytes: int = 0
    ended: str | None = None
    full: bool = False


def room_on(folder: Path) -> int:
    """Bytes that are free where a folder lies."""
    return shutil.disk_usage(folder).free


class Recorder:
    """Keeps frames. patient: the source waits for us (a film, the virtual table); else frames are dropped and counted.

    goes_on: where there was no picture for LONGEST_GAP_S another part is begun, and the film does not end; tell: is
    given why it ends before it was closed. Raises RecordError where there is no room, or PyAV is missing.
    """

    def __init__(self, folder: Path, source: FrameSource, *, patient: bool, goes_on: bool = False,
                 most_bytes: int = MOST_BYTES,
                 room: Callable[[Path], int] = room_on, clock: Callable[[], float] = time.monotonic,
                 tell: Callable[[str], None] = lambda reason: None) -> None:  # fmt: skip
        need_pyav()
        self._folder, self._size, self._patient, self._goes_on = folder, source.size, patient, goes_on
        self._most_bytes, self._room, self._tell, self._now = most_bytes, room, tell, clock
        self._before = past_bytes(folder)
        self._refuse_where_there_is_no_room()
        self._fps = told_rate(folder) or (rate(source.fps) if patient else None)
        self._claimed = source.fps
        self._early: list[float] = []
        self._film: GrowingFilm | None = None
        self._times: IO[str] | None = None
        self._lock = FileLock(folder / LOCK)
        self._clock: SlotClock | None = None
        self._last: Frame | None = None
        self._synced_s = self._now()
        self._kept = Kept()
        self._lost = 0
        self._ended: str | None = None
        self._full = False
        self._queue: deque[Frame] = deque()
        self._capacity = capacity_for(source.size)
        self._changed = threading.Condition()
        self._closing = False
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def kept(self) -> Kept:
        """What was kept so far."""
        k = self._kept
        return Kept(k.frames, k.again, self._lost, k.film_bytes, self._ended, self._full)

    def take(self, frame: Frame) -> None:
        """Hands a frame over; it must not be changed after."""
        with self._changed:
            if self._patient:
                self._changed.wait_for(lambda: len(self._queue) < self._capacity or self._ended or self._closing)
            if self._ended is not None or self._closing:
                return
            if len(self._queue) >= self._capacity:
                self._lost += 1
                return
            self._queue.append(frame)
            self._changed.notify_all()

    def close(self) -> Kept:
        """Keeps what waits, and ends the film; safe to call twice, and after a call that was interrupted."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._done.wait()  # a thread whose join was interrupted is taken for one that has ended
        return self.kept

    def _run(self) -> None:
        try:
            while (frame := self._next()) is not None:
                self._keep(frame)
        except OSError as error:  # a full disk, a card that was pulled
            self._end(f"{self._folder}: the film cannot be written ({error.strerror or error})")
        finally:
            try:
                self._finish()
            finally:
                self._done.set()

    def _next(self) -> Frame | None:
        with self._changed:
            while not self._queue and not self._closing and self._ended is None:
                self._changed.wait(WAIT_S)
            if not self._queue or self._ended is not None:
                return None
            frame = self._queue.popleft()
            self._changed.notify_all()
            return frame

    def _keep(self, frame: Frame) -> None:
        if self._fps is None:
            self._early.append(frame.time_s)
            if len(self._early) < RATE_FRAMES:
                return
            self._fps = rate(measured_fps(self._early, self._claimed))
        if self._film is None:
            self._open(self._fps)
        assert self._film is not None and self._times is not None and self._clock is not None
        slots = self._clock.slots(frame.time_s)
        if self._goes_on and slots / self._fps > LONGEST_GAP_S:
            self._before += self._film.size_bytes
            self._close_part()
            self._open(self._fps)
            slots = self._clock.slots(frame.time_s)
        if slots / self._fps > LONGEST_GAP_S:
            self._end(f"{self._folder}: no picture for {float(slots / self._fps):.0f} s; the film ends there")
            return
        if slots > 1:
            self._film.write((self._last or frame).image, slots - 1)
            last_s = frame.time_s - float(slots / self._fps)
            self._times.writelines(f"{last_s + float((k + 1) / self._fps):.4f},1\n" for k in range(slots - 1))
        self._film.write(frame.image)
        self._times.write(f"{frame.time_s:.4f},0\n")
        self._last = frame
        k = self._kept
        self._kept = Kept(k.frames + 1, k.again + slots - 1, 0, self._film.size_bytes)
        if self._now() - self._synced_s > SYNC_S:
            self._sync()

    def _open(self, fps: Fraction) -> None:
        """Begins a part of the film, after those that an earlier life of this recording has left."""
        with suppress(Timeout, NotImplementedError, OSError):  # a disk without locks: the film is kept all the same
            if not self._lock.is_locked:
                self._lock.acquire(timeout=0)
        part = self._folder / f"film-{len(film_parts(self._folder)) + 1}.mkv"
        (self._folder / RATE).write_text(f"{fps}\n")
        self._film = GrowingFilm(part, self._size, fps)
        times = part.with_suffix(".csv")
        self._times = times.open("w", encoding="ascii", buffering=1)  # a line is written as soon as it ends
        self._times.write(HEAD)
        self._clock = SlotClock(float(fps))

    def _close_part(self) -> None:
        if self._film is not None:
            self._film.close()
        if self._times is not None:
            self._times.close()

    def _sync(self) -> None:
        assert self._film is not None and self._times is not None
        self._synced_s = self._now()
        self._times.flush()
        self._film.sync()
        size = self._before + self._film.size_bytes
        if size > self._most_bytes:
            self._full = True
            self._end(f"{self._folder}: the film has reached {size / 1e9:.2f} GB, which was the limit; it ends there")
        elif self._room(self._folder) < size + RESERVE_BYTES:
            self._end(f"{self._folder}: the disk is nearly full; the film ends there")

    def _refuse_where_there_is_no_room(self) -> None:
        free = self._room(self._folder)
        if free < self._before + 2 * RESERVE_BYTES:
            raise RecordError(f"{self._folder}: {free / 1e9:.1f} GB are free on this disk, expected "
                              f"{(self._before + 2 * RESERVE_BYTES) / 1e9:.1f} GB or more; free some room")  # fmt: skip

    def _end(self, reason: str) -> None:
        with self._changed:
            self._ended = reason
            self._queue.clear()
            self._changed.notify_all()
        self._tell(reason)

    def _finish(self) -> None:
        with self._changed:  # whatever happened, nobody waits for this thread any more
            self._closing = True
            self._changed.notify_all()
        try:
            self._close_part()
        except OSError as error:
            self._end(f"{self._folder}: the film cannot be written ({error.strerror or error})")
        finally:
            self._unlock()

    def _unlock(self) -> None:
        if self._lock.is_locked:
            self._lock.release()
            with suppress(OSError):
                (self._folder / LOCK).unlink(missing_ok=True)


class Recorded(Through):
    """A source whose frames a recorder keeps as they pass, before anything downstream may drop one."""

    def __init__(self, source: FrameSource, recorder: Recorder) -> None:
        super().__init__(source)
        self._recorder = recorder

    def frames(self) -> Iterator[Frame]:
        """The source's frames; when it ends, so does the film."""
        try:
            for frame in self._source.frames():
                self._recorder.take(frame)
                yield frame
        finally:
            self._recorder.close()


def film_parts(folder: Path) -> list[Path]:
    """The parts of a film that was not put together yet, in order."""
    return sorted(folder.glob("film-*.mkv"), key=lambda p: int(p.stem.removeprefix("film-")))


def grows(folder: Path) -> bool:
    """Whether somebody is recording into a folder."""
    if not (folder / LOCK).exists():
        return False
    try:
        with FileLock(folder / LOCK, timeout=0):
            return False
    except Timeout:
        return True
    except (NotImplementedError, OSError):  # a disk without locks: nobody knows
        return False


def past_bytes(folder: Path) -> int:
    """How much film lies in a folder."""
    return sum(p.stat().st_size for p in film_parts(folder))


def read_times(path: Path) -> list[tuple[float, bool]]:
    """The source's time of each picture, and whether it is the one before again; a line that was cut short, or tells no
    time, is left out."""
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    told = []
    for line in (line.split(",") for line in text.splitlines(keepends=True)[1:] if line.endswith("\n")):
        with suppress(ValueError):
            time_s, again = line
            told.append((float(time_s), again.strip() == "1"))
    return told


def told_rate(folder: Path) -> Fraction | None:
    """The even rate of a recording's film; None where it never began."""
    try:
        return Fraction((folder / RATE).read_text().strip())
    except (OSError, ValueError):
        return None
