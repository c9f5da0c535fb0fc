"""Sacrifice from its rule text (S1-S27): movement, kills and the choices they force, walls, minerals, the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.base import MalformedAction
from companion.games.sacrifice import GAME
from companion.games.sacrifice_board import names_of
from companion.games.sacrifice_end import s21_after, s21_can_win
from companion.games.sacrifice_kills import s12_revivable
from companion.games.sacrifice_state import DEAD, Mineral, Piece, SacrificeState
from tests.companion.table_games import act, play_golden, refused

FULL = GAME.start({"players": {"ann": "Ann", "ben": "Ben"}})
NAMES = names_of(FULL.board)  # 8 x 12: rows 1-2 are Ben's elevation zone, 3-4 his deployment, 5-8 free, 9-12 Ann's


def field(points: int = 4, minerals: str = "", options: dict[str, str] | None = None, **pieces: str) -> SacrificeState:
    """The full-size board with only these pieces; ann='monkey c5, builder d6' and ben likewise; Ann is in turn.

    A piece without square lies in its graveyard; minerals: 'a c5, b d6' of Ann and Ben.
    """
    placed: dict[str, Piece] = {}
    for side, seat in enumerate(("ann", "ben")):
        count: dict[str, int] = {}
        for item in filter(None, pieces.get(seat, "").split(", ")):
            kind, _, where = item.partition(" ")
            count[kind] = count.get(kind, 0) + 1
            square = NAMES[where] if where else DEAD
            elevated = where[1:] in (("1", "2"), ("11", "12"))[side]
            placed[f"{seat}-{kind}-{count[kind]}"] = Piece(kind, side, square, elevated)
    lying = {}
    for n, item in enumerate(filter(None, minerals.split(", ")), 1):
        owner, where = item.split(" ")
        lying[f"{owner}-{n}"] = Mineral("ab".index(owner), NAMES[where])
    state = GAME.start({"players": {"ann": "Ann", "ben": "Ben"}, "options": options or {}})
    return replace(state, pieces=placed, minerals=lying, points=points, turns=4)


def go(state: SacrificeState, piece: str, *path: str, **more: Any) -> SacrificeState:
    side = state.pieces[piece].side
    moved: SacrificeState = act(GAME, state, state.seats[side], "move", piece=piece, path=list(path), **more)
    return moved


def no(state: SacrificeState, piece: str, *path: str, **more: Any) -> str | None:
    """The rule that forbids a move."""
    side = state.pieces[piece].side
    return refused(GAME, state, state.seats[side], "move", piece=piece, path=list(path), **more).rule


def on(state: SacrificeState, piece: str) -> str | None:
    square = state.pieces[piece].square
    return None if square == DEAD else state.board.name(square)


# -- set-up and turns (S1-S4, S24, S27) -----------------------------------------------------------------------


def test_the_golden_game_goes_as_worked_out_by_hand() -> None:
    play_golden(GAME, "sacrifice")


def test_s1_34_pieces_and_three_walls_each() -> None:
    assert len(FULL.pieces) + len(FULL.minerals) == 34
    assert FULL.walls_left == (3, 3)
    assert len(FULL.alive(0)) == len(FULL.alive(1)) == 15


def test_s3_two_points_then_three_then_four() -> None:
    state, points = FULL, []
    for seat, piece, path in (("ann", "martyr-1", "a8"), ("ben", "martyr-1", "h5"), ("ann", "martyr-1", "a7")):
        points.append(state.points)
        state = act(GAME, go(state, f"{seat}-{piece}", path), seat, "end")
    assert [*points, state.points] == [2, 3, 4, 4]


def test_s4_points_are_spread_freely_but_not_overdrawn() -> None:
    state = go(go(FULL, "ann-martyr-1", "a8"), "ann-martyr-2", "h8")
    assert state.points == 0
    assert no(state, "ann-martyr-1", "a7") == "S4"


def test_s4_at_least_one_move_a_turn() -> None:
    assert refused(GAME, FULL, "ann", "end").rule == "S4"


def test_s4_who_cannot_move_at_all_may_end_the_turn() -> None:
    state = field(ann="monkey a9", ben="monkey a8, martyr b9, builder h5")
    blocked = replace(state, points=1, walls=frozenset({(NAMES["a9"], NAMES["a10"])}))
    assert act(GAME, blocked, "ann", "end").turn == 1


def test_s4_only_the_side_in_turn_and_only_its_own_pieces() -> None:
    assert refused(GAME, FULL, "ben", "move", piece="ben-martyr-1", path=["h5"]).rule == "S4"
    assert refused(GAME, FULL, "ann", "move", piece="ben-martyr-1", path=["h5"]).rule == "S4"
    assert refused(GAME, FULL, "eve", "end").rule == "S1"
    refused(GAME, FULL, "ann", "move", piece="ann-dragon-1", path=["a8"])
    assert refused(GAME, FULL, "ann", "move", piece="ann-martyr-1", path=[]).rule == "S24"
    assert refused(GAME, FULL, "ann", "move", piece="ann-martyr-1", path=["z9"]).rule == "S24"


def test_s27_the_other_side_begins_the_next_match() -> None:
    assert [GAME.start({"players": {"ann": "A", "ben": "B"}, "match": n}).turn for n in (1, 2, 3)] == [0, 1, 0]


@pytest.mark.parametrize(
    "change", [{"columns": 7}, {"rows": 0}, {"deployment": 9}, {"setup": {}}, {"setup": {"a1": ["monkey"]}},
               {"setup": {"a9": ["monkey", "falcon"]}}, {"setup": {"a9": ["wizard"]}}, {"colour": "red"}],
)  # fmt: skip
def test_s24_a_wrong_board_is_refused(change: dict[str, Any]) -> None:
    board = {"columns": 8, "rows": 12, "elevation": 2, "deployment": 2, "setup": {"a9": ["monkey"]}, **change}
    with pytest.raises(MalformedAction):
        GAME.start({"players": {"ann": "A", "ben": "B"}, "board": board})


# -- movement (S5, S9, S10, S17, S18) -------------------------------------------------------------------------


def test_s5_friends_are_passed_and_not_stood_upon() -> None:
    state = field(ann="monkey c7, builder c6")
    assert on(go(state, "ann-monkey-1", "c6", "c5"), "ann-monkey-1") == "c5"
    assert no(state, "ann-monkey-1", "c6") == "S5"


def test_s5_enemies_are_not_passed() -> None:
    assert no(field(ann="monkey c7", ben="builder c6"), "ann-monkey-1", "c6", "c5") == "S5"


def test_s5_steps_lead_to_neighbours_diagonally_only_where_agreed() -> None:
    assert no(field(ann="monkey c7"), "ann-monkey-1", "d6") == "S5"
    state = field(ann="monkey c7", options={"steps": "diagonal_too"})
    assert on(go(state, "ann-monkey-1", "d6"), "ann-monkey-1") == "d6"


def test_s9_nobody_enters_the_own_elevation_zone() -> None:
    assert no(field(ann="monkey c10"), "ann-monkey-1", "c11") == "S9"


def test_s9_in_the_enemys_elevation_zone_a_piece_is_frozen_where_it_entered() -> None:
    state = field(minerals="a h8", ann="monkey c3, builder h9", ben="builder h5")
    assert no(state, "ann-monkey-1", "c2", "c1") == "S9"
    state = go(state, "ann-monkey-1", "c2")
    assert state.pieces["ann-monkey-1"].elevated
    assert no(state, "ann-monkey-1", "c1") == "S9"


def test_s9_a_path_that_leaves_the_elevation_zone_and_comes_back_is_refused() -> None:
    state = field(minerals="a h8", ann="monkey c3, builder h9", ben="builder h5")
    assert no(state, "ann-monkey-1", "c2", "c3", "c2") == "S9"


def test_s9_a_square_of_the_elevation_zone_takes_one() -> None:
    state = field(ann="monkey c3, monkey c2, builder h9")
    assert no(state, "ann-monkey-1", "c2") == "S9"


def test_s9_gods_are_barred() -> None:
    assert no(field(ann="taker c3"), "ann-taker-1", "c2") == "S9"


def test_s10_a_god_goes_to_any_square_of_an_adjacent_hyper_square_once_a_turn() -> None:
    state = field(ann="taker c7, monkey h9", ben="monkey h3")  # hyper-square c7 d7 c8 d8
    for square in ("a7", "b8", "e7", "f8", "c5", "d6"):
        assert on(go(state, "ann-taker-1", square), "ann-taker-1") == square
    for square in ("d7", "d8", "a5", "e5", "g7"):
        assert no(state, "ann-taker-1", square) == "S10"
    assert no(go(state, "ann-taker-1", "a7"), "ann-taker-1", "c7") == "S10"
    assert go(state, "ann-taker-1", "a7").points == 3


def test_s10_walls_and_enemies_block_a_gods_way_and_friends_do_not() -> None:
    wall = frozenset({(NAMES["b7"], NAMES["c7"]), (NAMES["b8"], NAMES["c8"])})
    state = field(ann="taker c7, monkey h9", ben="monkey h3")
    assert no(replace(state, walls=wall), "ann-taker-1", "a7") == "S10"
    enemies = field(ann="taker c7", ben="monkey c6, martyr d6, builder h3")
    assert no(enemies, "ann-taker-1", "c5") == "S10"
    friends = field(ann="taker c7, monkey c6, martyr d6", ben="builder h3")
    assert on(go(friends, "ann-taker-1", "c5"), "ann-taker-1") == "c5"


def test_s17_a_cheetah_runs_two_squares_a_point_straight_and_even() -> None:
    state = field(ann="cheetah c8", ben="monkey h3")
    state = go(state, "ann-cheetah-1", "c7", "c6", run=True)
    assert state.points == 3
    assert no(state, "ann-cheetah-1", "c5", run=True) == "S17"
    assert no(state, "ann-cheetah-1", "c5", "d5", run=True) == "S17"


def test_s17_who_has_run_does_nothing_else_and_stays_in_the_axis() -> None:
    state = go(field(ann="cheetah c8", ben="monkey h3"), "ann-cheetah-1", "c7", "c6", run=True)
    assert no(state, "ann-cheetah-1", "c5") == "S17"
    assert no(state, "ann-cheetah-1", "d6", "e6", run=True) == "S17"
    assert go(state, "ann-cheetah-1", "c7", "c8", run=True).points == 2


def test_s17_who_has_walked_does_not_run() -> None:
    state = go(field(ann="cheetah c8", ben="monkey h3"), "ann-cheetah-1", "c7")
    assert no(state, "ann-cheetah-1", "c6", "c5", run=True) == "S17"


@pytest.mark.parametrize(
    ("kind", "path"), [("monkey", ["c7", "c6"]), ("falcon", ["c7", "c6"]), ("taker", ["c6"]), ("builder", ["c7"])]
)
def test_s17_only_cheetahs_run(kind: str, path: list[str]) -> None:
    assert no(field(ann=f"{kind} c8"), f"ann-{kind}-1", *path, run=True) == "S17"


def test_s18_a_falcon_flies_over_a_character_and_pays_only_for_climbing() -> None:
    state = field(ann="falcon c8, monkey c7", ben="monkey h3")
    assert go(state, "ann-falcon-1", "c7", "c6").points == 3


def test_s18_flights_chain_and_end_on_an_empty_square() -> None:
    state = field(ann="falcon c8, monkey c7", ben="monkey c6, martyr h3")
    assert go(state, "ann-falcon-1", "c7", "c6", "c5").points == 2
    assert no(state, "ann-falcon-1", "c7", "c6") == "S18"
    first = replace(state, options={**state.options, "falcon_chain": "first_piece"})
    assert go(first, "ann-falcon-1", "c7", "c6", "c5").points == 3


@pytest.mark.parametrize(
    ("goal", "pieces", "cost"),
    [
        ("d8", {"ann": "falcon d6, builder d7", "ben": "monkey h3"}, 1),
        ("a2", {"ann": "falcon b4, builder b3, martyr a3", "ben": "monkey h3"}, 2),
        ("d6", {"ann": "falcon d8, builder d7, martyr e8", "ben": "monkey h3"}, 1),
    ],
)
def test_s18_of_several_flights_to_a_square_the_one_that_costs_least_is_listed(
    goal: str, pieces: dict[str, str], cost: int
) -> None:
    """Onto the builder for one point, and down for nothing: a way round costs more."""
    state = field(**pieces)  # type: ignore[arg-type]
    listed = [a for a in GAME.moves(state, "ann") if a.type == "move" and a.data["piece"] == "ann-falcon-1"]
    left = [GAME.apply(state, a).points for a in listed if a.data["path"][-1] == goal]
    assert left == [4 - cost]


def test_s18_a_falcon_kills_where_it_comes_straight() -> None:
    state = field(ann="falcon c8, falcon h9", ben="monkey c7, martyr h3")
    state = go(state, "ann-falcon-1", "c7")
    assert on(state, "ben-monkey-1") is None
    assert state.points == 2


def test_s18_walls_do_not_stop_a_falcon_and_stop_others() -> None:
    wall = frozenset({(NAMES["c7"], NAMES["c8"])})
    state = replace(field(ann="falcon c8, monkey d8", ben="monkey h3"), walls=wall)
    assert on(go(state, "ann-falcon-1", "c7"), "ann-falcon-1") == "c7"
    assert no(replace(state, walls=frozenset({(NAMES["d7"], NAMES["d8"])})), "ann-monkey-1", "d7") == "S15"


@pytest.mark.parametrize(("choice", "rule"), [("may_land", None), ("may_not_land", "S26")])
def test_s26_whether_a_mineral_keeps_a_falcon_off_a_square(choice: str, rule: str | None) -> None:
    state = field(minerals="b c7", options={"falcon_on_mineral": choice}, ann="falcon c8", ben="monkey h3")
    if rule is None:
        assert on(go(state, "ann-falcon-1", "c7"), "ann-falcon-1") == "c7"
    else:
        assert no(state, "ann-falcon-1", "c7") == rule


# -- kills and sacrifices (S6-S8, S11, S13, S14, S16, S25) -------------------------------------------------------


def test_s6_killing_costs_one_point_more_and_the_killer_may_go_on() -> None:
    """The text's example: two points to come to the builder's square, a third one to kill it."""
    state = field(minerals="b h4", ann="monkey c8, builder h9", ben="builder c6, builder h3, monkey g3")
    state = go(state, "ann-monkey-1", "c7", "c6")
    assert (on(state, "ben-builder-1"), state.points) == (None, 1)
    assert go(state, "ann-monkey-1", "c5").points == 0


def test_s6_no_kill_without_the_point_for_it() -> None:
    state = field(points=2, ann="monkey c8, builder h9", ben="builder c6")
    assert no(state, "ann-monkey-1", "c7", "c6") == "S4"


def test_s7_an_identical_character_is_given_up_at_once() -> None:
    state = field(ann="builder c7, monkey h9, monkey g9", ben="monkey c6, martyr h3")
    state = go(state, "ann-builder-1", "c6")
    assert state.pending is not None
    assert state.pending.choices == ("ann-monkey-1", "ann-monkey-2")
    assert refused(GAME, state, "ann", "end").rule == "S7"
    assert refused(GAME, state, "ann", "choose", piece="ann-builder-1").rule == "S7"
    assert refused(GAME, state, "ben", "choose", piece="ann-monkey-1").rule == "S8"
    state = act(GAME, state, "ann", "choose", piece="ann-monkey-2")
    assert len(state.alive(0)) == 2
    assert len(state.alive(1)) == 1


def test_s8_where_no_identical_character_is_left_the_opponent_chooses() -> None:
    state = field(ann="builder c7, monkey h9", ben="falcon c6, martyr h3")
    state = go(state, "ann-builder-1", "c6")
    assert GAME.waiting is not None
    assert GAME.waiting(state) == ("ben",)
    assert on(act(GAME, state, "ben", "choose", piece="ann-builder-1"), "ann-builder-1") is None


def test_s11_the_taker_lets_its_side_give_up_anybody() -> None:
    state = field(ann="taker c7, monkey h9, builder g9", ben="falcon c6, martyr h3")
    state = go(state, "ann-taker-1", "c6")
    assert state.pending is not None
    assert set(state.pending.choices) == {"ann-taker-1", "ann-monkey-1", "ann-builder-1"}


def test_s16_a_martyr_may_replace_any_sacrifice() -> None:
    state = field(ann="builder c7, monkey h9, martyr g9", ben="monkey c6, martyr h3")
    state = go(state, "ann-builder-1", "c6")
    assert on(act(GAME, state, "ann", "choose", piece="ann-martyr-1"), "ann-martyr-1") is None


def test_s14_a_fanatic_that_kills_is_itself_the_sacrifice() -> None:
    state = field(ann="fanatic c7, monkey h9, martyr g9", ben="monkey c6, martyr h3")
    state = go(state, "ann-fanatic-1", "c6")
    assert state.pending is None
    assert (on(state, "ann-fanatic-1"), on(state, "ben-monkey-1")) == (None, None)


def test_s14_who_kills_a_fanatic_may_give_up_a_martyr() -> None:
    state = field(ann="monkey c7, fanatic h9, martyr g9", ben="fanatic c6, martyr h3")
    state = go(state, "ann-monkey-1", "c6")
    assert state.pending is not None
    assert set(state.pending.choices) == {"ann-fanatic-1", "ann-martyr-1"}


def attacked_immortal() -> SacrificeState:
    return go(field(ann="monkey c8, immortal h9, falcon g9", ben="immortal c6, falcon h3, builder g3"), "ann-monkey-1",
              "c7", "c6")  # fmt: skip


def test_s13_the_immortals_owner_is_asked_and_nothing_has_happened_yet() -> None:
    state = attacked_immortal()
    assert GAME.waiting is not None
    assert GAME.waiting(state) == ("ben",)
    assert refused(GAME, state, "ann", "immortal", choice="accept").rule == "S13"
    assert (on(state, "ben-immortal-1"), on(state, "ann-monkey-1"), state.points) == ("c6", "c8", 4)


def test_s13_cancelled_another_dies_and_the_attacker_makes_the_same_sacrifice() -> None:
    state = act(GAME, attacked_immortal(), "ben", "immortal", choice="cancel")
    assert refused(GAME, state, "ben", "choose", piece="ben-immortal-1").rule == "S7"
    state = act(GAME, state, "ben", "choose", piece="ben-falcon-1")
    assert (on(state, "ann-falcon-1"), on(state, "ann-monkey-1"), state.points) == (None, "c8", 4)
    assert not state.moved


def test_s13_accepted_the_sacrifice_is_an_ordinary_one() -> None:
    state = act(GAME, attacked_immortal(), "ben", "immortal", choice="accept")
    assert (on(state, "ben-immortal-1"), on(state, "ann-immortal-1"), on(state, "ann-monkey-1")) == (None, None, "c6")
    assert state.points == 1


def test_s14_an_immortal_cannot_cancel_against_a_fanatic() -> None:
    state = go(field(ann="fanatic c7, monkey h9", ben="immortal c6, falcon h3"), "ann-fanatic-1", "c6")
    assert (on(state, "ben-immortal-1"), on(state, "ann-fanatic-1"), state.pending) == (None, None, None)


@pytest.mark.parametrize(
    ("choice", "choices"), [("safe", ["ann-monkey-2"]), ("may_be_sacrificed", ["ann-monkey-1", "ann-monkey-2"])]
)
def test_s25_an_elevated_piece_is_sacrificed_only_where_agreed(choice: str, choices: list[str]) -> None:
    state = field(
        options={"elevated_pieces": choice}, ann="monkey a1, monkey h9, builder c7", ben="monkey c6, falcon h3"
    )
    after = go(state, "ann-builder-1", "c6")
    given = [n for n in ("ann-monkey-1", "ann-monkey-2") if on(after, n) is None]
    assert given == choices if after.pending is None else list(after.pending.choices) == choices


# -- emissary (S12), walls (S15), minerals (S19, S20) ------------------------------------------------------------


def test_s12_the_emissary_gives_its_square_to_a_dead_character_moved_before_or_not() -> None:
    state = field(ann="emissary c7, monkey, builder h9", ben="falcon h3, builder g3", minerals="b h5")
    assert s12_revivable(state, 0) == ["ann-monkey-1"]
    state = act(GAME, go(state, "ann-emissary-1", "e7"), "ann", "revive", piece="ann-monkey-1")
    assert (on(state, "ann-monkey-1"), on(state, "ann-emissary-1")) == ("e7", None)
    assert on(go(state, "ann-monkey-1", "e6"), "ann-monkey-1") == "e6"
    assert refused(GAME, state, "ann", "revive", piece="ann-emissary-1").rule == "S12"


def test_s12_only_the_dead_come_back() -> None:
    assert refused(GAME, FULL, "ann", "revive", piece="ann-monkey-1").rule == "S12"


def build(state: SacrificeState, edge: str) -> SacrificeState:
    built: SacrificeState = act(GAME, state, "ann", "wall", edge=edge)
    return built


def test_s15_a_wall_stands_beside_a_builder_for_good_and_costs_nothing() -> None:
    state = build(field(ann="builder c7", ben="monkey h3"), "c6-c7")
    assert (state.walls_left, state.points) == ((2, 3), 4)
    assert refused(GAME, state, "ann", "wall", edge="c6-c7").rule == "S15"
    assert no(state, "ann-builder-1", "c6") == "S15"


@pytest.mark.parametrize("edge", ["c6-c7", "d6-d7", "c6-d6"])
def test_s15_three_types_of_contact(edge: str) -> None:
    """Along the square, going on from its side, or standing off from its corner."""
    assert len(build(field(ann="builder c7", ben="monkey h3"), edge).walls) == 1


def test_s15_no_wall_without_contact() -> None:
    state = field(ann="builder c7", ben="monkey h3")
    assert refused(GAME, state, "ann", "wall", edge="f5-f6").rule == "S15"
    sides = field(options={"wall_contact": "side"}, ann="builder c7", ben="monkey h3")
    assert refused(GAME, sides, "ann", "wall", edge="d6-d7").rule == "S15"


def test_s15_up_to_the_orange_line_and_not_beyond() -> None:
    assert build(field(ann="builder c5", ben="monkey h3"), "c4-c5").walls
    state = field(ann="builder c4", ben="monkey h3")
    assert refused(GAME, state, "ann", "wall", edge="c4-d4").rule == "S15"


def test_s15_not_in_contact_with_an_elevation_zone() -> None:
    state = field(ann="builder c10", ben="monkey h3")
    assert refused(GAME, state, "ann", "wall", edge="c10-d10").rule == "S15"
    assert build(state, "c9-c10").walls


def test_s15_two_walls_may_touch_and_never_three() -> None:
    state = build(build(field(ann="builder c7", ben="monkey h3"), "c6-c7"), "c7-d7")
    assert refused(GAME, state, "ann", "wall", edge="c7-c8").rule == "S15"


def test_s1_three_walls_and_no_more() -> None:
    state = replace(field(ann="builder c7", ben="monkey h3"), walls_left=(0, 3))
    assert refused(GAME, state, "ann", "wall", edge="c6-c7").rule == "S1"


def test_s4_no_wall_takes_the_point_of_the_move_that_a_turn_must_have() -> None:
    state = field(points=2, options={"wall_cost": "one_point"}, ann="builder c7, monkey a8", ben="monkey h4")
    state = build(state, "c6-c7")
    assert refused(GAME, state, "ann", "wall", edge="b7-c7").rule == "S4"
    assert refused(GAME, state, "ann", "end").rule == "S4"
    moved = go(field(points=2, options={"wall_cost": "one_point"}, ann="builder c7, monkey a8"), "ann-monkey-1", "a7")
    assert build(moved, "c6-c7").points == 0


@pytest.mark.parametrize("edge", ["c6", "c6-e6", "h7-a8", "c6-c8", "x1-x2"])
def test_s15_a_wall_lies_between_two_neighbours(edge: str) -> None:
    assert refused(GAME, field(ann="builder c7"), "ann", "wall", edge=edge).rule == "S15"


def test_s19_carrying_is_free_and_the_mineral_lies_where_it_is_laid_down() -> None:
    state = field(minerals="a c8", ann="monkey c8, builder h9", ben="monkey h3")
    state = go(state, "ann-monkey-1", "c7", "c6", mineral="a-1", drop="c7")
    assert (state.board.name(state.minerals["a-1"].square), on(state, "ann-monkey-1"), state.points) == ("c7", "c6", 2)


def test_s19_a_mineral_is_taken_from_a_friend_on_the_way() -> None:
    state = field(minerals="a c7", ann="monkey c8, builder c7", ben="monkey h3")
    state = go(state, "ann-monkey-1", "c7", "c6", mineral="a-1", take="c7")
    assert state.board.name(state.minerals["a-1"].square) == "c6"


def test_s19_a_mineral_is_fetched_from_a_friend_or_brought_to_it_and_the_carrier_is_back_where_it_was() -> None:
    """A friend is passed (S5), its mineral taken or one left with it when one likes: nobody ends on its square."""
    state = field(minerals="a c7, a c8", ann="monkey c8, builder c7", ben="monkey h3")
    fetched = go(state, "ann-monkey-1", "c7", "c8", mineral="a-1", take="c7")
    assert [fetched.board.name(m.square) for m in fetched.minerals.values()] == ["c8", "c8"]
    brought = go(state, "ann-monkey-1", "c7", "c8", mineral="a-2", drop="c7")
    assert [brought.board.name(m.square) for m in brought.minerals.values()] == ["c7", "c7"]
    assert (on(brought, "ann-monkey-1"), brought.points, brought.moved) == ("c8", 2, True)
    assert GAME.outcome(brought) is None


def test_s19_every_way_to_hand_a_mineral_over_in_passing_is_listed() -> None:
    """Two points: the monkey on c8 may pass its builder on c7, of which each holds a mineral."""
    state = field(points=2, minerals="a c7, a c8", ann="monkey c8, builder c7", ben="monkey h3")
    listed = [a.data for a in GAME.moves(state, "ann") if a.data.get("piece") == "ann-monkey-1"]
    handed = {(d["path"][-1], d["mineral"], d.get("take"), d.get("drop")) for d in listed if "take" in d or "drop" in d}
    ends = ("b7", "d7", "c6", "c8")
    assert handed == {(e, "a-1", "c7", None) for e in ends} | {(e, "a-2", None, "c7") for e in ends}


def test_s20_a_mineral_taken_in_passing_is_laid_beside_the_square_by_which_its_carrier_enters() -> None:
    state = field(minerals="a c3", ann="monkey c4, builder c3", ben="monkey h3")
    listed = [a.data for a in GAME.moves(state, "ann") if a.data.get("take") and a.data["path"] == ["c3", "c2"]]
    assert {d["put"] for d in listed} == {"b2", "d2", "c1"}


def test_s19_a_friend_with_two_minerals_takes_no_third() -> None:
    state = field(minerals="a c7, b c7, a c8", ann="monkey c8, builder c7", ben="monkey h3")
    listed = [a.data for a in GAME.moves(state, "ann") if a.data.get("piece") == "ann-monkey-1"]
    assert not [d for d in listed if d.get("drop")]
    assert [d for d in listed if d.get("take")]


@pytest.mark.parametrize("carried", [{}, {"mineral": "a-1"}])
def test_s4_who_comes_back_with_nothing_changed_has_not_moved(carried: dict[str, str]) -> None:
    state = field(minerals="a c8", ann="monkey c8, builder c7", ben="monkey h3")
    assert no(state, "ann-monkey-1", "c7", "c8", **carried) == "S4"


def test_s19_only_humans_and_monkeys_carry_and_only_their_own_minerals() -> None:
    state = field(minerals="a c8, b d8", ann="falcon c8, monkey d8", ben="monkey h3")
    assert no(state, "ann-falcon-1", "c7", mineral="a-1") == "S14"
    assert no(state, "ann-monkey-1", "d7", mineral="b-2") == "S19"
    assert no(state, "ann-monkey-1", "d7", mineral="a-1") == "S19"


def test_s19_at_most_two_minerals_on_a_square() -> None:
    state = field(minerals="a c8, a c7, b c7", ann="monkey c8, builder h9", ben="monkey h3")
    assert no(state, "ann-monkey-1", "c7", mineral="a-1") == "S19"
    assert on(go(state, "ann-monkey-1", "c7"), "ann-monkey-1") == "c7"


def test_s20_a_carrier_lays_its_mineral_beside_it_in_the_elevation_zone() -> None:
    state = field(minerals="a c3", ann="monkey c3, builder h9", ben="monkey h3")
    assert no(state, "ann-monkey-1", "c2", mineral="a-1") == "S20"
    assert no(state, "ann-monkey-1", "c2", mineral="a-1", put="c3") == "S20"
    state = go(state, "ann-monkey-1", "c2", mineral="a-1", put="d2")
    assert state.minerals["a-1"] == Mineral(0, NAMES["d2"], elevated=True)


def test_s20_without_a_free_square_beside_it_the_mineral_stays_outside() -> None:
    state = field(minerals="a c3", ann="monkey c3, monkey b2, falcon d2, martyr c1, builder h9", ben="monkey h3")
    assert no(state, "ann-monkey-1", "c2", mineral="a-1") == "S20"
    assert state.minerals["a-1"] == go(state, "ann-monkey-1", "c2").minerals["a-1"]


# -- the end (S21-S23) --------------------------------------------------------------------------------------------


def test_s21_three_races_elevated_win_at_once() -> None:
    state = field(minerals="a a1", ann="monkey a2, builder c3", ben="monkey h3")
    state = replace(state, minerals={"a-1": Mineral(0, NAMES["a1"], elevated=True)})
    state = go(state, "ann-builder-1", "c2")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winner == "ann"
    assert refused(GAME, state, "ann", "end").rule == "S21"


def test_s9_several_of_one_race_may_be_elevated_and_do_not_win() -> None:
    state = field(minerals="a h9, b h3", ann="monkey a2, monkey c3, builder h9", ben="monkey g3, builder f3")
    assert GAME.outcome(go(state, "ann-monkey-2", "c2")) is None


@pytest.mark.parametrize(
    ("ann", "minerals", "can"),
    [
        ("monkey c5, builder d5", "a h9", True),
        ("falcon c5", "a h9", False),
        ("monkey c5, builder", "a h9", False),
        ("monkey c5, builder, emissary d5", "a h9", True),
        ("falcon c5, cheetah d5, emissary e5, builder", "a h9", True),
        ("emissary c5, builder, monkey", "a h9", False),
        ("emissary c5, emissary d5, builder, monkey", "a h9", True),
        ("emissary c5, emissary d5, builder, falcon, monkey d6", "a h9", True),
        ("emissary c5, emissary d5, builder, martyr", "a h9", False),
        ("emissary c5, emissary, builder, monkey", "a h9", False),
        ("monkey c5, builder d5", "", False),
    ],
)
def test_s22_whether_a_side_can_still_win(ann: str, minerals: str, can: bool) -> None:
    assert s21_can_win(field(minerals=minerals, ann=ann, ben="monkey h3"), 0) is can


def test_s21_a_draw_is_proved_even_at_two_races_to_none() -> None:
    state = field(minerals="a h9", ann="monkey a2, falcon c5", ben="falcon c6")
    assert s21_after(state, 0).result == "draw_proved"


def test_s21_a_draw_can_be_agreed_by_both() -> None:
    state = act(GAME, FULL, "ann", "draw")
    assert GAME.outcome(state) is None
    assert refused(GAME, state, "ann", "draw").rule == "S21"
    outcome = GAME.outcome(act(GAME, state, "ben", "draw"))
    assert outcome is not None
    assert (outcome.winner, outcome.winners, outcome.drawn) == (None, (), True)


def test_s21_an_offer_of_a_draw_lapses_with_the_next_move() -> None:
    state = act(GAME, FULL, "ben", "draw")
    assert go(state, "ann-martyr-1", "a8").offers == frozenset()
