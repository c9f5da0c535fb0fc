"""The API's description, generated from the models that check requests."""

from __future__ import annotations

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from companion.dashboard.guard import COMMAND_ID, MAX_COMMAND_ID, REMEMBERED_COMMANDS
from companion.dashboard.models import (
    COMMANDS,
    TABLE_REQUEST,
    Accepted,
    Amendment,
    LetPlayers,
    Nothing,
    Refused,
    SeatAction,
    SeatCorrection,
    SeatFreed,
)
from companion.dashboard.openapi_entry import MODELS as ENTRY_MODELS
from companion.dashboard.openapi_entry import entry_paths
from companion.dashboard.policy import READS, role_needed
from companion.dashboard.protocol import Json
from companion.dashboard.security import CSRF_HEADER
from companion.dashboard.set_up_api import MODELS as SET_UP_MODELS
from companion.dashboard.set_up_api import PAGES as SET_UP_PAGES
from companion.dashboard.set_up_api import PICTURES, UPLOAD, set_up_posts, upload_body

REF = "#/components/schemas/{model}"


def openapi_document(version: str) -> Json:
    """The OpenAPI 3.1 document."""
    paths = {
        **_reads(), **_seats(), **_commands(), "/api/table": _table_path(), "/api/players": _players_path(),
        **entry_paths(REF), **_set_up(),
    }  # fmt: skip
    for path, operations in paths.items():
        for method, operation in operations.items():
            operation["x-role"] = role_needed(method.upper(), path).word
            if method.upper() not in READS:
                operation["parameters"] = [*operation.get("parameters", ()), _key()]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Paleo Companion",
            "version": version,
            "description": "Score, board and journal of one table. Lengths are millimetres, x to the east, y south. "
            "x-role is the least role of an address; at the machine itself everybody is the owner. What is sent twice "
            f"is done twice, unless {COMMAND_ID} names the command, such as by a UUID: sent again with the same name, "
            "as after an answer that was lost, it is refused with 409, which says that it was carried out. What was "
            "refused changed nothing, and may be sent again with its name. "
            f"The last {REMEMBERED_COMMANDS} names are known, until the companion ends.",
        },
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"csrf": {"type": "apiKey", "in": "header", "name": CSRF_HEADER}},
        },
    }


def _key() -> Json:
    """The header by which a command that is sent again is known."""
    return {
        "name": COMMAND_ID,
        "in": "header",
        "schema": {"type": "string", "minLength": 1, "maxLength": MAX_COMMAND_ID},
        "description": "a name for this command, chosen anew for each: sent again with it, it is not carried out twice",
    }


def _reads() -> Json:
    return {
        "/healthz": _read("Whether the companion works", 503),
        "/api/camera": _read("What is to be said of board and light as the camera sees them"),
        "/api/scoreboard": _read("Score, turn, phase, players and pucks", 503),
        "/api/board": _read("The board's geometry"),
        "/api/session": _read("A token for commands, bound to the session's cookie"),
        "/api/openapi.json": _read("This document"),
        "/api/stream": _stream_path(),
        "/picture/{kind}.jpg": _picture_path(),
        "/replay/{entry}": _replay_path(),
    }


def _seats() -> Json:
    """Games kept by taps: seats, what each may see and do, history and export."""
    seat = {"name": "seat", "in": "path", "required": True, "schema": {"type": "string"}}
    own: Json = _read("What this seat alone may see, with its legal actions; only for who holds it", 403, 409)
    posts: dict[str, tuple[str, type[BaseModel], int]] = {
        "claim": ("Take a seat that nobody holds", Nothing, 409),
        "release": ("Let go of a seat", Nothing, 403),
        "free": ((SeatFreed.__doc__ or "").strip(), SeatFreed, 409),
        "act": ((SeatAction.__doc__ or "").strip(), SeatAction, 403),
        "correct": ((SeatCorrection.__doc__ or "").strip(), SeatCorrection, 403),
    }
    paths: Json = {"/api/seat/{seat}": {"get": {**own["get"], "parameters": [seat]}}}
    plan = {"name": "plan", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}},
            "description": "what has been chosen so far; empty at first"}  # fmt: skip
    told = "What this seat can choose next for an action that it composes, the action that it makes, and why not yet"
    offers: Json = _read(told, 403, 409, 422)
    paths["/api/seat/{seat}/offers"] = {"get": {**offers["get"], "parameters": [seat, plan]}}
    for name, (summary, model, status) in posts.items():
        body = _post(model)["post"]
        body |= {"summary": summary, "parameters": [seat], "responses": {**body["responses"], **_errors(status)}}
        paths[f"/api/seat/{{seat}}/{name}"] = {"post": body}
    return {
        "/api/games": _read("Every game with its seats, options and their reasons"),
        "/api/seats": _read("The seats of the match that is on, who holds which, and the clocks"),
        "/api/history": _read("Finished matches and players"),
        "/api/ratings": _read("Players' ratings by game and over all"),
        "/export/plays.csv": _read("Finished matches, a line for each player, as CSV"),
        "/export/journal.json": _read("The journal without matches from seats that are not over"),
        **paths,
        **_amending(),
    }


def _amending() -> Json:
    """Earlier entries and unfinished matches."""
    seat = {"name": "seat", "in": "query", "schema": {"type": "string"}, "description": "the own seat"}
    of = {"name": "of", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
    listed: Json = _read("The entries of the match that is on that can be undone or told otherwise", 403)["get"]
    other: Json = _read("What could have been done instead of an entry", 403, 409)["get"]
    change = _post(Amendment)["post"]
    return {
        "/api/amend": {
            "get": {**listed, "parameters": [seat]},
            "post": {**change, "responses": {**change["responses"], "200": _json_body("The difference")}},
        },
        "/api/amend/{of}": {"get": {**other, "parameters": [of, seat]}},
        "/api/shelf": _read("Unfinished matches that can be taken up again"),
    }


def _read(summary: str, *errors: int) -> Json:
    return {"get": {"summary": summary, "responses": {"200": _json_body("As it is now"), **_errors(*errors)}}}


def _stream_path() -> Json:
    number = {"type": "integer", "minimum": 0}
    body = {"text/event-stream": {"schema": {"type": "string"}}}
    return {
        "get": {
            "summary": "Server-sent events: journal entries with ids; scoreboard and live positions without",
            "parameters": [
                {"name": "Last-Event-ID", "in": "header", "schema": number, "description": "go on after this id"},
                {"name": "last_id", "in": "query", "schema": number, "description": "the same, without a header"},
            ],
            "responses": {"200": {"description": "The stream; it does not end", "content": body}, **_errors(400, 503)},
        }
    }


def _picture_path() -> Json:
    kind = {"name": "kind", "in": "path", "required": True, "schema": {"enum": ["camera", "overlay"]}}
    body = {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}
    return {
        "get": {
            "summary": "What the camera sees, bare or with the tracker's overlay",
            "parameters": [kind],
            "responses": {
                "200": {"description": "The newest picture", "content": body},
                "204": {"description": "No picture yet"},
                **_errors(404),
            },
        }
    }


def _replay_path() -> Json:
    entry = {"name": "entry", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
    body = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    told = "Four bytes: the length of a JSON with times_s and sizes; that JSON; the JPEGs one after the other"
    return {
        "get": {
            "summary": "The film of a shot, by its journal entry (the scoreboard's `replays`)",
            "parameters": [entry],
            "responses": {"200": {"description": told, "content": body}, **_errors(404)},
        }
    }


def _commands() -> Json:
    return {f"/api/command/{name}": _post(model) for name, model in COMMANDS.items()}


def _post(model: type[BaseModel]) -> Json:
    schema = {"$ref": REF.format(model=model.__name__)}
    accepted = _json_body("Accepted and journalled", {"$ref": REF.format(model=Accepted.__name__)})
    return {"post": _operation((model.__doc__ or "").strip(), schema, accepted)}


def _table_path() -> Json:
    schema = TABLE_REQUEST.json_schema(ref_template=REF)
    schema.pop("$defs", None)
    summary = "Do something by a simulated hand on the virtual table"
    return {"post": _operation(summary, schema, _json_body("The hand is on its way", {"type": "object"}))}


def _players_path() -> Json:
    schema = {"$ref": REF.format(model=LetPlayers.__name__)}
    return {"post": _operation((LetPlayers.__doc__ or "").strip(), schema, _json_body("Done", {"type": "object"}))}


def _operation(summary: str, schema: Json, accepted: Json) -> Json:
    return {
        "summary": summary,
        "security": [{"csrf": []}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {"200": accepted, **_errors(400, 403, 409, 413, 415, 422, 429, 503)},
    }


def _json_body(description: str, schema: Json | None = None) -> Json:
    return {"description": description, "content": {"application/json": {"schema": schema or {"type": "object"}}}}


def _errors(*statuses: int) -> Json:
    refused = {"$ref": REF.format(model=Refused.__name__)}
    return {str(status): _json_body("Refused; nothing was changed", refused) for status in statuses}


def _set_up() -> Json:
    """Drawing boards and calibrating."""
    done = _json_body("Done", {"type": "object"})
    paths: Json = {}
    for path, (summary, model) in set_up_posts().items():
        paths[path] = {"post": _operation(summary, {"$ref": REF.format(model=model.__name__)}, done)}
    upload = _operation("Take a picture from a file to draw on", {}, done)
    paths[UPLOAD] = {"post": {**upload, "requestBody": upload_body()}}
    kind = {"name": "kind", "in": "path", "required": True, "schema": {"type": "string"}}
    jpeg = {"200": {"description": "The picture", "content": {"image/jpeg": {"schema": {"type": "string"}}}}}
    for path, summary in PICTURES.items():
        responses = {**jpeg, **_errors(403, 404)}
        paths[path] = {"get": {"summary": summary, "parameters": [kind], "responses": responses}}
    for path, summary in SET_UP_PAGES.items():
        paths[path] = {"get": {"summary": summary, "responses": {"200": {"description": "The page"}, **_errors(403)}}}
    name = {**kind, "name": "name"}
    file = _read("A saved board file, as TOML", 403, 404)["get"]
    paths["/boards/file/{name}.toml"] = {"get": {**file, "parameters": [name]}}
    paths["/api/boards"] = _read("The boards that can be opened: those that were saved, and the shipped one", 403)
    return paths


def _schemas() -> Json:
    mode: JsonSchemaMode = "validation"
    models: set[type[BaseModel]] = {
        *COMMANDS.values(),
        *ENTRY_MODELS,
        *SET_UP_MODELS,
        Amendment,
        LetPlayers,
        SeatAction,
        SeatCorrection,
        SeatFreed,
        Accepted,
        Refused,
    }
    ordered = sorted(models, key=lambda m: m.__name__)
    _, document = models_json_schema([(m, mode) for m in ordered], ref_template=REF)
    table = TABLE_REQUEST.json_schema(ref_template=REF).get("$defs", {})
    return {**document["$defs"], **table}
