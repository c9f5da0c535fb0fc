"""The whole of vision: frames in, events out.

    frame -> tone -> pose (markers) -> top view -> differencing (sight) -> still or not
          -> episode (ongoing: the changed part of every frame, until the board rests again)
          -> solve (settling) -> events (telling)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from calibration.board import Board
from calibration.lens import CalibrationError, Lens
from calibration.pose import Pose
from vision.board_at_rest import Change
from vision.brightening import Brightening
from vision.camera_watch import CameraWatch, to_nobody
from vision.comparison import HIDDEN_PART, hidden_share, looks_new
from vision.differencing import in_light, light_field
from vision.events import ByHand, Event, PuckSeen, ReefsSeen
from vision.explain import Explained
from vision.frame_map import LIGHT_STEP
from vision.frames import Frame, Image
from vision.ghosts import only_ghosts
from vision.glide import Glide
from vision.hands import beyond_board, hand_since
from vision.knock import KNOCKED, RELIT, SWAY_FRAMES, CutShort, find_again, shot_cut_short
from vision.known import Known
from vision.ongoing import EPISODE_MAX_S, Ongoing
from vision.overlay import draw_overlay
from vision.patience import Patience, calm
from vision.resting import SeenDisc, first_look
from vision.second_look import SOME
from vision.settling import Settling
from vision.sight import Seen, Sight
from vision.small_pictures import gray_of, readied
from vision.stirs import Stirs
from vision.streaks import Ground
from vision.telling import Teller
from vision.tone import Levels, Straightener
from vision.turns import Turns
from vision.unseen_board import COVERED, UnseenBoard

Mask = NDArray[np.uint8]

# pictures and matrices are small: a second thread costs a tenth more on all cores, and saves no time
cv2.setNumThreads(1)
threadpool_limits(1, user_api="blas")

AT_EDGE = 3.0  # puck areas: what reaches in over the border and is smaller may be a puck that lies there
CHANGE_SHARE = 0.10  # puck areas that must differ from the board at rest to say that something is going on
REEF_STILL_S = 0.5  # reefs are looked for once the board has lain still for so long (the contract) …
REEF_LATE_S = 0.6  # … from then on in one frame, where a mean of some cannot be had
RELIT_S = 0.5  # where in quite another light nothing has come of what differs for so long, the board is looked at anew
UNRESTED_S = 6.0  # in which its picture has not rested once: that is to be said
UNRESTED = (
    "the board was found, but its picture has not rested since, for {s:.1f} s; expected a moment in which nothing "
    "stirs: keep hands off the board for a moment; if none is there, set the camera's flicker to the mains' (50 or "
    "60 Hz), or give it more light"
)
SOON_S = 0.3  # where noise has grown with the light, it is looked at in the light of now after so short a rest


class BoardNotSeen(CalibrationError):
    """The board's markers were never seen; the message says what was looked for and what to do."""


@dataclass(frozen=True, slots=True)
class LiveView:
    """What a screen shows between events: where every puck is now. state: searching, still, hand, shot, unsettled;
    named: how many ids pucks were given so far."""

    time_s: float
    state: str
    pose_known: bool
    pucks: tuple[PuckSeen, ...]
    named: int = 0


class Tracker:
    """Follows one board. Feed it frames in order; it gives the contract's events.

    tell: is told what is doubtful about where the camera stands, a sentence each, once the board is found; named: how
    many ids a tracker before this one gave to pucks; straight: a lens that nobody measured has no distortion.
    Raises CalibrationError where the lens or the pose was measured on pictures of another shape than frame_size.
    """

    def __init__(
        self,
        board: Board,
        *,
        frame_size: tuple[int, int],
        fps: float,
        pose: Pose | None = None,
        lens: Lens | None = None,
        tell: Callable[[str], None] = to_nobody,
        named: int = 0,
        straight: bool = False,
    ) -> None:
        self.board = board
        self._size, self._tell = frame_size, tell
        self._turns, self._brightening, self._tones = Turns(fps), Brightening(), Straightener()
        self._camera = CameraWatch(board, frame_size, lens, pose, tell, straight)
        self._known = Known(board, self._camera, named)
        self._sight = Sight(self._known, self._turns.stride / fps if fps > 0 else 1 / 30)
        self._ongoing, self._patience, self._unseen = Ongoing(), Patience(), UnseenBoard()
        self._seen_in: NDArray[np.float32] | None = None  # the light, over the top view, in which it was seen last
        self._teller = Teller(self._known)
        self._settling = Settling(self._known, self._sight, self._ongoing, self._patience, self._unseen, self._teller)
        self._stirs = Stirs()  # before the first look
        self._unrested_s = 0.0  # how long that one has been awaited
        self._torn = False  # whether the last frame was: what seems to lie in it may be made up
        self._cut_short: CutShort | None = None  # what was going on when the camera was knocked
        self._glide: tuple[Image, Glide] | None = None  # follows moving pucks for screens, from the board at rest on

    # -- the loop --------------------------------------------------------------------------------
    def readied(self, frame: Frame) -> Frame:
        """A frame that update() takes sooner than as it came. Any thread may ask, while another one updates."""
        view = self._camera.view
        as_it_came = self._brightening.gain == 1.0 and self._tones.curve is None
        return readied(frame, view) if view is not None and as_it_came else frame

    def update(self, frame: Frame) -> list[Event]:
        """Takes the next frame; returns what has become known by it, in the contract's order."""
        if (taken := self._turns.take(frame)) is None:
            return []
        self._torn = taken.torn
        image = self._tones.straight(self._bright(taken.image))
        frame = taken if image is taken.image else replace(taken, image=image)
        self._sight.held = None
        events = self._see(frame)
        held = self._sight.held
        if not frame.torn:
            self._heed_tone(frame if held is None else replace(frame, image=held))
        return events

    def _see(self, frame: Frame) -> list[Event]:
        """The next frame, in levels for which light is a factor."""
        known, sight, ongoing = self._known, self._sight, self._ongoing
        if known.view is None and not self._camera.find(frame):
            known.time_s = frame.time_s
            return []
        gray = gray_of(frame, known.seen_from[0])
        if (unrepeated := sight.unrepeated(frame, gray)) is None:
            return []
        frame = unrepeated
        dt = max(frame.time_s - known.time_s, 0.0) if sight.goes_on else sight.frame_s
        known.time_s = frame.time_s
        if sight.goes_on and not frame.torn and (knock := self._knock(frame)) is not None:
            return list(knock)
        seen = sight.see(frame, gray, dt, still=known.rested is not None and not ongoing.on)
        if seen is None or self._is_unseen(seen):
            return []
        seen = sight.without_people(seen, dt)
        if frame.torn:  # what lies still in it may be made up
            seen = replace(seen, moving=True, still_s=0.0)
        self._patience.saw(seen.moving, dt, seen.still_s)
        self._unrested_s = self._unrested_s + dt if known.before is None else 0.0
        change = seen.change
        if change is None:
            return self._begin(seen)
        differs = cv2.countNonZero(change.mask) > CHANGE_SHARE * known.seen_from[1].puck_area
        if self._hand_comes(seen.frame, change):
            return self._settling.await_no_longer(known.at_rest.record(frame.time_s, seen.frame.image, change))
        if ongoing.on or differs or seen.moving:
            return self._act(seen.frame, change, seen.motion, differs, dt)
        sight.lay = seen.came if sight.arms.now is None else None
        return self._rest(seen.frame, change, dt)

    def _is_unseen(self, seen: Seen) -> bool:
        """True where a frame does not show the board: it is kept as one in which a hand covers all of it, which never
        comes to rest."""
        known, unseen, ongoing, rested = self._known, self._unseen, self._ongoing, self._known.rested
        frame, change, coarse = seen.frame, seen.change, seen.coarse
        if rested is None or change is None or coarse is None:
            return False
        frame_map = rested.frame_map
        differs = cv2.countNonZero(change.mask) / max(cv2.countNonZero(frame_map.looked_at), 1)
        watched = differs <= COVERED or self._camera.sees(seen.came)  # which takes time where nothing else asked
        white = known.room.whiter(coarse, frame_map)
        unseen.look(frame.time_s, coarse.brightness, known.room.level, white, differs, watched)
        if not unseen.now:
            self._seen_in = change.light
            return False
        if not ongoing.on:
            self._begin_episode()
        self._patience.begin_anew()
        known.still_s = 0.0
        ongoing.missed += frame.lost
        if not unseen.blind:  # what little is seen tells more than nothing
            ongoing.records.add(rested.record(frame.time_s, frame.image, change))
        elif unseen.to_be_kept(frame.time_s):
            rows, columns = change.mask.shape
            light = self._seen_in if self._seen_in is not None else np.ones_like(change.light)
            covered = Change(frame_map.looked_at, (0, 0, columns, rows), light)
            ongoing.records.add(rested.record(frame.time_s, frame.image, covered))
        self._trim()
        return True

    def finish(self) -> list[Event]:
        """The source has ended: settles what can be settled. Raises BoardNotSeen where no pose was ever found."""
        if self._known.view is None:
            why = self._camera.why or "the source ended before its first frame; expected a film of the board"
            raise BoardNotSeen(why)
        if self._ongoing.on and self._ongoing.latest is not None and self._known.rested is not None:
            events = self._settling.end(self._ongoing.latest)
            return [e for e in events if not (self._torn and isinstance(e, ByHand))]
        return []

    # -- what others look at ---------------------------------------------------------------------
    @property
    def explained(self) -> Explained | None:
        """The last shot told, and what it was decided on."""
        return self._teller.explained

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is to be said of board and light as they are now, a sentence each; nothing where all is well."""
        unrested = (self.unrested,) if self._unrested_s > UNRESTED_S else ()
        return (*self._camera.doubts, *self._brightening.doubts(self._known.room.level), *unrested)

    @property
    def unrested(self) -> str:
        """Why the board was never looked at, a sentence, though it was found; empty where it was looked at."""
        return UNRESTED.format(s=self._unrested_s) if self._known.before is None else ""

    @property
    def has_pucks(self) -> bool:
        """True where pucks lie on the board, as far as is known."""
        return len(self._known.pucks) > 0

    def live(self) -> LiveView:
        """Where every puck is now, as far as is known: those that move by the last frame, without any decision."""
        known, pucks = self._known, self._known.pucks.seen()
        state = "searching" if known.view is None or self._unseen.now else "still"
        if self._ongoing.on and not self._unseen.now:
            state = "hand" if self._ongoing.hand else "shot"
            places = self._gliding()
            pucks = tuple(p._replace(x_mm=places[p.puck][0], y_mm=places[p.puck][1]) if p.puck in places else p
                          for p in pucks)  # fmt: skip
        return LiveView(known.time_s, state, known.view is not None, pucks, known.pucks.named)

    def _gliding(self) -> dict[str, tuple[float, float]]:
        """Places of the pucks that have left theirs in this episode."""
        known, records = self._known, self._ongoing.records
        if known.view is None or known.before is None or known.paints.palette is None or not records:
            return {}
        if self._glide is None or self._glide[0] is not known.before:
            self._glide = known.before, Glide(Ground(known.before), known.view, known.paints.palette)
        last, glide = records.last(), self._glide[1]
        if glide.time_s != last.time_s:  # screens and films ask more than once a frame
            glide.look(last.time_s, last.patch, last.corner, last.light, known.pucks)
        return glide.places

    def draw_overlay(self, image: Image) -> Image:
        """What the tracker sees, drawn on a copy of a frame."""
        return draw_overlay(image, self._known.view, self.live().pucks)

    # -- levels ----------------------------------------------------------------------------------
    def _bright(self, image: Image) -> Image:
        """A picture as bright as it is taken."""
        view, brightening, room = self._camera.view, self._brightening, self._known.room
        if view is not None and self._known.before is None:
            brightening.fit(image, view.roi)
        before = brightening.gain
        bright = brightening.bright(image, view.roi if view is not None else None)
        room.taken_less_bright(before / brightening.gain)
        return bright

    def _heed_tone(self, frame: Frame) -> None:
        """Learns from changes of light how the camera's levels follow it, and straightens them where they are bent."""
        sight, rested, view = self._sight, self._known.rested, self._known.view
        light, sight.light = sight.light, None
        if light is None or rested is None or view is None or self._camera.knocked:
            return
        curve = self._tones.look(frame.time_s, (frame.image, rested.image), view.roi, light)
        if curve is not None:
            self._straighten(curve, frame.image)

    def _straighten(self, curve: Levels, image: Image) -> None:
        """Puts other levels in the levels' place in all pictures that are kept. image: the last frame"""
        self._known.straighten(curve)
        self._ongoing.straighten(curve)
        self._settling.straighten(curve)
        self._sight.straighten(curve, image)

    # -- pose ------------------------------------------------------------------------------------
    def _knock(self, frame: Frame) -> Sequence[Event] | None:
        """What is to be told where the camera does not stand where it stood, or is not known to: else None."""
        still = self._patience.quiet and self._sight.lay is not None and not self._sight.in_shadow
        news = self._camera.check(frame, self._ongoing.on or self._known.rested is None, still)
        if self._camera.sagged:
            self._known.follow_down()
            self._stirs.clear()
            self._sight.follow_down()
        for moved in news or ():
            if moved.recovered:
                self._drop_episode()
                self._stand_elsewhere()
            else:
                self._cut_episode_short()
        return news

    def _stand_elsewhere(self) -> None:
        """The board is seen from elsewhere now: it is looked at anew."""
        self._known.stand_elsewhere()
        self._sight.stand_elsewhere()
        self._patience.begin_anew()
        self._stirs.clear()

    def _cut_episode_short(self, why: str = KNOCKED) -> None:
        """The camera was knocked: what was seen until then is kept until the board is found again."""
        self._sight.heed_no_shadows()
        view, before = self._known.view, self._known.before
        if self._ongoing.on and view is not None and before is not None:
            seen = tuple(self._ongoing.records)[:-SWAY_FRAMES]
            self._cut_short = CutShort(view, before, seen, self._ongoing.missed, why)
        self._drop_episode()

    def _drop_episode(self) -> None:
        self._ongoing.on = False
        self._settling.forget()
        self._known.of_late.clear()
        self._patience.begin_anew()
        self._known.still_s = 0.0

    # -- beginning and rest ----------------------------------------------------------------------
    def _begin(self, now: Seen) -> list[Event]:
        """The first look at the board, as soon as it lies still."""
        known, frame = self._known, now.frame
        view, frame_map = known.seen_from
        quiet = self._patience.rests(self._sight.frame_s)
        if frame.torn or (not quiet and not self._stirs.only_a_hands(known.time_s, now.motion, frame_map)):
            return []
        if known.before is not None:
            seems = known.room.as_before(frame.image, now.gray, frame_map)
            if self._unseen.blinds(frame.time_s, *seems) or known.room.clips_still(frame.image, frame_map):
                return []
        if moved := self._camera.moved_since_calibrated(frame):
            self._stand_elsewhere()
            return list(moved)
        seen, palette = first_look(frame.image, view)
        known.paints.seen(palette)
        if not quiet and self._stirs.at([d.place for d in seen], frame_map):
            self._stirs.looked_in_vain(known.time_s)
            return []
        image, told, unknown = frame.image, list[Event](), None
        if known.before is None:
            for doubt in self._brightening.doubts(known.room.level):
                self._tell(doubt)
            known.doubtful.begin(seen)
            known.first_hand.doubted = True
        else:
            image, told, hand = self._looked_again(frame, seen, known.before_from_here())
            if hand.any():  # beside the board other things are nearer or further away than it
                unknown = np.asarray(cv2.bitwise_and(hand, beyond_board(view)), dtype=np.uint8)
        self._sight.refer(image, unknown)
        known.room.looked()
        self._camera.watch_from(image)
        known.read(image)
        return told

    def _looked_again(self, frame: Frame, seen: list[SeenDisc], before: Image) -> tuple[Image, list[Event], Mask]:
        """The board is looked at anew. before: (h, w, 3) how it looked, from where it is seen now

        -> the frame, where a hand hides the board as it was; what is told; (h, w) where that hand is
        """
        known, view = self._known, self._known.seen_from[0]
        now = view.rectify(frame.image)
        field = light_field(now, before)
        lit = in_light(before, field)
        seen = [d for d in seen if known.lay_there(d) or looks_new(view, d.place, (lit, now))]
        lie, lay = [d.place for d in seen], [p.place for p in known.pucks]
        # what the hand does to the light where it is, is not the light that falls on what it hides
        even = np.median(field[::LIGHT_STEP, ::LIGHT_STEP], (0, 1))
        hand = hand_since(now, lit, view, self._size, lie, lay, float(even.mean()))
        image = view.overlay(frame.image, in_light(before, even), hand)
        return image, self._find_again(frame, seen, hand), hand

    def _find_again(self, frame: Frame, seen: list[SeenDisc], hand: Mask) -> list[Event]:
        """After the camera was knocked: each puck is the nearest disc of its team; what has changed is told.

        hand: (h, w) where a hand hides the board, and what lies under it is as it was.
        """
        known, palette, cut = self._known, self._known.paints.palette, self._cut_short
        assert palette is not None
        view = known.seen_from[0]
        self._cut_short = None
        pucks = list(known.pucks)
        clear = [d for d in seen if hidden_share(view, hand, d.place) < HIDDEN_PART]
        since = find_again(pucks, clear, self.board.puck.diameter_mm, lambda p: (
            hidden_share(view, hand, p.place) < HIDDEN_PART and known.shows_other(frame.image, p)))  # fmt: skip
        if cut is not None:
            after = view.rectify(frame.image)
            episode = shot_cut_short(cut, since, pucks, after, self.board, palette, self._sight.frame_s)
            if episode is not None and cut.why == RELIT:  # else it is the knock that hid the board
                self._unseen.heed(episode)
            if episode is not None and episode.shot is not None:
                stayed = {i: d.place for i, d in since.found.items() if i not in since.moved}
                return self._teller.tell(episode, frame.image, stayed, (cut.before, cut.view))
        return self._teller.tell_since(since, frame)

    def _rest(self, frame: Frame, change: Change, dt: float) -> list[Event]:
        """Nothing changes: keep the reference fresh, look for reefs once."""
        known, quiet = self._known, self._patience.quiet
        room, rested, doubtful, reefs, look = known.room, known.at_rest, known.doubtful, known.reefs, known.second_look
        known.still_s += dt
        if room.has_grown(rested.brightness) and quiet:
            self._look_anew()
            return []
        known.first_hand.lies_still(known.still_s)
        known.keep(rested.record(frame.time_s, frame.image, change))
        mean = look.add(frame.image) if doubtful.due or reefs.due else None
        if doubtful.due and mean is not None:
            known.look_for_faint(mean, self._teller.shots > 0)
        known.read_on(frame.image)
        enough = SOME if known.still_s < REEF_LATE_S else 1  # something glints now and then, and it starts anew
        if known.still_s >= REEF_STILL_S and reefs.due and (mean := look.so_far(enough)) is not None:
            seen = reefs.look(mean, known.seen_from[0], known.pucks.seen())
            return [] if seen is None else [ReefsSeen(frame.time_s, seen)]
        unhidden = self._sight.arms.now is None  # or rounding would add up under an arm
        long = 1.0 if room.brighter == 1.0 else SOON_S
        if known.still_s >= long and quiet and unhidden and not room.comes_back:
            known.still_s = REEF_STILL_S
            self._sight.refer(frame.image)
            known.light_is(change.light)
        return []

    def _look_anew(self) -> None:
        """The light is quite another one. Where the board was hardly to be seen when it was looked at as a whole, it is
        looked at as if it had not been, unless something was told of it."""
        self._cut_episode_short(RELIT)
        if self._known.room.has_grown(self._known.room.level):
            self._known.read_anew()
            if not self._teller.any:
                self._cut_short = None
                self._known.begin_anew()
        self._stand_elsewhere()

    # -- an episode ------------------------------------------------------------------------------
    def _act(self, frame: Frame, change: Change, motion: Mask, differs: bool, dt: float) -> list[Event]:
        """Something is going on: record it, and see whether the board rests again."""
        known, ongoing, patience = self._known, self._ongoing, self._patience
        if not ongoing.on:
            self._begin_episode()
        ongoing.missed += frame.lost
        ongoing.latest = frame.image
        ongoing.records.add(known.at_rest.record(frame.time_s, frame.image, change))
        ongoing.lingering.add(change.mask, dt)
        ongoing.hand = known.at_rest.hand_reaches_in(change.mask)
        if ongoing.hand:
            known.still_s = 0.0
        doubted = known.first_hand.doubted
        if ongoing.hand and ongoing.lingering.enough(doubted) and patience.quiet:
            self._lay_ghost(frame.image)
        hand, frame_map = known.at_rest.reaching_in(change.mask) if ongoing.hand else None, known.at_rest.frame_map
        ongoing.beside_hand.look(change.mask, motion, hand, frame_map, dt)
        if not patience.rests(self._sight.frame_s):
            patience.unsettled()
            known.second_look.restart()
            known.doubtful.gone = set()
        elif known.doubtful.gone:
            known.second_look.add(frame.image)
            if (mean := known.second_look.so_far()) is not None:
                return self._settling.settle(frame.image, mean=mean)
        elif ongoing.told and not differs and not ongoing.hand:
            return self._settling.end_told(frame.image)
        elif known.room.comes_back:
            pass
        elif (due := patience.due(ongoing.hand, doubted)) or self._only_at_edge(hand):
            return self._settling.settle(frame.image, unless_hand=not due)
        elif known.room.relit and patience.quiet_s > RELIT_S:
            self._look_anew()
            return []
        places, beside = [p.place for p in known.pucks], ongoing.beside_hand
        if not frame.torn and calm(beside.calm_s, self._sight.frame_s) and beside.due(places, frame_map):
            return self._settling.settle(frame.image, beside_hand=True)
        self._trim()
        return []

    def _hand_comes(self, frame: Frame, change: Change) -> bool:
        """True where a hand comes in while a verdict waits for a puck that is not seen."""
        settling, awaited = self._settling, self._settling.awaited
        if awaited is None or frame.torn:
            return False
        if awaited.is_old(frame.time_s):
            settling.awaited = None
            return False
        quiet, puck_area = self._patience.quiet_s > 0, self._known.seen_from[1].puck_area
        return awaited.look(frame.time_s, frame.image, change.mask, quiet, puck_area)

    def _only_at_edge(self, hand: Mask | None) -> bool:
        """True where what reaches in over the border may be a puck that came to lie there, and that is worth a look."""
        small = hand is not None and cv2.countNonZero(hand) < AT_EDGE * self._known.seen_from[1].puck_area
        return small and self._patience.due_at_edge

    def _begin_episode(self) -> None:
        self._ongoing.begin(self._known.of_late)
        self._known.of_late.clear()
        self._known.second_look.restart()
        self._patience.new_shot()

    def _lay_ghost(self, image: Image) -> None:
        """What has differed in every frame and reaches in from outside is no hand: the board looks like that now."""
        known, ongoing, arms = self._known, self._ongoing, self._sight.arms
        rested, first, lingering = known.at_rest, known.first_hand, ongoing.lingering
        frame_map, places = known.seen_from[1], [p.place for p in known.pucks]
        ghost = arms.not_in(lingering.ghosts(frame_map, first.doubted))
        if ghost.any() and not first.doubted:
            lingering.begin()  # not again in the next frame
            things = arms.laid(ghost, frame_map, places)
            ghost = only_ghosts(ghost, rested, image, known.rest_threshold, known.usual) | things
        if not ghost.any():
            return
        mask = frame_map.around(ghost, image)
        if first.doubted:
            first.looked_like(rested.top)
            first.left(np.asarray(frame_map.view.rectify(mask * np.uint8(255)) > 127))
        mask[frame_map.mask_of(image, places) > 0] = 0  # where a puck lay, it may have left
        self._sight.refer(rested.with_part(image, mask))
        ongoing.hand = False
        lingering.begin()

    def _trim(self) -> None:
        self._ongoing.forget_before(self._known.time_s)
        self._unseen.forget_before(self._known.time_s - EPISODE_MAX_S)


__all__ = ["BoardNotSeen", "LiveView", "Tracker"]
