"""Who holds which seat of the match that is on, kept beside the journal so that a restart takes nobody's seat."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from companion.atomic import replace_private

SEATS_FILE = "seats.json"
FORMAT = 1
MOST_BYTES = 1 << 16  # a match has eight seats at most
HOLDING_BYTES = 8  # of chance in the name of one holding of a seat
DIGEST = re.compile("[0-9a-f]{64}")
UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """What the file tells. match: the entry that began it; begun: when; by: digests of the holders' secrets by seat."""

    match: int = -1
    begun: str = ""
    by: dict[str, str] = field(default_factory=dict)


class Claims:
    """Who holds which seat. A seat is held by one browser until it lets go, it is freed, or another match is on.

    match: gives the entry that began the match that is on; begun: the time of such an entry, as another journal counts
    its entries from one again; path: the file, None to keep nothing. Safe to use from several threads.
    """

    def __init__(
        self, match: Callable[[], int], begun: Callable[[int], str] = lambda _: "", path: Path | None = None
    ) -> None:
        self._now, self._begun, self._path = match, begun, path
        self._lock = threading.Lock()
        kept = _read(path) if path is not None else Kept()
        good = kept.by and kept.begun == begun(kept.match)
        self._match, self._by = (kept.match, kept.by) if good else (-1, {})
        self._holdings = {seat: _new_holding() for seat in self._by}  # each taking of a seat is another one

    def claim(self, seat: str, browser: str) -> bool:
        """Whether a seat is the browser's now; not where another holds it."""
        with self._lock:
            self._turn()
            mine = _digest(browser)
            if seat not in self._by:
                self._by[seat], self._holdings[seat] = mine, _new_holding()
                self._write()
            return secrets.compare_digest(self._by[seat], mine)

    def of(self, browser: str) -> set[str]:
        """The seats that a browser holds."""
        with self._lock:
            self._turn()
            mine = _digest(browser)
            return {seat for seat, by in self._by.items() if secrets.compare_digest(by, mine)}

    def release(self, seat: str) -> None:
        """The seat is free again."""
        with self._lock:
            self._turn()
            self._drop(seat)

    @contextmanager
    def freeing(self, seat: str) -> Iterator[str | None]:
        """Frees a seat when the block ends, and not where it raises; gives its holding, None where nobody holds it.

        Meanwhile nobody learns who holds what: whoever is told in the block of the freed seat finds it free.
        """
        with self._lock:
            self._turn()
            yield self._holdings.get(seat)
            self._drop(seat)

    def held(self) -> list[str]:
        """The seats that somebody holds."""
        return sorted(self.holdings())

    def holdings(self) -> dict[str, str]:
        """A name for each time that a seat which somebody holds was taken: it says which holder is meant, not who."""
        with self._lock:
            self._turn()
            return dict(self._holdings)

    def _turn(self) -> None:
        """Seats are for one match: with another one on, nobody holds any."""
        if (match := self._now()) != self._match:
            self._match, self._by, self._holdings = match, {}, {}

    def _drop(self, seat: str) -> None:
        if self._by.pop(seat, None) is not None:
            del self._holdings[seat]
            self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        body = {"format": FORMAT, "match": self._match, "begun": self._begun(self._match), "seats": self._by}
        try:
            replace_private(self._path, json.dumps(body, indent=1))
        except OSError as error:
            log.warning("%s: who holds which seat cannot be kept (%s); see to the folder and its space",
                        self._path, error.strerror)  # fmt: skip
            with suppress(OSError):  # who held a seat before must not get it back after a restart
                self._path.unlink()


def _read(path: Path) -> Kept:
    """What was kept; nothing where there is no file, or one that cannot be read."""
    try:
        if not path.exists():
            return Kept()
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            raise ValueError("no file of seats")
        body = json.loads(path.read_text(encoding="utf-8"))
        by = dict(body["seats"])
        if body["format"] != FORMAT or type(body["match"]) is not int or not all(map(DIGEST.fullmatch, by.values())):
            raise ValueError("format")
        return Kept(body["match"], str(body["begun"]), by)
    except UNREADABLE as error:
        log.warning("%s: who held which seat cannot be read (%s); seats are to be taken again", path, error)
        return Kept()


def _new_holding() -> str:
    return secrets.token_hex(HOLDING_BYTES)


def _digest(browser: str) -> str:
    return hashlib.sha256(browser.encode()).hexdigest()
