"""How often each device asked of late, counted by seconds that no set clock moves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from limits.storage import Storage

SCHEME = "steady"


class Counts(Storage):
    """What limits of requests are held against, in memory, for windows that begin with the first request.

    By the time of day, as the library's own counts go, a clock that is set back by an hour made the last ten seconds of
    a phone an hour long, and its player was refused as one who asks too often. clock: monotonic seconds.
    """

    STORAGE_SCHEME = [SCHEME]  # noqa: RUF012  # as the library declares it

    def __init__(
        self,
        uri: str | None = None,
        wrap_exceptions: bool = False,
        clock: Callable[[], float] = time.monotonic,
        **_options: float | str | bool,
    ) -> None:
        super().__init__(uri, wrap_exceptions)
        self._clock = clock
        self._lock = threading.Lock()
        self._counted: dict[str, tuple[int, float]] = {}  # how often, and when that is forgotten

    @property
    def base_exceptions(self) -> type[Exception]:
        """What goes wrong in a storage: nothing here."""
        return ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Counts on; a window that is over begins anew."""
        with self._lock:
            now_s = self._clock()
            if key not in self._counted:
                self._counted = {k: kept for k, kept in self._counted.items() if kept[1] > now_s}
            count, until_s = self._counted.get(key, (0, 0.0))
            if until_s <= now_s:
                count, until_s = 0, now_s + expiry
            self._counted[key] = count + amount, until_s
            return count + amount

    def get(self, key: str) -> int:
        """How often in the window that is on."""
        with self._lock:
            count, until_s = self._counted.get(key, (0, 0.0))
            return count if until_s > self._clock() else 0

    def get_expiry(self, key: str) -> float:
        """When the window ends, by the time of day as it is now: so the library's headers have it."""
        with self._lock:
            now_s = self._clock()
            _, until_s = self._counted.get(key, (0, now_s))
            return time.time() + max(until_s - now_s, 0.0)

    def check(self) -> bool:
        """Whether it can be counted: always."""
        return True

    def reset(self) -> int:
        """Forgets all."""
        with self._lock:
            many, self._counted = len(self._counted), {}
            return many

    def clear(self, key: str) -> None:
        """Forgets one."""
        with self._lock:
            self._counted.pop(key, None)
