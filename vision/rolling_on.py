"""The pucks of the shot that was told last: they may not have been quite at rest, and roll on."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.shots import Shot

RAN_S = 1.0  # what goes on so soon after a shot was told may be its pucks …
ROLLS_S = 2.5  # … and that is looked at no later

Way = tuple[float, float]


@dataclass(slots=True)
class RollingOn:
    """Which those are. ways: in which direction each ran at last; told_s: when the shot was told."""

    ways: dict[str, Way] = field(default_factory=dict)
    told_s: float = 0.0

    def tell(self, shot: Shot, time_s: float) -> None:
        """A shot is told."""
        ways = {m.puck: m.last_direction() for m in shot.motions if m.end is not None}
        self.ways, self.told_s = {puck: way for puck, way in ways.items() if way is not None}, time_s

    def in_episode(self, first_s: float, now_s: float) -> dict[str, Way]:
        """Those that may be what runs in an episode whose first frame and look were at these times."""
        soon = abs(first_s - self.told_s) < RAN_S and abs(now_s - self.told_s) <= ROLLS_S
        return self.ways if soon else {}
