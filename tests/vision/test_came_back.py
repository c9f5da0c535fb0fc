"""A flick after which the puck lies where it had lain is asked about, not passed over in silence."""

from __future__ import annotations

import math

import pytest

from calibration.board import default_board_path, load_board
from tests.vision.test_pipeline import lying
from vision.came_back import CAME_BACK
from vision.events import ByHand, Event, ShotEnded, ShotStarted
from vision.pipeline import Tracker
from vision.virtual_table.looks import look_for
from vision.virtual_table.physics import Material
from vision.virtual_table.table import VirtualTable

BOARD = load_board(default_board_path())
RIM = Material(deceleration_mm_s2=2900.0, wall_restitution=0.45, rim_speed_mm_s=1800.0)
SAME_MM = 1.0  # by the outline of a puck that lies still nobody can tell less at 720p
UNTIL_S = 4.5


def thrown_back_by(gap_mm: float) -> float:
    """The speed, mm/s, with which a puck that lies so far from the rim comes back from it to its place."""
    way = 2 * RIM.deceleration_mm_s2 * gap_mm
    return math.sqrt(way + way / RIM.wall_restitution**2)


def told(command: dict[str, object], gap_mm: float, seed: int = 4) -> tuple[list[Event], VirtualTable]:
    """What is told of a hand's deed with a puck so far from the northern rim, and the table after it."""
    pucks = [lying("red-1", 250, BOARD.puck.radius_mm + gap_mm), lying("red-3", 330, 160), lying("green-1", 450, 400)]
    table = VirtualTable(BOARD, seed=seed, look=look_for("standard", seed), pucks=pucks, reefs=(), material=RIM,
                         seconds=UNTIL_S)  # fmt: skip
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    events = list[Event]()
    for frame in table.frames():
        if frame.index == 30:
            table.command(command)
        events += tracker.update(frame)
    return [*events, *tracker.finish()], table


@pytest.mark.parametrize("gap_mm", [24.0, 45.0])
def test_a_puck_that_a_wall_throws_back_to_its_place_is_asked_about(gap_mm: float) -> None:
    flick = {"do": "flick", "puck": "red-1", "angle_deg": -90.0, "speed_mm_s": thrown_back_by(gap_mm)}
    events, table = told(flick, gap_mm)
    shot = table.truth()["shots"][0]
    assert math.dist(shot["start"]["red-1"], shot["end"]["red-1"]) < SAME_MM
    (started,) = (e for e in events if isinstance(e, ShotStarted))
    (ended,) = (e for e in events if isinstance(e, ShotEnded))
    flicked = next(p for p in started.pucks if p.puck == started.puck)
    assert math.dist((flicked.x_mm, flicked.y_mm), shot["start"]["red-1"]) < SAME_MM
    assert started.t == pytest.approx(shot["t_start"], abs=1 / table.fps)
    assert ended.needs_review
    assert CAME_BACK.format(started.puck) in ended.reasons
    assert not any(isinstance(e, ByHand) for e in events)


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_a_hand_that_only_passes_over_pucks_has_flicked_none(seed: int) -> None:
    events, _ = told({"do": "pass"}, 24.0, seed)
    assert not any(isinstance(e, ShotStarted | ByHand) for e in events)
