"""A film of play that several tests look at, each in its own way."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from vision.virtual_table.film import make_film


@dataclass(frozen=True)
class Play:
    """A film, board and lens beside it, and what truly happens in it."""

    folder: Path
    truth: dict[str, Any]


@pytest.fixture(scope="session")
def play(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Four shots on the virtual table, and hands between them; made once, as it takes several seconds."""
    folder = tmp_path_factory.mktemp("play")
    return Play(folder, make_film(folder / "clip.mp4", seed=11, shots=4, tier="standard"))
