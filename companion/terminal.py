"""Standard input and output, whatever stands behind them: a terminal of few signs, a closed pipe, a full disk."""

from __future__ import annotations

import codecs
import errno
import io
import os
import select
import signal
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from companion.atomic import OutputError

PLAIN = "paleo_plain"  # the name under which codecs know _plainly
INSTEAD = {
    "→": "->", "…": "...", "–": "-", "—": "-", "’": "'", "«": '"', "»": '"', "“": '"', "”": '"', "œ": "oe", "·": "-",
    "✓": "+", "✗": "x", "×": "x", "•": "*",
}  # fmt: skip
BYTES = range(0xDC80, 0xDD00)  # by which Python reads bytes of a file's name that are no text (PEP 383)
UNTOLD = (
    "standard output: cannot be written ({reason}), what was to be told is lost; make room on the disk, or show it in "
    "the terminal"
)


class Shown(io.TextIOWrapper):
    """Standard output that says so where it cannot be written; that its reader has gone stays a broken pipe."""

    def write(self, text: str) -> int:
        with _told():
            return super().write(text)

    def flush(self) -> None:
        with _told():
            super().flush()


def readable_streams() -> None:
    """Makes the three standard streams what readable() and Shown say.

    One that was closed leads nowhere: else the next file that is opened takes its number, and is written into by
    whatever tells something in C.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper) and not isinstance(out, Shown):
        encoding, by_line, at_once = out.encoding, out.line_buffering, out.write_through
        sys.stdout = Shown(out.detach(), encoding=encoding, line_buffering=by_line, write_through=at_once)
    readable(sys.stdin, sys.stdout, sys.stderr)


def readable(given: TextIO | None, *shown: TextIO | None) -> None:
    """Nothing that is typed or shown breaks a command: bytes that are no text are read as a sign for that, and signs
    that a terminal lacks, such as accents with LANG=C, are shown by their nearest plain ones."""
    codecs.register_error(PLAIN, _plainly)
    for stream, errors in ((given, "replace"), *((one, PLAIN) for one in shown)):
        if isinstance(stream, io.TextIOWrapper):  # a real one, not what a test puts in its place
            plain = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding="utf-8" if plain and stream is given else stream.encoding, errors=errors)


def ask(prompt: str) -> str | None:
    """A line that is typed after a prompt, which may be empty; None where no more will be."""
    print(prompt, end="", flush=True)
    try:
        if os.name == "posix" and sys.stdin.isatty():
            _wait_for_a_line(sys.stdin)
        return input()
    except EOFError:
        if prompt:
            print()  # what follows begins on a line of its own
        return None


def _wait_for_a_line(given: TextIO) -> None:
    """Waits until something is typed or a signal comes: input() misses one between its prompt and its reading."""
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    before = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    try:
        select.select([given.fileno(), ours], [], [])
    finally:
        signal.set_wakeup_fd(before)
        for end in (ours, theirs):
            os.close(end)


def let_go(stream: TextIO) -> None:
    """Writes what waits in a stream; where nobody takes it it is given up: the program's end does not try once more."""
    try:
        stream.flush()
    except OSError:
        with suppress(OSError, ValueError):  # none of the system's
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        raise OutputError(UNTOLD.format(reason=error.strerror or error)) from None


def one_line(told: str) -> str:
    """A sentence in one line, without signs by which a file's name would command the terminal."""
    return "".join("?" if unicodedata.category(sign) == "Cc" else sign for sign in " ".join(told.split()))


def as_typed(word: str) -> str:
    """A word of the command line as the text that it is: where the locale knows no accents, Python kept their bytes."""
    return word.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    """What stands in the place of the first sign that cannot be written; bytes of a file's name stay what they are."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    sign, after = error.object[error.start], error.start + 1
    if ord(sign) in BYTES:
        return bytes([ord(sign) - BYTES.start + 0x80]), after
    return unicodedata.normalize("NFKD", INSTEAD.get(sign, sign)).encode("ascii", "ignore").decode() or "?", after
