"""From edges of two light beams in a doorway to pucks that went in or out.

The outer beam runs along the door's line, the inner one less than a puck behind it. The whole puck is behind the line
from the moment when the outer beam is free again while the inner one is still broken: so `in` and `out` are the
contract's own (P17), to the millisecond, wherever in the doorway the puck goes through.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_bridge.inputs import OUTER

# A puck breaks a beam for so many times as long as it takes from one beam to the other, as it is so many times as wide
# as they lie apart. One that friction stops just behind the line takes 1.8 times as long, one that goes from post to
# post up to three times; a finger is narrower, an arm wider. Either beam tells it: a puck that rubs along the doorway's
# post is slow at one of them.
LEAST_OF_A_PUCK, MOST_OF_A_PUCK = 0.7, 3.5


@dataclass(frozen=True, slots=True)
class Passage:
    """A puck went wholly in (`in`) or no longer lies wholly inside (`out`). sure: no other story fits the beams."""

    time_s: float
    door: str
    direction: str
    sure: bool = True


class DoorWatch:
    """One door with two beams. Edges in the order of time.

    wide: how many times as wide as the beams lie apart a puck is.
    """

    def __init__(self, door: str, wide: float) -> None:
        self.door, self._wide = door, wide
        self._outer = self._inner = False
        self._outer_s = self._inner_s = 0.0  # when each was broken last
        self._doubtful: Passage | None = None  # no puck by the outer beam, while the inner one has not yet told
        self.confirmed: Passage | None = None  # a doubtful passage that this edge has shown to be a puck's
        self._sure = True
        self._came_out = False

    def edge(self, side: str, active: bool, time_s: float) -> Passage | None:
        """What this edge completes."""
        doubtful, self._doubtful, self.confirmed = self._doubtful, None, None
        was = (self._outer, self._inner)
        if side == OUTER:
            self._outer = active
            self._outer_s = time_s if active else self._outer_s
        else:
            self._inner = active
            self._inner_s = time_s if active else self._inner_s
        now = (self._outer, self._inner)
        if now == (False, False):
            if doubtful is not None and self._like_a_puck(time_s - doubtful.time_s, time_s - self._inner_s):
                self.confirmed = replace(doubtful, sure=True)
            self._sure, self._came_out = True, False
        elif was == (True, False) and now == (True, True) and self._came_out:
            self._sure = False  # back again, or a second puck close behind the first
        elif was == (True, True) and now == (False, True):
            puck = self._like_a_puck(self._inner_s - self._outer_s, time_s - self._outer_s)
            passage = Passage(time_s, self.door, "in", self._sure and puck)
            self._doubtful = passage if self._sure and not puck else None
            return passage
        elif was == (False, True) and now == (True, True):
            self._came_out = True
            return Passage(time_s, self.door, "out", self._sure)
        return None

    def _like_a_puck(self, between: float, broken: float) -> bool:
        """True for the width of a puck: seconds from one beam to the other, and those that one of them was broken."""
        return LEAST_OF_A_PUCK * self._wide * between <= broken <= MOST_OF_A_PUCK * self._wide * between

    def correct(self, side: str, active: bool) -> None:
        """A beam is so although no edge said it: until both are free, nothing is sure."""
        if side == OUTER:
            self._outer = active
        else:
            self._inner = active
        self.forget()

    def forget(self) -> None:
        """Edges were lost: until both beams are free again, nothing is sure."""
        self._sure = not (self._outer or self._inner)
