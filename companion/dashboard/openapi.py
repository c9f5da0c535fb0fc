"""The API's description, generated from the models that check requests."""

from __future__ import annotations

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from companion.dashboard.models import COMMANDS, TABLE_REQUEST, Accepted, LetPlayers, Refused
from companion.dashboard.protocol import Json
from companion.dashboard.security import CSRF_HEADER

REF = "#/components/schemas/{model}"


def openapi_document(version: str) -> Json:
    """The OpenAPI 3.1 document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Paleo Companion",
            "version": version,
            "description": "Score, board and journal of one table. Lengths are millimetres, x to the east, y south.",
        },
        "paths": {**_reads(), **_commands(), "/api/table": _table_path(), "/api/players": _players_path()},
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"csrf": {"type": "apiKey", "in": "header", "name": CSRF_HEADER}},
        },
    }


def _reads() -> Json:
    return {
        "/healthz": _read("Whether the companion works", 503),
        "/api/scoreboard": _read("Score, turn, phase, players and pucks", 503),
        "/api/board": _read("The board's geometry"),
        "/api/session": _read("A token for commands, bound to the session's cookie"),
        "/api/openapi.json": _read("This document"),
        "/api/stream": _stream_path(),
        "/picture/{kind}.jpg": _picture_path(),
        "/replay/{entry}": _replay_path(),
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
        "responses": {"200": accepted, **_errors(400, 409, 413, 415, 422, 503)},
    }


def _json_body(description: str, schema: Json | None = None) -> Json:
    return {"description": description, "content": {"application/json": {"schema": schema or {"type": "object"}}}}


def _errors(*statuses: int) -> Json:
    refused = {"$ref": REF.format(model=Refused.__name__)}
    return {str(status): _json_body("Refused; nothing was changed", refused) for status in statuses}


def _schemas() -> Json:
    mode: JsonSchemaMode = "validation"
    models: set[type[BaseModel]] = {*COMMANDS.values(), LetPlayers, Accepted, Refused}
    ordered = sorted(models, key=lambda m: m.__name__)
    _, document = models_json_schema([(m, mode) for m in ordered], ref_template=REF)
    table = TABLE_REQUEST.json_schema(ref_template=REF).get("$defs", {})
    return {**document["$defs"], **table}
