"""What leaves the server, as bytes: the one place between the journal's folds and the network."""

from __future__ import annotations

import json

from companion.dashboard.protocol import EntryLike, Json
from companion.games.seats import told_entry

RETRY_MS = 1000  # what a plain EventSource waits before it tries again
HEARTBEAT = b": still here\n\n"


def entry_json(entry: EntryLike) -> Json:
    """An entry of the journal as every screen may get it: what only one seat may know is left out."""
    if entry.type == "access":  # who came in from where is for the referee, who has the whole journal
        return {"id": entry.id, "type": entry.type, "time": entry.time, "data": {}}
    game = entry.data.get("game")
    data = told_entry(game if isinstance(game, str) else None, entry.type, entry.data, None)
    return {"id": entry.id, "type": entry.type, "time": entry.time, "data": data}


def entry_event(entry: EntryLike) -> bytes:
    """A journal entry as a server-sent event; its id is the journal's sequence number."""
    return b"id: %d\n" % entry.id + plain_event(entry.type, entry_json(entry))


def plain_event(name: str, body: Json) -> bytes:
    """A server-sent event without id: it does not move the place from which a client goes on."""
    return f"event: {_one_line(name)}\ndata: {dump(body)}\n\n".encode()


def greeting() -> bytes:
    """The first bytes of a stream: they open it at once, whatever lies between."""
    return b"retry: %d\n\n" % RETRY_MS


def dump(body: Json) -> str:
    """JSON in one line."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _one_line(name: str) -> str:
    return name.replace("\r", " ").replace("\n", " ")
