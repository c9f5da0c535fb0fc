"""What the virtual table's sensors feel comes out of the worker process, in step with the pictures."""

from __future__ import annotations

import math
import time

import numpy as np

from calibration.board import default_board_path, load_board
from vision.worker import FeltMessage, LiveMessage, VisionWorker, WorkerConfig

BOARD = load_board(default_board_path())
LIMIT_S = 60.0


def test_a_flick_into_a_door_is_felt_no_earlier_than_it_is_seen() -> None:
    door = BOARD.doors[0]
    middle = np.mean(door.line, axis=0)
    inwards = (np.array(door.inside) - middle) / math.dist(door.inside, middle)
    start = middle - 120 * inwards
    worker = VisionWorker()
    worker.start(WorkerConfig("virtual", default_board_path(), realtime=False, seed=1, resolution=(320, 240),
                              layout={"red-3": (float(start[0]), float(start[1]))}, sensors=True))  # fmt: skip
    angle = math.degrees(math.atan2(inwards[1], inwards[0]))
    felt, seen_s, asked, end_s = [], 0.0, False, time.monotonic() + LIMIT_S
    while not any(f.what == "beam" and f.inner and not f.active for f in felt):
        assert time.monotonic() < end_s, felt
        for message in worker.poll(1.0):
            if isinstance(message, LiveMessage):
                seen_s = message.live.time_s
            if isinstance(message, FeltMessage):
                assert message.time_s >= seen_s, "its frame is about to be seen"
                assert all(f.time_s <= message.time_s for f in message.felt)
                felt += message.felt
        if not asked and seen_s > 0:
            worker.send({"do": "flick", "puck": "red-3", "angle_deg": angle, "speed_mm_s": 1000})
            asked = True
    worker.stop()
    beams = [(f.door, f.inner, f.active) for f in felt if f.what == "beam"]
    assert beams[:4] == [(0, False, True), (0, True, True), (0, False, False), (0, True, False)]
