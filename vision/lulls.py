"""A shot in which everything lay still for a while before something ran on: then it is two, told as one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.motion import Motion

LULL_S = 0.3  # in so long even a puck that stops at its end slides 135 mm …
LULL_FRAMES = 4.0  # … and no less than so many frames, or a way may be too short to be told
LULL_MM = 4.0  # one that came no further in that time lay still: noise moves what lies still by 1 mm and less
RAN_ON_MM = 15.0  # one that comes so far after that was flicked again, or struck; what only settles goes less far
STEPS = 4  # moments of a frame at which it is looked for
LULL = "everything lay still for {:.1f} s while the shot ran: more than one shot may have been played"


def lull(motions: Sequence[Motion], frame_s: float) -> list[str]:
    """Doubts about motions between which all pucks lay still: what ran after that, a second flick sent.

    motions: of all pucks of the shot; frame_s: how long a frame takes. -> one reason at the most
    """
    if not motions:
        return []
    span_s = max(LULL_S, LULL_FRAMES * frame_s)
    until = max(m.rest_s for m in motions) - span_s
    moments = np.arange(min(m.onset_s for m in motions), until, frame_s / STEPS).tolist()
    still = [t for t in moments if all(_lies_still(m, t, t + span_s) for m in motions)]
    ran_on = [t for t in still if any(_way_mm(m, t + span_s, m.rest_s) > RAN_ON_MM for m in motions)]
    if not ran_on:
        return []
    return [LULL.format(ran_on[-1] - ran_on[0] + span_s)]


def _lies_still(motion: Motion, since_s: float, until_s: float) -> bool:
    """Whether a puck came nowhere between two moments; most are somewhere else by the second, which is told at once."""
    near = math.dist(motion.at(since_s), motion.at(until_s)) < LULL_MM
    return near and _way_mm(motion, since_s, until_s) < LULL_MM


def _way_mm(motion: Motion, since_s: float, until_s: float) -> float:
    """How far a puck came from where it was at a moment, until another one, at the most."""
    if until_s <= since_s:
        return 0.0
    start = motion.at(since_s)
    between = (motion.times_s > since_s) & (motion.times_s < until_s)
    places = [*motion.places_mm[between].tolist(), motion.at(until_s)]
    return max(math.dist(start, place) for place in places)
