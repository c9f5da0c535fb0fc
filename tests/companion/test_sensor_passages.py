"""From two beams' edges to pucks that went in or out (P17)."""

from __future__ import annotations

import pytest

from companion.sensor_passages import DoorWatch
from firmware_bridge.inputs import INNER, OUTER

O, I, o, i = (OUTER, True), (INNER, True), (OUTER, False), (INNER, False)  # noqa: E741
Edges = tuple[tuple[str, bool], ...]


def passages(edges: Edges, *, forget_after: int | None = None) -> list[tuple[str, float, bool]]:
    watch, out = DoorWatch("red-north-west"), []
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


def test_a_second_puck_close_behind_is_not_sure() -> None:
    assert not passages((O, I, o, O, i, I, o, i))[-1][2]


def test_what_follows_lost_edges_is_not_sure_until_the_doorway_is_free() -> None:
    assert passages((O, I, o, i, O, I, o, i), forget_after=0) == [("in", 2.0, False), ("in", 6.0, True)]
