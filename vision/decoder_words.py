"""What FFmpeg says while it decodes: it makes up what it cannot read of a picture, and tells nobody but its log."""

from __future__ import annotations

import atexit
import ctypes
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

ERROR, WARNING, INFO, QUIET = 16, 24, 32, -8  # libavutil/log.h: AV_LOG_ERROR and so on; a lower one is graver
DECODER, CONTAINER, SCALER = b"AVCodecContext", b"AVFormatContext", b"SWScaler"  # names of those who speak
MADE_UP, TORN_PACKET = b"concealing", b"Packet corrupt"  # how what they say begins
HARMLESS = (b"co located POCs", b"mmco:")  # said of films that were cut, as phones do, and of some cameras' whole ones
LIBRARIES = ("../opencv_*.libs/libavutil*", ".dylibs/libavutil*")  # beside OpenCV, in its wheels for Linux and macOS

Hook = Callable[["sys.UnraisableHookArgs"], Any]  # what is told of errors that nobody can catch
_Callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)


class DecoderWords:
    """Counts complaints, thread by thread: with one thread a decoder speaks in that which reads.

    Where FFmpeg's library is not found, as on Windows, nothing is heard. An interrupt that comes while FFmpeg decodes
    is raised by Python as soon as it speaks, within what FFmpeg called, where nobody can catch it: it is raised again
    when the words are asked for next, after the picture at the latest.
    """

    def __init__(self) -> None:
        self._complaints: dict[int, int] = {}  # about damage
        self._left_out: dict[int, int] = {}  # pictures that were decoded, and whose colours were not worked out
        self._listening = False
        self._callback: Any = None  # kept: FFmpeg calls it
        self._broke_in: BaseException | None = None  # while FFmpeg spoke

    def listen(self) -> None:
        """Listens from now on; to be called after OpenCV has opened a film, as it wants to listen itself."""
        if self._listening:
            return
        self._listening = True
        library = _library()
        if library is None:
            return
        self._callback = _Callback(self._heard)
        before = sys.unraisablehook
        sys.unraisablehook = ours = self._instead_of(before)
        library.av_log_set_callback(self._callback)
        atexit.register(_let_go(library, ours, before))

    def complaints(self) -> int:
        """How many about damage were heard in this thread so far. Raises what broke in meanwhile."""
        self._raise_again()
        return self._complaints.get(threading.get_ident(), 0)

    def left_out(self) -> int:
        """Of how many pictures that this thread was given nothing is shown but what lay in the memory before.

        Raises what broke in meanwhile.
        """
        self._raise_again()
        return self._left_out.get(threading.get_ident(), 0)

    def _raise_again(self) -> None:
        if self._broke_in is not None and threading.current_thread() is threading.main_thread():
            broke_in, self._broke_in = self._broke_in, None
            raise broke_in

    def _instead_of(self, hook: Hook) -> Hook:
        """What is to be done with errors that nobody can catch: an interrupt while FFmpeg spoke is kept."""

        def keep(error: sys.UnraisableHookArgs, /) -> None:
            if error.object == self._heard and isinstance(error.exc_value, KeyboardInterrupt | SystemExit):
                self._broke_in = error.exc_value
            else:
                hook(error)

        return keep

    def _heard(self, speaker: int | None, level: int, words: bytes | None, values: int | None) -> None:
        if level > INFO:
            return
        name, thread = _name(speaker), threading.get_ident()
        if tells_damage(name, level, words or b""):
            self._complaints[thread] = self._complaints.get(thread, 0) + 1
        elif name == SCALER and level <= ERROR:
            self._left_out[thread] = self._left_out.get(thread, 0) + 1


def tells_damage(speaker: bytes, level: int, words: bytes) -> bool:
    """True where a line of the log says that a picture is not as it was filmed. words: before values are put in"""
    if speaker == DECODER:
        return words.startswith(MADE_UP) or (level <= ERROR and not words.startswith(HARMLESS))
    return speaker == CONTAINER and words.startswith(TORN_PACKET)


def _name(speaker: int | None) -> bytes:
    """The class of who speaks. FFmpeg's speakers begin with a pointer to their class, and that with one to its name."""
    if not speaker:
        return b""
    kind = ctypes.c_void_p.from_address(speaker).value
    return (ctypes.c_char_p.from_address(kind).value or b"") if kind else b""


def _library() -> ctypes.CDLL | None:
    """The library that OpenCV's FFmpeg logs through."""
    beside = Path(cv2.__file__).parent
    for pattern in LIBRARIES:
        folder, name = pattern.rsplit("/", 1)
        root, folder = (beside.parent, folder.removeprefix("../")) if folder.startswith("../") else (beside, folder)
        for path in sorted(root.glob(f"{folder}/{name}")):
            try:
                library = ctypes.CDLL(str(path))
                library.av_log_set_callback.restype = None
                library.av_log_default_callback  # noqa: B018  # asked for: a library without it is another one
            except (OSError, AttributeError):
                continue
            return library
    return None


def _let_go(library: ctypes.CDLL, ours: Hook, before: Hook) -> Callable[[], None]:
    """What to do before Python ends, as what FFmpeg would call then is gone. Until then it may speak at any time."""

    def let_go() -> None:
        library.av_log_set_level(QUIET)
        library.av_log_set_callback(library.av_log_default_callback)
        if sys.unraisablehook is ours:  # else somebody has put another in its place
            sys.unraisablehook = before

    return let_go


words = DecoderWords()
