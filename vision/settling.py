"""The board may rest again: what has happened since it did last is found out and told, or waited for."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.awaited import Awaited, awaited
from vision.board_at_rest import LEAST_LIGHT, SHADED, Rearrangement
from vision.came_back import CAME_BACK, beside_its_place, ran_and_came_back, uncovered
from vision.comparison import HIDDEN_PART, Comparison, Moves, hidden_share, with_returned
from vision.events import Event
from vision.frames import Image
from vision.ghosts import without_ghosts
from vision.hands import beyond_board, discs, hand_in, own_edges, reaching
from vision.known import Known
from vision.ongoing import Ongoing
from vision.patience import Patience
from vision.records import Record
from vision.resting import SeenDisc, look_again, refined
from vision.resting_arms import UNDER_ARM
from vision.scene import Scene
from vision.shots import Episode, solve
from vision.sight import Sight
from vision.telling import Teller
from vision.tone import Levels, toned
from vision.unseen_board import UnseenBoard

Mask = NDArray[np.uint8]

ENDED = "the pictures ended before the shot was surely over"
HARDLY = 3.0  # puck areas: what hides no more of the board than this, and no puck, is no hand that a verdict waits for
RAN_DIAMETERS = 2.0  # a puck that was seen so far from where it lay ran


class Settling:
    """Settles episodes: looks at the board, has them solved, and has them told where they are over.

    awaited: how the board lay without a hand while a verdict waits for a puck that is not seen; else None
    """

    def __init__(
        self, known: Known, sight: Sight, ongoing: Ongoing, patience: Patience, unseen: UnseenBoard, teller: Teller
    ) -> None:
        self._known, self._sight, self._ongoing = known, sight, ongoing
        self._patience, self._unseen, self._teller = patience, unseen, teller
        self.awaited: Awaited | None = None
        self._ended = False  # no more pictures come

    def settle(
        self, image: Image, *, force: bool = False, beside_hand: bool = False, unless_hand: bool = False,
        mean: Image | None = None,
    ) -> list[Event]:  # fmt: skip
        """The board rests: find out what has changed, and tell it. mean: (H, W, 3) of the last frames, if they are many

        While a hand is about, only a shot that hides nothing is told; all else waits until the hand has left. While
        that hand moves, only a shot is told after which every puck is seen. force: nothing is waited for, and what a
        hand hides is left as it was; unless_hand: only a shot is told, and nothing where a hand is about after all
        """
        now, found, doubted = self._looked_at(image, mean)
        hidden, waits = self._hidden(now, image, found, force, beside_hand)
        self._note_look(beside_hand, at_edge=unless_hand)
        moves = self._moves(now, found, hidden, force)
        if not beside_hand and (owed := missing(moves, doubted)):
            palette = self._known.paints.palette
            assert palette is not None
            owed = refined(image, self._known.seen_from[0], palette, owed)
            moves = self._moves(now, [*found, *owed], hidden, force)
        if (waits and (unless_hand or not moves.vacated)) or (beside_hand and not self._all_seen(moves, hidden, image)):
            return []
        if not beside_hand and self._out_of_sight(moves, look=mean is None and not (force or waits)):
            return []
        episode = self._episode(moves, image, now.top, hidden)
        if not (waits or beside_hand or moves.vacated or moves.appeared):
            episode = self._came_back(moves, image, now.top, hidden) or episode
        clear = cv2.countNonZero(hidden) < HARDLY * math.pi * self._known.seen_from[0].radius_px ** 2
        if not force and self._goes_on(episode, beside_hand, mean is not None):
            self._await(episode, image, clear or not (beside_hand or self._ongoing.hand))
            return []
        hardly_seen = unless_hand and episode.shot is None  # what a hand did it may be doing still
        if hardly_seen or (waits and not _sure(episode, beside_hand)):
            if beside_hand:
                self._ongoing.beside_hand.looked(in_vain=True)
            self._await(episode, image, clear)
            return []
        return self._told(episode, image, moves, waits)

    def _looked_at(self, image: Image, mean: Image | None) -> tuple[Rearrangement, list[SeenDisc], list[SeenDisc]]:
        """How the board lies now against how it lay; the pucks that are seen where it differs; and what would be some
        but for their paint."""
        known = self._known
        view, palette = known.seen_from[0], known.paints.palette
        assert palette is not None
        now = known.at_rest.rearranged(image, known.rest_threshold)
        doubted = list[SeenDisc]()
        found = look_again(image, view, palette, now.around, now.light, doubted=doubted) if now.around.any() else []
        if mean is not None:
            found += known.doubtful.faintly(mean, view, palette, found, known.reefs.corners())
        return now, found, doubted

    def _out_of_sight(self, moves: Moves, *, look: bool) -> bool:
        """True where a puck that left its place lies nowhere, but is of those that one frame may not show; none, unless
        it is looked for."""
        known, palette = self._known, self._known.paints.palette
        assert palette is not None
        known.doubtful.gone = set()
        if look:
            known.doubtful.lost(moves, palette, known.at_rest.top)
        return bool(known.doubtful.gone)

    def _episode(self, moves: Moves, image: Image, after: Image, hidden: Mask) -> Episode:
        """What happened, solved; what its frames showed is kept for the next look. after: the board from above"""
        episode = self._solved(self._scene(moves, image, after), hidden if self._ended else None)
        self._unseen.heed(episode)
        self._ongoing.watched = episode.watch.seen if episode.watch is not None else None
        if self._ongoing.watched is not None:
            self._ongoing.watched.put_by()
        return episode

    def _came_back(self, moves: Moves, image: Image, after: Image, hidden: Mask) -> Episode | None:
        """A shot after which all lies as it lay, which is asked about; None where there was none. after: the board from
        above; hidden: (h, w) what a hand hides of it"""
        known, (view, _) = self._known, self._known.seen_from
        palette, found = known.paints.palette, list[Episode]()
        assert palette is not None
        seen = [puck for puck in known.pucks if hidden_share(view, hidden, puck.place) < HIDDEN_PART]
        away = uncovered(seen, view, self._ongoing.records)
        for puck in seen:
            if puck.puck in away and beside_its_place(puck, view, palette, away[puck.puck]):
                scene = self._scene(with_returned(moves, puck, palette), image, after)
                episode = solve(replace(scene, earlier=None, returned=frozenset((puck.puck,))))
                if episode.shot is not None and ran_and_came_back(episode, puck.puck):
                    reasons = (*episode.shot.reasons, CAME_BACK.format(puck.puck))
                    episode.shot = replace(episode.shot, reasons=reasons)
                    found.append(episode)
        return min(found, key=lambda e: (len(e.shot.reasons) if e.shot is not None else 0, -_ran_mm(e)), default=None)

    def _told(self, episode: Episode, image: Image, moves: Moves, waits: bool) -> list[Event]:
        """Tells an episode, after which the board is at rest, but for a hand where one is still waited for."""
        known, ongoing = self._known, self._ongoing
        events = self._teller.tell(episode, image, moves.stayed, (known.at_rest.top, known.seen_from[0]))
        self.forget()
        ongoing.on = waits
        if events:
            known.still_s, ongoing.told = 0.0, True
        if waits:
            self._refer_but_for_hand(image, moves, episode)
        else:
            self._rests(image)
            known.reefs.due = known.reefs.due or not ongoing.told
        return events

    def _await(self, episode: Episode, image: Image, clear: bool) -> None:
        """A verdict is put off: with the next hand it is due, unless a puck runs still, or none was seen to, as where a
        hand took it. clear: no hand hides anything; it may stir all the same, as by people who lean in"""
        known = self._known
        if clear:
            least_mm, frame_map = RAN_DIAMETERS * known.board.puck.diameter_mm, known.at_rest.frame_map
            waits, changed = not episode.running and _ran_mm(episode) > least_mm, self._ongoing.lingering.changed
            self.awaited = awaited(known.time_s, image, changed, frame_map.radius) if waits else None

    def await_no_longer(self, now: Record) -> list[Event]:
        """The next hand has come while a verdict waits for a puck that is not seen: the shot is told as the board lay
        without that hand, and what was seen since belongs to what begins. now: of the newest frame"""
        ongoing, seen = self._ongoing, self.awaited
        assert seen is not None
        records = [*ongoing.records, now]
        until = [r for r in records if r.time_s <= seen.time_s]
        ongoing.records.clear()
        for record in until:
            ongoing.records.add(record)
        events = self.settle(seen.image, force=True)
        light = np.maximum(until[-1].light, LEAST_LIGHT) if until else np.float32(1.0)
        ongoing.begin(replace(r, light=np.asarray(r.light / light)) for r in records[len(until) :])
        self._known.second_look.restart()
        self._patience.new_shot()
        return events

    def end(self, image: Image) -> list[Event]:
        """The source has ended, and nothing can be waited for. image: (H, W, 3) its last frame"""
        self._ended = True
        return self.settle(image, force=True)

    def straighten(self, curve: Levels) -> None:
        """Puts other levels in the levels' place in the picture that is kept."""
        if self.awaited is not None:
            self.awaited.image = toned(self.awaited.image, curve)

    def end_told(self, image: Image) -> list[Event]:
        """The hand beside which a shot was told has left, and the board looks as it was told to look."""
        self.forget()
        self._ongoing.on = False
        self._rests(image)
        return []

    def forget(self) -> None:
        """What was seen of the episode until now does not count any more."""
        self._ongoing.forget()
        self.awaited = None
        self._known.first_hand.top = None
        self._known.doubtful.gone = set()

    def _rests(self, image: Image) -> None:
        """The board is at rest, and nothing hides any of it."""
        self._known.unveil(image, self._teller.rolling.ways)
        self._known.learn(self._sight.refer(image))

    def _hidden(
        self, now: Rearrangement, image: Image, found: Sequence[SeenDisc], force: bool, beside_hand: bool
    ) -> tuple[Mask, bool]:
        """What a hand hides of the top view, and whether anything but a sure shot waits until that has left."""
        known, ongoing = self._known, self._ongoing
        view, rested = known.seen_from[0], known.at_rest
        laid = self._patience.laid
        waits = not (force or laid)
        lie, lay = [d.place for d in found], [p.place for p in known.pucks]
        busy = self._sight.bystanders.not_in(now.busy, rested.frame_map, image)
        reached = np.zeros_like(now.busy) if laid else hand_in(busy, view, lie, lay)
        hidden = without_ghosts(reached, now.lit, now.top, known.usual, own_edges(view, lie))
        if known.first_hand.doubted and cv2.countNonZero(hidden) < cv2.countNonZero(reached):
            hidden = reaching(hidden, beyond_board(view), 0)  # else it is a part of what has left
        if waits and not beside_hand and not hidden.any():  # what reached in when the board was last looked at is gone
            waits = ongoing.hand and not reached.any() and rested.hand_reaches_in(ongoing.lingering.changed, lie)
        if not beside_hand:
            ongoing.hand = waits
        if known.first_hand.doubted and not waits:
            gone = reached & (1 - hidden)  # without the pucks that have come to light, which differ as well
            come = [p for p in lie if all(math.dist(p, q) > known.board.puck.radius_mm for q in lay)]
            known.first_hand.left((gone | (reaching(busy | gone, gone, 0) & discs(view, come))) > 0)
        return hidden, waits

    def _note_look(self, beside_hand: bool, *, at_edge: bool) -> None:
        if beside_hand:
            self._ongoing.beside_hand.looked()
        else:
            self._patience.looked(at_edge=at_edge)

    def _moves(self, now: Rearrangement, found: Sequence[SeenDisc], hidden: Mask, force: bool) -> Moves:
        """What lies elsewhere than it did. force: a hand (h, w) will not leave any more, and pucks may have come from
        under it"""
        known, view = self._known, self._known.seen_from[0]
        assert known.paints.palette is not None
        compared = Comparison(view, known.paints.palette, list(known.pucks), now.around, found, hidden,
                              (now.lit, now.top), self._ongoing.records)  # fmt: skip
        moves = compared.moves()
        if force and Counter(d.team for d in moves.appeared) - Counter(r.team for r in moves.vacated):
            return replace(compared, hidden=np.zeros_like(hidden)).moves()
        return moves

    def _scene(self, moves: Moves, image: Image, after: Image) -> Scene:
        """All that is known of an episode. after: the board from above, as it lies now"""
        known, ongoing = self._known, self._ongoing
        view, rested, palette = known.seen_from[0], known.at_rest, known.paints.palette
        assert palette is not None
        vacated = [r.puck for r in moves.vacated]
        return Scene(known.board, view, palette, rested.top, after, list(ongoing.records), moves.vacated,
                     moves.appeared, moves.nudges, self._sight.frame_s, ongoing.missed,
                     known.pucks.likeness(image, view, vacated, moves.appeared), known.lying(set(vacated)),
                     known.reefs.corners(), veil=known.first_hand.veil, sure=known.doubtful.sure, ran=self._just_ran(),
                     earlier=ongoing.watched, renewed=known.room.renewals.seen)  # fmt: skip

    def _just_ran(self) -> dict[str, tuple[float, float]]:
        """In which direction the pucks of the last shot ran at last, where this episode began right after it."""
        records = self._ongoing.records
        return self._teller.rolling.in_episode(records.first().time_s, self._known.time_s) if records else {}

    def _solved(self, scene: Scene, last: Mask | None) -> Episode:
        """What happened; in doubt also by the board as it looked when a hand was over it, if one was at first. last:
        (h, w) where a hand is still, if no more pictures come: a shot that may go on is asked about"""
        episode = self._account(scene)
        if last is not None and episode.shot is not None and (episode.running or last.any()):
            episode.shot = replace(episode.shot, reasons=(*episode.shot.reasons, ENDED))
        return episode

    def _account(self, scene: Scene) -> Episode:
        episode = solve(scene)
        first = self._known.first_hand.top
        if first is None or episode.shot is None or not episode.shot.reasons:
            return episode
        other = solve(replace(scene, before=first, earlier=None))
        other.watch = episode.watch
        return other if other.shot is not None and not other.shot.reasons else episode

    def _goes_on(self, episode: Episode, beside_hand: bool, looked_long: bool) -> bool:
        """True where a puck may still be running, or lie under an arm; looked_long: many frames were looked at."""
        arms = self._sight.arms
        if self._patience.goes_on(episode, self._known.time_s, beside_hand, looked_long or arms.barred):
            return True
        hidden = arms.may_hide(episode, self._known.camera.frame_map)
        if hidden and not self._ongoing.barred:  # once an episode: then it is told as it seems, and asked about
            arms.bar()
            self._ongoing.barred = True
            self._patience.unsettled()  # the next frame shows it
            return True
        if hidden and episode.shot is not None:
            reasons = tuple(UNDER_ARM.format(puck) for puck in hidden)
            episode.shot = replace(episode.shot, reasons=(*episode.shot.reasons, *reasons))
        return False

    def _all_seen(self, moves: Moves, hand: Mask, image: Image) -> bool:
        """True where the hand (h, w) hides no puck, and all that left their places were found."""
        if self._known.hides_puck(hand):
            return False
        if not self._all_rest(moves, image):
            self._ongoing.beside_hand.looked(until_it_stirs=True)
            return False
        return True

    def _all_rest(self, moves: Moves, image: Image) -> bool:
        """True where every puck that left its place was found, clear of the hand beside which nothing stirs: one that
        runs on along it would seem to be a part of it."""
        near, rested = self._ongoing.beside_hand.near, self._known.at_rest
        if Counter(r.team for r in moves.vacated) != Counter(d.team for d in moves.appeared):
            return False
        if near is None:
            return True
        ends = rested.frame_map.mask_of(image, [*(d.place for d in moves.appeared), *moves.stayed.values()])
        return not cv2.bitwise_and(ends, rested.frame_map.over_frame(near, image)).any()

    def _refer_but_for_hand(self, image: Image, moves: Moves, episode: Episode) -> None:
        """Takes a frame as what the board looks like at rest, where pucks lay and lie, and the hand is not."""
        rested, hand = self._known.at_rest, self._ongoing.beside_hand.hand
        frame_map = rested.frame_map
        ends = [d.place for d in episode.ends.values()] + [n.end for n in moves.nudges]
        starts = [r.place for r in moves.vacated] + [n.start for n in moves.nudges]
        changed = frame_map.mask_of(image, starts + ends, SHADED)
        changed[frame_map.beside(image) > 0] = 0  # what would be left of the hand there reached in for ever
        if hand is not None:
            changed[frame_map.around(hand, image) > 0] = 0
        changed |= frame_map.outlines(image, ends)  # a puck at the edge seems to be a part of the hand
        self._sight.refer(rested.with_moved(image, changed), rested.unknown)
        self._ongoing.missed = 0  # the next shot's own
        self._patience.new_shot()


def missing(moves: Moves, doubted: Sequence[SeenDisc]) -> list[SeenDisc]:
    """Of some discs that would be pucks but for their paint the best that are of teams of which pucks are missing, as
    many as these."""
    lost = Counter(r.team for r in moves.vacated) - Counter(d.team for d in moves.appeared)
    best = sorted(doubted, key=lambda d: -d.score)
    return [d for team, count in lost.items() for d in [d for d in best if d.team == team][:count]]


def _ran_mm(episode: Episode) -> float:
    """How far from where it lay any puck of a shot was seen."""
    motions = episode.shot.motions if episode.shot is not None else ()
    return max((float(np.linalg.norm(m.places_mm - m.start, axis=1).max()) for m in motions), default=0.0)


def _sure(episode: Episode, beside_hand: bool) -> bool:
    """True where an episode is a shot and nothing else, beyond doubt.

    beside_hand: nor is it one, then, after which a puck is gone.
    """
    shot = episode.shot
    if shot is None or shot.reasons or episode.handled or not shot.by_hand:
        return False
    return not (beside_hand and episode.gone)
