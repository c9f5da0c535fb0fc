"""What the tracker saw in a recording, kept beside it: its events, its paths, and a picture of each shot.

It is an opinion, and no truth: the players' word makes it one (companion/label_truth.py).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.board import Board, load_board
from calibration.lens import load_lens
from calibration.pose import Pose
from calibration.store import load_calibration, save_lens
from companion.atomic import OutputError
from companion.recorded import BOARD, CALIBRATION, CLIP, LENS
from companion.tracking import Progress, decoded_ahead
from vision.events import CameraMoved, Event, ShotEnded, event_to_json
from vision.explain import Explained, draw_shot
from vision.film_file import RecordError
from vision.frames import Image
from vision.pipeline import Tracker
from vision.sources import open_film

FOLDER, SHOTS, EVENTS = "seen", "shots.json", "events.jsonl"
Json = dict[str, Any]
HANDS = {"puck_removed": "removed", "puck_placed": "placed", "puck_moved": "slid"}


@dataclass(frozen=True, slots=True)
class SeenShot:
    """One shot as the tracker told it: its events as in the contract; paths: puck -> [[t, x_mm, y_mm], ...]."""

    number: int
    start: Json
    end: Json
    middle: tuple[Json, ...] = ()
    paths: Mapping[str, list[list[float]]] = field(default_factory=dict)
    speed_mm_s: float = 0.0

    @property
    def t(self) -> float:
        return float(self.start["t"])

    @property
    def t_rest(self) -> float:
        return float(self.end["t"])

    def of(self, type: str) -> list[Json]:
        """Its events of one type, in order of time."""
        return [e for e in self.middle if e["type"] == type]


@dataclass(frozen=True, slots=True)
class Seen:
    """A whole film as the tracker told it. between: what is no part of a shot; cameras: as in the recordings' truth."""

    board: Board
    fps: float
    frames: int
    size: tuple[int, int]
    shots: tuple[SeenShot, ...]
    between: tuple[Json, ...]
    cameras: tuple[Json, ...]

    @property
    def seconds(self) -> float:
        return self.frames / self.fps

    def hands(self, after_s: float, before_s: float) -> list[Json]:
        """What hands did with pucks in a span of time."""
        return [e for e in self.between if e["type"] in HANDS and after_s <= e["t"] < before_s]

    def knocks(self, after_s: float, before_s: float) -> list[Json]:
        """When the camera's view shifted, in a span of time."""
        return [e for e in self.between if e["type"] == "camera_moved" and after_s <= e["t"] < before_s]

    def pucks(self) -> Iterator[Json]:
        """Every puck at every moment at which it was told, in order of time."""
        told = [e for s in self.shots for e in (s.start, s.end)]
        told += [e for e in self.between if e["type"] in HANDS]
        for event in sorted(told, key=lambda e: float(e["t"])):
            yield from event.get("pucks", [event])


def look(folder: Path, progress: Progress, draw: Callable[[Explained], Image] = draw_shot) -> Seen:
    """Tracks a recording's film, or takes what was seen of it before; writes the lens where none was known.

    draw: makes the picture of a shot.

    Raises BoardNotSeen, BoardFileError, CalibrationError, SourceError, OutputError or RecordError.
    """
    if not (folder / FOLDER).exists():
        _track(folder, progress, draw)
    return read_seen(folder)


def picture_of(folder: Path, number: int) -> Path:
    """Where the picture of a shot is."""
    return folder / FOLDER / f"shot-{number}.png"


def read_seen(folder: Path) -> Seen:
    """What was seen before. Raises RecordError where that is damaged."""
    place = folder / FOLDER
    try:
        told = json.loads((place / SHOTS).read_text(encoding="utf-8"))
        lines = (place / EVENTS).read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines]
        shots = tuple(_shots(events, told["shots"]))
        between = tuple(e for e in events if "shot" not in e)
        return Seen(load_board(folder / BOARD), told["fps"], told["frames"], tuple(told["size"]), shots, between,
                    tuple(told["cameras"]))  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError):
        raise RecordError(f"{place}: what the tracker saw is damaged; delete that folder, and label again") from None


def _shots(events: Sequence[Json], told: Mapping[str, Json]) -> Iterator[SeenShot]:
    for start in (e for e in events if e["type"] == "shot_started"):
        mine = [e for e in events if e.get("shot") == start["shot"]]
        end = next((e for e in mine if e["type"] == "shot_ended"), None)
        if end is not None:
            middle = tuple(e for e in mine if e["type"] not in ("shot_started", "shot_ended"))
            yield SeenShot(start["shot"], start, end, middle, **told.get(str(start["shot"]), {}))


def _track(folder: Path, progress: Progress, draw: Callable[[Explained], Image]) -> None:
    board = load_board(folder / BOARD)
    lens = load_lens(folder / LENS) if (folder / LENS).exists() else None
    pose = load_calibration(folder / CALIBRATION) if (folder / CALIBRATION).exists() else None
    source = open_film(folder / CLIP)
    tracker = Tracker(board, frame_size=source.size, fps=source.fps, pose=pose, lens=lens)
    growing = folder / f".{FOLDER}.part"
    shutil.rmtree(growing, ignore_errors=True)
    try:
        growing.mkdir()
        notes = _Notes(growing, tracker, draw)
        frames = 0
        with decoded_ahead(source, tracker) as pictures:
            for frame in pictures:
                notes.take(tracker.update(frame))
                frames = frame.index + 1
                progress(frames, source.frame_count)
        notes.take(tracker.finish())
        if lens is None and notes.pose is not None:
            save_lens(folder / LENS, notes.pose.lens)
        body = {"fps": source.fps, "frames": frames, "size": list(source.size), "shots": notes.shots,
                "cameras": notes.cameras}  # fmt: skip
        (growing / EVENTS).write_text("".join(json.dumps(e) + "\n" for e in notes.events), encoding="utf-8")
        (growing / SHOTS).write_text(json.dumps(body), encoding="utf-8")
        growing.rename(folder / FOLDER)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written ({error.strerror}); free some room, and label again") from None
    finally:
        shutil.rmtree(growing, ignore_errors=True)


class _Notes:
    """Takes down what a tracker tells, and what it decided each shot on."""

    def __init__(self, folder: Path, tracker: Tracker, draw: Callable[[Explained], Image]) -> None:
        self._folder, self._tracker, self._draw = folder, tracker, draw
        self.events: list[Json] = []
        self.shots: dict[str, Json] = {}
        self.cameras: list[Json] = []
        self.pose: Pose | None = None
        self._moved_s = 0.0

    def take(self, events: Sequence[Event]) -> None:
        self.events += [event_to_json(event) for event in events]
        for event in events:
            if isinstance(event, CameraMoved):
                self._moved_s = event.t
            told = self._tracker.explained
            if isinstance(event, ShotEnded) and told is not None and told.number == event.shot:
                self._note(told)

    def _note(self, told: Explained) -> None:
        if told.view.pose is not self.pose:
            self.pose = told.view.pose
            self.cameras.append({"since": round(self._moved_s, 4), "rvec": [round(float(v), 8) for v in self.pose.rvec],
                                 "tvec": [round(float(v), 5) for v in self.pose.tvec]})  # fmt: skip
        paths = {m.puck: np.column_stack([m.times_s, m.places_mm]).round(4).tolist() for m in told.shot.motions}
        flicked = next((m for m in told.shot.motions if m.puck == told.shot.flicked), None)
        self.shots[str(told.number)] = {"paths": paths, "speed_mm_s": round(flicked.speed_mm_s, 1) if flicked else 0.0}
        path = picture_of(self._folder.parent, told.number)
        (self._folder / path.name).write_bytes(cv2.imencode(".png", self._draw(told))[1].tobytes())
