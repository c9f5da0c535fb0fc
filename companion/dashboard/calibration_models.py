"""What the page for calibrating may send."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from companion.dashboard.models import Request, Spot


class BeginLens(Request):
    """Begin to take views of a pattern, described as for `paleo calibrate lens`."""

    pattern: Annotated[str, Field(min_length=1, max_length=100)]


class LensTurn(Request):
    """Go on with the lens; turn: as it was told at the beginning, by which it is seen that nobody else began since."""

    turn: Annotated[int, Field(ge=0)] | None = None


class FindPose(Request):
    """Find the pose: the surface's clicked corners in the picture, NW, NE, SE, SW, or null for the markers.

    size: width and height of the picture that was clicked in.
    """

    corners: Annotated[list[Spot], Field(min_length=4, max_length=4)] | None = None
    size: Annotated[list[Annotated[int, Field(ge=1, le=100_000)]], Field(min_length=2, max_length=2)] | None = None
