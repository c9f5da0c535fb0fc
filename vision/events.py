"""What vision reports: physics, no rules. Each event is a frozen value and one line of JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple


class PuckSeen(NamedTuple):  # journals hold these by the hundred thousand, and it is read quickly
    """A puck at rest: centre of its footprint in board millimetres."""

    puck: str
    team: str
    number: int | None
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class ReefSeen:
    """A reef that players placed: centre, direction of the long side (0 = east, clockwise, modulo 180)."""

    team: str | None
    x_mm: float
    y_mm: float
    angle_deg: float


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at `t`, seconds of the source's clock."""

    type: ClassVar[str]
    t: float


@dataclass(frozen=True, slots=True)
class ShotStarted(Event):
    """A puck was flicked. pucks: all on the board as they lay just before; pushed: the hand went along with it (None:
    that was hidden)."""

    type: ClassVar[str] = "shot_started"
    shot: int
    puck: str
    pucks: tuple[PuckSeen, ...]
    pushed: bool | None = None


@dataclass(frozen=True, slots=True)
class Contact(Event):
    """Two pucks touched: `puck` is the faster one before. x_mm, y_mm: the point of touch; confidence: 0 to 1."""

    type: ClassVar[str] = "contact"
    shot: int
    puck: str
    other: str
    x_mm: float
    y_mm: float
    confidence: float


@dataclass(frozen=True, slots=True)
class DoorCrossed(Event):
    """A puck came to lie wholly beyond a door's line (`in`), or no longer does (`out`). confidence: 0 to 1."""

    type: ClassVar[str] = "door_crossed"
    shot: int
    puck: str
    door: str
    direction: str
    confidence: float


@dataclass(frozen=True, slots=True)
class GatePassed(Event):
    """A puck slid wholly over the gate, and did not stop there."""

    type: ClassVar[str] = "gate_passed"
    shot: int
    puck: str


@dataclass(frozen=True, slots=True)
class LeftBoard(Event):
    """A puck went over the rim."""

    type: ClassVar[str] = "left_board"
    shot: int
    puck: str


@dataclass(frozen=True, slots=True)
class ShotEnded(Event):
    """The last puck of a shot came to rest. pucks: all still on the board, as they lie now; on_gate: ids of those that
    lie wholly on the gate; needs_review: a person should look, for these reasons."""

    type: ClassVar[str] = "shot_ended"
    shot: int
    pucks: tuple[PuckSeen, ...]
    on_gate: tuple[str, ...] = ()
    needs_review: bool = False
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ByHand(Event):
    """What a hand did with a puck between shots. x_mm, y_mm: where it lies now, or lay before it was removed."""

    puck: str
    x_mm: float
    y_mm: float
    team: str
    number: int | None


@dataclass(frozen=True, slots=True)
class PuckRemoved(ByHand):
    """A hand took a puck off the board."""

    type: ClassVar[str] = "puck_removed"


@dataclass(frozen=True, slots=True)
class PuckPlaced(ByHand):
    """A hand put a puck on the board."""

    type: ClassVar[str] = "puck_placed"


@dataclass(frozen=True, slots=True)
class PuckMoved(ByHand):
    """A hand moved a puck, or slid it free of a wall."""

    type: ClassVar[str] = "puck_moved"


@dataclass(frozen=True, slots=True)
class ReefsSeen(Event):
    """Which reefs players have placed, as the board has lain still: the first time, and whenever they change."""

    type: ClassVar[str] = "reefs_seen"
    reefs: tuple[ReefSeen, ...]


@dataclass(frozen=True, slots=True)
class CameraMoved(Event):
    """The view shifted by so many pixels. recovered: the calibration holds again."""

    type: ClassVar[str] = "camera_moved"
    shift_px: float
    recovered: bool


@dataclass(frozen=True, slots=True)
class SourceLost(Event):
    """No pictures come any more."""

    type: ClassVar[str] = "source_lost"
    reason: str


@dataclass(frozen=True, slots=True)
class SourceBack(Event):
    """Pictures come again."""

    type: ClassVar[str] = "source_back"
    reason: str


TIME_DIGITS = 4  # of seconds: a tenth of a millisecond
PLACE_DIGITS = 2  # of millimetres, pixels and degrees
CONFIDENCE_DIGITS = 3  # of shares from 0 to 1


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as the contract's JSON object: `type`, `t`, then its fields; millimetres to 0.01, time to 0.1 ms."""
    body = {f.name: _plain(getattr(event, f.name), f.name) for f in fields(event)}
    return {"type": event.type, **body}


def event_to_line(event: Event) -> str:
    """The event as one line of JSON without the line's end."""
    return json.dumps(event_to_json(event), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _plain(value: Any, name: str) -> Any:
    if isinstance(value, PuckSeen):
        return {n: _plain(v, n) for n, v in value._asdict().items()}
    if isinstance(value, tuple):
        return [_plain(v, name) for v in value]
    if isinstance(value, ReefSeen):
        return {f.name: _plain(getattr(value, f.name), f.name) for f in fields(value)}
    if isinstance(value, float):
        digits = TIME_DIGITS if name == "t" else CONFIDENCE_DIGITS if name == "confidence" else PLACE_DIGITS
        return round(value, digits)
    return value
