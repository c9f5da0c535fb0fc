"""The room's light, as a camera shows it: noise, flicker, and how it has changed since the board lay at rest."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.board_at_rest import BoardAtRest
from vision.differencing import (
    WHITE_COLOURS,
    CoarseChange,
    NoiseMeter,
    coarse_change,
    coarse_picture,
    in_gain,
    light_gain,
    whitened,
)
from vision.fading import Fading
from vision.frame_map import FrameMap
from vision.frames import Image
from vision.palette import Palette
from vision.renewals import Renewals
from vision.stripes import Stripes

JUMPS = 0.5  # logarithm of the light's change from frame to frame: of such frames noise is not told
RELIT_BY = 0.45  # logarithm of light that is quite another one: what is left of the board at rest may differ for ever
CLIPS = 0.1  # of the board: so much more of it is clipped where it should not be looked at as a whole
FAR = 0.3  # logarithm of light that is another one than at rest, and may come back to that while an exposure follows it
GROWN = 2.5  # light that has grown by so much may show pucks that the first look did not
AMPLIFIED = 1.4  # light that has grown by more since the board lay at rest shows what noise there was then
AMPLIFIED_MOST = 40.0  # grey levels: beyond, it is a change, however the light has grown
LEAST_LIGHT = 0.05  # of the board's own: where there is less it is as good as dark
NONE_TOO_STILL = 4 / 3  # so much more must a level change where stripes or swings have been taken out
LEARN_RATE = 0.5  # how much of a team's colour is taken from the last look
OTHER_LIGHT = 0.1  # logarithm of light in which paints are brighter or darker than they were


class RoomLight:
    """Follows the light from frame to frame, and against that in which the board lay at rest.

    level: how bright the last frame was, in grey levels; brighter: by how much the light has grown since the board lay
    at rest, if it has; relit: whether it is quite another one than then; renewals: of the picture, by its coder
    """

    def __init__(self) -> None:
        self.level, self.brighter, self.relit = 0.0, 1.0, False
        self._noise, self._lamps, self._fading = NoiseMeter(), Stripes(), Fading()
        self.renewals = Renewals()
        self._light = 1.0  # of the last frame, against that in which the board lay at rest
        self._looked_in = self._rested_in = 0.0  # how bright the board was when looked at as a whole, and at rest
        self._white = self._clipped = 0.0  # how much of it was white at rest, and clipped in a colour

    def compared(self, gray: Image, previous: Image, dt: float, *, alike: bool) -> tuple[Image, bool]:
        """Two small grey pictures, dt seconds one after the other.

        alike: whether sharp shadows were left in both of them, or in none

        -> the earlier one in the light of the other, and whether light is going on or off
        """
        previous = self._lamps.evened(previous, gray)
        gain = light_gain(gray, previous)
        fades, previous = self._fading.look(gain, dt), in_gain(previous, gain)
        if alike and abs(math.log(gain)) < JUMPS:
            self._noise.update(gray, previous)
        return previous, fades

    def against_rest(self, coarse: CoarseChange, rested: BoardAtRest) -> None:
        """How the blocks of a frame differ from the board at rest."""
        light = coarse.brightness
        self.level = light * rested.brightness
        self.brighter = max(light / AMPLIFIED, 1.0)
        self._light = max(light, LEAST_LIGHT)
        self.relit = abs(math.log(self._light)) > RELIT_BY

    def rests(self, rested: BoardAtRest) -> None:
        """The board lies at rest."""
        self._rested_in = rested.brightness
        share = rested.frame_map.share_of_blocks
        self._white, self._clipped = (share(whitened(rested.coarse, colours)) for colours in (WHITE_COLOURS, 1))

    def looked(self) -> None:
        """The board was looked at as a whole, in the light in which it lies at rest."""
        self._looked_in = self._rested_in

    def taken_less_bright(self, times: float) -> None:
        """From now on a board in the same light shows so many times less bright than when it was looked at."""
        self._looked_in /= times

    def has_grown(self, level: float) -> bool:
        """Whether a level is far above that in which the board was looked at as a whole."""
        return level > GROWN * self._looked_in

    def clips_still(self, image: Image, frame_map: FrameMap) -> bool:
        """Whether more of the board is clipped than at rest, in one colour or more, and an exposure seems to follow the
        light: soon it shows as it is."""
        if not self._fading.follows:
            return False
        view = frame_map.view
        clipped = frame_map.share_of_blocks(whitened(coarse_picture(image, view.roi, view.light_step), 1))
        return clipped - self._clipped > CLIPS

    @property
    def comes_back(self) -> bool:
        """Whether it seems to follow light that is another one than at rest: it may come to look as then again."""
        return self._fading.follows and abs(math.log(self._light)) > FAR

    def whiter(self, coarse: CoarseChange, frame_map: FrameMap) -> float:
        """How much more of the board is white than at rest."""
        return frame_map.share_of_blocks(coarse.white) - self._white

    def as_before(self, image: Image, gray: Image, frame_map: FrameMap) -> tuple[float, float, float]:
        """A frame of a board that was seen before, perhaps from elsewhere, and its small grey picture.

        -> its light against then, its level, and how much more of it is white
        """
        level = float(gray.mean()) + 2.0  # as of blocks
        view = frame_map.view
        white = frame_map.share_of_blocks(whitened(coarse_picture(image, view.roi, view.light_step)))
        return level / self._rested_in, level, white - self._white

    def threshold(self, *, swings: bool) -> float:
        """Grey levels beyond the camera's noise, and beyond what is left of lamps' stripes, of a camera's swings and of
        a coder's renewals."""
        return max(self.noise(swings=swings), self.renewals.least(self.level))

    def noise(self, *, swings: bool) -> float:
        """The same, but for what a coder does to the picture."""
        return self._noise.threshold * (NONE_TOO_STILL if self._lamps.seen or swings else 1.0)

    def rest_threshold(self, *, swings: bool) -> float:
        """The same against the board at rest, whose noise grows with the light."""
        least = self.threshold(swings=swings)
        return min(least * self.brighter, max(AMPLIFIED_MOST, least))


class Paints:
    """Teams' colours, in the light in which the board lies at rest. palette: None until they were seen"""

    def __init__(self) -> None:
        self.palette: Palette | None = None
        self._lit: NDArray[np.float32] | None = None  # (rows, columns, 3) the board in their light, if known

    def seen(self, palette: Palette) -> None:
        """Takes colours as they are now; the board at rest in their light is to come."""
        self.palette, self._lit = palette, None

    def learn(self, colours: NDArray[np.float64], teams: list[str], rested: BoardAtRest) -> None:
        """Takes colours of pucks, (N, 3) BGR, and the teams of these as a half of what is known of paints. rested: the
        board in their light"""
        assert self.palette is not None
        self.palette, self._lit = self.palette.updated(colours, teams, LEARN_RATE), rested.coarse

    def toned(self, curve: NDArray[np.uint8], rested: BoardAtRest) -> None:
        """Puts other levels in their levels' place, as was done to the board at rest. curve: (256,)"""
        assert self.palette is not None
        self.palette, self._lit = self.palette.toned(curve), rested.coarse

    def rests(self, rested: BoardAtRest) -> None:
        """The board lies at rest, in another light perhaps: so are paints."""
        assert self.palette is not None
        now, was = rested.coarse, self._lit
        if was is None or was.shape != now.shape:
            self._lit = now
            return
        gain = coarse_change(now, was).overall
        if np.abs(np.log(np.maximum(gain, LEAST_LIGHT))).max() > OTHER_LIGHT:
            self.palette, self._lit = self.palette.in_light(gain.astype(np.float64)), now


__all__ = ["LEAST_LIGHT", "Paints", "RoomLight"]
