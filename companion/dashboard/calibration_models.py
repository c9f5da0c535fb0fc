"""What the page for calibrating may send."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from companion.dashboard.models import Request, Spot


class BeginLens(Request):
    """Begin to take views of a pattern, described as for `paleo calibrate lens`."""

    pattern: Annotated[str, Field(min_length=1, max_length=100)]


class FindPose(Request):
    """Find the pose: the surface's clicked corners in the picture, NW, NE, SE, SW, or null for the markers."""

    corners: Annotated[list[Spot], Field(min_length=4, max_length=4)] | None = None
