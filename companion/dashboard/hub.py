"""One reader of the companion for all screens: entries, scoreboard and live positions are made into bytes once."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from companion.dashboard.protocol import CompanionLike, Json
from companion.dashboard.reading import read_out
from companion.dashboard.wire import entry_event, plain_event

LIVE_PERIOD_S = 1 / 60  # twice as often as a camera sees something new: what it sees waits 8 ms here on average
STILL_PERIOD_S = 2.0  # while nothing moves: often enough to show within 5 s that a line is dead
MOVED_MM = 0.4  # less than this is the camera's noise
RING = 512  # entries kept as bytes; who is further behind is served from the journal
MOST_OF_ONE = 24  # streams of one device, so that a stranger's phone leaves places for the others
MAX_CLIENTS = 200  # streams at once; each holds a thread of the server, which has some left for pages


class HubFull(RuntimeError):
    """As many streams as this server holds are open."""


@dataclass(frozen=True, slots=True)
class Now:
    """What there is to send: the journal's last id, the scoreboard after it, and the latest live view."""

    last_id: int
    scoreboard: bytes
    live: bytes
    live_count: int
    open: bool


class Hub:
    """Reads the companion in one thread, as long as anybody listens, and wakes the listeners."""

    def __init__(
        self,
        companion: CompanionLike,
        *,
        max_clients: int = MAX_CLIENTS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._companion = companion
        self._max_clients = max_clients
        self._clock = clock
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._clients = 0
        self._of: Counter[str | None] = Counter()
        self._closed = False
        self._last_id = -1
        self._ring: deque[tuple[int, bytes]] = deque(maxlen=RING)
        self._scoreboard = b""
        self._live = b""
        self._live_count = 0
        self._live_body: Json = {}
        self._live_at = float("-inf")

    @property
    def max_clients(self) -> int:
        """How many streams may be open at once."""
        return self._max_clients

    @property
    def clients(self) -> int:
        """How many streams are open."""
        return self._clients

    @contextmanager
    def joined(self, whose: str | None = None) -> Iterator[None]:
        """Counts the caller as a listener. whose: a device's address, which may have MOST_OF_ONE. Raises HubFull."""
        with self._changed:
            if self._clients >= self._max_clients or (whose is not None and self._of[whose] >= MOST_OF_ONE):
                raise HubFull
            self._of[whose] += 1
            if self._thread is None and not self._closed:
                self._read_journal()
                self._read_live()
                self._thread = threading.Thread(target=self._pump, name="dashboard-hub", daemon=True)
                self._thread.start()
            self._clients += 1  # the thread cannot look before this lock is free
        try:
            yield
        finally:
            with self._changed:
                self._clients -= 1
                self._of[whose] -= 1
                if not self._of[whose]:
                    del self._of[whose]

    def now(self) -> Now:
        """What there is to send at this moment."""
        with self._changed:
            return self._now()

    def wait(self, last_id: int, live_count: int, timeout_s: float) -> Now:
        """Waits until the journal's end is not `last_id`, or there is a newer live view, or the time is over."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._thread is None or self._last_id != last_id or self._live_count != live_count, timeout_s
            )
            return self._now()

    def events_after(self, last_id: int, up_to: int) -> Iterator[bytes]:
        """The journal's entries after `last_id` as server-sent events, in order and without a gap."""
        with self._changed:
            ring = list(self._ring)
        if ring and ring[0][0] <= last_id + 1:
            yield from (event for number, event in ring if last_id < number <= up_to)
            return
        while last_id < up_to:
            entries = [e for e in self._companion.entries_after(last_id) if e.id <= up_to]
            if not entries:
                return
            yield from (entry_event(e) for e in entries)
            last_id = entries[-1].id

    def close(self) -> None:
        """Ends all streams; for the server's end."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # -- the reading thread ----------------------------------------------------------------------
    def _now(self) -> Now:
        return Now(self._last_id, self._scoreboard, self._live, self._live_count, self._thread is not None)

    def _pump(self) -> None:
        try:
            while self._wanted():
                self._companion.wait_for(self._last_id, LIVE_PERIOD_S)
                self._read_journal()
                self._read_live()
        finally:  # also where the companion failed: listeners end, come back, and get the error or a new start
            with self._changed:
                if self._thread is threading.current_thread():
                    self._thread = None
                self._changed.notify_all()

    def _wanted(self) -> bool:
        with self._changed:
            wanted = self._clients > 0 and not self._closed
            if not wanted:
                self._thread = None  # under the lock: a listener that joins from now on starts a new thread
            return wanted

    def _read_journal(self) -> None:
        last_id = self._companion.last_id()
        if last_id == self._last_id:
            return
        known = max(self._last_id, last_id - RING, 0)
        fresh = list(self._companion.entries_after(known, RING)) if last_id > known else []
        events = [(e.id, entry_event(e)) for e in fresh if e.id <= last_id]
        scoreboard = plain_event("scoreboard", read_out(self._companion.scoreboard()))
        with self._changed:
            if last_id < self._last_id or known != self._last_id:
                self._ring.clear()
            self._ring.extend(events)
            self._last_id, self._scoreboard = last_id, scoreboard
            self._changed.notify_all()

    def _read_live(self) -> None:
        body, now = self._companion.live(), self._clock()
        if now - self._live_at < STILL_PERIOD_S and not differs(self._live_body, body):
            return
        live = plain_event("live", body)
        with self._changed:
            self._live, self._live_body, self._live_at = live, body, now
            self._live_count += 1
            self._changed.notify_all()


def differs(before: Json, after: Json) -> bool:
    """True where something moved by MOVED_MM, came, went, or the state changed; the time alone does not count."""
    rest = {"time_s", "pucks"}
    if {k: v for k, v in before.items() if k not in rest} != {k: v for k, v in after.items() if k not in rest}:
        return True
    old = {p["puck"]: p for p in before.get("pucks", ())}
    new = after.get("pucks", ())
    if len(old) != len(new):
        return True
    return any(p["puck"] not in old or _moved(old[p["puck"]], p) for p in new)


def _moved(a: Json, b: Json) -> bool:
    far = abs(a["x_mm"] - b["x_mm"]) > MOVED_MM or abs(a["y_mm"] - b["y_mm"]) > MOVED_MM
    return bool(far or a["team"] != b["team"] or a["number"] != b["number"])
