"""What the board looks like while it lies still, and how a frame differs from that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.aside import aside
from vision.boxes import Box
from vision.clipping import SmallAtRest, changed_in_light, clipped_in, small_at_rest, unlike_any
from vision.differencing import (
    CoarseChange,
    coarse_change,
    coarse_picture,
    steady_light,
)
from vision.faint import FaintBlocks
from vision.frame_map import FrameMap
from vision.frames import Image
from vision.hands import HAND_AT_EDGE, reaching
from vision.pieces import largest
from vision.records import Record, empty
from vision.streaks import BAND_PX, Ground, faint_paints, light_over, strongest
from vision.tone import toned

Mask = NDArray[np.uint8]
FloatArray = NDArray[np.float64]

LEAST_LEVEL, LEVEL_NOISE = 12.0, 1.2  # grey levels, and times the threshold of noise: what differs more has changed
LEAST_LIGHT = 0.1  # of that in which the board was at rest: what is darker is as good as black
SHADED = 2.2  # radii: so far around it a puck and its shadow differ from the board
ASIDE_PX = 100_000  # smaller parts are straightened sooner than another thread could be told to
WIDER_RADII = 1.2  # around what has changed a puck's place is looked at again


@dataclass(frozen=True, slots=True)
class Change:
    """How a frame differs from the board at rest.

    mask: where, in the small grey picture, 0 or 255; box: (x0, y0, x1, y1) in its pixels around that, and around what
    differs by its colour alone; light: over the top view.
    """

    mask: Mask
    box: Box
    light: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Rearrangement:
    """How a board that lies still differs from how it lay before, from above.

    busy: (h, w) of 0 and 1, where; around: the same a puck wider; light: over the view; lit: (h, w, 3) the board as it
    lay, in the light of now; top: (h, w, 3) the board as it lies.
    """

    busy: Mask
    around: Mask
    light: NDArray[np.float32]
    lit: Image
    top: Image


@dataclass(frozen=True, slots=True)
class BoardAtRest:
    """A frame of the board at rest, all of it or as far as no hand was over it.

    image: (H, W, 3); small: as a small grey picture; coarse: (rows, columns, 3) its blocks' colours; top: (h, w, 3)
    from above; beyond: where of the small picture a hand must be to reach in; unknown: (h, w) where the top view has
    not been seen since the camera was knocked, or None; faint: where pucks are hardly other than it, if any team's are.
    """

    frame_map: FrameMap
    image: Image
    small: SmallAtRest
    coarse: NDArray[np.float32]
    top: Image
    beyond: Mask
    unknown: Mask | None = None
    faint: FaintBlocks | None = None

    @property
    def gray(self) -> Image:
        """Its small grey picture."""
        return self.small.gray

    @property
    def brightness(self) -> float:
        """Grey levels, the mean of the board and what is around."""
        return float(self.coarse.mean())

    def toned(self, curve: NDArray[np.uint8]) -> BoardAtRest:
        """The same board as pictures with other levels in their levels' place show it. curve: (256,)"""
        shown = board_at_rest(toned(self.image, curve), self.frame_map, (), self.unknown)
        return replace(shown, beyond=self.beyond)

    def looked_for(self, paints: Mapping[str, FloatArray]) -> BoardAtRest:
        """The same board, on which pucks of some paints, (3,) BGR by their teams, are looked for in every frame, where
        they are hardly other than the ground."""
        few = faint_paints(self.top, {team: [paint] for team, paint in paints.items()})
        if not few:
            return replace(self, faint=None)
        grid = (self.coarse.shape[1], self.coarse.shape[0])
        return replace(self, faint=FaintBlocks(self.image, self.frame_map.view, grid, {t: paints[t] for t in few}))

    def with_part(self, image: Image, mask: Mask) -> Image:
        """The board in the light of a frame, with what the frame shows where a mask (H, W) says so."""
        x0, y0, x1, y1 = self.frame_map.view.roi
        out = image.copy()
        part = self.image[y0:y1, x0:x1]
        out[y0:y1, x0:x1] = Ground(part).lit((0, 0), part.shape, self._light(image))
        cv2.copyTo(image, mask, out)
        return out

    def without(self, image: Image, mask: Mask, coarse: CoarseChange) -> Image:
        """A frame with the board at rest, in the light of now, where a mask (H, W) says so. coarse: how its blocks
        differ"""
        x0, y0, x1, y1 = self.frame_map.view.roi
        left, top, w, h = cv2.boundingRect(mask[y0:y1, x0:x1])
        window, out = (slice(top, top + h), slice(left, left + w)), image.copy()
        board, there, onto = (picture[y0:y1, x0:x1][window] for picture in (self.image, mask, out))
        hidden = cv2.resize(mask[y0:y1, x0:x1], coarse.low.shape[::-1], interpolation=cv2.INTER_AREA)
        light = light_over((left, top), (h, w), coarse.light(np.asarray(hidden)), (y1 - y0, x1 - x0))
        cv2.copyTo(cv2.multiply(board, light, dtype=cv2.CV_8U), there, onto)
        return out

    def with_moved(self, image: Image, mask: Mask) -> Image:
        """The same in the light in which the board was at rest: in that of a frame it would stay dark where a hand is,
        which is taken for a shadow in part."""
        x0, y0, x1, y1 = self.frame_map.view.roi
        out, field = self.image.copy(), self._light(image)
        part, there, onto = (picture[y0:y1, x0:x1] for picture in (image, mask, out))
        left, first, w, h = cv2.boundingRect(there)
        for top in range(first, first + h, BAND_PX):
            window = (slice(top, min(top + BAND_PX, first + h)), slice(left, left + w))
            seen = part[window]
            light = light_over((left, top), seen.shape[:2], field, part.shape)
            np.maximum(light, LEAST_LIGHT, out=light)
            cv2.copyTo(cv2.divide(seen, light, dtype=cv2.CV_8U), there[window], onto[window])
        return out

    def _light(self, image: Image) -> NDArray[np.float32]:
        """The light of a frame's blocks, (rows, columns, 3), against that in which the board was at rest."""
        return self.coarse_change(image).light()

    def coarse_change(self, image: Image, coarse: NDArray[np.float32] | None = None) -> CoarseChange:
        """How the colours of a frame's blocks differ. coarse: these, as of coarse_picture, where they are known"""
        view = self.frame_map.view
        now = coarse_picture(image, view.roi, view.light_step) if coarse is None else coarse
        return coarse_change(now, self.coarse)

    def change(self, image: Image, gray: Image, threshold: float, coarse: CoarseChange | None = None) -> Change:
        """How a frame differs. gray: its small grey picture; threshold: grey levels beyond the camera's noise; coarse:
        how its blocks differ, where that is known"""
        view_px, looked_at = self.frame_map.view_px, self.frame_map.looked_at
        coarse = coarse or self.coarse_change(image)
        field = coarse.light()
        change = changed_in_light(gray, self.small, field, threshold)
        change = np.asarray(cv2.bitwise_and(change, looked_at), dtype=np.uint8)
        if self.unknown is not None:
            change[self.unknown[view_px[..., 1], view_px[..., 0]] > 0] = 0
        odd = coarse.recoloured()
        if self.faint is not None:
            odd |= self.faint.seen(image, field)
        return Change(change, self.frame_map.box(change, odd), self.frame_map.over_view(field))

    def rearranged(self, image: Image, threshold: float) -> Rearrangement:
        """How another frame of the board at rest differs. threshold: grey levels beyond the camera's noise"""
        view = self.frame_map.view
        seen = aside(view.rectify, image)
        ratio = steady_light(image, self.image, view.roi, view.light_step)
        light = self.frame_map.over_view(coarse_change(self.coarse * ratio, self.coarse).light())
        lit = Ground(self.top).lit((0, 0), self.top.shape, light)
        top = seen.result()
        busy = strongest(self._unlike(top, lit, light), max(LEAST_LEVEL, threshold * LEVEL_NOISE))
        busy = np.asarray(cv2.morphologyEx(busy, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))
        if self.unknown is not None:
            busy[self.unknown > 0] = 0
        if cv2.countNonZero(cv2.bitwise_and(busy, 1 - self.frame_map.in_frame)):  # there one pixel's noise is a bar
            busy = reaching(busy, self.frame_map.in_frame, 0)
        return Rearrangement(busy, _wider(busy, view.radius_px * WIDER_RADII), light, lit, top)

    def _unlike(self, top: Image, lit: Image, light: NDArray[np.float32]) -> Image:
        """By how much a top view, (h, w, 3) blurred a little, differs from the board in the light of now.

        lit: the board in that light, which it is multiplied by
        """
        clipped = clipped_in(self.top)
        if clipped is None:
            return np.asarray(cv2.absdiff(_blurred(top), _blurred(lit)), dtype=np.uint8)
        darker = Ground(np.asarray(cv2.subtract(self.top, clipped))).lit((0, 0), top.shape, light)
        shaded = Ground(clipped).lit((0, 0), top.shape, light)
        low, high = (_blurred(np.asarray(cv2.add(darker, bright))) for bright in (shaded, clipped))
        return unlike_any(_blurred(top), low, high)

    def hand_reaches_in(self, change: Mask, lie: Sequence[tuple[float, float]] = ()) -> bool:
        """True where of a change (rows, columns) something reaches in over the border of the playing surface.

        lie: where pucks have come to lie since, in mm, which may hang over it.
        """
        least = HAND_AT_EDGE * self.frame_map.puck_area
        beyond = cv2.copyTo(change, self.beyond)
        if lie:
            beyond = cv2.copyTo(beyond, self.frame_map.beyond(lie, SHADED))
        if cv2.countNonZero(beyond) <= least:
            return False
        return largest(np.asarray(beyond, dtype=np.uint8)) > least

    def reaching_in(self, change: Mask) -> Mask:
        """What of a change (rows, columns) reaches in over the border of the playing surface. -> of 0 and 1"""
        return reaching(change, self.beyond, HAND_AT_EDGE * self.frame_map.puck_area)

    def record(self, time_s: float, image: Image, change: Change) -> Record:
        """The part of a frame that differs."""
        part = self.frame_map.in_view(change.box)
        if part is None:
            return empty(time_s, change.light, self.top)
        x0, y0, x1, y1 = part
        rectified = self.frame_map.view.rectify_part
        large = (x1 - x0) * (y1 - y0) > ASIDE_PX
        patch = aside(rectified, image, *part) if large else rectified(image, *part)
        return Record(time_s, (x0, y0), (x1 - x0, y1 - y0), change.light, self.top, patch)


def board_at_rest(
    image: Image, frame_map: FrameMap, pucks: Sequence[tuple[float, float]], unknown: Mask | None = None
) -> BoardAtRest:
    """Takes a frame as what the board looks like at rest. pucks: places in mm"""
    view = frame_map.view
    small, coarse = small_at_rest(image, view.roi, view.step), coarse_picture(image, view.roi, view.light_step)
    return BoardAtRest(frame_map, image, small, coarse, view.rectify(image), frame_map.beyond(pucks), unknown)


def _blurred(picture: Image) -> Image:
    return np.asarray(cv2.blur(picture, (3, 3)), dtype=np.uint8)


def _wider(mask: Mask, by_px: float) -> Mask:
    """A mask of 0 and 1, wider by so many pixels on all sides, to a pixel or two."""
    h, w = mask.shape
    half = np.asarray(cv2.resize(mask * np.uint8(255), ((w + 1) // 2, (h + 1) // 2), interpolation=cv2.INTER_AREA))
    size = round(by_px) | 1
    wide = cv2.dilate(half, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    return np.asarray(cv2.resize(wide, (w, h), interpolation=cv2.INTER_NEAREST) > 0, dtype=np.uint8)
