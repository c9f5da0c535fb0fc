"""The wheel in a clean environment: command, board file, pages, styles, translations and migrations are there."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 300
PACKAGES = ("calibration/", "companion/", "firmware_bridge/", "vision/")
ONLY_FOR_DEVELOPERS = (".po", ".pot", "/babel.cfg")
LOOK_INSIDE = """
import importlib.resources as r, pathlib, sys
import calibration.board, companion, vision, firmware_bridge
board = calibration.board.load_board(calibration.board.default_board_path())
assert board.name, board
here = pathlib.Path(companion.__file__).resolve().parent.parent
assert here.is_relative_to(pathlib.Path(sys.prefix).resolve()), here
for package, pattern in [
    ("companion.dashboard", "templates/*.html"),
    ("companion.dashboard", "static/**/*.js"),
    ("companion.dashboard", "static/**/*.css"),
    ("companion.dashboard", "translations/**/*.mo"),
    ("companion.migrations", "versions/0*.py"),
    ("companion.migrations", "*.mako"),
    ("calibration.boards", "*.toml"),
]:
    folder = here.joinpath(*package.split("."))
    assert list(folder.glob(pattern)), f"{package} has no {pattern}"
from companion.journal import Journal
Journal("sqlite:///" + sys.argv[1]).close()
print("all there")
"""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(c) for c in command], cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def tracked() -> list[str]:
    """The project's files: committed, or about to be."""
    listed = run("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT).splitlines()
    return [name for name in listed if (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the tree, so that nothing of an earlier build slips in."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, source / name)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, source, cwd=out)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel installed; what it depends on is borrowed from the tests' own environment."""
    home = tmp_path_factory.mktemp("clean")
    run(sys.executable, "-m", "venv", "--without-pip", home / "venv", cwd=home)
    python = home / "venv" / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip())
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", wheel, cwd=home)
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home


def test_the_wheel_holds_the_four_packages_and_nothing_of_the_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {t for t in tops if not t.endswith(".dist-info")} == {
        "calibration",
        "companion",
        "firmware_bridge",
        "vision",
    }


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    ours = {name for name in tracked() if name.startswith(PACKAGES) and not name.endswith(ONLY_FOR_DEVELOPERS)}
    left_out = ours - packed
    assert not left_out


def test_the_command_answers_in_a_clean_environment(clean: Path) -> None:
    assert "Usage" in run(clean / "venv" / "bin" / "paleo", "--help", cwd=clean)
    assert run(clean / "venv" / "bin" / "paleo", "version", cwd=clean).startswith("paleo-companion ")


def test_board_pages_and_migrations_are_found_in_a_clean_environment(clean: Path) -> None:
    printed = run(clean / "venv" / "bin" / "python", "-c", LOOK_INSIDE, clean / "journal.sqlite3", cwd=clean)
    assert printed == "all there\n"
