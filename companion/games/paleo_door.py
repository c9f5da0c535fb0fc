"""The city's door, points and the match's end (P22-P24, P35), one function a rule."""

from __future__ import annotations

import math

from companion.games.paleo_captures import p20_saved
from companion.games.paleo_case import Case, Happening, say
from companion.games.paleo_moments import Place
from companion.games.paleo_state import PaleoState, RoundResult, changed, distance, may_take_keys
from companion.games.paleo_words import both, listed, points_text, team_text

POINTS_FOR_DOOR = 2  # P23
POINTS_FOR_CAPTURES = 1  # P23
KEYS_AT_TWO = 2  # P22
EDGE_MM = 0.25  # nearer than this to the door's edge a pawn's place does not tell whether all of it is inside


def has_both_keys(state: PaleoState, team: str) -> bool:
    """P22: whether a side holds the keys of both opposing Sanctuaries; with more camps as `keys_needed` has it."""
    opposing = state.sheet.opposing_doors(team)
    held = {d for d in opposing if state.keys.get(d) == team}
    if len(state.sheet.teams) == 2 or state.options.keys_needed == "all":
        return bool(opposing) and len(held) == len(opposing)
    if state.options.keys_needed == "any_two":
        return len(held) >= min(KEYS_AT_TWO, len(opposing)) > 0
    sides = [set(_doors_of(state, name)) for name in state.sheet.names if name != team]
    return any(mine and mine <= held for mine in sides)


def _doors_of(state: PaleoState, team: str) -> list[str]:
    return [d.name for d in state.sheet.doors if d.team == team]


def on_gate_before(case: Case, key: str) -> bool:
    """P22: whether a pawn lay entirely within the round door before the shot: by its place, or where that does not tell
    as was seen, or players said, when it came to lie there."""
    place = case.shot.before.get(key, case.state.places.get(key))
    depth_mm = _inside_mm(case.state, place) if place is not None else 0.0
    if abs(depth_mm) < EDGE_MM:
        return key in case.state.resting
    return depth_mm > 0


def _inside_mm(state: PaleoState, place: Place) -> float:
    """P22: how far inside the round door's edge all of a pawn lies at a place (negative: it sticks out)."""
    if state.sheet.gate is None:
        return -math.inf
    x, y, r = state.sheet.gate
    return r - state.sheet.puck_mm / 2 - distance((x, y), place)


def p22_explorer_already_on_the_door(case: Case, state: PaleoState, team: str, t: float) -> PaleoState:
    """P22: an Explorer that lies on the door when its side takes the last key opens it."""
    if not has_both_keys(state, team):
        return state
    shot = case.shot
    for key in state.on_board(team):
        lying = on_gate_before(case, key) and shot.stirred.get(key, shot.t_end) > t
        if lying and key not in p20_saved(case) and may_take_keys(case.role(key)):
            return p23_door_opened(case, state, Happening(t, 3, "door", key))
    return state


def p22_door_at_rest(case: Case) -> list[Happening]:
    """P22, P35: Explorers that lie entirely on the round door when the shot is over (or passed it, if so chosen)."""
    shot, options = case.shot, case.state.options
    keys = (*shot.on_gate, *shot.passed) if options.door_opens == "passing" else shot.on_gate
    if not keys:
        return []
    saved, pawns, side = p20_saved(case), case.state.pawns, case.side
    mine = [k for k in dict.fromkeys(keys) if k not in saved and not pawns[k].captured]
    mine.sort(key=lambda k: pawns[k].team != side)
    return [Happening(shot.t_end, 3, "door", key) for key in mine]


def p23_door_opened(case: Case, state: PaleoState, door: Happening) -> PaleoState:
    """P23: both keys and an Explorer on the door win the round: 2 points. Mercenaries cannot open (P22)."""
    pawn = state.pawns[door.key]
    if pawn.captured or not has_both_keys(state, pawn.team) or not may_take_keys(case.role(door.key)):
        return state
    pushed = pawn.team != case.side and not on_gate_before(case, door.key)
    if pushed and state.options.door_pushed_by_enemy == "does_not_open":
        return state
    text = both(
        "{pawn} opens the door of Paleo: {team} wins the round, 2 points.",
        "{pawn} ouvre la porte de Paleo : {team} gagne la manche, 2 points.",
        pawn=case.name(door.key),
        team=team_text(pawn.team),
    )
    return win_round(say(state, case.entry, text, "P22", "P23"), case.entry, pawn.team, POINTS_FOR_DOOR, "door")


def p23_last_pawn_captured(
    case: Case, state: PaleoState, capture: Happening, happenings: list[Happening]
) -> PaleoState:
    """P23: all opposing pawns captured win the round: 1 point. P16: an expelled one counts, unless chosen otherwise.

    With more than two camps the last side with pawns wins it (P39); who has none left is passed over until then.
    Where the round went on after an expelled last pawn and nobody has any left, the last capture decides it.
    """
    loser = state.pawns[capture.key].team
    if state.in_play(loser):
        return state
    by_rim = capture.rules == ("P16",)
    left = [name for name in state.sheet.names if state.in_play(name)]
    if left and by_rim and state.options.expelled_last_pawn == "goes_on":
        return state
    if len(left) > 1:
        return _is_out(case, state, loser)
    winner = left[0] if left else state.captor_of(capture.key)
    if state.options.last_pawn_and_door == "door":
        later = [h for h in happenings if h.what == "door" and state.pawns[h.key].team == winner]
        for door in later:
            opened = p23_door_opened(case, state, door)
            if opened.phase != "playing":
                return opened
    losers = listed([team_text(name) for name in state.sheet.names if name != winner])
    text = both(
        "All pawns of {loser} are captured: {winner} wins the round, 1 point.",
        "Tous les pions de {loser} sont capturés : {winner} gagne la manche, 1 point.",
        loser=losers,
        winner=team_text(winner),
    )
    rules = ("P16", "P23") if by_rim else ("P23",)
    return win_round(say(state, case.entry, text, *rules), case.entry, winner, POINTS_FOR_CAPTURES, "captures")


def _is_out(case: Case, state: PaleoState, loser: str) -> PaleoState:
    """P23, P39: a side of three or four without pawns waits for the round's end."""
    text = both(
        "All pawns of {loser} are captured: it is out of this round.",
        "Tous les pions de {loser} sont capturés : ce camp ne joue plus cette manche.",
        loser=team_text(loser),
    )
    return say(state, case.entry, text, "P23", "P39")


def win_round(state: PaleoState, entry: int, winner: str, points: int, how: str) -> PaleoState:
    """P23: the round's points; P24: whoever has 4 wins the match."""
    total = {**state.points, winner: state.points.get(winner, 0) + points}
    result = RoundResult(state.round, winner, points, how)
    state = changed(
        state,
        phase="round_over",
        points=total,
        results=(*state.results, result),
        turn=None,
        immune=frozenset(),
        to_place=(),
        to_remove=(),
        nudged=frozenset(),
    )
    if total[winner] < state.options.points_to_win:
        return state
    text = both(
        "{team} has {points} and wins the match.",
        "{team} a {points} et gagne la partie.",
        team=team_text(winner),
        points=points_text(total[winner]),
    )
    return say(changed(state, phase="match_over", winner=winner), entry, text, "P24")
