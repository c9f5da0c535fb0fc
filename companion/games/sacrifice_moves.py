"""Sacrifice's movement (S4-S6, S9, S10, S17-S20): what a path costs, or which rule forbids it, and where all can go."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from random import Random

from companion.games.base import IllegalMove
from companion.games.sacrifice_board import (
    elevation_of,
    hyper_of,
    hyper_squares_near,
    steps_from,
    wall_between,
)
from companion.games.sacrifice_state import Piece, SacrificeState

KILL = 1  # S6: points for killing on the square
RUN = 2  # S17: squares a point when a cheetah runs

Places = dict[int, str]  # characters by square


def path_cost(state: SacrificeState, name: str, path: tuple[int, ...], run: bool) -> int:
    """S4-S6, S10, S17, S18: the points that a character's path costs, the kill at its end included. Raises IllegalMove.

    path: the squares after the starting one, in order; for a god the one square that it goes to.
    """
    piece = state.pieces[name]
    places = state.places()
    s9_zones(state, piece, path, places)
    if run and piece.kind != "cheetah":
        raise IllegalMove("{name} is no cheetah and cannot run", "S17", name=name)
    if piece.race == "god":
        return s10_god(state, name, path, places)
    if piece.kind == "falcon":
        return s18_falcon(state, piece, path, places)
    cost = s17_run(state, name, path) if run else s17_walk(state, name, path)
    _steps(state, piece, path, places)
    return cost + _landing(state, piece, path[-1], places)


def s9_zones(state: SacrificeState, piece: Piece, path: tuple[int, ...], places: Places) -> None:
    """S9: nobody enters the own elevation zone; the enemy's ends the path, on a square that nothing stands on.

    Raises IllegalMove where the path does otherwise; a god enters neither.
    """
    own, enemy = elevation_of(state.board, piece.side), elevation_of(state.board, 1 - piece.side)
    for n, square in enumerate(path, 1):
        if square in own:
            raise IllegalMove("{square} lies in the own elevation zone", "S9", square=state.board.name(square))
        if square in enemy and n < len(path):
            raise IllegalMove(
                "{square} is in the elevation zone: the movement ends there", "S9", square=state.board.name(square)
            )
    last = path[-1]
    if last in enemy:
        if piece.race == "god":
            raise IllegalMove("gods do not enter the elevation zone", "S9")
        if last in places or state.minerals_on(last):
            raise IllegalMove("{square} in the elevation zone is taken", "S9", square=state.board.name(last))


def _steps(state: SacrificeState, piece: Piece, path: tuple[int, ...], places: Places) -> None:
    """S5, S15: step by step to neighbours, through friends, not through enemies or walls."""
    near = steps_from(state.board, state.options["steps"] == "diagonal_too")
    here = piece.square
    for n, square in enumerate(path):
        if square not in near[here]:
            raise IllegalMove(
                "{square} is no neighbour of {here}", "S5", square=state.board.name(square), here=state.board.name(here)
            )
        if wall_between(state.board, state.walls, here, square):
            raise IllegalMove(
                "a wall stands between {here} and {square}",
                "S15",
                here=state.board.name(here),
                square=state.board.name(square),
            )
        there = places.get(square)
        if there is not None and state.pieces[there].side != piece.side and n + 1 < len(path):
            raise IllegalMove("{there} bars the way; enemies do not pass over each other", "S5", there=there)
        here = square


def _landing(state: SacrificeState, piece: Piece, square: int, places: Places) -> int:
    """S5, S6: the cost of ending on a square: a kill where an enemy stands; never on a friend."""
    there = places.get(square)
    if there is None or state.pieces[there] is piece:
        return 0
    if state.pieces[there].side == piece.side:
        raise IllegalMove(
            "{there} stands on {square}; two friends never share a square",
            "S5",
            there=there,
            square=state.board.name(square),
        )
    return KILL


def s10_god(state: SacrificeState, name: str, path: tuple[int, ...], places: Places) -> int:
    """S10: one move a turn for one point, to any square of an adjacent hyper-square that can be reached.

    Raises IllegalMove where the god has moved, or cannot reach the square.
    """
    if len(path) != 1:
        raise IllegalMove("a god's path is the one square that it goes to", "S10")
    if name in state.gods_moved:
        raise IllegalMove("{name} has moved this turn; a god moves once", "S10", name=name)
    piece = state.pieces[name]
    if path[0] not in god_reach(state, piece, places):
        raise IllegalMove(
            "{square} is no square that {name} can reach", "S10", square=state.board.name(path[0]), name=name
        )
    return 1 + _landing(state, piece, path[0], places)


def god_reach(state: SacrificeState, piece: Piece, places: Places) -> set[int]:
    """S10: squares of adjacent hyper-squares to which steps lead that no wall and no enemy blocks; friends do not.

    The figures are missing (S24): the way must lie within the god's own and that one adjacent hyper-square.
    """
    home = hyper_of(state.board)[piece.square]
    found: set[int] = set()
    for area, other, corner in hyper_squares_near(
        state.board, home, state.options["hyper_neighbours"] == "corners_too"
    ):
        found |= _flood(state, piece, area, places, corner) & other
    return found


def _flood(state: SacrificeState, piece: Piece, area: frozenset[int], places: Places, corner: bool) -> set[int]:
    near = steps_from(state.board, corner or state.options["steps"] == "diagonal_too")
    seen, edge, walls = {piece.square}, [piece.square], state.walls
    while edge:
        here = edge.pop()
        for square in near[here]:
            if square not in area or square in seen:
                continue
            if not walls or not wall_between(state.board, walls, here, square):
                seen.add(square)
                there = places.get(square)
                if there is None or state.pieces[there].side == piece.side:
                    edge.append(square)
    return seen


def s17_walk(state: SacrificeState, name: str, path: tuple[int, ...]) -> int:
    """S4, S17: one point a square; a cheetah that has run this turn does not walk.

    Raises IllegalMove where it would.
    """
    if state.paces.get(name, "walk") != "walk":
        raise IllegalMove("{name} has run this turn, and does nothing but run", "S17", name=name)
    return len(path)


def s17_run(state: SacrificeState, name: str, path: tuple[int, ...]) -> int:
    """S17: a cheetah runs two squares a point, straight, an even number, in one axis for the whole turn.

    Raises IllegalMove where the path does otherwise.
    """
    piece, columns = state.pieces[name], state.board.columns
    way = path[0] - piece.square
    if any(b - a != way for a, b in pairwise(path)) or abs(way) not in (1, columns):
        raise IllegalMove("a run is straight", "S17")
    if len(path) % RUN:
        raise IllegalMove("a run has an even number of squares; this one has {count}", "S17", count=len(path))
    axis = s17_axis(state, path, piece)
    if state.paces.get(name, axis) != axis:
        raise IllegalMove("{name} has moved otherwise this turn; running excludes that", "S17", name=name)
    return len(path) // RUN


def s17_axis(state: SacrificeState, path: tuple[int, ...], piece: Piece) -> str:
    """S17: the axis of a run."""
    return "column" if abs(path[0] - piece.square) == state.board.columns else "row"


def s18_falcon(state: SacrificeState, piece: Piece, path: tuple[int, ...], places: Places) -> int:
    """S18, S26: over walls and characters; climbing onto one costs a point, coming down does not; it ends on an empty
    square, and kills only where it came without flying over somebody just before. Raises IllegalMove where the path
    does otherwise, or leaves out a square."""
    near = steps_from(state.board, state.options["steps"] == "diagonal_too")
    cost, here, on_top, climbed = 0, piece.square, False, False
    for square in path:
        if square not in near[here]:
            raise IllegalMove(
                "{square} is no neighbour of {here}", "S5", square=state.board.name(square), here=state.board.name(here)
            )
        cost += falcon_step(state, on_top, square in places and square != piece.square, climbed)
        climbed = climbed or (square in places and square != piece.square)
        came_from_top, on_top, here = on_top, square in places and square != piece.square, square
    if not on_top:
        if state.minerals_on(here) and state.options["falcon_on_mineral"] == "may_not_land":
            raise IllegalMove("{here} holds a mineral and is not empty", "S26", here=state.board.name(here))
        return cost
    if came_from_top:
        raise IllegalMove("the flight ends on an empty square; nobody is killed in the middle of a chain", "S18")
    return cost + _landing(state, piece, here, places)


def falcon_step(state: SacrificeState, on_top: bool, onto: bool, climbed: bool) -> int:
    """S18: what one of a falcon's steps costs: nothing down from a character; in a chain as the table has agreed."""
    if not on_top:
        return 1
    return 1 if onto and not (climbed and state.options["falcon_chain"] == "first_piece") else 0


# -- where all can go --------------------------------------------------------------------------------------


def reachable(state: SacrificeState, name: str) -> Iterable[tuple[tuple[int, ...], bool, int]]:
    """Every square that a character can reach now, with one cheapest path: (path, run, cost with the kill)."""
    piece, points = state.pieces[name], state.points
    if points <= 0 or piece.square < 0 or piece.elevated:
        return []
    places = state.places()
    if piece.race == "god":
        return _god_moves(state, name, places)
    if piece.kind == "falcon":
        return _falcon_moves(state, piece, places)
    found: list[tuple[tuple[int, ...], bool, int]] = []
    if state.paces.get(name, "walk") == "walk":
        found += _walks(state, piece, places)
    if piece.kind == "cheetah" and state.paces.get(name) != "walk":
        found += _runs(state, name)
    return found


def stroll(state: SacrificeState, name: str, rng: Random) -> tuple[int, ...]:
    """S5, S6, S9: a random walk that a character may make now, found without listing all; empty where it came to
    nothing."""
    piece, places = state.pieces[name], state.places()
    if state.points <= 0 or piece.square < 0 or state.paces.get(name, "walk") != "walk":
        return ()
    near = steps_from(state.board, state.options["steps"] == "diagonal_too")
    own, enemy = elevation_of(state.board, piece.side), elevation_of(state.board, 1 - piece.side)
    path: list[int] = []
    here = piece.square
    for cost in range(1, 1 + int(rng.random() * state.points + 1)):
        square = near[here][int(rng.random() * len(near[here]))]
        there = places.get(square)
        if square in own or square == piece.square or wall_between(state.board, state.walls, here, square):
            break
        if square in enemy:
            path += [square] if _ends(state, square, places) else []
            break
        if there is not None and state.pieces[there].side != piece.side:
            path += [square] if cost + KILL <= state.points else []
            break
        path.append(square)
        here = square
    while path and path[-1] in places and state.pieces[places[path[-1]]].side == piece.side:
        path.pop()
    return tuple(path)


def _ends(state: SacrificeState, square: int, places: Places) -> bool:
    """Whether a path may end in the elevation zone's square."""
    return square not in places and not state.minerals_on(square)


def _god_moves(state: SacrificeState, name: str, places: Places) -> list[tuple[tuple[int, ...], bool, int]]:
    if name in state.gods_moved:
        return []
    piece = state.pieces[name]
    found: list[tuple[tuple[int, ...], bool, int]] = []
    barred = elevation_of(state.board, 0) | elevation_of(state.board, 1)
    for square in sorted(god_reach(state, piece, places) - barred):
        there = places.get(square)
        cost = 1 if there is None else 1 + KILL
        if cost <= state.points and (there is None or state.pieces[there].side != piece.side):
            found.append(((square,), False, cost))
    return found


def _walks(state: SacrificeState, piece: Piece, places: Places) -> list[tuple[tuple[int, ...], bool, int]]:
    near = steps_from(state.board, state.options["steps"] == "diagonal_too")
    own, enemy = elevation_of(state.board, piece.side), elevation_of(state.board, 1 - piece.side)
    found: list[tuple[tuple[int, ...], bool, int]] = []
    layer: list[tuple[int, tuple[int, ...]]] = [(piece.square, ())]
    seen = {piece.square}
    for cost in range(1, state.points + 1):
        following: list[tuple[int, tuple[int, ...]]] = []
        for here, path in layer:
            for square in near[here]:
                if square in seen or square in own or wall_between(state.board, state.walls, here, square):
                    continue
                seen.add(square)
                there, longer = places.get(square), (*path, square)
                if square in enemy:
                    if _ends(state, square, places):
                        found.append((longer, False, cost))
                elif there is None:
                    found.append((longer, False, cost))
                    following.append((square, longer))
                elif state.pieces[there].side == piece.side:
                    following.append((square, longer))
                elif cost + KILL <= state.points:
                    found.append((longer, False, cost + KILL))
        layer = following
    return found


def _runs(state: SacrificeState, name: str) -> list[tuple[tuple[int, ...], bool, int]]:
    piece, found = state.pieces[name], []
    for way in (1, -1, state.board.columns, -state.board.columns):
        for count in range(RUN, RUN * state.points + 1, RUN):
            path = tuple(piece.square + way * n for n in range(1, count + 1))
            if not 0 <= path[-1] < state.board.squares:
                break
            try:
                cost = path_cost(state, name, path, run=True)
            except IllegalMove:
                continue
            if cost <= state.points:
                found.append((path, True, cost))
    return found


def _falcon_moves(state: SacrificeState, piece: Piece, places: Places) -> list[tuple[tuple[int, ...], bool, int]]:
    """Dijkstra over (square, on top of somebody): climbing costs, coming down does not."""
    near = steps_from(state.board, state.options["steps"] == "diagonal_too")
    own, enemy = elevation_of(state.board, piece.side), elevation_of(state.board, 1 - piece.side)
    may_land = state.options["falcon_on_mineral"] == "may_land"
    others = {square: name for square, name in places.items() if square != piece.square}
    best: dict[tuple[int, bool], int] = {(piece.square, False): 0}
    layers: list[list[tuple[int, tuple[int, ...], bool, bool]]] = [[] for _ in range(state.points + 1)]
    layers[0].append((piece.square, (), False, False))
    found: dict[int, tuple[tuple[int, ...], bool, int]] = {}
    for cost, layer in enumerate(layers):
        while layer:
            here, path, on_top, climbed = layer.pop()
            along, over = (cost + falcon_step(state, on_top, onto, climbed) for onto in (False, True))
            for square in near[here]:
                onto = square in others
                spent = over if onto else along
                if square in own or spent > state.points:
                    continue
                longer = (*path, square)
                if square in enemy:
                    if _cheaper(found, square, spent) and _ends(state, square, places):
                        found[square] = (longer, False, spent)
                    continue
                hostile = onto and not on_top and state.pieces[others[square]].side != piece.side
                if hostile and spent + KILL <= state.points and _cheaper(found, square, spent + KILL):
                    found[square] = (longer, False, spent + KILL)
                reached = (square, climbed or onto)
                if best.get(reached, spent + 1) <= spent:
                    continue
                best[reached] = spent
                landing = not onto and square != piece.square and _cheaper(found, square, spent)
                if landing and (may_land or not state.minerals_on(square)):
                    found[square] = (longer, False, spent)
                layers[spent].append((square, longer, onto, climbed or onto))
    return list(found.values())


def _cheaper(found: dict[int, tuple[tuple[int, ...], bool, int]], square: int, cost: int) -> bool:
    """Whether a way to a square costs less than the one that is known: coming down is free, so later ones may."""
    return square not in found or cost < found[square][2]
