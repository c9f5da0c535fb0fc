"""What the page for new boards may send."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from calibration.board import without_mark
from companion.board_desk import MOST_CHARACTERS, MOST_THINGS
from companion.dashboard.models import MAX_NAME, Request, Spot

MAX_SHAPES = MOST_THINGS
MAX_POINTS = 60
MAX_BOARD_NAME = 80
MAX_SOURCE = MOST_CHARACTERS

Length = Annotated[float, Field(gt=0, le=3000)]
Height = Annotated[float, Field(ge=0, le=200)]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Numbers = Annotated[list[Annotated[int, Field(ge=0, le=99)]], Field(max_length=20)]
Size = Annotated[list[Length], Field(min_length=2, max_length=2)]
Source = Annotated[str, Field(max_length=MAX_SOURCE), AfterValidator(without_mark)]
Circle = Annotated[list[float], Field(min_length=3, max_length=3)]


class RimDrawn(Request):
    """The border around the surface."""

    width: Annotated[float, Field(ge=0, le=300)]
    height: Height


class PuckDrawn(Request):
    """All pucks."""

    diameter: Length
    height: Height


class ReefDrawn(Request):
    """A loose reef."""

    length: Length
    width: Length
    height: Height


class TeamDrawn(Request):
    """A team: colours as painted, numbers by role."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
    colour: Colour
    digit_colour: Colour
    reef_colour: Colour | None = None
    mercenaries: Numbers
    explorers: Numbers


class ShapeDrawn(Request):
    """A shape on the board, mm: points, or a circle [x, y, r]."""

    id: Annotated[str, Field(min_length=1, max_length=20)]
    kind: Literal[
        "base_camp", "advanced_camp", "island", "gate", "sanctuary", "no_reef", "facade", "reef", "door", "start"
    ]
    team: Annotated[int, Field(ge=0, le=3)] | None = None
    points: Annotated[list[Spot], Field(max_length=MAX_POINTS)] = Field(default_factory=list)
    circle: Circle | None = None
    height: Height | None = None
    swap: Literal["sides", "diagonal", "same"] = "sides"
    origin: Annotated[str, Field(max_length=20)] | None = Field(
        default=None, description='the table of `source` that it comes from: "zone 3", from 0'
    )


class Drawing(Request):
    """A board as it is drawn; mirror says which copies are made of each shape."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_BOARD_NAME)]
    size: Size
    rim: RimDrawn | None = None
    puck: PuckDrawn
    reef: ReefDrawn | None = None
    mirror: Literal["none", "sides", "ends", "both", "turn"] = "none"
    markers: Annotated[float, Field(ge=0, le=200)] = 0.0
    teams: Annotated[list[TeamDrawn], Field(min_length=1, max_length=4)]
    shapes: Annotated[list[ShapeDrawn], Field(max_length=MAX_SHAPES)]
    source: Source | None = Field(default=None, description="text of the board file that was opened")
    keep_markers: bool = Field(default=False, description="the markers of `source` instead of the standard ones")

    @model_validator(mode="after")
    def _shapes_are_whole(self) -> Drawing:
        for shape in self.shapes:
            if not shape.points and shape.circle is None:
                raise ValueError(f"shape {shape.id}: found neither points nor a circle, expected one of them")
            if shape.team is not None and shape.team >= len(self.teams):
                raise ValueError(f"shape {shape.id}: found team {shape.team}, expected 0 to {len(self.teams) - 1}")
        return self


class SaveBoard(Drawing):
    """Save a drawn board as a board file; `file`: what it was opened from or saved as; `replace`: another's place."""

    file: Annotated[str, Field(max_length=100)] | None = None
    replace: bool = False


class OpenBoard(Request):
    """Open a board file to change it: one of those listed by its file, or a text."""

    file: Annotated[str, Field(max_length=100)] | None = None
    text: Source | None = None


class FromAbove(Request):
    """Show the picture from above: the surface's size, rim and markers, and its clicked corners or null."""

    size: Size
    rim: RimDrawn | None = None
    markers: Annotated[float, Field(ge=0, le=200)] = 0.0
    source: Source | None = None
    keep_markers: bool = False
    corners: Annotated[list[Spot], Field(min_length=4, max_length=4)] | None = None
    picture: Annotated[int, Field(ge=0)] | None = None


class PickColour(Request):
    """Pick the paint at a place; height of what is painted."""

    at: Spot
    height: Height = 0.0
    picture: Annotated[int, Field(ge=0)] | None = None
