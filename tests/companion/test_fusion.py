"""From vision's events to one account of a shot."""

from __future__ import annotations

import pytest

from companion.fusion import WENT_MM, Fusion, account_from_json
from vision.events import (
    CameraMoved,
    Contact,
    DoorCrossed,
    Event,
    GatePassed,
    LeftBoard,
    PuckMoved,
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


def test_a_shot_cut_off_by_the_camera_goes_to_review_as_far_as_it_was_seen() -> None:
    facts = facts_of(ShotStarted(1.0, 5, "a", (A, B)), Contact(1.2, 5, "a", "b", 0, 0, 1.0),
                     SourceLost(1.5, "unplugged"), ShotEnded(2.0, 5, (A, B)))  # fmt: skip
    assert [t for t, _ in facts] == ["shot", "camera"]
    account = account_from_json(facts[0][1])
    assert account.needs_review
    assert account.reasons == ("the camera was lost during the shot",)
    assert (account.flicked, len(account.touches), account.t_end, account.after) == ("a", 1, 1.2, ())


def test_a_shot_that_never_ended_goes_to_review_when_the_next_begins() -> None:
    facts = facts_of(ShotStarted(1.0, 5, "a", (A, B)), ShotStarted(4.0, 6, "b", (A, B)), ShotEnded(5.0, 6, (A, B)))
    first, second = (account_from_json(data) for _, data in facts)
    assert (first.flicked, first.needs_review) == ("a", True)
    assert (second.flicked, second.needs_review) == ("b", False)


def test_pucks_in_motion_when_vision_begins_anew_are_a_shot_of_which_nothing_is_known() -> None:
    fusion = Fusion()
    fusion.watch("shot", 7.0, (A, B))
    facts = fusion.vision_gone()
    account = account_from_json(facts[0].data)
    assert (account.flicked, account.before, account.needs_review) == ("", (A, B), True)
    assert fusion.vision_gone() == [], "it is asked about once"


def test_a_puck_that_has_gone_is_one_although_the_hand_that_flicked_it_is_still_there() -> None:
    fusion, away = Fusion(), A._replace(x_mm=A.x_mm + 2 * WENT_MM)
    fusion.watch("still", 6.0, (A, B))
    fusion.watch("hand", 6.8, (A, B))
    assert fusion.vision_gone() == [], "it aims"
    fusion.watch("hand", 7.0, (away, B))
    account = account_from_json(fusion.vision_gone()[0].data)
    assert (account.flicked, account.before, account.needs_review) == ("", (A, B), True)


@pytest.mark.parametrize("told", [
    (ShotStarted(1.0, 5, "a", (A, B)), ShotEnded(2.0, 5, (A, B))),
    (PuckMoved(1.0, "a", 50.0, 60.0, "red", 8),),
])  # fmt: skip
def test_what_was_told_is_not_asked_about_because_a_hand_lingers(told: tuple[Event, ...]) -> None:
    fusion, away = Fusion(), A._replace(x_mm=A.x_mm + 2 * WENT_MM)
    fusion.watch("still", 0.5, (A, B))
    for event in told:
        fusion.update(event)
    fusion.watch("hand", 2.1, (away, B))
    assert fusion.vision_gone() == []


def test_a_shot_that_was_told_is_not_asked_about_when_vision_begins_anew_at_once() -> None:
    fusion = Fusion()
    fusion.watch("shot", 0.9, (A, B))
    told = [f for e in (ShotStarted(1.0, 5, "a", (A, B)), ShotEnded(2.0, 5, (A, B))) for f in fusion.update(e)]
    assert [f.type for f in told] == ["shot"]
    assert fusion.vision_gone() == []


def test_pucks_at_rest_when_vision_begins_anew_are_no_shot() -> None:
    fusion = Fusion()
    fusion.watch("shot", 7.0, (A, B))
    fusion.watch("still", 8.0, (A, B))
    assert fusion.vision_gone() == []


def test_what_hands_do_and_what_the_camera_suffers_are_facts_of_their_own() -> None:
    facts = facts_of(PuckPlaced(1.0, "x", 1.234, 2.0, "red", 3), CameraMoved(2.0, 3.0, True),
                     ReefsSeen(3.0, (ReefSeen("red", 1.0, 2.0, 3.0),)))  # fmt: skip
    assert facts[0] == ("hand", {"did": "puck_placed", "t": 1.0, "puck": "x", "team": "red", "number": 3,
                                 "x_mm": 1.23, "y_mm": 2.0})  # fmt: skip
    assert [t for t, _ in facts] == ["hand", "camera", "reefs"]
