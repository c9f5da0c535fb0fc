"""A solved shot told as events, in the contract's order."""

from __future__ import annotations

import numpy as np

from calibration.board import default_board_path, load_board
from vision.contacts import ContactGraph, Touch
from vision.crossings import Crossing, Passage
from vision.events import Contact, DoorCrossed, GatePassed, LeftBoard, PuckSeen, ShotEnded, ShotStarted
from vision.motion import Motion
from vision.shots import Shot
from vision.telling import shot_events

BOARD = load_board(default_board_path())
BEFORE = (PuckSeen("p1", "red", 3, 100.0, 100.0), PuckSeen("p2", "green", 4, 300.0, 100.0),
          PuckSeen("p3", "green", None, 500.0, 500.0))  # fmt: skip


def motion(puck: str, start: tuple[float, float], end: tuple[float, float] | None) -> Motion:
    last = end or (start[0] + 400, start[1])
    return Motion(puck, "red", start, end, np.array([1.0, 2.0]), np.array([start, last]), 1.0, 2.0, (1.0, 0.0), 800.0)


def shot(reasons: tuple[str, ...] = ()) -> Shot:
    """p1 runs through a door and strikes p2, which goes over the rim."""
    graph = ContactGraph("p1", (Touch(0.99, "p1", "p2", 286.0, 100.0, 0.9),), ())
    crossed = Crossing(2.2, "p1", "north", "in", 0.8, 9.0)
    passed, left = Passage(1.6, "p1", "gate"), Passage(1.5, "p2", "rim")
    motions = (motion("p1", (100, 100), (280, 100)), motion("p2", (300, 100), None))
    return Shot("p1", 1.0, 1.8, graph, (crossed,), (passed,), (left,), motions, False, reasons)


def test_a_shot_is_told_from_its_start_to_its_end_in_order_of_time() -> None:
    events = shot_events(shot(), 7, BOARD, BEFORE, {"p1": (280.0, 100.0)})
    assert [type(e) for e in events] == [ShotStarted, Contact, LeftBoard, GatePassed, DoorCrossed, ShotEnded]
    assert [e.t for e in events] == [1.0, 1.0, 1.5, 1.6, 2.2, 2.2]  # no touch before the flick, no end before a door


def test_pucks_are_told_where_they_lie_after_it_but_for_those_that_are_gone() -> None:
    started, *_, ended = shot_events(shot(), 7, BOARD, BEFORE, {"p1": (280.0, 100.0)})
    assert isinstance(started, ShotStarted)
    assert isinstance(ended, ShotEnded)
    assert started.pucks == BEFORE
    assert [(p.puck, p.x_mm) for p in ended.pucks] == [("p1", 280.0), ("p3", 500.0)]


def test_only_pucks_that_lie_on_the_gate_are_told_to_lie_there() -> None:
    x, y, _ = BOARD.gates[0].circle
    ended = shot_events(shot(), 1, BOARD, BEFORE, {"p1": (x, y)})[-1]
    assert isinstance(ended, ShotEnded)
    assert ended.on_gate == ("p1",)


def test_what_is_doubtful_is_told_with_its_reasons() -> None:
    for reasons in ((), ("a puck was lost from sight",)):
        ended = shot_events(shot(reasons), 1, BOARD, BEFORE, {})[-1]
        assert isinstance(ended, ShotEnded)
        assert (ended.needs_review, ended.reasons) == (bool(reasons), reasons)
