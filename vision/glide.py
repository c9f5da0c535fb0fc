"""Where pucks are while they move, for screens: quick, frame by frame, and never the ground of a decision."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.frames import Image
from vision.palette import Palette
from vision.roster import TrackedPuck
from vision.streaks import Ground, Streak, find_streaks
from vision.view import TopView

Mask = NDArray[np.uint8]
Place = tuple[float, float]

LEFT_SHARE = 0.6  # a puck of whose place so much has changed does not lie there any more …
HIDDEN_SHARE = 0.3  # … or a hand hides so much of it
INNER_RADII = 0.7  # of both it is asked in the square that fits into the puck
HIDDEN_COST_MM = 60.0  # a puck that a hand hides takes a streak only where no other puck needs it
REACH_MM = 160.0  # nobody flicks further between two pictures on a screen


@dataclass(slots=True)
class Glide:
    """Follows pucks from the board at rest to the next rest.

    places: puck -> mm, for those that have left; time_s: of the frame that was looked at last.
    """

    ground: Ground
    view: TopView
    palette: Palette
    places: dict[str, Place] = field(default_factory=dict)
    time_s: float = -1.0

    def look(
        self, time_s: float, patch: Image, corner: tuple[int, int], light: NDArray[np.float32],
        pucks: Iterable[TrackedPuck],
    ) -> None:
        """Takes the changed part of a frame's top view, whose pixel (0, 0) is the view's `corner`, in its light."""
        self.time_s = time_s
        if patch.size == 0:
            self.places.clear()
            return
        paints = {team: [self.palette.bgr(team)] for team in self.palette.names}
        findings = find_streaks(0, patch, corner, light, self.ground, self.view, paints)
        radius = self.view.board.puck.radius_mm
        left = {p.puck: p for p in pucks if self._share(p.place, corner, findings.busy) > LEFT_SHARE}
        hidden = {k for k, p in left.items() if self._share(p.place, corner, findings.hands) >= HIDDEN_SHARE}
        for puck in [p for p in self.places if p not in left]:
            del self.places[puck]
        for team in {p.team for p in left.values()}:
            seen = [s for s in findings.streaks if s.team == team and s.clean(radius)]
            seen = [s for s in seen if self._share(s.place, corner, findings.hands) == 0]
            self._follow({k: self.places.get(k, p.place) for k, p in left.items() if p.team == team}, seen, hidden)

    def _follow(self, last: Mapping[str, Place], seen: list[Streak], hidden: set[str]) -> None:
        """Each puck takes the streak nearest to where it was; one without keeps its place.

        A puck whose place a hand hides may have left or not: the others are served first.
        """
        keys = list(last)
        cost = np.array([[math.dist(last[k], s.place) for s in seen] for k in keys]).reshape(len(keys), len(seen))
        dear = np.array([HIDDEN_COST_MM if k in hidden and k not in self.places else 0.0 for k in keys])
        for row, column in zip(*linear_sum_assignment(np.minimum(cost + dear[:, None], 2 * REACH_MM)), strict=True):
            if cost[row, column] < REACH_MM:
                self.places[keys[row]] = seen[column].place
        for key in keys:
            if key not in hidden:
                self.places.setdefault(key, last[key])

    def _share(self, place: Place, corner: tuple[int, int], mask: Mask) -> float:
        x, y = self.view.px_from_mm(np.array([place]))[0] - corner
        r = INNER_RADII * self.view.radius_px
        rows, columns = (slice(max(int(v - r), 0), max(int(v + r) + 1, 0)) for v in (y, x))
        part = mask[rows, columns]
        return float(part.mean()) if part.size else 0.0
