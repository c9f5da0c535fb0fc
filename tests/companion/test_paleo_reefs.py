"""Reefs held against the rules of placing, as the camera sees them: notices, never a block."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import paleo
from companion.games.base import Action, MalformedAction
from tests.companion.paleo_table import BOARD, PaleoTable

# five a side, well apart, two or more of each side's in its own half, outside all lines
GOOD = [
    ("red", 200.0, 470.0, 0.0), ("red", 240.0, 170.0, 90.0), ("red", 300.0, 80.0, 0.0), ("red", 420.0, 100.0, 90.0),
    ("red", 420.0, 560.0, 0.0),
    ("green", 450.0, 470.0, 0.0), ("green", 410.0, 185.0, 90.0), ("green", 350.0, 500.0, 90.0),
    ("green", 250.0, 560.0, 0.0), ("green", 180.0, 210.0, 90.0),
]  # fmt: skip


def reefs(placed: list[tuple[str, float, float, float]]) -> list[dict[str, Any]]:
    return [{"team": t, "x_mm": x, "y_mm": y, "angle_deg": a} for t, x, y, a in placed]


def amiss(placed: list[tuple[str, float, float, float]], **options: Any) -> list[tuple[str, list[str]]]:
    """What is told of these reefs."""
    table = PaleoTable(options=options)
    table.apply("reefs", t=1.0, reefs=reefs(placed))
    return [(n["en"], n["rules"]) for n in paleo.GAME.view(table.state)["reef_notices"]]


def moved(index: int, *to: Any) -> list[tuple[str, float, float, float]]:
    return [*GOOD[:index], (GOOD[index][0], *to), *GOOD[index + 1 :]]


def test_reefs_that_lie_well_are_not_worth_a_word() -> None:
    assert amiss(GOOD) == []


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 9])
def test_p8_reefs_that_are_being_placed_in_order_are_fine_whoever_begins(count: int) -> None:
    turns = [0, 1, 1, 0, 0, 1, 1, 0, 0, 1]
    for first in ("red", "green"):
        second = "green" if first == "red" else "red"
        queues = {t: [r for r in GOOD if r[0] == t] for t in ("red", "green")}
        placed = [queues[(first, second)[turn]].pop(0) for turn in turns[:count]]
        assert amiss(placed) == []


def test_p8_two_at_once_at_the_start_are_told() -> None:
    assert [rules for _, rules in amiss(GOOD[:2])] == [["P6", "P8"]]


def test_p6_a_sixth_reef_is_told() -> None:
    told = amiss([*GOOD, ("red", 60.0, 120.0, 0.0)])
    assert any("Red 6 and Green 5" in text and "P8" in rules for text, rules in told)


def test_p25_a_reef_inside_the_line_around_a_camp_is_told() -> None:
    x, y, r = next(z.circle for z in BOARD.zones_of_kind("no_reef") if z.circle and z.circle[0] < 200)
    assert amiss(moved(0, x + r - 10, y, 90.0)) == [
        ("A reef of Red lies 16 mm inside a line within which no reef may be placed.", ["P25"])
    ]


def test_p25_a_reef_that_touches_the_line_within_the_cameras_error_is_let_be() -> None:
    x, y, r = next(z.circle for z in BOARD.zones_of_kind("no_reef") if z.circle and z.circle[0] < 200)
    assert BOARD.reef is not None
    assert amiss(moved(0, x + r + BOARD.reef.width_mm / 2 - 1.5, y, 90.0)) == []


def test_p25_a_corner_of_a_line_that_reaches_under_a_reefs_side_is_told() -> None:
    """None of the reef's own corners lies within the line then."""
    zone = next(z.polygon for z in BOARD.zones_of_kind("no_reef") if z.polygon and z.polygon[0] == (0.0, 0.0))
    x, y = zone[2]
    assert amiss([("red", x - 1.85, y - 0.77, 112.5)]) == [
        ("A reef of Red lies 7 mm inside a line within which no reef may be placed.", ["P25"])
    ]
    assert amiss([("red", x + 4.2, y + 1.7, 112.5)]) == []  # its side lies 1.5 mm within: the camera may err by that


def test_p26_reefs_that_are_told_to_lie_crosswise_are_not_apart() -> None:
    told = amiss([("red", 300.0, 100.0, 0.0), ("green", 300.0, 100.0, 90.0)])
    assert told == [("A reef of Red and one of Green are 0 mm apart; a pawn and a half is 42 mm.", ["P26"])]


def test_p39_reefs_in_advanced_camps_are_an_option() -> None:
    zone = BOARD.zones_of_kind("advanced_camp")[0]
    x, y = zone.circle[:2] if zone.circle else zone.polygon[0]  # type: ignore[index]
    placed = [("red", x, y, 0.0)]
    assert amiss(placed) == []
    assert [rules for _, rules in amiss(placed, reefs_in_advanced_camps="forbidden")] == [["P25"]]


def test_p26_two_reefs_closer_than_a_pawn_and_a_half_are_told() -> None:
    assert amiss([("red", 300.0, 80.0, 0.0), ("green", 300.0, 80.0 + 12 + 30.0, 0.0)]) == [
        ("A reef of Red and one of Green are 30 mm apart; a pawn and a half is 42 mm.", ["P26"])
    ]
    assert amiss([("red", 300.0, 80.0, 0.0), ("green", 300.0, 80.0 + 12 + 43.0, 0.0)]) == []


def test_p38_the_gap_by_a_pawns_thickness_is_an_option() -> None:
    assert amiss([("red", 300.0, 80.0, 0.0), ("green", 300.0, 122.0, 0.0)], reef_gap="thickness") == []


def test_p26_a_reef_close_to_the_edge_is_told() -> None:
    assert amiss(moved(2, 325.0, 40.0, 0.0)) == [
        ("A reef of Red is 34 mm from the board's edge; a pawn and a half is 42 mm.", ["P26"])
    ]


def test_p27_at_least_two_reefs_belong_in_the_own_half() -> None:
    away = [("red", 420.0, 240.0, 0.0), ("red", 430.0, 300.0, 0.0), ("red", 420.0, 100.0, 90.0),
            ("red", 420.0, 560.0, 0.0), ("red", 300.0, 80.0, 0.0)]  # fmt: skip
    told = amiss([*away, *[r for r in GOOD if r[0] == "green"]])
    assert ("Red has 1 reef in its own half; at least 2 belong there.", ["P27"]) in told


def test_what_is_amiss_is_told_when_the_round_begins_and_blocks_nothing() -> None:
    table = PaleoTable()
    table.apply("reefs", t=1.0, reefs=reefs(moved(2, 325.0, 40.0, 0.0)))
    table.start()
    assert table.state.phase == "playing"
    assert table.said("34 mm from the board's edge")


def test_reefs_seen_before_the_match_are_known_to_it() -> None:
    from tests.companion.paleo_table import SHEET

    state = paleo.start({"sheet": SHEET, "reefs": reefs(GOOD[:2])})
    assert len(state.reef_notices) == 1


def test_a_sheet_of_an_older_journal_without_reefs_says_nothing_of_them() -> None:
    from tests.companion.paleo_table import SHEET

    state = paleo.start({"sheet": {k: v for k, v in SHEET.items() if k != "reefs"}, "reefs": reefs(GOOD[:2])})
    assert state.reef_notices == ()


def test_p26_the_permanent_reefs_count_as_reefs() -> None:
    """The box's board has one whose east end lies at x, y: a reef 30 mm east of it is too close."""
    fixed = next(o for o in BOARD.obstacles if o.kind == "reef")
    east = max(x for x, _ in fixed.polygon)
    y = sum(py for _, py in fixed.polygon) / len(fixed.polygon)
    told = amiss([("red", east + 30.0 + 6.0, y, 90.0)])
    assert any("and a permanent one are" in text and rules == ["P26"] for text, rules in told)


def test_p26_every_reefs_narrowest_gap_is_shown_in_mm() -> None:
    table = PaleoTable()
    table.apply("reefs", t=1.0, reefs=reefs([("red", 300.0, 80.0, 0.0), ("green", 300.0, 122.0, 0.0)]))
    (one,) = paleo.GAME.view(table.state)["reef_gaps"]  # each is the other's nearest
    assert (one["mm"], one["least_mm"], one["legal"]) == (30.0, 42.0, False)
    assert sorted(y for _, y in one["line"]) == [86.0, 116.0]
    table.start()
    assert paleo.GAME.view(table.state)["reef_gaps"] == []


def test_p8_who_places_next_is_told() -> None:
    """Red lays 1, green 2, red 2, green 2, red 2, green 1."""
    table, seen = PaleoTable(), []
    order = [0, 5, 6, 1, 2, 7, 8, 3, 4, 9]  # of GOOD: five red, then five green
    for count in range(1, 11):
        table.apply("reefs", t=float(count), reefs=reefs([GOOD[n] for n in order[:count]]))
        told = paleo.GAME.view(table.state)["reef_order"]
        seen.append((told["team"], told["reefs"]) if told else None)
    assert seen == [
        ("green", 2), ("green", 1), ("red", 2), ("red", 1), ("green", 2), ("green", 1), ("red", 2), ("red", 1),
        ("green", 1), None,
    ]  # fmt: skip


def test_p8_a_reef_that_is_moved_during_the_round_is_told_once() -> None:
    table = PaleoTable()
    table.apply("reefs", t=1.0, reefs=reefs(GOOD))
    table.start()
    table.apply("reefs", t=2.0, reefs=reefs(moved(0, 205.0, 470.0, 0.0)))
    assert not table.said("moved during the round")
    for t in (3.0, 4.0):
        table.apply("reefs", t=t, reefs=reefs(moved(0, 230.0, 470.0, 0.0)))
    assert sum("moved during the round" in line.text.en for line in table.state.log) == 1
    assert table.state.log[-1].rules == ("P8",)


def test_p8_a_reef_hidden_by_a_hand_is_not_worth_a_word() -> None:
    table = PaleoTable()
    table.apply("reefs", t=1.0, reefs=reefs(GOOD))
    table.start()
    table.apply("reefs", t=2.0, reefs=reefs(GOOD[1:]))
    assert not table.said("moved during the round")


@pytest.mark.parametrize(
    ("kept", "to", "told"), [("asked", 230.0, False), ("kept", 230.0, True), ("kept", 200.0, False),
                             ("moved", 200.0, True), ("moved", 230.0, False)],
)  # fmt: skip
def test_p30_reefs_kept_or_moved_between_rounds_as_the_table_chose(kept: str, to: float, told: bool) -> None:
    table = PaleoTable(options={"reefs_kept": kept, "points_to_win": 6})
    table.apply("reefs", t=1.0, reefs=reefs(GOOD))
    table.start()
    for n in (1, 2, 3, 4, 5, 6, 7, 8):
        table.shot("red-8", touched=[f"green-{n}"], after={}) if table.state.turn == "red" else None
        if table.state.phase == "playing" and table.state.turn == "green":
            table.shot(f"green-{n + 1}")
    assert table.state.phase == "round_over"
    table.apply("reefs", t=2.0, reefs=reefs(moved(0, to, 470.0, 0.0)))
    table.set_up()
    table.start("red")
    assert any("P30" in line.rules for line in table.state.log) is told


# -- told by hand, without a camera -----------------------------------------------------------------------------


def by_hand(placed: list[tuple[str, float, float, float]], table: PaleoTable | None = None) -> PaleoTable:
    """A match kept by taps in which players have told these reefs."""
    table = table or PaleoTable(options={"kept_by": "taps"})
    table.apply("reefs_by_hand", reefs=reefs(placed))
    return table


def test_p8_reefs_told_by_hand_are_placed_1_2_2_2_2_1() -> None:
    table, whose = PaleoTable(options={"kept_by": "taps"}), []
    queues = {t: [r for r in GOOD if r[0] == t] for t in ("red", "green")}
    placed = [queues["red"].pop(0)]
    while len(placed) < len(GOOD):
        by_hand(placed, table)
        order = paleo.GAME.view(table.state)["reef_order"]
        whose.append((order["team"], order["reefs"]))
        placed = [*placed, queues[order["team"]].pop(0)]
    by_hand(placed, table)
    pair = [("green", 2), ("green", 1), ("red", 2), ("red", 1)]
    assert whose == [*pair, *pair, ("green", 1)]
    assert paleo.GAME.view(table.state)["reef_order"] is None
    assert paleo.GAME.view(table.state)["reef_notices"] == []


def test_p25_to_p27_reefs_told_by_hand_are_held_against_the_same_rules_as_those_a_camera_sees() -> None:
    x, y, r = next(z.circle for z in BOARD.zones_of_kind("no_reef") if z.circle and z.circle[0] < 200)
    wrong = [moved(0, x + r - 10, y, 90.0), GOOD[:2], moved(1, 205.0, 450.0, 0.0), moved(5, 60.0, 560.0, 90.0)]
    for placed in wrong:
        told = [(n["en"], n["rules"]) for n in paleo.GAME.view(by_hand(placed).state)["reef_notices"]]
        assert told == amiss(placed)
        assert told


def test_p8_reefs_are_told_by_hand_before_a_round_only_and_where_no_camera_sees_them() -> None:
    playing = by_hand(GOOD)
    playing.apply("start_round", begins="red")
    for table in (playing, PaleoTable()):
        error = paleo.GAME.legal(table.state, Action("reefs_by_hand", {"reefs": reefs(GOOD)}))
        assert error is not None
        assert error.rule == "P8"


@pytest.mark.parametrize("reef", [
    ("blue", 200.0, 470.0, 0.0), ("red", -1.0, 470.0, 0.0), ("red", 200.0, 9000.0, 0.0), ("red", 200.0, 470.0, 181.0),
])  # fmt: skip
def test_p6_a_reef_that_cannot_be_is_refused(reef: tuple[str, float, float, float]) -> None:
    table = PaleoTable(options={"kept_by": "taps"})
    before = table.state
    for told in (reefs([reef]), [{"team": "red"}], "all", reefs(GOOD + GOOD[:1])):
        error = paleo.GAME.legal(table.state, Action("reefs_by_hand", {"reefs": told}))
        assert isinstance(error, MalformedAction)
    assert table.state == before
