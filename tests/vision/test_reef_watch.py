"""A reef that comes, goes or is shifted is looked for; what pucks, light and noise change is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import vision.reef_watch
from calibration.board import Board, default_board_path, load_board
from tests.vision.grain import noisy
from tests.vision.painted_board import Place, Scene, camera_over
from vision.events import PuckSeen, ReefSeen
from vision.frames import Image
from vision.reef_watch import ReefWatch
from vision.reefs import find_reefs
from vision.view import make_view

SIZE = (1280, 720)
REEFS: list[tuple[str, Place]] = [("red", (200.0, 120.0, 20.0)), ("green", (480.0, 220.0, 45.0))]
PUCKS: list[tuple[str, int, Place]] = [("red", 3, (300.0, 420.0, 10.0)), ("green", 2, (400.0, 330.0, 300.0))]
NOISE = 2.5  # grey levels


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(default_board_path())


class Table:
    """A painted board that is looked at again and again."""

    def __init__(self, board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scene = Scene(board, camera_over(board, SIZE), list(REEFS), list(PUCKS))
        self.watch = ReefWatch(board)
        self.looks = 0
        self._rng = np.random.default_rng(5)

        def counted(*args: object) -> tuple[ReefSeen, ...]:
            self.looks += 1
            return find_reefs(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(vision.reef_watch, "find_reefs", counted)

    def picture(self, light: float = 1.0) -> Image:
        picture = self.scene.picture().astype(np.float64) * light
        return noisy(picture, NOISE, self._rng)

    def look(self, light: float = 1.0) -> tuple[ReefSeen, ...] | None:
        pucks = [PuckSeen(f"{t}-{n}", t, n, x, y) for t, n, (x, y, _) in self.scene.pucks]
        view = make_view(self.scene.board, self.scene.pose, SIZE)
        return self.watch.look(self.picture(light), view, pucks)


@pytest.fixture
def table(board: Board, monkeypatch: pytest.MonkeyPatch) -> Table:
    table = Table(board, monkeypatch)
    first = table.look()
    assert first is not None
    assert len(first) == 2
    assert table.looks == 1
    return table


def test_noise_light_and_pucks_are_no_reason_to_look_again(table: Table) -> None:
    assert table.look() is None
    table.scene.pucks[0] = ("red", 3, (360.0, 500.0, 80.0))
    assert table.look(0.8) is None
    assert table.looks == 1


def test_a_reef_that_is_placed_is_told(table: Table) -> None:
    table.scene.reefs.append(("red", (430.0, 570.0, 0.0)))
    found = table.look()
    assert found is not None
    assert len(found) == 3


def test_a_reef_that_is_taken_away_is_told(table: Table) -> None:
    table.scene.reefs.pop()
    found = table.look(0.9)
    assert found is not None
    assert len(found) == 1


@pytest.mark.parametrize("shift_mm", [3.0, 8.0])
def test_a_reef_that_is_shifted_is_told(table: Table, shift_mm: float) -> None:
    team, (x, y, angle) = table.scene.reefs[0]
    table.scene.reefs[0] = (team, (x + shift_mm, y, angle))
    found = table.look()
    assert found is not None
    assert min(abs(r.x_mm - x - shift_mm) for r in found) < 1.5


def test_two_looks_at_the_same_reefs_tell_nothing(table: Table) -> None:
    table.watch.forget_view()  # as after a knock
    assert table.look() is None
    assert table.looks == 2


def test_a_board_without_reefs_is_not_looked_at(board: Board, table: Table) -> None:
    watch = ReefWatch(replace(board, reef=None))
    view = make_view(board, table.scene.pose, SIZE)
    assert watch.look(table.picture(), view, []) is None
    assert table.looks == 1
    assert not watch.due
    assert watch.corners() == []
