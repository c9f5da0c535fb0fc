"""One account from camera and sensors: agreement, disagreement, a blind camera, a stuck sensor."""

from __future__ import annotations

from typing import Any

import pytest

from calibration.board import default_board_path, load_board
from companion.fusion import Fact, ShotAccount
from companion.fusion_sensors import SensorFusion
from companion.sensor_trust import CALM_MOST_S, FLICKER_EDGES, STUCK_S
from firmware_bridge.inputs import GATE, KNOCK, OUTER, beam
from firmware_bridge.session import Gap, SensorEvent
from tests.companion.blindfold import tries
from vision.events import DoorCrossed, PuckSeen

BOARD = load_board(default_board_path())
DOOR = BOARD.doors[1].name
GATE_AT = BOARD.gates[0].circle[:2]
FLICKED, STRUCK = PuckSeen("p1", "red", 3, 200.0, 500.0), PuckSeen("p2", "green", 4, 325.0, 120.0)


class Table:
    """Sensors that are told what they feel, and shots as vision tells them."""

    def __init__(self) -> None:
        self.fusion = SensorFusion(BOARD)
        self.fusion.hearing = True
        self.facts: list[Fact] = []

    def feel(self, number: int, active: bool, t: float) -> None:
        self.facts += self.fusion.feel(SensorEvent(1, 1, 0, round(t * 1e6), t, number, active), t)

    def through(self, t: float, door: int = 1, inwards: bool = True) -> None:
        """A puck goes through a door, wholly behind its line at t, or no longer."""
        first, second = (beam(door, OUTER), beam(door, OUTER) + 1)[:: 1 if inwards else -1]
        for number, active, dt in ((first, True, -0.02), (second, True, -0.01 if inwards else 0.0),
                                   (first, False, 0.0 if inwards else 0.01), (second, False, 0.02)):  # fmt: skip
            self.feel(number, active, t + dt)

    def poked(self, t: float, wide_mm: float, door: int = 1, speed_mm_s: float = 300.0) -> None:
        """Something so wide goes by both beams, 10 mm apart: a finger, a sleeve."""
        at, there = t - wide_mm / speed_mm_s, 10.0 / speed_mm_s
        outer, inner = beam(door, OUTER), beam(door, OUTER) + 1
        changes = [(at, outer, True), (at + there, inner, True), (t, outer, False), (t + there, inner, False)]
        for when, number, active in changes:
            self.feel(number, active, when)

    def shot(self, *, doors: tuple[str, ...] = (), gone: bool = False, reasons: tuple[str, ...] = (),
             after: PuckSeen | None = None, on_gate: tuple[str, ...] = ()) -> dict[str, Any]:  # fmt: skip
        """A shot from 10 to 11 s; doors: vision saw the flicked puck go in there."""
        for name in doors:
            self.fusion.see(DoorCrossed(10.5, 1, "p1", name, "in", 0.8))
        left = (STRUCK,) if gone else (after or FLICKED, STRUCK)
        account = ShotAccount(1, 10.0, 11.0, "p1", (), (), (), (), (FLICKED, STRUCK), left, on_gate,
                              needs_review=bool(reasons), reasons=reasons).to_json()  # fmt: skip
        account["doors_in"] = [{"t": 10.5, "puck": "p1", "door": name} for name in doors]
        return self.fusion.combine(Fact("shot", account)).data

    def notes(self) -> list[str]:
        return [f.data["en"] for f in self.facts if f.type == "note"]


def test_without_sensors_nothing_changes() -> None:
    table = Table()
    table.fusion.hearing = False
    told = table.shot(doors=(DOOR,))
    assert "sensors" not in told
    assert not told["needs_review"]


def test_agreement_raises_confidence_and_takes_the_beams_moment() -> None:
    table = Table()
    table.through(10.45)
    told = table.shot(doors=(DOOR,))
    assert told["sensors"] == [{"at": DOOR, "puck": "p1", "by": "both", "confidence": 0.996}]
    assert told["doors_in"][0]["t"] == 10.45
    assert not told["needs_review"]


def test_a_crossing_that_the_beams_did_not_feel_goes_to_review_and_says_why() -> None:
    told = Table().shot(doors=(DOOR,))
    assert told["needs_review"]
    assert told["reasons"] == [f"the camera saw p1 go in at {DOOR}, the beams there did not"]


def test_a_passage_that_the_camera_did_not_see_goes_to_review_and_says_why() -> None:
    table = Table()
    table.through(10.5)
    told = table.shot()
    assert told["reasons"] == [f"the beams at {DOOR} felt 1 puck go in, the camera saw 0"]
    assert told["doors_in"] == []


@pytest.mark.parametrize(
    "reason", ["p1 was lost from sight on the board", "p1 was gone in a moment beside a hand that stayed there"]
)
def test_a_puck_that_vanished_where_the_camera_is_blind_is_where_the_beams_felt_it(reason: str) -> None:
    table = Table()
    table.through(10.5)
    told = table.shot(gone=True, reasons=(reason,))
    assert told["doors_in"] == [{"t": 10.5, "puck": "p1", "door": DOOR}]
    assert not told["needs_review"]


def test_a_puck_that_was_in_and_out_while_out_of_sight_was_in() -> None:
    table = Table()
    table.through(10.4)
    table.through(10.6, inwards=False)
    told = table.shot(reasons=("p1 was lost from sight 40 mm from where it lies",))
    assert [d["door"] for d in told["doors_in"]] == [DOOR]
    assert not told["needs_review"]


def test_other_doubts_of_the_camera_stay() -> None:
    table = Table()
    table.through(10.5)
    told = table.shot(gone=True, reasons=("p1 was lost from sight on the board", "3 frames are missing"))
    assert told["reasons"] == ["3 frames are missing"]
    assert told["needs_review"]


def test_passages_of_other_shots_do_not_count() -> None:
    table = Table()
    table.through(5.0)
    table.through(14.0)
    assert not table.shot()["needs_review"]


def test_what_the_beams_tell_after_the_shot_was_told_is_not_kept_quiet() -> None:
    """A line so bad that the edges come a second late."""
    table = Table()
    table.shot()
    table.through(10.5)
    assert table.notes()[0].startswith(f"Told late: in the last shot the beams felt that a pawn went in at {DOOR}.")


def test_what_the_camera_saw_and_the_beams_tell_late_is_no_news() -> None:
    table = Table()
    table.shot(doors=(DOOR,))
    table.through(10.5)
    assert table.notes() == []


def test_what_happened_before_the_last_shot_is_not_told_as_of_it() -> None:
    """A cable that was out for minutes, on a board with power of its own."""
    table = Table()
    table.shot()
    table.through(3.0)
    assert table.notes() == []


def test_what_the_beams_felt_while_their_line_was_out_is_told_when_it_is_back() -> None:
    table = Table()
    table.fusion.hearing = False
    table.shot()
    table.fusion.hearing = True
    table.through(10.5)
    assert table.notes()[0].startswith("Told late: in the last shot")


@pytest.mark.parametrize("wide_mm", [12.0, 18.0, 120.0])
def test_a_finger_or_a_sleeve_in_a_doorway_is_no_puck_that_the_camera_lost(wide_mm: float) -> None:
    table = Table()
    table.poked(10.5, wide_mm)
    told = table.shot(gone=True, reasons=("p1 was lost from sight on the board",))
    assert told["doors_in"] == []
    assert told["needs_review"]
    assert f"the beams at {DOOR} felt 1 puck go in, the camera saw 0" in told["reasons"]


def test_a_puck_that_rubs_along_the_post_is_one_by_the_inner_beam() -> None:
    table = Table()
    outer, inner = beam(1, OUTER), beam(1, OUTER) + 1
    for t, number, active in ((10.46, outer, True), (10.485, inner, True), (10.5, outer, False), (10.51, inner, False)):
        table.feel(number, active, t)
    told = table.shot(gone=True, reasons=("p1 was lost from sight on the board",))
    assert told["doors_in"] == [{"t": 10.5, "puck": "p1", "door": DOOR}]
    assert not told["needs_review"]


@pytest.mark.parametrize("longer", [1.0, 1.4, 1.8])
def test_a_puck_is_one_whether_it_races_in_or_friction_stops_it_just_behind_the_line(longer: float) -> None:
    table = Table()
    table.poked(10.5, BOARD.puck.diameter_mm * longer)
    assert not table.shot(gone=True, reasons=("p1 was lost from sight on the board",))["needs_review"]


def test_a_puck_that_was_lost_far_from_the_door_where_the_beams_felt_one_is_asked_about() -> None:
    """Or beams that were plugged into another door's place would tell a wrong one."""
    table = Table()
    table.fusion.watch("still", 9.9, (FLICKED, STRUCK))
    table.fusion.watch("shot", 10.2, (FLICKED._replace(x_mm=560.0, y_mm=90.0), STRUCK))
    table.fusion.watch("shot", 10.3, (FLICKED, STRUCK))  # not seen any more: shown where it lay
    table.through(10.5)
    told = table.shot(gone=True, reasons=("p1 was lost from sight on the board",))
    assert told["doors_in"] == []
    assert told["needs_review"]


def test_a_puck_is_followed_in_its_own_shot_only() -> None:
    table = Table()
    for state, x in (("still", 200.0), ("shot", 560.0), ("still", 200.0), ("shot", 200.0)):
        table.fusion.watch(state, 9.0, (FLICKED._replace(x_mm=x), STRUCK))
    table.through(10.5)
    assert not table.shot(gone=True, reasons=("p1 was lost from sight on the board",))["needs_review"]


def test_a_shot_with_a_gap_in_it_is_the_cameras_alone() -> None:
    table = Table()
    table.facts += table.fusion.feel(Gap(1, 1, None, 10.5, "reboot", None), 10.5)
    assert not table.shot(doors=(DOOR,))["needs_review"]
    assert table.notes() == ["The sensor board may have missed some events: it has started anew."]


def test_a_shot_in_which_the_board_was_away_is_the_cameras_alone_though_its_restart_is_told_later() -> None:
    """Its boot loader takes a second or two: the gap is told when the shot is over."""
    table = Table()
    table.facts += table.fusion.feel(Gap(1, None, None, 9.0, "unplugged", None), 9.0)
    table.facts += table.fusion.feel(Gap(1, 2, None, 12.5, "reboot", None), 12.5)
    table.fusion.settle(0, 12.6)
    assert not table.shot(doors=(DOOR,))["needs_review"]


def test_a_brown_out_in_mid_shot_makes_no_question_though_its_hello_comes_after_the_shot() -> None:
    table = Table()
    table.facts += table.fusion.feel(Gap(1, 2, None, 12.0, "reboot", None), 12.0)
    assert not table.shot(doors=(DOOR,))["needs_review"]


def test_a_board_that_falls_silent_was_so_before_it_is_noticed() -> None:
    table = Table()
    table.facts += table.fusion.feel(Gap(1, None, None, 12.5, "silent", None), 12.5)
    assert not table.shot(doors=(DOOR,))["needs_review"]


def test_a_cable_that_was_out_while_the_board_had_power_of_its_own_has_lost_nothing() -> None:
    table = Table()
    table.facts += table.fusion.feel(Gap(1, None, None, 9.0, "unplugged", None), 9.0)
    table.through(10.45)
    table.fusion.settle(0, 11.0)
    assert table.shot(doors=(DOOR,))["sensors"][0]["by"] == "both"


def test_another_board_in_the_place_of_the_one_that_was_pulled_out_knows_nothing_of_the_shot() -> None:
    table = Table()
    table.facts += table.fusion.feel(Gap(1, None, None, 9.0, "unplugged", None), 9.0)
    table.fusion.sensor_board = 2
    table.fusion.settle(0, 12.0)
    assert not table.shot(doors=(DOOR,))["needs_review"]


def test_edges_that_found_no_room_may_be_missing_until_the_next_one_that_did() -> None:
    table = Table()
    table.facts += table.fusion.feel(Gap(1, 1, 5, 8.0, "overflow", 70), 8.0)
    assert not table.shot(doors=(DOOR,))["needs_review"]
    table.feel(GATE, True, 11.0)
    table.feel(GATE, False, 11.1)
    assert not table.shot(doors=(DOOR,))["needs_review"]


def test_a_door_with_one_beam_decides_nothing() -> None:
    table = Table()
    table.fusion.trust.fitted &= ~(1 << beam(1, OUTER))
    assert not table.shot(doors=(DOOR,))["needs_review"]


def test_a_puck_on_the_gate_that_the_sensor_does_not_feel_goes_to_review() -> None:
    told = Table().shot(after=PuckSeen("p1", "red", 3, *GATE_AT), on_gate=("p1",))
    assert told["reasons"] == ["the camera sees a puck on the gate, the sensor there feels none"]


def test_a_puck_on_the_gate_that_both_know_of_is_no_question() -> None:
    table = Table()
    table.feel(GATE, True, 10.8)
    assert not table.shot(after=PuckSeen("p1", "red", 3, *GATE_AT), on_gate=("p1",))["needs_review"]


def test_a_puck_that_vanished_and_covers_the_gate_lies_on_it() -> None:
    table = Table()
    table.feel(GATE, True, 10.8)
    told = table.shot(gone=True, reasons=("p1 was lost from sight on the board",))
    assert told["on_gate"] == ["p1"]
    assert not told["needs_review"]


def test_while_the_camera_is_away_the_sensors_alone_tell_of_doors_gate_and_knocks() -> None:
    table = Table()
    table.fusion.combine(Fact("camera", {"what": "source_lost", "t": 9.0}))
    table.feel(KNOCK, True, 10.0)
    table.through(10.5)
    table.feel(GATE, True, 11.0)
    assert table.notes() == [
        "While the camera was away, something struck the board.",
        f"While the camera was away, the beams felt that a pawn went in at {DOOR}.",
        "While the camera was away, the gate's sensor felt that a pawn came onto the gate.",
    ]
    table.fusion.combine(Fact("camera", {"what": "source_back", "t": 12.0}))
    table.through(13.0)
    assert len(table.notes()) == 3


def test_a_puck_that_seems_lifted_while_the_beams_feel_it_go_in_was_a_shot() -> None:
    """The flicking hand and a blind corner together look like a hand that takes the puck."""
    table = Table()
    table.fusion.watch("still", 9.9, (FLICKED, STRUCK))
    table.through(10.4)
    lifted = {"did": "puck_removed", "t": 10.3, "puck": "p1", "team": "red", "number": 3, "x_mm": 200.0, "y_mm": 500.0}
    fact = table.fusion.combine(Fact("hand", lifted))
    assert fact.type == "shot"
    assert (fact.data["flicked"], fact.data["doors_in"][0]["door"]) == ("p1", DOOR)
    assert table.fusion.combine(Fact("hand", lifted)).type == "hand", "one passage is one shot"


def test_a_puck_that_is_taken_far_from_the_door_where_the_beams_felt_one_is_asked_about() -> None:
    """A captured pawn is lifted while somebody's wrist is in a doorway: no door is told for sure."""
    table = Table()
    far = FLICKED._replace(x_mm=560.0, y_mm=90.0)
    table.fusion.watch("still", 9.9, (far, STRUCK))
    table.through(10.4)
    lifted = {"did": "puck_removed", "t": 10.3, "puck": "p1", "team": "red", "number": 3, "x_mm": 560.0, "y_mm": 90.0}
    told = table.fusion.combine(Fact("hand", lifted)).data
    assert told["doors_in"] == []
    assert told["reasons"] == [f"the beams at {DOOR} felt 1 puck go in, the camera saw 0"]
    assert told["needs_review"]


def test_a_gate_that_was_covered_by_nothing_before_the_shot_is_no_place_for_a_puck_that_was_lost() -> None:
    table = Table()
    table.feel(GATE, True, 5.0)
    told = table.shot(gone=True, reasons=("p1 was lost from sight on the board",))
    assert told["on_gate"] == []
    assert told["reasons"] == ["p1 was lost from sight on the board"]


def test_a_puck_that_is_lifted_out_of_a_sanctuary_was_no_shot() -> None:
    """Fingers break beams too."""
    table = Table()
    inside = PuckSeen("p1", "red", 3, *BOARD.doors[1].inside)
    table.fusion.watch("still", 9.9, (inside, STRUCK))
    table.through(10.4)
    lifted = {"did": "puck_removed", "t": 10.3, "puck": "p1", "team": "red", "number": 3, "x_mm": 36.4, "y_mm": 613.6}
    assert table.fusion.combine(Fact("hand", lifted)).type == "hand"


def test_a_broken_beam_with_nothing_there_is_set_aside_with_a_notice() -> None:
    table = Table()
    table.feel(beam(1, OUTER), True, 1.0)
    assert table.fusion.watch("still", 1.0 + STUCK_S - 1, (FLICKED,)) == []
    notice = table.fusion.watch("still", 1.0 + STUCK_S + 1, (FLICKED,))
    assert notice[0].data["en"].startswith(f"The outer beam at {DOOR} is broken or covered with nothing there")
    assert not table.shot(doors=(DOOR,))["needs_review"], "its door is the camera's alone"
    table.feel(beam(1, OUTER), False, 30.0)
    assert table.notes() == [f"The outer beam at {DOOR} works again."]
    assert table.fusion.trust.both_beams(1)


def test_a_sensor_that_was_stuck_before_the_companion_began_is_found_by_the_boards_own_word() -> None:
    """A board with power of its own told that edge to an earlier companion."""
    table, notices = Table(), list[Fact]()
    for t in range(1, 30):
        notices += table.fusion.settle(1 << beam(1, OUTER), float(t)) + table.fusion.watch(
            "still", float(t), (FLICKED,)
        )
    assert [f.data["en"].split(" is ")[0] for f in notices] == [f"The outer beam at {DOOR}"]
    assert not table.shot(doors=(DOOR,))["needs_review"], "its door is the camera's alone"
    freed = [f for t in (30.0, 31.5) for f in table.fusion.settle(0, t)]
    assert [f.data["en"] for f in freed] == [f"The outer beam at {DOOR} works again."]


def test_a_beam_that_came_free_while_edges_were_lost_is_not_called_stuck() -> None:
    table = Table()
    table.feel(beam(1, OUTER), True, 1.0)
    table.facts += table.fusion.feel(Gap(1, 1, 5, 2.0, "overflow", 7), 2.0)
    for t in range(3, 40):
        assert table.fusion.settle(0, float(t)) + table.fusion.watch("still", float(t), (FLICKED,)) == []


def test_the_boards_word_is_not_taken_while_events_are_on_their_way() -> None:
    table = Table()
    table.feel(beam(1, OUTER), True, 1.0)
    for t in range(2, 20):
        table.fusion.settle(None if t % 2 else 0, float(t))
    assert table.fusion.watch("still", 20.0, (FLICKED,)) != [], "it is broken still, by its edges"


def test_a_sensor_whose_edge_comes_late_is_believed_when_it_comes() -> None:
    """The board's levels run ahead of its edges on a bad line."""
    table = Table()
    table.fusion.settle(1 << beam(1, OUTER), 10.0)
    table.through(10.45)
    table.fusion.settle(0, 10.6)
    assert table.shot(doors=(DOOR,))["sensors"] == [{"at": DOOR, "puck": "p1", "by": "both", "confidence": 0.996}]


def test_beams_that_feel_another_door_than_the_camera_saw_go_to_review_with_both_reasons() -> None:
    table = Table()
    table.through(10.5, door=2)
    told = table.shot(doors=(DOOR,))
    assert told["reasons"] == [
        f"the camera saw p1 go in at {DOOR}, the beams there did not",
        f"the beams at {BOARD.doors[2].name} felt 1 puck go in, the camera saw 0",
    ]


def test_beams_that_feel_two_where_the_camera_saw_one_go_to_review() -> None:
    table = Table()
    table.through(10.4)
    table.through(10.7)
    assert table.shot(doors=(DOOR,))["reasons"] == [f"the beams at {DOOR} felt 2 pucks go in, the camera saw 1"]


def test_beams_that_felt_one_come_out_where_the_camera_saw_it_go_in_go_to_review() -> None:
    table = Table()
    table.through(10.5, inwards=False)
    assert table.shot(doors=(DOOR,))["reasons"] == [f"the camera saw p1 go in at {DOOR}, the beams there did not"]


def test_every_sensor_stuck_from_the_start_leaves_the_game_to_the_camera() -> None:
    table, every = Table(), 0x7FF
    for t in range(1, 30):
        table.fusion.settle(every, float(t))
        table.facts += table.fusion.watch("still", float(t), (FLICKED,))
    assert len(table.notes()) == 9, "eight beams and the gate; a knock and a button are no question"
    assert not table.shot(doors=(DOOR,))["needs_review"]
    assert not table.shot(after=PuckSeen("p1", "red", 3, *GATE_AT), on_gate=("p1",))["needs_review"]


def test_a_beam_that_a_puck_rests_in_is_not_stuck() -> None:
    table = Table()
    table.feel(beam(1, OUTER), True, 1.0)
    (ax, ay), (bx, by) = BOARD.doors[1].line
    there = PuckSeen("p1", "red", 3, (ax + bx) / 2, (ay + by) / 2)
    assert table.fusion.watch("still", 100.0, (there,)) == []


def test_a_beam_that_flickers_is_set_aside_with_a_notice() -> None:
    table = Table()
    for n in range(FLICKER_EDGES + 2):
        table.feel(beam(1, OUTER), n % 2 == 0, 1.0 + n * 0.01)
    assert "flickers" in table.notes()[0]
    assert not table.fusion.trust.both_beams(1)


def test_a_beam_that_says_nothing_when_pawns_go_in_is_set_aside_with_a_notice() -> None:
    table = Table()
    inner = beam(1, OUTER) + 1
    for t in (10.4, 10.6):
        table.feel(beam(1, OUTER), True, t)
        table.feel(beam(1, OUTER), False, t + 0.1)
    assert [table.shot(doors=(DOOR,))["needs_review"] for _ in range(3)] == [True, True, False]
    notices = [f.data["en"] for f in table.fusion.watch("still", 11.2, (FLICKED,))]
    assert [n.split(" when ")[0] for n in notices] == [f"The inner beam at {DOOR} says nothing"]
    table.feel(inner, True, 12.0)
    assert table.notes() == [f"The inner beam at {DOOR} works again."]
    assert table.fusion.trust.both_beams(1)


def test_a_beam_whose_edges_are_still_on_their_way_is_not_called_dead() -> None:
    table = Table()
    for _ in range(4):
        table.fusion.settle(None, 11.0)
        assert table.shot(doors=(DOOR,))["needs_review"]
    assert table.fusion.trust.both_beams(1)


def test_a_sensor_that_flickers_now_and_then_all_evening_is_told_once() -> None:
    """The knock sensor of a table with music: it beats, and is quiet, and beats."""
    table = Table()
    for bar in range(60):
        for n in range(FLICKER_EDGES + 2):
            table.feel(KNOCK, n % 2 == 0, bar * 5.0 + n * 0.02)
    assert [n.split(":")[0] for n in table.notes()] == ["The knock sensor flickers"]
    table.feel(KNOCK, True, 400.0)
    assert table.notes()[1:] == ["The knock sensor works again."]


def test_knocks_without_end_while_the_camera_is_away_are_told_now_and_then() -> None:
    table = Table()
    table.fusion.combine(Fact("camera", {"what": "source_lost", "t": 0.0}))
    for n in range(100):
        table.feel(KNOCK, n % 2 == 0, 1.0 + n * 0.4)
    assert table.notes() == ["While the camera was away, something struck the board."] * 2


def test_a_sensor_that_flickers_with_every_song_is_told_ever_more_rarely() -> None:
    """Music with pauses, in which something strikes the table now and then."""
    table = Table()
    for song in range(100):
        for n in range(FLICKER_EDGES + 2):
            table.feel(KNOCK, n % 2 == 0, song * 240.0 + n * 0.02)
        table.feel(KNOCK, True, song * 240.0 + 60.0)
        table.feel(KNOCK, False, song * 240.0 + 60.02)
    assert len(table.notes()) < 10
    table.feel(KNOCK, True, 100 * 240.0 + CALM_MOST_S)
    assert table.notes()[-1] == "The knock sensor works again."


def test_knocks_all_night_while_the_camera_is_away_do_not_fill_the_log() -> None:
    table = Table()
    table.fusion.combine(Fact("camera", {"what": "source_lost", "t": 0.0}))
    for n in range(10 * 360):
        table.feel(KNOCK, True, n * 10.0)
        table.feel(KNOCK, False, n * 10.0 + 0.02)
    assert 5 < len(table.notes()) < 20
    table.fusion.combine(Fact("camera", {"what": "source_back", "t": 36_000.0}))
    table.facts.clear()
    table.fusion.combine(Fact("camera", {"what": "source_lost", "t": 36_100.0}))
    table.feel(KNOCK, True, 36_101.0)
    assert table.notes() == ["While the camera was away, something struck the board."]


def test_knocks_of_before_the_first_picture_do_not_put_off_those_after_it() -> None:
    table = Table()
    table.fusion.combine(Fact("camera", {"what": "source_lost", "t": 0.0}))
    for n in range(100):
        table.feel(KNOCK, True, n * 10.0)
    table.facts.clear()
    table.fusion.begin()
    for t in (1.0, 32.0):
        table.feel(KNOCK, True, t)
        table.feel(KNOCK, False, t + 0.02)
    assert len(table.notes()) == 2, "the second one half a minute later, as ever"
    table.feel(KNOCK, True, 62.0)
    assert len(table.notes()) == 2, "the next after twice as long"


@pytest.mark.parametrize("number", [GATE, beam(1, OUTER)])
def test_a_sensor_that_wobbles_a_few_times_a_second_is_set_aside_until_it_is_quiet(number: int) -> None:
    """One that sits loose under the board, or a loose plug of its own."""
    table = Table()
    for n in range(1200):
        table.feel(number, n % 2 == 0, 1.0 + n * 0.25)
    assert len(table.notes()) == 1
    assert "flickers" in table.notes()[0]
    assert not table.fusion.trust.counts(number)
    table.feel(number, True, 400.0)
    assert "works again" in table.notes()[1]
    assert table.fusion.trust.counts(number)


def test_a_gate_that_is_played_over_all_evening_is_believed() -> None:
    table = Table()
    for n in range(200):
        table.feel(GATE, n % 2 == 0, 1.0 + n * 2.0)
    assert table.notes() == []
    assert table.fusion.trust.counts(GATE)


def test_a_gate_that_wobbles_while_the_camera_is_away_does_not_fill_the_log() -> None:
    """Too slowly to be set aside, all evening."""
    table = Table()
    table.fusion.combine(Fact("camera", {"what": "source_lost", "t": 0.0}))
    for n in range(4 * 3600 // 2):
        table.feel(GATE, n % 2 == 0, 1.0 + n * 2.0)
    assert table.notes()[:2] == [
        "While the camera was away, the gate's sensor felt that a pawn came onto the gate.",
        "While the camera was away, the gate's sensor felt that a pawn left the gate.",
    ]
    assert 6 < len(table.notes()) < 60
    table.fusion.combine(Fact("camera", {"what": "source_back", "t": 14_500.0}))
    table.facts.clear()
    table.fusion.combine(Fact("camera", {"what": "source_lost", "t": 14_600.0}))
    table.feel(GATE, True, 14_601.0)
    assert len(table.notes()) == 1


def test_what_goes_through_a_door_again_and_again_while_the_camera_is_away_does_not_fill_the_log() -> None:
    table = Table()
    table.fusion.combine(Fact("camera", {"what": "source_lost", "t": 0.0}))
    for n in range(1000):
        table.through(10.0 + n * 8.0, inwards=n % 2 == 0)
    assert 6 < len(table.notes()) < 60


def test_a_sensor_that_is_stuck_now_and_then_all_evening_is_told_now_and_then_and_set_aside_each_time() -> None:
    table = Table()
    for n in range(200):
        table.feel(GATE, True, n * 30.0)
        table.facts += table.fusion.watch("still", n * 30.0 + STUCK_S + 1, (FLICKED,))
        assert not table.fusion.trust.counts(GATE)
        table.feel(GATE, False, n * 30.0 + 20.0)
        assert table.fusion.trust.counts(GATE)
    told = ["works again" in told for told in table.notes()]
    assert told == [False, True] * (len(told) // 2), "each that is told is told to its end"
    assert 4 <= len(told) < 30


def test_a_loose_plug_is_told_now_and_then_and_each_time_counts() -> None:
    table = Table()
    for n in range(600):
        for reason, at in (("unplugged", 0.0), ("reboot", 1.0)):
            table.facts += table.fusion.feel(Gap(1, None, None, n * 6.0 + at, reason, None), n * 6.0 + at)
    assert [t.split(": ")[1][:9] for t in table.notes()[:4]] == ["its cable", "it has st", "its cable", "it has st"]
    assert len(table.notes()) < 40
    assert table.fusion._missed(3594.0, 3595.0)
    table.facts += table.fusion.feel(Gap(1, None, None, 20_000.0, "unplugged", None), 20_000.0)
    assert table.notes()[-1].endswith("plug it in again.")


@pytest.mark.parametrize("reasons", [(), ("the camera was knocked during the shot",)])
@pytest.mark.parametrize("knocks", [1, 6, 1000])
def test_knocks_neither_make_a_shot_doubtful_nor_settle_a_doubt(knocks: int, reasons: tuple[str, ...]) -> None:
    quiet, table = Table(), Table()
    for n in range(knocks):
        table.feel(KNOCK, n % 2 == 0, 10.2 + n * 0.0001)
    quiet.through(10.5)
    table.through(10.5)
    assert table.shot(doors=(DOOR,), reasons=reasons) == quiet.shot(doors=(DOOR,), reasons=reasons)


def test_with_the_camera_blindfolded_at_one_door_the_beams_decide_it() -> None:
    played = list(tries(BOARD, 0, 2, seed=11, size=(960, 540)))
    assert [one.told for one in played] == [one.true for one in played]
    assert any(one.true for one in played), "through the door"


@pytest.mark.long
@pytest.mark.parametrize("door", range(4))
def test_with_the_camera_blindfolded_at_any_door_the_beams_decide_all(door: int) -> None:
    played = list(tries(BOARD, door, 15, seed=1000 * (door + 1)))
    assert all(one.told == one.true for one in played), [one for one in played if one.told != one.true]
    assert sum(bool(one.true) for one in played) >= 5
    assert not [one for one in played if one.true and one.review], "a door that was gone through is no question"
