"""What is known of the board: where it is seen, how it looks at rest, and what lies on it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from vision.board_at_rest import BoardAtRest, board_at_rest
from vision.bounces import Lying
from vision.camera_watch import CameraWatch
from vision.comparison import AWAY_PAINT, HIDDEN_PART, hidden_share
from vision.detection import interior_colours
from vision.doubtful import Doubtful
from vision.first_hand import FirstHand
from vision.frame_map import FrameMap
from vision.frames import Image
from vision.ghosts import UsualBoard
from vision.knock import FOUND_AGAIN_MM
from vision.records import Record, toned_records
from vision.reef_watch import ReefWatch
from vision.resting import SeenDisc, first_look
from vision.room_light import LEAST_LIGHT, Paints, RoomLight
from vision.roster import Roster, TrackedPuck
from vision.second_look import SecondLook
from vision.tone import Levels
from vision.view import TopView

Mask = NDArray[np.uint8]

PREROLL_S = 0.35  # kept from before the first change
READS = 6  # looks at the numbers of pucks that lie still …
READ_EVERY_S = 0.15  # … so long one after the other: in the next frame noise is much the same


class Known:
    """Keeps what is known of the board, and learns as it is looked at.

    rested: the board at rest as the camera stands now, None until it was looked at; before: its top view, or that from
    where the camera stood before; of_late: how it looked of late, while it lay still; still_s: for how long it has been
    lying still; time_s: of the newest frame.
    """

    def __init__(self, board: Board, camera: CameraWatch, named: int = 0) -> None:
        self.board, self.camera, self._named = board, camera, named
        self.room, self.paints, self.usual = RoomLight(), Paints(), UsualBoard()
        self.rested: BoardAtRest | None = None
        self.before: Image | None = None
        self.of_late: deque[Record] = deque()
        self.second_look, self.reefs = SecondLook(), ReefWatch(board)
        self.time_s = self.still_s = 0.0
        self._reads, self._read_s = 0, 0.0
        self._nothing_lies()

    def _nothing_lies(self) -> None:
        self.pucks = Roster(self.board, self._named)
        self.doubtful = Doubtful(self.pucks)
        self.first_hand = FirstHand()

    def begin_anew(self) -> None:
        """The board is to be looked at as if it had not been."""
        self.before = None
        self._nothing_lies()

    # -- where and in which light it is seen -----------------------------------------------------
    @property
    def view(self) -> TopView | None:
        """The board from above, as the camera stands now; None until the pose is known."""
        return self.camera.view

    @property
    def seen_from(self) -> tuple[TopView, FrameMap]:
        """The same where it is known, and where each of its places lies in a frame."""
        assert self.camera.view is not None and self.camera.frame_map is not None
        return self.camera.view, self.camera.frame_map

    @property
    def at_rest(self) -> BoardAtRest:
        """How it looks at rest, where it was looked at."""
        assert self.rested is not None
        return self.rested

    @property
    def threshold(self) -> float:
        """Grey levels beyond the camera's noise, and beyond what is left of lamps' stripes, of a camera's swings and of
        a coder's renewals."""
        return self.room.threshold(swings=self.camera.swings)

    @property
    def noise(self) -> float:
        """The same, but for the coder's renewals."""
        return self.room.noise(swings=self.camera.swings)

    @property
    def rest_threshold(self) -> float:
        """The same against the board at rest, whose noise grows with the light."""
        return self.room.rest_threshold(swings=self.camera.swings)

    def stand_elsewhere(self) -> None:
        """The board is seen from elsewhere now: how it looks at rest is not known until it is looked at anew."""
        self.rested = None
        self._view_is_another()

    def follow_down(self) -> None:
        """The camera has sagged while nothing stirred."""
        self.of_late.clear()
        self._view_is_another()

    def _view_is_another(self) -> None:
        self.usual = self.usual.from_elsewhere(self.seen_from[0].size)
        self.first_hand.veil = None
        self.reefs.forget_view()
        self.second_look.restart()  # the frames so far were of another view

    def straighten(self, curve: Levels) -> None:
        """Puts other levels in the levels' place in all pictures that are kept."""
        self.rested = self.at_rest.toned(curve)
        self.before = self.rested.top
        self.usual.tone(curve)
        self.first_hand.tone(curve)
        self.paints.toned(curve, self.rested)
        self._look_for_faint_paints()
        self.room.rests(self.rested)
        self.of_late = deque(toned_records(self.of_late, curve))
        self.camera.rewatch(self.rested.image)
        self.second_look.restart()
        self.reefs.forget_view()

    # -- how it looks at rest --------------------------------------------------------------------
    def refer(self, image: Image, unknown: Mask | None = None) -> None:
        """Takes a frame as what the board looks like at rest. unknown: where the top view has not been seen yet"""
        self.rested = board_at_rest(image, self.seen_from[1], [p.place for p in self.pucks], unknown)
        self.before = self.rested.top
        self.room.rests(self.rested)
        self.paints.rests(self.rested)
        self._look_for_faint_paints()
        self.usual.look(self.before)

    def _look_for_faint_paints(self) -> None:
        """The board at rest, or its light or levels, are other ones now."""
        palette = self.paints.palette
        assert palette is not None
        self.rested = self.at_rest.looked_for({t: palette.bgr(t) for t in sorted({p.team for p in self.pucks})})

    def keep(self, record: Record) -> None:
        """A frame in which the board lies still."""
        self.of_late.append(record)
        while len(self.of_late) > 1 and record.time_s - self.of_late[0].time_s > PREROLL_S:
            self.of_late.popleft()

    def light_is(self, light: NDArray[np.float32]) -> None:
        """The board at rest is seen in another light from now on. light: that against the one before, over the view"""
        now = np.maximum(light, LEAST_LIGHT).astype(np.float32)
        self.of_late = deque(replace(r, light=np.asarray(r.light / now)) for r in self.of_late)

    def relit(self) -> None:
        """It is seen in quite another light from now on, in which nothing was seen before."""
        self.of_late.clear()
        self.second_look.restart()

    def before_from_here(self) -> Image:
        """The board as it was last seen at rest, in the size of today's top view. -> (h, w, 3)"""
        assert self.before is not None
        size = self.seen_from[0].size
        return np.asarray(cv2.resize(self.before, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)

    def learn(self, image: Image) -> None:
        """Teams' colours as the light is now."""
        pucks = list(self.pucks)
        if pucks:
            colours = interior_colours(image, self.seen_from[0], np.array([p.place for p in pucks]))
            self.paints.learn(colours, [p.team for p in pucks], self.at_rest)

    # -- what lies on it -------------------------------------------------------------------------
    def read(self, image: Image, only: list[str] | None = None) -> None:
        """Reads the numbers of the pucks. only: of those with these ids"""
        self.pucks.read_numbers(image, self.seen_from[0], only)
        self._reads = self._reads + 1 if only is None else 1
        self._read_s = self.time_s

    def read_on(self, image: Image) -> None:
        """Nothing stirs: reads the numbers again now and then, until that was done often enough."""
        if self._reads < READS and self.time_s - self._read_s > READ_EVERY_S:
            self.read(image)

    def read_anew(self) -> None:
        """The numbers are to be read as if they had not been."""
        self._reads = 0

    def look_for_faint(self, mean: Image, played: bool) -> None:
        """Looks for pucks that one frame's noise hid, and for what it made up.

        mean: of many frames at rest; played: whether a shot was told
        """
        assert self.paints.palette is not None
        new = self.doubtful.look(mean, self.seen_from[0], self.paints.palette, self.reefs.corners(), played)
        if new is not None:
            self.read(mean, new)
            self.reefs.forget_view()
            self.reefs.due = True  # where they were taken for something else, or something else for them

    def unveil(self, image: Image, ran: Iterable[str]) -> None:
        """Where a hand was when the board was looked at first: what it hid, or seemed to be, is set right.

        ran: ids of pucks of the last shot
        """
        veil = self.first_hand.lifted()
        if veil is None:
            return
        view = self.seen_from[0]
        seen, palette = first_look(image, view)
        if {d.team for d in seen} == set(palette.names):
            self.paints.seen(palette)
        self.doubtful.unveil(seen, view, veil, ran)
        self.read_anew()

    def lay_there(self, disc: SeenDisc) -> bool:
        """True where a disc may be a puck of its team that lay there before."""
        return any(p.team == disc.team and math.dist(p.place, disc.place) < FOUND_AGAIN_MM for p in self.pucks)

    def shows_other(self, image: Image, puck: TrackedPuck) -> bool:
        """True where a puck's place shows something that is not its team's paint."""
        palette = self.paints.palette
        assert palette is not None
        colour = interior_colours(image, self.seen_from[0], np.array([puck.place]))
        return bool(palette.distances(colour)[0, palette.names.index(puck.team)] > AWAY_PAINT)

    def hides_puck(self, hand: Mask) -> bool:
        """True where a hand (h, w) of the top view hides the place of a puck, as far as was known."""
        view = self.seen_from[0]
        return any(hidden_share(view, hand, p.place) >= HIDDEN_PART for p in self.pucks)

    def lying(self, but: Collection[str]) -> list[Lying]:
        """The pucks but those with these ids."""
        return [Lying(p.puck, p.x_mm, p.y_mm, p.team) for p in self.pucks if p.puck not in but]
