"""Fouls (P11, P12, P32): a push, another side's pawn, two pawns moved by hand; what follows is the table's option."""

from __future__ import annotations

from companion.games.base import Text
from companion.games.paleo_case import say
from companion.games.paleo_moments import PawnShot
from companion.games.paleo_questions import (
    Asked,
    moved_question,
    moved_text,
    name_of,
    pushed_question,
    wrong_side_question,
)
from companion.games.paleo_state import PaleoState, WaitingShot
from companion.games.paleo_words import both

NUDGE_MM = 5.0  # a hand that slides a pawn by less has brushed it, or the camera wavered


class Replayed(Exception):
    """The table's options say that a shot with this foul does not count; carries the sentence and its rules."""

    def __init__(self, text: Text, *rules: str) -> None:
        super().__init__(text.en)
        self.text, self.rules = text, rules


def p32_wrong_pawn(state: PaleoState, waiting: WaitingShot, shot: PawnShot) -> PaleoState:
    """P11, P28, P32: a pawn of a side that is not in turn was played: asked, let stand, or put back.

    Raises Asked where players have to say, Replayed where the shot is put back.
    """
    if state.pawns[shot.flicked].team == state.turn or "wrong_side:shot" in waiting.answers:
        return state
    question = wrong_side_question(state, shot.flicked)
    if state.options.wrong_pawn == "ask":
        raise Asked(question)
    if state.options.wrong_pawn == "replay":
        raise Replayed(question.text, "P11", "P28", "P32")
    return say(state, waiting.entry, question.text, "P11", "P28", "P32")


def p32_pushed(state: PaleoState, waiting: WaitingShot, shot: PawnShot) -> PaleoState:
    """P11, P32: pushing is forbidden and has no penalty; the table is told, asked, or plays again, as it chose.

    Raises Asked or Replayed then.
    """
    if not waiting.account.pushed and "pushed" not in shot.fouls:
        return state
    if state.options.pushed_shot == "ask" and "pushed:shot" not in waiting.answers:
        raise Asked(pushed_question(state, shot.flicked))
    text = both(
        "{pawn} seems to have been pushed, not flicked.",
        "{pawn} semble avoir été poussé et non joué d’une pichenette.",
        pawn=name_of(state, shot.flicked),
    )
    if state.options.pushed_shot == "replay":
        raise Replayed(text, "P11", "P32")
    return say(state, waiting.entry, text, "P11", "P32")


def p32_moved_by_hand(state: PaleoState, waiting: WaitingShot, shot: PawnShot) -> PaleoState:
    """P12, P32: only the pawn that is then played may be freed by hand; two moved ones are told, or asked about.

    Raises Asked where the table wants to be asked.
    """
    if not state.nudged and "moved" not in shot.fouls:
        return state
    others = tuple(sorted(k for k in state.nudged if k != shot.flicked and not state.pawns[k].captured))
    two = bool(others) and len(state.nudged) > 1
    if (not two and "moved" not in shot.fouls) or state.options.moved_by_hand == "ignored":
        return state
    if state.options.moved_by_hand == "ask" and "moved:shot" not in waiting.answers:
        raise Asked(moved_question(state, others))
    return say(state, waiting.entry, moved_text(state, others), "P12", "P32")
