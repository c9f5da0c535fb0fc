"""Armadöra from its rule text (A1-A26): turns, territories, powers, the end, and who may know what."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.armadora import GAME, moves
from companion.games.armadora_board import EDGE_NAMES, EDGES, SQUARE_NUMBERS, free_edges, territories
from companion.games.armadora_score import a8_account, a8_piles, a9_winners
from companion.games.armadora_state import PILES, ArmadoraState, Warrior
from companion.games.base import Action, MalformedAction
from tests.companion.table_games import act, play_golden, refused

GOLD = {"d1": 6, "b2": 3, "f2": 4, "h2": 7, "a4": 5, "e4": 6, "c5": 4, "g5": 5}
CORNER = ("b1-c1", "b2-c2", "a2-a3", "b2-b3")  # fences a1, b1, a2, b2 with the mine on b2
SETUP = {"players": {"ann": "Ann", "ben": "Ben"}}
FOUR = {"ann": "mage", "ben": "elf", "cid": "goblin", "dan": "orc"}


def table(seats: int = 2, **options: str) -> ArmadoraState:
    """A match of the first seats of FOUR, the first to begin, with gold as GOLD."""
    names = list(FOUR)[:seats]
    return GAME.start(
        {
            "players": {n: n.title() for n in names},
            "characters": {n: FOUR[n] for n in names},
            "gold": GOLD,
            "options": options,
        }
    )


def with_board(state: ArmadoraState, edges: tuple[str, ...] = (), **warriors: tuple[str, int]) -> ArmadoraState:
    """The same match in its middle: palisades laid and Warriors placed, square=(seat, value)."""
    for edge in edges:
        state = replace(
            act(GAME, replace(state, laid=0), state.seats[state.turn], "palisade", edge=edge), laid=0, turn=0
        )
    placed = {
        SQUARE_NUMBERS[square]: Warrior(state.seats.index(seat), value) for square, (seat, value) in warriors.items()
    }
    return replace(state, warriors={**state.warriors, **placed})


def piles(state: ArmadoraState) -> dict[int, list[int]]:
    return a8_piles(replace(state, phase="over"))


# -- set-up (A1-A3, A24, A25) ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "each"), [(2, [11, 2, 1, 1, 1]), (3, [7, 2, 1, 1, 0]), (4, [5, 1, 1, 1, 0])])
def test_a2_each_player_has_the_warriors_of_the_table(seats: int, each: list[int]) -> None:
    assert [list(s) for s in table(seats).stock] == [each] * seats


def test_a3_eight_piles_make_forty() -> None:
    drawn = GAME.start({"players": {"ann": "Ann", "ben": "Ben"}, "seed": 5})
    assert sorted(drawn.gold.values()) == sorted(PILES)
    assert sum(drawn.gold.values()) == 40


def test_a3_other_piles_than_the_boxs_are_refused() -> None:
    with pytest.raises(MalformedAction, match="A3"):
        GAME.start({"players": {"ann": "Ann", "ben": "Ben"}, "gold": {**GOLD, "d1": 7}})


@pytest.mark.parametrize(
    "players", [{"ann": "Ann"}, dict.fromkeys("abcde", "x"), {"ann": ""}, {"Ann!": "Ann", "b": "B"}]
)
def test_a1_two_to_four_named_players(players: dict[str, str]) -> None:
    with pytest.raises(MalformedAction):
        GAME.start({"players": players})


def test_a24_later_games_are_begun_in_turn() -> None:
    begun = [GAME.start({"players": {"ann": "A", "ben": "B"}, "match": n}).turn for n in (1, 2, 3)]
    assert begun == [0, 1, 0]


def test_a25_an_own_board_names_its_eight_mines() -> None:
    mines = ["a1", "h1", "a5", "h5", "c3", "f3", "d2", "e4"]
    state = GAME.start({"players": {"ann": "A", "ben": "B"}, "options": {"mines": "own"}, "mines": mines})
    assert set(state.gold) == {SQUARE_NUMBERS[m] for m in mines}


def test_a25_what_is_no_square_is_no_mine() -> None:
    seven = ["a2", "a3", "a4", "b1", "b2", "b3", "c1"]
    for eighth in (["a1"], {"a": 1}, None, 1, "z9"):
        with pytest.raises(MalformedAction, match="A25"):
            GAME.start({**SETUP, "options": {"mines": "own"}, "mines": [*seven, eighth]})


def test_a2_what_is_no_character_is_refused() -> None:
    for character in (["orc"], {}, None, 1, "troll"):
        with pytest.raises(MalformedAction, match="A2"):
            GAME.start({**SETUP, "characters": {"ann": character, "ben": "elf"}})


def test_a25_the_board_has_67_lines_and_32_free_squares() -> None:
    assert len(EDGES) == 67
    assert len([m for m in moves(table(), "ann") if m.type == "warrior"]) == 32 * 5


def test_a26_three_players_can_each_be_given_one_warrior_less() -> None:
    state = table(3, surplus_warrior="one_less_each")
    assert sum(sum(s) for s in state.stock) == 30


# -- turns (A4-A7) ------------------------------------------------------------------------------------------


def test_the_golden_game_goes_as_worked_out_by_hand() -> None:
    state = play_golden(GAME, "armadora")
    assert [(t.gold, t.how, t.left) for t in a8_account(state)] == [(3, "most", 0), (30, "most", 0), (7, "tie", 1)]
    assert a8_piles(state) == {0: [30, 3, 3], 1: [3]}


def test_a4_the_turn_goes_clockwise() -> None:
    state = table(3)
    for seat, square in (("ann", "a1"), ("ben", "b1"), ("cid", "c1")):
        assert GAME.waiting is not None
        assert GAME.waiting(state) == (seat,)
        state = act(GAME, state, seat, "warrior", square=square, value=1)
    assert GAME.waiting is not None
    assert GAME.waiting(state) == ("ann",)


def test_a4_nobody_plays_out_of_turn() -> None:
    assert refused(GAME, table(), "ben", "warrior", square="a1", value=1).rule == "A4"


def test_a4_a_forged_player_is_refused() -> None:
    assert refused(GAME, table(), "eve", "warrior", square="a1", value=1).rule == "A4"


@pytest.mark.parametrize("square", ["d1", "a1"])
def test_a5_a_warrior_goes_on_a_square_without_gold_or_warrior(square: str) -> None:
    state = with_board(table(), a1=("ben", 1))
    assert refused(GAME, state, "ann", "warrior", square=square, value=1).rule == "A5"


def test_a2_a_value_that_is_used_up_cannot_be_placed() -> None:
    state = act(GAME, table(), "ann", "warrior", square="a1", value=5)
    state = act(GAME, state, "ben", "warrior", square="b1", value=5)
    assert refused(GAME, state, "ann", "warrior", square="c1", value=5).rule == "A2"


@pytest.mark.parametrize("value", [0, 6, None, "1", True, 1.0])
def test_a_warriors_value_is_a_whole_number_from_1_to_5(value: Any) -> None:
    refused(GAME, table(), "ann", "warrior", square="a1", value=value)


def test_a6_a_palisade_may_not_make_a_territory_under_four_squares() -> None:
    state = with_board(table(), ("b1-c1", "a1-a2"))
    assert refused(GAME, state, "ann", "palisade", edge="b1-b2").rule == "A6"


def test_a6_four_squares_are_enough() -> None:
    state = with_board(table(), CORNER)
    assert sorted(t.bit_count() for t in territories(state.east, state.south)) == [4, 36]


def test_a6_the_perimeter_and_taken_lines_take_no_palisade() -> None:
    state = with_board(table(), ("b1-c1",))
    assert refused(GAME, state, "ann", "palisade", edge="b1-c1").rule == "A6"
    assert refused(GAME, state, "ann", "palisade", edge="h1-i1").rule == "A6"
    assert refused(GAME, state, "ann", "palisade", edge="a1-b2").rule == "A6"


def test_a6_a_turn_is_two_palisades_or_one() -> None:
    state = act(GAME, table(), "ann", "palisade", edge="b1-c1")
    assert refused(GAME, state, "ann", "warrior", square="a1", value=1).rule == "A4"
    assert refused(GAME, state, "ann", "pass").rule == "A7"
    assert act(GAME, state, "ann", "done").turn == 1
    assert act(GAME, state, "ann", "palisade", edge="g4-g5").turn == 1


def test_a6_done_without_a_palisade_is_no_turn() -> None:
    assert refused(GAME, table(), "ann", "done").rule == "A6"


def test_a7_who_has_passed_is_out_for_good() -> None:
    state = act(GAME, table(), "ann", "pass")
    state = act(GAME, state, "ben", "warrior", square="a1", value=1)
    assert GAME.waiting is not None
    assert GAME.waiting(state) == ("ben",)
    assert refused(GAME, state, "ann", "warrior", square="b1", value=1).rule == "A4"


def test_a7_the_game_ends_when_all_have_passed() -> None:
    state = act(GAME, act(GAME, table(), "ann", "pass"), "ben", "pass")
    assert state.phase == "over"
    assert refused(GAME, state, "ann", "pass").rule == "A7"


def test_a17_the_stock_of_35_palisades_ends() -> None:
    state = replace(table(), palisades=1)
    state = act(GAME, state, "ann", "palisade", edge="a1-b1")
    assert state.turn == 1, "the last palisade ends the turn by itself"
    assert refused(GAME, state, "ben", "palisade", edge="c1-d1").rule == "A1"


def test_a22_an_empty_turn_only_where_the_table_allows_it() -> None:
    assert refused(GAME, table(), "ann", "skip").rule == "A22"
    assert act(GAME, table(empty_turn="allowed"), "ann", "skip").turn == 1


# -- the end (A8-A10, A18-A20) --------------------------------------------------------------------------------


def test_a8_a_tie_shares_and_the_rest_is_for_nobody() -> None:
    state = with_board(table(), CORNER, a1=("ann", 2), b1=("ben", 2))
    assert piles(state) == {0: [1], 1: [1]}
    assert sum(t.left for t in a8_account(state)) == 38


def test_a8_three_share_seven_as_two_each() -> None:
    fence = ("f1-g1", "f2-g2", "g2-g3", "h2-h3")
    state = with_board(table(3), fence, g1=("ann", 1), h1=("ben", 1), g2=("cid", 1))
    assert piles(state) == {0: [2], 1: [2], 2: [2]}


def test_a8_points_of_one_player_in_a_territory_are_summed() -> None:
    state = with_board(table(), CORNER, a1=("ann", 1), b1=("ann", 2), a2=("ben", 2))
    assert piles(state) == {0: [3], 1: []}


def test_a10_partners_who_win_are_told_as_two() -> None:
    state = with_board(table(4), CORNER, a1=("ann", 1), c1=("cid", 1))
    outcome = GAME.outcome(replace(state, phase="over"))
    assert outcome is not None
    assert outcome.reason.en == "Ann & Cid have the most: 40 gold."
    assert outcome.reason.fr == "Ann & Cid ont le plus d’or : 40."


def test_a9_equal_gold_is_decided_by_the_highest_pile() -> None:
    assert a9_winners({0: [7, 3], 1: [6, 4]}) == [0]


def test_a9_the_second_pile_decides_where_the_first_are_equal() -> None:
    assert a9_winners({0: [6, 3, 3], 1: [6, 4, 2]}) == [1]


def test_a9_with_three_the_one_who_is_lower_at_a_level_is_out() -> None:
    """C’s second pile is the highest, but C was out at the first level."""
    assert a9_winners({0: [6, 3, 3], 1: [6, 4, 2], 2: [5, 5, 2]}) == [1]


def test_a18_equal_to_the_last_pile_is_a_shared_victory() -> None:
    state = with_board(table(), CORNER, a1=("ann", 2), b1=("ben", 2), h1=("ann", 3), h3=("ben", 3))
    outcome = GAME.outcome(replace(state, phase="over"))
    assert outcome is not None
    assert (outcome.winner, outcome.winners) == (None, ("ann", "ben"))


def test_a18_the_table_may_let_nobody_win_a_full_tie() -> None:
    state = with_board(table(full_tie="nobody"), a1=("ann", 2), b1=("ben", 2))
    outcome = GAME.outcome(replace(state, phase="over"))
    assert outcome is not None
    assert outcome.winners == ()
    assert outcome.reason == ("Equal to the last pile: nobody wins.", "Égalité parfaite : personne ne gagne.")


def test_a19_gold_without_warriors_stays_by_default() -> None:
    state = with_board(table(), CORNER, h1=("ann", 1))
    assert piles(state) == {0: [37], 1: []}


def test_a19_gold_without_warriors_can_go_to_the_last_to_pass() -> None:
    state = with_board(table(gold_without_warriors="left_player"), CORNER, h1=("ann", 1))
    assert piles(replace(state, last_passed=1)) == {0: [37], 1: [3]}


def test_a10_partners_points_are_summed_and_their_gold_is_pooled() -> None:
    state = with_board(table(4), CORNER, a1=("ann", 1), b1=("cid", 1), a2=("ben", 1), h1=("dan", 1))
    assert piles(state) == {0: [3], 1: [37]}
    outcome = GAME.outcome(replace(state, phase="over"))
    assert outcome is not None
    assert outcome.winner == "ben+dan"


# -- advanced rules (A11-A16, A20, A21, A23) --------------------------------------------------------------------


def advanced(turn: int = 0, seats: int = 4, edges: tuple[str, ...] = (), options: dict[str, str] | None = None,
             **warriors: tuple[str, int]) -> ArmadoraState:  # fmt: skip
    state = with_board(table(seats, rules="advanced", **(options or {})), edges, **warriors)
    return replace(state, turn=turn)


def test_a11_elf_and_mage_have_two_powers_orc_and_goblin_one() -> None:
    assert advanced().powers == (2, 2, 1, 1)
    assert advanced().reinforcements == (1, 1, 1, 1)


def test_a11_without_the_advanced_rules_there_are_no_powers() -> None:
    state = with_board(table(), a1=("ben", 3))
    assert refused(GAME, state, "ann", "look", square="a1").rule == "A11"


def test_a12_a_power_comes_first_and_an_ordinary_action_follows() -> None:
    state = act(GAME, advanced(a1=("ben", 3)), "ann", "look", square="a1")
    assert state.turn == 0
    assert refused(GAME, state, "ann", "look", square="a1").rule == "A12"
    assert refused(GAME, state, "ann", "pass").rule == "A7"
    assert act(GAME, state, "ann", "warrior", square="b1", value=1).turn == 1


def test_a12_no_power_after_the_first_palisade() -> None:
    state = act(GAME, advanced(a1=("ben", 3)), "ann", "palisade", edge="b1-c1")
    assert refused(GAME, state, "ann", "look", square="a1").rule == "A12"


def test_a12_a_power_needs_an_ordinary_action_left_to_follow_it() -> None:
    state = replace(advanced(a1=("ben", 3)), palisades=0, stock=((0,) * 5,) * 4)
    assert refused(GAME, state, "ann", "look", square="a1").rule == "A12"


def test_a13_the_mage_alone_sees_the_value_that_it_looked_at() -> None:
    state = act(GAME, advanced(a1=("ben", 3)), "ann", "look", square="a1")
    shown = {seat: GAME.seen_by(state, seat)["warriors"]["a1"]["value"] for seat in ("ann", "cid", "dan", None)}
    assert shown == {"ann": 3, "cid": None, "dan": None, None: None}
    assert state.powers[0] == 1


def test_a13_the_mage_does_not_look_at_its_partners_warrior() -> None:
    assert refused(GAME, advanced(a1=("cid", 3)), "ann", "look", square="a1").rule == "A13"


def test_a13_only_the_mage_looks() -> None:
    assert refused(GAME, advanced(turn=1, a1=("ann", 3)), "ben", "look", square="a1").rule == "A13"


def test_a14_the_goblins_extra_warrior_is_seen_by_all() -> None:
    state = act(GAME, advanced(turn=2), "cid", "extra_warrior", square="a1", value=4)
    assert GAME.view(state)["warriors"]["a1"]["value"] == 4
    assert state.turn == 2


def test_a14_the_orc_lays_one_palisade_more() -> None:
    state = act(GAME, advanced(turn=3), "dan", "extra_palisade", edge="a1-b1")
    state = act(GAME, state, "dan", "palisade", edge="c1-d1")
    state = act(GAME, state, "dan", "palisade", edge="e1-f1")
    assert (state.palisades, state.turn) == (32, 0)


def test_a21_the_orcs_palisade_obeys_four_unless_the_table_says_otherwise() -> None:
    corner = ("b1-c1", "a1-a2")
    assert refused(GAME, advanced(3, edges=corner), "dan", "extra_palisade", edge="b1-b2").rule == "A6"
    free = advanced(3, edges=corner, options={"orc_palisade": "any_line"})
    assert act(GAME, free, "dan", "extra_palisade", edge="b1-b2").palisades == 32


def test_a15_an_elf_in_the_territory_takes_one_from_an_enemy_there() -> None:
    state = act(GAME, advanced(1, edges=CORNER, a1=("ben", 2), b1=("ann", 3)), "ben", "arrow", square="b1")
    corner = a8_account(state)[0]
    assert corner.points == {0: 2, 1: 2}
    assert corner.shares == {0: 1, 1: 1}


def test_a15_no_arrow_without_an_elf_in_the_territory() -> None:
    state = advanced(1, edges=CORNER, h1=("ben", 2), b1=("ann", 3))
    assert refused(GAME, state, "ben", "arrow", square="b1").rule == "A15"


def test_a15_no_arrow_into_a_complete_territory() -> None:
    state = advanced(1, edges=CORNER, a1=("ben", 2), b1=("ann", 3), a2=("cid", 1))
    assert refused(GAME, state, "ben", "arrow", square="b1").rule == "A15"


def test_a15_while_there_is_no_territory_any_warrior_can_be_hit() -> None:
    state = advanced(1, edges=("b1-c1",), a1=("ben", 2), h5=("ann", 3))
    assert act(GAME, state, "ben", "arrow", square="h5").warriors[39].arrows == 1


def test_a15_two_arrows_may_hit_the_same_warrior_in_two_turns() -> None:
    state = act(GAME, advanced(1, a1=("ben", 2), h5=("ann", 3)), "ben", "arrow", square="h5")
    assert refused(GAME, state, "ben", "arrow", square="h5").rule == "A12"
    state = replace(act(GAME, state, "ben", "warrior", square="b1", value=1), turn=1)
    assert act(GAME, state, "ben", "arrow", square="h5").warriors[39].arrows == 2


@pytest.mark.parametrize(("choice", "worth"), [("zero", 0), ("none", -1)])
def test_a20_two_arrows_on_a_one(choice: str, worth: int) -> None:
    state = advanced(options={"least_value": choice})
    state = replace(state, warriors={0: Warrior(1, 1, arrows=2)})
    assert a8_account(state)[0].points == {1: worth}


def test_a23_a_partner_is_hit_only_where_the_table_allows_it() -> None:
    assert refused(GAME, advanced(1, a1=("ben", 1), b1=("dan", 2)), "ben", "arrow", square="b1").rule == "A23"
    allowed = advanced(1, options={"arrow_on_partner": "allowed"}, a1=("ben", 1), b1=("dan", 2))
    assert act(GAME, allowed, "ben", "arrow", square="b1").warriors[1].arrows == 1


def test_a23_a_partners_warrior_is_no_elf_by_default() -> None:
    state = advanced(1, edges=CORNER, a1=("dan", 1), b1=("ann", 2))
    assert refused(GAME, state, "ben", "arrow", square="b1").rule == "A15"
    either = advanced(1, edges=CORNER, options={"partners_warrior_counts_as_elf": "yes"}, a1=("dan", 1), b1=("ann", 2))
    assert act(GAME, either, "ben", "arrow", square="b1").powers[1] == 1


FULL_CORNER: dict[str, tuple[str, int]] = {"a1": ("ann", 1), "b1": ("ben", 2), "a2": ("cid", 1)}


def test_a16_a_reinforcement_raises_an_own_warrior_of_a_complete_territory() -> None:
    state = act(GAME, advanced(1, edges=CORNER, **FULL_CORNER), "ben", "reinforce", square="b1")
    assert a8_account(state)[0].points == {0: 2, 1: 3}
    assert state.reinforcements[1] == 0


def test_a16_no_reinforcement_in_an_incomplete_territory() -> None:
    state = advanced(1, edges=CORNER, b1=("ben", 2))
    assert refused(GAME, state, "ben", "reinforce", square="b1").rule == "A16"


def test_a16_one_reinforcement_in_a_territory() -> None:
    state = act(GAME, advanced(1, edges=CORNER, **FULL_CORNER), "ben", "reinforce", square="b1")
    assert refused(GAME, state, "cid", "reinforce", square="a2").rule == "A16"


def test_a16_only_on_an_own_warrior_not_on_a_partners() -> None:
    state = advanced(1, edges=CORNER, a1=("dan", 1), b1=("ann", 2), a2=("cid", 1))
    assert refused(GAME, state, "ben", "reinforce", square="a1").rule == "A16"


def test_a16_a_reinforcement_may_lie_on_an_arrow() -> None:
    state = advanced(1, edges=CORNER, **FULL_CORNER)
    state = replace(state, warriors={**state.warriors, 1: Warrior(1, 2, arrows=1)})
    assert a8_account(act(GAME, state, "ben", "reinforce", square="b1"))[0].points == {0: 2, 1: 2}


def test_a16_in_a_tie_the_tied_player_who_reinforced_takes_all() -> None:
    state = advanced(1, edges=CORNER, a1=("ann", 2), b1=("ben", 1), a2=("cid", 0))
    corner = a8_account(act(GAME, state, "ben", "reinforce", square="b1"))[0]
    assert (corner.how, corner.shares) == ("reinforced", {1: 3})


# -- hidden values (A5, A8) -------------------------------------------------------------------------------------


def test_a5_a_face_down_value_is_shown_to_its_owner_only() -> None:
    state = act(GAME, table(), "ann", "warrior", square="a1", value=5)
    assert [GAME.seen_by(state, s)["warriors"]["a1"]["value"] for s in ("ann", "ben", None)] == [5, None, None]


def test_a5_the_table_may_agree_that_placed_values_are_to_be_remembered() -> None:
    state = act(GAME, table(own_values="remember"), "ann", "warrior", square="a1", value=5)
    assert GAME.seen_by(state, "ann")["warriors"]["a1"]["value"] is None


@pytest.mark.parametrize("seat", ["ben", None])
def test_no_view_depends_on_what_the_viewer_may_not_know(seat: str | None) -> None:
    """Two matches that differ only in Ann's hidden values look the same to everybody else."""
    one = act(GAME, table(), "ann", "warrior", square="a1", value=5)
    other = act(GAME, table(), "ann", "warrior", square="a1", value=3)
    assert GAME.seen_by(one, seat) == GAME.seen_by(other, seat)
    assert GAME.seen_by(one, "ann") != GAME.seen_by(other, "ann")


def test_the_stream_leaves_a_face_down_value_out_for_others() -> None:
    action = Action("warrior", {"seat": "ann", "square": "a1", "value": 5})
    assert GAME.told(action, "ann")["value"] == 5
    assert "value" not in GAME.told(action, "ben")
    assert "value" not in GAME.told(action, None)


def test_a8_gold_is_projected_only_where_the_viewer_knows_all_values() -> None:
    state = with_board(table(), CORNER, a1=("ann", 5), h1=("ben", 2))
    seen = GAME.seen_by(state, "ann")["territories"]
    assert seen[0]["shares"] == {"ann": 3}
    assert seen[1]["shares"] is None
    assert GAME.view(state)["territories"][0]["shares"] is None


def test_a8_values_may_be_told_when_all_are_turned_over() -> None:
    state = table(values="at_end")
    state = act(GAME, state, "ann", "warrior", square="a1")
    state = act(GAME, state, "ben", "warrior", square="b1")
    for seat in ("ann", "ben"):
        state = act(GAME, state, seat, "pass")
    assert state.phase == "revealing"
    assert GAME.waiting is not None
    assert GAME.waiting(state) == ("ann", "ben")
    state = act(GAME, state, "ben", "reveal", square="b1", value=2)
    assert refused(GAME, state, "ann", "reveal", square="b1", value=2).rule == "A8"
    state = act(GAME, state, "ann", "reveal", square="a1", value=1)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winner == "ben"


@pytest.mark.parametrize("own", ["visible", "remember"])
def test_a8_a_warrior_that_was_turned_over_lies_open_for_all(own: str) -> None:
    state = table(values="at_end", own_values=own)
    for seat, square in (("ann", "a1"), ("ben", "b1"), ("ann", "a2")):
        state = act(GAME, state, seat, "warrior", square=square)
    for seat in ("ben", "ann"):
        state = act(GAME, state, seat, "pass")
    state = act(GAME, state, "ann", "reveal", square="a1", value=3)
    for seat in ("ann", "ben", None):
        seen = {square: one["value"] for square, one in GAME.seen_by(state, seat)["warriors"].items()}
        assert seen == {"a1": 3, "a2": None, "b1": None}


def test_a8_values_told_early_are_refused_where_they_are_told_at_the_end() -> None:
    refused(GAME, table(values="at_end"), "ann", "warrior", square="a1", value=5)


def test_every_free_line_is_listed_and_no_other() -> None:
    state = with_board(table(), ("b1-c1", "a1-a2", "e3-e4"))
    listed = {m.data["edge"] for m in moves(state, "ann") if m.type == "palisade"}
    for edge in EDGE_NAMES:
        if edge not in listed:
            assert refused(GAME, state, "ann", "palisade", edge=edge).rule == "A6"
    assert len(listed) == len(free_edges(state.east, state.south))
