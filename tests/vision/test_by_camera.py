"""How the same shots by one camera and another are laid out, and that they are the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.vision.by_camera import COSTLY, MIDDLE, POOR, SHUTTERS, Camera, by_camera, by_speed, complete, share
from vision.virtual_table.film import make_film

SMALL = (192, 108)
WORDS = ("right", "right", "wrong", "invented")


def result(camera: str, seed: int, *verdicts: str) -> dict[str, Any]:
    return {"camera": camera, "seed": seed, "verdicts": list(verdicts), "speeds": [500.0, 1500.0, 3000.0],
            "rest_mm": [0.3, 0.4], "touch_ms": [1.0, 2.0, 6.0], "numbers": ["right", "unread"]}  # fmt: skip


def test_a_seed_plays_the_same_shots_whatever_films_them_but_as_fast_as_the_pace_says(tmp_path: Path) -> None:
    (first, second), (same, slower) = (
        make_film(tmp_path / "clip.mp4", seed=9001, shots=2, look=replace(camera.look(9001), size=SMALL), pace=pace)[
            "shots"
        ]
        for camera, pace in ((Camera(720, 30, 30), (1.0,)), (Camera(720, 60, 500), (1.0, 0.5)))
    )
    assert all(first[what] == same[what] for what in ("puck", "speed", "start", "end", "on_gate"))
    assert first["t_start"] != same["t_start"], "a frame's time decides when a hand sets out"
    assert all(second[what] == slower[what] for what in ("puck", "start"))
    assert slower["speed"] == pytest.approx(second["speed"] / 2, abs=0.1)


def test_a_camera_changes_nothing_of_the_room_but_its_noise() -> None:
    middle, grainy = MIDDLE.look(3), Camera(720, 30, 500, 4.0).look(3)
    assert grainy.noise == 4 * middle.noise
    assert replace(grainy, noise=middle.noise, exposure_s=1 / 120, tier=middle.tier) == middle
    cameras = (*SHUTTERS, *POOR, *COSTLY)
    assert len({camera.name for camera in cameras}) == len(cameras)
    assert all(camera.shutter >= camera.fps for camera in cameras), "no shutter stays open beyond its frame"


def test_only_seeds_that_every_camera_filmed_are_compared() -> None:
    films = complete([result("a", 1), result("b", 1), result("a", 2), result("b", 3), result("a", 4), result("b", 4)],
                     ["b", "a"])  # fmt: skip
    assert {name: [r["seed"] for r in mine] for name, mine in films.items()} == {"b": [1, 4], "a": [1, 4]}


def test_a_camera_is_counted_by_verdict_and_against_the_first() -> None:
    films = {"a": [result("a", 1, *WORDS)], "b": [result("b", 1, "review", "right", "right")]}
    *_, first, second = by_camera(films)
    assert first == "| a | 2 | 0 | 1 | 0 | 1 | 9 % to 99 % | 0, 0 | 0.35 mm | 2.0 ms | 0, 1 of 2 |"
    assert second == "| b | 2 | 1 | 0 | 0 | 0 | 9 % to 99 % | 1, 1 | 0.35 mm | 2.0 ms | 0, 1 of 2 |"


def test_shots_are_counted_by_the_speed_at_the_flick() -> None:
    films = {"a": [result("a", 1, *WORDS)], "b": [result("b", 1, "unseen", "right", "right")]}
    head, _, *rows = by_speed(films)
    assert head == "| camera | below 0.75 | 0.75 to 1.5 | 1.5 to 2.25 | above 2.25 m/s |"
    assert rows == ["| a | 1 of 1 | 0 of 0 | 1 of 1 | 0 of 1 |", "| b | 0 of 1 | 0 of 0 | 1 of 1 | 1 of 1 |",
                    "| all | 1 of 2 | 0 of 0 | 2 of 2 | 1 of 2 |"]  # fmt: skip


def test_the_true_share_lies_between_its_bounds() -> None:
    """Against Clopper and Pearson's tables, two-sided 95 %."""
    assert share(29, 30) == "83 % to 100 %"
    assert share(8, 10) == "44 % to 97 %"
    assert share(0, 0) == "-"
