"""The one story of a shot that explains best what was seen: which puck went which way, and which touched which."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.contacts import ContactGraph, find_contacts
from vision.leaving import without_merged
from vision.motion import Motion, Nudge, make_motion, unseen_motion
from vision.passed_on import in_reach
from vision.paths import Path
from vision.resting import SeenDisc
from vision.scene import Scene
from vision.swaps import meetings, swapped
from vision.watch import HAND_NEAR_MM, Watch

EXCHANGES = 3  # pairs that are exchanged one after the other where each exchange explains more
SWAP_DOUBT_MM = 2.0  # two explanations whose costs differ by less cannot be told apart
STRAY_SLACK_MM = 2.0  # a place beside another puck is off by so much
STRAY_MASS = 1.3  # puck areas: what shows more is that puck and another one
UNLIKE_MM = 12.0  # a puck whose number costs as much where it lies is hardly that puck
UNFIT_MM = 26.0  # nor is an account believed whose touches, ways and numbers together fit worse: most do by 0 to 5
UNFIT = "what was seen of the shot fits no account of it well"
WITH_SHOT_S = 0.1  # what a hand did sooner before the flick is no part of the shot


@dataclass(frozen=True, slots=True)
class Account:
    """One way to explain a shot: its motions and touches, which puck came to lie where, how far from a hand each began
    to move, and which of them were seen to: others passed a blow on and hardly moved."""

    motions: list[Motion]
    graph: ContactGraph
    joined: dict[str, SeenDisc]
    cost_mm: float
    hand_mm: dict[str, float]
    seen: frozenset[str]

    def lies(self) -> set[tuple[str, tuple[float, float]]]:
        """Where each puck lies, or was seen last."""
        last = {m.puck: (float(m.places_mm[-1][0]), float(m.places_mm[-1][1])) for m in self.motions
                if m.puck in self.seen}  # fmt: skip
        return set((last | {puck: disc.place for puck, disc in self.joined.items() if puck in last}).items())


def _explain(scene: Scene, watch: Watch, paths: Sequence[Path], free: set[str],
             joined: dict[str, SeenDisc]) -> Account | None:  # fmt: skip
    """Motions and touches as they follow from the paths. free: the pucks that moved by themselves."""
    motions: list[Motion] = []
    hand: dict[str, float] = {}
    began = min(watch.times[max(p.left if p.left is not None else 0, 0)] for p in paths if p.puck in free)
    for path in paths:
        carried = path.puck not in free and path.puck not in joined
        if carried or (path.puck not in free and not _moved_with_shot(path, watch, began)):
            continue
        alone = replace(path, points=without_merged(path, paths, scene.board.puck.diameter_mm))
        motion = make_motion(alone, watch.times, scene.frame_s)
        if motion is None and path.puck in free:
            motion = unseen_motion(path, watch.times[max(path.last_seen_at_rest, 0)], scene.frame_s)
        if motion is None or (path.puck not in free and motion.onset_s < began - WITH_SHOT_S):
            continue
        motions.append(motion)
        frame = path.left if path.left is not None else bisect_right(watch.times, motion.onset_s) - 1
        frame = max(frame, 0)
        hand[path.puck] = min(watch.hand_distance_mm(f, *path.start) for f in (frame, frame + 1))
    if not motions:
        return None
    diameter, lying = scene.board.puck.diameter_mm, still(scene)
    frame = max(bisect_right(watch.times, min(m.onset_s for m in motions)) - 1, 0)
    for nudge in in_reach(motions, [*scene.nudges, *lying], diameter):
        hand[nudge.puck] = min(watch.hand_distance_mm(f, *nudge.start) for f in (frame, frame + 1))
    graph = find_contacts(motions, scene.nudges, hand, diameter, scene.frame_s, lying)
    unlike = sum(scene.unlike_mm(puck, disc) for puck, disc in joined.items())
    strays = sum(max(strays_mm(p, watch) - STRAY_SLACK_MM, 0.0) for p in paths if p.puck in free)
    return Account(_as_told(motions, graph), graph, joined, graph.cost_mm + unlike + strays, hand,
                   frozenset(m.puck for m in motions))  # fmt: skip


def _as_told(motions: Sequence[Motion], graph: ContactGraph) -> list[Motion]:
    """Motions as they were seen, which began when their touches say so, and those of pucks that hardly moved."""
    told = {m.puck: m for m in graph.moved}
    seen = [replace(m, times_s=told[m.puck].times_s, onset_s=told[m.puck].onset_s, slack_s=told[m.puck].slack_s)
            for m in motions]  # fmt: skip
    return [*seen, *(m for m in graph.moved if all(m.puck != s.puck for s in seen))]


def strays_mm(path: Path, watch: Watch) -> float:
    """How far beside a puck's way it was seen when it had just begun to leave its place, with no hand near it."""
    if not path.near or not path.points or path.near[-1].frame != path.points[0].frame - 1:
        return 0.0
    seen = path.near[-1]
    if seen.streak is not None and seen.streak.mass > STRAY_MASS:
        return 0.0
    if watch.lies(seen.frame, *path.start) or watch.hand_distance_mm(seen.frame, *seen.place) < HAND_NEAR_MM:
        return 0.0
    way, at = np.subtract(path.points[0].place, path.start), np.subtract(seen.place, path.start)
    along = float(np.clip(at @ way / max(float(way @ way), 1e-9), 0.0, 1.0))
    return float(np.hypot(*(at - along * way)))


def still(scene: Scene) -> list[Nudge]:
    """The pucks that lie where they lay."""
    nudged = {n.puck for n in scene.nudges}
    return [Nudge(p.puck, p.place, p.place, p.team) for p in scene.lying if p.puck not in nudged]


def best_account(scene: Scene, watch: Watch, paths: Sequence[Path], free: set[str],
                  joined: dict[str, SeenDisc], doubts: list[str]) -> Account | None:  # fmt: skip
    """The paths as they were linked, or with two of a team exchanged where they met, if that explains more.

    Where it does others are exchanged in turn: along a row of one team each may have been taken for the next.
    """
    best = _explain(scene, watch, paths, free, joined)
    if best is None:
        return None
    options: list[tuple[Account, str]] = [(best, "")]
    way = _Linked(paths, free, joined)
    for _ in range(EXCHANGES):
        others = [
            (other, why, exchanged) for exchanged, why in _exchanges(way, scene)
            if (other := _explain(scene, watch, exchanged.paths, exchanged.free, exchanged.joined)) is not None
        ]  # fmt: skip
        options += [(other, why) for other, why, _ in others]
        if not others:
            break
        least, _, exchanged = min(others, key=lambda o: o[0].cost_mm)
        if least.cost_mm >= best.cost_mm:
            break
        best, way = least, exchanged
    best, why = min(options, key=lambda o: o[0].cost_mm)
    for other, doubt in options:
        if other.cost_mm - best.cost_mm < SWAP_DOUBT_MM and best.lies() != other.lies():
            doubts.append(doubt or why)
    for puck, disc in best.joined.items():
        if scene.unlike_mm(puck, disc) > UNLIKE_MM:
            doubts.append(f"{puck} does not bear the number that is seen where it seems to lie")
    misfit = best.graph.misfit_mm + best.cost_mm - best.graph.cost_mm
    if misfit > UNFIT_MM and not doubts and not best.graph.doubts:
        doubts.append(UNFIT)
    return best


@dataclass(frozen=True, slots=True)
class _Linked:
    """Paths, which of them moved by themselves, and which puck came to lie where."""

    paths: Sequence[Path]
    free: set[str]
    joined: dict[str, SeenDisc]


def _exchanges(way: _Linked, scene: Scene) -> Iterator[tuple[_Linked, str]]:
    """The same with two of a team exchanged where they met, or where their numbers say so, and what would then be
    doubtful."""
    met = meetings(way.paths, scene.board.puck.diameter_mm, scene.frame_s)
    for a, b, frame in [*met, *(m for m in _by_numbers(way, scene) if m not in met)]:
        first, second = swapped(a, b, frame)
        if not second.points and second.end is None:
            continue
        rest = [p for p in way.paths if p is not a and p is not b]
        discs = {k: d for k, d in way.joined.items() if k not in (a.puck, b.puck)}
        discs |= {k: way.joined[o] for k, o in ((a.puck, b.puck), (b.puck, a.puck)) if o in way.joined}
        why = f"it is not clear which of {a.puck} and {b.puck} went which way after they met"
        yield _Linked([*rest, first, second], way.free | {a.puck, b.puck}, discs), why


def _by_numbers(way: _Linked, scene: Scene) -> Iterator[tuple[Path, Path, int]]:
    """Pairs of which each bears the number that is seen where the other seems to lie, and the first frame in which the
    second had left its place."""
    odd = [p for p in way.paths if p.puck in way.joined and scene.unlike_mm(p.puck, way.joined[p.puck]) > UNLIKE_MM]
    for a, b in itertools.permutations(odd, 2):
        if a.team == b.team and b.points and all(
            scene.unlike_mm(p.puck, way.joined[o.puck]) < UNLIKE_MM for p, o in ((a, b), (b, a))
        ):
            yield a, b, b.points[0].frame


def _moved_with_shot(path: Path, watch: Watch, began: float) -> bool:
    """True for a puck that moved little or unseen, while the shot ran and no hand lay on it."""
    if path.end is None:
        return False
    first = watch.times[path.points[0].frame] if path.points else watch.times[max(path.last_seen_at_rest, 0)]
    return first >= began - WITH_SHOT_S
