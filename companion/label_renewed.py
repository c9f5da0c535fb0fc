"""The passages of a labelled recording, renewed all together: at no moment is there less than one whole set of them.

New ones are built in a folder beside. By its renaming they count, and by then they are on the disk; only now those from
before make room. Where that is cut short, the next `paleo label` goes on with it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.atomic import settle, writing
from companion.recorded import TRUTH

GROWING, READY = ".passages.part", ".passages.new"
NAME = "passage-"


def passage(number: int) -> str:
    """The name of a passage's folder; the first is 1."""
    return f"{NAME}{number}"


@contextmanager
def building(folder: Path) -> Iterator[Path]:
    """Gives a folder to build new passages in. They count once the block has ended; where it raises they are removed.

    Raises OutputError where nothing can be written.
    """
    growing = folder / GROWING
    try:
        with writing(growing):
            shutil.rmtree(growing, ignore_errors=True)
            growing.mkdir()
        yield growing
        with writing(growing):
            for path in growing.rglob("*"):
                settle(path)
            settle(growing)
            growing.rename(folder / READY)
            settle(folder)
    finally:
        shutil.rmtree(growing, ignore_errors=True)


def settle_passages(folder: Path) -> None:
    """Finishes what was cut short when the passages were renewed last. Raises OutputError."""
    shutil.rmtree(folder / GROWING, ignore_errors=True)
    if (ready := folder / READY).is_dir():
        put_passages(folder, max((_number(path) for path in ready.glob(f"{NAME}*")), default=_most(folder)))


def put_passages(folder: Path, count: int) -> None:
    """The new passages, `count` of them, take the place of those from before and of the truth of the whole film.

    Without any, those from before are removed, and the truth stays. Raises OutputError.
    """
    ready = folder / READY
    with writing(folder):
        for old in folder.glob(f"{NAME}*"):
            if _number(old) > count:
                shutil.rmtree(old)
        if not ready.is_dir():
            return
        for new in sorted(ready.glob(f"{NAME}*"), key=_number):  # the last one, there until the end, tells how many
            shutil.rmtree(folder / new.name, ignore_errors=True)
            new.rename(folder / new.name)
        (folder / TRUTH).unlink(missing_ok=True)
        settle(folder)
        ready.rmdir()


def _most(folder: Path) -> int:
    return max(map(_number, folder.glob(f"{NAME}*")), default=0)


def _number(path: Path) -> int:
    """The number in a passage's name; of what else has a like name, none that is counted."""
    told = path.name.removeprefix(NAME)
    return int(told) if told.isdecimal() else 0
