"""The API: scoreboard, board, stream, commands."""

from __future__ import annotations

import re
from collections.abc import Callable

from flask import Blueprint, Response, abort, current_app, jsonify, request
from flask_wtf.csrf import generate_csrf

from companion.dashboard.answering import fresh
from companion.dashboard.asking import json_body, told_as
from companion.dashboard.geometry import board_json
from companion.dashboard.guard import OutOfTurn, address, need, person
from companion.dashboard.hub import Hub
from companion.dashboard.models import COMMANDS, TABLE_REQUEST, LetPlayers
from companion.dashboard.openapi import openapi_document
from companion.dashboard.policy import not_your_puck, not_your_question, role_for_command
from companion.dashboard.protocol import CompanionLike, Json
from companion.dashboard.reading import read_out
from companion.dashboard.stream import EventStream
from companion.dashboard.table_mark import MARK_CONFIG, MARK_HEADER
from companion.dashboard.troubles import trouble
from companion.dashboard.wire import entry_json

PICTURES = ("camera", "overlay")
NO_PICTURE_YET = 204  # no content: nothing is wrong, and a page that asks again is not told of an error
MAX_LAST_ID = 2**63 - 1  # SQLite's and PostgreSQL's largest id


def make_api(companion: CompanionLike, hub: Hub, version: str) -> Blueprint:
    """The API's blueprint over one companion."""
    api = Blueprint("api", __name__)
    for make in (_reads, _pictures, _streams, _commands):
        make(api, companion)
    api.add_url_rule("/api/openapi.json", view_func=_constant("openapi", openapi_document(version)))
    api.record_once(lambda state: state.app.extensions.__setitem__("paleo_hub", hub))
    return api


def _reads(api: Blueprint, companion: CompanionLike) -> None:
    board = board_json(companion.board)

    @api.get("/healthz")
    def healthz() -> Response:
        return fresh(jsonify(companion.health()))

    @api.get("/api/camera")
    def camera() -> Response:
        return fresh(jsonify(doubts=[trouble(doubt) for doubt in companion.doubts()]))

    @api.get("/api/scoreboard")
    def scoreboard() -> Response:
        return fresh(jsonify(read_out(companion.scoreboard())))

    @api.get("/api/session")
    def session() -> Response:
        return fresh(jsonify(csrf_token=generate_csrf()))

    api.add_url_rule("/api/board", view_func=_constant("board", board))


def _pictures(api: Blueprint, companion: CompanionLike) -> None:
    @api.get("/picture/<kind>.jpg")
    def picture(kind: str) -> Response:
        if kind not in PICTURES:
            abort(404)
        jpeg = companion.picture(kind)
        if jpeg is None:
            return fresh(Response(status=NO_PICTURE_YET))
        return fresh(Response(jpeg, mimetype="image/jpeg"))

    @api.get("/replay/<int:entry>")
    def replay(entry: int) -> Response:
        film = companion.replay(entry)
        if film is None:
            abort(404)
        return Response(film, mimetype="application/octet-stream", headers={"Cache-Control": "private, no-store"})


def _streams(api: Blueprint, _companion: CompanionLike) -> None:
    @api.get("/api/stream")
    def stream() -> Response:
        last_id = _last_id(request.headers.get("Last-Event-ID") or request.args.get("last_id"))
        events = EventStream(current_app.extensions["paleo_hub"], last_id, None if person().here else address())
        response = Response(events, mimetype="text/event-stream")  # the server closes `events` at the end
        response.headers["X-Accel-Buffering"] = "no"
        response.headers[MARK_HEADER] = current_app.config[MARK_CONFIG]
        return fresh(response)


def _commands(api: Blueprint, companion: CompanionLike) -> None:
    @api.post("/api/command/<name>")
    def command(name: str) -> Response:
        if name not in COMMANDS:
            abort(404)
        score = companion.scoreboard()
        need(role_for_command(name, score))
        body = told_as(COMMANDS[name])
        if name == "answer" and (whose := not_your_question(score, person().seat)):
            raise OutOfTurn(whose)
        if name == "shot_by_hand" and person().seat not in (None, score.get("turn")):
            raise OutOfTurn(str(score.get("turn")))
        entries = companion.command(name, body.model_dump(exclude_none=name != "answer"), person().name)
        return jsonify(entries=[entry_json(e) for e in entries])

    @api.post("/api/table")
    def table() -> Response:
        told = TABLE_REQUEST.validate_json(json_body()).model_dump(exclude_defaults=True)
        if whose := not_your_puck(companion.scoreboard(), companion.live(), told, person().seat):
            raise OutOfTurn(whose)
        companion.table_command(told, person().name)
        return jsonify(ok=True)

    @api.post("/api/players")
    def players() -> Response:
        companion.let_players(told_as(LetPlayers).play)
        return jsonify(ok=True)


def _last_id(text: str | None) -> int | None:
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,19}", text) or int(text) > MAX_LAST_ID:
        abort(400)
    return int(text)


def _constant(name: str, body: Json) -> Callable[[], Response]:
    def view() -> Response:
        return jsonify(body)

    view.__name__ = name
    return view
