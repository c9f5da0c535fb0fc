"""Says why nobody can be let in. Waitress would by a traceback for each try, thousands in a second, or not at all."""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Callable
from typing import Any

from waitress.server import TcpWSGIServer

log = logging.getLogger(__name__)

# what this machine lacks; any other error of accept() is a phone that has gone again
SHORT = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))
PAUSE_S = 0.5  # who waits still stands at the door: without a pause the loop would do nothing but try
TOLD_EVERY_S = 60.0  # not each time in a row


class Accepting:
    """Takes the place of a listening server's accept() and readable(); clock: seconds, never backwards."""

    def __init__(self, server: TcpWSGIServer, clock: Callable[[], float] = time.monotonic) -> None:
        self._accept, self._readable, self._clock = server.accept, server.readable, clock
        self._again_s = self._tell_s = -1.0
        server.accept, server.readable = self.accept, self.readable

    def accept(self) -> Any:
        """The next connection, None where it went again. Raises OSError, which waitress drops."""
        try:
            return self._accept()
        except OSError as error:
            if error.errno in SHORT:
                self._pause(error)
            raise

    def readable(self) -> bool:
        """Whether the loop is to listen now."""
        return bool(self._readable()) and self._clock() >= self._again_s

    def _pause(self, error: OSError) -> None:
        now = self._clock()
        self._again_s = now + PAUSE_S
        if now >= self._tell_s:
            self._tell_s = now + TOLD_EVERY_S
            log.warning(
                "nobody can be let in (%s): close pages and programs that nobody looks at, or allow more open files "
                "(ulimit -n) and start again; the pages that are open go on",
                error.strerror,
            )
