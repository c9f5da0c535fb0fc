"""Who touched whom: every puck that began to move was struck, and the one that struck it was there at that moment."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.motion import FRICTION_MM_S2, Motion, Nudge
from vision.passed_on import as_sent, came_towards, stands_behind

FloatArray = NDArray[np.float64]

ONSET_WEIGHT = 0.75  # of the struck puck's onset in the time of a touch; the striker's run errs three times as much
AIM_WEIGHT = 0.3  # of the place from which it would have been sent as it went, in a strike's cost; the gap has the rest
BACK_COS, BACK_COST_MM = -0.25, 4.0  # a puck that moves so far against its striker hardly was struck by it
LATE_COST_MM = 1.5  # for each frame that a strike is earlier or later than the motion that it explains …
LATE_FREE = 0.3  # … beyond this part of a frame, to which onsets are known
BEFORE, AFTER = 1.6, 0.8  # frames around a motion's onset in which its strike is looked for …
MOMENTS = 25  # … at this many moments
AT_REST = 0.2  # frames before its own onset by which a striker surely still lay where it started …
AT_REST_MM = 2.0  # … which costs so much, and each mm by which it did not touch the struck one, beyond this, one more
UNLIKE_MM = 99.0  # what is said where nothing explains a motion: more than any strike costs
STRIKE_MOST_MM = 40.0  # one strike that explains nothing does not outweigh all others
TURN_COST_MM = 0.02  # of strikes as good as each other, that of the puck that moved sooner is settled first
AIM_MAX_MM = 20.0  # more cannot be held against a striker: the struck puck may have bounced before it was first seen
MISS_MM = 9.0  # a puck further than this from where the striker must have been did not strike
UNSTRUCK_MM = 12.0  # a motion that the best striker explains no better than this is left for review …
LONE_MISS_MM = 22.0  # … or than this where nothing else moved that could have struck it
HARDLY_SURE = 0.1  # nor is it left unasked where a strike is no surer than this: the one or the other was hidden
LIKELY = 0.7  # of MISS_MM: a strike that misses by so much is as likely as not …
LIKELY_WIDTH_MM = 1.5  # … and gets e times as likely, against not, with each of these that it misses by less
SURE_LEAST, SURE_MOST = 0.05, 0.99  # of any strike: none is said to be impossible, or certain
DOUBT_MM = 4.0  # two candidates whose misses differ by less than this cannot be told apart
HAND_MM = 22.0  # the flicked puck lay within this distance of the hand
HAND_COST = 0.35  # per mm further than that
FLICKED_DOUBT_MM = 1.75  # two flicks whose costs differ by less cannot be told apart
BLOCKED_COST_MM = 8.0  # a finger cannot have been behind a puck where another one lay
EARLY_COST_MM = 400.0  # mm per second that a puck moved earlier than the one said to be flicked
GRAZE_MM = 2.5  # a puck that slid by at more than this beyond touching did not graze
GRAZE_OVERLAP = 0.3  # a mm of overlap counts as so much of a mm apart: pucks cannot overlap, only their places err
GRAZE_WRONG_SIDE_MM = 2.5  # what it costs to have slid by on the side towards which the other one moved
GRAZE_COS = 0.3  # a grazed puck moves away from the one that grazed it, by the cosine of that angle at least
GRAZE_ALIKE_MM = 0.7  # moments at which it was this much further off are as good …
GRAZE_AIM_MM = 1.0  # … and where the other one moved by more than this, its direction tells which it was
GRAZE_STEP_S = 0.002  # how often it is looked how near a puck slid by: 6 mm of its way at the fastest
GRAZE_LEAST, GRAZE_MOST = 0.3, 0.95  # how sure one is that slid by touching …
GRAZE_MOVED_MM = 2.0  # … by how far the other one moved, of this
NUDGED_MM = 1.2  # a puck that lies this far from where it lay was touched, …
FAR_GRAZE_MM = 4.5  # … by one that slid by at no more than this …
FAR_GRAZE_COS = 0.9  # … on the side from which it would have been sent as it went …
FAR_SURE = 0.4  # … which is as sure as this …
BESIDE_MM = 3.0  # … or else by a puck beside it that was touched itself
PIERCE_MM = 6.0  # pucks in quick motion may seem to overlap by so much …
PIERCE_WEIGHT = 0.5  # … and each mm more costs so many
RELAY_COST_MM = 1.0  # a blow that a puck passed on is the less simple story …
RELAY_GAP_MM = 5.0  # … and that puck lay so near to the other, and may have come back from it …
RELAY_LATE_FRAMES = 1.5  # … no later than this after it was struck …
RELAY_MOST_MM = 6.0  # … if that explains the other one's motion so well …
RELAY_S = 0.001  # … and surely after it was struck
CLOSING_MM_S = 60.0  # two moving pucks touch only where they close in at more than this
SHORT_RUN = 0.1  # frames: a run between two corners that is shorter tells no direction
STRAIGHT_RUN = 0.2  # frames: one that is no longer than this is not carried on past its corner …
CARRIED_ON = 1.3  # … nor any to a time that is this many frames or more from the corner
SHARP_RUN = 0.3  # frames: a run that is shorter cannot tell when it came within a diameter of the struck puck …
SHARP_BEFORE = 0.15  # … and none can that ended less than this many frames before the touch found …
SHARP_FROM, SHARP_TO = -0.5, 1.6  # … or that came so near outside of these frames after its end …
SHARP_MOVE = 1.2  # … or this many frames or more from the touch found
LIES_MM = 1.5  # a puck that is seen so near to where it lies in the end has not run on from there and come back
ONSET_CORNERS = 3  # the struck puck's onset has a part in a touch's time where its path has more corners than these …
ONSET_APART = 0.5  # … and it began to move less than this many frames from then
TURNED_MM = 6.0  # a puck that ran on past a corner is no further from where it is seen next than it can come back
RAN_ON_MM = 2.5  # a puck that was struck is further than this from where it would have been a frame later
MET_AFTER = 0.5  # frames after the one began to move from which it and another that moves already may meet …
MET_WAY = 1.2  # … where they are no further from touching than this much of the way by which they close in …
MET_AGAIN = 2  # … and where they did not touch less than this many frames before or after …
MET_SURE = 0.7  # … which is as sure as this
DEPTH_MM = 1.0  # two straight paths that would overlap by more than this must have met


@dataclass(frozen=True, slots=True)
class Touch:
    """Two pucks touched: the striker, the struck, when, where (mm), how sure (0 to 1)."""

    time_s: float
    striker: str
    struck: str
    x_mm: float
    y_mm: float
    confidence: float


@dataclass(frozen=True, slots=True)
class ContactGraph:
    """The flicked puck, the touches in order of time, what was doubtful, and how badly all of it fits (mm).

    misfit_mm: how badly the touches fit alone, those through a puck between as such; moved: the motions that it is
    told by, of those too that passed a blow on and hardly moved themselves.
    """

    flicked: str
    touches: tuple[Touch, ...]
    doubts: tuple[str, ...]
    cost_mm: float = 0.0
    misfit_mm: float = 0.0
    moved: tuple[Motion, ...] = ()


@dataclass(frozen=True, slots=True)
class _Strike:
    """How badly a strike fits, in mm; when it was, and where the striker was. back: of the cost, for a struck puck that
    moved against the striker: off a wall it may."""

    cost: float
    time_s: float
    place: tuple[float, float]
    back: float = 0.0

    @property
    def miss(self) -> float:
        """How badly it fits by place and time alone, in mm."""
        return self.cost - self.back


@dataclass(frozen=True, slots=True)
class _Others:
    """Pucks that may stand in the way between two: those that moved, and the places of those that did not."""

    moved: Sequence[Motion]
    standing: Sequence[tuple[float, float]]

    def in_the_way(self, place: tuple[float, float], time_s: float, diameter_mm: float) -> float:
        """What it costs, in mm, that a striker would have had to be where another puck was."""
        places = [*(m.at(time_s) for m in self.moved), *self.standing]
        apart = min((math.dist(place, p) for p in places), default=diameter_mm)
        return PIERCE_WEIGHT * max(0.0, diameter_mm - PIERCE_MM - apart)


def find_contacts(
    motions: Sequence[Motion], nudges: Sequence[Nudge], hand_mm: dict[str, float], diameter_mm: float, frame_s: float,
    lying: Sequence[Nudge] = (),
) -> ContactGraph:  # fmt: skip
    """Explains the motion of every puck from one flick.

    motions: pucks that moved by themselves; nudges: those that were only just moved; hand_mm: distance of the hand
    from each puck's place when it left; lying: those that lie where they lay, and may have passed on a blow.
    """
    motions, stopped = as_sent(motions, [*nudges, *lying], diameter_mm)
    strikes = _strikes([*motions, *stopped], [*nudges, *lying], diameter_mm, frame_s)
    behind = {m.puck: [o.puck for o in (*motions, *stopped) if o is not m and stands_behind(o, m, diameter_mm)]
              for m in (*motions, *stopped)}  # fmt: skip
    flicked, parents, doubts, cost = _choose_flicked(motions, stopped, strikes, hand_mm, behind)
    short = [m for m in stopped if m.puck == flicked or m.puck in parents]
    motions = [*motions, *short]
    by_id = {m.puck: m for m in motions}
    nudges, lying = ([n for n in still if n.puck not in by_id] for still in (nudges, lying))
    if not doubts:
        doubts += _whether_flicked(by_id[flicked], nudges, hand_mm, diameter_mm)
    touches: list[Touch] = []
    grazes = {n.puck: t for n in nudges if (t := _graze(n, motions, diameter_mm)) is not None}
    misfit = 0.0
    for struck, striker in parents.items():
        strike = strikes[striker, struck]
        others = by_id.keys() - {striker}
        other = min((s.miss for (a, b), s in strikes.items() if b == struck and a in others), default=UNLIKE_MM)
        relayed = _relayed(by_id[struck], motions, [*nudges, *lying], diameter_mm, frame_s, strike.miss)
        if relayed is not None:
            graze, passed_on = relayed
            grazes[graze.struck] = graze
            touches.append(passed_on)
            continue
        misfit += strike.cost
        sure = _confidence(strike.miss, other)
        doubts += _whether_struck(striker, struck, strike.miss, sure, lone=len(motions) <= 2)
        touches.append(_touch(strike, striker, struck, by_id, sure))
    touches = _in_turn([*touches, *grazes.values()], {m.puck for m in motions if m.slack_s > 0})
    touches += _meetings(motions, touches, diameter_mm, frame_s)
    return ContactGraph(flicked, tuple(sorted(touches, key=lambda t: t.time_s)), tuple(doubts), cost, misfit,
                        tuple(motions))  # fmt: skip


def _whether_flicked(
    flicked: Motion, nudges: Sequence[Nudge], hand_mm: dict[str, float], diameter_mm: float
) -> list[str]:
    """Doubts whether it was not one of the pucks that were only just moved, to which the hand was nearer."""
    return [f"it is not clear whether {n.puck} or {flicked.puck} was flicked" for n in nudges
            if hand_mm.get(n.puck, math.inf) < hand_mm.get(flicked.puck, 0.0)
            and came_towards(n, flicked, diameter_mm)]  # fmt: skip


def _whether_struck(striker: str, struck: str, miss_mm: float, sure: float, *, lone: bool) -> list[str]:
    """The doubt about one touch, if there is one. lone: no other puck moved that might have struck it instead"""
    if miss_mm > (LONE_MISS_MM if lone else UNSTRUCK_MM):
        return [f"nothing was seen to strike {struck}; {striker} came nearest ({miss_mm:.1f} mm off)"]
    return [f"it is hardly sure that {striker} touched {struck}"] if sure < HARDLY_SURE else []


def _strikes(
    motions: Sequence[Motion], resting: Sequence[Nudge], diameter_mm: float, frame_s: float
) -> dict[tuple[str, str], _Strike]:  # fmt: skip
    """How well each of some pucks explains that each other one of them began to move."""
    moved = {m.puck for m in motions}
    standing = [n.start for n in resting if n.puck not in moved]
    return {
        (i.puck, j.puck): _strike(i, j, _Others([m for m in motions if m is not i and m is not j], standing),
                                  diameter_mm, frame_s)
        for i, j in itertools.permutations(motions, 2)
    }


def _in_turn(touches: Sequence[Touch], vague: Collection[str]) -> list[Touch]:
    """The same, where no puck strikes another before it was struck itself.

    touches: of each struck puck its first one; vague: pucks of which it is not known to the frame when they were: of
    one of these that was sooner, then, and else what it struck was later.
    """
    out = list(touches)
    for _ in touches:  # as many times as the longest chain has links, at the most
        first: dict[str, float] = {}
        for touch in out:
            first[touch.striker] = min(touch.time_s, first.get(touch.striker, math.inf))
        out = [replace(t, time_s=min(t.time_s, first.get(t.struck, math.inf) - RELAY_S)) if t.struck in vague else t
               for t in out]  # fmt: skip
        since = {t.struck: t.time_s for t in out}
        out = [replace(t, time_s=max(t.time_s, since.get(t.striker, -math.inf) + RELAY_S)) for t in out]
    return out


def _relayed(
    struck: Motion, motions: Sequence[Motion], nudges: Sequence[Nudge], diameter_mm: float, frame_s: float,
    direct_mm: float,
) -> tuple[Touch, Touch] | None:  # fmt: skip
    """A blow that came through a puck that was hardly moved itself, as balls in a row pass one on.

    direct_mm: how far off the best striker that moved was. -> the touch on the puck between, and that puck's own
    """
    others = [m for m in motions if m is not struck]
    (sx, sy), (ux, uy) = struck.start, struck.direction
    want = (sx - diameter_mm * ux, sy - diameter_mm * uy)
    span_s = RELAY_LATE_FRAMES * frame_s
    when = (struck.onset_s - span_s, struck.onset_s + struck.slack_s + span_s)
    best: tuple[float, Touch, Touch] | None = None
    for nudge in nudges:
        (x, y), apart = nudge.start, math.dist(nudge.start, struck.start)
        gap = max(apart - diameter_mm, 0.0)
        if gap > RELAY_GAP_MM or (graze := _graze(nudge, others, diameter_mm, when)) is None:
            continue
        place = (x + gap / apart * (sx - x), y + gap / apart * (sy - y))
        late = max(abs(struck.onset_s - graze.time_s) - struck.slack_s, 0.0) / frame_s
        cost = RELAY_COST_MM * (1 if nudge.start != nudge.end else 2) + LATE_COST_MM * max(0.0, late - LATE_FREE)
        cost += AIM_WEIGHT * min(math.dist(place, want), AIM_MAX_MM)
        if cost >= (best[0] if best else min(direct_mm, RELAY_MOST_MM)):
            continue
        then, sure = min(graze.time_s, struck.onset_s), _confidence(cost, direct_mm)
        passed_on = Touch(then + RELAY_S, nudge.puck, struck.puck, (sx + place[0]) / 2, (sy + place[1]) / 2, sure)
        best = (cost, replace(graze, time_s=then), passed_on)
    return best[1:] if best else None


def _graze(
    nudge: Nudge, motions: Sequence[Motion], diameter_mm: float, within_s: tuple[float, float] = (-math.inf, math.inf),
    most_mm: float = GRAZE_MM, side_cos: float = GRAZE_COS,
) -> Touch | None:  # fmt: skip
    """The puck that slid by closest to one that was only just moved; None where none came near enough in that time."""
    d = math.dist(nudge.start, nudge.end)
    ux, uy = ((nudge.end[0] - nudge.start[0]) / d, (nudge.end[1] - nudge.start[1]) / d) if d > 0 else (0.0, 0.0)
    want = (nudge.start[0] - diameter_mm * ux, nudge.start[1] - diameter_mm * uy)
    ways: list[tuple[float, float, Motion, tuple[float, float]]] = []
    for motion in motions:
        first, last = max(motion.onset_s, within_s[0]), min(motion.rest_s, within_s[1])
        for time_s in np.arange(first, last + GRAZE_STEP_S, GRAZE_STEP_S):
            place = motion.at(float(time_s))
            gap = math.dist(place, nudge.start) - diameter_mm
            behind = (nudge.start[0] - place[0]) * ux + (nudge.start[1] - place[1]) * uy
            cost = abs(gap) if gap > 0 else GRAZE_OVERLAP * abs(gap)
            if d > 0 and behind < side_cos * diameter_mm:
                cost += GRAZE_WRONG_SIDE_MM
            ways.append((cost, float(time_s), motion, place))
    least = min((w[0] for w in ways), default=math.inf)
    if least > most_mm:
        return None
    alike = [w for w in ways if w[0] <= least + GRAZE_ALIKE_MM]  # a puck that creeps along beside it, or rests there
    _, time_s, motion, place = min(alike, key=lambda w: math.dist(w[3], want) if d > GRAZE_AIM_MM else w[1])
    x, y = (place[0] + nudge.start[0]) / 2, (place[1] + nudge.start[1]) / 2
    sure = max(GRAZE_LEAST, min(GRAZE_MOST, d / GRAZE_MOVED_MM)) * (1 - least / (2 * most_mm))
    return Touch(time_s, motion.puck, nudge.puck, x, y, sure)


def unexplained(
    nudges: Sequence[Nudge], motions: Sequence[Motion], lying: Sequence[Nudge], touches: Sequence[Touch],
    diameter_mm: float,
) -> tuple[list[Touch], list[str]]:  # fmt: skip
    """Pucks that were moved a little, and that nothing is said to have touched yet. -> touches, and what is doubtful

    A puck that slid by a little too far away touched them, or one beside them that was touched itself; else a person
    should look. nudges: pucks that were only just moved; lying: those that lie where they lay; touches: what is told.
    """
    told = {puck: t.time_s for t in touches for puck in (t.striker, t.struck)}
    left = [n for n in nudges if n.puck not in told and math.dist(n.start, n.end) >= NUDGED_MM]
    out = [
        replace(t, confidence=min(t.confidence, FAR_SURE)) for n in left
        if (t := _graze(n, motions, diameter_mm, most_mm=FAR_GRAZE_MM, side_cos=FAR_GRAZE_COS)) is not None
    ]  # fmt: skip
    told |= {t.struck: t.time_s for t in out}
    left = [n for n in left if n.puck not in told]
    reach = diameter_mm + BESIDE_MM
    while pairs := [(a, n) for n in left for a in (*nudges, *lying)
                    if a.puck in told and math.dist(a.start, n.start) <= reach]:  # fmt: skip
        by, nudge = pairs[0]
        x, y = ((a + b) / 2 for a, b in zip(by.start, nudge.start, strict=True))
        told[nudge.puck] = told[by.puck] + RELAY_S
        out.append(Touch(told[nudge.puck], by.puck, nudge.puck, x, y, FAR_SURE))
        left.remove(nudge)
    doubts = []
    for nudge in left:
        way = math.dist(nudge.start, nudge.end)
        doubts.append(f"{nudge.puck} lies {way:.1f} mm from where it lay, and nothing was seen to touch it")
    return out, doubts


def _confidence(cost: float, other: float) -> float:
    """How sure a strike is, 0 to 1, by its own miss in mm and that of the next best striker."""
    sure = 1.0 / (1.0 + math.exp((cost - MISS_MM * LIKELY) / LIKELY_WIDTH_MM))
    if other - cost < DOUBT_MM:
        sure *= 0.5 + 0.5 * max(other - cost, 0.0) / DOUBT_MM
    return max(SURE_LEAST, min(SURE_MOST, sure))


def _ran_on(motion: Motion, from_s: float, to_s: float) -> bool:
    """True where a puck went on just as it had run: nothing struck it."""
    (x, y), (vx, vy) = motion.at(from_s), motion.velocity_before(from_s)
    speed = math.hypot(vx, vy)
    dt = min(to_s, motion.rest_s) - from_s
    if speed < 1.0 or dt <= 0:
        return False
    run = min(dt, speed / FRICTION_MM_S2)
    way = run - FRICTION_MM_S2 * run**2 / (2 * speed)
    return math.dist(motion.at(from_s + dt), (x + vx * way, y + vy * way)) < RAN_ON_MM


def _touch(strike: _Strike, striker: str, struck: str, by_id: dict[str, Motion], sure: float) -> Touch:
    sx, sy = by_id[struck].start
    px, py = strike.place
    return Touch(strike.time_s, striker, struck, (sx + px) / 2, (sy + py) / 2, float(sure))


def _choose_flicked(
    motions: Sequence[Motion], stopped: Sequence[Motion], strikes: dict[tuple[str, str], _Strike],
    hand_mm: dict[str, float], behind: dict[str, list[str]],
) -> tuple[str, dict[str, str], list[str], float]:  # fmt: skip
    """The puck from whose flick the motion of all others follows best.

    stopped: those that hardly moved, which may have been flicked; behind: of each those that stood right behind it.
    """
    first = min(m.onset_s + m.slack_s for m in motions)  # by then one of them surely moved
    results: list[tuple[float, str, dict[str, str]]] = []
    for root in (*motions, *stopped):
        total = HAND_COST * max(0.0, hand_mm.get(root.puck, 0.0) - HAND_MM)
        total += EARLY_COST_MM * max(0.0, root.onset_s - first) + (BLOCKED_COST_MM if behind[root.puck] else 0.0)
        others = [m for m in stopped if m is not root]  # nothing but a blow through them may need them
        between = [m for m in others if root.puck in _all_behind(m.puck, behind)]
        ways = [_parents(root, [*motions, *through], strikes) for through in ([between, others] if others else [[]])]
        cost, parents = min(ways, key=lambda way: way[0])
        results.append((total + cost, root.puck, parents))
    results.sort(key=lambda r: r[0])
    doubts = []
    if len(results) > 1 and results[1][0] - results[0][0] < FLICKED_DOUBT_MM:
        doubts.append(f"it is not clear whether {results[0][1]} or {results[1][1]} was flicked")
    return results[0][1], results[0][2], doubts, results[0][0]


def _parents(
    root: Motion, moved: Sequence[Motion], strikes: dict[tuple[str, str], _Strike]
) -> tuple[float, dict[str, str]]:  # fmt: skip
    """Which puck struck which where one was flicked, and how badly that fits, mm."""
    parents: dict[str, str] = {}
    known = [root]
    rest = sorted((m for m in moved if m is not root), key=lambda m: m.onset_s)
    while rest:
        _, striker, struck = min(
            ((strikes[a.puck, b.puck].cost + TURN_COST_MM * k, a, b) for k, b in enumerate(rest) for a in known),
            key=lambda c: c[0],
        )
        parents[struck.puck] = striker.puck
        known.append(struck)
        rest.remove(struck)
    _improve(parents, strikes)
    return sum(min(strikes[striker, struck].cost, STRIKE_MOST_MM) for struck, striker in parents.items()), parents


def _all_behind(puck: str, behind: dict[str, list[str]]) -> set[str]:
    """Those that stood right behind a puck, behind these, and so on."""
    out: set[str] = set()
    left = list(behind[puck])
    while left:
        if (by := left.pop()) not in out:
            out.add(by)
            left += behind[by]
    return out


def _improve(parents: dict[str, str], strikes: dict[tuple[str, str], _Strike]) -> None:
    """Gives each struck puck the striker that explains it best, as long as any that it did not itself set going."""
    known = {*parents, *parents.values()}
    better = True
    while better:
        better = False
        for struck in parents:
            ways = [a for (a, b) in strikes if b == struck and a in known and not _set_going(a, struck, parents)]
            best = min(ways, key=lambda a: strikes[a, struck].cost)
            if strikes[best, struck].cost < strikes[parents[struck], struck].cost:
                parents[struck], better = best, True


def _set_going(puck: str, by: str, parents: dict[str, str]) -> bool:
    """True where a puck's motion goes back to another's."""
    while puck in parents:
        puck = parents[puck]
        if puck == by:
            return True
    return False


def _strike(
    striker: Motion, struck: Motion, others: _Others, diameter_mm: float, frame_s: float
) -> _Strike:
    """How well one puck's path explains that another began to move: the miss in mm at the best moment."""
    sx, sy = struck.start
    ux, uy = struck.direction
    want = (sx - diameter_mm * ux, sy - diameter_mm * uy)
    low, high = struck.onset_s - BEFORE * frame_s, struck.onset_s + struck.slack_s + AFTER * frame_s
    best = _Strike(UNLIKE_MM, struck.onset_s, want)
    for time_s in np.linspace(low, high, MOMENTS):
        for place in _places(striker, float(time_s), frame_s):
            gap = abs(math.dist(place, struck.start) - diameter_mm)
            aim = min(math.dist(place, want), AIM_MAX_MM)
            late = max(struck.onset_s - time_s, time_s - struck.onset_s - struck.slack_s) / frame_s
            cost = (1 - AIM_WEIGHT) * gap + AIM_WEIGHT * aim + LATE_COST_MM * max(0.0, late - LATE_FREE)
            if time_s < striker.onset_s - AT_REST * frame_s:
                # it still lay where it started: it can only have struck what it touched already
                cost += AT_REST_MM + max(0.0, gap - AT_REST_MM)
            if cost < best.cost:
                cost += others.in_the_way(place, float(time_s), diameter_mm)
            if cost < best.cost:
                best = _Strike(cost, float(time_s), place)
    if _sent_back(striker, struck, best.time_s):
        best = replace(best, cost=best.cost + BACK_COST_MM, back=BACK_COST_MM)
    return best if best.cost > MISS_MM else _sharpen(striker, struck, diameter_mm, best, frame_s)


def _sent_back(striker: Motion, struck: Motion, time_s: float) -> bool:
    """True where a puck moves against the one that struck it, as no blow sends one."""
    vx, vy = striker.velocity_before(time_s)
    ux, uy = struck.direction
    return vx * ux + vy * uy < BACK_COS * math.hypot(vx, vy)


def _sharpen(striker: Motion, struck: Motion, diameter_mm: float, found: _Strike, frame_s: float) -> _Strike:
    """The moment at which the striker's own run, carried on, comes within a diameter of the resting puck."""
    k = int(np.searchsorted(striker.times_s, found.time_s - SHARP_BEFORE * frame_s))
    for end in (k, k - 1):
        if end < 2 or end > len(striker.times_s):
            continue
        t1, t2 = striker.times_s[end - 2], striker.times_s[end - 1]
        if t2 - t1 < SHARP_RUN * frame_s:
            continue
        p1, p2 = striker.places_mm[end - 2], striker.places_mm[end - 1]
        v = (p2 - p1) / (t2 - t1)
        hit = _reach_time(p2 - np.array(struck.start), v, diameter_mm)
        if hit is not None and SHARP_FROM * frame_s <= hit <= SHARP_TO * frame_s:
            time_s = float(t2 + hit)
            if abs(time_s - found.time_s) < SHARP_MOVE * frame_s:
                place = p2 + v * hit
                known = len(struck.times_s) > ONSET_CORNERS and struck.slack_s == 0
                if known and abs(time_s - struck.onset_s) < ONSET_APART * frame_s:
                    time_s = ONSET_WEIGHT * struck.onset_s + (1 - ONSET_WEIGHT) * time_s
                return replace(found, time_s=time_s, place=(float(place[0]), float(place[1])))
    return found


def _reach_time(offset: FloatArray, velocity: FloatArray, distance: float) -> float | None:
    """When a point that moves straight comes within a distance of the origin. Source: the quadratic of two discs."""
    a = float(velocity @ velocity)
    b = 2 * float(offset @ velocity)
    c = float(offset @ offset) - distance**2
    disc = b * b - 4 * a * c
    if a < 1.0 or disc < 0:
        return None
    return (-b - math.sqrt(disc)) / (2 * a)


def _places(motion: Motion, time_s: float, frame_s: float) -> list[tuple[float, float]]:
    """Where a puck may have been at a time: on its path, or on the run before or after carried on past a corner."""
    out = [motion.at(time_s)]
    t, p = motion.times_s, motion.places_mm
    k = int(np.searchsorted(t, time_s))
    if 2 <= k <= len(t):
        dt = t[k - 1] - t[k - 2]
        ahead = time_s - t[k - 1]
        runs = dt > STRAIGHT_RUN * frame_s and ahead < CARRIED_ON * frame_s
        if runs and (motion.end is None or math.dist(p[k - 1], motion.end) >= LIES_MM):
            v = (p[k - 1] - p[k - 2]) / dt
            speed = float(np.hypot(*v))
            q = p[k - 1] + v * ahead - 0.5 * FRICTION_MM_S2 * ahead**2 * v / max(speed, 1.0)
            if k == len(t) or math.dist(q, p[k]) <= speed * (t[k] - time_s) + TURNED_MM:
                out.append((float(q[0]), float(q[1])))
    if k + 1 < len(t) and k >= 1:
        dt = t[k + 1] - t[k]
        back = t[k] - time_s
        if dt > STRAIGHT_RUN * frame_s and back < CARRIED_ON * frame_s:
            v = (p[k + 1] - p[k]) / dt
            q = p[k] - v * back
            out.append((float(q[0]), float(q[1])))
    return out


def _meetings(motions: Sequence[Motion], known: Sequence[Touch], diameter_mm: float, frame_s: float) -> list[Touch]:
    """Touches of two pucks that both moved already: their runs, carried on, would have overlapped.

    From knot to knot of the one puck and then of the other, as runs of the one that were cut short may tell nothing.
    """
    out: list[Touch] = []
    told = {frozenset((t.striker, t.struck)): t.time_s for t in known}
    pairs = list(itertools.combinations(motions, 2))
    for a, b in (*pairs, *((b, a) for a, b in pairs)):
        for k in range(2, len(a.times_s)):
            t0, t1 = float(a.times_s[k - 1]), float(a.times_s[k])
            if t0 < b.onset_s + MET_AFTER * frame_s or t1 > min(a.rest_s, b.rest_s) + frame_s:
                continue
            if any(m.run_s(t0) < SHORT_RUN * frame_s for m in (a, b)):
                continue  # a corner just before: that run is too short to be carried on
            va, vb = a.velocity_before(t0), b.velocity_before(t0)
            pa, pb = a.at(t0), b.at(t0)
            offset = np.array([pa[0] - pb[0], pa[1] - pb[1]])
            speed = np.array([va[0] - vb[0], va[1] - vb[1]])
            gap = float(np.hypot(*offset))
            if gap < diameter_mm or gap > diameter_mm + float(np.hypot(*speed)) * (t1 - t0) * MET_WAY:
                continue
            hit = _reach_time(offset, speed, diameter_mm - DEPTH_MM)
            if hit is None or not 0.0 <= hit <= t1 - t0 or float(np.hypot(*speed)) < CLOSING_MM_S:
                continue
            time_s = t0 + hit
            if any(_ran_on(m, t0, t1 + frame_s) for m in (a, b)):
                continue
            if abs(told.get(frozenset((a.puck, b.puck)), -math.inf) - time_s) < MET_AGAIN * frame_s:
                continue
            fast, slow = (a, b) if np.hypot(*va) >= np.hypot(*vb) else (b, a)
            qa, qb = a.at(time_s), b.at(time_s)
            told[frozenset((a.puck, b.puck))] = time_s
            out.append(Touch(time_s, fast.puck, slow.puck, (qa[0] + qb[0]) / 2, (qa[1] + qb[1]) / 2, MET_SURE))
    return out
