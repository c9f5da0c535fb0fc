"""Streaks of all frames linked into one path a puck, from where it lay to where it came to rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.streaks import Streak

NEAR_MM = 8.0  # a streak this near to a puck's place is that puck, at rest or just leaving: fingers shift what is seen
SPEED_MAX_MM_S = 4500.0  # nobody flicks faster
SLACK_MM = 10.0  # error of a place in a frame, a turn within it included
FIRST_MM = 15.0  # walls and shadows beside a puck shift its streak by less than this …
STILL_MM = 3.0  # … but it stands still from frame to frame
TURN_COST = 0.55  # a bounce costs this share of the way it bends
MASS_COST_MM = 12.0  # a streak with half a puck too much or too little costs so much
UNCLEAN_COST_MM = 10.0  # a streak of odd size or breadth costs so much
LEAVING_DIAMETERS = 1.2  # a whole puck this near to where one lay is that one, although its place is not bare yet
GONE_COST_MM = 60.0  # a puck without a streak in a frame costs so much
HIDDEN_COST_MM = 25.0  # and this where a hand covers the place where it should be


@dataclass(frozen=True, slots=True)
class PathPoint:
    """Where a puck was in one frame: middle of the exposure."""

    frame: int
    x_mm: float
    y_mm: float
    streak: Streak | None

    @property
    def place(self) -> tuple[float, float]:
        return (self.x_mm, self.y_mm)


@dataclass(slots=True)
class Path:
    """One puck's way through a shot.

    start: where it lay; left: last frame in which it still lay there or near; near: where it was seen until then;
    points: where it was seen after that; end: where it lies now, None where it is gone.
    """

    puck: str
    team: str
    start: tuple[float, float]
    left: int | None = None
    last_seen_at_rest: int = -1
    near: list[PathPoint] = field(default_factory=list)
    points: list[PathPoint] = field(default_factory=list)
    end: tuple[float, float] | None = None

    @property
    def moving(self) -> bool:
        return self.left is not None

    def last(self) -> tuple[float, float]:
        return self.points[-1].place if self.points else self.start

    def last_frame(self) -> int:
        return self.points[-1].frame if self.points else self.last_seen_at_rest

    def velocity(self, times: Sequence[float]) -> tuple[float, float] | None:
        """mm/s over the last two places; None where only one place is known since it lay still."""
        if not self.points:
            return None
        a = self.points[-2] if len(self.points) > 1 else None
        b = self.points[-1]
        if a is None:
            return None
        dt = times[b.frame] - times[a.frame]
        return ((b.x_mm - a.x_mm) / dt, (b.y_mm - a.y_mm) / dt)


class Sight(Protocol):
    """What can be asked of a frame besides its streaks."""

    def covered(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where a hand hides that place."""

    def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where the frame shows that place as it was before."""

    def bare(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where the frame shows the ground there."""

    def fresh(self, frame: int, streak: Streak) -> bool:
        """True where a streak does not stand still, or lies where a puck came to rest."""

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        """From a puck's edge at that place to the nearest hand."""


def link(
    streaks: Sequence[Sequence[Streak]], times: Sequence[float], paths: Sequence[Path], sight: Sight, radius_mm: float
) -> None:
    """Follows each puck through the frames; fills in `left`, `near` and `points` of the paths.

    streaks: one sequence a frame; times: seconds, one a frame.
    """
    for frame, seen in enumerate(streaks):
        for path in paths:
            if not path.moving and sight.unchanged(frame, *path.start):
                path.last_seen_at_rest = frame
        for team in {p.team for p in paths}:
            mine = [p for p in paths if p.team == team]
            _follow(frame, _split([s for s in seen if s.team == team], mine), times, mine, sight, radius_mm)


def _follow(frame: int, seen: list[Streak], times: Sequence[float], paths: list[Path], sight: Sight,
            radius_mm: float) -> None:  # fmt: skip
    """One frame, one team: resting pucks take the streaks that lie on them, moving ones the best of the others."""
    free = list(seen)
    leaving: list[Path] = []
    for path in paths:
        if any(_back(path, s) for s in free):
            path.left, path.points = None, []
        if path.moving or path.last_seen_at_rest == frame:
            continue
        near = min(free, key=lambda s: math.dist(s.place, path.start), default=None)
        if near is not None and _at_rest(path, near):
            free.remove(near)
            path.last_seen_at_rest = frame
            path.near.append(PathPoint(frame, near.x_mm, near.y_mm, near))
        else:
            leaving.append(path)
    candidates = [p for p in paths if p.moving] + leaving
    gone = {p.puck for p in leaving if sight.bare(frame, *p.start)}
    if candidates and free:
        cost = np.array([[_cost(p, s, frame, times) + _leave_cost(p, s, frame, p.puck in gone, sight, radius_mm)
                          for s in free] for p in candidates])  # fmt: skip
        stay = np.array([HIDDEN_COST_MM if _hidden(p, frame, times, sight) else GONE_COST_MM for p in candidates])
        table = np.hstack([cost, np.where(np.eye(len(candidates)) > 0, stay[:, None], 1e6)])
        for row, column in zip(*linear_sum_assignment(table), strict=True):
            if column < len(free) and cost[row, column] < 1e5:
                path, streak = candidates[row], free[column]
                if not path.moving:
                    path.left = max(path.last_seen_at_rest, -1)
                path.points.append(PathPoint(frame, streak.x_mm, streak.y_mm, streak))
    for path in leaving:
        if not path.moving and path.puck in gone and path.last_seen_at_rest >= 0:
            path.left = path.last_seen_at_rest


def _hidden(path: Path, frame: int, times: Sequence[float], sight: Sight) -> bool:
    """True where a hand covers the place where a puck should be now, and the one where it was."""
    if not sight.covered(frame, *path.last()):
        return False
    velocity = path.velocity(times)
    if velocity is None:
        return True
    dt = times[frame] - times[path.last_frame()]
    return sight.covered(frame, path.last()[0] + velocity[0] * dt, path.last()[1] + velocity[1] * dt)


def _leave_cost(path: Path, streak: Streak, frame: int, gone: bool, sight: Sight, radius_mm: float) -> float:
    """What it costs to take a streak for a puck that lay still until now; 1e6 where it surely is not."""
    if path.points:
        return 0.0 if streak.clean(radius_mm) else UNCLEAN_COST_MM
    if not sight.fresh(frame, streak):
        return 1e6
    if streak.outlined and math.dist(streak.place, path.start) < LEAVING_DIAMETERS * 2 * radius_mm:
        return 0.0
    if gone:
        return 0.0 if streak.clean(radius_mm) else 2 * UNCLEAN_COST_MM
    if not streak.clean(radius_mm) or sight.hand_distance_mm(frame, *streak.place) < 1.0:
        return 1e6
    return 0.0


def _back(path: Path, streak: Streak) -> bool:
    """True where a puck that seemed to leave is just where it was seen before: a finger had shifted its outline."""
    if not path.moving or not path.near or math.dist(streak.place, path.near[-1].place) > STILL_MM:
        return False
    return all(math.dist(p.place, path.start) < FIRST_MM for p in path.points)


def _at_rest(path: Path, streak: Streak) -> bool:
    """True where a streak is the puck in its place, or as far off it as it was when it surely lay there."""
    away = math.dist(streak.place, path.start)
    if away <= NEAR_MM:
        return True
    if away > FIRST_MM:
        return False
    return not path.near or math.dist(streak.place, path.near[-1].place) < STILL_MM


def _cost(path: Path, streak: Streak, frame: int, times: Sequence[float]) -> float:
    """How badly a streak continues a path, in millimetres; 1e6 where it cannot."""
    last, before = path.last(), path.last_frame()
    dt = times[frame] - times[max(before, 0)] if frame != before else 1e-3
    way = math.dist(last, streak.place)
    if way > SPEED_MAX_MM_S * dt + SLACK_MM:
        return 1e6
    odd = MASS_COST_MM * abs(math.log(max(streak.mass, 0.1))) * 1.5
    velocity = path.velocity(times)
    if velocity is None:
        if path.points:  # one place since it lay still: it goes on the same way, or has been stopped
            first = times[before] - times[max(before - 1, 0)]  # hidden or not, it may have left only just before
            step = math.dist(path.start, last) / max(first, 1e-3) * dt
            excess = max(0.0, way - 1.6 * step - SLACK_MM)
            return odd + 0.15 * way + excess
        return odd + 0.12 * way
    speed = math.hypot(*velocity)
    predicted = (last[0] + velocity[0] * dt, last[1] + velocity[1] * dt)
    miss = math.dist(predicted, streak.place)
    faster = max(0.0, way - speed * dt - SLACK_MM)
    return odd + TURN_COST * max(0.0, miss - 3.0) + 0.6 * faster


def _split(seen: list[Streak], paths: list[Path]) -> list[Streak]:
    """Takes streaks apart that hold two pucks of a team that touch."""
    if len(paths) < 2:
        return seen
    out: list[Streak] = []
    for s in seen:
        spread = s.along_mm**2 - s.across_mm**2
        if s.mass < 1.55 or spread <= 0:
            out.append(s)
            continue
        d = math.sqrt(spread)
        ux, uy = math.cos(s.angle_rad) * d, math.sin(s.angle_rad) * d
        out += [Streak(s.frame, s.team, s.x_mm + k * ux, s.y_mm + k * uy, s.mass / 2, s.across_mm, s.across_mm,
                       s.angle_rad, s.box) for k in (-1, 1)]  # fmt: skip
    return out
