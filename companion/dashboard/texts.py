"""Languages: pages through Flask-Babel, the scripts' texts from one JSON catalogue of both languages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any

from flask import Flask, Response, g, request
from flask_babel import Babel

from companion.games.base import GameError, Names, Text

LANGUAGES = ("en", "fr")
THEMES = ("auto", "light", "dark")
NO_BREAK = "\N{NO-BREAK SPACE}"
TWO_PARTS = re.compile(" ([:;?!»])")
SEATS = ("seat", "turn", "other", "who", "whose", "people", "team")  # values of refusals that name a side
TERMS = (
    "type",
    "phase",
    "now",
    "stage",
    "kind",
    "character",
    "building",
    "weapon",
    "phases",
)  # and those that are terms
KEEP_S = 365 * 24 * 3600  # a choice of language or theme is kept for a year


def speak(app: Flask) -> None:
    """Chooses language and theme for each request: by ?lang= or ?theme=, then cookie, then the browser."""
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(resources.files("companion.dashboard") / "translations")
    Babel(app, locale_selector=language)
    app.after_request(_keep_choices)
    app.context_processor(lambda: {"lang": language(), "theme": theme(), "languages": LANGUAGES, "themes": THEMES})


def language() -> str:
    """The language of this request."""
    if "language" not in g:
        chosen = _chosen("lang", LANGUAGES)
        g.language = chosen or request.accept_languages.best_match(LANGUAGES, LANGUAGES[0])
    return str(g.language)


def theme() -> str:
    """The theme of this request: light, dark, or auto for the system's."""
    return _chosen("theme", THEMES) or THEMES[0]


@cache
def catalogue() -> dict[str, dict[str, Any]]:
    """All texts of the scripts: key -> language -> text, or a dict of plural forms."""
    texts: dict[str, dict[str, Any]] = kept("screen.json")
    return texts


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


def team_name(team: str) -> str:
    """A side's name in the language of this request; one that has no words as it is."""
    return str(catalogue().get(f"team.{team}", {}).get(language(), team))


def refusal(error: GameError) -> str:
    """Why something was refused, in the language of this request; in English where it has no French."""
    french = refusal_texts().get(error.sentence)
    if language() != "fr" or french is None:
        return str(error)
    told = french.format(**{name: _value_in_french(name, value) for name, value in error.values.items()})
    return typeset(f"{told} (règle {error.rule})" if error.rule else told)


def _value_in_french(name: str, value: Any) -> Any:
    if isinstance(value, Text):
        return value.fr
    if isinstance(value, Names):
        kind = name if name in TERMS else SEATS[0]
        return f" {value.word.fr} ".join(str(_value_in_french(kind, one)) for one in value.names)
    if not isinstance(value, str):
        return value
    if name in SEATS:
        return catalogue().get(f"team.{value}", {}).get("fr", value)
    return game_terms()[value]["fr"] if name in TERMS and value in game_terms() else value


def typeset(text: str) -> str:
    """French signs of two parts stay with the word before them, so that no line begins with one."""
    return TWO_PARTS.sub(f"{NO_BREAK}\\1", text).replace("« ", f"«{NO_BREAK}")


def texts_in(lang: str) -> dict[str, Any]:
    """The scripts' texts in one language."""
    return {key: text[lang] for key, text in catalogue().items()}


def kept(name: str) -> Any:
    """A file of texts beside this one, its French as it is printed."""
    path = resources.files("companion.dashboard") / "translations" / name
    return _typeset(json.loads(path.read_text(encoding="utf-8")))


def _typeset(told: Any) -> Any:
    """Texts as they are kept, the French ones with no-break spaces."""
    if isinstance(told, dict):
        return {key: _in_all(value, typeset) if key == "fr" else _typeset(value) for key, value in told.items()}
    return [_typeset(one) for one in told] if isinstance(told, list) else told


def _in_all(told: Any, change: Callable[[str], str]) -> Any:
    """The same with each of its texts changed: a text, or one for each plural form."""
    return {form: change(text) for form, text in told.items()} if isinstance(told, dict) else change(told)


def _chosen(name: str, allowed: tuple[str, ...]) -> str | None:
    for value in (request.args.get(name), request.cookies.get(name)):
        if value in allowed:
            return value
    return None


def _keep_choices(response: Response) -> Response:
    for name, allowed in (("lang", LANGUAGES), ("theme", THEMES)):
        value = request.args.get(name)
        if value is not None and value in allowed:
            response.set_cookie(name, value, max_age=KEEP_S, samesite="Strict")
    return response
