"""How sharp flicked pucks are in a film: from their speeds and streaks, how long the shutter is open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.flick_blur import Sighting, measure_way
from calibration.flick_ways import FlickWatch, Way, puck_px
from calibration.pose import Pose

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

MOST_WAYS = 8  # the fastest ways are measured: more tell no more, and take time
MOST_SPOTS = 16  # frames of a way that are measured at most, for the same reason
EXPLAINED = 0.9  # share of a picture's variance that the smeared puck explains, from which its streak is believed
GAIN = (0.8, 1.25)  # a puck under way is as bright as it is at rest
LEAST_SIGHTINGS = 3  # of fewer streaks nothing is told but that the shutter is no longer than they allow
# the middle six tenths of the sightings lie within this factor; both ways to sum them up within the one below
ALIKE = 1.6
ALIKE_BOTH = 1.35
RANGE = 1.25  # the shutter is told as a range, by this factor beyond both: films of known shutters lie within
# a streak that is shorter at the fastest tells no more than that it is so short: coding a film blurs by as much
LEAST_PX = 2.0
SHORT_S = 1 / 150  # a shutter that is shorter is good, however short it is
LEAST_S = 1e-5  # seconds that are told at least: streaks that shrink with speed would make it less than none
TYPICAL_OFF = 1.5  # a sighting that is off by more than so many times the middle one loses weight
SETTLED = 8  # rounds in which sightings that do not fit lose weight
LEAST_STREAK_MM = 2.0  # errors of a streak grow with it, from this length on


@dataclass(frozen=True, slots=True)
class Flick:
    """Flicks as the camera saw them.

    speed_mm_s: the fastest; exposure_s: how long the shutter was open, shortest_s to longest_s; frames: how many it
    was measured in; sure: False where they do not agree: then only the speed is known.
    short: only longest_s is known, as there is hardly any blur.
    """

    speed_mm_s: float
    exposure_s: float
    frames: int
    sure: bool = True
    shortest_s: float = 0.0
    longest_s: float = float("inf")
    short: bool = False

    def blur_mm(self, speed_mm_s: float) -> float:
        """How long the streak of a puck of some speed is, beyond the puck itself."""
        return speed_mm_s * self.exposure_s


class FlickLook:
    """Watches a film frame by frame for pucks that come to rest after a fast slide."""

    def __init__(self, board: Board, pose: Pose, fps: float) -> None:
        self._board, self._pose, self._fps = board, pose, fps
        self._watch = FlickWatch(board, pose, fps)

    def see(self, image: Image) -> None:
        """Takes the next frame; image: (H, W, 3) BGR."""
        self._watch.see(image)

    @property
    def moving(self) -> bool:
        """True where the last frame showed something that may be a puck under way."""
        return self._watch.moving

    def result(self) -> Flick | None:
        """The flicks as one; None where no puck came to rest after a fast slide."""
        if not self._watch.ways:
            return None

        def fastest(way: Way) -> float:
            return float(way.speeds_mm_s(self._fps).max())

        ways = sorted(self._watch.ways, key=fastest, reverse=True)[:MOST_WAYS]
        seen = [s for way in ways for s in measure_way(way, self._board, self._pose, self._fps, MOST_SPOTS)]
        good = [s for s in seen if s.explained > EXPLAINED and not s.crowded and GAIN[0] < s.gain < GAIN[1]]
        w, h = self._board.size
        px_mm = self._board.puck.diameter_mm / puck_px(self._pose, self._board, (w / 2, h / 2))
        return shutter_of(good, LEAST_PX * px_mm)


def shutter_of(seen: list[Sighting], least_mm: float) -> Flick | None:
    """The shutter by how streaks grow with speed, summed up in two ways. None where nothing was seen.

    One is the middle of streak by speed. The other leaves out blur that does not grow with speed, of a film's coding
    for one: streak² = (shutter * speed)² + rest². Coding errs in either, so they must agree, and both are told.
    least_mm: the shortest streak of the fastest puck that can be measured.
    """
    if not seen:
        return None
    speeds, streaks = np.array([[s.speed_mm_s, s.streak_mm] for s in seen]).T
    low, middle, high = _quantiles(streaks / speeds, speeds**2)
    slope = _slope(speeds, streaks)
    exposure = float(np.sqrt(middle * slope))
    fastest, enough = float(speeds.max()), len(seen) >= LEAST_SIGHTINGS
    alike = high < ALIKE * low and max(middle, slope) < ALIKE_BOTH * min(middle, slope)
    if enough and alike and min(middle, slope) * fastest > least_mm:
        shortest, longest = min(middle, slope) / RANGE, max(middle, slope) * RANGE
        return Flick(fastest, exposure, len(seen), True, shortest, longest)
    longest = max(high, slope, least_mm / fastest) * RANGE
    short = enough and longest <= SHORT_S
    return Flick(fastest, exposure, len(seen), short, 0.0, longest, short)


def _quantiles(shares: FloatArray, weights: FloatArray) -> tuple[float, float, float]:
    """The bounds of the middle six tenths, and the middle, by weight."""
    order = np.argsort(shares)
    total = np.cumsum(weights[order])
    low, middle, high = (float(shares[order][np.searchsorted(total, total[-1] * q)]) for q in (0.2, 0.5, 0.8))
    return low, middle, high


def _slope(speeds: FloatArray, streaks: FloatArray) -> float:
    """Seconds by which streaks grow with speed, beside a blur that is always there; outliers count less."""
    parts, least = np.stack([speeds**2, np.ones_like(speeds)], axis=1), 1 / np.maximum(streaks, LEAST_STREAK_MM)
    weights = least
    for _ in range(SETTLED):
        solved = np.linalg.lstsq(parts * weights[:, None], streaks**2 * weights, rcond=None)[0]
        off = np.abs(parts @ solved - streaks**2) * least
        weights = least / np.sqrt(np.maximum(off / max(TYPICAL_OFF * float(np.median(off)), 1e-6), 1.0))
    return float(np.sqrt(max(solved[0], LEAST_S**2)))
