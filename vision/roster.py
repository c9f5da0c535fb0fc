"""The pucks on the board: their ids, their places, and what is known of their numbers."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from calibration.board import Board
from vision.events import PuckSeen
from vision.frames import Image
from vision.numbers import NumberBelief, NumberReader, assign, puck_patch
from vision.resting import OVERLAP, SeenDisc
from vision.view import TopView

Place = tuple[float, float]  # mm


@dataclass(slots=True)
class TrackedPuck:
    """A puck as the tracker knows it: it lies on the board, under an id that stays with it as long as it does."""

    puck: str
    team: str
    x_mm: float
    y_mm: float
    number: int | None = None
    belief: NumberBelief = field(default_factory=NumberBelief)

    @property
    def place(self) -> tuple[float, float]:
        return (self.x_mm, self.y_mm)

    def move(self, place: tuple[float, float]) -> None:
        self.x_mm, self.y_mm = place

    def seen(self) -> PuckSeen:
        return PuckSeen(self.puck, self.team, self.number, self.x_mm, self.y_mm)


class Roster:
    """All pucks that lie on the board now."""

    def __init__(self, board: Board, named: int = 0) -> None:
        """named: how many ids were given before, none of which is given again."""
        self._board = board
        self._reader = NumberReader(board) if board.numbered else None
        self._pucks: dict[str, TrackedPuck] = {}
        self.named = named

    def __iter__(self) -> Iterator[TrackedPuck]:
        return iter(self._pucks.values())

    def __len__(self) -> int:
        return len(self._pucks)

    def __getitem__(self, puck: str) -> TrackedPuck:
        return self._pucks[puck]

    def add(self, team: str, place: tuple[float, float]) -> TrackedPuck:
        """A puck that nobody knew before."""
        self.named += 1
        puck = TrackedPuck(f"p{self.named}", team, *place)
        self._pucks[puck.puck] = puck
        return puck

    def enrol(self, discs: Sequence[SeenDisc]) -> list[str]:
        """Pucks that lay there before anybody looked. -> their ids"""
        ordered = sorted(discs, key=lambda d: (d.team, d.y_mm, d.x_mm))
        return [self.add(d.team, d.place).puck for d in ordered]

    def apart(
        self, discs: Sequence[SeenDisc], but: Container[str] = (), places: Sequence[Place] = ()
    ) -> list[SeenDisc]:
        """Those that overlap no puck. but: ids of pucks that have left; places: where others lie, mm"""
        least = OVERLAP * self._board.puck.diameter_mm
        taken = [*(p.place for p in self if p.puck not in but), *places]
        return [d for d in discs if all(math.dist(d.place, place) >= least for place in taken)]

    def remove(self, puck: str) -> TrackedPuck | None:
        """Forgets a puck that has left the board. What it looked like is the number of none that lay beside it.

        Of two that look like the same number neither is given it; the one that is left is not that one, therefore.
        """
        gone = self._pucks.pop(puck, None)
        number = None if gone is None else gone.number if gone.number is not None else gone.belief.number()
        if gone is not None and number is not None:
            for other in self._pucks.values():
                if other.team == gone.team:
                    other.belief.barred.add(number)
        return gone

    def forget(self, puck: str) -> None:
        """Strikes out what never was a puck."""
        self._pucks.pop(puck, None)

    def mixed_up(self, pucks: Iterable[str]) -> None:
        """Of these pucks those of one team may be each other: what was read of them until now may be another's."""
        mine = [self._pucks[i] for i in pucks if i in self._pucks]
        for puck in mine:
            if sum(p.team == puck.team for p in mine) > 1:
                puck.belief = NumberBelief(barred=puck.belief.barred)

    def seen(self) -> tuple[PuckSeen, ...]:
        return tuple(p.seen() for p in self._pucks.values())

    def read_numbers(self, image: Image, view: TopView, only: Iterable[str] | None = None) -> None:
        """Looks at the pucks' numbers once more, and settles which is which among each team's.

        image: the frame; only: pucks to be read again whatever is known of them, else all that are not settled,
        or that are but for another one that looks alike.
        """
        if self._reader is None:
            return
        if only is None:
            wanted = [p for p in self._pucks.values() if not p.belief.settled or (p.number is None
                      and not p.belief.exhausted)]  # another one looks like it
        else:
            wanted = [self._pucks[i] for i in only if i in self._pucks]
        if not wanted:
            return
        patches = [puck_patch(image, view.pose, self._board, p.x_mm, p.y_mm) for p in wanted]
        for puck, reading in zip(wanted, self._reader.read_many(patches, [p.team for p in wanted]), strict=True):
            puck.belief.combine(reading, puck.place)
        for team in self._board.teams:
            mine = {p.puck: p.belief for p in self._pucks.values() if p.team == team.name}
            for puck_id, number in assign(mine, team.numbers).items():
                self._pucks[puck_id].number = number

    def likeness(
        self, image: Image, view: TopView, pucks: Sequence[str], discs: Sequence[SeenDisc]
    ) -> dict[tuple[str, tuple[float, float]], float]:
        """How well the numbers say that a puck that left its place is a disc that lies somewhere new.

        pucks: ids; discs: where they may lie now. -> (id, disc's place): log-likelihood, 0 for the best of each disc.
        Nothing is told of teams of which only one puck left, as there is nothing to be told apart.
        """
        out: dict[tuple[str, tuple[float, float]], float] = {}
        if self._reader is None:
            return out
        for team in {d.team for d in discs}:
            mine = [self._pucks[i] for i in pucks if self._pucks[i].team == team]
            seen = [d for d in discs if d.team == team]
            if len(mine) < 2:
                continue
            patches = [puck_patch(image, view.pose, self._board, *d.place) for d in seen]
            for disc, reading in zip(seen, self._reader.read_many(patches, [team] * len(seen)), strict=True):
                fits = {p.puck: p.belief.agreement(reading) for p in mine}
                best = max(fits.values())
                out |= {(puck, disc.place): fit - best for puck, fit in fits.items()}
        return out
