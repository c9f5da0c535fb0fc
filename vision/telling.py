"""A solved shot as the contract's events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from calibration.board import Board
from vision.crossings import lies_on_gate
from vision.events import Contact, DoorCrossed, Event, GatePassed, LeftBoard, PuckSeen, ShotEnded, ShotStarted
from vision.shots import Shot


def shot_events(
    shot: Shot, number: int, board: Board, before: Iterable[PuckSeen], now: Mapping[str, tuple[float, float]]
) -> list[Event]:
    """What is told of a shot, in the contract's order.

    number: the shot's; before: the pucks as they lay; now: by id, where those lie that lie elsewhere than before.
    """
    before = tuple(before)
    middle: list[Event] = [
        Contact(max(t.time_s, shot.start_s), number, t.striker, t.struck, t.x_mm, t.y_mm, t.confidence)
        for t in shot.graph.touches
    ]
    middle += [DoorCrossed(c.time_s, number, c.puck, c.door, c.direction, c.confidence) for c in shot.crossings]
    middle += [GatePassed(p.time_s, number, p.puck) for p in shot.passages]
    middle += [LeftBoard(p.time_s, number, p.puck) for p in shot.exits]
    middle.sort(key=lambda e: e.t)
    lost = {m.puck for m in shot.motions if m.end is None}
    lies = [
        p._replace(x_mm=now[p.puck][0], y_mm=now[p.puck][1]) if p.puck in now else p
        for p in before if p.puck not in lost
    ]  # fmt: skip
    on_gate = tuple(p.puck for p in lies if lies_on_gate(board, p.x_mm, p.y_mm))
    last = max([shot.rest_s, *(e.t for e in middle)])
    return [
        ShotStarted(shot.start_s, number, shot.flicked, before, shot.pushed),
        *middle,
        ShotEnded(last, number, tuple(lies), on_gate, bool(shot.reasons), shot.reasons),
    ]
