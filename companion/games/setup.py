"""What the games kept by taps share: seats, options, one line of a log, and a seat's word checked field by field."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from companion.games.base import Action, IllegalMove, Json, MalformedAction, Option, Text
from companion.games.fast import replace

T = TypeVar("T")
LOG_LINES = 50  # what a screen can show of a match; the journal has the rest
MAX_SEED = 2**53  # what JSON carries exactly everywhere
SEED_BITS = 48  # of a new match's chance, where it is drawn: what JSON carries exactly, and nobody guesses
SEAT = re.compile(r"[a-z][a-z0-9_-]{0,19}")
MAX_NAME = 60  # letters; longer names break every screen
# signs that nothing is seen of: Unicode's Default_Ignorable_Code_Point, and the empty braille cell
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a match's log: the journal's entry, the text, and the rules it rests on."""

    entry: int
    text: Text
    rules: tuple[str, ...] = ()

    def to_json(self) -> Json:
        return {"id": self.entry, "en": self.text.en, "fr": self.text.fr, "rules": list(self.rules)}


def logged(log: tuple[Line, ...], entry: int, en: str, fr: str, *rules: str) -> tuple[Line, ...]:
    """The log with one more line, the oldest dropped where it grows too long."""
    return (*log[1 - LOG_LINES :], Line(entry, Text(en, fr), rules))


def numbered(state: T, entry: int) -> T:
    """The state with its newest lines, where they were written without an entry's number, given this one."""
    if not entry:
        return state
    log = state.log  # type: ignore[attr-defined]
    newest = len(log)
    while newest and not log[newest - 1].entry:
        newest -= 1
    if newest == len(log):
        return state
    fresh = tuple(Line(entry, line.text, line.rules) for line in log[newest:])
    return replace(state, log=(*log[:newest], *fresh))


def option(name: str, *choices: str, rule: str, en: str, fr: str) -> Option:
    """An open point of the rules with its default first."""
    return Option(name, choices, rule, Text(en, fr))


def read_options(options: Iterable[Option], told: Mapping[str, Any]) -> dict[str, str]:
    """Every option's value, defaults filled in. Raises MalformedAction on an unknown name or value."""
    known = {o.name: o for o in options}
    for name, value in told.items():
        if name not in known:
            raise MalformedAction(
                "unknown option {name!r}; expected one of {expected}", name=name, expected=", ".join(known)
            )
        if value not in known[name].choices:
            raise MalformedAction(
                "option {name}: found {value!r}, expected one of {expected}",
                known[name].rule,
                name=name,
                value=value,
                expected=", ".join(known[name].choices),
            )
    return {name: str(told.get(name, o.default)) for name, o in known.items()}


def read_seats(
    setup: Mapping[str, Any], least: int, most: int, rule: str, among: tuple[str, ...] = ()
) -> dict[str, str]:
    """Seats in clockwise order with their players' names. Raises MalformedAction where there are too few or many.

    among: the only seats that there are, in games in which a seat is a people or a side; the first ones by default.
    """
    players = setup.get("players")
    if not players and among:
        players = {seat: seat for seat in among[:least]}
    if not isinstance(players, Mapping) or not least <= len(players) <= most:
        found = len(players) if isinstance(players, Mapping) else repr(players)
        raise MalformedAction(
            "players: found {found}, expected {least} to {most} seats with a name each",
            rule,
            found=found,
            least=least,
            most=most,
        )
    for seat, name in players.items():
        if not isinstance(seat, str) or not SEAT.fullmatch(seat):
            raise MalformedAction(
                "players: found seat {seat!r}, expected a short name in small letters", rule, seat=seat
            )
        if among and seat not in among:
            raise MalformedAction(
                "players: found seat {seat!r}, expected one of {expected}", rule, seat=seat, expected=", ".join(among)
            )
        if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME:
            raise MalformedAction(
                "players: found {name!r} for {seat}, expected a name of at most {most} letters",
                name=name,
                seat=seat,
                most=MAX_NAME,
            )
    return {str(seat): str(name) for seat, name in players.items()}


def plain_name(name: str) -> str:
    """What people tell names apart by: neither capitals nor spaces, nor signs that are not seen."""
    return " ".join(UNSEEN.sub("", unicodedata.normalize("NFKC", UNSEEN.sub("", name))).casefold().split())


def told_apart(players: object) -> None:
    """Raises MalformedAction where two players of a new match have the same name, or one has none that can be seen: no
    log or page could tell them apart.

    players: {seat: a name, or a list of partners' names}. Matches that were begun so once are still read.
    """
    known: set[str] = set()
    for told in players.values() if isinstance(players, Mapping) else ():
        for name in told if isinstance(told, list | tuple) else (told,):
            plain = plain_name(str(name))
            if not plain:
                raise MalformedAction(
                    "players: found {name!r}, in which nothing is seen; give each a name that can be read",
                    name=str(name),
                )
            if plain in known:
                raise MalformedAction(
                    "players: two are called {name!r}; give each a name of their own, so that they can be told apart",
                    name=str(name).strip(),
                )
            known.add(plain)


def read_seed(setup: Mapping[str, Any]) -> int:
    """The number that all of a match's chance is drawn from; 0 where none is given. Raises MalformedAction."""
    seed = setup.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < MAX_SEED:
        raise MalformedAction(
            "seed: found {seed!r}, expected a whole number from 0 to {most}", seed=seed, most=MAX_SEED - 1
        )
    return seed


def read_begins(setup: Mapping[str, Any], seats: tuple[str, ...], default: int, rule: str) -> int:
    """Index of the seat that begins: as told, or the default. Raises MalformedAction."""
    begins = setup.get("begins")
    if begins is None:
        return default
    if begins not in seats:
        raise MalformedAction(
            "begins: found {begins!r}, expected one of {expected}", rule, begins=begins, expected=", ".join(seats)
        )
    return seats.index(begins)


def seat_of(seats: tuple[str, ...], action: Action, rule: str) -> int:
    """Index of the seat that acts. Raises MalformedAction where the seat is none of this match."""
    seat = action.data.get("seat")
    if seat not in seats:
        raise MalformedAction(
            "seat: found {seat!r}, expected one of {expected}", rule, seat=seat, expected=", ".join(seats)
        )
    return seats.index(seat)


def known_fields(action: Action, *names: str) -> None:
    """Raises MalformedAction where an action has fields that mean nothing."""
    for name in action.data:
        if name not in names and name not in ("seat", "by", "game"):
            expected = ", ".join(names) or Text("none", "aucun")
            raise MalformedAction(
                "{type}: unknown field {name!r}, expected {expected}", type=action.type, name=name, expected=expected
            )


def whole(action: Action, name: str, least: int, most: int) -> int:
    """A whole number of an action. Raises MalformedAction."""
    value = action.data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise MalformedAction(
            "{type}: {name}: found {value!r}, expected {least} to {most}",
            type=action.type,
            name=name,
            value=value,
            least=least,
            most=most,
        )
    return value


def word(action: Action, name: str, among: Iterable[str] | None = None) -> str:
    """A text of an action. Raises MalformedAction."""
    value = action.data.get(name)
    if not isinstance(value, str):
        raise MalformedAction(
            "{type}: {name}: found {value!r}, expected a text", type=action.type, name=name, value=value
        )
    if among is not None and value not in among:
        raise MalformedAction(
            "{type}: {name}: found {value!r}, expected one of {expected}",
            type=action.type,
            name=name,
            value=value,
            expected=", ".join(among),
        )
    return value


def words(action: Action, name: str) -> tuple[str, ...]:
    """A list of texts of an action. Raises MalformedAction."""
    value = action.data.get(name)
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise MalformedAction(
            "{type}: {name}: found {value!r}, expected a list of texts", type=action.type, name=name, value=value
        )
    return tuple(value)


def unknown_action(action: Action, known: Iterable[str]) -> MalformedAction:
    """The error for an action type that the game does not have."""
    return MalformedAction(
        "unknown action {type!r}; expected one of {expected}", type=action.type, expected=", ".join(known)
    )


def citing(rules: Mapping[str, str], default: str, action: Action, error: IllegalMove) -> IllegalMove:
    """The error with the rule that its action is about, where it names none: every refusal cites a rule."""
    return (
        error
        if error.rule is not None
        else type(error)(error.sentence, rules.get(action.type, default), **error.values)
    )


def over(rule: str) -> IllegalMove:
    """The error for acting after the end."""
    return IllegalMove("the match is over; begin a new one", rule)
