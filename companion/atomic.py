"""Files that appear whole or not at all."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from calibration.outputs import behind_links, unfinished, written_as_it_comes

OWNER_ONLY = 0o600


class OutputError(OSError):
    """What was to be written could not be; one line: what, where, what to do."""


@contextmanager
def writing(out: Path) -> Iterator[None]:
    """What goes wrong while a file is written is told with its name.

    Raises OutputError; one from within is another file's, and stays as it is.
    """
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        why = error.strerror or error
        raise OutputError(
            f"{out}: cannot be written ({why}); check the folder, its permissions and the free space"
        ) from None


def spare(out: Path, *read: str | Path | None) -> None:
    """Raises OutputError where a file that is to be written is one of those that are read: it would be lost."""
    if os.path.isfile(out) and any(name and os.path.isfile(name) and os.path.samefile(name, out) for name in read):
        raise OutputError(
            f"{out}: this file is read here, and would be written over; give what is written another name"
        )


@contextmanager
def atomic_text(out: Path) -> Iterator[TextIO]:
    """A text file that appears under its name only when all of it is written and on the disk.

    It grows beside its place and is renamed at the end; on any error or interrupt it is removed. What no file can
    take the place of (a pipe, /dev/stdout) is written to directly. Raises OutputError where it cannot be written.
    """
    if os.path.isdir(out):
        raise OutputError(f"{out}: this is a folder, but a file is to be written; name the file")
    with writing(out):
        if device := written_as_it_comes(out):
            with io.TextIOWrapper(device, encoding="utf-8", newline="\n") as file:
                yield file
        else:
            with _renamed_at_the_end(behind_links(out)) as file:
                yield file


@contextmanager
def _renamed_at_the_end(out: Path) -> Iterator[TextIO]:
    temporary = unfinished(out)
    try:  # around its making too: an interrupt may come at any moment
        with temporary.open("x", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(out)
    finally:
        temporary.unlink(missing_ok=True)


def replace_private(path: Path, text: str) -> None:
    """Writes a file that only its owner may read: whole or not at all, and on the disk when this returns.

    Raises OSError where it cannot be written; what was there is there still.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # made with mode 0600
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, OWNER_ONLY)
        os.replace(name, path)
        settle(path.parent)
    finally:
        Path(name).unlink(missing_ok=True)


def settle(path: Path) -> None:
    """What a file holds, and the names in a folder, are on the disk when this returns. Raises OSError.

    A file's new name outlives a cut of the power only where its folder is on the disk, too.
    """
    if os.name != "posix" and path.is_dir():  # elsewhere a folder cannot be opened
        return
    handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
