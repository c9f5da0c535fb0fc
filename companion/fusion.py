"""From the stream of vision's events to one account of each shot, and to what hands did between shots.

Ids are vision's throughout; which pawn an id is, the game knows (games/paleo_identity.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from companion.away import Away, Change, reasons
from vision.events import (
    ByHand,
    CameraMoved,
    Contact,
    DoorCrossed,
    Event,
    GatePassed,
    LeftBoard,
    PuckSeen,
    ReefsSeen,
    ShotEnded,
    ShotStarted,
    SourceBack,
    SourceLost,
)

CUT_OFF = "the camera was lost during the shot"
CUT_SHORT = "another shot began before this one had ended"
WENT_MM = 30.0  # about a puck's width: nobody's shadow moves one so far
UNKNOWN = ""  # the id of the flicked puck where nobody saw which it was
TIME_DIGITS = 4  # 0.1 ms, as vision's events are written
PLACE_DIGITS = 2  # 0.01 mm


class Touch(NamedTuple):
    """Two pucks touched at `t` for the first time in this shot, at a point in mm; a direct one names the flicked."""

    t: float
    puck: str
    other: str
    x_mm: float
    y_mm: float


class Entry(NamedTuple):
    """A puck lay wholly beyond a door's line at `t` for the first time in this shot."""

    t: float
    puck: str
    door: str


class Moment(NamedTuple):
    """A puck and when: it went over the rim, or passed the gate."""

    t: float
    puck: str


T = TypeVar("T", PuckSeen, Touch, Entry, Moment)


def _reader(kind: type[T]) -> Callable[[Iterable[Mapping[str, Any]]], tuple[T, ...]]:
    """What turns JSON objects into named tuples of a kind. It raises KeyError where a field is missing.

    Journals hold these by the hundred thousand: neither field names nor a constructor's checks are gone through again.
    """
    fields, make = itemgetter(*kind._fields), partial(tuple.__new__, kind)
    return lambda objects: tuple(map(make, map(fields, objects)))


_pucks, _touches, _entries, _moments = _reader(PuckSeen), _reader(Touch), _reader(Entry), _reader(Moment)


class ShotAccount(NamedTuple):
    """One shot as physics saw it, in the order of time; ids are vision's, places board millimetres."""

    shot: int
    t_start: float
    t_end: float
    flicked: str
    touches: tuple[Touch, ...]
    doors_in: tuple[Entry, ...]
    exits: tuple[Moment, ...]
    passed: tuple[Moment, ...]
    before: tuple[PuckSeen, ...]
    after: tuple[PuckSeen, ...]
    on_gate: tuple[str, ...]
    pushed: bool | None = None
    needs_review: bool = False
    reasons: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The account as JSON, the form in which the journal keeps it."""
        return {
            "shot": self.shot,
            "t_start": round(self.t_start, TIME_DIGITS),
            "t_end": round(self.t_end, TIME_DIGITS),
            "flicked": self.flicked,
            "touches": [
                {
                    "t": round(c.t, TIME_DIGITS),
                    "puck": c.puck,
                    "other": c.other,
                    "x_mm": round(c.x_mm, PLACE_DIGITS),
                    "y_mm": round(c.y_mm, PLACE_DIGITS),
                }
                for c in self.touches
            ],
            "doors_in": [{"t": round(d.t, TIME_DIGITS), "puck": d.puck, "door": d.door} for d in self.doors_in],
            "exits": [{"t": round(m.t, TIME_DIGITS), "puck": m.puck} for m in self.exits],
            "passed": [{"t": round(m.t, TIME_DIGITS), "puck": m.puck} for m in self.passed],
            "before": [puck_to_json(p) for p in self.before],
            "after": [puck_to_json(p) for p in self.after],
            "on_gate": list(self.on_gate),
            "pushed": self.pushed,
            "needs_review": self.needs_review,
            "reasons": list(self.reasons),
        }


def puck_to_json(puck: PuckSeen) -> dict[str, Any]:
    """A puck at rest as the contract writes it."""
    return {
        "puck": puck.puck,
        "team": puck.team,
        "number": puck.number,
        "x_mm": round(puck.x_mm, PLACE_DIGITS),
        "y_mm": round(puck.y_mm, PLACE_DIGITS),
    }


def puck_from_json(data: Mapping[str, Any]) -> PuckSeen:
    """The reverse of puck_to_json."""
    return _pucks((data,))[0]


def account_from_json(data: Mapping[str, Any]) -> ShotAccount:
    """The reverse of ShotAccount.to_json. Raises KeyError where a field is missing."""
    return ShotAccount(
        shot=data["shot"],
        t_start=data["t_start"],
        t_end=data["t_end"],
        flicked=data["flicked"],
        touches=_touches(data["touches"]),
        doors_in=_entries(data["doors_in"]),
        exits=_moments(data["exits"]),
        passed=_moments(data["passed"]),
        before=_pucks(data["before"]),
        after=_pucks(data["after"]),
        on_gate=tuple(data["on_gate"]),
        pushed=data["pushed"],
        needs_review=data["needs_review"],
        reasons=tuple(data["reasons"]),
    )


@dataclass(frozen=True, slots=True)
class Fact:
    """What the journal is to keep: an entry's type and its data."""

    type: str
    data: dict[str, Any]


@dataclass(slots=True)
class _OpenShot:
    start: ShotStarted
    touches: dict[tuple[str, str], Touch] = field(default_factory=dict)
    doors: dict[tuple[str, str], Entry] = field(default_factory=dict)
    exits: dict[str, Moment] = field(default_factory=dict)
    passed: dict[str, Moment] = field(default_factory=dict)

    @property
    def last_s(self) -> float:
        """When the last thing happened that was seen of it."""
        return max([self.start.t, *(e.t for seen in (self.touches, self.doors, self.exits, self.passed)
                                    for e in seen.values())])  # fmt: skip

    def add(self, event: Event) -> None:
        if isinstance(event, Contact):
            low, high = sorted((event.puck, event.other))
            self.touches.setdefault((low, high), Touch(event.t, event.puck, event.other, event.x_mm, event.y_mm))
        elif isinstance(event, DoorCrossed) and event.direction == "in":
            self.doors.setdefault((event.puck, event.door), Entry(event.t, event.puck, event.door))
        elif isinstance(event, LeftBoard):
            self.exits.setdefault(event.puck, Moment(event.t, event.puck))
        elif isinstance(event, GatePassed):
            self.passed.setdefault(event.puck, Moment(event.t, event.puck))

    def account(self, end: ShotEnded) -> ShotAccount:
        return ShotAccount(
            shot=self.start.shot,
            t_start=self.start.t,
            t_end=end.t,
            flicked=self.start.puck,
            touches=tuple(sorted(self.touches.values(), key=lambda c: c.t)),
            doors_in=tuple(sorted(self.doors.values(), key=lambda d: d.t)),
            exits=tuple(sorted(self.exits.values(), key=lambda m: m.t)),
            passed=tuple(sorted(self.passed.values(), key=lambda m: m.t)),
            before=self.start.pucks,
            after=end.pucks,
            on_gate=end.on_gate,
            pushed=self.start.pushed,
            needs_review=end.needs_review,
            reasons=end.reasons,
        )


def _unseen(time_s: float, before: tuple[PuckSeen, ...], after: tuple[PuckSeen, ...], why: tuple[str, ...]) -> Fact:
    """A shot of which nothing is known but that there may have been one."""
    account = ShotAccount(0, time_s, time_s, UNKNOWN, (), (), (), (), before, after, (), None, True, why)
    return Fact("shot", account.to_json())


def went(lay: Iterable[PuckSeen], pucks: Iterable[PuckSeen]) -> bool:
    """True where a puck is seen so far from where it lay that it is on its way, whatever moves it."""
    home = {p.puck: (p.x_mm, p.y_mm) for p in lay}
    return any(p.puck in home and math.dist(home[p.puck], (p.x_mm, p.y_mm)) > WENT_MM for p in pucks)


class Fusion:
    """Folds the stream of events, one at a time, into facts for the journal."""

    def __init__(self) -> None:
        self._open: _OpenShot | None = None
        self._lay: tuple[PuckSeen, ...] = ()  # at rest, the last time; empty where something was told since
        self._moving: tuple[float, tuple[PuckSeen, ...]] | None = None
        self._away = Away()

    def watch(self, state: str, time_s: float, pucks: tuple[PuckSeen, ...]) -> list[Fact]:
        """Takes note of the live view: vision tells a shot only when it is over, and the hand that flicked may still be
        there when its puck has long gone. pucks: where they are seen now. What lies elsewhere than before the camera
        was lost is a fact as soon as it is seen."""
        if state == "still":
            self._lay = pucks
        moving = state == "shot" or (state == "hand" and went(self._lay, pucks))
        self._moving = (time_s, self._lay or pucks) if moving else None
        before = self._away.before
        return self._elsewhere(before, self._away.see(state == "still", time_s, pucks), time_s)

    def _elsewhere(self, before: tuple[PuckSeen, ...], found: list[Change], time_s: float) -> list[Fact]:
        """Nobody saw how pucks came to lie elsewhere: players say whether that was a shot."""
        if not found:
            return []
        return [_unseen(time_s, before, self._away.lies, reasons(found))]

    def vision_gone(self) -> list[Fact]:
        """Vision will begin anew: a shot in progress will never be told by it, so players are asked about it."""
        moving, self._moving = self._moving, None
        self._away.lost(asked=self._open is not None or moving is not None)
        if self._open is not None:
            return self._cut(CUT_OFF)
        if moving is None:
            return []
        time_s, pucks = moving
        return [_unseen(time_s, pucks, (), (CUT_OFF,))]

    def update(self, event: Event) -> list[Fact]:
        """The facts that this event completes: mostly none, a shot when it has ended."""
        if isinstance(event, ShotStarted | ByHand):  # of the board as it lay until now
            before = self._away.before
            return [*self._elsewhere(before, self._away.now(), event.t), *self._take(event)]
        return self._take(event)

    def _take(self, event: Event) -> list[Fact]:
        if isinstance(event, ShotStarted):
            cut = self._cut(CUT_SHORT)
            self._open = _OpenShot(event)
            return cut
        if isinstance(event, ShotEnded):
            return self._ended(event)
        if isinstance(event, Contact | DoorCrossed | LeftBoard | GatePassed):
            if self._open is not None and event.shot == self._open.start.shot:
                self._open.add(event)
            return []
        return self._between(event)

    def _ended(self, event: ShotEnded) -> list[Fact]:
        if self._open is None or event.shot != self._open.start.shot:
            return []
        account, self._open, self._moving, self._lay = self._open.account(event), None, None, ()
        self._away.rest(event.pucks)
        return [Fact("shot", account.to_json())]

    def _between(self, event: Event) -> list[Fact]:
        if isinstance(event, ByHand):
            self._lay = ()
            puck = puck_to_json(PuckSeen(event.puck, event.team, event.number, event.x_mm, event.y_mm))
            return [Fact("hand", {"did": event.type, "t": round(event.t, TIME_DIGITS), **puck})]
        if isinstance(event, ReefsSeen):
            reefs = [
                {
                    "team": r.team,
                    "x_mm": round(r.x_mm, PLACE_DIGITS),
                    "y_mm": round(r.y_mm, PLACE_DIGITS),
                    "angle_deg": round(r.angle_deg, PLACE_DIGITS),
                }
                for r in event.reefs
            ]
            return [Fact("reefs", {"t": round(event.t, TIME_DIGITS), "reefs": reefs})]
        if isinstance(event, CameraMoved):
            data = {
                "what": event.type,
                "t": event.t,
                "shift_px": round(event.shift_px, 2),
                "recovered": event.recovered,
            }
            return [Fact("camera", data)]
        if isinstance(event, SourceLost | SourceBack):
            cut = self._cut(CUT_OFF) if isinstance(event, SourceLost) else []
            return [*cut, Fact("camera", {"what": event.type, "t": event.t, "reason": event.reason})]
        return []

    def _cut(self, reason: str) -> list[Fact]:
        """The open shot, where there is one, as far as it was seen: players say what became of it."""
        if self._open is None:
            return []
        start, last_s = self._open.start, self._open.last_s
        end = ShotEnded(last_s, start.shot, (), (), True, (reason,))
        account, self._open = self._open.account(end), None
        return [Fact("shot", account.to_json())]
