"""Seats of games kept by taps: who holds which, what each may see and do, history, ratings and export."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, cast

from flask import Blueprint, Response, jsonify, request
from flask import session as cookie

from companion.amend import closed_entries
from companion.claims import SEATS_FILE, Claims
from companion.clocks import KINDS as CLOCKS
from companion.dashboard.amending import amending
from companion.dashboard.answering import fresh
from companion.dashboard.asking import told_as
from companion.dashboard.guard import NotHeld, OutOfTurn, person
from companion.dashboard.models import SeatAction, SeatCorrection, SeatFreed, SeatPlan
from companion.dashboard.protocol import EntryLike, Json
from companion.dashboard.texts import language, refusal
from companion.dashboard.wire import entry_json
from companion.export import bg_stats, bg_stats_link, plays_csv, to_json
from companion.games.base import IllegalMove, Offered
from companion.history import plays, profiles
from companion.journal import Entry
from companion.ratings import ranking, ratings
from companion.tap import registry

BYTE_ORDER_MARK = "\ufeff"  # without it spreadsheets take UTF-8 for the letters of another age
SECRET_BYTES = 16  # of chance that tell a browser from all others
BROWSER = "browser"  # the cookie's field: the secret of whoever holds seats


class TapTable(Protocol):
    """The part of a companion that these pages need."""

    @property
    def data_dir(self) -> Path: ...
    def entries_after(self, last_id: int, limit: int = 500) -> Sequence[EntryLike]: ...
    def match_number(self) -> int: ...
    def seats(self) -> tuple[str, ...]: ...
    def clocks(self) -> Json | None: ...
    def tap(self, seat: str, type: str, data: Mapping[str, object], seen: int | None = None) -> Sequence[EntryLike]: ...
    def free_seat(self, seat: str, match: int, by: str) -> None: ...
    def seat_view(self, seat: str) -> Json: ...
    def offers(self, seat: str, plan: Mapping[str, object]) -> Offered: ...
    def ledger(self, seat: str | None) -> list[Json]: ...
    def choices(self, of: int, seat: str | None) -> list[Json]: ...
    def amend(self, told: Mapping[str, object], seat: str | None, by: str, *, accept: bool) -> Json: ...
    def shelf(self) -> list[Json]: ...
    def whole_journal(self) -> list[Entry]: ...


def make_seats(companion: object) -> Blueprint:
    """The blueprint over one companion."""
    blueprint, table = Blueprint("seats", __name__), cast(TapTable, companion)
    claims = Claims(table.match_number, lambda match: _begun(table, match), table.data_dir / SEATS_FILE)
    for make in (_claiming, _freeing, _playing):
        make(blueprint, table, claims)
    amending(blueprint, table, lambda: _mine(table, claims))
    _records(blueprint, table)
    return blueprint


def browser() -> str:
    """The secret by which a browser is known again, made when it first asks.

    It stays the same whatever the browser takes or lets go of: answers that overtake each other leave no seat without
    its holder. It outlives a restart of the browser: the screen at the table goes out with the machine.
    """
    if not cookie.permanent:  # set once: an answer that is late must not bring an older cookie back
        cookie.permanent = True
    return str(cookie.setdefault(BROWSER, secrets.token_urlsafe(SECRET_BYTES)))


def _begun(table: TapTable, match: int) -> str:
    """When a match was begun; empty where there is none of that number."""
    found = table.entries_after(match - 1, 1) if match > 0 else []
    return found[0].time if found and found[0].id == match else ""


def _mine(table: TapTable, claims: Claims) -> list[str]:
    """The seats that this browser holds."""
    mine = claims.of(browser())
    return [seat for seat in table.seats() if seat in mine]


def _only_holder(table: TapTable, claims: Claims, seat: str) -> None:
    """What a seat alone may see and do is refused to everybody else."""
    if seat not in _mine(table, claims):
        raise NotHeld


def _claiming(blueprint: Blueprint, table: TapTable, claims: Claims) -> None:
    @blueprint.get("/api/games")
    def games() -> Response:
        return jsonify(games=registry(), clocks=list(CLOCKS))

    @blueprint.get("/api/seats")
    def seats() -> Response:
        mine, holdings = _mine(table, claims), claims.holdings()
        match = table.match_number()  # asked last: no seat of it is missing, where one is begun just now
        told = {"held": sorted(holdings), "holdings": holdings, "mine": mine}
        return fresh(jsonify(match=match, seats=table.seats(), **told, clocks=table.clocks()))

    @blueprint.post("/api/seat/<seat>/claim")
    def claim(seat: str) -> Response:
        bound = person().seat
        if bound is not None and bound != seat and bound in table.seats():
            raise OutOfTurn(seat)
        if seat not in table.seats():
            raise IllegalMove("{seat} is no seat of the match that is on", seat=seat)
        if not claims.claim(seat, browser()):
            raise IllegalMove("{seat} is held on another screen; let go of it there first", seat=seat)
        return fresh(jsonify(seat=seat))

    @blueprint.post("/api/seat/<seat>/release")
    def release(seat: str) -> Response:
        _only_holder(table, claims, seat)
        claims.release(seat)
        return fresh(jsonify(seat=seat))


def _freeing(blueprint: Blueprint, table: TapTable, claims: Claims) -> None:
    @blueprint.post("/api/seat/<seat>/free")
    def free(seat: str) -> Response:
        told = told_as(SeatFreed)
        with claims.freeing(seat) as holding:
            if holding is None:
                raise IllegalMove("nobody holds {seat} in the match that is on; it can be taken", seat=seat)
            if holding != told.holding and told.match == table.match_number():
                raise IllegalMove("{seat} was taken anew meanwhile; look who holds it now, then free it", seat=seat)
            table.free_seat(seat, told.match, person().name)
        return fresh(jsonify(seat=seat))


def _playing(blueprint: Blueprint, table: TapTable, claims: Claims) -> None:
    @blueprint.get("/api/seat/<seat>")
    def view(seat: str) -> Response:
        _only_holder(table, claims, seat)
        return fresh(jsonify(table.seat_view(seat)))

    @blueprint.get("/api/seat/<seat>/offers")
    def offers(seat: str) -> Response:
        _only_holder(table, claims, seat)
        plan = SeatPlan.model_validate_json(request.args.get("plan", "{}"))
        found = table.offers(seat, plan.root)
        return fresh(jsonify({**found.fields, "why": refusal(found.refused) if found.refused is not None else None}))

    @blueprint.post("/api/seat/<seat>/act")
    def act(seat: str) -> Response:
        _only_holder(table, claims, seat)
        told = told_as(SeatAction)
        return fresh(jsonify(entries=[entry_json(e) for e in table.tap(seat, told.type, told.data, told.seen)]))

    @blueprint.post("/api/seat/<seat>/correct")
    def correct(seat: str) -> Response:
        _only_holder(table, claims, seat)
        told = told_as(SeatCorrection)
        body = {"of": told.of, "type": told.type, "data": told.data, "seen": told.seen}
        return fresh(jsonify(table.amend(body, seat, seat, accept=told.accept)))


def _records(blueprint: Blueprint, table: TapTable) -> None:
    @blueprint.get("/api/history")
    def history() -> Response:
        played, spoken = plays(table.whole_journal()), language()
        people = [{"name": p.name, "plays": p.plays, "wins": p.wins, "best": p.best} for p in profiles(played).values()]
        return fresh(
            jsonify(plays=[{**bg_stats(p, spoken), "link": bg_stats_link(p, spoken)} for p in played], players=people)
        )

    @blueprint.get("/api/ratings")
    def tables() -> Response:
        found = ratings(plays(table.whole_journal()))
        body = {
            game: [{"name": r.name, "mu": r.mu, "sigma": r.sigma, "ordinal": r.ordinal, "plays": r.plays} for r in rows]
            for game, rows in ((game, ranking(people)) for game, people in found.items())
        }
        return fresh(jsonify(body))

    @blueprint.get("/export/plays.csv")
    def csv_file() -> Response:
        """For a spreadsheet: a mark says that it is UTF-8, and in French a comma is in figures, not between values."""
        told = plays_csv(plays(table.whole_journal()), ";" if language() == "fr" else ",", language())
        return _file(BYTE_ORDER_MARK + told, "text/csv", "plays.csv")

    @blueprint.get("/export/journal.json")
    def json_file() -> Response:
        """Everything but matches that are not over, whose hidden things nobody may read yet."""
        return _file(to_json(closed_entries(table.whole_journal())), "application/json", "journal.json")


def _file(text: str, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return fresh(Response(text, mimetype=kind, headers=headers))
