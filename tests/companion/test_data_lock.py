"""One companion on one data folder."""

from __future__ import annotations

import errno
import logging
import os
import re
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from companion.config import ConfigError, prepare_data_dir
from companion.data_lock import held


def test_a_folder_that_another_one_keeps_is_refused_and_free_again_when_that_ends(tmp_path: Path) -> None:
    with held(tmp_path), pytest.raises(ConfigError, match="another companion keeps its matches"), held(tmp_path):
        raise AssertionError("it was kept twice")
    with held(tmp_path):
        pass


def test_where_the_disk_is_full_nobody_is_sent_to_another_folder(tmp_path: Path) -> None:
    """There all that was played would seem to be lost."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2, hard))
    try:
        with pytest.raises(ConfigError, match="free some space on its disk, then start again"):
            prepare_data_dir(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert prepare_data_dir(tmp_path) == tmp_path


def failing(error: Exception) -> Callable[..., None]:
    def acquire(*_: object, **__: object) -> None:
        raise error

    return acquire


@pytest.mark.parametrize("error", [OSError(errno.ENOLCK, "No locks available"), NotImplementedError("no flock")])
def test_on_a_disk_that_knows_no_locks_the_companion_runs_and_says_so(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(FileLock, "acquire", failing(error))
    with caplog.at_level(logging.WARNING), held(tmp_path):
        (told,) = caplog.messages
    assert told.startswith(f"{tmp_path}: this disk keeps no folder for one program (")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO])
def test_a_folder_that_cannot_be_written_is_told_and_not_taken_for_a_disk_without_locks(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FileLock, "acquire", failing(OSError(number, os.strerror(number))))
    with pytest.raises(ConfigError, match=re.escape(os.strerror(number))), held(tmp_path):
        raise AssertionError("it went on without a lock")
