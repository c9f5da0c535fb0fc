"""Momentum that pucks lost and nothing took up: then something was struck that was not seen to be."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from vision.bounces import at_wall, walls_of
from vision.motion import FRICTION_MM_S2, Motion
from vision.watch import HAND_NEAR_MM, Watch

FloatArray = NDArray[np.float64]
HandNear = Callable[[float, tuple[float, float]], bool]  # whether a hand is near a place (mm) at a time (s)

LOST_MM_S = 600.0  # more than this, of pucks of one weight, something else has taken up
STEPS = 4  # moments of a frame at which it is reckoned
UNDER_WAY = 1.5  # frames after the flick from which on a puck runs by itself
BEFORE = 1.0  # frames before a moment: what ran by itself until then …
AFTER = (1.0, 1.5, 2.0)  # … and after it: what has been handed on shows by one of these
SHORT_SHARE = 0.5  # of a frame's way: a bounce off a wall within an exposure is seen so far short of it …
SHORT_MM = 15.0  # … or by this, however short the frames are
NEAR_MM = 6.0  # a puck that lies no further from another one may have handed its blow on to it
LOST = "pucks lost speed that nothing was seen to take up"


def unseen_blow(motions: Sequence[Motion], flicked: Motion, watch: Watch) -> bool:
    """Whether pucks lost so much momentum that something was struck of which nothing was seen."""

    def hand_near(time_s: float, place: tuple[float, float]) -> bool:
        frame = min(bisect_left(watch.times, time_s), len(watch.times) - 1)
        return watch.hand_distance_mm(frame, *place) < HAND_NEAR_MM

    scene = watch.scene
    moved = {m.puck for m in motions}
    lying = [p.place for p in scene.lying if p.puck not in moved]
    walls = walls_of(scene.board, scene.reefs)
    return lost_mm_s(motions, flicked.onset_s, lying, walls, scene.board, scene.frame_s, hand_near) > LOST_MM_S


def lost_mm_s(
    motions: Sequence[Motion], onset_s: float, lying: Sequence[tuple[float, float]], walls: Sequence[FloatArray],
    board: Board, frame_s: float, hand_near: HandNear,
) -> float:  # fmt: skip
    """The most momentum, by a puck's mass, that pucks lost within three frames but for friction. Unit: mm/s.

    Pucks hand all of it on to each other, in its direction, however hard they bounce. Walls, the rim and hands take
    some up, so that nothing is told while a puck that moves is near one, itself or through others beside it.
    onset_s: of the flick; lying: places of the pucks that lay still, mm; walls: (N, 2) corners each, mm.
    """
    worst = 0.0
    for time_s in np.arange(onset_s + UNDER_WAY * frame_s, max(m.rest_s for m in motions), frame_s / STEPS):
        span_s = (time_s - (BEFORE + 0.5) * frame_s, time_s + (AFTER[-1] + 0.5) * frame_s)
        going = [m for m in motions if m.times_s[0] < span_s[1] and span_s[0] < m.times_s[-1]]
        before = _momentum(going, time_s - BEFORE * frame_s, frame_s)
        speed = math.hypot(*before)
        if speed <= LOST_MM_S:
            continue
        after = max(float(_momentum(going, time_s + k * frame_s, frame_s) @ before) / speed for k in AFTER)
        lost = speed - after - FRICTION_MM_S2 * (BEFORE + AFTER[-1]) * frame_s * len(going)
        short_mm = max(SHORT_MM, SHORT_SHARE * speed * frame_s)
        if lost > worst and not _held(going, lying, walls, board, span_s, short_mm, hand_near):
            worst = lost
    return worst


def _momentum(motions: Iterable[Motion], time_s: float, frame_s: float) -> FloatArray:
    """The sum of all velocities, over a frame. -> (2,) mm/s"""
    ways = [np.subtract(m.at(time_s + frame_s / 2), m.at(time_s - frame_s / 2)) for m in motions]
    return np.asarray(np.sum(ways, axis=0) / frame_s if ways else np.zeros(2))


def _held(
    going: Sequence[Motion], lying: Sequence[tuple[float, float]], walls: Sequence[FloatArray], board: Board,
    span_s: tuple[float, float], short_mm: float, hand_near: HandNear,
) -> bool:  # fmt: skip
    """Whether a wall, the rim or a hand is near one of the pucks, or one that these may have handed a blow on to.

    short_mm: how near a wall counts
    """
    since, until = span_s
    moments = [(t, m.at(t)) for m in going for t in (since, *(t for t in m.times_s if since < t < until), until)]
    if any(hand_near(t, place) for t, place in moments):
        return True
    places, left, reach = [place for _, place in moments], list(lying), board.puck.diameter_mm + NEAR_MM
    for place in places:  # which grows meanwhile
        places += [p for p in left if math.dist(p, place) < reach]
        left = [p for p in left if math.dist(p, place) >= reach]
    return any(at_wall(board, walls, np.array(place), short_mm) for place in places)
