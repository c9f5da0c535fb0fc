"""The city's door, points, turns, rounds and the match (P7, P11, P22-P24, P28), from the rule text."""

from __future__ import annotations

import pytest

from companion.games import paleo
from companion.games.base import Action, AmbiguousAction, IllegalMove, MalformedAction
from tests.companion.paleo_table import BOARD, CENTRE, SHEET, PaleoTable, sheet_of_camps

OPEN = (325.0, 480.0)
NORTH, SOUTH = "green-north-east", "green-south-east"
RED_NORTH, RED_SOUTH = "red-north-west", "red-south-west"


def with_keys(turn: str = "red", keys: dict[str, list[str]] | None = None, **places: tuple[float, float]) -> PaleoTable:
    """A round in its middle, in which red holds both keys."""
    table = PaleoTable()
    table.move(**places)
    told = {"red": [NORTH, SOUTH]} if keys is None else keys
    table.apply("as_it_lies", turn=turn, keys=told, pucks=table.pucks())
    return table


def with_few_greens(*left: str, turn: str = "red", options: dict[str, str] | None = None) -> PaleoTable:
    """A round in its middle, in which green has only these pawns, out in the open."""
    table = PaleoTable(options=options)
    for key in [k for k in table.places if k.startswith("green") and k not in left]:
        table.places.pop(key)
    for n, key in enumerate(left):
        table.places[key] = (325.0, 470.0 + 40 * n)
    table.apply("as_it_lies", turn=turn, keys={}, pucks=table.pucks())
    return table


# -- P22, P35: the door of the city ------------------------------------------------------------------------


def test_p22_an_explorer_brought_onto_the_door_with_both_keys_opens_it() -> None:
    table = with_keys()
    table.shot("red-4", after={"red-4": CENTRE}, on_gate=["red-4"])
    assert table.state.phase == "round_over"
    assert table.state.points == {"red": 2, "green": 0}
    assert {"P22", "P23"} <= table.cited()


def test_p22_one_key_does_not_open_the_door() -> None:
    table = with_keys(keys={"red": [NORTH]})
    table.shot("red-4", after={"red-4": CENTRE}, on_gate=["red-4"])
    assert table.state.phase == "playing"


def test_p22_a_mercenary_cannot_open_the_door() -> None:
    table = with_keys()
    table.shot("red-8", after={"red-8": CENTRE}, on_gate=["red-8"])
    assert table.state.phase == "playing"
    assert table.state.points == {"red": 0, "green": 0}


def test_p22_an_explorer_not_entirely_on_the_door_does_not_open_it() -> None:
    table = with_keys()
    table.shot("red-4", after={"red-4": (325.0, 345.0)})
    assert table.state.phase == "playing"


def test_p22_the_enemys_keys_open_nothing_for_me() -> None:
    table = with_keys(turn="green")
    table.shot("green-4", after={"green-4": CENTRE}, on_gate=["green-4"])
    assert table.state.phase == "playing"


def test_p22_an_explorer_that_lies_on_the_door_opens_it_when_the_last_key_is_taken() -> None:
    table = with_keys(keys={"red": [NORTH]}, red_4=CENTRE)
    table.shot("red-5", doors=[("red-5", SOUTH)], on_gate=["red-4"])
    assert table.state.points == {"red": 2, "green": 0}


def test_p22_a_mercenary_on_the_door_does_not_open_it_when_the_last_key_is_taken() -> None:
    table = with_keys(keys={"red": [NORTH]}, red_8=CENTRE)
    table.shot("red-5", doors=[("red-5", SOUTH)], on_gate=["red-8"])
    assert table.state.phase == "playing"


def test_p22_an_explorer_that_was_knocked_off_the_door_before_the_key_does_not_open_it() -> None:
    table = with_keys(keys={"red": [NORTH]}, red_4=CENTRE)
    table.shot("red-5", touched=[("red-4", 0.1)], doors=[("red-5", SOUTH, 0.5)], after={"red-4": OPEN})
    assert table.state.phase == "playing"


def test_p22_an_explorer_that_is_knocked_off_the_door_after_the_key_opened_it() -> None:
    """P36: at the moment of the last key it lay on the door."""
    table = with_keys(keys={"red": [NORTH]}, red_4=CENTRE)
    account = table.account("red-5", doors=[("red-5", SOUTH, 0.2)], chain=[("red-5", "red-4", 0.6)],
                            after={"red-4": OPEN})  # fmt: skip
    table.apply("shot", **account.to_json())
    assert table.state.points == {"red": 2, "green": 0}


@pytest.mark.parametrize("inside_mm", [-0.1, 0.1])
@pytest.mark.parametrize("said", [True, False], ids=["on it", "not on it"])
def test_p22_a_pawn_at_the_doors_edge_lies_on_it_as_was_said_when_it_came_there(said: bool, inside_mm: float) -> None:
    """Its place does not tell; what players answered holds until it is moved."""
    table = with_keys(keys={"red": [NORTH]}, red_4=OPEN)
    assert BOARD.gates[0].circle[:2] == CENTRE
    edge = (CENTRE[0], CENTRE[1] + BOARD.gates[0].circle[2] - BOARD.puck.radius_mm - inside_mm)
    table.shot("red-4", after={"red-4": edge}, needs_review=True)
    table.answer({"flicked": "red-4", "on_gate": ["red-4"] if said else []})
    table.shot("green-3")
    table.shot("red-5", doors=[("red-5", SOUTH)])
    assert table.state.points == {"red": 2 if said else 0, "green": 0}


@pytest.mark.parametrize("lifted", [True, False], ids=["lifted", "slid"])
def test_p22_what_was_said_of_a_pawn_on_the_door_does_not_hold_once_a_hand_has_moved_it(lifted: bool) -> None:
    table = with_keys(keys={"red": [NORTH]}, red_4=OPEN)
    table.shot("red-4", after={"red-4": CENTRE}, on_gate=["red-4"])
    assert table.state.resting == {"red-4"}
    if lifted:
        table.lift("red-4")
    else:
        table.move(red_4=OPEN)
        table.hand("puck_moved", table.puck("red-4"))
    assert table.state.resting == frozenset()


def test_p35_sliding_over_the_door_does_not_open_it() -> None:
    table = with_keys()
    table.shot("red-4", passed=["red-4"], after={"red-4": OPEN})
    assert table.state.phase == "playing"


def test_p35_sliding_over_the_door_can_be_chosen_to_open_it() -> None:
    table = PaleoTable(options={"door_opens": "passing"})
    table.apply("as_it_lies", turn="red", keys={"red": [NORTH, SOUTH]}, pucks=table.pucks())
    table.shot("red-4", passed=["red-4"], after={"red-4": OPEN})
    assert table.state.points == {"red": 2, "green": 0}


def test_p35_an_explorer_pushed_onto_the_door_by_the_enemy_opens_it() -> None:
    table = with_keys(turn="green", red_4=OPEN)
    table.shot("green-3", touched=["red-4"], after={"red-4": CENTRE}, on_gate=["red-4"])
    assert table.state.points == {"red": 2, "green": 0}


def test_p35_being_pushed_onto_the_door_can_be_chosen_not_to_open_it() -> None:
    table = PaleoTable(options={"door_pushed_by_enemy": "does_not_open"}, red_4=OPEN)
    table.apply("as_it_lies", turn="green", keys={"red": [NORTH, SOUTH]}, pucks=table.pucks())
    table.shot("green-3", touched=["red-4"], after={"red-4": CENTRE}, on_gate=["red-4"])
    assert table.state.phase == "playing"


def test_p36_an_explorer_captured_on_the_door_does_not_open_it() -> None:
    table = with_keys(turn="green", red_4=OPEN)
    table.shot("green-8", touched=["red-4"], after={"red-4": CENTRE}, on_gate=["red-4"])
    assert table.captured() == {"red-4"}
    assert table.state.phase == "playing"


# -- P23, P16: the last pawn ---------------------------------------------------------------------------------


def test_p23_capturing_the_last_enemy_pawn_wins_one_point() -> None:
    table = with_few_greens("green-4")
    table.shot("red-8", touched=["green-4"])
    assert table.state.points == {"red": 1, "green": 0}
    assert table.state.phase == "round_over"


def test_p23_capturing_the_last_two_in_one_shot_wins_one_point() -> None:
    table = with_few_greens("green-4", "green-2")
    table.shot("red-8", touched=["green-4", "green-2"])
    assert table.state.points == {"red": 1, "green": 0}


def test_p23_a_saved_last_pawn_does_not_end_the_round() -> None:
    table = with_few_greens("green-4")
    table.shot("red-8", touched=["green-4"], doors=[("green-4", NORTH)])
    assert table.state.phase == "playing" or table.asked == "exchange"
    assert table.state.points == {"red": 0, "green": 0}


def test_p16_p23_expelling_the_last_pawn_wins_one_point() -> None:
    table = with_few_greens("green-4")
    table.shot("red-3", touched=["green-4"], exits=["green-4"])
    assert table.state.points == {"red": 1, "green": 0}
    assert {"P16", "P23"} <= table.cited()


def test_p16_p23_a_side_that_expels_its_own_last_pawn_gives_the_opponent_the_point() -> None:
    table = with_few_greens("green-4", turn="green")
    table.shot("green-4", exits=["green-4"])
    assert table.state.points == {"red": 1, "green": 0}


def test_p16_p23_an_expelled_last_pawn_can_be_chosen_to_let_the_round_go_on() -> None:
    table = with_few_greens("green-4", options={"expelled_last_pawn": "goes_on"})
    table.shot("red-3", touched=["green-4"], exits=["green-4"])
    assert table.state.phase == "playing"
    assert table.state.turn == "red", "green has no pawn to play"


def test_p36_the_last_pawn_captured_before_the_mercenary_leaves_the_board_wins() -> None:
    """Red's last pawn captures green's last pawn and then flies off."""
    table = with_few_greens("green-4")
    for key in [k for k in table.places if k.startswith("red") and k != "red-8"]:
        table.places.pop(key)
    table = _retaken(table)
    table.shot("red-8", touched=[("green-4", 0.1)], exits=[("red-8", 0.5)])
    assert table.state.points == {"red": 1, "green": 0}


def _retaken(table: PaleoTable) -> PaleoTable:
    again = PaleoTable()
    again.places = table.places
    again.apply("as_it_lies", turn="red", keys={}, pucks=again.pucks())
    return again


def test_p36_the_first_win_in_a_shot_counts_the_last_pawn_before_the_door() -> None:
    for options, points in (({}, 1), ({"last_pawn_and_door": "door"}, 2)):
        table = with_few_greens("green-4", options=options)
        again = PaleoTable(options=options)
        again.places = table.places
        again.apply("as_it_lies", turn="red", keys={"red": [NORTH, SOUTH]}, pucks=again.pucks())
        again.shot("red-3", touched=["green-4"], exits=["green-4"], after={"red-3": CENTRE}, on_gate=["red-3"])
        assert again.state.points == {"red": points, "green": 0}


# -- P11: turns ------------------------------------------------------------------------------------------------


def test_p11_sides_take_turns() -> None:
    table = PaleoTable().start()
    assert table.state.turn == "red"
    table.shot("red-3")
    assert table.state.turn == "green"
    table.shot("green-3")
    assert table.state.turn == "red"


def test_p11_a_shot_by_the_wrong_side_asks_and_can_stand() -> None:
    table = PaleoTable(red_4=OPEN).start()
    table.shot("green-8", touched=["red-4"])
    assert table.asked == "wrong_side"
    assert table.captured() == set()
    table.answer("accept")
    assert table.captured() == {"red-4"}
    assert table.state.turn == "red"


@pytest.mark.parametrize("choice", ["replay", "ignore"])
def test_p11_a_shot_by_the_wrong_side_can_be_taken_back(choice: str) -> None:
    table = PaleoTable(red_4=OPEN).start()
    table.shot("green-8", touched=["red-4"])
    table.answer(choice)
    assert table.captured() == set()
    assert table.state.turn == "red"
    assert table.asked is None


def test_p11_a_moved_pawn_may_be_played_again_from_its_new_place() -> None:
    table = PaleoTable().start()
    table.shot("red-3", after={"red-3": OPEN})
    table.shot("green-3")
    table.shot("red-3")
    assert table.asked is None
    assert table.state.turn == "green"


def test_p11_a_captured_pawn_cannot_be_played() -> None:
    table = PaleoTable(red_4=OPEN, begins="green").start()
    table.apply("shot", **table.account("green-8", touched=["red-4"]).to_json())
    table.shot("red-4")
    assert table.asked == "captured_played"
    table.answer("replay")
    assert table.state.turn == "red"


def test_p32_a_push_is_told_and_has_no_penalty() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", touched=["green-4"], pushed=True)
    assert table.captured() == {"green-4"}
    assert table.said("pushed, not flicked")


def test_p32_a_push_can_be_chosen_to_be_asked_about() -> None:
    table = PaleoTable(options={"pushed_shot": "ask"}, green_4=OPEN).start()
    table.shot("red-8", touched=["green-4"], pushed=True)
    assert table.asked == "pushed"
    table.answer("replay")
    assert table.captured() == set()
    assert table.state.turn == "red"


# -- P7, P24, P29, P31: rounds and match -----------------------------------------------------------------------


def win_by_door(table: PaleoTable, turn: str = "red") -> None:
    """The side to play wins the round by keys and door, shot by shot."""
    doors = (NORTH, SOUTH) if turn == "red" else (RED_NORTH, RED_SOUTH)
    other = "green" if turn == "red" else "red"
    for n, door in enumerate(doors):
        table.shot(f"{turn}-{3 + n}", doors=[(f"{turn}-{3 + n}", door)])
        table.place(f"{turn}-{3 + n}", BOARD.team(turn).start_circles[2 + n])
        table.shot(f"{other}-7")
    table.shot(f"{turn}-5", after={f"{turn}-5": CENTRE}, on_gate=[f"{turn}-5"])


def test_p24_four_points_win_the_match_after_two_rounds() -> None:
    table = PaleoTable().start()
    win_by_door(table)
    assert table.state.points == {"red": 2, "green": 0}
    table.set_up()
    table.apply("round_started", begins="red", pucks=table.pucks())
    win_by_door(table)
    assert table.state.phase == "match_over"
    assert table.state.winner == "red"
    outcome = paleo.outcome(table.state)
    assert outcome is not None
    assert (outcome.winner, outcome.points["red"]) == ("red", 4)


def test_p24_one_point_is_no_plural() -> None:
    table = with_few_greens("green-4", options={"points_to_win": "1"})
    state = table.shot("red-8", touched=["green-4"])
    outcome = paleo.outcome(state)
    assert outcome is not None
    assert outcome.reason == ("Red has 1 point.", "Rouge a 1 point.")
    said = state.log[-1].text
    assert said == ("Red has 1 point and wins the match.", "Rouge a 1 point et gagne la partie.")


def test_p24_a_match_may_end_at_five_points() -> None:
    """Three points and a round of two."""
    table = with_few_greens("green-4")
    table.shot("red-8", touched=["green-4"])
    for expected in (3, 5):
        table.set_up()
        table.apply("round_started", begins="red", pucks=table.pucks())
        win_by_door(table)
        assert table.state.points["red"] == expected
    assert table.state.winner == "red"


def test_p31_keys_and_captured_pawns_come_back_for_a_new_round() -> None:
    table = with_few_greens("green-4")
    table.shot("red-8", touched=["green-4"])
    table.set_up()
    table.apply("round_started", pucks=table.pucks())
    assert table.captured() == set()
    assert table.state.keys == {}
    assert table.state.round == 2


@pytest.mark.parametrize(
    ("option", "expected"), [("alternate", "green"), ("same", "red"), ("winner", "red"), ("loser", "green")]
)
def test_p29_who_begins_the_next_round_is_an_option(option: str, expected: str) -> None:
    table = with_few_greens("green-4", options={"next_begins": option})
    table.shot("red-8", touched=["green-4"])
    table.set_up()
    table.apply("round_started", pucks=table.pucks())
    assert table.state.turn == expected


def test_p29_the_first_round_needs_to_be_told_who_begins() -> None:
    with pytest.raises(AmbiguousAction, match="P29"):
        PaleoTable().apply("start_round")


def test_p7_no_round_begins_while_one_is_played() -> None:
    table = PaleoTable().start()
    with pytest.raises(IllegalMove, match="P7"):
        table.apply("start_round", begins="red")


def test_p7_no_shot_counts_between_rounds() -> None:
    table = PaleoTable()
    before = table.state
    table.shot("red-8")
    assert table.state is before


def test_p10_a_missing_pawn_at_the_start_is_told_and_does_not_block() -> None:
    table = PaleoTable()
    table.places.pop("green-4")
    table.start()
    assert table.state.phase == "playing"
    assert table.said("Green has 7 pawns", "instead of 8")


# -- P28: taken as it lies ---------------------------------------------------------------------------------------


def test_p28_pawns_that_are_not_seen_are_captured() -> None:
    table = with_few_greens("green-4", "green-2")
    assert table.captured() == {f"green-{n}" for n in (1, 3, 5, 6, 7, 8)}
    assert len(table.state.on_board("red")) == 8


def test_p28_a_side_cannot_hold_the_key_of_its_own_sanctuary() -> None:
    table = PaleoTable()
    with pytest.raises(MalformedAction, match=NORTH):
        table.apply("as_it_lies", turn="green", keys={"green": [NORTH]}, pucks=table.pucks())


def test_p28_a_side_without_unread_numbers_can_be_told_its_captured_pawns() -> None:
    table = PaleoTable()
    table.unread = {f"green-{n}" for n in range(1, 9)}
    table.places.pop("green-4")
    table.apply("as_it_lies", turn="red", keys={}, captured={"green": [4]}, pucks=table.pucks())
    assert table.captured() == {"green-4"}


ALL = [str(n) for n in range(1, 9)]


@pytest.mark.parametrize(
    ("turn", "captured", "over"),
    [
        ("red", {"red": ALL}, True),
        ("green", {"red": ALL}, True),
        ("red", {"red": ALL, "green": ALL}, True),
        ("red", {"green": [int(n) for n in ALL]}, True),
        ("red", {"red": ALL[1:], "green": ALL[1:]}, False),
    ],
)
def test_p23_a_round_in_which_a_side_has_no_pawns_left_is_over_and_is_not_taken_up(
    turn: str, captured: dict[str, list[str]], over: bool
) -> None:
    state = paleo.start({"sheet": SHEET, "options": {"kept_by": "taps"}})
    error = paleo.legal(state, Action("as_it_lies", {"turn": turn, "captured": captured}))
    assert (error is not None) is over
    if error is not None:
        assert error.rule == "P23"


def test_p23_of_three_sides_one_may_be_out_while_another_plays() -> None:
    state = paleo.start({"sheet": sheet_of_camps(3), "options": {"kept_by": "taps"}})
    for turn, rule in (("red", "P23"), ("green", None), ("blue", None)):
        error = paleo.legal(state, Action("as_it_lies", {"turn": turn, "captured": {"red": ALL}}))
        assert (error.rule if error is not None else None) == rule
