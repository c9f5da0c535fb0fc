"""What the path tracer is given to do, which needs no path tracer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.traced.__main__ import FPS, LIGHTS, SIZE, jobs_of, play, scene_of
from calibration.board import default_board_path, load_board
from vision.virtual_table.looks import look_for
from vision.virtual_table.renderer import View
from vision.virtual_table.table import VirtualTable

Played = tuple[VirtualTable, list[View]]


@pytest.fixture(scope="module")
def played() -> Played:
    look = replace(look_for("standard", 5), size=SIZE, fps=FPS, tier="photo", knock=False)
    return play(load_board(default_board_path()), 5, 1, look)


def test_every_frame_of_the_play_is_made_of_pictures_that_are_to_be_traced(played: Played) -> None:
    table, views = played
    jobs, frames = jobs_of(table, views)
    assert len(frames) == len(views) > 2 * FPS
    assert len(table.truth()["shots"]) == 1
    wanted = {name for frame in frames for name in (frame.whole, *(part for _, part in frame.parts))}
    assert wanted == {job["out"] for job in jobs}
    with_hands = [frame for frame, view in zip(frames, views, strict=True) if view.hands]
    assert with_hands
    assert any(frame.parts for frame in with_hands)


def test_the_scene_names_only_pictures_that_were_laid_beside_it(played: Played, tmp_path: Path) -> None:
    table, _ = played
    for light in LIGHTS:
        scene = scene_of(table, 5, light, tmp_path, threads=1)
        json.dumps(scene)
        pictures = [m["picture"] for m in scene["markers"]] + [p["top"] for p in scene["pucks"].values()]
        assert pictures
        assert all((tmp_path / name).exists() for name in [*pictures, "surface.png", "table.png", "rim.png"])
