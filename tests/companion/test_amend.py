"""Earlier entries undone or told otherwise, in every game: the difference first, then everything after recomputed."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion import amend
from companion.games import GAMES
from companion.games.base import Action, IllegalMove, Json, MalformedAction
from companion.games.seats import told_entry
from companion.journal import Entry
from companion.scoreboard import Scorekeeper, fold, scoreboard
from tests.companion.paleo_table import SHEET
from tests.companion.random_setups import ALL_GAMES, random_setup
from tests.companion.test_tap import at, journal, warrior

PALEO = {"game": "paleo", "sheet": SHEET, "players": {"red": "Ann", "green": "Ben"}, "options": {"kept_by": "taps"}}


def paleo(*items: tuple[str, Json]) -> list[Entry]:
    """A match of Paleo kept by taps, red to begin, and what follows; the first shot is entry 3."""
    told = [("match_started", PALEO), ("round_started", {"begins": "red", "by": "table"}), *items]
    return [Entry(n, type, at(n), data) for n, (type, data) in enumerate(told, 1)]


def shot(flicked: str, *touched: str, **more: Any) -> tuple[str, Json]:
    return "shot_by_hand", {"flicked": flicked, "touched": list(touched), "by": "table", **more}


def after(entries: list[Entry], told: Json, seat: str | None = None) -> list[Entry]:
    """The journal once an amendment was accepted."""
    type, data = amend.proposal(entries, told, seat, "table")
    return [*entries, Entry(entries[-1].id + 1, type, at(59), data)]


def test_what_falls_away_is_said_before_anything_changes() -> None:
    entries = journal(warrior("ann", "a1"), warrior("ben", "b1"), warrior("ann", "c1"))
    told = {"of": 2, "type": "warrior", "data": {"square": "b1", "value": 1}}
    change = amend.difference(entries, amend.proposal(entries, told, "ann", "ann"), "ann")
    assert change["dropped"] == [3, 4], "Ben's Warrior had no square, and then it was not Ann's turn"
    assert set(change["after"]["warriors"]) == {"b1"}
    assert [line["en"] for line in change["dropped_lines"]] == ["Ben: a Warrior on b1.", "Ann: a Warrior on c1."]
    assert {"where": "turn", "before": "ben", "after": "ben"} not in change["changes"], "only what differs"
    assert len(fold(entries).state.warriors) == 3


def test_a_piece_that_stands_elsewhere_is_told_by_its_square() -> None:
    """Not by two long rows of all pieces, which read alike."""
    start = {"game": "sacrifice", "players": {"ann": "Ann", "ben": "Ben"}, "begins": "ann"}
    move = {"seat": "ann", "game": "sacrifice", "piece": "ann-monkey-1", "path": ["b8"]}
    entries = [Entry(1, "match_started", at(1), start), Entry(2, "move", at(2), move)]
    change = amend.difference(entries, amend.proposal(entries, {"of": 2, "undo": True}, "ann", "ann"), "ann")
    rows = {row["where"]: (row["before"], row["after"]) for row in change["changes"]}
    assert rows["pieces.ann-monkey-1.square"] == ("b8", "b9")
    assert "pieces" not in rows


def test_an_earlier_entry_is_undone_and_the_rest_is_played_on_it() -> None:
    """Both lay palisades; Ann takes her Warrior back, and keeps her turn: Ben's action falls away."""
    entries = journal(warrior("ann", "a1"), warrior("ben", "b1"))
    told = {"of": 2, "undo": True}
    change = amend.difference(entries, amend.proposal(entries, told, "ann", "ann"), "ann")
    assert change["dropped"] == [3]
    assert fold(after(entries, told, "ann")).state.warriors == {}


def test_a_correction_can_be_corrected_and_undone() -> None:
    entries = journal(
        warrior("ann", "a1"),
        ("correction", {"of": 2, "facts": {"type": "warrior", "data": {"square": "c2", "value": 2}}, "seat": "ann"}),
        ("correction", {"of": 2, "facts": {"type": "warrior", "data": {"square": "c3", "value": 2}}, "seat": "ann"}),
    )
    assert set(fold(entries).state.warriors) == {18}
    undone = [*entries, Entry(5, "undo", at(50), {"undoes": 4, "what": "correction"})]
    assert set(fold(undone).state.warriors) == {10}


def test_the_correction_of_an_entry_that_was_undone_is_nothing_to_undo() -> None:
    entries = journal(
        warrior("ann", "a1"),
        warrior("ben", "b1"),
        ("correction", {"of": 3, "facts": {"type": "warrior", "data": {"square": "c2", "value": 2}}, "seat": "ben"}),
        ("undo", {"undoes": 3, "what": "warrior", "by": "ben"}),
    )
    assert fold(entries).acts[-1] == (2, "warrior")
    kept = Scorekeeper(lambda last_id: [e for e in entries if e.id > last_id])
    assert kept.score == fold(entries)
    assert scoreboard(kept.score)["undoes"] == "warrior"


def test_only_an_own_action_is_amended() -> None:
    entries = journal(warrior("ann", "a1"))
    for seat in ("ben", None):
        with pytest.raises(IllegalMove, match="only that seat"):
            amend.proposal(entries, {"of": 2, "type": "pass", "data": {}}, seat, "ben")


@pytest.mark.parametrize("of", [1, 9, None, True, "2"])
def test_what_is_no_entry_of_the_match_is_not_amended(of: Any) -> None:
    with pytest.raises(IllegalMove):
        amend.proposal(journal(warrior("ann", "a1")), {"of": of, "undo": True}, "ann", "ann")


def test_what_would_not_have_been_legal_is_refused() -> None:
    entries = journal(warrior("ann", "a1"))
    item = amend.proposal(entries, {"of": 2, "type": "warrior", "data": {"square": "a1", "value": 9}}, "ann", "ann")
    with pytest.raises(IllegalMove, match="not have been legal"):
        amend.difference(entries, item, "ann")
    with pytest.raises(MalformedAction, match="seat is not told"):
        amend.proposal(entries, {"of": 2, "type": "warrior", "data": {"seat": "ben"}}, "ann", "ann")


def test_a_match_that_is_over_elsewhere_is_left_alone() -> None:
    entries = journal(warrior("ann", "a1"))
    entries.append(Entry(3, "match_started", at(30), {"game": "sacrifice", "players": {"ann": "Ann", "ben": "Ben"}}))
    assert amend.ledger(entries, "ann") == []
    with pytest.raises(IllegalMove, match="none of the match"):
        amend.proposal(entries, {"of": 2, "undo": True}, "ann", "ann")


# -- Paleo -------------------------------------------------------------------------------------------------


def test_a_paleo_shot_of_long_ago_is_told_otherwise() -> None:
    """Twelve shots ago red 8 did not touch green 4: it comes back, and all that came later stands."""
    entries = paleo(shot("red-8", "green-4"), *[shot(f"{t}-3") for _ in range(6) for t in ("green", "red")])
    told = {"of": 3, "facts": {"flicked": "red-8", "touched": []}}
    change = amend.difference(entries, amend.proposal(entries, told, None, "table"), None)
    assert change["dropped"] == []
    assert {"where": "players.red.captured", "before": "green-4", "after": ""} in change["changes"]
    assert [line["en"] for line in change["lines"]["gone"]] == [
        "Green Explorer 4 captured: touched directly by red Mercenary 8."
    ]
    assert fold(after(entries, told)).state.captured("green") == ()


def test_a_corrected_shot_of_an_earlier_round_undoes_the_round_that_followed() -> None:
    """Green's last pawn was not touched: the round goes on, and the start of the next one falls away."""
    takes = [shot("red-8", f"green-{n}") for n in (1, 2, 3, 4, 5, 6, 7)]
    items = [one for take in takes for one in (take, shot("green-8"))]
    entries = paleo(*items, shot("red-8", "green-8"), ("round_started", {"begins": "green"}), shot("green-8"))
    assert fold(entries).state.points == {"red": 1, "green": 0}
    last, start, played = entries[-3].id, entries[-2].id, entries[-1].id
    told = {"of": last, "facts": {"flicked": "red-8"}}
    change = amend.difference(entries, amend.proposal(entries, told, None, "table"), None)
    assert start in change["dropped"]
    assert {"where": "players.red.points", "before": 1, "after": 0} in change["changes"]
    state = fold(after(entries, told)).state
    assert (state.points, state.round, state.question is not None) == ({"red": 0, "green": 0}, 1, False)
    assert played not in change["dropped"], "green's shot is now one of this round"


def test_the_answer_to_an_exchange_is_given_otherwise() -> None:
    """Red's Mercenary enters green's Sanctuary; its owner chose no exchange, and meant red 3."""
    entries = paleo(
        shot("red-8"), shot("green-8", "red-3"), shot("red-1", doors=[{"puck": "red-1", "door": "green-north-east"}])
    )
    question = fold(entries).state.question
    assert question is not None
    told = {"question": question.id_for(5), "choice": "none", "by": "table"}
    entries.append(Entry(6, "answer", at(30), told))
    assert fold(entries).state.captured("red") == ("red-3",)
    offered = amend.choices(entries, 6, None)
    assert [c["data"]["choice"] for c in offered] == ["none", "red-3"]
    assert fold(after(entries, {"of": 6, **offered[1]})).state.captured("red") == ("red-1",)


def test_who_began_is_told_otherwise() -> None:
    entries = paleo()
    (other,) = [c for c in amend.choices(entries, 2, None) if c["data"]["begins"] == "green"]
    assert fold(after(entries, {"of": 2, **other})).state.turn == "green"


def test_a_corrected_shot_is_told_to_every_screen() -> None:
    entries = paleo(shot("red-8", "green-4"))
    type, data = amend.proposal(entries, {"of": 3, "facts": {"flicked": "red-8"}}, None, "table")
    assert told_entry("paleo", type, data, None)["facts"] == {"flicked": "red-8"}


# -- every game -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL_GAMES)
def test_undoing_any_entry_gives_what_was_played_without_it(name: str) -> None:
    """For some entries of a random match: the difference's state is that of the same match played without them."""
    game, setup, rng = GAMES[name], random_setup(name, 5), Random(5)
    items: list[tuple[str, Json]] = [("match_started", {**setup, "game": name})]
    state = game.start({**setup, "match": 1})
    for _ in range(40):
        action = game.pick(state, rng)
        if action is None:
            break
        type = "round_started" if action.type == "start_round" else action.type
        items.append((type, {**action.data, **({} if name == "paleo" else {"game": name})}))
        state = game.apply(state, Action(type, items[-1][1], len(items)))
    entries = [Entry(n, type, at(n), data) for n, (type, data) in enumerate(items, 1)]
    lines = amend.ledger(entries, None)[::9]
    assert lines
    for line in lines:
        change = amend.difference(entries, ("undo", {"undoes": line["id"]}), None)
        without = fold([e for e in entries if e.id != line["id"]])
        assert change["after"]["players"] == game.view(without.state)["players"]
        assert [row for row in change["changes"] if row["before"] == row["after"]] == [], "nobody could tell them apart"
        assert line["id"] not in change["dropped"]


def test_a_correction_cannot_be_used_to_look_at_more_than_was_looked_at() -> None:
    """Ann's Mage looked at b1; told as a look at b2 the difference would show that Warrior's value, too."""
    setup = {"options": {"rules": "advanced"}, "characters": {"ann": "mage", "ben": "elf"}}
    entries = journal(warrior("ann", "a1"), warrior("ben", "b1"), warrior("ann", "a2"), warrior("ben", "c1"),
                      ("look", {"seat": "ann", "square": "b1"}), **setup)  # fmt: skip
    assert fold(entries).state.looked[0]
    with pytest.raises(IllegalMove, match="cannot be unseen"):
        amend.proposal(entries, {"of": 6, "type": "look", "data": {"square": "c1"}}, "ann", "ann")
    assert all(c["type"] != "look" or c["data"]["square"] == "b1" for c in amend.choices(entries, 6, "ann"))


def test_a_pass_that_is_only_looked_at_turns_no_warriors_over() -> None:
    """Ben has passed and Ann plays on: what her last action would have been as a pass would show all values (A8)."""
    entries = journal(warrior("ann", "a1"), warrior("ben", "b1"), warrior("ann", "a2"), ("pass", {"seat": "ben"}),
                      warrior("ann", "c1"))  # fmt: skip
    assert fold(entries).state.passed
    with pytest.raises(IllegalMove, match="cannot be unseen"):
        amend.proposal(entries, {"of": 6, "type": "pass", "data": {}}, "ann", "ann")
    assert {c["type"] for c in amend.choices(entries, 6, "ann")} == {"warrior", "palisade"}


def test_a_draft_told_otherwise_does_not_tell_what_the_next_player_took() -> None:
    """T5: had Ann kept another card, it would fall away for whoever took that one from those that she passed on."""
    game = GAMES["paper_tales"]
    started = {"game": "paper_tales", "players": {"ann": "Ann", "ben": "Ben", "cid": "Cid"}, "seed": 1}
    state, items = game.start(started), []
    for number in (0, 0, 0, 0, 1, 0):  # the cards' places in the packets: first Ann, Ben, Cid, then the same again
        seat = ("ann", "ben", "cid")[len(items) % 3]
        card = state.kingdoms[len(items) % 3].packet[number]
        items.append(("keep", {"seat": seat, "card": card}))
        state = game.apply(state, Action(*items[-1]))
    entries = [Entry(n, type, at(n), data) for n, (type, data) in enumerate([("match_started", started), *items], 1)]
    assert fold(entries).state == replace(state, log=fold(entries).state.log)
    for card in game.start(started).kingdoms[0].packet[1:]:
        with pytest.raises(IllegalMove, match="cannot be unseen"):
            amend.proposal(entries, {"of": 2, "type": "keep", "data": {"card": card}}, "ann", "ann")


def test_only_the_match_that_is_on_is_read_again_with_those_taken_up_meanwhile() -> None:
    """Armadöra (1-2), Sacrifice (3-4), Armadöra taken up (5-6), a third match (7), Sacrifice taken up (8)."""
    two = {"players": {"ann": "Ann", "ben": "Ben"}, "begins": "ann"}
    items: list[tuple[str, Json]] = [
        ("match_started", {"game": "armadora", **two}), warrior("ann", "a1"),
        ("match_started", {"game": "sacrifice", **two}),
        ("move", {"seat": "ann", "game": "sacrifice", "piece": "ann-monkey-1", "path": ["b8"]}),
        ("match_resumed", {"of": 1}), warrior("ben", "b1"),
        ("match_started", {"game": "armadora", **two}),
        ("match_resumed", {"of": 3}),
    ]  # fmt: skip
    entries = [Entry(n, type, at(n), data) for n, (type, data) in enumerate(items, 1)]
    assert [line["id"] for line in amend.ledger(entries, "ann")] == [4]
    assert amend.steps(entries)[-1].after.state == fold(entries).state
    longer = [*entries, Entry(9, "match_resumed", at(9), {"of": 1})]
    assert [line["id"] for line in amend.ledger(longer, "ben")] == [6, 2]
