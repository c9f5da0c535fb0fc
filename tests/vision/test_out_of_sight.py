"""What stands on a board hides some of it from a tilted camera; pucks that it hides in part are found all the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from calibration.board import Board, default_board_path, load_board, parse_board, point_in_polygon
from calibration.pose import Pose
from tests.vision.painted_board import camera_over
from vision.resting import first_look
from vision.view import make_view
from vision.virtual_table.boards import random_board_text
from vision.virtual_table.looks import look_for
from vision.virtual_table.physics import Puck
from vision.virtual_table.table import VirtualTable

BOARD = load_board(default_board_path())
STEPS = 80  # places on a line of sight that are looked at, below the height of what stands there
NEAR_OBSTACLE_MM = 120.0  # nothing is so long and high that it hides a place further off
SURE_MM = 1.5  # so near to where a shape's shadow ends a pixel may lie on either side
BEHIND_MM = 4.0  # between a facade and the puck behind it
NEAR_MM = 0.8  # as is wanted of pucks that show wholly
TILT_DEG = 35.0


def stands_before(board: Board, pose: Pose, point: tuple[float, float, float]) -> bool:
    """True where the line from a point to the camera goes through something that stands on the board."""
    camera, tallest = pose.camera_mm(), max(o.height_mm for o in board.obstacles)
    part = (tallest - point[2]) / (camera[2] - point[2])
    line = np.linspace(point, point + part * (camera - point), STEPS)
    near = [o for o in board.obstacles if math.dist(np.array(o.polygon).mean(axis=0), point[:2]) < NEAR_OBSTACLE_MM]
    outside = ((line[:, :2] < 0) | (line[:, :2] > board.size)).any(axis=1)
    if board.rim is not None and (outside & (line[:, 2] < board.rim.height_mm)).any():
        return True
    return any(z < o.height_mm and point_in_polygon(x, y, o.polygon) for o in near for x, y, z in line.tolist())


@pytest.mark.parametrize("tilt_deg", [6.0, 35.0])
@pytest.mark.parametrize("board", [BOARD, parse_board(random_board_text(7))], ids=["of the box", "made up"])
def test_a_place_is_hidden_where_the_line_to_the_camera_meets_what_stands_there(board: Board, tilt_deg: float) -> None:
    pose = camera_over(board, tilt_deg=tilt_deg)
    view = make_view(board, pose, pose.lens.image_size)
    height, rng, told = board.puck.height_mm, np.random.default_rng(1), list[tuple[bool, bool, tuple[float, ...]]]()
    for obstacle in board.obstacles:
        x, y = np.array(obstacle.polygon).mean(axis=0)
        for place in rng.uniform(-30, 30, (40, 2)) + (x, y):
            around = [place + SURE_MM * np.array(d) for d in ((1, 0), (0, 1), (-1, 0), (0, -1))]
            truly = {stands_before(board, pose, (float(p[0]), float(p[1]), height)) for p in [place, *around]}
            if len(truly) == 1 and (place >= 0).all() and (place <= board.size).all():
                column, row = np.rint(view.px_from_mm(place)[0]).astype(int)
                told.append((truly.pop(), bool(view.unseen[row, column]), tuple(place.round(1).tolist())))
    assert {truly for truly, *_ in told} == {True, False}
    assert [where for truly, seen, where in told if seen != truly] == []


def behind_facades(table: VirtualTable) -> Iterator[tuple[float, float]]:
    """A place on that side of each facade which the camera sees less of."""
    camera, radius = table.pose.camera_mm()[:2], table.board.puck.radius_mm
    for facade in (o for o in table.board.obstacles if o.kind == "facade"):
        corners = np.array(facade.polygon)
        along = max((b - a for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)), key=np.linalg.norm)
        normal = np.array([-along[1], along[0]]) / np.linalg.norm(along)
        middle = corners.mean(axis=0)
        away = normal if (camera - middle) @ normal < 0 else -normal
        x, y = middle + away * (radius + BEHIND_MM + 2.5)
        yield float(x), float(y)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_puck_of_which_a_facade_hides_a_part_is_found_where_it_lies(seed: int) -> None:
    look = replace(look_for("standard", seed), tilt_deg=TILT_DEG)
    bare = VirtualTable(BOARD, seed=seed, look=look, reefs=())
    behind = list(behind_facades(bare))
    keys = sorted(bare.pucks())
    pucks = [Puck(key, *bare.pucks()[key][:2], *place) for key, place in zip(keys[4:12], behind, strict=True)]
    free = [Puck(key, *bare.pucks()[key]) for key in keys if key not in {p.key for p in pucks}]
    table = VirtualTable(BOARD, seed=seed, look=look, reefs=(), pucks=[*pucks, *free], pose=bare.pose)
    image = next(table.frames()).image
    seen, _ = first_look(image, make_view(BOARD, table.pose, table.size))
    assert len(seen) == len(keys)
    for puck in pucks:
        assert min(math.dist(s.place, (puck.x_mm, puck.y_mm)) for s in seen if s.team == puck.team) < NEAR_MM
