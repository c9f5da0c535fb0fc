"""From vision's events to one account of a shot."""

from __future__ import annotations

from companion.fusion import Fusion, account_from_json
from vision.events import (
    CameraMoved,
    Contact,
    DoorCrossed,
    Event,
    GatePassed,
    LeftBoard,
    PuckPlaced,
    PuckSeen,
    ReefSeen,
    ReefsSeen,
    ShotEnded,
    ShotStarted,
    SourceLost,
)

A, B, C = PuckSeen("a", "red", 8, 10.0, 20.0), PuckSeen("b", "green", 4, 30.0, 40.0), PuckSeen("c", "green", None, 5, 5)


def facts_of(*events: Event) -> list[tuple[str, dict[str, object]]]:
    fusion = Fusion()
    return [(f.type, f.data) for e in events for f in fusion.update(e)]


def test_a_shot_becomes_one_account_when_it_has_ended() -> None:
    facts = facts_of(
        ShotStarted(1.0, 5, "a", (A, B, C), False),
        Contact(1.30, 5, "b", "c", 1, 2, 0.9),
        Contact(1.20, 5, "a", "b", 3, 4, 0.9),
        DoorCrossed(1.5, 5, "b", "north", "in", 1.0),
        DoorCrossed(1.6, 5, "b", "north", "out", 1.0),
        GatePassed(1.7, 5, "a"),
        LeftBoard(1.8, 5, "c"),
        ShotEnded(2.0, 5, (A, B), ("a",), True, ("why",)),
    )
    assert [t for t, _ in facts] == ["shot"]
    account = account_from_json(facts[0][1])
    assert account.flicked == "a"
    assert [(t.puck, t.other) for t in account.touches] == [("a", "b"), ("b", "c")], "in the order of time"
    assert [(e.puck, e.door) for e in account.doors_in] == [("b", "north")], "out again does not undo it"
    assert [m.puck for m in account.exits] == ["c"]
    assert account.before == (A, B, C)
    assert account.after == (A, B)
    assert (account.on_gate, account.needs_review, account.reasons) == (("a",), True, ("why",))


def test_an_account_survives_json() -> None:
    facts = facts_of(ShotStarted(1.0, 5, "a", (A, B), None), ShotEnded(2.0, 5, (A, B)))
    account = account_from_json(facts[0][1])
    assert account_from_json(account.to_json()) == account


def test_the_first_of_several_touches_of_a_pair_counts() -> None:
    facts = facts_of(ShotStarted(1.0, 5, "a", (A, B)), Contact(1.2, 5, "a", "b", 0, 0, 1.0),
                     Contact(1.4, 5, "b", "a", 0, 0, 1.0), ShotEnded(2.0, 5, (A, B)))  # fmt: skip
    assert [t.t for t in account_from_json(facts[0][1]).touches] == [1.2]


def test_events_of_no_open_shot_are_left_out() -> None:
    assert facts_of(Contact(1.2, 5, "a", "b", 0, 0, 1.0), ShotEnded(2.0, 5, (A, B))) == []


def test_a_shot_cut_off_by_the_camera_is_told_as_lost() -> None:
    facts = facts_of(ShotStarted(1.0, 5, "a", (A, B)), SourceLost(1.5, "unplugged"), ShotEnded(2.0, 5, (A, B)))
    assert [(t, d["what"]) for t, d in facts] == [("camera", "shot_lost"), ("camera", "source_lost")]


def test_what_hands_do_and_what_the_camera_suffers_are_facts_of_their_own() -> None:
    facts = facts_of(PuckPlaced(1.0, "x", 1.234, 2.0, "red", 3), CameraMoved(2.0, 3.0, True),
                     ReefsSeen(3.0, (ReefSeen("red", 1.0, 2.0, 3.0),)))  # fmt: skip
    assert facts[0] == ("hand", {"did": "puck_placed", "t": 1.0, "puck": "x", "team": "red", "number": 3,
                                 "x_mm": 1.23, "y_mm": 2.0})  # fmt: skip
    assert [t for t, _ in facts] == ["hand", "camera", "reefs"]
