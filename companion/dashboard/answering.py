"""Answers that hold for a moment only."""

from __future__ import annotations

from flask import Response


def fresh(response: Response) -> Response:
    """The same answer, which no browser and nothing on the way may keep."""
    response.headers["Cache-Control"] = "no-store"
    return response
