"""Languages: pages through Flask-Babel, the scripts' texts from one JSON catalogue of both languages."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from flask import Flask, Response, g, request
from flask_babel import Babel

LANGUAGES = ("en", "fr")
THEMES = ("auto", "light", "dark")
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
    path = resources.files("companion.dashboard") / "translations" / "screen.json"
    texts: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return texts


@cache
def game_words() -> dict[str, dict[str, str]]:
    """The words of the pages for games kept by taps: key -> language -> text."""
    path = resources.files("companion.dashboard") / "translations" / "games.json"
    words: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return words


@cache
def game_terms() -> dict[str, dict[str, str]]:
    """What the games' own names mean: actions, phases, options and their choices; name -> language -> text."""
    path = resources.files("companion.dashboard") / "translations" / "terms.json"
    terms: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return terms


@cache
def rule_texts() -> dict[str, list[dict[str, Any]]]:
    """The rules of each game in this project's own words: id, the section's title where one begins, both languages."""
    path = resources.files("companion.dashboard") / "translations" / "rules.json"
    texts: dict[str, list[dict[str, Any]]] = json.loads(path.read_text(encoding="utf-8"))
    return texts


def texts_in(lang: str) -> dict[str, Any]:
    """The scripts' texts in one language."""
    return {key: text[lang] for key, text in catalogue().items()}


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
