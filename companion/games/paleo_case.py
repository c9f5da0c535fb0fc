"""A shot that is being ruled: what the rules look at, what happened in it, and how the log is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games.base import Text
from companion.games.fast import replace
from companion.games.paleo_moments import PawnShot
from companion.games.paleo_questions import Asked, which_pawn_question
from companion.games.paleo_state import LogLine, PaleoState, changed, role_in, role_of
from companion.games.paleo_words import pawn_text
from companion.games.setup import LOG_LINES


class Happening(NamedTuple):
    """One thing in a shot that a rule speaks of: capture, entry or door, at its time."""

    t: float
    order: int
    what: str
    key: str
    door: str = ""
    rules: tuple[str, ...] = ()
    because: Text | None = None


class Case(NamedTuple):
    """A shot to be ruled: the state before it, the shot in pawns, the answers given so far, its journal entry."""

    state: PaleoState
    shot: PawnShot
    answers: Mapping[str, Any]
    entry: int

    @property
    def side(self) -> str:
        return self.state.pawns[self.shot.flicked].team

    def name(self, key: str) -> Text:
        pawn = self.state.pawns[key]
        known = pawn.sure or key in self.shot.told or not self.state.sheet.team(pawn.team).numbered
        return pawn_text(pawn.team, pawn.label if known else "?", role_in(self.state, self.shot, key))

    def role(self, key: str) -> str:
        """The pawn's role. Raises Asked, with the question, where it is not known (P6)."""
        role = role_in(self.state, self.shot, key)
        if role is not None:
            return role
        raise Asked(which_pawn_question(self.state, key, self.shot.ids.get(key, key)))


def capture_pawn(case: Case, state: PaleoState, key: str, by: str | None = None) -> PaleoState:
    """The pawn is captured and is to be lifted off the board (P13, P16). by: who holds it, where that is told."""
    pawns = {**state.pawns, key: replace(state.pawns[key], captured=True, captor=by or p16_captor(case, key))}
    waiting = tuple([k for k in state.to_place if k != key])
    return changed(state, pawns=pawns, to_place=waiting, to_remove=(*state.to_remove, key), immune=state.immune - {key})


def p16_captor(case: Case, key: str) -> str:
    """P13, P16: who holds a captured pawn: the side that played; of its own pawns the opponent, or a neighbour."""
    sheet, team = case.state.sheet, case.state.pawns[key].team
    if team != case.side:
        return case.side
    if case.state.options.own_pawn_expelled == "next_side":
        return sheet.other(team)
    return sheet.names[sheet.names.index(team) - 1]


def send_to_camp(state: PaleoState, key: str) -> PaleoState:
    """The pawn is to be put on a circle of its base camp, and cannot be captured for now (P18, P21)."""
    to_place = (*(k for k in state.to_place if k != key), key)
    return changed(state, to_place=to_place, immune=state.immune | {key})


def say(state: PaleoState, entry: int, text: Text, *rules: str) -> PaleoState:
    """The state with one more sentence in its log."""
    return changed(state, log=(*state.log[1 - LOG_LINES :], LogLine(entry, text, tuple(dict.fromkeys(rules)))))


def log_lines(state: PaleoState, entry: int, lines: list[tuple[Text, tuple[str, ...]]]) -> PaleoState:
    """The state with several sentences more."""
    for text, rules in lines:
        state = say(state, entry, text, *rules)
    return state


def shown_role(state: PaleoState, key: str) -> str | None:
    """The role that a screen shows; None while unknown or where there are none."""
    role = role_of(state, key)
    return None if role == "both" else role
