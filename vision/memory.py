"""Memory that is given back: glibc keeps what was freed for later, which of large pictures is a hundred MiB."""

from __future__ import annotations

import ctypes
import sys

ARENAS = -8  # mallopt's M_ARENA_MAX: how many heaps the threads of a process share
TRIM, MAPPED = -1, -3  # its M_TRIM_THRESHOLD and M_MMAP_THRESHOLD, bytes
TRIM_BYTES = 2**30  # freed memory at the heap's end that goes back to the system by itself: hardly ever so much
MAPPED_BYTES = 2**25  # what is asked of the system apart from the heap: more than a picture has


def _libc() -> ctypes.CDLL | None:
    """The C library, where it is one that can be asked."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "malloc_trim") and hasattr(libc, "mallopt") else None


def shared_heap() -> None:
    """All threads of this process share one heap: each would otherwise keep tens of MiB that it has freed for itself.

    For a process of many threads of which now one, now another needs much for a moment; call it before they start.
    """
    libc = _libc()
    if libc is not None:
        libc.mallopt(ARENAS, 1)


def one_heap() -> None:
    """All threads of this process share one heap.

    Pictures come from it too, and it keeps what they leave until give_back or the process's end: the system clears
    every page that it gives.
    """
    shared_heap()
    libc = _libc()
    if libc is not None:
        for option, value in ((MAPPED, MAPPED_BYTES), (TRIM, TRIM_BYTES)):
            libc.mallopt(option, value)


def give_back() -> None:
    """Freed memory goes back to the system; takes a few milliseconds."""
    libc = _libc()
    if libc is not None:
        libc.malloc_trim(0)
