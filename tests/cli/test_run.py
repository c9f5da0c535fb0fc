"""`paleo run` as a whole: it serves, follows, survives what happens to its worker, and ends cleanly."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from vision.virtual_table.film import make_film

PATIENCE_S = 90.0


class Running:
    """A companion started as a person would, on a free port."""

    def __init__(self, *arguments: str | Path) -> None:
        command = [sys.executable, "-m", "companion.cli", "run", "--port", "0", *map(str, arguments)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        found = re.search(r"http://\S+", first)
        assert found, first
        self.address = found.group()

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.address + path, timeout=10) as answer:
            return json.load(answer)

    def wait(self, path: str, enough: Callable[[Any], bool]) -> Any:
        """Asks until the answer is as awaited."""
        deadline = time.monotonic() + PATIENCE_S
        while not enough(answer := self.get(path)):
            assert time.monotonic() < deadline, answer
        return answer

    def camera(self, state: str) -> Any:
        return self.wait("/healthz", lambda health: health["camera"]["state"] == state)

    def worker(self) -> int:
        """The process id of the vision process."""
        children = [
            child
            for listed in Path(f"/proc/{self.process.pid}/task").glob("*/children")
            for child in listed.read_text().split()
        ]
        return next(int(c) for c in children if b"spawn_main" in Path(f"/proc/{c}/cmdline").read_bytes())

    def end(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(how)
        _, errors = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, errors


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("film") / "clip.mp4"
    make_film(out, seed=5, shots=1, seconds=5.0)
    return out


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def run(*arguments: str | Path) -> Running:
        started.append(Running("--data", tmp_path / "data", *arguments))
        return started[-1]

    yield run
    for running in started:
        running.process.kill()
        running.process.communicate()


def test_a_film_is_followed_to_its_end_and_an_interrupt_ends_the_companion(
    start: Callable[..., Running], clip: Path
) -> None:
    running = start("--camera", clip, "--board", clip.parent / "board.toml", "--lens", clip.parent / "lens.json")
    running.camera("running")
    running.camera("ended")
    code, errors = running.end()
    assert code == 0
    assert errors == ""


def test_the_virtual_table_survives_the_death_of_its_worker(start: Callable[..., Running]) -> None:
    running = start("--no-autoplay")
    running.camera("running")
    os.kill(running.worker(), signal.SIGKILL)
    running.camera("lost")
    running.camera("running")
    code, errors = running.end(signal.SIGTERM)
    assert "Traceback" not in errors
    assert code in (0, 143)


def test_the_vision_process_does_not_outlive_a_killed_companion(start: Callable[..., Running]) -> None:
    running = start("--no-autoplay")
    running.camera("running")
    worker = running.worker()
    running.process.kill()
    running.process.communicate()
    deadline = time.monotonic() + PATIENCE_S
    while Path(f"/proc/{worker}").exists():
        assert time.monotonic() < deadline


def test_the_same_data_folder_goes_on_with_the_same_journal(start: Callable[..., Running]) -> None:
    running = start("--no-autoplay")
    before = running.get("/healthz")["journal"]["last_id"]
    running.end(signal.SIGKILL)
    again = start("--no-autoplay")
    assert again.get("/healthz")["journal"]["last_id"] > before
