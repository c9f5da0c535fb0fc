"""What lies elsewhere than it did when the camera was lost: found once the board is seen again, to be asked about.

Vision that begins anew takes the board as it finds it: a flick that was made meanwhile would be taken in silently.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from vision.events import PuckSeen

AWAY = "pucks lie elsewhere than before the camera was lost"
ELSEWHERE_MM = 10.0  # where the camera stands is found anew, and with it places are by some mm at most
LIES_MM = 1.0  # a puck that lies still is seen at one place
STILL_S = 1.0  # for so long the board is seen as it lies before anything is said of it: hands go, numbers are read
MOST_TOLD = 5  # pucks that are named; a board that was cleared is told in one word
WINDS = ("east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east")  # y goes south


class Change(NamedTuple):
    """A puck that lies elsewhere: as it lay, and as it lies; None where it did not, or does not, lie on the board."""

    lay: PuckSeen | None
    lies: PuckSeen | None


class Away:
    """Compares the board as it was when the camera was lost with how it is seen afterwards. Times are the pictures'."""

    def __init__(self) -> None:
        self._lies: tuple[PuckSeen, ...] = ()  # the last time that they were seen at rest
        self._before: tuple[PuckSeen, ...] | None = None  # as they lay when the camera was lost
        self._since_s: float | None = None  # since when they have been seen to lie as they do

    def rest(self, pucks: tuple[PuckSeen, ...]) -> None:
        """A shot has ended, and left the pucks so."""
        self._lies = pucks

    def lost(self, *, asked: bool) -> None:
        """Vision will begin anew. asked: players are asked about what was going on anyway."""
        if asked:
            self._before = None
        elif self._before is None and self._lies:
            self._before = self._lies
        self._lies, self._since_s = (), None

    def see(self, still: bool, time_s: float, pucks: tuple[PuckSeen, ...]) -> list[Change]:
        """The live view; what lies elsewhere, once, when the board has lain still for a while."""
        if not still:
            self._since_s = None
            return []
        if self._before is None:
            self._lies = pucks
            return []
        if self._since_s is None or changes(self._lies, pucks, LIES_MM):
            self._since_s = time_s
        self._lies = pucks
        return self.now() if time_s - self._since_s >= STILL_S else []

    def now(self) -> list[Change]:
        """What lies elsewhere, as far as has been seen since: something is about to be told of the board."""
        if self._before is None or self._since_s is None:
            return []
        before, self._before = self._before, None
        return changes(before, self._lies, ELSEWHERE_MM)

    @property
    def before(self) -> tuple[PuckSeen, ...]:
        """The pucks as they lay when the camera was lost; none where that was compared."""
        return self._before or ()

    @property
    def lies(self) -> tuple[PuckSeen, ...]:
        """The pucks as they were seen at rest the last time."""
        return self._lies


def changes(before: Sequence[PuckSeen], after: Sequence[PuckSeen], least_mm: float) -> list[Change]:
    """The pucks that lie elsewhere, further than least_mm off; ids may be other ones in `after`.

    Pucks on which one number was read are the same; the others of a team are those that lie nearest.
    """
    lay, lies, found = list(before), list(after), list[Change]()
    for numbered in (True, False):
        for one, other in _nearest(lay, lies, numbered=numbered):
            lay.remove(one)
            lies.remove(other)
            if _apart_mm(one, other) > least_mm:
                found.append(Change(one, other))
    return [*found, *(Change(one, None) for one in lay), *(Change(None, other) for other in lies)]


def _nearest(lay: Sequence[PuckSeen], lies: Sequence[PuckSeen], *, numbered: bool) -> list[tuple[PuckSeen, PuckSeen]]:
    """Pairs of one team, the nearest first. numbered: only those on which the same number was read."""
    pairs = sorted(
        (_apart_mm(one, other), n, m)
        for n, one in enumerate(lay)
        for m, other in enumerate(lies)
        if _may_be(one, other) and not (numbered and None in (one.number, other.number))
    )
    found, left, right = [], set[int](), set[int]()
    for _, n, m in pairs:
        if n not in left and m not in right:
            left.add(n)
            right.add(m)
            found.append((lay[n], lies[m]))
    return found


def _may_be(one: PuckSeen, other: PuckSeen) -> bool:
    return one.team == other.team and (one.number == other.number or None in (one.number, other.number))


def _apart_mm(one: PuckSeen, other: PuckSeen) -> float:
    return math.hypot(other.x_mm - one.x_mm, other.y_mm - one.y_mm)


def reasons(found: Iterable[Change]) -> tuple[str, ...]:
    """The changes in vision's words: by the ids under which the pucks lay."""
    told = list(_told(found))
    more = len(told) - MOST_TOLD
    return (AWAY, *told) if more <= 0 else (AWAY, *told[:MOST_TOLD], f"pucks that lie elsewhere beside these: {more}")


def _told(found: Iterable[Change]) -> Iterator[str]:
    for lay, lies in found:
        if lay is not None and lies is not None:
            angle = math.atan2(lies.y_mm - lay.y_mm, lies.x_mm - lay.x_mm)
            wind = WINDS[round(angle / (math.pi / 4)) % len(WINDS)]
            yield f"{lay.puck} lies {_apart_mm(lay, lies):.0f} mm to the {wind} of where it lay"
        elif lay is not None:
            yield f"{lay.puck} does not lie on the board any more"
        elif lies is not None:
            yield f"a puck of {lies.team} lies on the board that did not before"
