"""One companion keeps one data folder: two would each go on from a journal that the other one writes, too."""

from __future__ import annotations

import errno
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from companion.config import ConfigError

LOCK_FILE = ".in-use.lock"
NO_LOCKS = frozenset((errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL))


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keeps a data folder for this process, until it ends in whatever way. Raises ConfigError where another one has it,
    or nothing can be written there.

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
    except NotImplementedError as error:  # filelock's word for a disk without locks
        _not_kept(folder, error)
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise ConfigError(
                f"{folder}: no file can be written there ({error.strerror}); check its permissions and the free space, "
                "or give another folder with --data"
            ) from None
        _not_kept(folder, error)
    try:
        yield
    finally:
        lock.release()


def _not_kept(folder: Path, error: Exception) -> None:
    logging.getLogger(__name__).warning(
        "%s: this disk keeps no folder for one program (%s): start no second companion on it", folder, error
    )
