"""The live stream: server-sent events that go on without a gap from the last id a client has seen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from companion.dashboard.hub import STILL_PERIOD_S, Hub
from companion.dashboard.wire import HEARTBEAT, greeting

HEARTBEAT_S = 2 * STILL_PERIOD_S  # only reached when even the live view has stopped


class EventStream:
    """One client's stream: the entries it missed, the scoreboard, then whatever happens."""

    def __init__(self, hub: Hub, last_id: int | None, whose: str | None = None) -> None:
        """Joins the hub. whose: the device's address, None at the machine itself. Raises HubFull before any byte."""
        self._hub = hub
        self._stack = ExitStack()
        self._stack.enter_context(hub.joined(whose))
        self._events = self._run(last_id)

    def __iter__(self) -> Iterator[bytes]:
        return self._events

    def close(self) -> None:
        """Called by the server when the client has gone or the stream ends; safe to call twice."""
        self._events.close()  # type: ignore[attr-defined]
        self._stack.close()

    def _run(self, last_id: int | None) -> Iterator[bytes]:
        now = self._hub.now()
        yield greeting()
        known = now.last_id if last_id is None or last_id > now.last_id else last_id
        yield b"".join([*self._hub.events_after(known, now.last_id), now.scoreboard, now.live])
        while now.open:
            before = now
            now = self._hub.wait(before.last_id, before.live_count, HEARTBEAT_S)
            parts: list[bytes] = []
            if now.last_id != before.last_id:
                parts += [*self._hub.events_after(before.last_id, now.last_id), now.scoreboard]
            if now.live_count != before.live_count:
                parts.append(now.live)
            yield b"".join(parts) or HEARTBEAT
