"""Sacrifice's minerals handed over in passing (S5, S19): what a carrier can fetch from a friend, or leave with one.

Nobody stops on a friend's square, so that this is a movement of its own; with an empty square a carrier can stop there,
which costs nothing, and go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.games.sacrifice_board import elevation_of, steps_from, wall_between
from companion.games.sacrifice_moves import KILL
from companion.games.sacrifice_state import CARRIERS, DEAD, MOST_MINERALS, Piece, SacrificeState


class Handover(NamedTuple):
    """A path on which a mineral is taken from one friend, left with one, or both. take, drop: squares; None where the
    mineral comes from where the carrier began, or goes to where it ends."""

    path: tuple[int, ...]
    mineral: str | None
    take: int | None
    drop: int | None


NOTHING_YET = Handover((), None, None, None)


def handovers(state: SacrificeState, name: str) -> list[Handover]:
    """S5, S14, S17, S19: every handover that a carrier can make now with friends, to every square where it may end, on
    one shortest path."""
    piece = state.pieces[name]
    if piece.kind not in CARRIERS or piece.square == DEAD or piece.elevated or state.points <= 0:
        return []
    begun = [NOTHING_YET, *(Handover((), m, None, None) for m in _own_minerals(state, piece, piece.square)[:1])]
    found: list[Handover] = []
    layer, seen = begun, {(piece.square, *way[1:]) for way in begun}
    while layer:
        following = []
        for way in layer:
            for longer in _further(state, piece, way):
                mark = (longer.path[-1], *longer[1:])
                if mark in seen:
                    continue
                seen.add(mark)
                found += [longer] if _may_end(state, piece, longer) else []
                following += [longer] if _goes_on(state, piece, longer) else []
        layer = following
    return found


def _own_minerals(state: SacrificeState, piece: Piece, square: int) -> list[str]:
    return [m for m in state.minerals_on(square) if state.minerals[m].side == piece.side]


def _further(state: SacrificeState, piece: Piece, way: Handover) -> Iterator[Handover]:
    """One step more, with whatever can be taken from or left with a friend there."""
    if len(way.path) == state.points:
        return
    here, own = way.path[-1] if way.path else piece.square, elevation_of(state.board, piece.side)
    for square in steps_from(state.board, state.options["steps"] == "diagonal_too")[here]:
        if square in own or wall_between(state.board, state.walls, here, square):
            continue
        longer = way._replace(path=(*way.path, square))
        yield longer
        there = state.at(square)
        if there is None or state.pieces[there] is piece or state.pieces[there].side != piece.side:
            continue
        if way.mineral is None:
            yield from (longer._replace(mineral=m, take=square) for m in _own_minerals(state, piece, square)[:1])
        elif way.drop is None and way.take != square and len(state.minerals_on(square)) < MOST_MINERALS:
            yield longer._replace(drop=square)


def _goes_on(state: SacrificeState, piece: Piece, way: Handover) -> bool:
    """S5, S9: a path goes on through empty squares and friends."""
    there = state.at(way.path[-1])
    enemy = there is not None and state.pieces[there].side != piece.side
    return not enemy and way.path[-1] not in elevation_of(state.board, 1 - piece.side)


def _may_end(state: SacrificeState, piece: Piece, way: Handover) -> bool:
    """S5, S6, S9, S19: whether a path on which something was handed over may end where it has come to."""
    last, carries = way.path[-1], way.drop is None
    if way.take is None and carries:
        return False
    there, lying = state.at(last), len(state.minerals_on(last))
    if last in elevation_of(state.board, 1 - piece.side):
        return there is None and not lying
    if lying + carries > MOST_MINERALS:
        return False
    if there is None or state.pieces[there] is piece:
        return True
    return state.pieces[there].side != piece.side and len(way.path) + KILL <= state.points
