"""A shot ruled as a whole: what happened in the order of time (P36), then immunity and turn (P11, P21)."""

from __future__ import annotations

from operator import attrgetter

from companion.games.paleo_captures import p13_captures, p16_expelled, untaken_lines
from companion.games.paleo_case import Case, Happening, capture_pawn, log_lines, say, send_to_camp
from companion.games.paleo_door import p22_door_at_rest, p23_door_opened, p23_last_pawn_captured
from companion.games.paleo_moments import Place
from companion.games.paleo_sanctuaries import enter_sanctuary, p17_entries
from companion.games.paleo_state import PaleoState, changed
from companion.games.paleo_words import both


def rule_shot(case: Case) -> PaleoState:
    """The state after the shot: captures, Sanctuaries, keys, the city's door, points and whose turn it is.

    Raises Asked where a player's word is needed first.
    """
    happenings = [*p13_captures(case), *p16_expelled(case), *p17_entries(case), *p22_door_at_rest(case)]
    happenings.sort(key=attrgetter("t", "order"))
    state = changed(case.state, immune=frozenset()) if case.state.immune else case.state
    state = log_lines(state, case.entry, untaken_lines(case))
    quiet = state
    for happening in happenings:
        if state.phase != "playing":
            break
        state = _apply(case, state, happening, happenings)
    if state is quiet:
        state = say(
            state,
            case.entry,
            both(
                "{pawn} was played; nothing was captured.",
                "{pawn} a été joué ; rien n’est capturé.",
                pawn=case.name(case.shot.flicked),
            ),
            "P11",
        )
    state = p21_immunity_ends(case, state)
    return changed(
        state,
        places=_places_after(case),
        shots=state.shots + 1,
        nudged=frozenset(),
        resting=_resting(case, state),
        played={**state.played, case.side: state.played.get(case.side, 0) + 1},
        turn=p11_next_turn(case, state),
    )


def _apply(case: Case, state: PaleoState, happening: Happening, all_of_them: list[Happening]) -> PaleoState:
    if happening.what == "capture" and state.pawns[happening.key].captured:
        return state
    if happening.what == "capture":
        state = capture_pawn(case, state, happening.key)
        assert happening.because is not None
        state = say(state, case.entry, happening.because, *happening.rules)
        return p23_last_pawn_captured(case, state, happening, all_of_them)
    if happening.what == "returns":
        state = send_to_camp(state, happening.key)
        assert happening.because is not None
        return say(state, case.entry, happening.because, *happening.rules)
    if happening.what == "entry":
        return enter_sanctuary(case, state, happening)
    return p23_door_opened(case, state, happening)


def p21_immunity_ends(case: Case, state: PaleoState) -> PaleoState:
    """P21: when a pawn put back in camp may be captured again, an option; `state` names those put back in this shot."""
    if not state.immune and not case.state.immune:
        return state
    if state.phase != "playing" or state.options.immunity == "same_shot":
        return changed(state, immune=frozenset())
    fresh = state.immune
    if state.options.immunity == "own_next_turn":
        long = case.state.immune if len(state.sheet.teams) > 2 else frozenset()  # several opponents play before it
        kept = {k for k in long if state.pawns[k].team != case.side and not state.pawns[k].captured}
        return changed(state, immune=frozenset(k for k in fresh if state.pawns[k].team == case.side) | kept)
    waiting = frozenset(
        k for k in case.state.immune if state.pawns[k].team == case.side and not state.pawns[k].captured
    )
    return changed(state, immune=fresh | waiting)


def p11_next_turn(case: Case, state: PaleoState) -> str | None:
    """P11: the sides take turns, and so do partners at one camp (P39); a side without pawns is passed over."""
    if state.phase != "playing":
        return state.turn
    following = state.sheet.other(case.side)
    while following != case.side and not state.in_play(following):
        following = state.sheet.other(following)
    return following


def _resting(case: Case, state: PaleoState) -> frozenset[str]:
    """P22: the pawns that lie on the door by what was seen or said: those named, and those that nothing has moved
    since."""
    there = frozenset(case.shot.on_gate)
    if case.state.resting:
        shot = case.shot
        there |= case.state.resting.difference(shot.stirred, [e.key for e in shot.entries], [e.key for e in shot.exits])
    return frozenset([k for k in there if not state.pawns[k].captured and k not in state.to_place])


def _places_after(case: Case) -> dict[str, Place]:
    places = {**case.state.places, **case.shot.after}
    for leaving in case.shot.exits:
        places.pop(leaving.key, None)
    return places
