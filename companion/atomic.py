"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

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


@contextmanager
def atomic_text(out: Path) -> Iterator[TextIO]:
    """A text file that appears under its name only when all of it is written and on the disk.

    It grows beside its place and is renamed at the end; on any error or interrupt it is removed. What is no plain
    file (a pipe, /dev/stdout) is written to directly. Raises OutputError where it cannot be written.
    """
    if out.is_dir():
        raise OutputError(f"{out}: this is a folder, but a file is to be written; name the file")
    with writing(out):
        if out.exists() and not out.is_file():
            with out.open("w", encoding="utf-8", newline="\n") as device:
                yield device
        else:
            with _renamed_at_the_end(out) as file:
                yield file


@contextmanager
def _renamed_at_the_end(out: Path) -> Iterator[TextIO]:
    temporary = out.with_name(f".{out.name}.{secrets.token_hex(4)}.part")
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
