"""The API's description of coming in, passes, records, amendments, backup: the part beside the match itself."""

from __future__ import annotations

from pydantic import BaseModel

from companion.dashboard.models import Amendment, Join, NewPass, Nothing, SignIn
from companion.dashboard.protocol import Json

MODELS: tuple[type[BaseModel], ...] = (Amendment, Join, NewPass, SignIn)
READS = {
    "/api/me": "Who asks: role, seat, and whether from the machine itself",
    "/api/access": "Which codes there are, and the passes that hold",
    "/api/statistics": "Every match: points over time, rests, ways, touches, speeds, pawns",
    "/api/amend": "The earlier entries that may be undone or told otherwise",
    "/api/shelf": "Matches that were left unfinished",
}
FILES = {
    "/backup.zip": ("Everything in one file", "application/zip"),
    "/authority.crt": ("The certificate that phones may install once", "application/x-x509-ca-cert"),
}
POSTS: dict[str, tuple[str, type[BaseModel]]] = {
    "/api/join": ("Come in by the pass of a QR code", Join),
    "/api/sign-in": ("Come in by the owner's or the referee's code", SignIn),
    "/api/sign-out": ("Watch from now on", Nothing),
    "/api/passes": ("Make a pass for a QR code; its secret is told this once", NewPass),
    "/api/passes/{number}/revoke": ("Take a pass back", Nothing),
    "/api/codes/{role}": ("Make a new code; it is told this once", Nothing),
    "/api/dispute/{entry}": ("Keep the film of a shot on", Nothing),
    "/api/amend": ("Undo or correct an earlier entry; what would change is shown first", Amendment),
    "/api/restore/end": ("Check the backup that was sent, and leave it for the next start", Nothing),
}
PLACES: dict[str, Json] = {
    "number": {"type": "integer", "minimum": 0},
    "entry": {"type": "integer", "minimum": 0},
    "part": {"type": "integer", "minimum": 0},
    "of": {"type": "integer", "minimum": 0},
    "role": {"enum": ["owner", "referee"]},
}


def entry_paths(ref: str) -> Json:
    """The paths; `ref` is the form of a reference to a model."""
    paths: Json = {}
    for path, summary in READS.items():
        paths[path] = {"get": _operation(path, summary, _json("As it is now"), 403)}
    paths["/api/amend/{of}"] = {"get": _operation("/api/amend/{of}", "What an entry could be instead", _json("These"))}
    for path, (summary, kind) in FILES.items():
        paths[path] = {"get": _operation(path, summary, _file(summary, kind), 403, 404)}
    told = "A shot's ways, touches and doors, how it was ruled, and whether it was corrected"
    paths["/api/shot/{entry}"] = {"get": _operation("/api/shot/{entry}", told, _json(told))}
    path = "/recording/{entry}.zip"
    told = "A shot's film as clip.mp4, with what was seen, ruled and corrected as shot.json"
    paths[path] = {"get": _operation(path, told, _file(told, "application/zip"), 403, 404)}
    for path, (summary, model) in POSTS.items():
        content = {"application/json": {"schema": {"$ref": ref.format(model=model.__name__)}}}
        paths.setdefault(path, {})["post"] = _command(path, summary, content)
    body = {"application/octet-stream": {"schema": {"type": "string", "format": "binary", "maxLength": 1 << 20}}}
    paths["/api/restore/{part}"] = {"post": _command("/api/restore/{part}", "One piece of a backup, from 0 on", body)}
    return paths


def _operation(path: str, summary: str, answer: Json, *errors: int) -> Json:
    names = [part.partition("}")[0] for part in path.split("{")[1:]]
    places = [{"name": n, "in": "path", "required": True, "schema": PLACES[n]} for n in names]
    responses = {"200": answer, **{str(status): _json("Refused; nothing was changed") for status in errors}}
    return {"summary": summary, "responses": responses, **({"parameters": places} if places else {})}


def _command(path: str, summary: str, content: Json) -> Json:
    operation = _operation(path, summary, _json("Done"), 400, 403, 404, 409, 413, 415, 422, 429, 503)
    return {**operation, "security": [{"csrf": []}], "requestBody": {"required": True, "content": content}}


def _json(description: str) -> Json:
    return {"description": description, "content": {"application/json": {"schema": {"type": "object"}}}}


def _file(description: str, kind: str) -> Json:
    return {"description": description, "content": {kind: {"schema": {"type": "string", "format": "binary"}}}}
