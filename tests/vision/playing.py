"""A little play on the virtual table, seen through something else: for tests of what people do around it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from calibration.board import default_board_path, load_board
from tests.vision.test_pipeline import lying
from vision.events import Event, event_to_line
from vision.frames import Frame, Image
from vision.pipeline import Tracker
from vision.virtual_table.table import VirtualTable

PLAYED = ["puck_removed", "shot_started", "contact", "shot_ended"]


def played(change: Callable[[Image, float], Image], removed_s: float, flicked_s: float, until_s: float) -> list[str]:
    """The events of a puck that is taken away, and of a hit after that, but for reefs.

    change: what is made of a frame at its time.
    """
    pucks = [lying("red-1", 150, 450), lying("green-1", 300, 452), lying("green-2", 450, 200)]
    table = VirtualTable(load_board(default_board_path()), seed=4, pucks=pucks, reefs=())
    tracker = Tracker(table.board, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    flick = {"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 900}
    todo = [(flicked_s, flick), (removed_s, {"do": "remove", "puck": "green-2"})]
    events = list[Event]()
    for frame in table.frames():
        if todo and frame.time_s >= todo[-1][0]:
            table.command(todo.pop()[1])
        events += tracker.update(Frame(frame.index, frame.time_s, change(frame.image, frame.time_s)))
        if frame.time_s > until_s:
            break
    return [told for e in events if (told := json.loads(event_to_line(e))["type"]) != "reefs_seen"]


def filmed(flick: dict[str, Any], x_mm: float = 238, until_s: float = 4.5) -> tuple[VirtualTable, list[Frame]]:
    """A table on which something is done at 1 s with a puck that lies at x_mm, and its frames."""
    pucks = [lying("red-1", x_mm, 238), lying("green-1", 300, 90)]
    table = VirtualTable(load_board(default_board_path()), seed=4, pucks=pucks, reefs=())
    frames = []
    for frame in table.frames():
        if flick and frame.time_s >= 1.0:
            table.command(flick)
            flick = {}
        frames.append(frame)
        if frame.time_s > until_s:
            break
    return table, frames
