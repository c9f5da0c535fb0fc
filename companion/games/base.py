"""What a game is: a value and four functions, free of clocks, I/O and chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Json = dict[str, Any]
State = TypeVar("State")


class GameError(ValueError):
    """An action that is not accepted; `rule` is the id of the rule that forbids it, where one does."""

    def __init__(self, message: str, rule: str | None = None) -> None:
        super().__init__(f"{message} (rule {rule})" if rule else message)
        self.rule = rule


class IllegalMove(GameError):
    """Understood, but not allowed now."""


class MalformedAction(IllegalMove):
    """Not understood: a field is missing, unknown or of the wrong kind."""


class AmbiguousAction(IllegalMove):
    """Fits more than one thing; the message says which."""


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in both languages."""

    en: str
    fr: str

    def to_json(self) -> dict[str, str]:
        return {"en": self.en, "fr": self.fr}


@dataclass(frozen=True, slots=True)
class Action:
    """Something that happened or that somebody wants: the journal's entry id (0 while not journalled), type, data."""

    type: str
    data: Mapping[str, Any]
    id: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: who won, and why."""

    winner: str | None
    reason: Text
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Game(Generic[State]):
    """A game as a value.

    start(setup) -> State; legal(state, action) -> None, or the IllegalMove that apply would raise;
    apply(state, action) -> State; outcome(state) -> Outcome or None while the match goes on;
    view(state) -> what a screen shows, as JSON.
    """

    name: str
    title: Text
    start: Callable[[Mapping[str, Any]], State]
    legal: Callable[[State, Action], IllegalMove | None]
    apply: Callable[[State, Action], State]
    outcome: Callable[[State], Outcome | None]
    view: Callable[[State], Json]
