"""The frames of an episode as the solver sees them: streaks and hands in each, and questions about places."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from vision.bounces import Lying
from vision.crossings import beyond_rim_mm
from vision.frames import Image
from vision.glimpses import find_glimpses, glimpsed, parted
from vision.motion import Nudge
from vision.palette import Palette
from vision.paths import STOOD_MM
from vision.pieces import pieces, pixels_of
from vision.records import Masks, Record
from vision.resting import SeenDisc
from vision.streaks import HOLE, Ground, Sight, Streak, faint_level, faint_paints, find_streaks, make_ground, strongest
from vision.view import TopView

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

OUTSIDE_MM = 45.0  # streaks further outside of the playing surface are no pucks …
FLOWN_MM = 62.0  # … but as far as this where one flew on from a place …
FLOWN_FROM_MM = 25.0  # … that lies no further inside of the edge, and as far away at least
FLOWN_MOST_MM = 120.0
LOOKERS = 2  # threads that look at frames side by side
ARRIVED_MM = 6.0  # a streak this near to where a puck came to rest is that puck
REACHING_AREA = 2.6  # puck areas: what is larger and in one piece is a hand
SHADE_RADII = 0.6  # nearer than this to another team's puck …
SHADE_MASS = 0.75  # … is a part of it what shows less than this share of its paint
STAYS = 4  # frames before and after in which a printed ring is seen in the same place
PRINT_MM = 1.5
NUMBER_MM = 3.0  # a number that is e times less likely costs so much
CARRYING_AREA = 10.0  # puck areas: pucks that touch, with their shadows, are smaller; a hand that holds one is larger
SAME_PAINT = 14.0  # grey levels by which a puck must differ from its team's paint to be looked for on its own
INK_PERCENTILE = 93.0  # of a puck's pixels: those that differ the most from its paint are its number's …
INK_LEVEL = 60.0  # … if they differ by so much, in grey levels
SAME_MM = 1.0  # a puck that lies so near to where it lay in an earlier look has not moved since
SPAN_MARGIN = 3  # records looked at before the first that shows a change where pucks lay
DIFFERS_LEVEL = 7.0  # mean grey levels by which a place must differ to call it changed
LIES_LEVEL = 24.0  # grey levels by which no more than noise makes a pixel of a puck differ …
LIES_SHARE = 0.04  # … and less than this share of a puck that lies there does …
ALIKE_LEVEL, ALIKE_SHARE = 4.0, 0.4  # … if as a whole it does not look like the ground, which differs by so much
BARE_SHARE = 0.5  # a place is bare where this share of the disc shows the ground
COVERED_SHARE = 0.22  # a place is hidden where a hand covers this share of a puck's disc there
SHADOW_AREA = 2.5  # puck areas: a piece of what is no puck and smaller than this is a running puck's own shadow
FLICKER_MM = 60.0  # a finger that flicked a puck was not further away a frame later
FREE_GAP_MM = 1.5  # from the hand: a puck that moves by itself has left it
HAND_NEAR_MM = 6.0  # a hand that places or lifts a puck comes at least so near
HAND_FAR_MM = 200.0
BESIDE_MM = 90.0  # what is as near of a hand tells from which side it comes
CROSS = np.asarray(cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))


@dataclass(frozen=True, slots=True)
class Rest:
    """A puck at rest under its id."""

    puck: str
    team: str
    x_mm: float
    y_mm: float

    @property
    def place(self) -> tuple[float, float]:
        return (self.x_mm, self.y_mm)


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the solver looks at.

    before, after: top views at rest; vacated: pucks that no longer lie where they lay; appeared: discs that lie where
    none lay; missed: frames lost in the episode; likeness: (puck, place of a disc) -> log-likelihood by its number
    that the one is the other; lying: pucks that lay still all along; reefs: (4, 2) corners in mm of each that players
    placed; cut_short: the records end before the board came to rest; veil: (h, w) True where a hand was when the board
    was looked at first, so that nothing is known of what it hid; sure: pucks that surely were some when the board was
    looked at; ran: in which direction pucks ran at last that a moment ago had seemed to rest, as unit vectors; earlier:
    what was seen when the same episode was looked at before.
    """

    board: Board
    view: TopView
    palette: Palette
    before: Image
    after: Image
    records: Sequence[Record]
    vacated: Sequence[Rest]
    appeared: Sequence[SeenDisc]
    nudges: Sequence[Nudge]
    frame_s: float
    missed: int = 0
    likeness: Mapping[tuple[str, tuple[float, float]], float] = field(default_factory=dict)
    lying: Sequence[Lying] = ()
    reefs: Sequence[FloatArray] = ()
    cut_short: bool = False
    veil: NDArray[np.bool_] | None = None
    sure: frozenset[str] = frozenset()
    ran: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    earlier: Watch | None = None

    def veiled(self, place: tuple[float, float]) -> bool:
        """True where a hand was over any of a puck's place, mm, when the board was looked at first."""
        if self.veil is None:
            return False
        x, y = np.rint(self.view.px_from_mm(np.array([place]))[0]).astype(int)
        r = round(self.view.radius_px)
        part = self.veil[max(y - r, 0) : max(y + r + 1, 0), max(x - r, 0) : max(x + r + 1, 0)]
        return bool(part.any())

    def unlike_mm(self, puck: str, disc: SeenDisc) -> float:
        """What it costs by the numbers to take a disc for a puck."""
        return -NUMBER_MM * self.likeness.get((puck, disc.place), 0.0)


def _colour_at(top: Image, x: float, y: float, radius_px: float) -> FloatArray:
    """(3,) median colour of a puck's top in a top view."""
    r = max(1, int(radius_px * 0.6))
    x0, y0 = max(0, round(x) - r), max(0, round(y) - r)
    part = top[y0 : y0 + 2 * r + 1, x0 : x0 + 2 * r + 1].reshape(-1, 3)
    return np.asarray(np.median(part, axis=0), dtype=np.float64) if len(part) else np.zeros(3)


def _ink_at(top: Image, x: float, y: float, radius_px: float) -> FloatArray | None:
    """(3,) colour of the number on a puck in a top view; None where none stands out from the paint."""
    r = max(1, int(radius_px * 0.6))
    x0, y0 = max(0, round(x) - r), max(0, round(y) - r)
    part = top[y0 : y0 + 2 * r + 1, x0 : x0 + 2 * r + 1].reshape(-1, 3).astype(np.float64)
    if len(part) == 0:
        return None
    away = np.linalg.norm(part - np.median(part, axis=0), axis=1)
    ink = np.asarray(part[away >= np.percentile(away, INK_PERCENTILE)].mean(axis=0))
    return ink if float(np.linalg.norm(ink - np.median(part, axis=0))) > INK_LEVEL else None


def _places(of: Sequence[Rest] | Sequence[SeenDisc]) -> FloatArray:
    """(N, 2) mm"""
    return np.array([one.place for one in of]).reshape(-1, 2)


def _ground_and_paints(scene: Scene) -> tuple[Ground, dict[str, list[FloatArray]], dict[str, FloatArray]]:
    """The board without the pucks that moved; these pucks' paints, (3,) BGR, by team; and their numbers' colour."""
    radius = scene.view.radius_px
    vacated, taken = (scene.view.px_from_mm(_places(of)) for of in (scene.vacated, scene.appeared))
    teams = {r.team for r in scene.vacated} | {d.team for d in scene.appeared}
    paints = {t: [scene.palette.bgr(t)] for t in sorted(teams)}
    inks: dict[str, FloatArray] = {}
    for team, top, (px, py) in [
        *((r.team, scene.before, p) for r, p in zip(scene.vacated, vacated, strict=True)),
        *((d.team, scene.after, p) for d, p in zip(scene.appeared, taken, strict=True)),
    ]:
        colour = _colour_at(top, float(px), float(py), radius)
        ink = _ink_at(top, float(px), float(py), radius)
        if ink is not None:
            inks.setdefault(team, ink)
        if all(np.abs(colour - p).max() > SAME_PAINT for p in paints[team]):
            paints[team].append(colour)
    return make_ground(scene.before, scene.after, vacated, taken, radius), paints, inks


def _alike(paints: Mapping[str, Sequence[FloatArray]], others: Mapping[str, Sequence[FloatArray]]) -> bool:
    """True where pucks of the same teams are looked for by the same colours, (3,) BGR."""
    return paints.keys() == others.keys() and all(
        len(mine) == len(others[team])
        and all(np.abs(a - b).max() < SAME_PAINT for a, b in zip(mine, others[team], strict=True))
        for team, mine in paints.items()
    )


def _rather_like(now: Image, this: Image, other: Image, disc: Mask) -> bool:
    """True where a disc as a whole looks like one picture and not like another, from which it may hardly differ in any
    pixel. now, this, other: (h, w, 3); disc: (h, w) of 0 and 1"""
    mean, like, unlike = (np.array(cv2.mean(picture, mask=disc)) for picture in (now, this, other))
    return math.dist(like, unlike) >= ALIKE_LEVEL and math.dist(mean, like) <= ALIKE_SHARE * math.dist(mean, unlike)


class Watch:
    """Streaks and hands of every record, and questions about them."""

    def __init__(self, scene: Scene) -> None:
        self.scene, earlier = replace(scene, earlier=None), scene.earlier
        self.times = [r.time_s for r in scene.records]
        self.ground, self._paints, self._inks = _ground_and_paints(scene)
        self._homes = [(r.team, r.place) for r in scene.vacated] + [(d.team, d.place) for d in scene.appeared]
        self.hands, self.busy = Masks(), Masks()
        self._hand_px: dict[int, FloatArray] = {}
        again: dict[int, int] = {}
        if earlier is not None and self._goes_on(earlier):
            self.ground, self._paints, self._inks = earlier.ground, earlier._paints, earlier._inks
            again = self._as_seen(earlier)
        self._faint = faint_paints(self.ground.image, self._paints)
        self._faint_level = faint_level(scene.before, scene.after, scene.view.radius_px) if self._faint else 0.0
        self.first = self._first()
        self._found: list[list[Streak]] = []
        with ThreadPoolExecutor(LOOKERS) as pool:  # most of it is done outside of the interpreter's lock
            new = pool.map(self._sight, [k for k in range(len(self.times)) if k not in again])
            for k in range(len(self.times)):
                if earlier is not None and k in again:
                    self._take_over(earlier, again[k])
                else:
                    found, hands, busy = next(new)
                    self._found.append(found)
                    self.hands.append(hands)
                    self.busy.append(busy)
        self.streaks = list(self._found)
        self._drop_what_never_flew()
        self._drop_prints()
        self._drop_shades()

    def _goes_on(self, earlier: Watch) -> bool:
        """True where an earlier scene was this one, but for the frames that have come since, and for pucks that ran."""
        now, was = self.scene, earlier.scene
        if was.before is not now.before or was.view is not now.view or was.palette is not now.palette:
            return False
        if list(was.vacated) != list(now.vacated) or not _alike(self._paints, earlier._paints):
            return False
        return self.ground.like(earlier.ground, now.view.px_from_mm(_places(now.vacated)), now.view.radius_px)

    def _as_seen(self, earlier: Watch) -> dict[int, int]:
        """The frames that an earlier look has seen as this one would, by their numbers here: those numbers there."""
        now, was = self.scene.appeared, earlier.scene.appeared
        elsewhere = [d.place for mine, its in ((now, was), (was, now)) for d in mine
                     if not any(d.team == o.team and math.dist(d.place, o.place) < SAME_MM for o in its)]  # fmt: skip
        numbers = {time_s: k for k, time_s in enumerate(earlier.times)}
        known = {k: numbers[time_s] for k, time_s in enumerate(self.times) if time_s in numbers}
        if not elsewhere:
            return known
        view = self.scene.view
        windows = view.px_from_mm(np.array(elsewhere))
        return {k: there for k, there in known.items()
                if not any(glimpsed(earlier.busy[there], px - self.scene.records[k].corner, view.radius_px)
                           for px in windows)}  # fmt: skip

    def _take_over(self, earlier: Watch, was: int) -> None:
        """What an earlier look saw in one frame, now under another number."""
        self._found.append([replace(s, frame=len(self._found)) for s in earlier._found[was]])
        self.hands.take(earlier.hands, was)
        self.busy.take(earlier.busy, was)

    def put_by(self) -> None:
        """Keeps only what a later look can take over, in little memory."""
        self.scene = replace(self.scene, after=np.zeros((0, 0, 3), np.uint8), records=())
        self.hands.pack()
        self.busy.pack()

    def _sight(self, frame: int) -> tuple[list[Streak], Mask, Mask]:
        """The streaks of one frame, its hands, and all that is not bare ground there."""
        record, view = self.scene.records[frame], self.scene.view
        if frame < self.first or 0 in record.size:
            return [], np.zeros((0, 0), np.uint8), np.zeros((0, 0), np.uint8)
        patch = record.patch
        sight = find_streaks(frame, patch, record.corner, record.light, self.ground, view, self._paints, self._inks,
                             self._faint, self._faint_level)  # fmt: skip
        found = self._with_glimpses(frame, patch, sight)
        near = [s for s in found if beyond_rim_mm(self.scene.board, *s.place) < FLOWN_MM]
        return near, sight.hands, sight.busy

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
            running = [s for s in before if not self._at_home(s)]
            self.streaks[frame] = [
                s for s in streaks
                if beyond_rim_mm(board, *s.place) < OUTSIDE_MM or flew_on(running, s, board)
            ]  # fmt: skip
            before = streaks

    def _at_home(self, streak: Streak) -> bool:
        return any(streak.team == t and math.dist(streak.place, h) < ARRIVED_MM for t, h in self._homes)

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

    def _with_glimpses(self, frame: int, patch: Image, sight: Sight) -> list[Streak]:
        """Streaks, and pucks whose outline shows near where they left or came to rest, and that are no clean streak."""
        corner, view = self.scene.records[frame].corner, self.scene.view
        glimpses = find_glimpses(frame, patch, corner, sight.lit, sight.busy, view, self._homes, sight.looks,
                                 sight.streaks)  # fmt: skip
        return parted(sight, glimpses, patch, corner, view)

    def _first(self) -> int:
        """The first record in which something happens to the places that pucks left, with a margin."""
        scene = self.scene
        places = [(r.place, Ground(scene.before)) for r in scene.vacated]
        first = next((k for k in range(len(scene.records)) if any(self._differs(k, p, g) for p, g in places)), 0)
        return max(first - SPAN_MARGIN, 0)

    def _differs(self, frame: int, place: tuple[float, float], ground: Ground) -> bool:
        """True where a frame shows a place other than a picture of the board does."""
        record, view = self.scene.records[frame], self.scene.view
        px, py = view.px_from_mm(np.array([place]))[0]
        r = int(view.radius_px) + 2
        x0, y0 = int(px) - r - record.corner[0], int(py) - r - record.corner[1]
        part = record.cut(x0, y0, x0 + 2 * r, y0 + 2 * r)
        if part.size == 0:
            return False
        corner = (max(x0, 0) + record.corner[0], max(y0, 0) + record.corner[1])
        lit = ground.lit(corner, part.shape, record.light)
        return bool(cv2.absdiff(part, lit).mean() > DIFFERS_LEVEL)

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
        around = (self.streaks[max(frame - 3, 0) : frame], self.streaks[frame + 1 : frame + 4])
        still = [
            sum(any(math.dist(s.place, streak.place) < STOOD_MM for s in seen) for seen in side) for side in around
        ]
        return max(still) < 2

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
        if mask.size == 0:
            return 0.0
        view = self.scene.view
        px, py = view.px_from_mm(np.array([[x_mm, y_mm]]))[0] - self.scene.records[frame].corner
        r = view.radius_px * 0.8
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
        for px, py in view.px_from_mm(_places(self.scene.vacated)) - corner:
            cv2.circle(part, (round(px) - left, round(py) - top), round(HOLE * radius), 0, -1)
        rows, columns = np.nonzero(part)
        if len(rows) < math.pi * radius**2:
            return (0.0, 0.0)
        return float(columns.mean() + left - x) / view.scale, float(rows.mean() + top - y) / view.scale

    def over_rim(self, x_mm: float, y_mm: float) -> bool:
        """True where a place is off the board."""
        return beyond_rim_mm(self.scene.board, x_mm, y_mm) > 0.0

    def whole_hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        """The same, to what is larger than the shadow of a puck that runs."""
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


def flew_on(running: Sequence[Streak], streak: Streak, board: Board) -> bool:
    """True where a puck that ran near the edge in the frame before is now here, outside; both are seen whole."""
    radius, out = board.puck.radius_mm, beyond_rim_mm(board, *streak.place)
    return streak.clean(radius) and any(
        s.team == streak.team and s.clean(radius)
        and -FLOWN_FROM_MM < beyond_rim_mm(board, *s.place) < out - FLOWN_FROM_MM
        and math.dist(s.place, streak.place) < FLOWN_MOST_MM for s in running
    )  # fmt: skip


def part_of(part: Streak, whole: Streak, radius_mm: float) -> bool:
    """True where a streak is where a larger one of another team is: two pucks are never in one place."""
    near = math.dist(part.place, whole.place) < SHADE_RADII * radius_mm
    return near and part.team != whole.team and part.mass < SHADE_MASS * whole.mass


def _large_piece_in(mask: Mask, box: tuple[int, int, int, int], least: float) -> bool:
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
