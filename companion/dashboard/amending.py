"""Earlier entries over HTTP: the list, what could have been done instead, and a difference before it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from flask import Blueprint, Response, abort, jsonify, request

from companion.dashboard.guard import NotHeld, person
from companion.dashboard.models import Amendment
from companion.dashboard.protocol import Json

UNSUPPORTED = 415


class AmendTable(Protocol):
    """The part of a companion that these addresses need."""

    def ledger(self, seat: str | None) -> list[Json]: ...
    def choices(self, of: int, seat: str | None) -> list[Json]: ...
    def amend(self, told: Mapping[str, object], seat: str | None, by: str, *, accept: bool) -> Json: ...
    def shelf(self) -> list[Json]: ...


def amending(blueprint: Blueprint, table: AmendTable, mine: Callable[[], list[str]]) -> None:
    """Adds the addresses to a blueprint. mine: the seats that the asking browser holds."""

    def as_seat(seat: str | None) -> str | None:
        """The seat that is asked for, where this browser holds it."""
        if seat is not None and seat not in mine():
            raise NotHeld
        return seat

    @blueprint.get("/api/amend")
    def ledger() -> Response:
        return _fresh(jsonify(entries=table.ledger(as_seat(request.args.get("seat") or None))))

    @blueprint.get("/api/amend/<int:of>")
    def choices(of: int) -> Response:
        return _fresh(jsonify(choices=table.choices(of, as_seat(request.args.get("seat") or None))))

    @blueprint.post("/api/amend")
    def amend() -> Response:
        if not request.is_json:
            abort(UNSUPPORTED)
        told = Amendment.model_validate_json(request.get_data())
        seat = as_seat(told.seat)
        body = told.model_dump(exclude_none=True, exclude={"seat", "accept"})
        return _fresh(jsonify(table.amend(body, seat, seat or person().name, accept=told.accept)))

    @blueprint.get("/api/shelf")
    def shelf() -> Response:
        return _fresh(jsonify(matches=table.shelf()))


def _fresh(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
