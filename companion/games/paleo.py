"""Paleo for two to four (P1-P28): the match as a value, from its set-up to four points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any

from companion.away import AWAY
from companion.fusion import UNKNOWN, ShotAccount, account_from_json
from companion.games.base import Action, Game, IllegalMove, MalformedAction, Outcome, Text, all_of, legal_by
from companion.games.fast import replace
from companion.games.paleo_case import Case, say
from companion.games.paleo_fouls import Replayed, p32_moved_by_hand, p32_pushed, p32_wrong_pawn
from companion.games.paleo_hands import apply_hand, left_lying, still_lifted
from companion.games.paleo_identity import forget_ids, pin, recognise
from companion.games.paleo_meanwhile import as_hands_were_to_do, taken_as_it_lies
from companion.games.paleo_moments import PawnShot
from companion.games.paleo_moves import moves, pick, waiting
from companion.games.paleo_options import options_from_json
from companion.games.paleo_placing import check_reefs_by_hand, reefs_by_hand
from companion.games.paleo_questions import (
    Asked,
    captured_played_question,
    review_question,
    unknown_puck_question,
)
from companion.games.paleo_reasons import reasons_in_words
from companion.games.paleo_reefs import see_reefs
from companion.games.paleo_rounds import as_it_lies, check_as_it_lies, check_start, start_round
from companion.games.paleo_rulings import rule_shot
from companion.games.paleo_seats import read_members
from companion.games.paleo_seen import seen_in_words
from companion.games.paleo_sheet import sheet_from_json
from companion.games.paleo_shot import PARTS, facts_from_json, facts_seen, pin_told, shot_as_told, shot_in_pawns
from companion.games.paleo_state import CORRECTABLE, PaleoState, Since, WaitingShot, changed, fresh_pawns
from companion.games.paleo_view import view
from companion.games.paleo_words import both, points_text, team_text
from companion.games.setup import citing
from companion.games.wire import dump, load

NOTHING_SEEN = ShotAccount(0, 0.0, 0.0, UNKNOWN, (), (), (), (), (), (), ())  # of a shot told by hand
FIELDS: dict[str, tuple[str, ...]] = {
    "start_round": ("begins", "pucks"),
    "round_started": ("begins", "pucks"),
    "as_it_lies": ("turn", "keys", "captured", "pucks"),
    "reefs_by_hand": ("reefs",),
    "answer": ("question", "choice"),
    "shot_by_hand": PARTS,
    "correction": ("of", "facts"),
    "pause": (),
    "resume": (),
}


def start(setup: Mapping[str, Any]) -> PaleoState:
    """P1: a new match. setup: sheet (JSON), players {team: name, or partners' names}, options, match, reefs.

    Raises MalformedAction.
    """
    sheet = sheet_from_json(setup.get("sheet") or {})
    members = read_members(setup.get("players") or {}, sheet.names)
    options = options_from_json(setup.get("options") or {})
    state = PaleoState(
        sheet,
        options,
        {team: " & ".join(names) for team, names in members.items()},
        fresh_pawns(sheet, sure=options.kept_by == "taps"),
        match=int(setup.get("match", 1)),
        points=dict.fromkeys(sheet.names, 0),
        members=members,
    )
    return see_reefs(state, setup.get("reefs") or ())


SEEN = ("shot", "hand", "reefs", "camera")  # physical facts, which may always be
# the rule that a malformed action of each kind is about; P28 where it is another
CITED = {"start_round": "P7", "round_started": "P7", "shot_by_hand": "P11", "correction": "P11"}


def check(state: PaleoState, action: Action) -> None:
    """P28: raises IllegalMove where the action may not be done now; physical facts always may."""
    try:
        _check(state, action)
    except IllegalMove as error:
        raise citing(CITED, "P28", action, error) from None


legal = legal_by(check)


def _check(state: PaleoState, action: Action) -> None:
    if action.type in SEEN:
        return
    if action.type not in _CHECKS:
        known = ", ".join((*_CHECKS, *SEEN))
        raise MalformedAction("unknown action {type!r}; expected one of {known}", type=action.type, known=known)
    _check_fields(state, action)
    _CHECKS[action.type](state, action)


def _check_fields(state: PaleoState, action: Action) -> None:
    """P28: players' actions have no field that means nothing, and where a seat is told it is one that may act now."""
    for name in action.data:
        if name not in FIELDS[action.type] and name not in ("seat", "by", "game"):
            expected = ", ".join(FIELDS[action.type]) or Text("none", "aucun")
            raise MalformedAction(
                "{type}: unknown field {name!r}, expected {expected}",
                "P28",
                type=action.type,
                name=name,
                expected=expected,
            )
    if "seat" not in action.data:
        return
    seat = action.data["seat"]
    if seat not in state.sheet.names:
        raise MalformedAction(
            "seat: found {seat!r}, expected one of {expected}", "P28", seat=seat, expected=", ".join(state.sheet.names)
        )
    if action.type in ("shot_by_hand", "answer") and state.phase == "playing" and seat not in waiting(state):
        raise IllegalMove("{seat} is not to act now; {all} is", "P11", seat=seat, all=all_of(waiting(state)))


def apply(state: PaleoState, action: Action) -> PaleoState:
    """The state after the action. Raises IllegalMove where legal() says so."""
    if action.type == "shot_by_hand" and not state.waiting:
        try:
            _check_fields(state, action)
            _check_may_shoot(state)
            return _shot_by_hand(state, action)  # which reads the facts itself
        except IllegalMove as error:
            raise citing(CITED, "P28", action, error) from None
    check(state, action)
    effect = _EFFECTS.get(action.type)
    return state if effect is None else effect(state, action)


def outcome(state: PaleoState) -> Outcome | None:
    """P24: the winner, once one side has 4 points."""
    if state.winner is None:
        return None
    points = points_text(state.points[state.winner])
    reason = both("{team} has {points}.", "{team} a {points}.", team=team_text(state.winner), points=points)
    return Outcome(state.winner, reason, state.points)


def _check_pause(state: PaleoState, action: Action) -> None:
    if state.paused == (action.type == "pause"):
        raise IllegalMove("the match is paused already" if state.paused else "the match is not paused", "P7")


def _camera(state: PaleoState, action: Action) -> PaleoState:
    """Vision began anew, or lost a shot: ids are given afresh, and players are told."""
    what = action.data.get("what")
    if what == "session_started":
        return forget_ids(_kept_for_later(state, action))
    if what == "shot_lost" and state.phase == "playing":
        text = Text(
            "The camera was lost during a shot: if it counted, enter it by hand.",
            "La caméra a été perdue pendant un coup : s’il compte, saisissez-le à la main.",
        )
        return say(state, action.id, text)
    return state


def _hand(state: PaleoState, action: Action) -> PaleoState:
    """P13, P18: a hand lifts, places or moves a puck. While a shot waits for an answer nobody knows yet what it was to
    do: that is told when the shot is ruled, so that a late answer comes to the same as one at once."""
    return _kept_for_later(state, action) if state.waiting else apply_hand(state, action.id, action.data)


def _kept_for_later(state: PaleoState, action: Action) -> PaleoState:
    """The state in which the last shot that waits for an answer knows what was told after it."""
    if not state.waiting:
        return state
    *others, last = state.waiting
    since = (*last.since, Since(action.id, action.type, action.data))
    return changed(state, waiting=(*others, last._replace(since=since)))


def _took_in(state: PaleoState, since: tuple[Since, ...]) -> PaleoState:
    """The state with what the camera told between a shot that has just been ruled and the one after it."""
    for entry, type, data in since:
        state = forget_ids(state) if type == "camera" else apply_hand(state, entry, data)
    return state


# -- shots ---------------------------------------------------------------------------------------------


def _shot(state: PaleoState, action: Action) -> PaleoState:
    account = account_from_json(action.data)
    if state.phase != "playing" or state.by_taps:
        return state
    if state.paused:
        return recognise(recognise(state, account.before), account.after)
    if AWAY in account.reasons and (done := as_hands_were_to_do(state, action.id, account)) is not None:
        return done
    told = action.data.get("told")  # players have corrected it since
    answers = {} if told is None else {"review:shot": told}
    return _rule_waiting(changed(state, waiting=(*state.waiting, WaitingShot(action.id, account, answers))))


def _check_correction(state: PaleoState, action: Action) -> None:
    """Players may tell any earlier shot otherwise; the fold rules it anew, and all that came after it."""
    facts_from_json(state, action.data.get("facts"))


def _check_shot_by_hand(state: PaleoState, action: Action) -> None:
    _check_may_shoot(state)
    facts_from_json(state, {k: v for k, v in action.data.items() if k in PARTS})


def _check_may_shoot(state: PaleoState) -> None:
    if state.phase != "playing":
        raise IllegalMove("no shot can be entered while the match is in phase {phase}", "P7", phase=state.phase)
    if state.paused:
        raise IllegalMove("the match is paused; resume it first", "P7")


def _shot_by_hand(state: PaleoState, action: Action) -> PaleoState:
    """A shot that players enter in words: it is ruled as if the camera had seen it."""
    told = {k: v for k, v in action.data.items() if k in PARTS}
    waiting = (*state.waiting, WaitingShot(action.id, NOTHING_SEEN, {"review:shot": told}))
    if state.by_taps and not state.waiting:  # hands have done by now what they were to do
        return _rule_waiting(changed(state, waiting=waiting, to_place=(), to_remove=()))
    return _rule_waiting(changed(state, waiting=waiting))


def _check_answer(state: PaleoState, action: Action) -> None:
    """P28: only the pending question may be answered, with one of its choices."""
    question = state.question
    if question is None:
        raise IllegalMove("no question is open", "P28")
    told, open_id = action.data.get("question"), question.id_for(state.waiting[0].entry)
    if told != open_id:
        raise IllegalMove(
            "question {told!r} is not open any more; the open one is {open_id!r}", "P28", told=told, open_id=open_id
        )
    choice = action.data.get("choice")
    if question.kind == "review" and isinstance(choice, Mapping):
        facts_from_json(_seen_before(state, state.waiting[0]), choice)
        return
    values = [c.value for c in question.choices]
    if choice not in values:
        raise MalformedAction(
            "choice: found {choice!r}, expected one of {expected}", "P28", choice=choice, expected=", ".join(values)
        )


def _answer(state: PaleoState, action: Action) -> PaleoState:
    assert state.question is not None
    first, *later = state.waiting
    answers = {**first.answers, state.question.slot: action.data["choice"]}
    ruled = _rule_waiting(changed(state, waiting=(first._replace(answers=answers), *later), question=None))
    return _said_by(ruled, state, action.id)


def _said_by(ruled: PaleoState, before: PaleoState, entry: int) -> PaleoState:
    """The state in whose log what was not there before is said by this entry, whichever shots it is about."""
    last = before.log[-1] if before.log else None
    fresh = list(takewhile(lambda line: line is not last, reversed(ruled.log)))
    if not fresh:
        return ruled
    said = [line._replace(said=entry) for line in reversed(fresh)]
    return changed(ruled, log=(*ruled.log[: -len(fresh)], *said))


def _rule_waiting(state: PaleoState) -> PaleoState:
    """Rules the shots that wait, in order, up to the first that needs a player's word."""
    while state.waiting and state.question is None:
        waiting, *later = state.waiting
        if state.phase == "playing":  # what was played after the round's end is dropped
            try:
                state = _rule(_seen_before(state, waiting), waiting)
            except Asked as asked:
                return changed(state, question=asked.question)
            except Replayed as foul:
                told = say(state, waiting.entry, foul.text, *foul.rules)
                state = _not_counted(told, waiting, "replay")
        state = _took_in(changed(state, waiting=tuple(later)), waiting.since)
    return state


def _seen_before(state: PaleoState, waiting: WaitingShot) -> PaleoState:
    """The state with the pucks known as they lay before the shot, and with the numbers that players have told."""
    state = recognise(state, waiting.account.before)
    for slot, choice in waiting.answers.items():
        kind, _, about = slot.partition(":")
        if kind == "which_pawn" and choice in state.pawns:
            if about in state.seen_as or about not in state.pawns:
                state = pin(state, about, choice)
            elif about in state.pawns:
                state = changed(state, pawns={**state.pawns, choice: replace(state.pawns[choice], sure=True)})
    return state


def _rule(state: PaleoState, waiting: WaitingShot) -> PaleoState:
    """Rules one shot: what happened (P36), whether it counts (P11, P32), and what it means. Raises Asked."""
    answers = waiting.answers
    for choice in answers.values():
        if choice in ("replay", "ignore"):
            return _not_counted(state, waiting, str(choice))
    state, shot = _agreed(state, waiting)
    if state.pawns[shot.flicked].captured:
        raise Asked(captured_played_question(state, shot.flicked))
    state = p32_wrong_pawn(state, waiting, shot)
    lying = left_lying(state)
    if lying is not None:
        state = say(state, waiting.entry, lying, "P13")
    if waiting.account.before:
        state = still_lifted(state, waiting.entry, waiting.account.before)
    state = p32_moved_by_hand(p32_pushed(state, waiting, shot), waiting, shot)
    state = changed(state, ruled=(*state.ruled[1 - CORRECTABLE :], (waiting.entry, shot)))
    return rule_shot(Case(state, shot, answers, waiting.entry))


def _agreed(state: PaleoState, waiting: WaitingShot) -> tuple[PaleoState, PawnShot]:
    """The shot as the camera saw it, or as players told it where the camera was not certain."""
    account, told = waiting.account, waiting.answers.get("review:shot")
    seen = shot_in_pawns(state, waiting)
    if account.needs_review and told is None:
        blind = account.flicked == UNKNOWN
        why = reasons_in_words(state, account.reasons, state.seen_as)
        offered = facts_seen(seen).to_json() if seen else {}
        words = seen_in_words(state, seen, pushed=bool(account.pushed)) if seen else None
        away = AWAY in account.reasons
        raise Asked(review_question(offered, account.reasons, why, words, blind=blind, away=away))
    if isinstance(told, Mapping):
        facts = facts_from_json(state, told)
        state = pin_told(state, waiting, facts)
        seen = shot_in_pawns(state, waiting)  # None from now on where the flicked puck proved to be another pawn
        return state, shot_as_told(state, facts, seen, account.t_start, account.t_end)
    if seen is None:
        team = next((p.team for p in account.before if p.puck == account.flicked), None)
        raise Asked(unknown_puck_question(state, account.flicked, team))
    return state, seen


def _not_counted(state: PaleoState, waiting: WaitingShot, choice: str) -> PaleoState:
    """Players say that the shot does not count: put back and played again, or none at all."""
    if choice == "ignore":
        text = Text("That was no shot; the turn stays.", "Ce n’était pas un coup ; le tour ne change pas.")
        account = waiting.account
        lying = taken_as_it_lies(state, account) if AWAY in account.reasons else recognise(state, account.after)
        return say(lying, waiting.entry, text)
    text = Text(
        "The shot does not count: put the pucks back and play again.",
        "Le coup ne compte pas : remettez les pions en place et rejouez.",
    )
    return say(state, waiting.entry, text, "P11")


def _seen_by_camera(effect: Callable[[PaleoState, Action], PaleoState]) -> Callable[[PaleoState, Action], PaleoState]:
    """What the camera tells besides shots, which a match kept by taps does not heed."""
    return lambda state, action: state if state.by_taps else effect(state, action)


_CHECKS: dict[str, Callable[[PaleoState, Action], None]] = {
    "start_round": check_start,
    "round_started": check_start,
    "as_it_lies": check_as_it_lies,
    "reefs_by_hand": check_reefs_by_hand,
    "answer": _check_answer,
    "shot_by_hand": _check_shot_by_hand,
    "correction": _check_correction,
    "pause": _check_pause,
    "resume": _check_pause,
}
_EFFECTS: dict[str, Callable[[PaleoState, Action], PaleoState]] = {
    "shot": _shot,
    "hand": _seen_by_camera(_hand),
    "reefs": _seen_by_camera(lambda state, action: see_reefs(state, action.data["reefs"], action.id)),
    "camera": _camera,
    "answer": _answer,
    "start_round": start_round,
    "round_started": start_round,
    "as_it_lies": as_it_lies,
    "reefs_by_hand": reefs_by_hand,
    "shot_by_hand": _shot_by_hand,
    "pause": lambda state, action: changed(state, paused=True),
    "resume": lambda state, action: changed(state, paused=False),
}

GAME: Game[PaleoState] = Game(
    name="paleo",
    title=Text("Paleo", "Paleo"),
    start=start,
    legal=legal,
    apply=apply,
    outcome=outcome,
    view=view,
    players=(2, 4),
    moves=moves,
    pick=pick,
    waiting=waiting,
    to_json=dump,
    from_json=lambda data: load(PaleoState, data),
    deeds=tuple(_CHECKS),
)

__all__ = ["GAME", "apply", "check", "legal", "outcome", "start"]
