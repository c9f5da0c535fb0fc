"""Errors as one line: JSON under /api and for pictures, a page elsewhere; never a traceback."""

from __future__ import annotations

import logging

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask_babel import gettext
from flask_wtf.csrf import CSRFError
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException, InternalServerError

from companion.dashboard.hub import HubFull
from companion.games.base import IllegalMove
from companion.journal import JournalError

CONFLICT, UNPROCESSABLE, UNAVAILABLE = 409, 422, 503
JSON_PATHS = ("/api/", "/healthz", "/picture/", "/replay/")

log = logging.getLogger(__name__)


def answer_errors(app: Flask) -> None:
    """Registers what is said for each kind of error."""
    app.register_error_handler(IllegalMove, _illegal)
    app.register_error_handler(ValidationError, _invalid)
    app.register_error_handler(HubFull, _full)
    app.register_error_handler(JournalError, _journal)
    app.register_error_handler(CSRFError, _forged)
    app.register_error_handler(HTTPException, _http)


def error_json(message: str, status: int, rule: str | None = None) -> Response:
    """The API's answer to a refused request."""
    return make_response(jsonify(error=message, rule=rule), status)


def _illegal(error: IllegalMove) -> Response:
    return error_json(str(error), CONFLICT, error.rule)


def _invalid(error: ValidationError) -> Response:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "body"
    return error_json(f"{where}: {first['msg']}; see /api/openapi.json for what is expected", UNPROCESSABLE)


def _full(_error: HubFull) -> Response:
    response = error_json("too many screens are connected; close one and try again", UNAVAILABLE)
    response.headers["Retry-After"] = "3"
    return response


def _journal(error: JournalError) -> Response:
    log.error("%s", error)
    return error_json("the journal cannot be used now, nothing was changed; the companion's log says why", UNAVAILABLE)


def _forged(_error: CSRFError) -> Response:
    return error_json("the token of this page is missing or out of date; get a new one from /api/session", 400)


def _http(error: HTTPException) -> Response:
    status = error.code or InternalServerError.code
    message = _message(status)
    if request.path.startswith(JSON_PATHS) or not _wants_page():
        response = error_json(message, status)
    else:
        response = make_response(render_template("error.html", status=status, message=message), status)
    for name, value in error.get_headers():
        if name.lower() in ("allow", "retry-after", "location"):
            response.headers[name] = value
    return response


def _wants_page() -> bool:
    return request.accept_mimetypes.best_match(["text/html", "application/json"], "text/html") == "text/html"


def _message(status: int) -> str:
    known = {
        400: gettext("The request was not understood."),
        404: gettext("There is nothing at this address."),
        405: gettext("This address does not take that kind of request."),
        413: gettext("The request is too large."),
        415: gettext("The request must be JSON."),
        500: gettext("Something went wrong here; the companion's log says what."),
    }
    return str(known.get(status) or gettext("The request was refused."))
