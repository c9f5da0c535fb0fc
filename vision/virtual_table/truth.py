"""What truly happened on the virtual table, kept in the form of the recordings' truth."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from calibration.board import Board
from calibration.pose import Pose
from vision.virtual_table.crossings import Doubt
from vision.virtual_table.looks import Look
from vision.virtual_table.physics import Puck, Shot, Touch
from vision.virtual_table.scene import Reef

SETTLE_S = 0.25  # a shot ends this long after the last puck stopped
MOST_SHOTS = 2000  # a table that runs for days keeps only the latest


@dataclass
class TruthKeeper:
    """Collects shots, hands, camera poses and (for films) every puck's place in every frame."""

    board: Board
    look: Look
    reefs: Sequence[Reef]
    keep_positions: bool
    keys: tuple[str, ...]
    shots: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=MOST_SHOTS))
    hand: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=MOST_SHOTS))
    cameras: list[dict[str, Any]] = field(default_factory=list)
    positions: list[list[list[int] | None]] = field(default_factory=list)
    bump_s: float | None = None
    count: int = 0

    def camera(self, since_s: float, pose: Pose) -> None:
        self.cameras.append({"since": round(since_s, 4), "rvec": [round(float(v), 8) for v in pose.rvec],
                             "tvec": [round(float(v), 5) for v in pose.tvec]})  # fmt: skip

    def frame(self, places: dict[str, tuple[float, float]]) -> None:
        """The places of all pucks in the middle of a frame's exposure."""
        if self.keep_positions:
            row = (places.get(k) for k in self.keys)
            self.positions.append([None if p is None else [round(p[0] * 10), round(p[1] * 10)] for p in row])

    def did(self, time_s: float, what: str, puck: str | None, at: tuple[float, float] | None = None) -> None:
        entry: dict[str, Any] = {"t": round(time_s, 3), what: puck if puck is not None else True}
        if at is not None:
            entry["at"] = [round(at[0], 1), round(at[1], 1)]
        self.hand.append(entry)

    def shot(self, shot: Shot, start_s: float, want: str, pushed: bool) -> None:
        self.count += 1
        facts, start = shot.facts, start_s
        rest = start + shot.rest_s
        self.shots.append(
            {
                "shot": self.count,
                "want": want,
                "puck": shot.flick.puck,
                "t_start": round(start, 4),
                "t_end": round(rest + SETTLE_S, 4),
                "speed": round(shot.flick.speed_mm_s, 1),
                "start": _places(shot.start),
                "end": _places(shot.end),
                "on_gate": list(facts.on_gate),
                "contacts": [_contact(touch, start) for touch in shot.touches],
                "crossings": [
                    {"t": round(start + c.time_s, 4), "puck": c.puck, "door": c.door, "direction": c.direction}
                    for c in facts.crossings
                ],
                "exits": [{"t": round(start + when, 4), "puck": key} for when, key in facts.exits],
                "gate_passed": [{"t": round(start + when, 4), "puck": key} for when, key in facts.gate_passed],
                "doubtful": [doubt_to_json(doubt) for doubt in facts.doubts],
                "t_rest": round(rest, 4),
                "pushed": pushed,
            }
        )

    def as_json(self, pucks: Sequence[Puck], frames: int) -> dict[str, Any]:
        """All of it, as the recordings' truth.json has it."""
        return {
            "format": 1, "tier": self.look.tier, "fps": plain(self.look.fps), "size": list(self.look.size),
            "board": self.board.name, "shots": list(self.shots), "hand": list(self.hand),
            "reefs": [{"team": r.team, "polygon": [[round(x, 2), round(y, 2)] for x, y in r.polygon]}
                      for r in self.reefs],
            "positions": {"keys": list(self.keys), "mm10": self.positions}, "frames": frames,
            "pucks": {p.key: {"team": p.team, "number": p.number} for p in pucks},
            "camera_bump": self.bump_s, "cameras": list(self.cameras),
        }  # fmt: skip


def _places(pucks: Sequence[Puck]) -> dict[str, list[float]]:
    return {p.key: [round(p.x_mm, 2), round(p.y_mm, 2)] for p in pucks}


def _contact(touch: Touch, start_s: float) -> dict[str, Any]:
    return {
        "t": round(start_s + touch.time_s, 4),
        "a": touch.a,
        "b": touch.b,
        "dv": round(touch.dv_mm_s, 1),
        "slide": round(touch.slide_mm, 2),
        "at": [round(touch.x_mm, 1), round(touch.y_mm, 1)],
    }


def doubt_to_json(doubt: Doubt) -> dict[str, Any]:
    """What a truth says of a puck so near to a door's line or the gate's edge that nobody can tell, depth in mm."""
    what = {"door": doubt.door} if doubt.door else {"gate": doubt.gate}
    return {"puck": doubt.puck, **what, "depth": round(doubt.depth_mm, 2)}


def plain(value: float) -> float | int:
    """A number as JSON has it shortest: whole ones without a point."""
    return int(value) if float(value).is_integer() else value
