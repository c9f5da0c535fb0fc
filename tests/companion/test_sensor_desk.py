"""Sensors in the companion: journalled before they are acknowledged, fused, told to players and to /healthz."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.app import Companion
from companion.journal import Entry
from companion.sensor_desk import ENTRY, KNOCKS_KEPT, SensorDesk, marks_in
from companion.sensor_trust import FLICKER_EDGES
from firmware_bridge.inputs import GATE, KNOCK, OUTER, beam, label
from firmware_bridge.session import Item, Mark, SensorEvent
from tests.companion.fed_companion import BOARD, Fed, TableInView, config_for
from tests.firmware_bridge.simulator.board import RealtimeBoard
from tests.firmware_bridge.simulator.build import needs_firmware
from vision.virtual_table.beams import Felt
from vision.worker_messages import FeltMessage

LIMIT_S = 10.0


def companion_with(tmp_path: Path, sensors: str) -> tuple[Companion, Fed, TableInView]:
    """A companion that runs, with its vision fed by hand."""
    fed, view = Fed(), TableInView()
    companion = Companion(replace(config_for(tmp_path), sensors=sensors), fed)
    companion.start()
    return companion, fed, view


def until(companion: Companion, true: Callable[[], bool]) -> None:
    """Waits for something that follows from the journal or the bridge."""
    end_s = time.monotonic() + LIMIT_S
    while not true():
        assert time.monotonic() < end_s, companion.health()
        companion.wait_for(companion.last_id(), 0.05)


def sensed(companion: Companion) -> list[tuple[str, bool]]:
    return [(e.data["sensor"], e.data["active"]) for e in companion.entries_after(0) if e.type == ENTRY]


def through(view: TableInView, door: int) -> FeltMessage:
    """A puck has just gone in."""
    t = view.time_s
    felt = tuple(Felt(t - dt, "beam", active, door, inner) for dt, inner, active in
                 ((0.04, False, True), (0.03, True, True), (0.02, False, False), (0.01, True, False)))  # fmt: skip
    return FeltMessage(felt, t)


def test_what_the_virtual_tables_sensors_feel_is_journalled_and_raises_a_doors_confidence(tmp_path: Path) -> None:
    companion, fed, view = companion_with(tmp_path, "virtual")
    until(companion, lambda: companion.health()["sensors"]["state"] == "connected")
    view.time_s = 5.0
    door = BOARD.doors[0].name
    shot = view.shot("green-3", doors=[("green-3", door)])
    fed.put(view.live(), through(view, 0))
    until(companion, lambda: len(sensed(companion)) == 4)
    fed.put(*shot)
    until(companion, lambda: any(e.type == "shot" for e in companion.entries_after(0)))
    told = next(e for e in companion.entries_after(0) if e.type == "shot").data
    companion.stop()
    assert sensed(companion) == [
        (f"{door} outer beam", True), (f"{door} inner beam", True),
        (f"{door} outer beam", False), (f"{door} inner beam", False),
    ]  # fmt: skip
    assert [(s["at"], s["by"]) for s in told["sensors"]] == [(door, "both")]
    assert not told["needs_review"]


def test_a_door_that_only_the_camera_saw_is_asked_about(tmp_path: Path) -> None:
    companion, fed, view = companion_with(tmp_path, "virtual")
    until(companion, lambda: companion.health()["sensors"]["state"] == "connected")
    fed.put(view.live())
    fed.put(*view.shot("green-3", doors=[("green-3", BOARD.doors[0].name)]))
    until(companion, lambda: any(e.type == "shot" for e in companion.entries_after(0)))
    told = next(e for e in companion.entries_after(0) if e.type == "shot").data
    companion.stop()
    assert told["needs_review"]
    assert "the beams there did not" in told["reasons"][0]


def test_what_the_sensors_have_to_tell_is_told_while_vision_says_nothing(tmp_path: Path) -> None:
    """The film is over, or the camera takes long to open."""
    companion, _, _ = companion_with(tmp_path, "virtual")
    until(companion, lambda: companion.health()["sensors"]["state"] == "connected")
    companion._sensors._virtual.reboot()  # type: ignore[union-attr]
    until(companion, lambda: any(e.type == "note" for e in companion.entries_after(0)))
    told = next(e for e in companion.entries_after(0) if e.type == "note").data
    companion.stop()
    assert "it has started anew" in told["en"]


def test_without_sensors_health_says_none_and_nothing_runs(tmp_path: Path) -> None:
    companion, _, _ = companion_with(tmp_path, "none")
    health = companion.health()
    threads = [t.name for t in threading.enumerate()]
    companion.stop()
    assert health["sensors"] == {"state": "none"}
    assert "sensor bridge" not in threads


def test_a_port_that_is_not_there_is_looked_for_and_told(tmp_path: Path) -> None:
    companion, _, _ = companion_with(tmp_path, str(tmp_path / "ttyNONE"))
    until(companion, lambda: "there is no such port" in companion.health()["sensors"].get("detail", ""))
    health = companion.health()
    companion.stop()
    assert health["sensors"]["state"] == "searching"
    assert health["status"] in ("ok", "degraded")


def test_a_journal_that_fails_keeps_the_event_on_the_board() -> None:
    """Nothing is acknowledged that is not kept: it is offered again."""
    kept: list[str] = []
    answers = [False, False, True]
    came = threading.Event()

    def keep(items: list[tuple[str, dict[str, object]]]) -> bool:
        answer = answers.pop(0) if answers else True
        if answer:
            kept.extend(str(body["sensor"]) for _, body in items)
            came.set()
        return answer

    desk = SensorDesk(BOARD, "virtual", keep)
    desk.start()
    desk.take(FeltMessage((Felt(1.0, "gate", True),), 1.0), lambda: None)
    assert came.wait(LIMIT_S)
    desk.stop()
    assert kept == ["gate"]


def test_an_input_that_we_do_not_know_is_kept_and_stops_nothing() -> None:
    """A board that somebody built with more sensors: sixteen inputs can be told."""
    kept: list[dict[str, Any]] = []

    def keep(items: list[tuple[str, dict[str, Any]]]) -> bool:
        kept.extend(body for _, body in items)
        return True

    desk = SensorDesk(BOARD, "virtual", keep)
    items: list[Item] = [SensorEvent(1, 1, n, n, 1.0, number, True) for n, number in enumerate((15, GATE))]
    assert desk._deliver(items)
    assert [body["sensor"] for body in kept] == ["input F", "gate"]


def test_what_the_board_kept_for_a_companion_that_is_started_again_belongs_to_no_shot() -> None:
    """It comes before the first picture, by the host's clock, which is far ahead of the pictures'."""
    desk, view, now = SensorDesk(BOARD, "virtual", lambda items: True), TableInView(), time.monotonic()
    outer = beam(0, OUTER)

    def edge(n: int, host_s: float) -> Item:
        return SensorEvent(1, 1, n, n, host_s, outer, n % 2 == 0)

    assert desk._deliver([edge(n, now + n * 0.01) for n in range(FLICKER_EDGES + 2)])
    assert desk.health()["set_aside"] == [label(outer, desk._fusion.doors)]
    told = desk.take(view.live(), lambda: None)
    assert "flickers" in told[0].data["en"]
    assert "set_aside" not in desk.health()
    assert desk._deliver([edge(n, time.monotonic()) for n in range(2)])
    assert [round(felt.t - view.time_s) for felt in desk._fusion._edges] == [0, 0]


def test_a_sensor_that_flickers_without_end_is_journalled_as_a_count() -> None:
    """Music on the table, for an evening: what else happens is kept as ever, and so is the last number of all."""
    kept: list[dict[str, Any]] = []

    def keep(items: list[tuple[str, dict[str, Any]]]) -> bool:
        kept.extend(body for _, body in items)
        return True

    desk, now, beats = SensorDesk(BOARD, "virtual", keep), time.monotonic(), 2000
    for n in range(beats):
        assert desk._deliver([SensorEvent(1, 1, n, n, now + n * 0.02, KNOCK, n % 2 == 0)])
    assert desk._deliver([SensorEvent(1, 1, beats, 0, now + 41.0, GATE, True)])
    assert desk._deliver([SensorEvent(1, 1, beats + 1, 0, now + 41.0, KNOCK, True)])
    desk.stop()
    assert len(kept) < FLICKER_EDGES + 10
    assert sum(body.get("edges", 1) for body in kept) == beats + 2
    assert [body["sequence"] for body in kept] == sorted(body["sequence"] for body in kept)
    assert [(body["sensor"], body["sequence"]) for body in kept[-2:]] == [("gate", beats), ("knock", beats + 1)]


def test_a_drum_that_strikes_the_table_a_few_times_a_second_is_journalled_as_a_count() -> None:
    """Too seldom to flicker, but all evening. The journal may fail in between, and is offered the same again."""
    kept: list[dict[str, Any]] = []
    offers = itertools.count(1)

    def keep(items: list[tuple[str, dict[str, Any]]]) -> bool:
        if next(offers) % 10 == 0:
            return False
        kept.extend(body for _, body in items)
        return True

    desk, now, edges = SensorDesk(BOARD, "virtual", keep), time.monotonic(), 2000
    for n in range(edges):
        while not desk._deliver([SensorEvent(1, 1, n, n, now + n * 0.2, KNOCK, n % 2 == 0)]):
            pass
    assert desk._deliver([SensorEvent(1, 1, edges, 0, now + edges * 0.2 + 61.0, KNOCK, True)])
    desk.stop()
    assert len(kept) < KNOCKS_KEPT + 10
    assert sum(body.get("edges", 1) for body in kept) == edges + 1
    assert [body["sequence"] for body in kept][-2:] == [edges - 1, edges]


def test_a_gate_that_wobbles_all_evening_is_journalled_as_a_count() -> None:
    kept: list[dict[str, Any]] = []

    def keep(items: list[tuple[str, dict[str, Any]]]) -> bool:
        kept.extend(body for _, body in items)
        return True

    desk, now, edges = SensorDesk(BOARD, "virtual", keep), time.monotonic(), 2000
    for n in range(edges):
        assert desk._deliver([SensorEvent(1, 1, n, n, now + n * 0.25, GATE, n % 2 == 0)])
    desk.stop()
    assert len(kept) < FLICKER_EDGES + 10
    assert sum(body.get("edges", 1) for body in kept) == edges
    assert desk.health()["set_aside"] == ["gate"]


def test_what_is_wrong_is_told_to_pages_in_both_languages(tmp_path: Path) -> None:
    desk = SensorDesk(BOARD, str(tmp_path / "ttyNONE"), lambda items: True)
    desk.start()
    end_s = time.monotonic() + LIMIT_S
    while "told" not in desk.health():
        assert time.monotonic() < end_s
    told = desk.health()["told"]
    desk.stop()
    assert "there is no such port; plug the sensor board in" in told["en"]
    assert "ce port n’existe pas ; branchez la carte des capteurs" in told["fr"]


def test_marks_are_found_in_the_journal() -> None:
    entries = [
        Entry(1, ENTRY, "", {"board": "0000000A", "boot": 3, "sequence": 0xFF80}),
        Entry(2, "note", "", {}),
        Entry(3, ENTRY, "", {"board": "0000000A", "boot": 3, "sequence": None, "gap": "silent"}),
        Entry(4, ENTRY, "", {"board": "0000000A", "boot": 3, "sequence": 0xFF81}),
    ]
    assert marks_in(entries) == {10: Mark(3, 0xFF81)}


def test_the_real_firmware_serves_a_companion_and_lights_the_side_to_play(tmp_path: Path) -> None:
    needs_firmware()
    board = RealtimeBoard()
    companion, fed, view = companion_with(tmp_path, board.port)
    until(companion, lambda: companion.health()["sensors"]["state"] == "connected")
    fed.put(view.live())
    board.pulse(8)
    until(companion, lambda: sensed(companion) == [("gate", True), ("gate", False)])
    companion.command("new_match", {"players": {"red": "Ann", "green": "Ben"}, "options": {}})
    companion.command("start_round", {"begins": "green"})
    deadline = time.monotonic() + LIMIT_S
    while board.lights() != (0, 1):
        assert time.monotonic() < deadline
        fed.put(view.live())
        companion.wait_for(companion.last_id(), 0.1)
    companion.stop()
    board.close()


def test_a_named_board_that_was_pulled_out_is_waited_for_by_its_id_and_told(tmp_path: Path) -> None:
    needs_firmware()
    board = RealtimeBoard()
    name = board.port
    companion, _, _ = companion_with(tmp_path, name)
    until(companion, lambda: companion.health()["sensors"]["state"] == "connected")
    board.pulse(8)
    until(companion, lambda: len(sensed(companion)) == 2)  # by now it has been given an id
    board.close()
    until(companion, lambda: "it is waited for" in companion.health()["sensors"].get("detail", ""))
    told = companion.health()["sensors"]["told"]
    companion.stop()
    assert told["en"].startswith(f"{name}: the sensor board (id ")
    assert told["fr"].startswith(f"{name} : la carte des capteurs (numéro ")
