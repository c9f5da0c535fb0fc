"""The page for new boards, and what it asks of the server."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask_wtf.csrf import generate_csrf

from calibration.board import Rim
from calibration.drawn_board import DrawnBoard
from calibration.lens import CalibrationError
from calibration.rectify import BareBoard
from companion.board_desk import BoardDesk, file_name
from companion.dashboard.asking import UNSUPPORTED, told_as
from companion.dashboard.board_models import Drawing, FromAbove, PickColour, RimDrawn
from companion.dashboard.errors import error_json
from companion.dashboard.protocol import Json
from companion.dashboard.set_up_words import words_in
from companion.dashboard.texts import language

PICTURE_PATH = "/api/boards/picture"
PICTURE_BYTES = 24 * 1024 * 1024  # a photograph from a phone
PICTURE_TYPES = ("image/jpeg", "image/png", "application/octet-stream")
UNPROCESSABLE = 422


def make_boards(desk: BoardDesk) -> Blueprint:
    """The blueprint over one desk."""
    boards = Blueprint("boards", __name__)
    for make in (_page, _pictures, _drawing):
        make(boards, desk)

    # before all else, as the check of tokens already looks at how long the request is
    boards.record_once(lambda state: state.app.before_request_funcs.setdefault(None, []).insert(0, _let_pictures_in))

    @boards.errorhandler(CalibrationError)
    def refused(error: CalibrationError) -> Response:
        return error_json(str(error), UNPROCESSABLE)

    return boards


def _let_pictures_in() -> None:
    """A picture may be larger than a command."""
    if request.path == PICTURE_PATH:
        request.max_content_length = PICTURE_BYTES


def _page(boards: Blueprint, _desk: BoardDesk) -> None:
    @boards.get("/boards")
    def page() -> str:
        words = words_in(language())
        return render_template("boards.html", page="boards", w=words, words=words, csrf_token=generate_csrf())


def _pictures(boards: Blueprint, desk: BoardDesk) -> None:
    @boards.post(PICTURE_PATH)
    def from_file() -> Response:
        """Takes a picture from a file."""
        if request.mimetype not in PICTURE_TYPES:
            abort(UNSUPPORTED)
        return jsonify(desk.take_picture(request.get_data()))

    @boards.post("/api/boards/picture/camera")
    def from_camera() -> Response:
        return jsonify(desk.take_picture())

    @boards.post("/api/boards/above")
    def from_above() -> Response:
        asked = told_as(FromAbove)
        bare = BareBoard((asked.size[0], asked.size[1]), _rim(asked.rim), asked.markers)
        return jsonify(desk.from_above(bare, asked.corners))

    @boards.get("/boards/<kind>.jpg")
    def picture(kind: str) -> Response:
        shown = {"picture": desk.picture, "above": desk.above}.get(kind)
        data = shown() if shown is not None else None
        if data is None:
            abort(404)
        return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @boards.post("/api/boards/colour")
    def colour() -> Response:
        asked = told_as(PickColour)
        return jsonify(colour=desk.colour((asked.at[0], asked.at[1]), asked.height))


def _drawing(boards: Blueprint, desk: BoardDesk) -> None:
    @boards.post("/api/boards/check")
    def check() -> Response:
        return jsonify(_judged(desk.judge(told_as(Drawing).model_dump(exclude_none=True))))

    @boards.post("/api/boards/save")
    def save() -> Response:
        drawing = told_as(Drawing).model_dump(exclude_none=True)
        path = desk.save(drawing)
        name = file_name(drawing["name"])
        return jsonify(path=str(path), address=f"/boards/file/{name}.toml", **_judged(desk.judge(drawing)))

    @boards.get("/boards/file/<name>.toml")
    def file(name: str) -> Response:
        data = desk.saved(name)
        if data is None:
            abort(404)
        shown = f'attachment; filename="{file_name(name)}.toml"'
        return Response(data, mimetype="application/toml", headers={"Content-Disposition": shown})


def _judged(drawn: DrawnBoard) -> Json:
    lang = language()
    return {
        "usable": drawn.usable,
        "mistakes": [{"shape": m.shape, "error": m.error, "text": m.texts[lang]} for m in drawn.mistakes],
    }


def _rim(drawn: RimDrawn | None) -> Rim | None:
    return Rim(drawn.width, drawn.height) if drawn is not None else None
