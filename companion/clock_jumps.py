"""A machine that slept, or whose clock was set: time that passed for nobody at the table."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.games.base import Json
from companion.journal import Entry

JUMP_S = 5.0  # further between two looks no clock is slewed, and no busy machine is late
STOPPED_S = 10.0  # for longer not even a disk that does not answer keeps anybody from looking: nothing ran meanwhile


class ClockJumps:
    """To be looked at many times a second.

    wall: the time of day, by which the journal goes; clock: seconds that stand still while the machine sleeps. Where
    these go on, as on Windows, or the program alone was stopped, it is known by nobody having looked for long.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self._clock, self._wall = clock, wall
        self._clock_s, self._wall_s = clock(), wall()

    def look(self) -> float | None:
        """By how many seconds the time of day has jumped since the last look; None where it has not."""
        clock_s, wall_s = self._clock(), self._wall()
        passed_s, jumped_s = clock_s - self._clock_s, wall_s - self._wall_s
        self._clock_s, self._wall_s = clock_s, wall_s
        jumped_s -= passed_s if passed_s <= STOPPED_S else 0.0
        return jumped_s if abs(jumped_s) > JUMP_S else None


def jump_told(jumped_s: float, *, clocks: bool) -> Json:
    """What the journal keeps of a jump, and players read of it. clocks: whether there are players' clocks."""
    minutes, seconds = divmod(round(abs(jumped_s)), 60)
    hours, minutes = divmod(minutes, 60)
    many = f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s"
    forwards = jumped_s > 0
    uncounted = (" that no player's clock counts", " qu’aucune pendule de joueur ne compte") if clocks else ("", "")
    return {
        "jumped_s": round(jumped_s, 3),
        "en": f"This machine slept, or its clock was set {'forward' if forwards else 'back'}: {many}{uncounted[0]}.",
        "fr": f"Cette machine a dormi, ou son horloge a été {'avancée' if forwards else 'reculée'} : "
              f"{many}{uncounted[1]}.",
    }  # fmt: skip


def jumped_by(entry: Entry) -> float | None:
    """By how many seconds the time of day had jumped just before an entry that tells of it; None of others."""
    jumped_s = entry.data.get("jumped_s") if entry.type == "note" else None
    return float(jumped_s) if isinstance(jumped_s, int | float) else None
