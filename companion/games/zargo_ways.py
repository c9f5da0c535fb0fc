"""Where a counter of Zargo's Lords can go (Z8-Z10, Z12, Z14): the next steps of a way, and where it may end.

What a step costs and what forbids it is asked of the rules of movement themselves; here it is only searched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from companion.games.base import Action, IllegalMove
from companion.games.zargo_fights import z10_prey, z12_step
from companion.games.zargo_map import geometry, neighbours
from companion.games.zargo_moves import may_move, stacked, z9_step, z10_target, z14_partner, z18_leaving
from companion.games.zargo_state import FLYERS, ZargoState


class Ending(NamedTuple):
    """How a way may end on a hex. targets: who may be named there; free: whether nobody need be; escort: whether the
    counter joins another there."""

    targets: tuple[str, ...]
    free: bool
    escort: bool


class Reached(NamedTuple):
    """How far a way has come: the hex, whether the last step went over a bridge, what it has cost."""

    place: int
    bridged: bool
    cost: int


@dataclass(slots=True)
class Ways:
    """The ways of one counter, by itself out of its escort where `leave`, else with whom it covers."""

    state: ZargoState
    name: str
    leave: bool = False
    occupied: Mapping[int, str] = field(init=False)
    known: dict[int, Ending | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.occupied = self.state.occupied()

    def possible(self) -> bool:
        """Whether the counter may move at all, and has a way."""
        try:
            may_move(self.state, self.name, z14_partner(self.state, self.name), self.leave)
            z18_leaving(self.state, self.name, self.occupied)
        except IllegalMove:
            return False
        return bool(self._completed(self._start(), first=True))

    def onward(self, path: list[int]) -> list[int]:
        """The hexes on which a way can go on: from each it can be brought to an end, there or further on."""
        here = self.reached(path)
        if here is None or (path and self._step(*self._last(path), first=len(path) == 1, last=False) is None):
            return []
        return [place for place in self._near(here.place) if self._leads_on(here, place, first=not path)]

    def reached(self, path: list[int]) -> Reached | None:
        """How far a way has come; None where a step of it is none."""
        here = self._start()
        for n, place in enumerate(path):
            cost = self._step(here, place, first=n == 0, last=n + 1 == len(path))
            if cost is None:  # a hex on which nobody may stop, and that may be passed
                cost = self._step(here, place, first=n == 0, last=False)
            if cost is None or here.cost + cost > self.state.movement(self.name):
                return None
            here = self._after(here, place, cost)
        return here

    def ending(self, path: list[int]) -> Ending | None:
        """How a way may end where it has come to; None where nobody may stop."""
        before, place = self._last(path)
        return self._ending(place) if self._step(before, place, first=len(path) == 1, last=True) is not None else None

    def _start(self) -> Reached:
        return Reached(self.state.counters[self.name].place, False, 0)

    def _last(self, path: list[int]) -> tuple[Reached, int]:
        before = self._start()
        for place in path[:-1]:
            before = self._after(before, place, 0)
        return before, path[-1]

    def _after(self, here: Reached, place: int, cost: int) -> Reached:
        over = place in geometry(self.state.world).bridges.get(here.place, ())
        return Reached(place, over, here.cost + cost)

    def _near(self, place: int) -> list[int]:
        land = geometry(self.state.world)
        return list(dict.fromkeys((*land.near[place], *land.bridges.get(place, ()))))

    def _step(self, here: Reached, place: int, *, first: bool, last: bool) -> int | None:
        flies = self.state.counters[self.name].kind in FLYERS
        try:
            return z9_step(self.state, self.name, here.place, place, self.occupied,
                           bridged=here.bridged, first=first, last=last, flies=flies)  # fmt: skip
        except IllegalMove:
            return None

    def _leads_on(self, here: Reached, place: int, *, first: bool) -> bool:
        left = self.state.movement(self.name) - here.cost
        cost = self._step(here, place, first=first, last=True)
        if cost is not None and cost <= left and self._ending(place) is not None:
            return True
        cost = self._step(here, place, first=first, last=False)
        return cost is not None and cost <= left and self._completed(self._after(here, place, cost), first=False)

    def _completed(self, here: Reached, *, first: bool) -> bool:
        """Whether some way goes on from here to where it may end."""
        limit, open_ = self.state.movement(self.name), [(here, first)]
        cheapest = {(here.place, here.bridged): here.cost}
        while open_:
            at, begins = open_.pop()
            for place in self._near(at.place):
                cost = self._step(at, place, first=begins, last=True)
                if cost is not None and at.cost + cost <= limit and self._ending(place) is not None:
                    return True
                cost = self._step(at, place, first=begins, last=False)
                if cost is None or at.cost + cost > limit:
                    continue
                there = self._after(at, place, cost)
                if there.cost < cheapest.get((place, there.bridged), limit + 1):
                    cheapest[place, there.bridged] = there.cost
                    open_.append((there, False))
        return False

    def _ending(self, place: int) -> Ending | None:
        if place not in self.known:
            self.known[place] = self._found_ending(place)
        return self.known[place]

    def _found_ending(self, place: int) -> Ending | None:
        partner = z14_partner(self.state, self.name)
        there = self.state.garrison(place) if place in self.occupied else []
        for escort in (False, True):
            try:
                stacked(self.state, self.name, partner, place, there, escort, self.leave)
            except IllegalMove:
                continue
            named = [name for name in self._beside(place) if self._may_name(place, name)]
            free = self._may_name(place, None)
            return Ending(tuple(named), free, escort) if named or free else None
        return None

    def _beside(self, place: int) -> list[str]:
        found = []
        for near in neighbours(self.state.world)[place]:
            found += [name for name in (self.occupied.get(near), self.state.city_at(near)) if name is not None]
        return found

    def _may_name(self, place: int, target: str | None) -> bool:
        told = Action("move", {} if target is None else {"target": target})
        try:
            z10_target(self.state, self.name, [place], told, self.occupied)
        except IllegalMove:
            return False
        return True


def z12_onward(state: ZargoState, people: str, name: str, path: list[int]) -> list[int]:
    """Z12: the next hex of a serpent's line, where somebody can be attacked from there or from further on."""
    line = _line(state, name)
    if line[: len(path)] != path:
        return []
    return line[len(path) : len(path) + 1] if any(z12_prey(state, people, h) for h in line[len(path) :]) else []


def z12_spent(state: ZargoState, name: str, path: list[int]) -> int:
    """Z9, Z12: what a serpent has spent of its movement when it has gone on along this path."""
    begin = [state.counters[name].place, *path]
    return state.moved[name].spent + sum(_cost(state, name, a, b, last=True) or 0 for a, b in pairwise(begin))


def z12_prey(state: ZargoState, people: str, place: int) -> list[str]:
    """Z10, Z12: whom a serpent can attack from a hex."""
    found = []
    for near in neighbours(state.world)[place]:
        name = state.occupied().get(near)
        if name is not None and is_prey(state, people, name):
            found.append(name)
    return found


def is_prey(state: ZargoState, people: str, name: str) -> bool:
    """Z9, Z10, Z14, Z15: whether a counter may be attacked by itself."""
    try:
        z10_prey(state, people, name)
    except IllegalMove:
        return False
    return True


def _line(state: ZargoState, name: str) -> list[int]:
    """The hexes on which a serpent that won can go on; a zone of influence ends them."""
    step = state.moved.get(name)
    if state.counters[name].kind != "serpent" or step is None or step.way < 0 or not step.won:
        return []
    here, found, left = state.counters[name].place, list[int](), state.movement(name) - step.spent
    while True:
        places = [p for p in neighbours(state.world)[here] if _cost(state, name, here, p, last=True) is not None]
        if not places:
            return found
        left -= _cost(state, name, here, places[0], last=True) or 0
        if left < 0:
            return found
        found.append(places[0])
        if _cost(state, name, here, places[0], last=False) is None:
            return found
        here = places[0]


def _cost(state: ZargoState, name: str, here: int, place: int, *, last: bool) -> int | None:
    try:
        return z12_step(state, name, here, place, last=last)
    except IllegalMove:
        return None
