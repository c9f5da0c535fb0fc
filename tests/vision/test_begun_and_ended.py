"""Films that begin, or end, while a hand is over the board."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from calibration.board import default_board_path, load_board
from tests.vision.test_pipeline import lying
from vision.events import event_to_line
from vision.pipeline import Tracker
from vision.settling import ENDED
from vision.virtual_table.looks import look_for
from vision.virtual_table.table import VirtualTable

Told = dict[str, Any]
Commands = Sequence[tuple[float, dict[str, Any]]]  # each with the time from which on it is given
PUCKS = [("red-1", 88, 325), ("red-2", 110, 350), ("red-3", 60, 330), ("red-4", 120, 280), ("green-1", 420, 330),
         ("green-2", 560, 300), ("green-3", 540, 360)]  # fmt: skip


def flick(puck: str, angle_deg: float) -> dict[str, Any]:
    return {"do": "flick", "puck": puck, "angle_deg": angle_deg, "speed_mm_s": 900}


def told_of(seed: int, tier: str, commands: Commands, since_s: float, until_s: float) -> list[Told]:
    """What is told of a film of the virtual table that is seen between two times only."""
    pucks = [lying(*puck) for puck in PUCKS]
    table = VirtualTable(load_board(default_board_path()), look=look_for(tier, seed), seed=seed, pucks=pucks, reefs=())
    tracker = Tracker(table.board, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    events, left = [], list(commands)
    for frame in table.frames():
        if left and frame.time_s > left[0][0]:
            table.command(left.pop(0)[1])
        if frame.time_s >= since_s:
            events += tracker.update(frame)
        if frame.time_s > until_s:
            break
    told = [json.loads(event_to_line(e)) for e in [*events, *tracker.finish()]]
    return [e for e in told if e["type"] != "reefs_seen"]


@pytest.mark.parametrize("seed", [3, 4])
def test_in_the_dark_the_shot_after_one_that_was_seen_in_part_is_right(seed: int) -> None:
    """The hand that flicks first is there from the first frame on, hardly brighter than the rim and the board."""
    told = told_of(seed, "dim", [(0.3, flick("red-1", 20.0)), (3.0, flick("green-2", 170.0))], 0.9, 6.0)
    shots = [e for e in told if e["type"] == "shot_started"]
    assert len(shots) == 2
    struck = [e for e in told if e["type"] == "contact" and e["shot"] == shots[1]["shot"]]
    assert [e["puck"] for e in struck] == [shots[1]["puck"]]
    ended = {e["shot"]: e for e in told if e["type"] == "shot_ended"}
    assert ended[shots[0]["shot"]]["needs_review"]
    assert not ended[shots[1]["shot"]]["needs_review"]


@pytest.mark.parametrize("until_s", [2.05, 2.2])
def test_what_a_hand_hides_when_the_film_ends_nobody_did(until_s: float) -> None:
    assert told_of(2, "dim", [(1.5, {"do": "remove", "puck": "red-1"})], 0.0, until_s) == []


def test_a_shot_that_still_runs_when_the_film_ends_is_asked_about() -> None:
    told = told_of(2, "standard", [(1.5, flick("red-1", 0.0))], 0.0, 2.5)
    shot = [e for e in told if e["type"].startswith("shot")]
    assert [e["type"] for e in shot] == ["shot_started", "shot_ended"]
    assert ENDED in shot[1]["reasons"]
