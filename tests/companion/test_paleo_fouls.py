"""Fouls as options (P11, P12, P32): a push, another side's pawn, two pawns moved by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.companion.paleo_table import PaleoTable


@pytest.mark.parametrize(
    ("option", "turn", "asked", "told"),
    [("notice", "green", None, True), ("ask", "red", "pushed", False), ("replay", "red", None, True)],
)
def test_p32_a_push(option: str, turn: str, asked: str | None, told: bool) -> None:
    table = PaleoTable(options={"pushed_shot": option}).start()
    table.apply("shot", **table.account("red-3", pushed=True).to_json())
    assert (table.state.turn, table.asked) == (turn, asked)
    assert table.said("pushed, not flicked") is told


@pytest.mark.parametrize(
    ("option", "turn", "asked"), [("ask", "red", "wrong_side"), ("stands", "red", None), ("replay", "red", None)]
)
def test_p32_another_sides_pawn(option: str, turn: str, asked: str | None) -> None:
    table = PaleoTable(options={"wrong_pawn": option}).start()
    table.apply("shot", **table.account("green-8", touched=["red-3"]).to_json())
    assert (table.state.turn, table.asked) == (turn, asked)
    assert table.captured() == ({"red-3"} if option == "stands" else set())
    if option != "ask":
        assert "P32" in {rule for line in table.state.log for rule in line.rules}


def nudge(table: PaleoTable, key: str, by_mm: float) -> None:
    """A hand slides a pawn to the east."""
    x, y = table.places[key]
    table.places[key] = (x + by_mm, y)
    table.hand("puck_moved", table.puck(key))


@pytest.mark.parametrize(("option", "asked", "told"), [("notice", None, True), ("ask", "moved", False),
                                                       ("ignored", None, False)])  # fmt: skip
def test_p32_two_pawns_moved_by_hand(option: str, asked: str | None, told: bool) -> None:
    table = PaleoTable(options={"moved_by_hand": option}).start()
    nudge(table, "red-3", 8.0)
    nudge(table, "red-4", 8.0)
    table.apply("shot", **table.account("red-3").to_json())
    assert table.asked == asked
    assert table.said("Moved by hand before the shot: red Explorer 4") is told
    if asked:
        table.answer("replay")
        assert table.state.turn == "red"


def test_p12_the_pawn_that_is_played_may_be_freed_by_hand() -> None:
    table = PaleoTable().start()
    nudge(table, "red-3", 9.0)
    table.apply("shot", **table.account("red-3").to_json())
    assert not table.said("by hand")
    nudge(table, "green-3", 1.0)
    nudge(table, "green-4", 1.0)
    table.apply("shot", **table.account("green-5").to_json())
    assert not table.said("by hand"), "the camera wavers, and hands brush pawns"


@pytest.mark.parametrize(("by", "mm", "told"), [("thickness", 16.0, False), ("thickness", 20.0, True),
                                                ("diameter", 30.0, False), ("diameter", 40.0, True)])  # fmt: skip
def test_p12_how_far_a_pawn_may_be_freed_is_an_option(by: str, mm: float, told: bool) -> None:
    """The box's pawns are 9 mm thick and 28 mm wide; 8 mm are allowed for hands and camera."""
    table = PaleoTable(options={"unstick_by": by}).start()
    nudge(table, "red-3", mm)
    assert table.said("moved by hand further than a pawn's") is told


def test_p32_fouls_are_told_by_taps_as_well() -> None:
    told: dict[str, Any] = {"kept_by": "taps", "pushed_shot": "replay"}
    table = PaleoTable(options=told).start()
    table.apply("shot_by_hand", flicked="red-3", fouls=["pushed"])
    assert table.state.turn == "red"
    table.apply("shot_by_hand", flicked="red-3", fouls=["moved"])
    assert table.said("A pawn was moved by hand.")
    assert table.state.turn == "green"


def test_p10_pawns_that_stand_on_no_circle_are_told_at_the_start() -> None:
    table = PaleoTable(green_4=(300.0, 500.0)).start()
    assert table.said("Not on a circle of their base camp: green Explorer 4.")
    assert not PaleoTable().start().said("Not on a circle")
