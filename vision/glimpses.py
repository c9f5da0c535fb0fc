"""Pucks next to a hand: their outline is looked for where shadow and skin blur what colour alone would show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.medians import median_colour
from vision.detection import edge_votes, peaks
from vision.frames import Image
from vision.palette import linear_from_bgr, perceived
from vision.streaks import Findings, Streak, streaks_in
from vision.view import TopView

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

INNER = 0.75  # radii around a circle's middle in which its colour is looked at: its rim is blurred
NEXT_RADII = 1.1  # two circles that are found lie further apart than this
WINDOW = 3.2  # radii around a place in which a puck is looked for
VOTES_MIN = 0.5  # of a full circle; one with a finger on it gives 0.6
VOTES_SURE = 1.0  # whole pucks give 1.1 to 2
PAINT_MAX = (0.07, 0.17)  # distance of paints from the team's colour: for outlines that are not sure, and for sure ones
BUSY_MIN = 0.6  # share of the disc that must differ from the ground
NEW_LEVEL = 18.0  # grey levels by which its middle must differ from what lay there before
CROWD_MIN = 1.45  # puck areas: a streak of more may be two pucks that touch
LEFT_MASS = (0.6, 1.6)  # puck areas left beside the pucks that were glimpsed in a streak: one more puck
PRINTED = 0.55  # of its votes: a ring that the bare ground shows too is printed there …
PRINT_LEVEL = 45.0  # … and a puck on it must differ by more
HOME_MM = 5.0  # but where a puck of the team surely lay or came to lie, it is that puck
LEFT_BREADTH = 0.85  # radii: two pucks that touch are not spread more than this across
HELD_RADII = 1.05  # of a puck that was glimpsed in a streak: so much of it is taken out
TOUCHING = 0.85  # diameters: no puck lies in another one, but what is left of it beside may seem to, a little
BLURRED_MM = 12.0  # what is smeared over so much shows its paint mixed with the ground
APART = 0.6  # diameters: nearer to a streak that is seen well, it is that streak


def find_glimpses(
    frame: int, patch: Image, corner: tuple[int, int], lit: Image, busy: Mask, view: TopView,
    wanted: Sequence[tuple[str, tuple[float, float]]], paints: dict[str, list[FloatArray]], seen: Sequence[Streak],
) -> list[Streak]:  # fmt: skip
    """Pucks found by their outline near places where they left or came to rest.

    patch, lit: (h, w, 3) the changed part of the top view and the bare ground under the same light; busy: (h, w) where
    they differ; wanted: (team, place in mm) to look around; paints: team -> (3,) BGR colours in this light; seen: the
    streaks that are known. Returns streaks of one whole puck each.
    """
    radius = view.board.puck.radius_mm
    out: list[Streak] = []
    crowds = [s for s in seen if s.mass > CROWD_MIN and not s.clean(radius)]
    for team, place in [*((c.team, c.place) for c in crowds), *wanted]:
        good = [s for s in (*seen, *out) if s.team == team and s.clean(radius)]
        px = view.px_from_mm(np.array([place]))[0] - corner
        window = _window(busy, px, view.radius_px)
        crowded = any(c.team == team and math.dist(c.place, place) < WINDOW * radius for c in crowds)
        if not crowded and any(math.dist(s.place, place) < WINDOW * radius for s in good):
            continue
        if not glimpsed(busy, px, view.radius_px):
            continue
        here = (corner[0] + window[1].start, corner[1] + window[0].start)
        out += _in_window(frame, patch[window], here, lit[window], busy[window], view,
                          team, paints[team], good, [h for t, h in wanted if t == team])  # fmt: skip
    return out


def glimpsed(busy: Mask, px: FloatArray, radius_px: float) -> bool:
    """True where a puck may be glimpsed around a place: enough differs from the ground there. px: (2,) in the mask"""
    part = busy[_window(busy, px, radius_px)]
    return min(part.shape) >= 2 * radius_px and int(part.sum()) >= math.pi * radius_px**2 * BUSY_MIN


def _window(busy: Mask, px: FloatArray, radius_px: float) -> tuple[slice, slice]:
    """The rows and columns around a place in which a puck is looked for."""
    reach = WINDOW * radius_px
    x0, y0 = max(int(px[0] - reach), 0), max(int(px[1] - reach), 0)
    x1, y1 = min(int(px[0] + reach) + 1, busy.shape[1]), min(int(px[1] + reach) + 1, busy.shape[0])
    return slice(y0, max(y1, y0)), slice(x0, max(x1, x0))


def _in_window(
    frame: int, part: Image, corner: tuple[int, int], lit: Image, busy: Mask, view: TopView, team: str,
    paint: list[FloatArray], good: Sequence[Streak], homes: Sequence[tuple[float, float]],
) -> list[Streak]:  # fmt: skip
    """The outlines of one team's pucks in one window. homes: where pucks of the team surely lay or came to lie."""
    radius_px, radius = view.radius_px, view.board.puck.radius_mm
    votes = edge_votes(part, radius_px)
    votes[busy == 0] = 0
    centres = peaks(votes, VOTES_MIN, radius_px * NEXT_RADII)
    if len(centres) == 0:
        return []
    printed: NDArray[np.float32] | None = None  # what the bare ground would give
    looks = perceived(linear_from_bgr(np.array(paint)))
    out: list[Streak] = []
    for x, y in centres:
        inside = _round(x, y, INNER * radius_px)
        disc = _disc(part.shape, inside, x, y, INNER * radius_px)
        if not disc.any() or busy[inside][disc].mean() < BUSY_MIN:
            continue
        now, was = median_colour(part[inside][disc]), median_colour(lit[inside][disc])
        level = np.abs(now - was).max()
        sure = votes[int(y), int(x)] > VOTES_SURE
        if level < NEW_LEVEL or _off(now, looks) > PAINT_MAX[int(sure)]:
            continue
        at = view.mm_from_px(np.array([[x + corner[0], y + corner[1]]]))[0]
        if level < PRINT_LEVEL and not any(math.dist(at, home) < HOME_MM for home in homes):
            printed = edge_votes(lit, radius_px) if printed is None else printed
            ring = printed[max(int(y) - 2, 0) : int(y) + 3, max(int(x) - 2, 0) : int(x) + 3].max()
            if ring > PRINTED * votes[int(y), int(x)]:
                continue
        fx, fy = _fine(votes, int(x), int(y))
        place = view.mm_from_px(np.array([[fx + corner[0], fy + corner[1]]]))[0]
        spot = (float(place[0]), float(place[1]))
        if any(math.dist(s.place, spot) < APART * 2 * radius for s in (*good, *out)):
            continue
        box = (int(x - radius_px) + corner[0], int(y - radius_px) + corner[1], int(2 * radius_px), int(2 * radius_px))
        out.append(Streak(frame, team, *spot, 1.0, radius / 2, radius / 2, 0.0, box, True))
    return out


def _off(colour: FloatArray, looks: FloatArray) -> float:
    """How far a colour, (3,) BGR, is from the nearest of some paints, (N, 3) as these are compared."""
    return float(np.linalg.norm(perceived(linear_from_bgr(colour[None])) - looks, axis=1).min())


def _round(x: float, y: float, radius_px: float) -> tuple[slice, slice]:
    """The rows and columns of a picture that hold a disc."""
    left, top = (max(math.floor(v - radius_px), 0) for v in (x, y))
    right, bottom = (max(math.ceil(v + radius_px) + 1, 0) for v in (x, y))
    return slice(top, bottom), slice(left, right)


def _disc(
    shape: tuple[int, ...], inside: tuple[slice, slice], x: float, y: float, radius_px: float
) -> NDArray[np.bool_]:
    """Which pixels of a part of a picture of some shape are a disc's."""
    (top, bottom, _), (left, right, _) = (s.indices(n) for s, n in zip(inside, shape, strict=False))
    rows, columns = np.ogrid[top:bottom, left:right]
    return np.asarray((columns - x) ** 2 + (rows - y) ** 2 <= radius_px**2)


def _fine(votes: NDArray[np.float32], x: int, y: int) -> tuple[float, float]:
    """A peak's place to a part of a pixel: the votes' centroid around it."""
    y0, x0 = max(y - 2, 0), max(x - 2, 0)
    part = votes[y0 : y + 3, x0 : x + 3]
    weight = np.maximum(part - 0.5 * part.max(), 0)
    rows, columns = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
    total = float(weight.sum()) or 1.0
    return x0 + float((weight * columns).sum()) / total, y0 + float((weight * rows).sum()) / total


def parted(
    findings: Findings, glimpses: Sequence[Streak], patch: Image, corner: tuple[int, int], view: TopView
) -> list[Streak]:
    """Streaks and glimpses together, with the glimpsed pucks taken out of the streaks that hold them.

    findings, patch: streaks and all else of the changed part of the top view, (h, w, 3), whose corner (x, y) this is
    """
    radius_mm = view.board.puck.radius_mm
    out: list[Streak] = list(glimpses)
    for s in findings.streaks:
        reach = radius_mm + 2 * s.along_mm
        held = [g for g in glimpses if g.team == s.team and math.dist(g.place, s.place) < reach]
        if s.clean(radius_mm) or not held:
            out.append(s)
            continue
        if beside := _beside(s, held, findings, patch, corner, view):
            out += beside
            continue
        rest = s.mass - len(held)
        if LEFT_MASS[0] < rest < LEFT_MASS[1] and s.across_mm < LEFT_BREADTH * radius_mm:
            x = (s.mass * s.x_mm - sum(g.x_mm for g in held)) / rest
            y = (s.mass * s.y_mm - sum(g.y_mm for g in held)) / rest
            apart = all(math.dist((x, y), g.place) > APART * 2 * radius_mm for g in held)
            if apart and _painted(patch, corner, view, findings.looks[s.team], (x, y)):
                out.append(replace(s, x_mm=x, y_mm=y, mass=rest, along_mm=radius_mm / 2, across_mm=radius_mm / 2))
    return out


def _beside(
    streak: Streak, held: Sequence[Streak], findings: Findings, patch: Image, corner: tuple[int, int], view: TopView
) -> list[Streak]:
    """What is left of a streak beside the pucks that it holds: whole pucks of its team, or none."""
    left, top = streak.box[0] - corner[0], streak.box[1] - corner[1]
    part = (slice(max(top, 0), top + streak.box[3]), slice(max(left, 0), left + streak.box[2]))
    at = (corner[0] + part[1].start, corner[1] + part[0].start)
    busy = findings.busy[part].copy()
    for puck in held:
        x, y = view.px_from_mm(np.array([puck.place]))[0] - at
        inside = _round(x, y, HELD_RADII * view.radius_px)
        busy[inside][_disc(patch[part].shape, inside, x, y, HELD_RADII * view.radius_px)] = 0
    radius_mm, looks = view.board.puck.radius_mm, {streak.team: findings.looks[streak.team]}
    least = [*((h, TOUCHING) for h in held),
             *((s, APART) for s in findings.streaks if s is not streak and s.team == streak.team)]  # fmt: skip
    return [
        s for s in streaks_in(streak.frame, patch[part], findings.lit[part], busy, at, view, looks)
        if s.clean(radius_mm) and all(math.dist(s.place, other.place) > far * 2 * radius_mm for other, far in least)
        and (s.length_mm(radius_mm) > BLURRED_MM or _painted(patch, corner, view, findings.looks[s.team], s.place))
    ]  # fmt: skip


def _painted(
    patch: Image, corner: tuple[int, int], view: TopView, paint: list[FloatArray], place: tuple[float, float]
) -> bool:
    """True where most of a puck's disc shows its team's paint."""
    x, y = view.px_from_mm(np.array([place]))[0] - corner
    inside = _round(x, y, INNER * view.radius_px)
    disc = _disc(patch.shape, inside, x, y, INNER * view.radius_px)
    if not disc.any():
        return False
    looks = perceived(linear_from_bgr(np.array(paint)))
    return _off(median_colour(patch[inside][disc]), looks) < PAINT_MAX[1]
