"""Sanctuaries, keys, immunity (P17-P21), from the rule text."""

from __future__ import annotations

from tests.companion.paleo_table import BOARD, PaleoTable

OPEN = (325.0, 480.0)
GREEN_DOOR, GREEN_DOOR_2, RED_DOOR = "green-north-east", "green-south-east", "red-north-west"


def lost_red_4() -> PaleoTable:
    """Red 4 was captured by green; red is to play."""
    table = PaleoTable(red_4=OPEN, begins="green").start()
    table.shot("green-8", touched=["red-4"])
    assert table.captured() == {"red-4"}
    return table


def test_p17_a_pawn_that_did_not_cross_the_door_wholly_has_not_entered() -> None:
    """The account holds an entry only where the whole pawn was beyond the line."""
    table = PaleoTable().start()
    table.shot("red-3")
    assert table.state.keys == {}
    assert table.state.to_place == ()


def test_p17_in_and_out_again_by_a_bounce_counts_as_entered() -> None:
    table = PaleoTable().start()
    table.shot("red-3", doors=[("red-3", GREEN_DOOR)], after={"red-3": OPEN})
    assert table.state.keys == {GREEN_DOOR: "red"}
    assert table.state.to_place == ("red-3",)


def test_p18_an_explorer_takes_the_key_of_an_opposing_sanctuary_and_goes_to_a_circle() -> None:
    table = PaleoTable().start()
    table.shot("red-5", doors=[("red-5", GREEN_DOOR)])
    assert table.state.keys_of("red") == (GREEN_DOOR,)
    assert table.state.to_place == ("red-5",)
    assert table.asked is None
    assert {"P17", "P18"} <= table.cited()


def test_p18_a_mercenary_takes_no_key_but_goes_to_a_circle() -> None:
    table = PaleoTable().start()
    table.shot("red-1", doors=[("red-1", GREEN_DOOR)])
    assert table.state.keys == {}
    assert table.state.to_place == ("red-1",)


def test_p18_a_key_is_taken_once() -> None:
    table = PaleoTable().start()
    table.shot("red-5", doors=[("red-5", GREEN_DOOR)])
    table.shot("green-3")
    table.shot("red-6", doors=[("red-6", GREEN_DOOR)])
    assert table.state.keys_of("red") == (GREEN_DOOR,)
    assert table.said("Red Explorer 6", "no key")


def test_p18_without_captured_pawns_there_is_nothing_to_exchange() -> None:
    table = PaleoTable().start()
    table.shot("red-1", doors=[("red-1", GREEN_DOOR)])
    assert table.asked is None


def test_p18_its_owner_may_exchange_the_pawn_for_a_captured_one() -> None:
    table = lost_red_4()
    table.shot("red-3", doors=[("red-3", GREEN_DOOR)])
    assert table.asked == "exchange"
    assert table.state.question is not None
    assert table.state.question.team == "red"
    table.answer("red-4")
    assert table.captured() == {"red-3"}
    assert table.state.to_place == ("red-4",)
    assert "red-3" in table.state.to_remove
    assert table.state.keys_of("red") == (GREEN_DOOR,)


def test_p18_its_owner_may_keep_the_pawn_instead() -> None:
    table = lost_red_4()
    table.shot("red-3", doors=[("red-3", GREEN_DOOR)])
    table.answer("none")
    assert table.captured() == {"red-4"}
    assert table.state.to_place == ("red-3",)


def test_p18_a_mercenary_may_be_exchanged_too() -> None:
    table = lost_red_4()
    table.shot("red-2", doors=[("red-2", GREEN_DOOR)])
    table.answer("red-4")
    assert table.captured() == {"red-2"}


def test_p18_only_pawns_of_ones_own_that_were_captured_before_are_offered() -> None:
    table = lost_red_4()
    table.shot("red-8", touched=["green-8"], doors=[("red-8", GREEN_DOOR)])
    assert table.state.question is not None
    assert [c.value for c in table.state.question.choices] == ["none", "red-4"]


def test_p34_the_exchange_can_be_left_out_by_the_tables_choice() -> None:
    table = PaleoTable(red_4=OPEN, begins="green", options={"exchange": "never"}).start()
    table.shot("green-8", touched=["red-4"])
    table.shot("red-3", doors=[("red-3", GREEN_DOOR)])
    assert table.asked is None
    assert table.state.to_place == ("red-3",)


def test_p19_the_own_sanctuary_gives_neither_exchange_nor_key() -> None:
    table = lost_red_4()
    table.shot("red-3", doors=[("red-3", RED_DOOR)])
    assert table.asked is None
    assert table.state.keys == {}
    assert table.state.to_place == ("red-3",)
    assert "P19" in table.cited()


def test_p20_a_pawn_pushed_into_its_own_sanctuary_by_a_mercenary_is_saved() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", touched=["green-4"], doors=[("green-4", GREEN_DOOR)])
    assert table.captured() == set()
    assert table.state.to_place == ("green-4",)
    assert "P20" in table.cited()


def test_p20_an_explorer_pushed_into_an_opposing_sanctuary_takes_its_key() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", touched=["green-4"], doors=[("green-4", RED_DOOR)])
    assert table.state.keys == {RED_DOOR: "green"}
    assert table.captured() == set()


def test_p20_the_exchange_of_a_pushed_pawn_is_its_owners() -> None:
    table = PaleoTable(green_4=OPEN, green_5=(325.0, 200.0)).start()
    table.shot("red-8", touched=["green-5"])
    table.shot("green-3")
    table.shot("red-1", touched=["green-4"], doors=[("green-4", RED_DOOR)])
    assert table.state.question is not None
    assert table.state.question.team == "green"
    table.answer("green-5")
    assert table.captured() == {"green-4"}


def test_p20_only_the_pawn_that_was_pushed_in_is_saved() -> None:
    table = PaleoTable(green_4=OPEN, green_5=(325.0, 200.0)).start()
    table.shot("red-8", touched=["green-4", "green-5"], doors=[("green-4", GREEN_DOOR)])
    assert table.captured() == {"green-5"}


def test_p21_a_pawn_that_bounced_out_of_a_sanctuary_is_not_captured_in_that_shot() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", doors=[("green-4", GREEN_DOOR, 0.1)], touched=[("green-4", 0.5)])
    assert table.captured() == set()


def test_p21_a_pawn_put_back_in_camp_is_not_captured_in_the_opponents_next_shot() -> None:
    table = PaleoTable(begins="green").start()
    table.shot("green-3", doors=[("green-3", RED_DOOR)])
    table.place("green-3", BOARD.team("green").start_circles[2])
    table.shot("red-8", touched=["green-3"])
    assert table.captured() == set()
    assert "P21" in table.cited()


def test_p21_the_protection_is_over_one_turn_later() -> None:
    table = PaleoTable(begins="green").start()
    table.shot("green-3", doors=[("green-3", RED_DOOR)])
    table.place("green-3", BOARD.team("green").start_circles[2])
    table.shot("red-3")
    table.shot("green-4")
    table.shot("red-8", touched=["green-3"])
    assert table.captured() == {"green-3"}


def test_p21_a_pawn_that_was_pushed_in_is_protected_from_the_opponents_next_shot() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-3", doors=[("green-4", GREEN_DOOR)])
    table.place("green-4", BOARD.team("green").start_circles[3])
    table.shot("green-3")
    table.shot("red-8", touched=["green-4"])
    assert table.captured() == set()


def test_p21_can_be_chosen_to_end_when_its_owner_plays_again() -> None:
    table = PaleoTable(options={"immunity": "own_next_turn"}, green_4=OPEN).start()
    table.shot("red-3", doors=[("green-4", GREEN_DOOR)])
    table.place("green-4", BOARD.team("green").start_circles[3])
    table.shot("green-3")
    table.shot("red-8", touched=["green-4"])
    assert table.captured() == {"green-4"}


def test_p21_a_protected_pawn_does_not_count_as_the_first_touched() -> None:
    """Nothing happens when it is touched; the next one in the camp is the first."""
    table = PaleoTable(begins="green").start()
    table.shot("green-3", doors=[("green-3", RED_DOOR)])
    table.place("green-3", BOARD.team("green").start_circles[2])
    table.shot("red-8", touched=["green-3", "green-5"])
    assert table.captured() == {"green-5"}


def test_p21_an_expelled_protected_pawn_goes_back_to_its_camp() -> None:
    table = PaleoTable(begins="green").start()
    table.shot("green-3", doors=[("green-3", RED_DOOR)])
    table.place("green-3", BOARD.team("green").start_circles[2])
    table.shot("red-8", touched=["green-3"], exits=["green-3"])
    assert table.captured() == set()
    assert table.state.to_place == ("green-3",)


def test_p21_an_expelled_protected_pawn_can_be_chosen_to_be_captured() -> None:
    table = PaleoTable(begins="green", options={"immune_expelled": "captured"}).start()
    table.shot("green-3", doors=[("green-3", RED_DOOR)])
    table.place("green-3", BOARD.team("green").start_circles[2])
    table.shot("red-8", touched=["green-3"], exits=["green-3"])
    assert table.captured() == {"green-3"}


def test_p36_entering_first_and_leaving_the_board_later_saves_the_pawn() -> None:
    table = PaleoTable().start()
    table.shot("red-3", doors=[("red-3", GREEN_DOOR)], exits=["red-3"])
    assert table.captured() == set()
    assert table.state.keys_of("red") == (GREEN_DOOR,)


def test_p36_entering_first_and_leaving_later_can_be_chosen_to_lose_the_pawn() -> None:
    table = PaleoTable(options={"entered_then_expelled": "captured"}).start()
    table.shot("red-3", doors=[("red-3", GREEN_DOOR)], exits=["red-3"])
    assert table.captured() == {"red-3"}


def test_p36_a_mercenary_captures_and_then_enters_a_sanctuary_in_one_shot() -> None:
    table = lost_red_4()
    table.move(green_5=(500.0, 500.0))
    table.shot("red-8", touched=["green-5"], doors=[("red-8", GREEN_DOOR_2)])
    assert table.asked == "exchange"
    table.answer("red-4")
    assert table.captured() == {"green-5", "red-8"}
