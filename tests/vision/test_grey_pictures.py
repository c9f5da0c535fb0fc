"""Cameras that see no colours, as at night by infrared light."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.board import Board, default_board_path, load_board
from tests.vision.test_begun_and_ended import PUCKS, flick
from tests.vision.test_pipeline import lying
from vision.events import event_to_line
from vision.pipeline import Tracker
from vision.virtual_table.looks import look_for
from vision.virtual_table.table import VirtualTable

COLOURS = {"red": "#e8e2d0", "green": "#2a2a2c"}


def board_of(colours: Mapping[str, str]) -> Board:
    board = load_board(default_board_path())
    return replace(board, teams=tuple(replace(t, colour=colours.get(t.name, t.colour)) for t in board.teams))


def ended(board: Board) -> tuple[dict[str, Any], VirtualTable]:
    """How a shot is told to have ended, by a camera without colours, and the table."""
    table = VirtualTable(board, look=look_for("standard", 5), seed=5, reefs=(), pucks=[lying(*puck) for puck in PUCKS])
    tracker = Tracker(table.board, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    events, flicked = [], False
    for frame in table.frames():
        if not flicked and frame.time_s > 0.5:
            table.command(flick("red-3", 0.0))
            flicked = True
        grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        events += tracker.update(replace(frame, image=np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)))
        if frame.time_s > 4.0:
            break
    told = [json.loads(event_to_line(e)) for e in [*events, *tracker.finish()]]
    (end,) = (e for e in told if e["type"] == "shot_ended")
    return end, table


def test_teams_that_are_one_in_grey_are_never_told_for_sure() -> None:
    end, _ = ended(board_of({}))
    assert end["needs_review"]
    assert "the picture has no colours, and in grey red and green look alike" in end["reasons"]


@pytest.mark.parametrize("light", ["red", "green"])
def test_teams_that_differ_in_lightness_are_told(light: str) -> None:
    dark = "green" if light == "red" else "red"
    end, table = ended(board_of({light: COLOURS["red"], dark: COLOURS["green"]}))
    assert not end["needs_review"]
    teams = sorted((p["team"], p["number"]) for p in end["pucks"])
    assert teams == sorted((key.split("-")[0], int(key.split("-")[1])) for key in table.truth()["shots"][0]["end"])
