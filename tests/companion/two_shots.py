"""A film of two shots as a tracker would have told it: red 7 touches green 3, a hand takes green 3, green 5 goes in."""

from __future__ import annotations

from typing import Any

from calibration.board import default_board_path, load_board
from companion.label_seen import Seen, SeenShot

BOARD = load_board(default_board_path())
FPS, FRAMES = 30.0, 360
DOOR = BOARD.doors[0]
LAY = {"p1": ("red", 7, 100.0, 300.0), "p2": ("green", 3, 200.0, 300.0), "p3": ("green", 5, 500.0, 100.0),
       "p4": ("red", None, 50.0, 50.0)}  # fmt: skip
BETWEEN = {**LAY, "p1": ("red", 7, 180.0, 300.0), "p2": ("green", 3, 260.0, 310.0)}
AFTER = {**{k: p for k, p in BETWEEN.items() if k != "p2"}, "p3": ("green", 5, *DOOR.inside)}
Json = dict[str, Any]


def pucks(lie: dict[str, tuple[str, int | None, float, float]]) -> list[Json]:
    return [{"puck": k, "team": t, "number": n, "x_mm": x, "y_mm": y} for k, (t, n, x, y) in lie.items()]


def first_shot() -> SeenShot:
    start = {"type": "shot_started", "t": 2.0, "shot": 1, "puck": "p1", "pucks": pucks(LAY), "pushed": False}
    touch = {"type": "contact", "t": 2.1, "shot": 1, "puck": "p1", "other": "p2", "x_mm": 186.0, "y_mm": 300.0}
    end = {"type": "shot_ended", "t": 2.6, "shot": 1, "pucks": pucks(BETWEEN), "on_gate": [], "needs_review": True,
           "reasons": ["two frames are missing"]}  # fmt: skip
    paths = {"p1": [[2.0, 100.0, 300.0], [2.1, 172.0, 300.0], [2.3, 180.0, 300.0]],
             "p2": [[2.1, 200.0, 300.0], [2.6, 260.0, 310.0]]}  # fmt: skip
    return SeenShot(1, start, end, (touch,), paths, 900.0)


def second_shot() -> SeenShot:
    lie = {k: p for k, p in BETWEEN.items() if k != "p2"}
    start = {"type": "shot_started", "t": 8.0, "shot": 2, "puck": "p3", "pucks": pucks(lie), "pushed": False}
    through = {"type": "door_crossed", "t": 8.3, "shot": 2, "puck": "p3", "door": DOOR.name, "direction": "in"}
    end = {"type": "shot_ended", "t": 8.5, "shot": 2, "pucks": pucks(AFTER), "on_gate": [], "needs_review": False,
           "reasons": []}  # fmt: skip
    paths = {"p3": [[8.0, 500.0, 100.0], [8.5, *DOOR.inside]]}
    return SeenShot(2, start, end, (through,), paths, 700.0)


def seen_film() -> Seen:
    """The whole film: 12 s, with reefs, and a hand at 5 s."""
    took = {"type": "puck_removed", "t": 5.0, "puck": "p2", "team": "green", "number": 3, "x_mm": 260.0, "y_mm": 310.0}
    reefs = [{"team": "red", "x_mm": 300.0, "y_mm": 200.0, "angle_deg": 30.0}]
    between = ({"type": "reefs_seen", "t": 0.6, "reefs": reefs}, took)
    cameras = ({"since": 0.0, "rvec": [0.0, 0.0, 0.0], "tvec": [-325.0, -325.0, 950.0]},)
    return Seen(BOARD, FPS, FRAMES, (1280, 720), (first_shot(), second_shot()), between, cameras)
