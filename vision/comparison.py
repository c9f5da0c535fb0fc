"""Two views of a board at rest: which pucks left their places, which lie where none lay, which were only shifted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.medians import median_colour
from vision.frames import Image
from vision.motion import Nudge
from vision.palette import Palette
from vision.records import Record
from vision.registration import shift_px
from vision.resting import OVERLAP, Rest, SeenDisc
from vision.roster import TrackedPuck
from vision.view import TopView

Mask = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
Place = tuple[float, float]  # mm
Tops = tuple[Image, Image]  # (h, w, 3) the board from above, before and now, in one light

MOVED_MM = 0.5  # a puck that lies this far from where it lay, by its own picture, has moved …
MOVED_UNSURE_MM = 1.5  # … and this far, where its picture has changed so that only its outline can tell …
SHIFTED_MM = 3.0  # … so far it may have been shifted where its outline is not found, as beside one that touches it …
NUDGED_MM = 5.0  # … and up to this too little for its way to be followed
LONE_NUDGE_MM = 1.5  # … but where nothing else has moved a puck that went so far is asked about
LOOK_MM = 6.0  # an outline of its team that is no further from where a puck lay may be that puck
NOWHERE_MM = 99.0  # from a puck's place to an outline that was not found
HIDDEN_PART = 0.12  # a puck of which a hand hides more than this share may lie there or not
RETURNED_MM = 1.5  # a puck that left and came back lies further than this from where it lay
AWAY_PAINT = 0.2  # distance of paints from the team's that is another thing's colour
OTHER_LEVEL = 14.0  # grey levels by which the middle of a puck's place must change …
OTHER_SHARE = 0.22  # … and share of its brightest colour, to be something else
FADED_PAINT = 0.1  # distance of paints from the team's that is no puck's whose outline is not seen either …
CLEAR_PAINT = 0.05  # … where it was its team's so surely before
FADED_BY = 0.03  # nor is it any more where it is so much further from it than it was, while another one has come
NEW_LEVEL = 5.0  # grey levels by which the whole of a place must change for a puck to have come there
PRINT_LEVEL = 5.0  # grey levels, standard deviation, of a print on a puck, which is seen again if it lies there …
PRINT_ALIKE = 0.45  # … with a correlation of more than this
TOUCHING = 0.6  # diameters: what is nearer to a puck that lies still is that puck
MIDDLE, MOST = 0.6, 0.8  # radii: the middle of a puck's place, and most of it


@dataclass(frozen=True, slots=True)
class Moves:
    """What has changed. vacated: pucks that left; appeared: discs where none lay; stayed: by id, where pucks lie now
    that were only shifted; nudges: the same shifts."""

    vacated: list[Rest]
    appeared: list[SeenDisc]
    stayed: dict[str, Place]
    nudges: list[Nudge]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two views of the board are compared by.

    pucks: where they lay; around: (h, w) not 0 around all that has changed; found: discs that are seen there; hidden:
    (h, w) of 0 and 1 where a hand is; tops: both views; records: the frames between them.
    """

    view: TopView
    palette: Palette
    pucks: Sequence[TrackedPuck]
    around: Mask
    found: Sequence[SeenDisc]
    hidden: Mask
    tops: Tops
    records: Iterable[Record]

    def moves(self) -> Moves:
        """Which pucks left their places, which discs lie where none lay, and where the others lie exactly."""
        moves = self._compared()
        return moves if moves.vacated or moves.appeared else self._with_lone_nudges(moves)

    def _compared(self) -> Moves:
        near = [p for p in self.pucks if self._touched(p)]
        seen = [d for d in self.found if hidden_share(self.view, self.hidden, d.place) < HIDDEN_PART]
        vacated, stayed, used, nudges = list[Rest](), dict[str, Place](), list[SeenDisc](), list[Nudge]()
        unseen = list[TrackedPuck]()  # those whose picture alone tells that they lie there still
        for puck in near:
            here = [d for d in seen if d.team == puck.team and math.dist(d.place, puck.place) < LOOK_MM]
            best = min(here, key=lambda d: math.dist(d.place, puck.place), default=None)
            away = math.dist(best.place, puck.place) if best is not None else NOWHERE_MM
            shift = self._shift_mm(puck)
            if best is None and shift is not None and self._still_there(puck, shift, seen):
                unseen.append(puck)
                if math.hypot(*shift) > MOVED_MM and hidden_share(self.view, self.hidden, puck.place) == 0.0:
                    stayed[puck.puck] = _shifted(puck.place, shift)
                    nudges.append(Nudge(puck.puck, puck.place, stayed[puck.puck], puck.team))
                continue
            moved = math.hypot(*shift) if shift is not None else away
            if best is not None and moved > RETURNED_MM and away <= NUDGED_MM and self._was_away(puck):
                vacated.append(_rest(puck))
                continue
            bare = shift is None and self._other_paint(puck)
            if best is not None and away <= NUDGED_MM:
                used.append(best)  # where the puck is gone, a ring printed under it, and no other puck
            if best is not None and away <= NUDGED_MM and not bare:
                if (end := _nudged(puck.place, best.place, shift)) is not None:
                    stayed[puck.puck] = end
                    nudges.append(Nudge(puck.puck, puck.place, end, puck.team))
            elif hidden_share(self.view, self.hidden, puck.place) < HIDDEN_PART:
                vacated.append(_rest(puck))
        others = [p for p in self.pucks if p not in near]
        d = self.view.board.puck.diameter_mm
        appeared = [
            s for s in seen
            if s not in used and all(math.dist(s.place, p.place) > TOUCHING * d for p in others)
            and (any(math.dist(s.place, r.place) < d for r in vacated) or looks_new(self.view, s.place, self.tops))
        ]  # fmt: skip
        faint = self._gone_faintly([*others, *unseen], vacated, appeared)
        gone = {r.puck for r in faint}
        stayed = {puck: place for puck, place in stayed.items() if puck not in gone}
        return Moves([*vacated, *faint], appeared, stayed, [n for n in nudges if n.puck not in gone])

    def _gone_faintly(
        self, lying: Sequence[TrackedPuck], vacated: Sequence[Rest], appeared: Sequence[SeenDisc]
    ) -> list[Rest]:  # fmt: skip
        """Of teams of which more pucks have come to lie somewhere than have left their places, those whose places have
        changed although hardly more than noise does: they were nearly of the ground's colour.

        lying: pucks that seem to lie where they lay, whose outlines were not looked for or not found.
        """
        out = list[Rest]()
        for team in {d.team for d in appeared}:
            owed = sum(d.team == team for d in appeared) - sum(r.team == team for r in vacated)
            clear = [p for p in lying if p.team == team and self._faded(p)
                     and hidden_share(self.view, self.hidden, p.place) < HIDDEN_PART]  # fmt: skip
            changed = [(change, p) for p in clear if (change := _change(self.view, p.place, self.tops)) > NEW_LEVEL]
            out += [_rest(p) for _, p in sorted(changed, key=lambda one: -one[0])[: max(owed, 0)]]
        return out

    def _with_lone_nudges(self, moves: Moves) -> Moves:
        """Nothing but shifts: a puck that was moved a little while nothing else has changed, as by a very short flick,
        has left its place and lies in another."""
        vacated, appeared = list[Rest](), list[SeenDisc]()
        for nudge in (n for n in moves.nudges if math.dist(n.start, n.end) >= LONE_NUDGE_MM):
            puck = next(p for p in self.pucks if p.puck == nudge.puck)
            near = [d for d in self.found if d.team == puck.team and math.dist(d.place, nudge.end) < NUDGED_MM]
            if near:
                disc = min(near, key=lambda d: math.dist(d.place, nudge.end))
                vacated.append(_rest(puck))
                appeared.append(replace(disc, x_mm=nudge.end[0], y_mm=nudge.end[1]))
        left = {r.puck for r in vacated}
        stayed = {puck: place for puck, place in moves.stayed.items() if puck not in left}
        return Moves(vacated, appeared, stayed, [n for n in moves.nudges if n.puck not in left])

    def _touched(self, puck: TrackedPuck) -> bool:
        """True where something has changed at a puck's place."""
        x, y = self.view.px_from_mm(np.array([puck.place]))[0]
        h, w = self.around.shape
        return bool(self.around[int(np.clip(round(y), 0, h - 1)), int(np.clip(round(x), 0, w - 1))])

    def _shift_mm(self, puck: TrackedPuck) -> Place | None:
        """How far a puck's own picture was shifted; None where it is not seen near its place any more."""
        x, y = self.view.px_from_mm(np.array([puck.place]))[0]
        shift = shift_px(*self.tops, (float(x), float(y)), self.view.radius_px)
        return None if shift is None else (float(shift[0] / self.view.scale), float(shift[1] / self.view.scale))

    def _still_there(self, puck: TrackedPuck, shift: Place, seen: Sequence[SeenDisc]) -> bool:
        """True where a puck's own picture is still in its place, or a little beside it, although its outline was not
        found, and no other puck is in the way."""
        place, apart = _shifted(puck.place, shift), OVERLAP * self.view.board.puck.diameter_mm
        if math.hypot(*shift) >= SHIFTED_MM or any(math.dist(d.place, place) < apart for d in seen):
            return False
        return not self._other_paint(puck) and not self._paint_gone(puck) and not self._print_gone(puck, shift)

    def _was_away(self, puck: TrackedPuck) -> bool:
        """True where a puck's place showed something else in between: it left, and came back."""
        px = self.view.px_from_mm(np.array([puck.place]))[0]
        r = self.view.radius_px * MIDDLE
        team = self.palette.names.index(puck.team)
        for record in self.records:
            x, y = px - record.corner
            part = record.cut(int(x - r), int(y - r), int(x + r) + 1, int(y + r) + 1)
            if part.size and self.palette.distances(median_colour(part.reshape(-1, 3))[None])[0, team] > AWAY_PAINT:
                return True
        return False

    def _other_paint(self, puck: TrackedPuck) -> bool:
        """True where a puck's place shows another colour than before."""
        was, now = self._paints(puck)
        return bool(np.abs(now - was).max() > max(OTHER_LEVEL, OTHER_SHARE * float(was.max())))

    def _paint_gone(self, puck: TrackedPuck) -> bool:
        """True where a puck's place showed its team's paint and does not any more, however alike the two are: a ring
        that is printed around it looks like its picture. Shade alone is no other paint."""
        was, now = self._paints(puck)
        before, after = self._off_paint(puck)
        return before < CLEAR_PAINT and after > FADED_PAINT and bool(np.abs(now - was).max() > OTHER_LEVEL)

    def _faded(self, puck: TrackedPuck) -> bool:
        """True where a puck's place is no more so surely of its team's paint as it was."""
        before, after = self._off_paint(puck)
        return after > max(CLEAR_PAINT, before + FADED_BY)

    def _off_paint(self, puck: TrackedPuck) -> tuple[float, float]:
        """How far a puck's place was from its team's paint, and how far it is now, were it as bright as it was."""
        was, now = self._paints(puck)
        as_bright = now * (float(was.sum()) / max(float(now.sum()), 1.0))
        team = self.palette.names.index(puck.team)
        before, after = self.palette.distances(np.array([was, as_bright], dtype=np.float64))[:, team]
        return float(before), float(after)

    def _print_gone(self, puck: TrackedPuck, shift: Place) -> bool:
        """True where a puck bore a number that is not there any more: what its picture is known by lies beside it."""
        places = self.view.px_from_mm(np.array([puck.place, _shifted(puck.place, shift)]))
        radius = self.view.radius_px * MOST
        was, now = (_middle(top, at, radius) for top, at in zip(self.tops, places, strict=True))
        if was.std() < PRINT_LEVEL:
            return False
        return bool(now.std() < 1.0 or np.corrcoef(was, now)[0, 1] < PRINT_ALIKE)

    def _paints(self, puck: TrackedPuck) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The colour of the middle of a puck's place, before and now. -> two of (3,)"""
        was, now = (median_colour(top) for top in _at(self.view, puck.place, self.tops, MIDDLE))
        return was, now


def _middle(top: Image, px: FloatArray, radius_px: float) -> FloatArray:
    """(N,) grey levels of a disc around a place (2,) of the view, to a part of a pixel."""
    half = math.ceil(radius_px)
    part = cv2.getRectSubPix(top, (2 * half + 1, 2 * half + 1), (float(px[0]), float(px[1])))
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    gray = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (0, 0), 0.7)
    return np.asarray(gray[columns**2 + rows**2 <= radius_px**2], dtype=np.float64)


def with_returned(moves: Moves, puck: TrackedPuck, palette: Palette) -> Moves:
    """The same, had a puck that lies where it lay left its place and come back."""
    x, y = moves.stayed.get(puck.puck, puck.place)
    blue, green, red = palette.bgr(puck.team).tolist()
    stayed = {other: place for other, place in moves.stayed.items() if other != puck.puck}
    nudges = [n for n in moves.nudges if n.puck != puck.puck]
    back = SeenDisc(puck.team, x, y, 1.0, (blue, green, red))
    return Moves([*moves.vacated, _rest(puck)], [*moves.appeared, back], stayed, nudges)


def looks_new(view: TopView, place: Place, tops: Tops) -> bool:
    """True where a puck's place does not look as it did, noise aside."""
    return _change(view, place, tops) > NEW_LEVEL


def _change(view: TopView, place: Place, tops: Tops) -> float:
    """By how many grey levels the whole of a puck's place has changed, in that colour in which it has the most."""
    was, now = _at(view, place, tops, MOST)
    return float(np.abs(now.mean(axis=0) - was.mean(axis=0)).max())


def hidden_share(view: TopView, hidden: Mask, place: Place) -> float:
    """Share of a puck's disc that a hand hides. hidden: (h, w) of 0 and 1"""
    x, y = view.px_from_mm(np.array([place]))[0]
    r = view.radius_px
    part = hidden[max(int(y - r), 0) : max(int(y + r) + 1, 0), max(int(x - r), 0) : max(int(x + r) + 1, 0)]
    return float(part.mean()) if part.size else 0.0


def _at(view: TopView, place: Place, tops: Tops, radii: float) -> tuple[Image, Image]:
    """(N, 3) pixels of a square around a place, before and now."""
    x, y = view.px_from_mm(np.array([place]))[0]
    r = view.radius_px * radii
    part = (slice(max(int(y - r), 0), int(y + r) + 1), slice(max(int(x - r), 0), int(x + r) + 1))
    was, now = (top[part].reshape(-1, 3) for top in tops)
    return was, now


def _rest(puck: TrackedPuck) -> Rest:
    return Rest(puck.puck, puck.team, puck.x_mm, puck.y_mm)


def _shifted(place: Place, shift_mm: Place) -> Place:
    return (place[0] + shift_mm[0], place[1] + shift_mm[1])


def _nudged(place: Place, disc: Place, shift_mm: Place | None) -> Place | None:
    """Where a puck lies now, by its picture's shift or else its outline; None where it has not moved."""
    if shift_mm is None:
        return disc if math.dist(disc, place) > MOVED_UNSURE_MM else None
    return _shifted(place, shift_mm) if math.hypot(*shift_mm) > MOVED_MM else None
