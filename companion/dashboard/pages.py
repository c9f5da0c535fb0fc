"""The pages: match, flicking on the virtual table, camera, games, lobby, seat, history, rules, referee's tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, current_app, render_template, request, url_for
from flask_wtf.csrf import generate_csrf
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import RequestRedirect

from companion.dashboard.geometry import board_json
from companion.dashboard.guard import person
from companion.dashboard.policy import role_needed
from companion.dashboard.protocol import CompanionLike, Json
from companion.dashboard.qr import modules
from companion.dashboard.reading import read_out
from companion.dashboard.seats import browser
from companion.dashboard.table_mark import MARK_CONFIG
from companion.dashboard.texts import language, texts_in
from companion.games import GAMES
from companion.words import game_terms, game_words, rule_texts

FLICK = "/table"
PLAIN_PAGES = (("/", "watch"), (FLICK, "flick"), ("/camera", "camera"), ("/seat", "seat"), ("/join", "join"),
               ("/referee", "referee"), ("/history", "history"))  # fmt: skip
WITH_BOARD = ("watch", "flick", "seat", "referee")
SHEETS = {"lobby": ("pages",), "join": ("pages",), "seat": ("pages",), "referee": ("pages",), "history": ("pages",),
          "help": ("pages",)}  # fmt: skip


def make_pages(companion: CompanionLike) -> Blueprint:
    """The pages' blueprint over one companion."""
    pages = Blueprint("pages", __name__)
    board = board_json(companion.board)

    def page(name: str, /, **more: Any) -> str:
        boot: Json = {"page": name, "lang": language(), "texts": texts_in(language()), "board": board, "me": me()}
        boot["table"] = current_app.config[MARK_CONFIG]
        boot |= {"score": read_out(companion.scoreboard())} if name in WITH_BOARD else {}
        boot |= more.pop("boot", {})
        sheets = SHEETS.get(name, ())
        return render_template(f"{name}.html", page=name, boot=boot, sheets=sheets, csrf_token=generate_csrf(), **more)

    for path, name in PLAIN_PAGES:
        pages.add_url_rule(path, name, lambda name=name: page(name))
    _games(pages, companion, page)
    _lobby(pages, page)
    _for_all(pages, companion)
    return pages


def _games(pages: Blueprint, companion: CompanionLike, page: Callable[..., str]) -> None:
    @pages.get("/games")
    def games() -> str:
        browser()  # known before the page asks for a seat
        words = {key: word[language()] for key, word in game_words().items()}
        terms = {key: term[language()] for key, term in game_terms().items()}
        return page("games", words=words, boot={"words": words, "terms": terms})

    @pages.get("/help")
    def rules() -> str:
        asked = request.args.get("game") or companion.scoreboard().get("game") or next(iter(rule_texts()))
        game = asked if asked in rule_texts() else next(iter(rule_texts()))
        titles = [(name, GAMES[name].title.to_json()[language()]) for name in rule_texts()]
        return page("help", game=game, titles=titles, rules=rule_texts()[game])


def _lobby(pages: Blueprint, page: Callable[..., str]) -> None:
    @pages.get("/lobby")
    def lobby() -> str:
        authority = current_app.config.get("PALEO_AUTHORITY")
        links = [{"url": u, "qr": modules(u)} for u in current_app.config["PALEO_ADDRESSES"]]
        return page("lobby", links=links, authority=authority, boot={"links": links})


def _for_all(pages: Blueprint, companion: CompanionLike) -> None:
    """What the frame around every page, an error's too, is drawn with."""

    def has_page(path: str) -> bool:
        """Whether there is such a page, and anything to do on it: at a real table nobody flicks on a screen."""
        return _has_page(path) and (path != FLICK or companion.on_screen)

    @pages.app_context_processor
    def helpers() -> dict[str, Any]:
        return {"here_with": _here_with, "me": me(), "may": _may, "has_page": has_page,
                "filming": companion.filming, "on_screen": companion.on_screen}  # fmt: skip


def me() -> Json:
    """Who asks, as pages need it."""
    who = person()
    return {"role": who.role.word, "seat": who.seat, "here": who.here}


def _may(path: str) -> bool:
    return person().role >= role_needed("GET", path)


def _has_page(path: str) -> bool:
    try:
        current_app.url_map.bind("").match(path, "GET")
    except (NotFound, MethodNotAllowed, RequestRedirect):
        return False
    return True


def _here_with(**choices: Any) -> str:
    """This page's address with another language or theme; the start page's from an error page."""
    endpoint = request.endpoint or "pages.watch"
    if not endpoint.startswith("pages."):
        endpoint = "pages.watch"
    return url_for(endpoint, **{**(request.view_args or {}), **choices})
