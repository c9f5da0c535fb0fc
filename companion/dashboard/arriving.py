"""A backup that comes in pieces, one sender's at a time, and waits for the next start once all of it is there."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from pathlib import Path

from companion.backup import PENDING, BackupError, Contents, look_into
from companion.games.base import IllegalMove, Text

PART_BYTES = 1 << 20  # a backup comes in pieces of this size: no other request may be large
MOST_PARTS = 2048  # 2 GiB, as much as a backup's files may come to together
THE_FILE = Text("the file", "le fichier")  # in place of the path on this machine

log = logging.getLogger(__name__)


class ArrivingBackup:
    """The pieces that came so far, in a file beside a companion's data; requests of several threads may add to it."""

    def __init__(self, data_dir: Path) -> None:
        self._file, self._waiting = data_dir / f".{PENDING}.part", data_dir / PENDING
        self._lock = threading.Lock()
        self._sender: str | None = None  # whose pieces these are

    def take(self, part: int, piece: bytes, sender: str) -> None:
        """Adds a piece; with piece 0 all begins anew, whoever sends it.

        Raises IllegalMove where another one's are coming, where this one does not follow what is there, or where it
        cannot be kept: then what came of it goes, too.
        """
        with self._lock:
            self._only_one_sends(sender, begins=not part)
            size = self._file.stat().st_size if self._file.exists() and part else 0
            if size != part * PART_BYTES:
                raise IllegalMove("piece {part} does not follow what is there; begin again with piece 0", part=part)
            try:
                with self._file.open("ab" if part else "wb") as file:
                    file.write(piece)
            except OSError as error:
                log.error("%s: a backup that arrives cannot be kept (%s)", self._file, error.strerror)
                self._drop()
                raise IllegalMove(
                    "the backup cannot be kept on the companion's disk; free some space there, then choose it once more"
                ) from None

    def end(self, sender: str) -> tuple[Contents, bool]:
        """Leaves what came for the next start. -> what it holds, and whether it waits instead of another one.

        Raises IllegalMove where another one's pieces are coming, none came, or they are no whole backup: they go then.
        """
        with self._lock:
            self._only_one_sends(sender, begins=False)
            if not self._file.exists():
                raise IllegalMove("no piece of a backup has come; begin with piece 0")
            try:
                contents = look_into(self._file)
            except BackupError as error:
                self._drop()
                raise IllegalMove(error.sentence, **{**error.values, "file": THE_FILE}) from None
            instead = self._waiting.exists()
            self._file.replace(self._waiting)
            return contents, instead

    def _drop(self) -> None:
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _only_one_sends(self, sender: str, *, begins: bool) -> None:
        if not begins and self._sender not in (None, sender):
            raise IllegalMove(
                "another backup is being sent since, from another screen or window; see there what comes of it, then "
                "choose yours again"
            )
        self._sender = sender
