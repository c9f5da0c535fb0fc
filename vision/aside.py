"""What need not be known at once is found out by another thread, while the next frames are looked at."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

NAME = "aside"


class _Helper:
    """One thread, which is asked for the next when it has done the last: each may keep a frame. It is begun anew in a
    process that was forked."""

    def __init__(self) -> None:
        self.begin()
        if sys.platform != "win32":  # where no process is forked
            os.register_at_fork(after_in_child=self.begin)

    def begin(self) -> None:
        self._pool = ThreadPoolExecutor(1, NAME)
        self._last: Future[Any] | None = None

    def ask(self, job: Callable[[], T]) -> Future[T]:
        if self._last is not None:
            self._last.exception()  # waits until it is done; what it failed at is for those who ask for it
        asked = self._last = self._pool.submit(job)
        return asked


_helper = _Helper()


def aside(found: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
    """What a function comes to, some time. What it needs of other things that are found out aside must have been asked
    for before, and it must ask for nothing itself. Asked by one thread at a time."""
    return _helper.ask(lambda: found(*args, **kwargs))
