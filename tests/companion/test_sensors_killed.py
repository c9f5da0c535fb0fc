"""A companion that is killed between its journal's commit and the acknowledgement, with the real firmware."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from companion.config import journal_url
from companion.journal import Journal
from companion.sensor_desk import ENTRY
from firmware_bridge.protocol import FIRST_SEQUENCE
from tests.firmware_bridge.simulator.board import RealtimeBoard
from tests.firmware_bridge.simulator.build import needs_firmware

KILLS = 3
PATIENCE_S = 60
# Journals what comes and dies before the board hears of it, as by kill -9.
DIES = """
import os, sys, threading
from calibration.board import default_board_path, load_board
from companion.journal import Journal
from companion.sensor_desk import SensorDesk, marks_in
journal = Journal(sys.argv[1])
def keep(items):
    journal.append_all(items)
    if any("input" in body for _, body in items):
        os._exit(9)
    return True
desk = SensorDesk(load_board(default_board_path()), sys.argv[2], keep, marks_in(journal.entries_after(0, None)))
desk.start()
threading.Event().wait(30)
"""


def test_an_event_that_was_kept_but_not_acknowledged_is_kept_once(tmp_path: Path) -> None:
    needs_firmware()
    board, url = RealtimeBoard(), journal_url(tmp_path)
    for n in range(KILLS):
        board.pulse(2 * n, us=400_000)  # long enough for both edges to come apart, and for the death between them
        done = subprocess.run([sys.executable, "-c", DIES, url, board.port], timeout=PATIENCE_S, check=False)
        assert done.returncode == 9
    board.close()
    journal = Journal(url)
    told = [e.data for e in journal.entries_after(0, None) if e.type == ENTRY]
    journal.close()
    edges = [(d["input"], d["active"]) for d in told if "input" in d]
    wanted = [(2 * n, active) for n in range(KILLS) for active in (True, False)]
    assert edges == wanted[: len(edges)]
    assert len(edges) >= KILLS
    assert [d["sequence"] for d in told if "input" in d] == [(FIRST_SEQUENCE + i) % 65536 for i in range(len(edges))]
    assert not [d for d in told if "gap" in d]
