"""What frames show of a puck that leaves its place, and of the hand there, as told to the functions that judge it."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

from vision.bounces import Lying
from vision.motion import Nudge
from vision.paths import Path, PathPoint
from vision.streaks import Streak
from vision.watch import HAND_FAR_MM, Watch

FRAME_S = 1 / 30
HOME = (300.0, 60.0)
LEFT = 10  # the frame in which the puck was seen in its place for the last time
RADIUS_MM = 14.0
BOARD = SimpleNamespace(
    size=(600.0, 400.0), puck=SimpleNamespace(radius_mm=RADIUS_MM, diameter_mm=2 * RADIUS_MM), obstacles=()
)


@dataclass
class Frames:
    """What the frames show: the hand's distance from the puck's edge by frame, at its place and at where it is seen."""

    fps: float = 30.0
    home_mm: dict[int, float] = field(default_factory=dict)
    gap_mm: dict[int, float] = field(default_factory=dict)
    whole_gap_mm: dict[int, float] = field(default_factory=dict)  # to what is larger than a shadow, where that differs
    joined: set[int] = field(default_factory=set)  # the hand hangs together with what is seen
    hidden: set[int] = field(default_factory=set)  # a hand is over the place
    partly: set[int] = field(default_factory=set)  # a hand is over a part of the place
    outside: set[int] = field(default_factory=set)  # the place lies outside of all that has changed
    blurred: set[int] = field(default_factory=set)  # the place shows the puck, but not just as it lay
    gone_at: int = LEFT + 1
    streaks: dict[int, list[Streak]] = field(default_factory=lambda: {k: [] for k in range(30)})

    side_mm: tuple[float, float] = (0.0, 0.0)  # where the hand reaches for the puck from
    struck: int = 0  # other pucks that moved
    lying: tuple[Lying, ...] = ()
    nudges: tuple[Nudge, ...] = ()

    @property
    def scene(self) -> SimpleNamespace:
        return SimpleNamespace(
            board=BOARD, vacated=[SimpleNamespace(place=HOME)] * (1 + self.struck), nudges=self.nudges,
            lying=self.lying, reefs=(),
        )  # fmt: skip

    @property
    def times(self) -> list[float]:
        return [k / self.fps for k in range(30)]

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        near = self.home_mm if (x_mm, y_mm) == HOME else self.gap_mm
        return near.get(frame, HAND_FAR_MM)

    def beside_mm(self, frame: int, x_mm: float, y_mm: float) -> tuple[float, float]:
        return self.side_mm

    def over_rim(self, x_mm: float, y_mm: float) -> bool:
        return not (0 <= x_mm <= BOARD.size[0] and 0 <= y_mm <= BOARD.size[1])

    def whole_hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        return self.whole_gap_mm.get(frame, self.hand_distance_mm(frame, x_mm, y_mm))

    def covered(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame in self.hidden | self.partly

    def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame in self.outside

    def lies(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame < self.gone_at and frame not in self.hidden | self.blurred

    def bare(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame >= self.gone_at and frame not in self.hidden

    def free(self, frame: int, streak: Streak) -> bool:
        return frame not in self.joined

    def watch(self) -> Watch:
        return cast(Watch, self)


def path(*seen: tuple[int, float, float], mass: float = 1.0) -> Path:
    """The path of a puck that lay at HOME until LEFT and was seen elsewhere in some frames (frame, x, y)."""
    out = Path("p1", "red", HOME, left=LEFT, last_seen_at_rest=LEFT)
    for frame in (LEFT - 1, LEFT):
        out.near.append(PathPoint(frame, *HOME, None))
    for frame, x, y in seen:
        streak = Streak(frame, "red", x, y, mass, RADIUS_MM / 2, RADIUS_MM / 2, 0.0, (0, 0, 1, 1))
        out.points.append(PathPoint(frame, x, y, streak))
    return out


def aiming(mm: float = 4.0, until: int = 29) -> dict[int, float]:
    """A hand next to the puck's place from long before until some frame."""
    return dict.fromkeys(range(until + 1), mm)
