"""The words of a match in a terminal: what is shown, and what typed words mean, in English or French.

In English everything is called as the engine calls it. In French actions, fields and things have the rule texts' names,
as on the pages: what is shown can be typed, with or without its accents, and English is understood as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from companion.games.base import Game, GameError, Json, Names, Text
from companion.games.paleo_words import FRENCH_COLOURS, FRENCH_WINDS, unaccented
from companion.words import catalogue, game_terms, kept, refusal_in_french, value_in_french

THING = re.compile(r"(?<![\w-])[^\W\d_]\w*(?:-\w+)+(?![\w-])")  # such as knights-archer-3, hunter-1, red-8
NUMBERED = re.compile(r"(.+)-(\d+)")
GAPS = re.compile(r"[\s_'’-]+")
QUOTED_FIELD = re.compile(r"(?<![\w-])([a-z_]+)(?=\s:)")
LISTED = ("expected", "known")  # values of refusals that are several names


@cache
def terminal_texts() -> dict[str, dict[str, str]]:
    """The terminal's own words: key -> language -> text."""
    texts: dict[str, dict[str, str]] = kept("terminal.json")
    return texts


def folded(text: str) -> str:
    """A word as it may be typed: without accents or capitals, whatever stands between its parts."""
    return GAPS.sub("-", unaccented(text.replace("œ", "oe")).lower()).strip("-")


def joined(text: str) -> str:
    """A name of several words as one that can be typed after an equals sign: "grand-architecte"."""
    return GAPS.sub("-", text.lower())


class Words:
    """The words of one match."""

    def __init__(self, language: str, game: Game[Any]) -> None:
        self.language = "fr" if language == "fr" else "en"
        self.french = self.language == "fr"
        self._game = game
        self._seats: dict[str, str] = {}  # a seat -> as it is shown
        self._kinds: dict[str, str] = {}  # a kind of pieces -> as it is shown
        self._cards: dict[str, str] = {}  # a kind of cards -> as it is shown
        self._values = dict(_family("value", self.language))

    def __call__(self, key: str, **values: object) -> str:
        """One of the terminal's own sentences."""
        return terminal_texts()[key][self.language].format(**values)

    def learn(self, views: Iterable[Json]) -> None:
        """Learns from views of the match how its seats, pieces and cards are called."""
        if not self.french:
            return
        for view in views:
            seats = sorted((player["team"] for player in view["players"]), key=len, reverse=True)
            self._seats = {seat: _team(seat) for seat in seats}  # the longest first: one may begin like another
            for text in _names(view, self._cards):
                seat = next((s for s in self._seats if text.startswith(f"{s}-")), None)
                found = NUMBERED.fullmatch(text[len(seat) + 1 :]) if seat else None
                if found and found[1] in game_terms():
                    self._kinds[found[1]] = joined(game_terms()[found[1]]["fr"])

    def term(self, name: str) -> str:
        """A name of the engine's, such as a phase or what a player has."""
        if not self.french:
            return name
        return game_terms()[name]["fr"] if name in game_terms() else name.replace("_", " ")

    def choice(self, option: str, choice: str) -> str:
        """A choice of an option: a word of its own where the same name means something else elsewhere."""
        return self.term(f"{option}.{choice}" if f"{option}.{choice}" in game_terms() else choice)

    def deed(self, type: str) -> str:
        """A kind of action."""
        return self.choice("do", type) if self.french else type

    def field(self, name: str) -> str:
        """A field of an action."""
        return terminal_texts().get(f"field.{name}", {}).get(self.language, name)

    def value(self, value: Any) -> Any:
        """A value of an action, a seat, or a thing by its id; lists and objects with each of their values."""
        if not self.french:
            return value
        return _each(value, self._shown)

    def said(self, value: Any) -> str:
        """A value for people: also terms, yes and no, and names in a row."""
        if not self.french:
            return str(value)
        if value is None or isinstance(value, bool):
            return {True: self._values["true"], False: self._values["false"], None: "–"}[value]
        if isinstance(value, list):
            return f"({', '.join(map(self.said, value))})"
        if not isinstance(value, str):
            return str(value)
        one = self._shown(value)
        return self.term(value) if one == value else str(one)

    def spoken(self, text: str) -> str:
        """A sentence of the log, with the things in it as they are shown."""
        if not self.french:
            return text
        read = THING.sub(lambda found: str(self._shown(found[0])), text)
        for seat in self._game.seat_names:
            read = re.sub(rf"(?<![\w-]){re.escape(seat)}(?![\w-])", self._seats.get(seat, seat), read)
        return read

    def refusal(self, error: GameError) -> str:
        """Why something was refused."""
        if not self.french:
            return str(error)
        told = refusal_in_french(error, lambda name, value: self._told(error.sentence, name, value))
        return QUOTED_FIELD.sub(lambda found: self._field_or_deed(found[1]), told)

    def order(self, word: str) -> str:
        """The order that a word gives; the word itself where it gives none."""
        return self._meant(word, _family("order", self.language))

    def type_of(self, words: list[str]) -> tuple[str, list[str]]:
        """The kind of action that typed words begin with, and those that are left."""
        leading = next((n for n, word in enumerate(words) if "=" in word), len(words))
        shown = {type: folded(self.deed(type)) for type in self._game.deeds} if self.french else {}
        for count in range(leading, 0, -1):
            typed = folded(" ".join(words[:count]))
            fits = [type for type, name in shown.items() if name == typed]
            fits = fits or [type for type, name in shown.items() if name.startswith(f"{typed}-")]
            if len(fits) == 1 and words[0] not in self._game.deeds:
                return fits[0], words[count:]
        return words[0], words[1:]

    def field_of(self, word: str) -> str:
        """The field that a typed word names."""
        return self._meant(word, _family("field", self.language))

    def meant(self, value: Any) -> Any:
        """A typed value as the engine calls it; lists and objects with each of their values."""
        return _each(value, self._meant_value) if self.french else value

    def _meant(self, word: str, names: Mapping[str, str]) -> str:
        if word in names or not self.french:
            return word
        return next((name for name, shown in names.items() if folded(shown) == folded(word)), word)

    def _shown(self, text: Any) -> Any:
        if not isinstance(text, str):
            return text
        if text in self._values or text in self._seats:
            return joined((self._values | self._seats)[text])
        for seat in self._seats:
            if text.startswith(f"{seat}-"):
                return f"{joined(self._seats[seat])}-{self._own(text[len(seat) + 1 :], self._kinds, FRENCH_WINDS)}"
        return self._own(text, self._cards)

    def _own(self, rest: str, kinds: Mapping[str, str], winds: Mapping[str, str] | None = None) -> str:
        """What follows a seat's name in a thing's: a kind and a number, or where a door lies."""
        if winds and all(part in winds for part in rest.split("-")):
            return "-".join(winds[part] for part in rest.split("-"))
        found = NUMBERED.fullmatch(rest)
        return f"{kinds[found[1]]}-{found[2]}" if found and found[1] in kinds else rest

    def _meant_value(self, text: Any) -> Any:
        if not isinstance(text, str) or text in self._values or text in self._seats:
            return text
        typed = folded(text)
        for name, shown in (*self._values.items(), *self._seats.items()):
            if folded(shown) == typed:
                return name
        for seat, shown in self._seats.items():
            for form in (seat, shown):
                if typed.startswith(f"{folded(form)}-"):
                    winds = {french: english for english, french in FRENCH_WINDS.items()}
                    return f"{seat}-{self._own(typed[len(folded(form)) + 1 :], _back(self._kinds), winds)}"
        return self._own(typed, _back(self._cards)) if NUMBERED.fullmatch(typed) else text

    def _told(self, sentence: str, name: str, value: Any) -> Any:
        """A value of a refusal, read out."""
        if name == "type" and isinstance(value, str):
            return self.deed(value)
        if name == "what" and isinstance(value, str):
            return value.replace(": ", " : ")  # an action and its field
        if name in LISTED and isinstance(value, str):
            kind = self.deed if "action" in sentence else self.field if "field" in sentence else self._shown
            return ", ".join(str(kind(one)) for one in value.split(", "))
        if name == "name" and "field" in sentence:
            return self.field(str(value))
        if isinstance(value, Names):
            return value_in_french(name, Names(tuple(map(self._shown, value.names)), value.word))
        told = value if isinstance(value, Text) else self._shown(value)
        return value_in_french(name, value) if told == value else told

    def _field_or_deed(self, name: str) -> str:
        return self.deed(name) if name in self._game.deeds else self.field(name)


@cache
def _family(kind: str, language: str) -> dict[str, str]:
    """The words of one kind: name -> as it is shown and typed."""
    start = f"{kind}."
    return {key.removeprefix(start): text[language] for key, text in terminal_texts().items() if key.startswith(start)}


def _team(seat: str) -> str:
    """A side's French name; the seat itself where it is somebody's own word."""
    return FRENCH_COLOURS.get(seat) or joined(str(catalogue().get(f"team.{seat}", {}).get("fr", seat)))


def _back(names: Mapping[str, str]) -> dict[str, str]:
    return {folded(name): name for name in names} | {folded(shown): name for name, shown in names.items()}


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value with each text in it changed."""
    if isinstance(value, Mapping):
        return {change(name): _each(one, change) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_each(one, change) for one in value]
    return change(value)


def _names(view: Any, cards: dict[str, str]) -> Iterator[str]:
    """All texts in a view; cards are put among the known ones by the way."""
    if isinstance(view, Mapping):
        found = NUMBERED.fullmatch(str(view.get("card", "")))
        if found and isinstance(view.get("name"), Mapping):
            cards[found[1]] = joined(view["name"]["fr"])
        for name, one in view.items():
            yield str(name)
            yield from _names(one, cards)
    elif isinstance(view, list | tuple):
        for one in view:
            yield from _names(one, cards)
    elif isinstance(view, str):
        yield view
