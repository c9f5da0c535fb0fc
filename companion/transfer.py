"""The whole journal out to a file and in again, between tables and computers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from companion.atomic import atomic_text, spare
from companion.config import JOURNAL_FILE, ConfigError, database_url_from_environment, stored_in
from companion.export import MAX_FILE_BYTES, NAMES_OTHERS, ImportFileError, from_json, known_ids, renumbered, to_json
from companion.games.base import in_english
from companion.history import plays
from companion.journal import Entry, Journal
from companion.scoreboard import DERIVED, Amendments, fold, scoreboard

UNREADABLE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
BEGUN = "match_started"
RESUMED = "match_resumed"
OF_OTHERS = ("undo", "correction", RESUMED, *DERIVED)  # what says something of another entry
OF_THE_TABLE = ("access", "camera", "note", "sensor")  # what is journalled without a match, too, and changes none
SEEN = ("shot", "hand", "reefs")  # what a camera tells before the first match, too, where it counts for none
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


def import_journal(data_dir: Path, source: Path, tell: Callable[[str], object] = str) -> int:
    """Appends the matches of an exported file to the journal; returns how many entries. Nothing on any error.

    Matches that the journal has already are left out, and what belongs to a match that is not in the file; tell is told
    how many. Raises ConfigError or JournalError, also where there is nothing else in the file. What entries say of
    others is told by their new numbers.
    """
    try:
        if source.stat().st_size > MAX_FILE_BYTES:
            raise ImportFileError(f"found more than {MAX_FILE_BYTES // 10**6} MB, expected an exported file")
        entries = from_json(source.read_text(encoding="utf-8-sig"))  # editors on Windows put a mark before UTF-8
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{source}: cannot be read ({error}); name a file that was exported") from None
    except ImportFileError as error:
        raise ConfigError(f"{source}: {error}") from None
    entries, lost = _of_its_matches(entries, source)
    journal = _journal(data_dir)
    try:
        known = known_ids(entries, journal.entries_after(0, None))
        fresh = _fresh(entries, known, journal.last_id(), source)
        told = renumbered(fresh, journal.last_id(), known)
        dated = [(type, data, entry.time) for (type, data), entry in zip(told, fresh, strict=True)]
        _try_out(journal, dated, source)
        journal.append_dated(dated)
    finally:
        journal.close()
    if again := _matches(entries) - _matches(fresh):
        tell(f"{source}: {in_english(again, 'match', 'matches')} in it left out, as this journal has them already")
    if lost:
        tell(f"{source}: {in_english(lost, 'entry', 'entries')} left out, of a match whose beginning is not in it")
    return len(fresh)


def _of_its_matches(entries: list[Entry], source: Path) -> tuple[list[Entry], int]:
    """The entries that belong to a match of the file itself, or to none, and how many others people had made.

    The journal's own match would take those in: an undo of what is not there by its number, a match that goes on
    without its beginning, or a shot that the camera saw before the first one. Raises ConfigError where all are such.
    """
    try:
        found = _belonging(entries)
    except UNREADABLE as error:
        raise _unreadable(source, error) from None
    kept = {entry.id for entry in found}
    lost = sum(entry.id not in kept and entry.type not in SEEN for entry in entries)
    if lost and not found:
        raise ConfigError(
            f"{source}: the beginning of its match is not in it; expected whole matches, as they were exported: export "
            "the file anew"
        )
    return found, lost


def _belonging(entries: list[Entry]) -> list[Entry]:
    amendments = Amendments()
    for entry in entries:
        amendments.add(entry)
    found, there, begun, on = list[Entry](), set[int](), set[int](), False
    for entry in entries:
        names = [entry.data[name] for name in NAMES_OTHERS if name in entry.data] if entry.type in OF_OTHERS else []
        whole = all(name in there for name in names)
        counts = amendments.amended(entry) is not None
        if counts and entry.type in (BEGUN, RESUMED):
            on = entry.type == BEGUN or names[0] in begun
            begun |= {entry.id} if on else set()
        if whole and (on or not counts or entry.type in (*OF_OTHERS, *OF_THE_TABLE)):
            found.append(entry)
            there.add(entry.id)
    return found


def _fresh(entries: list[Entry], known: Mapping[int, int], last_id: int, source: Path) -> list[Entry]:
    """The entries of the matches that the journal has not, of one with which it ends, and those before the first match.

    Raises ConfigError where there is none, or where the journal has a part of a match and then another one: what
    follows would be taken for a part of that.
    """
    fresh: list[Entry] = []
    for match in _by_match(entries):
        there = sum(entry.id in known for entry in match)
        begins = all(entry.id in known for entry in match[:there])
        goes_on = begins and there and known[match[there - 1].id] == last_id
        if 0 < there < len(match) and match[0].type == BEGUN and not goes_on:
            raise ConfigError(
                f"{source}: this journal has a part of its match of {_day(match[0])} already; expected whole matches, "
                "or new ones: import it into a folder of its own with --data"
            )
        fresh += [entry for entry in match if entry.id not in known]
    if entries and not fresh:
        raise ConfigError(
            f"{source}: this journal has all of it already, up to {_day(entries[-1])}; nothing was added: name another "
            "file"
        )
    return fresh


def _by_match(entries: list[Entry]) -> Iterator[list[Entry]]:
    """Entries from the beginning of one match to that of the next; those before the first one as well."""
    begins = [0, *(n for n, entry in enumerate(entries) if n and entry.type == BEGUN), len(entries)]
    return (entries[first:end] for first, end in pairwise(begins) if first < end)


def _matches(entries: list[Entry]) -> int:
    return sum(entry.type == BEGUN for entry in entries)


def _day(entry: Entry) -> str:
    return entry.time[: len("2026-01-03")]


def _try_out(journal: Journal, items: Dated, source: Path) -> None:
    """Folds the journal as it would be: what the games cannot read is refused before it is kept. Raises ConfigError."""
    fresh = [Entry(n, type, time, data) for n, (type, data, time) in enumerate(items, journal.last_id() + 1)]
    try:
        everything = [*journal.entries_after(0, None), *fresh]
        scoreboard(fold(everything))
        plays(everything)
    except UNREADABLE as error:
        raise _unreadable(source, error) from None


def _unreadable(source: Path, error: Exception) -> ConfigError:
    return ConfigError(f"{source}: its entries cannot be read ({error!r}); export the file anew")


def _journal(data_dir: Path) -> Journal:
    return Journal(stored_in(data_dir).journal_url)
