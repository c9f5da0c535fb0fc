"""Small boards for the virtual table's tests."""

from __future__ import annotations

from calibration.board import Board, parse_board
from vision.virtual_table.physics import Puck

PLAIN = """
format = 1
name = "Plain"
size = [600.0, 400.0]
[rim]
width = 40.0
height = 12.0
[puck]
diameter = 28.0
height = 9.0
[[team]]
name = "red"
colour = "#c8342a"
digit_colour = "#f5f1e6"
mercenaries = [1]
explorers = [2, 3]
[[team]]
name = "green"
colour = "#2f8f4e"
digit_colour = "#f5f1e6"
mercenaries = [1]
explorers = [2, 3]
[[zone]]
name = "green-east sanctuary"
kind = "sanctuary"
team = "green"
polygon = [[500, 100], [600, 100], [600, 300], [500, 300]]
[[door]]
name = "green-east"
team = "green"
line = [[500, 100], [500, 300]]
inside = [550, 200]
[[gate]]
name = "middle"
circle = [300, 200, 26]
"""


def plain_board(extra: str = "") -> Board:
    """A rim, one door, one gate, no walls."""
    return parse_board(PLAIN + extra)


def puck(key: str, x: float, y: float) -> Puck:
    team, number = key.split("-")
    return Puck(key, team, int(number), x, y)
