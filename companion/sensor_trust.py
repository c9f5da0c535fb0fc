"""Which inputs of the sensor board are to be believed: those that are stuck, flicker or are mute are set aside."""

from __future__ import annotations

import math
from collections import Counter, deque

from companion import sensor_words as words
from companion.games.base import Text
from companion.sensor_seldom import Seldom
from firmware_bridge.inputs import BEAMS_A_DOOR, INNER, KNOCK, OUTER, beam

STUCK_S = 15.0  # a sensor that is active this long on a quiet board has a puck before it, or is stuck
STUCK_TOLD, STUCK_TOLD_S = 2, 300.0  # how often it is told that one sensor is, see Seldom: dirt that comes and goes
FLICKER_EDGES, FLICKER_S = 40, 2.0  # no shot makes so many,
WOBBLE_S = 60.0  # and no play with pucks so many within this: a sensor that sits loose does. Knocks come as they like
CALM_S = 30.0  # a sensor that flickered is believed again when it has not for so long,
CALM_MOST_S = 1800.0  # twice as long each time that it does so again within this: music comes and goes all evening
MUTE_SHOTS = 2  # in a row, in which the camera surely saw a puck go in at a door, and a beam there said nothing at all


class Trust:
    """Follows what each input does. All times are the camera's, in seconds.

    doors: their names; fitted: a bit for each input that the board has.
    """

    def __init__(self, doors: tuple[str, ...], fitted: int) -> None:
        self._doors = doors
        self.fitted = fitted
        self.aside: dict[int, str] = {}  # inputs that do not count, and why: "stuck", "flickers" or "mute"
        self._flickered_s: dict[int, float] = {}  # when those that flicker did so last
        self._calm_s: dict[int, float] = {}  # for how long they must not, to be believed again
        self._lately: dict[int, deque[float]] = {}  # of each input, when it changed, the last FLICKER_EDGES and one
        self._stuck: dict[int, Seldom] = {}  # how often it is told of each input
        self._untold: set[int] = set()  # inputs set aside of which players were not told
        self._said_nothing: Counter[int] = Counter()  # shots in which a beam did not see what the camera saw

    def begin(self) -> None:
        """Other times from here on: whether an input flickers will show anew."""
        self._flickered_s.clear()
        self._calm_s.clear()
        self._lately.clear()
        self._stuck.clear()
        self.aside = {number: why for number, why in self.aside.items() if why != "flickers"}

    def counts(self, number: int) -> bool:
        """True where an input is fitted and to be believed."""
        return bool(self.fitted >> number & 1) and number not in self.aside

    def both_beams(self, door: int) -> bool:
        """True where both of a door's beams are fitted and to be believed."""
        return self.counts(beam(door, OUTER)) and self.counts(beam(door, INNER))

    def set_aside(self, number: int, why: str) -> Text:
        """An input does not count until it shows that it works; what players are to be told of it."""
        self.aside[number] = why
        return words.set_aside(number, why, self._doors)

    def stuck(self, number: int, t: float) -> Text | None:
        """An input is active with nothing there; what players are to be told of it, if anything."""
        told = self.set_aside(number, "stuck")
        if self._stuck.setdefault(number, Seldom(STUCK_TOLD, STUCK_TOLD_S)).may(t):
            return told
        self._untold.add(number)
        return None

    def believe(self, number: int) -> Text | None:
        """An input counts again; what players are to be told of it, where they know that it did not."""
        del self.aside[number]
        if number in self._untold:
            self._untold.remove(number)
            return None
        return words.works_again(number, self._doors)

    def edge(self, number: int, active: bool, t: float) -> Text | None:
        """An input changed; what players are to be told of it, if anything."""
        why = self.aside.get(number)
        flickers, edges = self._flickers(number, t)
        if why == "mute" or (why == "stuck" and not active):
            return self.believe(number)
        if flickers:
            last_s, self._flickered_s[number] = self._flickered_s.get(number, -math.inf), t
            if why is not None:
                return None
            again = min(2 * self._calm_s.get(number, CALM_S), CALM_MOST_S)
            self._calm_s[number] = again if t - last_s <= CALM_MOST_S else CALM_S
            return self.set_aside(number, "flickers")
        calm = t - self._flickered_s.get(number, t) >= self._calm_s.get(number, CALM_S)
        return self.believe(number) if why == "flickers" and calm and edges <= BEAMS_A_DOOR else None

    def _flickers(self, number: int, t: float) -> tuple[bool, int]:
        """Whether an input changes more often than play makes it, with the change at t; how often within FLICKER_S."""
        lately = self._lately.setdefault(number, deque(maxlen=FLICKER_EDGES + 1))
        lately.append(t)
        within_s = FLICKER_S if number == KNOCK else WOBBLE_S
        edges = sum(changed > t - FLICKER_S for changed in lately)
        return len(lately) > FLICKER_EDGES and lately[0] > t - within_s, edges

    def went_in(self, number: int, spoke: bool) -> Text | None:
        """A puck surely went in through a beam, which spoke then or did not: one that never does is dead."""
        if spoke:
            del self._said_nothing[number]
            return None
        self._said_nothing[number] += 1
        return self.set_aside(number, "mute") if self._said_nothing[number] >= MUTE_SHOTS else None
