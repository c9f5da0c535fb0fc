"""Captures (P13-P16), from the rule text."""

from __future__ import annotations

import pytest

from tests.companion.paleo_table import PaleoTable

OPEN = (325.0, 480.0)  # between the camps, in no zone
OPEN_2 = (325.0, 200.0)


def test_p13_a_mercenary_captures_an_enemy_explorer_that_it_touches() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", touched=["green-4"])
    assert table.captured() == {"green-4"}
    assert table.said("Green Explorer 4 captured", "red Mercenary 8")
    assert "P13" in table.cited()


@pytest.mark.parametrize("number", [1, 2, 8])
def test_p13_a_mercenary_captures_an_enemy_mercenary_too(number: int) -> None:
    table = PaleoTable(green_2=OPEN).start()
    table.shot(f"red-{number}", touched=["green-2"])
    assert table.captured() == {"green-2"}


@pytest.mark.parametrize("number", [3, 4, 5, 6, 7])
def test_p13_explorers_never_capture(number: int) -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot(f"red-{number}", touched=["green-4"])
    assert table.captured() == set()
    assert table.said("Explorers do not capture")


def test_p13_a_mercenary_does_not_capture_its_own_side() -> None:
    table = PaleoTable().start()
    table.shot("red-8", touched=["red-4"])
    assert table.captured() == set()


def test_p14_all_pawns_touched_outside_their_camp_are_captured() -> None:
    table = PaleoTable(green_4=OPEN, green_5=OPEN_2, green_1=(200, 500)).start()
    table.shot("red-8", touched=["green-4", "green-5", "green-1"])
    assert table.captured() == {"green-4", "green-5", "green-1"}


def test_p14_of_several_touched_in_their_base_camp_only_the_first_is_captured() -> None:
    table = PaleoTable().start()
    table.shot("red-8", touched=["green-5", "green-1", "green-4"])
    assert table.captured() == {"green-5"}
    assert "P14" in table.cited()


def test_p14_one_outside_and_one_inside_the_base_camp_are_both_captured() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", touched=["green-1", "green-4"])
    assert table.captured() == {"green-1", "green-4"}


def test_p14_one_outside_and_two_inside_lose_the_one_outside_and_the_first_inside() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", touched=["green-4", "green-1", "green-2"])
    assert table.captured() == {"green-4", "green-1"}


def test_p14_an_enemy_in_the_mercenarys_own_camp_is_not_in_its_camp() -> None:
    """Only *their* base camp shelters pawns."""
    table = PaleoTable(green_4=(100.0, 300.0), green_5=(80.0, 340.0)).start()
    table.shot("red-8", touched=["green-4", "green-5"])
    assert table.captured() == {"green-4", "green-5"}


def test_p14_where_the_first_cannot_be_told_the_nearest_after_the_shot_is_captured() -> None:
    table = PaleoTable().start()
    after = {"red-8": (540.0, 325.0), "green-1": (620.0, 325.0), "green-2": (575.0, 325.0)}
    table.shot("red-8", touched=[("green-1", 0.200), ("green-2", 0.201)], after=after)
    assert table.captured() == {"green-2"}


def test_p14_the_nearest_counts_only_among_those_that_may_be_the_first() -> None:
    table = PaleoTable().start()
    after = {"red-8": (540.0, 325.0), "green-1": (620.0, 325.0), "green-2": (600.0, 325.0), "green-4": (550.0, 330.0)}
    table.shot("red-8", touched=[("green-1", 0.200), ("green-2", 0.201), ("green-4", 0.4)], after=after)
    assert table.captured() == {"green-2"}


def test_p14_players_are_asked_when_neither_order_nor_distance_can_be_told() -> None:
    table = PaleoTable().start()
    table.shot("red-8", touched=[("green-1", 0.200), ("green-2", 0.201)], exits=["red-8"])
    assert table.asked == "first_touched"
    table.answer("green-1")
    assert table.captured() == {"green-1", "red-8"}


def test_p15_a_pawn_hit_through_another_is_not_captured() -> None:
    table = PaleoTable(green_4=OPEN, green_5=OPEN_2).start()
    table.shot("red-8", touched=[("green-4", 0.1)], chain=[("green-4", "green-5", 0.2)])
    assert table.captured() == {"green-4"}


def test_p15_a_mercenary_that_is_not_the_pawn_played_captures_nothing() -> None:
    table = PaleoTable(green_4=OPEN, red_8=(325.0, 440.0)).start()
    table.shot("red-3", touched=[("red-8", 0.1)], chain=[("red-8", "green-4", 0.2)])
    assert table.captured() == set()


def test_p16_a_pawn_expelled_by_the_enemy_is_captured() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-3", touched=["green-4"], exits=["green-4"])
    assert table.captured() == {"green-4"}
    assert "P16" in table.cited()


def test_p16_a_pawn_that_its_own_side_expels_is_captured_by_the_opponent() -> None:
    table = PaleoTable().start()
    table.shot("red-3", exits=["red-3", "red-4"])
    assert table.captured() == {"red-3", "red-4"}


def test_p16_touched_and_expelled_is_captured_once() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", touched=["green-4"], exits=["green-4"])
    assert table.captured() == {"green-4"}
    assert len([line for line in table.state.log if "captured" in line.text.en]) == 1


def test_p16_expulsion_from_the_base_camp_is_not_limited_to_the_first() -> None:
    table = PaleoTable().start()
    table.shot("red-8", touched=["green-1", "green-2"], exits=["green-2"])
    assert table.captured() == {"green-1", "green-2"}


def test_p33_a_pawn_whose_centre_lies_outside_the_camp_line_is_outside() -> None:
    table = PaleoTable(green_4=(562.0, 325.0 + 75.0), green_5=(562.0, 325.0 - 73.0)).start()
    table.shot("red-8", touched=["green-1", "green-4", "green-5"])
    assert table.captured() == {"green-1", "green-4"}


def test_p33_part_of_a_pawn_in_the_camp_can_be_chosen_to_count() -> None:
    table = PaleoTable(options={"camp_edge": "part"}, green_4=(562.0, 325.0 + 80.0)).start()
    table.shot("red-8", touched=["green-1", "green-4"])
    assert table.captured() == {"green-1"}


def test_p33_where_a_pawn_was_touched_can_be_chosen_to_decide() -> None:
    """Green 4 lay outside, was knocked into its camp by another pawn, and was touched there."""
    options = {"camp_judged": "touch"}
    for chosen, lost in ((options, {"green-1"}), ({}, {"green-1", "green-4"})):
        table = PaleoTable(options=chosen, green_4=(470.0, 325.0)).start()
        account = table.account("red-8", touched=[("green-1", 0.1)], chain=[("green-1", "green-4", 0.2)])
        late = type(account.touches[0])(0.3, "~red-8", "~green-4", 530.0, 325.0)
        table.apply("shot", **{**account.to_json(), "touches": [*account.to_json()["touches"], {
            "t": late.t, "puck": late.puck, "other": late.other, "x_mm": late.x_mm, "y_mm": late.y_mm}]})  # fmt: skip
        assert table.captured() == lost


@pytest.mark.parametrize("tie_ms", [0, 5, 20, 50, 1000])
@pytest.mark.parametrize("time_s", [0.0, 7.3, 512.1])
def test_p14_the_first_that_players_name_is_the_first_whatever_counts_as_a_tie(tie_ms: float, time_s: float) -> None:
    """Two touched in camp; the Mercenary ends up at the second, which decides only where the order cannot be told."""
    table = PaleoTable(options={"touch_tie_ms": tie_ms}).start()
    table.time_s = time_s
    after = {"red-8": table.places["green-5"]}
    table.apply("shot", **table.account("red-8", touched=["green-4"], after=after, needs_review=True).to_json())
    table.answer({"flicked": "red-8", "touched": ["green-4", "green-5"]})
    assert (table.asked, table.captured()) == (None, {"green-4"})


def test_p37_a_mercenary_that_leaves_the_board_keeps_its_captures() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", touched=["green-4"], exits=["red-8"])
    assert table.captured() == {"green-4", "red-8"}


def test_p37_the_captures_of_an_expelled_mercenary_can_be_chosen_to_be_lost() -> None:
    table = PaleoTable(options={"expelled_mercenary": "loses_captures"}, green_4=OPEN).start()
    table.shot("red-8", touched=["green-4"], exits=["red-8"])
    assert table.captured() == {"red-8"}


def test_p13_a_pawn_that_is_told_to_be_touched_and_is_captured_already_is_not_passed_over_in_silence() -> None:
    """Whoever taps the wrong pawn is not left to wonder why nothing came of it."""
    table = PaleoTable(green_4=OPEN, options={"kept_by": "taps"}).start()
    table.apply("shot_by_hand", flicked="red-8", touched=["green-4"])
    table.apply("shot_by_hand", flicked="green-3", touched=[])
    table.apply("shot_by_hand", flicked="red-8", touched=["green-4"])
    assert table.said("Green Explorer 4 was touched, but is captured already: nothing happens.")
    assert table.said("Red Mercenary 8 was played; nothing was captured.")
    table.apply("shot_by_hand", flicked="green-3", touched=[])
    table.apply("shot_by_hand", flicked="red-8", touched=["green-4", "green-5"])
    assert table.captured() == {"green-4", "green-5"}
