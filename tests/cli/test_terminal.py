"""Whatever stands behind standard output, and whatever signs it knows, a command never ends in a traceback."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from calibration.board import load_board
from companion.config import ConfigError
from companion.serving import check_port
from companion.terminal import one_line, readable

PATIENCE_S = 60
ROOT = Path(__file__).resolve().parents[2]
POOR = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
FULL = Path("/dev/full")
# macOS and Windows have none; where all must be there, PALEO_STRICT makes this skip a failure as any other
full_disk = pytest.mark.skipif(not FULL.exists(), reason="no device here is always full")


def paleo(
    *arguments: str | bytes | Path, out: int | io.BufferedWriter = subprocess.PIPE, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Runs the command as a person would, with some variables of the environment and some place for its output."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"} | variables
    command = [sys.executable, "-m", "companion.cli", *arguments]
    return subprocess.run(
        command, input=b"", stdout=out, stderr=subprocess.PIPE, env=environ, timeout=PATIENCE_S, check=False
    )


@full_disk
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("words", [("--help",), ("version",), ("play", "armadora")], ids=" ".join)
def test_a_full_disk_behind_standard_output_is_told_in_one_line(words: tuple[str, ...], unbuffered: str) -> None:
    with FULL.open("wb") as full:
        done = paleo(*words, out=full, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 1
    assert done.stderr.startswith(b"paleo: standard output: cannot be written (No space left on device)"), done.stderr
    assert done.stderr.count(b"\n") == 1


@full_disk
def test_a_full_disk_is_told_in_french_where_the_match_is_french() -> None:
    with FULL.open("wb") as full:
        done = paleo("play", "armadora", "--language", "fr", out=full)
    assert "sortie standard : ne peut pas être écrite (plus de place sur le disque)" in one_line(done.stderr.decode())


@full_disk
def test_what_is_wrong_is_told_rather_than_that_nothing_can_be_told(tmp_path: Path) -> None:
    with FULL.open("wb") as full:
        done = paleo("board", "check", tmp_path / "none.toml", out=full)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"does not exist" in done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_reader_who_has_gone_is_no_trouble(unbuffered: str) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as closed:
        done = paleo("play", "armadora", out=closed, PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("encoding", ["utf-8:strict", "latin-1", "ascii"])
def test_a_files_name_that_is_no_text_is_told_by_its_own_bytes(tmp_path: Path, encoding: str) -> None:
    file = os.fsencode(tmp_path) + b"/\xff.toml"
    done = paleo("board", "new", file, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert os.path.exists(file)
    assert encoding == "ascii" or done.stdout.startswith(file)
    refused = paleo("board", "new", file, PYTHONIOENCODING=encoding)
    assert refused.stderr.startswith(b"paleo: " + file + b": this file is there already")


def test_a_name_with_accents_is_kept_where_the_locale_has_none(tmp_path: Path) -> None:
    done = paleo("board", "new", tmp_path / "b.toml", "--name", "Chêne 😀", **POOR)
    assert (done.returncode, done.stderr) == (0, b"")
    assert load_board(tmp_path / "b.toml").name == "Chêne 😀"


def test_the_marks_of_the_doctor_are_shown_where_there_are_none() -> None:
    shown = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    readable(None, shown)
    shown.write("✓ ✗ – é \udcff")
    shown.flush()
    assert shown.buffer.getvalue() == b"+ x - e \xff"  # type: ignore[attr-defined]


@pytest.mark.parametrize("host", ["192.168..1", "x" * 300], ids=["two dots", "too long"])
def test_an_address_that_is_none_is_told_in_a_line(host: str) -> None:
    with pytest.raises(ConfigError, match="this is no address; expected one such as") as refused:
        check_port(host, 8000)
    assert len(str(refused.value)) < 200


def test_a_files_name_commands_no_terminal() -> None:
    assert one_line("\x1b[31m.toml:\n  there is \x07 no such file") == "?[31m.toml: there is ? no such file"


@pytest.mark.parametrize("closed", [[0], [1], [2], [0, 1, 2]], ids=str)
def test_streams_that_were_closed_are_no_trouble(tmp_path: Path, closed: list[int]) -> None:
    file = tmp_path / "match.json"
    words = ["-m", "companion.cli", "play", "armadora", "--file", str(file)]
    code = f"import os, sys; [os.close(n) for n in {closed}]; os.execv(sys.executable, [sys.executable, *{words}])"
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"moves\n1\n", capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert file.exists() == (0 not in closed)


def test_an_interrupt_before_a_command_has_begun_leaves_no_traceback() -> None:
    code = (
        "import companion.cli as cli, signal; "
        "cli.readable_streams = lambda: signal.raise_signal(signal.SIGINT); cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stderr) == (130, b"")


def test_an_interrupt_while_the_command_is_being_loaded_leaves_no_traceback() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    module, _, function = scripts["paleo"].partition(":")
    code = (
        "import signal, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'typer':\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        f"from {module} import {function} as begin\n"
        "begin()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stderr) == (130, b"")
