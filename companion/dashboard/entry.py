"""Coming in: passes by QR code, codes of owner and referee, and who holds what."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, jsonify, request
from flask import session as cookie
from flask_limiter import Limiter

from companion.access import Access, Pass, Role
from companion.dashboard.answering import fresh
from companion.dashboard.asking import told_as
from companion.dashboard.guard import ALL_SIGN_INS_LIMIT, PASS_FIELD, SIGN_IN_LIMIT, Refusals, need, person
from companion.dashboard.models import Join, NewPass, Nothing, SignIn
from companion.dashboard.protocol import CompanionLike, Json
from companion.dashboard.qr import modules
from companion.games.base import IllegalMove


def make_entry(companion: CompanionLike, access: Access, limiter: Limiter) -> Blueprint:
    """The blueprint over one companion."""
    blueprint = Blueprint("entry", __name__)
    _coming(blueprint, companion, access, limiter)
    _passes(blueprint, companion, access)
    return blueprint


def _coming(blueprint: Blueprint, companion: CompanionLike, access: Access, limiter: Limiter) -> None:
    once = limiter.limit(SIGN_IN_LIMIT)
    together = limiter.shared_limit(ALL_SIGN_INS_LIMIT, scope="sign-in", key_func=lambda: "everybody")

    @blueprint.get("/api/me")
    def me() -> Response:
        return fresh(jsonify(_me()))

    @blueprint.post("/api/join")
    @once
    def join() -> Response:
        """Takes the pass of a QR code."""
        secret = told_as(Join).token
        if access.find(secret) is None:
            return _refused("pass refused", "this code holds no more; have a new one shown at the table")
        return _in(companion, access, secret)

    @blueprint.post("/api/sign-in")
    @once
    @together
    def sign_in() -> Response:
        """Makes a pass for whoever knows the owner's or the referee's code."""
        told = told_as(SignIn)
        role = access.role_of_code(told.code)
        if role is None:
            return _refused("code refused", "this is no code of this table; the owner can make a new one")
        secret, _ = access.new_pass(role, label=told.label, by_code=True)
        return _in(companion, access, secret)

    @blueprint.post("/api/sign-out")
    def sign_out() -> Response:
        """Gives the pass back that this device came in by; a printed code goes on holding for others."""
        told_as(Nothing)
        held = access.find(str(cookie.pop(PASS_FIELD, "")))
        if held is not None and held.by_code:
            access.revoke(held.id)
        return fresh(jsonify(ok=True))


def _in(companion: CompanionLike, access: Access, secret: str) -> Response:
    held = access.find(secret)
    assert held is not None
    cookie[PASS_FIELD] = secret
    cookie.permanent = True
    companion.audit({"what": "came in", "pass": held.id, "role": held.role.word, "seat": held.seat})
    return fresh(jsonify(role=held.role.word, seat=held.seat))


def _refused(what: str, why: str) -> Response:
    refusals: Refusals = current_app.extensions["paleo_refusals"]
    refusals.tell(what, request.path)
    response = fresh(jsonify(error=why, rule=None))
    response.status_code = 403
    return response


def _passes(blueprint: Blueprint, companion: CompanionLike, access: Access) -> None:
    @blueprint.get("/api/access")
    def held() -> Response:
        codes = {role.word: access.has_code(role) for role in (Role.REFEREE, Role.OWNER)}
        return fresh(jsonify(codes=codes, passes=[_shown(p) for p in access.passes()]))

    @blueprint.post("/api/passes")
    def new_pass() -> Response:
        """A pass for a player or a referee, as a link for a QR code; its secret is told this once."""
        told = told_as(NewPass)
        role = Role[told.role.upper()]
        need(Role.OWNER if role > Role.PLAYER else Role.REFEREE)
        secret, made = access.new_pass(role, told.seat, told.label)
        companion.audit({"what": "pass made", "pass": made.id, "role": told.role, "seat": told.seat,
                         "label": told.label, "by": person().name})  # fmt: skip
        links = [f"{base}/join#{secret}" for base in current_app.config["PALEO_ADDRESSES"] or [request.host_url[:-1]]]
        return fresh(jsonify({**_shown(made), "links": [{"url": u, "qr": modules(u)} for u in links]}))

    @blueprint.post("/api/passes/<int:number>/revoke")
    def revoke(number: int) -> Response:
        """Takes a pass back: whoever came in by it watches from now on. Raises IllegalMove where there is none."""
        told_as(Nothing)
        found = next((p for p in access.passes() if p.id == number), None)
        if found is None:
            raise IllegalMove("there is no pass {number}; it was taken back already", number=number)
        need(Role.OWNER if found.role > Role.PLAYER else Role.REFEREE)
        access.revoke(number)
        companion.audit({"what": "pass taken back", "pass": number, "by": person().name})
        return fresh(jsonify(ok=True))

    @blueprint.post("/api/codes/<role>")
    def new_code(role: str) -> Response:
        """A new code for owner or referee, told this once; who came in by the old one watches from now on."""
        told_as(Nothing)
        if role not in (Role.REFEREE.word, Role.OWNER.word):
            abort(404)
        code = access.new_code(Role[role.upper()])
        companion.audit({"what": "code made", "role": role, "by": person().name})
        return fresh(jsonify(code=code))


def _me() -> Json:
    who = person()
    return {"role": who.role.word, "seat": who.seat, "here": who.here, "pass": who.pass_id}


def _shown(held: Pass) -> Json:
    return {"id": held.id, "role": held.role.word, "seat": held.seat, "label": held.label, "made": held.made,
            "by_code": held.by_code}  # fmt: skip
