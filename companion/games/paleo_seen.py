"""What the camera saw of a shot, in one sentence: what players are asked to agree to."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.base import Text
from companion.games.paleo_moments import PawnShot
from companion.games.paleo_questions import name_of
from companion.games.paleo_state import PaleoState
from companion.games.paleo_words import SHOT_WORDS, sanctuary_text

ENTERED = Text("{puck} entered the {place}", "{puck} est entré dans le {place}")  # P17, in the words of its ruling


def seen_in_words(state: PaleoState, shot: PawnShot, *, pushed: bool = False) -> Text:
    """A shot as the camera saw it: who was flicked, whom it touched itself, Sanctuaries, the rim and the gate.

    state: with the pawns known as they lay before the shot; pushed: whether it looked like a push (P32).
    """

    def part(what: Text, **names: Text) -> Text:
        return Text(what.en.format_map(_words(names, 0)), what.fr.format_map(_words(names, 1)))

    def name(key: str) -> Text:
        return name_of(state, key)

    told = [part(SHOT_WORDS["pushed" if pushed else "flicked"], puck=name(shot.flicked))]
    touched = _joined([name(t.key) for t in shot.direct], SHOT_WORDS["then"])
    told.append(part(SHOT_WORDS["touched"], pucks=touched) if shot.direct else SHOT_WORDS["nobody"])
    told += [part(ENTERED, puck=name(e.key), place=sanctuary_text(e.door)) for e in shot.entries]
    told += [part(SHOT_WORDS["exit"], puck=name(e.key)) for e in shot.exits]
    told += [part(SHOT_WORDS["on_gate"], puck=name(k)) for k in shot.on_gate]
    told += [part(SHOT_WORDS["passed"], puck=name(k)) for k in shot.passed]
    account = _joined(told, Text("; ", " ; "))
    return Text(f"The camera saw: {account.en}.", f"La caméra a vu : {account.fr}.")


def _words(names: Mapping[str, Text], language: int) -> dict[str, str]:
    return {name: text[language] for name, text in names.items()}


def _joined(parts: list[Text], between: Text) -> Text:
    return Text(between.en.join(p.en for p in parts), between.fr.join(p.fr for p in parts))
