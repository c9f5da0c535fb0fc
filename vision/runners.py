"""Which of the pucks that lie elsewhere ran there by themselves, as in a shot, and which a hand must have moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from vision.eased import eased, snapped
from vision.leaving import ran_last
from vision.moved_freely import moved_freely
from vision.paths import Path
from vision.resting import SeenDisc
from vision.scene import Scene
from vision.short_flicks import jumped, stirred
from vision.stray_runs import stray_run
from vision.struck import driven_off, struck_by
from vision.taken import taken_from
from vision.unseen_ways import (
    HOPPED_SURELY_MM,
    SELDOM_S,
    aimed_at,
    dragged,
    gone_in_a_moment,
    hand_stayed,
    hopped,
    put_down_too_soon,
    raced_off,
    ran_in_few_frames,
    set_down_later,
    slid_too_fast,
    too_quick,
    unhandled,
    unreached,
)
from vision.vanishing import SLIDE_MAX_MM, lay, lay_last
from vision.watch import Watch

UNSEEN_WAY = "a puck changed its place, and neither its way nor a hand on it was seen"
GAP_S = 0.15  # without a picture for so long a puck may have been flicked, and have gone anywhere …
GAP_AFTER_S = 0.15  # … that was seen to lie in its place so shortly before
FASTER = "a puck was faster beside a hand than hands slide one"
STRAY = "a puck was seen to run, and it is not clear which one it was"
NUDGED = "a puck moved by less than its own size, as by a short flick or a nudge"


@dataclass(slots=True)
class Runners:
    """Who ran, and what is doubtful about it.

    paths: of all pucks that left their places; joined: where each of them lies that lies somewhere, set right as it
    becomes known; stepped: those known to have lain still, gone a step, and lain still again; free: those that ran;
    taken: of them those that a hand took as soon as they lay still, with when it did.
    """

    paths: Sequence[Path]
    joined: dict[str, SeenDisc]
    stepped: set[str]
    scene: Scene
    watch: Watch
    free: list[Path] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    taken: list[tuple[SeenDisc, float]] = field(default_factory=list)

    def others(self) -> list[Path]:
        """Those that are not known to have run."""
        return [p for p in self.paths if p not in self.free]


def who_ran(paths: Sequence[Path], joined: dict[str, SeenDisc], stepped: set[str], scene: Scene,
            watch: Watch) -> Runners:  # fmt: skip
    """Parts the pucks that ran from those that hands moved. Sets `joined` and the paths right on the way."""
    runners = Runners(paths, joined, stepped, scene, watch)
    runners.free, runners.doubts = _seen_to_run(runners)
    if scene.cut_short:
        for path in (p for p in runners.free if not p.points):
            path.last_seen_at_rest = max(path.last_seen_at_rest, lay_last(path.start, watch))
    _add_gone_in_a_moment(runners)
    if runners.free:
        _add_struck(runners)
        _add_found_elsewhere(runners)
        unseen = unreached(runners.others(), joined, watch)
        runners.doubts += [f"{p.puck} was lost from sight on the board" for p in unseen]
        if STRAY not in runners.doubts and (stray := stray_run(runners.others(), runners.free, watch)) is not None:
            runners.free.append(stray)
            runners.doubts.append(STRAY)
        _add_taken(runners)
    return runners


def stepped(path: Path, watch: Watch) -> bool:
    """True where a puck lay still, moved in a moment by less than its own size, and lay still again."""
    return jumped(path, watch.times, lambda frame: lay(path, frame, watch))


# -- by their own ways -----------------------------------------------------------------------------------------
_Told = tuple[list[Path], list[str]]


def _seen_to_run(runners: Runners) -> _Told:
    """Those that ran by what was seen of their own ways: the first that tells any, from the surest on, and doubts."""
    if len(runners.paths) == 1 and dragged(runners.paths[0], runners.watch):
        return [], []
    ways = (_free, _aimed_at, _untouched, _faster, _nudged, _driven, _unfilmed, _stray)
    told = (way(runners) for way in ways)
    return next(((free, doubts) for free, doubts in told if free), ([], []))


def _free(runners: Runners) -> _Told:
    cut_short, watch = runners.scene.cut_short, runners.watch
    return [p for p in runners.paths if moved_freely(p, watch) or (cut_short and ran_last(p, watch))], []


def _aimed_at(runners: Runners) -> _Told:
    return (aimed_at(runners.paths, runners.watch) if runners.scene.cut_short else []), [UNSEEN_WAY]


def _untouched(runners: Runners) -> _Told:
    """Those that no hand can have moved."""
    case = runners.paths, runners.joined, runners.scene, runners.watch
    return unhandled(*case) or [path for path, _ in too_quick(*case)], [UNSEEN_WAY]


def _faster(runners: Runners) -> _Told:
    """Those that were quicker than a hand, but for one that a finger on it was seen to slide after all, if all of the
    ground did not turn over at once."""
    watch, faster = runners.watch, (slid_too_fast, hopped, raced_off, ran_in_few_frames)
    joined = [p for p in runners.paths if p.puck in runners.joined]
    quick = [p for p in joined if any(f(p, watch) for f in faster)]
    free = [p for p in joined if p in quick or snapped(p, watch)]
    slid = len(free) == 1 and eased(free[0], watch)
    if slid and quick and not snapped(free[0], watch):
        return [], []
    return free, [] if not slid and all(_surely_hopped(p, runners) for p in free) else [FASTER]


def _surely_hopped(path: Path, runners: Runners) -> bool:
    """True where a puck was seen to go further in a moment, from just as it lay, than a nudge takes one: what a hand
    slides it first lies on. Where frames are few there is no such moment."""
    often = runners.scene.frame_s <= SELDOM_S
    return often and bool(path.points) and hopped(path, runners.watch, HOPPED_SURELY_MM)


def _nudged(runners: Runners) -> _Told:
    """Those that went no further than a nudge takes one, but for those that a finger on them was seen to slide."""
    known, watch = runners.stepped, runners.watch
    went = [p for p in runners.paths if p.puck in known or stepped(p, watch) or stirred(p)]
    return [p for p in went if not eased(p, watch)], [NUDGED]


def _driven(runners: Runners) -> _Told:
    """Those that one beside them drove off which has hardly moved itself."""
    return [p for p in runners.paths if p.puck in runners.joined and driven_off(p, runners.watch)], [FASTER]


def _unfilmed(runners: Runners) -> _Told:
    """Those that lay in their places until just before the pictures failed, and after that did not: nobody saw how."""
    times = runners.watch.times
    gaps = [before for before, after in pairwise(times) if after - before >= GAP_S] if runners.scene.missed else []
    lay_s = {p.puck: times[max(p.last_seen_at_rest, 0)] for p in runners.paths} if gaps else {}
    free = [p for p in runners.paths if any(0.0 <= gap - lay_s[p.puck] <= GAP_AFTER_S for gap in gaps)]
    return free, [UNSEEN_WAY]


def _stray(runners: Runners) -> _Told:
    """One that was seen to run, although it was not followed there."""
    path = stray_run(runners.paths, [], runners.watch)
    return ([] if path is None else [path]), [STRAY]


# -- by where they are, and are not ----------------------------------------------------------------------------
def _add_gone_in_a_moment(runners: Runners) -> None:
    """Adds those that were gone sooner than a hand takes one. Alone, one that lies nowhere can only have been flicked
    over the edge."""
    joined, watch = runners.joined, runners.watch
    for path in gone_in_a_moment(runners.others(), joined, watch):
        disc = joined.get(path.puck)
        if disc is not None and set_down_later(path, disc, watch):
            del joined[path.puck]
            path.end = None
        if path.puck in joined:
            runners.doubts.append(UNSEEN_WAY)
        elif runners.free:
            runners.doubts.append(f"{path.puck} was gone in a moment, and no hand lay on it")
        elif not path.points and hand_stayed(path, watch):
            runners.doubts.append(f"{path.puck} was gone in a moment beside a hand that stayed there")
        runners.free.append(path)


def _add_struck(runners: Runners) -> None:
    """Adds those that left their places just as one that ran came to touch them, and those struck by these."""
    watch = runners.watch
    while new := [p for p in runners.others() if any(struck_by(p, by, watch) for by in runners.free)]:
        runners.free += new


def _add_found_elsewhere(runners: Runners) -> None:
    """Adds those that lie elsewhere sooner than a hand can have brought them: what was taken for them was the hand."""
    joined, scene, watch, hidden = runners.joined, runners.scene, runners.watch, runners.others()
    found = too_quick(hidden, joined, scene, watch, SLIDE_MAX_MM)
    found += put_down_too_soon(hidden, joined | {p.puck: disc for p, disc in found}, scene, watch)
    for path, disc in found:
        path.points.clear()
        path.end, joined[path.puck] = disc.place, disc
        runners.free.append(path)
        runners.doubts.append(UNSEEN_WAY)


def _add_taken(runners: Runners) -> None:
    """Tells where those had come to rest that a hand took before the board rested."""
    gone = [p for p in runners.free if p.puck not in runners.joined]
    taken = [(p, *rest) for p in gone if (rest := taken_from(p, runners.scene, runners.watch))]
    for path, disc, time_s in taken:
        path.end, runners.joined[path.puck] = disc.place, disc
        runners.taken.append((disc, time_s))
