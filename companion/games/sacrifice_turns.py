"""Sacrifice's actions (S3-S6, S9, S12, S13, S15, S19, S20): a move with what it carries, and the end of a turn."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.base import Action, IllegalMove, MalformedAction, counted
from companion.games.fast import replace
from companion.games.sacrifice_board import elevation_of, names_of, steps_from
from companion.games.sacrifice_kills import s7_killed, s13_asked, s13_cancelled
from companion.games.sacrifice_moves import path_cost, reachable, s17_axis
from companion.games.sacrifice_state import (
    CARRIERS,
    MOST_MINERALS,
    Mineral,
    Piece,
    SacrificeState,
    moved_to,
    s3_points,
)
from companion.games.setup import known_fields, logged, word, words


def s4_move(state: SacrificeState, action: Action, side: int, *, asked: bool = False) -> SacrificeState:
    """S4-S6, S9, S17-S20: one character's movement along a path, with a kill where an enemy stands at its end.

    Fields: piece, path (squares after the first); run (cheetah); mineral, take, drop, put (what it carries, from which
    square of its way to which, and where it is laid down in the elevation zone). Raises IllegalMove where the path is
    not open to the character, or costs more than is left.
    """
    known_fields(action, "piece", "path", "run", "mineral", "take", "drop", "put")
    name, path, run = _read(state, action, side)
    cost = path_cost(state, name, path, run)
    if cost > state.points:
        forms = ("point", "points"), ("point", "points")
        costs, left = counted(cost, *forms), counted(state.points, *forms)
        raise IllegalMove("this costs {costs}; what is left is {left}", "S4", costs=costs, left=left)
    moved = _moved(state, action, name, path, run, cost)
    victim = state.at(path[-1])
    if victim == name and moved.minerals == state.minerals:
        raise IllegalMove("a movement ends on another square than it began, unless it moves a mineral", "S4")
    if victim in (None, name):
        return moved
    attack = {k: list(v) if isinstance(v, tuple) else v for k, v in action.data.items()}
    question = None if asked else s13_asked(state, name, victim, attack)
    return question if question is not None else s7_killed(moved, name, victim)


def _read(state: SacrificeState, action: Action, side: int) -> tuple[str, tuple[int, ...], bool]:
    name = word(action, "piece", state.pieces)
    piece = state.pieces[name]
    if piece.side != side:
        raise IllegalMove("{name} belongs to {seat}", "S4", name=name, seat=state.seats[piece.side])
    if piece.square < 0:
        raise IllegalMove("{name} lies in the graveyard", "S7", name=name)
    if piece.elevated:
        raise IllegalMove("{name} is frozen in the elevation zone", "S9", name=name)
    names = names_of(state.board)
    told = words(action, "path")
    if not told or len(told) > state.board.squares or not all(t in names for t in told):
        raise MalformedAction("move: path: found {told}, expected squares such as c5", "S24", told=list(told)[:9])
    run = action.data.get("run", False)
    if not isinstance(run, bool):
        raise MalformedAction("move: run: found {run!r}, expected true or false", "S17", run=run)
    return name, tuple(names[t] for t in told), run


def _moved(
    state: SacrificeState, action: Action, name: str, path: tuple[int, ...], run: bool, cost: int
) -> SacrificeState:
    piece, last = state.pieces[name], path[-1]
    up = last in elevation_of(state.board, 1 - piece.side)
    minerals = s19_carried(state, action, piece, path, up)
    who = state.names[piece.side]
    where = state.board.name(last)
    log = logged(state.log, action.id, f"{who}: {name} to {where}.", f"{who} : {name} en {where}.", "S4")
    return replace(
        moved_to(state, name, last, elevated=up),
        minerals=minerals,
        points=state.points - cost,
        moved=True,
        gods_moved=state.gods_moved | {name} if piece.race == "god" else state.gods_moved,
        paces={**state.paces, name: s17_axis(state, path, piece) if run else "walk"}
        if piece.kind == "cheetah"
        else state.paces,
        offers=frozenset(),
        log=log,
    )


def s19_carried(
    state: SacrificeState, action: Action, piece: Piece, path: tuple[int, ...], up: bool
) -> Mapping[str, Mineral]:
    """S14, S17, S19, S20: where the minerals lie after a movement; carrying is free.

    Raises IllegalMove where the character cannot carry the mineral so, MalformedAction where none is named.
    """
    told = action.data.get("mineral")
    if told is None:
        if any(action.data.get(f) is not None for f in ("take", "drop", "put")):
            raise MalformedAction("move: take, drop and put need a mineral", "S19")
        s19_room(state, state.minerals, path[-1])
        return state.minerals
    name = word(action, "mineral", state.minerals)
    mineral = state.minerals[name]
    if piece.kind not in CARRIERS:
        raise IllegalMove("a {kind} carries no mineral", "S14", kind=piece.kind)
    if mineral.side != piece.side or mineral.elevated:
        raise IllegalMove("{name} is no mineral that {seat} can carry", "S19", name=name, seat=state.seats[piece.side])
    way = (piece.square, *path)
    begin = _on_way(state, action, "take", way, way[0])
    if mineral.square != begin:
        raise IllegalMove("{name} does not lie on {square}", "S19", name=name, square=state.board.name(begin))
    end = _on_way(state, action, "drop", way, way[-1])
    if way.index(begin) >= len(way) - 1 - tuple(reversed(way)).index(end):
        raise IllegalMove("a mineral is taken before it is laid down", "S19")
    if up and end == way[-1]:
        return {**state.minerals, name: Mineral(piece.side, _put(state, action, piece, end), elevated=True)}
    if action.data.get("put") is not None:
        raise IllegalMove("only a carrier that enters the elevation zone lays its mineral beside it", "S20")
    minerals = {**state.minerals, name: Mineral(piece.side, end)}
    s19_room(state, minerals, end)
    return minerals


def _on_way(state: SacrificeState, action: Action, name: str, way: tuple[int, ...], default: int) -> int:
    told = action.data.get(name)
    if told is None:
        return default
    square = names_of(state.board).get(str(told), -1)
    if square not in way:
        raise IllegalMove("{name}: {told!r} is not on the way", "S19", name=name, told=told)
    return square


def s19_room(state: SacrificeState, minerals: Mapping[str, Mineral], square: int) -> None:
    """S19: at most two minerals with a character on one square. Raises IllegalMove where there would be more."""
    if sum(1 for m in minerals.values() if m.square == square) > MOST_MINERALS:
        raise IllegalMove("{square} would hold more than two minerals", "S19", square=state.board.name(square))


def s20_places(state: SacrificeState, piece: Piece, square: int) -> list[int]:
    """S20: free squares of the elevation zone directly beside the one that a carrier enters by."""
    zone = elevation_of(state.board, 1 - piece.side)
    taken = {p.square for p in state.pieces.values()} | {m.square for m in state.minerals.values()}
    return [n for n in steps_from(state.board, False)[square] if n in zone and n not in taken]


def _put(state: SacrificeState, action: Action, piece: Piece, square: int) -> int:
    free = s20_places(state, piece, square)
    if not free:
        raise IllegalMove("no square beside it is free: the mineral must be left before entering", "S20")
    told = action.data.get("put")
    where = free[0] if told is None and len(free) == 1 else names_of(state.board).get(str(told), -1)
    if where not in free:
        expected = ", ".join(state.board.name(n) for n in free)
        raise IllegalMove("put: found {told!r}, expected one of {expected}", "S20", told=told, expected=expected)
    return where


def s13_immortal(state: SacrificeState, action: Action, side: int) -> SacrificeState:
    """S13: the attacked side's word on its immortal: lose it, or cancel the fight.

    Raises IllegalMove where none is attacked, or it is another side's.
    """
    known_fields(action, "choice")
    pending = state.pending
    if pending is None or pending.kind != "immortal":
        raise IllegalMove("no immortal is attacked", "S13")
    if side != pending.side:
        raise IllegalMove("{seat} decides about its immortal", "S13", seat=state.seats[pending.side])
    if word(action, "choice", ("accept", "cancel")) == "cancel":
        return s13_cancelled(state)
    attack = Action("move", pending.attack, action.id)
    return s4_move(replace(state, pending=None), attack, 1 - side, asked=True)


def s4_end(state: SacrificeState, action: Action, side: int) -> SacrificeState:
    """S3, S4: the turn ends, after at least one move where one was possible. Raises IllegalMove where none was made."""
    known_fields(action)
    if not state.moved and can_move(state, side):
        raise IllegalMove("at least one move must be made in a turn", "S4")
    turns = state.turns + 1
    offers = state.offers & {side}
    return replace(
        state, turn=1 - state.turn, turns=turns, points=s3_points(turns), moved=False, gods_moved=frozenset(), paces={},
        offers=offers,
    )  # fmt: skip


def can_move(state: SacrificeState, side: int) -> bool:
    """S4: whether a side has any movement left."""
    mine = (n for n, p in state.pieces.items() if p.side == side and p.square >= 0 and not p.elevated)
    return any(True for name in mine for _ in reachable(state, name))


def s21_draw(state: SacrificeState, action: Action, side: int) -> SacrificeState:
    """S21: a side offers a draw, or takes the other's offer; an offer lapses with the next move.

    Raises IllegalMove where its own offer stands.
    """
    known_fields(action)
    if side in state.offers:
        raise IllegalMove("{seat} offers a draw already", "S21", seat=state.seats[side])
    offers = state.offers | {side}
    return replace(state, offers=offers, result="draw_agreed" if len(offers) == 2 else "")
