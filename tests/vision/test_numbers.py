"""Numbers on pucks: read right or left unread, one look or many, one puck or a whole team."""

from __future__ import annotations

import dataclasses
import math
import subprocess
import sys

import cv2
import numpy as np
import pytest

from calibration.board import Board, Team, default_board_path, load_board
from tests.vision.painted_board import Scene, camera_over
from vision.numbers import PATCH_REACH, NumberBelief, NumberReader, Reading, assign, puck_patch
from vision.virtual_table.art import paint_top

NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8)


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(default_board_path())


def only(board: Board, team: Team) -> Board:
    """A board of one team, with nothing on it that belongs to others."""
    return dataclasses.replace(board, teams=(team,), obstacles=(), doors=())


def sixteen(board: Board, size: tuple[int, int], seed: int, light: tuple[float, float, float] = (1, 1, 1)) -> Scene:
    """All pucks of two teams on a grid, each turned anyhow."""
    rng = np.random.default_rng(seed)
    pucks = [(team.name, number, (100.0 + 60 * i, 150.0 + 300 * k + rng.uniform(-20, 20), rng.uniform(0, 360)))
             for k, team in enumerate(board.teams) for i, number in enumerate(team.numbers)]  # fmt: skip
    return Scene(board, camera_over(board, size), [], pucks, light=light, seed=seed)


def readings(scene: Scene) -> list[tuple[int, Reading]]:
    """The true number and what is read, puck by puck."""
    reader, image = NumberReader(scene.board), scene.picture()
    patches = [puck_patch(image, scene.pose, scene.board, x, y) for _, _, (x, y, _) in scene.pucks]
    looks = reader.read_many(patches, [t for t, _, _ in scene.pucks])
    return [(number, look) for (_, number, _), look in zip(scene.pucks, looks, strict=True)]


def believed(*looks: dict[int, float]) -> NumberBelief:
    """A belief from looks given as log-likelihoods; other numbers are as unlikely as can be."""
    belief = NumberBelief()
    for look in looks:
        scores = {n: look.get(n, -6.0) for n in NUMBERS}
        belief.combine(Reading(scores, max(scores, key=lambda n: scores[n]), 0.0))
    return belief


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_numbers_in_any_rotation_are_read_at_one_look(board: Board, size: tuple[int, int]) -> None:
    looks = [look for seed in range(3) for look in readings(sixteen(board, size, seed))]
    wrong = [(true, look.best) for true, look in looks if look.best != true and look.margin >= 3.0]
    assert wrong == []
    assert sum(look.best == true for true, look in looks) >= 0.97 * len(looks)


@pytest.mark.parametrize("light", [(0.3, 0.28, 0.25), (0.7, 0.9, 1.1), (1.15, 0.9, 0.75)], ids=["dim", "warm", "cold"])
def test_light_does_not_make_numbers_wrong(board: Board, light: tuple[float, float, float]) -> None:
    looks = readings(sixteen(board, (1280, 720), 5, light))
    assert [true for true, look in looks if look.best != true and look.margin >= 3.0] == []
    assert sum(look.best == true for true, look in looks) >= 15


def test_in_a_small_picture_a_number_is_right_or_unread(board: Board) -> None:
    """At 640x480 a puck is 17 pixels wide: what is certain there must be right all the same."""
    looks = [look for seed in range(3) for look in readings(sixteen(board, (640, 480), seed))]
    assert [(true, look.best) for true, look in looks if look.best != true and look.margin >= 3.0] == []


@pytest.mark.parametrize("radius_px", [10.0, 13.0, 24.0])
def test_a_one_that_stands_on_a_foot_looks_like_a_one_and_not_like_a_two(board: Board, radius_px: float) -> None:
    team = board.teams[0]
    top = paint_top(team, 1, 160)
    half, side = round(80 * PATCH_REACH), round(2 * radius_px * PATCH_REACH)
    patches = []
    for angle_deg in range(0, 360, 15):
        turn = cv2.getRotationMatrix2D((79.5, 79.5), angle_deg, 1.0)
        seen = cv2.GaussianBlur(cv2.warpAffine(top, turn, (160, 160)), (0, 0), 40 / radius_px)  # half a pixel
        cut = seen[80 - half : 80 + half, 80 - half : 80 + half]
        patches.append(np.clip(cv2.resize(cut, (side, side), interpolation=cv2.INTER_AREA), 0, 255).astype(np.uint8))
    looks = NumberReader(board).read_many(patches, [team.name] * len(patches))
    assert [look.best for look in looks] == [1] * len(looks)


def test_only_numbers_that_the_board_allows_are_read(board: Board) -> None:
    teams = tuple(dataclasses.replace(t, mercenaries=(3,), explorers=(5,)) for t in board.teams)
    few = dataclasses.replace(board, teams=teams)
    scene = Scene(few, camera_over(few), [], [("red", 3, (200.0, 200.0, 30.0)), ("green", 5, (400.0, 400.0, 250.0))])
    assert [(look.best, set(look.scores)) for _, look in readings(scene)] == [(3, {3, 5}), (5, {3, 5})]


def test_a_six_that_may_be_a_nine_stays_unread(board: Board) -> None:
    nine = dataclasses.replace(board.teams[0], mercenaries=(6, 9), explorers=(1,))
    both = only(board, nine)
    scene = Scene(both, camera_over(both), [], [("red", 6, (150.0, 200.0, 10.0)), ("red", 9, (400.0, 300.0, 100.0))])
    looks = [look for _, look in readings(scene)]
    beliefs = [NumberBelief() for _ in looks]
    for belief, look in zip(beliefs, looks, strict=True):
        belief.combine(look)
    assert [look.best in (6, 9) for look in looks] == [True, True]
    assert [belief.number() for belief in beliefs] == [None, None]


def test_two_digits_are_read(board: Board) -> None:
    team = dataclasses.replace(board.teams[0], mercenaries=(10, 12, 23), explorers=(35, 47))
    two = only(board, team)
    pucks = [("red", n, (120.0 + 100 * i, 200.0 + 40 * i, 70.0 * i)) for i, n in enumerate(team.numbers)]
    looks = readings(Scene(two, camera_over(two, (1920, 1080)), [], pucks))
    assert sum(look.best == true for true, look in looks) >= 4


def test_numbers_beyond_what_the_reader_knows_stay_unread(board: Board) -> None:
    team = dataclasses.replace(board.teams[0], mercenaries=(3, 100), explorers=())
    many = only(board, team)
    look = readings(Scene(many, camera_over(many), [], [("red", 3, (200.0, 200.0, 0.0))]))[0][1]
    assert (look.best, look.margin) == (None, 0.0)


def test_a_team_without_numbers_has_nothing_to_read(board: Board) -> None:
    bare = dataclasses.replace(board.teams[0], mercenaries=(), explorers=())
    look = NumberReader(only(board, bare)).read(np.zeros((32, 32, 3), dtype=np.uint8), "red")
    belief = NumberBelief()
    belief.combine(look)
    assert (look.best, belief.number()) == (None, None)


def test_a_blank_puck_is_not_read_with_certainty(board: Board) -> None:
    reader = NumberReader(board)
    rng = np.random.default_rng(3)
    for _ in range(5):
        patch = np.clip(np.array([42, 52, 200]) + rng.normal(0, 2, (32, 32, 3)), 0, 255).astype(np.uint8)
        belief = NumberBelief()
        belief.combine(reader.read(patch, "red"))
        assert belief.number() is None


def test_looks_at_one_place_count_less_and_less() -> None:
    look = Reading({3: 0.0, 8: -1.0}, 3, 1.0)
    still, moved = NumberBelief(), NumberBelief()
    for i in range(4):
        still.combine(look, (100.0, 100.0))
        moved.combine(look, (100.0 + 50 * i, 100.0))
    assert still.margin == pytest.approx(1 + 1 / 4 + 1 / 9 + 1 / 16)
    assert moved.margin == pytest.approx(4.0)
    assert (still.number(), moved.number()) == (None, 3)


def test_a_doubtful_number_is_looked_at_six_times_in_one_place_and_anew_in_the_next() -> None:
    doubtful, belief = Reading({3: 0.0, 8: -1.0}, 3, 1.0), NumberBelief()
    for _ in range(6):
        assert not belief.settled
        belief.combine(doubtful, (100.0, 100.0))
    assert belief.settled
    assert belief.number() is None
    belief.combine(doubtful, (160.0, 100.0))
    assert not belief.settled


def test_a_belief_without_looks_knows_nothing() -> None:
    assert (NumberBelief().number(), NumberBelief().best) == (None, None)


def test_the_number_that_is_left_goes_to_the_puck_that_is_hard_to_read() -> None:
    beliefs = {f"p{n}": believed({n: 0.0}) for n in NUMBERS if n != 8}
    beliefs["p8"] = believed({3: 0.0, 8: -0.4})
    given = assign(beliefs, NUMBERS)
    assert given == {f"p{n}": n for n in NUMBERS}


def test_two_pucks_that_both_look_like_a_three_are_not_guessed() -> None:
    beliefs = {"a": believed({3: 0.0}), "b": believed({3: 0.0}), "c": believed({5: 0.0})}
    assert assign(beliefs, NUMBERS) == {"a": None, "b": None, "c": 5}


def test_with_pucks_missing_a_doubtful_one_stays_unread() -> None:
    assert assign({"a": believed({3: 0.0, 8: -1.0}), "b": believed({1: 0.0})}, NUMBERS) == {"a": None, "b": 1}


def test_a_clear_number_is_given_although_another_puck_looks_like_it() -> None:
    """A 1 whose foot made it look like a 2 at two places, and the 2: only the first stays unread."""
    one = believed(dict.fromkeys(NUMBERS, -16.0) | {1: -5.1, 2: 0.0})
    two, less = (believed(dict.fromkeys(NUMBERS, lead) | {2: 0.0}) for lead in (-9.0, -6.9))
    assert assign({"a": one, "b": two}, NUMBERS) == {"a": None, "b": 2}
    assert assign({"a": two, "b": two}, NUMBERS) == {"a": None, "b": None}
    assert assign({"a": one, "b": less}, NUMBERS) == {"a": None, "b": None}


def test_what_one_of_two_that_clearly_look_alike_may_bear_is_given_only_where_it_is_as_clear() -> None:
    """Hard contrast and a JPEG's blocks made a 5 look like the 6, as clearly as the 6 did, and a 3 like the 5. What the
    two do not look like is told as ever."""
    six = believed(dict.fromkeys(NUMBERS, -8.9) | {6: 0.0})
    five = believed(dict.fromkeys(NUMBERS, -17.9) | {6: 0.0, 5: -14.4, 8: -16.3})
    three = believed(dict.fromkeys(NUMBERS, -8.9) | {5: 0.0, 3: -5.4})
    two = believed(dict.fromkeys(NUMBERS, -5.2) | {2: 0.0})
    assert assign({"a": six, "b": five, "c": three, "d": two}, NUMBERS) == {"a": None, "b": None, "c": None, "d": 2}
    assert assign({"a": six, "c": three, "d": two}, NUMBERS) == {"a": 6, "c": 5, "d": 2}


def test_more_pucks_than_numbers_leave_the_worst_one_without() -> None:
    given = assign({"a": believed({1: 0.0}), "b": believed({2: 0.0}), "c": NumberBelief()}, (1, 2))
    assert given == {"a": 1, "b": 2, "c": None}
    assert assign({}, NUMBERS) == {}


def test_a_patch_shows_the_pucks_top_where_its_height_puts_it(board: Board) -> None:
    x, y = 600.0, 60.0
    scene = Scene(board, camera_over(board), [], [("red", 8, (x, y, 0.0))], noise=0.0)
    patch = puck_patch(scene.picture(), scene.pose, board, x, y, 64).astype(float)
    bright = patch[..., 0] > patch[..., 0].mean() + 40
    rows, cols = np.nonzero(bright)
    assert math.hypot(rows.mean() - 31.5, cols.mean() - 31.5) < 2.5


def test_a_look_agrees_best_with_the_puck_that_bears_its_number() -> None:
    three, five, unknown = believed({3: 0.0, 5: -5.0}), believed({3: -5.0, 5: 0.0}), NumberBelief()
    look = Reading({3: 0.0, 5: -4.0}, 3, 4.0)
    assert three.agreement(look) - five.agreement(look) > 3.5
    assert unknown.agreement(look) == 0.0


def test_a_look_that_tells_nothing_agrees_with_all_pucks_alike() -> None:
    look = Reading({3: 0.0, 5: 0.0}, None, 0.0)
    assert believed({3: 0.0, 5: -5.0}).agreement(look) == pytest.approx(believed({3: -5.0, 5: 0.0}).agreement(look))


def test_how_the_reader_is_trained_is_told_where_torch_is_not_installed() -> None:
    run = "sys.modules['torch'] = None; runpy.run_module('benchmarks.train_numbers', run_name='__main__')"
    command = [sys.executable, "-c", f"import runpy, sys; {run}", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "--samples" in done.stdout
