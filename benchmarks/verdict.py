"""How long a verdict takes: python -m benchmarks.verdict [--films N] [--first SEED] [--recordings FOLDER].

A verdict is due when the last puck of a shot rests, or when the hand has left so far that it hides no puck any more,
whichever is later. It is there when the call of the tracker that tells the end of the shot has returned, reckoned as if
each frame came at its own time: a frame waits until the frames before it are done. Films of the virtual table are
played into the tracker as they are rendered, and its hand is known; recordings (folders with truth.json) tell nothing
of it, so there a verdict is due when the last puck rests. Each figure is given by the clock on the wall, and by the
time that all cores together spent on the call: on a machine that does nothing else the first is the true one and the
second no less; where others work, the second is nearer to the truth. The pictures of the virtual table are as a camera
gives them, with all their noise, which a film's compression smooths; how the shots were decided is told as well.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.board import Board, default_board_path, load_board, parse_board
from calibration.lens import load_lens
from tests.vision.film_score import SAME_SHOT_S, Json, decided
from tests.vision.many_shots import RANDOM_BOARD_EVERY, SHOTS, tier_of
from vision.events import Event, ShotEnded, ShotStarted, event_to_line
from vision.frames import Frame, Image
from vision.pipeline import Tracker
from vision.sources import open_film
from vision.virtual_table.boards import random_board_text
from vision.virtual_table.director import Director
from vision.virtual_table.looks import look_for
from vision.virtual_table.renderer import Renderer, View
from vision.virtual_table.table import VirtualTable

HIDDEN_PART = 0.1  # a hand that covers less of a puck leaves enough of it to tell where it lies
ROUND = 32  # corners of a puck's outline
GOAL_MS = 250.0
KNOCK_S = 6.0  # in the tier whose camera is knocked
SHOWN = {
    "wall_ms": "verdict, by the wall",
    "cpu_ms": "verdict, by the cores",
    "waited_ms": "of it the film's time",
    "since_hand_ms": "film's time since no hand",
}


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the tracker: the frame's time, what the call took on the wall and on the cores, and what it told."""

    time_s: float
    wall_s: float
    cpu_s: float
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Delay:
    """From the moment when a verdict was due to the verdict. waited: until the frame that told it was there, so much
    of it is the film's time; since_hand: from when no hand was in the picture any more (and all pucks lay)."""

    name: str
    waited_ms: float
    wall_ms: float
    cpu_ms: float
    since_hand_ms: float


class WatchfulRenderer(Renderer):
    """Renders, and keeps at which moments a hand hid a puck, and was in the picture at all."""

    hid: list[float]
    seen: list[float]

    def render(self, view: View) -> Image:
        if view.hands:
            mask = self._hands(view)
            if mask.any():
                self.seen.append(view.time_s)
            if any(self._hidden(mask, (p.x_mm, p.y_mm)) for p in (*view.resting, *(m.puck for m in view.moving))):
                self.hid.append(view.time_s)
        return super().render(view)

    def _hands(self, view: View) -> Image:
        """(H, W) where hands are in the picture."""
        w, h = self.pose.lens.image_size
        picture, light = np.zeros((h, w, 3), np.uint8), np.ones((h, w), np.float32)
        for hand in view.hands:  # the shadow of a hand is as black as the picture
            self.hand_painter.draw(picture, hand, self.pose, light)
        return np.asarray(picture.max(axis=2) > 0, np.uint8)

    def _hidden(self, mask: Image, place: tuple[float, float]) -> bool:
        """True where a mask covers more than HIDDEN_PART of a puck's top; what lies beside the board does not count."""
        (w, h), shape = self.board.size, self.board.puck
        if not (0 <= place[0] <= w and 0 <= place[1] <= h):
            return False
        turns = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
        around = np.column_stack([np.cos(turns), np.sin(turns)]) * shape.radius_mm + place
        outline = np.column_stack([around, np.full(ROUND, shape.height_mm)])
        points = np.rint(self.pose.image_from_board(outline)).astype(np.int32)
        x0, y0 = np.maximum(points.min(axis=0), 0)
        part = mask[y0 : points[:, 1].max() + 1, x0 : points[:, 0].max() + 1]
        if part.size == 0:
            return False
        disc = np.zeros(part.shape, np.uint8)
        cv2.fillPoly(disc, [points - (x0, y0)], 1)
        return cv2.countNonZero(cv2.bitwise_and(part, disc)) > HIDDEN_PART * cv2.countNonZero(disc)


def timed(tracker: Tracker, frames: Iterable[Frame]) -> Iterator[Call]:
    """The tracker over frames, call by call."""
    for frame in frames:
        began, cpu = time.perf_counter(), time.process_time()
        events = tracker.update(frame)
        yield Call(frame.time_s, time.perf_counter() - began, time.process_time() - cpu, tuple(events))


def done_at(calls: Sequence[Call], took_s: Sequence[float]) -> list[float]:
    """When each call has returned, in the film's time: it begins when its frame and the tracker are both there."""
    done, free_s = [], 0.0
    for call, took in zip(calls, took_s, strict=True):
        free_s = max(call.time_s, free_s) + took
        done.append(free_s)
    return done


def left_at(moments: Sequence[float], rest_s: float, frame_s: float) -> float:
    """From when on nothing is in the way, no sooner than the pucks rest. moments: of frames in which something was.

    It goes somewhere between the last frame that shows it and the next: in the middle, that is.
    """
    at_s = rest_s
    for moment in sorted(m for m in moments if m > rest_s - frame_s / 2):
        if moment - at_s > frame_s:
            break
        at_s = max(moment + frame_s / 2, at_s)
    return at_s


def delays(name: str, calls: Sequence[Call], truth: Json, hid: Sequence[float] = (), seen: Sequence[float] = (),
           ) -> list[Delay]:  # fmt: skip
    """One for each shot of the truth that was told."""
    frame_s = 1.0 / truth["fps"]
    by_wall, by_cpu = done_at(calls, [c.wall_s for c in calls]), done_at(calls, [c.cpu_s for c in calls])
    out = []
    for shot in truth["shots"]:
        k = next((k for k, c in enumerate(calls) if _tells(c, shot["t_start"])), None)
        if k is None:
            continue
        due_s = left_at(hid, shot["t_rest"], frame_s)
        free_s = max(left_at(seen, shot["t_rest"], frame_s), due_s)
        moments = (calls[k].time_s - due_s, by_wall[k] - due_s, by_cpu[k] - due_s, calls[k].time_s - free_s)
        out.append(Delay(shot_name(name, shot), *(1000 * s for s in moments)))
    return out


def shot_name(film: str, shot: Json) -> str:
    """What a shot is called in the figures."""
    return f"{film}, shot {shot['shot']}"


def names(film: str, truth: Json) -> list[str]:
    """The names of all shots of a film."""
    return [shot_name(film, shot) for shot in truth["shots"]]


def _tells(call: Call, start_s: float) -> bool:
    """True where a call tells the end of the shot that began at a moment."""
    started = {e.shot for e in call.events if isinstance(e, ShotStarted) and abs(e.t - start_s) < SAME_SHOT_S}
    return any(isinstance(e, ShotEnded) and e.shot in started for e in call.events)


def at_the_table(seed: int) -> tuple[list[Delay], list[str], list[str]]:
    """Plays on the virtual table as the films of many_shots are. -> delays, the names of all shots played, and how
    each was decided"""
    tier, made_up = tier_of(seed), seed % RANDOM_BOARD_EVERY == 2
    board = parse_board(random_board_text(seed)) if made_up else load_board(default_board_path())
    table = VirtualTable(board, seed=seed, look=look_for(tier, seed), layout="scattered", tidy=False)
    table.renderer = watch = WatchfulRenderer(board, table.reefs, table.pose, table.look, seed)
    watch.hid, watch.seen = [], []
    if table.look.knock:
        table.knock(KNOCK_S)
    tracker = Tracker(board, frame_size=table.size, fps=table.fps, lens=table.lens)
    calls = list(timed(tracker, _directed(table, seed)))
    name, truth = f"{tier}-{seed}", table.truth()
    events = [json.loads(event_to_line(e)) for call in calls for e in call.events]
    return delays(name, calls, truth, watch.hid, watch.seen), names(name, truth), decided(truth, events)


def _directed(table: VirtualTable, seed: int) -> Iterator[Frame]:
    director, frames = Director(table, SHOTS, seed), table.frames()
    while not director.done():
        director.step()
        yield next(frames)


def of_recording(folder: Path) -> tuple[list[Delay], list[str], list[str]]:
    """Tracks a recording. -> delays from when the last puck rests, the names of all shots played, and how each was
    decided"""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    board: Board = load_board(folder / "board.toml")
    source = open_film(folder / "clip.mp4")
    tracker = Tracker(board, frame_size=source.size, fps=source.fps, lens=load_lens(folder / "lens.json"))
    calls = list(timed(tracker, source.frames()))
    source.close()
    events = [json.loads(event_to_line(e)) for call in calls for e in call.events]
    return delays(folder.name, calls, truth), names(folder.name, truth), decided(truth, events)


def summary(found: Sequence[Delay], played: Sequence[str]) -> list[str]:
    """The figures of many shots, the slowest of them, and those that were never told."""
    rows = [f"{len(found)} of {len(played)} shots told; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"]
    for what, name in SHOWN.items():
        values = [getattr(d, what) for d in found]
        p50, p95, most = np.percentile(values, [50, 95, 100])
        within = sum(v <= GOAL_MS for v in values)
        rows.append(f"{name:26s} p50 {p50:5.0f} ms, p95 {p95:5.0f}, most {most:5.0f}; "
                    f"{within} of {len(values)} within {GOAL_MS:.0f} ms")  # fmt: skip
    slowest = sorted(found, key=lambda d: -d.cpu_ms)[:5]
    untold = sorted(set(played) - {d.name for d in found})
    return [*rows, *(f"  {d.name}: {d.cpu_ms:.0f} ms, of it film {d.waited_ms:.0f}" for d in slowest),
            *(f"  {name}: not told" for name in untold)]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdict", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--films", type=int, default=10, help=f"played on the virtual table, {SHOTS} shots each")
    parser.add_argument("--first", type=int, default=1, help="the first one's seed")
    parser.add_argument("--recordings", type=Path, help="measure these instead: folders with clip.mp4 and truth.json")
    told = parser.parse_args()
    found, played, verdicts = list[Delay](), list[str](), list[str]()
    clips = sorted(told.recordings.glob("*/clip.mp4")) if told.recordings else []
    seeds = range(told.first, told.first + told.films) if not told.recordings else ()
    for more, shots, words in (*map(at_the_table, seeds), *(of_recording(clip.parent) for clip in clips)):
        found += more
        played += shots
        verdicts += words
    print("\n".join(summary(found, played)))
    print("decided:", ", ".join(f"{count} {word}" for word, count in Counter(verdicts).most_common()))


if __name__ == "__main__":
    main()
