"""A virtual table with sensors whose camera cannot see one door: frames, felt edges over a bad line, one account."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.board import Board
from companion.fusion import Fact, Fusion
from companion.fusion_sensors import SensorFusion
from companion.sensor_desk import input_of
from firmware_bridge.bridge import Bridge
from firmware_bridge.session import Item
from firmware_bridge.virtual_board import VirtualBoard
from firmware_bridge.virtual_port import VIRTUAL_PORT, Faults, VirtualPort
from vision.frames import Frame, Image
from vision.pipeline import Tracker
from vision.virtual_table.physics import Puck
from vision.virtual_table.table import VirtualTable

FELT = (60, 60, 60)  # the blindfold: a grey cloth over the corner
LINE = Faults(lost=0.003, flipped=0.004, doubled=0.003)


@dataclass(frozen=True, slots=True)
class Try:
    """One flick at a door: what truly went in, and what the account says."""

    true: frozenset[tuple[str, str]]
    told: frozenset[tuple[str, str]]
    review: bool
    reasons: tuple[str, ...]


class TableTime:
    """The bridge's clock is the table's; waiting costs nothing but moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Sensed:
    """Board, bad line, bridge and fusion of the sensors, driven by what the table's sensors feel."""

    def __init__(self, board: Board, seed: int) -> None:
        self.time = TableTime()
        self.fusion = SensorFusion(board)
        self._board = VirtualBoard(clock=self.time)
        port = VirtualPort(self._board, faults=LINE, rng=random.Random(seed), clock=self.time, sleep=self.time.sleep)
        self._bridge = Bridge(self._take, find=lambda: VIRTUAL_PORT, open_port=port.open, clock=self.time)

    def _take(self, items: list[Item]) -> bool:
        for item in items:
            self.fusion.feel(item, item.host_s)
        return True

    def feel(self, table: VirtualTable, until_s: float) -> None:
        """Up to a frame's time."""
        for felt in table.felt():
            self._board.set(input_of(felt), felt.active, felt.time_s)
        while self.time.now < until_s:
            self._bridge.step()
        self.fusion.hearing = self._bridge.state().state == "connected"


def covered(image: Image, table: VirtualTable, board: Board, door: int) -> Image:
    """The picture with a cloth over a door and its sanctuary."""
    zone = board.zone(board.doors[door].zone_name)
    assert zone is not None
    assert zone.polygon is not None
    middle = np.mean(board.doors[door].line, axis=0)
    corners = np.array([*zone.polygon], np.float64)
    corners = np.vstack([corners + (middle - corners.mean(axis=0)) * s for s in (0.0, 1.0)])
    hull = cv2.convexHull(corners.astype(np.float32))[:, 0]
    pixels = table.pose.image_from_board(np.column_stack([hull, np.full(len(hull), 9.0)]))
    image = image.copy()
    cv2.fillConvexPoly(image, np.round(pixels).astype(np.int32), FELT, cv2.LINE_AA)
    return image


def flick_at(board: Board, door: int, rng: random.Random, key: str) -> tuple[Puck, float, float]:
    """A puck some way before a door, and a flick: angle and speed, so that it goes in, turns back or misses."""
    d = board.doors[door]
    middle = np.mean(d.line, axis=0)
    inwards = (np.array(d.inside) - middle) / math.dist(d.inside, middle)
    side = np.array([-inwards[1], inwards[0]])
    start = middle - inwards * rng.uniform(95, 150) + side * rng.uniform(-25, 25)
    aim = middle + side * rng.uniform(-7, 7) - start
    team, number = key.split("-")
    puck = Puck(key, team, int(number), float(start[0]), float(start[1]))
    return puck, math.degrees(math.atan2(aim[1], aim[0])), rng.uniform(600, 1500)


def tries(board: Board, door: int, count: int, *, seed: int, blind: bool = True, with_sensors: bool = True,
          size: tuple[int, int] = (1280, 720)) -> Iterator[Try]:  # fmt: skip
    """Flicks at one door, one after the other, each on a table of its own."""
    rng = random.Random(seed)
    for n in range(count):
        puck, angle, speed = flick_at(board, door, rng, f"red-{3 + n % 5}")
        others = [Puck("green-4", "green", 4, 325.0, 120.0), Puck("red-1", "red", 1, 325.0, 530.0)]
        table = VirtualTable(board, size=size, seed=seed + n, pucks=[puck, *others], reefs=[], sensors=True,
                             seconds=5.5)  # fmt: skip
        tracker = Tracker(board, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
        yield one_try(board, table, tracker, door if blind else None, (puck.key, angle, speed), seed + n, with_sensors)


def one_try(board: Board, table: VirtualTable, tracker: Tracker, blind: int | None,
            flick: tuple[str, float, float], seed: int, with_sensors: bool) -> Try:  # fmt: skip
    """Plays one flick through table, camera, sensors and both fusions."""
    sensed, fusion, facts = Sensed(board, seed), Fusion(), list[Fact]()
    ordered = False
    names = {}
    for frame in table.frames():
        if not ordered and frame.time_s > 1.2:
            table.command({"do": "flick", "puck": flick[0], "angle_deg": flick[1], "speed_mm_s": flick[2]})
            ordered = True
        sensed.feel(table, frame.time_s)
        image = frame.image if blind is None else covered(frame.image, table, board, blind)
        live = tracker.live()
        sensed.fusion.watch(live.state, live.time_s, live.pucks)
        for event in tracker.update(Frame(frame.index, frame.time_s, image, frame.missed)):
            sensed.fusion.see(event)
            facts += [sensed.fusion.combine(f) if with_sensors else f for f in fusion.update(event)]
        if not names and tracker.live().pucks:
            names = nearest_names(table, tracker)
    for event in tracker.finish():
        facts += [sensed.fusion.combine(f) if with_sensors else f for f in fusion.update(event)]
    shots = [f.data for f in facts if f.type == "shot"]
    true = {(s["puck"], s["door"]) for s in true_doors(table)}
    told = {(names.get(d["puck"], d["puck"]), d["door"]) for s in shots for d in s["doors_in"]}
    reasons = [r for s in shots for r in s["reasons"]]
    return Try(frozenset(true), frozenset(told), not shots or any(s["needs_review"] for s in shots), tuple(reasons))


def nearest_names(table: VirtualTable, tracker: Tracker) -> dict[str, str]:
    """Vision's ids -> the table's keys, by where they lie."""
    lying = table.lying()
    return {p.puck: min(lying, key=lambda q: math.dist((q.x_mm, q.y_mm), (p.x_mm, p.y_mm))).key
            for p in tracker.live().pucks}  # fmt: skip


def true_doors(table: VirtualTable) -> list[dict[str, str]]:
    """Who truly went in where."""
    return [d for s in table.truth()["shots"] for d in s["crossings"] if d["direction"] == "in"]
