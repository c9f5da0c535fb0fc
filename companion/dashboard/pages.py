"""The pages: table view, flicking on the virtual table, camera."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask_wtf.csrf import generate_csrf

from companion.dashboard.geometry import board_json
from companion.dashboard.protocol import CompanionLike
from companion.dashboard.texts import game_words, language, texts_in


def make_pages(companion: CompanionLike) -> Blueprint:
    """The pages' blueprint over one companion."""
    pages = Blueprint("pages", __name__)
    board = board_json(companion.board)

    def page(name: str) -> str:
        boot = {"page": name, "lang": language(), "texts": texts_in(language()), "board": board}
        return render_template(f"{name}.html", page=name, boot=boot, csrf_token=generate_csrf())

    @pages.get("/")
    def watch() -> str:
        return page("watch")

    @pages.get("/table")
    def flick() -> str:
        return page("flick")

    @pages.get("/games")
    def games() -> str:
        words = {key: word[language()] for key, word in game_words().items()}
        boot = {"page": "games", "lang": language(), "texts": texts_in(language()), "board": board, "words": words}
        return render_template("games.html", page="games", boot=boot, words=words, csrf_token=generate_csrf())

    @pages.get("/camera")
    def camera() -> str:
        return page("camera")

    @pages.app_context_processor
    def helpers() -> dict[str, Any]:
        return {"here_with": _here_with}

    return pages


def _here_with(**choices: Any) -> str:
    """This page's address with another language or theme; the start page's from an error page."""
    endpoint = request.endpoint or "pages.watch"
    if not endpoint.startswith("pages."):
        endpoint = "pages.watch"
    return url_for(endpoint, **choices)
