"""One companion keeps one data folder: two would each go on from a journal that the other one writes, too."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from companion.config import ConfigError

LOCK_FILE = ".in-use.lock"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keeps a data folder for this process, until it ends in whatever way. Raises ConfigError where another one has it.

    A folder on a disk that knows no locks, as some of the network, is not kept, and that is logged.
    """
    lock = FileLock(folder / LOCK_FILE)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ConfigError(
            f"{folder}: another companion keeps its matches in this folder; go to its page, end it first (Ctrl-C), "
            "or give another folder with --data"
        ) from None
    except (OSError, NotImplementedError) as error:
        logging.getLogger(__name__).warning(
            "%s: this disk keeps no folder for one program (%s): start no second companion on it", folder, error
        )
    try:
        yield
    finally:
        lock.release()
