"""What a frame shows of the board, but for what the camera, the room and people beside it do to its picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_at_rest import Change
from vision.bystanders import Bystanders
from vision.differencing import CoarseChange, beyond, small_gray
from vision.frames import Frame, Image
from vision.known import Known
from vision.renewals import bold
from vision.repeats import Repeats
from vision.resting_arms import RestingArms
from vision.rims import Shadows
from vision.small_pictures import coarse_of
from vision.stirs import MOTION_SHARE
from vision.tone import Levels, toned

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame as it counts.

    frame: with its picture as if no sharp shadows lay and no arms rested on the board; came: the picture before these
    were taken out; gray: its small grey picture; difference: by how many grey levels it differs from the frame before,
    where the board is; motion: of 0 and 255, where that is more than noise; fades: light is going on or off; coarse:
    how its blocks differ from the board at rest, change: how it does so itself, both None where that is not known;
    moving: something moves in it; still_s: for how long nothing has, where that was not known so far.
    """

    frame: Frame
    came: Image
    gray: Image
    difference: Image
    motion: Mask
    fades: bool
    coarse: CoarseChange | None
    change: Change | None
    moving: bool = False
    still_s: float = 0.0


class Sight:
    """Looks at frames, one after the other: differencing against the frame before, and against the board at rest.

    held: the last frame as a camera that stands still would have seen it, None where there was nothing to see in it;
    lay: the same as it came, if the board lay still in it; light: that of the last frame against the board at rest,
    over the top view, where no shadow is about; arms: which rest on the board; bystanders: who are beside it
    """

    def __init__(self, known: Known, frame_s: float) -> None:
        self._known, self._seems_s = known, frame_s
        self._repeats = Repeats()
        self._missed = 0  # with frames that were repeats
        self._shadows = Shadows()
        self.bystanders, self.arms = Bystanders(), RestingArms()
        self.held: Image | None = None
        self.lay: Image | None = None
        self.light: NDArray[np.float32] | None = None
        self._came: Image | None = None  # its small grey picture, and the same without shadows
        self._previous: Image | None = None

    @property
    def frame_s(self) -> float:
        """How long it takes from one frame to the next."""
        return self._seems_s * self._repeats.stretch

    @property
    def goes_on(self) -> bool:
        """Whether there is a frame before the next one to be compared with."""
        return self._previous is not None

    @property
    def in_shadow(self) -> bool:
        """Whether sharp shadows are taken out of frames."""
        return self._shadows.divides

    def small(self, image: Image) -> Image:
        """A frame's small grey picture."""
        view = self._known.seen_from[0]
        return small_gray(image, view.roi, view.step)

    def unrepeated(self, frame: Frame, gray: Image) -> Frame | None:
        """A frame, with those that were missed before it; None where it is the one before once more.

        gray: its small grey picture
        """
        if self._repeats.repeated(gray):
            self._missed += frame.lost
            return None
        missed, self._missed = self._missed, 0
        return replace(frame, missed=frame.missed + missed) if missed else frame

    def see(self, frame: Frame, gray: Image, dt: float, *, still: bool) -> Seen | None:
        """The next frame, dt seconds after the one before. None where there is none to compare it with.

        gray: its small grey picture; still: whether the board lay still until then
        """
        known, came, self.lay = self._known, frame.image, None
        frame_map = known.seen_from[1]
        frame, gray = known.camera.steadied(frame, gray, self._came if still else None, known.threshold)
        self.held, self._came = frame.image, gray
        frame, gray, switched, coarse = self._without_shadows(frame, gray)
        previous, self._previous = gray if switched else self._previous, gray
        if previous is None or previous.shape != gray.shape:
            return None
        previous, fades = known.room.compared(gray, previous, dt, alike=not switched)
        difference = np.asarray(cv2.bitwise_and(cv2.absdiff(gray, previous), frame_map.looked_at), dtype=np.uint8)
        change, rested = None, known.rested
        if coarse is not None and rested is not None:
            known.room.against_rest(coarse, rested)
            change = rested.change(frame.image, gray, known.rest_threshold, coarse)
        return Seen(frame, came, gray, difference, beyond(difference, known.threshold), fades, coarse, change)

    def _without_shadows(self, frame: Frame, gray: Image) -> tuple[Frame, Image, bool, CoarseChange | None]:
        """A frame and its small grey picture without sharp shadows; whether these were left in the frame before, or the
        other way round, so that both are not to be compared; and how its blocks differ from the board at rest."""
        rested = self._known.rested
        if rested is None:
            return frame, gray, False, None
        was = self._shadows.divides
        coarse = rested.coarse_change(frame.image, coarse_of(frame, rested.frame_map.view))
        even = self._shadows.divided_out(frame.image, rested.image, coarse, rested.frame_map.view.roi)
        if not self._shadows.divides:
            return frame, gray, was, coarse
        self.light = rested.frame_map.over_view(coarse.light())
        return replace(frame, image=even), self.small(even), not was, rested.coarse_change(even)

    def without_people(self, seen: Seen, dt: float) -> Seen:
        """What is seen without arms that rest on the board and people beside it, dt seconds after the frame before."""
        frame_map = self._known.seen_from[1]
        seen = self._without_arms(seen, dt)
        change = seen.change
        differs = seen.motion if change is None else change.mask
        motion, differing = self.bystanders.without(seen.motion, differs, frame_map, dt)
        moving, still_s = self._moves(seen, motion, dt)
        if change is not None:
            change = Change(differing, change.box, change.light)
            if not self._shadows.divides:
                self.light = change.light
        return replace(seen, motion=motion, change=change, moving=moving, still_s=still_s)

    def _moves(self, seen: Seen, motion: Mask, dt: float) -> tuple[bool, float]:
        """Whether something moves in a frame, dt seconds after the one before, other than what a coder renews; and for
        how long nothing has. motion: without people"""
        known, renewals = self._known, self._known.room.renewals
        much = MOTION_SHARE * known.seen_from[1].puck_area
        moving = stirs = boldly = seen.fades or cv2.countNonZero(motion) > much
        if moving and not seen.fades:
            level = known.room.level if known.rested is not None else cv2.mean(seen.gray)[0]
            strong = beyond(seen.difference, bold(level, known.noise))
            boldly = cv2.countNonZero(cv2.bitwise_and(motion, strong)) > much
        elif renewals.seen and not stirs:
            stirs = cv2.countNonZero(beyond(seen.difference, known.noise)) > much
        renewals.look(stirs=stirs, boldly=boldly, dt=dt)
        return (False, renewals.still_s) if moving and renewals.only else (moving, 0.0)

    def _without_arms(self, seen: Seen, dt: float) -> Seen:
        """A frame as if no arms rested on the board; what is left of a hand that was there at first is none."""
        known, frame, coarse, change = self._known, seen.frame, seen.coarse, seen.change
        rested, first = known.rested, known.first_hand
        if rested is None or coarse is None or change is None:
            return seen
        first.passes(dt)
        if known.room.relit:  # what is left of the board in the light of before is no arm
            self.arms = RestingArms()
        if first.doubted or known.room.relit:
            return seen
        places = [p.place for p in known.pucks]
        arms = self.arms.look(frame, change.mask, rested, coarse, known.rest_threshold, places)
        if arms is None:
            return seen
        image = rested.without(frame.image, rested.frame_map.over_frame(arms, frame.image), coarse)
        change = rested.change(image, self.small(image), known.rest_threshold)
        motion = np.asarray(cv2.subtract(seen.motion, self.arms.lately), dtype=np.uint8)
        return replace(seen, frame=replace(frame, image=image), motion=motion, change=change)

    def refer(self, image: Image, unknown: Mask | None = None) -> Image:
        """Takes a frame as what the board looks like at rest, as it came where a shadow has left it. -> that

        unknown: where the top view has not been seen yet
        """
        if (lit := self._shadows.left(image)) is not None:
            image, self._previous = lit, self._came
            self._known.relit()
            self._shadows = Shadows()
        self._known.refer(image, unknown)
        return image

    def heed_no_shadows(self) -> None:
        """Those that were about are no longer known to be."""
        self._shadows = Shadows()

    def stand_elsewhere(self) -> None:
        """The board is seen from elsewhere now."""
        self.lay = self._came = self._previous = None
        self._shadows, self.bystanders, self.arms = Shadows(), Bystanders(), RestingArms()

    def follow_down(self) -> None:
        """The camera has sagged while nothing stirred: the board is looked at from where it stands now, in the last
        frame in which all lay still, as something may come in just now."""
        assert self.lay is not None
        self._came = self._previous = self.small(self.lay)
        self.refer(self.lay)

    def straighten(self, curve: Levels, image: Image) -> None:
        """Puts other levels in the levels' place in all pictures that are kept. image: the last frame"""
        self.lay = None
        self._shadows, self.arms = Shadows(), RestingArms()
        self._came = self._previous = self.small(toned(image, curve))
