"""Everything in one file and back: nothing is lost, nothing half done, and no made-up archive does harm."""

from __future__ import annotations

import io
import json
import os
import resource
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from companion.access import ACCESS_FILE, Access, Role
from companion.backup import PENDING, BackupError, Contents, backup_of, look_into, restore, restore_pending
from companion.claims import SEATS_FILE
from companion.config import Stored, stored_in
from companion.journal import Journal


@pytest.fixture
def table(tmp_path: Path) -> Stored:
    """A data folder with a journal, a film and codes."""
    folder = tmp_path / "table"
    (folder / "replays").mkdir(parents=True)
    (folder / "replays/7.film").write_bytes(b"film" * 1000)
    Access(folder / ACCESS_FILE).new_code(Role.OWNER)
    stored = stored_in(folder)
    journal = Journal(stored.journal_url)
    journal.append_all([("note", {"en": f"{n}", "fr": "é"}) for n in range(30)])
    journal.append("undo", {"undoes": 3})
    journal.close()
    return stored


def entries(stored: Stored) -> list[object]:
    journal = Journal(stored.journal_url)
    try:
        return list(journal.entries_after(0, None))
    finally:
        journal.close()


def test_a_backup_restored_elsewhere_is_the_same_to_the_last_byte(table: Stored, tmp_path: Path) -> None:
    made = backup_of(table, tmp_path / "all.zip")
    there = stored_in(tmp_path / "other" / "table")
    assert restore(tmp_path / "all.zip", there.folder, there.journal_url) == look_into(tmp_path / "all.zip") == made
    assert entries(there) == entries(table)
    for name in ("replays/7.film", ACCESS_FILE):
        assert (there.folder / name).read_bytes() == (table.folder / name).read_bytes()
    assert (there.folder / ACCESS_FILE).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("entries", "files", "told"),
    [
        (1, 2, "1 journal entry and 2 files"),
        (31, 1, "31 journal entries and 1 file"),
        (0, 0, "0 journal entries and 0 files"),
    ],
)
def test_one_of_a_thing_is_told_as_one(entries: int, files: int, told: str) -> None:
    assert str(Contents("2026-11-29T12:00:00Z", entries, files)) == told


def test_two_backups_into_one_file_at_once_write_a_part_each(table: Stored, tmp_path: Path) -> None:
    """The first is still being written as the second begins; what it will find there is its own."""
    (tmp_path / ".all.zip.part").write_bytes(b"half of the first")
    backup_of(table, tmp_path / "all.zip")
    assert (tmp_path / ".all.zip.part").read_bytes() == b"half of the first"


def test_a_backup_at_the_end_of_a_link_leaves_the_link(table: Stored, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "all.zip").symlink_to(Path("disk", "all.zip"))
    made = backup_of(table, tmp_path / "all.zip")
    assert (tmp_path / "all.zip").is_symlink()
    assert look_into(tmp_path / "disk/all.zip") == made
    assert [path.name for path in (tmp_path / "disk").iterdir()] == ["all.zip"]


def test_who_holds_a_seat_goes_into_no_backup_and_is_forgotten_where_one_comes_back(
    table: Stored, tmp_path: Path
) -> None:
    """Matches are told apart by their entry: in another journal the same number is another match."""
    seats = table.folder / SEATS_FILE
    seats.write_text('{"format": 1}', encoding="utf-8")
    backup_of(table, tmp_path / "all.zip")
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert f"data/{SEATS_FILE}" not in archive.namelist()
        assert not any(SEATS_FILE in archive.read(name).decode("latin-1") for name in archive.namelist())
    restore(tmp_path / "all.zip", table.folder, table.journal_url)
    assert not seats.exists()


def test_what_was_there_is_kept_beside_the_folder_and_goes_back_in(table: Stored, tmp_path: Path) -> None:
    before = entries(table)
    backup_of(table, tmp_path / "old.zip")
    journal = Journal(table.journal_url)
    journal.append("note", {"en": "newer", "fr": "plus récent"})
    journal.close()
    restore(tmp_path / "old.zip", table.folder, table.journal_url)
    assert entries(table) == before
    (kept,) = tmp_path.glob("table-before-restore-*.zip")
    assert kept.stat().st_mode & 0o077 == 0, "it holds the codes"
    restore(kept, table.folder, table.journal_url)
    assert len(entries(table)) == len(before) + 1


def test_the_journal_goes_on_after_a_restore_without_using_an_id_twice(table: Stored, tmp_path: Path) -> None:
    backup_of(table, tmp_path / "all.zip")
    restore(tmp_path / "all.zip", table.folder, table.journal_url)
    journal = Journal(table.journal_url)
    assert journal.append("note", {}).id == 32
    journal.close()


def test_what_a_page_left_is_restored_at_the_next_start_and_only_then(table: Stored, tmp_path: Path) -> None:
    backup_of(table, tmp_path / "all.zip")
    there = stored_in(tmp_path / "other")
    there.folder.mkdir()
    assert restore_pending(there.folder, there.journal_url) is None
    (there.folder / PENDING).write_bytes((tmp_path / "all.zip").read_bytes())
    assert restore_pending(there.folder, there.journal_url) is not None
    assert entries(there) == entries(table)
    assert restore_pending(there.folder, there.journal_url) is None


def _rewritten(change: Callable[[str, bytes], bytes | None]) -> Callable[[bytes], bytes]:
    def rewrite(whole: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(out, "w") as new:
            for name in old.namelist():
                data = change(name, old.read(name))
                if data is not None:
                    new.writestr(name, data)
        return out.getvalue()

    return rewrite


def _with_format(number: int) -> Callable[[str, bytes], bytes]:
    return lambda name, data: (
        json.dumps({**json.loads(data), "format": number}).encode() if name == "manifest.json" else data
    )


def _climbing(name: str, data: bytes) -> bytes:
    if name != "manifest.json":
        return data
    body = json.loads(data)
    return json.dumps({**body, "files": {"data/../../climbed": "0", **body["files"]}}).encode()


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda whole: b"", "no backup can be read"),
        (lambda whole: whole[: len(whole) // 2], "no backup can be read"),
        (_rewritten(lambda name, data: None if name == "manifest.json" else data), "no whole backup"),
        (_rewritten(lambda name, data: data[:-1] if name.endswith(".film") else data), "damaged"),
        (_rewritten(lambda name, data: None if name == "journal.json" else data), "no whole backup"),
        (_rewritten(_with_format(9)), "format 9, expected 1"),
        (_rewritten(_climbing), "belongs to no backup"),
    ],
)
def test_a_spoilt_backup_changes_nothing_and_says_so_in_one_line(
    table: Stored, tmp_path: Path, spoil: Callable[[bytes], bytes], told: str
) -> None:
    backup_of(table, tmp_path / "all.zip")
    (tmp_path / "bad.zip").write_bytes(spoil((tmp_path / "all.zip").read_bytes()))
    before = entries(table)
    with pytest.raises(BackupError, match=told) as error:
        restore(tmp_path / "bad.zip", table.folder, table.journal_url)
    assert "\n" not in str(error.value)
    assert entries(table) == before
    assert (table.folder / "replays/7.film").exists()
    assert not (tmp_path / "climbed").exists()
    assert list(tmp_path.glob("*-before-restore-*")) == []


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    """As where a disk is full after so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("there", [300_000, 1_000])
def test_a_disk_that_is_full_changes_nothing_and_no_half_of_a_file_is_left(
    table: Stored, tmp_path: Path, there: int
) -> None:
    """Full before all is kept that is there, or when what comes back is unpacked."""
    film = table.folder / "replays/7.film"
    film.write_bytes(os.urandom(300_000))
    backup_of(table, tmp_path / "all.zip")
    film.write_bytes(os.urandom(there))
    before, files, shown = entries(table), sorted(tmp_path.rglob("*")), film.read_bytes()
    with no_file_larger_than(200_000), pytest.raises(BackupError, match="free some space"):
        restore(tmp_path / "all.zip", table.folder, table.journal_url)
    assert (entries(table), sorted(tmp_path.rglob("*")), film.read_bytes()) == (before, files, shown)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="no such data folder"):
        backup_of(stored_in(tmp_path / "nowhere"), tmp_path / "all.zip")


def test_a_backup_of_which_any_byte_is_another_changes_nothing_and_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    folder.mkdir()
    Access(folder / ACCESS_FILE).new_code(Role.OWNER)
    backup_of(stored_in(folder), tmp_path / "all.zip")
    whole, file, refused = (tmp_path / "all.zip").read_bytes(), tmp_path / "damaged.zip", 0
    for place in range(len(whole)):
        for bits in (1, 0x80):
            file.write_bytes(whole[:place] + bytes([whole[place] ^ bits]) + whole[place + 1 :])
            with suppress(BackupError):  # and nothing else; a time stamp of the archive's is nobody's loss
                look_into(file)
                refused -= 1
            refused += 1
    assert refused > len(whole)


def test_a_path_through_a_file_is_refused_in_a_line(table: Stored, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(BackupError, match=r"all\.zip: cannot be written \(Not a directory\)"):
        backup_of(table, tmp_path / "file" / "all.zip")


def test_a_backup_goes_into_a_pipe_and_takes_nobodys_place(table: Stored, tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    made = backup_of(table, pipe)
    reader.join()
    assert pipe.is_fifo()
    (tmp_path / "heard.zip").write_bytes(heard[0])
    assert look_into(tmp_path / "heard.zip") == made
