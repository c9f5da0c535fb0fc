"""The page for calibrating, and what it asks of the server."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, abort, jsonify, render_template
from flask_wtf.csrf import generate_csrf

from calibration.check import Check
from calibration.check_words import advised, name, told
from calibration.lens import CalibrationError
from calibration.sheets import CHARUCO
from companion.calibration_desk import CalibrationDesk
from companion.dashboard.asking import told_as
from companion.dashboard.calibration_models import BeginLens, FindPose, LensTurn
from companion.dashboard.errors import error_json
from companion.dashboard.models import Nothing
from companion.dashboard.protocol import Json
from companion.dashboard.set_up_words import words_in
from companion.dashboard.texts import language
from companion.dashboard.troubles import trouble


def make_calibration(desk: CalibrationDesk) -> Blueprint:
    """The blueprint over one desk."""
    pages = Blueprint("calibration", __name__)
    for make in (_page, _lens, _pose_and_check, _flick):
        make(pages, desk)

    @pages.errorhandler(CalibrationError)
    def refused(error: CalibrationError) -> Response:
        return error_json(trouble(str(error)), HTTPStatus.UNPROCESSABLE_ENTITY)

    return pages


def _page(pages: Blueprint, desk: CalibrationDesk) -> None:
    @pages.get("/calibration")
    def page() -> str:
        words = words_in(language())
        token = generate_csrf()
        return render_template("calibration.html", page="calibration", w=words, words=words, pattern=CHARUCO,
                               begun=desk.begun(), csrf_token=token)  # fmt: skip

    @pages.get("/calibration/<kind>.jpg")
    def picture(kind: str) -> Response:
        data = desk.picture(kind, language())
        if data is None:
            abort(404)
        return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


def _lens(pages: Blueprint, desk: CalibrationDesk) -> None:
    @pages.post("/api/calibration/lens/begin")
    def begin() -> Response:
        return jsonify(desk.begin_lens(told_as(BeginLens).pattern))

    @pages.post("/api/calibration/lens/look")
    def look() -> Response:
        return jsonify(desk.look(told_as(LensTurn).turn))

    @pages.post("/api/calibration/lens/finish")
    def finish() -> Response:
        found = desk.finish_lens(told_as(LensTurn).turn)
        dropped = [{**one, "why": trouble(one["why"])} for one in found["dropped"]]
        return jsonify({**found, "dropped": dropped, "warnings": _told(found["warnings"])})


def _pose_and_check(pages: Blueprint, desk: CalibrationDesk) -> None:
    @pages.post("/api/calibration/pose")
    def pose() -> Response:
        asked = told_as(FindPose)
        found = desk.pose(asked.corners, asked.size)
        return jsonify({**found, "source": trouble(found["source"]), "warnings": _told(found["warnings"])})

    @pages.post("/api/calibration/check/begin")
    def begin_check() -> Response:
        told_as(Nothing)
        return jsonify(desk.begin_check())

    @pages.post("/api/calibration/check/look")
    def add_frame() -> Response:
        told_as(Nothing)
        return jsonify(desk.add_frame())

    @pages.post("/api/calibration/check/finish")
    def check() -> Response:
        told_as(Nothing)
        return jsonify(_shown(desk.check()))


def _flick(pages: Blueprint, desk: CalibrationDesk) -> None:
    @pages.post("/api/calibration/flick/begin")
    def begin_flick() -> Response:
        told_as(Nothing)
        return jsonify(desk.begin_flick())

    @pages.post("/api/calibration/flick/look")
    def watch_flick() -> Response:
        told_as(Nothing)
        return jsonify(desk.watch_flick())

    @pages.post("/api/calibration/flick/finish")
    def check_flick() -> Response:
        told_as(Nothing)
        return jsonify(_shown(desk.check_flick()))


def _told(warnings: list[str]) -> list[str]:
    return [trouble(one) for one in warnings]


def _shown(check: Check) -> Json:
    lang = language()
    return {
        "grade": check.grade,
        "findings": [
            {"grade": f.grade, "name": name(f.key, lang), "text": told(f.key, f.figures, lang),
             "advice": advised(f.advice, f.figures, lang)}
            for f in check.findings
        ],
    }  # fmt: skip
