"""Clocks of players: none, counting up, Fischer, Bronstein, sand. Values; the time of day is passed in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.base import MalformedAction

KINDS = ("none", "count_up", "fischer", "bronstein", "sand")
LONGEST_S = 24 * 3600.0  # what a clock may be set to


class ClockError(MalformedAction):
    """A clock that cannot be set like that; the message says what was found and expected."""


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """How time is kept. base_s: what everybody begins with; bonus_s: added after a turn (Fischer), or given back up to
    what the turn took (Bronstein). Raises ClockError."""

    kind: str = "none"
    base_s: float = 600.0
    bonus_s: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ClockError(
                "clock: found {kind!r}, expected one of {expected}", kind=self.kind, expected=", ".join(KINDS)
            )
        if not 0 <= self.base_s <= LONGEST_S or not 0 <= self.bonus_s <= LONGEST_S:
            raise ClockError(
                "clock: found {base} and {bonus} s, expected 0 to {most:.0f}",
                base=self.base_s,
                bonus=self.bonus_s,
                most=LONGEST_S,
            )


@dataclass(frozen=True, slots=True)
class Clock:
    """All players' time. settled: seconds at `since`: left for each seat, or used where the clock counts up;
    running: whose time runs; turn: what each running seat has used of its turn, pauses left out."""

    settings: ClockSettings
    settled: Mapping[str, float]
    running: frozenset[str] = frozenset()
    since: float = 0.0
    paused: bool = False
    turn: Mapping[str, float] = field(default_factory=dict)


def read_clock(told: Any) -> ClockSettings:
    """Settings as a new match tells them: {kind, base_s, bonus_s}, all but the kind optional. Raises ClockError."""
    if told is None:
        return ClockSettings()
    if not isinstance(told, Mapping) or not {"kind"} <= set(told) <= {"kind", "base_s", "bonus_s"}:
        raise ClockError("clock: found {told!r}, expected kind, base_s and bonus_s", told=told)
    seconds = {name: told[name] for name in ("base_s", "bonus_s") if name in told}
    for name, value in seconds.items():
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ClockError("clock: {name}: found {value!r}, expected seconds", name=name, value=value)
    return ClockSettings(str(told["kind"]), **{name: float(value) for name, value in seconds.items()})


def start_clock(settings: ClockSettings, seats: Iterable[str], now_s: float) -> Clock:
    """A clock that nobody's time runs on yet."""
    begin = 0.0 if settings.kind in ("none", "count_up") else settings.base_s
    return Clock(settings, dict.fromkeys(seats, begin), since=now_s)


def settle(clock: Clock, now_s: float) -> Clock:
    """The clock with the time since `since` written down. A now before `since` counts as no time at all."""
    passed = max(now_s - clock.since, 0.0)
    if clock.paused or clock.settings.kind == "none" or not clock.running or not passed:
        return replace(clock, since=max(now_s, clock.since))
    seconds = dict(clock.settled)
    for seat in clock.running:
        seconds[seat] += passed if clock.settings.kind == "count_up" else -passed
    if clock.settings.kind == "sand":
        _pour(seconds, clock.running, passed)
    turn = {seat: clock.turn.get(seat, 0.0) + passed for seat in clock.running}
    return replace(clock, settled=seconds, turn=turn, since=now_s)


def _pour(seconds: dict[str, float], running: frozenset[str], passed: float) -> None:
    """Sand that runs out of one glass runs into the others', in equal shares."""
    idle = [seat for seat in seconds if seat not in running]
    for seat in idle:
        seconds[seat] += passed * len(running) / len(idle)


def turn_to(clock: Clock, seats: Iterable[str], now_s: float) -> Clock:
    """Now these seats' time runs. Whose turn has ended gets its bonus."""
    clock = settle(clock, now_s)
    following = frozenset(seats) & clock.settled.keys()
    seconds = dict(clock.settled)
    for seat in clock.running - following:
        seconds[seat] += _bonus(clock, clock.turn.get(seat, 0.0))
    turn = {seat: clock.turn.get(seat, 0.0) for seat in following & clock.running}
    return replace(clock, settled=seconds, running=following, turn=turn)


def _bonus(clock: Clock, used_s: float) -> float:
    if clock.settings.kind == "fischer":
        return clock.settings.bonus_s
    return min(clock.settings.bonus_s, used_s) if clock.settings.kind == "bronstein" else 0.0


def pause(clock: Clock, now_s: float) -> Clock:
    """Nobody's time runs until resume()."""
    return replace(settle(clock, now_s), paused=True)


def resume(clock: Clock, now_s: float) -> Clock:
    """Time runs again from now on, be it on another day."""
    return replace(clock, paused=False, since=now_s) if clock.paused else clock


def stand_still(clock: Clock, now_s: float, since_s: float) -> Clock:
    """Time runs on from now_s; what passed since since_s, by the same time of day, nobody has used.

    now_s may lie before since_s, where the time of day was set back.
    """
    return replace(settle(clock, since_s), since=now_s)


def seconds_at(clock: Clock, now_s: float) -> dict[str, float]:
    """What each clock shows: seconds left, never under 0, or seconds used where it counts up."""
    return {seat: max(s, 0.0) for seat, s in settle(clock, now_s).settled.items()}


def flagged(clock: Clock, now_s: float) -> tuple[str, ...]:
    """The seats whose time is used up; a clock that counts up, or none, flags nobody."""
    if clock.settings.kind in ("none", "count_up"):
        return ()
    return tuple(seat for seat, s in settle(clock, now_s).settled.items() if s <= 0)
