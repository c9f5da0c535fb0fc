"""What stirs: a hand alone, or pucks too, before the board is known and while a shot is on."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame_map import FrameMap
from vision.hands import reaching

Mask = NDArray[np.uint8]

HAND_ALONE_S = 0.25  # where at first only a hand stirs for so long, and no puck, the rest of the board lies still
LEAST_FRAMES = 3  # and in so many frames, however few there are a second
# a look at the whole board takes long: after so many in which pucks stirred it is so long from one to the next
LOOKS_AT_ONCE, LOOKS_APART_S = 4, 0.6
MOTION_SHARE = 0.10  # puck areas that must change between two frames to call it motion
AROUND_HAND = 0.5  # radii: the shadow of a hand that moves stirs so far around it
CHANGED_SHARE = 0.5  # puck areas that have changed beside a hand where a puck may lie elsewhere than before
RUNS_SHARE = 0.5  # puck areas that stir away from the hand where a puck runs by itself
LEFT_SHARE = 0.15  # of a puck's place differs, at the least, where it has left: it may be hardly other than the ground
UNDER_HAND = 0.1  # of a puck's place is under the hand: it may hide whether the puck is there
NO_STIR_S = 0.3  # half of the time after which the board is looked at again although nothing has stirred
GROWN_SHARE = 0.3  # puck areas by which what has changed beside a hand grows or shrinks where something stirs there


class Stirs:
    """The last moments' motion. Masks are of the small grey picture, 0 or 255."""

    def __init__(self) -> None:
        self._of_late: deque[tuple[float, Mask]] = deque()
        self._in_vain = 0
        self._again_s = -math.inf

    def clear(self) -> None:
        """Forgets all."""
        self._of_late.clear()
        self._in_vain, self._again_s = 0, -math.inf

    def looked_in_vain(self, time_s: float) -> None:
        """The board was looked at, and pucks had stirred: that takes longer than a frame, and is not done again in the
        next one."""
        self._of_late.clear()
        self._in_vain += 1
        if self._in_vain >= LOOKS_AT_ONCE:
            self._again_s = time_s + LOOKS_APART_S

    def only_a_hands(self, time_s: float, motion: Mask, frame_map: FrameMap) -> bool:
        """Takes a frame's motion in. True where for a while nothing as broad as a puck has stirred but what reaches in
        from outside."""
        self._of_late.append((time_s, motion))
        while time_s - self._of_late[0][0] > HAND_ALONE_S:
            self._of_late.popleft()
        short = time_s - self._of_late[0][0] < HAND_ALONE_S / 2 or len(self._of_late) < LEAST_FRAMES
        if short or time_s < self._again_s:
            return False
        size = round(frame_map.radius) | 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        stirred = self._all()
        hands = reaching(np.asarray(cv2.morphologyEx(stirred, cv2.MORPH_CLOSE, kernel)), frame_map.outside, 0)
        return not cv2.morphologyEx(np.asarray(stirred & (1 - hands)), cv2.MORPH_OPEN, kernel).any()

    def at(self, places_mm: Sequence[tuple[float, float]], frame_map: FrameMap) -> bool:
        """True where something has stirred on a puck at one of some places."""
        stirred = self._all()
        mask = np.zeros_like(stirred)
        for x, y in frame_map.small_px(places_mm):
            cv2.circle(mask, (round(x), round(y)), round(frame_map.radius), 1, -1)
        return cv2.countNonZero(cv2.bitwise_and(stirred, mask)) > MOTION_SHARE * frame_map.puck_area

    def _all(self) -> Mask:
        return np.asarray(np.bitwise_or.reduce([mask for _, mask in self._of_late]))


class BesideHand:
    """How long nothing has stirred but a hand that reaches in. Masks are of the small grey picture.

    calm_s: for how long; hand: (rows, columns) of 0 and 1, the hand in the last frame, or None where none was; near:
    (rows, columns) of 0 and 1, the same with all that hangs together with it and with what stirs of it.
    """

    def __init__(self) -> None:
        self.calm_s = 0.0
        self._looked_s = 0.0  # how long it was when the board was looked at
        self._in_vain = False  # and nothing is to be told before a puck runs, or another hand comes
        self._changed = 0  # the pixels that differ from the board at rest and are none of the hand …
        self._apart = 0  # … and those of them that have nothing to do with what stirs of it, nor with its shadow
        self._change: Mask = np.zeros((0, 0), np.uint8)
        self.hand: Mask | None = None
        self.near: Mask | None = None

    def clear(self) -> None:
        """Forgets all."""
        self.calm_s, self._looked_s, self._in_vain = 0.0, 0.0, False
        self.hand = self.near = None
        self._changed = self._apart = 0

    def due(self, places_mm: Sequence[tuple[float, float]], frame_map: FrameMap) -> bool:
        """True where it is worth while to look at the board, but not often: a puck seems to have left its place, and
        the hand lies on none of them. places_mm: where pucks lay."""
        if self._in_vain or self._little(frame_map) or self.calm_s < 2 * self._looked_s:
            return False
        left = False
        for x, y in frame_map.small_px(places_mm):
            if self.hand is not None and disc_share(self.hand, x, y, frame_map.radius) > UNDER_HAND:
                return False
            left = left or disc_share(self._change, x, y, frame_map.radius) > LEFT_SHARE
        return left

    def looked(self, *, in_vain: bool = False, until_it_stirs: bool = False) -> None:
        """The board was looked at just now. in_vain: what goes on is no shot, and told when the hand has left;
        until_it_stirs: a puck is under the hand, or beside it, and nothing is to be told before it shows, which most
        often makes a stir."""
        self._looked_s, self._in_vain = max(self.calm_s, NO_STIR_S if until_it_stirs else 0.0), in_vain

    def _little(self, frame_map: FrameMap) -> bool:
        """True where too little has changed beside the hand to be a puck that lies elsewhere."""
        return self._changed <= CHANGED_SHARE * frame_map.puck_area

    def look(self, change: Mask, motion: Mask, hand: Mask | None, frame_map: FrameMap, dt: float) -> None:
        """Takes the next frame in, dt seconds after the last: what differs from the board at rest and from the frame
        before, 0 or 255, and what of the first is a hand, 0 or 1, or None where no hand is."""
        was, self.hand = self.hand, hand
        before, self._changed, self._change = self._apart, cv2.countNonZero(change), change
        stirs, hands = motion, [h for h in (hand, was) if h is not None]
        if hand is not None:
            self._in_vain = self._in_vain and was is not None
            self._changed -= cv2.countNonZero(hand)
        if self._little(frame_map):
            self.calm_s = self._looked_s = 0.0
            self._apart, self.near = max(self._changed, 0), None
            return
        for one in hands:
            stirs = np.asarray(cv2.bitwise_or(stirs, one))
        moving = _reach(stirs, frame_map)
        stirred = _outside(motion, moving) / frame_map.puck_area
        self.near = _reach(np.asarray(cv2.bitwise_or(stirs, change)), frame_map)  # an arm is seen in pieces
        self._apart = _outside(change, self.near)
        grown = abs(self._apart - before) / frame_map.puck_area
        calm = stirred <= MOTION_SHARE and grown <= GROWN_SHARE
        self.calm_s = self.calm_s + dt if calm else 0.0
        if not calm:
            self._looked_s = 0.0
            self._in_vain = self._in_vain and stirred < RUNS_SHARE


def _reach(hand: Mask, frame_map: FrameMap) -> Mask:
    """What hangs together with something that reaches in from outside, its shadow included. -> 0 or 1"""
    size = round(2 * AROUND_HAND * frame_map.radius) | 1
    wide = cv2.dilate(hand, cv2.getStructuringElement(cv2.MORPH_RECT, (size, size)))
    return reaching(np.asarray(wide), frame_map.outside, 0)


def _outside(mask: Mask, of: Mask) -> int:
    """How many pixels of a mask are none of another's."""
    return cv2.countNonZero(mask) - cv2.countNonZero(cv2.copyTo(mask, of))


def disc_share(mask: Mask, x: float, y: float, radius: float) -> float:
    """The share of a disc, in pixels, in which a mask is not 0; what lies beside the picture is 0."""
    x0, y0, size = round(x - radius), round(y - radius), max(round(2 * radius), 1) + 1
    part = mask[max(y0, 0) : max(y0 + size, 0), max(x0, 0) : max(x0 + size, 0)]
    if cv2.countNonZero(part) == 0:
        return 0.0
    disc = np.zeros(part.shape, np.uint8)
    cv2.circle(disc, (round(x) - max(x0, 0), round(y) - max(y0, 0)), round(radius), 1, -1)
    return cv2.countNonZero(cv2.copyTo(part, disc)) / max(cv2.countNonZero(disc), 1)
