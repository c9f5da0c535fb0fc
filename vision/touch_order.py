"""Which of two pucks the flicked one touched first, where no frame lies between the touches."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

from vision.contacts import ContactGraph, Touch
from vision.motion import Motion

_Place = tuple[float, float]  # mm

ORDER_SURE = 0.6  # the order of touches less than a frame apart, one of them no surer, may be another …
FURTHER_MM = 8.0  # … but for a touch that lies so much further on along the flicked puck's way …
CAME_FRAMES, CAME_MM = 0.5, 3.0  # … to the first, from where it was so many frames before, and so far away at least
ORDER = "it is not clear whether {} touched {} or {} first"


def unclear_order(
    graph: ContactGraph, frame_s: float, flicked: Motion, lay: Mapping[str, _Place]
) -> list[str]:
    """Doubts about which of two pucks the flicked one touched first, where no frame lies between, and one of the
    touches is not sure.

    lay: where pucks lay before the shot, mm.
    """
    first = {t.struck: t for t in reversed(graph.touches) if t.striker == graph.flicked}
    mine = sorted(first.values(), key=lambda t: t.time_s)
    return [
        ORDER.format(graph.flicked, a.struck, b.struck) for a, b in pairwise(mine)
        if b.time_s - a.time_s < frame_s and min(a.confidence, b.confidence) < ORDER_SURE
        and not further_on(a, b, flicked.at(a.time_s - CAME_FRAMES * frame_s), lay)
    ]  # fmt: skip


def further_on(first: Touch, then: Touch, came_from: _Place, lay: Mapping[str, _Place]) -> bool:
    """True where the flicked puck was so much further along its way at the second touch that it came from the first.

    A puck that strikes one as heavy as itself goes on, or stops, and is not thrown back. Source: two equal discs, of
    which the struck one takes (1 + e) / 2 of the speed along the line of their middles, e <= 1; one that lies against
    a wall may do otherwise. came_from: where the puck was before the first touch; lay: as of unclear_order
    """
    if first.struck not in lay or then.struck not in lay:
        return False
    (ax, ay), (bx, by) = ((2 * t.x_mm - lay[t.struck][0], 2 * t.y_mm - lay[t.struck][1]) for t in (first, then))
    vx, vy = ax - came_from[0], ay - came_from[1]
    way = math.hypot(vx, vy)
    return way >= CAME_MM and (bx - ax) * vx + (by - ay) * vy >= FURTHER_MM * way
