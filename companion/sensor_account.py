"""One shot as the camera told it, compared with the sensors door by door and at the gate."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from calibration.board import Board
from companion.fusion import TIME_DIGITS
from companion.sensor_passages import Passage
from vision.virtual_table.beams import SPOT_MM

NEAR_MM = 6.0  # how well vision's places and the sensors' mounts are known together
BEAM_CONFIDENCE = 0.98  # of a passage that both beams tell in order
UNSURE_CONFIDENCE = 0.6  # of one that they tell otherwise, or not as a whole
UNSEEN_CONFIDENCE = 0.5  # of a crossing that vision tells without saying how sure it is
OUT_OF_SIGHT = ("was lost from sight", "was gone in a moment")  # doubts about a puck that a sensor answers


class Account:
    """One shot as vision told it, compared with the sensors door by door.

    may_have: whether a puck that vision lost may have gone in at a door, or onto the gate, by where it was seen last.
    """

    def __init__(self, seen: Mapping[str, Any], sure: Mapping[tuple[str, str], float],
                 may_have: Callable[[str, str], bool]) -> None:  # fmt: skip
        self._seen, self._sure, self._may_have = seen, sure, may_have
        self._doors_in = [dict(d) for d in seen["doors_in"]]
        self._on_gate = list(seen["on_gate"])
        self._reasons = list(seen["reasons"])
        self._told: list[dict[str, Any]] = []
        gone = {p["puck"] for p in seen["before"]} - {p["puck"] for p in seen["after"]}
        self._missing = sorted(gone - {m["puck"] for m in seen["exits"]})

    def door(self, name: str, felt: list[Passage]) -> None:
        """Compares the pucks that vision saw go in at a door with the beams' passages there."""
        seen = [d for d in self._doors_in if d["door"] == name]
        ins = [p for p in felt if p.direction == "in"]
        back = len(felt) - len(ins)
        if not seen and not ins:
            return
        if len(seen) <= len(ins) <= len(seen) + back and seen:
            self._agree(name, seen, ins)
        elif len(seen) < len(ins):
            self._only_felt(name, len(seen), ins, back)
        else:
            for d in seen[len(ins) :]:
                self._doubt(f"the camera saw {d['puck']} go in at {name}, the beams there did not")
                self._say(name, d["puck"], "camera", self._sure.get((d["puck"], name), UNSEEN_CONFIDENCE) / 2)

    def _agree(self, name: str, seen: list[dict[str, Any]], ins: list[Passage]) -> None:
        for d, passage in zip(seen, ins, strict=False):
            mine = self._sure.get((d["puck"], name), UNSEEN_CONFIDENCE)
            theirs = BEAM_CONFIDENCE if passage.sure else UNSURE_CONFIDENCE
            d["t"] = round(passage.time_s, TIME_DIGITS)
            self._say(name, d["puck"], "both", 1 - (1 - mine) * (1 - theirs))

    def _only_felt(self, name: str, seen: int, ins: list[Passage], back: int) -> None:
        """More went in than vision saw: those that it lost from sight, where that is as many; else players decide."""
        more = ins[seen:]
        who = self._lost_at(name, len(more), back)
        if who is None or not all(p.sure for p in more):
            self._doubt(only_felt(name, len(ins), seen))
            return
        self._missing = [p for p in self._missing if p not in who]
        for puck, passage in zip(who, more, strict=True):
            self._doors_in.append({"t": round(passage.time_s, TIME_DIGITS), "puck": puck, "door": name})
            self._found(puck)
            self._say(name, puck, "beams", BEAM_CONFIDENCE)

    def _lost_at(self, name: str, count: int, back: int) -> list[str] | None:
        """The pucks that vision lost from sight, where they are just so many and all may have gone in at that door;
        those that came back are seen again."""
        if not back:
            lost = self._missing
        else:
            after = {p["puck"] for p in self._seen["after"]}
            lost = sorted(p for p in after if any(_about(p, r) for r in self._reasons))
        return lost if len(lost) == count and all(self._may_have(p, name) for p in lost) else None

    def gate(self, board: Board, since: float | None, start: float) -> None:
        """Compares what lies on the gate at the end with the sensor under its middle.

        since: when it was covered, None where it is free; start: of the shot.
        """
        middle, radius = board.gates[0].circle[:2], board.puck.radius_mm
        nearest, nearest_before = (
            min((math.dist((p["x_mm"], p["y_mm"]), middle) for p in self._seen[when]), default=math.inf)
            for when in ("after", "before")
        )
        covered = since is not None
        if since is not None and since < start and nearest_before > radius + NEAR_MM:
            return  # covered with nothing there before the shot: dirt, or a hand
        if covered and nearest > radius + NEAR_MM:
            if len(self._missing) == 1 and not self._on_gate and self._may_have(self._missing[0], board.gates[0].name):
                puck = self._missing.pop()
                self._on_gate.append(puck)
                self._found(puck)
                self._say(board.gates[0].name, puck, "gate sensor", BEAM_CONFIDENCE)
            else:
                self._doubt("the gate's sensor feels a puck, the camera sees none there")
        elif not covered and nearest < radius - SPOT_MM - NEAR_MM:
            self._doubt("the camera sees a puck on the gate, the sensor there feels none")

    def _found(self, puck: str) -> None:
        """A sensor felt where a puck went that vision did not see go."""
        self._reasons = [r for r in self._reasons if not _about(puck, r)]

    def _doubt(self, reason: str) -> None:
        if reason not in self._reasons:
            self._reasons.append(reason)

    def _say(self, where: str, puck: str, by: str, confidence: float) -> None:
        self._told.append({"at": where, "puck": puck, "by": by, "confidence": round(confidence, 3)})

    def result(self) -> dict[str, Any]:
        """The account, with what the sensors had to say."""
        doubted = bool(self._reasons) or (self._seen["needs_review"] and not self._seen["reasons"])
        return {
            **self._seen,
            "doors_in": sorted(self._doors_in, key=lambda d: d["t"]),
            "on_gate": self._on_gate,
            "needs_review": doubted,
            "reasons": self._reasons,
            "sensors": self._told,
        }


def only_felt(door: str, felt: int, seen: int) -> str:
    """The doubt where beams felt more pucks go in than the camera saw."""
    return f"the beams at {door} felt {felt} {'puck' if felt == 1 else 'pucks'} go in, the camera saw {seen}"


def _about(puck: str, reason: str) -> bool:
    """True where a reason of vision's says that a puck was out of sight."""
    return reason.startswith(tuple(f"{puck} {lost}" for lost in OUT_OF_SIGHT))
