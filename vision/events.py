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
    type: ClassVar[str] = "shot_started"
    shot: int
    puck: str
    pucks: tuple[PuckSeen, ...]
    pushed: bool | None = None


@dataclass(frozen=True, slots=True)
class Contact(Event):
    type: ClassVar[str] = "contact"
    shot: int
    puck: str
    other: str
    x_mm: float
    y_mm: float
    confidence: float


@dataclass(frozen=True, slots=True)
class DoorCrossed(Event):
    type: ClassVar[str] = "door_crossed"
    shot: int
    puck: str
    door: str
    direction: str
    confidence: float


@dataclass(frozen=True, slots=True)
class GatePassed(Event):
    type: ClassVar[str] = "gate_passed"
    shot: int
    puck: str


@dataclass(frozen=True, slots=True)
class LeftBoard(Event):
    type: ClassVar[str] = "left_board"
    shot: int
    puck: str


@dataclass(frozen=True, slots=True)
class ShotEnded(Event):
    type: ClassVar[str] = "shot_ended"
    shot: int
    pucks: tuple[PuckSeen, ...]
    on_gate: tuple[str, ...] = ()
    needs_review: bool = False
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PuckRemoved(Event):
    type: ClassVar[str] = "puck_removed"
    puck: str
    x_mm: float
    y_mm: float
    team: str
    number: int | None


@dataclass(frozen=True, slots=True)
class PuckPlaced(Event):
    type: ClassVar[str] = "puck_placed"
    puck: str
    x_mm: float
    y_mm: float
    team: str
    number: int | None


@dataclass(frozen=True, slots=True)
class PuckMoved(Event):
    type: ClassVar[str] = "puck_moved"
    puck: str
    x_mm: float
    y_mm: float
    team: str
    number: int | None


@dataclass(frozen=True, slots=True)
class ReefsSeen(Event):
    type: ClassVar[str] = "reefs_seen"
    reefs: tuple[ReefSeen, ...]


@dataclass(frozen=True, slots=True)
class CameraMoved(Event):
    type: ClassVar[str] = "camera_moved"
    shift_px: float
    recovered: bool


@dataclass(frozen=True, slots=True)
class SourceLost(Event):
    type: ClassVar[str] = "source_lost"
    reason: str


@dataclass(frozen=True, slots=True)
class SourceBack(Event):
    type: ClassVar[str] = "source_back"
    reason: str


TIME_DIGITS = 4
PLACE_DIGITS = 2
CONFIDENCE_DIGITS = 3


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
