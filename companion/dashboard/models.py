"""What requests may carry. The same models check requests and describe the API in /api/openapi.json."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    RootModel,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    model_serializer,
)

MAX_NAME = 40  # characters of a player's name: two names fit beside each other on a phone
MAX_ID = 64  # characters of a puck's, team's or question's id
MAX_SPEED_MM_S = 3500.0  # a little more than the hardest flick in the films
MAX_ENTRY = 2**53  # what JSON carries exactly everywhere; no journal grows so long
FAR_MM = 5000.0  # no table is larger

TURNS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)  # of the writing's direction


def _one_line(name: object) -> object:
    """A name without line breaks, and without signs that are not seen and turn round what stands after it."""
    if not isinstance(name, str):
        return name
    seen = ("" if sign in TURNS else " " if unicodedata.category(sign) == "Cc" else sign for sign in name)
    return " ".join("".join(seen).split()) or name


Team = Annotated[str, Field(min_length=1, max_length=MAX_ID)]
Name = Annotated[str, BeforeValidator(_one_line), Field(min_length=1, max_length=MAX_NAME)]
Id = Annotated[str, Field(min_length=1, max_length=MAX_ID)]
Place = Annotated[float, Field(ge=-FAR_MM, le=FAR_MM)]
Spot = Annotated[list[Place], Field(min_length=2, max_length=2)]


class Request(BaseModel):
    """Unknown fields, wrong types and numbers that are not finite are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


Seen = Annotated[int | None, Field(ge=0, le=MAX_ENTRY, description="the `last_id` that the screen had shown")]


class NewMatch(Request):
    """Begin a match: who plays which team, and its options; with `seen` only where none was begun since."""

    players: dict[Team, Name | Annotated[list[Name], Field(min_length=1, max_length=2)]] = Field(
        max_length=8, description="names by seat; two names for partners at one of Paleo's camps"
    )
    options: dict[Id, bool | int | float | str] = Field(default_factory=dict, max_length=40)
    game: Id | None = Field(default=None, description="a name from /api/games; Paleo by default")
    clock: dict[Id, Any] | None = Field(default=None, description="kind, base_s, bonus_s; see /api/games")
    setup: dict[Id, Any] | None = Field(default=None, description="what a game kept by taps may be told beside options")
    seen: Seen = None


class SeatAction(Request):
    """What a seat does in a game kept by taps; types and fields are those of the seat's `moves`.

    With `seen` only where that seat has done nothing since, nothing was undone or told otherwise, and the match is the
    same: sent twice, `next` or `ready` ends one phase.
    """

    type: Id
    data: dict[Id, Any] = Field(default_factory=dict, max_length=20)
    seen: Seen = None


class SeatPlan(RootModel[dict[Id, Any]]):
    """What has been chosen so far for an action that is being composed; null for what is not."""

    root: dict[Id, Any] = Field(max_length=20)


class SeatCorrection(Request):
    """An own earlier action told otherwise; shown first, and made only with `accept`; `seen` as for an amendment."""

    of: int = Field(ge=1, description="the action's journal entry")
    type: Id
    data: dict[Id, Any] = Field(default_factory=dict, max_length=20)
    accept: bool = False
    seen: Seen = None


class SeatFreed(Request):
    """Free a seat that another screen holds, in the match that was shown: whoever takes it next sees what it hides."""

    match: int = Field(ge=1, description="the match's entry, as in GET /api/seats")
    holding: Id = Field(description="of the seat's `holdings` there: nobody who took it since is put out")


class ResumeMatch(Request):
    """Take up a match that was left unfinished; `of` is its entry, as in GET /api/shelf; `seen` as for a new one."""

    of: int = Field(ge=1)
    seen: Seen = None


class StartRound(Request):
    """Begin a round; `begins` is the team that flicks first, null where the rules tell."""

    begins: Team | None = None


class AsItLies(Request):
    """Take the board as it lies, in the middle of a round; `keys` names the doors whose keys a team holds."""

    turn: Team
    keys: dict[Team, Annotated[list[Id], Field(max_length=20)]] = Field(default_factory=dict, max_length=8)
    captured: dict[Team, Annotated[list[Id], Field(max_length=20)]] | None = Field(default=None, max_length=8)


class ReefTold(Request):
    """A reef that players placed: its centre, and the direction of its long side clockwise from east."""

    team: Team
    x_mm: Place
    y_mm: Place
    angle_deg: float = Field(ge=0, le=180)


class PlaceReefs(Request):
    """The reefs as they lie now, all of them, where no camera sees them."""

    reefs: list[ReefTold] = Field(max_length=20)


class DoorTold(Request):
    """A pawn that went through a door."""

    puck: Id
    door: Id


class ShotFacts(Request):
    """What happened in a shot, as players saw it; pawns as on the scoreboard, such as "red-7"."""

    flicked: Id
    touched: list[Id] = Field(default_factory=list, max_length=20)
    doors: list[DoorTold] = Field(default_factory=list, max_length=20)
    exits: list[Id] = Field(default_factory=list, max_length=20)
    on_gate: list[Id] = Field(default_factory=list, max_length=20)
    in_camp: list[Id] | None = Field(default=None, max_length=20, description="of the touched, those in their camp")
    fouls: list[Literal["pushed", "moved"]] = Field(default_factory=list, max_length=2)

    @model_serializer(mode="wrap")
    def _only_what_was_told(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        body: dict[str, Any] = handler(self)
        unsaid: dict[str, Any] = {"in_camp": None, "fouls": []}
        return {k: v for k, v in body.items() if k not in unsaid or v != unsaid[k]}


class ShotByHand(ShotFacts):
    """A shot that the camera did not tell; with `seen` only where no other shot has come to count since."""

    seen: Seen = None


class Amendment(Request):
    """An earlier entry undone, or told otherwise; what would change is shown, and made only with `accept`.

    With `seen` only where it was not told otherwise since, and nothing that was done since falls away; a difference has
    its own `last_id`.
    """

    of: int = Field(ge=1, description="the entry, as in GET /api/amend")
    undo: bool | None = None
    facts: ShotFacts | None = Field(default=None, description="what happened in a shot of Paleo")
    type: Id | None = None
    data: dict[Id, Any] | None = Field(default=None, max_length=20)
    seat: Id | None = Field(default=None, description="the own seat, where the game is played from seats")
    accept: bool = False
    seen: Seen = None


class Correction(Request):
    """Tell a shot of this round otherwise; it and all that came after are ruled anew, and the journal keeps both.

    With `seen` only where it was not told otherwise since.
    """

    of: int = Field(ge=1, description="the shot's journal entry, as in the scoreboard's `ruled`")
    facts: ShotFacts
    seen: Seen = None


class Answer(Request):
    """Answer the pending question: one of its choices' values, or for a review what happened."""

    question: Id | int
    choice: str | int | bool | ShotFacts | None


class Join(Request):
    """Come in by the pass of a QR code."""

    token: str = Field(min_length=1, max_length=MAX_ID)


class SignIn(Request):
    """Come in by the owner's or the referee's code."""

    code: str = Field(min_length=1, max_length=MAX_NAME)
    label: str = Field(default="", max_length=MAX_NAME, description="what this device is called in the list of passes")


class NewPass(Request):
    """Make a pass, which is handed on as a QR code; `seat` binds a player to one side."""

    role: Literal["player", "referee"]
    seat: Id | None = None
    label: str = Field(default="", max_length=MAX_NAME)


class Undo(Request):
    """Take back what was done last; with `seen` only what that screen had shown as done."""

    seen: int | None = Field(default=None, ge=0, le=MAX_ENTRY, description="the `last_id` that it had")


class Nothing(Request):
    """No fields."""


COMMANDS: dict[str, type[Request]] = {
    "new_match": NewMatch,
    "start_round": StartRound,
    "as_it_lies": AsItLies,
    "place_reefs": PlaceReefs,
    "answer": Answer,
    "shot_by_hand": ShotByHand,
    "correct": Correction,
    "resume_match": ResumeMatch,
    "undo": Undo,
    "pause": Nothing,
    "resume": Nothing,
}


class Flick(Request):
    """Flick a puck of the virtual table; degrees clockwise from east, as y points south."""

    do: Literal["flick"]
    puck: Id
    at: Spot | None = Field(default=None, description="[x, y]: means the puck that lies there, whatever its name")
    angle_deg: float = Field(ge=-360, le=360)
    speed_mm_s: float = Field(gt=0, le=MAX_SPEED_MM_S)
    push: bool = Field(default=False, description="the hand goes along with the puck, which is a foul (P11)")


class Remove(Request):
    """Lift a puck off the virtual table."""

    do: Literal["remove"]
    puck: Id
    at: Spot | None = Field(default=None, description="[x, y]: means the puck that lies there, whatever its name")


class PlacePuck(Request):
    """Put a puck on the virtual table, or move it there."""

    do: Literal["place"]
    puck: Id
    at: Spot | None = Field(default=None, description="[x, y]: means the puck that lies there, whatever its name")
    off_board: bool = Field(default=False, description="means one of the team's pucks that lie beside the board")
    x_mm: Place
    y_mm: Place


class Slide(Request):
    """Slide a puck of the virtual table a little, as from a wall (P12)."""

    do: Literal["slide"]
    puck: Id
    at: Spot | None = Field(default=None, description="[x, y]: means the puck that lies there, whatever its name")
    x_mm: Place
    y_mm: Place


class Pass(Request):
    """A hand passes over the virtual table and does nothing."""

    do: Literal["pass"]


class Clear(Request):
    """Pick up the pucks that lie beside the virtual table's board."""

    do: Literal["clear"]


class SetUp(Request):
    """Put all pucks of the virtual table on their circles."""

    do: Literal["setup"]


class LetPlayers(Request):
    """Let the simulated players play, or make them wait for a while."""

    play: bool


Hand = Flick | Remove | PlacePuck | Slide | Pass | Clear | SetUp
TABLE_REQUEST: TypeAdapter[Hand] = TypeAdapter(Annotated[Hand, Field(discriminator="do")])


class Refused(BaseModel):
    """Why a request was refused; `rule` is the id of the game's rule where one decided."""

    error: str
    rule: str | None = None


class EntryBody(BaseModel):
    """One entry of the journal."""

    id: int
    type: str
    time: str
    data: dict[str, Any]


class Accepted(BaseModel):
    """The journal's entries that a command made."""

    entries: list[EntryBody]
