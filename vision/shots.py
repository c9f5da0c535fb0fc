"""One episode, from a board at rest to a board at rest, solved when it is over: a shot, or what hands did."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibration.board import Board
from vision.bounces import Lying, bounces
from vision.contacts import ContactGraph, Nudge, find_contacts
from vision.crossings import Crossing, Passage, beyond_rim_mm, door_crossings, exit_time, gate_passages
from vision.frames import Image
from vision.glimpses import find_glimpses, parted
from vision.motion import Motion, make_motion
from vision.palette import Palette
from vision.paths import Path, link, retrace
from vision.pieces import pieces
from vision.records import Masks, Record
from vision.resting import SeenDisc
from vision.short_flicks import jumped
from vision.streaks import Ground, Sight, Streak, find_streaks, make_ground
from vision.swaps import meetings, swapped
from vision.view import TopView

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]
_Seen = tuple[float, tuple[float, float]]  # seconds, place in mm

OUTSIDE_MM = 45.0  # streaks further outside of the playing surface are no pucks
LOOKERS = 2  # threads that look at frames side by side
ARRIVED_MM = 6.0  # a streak this near to where a puck came to rest is that puck
REACHING_AREA = 2.6  # puck areas: what is larger and in one piece is a hand
STAYS = 4  # frames before and after in which a printed ring is seen in the same place
PRINT_MM = 1.5
NUMBER_MM = 3.0  # a number that is e times less likely costs so much
SWAP_DOUBT_MM = 2.0  # two explanations whose costs differ by less cannot be told apart
CARRYING_AREA = 10.0  # puck areas: pucks that touch, with their shadows, are smaller; a hand that holds one is larger
SAME_PAINT = 14.0  # grey levels by which a puck must differ from its team's paint to be looked for on its own
INK_PERCENTILE = 93.0  # of a puck's pixels: those that differ the most from its paint are its number's …
INK_LEVEL = 60.0  # … if they differ by so much, in grey levels
SPAN_MARGIN = 3  # records looked at before the first that shows a change where pucks lay
DIFFERS_LEVEL = 7.0  # mean grey levels by which a place must differ to call it changed
BARE_SHARE = 0.5  # a place is bare where this share of the disc shows the ground
COVERED_SHARE = 0.22  # a place is hidden where a hand covers this share of a puck's disc there
FREE_SPEED_MM_S = 170.0  # hands slide a puck at less than 100, a flick gives at least 250
FREE_STEP_MM = 4.0  # and moves it at least so far within a frame
FREE_LEAP_MM = 35.0  # one step of this length is enough, where two shorter ones one way would be asked for
SHOT_AWAY_MM = 8.0  # a puck that ran so far …
RUNS_MM_S = 35.0  # … faster than this, which is more than a place is off from frame to frame …
GLIDE_MM_S2 = 2500.0  # … and stopped as soon as friction stops what glides …
GLIDE_SLACK_S = 0.06  # … give or take two frames …
GLIDE_SHARE = 0.75  # … for so much of its whole way …
STOPS_MM = 4.0  # … and up to this near to where it lies in the end, was not slid
LET_GO_MM = 5.0  # a hand that slides a puck is never further from it than this …
LET_GO_FRAMES = 2  # … and does not leave it sooner once it lies there
FREE_LEAP_FRAMES = 3  # but not after it was out of sight for longer, unless it is found at rest in the end
SHOT_STEP_MM = 15.0  # or this one, if in the next frame it goes on …
STRAIGHT_COS = 0.97  # … in the same direction …
SHOT_SPEED_MM_S = 1500.0  # … at a speed at which nobody carries a puck away
SHADOWED_MASS = 1.8  # puck areas of a puck and its shadow …
SHADOWED_ACROSS = 0.8  # … and their breadth, standard deviation in radii
SHADOW_AREA = 2.5  # puck areas: a piece of what is no puck and smaller than this is a running puck's own shadow
LEAP_FRAMES = 2  # and this where a hand is next to it: what is seen later may be the hand's own
FLICKER_MM = 60.0  # a finger that flicked a puck was not further away a frame later
UNTOUCHED_MM = 150.0  # a hand that never came nearer to a puck's edge did not move it …
UNTOUCHED_WAY_MM = 12.0  # … and a puck that moved by so much, however slowly, was struck
FASTER_AGAIN = 1.4  # a puck that was let go is not this much faster in a frame than in the one before …
FASTER_AGAIN_MM = 6.0  # … and so much more: what seems so is a hand of the puck's colour
CARRIED_MM = 8.0  # a puck in a hand is no further from what is seen of the hand …
AHEAD_MM = 12.0  # … and one that a finger has just flicked is further …
GRIPPED_MM = 2.5  # … or at least so far, with nothing that joins it to the hand
FREE_GAP_MM = 1.5  # from the hand: a puck that moves by itself has left it
HAND_NEAR_MM = 6.0  # a hand that places or lifts a puck comes at least so near
END_MM = 14.0  # a path's last place and a puck at rest further apart are not joined without a doubt
SLIDE_MAX_MM = 80.0  # a hand slides a puck free by less than this
LIFTED_S = 0.5  # and takes longer than this to lift it here and set it down there
RIM_MM = 40.0  # a puck last seen this near to the edge, on its way out, went over it
HAND_FAR_MM = 200.0
CROSS = np.asarray(cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))
CARRY_MM = 25.0  # a flicked puck has left the hand by more than this a frame or two later; a carried one has not


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
class Handled:
    """What a hand did with a puck: `removed`, `placed` (puck is None: a new one) or `moved`; place in mm."""

    kind: str
    time_s: float
    puck: str | None
    disc: SeenDisc | None
    place: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shot:
    """A solved shot. reasons: why a person should look; by_hand: a hand was near the puck that moved first."""

    flicked: str
    start_s: float
    rest_s: float
    graph: ContactGraph
    crossings: tuple[Crossing, ...]
    passages: tuple[Passage, ...]
    exits: tuple[Passage, ...]
    motions: tuple[Motion, ...]
    pushed: bool | None
    reasons: tuple[str, ...]
    by_hand: bool = True


@dataclass(slots=True)
class Episode:
    """What an episode came to: a shot or none, what hands did, and where every puck that changed place lies now."""

    shot: Shot | None = None
    handled: list[Handled] = field(default_factory=list)
    ends: dict[str, SeenDisc] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    new: list[SeenDisc] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the solver looks at.

    before, after: top views at rest; vacated: pucks that no longer lie where they lay; appeared: discs that lie where
    none lay; missed: frames lost in the episode; likeness: (puck, place of a disc) -> log-likelihood by its number
    that the one is the other; lying: pucks that lay still all along.
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

    def unlike_mm(self, puck: str, disc: SeenDisc) -> float:
        """What it costs by the numbers to take a disc for a puck."""
        return -NUMBER_MM * self.likeness.get((puck, disc.place), 0.0)


def solve(scene: Scene) -> Episode:
    """Tells what happened between two moments of rest."""
    episode = Episode()
    if not scene.vacated and not scene.appeared:
        return episode
    watch = _Watch(scene)
    paths = [Path(r.puck, r.team, r.place) for r in scene.vacated]
    link(watch.streaks, watch.times, paths, watch, scene.board.puck.radius_mm)
    if any(all(math.dist(p.last(), d.place) > END_MM for p in paths if p.team == d.team) for d in scene.appeared):
        ends = [(d.team, d.place) for d in scene.appeared]
        retrace(watch.streaks, watch.times, paths, ends, watch, scene.board.puck.radius_mm)
    joined, doubts = _join_ends(paths, scene)
    for path in paths:
        if _flies_off(path, watch):
            del path.points[1:]
    free = [p for p in paths if _moved_freely(p, watch)]
    if not free and (unseen := _unhandled(paths, joined, scene, watch) or _too_quick(paths, joined, scene, watch)):
        free = unseen
        doubts = [*doubts, "a puck changed its place, and neither its way nor a hand on it was seen"]
    if not free and (nudged := [p for p in paths if jumped(p, watch.times)]):
        free = nudged
        doubts = [*doubts, "a puck moved by less than its own size, as by a short flick or a nudge"]
    if free:
        episode.shot = _solve_shot(scene, watch, paths, free, joined, doubts)
    shot_pucks = {m.puck for m in episode.shot.motions} if episode.shot is not None else set()
    _account(episode, scene, watch, paths, joined, shot_pucks)
    return episode


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


class _Watch:
    """Streaks and hands of every record, and questions about them."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.times = [r.time_s for r in scene.records]
        view = scene.view
        vacated = view.px_from_mm(np.array([r.place for r in scene.vacated]).reshape(-1, 2))
        taken = view.px_from_mm(np.array([d.place for d in scene.appeared]).reshape(-1, 2))
        self.ground: Ground = make_ground(scene.before, scene.after, vacated, taken, view.radius_px)
        self._inks: dict[str, FloatArray] = {}
        teams = {r.team for r in scene.vacated} | {d.team for d in scene.appeared}
        paints = {t: [scene.palette.bgr(t)] for t in teams}
        for team, top, (px, py) in [
            *((r.team, scene.before, p) for r, p in zip(scene.vacated, vacated, strict=True)),
            *((d.team, scene.after, p) for d, p in zip(scene.appeared, taken, strict=True)),
        ]:
            colour = _colour_at(top, float(px), float(py), view.radius_px)
            ink = _ink_at(top, float(px), float(py), view.radius_px)
            if ink is not None:
                self._inks.setdefault(team, ink)
            if all(np.abs(colour - p).max() > SAME_PAINT for p in paints[team]):
                paints[team].append(colour)
        self._homes = [(r.team, r.place) for r in scene.vacated] + [(d.team, d.place) for d in scene.appeared]
        self.streaks: list[list[Streak]] = []
        self.hands, self.busy = Masks(), Masks()
        self._hand_px: dict[int, FloatArray] = {}
        self.first = self._first()
        with ThreadPoolExecutor(LOOKERS) as pool:  # most of it is done outside of the interpreter's lock
            sights = pool.map(lambda k: self._sight(k, paints), range(len(scene.records)))
            for streaks, hands, busy in sights:
                self.streaks.append(streaks)
                self.hands.append(hands)
                self.busy.append(busy)
        self._drop_prints()

    def _sight(self, frame: int, paints: dict[str, list[FloatArray]]) -> tuple[list[Streak], Mask, Mask]:
        """The streaks of one frame, its hands, and all that is not bare ground there."""
        record, view = self.scene.records[frame], self.scene.view
        if frame < self.first or 0 in record.size:
            return [], np.zeros((0, 0), np.uint8), np.zeros((0, 0), np.uint8)
        patch = record.patch
        sight = find_streaks(frame, patch, record.corner, record.light, self.ground, view, paints, self._inks)
        found = self._with_glimpses(frame, patch, sight, paints)
        near = [s for s in found if beyond_rim_mm(self.scene.board, *s.place) < OUTSIDE_MM]
        return near, sight.hands, sight.busy

    def _drop_prints(self) -> None:
        """Forgets outlines that stay where no puck lay or came to lie: they are printed on the board."""
        for frame, streaks in enumerate(self.streaks):
            around = (*self.streaks[max(frame - STAYS, 0) : frame], *self.streaks[frame + 1 : frame + 1 + STAYS])
            near = list(itertools.chain.from_iterable(around))
            self.streaks[frame] = [
                s for s in streaks
                if not s.outlined or any(s.team == t and math.dist(s.place, h) < ARRIVED_MM for t, h in self._homes)
                or sum(math.dist(s.place, o.place) < PRINT_MM and o.team == s.team for o in near) < STAYS
            ]  # fmt: skip

    def _with_glimpses(
        self, frame: int, patch: Image, sight: Sight, paints: dict[str, list[FloatArray]]
    ) -> list[Streak]:
        """Streaks, and pucks whose outline shows near where they left or came to rest, and that are no clean streak."""
        scene, record = self.scene, self.scene.records[frame]
        wanted = self._homes
        gain = np.median(record.light.reshape(-1, 3), axis=0).astype(np.float64)
        looks = {team: [p * gain for p in paint] for team, paint in paints.items()}
        glimpses = find_glimpses(frame, patch, record.corner, sight.lit, sight.busy, scene.view, wanted, looks,
                                 sight.streaks)  # fmt: skip
        return parted(sight.streaks, glimpses, patch, record.corner, scene.view, looks)

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

    def hand_share(self, frame: int, x_mm: float, y_mm: float) -> float:
        """Share of a puck's disc that a hand hides."""
        return self._share(self.hands[frame], frame, x_mm, y_mm)

    def fresh(self, frame: int, streak: Streak) -> bool:
        """True where a streak has only just come there, or lies where a puck lies in the end."""
        if any(d.team == streak.team and math.dist(d.place, streak.place) < ARRIVED_MM for d in self.scene.appeared):
            return True
        around = (self.streaks[max(frame - 3, 0) : frame], self.streaks[frame + 1 : frame + 4])
        still = [sum(any(math.dist(s.place, streak.place) < 3.0 for s in seen) for seen in side) for side in around]
        return max(still) < 2

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
        rows, columns = np.nonzero(rim)
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


def _join_ends(paths: Sequence[Path], scene: Scene) -> tuple[dict[str, SeenDisc], list[str]]:
    """Which puck that left its place is which disc that lies somewhere new. -> puck: disc, doubts."""
    joined: dict[str, SeenDisc] = {}
    doubts: list[str] = []
    for team in {p.team for p in paths}:
        mine = [p for p in paths if p.team == team]
        discs = [d for d in scene.appeared if d.team == team]
        if not discs:
            continue
        far = max(scene.board.size) * 2
        cost = np.array([[min(math.dist(p.last(), d.place), far) for d in discs] for p in mine])
        unlike = np.array([[scene.unlike_mm(p.puck, d) for d in discs] for p in mine])
        for row, column in zip(*linear_sum_assignment(cost + unlike), strict=True):
            path, disc = mine[row], discs[column]
            if cost[row, column] > END_MM and (len(mine) > 1 or len(discs) > 1) and path.points:
                if cost[row, column] > 3 * END_MM and beyond_rim_mm(scene.board, *path.last()) > -RIM_MM / 2:
                    continue
                doubts.append(f"{path.puck} was lost from sight {cost[row, column]:.0f} mm from where it lies")
            joined[path.puck] = disc
            path.end = disc.place
    return joined, doubts


def _unhandled(paths: Sequence[Path], joined: dict[str, SeenDisc], scene: Scene, watch: _Watch) -> list[Path]:
    """Pucks that no hand can have taken away or brought: none ever came near where they were or are."""
    taken = {id(d) for d in joined.values()}
    strange = any(not watch.reached(d.place) for d in scene.appeared if id(d) not in taken)
    out = [p for p in paths if not watch.reached(p.start) or (p.end is not None and not watch.reached(p.end))]
    return out or (list(paths) if strange else [])


def _too_quick(paths: Sequence[Path], joined: Mapping[str, SeenDisc], scene: Scene, watch: _Watch) -> list[Path]:
    """Pucks that lay somewhere else so soon that no hand can have lifted them and set them down."""
    ends = [d.place for d in joined.values()]
    loose = [d for d in scene.appeared if d.place not in ends]
    out = []
    for path in paths:
        left = max(path.last_seen_at_rest, 0)
        mine = [joined[path.puck]] if path.puck in joined else [d for d in loose if d.team == path.team]
        far = [d for d in mine if math.dist(d.place, path.start) > SLIDE_MAX_MM]
        if any(_slid_hidden(watch, path.team, left, watch.times.index(_came_time(watch, d))) for d in far):
            out.append(path)
    return out


def _slid_hidden(watch: _Watch, team: str, left: int, came: int) -> bool:
    """True where a puck was on its way too shortly to have been lifted, and something hid it all the while."""
    quick = 0 <= watch.times[came] - watch.times[left] < LIFTED_S
    return quick and not any(watch.empty(frame, team) for frame in range(left + 1, came))


def _carried(path: Path, watch: _Watch) -> bool:
    """True for a puck that was lost from sight, or lies elsewhere, after a hand had been next to it all along."""
    if path.end is not None and math.dist(path.end, path.last()) < END_MM:
        return False
    away = [watch.hand_distance_mm(p.frame, *p.place) for p in path.points]
    seen = [d for d in away if d < HAND_FAR_MM]
    if seen:
        return max(seen) < CARRY_MM and not _leapt(path, watch)
    return watch.hand_distance_mm(max(path.last_seen_at_rest, 0), *path.start) < CARRY_MM


def _leapt(path: Path, watch: _Watch) -> bool:
    """True where a puck was seen far from its place a frame or so later, by itself and whole."""
    first = path.points[0]
    radius, gap = watch.scene.board.puck.radius_mm, watch.hand_distance_mm(first.frame, *first.place)
    over = beyond_rim_mm(watch.scene.board, *first.place) > 0.0
    if over:  # the shadow of what falls off lies far from it, and the rim may hide a part of it
        gap = watch.whole_hand_distance_mm(first.frame, *first.place)
    if first.streak is None or not (
        first.streak.clean(radius) or (gap > CARRY_MM and (_shadowed(first.streak, radius) or over))
    ):
        return False
    quick = first.frame - max(path.last_seen_at_rest, 0) <= LEAP_FRAMES
    ahead = gap > AHEAD_MM or (gap > GRIPPED_MM and watch.free(first.frame, first.streak))
    far = math.dist(first.place, path.start) > FREE_LEAP_MM or _shoots_on(path, watch) or _flies_off(path, watch)
    return quick and far and ahead


def _flies_off(path: Path, watch: _Watch) -> bool:
    """True where a puck was seen off its place once, a frame later, so fast that it is over the edge by the next.

    What seems to be it later is a part of the hand.
    """
    if path.end is not None or not path.points or path.last_seen_at_rest != path.points[0].frame - 1:
        return False
    radius, first = watch.scene.board.puck.radius_mm, path.points[0]
    if any(p.streak is None or (p.streak.clean(radius) and watch.free(p.frame, p.streak)) for p in path.points[1:]):
        return False
    (ax, ay), (bx, by) = path.start, first.place
    out = beyond_rim_mm(watch.scene.board, 2 * bx - ax, 2 * by - ay) > -radius
    return out and math.dist(path.start, first.place) > SHOT_STEP_MM


def _shadowed(streak: Streak, radius_mm: float) -> bool:
    """True where a streak may be one whole puck and the shadow beside it, of which a dark team's paint is one."""
    return 0.55 <= streak.mass <= SHADOWED_MASS and streak.across_mm < SHADOWED_ACROSS * radius_mm


def _shoots_on(path: Path, watch: _Watch) -> bool:
    """True where a puck that left its place goes on in the next frame faster than any hand: straight, or off a wall."""
    if len(path.points) < 2 or path.points[1].frame != path.points[0].frame + 1:
        return False
    a, b = path.points[:2]
    radius = watch.scene.board.puck.radius_mm
    if a.streak is None or b.streak is None or not b.streak.clean(radius):
        return False
    first, second = np.subtract(a.place, path.start), np.subtract(b.place, a.place)
    ways = float(np.hypot(*first)), float(np.hypot(*second))
    speed = ways[1] / max(watch.times[b.frame] - watch.times[a.frame], 1e-3)
    straight = float(first @ second) > STRAIGHT_COS * ways[0] * ways[1] and watch.free(b.frame, b.streak)
    turned = ways[1] > FREE_LEAP_MM and watch.hand_distance_mm(a.frame, *a.place) > AHEAD_MM
    return (straight or turned) and ways[0] > SHOT_STEP_MM and speed > SHOT_SPEED_MM_S


def _moved_freely(path: Path, watch: _Watch) -> bool:
    """True where a puck moved faster than a hand slides it, and away from the hand at least once.

    Where it was seen whole in every frame until it came to rest the hand may have followed close behind.
    """
    if _carried(path, watch):
        return False
    if _untouched(path, watch) or (path.points and _leapt(path, watch)):
        return True
    radius = watch.scene.board.puck.radius_mm
    seen = [p for p in path.points if p.streak is None or p.streak.clean(radius)]
    loose = {p.frame for p in seen if p.streak is not None and watch.free(p.frame, p.streak)}
    places = [(path.last_seen_at_rest, path.start)] if path.last_seen_at_rest >= 0 else []
    if path.near and path.near[-1].frame == path.last_seen_at_rest:  # it may have left already, and still be near
        places = [(p.frame, p.place) for p in path.near[-2:] if p.streak is not None and p.streak.outlined] or places
    places += [(p.frame, p.place) for p in seen]
    followed = _followed(path, watch)
    if (followed and _shot_away(path, watch)) or _seen_off(path, watch):
        return True
    fast: list[tuple[float, float]] = []
    for (fa, a), (fb, b) in itertools.pairwise(places):
        dx, dy = b[0] - a[0], b[1] - a[1]
        way = math.hypot(dx, dy)
        speed = way / max(watch.times[fb] - watch.times[fa], 1e-3)
        free = way > FREE_STEP_MM and speed > FREE_SPEED_MM_S and (fb in loose or followed)
        leap = way > FREE_LEAP_MM and (
            path.end is not None or (fb - fa <= FREE_LEAP_FRAMES and watch.hand_distance_mm(fb, *b) > CARRIED_MM)
        )
        if free and (leap or any(u * dx + v * dy > 0 for u, v in fast[-1:])):
            return True
        fast = [*fast, (dx, dy)] if free else []
    return False


def _followed(path: Path, watch: _Watch) -> bool:
    """True where a puck left the hand behind, seen whole in every frame until it rested, and never ran faster again."""
    end = path.end
    if end is None or not path.points or math.dist(end, path.last()) >= ARRIVED_MM:
        return False
    there = next(k for k, p in enumerate(path.points) if math.dist(p.place, end) < ARRIVED_MM)
    way = path.points[: there + 1]
    radius = watch.scene.board.puck.radius_mm
    if not all(p.streak is None or p.streak.clean(radius) for p in way):
        return False
    left = path.points[: there + 1 + LET_GO_FRAMES]
    if all(watch.hand_distance_mm(p.frame, *p.place) < LET_GO_MM for p in left):
        return False
    places = [(path.last_seen_at_rest, path.start), *((p.frame, p.place) for p in way)]
    steps = [(fb - fa, math.dist(a, b)) for (fa, a), (fb, b) in itertools.pairwise(places)]
    slower = all(b <= FASTER_AGAIN * a + FASTER_AGAIN_MM for (_, a), (_, b) in itertools.pairwise(steps[1:]))
    return slower and all(gap == 1 for gap, _ in steps)


def _shot_away(path: Path, watch: _Watch) -> bool:
    """True where a puck that was followed all along ran faster than hands slide, and no hand went along."""
    end = path.end
    assert end is not None
    arrived = next(k for k, p in enumerate(path.points) if math.dist(p.place, end) < ARRIVED_MM)
    gaps = [watch.hand_distance_mm(p.frame, *p.place) for p in path.points[: arrived + 1 + LET_GO_FRAMES]]
    if min(gaps) < LET_GO_MM:
        return False
    way = [(watch.times[p.frame], p.place) for p in (*path.near, *path.points)]
    least = max(SHOT_AWAY_MM, GLIDE_SHARE * math.dist(path.start, end))
    for runs, group in itertools.groupby(itertools.pairwise(way), _runs):
        run = list(group)
        (begin, left), (stop, came) = run[0][0], run[-1][1]
        far, there = math.dist(left, came), math.dist(came, end) < STOPS_MM
        if runs and there and far > least and stop - begin < math.sqrt(2 * far / GLIDE_MM_S2) + GLIDE_SLACK_S:
            return True
    return False


def _runs(step: tuple[_Seen, _Seen]) -> bool:
    """True where a puck moved by more than its place is off from frame to frame."""
    (before, a), (after, b) = step
    return math.dist(a, b) > RUNS_MM_S * (after - before)


def _seen_off(path: Path, watch: _Watch) -> bool:
    """True where a puck was seen off its place a frame later, and again in the next, whole and clear of the hand."""
    if len(path.points) < 2 or path.last_seen_at_rest < 0:
        return False
    radius = watch.scene.board.puck.radius_mm
    frames = [path.last_seen_at_rest, *(p.frame for p in path.points[:2])]
    clear = all(
        p.streak is not None and p.streak.clean(radius) and watch.free(p.frame, p.streak)
        and watch.hand_distance_mm(p.frame, *p.place) > AHEAD_MM
        for p in path.points[:2]
    )  # fmt: skip
    at_once = all(b - a == 1 for a, b in itertools.pairwise(frames))
    lay = (path.start, *(p.place for p in path.near[-1:]))  # a finger may have slid it slowly until then
    return at_once and clear and min(math.dist(p.place, at) for p in path.points[:2] for at in lay) > SHOT_STEP_MM


def _untouched(path: Path, watch: _Watch) -> bool:
    """True where a puck was seen to move while no hand was anywhere near it: somebody's puck struck it."""
    seen = [p for p in path.points if p.streak is not None]
    if len(seen) < 3 or math.dist(seen[-1].place, path.start) < UNTOUCHED_WAY_MM or path.last_seen_at_rest < 0:
        return False
    places = [(path.last_seen_at_rest, path.start), *((p.frame, p.place) for p in seen)]
    near = min(watch.hand_distance_mm(frame, *place) for frame, place in places)
    followed = all(b - a <= 2 for (a, _), (b, _) in itertools.pairwise(places))
    return followed and near > UNTOUCHED_MM and all(watch.free(p.frame, p.streak) for p in seen if p.streak is not None)


@dataclass(frozen=True, slots=True)
class _Account:
    """One way to explain a shot: its motions and touches, which puck came to lie where, and how far from a hand each
    began to move."""

    motions: list[Motion]
    graph: ContactGraph
    joined: dict[str, SeenDisc]
    cost_mm: float
    hand_mm: dict[str, float]

    def lies(self) -> set[tuple[str, tuple[float, float]]]:
        """Where each puck was seen last."""
        return {(m.puck, (float(m.places_mm[-1][0]), float(m.places_mm[-1][1]))) for m in self.motions}


def _explain(scene: Scene, watch: _Watch, paths: Sequence[Path], free: set[str],
             joined: dict[str, SeenDisc]) -> _Account | None:  # fmt: skip
    """Motions and touches as they follow from the paths. free: the pucks that moved by themselves."""
    motions: list[Motion] = []
    hand: dict[str, float] = {}
    began = min(watch.times[max(p.left if p.left is not None else 0, 0)] for p in paths if p.puck in free)
    for path in paths:
        carried = path.puck not in free and path.puck not in joined
        if carried or (path.puck not in free and not _moved_with_shot(path, watch, began)):
            continue
        motion = make_motion(path, watch.times, scene.frame_s)
        if motion is None:
            continue
        motions.append(motion)
        frame = max(path.left if path.left is not None else 0, 0)
        hand[path.puck] = min(watch.hand_distance_mm(f, *path.start) for f in (frame, frame + 1))
    if not motions:
        return None
    graph = find_contacts(motions, scene.nudges, hand, scene.board.puck.diameter_mm, scene.frame_s)
    unlike = sum(scene.unlike_mm(puck, disc) for puck, disc in joined.items())
    return _Account(motions, graph, joined, graph.cost_mm + unlike, hand)


def _best_account(scene: Scene, watch: _Watch, paths: Sequence[Path], free: set[str],
                  joined: dict[str, SeenDisc], doubts: list[str]) -> _Account | None:  # fmt: skip
    """The paths as they were linked, or with two of a team exchanged where they met, if that explains more."""
    linked = _explain(scene, watch, paths, free, joined)
    if linked is None:
        return None
    options: list[tuple[_Account, str]] = [(linked, "")]
    for a, b, frame in meetings(paths, scene.board.puck.diameter_mm):
        first, second = swapped(a, b, frame)
        if not second.points and second.end is None:
            continue
        rest = [p for p in paths if p is not a and p is not b]
        discs = {k: d for k, d in joined.items() if k not in (a.puck, b.puck)}
        discs |= {k: joined[o] for k, o in ((a.puck, b.puck), (b.puck, a.puck)) if o in joined}
        other = _explain(scene, watch, [*rest, first, second], free | {a.puck, b.puck}, discs)
        if other is not None:
            options.append((other, f"it is not clear which of {a.puck} and {b.puck} went which way after they met"))
    best, why = min(options, key=lambda o: o[0].cost_mm)
    for other, doubt in options:
        if other.cost_mm - best.cost_mm < SWAP_DOUBT_MM and best.lies() != other.lies():
            doubts.append(doubt or why)
    return best


def _solve_shot(scene: Scene, watch: _Watch, paths: Sequence[Path], free: Sequence[Path],
                joined: dict[str, SeenDisc], doubts: list[str]) -> Shot | None:  # fmt: skip
    """Motions, contacts, doors and exits of the pucks that moved in a shot. `joined` is set right where pucks met."""
    account = _best_account(scene, watch, paths, {p.puck for p in free}, dict(joined), doubts)
    if account is None:
        return None
    joined.clear()
    joined.update(account.joined)
    motions, graph = account.motions, account.graph
    touches = [*graph.touches, *bounces(motions, scene.lying, scene.board, graph.touches)]
    graph = replace(graph, touches=tuple(sorted(touches, key=lambda t: t.time_s)))
    reasons = [*doubts, *graph.doubts]
    exits = []
    for motion in motions:
        if motion.end is None:
            if _went_out(motion, scene.board):
                exits.append(Passage(exit_time(motion, scene.board), motion.puck, "rim"))
            else:
                reasons.append(f"{motion.puck} was lost from sight on the board")
    crossings = [c for m in motions for c in door_crossings(m, scene.board)]
    passages = [g for m in motions for g in gate_passages(m, scene.board)]
    flicked = next(m for m in motions if m.puck == graph.flicked)
    rest = max([m.rest_s for m in motions if m.end is not None] or [flicked.rest_s])
    if scene.missed:
        reasons.append(f"{scene.missed} frames are missing")
    return Shot(graph.flicked, flicked.onset_s, max(rest, flicked.onset_s), graph, tuple(crossings), tuple(passages),
                tuple(exits), tuple(motions), _pushed(flicked, watch), tuple(reasons),
                account.hand_mm[flicked.puck] < FLICKER_MM)  # fmt: skip


def _moved_with_shot(path: Path, watch: _Watch, began: float) -> bool:
    """True for a puck that moved little or unseen, while the shot ran and no hand lay on it."""
    if path.end is None:
        return False
    first = watch.times[path.points[0].frame] if path.points else watch.times[max(path.last_seen_at_rest, 0)]
    return first >= began - 0.1


def _went_out(motion: Motion, board: Board) -> bool:
    x, y = motion.places_mm[-1]
    if beyond_rim_mm(board, float(x), float(y)) > -board.puck.radius_mm:
        return True
    vx, vy = motion.velocity_before(float(motion.times_s[-1]))
    ahead = (float(x) + vx * 0.1, float(y) + vy * 0.1)
    near = beyond_rim_mm(board, float(x), float(y)) > -max(RIM_MM, math.hypot(vx, vy) * 0.07)
    return near and beyond_rim_mm(board, *ahead) > -board.puck.radius_mm


def _pushed(flicked: Motion, watch: _Watch) -> bool | None:
    """True where the hand went along with the puck for more than 60 ms of its motion."""
    along = 0.0
    for k, time_s in enumerate(watch.times):
        if not flicked.onset_s < time_s < flicked.rest_s:
            continue
        x, y = flicked.at(time_s)
        if math.dist((x, y), flicked.start) > 12.0 and watch.hand_distance_mm(k, x, y) < 3.0:
            along += watch.scene.frame_s
    return along > 0.06


def _account(episode: Episode, scene: Scene, watch: _Watch, paths: Sequence[Path], joined: dict[str, SeenDisc],
             shot_pucks: set[str]) -> None:  # fmt: skip
    """Where everything lies now, and what hands did with the pucks that the shot does not account for."""
    used = []
    for path in paths:
        disc = joined.get(path.puck)
        if path.puck in shot_pucks:
            if disc is not None:
                episode.ends[path.puck] = disc
                used.append(disc)
            else:
                episode.gone.add(path.puck)
            continue
        if disc is not None and math.dist(disc.place, path.start) < SLIDE_MAX_MM:
            time_s = _hand_time(watch, path, disc)
            episode.handled.append(Handled("moved", time_s, path.puck, disc, disc.place))
            episode.ends[path.puck] = disc
            used.append(disc)
        else:
            time_s = _gone_time(watch, path)
            episode.handled.append(Handled("removed", time_s, path.puck, None, path.start))
            episode.gone.add(path.puck)
    for disc in scene.appeared:
        if disc not in used:
            episode.handled.append(Handled("placed", _came_time(watch, disc), None, disc, disc.place))
            episode.new.append(disc)
    episode.handled.sort(key=lambda h: h.time_s)


def _gone_time(watch: _Watch, path: Path) -> float:
    """When a lifted puck was gone: after it was last seen, in the middle of the time that a hand hid its place."""
    hidden = [watch.times[k] for k in range(max(path.last_seen_at_rest, 0), len(watch.times))
              if watch.covered(k, *path.start)]  # fmt: skip
    if hidden:
        return (hidden[0] + hidden[-1]) / 2
    return watch.times[max(min(path.last_seen_at_rest, len(watch.times) - 1), 0)]


def _came_time(watch: _Watch, disc: SeenDisc) -> float:
    """When a placed puck was there: the first time that it is seen and stays."""
    for k, streaks in enumerate(watch.streaks):
        if any(s.team == disc.team and math.dist(s.place, disc.place) < 4 for s in streaks):
            return watch.times[k]
    return watch.times[-1]


def _hand_time(watch: _Watch, path: Path, disc: SeenDisc) -> float:
    """When a puck that was slid lay in its new place."""
    hidden = [watch.times[k] for k in range(len(watch.times)) if watch.covered(k, *disc.place)]
    return hidden[-1] if hidden else watch.times[-1]
