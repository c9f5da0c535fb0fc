"""The whole of vision: frames in, events out.

    frame -> pose (markers) -> top view -> differencing -> still or not
          -> episode (the changed part of every frame, until the board rests again)
          -> solve -> events
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from calibration.board import Board
from calibration.drift import DriftWatch, pose_now
from calibration.lens import CalibrationError, Lens
from calibration.marker_pose import find_pose
from calibration.medians import median_colour
from calibration.pose import Pose
from vision.bounces import Lying
from vision.contacts import Nudge
from vision.crossings import lies_on_gate
from vision.detection import interior_colours
from vision.differencing import (
    NoiseMeter,
    changed,
    changed_in_light,
    coarse_change,
    coarse_picture,
    in_light,
    light_field,
    small_gray,
    steady_light,
)
from vision.events import (
    CameraMoved,
    Contact,
    DoorCrossed,
    Event,
    GatePassed,
    LeftBoard,
    PuckMoved,
    PuckPlaced,
    PuckRemoved,
    PuckSeen,
    ReefsSeen,
    ShotEnded,
    ShotStarted,
)
from vision.explain import Explained
from vision.frames import Frame, Image
from vision.ghosts import UsualBoard, without_ghosts
from vision.glide import Glide
from vision.knock import FOUND_AGAIN_MM, SWAY_FRAMES, CutShort, find_again, shot_cut_short
from vision.palette import Palette
from vision.pieces import largest, pieces
from vision.records import Record, Records, empty
from vision.reef_watch import ReefWatch
from vision.registration import shift_px
from vision.resting import SeenDisc, first_look, look_again
from vision.roster import Puck, Roster
from vision.second_look import SecondLook, faint_pucks
from vision.shots import Episode, Handled, Shot, solve
from vision.streaks import HOLE, Ground, strongest
from vision.view import TopView, make_view
from vision.watch import Rest, Scene

Mask = NDArray[np.uint8]
FloatArray = NDArray[np.float64]

# pictures and matrices are small: a second thread costs a tenth more on all cores, and saves no time
cv2.setNumThreads(1)
threadpool_limits(1, user_api="blas")

POSE_FRAMES = 3  # pictures whose markers are averaged
OUTLINE_EVERY = 30  # frames between looks for a board without markers: a look takes half a second
QUIET_S = 0.10  # without motion for so long, and no hand about, the board rests
HAND_ALONE_S = 0.25  # where at first only a hand stirs for so long, and no puck, the rest of the board lies still
STUCK_S = 0.6  # with something lying still on the board for so long, the rest of the board is looked at anyway
LOST_S = 1.0  # no puck runs for longer
PUT_OFF_MOST = 8  # times that a verdict waits for a puck that runs and makes no stir: it stops within a second
LAID_S = 8.0  # what does not stir for so long is no hand any more, but a thing that was laid down
GHOST_S = 2.5  # nor is what has differed for most of a time of this length while other things stirred
GHOST_SHARE = 0.68  # of that time: what is gone after the first moment comes to 1 - 1/e of it, and more later
PREROLL_S = 0.35  # kept from before the first change
ROLL_S = 1.2  # of an episode in which nothing has come to pass yet, the latest part is kept
EPISODE_MAX_S = 20.0
MOTION_SHARE = 0.10  # puck areas that must change between two frames to call it motion
CHANGE_SHARE = 0.10  # the same against the board at rest
HAND_AT_EDGE = 0.25  # puck areas: a change of which more lies outside of the playing surface is a hand
HAND_SHARE = 3.0  # the same for what lies where neither pucks lay nor lie
BORDER_MM = 5.0  # shadows and reflections of pucks at the border reach so far over it
MOVED_MM = 0.5  # a puck that lies this far from where it lay, by its own picture, has moved …
MOVED_UNSURE_MM = 1.5  # … and this far, where its picture has changed so that only its outline can tell …
NUDGED_MM = 5.0  # … and up to this too little for its way to be followed
LONE_NUDGE_MM = 3.0  # … but where nothing else has moved a puck that went so far is asked about
REEF_STILL_S = 0.5
LIGHT_STEP = 16  # pixels of the top view for which one value of light is kept
CALIBRATED_PX = 2.0  # at 1280 pixels' width: a camera whose markers lie further off was moved since it was calibrated
KNOCK_PX = 1.2  # markers displaced by more than this: the camera was knocked
KNOCKED_LEVEL = 30.0  # grey levels by which a hand differs from the board as it was seen from a little elsewhere
KNOCKED_FAINT = 10.0  # and by which what hangs together with it is still the hand
LOOK_MM = 6.0
HIDDEN_PART = 0.12  # a puck of which a hand hides more than this share may lie there or not
RETURNED_MM = 1.5  # a puck that left and came back lies further than this from where it lay
AWAY_PAINT = 0.2  # distance of paints from the team's that is another thing's colour
OTHER_LEVEL = 14.0  # grey levels by which the middle of a puck's place must change …
NEW_LEVEL = 5.0  # grey levels by which the whole of a place must change for a puck to have come there
OTHER_SHARE = 0.22  # … and share of its brightest colour, to be something else
DRIFT_EVERY = 5  # frames between looks at the pose while nothing happens
READS = 6  # looks at the numbers of pucks that lie still
READ_EVERY_S = 0.15
LEAST_LIGHT = 0.05  # of the board's own: where there is less it is as good as dark
LEARN_RATE = 0.5  # how much of a team's colour is taken from the last look


class BoardNotSeen(CalibrationError):
    """The board's markers were never seen; the message says what was looked for and what to do."""


@dataclass(frozen=True, slots=True)
class _Change:
    """How a frame differs from the board at rest.

    mask: where, in the small grey picture, 0 or 255; box: (x0, y0, x1, y1) in its pixels around that, and around what
    differs by its colour alone; light: over the top view.
    """

    mask: Mask
    box: tuple[int, int, int, int]
    light: NDArray[np.float32]


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
        self._frame_s = 1.0 / fps if fps > 0 else 1 / 30
        self._lens = lens.for_size(frame_size) if lens is not None else None
        self._given: Pose | None = None  # until the first look has shown that the camera still stands there
        self._pose: Pose | None = None
        self._view: TopView | None = None
        self._why = ""
        self._tries: deque[Image] = deque(maxlen=POSE_FRAMES)
        self._noise = NoiseMeter()
        self._previous: Image | None = None
        self._reference: Image | None = None  # small grey picture of the board at rest
        self._reference_coarse: NDArray[np.float32] | None = None
        self._board_image: Image | None = None  # the frame that they were made from
        self._before: Image | None = None  # top view of the board at rest
        self._usual = UsualBoard()
        self._palette: Palette | None = None
        self._glide: Glide | None = None  # follows moving pucks for screens
        self.explained: Explained | None = None  # the last shot told, and what it was decided on
        self._pucks = Roster(board)
        self._second_look: SecondLook | None = None  # until it is done
        self._watch: DriftWatch | None = None
        self._knocked = False
        self._cut_short: CutShort | None = None  # what was going on when the camera was knocked
        self._reads = 0
        self._shot = 0
        self._stirs: deque[tuple[float, Mask]] = deque()  # of late, before the board is known
        self._records = Records()
        self._preroll: deque[Record] = deque()  # of late, while the board lay still
        self._latest: Image | None = None  # the newest frame of an episode
        self._quiet_s = 0.0
        self._still_s = 0.0
        self._looked_s = 0.0  # how long nothing had stirred when the board was looked at although a hand was there
        self._episode = False
        self._hand = False
        self._differed: NDArray[np.float32] = np.zeros((0, 0), np.float32)  # how much of the time, 0 to 255
        self._episode_s = 0.0
        self._missed = 0
        self._put_off = 0  # how often this episode's verdict was, as a puck still ran
        self._time_s = 0.0
        self._read_s = 0.0
        self._reefs = ReefWatch(board)
        self._markers_px: FloatArray | None = None
        if pose is not None:
            self._given = pose.for_size(frame_size)
            self._set_pose(self._given)

    # -- the loop --------------------------------------------------------------------------------
    def update(self, frame: Frame) -> list[Event]:
        """Takes the next frame; returns what has become known by it, in the contract's order."""
        dt = max(frame.time_s - self._time_s, 0.0) if self._previous is not None else self._frame_s
        self._time_s = frame.time_s
        if self._view is None and not self._find_pose(frame):
            return []
        view = self._view
        assert view is not None
        gray = small_gray(frame.image, view.roi, view.step)
        previous, self._previous = self._previous, gray
        if previous is None or previous.shape != gray.shape:
            return []
        if (knock := self._check_pose(frame)) is not None:
            return knock
        self._noise.update(gray, previous)
        motion = changed(gray, previous, self._noise.threshold)
        moving = cv2.countNonZero(motion) > MOTION_SHARE * self._puck_area()
        self._quiet_s = 0.0 if moving else self._quiet_s + dt
        if self._reference is None:
            return self._begin(frame, gray, motion)
        change = self._change(frame.image, gray)
        differs = cv2.countNonZero(change.mask) > CHANGE_SHARE * self._puck_area()
        if not self._episode and not differs and not moving:
            return self._rest(frame, change, dt)
        return self._act(frame, change, dt)

    def finish(self) -> list[Event]:
        """The source has ended: settles what can be settled. Raises BoardNotSeen where no pose was ever found."""
        if self._view is None:
            raise BoardNotSeen(self._why or "the source ended before its first frame; expected a film of the board")
        if self._episode and self._latest is not None and self._reference is not None:
            return self._settle(self._latest, force=True)
        return []

    def live(self) -> LiveView:
        """Where every puck is now, as far as is known: those that move by the last frame, without any decision."""
        state = "searching" if self._view is None else "still"
        pucks = self._seen()
        if self._episode:
            state = "hand" if self._hand else "shot"
            places = self._gliding()
            pucks = tuple(replace(p, x_mm=places[p.puck][0], y_mm=places[p.puck][1]) if p.puck in places else p
                          for p in pucks)  # fmt: skip
        return LiveView(self._time_s, state, self._view is not None, pucks)

    def _gliding(self) -> dict[str, tuple[float, float]]:
        """Places of the pucks that have left theirs in this episode."""
        if self._view is None or self._before is None or self._palette is None or not self._records:
            return {}
        if self._glide is None:
            self._glide = Glide(Ground(self._before), self._view, self._palette)
        last = self._records.last()
        if self._glide.time_s != last.time_s:  # screens and films ask more than once a frame
            self._glide.look(last.time_s, last.patch, last.corner, last.light, self._pucks)
        return self._glide.places

    def draw_overlay(self, image: Image) -> Image:
        """What the tracker sees, drawn on a copy of a frame."""
        out = image.copy()
        if self._view is None:
            return out
        pose, board = self._view.pose, self.board
        w, h = board.size
        corners = pose.image_from_board(np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], dtype=np.float64))
        cv2.polylines(out, [np.rint(corners).astype(np.int32)], True, (255, 255, 255), 1, cv2.LINE_AA)
        for puck in self.live().pucks:
            angles = np.linspace(0, 2 * np.pi, 40)
            ring = np.column_stack([
                puck.x_mm + board.puck.radius_mm * np.cos(angles),
                puck.y_mm + board.puck.radius_mm * np.sin(angles),
                np.full(40, board.puck.height_mm),
            ])  # fmt: skip
            points = np.rint(pose.image_from_board(ring)).astype(np.int32)
            cv2.polylines(out, [points], True, (255, 255, 255), 2, cv2.LINE_AA)
            label = f"{puck.number if puck.number is not None else '?'}"
            at = (int(points[0][0]) + 3, int(points[0][1]))
            cv2.putText(out, label, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
        return out

    # -- pose ------------------------------------------------------------------------------------
    def _find_pose(self, frame: Frame) -> bool:
        self._tries.append(frame.image)  # those in which the board was not found are not looked at again
        if len(self._tries) < POSE_FRAMES or (self._why and not self.board.markers and frame.index % OUTLINE_EVERY):
            return False
        try:
            self._set_pose(find_pose(list(self._tries), self.board, self._lens).pose)
        except CalibrationError as error:
            self._why = str(error)
            return False
        finally:
            self._tries.clear()
        return True

    def _moved_since_calibrated(self, frame: Frame) -> list[Event]:
        """Whether the camera has been moved since its calibration was made, by the markers in a first look."""
        given, self._given = self._given, None
        seen = pose_now(self.board, given, frame.image) if given is not None else None
        if seen is None or seen[1] < CALIBRATED_PX * self._size[0] / 1280:
            return []
        self._set_pose(seen[0])
        return [CameraMoved(frame.time_s, seen[1], True)]

    def _set_pose(self, pose: Pose) -> None:
        self._pose = pose
        self._view = view = make_view(self.board, pose, self._size)
        x0, y0, x1, y1 = view.roi
        grid = coarse_picture(np.zeros((*self._size[::-1], 3), np.uint8), view.roi).shape[1::-1]
        blocks = ((x1 - x0) / grid[0], (y1 - y0) / grid[1])
        cells = (slice(LIGHT_STEP // 2, None, LIGHT_STEP),) * 2
        self._light_maps = (
            ((view.map_x[cells] - x0) / blocks[0] - 0.5).astype(np.float32),
            ((view.map_y[cells] - y0) / blocks[1] - 0.5).astype(np.float32),
        )
        step = view.step
        rows, columns = math.ceil((y1 - y0) / step), math.ceil((x1 - x0) / step)
        ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float64)
        inverse = view.view_from_image(np.column_stack([xs.ravel() * step + x0, ys.ravel() * step + y0]))
        x_mm, y_mm = np.moveaxis(view.mm_from_px(inverse).reshape(rows, columns, 2), -1, 0)
        width, height = self.board.size
        off = np.maximum(np.abs(x_mm - width / 2) - width / 2, np.abs(y_mm - height / 2) - height / 2)
        self._outside = np.asarray(off > BORDER_MM, dtype=np.uint8)
        self._view_px = np.clip(np.rint(inverse), 0, np.array(view.size) - 1).astype(int).reshape(rows, columns, 2)
        self._looked_at = np.where(off <= -view.origin_mm[0], 255, 0).astype(np.uint8)
        most = cv2.resize(self._looked_at, grid, interpolation=cv2.INTER_AREA)
        self._blocks_looked_at = np.asarray(most > 127, dtype=np.uint8)
        self._unknown: Mask | None = None  # where the top view has not been seen since the camera was knocked
        self._beyond = self._outside
        self._previous = None
        self._reference = None
        self._board_image = None
        self._usual = self._usual.from_elsewhere(view.size)
        self._quiet_s = 0.0
        self._stirs.clear()
        self._reefs.forget_view()
        if self._second_look is not None:  # the frames so far were of another view
            self._second_look.restart()

    def _check_pose(self, frame: Frame) -> list[Event] | None:
        """Asks whether the camera still stands where it stood. None: it does, or a hand hides everything."""
        if self._watch is None or (not self._episode and frame.index % DRIFT_EVERY and not self._knocked):
            return None
        report = self._watch.check(frame.image)
        if report.pose is not None:
            shift = report.shift_px if math.isfinite(report.shift_px) else 0.0
            if not self._knocked and (self._episode or shift < KNOCK_PX):
                return None
            self._knocked = False
            self._drop_episode()
            self._set_pose(report.pose)
            return [CameraMoved(frame.time_s, shift, True)]
        if report.moved and not self._knocked:
            self._knocked = True
            self._cut_episode_short()
            shift = report.shift_px if math.isfinite(report.shift_px) else 0.0
            return [CameraMoved(frame.time_s, shift, False)]
        return [] if self._knocked else None

    def _cut_episode_short(self) -> None:
        """The camera was knocked: what was seen until then is kept until the board is found again."""
        view, before = self._view, self._before
        if self._episode and view is not None and before is not None:
            seen = tuple(self._records)[:-SWAY_FRAMES]
            self._cut_short = CutShort(view, before, seen, self._missed)
        self._drop_episode()

    def _drop_episode(self) -> None:
        self._episode = False
        self._records.clear()
        self._preroll.clear()
        self._quiet_s = 0.0

    def _native_radius(self) -> float:
        """A puck's radius in pixels of the frame."""
        assert self._view is not None
        return self.board.puck.radius_mm * self._view.frame_scale

    def _small_radius(self) -> float:
        """The same in pixels of the small grey pictures."""
        assert self._view is not None
        return self._native_radius() / self._view.step

    def _puck_area(self) -> float:
        """A puck's area in pixels of the small grey pictures."""
        return math.pi * self._small_radius() ** 2

    # -- beginning and rest ----------------------------------------------------------------------
    def _only_hand_stirs(self, motion: Mask) -> bool:
        """True where for a while nothing as broad as a puck has stirred but what reaches in from outside."""
        self._stirs.append((self._time_s, motion))
        while self._time_s - self._stirs[0][0] > HAND_ALONE_S:
            self._stirs.popleft()
        if self._time_s - self._stirs[0][0] < HAND_ALONE_S / 2 or len(self._stirs) < 3:
            return False
        size = round(self._small_radius()) | 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        stirred = self._stirred()
        hands = _reaching(np.asarray(cv2.morphologyEx(stirred, cv2.MORPH_CLOSE, kernel)), self._outside, 0)
        return not cv2.morphologyEx(np.asarray(stirred & (1 - hands)), cv2.MORPH_OPEN, kernel).any()

    def _stirred(self) -> Mask:
        """All that has stirred in the last moments of waiting for the board."""
        return np.asarray(np.bitwise_or.reduce([mask for _, mask in self._stirs]))

    def _stirred_at(self, places: Sequence[tuple[float, float]]) -> bool:
        """True where something has stirred on a puck at one of some places since the film began."""
        view, stirred = self._view, self._stirred()
        assert view is not None
        points = np.column_stack([np.array(places).reshape(-1, 2), np.zeros(len(places))])
        mask = np.zeros_like(stirred)
        for x, y in (view.pose.image_from_board(points) - view.roi[:2]) / view.step if places else ():
            cv2.circle(mask, (round(x), round(y)), round(self._small_radius()), 1, -1)
        return cv2.countNonZero(cv2.bitwise_and(stirred, mask)) > MOTION_SHARE * self._puck_area()

    def _begin(self, frame: Frame, gray: Image, motion: Mask) -> list[Event]:
        """The first look at the board, as soon as it lies still."""
        assert self._view is not None
        quiet = self._quiet_s > QUIET_S - self._frame_s / 2
        if not quiet and not self._only_hand_stirs(motion):
            return []
        if moved := self._moved_since_calibrated(frame):
            return moved
        seen, self._palette = first_look(frame.image, self._view)
        if not quiet and self._stirred_at([d.place for d in seen]):
            self._stirs.clear()  # a look takes longer than a frame: not again in the next one
            return []
        image, told, hand = frame.image, list[Event](), None
        if self._before is not None:
            now, before = self._view.rectify(image), self._before_from_here()
            field = light_field(now, before, now.shape)
            lit = in_light(before, field)
            seen = [d for d in seen if self._known(d) or self._looks_new(d.place, (lit, now))]
            hand = self._hand_since(now, lit, seen)
            # what the hand does to the light where it is, is not the light that falls on what it hides
            even = np.median(field[::LIGHT_STEP, ::LIGHT_STEP], (0, 1))
            image = self._view.overlay(image, in_light(before, even), hand)
            told = self._find_again(frame, seen, hand)
        if self._before is None:
            self._enrol(seen)
            self._second_look = SecondLook()
        self._refer(image)
        if hand is not None and hand.any():  # beside the board other things are nearer or further away than it
            self._unknown = np.asarray(cv2.bitwise_and(hand, self._beyond_board(hand)), dtype=np.uint8)
        self._watch = DriftWatch(self.board, self._view.pose, image)
        self._read(image)
        return told

    def _enrol(self, discs: Sequence[SeenDisc]) -> list[str]:
        """Pucks that lay there before anybody looked. -> their ids"""
        ordered = sorted(discs, key=lambda d: (d.team, d.y_mm, d.x_mm))
        return [self._pucks.add(d.team, d.place).puck for d in ordered]

    def _before_from_here(self) -> Image:
        """The board as it was last seen at rest, in the size of today's top view. -> (h, w, 3)"""
        assert self._view is not None and self._before is not None
        return np.asarray(cv2.resize(self._before, self._view.size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)

    def _known(self, disc: SeenDisc) -> bool:
        """True where a disc may be a puck of its team that lay there before."""
        return any(p.team == disc.team and math.dist(p.place, disc.place) < FOUND_AGAIN_MM for p in self._pucks)

    def _hand_since(self, now: Image, lit: Image, seen: list[SeenDisc]) -> Mask:
        """Where a hand reaches in, that was not there before the camera was knocked. -> (h, w) of 0 and 1

        now, lit: (h, w, 3) the board from above, and as it was before in the light of now; seen: pucks that lie there.
        """
        view = self._view
        assert view is not None
        size = round(view.radius_px * 0.4) | 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        blurred = (cv2.GaussianBlur(top, (0, 0), view.radius_px * 0.2) for top in (now, lit))
        difference = np.asarray(cv2.absdiff(*blurred), dtype=np.uint8)
        w, h = self._size
        difference[(view.map_x < 0) | (view.map_x > w - 1) | (view.map_y < 0) | (view.map_y > h - 1)] = 0
        clear, faint = (
            np.asarray(cv2.morphologyEx(strongest(difference, level), cv2.MORPH_OPEN, kernel), dtype=np.uint8)
            for level in (KNOCKED_LEVEL, KNOCKED_FAINT)
        )
        hand = self._hand_in(clear, seen)
        if hand.any():  # all of it, where it is hardly other than what it hides, too
            hand |= _reaching(np.asarray(cv2.bitwise_or(faint, hand)), hand, 0)
        size = round(view.radius_px) | 1  # with its blurred rim, and the shadow beside it
        return np.asarray(cv2.dilate(hand, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))))

    def _find_again(self, frame: Frame, seen: list[SeenDisc], hand: Mask) -> list[Event]:
        """After the camera was knocked: each puck is the nearest disc of its team; what has changed is told.

        hand: (h, w) where a hand hides the board, and what lies under it is as it was.
        """
        view, palette, cut = self._view, self._palette, self._cut_short
        assert view is not None and palette is not None
        self._cut_short = None
        pucks = list(self._pucks)
        clear = [d for d in seen if self._hidden_share(hand, d.place) < HIDDEN_PART]
        since = find_again(pucks, clear, self.board.puck.diameter_mm, lambda p: (
            self._hidden_share(hand, p.place) < HIDDEN_PART and self._shows_other(frame.image, p)))  # fmt: skip
        if cut is not None:
            after = view.rectify(frame.image)
            episode = shot_cut_short(cut, since, pucks, after, self.board, palette, self._frame_s)
            if episode is not None:
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
                    out.append(PuckMoved(frame.time_s, puck.puck, *puck.place, puck.team, puck.number))
        for disc in since.new:
            new = self._pucks.add(disc.team, disc.place)
            self._read(frame.image, [new.puck])
            out.append(PuckPlaced(frame.time_s, new.puck, *disc.place, new.team, new.number))
        return out

    def _shows_other(self, image: Image, puck: Puck) -> bool:
        """True where a puck's place shows something that is not its team's paint."""
        assert self._view is not None and self._palette is not None
        colour = interior_colours(image, self._view, np.array([puck.place]))
        team = self._palette.names.index(puck.team)
        return bool(self._palette.distances(colour)[0, team] > AWAY_PAINT)

    def _read(self, image: Image, only: list[str] | None = None) -> None:
        assert self._view is not None
        self._pucks.read_numbers(image, self._view, only)
        self._reads = self._reads + 1 if only is None else 1
        self._read_s = self._time_s

    def _rest(self, frame: Frame, change: _Change, dt: float) -> list[Event]:
        """Nothing changes: keep the reference fresh, look for reefs once."""
        self._still_s += dt
        self._preroll.append(self._recorded(frame.time_s, frame.image, change))
        while len(self._preroll) > 1 and frame.time_s - self._preroll[0].time_s > PREROLL_S:
            self._preroll.popleft()
        if self._second_look is not None and (mean := self._second_look.add(frame.image)) is not None:
            self._second_look = None
            self._look_for_faint(mean)
        if self._reads < READS and self._time_s - self._read_s > READ_EVERY_S:
            self._read(frame.image)
        if self._still_s >= REEF_STILL_S and self._reefs.due:
            assert self._view is not None
            reefs = self._reefs.look(frame.image, self._view, self._seen())
            return [] if reefs is None else [ReefsSeen(frame.time_s, reefs)]
        if self._still_s >= 1.0 and self._quiet_s >= QUIET_S:
            self._still_s = REEF_STILL_S
            self._refer(frame.image)
            now = np.maximum(change.light, LEAST_LIGHT).astype(np.float32)
            self._preroll = deque(replace(r, light=np.asarray(r.light / now)) for r in self._preroll)
        return []

    def _look_for_faint(self, mean: Image) -> None:
        """Adds the pucks that one frame's noise hid. mean: of many frames of the board at rest"""
        assert self._view is not None and self._palette is not None
        found = faint_pucks(mean, self._view, self._palette, [p.place for p in self._pucks])
        if found:
            self._read(mean, self._enrol(found))
            self._reefs.forget_view()
            self._reefs.due = True  # where they were taken for something else

    def _refer(self, image: Image, only: Sequence[tuple[float, float]] | None = None) -> None:
        """Takes a frame as what the board looks like at rest. only: the puck places (mm) where it has changed."""
        view = self._view
        assert view is not None
        if only is not None and self._board_image is not None:
            image = self._with_part(image, self._mask_of(image, only))
        else:
            self._unknown = None
        self._board_image = image
        self._reference = small_gray(image, view.roi, view.step)
        self._reference_coarse = coarse_picture(image, view.roi)
        self._before = view.rectify(image)
        self._usual.look(self._before)
        self._beyond = self._outside.copy()
        for x, y in self._border_px():
            cv2.circle(self._beyond, (round(x), round(y)), round(HOLE * self._small_radius()), 0, -1)
        self._glide = None

    def _with_part(self, image: Image, mask: Mask) -> Image:
        """The board's last picture in the light of a frame, with what the frame shows where a mask says so."""
        view = self._view
        assert view is not None and self._board_image is not None and self._reference_coarse is not None
        x0, y0, x1, y1 = view.roi
        field = coarse_change(coarse_picture(image, view.roi), self._reference_coarse).light()
        light = cv2.resize(field, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
        out = image.copy()
        out[y0:y1, x0:x1] = cv2.multiply(self._board_image[y0:y1, x0:x1], light, dtype=cv2.CV_8U)
        cv2.copyTo(image, mask, out)
        return out

    def _mask_of(self, image: Image, places: Sequence[tuple[float, float]]) -> Mask:
        """Where pucks at some places show in a frame, their shadows included. -> (H, W)"""
        assert self._view is not None
        mask = np.zeros(image.shape[:2], np.uint8)
        for x, y in places:
            px = self._view.pose.image_from_board(np.array([[x, y, 0.0]]))[0]
            cv2.circle(mask, (round(px[0]), round(px[1])), round(HOLE * self._native_radius()), 1, -1)
        return mask

    def _border_px(self) -> FloatArray:
        """Places of pucks that reach over the border, in the small grey picture. -> (N, 2)"""
        view, (w, h) = self._view, self.board.size
        assert view is not None
        reach = HOLE * self.board.puck.radius_mm
        places = [p.place for p in self._pucks if min(p.x_mm, p.y_mm, w - p.x_mm, h - p.y_mm) < reach]
        points = np.column_stack([np.array(places).reshape(-1, 2), np.zeros(len(places))])
        return (view.pose.image_from_board(points) - view.roi[:2]) / view.step if places else np.empty((0, 2))

    # -- an episode ------------------------------------------------------------------------------
    def _change(self, image: Image, gray: Image) -> _Change:
        """How a frame differs from the board at rest."""
        assert self._view is not None and self._reference is not None and self._reference_coarse is not None
        coarse = coarse_change(coarse_picture(image, self._view.roi), self._reference_coarse)
        field = coarse.light()
        change = changed_in_light(gray, self._reference, field, self._noise.threshold)
        change = np.asarray(cv2.bitwise_and(change, self._looked_at), dtype=np.uint8)
        if self._unknown is not None:
            change[self._unknown[self._view_px[..., 1], self._view_px[..., 0]] > 0] = 0
        return _Change(change, self._box(change, coarse.recoloured()), self._over_view(field))

    def _box(self, change: Mask, odd: Mask) -> tuple[int, int, int, int]:
        """The box (x0, y0, x1, y1) of a mask and of those blocks of the frame that are odd; all 0 where nothing is."""
        x, y, w, h = cv2.boundingRect(change)
        boxes = [(x, y, x + w, y + h)] if w else []
        columns, rows, wide, high = cv2.boundingRect(np.asarray(cv2.bitwise_and(odd, self._blocks_looked_at)))
        if wide:
            size = np.array(change.shape[::-1]) / odd.shape[::-1]
            (x0, y0), (x1, y1) = np.rint([(columns, rows) * size, (columns + wide, rows + high) * size]).astype(int)
            boxes.append((int(x0), int(y0), int(x1), int(y1)))
        if not boxes:
            return (0, 0, 0, 0)
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return (min(lefts), min(tops), max(rights), max(bottoms))

    def _over_view(self, field: NDArray[np.float32]) -> NDArray[np.float32]:
        """A field of light of the frame's blocks, over the top view."""
        light = cv2.remap(field, *self._light_maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(light, dtype=np.float32)

    def _act(self, frame: Frame, change: _Change, dt: float) -> list[Event]:
        """Something is going on: record it, and see whether the board rests again."""
        if not self._episode:
            self._episode = True
            self._episode_s = 0.0
            self._missed = self._put_off = 0
            for record in self._preroll:
                self._records.add(record)
            self._preroll.clear()
            if self._second_look is not None:
                self._second_look.restart()
        self._still_s = 0.0
        self._missed += frame.missed
        self._latest = frame.image
        self._records.add(self._recorded(frame.time_s, frame.image, change))
        if self._episode_s == 0:
            self._differed = np.zeros(change.mask.shape, np.float32)
        cv2.accumulateWeighted(change.mask, self._differed, dt / GHOST_S)
        self._episode_s += dt
        self._hand = self._sees_hand(change.mask)
        if self._hand and self._episode_s > GHOST_S and self._quiet_s >= QUIET_S:
            self._lay_ghost(frame.image)
        if self._quiet_s < QUIET_S:
            self._looked_s = 0.0
            self._trim()
            return []
        if self._quiet_s < self._look_due_s():
            self._trim()
            return []
        return self._settle(frame.image)

    def _look_due_s(self) -> float:
        """How long nothing must have stirred before the board is looked at, although a hand may be about."""
        if not self._hand:
            return min(2 * self._looked_s, LAID_S)
        return LAID_S if self._looked_s else STUCK_S

    def _lay_ghost(self, image: Image) -> None:
        """What has differed in every frame and reaches in from outside is no hand: the board looks like that now."""
        view = self._view
        assert view is not None
        stale = np.asarray(cv2.threshold(self._differed, 255 * GHOST_SHARE, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)
        ghost = _reaching(stale, self._outside, HAND_AT_EDGE * self._puck_area())
        if not ghost.any():
            return
        x0, y0, x1, y1 = view.roi
        size = round(self._small_radius()) | 1
        wide = cv2.dilate(ghost, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
        mask = np.zeros(image.shape[:2], np.uint8)
        mask[y0:y1, x0:x1] = cv2.resize(wide, (x1 - x0, y1 - y0), interpolation=cv2.INTER_NEAREST)
        mask[self._mask_of(image, [p.place for p in self._pucks]) > 0] = 0  # where a puck lay, it may have left
        self._refer(self._with_part(image, mask))
        self._hand = False
        self._episode_s = 0.0

    def _sees_hand(self, change: Mask) -> bool:
        """True where something reaches in over the border of the playing surface."""
        least = HAND_AT_EDGE * self._puck_area()
        beyond = cv2.bitwise_and(change, change, mask=self._beyond)
        if cv2.countNonZero(beyond) <= least:
            return False
        return largest(np.asarray(beyond, dtype=np.uint8)) > least

    def _recorded(self, time_s: float, image: Image, change: _Change) -> Record:
        """The part of a frame that differs from the board at rest."""
        view, light = self._view, change.light
        assert view is not None and self._before is not None
        left, top, right, bottom = change.box
        if right == 0:
            return empty(time_s, light, self._before)
        px = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], dtype=np.float64) * view.step
        corners = view.view_from_image(px + view.roi[:2])
        pad = view.radius_px * 0.8 + 4
        x0, y0 = np.maximum(np.floor(corners.min(axis=0) - pad), 0).astype(int)
        x1 = int(min(math.ceil(corners[:, 0].max() + pad), view.size[0]))
        y1 = int(min(math.ceil(corners[:, 1].max() + pad), view.size[1]))
        if x1 <= x0 or y1 <= y0:
            return empty(time_s, light, self._before)
        patch = view.rectify_part(image, int(x0), int(y0), x1, y1)
        corner, size = (int(x0), int(y0)), (x1 - int(x0), y1 - int(y0))
        return Record(time_s, corner, size, light, self._before, patch)

    def _trim(self) -> None:
        self._records.forget_before(self._time_s - EPISODE_MAX_S)

    def _settle(self, image: Image, force: bool = False) -> list[Event]:
        """The board rests: find out what has changed, and tell it.

        While a hand is about, only a shot that hides nothing is told; all else waits until the hand has left.
        """
        view, palette = self._view, self._palette
        assert view is not None and palette is not None and self._before is not None and self._reference is not None
        busy, where, light, lit = self._where_changed(image)
        found = look_again(image, view, palette, where, light) if where.any() else []
        waits = not force and self._quiet_s < LAID_S
        after = view.rectify(image)
        reaching = self._hand_in(busy, found) if waits else np.zeros_like(busy)
        hidden = without_ghosts(reaching, lit, after, self._usual)
        left = bool(reaching.any()) and not hidden.any()  # what reached in when the board was last looked at is gone
        waits = waits and (bool(hidden.any()) or (self._hand and not left))
        self._hand = waits
        self._looked_s = self._quiet_s
        vacated, appeared, stayed, nudges = self._compare(where, found, hidden, (lit, after))
        if not vacated and not appeared:
            vacated, appeared = self._only_nudged(nudges, found)
            nudges = [n for n in nudges if n.puck not in {r.puck for r in vacated}]
            stayed = [(puck, place) for puck, place in stayed if puck not in {r.puck for r in vacated}]
        if waits and not vacated:
            return []
        scene = Scene(self.board, view, palette, self._before, after, list(self._records), vacated,
                      appeared, nudges, self._frame_s, self._missed,
                      self._pucks.likeness(image, view, [r.puck for r in vacated], appeared),
                      self._lying({r.puck for r in vacated}), self._reefs.corners())  # fmt: skip
        episode = solve(scene)
        if not force and episode.lost_s is not None and self._time_s - episode.lost_s < LOST_S:
            return []  # it may be running still, where it is hardly other than the ground
        if not force and episode.running and self._put_off < PUT_OFF_MOST:
            self._put_off += 1
            self._quiet_s = 0.0
            return []
        if waits and (episode.shot is None or episode.shot.reasons or episode.handled or not episode.shot.by_hand):
            return []
        events = self._tell(episode, image, dict(stayed), (self._before, view))
        self._records.clear()
        self._episode = waits
        if waits:
            self._refer(image, [r.place for r in vacated] + [d.place for d in episode.ends.values()])
        else:
            self._refer(image)
            self._reefs.due = self._reefs.due or not events
            self._learn(image)
        return events

    def _lying(self, moved: set[str]) -> list[Lying]:
        return [Lying(p.puck, p.x_mm, p.y_mm) for p in self._pucks if p.puck not in moved]

    def _learn(self, image: Image) -> None:
        """Teams' colours as the light is now."""
        assert self._view is not None and self._palette is not None
        pucks = list(self._pucks)
        if pucks:
            colours = interior_colours(image, self._view, np.array([p.place for p in pucks]))
            self._palette = self._palette.updated(colours, [p.team for p in pucks], LEARN_RATE)

    def _where_changed(self, image: Image) -> tuple[Mask, Mask, NDArray[np.float32], Image]:
        """Where the board differs from how it lay before, the same a puck wider, the light, and it in this light."""
        view = self._view
        assert view is not None and self._before is not None
        assert self._board_image is not None and self._reference_coarse is not None
        ratio = steady_light(image, self._board_image, view.roi)
        light = self._over_view(coarse_change(self._reference_coarse * ratio, self._reference_coarse).light())
        lit = Ground(self._before).lit((0, 0), self._before.shape, light)
        top = view.rectify(image)
        level = max(12.0, self._noise.threshold * 1.2)
        difference = cv2.absdiff(cv2.blur(top, (3, 3)), cv2.blur(lit, (3, 3)))
        busy = strongest(np.asarray(difference), level)
        busy = np.asarray(cv2.morphologyEx(busy, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))
        if self._unknown is not None:
            busy[self._unknown > 0] = 0
        return busy, _wider(busy, view.radius_px * 1.2), light, lit

    def _hand_in(self, busy: Mask, found: Sequence[SeenDisc]) -> Mask:
        """What of a change reaches in from outside, or is far more than pucks come and gone. (h, w) of 0 and 1"""
        view = self._view
        assert view is not None
        radius, area = view.radius_px, math.pi * view.radius_px**2
        outside = self._beyond_board(busy)
        odd = cv2.bitwise_and(busy, 1 - self._discs(busy, [d.place for d in found]))
        size = round(radius * 0.6) | 1
        odd = cv2.morphologyEx(odd, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
        strange = 1 - self._discs(busy, [p.place for p in self._pucks])
        hand = _reaching(np.asarray(odd), np.asarray(outside & strange), HAND_AT_EDGE * area)
        hand |= _reaching(np.asarray(odd), strange, HAND_SHARE * area)
        if not hand.any():
            return hand
        size = round(radius) | 1  # a hand is in one piece, whatever of it looks like the board
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        return np.asarray(cv2.morphologyEx(hand, cv2.MORPH_CLOSE, kernel))

    def _beyond_board(self, like: Mask) -> Mask:
        """Where the top view shows what lies beside the board. -> (h, w) of 0 and 1"""
        assert self._view is not None
        corners = np.array([(-BORDER_MM, -BORDER_MM), np.add(self.board.size, BORDER_MM)])
        (x0, y0), (x1, y1) = np.rint(self._view.px_from_mm(corners)).astype(int)
        outside = np.ones_like(like)
        outside[y0:y1, x0:x1] = 0
        return outside

    def _shift_mm(self, puck: Puck, tops: tuple[Image, Image]) -> tuple[float, float] | None:
        """How far a puck's own picture was shifted; None where it is not seen near its place any more."""
        assert self._view is not None
        x, y = self._view.px_from_mm(np.array([puck.place]))[0]
        shift = shift_px(*tops, (float(x), float(y)), self._view.radius_px)
        return None if shift is None else (float(shift[0] / self._view.scale), float(shift[1] / self._view.scale))

    def _still_there(self, puck: Puck, shift: tuple[float, float] | None, seen: Sequence[SeenDisc]) -> bool:
        """True where a puck's own picture is still in its place, although its outline was not found."""
        taken = any(d.team == puck.team and math.dist(d.place, puck.place) < self.board.puck.diameter_mm for d in seen)
        return shift is not None and math.hypot(*shift) < MOVED_UNSURE_MM and not taken

    def _was_away(self, puck: Puck) -> bool:
        """True where a puck's place showed something else in between: it left, and came back."""
        view, palette = self._view, self._palette
        assert view is not None and palette is not None
        px = view.px_from_mm(np.array([puck.place]))[0]
        r = view.radius_px * 0.6
        team = palette.names.index(puck.team)
        for record in self._records:
            x, y = px - record.corner
            part = record.cut(int(x - r), int(y - r), int(x + r) + 1, int(y + r) + 1)
            if part.size and palette.distances(median_colour(part.reshape(-1, 3))[None])[0, team] > AWAY_PAINT:
                return True
        return False

    def _other_paint(self, puck: Puck, tops: tuple[Image, Image]) -> bool:
        """True where a puck's place shows another colour than before. tops: the board before and now, in one light."""
        assert self._view is not None
        x, y = self._view.px_from_mm(np.array([puck.place]))[0]
        r = self._view.radius_px * 0.6
        part = (slice(max(int(y - r), 0), int(y + r) + 1), slice(max(int(x - r), 0), int(x + r) + 1))
        was, now = (median_colour(top[part].reshape(-1, 3)) for top in tops)
        return bool(np.abs(now - was).max() > max(OTHER_LEVEL, OTHER_SHARE * float(was.max())))

    def _looks_new(self, place: tuple[float, float], tops: tuple[Image, Image]) -> bool:
        """True where a puck's place does not look as it did, noise aside. tops: before and now, in one light."""
        assert self._view is not None
        x, y = self._view.px_from_mm(np.array([place]))[0]
        r = self._view.radius_px * 0.8
        part = (slice(max(int(y - r), 0), int(y + r) + 1), slice(max(int(x - r), 0), int(x + r) + 1))
        was, now = (top[part].reshape(-1, 3) for top in tops)
        return bool(np.abs(now.mean(axis=0) - was.mean(axis=0)).max() > NEW_LEVEL)

    def _discs(self, like: Mask, places: Sequence[tuple[float, float]]) -> Mask:
        """Mask of pucks' places, their sides and shadows included. -> (h, w) of 0 and 1"""
        assert self._view is not None
        mask = np.zeros_like(like)
        for x, y in self._view.px_from_mm(np.array(places).reshape(-1, 2)):
            cv2.circle(mask, (round(x), round(y)), round(HOLE * self._view.radius_px), 1, -1)
        return mask

    def _compare(
        self, where: Mask, found: Sequence[SeenDisc], hidden: Mask, tops: tuple[Image, Image]
    ) -> tuple[list[Rest], list[SeenDisc], list[tuple[str, tuple[float, float]]], list[Nudge]]:
        """Which pucks left their places, which discs lie where none lay, and where the others lie exactly."""
        near = [p for p in self._pucks if self._touched(where, p)]
        seen = [d for d in found if self._hidden_share(hidden, d.place) < HIDDEN_PART]
        vacated, stayed, used, nudges = [], [], [], []
        for puck in near:
            here = [d for d in seen if d.team == puck.team and math.dist(d.place, (puck.x_mm, puck.y_mm)) < LOOK_MM]
            best = min(here, key=lambda d: math.dist(d.place, (puck.x_mm, puck.y_mm)), default=None)
            away = math.dist(best.place, (puck.x_mm, puck.y_mm)) if best is not None else 99.0
            shift = self._shift_mm(puck, tops)
            if best is None and self._still_there(puck, shift, seen) and not self._other_paint(puck, tops):
                continue
            moved = math.hypot(*shift) if shift is not None else away
            if best is not None and moved > RETURNED_MM and away <= NUDGED_MM and self._was_away(puck):
                vacated.append(Rest(puck.puck, puck.team, puck.x_mm, puck.y_mm))
                continue
            bare = shift is None and self._other_paint(puck, tops)
            if best is not None and away <= NUDGED_MM:
                used.append(best)  # where the puck is gone, a ring printed under it, and no other puck
            if best is not None and away <= NUDGED_MM and not bare:
                if (end := _nudged(puck.place, best.place, shift)) is not None:
                    stayed.append((puck.puck, end))
                    nudges.append(Nudge(puck.puck, (puck.x_mm, puck.y_mm), end))
            elif self._hidden_share(hidden, puck.place) < HIDDEN_PART:
                vacated.append(Rest(puck.puck, puck.team, puck.x_mm, puck.y_mm))
        others = [p for p in self._pucks if p not in near]
        d = self.board.puck.diameter_mm
        appeared = [
            s for s in seen
            if s not in used and all(math.dist(s.place, (p.x_mm, p.y_mm)) > 0.6 * d for p in others)
            and (any(math.dist(s.place, r.place) < d for r in vacated) or self._looks_new(s.place, tops))
        ]  # fmt: skip
        return vacated, appeared, stayed, nudges

    def _only_nudged(
        self, nudges: Sequence[Nudge], found: Sequence[SeenDisc]
    ) -> tuple[list[Rest], list[SeenDisc]]:
        """Pucks that were moved a little while nothing else has changed, as by a very short flick. -> left, lie now"""
        vacated, appeared = [], []
        for nudge in (n for n in nudges if math.dist(n.start, n.end) >= LONE_NUDGE_MM):
            puck = self._pucks[nudge.puck]
            near = [d for d in found if d.team == puck.team and math.dist(d.place, nudge.end) < NUDGED_MM]
            if near:
                disc = min(near, key=lambda d: math.dist(d.place, nudge.end))
                vacated.append(Rest(puck.puck, puck.team, puck.x_mm, puck.y_mm))
                appeared.append(replace(disc, x_mm=nudge.end[0], y_mm=nudge.end[1]))
        return vacated, appeared

    def _hidden_share(self, hidden: Mask, place: tuple[float, float]) -> float:
        """Share of a puck's disc that a hand hides."""
        assert self._view is not None
        x, y = self._view.px_from_mm(np.array([place]))[0]
        r = self._view.radius_px
        part = hidden[max(int(y - r), 0) : max(int(y + r) + 1, 0), max(int(x - r), 0) : max(int(x + r) + 1, 0)]
        return float(part.mean()) if part.size else 0.0

    def _touched(self, where: Mask, puck: Puck) -> bool:
        assert self._view is not None
        x, y = self._view.px_from_mm(np.array([[puck.x_mm, puck.y_mm]]))[0]
        h, w = where.shape
        return bool(where[int(np.clip(round(y), 0, h - 1)), int(np.clip(round(x), 0, w - 1))])

    # -- telling ---------------------------------------------------------------------------------
    def _seen(self) -> tuple[PuckSeen, ...]:
        return self._pucks.seen()

    def _tell(
        self, episode: Episode, image: Image, stayed: dict[str, tuple[float, float]], was: tuple[Image, TopView]
    ) -> list[Event]:
        """What an episode came to. stayed: where pucks lie now that lay still, or were only shifted a little; was: the
        board as it lay before, from above."""
        events: list[Event] = []
        if episode.shot is not None:
            labels = {p.puck: f"{p.team} {p.number if p.number is not None else p.puck}" for p in self._pucks}
            now = stayed | {i: disc.place for i, disc in episode.ends.items()}
            events += self._tell_shot(episode.shot, now)
            self.explained = Explained(self._shot, episode.shot, *was, labels)
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
        if episode.shot is not None or episode.handled:
            self._read(image, [*episode.ends, *(p.puck for h, p in told if h.kind != "removed")])
        for handled, puck in told:
            kind = {"removed": PuckRemoved, "moved": PuckMoved, "placed": PuckPlaced}[handled.kind]
            events.append(kind(handled.time_s, puck.puck, *handled.place, puck.team, puck.number))
        return events

    def _tell_shot(self, shot: Shot, now: dict[str, tuple[float, float]]) -> list[Event]:
        """now: where pucks lie that lie elsewhere than before the shot."""
        self._shot += 1
        n = self._shot
        started = ShotStarted(shot.start_s, n, shot.flicked, self._seen(), shot.pushed)
        middle: list[Event] = [
            Contact(max(t.time_s, shot.start_s), n, t.striker, t.struck, t.x_mm, t.y_mm, t.confidence)
            for t in shot.graph.touches
        ]
        middle += [DoorCrossed(c.time_s, n, c.puck, c.door, c.direction, c.confidence) for c in shot.crossings]
        middle += [GatePassed(p.time_s, n, p.puck) for p in shot.passages]
        middle += [LeftBoard(p.time_s, n, p.puck) for p in shot.exits]
        middle.sort(key=lambda e: e.t)
        lost = {m.puck for m in shot.motions if m.end is None}
        lies = [
            replace(p.seen(), x_mm=now[i][0], y_mm=now[i][1]) if i in now else p.seen()
            for i, p in ((p.puck, p) for p in self._pucks) if i not in lost
        ]  # fmt: skip
        on_gate = tuple(p.puck for p in lies if lies_on_gate(self.board, p.x_mm, p.y_mm))
        last = max([shot.rest_s, *(e.t for e in middle)])
        return [started, *middle, ShotEnded(last, n, tuple(lies), on_gate, bool(shot.reasons), shot.reasons)]


def _nudged(
    place: tuple[float, float], disc: tuple[float, float], shift_mm: tuple[float, float] | None
) -> tuple[float, float] | None:
    """Where a puck lies now, by its picture's shift or else its outline; None where it has not moved."""
    if shift_mm is None:
        return disc if math.dist(disc, place) > MOVED_UNSURE_MM else None
    return (place[0] + shift_mm[0], place[1] + shift_mm[1]) if math.hypot(*shift_mm) > MOVED_MM else None


def _wider(mask: Mask, by_px: float) -> Mask:
    """A mask of 0 and 1, wider by so many pixels on all sides, to a pixel or two."""
    h, w = mask.shape
    half = np.asarray(cv2.resize(mask * np.uint8(255), ((w + 1) // 2, (h + 1) // 2), interpolation=cv2.INTER_AREA))
    size = round(by_px) | 1
    wide = cv2.dilate(half, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    return np.asarray(cv2.resize(wide, (w, h), interpolation=cv2.INTER_NEAREST) > 0, dtype=np.uint8)


def _reaching(change: Mask, outside: Mask, least: float) -> Mask:
    """The pieces of a mask of which more than `least` pixels lie outside. -> mask of 0 and 1"""
    if cv2.countNonZero(cv2.bitwise_and(change, change, mask=outside)) <= least:
        return np.zeros_like(change)
    out = np.zeros_like(change)
    for piece in pieces(change, least):
        if cv2.countNonZero(cv2.bitwise_and(piece.inside, outside[piece.window])) > least:
            out[piece.window] |= piece.inside
    return out


__all__ = ["BoardNotSeen", "CameraMoved", "LiveView", "Tracker"]
