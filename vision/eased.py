"""Pucks that a finger lies on and slides a little: how far each has come, frame by frame.

Of the ground that such a puck leaves, and of that which it takes, some shows beside the finger, and looks now as it did
before, now as it does in the end. A flick turns most of it over from one frame to the next, a finger bit by bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.motion import FRICTION_MM_S2
from vision.paths import Path
from vision.streaks import Ground
from vision.watch import Watch

Flags = NDArray[np.bool_]
Place = tuple[float, float]

MOST_MM = 40.0  # hands slide a puck further, too, but then its way is seen
DIFFERS = 30.0  # grey levels by which the ground before and after must differ to tell which it shows now …
UNLIKE = 0.35  # … and what differs from both by more than this share of that is hidden
FEW_PX = 20  # of it must show
HIDDEN = 0.08  # of all of it: where less is hidden no finger is on the puck
RISE, LOW, HIGH = 0.25, 0.25, 0.75  # shares: how much of it turns over at the least, and from when to when is looked at
SLOW_S, SLOW_FRAMES = 0.09, 3  # a flick that goes no further than a nudge is there in half the time …
MIDDLE, UNSURE_FRAMES = 0.37, 1.5  # … and any in so much of the time that it runs, and so many frames

LEAST_MM = 12.0  # fingers that lie beside a puck shift what is seen of it by less
SNAPS, SNAPS_S = 0.5, 0.07  # share of the ground that a flick turns over in so much time, and a finger a third of it …
TAKES, TAKES_S = 0.5, 0.1  # … and of what the puck takes so much, at most so long before or after: it was not lifted
REST = 0.2  # by then so much more has turned over; where not, it is a hand that comes, and looks like a part of it …
FEW_SHARE, ALL_SHARE = 0.4, 0.2  # … and how much must show before and after, of what would tell, and of all of it


def eased(path: Path, watch: Watch) -> bool:
    """True where a finger that lay on a puck slid it, no further than MOST_MM and slower than any flick goes."""
    if path.end is None or math.dist(path.start, path.end) > MOST_MM:
        return False
    seen = turned(path.start, path.end, watch)
    covered = [k for k, (_, _, hidden) in enumerate(seen) if hidden >= HIDDEN]
    if len(covered) < SLOW_FRAMES + 2:
        return False
    times, shares = (np.array(column) for column in list(zip(*seen[covered[0] : covered[-1] + 1], strict=True))[:2])
    smooth = np.array([np.median(shares[max(k - 1, 0) : k + 2]) for k in range(len(shares))])
    least, most = float(smooth.min()), float(np.median(smooth[-3:]))
    if most - least < RISE:
        return False
    low, high = (least + part * (most - least) for part in (LOW, HIGH))
    first = int(np.flatnonzero(smooth <= low)[-1])
    after = np.flatnonzero(smooth[first:] >= high)
    if not len(after):
        return False
    last = first + int(after[0])
    ran_s = math.sqrt(2 * math.dist(path.start, path.end) / FRICTION_MM_S2)
    slow_s = max(SLOW_S, MIDDLE * ran_s + UNSURE_FRAMES * watch.scene.frame_s)
    return last - first >= SLOW_FRAMES and float(times[last] - times[first]) >= slow_s


def snapped(path: Path, watch: Watch, most: float = SNAPS) -> bool:
    """True where the ground that a puck leaves and takes, as far as it shows beside the finger, turned over sooner than
    a finger slides a puck: it was flicked, and a wall or a block beside it threw it back under the finger.

    most: share that is too much for a finger in SNAPS_S
    """
    if path.end is None or not LEAST_MM < math.dist(path.start, path.end) < MOST_MM:
        return False
    seen = list(_shown(path.start, path.end, watch))
    whole = _turns(seen, most, lambda g: max(FEW_SHARE * int(g.tells.sum()), ALL_SHARE * g.px))
    taken = _turns([g.taken() for g in seen], min(TAKES, most), lambda _: FEW_PX) if whole else []
    return any(abs(a - b) <= TAKES_S for a in whole for b in taken)


def _turns(seen: Sequence[_Shown], most: float, least_px: Callable[[_Shown], float]) -> list[float]:
    """When so much of the ground that shows before and after, of so many pixels, turned over in SNAPS_S."""
    out = []
    for k, was in enumerate(seen):
        least = least_px(was)
        for now in seen[k + 1 :]:
            if now.time_s - was.time_s > SNAPS_S:
                break
            both = was.clear & now.clear
            count = int(both.sum())
            then, before = (int((ground.over & both).sum()) for ground in (now, was))
            if count >= least and then - before >= most * count and then >= (most + REST) * count:
                out.append(now.time_s)
    return out


def turned(start: Place, end: Place, watch: Watch) -> list[tuple[float, float, float]]:
    """Of the ground that a puck leaves and takes on its way: when, what share of what shows of it looks as it does in
    the end, and what share is hidden; of the frames in which enough shows."""
    out = []
    for ground in _shown(start, end, watch):
        if (count := int(ground.clear.sum())) >= FEW_PX:
            out.append((ground.time_s, float(ground.over[ground.clear].mean()), 1.0 - count / int(ground.tells.sum())))
    return out


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a frame shows of the ground that a puck leaves and takes, (h, w) each.

    tells: where it differs enough before and after; clear: where it shows one of the two; over: where rather that of
    after; takes: where the puck lies in the end; px: of how many pixels it is, whether they tell or not
    """

    time_s: float
    tells: Flags
    clear: Flags
    over: Flags
    takes: Flags
    px: int

    def taken(self) -> _Shown:
        """The same of the ground that the puck takes."""
        return replace(self, tells=self.tells & self.takes, clear=self.clear & self.takes)


def _shown(start: Place, end: Place, watch: Watch) -> Iterator[_Shown]:
    """What each frame shows of the ground that a puck leaves and takes."""
    scene, view = watch.scene, watch.scene.view
    radius, places = view.radius_px, view.px_from_mm(np.array([start, end]))
    x0, y0 = (max(int(v), 0) for v in np.floor(places.min(axis=0) - radius - 2))
    x1, y1 = (int(v) for v in np.ceil(places.max(axis=0) + radius + 3))
    x1, y1 = min(x1, scene.before.shape[1]), min(y1, scene.before.shape[0])
    ys, xs = np.mgrid[y0:y1, x0:x1]
    leaves, takes = (np.hypot(xs - x, ys - y) < radius + 1 for x, y in places)
    about, px = leaves | takes, int((leaves ^ takes).sum())
    was, now = (Ground(picture) for picture in (scene.before, scene.after))
    for k, record in enumerate(scene.records):
        light = record.light / np.maximum(scene.records[-1].light, np.float32(0.05))
        before = was.lit((x0, y0), about.shape, record.light).astype(np.float32)
        after = now.lit((x0, y0), about.shape, np.asarray(light, dtype=np.float32)).astype(np.float32)
        shown = before.copy()
        (left, top), (w, h) = record.corner, record.size
        a, b, c, d = max(x0, left), max(y0, top), min(x1, left + w), min(y1, top + h)
        if c > a and d > b:
            shown[b - y0 : d - y0, a - x0 : c - x0] = record.cut(a - left, b - top, c - left, d - top)
        way = after - before
        far = np.sqrt((way * way).sum(axis=2))
        tells = about & (far > DIFFERS)
        share = ((shown - before) * way).sum(axis=2) / np.maximum(far * far, 1.0)
        off = np.sqrt((((shown - before) - share[..., None] * way) ** 2).sum(axis=2))
        clear = tells & (off < UNLIKE * far) & (share > -UNLIKE) & (share < 1 + UNLIKE)
        yield _Shown(watch.times[k], tells, clear, np.asarray(share > 0.5), takes & ~leaves, px)
