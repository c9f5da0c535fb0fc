"""Paleo for three and four (P1, P39): partners at one camp, and boards with a camp for everybody."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import GAMES
from companion.games.base import Action, IllegalMove, MalformedAction
from companion.games.paleo_state import PaleoState
from tests.companion.paleo_table import SHEET, sheet_of_camps

GAME = GAMES["paleo"]


class Taps:
    """A match kept by taps: every shot is told."""

    def __init__(self, camps: int = 2, players: Any = None, **options: Any) -> None:
        sheet = SHEET if camps == 2 else sheet_of_camps(camps)
        setup = {"sheet": sheet, "players": players or {}, "options": {"kept_by": "taps", **options}}
        self.state: PaleoState = GAME.start(setup)
        self.entry = 0
        self.act("start_round", begins="red")

    def act(self, type: str, **data: Any) -> PaleoState:
        self.entry += 1
        self.state = GAME.apply(self.state, Action(type, data, self.entry))
        return self.state

    def shot(self, flicked: str, *touched: str, **more: Any) -> PaleoState:
        more = {"in_camp": [], **more}
        return self.act("shot_by_hand", flicked=flicked, touched=list(touched), **more)

    def takes_all(self, by: str, of: str) -> PaleoState:
        """One Mercenary touches every pawn of a side outside its camp."""
        return self.shot(by, *self.state.on_board(of))

    def plays(self) -> list[str]:
        """Who may flick now."""
        view = GAME.view(self.state)
        return next((p["plays"] for p in view["players"] if p["team"] == view["turn"]), [])


def test_p39_partners_take_turns_in_their_camp_and_camps_take_turns() -> None:
    table = Taps(players={"red": ["Ann", "Cid"], "green": ["Ben", "Dan"]})
    seen = []
    for n in range(6):
        seen.append(table.plays())
        table.shot("red-3" if n % 2 == 0 else "green-3")
    assert seen == [["Ann"], ["Ben"], ["Cid"], ["Dan"], ["Ann"], ["Ben"]]


def test_p39_two_against_one() -> None:
    table = Taps(players={"red": ["Ann", "Cid"], "green": "Ben"})
    seen = []
    for n in range(4):
        seen.append(table.plays())
        table.shot("red-3" if n % 2 == 0 else "green-3")
    assert seen == [["Ann"], ["Ben"], ["Cid"], ["Ben"]]


def test_p39_either_partner_may_play_where_the_table_wants_it_so() -> None:
    table = Taps(players={"red": ["Ann", "Cid"], "green": "Ben"}, partners="either")
    assert table.plays() == ["Ann", "Cid"]


def test_p39_a_shot_that_is_played_again_does_not_pass_the_turn_to_the_partner() -> None:
    table = Taps(players={"red": ["Ann", "Cid"], "green": "Ben"}, pushed_shot="replay")
    table.shot("red-3", fouls=["pushed"])
    assert (table.state.turn, table.plays()) == ("red", ["Ann"])


@pytest.mark.parametrize(
    ("camps", "players"),
    [(2, {"red": ["A", "B", "C"]}), (2, {"red": []}), (2, {"red": [""]}), (4, {"red": ["A", "B"]}), (2, {"blue": "A"}),
     (2, ["A"]), (2, {"red": 7})],
)  # fmt: skip
def test_p1_too_many_or_nameless_players_are_refused_with_the_rule(camps: int, players: Any) -> None:
    with pytest.raises(MalformedAction) as raised:
        Taps(camps, players)
    assert raised.value.rule in ("P1", "P39")


@pytest.mark.parametrize("camps", [3, 4])
def test_p11_turns_go_round_the_camps(camps: int) -> None:
    table = Taps(camps)
    seen = []
    for _ in range(camps + 1):
        seen.append(table.state.turn)
        table.shot(f"{table.state.turn}-3")
    assert seen == [*table.state.sheet.names, "red"]


def test_p39_a_side_without_pawns_is_out_and_passed_over() -> None:
    table = Taps(3)
    table.takes_all("red-8", "green")
    assert (table.state.phase, table.state.turn) == ("playing", "blue")
    assert any("out of this round" in line.text.en for line in table.state.log)
    table.shot("blue-3")
    table.shot("red-3")
    assert table.state.turn == "blue"


def test_p23_the_last_side_with_pawns_wins_one_point() -> None:
    table = Taps(3)
    table.takes_all("red-8", "green")
    table.takes_all("blue-8", "red")
    assert (table.state.phase, table.state.points) == ("round_over", {"red": 0, "green": 0, "blue": 1})


def test_p13_p16_a_captured_pawn_lies_with_who_captured_it() -> None:
    table = Taps(4)
    table.shot("red-8", "blue-3")
    table.shot("green-3", exits=["green-3"])
    assert table.state.held_by("red") == ("blue-3",)
    assert table.state.held_by("blue") == ("green-3",), "the next side takes what a side shoots out itself"
    assert table.state.log[-1].text == (
        "Green Explorer 3 left the board: captured by Blue.",
        "L’Explorateur vert 3 a quitté le plateau : capturé par Bleu.",
    )
    other = Taps(4, own_pawn_expelled="previous_side")
    other.shot("red-3", exits=["red-3"])
    assert other.state.held_by("yellow") == ("red-3",)


def test_p16_a_pawn_that_another_side_pushes_out_is_that_sides() -> None:
    table = Taps(4)
    table.shot("red-3", "yellow-4", exits=["yellow-4"])
    assert table.state.held_by("red") == ("yellow-4",)
    assert any("captured by Red." in line.text.en for line in table.state.log)


@pytest.mark.parametrize(
    ("needed", "doors", "opens"),
    [("any_two", ["green-north", "blue-north"], True), ("any_two", ["green-north"], False),
     ("pair_of_one_side", ["green-north", "blue-north"], False),
     ("pair_of_one_side", ["blue-south", "blue-north"], True), ("all", ["blue-south", "blue-north"], False)],
)  # fmt: skip
def test_p22_how_many_keys_open_the_door_with_more_camps(needed: str, doors: list[str], opens: bool) -> None:
    table = Taps(3, keys_needed=needed)
    for door in doors:
        table.shot("red-3", doors=[{"puck": "red-3", "door": door}])
        table.shot("green-3")
        table.shot("blue-3")
    table.shot("red-4", on_gate=["red-4"])
    assert (table.state.phase == "round_over") is opens


def test_p18_with_more_camps_any_captured_pawn_may_come_back_or_only_the_sanctuarys_sides() -> None:
    for option, expected in (("any_captor", ["none", "red-3", "red-4"]), ("sanctuarys_side", ["none", "red-4"])):
        table = Taps(3, exchange_from=option)
        table.shot("red-5")
        table.shot("green-8", "red-3")
        table.shot("blue-8", "red-4")
        table.shot("red-1", doors=[{"puck": "red-1", "door": "blue-north"}])
        assert table.state.question is not None
        assert [c.value for c in table.state.question.choices] == expected
        table.act("answer", question=table.state.question.id_for(table.entry), choice="red-4")
        assert table.state.captor_of("red-1") == "blue", "given to whoever held the other"


def test_p14_of_several_in_each_camp_the_first_of_that_camp_is_captured() -> None:
    table = Taps(3)
    touched = ["green-3", "blue-4", "green-5", "blue-6"]
    table.shot("red-8", *touched, in_camp=touched)
    assert table.state.held_by("red") == ("green-3", "blue-4")


def test_p21_own_next_turn_protects_until_the_own_turn_with_three_sides() -> None:
    table = Taps(3, immunity="own_next_turn")
    table.shot("red-3", doors=[{"puck": "red-3", "door": "green-north"}])
    table.shot("green-8", "red-3")
    table.shot("blue-8", "red-3")
    assert table.state.captured("red") == ()
    table.shot("red-4")
    table.shot("green-8", "red-3")
    assert table.state.captured("red") == ("red-3",)


def test_p29_the_beginner_alternates_over_all_camps() -> None:
    table = Taps(3, points_to_win=6)
    table.takes_all("red-8", "green")
    table.takes_all("blue-8", "red")
    table.act("start_round")
    assert table.state.turn == "green"


def test_p8_reefs_at_three_camps_are_placed_one_then_two_in_turn() -> None:
    from companion.games.paleo_reefs import p8_turns

    assert p8_turns(Taps().state, "green") == [("green", 1), ("red", 2), ("green", 2), ("red", 2), ("green", 2),
                                              ("red", 1)]  # fmt: skip
    turns = p8_turns(Taps(3).state, "red")
    assert [who for who, _ in turns[:4]] == ["red", "green", "blue", "red"]
    assert {who: sum(n for t, n in turns if t == who) for who, _ in turns} == {"red": 5, "green": 5, "blue": 5}


# -- kept by taps ----------------------------------------------------------------------------------------


def test_p33_where_nobody_said_which_pawns_were_in_camp_it_is_asked_when_it_matters() -> None:
    table = Taps()
    table.shot("red-8", "green-3", in_camp=None)
    assert table.state.question is None, "one pawn is captured, in its camp or not"
    table.shot("green-4")
    table.act("shot_by_hand", flicked="red-8", touched=["green-4", "green-5"])
    for n, choice in enumerate(("inside", "inside")):
        question = table.state.question
        assert question is not None
        assert (question.kind, question.about) == ("in_camp", f"green-{4 + n}")
        table.act("answer", question=question.id_for(4), choice=choice)
    assert table.state.captured("green") == ("green-3", "green-4")


def test_what_the_camera_says_is_passed_over_where_players_tell_the_shots() -> None:
    table = Taps()
    before = table.state
    hand = {"did": "puck_removed", "t": 1.0, "puck": "x", "team": "red", "number": 3, "x_mm": 1.0, "y_mm": 1.0}
    assert table.act("hand", **hand) is before
    assert table.act("reefs", t=1.0, reefs=[{"team": "red", "x_mm": 1.0, "y_mm": 1.0, "angle_deg": 0.0}]) is before


def test_p22_a_pawn_told_to_lie_on_the_door_lies_there_until_something_moves_it() -> None:
    table = Taps()
    table.shot("red-7", on_gate=["red-7"])
    table.shot("green-3")
    assert table.state.resting == {"red-7"}
    table.shot("red-3")
    table.shot("green-3", "red-7")
    assert table.state.resting == frozenset()


@pytest.mark.parametrize(
    ("type", "data", "rule"),
    [
        ("shot_by_hand", {"flicked": "red-3", "seat": "green"}, "P11"),  # wrong turn
        ("start_round", {"begins": "red"}, "P7"),  # wrong phase
        ("shot_by_hand", {"flicked": "red-9"}, "P6"),  # unknown piece
        ("shot_by_hand", {"flicked": "red-3", "seat": "mallory"}, "P28"),  # forged player
        ("shot_by_hand", {"flicked": "red-3", "doors": [{"puck": "red-3", "door": "window"}]}, "P17"),
        ("shot_by_hand", {"flicked": "red-3", "touched": ["red-3"]}, "P15"),
        ("shot_by_hand", {"flicked": "red-3", "points": 4}, "P28"),
        ("answer", {"question": "1:exchange:red-3", "choice": "none"}, "P28"),
        ("resume", {}, "P7"),
    ],
)
def test_p28_what_is_not_allowed_is_refused_with_the_rule_and_changes_nothing(type: str, data: Any, rule: str) -> None:
    table = Taps()
    before = table.state
    error = GAME.legal(before, Action(type, data))
    assert error is not None
    assert error.rule == rule
    with pytest.raises(IllegalMove, match="rule"):
        GAME.apply(before, Action(type, data))
    assert table.state is before


@pytest.mark.parametrize(
    ("camps", "order"),
    [(2, ("is 1-2-2-2-2-1, five", "est 1-2-2-2-2-1, cinq")), (3, ("is 1, then 2 each", "est 1, puis 2 chacun")),
     (4, ("is 1, then 2 each", "est 1, puis 2 chacun"))],
)  # fmt: skip
def test_p8_the_order_of_placing_that_is_told_is_that_of_so_many_camps(camps: int, order: tuple[str, str]) -> None:
    sheet = SHEET if camps == 2 else sheet_of_camps(camps)
    state = GAME.start({"sheet": sheet, "players": {}, "options": {"kept_by": "taps"}})
    two = [{"team": "red", "x_mm": x, "y_mm": 470.0, "angle_deg": 0.0} for x in (200.0, 320.0)]
    notices = GAME.view(GAME.apply(state, Action("reefs_by_hand", {"reefs": two}, 1)))["reef_notices"]
    told = next(n for n in notices if n["rules"] == ["P6", "P8"])
    assert order[0] in told["en"]
    assert order[1] in told["fr"]
