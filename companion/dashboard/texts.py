"""Languages: pages through Flask-Babel, the scripts' texts from one JSON catalogue of both languages."""

from __future__ import annotations

from importlib import resources
from typing import Any

from flask import Flask, Response, g, request
from flask_babel import Babel

from companion.games.base import GameError
from companion.words import LANGUAGES, catalogue, refusal_in_french, team_in

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


def team_name(team: str) -> str:
    """A side's name in the language of this request; one that has no words as it is."""
    return team_in(language(), team)


def team_words() -> dict[str, str]:
    """The names of sides that have words, in the language of this request: as board files have them -> as read."""
    return {key.removeprefix("team."): text[language()] for key, text in catalogue().items() if key.startswith("team.")}


def refusal(error: GameError) -> str:
    """Why something was refused, in the language of this request; in English where it has no French."""
    return refusal_in_french(error) if language() == "fr" else str(error)


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
