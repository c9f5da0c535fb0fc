"""A film of play that several tests look at, each in its own way."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from vision.virtual_table.film import make_film


@dataclass(frozen=True)
class Play:
    """A film, board and lens beside it, and what truly happens in it."""

    folder: Path
    truth: dict[str, Any]


@pytest.fixture(scope="session")
def play(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Four shots on the virtual table, and hands between them; made once for all workers, as it takes seconds."""
    shared = tmp_path_factory.getbasetemp()
    folder = (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "play"
    with FileLock(f"{folder}.lock"):
        if not (folder / "truth.json").exists():
            folder.mkdir()
            make_film(folder / "clip.mp4", seed=11, shots=4, tier="standard")
    return Play(folder, json.loads((folder / "truth.json").read_text(encoding="utf-8")))
