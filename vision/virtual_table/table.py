"""The virtual table: a board, pucks, hands and a camera that do not exist, as a source of frames.

It stands in for a camera; nothing downstream can tell. What happens on it is asked for with `command`, and carried out
by a simulated hand, one thing after the other.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.lens import Lens
from calibration.pose import Pose
from vision.frames import Frame
from vision.virtual_table.beams import STEP_S, Felt, Sensors
from vision.virtual_table.camera import knocked, make_lens, make_pose, pushed
from vision.virtual_table.commands import Command, checked_command
from vision.virtual_table.handart import HandSeen
from vision.virtual_table.hands import Deed, Gesture, Hands, due, held_place, slide_s
from vision.virtual_table.looks import Look, look_for
from vision.virtual_table.physics import Flick, Material, Puck, Simulation
from vision.virtual_table.renderer import EXPOSURE_SAMPLES, Films, Moving, Renderer, View
from vision.virtual_table.scene import WHERE_IT_WAS, Reef
from vision.virtual_table.setup import nearest_free, place_reefs, puck_keys, scattered_pucks, start_pucks
from vision.virtual_table.truth import SETTLE_S, TruthKeeper

PAUSE_S = 0.12  # between two hands
PUSHED_BESIDE = ("grasp", "release", "slid", "passed")  # after these deeds of hands
KNOCK_SWAY = (0.55, 1.45, 0.85, 1.1, 1.0)  # a knocked camera sways for a few frames, then stays
PUSHES = 0.6  # of what hands do but flick, a push comes with so much …
PUSH_FRAMES, PUSH_SHARE, PUSH_TURN_MM = 3, 0.3, 300.0  # … takes so long, goes so far at least, and turns on such an arm
LATE_FRAMES = 2.0  # in real time, a source this late drops frames rather than lag behind
DECELERATION_MM_S2 = (2450.0, 3400.0)  # each table is as slippery as chance will have it, …
PUCK_RESTITUTION, WALL_RESTITUTION = (0.74, 0.86), (0.38, 0.55)  # … keeps so much of a blow's speed, …
RIM_SPEED_MM_S = (1700.0, 2050.0)  # … and has a rim over which faster pucks go
READOUT_ROUNDS = 3  # a puck goes little further from one row's exposure to the next one's

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Running:
    run: Simulation
    start_s: float
    want: str
    pushed: bool


class VirtualTable:
    """A FrameSource with hands. Deterministic for a seed and the same commands at the same frames.

    layout: "start" (all pucks on their circles) or "scattered". seconds: how long the film lasts (None: for ever).
    clock, sleep: only used where realtime; frames then come at their time, and late ones are left out; where patient
    the table's time waits instead, and no frame is ever left out.
    tidy: a hand picks up what went over the rim by itself. keep_positions: truth() then holds every puck's place in
    every frame, which grows with time. sensors: felt() tells what a sensor board at this table would.
    """

    def __init__(self, board: Board, *, size: tuple[int, int] = (1280, 720), fps: float = 30.0, seed: int = 0,
                 look: Look | None = None, realtime: bool = False, patient: bool = False,
                 clock: Callable[[], float] | None = None, sleep: Callable[[float], None] = time.sleep,
                 layout: str = "start", pose: Pose | None = None, reefs: Sequence[Reef] | None = None,
                 pucks: Sequence[Puck] | None = None,
                 material: Material | None = None, seconds: float | None = None,
                 keep_positions: bool = False, tidy: bool = True, sensors: bool = False) -> None:  # fmt: skip
        self.board, self.seed, self.seconds = board, seed, seconds
        self.realtime, self.patient = realtime, patient
        self.look = look if look is not None else replace(look_for("standard", seed), size=size, fps=fps)
        self.rng = random.Random(f"table {seed}")
        self._clock, self._sleep = clock or time.monotonic, sleep
        self._set_up(layout, reefs, pucks, material)
        lens = make_lens(self.look.size, self._chance("lens"))
        self.pose = pose or make_pose(board, lens, self._chance("pose"), tilt_deg=self.look.tilt_deg)
        self.hands = Hands(board, self.rng, self.look.pinch)
        self.renderer: Films = Renderer(board, self.reefs, self.pose, self.look, seed)
        keys = tuple(sorted(self._all))
        self.keeper = TruthKeeper(board, self.look, self.reefs, keep_positions, keys)
        self.keeper.camera(0.0, self.pose)
        self._lock = threading.Lock()
        self._queue: deque[dict[str, Any]] = deque()
        self._gesture: Gesture | None = None
        self._shot: _Running | None = None
        self._held: str | None = None
        self._sliding: Deed | None = None
        self._free_from, self._done_until = 0.0, -1.0
        self._knocks: list[tuple[float, Pose]] = []
        self._pushes: list[tuple[float, FloatArray]] = []
        self._stands, self._lies = self.pose, WHERE_IT_WAS  # the camera over the table, and the board on it
        self._laid = WHERE_IT_WAS  # the board after the last push that was planned
        self._push_chance = self._chance("pushes")
        self.frame_index = 0
        self._closed = False
        self._tidy = tidy
        self._sensors = Sensors(board) if sensors else None
        self._felt: list[Felt] = []
        self._felt_until, self._touches_felt = 0.0, 0

    def _set_up(self, layout: str, reefs: Sequence[Reef] | None, pucks: Sequence[Puck] | None,
                material: Material | None) -> None:  # fmt: skip
        """Lays the table; each part has its own chance, so that giving one leaves the others as they are."""
        fixed = [o.polygon for o in self.board.obstacles]
        laid = (scattered_pucks if layout == "scattered" else start_pucks)(self.board, self._chance("pucks"), fixed)
        self.reefs = tuple(place_reefs(self.board, self._chance("reefs"), laid) if reefs is None else reefs)
        pucks = laid if pucks is None else pucks
        self.walls = [*fixed, *(r.polygon for r in self.reefs)]
        spans = (DECELERATION_MM_S2, PUCK_RESTITUTION, WALL_RESTITUTION, RIM_SPEED_MM_S)
        chance = self._chance("material")
        slow, pucks_keep, walls_keep, rim = (chance.uniform(*span) for span in spans)
        self.material = material or Material(slow, pucks_keep, walls_keep, rim)
        self._on_board: dict[str, Puck] = {p.key: p for p in pucks}
        self._outside: dict[str, Puck] = {}
        self._all: dict[str, Puck] = {k: Puck(k, t, n, 0.0, 0.0) for k, t, n in puck_keys(self.board)}
        self._all.update(self._on_board)

    def _chance(self, part: str) -> random.Random:
        return random.Random(f"table {self.seed} {part}")

    # -- the source --------------------------------------------------------------------------------
    @property
    def size(self) -> tuple[int, int]:
        return self.look.size

    @property
    def fps(self) -> float:
        return self.look.fps

    @property
    def lens(self) -> Lens:
        return self.pose.lens

    def close(self) -> None:
        self._closed = True

    def frames(self) -> Iterator[Frame]:
        """Frame n shows the moment (n + 0.5) / fps, the middle of its exposure."""
        began = self._clock() if self.realtime else 0.0
        missed = 0
        while not self._closed and (self.seconds is None or self.frame_index < round(self.seconds * self.fps)):
            if self.realtime:
                late = self._clock() - began - self._time(self.frame_index)
                if late < 0:
                    self._sleep(-late)
                elif late * self.fps > LATE_FRAMES and self.patient:
                    began += late
                elif late * self.fps > LATE_FRAMES:
                    missed = int(late * self.fps)
                    self.frame_index += missed
            frame = self._next_frame(missed)
            missed = 0
            yield frame

    def _time(self, index: int) -> float:
        return (index + 0.5) / self.fps

    def _next_frame(self, missed: int) -> Frame:
        with self._lock:
            time_s, index = self._time(self.frame_index), self.frame_index
            self._advance(time_s + (self.look.exposure_s + self.look.readout_s) / 2)
            self._feel(time_s)
            self._sway(time_s)
            view = self._view(time_s)
            self.keeper.frame(self._places(time_s))
            self.frame_index += 1
        return Frame(index, time_s, self.renderer.render(view), missed)

    # -- commands ----------------------------------------------------------------------------------
    def command(self, data: Command) -> None:
        """Asks a hand to do something; it is done as soon as the hands are free.

        {"do": "flick", puck, angle_deg, speed_mm_s, push?}; {"do": "remove", puck}; {"do": "place", puck, x_mm, y_mm};
        {"do": "slide", puck, x_mm, y_mm}; {"do": "pass"}; {"do": "setup"} (all to circles); {"do": "clear"}
        (picks up what lies beside the board). Angles: 0 = east, clockwise. Instead of puck a command may say
        "at": [x, y], and means the puck that lies there; "off_board": true places one that is off the board, of the
        same team where the named one is not. Raises TableCommandError, and does nothing, where that cannot be.
        """
        checked = checked_command(data, self._all)
        with self._lock:
            if checked["do"] == "setup":
                self._queue.extend(self._setup_commands())
            elif checked["do"] == "clear":
                self._queue.extend({"do": "remove", "puck": key} for key in self._outside)
            else:
                self._queue.append(checked)

    def _meant(self, command: dict[str, Any]) -> str:
        """The key of the puck that a command is about: named, lying at a place, or any of its team off the board."""
        key = str(command.get("puck", ""))
        if "at" in command:
            near = sorted((math.dist(command["at"], (p.x_mm, p.y_mm)), k) for k, p in self._on_board.items())
            return near[0][1] if near and near[0][0] < self.board.puck.diameter_mm else ""
        if command.get("off_board") and key in self._on_board:
            team = self._all[key].team
            off = [k for k, p in self._all.items() if p.team == team and k not in self._on_board]
            return off[0] if off else key
        return key

    def _setup_commands(self) -> list[dict[str, Any]]:
        """Moves every puck that is not on a circle of its team to a free one."""
        out: list[dict[str, Any]] = []
        for team in self.board.teams:
            circles = list(team.start_circles)
            away = []
            for key in sorted(k for k, p in self._all.items() if p.team == team.name):
                puck = self._on_board.get(key)
                near = [
                    c for c in circles if puck and math.dist(c, (puck.x_mm, puck.y_mm)) < self.board.puck.radius_mm / 2
                ]
                if near:
                    circles.remove(near[0])
                else:
                    away.append(key)
            out += [{"do": "place", "puck": k, "x_mm": c[0], "y_mm": c[1]} for k, c in zip(away, circles, strict=False)]
        return out

    @property
    def busy(self) -> bool:
        """True while a hand has something to do or is in the picture, or a puck moves."""
        with self._lock:
            return bool(self._queue) or self._gesture is not None or self._shot is not None

    @property
    def time_s(self) -> float:
        """The moment that the next frame shows."""
        return self._time(self.frame_index)

    def pucks(self) -> dict[str, tuple[str, int | None, float, float]]:
        """Every puck on the board: key to team, number, x, y."""
        with self._lock:
            places = self._places(self.time_s)
            return {k: (p.team, p.number, *places[k]) for k, p in self._on_board.items() if k in places}

    def lying(self) -> tuple[Puck, ...]:
        """The pucks on the board, as they lay when last all was still."""
        with self._lock:
            return tuple(self._on_board.values())

    def felt(self) -> list[Felt]:
        """What the sensors felt since the last call, up to the last frame; nothing where there are none."""
        with self._lock:
            felt, self._felt = self._felt, []
            return felt

    def outside(self) -> tuple[Puck, ...]:
        """Pucks that went over the rim and lie there still."""
        with self._lock:
            return tuple(self._outside.values())

    def truth(self) -> dict[str, Any]:
        """All that happened, in the form of the recordings' truth.json."""
        with self._lock:
            return self.keeper.as_json(tuple(self._all.values()), self.frame_index)

    def latest_shots(self, count: int) -> list[dict[str, Any]]:
        """The last shots as they truly were, oldest first, in the form of the recordings' truth."""
        with self._lock:
            return list(self.keeper.shots)[-count:]

    def knock(self, at_s: float) -> None:
        """The camera is knocked at a moment: it sways for some frames, and looks from elsewhere from then on."""
        with self._lock:
            rng_state = self.rng.getrandbits(32)
            frame = math.ceil(at_s * self.fps)
            for i, strength in enumerate(KNOCK_SWAY):
                pose = knocked(self._stands, random.Random(rng_state), strength)
                self._knocks.append(((frame + i) / self.fps, pose))
            self.keeper.bump_s = round(frame / self.fps, 4)

    def push(self, at_s: float, x_mm: float, y_mm: float, turn_rad: float = 0.0) -> None:
        """The board is pushed over its table at a moment, in some frames, and turned about its middle."""
        with self._lock:
            self._plan_push(at_s, (x_mm, y_mm), turn_rad)

    def _plan_push(self, at_s: float, way: tuple[float, float], turn_rad: float) -> None:
        frame, middle = math.ceil(at_s * self.fps), np.array(self.board.size) / 2
        before = np.vstack([self._laid, (0.0, 0.0, 1.0)])
        for i in range(1, PUSH_FRAMES + 1):
            turn = turn_rad * i / PUSH_FRAMES
            about = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
            moved = np.column_stack([about, middle - about @ middle + np.array(way) * i / PUSH_FRAMES])
            self._laid = (before @ np.vstack([moved, (0.0, 0.0, 1.0)]))[:2]
            self._pushes.append(((frame + i) / self.fps, self._laid))

    # -- time goes on ------------------------------------------------------------------------------
    def _advance(self, until_s: float) -> None:
        """Everything that happens up to a moment."""
        if self._shot:
            self._shot.run.advance(until_s - self._shot.start_s)
            # The last moments of motion are smeared over this exposure: the pucks count as resting from the next on.
            smeared_s = 2 * self.look.exposure_s + self.look.readout_s
            if self._shot.run.done and until_s > self._shot.start_s + self._shot.run.time_s + smeared_s:
                self._end_shot(self._shot)
        while self._gesture is None and self._shot is None and self._queue and self._free_from < until_s:
            self._gesture = self._begin(self._queue.popleft(), max(self._free_from, self._done_until))
        gesture = self._gesture
        if gesture is not None:
            for deed in due(gesture.deeds, self._done_until, until_s):
                self._carry_out(deed)
            if self._shot:
                self._shot.run.advance(until_s - self._shot.start_s)
            if until_s > gesture.end_s:
                self._gesture = None
                self._free_from = max(self._free_from, gesture.end_s + PAUSE_S)
        self._done_until = until_s

    def _begin(self, command: dict[str, Any], start_s: float) -> Gesture | None:
        """Plans the hand's way, or None where there is nothing left to do."""
        do, key = command["do"], self._meant(command)
        on_board, outside = self._on_board.get(key), self._outside.get(key)
        self._pending = command
        if do == "pass":
            return self.hands.passing(start_s)
        if do == "flick":
            push = bool(command.get("push", False))
            return (
                self.hands.flick(start_s, on_board, math.radians(command["angle_deg"]), push=push) if on_board else None
            )
        if do == "remove":
            lying = on_board or outside
            return self.hands.lift(start_s, lying) if lying else None
        others = [p for p in self._on_board.values() if p.key != key]
        x, y = nearest_free(self.board, self.walls, others, command["x_mm"], command["y_mm"])
        if do == "slide":
            return self.hands.slide(start_s, on_board, x, y) if on_board else None
        lying = on_board or outside
        if lying:
            return self.hands.carry(start_s, lying, x, y)
        return self.hands.place(start_s, self._all[key], x, y)

    def _carry_out(self, deed: Deed) -> None:
        key = deed.puck or ""
        if self.look.push_mm and deed.kind in PUSHED_BESIDE and not self._shot and not self._pushes:
            self._push_perhaps(deed.time_s)
        if deed.kind == "passed":
            self.keeper.did(deed.time_s, "passed", None)
        elif deed.kind == "flick":
            self._flick(deed)
        elif deed.kind == "grasp":
            self._held = key
            if key in self._on_board:
                self.keeper.did(deed.time_s, "removed", key)
            elif key in self._outside:
                self.keeper.did(deed.time_s, "cleared", key)
            self._on_board.pop(key, None)
            self._outside.pop(key, None)
        elif deed.kind == "release":
            self._held = None
            self._put(key, deed)
            self.keeper.did(deed.time_s, "placed", key, (deed.x_mm, deed.y_mm))
        elif deed.kind == "slide":
            self._sliding = deed
        elif deed.kind == "slid":
            self._sliding = None
            self._put(key, deed)
            self.keeper.did(deed.time_s, "slid", key, (deed.x_mm, deed.y_mm))

    def _push_perhaps(self, at_s: float) -> None:
        chance, far = self._push_chance, self.look.push_mm
        if chance.random() < PUSHES:
            way, angle = chance.uniform(PUSH_SHARE, 1.0) * far, chance.uniform(0, 2 * math.pi)
            turn = chance.uniform(-1, 1) * far / PUSH_TURN_MM
            self._plan_push(at_s, (way * math.cos(angle), way * math.sin(angle)), turn)

    def _put(self, key: str, deed: Deed) -> None:
        turn = self.rng.uniform(0, 2 * math.pi) if deed.kind == "release" else self._on_board[key].turn_rad
        self._on_board[key] = replace(self._all[key], x_mm=deed.x_mm, y_mm=deed.y_mm, turn_rad=turn)

    def _flick(self, deed: Deed) -> None:
        command, pucks = self._pending, tuple(self._on_board.values())
        flick = Flick(deed.puck or "", math.radians(command["angle_deg"]), command["speed_mm_s"])
        rng = random.Random(f"rim {self.seed} {self.keeper.count}")
        run = Simulation(self.board, [r.polygon for r in self.reefs], pucks, flick, self.material, rng)
        self._touches_felt = 0
        self.renderer.struck_s.append(deed.time_s)
        self._shot = _Running(run, deed.time_s, str(command.get("want", "hand")), bool(command.get("push", False)))

    def _end_shot(self, running: _Running) -> None:
        shot = running.run.result()
        self._on_board = {p.key: p for p in shot.end}
        self._outside.update({p.key: p for p in shot.outside})
        self.keeper.shot(shot, running.start_s, running.want, running.pushed)
        self._free_from = max(self._free_from, running.start_s + shot.rest_s + SETTLE_S)
        if self._tidy:
            self._queue.extend({"do": "remove", "puck": p.key} for p in shot.outside)
        self._shot = None

    def _sway(self, time_s: float) -> None:
        while self._knocks and self._knocks[0][0] <= time_s:
            since, self._stands = self._knocks.pop(0)
            self._see_from_elsewhere(since)
        while self._pushes and self._pushes[0][0] <= time_s:
            since, self._lies = self._pushes.pop(0)
            self._see_from_elsewhere(since)

    def _see_from_elsewhere(self, since_s: float) -> None:
        self.pose = self._stands if self._lies is WHERE_IT_WAS else pushed(self._stands, self._lies)
        self.renderer.see_from(self.pose, self._lies)
        self.keeper.camera(since_s, self.pose)

    # -- what is to be seen ------------------------------------------------------------------------
    def _view(self, time_s: float) -> View:
        steps = np.arange(EXPOSURE_SAMPLES) + 0.5 - EXPOSURE_SAMPLES / 2
        times = np.asarray(time_s + steps * (self.look.exposure_s / EXPOSURE_SAMPLES), np.float64)
        moving: list[Moving] = []
        moved: set[str] = set()
        if self._shot:
            for key in self._shot.run.samples:
                track = self._exposed(times, partial(self._ran, self._shot, key))
                x, y, turn = (float(v) for v in track.mean(axis=0))
                moving.append(Moving(replace(self._all[key], x_mm=x, y_mm=y, turn_rad=turn), track[:, :2]))
                moved.add(key)
        gesture = self._gesture
        if self._sliding and gesture:
            places = self._exposed(times, lambda at: np.array([self._slid_place(float(t)) for t in at]))
            puck = self._on_board[self._sliding.puck or ""]
            moving.append(Moving(puck.at(float(places[:, 0].mean()), float(places[:, 1].mean())), places))
            moved.add(puck.key)
        if self._held and gesture and self.look.pinch:
            ways = self._exposed(times, lambda at: np.array([held_place(gesture, float(t)) for t in at]))
            x, y, lift = (float(v) for v in ways.mean(axis=0))
            moving.append(Moving(self._all[self._held].at(x, y), ways[:, :2], max(lift, 0.01)))
        resting = tuple(p for p in (*self._on_board.values(), *self._outside.values()) if p.key not in moved)
        hands: tuple[HandSeen, ...] = ()
        if gesture:
            tip_s = self._row_time(np.array([time_s]), np.array([gesture.tip(time_s)]))
            hands = (gesture.seen(float(tip_s[0]), self.look.exposure_s),)
        return View(time_s, resting, tuple(moving), hands)

    def _ran(self, shot: _Running, key: str, times: FloatArray) -> FloatArray:
        """(N, 3) x, y mm and turn of a puck of a shot at some times."""
        return shot.run.track(key, np.asarray(times - shot.start_s, np.float64))

    def _exposed(self, times: FloatArray, track: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """A way as the rows that show it are exposed, one after the other. times: (N,) of the middle row; track: gives
        (N, 2 or more) x, y mm and what else belongs to a time"""
        places = track(times)
        if self.look.readout_s:
            for _ in range(READOUT_ROUNDS):
                places = track(self._row_time(times, places))
        return places

    def _row_time(self, times: FloatArray, places: FloatArray) -> FloatArray:
        """(N,) when the rows that show places (N, 2 or more) are exposed, if the middle one is at some times."""
        ground = np.column_stack([places[:, :2], np.zeros(len(places))])
        rows = np.clip(self.pose.image_from_board(ground)[:, 1] / self.look.size[1], 0.0, 1.0)
        return np.asarray(times + self.look.readout_s * (rows - 0.5))

    def _feel(self, until_s: float) -> None:
        """Has the sensors feel what was played since they last did, as finely as the paths are kept."""
        if self._sensors is None:
            return
        times = np.arange(self._felt_until + STEP_S, until_s, STEP_S) if self._shot else np.array([until_s])
        if not len(times):
            return
        self._felt_until = float(times[-1])
        moving, knocks = dict[str, Any](), list[float]()
        if self._shot:
            start_s, run = self._shot.start_s, self._shot.run
            moving = {k: run.track(k, times - start_s)[:, :2] for k in run.samples}
            knocks = [start_s + touch[0] for touch in run.raw_touches[self._touches_felt :]]
            self._touches_felt = len(run.raw_touches)
        resting = [(p.x_mm, p.y_mm) for k, p in self._on_board.items() if k not in moving]
        self._felt += self._sensors.feel(times, moving, resting, knocks)

    def _slid_place(self, time_s: float) -> tuple[float, float]:
        assert self._sliding is not None
        puck = self._on_board[self._sliding.puck or ""]
        takes = slide_s(math.dist((puck.x_mm, puck.y_mm), (self._sliding.x_mm, self._sliding.y_mm)))
        share = min(max((time_s - self._sliding.time_s) / takes, 0.0), 1.0)
        share = share * share * (3 - 2 * share)
        return (
            puck.x_mm + (self._sliding.x_mm - puck.x_mm) * share,
            puck.y_mm + (self._sliding.y_mm - puck.y_mm) * share,
        )

    def _places(self, time_s: float) -> dict[str, tuple[float, float]]:
        """Where every puck on or beside the board is; those in a hand are left out."""
        out = {k: (p.x_mm, p.y_mm) for k, p in (*self._on_board.items(), *self._outside.items())}
        if self._sliding and self._gesture:
            out[self._sliding.puck or ""] = self._slid_place(time_s)
        if self._shot:
            for key in self._shot.run.samples:
                x, y, _ = self._shot.run.track(key, np.array([time_s - self._shot.start_s]))[0]
                out[key] = (float(x), float(y))
        return out
