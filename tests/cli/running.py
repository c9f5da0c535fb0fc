"""A companion in a process of its own."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
