"""What is written appears whole or not at all."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from calibration.store import write_json
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


WRITERS = {
    "text": "from companion.atomic import atomic_text\nwith atomic_text(out) as file: file.write('{}\\n')",
    "json": "from calibration.store import write_json\nwrite_json(out, {}, 'lens file')",
}


@pytest.mark.parametrize("writer", WRITERS)
def test_standard_output_that_leads_into_a_file_is_written_on(tmp_path: Path, writer: str) -> None:
    stdout, told = tmp_path / "stdout", tmp_path / "told.txt"
    stdout.symlink_to("/proc/self/fd/1")
    told.write_text("older\n")
    code = f"from pathlib import Path\nout = Path({str(stdout)!r})\n{WRITERS[writer]}\nprint('done')"
    with told.open("a") as shell:
        subprocess.run([sys.executable, "-c", code], stdout=shell, check=True)
    assert told.read_text() == "older\n{}\ndone\n"
    assert stdout.is_symlink()
    assert names(tmp_path) == ["stdout", "told.txt"]


@pytest.mark.parametrize("there", [True, False], ids=["there", "not yet there"])
def test_a_link_stays_one_and_the_file_behind_it_is_written(tmp_path: Path, there: bool) -> None:
    (tmp_path / "disk").mkdir()
    for name in ("events.jsonl", "lens.json"):
        if there:
            (tmp_path / "disk" / name).write_text("older")
        (tmp_path / name).symlink_to(Path("disk", name))
    with atomic_text(tmp_path / "events.jsonl") as file:
        file.write("{}\n")
    write_json(tmp_path / "lens.json", {}, "lens file")
    for name in ("events.jsonl", "lens.json"):
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / "disk" / name).read_text() == "{}\n"
    assert names(tmp_path / "disk") == ["events.jsonl", "lens.json"]


@pytest.mark.parametrize("letter", ["e", "é"])
def test_a_name_may_be_as_long_as_the_system_lets_it(tmp_path: Path, letter: str) -> None:
    out = tmp_path / (letter * (255 // len(letter.encode())))
    with atomic_text(out) as file:
        file.write("{}\n")
    write_json(out, {}, "lens file")
    assert out.read_text() == "{}\n"


def test_a_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"), atomic_text(tmp_path / ("x" * 300)) as file:
        file.write("x")
