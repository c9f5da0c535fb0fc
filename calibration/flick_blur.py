"""How long the streak of a sliding puck is: the puck as it came to rest, smeared along its way, fitted to each frame.

The puck is drawn anew at each place: its top as it was seen at rest, its side and its shadow, on the ground that was
there before it came; smeared over a length, and blurred by a Gaussian, which its sides along the way tell apart from
the smear. So neither its paint, its print, its shadow nor the lines on the board are taken for blur.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, least_squares

from calibration.board import Board
from calibration.flick_puck import PuckAtRest, Window, sampled
from calibration.flick_ways import Spot, Way
from calibration.pose import Pose

FloatArray = NDArray[np.float64]

LEAST_MM_S = 150.0  # slower than this there is no blur to be measured
USUAL_SHUTTER_S = 1 / 90  # where the search begins
LEAST_STREAK_MM = 4.0  # room is left for a streak of this length, however short the expected one
REACH = (1.75, 1.6)  # what is compared, in radii from the middle: along the way, beyond half of the streak, and across
# board around puck and streak that is compared as well: the place, too, is only known to some millimetres
ROOM_MM = 3.0
# a puck that turns: angles that are tried, and by how much it may turn from frame to frame
TURN_RAD = 0.2
MOST_TURN_RAD = 0.8
# how dark side and shadow are, in shares of the top's paint and of the shadow at rest: least, usual, most
SIDE = (0.2, 0.5, 1.1)
SHADOW = (0.0, 1.0, 1.6)
TIE = 1e-3  # how weakly they are held to what is usual where the picture does not tell
# brightness and two colour differences of BGR, as films are coded
CHANNELS = np.array([[0.114, 0.587, 0.299], [0.5, -0.3313, -0.1687], [-0.0813, -0.4187, 0.5]])
# bounds of what is fitted: streak, shift along and across, blur (standard deviation), all mm
LOWEST, HIGHEST = np.array([0.01, -12.0, -8.0, 0.05]), np.array([90.0, 12.0, 8.0, 4.0])
ROUNDS = 12  # steps of a fit, for each angle that is tried
EXPLAINED_WELL = 0.85  # share of the picture's variance that the smeared puck explains where the frame shows it
LOST_AFTER = 2  # frames in a row that do not show the puck as it was at rest: it was not this one


@dataclass(frozen=True, slots=True)
class Sighting:
    """A puck under way in one frame.

    speed_mm_s: by the frames before and after; streak_mm: how far it slid while the shutter was open; explained: share
    of the picture's variance; gain: how bright the puck is against itself at rest; crowded: a hand is beside it.
    """

    speed_mm_s: float
    streak_mm: float
    explained: float
    gain: float
    crowded: bool


def measure_way(way: Way, board: Board, pose: Pose, fps: float, most: int) -> list[Sighting]:
    """The streaks along a way, from the slow ones on; most: frames that are looked at."""
    puck = PuckAtRest(way.rest, board, pose)
    if not puck.whole:
        return []
    seen: list[Sighting] = []
    turn, turning, lost = 0.0, 0.0, 0
    shutter_s, blur_mm = USUAL_SHUTTER_S, 0.8 * puck.step
    for after, spot, before in zip(way.spots, way.spots[1:], way.spots[2:], strict=False):
        velocity = (after.place_mm - before.place_mm) * fps / 2
        speed = float(np.hypot(*velocity))
        if speed < LEAST_MM_S:
            continue
        if len(seen) >= most or lost >= LOST_AFTER:
            break
        fit = _Streak(puck, spot, velocity / speed, speed * shutter_s).fit(speed * shutter_s, blur_mm, turn + turning)
        seen.append(Sighting(speed, fit.streak_mm, fit.explained, fit.gain, spot.crowded))
        lost = 0 if fit.explained > EXPLAINED_WELL else lost + 1
        if not lost:
            turning = float(np.clip(fit.turn_rad - turn, -MOST_TURN_RAD, MOST_TURN_RAD)) if len(seen) > 1 else 0.0
            turn, shutter_s, blur_mm = fit.turn_rad, fit.streak_mm / speed, fit.blur_mm
    return seen


@dataclass(frozen=True, slots=True)
class _Fit:
    streak_mm: float
    blur_mm: float
    turn_rad: float
    gain: float
    explained: float


class _Streak:
    """A frame's picture around a puck under way, and the puck drawn into it."""

    def __init__(self, puck: PuckAtRest, spot: Spot, along: FloatArray, streak_mm: float) -> None:
        self._puck = puck
        place = spot.place_mm + puck.off_mm
        long = REACH[0] * puck.radius + max(1.5 * streak_mm, LEAST_STREAK_MM) / 2 + ROOM_MM
        window = self._window = Window(place, along, (long, REACH[1] * puck.radius), puck.step)
        shown, ground, known = sampled([spot], window.pixels(puck.pose, puck.board.puck.height_mm))
        self._known = known[..., None].astype(np.float64)
        self._change, self._ground = (shown - ground) @ CHANNELS.T, ground @ CHANNELS.T
        self._paint = puck.paint @ CHANNELS.T
        self._top, self._whole = puck.covers(window, place)
        rows, columns = known.shape
        self._shape = (cv2.getOptimalDFTSize(rows + 8), cv2.getOptimalDFTSize(columns + 10))
        self._across = np.fft.fftfreq(self._shape[0], puck.step)[:, None]
        self._along = np.fft.rfftfreq(self._shape[1], puck.step)[None]

    def fit(self, streak_mm: float, blur_mm: float, turn_rad: float) -> _Fit:
        """Length, place, blur and turn that explain the picture best, from a first guess."""
        found = self._fit(np.array([streak_mm, 0.0, 0.0, blur_mm]), turn_rad, ROUNDS)
        for other in (turn_rad - TURN_RAD, turn_rad + TURN_RAD) if self._puck.printed else ():
            self._turn(other)
            if float((self._misfit(found.x) ** 2).sum()) < 2 * found.cost:
                found, turn_rad = self._fit(found.x, other, ROUNDS), other
        self._turn(turn_rad)
        rest, shares = self._solved(found.x)
        explained = 1 - float((rest**2).sum()) / max(float(((self._change * self._known) ** 2).sum()), 1e-9)
        return _Fit(float(found.x[0]), float(found.x[3]), turn_rad, float(shares[0]), explained)

    def _fit(self, start: FloatArray, turn_rad: float, rounds: int) -> OptimizeResult:
        self._turn(turn_rad)
        inside = np.clip(start, LOWEST + 0.01, HIGHEST - 0.01)
        return least_squares(
            self._misfit, inside, bounds=(LOWEST, HIGHEST), x_scale=(1, 1, 1, 0.5), max_nfev=rounds, diff_step=1e-3
        )

    def _turn(self, turn_rad: float) -> None:
        """Draws the puck, sharp and at rest: top, side, all that hides the ground, and shadow."""
        top, shadow = self._puck.seen_along(self._window, turn_rad)
        layers = [(top @ CHANNELS.T) * self._top[..., None], self._whole - self._top, self._whole,
                  shadow * (1 - self._whole)]  # fmt: skip
        self._sharp = np.fft.rfft2(np.dstack(layers), s=self._shape, axes=(0, 1))

    def _misfit(self, values: FloatArray) -> FloatArray:
        return self._solved(values)[0]

    def _solved(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """What is left of the picture, flat, and how bright top, side and shadow are. values: see LOWEST."""
        streak, ahead, beside, blur = values
        smear = np.sinc(self._along * streak) * np.exp(
            -2j * np.pi * (self._along * ahead + self._across * beside)
            - 2 * (np.pi * blur) ** 2 * (self._along**2 + self._across**2)
        )
        rows, columns = self._known.shape[:2]
        drawn = np.fft.irfft2(self._sharp * smear[..., None], s=self._shape, axes=(0, 1))[:rows, :columns]
        left = ((self._change + drawn[..., 4:5] * self._ground) * self._known).ravel()
        parts = np.stack([(drawn[..., :3] * self._known).ravel(),
                          (drawn[..., 3:4] * self._paint * self._known).ravel(),
                          (-drawn[..., 5:6] * self._ground * self._known).ravel()])  # fmt: skip
        square = parts @ parts.T
        tie = TIE * np.trace(square) / 3
        shares = np.linalg.solve(square + tie * np.eye(3), parts @ left + tie * np.array([1.0, SIDE[1], SHADOW[1]]))
        shares[1], shares[2] = np.clip(shares[1], SIDE[0], SIDE[2]), np.clip(shares[2], SHADOW[0], SHADOW[2])
        return shares @ parts - left, shares
