"""The questions that Paleo asks before it rules a shot, with their answers as buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.base import Text
from companion.games.paleo_state import Choice, PaleoState, Question, could_be, plain_role, role_of
from companion.games.paleo_words import both, listed, pawn_text, team_text

REPLAY = Choice("replay", Text("Put back and play again", "Remettre en place et rejouer"))
IGNORE = Choice("ignore", Text("It was no shot", "Ce n’était pas un coup"))

PLEASE_LOOK = Text(
    "Please look: pawns lie elsewhere than before the camera was away. Was there a shot?",
    "Regardez bien : des pions ne sont plus où ils étaient avant l’absence de la caméra. Y a-t-il eu un coup ?",
)


class Asked(Exception):
    """The ruling needs a player's word first; carries the question."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.text.en)
        self.question = question


def name_of(state: PaleoState, key: str) -> Text:
    """A pawn in words; '?' for a number that is not known."""
    pawn = state.pawns[key]
    known = pawn.sure or not state.sheet.team(pawn.team).numbered
    return pawn_text(pawn.team, pawn.label if known else "?", role_of(state, key))


def certain_name(state: PaleoState, key: str) -> Text:
    """A pawn in words by its number, as an answer names it."""
    pawn = state.pawns[key]
    return pawn_text(pawn.team, pawn.label, plain_role(state, key))


def which_pawn_question(state: PaleoState, key: str, puck_id: str) -> Question:
    """P6: its number is not read, and its role matters."""
    team = state.pawns[key].team
    text = both(
        "Which pawn of {team} was it? Its number could not be read.",
        "Quel pion de {team} était-ce ? Son numéro n’a pas pu être lu.",
        team=team_text(team),
    )
    choices = tuple(Choice(k, certain_name(state, k)) for k in could_be(state, key))
    return Question("which_pawn", puck_id, None, text, choices, seen={"puck": key})


def unknown_puck_question(state: PaleoState, puck_id: str, team: str | None) -> Question:
    """A puck that is none of the pawns known to lie on the board was flicked."""
    text = Text(
        "A puck was flicked that is not known here. Which pawn was it?",
        "Un palet inconnu a été joué. Quel pion était-ce ?",
    )
    keys = [k for k, p in state.pawns.items() if team in (None, p.team)]
    return Question("which_pawn", puck_id, None, text, (*(Choice(k, certain_name(state, k)) for k in keys), IGNORE))


def in_camp_question(state: PaleoState, key: str) -> Question:
    """P14, P33: nobody has seen or said whether a touched pawn was in its base camp, and there it matters."""
    text = both(
        "Was {pawn} in its base camp when it was touched?",
        "{pawn} était-il dans son camp de base quand il a été touché ?",
        pawn=name_of(state, key),
    )
    choices = (Choice("inside", Text("Yes, in its camp", "Oui, dans son camp")), Choice("outside", Text("No", "Non")))
    return Question("in_camp", key, None, text, choices)


def first_touched_question(
    state: PaleoState, mercenary: str, tied: Sequence[str], about: str | None = None
) -> Question:
    """P14: the order of touches cannot be told, nor which pawn is nearest."""
    text = both(
        "Which pawn did {pawn} touch first in the base camp?",
        "Quel pion {pawn} a-t-il touché en premier dans le camp de base ?",
        pawn=name_of(state, mercenary),
    )
    choices = tuple(Choice(k, name_of(state, k)) for k in tied)
    return Question("first_touched", about or mercenary, None, text, choices)


def exchange_question(state: PaleoState, key: str, held: Sequence[str]) -> Question:
    """P18, P34: whether, and for which of the captured pawns, its owner exchanges the pawn that entered."""
    team = state.pawns[key].team
    text = both(
        "{team}: {pawn} entered an opposing Sanctuary. Exchange it for a captured pawn?",
        "{team} : {pawn} est entré dans un Sanctuaire opposé. L’échanger contre un pion capturé ?",
        team=team_text(team),
        pawn=name_of(state, key),
    )
    none = Choice("none", Text("No exchange", "Pas d’échange"))
    swaps = tuple(
        Choice(k, both("Exchange for {pawn}", "Échanger contre {pawn}", pawn=name_of(state, k))) for k in held
    )
    return Question("exchange", key, team, text, (none, *swaps))


def wrong_side_question(state: PaleoState, key: str) -> Question:
    """P11: the sides take turns, and the other one was to play."""
    assert state.turn is not None
    text = both(
        "It is {turn}'s turn, but {pawn} was played.",
        "C’est à {turn} de jouer, mais {pawn} a été joué.",
        turn=team_text(state.turn),
        pawn=name_of(state, key),
    )
    accept = Choice("accept", Text("Let it stand", "Accepter le coup"))
    return Question("wrong_side", "shot", state.turn, text, (accept, REPLAY, IGNORE))


def moved_question(state: PaleoState, keys: Sequence[str]) -> Question:
    """P12, P32: a hand moved more than the pawn that was then played."""
    accept = Choice("accept", Text("Let it stand", "Accepter le coup"))
    return Question("moved", "shot", None, moved_text(state, keys), (accept, REPLAY))


def moved_text(state: PaleoState, keys: Sequence[str]) -> Text:
    """Which pawns a hand moved, in words."""
    if not keys:
        return Text("A pawn was moved by hand.", "Un pion a été déplacé à la main.")
    return both(
        "Moved by hand before the shot: {pawns}. Only the pawn that is played may be freed.",
        "Déplacés à la main avant le coup : {pawns}. Seul le pion joué peut être décollé.",
        pawns=listed([name_of(state, k) for k in keys]),
    )


def captured_played_question(state: PaleoState, key: str) -> Question:
    """P13: a captured pawn is off the board and cannot be played."""
    text = both(
        "{pawn} is captured and cannot be played.",
        "{pawn} est capturé et ne peut pas être joué.",
        pawn=name_of(state, key),
    )
    return Question("captured_played", "shot", None, text, (REPLAY, IGNORE))


def pushed_question(state: PaleoState, key: str) -> Question:
    """P11, P32: a pawn is flicked, not pushed; what follows a push is for the table to say."""
    text = both(
        "{pawn} seems to have been pushed, not flicked.",
        "{pawn} semble avoir été poussé et non joué d’une pichenette.",
        pawn=name_of(state, key),
    )
    accept = Choice("accept", Text("Let it stand", "Accepter le coup"))
    return Question("pushed", "shot", state.pawns[key].team, text, (accept, REPLAY))


def review_question(
    seen: Mapping[str, Any],
    reasons: tuple[str, ...],
    why: tuple[Text, ...],
    account: Text | None = None,
    *,
    blind: bool = False,
    away: bool = False,
) -> Question:
    """The camera is not certain of what it saw: players say whether it is right, or what happened.

    account: what it saw, in words; blind: it saw nothing of the shot itself, so that there is nothing to agree to;
    away: pucks lie elsewhere, and nobody knows whether there was a shot.
    """
    text = (
        PLEASE_LOOK
        if away
        else Text(
            "The camera is not certain of this shot. What happened?",
            "La caméra n’est pas certaine de ce coup. Que s’est-il passé ?",
        )
    )
    as_seen = Choice("as_seen", Text("As the camera saw it", "Comme la caméra l’a vu"))
    choices = (REPLAY, IGNORE) if blind else (as_seen, REPLAY, IGNORE)
    return Question("review", "shot", None, text, choices, seen=seen, reasons=reasons, why=why, account=account)
