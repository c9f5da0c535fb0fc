"""People at the table, put into recordings: those who sit around it, arms that rest on the board, hands that aim."""

from __future__ import annotations

import itertools
import json
import math
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import load_board
from calibration.lens import load_lens
from calibration.pose import Pose
from vision.frames import Image

FloatArray = NDArray[np.float64]

PEOPLE_MM = 46.0  # no nearer than this to the playing surface people lean: a rim's breadth
PEOPLE = 3
ARMS_COME_S, ARM_COMES_S, ARM_RESTS_S = (1.5, 3.6, 5.7), 0.5, (7.0, 15.0)
ARM_BROAD_MM, ARM_APART_MM = 42.0, 3.0  # half of an arm, and how far it keeps from pucks
AIMS_S, AIM_BEGINS_S, AIM_ENDS_S = 3.5, 0.40, 0.08  # how much longer a hand aims, and which part of the film shows it


class People:
    """People who sit around a board in dark clothes, sway, and lean in and back now and then.

    beside: (h, w) 0 to 1, what of the picture lies beside the board and its rim.
    """

    def __init__(self, fps: float, beside: NDArray[np.float32]) -> None:
        self.fps, self.beside = fps, beside
        h, w = beside.shape
        rng = np.random.default_rng(7)
        folds = cv2.resize(rng.uniform(0.75, 1.25, (60, 60)), (w + 200, h + 200), interpolation=cv2.INTER_CUBIC)
        weave = folds * rng.normal(1.0, 0.05, folds.shape)
        self.cloth = np.dstack([weave * level for level in (105, 90, 95)]).astype(np.float32)

    def __call__(self, image: Image, number: int) -> Image:
        h, w = self.beside.shape
        t, bright = number / self.fps, float(image[::16, ::16].mean()) / 100
        out = image.astype(np.float32)
        for k in range(PEOPLE):
            leans = max(0.0, math.sin(0.45 * t + 2.2 * k)) ** 4
            angle = 2.1 * k + 0.04 * math.sin(0.7 * t + k)
            away = 1.12 - 0.10 * leans + 0.012 * math.sin((1.9 + 0.3 * k) * t + 2 * k)
            x, y = w * (0.5 + 0.55 * away * math.cos(angle)), h * (0.5 + 0.66 * away * math.sin(angle))
            body = np.zeros((h, w), np.float32)
            cv2.ellipse(body, ((x, y), (0.2 * w, 0.2 * h), math.degrees(angle)), 1.0, -1, cv2.LINE_AA)
            share = (body * self.beside)[..., None]
            left, top = round(100 + 6 * math.sin(1.3 * t + k)), round(100 + 6 * math.cos(t + k))
            out += share * (bright * self.cloth[top : top + h, left : left + w] - out)
        return np.clip(out + 0.5, 0, 255).astype(np.uint8)


def beside_board(recording: Path, size: tuple[int, int], apart_mm: float = PEOPLE_MM) -> NDArray[np.float32]:
    """What of a recording's pictures lies further than this from the playing surface. -> (h, w) 0 to 1"""
    w, h = size
    camera = json.loads((recording / "truth.json").read_text(encoding="utf-8"))["cameras"][0]
    pose = Pose(load_lens(recording / "lens.json"), np.array(camera["rvec"]), np.array(camera["tvec"]))
    width, height = load_board(recording / "board.toml").size
    least, (right, bottom) = -apart_mm, (width + apart_mm, height + apart_mm)
    corners = np.array([(least, least), (right, least), (right, bottom), (least, bottom)])
    sides = [np.linspace(start, end, 12) for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    outline = np.concatenate(sides)
    px = pose.image_from_board(np.column_stack([outline, np.zeros(len(outline))]))
    beside = np.ones((h, w), np.float32)
    cv2.fillPoly(beside, [np.rint(px).astype(np.int32)], 0.0)
    return np.asarray(cv2.GaussianBlur(beside, (0, 0), 1.0), dtype=np.float32)


class Arms:
    """Arms that rest on the board's edge for long, three at a time at the most, and hardly keep still.

    They lie where no puck comes near them meanwhile, by the recording's truth.
    """

    def __init__(self, fps: float, recording: Path, size: tuple[int, int]) -> None:
        self.fps, self.size = fps, size
        truth = json.loads((recording / "truth.json").read_text(encoding="utf-8"))
        board, lens = load_board(recording / "board.toml"), load_lens(recording / "lens.json")
        self.poses = [(c["since"], Pose(lens, np.array(c["rvec"]), np.array(c["tvec"]))) for c in truth["cameras"]]
        nowhere = [math.nan, math.nan]
        places = np.array([[at or nowhere for at in row] for row in truth["positions"]["mm10"]], dtype=float) / 10
        apart, rng = ARM_BROAD_MM + board.puck.radius_mm + ARM_APART_MM, np.random.default_rng(11)
        self.arms = list[tuple[float, float, FloatArray, FloatArray, float]]()  # from, until, tip, direction, phase
        for first in ARMS_COME_S:
            time_s, ends_s = first, len(places) / fps
            while time_s < ends_s - 3:
                until = min(time_s + float(rng.uniform(*ARM_RESTS_S)), ends_s)
                pucks = places[int(time_s * fps) : int(until * fps)].reshape(-1, 2)
                pucks = np.unique(np.round(pucks[np.isfinite(pucks).all(axis=1)] / 3) * 3, axis=0)
                if (found := _free_reach(board.size, pucks, apart, rng)) is not None:
                    self.arms.append((time_s, until, *found, float(rng.uniform(0, 9))))
                time_s = until + float(rng.uniform(0.8, 3.0))

    def __call__(self, image: Image, number: int) -> Image:
        t, bright = number / self.fps, float(image[::16, ::16].mean()) / 100
        pose = [pose for since, pose in self.poses if since <= t][-1]
        out = image.astype(np.float32)
        for begins, ends, tip, direction, phase in self.arms:
            away = max(0.0, (begins - t) / ARM_COMES_S, (t - ends) / ARM_COMES_S)
            if away >= 1.0:
                continue
            sway = np.array([math.sin(0.9 * t + phase) + 0.6 * math.sin(2.3 * t), math.sin(0.7 * t + 2 * phase)])
            at, across = tip + 2.9 * sway - direction * 250 * away**2, np.array([-direction[1], direction[0]])
            wrist = at - direction * 75
            elbow = wrist - direction * 600 + across * 10 * math.sin(0.5 * t + phase)
            hand = self._part(pose, [(at - direction * 25, 34.0), (wrist, 30.0)], across)
            for finger in range(4):
                drums = max(0.0, math.sin(5 * t + 1.3 * finger)) * 3 if math.sin(0.8 * t + phase) > 0.2 else 0.0
                root, end = across * 17 * (finger - 1.5), direction * (drums + 3 * abs(finger - 1.5))
                hand = np.maximum(hand, self._part(pose, [(at + root - end, 6.0), (wrist + root, 8.0)], across))
            sleeve = self._part(pose, [(wrist, 26.0), (elbow, 45.0)], across)
            whole = np.maximum(hand, sleeve)
            out *= 1 - 0.35 * cv2.GaussianBlur(np.roll(whole, 5, (0, 1)), (0, 0), self.size[0] / 200)[..., None]
            for part, colour in ((hand, (130, 160, 205)), (sleeve, (95, 70, 60))):
                out += cv2.GaussianBlur(part, (0, 0), 0.7)[..., None] * (bright * np.array(colour) - out)
        return np.clip(out + 0.5, 0, 255).astype(np.uint8)

    def _part(self, pose: Pose, ends: list[tuple[FloatArray, float]], across: FloatArray) -> NDArray[np.float32]:
        """A part of an arm between two places, each with half its breadth. -> (h, w) 0 to 1"""
        (a, wide), (b, narrow) = ends
        corners = np.array([a + across * wide, a - across * wide, b - across * narrow, b + across * narrow])
        px = pose.image_from_board(np.column_stack([corners, np.full(4, 10.0)]))
        part = np.zeros(self.size[::-1], np.float32)
        cv2.fillPoly(part, [np.rint(px * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
        return part


def _free_reach(
    board: tuple[float, float], pucks: FloatArray, apart: float, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray] | None:
    """Where an arm may rest on the board, as far in as can be, and reach from: its tip and its direction; or None."""
    best, (width, height) = None, board
    for _ in range(300):
        side, reach, slant = int(rng.integers(4)), rng.uniform(35, 110), rng.uniform(-0.5, 0.5)
        inwards = np.array([(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)][side])
        direction = inwards * math.cos(slant) + inwards[::-1] * math.sin(slant)
        x, y = rng.uniform(0.1, 0.9, 2) * board
        edge = np.array([(x, 0.0), (x, height), (0.0, y), (width, y)][side])
        tip, foot = edge + direction * reach, edge - direction * 400
        along = np.clip((pucks - foot) @ (tip - foot) / ((tip - foot) @ (tip - foot)), 0, 1)
        off = np.linalg.norm(pucks - foot - along[:, None] * (tip - foot), axis=1)
        if off.min(initial=math.inf) > apart and (best is None or reach > best[0]):
            best = (reach, tip, direction)
    return None if best is None else (best[1], best[2])


def aiming(play: Iterable[Image], truth: dict[str, Any], fps: float) -> Iterator[Image]:
    """A recording's frames, in which each hand aims for longer before it flicks: what shows it goes to and fro.

    truth: the recording's, which is set right once all frames have come.
    """
    pauses = {int((s["t_start"] - AIM_ENDS_S) * fps): int((s["t_start"] - AIM_BEGINS_S) * fps) for s in truth["shots"]}
    late: deque[Image] = deque(maxlen=max((at - first for at, first in pauses.items()), default=0) + 1)
    put_in = dict.fromkeys(pauses, 0)
    for number, image in enumerate(play):
        late.append(image)
        yield image
        if number in pauses:
            forth = list(late)[-(number - pauses[number] + 1) :]
            swings = [*forth[-2::-1], *forth[1:]]
            put_in[number] = max(round(AIMS_S * fps / len(swings)), 1) * len(swings)
            yield from itertools.islice(itertools.cycle(swings), put_in[number])

    def later(time_s: float) -> float:
        return time_s + sum(count for at, count in put_in.items() if time_s * fps > at) / fps

    for shot in truth["shots"]:
        for event in (shot, *(e for name in ("contacts", "crossings", "exits") for e in shot[name])):
            event |= {key: later(event[key]) for key in ("t", "t_start", "t_end", "t_rest") if key in event}
    for deed in truth.get("hand", []):
        deed["t"] = later(deed["t"])
    for camera in truth["cameras"]:
        camera["since"] = later(camera["since"])
