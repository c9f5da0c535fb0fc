"""Pucks that one look is not sure of: those that it found, and those that its noise or a hand may have hidden."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.comparison import Moves, hidden_share
from vision.events import PuckSeen
from vision.frames import Image
from vision.palette import Palette
from vision.resting import SCORE_SURE, SeenDisc
from vision.roster import Roster
from vision.second_look import faint_pucks, numberless, reefs_among
from vision.streaks import faint_paints
from vision.view import TopView

Corners = Sequence[NDArray[np.float64]]  # of reefs, mm

LEFT_MM = 5.0  # what is found no further than this from where a faint puck lay that is gone is a print there
VEILED_SHARE = 0.3  # of a puck's place: what a hand that was there at first hid of it, or made it up
SURELY_SHOWN = 0.8  # share of the pucks that the first look was sure of that a second one shows, in the same light


class Doubtful:
    """Keeps them, and asks again. pucks: all that lie on the board, which it adds to and strikes out from

    due: whether some that one frame hides are still to be looked for; gone: ids of those that left their places in
    this episode, where a faint one lies nowhere in one frame.
    """

    def __init__(self, pucks: Roster) -> None:
        self.due = False
        self.gone = set[str]()
        self._pucks = pucks
        self._vague = set[str]()  # ids of those that no look was sure of

    @property
    def sure(self) -> frozenset[str]:
        """The ids of all others."""
        return frozenset(p.puck for p in self._pucks if p.puck not in self._vague)

    def begin(self, seen: Sequence[SeenDisc]) -> None:
        """The first look at the board: what it has found lies there."""
        self._pucks.enrol(seen)
        sure = [d.place for d in seen if d.score >= SCORE_SURE]
        self._vague = {p.puck for p in self._pucks if p.place not in sure}
        self.due = True

    def proved(self, pucks: Iterable[str]) -> None:
        """These are pucks: they were seen to move, or again where they lay."""
        self._vague -= set(pucks)

    def look(self, mean: Image, view: TopView, palette: Palette, reefs: Corners, played: bool) -> list[str] | None:
        """Adds the pucks that one frame's noise hid, and strikes out what it made up.

        mean: (H, W, 3) of many frames at rest; played: shots have been told. -> ids of those that were added, or None
        where nothing was, nor struck out
        """
        self.due = False
        pucks = list(self._pucks)
        found, shown = faint_pucks(mean, view, palette, [p.place for p in pucks], reefs)
        vague = {p.puck for p in pucks if p.number is None and p.puck in self._vague and not played}
        made_up = {p.puck for p, is_shown in zip(pucks, shown, strict=True) if not is_shown and p.puck in vague}
        sure = [is_shown for p, is_shown in zip(pucks, shown, strict=True) if p.puck not in self._vague]
        if relit := sum(sure) < SURELY_SHOWN * len(sure):  # in another light what is not shown may well lie there
            made_up.clear()
        new = [PuckSeen(f"new {k}", d.team, None, d.x_mm, d.y_mm) for k, d in enumerate(found)]
        seen, added = [*self._pucks.seen(), *new], {p.puck for p in new}
        made_up |= reefs_among(mean, view, seen, vague | added)
        made_up |= numberless(mean, view, palette, seen, added if relit else vague | added)
        for puck in made_up:
            self._pucks.forget(puck)
        found = self._pucks.apart([d for p, d in zip(new, found, strict=True) if p.puck not in made_up])
        self._vague.clear()
        return self._pucks.enrol(found) if found or made_up else None

    def unveil(self, seen: Sequence[SeenDisc], view: TopView, veil: NDArray[np.bool_], ran: Iterable[str]) -> None:
        """A hand that was there at first has left: what it hid, or seemed to be, is set right.

        seen: what lies on the board now; veil: (h, w) of the top view where it was; ran: ids of pucks of the last shot
        """
        was = veil.astype(np.uint8)
        known = set(ran)
        under = [p for p in self._pucks if hidden_share(view, was, p.place) > VEILED_SHARE and p.puck not in known]
        for puck in under:
            if all(d.team != puck.team or math.dist(d.place, puck.place) > LEFT_MM for d in seen):
                self._pucks.forget(puck.puck)
        new = [d for d in self._pucks.apart(seen) if hidden_share(view, was, d.place) > 0.0]
        self._vague |= {*self._pucks.enrol(new), *(p.puck for p in under)}
        self.due = True

    def lost(self, moves: Moves, palette: Palette, top: Image) -> None:
        """Notes which pucks have left their places, where one of them lies nowhere and hardly differs from the ground,
        so that it may lie anywhere. top: (h, w, 3) the board as it lay"""
        lost = Counter(r.team for r in moves.vacated) - Counter(d.team for d in moves.appeared)
        faint = faint_paints(top, {team: [palette.bgr(team)] for team in lost})
        self.gone = {r.puck for r in moves.vacated} if faint else set()

    def faintly(
        self, mean: Image, view: TopView, palette: Palette, found: Sequence[SeenDisc], reefs: Corners
    ) -> list[SeenDisc]:
        """Pucks that show in the mean of some frames only, where none lies still or is found in one of them.

        One that is gone may lie less than its size from where it lay, but not there.
        """
        left = [p for p in self._pucks if p.puck in self.gone]
        places = [d.place for d in found]
        known = [*(p.place for p in self._pucks if p.puck not in self.gone), *places]
        new = faint_pucks(mean, view, palette, known, reefs)[0]
        return [d for d in self._pucks.apart(new, self.gone, places)
                if all(d.team != p.team or math.dist(d.place, p.place) > LEFT_MM for p in left)]  # fmt: skip
