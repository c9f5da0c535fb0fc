"""Sacrifice for two (S1-S27): movement points, forced sacrifices, walls and the three races to bring up."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

from companion.games.base import Action, Game, IllegalMove, Text, legal_by
from companion.games.sacrifice_board import DEFAULT_BOARD, elevation_of
from companion.games.sacrifice_end import s21_after, s21_outcome, s22_same_forces
from companion.games.sacrifice_handovers import handovers
from companion.games.sacrifice_kills import s8_choose, s12_revivable, s12_revive
from companion.games.sacrifice_moves import reachable, stroll
from companion.games.sacrifice_options import OPTIONS
from companion.games.sacrifice_state import CARRIERS, MOST_MINERALS, SacrificeState, s1_start
from companion.games.sacrifice_turns import can_move, s4_end, s4_move, s13_immortal, s20_places, s21_draw
from companion.games.sacrifice_view import view
from companion.games.sacrifice_walls import buildable, line_name, read_line, s15_build
from companion.games.setup import citing, known_fields, numbered, over, seat_of, unknown_action, word
from companion.games.wire import dump, load

ACTIONS = ("move", "wall", "revive", "immortal", "choose", "end", "draw")
TRIES = 8  # random pieces that are tried before all moves are listed

# the rule that a malformed action of each kind is about
CITED = {"move": "S4", "wall": "S15", "revive": "S12", "immortal": "S13", "choose": "S7", "end": "S4", "draw": "S21"}


def apply(state: SacrificeState, action: Action) -> SacrificeState:
    """S4, S23: the state after an action. Raises IllegalMove; nothing changes then."""
    try:
        return numbered(_apply(state, action), action.id)
    except IllegalMove as error:
        raise citing(CITED, "S23", action, error) from None


def _apply(state: SacrificeState, action: Action) -> SacrificeState:
    if action.type not in ACTIONS:
        raise unknown_action(action, ACTIONS)
    side = seat_of(state.seats, action, "S1")
    if state.result:
        raise over("S21")
    after = _applied(state, action, side)
    if action.type in ("end", "wall", "draw") or s22_same_forces(state, after):
        return after
    return s21_after(after, state.turn)  # only the side in turn can have brought somebody up


def _applied(state: SacrificeState, action: Action, side: int) -> SacrificeState:
    if action.type == "immortal":
        return s13_immortal(state, action, side)
    if action.type == "choose":
        known_fields(action, "piece")
        return s8_choose(state, side, word(action, "piece", state.pieces))
    if state.pending is not None:
        who = state.seats[state.pending.side]
        raise IllegalMove("{who} must choose first", "S13" if state.pending.kind == "immortal" else "S7", who=who)
    if action.type == "draw":
        return s21_draw(state, action, side)
    if side != state.turn:
        raise IllegalMove(
            "it is the turn of {turn}, not of {seat}", "S4", turn=state.seats[state.turn], seat=state.seats[side]
        )
    if action.type == "wall":
        known_fields(action, "edge")
        return s15_build(state, side, read_line(state, word(action, "edge")))
    if action.type == "revive":
        known_fields(action, "piece")
        return s12_revive(state, side, word(action, "piece", state.pieces))
    return s4_move(state, action, side) if action.type == "move" else s4_end(state, action, side)


legal = legal_by(apply)


def waiting(state: SacrificeState) -> tuple[str, ...]:
    """S4, S7, S13: who is to act now: who has to choose, else the side in turn."""
    if state.result:
        return ()
    return (state.seats[state.pending.side if state.pending is not None else state.turn],)


def moves(state: SacrificeState, seat: str) -> list[Action]:
    """The legal actions of a seat; of several ways to a square one that costs least."""
    if seat not in waiting(state):
        return []
    side = state.seats.index(seat)
    if state.pending is not None:
        return _answers(state, seat)
    found = [a for n in state.alive(side) for a in piece_moves(state, seat, n)]
    walls = buildable(state, side)
    found += [Action("wall", {"seat": seat, "edge": line_name(state, line)}) for line in walls]
    found += [Action("revive", {"seat": seat, "piece": n}) for n in s12_revivable(state, side)]
    if state.moved or not can_move(state, side):
        found.append(Action("end", {"seat": seat}))
    return found if side in state.offers else [*found, Action("draw", {"seat": seat})]


def _answers(state: SacrificeState, seat: str) -> list[Action]:
    pending = state.pending
    assert pending is not None
    if pending.kind == "immortal":
        return [Action("immortal", {"seat": seat, "choice": c}) for c in pending.choices]
    return [Action("choose", {"seat": seat, "piece": c}) for c in pending.choices]


def piece_moves(state: SacrificeState, seat: str, name: str) -> list[Action]:
    """S4-S20: the legal movements of one character, each also with a mineral that lies on its square; and those on
    which one is handed over."""
    found = []
    for path, run, _ in reachable(state, name):
        if len(state.minerals_on(path[-1])) <= MOST_MINERALS:
            found += _with_carrying(state, seat, name, path, run)
    return found + _handing_over(state, seat, name)


def _handing_over(state: SacrificeState, seat: str, name: str) -> list[Action]:
    piece, square = state.pieces[name], state.board.name
    found = []
    for path, mineral, take, drop in handovers(state, name):
        body: dict[str, Any] = {"seat": seat, "piece": name, "path": [square(n) for n in path], "mineral": mineral}
        body |= {field: square(n) for field, n in (("take", take), ("drop", drop)) if n is not None}
        up = drop is None and path[-1] in elevation_of(state.board, 1 - piece.side)
        puts = [{"put": square(n)} for n in s20_places(state, piece, path[-1])] if up else [{}]
        found += [Action("move", {**body, **put}) for put in puts]
    return found


def _with_carrying(state: SacrificeState, seat: str, name: str, path: tuple[int, ...], run: bool) -> list[Action]:
    body: dict[str, Any] = {"seat": seat, "piece": name, "path": [state.board.name(n) for n in path]}
    if run:
        body["run"] = True
    return [Action("move", body), *_carrying(state, body, name, path)]


def _carrying(state: SacrificeState, body: dict[str, Any], name: str, path: tuple[int, ...]) -> list[Action]:
    piece = state.pieces[name]
    if piece.kind not in CARRIERS:
        return []
    mine = [m for m in state.minerals_on(piece.square) if state.minerals[m].side == piece.side]
    if not mine:
        return []
    if path[-1] in elevation_of(state.board, 1 - piece.side):
        puts = s20_places(state, piece, path[-1])
        return [Action("move", {**body, "mineral": m, "put": state.board.name(n)}) for m in mine[:1] for n in puts]
    room = len(state.minerals_on(path[-1])) < MOST_MINERALS
    return [Action("move", {**body, "mineral": m}) for m in mine[:1] if room]


def pick(state: SacrificeState, rng: Random) -> Action | None:
    """A random legal action of whoever is to act, forward more often than not; None after the end."""
    who = waiting(state)
    if not who:
        return None
    seat, side = who[0], state.seats.index(who[0])
    if state.pending is not None:
        return rng.choice(_answers(state, seat))
    chance = rng.random()
    if chance < RARE:
        found = moves(state, seat)
        return rng.choice([a for a in found if a.type != "draw" or chance < RARE / 20] or found)
    if state.moved and (not state.points or chance < 0.1):
        return Action("end", {"seat": seat})
    mine = [n for n in state.alive(side) if not state.pieces[n].elevated]
    for _ in range(TRIES):
        found = _drawn(state, seat, rng.choice(mine), chance > 0.6, rng) if mine else []
        if found:
            return rng.choice(found)
    return rng.choice(moves(state, seat))


def _drawn(state: SacrificeState, seat: str, name: str, forward: bool, rng: Random) -> list[Action]:
    piece = state.pieces[name]
    if not forward and piece.race != "god" and piece.kind != "falcon" and rng.random() < STROLLS:
        path = stroll(state, name, rng)
        if not path or len(state.minerals_on(path[-1])) > MOST_MINERALS:
            return []
        found = _with_carrying(state, seat, name, path, False)
        return found[1:] or found
    ways = list(reachable(state, name))
    if not ways:
        return []
    if forward:
        up = 1 if state.pieces[name].side else -1
        path, run, _ = max(ways, key=lambda way: up * (way[0][-1] // state.board.columns))
    else:
        path, run, _ = rng.choice(ways)
    if len(state.minerals_on(path[-1])) > MOST_MINERALS:
        return []
    found = _with_carrying(state, seat, name, path, run)
    return found[1:] or found


STROLLS = 0.8  # how many of the aimless movements are drawn step by step, which is quick
RARE = 0.01  # how often a random action is drawn from the whole list


GAME: Game[SacrificeState] = Game(
    name="sacrifice",
    title=Text("Sacrifice", "Sacrifice"),
    start=s1_start,
    legal=legal,
    apply=apply,
    outcome=s21_outcome,
    view=view,
    players=(2, 2),
    options=OPTIONS,
    moves=moves,
    pick=pick,
    waiting=waiting,
    to_json=dump,
    from_json=lambda data: load(SacrificeState, data),
    editable=lambda: {"board": deepcopy(DEFAULT_BOARD)},
    deeds=ACTIONS,
)
