"""Two pucks of a team that met: which of them went which way is told by how they struck, not by which lay nearer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from vision.paths import Path

MET_DIAMETERS = 2.4  # a puck that came this near to one that then began to move may have changed places with it
FLICK_MM_S = 3000.0  # hardly any puck is flicked faster
MEETINGS_MAX = 6  # where more met, only the nearest are asked about: a verdict must not take seconds
MET_FRAMES = 1  # at most so many frames apart


def meetings(paths: Sequence[Path], diameter_mm: float, frame_s: float = 0.0) -> list[tuple[Path, Path, int]]:
    """Pairs of one team whose ways may have been taken for each other's: the one that came, the one that lay, and the
    first frame after they met. frame_s: from one frame to the next, in which a flicked puck may have come from afar"""
    out: list[tuple[float, Path, Path, int]] = []
    for a, b in itertools.permutations(paths, 2):
        if a.team != b.team or not a.points or not b.points or b.left is None or b.left < 0:
            continue
        met, most = b.points[0].frame, MET_DIAMETERS * diameter_mm
        places = [p.place for p in a.points if met - 1 - MET_FRAMES <= p.frame < met]
        if met <= a.points[0].frame <= met + MET_FRAMES:
            places = [a.start]  # it left its own place within the same frame
            if a.left is not None and a.left <= b.left:
                most = max(most, FLICK_MM_S * frame_s)
        gap = min((math.dist(place, b.start) for place in places), default=math.inf)
        if gap < most and any(p.frame >= met for p in a.points):
            out.append((gap, a, b, met))
    out.sort(key=lambda m: m[0])
    return [(a, b, met) for _, a, b, met in out[:MEETINGS_MAX]]


def swapped(a: Path, b: Path, frame: int) -> tuple[Path, Path]:
    """The two paths with their ways from a frame on exchanged."""
    first = replace(a, points=[p for p in a.points if p.frame < frame] + [p for p in b.points if p.frame >= frame],
                    end=b.end)  # fmt: skip
    second = replace(b, points=[p for p in b.points if p.frame < frame] + [p for p in a.points if p.frame >= frame],
                     end=a.end)  # fmt: skip
    return first, second
