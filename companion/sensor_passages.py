"""From edges of two light beams in a doorway to pucks that went in or out.

The outer beam runs along the door's line, the inner one less than a puck behind it. The whole puck is behind the line
from the moment when the outer beam is free again while the inner one is still broken: so `in` and `out` are the
contract's own (P17), to the millisecond, wherever in the doorway the puck goes through.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.inputs import OUTER


@dataclass(frozen=True, slots=True)
class Passage:
    """A puck went wholly in (`in`) or no longer lies wholly inside (`out`). sure: no other story fits the beams."""

    time_s: float
    door: str
    direction: str
    sure: bool = True


class DoorWatch:
    """One door with two beams. Edges in the order of time."""

    def __init__(self, door: str) -> None:
        self.door = door
        self._outer = self._inner = False
        self._sure = True
        self._came_out = False

    def edge(self, side: str, active: bool, time_s: float) -> Passage | None:
        """What this edge completes."""
        was = (self._outer, self._inner)
        if side == OUTER:
            self._outer = active
        else:
            self._inner = active
        now = (self._outer, self._inner)
        if now == (False, False):
            self._sure, self._came_out = True, False
        elif was == (True, False) and now == (True, True) and self._came_out:
            self._sure = False  # back again, or a second puck close behind the first
        elif was == (True, True) and now == (False, True):
            return Passage(time_s, self.door, "in", self._sure)
        elif was == (False, True) and now == (True, True):
            self._came_out = True
            return Passage(time_s, self.door, "out", self._sure)
        return None

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
