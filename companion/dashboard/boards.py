"""The page to draw boards, and what it asks of the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from urllib.parse import quote

from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask_wtf.csrf import generate_csrf
from pydantic import ValidationError

from calibration.board import BoardFileError, Rim, parse_board
from calibration.drawn_board import DrawingError, DrawnBoard
from calibration.lens import CalibrationError
from calibration.rectify import BareBoard
from companion.board_desk import BoardDesk, file_name
from companion.dashboard.asking import told_as
from companion.dashboard.board_models import Drawing, FromAbove, OpenBoard, PickColour, RimDrawn, SaveBoard
from companion.dashboard.errors import error_json, invalid
from companion.dashboard.protocol import Json
from companion.dashboard.set_up_words import words_in
from companion.dashboard.texts import language, team_words
from companion.dashboard.troubles import trouble
from companion.words import NO_BREAK

PICTURE_PATH = "/api/boards/picture"
PICTURE_BYTES = 24 * 1024 * 1024  # a photograph from a phone
DRAWING_PATHS = ("/api/boards/check", "/api/boards/save", "/api/boards/open", "/api/boards/above")
DRAWING_BYTES = 1024 * 1024  # the largest board that can be drawn, with the file that it was opened from
FIELDS = {  # parts of a drawing -> the fields of the page that they are typed into
    "name": "name", "size.0": "width", "size.1": "height", "rim.width": "rim_width", "rim.height": "rim_height",
    "puck.diameter": "puck_diameter", "puck.height": "puck_height", "reef.length": "reef_length",
    "reef.width": "reef_width", "reef.height": "reef_height", "markers": "markers",
}  # fmt: skip
TEAM_FIELDS = {"name": "boards.team_name", "mercenaries": "boards.mercenaries", "explorers": "boards.explorers"}
PICTURE_TYPES = ("image/jpeg", "image/png", "application/octet-stream")


def make_boards(desk: BoardDesk) -> Blueprint:
    """The blueprint over one desk."""
    boards = Blueprint("boards", __name__)
    for make in (_page, _pictures, _drawing, _files):
        make(boards, desk)

    # before all else, as the check of tokens already looks at how long the request is
    boards.record_once(lambda state: state.app.before_request_funcs.setdefault(None, []).insert(0, _let_pictures_in))

    @boards.errorhandler(CalibrationError)
    @boards.errorhandler(BoardFileError)
    def refused(error: ValueError) -> Response:
        told = _told(error.texts) if isinstance(error, DrawingError) else trouble(str(error))
        return error_json(told, HTTPStatus.UNPROCESSABLE_ENTITY)

    @boards.errorhandler(ValidationError)
    def amiss(error: ValidationError) -> Response:
        """What was typed into a field of the page is told by the field's own name there."""
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = _field(first["loc"])
        if field is None:
            return invalid(error)
        colon = f"{NO_BREAK}:" if language() == "fr" else ":"
        return error_json(f"{field}{colon} {trouble(first['msg'])}", HTTPStatus.UNPROCESSABLE_ENTITY)

    return boards


def _field(where: Sequence[int | str]) -> str | None:
    """A part of a drawing as the page calls it, without its unit; None where the page has no field for it."""
    words = words_in(language())
    if len(where) > 2 and where[0] == "teams" and where[2] in TEAM_FIELDS:
        return f"{words[TEAM_FIELDS[str(where[2])]]} ({int(where[1]) + 1})"
    name = FIELDS.get(".".join(map(str, where)))
    return None if name is None else words[f"boards.{name}"].partition(" (")[0]


def _let_pictures_in() -> None:
    """A picture, or a drawing, may be larger than a command."""
    if request.path == PICTURE_PATH:
        request.max_content_length = PICTURE_BYTES
    elif request.path in DRAWING_PATHS:
        request.max_content_length = DRAWING_BYTES


def _page(boards: Blueprint, _desk: BoardDesk) -> None:
    @boards.get("/boards")
    def page() -> str:
        words = words_in(language())
        return render_template(
            "boards.html", page="boards", w=words, words=words, teams=team_words(), csrf_token=generate_csrf()
        )


def _pictures(boards: Blueprint, desk: BoardDesk) -> None:
    @boards.post(PICTURE_PATH)
    def from_file() -> Response:
        """Takes a picture from a file."""
        if request.mimetype not in PICTURE_TYPES:
            abort(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        return jsonify(desk.take_picture(request.get_data()))

    @boards.post("/api/boards/picture/camera")
    def from_camera() -> Response:
        return jsonify(desk.take_picture())

    @boards.post("/api/boards/above")
    def from_above() -> Response:
        asked = told_as(FromAbove)
        own = parse_board(asked.source).markers if asked.keep_markers and asked.source else None
        bare = BareBoard((asked.size[0], asked.size[1]), _rim(asked.rim), asked.markers, own)
        return jsonify(desk.from_above(bare, asked.corners, asked.picture))

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
        return jsonify(colour=desk.colour((asked.at[0], asked.at[1]), asked.height, asked.picture))


def _drawing(boards: Blueprint, desk: BoardDesk) -> None:
    @boards.post("/api/boards/check")
    def check() -> Response:
        return jsonify(_judged(desk.judge(told_as(Drawing).model_dump(exclude_none=True))))


def _files(boards: Blueprint, desk: BoardDesk) -> None:
    @boards.get("/api/boards")
    def listed() -> Response:
        return jsonify(boards=desk.boards())

    @boards.post("/api/boards/open")
    def opened() -> Response:
        asked = told_as(OpenBoard)
        answer = desk.open(asked.file, asked.text)
        drawing = _drawable(answer["drawing"])
        return jsonify({**answer, "drawing": drawing})

    @boards.post("/api/boards/save")
    def save() -> Response:
        asked = told_as(SaveBoard)
        drawing = asked.model_dump(exclude_none=True, exclude={"file", "replace"})
        try:
            path, drawn = desk.save(drawing, asked.file, asked.replace)
        except FileExistsError as error:
            return error_json(str(error), HTTPStatus.CONFLICT, "board_exists")
        address = f"/boards/file/{quote(path.stem)}.toml"
        return jsonify(path=str(path), file=path.stem, address=address, **_judged(drawn))

    @boards.get("/boards/file/<name>.toml")
    def file(name: str) -> Response:
        data = desk.saved(name)
        if data is None:
            abort(404)
        shown = f'attachment; filename="{file_name(name)}.toml"'
        return Response(data, mimetype="application/toml", headers={"Content-Disposition": shown})


def _drawable(drawing: Json) -> Json:
    """The drawing, once sure that the page may send it back. Raises BoardFileError with the part that may not."""
    measures = drawing["measures"]
    sent = {
        "name": measures["name"], "size": [measures["width"], measures["height"]],
        "puck": {"diameter": measures["puck_diameter"], "height": measures["puck_height"]},
        "rim": {"width": measures["rim_width"], "height": measures["rim_height"]},
        **{key: drawing[key] for key in ("source", "keep_markers", "mirror", "teams", "shapes")},
    }  # fmt: skip
    try:
        Drawing.model_validate(sent)
    except ValidationError as error:
        first = error.errors()[0]
        where = " ".join(map(str, first["loc"]))
        raise BoardFileError(
            f"this board cannot be changed here ({where}: {first['msg']}); change its file with a text editor"
        ) from None
    return drawing


def _judged(drawn: DrawnBoard) -> Json:
    told = [{"shape": m.shape, "error": m.error, "text": _told(m.texts)} for m in drawn.mistakes]
    return {"usable": drawn.usable, "mistakes": told}


def _told(texts: Mapping[str, str]) -> str:
    """What is wrong in the language of this request; what came with no French of its own is looked up."""
    return trouble(texts["en"]) if texts["fr"] == texts["en"] else texts[language()]


def _rim(drawn: RimDrawn | None) -> Rim | None:
    return Rim(drawn.width, drawn.height) if drawn is not None else None
