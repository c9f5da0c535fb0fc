"""Errors as one line: JSON under /api and for pictures, a page elsewhere; never a traceback."""

from __future__ import annotations

import logging
from http import HTTPStatus

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request
from flask_babel import gettext
from flask_wtf.csrf import CSRFError
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException, InternalServerError

from companion.access import AccessError, Role
from companion.dashboard.guard import Forbidden, NotHeld, OutOfTurn, Refusals
from companion.dashboard.hub import HubFull
from companion.dashboard.texts import language, refusal, team_name
from companion.dashboard.troubles import trouble
from companion.games.base import IllegalMove, Overtaken
from companion.journal import JournalError

JSON_PATHS = ("/api/", "/healthz", "/picture/", "/replay/")

log = logging.getLogger(__name__)


def answer_errors(app: Flask) -> None:
    """Registers what is said for each kind of error."""
    app.register_error_handler(IllegalMove, _illegal)
    app.register_error_handler(Overtaken, _overtaken)
    app.register_error_handler(ValidationError, invalid)
    app.register_error_handler(HubFull, _full)
    app.register_error_handler(JournalError, _journal)
    app.register_error_handler(CSRFError, _forged)
    app.register_error_handler(Forbidden, _forbidden)
    app.register_error_handler(OutOfTurn, _out_of_turn)
    app.register_error_handler(NotHeld, _not_held)
    app.register_error_handler(AccessError, _access)
    app.register_error_handler(HTTPException, _http)


def error_json(message: str, status: int, rule: str | None = None) -> Response:
    """The API's answer to a refused request."""
    return make_response(jsonify(error=message, rule=rule), status)


def _illegal(error: IllegalMove) -> Response:
    return error_json(refusal(error), HTTPStatus.CONFLICT, error.rule)


def _overtaken(_error: Overtaken) -> Response:
    text = gettext("Something else was done or undone meanwhile. Look what is last now, and undo again.")
    return error_json(str(text), HTTPStatus.CONFLICT)


def invalid(error: ValidationError) -> Response:
    """The answer to a request that carries something else than is expected."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "body"
    told = f"{where}: {first['msg']}; see /api/openapi.json for what is expected"
    return error_json(trouble(told), HTTPStatus.UNPROCESSABLE_ENTITY)


def _full(_error: HubFull) -> Response:
    response = error_json(
        str(gettext("too many screens are connected; close one and try again")), HTTPStatus.SERVICE_UNAVAILABLE
    )
    response.headers["Retry-After"] = "3"
    return response


def _journal(error: JournalError) -> Response:
    log.error("%s", error)
    text = gettext(
        "the journal cannot be written now, and this was not done; see that the disk is not full and the data folder "
        "is there, then do it once more"
    )
    return error_json(str(text), HTTPStatus.SERVICE_UNAVAILABLE)


def _access(error: AccessError) -> Response:
    log.error("%s", error)
    text = gettext("codes and passes cannot be kept now; the companion's log says why")
    return error_json(str(text), HTTPStatus.SERVICE_UNAVAILABLE)


def _forbidden(error: Forbidden) -> Response:
    _tell("not allowed")
    needs = {
        Role.PLAYER: gettext("This is for players. Scan a player's code at the table, or type a code."),
        Role.REFEREE: gettext("This is for the referee. Type the referee's code."),
        Role.OWNER: gettext("This is for the owner of this table. Type the owner's code."),
    }
    return _in_kind(str(needs[error.needs]), HTTPStatus.FORBIDDEN, error.needs.word)


def _out_of_turn(error: OutOfTurn) -> Response:
    _tell("out of turn")
    whose = error.whose if language() == "en" else team_name(error.whose)
    text = gettext("this is for %(whose)s to do; your pass is for another side", whose=whose)
    return error_json(str(text), HTTPStatus.FORBIDDEN)


def _not_held(_error: NotHeld) -> Response:
    return error_json(
        str(gettext("this screen does not hold that seat, or no longer; take it first")), HTTPStatus.FORBIDDEN
    )


def _tell(what: str) -> None:
    refusals: Refusals = current_app.extensions["paleo_refusals"]
    refusals.tell(what, request.path)


def _forged(_error: CSRFError) -> Response:
    _tell("forged or out of date")
    text = gettext("the token of this page is missing or out of date; get a new one from /api/session")
    return error_json(str(text), 400)


def _http(error: HTTPException) -> Response:
    status = error.code or InternalServerError.code
    response = _in_kind(_message(status), status)
    for name, value in error.get_headers():
        if name.lower() in ("allow", "retry-after", "location"):
            response.headers[name] = value
    return response


def _in_kind(message: str, status: int, needs: str | None = None) -> Response:
    """JSON for scripts, a page for people."""
    if request.path.startswith(JSON_PATHS) or not _wants_page():
        return error_json(message, status)
    return make_response(render_template("error.html", status=status, message=message, needs=needs), status)


def _wants_page() -> bool:
    return request.accept_mimetypes.best_match(["text/html", "application/json"], "text/html") == "text/html"


def _message(status: int) -> str:
    known = {
        400: gettext("The request was not understood."),
        404: gettext("There is nothing at this address."),
        405: gettext("This address does not take that kind of request."),
        413: gettext("The request is too large."),
        415: gettext("The request must be JSON."),
        429: gettext("Too many tries; wait a little, then try again."),
        500: gettext("Something went wrong here; the companion's log says what."),
    }
    return str(known.get(status) or gettext("The request was refused."))
