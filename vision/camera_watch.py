"""Where the camera stands: the board is looked for at first; from then on it is watched whether that still holds."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from calibration.board import Board
from calibration.drift import DriftWatch, corners_apart_px, pose_now
from calibration.lens import USUAL_WIDTH_PX, CalibrationError, Lens
from calibration.marker_pose import MarkerPose, TooFewMarkers, find_pose
from calibration.markers import gray_image, why_not_found
from calibration.pose import Pose
from calibration.pose_doubts import marker_doubts, small_pucks
from calibration.steady import Steadier
from vision.differencing import small_gray
from vision.events import CameraMoved
from vision.frame_map import FrameMap, make_frame_map
from vision.frames import Frame, Image
from vision.stirs import MOTION_SHARE
from vision.view import TopView, make_view

POSE_FRAMES = 3  # pictures whose markers are averaged
TOO_FEW = "pictures that came before the source ended: {}; expected {} or more, in which the board is looked for"
OUTLINE_EVERY = 30  # frames between looks for a board without markers: a look takes half a second
CALIBRATED_PX = 2.0  # at 1280 pixels' width: a camera whose markers lie further off was moved since it was calibrated
NOISE_STEP = 30.0  # mean grey levels from one pixel to the next: even a dark room's picture has no half of that
NOISE_ROWS = 8  # every eighth row of pixels is looked at
NOISE = (
    "the picture is nothing but noise, from each pixel to the next; expected a picture of the board: check the "
    "camera's cable, or that the film was made by a camera"
)
KNOCK_PX = 1.2  # markers displaced by more than this: the camera was knocked
DRIFT_EVERY = 5  # frames between looks at the pose while nothing happens
MENDED_S = 5.0  # until it is looked whether doubtful markers are so no more; each time in vain twice as long …
MENDED_MOST_S = 60.0  # … up to this: a look takes some frames
STIRS = 0.5  # of the threshold and of the pixels by which the board stirs: of less there is no camera that swings


def to_nobody(_said: str) -> None:
    """Where nobody is to be told."""


def is_noise(image: Image) -> bool:
    """True where a picture, (H, W, 3) BGR, changes from each pixel to the next as no camera's does."""
    gray = gray_image(np.ascontiguousarray(image[::NOISE_ROWS]))
    return float(cv2.absdiff(gray[:, 1:], gray[:, :-1]).mean()) > NOISE_STEP


class CameraWatch:
    """Finds the board's pose and watches it. size: (width, height) of the frames; pose: as calibrated, if it was; tell:
    is told what is doubtful about the pose that is found.

    straight: a lens that nobody measured is taken to be free of distortion, whatever the markers show.
    Raises CalibrationError where the lens or the pose was measured on pictures of another shape, or where the camera of
    that pose does not look at the board.
    """

    def __init__(
        self, board: Board, size: tuple[int, int], lens: Lens | None, pose: Pose | None,
        tell: Callable[[str], None] = to_nobody, straight: bool = False,
    ) -> None:  # fmt: skip
        self.frame_map: FrameMap | None = None  # None until the pose is known
        self._why = ""  # why it was not found in the last look …
        self._unfound: Image | None = None  # … or in which picture, where that was not looked into
        self.knocked = False
        self.sagged = False  # in the frame that was asked about last
        self._found_by: list[str] = []  # what is to be said of the markers by which the board was found …
        self._markers = 0  # … how many these are …
        self._again_s, self._wait_s = 0.0, MENDED_S  # … and when it is next looked for more
        self._board, self._size, self._tell = board, size, tell
        self._lens, self._straight = lens.for_size(size) if lens is not None else None, straight
        self._given: Pose | None = None  # until the first look has shown that the camera still stands there
        self._tries: deque[Image] = deque(maxlen=POSE_FRAMES)
        self._watch: DriftWatch | None = None
        self._first_watch: DriftWatch | None = None  # until the first look
        self._steadier = Steadier()
        if pose is not None:
            self._given = pose.for_size(size)
            _refuse_what_sees_no_board(self._given, board, size)
            self._take(self._given)

    @property
    def view(self) -> TopView | None:
        """The board from above, as the camera stands now; None until the pose is known."""
        return self.frame_map.view if self.frame_map is not None else None

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is to be said of how the board was found and of where the camera stands now, a sentence each."""
        return (*self._found_by, *(small_pucks(self.view.pose, self._board) if self.view is not None else ()))

    @property
    def swings(self) -> bool:
        """True where the camera trembles or swings, which is taken out of its pictures."""
        return self._steadier.swings

    def sees(self, image: Image) -> bool:
        """True where a frame shows anything of what the camera is watched by, or there is nothing of that kind."""
        return self._watch is None or not self._watch.watches or bool(self._watch.shifts(image))

    @property
    def why(self) -> str:
        """Why the board was not found in the last look, or not looked for yet; empty where no picture has come."""
        if self._unfound is not None:
            self._why, self._unfound = why_not_found(self._unfound, self._board), None
        return self._why or (TOO_FEW.format(len(self._tries), POSE_FRAMES) if self._tries else "")

    def find(self, frame: Frame) -> bool:
        """Looks for the board in the next frame while the pose is not known. -> whether it is known now"""
        if is_noise(frame.image):  # in which each look for markers would take a second
            self._why, self._unfound = NOISE, None
            return False
        self._tries.append(frame.image)  # those in which the board was not found are not looked at again
        if len(self._tries) < POSE_FRAMES or (self._why and not self._board.markers and frame.index % OUTLINE_EVERY):
            return False
        try:
            found = find_pose(list(self._tries), self._board, self._lens, explain=False, straight=self._straight)
        except TooFewMarkers:
            self._unfound = self._tries[0]
            return False
        except CalibrationError as error:
            self._why, self._unfound = str(error), None
            return False
        finally:
            self._tries.clear()
        self._found(found, frame.time_s)
        return True

    def moved_since_calibrated(self, frame: Frame) -> list[CameraMoved]:
        """Whether the camera has been moved since its calibration was made, by the markers in a first look."""
        given, self._given = self._given, None
        seen = pose_now(self._board, given, frame.image) if given is not None else None
        if seen is None or seen[1] < CALIBRATED_PX * self._size[0] / USUAL_WIDTH_PX:
            return []
        self._take(seen[0])
        return [CameraMoved(frame.time_s, seen[1], True)]

    def watch_from(self, image: Image) -> None:
        """Watches the camera from a frame on, which shows how it stands."""
        assert self.view is not None
        self._watch, self._steadier = DriftWatch(self._board, self.view.pose, image), Steadier()

    def rewatch(self, image: Image) -> None:
        """The same where it is watched already: its pictures' levels are other ones now."""
        if self._watch is not None:
            self.watch_from(image)

    def check(self, frame: Frame, busy: bool, still: bool = False) -> list[CameraMoved] | None:
        """Asks whether the camera still stands where it stood. busy: something is going on, or the board is to be
        looked at anew; still: nothing stirs.

        -> None: it does, or a hand hides everything. Otherwise what is to be told, and the frame shows nothing else.
        Where nothing stirs a camera that has sagged a little is followed without a word: sagged, and nothing is to be
        told.
        """
        self.sagged = False
        if still and not busy and (mended := self._mended(frame)) is not None:
            return mended
        often = busy or self.knocked or self.swings  # then patches are looked at anyway
        if self._watch is None or (frame.index % DRIFT_EVERY and not often):
            return None
        report = self._watch.check(frame.image, hold=busy or not still)
        shift = report.shift_px if math.isfinite(report.shift_px) else 0.0
        if report.pose is not None and report.sagged:
            self._take(report.pose)
            self.sagged = True
            return []
        if report.pose is not None:
            if not self.knocked and (busy or shift < KNOCK_PX):
                return None
            self.knocked = False
            self._take(report.pose)
            return [CameraMoved(frame.time_s, shift, True)]
        if report.moved and not self.knocked:
            self.knocked = True
            return [CameraMoved(frame.time_s, shift, False)]
        return [] if self.knocked else None

    def _mended(self, frame: Frame) -> list[CameraMoved] | None:
        """As check, where markers were hidden or crooked when the board was found, and fewer are now."""
        more = bool(self._found_by) and self._markers < len(self._board.markers)
        if not more or frame.time_s < self._again_s or self.knocked or self.view is None:
            return None
        self._wait_s = min(2 * self._wait_s, MENDED_MOST_S)
        self._again_s = frame.time_s + self._wait_s
        try:
            found = find_pose(frame.image, self._board, self._lens, explain=False, straight=self._straight)
        except CalibrationError:
            return None
        if len(found.markers) <= self._markers:
            return None
        shift = corners_apart_px(self._board, found.pose, self.view.pose)
        self._found(found, frame.time_s)
        self.watch_from(frame.image)
        self.sagged = shift < KNOCK_PX
        return [] if self.sagged else [CameraMoved(frame.time_s, shift, True)]

    def _found(self, found: MarkerPose, time_s: float) -> None:
        """Takes a pose that was found, and tells what is doubtful about it."""
        self._take(found.pose)
        self._found_by = marker_doubts(found, self._board, self._lens is not None)
        self._markers, self._wait_s = len(found.markers), MENDED_S
        self._again_s = time_s + self._wait_s
        for doubt in self.doubts:
            self._tell(doubt)

    def steadied(
        self, frame: Frame, gray: Image, rested_before: Image | None, threshold: float
    ) -> tuple[Frame, Image]:  # fmt: skip
        """A frame and its small grey picture as the camera would have seen them had it not trembled nor swung.

        rested_before: the small grey picture of the frame before, where the board has been resting until now;
        threshold: grey levels of noise
        """
        view, frame_map = self.view, self.frame_map
        assert view is not None and frame_map is not None
        if rested_before is not None and not self._steadier.swings:
            stirs = cv2.absdiff(gray, rested_before)
            stirs = cv2.threshold(stirs, STIRS * threshold, 255, cv2.THRESH_BINARY)[1]
            if cv2.countNonZero(stirs) < STIRS * MOTION_SHARE * frame_map.puck_area:
                return frame, gray
        if self._watch is None and self._first_watch is None:
            self._first_watch = DriftWatch(self._board, view.pose, frame.image)
        watch = self._watch or self._first_watch
        assert watch is not None
        image = self._steadier.steadied(frame.image, frame.time_s, watch)
        if image is frame.image:
            return frame, gray
        return replace(frame, image=image), small_gray(image, view.roi, view.step)

    def _take(self, pose: Pose) -> None:
        self.frame_map = make_frame_map(make_view(self._board, pose, self._size), self._size)
        self._first_watch = None
        self._steadier = Steadier()


def _refuse_what_sees_no_board(pose: Pose, board: Board, size: tuple[int, int]) -> None:
    """Raises CalibrationError where the camera of a pose is not above the board, or does not see its middle."""
    up_mm = float(pose.camera_mm()[2])
    middle = pose.image_from_board(np.array([[board.size[0] / 2, board.size[1] / 2, 0.0]]))[0]
    if up_mm > 0 and np.isfinite(middle).all() and 0 <= middle[0] <= size[0] and 0 <= middle[1] <= size[1]:
        return
    raise CalibrationError(
        f"by the calibration the camera is {up_mm:.0f} mm above the board and sees its middle at ({middle[0]:.0f}, "
        f"{middle[1]:.0f}) pixels; expected it above the board, and that in the picture of {size[0]}x{size[1]}: "
        "calibrate the pose anew (paleo calibrate pose)"
    )
