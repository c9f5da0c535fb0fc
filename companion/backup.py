"""Everything in one file, and back: the journal, films, boards, calibrations, codes and passes of a data folder."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO

from calibration.outputs import behind_links, unfinished, written_as_it_comes
from companion.access import ACCESS_FILE
from companion.atomic import spare
from companion.claims import SEATS_FILE
from companion.config import JOURNAL_FILE, Stored
from companion.export import from_json, to_json
from companion.games.base import GameError, Text, in_english
from companion.journal import Entry, Journal, utc_now

FORMAT = 1
MANIFEST, JOURNAL = "manifest.json", "journal.json"
LARGEST_BYTES = 2 * 2**30  # of all files together, so that a made-up archive fills no disk
PENDING = "restore-at-next-start.zip"
LEFT_OUT = (JOURNAL_FILE, f"{JOURNAL_FILE}-wal", f"{JOURNAL_FILE}-shm", PENDING, SEATS_FILE)
CHUNK = 1 << 20
# what is raised in an archive of which a byte is another: RuntimeError where it then seems encrypted, or of a kind that
# nobody reads
DAMAGED = (KeyError, TypeError, ValueError, EOFError, OSError, RuntimeError, zipfile.BadZipFile, zlib.error)
NO_ZIP = Text("expected a zip file", "attendu un fichier zip")
OWNER_ONLY = 0o600  # it holds the codes' digests and the key that signs cookies


class BackupError(GameError):
    """A backup cannot be made or restored; one line: what was found, what was expected, what to do."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a backup holds. made: ISO 8601."""

    made: str
    entries: int
    files: int

    @property
    def when(self) -> str:
        """When it was made, by this machine's clock: "2026-01-03 20:15"."""
        return datetime.fromisoformat(self.made).astimezone().strftime("%Y-%m-%d %H:%M")

    def __str__(self) -> str:
        """For instance "1 journal entry and 2 files"."""
        entries = in_english(self.entries, "journal entry", "journal entries")
        return f"{entries} and {in_english(self.files, 'file', 'files')}"


def make_backup(data_dir: Path, entries: list[Entry], out: IO[bytes]) -> Contents:
    """Writes a backup of a folder and of a journal's entries; what it holds is told with its digests."""
    digests: dict[str, str] = {}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in _files(data_dir):
            try:
                data = path.read_bytes()
            except FileNotFoundError:  # a film that was let go meanwhile
                continue
            archive.writestr(f"data/{name}", data)
            digests[f"data/{name}"] = hashlib.sha256(data).hexdigest()
        journal = to_json(entries).encode()
        archive.writestr(JOURNAL, journal)
        digests[JOURNAL] = hashlib.sha256(journal).hexdigest()
        contents = Contents(utc_now(), len(entries), len(digests) - 1)
        body = {"format": FORMAT, "made": contents.made, "entries": contents.entries, "files": digests}
        archive.writestr(MANIFEST, json.dumps(body, indent=1))
    return contents


def backup_of(stored: Stored, out: Path) -> Contents:
    """Writes the backup file of a data folder, whole or not at all. Raises BackupError, JournalError or OutputError."""
    if not stored.folder.is_dir():
        raise BackupError("{folder}: there is no such data folder; name it with --data", folder=stored.folder)
    spare(out, stored.folder / JOURNAL_FILE, stored.folder / ACCESS_FILE)
    journal = Journal(stored.journal_url)
    try:
        if device := written_as_it_comes(out):
            with device:
                return make_backup(stored.folder, journal.entries_after(0, None), device)
        with _whole(behind_links(out)) as file:
            return make_backup(stored.folder, journal.entries_after(0, None), file)
    except OSError as error:
        raise BackupError(
            "{out}: cannot be written ({why}); check the folder and the free space", out=out, why=error.strerror
        ) from None
    finally:
        journal.close()


@contextmanager
def _whole(out: Path) -> Iterator[IO[bytes]]:
    """To write a backup file that only its owner may read, and that is there whole or not at all. Raises OSError."""
    part = unfinished(out)
    try:
        with part.open("xb") as file:
            os.chmod(part, OWNER_ONLY)
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, out)
    finally:
        with suppress(OSError):  # of a path through a file there is no part either
            part.unlink(missing_ok=True)


def _files(data_dir: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(data_dir.rglob("*")):
        name = path.relative_to(data_dir).as_posix()
        hidden = any(part.startswith(".") for part in path.relative_to(data_dir).parts)
        if path.is_file() and not path.is_symlink() and name not in LEFT_OUT and not hidden:
            yield name, path


def look_into(file: Path) -> Contents:
    """What a backup holds, after every byte of it was checked. Raises BackupError."""
    with _opened(file) as archive:
        contents, _ = _checked(file, archive)
    return contents


def restore(file: Path, data_dir: Path, journal_url: str) -> Contents:
    """Puts a backup in the place of what a folder and its journal hold; that is kept as a backup of its own beside it.

    Raises BackupError, and nothing is changed then.
    """
    with _opened(file) as archive, ExitStack() as unchanged:
        contents, entries = _checked(file, archive)
        data_dir.mkdir(parents=True, exist_ok=True)
        journal = Journal(journal_url)
        try:
            kept = _keep_what_is_there(data_dir, journal)
            if kept is not None:
                unchanged.callback(kept.unlink)
            with tempfile.TemporaryDirectory(dir=data_dir, prefix=".restore") as folder:
                unpacked = _unpack(archive, Path(folder))
                with suppress(OSError):  # seats were held in a match of the journal that goes
                    (data_dir / SEATS_FILE).unlink()
                journal.replace_all(entries)
                unchanged.pop_all()
                _replace_files(unpacked, data_dir)
        except OSError as error:
            raise BackupError(
                "{data_dir}: cannot be written ({why}); free some space", data_dir=data_dir, why=error.strerror
            ) from None
        finally:
            journal.close()
    return contents


def restore_pending(data_dir: Path, journal_url: str) -> Contents | None:
    """Restores what a page left for the next start; None where nothing was left. Raises BackupError."""
    waiting = data_dir / PENDING
    if not waiting.exists():
        return None
    with tempfile.TemporaryDirectory(dir=data_dir, prefix=".restore") as folder:
        file = Path(folder) / PENDING
        os.replace(waiting, file)  # tried once: a start that fails is not tried again for ever
        return restore(file, data_dir, journal_url)


def _opened(file: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:  # the last: zipfile's word for a later version
        raise BackupError(
            "{file}: no backup can be read from it ({error}); give a file that paleo backup made",
            file=file,
            error=error.strerror if isinstance(error, OSError) else NO_ZIP,
        ) from None


def _checked(file: Path, archive: zipfile.ZipFile) -> tuple[Contents, list[Entry]]:
    """Sizes, names and digests of everything, and the journal's entries."""
    if sum(info.file_size for info in archive.infolist()) > LARGEST_BYTES:
        raise BackupError(
            "{file}: it holds more than {most} bytes, expected a backup of one table", file=file, most=LARGEST_BYTES
        )
    try:
        manifest = json.loads(archive.read(MANIFEST))
        if manifest["format"] != FORMAT:
            raise BackupError(
                "{file}: format {format}, expected {expected}; use the version that made it",
                file=file,
                format=manifest["format"],
                expected=FORMAT,
            )
        digests: dict[str, str] = manifest["files"]
        for name in digests:
            _harmless(file, name)
            if _digest(archive, name) != digests[name]:
                raise BackupError("{file}: {name} is damaged; take another backup", file=file, name=name)
        entries = from_json(archive.read(JOURNAL).decode())
        datetime.fromisoformat(manifest["made"])  # anything else is no backup of ours
        return Contents(manifest["made"], len(entries), len(digests) - 1), entries
    except DAMAGED as error:
        if isinstance(error, BackupError):
            raise
        what = type(error).__name__ if isinstance(error, KeyError | TypeError) else str(error)
        raise BackupError(
            "{file}: it is no whole backup ({what}); give a file that paleo backup made", file=file, what=what
        ) from None


def _harmless(file: Path, name: str) -> None:
    parts = PurePosixPath(name).parts
    fine = name == JOURNAL or (parts[:1] == ("data",) and len(parts) > 1 and ".." not in parts and "\\" not in name)
    if not fine or PurePosixPath(*parts[1:]).as_posix() in LEFT_OUT or ":" in name:
        raise BackupError(
            "{file}: it holds {name!r}, which belongs to no backup; take another one", file=file, name=name
        )


def _digest(archive: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with archive.open(name) as part:
        while chunk := part.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _keep_what_is_there(data_dir: Path, journal: Journal) -> Path | None:
    """The file that holds it all now; None where there is nothing. Raises OSError."""
    entries = journal.entries_after(0, None)
    if not entries and not any(_files(data_dir)):
        return None
    stamp = utc_now().replace(":", "").replace("+0000", "Z")
    kept = data_dir.parent / f"{data_dir.name}-before-restore-{stamp}.zip"
    with _whole(kept) as out:
        make_backup(data_dir, entries, out)
    return kept


def _unpack(archive: zipfile.ZipFile, folder: Path) -> Path:
    for name in archive.namelist():
        if name.startswith("data/"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as part, path.open("wb") as out:
                shutil.copyfileobj(part, out)
            if path.suffix == ".key" or path.name == "access.json":
                path.chmod(OWNER_ONLY)
    return folder / "data"


def _replace_files(unpacked: Path, data_dir: Path) -> None:
    for _, path in list(_files(data_dir)):
        path.unlink()
    for name, path in list(_files(unpacked)):
        (data_dir / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, data_dir / name)
