"""The part of the API's description that belongs to the pages for setting up, from the models that check requests."""

from __future__ import annotations

from pydantic import BaseModel

from companion.dashboard.board_models import Drawing, FromAbove, OpenBoard, PickColour, SaveBoard
from companion.dashboard.calibration_models import BeginLens, FindPose, LensTurn
from companion.dashboard.models import Nothing
from companion.dashboard.protocol import Json

POSTS: tuple[tuple[str, str, type[BaseModel]], ...] = (
    ("/api/boards/picture/camera", "Take the camera's picture to draw on", Nothing),
    ("/api/boards/above", "", FromAbove),
    ("/api/boards/colour", "", PickColour),
    ("/api/boards/check", "Say what is wrong with a drawn board", Drawing),
    ("/api/boards/save", "", SaveBoard),
    ("/api/boards/open", "", OpenBoard),
    ("/api/calibration/lens/begin", "", BeginLens),
    ("/api/calibration/lens/look", "Look at the newest picture for the pattern", LensTurn),
    ("/api/calibration/lens/finish", "Measure the lens from the views taken so far, and keep it", LensTurn),
    ("/api/calibration/pose", "", FindPose),
    ("/api/calibration/check/begin", "Begin a check of the set-up", Nothing),
    ("/api/calibration/check/look", "Add the newest picture to the check", Nothing),
    ("/api/calibration/check/finish", "Grade the set-up by the pictures so far", Nothing),
    ("/api/calibration/flick/begin", "Begin to film a test flick: every frame for some seconds", Nothing),
    ("/api/calibration/flick/look", "Say how many seconds of the test flick are filmed", Nothing),
    ("/api/calibration/flick/finish", "Grade the set-up by the film of the test flick, the shutter too", Nothing),
)
MODELS: tuple[type[BaseModel], ...] = (
    Drawing, SaveBoard, OpenBoard, FromAbove, PickColour, BeginLens, FindPose, LensTurn,
)  # fmt: skip
UPLOAD = "/api/boards/picture"
PICTURES = {
    "/boards/{kind}.jpg": "The picture that is drawn on: picture, or above",
    "/calibration/{kind}.jpg": "A picture of the last calibration: lens, residuals or uncertainty",
}
PAGES = {"/boards": "The page to draw a board", "/calibration": "The page to calibrate"}


def set_up_posts() -> dict[str, tuple[str, type[BaseModel]]]:
    """Address -> what it does, and the model of its body."""
    return {path: (summary or (model.__doc__ or "").strip(), model) for path, summary, model in POSTS}


def upload_body() -> Json:
    """The body of the one request that is no JSON: a picture from a file."""
    binary: Json = {"schema": {"type": "string", "format": "binary"}}
    return {"required": True, "content": {"image/jpeg": binary, "image/png": binary}}
