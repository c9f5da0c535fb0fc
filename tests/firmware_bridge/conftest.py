"""The firmware on simavr, where the tools for it are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware_bridge.simulator.board import RealtimeBoard, SimulatedBoard
from tests.firmware_bridge.simulator.build import Built, build, needs_firmware


@pytest.fixture
def tools() -> None:
    """Skips where firmware cannot be built and run."""
    needs_firmware()


@pytest.fixture
def built(tools: None) -> Built:
    return build()


@pytest.fixture
def board(tools: None) -> Iterator[SimulatedBoard]:
    """The real firmware, in step with the test."""
    simulated = SimulatedBoard()
    yield simulated
    simulated.close()


@pytest.fixture
def eeprom(tmp_path: Path) -> Path:
    return tmp_path / "eeprom.bin"


@pytest.fixture
def realtime(tools: None) -> Iterator[RealtimeBoard]:
    """The real firmware by the wall clock."""
    simulated = RealtimeBoard()
    yield simulated
    simulated.close()
