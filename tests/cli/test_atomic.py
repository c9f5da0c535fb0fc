"""What is written appears whole or not at all."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from companion.atomic import OutputError, atomic_text


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def write_half(out: Path, interruption: type[BaseException]) -> None:
    with atomic_text(out) as file:
        file.write("half")
        raise interruption


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    with atomic_text(tmp_path / "out.jsonl") as file:
        file.write("one\n")
        assert not (tmp_path / "out.jsonl").exists()
    assert (tmp_path / "out.jsonl").read_text() == "one\n"
    assert names(tmp_path) == ["out.jsonl"]


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit, ValueError])
def test_an_interrupted_file_leaves_nothing(tmp_path: Path, interruption: type[BaseException]) -> None:
    with pytest.raises(interruption):
        write_half(tmp_path / "out.jsonl", interruption)
    assert names(tmp_path) == []


def test_an_interrupted_file_leaves_the_older_one(tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text("older")
    with pytest.raises(KeyboardInterrupt):
        write_half(tmp_path / "out.jsonl", KeyboardInterrupt)
    assert (tmp_path / "out.jsonl").read_text() == "older"
    assert names(tmp_path) == ["out.jsonl"]


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(OutputError, match="cannot be written"), atomic_text(tmp_path / "out.jsonl") as file:
            file.write("x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert names(tmp_path) == []


def test_a_device_that_is_full_is_told() -> None:
    with pytest.raises(OutputError, match="/dev/full"), atomic_text(Path("/dev/full")) as file:
        file.write("x")
