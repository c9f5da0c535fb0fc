"""The frames of an episode as the solver sees them: streaks and hands in each, and questions about places."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from vision.boxes import Box
from vision.crossings import beyond_rim_mm
from vision.frames import Image
from vision.paths import STOOD_MM, slowness
from vision.pieces import pieces, pixels_of
from vision.scene import Scene
from vision.sighted import NOTHING, Changed, Sighted
from vision.streaks import HOLE, Ground, Streak, strongest

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

OUTSIDE_MM = 45.0  # streaks further outside of the playing surface are no pucks, unless one flew on …
FLOWN_FROM_MM = 25.0  # … from a place no further inside of the edge, and as far away at least
FLOWN_MOST_MM = 120.0  # in a frame of 30 a second: 3.6 m/s
LOOKERS = 2  # threads that look at frames side by side
ARRIVED_MM = 6.0  # a streak this near to where a puck came to rest is that puck
REACHING_AREA = 2.6  # puck areas: what is larger and in one piece is a hand
SHADE_RADII = 0.6  # nearer than this to another team's puck …
SHADE_MASS = 0.75  # … is a part of it what shows less than this share of its paint
STAYS = 4  # frames before and after in which a printed ring is seen in the same place
PRINT_MM = 1.5  # what is seen no further off is in the same place
CARRYING_AREA = 10.0  # puck areas: pucks that touch, with their shadows, are smaller; a hand that holds one is larger
LIES_LEVEL = 24.0  # grey levels by which no more than noise makes a pixel of a puck differ …
LIES_SHARE = 0.04  # … and less than this share of a puck that lies there does …
ALIKE_LEVEL, ALIKE_SHARE = 4.0, 0.4  # … if as a whole it does not look like the ground, which differs by so much
BARE_SHARE = 0.5  # a place is bare where this share of the disc shows the ground
COVERED_SHARE = 0.22  # a place is hidden where a hand covers this share of a puck's disc there
SHADOW_AREA = 2.5  # puck areas: a piece of what is no puck and smaller than this is a running puck's own shadow
FLICKER_MM = 60.0  # a finger that flicked a puck was not further away a frame later
FREE_GAP_MM = 1.5  # from the hand: a puck that moves by itself has left it
HAND_NEAR_MM = 6.0  # a hand that places or lifts a puck comes at least so near
HAND_FAR_MM = 200.0  # a hand that is further away is as good as none
SQUARE_RADII = 0.8  # half the side of the square that stands for a puck's disc: all but four edges, four corners more
FRESH_FRAMES = 3  # frames before, and as many after, which tell whether a puck only passes …
FRESH_SEEN = 1  # … where it stands in no more of either: what runs fast is in one place once, what runs slowly twice
BESIDE_MM = 90.0  # what is as near of a hand tells from which side it comes
CROSS = np.asarray(cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))


def _rather_like(now: Image, this: Image, other: Image, disc: Mask) -> bool:
    """True where a disc as a whole looks like one picture and not like another, from which it may hardly differ in any
    pixel. now, this, other: (h, w, 3); disc: (h, w) of 0 and 1"""
    mean, like, unlike = (np.array(cv2.mean(picture, mask=disc)) for picture in (now, this, other))
    return math.dist(like, unlike) >= ALIKE_LEVEL and math.dist(mean, like) <= ALIKE_SHARE * math.dist(mean, unlike)


class Watch:
    """Streaks and hands of every record, and questions about them."""

    def __init__(self, scene: Scene) -> None:
        self.scene = replace(scene, earlier=None)
        self.times = [r.time_s for r in scene.records]
        changed = Changed(scene.view, scene.palette, scene.before, scene.after, scene.vacated, scene.appeared)
        self.seen = Sighted(changed, scene.earlier)
        self.ground, self.hands, self.busy = self.seen.ground, self.seen.hands, self.seen.busy
        self._hand_px: dict[int, FloatArray] = {}
        self.first = self.seen.first(scene.records)
        self._look()
        self.streaks = list(self.seen.streaks)
        self._drop_what_never_flew()
        self._drop_prints()
        self._drop_shades()

    def _look(self) -> None:
        """Looks at every frame, but for those that an earlier look has seen."""
        records, seen = self.scene.records, self.seen
        known = {k: was for k, was in seen.known(records).items() if k >= self.first}
        with ThreadPoolExecutor(LOOKERS) as pool:  # most of it is done outside of the interpreter's lock
            new = {k: pool.submit(seen.look, k, r) for k, r in enumerate(records) if k >= self.first and k not in known}
            for k, record in enumerate(records):
                if k in known:
                    seen.take_over(known[k])
                else:
                    seen.add(record.time_s, new.pop(k).result() if k in new else NOTHING)

    def _drop_shades(self) -> None:
        """Forgets what lies where another team's puck is seen: a part of that one, whose gloss or rim is alike."""
        radius = self.scene.board.puck.radius_mm
        for frame, streaks in enumerate(self.streaks):
            whole = [s for s in streaks if s.clean(radius)]
            self.streaks[frame] = [s for s in streaks if s.outlined or not any(part_of(s, o, radius) for o in whole)]

    def _drop_what_never_flew(self) -> None:
        """Forgets what lies far outside of the surface, and did not come from its edge in the frame before."""
        board, before = self.scene.board, list[Streak]()
        for frame, streaks in enumerate(self.streaks):
            running, slow = [s for s in before if not self._at_home(s)], slowness(self.times, frame)
            self.streaks[frame] = [
                s for s in streaks
                if beyond_rim_mm(board, *s.place) < OUTSIDE_MM or flew_on(running, s, board, slow)
            ]  # fmt: skip
            before = streaks

    def _at_home(self, streak: Streak) -> bool:
        return any(streak.team == t and math.dist(streak.place, h) < ARRIVED_MM for t, h in self.seen.homes)

    def _drop_prints(self) -> None:
        """Forgets outlines that stay where no puck lay or came to lie: they are printed on the board."""
        for frame, streaks in enumerate(self.streaks):
            around = (*self.streaks[max(frame - STAYS, 0) : frame], *self.streaks[frame + 1 : frame + 1 + STAYS])
            near = list(itertools.chain.from_iterable(around))
            self.streaks[frame] = [
                s for s in streaks
                if not s.outlined or self._at_home(s)
                or sum(math.dist(s.place, o.place) < PRINT_MM and o.team == s.team for o in near) < STAYS
            ]  # fmt: skip

    def covered(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where a hand hides a part of a puck that lay there."""
        return self.hand_share(frame, x_mm, y_mm) > COVERED_SHARE

    def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where a puck's place lies outside of what changed in a frame."""
        if frame < self.first:
            return True
        (w, h), corner = self.scene.records[frame].size, self.scene.records[frame].corner
        px, py = self.scene.view.px_from_mm(np.array([[x_mm, y_mm]]))[0] - corner
        return not (0 <= px < w and 0 <= py < h)

    def lies(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where a frame shows a puck's place as it was before, all of it: the puck has not left yet."""
        record, view = self.scene.records[frame], self.scene.view
        r = view.radius_px
        px, py = view.px_from_mm(np.array([[x_mm, y_mm]]))[0] - record.corner
        x0, y0 = max(math.floor(px - r), 0), max(math.floor(py - r), 0)
        part = record.cut(x0, y0, math.ceil(px + r) + 1, math.ceil(py + r) + 1)  # the rest has not changed at all
        if part.size == 0:
            return False
        corner = (x0 + record.corner[0], y0 + record.corner[1])
        before = Ground(self.scene.before).lit(corner, part.shape, record.light)
        differs = strongest(np.asarray(cv2.absdiff(part, before)), LIES_LEVEL)
        disc = np.zeros_like(differs)
        cv2.circle(disc, (round(px) - x0, round(py) - y0), round(r), 1, -1)
        if cv2.countNonZero(differs & disc) >= LIES_SHARE * math.pi * r**2:
            return False
        return not _rather_like(part, self.ground.lit(corner, part.shape, record.light), before, disc)

    def hand_share(self, frame: int, x_mm: float, y_mm: float) -> float:
        """Share of a puck's disc that a hand hides."""
        return self._share(self.hands[frame], frame, x_mm, y_mm)

    def fresh(self, frame: int, streak: Streak) -> bool:
        """True where a streak has only just come there, or lies where a puck lies in the end."""
        if any(d.team == streak.team and math.dist(d.place, streak.place) < ARRIVED_MM for d in self.scene.appeared):
            return True
        before = self.streaks[max(frame - FRESH_FRAMES, 0) : frame]
        after = self.streaks[frame + 1 : frame + 1 + FRESH_FRAMES]
        still = [
            sum(any(math.dist(s.place, streak.place) < STOOD_MM for s in seen) for seen in side)
            for side in (before, after)
        ]
        return max(still) <= FRESH_SEEN

    def stood(self, first: int, last: int, streak: Streak, within_mm: float = STOOD_MM) -> bool:
        """True where a streak of the team stood in a streak's place, or so near, in most frames from first to last."""
        around = self.streaks[max(first, 0) : max(last + 1, 0)]
        there = [any(s.team == streak.team and math.dist(s.place, streak.place) < within_mm for s in seen)
                 for seen in around]  # fmt: skip
        return 2 * sum(there) > len(there)

    def free(self, frame: int, streak: Streak) -> bool:
        """True where nothing larger than pucks hangs together with a streak: no hand carries it."""
        mask, view = self.busy[frame], self.scene.view
        if mask.size == 0:
            return True
        away = self.hand_distance_mm(frame, *streak.place)
        if away <= FREE_GAP_MM or FLICKER_MM < away < HAND_FAR_MM:
            return away > FREE_GAP_MM
        x, y = (view.px_from_mm(np.array([streak.place]))[0] - self.scene.records[frame].corner).astype(int)
        if not (0 <= x < mask.shape[1] and 0 <= y < mask.shape[0]):
            return True
        radius = self.scene.board.puck.radius_mm
        most = CARRYING_AREA * math.pi * radius**2 + 3 * radius * streak.length_mm(radius)
        return mask[y, x] == 0 or cv2.floodFill(mask.copy(), None, (int(x), int(y)), 2)[0] / view.scale**2 < most

    def empty(self, frame: int, team: str) -> bool:
        """True where neither a hand nor any puck of a team that moved is seen in a frame."""
        return not any(s.team == team for s in self.streaks[frame]) and not self.hands[frame].any()

    def reached(self, place: tuple[float, float]) -> bool:
        """True where a hand, or whatever else is larger than pucks, came near a place in any frame."""
        least = REACHING_AREA * math.pi * self.scene.view.radius_px**2
        px = self.scene.view.px_from_mm(np.array([place]))[0]
        reach = int(self.scene.view.radius_px + HAND_NEAR_MM * self.scene.view.scale)
        for k, mask in enumerate(self.busy):
            if mask.size == 0:
                continue
            if self.hand_distance_mm(k, *place) < HAND_NEAR_MM:
                return True
            x, y = (px - self.scene.records[k].corner).astype(int)
            if _large_piece_in(mask, (x - reach, y - reach, x + reach, y + reach), least):
                return True
        return False

    def bare(self, frame: int, x_mm: float, y_mm: float) -> bool:
        """True where a place shows the bare ground, so that no puck lies there any more."""
        return self._share(self.busy[frame], frame, x_mm, y_mm) < 1.0 - BARE_SHARE

    def _share(self, mask: Mask, frame: int, x_mm: float, y_mm: float) -> float:
        """Share of a puck's disc there, or rather of a square as large as most of it, where a frame's mask is 1."""
        if mask.size == 0:
            return 0.0
        view = self.scene.view
        px, py = view.px_from_mm(np.array([[x_mm, y_mm]]))[0] - self.scene.records[frame].corner
        r = view.radius_px * SQUARE_RADII
        x0, x1, y0, y1 = max(0, int(px - r)), int(px + r) + 1, max(0, int(py - r)), int(py + r) + 1
        part = mask[y0:y1, x0:x1] if x1 > 0 and y1 > 0 else mask[:0]
        return float(part.mean()) if part.size else 0.0

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        """From a puck's edge there to the nearest hand; HAND_FAR_MM where no hand is near."""
        if not 0 <= frame < len(self.hands) or self.hands[frame].size == 0:
            return HAND_FAR_MM
        if frame not in self._hand_px:
            self._hand_px[frame] = self._pixels(frame, self.hands[frame])
        return self._nearest_mm(self._hand_px[frame], frame, self.hands[frame], x_mm, y_mm)

    def beside_mm(self, frame: int, x_mm: float, y_mm: float) -> tuple[float, float]:
        """From which side something reaches for a puck: from its place to the middle of what is near it in a frame, but
        for pucks that lay still and their shadows. (0, 0) where that is less than a puck."""
        mask, view = self.busy[frame], self.scene.view
        if mask.size == 0:
            return (0.0, 0.0)
        corner, radius = self.scene.records[frame].corner, view.radius_px
        x, y = view.px_from_mm(np.array([[x_mm, y_mm]]))[0] - corner
        reach = round(BESIDE_MM * view.scale)
        left, top = max(round(x) - reach, 0), max(round(y) - reach, 0)
        part = mask[top : max(round(y) + reach, 0), left : max(round(x) + reach, 0)].copy()
        if part.size == 0:  # nothing has changed as near as that
            return (0.0, 0.0)
        for px, py in view.px_from_mm(np.array([r.place for r in self.scene.vacated]).reshape(-1, 2)) - corner:
            cv2.circle(part, (round(px) - left, round(py) - top), round(HOLE * radius), 0, -1)
        rows, columns = np.nonzero(part)
        if len(rows) < math.pi * radius**2:
            return (0.0, 0.0)
        return float(columns.mean() + left - x) / view.scale, float(rows.mean() + top - y) / view.scale

    def over_rim(self, x_mm: float, y_mm: float) -> bool:
        """True where a place is off the board."""
        return beyond_rim_mm(self.scene.board, x_mm, y_mm) > 0.0

    def whole_hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        """From a puck's edge there to the nearest hand that is larger than the shadow of a puck that runs."""
        if not 0 <= frame < len(self.hands) or self.hands[frame].size == 0:
            return HAND_FAR_MM
        large = np.zeros_like(self.hands[frame])
        for piece in pieces(self.hands[frame], SHADOW_AREA * math.pi * self.scene.view.radius_px**2):
            large[piece.window] |= piece.inside
        return self._nearest_mm(self._pixels(frame, large), frame, large, x_mm, y_mm)

    def _pixels(self, frame: int, mask: Mask) -> FloatArray:
        """(N, 2) every other pixel of the rim of a frame's mask, in the view."""
        half = mask[::2, ::2]
        rim = cv2.subtract(half, cv2.erode(half, CROSS, borderType=cv2.BORDER_CONSTANT, borderValue=0))
        rows, columns = np.divmod(pixels_of(np.asarray(rim, dtype=np.uint8)), rim.shape[1])
        corner = np.array(self.scene.records[frame].corner, dtype=np.float64)
        return np.asarray(np.column_stack([columns, rows]) * 2 + corner)

    def _nearest_mm(self, pixels: FloatArray, frame: int, mask: Mask, x_mm: float, y_mm: float) -> float:
        """From a puck's edge to the nearest pixel of a mask, of which `pixels` are the rim."""
        if len(pixels) == 0:
            return HAND_FAR_MM
        view = self.scene.view
        px = view.px_from_mm(np.array([[x_mm, y_mm]]))[0]
        x, y = np.floor(px - self.scene.records[frame].corner).astype(int)
        if 0 <= x < mask.shape[1] and 0 <= y < mask.shape[0] and mask[y, x]:
            return 0.0
        d = float(np.sqrt(((pixels - px) ** 2).sum(axis=1).min())) / view.scale
        return float(min(max(0.0, d - self.scene.board.puck.radius_mm), HAND_FAR_MM))


def flew_on(running: Sequence[Streak], streak: Streak, board: Board, slow: float = 1.0) -> bool:
    """True where a puck that ran near the edge in the frame before is now here, outside; both are seen whole.

    slow: how many times as far as in a film of 30 frames a second it goes in a frame
    """
    radius, out = board.puck.radius_mm, beyond_rim_mm(board, *streak.place)
    inside = FLOWN_FROM_MM + (slow - 1) * (OUTSIDE_MM + FLOWN_FROM_MM)
    return streak.clean(radius) and any(
        s.team == streak.team and s.clean(radius)
        and -inside < beyond_rim_mm(board, *s.place) < out - FLOWN_FROM_MM
        and math.dist(s.place, streak.place) < slow * FLOWN_MOST_MM for s in running
    )  # fmt: skip


def part_of(part: Streak, whole: Streak, radius_mm: float) -> bool:
    """True where a streak is where a larger one of another team is: two pucks are never in one place."""
    near = math.dist(part.place, whole.place) < SHADE_RADII * radius_mm
    return near and part.team != whole.team and part.mass < SHADE_MASS * whole.mass


def _large_piece_in(mask: Mask, box: Box, least: float) -> bool:
    """True where a piece of a mask that reaches into a box (x0, y0, x1, y1) has more pixels than `least`."""
    x0, y0 = max(box[0], 0), max(box[1], 0)
    part = mask[y0 : max(box[3], 0), x0 : max(box[2], 0)]
    if cv2.countNonZero(mask) <= least or not part.any():
        return False
    left = mask.copy()
    while (at := _first_one(left[y0 : box[3], x0 : box[2]])) is not None:
        if cv2.floodFill(left, None, (x0 + at[0], y0 + at[1]), 2, flags=8)[0] > least:
            return True
    return False


def _first_one(part: Mask) -> tuple[int, int] | None:
    """(x, y) of a pixel of a mask that is 1, or None."""
    index = int((part == 1).argmax())
    y, x = divmod(index, part.shape[1])
    return (x, y) if part[y, x] == 1 else None
