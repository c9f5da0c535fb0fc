"""Which of two pucks was touched first, where one frame shows both."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from vision.contacts import ContactGraph, Touch
from vision.motion import Motion
from vision.touch_order import FURTHER_MM, ORDER, unclear_order

DIAMETER_MM, FRAME_S, SPEED_MM_S = 28.0, 1 / 30, 1000.0
START, FIRST_MM = (100.0, 200.0), 60.0  # the flicked puck runs to the east, and so far to its first touch


def struck(along_mm: float, side: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a puck lay that the flicked one touches after so much of its way, and where they touch. side: of its way,
    in radii"""
    x, y = START[0] + along_mm, START[1]
    across = side * DIAMETER_MM / 2
    ahead = math.sqrt(DIAMETER_MM**2 - across**2)
    return (x + ahead, y + across), (x + ahead / 2, y + across / 2)


def flicked(turn_deg: float) -> Motion:
    """It runs to the east, and is turned by so much by its first touch."""
    turned = math.radians(turn_deg)
    places = np.array([START, (START[0] + FIRST_MM, START[1]),
                       (START[0] + FIRST_MM + 50 * math.cos(turned), START[1] + 50 * math.sin(turned))])  # fmt: skip
    times = np.array([0.0, FIRST_MM, FIRST_MM + 50.0]) / SPEED_MM_S
    return Motion("p1", "red", START, (places[-1, 0], places[-1, 1]), times, places, 0.0, float(times[-1]), (1.0, 0.0),
                  SPEED_MM_S)  # fmt: skip


def doubts(further_mm: float, sure: tuple[float, float], apart_s: float = 0.02) -> list[str]:
    """Of a touch on p2, and one on p3 so much further on."""
    (at_2, met_2), (at_3, met_3) = struck(FIRST_MM, -1.2), struck(FIRST_MM + further_mm, 1.5)
    one = Touch(FIRST_MM / SPEED_MM_S, "p1", "p2", *met_2, sure[0])
    other = Touch(one.time_s + apart_s, "p1", "p3", *met_3, sure[1])
    onward, again = Touch(0.09, "p3", "p4", 1.0, 1.0, 0.2), replace(other, time_s=0.1, confidence=0.1)
    graph = ContactGraph("p1", (one, other, onward, again), ())  # of each puck it counts when it was first touched
    return unclear_order(graph, FRAME_S, flicked(25.0), {"p1": START, "p2": at_2, "p3": at_3})


@pytest.mark.parametrize("sure", [(0.93, 0.54), (0.54, 0.93)])
@pytest.mark.parametrize(("further_mm", "asked"), [(-20.0, True), (0.0, True), (FURTHER_MM - 1, True),
                                                   (FURTHER_MM + 1, False), (25.0, False)])  # fmt: skip
def test_the_order_is_asked_about_but_where_the_second_lies_further_on(
    further_mm: float, sure: tuple[float, float], asked: bool
) -> None:
    assert doubts(further_mm, sure) == ([ORDER.format("p1", "p2", "p3")] if asked else [])


@pytest.mark.parametrize(
    ("apart_s", "sure", "asked"),
    [
        (0.029, 0.54, True),  # as seen in a film, in which it had been the other way round
        (0.029, 0.65, False),
        (0.037, 0.54, False),  # as seen in two films, in which it had been that way round
    ],
)
def test_it_is_asked_about_where_a_frame_shows_both_and_one_touch_is_hardly_sure(
    apart_s: float, sure: float, asked: bool
) -> None:
    assert bool(doubts(0.0, (0.93, sure), apart_s)) == bool(doubts(0.0, (sure, 0.93), apart_s)) == asked


@pytest.mark.parametrize("unknown", ["p2", "p3"])
def test_it_is_asked_about_where_it_is_not_known_how_one_of_them_lay(unknown: str) -> None:
    touches = (Touch(0.06, "p1", "p2", 170.0, 200.0, 0.5), Touch(0.08, "p1", "p3", 200.0, 200.0, 0.9))
    lay = {"p1": START, "p2": (184.0, 200.0), "p3": (214.0, 200.0)}
    assert not unclear_order(ContactGraph("p1", touches, ()), FRAME_S, flicked(0.0), lay)
    del lay[unknown]
    assert unclear_order(ContactGraph("p1", touches, ()), FRAME_S, flicked(0.0), lay)


def test_a_puck_that_lay_against_another_tells_not_from_where_it_came() -> None:
    touches = (Touch(0.0, "p1", "p2", 114.0, 200.0, 0.5), Touch(0.02, "p1", "p3", 140.0, 200.0, 0.9))
    lay = {"p1": START, "p2": (128.0, 200.0), "p3": (154.0, 200.0)}
    assert unclear_order(ContactGraph("p1", touches, ()), FRAME_S, flicked(0.0), lay)
