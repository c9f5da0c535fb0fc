"""Watches whether the camera still stands where it stood: knocked, slowly sagging, or only hidden by a hand.

Every frame costs a few small matrix products (patches.py). Only when these fail, or say that the view moved, is the
board looked for again: by its markers, or by the picture of the board where they are hidden or it has none.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.lens import USUAL_WIDTH_PX, CalibrationError
from calibration.marker_pose import pose_from_markers
from calibration.markers import find_markers, find_markers_near, gray_image, own_markers
from calibration.medians import median_colour
from calibration.patches import Patch, make_patches
from calibration.pose import Pose
from calibration.pose_fit import fit_pose, surface_corners_mm

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

PATCH_PX = 28  # side of a patch on the board's picture
MARKER_PATCH = 1.25  # side of a marker's patch, in marker sides
PATCHES = 8  # patches where the board has no markers: enough that pucks and hands on some do not matter
# at 1280 pixels' width: a view shifted by more no longer fits its calibration (0.6 mm on a board). Without markers a
# smaller picture shows no smaller shift
SHIFT_PX = 0.5
SLOW_FRAMES = 15  # frames over which a small shift must last: sagging is slow, vibration is not
# at 1280 pixels' width: a view shifted by less, whose patches were seen all along, was not knocked but sags
SAG_PX = 1.2
# of the patches: where fewer are seen, and those have shifted, the view may be turned rather than hidden by hands
FEW_SEEN = 0.5
# frames without any patch before the board is looked for: a hand on all of them is rare, a knock is not
LOST_FRAMES = 3
SEARCH_EVERY = 8  # frames between searches that find nothing: a search costs some 30 ms
STEADY_PX = 0.4  # two looks whose corners differ by less (at 1280 pixels' width) show a camera that stands still again
PATIENCE = 20  # looks after which two markers are enough for a new pose, where three or more were there before
FEATURES = 400  # points of the board's picture that are followed at most
MIN_FEATURES = 30  # points of the board's picture that must be found again for a pose without markers …
MIN_INLIERS = 0.5  # … and the part of them that must move together: the others are pucks and hands
# points further from where all have moved together have moved by themselves, or were taken for others; half of that for
# those that are followed there and back
FEATURE_TOLERANCE_PX = 1.5


@dataclass(frozen=True, slots=True)
class DriftReport:
    """What the watch says of a frame.

    shift_px: how far the view lies from that of the watch's pose (nan: not known); moved: the watch's pose no longer
    holds; pose: the new pose when it holds again, given once; from then on it is the watch's own; sagged: it lies
    near the one before, and patches were seen all along.
    """

    shift_px: float
    moved: bool
    pose: Pose | None
    sagged: bool = False


@dataclass(frozen=True, slots=True)
class Shift:
    """How far a patch has moved.

    middle: pixels, x and y; shift: (2,) pixels; explained: the part of the patch's variance that this explains.
    """

    middle: tuple[float, float]
    shift: FloatArray
    explained: float


class DriftWatch:
    """Watches a camera that was calibrated in `reference`, a picture (H, W) or (H, W, 3) that the pose belongs to."""

    def __init__(self, board: Board, pose: Pose, reference: Image) -> None:
        self.board = board
        self._width = reference.shape[1] / USUAL_WIDTH_PX
        self._most_markers = 0
        self._patches: list[Patch] = []
        self._seen: tuple[Image, list[Shift]] | None = None  # in the last frame
        self._needed = 1
        self._pose, self._reference = pose, reference
        self._moved = False
        self._lost = self._slow = self._far = self._looks = self._next_look = 0
        self._last: FloatArray | None = None
        self._take(pose, reference)

    @property
    def pose(self) -> Pose:
        """The pose that last held."""
        return self._pose

    @property
    def watches(self) -> bool:
        """True where there is anything by which the camera is watched."""
        return bool(self._patches)

    @property
    def squares(self) -> list[tuple[int, int, int]]:
        """What it looks at of a frame: left, top and side of each patch."""
        return [(p.left, p.top, p.side) for p in self._patches]

    def shifts(self, image: Image) -> list[Shift]:
        """How far each patch has moved that a frame shows. Pictures must not be written over afterwards."""
        if self._seen is None or self._seen[0] is not image:
            found = [Shift(p.middle, *seen) for p in self._patches if (seen := p.seen(image)) is not None]
            self._seen = (image, found)
        return self._seen[1]

    def check(self, image: Image, hold: bool = False) -> DriftReport:
        """Looks at the next frame: (H, W) or (H, W, 3). Some 0.1 ms while the camera stands still.

        hold: for a while yet no new pose is wanted where the camera only sags a little.
        """
        seen = [s.shift for s in self.shifts(image)]
        if len(seen) >= self._needed and not self._moved:
            self._lost = 0
            shift = float(np.linalg.norm(median_colour(np.array(seen))))
            each = np.sort(np.linalg.norm(seen, axis=1))
            far = max(shift, float(each[(len(each) - 1) // 2]))  # a turn shifts each to another side
            self._slow = self._slow + 1 if far > SHIFT_PX * self._width else 0
            self._far = self._far + 1 if far >= SAG_PX * self._width else 0
            sags, few = far < SAG_PX * self._width, len(seen) < FEW_SEEN * len(self._patches)
            if (self._slow < SLOW_FRAMES or (hold and not few)) if sags else self._far < SLOW_FRAMES:
                self._last = None  # two looks in turn must agree
                return DriftReport(shift, False, None)
            self._slow = self._far = 0
            return self._look(image, sags, hold)
        self._lost += 1
        if self._lost < self._next_look:
            return DriftReport(float("nan"), self._moved, None)
        return self._look(image)

    def _take(self, pose: Pose, image: Image) -> None:
        """Makes a pose and its picture the reference."""
        self._pose, self._moved, self._lost, self._looks = pose, False, 0, 0
        self._slow = self._far = 0  # frames in which a view had shifted, and so far that it does not only sag
        self._next_look = LOST_FRAMES
        self._last = None
        self._reference = gray_image(image).copy()
        self._seen = None
        self._patches = _marker_patches(self.board, pose, self._reference)
        self._most_markers = max(self._most_markers, len(self._patches))
        self._needed = 1
        if not self._patches:
            self._patches = _picture_patches(self.board, pose, self._reference)
            self._needed = max(2, len(self._patches) // 3)

    def _look(self, image: Image, sags: bool = False, hold: bool = False) -> DriftReport:
        """Looks for the board: not moved, moved and still moving, or the new pose. sags: it only sags, if it does;
        hold: then no new pose is wanted yet"""
        self._looks += 1
        gray = gray_image(image)
        by_markers = self._look_for_markers(gray)
        found = by_markers or self._look_for_picture(gray)
        least = SHIFT_PX * (self._width if by_markers else max(self._width, 1.0))
        if found is None:
            self._next_look = self._lost + SEARCH_EVERY
            return DriftReport(float("nan"), self._moved, None)
        corners = found.image_from_board(surface_corners_mm(self.board))
        shift = _distance(corners, self._pose.image_from_board(surface_corners_mm(self.board)))
        steady = self._last is not None and _distance(corners, self._last) < STEADY_PX * self._width
        self._last, self._next_look = corners, 0
        if shift <= least:
            if self._moved and steady:
                self._take(found, gray)
                return DriftReport(0.0, False, found)
            self._lost, self._looks, self._next_look = 0, 0, LOST_FRAMES
            return DriftReport(shift, self._moved, None)
        sags = sags and shift < SAG_PX * self._width
        if sags and hold:
            self._looks = 0
            return DriftReport(shift, False, None)
        known, self._moved = self._moved or sags, not sags
        if not steady or not known:  # no pose is given before it was told that the old one does not hold
            self._slow = SLOW_FRAMES if sags else 0  # the next look follows at once
            return DriftReport(shift, self._moved, None)
        self._take(found, gray)
        return DriftReport(shift, False, found, sags)

    def _look_for_markers(self, gray: Image) -> Pose | None:
        """The pose by the markers in a frame, or None: near where they were, else anywhere."""
        expected = {m.id: self._pose.image_from_board(m.corners_mm()) for m in own_markers(self.board)}
        markers = find_markers_near(gray, self.board, expected)
        enough = min(self._most_markers, 3) if self._looks < PATIENCE else 2
        if len(markers) < max(enough, 2):
            markers = find_markers(gray, self.board)
        if len(markers) < max(enough, 2):
            return None
        try:
            return pose_from_markers(markers, self.board, (gray.shape[1], gray.shape[0]), self._pose.lens).pose
        except CalibrationError:
            return None

    def _look_for_picture(self, gray: Image) -> Pose | None:
        """The pose by how the board's picture has moved since the reference, or None."""
        mask = _board_mask(self.board, self._pose, gray)
        start = cv2.goodFeaturesToTrack(self._reference, FEATURES, 0.01, 7, mask=mask)
        if start is None or len(start) < MIN_FEATURES:
            return None
        end, good = _followed(self._reference, gray, np.asarray(start))
        back, good_back = _followed(gray, self._reference, end)
        same = np.linalg.norm((back - start).reshape(-1, 2), axis=1) < FEATURE_TOLERANCE_PX / 2
        kept = good & good_back & same
        if int(kept.sum()) < MIN_FEATURES:
            return None
        moved, inliers = cv2.findHomography(start[kept], end[kept], cv2.RANSAC, FEATURE_TOLERANCE_PX)
        if moved is None or int(inliers.sum()) < max(MIN_FEATURES, MIN_INLIERS * len(start)):
            return None
        points = _grid_mm(self.board)
        pixels = cv2.perspectiveTransform(self._pose.image_from_board(points).reshape(-1, 1, 2), moved)
        try:
            return fit_pose(np.asarray(pixels, dtype=np.float64), points, self._pose.lens)
        except CalibrationError:
            return None


def pose_now(board: Board, pose: Pose, image: Image) -> tuple[Pose, float] | None:
    """The pose by the markers in a picture, and how many pixels the surface's corners lie from where a pose has them.

    None where fewer than three markers are seen, or than all that the board has.
    """
    gray = gray_image(image)
    markers = find_markers(gray, board)
    if len(markers) < min(len(board.markers), 3) or not markers:
        return None
    try:
        found = pose_from_markers(markers, board, (gray.shape[1], gray.shape[0]), pose.lens).pose
    except CalibrationError:
        return None
    return found, corners_apart_px(board, found, pose)


def corners_apart_px(board: Board, pose: Pose, other: Pose) -> float:
    """How many pixels the surface's corners lie from where another pose has them, in the mean."""
    corners = surface_corners_mm(board)
    return _distance(pose.image_from_board(corners), other.image_from_board(corners))


def _followed(
    before: Image, after: Image, points: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Follows points (N, 1, 2) from one picture to another: their places, and which were found."""
    empty = np.empty_like(points)
    end, good, _ = cv2.calcOpticalFlowPyrLK(before, after, points, empty, winSize=(21, 21), maxLevel=4)
    return np.asarray(end, dtype=np.float32), np.asarray(good).ravel().astype(np.bool_)


def _distance(corners: FloatArray, others: FloatArray) -> float:
    return float(np.linalg.norm(corners - others, axis=1).mean())


def _marker_patches(board: Board, pose: Pose, gray: Image) -> list[Patch]:
    """A patch on every marker that the reference shows."""
    expected = {m.id: pose.image_from_board(m.corners_mm()) for m in own_markers(board)}
    corners = list(find_markers_near(gray, board, expected).values())
    sides = [round(MARKER_PATCH * float(np.ptp(c, axis=0).max())) for c in corners]
    return make_patches(gray, np.array([c.mean(0) for c in corners]).reshape(-1, 2), sides)


def _picture_patches(board: Board, pose: Pose, gray: Image) -> list[Patch]:
    """Patches on the strongest corners of the board's picture, far from each other."""
    apart = 0.15 * min(gray.shape)
    mask = _board_mask(board, pose, gray)
    points = cv2.goodFeaturesToTrack(cv2.GaussianBlur(gray, (0, 0), 1.5), PATCHES, 0.02, apart, mask=mask)
    if points is None:
        return []
    return make_patches(gray, np.asarray(points, dtype=np.float64).reshape(-1, 2), [PATCH_PX] * len(points))


def _board_mask(board: Board, pose: Pose, gray: Image) -> Image:
    """255 on the board with its rim: the table around it may be moved without the camera moving."""
    w, h = board.size
    edge = board.rim.width_mm if board.rim else 0.0
    outline = np.array([[-edge, -edge, 0], [w + edge, -edge, 0], [w + edge, h + edge, 0], [-edge, h + edge, 0]])
    mask = np.zeros(gray.shape, dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(pose.image_from_board(outline)).astype(np.int32), (255,))
    return mask


def _grid_mm(board: Board, side: int = 5) -> FloatArray:
    """(side * side, 3) points spread over the surface at height 0."""
    xs, ys = np.meshgrid(np.linspace(0, board.size[0], side), np.linspace(0, board.size[1], side))
    return np.column_stack([xs.ravel(), ys.ravel(), np.zeros(side * side)])
