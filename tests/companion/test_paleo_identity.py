"""Which pawn is which puck: ids that change, numbers that are unread, contradict, or are told."""

from __future__ import annotations

from dataclasses import replace

from companion.games.paleo_identity import swap_labels
from tests.companion.paleo_table import BOARD, PaleoTable

OPEN, OPEN_2 = (325.0, 480.0), (325.0, 200.0)
NORTH = "green-north-east"
ALL_RED = {f"red-{n}" for n in range(1, 9)}
ALL_GREEN = {f"green-{n}" for n in range(1, 9)}


def unread_table(**away: tuple[float, float]) -> PaleoTable:
    """No number was ever read."""
    table = PaleoTable()
    table.move(**away)
    table.unread = ALL_RED | ALL_GREEN
    return table.start()


def number_of(table: PaleoTable, puck: str) -> str:
    """What the state takes the puck to be."""
    return table.state.seen_as[f"~{puck}"]


def test_an_unread_flicked_pawn_that_touches_nobody_needs_no_question() -> None:
    table = unread_table()
    table.shot("red-8")
    assert table.asked is None


def test_an_unread_flicked_pawn_that_touches_an_enemy_is_asked_for() -> None:
    table = unread_table(green_4=OPEN)
    table.shot("red-8", touched=["green-4"])
    assert table.asked == "which_pawn"
    assert table.state.question is not None
    assert {c.value for c in table.state.question.choices} == ALL_RED


def test_a_number_told_does_not_ask_again_what_was_answered_before() -> None:
    table = unread_table(red_4=OPEN)
    table.shot("green-8", touched=["red-4"])
    assert table.asked == "wrong_side"
    table.answer("accept")
    assert table.asked == "which_pawn"
    table.answer("green-2")
    assert table.asked is None
    assert len(table.captured()) == 1


def test_the_answer_stays_known_for_the_same_puck() -> None:
    table = unread_table(green_4=OPEN, green_5=OPEN_2)
    table.shot("red-8", touched=["green-4"])
    table.answer("red-8")
    assert len(table.captured()) == 1
    assert number_of(table, "red-8") == "red-8"
    table.shot("green-3")
    table.shot("red-8", touched=["green-5"])
    assert table.asked is None
    assert len(table.captured()) == 2


def test_an_explorer_by_answer_captures_nothing() -> None:
    table = unread_table(green_4=OPEN)
    table.shot("red-3", touched=["green-4"])
    table.answer("red-3")
    assert table.captured() == set()


def test_no_question_where_all_that_it_may_be_share_a_role() -> None:
    """Only Explorers' numbers are unread."""
    table = PaleoTable(green_4=OPEN)
    table.unread = {"red-3", "red-4", "red-5"}
    table.start()
    table.shot("red-4", touched=["green-4"])
    assert table.asked is None
    assert table.captured() == set()


def test_the_last_unread_number_is_known_by_elimination() -> None:
    table = PaleoTable(green_4=OPEN)
    table.unread = {"red-8"}
    table.start()
    table.shot("red-8", touched=["green-4"])
    assert table.asked is None
    assert table.captured() == {"green-4"}


def test_a_number_read_later_is_taken_in() -> None:
    table = unread_table(green_4=OPEN)
    table.shot("red-3")
    table.unread = ALL_GREEN | (ALL_RED - {"red-8"})
    table.shot("green-3")
    table.shot("red-8", touched=["green-4"])
    assert table.asked is None
    assert number_of(table, "red-8") == "red-8"


def test_an_unread_captured_pawn_gets_its_number_when_the_others_are_read() -> None:
    table = PaleoTable(green_4=OPEN)
    table.unread = set(ALL_GREEN)
    table.start()
    table.shot("red-8", touched=["green-4"])
    table.unread = set()
    table.shot("green-3")
    assert table.captured() == {"green-4"}
    assert all(table.state.pawns[k].sure for k in ALL_GREEN)


def test_an_unread_pawn_at_an_opposing_door_is_asked_for_because_of_the_key() -> None:
    table = unread_table()
    table.shot("red-3", doors=[("red-3", NORTH)])
    assert table.asked == "which_pawn"
    table.answer("red-3")
    assert table.state.keys_of("red") == (NORTH,)


def test_one_reading_that_contradicts_a_sure_pawn_with_the_same_id_changes_nothing() -> None:
    table = PaleoTable().start()
    account = table.account("red-8").to_json()
    for pucks in (account["before"], account["after"]):
        for p in pucks:
            if p["puck"] == "~red-8":
                p["number"] = 3
            if p["puck"] == "~red-3":
                p["number"] = None
    table.apply("shot", **account)
    assert number_of(table, "red-8") == "red-8"
    assert number_of(table, "red-3") == "red-3"


def test_new_ids_after_a_restart_are_found_by_number_and_place() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-3")
    table.apply("camera", what="session_started")
    table.unread = {"red-8", "green-4"}
    account = table.account("green-3").to_json()
    renamed = {**account, "flicked": "n-green-3"}
    for name in ("before", "after"):
        renamed[name] = [{**p, "puck": p["puck"].replace("~", "n-")} for p in account[name]]
    table.apply("shot", **renamed)
    assert table.asked is None
    assert table.state.seen_as["n-red-8"] == "red-8"
    assert table.state.pawns["red-8"].sure
    assert table.state.seen_as["n-green-3"] == "green-3"


def test_ids_used_anew_for_other_pucks_after_a_restart_are_not_believed() -> None:
    table = PaleoTable().start()
    table.apply("camera", what="session_started")
    swap = {"~red-8": "~red-3", "~red-3": "~red-8"}
    account = table.account("red-8").to_json()
    account["flicked"] = swap["~red-8"]
    for name in ("before", "after"):
        account[name] = [{**p, "puck": swap.get(p["puck"], p["puck"])} for p in account[name]]
    table.apply("shot", **account)
    assert table.state.seen_as["~red-3"] == "red-8"


def test_an_unknown_flicked_puck_is_asked_for() -> None:
    table = PaleoTable().start()
    account = table.account("red-8").to_json()
    account["flicked"] = "ghost"
    table.apply("shot", **account)
    assert table.asked == "which_pawn"
    table.answer("ignore")
    assert table.state.turn == "red"


def test_an_unknown_flicked_puck_can_be_told() -> None:
    table = PaleoTable().start()
    account = table.account("red-8").to_json()
    account["flicked"] = "ghost"
    table.apply("shot", **account)
    table.answer("red-8")
    assert table.asked is None
    assert table.state.turn == "green"


def test_an_unread_pawn_that_was_not_touched_is_not_captured_by_being_lifted() -> None:
    table = unread_table(green_4=OPEN)
    account = table.account("red-8", touched=["green-4"])
    table.apply("shot", **account.to_json())
    table.answer("red-8")
    held = table.captured()
    table.lift("green-5")
    assert table.captured() == held
    table.shot("green-3")
    assert table.said("was lifted off the board, although it is not captured")


def test_a_pawn_named_by_players_is_the_one_that_hands_lift_then() -> None:
    """The camera saw no touch; players say that green 4 was touched, whose number was never read."""
    table = unread_table(green_4=OPEN)
    account = table.account("red-8", needs_review=True, reasons=("a hand hid it",))
    table.apply("shot", **account.to_json())
    table.answer({"flicked": "red-8", "touched": ["green-4"]})
    assert table.captured() == {"green-4"}
    table.lift("green-4")
    table.shot("green-3")
    assert not table.said("was lifted")
    assert table.captured() == {"green-4"}
    assert set(table.state.seen_as) == {f"~{k}" for k in table.places}


def test_a_board_without_numbers_is_played_by_pawns_that_do_both() -> None:
    from companion.games import paleo
    from companion.games.base import Action
    from tests.companion.paleo_table import SHEET

    sheet = {**SHEET, "teams": [{**t, "labels": list("abcdefgh"), "mercenaries": [], "numbered": False}
                                for t in SHEET["teams"]]}  # fmt: skip
    state = paleo.start({"sheet": sheet})
    pucks = [{"puck": f"{t.name}{n}", "team": t.name, "number": None, "x_mm": x, "y_mm": y}
             for t in BOARD.teams for n, (x, y) in enumerate(t.start_circles)]  # fmt: skip
    state = paleo.apply(state, Action("round_started", {"begins": "red", "pucks": pucks}, 1))
    account = {"shot": 1, "t_start": 0.0, "t_end": 1.0, "flicked": "red0", "touches": [
        {"t": 0.2, "puck": "red0", "other": "green0", "x_mm": 0, "y_mm": 0}], "doors_in": [
        {"t": 0.5, "puck": "red0", "door": NORTH}], "exits": [], "passed": [], "before": pucks, "after": pucks,
        "on_gate": [], "pushed": False, "needs_review": False, "reasons": []}  # fmt: skip
    state = paleo.apply(state, Action("shot", account, 2))
    assert len(state.captured("green")) == 1
    assert state.keys == {NORTH: "red"}


def test_a_puck_that_proves_to_be_another_than_the_one_flicked_leaves_the_shot_to_the_players_word() -> None:
    """The camera took the flicked puck for the unread red 3; players say that red 3 went through a door elsewhere."""
    table = PaleoTable()
    table.unread = {f"red-{n}" for n in (3, 4, 5)}
    table.start()
    flicked = next(i for i, k in table.state.seen_as.items() if k == "red-3")
    account = table.account("red-8", needs_review=True, reasons=("a hand hid it",)).to_json()
    table.apply("shot", **{**account, "flicked": flicked})
    table.answer({"flicked": "red-8", "doors": [{"puck": "red-3", "door": NORTH}]})
    assert table.asked is None
    assert table.state.turn == "green"
    assert table.state.to_place == ("red-3",)


def test_what_was_said_of_a_pawn_on_the_door_goes_with_its_label() -> None:
    state = replace(unread_table().state, resting=frozenset({"green-4"}))
    assert swap_labels(state, "green-4", "green-5").resting == {"green-5"}
