"""A table without a camera: the companion runs, and Paleo is kept by taps unless somebody wants it otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.board import default_board_path
from companion.app import Companion
from companion.config import CompanionConfig


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Companion]:
    made = Companion(CompanionConfig(data_dir=tmp_path, board_path=default_board_path(), camera="none"))
    made.start()
    yield made
    made.stop()


def test_it_says_that_there_is_none_and_is_well(table: Companion) -> None:
    health = table.health()
    assert (health["status"], health["camera"]["state"]) == ("ok", "off")


def test_paleo_is_kept_by_taps_by_itself(table: Companion) -> None:
    table.command("new_match", {"players": {"red": ["Ann", "Cid"], "green": "Ben"}})
    table.command("start_round", {"begins": "red"})
    table.command("shot_by_hand", {"flicked": "red-8", "touched": ["green-4"]})
    shown = table.scoreboard()
    assert (shown["kept_by"], shown["turn"]) == ("taps", "green")
    assert [p["puck"] for p in shown["players"][0]["captured"]] == ["green-4"]
    assert [p["name"] for p in shown["players"]] == ["Ann & Cid", "Ben"]


def test_the_match_goes_on_after_a_restart(tmp_path: Path) -> None:
    config = CompanionConfig(data_dir=tmp_path, board_path=default_board_path(), camera="none")
    first = Companion(config)
    first.command("new_match", {"players": {}})
    first.command("start_round", {"begins": "green"})
    first.stop()
    again = Companion(config)
    assert again.scoreboard()["turn"] == "green"
    again.stop()
