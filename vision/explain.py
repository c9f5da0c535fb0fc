"""Pictures of what was decided and why: a shot's paths, touches, doors and doubts, drawn on the board."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import bgr_of
from calibration.lettering import drawable
from vision.crossings import Crossing
from vision.events import ReefSeen
from vision.frames import Image
from vision.motion import Motion
from vision.reef_fit import box_corners
from vision.reef_view import seen_on_plane
from vision.shot_film import film_size
from vision.shots import Shot
from vision.view import TopView

FloatArray = NDArray[np.float64]
Colour = tuple[int, int, int]

SCALE = 2  # the picture is drawn this much larger than the top view, so that lines are fine
FINE = 4  # binary places of the coordinates that OpenCV draws with
WHITE, BLACK, YELLOW, CYAN = (255, 255, 255), (0, 0, 0), (40, 230, 255), (255, 255, 0)
LINE_PX = 26  # height of a line of words
FACE = cv2.FONT_HERSHEY_SIMPLEX
EDGE_PX = 2  # how far a letter's dark edge reaches


@dataclass(frozen=True, slots=True)
class Explained:
    """A decided shot with what it was decided on. before: (h, w, 3) top view; labels: puck -> what it is called; reefs:
    those that players placed."""

    number: int
    shot: Shot
    before: Image
    view: TopView
    labels: Mapping[str, str]
    reefs: Sequence[ReefSeen] = ()


def draw_shot(told: Explained, written: Sequence[str] | None = None) -> Image:
    """The board before the shot with reefs, paths, touches (in order, with time and certainty), doors and doubts.

    written: what is said of it, in another language; as sentences() gives it, with a line of its own for each doubt at
    the end.
    """
    out = np.asarray(cv2.resize(told.before, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    out = (out * 0.75).astype(np.uint8)
    for reef in told.reefs:
        _draw_reef(out, reef, told.view)
    for motion in told.shot.motions:
        _draw_path(out, motion, told.view)
    for motion in told.shot.motions:  # above the paths of all
        x, y = _at(told.view, motion.start)
        radius = round(told.view.radius_px * SCALE)
        _say(out, told.labels.get(motion.puck, motion.puck), (x + radius, y + radius), WHITE)
    for crossing in told.shot.crossings:
        _draw_door(out, crossing.door, told)
    for order, touch in enumerate(told.shot.graph.touches, 1):
        at = _at(told.view, (touch.x_mm, touch.y_mm))
        _ring(out, at, round(0.45 * told.view.radius_px * SCALE), YELLOW)
        _say(out, str(order), (at[0] + 12, at[1] - 12), YELLOW)
    lines = sentences(told) if written is None else written
    return np.vstack([out, _words(lines, len(told.shot.reasons), out.shape[1])])


def sentences(told: Explained) -> list[str]:
    """The shot in words, a line each: times in milliseconds after the flick."""
    shot, name = told.shot, told.labels
    since = shot.start_s

    def called(puck: str) -> str:
        return name.get(puck, puck)

    out = [f"shot {told.number} at {since:.2f} s: {called(shot.flicked)} {'pushed' if shot.pushed else 'flicked'}, "
           f"at rest after {1000 * (shot.rest_s - since):.0f} ms"]  # fmt: skip
    for order, t in enumerate(shot.graph.touches, 1):
        out.append(f"{order}: {called(t.striker)} touched {called(t.struck)} after {1000 * (t.time_s - since):.0f} ms, "
                   f"{100 * t.confidence:.0f} % sure")  # fmt: skip
    out += [f"{called(c.puck)} went {c.direction} through {c.door} after {1000 * (c.time_s - since):.0f} ms, "
            f"{c.depth_mm:.1f} mm behind its line" for c in shot.crossings]  # fmt: skip
    out += [f"{called(p.puck)} slid over the gate" for p in shot.passages]
    out += [f"{called(p.puck)} went over the rim after {1000 * (p.time_s - since):.0f} ms" for p in shot.exits]
    return out + [f"please look: {_named(reason, name)}" for reason in shot.reasons]


def _named(reason: str, labels: Mapping[str, str]) -> str:
    """A reason with what pucks are called in the place of their ids."""
    return re.sub(r"[\w~-]+", lambda word: labels.get(word[0], word[0]), reason)


def over_film(told: Explained) -> dict[str, Any]:
    """The shot as it is drawn over its film: size [w, h] of the film's pictures; paths, touches and doors in their
    pixels from the upper left corner, at the height of the pucks' tops, with the source's times.

    paths: {team, flicked, points: [[t, x, y]]}; touches: {t, x, y, sure}; doors: {t, x, y, line, direction, depth_mm},
    x, y being where the puck was when it crossed.
    """
    shot, view = told.shot, told.view
    touches = [
        {"t": round(t.time_s, 4), "x": x, "y": y, "sure": round(t.confidence, 2)}
        for t in shot.graph.touches
        for x, y in _film_px(view, [(t.x_mm, t.y_mm)])
    ]
    width, height = view.pose.lens.image_size
    return {
        "size": list(film_size(width, height)),
        "paths": [_film_path(view, motion, shot.flicked) for motion in shot.motions],
        "touches": touches,
        "doors": [_film_door(told, crossing) for crossing in shot.crossings],
    }


def _film_path(view: TopView, motion: Motion, flicked: str) -> dict[str, Any]:
    places = _film_px(view, motion.places_mm)
    points = [[round(float(t), 4), x, y] for t, (x, y) in zip(motion.times_s, places, strict=True)]
    return {"team": motion.team, "flicked": motion.puck == flicked, "points": points}


def _film_door(told: Explained, crossing: Crossing) -> dict[str, Any]:
    motion = next((m for m in told.shot.motions if m.puck == crossing.puck), None)
    door = next(d for d in told.view.board.doors if d.name == crossing.door)
    (ax, ay), (bx, by) = door.line
    where = motion.at(crossing.time_s) if motion is not None else ((ax + bx) / 2, (ay + by) / 2)
    ((x, y),) = _film_px(told.view, [where])
    return {"t": round(crossing.time_s, 4), "x": x, "y": y, "line": _film_px(told.view, door.line, 0.0),
            "direction": crossing.direction, "depth_mm": round(crossing.depth_mm, 1)}  # fmt: skip


def _film_px(
    view: TopView, places_mm: FloatArray | Sequence[tuple[float, float]], height_mm: float | None = None
) -> list[list[float]]:
    """Places on the board in the film's pixels; height_mm: that of the pucks' tops by default."""
    places = np.asarray(places_mm, dtype=np.float64).reshape(-1, 2)
    top = view.board.puck.height_mm if height_mm is None else height_mm
    width, height = view.pose.lens.image_size
    points = view.pose.image_from_board(np.column_stack([places, np.full(len(places), top)]))
    found: list[list[float]] = np.round((points + 0.5) * film_size(width, height)[0] / width, 1).tolist()
    return found


def _draw_reef(image: Image, reef: ReefSeen, view: TopView) -> None:
    """The outline of a reef's top in its team's colour; in white where its colour is no team's."""
    shape = view.board.reef
    assert shape is not None  # as no reef is seen on a board that has none
    (base,) = box_corners(shape, np.array([[reef.x_mm, reef.y_mm, reef.angle_deg]]))
    top = np.column_stack([base, np.full(len(base), shape.height_mm)])
    corners = _fine(view, seen_on_plane(view.pose.camera_mm(), top, view.board.puck.height_mm))
    colour = WHITE if reef.team is None else bgr_of(view.board.team(reef.team).colour)
    cv2.polylines(image, [corners], True, BLACK, 7, cv2.LINE_AA, FINE)
    cv2.polylines(image, [corners], True, colour, 3, cv2.LINE_AA, FINE)


def _draw_path(image: Image, motion: Motion, view: TopView) -> None:
    colour = bgr_of(view.board.team(motion.team).colour)
    points = _fine(view, motion.places_mm)
    cv2.polylines(image, [points], False, WHITE, 5, cv2.LINE_AA, FINE)
    cv2.polylines(image, [points], False, colour, 3, cv2.LINE_AA, FINE)
    for place in motion.places_mm[1:-1]:
        cv2.circle(image, _at(view, (float(place[0]), float(place[1]))), 3, WHITE, -1, cv2.LINE_AA)
    radius = round(view.radius_px * SCALE)
    cv2.circle(image, _at(view, motion.start), radius, WHITE, 1, cv2.LINE_AA)
    if motion.end is not None:
        _ring(image, _at(view, motion.end), radius, colour)


def _draw_door(image: Image, name: str, told: Explained) -> None:
    door = next(d for d in told.view.board.doors if d.name == name)
    ends = _fine(told.view, np.array(door.line, dtype=np.float64))
    cv2.polylines(image, [ends], False, BLACK, 6, cv2.LINE_AA, FINE)
    cv2.polylines(image, [ends], False, CYAN, 3, cv2.LINE_AA, FINE)


def _words(lines: Sequence[str], doubts: int, width: int) -> Image:
    """The lines below the board; the last ones, so many, are doubts."""
    panel = np.full((LINE_PX * len(lines) + 16, width, 3), 24, np.uint8)
    for k, line in enumerate(lines):
        doubt = k >= len(lines) - doubts
        colour = YELLOW if doubt else WHITE
        cv2.putText(panel, drawable(line), (12, LINE_PX * (k + 1)), FACE, 0.6, colour, 1, cv2.LINE_AA)
    return panel


def _ring(image: Image, at: tuple[int, int], radius: int, colour: Colour) -> None:
    cv2.circle(image, at, radius, BLACK, 5, cv2.LINE_AA)
    cv2.circle(image, at, radius, colour, 3, cv2.LINE_AA)


def _say(image: Image, text: str, at: tuple[int, int], colour: Colour) -> None:
    """Words with a dark edge: the same letters around, as bolder ones are wider too and would lie beside them."""
    x, y = at
    text = drawable(text)
    steps = (-EDGE_PX, 0, EDGE_PX)
    for place in ((x + right, y + down) for right in steps for down in steps):
        cv2.putText(image, text, place, FACE, 0.6, BLACK, 1, cv2.LINE_AA)
    cv2.putText(image, text, at, FACE, 0.6, colour, 1, cv2.LINE_AA)


def _at(view: TopView, place: tuple[float, float]) -> tuple[int, int]:
    x, y = view.px_from_mm(np.array([place]))[0] * SCALE
    return round(float(x)), round(float(y))


def _fine(view: TopView, places_mm: FloatArray) -> NDArray[np.int32]:
    return np.asarray(np.rint(view.px_from_mm(places_mm) * SCALE * 2**FINE), dtype=np.int32)
