"""From two beams' edges to pucks that went in or out (P17)."""

from __future__ import annotations

import pytest

from companion.sensor_passages import DoorWatch
from firmware_bridge.inputs import INNER, OUTER

O, I, o, i = (OUTER, True), (INNER, True), (OUTER, False), (INNER, False)  # noqa: E741
WIDE = 2.8  # a puck of 28 mm, beams 10 mm apart
Edges = tuple[tuple[str, bool], ...]


def passages(edges: Edges, *, forget_after: int | None = None) -> list[tuple[str, float, bool]]:
    watch, out = DoorWatch("red-north-west", WIDE), []
    for n, (side, active) in enumerate(edges):
        found = watch.edge(side, active, float(n))
        if found is not None:
            out.append((found.direction, found.time_s, found.sure))
        if n == forget_after:
            watch.forget()
    return out


@pytest.mark.parametrize(("edges", "told"), [
    ((O, I, o, i), [("in", 2.0, True)]),
    ((I, O, i, o), [("out", 1.0, True)]),
    ((O, I, i, o), []),
    ((O, o, O, o), []),
    ((I, i), []),
    ((O, I, o), [("in", 2.0, True)]),
    ((O, I, o, O, i, o), [("in", 2.0, True), ("out", 3.0, True)]),
    ((O, I, o, i, O, I, o, i), [("in", 2.0, True), ("in", 6.0, True)]),
], ids=["goes in", "comes out", "turns in the doorway", "grazes the line", "stirs inside", "rests behind the line",
        "bounces in and out", "two one after the other"])  # fmt: skip
def test_what_the_beams_tell(edges: Edges, told: list[tuple[str, float, bool]]) -> None:
    assert passages(edges) == told


@pytest.mark.parametrize(("at_s", "sure", "confirmed"), [
    ((0.0, 0.010, 0.028, 0.038), True, False),
    ((0.0, 0.010, 0.050, 0.060), True, False),
    ((0.0, 0.0060, 0.0429, 0.0480), True, False),
    ((0.0, 0.025, 0.041, 0.050), False, True),
    ((0.0, 0.010, 0.014, 0.024), False, False),
    ((0.0, 0.010, 0.120, 0.130), False, False),
], ids=["a puck", "one that slows down", "one that goes from post to post", "one that rubs along the post", "a finger",
        "an arm"])  # fmt: skip
def test_what_went_in_was_as_wide_as_a_puck_or_is_not_sure(
    at_s: tuple[float, ...], sure: bool, confirmed: bool
) -> None:
    watch = DoorWatch("red-north-west", WIDE)
    *_, found, last = (watch.edge(*edge, t) for edge, t in zip((O, I, o, i), at_s, strict=True))
    assert found is not None
    assert last is None
    assert (found.sure, watch.confirmed is not None) == (sure, confirmed)


def test_a_second_puck_close_behind_is_not_sure() -> None:
    assert not passages((O, I, o, O, i, I, o, i))[-1][2]


def test_what_follows_lost_edges_is_not_sure_until_the_doorway_is_free() -> None:
    assert passages((O, I, o, i, O, I, o, i), forget_after=0) == [("in", 2.0, False), ("in", 6.0, True)]
