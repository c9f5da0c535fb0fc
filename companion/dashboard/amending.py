"""Earlier entries over HTTP: the list, what could have been done instead, and a difference before it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from flask import Blueprint, Response, jsonify, request

from companion.dashboard.answering import fresh
from companion.dashboard.asking import told_as
from companion.dashboard.guard import NotHeld, person
from companion.dashboard.models import Amendment
from companion.dashboard.protocol import Json


class AmendTable(Protocol):
    """The part of a companion that these addresses need."""

    def ledger(self, seat: str | None) -> list[Json]: ...
    def choices(self, of: int, seat: str | None) -> list[Json]: ...
    def amend(self, told: Mapping[str, object], seat: str | None, by: str, *, accept: bool) -> Json: ...
    def shelf(self) -> list[Json]: ...


def amending(blueprint: Blueprint, table: AmendTable, mine: Callable[[], list[str]]) -> None:
    """Adds the addresses to a blueprint. mine: the seats that the asking browser holds."""

    def as_seat(seat: str | None) -> str | None:
        """The seat that is asked for. Raises NotHeld where this browser does not hold it."""
        if seat is not None and seat not in mine():
            raise NotHeld
        return seat

    @blueprint.get("/api/amend")
    def ledger() -> Response:
        return fresh(jsonify(entries=table.ledger(as_seat(request.args.get("seat") or None))))

    @blueprint.get("/api/amend/<int:of>")
    def choices(of: int) -> Response:
        return fresh(jsonify(choices=table.choices(of, as_seat(request.args.get("seat") or None))))

    @blueprint.post("/api/amend")
    def amend() -> Response:
        told = told_as(Amendment)
        seat = as_seat(told.seat)
        body = told.model_dump(exclude_none=True, exclude={"seat", "accept"})
        return fresh(jsonify(table.amend(body, seat, seat or person().name, accept=told.accept)))

    @blueprint.get("/api/shelf")
    def shelf() -> Response:
        return fresh(jsonify(matches=table.shelf()))
