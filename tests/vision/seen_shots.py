"""Shots of the virtual table's physics as a camera would have them: streaks, frame by frame, with noise."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.board import Board
from vision.contacts import ContactGraph, find_contacts
from vision.crossings import beyond_rim_mm
from vision.motion import Motion, Nudge, make_motion
from vision.paths import Path, link
from vision.streaks import Streak
from vision.virtual_table.physics import Flick, Material, Puck, Shot, simulate

FPS = 30.0
FRAME_S = 1.0 / FPS
EXPOSURE_S = 1 / 90
NOISE_MM = 0.3  # standard deviation of a streak's centre
LEAD, TAIL = 4, 4  # frames before the flick and after the last puck rests
NUDGE_MM, STAYED_MM = 5.0, 0.8  # a puck that moved less is not followed; and this is not even a nudge
OUT_OF_SIGHT_MM = 40.0  # beyond the surface's edge
HAND_BEHIND_MM = 4.0


def play(board: Board, pucks: Sequence[Puck], key: str, angle_deg: float, speed_mm_s: float,
         material: Material | None = None) -> Shot:  # fmt: skip
    """One flick, played to rest by the physics."""
    flick = Flick(key, math.radians(angle_deg), speed_mm_s)
    return simulate(board, (), pucks, flick, material or Material(), random.Random(1))


@dataclass(frozen=True, slots=True)
class Camera:
    """Watches a shot. phase: what share of a frame lies between the last frame before the flick and the flick.

    seed: of the noise. It answers the linker's questions as a view without hands does.
    """

    board: Board
    shot: Shot
    phase: float = 0.3
    seed: int = 1
    noise_mm: float = NOISE_MM
    streaks: list[list[Streak]] = field(default_factory=list)

    @property
    def flick_s(self) -> float:
        return (LEAD - 0.5 + self.phase) * FRAME_S

    @property
    def times(self) -> list[float]:
        count = LEAD + TAIL + math.ceil(self.shot.rest_s * FPS)
        return [(k + 0.5) * FRAME_S for k in range(count)]

    def true_place(self, key: str, time_s: float) -> tuple[float, float]:
        """Where a puck truly is at a moment of the film."""
        start = next(p for p in self.shot.start if p.key == key)
        moved = self.shot.place(key, max(time_s - self.flick_s, 0.0))
        return (moved[0], moved[1]) if moved else (start.x_mm, start.y_mm)

    def film(self) -> list[list[Streak]]:
        """A streak of every puck that comes to move, in every frame."""
        rng = np.random.default_rng(self.seed)
        radius = self.board.puck.radius_mm
        for k, time_s in enumerate(self.times):
            seen = []
            for puck in self.moved():
                ways = np.array([self.true_place(puck.key, time_s + d * EXPOSURE_S) for d in np.linspace(-0.5, 0.5, 9)])
                (x, y), (w, h) = ways.mean(axis=0) + rng.normal(0, self.noise_mm, 2), self.board.size
                if max(-x, x - w, -y, y - h) > OUT_OF_SIGHT_MM:
                    continue
                along = math.sqrt(radius**2 / 4 + float(np.ptp(ways, axis=0) @ np.ptp(ways, axis=0)) / 12)
                angle = math.atan2(*(ways[-1] - ways[0])[::-1])
                seen.append(Streak(k, puck.team, float(x), float(y), 1.0, along, radius / 2, angle, (0, 0, 1, 1)))
            self.streaks.append(seen)
        return self.streaks

    def moved(self) -> list[Puck]:
        """The pucks that lie more than a nudge from where they lay, or are gone."""
        return [p for p in self.shot.start if self._way(p) > NUDGE_MM]

    def nudges(self) -> list[Nudge]:
        ends = {p.key: (p.x_mm, p.y_mm) for p in self.shot.end}
        return [Nudge(p.key, (p.x_mm, p.y_mm), ends[p.key]) for p in self.shot.start
                if STAYED_MM < self._way(p) <= NUDGE_MM]  # fmt: skip

    def _way(self, puck: Puck) -> float:
        end = next((p for p in self.shot.end if p.key == puck.key), None)
        return math.dist((puck.x_mm, puck.y_mm), (end.x_mm, end.y_mm)) if end else math.inf

    # -- what the linker asks of a frame ---------------------------------------------------------
    def covered(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return False

    def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return self.times[frame] <= self.flick_s

    def lies(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return False  # a puck that lies there is a streak there

    def bare(self, frame: int, x_mm: float, y_mm: float) -> bool:
        half = 0.81 * self.board.puck.radius_mm  # two discs so far apart share half of their area
        return all(math.dist(self.true_place(p.key, self.times[frame]), (x_mm, y_mm)) > half for p in self.shot.start)

    def fresh(self, frame: int, streak: Streak) -> bool:
        return True

    def stood(self, first: int, last: int, streak: Streak, within_mm: float = 3.0) -> bool:
        return False

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        return 200.0

    def over_rim(self, x_mm: float, y_mm: float) -> bool:
        return beyond_rim_mm(self.board, x_mm, y_mm) > 0.0

    # -- the parts under test, one on the other --------------------------------------------------
    def paths(self) -> list[Path]:
        """The moved pucks' paths, linked from the film."""
        ends = {p.key: (p.x_mm, p.y_mm) for p in self.shot.end}
        out = [Path(p.key, p.team, (p.x_mm, p.y_mm), end=ends.get(p.key)) for p in self.moved()]
        link(self.film(), self.times, out, self, self.board.puck.radius_mm)
        return out

    def motions(self) -> dict[str, Motion]:
        """The moved pucks' motions, in continuous time."""
        made = (make_motion(path, self.times, FRAME_S) for path in self.paths())
        return {m.puck: m for m in made if m is not None}

    def contacts(self) -> ContactGraph:
        """Who touched whom, a finger having lain behind the flicked puck."""
        flick = self.shot.flick
        x, y = self.true_place(flick.puck, 0.0)
        behind = self.board.puck.radius_mm + HAND_BEHIND_MM
        finger = (x - behind * math.cos(flick.angle_rad), y - behind * math.sin(flick.angle_rad))
        motions = self.motions()
        places = {p.key: (p.x_mm, p.y_mm) for p in self.shot.start}
        hand = {k: math.dist(finger, place) - self.board.puck.radius_mm for k, place in places.items()}
        lying = [Nudge(key, place, place) for key, place in places.items() if key not in motions]
        nudges = self.nudges()
        return find_contacts(list(motions.values()), nudges, hand, self.board.puck.diameter_mm, FRAME_S,
                             [p for p in lying if p.puck not in {n.puck for n in nudges}])  # fmt: skip
