"""What hands do between shots: recognised where unambiguous, noticed gently, never blocked."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import paleo
from companion.games.paleo_hands import choice_from_hand
from tests.companion.paleo_table import BOARD, PaleoTable
from tests.companion.table_games import round_trip_is_exact

OPEN, OPEN_2 = (325.0, 480.0), (325.0, 200.0)
NORTH = "green-north-east"
CIRCLES = BOARD.team("red").start_circles


def jobs(table: PaleoTable) -> list[tuple[str, str]]:
    return [(j["do"], j["puck"]) for j in paleo.GAME.view(table.state)["todo"]]


def test_p13_a_captured_pawn_is_to_be_lifted_until_a_hand_has_done_it() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.apply("shot", **table.account("red-8", touched=["green-4"]).to_json())
    assert jobs(table) == [("remove", "green-4")]
    table.lift("green-4")
    assert jobs(table) == []


def test_p13_a_captured_pawn_left_lying_is_told_and_does_not_block() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.apply("shot", **table.account("red-8", touched=["green-4"]).to_json())
    table.shot("green-3")
    assert table.said("Green Explorer 4 is captured but still lies on the board")
    assert table.state.turn == "red"


def test_a_captured_pawn_left_lying_is_not_captured_again() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.apply("shot", **table.account("red-8", touched=["green-4"]).to_json())
    table.apply("shot", **table.account("green-3").to_json())
    table.apply("shot", **table.account("red-1", touched=["green-4"]).to_json())
    assert table.captured() == {"green-4"}


def test_p18_a_pawn_that_entered_is_to_be_placed_and_known_again_under_a_new_id() -> None:
    table = PaleoTable().start()
    table.shot("red-3", doors=[("red-3", NORTH)])
    assert jobs(table) == [("place", "red-3")]
    table.lift("red-3")
    assert jobs(table) == [("place", "red-3")]
    table.unread = {"red-3"}
    table.place("red-3", CIRCLES[2], puck_id="new")
    assert jobs(table) == []
    assert table.state.seen_as["new"] == "red-3"
    assert table.state.pawns["red-3"].sure


def test_p18_two_pawns_to_place_are_told_apart_by_their_numbers() -> None:
    table = PaleoTable(red_4=OPEN).start()
    table.shot("red-3", doors=[("red-3", NORTH), ("red-4", NORTH)])
    for key in ("red-3", "red-4"):
        table.lift(key)
    table.place("red-4", CIRCLES[3], puck_id="a")
    table.place("red-3", CIRCLES[2], puck_id="b")
    assert (table.state.seen_as["a"], table.state.seen_as["b"]) == ("red-4", "red-3")


def test_p18_a_pawn_put_beside_every_circle_is_told() -> None:
    table = PaleoTable().start()
    table.shot("red-3", doors=[("red-3", NORTH)])
    table.lift("red-3")
    table.place("red-3", OPEN)
    assert table.said("Red Explorer 3 should stand on a circle")


def test_a_wrong_pawn_lifted_and_not_put_back_is_told_with_the_next_shot_and_once() -> None:
    table = PaleoTable().start()
    table.lift("green-5")
    assert not table.said("lifted")
    table.shot("red-3")
    assert table.said("Green Explorer 5 was lifted off the board, although it is not captured")
    told = sum("lifted" in line.text.en for line in table.state.log)
    table.shot("green-3")
    assert sum("lifted" in line.text.en for line in table.state.log) == told == 1
    table.place("green-5", OPEN)
    assert table.captured() == set()


def test_a_pawn_taken_up_and_put_back_where_it_lay_is_not_worth_a_word() -> None:
    table = PaleoTable(green_5=OPEN).start()
    lines = len(table.state.log)
    table.lift("green-5")
    table.place("green-5", (OPEN[0] + 5, OPEN[1]), puck_id="p77")
    assert len(table.state.log) == lines
    table.shot("red-3")
    assert not table.said("lifted")


def test_p12_while_a_shot_waits_for_an_answer_nobody_is_told_of_pawns_elsewhere() -> None:
    table = PaleoTable(green_5=OPEN).start()
    table.shot("red-8", needs_review=True, reasons=("a hand hid it",), after={"green-5": (OPEN[0], OPEN[1] - 150)})
    lines = len(table.state.log)
    table.hand("puck_moved", table.puck("green-5"))
    assert len(table.state.log) == lines


def test_p12_a_pawn_taken_up_and_put_down_elsewhere_is_told_in_one_line() -> None:
    table = PaleoTable(green_5=OPEN).start()
    lines = len(table.state.log)
    table.lift("green-5")
    table.place("green-5", (OPEN[0] + 90, OPEN[1]))
    assert [line.text.en for line in table.state.log[lines:]] == [
        "Green Explorer 5 was moved by hand further than a pawn's thickness."
    ]


def test_a_captured_pawn_put_back_on_the_board_is_told() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", touched=["green-4"])
    table.place("green-4", OPEN)
    assert table.said("Green Explorer 4 was put on the board, although it is captured")
    assert jobs(table) == [("remove", "green-4")]


def test_p12_sliding_a_pawn_free_of_the_rim_is_fine_and_further_is_told() -> None:
    table = PaleoTable(red_3=(14.0, 325.0)).start()
    for x, told in ((23.0, False), (80.0, True)):
        table.move(red_3=(x, 325.0))
        table.hand("puck_moved", table.puck("red-3"))
        assert table.said("moved by hand further") is told
    assert table.state.places["red-3"] == (80.0, 325.0)


def exchange_open() -> PaleoTable:
    table = PaleoTable(red_4=OPEN, begins="green").start()
    table.shot("green-8", touched=["red-4"])
    table.shot("red-3", doors=[("red-3", NORTH)])
    assert table.asked == "exchange"
    return table


def hand(number: int | None, at: tuple[float, float], did: str = "puck_placed") -> dict[str, object]:
    return {"did": did, "t": 9.0, "puck": "x", "team": "red", "number": number, "x_mm": at[0], "y_mm": at[1]}


def test_p18_the_exchange_is_read_from_the_captured_pawn_on_a_circle() -> None:
    assert choice_from_hand(exchange_open().state, hand(4, CIRCLES[5])) == "red-4"


def test_p18_no_exchange_is_read_from_the_same_pawn_on_a_circle() -> None:
    assert choice_from_hand(exchange_open().state, hand(3, CIRCLES[5])) == "none"


def test_p18_an_unread_number_or_a_place_elsewhere_answers_nothing() -> None:
    state = exchange_open().state
    assert choice_from_hand(state, hand(None, CIRCLES[5])) is None
    assert choice_from_hand(state, hand(4, OPEN)) is None
    assert choice_from_hand(state, hand(4, CIRCLES[5], "puck_removed")) is None
    assert choice_from_hand(state, {**hand(4, CIRCLES[5]), "team": "green"}) is None


def under_review(table: PaleoTable, flicked: str, **what: Any) -> None:
    table.apply("shot", **table.account(flicked, needs_review=True, reasons=("a hand hid it",), **what).to_json())
    assert table.asked == "review"


def test_p13_a_captured_pawn_that_was_lifted_before_the_answer_is_off_the_board() -> None:
    table = PaleoTable(green_4=OPEN).start()
    under_review(table, "red-8", touched=["green-4"])
    table.lift("green-4")
    table.answer("as_seen")
    assert table.captured() == {"green-4"}
    assert "green-4" not in table.state.places
    assert jobs(table) == []
    table.shot("green-3")
    assert not table.said("still lies on the board")


def test_p18_a_pawn_that_was_put_on_its_circle_before_the_answer_stands_there() -> None:
    table = PaleoTable(red_3=OPEN).start()
    under_review(table, "red-3", doors=[("red-3", NORTH)])
    table.lift("red-3")
    table.place("red-3", CIRCLES[5], puck_id="p77")
    table.answer("as_seen")
    assert jobs(table) == []
    assert table.state.places["red-3"] == CIRCLES[5]


def test_p18_the_exchange_that_a_hand_has_made_leaves_nothing_to_do() -> None:
    """The pawn that came back stands on its circle, the one that entered is gone: as the answer then says."""
    table = exchange_open()
    lines = len(table.state.log)
    table.lift("red-3")
    table.place("red-4", CIRCLES[5], puck_id="p77")
    table.answer("red-4")
    assert jobs(table) == []
    assert (table.state.places["red-4"], "red-3" in table.state.places) == (CIRCLES[5], False)
    assert [line.text.en for line in table.state.log[lines:]] == [
        "Red Explorer 3 entered the green north-east Sanctuary and takes its key.",
        "Red Explorer 3 is exchanged: red Explorer 4 comes back to a circle of its base camp.",
    ]


@pytest.mark.parametrize("late", [False, True])
def test_a_late_answer_comes_to_the_same_as_one_at_once(late: bool) -> None:
    """Two shots, hands after each, and vision begun anew: whether the first is agreed to before all that or after."""
    table = PaleoTable(green_4=OPEN, red_3=(500.0, 200.0)).start()
    under_review(table, "red-8", touched=["green-4"], after={"red-8": (300.0, 460.0)})
    if not late:
        table.answer("as_seen")
    table.lift("green-4")
    round_trip_is_exact(paleo.GAME, table.state)
    table.apply("camera", what="session_started")
    table.apply("shot", **table.account("green-3", doors=[("red-3", NORTH)]).to_json())
    table.lift("red-3")
    table.place("red-3", CIRCLES[5], puck_id="p77")
    if late:
        table.answer("as_seen")
    assert (table.captured(), table.state.keys, table.state.turn) == ({"green-4"}, {NORTH: "red"}, "red")
    assert jobs(table) == []
    assert table.state.places == table.places
    assert table.state.seen_as["p77"] == "red-3"


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("lifted", [False, True])
def test_p12_pawns_put_back_after_a_shot_that_does_not_count_are_not_worth_a_word(late: bool, lifted: bool) -> None:
    table = PaleoTable(green_4=OPEN, begins="green").start()
    lay = dict(table.places)
    after = {"red-8": (300.0, 460.0), "green-4": (200.0, 600.0)}
    table.apply("shot", **table.account("red-8", touched=["green-4"], after=after).to_json())
    if not late:
        table.answer("replay")
    lines = len(table.state.log)
    for key in ("green-4", "red-8"):
        if lifted:
            table.lift(key)
            table.place(key, lay[key])
        else:
            table.move(**{key: lay[key]})
            table.hand("puck_moved", table.puck(key))
    if late:
        table.answer("replay")
    table.shot("green-3")
    assert [line.text.en for line in table.state.log[lines + late:]] == [
        "Green Explorer 3 was played; nothing was captured."
    ]
