"""The whole of vision: frames in, events out.

    frame -> tone -> pose (markers) -> top view -> differencing -> still or not
          -> episode (the changed part of every frame, until the board rests again)
          -> solve -> events
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from calibration.board import Board
from calibration.lens import CalibrationError, Lens
from calibration.pose import Pose
from vision.board_at_rest import SHADED, BoardAtRest, Change, Rearrangement, board_at_rest
from vision.bounces import Lying
from vision.bystanders import Bystanders
from vision.camera_watch import CameraWatch
from vision.comparison import AWAY_PAINT, HIDDEN_PART, Comparison, Moves, hidden_share, looks_new
from vision.detection import interior_colours
from vision.differencing import CoarseChange, apart, in_light, light_field, small_gray
from vision.doubtful import Doubtful
from vision.events import CameraMoved, Event, PuckMoved, PuckPlaced, PuckRemoved, PuckSeen, ReefsSeen
from vision.explain import Explained
from vision.first_hand import FirstHand
from vision.frame_map import LIGHT_STEP
from vision.frames import Frame, Image
from vision.ghosts import UsualBoard, only_ghosts, without_ghosts
from vision.glide import Glide
from vision.hands import beyond_board, hand_in, hand_since
from vision.knock import FOUND_AGAIN_MM, REASON, RELIT, SWAY_FRAMES, CutShort, find_again, shot_cut_short
from vision.lingering import Lingering
from vision.overlay import draw_overlay
from vision.patience import Patience, calm
from vision.records import Record, Records, toned_records
from vision.reef_watch import ReefWatch
from vision.repeats import Repeats
from vision.resting import SeenDisc, first_look, look_again
from vision.resting_arms import UNDER_ARM, RestingArms
from vision.rims import Shadows
from vision.rolling_on import RollingOn
from vision.room_light import LEAST_LIGHT, Paints, RoomLight
from vision.roster import Puck, Roster
from vision.runners import UNSEEN_WAY
from vision.second_look import SOME, SecondLook
from vision.shots import Episode, Handled, not_a_shot, solve
from vision.stirs import MOTION_SHARE, BesideHand, Stirs
from vision.streaks import Ground
from vision.telling import shot_events
from vision.tone import Levels, Straightener, toned
from vision.turns import Turns
from vision.unseen_board import COVERED, IN_LITTLE_LIGHT, UNSEEN, UNSEEN_BEFORE, UnseenBoard
from vision.view import TopView
from vision.watch import Scene, Watch

Mask = NDArray[np.uint8]

# pictures and matrices are small: a second thread costs a tenth more on all cores, and saves no time
cv2.setNumThreads(1)
threadpool_limits(1, user_api="blas")

PREROLL_S = 0.35  # kept from before the first change
EPISODE_MAX_S = 20.0
CHANGE_SHARE = 0.10  # puck areas that must differ from the board at rest to say that something is going on
REEF_STILL_S, REEF_LATE_S = 0.5, 0.6
READS = 6  # looks at the numbers of pucks that lie still
READ_EVERY_S = 0.15
RELIT_S = 0.5  # where in quite another light nothing has come of what differs for so long, the board is looked at anew
SOON_S = 0.3  # where noise has grown with the light, it is looked at in the light of now after so short a rest


class BoardNotSeen(CalibrationError):
    """The board's markers were never seen; the message says what was looked for and what to do."""


@dataclass(frozen=True, slots=True)
class LiveView:
    """What a screen shows between events: where every puck is now. state: searching, still, hand, shot, unsettled."""

    time_s: float
    state: str
    pose_known: bool
    pucks: tuple[PuckSeen, ...]


class Tracker:
    """Follows one board. Feed it frames in order; it gives the contract's events.

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
    ) -> None:
        self.board = board
        self._size = frame_size
        self._turns = Turns(fps)
        self._seems_s = self._turns.stride / fps if fps > 0 else 1 / 30
        self._camera = CameraWatch(board, frame_size, lens, pose)
        self._room = RoomLight()
        self._shadows = Shadows()
        self._bystanders = Bystanders()
        self._arms = RestingArms()
        self._unseen = UnseenBoard()
        self._seen_in: NDArray[np.float32] | None = None  # the light, over the top view, in which it was seen last
        self._repeats = Repeats()
        self._missed_before = 0  # with frames that were repeats
        self._held: Image | None = None  # the last frame, as a camera that stands still would have seen it
        self._lay: Image | None = None  # the same as it came, if the board lay still in it
        self._came: Image | None = None  # its small grey picture, and the same without shadows
        self._previous: Image | None = None
        self._rested: BoardAtRest | None = None  # as the camera stands now
        self._before: Image | None = None  # its top view, or that from where the camera stood before
        self._usual = UsualBoard()
        self._paints = Paints()
        self._glide: Glide | None = None  # follows moving pucks for screens
        self.explained: Explained | None = None  # the last shot told, and what it was decided on
        self._pucks = Roster(board)
        self._second_look = SecondLook()
        self._doubtful = Doubtful(self._pucks)
        self._first_hand = FirstHand()
        self._watched: Watch | None = None  # what was seen of this episode when it was solved last
        self._cut_short: CutShort | None = None  # what was going on when the camera was knocked
        self._reads = 0
        self._shot = 0
        self._stirs = Stirs()
        self._beside_hand = BesideHand()
        self._records = Records()
        self._preroll: deque[Record] = deque()  # of late, while the board lay still
        self._latest: Image | None = None  # the newest frame of an episode
        self._patience = Patience()
        self._still_s = 0.0  # for how long the board has been lying still
        self._episode = False
        self._hand = False
        self._lingering = Lingering()
        self._missed = 0
        self._told_any = False  # whether anything was told of any puck
        self._told = False  # whether anything was told of this episode …
        self._barred = False  # … and whether an arm was barred in it
        self._rolling = RollingOn()
        self._time_s = 0.0
        self._read_s = 0.0
        self._reefs = ReefWatch(board)
        self._tones = Straightener()
        self._light: NDArray[np.float32] | None = None  # of the last frame, against the board at rest

    # -- the loop --------------------------------------------------------------------------------
    def update(self, frame: Frame) -> list[Event]:
        """Takes the next frame; returns what has become known by it, in the contract's order."""
        if (taken := self._turns.take(frame)) is None:
            return []
        frame = taken if self._tones.curve is None else replace(taken, image=self._tones.straight(taken.image))
        self._held = None
        events = self._see(frame)
        self._heed_tone(frame if self._held is None else replace(frame, image=self._held))
        return events

    def _see(self, frame: Frame) -> list[Event]:
        """The next frame, in levels for which light is a factor."""
        if self._view is None and not self._camera.find(frame):
            self._time_s = frame.time_s
            return []
        assert self._view is not None
        gray = small_gray(frame.image, self._view.roi, self._view.step)
        if self._repeats.repeated(gray):
            self._missed_before += frame.missed
            return []
        frame, self._missed_before = replace(frame, missed=frame.missed + self._missed_before), 0
        dt = max(frame.time_s - self._time_s, 0.0) if self._previous is not None else self._frame_s
        self._time_s = frame.time_s
        if self._previous is not None and (knock := self._knock(frame)) is not None:
            return list(knock)
        came, self._lay = frame.image, None
        frame_map, resting = self._camera.frame_map, self._rested is not None and not self._episode
        assert frame_map is not None
        frame, gray = self._camera.steadied(frame, gray, self._came if resting else None, self._threshold)
        self._held, self._came = frame.image, gray
        frame, gray, switched, coarse = self._without_shadows(frame, gray)
        previous, self._previous = gray if switched else self._previous, gray
        if previous is None or previous.shape != gray.shape:
            return []
        previous, fades = self._room.compared(gray, previous, dt, alike=not switched)
        motion = apart(gray, previous, self._threshold)
        motion = np.asarray(cv2.bitwise_and(motion, frame_map.looked_at), dtype=np.uint8)
        if coarse is not None and self._rested is not None:
            self._room.against_rest(coarse, self._rested)
        rested, threshold = self._rested, self._rest_threshold
        change = rested.change(frame.image, gray, threshold, coarse) if rested is not None else None
        if change is not None and coarse is not None and self._is_unseen(frame, came, change, coarse):
            return []
        if change is not None and coarse is not None and self._arms_rest(frame, change.mask, coarse, dt):
            frame, change = self._without_arms(frame, coarse)
            motion = np.asarray(cv2.subtract(motion, self._arms.lately), dtype=np.uint8)
        motion, differing = self._bystanders.without(motion, motion if change is None else change.mask, frame_map, dt)
        moving = cv2.countNonZero(motion) > MOTION_SHARE * frame_map.puck_area or fades
        self._patience.saw(moving, dt)
        if change is None:
            return self._begin(frame, gray, motion)
        change = replace(change, mask=differing)
        if not self._shadows.divides:
            self._light = change.light
        differs = cv2.countNonZero(change.mask) > CHANGE_SHARE * frame_map.puck_area
        if not self._episode and not differs and not moving:
            self._lay = came if self._arms.now is None else None
            return self._rest(frame, change, dt)
        return self._act(frame, change, motion, differs, dt)

    def _without_shadows(self, frame: Frame, gray: Image) -> tuple[Frame, Image, bool, CoarseChange | None]:
        """A frame and its small grey picture without sharp shadows; whether these were left in the frame before, or the
        other way round, so that both are not to be compared; and how its blocks differ from the board at rest."""
        rested, view = self._rested, self._view
        if rested is None or view is None:
            return frame, gray, False, None
        was, coarse = self._shadows.divides, rested.coarse_change(frame.image)
        even = self._shadows.divided_out(frame.image, rested.image, coarse, view.roi)
        if not self._shadows.divides:
            return frame, gray, was, coarse
        self._light = rested.frame_map.over_view(coarse.light())
        return replace(frame, image=even), small_gray(even, view.roi, view.step), not was, rested.coarse_change(even)

    def _arms_rest(self, frame: Frame, change: Mask, coarse: CoarseChange, dt: float) -> bool:
        """True where arms rest on the board in this frame; what is left of a hand that was there at first is none."""
        rested = self._rested
        self._first_hand.passes(dt)
        if self._room.relit:  # what is left of the board in the light of before is no arm
            self._arms = RestingArms()
        if rested is None or self._first_hand.doubted or self._room.relit:
            return False
        places = [p.place for p in self._pucks]
        return self._arms.look(frame, change, rested, coarse, self._rest_threshold, places) is not None

    def _without_arms(self, frame: Frame, coarse: CoarseChange) -> tuple[Frame, Change]:
        """A frame as if no arms rested on the board, and how that differs from the board at rest."""
        rested, view, arms = self._rested, self._view, self._arms.now
        assert rested is not None and view is not None and arms is not None
        image = rested.without(frame.image, rested.frame_map.over_frame(arms, frame.image), coarse)
        change = rested.change(image, small_gray(image, view.roi, view.step), self._rest_threshold)
        return replace(frame, image=image), change

    @property
    def _frame_s(self) -> float:
        """How long it takes from one frame to the next."""
        return self._seems_s * self._repeats.stretch

    @property
    def _threshold(self) -> float:
        """Grey levels beyond the camera's noise, and beyond what is left of lamps' stripes and of a camera's swings."""
        return self._room.threshold(swings=self._camera.swings)

    @property
    def _rest_threshold(self) -> float:
        """The same against the board at rest, whose noise grows with the light."""
        return self._room.rest_threshold(swings=self._camera.swings)

    def _is_unseen(self, frame: Frame, came: Image, change: Change, coarse: CoarseChange) -> bool:
        """True where a frame does not show the board: it is kept as one in which a hand covers all of it, which never
        comes to rest. came: the frame's picture as it came"""
        rested, unseen = self._rested, self._unseen
        assert rested is not None
        frame_map = rested.frame_map
        differs = cv2.countNonZero(change.mask) / max(cv2.countNonZero(frame_map.looked_at), 1)
        watched = differs <= COVERED or self._camera.sees(came)  # which takes time where nothing else asked
        white = self._room.whiter(coarse, frame_map)
        unseen.look(frame.time_s, coarse.brightness, self._room.level, white, differs, watched)
        if not unseen.now:
            self._seen_in = change.light
            return False
        if not self._episode:
            self._begin_episode()
        self._patience.begin_anew()
        self._still_s = 0.0
        self._missed += frame.missed
        if not unseen.blind:  # what little is seen tells more than nothing
            self._records.add(rested.record(frame.time_s, frame.image, change))
        elif unseen.to_be_kept(frame.time_s):
            rows, columns = change.mask.shape
            light = self._seen_in if self._seen_in is not None else np.ones_like(change.light)
            covered = Change(frame_map.looked_at, (0, 0, columns, rows), light)
            self._records.add(rested.record(frame.time_s, frame.image, covered))
        self._trim()
        return True

    def finish(self) -> list[Event]:
        """The source has ended: settles what can be settled. Raises BoardNotSeen where no pose was ever found."""
        if self._view is None:
            why = self._camera.why or "the source ended before its first frame; expected a film of the board"
            raise BoardNotSeen(why)
        if self._episode and self._latest is not None and self._rested is not None:
            return self._settle(self._latest, force=True)
        return []

    def live(self) -> LiveView:
        """Where every puck is now, as far as is known: those that move by the last frame, without any decision."""
        state = "searching" if self._view is None or self._unseen.now else "still"
        pucks = self._seen()
        if self._episode and not self._unseen.now:
            state = "hand" if self._hand else "shot"
            places = self._gliding()
            pucks = tuple(p._replace(x_mm=places[p.puck][0], y_mm=places[p.puck][1]) if p.puck in places else p
                          for p in pucks)  # fmt: skip
        return LiveView(self._time_s, state, self._view is not None, pucks)

    def _gliding(self) -> dict[str, tuple[float, float]]:
        """Places of the pucks that have left theirs in this episode."""
        if self._view is None or self._before is None or self._paints.palette is None or not self._records:
            return {}
        if self._glide is None:
            self._glide = Glide(Ground(self._before), self._view, self._paints.palette)
        last = self._records.last()
        if self._glide.time_s != last.time_s:  # screens and films ask more than once a frame
            self._glide.look(last.time_s, last.patch, last.corner, last.light, self._pucks)
        return self._glide.places

    @property
    def has_pucks(self) -> bool:
        """True where pucks lie on the board, as far as is known."""
        return len(self._pucks) > 0

    def draw_overlay(self, image: Image) -> Image:
        """What the tracker sees, drawn on a copy of a frame."""
        return draw_overlay(image, self._view, self.live().pucks)

    # -- tone ------------------------------------------------------------------------------------
    def _heed_tone(self, frame: Frame) -> None:
        """Learns from changes of light how the camera's levels follow it, and straightens them where they are bent."""
        light, rested, view = self._light, self._rested, self._view
        self._light = None
        if light is None or rested is None or view is None or self._camera.knocked:
            return
        curve = self._tones.look(frame.time_s, (frame.image, rested.image), view.roi, light)
        if curve is not None:
            self._straighten(curve, frame.image)

    def _straighten(self, curve: Levels, image: Image) -> None:
        """Puts other levels in the levels' place in all pictures that are kept. image: the last frame"""
        assert self._rested is not None and self._view is not None and self._paints.palette is not None
        self._rested = self._rested.toned(curve)
        self._before = self._rested.top
        self._usual.tone(curve)
        self._first_hand.tone(curve)
        self._paints.toned(curve, self._rested)
        self._room.rests(self._rested)
        self._records.tone(curve)
        self._preroll = deque(toned_records(self._preroll, curve))
        self._watched = self._glide = self._lay = None
        self._arms = RestingArms()
        self._came = self._previous = small_gray(toned(image, curve), self._view.roi, self._view.step)
        self._shadows = Shadows()
        if self._latest is not None:
            self._latest = toned(self._latest, curve)
        self._camera.rewatch(self._rested.image)
        self._second_look.restart()
        self._reefs.forget_view()

    # -- pose ------------------------------------------------------------------------------------
    @property
    def _view(self) -> TopView | None:
        """The board from above, as the camera stands now; None until the pose is known."""
        return self._camera.view

    def _knock(self, frame: Frame) -> Sequence[Event] | None:
        """What is to be told where the camera does not stand where it stood, or is not known to: else None."""
        still = self._patience.quiet and self._lay is not None and not self._shadows.divides
        news = self._camera.check(frame, self._episode or self._rested is None, still)
        if self._camera.sagged:
            self._follow_down()
        for moved in news or ():
            if moved.recovered:
                self._drop_episode()
                self._stand_elsewhere()
            else:
                self._cut_episode_short()
        return news

    def _stand_elsewhere(self) -> None:
        """The board is seen from elsewhere now: it is looked at anew."""
        assert self._view is not None
        self._lay = self._came = self._previous = self._rested = None
        self._shadows, self._bystanders, self._arms = Shadows(), Bystanders(), RestingArms()
        self._first_hand.veil = None
        self._usual = self._usual.from_elsewhere(self._view.size)
        self._patience.begin_anew()
        self._stirs.clear()
        self._reefs.forget_view()
        self._second_look.restart()  # the frames so far were of another view

    def _follow_down(self) -> None:
        """The camera has sagged while nothing stirred: the board is looked at from where it stands now, in the last
        frame in which all lay still, as something may come in just now."""
        assert self._view is not None and self._lay is not None
        self._usual = self._usual.from_elsewhere(self._view.size)
        self._stirs.clear()
        self._preroll.clear()
        self._reefs.forget_view()
        self._second_look.restart()
        self._first_hand.veil = None
        self._came = self._previous = small_gray(self._lay, self._view.roi, self._view.step)
        self._refer(self._lay)

    def _cut_episode_short(self, why: str = REASON) -> None:
        """The camera was knocked: what was seen until then is kept until the board is found again."""
        self._shadows = Shadows()
        view, before = self._view, self._before
        if self._episode and view is not None and before is not None:
            seen = tuple(self._records)[:-SWAY_FRAMES]
            self._cut_short = CutShort(view, before, seen, self._missed, why)
        self._drop_episode()

    def _forget_episode(self) -> None:
        self._records.clear()
        self._first_hand.top = None
        self._watched = None
        self._barred = False
        self._doubtful.gone = set()

    def _drop_episode(self) -> None:
        self._episode = False
        self._forget_episode()
        self._preroll.clear()
        self._patience.begin_anew()
        self._still_s = 0.0

    # -- beginning and rest ----------------------------------------------------------------------
    def _begin(self, frame: Frame, gray: Image, motion: Mask) -> list[Event]:
        """The first look at the board, as soon as it lies still."""
        frame_map = self._camera.frame_map
        assert self._view is not None and frame_map is not None
        quiet = self._patience.rests(self._frame_s)
        if not quiet and not self._stirs.only_a_hands(self._time_s, motion, frame_map):
            return []
        if self._before is not None:
            seems = self._room.as_before(frame.image, gray, frame_map)
            if self._unseen.blinds(frame.time_s, *seems) or self._room.clips_still(frame.image, frame_map):
                return []
        if moved := self._camera.moved_since_calibrated(frame):
            self._stand_elsewhere()
            return list(moved)
        seen, palette = first_look(frame.image, self._view)
        self._paints.seen(palette)
        if not quiet and self._stirs.at([d.place for d in seen], frame_map):
            self._stirs.clear()  # a look takes longer than a frame: not again in the next one
            return []
        image, told, hand, unknown = frame.image, list[Event](), None, None
        if self._before is not None:
            now, before = self._view.rectify(image), self._before_from_here()
            field = light_field(now, before)
            lit = in_light(before, field)
            seen = [d for d in seen if self._known(d) or looks_new(self._view, d.place, (lit, now))]
            lie, lay = [d.place for d in seen], [p.place for p in self._pucks]
            # what the hand does to the light where it is, is not the light that falls on what it hides
            even = np.median(field[::LIGHT_STEP, ::LIGHT_STEP], (0, 1))
            hand = hand_since(now, lit, self._view, self._size, lie, lay, float(even.mean()))
            image = self._view.overlay(image, in_light(before, even), hand)
            told = self._find_again(frame, seen, hand)
        if self._before is None:
            self._doubtful.begin(seen)
            self._first_hand.doubted = True
        if hand is not None and hand.any():  # beside the board other things are nearer or further away than it
            unknown = np.asarray(cv2.bitwise_and(hand, beyond_board(self._view)), dtype=np.uint8)
        self._refer(image, unknown)
        self._room.looked()
        self._camera.watch_from(image)
        self._read(image)
        return told

    def _before_from_here(self) -> Image:
        """The board as it was last seen at rest, in the size of today's top view. -> (h, w, 3)"""
        assert self._view is not None and self._before is not None
        return np.asarray(cv2.resize(self._before, self._view.size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)

    def _known(self, disc: SeenDisc) -> bool:
        """True where a disc may be a puck of its team that lay there before."""
        return any(p.team == disc.team and math.dist(p.place, disc.place) < FOUND_AGAIN_MM for p in self._pucks)

    def _find_again(self, frame: Frame, seen: list[SeenDisc], hand: Mask) -> list[Event]:
        """After the camera was knocked: each puck is the nearest disc of its team; what has changed is told.

        hand: (h, w) where a hand hides the board, and what lies under it is as it was.
        """
        view, palette, cut = self._view, self._paints.palette, self._cut_short
        assert view is not None and palette is not None
        self._cut_short = None
        pucks = list(self._pucks)
        clear = [d for d in seen if hidden_share(view, hand, d.place) < HIDDEN_PART]
        since = find_again(pucks, clear, self.board.puck.diameter_mm, lambda p: (
            hidden_share(view, hand, p.place) < HIDDEN_PART and self._shows_other(frame.image, p)))  # fmt: skip
        if cut is not None:
            after = view.rectify(frame.image)
            episode = shot_cut_short(cut, since, pucks, after, self.board, palette, self._frame_s)
            if episode is not None and cut.why == RELIT:  # else it is the knock that hid the board
                self._heed_the_dark(episode)
            if episode is not None and episode.shot is not None:
                stayed = {i: d.place for i, d in since.found.items() if i not in since.moved}
                return self._tell(episode, frame.image, stayed, (cut.before, cut.view))
        out = list[Event]()
        for puck in pucks:
            if puck.puck in since.gone:
                out.append(PuckRemoved(frame.time_s, puck.puck, *puck.place, puck.team, puck.number))
                self._pucks.remove(puck.puck)
            elif puck.puck in since.found:
                puck.move(since.found[puck.puck].place)
                if puck.puck in since.moved:
                    self._read(frame.image, [puck.puck])  # it may be another one of its team
                    out.append(PuckMoved(frame.time_s, puck.puck, *puck.place, puck.team, puck.number))
        for disc in since.new:
            new = self._pucks.add(disc.team, disc.place)
            self._read(frame.image, [new.puck])
            out.append(PuckPlaced(frame.time_s, new.puck, *disc.place, new.team, new.number))
        self._told_any = self._told_any or bool(out)
        return out

    def _shows_other(self, image: Image, puck: Puck) -> bool:
        """True where a puck's place shows something that is not its team's paint."""
        assert self._view is not None and self._paints.palette is not None
        colour = interior_colours(image, self._view, np.array([puck.place]))
        team = self._paints.palette.names.index(puck.team)
        return bool(self._paints.palette.distances(colour)[0, team] > AWAY_PAINT)

    def _read(self, image: Image, only: list[str] | None = None) -> None:
        assert self._view is not None
        self._pucks.read_numbers(image, self._view, only)
        self._reads = self._reads + 1 if only is None else 1
        self._read_s = self._time_s

    def _rest(self, frame: Frame, change: Change, dt: float) -> list[Event]:
        """Nothing changes: keep the reference fresh, look for reefs once."""
        assert self._rested is not None
        self._still_s += dt
        if self._room.has_grown(self._rested.brightness) and self._patience.quiet:
            self._look_anew()
            return []
        self._first_hand.lies_still(self._still_s)
        self._preroll.append(self._rested.record(frame.time_s, frame.image, change))
        while len(self._preroll) > 1 and frame.time_s - self._preroll[0].time_s > PREROLL_S:
            self._preroll.popleft()
        mean = self._second_look.add(frame.image) if self._doubtful.due or self._reefs.due else None
        if self._doubtful.due and mean is not None:
            self._look_for_faint(mean)
        if self._reads < READS and self._time_s - self._read_s > READ_EVERY_S:
            self._read(frame.image)
        enough = SOME if self._still_s < REEF_LATE_S else 1  # something glints now and then, and it starts anew
        if self._still_s >= REEF_STILL_S and self._reefs.due and (mean := self._second_look.so_far(enough)) is not None:
            assert self._view is not None
            reefs = self._reefs.look(mean, self._view, self._seen())
            return [] if reefs is None else [ReefsSeen(frame.time_s, reefs)]
        unhidden = self._arms.now is None  # or rounding would add up under an arm
        long = 1.0 if self._room.brighter == 1.0 else SOON_S
        if self._still_s >= long and self._patience.quiet and unhidden and not self._room.comes_back:
            self._still_s = REEF_STILL_S
            self._refer(frame.image)
            now = np.maximum(change.light, LEAST_LIGHT).astype(np.float32)
            self._preroll = deque(replace(r, light=np.asarray(r.light / now)) for r in self._preroll)
        return []

    def _look_anew(self) -> None:
        """The light is quite another one. Where the board was hardly to be seen when it was looked at as a whole, it is
        looked at as if it had not been, unless something was told of it."""
        self._cut_episode_short(RELIT)
        if self._room.has_grown(self._room.level):
            self._reads = 0
            if not self._told_any:
                self._before, self._cut_short, self._first_hand = None, None, FirstHand()
                self._pucks = Roster(self.board)
                self._doubtful = Doubtful(self._pucks)
        self._stand_elsewhere()

    def _look_for_faint(self, mean: Image) -> None:
        """Looks for pucks that one frame's noise hid, and for what it made up. mean: of many frames at rest"""
        assert self._view is not None and self._paints.palette is not None
        new = self._doubtful.look(mean, self._view, self._paints.palette, self._reefs.corners(), self._shot > 0)
        if new is not None:
            self._read(mean, new)
            self._reefs.forget_view()
            self._reefs.due = True  # where they were taken for something else, or something else for them

    def _refer(self, image: Image, unknown: Mask | None = None) -> Image:
        """Takes a frame as what the board looks like at rest, as it came where a shadow has left it. -> that

        unknown: where the top view has not been seen yet
        """
        frame_map = self._camera.frame_map
        assert frame_map is not None
        if (lit := self._shadows.left(image)) is not None:
            image, self._previous = lit, self._came
            self._preroll.clear()  # in another light
            self._second_look.restart()
            self._shadows = Shadows()
        self._rested = board_at_rest(image, frame_map, [p.place for p in self._pucks], unknown)
        self._before = self._rested.top
        self._room.rests(self._rested)
        self._paints.rests(self._rested)
        self._usual.look(self._before)
        self._glide = None
        return image

    # -- an episode ------------------------------------------------------------------------------
    def _act(self, frame: Frame, change: Change, motion: Mask, differs: bool, dt: float) -> list[Event]:
        """Something is going on: record it, and see whether the board rests again."""
        assert self._rested is not None
        if not self._episode:
            self._begin_episode()
        self._missed += frame.missed
        self._latest = frame.image
        self._records.add(self._rested.record(frame.time_s, frame.image, change))
        self._lingering.add(change.mask, dt)
        self._hand = self._rested.hand_reaches_in(change.mask)
        if self._hand:
            self._still_s = 0.0
        doubted = self._first_hand.doubted
        if self._hand and self._lingering.enough(doubted) and self._patience.quiet:
            self._lay_ghost(frame.image)
        hand = self._rested.reaching_in(change.mask) if self._hand else None
        self._beside_hand.look(change.mask, motion, hand, self._rested.frame_map, dt)
        if not self._patience.rests(self._frame_s):
            self._patience.unsettled()
            self._second_look.restart()
            self._doubtful.gone = set()
        elif self._doubtful.gone:
            self._second_look.add(frame.image)
            if (mean := self._second_look.so_far()) is not None:
                return self._settle(frame.image, mean=mean)
        elif self._told and not differs and not self._hand:
            return self._end_told(frame.image)
        elif self._room.comes_back:
            pass
        elif self._patience.due(self._hand, doubted):
            return self._settle(frame.image)
        elif self._room.relit and self._patience.quiet_s > RELIT_S:
            self._look_anew()
            return []
        places, beside = [p.place for p in self._pucks], self._beside_hand
        if calm(beside.calm_s, self._frame_s) and beside.due(places, self._rested.frame_map):
            return self._settle(frame.image, beside_hand=True)
        self._trim()
        return []

    def _begin_episode(self) -> None:
        self._episode = True
        self._latest = None
        self._missed = 0
        self._lingering.begin()
        self._patience.new_shot()
        self._told = False
        self._beside_hand.clear()
        for record in self._preroll:
            self._records.add(record)
        self._preroll.clear()
        self._second_look.restart()

    def _end_told(self, image: Image) -> list[Event]:
        """The hand beside which a shot was told has left, and the board looks as it was told to look."""
        self._forget_episode()
        self._episode = False
        self._unveil(image)
        self._learn(self._refer(image))
        return []

    def _lay_ghost(self, image: Image) -> None:
        """What has differed in every frame and reaches in from outside is no hand: the board looks like that now."""
        frame_map, rested, first = self._camera.frame_map, self._rested, self._first_hand
        assert frame_map is not None and rested is not None
        ghost = self._arms.not_in(self._lingering.ghosts(frame_map, first.doubted))
        if ghost.any() and not first.doubted:
            self._lingering.begin()  # not again in the next frame
            things = self._arms.laid(ghost, frame_map, [p.place for p in self._pucks])
            ghost = only_ghosts(ghost, rested, image, self._rest_threshold, self._usual) | things
        if not ghost.any():
            return
        mask = frame_map.around(ghost, image)
        if first.doubted:
            first.looked_like(rested.top)
            first.left(np.asarray(frame_map.view.rectify(mask * np.uint8(255)) > 127))
        mask[frame_map.mask_of(image, [p.place for p in self._pucks]) > 0] = 0  # where a puck lay, it may have left
        self._refer(rested.with_part(image, mask))
        self._hand = False
        self._lingering.begin()

    def _trim(self) -> None:
        self._records.forget_before(self._time_s - EPISODE_MAX_S)
        self._unseen.forget_before(self._time_s - EPISODE_MAX_S)

    def _settle(
        self, image: Image, force: bool = False, beside_hand: bool = False, mean: Image | None = None
    ) -> list[Event]:
        """The board rests: find out what has changed, and tell it. mean: (H, W, 3) of the last frames, if they are many

        While a hand is about, only a shot that hides nothing is told; all else waits until the hand has left. While
        that hand moves, only a shot is told after which every puck is seen.
        """
        view, palette, rested = self._view, self._paints.palette, self._rested
        assert view is not None and palette is not None and rested is not None
        now = rested.rearranged(image, self._rest_threshold)
        found = look_again(image, view, palette, now.around, now.light) if now.around.any() else []
        if mean is not None:
            found += self._doubtful.faintly(mean, view, palette, found, self._reefs.corners())
        hidden, waits = self._hidden(now, image, found, force, beside_hand)
        moves = Comparison(view, palette, list(self._pucks), now.around, found, hidden, (now.lit, now.top),
                           self._records).moves()  # fmt: skip
        if (waits and not moves.vacated) or (beside_hand and not self._all_seen(moves, hidden, image)):
            return []
        if not beside_hand:
            self._doubtful.gone = set()
            if mean is None and not (force or waits):
                self._doubtful.lost(moves, palette, rested.top)
            if self._doubtful.gone:
                return []
        episode = self._solved(self._scene(moves, image, now.top))
        self._heed_the_dark(episode)
        self._watched = episode.watch
        if self._watched is not None:
            self._watched.put_by()
        if not force and self._goes_on(episode, beside_hand, mean is not None):
            return []
        if waits and not _sure(episode, beside_hand):
            if beside_hand:
                self._beside_hand.looked(in_vain=True)
            return []
        events = self._tell(episode, image, moves.stayed, (rested.top, view))
        self._forget_episode()
        self._episode = waits
        if events:
            self._still_s, self._told = 0.0, True
        if waits:
            self._refer_but_for_hand(image, moves, episode)
            return events
        self._unveil(image)
        self._learn(self._refer(image))
        self._reefs.due = self._reefs.due or not self._told
        return events

    def _unveil(self, image: Image) -> None:
        """Where a hand was when the board was looked at first: what it hid, or seemed to be, is set right."""
        view, veil = self._view, self._first_hand.lifted()
        if veil is None:
            return
        assert view is not None
        seen, palette = first_look(image, view)
        if {d.team for d in seen} == set(palette.names):
            self._paints.seen(palette)
        self._doubtful.unveil(seen, view, veil, self._rolling.ways)
        self._reads = 0

    def _hidden(
        self, now: Rearrangement, image: Image, found: Sequence[SeenDisc], force: bool, beside_hand: bool
    ) -> tuple[Mask, bool]:
        """What a hand hides of the top view, and whether anything but a sure shot waits until that has left."""
        assert self._view is not None and self._rested is not None
        waits = not force and not self._patience.laid
        lie, lay = [d.place for d in found], [p.place for p in self._pucks]
        busy = self._bystanders.not_in(now.busy, self._rested.frame_map, image)
        reached = hand_in(busy, self._view, lie, lay) if waits else np.zeros_like(now.busy)
        hidden = without_ghosts(reached, now.lit, now.top, self._usual)
        if waits and not beside_hand and not hidden.any():  # what reached in when the board was last looked at is gone
            waits = self._hand and not reached.any() and self._rested.hand_reaches_in(self._lingering.changed, lie)
        if beside_hand:
            self._beside_hand.looked()
        else:
            self._hand = waits
            self._patience.looked()
        if self._first_hand.doubted and not waits:
            self._first_hand.left((reached > 0) & (hidden == 0))
        return hidden, waits

    def _goes_on(self, episode: Episode, beside_hand: bool, looked_long: bool) -> bool:
        """True where a puck may still be running, or lie under an arm; looked_long: many frames were looked at."""
        if self._patience.goes_on(episode, self._time_s, beside_hand, looked_long or self._arms.barred):
            return True
        hidden = self._arms.may_hide(episode, self._camera.frame_map)
        if hidden and not self._barred:  # once an episode: then it is told as it seems, and asked about
            self._arms.bar()
            self._barred = True
            self._patience.unsettled()  # the next frame shows it
            return True
        if hidden and episode.shot is not None:
            reasons = tuple(UNDER_ARM.format(puck) for puck in hidden)
            episode.shot = replace(episode.shot, reasons=(*episode.shot.reasons, *reasons))
        return False

    def _heed_the_dark(self, episode: Episode) -> None:
        """What seems to be a shot while the board was not to be seen is none, nor is what began then and of which only
        the end was seen; another that began or ended then is to be asked about."""
        shot = episode.shot
        if shot is None:
            return
        alone = len(shot.motions) == 1 and UNSEEN_WAY in shot.reasons  # then it is its way that was not seen
        if (alone and self._unseen.as_it_began(shot.start_s)) or self._unseen.all_of(shot.start_s, shot.rest_s):
            not_a_shot(episode)
        elif self._unseen.during(shot.start_s, shot.rest_s):
            episode.shot = replace(shot, reasons=(*shot.reasons, UNSEEN))
        elif self._unseen.in_little_light(shot.start_s, shot.rest_s):
            episode.shot = replace(shot, reasons=(*shot.reasons, IN_LITTLE_LIGHT))
        elif moved := [m.puck for m in shot.motions if m.puck in episode.lay_s and
                       self._unseen.between(episode.lay_s[m.puck], m.onset_s)]:  # fmt: skip
            reasons = tuple(UNSEEN_BEFORE.format(puck) for puck in moved)
            episode.shot = replace(shot, reasons=(*shot.reasons, *reasons))

    def _all_seen(self, moves: Moves, hand: Mask, image: Image) -> bool:
        """True where the hand (h, w) hides no puck, and all that left their places were found."""
        if self._hides_puck(hand):
            return False
        if not self._all_rest(moves, image):
            self._beside_hand.looked(until_it_stirs=True)
            return False
        return True

    def _scene(self, moves: Moves, image: Image, after: Image) -> Scene:
        """All that is known of an episode. after: the board from above, as it lies now"""
        view, palette, rested = self._view, self._paints.palette, self._rested
        assert view is not None and palette is not None and rested is not None
        vacated = [r.puck for r in moves.vacated]
        return Scene(self.board, view, palette, rested.top, after, list(self._records), moves.vacated, moves.appeared,
                     moves.nudges, self._frame_s, self._missed,
                     self._pucks.likeness(image, view, vacated, moves.appeared), self._lying(set(vacated)),
                     self._reefs.corners(), veil=self._first_hand.veil, sure=self._doubtful.sure, ran=self._just_ran(),
                     earlier=self._watched)  # fmt: skip

    def _solved(self, scene: Scene) -> Episode:
        """What happened; in doubt also by the board as it looked when a hand was over it, if one was at first."""
        episode = solve(scene)
        first = self._first_hand.top
        if first is None or episode.shot is None or not episode.shot.reasons:
            return episode
        other = solve(replace(scene, before=first, earlier=None))
        other.watch = episode.watch
        return other if other.shot is not None and not other.shot.reasons else episode

    def _just_ran(self) -> dict[str, tuple[float, float]]:
        """In which direction the pucks of the last shot ran at last, where this episode began right after it."""
        return self._rolling.in_episode(self._records.first().time_s, self._time_s) if self._records else {}

    def _refer_but_for_hand(self, image: Image, moves: Moves, episode: Episode) -> None:
        """Takes a frame as what the board looks like at rest, where pucks lay and lie, and the hand is not."""
        rested, hand = self._rested, self._beside_hand.hand
        assert rested is not None
        frame_map = rested.frame_map
        ends = [d.place for d in episode.ends.values()] + [n.end for n in moves.nudges]
        starts = [r.place for r in moves.vacated] + [n.start for n in moves.nudges]
        changed = frame_map.mask_of(image, starts + ends, SHADED)
        changed[frame_map.beside(image) > 0] = 0  # what would be left of the hand there reached in for ever
        if hand is not None:
            changed[frame_map.around(hand, image) > 0] = 0
        changed |= frame_map.outlines(image, ends)  # a puck at the edge seems to be a part of the hand
        self._refer(rested.with_moved(image, changed), rested.unknown)
        self._missed = 0  # the next shot's own
        self._patience.new_shot()

    def _hides_puck(self, hand: Mask) -> bool:
        """True where a hand (h, w) of the top view hides the place of a puck, as far as was known."""
        assert self._view is not None
        return any(hidden_share(self._view, hand, p.place) >= HIDDEN_PART for p in self._pucks)

    def _all_rest(self, moves: Moves, image: Image) -> bool:
        """True where every puck that left its place was found, clear of the hand beside which nothing stirs: one that
        runs on along it would seem to be a part of it."""
        assert self._rested is not None
        if Counter(r.team for r in moves.vacated) != Counter(d.team for d in moves.appeared):
            return False
        if self._beside_hand.near is None:
            return True
        ends = self._rested.frame_map.mask_of(image, [*(d.place for d in moves.appeared), *moves.stayed.values()])
        return not cv2.bitwise_and(ends, self._rested.frame_map.over_frame(self._beside_hand.near, image)).any()

    def _lying(self, moved: set[str]) -> list[Lying]:
        return [Lying(p.puck, p.x_mm, p.y_mm, p.team) for p in self._pucks if p.puck not in moved]

    def _learn(self, image: Image) -> None:
        """Teams' colours as the light is now."""
        assert self._view is not None and self._rested is not None
        pucks = list(self._pucks)
        if pucks:
            colours = interior_colours(image, self._view, np.array([p.place for p in pucks]))
            self._paints.learn(colours, [p.team for p in pucks], self._rested)

    # -- telling ---------------------------------------------------------------------------------
    def _seen(self) -> tuple[PuckSeen, ...]:
        return self._pucks.seen()

    def _tell(
        self, episode: Episode, image: Image, stayed: dict[str, tuple[float, float]], was: tuple[Image, TopView]
    ) -> list[Event]:
        """What an episode came to. stayed: where pucks lie now that lay still, or were only shifted a little; was: the
        board as it lay before, from above."""
        events: list[Event] = []
        self._told_any = self._told_any or episode.shot is not None or bool(episode.handled)
        if episode.shot is not None:
            labels = {p.puck: f"{p.team} {p.number if p.number is not None else p.puck}" for p in self._pucks}
            now = stayed | {i: disc.place for i, disc in episode.ends.items()}
            self._shot += 1
            events += shot_events(episode.shot, self._shot, self.board, self._seen(), now)
            self.explained = Explained(self._shot, episode.shot, *was, labels, self._reefs.known)
            self._rolling.tell(episode.shot, self._time_s)
        self._doubtful.proved(stayed.keys() | episode.ends.keys() | episode.gone)
        for puck_id, place in (stayed | {i: disc.place for i, disc in episode.ends.items()}).items():
            self._pucks[puck_id].move(place)
        told: list[tuple[Handled, Puck]] = []
        for handled in episode.handled:
            if handled.kind == "placed" and handled.disc is not None:
                told.append((handled, self._pucks.add(handled.disc.team, handled.place)))
            elif handled.puck is not None:
                told.append((handled, self._pucks[handled.puck]))
        for gone in episode.gone:
            self._pucks.remove(gone)
        for made_up in episode.made_up:
            self._pucks.forget(made_up)
        if episode.shot is not None and episode.shot.reasons:
            self._pucks.mixed_up(episode.ends)
        if episode.shot is not None or episode.handled:
            self._read(image, [*episode.ends, *(p.puck for h, p in told if h.kind != "removed")])
        for handled, puck in told:
            kind = {"removed": PuckRemoved, "moved": PuckMoved, "placed": PuckPlaced}[handled.kind]
            events.append(kind(handled.time_s, puck.puck, *handled.place, puck.team, puck.number))
        return events


def _sure(episode: Episode, beside_hand: bool) -> bool:
    """True where an episode is a shot and nothing else, beyond doubt.

    beside_hand: nor is it one, then, after which a puck is gone.
    """
    shot = episode.shot
    if shot is None or shot.reasons or episode.handled or not shot.by_hand:
        return False
    return not (beside_hand and episode.gone)


__all__ = ["BoardNotSeen", "CameraMoved", "LiveView", "Tracker"]
