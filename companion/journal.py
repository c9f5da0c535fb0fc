"""The journal: an append-only list of facts and decisions, durable before anybody is told."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.engine import Connection, Engine

from companion.config import SQLITE

START_AGAIN = "then start again"
WHILE_IT_RUNS = "and leave the companion running: what it sees waits, and is written; what was refused, do once more"
NO_FILE = "its file is not there any more"
OTHER_FILE = "another file has its place"
FOLDER_BACK = (
    "put its folder back and leave the companion running, or save everything in one file on the page Referee before "
    "you end it"
)
BUSY_TIMEOUT_MS = 5000  # another process that reads or writes the same file gets this long to finish

_metadata = sa.MetaData()
_entries = sa.Table(
    "entries",
    _metadata,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True, autoincrement=True),
    sa.Column("type", sa.String(40), nullable=False),
    sa.Column("time", sa.String(40), nullable=False),
    sa.Column("data", sa.Text(), nullable=False),
)


class JournalError(RuntimeError):
    """The journal cannot be opened, read or written; the message says what, where and what to do, in one line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One committed line of the journal: ids rise and are never used twice; time is ISO 8601 in UTC."""

    id: int
    type: str
    time: str
    data: dict[str, Any]


def utc_now() -> str:
    """The time of day as the journal writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """Appends to and reads from one database; safe to use from several threads.

    url: any SQLAlchemy address; SQLite is opened with WAL and synchronous=FULL, and nothing is written to a file that
    has lost its name: that would be gone with this process.
    clock: gives the time that entries carry.
    then: what errors say is to be done when the disk is free again, say; whoever keeps trying sets another.
    Raises JournalError where the database cannot be opened or brought up to date.
    """

    then = START_AGAIN

    def __init__(self, url: str, clock: Callable[[], str] = utc_now) -> None:
        self._clock = clock
        self._write = threading.Lock()
        self._where = _shown(url)
        try:
            self._engine = _engine(url, self._where)
        except ImportError as error:
            raise self._error("cannot be opened: its driver is not installed", error) from None
        except sa.exc.SQLAlchemyError as error:
            raise self._error("cannot be opened", error) from None
        try:
            with self._engine.connect() as connection:
                _migrate(connection)
            with self._engine.connect() as connection:
                _check(connection)
            self._url, self._file, self._newest = url, _file_at(url), _newest_of(self._engine)
        except (sa.exc.SQLAlchemyError, CommandError, OSError) as error:
            raise self._error("cannot be opened", error) from None

    def append(self, type: str, data: dict[str, Any]) -> Entry:
        """Appends one entry and returns it once it is committed. Raises JournalError; nothing is kept then."""
        return self.append_all([(type, data)])[0]

    def append_all(self, items: Iterable[tuple[str, dict[str, Any]]]) -> list[Entry]:
        """Appends entries in one transaction: all of them are kept, or none. Raises JournalError."""
        time = self._clock()
        rows = [{"type": t, "time": time, "data": _dump(d)} for t, d in items]
        with self._write:
            ids = self._written(rows)
        return [Entry(i, r["type"], time, json.loads(r["data"])) for i, r in zip(ids, rows, strict=True)]

    def append_dated(self, items: Iterable[tuple[str, dict[str, Any], str]]) -> None:
        """Appends entries with times of their own, in one transaction, as an import has them. Raises JournalError."""
        rows = [{"type": t, "time": time, "data": _dump(d)} for t, d, time in items]
        with self._write:
            self._written(rows)

    def _written(self, rows: list[dict[str, str]]) -> list[int]:
        """Their ids, once they are committed to the file that bears the journal's name. Raises JournalError."""
        try:
            self._find_file()
            with self._engine.begin() as connection:
                ids = [_insert(connection, row) for row in rows]
        except sa.exc.SQLAlchemyError as error:
            raise self._error("cannot be written", error) from None
        if rows:
            self._newest = (ids[-1], *rows[-1].values())
        return ids

    def _find_file(self) -> None:
        """Goes on with a file that has come into the open one's place where it holds the same, as where a folder was
        put back from a copy, or its disk was plugged in again. Raises JournalError where it does not, or none is there.
        """
        file = _file_at(self._url)
        if file == self._file:
            return
        if file is None:
            raise self._error("cannot be written", FileNotFoundError(NO_FILE))
        found = _engine(self._url, self._where)
        try:
            same = _newest_of(found, self._newest) == self._newest
        except sa.exc.SQLAlchemyError:
            same = False
        if not same:
            found.dispose()
            raise self._error("cannot be written", FileExistsError(OTHER_FILE))
        self._engine.dispose()
        self._engine, self._file = found, file

    def replace_all(self, entries: Iterable[Entry]) -> None:
        """Puts a backup's entries, with their ids and times, in the place of all there are: all of them, or nothing
        changes. Raises JournalError. For nobody but a restore, while no companion runs."""
        rows = [{"id": e.id, "type": e.type, "time": e.time, "data": _dump(e.data)} for e in entries]
        try:
            with self._write, self._engine.begin() as connection:
                connection.execute(_entries.delete())
                if rows:
                    connection.execute(_entries.insert(), rows)
        except sa.exc.SQLAlchemyError as error:
            raise self._error("cannot be written", error) from None

    def entries_after(self, last_id: int, limit: int | None = 500) -> list[Entry]:
        """The entries that follow `last_id` in order, at most `limit` of them (None: all). Raises JournalError."""
        query = sa.select(_entries).where(_entries.c.id > last_id).order_by(_entries.c.id).limit(limit)
        try:
            with self._engine.connect() as connection:
                rows = connection.execute(query).all()
            return [_entry(row) for row in rows]
        except (sa.exc.SQLAlchemyError, ValueError) as error:
            raise self._error("cannot be read", error) from None

    def last_id(self) -> int:
        """The id of the newest entry, 0 while there is none. Raises JournalError."""
        try:
            with self._engine.connect() as connection:
                return int(connection.scalar(sa.select(sa.func.max(_entries.c.id))) or 0)
        except sa.exc.SQLAlchemyError as error:
            raise self._error("cannot be read", error) from None

    def close(self) -> None:
        """Lets go of the database; safe to call twice."""
        self._engine.dispose()

    def _error(self, what: str, error: Exception) -> JournalError:
        cause = error.orig if isinstance(error, sa.exc.DBAPIError) and error.orig is not None else error
        reason = " ".join(str(cause).split()) or type(cause).__name__
        return JournalError(f"the journal {self._where} {what}: {reason}; {_remedy(reason, self.then)}")


def _file_at(url: str) -> tuple[int, int] | None:
    """What tells the journal's file from any other that may bear its name; None where there is no such file."""
    parsed = _parsed(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    try:
        found = os.stat(str(parsed.database))
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _newest_of(engine: Engine, like: tuple[Any, ...] | None = None) -> tuple[Any, ...] | None:
    """The newest line of a journal as it is kept, or the one with the id of another; None where there is none."""
    query = sa.select(_entries).order_by(_entries.c.id.desc()).limit(1)
    if like is not None:
        query = query.where(_entries.c.id == like[0])
    with engine.connect() as connection:
        row = connection.execute(query).first()
    return None if row is None else tuple(row)


def _entry(row: Any) -> Entry:
    """A line as it was kept. Raises ValueError: where a file was cut off, SQLite gives parts of lines as nothing."""
    try:
        data = json.loads(row.data)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"entry {row.id} is damaged ({error})") from None
    if not (isinstance(row.type, str) and isinstance(row.time, str) and isinstance(data, dict)):
        raise ValueError(f"entry {row.id} is damaged (expected a type, a time and an object)")
    return Entry(row.id, row.type, row.time, data)


def _insert(connection: Connection, row: dict[str, str]) -> int:
    key = connection.execute(_entries.insert().values(row)).inserted_primary_key
    assert key is not None
    return int(key[0])


def _dump(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _engine(url: str, where: str) -> Engine:
    parsed = _parsed(url)
    if parsed.get_backend_name() != "sqlite":
        return sa.create_engine(parsed, pool_pre_ping=True)
    if parsed.database and parsed.database != ":memory:":
        _folder(Path(parsed.database).parent, where)
    engine = sa.create_engine(parsed, connect_args={"timeout": BUSY_TIMEOUT_MS / 1000})
    sa.event.listen(engine, "connect", _pragmas)
    return engine


def _parsed(url: str) -> sa.URL:
    """An address, read: SQLAlchemy 2.0 and 2.1 differ in what %20 and the like mean in a file's path."""
    if not url.startswith(SQLITE):
        return sa.make_url(url)
    path, _, query = url.removeprefix(SQLITE).partition("?")
    return sa.URL.create("sqlite", database=unquote(path, errors="surrogateescape"), query=dict(parse_qsl(query)))


def _folder(folder: Path, where: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(
            f"the journal {where} cannot be opened: its folder cannot be made ({error.strerror or error}); "
            "choose a folder that may be written with --data"
        ) from None


def _pragmas(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_TIMEOUT_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: Connection) -> None:
    """Brings the tables up to date, in one transaction: who is cut off in it begins it again at the next start."""
    if connection.dialect.name == "sqlite":
        connection.execute(sa.text("BEGIN IMMEDIATE"))  # its driver begins none of its own for tables
    config = Config()
    config.set_main_option("script_location", "companion:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    connection.commit()


def _check(connection: Connection) -> None:
    connection.execute(sa.select(_entries).limit(1)).all()
    if connection.dialect.name == "sqlite":
        connection.execute(sa.text("BEGIN IMMEDIATE"))
        connection.rollback()


def _shown(url: str) -> str:
    try:
        parsed = _parsed(url)
    except sa.exc.ArgumentError:
        raise JournalError(
            f"the journal's address {url!r} is none; expected one such as sqlite:///journal.sqlite3; "
            "correct PALEO_DATABASE_URL"
        ) from None
    if parsed.get_backend_name() == "sqlite":
        return parsed.database or "in memory"
    return parsed.render_as_string(hide_password=True)


def _remedy(reason: str, then: str) -> str:
    """What to do about it; then: what to do afterwards, where that alone helps."""
    lower = reason.lower()
    if reason in (NO_FILE, OTHER_FILE):
        return FOLDER_BACK
    if "no module named" in lower:
        return 'install it (for PostgreSQL: pip install "paleo-companion[postgres]")'
    if "readonly" in lower or "permission" in lower or "unable to open" in lower:
        if then == WHILE_IT_RUNS:  # in another folder what waits to be written would be lost
            return f"see that its folder may be written again, {then}"
        return "choose a folder that may be written with --data"
    if "full" in lower:
        return f"free some space on the disk, {then}"
    if "locked" in lower:
        return f"another program holds it: close that one, {then}"
    if any(sign in lower for sign in ("malformed", "not a database", "no such", "revision", "damaged")):
        return "move the file away (keep it as a copy) and start again, or restore a backup"
    return f"see that the database can be reached and written, {then}"
