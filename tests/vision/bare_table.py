"""A bare table for tests: a plain board without rim and markers, pucks on given ways, a hand that reaches in."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, PuckShape, Team
from calibration.lens import Lens
from calibration.pose import Pose
from tests.vision.grain import noisy
from vision.events import Event
from vision.frames import Frame
from vision.pipeline import Tracker

Image = NDArray[np.uint8]
Place = tuple[float, float]

FPS = 30.0
PX_PER_MM = 0.9
HEIGHT_MM = 1000.0
SKIN, CLOTH = (110, 140, 190), (60, 90, 60)
SPECK = np.uint8(16)
FINER = 4  # bits of a pixel that places are drawn to


def _team(name: str, colour: str) -> Team:
    return Team(name, colour, colour, None, (), (), ())


BOARD = Board(
    "Bare table", (550.0, 410.0), PuckShape(31.0, 0.0), (_team("white", "#e9e4d8"), _team("red", "#d8203a")),
    None, None, (), (), (), (), (),
)  # fmt: skip


D = BOARD.puck.diameter_mm
WHITE, VIVID_RED = (216, 228, 233), (30, 0, 255)


def camera() -> Pose:
    """Straight above; the picture shows the surface and nothing else."""
    w, h = BOARD.size
    size = (round(w * PX_PER_MM), round(h * PX_PER_MM))
    focal = PX_PER_MM * HEIGHT_MM
    matrix = np.array([[focal, 0.0, (size[0] - 1) / 2], [0.0, focal, (size[1] - 1) / 2], [0.0, 0.0, 1.0]])
    return Pose(Lens(size, matrix, np.zeros(5)), np.zeros(3), np.array([-w / 2, -h / 2, HEIGHT_MM]))


@dataclass(frozen=True, slots=True)
class Film:
    """What happens on the table. pucks: (BGR, place by time); hand: tip of a hand from the left by time, or None;
    stirs: when the picture is never still, as a coder renews a soft shadow in every third frame."""

    seconds: float
    pucks: list[tuple[tuple[int, int, int], Callable[[float], Place]]]
    hand: Callable[[float], Place | None] = field(default=lambda _: None)
    stirs: Callable[[float], bool] = field(default=lambda _: False)

    def frames(self) -> Iterator[Frame]:
        """The film's frames, with noise that is the same every time."""
        rng = np.random.default_rng(5)
        size = camera().lens.image_size
        grain = cv2.GaussianBlur(rng.normal(0, 14, (size[1], size[0])).astype(np.float32), (0, 0), 2.0)
        ground = np.clip(np.array(CLOTH) + grain[..., None], 0, 255).astype(np.uint8)
        for index in range(round(self.seconds * FPS)):
            image = ground.copy()
            self._paint(image, index / FPS)
            if self.stirs(index / FPS):
                renewed = np.random.default_rng(index // 3)
                for x, y in zip(*(renewed.integers(20, v - 20, 500) for v in size), strict=True):
                    image[y : y + 4, x : x + 4] += np.minimum(255 - image[y : y + 4, x : x + 4], SPECK)
            yield Frame(index, index / FPS, noisy(cv2.GaussianBlur(image, (3, 3), 0.7), 1.2, rng))

    def _paint(self, image: Image, time_s: float) -> None:
        for colour, way in self.pucks:
            x, y = (round((v * PX_PER_MM - 0.5) * 2**FINER) for v in way(time_s))
            radius = round(BOARD.puck.radius_mm * PX_PER_MM * 2**FINER)
            cv2.circle(image, (x, y), radius, colour, -1, cv2.LINE_AA, FINER)
        tip = self.hand(time_s)
        if tip is not None:
            x, y = (round(v * PX_PER_MM) for v in tip)
            cv2.line(image, (-80, y + 8), (x - 20, y), SKIN, 40, cv2.LINE_AA)


def seen_in(film: Film) -> list[Event]:
    """What a tracker tells of a film."""
    size = camera().lens.image_size
    tracker = Tracker(BOARD, frame_size=size, fps=FPS, pose=camera())
    events: list[Event] = []
    for frame in film.frames():
        events += tracker.update(frame)
    return [*events, *tracker.finish()]


def hand_that_flicks(at: Place, from_s: float, gone_s: float) -> Callable[[float], Place | None]:
    """A finger behind a puck, trembling, that goes back to the left."""

    def tip(time_s: float) -> Place | None:
        if time_s > gone_s:
            return None
        back = max(time_s - from_s, 0.0) * 160
        return (at[0] - D / 2 - 4 - back, at[1] + 2.5 * math.sin(time_s * 21))

    return tip


def lies(x: float, y: float) -> Callable[[float], Place]:
    """A puck that does not move."""
    return lambda _: (x, y)


def runs(start: Place, end: Place, begins_s: float, ends_s: float) -> Callable[[float], Place]:
    """A puck that moves evenly from one place to another, and lies still before and after."""

    def place(time_s: float) -> Place:
        share = float(np.clip((time_s - begins_s) / (ends_s - begins_s), 0.0, 1.0))
        return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))

    return place
