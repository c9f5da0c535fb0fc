"""One companion on one data folder."""

from __future__ import annotations

import errno
import logging
from pathlib import Path

import pytest
from filelock import FileLock

from companion.config import ConfigError
from companion.data_lock import held


def test_a_folder_that_another_one_keeps_is_refused_and_free_again_when_that_ends(tmp_path: Path) -> None:
    with held(tmp_path), pytest.raises(ConfigError, match="another companion keeps its matches"), held(tmp_path):
        raise AssertionError("it was kept twice")
    with held(tmp_path):
        pass


@pytest.mark.parametrize("error", [OSError(errno.ENOLCK, "No locks available"), NotImplementedError("no flock")])
def test_on_a_disk_that_knows_no_locks_the_companion_runs_and_says_so(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def acquire(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(FileLock, "acquire", acquire)
    with caplog.at_level(logging.WARNING), held(tmp_path):
        (told,) = caplog.messages
    assert told.startswith(f"{tmp_path}: this disk keeps no folder for one program (")
