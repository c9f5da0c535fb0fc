"""Boards without a rim, as printed mats are: what goes over their edge lies beside them, or is soon out of sight."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from calibration.board import Board, default_board_path, load_board
from tests.vision.test_begun_and_ended import PUCKS, flick
from tests.vision.test_pipeline import lying
from vision.crossings import lies_off
from vision.events import event_to_line
from vision.pipeline import Tracker
from vision.virtual_table.looks import look_for
from vision.virtual_table.table import VirtualTable


def flat_board() -> Board:
    board = load_board(default_board_path())
    return replace(board, rim=None, markers=tuple(replace(m, z_mm=0.0) for m in board.markers))


def told_and_truth(tier: str, speed_mm_s: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """What is told of a puck that is flicked over the edge, and what it truly did."""
    table = VirtualTable(flat_board(), look=look_for(tier, 5), seed=5, reefs=(), pucks=[lying(*puck) for puck in PUCKS])
    tracker = Tracker(table.board, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    events, flicked = [], False
    for frame in table.frames():
        if not flicked and frame.time_s > 0.5:
            table.command(flick("red-3", 180.0) | {"speed_mm_s": speed_mm_s})
            flicked = True
        events += tracker.update(frame)
        if frame.time_s > 5.0:
            break
    (shot,) = table.truth()["shots"]
    return [json.loads(event_to_line(e)) for e in [*events, *tracker.finish()]], shot


@pytest.mark.parametrize("tier", ["standard", "slant"])
@pytest.mark.parametrize("speed_mm_s", [2600.0, 760.0, 700.0])
def test_a_puck_that_goes_over_the_edge_has_left(tier: str, speed_mm_s: float) -> None:
    """At 2600 mm/s it is seen on the board once; at 760 and 700 it comes to lie 20 to 40 mm beside it."""
    told, shot = told_and_truth(tier, speed_mm_s)
    assert len(shot["exits"]) == 1
    (ended,) = (e for e in told if e["type"] == "shot_ended")
    assert not ended["needs_review"]
    assert sum(e["type"] == "left_board" for e in told) == 1
    assert len(ended["pucks"]) == len(PUCKS) - 1


@pytest.mark.parametrize("speed_mm_s", [620.0, 660.0])
def test_a_puck_that_comes_to_lie_half_over_the_edge_is_asked_about(speed_mm_s: float) -> None:
    told, shot = told_and_truth("standard", speed_mm_s)
    assert 2 < -shot["end"]["red-3"][0] < 14
    (ended,) = (e for e in told if e["type"] == "shot_ended")
    assert [reason for reason in ended["reasons"] if "half over the board's edge" in reason]


def test_a_puck_may_stick_out_where_there_is_no_rim() -> None:
    board, flat = load_board(default_board_path()), flat_board()
    quarter = board.puck.radius_mm / 2
    assert not lies_off(flat, 1.0 - quarter, 300.0)
    assert lies_off(flat, -1.0 - quarter, 300.0)
    assert lies_off(flat, 300.0, flat.size[1] + quarter + 1.0)
    assert lies_off(board, -1.0, 300.0)
    assert not lies_off(board, 1.0, 300.0)
