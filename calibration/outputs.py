"""Where what is written goes: through links, or into a pipe or device."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

NAMED_LETTERS = 40  # of a file's name in that of its unfinished part, which may be no longer than names may be
STANDARD_OUTPUTS = (1, 2)  # the system's numbers of standard output and standard error


def written_as_it_comes(out: Path) -> BinaryIO | None:
    """What a name leads to where no file can take its place, opened; None where one can.

    Those are pipes, devices, and standard output and error (/dev/stdout), which are a plain file where the shell leads
    them into one: the file is written on from where it is. Raises OSError where it cannot be opened.
    """
    try:
        found = out.stat()
    except OSError:
        return None
    for stream in STANDARD_OUTPUTS:
        with suppress(OSError):  # it is closed
            if os.path.samestat(found, os.fstat(stream)):
                return os.fdopen(os.dup(stream), "wb")
    return None if stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode) else out.open("wb")


def behind_links(out: Path) -> Path:
    """The file that a name stands for: a link to it stays a link when another takes the file's place."""
    return Path(os.path.realpath(out))


def unfinished(out: Path) -> Path:
    """Where a file grows until it is whole: beside its place, under a name that no other writer has."""
    return out.parent / f".{out.name[:NAMED_LETTERS]}.{secrets.token_hex(4)}.part"
