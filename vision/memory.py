"""Memory that is given back: glibc keeps what was freed for later, which of large pictures is a hundred MiB."""

from __future__ import annotations

import ctypes
import sys

ARENAS = -8  # mallopt's M_ARENA_MAX: how many heaps the threads of a process share


def _libc() -> ctypes.CDLL | None:
    """The C library, where it is one that can be asked."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "malloc_trim") and hasattr(libc, "mallopt") else None


def one_heap() -> None:
    """All threads of this process share one heap: each would otherwise keep what it has freed for itself."""
    libc = _libc()
    if libc is not None:
        libc.mallopt(ARENAS, 1)


def give_back() -> None:
    """Freed memory goes back to the system; takes a few milliseconds."""
    libc = _libc()
    if libc is not None:
        libc.malloc_trim(0)
