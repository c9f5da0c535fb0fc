"""Pictures that a decoder made up in part: what seems to happen in them is asked about, or not told at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.playing import filmed
from vision.events import ByHand, Event, PuckPlaced, ShotEnded
from vision.frames import Frame, Image
from vision.pipeline import Tracker
from vision.virtual_table.table import VirtualTable

PUCK_PX = (613, 159)  # where the puck at (300, 90) mm is seen
Filmed = tuple[VirtualTable, list[Frame]]


@pytest.fixture(scope="module")
def flicked() -> Filmed:
    """A table on which a puck is flicked at 1 s, and its frames until long after that rests."""
    return filmed({"do": "flick", "puck": "red-1", "angle_deg": 225.0, "speed_mm_s": 1150}, until_s=7.0)


def told(table: VirtualTable, frames: Sequence[Frame]) -> list[Event]:
    tracker = Tracker(table.board, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    return [event for frame in frames for event in tracker.update(frame)] + tracker.finish()


def without_puck(table: VirtualTable, image: Image, x_mm: float, y_mm: float) -> Image:
    """A picture in which the ground beside a puck covers it, as a decoder copies what it cannot read."""
    height = table.board.puck.height_mm
    corners = np.array([(x_mm - 16, y_mm - 16, -height), (x_mm + 16, y_mm + 16, 0.0)])
    points, _ = cv2.projectPoints(corners, table.pose.rvec, table.pose.tvec, table.lens.camera_matrix, None)
    (left, top), (right, bottom) = points.reshape(2, 2).round().astype(int)
    made_up = image.copy()
    made_up[top:bottom, left:right] = image[top - 4, left - 4]
    return made_up


def with_another(image: Image) -> Image:
    """A picture in which the puck at (300, 90) mm is seen once more below its place."""
    made_up = image.copy()
    x, y = PUCK_PX
    made_up[y + 70 : y + 100, x - 15 : x + 15] = image[y - 15 : y + 15, x - 15 : x + 15]
    return made_up


def test_a_shot_in_torn_pictures_goes_to_review(flicked: Filmed) -> None:
    table, frames = flicked
    shot = table.latest_shots(1)[0]
    middle = round((shot["t_start"] + shot["t_end"]) / 2 * table.fps)
    frames = [replace(f, torn=f.index in range(middle, middle + 3)) for f in frames]
    (end,) = [e for e in told(table, frames) if isinstance(e, ShotEnded)]
    assert end.needs_review
    assert end.reasons == ("3 frames are missing or damaged",)


def test_what_lies_still_in_torn_pictures_is_not_told(flicked: Filmed) -> None:
    table, frames = flicked
    made_up = [replace(f, image=without_puck(table, f.image, 300, 90)) if 3.0 < f.time_s < 6.0 else f for f in frames]
    assert any(isinstance(e, PuckPlaced) for e in told(table, made_up)), "it seems to have gone and come back"
    events = told(table, [replace(f, torn=3.0 < f.time_s < 6.0) for f in made_up])
    assert not any(isinstance(e, ByHand) for e in events)
    (end,) = [e for e in events if isinstance(e, ShotEnded)]
    assert not end.needs_review


def test_what_lies_in_the_torn_pictures_at_a_films_end_is_not_told(flicked: Filmed) -> None:
    table, frames = flicked
    frames = [f for f in frames if f.time_s < 4.0]
    made_up = [replace(f, image=with_another(f.image)) if f.time_s > 3.95 else f for f in frames]
    assert any(isinstance(e, PuckPlaced) for e in told(table, made_up))
    events = told(table, [replace(f, torn=f.time_s > 3.95) for f in made_up])
    assert not any(isinstance(e, ByHand) for e in events)
    assert len([e for e in events if isinstance(e, ShotEnded)]) == 1


def test_the_board_is_not_looked_at_first_in_a_torn_picture(flicked: Filmed) -> None:
    table, frames = flicked
    torn = [replace(f, image=without_puck(table, f.image, 300, 90), torn=True) if f.time_s < 0.5 else f for f in frames]
    (end,) = [e for e in told(table, torn) if isinstance(e, ShotEnded)]
    assert {p.team for p in end.pucks} == {"red", "green"}
