"""The journal: durable, append-only, clear about what is wrong."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from companion.config import journal_url
from companion.journal import WHILE_IT_RUNS, Entry, Journal, JournalError

WRITER = """
import sys
from companion.journal import Journal
journal = Journal(sys.argv[1])
n = journal.last_id()
while True:
    n += 1
    entries = journal.append_all([("note", {"n": n, "pad": "x" * 2000}), ("ruling", {"of": n})])
    sys.stdout.write(f"{entries[-1].id}\\n")
    sys.stdout.flush()
"""


@pytest.fixture
def url(tmp_path: Path) -> str:
    return journal_url(tmp_path)


def test_entries_come_back_in_order_after_reopening(url: str) -> None:
    journal = Journal(url, clock=lambda: "2026-01-02T03:04:05.000+00:00")
    for n in range(5):
        journal.append("note", {"n": n, "word": "é"})
    journal.close()
    again = Journal(url)
    assert [(e.id, e.data["n"]) for e in again.entries_after(2)] == [(3, 2), (4, 3), (5, 4)]
    assert again.last_id() == 5
    assert again.entries_after(0, limit=1)[0].time == "2026-01-02T03:04:05.000+00:00"


def test_the_database_is_in_wal_mode_and_writes_through(url: str) -> None:
    journal = Journal(url)
    with journal._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2, "FULL"


def test_what_is_appended_together_is_kept_together_or_not_at_all(url: str) -> None:
    journal = Journal(url)
    with pytest.raises(ValueError, match="JSON"):
        journal.append_all([("note", {}), ("note", {"n": float("nan")})])
    assert journal.last_id() == 0


def test_threads_append_without_losing_or_doubling(url: str) -> None:
    journal = Journal(url)
    ids: list[int] = []

    def work(name: int) -> None:
        for n in range(50):
            ids.append(journal.append("note", {"by": name, "n": n}).id)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ids) == list(range(1, 201))
    entries = journal.entries_after(0)
    for k in range(4):
        assert [e.data["n"] for e in entries if e.data["by"] == k] == list(range(50))


@pytest.mark.parametrize("round_", range(3))
def test_a_process_killed_in_mid_append_loses_nothing_that_was_told(url: str, round_: int) -> None:
    child = subprocess.Popen([sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    told = [int(child.stdout.readline()) for _ in range(20 + 7 * round_)]
    child.send_signal(signal.SIGKILL)
    told += [int(line) for line in child.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    child.wait()
    journal = Journal(url)
    entries = journal.entries_after(0, None)
    assert [e.id for e in entries] == list(range(1, len(entries) + 1))
    assert len(entries) >= told[-1], "all that was told is there"
    assert len(entries) % 2 == 0, "no half of a pair"
    assert all(e.data["n"] for e in entries if e.type == "note")
    assert journal.append("note", {"n": 1}).id == len(entries) + 1


def test_a_first_start_that_was_cut_off_anywhere_is_begun_again_by_the_next(tmp_path: Path) -> None:
    """The write-ahead log of a journal that has just been made, up to each of its frames (SQLite file format, 4.1)."""
    made = Journal(journal_url(tmp_path / "made"))
    file, log = ((tmp_path / "made" / f"journal.sqlite3{end}").read_bytes() for end in ("", "-wal"))
    made.close()
    frame = 24 + int.from_bytes(file[16:18], "big")
    ends = range(32, len(log) + 1, frame)
    assert len(ends) > 3
    for end in ends:
        folder = tmp_path / str(end)
        folder.mkdir()
        (folder / "journal.sqlite3").write_bytes(file)
        (folder / "journal.sqlite3-wal").write_bytes(log[:end])
        journal = Journal(journal_url(folder))
        assert journal.append("note", {}).id == 1
        journal.close()


def read_again(folder: Path) -> list[Entry]:
    journal = Journal(journal_url(folder))
    try:
        return journal.entries_after(0, None)
    finally:
        journal.close()


def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    url = journal_url(tmp_path)
    (tmp_path / "journal.sqlite3").write_text("these are no pages of a database" * 100)
    with pytest.raises(JournalError) as caught:
        Journal(url)
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    assert "move the file away" in str(caught.value)


@pytest.mark.parametrize("name", ["a?b", "a%20b", "a#b", "é😀 &;@'", "\udcff"], ids=ascii)
def test_the_journal_lies_in_its_folder_whatever_that_is_called(tmp_path: Path, name: str) -> None:
    journal = Journal(journal_url(tmp_path / name))
    journal.append("note", {})
    journal.close()
    assert (tmp_path / name / "journal.sqlite3").is_file()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="choose a folder that may be written"):
        Journal(journal_url(tmp_path / "file" / "data"))


def test_a_database_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    url = journal_url(tmp_path)
    Journal(url).close()
    with sqlite3.connect(tmp_path / "journal.sqlite3") as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(JournalError, match="9999"):
        Journal(url)


def test_a_damaged_line_is_told_and_not_swallowed(tmp_path: Path) -> None:
    journal = Journal(journal_url(tmp_path))
    journal.append("note", {})
    with sqlite3.connect(tmp_path / "journal.sqlite3") as raw:
        raw.execute("UPDATE entries SET data = '{'")
    with pytest.raises(JournalError, match=r"cannot be read: entry 1 is damaged .*restore a backup"):
        journal.entries_after(0)


def test_a_journal_cut_off_anywhere_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    journal = Journal(journal_url(tmp_path))
    journal.append_all([("note", {"text": "x" * 90})] * 99)
    journal.close()
    file = tmp_path / "journal.sqlite3"
    whole = file.read_bytes()
    for length in range(100, len(whole), 997):
        file.write_bytes(whole[:length])
        with pytest.raises(JournalError, match=r"move the file away .* restore a backup"):
            read_again(tmp_path)
        assert file.read_bytes() == whole[:length]


def folder_of_a_match(tmp_path: Path) -> tuple[Path, Journal]:
    folder = tmp_path / "data"
    journal = Journal(journal_url(folder))
    journal.append_all([("note", {"n": n}) for n in range(3)])
    return folder, journal


def test_nothing_is_told_as_kept_while_the_folder_is_gone_and_all_goes_on_when_it_is_back(tmp_path: Path) -> None:
    """What was written then was lost with the process: the open file had no name any more."""
    folder, journal = folder_of_a_match(tmp_path)
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(JournalError, match="is not there any more; put its folder back"):
        journal.append("note", {"n": 3})
    assert [e.data["n"] for e in journal.entries_after(0)] == [0, 1, 2], "to be saved by its page"
    (tmp_path / "elsewhere").rename(folder)
    journal.append("note", {"n": 3})
    assert [e.data["n"] for e in read_again(folder)] == [0, 1, 2, 3]


def test_a_folder_that_is_put_back_from_a_copy_is_gone_on_with(tmp_path: Path) -> None:
    folder, journal = folder_of_a_match(tmp_path)
    shutil.copytree(folder, tmp_path / "copy")
    shutil.rmtree(folder)
    with pytest.raises(JournalError, match="not there"):
        journal.append("note", {"n": 3})
    (tmp_path / "copy").rename(folder)
    journal.append("note", {"n": 3})
    journal.append("note", {"n": 4})
    assert [e.data["n"] for e in read_again(folder)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("entries", [2, 3, 4])
def test_a_file_of_another_match_in_its_place_is_not_written_to(tmp_path: Path, entries: int) -> None:
    folder, journal = folder_of_a_match(tmp_path)
    shutil.rmtree(folder)
    other = Journal(journal_url(folder))
    other.append_all([("note", {"n": -n}) for n in range(entries)])
    other.close()
    with pytest.raises(JournalError, match="another file has its place; put its folder back"):
        journal.append("note", {"n": 3})
    assert len(read_again(folder)) == entries


def test_where_a_disk_turns_read_only_in_a_match_nobody_is_sent_to_another_folder(url: str) -> None:
    """What waits to be written would be lost by it."""
    journal = Journal(url)
    journal.then = WHILE_IT_RUNS
    sa.event.listen(journal._engine, "checkout", lambda raw, *_: raw.execute("PRAGMA query_only = 1").close())
    with pytest.raises(JournalError, match="may be written again, and leave the companion running"):
        journal.append("note", {})


def test_a_missing_driver_and_a_wrong_address_are_told() -> None:
    with pytest.raises(JournalError, match="address"):
        Journal("nonsense")
    with pytest.raises(JournalError, match=r"\*\*\*"):
        Journal("postgresql+psycopg://me:secret@127.0.0.1:1/none")
