"""A table without a camera: players tell every shot by taps."""

from __future__ import annotations

import threading
from typing import Any

from vision.worker import WorkerConfig
from vision.worker_messages import WorkerMessage

NO_CAMERA = "none"  # as --camera says it


class NoCamera:
    """Stands where the worker would: nothing is seen, and nothing is asked for."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def start(self, config: WorkerConfig) -> None:
        """There is nothing to start."""

    def stop(self) -> None:
        """Ends a poll that waits."""
        self._stopped.set()

    def poll(self, timeout_s: float = 0.0) -> list[WorkerMessage]:
        """Nothing, after the time that the caller has for it."""
        self._stopped.wait(timeout_s)
        return []

    def send(self, command: dict[str, Any]) -> None:
        """There is nobody to send it to."""

    def ask_for_pictures(self) -> None:
        """There are none."""

    def ask_for_film(self, film: int) -> None:
        """There is none."""
