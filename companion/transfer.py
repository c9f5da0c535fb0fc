"""The whole journal out to a file and in again, between tables and computers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.atomic import atomic_text, spare
from companion.config import JOURNAL_FILE, ConfigError, database_url_from_environment, stored_in
from companion.export import MAX_FILE_BYTES, ImportFileError, from_json, renumbered, to_json
from companion.history import plays
from companion.journal import Entry, Journal
from companion.scoreboard import fold, scoreboard

UNREADABLE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
Dated = list[tuple[str, dict[str, Any], str]]


def export_journal(data_dir: Path, out: Path) -> int:
    """Writes every entry to a JSON file; returns how many. Raises ConfigError, JournalError or OutputError."""
    if database_url_from_environment() is None and not data_dir.is_dir():
        raise ConfigError(f"{data_dir}: no such folder, expected one that 'paleo run' has used; name it with --data")
    spare(out, data_dir / JOURNAL_FILE)
    journal = _journal(data_dir)
    try:
        entries = journal.entries_after(0, None)
    finally:
        journal.close()
    with atomic_text(out) as file:
        file.write(to_json(entries))
    return len(entries)


def import_journal(data_dir: Path, source: Path) -> int:
    """Appends the matches of an exported file to the journal; returns how many entries. Nothing on any error.

    Raises ConfigError or JournalError. What entries say of others is told by their new numbers.
    """
    try:
        if source.stat().st_size > MAX_FILE_BYTES:
            raise ImportFileError(f"found more than {MAX_FILE_BYTES // 10**6} MB, expected an exported file")
        entries = from_json(source.read_text(encoding="utf-8-sig"))  # editors on Windows put a mark before UTF-8
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{source}: cannot be read ({error}); name a file that was exported") from None
    except ImportFileError as error:
        raise ConfigError(f"{source}: {error}") from None
    journal = _journal(data_dir)
    try:
        told = renumbered(entries, journal.last_id())
        dated = [(type, data, entry.time) for (type, data), entry in zip(told, entries, strict=True)]
        _try_out(journal, dated, source)
        journal.append_dated(dated)
    finally:
        journal.close()
    return len(entries)


def _try_out(journal: Journal, items: Dated, source: Path) -> None:
    """Folds the journal as it would be: what the games cannot read is refused before it is kept. Raises ConfigError."""
    fresh = [Entry(n, type, time, data) for n, (type, data, time) in enumerate(items, journal.last_id() + 1)]
    try:
        everything = [*journal.entries_after(0, None), *fresh]
        scoreboard(fold(everything))
        plays(everything)
    except UNREADABLE as error:
        raise ConfigError(f"{source}: its entries cannot be read ({error!r}); export the file anew") from None


def _journal(data_dir: Path) -> Journal:
    return Journal(stored_in(data_dir).journal_url)
