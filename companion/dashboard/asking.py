"""Reads what a request carries, by the model that describes it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TypeVar

from flask import abort, request
from pydantic import BaseModel

Told = TypeVar("Told", bound=BaseModel)


def told_as(model: type[Told]) -> Told:
    """The request's JSON as a model; refused with 415 where it is none, and 422 where it does not fit."""
    return model.model_validate_json(json_body())


def json_body() -> bytes:
    """The request's JSON as it came; refused with 415 where it is none."""
    if not request.is_json:
        abort(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    return request.get_data()
