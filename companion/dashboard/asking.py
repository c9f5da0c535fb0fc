"""Reads what a request carries, by the model that describes it."""

from __future__ import annotations

from typing import TypeVar

from flask import abort, request
from pydantic import BaseModel

UNSUPPORTED = 415

Told = TypeVar("Told", bound=BaseModel)


def told_as(model: type[Told]) -> Told:
    """The request's JSON as a model; refused with 415 where it is none, and 422 where it does not fit."""
    if not request.is_json:
        abort(UNSUPPORTED)
    return model.model_validate_json(request.get_data())
