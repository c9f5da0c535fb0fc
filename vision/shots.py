"""One episode, from a board at rest to a board at rest, solved when it is over: a shot, or what hands did."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from scipy.optimize import linear_sum_assignment

from calibration.board import Board
from calibration.colours import alike_in_grey, colourless
from vision.accounts import best_account, still
from vision.bounces import bounces
from vision.contacts import ContactGraph, unexplained
from vision.crossings import (
    Crossing,
    Passage,
    beside_gates_edge,
    beyond_rim_mm,
    door_crossings,
    exit_time,
    gate_passages,
    lies_off,
    lies_on_edge,
    on_doors_line,
)
from vision.eased import eased
from vision.leaving import END_MM, brought_later, carried_on, flies_off, once_there, without_darts
from vision.lulls import lull
from vision.momentum import LOST, unseen_blow
from vision.motion import Motion, nudge_motion
from vision.paths import Path, link, rests, retrace, still_runs
from vision.resting import OVERLAP, SeenDisc
from vision.run_through import ran_through
from vision.runners import Runners, stepped, who_ran
from vision.scene import Scene
from vision.short_flicks import crept
from vision.taken import (
    RESTED_FRAMES,
    RESTED_MM,
    left_by,
    moved_on_by_hand,
    painted,
    shifted_by,
    stayed_on_edge,
    there_before,
)
from vision.touch_order import unclear_order
from vision.unseen_ways import came_time, hand_about, held_before, slid_in_sight, slidable
from vision.vanishing import sprung
from vision.watch import FLICKER_MM, Watch

UNSEEN_FRAMES = 1.6  # a puck that should have been seen on its way to the rim in more frames may have stayed
GONE_UNSEEN_MM = 130.0  # and one that was never seen to move may have lain this far from it
MEANWHILE_S = (0.1, 0.4)  # what a hand did so shortly before a flick, or after all lay still, was done meanwhile
MEANWHILE = "a hand seems to have moved a puck while the shot ran"
HELD = "a puck went no further than hands slide one, and something lay on it before"
PASSED_MM = 3.0  # from where a hand put a puck before a shot: a puck that passed no further away may have touched it
LAY_STILL = "{} had come to rest before it left the board beside a hand"
BESIDE = "the shot passed where a hand had put a puck before"
VEILED = "a hand was over the board when it was looked at first, and pucks are not where they seemed to be under it"
ON_EDGE = "{} lies half over the board's edge, and it is not clear whether it has left the board"
ON_LINE = "{} lay with its rim on a door's line, and it is not clear whether it went through"
GREY = "the picture has no colours, and in grey {} and {} look alike"
LEAST_FPS = 9.0  # with fewer pictures a second shots are told wrongly: with ten none of 24 was, with seven three
LIES_FRAMES, LIES_MM = 4, 2.0  # a puck that is seen in so many frames, so near to where it is seen last, lies there
RIM_MM, RIM_S = 40.0, 0.07  # a puck last seen this near to the edge, or as it goes in so long, went over it …
OUT_S = 0.1  # … if it would have been there so soon, had it run on
PUSHED_S, PUSHED_MM = 0.06, 3.0  # a hand that goes along with a puck for longer, no further from it than this, pushes …
PUSHED_FROM_MM = 12.0  # … once it has come so far: until then any finger that flicks it is beside it


@dataclass(frozen=True, slots=True)
class Handled:
    """What a hand did with a puck: `removed`, `placed` (puck is None: a new one) or `moved`; place in mm."""

    kind: str
    time_s: float
    puck: str | None
    disc: SeenDisc | None
    place: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shot:
    """A solved shot. reasons: why a person should look; by_hand: a hand was near the puck that moved first."""

    flicked: str
    start_s: float
    rest_s: float
    graph: ContactGraph
    crossings: tuple[Crossing, ...]
    passages: tuple[Passage, ...]
    exits: tuple[Passage, ...]
    motions: tuple[Motion, ...]
    pushed: bool | None
    reasons: tuple[str, ...]
    by_hand: bool = True


@dataclass(slots=True)
class Episode:
    """What an episode came to: a shot or none, what hands did, and where every puck that changed place lies now."""

    shot: Shot | None = None
    handled: list[Handled] = field(default_factory=list)
    ends: dict[str, SeenDisc] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    made_up: set[str] = field(default_factory=set)  # pucks that were none, but a hand
    new: list[SeenDisc] = field(default_factory=list)
    lost_s: float | None = None  # since when a puck has been out of sight that did not go over the rim
    rests: bool = False  # every puck of the shot that lies on the board was seen to lie there in the newest frames
    running: bool = False  # a puck runs in the newest frames, although nothing seemed to stir
    watch: Watch | None = None  # what was seen of it
    lay_s: dict[str, float] = field(default_factory=dict)  # when pucks were seen in their places for the last time


def solve(scene: Scene) -> Episode:
    """Tells what happened between two moments of rest."""
    episode = Episode()
    if not scene.vacated and not scene.appeared:
        return episode
    episode.watch = watch = Watch(scene)
    paths = _ways(scene, watch)
    joined, doubts = _join_ends(paths, scene, watch)
    if len(joined) == len(paths) == len(scene.appeared) and all(crept(p, watch) for p in paths):
        episode.ends = joined
        return episode
    runners = who_ran(paths, joined, _set_right(paths, joined, watch), scene, watch)
    if runners.free:
        _tell_shot(episode, runners, doubts)
    episode.lay_s = {p.puck: watch.times[max(p.last_seen_at_rest, 0)] for p in paths}
    shot_pucks = {m.puck for m in episode.shot.motions} if episode.shot is not None else set()
    _account(episode, scene, watch, paths, joined, shot_pucks)
    let_lie(episode, scene)
    if episode.shot is not None and handled_meanwhile(episode.shot, episode.handled):
        episode.shot = replace(episode.shot, reasons=(*episode.shot.reasons, MEANWHILE))
    elif episode.shot is not None and passed_what_was_put(episode.shot, episode.handled, scene.board):
        episode.shot = replace(episode.shot, reasons=(*episode.shot.reasons, BESIDE))
    if episode.shot is not None and episode.shot.reasons == (HELD,) and eased(runners.free[0], watch):
        not_a_shot(episode)
    for disc, time_s in runners.taken:
        for puck in [p for p, lies in episode.ends.items() if lies is disc]:
            episode.handled.append(Handled("removed", time_s, puck, None, disc.place))
            episode.gone.add(puck)
    episode.handled.sort(key=lambda h: h.time_s)
    return episode


def let_lie(episode: Episode, scene: Scene) -> None:
    """Leaves out what a hand seems to have done to pucks where one was when the board was looked at first: what it hid
    comes to light, and what seemed to be a puck in it is gone. But a puck that was flicked may have been there, too,
    and what seems to have run there may have lain there."""
    if scene.veil is None:
        return
    veiled = [h for h in episode.handled if scene.veiled(h.place)]
    if episode.shot is not None and (veiled or any(scene.veiled(disc.place) for disc in episode.ends.values())):
        episode.shot = replace(episode.shot, reasons=(*episode.shot.reasons, VEILED))
    unsure = [h for h in veiled if h.kind != "removed" or h.puck not in scene.sure]
    episode.handled = [h for h in episode.handled if h not in unsure]
    episode.made_up = {h.puck for h in unsure if h.kind == "removed" and h.puck is not None}
    episode.gone -= episode.made_up


def _ways(scene: Scene, watch: Watch) -> list[Path]:
    """The ways of all pucks that left their places, followed from where they lay, or back from where something lies."""
    paths = [Path(r.puck, r.team, r.place, returns=r.puck in scene.returned) for r in scene.vacated]
    link(watch.streaks, watch.times, paths, watch, scene.board.puck.radius_mm)
    if any(all(math.dist(p.last(), d.place) > END_MM for p in paths if p.team == d.team) for d in scene.appeared):
        ends = [(d.team, d.place) for d in scene.appeared]
        retrace(watch.streaks, watch.times, paths, ends, watch, scene.board.puck.radius_mm)
    for path in paths:
        del path.points[carried_on(path, watch) or len(path.points) :]
    return paths


def _set_right(paths: Sequence[Path], joined: dict[str, SeenDisc], watch: Watch) -> set[str]:
    """Takes from ways what was not the puck, now that it is known where each lies. -> pucks that only went a step"""
    only_stepped = set[str]()
    for path in paths:
        if path.puck in joined and not path.points and len(paths) == 1:  # or a touch tells when it left
            if stepped(path, watch):
                only_stepped.add(path.puck)
            left_by(path, joined[path.puck], watch)
        path.points = once_there(path, watch)
        path.points = without_darts(path)
        if (way := sprung(path, watch)) and way[0].frame < path.points[0].frame:
            path.points = [*way, *path.points]
            path.left = path.last_seen_at_rest = way[0].frame - 1
            path.near = [p for p in path.near if p.frame <= path.left]
        if flies_off(path, watch):
            del path.points[1:]
    return only_stepped


def _tell_shot(episode: Episode, runners: Runners, doubts: Sequence[str]) -> None:
    """Puts the shot that pucks ran in into an episode, and whether it is over."""
    free, joined, times = runners.free, runners.joined, runners.watch.times
    shot = episode.shot = _solve_shot(runners, [*doubts, *runners.doubts])
    motions = shot.motions if shot is not None else ()
    board = runners.scene.board
    lost = [m for m in motions if m.end is None and (m.speed_mm_s == 0.0 or not _went_out(m, board))]
    episode.lost_s = max((float(m.times_s[-1]) for m in lost), default=None)
    episode.rests = all(rests(p, times) for p in free if p.puck in joined)
    episode.running = any(still_runs(p, len(times)) for p in free if p.puck in joined)


def not_a_shot(episode: Episode) -> None:
    """Takes what seems to be a shot for what hands did."""
    if episode.shot is None:
        return
    for motion in episode.shot.motions:
        disc = episode.ends.get(motion.puck)
        x, y = motion.places_mm[0] if disc is None else disc.place
        kind = "removed" if disc is None else "moved"
        episode.handled.append(Handled(kind, episode.shot.rest_s, motion.puck, disc, (float(x), float(y))))
    episode.handled.sort(key=lambda h: h.time_s)
    episode.shot = None


def handled_meanwhile(shot: Shot, handled: Sequence[Handled]) -> bool:
    """True where a hand is said to have moved, brought or taken a puck while a shot ran: it hardly was a hand."""
    before, after = MEANWHILE_S
    return any(shot.start_s - before <= h.time_s <= shot.rest_s + after for h in handled)


def passed_what_was_put(shot: Shot, handled: Sequence[Handled], board: Board) -> bool:
    """True where a puck ran so near to one that a hand moved or brought in the same episode, before the shot, that it
    may have touched it: where that one lay by then is not known."""
    reach = board.puck.diameter_mm + PASSED_MM
    ran = {m.puck for m in shot.motions}
    put = [h.place for h in handled if h.kind != "removed" and h.time_s < shot.start_s and h.puck not in ran]
    for motion in shot.motions if put else ():
        steps = np.linalg.norm(np.diff(motion.places_mm, axis=0), axis=1) / 2  # it may have turned between two frames
        slack = np.maximum(np.append(steps, 0.0), np.append(0.0, steps))
        slack[0] = 0.0  # there it lay
        if any((np.linalg.norm(motion.places_mm - place, axis=1) < reach + slack).any() for place in put):
            return True
    return False


def _join_ends(paths: Sequence[Path], scene: Scene, watch: Watch) -> tuple[dict[str, SeenDisc], list[str]]:
    """Which puck that left its place is which disc that lies somewhere new. -> puck: disc, doubts."""
    joined: dict[str, SeenDisc] = {}
    doubts: list[str] = []
    for team in {p.team for p in paths}:
        mine = [p for p in paths if p.team == team]
        discs = [d for d in scene.appeared if d.team == team]
        if not discs:
            continue
        far = max(scene.board.size) * 2
        cost = np.array([[min(math.dist(p.last(), d.place), far) for d in discs] for p in mine])
        unlike = np.array([[scene.unlike_mm(p.puck, d) for d in discs] for p in mine])
        for row, column in zip(*linear_sum_assignment(cost + unlike), strict=True):
            path, disc = mine[row], discs[column]
            if cost[row, column] > 3 * END_MM and (
                brought_later(path, disc.place, watch) or there_before(path, disc, watch)
            ):
                continue
            if cost[row, column] > END_MM and (len(mine) > 1 or len(discs) > 1) and path.points:
                if cost[row, column] > 3 * END_MM and beyond_rim_mm(scene.board, *path.last()) > -RIM_MM / 2:
                    continue
                doubts.append(f"{path.puck} was lost from sight {cost[row, column]:.0f} mm from where it lies")
            joined[path.puck] = disc
            path.end = disc.place
    for path in paths:
        if path.puck in joined:
            continue
        rests = _followed_to_rest(path, scene, watch) or _seen_to_lie(path, scene, watch)
        if rests is None or lies_off(scene.board, *rests.place):
            continue
        if all(math.dist(rests.place, d.place) >= OVERLAP * scene.board.puck.diameter_mm for d in joined.values()):
            joined[path.puck] = rests
            path.end = rests.place
    return joined, doubts


def _followed_to_rest(path: Path, scene: Scene, watch: Watch) -> SeenDisc | None:
    """Where a puck lies that was followed until it lay still, far from any hand, and whose outline was not found."""
    seen, count = path.points[-RESTED_FRAMES:], len(watch.times)
    if [p.frame for p in seen] != list(range(count - RESTED_FRAMES, count)):
        return None
    x, y = np.median([p.place for p in seen], axis=0)
    rests = all(
        math.dist(p.place, (x, y)) < RESTED_MM and watch.hand_distance_mm(p.frame, *p.place) > FLICKER_MM for p in seen
    )
    return painted(path.team, float(x), float(y), scene) if rests else None


def _seen_to_lie(path: Path, scene: Scene, watch: Watch) -> SeenDisc | None:
    """Where a whole puck has lain of late, far from any hand, whose outline was not found: one that was not followed
    there. What was seen there while the puck still lay in its place is not it."""
    radius, count = scene.board.puck.radius_mm, len(watch.times)
    if path.points or count < LIES_FRAMES:
        return None

    def whole(frame: int, place: tuple[float, float], within_mm: float) -> bool:
        return any(s.team == path.team and s.clean(radius) and math.dist(s.place, place) < within_mm
                   for s in watch.streaks[frame])  # fmt: skip

    of_late, before = range(count - LIES_FRAMES, count), range(max(path.last_seen_at_rest, 0) + 1)
    for streak in watch.streaks[-1]:
        there, elsewhere = streak.place, all(math.dist(streak.place, h) > 2 * radius for _, h in watch.seen.homes)
        if not elsewhere or not all(whole(k, there, LIES_MM) for k in of_late):
            continue
        far = all(watch.hand_distance_mm(k, *there) > FLICKER_MM for k in of_late)
        if far and not any(whole(k, there, 2 * radius) for k in before):
            return painted(path.team, *there, scene)
    return None


def _solve_shot(runners: Runners, doubts: list[str]) -> Shot | None:
    """Motions, contacts, doors and exits of the pucks that ran. Where each lies is set right where pucks met."""
    scene, watch, joined = runners.scene, runners.watch, runners.joined
    for path in runners.paths:
        if path.puck in joined:
            shifted_by(path, joined[path.puck], watch)
    account = best_account(scene, watch, runners.paths, {p.puck for p in runners.free}, dict(joined), doubts)
    if account is None:
        return None
    joined.clear()
    joined.update(account.joined)
    motions, graph = account.motions, account.graph
    driven = {n.puck for n in scene.nudges}
    touches = [*graph.touches, *bounces(motions, scene.lying, scene.board, graph.touches, scene.reefs, driven)]
    more, unsure = unexplained(scene.nudges, motions, still(scene), touches, scene.board.puck.diameter_mm)
    graph = replace(graph, touches=tuple(sorted([*touches, *more], key=lambda t: t.time_s)))
    exits, unseen = _exits(motions, scene)
    gone = {p.puck for p in exits}
    unseen += [LAY_STILL.format(p.puck) for p in runners.paths if p.puck in gone and moved_on_by_hand(p, watch)]
    unseen += [ON_EDGE.format(p.puck) for p in runners.paths if p.puck in gone and stayed_on_edge(p, watch)]
    struck = {t.struck: t.time_s for t in reversed(graph.touches)}
    moved = {m.puck for m in motions}
    shifts = [nudge_motion(n, struck[n.puck]) for n in scene.nudges if n.puck in struck and n.puck not in moved]
    flicked = next(m for m in motions if m.puck == graph.flicked)
    rest = max([m.rest_s for m in motions if m.end is not None] or [flicked.rest_s])
    lay_at = {m.puck: m.start for m in motions} | {n.puck: n.start for n in (*scene.nudges, *still(scene))}
    reasons = [*doubts, *graph.doubts, *unclear_order(graph, scene.frame_s, flicked, lay_at), *unsure, *unseen]
    reasons += _poor_pictures(scene, watch, flicked.onset_s, rest)
    reasons += [] if reasons else _not_all(motions, shifts, flicked, watch)
    lay = [(p.puck, p.place) for p in scene.lying if p.puck not in moved and p.puck not in driven]
    reasons += ran_through([*motions, *shifts], lay, scene.board.puck.diameter_mm)
    reasons += lull(motions, scene.frame_s)
    reasons += _at_lines(motions, shifts, scene)
    return Shot(
        flicked=graph.flicked,
        start_s=flicked.onset_s,
        rest_s=max(rest, flicked.onset_s),
        graph=graph,
        crossings=tuple(c for m in (*motions, *shifts) for c in door_crossings(m, scene.board)),
        passages=tuple(g for m in motions for g in gate_passages(m, scene.board)),
        exits=tuple(exits),
        motions=tuple(motions),
        pushed=_pushed(flicked, watch),
        reasons=tuple(reasons),
        by_hand=account.hand_mm[flicked.puck] < FLICKER_MM,
    )


def _not_all(motions: Sequence[Motion], shifts: Sequence[Motion], flicked: Motion, watch: Watch) -> list[str]:
    """Why a shot that seems clear may not be all: a hand, or a blow, that was not seen. One reason at the most."""
    if not watch.reached(flicked.start) and not hand_about(flicked, watch):
        return [f"no hand came near {flicked.puck}, which seems to have been flicked"]
    if len(motions) == 1 and held_before(flicked, watch):
        return [HELD]
    return [LOST] if unseen_blow([*motions, *shifts], flicked, watch) else []


def _at_lines(motions: Sequence[Motion], shifts: Sequence[Motion], scene: Scene) -> list[str]:
    """Of pucks that came to lie, or had lain, so near to a line that their places cannot tell on which side."""
    reasons = []
    ends = {m.puck: m.end for m in motions if m.end is not None} | {n.puck: n.end for n in scene.nudges}
    for puck, place in ends.items():
        if lies_on_edge(scene.board, *place):
            reasons.append(ON_EDGE.format(puck))
        if beside_gates_edge(scene.board, *place):
            reasons.append(f"{puck} lies at the gate's edge, and it is not clear whether it lies wholly on the gate")
    return reasons + [ON_LINE.format(m.puck) for m in (*motions, *shifts) if on_doors_line(scene.board, *m.start)]


def _poor_pictures(scene: Scene, watch: Watch, onset_s: float, rest_s: float) -> list[str]:
    """Doubts about any shot that the camera's pictures are too few or too poor to tell. onset_s, rest_s: the shot's"""
    reasons = []
    if scene.missed:
        reasons.append(f"{scene.missed} frames are missing or damaged")
    if (fps := pictures_a_second(watch.times, onset_s, rest_s)) < LEAST_FPS:
        reasons.append(f"only {fps:.0f} pictures a second came")
    if (alike := alike_in_grey(scene.board)) is not None and colourless(scene.after):
        reasons.append(GREY.format(*alike))
    return reasons


def pictures_a_second(times: Sequence[float], start_s: float, rest_s: float) -> float:
    """How many pictures a second came while a shot ran. times: of all pictures, in seconds"""
    steps = [after - before for before, after in pairwise(times) if after >= start_s and before <= rest_s]
    return 1 / max(float(np.median(steps)), 1e-6) if steps else math.inf


def _exits(motions: Sequence[Motion], scene: Scene) -> tuple[list[Passage], list[str]]:
    """Where pucks went over the rim, and what is doubtful about those that lie nowhere."""
    exits, doubts = list[Passage](), list[str]()
    for motion in (m for m in motions if m.end is None):
        if not _went_out(motion, scene.board):
            doubts.append(f"{motion.puck} was lost from sight on the board")
            continue
        exits.append(Passage(exit_time(motion, scene.board), motion.puck, "rim"))
        if _unseen_frames(motion, scene) > UNSEEN_FRAMES:
            doubts.append(f"{motion.puck} was lost from sight before it reached the rim")
    return exits, doubts


def _went_out(motion: Motion, board: Board) -> bool:
    """True where a puck that was lost from sight went over the rim, or may have done so before it could be seen."""
    x, y = motion.places_mm[-1]
    if motion.speed_mm_s == 0.0:
        return beyond_rim_mm(board, float(x), float(y)) > -GONE_UNSEEN_MM
    if beyond_rim_mm(board, float(x), float(y)) > -board.puck.radius_mm:
        return True
    vx, vy = motion.velocity_before(float(motion.times_s[-1]))
    ahead = (float(x) + vx * OUT_S, float(y) + vy * OUT_S)
    near = beyond_rim_mm(board, float(x), float(y)) > -max(RIM_MM, math.hypot(vx, vy) * RIM_S)
    return near and beyond_rim_mm(board, *ahead) > -board.puck.radius_mm


def _unseen_frames(motion: Motion, scene: Scene) -> float:
    """In how many frames a puck should have been seen on the board after it was seen last, if it ran on to the rim."""
    x, y = motion.places_mm[-1]
    if beyond_rim_mm(scene.board, float(x), float(y)) > 0:
        return 0.0
    vx, vy = motion.velocity_before(float(motion.times_s[-1]))
    width, height = scene.board.size
    speeds = ((-vx, x), (vx, width - x), (-vy, y), (vy, height - y))
    return min(max(away, 0.0) / speed for speed, away in speeds if speed > 0) / scene.frame_s if vx or vy else 0.0


def _pushed(flicked: Motion, watch: Watch) -> bool | None:
    """True where the hand went along with the puck for more than PUSHED_S of its motion."""
    along = 0.0
    for k, time_s in enumerate(watch.times):
        if not flicked.onset_s < time_s < flicked.rest_s:
            continue
        x, y = flicked.at(time_s)
        if math.dist((x, y), flicked.start) > PUSHED_FROM_MM and watch.hand_distance_mm(k, x, y) < PUSHED_MM:
            along += watch.scene.frame_s
    return along > PUSHED_S


def _account(episode: Episode, scene: Scene, watch: Watch, paths: Sequence[Path], joined: dict[str, SeenDisc],
             shot_pucks: set[str]) -> None:  # fmt: skip
    """Where everything lies now, and what hands did with the pucks that the shot does not account for."""
    used = []
    for path in paths:
        disc = joined.get(path.puck)
        if path.puck in shot_pucks:
            if disc is not None:
                episode.ends[path.puck] = disc
                used.append(disc)
            else:
                episode.gone.add(path.puck)
            continue
        if disc is not None and (slidable(path, disc) or slid_in_sight(path, disc, watch)):
            time_s = _hand_time(watch, disc)
            episode.handled.append(Handled("moved", time_s, path.puck, disc, disc.place))
            episode.ends[path.puck] = disc
            used.append(disc)
        else:
            time_s = _gone_time(watch, path)
            episode.handled.append(Handled("removed", time_s, path.puck, None, path.start))
            episode.gone.add(path.puck)
    for disc in scene.appeared:
        if disc not in used:
            episode.handled.append(Handled("placed", came_time(watch, disc), None, disc, disc.place))
            episode.new.append(disc)
    episode.handled.sort(key=lambda h: h.time_s)


def _gone_time(watch: Watch, path: Path) -> float:
    """When a lifted puck was gone: after it was last seen, in the middle of the time that a hand hid its place."""
    hidden = [watch.times[k] for k in range(max(path.last_seen_at_rest, 0), len(watch.times))
              if watch.covered(k, *path.start)]  # fmt: skip
    if hidden:
        return (hidden[0] + hidden[-1]) / 2
    return watch.times[max(min(path.last_seen_at_rest, len(watch.times) - 1), 0)]


def _hand_time(watch: Watch, disc: SeenDisc) -> float:
    """When a puck that was slid lay in its new place."""
    hidden = [watch.times[k] for k in range(len(watch.times)) if watch.covered(k, *disc.place)]
    return hidden[-1] if hidden else watch.times[-1]
