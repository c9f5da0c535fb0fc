"""A real server on a free port, and a client that reads its stream."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from companion.access import Access
from companion.board_desk import BoardDesk
from companion.calibration_desk import CalibrationDesk
from companion.dashboard import create_app, open_server
from companion.dashboard.protocol import CompanionLike
from companion.dashboard.security import EVERY_ADDRESS
from companion.dashboard.server import Tls

HOST = "127.0.0.1"
PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Served:
    """Where a companion's dashboard is served, and how to end it."""

    port: int
    hub: Any
    close: Callable[[], None]
    secure_port: int | None = None
    access: Any = None

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"


@contextmanager
def serving(
    companion: CompanionLike,
    port: int = 0,
    max_streams: int = 10,
    *,
    host: str = HOST,
    tls: Tls | None = None,
    access: Access | None = None,
    addresses: Sequence[str] = (),
    desk: BoardDesk | None = None,
    calibration: CalibrationDesk | None = None,
) -> Iterator[Served]:
    """Serves until the block ends, or close() is called in it."""
    app = create_app(
        companion,
        max_streams=max_streams,
        access=access,
        hosts=[EVERY_ADDRESS],
        addresses=addresses,
        desk=desk,
        calibration=calibration,
    )
    server = open_server(app, host, port, tls)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()

    def close() -> None:
        server.close()
        thread.join(PATIENCE_S)

    try:
        yield Served(server.effective_port, app.extensions["paleo_hub"], close, server.secure_port, access)
    finally:
        close()


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    data: Any
    id: int | None


class StreamClient:
    """Reads server-sent events one by one."""

    def __init__(
        self,
        served: Served,
        last_id: int | None = None,
        by_query: bool = False,
        host: str = HOST,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._connection = http.client.HTTPConnection(host, served.port, timeout=PATIENCE_S)
        if trust is not None:
            self._connection = http.client.HTTPSConnection(host, served.secure_port, timeout=PATIENCE_S, context=trust)
        path = f"/api/stream?last_id={last_id}" if by_query and last_id is not None else "/api/stream"
        headers = {} if last_id is None or by_query else {"Last-Event-ID": str(last_id)}
        self._connection.request("GET", path, headers=headers)
        self.response = self._connection.getresponse()

    def __enter__(self) -> StreamClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.response.close()
        self._connection.close()

    def next(self) -> Event:
        """The next event; comments are passed over."""
        while True:
            fields: dict[str, str] = {}
            while line := self.response.readline().decode().rstrip("\n"):
                name, _, value = line.partition(": ")
                fields[name] = value
            if "data" in fields:
                number = int(fields["id"]) if "id" in fields else None
                return Event(fields["event"], json.loads(fields["data"]), number)
            assert fields, "the stream ended"

    def until(self, wanted: Callable[[Event], bool]) -> list[Event]:
        """All events up to and with the first that is wanted."""
        events = [self.next()]
        while not wanted(events[-1]):
            events.append(self.next())
        return events

    def journal(self, up_to: int) -> list[int]:
        """The ids of journal entries up to one."""
        return [e.id for e in self.until(lambda e: e.id == up_to) if e.id is not None]
