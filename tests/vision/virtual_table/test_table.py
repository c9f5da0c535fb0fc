"""The virtual table as a source: what hands are asked to do is done, shown and remembered."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.board import default_board_path, load_board, parse_board
from vision.frames import Frame
from vision.virtual_table.boards import random_board_text
from vision.virtual_table.commands import TableCommandError
from vision.virtual_table.looks import CLEAN
from vision.virtual_table.physics import Puck
from vision.virtual_table.table import PUSH_FRAMES, VirtualTable

SMALL = replace(CLEAN, size=(320, 180), exposure_s=1 / 90)


def table_for(**more: object) -> VirtualTable:
    return VirtualTable(load_board(default_board_path()), look=SMALL, seed=3, **more)  # type: ignore[arg-type]


def run_until_idle(table: VirtualTable, most_s: float = 40.0) -> list[Frame]:
    frames = []
    for frame in table.frames():
        frames.append(frame)
        if not table.busy or frame.time_s > most_s:
            return frames
    return frames


def test_frames_show_the_middle_of_their_exposure() -> None:
    frames = list(itertools.islice(table_for().frames(), 5))
    assert [f.index for f in frames] == [0, 1, 2, 3, 4]
    assert [f.time_s for f in frames] == pytest.approx([(n + 0.5) / 30 for n in range(5)])
    assert frames[0].image.shape == (180, 320, 3)


@pytest.mark.parametrize("angle_deg", [90.0, 270.0], ids=["down", "up"])
def test_a_puck_that_runs_down_the_picture_is_shown_longer_where_rows_are_exposed_one_after_the_other(
    angle_deg: float,
) -> None:
    """It runs along with the shutter, or against it: its streak takes 1 / (1 - v r / H) of what it does at once."""
    pucks = [Puck("red-1", "red", 1, 325.0, 325.0)]
    streaks = dict[float, float]()
    for readout_s in (0.0, 0.03):
        look = replace(SMALL, readout_s=readout_s)
        table = VirtualTable(load_board(default_board_path()), look=look, seed=3, pucks=pucks, reefs=())
        table.command({"do": "flick", "puck": "red-1", "angle_deg": angle_deg, "speed_mm_s": 1400})
        run_until_idle(table)
        shot = table.truth()["shots"][0]
        fresh = VirtualTable(load_board(default_board_path()), look=look, seed=3, pucks=pucks, reefs=())
        fresh.command({"do": "flick", "puck": "red-1", "angle_deg": angle_deg, "speed_mm_s": 1400})
        for frame in fresh.frames():
            if frame.time_s > shot["t_start"] + 0.06:
                break
        (moving,) = fresh._view(frame.time_s).moving
        streaks[readout_s] = abs(float(moving.places[-1, 1] - moving.places[0, 1]))
    top, bottom = (table.pose.image_from_board(np.array([[325.0, y, 0.0]]))[0, 1] for y in (225.0, 425.0))
    speed = math.copysign(1250.0, angle_deg - 180) * -(bottom - top) / 200  # pixels a second, 0.06 s after the flick
    assert streaks[0.03] / streaks[0.0] == pytest.approx(1 / (1 - speed * 0.03 / SMALL.size[1]), rel=0.03)


def test_a_round_begins_with_all_pucks_on_their_circles() -> None:
    table = table_for()
    circles = {t.name: set(t.start_circles) for t in table.board.teams}
    assert len(table.pucks()) == 16
    assert all((x, y) in circles[team] for team, _, x, y in table.pucks().values())


def test_a_flick_moves_its_puck_and_is_remembered_as_a_shot() -> None:
    table = table_for()
    key = max(table.pucks(), key=lambda k: table.pucks()[k][2] if k.startswith("red") else 0)
    before = table.pucks()[key]
    table.command({"do": "flick", "puck": key, "angle_deg": 0.0, "speed_mm_s": 700})
    run_until_idle(table)
    shot = table.truth()["shots"][0]
    assert (shot["puck"], shot["speed"]) == (key, 700.0)
    assert table.pucks()[key][2] > before[2] + 30
    assert shot["end"][key] == pytest.approx(table.pucks()[key][2:], abs=0.01)
    assert shot["start"][key] == pytest.approx(before[2:], abs=0.01)


def test_a_removed_puck_is_gone_and_comes_back_where_it_is_placed() -> None:
    table = table_for()
    table.command({"do": "remove", "puck": "red-3"})
    run_until_idle(table)
    assert "red-3" not in table.pucks()
    table.command({"do": "place", "puck": "red-3", "x_mm": 325, "y_mm": 60})
    run_until_idle(table)
    assert table.pucks()["red-3"] == ("red", 3, 325.0, 60.0)
    assert [next(k for k in h if k not in ("t", "at")) for h in table.truth()["hand"]] == ["removed", "placed"]


def test_a_puck_may_be_named_by_the_place_where_it_lies() -> None:
    table = table_for()
    _, _, x, y = table.pucks()["green-5"]
    table.command({"do": "remove", "at": [x + 3, y - 4]})
    run_until_idle(table)
    assert "green-5" not in table.pucks()


def test_a_board_that_is_pushed_lies_elsewhere_on_a_table_that_does_not_move() -> None:
    look = replace(CLEAN, size=(640, 360))
    table = VirtualTable(load_board(default_board_path()), look=look, seed=3, keep_positions=True)
    frames = table.frames()
    first, before = next(frames), table.pose
    lay = {key: place[2:] for key, place in table.pucks().items()}
    table.push(first.time_s, 12.0, -5.0, math.radians(1.5))
    *_, last = itertools.islice(frames, 12)
    assert {key: place[2:] for key, place in table.pucks().items()} == lay
    middle = np.array([[*(side / 2 for side in table.board.size), 0.0]])
    where = before.board_from_image(table.pose.image_from_board(middle))[0] - middle[0, :2]
    assert where == pytest.approx((12.0, -5.0), abs=0.01)
    corners = np.array([[0.0, 0.0, 0.0], [table.board.size[0], 0.0, 0.0]])
    along = np.diff(before.board_from_image(table.pose.image_from_board(corners)), axis=0)[0]
    assert math.degrees(math.atan2(along[1], along[0])) == pytest.approx(1.5, abs=0.01)
    assert len(table.truth()["cameras"]) == 1 + PUSH_FRAMES

    change = np.abs(last.image.astype(int) - first.image.astype(int)).max(axis=2)
    x0 = math.floor(before.image_from_board(np.array([[-60.0, -60.0, 0.0]]))[0, 0])
    assert change[:, : x0 - 20].max() <= 2  # beside the board
    centre = np.round(before.image_from_board(np.array([[*table.board.markers[0].centre, 12.0]]))[0]).astype(int)
    assert change[centre[1] - 8 : centre[1] + 8, centre[0] - 8 : centre[0] + 8].max() > 80


def test_hands_push_a_board_now_and_then_but_not_with_a_flick() -> None:
    look = replace(SMALL, push_mm=8.0)
    table = VirtualTable(load_board(default_board_path()), look=look, seed=3)
    table.command({"do": "flick", "puck": "red-1", "angle_deg": 20, "speed_mm_s": 500})
    run_until_idle(table)
    assert len(table.truth()["cameras"]) == 1
    for _ in range(6):
        table.command({"do": "pass"})
    run_until_idle(table)
    poses = len(table.truth()["cameras"]) - 1
    assert poses % PUSH_FRAMES == 0
    assert 1 <= poses // PUSH_FRAMES <= 6


def test_a_puck_is_never_placed_on_another() -> None:
    table = table_for()
    _, _, x, y = table.pucks()["green-5"]
    table.command({"do": "place", "puck": "red-1", "x_mm": x, "y_mm": y})
    run_until_idle(table)
    _, _, rx, ry = table.pucks()["red-1"]
    assert np.hypot(rx - x, ry - y) >= 28


def test_setting_up_brings_every_puck_to_a_circle() -> None:
    table = table_for(layout="scattered")
    table.command({"do": "setup"})
    run_until_idle(table, 90.0)
    circles = {c for t in table.board.teams for c in t.start_circles}
    assert {(x, y) for _, _, x, y in table.pucks().values()} == circles


def test_an_expelled_puck_lies_beside_the_board_until_it_is_cleared() -> None:
    table = table_for(tidy=False)
    key = min((k for k in table.pucks() if k.startswith("red")), key=lambda k: table.pucks()[k][2])
    table.command({"do": "flick", "puck": key, "angle_deg": 180.0, "speed_mm_s": 2600})
    run_until_idle(table)
    assert key not in table.pucks()
    assert [p.key for p in table.outside()] == [key]
    table.command({"do": "clear"})
    run_until_idle(table)
    assert table.outside() == ()


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ({"do": "throw"}, "do"),
        ({"do": "flick", "puck": "red-99", "angle_deg": 0, "speed_mm_s": 100}, "puck"),
        ({"do": "flick", "puck": "red-1", "angle_deg": "east", "speed_mm_s": 100}, "angle_deg"),
        ({"do": "flick", "puck": "red-1", "angle_deg": 0, "speed_mm_s": 9000}, "speed_mm_s"),
        ({"do": "place", "puck": "red-1", "x_mm": float("nan"), "y_mm": 1}, "x_mm"),
        ({"do": "remove", "at": [1]}, "at"),
    ],
)
def test_an_order_that_cannot_be_is_refused_by_field(command: dict[str, object], named: str) -> None:
    table = table_for()
    with pytest.raises(TableCommandError, match=f"^{named}: found"):
        table.command(command)
    assert not table.busy


def test_the_same_seed_and_orders_give_the_same_pictures() -> None:
    films = []
    for _ in range(2):
        table = VirtualTable(load_board(default_board_path()), look=replace(SMALL, noise=2.0, flicker=0.01), seed=5)
        table.command({"do": "flick", "puck": "red-1", "angle_deg": 20, "speed_mm_s": 1500})
        films.append([f.image for f in itertools.islice(table.frames(), 50)])
    assert all(np.array_equal(a, b) for a, b in zip(*films, strict=True))


def test_in_real_time_a_late_source_leaves_frames_out_and_says_so() -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    table = table_for(realtime=True, clock=lambda: now[0], sleep=sleep)
    frames = table.frames()
    assert next(frames).time_s == pytest.approx(0.5 / 30)
    assert now[0] == pytest.approx(0.5 / 30)
    now[0] += 10 / 30
    late = next(frames)
    assert late.missed > 5
    assert late.index == late.missed + 1
    assert late.time_s == pytest.approx(now[0], abs=2 / 30)


def test_a_patient_table_lets_its_time_wait_rather_than_leave_frames_out() -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    frames = table_for(realtime=True, patient=True, clock=lambda: now[0], sleep=sleep).frames()
    next(frames)
    now[0] += 10 / 30
    late, then = next(frames), next(frames)
    assert (late.index, late.missed, then.index) == (1, 0, 2)
    assert now[0] == pytest.approx(11.5 / 30), "the table goes on at its own speed"


def test_positions_are_kept_only_when_asked_for() -> None:
    for keep in (True, False):
        table = table_for(keep_positions=keep, seconds=0.2)
        count = len(list(table.frames()))
        assert len(table.truth()["positions"]["mm10"]) == (count if keep else 0)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(n, marks=pytest.mark.long) for n in range(4, 12))])
def test_home_made_boards_are_valid_and_can_be_played(seed: int) -> None:
    board = parse_board(random_board_text(seed), "home.toml")
    assert board.warnings == ()
    table = VirtualTable(board, look=SMALL, seed=seed)
    assert len(table.pucks()) == 16
    key = next(iter(table.pucks()))
    table.command({"do": "flick", "puck": key, "angle_deg": 30, "speed_mm_s": 1200})
    run_until_idle(table)
    assert len(table.truth()["shots"]) == 1
