"""The whole of vision over short scenes of the virtual table: what happened is told, and nothing else."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import vision.settling
import vision.watch
from benchmarks.variants import vary
from calibration.board import Board, default_board_path, load_board, parse_board
from calibration.lens import load_lens
from tests.vision.conftest import Play
from tests.vision.film_score import decided
from vision.board_at_rest import BoardAtRest
from vision.events import (
    ByHand,
    Event,
    PuckMoved,
    PuckRemoved,
    PuckSeen,
    ReefsSeen,
    ShotEnded,
    ShotStarted,
    event_to_line,
)
from vision.explain import Explained, draw_shot
from vision.frames import Frame, Image
from vision.patience import LOST_S, Patience
from vision.pipeline import BoardNotSeen, Tracker
from vision.shots import Episode, solve
from vision.sources import open_film
from vision.virtual_table.film import make_film
from vision.virtual_table.looks import look_for
from vision.virtual_table.physics import Material, Puck
from vision.virtual_table.table import VirtualTable

BOARD_TEXT = default_board_path().read_text(encoding="utf-8")
BOARD = load_board(default_board_path())
REST_S = 0.7  # the board has to lie still for half a second before its reefs are told
GLIDING_MM = 45.0  # what a puck at 1.3 m/s goes in a frame
AT_REST_MM = 2.0  # a pixel and a half of a 720p film
TIME_S = 0.05  # a frame and a half
HAND_S, HAND_MM = 1.5, 3.0
KNOCK_AFTER_S = 0.42  # the hand has just come to rest over the board
SHOT_AFTER_S = 1.13
TAKEN_AFTER_S = 0.75
LOST_AGO_S = 0.45  # when the board is looked at first
LONGEST_S = 20.0
ARM_S = (1.2, 3.0)  # somebody leans on the edge
CREEPS_S = 0.25  # in which it goes no more than 8 mm, at last less than a tenth of a pixel a frame
TOLD_S = 0.1  # two frames in which nothing but a hand stirs, and the one in which the puck came to rest

FIELDS = {  # of the contract
    "shot_started": {"t", "shot", "puck", "pucks", "pushed"},
    "contact": {"t", "shot", "puck", "other", "x_mm", "y_mm", "confidence"},
    "door_crossed": {"t", "shot", "puck", "door", "direction", "confidence"},
    "gate_passed": {"t", "shot", "puck"},
    "left_board": {"t", "shot", "puck"},
    "shot_ended": {"t", "shot", "pucks", "on_gate", "needs_review", "reasons"},
    "puck_removed": {"t", "puck", "x_mm", "y_mm", "team", "number"},
    "puck_placed": {"t", "puck", "x_mm", "y_mm", "team", "number"},
    "puck_moved": {"t", "puck", "x_mm", "y_mm", "team", "number"},
    "reefs_seen": {"t", "reefs"},
}


@dataclass(frozen=True, slots=True)
class Scene:
    """What was told of a scene, and what truly happened."""

    events: list[Event]
    lines: list[dict[str, Any]]
    truth: dict[str, Any]
    states: list[str]
    gliding: list[tuple[float, float]]
    explained: Explained | None

    def of(self, *types: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["type"] in types]

    def shot(self, number: int) -> list[dict[str, Any]]:
        return [line for line in self.lines if line.get("shot") == number]


def lying(key: str, x: float, y: float) -> Puck:
    team, name = key.split("-")
    return Puck(key, team, int(name) if name.isdigit() else None, x, y, 0.7)


def watch(
    board: Board, pucks: Sequence[Puck], commands: Sequence[dict[str, Any]], *, by_markers: bool = False,
    knock_in: int = 0, knock_after_s: float = KNOCK_AFTER_S,
) -> Scene:  # fmt: skip
    """Plays commands one after the other under a tracker's eyes, with a rest before, between and after.

    knock_in: the camera is knocked while the hand of this command, counted from 1, is on the board, so many seconds
    after the command.
    """
    table = VirtualTable(board, seed=4, pucks=pucks, reefs=(), material=Material())
    pose = None if by_markers else table.pose
    tracker = Tracker(board, frame_size=table.size, fps=table.fps, pose=pose, lens=table.lens)
    events: list[Event] = []
    states = []
    gliding: list[tuple[float, float]] = []  # how far each puck is from where it lay at first, and from its live place
    waiting, rest_until = list(commands), REST_S
    for frame in table.frames():
        events += tracker.update(frame)
        live = tracker.live()
        states.append(live.state)
        gliding += [(math.dist(place, _start(pucks, key)), _miss(live.pucks, key.split("-")[0], place))
                    for key, place in _on_board(table)]  # fmt: skip
        if table.busy:
            rest_until = frame.time_s + REST_S
        elif frame.time_s > rest_until and waiting:
            table.command(waiting.pop(0))
            if len(commands) - len(waiting) == knock_in:
                table.knock(frame.time_s + knock_after_s)
        elif frame.time_s > rest_until or frame.time_s > LONGEST_S:
            break
    events += tracker.finish()
    return Scene(events, [json.loads(event_to_line(e)) for e in events], table.truth(), states, gliding,
                 tracker.explained)  # fmt: skip


def _on_board(table: VirtualTable) -> list[tuple[str, tuple[float, float]]]:
    w, h = table.board.size
    places = [(key, (x, y)) for key, (_, _, x, y) in table.pucks().items()]
    return [(key, (x, y)) for key, (x, y) in places if 0 < x < w and 0 < y < h]


def _start(pucks: Sequence[Puck], key: str) -> tuple[float, float]:
    return next((p.x_mm, p.y_mm) for p in pucks if p.key == key)


def _miss(seen: Sequence[PuckSeen], team: str, place: tuple[float, float]) -> float:
    return min((math.dist((p.x_mm, p.y_mm), place) for p in seen if p.team == team), default=math.inf)


@pytest.fixture(scope="module")
def shots() -> Scene:
    """A hit, then a door, then an exit; a hand picks up what lies outside. The board is found by its markers."""
    pucks = [lying("red-1", 150, 450), lying("green-1", 230, 458), lying("green-2", 160, 160),
             lying("red-2", 400, 540), lying("green-4", 480, 200)]  # fmt: skip
    commands: list[dict[str, Any]] = [
        {"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 900},
        {"do": "flick", "puck": "green-2", "angle_deg": 225.0, "speed_mm_s": 960},
        {"do": "flick", "puck": "red-2", "angle_deg": 90.0, "speed_mm_s": 2500},
    ]
    return watch(BOARD, pucks, commands, by_markers=True)


@pytest.fixture(scope="module")
def hands() -> Scene:
    """A hand lifts a puck, sets one down, slides one free, and passes. The pose is given."""
    pucks = [lying("red-1", 150, 450), lying("green-1", 420, 450), lying("red-2", 200, 200)]
    commands: list[dict[str, Any]] = [
        {"do": "remove", "puck": "green-1"},
        {"do": "place", "puck": "green-1", "x_mm": 470.0, "y_mm": 180.0},
        {"do": "slide", "puck": "red-2", "x_mm": 222.0, "y_mm": 214.0},
        {"do": "pass"},
    ]
    return watch(BOARD, pucks, commands)


def at(pucks: Sequence[dict[str, Any]], x: float, y: float, near_mm: float = AT_REST_MM) -> dict[str, Any] | None:
    return next((p for p in pucks if math.dist((p["x_mm"], p["y_mm"]), (x, y)) < near_mm), None)


def named(scene: Scene, number: int, key: str) -> str:
    """The id that a puck bore before a shot, by where it truly lay."""
    started = scene.shot(number)[0]
    seen = at(started["pucks"], *scene.truth["shots"][number - 1]["start"][key])
    assert seen is not None
    return str(seen["puck"])


def test_three_flicks_are_three_shots_and_nothing_is_invented(shots: Scene) -> None:
    assert [e["shot"] for e in shots.of("shot_started")] == [1, 2, 3]
    assert [e["shot"] for e in shots.of("shot_ended")] == [1, 2, 3]
    assert shots.of("puck_removed", "puck_placed", "puck_moved", "camera_moved", "source_lost") == []


def test_a_shot_starts_and_ends_when_it_truly_does(shots: Scene) -> None:
    for true, started in zip(shots.truth["shots"], shots.of("shot_started"), strict=True):
        assert started["t"] == pytest.approx(true["t_start"], abs=TIME_S)
        assert named(shots, started["shot"], true["puck"]) == started["puck"]
    hit, _, _ = shots.truth["shots"]
    assert shots.of("shot_ended")[0]["t"] == pytest.approx(hit["t_rest"], abs=2 * TIME_S)


def test_a_hit_is_told_with_both_pucks_and_its_place(shots: Scene) -> None:
    true = shots.truth["shots"][0]["contacts"]
    told = [e for e in shots.shot(1) if e["type"] == "contact"]
    assert {frozenset((e["puck"], e["other"])) for e in told} == {
        frozenset((named(shots, 1, "red-1"), named(shots, 1, "green-1")))
    }
    first = told[0]
    assert first["t"] == pytest.approx(true[0]["t"], abs=TIME_S / 3)
    assert math.dist((first["x_mm"], first["y_mm"]), true[0]["at"]) < 900 * TIME_S / 3
    assert first["confidence"] > 0.5


def test_a_puck_through_a_door_is_told_once_with_that_door(shots: Scene) -> None:
    (true,) = shots.truth["shots"][1]["crossings"]
    (told,) = shots.of("door_crossed")
    assert (told["shot"], told["door"], told["direction"]) == (2, true["door"], "in")
    assert told["puck"] == named(shots, 2, "green-2")
    assert told["t"] == pytest.approx(true["t"], abs=TIME_S)


def test_a_puck_over_the_rim_has_left_and_is_not_listed_any_more(shots: Scene) -> None:
    (told,) = shots.of("left_board")
    assert (told["shot"], told["puck"]) == (3, named(shots, 3, "red-2"))
    assert told["puck"] not in {p["puck"] for p in shots.shot(3)[-1]["pucks"]}


def test_every_puck_lies_at_the_end_where_it_truly_lies(shots: Scene) -> None:
    for true, ended in zip(shots.truth["shots"], shots.of("shot_ended"), strict=True):
        assert len(ended["pucks"]) == len(true["end"])
        for key, place in true["end"].items():
            seen = at(ended["pucks"], *place)
            assert seen is not None
            assert seen["team"] == key.split("-")[0]
            assert seen["number"] in (None, int(key.split("-")[1]))


def test_pucks_keep_their_ids_from_shot_to_shot(shots: Scene) -> None:
    lies = [{k: named(shots, n, k) for k in shots.truth["shots"][n - 1]["start"]} for n in (1, 2, 3)]
    for before, after in itertools.pairwise(lies):
        assert all(before[key] == name for key, name in after.items())


def test_clear_shots_need_no_review(shots: Scene) -> None:
    assert [(e["needs_review"], e["reasons"]) for e in shots.of("shot_ended")] == [(False, [])] * 3


def test_events_of_a_shot_come_in_order_of_time_start_first_and_end_last(shots: Scene) -> None:
    for number in (1, 2, 3):
        events = shots.shot(number)
        assert (events[0]["type"], events[-1]["type"]) == ("shot_started", "shot_ended")
        assert [e["t"] for e in events] == sorted(e["t"] for e in events)


def test_of_pucks_that_touch_the_one_behind_was_flicked_however_little_it_moved() -> None:
    """Two that touch and go their ways, and a row of three, each flicked at one end."""
    pucks = [lying("red-1", 420, 300), lying("green-1", 448.4, 304), lying("red-2", 200, 450),
             lying("green-2", 228.6, 450), lying("green-3", 256.4, 457)]  # fmt: skip
    scene = watch(BOARD, pucks, [{"do": "flick", "puck": "red-1", "angle_deg": 8.0, "speed_mm_s": 650},
                                 {"do": "flick", "puck": "red-2", "angle_deg": 4.0, "speed_mm_s": 800}])  # fmt: skip
    assert decided(scene.truth, scene.lines) == ["right", "right"]
    row = {key: named(scene, 2, key) for key in ("red-2", "green-2", "green-3")}
    touches = [(e["puck"], e["other"]) for e in scene.shot(2) if e["type"] == "contact"]
    assert touches == [(row["red-2"], row["green-2"]), (row["green-2"], row["green-3"])]
    assert scene.explained is not None
    assert {m.puck: m.team for m in scene.explained.shot.motions} == {row[key]: key.split("-")[0] for key in row}
    assert draw_shot(scene.explained).any()


def test_a_puck_that_stops_at_the_gates_edge_is_asked_about() -> None:
    """Its place is known to a fraction of a millimetre; a millimetre inside the edge all of it is on the gate."""
    pucks = [lying("red-1", 150, 450)]
    flick = {"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 700}
    (shot,) = watch(BOARD, pucks, [flick]).truth["shots"]
    x, y = shot["end"]["red-1"]
    (gate,) = BOARD.gates
    for inside_mm, on, asked in ((0.0, 0, True), (1.0, 1, False), (-1.0, 0, False)):
        circle = (x + 10.0, y, 10.0 + BOARD.puck.radius_mm + inside_mm)
        board = replace(BOARD, gates=(replace(gate, circle=circle),))
        (ended,) = watch(board, pucks, [flick]).of("shot_ended")
        assert (len(ended["on_gate"]), ended["needs_review"]) == (on, asked)
        assert all("lies at the gate's edge" in reason for reason in ended["reasons"])


@pytest.mark.parametrize(("beyond_mm", "asked"), [(0.0, True), (1.0, False)])
def test_a_puck_that_began_with_its_rim_on_a_doors_line_is_asked_about(beyond_mm: float, asked: bool) -> None:
    """Whether it lay wholly beyond is not to be seen: whether it went in, or out, is not either."""
    x, y = 150.0, 450.0
    depth = BOARD.puck.radius_mm + beyond_mm
    door = replace(BOARD.doors[0], line=((x + depth, y - 60), (x + depth, y + 60)), inside=(x - 50, y))
    board = replace(BOARD, doors=(door,), zones=())
    seen = watch(board, [lying("red-1", x, y)], [{"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 900}])
    (ended,) = seen.of("shot_ended")
    assert ended["needs_review"] == asked
    assert [e["direction"] for e in seen.of("door_crossed")] in ([["out"], []] if asked else [["out"]])
    assert all("with its rim on a door's line" in reason for reason in ended["reasons"])


def test_every_event_has_the_contracts_fields(shots: Scene, hands: Scene) -> None:
    for line in shots.lines + hands.lines:
        assert set(line) == FIELDS[line["type"]] | {"type"}


def test_what_hands_do_is_no_shot(hands: Scene) -> None:
    assert hands.of("shot_started", "shot_ended", "contact") == []


def test_lifting_placing_and_sliding_are_told_each_once_where_and_when_they_happened(hands: Scene) -> None:
    told = hands.of("puck_removed", "puck_placed", "puck_moved")
    true = [(h["t"], kind) for h in hands.truth["hand"] for kind in ("removed", "placed", "slid") if kind in h]
    assert [e["type"] for e in told] == ["puck_removed", "puck_placed", "puck_moved"]
    assert [kind for _, kind in true] == ["removed", "placed", "slid"]
    for event, (time_s, _), place in zip(told, true, ((420, 450), (470, 180), (222, 214)), strict=True):
        assert event["t"] == pytest.approx(time_s, abs=HAND_S)
        assert math.dist((event["x_mm"], event["y_mm"]), place) < HAND_MM
    assert [e["team"] for e in told] == ["green", "green", "red"]


def test_the_live_view_tells_of_hands_and_of_rest(hands: Scene) -> None:
    assert "hand" in hands.states
    assert hands.states[-1] == "still"


def test_pucks_glide_on_screens_while_they_move(shots: Scene) -> None:
    """Far from where they lay at first, pucks are shown within what they go in a frame: moving, and come to rest."""
    away = [miss for way, miss in shots.gliding if way > 60]
    assert len(away) > 60
    assert sum(miss < GLIDING_MM for miss in away) > 0.95 * len(away)


@pytest.mark.parametrize(("other_y_mm", "struck_mm"), [(458.0, 23.3), (474.0, 4.1)])
def test_a_shot_is_told_at_once_and_once_only_while_an_arm_goes_on_moving_elsewhere(
    other_y_mm: float, struck_mm: float
) -> None:
    """Somebody leans on the board's edge and stirs; the struck puck goes some way, or is hardly shifted."""
    pucks = [lying("red-1", 150, 450), lying("green-1", 230, other_y_mm), lying("red-2", 400, 540)]
    table = VirtualTable(BOARD, seed=4, pucks=pucks, reefs=(), material=Material())
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    told: list[tuple[float, Event]] = []
    for frame in table.frames():
        if frame.index == round(ARM_S[0] * table.fps) - 15:
            table.command({"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 700})
        image = _with_arm(table, frame) if ARM_S[0] < frame.time_s < ARM_S[1] else frame.image
        told += [(frame.time_s, e) for e in tracker.update(replace(frame, image=image))]
        if frame.time_s > ARM_S[1] + 2 * REST_S:
            break
    (shot,) = table.truth()["shots"]
    assert math.dist(shot["start"]["green-1"], shot["end"]["green-1"]) == pytest.approx(struck_mm, abs=0.1)
    after = [(time_s, e) for time_s, e in told if time_s > ARM_S[0]]
    assert [type(e).__name__ for _, e in after] == ["ShotStarted", "Contact", "ShotEnded"]
    assert after[-1][0] - shot["t_rest"] < TOLD_S < ARM_S[1] - shot["t_rest"]
    assert isinstance(after[-1][1], ShotEnded)
    assert not after[-1][1].reasons
    lie = [(p.x_mm, p.y_mm) for p in tracker.live().pucks]
    assert all(min(math.dist(end, at) for at in lie) < AT_REST_MM for end in shot["end"].values())


def test_a_puck_that_runs_on_along_an_arm_is_not_told_before_it_rests_nor_told_again() -> None:
    """Slowly, as on smooth wood, 4 mm beside an arm that stirs: all that moves there could be the arm's."""
    pucks = [lying("red-1", 150, 450), lying("green-1", 200, 200), lying("red-2", 300, 580)]
    table = VirtualTable(BOARD, seed=4, pucks=pucks, reefs=(), material=Material(deceleration_mm_s2=250))
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    told: list[tuple[float, ShotEnded]] = []
    for frame in table.frames():
        if frame.index == round(REST_S * table.fps):
            table.command({"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 330})
        beside = 1.5 < frame.time_s < 4.0
        image = _with_arm(table, frame, 260 + 3 * math.sin(9 * frame.time_s), 485) if beside else frame.image
        events = tracker.update(replace(frame, image=image))
        told += [(frame.time_s, e) for e in events if isinstance(e, ShotEnded)]
        if frame.time_s > 5.0:
            break
    (shot,) = table.truth()["shots"]
    ((told_s, ended),) = told
    assert 2.5 < shot["t_rest"] < told_s
    for lie in ([(p.x_mm, p.y_mm) for p in ended.pucks], [(p.x_mm, p.y_mm) for p in tracker.live().pucks]):
        assert len(lie) == len(pucks)
        assert all(min(math.dist(end, at) for at in lie) < AT_REST_MM for end in shot["end"].values())


@pytest.mark.parametrize(("lifted_s", "arm_until_s"), [(5.4, 4.8), (3.3, 4.8)])
def test_a_puck_that_stops_at_the_edge_beside_an_arm_lies_there_until_it_is_lifted(
    lifted_s: float, arm_until_s: float
) -> None:
    """It touches the arm, which stays: the shot is told beside it, and neither the arm's leaving nor a hand's lifting
    the puck is another shot."""
    pucks = [lying("red-1", 560, 450), lying("green-1", 200, 200), lying("red-2", 300, 580)]
    table = VirtualTable(BOARD, seed=4, pucks=pucks, reefs=(), material=Material())
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    told: list[tuple[float, Event]] = []
    for frame in table.frames():
        if frame.index == round(1.0 * table.fps):
            table.command({"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 650})
        if frame.index == round(lifted_s * table.fps):
            table.command({"do": "remove", "puck": "red-1"})
        beside = 1.0 < frame.time_s < arm_until_s
        image = _with_arm(table, frame, BOARD.size[0] - 35, 480) if beside else frame.image
        told += [(frame.time_s, e) for e in tracker.update(replace(frame, image=image))]
        if frame.time_s > 7.0:
            break
    told_of = [(time_s, e) for time_s, e in told if not isinstance(e, ReefsSeen)]
    assert [type(e).__name__ for _, e in told_of] == ["ShotStarted", "ShotEnded", "PuckRemoved"]
    assert told_of[1][0] < min(lifted_s, arm_until_s)
    assert len(tracker.live().pucks) == 2


def _with_arm(table: VirtualTable, frame: Frame, tip_mm: float | None = None, y_mm: float = 327.5) -> Image:
    """The frame with an arm over the right edge as far as a tip, or whose hand goes to and fro there by 15 mm."""
    width = table.board.size[0]
    x = tip_mm if tip_mm is not None else width - 60 + 15 * math.sin(9 * frame.time_s)
    rim = [(width + 150, y_mm - 27), (x, y_mm - 17), (x, y_mm + 17), (width + 150, y_mm + 27)]
    arm = np.array([(*corner, 20.0) for corner in rim])
    image = frame.image.copy()
    cv2.fillPoly(image, [np.rint(table.pose.image_from_board(arm)).astype(np.int32)], (110, 140, 190), cv2.LINE_AA)
    return image


def test_a_board_without_numbers_has_pucks_without_numbers() -> None:
    text = "\n".join(f"{line.split('=')[0]}= []" if line.startswith(("mercenaries", "explorers")) else line
                     for line in BOARD_TEXT.splitlines())  # fmt: skip
    board = parse_board(text)
    assert not board.numbered
    pucks = [lying("red-a", 150, 450), lying("green-a", 230, 455), lying("green-b", 500, 500)]
    scene = watch(board, pucks, [{"do": "flick", "puck": "red-a", "angle_deg": 0.0, "speed_mm_s": 900}])
    (started,) = scene.of("shot_started")
    assert started["puck"] == named(scene, 1, "red-a")
    assert {p["number"] for e in scene.of("shot_started", "shot_ended") for p in e["pucks"]} == {None}
    told = {frozenset((e["puck"], e["other"])) for e in scene.of("contact")}
    assert told == {frozenset((started["puck"], named(scene, 1, "green-a")))}


def test_a_film_without_the_boards_markers_is_refused_in_one_line() -> None:
    tracker = Tracker(BOARD, frame_size=(640, 360), fps=30.0)
    rng = np.random.default_rng(1)
    for index in range(8):
        image = rng.integers(60, 90, (360, 640, 3), np.uint8)
        assert tracker.update(Frame(index, (index + 0.5) / 30, image)) == []
    assert tracker.live().state == "searching"
    with pytest.raises(BoardNotSeen) as caught:
        tracker.finish()
    assert str(caught.value).strip()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("pictures", "told"), [(0, "before its first frame"), (1, "ended: 1; expected 3"), (2, "ended: 2; expected 3")]
)
def test_a_source_with_too_few_frames_is_a_board_not_seen(pictures: int, told: str) -> None:
    tracker = Tracker(BOARD, frame_size=(640, 360), fps=30.0)
    for index in range(pictures):
        tracker.update(Frame(index, (index + 0.5) / 30, np.full((360, 640, 3), 90, np.uint8)))
    with pytest.raises(BoardNotSeen, match=told):
        tracker.finish()


def test_the_overlay_is_drawn_on_a_copy() -> None:
    table = VirtualTable(BOARD, seed=4, pucks=[lying("red-1", 150, 450)], reefs=())
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose)
    frames = list(itertools.islice(table.frames(), 8))
    for frame in frames:
        tracker.update(frame)
    image = frames[-1].image
    before = image.copy()
    overlay = tracker.draw_overlay(image)
    assert np.array_equal(image, before)
    assert overlay.shape == image.shape
    assert not np.array_equal(overlay, image)
    seen = tracker.live().pucks
    assert [(type(p), p.team) for p in seen] == [(PuckSeen, "red")]
    assert math.dist((seen[0].x_mm, seen[0].y_mm), (150, 450)) < AT_REST_MM


def told_of(
    folder: Path, seen: Callable[[Frame], Image] = lambda frame: frame.image, since_s: float = 0.0,
    until_s: float = math.inf,
) -> list[Event]:  # fmt: skip
    """What is told of a film in a folder, or of a part of it, each frame of which shows what a camera makes of it."""
    board, source = load_board(folder / "board.toml"), open_film(folder / "clip.mp4")
    tracker = Tracker(board, frame_size=source.size, fps=source.fps, lens=load_lens(folder / "lens.json"))
    frames = itertools.takewhile(lambda frame: frame.time_s < until_s, source.frames())
    frames = (frame for frame in frames if frame.time_s > since_s)
    events = [e for frame in frames for e in tracker.update(replace(frame, image=seen(frame)))]
    source.close()
    return events + tracker.finish()


def shifted(image: Image, x: float, y: float) -> Image:
    """A picture that lies so many pixels further."""
    shift, size = np.array([[1, 0, x], [0, 1, y]]), image.shape[1::-1]
    moved = cv2.warpAffine(image, shift, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.uint8)


def verdicts_on(truth: dict[str, Any], events: Sequence[Event]) -> list[str]:
    return decided(truth, [json.loads(event_to_line(e)) for e in events])


def test_a_film_of_play_is_decided_rightly_three_times_out_of_four(play: Play) -> None:
    truth = play.truth
    events = told_of(play.folder)
    verdicts = verdicts_on(truth, events)
    assert len(truth["shots"]) == 4
    assert verdicts.count("right") >= 3, verdicts
    assert "invented" not in verdicts
    numbers = [e.shot for e in events if isinstance(e, ShotStarted)]
    assert numbers == sorted(set(numbers)) == [e.shot for e in events if isinstance(e, ShotEnded)]


def test_play_is_told_from_a_moment_on_in_which_a_hand_is_over_the_board(play: Play) -> None:
    """What the hand hid comes to light, and it leaves nothing where it was: only what hands truly did is told."""
    truth = play.truth
    for number in (1, 2):
        shots = truth["shots"][number:]
        events = told_of(play.folder, since_s=shots[0]["t_start"] - 0.6)
        assert verdicts_on({**truth, "shots": shots}, events)[1:] == ["right"] * (len(shots) - 1)
        assert [e.type for e in events if e.type.startswith("puck_")] == ["puck_removed", "puck_placed"]


def test_play_is_told_under_lamps_that_leave_stripes_by_a_camera_that_sways(tmp_path: Path) -> None:
    look = replace(look_for("webcam", 24013), flicker=0.06, sway_px=1.2)
    truth = make_film(tmp_path / "clip.mp4", seed=24013, shots=3, look=look)
    events = told_of(tmp_path)
    assert verdicts_on(truth, events) == ["right"] * 3
    assert not [e for e in events if e.type == "camera_moved"]


def test_play_is_told_from_a_stream_that_is_coded_hard(tmp_path: Path) -> None:
    make_film(tmp_path / "film" / "clip.mp4", seed=24139, shots=2, tier="webcam")
    vary(tmp_path / "film", tmp_path / "stream", "stream")
    truth = json.loads((tmp_path / "film" / "truth.json").read_text(encoding="utf-8"))
    assert verdicts_on(truth, told_of(tmp_path / "stream")) == ["right"] * 2


def test_a_picture_that_never_rests_is_said_to_be_one(play: Play) -> None:
    """As under lamps that flicker without any pattern."""
    noise = [np.random.default_rng(k).integers(0, 60, (45, 80), dtype=np.uint8) for k in range(9)]

    def restless(frame: Frame) -> Image:
        rough = cv2.resize(noise[frame.index % len(noise)], frame.image.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        return np.asarray(cv2.add(frame.image, cv2.merge([rough] * 3)), dtype=np.uint8)

    board, source = load_board(play.folder / "board.toml"), open_film(play.folder / "clip.mp4")
    tracker = Tracker(board, frame_size=source.size, fps=source.fps, lens=load_lens(play.folder / "lens.json"))
    for frame in source.frames():
        assert not tracker.update(replace(frame, image=restless(frame)))
        if frame.time_s < 5.0:
            assert not tracker.doubts
        elif frame.time_s > 8.0:
            break
    source.close()
    assert "has not rested since, for 7.9 s" in tracker.unrested
    assert tracker.doubts == (tracker.unrested,)


def test_play_is_told_by_a_camera_that_trembles_and_swings_all_the_time(play: Play) -> None:
    truth = play.truth

    def swinging(frame: Frame) -> Image:
        since = frame.time_s % 1.3
        x = math.exp(-since / 0.25) * math.sin(44 * since) + 0.24 * math.sin(27 * frame.time_s)
        return shifted(frame.image, x, 0.4 * x + 0.24 * math.sin(55 * frame.time_s))

    events = told_of(play.folder, swinging)
    assert verdicts_on(truth, events) == ["right"] * 4
    assert not [e for e in events if e.type == "camera_moved"]


def test_play_is_told_though_a_camera_gives_each_frame_twice(play: Play) -> None:
    truth = play.truth
    given: list[Image] = []

    def twice(frame: Frame) -> Image:
        if frame.index % 2 == 0:
            given[:] = [frame.image]
        return given[0]

    verdicts = verdicts_on(truth, told_of(play.folder, twice))
    assert not {"wrong", "unseen", "invented"} & set(verdicts), verdicts
    assert verdicts.count("right") >= 3, verdicts


def test_a_board_is_found_by_a_camera_that_trembles_from_the_first_frame_on() -> None:
    pucks = [lying("red-1", 150, 450), lying("green-1", 480, 200)]
    table = VirtualTable(BOARD, look=replace(look_for("standard", 3), size=(1280, 720)), seed=3, seconds=1.5,
                         pucks=pucks, reefs=())  # fmt: skip
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, lens=table.lens)
    told: list[Event] = []
    for frame in table.frames():
        x, y = 0.5 * math.sin(27 * frame.time_s), 0.4 * math.sin(40 * frame.time_s + 1)
        told += tracker.update(replace(frame, image=shifted(frame.image, x, y)))
    seen_at = sorted((p.team, p.x_mm, p.y_mm) for p in tracker.live().pucks)
    assert [team for team, *_ in seen_at] == ["green", "red"]
    for (_, x, y), place in zip(seen_at, [(480, 200), (150, 450)], strict=True):
        assert math.dist((x, y), place) < AT_REST_MM
    assert not [e for e in told if e.type == "camera_moved"]


def test_a_hand_that_knocks_the_camera_is_not_taken_for_the_board() -> None:
    """The camera settles while the hand still rests on the board; then the hand goes, and a shot follows."""
    pucks = [lying("red-1", 150, 450), lying("green-1", 230, 458), lying("green-2", 480, 200)]
    commands: list[dict[str, Any]] = [
        {"do": "remove", "puck": "green-2"},
        {"do": "place", "puck": "green-2", "x_mm": 320.0, "y_mm": 200.0},
        {"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 900},
    ]
    scene = watch(BOARD, pucks, commands, by_markers=True, knock_in=2)
    moved = scene.of("camera_moved")
    assert moved[-1]["recovered"]
    assert [e["type"] for e in scene.of("puck_removed", "puck_placed", "puck_moved")] == ["puck_removed", "puck_placed"]
    (placed,) = scene.of("puck_placed")
    assert math.dist((placed["x_mm"], placed["y_mm"]), (320.0, 200.0)) < HAND_MM
    (ended,) = scene.of("shot_ended")
    assert (ended["needs_review"], len(scene.of("contact"))) == (False, 1)


def test_a_shot_is_seen_that_is_played_while_the_camera_is_just_found_again() -> None:
    """The hand that is about to flick knocks the camera: it is on the board when the board is looked at anew."""
    pucks = [lying("red-1", 150, 450), lying("green-1", 230, 458), lying("green-2", 480, 200)]
    flick = {"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 900}
    scene = watch(BOARD, pucks, [flick], by_markers=True, knock_in=1)
    assert scene.of("camera_moved")[-1]["recovered"]
    assert scene.of("puck_removed", "puck_placed", "puck_moved") == []
    (ended,) = scene.of("shot_ended")
    assert (ended["needs_review"], len(scene.of("contact"))) == (False, 1)


@pytest.mark.parametrize("speed", [900.0, 2500.0])
def test_a_shot_in_which_the_camera_is_knocked_goes_to_review(speed: float) -> None:
    """The slower puck strikes another; the faster goes over the rim while the camera sways."""
    pucks = [lying("red-1", 150, 450), lying("green-1", 230, 458), lying("green-2", 480, 200)]
    flick = {"do": "flick", "puck": "red-1", "angle_deg": 0.0 if speed < 1000 else 90.0, "speed_mm_s": speed}
    scene = watch(BOARD, pucks, [flick], by_markers=True, knock_in=1, knock_after_s=SHOT_AFTER_S)
    (shot,) = scene.truth["shots"]
    assert shot["t_start"] < scene.truth["camera_bump"] < shot["t_end"]
    assert scene.of("camera_moved")[-1]["recovered"]
    (started,), (ended,) = scene.of("shot_started"), scene.of("shot_ended")
    assert abs(started["t"] - shot["t_start"]) < TIME_S
    red = next(p["puck"] for p in started["pucks"] if p["team"] == "red")
    assert started["puck"] == red
    assert (ended["needs_review"], ended["reasons"][0]) == (True, "the camera was knocked during the shot")
    assert scene.of("puck_removed", "puck_placed", "puck_moved") == []
    lies = [p for p in ended["pucks"] if p["puck"] == red]
    assert len(lies) == (1 if "red-1" in shot["end"] else 0)


@pytest.mark.parametrize("knock_after_s", [0.9, 1.05])
def test_a_puck_flicked_over_the_edge_while_the_camera_sways_is_asked_about(knock_after_s: float) -> None:
    """Nothing was seen of it but the hand that waited beside it."""
    pucks = [lying("red-1", 585, 450), lying("green-1", 230, 458), lying("green-2", 480, 200)]
    flick = {"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 2300}
    scene = watch(BOARD, pucks, [flick], by_markers=True, knock_in=1, knock_after_s=knock_after_s)
    (shot,) = scene.truth["shots"]
    assert scene.truth["camera_bump"] < shot["t_start"]
    (started,), (ended,), (left,) = (scene.of(kind) for kind in ("shot_started", "shot_ended", "left_board"))
    assert started["puck"] == left["puck"] == next(p["puck"] for p in started["pucks"] if p["team"] == "red")
    assert (ended["needs_review"], ended["reasons"][0]) == (True, "the camera was knocked during the shot")
    assert scene.of("puck_removed", "puck_placed", "puck_moved") == []


@pytest.mark.parametrize("knock_after_s", [0.3, 0.5, 0.65])
def test_a_puck_that_a_hand_lifts_while_the_camera_sways_was_not_shot(knock_after_s: float) -> None:
    pucks = [lying("red-1", 585, 450), lying("green-1", 230, 458)]
    scene = watch(BOARD, pucks, [{"do": "remove", "puck": "red-1"}], by_markers=True, knock_in=1,
                  knock_after_s=knock_after_s)  # fmt: skip
    assert abs(scene.truth["camera_bump"] - scene.truth["hand"][0]["t"]) < 0.25
    assert scene.of("shot_started") == []
    assert [e["team"] for e in scene.of("puck_removed")] == ["red"]


def test_a_camera_knocked_after_a_hand_took_a_puck_invents_no_shot() -> None:
    pucks = [lying("red-1", 150, 450), lying("green-2", 320, 200)]
    scene = watch(BOARD, pucks, [{"do": "remove", "puck": "green-2"}], by_markers=True, knock_in=1,
                  knock_after_s=TAKEN_AFTER_S)  # fmt: skip
    assert scene.of("camera_moved")[-1]["recovered"]
    assert scene.of("shot_started") == []
    assert [e["team"] for e in scene.of("puck_removed")] == ["green"]


def test_a_shot_on_a_smooth_board_before_a_fast_camera_is_one_shot() -> None:
    """At last the puck goes by less than a tenth of a pixel from frame to frame."""
    pucks = [lying("red-1", 150, 450), lying("green-1", 330, 455)]
    table = VirtualTable(BOARD, size=(640, 360), fps=120.0, seed=4, pucks=pucks, reefs=(),
                         material=Material(deceleration_mm_s2=250.0))  # fmt: skip
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    waiting = [{"do": "flick", "puck": "red-1", "angle_deg": 90.0, "speed_mm_s": 280}]
    events, rest_until = list[Event](), 0.5
    for frame in table.frames():
        events += tracker.update(frame)
        rest_until = frame.time_s + 0.5 if table.busy else rest_until
        if frame.time_s > rest_until and not waiting:
            break
        if frame.time_s > rest_until:
            table.command(waiting.pop())
            rest_until += 1.0
    (ended,) = [e for e in events if isinstance(e, ShotEnded)]
    assert not [e for e in events if isinstance(e, ByHand)]
    (shot,) = table.truth()["shots"]
    assert abs(ended.t - shot["t_rest"]) < CREEPS_S


def test_a_puck_that_is_lost_is_looked_for_as_soon_as_it_can_no_longer_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not first when the board has lain still for twice as long as at the look before: by then a next shot may run."""
    looks: list[float] = []

    def lost(scene: vision.watch.Scene) -> Episode:
        looks.append(scene.records[-1].time_s)
        return replace(solve(scene), lost_s=looks[0] - LOST_AGO_S)

    monkeypatch.setattr(vision.settling, "solve", lost)
    watch(BOARD, [lying("red-1", 150, 450)], [{"do": "remove", "puck": "red-1"}])
    due_s = looks[0] - LOST_AGO_S + LOST_S
    assert all(look < due_s for look in looks[:-1])
    assert due_s <= looks[-1] < due_s + 2 / 30


def test_a_shot_is_explained_with_the_reefs_that_lie_on_the_board() -> None:
    table = VirtualTable(BOARD, seed=4, pucks=[lying("red-1", 150, 450)])
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    told: list[Event] = []
    for frame in itertools.islice(table.frames(), 300):
        told += tracker.update(frame)
        if frame.index == 60:
            table.command({"do": "flick", "puck": "red-1", "angle_deg": -20.0, "speed_mm_s": 500})
        if tracker.explained is not None:
            break
    assert tracker.explained is not None
    (seen,) = (e for e in told if isinstance(e, ReefsSeen))
    assert len(seen.reefs) == len(table.reefs) > 0
    assert tracker.explained.reefs == seen.reefs


def test_what_glints_for_a_moment_does_not_put_off_the_look_for_reefs() -> None:
    """A glint three times a second, where no puck lies: the board never lies still for half a second on end."""
    table = VirtualTable(BOARD, seed=4, pucks=[lying("red-1", 150, 450)])
    x, y = np.rint(table.pose.image_from_board(np.array([[380.0, 560.0, 0.0]]))[0]).astype(int)
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    told: dict[str, Event] = {}
    for frame in itertools.islice(table.frames(), 45):
        if frame.index % 10 == 9:
            frame.image[y - 6 : y + 6, x - 6 : x + 6] = 255
        told |= {type(e).__name__: e for e in tracker.update(frame)}
    assert list(told) == ["ReefsSeen"]
    assert len(told["ReefsSeen"].reefs) == len(table.reefs)  # type: ignore[attr-defined]


def test_a_puck_that_seems_to_reach_in_over_the_border_is_no_hand_that_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All that has changed seems to, but for what is found to be a puck."""
    monkeypatch.setattr(BoardAtRest, "hand_reaches_in", lambda _, change, lie=(): not lie and cv2.hasNonZero(change))
    monkeypatch.setattr(BoardAtRest, "reaching_in", lambda _, change: np.asarray(change > 0, dtype=np.uint8))
    pucks = [lying("red-1", 150, 14.5), lying("green-1", 200, 200), lying("red-2", 300, 580)]
    table = VirtualTable(BOARD, seed=4, pucks=pucks, reefs=(), material=Material())
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    told: list[tuple[float, ShotEnded]] = []
    for frame in table.frames():
        if frame.index == round(REST_S * table.fps):
            table.command({"do": "flick", "puck": "red-1", "angle_deg": 0.0, "speed_mm_s": 900})
        told += [(frame.time_s, e) for e in tracker.update(frame) if isinstance(e, ShotEnded)]
        if told or frame.time_s > 6.0:
            break
    (shot,) = table.truth()["shots"]
    ((time_s, ended),) = told
    assert time_s - shot["t_rest"] < TOLD_S + 1 / table.fps
    assert not ended.reasons


def test_a_look_at_what_may_be_a_puck_at_the_border_tells_nothing_that_hands_did(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hand that is hardly seen may be doing it still: that is told when the board is looked at in its turn."""
    monkeypatch.setattr(Tracker, "_only_at_edge", lambda *_: True)
    monkeypatch.setattr(Patience, "due", lambda *_, **__: False)
    pucks = [lying("red-1", 150, 300), lying("green-1", 200, 200), lying("red-2", 300, 580)]
    table = VirtualTable(BOARD, seed=4, pucks=pucks, reefs=(), material=Material())
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    told: list[Event] = []
    for frame in table.frames():
        if frame.index == round(REST_S * table.fps):
            table.command({"do": "remove", "puck": "green-1"})
        told += tracker.update(frame)
        if frame.time_s > 5.0:
            break
    assert [type(e) for e in told] == [ReefsSeen]
    monkeypatch.undo()
    told = []
    for frame in table.frames():
        told += tracker.update(frame)
        if told or frame.time_s > 7.0:
            break
    assert [type(e) for e in told] == [PuckRemoved]


def test_a_hand_in_the_dark_that_hardly_differs_from_the_rim_is_still_waited_for(tmp_path: Path) -> None:
    """Little is seen of it at the border, as of a puck over it; its finger lies on one, and slides that."""
    truth = make_film(tmp_path / "clip.mp4", seed=24261, tier="dim", seconds=5.4)
    (slid,) = [deed for deed in truth["hand"] if "slid" in deed]
    (deed,) = [e for e in told_of(tmp_path) if isinstance(e, ByHand)]
    assert isinstance(deed, PuckMoved)
    assert math.dist((deed.x_mm, deed.y_mm), slid["at"]) < 1.0
