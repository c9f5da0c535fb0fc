"""The texts of both languages that pages and terminal share, from the catalogues beside the pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from calibration.figures import figures_in
from companion.games.base import GameError, Names, Text

LANGUAGES = ("en", "fr")
NO_BREAK = "\N{NO-BREAK SPACE}"
TWO_PARTS = re.compile(" ([:;?!»])")
SEATS = ("seat", "turn", "other", "who", "whose", "people", "team")  # values of refusals that name a side
# values of refusals that are terms of a game
TERMS = ("type", "phase", "now", "stage", "kind", "character", "building", "weapon", "phases")


class Bare(str):
    """A word that stands in no quotation marks, where a sentence has the value of a field in some."""

    def __repr__(self) -> str:
        return str(self)


def language_of(environ: Mapping[str, str]) -> str:
    """The language that somebody's machine speaks, by the variables that say it; English where it is none of ours.

    LANGUAGE, a list with the most wanted first, counts where a locale is set at all, as gettext has it.
    """
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "C")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return LANGUAGES[0]
    wanted = (one.partition("_")[0] for one in (*environ.get("LANGUAGE", "").split(":"), locale.partition(".")[0]))
    return next((one for one in wanted if one in LANGUAGES), LANGUAGES[0])


@cache
def catalogue() -> dict[str, dict[str, Any]]:
    """All texts of the scripts: key -> language -> text, or a dict of plural forms."""
    texts: dict[str, dict[str, Any]] = kept("screen.json")
    return texts


def team_in(language: str, team: str) -> str:
    """A side's name in a language; one that has no words as it is."""
    return str(catalogue().get(f"team.{team}", {}).get(language, team))


@cache
def game_words() -> dict[str, dict[str, str]]:
    """The words of the pages for games kept by taps: key -> language -> text."""
    words: dict[str, dict[str, str]] = kept("games.json")
    return words


@cache
def game_terms() -> dict[str, dict[str, str]]:
    """What the games' own names mean: actions, phases, options and their choices; name -> language -> text."""
    terms: dict[str, dict[str, str]] = kept("terms.json")
    return terms


@cache
def rule_texts() -> dict[str, list[dict[str, Any]]]:
    """The rules of each game in this project's own words: id, the section's title where one begins, both languages."""
    texts: dict[str, list[dict[str, Any]]] = kept("rules.json")
    return texts


@cache
def refusal_texts() -> dict[str, str]:
    """Why something is refused: the sentence in English, as it is raised -> the same in French."""
    texts: dict[str, str] = kept("refusals.json")
    return texts


def refusal_in_french(error: GameError, read: Callable[[str, Any], Any] | None = None) -> str:
    """Why something was refused, in French; in English where it has none.

    read: a value of the refusal, by its name, as it is read out; by default as the pages do.
    """
    french = refusal_texts().get(error.sentence)
    if french is None:
        return str(error)
    told = french.format(**{name: (read or value_in_french)(name, value) for name, value in error.values.items()})
    return typeset(f"{told} (règle {error.rule})" if error.rule else told)


def value_in_french(name: str, value: Any) -> Any:
    """A value of a refusal, in French where it is nothing, a side, a term or has words of its own."""
    if value is None:
        return Bare("rien")
    if isinstance(value, Text):
        return value.fr
    if isinstance(value, Names):
        kind = name if name in TERMS else SEATS[0]
        return f" {value.word.fr} ".join(str(value_in_french(kind, one)) for one in value.names)
    if not isinstance(value, str):
        return value
    if name in SEATS:
        return team_in("fr", value)
    return game_terms()[value]["fr"] if name in TERMS and value in game_terms() else value


def typeset(text: str) -> str:
    """French as it is printed: figures with a decimal comma, and signs of two parts stay with the word before them.

    No line begins with such a sign.
    """
    return TWO_PARTS.sub(f"{NO_BREAK}\\1", figures_in("fr", text)).replace("« ", f"«{NO_BREAK}")


def kept(name: str) -> Any:
    """A file of texts, its French as it is printed; read without the pages' own imports."""
    path = resources.files("companion") / "dashboard" / "translations" / name
    return _typeset(json.loads(path.read_text(encoding="utf-8")))


def _typeset(told: Any) -> Any:
    """Texts as they are kept, the French ones with no-break spaces."""
    if isinstance(told, dict):
        return {key: _in_all(value, typeset) if key == "fr" else _typeset(value) for key, value in told.items()}
    return [_typeset(one) for one in told] if isinstance(told, list) else told


def _in_all(told: Any, change: Callable[[str], str]) -> Any:
    """The same with each of its texts changed: a text, or one for each plural form."""
    return {form: change(text) for form, text in told.items()} if isinstance(told, dict) else change(told)
