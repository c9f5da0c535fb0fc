"""Rounds of Paleo: how they begin, from the circles or in their middle (P7, P10, P28-P31)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.fusion import puck_from_json
from companion.games.base import Action, AmbiguousAction, IllegalMove, MalformedAction, all_of, counted, one_of
from companion.games.fast import replace
from companion.games.paleo_case import log_lines, say
from companion.games.paleo_hands import on_a_circle
from companion.games.paleo_identity import recognise, settle
from companion.games.paleo_questions import name_of
from companion.games.paleo_reefs import p30_kept_or_moved
from companion.games.paleo_state import PaleoState, changed
from companion.games.paleo_words import both, listed, team_text

BETWEEN_ROUNDS = ("placing", "round_over")


def check_start(state: PaleoState, action: Action) -> None:
    """P7: a round begins after the last one is over; P29: who begins it is told or follows from the option.

    Raises IllegalMove where a round goes on, AmbiguousAction where somebody has to say who begins.
    """
    if state.phase not in BETWEEN_ROUNDS:
        raise IllegalMove("a round cannot begin while the match is in phase {phase}", "P7", phase=state.phase)
    begins = action.data.get("begins")
    if begins is None and not state.results:
        raise AmbiguousAction("who begins? expected begins to be {expected}", "P29", expected=one_of(state.sheet.names))
    _check_team(state, begins, "begins", optional=True)


def _check_team(state: PaleoState, value: object, field: str, optional: bool = False) -> None:
    if not (optional and value is None) and value not in state.sheet.names:
        raise MalformedAction(
            "{field}: found {value!r}, expected {expected}",
            "P29",
            field=field,
            value=value,
            expected=one_of(state.sheet.names),
        )


def p29_begins(state: PaleoState) -> str:
    """P29, house choice: who begins the next round."""
    last, how = state.results[-1], state.options.next_begins
    before = state.begins or last.winner
    by_name = {
        "alternate": state.sheet.other(before),
        "same": before,
        "winner": last.winner,
        "loser": state.sheet.other(last.winner),
    }
    return by_name[how]


def _fresh_round(state: PaleoState) -> PaleoState:
    """P31: a round begins with all pawns and keys back; what is known of pucks by their numbers stays known."""
    sure = {k: replace(p, captured=False, captor="") for k, p in state.pawns.items()}
    keys = state.keys if state.options.new_round == "keys_kept" else {}
    return changed(
        state,
        pawns=sure,
        keys=keys,
        places={},
        to_place=(),
        to_remove=(),
        lifted={},
        ruled=(),
        immune=frozenset(),
        waiting=(),
        question=None,
        phase="playing",
        round=len(state.results) + 1,
        nudged=frozenset(),
        resting=frozenset(),
    )


def start_round(state: PaleoState, action: Action) -> PaleoState:
    """P7, P10: the round begins with 8 pawns a side as they lie on the board."""
    begins = action.data.get("begins") or p29_begins(state)
    state = changed(_fresh_round(state), turn=begins, begins=begins)
    seen = [] if state.by_taps else [puck_from_json(p) for p in action.data.get("pucks", [])]
    state = recognise(state, seen)
    text = both(
        f"Round {state.round} begins; {{team}} plays first.",
        f"La manche {state.round} commence ; {{team}} joue en premier.",
        team=team_text(begins),
    )
    state = say(state, action.id, text, "P7", "P11")
    for team in state.sheet.names if seen else ():
        count, full = sum(p.team == team for p in seen), len(state.sheet.team(team).labels)
        if count != full:
            text = both(
                f"{{team}} has {{pawns}} on the board instead of {full}.",
                f"{{team}} a {{pawns}} sur le plateau au lieu de {full}.",
                team=team_text(team),
                pawns=counted(count, ("pawn", "pawns"), ("pion", "pions")),
            )
            state = say(state, action.id, text, "P10")
    state = p10_on_circles(state, action.id)
    state = p30_kept_or_moved(state, action.id)
    return log_lines(changed(state, laid=state.reefs), action.id, [(n.text, n.rules) for n in state.reef_notices])


def p10_on_circles(state: PaleoState, entry: int) -> PaleoState:
    """P10: all pawns begin on the circles of their own camp; whichever does not is told, and nobody is kept waiting."""
    for team in state.sheet.names:
        away = [k for k in state.on_board(team) if k in state.places and not on_a_circle(state, k)]
        if away:
            text = both(
                "Not on a circle of their base camp: {pawns}.",
                "Hors des cercles de leur camp de base : {pawns}.",
                pawns=listed([name_of(state, k) for k in away]),
            )
            state = say(state, entry, text, "P10")
    return state


def check_as_it_lies(state: PaleoState, action: Action) -> None:
    """P28: a round taken up in its middle: whose turn, which keys, which pawns are captured.

    Raises IllegalMove where a round goes on, MalformedAction where a field is not such a list of this board's.
    """
    if state.phase not in BETWEEN_ROUNDS:
        raise IllegalMove(
            "the board cannot be taken as it lies while the match is in phase {phase}", "P7", phase=state.phase
        )
    _check_team(state, action.data.get("turn"), "turn")
    for name in ("keys", "captured"):
        told = action.data.get(name) or {}
        if not isinstance(told, Mapping):
            raise MalformedAction("{name}: found {told!r}, expected lists by team", "P28", name=name, told=told)
        for team, values in told.items():
            _check_team(state, team, name)
            if not isinstance(values, list | tuple):
                raise MalformedAction(
                    "{name}: found {values!r} for {team}, expected a list", "P28", name=name, values=values, team=team
                )
    for team, doors in (action.data.get("keys") or {}).items():
        for door in doors:
            if door not in state.sheet.opposing_doors(team):
                raise MalformedAction(
                    "keys: found {door!r} for {team}, expected {expected}",
                    "P18",
                    door=door,
                    team=team,
                    expected=one_of(state.sheet.opposing_doors(team)),
                )
    for team, labels in (action.data.get("captured") or {}).items():
        for label in labels:
            if f"{team}-{label}" not in state.pawns:
                raise MalformedAction(
                    "captured: found {label!r} for {team}, expected numbers of its pawns", "P6", label=label, team=team
                )
    _check_goes_on(state, action)


def _check_goes_on(state: PaleoState, action: Action) -> None:
    """P23: a round in which all pawns of the side to play, or of all sides but one, are captured is over; who is
    captured is what the camera sees, where it sees the board."""
    if action.data.get("pucks") and not state.by_taps:
        return
    told = action.data.get("captured") or {}
    gone = [t for t in state.sheet.names if {str(n) for n in told.get(t, ())} >= set(state.sheet.team(t).labels)]
    if action.data["turn"] in gone or len(gone) > len(state.sheet.names) - 2:
        raise IllegalMove(
            "all pawns of {all} are captured; such a round is over, or another side plays",
            "P23",
            all=all_of(gone),
        )


def as_it_lies(state: PaleoState, action: Action) -> PaleoState:
    """P28: captured + on the board = 8 a side: whoever is neither seen nor told captured is captured."""
    turn = action.data["turn"]
    state = changed(_fresh_round(state), turn=turn, begins=turn, laid=state.reefs)
    keys = {d: t for t, doors in (action.data.get("keys") or {}).items() for d in doors}
    told = {f"{t}-{n}" for t, numbers in (action.data.get("captured") or {}).items() for n in numbers}
    pawns = {k: replace(p, captured=k in told, sure=p.sure or k in told) for k, p in state.pawns.items()}
    seen = [] if state.by_taps else [puck_from_json(p) for p in action.data.get("pucks", [])]
    state = recognise(changed(state, keys=keys, pawns=pawns), seen)
    if seen:
        missing = {k for k in state.pawns if k not in state.places}
        state = changed(state, pawns={k: replace(p, captured=k in missing) for k, p in state.pawns.items()})
    for team in state.sheet.names:
        state = settle(state, team)
    text = both(
        "The board is taken as it lies; {team} plays.",
        "Le plateau est repris tel quel ; {team} joue.",
        team=team_text(turn),
    )
    return say(state, action.id, text, "P28")
