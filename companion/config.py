"""What a companion is started with, and where it keeps what it keeps."""

from __future__ import annotations

import errno
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import platformdirs

APP_NAME = "paleo-companion"
DATA_DIR_VARIABLE = "PALEO_DATA"
DATABASE_VARIABLE = "PALEO_DATABASE_URL"
SIMULATED = "simulated players"  # as whom they command, and how the journal names them
JOURNAL_FILE = "journal.sqlite3"
SQLITE = "sqlite:///"
PLAIN_IN_PATHS = "/: "  # C:/Users/Ada Lovelace
NO_ROOM = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}  # Windows has no quotas


class ConfigError(ValueError):
    """A setting is wrong; one line: what was seen, what was expected, what to do."""


@dataclass(frozen=True, slots=True)
class CompanionConfig:
    """Everything `paleo run` is told.

    camera: a device number, a path, a stream's address, "virtual" or "none"; sensors: a serial port, "virtual" or
    "none"; database_url: SQLAlchemy's address of the journal, by default a SQLite file in data_dir; autoplay: simulated
    players play on the virtual table; realtime: the virtual table or film goes at its own speed;
    resolution: (width, height) and fps asked of a camera or the virtual table; settings_path: what it is locked at;
    record: a folder in which each start keeps its film as a recording, by default none.
    """

    data_dir: Path
    board_path: Path
    camera: str = "virtual"
    lens_path: Path | None = None
    calibration_path: Path | None = None
    sensors: str = "none"
    database_url: str | None = None
    autoplay: bool = True
    seed: int = 0
    realtime: bool = True
    resolution: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    settings_path: Path | None = None
    record: Path | None = None

    @property
    def journal_url(self) -> str:
        """SQLAlchemy's address of the journal."""
        return self.database_url or journal_url(self.data_dir)


@dataclass(frozen=True, slots=True)
class Stored:
    """A data folder and its journal's address."""

    folder: Path
    journal_url: str


def stored_in(folder: Path) -> Stored:
    """Where a data folder's journal is: in it, or where the environment says."""
    return Stored(folder, database_url_from_environment() or journal_url(folder))


def journal_url(data_dir: Path) -> str:
    """The address of the embedded journal in a data folder, whatever signs its path has."""
    return SQLITE + quote((data_dir / JOURNAL_FILE).as_posix(), safe=PLAIN_IN_PATHS, errors="surrogateescape")


def default_data_dir() -> Path:
    """Where the companion keeps its things: PALEO_DATA, or the system's place for an application's data."""
    told = os.environ.get(DATA_DIR_VARIABLE)
    return Path(told) if told else Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))


def database_url_from_environment() -> str | None:
    """The journal's address where one is set in the environment: it may hold a password, so it is no option."""
    return os.environ.get(DATABASE_VARIABLE) or None


def prepare_data_dir(path: Path) -> Path:
    """Makes the data folder and tries to write in it. Raises ConfigError."""
    if path.exists() and not path.is_dir():
        raise ConfigError(f"{path}: this is a file, but the data folder is needed; give another one with --data")
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path) as probe:
            probe.write(b"paleo")
    except OSError as error:
        full = error.errno in NO_ROOM  # in another folder all that was played would seem to be lost
        then = "free some space on its disk, then start again" if full else "give another one with --data"
        raise ConfigError(f"{path}: the data folder cannot be written ({error.strerror}); {then}") from None
    return path
