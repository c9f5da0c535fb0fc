"""A puck that is said to have run through another one that lay in its way: then it was that other one that ran."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from vision.motion import Motion

_Place = tuple[float, float]  # mm

THROUGH_SHARE = 0.4  # of a diameter: a way that passes nearer to where another one lies leads through it
AT_START_S = 0.002  # when one began to move is known no better
THROUGH = "{} would have run through {}, which lay in its way"


def ran_through(motions: Sequence[Motion], lying: Sequence[tuple[str, _Place]], diameter_mm: float) -> list[str]:
    """Doubts about motions that lead through pucks which lay still then, be it all along or until they were struck.

    lying: ids and places (mm) of pucks that lay still all along
    """
    still = [(m.puck, m.start, m.onset_s) for m in motions] + [(puck, place, math.inf) for puck, place in lying]
    return [
        THROUGH.format(m.puck, puck)
        for m in motions
        for puck, place, until_s in still
        if puck != m.puck and _passes_mm(m, place, until_s - AT_START_S) < THROUGH_SHARE * diameter_mm
    ]


def _passes_mm(motion: Motion, place: _Place, until_s: float) -> float:
    """How near a motion's middle comes to a place until a moment; inf where it had not begun."""
    knots = [(float(t), (float(x), float(y))) for t, (x, y) in zip(motion.times_s, motion.places_mm, strict=True)]
    knots = [knot for knot in knots if knot[0] < until_s]
    if knots and until_s < motion.times_s[-1]:
        knots.append((until_s, motion.at(until_s)))
    return min((_apart_mm(a, b, place) for (_, a), (_, b) in itertools.pairwise(knots)), default=math.inf)


def _apart_mm(a: _Place, b: _Place, place: _Place) -> float:
    """From a place to the straight way between two others."""
    (ax, ay), (bx, by), (x, y) = a, b, place
    dx, dy = bx - ax, by - ay
    along = min(max(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, 1e-9), 0.0), 1.0)
    return math.dist((ax + along * dx, ay + along * dy), place)
