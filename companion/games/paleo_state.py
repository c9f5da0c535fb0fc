"""Paleo's immutable state: the board's sheet, pawns, what waits for hands and for answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from calibration.board import Board, BoardFileError
from companion.fusion import ShotAccount
from companion.games.base import Text
from companion.games.fast import replace
from companion.games.paleo_moments import PawnShot, Place
from companion.games.paleo_options import PaleoOptions

PAWNS_A_SIDE = 8  # P6: five Explorers and three Mercenaries
FEWEST_SIDES, MOST_SIDES = 2, 4  # P1; the text has rules for two, more sides are a house rule (P39)
CORRECTABLE = 8  # so many of the round's last shots are kept at hand, to be told otherwise
NO_ANSWERS: Mapping[str, Any] = {}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class SheetTeam:
    """A side: its pawns' labels (numbers, or letters where they bear none), roles, circles and camp."""

    name: str
    labels: tuple[str, ...]
    mercenaries: tuple[str, ...]
    numbered: bool
    circles: tuple[Place, ...]
    camp_circle: tuple[float, float, float] | None
    camp_polygon: tuple[Place, ...] | None


@dataclass(frozen=True, slots=True)
class SheetDoor:
    """A sanctuary by its door's name, and whose camp it belongs to."""

    name: str
    team: str


Shape = tuple[tuple[float, float, float] | None, tuple[Place, ...] | None]  # a circle x, y, r, or a polygon


@dataclass(frozen=True, slots=True)
class ReefSheet:
    """The reefs that players place, and where they may not: closed for all (P25), advanced camps by option (P39)."""

    length_mm: float
    width_mm: float
    closed: tuple[Shape, ...]
    advanced: tuple[Shape, ...]
    fixed: tuple[Shape, ...] = ()


@dataclass(frozen=True)  # without slots, so that replace() is quick
class Sheet:
    """What the rules need of a board; kept in the journal so that a match can be read without its board file."""

    name: str
    size: Place
    puck_mm: float
    puck_height_mm: float
    teams: tuple[SheetTeam, ...]
    doors: tuple[SheetDoor, ...]
    gate: tuple[float, float, float] | None
    reefs: ReefSheet | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(t.name for t in self.teams)

    def team(self, name: str) -> SheetTeam:
        """A side by its team's name. Raises KeyError where there is no such team."""
        for team in self.teams:  # asked often: a generator would take twice the time
            if team.name == name:
                return team
        raise KeyError(name)

    def other(self, name: str) -> str:
        """P1: the side that follows in the order of the board's camps: the opponent, where there are two."""
        names = self.names
        return names[(names.index(name) + 1) % len(names)]

    def door(self, name: str) -> SheetDoor | None:
        for door in self.doors:  # asked often, as above
            if door.name == name:
                return door
        return None

    def opposing_doors(self, team: str) -> tuple[str, ...]:
        """The Sanctuaries whose keys this side needs (P22)."""
        return tuple(d.name for d in self.doors if d.team != team)


@dataclass(frozen=True)  # without slots, so that replace() is quick
class Pawn:
    """One of 8 a side. sure: its number was read or told; where not, it may yet turn out to be another of its side.

    captor: the side that captured it last; the opponent, where there are two.
    """

    team: str
    label: str
    captured: bool = False
    sure: bool = False
    captor: str = ""

    @property
    def key(self) -> str:
        return f"{self.team}-{self.label}"


class LogLine(NamedTuple):
    """One sentence of what happened, the journal's entry that it belongs to, and the rules it rests on.

    said: the entry that brought it about where that is a later one: the answer to a shot's question; else 0.
    """

    id: int
    text: Text
    rules: tuple[str, ...] = ()
    said: int = 0

    def to_json(self) -> dict[str, Any]:
        told = {"id": self.id, "en": self.text.en, "fr": self.text.fr, "rules": list(self.rules)}
        return {**told, "said": self.said} if self.said else told


class Choice(NamedTuple):
    """One answer that may be given."""

    value: str
    text: Text


@dataclass(frozen=True, slots=True)
class Question:
    """What players have to say before a shot can be ruled; `about` names the pawn or moment asked about.

    reasons: why the camera is not certain, as it says so; why: the same for people; account: what it saw, in words,
    where it saw who was flicked.
    """

    kind: str
    about: str
    team: str | None
    text: Text
    choices: tuple[Choice, ...]
    seen: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    why: tuple[Text, ...] = ()
    account: Text | None = None

    @property
    def slot(self) -> str:
        """Under what name the answer is kept."""
        return f"{self.kind}:{self.about}"

    def id_for(self, entry: int) -> str:
        """The question's id: the shot's journal entry, what is asked, about what."""
        return f"{entry}:{self.slot}"


@dataclass(frozen=True, slots=True)
class ReefNotice:
    """What is amiss with a reef: the sentence, its rules, and a gap's two ends with mm as measured and as asked."""

    text: Text
    rules: tuple[str, ...]
    line: tuple[Place, Place] | None = None
    mm: float | None = None
    least_mm: float | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            **self.text.to_json(),
            "rules": list(self.rules),
            "line": [list(end) for end in self.line] if self.line else None,
            "mm": self.mm,
            "least_mm": self.least_mm,
        }


class Since(NamedTuple):
    """What the camera told after a shot that was not ruled yet: the journal's entry, its type and data."""

    entry: int
    type: str
    data: Mapping[str, Any]


class WaitingShot(NamedTuple):
    """A shot that is not ruled yet: its journal entry, the account, the answers given so far, and what hands have done
    since, which is taken in when it is ruled."""

    entry: int
    account: ShotAccount
    answers: Mapping[str, Any] = NO_ANSWERS
    since: tuple[Since, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A finished round: who won it, how, and its points (P23)."""

    round: int
    winner: str
    points: int
    how: str


@dataclass(frozen=True)  # without slots, so that replace() is quick
class PaleoState:
    """A match of Paleo at one moment; never changed, only replaced (see changed()).

    pawns: by key; places: where pawns lie physically, board mm; seen_as: vision's id -> key;
    keys: door -> side that holds its key; to_place, to_remove: what hands are to do;
    immune: pawns that cannot be captured now (P21); lifted: where pawns lay that a hand took up unasked;
    reefs: as last seen; reef_notices: what is amiss with them (P8, P25-P27);
    ruled: this round's last shots, by their journal entry, with what was taken to have happened;
    members: who plays for each camp, in their order; played: how often each camp has played, which says whose turn
    it is in it; nudged: pawns that a hand has slid since the last shot (P32); resting: pawns that lay on the gate,
    as was seen or said, when they came to rest; laid: the reefs as they lay when the round began (P8);
    first_reef: the side whose reef was the first to be seen this round, where that was seen.
    """

    sheet: Sheet
    options: PaleoOptions
    players: Mapping[str, str]
    pawns: Mapping[str, Pawn]
    match: int = 1
    phase: str = "placing"
    round: int = 1
    turn: str | None = None
    begins: str | None = None
    paused: bool = False
    points: Mapping[str, int] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)
    seen_as: Mapping[str, str] = field(default_factory=dict)
    to_place: tuple[str, ...] = ()
    to_remove: tuple[str, ...] = ()
    immune: frozenset[str] = frozenset()
    lifted: Mapping[str, Place] = field(default_factory=dict)
    waiting: tuple[WaitingShot, ...] = ()
    question: Question | None = None
    results: tuple[RoundResult, ...] = ()
    winner: str | None = None
    log: tuple[LogLine, ...] = ()
    shots: int = 0
    reefs: tuple[Mapping[str, Any], ...] = ()
    reef_notices: tuple[ReefNotice, ...] = ()
    ruled: tuple[tuple[int, PawnShot], ...] = ()
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    played: Mapping[str, int] = field(default_factory=dict)
    nudged: frozenset[str] = frozenset()
    resting: frozenset[str] = frozenset()
    laid: tuple[Mapping[str, Any], ...] = ()
    first_reef: str | None = None

    @property
    def by_taps(self) -> bool:
        """Whether players tell every shot, and no camera is listened to."""
        return self.options.kept_by == "taps"

    def on_board(self, team: str) -> tuple[str, ...]:
        """Keys of a side's pawns that are not captured."""
        return tuple(k for k, p in self.pawns.items() if p.team == team and not p.captured)

    def in_play(self, team: str) -> bool:
        """Whether a side has a pawn on the board; stops at the first."""
        return any(pawn.team == team and not pawn.captured for pawn in self.pawns.values())

    def captured(self, team: str) -> tuple[str, ...]:
        """Keys of a side's pawns that opponents hold."""
        return tuple(k for k, p in self.pawns.items() if p.team == team and p.captured)

    def held_by(self, team: str) -> tuple[str, ...]:
        """Keys of the pawns that a side has captured."""
        return tuple(k for k, p in self.pawns.items() if p.captured and self.captor_of(k) == team)

    def captor_of(self, key: str) -> str:
        """P13, P16: the side that holds a captured pawn."""
        pawn = self.pawns[key]
        return pawn.captor or self.sheet.other(pawn.team)

    def keys_of(self, team: str) -> tuple[str, ...]:
        return tuple(d for d, t in self.keys.items() if t == team)


changed = replace  # of a match


def sheet_from_board(board: Board) -> Sheet:
    """What the rules need of a board file. Raises BoardFileError where it has not two to four sides (P1)."""
    if not FEWEST_SIDES <= len(board.teams) <= MOST_SIDES:
        found, expected = len(board.teams), f"{FEWEST_SIDES} to {MOST_SIDES}"
        raise BoardFileError(f"board {board.name}: found {found}, expected {expected} teams for Paleo; change [[team]]")
    teams = []
    for team in board.teams:
        labels = tuple(str(n) for n in team.numbers)
        camp = next((z for z in board.zones_of_kind("base_camp") if z.team == team.name), None)
        count = len(team.start_circles) or PAWNS_A_SIDE
        teams.append(
            SheetTeam(
                team.name,
                labels or tuple(LETTERS[:count]),
                tuple(str(n) for n in team.mercenaries),
                bool(labels),
                team.start_circles,
                camp.circle if camp else None,
                camp.polygon if camp else None,
            )
        )
    gate = board.gates[0].circle if board.gates else None
    doors = tuple(SheetDoor(d.name, d.team) for d in board.doors)
    return Sheet(
        board.name, board.size, board.puck.diameter_mm, board.puck.height_mm, tuple(teams), doors, gate, _reefs(board)
    )


def same_board(sheet: Sheet, board: Board) -> bool:
    """Whether a match's sheet was made of this board, or of one that looks alike to the rules."""
    return replace(sheet, reefs=None) == replace(sheet_from_board(board), reefs=None)


def _reefs(board: Board) -> ReefSheet | None:
    if board.reef is None:
        return None
    shapes = {
        kind: tuple((z.circle, z.polygon) for z in board.zones_of_kind(kind)) for kind in ("no_reef", "advanced_camp")
    }
    fixed = tuple((None, o.polygon) for o in board.obstacles if o.kind == "reef")
    return ReefSheet(board.reef.length_mm, board.reef.width_mm, shapes["no_reef"], shapes["advanced_camp"], fixed)


def fresh_pawns(sheet: Sheet, *, sure: bool = False) -> dict[str, Pawn]:
    """All pawns of all sides, uncaptured (P6); sure: whether their numbers are known, which players tell by taps."""
    pawns = [Pawn(t.name, label, sure=sure) for t in sheet.teams for label in t.labels]
    return {p.key: p for p in pawns}


def role_of(state: PaleoState, key: str) -> str | None:
    """mercenary, explorer, or both on a board without numbers (P6); None while the pawn's number is not known.

    A pawn whose number is unread still has a role when all pawns that it may be share one.
    """
    pawn = state.pawns[key]
    team = state.sheet.team(pawn.team)
    if not team.numbered:
        return state.options.numberless_pawns
    if pawn.sure:
        return plain_role(state, key)
    roles = {plain_role(state, k) for k in could_be(state, key)}
    return roles.pop() if len(roles) == 1 else None


def role_in(state: PaleoState, shot: PawnShot, key: str) -> str | None:
    """A pawn's role in a shot; None where its number is not known and it matters to ask (P6)."""
    return plain_role(state, key) if key in shot.told else role_of(state, key)


def plain_role(state: PaleoState, key: str) -> str:
    """The role that the pawn's number gives it (P6), whether the number is certain or not."""
    pawn = state.pawns[key]
    team = state.sheet.team(pawn.team)
    if not team.numbered:
        return state.options.numberless_pawns
    return "mercenary" if pawn.label in team.mercenaries else "explorer"


def could_be(state: PaleoState, key: str) -> tuple[str, ...]:
    """The pawns that this one may be: itself when sure, else every unsure pawn of its side."""
    if state.pawns[key].sure:
        return (key,)
    team = state.pawns[key].team
    return tuple(k for k, p in state.pawns.items() if p.team == team and not p.sure)


def may_capture(role: str | None) -> bool:
    return role in ("mercenary", "both")


def may_take_keys(role: str | None) -> bool:
    return role in ("explorer", "both")


def distance(a: Place, b: Place) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])
