"""Where a puck is missing, what would be one but for its paint is taken for it."""

from __future__ import annotations

from vision.comparison import Moves
from vision.resting import Rest, SeenDisc
from vision.settling import missing


def disc(team: str, x_mm: float, score: float) -> SeenDisc:
    return SeenDisc(team, x_mm, 100.0, score, (30.0, 60.0, 30.0))


def left(*teams: str) -> list[Rest]:
    return [Rest(f"p{k}", team, 40.0 * k, 300.0) for k, team in enumerate(teams)]


def test_as_many_as_are_missing_of_a_team_and_the_best_of_them() -> None:
    poor, good, other = disc("green", 100.0, 0.6), disc("green", 200.0, 0.8), disc("red", 300.0, 0.9)
    assert missing(Moves(left("green"), [], {}, []), [poor, good, other]) == [good]
    assert missing(Moves(left("green", "green"), [], {}, []), [poor, good, other]) == [good, poor]


def test_none_where_every_puck_that_left_lies_somewhere() -> None:
    doubted = [disc("green", 100.0, 0.8)]
    assert missing(Moves(left("green"), [disc("green", 200.0, 0.9)], {}, []), doubted) == []
    assert missing(Moves([], [], {}, []), doubted) == []
    assert missing(Moves(left("red"), [], {}, []), doubted) == []
