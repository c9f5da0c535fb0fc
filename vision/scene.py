"""All that is known of an episode when it is to be solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from vision.bounces import Lying
from vision.frames import Image
from vision.motion import Nudge
from vision.palette import Palette
from vision.records import Record
from vision.resting import Rest, SeenDisc
from vision.sighted import Sighted
from vision.view import TopView

FloatArray = NDArray[np.float64]

NUMBER_MM = 3.0  # a number that is e times less likely costs so much


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the solver looks at.

    before, after: top views at rest; vacated: pucks that no longer lie where they lay; appeared: discs that lie where
    none lay; nudges: pucks that were only shifted; frame_s: from one frame to the next; missed: frames lost in the
    episode; likeness: (puck, place of a disc) -> log-likelihood by its number that the one is the other; lying: pucks
    that lay still all along; reefs: (4, 2) corners in mm of each that players placed; cut_short: the records end before
    the board came to rest; veil: (h, w) True where a hand was when the board was looked at first, so that nothing is
    known of what it hid; sure: pucks that surely were some when the board was looked at; ran: in which direction pucks
    ran at last that a moment ago had seemed to rest, as unit vectors; earlier: what was seen of the episode before;
    renewed: the picture is put right bit by bit by its coder; returned: pucks that may have left and come back to where
    they lay.
    """

    board: Board
    view: TopView
    palette: Palette
    before: Image
    after: Image
    records: Sequence[Record]
    vacated: Sequence[Rest]
    appeared: Sequence[SeenDisc]
    nudges: Sequence[Nudge]
    frame_s: float
    missed: int = 0
    likeness: Mapping[tuple[str, tuple[float, float]], float] = field(default_factory=dict)
    lying: Sequence[Lying] = ()
    reefs: Sequence[FloatArray] = ()
    cut_short: bool = False
    veil: NDArray[np.bool_] | None = None
    sure: frozenset[str] = frozenset()
    ran: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    earlier: Sighted | None = None
    renewed: bool = False
    returned: frozenset[str] = frozenset()

    def veiled(self, place: tuple[float, float]) -> bool:
        """True where a hand was over any of a puck's place, mm, when the board was looked at first."""
        if self.veil is None:
            return False
        x, y = np.rint(self.view.px_from_mm(np.array([place]))[0]).astype(int)
        r = round(self.view.radius_px)
        part = self.veil[max(y - r, 0) : max(y + r + 1, 0), max(x - r, 0) : max(x + r + 1, 0)]
        return bool(part.any())

    def unlike_mm(self, puck: str, disc: SeenDisc) -> float:
        """What it costs by the numbers to take a disc for a puck."""
        return -NUMBER_MM * self.likeness.get((puck, disc.place), 0.0)
