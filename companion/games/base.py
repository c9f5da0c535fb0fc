"""What a game is: a value and the functions over it, free of clocks, I/O and chance.

A rule is a function whose docstring cites it: it gives what follows, or raises IllegalMove, and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

Json = dict[str, Any]
State = TypeVar("State")


class Text(NamedTuple):
    """One sentence in both languages."""

    en: str
    fr: str

    def to_json(self) -> dict[str, str]:
        return {"en": self.en, "fr": self.fr}


def counted(count: int, en: tuple[str, str], fr: tuple[str, str]) -> Text:
    """A number with its word, of one and of several: "1 city", "2 cities"; in French none counts as one: "0 ville"."""
    return Text(in_english(count, *en), f"{count} {fr[count > 1]}")


def in_english(count: int, one: str, several: str) -> str:
    """The same for what is told in English alone: "1 entry", "0 entries"."""
    return f"{count} {several if count != 1 else one}"


class Names(NamedTuple):
    """Names, and the word that stands between them."""

    names: tuple[str, ...]
    word: Text

    @property
    def en(self) -> str:
        return f" {self.word.en} ".join(self.names)


def one_of(names: Iterable[str]) -> Names:
    """Names of which one is meant: "white or black"."""
    return Names(tuple(names), Text("or", "ou"))


def all_of(names: Iterable[str]) -> Names:
    """Names that are all meant: "white and black"."""
    return Names(tuple(names), Text("and", "et"))


class GameError(ValueError):
    """An action that is not accepted: a sentence in English with {places}, and the values that stand there.

    The sentence is also what its other languages are found by; a value that is a Text, or Names, is in both.
    `rule` is the id of the rule that forbids the action, where one does.
    """

    def __init__(self, sentence: str, rule: str | None = None, /, **values: object) -> None:
        super().__init__(sentence)
        self.sentence, self.rule, self.values = sentence, rule, values

    def __str__(self) -> str:
        values = {name: v.en if isinstance(v, Text | Names) else v for name, v in self.values.items()}
        told = self.sentence.format(**values) if values else self.sentence
        return f"{told} (rule {self.rule})" if self.rule else told


class IllegalMove(GameError):
    """Understood, but not allowed now."""


class MalformedAction(IllegalMove):
    """Not understood: a field is missing, unknown or of the wrong kind."""


class AmbiguousAction(IllegalMove):
    """Fits more than one thing; the message says which."""


class Overtaken(IllegalMove):
    """An undo of something that is no longer the last: more was done, or undone, since the screen was drawn."""

    def __init__(self) -> None:
        super().__init__("something else was done or undone meanwhile; look what is last now, and undo again")


class Action(NamedTuple):
    """Something that happened or that somebody wants: the journal's entry id (0 while not journalled), type, data."""

    type: str
    data: Mapping[str, Any]
    id: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: who won, and why; `winners` names all of them where a victory is shared.

    drawn: nobody has won and nobody was better, whatever the points are.
    """

    winner: str | None
    reason: Text
    points: Mapping[str, int]
    winners: tuple[str, ...] = ()
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """A point that the rules leave open: the choices (the default first), the rule's id, and why it is the default."""

    name: str
    choices: tuple[str, ...]
    rule: str
    why: Text

    @property
    def default(self) -> str:
        return self.choices[0]

    def to_json(self) -> Json:
        """As the set-up page and the API show it."""
        return {
            "name": self.name,
            "choices": list(self.choices),
            "default": self.default,
            "rule": self.rule,
            "why": self.why.to_json(),
        }


def nothing_hidden(action: Action, seat: str | None) -> Json:
    """An action's data as a seat may read it, in a game in which nothing is hidden."""
    return dict(action.data)


def but_secrets(action: Action, seat: str | None, secret: Mapping[str, Collection[str]]) -> Json:
    """The same in a game with secrets. secret: the fields of a kind of action that its own seat alone may read."""
    hidden = secret.get(action.type, ()) if action.data.get("seat") != seat else ()
    return {name: value for name, value in action.data.items() if name not in hidden}


def nothing_revealed(action: Action) -> frozenset[str]:
    """What an action shows that was hidden, in a game in which nothing is."""
    return frozenset()


def nothing_editable() -> Json:
    """The parts of a set-up that an editor shows, in a game that has none."""
    return {}


def no_moves(state: Any, seat: str) -> Iterable[Action]:
    """The legal actions of a seat, in a game that cannot list them."""
    return ()


def no_pick(state: Any, rng: Random) -> Action | None:
    """A random legal action, in a game that cannot draw one."""
    return None


class Offered(NamedTuple):
    """What can be chosen next for an action that is being composed, as JSON, and why what it makes is not legal yet."""

    fields: Json
    refused: IllegalMove | None = None


def no_offers(state: Any, seat: str, plan: Mapping[str, Any]) -> Offered:
    """What can be chosen next, in a game whose actions are listed whole."""
    return Offered({})


def legal_by(judge: Callable[[State, Action], object]) -> Callable[[State, Action], IllegalMove | None]:
    """legal() of a game of which apply(), or what it checks by, judges: it is tried; None where the action may be done
    now, else the error that apply() raises."""

    def legal(state: State, action: Action) -> IllegalMove | None:
        try:
            judge(state, action)
        except IllegalMove as error:
            return error
        return None

    return legal


@dataclass(frozen=True, slots=True)
class Game(Generic[State]):
    """A game as a value.

    start(setup) -> State; legal(state, action) -> None, or the IllegalMove that apply would raise;
    apply(state, action) -> State; outcome(state) -> Outcome or None while the match goes on;
    view(state) -> what a screen in the middle of the table shows, as JSON: nothing that only one seat may know.

    What follows is for games kept by taps: view_for(state, seat) -> the same with what that seat alone may know;
    told(action, seat) -> an action's data with what the seat may not know left out; moves(state, seat) -> its legal
    actions; pick(state, rng) -> one legal action of anybody, drawn quickly, None where nobody can act;
    waiting(state) -> the seats that are to act now; to_json and from_json -> the whole state and back; editable() ->
    the parts of a set-up that the text leaves out (boards, maps, tables), at their defaults, for an editor;
    reveals(action) -> names of hidden things that it shows: a correction may not show others than it did; deeds: the
    kinds of actions that players may do; offers(state, seat, plan) -> what can be chosen next for an action that is
    composed, where all cannot be listed.
    """

    name: str
    title: Text
    start: Callable[[Mapping[str, Any]], State]
    legal: Callable[[State, Action], IllegalMove | None]
    apply: Callable[[State, Action], State]
    outcome: Callable[[State], Outcome | None]
    view: Callable[[State], Json]
    players: tuple[int, int] = (2, 2)
    options: tuple[Option, ...] = ()
    view_for: Callable[[State, str], Json] | None = None
    told: Callable[[Action, str | None], Json] = nothing_hidden
    moves: Callable[[State, str], Iterable[Action]] = no_moves
    pick: Callable[[State, Random], Action | None] = no_pick
    waiting: Callable[[State], tuple[str, ...]] | None = None
    to_json: Callable[[State], Json] | None = None
    from_json: Callable[[Json], State] | None = None
    seat_names: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    editable: Callable[[], Json] = nothing_editable
    reveals: Callable[[Action], frozenset[str]] = nothing_revealed
    offers: Callable[[State, str, Mapping[str, Any]], Offered] = no_offers

    def seen_by(self, state: State, seat: str | None) -> Json:
        """What a seat's screen shows; the spectators' view where there is no seat."""
        if seat is None or self.view_for is None:
            return self.view(state)
        return self.view_for(state, seat)
