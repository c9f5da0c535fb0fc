"""Builds the firmware and the harness that runs it on simavr."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FIRMWARE = ROOT / "firmware_bridge" / "firmware"
HERE = Path(__file__).resolve().parent
HEADER = "simavr/sim_avr.h"
INCLUDES = ("/usr/include", "/usr/local/include", "/opt/homebrew/include")


@dataclass(frozen=True, slots=True)
class Built:
    """Where firmware and harness lie, and what the build printed about sizes."""

    firmware: Path
    harness: Path
    sizes: str


def what_is_missing() -> str | None:
    """What the tests on simavr need and do not find here; None where all is there."""
    if os.name != "posix":
        return "a pseudo-terminal, which this system does not have"
    missing = [name for name in ("gcc", "avr-gcc", "avr-size", "make") if shutil.which(name) is None]
    if not any((Path(folder) / HEADER).is_file() for folder in INCLUDES):
        missing.append("simavr's headers")
    packages = "gcc gcc-avr avr-libc libsimavr-dev libelf-dev make"
    return f"{', '.join(missing)} (Debian: apt install {packages})" if missing else None


def needs_firmware() -> None:
    """Skips a test where the firmware cannot be built and run; `make test` installs what it needs where it may."""
    if missing := what_is_missing():
        pytest.skip(f"the firmware cannot run here, for want of {missing}")


@functools.cache
def build() -> Built:
    """Builds both, once for all tests of this run."""
    out = Path(tempfile.mkdtemp(prefix="paleo-firmware-"))
    atexit.register(shutil.rmtree, out, ignore_errors=True)
    made = run("make", "-C", str(FIRMWARE), f"OUT={out}")
    harness = out / "harness"
    run("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(harness), str(HERE / "harness.c"), "-lsimavr", "-lelf")
    sizes = next(line for line in made.splitlines() if line.startswith("flash "))
    return Built(out / "firmware.elf", harness, sizes)


def run(*command: str) -> str:
    """A command's output. Raises AssertionError with all that it printed where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
