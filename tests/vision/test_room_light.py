"""The room's light against that in which the board lay at rest, and paints in it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from vision.board_at_rest import BoardAtRest, board_at_rest
from vision.differencing import coarse_change, small_gray
from vision.frame_map import FrameMap, make_frame_map
from vision.frames import Image
from vision.palette import painted
from vision.room_light import FAR, GROWN, RELIT_BY, Paints, RoomLight
from vision.view import make_view
from vision.virtual_table.table import VirtualTable

DT = 1 / 30


@pytest.fixture(scope="module")
def seen() -> tuple[Image, FrameMap]:
    """A frame of a board at rest."""
    table = VirtualTable(load_board(default_board_path()), seed=5, layout="scattered")
    frame = next(itertools.islice(table.frames(), 1))
    return frame.image, make_frame_map(make_view(table.board, table.pose, table.size), table.size)


def in_light(image: Image, light: float) -> Image:
    return np.asarray(np.clip(image * light + 0.5, 0, 255), dtype=np.uint8)


def at_rest(seen: tuple[Image, FrameMap], light: float = 1.0) -> BoardAtRest:
    return board_at_rest(in_light(seen[0], light), seen[1], [])


@pytest.mark.parametrize("light", [0.4, 0.7, 1.6])
def test_paints_go_with_the_light_of_the_board_at_rest(seen: tuple[Image, FrameMap], light: float) -> None:
    paints, board = Paints(), load_board(default_board_path())
    paints.seen(painted(board).in_light(np.full(3, 0.4)))
    before = paints.palette
    assert before is not None
    paints.rests(at_rest(seen))
    assert paints.palette is before
    paints.rests(at_rest(seen, light))
    for team in before.names:
        assert paints.palette.bgr(team) == pytest.approx(light * before.bgr(team), rel=0.06)


def test_what_was_learned_in_a_light_is_not_put_in_it_again(seen: tuple[Image, FrameMap]) -> None:
    """Light that grew by less than counts, and then by a little more, was reckoned with twice."""
    paints, board = Paints(), load_board(default_board_path())
    paints.seen(painted(board).in_light(np.full(3, 0.4)))
    assert paints.palette is not None
    first = {team: paints.palette.bgr(team) for team in paints.palette.names}
    paints.rests(at_rest(seen))
    for _ in range(4):
        paints.learn(np.array([1.09 * first[team] for team in first]), list(first), at_rest(seen, 1.09))
    paints.rests(at_rest(seen, 1.13))
    for team, was in first.items():
        assert paints.palette.bgr(team) == pytest.approx(1.11 * was, rel=0.04)


def test_light_is_told_against_that_at_rest(seen: tuple[Image, FrameMap]) -> None:
    room, rested = RoomLight(), at_rest(seen)
    room.rests(rested)
    room.looked()
    for light, relit in ((1.0, False), (0.8 * math.exp(-RELIT_BY), True), (0.9 * math.exp(RELIT_BY), False)):
        room.against_rest(coarse_change(at_rest(seen, light).coarse, rested.coarse), rested)
        assert room.relit == relit, light
        assert room.level == pytest.approx(light * rested.brightness, rel=0.05)
    assert not room.has_grown(0.9 * GROWN * rested.brightness)
    assert room.has_grown(1.1 * GROWN * rested.brightness)


def test_the_board_is_kept_as_it_lay_while_an_exposure_brings_it_back(seen: tuple[Image, FrameMap]) -> None:
    """As long as the light is far from that at rest."""
    (image, frame_map), room, rested = seen, RoomLight(), at_rest(seen)
    room.rests(rested)
    view, told = frame_map.view, list[tuple[bool, bool]]()
    lights = [1 + 0.8 * math.exp(-k / 12) for k in range(70)]
    before = small_gray(in_light(image, lights[0]), view.roi, view.step)
    for light in lights[1:]:
        gray = small_gray(in_light(image, light), view.roi, view.step)
        room.compared(gray, before, DT, alike=True)
        room.against_rest(coarse_change(at_rest(seen, light).coarse, rested.coarse), rested)
        told.append((math.log(light) > FAR, room.comes_back))
        before = gray
    assert all(back for far, back in told[5:] if far)
    assert not any(back for far, back in told if not far)
    assert {back for _, back in told} == {True, False}
