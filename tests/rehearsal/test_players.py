"""The simulated players: a whole match with a tracker that cannot err, through referee and journal."""

from __future__ import annotations

import random

import pytest

from calibration.board import default_board_path, load_board
from companion.players import Pawn, Player
from companion.rehearsal import Players, shot_asked_about
from companion.rehearsal_match import MatchReport, Rehearsal
from tests.rehearsal.true_tracker import TrueTracker

BOARD = load_board(default_board_path())
SCORE = {"doors": [{"name": d.name, "team": d.team, "key": True, "held_by": None} for d in BOARD.doors],
         "players": [{"team": t.name, "captured": []} for t in BOARD.teams], "immune": [], "reefs": []}  # fmt: skip


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> MatchReport:
    rehearsal = Rehearsal(tmp_path_factory.mktemp("match"), default_board_path(), seed=1, size=(192, 108), fps=10.0,
                          tracker=lambda board, table: TrueTracker(board, table, review=9))  # fmt: skip
    return rehearsal.play()


def test_two_players_play_a_match_to_four_points(match: MatchReport) -> None:
    assert match.ended == "won"
    assert match.winner is not None
    assert match.points[match.winner] >= 4
    assert all(p < 4 for t, p in match.points.items() if t != match.winner)


def test_every_flick_was_ruled(match: MatchReport) -> None:
    assert len(match.truth["shots"]) == match.flicks == match.scoreboard["shots"]


def test_a_mercenary_is_flicked_at_the_enemy_in_its_way() -> None:
    player = Player(BOARD, "red", random.Random(1))
    pawns = [Pawn("red-1", "red", "mercenary", 150, 230), Pawn("green-5", "green", "explorer", 300, 230)]
    order = player.flick(pawns, SCORE)
    assert (order["do"], order["puck"]) == ("flick", "red-1")
    assert abs(order["angle_deg"]) < 12


def test_an_explorer_with_both_keys_goes_for_the_gate() -> None:
    player = Player(BOARD, "red", random.Random(1))
    doors = [{**d, "key": d["team"] == "red", "held_by": None if d["team"] == "red" else "red"} for d in SCORE["doors"]]  # type: ignore[index, dict-item]
    pawns = [Pawn("red-4", "red", "explorer", 325, 180), Pawn("green-5", "green", "explorer", 560, 325)]
    order = player.flick(pawns, {**SCORE, "doors": doors})
    assert order["puck"] == "red-4"
    assert order["angle_deg"] == pytest.approx(90, abs=5)


def test_the_shot_asked_about_is_the_true_one_at_that_time() -> None:
    from tests.companion.paleo_table import PaleoTable

    table = PaleoTable().start()
    table.time_s = 12.0
    table.shot("red-3", needs_review=True, reasons=("a hand hid it",))
    shots = [{"shot": 1, "t_start": 3.0, "t_end": 5.0}, {"shot": 2, "t_start": 12.1, "t_end": 13.2}]
    assert shot_asked_about(table.state, {"shots": shots}) == shots[1]
    assert shot_asked_about(table.state, {"shots": shots[:1]}) is None, "nobody played then"
    assert shot_asked_about(None, {"shots": shots}) is None


def test_players_wait_while_a_hand_is_busy_or_a_puck_moves() -> None:
    players = Players(BOARD, 1)
    shown = {"phase": "lobby", "question": None, "pucks": []}
    pucks = {"red-1": ["red", 1, 88.0, 325.0]}
    assert players.step(shown, {"state": "still"}, {"busy": True, "pucks": pucks}, 0.0) == []
    assert players.step(shown, {"state": "shot"}, {"busy": False, "pucks": pucks}, 1.0) == []
    assert players.step(shown, {"state": "still"}, {"busy": False, "pucks": pucks}, 2.0) == []
    assert [a.name for a in players.step(shown, {"state": "still"}, {"busy": False, "pucks": pucks}, 3.0)] == [
        "new_match"
    ]


def playing(turn: str, lying: dict[str, list[object]], **more: object) -> tuple[dict[str, object], dict[str, object]]:
    """A scoreboard in mid-round as the players see it, and their table."""
    shown = {"phase": "playing", "question": None, "turn": turn, "pucks": [], "todo": [], "match": 1, **SCORE, **more}
    return shown, {"busy": False, "pucks": lying, "shots": []}


def acts_of(players: Players, shown: dict[str, object], table: dict[str, object], start_s: float = 0.0) -> list[object]:
    """What the players do once they have looked long enough."""
    for step in range(40):
        acts = players.step(shown, {"state": "still", "pucks": []}, table, start_s + step * 0.5)
        if acts:
            return list(acts)
    return []


def test_a_side_whose_pawns_are_all_off_the_board_puts_one_back() -> None:
    """The camera took a lifted pawn for another one: people put that right, they do not wait for ever."""
    shown, table = playing("green", {"red-1": ["red", 1, 88.0, 325.0]})
    (act,) = acts_of(Players(BOARD, 1), shown, table)
    assert act.data["do"] == "place"  # type: ignore[attr-defined]
    assert act.data["puck"] == "green-1"  # type: ignore[attr-defined]


def test_a_captured_pawn_is_known_by_where_it_lies_not_by_its_name() -> None:
    lies = {"puck": "green-4", "team": "green", "number": 4, "x_mm": 400.0, "y_mm": 200.0, "captured": True}
    shown, table = playing("green", {"green-5": ["green", 5, 400.0, 200.0], "green-4": ["green", 4, 300.0, 500.0],
                                     "red-1": ["red", 1, 88.0, 325.0]}, pucks=[lies])  # fmt: skip
    (act,) = acts_of(Players(BOARD, 1), shown, table)
    assert (act.data["do"], act.data["puck"]) == ("flick", "green-4")  # type: ignore[attr-defined]


def test_an_answer_that_is_refused_again_and_again_is_followed_by_another() -> None:
    choices = [{"value": v} for v in ("as_seen", "replay", "ignore")]
    asked = {"id": "7:review:shot", "kind": "review", "choices": choices, "seen": {}}
    shown, table = playing("red", {"red-1": ["red", 1, 88.0, 325.0]}, question=asked)
    players, given = Players(BOARD, 1), []
    for turn in range(6):
        (act,) = acts_of(players, shown, table, turn * 100.0)
        given.append(act.data["choice"])  # type: ignore[attr-defined]
    assert given[:3] == ["as_seen"] * 3
    assert set(given[3:]) == {"as_seen", "replay", "ignore"}
