"""Sacrifice's walls (S15, S24): where a builder may build, and what walls may touch."""

from __future__ import annotations

from companion.games.base import IllegalMove, MalformedAction
from companion.games.fast import replace
from companion.games.sacrifice_board import Edge, corners_of, edge, names_of, wall_ends, zone_of
from companion.games.sacrifice_state import SacrificeState
from companion.games.sacrifice_turns import can_move
from companion.games.setup import logged


def read_line(state: SacrificeState, name: str) -> Edge:
    """A line by its two squares, such as c5-d5. Raises MalformedAction."""
    one, _, other = name.partition("-")
    names = names_of(state.board)
    if one not in names or other not in names:
        raise MalformedAction(
            "wall: edge: found {name!r}, expected two neighbouring squares such as c5-d5", "S15", name=name
        )
    line = edge(names[one], names[other])
    beside = line[1] - line[0] == 1 and line[1] % state.board.columns
    if not beside and line[1] - line[0] != state.board.columns:
        raise MalformedAction("wall: edge: {name} are no neighbours", "S15", name=name)
    return line


def line_name(state: SacrificeState, line: Edge) -> str:
    """A line as read_line reads it."""
    return f"{state.board.name(line[0])}-{state.board.name(line[1])}"


def s15_check(state: SacrificeState, side: int, line: Edge) -> None:
    """S15: raises IllegalMove where this wall may not be built now."""
    if not state.walls_left[side]:
        raise IllegalMove("{seat} has built its three walls", "S1", seat=state.seats[side])
    if state.options["wall_cost"] == "one_point":
        s24_point_for_a_wall(state, side)
    if line in state.walls:
        raise IllegalMove("a wall stands there already", "S15")
    s15_zone(state, side, line)
    if not any(s15_contact(state, state.pieces[n].square, line) for n in builders(state, side)):
        raise IllegalMove(
            "no builder of {seat} is in contact with {line}", "S15", seat=state.seats[side], line=line_name(state, line)
        )
    s15_touching(state, line)


def s24_point_for_a_wall(state: SacrificeState, side: int) -> None:
    """S4, S24: where a wall costs a point, that one is left, and not only the one for the move of this turn.

    Raises IllegalMove where none is left for it.
    """
    if not state.points:
        raise IllegalMove("no point is left for a wall", "S24")
    if state.points == 1 and not state.moved and can_move(state, side):
        raise IllegalMove("at least one move must be made in a turn", "S4")


def s15_zone(state: SacrificeState, side: int, line: Edge) -> None:
    """S15: own deployment, free zone and the border of the enemy's deployment; nothing that touches elevation.

    Raises IllegalMove where a line is elsewhere.
    """
    zones = {zone_of(state.board)[square] for square in line}
    allowed = {"f", f"d{side}"}
    if not (zones <= allowed or zones == {"f", f"d{1 - side}"}):
        raise IllegalMove(
            "{line} lies beyond where {seat} may build", "S15", line=line_name(state, line), seat=state.seats[side]
        )
    first, last = state.board.elevation, state.board.rows - state.board.elevation
    if any(not first < row < last for row, _ in wall_ends(state.board, line)):
        raise IllegalMove("{line} touches an elevation zone", "S15", line=line_name(state, line))


def s15_contact(state: SacrificeState, square: int, line: Edge) -> bool:
    """S15, S24: whether a wall is in contact with a builder: along its square, or at a corner of it."""
    if state.options["wall_contact"] == "side":
        return square in line
    return bool(corners_of(state.board, square) & set(wall_ends(state.board, line)))


def s15_touching(state: SacrificeState, line: Edge) -> None:
    """S15: two walls may touch, never three. Raises IllegalMove where three would."""
    touched = _touched(state, line)
    if len(touched) > 1 or any(_touched(state, other) for other in touched):
        raise IllegalMove("{line} would make three walls touch", "S15", line=line_name(state, line))


def _touched(state: SacrificeState, line: Edge) -> list[Edge]:
    ends = set(wall_ends(state.board, line))
    return [other for other in state.walls if other != line and ends & set(wall_ends(state.board, other))]


def builders(state: SacrificeState, side: int) -> list[str]:
    """The builders of a side that may build; one in the elevation zone is frozen."""
    found = state.pieces.items()
    return [n for n, p in found if p.side == side and p.kind == "builder" and p.square >= 0 and not p.elevated]


def s15_build(state: SacrificeState, side: int, line: Edge) -> SacrificeState:
    """S15: a wall is built for good."""
    s15_check(state, side, line)
    left = tuple(n - (s == side) for s, n in enumerate(state.walls_left))
    points = state.points - (state.options["wall_cost"] == "one_point")
    name, who = line_name(state, line), state.names[side]
    log = logged(state.log, 0, f"{who}: a wall at {name}.", f"{who} : un mur en {name}.", "S15")
    return replace(state, walls=state.walls | {line}, walls_left=(left[0], left[1]), points=points, log=log)


def buildable(state: SacrificeState, side: int) -> list[Edge]:
    """Every wall that a side may build now."""
    found = []
    if not state.walls_left[side]:
        return []
    board = state.board
    for name in builders(state, side):
        row, column = divmod(state.pieces[name].square, board.columns)
        for r in range(max(row - 1, 0), min(row + 2, board.rows)):
            for c in range(max(column - 1, 0), min(column + 2, board.columns)):
                square = r * board.columns + c
                found += [(square, square + 1)] if c + 1 < board.columns else []
                found += [(square, square + board.columns)] if r + 1 < board.rows else []
    return [line for line in dict.fromkeys(found) if _may_build(state, side, line)]


def _may_build(state: SacrificeState, side: int, line: Edge) -> bool:
    try:
        s15_check(state, side, line)
    except IllegalMove:
        return False
    return True
